"""How far instances lie from the limits of the nodes where they stop, compiled; equal bit for bit to the numpy form."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wekaconf.characteristic.limits import Limits
from wekaconf.compiled import jit, walk
from wekaconf.dataset import FloatArray
from wekaconf.routing import Router


def distances(limits: Limits, router: Router, values: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """See `Limits.distance`; and whether the instance stops whole, else its distance says nothing."""
    return _distances(
        np.ascontiguousarray(values),
        router.attribute, router.limit, router.equals, router.in_subset, router.first_child, limits.row,
        limits.numeric, limits.center, limits.half_scale, limits.ranged, limits.lower, limits.upper, limits.nominal,
        limits.first_value, limits.accepts, limits.rejects,
    )  # fmt: skip


@jit
def _distances(
    values, attribute, limit, equals, in_subset, first_child,
    row_of, numeric, center, half_scale, ranged, lower, upper, nominal, first_value, accepts, rejects,
):  # fmt: skip
    furthest = np.zeros(len(values))
    is_whole = np.ones(len(values), dtype=np.bool_)
    for i in range(len(values)):
        cells = values[i]
        node = walk(cells, 0, attribute, limit, equals, in_subset, first_child)
        if attribute[node] >= 0:
            is_whole[i] = False
            continue
        row = row_of[node]
        largest = np.inf if rejects[row] else 0.0
        for j in range(len(numeric)):
            deviation = abs(0.5 * cells[numeric[j]] - 0.5 * center[row, j]) / half_scale[row, j]
            largest = deviation if deviation > largest else largest  # NaN is no deviation
        for j in range(len(ranged)):
            value = cells[ranged[j]]
            if value < lower[row, j] or value > upper[row, j]:
                largest = np.inf
        for j in range(len(nominal)):
            value = cells[nominal[j]]
            if not np.isnan(value) and not accepts[row, first_value[j] + int(value)]:
                largest = np.inf
        furthest[i] = largest
    return furthest, is_whole
