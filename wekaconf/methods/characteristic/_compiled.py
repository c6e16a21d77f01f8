"""Instances and the limits of their nodes, compiled; equal bit for bit to the numpy forms."""

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


@jit
def first_broken(
    values, node, row_of, column, kind, place, center, half_scale, near, sure, lower, upper, first_value, accepts,
    rejects, most,
):  # fmt: skip
    """The limits that instances break at their nodes; see `Limits.first_broken`."""
    n_broken = np.empty(len(values), dtype=np.intp)
    first = np.empty((len(values), most + 1), dtype=np.intp)  # the last is written when no more are wanted
    is_sure = np.empty(len(values), dtype=np.bool_)
    for i in range(len(values)):
        cells, row = values[i], row_of[node[i]]
        first[i, 0] = -1
        n, n_close = np.intp(rejects[row]), 0
        for j in range(len(column)):
            value, at = cells[column[j]], place[j]
            if kind[j] == 0:
                deviation = abs(0.5 * value - 0.5 * center[row, at]) / half_scale[row, at]
                is_broken = deviation >= near
                n_close += is_broken & (deviation <= sure)
            elif kind[j] == 1:
                is_broken = (value < lower[row, at]) | (value > upper[row, at])
            else:
                is_broken = not np.isnan(value) and not accepts[row, first_value[at] + int(value)]
            first[i, min(n, most)] = column[j]
            n += is_broken
        n_broken[i], is_sure[i] = n, n_close == 0
    return n_broken, first, is_sure
