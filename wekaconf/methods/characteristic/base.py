"""The base of the methods that compare an instance with limits learned at the node where it stops."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import shown
from wekaconf.base.parameters import learned, parameter
from wekaconf.base.stored import PARTS
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.data.header import Attribute, Header
from wekaconf.data.wording import cells, interval, number, percent
from wekaconf.methods.characteristic.learning import Groups, Rule, TestedColumns
from wekaconf.methods.characteristic.limits import CHUNK_ROWS, Closed, Limits, LimitTest
from wekaconf.methods.contract.annotates_nodes import AnnotatesNodes
from wekaconf.methods.contract.answer import Answer, Reply
from wekaconf.methods.contract.explanation import Event, Explanation, Step
from wekaconf.methods.contract.explanation.of_tree import node_words
from wekaconf.methods.contract.reasons import ROUNDING, Ends, Rows
from wekaconf.tree.annotation import Annotation, Guard, Line
from wekaconf.tree.conditions import listed, split_on
from wekaconf.tree.kinds import SplitKind
from wekaconf.tree.mirror import TreeMirror

KINDS = ("outside", "empty leaf")
MOST_LISTED = 3
"""Number of broken limits that the reason of one answer lists, in the order of the attributes."""


class LimitMethod(AnnotatesNodes, is_registered=False):
    """A method that answers as the tree does and rejects instances outside the limits of their leaf."""

    has_deviations: ClassVar[bool]
    """Whether numeric attributes have a mean and a deviation, rather than a smallest and a largest value."""
    zero_variance: Literal["exact", "accept", "parent"] = parameter(
        default="exact",
        help="If a leaf has one instance, or all its values of an attribute are equal: accept only this value (exact), "
        "do not test the attribute (accept), or use the limits of the nearest ancestor where values differ (parent; "
        "not tested if there is none). A leaf without instances then rejects everything, tests nothing, or has the "
        "limits of its nearest ancestor with instances.",
    )
    ordered: str | tuple[str, ...] = parameter(
        default="",
        help="Nominal attributes whose declared order counts, joined by + in one text: values between the first and "
        "the last that occur in the leaf are accepted. For other nominal attributes only values that occur are.",
    )
    tree_: TreeMirror = learned()
    limits_: Annotated[Limits, PARTS] = learned()

    def limit_tests(self, node: int) -> tuple[LimitTest, ...]:
        """The tests that a leaf is augmented with.

        Parameters
        ----------
        node : int
            A leaf, or another node where an instance may stop.

        Returns
        -------
        tuple of LimitTest
            In the order of the attributes; tests that accept every value are left out.

        Raises
        ------
        NotFittedError
        OptionError
            No instance stops at the node, or there is no such node.
        """
        self.check_fitted()
        if not 0 <= node < self.tree_.n_nodes or not self.tree_.router.stops[node]:
            raise OptionError(f"no instance stops at node {node}, so it has no limits; give a leaf", of=self.name)
        threshold = self._threshold()
        assert threshold is not None
        return self.limits_.tests(node, self.tree_.header, threshold, self._closed)

    def _annotation(self, node: int) -> Annotation:
        """The tests of `limit_tests` as guards of a leaf, and as ``limits``, null at an inner node."""
        if self.tree_.split_kind[node] != SplitKind.LEAF:
            return Annotation(values={"limits": None})
        return annotation_of(self.limit_tests(node))

    @property
    def _closed(self) -> Closed:
        """The ends that belong to the ranges; see `LimitTest`."""
        return "both"

    def _columns(self, header: Header) -> TestedColumns:
        return TestedColumns.of(header, self.ordered, self.name, is_sd=self.has_deviations)

    def _learn(self, tree: TreeMirror, train: Dataset, rule: Rule) -> None:
        self.limits_ = Limits.of(Groups.of_tree(tree, train), train, self._columns(train.header), rule)

    def _complete(self) -> None:
        self.limits_.check(self._columns(self.tree_.header), self.tree_.router.stops)

    def _answer(self, data: Dataset) -> Reply:
        router = self.tree_.router
        return Reply(
            router.distributions(data.values),
            certainty=lambda: self.limits_.certainty_at_ends(router, data.values),
            explain=lambda: self._explanation(data),
            reasons=lambda answer, rows: self._sentences(data, answer, rows),
            certainty_steps=lambda _, i: self._certainty_steps(data.values[i]),
        )

    def _certainty_steps(self, row: FloatArray) -> Step:
        """The tests of the leaf; the mean over the leaves where parts of an instance stop."""
        _, nodes, shares = self.tree_.router.paths(row[None])
        parts = [self._tests_step(row, node) for node in nodes.tolist()]
        if len(parts) == 1 and shares[0] == 1:
            return parts[0]
        return Step.weighted("the mean over the leaves that share it", shares.tolist(), parts, kind="missing")

    def _tests_step(self, row: FloatArray, node: int) -> Step:
        attributes, at = self.tree_.header.attributes, np.array([node])
        far = self.limits_.deviation_of(row[None], at)[0]
        failed = self.limits_.failed(row[None], at)[0]
        deviations = {attributes[column].name: float(far[j]) for j, column in enumerate(self.limits_.numeric.tolist())
                      if not np.isnan(far[j])}  # fmt: skip
        broken = [attributes[column].name for column in failed]
        values = {"deviations": deviations, "broken": broken, "rejects_all": self._rejects_all(node),
                  "has_deviations": bool(len(self.limits_.numeric))}  # fmt: skip
        result = float(self.limits_.certainty(row[None], at)[0])
        return Step("tail", self._tests_words(node, deviations, broken), result, "limits", node, values)

    def _rejects_all(self, node: int) -> bool:
        return bool(self.limits_.rejects[self.limits_.row[node]])

    def _tests_words(self, node: int, deviations: Mapping[str, float], broken: Sequence[str]) -> str:
        place = f"at {node_words(self.tree_, node)}, "
        if self._rejects_all(node):
            return f"{place}there is no training instance, so nothing is accepted"
        if broken:
            return f"{place}outside the limits: {', '.join(map(shown, broken))}"
        if not deviations:
            return f"{place}inside all limits"
        name, furthest = max(deviations.items(), key=operator.itemgetter(1))
        return f"{place}{shown(name)} lies furthest from the mean of the leaf: {number(furthest)} deviations"

    def _sentences(self, data: Dataset, answer: Answer, rows: Rows) -> list[str]:
        """The values of each instance outside the limits of its leaf; if there are none, the leaf."""
        ends = Ends.of(self.tree_, data.values[rows], answer.proba[rows])
        sentences = ends.sentences(notes=["inside all its limits"] * len(rows))
        attributes = {attribute.name: attribute for attribute in data.attributes}
        for place, i in enumerate(rows.tolist()):
            if events := answer.explanation[i]:
                leaf = "its leaf" if ends.divided_at[place] < 0 else "a leaf"
                parts = [_sentence(event, attributes, leaf) for event in events[:MOST_LISTED]]
                more = [f"{len(events) - MOST_LISTED} more such values"] if len(events) > MOST_LISTED else []
                prefix = self._part_rejected(data.values[i], events, ends.divided_at[place])
                sentences[place] = prefix + "; ".join(parts + more)
        return sentences

    def _part_rejected(self, values: FloatArray, events: Sequence[Event], divided_at: int) -> str:
        """Words for the part of an instance that missing values send to leaves whose limits it breaks."""
        if divided_at < 0:
            return ""
        _, nodes, shares = self.tree_.router.paths(values[None])
        part = float(shares[np.isin(nodes, [event.node for event in events])].sum())
        share, name = "all" if part > 1 - ROUNDING else percent(part), shown(split_on(self.tree_, divided_at).name)
        return f"{share} of the instance, split by the missing value of {name}, is rejected: "

    def _explanation(self, data: Dataset) -> Explanation:
        threshold = self._threshold()
        assert threshold is not None
        row, node, _ = self.tree_.router.paths(data.values)
        items, columns = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.intp)]
        for begin in range(0, len(row), CHUNK_ROWS):
            chunk = slice(begin, begin + CHUNK_ROWS)
            broken = self.limits_.broken(data.values[row[chunk]], node[chunk], threshold)
            items.append(begin + broken.item)
            columns.append(broken.column)
        item, column = np.concatenate(items), np.concatenate(columns)
        order = np.lexsort((column, node[item], row[item]))
        instance, at, column = row[item[order]], node[item[order]], column[order]
        value, accepts = self._details(data, instance, at, column)
        kind, details = (column < 0).astype(np.uint8), {"value": value, "accepts": accepts}
        return Explanation(self.tree_, len(data), KINDS, instance, at, kind, column.astype(np.int32), details)

    def _details(
        self, data: Dataset, instance: NDArray[np.intp], node: NDArray[np.int32], column: NDArray[np.intp]
    ) -> tuple[list[Any], list[tuple[Any, ...] | None]]:
        """The value of each instance, and the values that its node accepts; None for both if the leaf is empty."""
        tests = {at: {test.attribute: test for test in self.limit_tests(at)} for at in np.unique(node).tolist()}
        values: list[Any] = []
        accepts: list[tuple[Any, ...] | None] = []
        for i, at, j in zip(instance.tolist(), node.tolist(), column.tolist(), strict=True):
            if j < 0:
                values.append(None)
                accepts.append(None)
                continue
            attribute, value = data.attributes[j], float(data.values[i, j])
            test = tests[at][attribute.name]
            values.append(attribute.values[int(value)] if attribute.is_nominal else value)
            accepts.append((test.lower, test.upper) if test.accepts is None else test.accepts)
        return values, accepts


def _sentence(event: Event, attributes: Mapping[str, Attribute], leaf: str) -> str:
    """A broken limit in words; ``leaf`` are the words for the leaf."""
    if event.kind == "empty leaf":
        return f"{leaf} has no training instances, and therefore accepts none"
    attribute, value, accepts = attributes[event.attribute], event.details["value"], event.details["accepts"]
    name = shown(event.attribute)
    if attribute.is_nominal:
        return f"{name} {shown(value)} is none of {listed(accepts)}, the values at {leaf}"
    low, high = accepts
    value_text, lower, upper = cells(attribute, value, low, high)
    if low == high:
        return f"{name} {value_text} differs from {lower}, the only value at {leaf}"
    place = "at the edge of" if low <= value <= high else "outside"
    return f"{name} {value_text} lies {place} {interval(lower, upper)}, the limits at {leaf}"


def annotation_of(tests: Sequence[LimitTest]) -> Annotation:
    """The annotation of a leaf that has these tests."""
    return Annotation(
        guards=tuple(Guard(test.attribute, _accepts(test), tuple(_rejects(test))) for test in tests if test.attribute),
        rejects_all=any(not test.attribute for test in tests),
        values={"limits": [_values(test) for test in tests]},
    )


def _accepts(test: LimitTest) -> Line:
    """The interval, or the set of values, that a test accepts."""
    if test.accepts is not None:
        return (listed(test.accepts),)
    first, last = "[" if test.closed in ("both", "lower") else "(", "]" if test.closed in ("both", "upper") else ")"
    return first, test.lower, ", ", test.upper, last


def _rejects(test: LimitTest) -> Iterator[Line]:
    if test.accepts is not None:
        yield (f"{test.attribute} not in {listed(test.accepts)}",)
        return
    if test.lower > -np.inf:
        yield f"{test.attribute} {'<' if test.closed in ('both', 'lower') else '<='} ", test.lower
    if test.upper < np.inf:
        yield f"{test.attribute} {'>' if test.closed in ('both', 'upper') else '>='} ", test.upper


def _values(test: LimitTest) -> dict[str, Any]:
    if test.accepts is not None:
        return {"attribute": test.attribute or None, "accepts": list(test.accepts)}
    return {"attribute": test.attribute, "lower": test.lower, "upper": test.upper, "closed": test.closed}
