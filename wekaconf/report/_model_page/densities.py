"""Histograms of the values of each class at the splits of a tree.

Counts and no rows, since whoever passes a page on should not pass patients on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.tree import NodeInstances, TreeMirror

MOST_BINS = 24


def histograms(tree: TreeMirror, train: Dataset) -> dict[str, NDArray[Any]]:
    """The values of the split attribute by class, at every node with a numeric split.

    Parameters
    ----------
    tree : TreeMirror
    train : Dataset
        Instances with a class; a node counts those that reach it whole and with a finite value.

    Returns
    -------
    dict
        ``node``, ``low`` and ``width``, (n,): the node, the lower end of its first bin and the width of its bins, in
        the attribute's unit; ``first``, (n + 1,): where its entries begin; ``bin``, ``class`` and ``weight``,
        (n_entries,): the summed instance weights, where they are not 0.
    """
    nodes, low, width, entries = [], [], [], [np.zeros((0, 3))]
    for node, rows in NodeInstances.of(tree, train).at_splits(tree, train):
        values = train.values[rows, tree.split_attribute[node]]
        is_finite = np.isfinite(values)
        if np.isnan(tree.split_point[node]) or not is_finite.any():
            continue
        begin, size = _bins(values[is_finite])
        if not np.isfinite(begin + MOST_BINS * size):
            continue
        bins = np.clip(((values[is_finite] - begin) / size).astype(np.int64), 0, MOST_BINS - 1)
        counts = np.zeros((MOST_BINS, train.n_classes))
        np.add.at(counts, (bins, train.class_values[rows][is_finite]), train.weights[rows][is_finite])
        nonzero = np.nonzero(counts)
        nodes.append(node)
        low.append(begin)
        width.append(size)
        entries.append(np.column_stack((*nonzero, counts[nonzero])))
    entry = np.concatenate(entries)
    sizes = [len(node_entries) for node_entries in entries]
    return {
        "node": np.array(nodes, dtype=np.int32),
        "low": np.array(low, dtype=np.float64),
        "width": np.array(width, dtype=np.float64),
        "first": np.cumsum(sizes, dtype=np.int64),
        "bin": entry[:, 0],
        "class": entry[:, 1],
        "weight": entry[:, 2],
    }


def _bins(values: FloatArray) -> tuple[float, float]:
    """Lower end and width of at most 24 equal bins; a width is a multiple of the smallest difference of two values.

    So whole numbers do not fall between bins.
    """
    distinct = np.unique(values)
    if len(distinct) == 1:
        return float(distinct[0]) - 0.5, 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        step = float(np.diff(distinct).min())
        n_steps = float((distinct[-1] - distinct[0]) / step)
    n_steps_per_bin = 1
    if n_steps < 1e9:
        n_steps_per_bin = -(-(round(n_steps) + 1) // MOST_BINS)
    else:
        step = float(distinct[-1] / MOST_BINS - distinct[0] / MOST_BINS)
    return float(distinct[0] - step / 2), step * n_steps_per_bin
