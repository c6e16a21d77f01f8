"""Sentences about the results of Katz et al. 2012, written from the records."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from statistics import fmean

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.statistics import holm, signed_rank
from wekaconf.replication.katz2012.measurement import BASE, FOLDS, FOREST, TIES, TREES_IN_FOREST, VARIANTS
from wekaconf.replication.katz2012.record_table import GROUPS, TWO, Measured, printed
from wekaconf.replication.katz2012.significance import FEWEST_SIZES, LEVEL, half_width, rank_correlation, trend
from wekaconf.replication.katz2012.tables import COUNTS, PREFERRED, tests
from wekaconf.replication.study import Finding

N_SETS = {TWO: 10, GROUPS[1]: 7}
"""Number of data sets of the paper."""
ACROSS_FOLDS = {"auc": "", "fold_auc": ", mean of the folds' areas"}
"""The area of all answers pooled, which the tables hold, and the mean of the areas of the folds."""
UP_OR_DOWN = "significantly up", "significantly down"


def findings(measured: Measured) -> list[Finding]:
    """Sentences on every part that was measured; a sentence that calls something significant names the test."""
    sentences = []
    if measured.sets():
        writers = {"": _protocol, "table 1": _table_1, "table 2": _table_2, "table 3": _table_3}
        sentences += [Finding(part, text) for part, write in writers.items() for text in write(measured)]
    if measured.sizes:
        sentences += [Finding("figure 6", text) for text in _figure_6(measured)]
    return sentences


def _protocol(measured: Measured) -> Iterator[str]:
    first = measured.records[0]
    last = first["seed"] + measured.n_runs - 1
    seeds = f"seeds {first['seed']} to {last}, means over them" if measured.n_runs > 1 else f"seed {last}"
    yield (
        f"{counted(len(measured.sets()), 'data set')}, {FOLDS}-fold cross-validation, {seeds}; answers of all folds "
        f"pooled; trees of Weka {first['versions']['weka']}. The paper says neither how a tie counts in its AUC nor "
        "which folds it took."
    )


def _table_1(measured: Measured) -> Iterator[str]:
    for group in GROUPS:
        if len(measured.sets(group)) > 1:
            yield from (_gains(measured, group, reading, area) for area in ACROSS_FOLDS for reading in TIES)
            yield _accuracy(measured, group)
    if measured.n_runs > 2:
        yield _chance(measured)
    for group in GROUPS:
        if names := measured.sets(group):
            theirs = fmean(printed("table 1")[name, FOREST] for name in names)
            half, zero = (float(measured.group_gains(group, FOREST, f"auc{ties}").mean()) for ties in TIES.values())
            yield (
                f"RandomForest with {TREES_IN_FOREST} trees, {_sets(names, group).lower()}: mean gain in AUC over J48 "
                f"{_signed(half)} %, a tie counting ½, and {_signed(zero)} %, a tie counting 0; published "
                f"{_signed(theirs)} %."
            )


def _gains(measured: Measured, group: str, reading: str, area: str) -> str:
    names, counts = measured.sets(group), COUNTS[reading] + ACROSS_FOLDS[area]
    area += TIES[reading]
    changes, p, means = [], [], []
    for variant in VARIANTS:
        gains = measured.group_gains(group, variant, area)
        theirs = fmean(printed("table 1")[name, variant] for name in names)
        n_up = int((gains.mean(axis=1) > 0).sum())
        changes.append(
            f"{variant} {_with_interval(gains.mean(axis=0))} % (up on {n_up}; published {_signed(theirs)} %)"
        )
        p.append(signed_rank(measured.means(group, variant, area), measured.means(group, BASE, area)).p_value)
        means.append(float(gains.mean()))
    return (
        f"{_sets(names, group)}, {counts}: mean gain in AUC over J48 {', '.join(changes)}. "
        f"{_tested(p, means, UP_OR_DOWN)}"
    )


def _accuracy(measured: Measured, group: str) -> str:
    names = measured.sets(group)
    changes, p, means = [], [], []
    for variant in VARIANTS:
        change = np.array([measured.added(name, variant, "percent_correct") for name in names])
        n_down = int((change.mean(axis=1) < 0).sum())
        changes.append(f"{variant} {_with_interval(change.mean(axis=0))} points (down on {n_down})")
        p.append(signed_rank(change.mean(axis=1), np.zeros(len(names))).p_value)
        means.append(float(change.mean()))
    return f"{_sets(names, group)}: mean change in accuracy {', '.join(changes)}. {_tested(p, means, UP_OR_DOWN)}"


def _chance(measured: Measured) -> str:
    """A sentence on the number of printed gains that may come from the draw of the folds."""
    counts = []
    for area, (reading, ties) in product(ACROSS_FOLDS, TIES.items()):
        within = []
        for name in measured.sets():
            for variant in VARIANTS:
                gains = measured.gains(name, variant, area + ties)
                gap = abs(printed("table 1")[name, variant] - gains.mean())
                within.append(gap <= half_width(gains, of_next=True) + 1e-9)
        counts.append(f"{sum(within)} of {len(within)}, {COUNTS[reading]}{ACROSS_FOLDS[area]}")
    return (
        f"Printed gains of ConfDTree that lie where one more {FOLDS}-fold cross-validation of ours would with a "
        f"probability of 95 % (Student's t from {measured.n_runs} seeds): {'; '.join(counts)}."
    )


def _table_2(measured: Measured) -> Iterator[str]:
    figures = printed("table 2")
    n = {test: sum(p < LEVEL for (_, column), p in figures.items() if column == test)
         for test in ("Wilcoxon p", "t-test p")}  # fmt: skip
    for reading in TIES:
        rows = tests(measured, reading)
        better = [row for row in rows.values() if row[2] < 0]
        ranked, student = (sum(row[column] < LEVEL for row in better) for column in (1, 3))
        yield (
            f"Of the {counted(len(rows), 'row')} over {counted(len(measured.sets()), 'set')}, {COUNTS[reading]}, "
            f"ConfDTree is better with p < {LEVEL:g}, not corrected as in the paper, in {ranked} by Wilcoxon's test "
            f"(published {n['Wilcoxon p']}) and in {student} by the t-test (published {n['t-test p']})."
        )
    yield from _contradictions()


def _contradictions() -> Iterator[str]:
    """Sentences on printed p of the t-test that do not follow from the printed t."""
    from scipy import stats

    figures = printed("table 2")
    for (row, column), t in figures.items():
        if column == "t":
            freedom = next(n for group, n in N_SETS.items() if group in row) - 1
            p, printed_p = float(2 * stats.t.sf(abs(t), freedom)), figures[row, "t-test p"]
            if abs(p - printed_p) > 0.002:
                yield (
                    f"The paper's own row {row}: its p of {printed_p:g} does not belong to its t of {t:g}, for which "
                    f"p is {_p(p)} with {freedom} degrees of freedom."
                )


def _table_3(measured: Measured) -> Iterator[str]:
    names = measured.sets()
    for variant in VARIANTS if len(names) > 2 else ():
        ours = np.array([measured.figures(name, variant, "percent_affected").mean() for name in names])
        theirs = np.array([printed("table 3")[name, variant] for name in names])
        gains = np.array([measured.gains(name, variant, "auc").mean() for name in names])
        gap = np.abs(ours - theirs)
        published, gain = rank_correlation(ours, theirs), rank_correlation(ours, gains)
        yield (
            f"Instances affected by {variant}, {len(names)} sets: mean {ours.mean():.1f} %, published "
            f"{theirs.mean():.1f} %; mean absolute difference {gap.mean():.1f} points, largest {gap.max():.1f} on "
            f"{names[int(gap.argmax())]}. Spearman's correlation of our percentages with the published "
            f"{_hundredths(published.rho)} (p {_p(published.p_value)}), with our gain in AUC, a tie counting ½, "
            f"{_hundredths(gain.rho)} (p {_p(gain.p_value)}; neither corrected)."
        )


def _figure_6(measured: Measured) -> Iterator[str]:
    sizes = measured.sizes
    for group in GROUPS if len(sizes) > 1 else ():
        names = measured.sets_by_size(group)
        for reading, ties in TIES.items() if len(names) > 1 else ():
            pairs, p, changes = [], [], []
            for variant in VARIANTS:
                gains = np.array([measured.gains_by_size(name, variant, f"auc{ties}") for name in names])
                small, large = gains[:, 0], gains[:, -1]
                pairs.append(f"{variant} {_signed(small.mean())} % and {_signed(large.mean())} %")
                p.append(signed_rank(small, large).p_value)
                changes.append(float((small - large).mean()))
            words = f"significantly larger on {sizes[0]} %", f"significantly smaller on {sizes[0]} %"
            yield (
                f"{_sets(names, group)}, {COUNTS[reading]}: mean gain in AUC, trained on {sizes[0]} % and on "
                f"{sizes[-1]} % of the instances ({counted(measured.n_divisions, 'division')}), {', '.join(pairs)}. "
                f"{_tested(p, changes, words)}"
            )
    if len(sizes) >= FEWEST_SIZES:
        yield _trends(measured)


def _trends(measured: Measured) -> str:
    names, counts = measured.sets_by_size(), []
    for reading, ties in TIES.items():
        falls = [
            name
            for name in names
            if trend(measured.sizes, measured.gains_by_size(name, PREFERRED, f"auc{ties}")) == "falls"
        ]
        counts.append(
            f"on {len(falls)} of {len(names)} sets, {COUNTS[reading]}" + f" ({', '.join(falls)})" * bool(falls)
        )
    return (
        f"The gain of {PREFERRED} falls as the training set grows (Kendall's test over {len(measured.sizes)} sizes, "
        f"p < {LEVEL:g}, not corrected) {'; '.join(counts)}."
    )


def _tested(p: Sequence[float], effects: Sequence[float], words: tuple[str, str]) -> str:
    """A sentence on the variants that differ significantly; ``words`` are for positive and for negative effects."""
    adjusted = holm(p).tolist()
    verdicts = []
    for text, sign in zip(words, (1, -1), strict=True):
        rows = zip(VARIANTS, adjusted, effects, strict=True)
        if which := [variant for variant, each, effect in rows if each < LEVEL and effect * sign > 0]:
            verdicts.append(f"{text}: {', '.join(which)}")
    listed = ", ".join(_p(each) for each in adjusted)
    verdict = "; ".join(verdicts) or "none is significant"
    return f"Wilcoxon's signed-rank test over the sets, Holm's correction for three, p {listed}: {verdict}."


def _sets(names: Sequence[str], group: str) -> str:
    return f"{group.capitalize()} ({counted(len(names), 'set')})"


def _with_interval(by_run: FloatArray) -> str:
    """The mean, with its 95 % interval over the cross-validations if there are several."""
    half, mean = half_width(by_run), float(by_run.mean())
    return _signed(mean) if math.isnan(half) else f"{_signed(mean)} [{_signed(mean - half)}, {_signed(mean + half)}]"


def _signed(number: float) -> str:
    return f"{number:+z.1f}".replace("-", "−").replace("+0.0", "0.0")


def _hundredths(number: float) -> str:
    return f"{number:z.2f}".replace("-", "−")


def _p(p: float) -> str:
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
