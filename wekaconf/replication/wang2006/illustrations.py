"""Figure 2 of Wang and Zhang 2006: the weights along a path; its Figure 1 is a tree without data."""

from __future__ import annotations

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.methods.smoothing import Shrinkage
from wekaconf.model import scheme
from wekaconf.replication._data_files import load_set
from wekaconf.replication._study import Illustration
from wekaconf.report.pictures import path_weights, plot_weights

VEHICLE = "vehicle"
DEPTH = 3
"""Depth of the leaf: the path in the paper's figure is N0, N1, N2, N4, N6, the uniform node included."""


def _weights(path: str, file: str) -> None:
    """Draw the path of the first instance of vehicle whose path is as long as the paper's."""
    data = load_set(VEHICLE, file)
    tree = scheme.grow(data)
    leaves = tree.apply(data)
    fitting = np.flatnonzero((leaves >= 0) & (tree.depth[leaves] == DEPTH))
    if not len(fitting):
        raise OptionError(
            f"{file}: no instance ends at depth {DEPTH}, as in the paper's figure; give the set vehicle",
            value_of="data",
        )
    plot_weights(path, path_weights(Shrinkage().fit(tree, data), data.take(fitting[:1])))


ILLUSTRATIONS = {"figure 2": Illustration(_weights, VEHICLE)}
