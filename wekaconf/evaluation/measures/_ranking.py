"""Areas under ROC curves, which measure how well numbers rank instances.

The arrays are those that `wekaconf.evaluation.measures` describes, and so is ``folds``. An area needs no distributions:
any (n_instances, n_classes) float64 array whose column c ranks the instances by how likely class c is may take the
place of ``proba``.

Every area here follows from two sums over pairs of instances: the weight of the pairs that are ranked correctly, and of
the pairs that tie. scikit-learn's ``roc_auc_score`` gives neither sum (it counts a tie as ½, while some published areas
count ties otherwise), takes no weights between two of several classes, raises where one class is missing, and takes a
second to import.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.base.rounding import rounded, sums_are_exact
from wekaconf.data.arrays import BoolArray, FloatArray, Int64Array
from wekaconf.evaluation.measures._arguments import checked, ratio
from wekaconf.evaluation.measures._folds import Folds, fold_by_fold
from wekaconf.evaluation.measures._scoring import is_correct

Order = Callable[[int], NDArray[np.intp]]
"""A function from a class to the instances' places in the order of its probability, fold by fold."""
PairWeights = tuple[FloatArray, FloatArray, FloatArray]
"""The three arrays of `pair_weights`."""
SMALLEST_BLOCK = 0.005
"""The smallest area, of a square of 1, for which a block of equal scores gets a box."""


def areas_under_roc(proba: FloatArray, actual: Int64Array, weights: FloatArray, *, tie: float = 0.5) -> FloatArray:
    """Area under each class's ROC curve, against all other instances, as Weka computes it.

    For class c: the weighted share of the pairs of an instance of c and another instance in which p_c is greater for
    the first, ties counting ½. An instance whose class is missing is among the other instances of every class: Weka
    means to skip it, but compares the class with NaN by ``==``, which never holds. Leave those instances out
    beforehand for the area over the scored instances.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.
    tie : float
        The value of a tie, in [0, 1]; Weka's ½ when left out.

    Returns
    -------
    (n_classes,) float64
        In [0, 1], dimensionless; NaN for a class without instances, or without other instances. Source:
        ``weka.classifiers.Evaluation.areaUnderROC`` (``ThresholdCurve.getCurve``, ``getROCArea``).
        Cost: time O(n_classes · n log n), memory O(n + n_classes²).
    """
    return _areas(pair_weights(proba, actual, weights, Folds.one(len(actual))), tie)[0]


def _areas(counted: PairWeights, tie: float) -> FloatArray:
    greater, equal, pairs = counted
    return ratio((greater + tie * equal).sum(axis=2), pairs.sum(axis=2))


@fold_by_fold
def auc_mean(
    proba: FloatArray, actual: Int64Array, weights: FloatArray, folds: Folds, *, counted: PairWeights | None = None
) -> FloatArray:
    """Unweighted mean of the classes' areas under the ROC curve, each class against the rest.

    The mean of A(c) over the classes c that are present and not alone; A(c) is the weighted share of the
    pairs of an instance of c and an instance of another class in which p_c is greater for the first, ties counting ½.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.
    counted : tuple of three arrays, optional
        The result of `pair_weights` for these arrays, if it is known.

    Returns
    -------
    float
        In [0, 1], dimensionless.
    """
    greater, equal, pairs = counted or pair_weights(proba, actual, weights, folds)
    return _mean_one_vs_rest(greater + equal / 2, pairs)


@fold_by_fold
def auc_weighted(
    proba: FloatArray,
    actual: Int64Array,
    weights: FloatArray,
    folds: Folds,
    *,
    tie: float = 0.5,
    counted: PairWeights | None = None,
) -> FloatArray:
    """Weka's weighted mean of the classes' areas under the ROC curve.

    Σ n_c A(c) / Σ n_c over the classes with n_c > 0, where A is `areas_under_roc` (so an instance whose class
    is missing counts as in Weka) and n_c the summed weight of the instances of class c that are not left
    unclassified.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.
    tie : float
        The value of a tie, in [0, 1]; Weka's ½ when left out.
    counted : tuple of three arrays, optional
        The result of `pair_weights` for ``proba``, or for other values that A ranks by. Whether an instance is left
        unclassified always follows from ``proba``.

    Returns
    -------
    float
        In [0, 1], dimensionless. Source: ``weka.classifiers.Evaluation.weightedAreaUnderROC`` of Weka 3.9.7.
    """
    n_classes = proba.shape[1]
    classified = (actual >= 0) & proba.any(axis=1)
    by_class = Folds(folds.of[classified] * n_classes + actual[classified], folds.n * n_classes)
    counts = by_class.sums(weights[classified]).reshape(folds.n, n_classes)
    areas = _areas(counted or pair_weights(proba, actual, weights, folds), tie)
    return ratio(np.where(counts > 0, areas * counts, 0.0).sum(axis=1), counts.sum(axis=1))


@fold_by_fold
def auc_hand_till(
    proba: FloatArray, actual: Int64Array, weights: FloatArray, folds: Folds, *, counted: PairWeights | None = None
) -> FloatArray:
    """Hand and Till's M: the mean area over the unordered pairs of present classes.

    2 / (m (m − 1)) · Σ_{i<j} A(i, j) over the m present classes, A(i, j) = (A(i|j) + A(j|i)) / 2, where
    A(i|j) is the weighted share of the pairs of an instance of i and one of j in which p_i is greater for the
    first, ties counting ½.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.
    counted : tuple of three arrays, optional
        The result of `pair_weights` for these arrays, if it is known.

    Returns
    -------
    float
        In [0, 1], dimensionless.

    References
    ----------
    D. J. Hand and R. J. Till (2001). A simple generalisation of the area under the ROC curve for multiple
    class classification problems. Machine Learning 45, 171-186.
    """
    greater, equal, pairs = (table[..., :-1] for table in counted or pair_weights(proba, actual, weights, folds))
    return _mean_share(greater + equal / 2, pairs)


@fold_by_fold
def auc_wang2006(
    proba: FloatArray, actual: Int64Array, weights: FloatArray, folds: Folds, *, counted: PairWeights | None = None
) -> FloatArray:
    """The area in the tables of Wang and Zhang (2006), for one fold; the tables show its mean over the folds.

    The mean over the pairs i < j of *declared* classes of A(i|j), the weighted share of the pairs of an instance of
    i and one of j in which p_i is greater for the first, ties counting ½. A(j|i) is not used. Where only one of
    the two classes is present the pair counts 1 if the instances of that class have at least two distinct p_i,
    else ½; where neither is present, ½.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.
    counted : tuple of three arrays, optional
        The result of `pair_weights` for these arrays, if it is known.

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
    if n_classes < 2:
        return np.full(folds.n, np.nan)
    greater, equal, pairs = (table[..., :-1] for table in counted or pair_weights(proba, actual, weights, folds))
    scored = np.flatnonzero((actual >= 0) & (weights > 0))
    by_class = folds.of[scored] * n_classes + actual[scored]
    order = np.argsort(by_class, kind="stable")
    present, begin = np.unique(by_class[order], return_index=True)
    proba_of_c = proba[scored[order]]
    areas = np.full((folds.n, n_classes, n_classes), 0.5)
    if len(present):
        fold, c = np.divmod(present, n_classes)
        has_two_values = np.maximum.reduceat(proba_of_c, begin) > np.minimum.reduceat(proba_of_c, begin)
        single = np.where(has_two_values, 1.0, 0.5)
        areas[fold, c] = np.take_along_axis(single, c[:, None], axis=1)
        areas[fold, :, c] = single
    np.divide(greater + equal / 2, pairs, out=areas, where=pairs > 0)
    above = np.ascontiguousarray(areas[:, *np.triu_indices(n_classes, 1)]).mean(axis=1)  # same order in every fold
    return np.where(np.bincount(folds.of[scored], minlength=folds.n) > 0, above, np.nan)


@fold_by_fold
def auc_mean_no_ties(
    proba: FloatArray, actual: Int64Array, weights: FloatArray, folds: Folds, *, order: Order | None = None
) -> FloatArray:
    """`auc_mean` with ties counting 0, after the probabilities are rounded to 9 decimals.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.
    order : callable, optional
        See `pair_weights`; rounding keeps an order.

    Returns
    -------
    float
        In [0, 1], dimensionless; `auc_mean` minus half the share of ties.
    """
    greater, _, pairs = pair_weights(np.round(proba, 9), actual, weights, folds, order=order)
    return _mean_one_vs_rest(greater, pairs)


def auroc(certainty: ArrayLike, positive: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Area under the ROC curve of the certainty, which separates two kinds of instances.

    The weighted share of the pairs of a positive and a negative instance in which the positive one is more certain,
    ties counting ½.

    Parameters
    ----------
    certainty : (n_instances,) float64
        Compared after rounding to 12 decimals.
    positive : (n_instances,) bool
        Which instances ought to be more certain: those answered correctly, or those of known classes.
    weights : (n_instances,) float64, optional
        In [0, 1e100], dimensionless; 1 when left out.

    Returns
    -------
    float
        In [0, 1]; NaN when one kind is absent.
        Cost: time O(n log n), memory O(n).

    Raises
    ------
    OptionError
        A certainty is NaN, or the arrays differ in length.
    """
    certainty, positive, weights = checked(certainty, positive, weights)
    if positive.all() or not positive.any():
        return np.nan
    return float(_separation(certainty, positive, weights, Folds.one(len(certainty)))[0])


@fold_by_fold
def auc_reliability(
    proba: FloatArray,
    actual: Int64Array,
    weights: FloatArray,
    folds: Folds,
    *,
    certainty: FloatArray | None = None,
    predicted: Int64Array | None = None,
) -> FloatArray:
    """Area under the ROC curve of a method's certainty, which separates its correct answers from its wrong ones.

    `auroc` of the correct answers against the wrong ones. Only scored instances count; an instance left unclassified is
    a wrong answer.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.
    certainty : (n_instances,) float64, optional
        The method's certainty; the answer's probability when left out.
    predicted : (n_instances,) int64, optional
        The answers; left out: the most probable classes after rounding to 12 decimals.

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
    ranked = proba.max(axis=1, initial=0.0) if certainty is None else certainty
    certainty, correct, weights = checked(ranked[scored], is_correct(proba, actual, predicted)[scored], weights[scored])
    return _separation(certainty, correct, weights, folds.take(scored))


def _separation(certainty: FloatArray, positive: BoolArray, weights: FloatArray, folds: Folds) -> FloatArray:
    """`auroc` of each fold."""
    positives, negatives = weights * positive, weights * ~positive
    above, equal = weight_above(rounded(certainty), positives, folds)
    return ratio(folds.sums(negatives * (above + equal / 2)), folds.sums(positives) * folds.sums(negatives))


def _mean_one_vs_rest(right: FloatArray, pairs: FloatArray) -> FloatArray:
    """Mean over the classes of the share ``right / pairs``, each class against the scored instances of all others."""
    return _mean_share(right[..., :-1].sum(axis=2), pairs[..., :-1].sum(axis=2))


def _mean_share(right: FloatArray, pairs: FloatArray) -> FloatArray:
    """(n_folds,) float64: the mean of ``right / pairs`` over the entries of each fold that have pairs."""
    axes = tuple(range(1, pairs.ndim))
    shares = np.divide(right, pairs, out=np.zeros_like(pairs), where=pairs > 0)
    return ratio(shares.sum(axis=axes), (pairs > 0).sum(axis=axes))


@dataclass(frozen=True, eq=False)
class Roc:
    """The ROC curve of one class against the rest.

    Parameters
    ----------
    false, true : (n_points,) float64
        Share of the other instances and of those of the class whose score is at least that of the point; from 0 to 1.
        Instances of equal score are one step: the line between its ends is where they are in random order.
    n_others, n_of_class : float
        Summed weights.
    """

    false: FloatArray
    true: FloatArray
    n_others: float
    n_of_class: float

    @property
    def area(self) -> float:
        """Area below the curve, ties counting ½."""
        return float(np.diff(self.false) @ (self.true[1:] + self.true[:-1]) / 2)

    @property
    def bounds(self) -> tuple[float, float]:
        """The area with ties counting 0, and counting 1: the worst and the best order of equal scores."""
        steps = np.diff(self.false)
        return float(steps @ self.true[:-1]), float(steps @ self.true[1:])

    @property
    def blocks(self) -> list[tuple[float, float, float, float]]:
        """Corners of the blocks of equal scores that hold both kinds of instances, the largest first."""
        corners = zip(pairwise(self.false), pairwise(self.true), strict=True)
        large_blocks = [(a, b, c, d) for (a, c), (b, d) in corners if (c - a) * (d - b) >= SMALLEST_BLOCK]
        return sorted(large_blocks, key=lambda box: (box[0] - box[2]) * (box[3] - box[1]))


def roc_curve(score: FloatArray, is_of_class: FloatArray, weights: FloatArray) -> Roc:
    """The ROC curve of scores.

    Parameters
    ----------
    score, is_of_class, weights : (n_instances,) float64
        Both kinds of instances must be present.
    """
    _, level = np.unique(-score, return_inverse=True)
    positives = np.bincount(level, weights * is_of_class).cumsum()
    others = np.bincount(level, weights * (1.0 - is_of_class)).cumsum()
    return Roc(
        np.append(0.0, others / others[-1]), np.append(0.0, positives / positives[-1]), others[-1], positives[-1]
    )  # fmt: skip


# A loop over the classes: ranking all of them in one sort was two to three times slower on large folds.
def pair_weights(
    proba: FloatArray,
    actual: Int64Array,
    weights: FloatArray,
    folds: Folds,
    *,
    order: Order | None = None,
    n_ranked: int | None = None,
) -> PairWeights:
    """Weights of the pairs of instances that class c's probability ranks correctly, leaves equal, and of all pairs.

    Only instances of the same fold make a pair.

    Parameters
    ----------
    proba, actual, weights, folds
        See `wekaconf.evaluation.measures`.
    order : callable, optional
        Gives an order of each class's column by fold and then by probability, for weights that are whole numbers.
    n_ranked : int, optional
        Take only the first columns of ``proba``; the entries of the others are 0 in ``greater`` and ``equal``.

    Returns
    -------
    greater, equal, pairs : (n_folds, n_classes, n_classes + 1) float64
        Entry [f, c, d] sums, over an instance x of class c and an instance y of class d, the product of their
        weights: where ``proba[x, c] > proba[y, c]``, where the two are equal, and always. The last column
        stands for the instances whose class is missing; entries [f, c, c] are 0.
        Cost: time O(n_classes · n log n), memory O(n + n_folds · n_classes²).
    """
    n_classes = proba.shape[1]
    shape = folds.n, n_classes + 1
    by_class = Folds(folds.of * shape[1] + np.where(actual < 0, n_classes, actual), folds.n * shape[1])
    total = by_class.sums(weights).reshape(shape)
    pairs = total[:, :n_classes, None] * total[:, None, :]
    greater, equal = np.zeros_like(pairs), np.zeros_like(pairs)
    if (np.count_nonzero(total, axis=1) < 2).all():  # leave-one-out has many folds of one instance
        return greater, equal, np.zeros_like(pairs)
    for c in range(n_classes if n_ranked is None else n_ranked):
        above, level = weight_above(proba[:, c], weights * (actual == c), folds, order and partial(order, c))
        greater[:, c] = by_class.sums(weights * above).reshape(shape)
        equal[:, c] = by_class.sums(weights * level).reshape(shape)
    for table in (greater, equal, pairs):
        table[:, range(n_classes), range(n_classes)] = 0.0
    return greater, equal, pairs


def weight_above(
    score: FloatArray, weights: FloatArray, folds: Folds, order_of: Callable[[], NDArray[np.intp]] | None = None
) -> tuple[FloatArray, FloatArray]:
    """The weight of the instances of the same fold with a greater score, and with the same; (n_instances,) each."""
    is_whole = sums_are_exact(weights)
    any_order = order_of or partial(order_by_fold, score, folds)
    order = any_order() if is_whole else np.lexsort((score, folds.of))
    score, fold = score[order], folds.of[order]
    is_first = np.append(True, (score[1:] != score[:-1]) | (fold[1:] != fold[:-1]))[: len(order)]
    level = np.cumsum(is_first) - 1
    level_weight = np.asarray(np.bincount(level, weights[order]), dtype=np.float64)
    level_fold = fold[is_first]
    last_level = np.searchsorted(level_fold, level_fold, side="right") - 1
    cumulative = level_weight.cumsum() if is_whole else _cumulative_by_fold(level_weight, last_level)
    above, equal = np.empty(len(order)), np.empty(len(order))
    above[order] = (cumulative[last_level] - cumulative)[level]
    equal[order] = level_weight[level]
    return above, equal


def order_by_fold(score: FloatArray, folds: Folds) -> NDArray[np.intp]:
    """(n_instances,) intp: by fold, then by score. The order of ties is undefined, which makes sorting faster."""
    order = np.argsort(score)
    if folds.n == 1:
        return order
    fold = folds.of.astype(np.min_scalar_type(folds.n))  # two bytes are sorted in linear time
    return order[np.argsort(fold[order], kind="stable")]


def _cumulative_by_fold(level_weight: FloatArray, last_level: NDArray[np.intp]) -> FloatArray:
    """The summed weight of the levels of a fold up to each; sums start anew in each fold."""
    cumulative = np.empty(len(level_weight))
    ends = np.unique(last_level) + 1
    for begin, end in pairwise([0, *ends.tolist()]):
        level_weight[begin:end].cumsum(out=cumulative[begin:end])
    return cumulative
