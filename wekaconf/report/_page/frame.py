"""The coordinates of a picture: axes with ticks, and curves as paths of few whole numbers.

Pictures are written, not drawn: matplotlib takes a third of a second and 30 to 60 kB for each, in fixed colours. As
such paths a hundred sets of ten methods are 2.6 MB, and colours follow the reader's light or dark page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.data.arrays import FloatArray, Int64Array

WIDTH, HEIGHT = 1000, 800
"""Units inside the frame; paths have whole numbers of them."""
PRECISION = 0.5
"""Units by which a drawn path may differ from its points, as much as rounding to whole units changes them."""
N_TICKS = 5


NARROWEST = 1e-9
"""Values whose range is a smaller share of their magnitude count as one value."""


@dataclass(frozen=True)
class Axis:
    """An axis, from ``low`` to ``high``.

    Parameters
    ----------
    label : str
    low, high : float
        Finite, low below high.
    ticks : tuple of float
    """

    label: str
    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def around(cls, label: str, values: ArrayLike, *, low: float | None = None) -> Axis:
        """An axis that holds all values, with round ticks; ``low`` fixes its beginning."""
        array = np.asarray(values, dtype=np.float64)
        array = array[np.isfinite(array)]
        begin = low if low is not None else float(array.min(initial=np.inf))
        end = float(array.max(initial=-np.inf))
        if not math.isfinite(begin) or not math.isfinite(end):
            begin, end = 0.0, 1.0
        if end - begin <= NARROWEST * max(1e-200, abs(begin), abs(end)):
            margin = max(1.0, NARROWEST * abs(begin))
            begin, end = (begin, begin + (abs(begin) or 1.0)) if low is not None else (begin - margin, begin + margin)
        step = _round_step((end - begin) / N_TICKS)
        first, last = math.ceil(begin / step - 1e-9), math.floor(end / step + 1e-9)
        return cls(label, begin, end, tuple(step * i for i in range(first, last + 1)))

    def share(self, values: ArrayLike) -> FloatArray:
        """The places of values along the axis, from 0 to 1."""
        return (np.asarray(values, dtype=np.float64) - self.low) / (self.high - self.low)

    @property
    def marked(self) -> list[tuple[float, str]]:
        """Place (0 to 1) and text of each tick."""
        return [(float(self.share(tick)), f"{tick:.6g}") for tick in self.ticks]


@dataclass(frozen=True)
class Frame:
    """Two axes at right angles."""

    x: Axis
    y: Axis

    def points(self, x: ArrayLike, y: ArrayLike) -> FloatArray:
        """(n, 2) float64: the points of values, in units from the upper left corner."""
        return np.column_stack((WIDTH * self.x.share(x), HEIGHT * (1.0 - self.y.share(y))))

    def places(self, x: ArrayLike, y: ArrayLike) -> list[tuple[int, int]]:
        """The points of values in whole units."""
        return [(int(a), int(b)) for a, b in np.rint(self.points(x, y))]

    def path(self, x: ArrayLike, y: ArrayLike) -> str:
        """A line through values, as the attribute ``d`` of an SVG path."""
        points: Int64Array = np.rint(thin(self.points(x, y), PRECISION)).astype(np.int64)
        if not len(points):
            return ""
        steps = np.diff(points, axis=0)
        steps = steps[steps.any(axis=1)]
        return f"M{points[0, 0]} {points[0, 1]}" + "".join(f"l{a} {b}" for a, b in steps)

    def boxes(self, corners: Sequence[tuple[float, float, float, float]]) -> str:
        """Rectangles, each given by two corners (x, y, x, y), as one path."""
        return "".join(
            f"M{a} {b}H{c}V{d}H{a}Z"
            for x0, y0, x1, y1 in corners
            for (a, b), (c, d) in [self.places([x0, x1], [y0, y1])]
        )


def thin(points: FloatArray, tolerance: float) -> FloatArray:
    """The points of a line that are enough to draw it within ``tolerance``.

    Parameters
    ----------
    points : (n, 2) float64
    tolerance : float

    Returns
    -------
    (n_kept, 2) float64
        The first and the last point are always kept.

    References
    ----------
    D. H. Douglas and T. K. Peucker (1973). Algorithms for the reduction of the number of points required to represent a
    digitized line or its caricature. Cartographica 10(2), 112-122.
    """
    kept = np.zeros(len(points), dtype=np.bool_)
    kept[[0, -1] if len(points) else []] = True
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        chord, away = points[last] - points[first], points[first + 1 : last] - points[first]
        length = math.hypot(*chord)
        along = np.clip(away @ chord / length**2, 0.0, 1.0) if length else np.zeros(len(away))
        distance = np.hypot(*(away - along[:, None] * chord).T)
        farthest = int(distance.argmax())
        if distance[farthest] > tolerance:
            middle = first + 1 + farthest
            kept[middle] = True
            spans += [(first, middle), (middle, last)]
    return points[kept]


def _round_step(step: float) -> float:
    """1, 2, 2½ or 5 times a power of ten, about as large."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if factor * power >= step * (1 - 1e-9))
