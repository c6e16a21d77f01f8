"""The base of the methods that compare an instance with limits learned at the node where it stops."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import shown
from wekaconf.base.parameters import learned
from wekaconf.base.stored import PARTS
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, Int32Array, TextArray, as_rows, texts_of
from wekaconf.data.wording import cell_texts, each_distinct, each_of, interval, number, percent
from wekaconf.methods.characteristic._learning import TestedColumns
from wekaconf.methods.characteristic._limits import CHUNK_ROWS, Broken, Closed, Limits, LimitTest
from wekaconf.methods.contract import (
    ROUNDING,
    AnnotatesNodes,
    Answer,
    Ends,
    Explanation,
    FirstEvents,
    Reply,
    Rows,
    Step,
    name_splits,
    node_words,
)
from wekaconf.tree import Annotation, Guard, Line, SplitKind, TreeMirror, listed

KINDS = ("outside", "empty leaf")
MOST_LISTED = 3
"""Number of broken limits that the reason of one answer lists, in the order of the attributes."""

LEAVES = ("its leaf", "a leaf")
"""The leaf of a whole instance, and one of a divided instance."""


class BrokenLimits(NamedTuple):
    """The limits that instances break.

    Parameters
    ----------
    instance : (n_events,) intp
        In ascending order, as are the nodes of one instance, and the columns at one node.
    node : (n_events,) int32
    column : (n_events,) intp
        −1 where the leaf accepts nothing.
    is_divided : (n_instances,) bool
        Whether the instance ends at several leaves.
    rejected : (n_instances,) float64
        The share of each divided instance that ends at leaves whose limits it breaks; 0 of whole ones.
    """

    instance: NDArray[np.intp]
    node: NDArray[np.int32]
    column: NDArray[np.intp]
    is_divided: NDArray[np.bool_]
    rejected: FloatArray


class LimitMethod(AnnotatesNodes, is_registered=False):
    """A method that answers as the tree does and rejects instances outside the limits of their leaf."""

    has_deviations: ClassVar[bool]
    """Whether numeric attributes have a mean and a deviation, rather than a smallest and a largest value."""
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
        return self.limits_.tests(node, self.tree_.header, self._level, self._closed)

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
        return TestedColumns.of(header, is_sd=self.has_deviations)

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self.limits_ = Limits.of(tree, train, self._columns(train.header), self._closed)

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

    def _sentences(self, data: Dataset, answer: Answer, rows: Rows) -> TextArray:
        """The values of each instance outside the limits of its leaf; if there are none, the leaf."""
        values = data.values[rows]
        broken = self._broken(values)
        events = FirstEvents.of_all(broken.instance, len(values), MOST_LISTED)
        told, sentences = np.flatnonzero(events.n_events), np.empty(len(values), dtype=object)
        if len(told):
            texts = events.joined(*self._clauses(values, broken, events.place), others=" such values")
            is_divided = broken.is_divided[told]
            if is_divided.any():
                texts[is_divided] = self._parts_rejected(values, broken, told[is_divided]) + texts[is_divided]
            sentences[told] = texts
        if len(told) < len(values):
            others = np.flatnonzero(events.n_events == 0)
            notes = texts_of(["inside all its limits"] * len(others))
            sentences[others] = Ends.of(self.tree_, values[others], answer.proba[rows][others]).sentences(notes=notes)
        return sentences

    def _parts_rejected(self, values: FloatArray, broken: BrokenLimits, rows: NDArray[np.intp]) -> TextArray:
        """(n_rows,) object: the part of each instance that missing values send to leaves whose limits it breaks."""
        shares = each_distinct(broken.rejected[rows], lambda share: "all" if share > 1 - ROUNDING else percent(share))
        names = name_splits(self.tree_, self.tree_.router.last_whole_nodes(values[rows]))
        return texts_of(
            f"{share} of the instance, split by the missing value of {name}, is outside its limits: "
            for share, name in as_rows(shares, names)
        )

    def _clauses(self, values: FloatArray, broken: BrokenLimits, place: NDArray[np.intp]) -> tuple[TextArray, ...]:
        """The broken limits at these places among all, in words of three parts, (n,) object each."""
        instance, node, column = broken.instance[place], broken.node[place], broken.column[place]
        is_divided, value = broken.is_divided[instance], values[instance, column]
        attributes = self.tree_.header.attributes
        names = each_of(column, len(attributes), lambda at: f"{shown(attributes[at].name)} ")
        is_numeric = (column >= 0) & ~self.tree_.header.is_nominal[column]
        if is_numeric.all():
            return names, *self._outside_intervals(value, node, column, is_divided)
        cells, outside = (np.full(len(place), "", dtype=object) for _ in range(2))
        some, others = np.flatnonzero(is_numeric), np.flatnonzero(~is_numeric)
        cells[some], outside[some] = self._outside_intervals(value[some], node[some], column[some], is_divided[some])
        names[others] = ""
        outside[others] = self._not_accepted(node[others], column[others], value[others], is_divided[others])
        return names, cells, outside

    def _outside_intervals(
        self, value: FloatArray, node: NDArray[np.int32], column: NDArray[np.intp], is_divided: NDArray[np.bool_]
    ) -> tuple[TextArray, TextArray]:
        """(n,) object each: values outside the limits of their leaves, and these limits, in words."""
        low, high = self.limits_.intervals(node, column, self._level, self._closed)
        cells, *ends = cell_texts(self.tree_.header.attributes, column, value, low, high)
        rows = as_rows(*ends, low == high, is_divided, (low <= value) & (value <= high))
        return cells, texts_of(_outside(*row) for row in rows)

    def _not_accepted(
        self, node: NDArray[np.int32], column: NDArray[np.intp], value: FloatArray, is_divided: NDArray[np.bool_]
    ) -> TextArray:
        """(n,) object: nominal values outside those that leaves accept, and leaves that accept nothing, in words."""
        attributes = self.tree_.header.attributes
        is_empty, n_values = column < 0, max(len(attribute.values) for attribute in attributes)
        cell = np.where(is_empty, 0, value).astype(np.int64)
        sizes = self.tree_.n_nodes, len(attributes) + 1, n_values, 2

        def text(key: int) -> str:
            at, place, cell, is_part = np.unravel_index(key, sizes)
            if not place:
                return f"{LEAVES[is_part]} has no training instances, and therefore accepts none"
            attribute = attributes[place - 1]
            accepts = listed(self.limits_.accepted(int(at), int(place - 1), attribute))
            name, seen = shown(attribute.name), shown(attribute.values[cell])
            return f"{name} {seen} is none of {accepts}, the values at {LEAVES[is_part]}"

        return each_distinct(np.ravel_multi_index((node, column + 1, cell, is_divided.astype(np.intp)), sizes), text)

    @property
    def _level(self) -> float:
        threshold = self._threshold()
        assert threshold is not None
        return threshold

    def _broken(self, values: FloatArray) -> BrokenLimits:
        """The limits that rows of values break at the leaves where they end."""
        row, node, share = self.tree_.router.paths(values)
        item, column = self._broken_parts(values, row, node)
        is_divided, rejected = np.zeros(len(values), dtype=np.bool_), np.zeros(len(values))
        if len(row) > len(values):
            is_divided = np.bincount(row, minlength=len(values)) > 1
            parts = np.unique(item)
            np.add.at(rejected, row[parts], share[parts])
            order = np.lexsort((column, node[item], row[item]))
            item, column = item[order], column[order]
        return BrokenLimits(row[item], node[item], column, is_divided, rejected)

    def _broken_parts(self, values: FloatArray, row: NDArray[np.intp], node: Int32Array) -> Broken:
        """The limits of these nodes that parts of rows break, `CHUNK_ROWS` parts at a time."""
        found = []
        for begin in range(0, max(len(row), 1), CHUNK_ROWS):
            chunk = slice(begin, begin + CHUNK_ROWS)
            cells = values[row[chunk]] if len(row) > len(values) else values[chunk]
            item, column = self.limits_.broken(cells, node[chunk], self._level)
            found.append(Broken(begin + item, column))
        return found[0] if len(found) == 1 else Broken(*map(np.concatenate, zip(*found, strict=True)))

    def _explanation(self, data: Dataset) -> Explanation:
        broken = self._broken(data.values)
        value, accepts = self._details(data, broken)
        kind, details = (broken.column < 0).astype(np.uint8), {"value": value, "accepts": accepts}
        column = broken.column.astype(np.int32)
        return Explanation(self.tree_, len(data), KINDS, broken.instance, broken.node, kind, column, details)

    def _details(self, data: Dataset, broken: BrokenLimits) -> tuple[list[Any], list[tuple[Any, ...] | None]]:
        """The value of each instance, and the values that its node accepts; None for both if the leaf is empty."""
        instance, node, column, *_ = broken
        low, high = self.limits_.intervals(node, column, self._level, self._closed)
        rows = as_rows(node, column, data.values[instance, column], low, high)
        values: list[Any] = []
        accepts: list[tuple[Any, ...] | None] = []
        for at, j, value, lower, upper in rows:
            attribute = data.attributes[j]
            if j < 0:
                values.append(None)
                accepts.append(None)
            elif attribute.is_nominal:
                values.append(attribute.values[int(value)])
                accepts.append(self.limits_.accepted(at, j, attribute))
            else:
                values.append(value)
                accepts.append((lower, upper))
        return values, accepts


def _outside(low: str, high: str, is_single: bool, is_divided: bool, is_inside: bool = False) -> str:
    """The limits that a value breaks, in words that follow the value."""
    if is_single:
        return f" differs from {low}, the only value at {LEAVES[is_divided]}"
    where = "at the edge of" if is_inside else "outside"
    return f" lies {where} {interval(low, high)}, the limits at {LEAVES[is_divided]}"


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
