"""What the columns of a table were like that any classifier was fitted on, and rows compared with them."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import validate_data

from wekaconf.base.errors import OptionError
from wekaconf.data import Dataset, Header, Outside, TrainingSummary, UnseenValues, library, summarise
from wekaconf.data.frames import column_names, columns_like, columns_of, is_frame, read_arrow_stream


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
    return summary.outside(columns_like(X, summary.header.attributes, unseen, by_position=by_position), unseen.cells)


def _has_names(X: Any) -> bool:
    """Whether the columns have names for scikit-learn: texts."""
    X = read_arrow_stream(X)
    return is_frame(X) and all(isinstance(name, str) for name in column_names(X))
