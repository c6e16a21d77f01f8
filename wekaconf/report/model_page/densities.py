"""How the values of each class are spread at the splits of a tree, as histograms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.tree.instances import NodeInstances
from wekaconf.tree.mirror import TreeMirror

MOST_BINS = 24


def histograms(tree: TreeMirror, train: Dataset) -> dict[str, NDArray[Any]]:
    """The values of the split attribute by class, at every node with a numeric split.

    Parameters
    ----------
    tree : TreeMirror
    train : Dataset
        Instances with a class; of these, the ones that reach a node whole and with a finite value are counted.

    Returns
    -------
    dict
        ``node``, ``low`` and ``width``, (n,): the node, the lower end of its first bin and the width of its bins, in
        the attribute's unit; ``first``, (n + 1,): where its entries begin; ``bin``, ``class`` and ``weight``,
        (n_entries,): the summed instance weights, where they are not 0.
    """
    node, low, width, entries = [], [], [], [np.zeros((0, 3))]
    for at, rows in NodeInstances.of(tree, train).at_splits(tree, train):
        values = train.values[rows, tree.split_attribute[at]]
        is_finite = np.isfinite(values)
        if np.isnan(tree.split_point[at]) or not is_finite.any():
            continue
        begin, size = _bins(values[is_finite])
        if not np.isfinite(begin + MOST_BINS * size):
            continue
        place = np.clip(((values[is_finite] - begin) / size).astype(np.int64), 0, MOST_BINS - 1)
        counts = np.zeros((MOST_BINS, train.n_classes))
        np.add.at(counts, (place, train.class_values[rows][is_finite]), train.weights[rows][is_finite])
        of_bin, of_class = np.nonzero(counts)
        node.append(at)
        low.append(begin)
        width.append(size)
        entries.append(np.column_stack((of_bin, of_class, counts[of_bin, of_class])))
    entry = np.concatenate(entries)
    sizes = [len(each) for each in entries]
    return {
        "node": np.array(node, dtype=np.int32),
        "low": np.array(low, dtype=np.float64),
        "width": np.array(width, dtype=np.float64),
        "first": np.cumsum(sizes, dtype=np.int64),
        "bin": entry[:, 0],
        "class": entry[:, 1],
        "weight": entry[:, 2],
    }


def _bins(values: FloatArray) -> tuple[float, float]:
    """Lower end and width of at most 24 equal bins; a width is a multiple of the smallest difference of two values."""
    distinct = np.unique(values)
    if len(distinct) == 1:
        return float(distinct[0]) - 0.5, 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        step = float(np.diff(distinct).min())
        n_steps = float((distinct[-1] - distinct[0]) / step)
    if not n_steps < 1e9:
        step = float(distinct[-1] / MOST_BINS - distinct[0] / MOST_BINS)
        n_steps = MOST_BINS - 1.0
    n_steps = round(n_steps) + 1
    return float(distinct[0] - step / 2), step * -(-n_steps // MOST_BINS)
