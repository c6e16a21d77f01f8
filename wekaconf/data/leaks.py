"""Columns that alone decide the class, as those do that were filled in after the class was known."""

from __future__ import annotations

import numpy as np

from wekaconf.base.errors import tell
from wekaconf.base.naming import name_list, shown
from wekaconf.base.words import Setting
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.dataset import Dataset

FEW_ROWS = 20
"""In a table with fewer rows of known class nothing is told."""
FEW_OF_CLASS = 5
"""Nothing is told if a class that occurs has fewer rows: so few lie apart from the others by chance."""
ROWS_PER_VALUE = 5
"""Nominal values must have as many rows on the average, or they may name the rows."""


def note_leaks(path: str, data: Dataset) -> None:
    """Give a `Note` of the columns that alone decide the class, see `deciding_columns`."""
    if names := deciding_columns(data):
        each, it, them = ("", "it", "it") if len(names) == 1 else ("each of ", "they", "them")
        problem = f"{path}: {each}{name_list(names)} alone gives 100 % of the classes: leaked? "
        remedy = Setting("ignore", tuple(map(shown, names)))
        tell(problem, f"If {it} will not be known before the class, ", remedy, f" leaves {them} out")


def deciding_columns(data: Dataset) -> list[str]:
    """The attributes of each of which a single look gives the class of every row.

    The rows of each nominal value are all of one class; or the numbers, or dates, of each class lie in an interval of
    its own; or all rows with a value are of one class. In any case rows without a value are of one class, too.

    Parameters
    ----------
    data : Dataset
        With a nominal class.

    Returns
    -------
    list of str
        Empty where rows or classes are too few to tell. Cost: one pass per attribute.
    """
    has_class = data.class_values >= 0
    values, classes = data.values[has_class], data.class_values[has_class]
    n_of_class = np.bincount(classes, minlength=data.n_classes)
    occurring = n_of_class[n_of_class > 0]
    if len(classes) < FEW_ROWS or len(occurring) < 2 or occurring.min() < FEW_OF_CLASS:
        return []
    return [
        attribute.name
        for column, attribute in enumerate(data.attributes)
        if column != data.class_index and _decides(values[:, column], classes, is_indexed=attribute.is_indexed)
    ]


def _decides(cells: FloatArray, classes: Int64Array, *, is_indexed: bool) -> bool:
    is_known = ~np.isnan(cells)
    known, of_known = cells[is_known], classes[is_known]
    if not _is_one(classes[~is_known]) or not len(known):
        return False
    return _is_one(of_known) or (_decides_by_value if is_indexed else _decides_by_interval)(known, of_known)


def _is_one(classes: Int64Array) -> bool:
    """Whether all rows are of one class, or there are none."""
    return bool((classes[1:] == classes[:-1]).all())


def _decides_by_value(values: FloatArray, classes: Int64Array) -> bool:
    """Whether the rows of each nominal value are of one class, and values have several rows each."""
    n_classes = int(classes.max()) + 1
    counts = np.bincount(values.astype(np.int64) * n_classes + classes)
    has_rows = np.pad(counts, (0, -len(counts) % n_classes)).reshape(-1, n_classes) > 0
    n_values = has_rows.any(axis=1).sum()
    return bool(has_rows.sum() == n_values and n_values * ROWS_PER_VALUE <= len(values))


def _decides_by_interval(numbers: FloatArray, classes: Int64Array) -> bool:
    """Whether no number of one class lies between, or is, numbers of another."""
    n_classes = int(classes.max()) + 1
    least, greatest = np.full(n_classes, np.inf), np.full(n_classes, -np.inf)
    np.minimum.at(least, classes, numbers)
    np.maximum.at(greatest, classes, numbers)
    order = np.argsort(least, kind="stable")[: len(np.unique(classes))]
    return bool((greatest[order][:-1] < least[order][1:]).all())
