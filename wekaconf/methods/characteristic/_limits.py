"""Limits of the attribute values at the nodes where instances stop, and tests against them (Davidsson 1996)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import stored
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.methods.characteristic._learning import (
    TestedColumns,
    deviations,
    largest,
    learn,
    normal_quantile,
    rows_of,
)
from wekaconf.tree import Router, TreeMirror

ALPHA = 0.05
Closed = Literal["both", "lower", "upper", "neither"]
MARGIN, FAR = 1e-6, 30.0
"""The tail probability is computed where the deviation is at most this far from the limit, and from `FAR` on."""
CHUNK_ROWS = 1 << 9
"""Number of instances, or parts of instances, that are compared at a time, so that the arrays stay in the cache."""


@dataclass(frozen=True)
class LimitTest:
    """The values that an attribute of an instance must have for the instance not to be rejected.

    Parameters
    ----------
    attribute : str
        Name of the attribute; empty if no instance is accepted at all, since there was none in training.
    lower, upper : float
        Limits of a numeric attribute (of a date in milliseconds since 1970-01-01T00:00Z).
    closed : {"both", "lower", "upper", "neither"}
        Which of the two limits are themselves accepted.
    accepts : tuple of str or None
        The values of a nominal attribute that are accepted.
    """

    attribute: str
    lower: float = -np.inf
    upper: float = np.inf
    closed: Closed = "both"
    accepts: tuple[str, ...] | None = None


class Broken(NamedTuple):
    """Tests that instances failed.

    Parameters
    ----------
    item : (n,) intp
        Index of the instance among those tested, ascending.
    column : (n,) intp
        Column of the header, ascending within an instance; −1 where the node accepts nothing.
    """

    item: NDArray[np.intp]
    column: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Limits:
    """The values of each attribute that each node where instances stop accepts.

    Parameters
    ----------
    numeric, ranged, nominal, first_value
        The attributes tested; see `wekaconf.methods.characteristic._learning.TestedColumns`.
    row : (n_nodes,) int32
        Row of each node in the arrays below, −1 for nodes where no instance stops.
    center, half_scale : (n_rows, n_numeric) float64
        The distance of a value from the center is measured in scales; a half scale of 0 accepts only the center, ∞
        accepts anything.
    lower, upper : (n_rows, n_ranged) float64
        The limits, both accepted; −∞ and ∞ accept anything.
    accepts : (n_rows, n_values) bool
        Whether each value of each of ``nominal`` is accepted.
    rejects : (n_rows,) bool
        Whether nothing is accepted.
    """

    numeric: Annotated[Int32Array, stored(np.int32, "n_numeric")]
    ranged: Annotated[Int32Array, stored(np.int32, "n_ranged")]
    nominal: Annotated[Int32Array, stored(np.int32, "n_nominal")]
    first_value: Annotated[Int32Array, stored(np.int32, "n_nominal + 1")]
    row: Annotated[Int32Array, stored(np.int32, "n_nodes")]
    center: Annotated[FloatArray, stored(np.float64, "n_rows", "n_numeric", allows_inf=True)]
    half_scale: Annotated[FloatArray, stored(np.float64, "n_rows", "n_numeric", low=0, allows_inf=True)]
    lower: Annotated[FloatArray, stored(np.float64, "n_rows", "n_ranged", allows_inf=True)]
    upper: Annotated[FloatArray, stored(np.float64, "n_rows", "n_ranged", allows_inf=True)]
    accepts: Annotated[NDArray[np.bool_], stored(np.bool_, "n_rows", "n_values")]
    rejects: Annotated[NDArray[np.bool_], stored(np.bool_, "n_rows")]

    def check(self, columns: TestedColumns, stops: NDArray[np.bool_]) -> None:
        """Raise ValueError unless the arrays can be limits of these columns, and of the nodes where instances stop."""
        for name, expected in [*vars(columns).items(), ("row", rows_of(stops))]:
            if not np.array_equal(getattr(self, name), expected):
                raise ValueError(f"{name}: does not fit the attributes, or the nodes where instances stop")
        if (len(self.rejects), self.accepts.shape[1]) != (stops.sum(), columns.first_value[-1]):
            raise ValueError("accepts, rejects: expected one row per node where instances stop, one column per value")
        is_limited = np.isfinite(self.half_scale).any(axis=1) | ~self.accepts.all(axis=1)
        is_limited |= (self.lower != -np.inf).any(axis=1) | (self.upper != np.inf).any(axis=1)
        if (self.rejects & is_limited).any():
            raise ValueError("rejects: expected no limits where everything is rejected")

    @classmethod
    def of(cls, tree: TreeMirror, train: Dataset, columns: TestedColumns, closed: Closed) -> Self:
        """Learn the limits; see `wekaconf.methods.characteristic._learning.learn`."""
        arrays = learn(tree, train, columns, closed)
        return cls(**{field.name: np.ascontiguousarray(arrays[field.name]) for field in fields(cls)})

    def distance(self, values: FloatArray, nodes: NDArray[np.integer[Any]]) -> FloatArray:
        """The distance of instances from the limits of their nodes.

        Parameters
        ----------
        values : (n, n_attributes) float64
        nodes : (n,) integers
            Nodes where instances stop.

        Returns
        -------
        (n,) float64
            In [0, ∞], dimensionless: the largest deviation of a numeric attribute, in scales; ∞ if another test fails.
            A missing value is not tested.
        """
        rows, furthest = self.row[nodes], largest(self.deviation_of(values, nodes))
        fails = self._leaves_range(values, rows).any(axis=1) | self._is_unseen(values, rows).any(axis=1)
        furthest[fails | self.rejects[rows]] = np.inf
        return furthest

    def certainty(self, values: FloatArray, nodes: NDArray[np.integer[Any]]) -> FloatArray:
        """(n,) float64 in [0, 1]: the two-sided tail probability of `distance`."""
        return self._tail(self.distance(values, nodes))

    def certainty_at_ends(self, router: Router, values: FloatArray) -> FloatArray:
        """(n,) float64 in [0, 1]: mean of `certainty` over the parts of each instance at the nodes where they stop.

        Numpy alone: 20,000 rows of letter take 7 ms, of which compiled code saved 4, and loading numba takes 500.
        """
        row, node, share = router.paths(values)
        certainty = np.empty(len(row))
        for begin in range(0, len(row), CHUNK_ROWS):
            chunk = slice(begin, begin + CHUNK_ROWS)
            certainty[chunk] = self.certainty(values[row[chunk]], node[chunk])
        return np.minimum(np.bincount(row, share * certainty, minlength=len(values)), 1.0)

    def deviation_of(self, values: FloatArray, nodes: NDArray[np.integer[Any]]) -> FloatArray:
        """(n, n_numeric) float64: how far each value is from the center, in scales; NaN where it is missing."""
        rows = self.row[nodes]
        return deviations(values[:, self.numeric], self.center[rows], self.half_scale[rows])

    def failed(self, values: FloatArray, nodes: NDArray[np.integer[Any]]) -> list[list[int]]:
        """For each instance the columns whose range or set of values it leaves, in the order of the header."""
        rows = self.row[nodes]
        is_outside, is_unseen = self._leaves_range(values, rows), self._is_unseen(values, rows)
        return [
            sorted([*self.ranged[outside].tolist(), *self.nominal[unseen].tolist()])
            for outside, unseen in zip(is_outside, is_unseen, strict=True)
        ]

    def broken(self, values: FloatArray, nodes: NDArray[np.integer[Any]], alpha: float) -> Broken:
        """The tests that each instance fails at a level α."""
        rows = self.row[nodes]
        failed = np.zeros((len(values), 1 + values.shape[1]), dtype=np.bool_)
        failed[:, 0] = self.rejects[rows]
        if len(self.numeric):
            failed[:, 1 + self.numeric] = self._is_far(values, nodes, alpha)
        if len(self.ranged):
            failed[:, 1 + self.ranged] = self._leaves_range(values, rows)
        if len(self.nominal):
            failed[:, 1 + self.nominal] = self._is_unseen(values, rows)
        item, place = np.divmod(np.flatnonzero(failed), failed.shape[1])
        return Broken(item, place - 1)

    def tests(self, node: int, header: Header, alpha: float, closed: Closed = "both") -> tuple[LimitTest, ...]:
        """The tests of a node at a level α, attribute by attribute; tests that accept anything are left out."""
        row = int(self.row[node])
        if self.rejects[row]:
            return (LimitTest("", accepts=()),)
        is_limited = np.isfinite(self.half_scale[row]), (self.lower[row] > -np.inf) | (self.upper[row] < np.inf)
        ordered = np.concatenate((self.numeric[is_limited[0]], self.ranged[is_limited[1]]))
        by_column = {}
        intervals = self.intervals(np.full(len(ordered), node), ordered, alpha, closed)
        for column, lower, upper in zip(ordered.tolist(), *(ends.tolist() for ends in intervals), strict=True):
            is_open = column in self.ranged and lower < upper
            by_column[column] = LimitTest(header.attributes[column].name, lower, upper, closed if is_open else "both")
        for column in self.nominal.tolist():
            attribute = header.attributes[column]
            accepts = self.accepted(node, column, attribute)
            if len(accepts) < len(attribute.values):
                by_column[column] = LimitTest(attribute.name, accepts=accepts)
        return tuple(by_column[column] for column in sorted(by_column))

    def intervals(
        self, nodes: NDArray[np.integer[Any]], columns: NDArray[np.integer[Any]], alpha: float, closed: Closed
    ) -> tuple[FloatArray, FloatArray]:
        """(n,) float64 each: the limits of each node in a numeric or ranged column, else NaN; see `LimitTest`."""
        rows, (lower, upper) = self.row[nodes], np.full((2, len(nodes)), np.nan)
        is_numeric, place = _places(self.numeric, columns)
        if len(place):
            cells = rows[is_numeric], place
            center, half = self.center[cells], self.half_scale[cells]
            with np.errstate(over="ignore"):  # beyond the largest number is ∞
                reach = np.where(half > 0, 2 * (normal_quantile(alpha) * half), 0.0)
                lower[is_numeric], upper[is_numeric] = center - reach, center + reach
        is_ranged, place = _places(self.ranged, columns)
        if len(place):
            cells = rows[is_ranged], place
            low, high = self.lower[cells], self.upper[cells]
            is_varied = low < high
            low_open = is_varied & (closed in ("upper", "neither"))
            high_open = is_varied & (closed in ("lower", "neither"))
            with np.errstate(over="ignore"):
                lower[is_ranged] = np.where(low_open, np.nextafter(low, -np.inf), low)
                upper[is_ranged] = np.where(high_open, np.nextafter(high, np.inf), high)
        return lower, upper

    def accepted(self, node: int, column: int, attribute: Attribute) -> tuple[str, ...]:
        """The values of a nominal attribute that a node accepts."""
        row = int(self.row[node])
        j = int(np.searchsorted(self.nominal, column))
        seen = self.accepts[row, self.first_value[j] : self.first_value[j + 1]].tolist()
        return tuple(value for value, is_seen in zip(attribute.values, seen, strict=True) if is_seen)

    def _is_far(self, values: FloatArray, nodes: NDArray[np.integer[Any]], alpha: float) -> NDArray[np.bool_]:
        """(n, n_numeric) bool: whether the tail probability is below α; it is computed where it may be."""
        deviation, (near, sure) = self.deviation_of(values, nodes), _bounds(alpha)
        is_far = deviation >= near
        is_close = is_far & (deviation <= sure)
        if is_close.any():
            is_far[is_close] = self._tail(deviation[is_close]) < alpha
        return np.asarray(is_far)

    def _leaves_range(self, values: FloatArray, rows: Int32Array) -> NDArray[np.bool_]:
        cells = values[:, self.ranged]
        return np.asarray((cells < self.lower[rows]) | (cells > self.upper[rows]))

    def _is_unseen(self, values: FloatArray, rows: Int32Array) -> NDArray[np.bool_]:
        cells = values[:, self.nominal]
        is_unseen = np.zeros(cells.shape, dtype=np.bool_)
        item, j = np.nonzero(~np.isnan(cells))
        is_unseen[item, j] = ~self.accepts[rows[item], self.first_value[j] + cells[item, j].astype(np.intp)]
        return is_unseen

    def _tail(self, furthest: FloatArray) -> FloatArray:
        if not len(self.numeric):
            return np.asarray(furthest == 0, dtype=np.float64)
        from scipy.special import erfc

        return np.asarray(erfc(furthest / np.sqrt(2.0)))


def _bounds(alpha: float) -> tuple[float, float]:
    """The deviations from which the tail probability may be, and beyond which it surely is, below α."""
    limit = normal_quantile(alpha)
    return min(limit * (1 - MARGIN) - MARGIN, FAR), limit * (1 + MARGIN) + MARGIN if limit < FAR else np.inf


def _places(known: Int32Array, columns: NDArray[np.integer[Any]]) -> tuple[slice | NDArray[np.bool_], NDArray[np.intp]]:
    """Which columns are among ``known``, which ascend: all, or (n,) bool; and the places of these there."""
    place = np.searchsorted(known, columns)
    is_known = np.append(known, -2)[place] == columns  # no column is −2, whereas −1 stands for none
    return (slice(None), place) if is_known.all() else (is_known, place[is_known])


def alpha_of(alpha: float | None, p_total: float | None, n_numeric: int) -> float:
    """``alpha``, or 1 − P^(1/N), with which N tests together accept with probability P; .05 if neither is given."""
    if p_total is None:
        return ALPHA if alpha is None else alpha
    return -float(np.expm1(np.log(p_total) / max(n_numeric, 1)))
