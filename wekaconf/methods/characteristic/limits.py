"""Limits of the attribute values of groups of instances, and what lies outside them (Davidsson 1996)."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.dataset import Dataset, FloatArray, Header, Int32Array
from wekaconf.methods.characteristic.learning import (
    Groups,
    Rule,
    TestedColumns,
    deviations,
    largest,
    learn,
    normal_quantile,
    rows_of,
)
from wekaconf.stored import stored
from wekaconf.tree.router import Router, compiled_pays

ALPHA = 0.05
Closed = Literal["both", "lower", "upper", "neither"]
CHUNK_ROWS = 1 << 13
"""Instances, or parts of them, that the numpy form takes at a time, to bound the memory."""


@dataclass(frozen=True)
class LimitTest:
    """What one attribute of an instance must be so that the instance is not rejected.

    Parameters
    ----------
    attribute : str
        Empty where no instance is accepted at all, as there was none in training.
    lower, upper : float
        Of a numeric attribute (date: milliseconds since 1970-01-01T00:00Z).
    closed : {"both", "lower", "upper", "neither"}
        Which of the two is accepted itself.
    accepts : tuple of str or None
        Of a nominal attribute: the values accepted.
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
        Which of the instances asked about, ascending.
    column : (n,) intp
        Of the header, ascending within an instance; −1 where the group accepts nothing.
    """

    item: NDArray[np.intp]
    column: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Limits:
    """What is accepted of each attribute in each group of training instances.

    Parameters
    ----------
    numeric, ranged, nominal, first_value
        The attributes tested; see `wekaconf.methods.characteristic.learning.TestedColumns`.
    row : (n_groups,) int32
        Row of each group in what follows, −1 for one that is never asked.
    center, half_scale : (n_rows, n_numeric) float64
        A value is as many deviations from the center as it has scales; half a scale of 0 accepts the center only,
        ∞ anything.
    lower, upper : (n_rows, n_ranged) float64
        Both accepted; −∞ and ∞ accept anything.
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

    def check(self, columns: TestedColumns, is_asked: NDArray[np.bool_]) -> None:
        """Raise ValueError unless they are limits of such columns in such groups."""
        for name, expected in [*vars(columns).items(), ("row", rows_of(is_asked))]:
            if not np.array_equal(getattr(self, name), expected):
                raise ValueError(f"{name}: does not fit the attributes, or the nodes where instances stop")
        if (len(self.rejects), self.accepts.shape[1]) != (is_asked.sum(), columns.first_value[-1]):
            raise ValueError("accepts, rejects: expected a row per node where instances stop, a column per value")
        is_limited = np.isfinite(self.half_scale).any(axis=1) | ~self.accepts.all(axis=1)
        is_limited |= (self.lower != -np.inf).any(axis=1) | (self.upper != np.inf).any(axis=1)
        if (self.rejects & is_limited).any():
            raise ValueError("rejects: expected no limits where everything is rejected")

    @classmethod
    def of(cls, groups: Groups, train: Dataset, columns: TestedColumns, rule: Rule) -> Self:
        """Learn them; see `wekaconf.methods.characteristic.learning.learn`."""
        arrays = learn(groups, train, columns, rule)
        return cls(**{field.name: np.ascontiguousarray(arrays[field.name]) for field in fields(cls)})

    def distance(self, values: FloatArray, groups: NDArray[np.integer[Any]]) -> FloatArray:
        """How far instances lie from their groups.

        Parameters
        ----------
        values : (n, n_attributes) float64
        groups : (n,) integers
            Asked ones.

        Returns
        -------
        (n,) float64
            In [0, ∞], dimensionless: the largest of the numeric attributes' deviations in scales; ∞ where another
            test fails. A missing value is not tested.
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
        """(n,) float64 in [0, 1]: mean of `certainty` over the parts of each instance, where they stop in a tree."""
        if not compiled_pays(len(values)):
            return self.certainty_at_ends_numpy(router, values)
        from wekaconf.methods.characteristic import compiled

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
        """As `certainty_at_ends`, in numpy."""
        row, node, share = router.paths(values)
        certainty = np.concatenate(
            [
                self.certainty(values[row[begin : begin + CHUNK_ROWS]], node[begin : begin + CHUNK_ROWS])
                for begin in range(0, len(row), CHUNK_ROWS)
            ]
            or [np.zeros(0)]
        )
        return np.minimum(np.bincount(row, share * certainty, minlength=len(values)), 1.0)

    def broken(self, values: FloatArray, groups: NDArray[np.integer[Any]], alpha: float) -> Broken:
        """The tests that each instance fails at a level α."""
        rows = self.row[groups]
        far = deviations(values[:, self.numeric], self.center[rows], self.half_scale[rows])
        tails = self._tail(np.fmax(far, 0.0))
        failed = np.concatenate(
            (tails < alpha, self._leaves_range(values, rows), self._is_unseen(values, rows), self.rejects[rows, None]),
            axis=1,
        )
        item, at = np.nonzero(failed)
        column = np.concatenate((self.numeric, self.ranged, self.nominal, [-1])).astype(np.intp)[at]
        order = np.lexsort((column, item))
        return Broken(item[order], column[order])

    def tests(self, group: int, header: Header, alpha: float, closed: Closed = "both") -> tuple[LimitTest, ...]:
        """What a group asks at a level α, attribute by attribute; those that accept anything are left out."""
        row = int(self.row[group])
        if self.rejects[row]:
            return (LimitTest("", accepts=()),)
        found = {}
        z = normal_quantile(alpha) if len(self.numeric) else 0.0
        for j, column in enumerate(self.numeric.tolist()):
            center, half = float(self.center[row, j]), float(self.half_scale[row, j])
            reach = 2 * (z * half)
            if np.isfinite(half):
                ends = (center - reach, center + reach) if half else (center, center)
                found[column] = LimitTest(header.attributes[column].name, *ends)
        for j, column in enumerate(self.ranged.tolist()):
            attribute, lower, upper = header.attributes[column], float(self.lower[row, j]), float(self.upper[row, j])
            if np.isneginf(lower) and np.isposinf(upper):
                continue
            if attribute.is_nominal:
                accepts = tuple(value for i, value in enumerate(attribute.values) if lower <= i <= upper)
                found[column] = LimitTest(attribute.name, accepts=accepts)
                continue
            told = "both" if lower == upper else closed
            lower = math.nextafter(lower, -math.inf) if told in ("upper", "neither") else lower
            upper = math.nextafter(upper, math.inf) if told in ("lower", "neither") else upper
            found[column] = LimitTest(attribute.name, lower, upper, told)
        for j, column in enumerate(self.nominal.tolist()):
            attribute = header.attributes[column]
            seen = self.accepts[row, self.first_value[j] : self.first_value[j + 1]]
            if not seen.all():
                accepts = tuple(value for value, is_seen in zip(attribute.values, seen, strict=True) if is_seen)
                found[column] = LimitTest(attribute.name, accepts=accepts)
        return tuple(found[column] for column in sorted(found))

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


def alpha_of(alpha: float | None, p_total: float | None, n_numeric: int) -> float:
    """α as given, or 1 − P^(1/N) so that N tests together accept with probability P; .05 when neither is given."""
    if p_total is None:
        return ALPHA if alpha is None else alpha
    return -float(np.expm1(np.log(p_total) / max(n_numeric, 1)))
