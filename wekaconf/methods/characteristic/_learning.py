"""Learning the limits: the values of each attribute that each node accepts, from the instances that reach it whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list
from wekaconf.base.stored import SMALLEST
from wekaconf.base.words import Argument
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.tree import NodeInstances, TreeMirror

LARGEST = float(np.finfo(float).max)


@dataclass(frozen=True)
class Rule:
    """The rule by which limits are learned; the fields are the parameters of ID3-SD and ID3-Max of the same names."""

    limits: str = "normal"
    confidence: float = 0.95
    zero_variance: str = "exact"
    trim: float = 0.0
    closed: str = "both"


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
    def of(cls, header: Header, ordered: str | Sequence[str], name: str, *, is_sd: bool) -> Self:
        """The tested columns of a header; OptionError for ``name`` if ``ordered`` has names that are not nominal."""
        in_order = _ordered_columns(header, ordered, name)
        numeric: list[int] = []
        ranged: list[int] = []
        nominal: list[int] = []
        for column, attribute in enumerate(header.attributes):
            if column == header.class_index:
                continue
            if header.is_ordered[column]:
                (numeric if is_sd else ranged).append(column)
            elif attribute.is_nominal:
                (ranged if column in in_order else nominal).append(column)
        n_values = header.n_values[nominal]
        first_value = np.concatenate(([0], np.cumsum(n_values)))
        return cls(*(np.array(part, dtype=np.int32) for part in (numeric, ranged, nominal, first_value)))


def _ordered_columns(header: Header, ordered: str | Sequence[str], name: str) -> set[int]:
    names = [attribute.name for attribute in header.attributes]
    if isinstance(ordered, str):
        ordered = [ordered] if ordered and ordered in names else [part for part in ordered.split("+") if part]
    nominal = [
        attribute.name
        for column, attribute in enumerate(header.attributes)
        if attribute.is_nominal and column != header.class_index
    ]
    for label in ordered:
        if label not in nominal:
            known = f"one of {name_list(nominal, label)}" if nominal else "none, since the data have none"
            raise OptionError(
                Argument("ordered", name), f" must name nominal attributes ({known}), got '{label}'", of=name
            )
    return {names.index(label) for label in ordered}


class Tests(NamedTuple):
    """The values that are accepted, one row per node. See `wekaconf.methods.characteristic._limits.Limits`."""

    center: NDArray[Any]
    half_scale: NDArray[Any]
    lower: NDArray[Any]
    upper: NDArray[Any]
    accepts: NDArray[Any]


def learn(tree: TreeMirror, train: Dataset, columns: TestedColumns, rule: Rule) -> dict[str, NDArray[Any]]:
    """The arrays of a `wekaconf.methods.characteristic._limits.Limits`.

    Cost: O(n_instances · n_attributes), times the depth of the tree if nodes inherit limits from those above them.
    """
    instances, stops = NodeInstances.of(tree, train), tree.router.stops
    compared = np.flatnonzero(stops)
    inherits = rule.zero_variance == "parent"
    by_level = []
    above, first_above = _no_tests(columns), 0
    for nodes in [np.arange(*level) for level in tree.levels] if inherits else [compared]:
        own_tests, has_test = _node_tests(instances, nodes, train, columns, rule)
        parent = np.maximum(tree.parent[nodes] - first_above, 0) if inherits else np.zeros(len(nodes), dtype=np.intp)
        parts = zip(has_test, own_tests, above, strict=True)
        tests = Tests(*(np.where(is_set, values, values_above[parent]) for is_set, values, values_above in parts))
        by_level.append(Tests(*(part[stops[nodes]] for part in tests)))
        if inherits:
            above, first_above = tests, int(nodes[0])
    tests = Tests(*(np.concatenate(parts) for parts in zip(*by_level, strict=True)))
    is_empty = instances.begin[compared] == instances.end[compared]
    return {
        **vars(columns),
        **tests._asdict(),
        "row": rows_of(stops),
        "rejects": is_empty & (rule.zero_variance == "exact"),
    }


def rows_of(stops: NDArray[np.bool_]) -> Int32Array:
    """(n_nodes,) int32: the row of each node where instances stop, −1 for the other nodes."""
    return np.where(stops, np.cumsum(stops, dtype=np.int32) - 1, np.int32(-1)).astype(np.int32)


def _no_tests(columns: TestedColumns, n_nodes: int = 1) -> Tests:
    numeric, ranged = (n_nodes, len(columns.numeric)), (n_nodes, len(columns.ranged))
    return Tests(
        np.zeros(numeric),
        np.full(numeric, np.inf),
        np.full(ranged, -np.inf),
        np.full(ranged, np.inf),
        np.ones((n_nodes, columns.first_value[-1]), dtype=np.bool_),
    )


def _node_tests(
    instances: NodeInstances, nodes: NDArray[np.intp], train: Dataset, columns: TestedColumns, rule: Rule
) -> tuple[Tests, Tests]:
    """The tests that nodes learn from their own instances, and in the same shape whether there is such a test."""
    tests = _no_tests(columns, len(nodes))
    has_test = Tests(*(np.zeros(part.shape, dtype=np.bool_) for part in tests))
    sizes = (instances.end[nodes] - instances.begin[nodes]).astype(np.intp)
    filled = np.flatnonzero(sizes)
    if not len(filled):
        return tests, has_test
    sizes = sizes[filled]
    group = np.repeat(np.arange(len(filled)), sizes)
    place = np.arange(len(group)) + np.repeat(instances.begin[nodes[filled]] - np.cumsum(sizes) + sizes, sizes)
    members = instances.order[place]
    if rule.trim > 0 and len(columns.numeric):
        kept = _is_kept(train, members, group, columns, rule.trim)
        members, group = members[kept], group[kept]
    begin = np.flatnonzero(np.diff(group, prepend=-1))
    values, weights = train.values[members], train.weights[members]
    accepts_single = rule.zero_variance == "exact"
    if len(columns.numeric):
        center, half_scale, is_known = _normal(values[:, columns.numeric], weights, group, begin, rule)
        tests.center[filled], tests.half_scale[filled] = center, half_scale
        has_test.center[filled] = has_test.half_scale[filled] = is_known & (accepts_single | (half_scale > 0))
    if len(columns.ranged):
        cells = values[:, columns.ranged]
        is_missing = np.isnan(cells)
        lower = np.minimum.reduceat(np.where(is_missing, np.inf, cells), begin)
        upper = np.maximum.reduceat(np.where(is_missing, -np.inf, cells), begin)
        tests.lower[filled], tests.upper[filled] = _closed_limits(lower, upper, rule.closed)
        is_known = ~np.logical_and.reduceat(is_missing, begin)
        has_test.lower[filled] = has_test.upper[filled] = is_known & (accepts_single | (lower < upper))
    for column, first, after in zip(columns.nominal, columns.first_value[:-1], columns.first_value[1:], strict=True):
        known = np.flatnonzero(~np.isnan(values[:, column]))
        at = filled[group[known]]
        seen = np.zeros((len(nodes), after - first), dtype=np.bool_)
        seen[at, values[known, column].astype(np.intp)] = True
        tests.accepts[:, first:after] = seen
        has_test.accepts[at, first:after] = True
    return tests, has_test


def _normal(
    values: FloatArray, weights: FloatArray, group: NDArray[np.intp], begin: NDArray[np.intp], rule: Rule
) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """(n_nodes, n_columns) each: mean, half the scale (0 for a single value), and whether the values give a test."""
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
        half_scale = np.ldexp(0.5 * deviation * _factor(count, rule), exponent)
        center = np.clip(np.ldexp(mean, exponent), low, high)
    half_scale = np.where(is_varied, np.clip(half_scale, SMALLEST, LARGEST), 0.0)
    has_low, has_high = (np.logical_or.reduceat(values == end, begin) for end in (-np.inf, np.inf))
    center = np.where(count > 0, center, np.where(has_high, np.inf, -np.inf))
    return center, half_scale, (count > 0) | (has_low != has_high)


def _factor(count: NDArray[np.int64], rule: Rule) -> FloatArray:
    """The factor on the deviation: more than 1 for limits that are to hold with a given confidence (Howe 1969)."""
    if rule.limits == "normal":
        return np.ones(count.shape)
    from scipy.special import gammaincinv

    freedom = np.maximum(count - 1, 1)
    return np.sqrt(freedom * (1 + 1 / np.maximum(count, 1)) / (2 * gammaincinv(freedom / 2, 1 - rule.confidence)))


def _is_kept(
    train: Dataset, members: NDArray[np.intp], group: NDArray[np.intp], columns: TestedColumns, trim: float
) -> NDArray[np.bool_]:
    """(n_members,) bool: whether all values lie within the group's limits at α = trim, or no member of it does."""
    begin = np.flatnonzero(np.diff(group, prepend=-1))
    values = train.values[np.ix_(members, columns.numeric)]
    center, half_scale, _ = _normal(values, train.weights[members], group, begin, Rule())
    kept = largest(deviations(values, center[group], half_scale[group])) <= normal_quantile(trim)
    has_kept = np.logical_or.reduceat(kept, begin)
    return np.asarray(kept | ~has_kept[group])


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
