"""What the records of Katz et al. 2012 say, in sentences written from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

import numpy as np

from wekaconf.data.dataset import FloatArray
from wekaconf.naming import name_list
from wekaconf.replication.cells import published_cells
from wekaconf.replication.katz2012.measured import GROUPS, TWO, Measured
from wekaconf.replication.katz2012.measuring import BASE, FOLDS, FOREST, TIES, TREES_IN_FOREST, VARIANTS
from wekaconf.replication.katz2012.significance import LEVEL, half_width, holm, paired_t, trend, wilcoxon_p, wilcoxon_z
from wekaconf.replication.katz2012.tables import FEWEST_SIZES, PREFERRED
from wekaconf.replication.study import Finding

COUNTS = {"ties-half": "a tie counting ½", "ties-zero": "a tie counting 0"}


def findings(measured: Measured) -> list[Finding]:
    """Sentences on every part that was measured; a test is named wherever one is called significant."""
    found: list[Finding] = []
    for part, write in _WRITERS.items():
        found += [Finding(part, text) for text in write(measured)]
    return found


def _table_1(measured: Measured) -> Iterator[str]:
    printed = _printed("table 1")
    for group in GROUPS:
        names = measured.sets(group)
        for reading, ties in TIES.items():
            if len(names) > 1:
                yield _gains(measured, group, reading, ties, printed)
    for group in GROUPS:
        if len(measured.sets(group)) > 1:
            yield _accuracy(measured, group)
    if measured.n_runs > 2:
        yield _chance(measured, printed)
    for group in GROUPS:
        if names := measured.sets(group):
            theirs = fmean(printed[name, FOREST] for name in names)
            half, zero = (measured.group_gains(group, FOREST, f"auc{ties}").mean() for ties in TIES.values())
            yield (
                f"RandomForest with {TREES_IN_FOREST} trees, {_sets(names, group)}: mean gain in AUC over J48 "
                f"{_signed(half)} % with ties counting ½, {_signed(zero)} % with ties counting 0; published "
                f"{_signed(theirs)} %."
            )


def _gains(measured: Measured, group: str, reading: str, ties: str, printed: dict[tuple[str, str], float]) -> str:
    names, told, p = measured.sets(group), [], []
    for variant in VARIANTS:
        gains = measured.group_gains(group, variant, f"auc{ties}")
        theirs = fmean(printed[name, variant] for name in names)
        rises = int((gains.mean(axis=1) > 0).sum())
        told.append(
            f"{variant} {_with_interval(gains.mean(axis=0))} % (up on {rises} of {len(names)} sets; published "
            f"{_signed(theirs)} %)"
        )
        base, ours = (measured.group_means(group, each, f"auc{ties}") for each in (BASE, variant))
        p.append(wilcoxon_p(ours - base))
    return (
        f"{_sets(names, group)}, {COUNTS[reading]}: mean gain in AUC over J48 {', '.join(told)}. "
        f"{_tested(p, [measured.group_gains(group, variant, f'auc{ties}').mean() for variant in VARIANTS])}"
    )


def _accuracy(measured: Measured, group: str) -> str:
    names, told, p, means = measured.sets(group), [], [], []
    for variant in VARIANTS:
        change = np.array([
            measured.figures(name, variant, "percent_correct") - measured.figures(name, BASE, "percent_correct")
            for name in names
        ])  # fmt: skip
        falls = int((change.mean(axis=1) < 0).sum())
        told.append(f"{variant} {_with_interval(change.mean(axis=0))} points (down on {falls} of {len(names)} sets)")
        p.append(wilcoxon_p(change.mean(axis=1)))
        means.append(change.mean())
    return f"{_sets(names, group)}: change in accuracy {', '.join(told)}. {_tested(p, means)}"


def _chance(measured: Measured, printed: dict[tuple[str, str], float]) -> str:
    """How many printed gains may come from the draw of the folds."""
    told = []
    for reading, ties in TIES.items():
        within = [
            abs(printed[name, variant] - (gains := measured.gains(name, variant, f"auc{ties}")).mean())
            <= half_width(gains, of_next=True) + 1e-9
            for name in measured.sets()
            for variant in VARIANTS
        ]
        told.append(f"{sum(within)} of {len(within)} with {COUNTS[reading]}")
    return (
        f"Printed gains of ConfDTree that lie where one more {FOLDS}-fold cross-validation of ours would with a "
        f"probability of 95 % (Student's t from {measured.n_runs} seeds): {' and '.join(told)}."
    )


def _table_2(measured: Measured) -> Iterator[str]:
    published = published_cells("katz2012")
    rows = {cell.row for cell in published if cell.part == "table 2"}
    for reading, ties in TIES.items():
        by_test: dict[str, list[float]] = {"Wilcoxon": [], "t": []}
        for group in GROUPS:
            for area in ("auc",) if group == TWO else ("auc", "auc_weighted"):
                for variant in VARIANTS:
                    base, ours = (measured.group_means(group, each, area + ties) for each in (BASE, variant))
                    for name, found in (("Wilcoxon", wilcoxon_z(base, ours)), ("t", paired_t(base, ours))):
                        if found is not None:
                            by_test[name].append(found.p if ours.mean() > base.mean() else 1.0)
        n = {name: sum(p < LEVEL for p in its) for name, its in by_test.items()}
        printed = {
            name: sum(
                float(cell.value) < LEVEL  # type: ignore[arg-type]
                for cell in published
                if cell.part == "table 2" and cell.column == column
            )
            for name, column in (("Wilcoxon", "Wilcoxon p"), ("t", "t-test p"))
        }
        yield (
            f"Of the {len(rows)} rows, {COUNTS[reading]}, ConfDTree is better with p < {LEVEL:g}, not corrected as in "
            f"the paper, in {n['Wilcoxon']} by Wilcoxon's test (published {printed['Wilcoxon']}) and in {n['t']} by "
            f"the t-test (published {printed['t']})."
        )
    yield from _contradictions()


def _contradictions() -> Iterator[str]:
    """Printed p of the t-test that do not follow from the printed t."""
    from scipy import stats

    n_sets = {TWO: 10, GROUPS[1]: 7}
    rows: dict[str, dict[str, float]] = {}
    for cell in published_cells("katz2012"):
        if cell.part == "table 2":
            rows.setdefault(cell.row, {})[cell.column] = float(cell.value)  # type: ignore[arg-type]
    for row, cells in rows.items():
        freedom = n_sets[TWO if TWO in row else GROUPS[1]] - 1
        p = float(2 * stats.t.sf(abs(cells["t"]), freedom))
        if abs(p - cells["t-test p"]) > 0.002:
            yield (
                f"The printed p of the t-test of {row}, {cells['t-test p']:g}, does not belong to the printed t of "
                f"{cells['t']:g}, which has p = {p:.2f} with {freedom} degrees of freedom."
            )


def _table_3(measured: Measured) -> Iterator[str]:
    from scipy import stats

    names = measured.sets()
    if len(names) < 3:
        return
    printed = _printed("table 3")
    for variant in VARIANTS:
        ours = np.array([measured.figures(name, variant, "percent_affected").mean() for name in names])
        theirs = np.array([printed[name, variant] for name in names])
        rank = stats.spearmanr(ours, theirs)
        gains = np.array([measured.gains(name, variant, "auc").mean() for name in names])
        to_gain = stats.spearmanr(ours, gains)
        gap = np.abs(ours - theirs)
        yield (
            f"Instances affected by {variant}, {len(names)} sets: mean {ours.mean():.1f} %, published "
            f"{theirs.mean():.1f} %; mean absolute difference {gap.mean():.1f} points, largest {gap.max():.1f} on "
            f"{names[int(gap.argmax())]}; Spearman's correlation with the published {_number(rank.statistic)} "
            f"(p {_p(rank.pvalue)}), of ours with the gain in AUC (ties ½) "
            f"{_number(to_gain.statistic)} (p {_p(to_gain.pvalue)})."
        )


def _figure_6(measured: Measured) -> Iterator[str]:
    if len(measured.sizes) < 2:
        return
    first, last, n_sizes = measured.sizes[0], measured.sizes[-1], len(measured.sizes)
    for group in GROUPS:
        names = measured.sets_by_size(group)
        for reading, ties in TIES.items() if len(names) > 1 else ():
            told, p, changes = [], [], []
            for variant in VARIANTS:
                gains = np.array([measured.gains_by_size(name, variant, f"auc{ties}") for name in names])
                change = gains[:, 0] - gains[:, -1]
                told.append(f"{variant} {_signed(gains[:, 0].mean())} % and {_signed(gains[:, -1].mean())} %")
                p.append(wilcoxon_p(change))
                changes.append(float(change.mean()))
            yield (
                f"{_sets(names, group)}, {COUNTS[reading]}: mean gain in AUC trained on {first} % and on {last} % of "
                f"the instances {', '.join(told)}. "
                f"{_tested(p, changes, ('significantly larger on the smaller', 'significantly smaller on it'))}"
            )
    if n_sizes < FEWEST_SIZES:
        return
    falling = {
        reading: [
            name
            for name in measured.sets_by_size()
            if trend(measured.sizes, measured.gains_by_size(name, PREFERRED, f"auc{ties}")) == "falls"
        ]
        for reading, ties in TIES.items()
    }
    n = len(measured.sets_by_size())
    told = [
        f"{COUNTS[reading]}, on {len(names)} of {n} sets" + (f" ({name_list(names)})" if names else "")
        for reading, names in falling.items()
    ]
    yield (
        f"The gain of {PREFERRED} falls as the training set grows (Kendall's test over {n_sizes} sizes, "
        f"p < {LEVEL:g}, not corrected): {'; '.join(told)}."
    )


_WRITERS: dict[str, Callable[[Measured], Iterator[str]]] = {
    "table 1": _table_1,
    "table 2": _table_2,
    "table 3": _table_3,
    "figure 6": _figure_6,
}


def _printed(part: str) -> dict[tuple[str, str], float]:
    """The numbers of a table by data set and column."""
    return {
        (cell.row, cell.column): cell.value
        for cell in published_cells("katz2012")
        if cell.part == part and isinstance(cell.value, float)
    }


def _tested(
    p: Sequence[float],
    effects: Sequence[float],
    words: tuple[str, str] = ("significantly up", "significantly down"),
) -> str:
    """Which of the three variants differ significantly, by Wilcoxon's test over the sets with Holm's correction."""
    adjusted = holm(p)
    listed = ", ".join(f"{variant} {_p(each)}" for variant, each in zip(VARIANTS, adjusted, strict=True))
    told = []
    for text, sign in zip(words, (1, -1), strict=True):
        rows = zip(VARIANTS, adjusted, effects, strict=True)
        if which := [variant for variant, each, effect in rows if each < LEVEL and effect * sign > 0]:
            told.append(f"{text}: {name_list(which)}")
    verdict = "; ".join(told) or "none is significant"
    return f"Wilcoxon's signed-rank test over the sets, Holm's correction for the three: p {listed}; {verdict}."


def _sets(names: Sequence[str], group: str) -> str:
    return f"{group.capitalize()} ({len(names)} sets)"


def _with_interval(by_run: FloatArray) -> str:
    """The mean, with its 95 % interval over the cross-validations if there are several."""
    half, mean = half_width(by_run), float(by_run.mean())
    return _signed(mean) if math.isnan(half) else f"{_signed(mean)} [{_signed(mean - half)}, {_signed(mean + half)}]"


def _signed(number: float) -> str:
    return f"{number:+.1f}".replace("-", "−").replace("+0.0", "0.0").replace("−0.0", "0.0")


def _number(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")


def _p(p: float) -> str:
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
