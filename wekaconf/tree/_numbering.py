"""Numbers the nodes of a binary tree as `TreeMirror` wants them: breadth-first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import Int32Array


def breadth_first(first: NDArray[Any], second: NDArray[Any]) -> tuple[NDArray[np.intp], Int32Array, Int32Array]:
    """The nodes of a binary tree, level by level.

    Parameters
    ----------
    first, second : (n,) integers
        The two children of each node, negative at leaves; node 0 is the root.

    Returns
    -------
    order : (n_nodes,) intp
        The nodes that the root leads to, in breadth-first order.
    parent, first_child : (n_nodes,) int32
        In the new numbers: the parent, −1 at the root; the first of the two children, −1 at leaves. Cost: O(n_nodes).
    """
    level, begin = np.zeros(1, dtype=np.intp), 0
    levels, parents = [level], [np.full(1, -1)]
    while len(level):
        inner = np.flatnonzero(first[level] >= 0)
        parents.append(np.repeat(begin + inner, 2))
        begin += len(level)
        level = np.column_stack((first[level[inner]], second[level[inner]])).astype(np.intp).ravel()
        levels.append(level)
    order, parent = np.concatenate(levels), np.concatenate(parents).astype(np.int32)
    first_child = np.where(first[order] >= 0, np.int32(0), np.int32(-1))
    first_child[first_child == 0] = np.arange(1, len(order), 2)
    return order, parent, first_child
