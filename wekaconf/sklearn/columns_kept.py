"""What the columns of a table were like that any classifier was fitted on, and rows compared with them."""

from __future__ import annotations

from typing import Any

from wekaconf.base.errors import OptionError
from wekaconf.data.columns import library
from wekaconf.data.dataset import Dataset
from wekaconf.data.frames import columns_like, columns_of
from wekaconf.data.header import Header
from wekaconf.data.matching import UnseenValues
from wekaconf.data.training_summary import Outside, TrainingSummary, summarise


def summary_of(X: Any) -> TrainingSummary | None:
    """The summary of a table; None for what has no columns of numbers, texts or dates, and for sparse matrices."""
    if library(X) == "scipy" or not len(X):
        return None
    try:
        attributes, cells = columns_of(X)
    except OptionError:
        return None
    return summarise(Dataset(Header("X", attributes), cells))


def rows_outside(summary: TrainingSummary, X: Any) -> Outside:
    """What of each row of a table lies beyond the columns of the summary."""
    unseen = UnseenValues()
    return summary.outside(columns_like(X, summary.header.attributes, unseen), unseen.cells)
