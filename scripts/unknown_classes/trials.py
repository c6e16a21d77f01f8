"""One class left out: how many of its rows each scheme rejects where it rejects so many rows of the known classes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from evidence.figures import TWINS
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import IsolationForest
from sklearn.impute import SimpleImputer
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import OneClassSVM

import wekaconf as wc
from wekaconf.evaluation.roc import Roc, roc_curve
from wekaconf.experiments.advising.rivals import answers_of_rivals
from wekaconf.model.scheme import learner_of, parse_method

FEWEST_ROWS, FEWEST_CLASSES, MOST_ROWS = 20, 3, 6_000
"""A class with so many rows is left out, of a data set with so many such classes and at most so many rows."""
SEEDS = range(1, 6)
TRAINING_SHARE = 2 / 3
COST = 0.05
"""The share of the rows of known classes that are rejected where costs are compared."""
GRID = (0.0, 0.01, 0.02, COST, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The shares of the rows of known classes at which a curve is recorded."""
ID3_SD, PRUNED, SMOOTHED, FOREST = "id3_sd", "id3_sd on J48", "leaf_frequency:laplace=true", "random forest"
OURS = {
    ID3_SD: ("J48 -U -M 1", ID3_SD),
    "id3_max": ("J48 -U -M 1", "id3_max"),
    PRUNED: ("J48", ID3_SD),
    SMOOTHED: ("J48", SMOOTHED),
}
"""The learner and the method of each scheme that reads one tree."""
DETECTORS = {
    "isolation forest": IsolationForest(),
    "local outlier factor": LocalOutlierFactor(novelty=True),
    "one-class SVM": OneClassSVM(),
    "one-class SVM, nu=0.05": OneClassSVM(nu=COST),
}
SCHEMES = (*OURS, *DETECTORS, FOREST)
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Split(NamedTuple):
    """Rows of known classes to train on, and others to test on.

    Parameters
    ----------
    train, test : Dataset
        Their header declares the known classes; test rows of the class left out have none.
    is_unknown : (n_test,) bool
    """

    train: wc.Dataset
    test: wc.Dataset
    is_unknown: Flags


class Figures(NamedTuple):
    """How well a scheme tells rows of known classes from those of the class left out.

    Parameters
    ----------
    area : float
        Below the curve of unknown rows rejected over known rows rejected; a tie counts one half.
    missed : float
        The share of the unknown rows that are answered where `COST` of the known rows are rejected.
    known_rejected, unknown_rejected : float
        The shares that the scheme rejects by a rule of its own, at its defaults; NaN without one.
    curve : (n_grid,) float64
        The share of the unknown rows that are rejected where so many of the known rows are, see `GRID`.
    """

    area: float
    missed: float
    known_rejected: float
    unknown_rejected: float
    curve: Floats

    @classmethod
    def of(cls, certainty: Floats, is_unknown: Flags, rejected: Flags | None) -> Figures:
        """The figures of some test rows; without a rule of its own no row is rejected by one."""
        roc = roc_curve(-certainty, is_unknown.astype(np.float64), np.ones(len(certainty)))
        curve = np.array([rejected_at(roc, share) for share in GRID])
        own = (np.nan, np.nan) if rejected is None else (rejected[~is_unknown].mean(), rejected[is_unknown].mean())
        return cls(roc.area, 1 - rejected_at(roc, COST), *map(float, own), curve)


def rejected_at(roc: Roc, share: float) -> float:
    """The share of the unknown rows rejected where this share of the known ones is; equal scores in random order."""
    i = int(np.searchsorted(roc.false, share, side="right")) - 1
    if i == len(roc.false) - 1:
        return 1.0
    way = (share - roc.false[i]) / (roc.false[i + 1] - roc.false[i])
    return float(roc.true[i] + way * (roc.true[i + 1] - roc.true[i]))


def data_sets() -> dict[str, wc.Dataset]:
    """The data sets of the folder WEKACONF_UCI that count, small ones first."""
    found = {}
    for path in Path(os.environ["WEKACONF_UCI"]).glob("*.arff"):
        data = wc.load_arff(path)
        if path.stem not in TWINS and data.header.class_attribute.is_nominal and len(data) <= MOST_ROWS:
            data = without_names(data.take(data.class_values >= 0))
            if len(left_out_of(data)) >= FEWEST_CLASSES:
                found[path.stem] = data
    return dict(sorted(found.items(), key=lambda item: item[1].values.size))


def without_names(data: wc.Dataset) -> wc.Dataset:
    """The data set without nominal attributes in which most rows have a value of their own."""
    names = []
    for i, attribute in enumerate(data.attributes):
        if i != data.class_index and attribute.is_nominal:
            _, n_rows = np.unique(data.values[:, i], return_counts=True)
            if 2 * np.count_nonzero(n_rows == 1) > len(data):
                names.append(attribute.name)
    return data.without(names)


def left_out_of(data: wc.Dataset) -> list[int]:
    """The classes that are left out, one after the other."""
    return np.flatnonzero(np.bincount(data.class_values, minlength=data.n_classes) >= FEWEST_ROWS).tolist()


def split(data: wc.Dataset, unknown: int, seed: int) -> Split:
    """Two thirds of each known class to train on; the others, and a third of the class left out, to test on."""
    [(training_rows, test_rows)] = wc.splits(data, split=TRAINING_SHARE, stratified=True, seed=seed)
    present = np.unique(data.class_values)
    known = data.with_known_classes(present[present != unknown])
    train = known.take(training_rows)
    return Split(train.take(train.class_values >= 0), known.take(test_rows), data.class_values[test_rows] == unknown)


def measured(parts: Split, seed: int) -> dict[str, Figures]:
    """The figures of every scheme on one split."""
    return {
        scheme: Figures.of(certainty, parts.is_unknown, rejected)
        for scheme, certainty, rejected in certainties(parts, seed)
    }


def certainties(parts: Split, seed: int) -> Iterator[tuple[str, Floats, Flags | None]]:
    """Each scheme, its certainty that a test row is of a known class, and the rows that it rejects by its own rule."""
    train, test = parts.train, parts.test.without_class_values()
    trees = {learner: learner_of(learner).grow_without_notes(train) for learner, _ in dict.fromkeys(OURS.values())}
    for scheme, (learner, text) in OURS.items():
        method = parse_method(text).fit(trees[learner], train)
        answer = method.answer(test)
        yield scheme, answer.certainty, None if method.threshold is None else answer.rejected(method.threshold)
    encoder = encoder_of(train)
    X_train, X_test = encoder.fit_transform(train.values), encoder.transform(test.values)
    for scheme, detector in DETECTORS.items():
        if "random_state" in detector.get_params():
            detector.set_params(random_state=seed)
        detector.fit(X_train)
        yield scheme, detector.score_samples(X_test), detector.predict(X_test) < 0
    yield FOREST, answers_of_rivals(train, test, FOREST).certainty, None


def encoder_of(data: wc.Dataset) -> ColumnTransformer:
    """Numbers scaled to mean 0 and deviation 1, nominal values one-hot, both imputed: the median, the most frequent.

    A nominal value that does not occur in training is zeros. The class is left out.
    """
    columns: dict[bool, list[int]] = {False: [], True: []}
    for i, attribute in enumerate(data.attributes):
        if i != data.class_index and attribute.kind in ("numeric", "date", "nominal"):
            columns[attribute.is_nominal].append(i)
    return ColumnTransformer(
        [
            ("numbers", _imputed("median", StandardScaler()), columns[False]),
            ("nominal", _imputed("most_frequent", OneHotEncoder(handle_unknown="ignore", sparse_output=False)),
             columns[True]),
        ]
    )  # fmt: skip


def _imputed(strategy: str, then: Any) -> Pipeline:
    return make_pipeline(SimpleImputer(strategy=strategy, keep_empty_features=True), then)
