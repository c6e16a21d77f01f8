"""Why an instance was answered as it was: one sentence per instance."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.dataset import Dataset, FloatArray, Int32Array
from wekaconf.errors import printable
from wekaconf.rounding import most_probable
from wekaconf.tree.conditions import condition, split_on
from wekaconf.tree.forest import Forest
from wekaconf.tree.kinds import Routing, SplitKind
from wekaconf.tree.mirror import TreeMirror
from wekaconf.wording import apart, number

Rows = NDArray[np.intp]
CHUNK = 1 << 13
"""Sentences made at a time when all are read."""


class Reasons(Sequence[str]):
    """One sentence per instance, made when it is read.

    Parameters
    ----------
    n : int
        Number of instances.
    make : callable
        Takes (n_rows,) intp and returns one sentence per row. Control characters, which names out of a file may hold,
        are escaped here.
    """

    def __init__(self, n: int, make: Callable[[Rows], Sequence[str]]) -> None:
        self._n = n
        self._make = make

    def __len__(self) -> int:
        """Number of instances."""
        return self._n

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any]) -> list[str]: ...
    def __getitem__(self, index: int | slice | NDArray[Any]) -> str | list[str]:
        """The sentence of one instance; a list for a slice, or for an array of indices or of booleans."""
        if isinstance(index, slice | np.ndarray):
            return self._sentences(np.arange(self._n)[index])
        index = operator.index(index)
        if not -self._n <= index < self._n:
            raise IndexError(f"instance {index} of {self._n}")
        return self._sentences(np.array([index % self._n]))[0]

    def __iter__(self) -> Iterator[str]:
        """All sentences, some thousands made at a time."""
        for begin in range(0, self._n, CHUNK):
            yield from self._sentences(np.arange(begin, min(begin + CHUNK, self._n)))

    def __repr__(self) -> str:
        """The number of instances."""
        return f"Reasons({self._n} instances)"

    def _sentences(self, rows: Rows) -> list[str]:
        texts = self._make(rows) if len(rows) else []
        cleaned = {text: printable(text.strip()) for text in set(texts)}
        return [cleaned[text] for text in texts]


@dataclass(frozen=True, eq=False)
class Ends:
    """Where instances stop in a tree; of one that missing values divide, where its largest part stops.

    Parameters
    ----------
    tree : TreeMirror
    node : (n,) int32
        The node; the lowest one in case of ties.
    share : (n,) float64
        The part of the instance that stops there, in (0, 1].
    n_parts : (n,) intp
        Into how many parts the instance is divided.
    divided_at : (n,) int32
        The first node whose value is missing; −1 if the instance is whole.
    """

    tree: TreeMirror
    node: Int32Array
    share: FloatArray
    n_parts: NDArray[np.intp]
    divided_at: Int32Array

    @classmethod
    def of(cls, tree: TreeMirror, values: FloatArray) -> Self:
        """Send rows of values down a tree."""
        row, node, share = tree.router.paths(values)
        n_parts = np.bincount(row, minlength=len(values))
        divided_at = np.full(len(values), -1, dtype=np.int32)
        if len(row) > len(values):
            order = np.lexsort((node, -share, row))
            first = order[np.searchsorted(row[order], np.arange(len(values)))]
            node, share = node[first], share[first]
            is_divided = n_parts > 1
            divided_at[is_divided] = tree.router.last_whole_nodes(values[is_divided])
        return cls(tree, node, share, n_parts, divided_at)

    def each(self, text: Callable[[int], str]) -> list[str]:
        """A text of the node of each instance, made once per node."""
        nodes, place = np.unique(self.node, return_inverse=True)
        texts = [text(node) for node in nodes.tolist()]
        return [texts[i] for i in place.tolist()]

    def sentences(self, notes: Sequence[str] | None = None) -> list[str]:
        """What the leaf of each instance holds, which test led there, and its note."""
        tree = self.tree
        texts = self.each(lambda node: holding(tree, node) + (f"; {condition(tree, node, number)}" if node else ""))
        if notes is not None:
            texts = [text + note for text, note in zip(texts, notes, strict=True)]
        for i in np.flatnonzero(self.n_parts > 1).tolist():
            name = split_on(tree, int(self.divided_at[i])).name
            texts[i] += f"; {name} is missing, so {self.n_parts[i]} leaves answer, this one with share "
            texts[i] += number(float(self.share[i]))
        return texts


def holding(tree: TreeMirror, node: int) -> str:
    """What a node holds: ``leaf of 12 instances, 9 of class yes``."""
    name = "leaf" if tree.split_kind[node] == SplitKind.LEAF else "node"
    weight = tree.class_weight[node]
    total, largest = float(weight.sum()), float(weight.max())
    if not largest > 0:
        return f"{name} without instances, answered for by the tree above it"
    majority = tree.class_names[int(weight.argmax())]
    if tree.routing == Routing.REPTREE:
        return f"{name} all of class {majority}" if largest >= total else f"{name} with {number(largest)} of {majority}"
    many, most = apart(total, largest)
    instances = "instance" if many == "1" else "instances"
    if most == many:
        return f"{name} of {many} {instances}, {'' if many == '1' else 'all '}of class {majority}"
    return f"{name} of {many} {instances}, {most} of class {majority}"


def likeliest(tree: TreeMirror, proba: FloatArray) -> list[str]:
    """The most probable class of each distribution with its probability, such as ``yes 0.75``."""
    names, best = tree.class_names, most_probable(proba)
    shares = proba[np.arange(len(proba)), best].tolist()
    return [f"{names[c]} {number(share)}" for c, share in zip(best.tolist(), shares, strict=True)]


def member_sentences(
    names: Sequence[str], members: Iterable[NDArray[np.int64]], predicted: NDArray[np.int64]
) -> list[str]:
    """How many trees of a forest agree with its answer, and what most of the others say.

    Parameters
    ----------
    names : sequence of str
        The classes.
    members : iterable of (n,) int64
        What each tree predicts.
    predicted : (n,) int64
        What the forest predicts.
    """
    votes = np.zeros((len(predicted), len(names)), dtype=np.int64)
    rows, n_trees = np.arange(len(predicted)), 0
    for member in members:
        votes[rows, member] += 1
        n_trees += 1
    agree = votes[rows, predicted].tolist()
    votes[rows, predicted] = 0
    others, against = votes.max(axis=1).tolist(), votes.argmax(axis=1).tolist()
    of = f"of {n_trees} trees predict"
    return [
        f"{n} {of} {names[c]}" + (f", {other} {names[rival]}" if other else "")
        for n, c, other, rival in zip(agree, predicted.tolist(), others, against, strict=True)
    ]


def path_sentences(tree: TreeMirror | Forest, data: Dataset, predicted: NDArray[np.int64]) -> list[str]:
    """The sentence of a method that tells nothing of its own: the leaf, or what the members of a forest say."""
    if isinstance(tree, Forest):
        return member_sentences(tree.class_names, (member.predict(data) for member in tree.trees), predicted)
    return Ends.of(tree, data.values).sentences()
