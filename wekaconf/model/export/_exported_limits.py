"""The limits of a characteristic tree in an exported model: tests of the cells of a row at the leaf where it stops."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from wekaconf.methods.characteristic import LimitMethod
from wekaconf.model.export._tested_column import TestedColumn

FURTHEST = 36.0
"""Deviations from which on the tail probability is less than 1e-280, and so 0 beside any other."""
_MOST = 2**63 - 1


class DeviationTest(NamedTuple):
    """How far a number is from the center: |number / 2 − center / 2| / half_scale deviations.

    Parameters
    ----------
    column : int
        Index into `ExportedModel.columns`.
    center, half_scale : float
    """

    column: int
    center: float
    half_scale: float


class RangeTest(NamedTuple):
    """Whether a number is at least ``lower`` and at most ``upper``.

    Parameters
    ----------
    column : int
        Index into `ExportedModel.columns`.
    lower, upper : float
    """

    column: int
    lower: float
    upper: float


class ValueTest(NamedTuple):
    """Whether a nominal value, or the bin of a number that the filters have cut, is accepted.

    Parameters
    ----------
    column : int
        Index into `ExportedModel.columns`.
    ends : tuple of float or None
        Of a number, whose bin is the number of ends that are smaller; None: the column is nominal.
    accepts : tuple of bool
        For each value, or bin.
    """

    column: int
    ends: tuple[float, ...] | None
    accepts: tuple[bool, ...]


LeafTests = tuple[DeviationTest | RangeTest | ValueTest, ...] | None
"""The tests at a node, of which a missing cell passes all; None: the node accepts nothing."""


def leaf_tests(method: LimitMethod, seen: Sequence[TestedColumn]) -> dict[int, LeafTests]:
    """The tests at each node where an instance may stop; their columns are those of the tree."""
    rows = method.limits_.row.tolist()
    return {node: _tests_at(method, row, seen) for node, row in enumerate(rows) if row >= 0}


def renumber_columns(tests: LeafTests, places: Mapping[int, int]) -> LeafTests:
    """The tests, with the columns of the exported model."""
    return None if tests is None else tuple(test._replace(column=places[test.column]) for test in tests)


def columns_tested(tests: Iterable[LeafTests]) -> set[int]:
    """The columns of all tests."""
    return {test.column for at_node in tests for test in at_node or ()}


def _tests_at(method: LimitMethod, row: int, seen: Sequence[TestedColumn]) -> LeafTests:
    limits, attributes = method.limits_, method.tree_.header.attributes
    if limits.rejects[row]:
        return None
    tests: list[DeviationTest | RangeTest | ValueTest] = []
    for j, column in enumerate(limits.numeric.tolist()):
        center, half_scale = float(limits.center[row, j]), float(limits.half_scale[row, j])
        if half_scale == 0:
            tests.append(RangeTest(column, center, center))
        elif half_scale < math.inf:
            tests.append(DeviationTest(column, center, half_scale))
    for j, column in enumerate(limits.ranged.tolist()):
        lower, upper = float(limits.lower[row, j]), float(limits.upper[row, j])
        if attributes[column].is_nominal:
            accepts = tuple(lower <= i <= upper for i in range(len(attributes[column].values)))
            tests.append(_value_test(column, accepts, seen))
        else:
            tests.append(RangeTest(column, lower, upper))
    for j, column in enumerate(limits.nominal.tolist()):
        flags = limits.accepts[row, limits.first_value[j] : limits.first_value[j + 1]]
        tests.append(_value_test(column, tuple(flags.tolist()), seen))
    return tuple(sorted(filter(_can_fail, tests), key=lambda test: test.column))


def _value_test(column: int, accepts: tuple[bool, ...], seen: Sequence[TestedColumn]) -> ValueTest:
    cuts = seen[column].cuts
    return ValueTest(column, None if cuts is None else tuple(cuts.tolist()), accepts)


def _can_fail(test: DeviationTest | RangeTest | ValueTest) -> bool:
    """Whether a cell may fail the test."""
    if isinstance(test, RangeTest):
        return test.lower > -math.inf or test.upper < math.inf
    return isinstance(test, DeviationTest) or not all(test.accepts)


# -- bounds ----------------------------------------------------------------------------------------------------------


def bounds(test: DeviationTest, threshold: float) -> RangeTest:
    """The smallest and the largest number whose tail probability is not below a threshold in (0, 1]."""
    reach = _largest(lambda z: math.erfc(z / math.sqrt(2)) >= threshold, 0.0, FURTHEST)

    def is_inside(number: float) -> bool:
        return abs(0.5 * number - 0.5 * test.center) / test.half_scale <= reach

    lower = -_largest(lambda number: is_inside(-number), -test.center, math.inf)
    return RangeTest(test.column, lower, _largest(is_inside, test.center, math.inf))


def _largest(is_inside: Callable[[float], bool], first: float, last: float) -> float:
    """The largest number from ``first``, which is inside, to ``last`` that is; beyond it none is."""
    if is_inside(last):
        return last
    low, high = _rank(first), _rank(last)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_inside(_of_rank(middle)) else (low, middle)
    return _of_rank(low)


def _rank(number: float) -> int:
    """The place of a number among all doubles; that of 0 is 0."""
    bits: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return bits if bits >= 0 else -(bits & _MOST)


def _of_rank(rank: int) -> float:
    number: float = struct.unpack("<d", struct.pack("<q", abs(rank)))[0]
    return math.copysign(number, rank) if rank else 0.0
