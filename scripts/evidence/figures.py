"""The figures of one purpose, by data set and scheme, and the tests between schemes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence.records import BASE, Scheme, number
from evidence.study import CLOSED, OPEN, PLAIN, RIVALS_PART
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.statistics import FriedmanTest, PairedTest, friedman, holm, signed_rank
from wekaconf.experiments.advising.purposes import Purpose
from wekaconf.report.comparison.compared import Compared
from wekaconf.report.comparison.measures import SMALLER_IS_BETTER

LEVEL = 0.05
TWINS = {
    "SPECTF_test": "SPECT_test", "SPECTF_train": "SPECT_test", "SPECT_train": "SPECT_test",
    "acute-inflammations-urinary": "acute-inflammations-nephritis", "anneal.ORIG": "anneal",
    "bridges_version2": "bridges_version1", "colic.ORIG": "colic", "contraceptive-2class": "cmc", "ecoli3": "ecoli",
    "heart-statlog": "heart-c", "mfeat-morphological": "mfeat-fourier", "mfeat-pixel": "mfeat-fourier",
    "mfeat-zernike": "mfeat-fourier", "monks-problems-1_train": "monks-problems-1_test",
    "monks-problems-2_train": "monks-problems-2_test", "monks-problems-3_train": "monks-problems-3_test",
    "pima": "diabetes", "sick": "hypothyroid", "vertebral-column-3C": "vertebral-column-2C",
    "weather.numeric": "weather.nominal", "yeast-0-2-5-6_vs_3-7-8-9": "yeast", "yeast-0-2-5-7-9_vs_3-6-8": "yeast",
}  # fmt: skip
"""Data sets that hold instances of another, or its other half: tests over data sets take these as independent."""
LEAST_SHARE = 0.9
"""A scheme that was measured on a smaller share of the data sets is shown, but not ranked."""
N_FOLDS = 10
Row = Mapping[str, str]


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
        """What the table shows: the methods on J48 and on trees of their own, other plain trees, and the rivals.

        A method that never changes the measure of the plain tree of its learner is left out.
        """
        return [each for each in filter(is_shown, self.means) if each.method == PLAIN or not self.is_plain(each)]

    def is_plain(self, scheme: Scheme) -> bool:
        """Whether its values are those of the plain tree of its learner."""
        plain = self.means.get(Scheme(scheme.learner, PLAIN))
        return plain is not None and np.array_equal(self.means[scheme], plain, equal_nan=True)

    def ranked(self) -> list[Scheme]:
        """Those of the family that were measured on nearly all data sets."""
        return [each for each in self.family() if np.isfinite(self.means[each]).mean() >= LEAST_SHARE]

    def compared(self) -> Compared:
        """The ranked schemes as a comparison, whose base is the plain J48 tree."""
        schemes = [BASE, *(each for each in self.ranked() if each != BASE)]
        return Compared(
            measure=self.purpose.measure,
            test="corrected",
            level=LEVEL,
            title=self.purpose.title,
            data_sets=self.data_sets,
            schemes=tuple(map(str, schemes)),
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
        """On how many data sets it is significantly better than the plain J48 tree, neither, and worse."""
        tests = [test for test in self.tests[scheme] if test is not None and not math.isnan(test.p_value)]
        signs = [test.sign(LEVEL) * self.worth for test in tests]
        return signs.count(1), signs.count(0), signs.count(-1)

    def over_sets(self, scheme: Scheme, measure: str) -> float:
        """The mean of a measure over the data sets where it is defined; NaN without one."""
        rows = [self.rows[name, scheme] for name in self.data_sets if (name, scheme) in self.rows]
        defined = [value for value in (number(row, measure) for row in rows) if not math.isnan(value)]
        return sum(defined) / len(defined) if defined else math.nan

    def against(self, base: Scheme, others: Sequence[Scheme]) -> dict[Scheme, tuple[float, float]]:
        """Of each other scheme: the rank-biserial effect, positive where it is better, and its Holm-corrected p."""
        tests = [signed_rank(self.worth * self.means[each], self.worth * self.means[base]) for each in others]
        corrected = holm([test.p_value for test in tests])
        return {
            each: (test.effect, float(p_value)) for each, test, p_value in zip(others, tests, corrected, strict=True)
        }


def measured(rows: Iterable[Row], purpose: Purpose) -> Measured:
    """The figures of a purpose in the rows of `evidence.records`, without the `TWINS`."""
    protocol = OPEN if purpose.name == "foreign" else CLOSED
    found = {
        (row["data_set"], Scheme(row["learner"], row["method"])): row
        for row in rows
        if row["protocol"] == protocol and not row["left_out"] and row["data_set"] not in TWINS
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


def _mean(row: Row | None, measure: str) -> float:
    return math.nan if row is None else number(row, measure)


def _test(row: Row | None, measure: str) -> PairedTest | None:
    if row is None:
        return None
    gain, p_value = number(row, f"{measure}.gain"), number(row, f"{measure}.p")
    return PairedTest(gain, math.nan, math.nan, math.nan, p_value, N_FOLDS, 0)
