"""The figures of one purpose, by data set and scheme, and the tests between schemes, corrected for the whole page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidence.measuring.study import CLOSED, OPEN, PLAIN, RIVALS_PART, SMOOTHED
from evidence.records import BASE, N_FOLDS, Scheme, number
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.statistics import FriedmanTest, PairedTest, friedman, holm, signed_rank
from wekaconf.experiments.advising._candidates import PURPOSES, Purpose
from wekaconf.experiments.advising._rivals import RIVALS
from wekaconf.model.scheme import learner_of
from wekaconf.report.comparison._compared import ComparisonFigures
from wekaconf.report.comparison._measures import SMALLER_IS_BETTER

LARGE = 100
"""Instances of a data set from which on it is called large."""
LEVEL = 0.05
ASKING_OTHERS = ("second_opinion", "tpce", "kukar_kononenko")
"""Methods on one tree that ask other trees or models, too."""
TWINS = {
    "SPECTF_test": "SPECT_test", "SPECTF_train": "SPECT_test", "SPECT_train": "SPECT_test",
    "acute-inflammations-urinary": "acute-inflammations-nephritis", "anneal.ORIG": "anneal",
    "bridges_version2": "bridges_version1", "colic.ORIG": "colic", "contraceptive-2class": "cmc", "ecoli3": "ecoli",
    "heart-statlog": "heart-c", "mfeat-morphological": "mfeat-fourier", "mfeat-pixel": "mfeat-fourier",
    "mfeat-zernike": "mfeat-fourier", "monks-problems-1_train": "monks-problems-1_test",
    "monks-problems-2_test": "monks-problems-1_test", "monks-problems-2_train": "monks-problems-1_test",
    "monks-problems-3_test": "monks-problems-1_test", "monks-problems-3_train": "monks-problems-1_test",
    "pima": "diabetes", "sick": "hypothyroid", "vertebral-column-3C": "vertebral-column-2C",
    "weather.numeric": "weather.nominal", "yeast-0-2-5-6_vs_3-7-8-9": "yeast", "yeast-0-2-5-7-9_vs_3-6-8": "yeast",
}  # fmt: skip
"""Data sets that hold instances of another, if with other classes, or its other half.

Tests over data sets take these as independent.
"""
SECTIONS = {"solar-flare_2": "solar-flare_1"}
"""Other halves that second opinions and open sets count: their sets were fixed before. So not in `TWINS`."""
DEPENDENT = TWINS | SECTIONS
"""What no test of this study counts."""
LEAST_SHARE = 0.9
"""A scheme that was measured on a smaller share of the data sets is shown, but not ranked."""
CONFORMAL = "J48, conformal confidence"
BOOSTING = Scheme(RIVALS_PART, "gradient boosting")
FORESTS = (Scheme(RIVALS_PART, "random forest"), Scheme("RandomForest", PLAIN), BOOSTING)
Row = Mapping[str, str]


class Pair(NamedTuple):
    """Two schemes that the page compares for a purpose.

    Parameters
    ----------
    purpose : str
    scheme, base : Scheme
    """

    purpose: str
    scheme: Scheme
    base: Scheme


@dataclass(frozen=True, eq=False)
class Measured:
    """The figures of one purpose.

    Parameters
    ----------
    purpose : Purpose
    data_sets : tuple of str
        With a value of the plain J48 tree.
    means : mapping of Scheme to (n_sets,) float64
        Of the measure that decides, NaN where there is none.
    tests : mapping of Scheme to list of PairedTest or None
        On each data set against the plain J48 tree.
    rows : mapping of (str, Scheme) to mapping
        The records.
    """

    purpose: Purpose
    data_sets: tuple[str, ...]
    means: Mapping[Scheme, FloatArray]
    tests: Mapping[Scheme, Sequence[PairedTest | None]]
    rows: Mapping[tuple[str, Scheme], Row]

    @property
    def worth(self) -> float:
        """1 where a larger value is better, else −1."""
        return -1.0 if self.purpose.measure in SMALLER_IS_BETTER else 1.0

    def family(self) -> list[Scheme]:
        """What the tables show: the methods on J48 and on trees of their own, other plain trees, and the rivals.

        A method that never changes the measure of the plain tree of its learner is left out. Rivals that differ by
        their certainty alone are one where only probabilities count.
        """
        shown = [each for each in filter(is_shown, self.means) if each.method == PLAIN or not self.is_plain(each)]
        if self.purpose.is_about_certainty:
            return shown
        return [each for each in shown if each.method == CONFORMAL or not _has_own_certainty(each)]

    def label(self, scheme: Scheme) -> str:
        """The scheme, and what it stands for where it is one of several."""
        is_one_of_two = scheme.method == CONFORMAL and not self.purpose.is_about_certainty
        return "J48, conformal prediction" if is_one_of_two else str(scheme)

    @cached_property
    def one_tree(self) -> list[Scheme]:
        """Those of the family that read one tree."""
        return [each for each in self.family() if not _is_ensemble(each)]

    @cached_property
    def own(self) -> list[Scheme]:
        """Our methods in the family."""
        return [each for each in self.family() if each.learner != RIVALS_PART and each.method != PLAIN]

    @cached_property
    def rivals(self) -> list[Scheme]:
        """The rivals in the family."""
        return [each for each in self.family() if each.learner == RIVALS_PART]

    @cached_property
    def best_own(self) -> Scheme | None:
        """Our method with the best mean rank."""
        ranks = self.mean_ranks
        return min((each for each in self.own if each in ranks), key=ranks.__getitem__, default=None)

    @cached_property
    def best_on_one_tree(self) -> list[Scheme]:
        """Of the ranked schemes on one tree the best, down to the first that asks no others.

        Schemes of the same mean rank as that one are named, too.
        """
        on_one = {each: rank for each, rank in self.mean_ranks.items() if each in self.one_tree}
        last = next(rank for each, rank in on_one.items() if each.method not in ASKING_OTHERS)
        return [each for each, rank in on_one.items() if rank <= last]

    @cached_property
    def leading(self) -> list[Scheme]:
        """The schemes that the top of the page names for the purpose."""
        return list(dict.fromkeys([next(iter(self.mean_ranks)), *self.best_on_one_tree, *self.forests]))

    @cached_property
    def n_seeds(self) -> NDArray[np.int64]:
        """(n_sets,) int64: how many seeds stand behind each data set."""
        return np.array([int(self.rows[name, BASE]["n_seeds"]) for name in self.data_sets], dtype=np.int64)

    @cached_property
    def mean_ranks(self) -> dict[Scheme, float]:
        """The mean rank of each ranked scheme, the best first."""
        ranks = dict(zip(self.ranked(), self.ranks().mean_ranks.tolist(), strict=True))
        return dict(sorted(ranks.items(), key=lambda item: item[1]))

    @cached_property
    def is_large(self) -> NDArray[np.bool_]:
        """(n_sets,) bool: whether all ranked schemes have a value, and there are at least `LARGE` instances."""
        sizes = np.array([int(self.rows[name, BASE]["n_instances"]) for name in self.data_sets])
        return np.asarray(self.shared & (sizes >= LARGE))

    @cached_property
    def large_ranks(self) -> dict[Scheme, float]:
        """The mean rank of each ranked scheme on large sets, the best first; empty with fewer than two sets."""
        if self.is_large.sum() < 2:
            return {}
        values = np.column_stack([self.means[each][self.is_large] for each in self.ranked()])
        ranks = friedman(values, larger_is_better=self.worth > 0, level=LEVEL).mean_ranks.tolist()
        return dict(sorted(zip(self.ranked(), ranks, strict=True), key=lambda item: item[1]))

    def passed_by(self, scheme: Scheme) -> list[Scheme]:
        """The schemes with a worse mean rank on all sets, and a better one on large sets."""
        return [
            each
            for each, rank in self.large_ranks.items()
            if rank < self.large_ranks[scheme] and self.mean_ranks[each] > self.mean_ranks[scheme]
        ]

    @cached_property
    def shared(self) -> NDArray[np.bool_]:
        """(n_sets,) bool: whether all ranked schemes have a value."""
        return np.isfinite(np.column_stack([self.means[each] for each in self.ranked()])).all(axis=1)

    def on_other_learners(self) -> list[tuple[Scheme, Scheme]]:
        """Methods on other learners, each with the plain tree of its learner."""
        pairs = [
            (each, Scheme(each.learner, PLAIN))
            for each in self.means
            if each.learner not in ("J48", RIVALS_PART) and each.method != PLAIN and not self.is_plain(each)
        ]
        return [(each, plain) for each, plain in pairs if plain in self.means]

    def beside_smoothed(self) -> list[tuple[Scheme, Scheme]]:
        """Our other methods, each with Laplace's correction of the trees that it reads."""
        pairs = [(each, Scheme(each.learner, SMOOTHED)) for each in self.own if each.method != SMOOTHED]
        return [(each, smoothed) for each, smoothed in pairs if smoothed in self.own]

    def pairs(self) -> list[Pair]:
        """What the page compares: all with the plain J48 tree, and what its sentences are about."""
        compared = [(each, BASE) for each in self.family() if each != BASE]
        compared += self.beside_smoothed()
        compared += [(forest, each) for forest in self.forests for each in self.one_tree]
        if self.best_own is not None:
            beside = [each for each in self.family() if each in self.rivals or each not in self.mean_ranks]
            compared += [(each, self.best_own) for each in beside]
        return [Pair(self.purpose.name, *each) for each in dict.fromkeys(compared + self.on_other_learners())]

    @cached_property
    def forests(self) -> list[Scheme]:
        """The random forests and gradient boosting."""
        return [each for each in FORESTS if each in self.means]

    def test(self, scheme: Scheme, base: Scheme) -> PairedTest:
        """Wilcoxon's test on the data sets on which both have a value; positive where the scheme is better."""
        return signed_rank(self.worth * self.means[scheme], self.worth * self.means[base])

    def is_plain(self, scheme: Scheme) -> bool:
        """Whether its values are those of the plain tree of its learner."""
        plain = self.means.get(Scheme(scheme.learner, PLAIN))
        return plain is not None and np.array_equal(self.means[scheme], plain, equal_nan=True)

    def ranked(self) -> list[Scheme]:
        """Those of the family that were measured on nearly all data sets."""
        return [each for each in self.family() if np.isfinite(self.means[each]).mean() >= LEAST_SHARE]

    def compared(self) -> ComparisonFigures:
        """The ranked schemes as a comparison, whose base is the plain J48 tree."""
        schemes = [BASE, *(each for each in self.ranked() if each != BASE)]
        return ComparisonFigures(
            measure=self.purpose.measure,
            test="corrected",
            level=LEVEL,
            title=self.purpose.title,
            data_sets=self.data_sets,
            schemes=tuple(map(self.label, schemes)),
            learners=tuple(each.learner for each in schemes),
            mean=np.column_stack([self.means[each] for each in schemes]),
            std=np.full((len(self.data_sets), len(schemes)), np.nan),
            tests=tuple(
                tuple(None if each == BASE else self.tests[each][i] for each in schemes)
                for i in range(len(self.data_sets))
            ),
        )

    def ranks(self) -> FriedmanTest:
        """Friedman's test over the `ranked` schemes, on the data sets on which all of them have a value."""
        values = np.column_stack([self.means[each] for each in self.ranked()])
        return friedman(values, larger_is_better=self.worth > 0, level=LEVEL)

    def wins(self, scheme: Scheme) -> tuple[int, int, int]:
        """On how many shared data sets it is significantly better than the plain J48 tree, neither, and worse."""
        tests = [
            test
            for test, is_shared in zip(self.tests[scheme], self.shared, strict=True)
            if is_shared and test is not None and not math.isnan(test.p_value)
        ]
        signs = [test.sign(LEVEL) * self.worth for test in tests]
        return signs.count(1), signs.count(0), signs.count(-1)

    def over_shared(self, measure: str) -> tuple[dict[Scheme, float], int]:
        """The mean of a measure of each ranked scheme over the sets on which all have it, and their number."""
        schemes = self.ranked()
        values = np.array(
            [
                [number(self.rows[name, each], measure) for each in schemes]
                for name, is_shared in zip(self.data_sets, self.shared, strict=True)
                if is_shared
            ]
        )
        values = values[np.isfinite(values).all(axis=1)]
        return dict(zip(schemes, values.mean(axis=0).tolist(), strict=True)), len(values)

    def beside(self, scheme: Scheme, others: Sequence[Scheme]) -> tuple[int, list[float]]:
        """The number of data sets on which a scheme and others have a value, and the mean of each over these."""
        values = np.column_stack([self.means[each] for each in (scheme, *others)])
        values = values[np.isfinite(values).all(axis=1)]
        return len(values), values.mean(axis=0).tolist()


class Verdict(NamedTuple):
    """What Wilcoxon's test says of a pair.

    Parameters
    ----------
    effect : float
        The rank-biserial correlation, positive where the scheme is better than its base.
    p_value : float
        Corrected for all tests of the page.
    """

    effect: float
    p_value: float

    @property
    def sign(self) -> int:
        """1 where the scheme is significantly better, −1 where it is significantly worse, else 0."""
        return 0 if not self.p_value <= LEVEL else int(np.sign(self.effect))


def verdicts(found: Iterable[Measured]) -> dict[Pair, Verdict]:
    """The tests of all pairs of all purposes, Holm-corrected together."""
    tests = {pair: each.test(pair.scheme, pair.base) for each in found for pair in each.pairs()}
    corrected = holm([test.p_value for test in tests.values()]).tolist()
    return {pair: Verdict(test.effect, p) for (pair, test), p in zip(tests.items(), corrected, strict=True)}


def all_measured(rows: Sequence[Row]) -> list[Measured]:
    """The figures of each purpose that was measured on more than one data set."""
    found = (measured(rows, purpose) for purpose in PURPOSES.values())
    return [each for each in found if len(each.data_sets) > 1]


def measured(rows: Iterable[Row], purpose: Purpose) -> Measured:
    """The figures of a purpose in the rows of `evidence.records`, without what is `DEPENDENT`."""
    protocol = OPEN if purpose.name == "foreign" else CLOSED
    found = {
        (row["data_set"], Scheme(row["learner"], row["method"])): row
        for row in rows
        if row["protocol"] == protocol and not row["left_out"] and row["data_set"] not in DEPENDENT
    }
    values = {name: number(row, purpose.measure) for (name, scheme), row in found.items() if scheme == BASE}
    sets = tuple(name for name, value in values.items() if not math.isnan(value))
    schemes = list(dict.fromkeys(scheme for _, scheme in found))
    means = {each: np.array([_mean(found.get((name, each)), purpose.measure) for name in sets]) for each in schemes}
    tests = {each: [_test(found.get((name, each)), purpose.measure) for name in sets] for each in schemes}
    return Measured(purpose, sets, means, tests, found)


def is_shown(scheme: Scheme) -> bool:
    """Whether tables show it: methods on J48 and on trees of their own, plain trees, and rivals."""
    return scheme.learner in ("J48", "info_gain", RIVALS_PART) or scheme.method == PLAIN


def _is_ensemble(scheme: Scheme) -> bool:
    if scheme.learner == RIVALS_PART:
        return RIVALS[scheme.method].is_ensemble
    return learner_of(scheme.learner).is_ensemble


def _has_own_certainty(scheme: Scheme) -> bool:
    return scheme.learner == RIVALS_PART and RIVALS[scheme.method].has_own_certainty


def _mean(row: Row | None, measure: str) -> float:
    return math.nan if row is None else number(row, measure)


def _test(row: Row | None, measure: str) -> PairedTest | None:
    if row is None:
        return None
    gain, p_value = number(row, f"{measure}.gain"), number(row, f"{measure}.p")
    return PairedTest(gain, math.nan, math.nan, math.nan, p_value, N_FOLDS * int(row["n_seeds"]), 0)
