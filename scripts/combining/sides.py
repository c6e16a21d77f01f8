"""What every method says of a tree's answers, for new rows and, by trees that grew without them, for training rows."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import wekaconf as wc
from wekaconf.base.files import atomic_write
from wekaconf.data.folds import fold_numbers
from wekaconf.model.scheme import learner_of, parse_method
from wekaconf.tree.instances import class_weight, mean_answers, nearest_filled

N_FOLDS, N_REPETITIONS = 10, 3
METHODS = (
    "leaf_frequency", "leaf_frequency:laplace=true", "curtailment", "m_branch", "ling_yan", "confdtree",
    "confdtree:variant=norm", "confdtree:variant=tdist", "shrinkage", "wpe:numeric=bins",
    "shrinkage_wpe:numeric=bins", "id3_sd", "id3_max", "boundary_distance", "boundary_distance:scaling=minmax",
)  # fmt: skip
"""All that read a finished tree without growing others."""
SMOOTHED = "leaf_frequency:laplace=true"


def is_design(name: str) -> bool:
    """Whether a data set is one to design with: its SHA-256 begins with 0 to 7. The others are kept for the verdict."""
    return hashlib.sha256(name.encode()).hexdigest()[0] < "8"


@dataclass(frozen=True, eq=False)
class Sides:
    """The sides of the methods, and whether the tree was right.

    Parameters
    ----------
    inner : (n_repetitions, n_train, n_methods) float64
        From trees that grew without the row, on folds that every repetition draws anew.
    inner_right : (n_repetitions, n_train) bool
    outer : (n_test, n_methods) float64
        From the tree of all training rows.
    outer_right : (n_test,) bool
    forest : (n_test,) float64
        The probability that a random forest gives the class that the tree predicts.
    """

    inner: NDArray[np.float64]
    inner_right: NDArray[np.bool_]
    outer: NDArray[np.float64]
    outer_right: NDArray[np.bool_]
    forest: NDArray[np.float64]

    def save(self, path: Path) -> None:
        """Write the arrays into one file, whole or not at all."""
        with atomic_write(path, "wb") as file:
            np.savez_compressed(file, **asdict(self))

    @classmethod
    def load(cls, path: Path) -> Sides:
        """The arrays that `save` wrote."""
        with np.load(path) as arrays:
            return cls(**arrays)


def measured(data: wc.Dataset, seed: int, learner: str = "J48", repetitions: int = N_REPETITIONS) -> Sides:
    """The sides of one split: two thirds of the rows train, the others are new."""
    train, test = parted(data, seed)
    inner = np.zeros((repetitions, len(train), len(METHODS)))
    inner_right = np.zeros(inner.shape[:2], dtype=np.bool_)
    for repetition in range(repetitions):
        fold = fold_numbers(train, N_FOLDS, np.random.default_rng((seed, repetition)))
        for one in np.unique(fold):
            rows, growing = np.flatnonzero(fold == one), train.take(fold != one)
            tree = learner_of(learner).grow_without_notes(growing)
            sides, is_right, _ = asked(tree, growing, train.take(rows))
            inner[repetition, rows], inner_right[repetition, rows] = sides, is_right
    outer, outer_right, predicted = asked(learner_of(learner).grow_without_notes(train), train, test)
    forest = wc.LeafFrequency().fit(wc.RandomForest().grow_without_notes(train), train).predict_proba(test)
    return Sides(inner, inner_right, outer, outer_right, forest[np.arange(len(test)), predicted])


def parted(data: wc.Dataset, seed: int) -> tuple[wc.Dataset, wc.Dataset]:
    """The rows that train, two thirds of those that have a class, and the others, which are new."""
    data = data.take(data.class_values >= 0)
    order = np.random.default_rng(seed).permutation(len(data))
    n_train = round(2 * len(data) / 3)
    return data.take(order[:n_train]), data.take(order[n_train:])


def asked(
    tree: wc.TreeMirror, train: wc.Dataset, test: wc.Dataset
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
    """The sides of every method for test rows, whether the tree is right, and the class that it predicts.

    A side is the probability of the tree's class, or the certainty of a method that has one of another kind.
    """
    predicted = wc.LeafFrequency().fit(tree, train).predict(test)
    sides = np.empty((len(test), len(METHODS)))
    for column, text in enumerate(METHODS):
        if text == SMOOTHED and tree.learner != "J48":
            sides[:, column] = laplace_of_rows(tree, train, test)[np.arange(len(test)), predicted]
            continue
        method = parse_method(text).fit(tree, train)
        answer = method.answer(test)
        is_probability = method.certainty_range.is_probability
        sides[:, column] = answer.proba[np.arange(len(test)), predicted] if is_probability else answer.certainty
    return sides, predicted == test.class_values, predicted


def laplace_of_rows(tree: wc.TreeMirror, train: wc.Dataset, test: wc.Dataset) -> NDArray[np.float64]:
    """(n_test, n_classes) float64: Laplace's correction of the training rows at the leaf, for trees without counts."""
    weight = class_weight(tree, train)
    weight = weight[nearest_filled(tree, ~weight.any(axis=1))]
    return mean_answers(tree, test, (weight + 1) / (weight.sum(axis=1, keepdims=True) + weight.shape[1]))


def sets_of_half(
    folder: Path, related: Collection[str], most_rows: int, *, is_for_design: bool
) -> dict[str, wc.Dataset]:
    """The data sets of one half that have at most so many rows, small ones first.

    Parameters
    ----------
    folder : Path
        ARFF files.
    related : collection of str
        Names of data sets that hold instances of another, which are left out.
    most_rows : int
    is_for_design : bool
    """
    found = {}
    for path in folder.glob("*.arff"):
        if is_design(path.stem) == is_for_design and path.stem not in related:
            data = wc.load_arff(path)
            if data.header.class_attribute.is_nominal and len(data) <= most_rows:
                found[path.stem] = data
    return dict(sorted(found.items(), key=lambda item: item[1].values.size))
