"""Folds for what learns from answers of trees that grew without a row: twins, classes, order, empty data."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.random_trees import random_dataset, random_header

import wekaconf as wc
from wekaconf.data import fold_numbers


def folds(data, n_folds, seed):
    return fold_numbers(data, n_folds, np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(6))
def test_rows_with_the_same_inputs_share_a_fold(seed):
    rng = np.random.default_rng(seed)
    data = random_dataset(rng, random_header(rng), 60, missing=0.1)
    data = data.take(np.r_[np.arange(60), np.arange(20), np.arange(5)])
    data = data.take(data.class_values >= 0)
    fold = folds(data, 10, seed)
    inputs = np.delete(data.values, data.class_index, axis=1)
    for i, row in enumerate(inputs):
        same = [j for j, other in enumerate(inputs) if np.array_equal(row, other, equal_nan=True)]
        assert len(set(fold[same])) == 1, i
    assert set(fold) == set(range(10))
    assert (fold == folds(data, 10, seed)).all() and (fold != folds(data, 10, seed + 1)).any()


NAN_OF_OTHER_BITS = np.array([0x7FF8000000000001]).view(np.float64)[0]


def test_zeros_of_either_sign_and_all_nan_are_the_same_input():
    iris = wc.load_arff(Path(__file__).parents[2] / "arff" / "iris.arff").take(np.arange(100))
    values = iris.values.copy()
    values[:, 1:-1] = [[0.0, np.nan, np.nan], [-0.0, -np.nan, NAN_OF_OTHER_BITS]] * 50
    values[:, 0] = np.arange(100) // 4
    fold = folds(replace(iris, values=values), 5, 1).reshape(25, 4)
    assert (fold == fold[:, :1]).all()


def test_folds_are_stratified():
    iris = wc.load_arff(Path(__file__).parents[2] / "arff" / "iris.arff")
    _, first = np.unique(iris.values[:, :-1], axis=0, return_index=True)
    data = iris.take(np.sort(first))
    fold = folds(data, 10, 1)
    counts = np.array([np.bincount(data.class_values[fold == one], minlength=3) for one in range(10)])
    assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("seed", range(4))
def test_another_order_of_the_class_names_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    data = random_dataset(rng, random_header(rng), 60)
    data = data.take(data.class_values >= 0)
    values = data.values.copy()
    values[:, data.class_index] = data.n_classes - 1 - values[:, data.class_index]
    assert folds(data, 7, seed).tolist() == folds(replace(data, values=values), 7, seed).tolist()


def test_no_rows_and_fewer_rows_than_folds():
    iris = wc.load_arff(Path(__file__).parents[2] / "arff" / "iris.arff")
    assert folds(iris.take(slice(0, 0)), 3, 1).tolist() == []
    assert sorted(folds(iris.take([0, 60, 120]), 5, 1).tolist()) == [0, 1, 2]
