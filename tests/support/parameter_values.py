"""Values of the parameters of every method, for the contract of all methods and for random attacks."""

from typing import Any

import numpy as np

PATHS = {
    "weights": ("diw",) * 6 + ("uniform", "em"),
    "iterations": (1, 2, 20),
    "tolerance": (1e-4, 0.1, 1),
    "numeric": ("bins",) * 9 + ("refuse",),
    "reading": ("honest", "text"),
}
PARAMETERS: dict[str, dict[str, tuple[Any, ...]]] = {
    "boundary_distance": {
        "scaling": ("raw", "minmax", "z"), "norm": ("l2", "l1", "linf"), "nominal": (0, 0.1, 1, 5e-324, 1e300, np.inf),
    },
    "confdtree": {
        "variant": ("comb", "norm", "tdist"), "min_instances": (1, 2, 5, 40, 10**15),
        "z_assigned": (0, 0.5, 2, np.inf), "z_other": (0, 1, 3, np.inf),
        "level_assigned": (0, 0.5, 0.995, 1), "level_other": (0, 0.9, 0.9999, 1),
        "fine": (0, 0.1, 0.4, 1),
        "routes": (True, False), "fines": (True, False),
    },
    "curtailment": {"min_weight": (0, 1, 10, 60, np.inf), "estimate": ("frequency", "laplace")},
    "id3_max": {"closed": ("both", "lower", "upper", "neither")},
    "id3_sd": {"alpha": (None, 1e-300, 0.05, 0.3, 0.999), "p_total": (None, 0.5, 0.95)},
    "kukar_kononenko": {"supervised": (True, False)},
    "leaf_frequency": {"laplace": (None, True, False)},
    "ling_yan": {"confusion": (0, 5e-324, 0.4, 1)},
    "m_branch": {"m": (0, 5e-324, 1, 20, 1e9)},
    "second_opinion": {
        "sides": ("laplace+logistic", ("laplace", "neighbours"), "logistic", "shrinkage_wpe:numeric=bins+naive_bayes"),
        "answers": ("likeliest", "tree"), "folds": (2, 3, 10), "penalty": (1e-9, 1, 1e9), "seed": (0, 1, 2**63 - 1),
    },
    "shrinkage": {**PATHS, "local": ("laplace", "wpe", "naive_bayes")},
    "shrinkage_wpe": PATHS,
    "tpce": {
        "cuts": (None, "class-boundary", "all", "with-x"), "alpha": (1e-9, 0.1, 1, 5, 1e9), "inner": ("info_gain",),
        "batch": (False, False, True), "seed": (1, 2),
    },
    "wpe": {"node": ("leaf", "root"), "numeric": PATHS["numeric"]},
}  # fmt: skip
"""Values of every parameter of every method, including the ends of its range."""
OTHER_VALUES = {
    "boundary_distance": {
        "scaling": ["minmax", "z"],
        "norm": [("l1", {"nominal": np.inf}), "linf"],
        "nominal": [0, 0.1, np.inf],
    },
    "confdtree": {
        "variant": ["norm", "tdist"],
        "min_instances": [1, 40],
        "z_assigned": [0.5],
        "z_other": [3.0],
        "level_assigned": [0.5],
        "level_other": [0.9999],
        "fine": [0.4],
        "routes": [False],
        "fines": [False],
    },
    "curtailment": {"min_weight": [0, 60], "estimate": ["laplace"]},
    "id3_max": {"closed": ["lower", "upper", "neither"]},
    "id3_sd": {"alpha": [0.3], "p_total": [0.5]},
    "kukar_kononenko": {"supervised": [True]},
    "leaf_frequency": {"laplace": [True]},
    "ling_yan": {"confusion": [0, 0.6, 1]},
    "m_branch": {"m": [0, 20]},
    "second_opinion": {
        "sides": ["laplace", "naive_bayes+logistic", "laplace+neighbours", "laplace+leaf_frequency"],
        "answers": ["tree"],
        "folds": [5],
        "penalty": [0.01, 100],
        "seed": [2],
    },
    "shrinkage": {
        "local": ["wpe", "naive_bayes"],
        "weights": ["em", "uniform"],
        "iterations": [2, 20],
        "tolerance": [(0.1, {"iterations": 50})],
        "numeric": [("refuse", {"local": "wpe"})],
        "reading": ["text"],
    },
    "shrinkage_wpe": {
        "weights": ["em", "uniform"],
        "iterations": [2, 20],
        "tolerance": [(0.1, {"iterations": 50})],
        "numeric": ["refuse"],
        "reading": ["text"],
    },
    "tpce": {
        "cuts": ["all", "with-x"],
        "alpha": [0.1, 5],
        "inner": ["CART"],
        "batch": [True],
        "seed": [(2, {"batch": True})],
    },
    "wpe": {"node": ["root"], "numeric": ["refuse"]},
}
"""Values of every hyper-parameter that give other answers than its default on some of the cases below.

A pair holds a value and the other parameters with which it shows.
"""
