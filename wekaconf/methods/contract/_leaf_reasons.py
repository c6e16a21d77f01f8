"""Sentences on the leaf where an instance stops, and on the trees of a forest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.naming import shown
from wekaconf.base.rounding import most_probable
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array, TextArray, as_rows, joined_texts, texts_of
from wekaconf.data.wording import apart, class_text, counts_apart, each_distinct, number, numbers, percent, the_mark
from wekaconf.methods.contract._reasons import ROUNDING, Rows
from wekaconf.tree import Forest, Routing, SplitKind, TreeMirror, condition_in_words, keep_last_result, split_on


class NodeClasses(NamedTuple):
    """The classes of the nodes of a tree.

    Parameters
    ----------
    largest : (n_nodes,) int64
        The class of the largest weight.
    is_filled : (n_nodes,) bool
        Whether a class has weight there.
    holds : (n_nodes, n_classes) bool
        Whether no class has a larger weight than this one; of a node without weights, a larger share in its answer.
    """

    largest: NDArray[np.int64]
    is_filled: NDArray[np.bool_]
    holds: NDArray[np.bool_]


@keep_last_result
def node_classes(tree: TreeMirror) -> NodeClasses:
    """The classes of the nodes; see `NodeClasses`."""
    is_filled = np.any(tree.class_weight > 0, axis=1)
    weight: FloatArray = np.where(is_filled[:, None], tree.class_weight, tree.router.answer)
    holds = weight >= weight.max(axis=1)[:, None] * (1 - ROUNDING)
    return NodeClasses(tree.class_weight.argmax(axis=1), is_filled, holds)


KnownTexts = defaultdict[str, dict[int, str]]
"""The texts that have been written so far, by their decimal mark, then by leaf and class; see `Ends.each`."""


@keep_last_result
def _leaf_texts(tree: TreeMirror) -> KnownTexts:
    """The texts on the leaves of a tree."""
    del tree
    return defaultdict(dict)


@keep_last_result
def known_texts(tree: TreeMirror, learned: FloatArray) -> KnownTexts:
    """The texts on what a method has learned of a tree."""
    del tree, learned
    return defaultdict(dict)


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
        n, predicted, classes = len(values), most_probable(proba), node_classes(tree)
        row, node, share = tree.router.paths(values)
        is_of_answer = classes.holds[node, predicted[row]]
        n_alike, share_alike = np.ones(n, dtype=np.intp), np.ones(n)
        divided_at = np.full(n, -1, dtype=np.int32)
        if len(row) > n:
            order = np.lexsort((node, -share, ~classes.is_filled[node], ~is_of_answer, row))
            first = order[np.searchsorted(row[order], np.arange(n))]
            is_alike = is_of_answer == is_of_answer[first][row]
            n_alike[:] = np.bincount(row[is_alike], minlength=n)
            share_alike[:] = np.bincount(row, np.where(is_alike, share, 0.0), minlength=n)
            is_divided = np.bincount(row, minlength=n) > 1
            divided_at[is_divided] = tree.router.last_whole_nodes(values[is_divided])
            node, share, is_of_answer = node[first], share[first], is_of_answer[first]
        return cls(tree, proba, predicted, node, share, is_of_answer, n_alike, share_alike, divided_at)

    def each(self, write: Callable[[int, int], str], c: NDArray[np.int64], known: KnownTexts) -> TextArray:
        """(n,) object: a text for the leaf and the class of each instance.

        Parameters
        ----------
        write : callable
            Takes a leaf and a class.
        c : (n,) int64
            The classes.
        known : KnownTexts
            The others are added.
        """
        n_classes, of_mark = self.proba.shape[1], known[the_mark()]

        def text(pair: int) -> str:
            if pair not in of_mark:
                of_mark[pair] = write(*divmod(pair, n_classes))
            return of_mark[pair]

        return each_distinct(self.node * np.int64(n_classes) + c, text)

    def sentences(self, answers: TextArray | None = None, notes: TextArray | None = None) -> TextArray:
        """(n,) object: what the leaf of each instance holds, the test that led there, and the method's answer.

        Where the leaf is of another class than the answer, or only the smaller part of the instance ends in leaves of
        the answer's class, the sentence begins with the answer and says *although*.

        Parameters
        ----------
        answers : (n,) object, optional
            The answer and how it came about, such as ``the mean of all leaves: yes (0.75)``; empty, or left out, where
            the tree answers.
        notes : (n,) object, optional
            Further remarks.
        """
        tree = self.tree
        leaf_class = np.where(self.is_of_answer, self.predicted, node_classes(tree).largest[self.node])
        texts = self.each(
            lambda node, c: describe_node(tree, node, c) + _test(tree, node), leaf_class, _leaf_texts(tree)
        )
        # Where missing values divide an instance, the heaviest leaf may be of another class than the mixture, and
        # naming it alone would argue against the answer. Leaves count by their own class, not by what a method makes of
        # them, since that is what the sentence says of them.
        agrees = self.is_of_answer & (self.share_alike > 0.5 - ROUNDING)
        divided, other = np.flatnonzero(self.divided_at >= 0), np.flatnonzero(~agrees)
        whole = other[self.divided_at[other] < 0]
        if len(whole):
            texts[whole] = texts_of(f"it ends in a {leaf}" for leaf in texts[whole])
        if len(divided):
            texts[divided] = self._endings(divided, texts[divided])
        if len(other):
            plain = likeliest(tree, self.proba[other], "the tree answers ")
            own = answers[other] if answers is not None else texts_of([""] * len(other))
            rows = as_rows(own, plain, texts[other])
            texts[other] = texts_of(f"{answer or tree_answer}, although {leaf}" for answer, tree_answer, leaf in rows)
        added: list[TextArray | str] = []
        if answers is not None:
            is_added = agrees & (answers != "")
            added += [texts_of(("", "; "))[is_added.astype(np.intp)], np.where(is_added, answers, "")]
        if notes is not None:
            added += ["; ", notes]
        return joined_texts(texts, *added) if added else texts

    def _endings(self, rows: NDArray[np.intp], leaves: TextArray) -> TextArray:
        """(n_rows,) object: words for the leaves where the part that counts of each divided instance ends."""
        names = texts_of(map(class_text, self.tree.class_names))
        classes = np.where(self.is_of_answer[rows], "class " + names[self.predicted[rows]], "other classes")
        columns = (
            each_distinct(self.share_alike[rows], _part),
            name_splits(self.tree, self.divided_at[rows]),
            self.n_alike[rows],
            classes,
            each_distinct(self.share[rows], percent),
            leaves,
        )
        return texts_of(
            f"{part} of the instance, split by the missing value of {name}, ends in "
            + (f"a {leaf}" if n == 1 else f"{n} leaves of {of_classes}, {share} of it in a {leaf}")
            for part, name, n, of_classes, share, leaf in as_rows(*columns)
        )


def name_splits(tree: TreeMirror, nodes: Int32Array) -> TextArray:
    """(n,) object: the name of the attribute that each node splits on, for a sentence on its missing value."""
    return each_distinct(nodes, lambda node: shown(split_on(tree, node).name))


def _part(share: float) -> str:
    """The part of an instance that leaves of the same kind get: all, 60 %, only 40 %."""
    if share > 1 - ROUNDING:
        return "all"
    return percent(share) if share > 0.5 - ROUNDING else f"only {percent(share)}"


def _test(tree: TreeMirror, node: int) -> str:
    """The test that leads to a node, in words; empty for the root."""
    return f"; {condition_in_words(tree, node)}" if node else ""


def describe_node(tree: TreeMirror, node: int, c: int, *, is_exact: bool = False) -> str:
    """The instances of a node, and how many are of a class: ``leaf of 12 training instances, 9 of class yes``.

    Those of instances in parts are rounded, unless ``is_exact``; see `counts_apart`.
    """
    kind = "leaf" if tree.split_kind[node] == SplitKind.LEAF else "node"
    weight, name = tree.class_weight[node], class_text(tree.class_names[c])
    total, in_class = float(weight.sum()), float(weight[c])
    if not total > 0:
        return f"{kind} without instances, answered for by the tree above it"
    if tree.routing == Routing.REPTREE:
        return f"{kind} all of class {name}" if in_class >= total else f"{kind} with {number(in_class)} of {name}"
    many, most = (apart if is_exact else counts_apart)(total, in_class)
    instances = "training instance" if many == "1" else "training instances"
    if most == many:
        return f"{kind} of {many} {instances}, {'' if many == '1' else 'all '}of class {name}"
    return f"{kind} of {many} {instances}, {most if in_class else 'none'} of class {name}"


def likeliest(tree: TreeMirror, proba: FloatArray, words: str = "") -> TextArray:
    """(n,) object: ``words``, and the most probable class of each distribution with its probability: ``yes (0.75)``."""
    names, best = texts_of(map(class_text, tree.class_names)), most_probable(proba)
    shares = numbers(proba[np.arange(len(proba)), best])
    return joined_texts(words, names[best], " (", shares, ")")


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


def path_sentences(tree: TreeMirror | Forest, data: Dataset, proba: FloatArray, rows: Rows) -> TextArray | list[str]:
    """The sentences of a method without reasons of its own: the leaf, or the answers of a forest's members."""
    if isinstance(tree, Forest):
        part, predicted = data.take(rows), most_probable(proba[rows])
        members = (most_probable(member.predict_proba(part)) for member in tree.trees)
        return member_sentences(tree.class_names, members, predicted)
    return Ends.of(tree, data.values[rows], proba[rows]).sentences()
