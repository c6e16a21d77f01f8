"""Rows that a classifier is not fitted on: those of a fold, and those that calibrate a promise."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import counted
from wekaconf.data import value_text
from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.checks import Repeats, check_digests_apart, note_absent, note_copies
from wekaconf.evaluation.thresholds import (
    OPTIMISM,
    ORDER_FOLDS,
    AnsweredRows,
    Choice,
    Order,
    check_calibrate,
    choose_promised,
    draw_growing_rows,
    draw_rows,
)
from wekaconf.sklearn._classifier_answers import (
    answered_out_of_fold,
    is_correct,
    labels_and_certainty,
    needs_training_rows,
)
from wekaconf.sklearn._reading import is_missing_label, labels_of

EXPECTED = "a share of the rows, a pair (X, y), or 'prefit'"
Rows = tuple[Any, Any]
"""Instances, in any form that the classifier takes, and their labels."""


def rows_of(X: Any, y: Any, rows: NDArray[Any]) -> Rows:
    """Some of the rows and their labels."""
    return _safe_indexing(X, rows), _safe_indexing(y, rows)


def fit_on(estimator: Any, X: Any, y: Any, rows: NDArray[Any], params: dict[str, Any]) -> Any:
    """A copy of the classifier that is fitted on some of the rows."""
    params_of_rows = params_of(params, rows, len(labels_of(y)))
    instances, labels = rows_of(X, y, rows)
    try:
        return clone(estimator).fit(instances, labels, **params_of_rows)
    except ValueError as error:
        classes = np.unique(labels_of(labels)).tolist()
        if len(classes) != 1:
            raise
        raise OptionError(
            f"RejectOption: without the rows that are held out y has only one class, {classes[0]!r}, from which "
            f"{type(estimator).__name__} does not learn; give more instances of the others, or the threshold by below",
            value_of="y",
        ) from error


def params_of(params: Mapping[str, Any], rows: NDArray[Any], n: int) -> dict[str, Any]:
    """Parameters of ``fit``, those with a value for each of n instances for some of them."""
    return {
        name: _safe_indexing(value, rows) if hasattr(value, "__len__") and len(value) == n else value
        for name, value in params.items()
    }


class Held(NamedTuple):
    """A fitted classifier, and the rows that calibrate it.

    Parameters
    ----------
    fitted : classifier
    grown_on : Rows or None
        What it was fitted on; None: not known.
    calibration : Rows
        All with a label.
    weights : (n_calibration,) float64
    refit : callable or None
        Takes indices of the rows that it was fitted on, and fits a copy on these; None: it cannot be fitted again.
    costs : RejectCosts, optional
        Those of the aim, which may decide the answers.
    """

    fitted: Any
    grown_on: Rows | None
    calibration: Rows
    weights: FloatArray
    refit: Callable[[NDArray[Any]], Any] | None = None
    costs: RejectCosts | None = None

    def answered(self) -> AnsweredRows:
        """The answers for the calibration rows."""
        return self._answered(self.fitted, self.calibration, self.weights)

    def choice(self, aim: Aim, calibration: AnsweredRows, n_jobs: int | None = None) -> Choice:
        """The thresholds that keep the promises of the aim on the `answered` rows; OptionError as `choose_promised`."""
        names = [value_text(label) for label in self.fitted.classes_.tolist()]
        return choose_promised(aim, calibration, self._order(n_jobs), names)

    def _order(self, n_jobs: int | None) -> Order | None:
        """What tells in which order to test thresholds; None where the growing rows cannot be answered."""
        decides = self.costs is not None and self.costs.decide
        if not decides and (known := answered_out_of_fold(self.fitted)) is not None:
            return Order(known, 1)
        if self.grown_on is None or needs_training_rows(self.fitted):
            return None
        labels = labels_of(self.grown_on[1])
        asked, n_of_class = draw_growing_rows(len(labels)), np.unique(labels, return_counts=True)[1]
        if self.refit is None or (n_of_class > 1).sum() < 2:
            some = np.flatnonzero(asked)
            return Order(self._answered(self.fitted, rows_of(*self.grown_on, some), np.ones(len(some))), OPTIMISM)
        n_folds = min(ORDER_FOLDS, int(n_of_class.max()))
        with warnings.catch_warnings():  # a class of fewer rows than folds is no mistake here
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            folds = list(StratifiedKFold(n_folds, shuffle=True, random_state=1).split(np.zeros(len(labels)), labels))
        parts = Parallel(n_jobs=n_jobs)(
            delayed(self._answer_fold)(train, test[asked[test]]) for train, test in folds if asked[test].any()
        )
        return Order(AnsweredRows(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True))), 1)

    def _answer_fold(self, train: NDArray[Any], rows: NDArray[Any]) -> AnsweredRows:
        """The answers for some of the growing rows of a copy that was fitted on others."""
        assert self.grown_on is not None and self.refit is not None
        return self._answered(self.refit(train), rows_of(*self.grown_on, rows), np.ones(len(rows)))

    def _answered(self, fitted: Any, rows: Rows, weights: FloatArray) -> AnsweredRows:
        """The answers for rows with labels; the index of a label that the classifier has not seen is −1."""
        labels, certainty = labels_and_certainty(fitted, rows[0], self.costs)
        correct, known, classes = is_correct(labels, rows[1]), labels_of(rows[1]), self.fitted.classes_
        is_class = np.isin(known, classes)
        actual = np.full(len(known), -1)
        actual[is_class] = np.searchsorted(classes, known[is_class])
        return AnsweredRows(certainty, correct, weights, np.searchsorted(classes, labels), actual)


def hold_out(estimator: Any, calibrate: Any, X: Any, y: Any, weights: FloatArray, params: dict[str, Any]) -> Held:
    """Fit the classifier on the rows that do not calibrate, unless it is fitted already; see `RejectOption`."""
    if isinstance(calibrate, str):
        check_is_fitted(estimator)
        tell(
            "RejectOption: the classifier is fitted already, and which rows it was fitted on is not known, so what is "
            "promised holds if none of the calibration rows did"
        )
        return Held(estimator, None, *_keep_labelled(X, y, weights))
    if isinstance(calibrate, tuple | list):
        instances, labels = calibrate
        calibration, weights = _keep_labelled(instances, labels, np.ones(len(labels_of(labels))))
        rows, grew = row_digests(calibration[0]), row_digests(X)
        check_digests_apart(rows, grew, "RejectOption: calibrate")
        note_copies(Repeats.among(rows, grew), "RejectOption")
        _note_classes(labels_of(y)[is_labelled(y)], labels_of(calibration[1]))
        refit = partial(fit_on, estimator, X, y, params=params)
        return Held(clone(estimator).fit(X, y, **params), (X, y), calibration, weights, refit)
    is_held_out = draw_rows(len(weights), calibrate)
    held, rest = np.flatnonzero(is_held_out), np.flatnonzero(~is_held_out)
    if not len(held):
        raise OptionError(
            f"RejectOption: {calibrate:g} of {len(weights)} rows is none, so nothing calibrates; hold out more rows",
            value_of="calibrate",
        )
    digests = row_digests(X)
    note_copies(Repeats.among(digests[held], digests[rest]), "RejectOption")
    refit = partial(_fit_on_some, estimator, X, y, rest, params=params)
    return Held(fit_on(estimator, X, y, rest, params), rows_of(X, y, rest), rows_of(X, y, held), weights[held], refit)


def _fit_on_some(estimator: Any, X: Any, y: Any, rest: NDArray[Any], rows: NDArray[Any], params: dict[str, Any]) -> Any:
    return fit_on(estimator, X, y, rest[rows], params)


def _note_classes(grown_on: NDArray[Any], calibration: NDArray[Any]) -> None:
    """Give a `Note` of labels that only the growing rows, or only the calibration rows, have."""
    note_absent(map(str, np.setdiff1d(grown_on, calibration).tolist()), "RejectOption")
    if n_unknown := int(np.isin(calibration, grown_on, invert=True).sum()):
        tell(
            f"RejectOption: {counted(n_unknown, 'calibration row')} with a label that y does not have; whatever is "
            "answered there counts as wrong"
        )


def check_held_out(calibrate: Any) -> None:
    """Raise OptionError unless the calibration rows are said in one of the ways that `RejectOption` knows."""
    is_pair = isinstance(calibrate, tuple | list) and len(calibrate) == 2
    if isinstance(calibrate, str | tuple | list) and not is_pair and calibrate != "prefit":
        got = repr(calibrate) if isinstance(calibrate, str) else f"a {type(calibrate).__name__} of {len(calibrate)}"
        raise OptionError(parameter="calibrate", expected=EXPECTED, got=got)
    if not is_pair and not isinstance(calibrate, str):
        if not isinstance(calibrate, numbers.Real):
            raise OptionError(parameter="calibrate", expected=EXPECTED, got=f"a {type(calibrate).__name__}")
        check_calibrate(calibrate)


def is_labelled(y: Any) -> BoolArray:
    """(n,) bool: whether each label is there, and not None, NaN or NA."""
    return ~is_missing_label(labels_of(y))


def row_digests(X: Any) -> NDArray[np.int64]:
    """(n_rows,) int64: a digest of the cells of each row, of the same table in the same process only."""
    return np.array([hash(key) for key in row_keys(X)], dtype=np.int64)


def row_keys(X: Any) -> list[bytes]:
    """The cells of each row of the same table, equal where the cells are."""
    if hasattr(X, "tocsr"):
        sparse = X.tocsr()
        bounds = zip(sparse.indptr[:-1], sparse.indptr[1:], strict=True)
        return [sparse.indices[start:end].tobytes() + sparse.data[start:end].tobytes() for start, end in bounds]
    cells = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X)
    if np.issubdtype(cells.dtype, np.number):
        return [row.tobytes() for row in np.ascontiguousarray(cells, dtype=np.float64) + 0.0]  # −0 becomes 0
    return [str(row).encode(errors="surrogatepass") for row in cells.tolist()]


def _keep_labelled(X: Any, y: Any, weights: FloatArray) -> tuple[Rows, FloatArray]:
    """The rows that have a label."""
    known = np.flatnonzero(is_labelled(y))
    return ((X, y), weights) if len(known) == len(weights) else (rows_of(X, y, known), weights[known])
