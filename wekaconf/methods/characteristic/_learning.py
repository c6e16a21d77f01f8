"""Learning the limits: the values of each attribute that each node accepts, from the instances that reach it whole."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import SMALLEST
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.tree import NodeInstances, TreeMirror

LARGEST = float(np.finfo(float).max)


@dataclass(frozen=True, eq=False)
class TestedColumns:
    """The tested attributes, by kind of test. The class and string and relational attributes are not tested.

    Parameters
    ----------
    numeric : (n_numeric,) int32
        Columns with a mean and a deviation.
    ranged : (n_ranged,) int32
        Columns with a smallest and a largest value.
    nominal : (n_nominal,) int32
        Columns with a set of values.
    first_value : (n_nominal + 1,) int32
        Where the values of each of ``nominal`` begin if all values are listed one after the other.
    """

    numeric: Int32Array
    ranged: Int32Array
    nominal: Int32Array
    first_value: Int32Array

    @classmethod
    def of(cls, header: Header, *, is_sd: bool) -> Self:
        """The tested columns of a header."""
        numeric: list[int] = []
        ranged: list[int] = []
        nominal: list[int] = []
        for column, attribute in enumerate(header.attributes):
            if column == header.class_index:
                continue
            if header.is_ordered[column]:
                (numeric if is_sd else ranged).append(column)
            elif attribute.is_nominal:
                nominal.append(column)
        n_values = header.n_values[nominal]
        first_value = np.concatenate(([0], np.cumsum(n_values)))
        return cls(*(np.array(part, dtype=np.int32) for part in (numeric, ranged, nominal, first_value)))


class Tests(NamedTuple):
    """The values that are accepted, one row per node. See `wekaconf.methods.characteristic._limits.Limits`."""

    center: NDArray[Any]
    half_scale: NDArray[Any]
    lower: NDArray[Any]
    upper: NDArray[Any]
    accepts: NDArray[Any]


def learn(tree: TreeMirror, train: Dataset, columns: TestedColumns, closed: str) -> dict[str, NDArray[Any]]:
    """The arrays of a `wekaconf.methods.characteristic._limits.Limits`. Cost: O(n_instances · n_attributes)."""
    instances, stops = NodeInstances.of(tree, train), tree.router.stops
    nodes = np.flatnonzero(stops)
    return {
        **vars(columns),
        **_tests(instances, nodes, train, columns, closed)._asdict(),
        "row": rows_of(stops),
        "rejects": instances.begin[nodes] == instances.end[nodes],
    }


def rows_of(stops: NDArray[np.bool_]) -> Int32Array:
    """(n_nodes,) int32: the row of each node where instances stop, −1 for the other nodes."""
    return np.where(stops, np.cumsum(stops, dtype=np.int32) - 1, np.int32(-1)).astype(np.int32)


def _no_tests(columns: TestedColumns, n_nodes: int) -> Tests:
    numeric, ranged = (n_nodes, len(columns.numeric)), (n_nodes, len(columns.ranged))
    return Tests(
        np.zeros(numeric),
        np.full(numeric, np.inf),
        np.full(ranged, -np.inf),
        np.full(ranged, np.inf),
        np.ones((n_nodes, columns.first_value[-1]), dtype=np.bool_),
    )


def _tests(
    instances: NodeInstances, nodes: NDArray[np.intp], train: Dataset, columns: TestedColumns, closed: str
) -> Tests:
    """The tests that nodes learn from their instances."""
    tests = _no_tests(columns, len(nodes))
    sizes = (instances.end[nodes] - instances.begin[nodes]).astype(np.intp)
    filled = np.flatnonzero(sizes)
    if not len(filled):
        return tests
    sizes = sizes[filled]
    group = np.repeat(np.arange(len(filled)), sizes)
    place = np.arange(len(group)) + np.repeat(instances.begin[nodes[filled]] - np.cumsum(sizes) + sizes, sizes)
    members = instances.order[place]
    begin = np.flatnonzero(np.diff(group, prepend=-1))
    values = train.values[members]
    if len(columns.numeric):
        tests.center[filled], tests.half_scale[filled] = _normal(
            values[:, columns.numeric], train.weights[members], group, begin
        )
    if len(columns.ranged):
        cells = values[:, columns.ranged]
        is_missing = np.isnan(cells)
        lower = np.minimum.reduceat(np.where(is_missing, np.inf, cells), begin)
        upper = np.maximum.reduceat(np.where(is_missing, -np.inf, cells), begin)
        is_known = ~np.logical_and.reduceat(is_missing, begin)
        lower, upper = _closed_limits(lower, upper, closed)
        tests.lower[filled] = np.where(is_known, lower, -np.inf)
        tests.upper[filled] = np.where(is_known, upper, np.inf)
    for column, first, after in zip(columns.nominal, columns.first_value[:-1], columns.first_value[1:], strict=True):
        known = np.flatnonzero(~np.isnan(values[:, column]))
        at = filled[group[known]]
        tests.accepts[at, first:after] = False
        tests.accepts[at, first + values[known, column].astype(np.intp)] = True
    return tests


def _normal(
    values: FloatArray, weights: FloatArray, group: NDArray[np.intp], begin: NDArray[np.intp]
) -> tuple[FloatArray, FloatArray]:
    """(n_nodes, n_columns) each: mean, and half the deviation: 0 for a single value, ∞ where values give no test."""
    is_finite = np.isfinite(values)
    low = np.minimum.reduceat(np.where(is_finite, values, np.inf), begin)
    high = np.maximum.reduceat(np.where(is_finite, values, -np.inf), begin)
    count = np.add.reduceat(is_finite, begin, dtype=np.int64)
    is_varied = low < high
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        exponent = np.frexp(np.where(count > 0, np.maximum(np.abs(low), np.abs(high)), 0.0))[1]
        scaled = np.ldexp(np.where(is_finite, values, 0.0), -exponent[group])  # below 1: no square overflows
        share = weights[:, None] * is_finite
        total = np.add.reduceat(share, begin)
        mean = np.add.reduceat(share * scaled, begin) / total
        squares = np.add.reduceat(share * (scaled - mean[group]) ** 2, begin)
        deviation = np.sqrt(squares / total * count / (count - 1))
        half_scale = np.ldexp(0.5 * deviation, exponent)
        center = np.clip(np.ldexp(mean, exponent), low, high)
    half_scale = np.where(is_varied, np.clip(half_scale, SMALLEST, LARGEST), 0.0)
    has_low, has_high = (np.logical_or.reduceat(values == end, begin) for end in (-np.inf, np.inf))
    center = np.where(count > 0, center, np.where(has_high, np.inf, -np.inf))
    is_known = (count > 0) | (has_low != has_high)
    return np.where(is_known, center, 0.0), np.where(is_known, half_scale, np.inf)


def deviations(values: FloatArray, center: FloatArray, half_scale: FloatArray) -> FloatArray:
    """(n, n_columns) float64: distances from the center in units of the scale.

    NaN where the value is missing, equals the only value accepted, or is infinite and not tested.
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        return np.asarray(np.abs(0.5 * values - 0.5 * center) / half_scale)  # halves, as the difference may overflow


def largest(deviations: FloatArray) -> FloatArray:
    """(n,) float64: the largest value of each row, NaN counting as 0."""
    return np.asarray(np.fmax.reduce(deviations, axis=1, initial=0.0))


@lru_cache
def normal_quantile(alpha: float) -> float:
    """z(1 − α/2) of the standard normal distribution."""
    from scipy.special import ndtri

    return -float(ndtri(alpha / 2))


def _closed_limits(lower: FloatArray, upper: FloatArray, closed: str) -> tuple[FloatArray, FloatArray]:
    """Closed limits of the same intervals, moved inwards where an end does not belong to them; single values stay."""
    is_varied = lower < upper
    with np.errstate(over="ignore", under="ignore"):
        above, below = np.nextafter(lower, np.inf), np.nextafter(upper, -np.inf)
    return (
        np.where(is_varied & (closed in ("upper", "neither")), above, lower),
        np.where(is_varied & (closed in ("lower", "neither")), below, upper),
    )
