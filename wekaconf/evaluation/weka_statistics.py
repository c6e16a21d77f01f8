"""The figures of Weka's report, each computed in the order of operations of ``weka.classifiers.Evaluation``.

Computed again, not asked of Weka, so that there is a report for every method and learner, and from answers that were
resumed; a "-0.000" for a class with fractional weights included (3.9.7 subtracts where 3.8 added). Rejected answers
count, as Weka knows no other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.cross_validation import Answers


@dataclass(frozen=True, eq=False)
class WekaStatistics:
    """The sums that Weka's Evaluation gathers from answers; instances without a class count in few figures.

    Parameters
    ----------
    confusion : (n_classes, n_classes) float64
        Summed weights by actual and predicted class, of instances with a class that are not left unclassified.
    with_class, missing_class, unclassified : float
        Summed weights of the instances with a class, without one, and of those with a class whose distribution is all
        zeros.
    correct, incorrect : float
        Summed weights of the instances that are classified correctly, and incorrectly.
    absolute_error, squared_error, prior_absolute_error, prior_squared_error : float
        Weighted sums of the mean error over the classes; "prior" are those of the training set's class frequencies,
        with 1 added to each.
    proba : (n, n_classes) float64
        All distributions.
    actual : (n,) int64
        −1 for a missing class.
    weights : (n,) float64
    """

    confusion: FloatArray
    with_class: float
    missing_class: float
    unclassified: float
    correct: float
    incorrect: float
    absolute_error: float
    squared_error: float
    prior_absolute_error: float
    prior_squared_error: float
    proba: FloatArray
    actual: Int64Array
    weights: FloatArray

    @classmethod
    def of(cls, answers: Answers) -> Self:
        """The figures of all answers, in their order."""
        proba, actual, weights = answers.proba, answers.actual, answers.weights
        n_classes = proba.shape[1]
        has_class = actual >= 0
        is_classified = has_class & (proba > 0).any(axis=1)
        predicted = proba.argmax(axis=1)
        confusion = np.zeros((n_classes, n_classes))
        np.add.at(confusion, (actual[is_classified], predicted[is_classified]), weights[is_classified])
        is_correct = is_classified & (predicted == actual)
        weight, k = weights[is_classified], n_classes
        truth = np.zeros((len(weight), k))
        truth[np.arange(len(weight)), actual[is_classified]] = 1.0
        prior = answers.training_weight + 1.0
        prior = prior / (k + _row_sums(answers.training_weight))[:, None]
        difference, prior_difference = proba[is_classified] - truth, prior[answers.split[is_classified]] - truth

        def weighted_sum(errors: FloatArray) -> float:
            return _sum(weight * _row_sums(errors) / k)

        return cls(
            confusion=confusion,
            with_class=_sum(weights[has_class]),
            missing_class=_sum(weights[~has_class]),
            unclassified=_sum(weights[has_class & ~is_classified]),
            correct=_sum(weights[is_correct]),
            incorrect=_sum(weights[is_classified & ~is_correct]),
            absolute_error=weighted_sum(np.abs(difference)),
            squared_error=weighted_sum(difference * difference),
            prior_absolute_error=weighted_sum(np.abs(prior_difference)),
            prior_squared_error=weighted_sum(prior_difference * prior_difference),
            proba=proba,
            actual=actual,
            weights=weights,
        )

    @property
    def kappa(self) -> float:
        """Cohen's kappa."""
        rows, columns = _row_sums(self.confusion), _row_sums(self.confusion.T)
        total = _sum(self.confusion.ravel())
        chance = _over(_sum(rows * columns), total * total)
        correct = _over(_sum(np.diag(self.confusion)), total)
        return _over(correct - chance, 1 - chance) if chance < 1 else 1.0

    @property
    def n_classified(self) -> float:
        """Summed weights of the instances with a class that are not left unclassified."""
        return self.with_class - self.unclassified

    @property
    def mean_absolute_error(self) -> float:
        """Mean absolute error of the probabilities, over instances and classes."""
        return _over(self.absolute_error, self.n_classified)

    @property
    def root_mean_squared_error(self) -> float:
        """Root of the mean squared error of the probabilities."""
        return float(np.sqrt(_over(self.squared_error, self.n_classified)))

    @property
    def relative_absolute_error(self) -> float:
        """Percent of the error of always answering with the prior."""
        return _over(100 * self.mean_absolute_error, _over(self.prior_absolute_error, self.with_class))

    @property
    def root_relative_squared_error(self) -> float:
        """Percent of the error of always answering with the prior."""
        prior = float(np.sqrt(_over(self.prior_squared_error, self.with_class)))
        return _over(100.0 * self.root_mean_squared_error, prior)

    # -- by class: (n_classes,) float64, NaN where undefined --

    @cached_property
    def positive(self) -> FloatArray:
        """Summed weights of the instances of each class that are not left unclassified."""
        return _row_sums(self.confusion)

    @cached_property
    def predicted_positive(self) -> FloatArray:
        """Summed weights of the instances that are classified as each class."""
        return _row_sums(self.confusion.T)

    @property
    def true_positive(self) -> FloatArray:
        """Summed weights of the instances of each class that are classified as such."""
        return np.diag(self.confusion)

    @property
    def true_positive_rate(self) -> FloatArray:
        """Share of the instances of the class that are classified as such: recall."""
        return _shares(self.true_positive, self.positive)

    @property
    def false_positive_rate(self) -> FloatArray:
        """Share of the other instances that are classified as this class."""
        return _shares(self.predicted_positive - self.true_positive, self.n_classified - self.positive)

    @property
    def precision(self) -> FloatArray:
        """Share of the instances classified as this class that are of it."""
        return _shares(self.true_positive, self.predicted_positive)

    @property
    def f_measure(self) -> FloatArray:
        """Harmonic mean of precision and recall; 0 where both are 0."""
        precision, recall = self.precision, self.true_positive_rate
        return np.where((precision == 0) & (recall == 0), 0.0, _shares(2 * precision * recall, precision + recall))

    @property
    def matthews(self) -> FloatArray:
        """Matthews' correlation coefficient."""
        true_positive = self.true_positive
        false_positive, false_negative = self.predicted_positive - true_positive, self.positive - true_positive
        true_negative = self.n_classified - self.positive - false_positive
        n = true_positive * true_negative - false_positive * false_negative
        d = (true_positive + false_positive) * (true_positive + false_negative)
        d = d * (true_negative + false_positive) * (true_negative + false_negative)
        with np.errstate(invalid="ignore"):  # the square of a difference that rounding makes negative
            return _shares(n, np.sqrt(d))

    @cached_property
    def roc_area(self) -> FloatArray:
        """Area under the ROC curve; an instance without a class is among the others of every class, as in Weka."""
        return self._areas(_roc_area)

    @cached_property
    def prc_area(self) -> FloatArray:
        """Area under the precision-recall curve."""
        return self._areas(_prc_area)

    def mean(self, class_values: FloatArray) -> float:
        """Mean over the classes that are present, weighted by their weight."""
        present = self.positive > 0
        return _over(_sum((class_values * self.positive)[present]), self.n_classified)

    def _areas(self, area: Callable[[FloatArray, FloatArray], float]) -> FloatArray:
        areas = []
        for c in range(len(self.confusion)):
            level = np.unique(self.proba[:, c], return_inverse=True)[1]
            is_class = self.actual == c
            areas.append(area(*(_at_least(level[side], self.weights[side], level) for side in (is_class, ~is_class))))
        return np.array(areas)


def _at_least(level: Int64Array, weights: FloatArray, all_levels: Int64Array) -> FloatArray:
    """(n_levels + 1,) float64: summed weights at or above each level of all instances; the last is 0."""
    level_weight = np.bincount(level, weights, minlength=int(all_levels.max(initial=-1)) + 1)
    summed = np.subtract.accumulate([_sum(weights), *level_weight])
    summed[-1] = 0.0
    return summed


def _roc_area(positive: FloatArray, negative: FloatArray) -> float:
    """The area from the summed weights at or above each threshold, of the class and of the others; the last are 0."""
    class_steps, other_steps = positive[:-1] - positive[1:], negative[:-1] - negative[1:]
    before = np.concatenate(([0.0], np.cumsum(other_steps)[:-1]))
    return _over(_sum(class_steps * (before + 0.5 * other_steps)), float(negative[0] * positive[0]))


def _prc_area(positive: FloatArray, negative: FloatArray) -> float:
    recall = np.where(positive == 0, 0.0, _shares(positive, positive[0]))
    precision = np.where(positive == 0, 0.0, _shares(positive, positive + negative))
    area = _sum((precision[:-1] * (recall[:-1] - recall[1:]))[::-1])
    return area if area else np.nan


def _sum(terms: FloatArray) -> float:
    """The sum of the terms from left to right, as a Java loop adds them."""
    return float(np.cumsum(terms)[-1]) + 0.0 if len(terms) else 0.0


def _row_sums(table: FloatArray) -> FloatArray:
    return np.cumsum(table, axis=1)[:, -1] if table.size else np.zeros(len(table))


def _shares(part: ArrayLike, whole: ArrayLike) -> FloatArray:
    """``part / whole`` as Java divides: where whole is 0, NaN or infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.divide(part, whole))


def _over(part: float, whole: float) -> float:
    return float(_shares(part, whole))
