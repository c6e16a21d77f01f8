"""Figure 1 of Costa et al. 2013: two trees for one instance of iris; Figure 2 is pseudocode, Figure 3 a sketch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.data import Dataset
from wekaconf.learners.info_gain import InfoGain
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.replication._data_files import load_set
from wekaconf.replication._study import Illustration
from wekaconf.report.pictures import plot_routes, ways_of
from wekaconf.tree import TreeMirror

IRIS = "iris"
WRONG, RIGHT = 1, 2
"""Versicolor and virginica, to which the paper's instance belongs."""


def _draw(path: str, file: str, *, label: int) -> None:
    """Draw the instance's way in the tree that is grown with the instance under a label."""
    data = load_set(IRIS, file)
    for row in np.flatnonzero(data.class_values == RIGHT).tolist():
        trees = {each: _tree_with_label(data, row, each) for each in (WRONG, RIGHT)}
        if all(tree.predict(data.take([row]))[0] == each for each, tree in trees.items()):
            plain = LeafFrequency().fit(trees[label], data)
            plot_routes(path, ways_of(plain, data.take([row])), name=f"the instance labelled {data.class_names[label]}")
            return
    raise OptionError(
        f"{file}: no instance is predicted as whatever it is labelled; give the set iris", value_of="data"
    )


def _tree_with_label(data: Dataset, row: int, label: int) -> TreeMirror:
    values = data.values.copy()
    values[row, data.class_index] = label
    return InfoGain().grow_without_notes(replace(data, values=values))


ILLUSTRATIONS = {
    "figure 1 right-label": Illustration(partial(_draw, label=RIGHT), IRIS),
    "figure 1 wrong-label": Illustration(partial(_draw, label=WRONG), IRIS),
}
