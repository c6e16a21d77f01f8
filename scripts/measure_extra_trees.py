"""Print how methods do on scikit-learn's ExtraTrees, tree by tree: the third table of docs/foreign-trees.md.

``python scripts/measure_extra_trees.py FOLDER`` of UCI sets, in the project's environment; takes ten minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier

import wekaconf as wc

SETS = (
    "breast-w", "diabetes", "ecoli", "glass", "heart-statlog", "ionosphere", "iris", "liver-disorders", "sonar",
    "vehicle",
)  # fmt: skip
METHODS = ("leaf_frequency", "confdtree", "shrinkage", "m_branch", "curtailment")


class ExtraTrees(wc.Learner[wc.Forest], name="ExtraTrees"):
    """scikit-learn's ExtraTreesClassifier, 30 trees."""

    is_ensemble = True

    def _grow(self, train: wc.Dataset) -> wc.Forest:
        cells = np.delete(train.values, train.class_index, axis=1)
        fitted = ExtraTreesClassifier(30, random_state=1).fit(cells, train.class_values, train.weights)
        forest = wc.mirror(fitted, train=train)
        assert isinstance(forest, wc.Forest)
        return forest


def main() -> None:
    for name in SETS:
        data = wc.load_arff(Path(sys.argv[1]) / f"{name}.arff").renamed(name)
        evaluation = wc.evaluate(data, [wc.method(method) for method in METHODS], learner=ExtraTrees())
        evaluation.summary(metrics=["percent_correct", "auc_weighted"])


if __name__ == "__main__":
    main()
