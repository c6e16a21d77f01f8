"""Thresholds whose error target holds with a confidence: learn, then test.

A threshold t answers the instances whose certainty is at least t, and errs among these with a probability R(t). The
calibration rows took no part in anything else and are drawn as the instances that are to be answered. Of the n rows
that t answers, the number of wrong ones is binomial with the probability R(t), so that P(Bin(n, target) ≤ wrong) is a
p-value of the hypothesis R(t) > target: if it is rejected, t keeps the target. `promise` tries many thresholds, in a
way that rejects a true hypothesis with a probability of at most δ = 1 − confidence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.measures import Certainties, levels_of
from wekaconf.evaluation.promises._bounds import tail, upper_bound

MOST_CANDIDATES = 200
"""The largest number of thresholds that are tried."""
# Bonferroni's bounds: with 200 thresholds the exact tails at δ/200 cost a tenth of the coverage at 200 rows; with 20
# they come within .01 of the best number at any number of rows tried. A chain of tests over targets, each with one
# threshold fixed beforehand, was worse.
N_LEVELS = 20
"""The largest number of thresholds whose counts are kept for other targets."""
MOST_ROWS = 2**31 - 1
"""The largest number of calibration rows; the tails of larger counts are not computed."""
# Because the few most certain rows often err in none by luck.
PRIOR_ROWS = 20
"""The number of rows that count, at each threshold, as if they erred as all reference rows do."""


class Level(NamedTuple):
    """A threshold, and how many calibration rows it answers, and wrongly."""

    threshold: float
    answered: int
    wrong: int


@dataclass(frozen=True)
class Promise:
    """A threshold that keeps an error target with a confidence, and the counts that this rests on.

    Parameters
    ----------
    target : float
        The largest share of wrong answers, in [0, 1].
    delta : float
        The largest probability, over the draw of the calibration rows, that the promise is broken, in (0, 1).
    threshold : float
        In the certainty's unit; ∞: no threshold could be shown to keep the target, and every answer is rejected.
    answered, wrong : int
        How many calibration rows are answered at the threshold, and how many of them wrongly.
    n, n_wrong : int
        Number of calibration rows, and of those that would be answered wrongly.
    levels : tuple of Level
        Up to 20 thresholds, descending. With a probability of at least 1 − δ the `bounds` of all hold at once.
    class_name : str
        The promise is about the answers that predict this class, and ``n`` counts only these; empty: all answers.
    """

    target: float
    delta: float
    threshold: float
    answered: int
    wrong: int
    n: int
    n_wrong: int
    levels: tuple[Level, ...] = field(repr=False)
    class_name: str = ""

    def __post_init__(self) -> None:
        """Check that the counts are possible, and that they show what is promised."""
        if not (0 < self.target <= 1 and 0 < self.delta < 1):
            raise ValueError(f"promise: expected shares, got {self.target!r} and {self.delta!r}")
        check_counts((self.threshold, self.answered, self.wrong), self.levels, self.n, self.n_wrong)
        if self.is_reached and tail(self.wrong, self.answered, self.target) > self.delta:
            raise ValueError(
                f"promise: {self.wrong} errors in {self.answered} answers do not show an error of at most "
                f"{self.target:g}"
            )

    @property
    def is_reached(self) -> bool:
        """Whether anything is answered."""
        return self.threshold < math.inf

    @property
    def bounds(self) -> FloatArray:
        """(n_levels,) float64 in [0, 1]: errors that, with a probability of 1 − δ, are exceeded at no level."""
        _, answered, wrong = zip(*self.levels, strict=True) if self.levels else ((), (), ())
        return upper_bound(wrong, answered, self.delta / max(len(self.levels), 1))

    def of_target(self, target: float) -> Promise:
        """The promise for another target: the lowest of the ``levels`` whose bound is no larger."""
        if target == self.target:
            return self
        kept = np.flatnonzero(self.bounds <= target)
        level = self.levels[kept[-1]] if len(kept) else Level(math.inf, 0, 0)
        return replace(self, target=target, threshold=level.threshold, answered=level.answered, wrong=level.wrong)

    @property
    def best(self) -> tuple[float, float] | None:
        """The smallest of the ``bounds``, and the share of the rows answered there; None without a bound below 1."""
        return best_bound(self.bounds, [level.answered for level in self.levels], self.n, 1.0)

    def as_record(self) -> dict[str, Any]:
        """The promise as a mapping that JSON can hold; `of_record` reads it."""
        return asdict(self)

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """The promise in a record from `as_record`; ValueError, KeyError or TypeError if its counts do not show it."""
        levels = tuple(Level(float(threshold), *counts) for threshold, *counts in record["levels"])
        target, delta, threshold = (float(record[name]) for name in ("target", "delta", "threshold"))
        answered, wrong, n, n_wrong = (record[name] for name in ("answered", "wrong", "n", "n_wrong"))
        return cls(target, delta, threshold, answered, wrong, n, n_wrong, levels, str(record["class_name"]))


def check_counts(
    chosen: tuple[float, int, int], levels: Sequence[tuple[float, int, int]], n: int, n_wrong: int
) -> None:
    """Raise ValueError unless rows can be answered like that.

    Each level is a threshold, the number of rows that it answers, and of those that it answers wrongly; ``n`` rows are
    answered, ``n_wrong`` of them wrongly, if none is rejected.
    """
    counts = (n, n_wrong, *(count for level in (chosen, *levels) for count in level[1:]))
    if not all(type(count) is int and count <= MOST_ROWS for count in counts) or len(levels) > N_LEVELS:
        raise ValueError(
            f"promise: expected whole numbers of at most {MOST_ROWS} rows for at most {N_LEVELS} thresholds"
        )
    nothing, everything = (math.inf, 0, 0), (n, n_wrong)
    if not _are_steps([nothing, *levels], everything):
        raise ValueError("promise: expected ever lower thresholds that answer ever more rows")
    threshold, answered, wrong = chosen
    if threshold < math.inf and not levels:
        raise ValueError("promise: expected the counts at other thresholds beside those at the chosen one, got none")
    if not _are_steps(sorted({nothing, *levels, chosen}, reverse=True), everything):
        raise ValueError(
            f"promise: {answered} answers, {wrong} of them wrong, are not possible at the threshold {threshold:g} "
            f"beside what other thresholds answer of {n} rows"
        )


def _are_steps(levels: Sequence[tuple[float, int, int]], everything: tuple[int, int]) -> bool:
    """Whether ever lower thresholds answer ever more rows, and wrongly, up to those that are answered without one."""
    thresholds = [level[0] for level in levels]
    counts = [*(level[1:] for level in levels), everything]
    return all(high > low for high, low in pairwise(thresholds)) and all(
        0 <= more_wrong - wrong <= more - answered for (answered, wrong), (more, more_wrong) in pairwise(counts)
    )


def best_bound(bounds: FloatArray, answered: Sequence[int], n: int, ceiling: float) -> tuple[float, float] | None:
    """The smallest of the bounds of levels, and the share of ``n`` rows answered there; None if it says nothing."""
    if not len(bounds) or bounds.min() >= ceiling:
        return None
    best = int(np.flatnonzero(bounds == bounds.min())[-1])
    return float(bounds[best]), answered[best] / n


@dataclass(frozen=True, eq=False)
class TestPlan:
    """The tests of an error target, planned before any calibration row is answered.

    The order must not depend on the rows that count. Errors of the rows that a classifier was fitted on, taken three
    times, are a bad guide for what overfits; answers out of five folds are a good one, at the price of five fits, and
    with them one start at the whole of δ beats several that share it. docs/rejecting.md has the table.

    Parameters
    ----------
    target, delta : float
        See `Promise`.
    threshold : (n_candidates,) float64
        The candidates, descending.
    first : int
        The number of rows, the most certain ones, that are tested before any candidate; 0: none are.
    start : int
        The place of the candidate that is tested first; the next lower ones follow. After a test of the most certain
        rows the first is one that answers more rows than these, and ``start`` is 0.
    kept : (n_levels,) float64
        The thresholds whose counts are kept for other targets, descending.
    """

    target: float
    delta: float
    threshold: FloatArray
    first: int
    start: int
    kept: FloatArray

    @classmethod
    def of(cls, target: float, delta: float, reference: Certainties, n: int, *, optimism: float = 1) -> Self:
        """The plan for ``n`` calibration rows; see `promise`."""
        levels, accepted, n_wrong = levels_of(*reference)
        tried = spread(accepted, MOST_CANDIDATES)
        threshold, kept = levels[tried], levels[spread(accepted, N_LEVELS)]
        width, coverage, wrong, right = (each[tried] for each in _expected(accepted, n_wrong, optimism))
        answered = np.maximum((coverage * n + 1e-9).astype(np.int64), 1)
        allowed = _most_errors(answered, target, delta)
        fewest = _fewest_rows(allowed, answered, target, delta)
        by_count = surest(_chance_to_pass(fewest, allowed, wrong, right))
        is_narrow = n * width**2 < coverage * (1 - coverage)
        if (is_narrow & (allowed >= 0))[by_count : by_count + 1].any():
            return cls(target, delta, threshold, int(fewest[by_count]), 0, kept)
        return cls(target, delta, threshold, 0, surest(_chance_to_pass(answered, allowed, wrong, right)), kept)

    def promise(self, rows: Certainties, class_name: str = "") -> Promise:
        """Carry the tests out; the last candidate that passes is the threshold."""
        tested = self.threshold[self._start(rows) :]
        answered, wrong = _counts(rows, tested)
        chosen = Level(math.inf, 0, 0)
        if n_passed := n_passing(tail(wrong, answered, self.target), self.delta):
            last = n_passed - 1
            chosen = Level(float(tested[last]), int(answered[last]), int(wrong[last]))
        kept = tuple(map(Level, self.kept.tolist(), *(counts.tolist() for counts in _counts(rows, self.kept))))
        n_wrong = int((~rows.correct).sum())
        return Promise(self.target, self.delta, *chosen, len(rows.certainty), n_wrong, kept, class_name)

    def _start(self, rows: Certainties) -> int:
        """The place of the first candidate that is tested; behind the last one if the most certain rows fail."""
        if not self.first:
            return self.start
        # Equally certain rows come in an order that tells nothing about them, wherever a file has its errors.
        drawn = np.random.RandomState(1).permutation(len(rows.certainty))
        descending = np.lexsort((drawn, -rows.certainty))
        wrong = int((~rows.correct[descending[: self.first]]).sum())
        if tail(wrong, self.first, self.target) > self.delta:
            return len(self.threshold)
        if self.first >= len(descending):
            return len(self.threshold) - 1
        return int(np.searchsorted(-self.threshold, -rows.certainty[descending[self.first]]))


def promise(
    target: float, delta: float, rows: Certainties, reference: Certainties, *, optimism: float = 1, class_name: str = ""
) -> Promise:
    """The lowest threshold that can be shown to keep an error target.

    The candidates and the plan of their tests follow from the reference rows and the number of calibration rows alone:

    1. Candidates are the distinct certainties of the reference rows, at most 200, spread evenly over their coverage.
    2. What the reference rows let expect of the error of a candidate is a beta distribution: their errors there, times
       ``optimism``, and one more, beside 20 rows that err as all reference rows do. With a number of answers it tells
       how surely a test at the level δ passes. The surest candidate is where the tests begin; of several, the lowest.
    3. How many rows a candidate answers is known only roughly, and one too few may let a test fail that allows few
       errors. So the first test is that of the m most certain calibration rows, where m is the least number with which
       as many errors pass as the surest candidate is expected to allow. The candidates that answer more than these m
       follow. A certainty that more rows share than this number varies by is no place to count rows at: there the
       first test is that of the surest candidate itself, however many it answers.
    4. Each lower candidate is tested at the level δ, until one fails. The lowest that passes is the threshold.

    Parameters
    ----------
    target : float
        The largest error among the answers, in (0, 1].
    delta : float
        In (0, 1); 1 − δ is the confidence.
    rows : Certainties
        Of the calibration rows, of equal weights.
    reference : Certainties
        Of the rows that tell candidates and order: others than the calibration rows.
    optimism : float
        The factor by which the reference rows may err too seldom, at least 1.
    class_name : str
        See `Promise`.

    Returns
    -------
    Promise
        Cost: time O(n log n) for n rows of either kind, memory O(n).

    Notes
    -----
    A fixed sequence of tests rejects a true hypothesis with a probability of at most δ, whatever their dependence. That
    holds after a test of the m most certain rows, too. Let equally certain rows be in a random order, x be a place in
    the order of the population, R(x) the error above x, which is continuous, and T the place of the calibration row
    number m + 1.

    * If R(T) ≥ target, the first test passes with a probability of at most δ, for given T its m rows are drawn from
      those above T.
    * If not, let s be the last place above T, and x the first below, where R is the target (without such an s: the
      top). That T is between them tells only that at most m calibration rows are above s and more than m above x. Given
      the numbers of rows above s, between s and x, and between x and the first candidate below x with a larger error
      than the target, the errors among them are binomial and independent. Above s and between s and x the probability
      is the target, below x it is larger. So that candidate passes with a probability of at most δ, and the promise is
      broken only if it does.

    References
    ----------
    A. N. Angelopoulos et al. (2021), "Learn then test": p-values of thresholds, and their tests in a fixed sequence.
    C. J. Clopper and E. S. Pearson (1934): the bounds.
    """
    plan = TestPlan.of(target, delta, reference, len(rows.certainty), optimism=optimism)
    return plan.promise(rows, class_name)


def spread(answered: FloatArray, most: int) -> Int64Array:
    """(at most ``most``,) int64: which of the candidates are tried, spread evenly over what they answer."""
    if len(answered) <= most:
        return np.arange(len(answered))
    return np.unique(np.searchsorted(answered, np.linspace(0, answered[-1], most)))


def surest(chance: FloatArray) -> int:
    """The index of the largest chance; of several, the last; 0 if there is none."""
    return int(np.flatnonzero(chance >= chance.max() - 1e-9)[-1]) if len(chance) else 0


def n_passing(p_values: FloatArray, delta: float) -> int:
    """How many tests pass before the first that fails."""
    return int(np.logical_and.accumulate(p_values <= delta).sum())


def _expected(answered: FloatArray, wrong: FloatArray, optimism: float) -> tuple[FloatArray, ...]:
    """For each level the share of rows at it, that at and above it, and the weights of wrong and right answers."""
    wrong = np.minimum(optimism * wrong, answered)
    coverage = answered / answered[-1:]
    # The few most certain rows often err in none by luck; the others tell that they may.
    few = PRIOR_ROWS * wrong[-1:] / answered[-1:]
    return np.diff(coverage, prepend=0), coverage, wrong + few + 1, answered - wrong + PRIOR_ROWS - few + 1


def _counts(rows: Certainties, threshold: FloatArray) -> tuple[Int64Array, Int64Array]:
    """How many rows each threshold answers, and how many of them wrongly."""
    level, answered, wrong = levels_of(rows.certainty, rows.correct, np.ones(len(rows.certainty)))
    place = np.searchsorted(-level, -threshold, side="right")
    return tuple(np.append(0, count).astype(np.int64)[place] for count in (answered, wrong))  # type: ignore[return-value]


def _most_errors(answered: Int64Array, target: float, delta: float) -> Int64Array:
    """How many of so many answers may be wrong if the test of the target is to pass; −1: it never does."""
    from scipy.stats import binom

    most = binom.ppf(delta, answered, target).astype(np.int64)
    return np.where(tail(most, answered, target) <= delta, most, most - 1)


def _fewest_rows(allowed: Int64Array, answered: Int64Array, target: float, delta: float) -> Int64Array:
    """The least numbers of answers of which as many may be wrong as of ``answered``."""
    most = np.maximum(allowed, 0)
    low, high = most, answered
    while (low < high).any():
        middle = (low + high) // 2
        passes = tail(most, middle, target) <= delta
        low, high = np.where(passes | (low >= high), low, middle + 1), np.where(passes, middle, high)
    return high


def _chance_to_pass(answered: Int64Array, allowed: Int64Array, wrong: FloatArray, right: FloatArray) -> FloatArray:
    """The probability that at most the allowed number of answers are wrong, if their error has a beta distribution."""
    from scipy.stats import betabinom

    return np.asarray(betabinom.cdf(allowed, answered, wrong, right))
