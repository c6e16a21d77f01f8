"""The example that Katz et al. 2012 work through in their Figures 1 to 5, and data that fit it."""

from statistics import NormalDist

import numpy as np

from wekaconf.data import Attribute, Dataset, Header
from wekaconf.tree import Routing, SplitKind, TreeMirror

HEADER = Header("katz2012", (Attribute("X"), Attribute("Y"), Attribute("class", "nominal", ("A", "B", "C"))), 2)
ROUTED, FINED = 2.0, 0.1
"""Deviations of X in class C with which 9.9 lies inside the interval of C (Figures 3 and 4) and outside (Figure 5)."""


def example_tree():
    """The tree of the example: X <= 10 leads to a split on Y, X > 10 to class C; 100 instances of each class."""
    weights = np.array([[100, 100, 100], [100, 100, 30], [0, 0, 70], [100, 0, 0], [0, 100, 30]], dtype=np.float64)
    sums = weights.sum(axis=1)
    return TreeMirror(
        header=HEADER,
        routing=Routing.J48,
        parent=np.array([-1, 0, 0, 1, 1], dtype=np.int32),
        first_child=np.array([1, 3, -1, -1, -1], dtype=np.int32),
        n_branches=np.array([2, 2, 0, 0, 0], dtype=np.int32),
        split_kind=np.array([SplitKind.NUMERIC_LE, SplitKind.NUMERIC_LE, 0, 0, 0], dtype=np.uint8),
        split_attribute=np.array([0, 1, -1, -1, -1], dtype=np.int32),
        split_point=np.array([10, 7, np.nan, np.nan, np.nan]),
        split_value=np.full(5, -1, dtype=np.int32),
        class_weight=weights,
        total=sums,
        branch_weight=np.array([np.nan, *sums[1:]]),
        branch_class_weight=np.vstack([np.full(3, np.nan), weights[1:]]),
        is_empty=np.zeros(5, dtype=np.bool_),
    )


def example(deviation_of_c):
    """The tree, training data that give it, and the instance that is classified, X = 9.9 of class C.

    The paper gives the numbers of instances, the interval [3, 6.5] of Y in class A, and the fate of the instance; the
    values are made to fit: in each class quantiles of a normal distribution for X, and of a uniform one for Y, none of
    which crosses the split.

    Parameters
    ----------
    deviation_of_c : float
        The deviation of X in class C, of which 30 instances have X <= 10 and 70 have X > 10; `ROUTED` or `FINED`.
    """
    shares = (np.arange(100) + 0.5) / 100
    normal = np.array([NormalDist().inv_cdf(share) for share in shares.tolist()])
    lower_30 = (normal[29] + normal[30]) / 2
    x = np.concatenate((4 + normal, 3 + normal, 10 + deviation_of_c * (normal - lower_30)))
    spread = 0.875 * (shares - 0.5) / shares.std(ddof=1)
    y = np.concatenate((4.75 + spread, 12 + spread, 12 + spread))
    train = Dataset(HEADER, np.column_stack((x, y, np.repeat([0.0, 1.0, 2.0], 100))))
    return example_tree(), train, Dataset(HEADER, np.array([[9.9, 4.5, np.nan]]))
