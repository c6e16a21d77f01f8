"""How good a set of class distributions is.

Every metric takes the same arrays: ``proba`` (n_instances, n_classes) float64, rows that sum to 1, or to 0
where the instance is left unclassified; ``actual`` (n_instances,) int64, class index, −1 when missing;
``weights`` (n_instances,) float64 in [0, ∞), dimensionless. An instance whose class is missing is not scored,
with one exception that Weka sets: `areas_under_roc`. A class is present when its instances weigh something. A
metric that is undefined (no instance scored, one class only) is NaN.

An area under a ROC curve needs no distributions: any (n_instances, n_classes) float64 whose column c ranks the
instances by how likely class c is may stand in the place of ``proba``.

Every area under a ROC curve here follows from two sums over pairs of instances: the weight of the pairs that
are ranked rightly, and of the pairs that tie. scikit-learn's ``roc_auc_score`` gives neither (it fixes the
credit of a tie at ½, and the share of ties decides how some published areas read), has no weights between two
of several classes, raises where one class is missing, and takes a second to import.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.answer import is_affected, most_probable
from wekaconf.data.dataset import FloatArray, Int64Array

N_BINS = 10
"""Of a calibration curve."""
DECIMALS = 12
"""Answers and certainties are rounded to so many before they are compared, as in `wekaconf.postprocessor`."""


def _ratio(part: ArrayLike, whole: ArrayLike) -> FloatArray:
    """``part / whole``, NaN where ``whole`` is not positive."""
    quotient: FloatArray = np.full(np.shape(whole), np.nan)
    np.divide(part, whole, out=quotient, where=np.greater(whole, 0))
    return quotient


def _pair_weights(
    proba: FloatArray, actual: Int64Array, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weights of the pairs of instances that class c's probability ranks rightly, leaves equal, and of all.

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    greater, equal, pairs : (n_classes, n_classes + 1) float64
        Entry [c, d] sums, over an instance x of class c and an instance y of class d, the product of their
        weights: where ``proba[x, c] > proba[y, c]``, where the two are equal, and always. The last column
        stands for the instances whose class is missing; entries [c, c] are 0.
        Cost: time O(n_classes · n log n), memory O(n + n_classes²).
    """
    n_classes = proba.shape[1]
    group = np.where(actual < 0, n_classes, actual)
    total = np.bincount(group, weights, minlength=n_classes + 1).astype(np.float64)
    pairs = np.outer(total[:n_classes], total)
    greater, equal = np.zeros_like(pairs), np.zeros_like(pairs)
    for c in range(n_classes) if np.count_nonzero(total) > 1 else ():  # folds of one instance are many
        _, level = np.unique(proba[:, c], return_inverse=True)
        own = np.bincount(level, weights * (group == c))
        above = own[::-1].cumsum()[::-1] - own
        greater[c] = np.bincount(group, weights * above[level], minlength=n_classes + 1)
        equal[c] = np.bincount(group, weights * own[level], minlength=n_classes + 1)
    for table in (greater, equal, pairs):
        np.fill_diagonal(table, 0.0)
    return greater, equal, pairs


def _mean_one_vs_rest(right: FloatArray, pairs: FloatArray) -> float:
    """Mean over the classes of the share ``right / pairs``, against the scored instances of all others."""
    right, pairs = right[:, :-1].sum(axis=1), pairs[:, :-1].sum(axis=1)
    areas = _ratio(right, pairs)[pairs > 0]
    return float(_ratio(areas.sum(), len(areas)))


def percent_correct(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> float:
    """Share of the scored instances whose most probable class is the actual one.

    100 · Σ w [first argmax p = actual] / Σ w; a row of zeros is counted, and not correct.

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    float
        In [0, 100], percent. Source: ``weka.classifiers.Evaluation.pctCorrect``.
    """
    correct = (proba.argmax(axis=1) == actual) & proba.any(axis=1)
    return float(_ratio(100.0 * weights[correct].sum(), weights[actual >= 0].sum()))


def areas_under_roc(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> FloatArray:
    """Area under each class's ROC curve, against all other instances, as Weka has it.

    Class c: the weighted share of the pairs of an instance of c and another one in which p_c is greater for
    the first, ties counting ½. An instance whose class is missing is among the others of every class: Weka
    means to skip it, but compares the class with NaN by ``==``, which never holds. Leave those instances out
    beforehand for the area over the scored ones.

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    (n_classes,) float64
        In [0, 1], dimensionless; NaN for a class without instances, or without others. Source:
        ``weka.classifiers.Evaluation.areaUnderROC`` (``ThresholdCurve.getCurve``, ``getROCArea``).
        Cost: time O(n_classes · n log n), memory O(n + n_classes²).
    """
    greater, equal, pairs = _pair_weights(proba, actual, weights)
    return _ratio((greater + equal / 2).sum(axis=1), pairs.sum(axis=1))


def auc_mean(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> float:
    """Unweighted mean of the classes' areas under the ROC curve, each class against the rest.

    The mean of A(c) over the classes c that are present and not alone; A(c) is the weighted share of the
    pairs of an instance of c and one of another class in which p_c is greater for the first, ties counting ½.

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    float
        In [0, 1], dimensionless.
    """
    greater, equal, pairs = _pair_weights(proba, actual, weights)
    return _mean_one_vs_rest(greater + equal / 2, pairs)


def auc_weighted(
    proba: FloatArray, actual: Int64Array, weights: FloatArray, *, ranking: FloatArray | None = None
) -> float:
    """Weka's weighted mean of the classes' areas under the ROC curve.

    Σ n_c A(c) / Σ n_c over the classes with n_c > 0, where A is `areas_under_roc` (so an instance whose class
    is missing counts there as in Weka) and n_c the summed weight of the instances of class c that are not
    left unclassified.

    Parameters
    ----------
    proba, actual, weights
        See the module.
    ranking : (n_instances, n_classes) float64, optional
        What A ranks by, ``proba`` when left out; whether an instance is left unclassified is ``proba``'s to say.

    Returns
    -------
    float
        In [0, 1], dimensionless. Source: ``weka.classifiers.Evaluation.weightedAreaUnderROC`` of Weka 3.9.7.
    """
    classified = (actual >= 0) & proba.any(axis=1)
    counts = np.bincount(actual[classified], weights[classified], minlength=proba.shape[1])
    counted = counts > 0
    areas = areas_under_roc(proba if ranking is None else ranking, actual, weights)
    return float(_ratio((areas[counted] * counts[counted]).sum(), counts.sum()))


def auc_hand_till(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> float:
    """Hand and Till's M: the mean area over the unordered pairs of present classes.

    2 / (m (m − 1)) · Σ_{i<j} A(i, j) over the m present classes, A(i, j) = (A(i|j) + A(j|i)) / 2, where
    A(i|j) is the weighted share of the pairs of an instance of i and one of j in which p_i is greater for the
    first, ties counting ½.

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    float
        In [0, 1], dimensionless.

    References
    ----------
    D. J. Hand and R. J. Till (2001). A simple generalisation of the area under the ROC curve for multiple
    class classification problems. Machine Learning 45, 171-186.
    """
    greater, equal, pairs = (table[:, :-1] for table in _pair_weights(proba, actual, weights))
    areas = _ratio(greater + equal / 2, pairs)[pairs > 0]
    return float(_ratio(areas.sum(), len(areas)))


def auc_wang2006(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> float:
    """The area that Wang and Zhang's tables of 2006 show, of one fold; over folds they show its mean.

    The mean over the pairs i < j of *declared* classes of A(i|j), the weighted share of the pairs of an instance of
    i and one of j in which p_i is greater for the first, ties counting ½. A(j|i) is not looked at. Where only one of
    the two classes is present the pair counts 1 if the instances of that class have at least two distinct p_i,
    else ½; where neither is, ½.

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    float
        In [0, 1], dimensionless; NaN with a single declared class.
        Cost: time O(n_classes · n log n), memory O(n + n_classes²).

    References
    ----------
    B. Wang and H. Zhang (2006). Improving the ranking performance of decision trees. Proceedings of the 17th
    European Conference on Machine Learning, 461-472. The paper does not define its measure; this one reproduces
    the column C45 of its Table 3.
    """
    n_classes = proba.shape[1]
    counted = (actual >= 0) & (weights > 0)
    if n_classes < 2 or not counted.any():
        return np.nan
    greater, equal, pairs = (table[:, :-1] for table in _pair_weights(proba, actual, weights))
    areas = np.full((n_classes, n_classes), 0.5)
    for c in np.unique(actual[counted]):
        own = proba[counted & (actual == c)]
        alone = np.where(own.max(axis=0) > own.min(axis=0), 1.0, 0.5)
        areas[c], areas[:, c] = alone[c], alone
    np.divide(greater + equal / 2, pairs, out=areas, where=pairs > 0)
    return float(areas[np.triu_indices(n_classes, 1)].mean())


def auc_mean_no_ties(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> float:
    """`auc_mean` when a tie counts 0, the probabilities rounded to 9 decimals first.

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    float
        In [0, 1], dimensionless; `auc_mean` less half the share of ties.
    """
    greater, _, pairs = _pair_weights(np.round(proba, 9), actual, weights)
    return _mean_one_vs_rest(greater, pairs)


def brier(
    proba: FloatArray, actual: Int64Array, weights: FloatArray, *, classes: NDArray[np.integer[Any]] | None = None
) -> float:
    """Mean squared error of the probabilities, over instances and classes.

    The weighted mean over the scored instances of the mean, over ``classes``, of (p_c − [actual = c])². Brier's own
    score sums over the classes instead; a declared class without instances counts in neither mean here.

    Parameters
    ----------
    proba, actual, weights
        See the module.
    classes : (n_counted,) integers, optional
        The classes that count; those present among the scored instances when left out. Where these instances are part
        of a whole, such as one fold, give the classes that the whole has: else the mean over the folds differs from
        the figure of the whole, and a fold of one class measures that class alone.

    Returns
    -------
    float
        In [0, 1], dimensionless; 0 is best.

    References
    ----------
    G. W. Brier (1950). Verification of forecasts expressed in terms of probability. Monthly Weather Review
    78, 1-3.
    """
    scored = actual >= 0
    proba, actual, weights = proba[scored], actual[scored], weights[scored]
    counted = present_classes(actual, weights, proba.shape[1]) if classes is None else classes
    squares = (proba[:, counted] - (actual[:, None] == counted)) ** 2
    return float(_ratio(weights @ squares.sum(axis=1), weights.sum() * len(counted)))


def present_classes(actual: Int64Array, weights: FloatArray, n_classes: int) -> NDArray[np.intp]:
    """(n_present,) intp: the classes whose instances weigh something, ascending."""
    scored = actual >= 0
    return np.flatnonzero(np.bincount(actual[scored], weights[scored], minlength=n_classes) > 0)


def log_loss(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> float:
    """Mean negative logarithm of the actual class's probability.

    − Σ w ln p_actual / Σ w over the scored instances, p clipped to [1e-15, 1].

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    float
        In [0, 34.54], nats; 0 is best.
    """
    scored = np.flatnonzero(actual >= 0)
    weights = weights[scored]
    loss = -np.log(np.clip(proba[scored, actual[scored]], 1e-15, 1.0))
    return float(_ratio(weights @ loss, weights.sum()))


def auc_reliability(
    proba: FloatArray, actual: Int64Array, weights: FloatArray, *, certainty: FloatArray | None = None
) -> float:
    """How well a method's certainty tells its correct answers from its wrong ones.

    The weighted share of the pairs of a correct and a wrong answer in which the correct one is more certain, ties
    counting ½. Only scored instances count; an instance left unclassified is a wrong answer.

    Parameters
    ----------
    proba, actual, weights
        See the module. The answer is the most probable class after rounding to 12 decimals.
    certainty : (n_instances,) float64, optional
        The method's own; the answer's probability when left out. Rounded to 12 decimals.

    Returns
    -------
    float
        In [0, 1], dimensionless; NaN without a correct or without a wrong answer.

    References
    ----------
    M. Kukar and I. Kononenko (2002). Reliable classifications with machine learning. Machine Learning: ECML 2002,
    219-231. E. P. Costa, S. Verwer and H. Blockeel (2013). Estimating prediction certainty in decision trees. Advances
    in Intelligent Data Analysis XII, 138-149; there "AUC reliability".
    """
    scored = actual >= 0
    correct = _is_correct(proba, actual)[scored]
    ranked = (proba.max(axis=1, initial=0.0) if certainty is None else certainty)[scored].round(DECIMALS)
    areas = areas_under_roc(np.column_stack((ranked, -ranked)), np.where(correct, 0, 1), weights[scored])
    return float(areas[0])


def _is_correct(proba: FloatArray, actual: Int64Array) -> NDArray[np.bool_]:
    return np.asarray((most_probable(proba) == actual) & proba.any(axis=1))


@dataclass(frozen=True, eq=False)
class CalibrationCurve:
    """How often answers are right, by how probable their class is said to be; see `calibration_curve`.

    Parameters
    ----------
    edges : (n_bins + 1,) float64
        Of the bins, ascending, from 0 to 1; a bin has its upper edge, and the first one 0 too.
    confidence : (n_bins,) float64 in [0, 1]
        Mean probability of the answers in the bin; NaN where there are none.
    accuracy : (n_bins,) float64 in [0, 1]
        Share of them that is correct; NaN where there are none.
    weight : (n_bins,) float64
        Their summed weight.
    """

    edges: FloatArray
    confidence: FloatArray
    accuracy: FloatArray
    weight: FloatArray

    @property
    def ece(self) -> float:
        """Expected calibration error: weighted mean of |accuracy − confidence| over the bins; NaN without answers."""
        counted = self.weight > 0
        gaps = np.abs(self.accuracy - self.confidence)[counted]
        return float(_ratio(self.weight[counted] @ gaps, self.weight.sum()))


def calibration_curve(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> CalibrationCurve:
    """Bin the scored instances by the probability of the predicted class, and see how many are correct.

    Ten bins of equal width, (0, 0.1], …, (0.9, 1], the first with 0; probabilities are rounded to 12 decimals, and so
    are those that the predicted class is the first largest of. An instance left unclassified is a wrong answer of
    probability 0.

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    CalibrationCurve

    References
    ----------
    M. Pakdaman Naeini, G. F. Cooper and M. Hauskrecht (2015). Obtaining well calibrated probabilities using Bayesian
    binning. Proceedings of the 29th AAAI Conference on Artificial Intelligence, 2901-2907. C. Guo, G. Pleiss, Y. Sun
    and K. Q. Weinberger (2017). On calibration of modern neural networks. Proceedings of the 34th International
    Conference on Machine Learning, 1321-1330.
    """
    scored = (actual >= 0) & (weights > 0)
    correct, weights = _is_correct(proba, actual)[scored], weights[scored]
    units = np.rint(proba[scored].max(axis=1, initial=0.0) * 10.0**DECIMALS).astype(np.int64)
    place = np.clip((units - 1) // (10**DECIMALS // N_BINS), 0, N_BINS - 1)
    weight, confidence, right = (
        np.bincount(place, part, minlength=N_BINS)
        for part in (weights, weights * (units / 10.0**DECIMALS), weights * correct)
    )
    edges = np.arange(N_BINS + 1) / N_BINS
    return CalibrationCurve(edges, _ratio(confidence, weight), _ratio(right, weight), weight.astype(np.float64))


def ece(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> float:
    """Expected calibration error: how far the answers' probabilities are from how often they are right.

    Σ_b W_b / W · |accuracy_b − confidence_b| over the ten bins of `calibration_curve`, W_b the weight of the scored
    instances in bin b and W that of all.

    Parameters
    ----------
    proba, actual, weights
        See the module.

    Returns
    -------
    float
        In [0, 1], dimensionless; 0 is best.

    References
    ----------
    See `calibration_curve`.
    """
    return calibration_curve(proba, actual, weights).ece


def percent_affected(proba: FloatArray, baseline: FloatArray, weights: FloatArray) -> float:
    """Share of the instances to which a method gives a visibly other distribution than the plain tree.

    100 · Σ w [max_c |p_c − b_c| ≥ 0.1 − 1e-9] / Σ w over all instances, those with a missing class too.

    Parameters
    ----------
    proba : (n_instances, n_classes) float64
        The method's answers p.
    baseline : (n_instances, n_classes) float64
        The plain tree's answers b.
    weights : (n_instances,) float64

    Returns
    -------
    float
        In [0, 100], percent.
    """
    return float(_ratio(100.0 * weights[is_affected(proba, baseline)].sum(), weights.sum()))


def all_metrics(
    proba: FloatArray,
    actual: Int64Array,
    weights: FloatArray,
    *,
    baseline: FloatArray | None = None,
    ranking: FloatArray | None = None,
    certainty: FloatArray | None = None,
    classes: NDArray[np.integer[Any]] | None = None,
) -> dict[str, float]:
    """Every metric by its name, in the order in which they are reported.

    Parameters
    ----------
    proba, actual, weights
        See the module.
    baseline : (n_instances, n_classes) float64, optional
        The plain tree's answers, for ``percent_affected``, which is NaN without them.
    ranking : (n_instances, n_classes) float64, optional
        What the areas under a ROC curve rank by; ``proba`` when left out.
    certainty : (n_instances,) float64, optional
        For `auc_reliability`; the largest of ``proba`` when left out.
    classes : (n_counted,) integers, optional
        For `brier`; the classes present when left out.

    Returns
    -------
    dict of str to float
        The functions of this module by name; NaN where undefined.
        Cost: time O(n_classes · n log n), memory O(n_classes · n).
    """
    ranking = proba if ranking is None else ranking
    return {
        "percent_correct": percent_correct(proba, actual, weights),
        "auc_mean": auc_mean(ranking, actual, weights),
        "auc_weighted": auc_weighted(proba, actual, weights, ranking=ranking),
        "auc_hand_till": auc_hand_till(ranking, actual, weights),
        "auc_wang2006": auc_wang2006(ranking, actual, weights),
        "auc_mean_no_ties": auc_mean_no_ties(ranking, actual, weights),
        "brier": brier(proba, actual, weights, classes=classes),
        "log_loss": log_loss(proba, actual, weights),
        "ece": ece(proba, actual, weights),
        "auc_reliability": auc_reliability(proba, actual, weights, certainty=certainty),
        "percent_affected": np.nan if baseline is None else percent_affected(proba, baseline, weights),
    }
