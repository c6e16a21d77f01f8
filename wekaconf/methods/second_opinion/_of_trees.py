"""Sides that are trees: the tree itself, and a random forest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import check_stored, declared, stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.methods.contract import ReadArrays, Step, answer_step, distribution_step, sizes_of
from wekaconf.methods.second_opinion._side import OwnSide
from wekaconf.tree import REQUIRED, Forest, Learner, Routing, TreeMirror, check_sound, own_answers, sequential_sum

FOREST = "RandomForest"
"""The learner of the forest, with its defaults."""
KEPT = (*REQUIRED, "split_subset")
"""The arrays of its trees; the last is empty, since they have no subsets."""


@dataclass(frozen=True, eq=False)
class OfTree(OwnSide):
    """The tree itself, with Laplace's correction where it keeps class counts."""

    words = "the tree"

    @classmethod
    def fit(cls, tree: TreeMirror, train: Dataset) -> Self:
        """See `Kind.fit`."""
        del train
        return cls(tree)

    def proba(self, data: Dataset) -> FloatArray:
        """See `Side.proba`."""
        return as_shares(own_answers(self.speaking, data))

    def step(self, one: Dataset, proba: FloatArray) -> Step:
        """See `Side.step`."""
        speaking = self.speaking
        step = distribution_step(
            answer_step(speaking, one.values[0]), proba, lambda: Step.given("nothing", proba, kind="tree")
        )
        words = "the tree, with Laplace's correction" if speaking.routing.is_laplace else "the tree"
        return Step.follow(words, step, kind="side")

    @cached_property
    def speaking(self) -> TreeMirror:
        """The tree that answers: with Laplace's correction where it keeps class counts."""
        return self.tree.with_laplace(True) if self.tree.routing.keeps_counts else self.tree


@dataclass(frozen=True, eq=False)
class _Sizes:
    """Number of nodes of each tree; the arrays of all trees follow one another."""

    n_nodes: Annotated[Int64Array, stored(np.int64, "n_trees", low=1)]


@dataclass(frozen=True, eq=False)
class RandomForest(OwnSide):
    """Weka's random forest with its defaults, kept as the mirrors of its trees.

    Parameters
    ----------
    forest : Forest
    """

    words = "random forest"
    forest: Forest

    @classmethod
    def fit(cls, tree: TreeMirror, train: Dataset) -> Self:
        """See `Kind.fit`."""
        return cls(tree, Learner.registry[FOREST]().grow_without_notes(train))

    def proba(self, data: Dataset) -> FloatArray:
        """See `Side.proba`."""
        return as_shares(self.forest.predict_proba(data))

    def learned(self) -> dict[str, NDArray[Any]]:
        """See `Side.learned`."""
        trees = self.forest.trees
        arrays = {name: np.concatenate([getattr(tree, name) for tree in trees]) for name in KEPT}
        return {"n_nodes": np.array([tree.n_nodes for tree in trees], dtype=np.int64), **arrays}

    @classmethod
    def read_learned(cls, tree: TreeMirror, read: ReadArrays) -> dict[str, NDArray[Any]]:
        """See `Kind.read_learned`."""
        sizes = read("", _Sizes, {})
        n_nodes = int(sizes["n_nodes"].sum()) if sizes["n_nodes"].dtype.kind == "i" else 0
        return sizes | read("", TreeMirror, {**sizes_of(tree), "n_nodes": n_nodes, "n_flags": 0})

    @classmethod
    def restore(cls, tree: TreeMirror, learned: dict[str, NDArray[Any]]) -> Self:
        """See `Kind.restore`."""
        check_stored(_Sizes, {"n_nodes": learned["n_nodes"]}, {})
        ends = np.cumsum(learned["n_nodes"])
        if not len(ends):
            raise ValueError("n_nodes: expected at least one tree")
        arrays = {name: learned[name] for name in KEPT}
        for name, array in arrays.items():
            declaration = declared(TreeMirror)[name]
            sizes = {**sizes_of(tree), "n_nodes": int(ends[-1]), "n_flags": 0}
            declaration.check_layout(name, array.dtype, array.shape, sizes)
            declaration.check_values(name, array, sizes)
        trees = []
        for begin, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True):
            of_tree = {name: arrays[name][begin:end] for name in REQUIRED}
            mirror = TreeMirror.from_arrays(tree.header, {"routing": Routing.RANDOMTREE}, of_tree)
            check_sound(mirror)
            trees.append(mirror)
        return cls(tree, Forest(tuple(trees), learner=FOREST))


def as_shares(proba: FloatArray) -> FloatArray:
    """(n, n_classes) float64: answers of trees as distributions, without what their rounding leaves below 0.

    A row of zeros, where a tree has no answer, becomes a row of equal shares.
    """
    proba = np.maximum(proba, 0.0)
    total = sequential_sum(proba)
    proba[total <= 0] = 1.0
    return np.asarray(proba / np.where(total > 0, total, proba.shape[1])[:, None])
