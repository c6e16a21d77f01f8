"""Tables I to III and Figure 6 of Katz et al. 2012: our figure for every printed one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

import numpy as np

from wekaconf.evaluation.statistics import paired_t
from wekaconf.replication._cells import Cell, Figure, Place, Repeated, published_cells
from wekaconf.replication.katz2012.measurement import BASE, FOREST, PAPER, READINGS, TIES, VARIANTS, WEIGHTED
from wekaconf.replication.katz2012.record_table import (
    GROUPS,
    MORE,
    N_SETS,
    TWO,
    UNAVAILABLE,
    Measured,
    all_groups,
    groups,
    printed,
)
from wekaconf.replication.katz2012.significance import FEWEST_SIZES, trend, wilcoxon_z

FIGURE = "figure 6"
COUNTS = {"ties-zero": "a tie counting 0", "ties-half": "a tie counting ½"}
FOLDS_IN_WORDS = {"folds": "mean of the folds' areas", "pooled": "answers of all folds pooled"}
IN_WORDS = {f"{folds}-{ties}": f"{FOLDS_IN_WORDS[folds]}, {COUNTS[ties]}" for folds in FOLDS_IN_WORDS for ties in TIES}
"""The readings in words."""
PREFERRED = "COMB"
"""The variant that the paper recommends; it stands for the paper's "the proposed method"."""
TESTS = ("Wilcoxon z", "Wilcoxon p", "t", "t-test p")
EQUAL_SIZES = "segment"
"""The data set whose classes are equally large, so that both means of their areas are the same."""
STATISTICS = {"Wilcoxon z": "Wilcoxon p", "t": "t-test p"}
"""The statistics of Table II, and the p that follow from them."""
MEANS = {"average": "", "weighted": WEIGHTED}
"""The means over the classes of Table II; the average alone for data sets with two classes."""
Figures = dict[Place, Figure | Repeated | None]


def cells(measured: Measured, parts: Collection[str], names: Collection[str], reading: str) -> list[Cell]:
    """Each published figure of some parts beside ours.

    Parameters
    ----------
    measured : Measured
    parts : collection of str
    names : collection of str
        The data sets asked for; published figures of others, and of groups that have others, are left out.
    reading : str
        One of `READINGS`.
    """
    is_whole = {group: set(names) >= set(_members(group)) for group in ("", *GROUPS, "all")}
    left_out = {*all_groups()} - {*names, *([UNAVAILABLE] if all(is_whole.values()) else [])}
    of_part = {"table 1": _table_1, "table 2": _table_2, "table 3": _table_3, FIGURE: _figure_6}
    ours: Figures = {}
    for part in parts:
        ours |= of_part[part](measured, reading)
    ours |= figures_of_print()
    return [
        Cell(figure, ours.get(figure.place))
        for figure in published_cells(PAPER)
        if figure.part in parts
        and figure.row not in left_out
        and is_whole[_group_of(figure.row)]
        and not (figure.column == "trend" and len(measured.sizes) < FEWEST_SIZES)
    ]


def _group_of(row: str) -> str:
    """The group of the data sets of a figure, or "all"; empty for a figure of one data set."""
    return next((group for group in GROUPS if group in row), "all" if row == "all" else "")


def _members(group: str) -> list[str]:
    return [name for name, set_group in groups().items() if group in (set_group, "all")]


def _table_1(measured: Measured, reading: str) -> Figures:
    figures: Figures = {}
    for name in measured.sets():
        facts = measured.facts(name)
        sizes = list(map(int, facts["class_sizes"].split()))
        figures["table 1", name, "classes"] = float(len(sizes))
        figures["table 1", name, "numeric attributes"] = facts["n_numeric"], facts["n_attributes"]
        figures["table 1", name, "instances"] = float(facts["n_instances"])
        figures["table 1", name, "imbalance"] = imbalance(sizes, _printed_imbalance(name))
        for kind in ("", WEIGHTED) if all_groups()[name] == MORE else ("",):
            for column in (*VARIANTS, FOREST):
                gains = measured.gains(name, column, READINGS[reading].format(kind))
                figures["table 1", name, column + kind.replace("_", ", ")] = Repeated.of(gains.tolist())
    return figures


def _table_2(measured: Measured, reading: str) -> Figures:
    """The rows whose data sets were all measured; those with two classes never are, for want of MiniBooNE."""
    if not measured.sets() or measured.sets(MORE) != _members(MORE):
        return {}
    runs = [tests(measured, reading, run) for run in range(measured.n_runs)]
    return {
        ("table 2", row, test): Repeated.of([of_run[row][TESTS.index(test)] for of_run in runs])
        for row in runs[0]
        for test in STATISTICS
        if TWO not in row
    }


def figures_of_print() -> dict[Place, float]:
    """The figures that follow from others in print: means weighted by equal class sizes, and each p of Table II.

    A p belongs to the printed z, of the normal distribution, or to t, of Student's.
    """
    from scipy import stats

    columns = [*VARIANTS, FOREST]
    p = {("table 1", EQUAL_SIZES, f"{column}, weighted"): printed("table 1")[EQUAL_SIZES, column] for column in columns}
    for (row, test), statistic in printed("table 2").items():
        if test in STATISTICS:
            freedom = next(n for group, n in N_SETS.items() if group in row) - 1
            tail = stats.norm.sf(abs(statistic)) if test == "Wilcoxon z" else stats.t.sf(abs(statistic), freedom)
            p["table 2", row, STATISTICS[test]] = float(2 * tail)
    return p


def tests(measured: Measured, reading: str, run: int | None) -> dict[str, tuple[float, ...]]:
    """The rows of Table II over the data sets measured: z and p of Wilcoxon's test, t and p of the t-test.

    As in the paper they compare the areas, not the gains: those of one cross-validation, or their means over all.
    """
    rows: dict[str, tuple[float, ...]] = {}
    for kind, mean in MEANS.items():
        for group in GROUPS:
            for variant in VARIANTS if (kind, group) != ("weighted", TWO) and measured.sets(group) else ():
                areas = [measured.group(group, each, READINGS[reading].format(mean)) for each in (BASE, variant)]
                base, ours = (each.mean(axis=1) if run is None else each[:, run] for each in areas)
                ranked, student = wilcoxon_z(base, ours), paired_t(base, ours)
                rows[f"{kind} AUC, {group}: {variant}"] = *ranked, student.statistic, student.p_value
    return rows


def _table_3(measured: Measured, _reading: str) -> Figures:
    return {
        ("table 3", name, variant): Repeated.of(measured.figures(name, variant, "percent_affected").tolist())
        for name in measured.sets()
        for variant in VARIANTS
    }


def _figure_6(measured: Measured, reading: str) -> Figures:
    """Trends of single data sets, and figures over all data sets with more than two classes."""
    area = READINGS[reading].format("")
    figures: Figures = {
        (FIGURE, name, "trend"): trend(measured.sizes, measured.gains_by_size(name, PREFERRED, area))
        for name in measured.sets_by_size()
    }
    if (names := measured.sets_by_size(MORE)) == _members(MORE):
        mean = np.mean([measured.gains_by_size(name, PREFERRED, area) for name in names], axis=0)
        figures[FIGURE, MORE, "trend"] = trend(measured.sizes, mean)
        figures |= {(FIGURE, MORE, f"{size} %"): float(gain) for size, gain in zip(measured.sizes, mean, strict=True)}
    return figures


def imbalance(sizes: Sequence[int], printed: str) -> str:
    """The ratios of class sizes to the smallest, in the layout of Table I.

    Parameters
    ----------
    sizes : sequence of int
        Number of instances of each class, ascending.
    printed : str
        The ratios as the paper prints them: "1 : 1.44 : 1.88" or "max ratio of 1 : 1.1".

    Returns
    -------
    str
        A ratio that is less than one unit of the printed number's last digit off is written as printed, since the paper
        cuts off as often as it rounds; others with three digits.
    """
    words, *numbers = printed.split(" : ")
    ratios = [size / sizes[0] for size in sizes[1:]]
    shown = []
    for ratio, number in zip_longest(ratios if words == "1" else ratios[-1:], numbers):
        if ratio is not None:
            is_printed = number and abs(ratio - float(number)) < 10.0 ** -len(number.partition(".")[2])
            shown.append(number if is_printed else f"{ratio:.3g}")
    return " : ".join([words, *shown])


def _printed_imbalance(dataset: str) -> str:
    place = "table 1", dataset, "imbalance"
    return next(str(cell.value) for cell in published_cells(PAPER) if cell.place == place)
