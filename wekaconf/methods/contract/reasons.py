"""The reasons for answers: one sentence per instance."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import printable
from wekaconf.base.naming import shown
from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.data.dataset import Dataset
from wekaconf.data.wording import apart, class_share, class_text, number, percent
from wekaconf.tree.conditions import condition_in_words, split_on
from wekaconf.tree.forest import Forest
from wekaconf.tree.kinds import Routing, SplitKind
from wekaconf.tree.mirror import TreeMirror

Rows = NDArray[np.intp]
CHUNK = 1 << 13
"""Number of sentences that are made at a time when all are read."""
ROUNDING = 1e-9
"""The relative difference up to which weights and shares count as equal."""


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
    """The leaf where each instance stops; if missing values divide it, the one with the largest part of its answer.

    A leaf is of a class if no class has a larger weight there; a leaf without instances is of the class it answers.

    Parameters
    ----------
    tree : TreeMirror
    proba : (n, n_classes) float64
        What is answered.
    predicted : (n,) int64
        The most probable class.
    node : (n,) int32
        The leaf of the predicted class that gets the largest part of the instance; if there is none, the leaf that
        gets the largest part. Leaves without instances come last, and in case of ties the lowest leaf comes first.
    share : (n,) float64
        That part, in (0, 1].
    is_of_answer : (n,) bool
        Whether the leaf is of the predicted class.
    n_alike : (n,) intp
        Into how many leaves of the predicted class the instance is divided; if there is none, into how many leaves.
    share_alike : (n,) float64
        The part of the instance in all of these, in (0, 1].
    divided_at : (n,) int32
        The first node whose value is missing; −1 if the instance is whole.
    """

    tree: TreeMirror
    proba: FloatArray
    predicted: NDArray[np.int64]
    node: Int32Array
    share: FloatArray
    is_of_answer: NDArray[np.bool_]
    n_alike: NDArray[np.intp]
    share_alike: FloatArray
    divided_at: Int32Array

    @classmethod
    def of(cls, tree: TreeMirror, values: FloatArray, proba: FloatArray) -> Self:
        """Send rows of values, which are answered with the distributions ``proba``, down a tree."""
        n, predicted = len(values), most_probable(proba)
        row, node, share = tree.router.paths(values)
        is_of_answer = _is_of_class(tree, node, predicted[row])
        n_alike, share_alike = np.ones(n, dtype=np.intp), np.ones(n)
        divided_at = np.full(n, -1, dtype=np.int32)
        if len(row) > n:
            order = np.lexsort((node, -share, ~_is_filled(tree)[node], ~is_of_answer, row))
            first = order[np.searchsorted(row[order], np.arange(n))]
            is_alike = is_of_answer == is_of_answer[first][row]
            n_alike[:] = np.bincount(row[is_alike], minlength=n)
            share_alike[:] = np.bincount(row, np.where(is_alike, share, 0.0), minlength=n)
            is_divided = np.bincount(row, minlength=n) > 1
            divided_at[is_divided] = tree.router.last_whole_nodes(values[is_divided])
            node, share, is_of_answer = node[first], share[first], is_of_answer[first]
        return cls(tree, proba, predicted, node, share, is_of_answer, n_alike, share_alike, divided_at)

    def each(self, text: Callable[[int, int], str], c: NDArray[np.int64]) -> list[str]:
        """A text for the leaf and class of each instance, made once per pair; ``c`` holds (n,) class indices."""
        n_classes = self.proba.shape[1]
        pairs, place = np.unique(self.node * np.int64(n_classes) + c, return_inverse=True)
        texts = [text(*divmod(pair, n_classes)) for pair in pairs.tolist()]
        return [texts[i] for i in place.tolist()]

    def sentences(self, answers: Sequence[str] | None = None, notes: Sequence[str] | None = None) -> list[str]:
        """Sentences on the leaf of each instance: what it holds, the test that led there, and the method's answer.

        Where the leaf is of another class than the answer, or only the smaller part of the instance ends in leaves of
        the answer's class, the sentence begins with the answer and says *although*.

        Parameters
        ----------
        answers : sequence of n str, optional
            The answer and how it came about, such as ``the mean of all leaves: yes (0.75)``; empty, or left out, where
            the tree answers.
        notes : sequence of n str, optional
            Further remarks.
        """
        tree = self.tree
        leaf_class = np.where(self.is_of_answer, self.predicted, tree.class_weight[self.node].argmax(axis=1))
        texts = self.each(lambda node, c: holding(tree, node, c) + _test(tree, node), leaf_class)
        agrees = self.is_of_answer & (self.share_alike > 0.5 - ROUNDING)
        for i in np.flatnonzero(~agrees | (self.divided_at >= 0)).tolist():
            texts[i] = self._ending(i, texts[i])
            if not agrees[i]:
                answer = answers[i] if answers is not None else ""
                texts[i] = f"{answer or self._plain_answer(i)}, although {texts[i]}"
        if answers is not None:
            rows = zip(texts, answers, agrees.tolist(), strict=True)
            texts = [f"{text}; {answer}" if answer and is_agreed else text for text, answer, is_agreed in rows]
        return texts if notes is None else [f"{text}; {note}" for text, note in zip(texts, notes, strict=True)]

    def _plain_answer(self, i: int) -> str:
        return f"the tree answers {likeliest(self.tree, self.proba[[i]])[0]}"

    def _ending(self, i: int, leaf: str) -> str:
        """Words for the leaf where an instance, or the part of it that counts, ends."""
        if self.divided_at[i] < 0:
            return f"it ends in a {leaf}"
        name = shown(split_on(self.tree, int(self.divided_at[i])).name)
        share = float(self.share_alike[i])
        part = "all" if share > 1 - ROUNDING else percent(share) if share > 0.5 - ROUNDING else f"only {percent(share)}"
        text = f"{part} of the instance, split by the missing value of {name}, ends in "
        if self.n_alike[i] == 1:
            return f"{text}a {leaf}"
        classes = (
            f"class {class_text(self.tree.class_names[self.predicted[i]])}" if self.is_of_answer[i] else "other classes"
        )
        return f"{text}{self.n_alike[i]} leaves of {classes}, {percent(float(self.share[i]))} of it in a {leaf}"


def _test(tree: TreeMirror, node: int) -> str:
    """The test that leads to a node, in words; empty for the root."""
    return f"; {condition_in_words(tree, node)}" if node else ""


def _is_of_class(tree: TreeMirror, node: Int32Array, c: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n,) bool: whether no class has a larger weight at each node than class ``c``; see `Ends`."""
    weight: FloatArray = np.where(_is_filled(tree)[:, None], tree.class_weight, tree.router.answer)
    return np.asarray(weight[node, c] >= weight.max(axis=1)[node] * (1 - ROUNDING))


def _is_filled(tree: TreeMirror) -> NDArray[np.bool_]:
    """(n_nodes,) bool: whether a class has weight there."""
    return np.asarray(np.any(tree.class_weight > 0, axis=1))


def holding(tree: TreeMirror, node: int, c: int) -> str:
    """The instances of a node, and how many are of a class: ``leaf of 12 instances, 9 of class yes``."""
    kind = "leaf" if tree.split_kind[node] == SplitKind.LEAF else "node"
    weight, name = tree.class_weight[node], class_text(tree.class_names[c])
    total, in_class = float(weight.sum()), float(weight[c])
    if not total > 0:
        return f"{kind} without instances, answered for by the tree above it"
    if tree.routing == Routing.REPTREE:
        return f"{kind} all of class {name}" if in_class >= total else f"{kind} with {number(in_class)} of {name}"
    many, most = apart(total, in_class)
    instances = "instance" if many == "1" else "instances"
    if most == many:
        return f"{kind} of {many} {instances}, {'' if many == '1' else 'all '}of class {name}"
    return f"{kind} of {many} {instances}, {most if in_class else 'none'} of class {name}"


def likeliest(tree: TreeMirror, proba: FloatArray) -> list[str]:
    """The most probable class of each distribution with its probability, such as ``yes (0.75)``."""
    names, best = tree.class_names, most_probable(proba)
    shares = proba[np.arange(len(proba)), best].tolist()
    return [class_share(names[c], share) for c, share in zip(best.tolist(), shares, strict=True)]


def member_sentences(
    names: Sequence[str], members: Iterable[NDArray[np.int64]], predicted: NDArray[np.int64]
) -> list[str]:
    """Sentences on how many trees of a forest agree with its answer, and on the most frequent other answer.

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
    rival_votes, rivals = votes.max(axis=1).tolist(), votes.argmax(axis=1).tolist()
    texts = [class_text(name) for name in names]
    sentences = []
    for n, c, n_rival, rival in zip(agree, predicted.tolist(), rival_votes, rivals, strict=True):
        text = f"{n} of {n_trees} trees predict {texts[c]}" + (f", {n_rival} {texts[rival]}" if n_rival else "")
        sentences.append(text if n >= n_rival else f"only {text}, but together they say {texts[c]}")
    return sentences


def path_sentences(tree: TreeMirror | Forest, data: Dataset, proba: FloatArray) -> list[str]:
    """The sentences of a method without reasons of its own: the leaf, or the answers of a forest's members."""
    if isinstance(tree, Forest):
        return member_sentences(
            tree.class_names, (most_probable(member.predict_proba(data)) for member in tree.trees), most_probable(proba)
        )
    return Ends.of(tree, data.values, proba).sentences()
