"""The curves of an evaluation's answers, all runs together; left out is what has no weight, or an unknown class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, quoted
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.measures import (
    CalibrationCurve,
    RiskCoverage,
    Roc,
    calibration_curve,
    risk_coverage,
    roc_curve,
)
from wekaconf.report.pictures._roc import drawn_classes


def is_scored(answers: Answers) -> NDArray[np.bool_]:
    """Whether an answer is scored: its instance has a known class, and a weight."""
    return np.asarray((answers.actual >= 0) & ~answers.is_foreign & (answers.weights > 0))


def n_instances(answers: Answers) -> int:
    """Number of different instances with a scored answer."""
    return len(np.unique(answers.instance[is_scored(answers)]))


def risk_coverage_of(answers: Answers) -> RiskCoverage:
    """The risk-coverage curve of the scored answers."""
    scored = is_scored(answers)
    return risk_coverage(answers.certainty[scored], answers.is_correct[scored], answers.weights[scored])


def calibration_of(answers: Answers) -> CalibrationCurve:
    """The reliability diagram of the scored answers."""
    scored = is_scored(answers)
    return calibration_curve(answers.proba[scored], answers.actual[scored], answers.weights[scored])


def roc_of(answers: Answers, chosen: int) -> Roc:
    """The ROC curve of a class against the other known classes; both must have instances."""
    scored = is_scored(answers)
    is_of_class = (answers.actual[scored] == chosen).astype(np.float64)
    return roc_curve(answers.ranking[scored, chosen], is_of_class, answers.weights[scored])


def class_weights(answers: Answers) -> FloatArray:
    """(n_classes,) float64: summed weights of the scored answers by actual class."""
    scored = is_scored(answers)
    weights = np.bincount(answers.actual[scored], answers.weights[scored], minlength=len(answers.class_names))
    return np.asarray(weights, dtype=np.float64)


def class_to_rank(weights: FloatArray, class_names: Sequence[str], name: str | None, where: str) -> int:
    """The index of the class whose ROC curve is drawn.

    Parameters
    ----------
    weights : (n_classes,) float64
        Summed weights of the scored answers by actual class.
    class_names : sequence of str
    name : str or None
        The class; None: the first of `drawn_classes`.
    where : str
        The source of the answers, for messages.

    Raises
    ------
    OptionError
        There is no such class, or the answers are not for instances of that class and of others.
    """
    if name is None:
        if not (classes := drawn_classes(weights)):
            raise OptionError(
                f"{where}: a ROC curve needs answers for instances of two classes, got those of one",
                value_of="class_name",
            )
        return classes[0]
    if name not in class_names:
        raise OptionError(
            f"{where}: no class {quoted(name)}; its classes are {name_list(class_names, name)}", value_of="class_name"
        )
    chosen = list(class_names).index(name)
    if not 0 < weights[chosen] < weights.sum():
        raise OptionError(
            f"{where}: a ROC curve needs instances of {quoted(name)} and of others among the answered",
            value_of="class_name",
        )
    return chosen
