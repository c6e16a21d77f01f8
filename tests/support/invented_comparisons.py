"""Comparisons of figures that nobody has measured."""

import numpy as np

from wekaconf.report.comparison import Comparison


def invented(mean, schemes=None, **others):
    """A comparison of figures alone."""
    mean = np.asarray(mean, dtype=np.float64)
    n, k = mean.shape
    given = {
        "measure": "auc_weighted", "test": "corrected", "level": 0.05, "title": "invented",
        "data_sets": tuple(f"set{i}" for i in range(n)), "schemes": schemes or tuple("ABCDEFGHIJ"[:k]),
        "learners": ("J48",) * k, "mean": mean, "std": np.full((n, k), np.nan), "tests": ((None,) * k,) * n,
    }  # fmt: skip
    return Comparison(**(given | others))
