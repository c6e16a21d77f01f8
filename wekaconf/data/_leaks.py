"""Columns that alone decide the class, or nearly so, as those do that were filled in after the class was known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import tell
from wekaconf.base.naming import name_list, shown
from wekaconf.base.words import Setting
from wekaconf.data._dataset import Dataset
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.wording import percent

FEW_ROWS = 20
"""In a table with fewer rows of known class nothing is told."""
FEW_OF_CLASS = 5
"""Nothing is told if a class that occurs has fewer rows: so few lie apart from the others by chance."""
ROWS_PER_VALUE = 5
"""Nominal values must have as many rows on the average, or they may name the rows."""


MOST_LEFT = 0.25
"""A column nearly decides the class if it leaves so many, at most, of the errors of always the most frequent class."""
TIMES = 2.0
"""Every other column leaves at least so many times as many."""
NEARLY_ROWS = 50
"""In a table with fewer rows of known class no column nearly decides it: so few lie apart by chance."""
LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
"""Larger numbers the trees that find the intervals do not take."""
MOST_ROWS = 20_000
"""So many rows, evenly spread over the table, tell what a column leaves."""


class NearLeak(NamedTuple):
    """A column that nearly decides the class, the share of rows for which it is right, and that of the next column."""

    name: str
    right: float
    next_right: float


def note_leaks(path: str, data: Dataset) -> None:
    """Give a `Note` of the columns that alone decide the class, see `deciding_columns`, or the one that nearly does."""
    names = deciding_columns(data)
    if not names and (near := near_leak(data)) is not None:
        tell(
            f"{path}: {name_list([near.name])} alone is right about the class of {percent(near.right, decimals=1)} of "
            f"the rows, the next column of {percent(near.next_right, decimals=1)}: leaked? If it will not be known "
            "before the class, ", Setting("ignore", (shown(near.name),)), " leaves it out",
        )  # fmt: skip
    if names:
        each, it, them = ("", "it", "it") if len(names) == 1 else ("each of ", "they", "them")
        problem = f"{path}: {each}{name_list(names)} alone gives 100 % of the classes: leaked? "
        remedy = Setting("ignore", tuple(map(shown, names)))
        tell(problem, f"If {it} will not be known before the class, ", remedy, f" leaves {them} out")


# Without a tolerance, so that a note is hardly ever wrong: of 2,721 columns of 101 UCI sets and seven others none is
# named (0.6 s in all). Of these sets' 362 questions about one class against the others 23 have such a column, rightly:
# an easy class looks like a leak, so the note asks. ARFF files get no notes on columns.
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


def near_leak(data: Dataset) -> NearLeak | None:
    """The attribute by which alone nearly all classes are known, if no other comes near it; else None.

    An attribute answers with the most frequent class of each of its values, of each of as many intervals as there are
    classes, and of the rows without a value. The one that errs least must leave at most a quarter of the errors that
    the most frequent class makes, and every other one at least twice as many. docs/tables.md says how that was found.

    Parameters
    ----------
    data : Dataset
        With a nominal class.

    Returns
    -------
    NearLeak or None
        Cost: sorting at most 20,000 cells per attribute.
    """
    rows = np.flatnonzero(data.class_values >= 0)
    if len(rows) < NEARLY_ROWS or len(data.attributes) < 3:
        return None
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, MOST_ROWS).astype(np.intp))]
    errors, base = errors_of_columns(data, rows)
    if base < FEW_OF_CLASS or len(errors) < 2:
        return None
    (error, name), (next_error, _) = sorted((error, name) for name, error in errors.items())[:2]
    if error > MOST_LEFT * base or next_error < TIMES * error or next_error <= MOST_LEFT * base:
        return None
    return NearLeak(name, 1 - error / len(rows), 1 - next_error / len(rows))


def errors_of_columns(data: Dataset, rows: NDArray[np.intp]) -> tuple[dict[str, int], int]:
    """For each attribute how many of the rows it answers wrongly by itself, and how many the most frequent class does.

    Attributes without values, and those of texts that nearly name the rows, are left out.
    """
    classes, values = data.class_values[rows].astype(np.int64), data.values[rows]
    base = len(rows) - int(np.bincount(classes).max())
    found: dict[str, int] = {}
    for column, attribute in enumerate(data.attributes):
        if column == data.class_index:
            continue
        is_known = ~np.isnan(values[:, column])
        if not is_known.any():
            continue
        known, of_known, others = values[is_known, column], classes[is_known], classes[~is_known]
        error = len(others) - int(np.bincount(others).max(initial=0))
        if attribute.is_indexed:
            counts = np.zeros((len(attribute.values), data.n_classes), dtype=np.int64)
            np.add.at(counts, (known.astype(np.int64), of_known), 1)
            if (counts.any(axis=1)).sum() * ROWS_PER_VALUE > len(known):
                continue
            found[attribute.name] = error + len(known) - int(counts.max(axis=1).sum())
        else:
            found[attribute.name] = error + _errors_of_intervals(known, of_known)
    return found, base


def _errors_of_intervals(numbers: FloatArray, classes: Int64Array) -> int:
    """The number of rows that as many intervals as there are classes, each with one class, answer wrongly."""
    from sklearn.tree import DecisionTreeClassifier

    n_classes = len(np.unique(classes))
    if n_classes < 2:
        return 0
    cells = np.clip(numbers, -LARGEST_FLOAT32, LARGEST_FLOAT32)[:, None]
    tree = DecisionTreeClassifier(max_leaf_nodes=n_classes, random_state=0).fit(cells, classes)
    return int((tree.predict(cells) != classes).sum())


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
