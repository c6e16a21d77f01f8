"""Sentences about the results of Katz et al. 2012, written from the records."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from operator import gt, lt
from statistics import fmean, median

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.data.arrays import BoolArray, FloatArray, Int64Array
from wekaconf.evaluation.statistics import holm, signed_rank
from wekaconf.replication._cells import Cell
from wekaconf.replication._study import Finding
from wekaconf.replication.katz2012.measurement import FOLDS, FOREST, READINGS, TIES, TREES_IN_FOREST, VARIANTS
from wekaconf.replication.katz2012.record_table import GROUPS, Measured, printed
from wekaconf.replication.katz2012.significance import FEWEST_SIZES, LEVEL, half_width, rank_correlation, trend
from wekaconf.replication.katz2012.tables import (
    COUNTS,
    IN_WORDS,
    PREFERRED,
    STATISTICS,
    cells,
    figures_of_print,
    tests,
)

FIRST = next(iter(READINGS))
N_ORDERS = 10_000
"""Random orders of the data sets in a permutation test."""
UP_OR_DOWN = "significantly up", "significantly down"
TWINS = {"pima": "diabetes"}
"""Sets that have the instances of another one; a test over the sets counts these once."""


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
        f"{counted(len(measured.sets()), 'data set')}, {FOLDS}-fold cross-validation, {seeds}; trees of Weka "
        f"{first['versions']['weka']}."
    )
    yield (
        "The paper says neither how a tie counts in its AUC, nor whether the areas of the folds were averaged or their "
        f"answers pooled, nor which folds it took. The first reading, {IN_WORDS[FIRST]}, was chosen because it "
        "explains most of the figures in print, and no p is corrected for that choice. Nor does the paper give the "
        "level of the test of normality; ours is .01. Here each gain counts once: those weighted by class size nearly "
        "repeat others, and are left out."
    )
    for reading in READINGS:
        yield _met(measured, reading)


def _table_1(measured: Measured) -> Iterator[str]:
    for group in GROUPS:
        if len(measured.sets(group)) > 1:
            yield from (_gains(measured, group, reading) for reading in READINGS)
            yield _accuracy(measured, group)
    for group in GROUPS:
        if names := measured.sets(group):
            theirs = fmean(printed("table 1")[name, FOREST] for name in names)
            ours = [
                f"{_signed(float(measured.group_gains(group, FOREST, area.format('')).mean()))} % ({IN_WORDS[reading]})"
                for reading, area in READINGS.items()
            ]
            yield (
                f"RandomForest with {TREES_IN_FOREST} trees, {_sets(names, group).lower()}: mean gain in AUC over J48 "
                f"{', '.join(ours)}; published {_signed(theirs)} %."
            )


def _met(measured: Measured, reading: str) -> str:
    """A sentence on the printed gains of ConfDTree that are met, and on those that support the paper's claim."""
    judged = judged_gains(measured, reading)
    met = [cell for cell in judged if cell.verdict == "met"]
    n_close = sum(cell.verdict == "close" for cell in judged)
    supporting = sum(_bounds(cell)[0] > 0 for cell in met)
    against = sum(_bounds(cell)[1] < 0 for cell in met)
    widths = [high - low for low, high in map(_bounds, judged)]
    drawn = met_by_chance(judged)
    return (
        f"{IN_WORDS[reading].capitalize()}: {len(met)} of {counted(len(judged), 'printed gain')} of ConfDTree are met, "
        f"and {n_close} are close. Our intervals, from {counted(measured.n_runs, 'cross-validation')}, have a median "
        f"width of {median(widths):.1f} points. If the sets swapped their printed gains at random, {drawn.mean():.1f} "
        f"would be met{_chance(drawn, len(met))}. By variant: {'; '.join(_by_variant(judged))}. Of the intervals "
        f"of the met gains, {supporting} lie above 0, which supports the paper's claim, {against} lie below 0, and "
        f"{len(met) - supporting - against} include 0."
    )


def judged_gains(measured: Measured, reading: str) -> list[Cell]:
    """The printed gains of ConfDTree that can be compared with ours, each once."""
    return [
        cell
        for cell in cells(measured, ["table 1"], measured.sets(), reading)
        if cell.is_judged and cell.published.kind == "result" and cell.published.column in VARIANTS
    ]


def met_by_chance(judged: Sequence[Cell]) -> Int64Array:
    """(`N_ORDERS`,) int64: numbers of figures that are met if the data sets swap all their printed figures at random.

    The figures of a data set stay together, since the variants are alike.
    """
    names = list(dict.fromkeys(cell.published.row for cell in judged))
    by_place = {(cell.published.row, cell.published.column): cell for cell in judged}
    is_met = np.array([
        [
            sum(
                cell.holds(by_place[other, column].published.value)
                for (row, column), cell in by_place.items()
                if row == name and (other, column) in by_place
            )
            for other in names
        ]
        for name in names
    ])  # fmt: skip
    random, rows = np.random.default_rng(1), np.arange(len(names))
    orders = np.array([random.permutation(len(names)) for _ in range(N_ORDERS)])
    return np.asarray(is_met[rows, orders].sum(axis=1))


def _chance(drawn: Int64Array, n_met: int) -> str:
    """The p of a permutation test in parentheses; of a single set there is none."""
    p = (1 + (drawn >= n_met).sum()) / (1 + len(drawn))
    return f" (p {_p(float(p))}, one-sided)" if drawn.std() else ""


def _by_variant(judged: Sequence[Cell]) -> Iterator[str]:
    for variant in VARIANTS:
        own = [cell for cell in judged if cell.published.column == variant]
        n_met = sum(cell.verdict == "met" for cell in own)
        yield f"{variant} meets {n_met} of {len(own)} ({met_by_chance(own).mean():.1f} by chance)"


def _bounds(cell: Cell) -> tuple[float, float]:
    return cell.interval or (math.nan, math.nan)


def _gains(measured: Measured, group: str, reading: str) -> str:
    names, area = measured.sets(group), READINGS[reading].format("")
    changes, p, means = [], [], []
    for variant in VARIANTS:
        gains = measured.group_gains(group, variant, area)
        by_set = gains.mean(axis=1)
        theirs = fmean(printed("table 1")[name, variant] for name in names)
        n_up = int((by_set > 0).sum())
        changes.append(
            f"{variant} {_with_interval(gains.mean(axis=0))} % (up on {n_up}; published {_signed(theirs)} %)"
        )
        p.append(_p_value(by_set, names))
        means.append(float(gains.mean()))
    return (
        f"{_sets(names, group)}, {IN_WORDS[reading]}: mean gain in AUC over J48 {', '.join(changes)}. "
        f"{_tested(p, means, UP_OR_DOWN, names, of='the gains')}"
    )


def _accuracy(measured: Measured, group: str) -> str:
    names = measured.sets(group)
    changes, p, means = [], [], []
    for variant in VARIANTS:
        change = np.array([measured.added(name, variant, "percent_correct") for name in names])
        n_down = int((change.mean(axis=1) < 0).sum())
        changes.append(f"{variant} {_with_interval(change.mean(axis=0))} points (down on {n_down})")
        p.append(_p_value(change.mean(axis=1), names))
        means.append(float(change.mean()))
    tested = _tested(p, means, UP_OR_DOWN, names, of="the changes")
    return f"{_sets(names, group)}: mean change in accuracy {', '.join(changes)}. {tested}"


def _table_2(measured: Measured) -> Iterator[str]:
    figures = printed("table 2")
    n = {test: sum(p < LEVEL for (_, column), p in figures.items() if column == test)
         for test in ("Wilcoxon p", "t-test p")}  # fmt: skip
    for reading in READINGS:
        rows = tests(measured, reading, None)
        better = [row for row in rows.values() if row[2] < 0]
        ranked, student = (sum(row[column] < LEVEL for row in better) for column in (1, 3))
        yield (
            f"Of the {counted(len(rows), 'row')} over {counted(len(measured.sets()), 'set')}, {IN_WORDS[reading]}, "
            f"ConfDTree is better with p < {LEVEL:g}, not corrected as in the paper, in {ranked} by Wilcoxon's test "
            f"(published {n['Wilcoxon p']}) and in {student} by the t-test (published {n['t-test p']})."
        )
    yield from _contradictions()


def _contradictions() -> Iterator[str]:
    """Sentences on printed p of the t-test that do not follow from the printed t."""
    figures, p_of = printed("table 2"), figures_of_print()
    for (row, test), statistic in figures.items():
        if test in STATISTICS:
            p, printed_p = p_of["table 2", row, STATISTICS[test]], figures[row, STATISTICS[test]]
            if abs(p - printed_p) > 0.002:
                yield (
                    f"The paper's own row {row}: its p of {printed_p:g} does not belong to its {test} of "
                    f"{statistic:g}, for which p is {_p(p)}."
                )


def _table_3(measured: Measured) -> Iterator[str]:
    names = measured.sets()
    for variant in VARIANTS if len(names) > 2 else ():
        ours = np.array([measured.figures(name, variant, "percent_affected").mean() for name in names])
        theirs = np.array([printed("table 3")[name, variant] for name in names])
        gains = np.array([measured.gains(name, variant, READINGS[FIRST].format("")).mean() for name in names])
        gap = np.abs(ours - theirs)
        once = _counts_once(names)
        published, gain = (rank_correlation(ours[once], other[once]) for other in (theirs, gains))
        yield (
            f"Instances affected by {variant}, {len(names)} sets: mean {ours.mean():.1f} %, published "
            f"{theirs.mean():.1f} %; mean absolute difference {gap.mean():.1f} points, largest {gap.max():.1f} on "
            f"{names[int(gap.argmax())]}. Spearman's correlation {_over(names)} of our percentages with the published "
            f"{_hundredths(published.rho)} (p {_p(published.p_value)}), with our gain in AUC, "
            f"{IN_WORDS[FIRST]}, "
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
                p.append(_p_value(small - large, names))
                changes.append(float((small - large).mean()))
            words = f"significantly larger on {sizes[0]} %", f"significantly smaller on {sizes[0]} %"
            yield (
                f"{_sets(names, group)}, {COUNTS[reading]}: mean gain in AUC, trained on {sizes[0]} % and on "
                f"{sizes[-1]} % of the instances ({counted(measured.n_divisions, 'division')}), {', '.join(pairs)}. "
                f"{_tested(p, changes, words, names, of='the differences between the two')}"
            )
    if len(sizes) >= FEWEST_SIZES:
        yield _trends(measured)


def _trends(measured: Measured) -> str:
    names = measured.sets_by_size()
    once = [name for name, counts in zip(names, _counts_once(names), strict=True) if counts]
    found = []
    for reading, ties in TIES.items():
        trends = {name: trend(measured.sizes, measured.gains_by_size(name, PREFERRED, f"auc{ties}")) for name in once}
        falls, rises = ([name for name in once if trends[name] == way] for way in ("falls", "rises"))
        told = [f"{way}: {', '.join(of_way)}" for way, of_way in (("falls", falls), ("rises", rises)) if of_way]
        listed = f" ({'; '.join(told)})" * bool(told)
        found.append(
            f"{COUNTS[reading]}, it falls on {len(falls)} and rises on {len(rises)} of {len(once)} sets{listed}"
        )
    return (
        f"How the gain of {PREFERRED} changes as the training set grows (Kendall's test over {len(measured.sizes)} "
        f"sizes, p < {LEVEL:g}, not corrected, {_over(names).removesuffix(',')}): {'; '.join(found)}."
    )


def _p_value(effects: FloatArray, names: Sequence[str]) -> float:
    """That of Wilcoxon's signed-rank test of one effect per set; of two sets with the same instances one counts."""
    once = _counts_once(names)
    return signed_rank(effects[once], np.zeros(once.sum())).p_value


def _counts_once(names: Sequence[str]) -> BoolArray:
    """(n_sets,) bool: of two sets with the same instances one is left out."""
    return np.array([TWINS.get(name) not in names for name in names])


def _over(names: Sequence[str]) -> str:
    """The sets that a test counts, in words."""
    but = [
        f"but {name}, whose instances are those of {twin}," for name, twin in TWINS.items() if {name, twin} <= {*names}
    ]
    return " ".join(["over the sets", *but])


def _tested(
    p: Sequence[float], effects: Sequence[float], words: tuple[str, str], names: Sequence[str], *, of: str
) -> str:
    """A sentence on the variants that differ significantly; ``words`` are for positive and for negative effects."""
    # For the three variants within a group and a reading: with seven sets no larger family could ever be significant,
    # whatever the data (the smallest p is .016).
    adjusted = holm(p).tolist()
    verdicts = []
    for text, differs in zip(words, (gt, lt), strict=True):
        rows = zip(VARIANTS, adjusted, effects, strict=True)
        if which := [variant for variant, each, effect in rows if each < LEVEL and differs(effect, 0)]:
            verdicts.append(f"{text}: {', '.join(which)}")
    listed = ", ".join(_p(each) for each in adjusted)
    verdict = "; ".join(verdicts) or "none is significant"
    over = _over(names).removesuffix(",")
    return f"Wilcoxon's signed-rank test of {of} {over}, Holm's correction for three, p {listed}: {verdict}."


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
