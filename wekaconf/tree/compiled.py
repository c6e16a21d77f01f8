"""The routing of `wekaconf.tree._router`, compiled by numba for large batches; equal to it bit for bit."""

from __future__ import annotations

import numpy as np

from wekaconf.tree.compiling import jit

# With a signed index numba looks whether it counts from the end, at each of two loads per step; that was half of the
# time of a prediction.
STEP = np.dtype([("limit", np.float64), ("attribute", np.uint32), ("child", np.uint32)])
"""The numbers that a step down from a node reads, side by side in memory; indices without a sign are faster."""
ABREAST = 8
"""Number of rows that go down together: while one waits for memory, the others take their steps."""


@jit
def child_of(node, value, limit, equals, in_subset, first_child):
    """The child that a known value leads to."""
    if np.isnan(equals[node]):
        return first_child[node] + (0 if value <= limit[node] else 1)
    if equals[node] < 0:
        if equals[node] < -1:
            return first_child[node] + (0 if in_subset[-2 - int(equals[node]) + int(value)] else 1)
        return first_child[node] + int(value)
    return first_child[node] + (0 if int(value) == int(equals[node]) else 1)


@jit
def walk(cells, node, attribute, limit, equals, in_subset, first_child):
    """The node where an instance stops, or the first node where its value is missing; most splits are on numbers."""
    while attribute[node] >= 0:
        value = cells[attribute[node]]
        if value <= limit[node]:
            node = first_child[node]
        elif value > limit[node]:
            node = first_child[node] + 1
        elif np.isnan(value):
            return node
        else:
            node = child_of(node, value, limit, equals, in_subset, first_child)
    return node


@jit
def steps_of(attribute, limit, equals, first_child):
    """The `STEP` of each node if all splits are on numbers, else none; from a leaf the step leads to the leaf."""
    steps = np.empty(len(attribute), STEP)
    for node in range(len(attribute)):
        is_leaf = attribute[node] < 0
        if not is_leaf and (np.isnan(limit[node]) or not np.isnan(equals[node])):
            return steps[:0]
        steps[node]["limit"] = np.inf if is_leaf else limit[node]  # by name, which numpy knows too if nothing compiles
        steps[node]["attribute"] = np.uint32(0 if is_leaf else attribute[node])
        steps[node]["child"] = np.uint32(node if is_leaf else first_child[node])
    return steps


@jit
def last_whole_nodes(values, start, attribute, limit, equals, in_subset, first_child):
    """The result of `walk` for each row; a choice of two nodes costs less than a mispredicted branch."""
    nodes = start.copy()
    steps = steps_of(attribute, limit, equals, first_child)
    n_abreast = len(nodes) - len(nodes) % ABREAST if len(steps) else 0
    at = np.zeros(ABREAST, np.uint32)
    for first in range(0, n_abreast, ABREAST):
        for i in range(ABREAST):
            at[i] = np.uint32(nodes[first + i])
        moves = np.uint32(1)
        while moves:
            moves = np.uint32(0)
            for i in range(ABREAST):
                node = at[i]
                step = steps[node]
                value = values[np.uint64(first + i), step["attribute"]]
                to = step["child"] + np.uint32(value > step["limit"])
                if np.isnan(value):
                    to = node
                at[i] = to
                moves |= to ^ node
        for i in range(ABREAST):
            nodes[first + i] = at[i]
    for row in range(n_abreast, len(nodes)):
        nodes[row] = walk(values[row], nodes[row], attribute, limit, equals, in_subset, first_child)
    return nodes


@jit
def tree_depth(first_child, n_branches):
    """Number of splits on the longest path."""
    depth = np.zeros(len(first_child), dtype=np.int64)
    deepest = 0
    for node in range(len(first_child)):
        for branch in range(n_branches[node]):
            depth[first_child[node] + branch] = depth[node] + 1
            deepest = max(deepest, depth[node] + 1)
    return deepest


@jit
def mixture_stack(levels, n_classes):
    """Arrays for the stack of `mixture`: node, child, weight, up and sums of each frame."""
    ints, floats = np.zeros((2, levels), dtype=np.int64), np.zeros((2, levels))
    return ints[0], ints[1], floats[0], floats[1], np.zeros((levels, n_classes))


@jit
def mixture(
    cells, start, attribute, limit, equals, in_subset, first_child, n_branches, enters, down, up, part, correction,
    frame_node, frame_child, frame_weight, frame_up, sums, out,
):  # fmt: skip
    """Write the answer for an instance whose value is missing at ``start`` to ``out``; the frames are a stack."""
    n_classes = part.shape[1]
    level = 0
    frame_node[0], frame_child[0], frame_weight[0] = start, 0, 1.0
    sums[0, :] = 0.0
    while True:
        at = frame_node[level]
        if frame_child[level] < n_branches[at]:
            child = first_child[at] + frame_child[level]
            frame_child[level] += 1
            if not enters[child]:
                continue
            weight = down[child] * frame_weight[level]
            node = walk(cells, child, attribute, limit, equals, in_subset, first_child)
            if attribute[node] < 0:
                for c in range(n_classes):
                    sums[level, c] += up[child] * (part[node, c] * weight)
            else:
                level += 1
                frame_node[level], frame_child[level], frame_weight[level] = node, 0, weight
                frame_up[level] = up[child]
                sums[level, :] = 0.0
        elif level == 0:
            out[:] = sums[0]
            if correction >= 0:
                total = 0.0
                for c in range(n_classes):
                    total += out[c]
                for c in range(n_classes):
                    out[c] = (out[c] + correction) / (total + correction * n_classes)
            return
        else:
            for c in range(n_classes):
                sums[level - 1, c] += frame_up[level] * sums[level, c]
            level -= 1


@jit
def distributions(
    result, values, start, attribute, limit, equals, in_subset, first_child, n_branches, enters, down, up, answer,
    part, correction,
):  # fmt: skip
    """Write the result of `wekaconf.tree._router.Router.distributions` to ``result``; the arrays are the router's."""
    n_classes = answer.shape[1]
    levels = tree_depth(first_child, n_branches) + 1
    frame_node, frame_child, frame_weight, frame_up, sums = mixture_stack(levels, n_classes)
    nodes = last_whole_nodes(values, start, attribute, limit, equals, in_subset, first_child)
    for row, node in enumerate(nodes):
        if attribute[node] < 0:
            for c in range(n_classes):
                result[row, c] = answer[node, c]
        else:
            mixture(
                values[row], node, attribute, limit, equals, in_subset, first_child, n_branches, enters, down, up,
                part, correction, frame_node, frame_child, frame_weight, frame_up, sums, result[row],
            )  # fmt: skip
