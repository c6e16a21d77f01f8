"""Limits of the attribute values of groups of instances, and tests of instances against them (Davidsson 1996)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import stored
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.methods.characteristic._learning import (
    Groups,
    Rule,
    TestedColumns,
    deviations,
    largest,
    learn,
    normal_quantile,
    rows_of,
)
from wekaconf.tree import Router, compiled_pays

ALPHA = 0.05
Closed = Literal["both", "lower", "upper", "neither"]
MARGIN, FAR = 1e-6, 30.0
"""The tail probability is computed where the deviation is at most this far from the limit, and from `FAR` on."""
CHUNK_ROWS = 1 << 9
"""Number of instances, or parts of instances, that the numpy form handles at a time."""


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
        Column of the header, ascending within an instance; −1 where the group accepts nothing.
    """

    item: NDArray[np.intp]
    column: NDArray[np.intp]


class FirstBroken(NamedTuple):
    """The first tests that each instance failed.

    Parameters
    ----------
    n_broken : (n,) intp
    column : (n, most) intp
        As in `Broken`; means nothing beyond the first ``n_broken``.
    is_sure : (n,) bool
        Whether no deviation is so close to the level α that only the tail probability tells on which side it is. What
        is said of other instances means nothing.
    """

    n_broken: NDArray[np.intp]
    column: NDArray[np.intp]
    is_sure: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Limits:
    """The values of each attribute that each group of training instances accepts.

    Parameters
    ----------
    numeric, ranged, nominal, first_value
        The attributes tested; see `wekaconf.methods.characteristic._learning.TestedColumns`.
    row : (n_groups,) int32
        Row of each group in the arrays below, −1 for groups with which no instance is compared.
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
    row: Annotated[Int32Array, stored(np.int32, "n_groups")]
    center: Annotated[FloatArray, stored(np.float64, "n_rows", "n_numeric", allows_inf=True)]
    half_scale: Annotated[FloatArray, stored(np.float64, "n_rows", "n_numeric", low=0, allows_inf=True)]
    lower: Annotated[FloatArray, stored(np.float64, "n_rows", "n_ranged", allows_inf=True)]
    upper: Annotated[FloatArray, stored(np.float64, "n_rows", "n_ranged", allows_inf=True)]
    accepts: Annotated[NDArray[np.bool_], stored(np.bool_, "n_rows", "n_values")]
    rejects: Annotated[NDArray[np.bool_], stored(np.bool_, "n_rows")]

    def check(self, columns: TestedColumns, is_compared: NDArray[np.bool_]) -> None:
        """Raise ValueError unless the arrays can be limits of these columns and groups."""
        for name, expected in [*vars(columns).items(), ("row", rows_of(is_compared))]:
            if not np.array_equal(getattr(self, name), expected):
                raise ValueError(f"{name}: does not fit the attributes, or the nodes where instances stop")
        if (len(self.rejects), self.accepts.shape[1]) != (is_compared.sum(), columns.first_value[-1]):
            raise ValueError("accepts, rejects: expected one row per node where instances stop, one column per value")
        is_limited = np.isfinite(self.half_scale).any(axis=1) | ~self.accepts.all(axis=1)
        is_limited |= (self.lower != -np.inf).any(axis=1) | (self.upper != np.inf).any(axis=1)
        if (self.rejects & is_limited).any():
            raise ValueError("rejects: expected no limits where everything is rejected")

    @classmethod
    def of(cls, groups: Groups, train: Dataset, columns: TestedColumns, rule: Rule) -> Self:
        """Learn the limits; see `wekaconf.methods.characteristic._learning.learn`."""
        arrays = learn(groups, train, columns, rule)
        return cls(**{field.name: np.ascontiguousarray(arrays[field.name]) for field in fields(cls)})

    def distance(self, values: FloatArray, groups: NDArray[np.integer[Any]]) -> FloatArray:
        """The distance of instances from their groups.

        Parameters
        ----------
        values : (n, n_attributes) float64
        groups : (n,) integers
            Groups that have a row.

        Returns
        -------
        (n,) float64
            In [0, ∞], dimensionless: the largest deviation of a numeric attribute, in scales; ∞ if another test fails.
            A missing value is not tested.
        """
        furthest = np.empty(len(values))
        for begin in range(0, len(values), CHUNK_ROWS):
            chunk = slice(begin, begin + CHUNK_ROWS)
            rows, cells = self.row[groups[chunk]], values[chunk]
            far = largest(deviations(cells[:, self.numeric], self.center[rows], self.half_scale[rows]))
            fails = self._leaves_range(cells, rows).any(axis=1) | self._is_unseen(cells, rows).any(axis=1)
            far[fails | self.rejects[rows]] = np.inf
            furthest[chunk] = far
        return furthest

    def certainty(self, values: FloatArray, groups: NDArray[np.integer[Any]]) -> FloatArray:
        """(n,) float64 in [0, 1]: the two-sided tail probability of `distance`."""
        return self._tail(self.distance(values, groups))

    def certainty_at_ends(self, router: Router, values: FloatArray) -> FloatArray:
        """(n,) float64 in [0, 1]: mean of `certainty` over the parts of each instance at the nodes where they stop."""
        if not compiled_pays(len(values)):
            return self.certainty_at_ends_numpy(router, values)
        from wekaconf.methods.characteristic import _compiled as compiled

        furthest, is_whole = compiled.distances(
            np.ascontiguousarray(values),
            router.attribute, router.limit, router.equals, router.in_subset, router.first_child, self.row,
            self.numeric, self.center, self.half_scale, self.ranged, self.lower, self.upper, self.nominal,
            self.first_value, self.accepts, self.rejects,
        )  # fmt: skip
        certainty = self._tail(furthest)
        if not is_whole.all():
            certainty[~is_whole] = self.certainty_at_ends_numpy(router, values[~is_whole])
        return certainty

    def certainty_at_ends_numpy(self, router: Router, values: FloatArray) -> FloatArray:
        """The numpy form of `certainty_at_ends`."""
        row, node, share = router.paths(values)
        certainty = np.concatenate(
            [
                self.certainty(values[row[begin : begin + CHUNK_ROWS]], node[begin : begin + CHUNK_ROWS])
                for begin in range(0, len(row), CHUNK_ROWS)
            ]
            or [np.zeros(0)]
        )
        return np.minimum(np.bincount(row, share * certainty, minlength=len(values)), 1.0)

    def deviation_of(self, values: FloatArray, groups: NDArray[np.integer[Any]]) -> FloatArray:
        """(n, n_numeric) float64: how far each value is from the center, in scales; NaN where it is missing."""
        rows = self.row[groups]
        return deviations(values[:, self.numeric], self.center[rows], self.half_scale[rows])

    def failed(self, values: FloatArray, groups: NDArray[np.integer[Any]]) -> list[list[int]]:
        """For each instance the columns whose range or set of values it leaves, in the order of the header."""
        rows = self.row[groups]
        is_outside, is_unseen = self._leaves_range(values, rows), self._is_unseen(values, rows)
        return [
            sorted([*self.ranged[outside].tolist(), *self.nominal[unseen].tolist()])
            for outside, unseen in zip(is_outside, is_unseen, strict=True)
        ]

    def broken(self, values: FloatArray, groups: NDArray[np.integer[Any]], alpha: float) -> Broken:
        """The tests that each instance fails at a level α."""
        rows = self.row[groups]
        failed = np.zeros((len(values), 1 + values.shape[1]), dtype=np.bool_)
        failed[:, 0] = self.rejects[rows]
        if len(self.numeric):
            failed[:, 1 + self.numeric] = self._is_far(values, groups, alpha)
        if len(self.ranged):
            failed[:, 1 + self.ranged] = self._leaves_range(values, rows)
        if len(self.nominal):
            failed[:, 1 + self.nominal] = self._is_unseen(values, rows)
        item, place = np.divmod(np.flatnonzero(failed), failed.shape[1])
        return Broken(item, place - 1)

    def first_broken(self, values: FloatArray, groups: Int32Array, alpha: float, most: int) -> FirstBroken:
        """The tests that each instance fails at a level α, of which the first ``most`` are named; compiled."""
        from wekaconf.methods.characteristic import _compiled as compiled

        column = np.concatenate((self.numeric, self.ranged, self.nominal))
        sizes = len(self.numeric), len(self.ranged), len(self.nominal)
        order = np.argsort(column)
        kind = np.repeat(np.arange(3), sizes)[order]
        place = np.concatenate([np.arange(size) for size in sizes])[order]
        near, sure = _bounds(alpha)
        n_broken, first, is_sure = compiled.first_broken(
            np.ascontiguousarray(values), groups, self.row, column[order], kind, place, self.center, self.half_scale,
            near, sure, self.lower, self.upper, self.first_value, self.accepts, self.rejects, most,
        )  # fmt: skip
        return FirstBroken(n_broken, first[:, :most], is_sure)

    def tests(self, group: int, header: Header, alpha: float, closed: Closed = "both") -> tuple[LimitTest, ...]:
        """The tests of a group at a level α, attribute by attribute; tests that accept anything are left out."""
        row = int(self.row[group])
        if self.rejects[row]:
            return (LimitTest("", accepts=()),)
        is_limited = np.isfinite(self.half_scale[row]), (self.lower[row] > -np.inf) | (self.upper[row] < np.inf)
        ordered = np.concatenate((self.numeric[is_limited[0]], self.ranged[is_limited[1]]))
        by_column = {}
        intervals = self.intervals(np.full(len(ordered), group), ordered, alpha, closed)
        for column, lower, upper in zip(ordered.tolist(), *(ends.tolist() for ends in intervals), strict=True):
            attribute = header.attributes[column]
            if attribute.is_nominal:
                by_column[column] = LimitTest(attribute.name, accepts=self.accepted(group, column, attribute))
                continue
            is_open = column in self.ranged and lower < upper
            by_column[column] = LimitTest(attribute.name, lower, upper, closed if is_open else "both")
        for column in self.nominal.tolist():
            attribute = header.attributes[column]
            accepts = self.accepted(group, column, attribute)
            if len(accepts) < len(attribute.values):
                by_column[column] = LimitTest(attribute.name, accepts=accepts)
        return tuple(by_column[column] for column in sorted(by_column))

    def intervals(
        self, groups: NDArray[np.integer[Any]], columns: NDArray[np.integer[Any]], alpha: float, closed: Closed
    ) -> tuple[FloatArray, FloatArray]:
        """(n,) float64 each: the limits of each group in a numeric or ranged column, else NaN; see `LimitTest`."""
        rows, (lower, upper) = self.row[groups], np.full((2, len(groups)), np.nan)
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

    def accepted(self, group: int, column: int, attribute: Attribute) -> tuple[str, ...]:
        """The values of a nominal attribute that a group accepts."""
        row = int(self.row[group])
        if column in self.ranged:
            j = int(np.searchsorted(self.ranged, column))
            return tuple(v for i, v in enumerate(attribute.values) if self.lower[row, j] <= i <= self.upper[row, j])
        j = int(np.searchsorted(self.nominal, column))
        seen = self.accepts[row, self.first_value[j] : self.first_value[j + 1]].tolist()
        return tuple(value for value, is_seen in zip(attribute.values, seen, strict=True) if is_seen)

    def _is_far(self, values: FloatArray, groups: NDArray[np.integer[Any]], alpha: float) -> NDArray[np.bool_]:
        """(n, n_numeric) bool: whether the tail probability is below α; it is computed where it may be."""
        deviation, (near, sure) = self.deviation_of(values, groups), _bounds(alpha)
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
    if not len(known):
        return slice(0), np.zeros(0, dtype=np.intp)
    place = np.searchsorted(known, columns)
    is_known = known.take(place, mode="clip") == columns
    return (slice(None), place) if is_known.all() else (is_known, place[is_known])


def alpha_of(alpha: float | None, p_total: float | None, n_numeric: int) -> float:
    """``alpha``, or 1 − P^(1/N), with which N tests together accept with probability P; .05 if neither is given."""
    if p_total is None:
        return ALPHA if alpha is None else alpha
    return -float(np.expm1(np.log(p_total) / max(n_numeric, 1)))
