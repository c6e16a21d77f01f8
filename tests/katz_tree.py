"""The tree in the figures of Katz et al. 2012."""

import numpy as np

from wekaconf.tree.kinds import SplitKind
from wekaconf.tree.mirror import TreeMirror


def katz_tree(header, cut_of_y):
    """X <= 10 leads to a split on Y, X > 10 to class C; 100 instances of each class."""
    weights = np.array([[100, 100, 100], [100, 100, 30], [0, 0, 70], [100, 0, 0], [0, 100, 30]], dtype=np.float64)
    sums = weights.sum(axis=1)
    return TreeMirror(
        header=header,
        routing="J48",
        parent=[-1, 0, 0, 1, 1],
        first_child=[1, 3, -1, -1, -1],
        n_branches=[2, 2, 0, 0, 0],
        split_kind=[SplitKind.NUMERIC_LE, SplitKind.NUMERIC_LE, 0, 0, 0],
        split_attribute=[0, 1, -1, -1, -1],
        split_point=[10, cut_of_y, np.nan, np.nan, np.nan],
        split_value=[-1] * 5,
        class_weight=weights,
        total=sums,
        branch_weight=[np.nan, *sums[1:]],
        branch_class_weight=[[np.nan] * 3, *weights[1:]],
        is_empty=[False] * 5,
    )
