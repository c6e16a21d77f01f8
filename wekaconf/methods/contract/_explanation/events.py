"""The events of a method for each instance, and the account of one answer."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import printable
from wekaconf.base.rounding import most_probable
from wekaconf.data import Attribute, Dataset
from wekaconf.data.wording import decimal_mark
from wekaconf.methods.contract._explanation import html, text
from wekaconf.methods.contract._explanation.step import Step
from wekaconf.tree import Forest, TreeMirror

MOST_SHOWN = 3
"""Number of instances that a notebook shows."""


class Event(NamedTuple):
    """One thing that a method did to one instance: at which node, what, and on which attribute.

    The node may lie on an alternative route. ``attribute`` is empty where the event concerns none; ``details`` are
    further values by name, such as the limits that a value broke.
    """

    node: int
    kind: str
    attribute: str
    details: Mapping[str, Any] = {}

    def __str__(self) -> str:
        """The event in words."""
        details = ", ".join(f"{name} {_in_words(value)}" for name, value in self.details.items())
        return f"{self.kind} {self.attribute}".rstrip() + (f": {details}" if details else "")


def _in_words(value: Any) -> str:
    if isinstance(value, tuple):
        left, right = "[]" if all(isinstance(part, float) for part in value) else "{}"
        return left + ", ".join(map(_in_words, value)) + right
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_in_words(part)}" for name, part in value.items()) or "none"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Account:
    """The explanation of an answer for one instance.

    Parameters
    ----------
    class_names : tuple of str
    predicted : int
        The most probable class.
    reason : str
        The answer, what to do, and why, in one sentence without a period.
    steps : Step
        How the distribution follows from numbers: its result is the row of ``Answer.proba``.
    certainty : Step
        How the certainty follows from numbers; its result is one number.
    decimal : str
        The mark before the decimals of numbers in texts.
    """

    class_names: tuple[str, ...]
    predicted: int
    reason: str
    steps: Step
    certainty: Step
    decimal: str = "."

    @property
    def proba(self) -> tuple[float, ...]:
        """(n_classes,) tuple of float: the distribution."""
        assert isinstance(self.steps.result, tuple)
        return self.steps.result

    def to_dict(self) -> dict[str, Any]:
        """The explanation as JSON types; numbers may be infinite or NaN."""
        return {
            "predicted": self.class_names[self.predicted],
            "proba": dict(zip(self.class_names, self.proba, strict=True)),
            "certainty": self.certainty.result,
            "reason": self.reason,
            "steps": self.steps.to_dict(),
            "certainty_steps": self.certainty.to_dict(),
        }

    def __str__(self) -> str:
        """The explanation as text, one line per step."""
        with decimal_mark(self.decimal):
            return text.account_text(self.class_names, self.reason, self.steps, self.certainty)

    @property
    def steps_html(self) -> str:
        """What notebooks show below the reason; every text is escaped."""
        with decimal_mark(self.decimal):
            return html.steps_html(self.class_names, self.steps, self.certainty)

    def _repr_html_(self) -> str:
        """The explanation as notebooks show it; every text is escaped."""
        with decimal_mark(self.decimal):
            return html.account_html(self.class_names, self.reason, self.steps, self.certainty)


@dataclass(frozen=True, eq=False)
class Explanation:
    """The events of a method, instance by instance; ``explanation[i]`` are those of instance i, root first.

    Parameters
    ----------
    tree : TreeMirror or Forest
    n_instances : int
    kinds : tuple of str
        The kinds of event that the method has.
    instance : (n_events,) intp
        The instance of each event, in ascending order.
    node : (n_events,) int32
    kind : (n_events,) uint8
        Index into ``kinds``.
    attribute : (n_events,) int32, optional
        Column of the header, −1 for none; the attribute that the node splits on when left out.
    details : mapping of str to sequence of n_events values, optional
        Further values of each event: numbers, names, or tuples of them; None: the event has no such value.
    account_of : callable, optional
        Makes the `Account` of an instance; `Method.answer` gives one to every explanation.
    """

    tree: TreeMirror | Forest
    n_instances: int
    kinds: tuple[str, ...]
    instance: NDArray[np.intp]
    node: NDArray[np.int32]
    kind: NDArray[np.uint8]
    attribute: NDArray[np.int32] | None = None
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    account_of: Callable[[int], Account] | None = None

    def __len__(self) -> int:
        """Number of instances."""
        return self.n_instances

    def __repr__(self) -> str:
        """The number of instances, and of events of each kind."""
        return f"Explanation({self.n_instances} instances, {self.counts()})"

    @overload
    def __getitem__(self, index: int) -> tuple[Event, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[Event, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[Event, ...] | list[tuple[Event, ...]]:
        """The events of one instance, or a list of those of several; IndexError when there is no such instance."""
        if isinstance(index, slice):
            chosen = range(*index.indices(self.n_instances))
            ends = np.searchsorted(self.instance, np.arange(self.n_instances + 1)).tolist()
            first = min((ends[i] for i in chosen), default=0)
            events = self._events(first, max((ends[i + 1] for i in chosen), default=0))
            return [tuple(events[ends[i] - first : ends[i + 1] - first]) for i in chosen]
        index = self._place(index)
        begin, end = np.searchsorted(self.instance, [index, index + 1]).tolist()
        return tuple(self._events(begin, end))

    def counts(self) -> dict[str, int]:
        """Number of events of each kind."""
        return dict(zip(self.kinds, np.bincount(self.kind, minlength=len(self.kinds)).tolist(), strict=True))

    def account(self, i: int) -> Account:
        """The explanation of the answer for an instance, step by step; IndexError when there is no such instance.

        Cost: answering for one instance, some hundred times slower than in a large batch; methods that grow trees grow
        them again.
        """
        i = self._place(i)
        if self.account_of is None:
            raise ValueError("this explanation was not made by a method, so it tells events only")
        return self.account_of(i)

    def _place(self, index: int) -> int:
        index = operator.index(index)
        if not -self.n_instances <= index < self.n_instances:
            raise IndexError(f"instance {index} of {self.n_instances}")
        return index % self.n_instances

    def text(self, i: int) -> str:
        """The `account` of an instance as text."""
        return str(self.account(i))

    def to_dict(self, i: int) -> dict[str, Any]:
        """The `account` of an instance as JSON types; numbers may be infinite or NaN."""
        return self.account(i).to_dict()

    def _repr_html_(self) -> str:
        """The first instances as notebooks show them."""
        if self.account_of is None:
            return f"<p>{escape(printable(repr(self)))}</p>"
        shown = range(min(self.n_instances, MOST_SHOWN))
        more = f"<p>… {self.n_instances} instances in all</p>" if self.n_instances > MOST_SHOWN else ""
        return "".join(f"<h4>instance {i}</h4>{self.account(i)._repr_html_()}" for i in shown) + more

    def _events(self, begin: int, end: int) -> list[Event]:
        """The events at the places ``begin`` … ``end`` − 1."""
        places = slice(begin, end)
        names = [*(attribute.name for attribute in self.tree.header.attributes), ""]
        nodes, kinds, columns = (part[places].tolist() for part in (self.node, self.kind, self.columns))
        details: list[dict[str, Any]] = [{} for _ in nodes]
        for name, values in self.details.items():
            for event_details, value in zip(details, values[places], strict=True):
                if value is not None:
                    event_details[name] = value
        rows = zip(nodes, kinds, columns, details, strict=True)
        return [Event(node, self.kinds[kind], names[column], values) for node, kind, column, values in rows]

    @property
    def columns(self) -> NDArray[np.int32]:
        """(n_events,) int32: the column of the header that each event concerns, −1 for none."""
        if self.attribute is not None:
            return self.attribute
        if isinstance(self.tree, Forest):
            return np.full(len(self.node), -1, dtype=np.int32)
        return self.tree.split_attribute[self.node]


def paths(tree: TreeMirror | Forest, data: Dataset) -> Explanation:
    """The paths of instances: the inner nodes, each with the value tested, and the leaf with its class weights.

    An instance with a missing value may go down several branches; ``share`` is the part of it that ends at the leaf.
    For a forest: the prediction of each member.

    Cost: O(depth) per instance for a tree; O(n_trees · depth) for a forest.
    """
    if isinstance(tree, Forest):
        return forest_members(tree, [most_probable(member.predict_proba(data)) for member in tree.trees])
    row, leaf, share = tree.router.paths(data.values)
    part, node = np.arange(len(row)), leaf
    parts, nodes = [part], [node]
    while len(part):
        above = tree.parent[node]
        part, node = part[above >= 0], above[above >= 0]
        parts.append(part)
        nodes.append(node)
    part, node = np.concatenate(parts), np.concatenate(nodes)
    order = np.lexsort((node, part))
    part, node = part[order], node[order]
    instance = row[part]
    is_end = node == leaf[part]
    details: dict[str, list[Any]] = {"value": [], "counts": [], "share": []}
    instance_shares = share[part].tolist()
    for i, at, ends, part_of_i in zip(instance.tolist(), node.tolist(), is_end.tolist(), instance_shares, strict=True):
        column = tree.split_attribute[at]
        details["value"].append(None if ends else cell_value(tree.header.attributes[column], data.values[i, column]))
        details["counts"].append(_counts(tree, at) if ends else None)
        details["share"].append(part_of_i if ends and part_of_i < 1 else None)
    attribute = np.where(is_end, -1, tree.split_attribute[node]).astype(np.int32)
    kind = is_end.astype(np.uint8)
    return Explanation(tree, len(data), ("node", "leaf"), instance, node, kind, attribute, details)


def forest_members(forest: Forest, predicted: Sequence[NDArray[np.int64]]) -> Explanation:
    """The prediction of each tree of a forest; ``predicted`` holds (n_instances,) class indices for every tree."""
    by_instance = np.stack(predicted, axis=1)
    n, n_trees = by_instance.shape
    instance, member = np.divmod(np.arange(n * n_trees), n_trees)
    names = forest.class_names
    return Explanation(
        forest, n, ("member",), instance, np.zeros(len(instance), dtype=np.int32),
        np.zeros(len(instance), dtype=np.uint8), np.full(len(instance), -1, dtype=np.int32),
        {"tree": (member + 1).tolist(), "predicts": [names[c] for c in by_instance.ravel().tolist()]},
    )  # fmt: skip


def _counts(tree: TreeMirror, node: int) -> dict[str, float]:
    """The class weights of a node, without those that are 0."""
    weights = tree.class_weight[node].tolist()
    return {name: weight for name, weight in zip(tree.class_names, weights, strict=True) if weight > 0}


def cell_value(attribute: Attribute, value: float) -> str | float | None:
    """A nominal value by name, another as a number; None when it is missing."""
    if np.isnan(value):
        return None
    return attribute.values[int(value)] if attribute.is_nominal else value
