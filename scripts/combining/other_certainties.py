"""Rivals of second opinions that are learned otherwise: a boosted meta-model, the trust score, and stacked opinions."""

from __future__ import annotations

import numpy as np
from combining.forms import Floats
from combining.judging import Figures
from combining.opinions import Logistic, NaiveBayes, Scale, nominal_cells
from combining.sides import SMOOTHED, parted
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import wekaconf as wc
from wekaconf.base.rounding import most_probable
from wekaconf.data.folds import fold_numbers
from wekaconf.methods.combined.held_out import sides_of
from wekaconf.methods.combined.learning import FEWEST_OF_EACH, FEWEST_ROWS
from wekaconf.model.scheme import parse_method

META, TRUST, STACKED = "boosted meta-model on the attributes", "trust score", "two opinions stacked, own answers"
MOST_CATEGORIES = 255
"""The largest number of values of a nominal attribute that boosting takes; others it gets as numbers."""
SMALLEST_SHARE = 1e-6


def other_certainties(data: wc.Dataset, seed: int) -> dict[str, Figures]:
    """The figures of the rivals on one split, those that learn on the folds on which `combined` does."""
    train, test = parted(data, seed)
    tree = wc.J48().grow_without_notes(train)
    predicted = most_probable(tree.predict_proba(test))
    right = predicted == test.class_values
    known_right, shares = out_of_fold(train)
    is_poor = len(train) < FEWEST_ROWS or min(known_right.sum(), (~known_right).sum()) < FEWEST_OF_EACH
    meta = (
        sides_of([parse_method(SMOOTHED).fit(tree, train)], test, predicted)[:, 0]
        if is_poor
        else boosted(train, known_right, test)
    )
    asked = np.hstack([model.fit(tree, train).predict_proba(test) for model in (NaiveBayes(), Logistic())])
    stack = LogisticRegression(max_iter=1000).fit(_logs(shares), train.class_values)
    own = stack.predict_proba(_logs(asked))
    is_own_right = stack.classes_[own.argmax(axis=1)] == test.class_values
    return {
        META: Figures.of(meta, right),
        TRUST: Figures.of(trust(train, test, predicted), right),
        STACKED: Figures.of(own.max(axis=1), is_own_right),
    }


def out_of_fold(train: wc.Dataset) -> tuple[NDArray[np.bool_], Floats]:
    """Whether trees that grew without the row are right, and what opinions without it say, side by side."""
    right, shares = np.zeros(len(train), dtype=np.bool_), np.zeros((len(train), 2 * train.n_classes))
    fold = fold_numbers(train, 10, np.random.default_rng((1, 0)))
    for one in np.unique(fold):
        growing, asked = train.take(fold != one), train.take(fold == one)
        tree = wc.J48().grow_without_notes(growing)
        right[fold == one] = most_probable(tree.predict_proba(asked)) == asked.class_values
        of_models = [model.fit(tree, growing).predict_proba(asked) for model in (NaiveBayes(), Logistic())]
        shares[fold == one] = np.hstack(of_models)
    return right, shares


def boosted(train: wc.Dataset, right: NDArray[np.bool_], test: wc.Dataset) -> Floats:
    """(n_test,) float64: the probability of a right answer that gradient boosting learns from the attributes."""
    kinds = ("numeric", "date", "nominal")
    is_empty = np.isnan(train.values).all(axis=0)
    columns = [
        i for i, one in enumerate(train.attributes) if i != train.class_index and one.kind in kinds and not is_empty[i]
    ]
    is_nominal = [
        train.attributes[i].kind == "nominal" and train.header.n_values[i] <= MOST_CATEGORIES for i in columns
    ]
    model = HistGradientBoostingClassifier(random_state=1, categorical_features=is_nominal)
    model.fit(train.values[:, columns], right)
    return np.asarray(model.predict_proba(test.values[:, columns])[:, 1])


def trust(train: wc.Dataset, test: wc.Dataset, predicted: NDArray[np.int64]) -> Floats:
    """(n_test,) float64: the distance from the nearest row of another class by that from the nearest of the tree's.

    Jiang, Kim, Guan and Gupta 2018, with all rows of a class (α = 0), and the distance of `Neighbours`.
    """
    scale = Scale(train)

    def inputs(data: wc.Dataset) -> Floats:
        cells, n_cells = nominal_cells(data)
        hot = np.zeros((len(data), n_cells))
        np.put_along_axis(hot, cells, np.sqrt(0.5), axis=1)
        return np.hstack([scale(data), hot])

    distance = cdist(inputs(test), inputs(train))
    is_same = train.class_values[None] == predicted[:, None]
    same, other = (np.where(which, distance, np.inf).min(axis=1) for which in (is_same, ~is_same))
    largest = 1e12
    return np.asarray(np.minimum(np.minimum(other, largest) / np.maximum(np.minimum(same, largest), 1e-12), largest))


def _logs(shares: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(shares, SMALLEST_SHARE)))
