"""A display of ROC curves that shows equal scores as blocks of unknown order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.base.errors import OptionError
from wekaconf.evaluation.measures import Roc, checked_weights, roc_curve
from wekaconf.report.evaluation import Evaluation
from wekaconf.report.pictures import area_text, class_to_rank, class_weights, draw_roc_curve, label_roc, roc_of
from wekaconf.sklearn._classifier_answers import check_same_sort, name_of_class
from wekaconf.sklearn._displays import Display
from wekaconf.sklearn._reading import labels_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


class RocDisplay(Display):
    """How many instances of a class are ranked above how many others, blocks of equal scores drawn as boxes.

    Make one by `from_estimator`, `from_predictions` or `from_evaluation`.

    Parameters
    ----------
    curve : Roc
    class_name : str
        The class that is ranked against the rest.
    name : str, optional
        What the legend calls the curve.

    Attributes
    ----------
    ax_, figure_ : Axes, Figure
    line_ : Line2D
    """

    line_: Line2D

    def __init__(self, curve: Roc, *, class_name: str, name: str | None = None) -> None:
        self.curve, self.class_name, self.name = curve, class_name, name

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> Self:
        """The curve of a fitted classifier.

        Parameters
        ----------
        estimator : classifier
            Any that has ``predict_proba``.
        X, y, sample_weight
            Instances that the classifier was not fitted on.
        label : optional
            The class that is ranked against the rest; left out: of two classes the rarer, of more the most frequent.
        name, ax, **kwargs
            As for `RiskCoverageDisplay.from_estimator`.

        Raises
        ------
        OptionError
            There is no such class, or there are not instances of it and of others.
        """
        labels, names = labels_of(y), np.asarray(estimator.classes_).tolist()
        check_same_sort(labels, estimator.classes_)
        weights = checked_weights(sample_weight, len(labels), "sample_weight")
        sizes = np.array([weights[labels == each].sum() for each in names])
        texts = [str(each) for each in names]
        chosen = class_to_rank(sizes, texts, None if label is None else str(label), "RocDisplay")
        score = np.asarray(estimator.predict_proba(X), dtype=np.float64)[:, chosen]
        return cls.from_predictions(
            labels, score, label=names[chosen], sample_weight=weights,
            name=name or name_of_class(estimator), ax=ax, **kwargs,
        )  # fmt: skip

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        score: ArrayLike,
        *,
        label: Any,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> Self:
        """The curve of scores.

        Parameters
        ----------
        y_true : (n_instances,) array-like
        score : (n_instances,) array-like of float
            How likely each instance is of the class; any order-preserving figure.
        label
            The class.
        sample_weight, name, ax, **kwargs
            As for `from_estimator`.

        Raises
        ------
        OptionError
            There are not instances of the class and of others, or a score is NaN.
        """
        is_of_class = (labels_of(y_true) == label).astype(np.float64)
        weights = checked_weights(sample_weight, len(is_of_class), "sample_weight")
        scores = np.asarray(score, dtype=np.float64)
        if scores.shape != is_of_class.shape or np.isnan(scores).any():
            raise OptionError(
                parameter="score", expected=f"{len(is_of_class)} numbers, one per label", got=f"{scores.shape} or NaN"
            )
        if not 0 < weights @ is_of_class < weights.sum():
            raise OptionError(f"RocDisplay: a ROC curve needs instances of {label!r} and of others", value_of="label")
        rows = weights > 0
        curve = roc_curve(scores[rows], is_of_class[rows], weights[rows])
        return cls(curve, class_name=str(label), name=name).plot(ax, **kwargs)

    @classmethod
    def from_evaluation(
        cls,
        evaluation: Evaluation,
        *,
        method: str | None = None,
        dataset: str | None = None,
        label: str | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> Self:
        """The curve of one method in the results of `wekaconf.evaluate`; see `CalibrationDisplay.from_evaluation`."""
        record, answers = evaluation.one(method=method, dataset=dataset)
        chosen = class_to_rank(class_weights(answers), answers.class_names, label, record["dataset"])
        curve_name = name or record["label"]
        class_name = answers.class_names[chosen]
        return cls(roc_of(answers, chosen), class_name=class_name, name=curve_name).plot(ax, **kwargs)

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Draw the curve."""
        axes = self._use_axes(ax)
        if not axes.lines:
            label_roc(axes, self.class_name)
        area = area_text(self.curve)
        label = f"{self.name or 'curve'}{chr(10) if ',' in area else ' '}({area})"
        self.line_ = draw_roc_curve(axes, self.curve, {"label": label} | kwargs)
        axes.legend(loc="lower right")
        return self
