"""What is kept of the rows that a model was made from, to tell later whether other rows are like them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import one_line
from wekaconf.base.naming import counted, quoted
from wekaconf.base.stored import check_starts, check_stored, stored
from wekaconf.data._dataset import Dataset
from wekaconf.data._header import Attribute, Header
from wekaconf.data._matching import UnseenCells
from wekaconf.data.arrays import ROWS_AT_A_TIME, FloatArray, Int32Array, Int64Array, TextArray, frozen, texts_of
from wekaconf.data.wording import cells

N_BINS = 10
"""The largest number of bins of a numeric column."""
MOST_ROWS = 2.0**53
"""The largest count in a file: sums of a few counts stay exact."""
MOST_TOLD = 3
"""The largest number of attributes that the text of a row outside names."""
MOST_SHOWN = 5
"""The largest number of rows outside that are printed."""
# Every other month has a number beyond the greatest of training by chance alone, and with long tails three times the
# greatest comes in every third file. A tail that falls as a power, and of which four fifths reach r and the farthest
# k·r, makes one more such step, to k·k·r, with a probability of 5 in n; exponential tails less often. So far is k times
# the farthest, or `FAR` times if k is less. Of 979 undamaged halves of thirty sets 30 have such a row, all for one
# patient of 455 years.
FAR = 5
"""A number is far outside from so many times as far from the median as the least or the greatest of training."""
TAIL = 0.2
"""The share of rows on either side by which it is told how long a tail is."""
NOT_SEEN = "not seen in training"
"""What is said of a value that training did not have."""
BELOW, ABOVE, UNSEEN = -1, 1, 2
"""In what way a cell is outside: below the least or above the greatest number of training, or a value without rows."""


@dataclass(frozen=True, eq=False)
class TrainingSummary:
    """Ranges and counts per attribute; no row can be read from them.

    Numbers are counted in bins between deciles. The class, dates (which go on by themselves), texts and relational
    attributes are neither counted nor have limits; of dates the last is kept.

    Parameters
    ----------
    header : Header
        The header of the rows, before filters.
    n_rows : (1,) int64
    n_missing : (n_attributes,) int64
        The number of rows without a value.
    least, greatest : (n_attributes,) float64
        The range of the numbers, in the attribute's unit; NaN: none is known, or the attribute has no range.
    latest : (n_attributes,) float64
        The last date, in milliseconds; NaN: none is known, or the attribute is no date.
    cut_start : (n_attributes + 1,) int32
        Where the cuts of each attribute begin in ``cuts``.
    cuts : (n_cuts,) float64
        The largest number of each bin but the last, ascending; the last bin has no end.
    count_start : (n_attributes + 1,) int32
        Where the counts of each attribute begin in ``counts`` and ``is_seen``.
    counts : (n_counts,) int64
        The number of rows in each bin, or with each declared value.
    is_seen : (n_counts,) bool
        Whether any row, also of those that are not counted, lies in the bin or has the value.
    """

    header: Header
    n_rows: Annotated[Int64Array, stored(np.int64, "1", low=0, high=MOST_ROWS)]
    n_missing: Annotated[Int64Array, stored(np.int64, "n_attributes", low=0, high=MOST_ROWS)]
    least: Annotated[FloatArray, stored(np.float64, "n_attributes", allows_nan=True, allows_inf=True)]
    greatest: Annotated[FloatArray, stored(np.float64, "n_attributes", allows_nan=True, allows_inf=True)]
    latest: Annotated[FloatArray, stored(np.float64, "n_attributes", allows_nan=True)]
    cut_start: Annotated[Int32Array, stored(np.int32, "n_attributes + 1", low=0)]
    cuts: Annotated[FloatArray, stored(np.float64, "n_cuts", allows_inf=True)]
    count_start: Annotated[Int32Array, stored(np.int32, "n_attributes + 1", low=0)]
    counts: Annotated[Int64Array, stored(np.int64, "n_counts", low=0, high=MOST_ROWS)]
    is_seen: Annotated[NDArray[np.bool_], stored(np.bool_, "n_counts")]

    @staticmethod
    def sizes(header: Header) -> dict[str, int]:
        """The sizes that the declarations of the arrays refer to, by name."""
        return {"n_attributes": len(header.attributes)}

    @classmethod
    def from_arrays(cls, header: Header, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The summary in these arrays; ValueError if one is not as declared, or contradicts another."""
        check_stored(cls, arrays, cls.sizes(header))
        summary = cls(header, **{name: frozen(array) for name, array in arrays.items()})
        summary._check()
        return summary

    def _check(self) -> None:
        check_starts("cut_start", self.cut_start, len(self.cuts))
        check_starts("count_start", self.count_start, len(self.counts))
        n_rows = int(self.n_rows[0])
        for column, attribute in enumerate(self.header.attributes):
            kind, own, counts = counted_as(self.header, column), self.cuts_of(column), self.counts_of(column)
            n_counts = {"numeric": len(own) + 1, "nominal": len(attribute.values)}.get(kind, 0)
            if len(counts) != n_counts or (kind != "numeric" and len(own)):
                raise ValueError(f"{attribute.describe()}: expected {n_counts} counts, got {len(counts)}")
            if not (np.diff(own) > 0).all():
                raise ValueError(f"cuts of {attribute.describe()}: expected them in ascending order")
            least, greatest = self.least[column], self.greatest[column]
            has_range = least <= greatest if kind == "numeric" else False
            if not has_range and not (np.isnan(least) and np.isnan(greatest)):
                raise ValueError(f"{attribute.describe()}: has no range from {least:g} to {greatest:g}")
            if attribute.kind != "date" and not np.isnan(self.latest[column]):
                raise ValueError(f"{attribute.describe()}: has a last date, and is no date")
            if len(own) and not least <= own[0] <= own[-1] <= greatest:
                raise ValueError(f"cuts of {attribute.describe()}: expected them between {least:g} and {greatest:g}")
            seen = self.is_seen[self.count_start[column] : self.count_start[column + 1]]
            if kind == "nominal" and (counts[~seen] > 0).any():
                raise ValueError(f"{attribute.describe()}: counts of values that training did not have")
            n_told = int(self.n_missing[column]) + sum(counts.tolist())
            if n_told > n_rows or (n_counts and n_told != n_rows):
                raise ValueError(f"{attribute.describe()}: expected counts of {n_rows} rows, got {n_told}")

    def cuts_of(self, column: int) -> FloatArray:
        """(n_bins − 1,) float64: the cuts of an attribute."""
        return self.cuts[self.cut_start[column] : self.cut_start[column + 1]]

    def counts_of(self, column: int) -> Int64Array:
        """(n,) int64: the counts of an attribute; empty if it is not counted."""
        return self.counts[self.count_start[column] : self.count_start[column + 1]]

    def count(self, values: FloatArray) -> Int64Array:
        """(n_counts,) int64: the number of rows in each bin, or with each value, as in ``counts``.

        Parameters
        ----------
        values : (n, n_attributes) float64
            The cells, as in a `Dataset` with this header. Cost: O(n · n_attributes · n_bins).
        """
        counts = np.zeros(len(self.counts), dtype=np.int64)
        for start in range(0, len(values), ROWS_AT_A_TIME):
            columns = np.ascontiguousarray(values[start : start + ROWS_AT_A_TIME].T)
            parts = [self.count_column(column, cells) for column, cells in enumerate(columns)]
            counts += np.concatenate([np.zeros(0, np.int64), *parts])
        return counts

    def count_column(self, column: int, cells: FloatArray) -> Int64Array:
        """(n,) int64: the number of cells of one attribute, (n_instances,), in each of its bins, or with each value."""
        n_counts = int(self.count_start[column + 1] - self.count_start[column])
        if not n_counts:
            return np.zeros(0, dtype=np.int64)
        is_numeric = self.header.attributes[column].kind == "numeric"
        return _counts(cells, self.cuts_of(column) if is_numeric else None, n_counts)

    def outside(self, values: FloatArray, unseen: Mapping[str, UnseenCells] | None = None) -> Outside:
        """Which cells lie beyond what training saw.

        Parameters
        ----------
        values : (n, n_attributes) float64
            The cells, as in a `Dataset` with this header.
        unseen : mapping of str to UnseenCells, optional
            The values that the header does not declare, by attribute; they are missing in ``values``.
        """
        way = (values > self.greatest).astype(np.int8) - (values < self.least)
        for column in self._columns_with_unseen:
            known = np.flatnonzero(~np.isnan(values[:, column]))
            seen = self.is_seen[self.count_start[column] : self.count_start[column + 1]]
            way[known[~seen[values[known, column].astype(np.intp)]], column] = UNSEEN
        unseen = unseen or {}
        for column, attribute in enumerate(self.header.attributes):
            if attribute.name in unseen and column != self.header.class_index:
                way[unseen[attribute.name].rows, column] = UNSEEN
        return Outside(self, values, way, unseen)

    @cached_property
    def far_limits(self) -> tuple[FloatArray, FloatArray]:
        """Two (n_attributes,) float64: the numbers below and above which no number comes by chance; NaN: none is known.

        They lie `FAR` times as far from the median as the least and the greatest, or farther where the tails are long:
        as many times as the last fifth of the rows reaches farther than the others. Where four fifths of the rows have
        one value, nothing tells how long the tail is.
        """
        low, high = np.full((2, len(self.header.attributes)), np.nan)
        for column, greatest in enumerate(self.greatest.tolist()):
            counts = self.counts_of(column)
            if not counts.sum() or not np.isfinite([self.least[column], greatest]).all():
                continue
            ends, reached = np.append(self.cuts_of(column), greatest), counts.cumsum() / counts.sum()
            start, median, end = ends[np.searchsorted(reached, [TAIL, 0.5, 1 - TAIL])].tolist()
            if start < median:
                low[column] = median - _far(median - self.least[column], median - start)
            if end > median:
                high[column] = median + _far(greatest - median, end - median)
        return low, high

    @cached_property
    def _columns_with_unseen(self) -> list[int]:
        """The nominal attributes that declare a value without rows."""
        columns = enumerate(pairwise(self.count_start.tolist()))
        return [i for i, (start, end) in columns
                if counted_as(self.header, i) == "nominal" and not self.is_seen[start:end].all()]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Outside:
    """Which cells of some rows lie beyond what training saw.

    Parameters
    ----------
    summary : TrainingSummary
    values : (n, n_attributes) float64
    way : (n, n_attributes) int8
        `BELOW`, `ABOVE` or `UNSEEN`; 0: not outside.
    unseen : mapping of str to UnseenCells
    """

    summary: TrainingSummary
    values: FloatArray
    way: NDArray[np.int8]
    unseen: Mapping[str, UnseenCells]

    def __repr__(self) -> str:
        """The number of rows outside, and what is outside in the first of them, counted from 0."""
        lines = [f"  {row}: {text}" for row, text in self._first_texts()]
        return "\n".join([f"{self._counts}{':' if lines else ''}", *lines, *self._more])

    def _repr_html_(self) -> str:
        """The rows outside as a table for notebooks; every text is escaped."""
        cells = (f"<tr><th>{row}</th><td>{escape(text)}</td></tr>" for row, text in self._first_texts())
        more = (f"<tr><td></td><td>{text.strip()}</td></tr>" for text in self._more)
        return f"<table><caption>{self._counts}</caption><tbody>{''.join((*cells, *more))}</tbody></table>"

    @property
    def _counts(self) -> str:
        n, n_outside = len(self.way), np.count_nonzero(self.rows)
        return f"{n_outside or 'none'} of {counted(n, 'row')} outside training"

    @property
    def _more(self) -> list[str]:
        n_more = np.count_nonzero(self.rows) - MOST_SHOWN
        return [f"  … and {n_more} more"] if n_more > 0 else []

    def _first_texts(self) -> list[tuple[int, str]]:
        """The first rows outside, with what is outside in them, printable."""
        rows = np.flatnonzero(self.rows)[:MOST_SHOWN]
        return [(row, one_line(text)) for row, text in zip(rows.tolist(), self.texts_at(rows).values(), strict=True)]

    @cached_property
    def rows(self) -> NDArray[np.bool_]:
        """(n,) bool: which rows lie outside in any attribute."""
        return np.asarray(self.way.any(axis=1))

    @property
    def texts(self) -> TextArray:
        """(n,) object: what is outside in each row, such as "tenure 43435, training at most 119"; else empty."""
        texts = texts_of([""]).repeat(len(self.way))
        for row, text in self.texts_at(np.arange(len(self.way))).items():
            texts[row] = text
        return texts

    def texts_at(self, rows: NDArray[np.intp]) -> dict[int, str]:
        """The text of each of some rows, (n_rows,) intp, that is outside, by its place in ``rows``; see `texts`."""
        return {place: "; ".join(parts) for place, parts in self._parts_at(rows).items()}

    def _parts_at(self, rows: NDArray[np.intp]) -> dict[int, list[str]]:
        """The parts of `texts_at`."""
        undeclared = {
            name: dict(zip(cells.rows.tolist(), cells.texts, strict=True)) for name, cells in self.unseen.items()
        }
        parts = {}
        for place in np.flatnonzero(self.rows[rows]).tolist():
            row = int(rows[place])
            columns = np.flatnonzero(self.way[row]).tolist()
            told = [self.text(row, column, undeclared) for column in columns[:MOST_TOLD]]
            more = [f"and {len(columns) - MOST_TOLD} more"] if len(columns) > MOST_TOLD else []
            parts[place] = [*told, *more]
        return parts

    def take(self, rows: NDArray[np.intp]) -> Outside:
        """The cells outside training of some rows, in this order."""
        unseen = {name: cells.take(rows) for name, cells in self.unseen.items()}
        return Outside(self.summary, self.values[rows], self.way[rows], unseen)

    @property
    def is_far(self) -> NDArray[np.bool_]:
        """(n_rows_outside, n_attributes) bool: which numbers in the rows outside lie far outside; see `far_limits`."""
        low, high = self.summary.far_limits
        values = self.values[self.rows]
        return np.asarray((values < low) | (values > high))

    def add_to_reasons(self, reasons: TextArray, rows: NDArray[np.intp]) -> None:
        """Add what is outside to the reasons of the answers for some rows, in place, unless they say it already."""
        for place, parts in self._parts_at(rows).items():
            if told := "; ".join(part for part in parts if part not in reasons[place]):
                reasons[place] = f"{reasons[place]}; outside training: {told}"

    def text(self, row: int, column: int, undeclared: Mapping[str, Mapping[int, str]] = MappingProxyType({})) -> str:
        """A cell outside in words; ``undeclared``: texts of values that the header lacks, by attribute and row."""
        attribute, value, way = self.summary.header.attributes[column], self.values[row, column], self.way[row, column]
        if way == UNSEEN:
            text = undeclared.get(attribute.name, {}).get(row)
            return f"{attribute.name} {quoted(cells(attribute, value)[0] if text is None else text)}, {NOT_SEEN}"
        limit = (self.summary.greatest if way == ABOVE else self.summary.least)[column]
        found, most = cells(attribute, value, limit)
        return f"{attribute.name} {found}, training at {'most' if way == ABOVE else 'least'} {most}"


def _far(reach: float, usual: float) -> float:
    """The distance from the median at which a number is far outside, where training reaches less, and most a part."""
    return reach * max(FAR, reach / usual)


def counted_as(header: Header, column: int) -> str:
    """The way in which an attribute is counted: "numeric", "nominal", or empty if it is not."""
    attribute = header.attributes[column]
    return "" if column == header.class_index or attribute.kind not in ("numeric", "nominal") else attribute.kind


def summarise(data: Dataset, also: Dataset | None = None) -> TrainingSummary:
    """The summary of a data set.

    Parameters
    ----------
    data : Dataset
        The rows that are counted, whatever their weights.
    also : Dataset, optional
        Further rows, with the same attributes, that only widen the ranges and add to the values seen.

    Returns
    -------
    TrainingSummary
        Cost: O(n log n) per attribute.

    Raises
    ------
    HeaderMismatchError
        The attributes of ``also`` are others.
    """
    header, n = data.header, len(data.attributes)
    if also is not None:
        header.check_same(also.header)
    attributes = tuple(Attribute(each.name, each.kind) if each.kind in ("string", "relational") else each
                       for each in header.attributes)  # fmt: skip
    (least, greatest, latest), cuts, counts = np.full((3, n), np.nan), [np.zeros(0)], [np.zeros(0, np.int64)]
    seen = [np.zeros(0, np.bool_)]
    for column, attribute in enumerate(attributes):
        cells, others = data.values[:, column], np.zeros(0) if also is None else also.values[:, column]
        kind = counted_as(header, column)
        own = bin_cuts(cells) if kind == "numeric" else None
        n_values = len(attribute.values)
        cuts.append(np.zeros(0) if own is None else own)
        counts.append(_counts(cells, own, n_values) if kind else np.zeros(0, np.int64))
        seen.append(counts[-1] + _counts(others, own, n_values) > 0 if kind else np.zeros(0, np.bool_))
        known = np.concatenate([cells, others])
        known = known[~np.isnan(known)]
        if kind == "numeric" and len(known):
            least[column], greatest[column] = known.min(), known.max()
        if attribute.kind == "date" and column != header.class_index and len(known):
            latest[column] = known.max()
    arrays = {
        "n_rows": np.array([len(data)], dtype=np.int64),
        "n_missing": np.isnan(data.values).sum(axis=0, dtype=np.int64),
        "least": least,
        "greatest": greatest,
        "latest": latest,
        "cut_start": np.cumsum([len(part) for part in cuts], dtype=np.int32),
        "cuts": np.concatenate(cuts),
        "count_start": np.cumsum([len(part) for part in counts], dtype=np.int32),
        "counts": np.concatenate(counts),
        "is_seen": np.concatenate(seen),
    }
    return TrainingSummary.from_arrays(replace(header, attributes=attributes), arrays)


def bin_cuts(numbers: FloatArray) -> FloatArray:
    """(n_bins − 1,) float64: ascending cuts, each the largest number of its bin; NaN is missing.

    Up to `N_BINS` distinct numbers have a bin each. More are cut at their deciles; equal deciles are one cut, and no
    bin is empty.
    """
    distinct = np.unique(numbers[~np.isnan(numbers)])
    if len(distinct) > N_BINS:
        shares = np.arange(1, N_BINS) / N_BINS
        deciles = np.unique(np.quantile(numbers[~np.isnan(numbers)], shares, method="inverted_cdf"))
        return deciles[deciles < distinct[-1]]
    return distinct[:-1]


def _counts(cells: FloatArray, cuts: FloatArray | None, n_values: int) -> Int64Array:
    """The number of known cells in each bin between the cuts; without cuts with each of so many values, by index.

    There are few cuts, so a comparison with each of them, which no missing cell exceeds, is faster than a search.
    """
    if cuts is None:
        return np.bincount(cells[~np.isnan(cells)].astype(np.intp), minlength=n_values)
    n_known = len(cells) - np.count_nonzero(np.isnan(cells))
    above = np.array([n_known, *(np.count_nonzero(cells > cut) for cut in cuts), 0], dtype=np.int64)
    return above[:-1] - above[1:]
