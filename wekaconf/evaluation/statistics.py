"""Tests of whether one method is better than another: on the folds of one data set, and over many data sets.

Pairs with an undefined (NaN) or infinite value are left out and counted. Differences that round to 0 at
12 decimals are 0, see `wekaconf.base.rounding`. Without enough data (no pair, one pair, no difference) the
answer of a test is still defined: NaN where no p-value exists, 1 where nothing differs.

The corrected resampled t-test is that of Weka's Experimenter, so that marks can be compared with published ones. Its
correction is a heuristic, made for random subsampling; the plain t-test and Wilcoxon's over folds ignore that training
sets overlap, and find too much. Over data sets, which are independent, Wilcoxon's test with Holm's correction judges
pairs, since Nemenyi's verdict on two methods changes with the company they are in (Benavoli et al. 2016).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.base.errors import OptionError, needed
from wekaconf.base.rounding import rounded
from wekaconf.data.arrays import FloatArray


@dataclass(frozen=True)
class PairedTest:
    """A two-sided test of paired values.

    Parameters
    ----------
    effect, low, high : float
        The size of the effect, positive where the first values are larger, and its interval.
    statistic, p_value : float
        NaN where the test is undefined.
    n_pairs, n_left_out : int
        Pairs that were tested, and pairs left out because a value is not a finite number.
    """

    effect: float
    low: float
    high: float
    statistic: float
    p_value: float
    n_pairs: int
    n_left_out: int

    def sign(self, level: float) -> int:
        """1 or −1 if the first values are significantly larger or smaller (p ≤ level), else 0."""
        return int(np.sign(self.effect)) if self.p_value <= level else 0


@dataclass(frozen=True, eq=False)
class FriedmanTest:
    """Friedman's test of several methods over data sets, and Nemenyi's test of every pair.

    Parameters
    ----------
    mean_ranks : (n_methods,) float64
        In [1, n_methods], 1 is best; NaN without a data set.
    statistic, p_value : float
        Friedman's χ², corrected for ties; NaN with fewer than three methods or two data sets.
    critical_difference : float
        The difference of mean ranks from which on two methods differ by Nemenyi's test; NaN with one method or fewer
        than two data sets.
    nemenyi : (n_methods, n_methods) float64
        Its p-values, 1 on the diagonal; NaN where the critical difference is.
    n_sets, n_left_out : int
        Data sets that were ranked, and those left out because a method has no finite value there.
    """

    mean_ranks: FloatArray
    statistic: float
    p_value: float
    critical_difference: float
    nemenyi: FloatArray
    n_sets: int
    n_left_out: int


def paired_t(first: ArrayLike, second: ArrayLike, *, test_train_ratio: float = 0.0, level: float = 0.05) -> PairedTest:
    """Student's paired t-test, or with ``test_train_ratio`` the corrected resampled t-test of Nadeau and Bengio.

    t = d / √((1/n + test_train_ratio) s²), with n − 1 degrees of freedom, where d and s² are mean and variance (n − 1)
    of the differences. The folds of a cross-validation share training instances, so their differences vary less than
    those of independent samples; the ratio makes up for it.

    Parameters
    ----------
    first, second : (n,) float64
        Values of two methods on the same folds.
    test_train_ratio : float
        Number of test instances over that of training instances, in [0, ∞); 1/9 in a ten-fold cross-validation. 0 gives
        Student's test.
    level : float
        In (0, 1); the interval is one of 1 − level.

    Returns
    -------
    PairedTest
        The effect is the mean difference. If all differences are equal, p is 1 where they are 0, else 0, as in Weka.
        With one pair p is NaN (Weka calls any difference significant there).

    References
    ----------
    C. Nadeau and Y. Bengio (2003). Inference for the generalization error. Machine Learning 52, 239-281. The same as
    ``PairedTTester`` and ``PairedCorrectedTTester`` of ``weka.experiment``.
    """
    from scipy import stats

    check_level(level)
    if not 0 <= test_train_ratio < np.inf:
        raise OptionError(parameter="test_train_ratio", expected="a number of at least 0", got=str(test_train_ratio))
    difference, n_left_out = _differences(first, second)
    n = len(difference)
    difference = np.where(rounded(difference) == 0, 0.0, difference)
    mean = float(difference.mean()) if n else np.nan
    if n < 2:
        return PairedTest(mean, np.nan, np.nan, np.nan, np.nan, n, n_left_out)
    if not difference.any():
        return PairedTest(0.0, 0.0, 0.0, 0.0, 1.0, n, n_left_out)
    error = float(np.sqrt((1 / n + test_train_ratio) * difference.var(ddof=1)))
    statistic = mean / error if error else float(np.copysign(np.inf, mean))
    half = float(stats.t.isf(level / 2, n - 1)) * error
    p_value = float(2 * stats.t.sf(abs(statistic), n - 1))
    return PairedTest(mean, mean - half, mean + half, statistic, p_value, n, n_left_out)


def bayesian_signed_rank(first: ArrayLike, second: ArrayLike, *, rope: float) -> tuple[float, float, float]:
    """How probable it is that one of two methods is better, or that they do not differ in practice, over data sets.

    Parameters
    ----------
    first, second : (n,) float64
        Values of two methods on n data sets; the larger is the better. Pairs with a NaN are left out.
    rope : float
        Above 0: differences of at most this size are none, the region of practical equivalence.

    Returns
    -------
    tuple of float
        The probability that the first is better, that there is no difference, and that the second is better: the shares
        of 50,000 draws from the posterior, of a fixed seed, in which each has most weight. NaN without a pair.

    Raises
    ------
    OptionError
        The rope is not a positive number; or baycomp is not installed.

    References
    ----------
    A. Benavoli, G. Corani, F. Mangili, M. Zaffalon, F. Ruggeri (2014). A Bayesian Wilcoxon signed-rank test based on
    the Dirichlet process. ICML 2014, PMLR 32(2), 1026-1034; with the prior's weight of 0.5 at no difference.
    """
    with needed("the Bayesian signed-rank test", "report"):
        from baycomp import SignedRankTest

    if not 0 < rope < np.inf:
        raise OptionError(parameter="rope", expected="a number above 0", got=repr(rope))
    difference, _ = _differences(first, second)
    if not len(difference):
        return np.nan, np.nan, np.nan
    left, none, right = SignedRankTest.probs(difference, np.zeros(len(difference)), rope, random_state=1)
    return float(left), float(none), float(right)


def signed_rank(first: ArrayLike, second: ArrayLike, *, level: float = 0.05) -> PairedTest:
    """Wilcoxon's signed-rank test; differences of 0 are left out of the ranking.

    Parameters
    ----------
    first, second : (n,) float64
        Values of two methods, for example on n data sets.
    level : float
        In (0, 1); the interval is one of 1 − level.

    Returns
    -------
    PairedTest
        The effect is the matched-pairs rank-biserial correlation r in [−1, 1]: the share of the ranks that favour the
        first less the share that favours the second. Its interval holds every ρ with |r − ρ| ≤ z σ √(1 − ρ²), where σ
        is the deviation that r has where nothing differs: Wilson's way for shares. For normal differences it holds in
        94 to 98 % where 95 % are meant, from 6 pairs on; the usual interval by Fisher's z in 68 to 97 %. The p-value is
        that of ``scipy.stats.wilcoxon``: exact for up to 13 differences, and for 50 of distinct sizes. ``n_pairs``
        counts differences of 0 too; where all are 0, p is 1; without a pair it is NaN.

    References
    ----------
    F. Wilcoxon (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83. D. S. Kerby (2014). The
    simple difference formula: an approach to teaching nonparametric correlation. Comprehensive Psychology 3, 1. E. B.
    Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22, 209-212.
    """
    from scipy import stats

    check_level(level)
    difference, n_left_out = _differences(first, second)
    n_pairs = len(difference)
    difference = rounded(difference)
    difference = difference[difference != 0]
    n = len(difference)
    if not n:
        p_value, effect = (1.0, 0.0) if n_pairs else (np.nan, np.nan)
        return PairedTest(effect, np.nan, np.nan, np.nan, p_value, n_pairs, n_left_out)
    ranks = stats.rankdata(np.abs(difference))
    total = n * (n + 1) / 2
    effect = float(np.sign(difference) @ ranks / total)
    spread = stats.norm.isf(level / 2) ** 2 * (n * (n + 1) * (2 * n + 1) / 6) / total**2
    centre, half = effect / (1 + spread), np.sqrt(spread * (1 + spread - effect**2)) / (1 + spread)
    low, high = max(float(centre - half), -1.0), min(float(centre + half), 1.0)
    statistic = float(min(ranks[difference > 0].sum(), ranks[difference < 0].sum()))
    return PairedTest(effect, low, high, statistic, _p_value(difference, ranks), n_pairs, n_left_out)


def _p_value(difference: FloatArray, ranks: FloatArray) -> float:
    """The p-value of ``scipy.stats.wilcoxon``, which ranks up to 13 differences with ties anew for each of 2ⁿ signs."""
    from scipy import stats

    if len(ranks) <= 13 and len(np.unique(ranks)) < len(ranks):
        signed = np.sign(difference) * ranks
        return float(stats.permutation_test((signed,), np.sum, permutation_type="samples", vectorized=True).pvalue)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that the sample is small, which n_pairs shows
        return float(stats.wilcoxon(difference).pvalue)


def holm(p_values: ArrayLike) -> FloatArray:
    """p-values corrected by Holm's step-down method for being the smallest of several.

    Parameters
    ----------
    p_values : (n,) float64
        NaN for a test that is undefined, which does not count.

    Returns
    -------
    (n,) float64
        In [0, 1], in the order given; NaN where they are.

    References
    ----------
    S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    corrected = np.full(p_values.shape, np.nan)
    order = np.argsort(p_values)[: np.count_nonzero(~np.isnan(p_values))]
    steps = p_values[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def pairwise_signed_rank(values: ArrayLike) -> FloatArray:
    """`signed_rank` of every pair of methods over data sets, corrected by `holm`.

    Parameters
    ----------
    values : (n_sets, n_methods) float64
        NaN where a method has none; such sets are left out of the tests of that method.

    Returns
    -------
    (n_methods, n_methods) float64
        Corrected p-values, 1 on the diagonal; NaN where two methods have no set in common.

    References
    ----------
    A. Benavoli, G. Corani and F. Mangili (2016). Should we really use post-hoc tests based on mean-ranks? Journal of
    Machine Learning Research 17, 1-10.
    """
    table = _table(values)
    p_values = np.eye(table.shape[1])
    pairs = list(combinations(range(table.shape[1]), 2))
    corrected = holm([signed_rank(table[:, a], table[:, b]).p_value for a, b in pairs])
    for (a, b), p_value in zip(pairs, corrected, strict=True):
        p_values[a, b] = p_values[b, a] = p_value
    return p_values


def friedman(values: ArrayLike, *, larger_is_better: bool = True, level: float = 0.05) -> FriedmanTest:
    """Friedman's test over data sets, with Nemenyi's test of every pair.

    Parameters
    ----------
    values : (n_sets, n_methods) float64
        A data set where a value is not a finite number is left out.
    larger_is_better : bool
        Whether rank 1 goes to the largest value; equal values share the mean of their ranks.
    level : float
        In (0, 1), of the critical difference.

    Returns
    -------
    FriedmanTest
        Where all values of every set are equal, p is 1.

    References
    ----------
    M. Friedman (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of variance.
    Journal of the American Statistical Association 32, 675-701. J. Demšar (2006). Statistical comparisons of
    classifiers over multiple data sets. Journal of Machine Learning Research 7, 1-30: q√(k(k+1)/6N), q a quantile of
    the studentised range over √2.
    """
    from scipy import stats

    check_level(level)
    table = _table(values)
    is_complete = np.isfinite(table).all(axis=1)
    n_left_out, table = int((~is_complete).sum()), rounded(table[is_complete])
    n_sets, n_methods = table.shape
    ranks = stats.rankdata(-table if larger_is_better else table, axis=1)
    mean_ranks = ranks.mean(axis=0) if n_sets else np.full(n_methods, np.nan)
    statistic = p_value = critical_difference = np.nan
    nemenyi = np.full((n_methods, n_methods), np.nan)
    if n_sets > 1 and n_methods > 2:
        all_tied = (ranks == ranks[:, :1]).all()
        statistic, p_value = (0.0, 1.0) if all_tied else map(float, stats.friedmanchisquare(*ranks.T))
    if n_sets > 1 and n_methods > 1:
        error = np.sqrt(n_methods * (n_methods + 1) / (12 * n_sets))
        critical_difference = float(stats.studentized_range.isf(level, n_methods, np.inf) * error)
        distance = np.abs(mean_ranks[:, None] - mean_ranks) / error
        nemenyi = np.minimum(stats.studentized_range.sf(distance, n_methods, np.inf), 1.0)
    np.fill_diagonal(nemenyi, 1.0)
    return FriedmanTest(mean_ranks, statistic, p_value, critical_difference, nemenyi, n_sets, n_left_out)


def check_level(level: float) -> None:
    """Raise OptionError unless the level of a test is in (0, 1)."""
    if not 0 < level < 1:
        raise OptionError(parameter="level", expected="a number between 0 and 1, such as 0.05", got=f"{level:g}")


def _differences(first: ArrayLike, second: ArrayLike) -> tuple[FloatArray, int]:
    """The differences, first less second, of finite pairs, and the number of the other pairs."""
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise OptionError(
            f"paired values: expected two rows of equal length, got {first.shape} and {second.shape}", value_of="first"
        )
    defined = np.isfinite(first) & np.isfinite(second)
    return first[defined] - second[defined], int((~defined).sum())


def _table(values: ArrayLike) -> FloatArray:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise OptionError(parameter="values", expected="a table, one row per data set", got=f"{table.ndim} dimensions")
    return table
