"""What the parameters of each method and each rival are chosen from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evidence.measuring.study import PLAIN, RIVALS_PART, SMOOTHED
from evidence.records import Scheme

J48 = ("J48", "J48 -M 8", "J48 -C 0.05", "J48 -C 0.05 -M 8", "J48 -U", "J48 -U -M 8")
"""Pruned with confidence 0.25 or 0.05, or not pruned; at least 2 or 8 instances in two branches."""
INFO_GAIN = ("info_gain", "info_gain min_weight=8")
FOREST = ("RandomForest", "RandomForest -M 3", "RandomForest -M 8")
Grid = Mapping[str, tuple[Any, ...]]
ON_J48: dict[str, Grid] = {
    PLAIN: {},
    SMOOTHED: {},
    "m_branch": {"m": (4, 1, 16)},
    "curtailment": {"min_weight": (10, 30), "estimate": ("frequency", "laplace")},
    "ling_yan": {"confusion": (0.4, 0.2, 0.1)},
    "confdtree": {"variant": ("comb", "norm", "tdist"), "fine": (0.1, 0.3)},
    "shrinkage:numeric=bins": {"weights": ("diw", "em")},
    "wpe:numeric=bins": {},
    "shrinkage_wpe:numeric=bins": {"weights": ("diw", "em")},
    "id3_sd": {"limits": ("normal", "tolerance"), "zero_variance": ("exact", "parent")},
    "boundary_distance": {"scaling": ("raw", "minmax", "z")},
}
ON_INFO_GAIN: dict[str, Grid] = {PLAIN: {}, "tpce": {"alpha": (1, 0.3)}, "kukar_kononenko": {}}
RIVALS: dict[str, Grid] = {
    "J48, sigmoid calibration": {"learner": J48},
    "J48, isotonic calibration": {"learner": J48},
    "J48, Venn-Abers": {"learner": J48},
    "J48, conformal confidence": {"learner": J48},
    "J48, conformal credibility": {"learner": J48},
    "hierarchical shrinkage": {"max_leaf_nodes": (20, 10, 40)},
    "random forest": {"max_features": ("sqrt", 0.5), "min_samples_leaf": (1, 3)},
    "gradient boosting": {"max_leaf_nodes": (31, 7), "min_samples_leaf": (20, 5)},
}
GRIDS: dict[Scheme, Grid] = {
    **{Scheme("J48", method): {"learner": J48, **grid} for method, grid in ON_J48.items()},
    **{Scheme("info_gain", method): {"learner": INFO_GAIN, **grid} for method, grid in ON_INFO_GAIN.items()},
    Scheme("RandomForest", PLAIN): {"learner": FOREST},
    **{Scheme(RIVALS_PART, rival): grid for rival, grid in RIVALS.items()},
}
"""For each scheme the values of each parameter; the first is the default. All combinations are tried."""


def candidates(scheme: Scheme) -> list[dict[str, Any]]:
    """The parameters of every candidate, the defaults first."""
    from sklearn.model_selection import ParameterGrid

    return list(ParameterGrid({name: list(values) for name, values in GRIDS[scheme].items()}))
