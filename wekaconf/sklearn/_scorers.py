"""Scorers of certainties, for scikit-learn's searches and cross-validations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike
from sklearn.utils.metadata_routing import MetadataRequest

from wekaconf.evaluation.measures import RiskCoverage, checked_weights, risk_coverage
from wekaconf.sklearn._classifier_answers import is_correct, labels_and_certainty


def curve_of(estimator: Any, X: Any, y: Any, sample_weight: ArrayLike | None) -> RiskCoverage:
    """The risk-coverage curve of a fitted classifier on instances whose labels are known.

    Raises
    ------
    OptionError
        The classifier has no ``predict_proba``, the labels are of another sort than its classes, or a weight is
        negative or not finite.
    """
    labels, certainty = labels_and_certainty(estimator, X)
    correct = is_correct(labels, y)
    return risk_coverage(certainty, correct, checked_weights(sample_weight, len(correct), "sample_weight"))


class RequestsWeights:
    """What cross-validations ask a scorer under metadata routing: that ``sample_weight`` be handed on."""

    _sample_weight: Any = True

    def set_score_request(self, *, sample_weight: bool | str | None) -> Self:
        """Whether to ask for ``sample_weight``, or under which name, as for scikit-learn's scorers."""
        object.__setattr__(self, "_sample_weight", sample_weight)
        return self

    def get_metadata_routing(self) -> Any:
        """The request of the weights."""
        request = MetadataRequest(owner=type(self).__name__)
        request.score.add_request(param="sample_weight", alias=self._sample_weight)
        return request


@dataclass(frozen=True)
class AURCScorer(RequestsWeights):
    """Minus the area under the risk-coverage curve, so that greater is better; see `wekaconf.risk_coverage`.

    ``GridSearchCV(…, scoring=AURCScorer())`` looks for the classifier whose certainties best tell its correct from its
    wrong answers, and that makes few errors. Under metadata routing it asks for ``sample_weight``.
    """

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """The score, in [−1, 0]; NaN without instances."""
        return -curve_of(estimator, X, y, sample_weight).aurc


@dataclass(frozen=True)
class ErrorAtCoverageScorer(RequestsWeights):
    """Minus the error among the most certain share of the instances, so that greater is better.

    Parameters
    ----------
    coverage : float
        The share that is answered, in (0, 1].
    """

    coverage: float = 0.8

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """The score, in [−1, 0]; NaN without instances. OptionError if the coverage is not in (0, 1]."""
        return -curve_of(estimator, X, y, sample_weight).error_at(self.coverage)
