"""A display of the tree of a classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from wekaconf.base.errors import OptionError
from wekaconf.methods.contract import AnnotatesNodes
from wekaconf.sklearn._base import TreeClassifier
from wekaconf.sklearn._classifier_answers import innermost
from wekaconf.sklearn._displays import Display
from wekaconf.tree import Annotate, TreeMirror
from wekaconf.tree.shown import plot_tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class TreeDisplay(Display):
    """A tree with its root at the top.

    Parameters
    ----------
    tree : TreeMirror
    annotate : callable, optional
        What a method adds to each node, see `wekaconf.report.trees.render_text`.
    max_depth : int, optional
        Draw nodes down to this depth. Left out: as deep as the texts can be read, with a `wekaconf.Note` if that is not
        the whole tree.

    Attributes
    ----------
    ax_, figure_ : Axes, Figure
    """

    def __init__(self, tree: TreeMirror, *, annotate: Annotate | None = None, max_depth: int | None = None) -> None:
        self.tree, self.annotate, self.max_depth = tree, annotate, max_depth

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, annotate: bool = False, max_depth: int | None = None, ax: Axes | None = None
    ) -> Self:
        """The tree of a fitted estimator.

        Parameters
        ----------
        estimator : TreeClassifier
            One of wekaconf's, also at the end of a pipeline, or inside a search or a `RejectOption`.
        annotate : bool
            Whether to add what the method has learned at the nodes, such as ConfDTree's intervals.
        max_depth : int, optional
            See `TreeDisplay`.
        ax : Axes, optional
            New ones if left out.

        Raises
        ------
        OptionError
            The estimator is another, or its method adds nothing.
        """
        estimator, _ = innermost(estimator)
        if not isinstance(estimator, TreeClassifier):
            raise OptionError(
                f"TreeDisplay: expected one of wekaconf's classifiers, got {type(estimator).__name__}; scikit-learn's "
                "own trees are drawn by sklearn.tree.plot_tree",
                value_of="estimator",
            )
        check_is_fitted(estimator)
        method = estimator.method_
        if annotate and not isinstance(method, AnnotatesNodes):
            raise OptionError(
                f"TreeDisplay: {method.name} adds nothing to the nodes of a tree; leave annotate out",
                value_of="annotate",
            )
        notes = method.annotation if annotate and isinstance(method, AnnotatesNodes) else None
        return cls(estimator.tree_, annotate=notes, max_depth=max_depth).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the tree."""
        self._use_axes(plot_tree(self.tree, ax, annotate=self.annotate, max_depth=self.max_depth))
        return self
