"""The distance of instances from the limits of their nodes, compiled; equal bit for bit to the numpy form."""

from __future__ import annotations

import numpy as np

from wekaconf.tree.compiled import walk
from wekaconf.tree.compiling import jit


@jit
def distances(
    values, attribute, limit, equals, in_subset, first_child,
    row_of, numeric, center, half_scale, ranged, lower, upper, nominal, first_value, accepts, rejects,
):  # fmt: skip
    """See `Limits.distance`; also whether each instance stops whole. The distances of the others mean nothing."""
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
            largest = deviation if deviation > largest else largest  # a NaN is ignored
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
