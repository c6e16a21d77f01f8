"""Reads X, y and weights as the instances of a data set, and compares later rows with the columns of a table."""

from __future__ import annotations

import numbers
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d, validate_data

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import counted
from wekaconf.data import (
    Attribute,
    Dataset,
    Header,
    Outside,
    TrainingSummary,
    UnseenValues,
    family_of,
    library,
    summarise,
)
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.frames import check_no_fields, column_names, columns_of, is_frame, read_arrow_stream, values_like
from wekaconf.evaluation.measures import checked_weights


def columns_to_fit(estimator: Any, X: Any) -> tuple[tuple[Attribute, ...], FloatArray]:
    """The attributes and the cells of X; stores the number and the names of the columns in the estimator."""
    X = read_arrow_stream(X)
    if not is_frame(X):
        array = _array(estimator, X, is_fit=True)
        attributes, values = columns_of(array)
        return attributes, values if array.dtype.kind == "f" else _finite(values)
    attributes, values = columns_of(X)
    validate_data(estimator, X, skip_check_array=True)
    return attributes, _finite(values)


def cells_to_answer(
    estimator: Any, attributes: tuple[Attribute, ...], X: Any, unseen_values: UnseenValues | None
) -> FloatArray:
    """(n_instances, n_attributes) float64: the cells of X, read like the X that the estimator was fitted on.

    Columns are matched by position; scikit-learn checks first that their names, if both sides have any, are the same in
    the same order. See `values_like` for ``unseen_values``.
    """
    X, header = read_arrow_stream(X), Header("X", attributes)
    if is_frame(X):
        validate_data(estimator, X, reset=False, skip_check_array=True)
        return _finite(values_like(X, header, unseen_values=unseen_values, by_position=True))
    array = _array(estimator, X, is_fit=False)
    if isinstance(array, np.ndarray) and array.dtype.kind == "f" and all(a.kind == "numeric" for a in attributes):
        return array
    return _finite(values_like(array, header, unseen_values=unseen_values))


def _array(estimator: Any, X: Any, *, is_fit: bool) -> Any:
    """X after scikit-learn's checks: numbers as doubles, other values unchanged."""
    if isinstance(X, Dataset):
        raise OptionError(
            "expected an array or a DataFrame, got a Dataset, whose class would be one of the columns; give "
            "data.to_pandas() without the class",
            parameter="X",
        )
    check_no_fields(X)
    if not hasattr(X, "dtype"):
        X = np.asarray(X, dtype=object)  # a list may mix texts and numbers
        if X.ndim == 1 and any(isinstance(row, list | tuple) for row in X):
            raise OptionError(
                parameter="X", expected="a list of rows, all with as many values", got="rows of several lengths"
            )
    is_number = getattr(X.dtype, "kind", "f") in "biufc"
    return validate_data(
        estimator, X, reset=is_fit, accept_sparse=("csr", "csc", "coo"), ensure_all_finite="allow-nan",
        dtype=np.float64 if is_number else None, order="C" if is_number else None,
    )  # fmt: skip


def _finite(values: FloatArray) -> FloatArray:
    checked: FloatArray = check_array(values, ensure_all_finite="allow-nan", input_name="X")
    return checked


def classes_to_fit(y: Any) -> tuple[NDArray[Any], Int64Array]:
    """The distinct labels, sorted, and the index of each instance's label.

    Raises
    ------
    OptionError
        A label is missing, or the labels are texts and numbers.
    ValueError
        The labels are not one column, or are numbers that scikit-learn does not take as classes.
    """
    labels = labels_of(y, warn=True)
    check_labels(labels)
    classes, index = np.unique(labels, return_inverse=True)
    return classes, index.astype(np.int64)


def labels_of(y: Any, *, warn: bool = False) -> NDArray[Any]:
    """(n_instances,) array: the labels, whole numbers exactly; ``warn`` of a column, as scikit-learn does."""
    return np.asarray(column_or_1d(exact_labels(y), warn=warn))


def exact_labels(y: Any) -> Any:
    """The labels, whole numbers and booleans as arrays of their kind; of objects if some are missing.

    Without this scikit-learn makes floats of pandas' nullable numbers, and of numbers beside missing ones: 2**53 + 1
    becomes 2**53.
    """
    labels = _label_objects(y)
    if labels is None:
        return y
    known = labels[~is_missing_label(labels)].tolist()
    families = set(map(family_of, map(type, known)))
    are_whole = families == {"numbers"} and all(isinstance(label, numbers.Integral) for label in known)
    if not are_whole and families != {"booleans"}:
        return y
    exact = np.array(known)
    if exact.dtype.kind not in "iub":
        got = str(max(known, key=abs))
        raise OptionError(
            parameter="y", expected="whole numbers of up to 64 bits", got=got, advice="make texts of them"
        )
    if len(known) < labels.size:
        return labels
    return y.astype(exact.dtype) if library(y) == "pandas" else exact.reshape(labels.shape)  # a Series keeps its name


def _label_objects(y: Any) -> NDArray[np.object_] | None:
    """The labels as Python's objects, if numpy's own conversion of them might round; else None."""
    package = library(y)
    if package == "pandas":
        kinds = y.dtypes if hasattr(y, "columns") else [y.dtype]
        is_nullable = any(not isinstance(kind, np.dtype) and kind.kind in "iub" for kind in kinds)
        return y.to_numpy(dtype=object) if is_nullable or any(kind.kind == "O" for kind in kinds) else None
    if package in ("polars", "pyarrow") and not is_frame(y):
        n_missing = y.null_count if package == "pyarrow" else y.null_count()
        return None if not n_missing else np.array(y.to_pylist() if package == "pyarrow" else y.to_list(), dtype=object)
    array = np.asarray(y) if isinstance(y, list | tuple) else y
    if isinstance(y, list | tuple) and array.dtype.kind == "f":
        array = np.array(y, dtype=object)
    return array if isinstance(array, np.ndarray) and array.dtype.kind == "O" else None


def check_labels(labels: NDArray[Any]) -> None:
    """Raise OptionError if a label is missing, or texts stand beside numbers; ValueError if they are no classes."""
    missing = np.flatnonzero(is_missing_label(labels))
    if len(missing):
        subject = f"{counted(len(missing), 'label')} {'is' if len(missing) == 1 else 'are'}"
        raise OptionError(
            f"{subject} missing, the first that of instance {missing[0] + 1}; leave such instances out", parameter="y"
        )
    is_text = np.array([isinstance(label, str) for label in labels]) if labels.dtype.kind == "O" else np.ones(1)
    if not is_text.all() and is_text.any():
        examples = f"{labels[is_text.argmax()]!r} and {labels[is_text.argmin()]!r}"
        raise OptionError(parameter="y", expected="labels of one sort", got=examples, advice="make all of them texts")
    check_classification_targets(labels)


def is_missing_label(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Bools in the shape of the labels: whether each is None, NaN, NaT or NA."""
    if labels.dtype.kind == "f":
        return np.isnan(labels)
    if labels.dtype.kind in "mM":
        return np.isnat(labels)
    if labels.dtype.kind != "O":
        return np.zeros(labels.shape, dtype=np.bool_)
    is_missing = [
        family_of(type(label)) == "missing" or (isinstance(label, float) and isnan(label)) for label in labels.flat
    ]
    return np.array(is_missing, dtype=np.bool_).reshape(labels.shape)


def weights_to_fit(sample_weight: ArrayLike | None, X: Any, y: Any) -> FloatArray:
    """(n_instances,) float64: the weights, made larger if the mean of the positive ones is below 1.

    Boosting hands down weights that sum to 1. Weka's rules count weight: with ``-M 2`` such data would not be split.
    """
    check_consistent_length(X, y, sample_weight)
    weights = checked_weights(sample_weight, len(y), "sample_weight")
    positive = weights[weights > 0]
    if not len(positive):
        raise OptionError(parameter="sample_weight", expected="a positive weight somewhere", got="only zeros")
    mean = np.clip(positive.mean(), positive.min(), positive.max())
    return weights / mean if mean < 1 else weights


def summary_of(X: Any) -> TrainingSummary | None:
    """The summary of a table; None for what has no columns of numbers, texts or dates, and for sparse matrices."""
    if library(X) == "scipy" or not len(X):
        return None
    try:
        attributes, cells = columns_of(X)
    except OptionError:
        return None
    return summarise(Dataset(Header("X", attributes, is_named=_has_names(X)), cells))


def rows_outside(estimator: Any, X: Any) -> Outside:
    """What of each row of a table lies beyond the columns in the ``summary_`` of an estimator.

    Columns are matched by name if both sides have names, in any order, since a `ColumnTransformer` takes them so; else
    by position, with scikit-learn's warning if one side has names.
    """
    summary: TrainingSummary = estimator.summary_
    # Estimators of ours refuse another order, as ``check_estimator`` demands; a model file matches by name in any
    # order.
    by_position = not (summary.header.is_named and _has_names(X))
    if by_position:
        validate_data(estimator, X, reset=False, skip_check_array=True)
    unseen = UnseenValues()
    values = values_like(X, summary.header, unseen_values=unseen, by_position=by_position)
    return summary.outside(values, unseen.cells)


def _has_names(X: Any) -> bool:
    """Whether the columns have names for scikit-learn: texts."""
    X = read_arrow_stream(X)
    return is_frame(X) and all(isinstance(name, str) for name in column_names(X))
