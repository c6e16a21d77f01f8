"""Displays of classifiers and of their trees, in the manner of scikit-learn's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.base.errors import OptionError, needed
from wekaconf.base.plot_style import GREY
from wekaconf.evaluation.measures import Figures, RiskCoverage, checked_weights, figures, risk_coverage
from wekaconf.methods.contract import AnnotatesNodes, thresholds_at
from wekaconf.report.pictures import (
    BEFORE_THE_FIRST,
    CIRCLE,
    TOO_FEW,
    begins_late,
    draw_risk_curve,
    label_risk_coverage,
)
from wekaconf.sklearn._base import TreeClassifier
from wekaconf.sklearn._classifier_answers import (
    innermost,
    is_correct,
    labels_and_certainty,
    name_of_class,
    reject_option_in,
)
from wekaconf.tree import Annotate, TreeMirror
from wekaconf.tree.shown import plot_tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


class Display:
    """Base of the displays, whose `plot` sets the axes and the figure."""

    ax_: Axes
    figure_: Figure

    def _use_axes(self, ax: Axes | None) -> Axes:
        """The axes to draw on, new ones if ``ax`` is None; the display keeps them."""
        if ax is None:
            with needed("a display", "report"):
                from matplotlib import pyplot
            _, ax = pyplot.subplots(layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure  # type: ignore[assignment]
        return ax


class RiskCoverageDisplay(Display):
    """How the error falls as a classifier leaves its least certain answers to somebody else.

    Make one by `from_estimator` or `from_predictions`. For several curves in one picture, give the ``ax_`` of one
    display to the next.

    Parameters
    ----------
    curve : RiskCoverage
    name : str, optional
        What the legend calls the curve.
    reached : Figures, optional
        What a chosen threshold reaches; drawn as a circle. If it rejects every answer, the legend says so.

    Attributes
    ----------
    ax_, figure_ : Axes, Figure
    line_ : Line2D
        The curve.
    """

    line_: Line2D

    def __init__(self, curve: RiskCoverage, *, name: str | None = None, reached: Figures | None = None) -> None:
        if not len(curve):
            problem = "there is no instance with a positive weight, so no curve to draw"
            raise OptionError(f"RiskCoverageDisplay: {problem}", value_of="sample_weight")
        self.curve, self.name, self.reached = curve, name, reached

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> Self:
        """The curve of a fitted classifier; a circle marks the threshold of a `RejectOption`.

        Parameters
        ----------
        estimator : classifier
            Any that has ``predict_proba``, also at the end of a pipeline or inside a search.
        X, y, sample_weight
            Instances that the classifier was not fitted on.
        name : str, optional
            The name of the class if left out.
        ax : Axes, optional
            New ones if left out.
        **kwargs
            For matplotlib's ``plot``, such as ``color``.
        """
        labels, certainty = labels_and_certainty(estimator, X)
        correct = is_correct(labels, y)
        weights = checked_weights(sample_weight, len(correct), "sample_weight")
        reached = None
        if (rejecting := reject_option_in(estimator)) is not None:
            predicted = np.searchsorted(rejecting.classes_, labels)
            thresholds = thresholds_at(rejecting.choice_.thresholds, predicted)
            reached = figures(certainty, correct, weights, thresholds)
        if name is None:
            name = name_of_class(estimator)
        return cls(risk_coverage(certainty, correct, weights), name=name, reached=reached).plot(ax, **kwargs)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        certainty: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> Self:
        """The curve of answers, such as those of ``cross_val_predict``.

        Parameters
        ----------
        y_true, y_pred : (n_instances,) array-like
            The labels, and what was answered.
        certainty : (n_instances,) array-like of float
            The greater, the more certain; such as the largest probability.
        sample_weight, name, ax, **kwargs
            As for `from_estimator`.
        """
        correct = is_correct(y_pred, y_true)
        weights = checked_weights(sample_weight, len(correct), "sample_weight")
        return cls(risk_coverage(certainty, correct, weights), name=name).plot(ax, **kwargs)

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Draw the curve."""
        axes = self._use_axes(ax)
        top = axes.get_ylim()[1] if axes.lines else 0.0
        label = f"{self.name or 'curve'} (AURC {self.curve.aurc:.4f})"
        self.line_ = draw_risk_curve(axes, self.curve, {"label": label} | kwargs)
        if self.reached is not None and not self.reached.accepted:
            axes.plot([], [], linestyle="none", label="chosen threshold: rejects every answer")
        if begins_late(self.curve) and TOO_FEW not in axes.get_legend_handles_labels()[1]:
            axes.plot([], [], **BEFORE_THE_FIRST, color=GREY, label=TOO_FEW)
        marks = []
        if self.reached is not None and self.reached.accepted:
            marks = [self.reached.as_dict()]
            place = 100 * self.reached.coverage, 100 * self.reached.error
            axes.plot(*place, **CIRCLE, color=self.line_.get_color(), label="chosen threshold")
        previous_label = axes.get_xlabel()
        label_risk_coverage(axes, [self.curve], marks)
        if previous_label.startswith(axes.get_xlabel().rstrip(")")):  # it also says that a curve begins late
            axes.set_xlabel(previous_label)
        axes.set_ylim(top=max(top, axes.get_ylim()[1]))
        axes.legend()
        return self


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
            The estimator is another, it grew a forest, or its method adds nothing.
        """
        estimator, _ = innermost(estimator)
        if not isinstance(estimator, TreeClassifier):
            raise OptionError(
                f"TreeDisplay: expected one of wekaconf's classifiers, got {type(estimator).__name__}; scikit-learn's "
                "own trees are drawn by sklearn.tree.plot_tree",
                value_of="estimator",
            )
        tree, method = estimator._one_tree("TreeDisplay"), estimator.method_
        if annotate and not isinstance(method, AnnotatesNodes):
            raise OptionError(
                f"TreeDisplay: {method.name} adds nothing to the nodes of a tree; leave annotate out",
                value_of="annotate",
            )
        notes = method.annotation if annotate and isinstance(method, AnnotatesNodes) else None
        return cls(tree, annotate=notes, max_depth=max_depth).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the tree."""
        self._use_axes(plot_tree(self.tree, ax, annotate=self.annotate, max_depth=self.max_depth))
        return self
