"""The tree's own answer."""

from __future__ import annotations

from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.postprocessor import PostProcessor, check_choice
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror


class LeafFrequency(PostProcessor, name="leaf_frequency"):
    """The class frequencies of the leaf: Weka's own answer, against which the others are measured.

    Parameters
    ----------
    laplace : bool or None
        Laplace's correction (n_c + 1) / (n + n_classes) at the leaf, as ``J48 -A``; None: as the tree was grown.

    Notes
    -----
    Works on forests too (``laplace`` then applies to each tree). Cost: O(depth) an instance.
    """

    takes_forest = True

    def __init__(self, *, laplace: bool | None = None) -> None:
        check_choice(self.name, "laplace", laplace, (None, True, False))
        self.laplace = laplace

    def _check_tree(self, tree: TreeMirror | Forest) -> None:
        super()._check_tree(tree)
        if self.laplace is not None:
            tree.with_laplace(self.laplace)

    def _fit(self, tree: TreeMirror | Forest, train: Dataset) -> None:
        del tree, train

    def _predict_proba(self, data: Dataset) -> FloatArray:
        tree = self.tree_ if self.laplace is None else self.tree_.with_laplace(self.laplace)
        return tree.predict_proba(data)

    def _distributions(self, data: Dataset) -> FloatArray:
        return self._predict_proba(data)
