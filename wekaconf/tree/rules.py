"""The rules of every learner, which turn the arrays of a tree into a router."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray
from wekaconf.tree.arrays import TreeArrays
from wekaconf.tree.kinds import LEAF, NOMINAL_EACH, NOMINAL_SUBSET, NUMERIC_LT, Routing
from wekaconf.tree.router import Router, normalised, sequential_sum


def router_of(tree: TreeArrays) -> Router:
    """The router of a tree."""
    limit = single_precision_limit(tree.split_point) if tree.routing.is_cart else tree.split_point
    if (is_below := tree.split_kind == NUMERIC_LT).any():
        with np.errstate(over="ignore"):
            limit = np.where(is_below, np.nextafter(tree.split_point, -np.inf), limit)
    equals = np.where(tree.split_kind >= NOMINAL_EACH, tree.split_value, np.nan)
    if len(tree.split_subset):
        equals = np.where(tree.split_kind == NOMINAL_SUBSET, -2 - equals, equals)
    stops = (tree.split_kind == LEAF) | (tree.is_empty if tree.routing.is_j48 else False)
    stops[0] = tree.split_kind[0] == LEAF
    share = tree.branch_weight
    if tree.routing.is_j48:
        with np.errstate(invalid="ignore", divide="ignore"):
            share = share / tree.total[tree.parent]
    enters = ~(tree.is_empty & stops)
    if tree.routing.is_cart:
        enters &= share != 0
    if tree.routing.adds_counts:
        enters = share > 0
        part, correction = _with_inherited(tree.class_weight.copy(), tree), float(tree.routing.is_laplace)
        answer = normalised(part, correction)
    else:
        answer = part = _answers(tree)
        correction = -1.0
    ones = np.ones(tree.n_nodes)
    return Router(
        n_classes=tree.header.n_classes,
        attribute=np.where(stops, np.int32(-1), tree.split_attribute).astype(np.int32),
        limit=limit,
        equals=equals,
        in_subset=tree.split_subset,
        first_child=tree.first_child,
        n_branches=tree.n_branches,
        enters=enters,
        down=share if tree.routing.is_j48 else ones,
        up=ones if tree.routing.is_j48 else share,
        answer=answer,
        part=part,
        correction=correction,
    )


def single_precision_limit(point: FloatArray) -> FloatArray:
    """The largest double that is at most ``point`` after rounding to single precision (halves to even).

    Parameters
    ----------
    point : (n,) float64
        NaN stays NaN, ∞ stays ∞.

    Returns
    -------
    (n,) float64
    """
    with np.errstate(over="ignore"):
        low = point.astype(np.float32)
        low = np.where(low > point, np.nextafter(low, np.float32(-np.inf)), low)
        high = np.nextafter(low, np.float32(np.inf))
        half = (_as_doubles(low) + _as_doubles(high)) / 2
        return np.where(np.isposinf(low), low, np.where(half.astype(np.float32) == low, half, np.nextafter(half, low)))


def _as_doubles(number: NDArray[np.float32]) -> FloatArray:
    """The numbers as doubles; an infinity becomes the number that would follow the largest one of single precision."""
    double = number.astype(np.float64)
    return np.where(np.isinf(double), np.copysign(2.0**128, double), double)


def _divide(weights: FloatArray, total: FloatArray, laplace: bool) -> FloatArray:
    if laplace:
        return (weights + 1.0) / (total + weights.shape[1])[:, None]
    return weights / total[:, None]


def _answers(tree: TreeArrays) -> FloatArray:
    if tree.routing.is_j48:
        return _j48_answers(tree)
    return _frequencies(tree) if tree.routing.is_cart else _stored_answers(tree)


def _frequencies(tree: TreeArrays) -> FloatArray:
    """The answers of CART's leaves; an empty leaf, which no grown tree has, has that of its nearest ancestor."""
    with np.errstate(invalid="ignore", divide="ignore"):
        answer = _divide(tree.class_weight, tree.total, tree.routing.is_laplace)
    return _with_inherited(answer, tree)


def _with_inherited(answer: FloatArray, tree: TreeArrays) -> FloatArray:
    """The same answers, in place, with each empty node's replaced by that of its parent."""
    for node in np.flatnonzero(tree.is_empty):
        if node:
            answer[node] = answer[tree.parent[node]]
    return answer


def _j48_answers(tree: TreeArrays) -> FloatArray:
    """Weka's Distribution.prob and laplaceProb; an empty child answers with its branch, or with its parent."""
    laplace = tree.routing.is_laplace
    with np.errstate(invalid="ignore", divide="ignore"):
        node_answer = _divide(tree.class_weight, tree.total, laplace)
        branch_answer = _divide(tree.branch_class_weight, tree.branch_weight, laplace)
    if not laplace:
        node_answer[np.abs(tree.total) < 1e-6] = 0.0
    empty = 1 + np.flatnonzero(tree.is_empty[1:])
    has_branch = (tree.branch_weight[empty] > 1e-6)[:, None]
    answer = node_answer.copy()
    answer[empty] = np.where(has_branch, branch_answer[empty], node_answer[tree.parent[empty]])
    return answer


def _stored_answers(tree: TreeArrays) -> FloatArray:
    """The answers of REPTree's and RandomTree's leaves; a leaf without one has that of its nearest ancestor."""
    answer = tree.class_weight.copy()
    if tree.routing != Routing.REPTREE:
        sums = sequential_sum(answer)
        answer[sums != 0] /= sums[sums != 0, None]
    return answer if tree.routing == Routing.RANDOMTREE_UNCLASSIFIED else _with_inherited(answer, tree)
