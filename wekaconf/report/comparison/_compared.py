"""The figures and tests of a comparison, with the marks, wins and ranks that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from wekaconf.base.errors import printable
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation import statistics
from wekaconf.evaluation.statistics import FriedmanTest, PairedTest
from wekaconf.report.comparison._measures import SMALLER_IS_BETTER

MARKS = {1: "v", 0: "", -1: "*"}
"""Weka's marks: significantly better than the base, neither, worse."""
NOT_TESTED = "?"


class Difference(NamedTuple):
    """Two schemes that differ over the data sets by Wilcoxon's signed-rank test, Holm-corrected for all pairs.

    Parameters
    ----------
    better, worse : int
        Their places among the schemes.
    p_value : float
        Corrected.
    effect, low, high : float
        The rank-biserial correlation, in [0, 1], and its interval of 1 − level.
    """

    better: int
    worse: int
    p_value: float
    effect: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonFigures:
    """Methods, each on its learner, compared with a base on every data set.

    Parameters
    ----------
    measure, test : str
        See `wekaconf.Evaluation.compare`.
    level : float
    title : str
        The measure and the protocol, in words.
    data_sets : tuple of str
    schemes : tuple of str
        The base is the first.
    learners : tuple of str
        The learner of each scheme, with its options.
    mean, std : (n_sets, n_schemes) float64
        Mean over the folds where the measure is defined, or the pooled value; and standard deviation (n − 1) over those
        folds. NaN where there is none.
    tests : tuple of tuples of PairedTest or None
        By data set and scheme: the values of the scheme's folds against those of the base. None for the base, and where
        one of the two was not measured.
    rope : float, optional
        The largest difference that counts as none in the Bayesian test over the data sets; left out, there is none.
    reached : mapping of str to (n_sets, n_schemes) float64
        What the thresholds reached, by the names in `REACHED`: figures of the pooled answers; NaN where undefined, such
        as the error where nothing is answered. Empty where nothing is rejected.
    """

    measure: str
    test: str
    level: float
    title: str
    data_sets: tuple[str, ...]
    schemes: tuple[str, ...]
    learners: tuple[str, ...]
    mean: FloatArray
    std: FloatArray
    tests: tuple[tuple[PairedTest | None, ...], ...]
    rope: float | None = None
    reached: Mapping[str, FloatArray] = field(default_factory=dict)

    @property
    def base(self) -> str:
        """The scheme that the others are compared with."""
        return self.schemes[0]

    @property
    def larger_is_better(self) -> bool:
        """Whether a larger value of the measure is better."""
        return self.measure not in SMALLER_IS_BETTER

    @property
    def n_pairs(self) -> int:
        """Number of pairs of schemes."""
        return len(self._pairs)

    @property
    def has_ranks(self) -> bool:
        """Whether several schemes have ranks over several data sets."""
        return len(self.schemes) > 1 and self.ranks.n_sets > 1

    @cached_property
    def n_shared(self) -> Int64Array:
        """(n_pairs,) int64: the number of data sets on which both schemes of a pair have a value."""
        has_value = np.isfinite(self.mean)
        return np.array([(has_value[:, a] & has_value[:, b]).sum() for a, b in self._pairs], dtype=np.int64)

    @property
    def is_tested_over_sets(self) -> bool:
        """Whether two of the schemes have values on several data sets."""
        return bool((self.n_shared > 1).any())

    @property
    def n_too_few(self) -> int:
        """Number of pairs that no outcome on their data sets could show to differ by Wilcoxon's test, corrected."""
        smallest = np.where(self.n_shared, 2.0 ** (1 - self.n_shared), np.nan)
        return self.n_pairs - int((statistics.holm(smallest) <= self.level).sum())

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.schemes)), 2))

    @cached_property
    def marks(self) -> tuple[tuple[str, ...], ...]:
        """By data set and scheme: "v" significantly better than the base, "*" worse, "" neither, "?" not tested."""
        return tuple(("", *map(self._mark, tests[1:])) for tests in self.tests)

    def wins(self, scheme: int) -> tuple[int, int, int]:
        """Numbers of data sets on which a scheme is significantly better, neither, and worse: Weka's (v/ /*)."""
        marks = [row[scheme] for row in self.marks]
        return marks.count("v"), marks.count(""), marks.count("*")

    @cached_property
    def ranks(self) -> FriedmanTest:
        """Mean ranks over the data sets, with the tests of Friedman and Nemenyi."""
        return statistics.friedman(self.mean, larger_is_better=self.larger_is_better, level=self.level)

    def posterior(self, scheme: int) -> tuple[float, float, float]:
        """The probabilities that a scheme is better than the base, no different, or worse; see `rope`."""
        assert self.rope is not None
        sign = 1 if self.larger_is_better else -1
        return statistics.bayesian_signed_rank(sign * self.mean[:, scheme], sign * self.mean[:, 0], rope=self.rope)

    @cached_property
    def pairwise(self) -> FloatArray:
        """(n_schemes, n_schemes) float64: p-values of Wilcoxon's signed-rank test over the data sets, corrected."""
        return statistics.pairwise_signed_rank(self.mean)

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The pairs of schemes that differ over the data sets, in the order of the schemes."""
        return tuple(self._difference(a, b) for a, b in self._pairs if self.pairwise[a, b] <= self.level)

    def _difference(self, a: int, b: int) -> Difference:
        scores = self.mean if self.larger_is_better else -self.mean
        test = statistics.signed_rank(scores[:, a], scores[:, b], level=self.level)
        if test.effect < 0:
            return self._difference(b, a)
        return Difference(a, b, float(self.pairwise[a, b]), test.effect, test.low, test.high)

    def __repr__(self) -> str:
        """The schemes, the data sets, and how they are compared."""
        return printable(
            f"{type(self).__name__}({', '.join(self.schemes)} on {', '.join(self.data_sets)}: {self.measure}, "
            f"base {self.base}, test {self.test}, level {self.level:g})"
        )

    def _mark(self, test: PairedTest | None) -> str:
        if test is None or np.isnan(test.p_value):
            return NOT_TESTED
        return MARKS[test.sign(self.level) * (1 if self.larger_is_better else -1)]
