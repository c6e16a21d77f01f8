"""Mirrors of binary trees whose nodes are numbered in the order of the program that grew them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.data import Header
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.tree._kinds import LEAF, NOMINAL_SUBSET, NUMERIC_LE, NUMERIC_LT, Routing
from wekaconf.tree._mirror import TreeMirror

NO_FLAGS = np.zeros(0, dtype=np.bool_)


def binary_tree(
    header: Header, routing: Routing, first: NDArray[Any], second: NDArray[Any], *, split_kind: ArrayLike = NUMERIC_LE,
    split_attribute: NDArray[Any], split_point: FloatArray, split_value: ArrayLike = -1, split_subset: NDArray[np.bool_]
    = NO_FLAGS, class_weight: FloatArray, total: FloatArray | None = None, branch_weight: FloatArray, learner: str,
    options: str = "",
) -> TreeMirror:  # fmt: skip
    """The mirror of a binary tree; nodes that its root does not lead to are left out.

    Parameters
    ----------
    header, routing, learner, options
        See `TreeMirror`.
    first, second : (n,) integers
        The two children of each node, negative at leaves; node 0 is the root.
    split_kind, split_attribute, split_point, split_value, split_subset, class_weight, branch_weight
        See `TreeMirror`. Nodes may be in any order; what such a node does not have is ignored.
    total : (n,) float64, optional
        Left out: the sums of ``class_weight``.

    Returns
    -------
    TreeMirror
        Cost: O(n · n_classes).
    """
    order, parent, first_child = _breadth_first(first, second)
    is_leaf = first_child < 0
    kind = np.where(is_leaf, LEAF, np.broadcast_to(split_kind, len(first))[order])
    is_numeric = (kind == NUMERIC_LE) | (kind == NUMERIC_LT)
    attribute = np.where(is_leaf, -1, split_attribute[order])
    value = np.where(is_leaf | is_numeric, -1, np.broadcast_to(split_value, len(first))[order])
    is_subset = kind == NOMINAL_SUBSET
    n_flags = np.where(is_subset, header.n_values[attribute], 0)
    flags = [split_subset[begin : begin + n] for begin, n in zip(value[is_subset], n_flags[is_subset], strict=True)]
    weight = class_weight[order]
    sums = weight.sum(axis=1)
    share = branch_weight[order]
    share[0] = np.nan
    return TreeMirror(
        header=header,
        routing=routing,
        parent=parent,
        first_child=first_child,
        n_branches=np.where(is_leaf, 0, 2),
        split_kind=kind,
        split_attribute=attribute,
        split_point=np.where(is_numeric, split_point[order], np.nan),
        split_value=np.where(is_subset, np.cumsum(n_flags) - n_flags, value),
        split_subset=np.concatenate([NO_FLAGS, *flags]),
        class_weight=weight,
        total=sums if total is None else total[order],
        branch_weight=share,
        branch_class_weight=np.full(weight.shape, np.nan),
        is_empty=sums == 0,
        learner=learner,
        options=options,
    )


def _breadth_first(first: NDArray[Any], second: NDArray[Any]) -> tuple[NDArray[np.intp], Int32Array, Int32Array]:
    """The nodes level by level, and in the new numbers the parent of each, −1 at the root, and its first child."""
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
