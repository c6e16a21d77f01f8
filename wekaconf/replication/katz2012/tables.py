"""Tables I to III and Figure 6 of Katz et al. 2012: our figure for every printed one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

import numpy as np

from wekaconf.evaluation.statistics import paired_t
from wekaconf.replication.cells import Cell, Figure, Place, compared, published_cells
from wekaconf.replication.katz2012.measurement import BASE, FOREST, PAPER, TIES, VARIANTS
from wekaconf.replication.katz2012.record_table import GROUPS, MORE, TWO, UNAVAILABLE, Measured, groups
from wekaconf.replication.katz2012.significance import FEWEST_SIZES, trend, wilcoxon_z

FIGURE = "figure 6"
COUNTS = {"ties-half": "a tie counting ½", "ties-zero": "a tie counting 0"}
PREFERRED = "COMB"
"""The variant that the paper recommends; it stands for the paper's "the proposed method"."""
TESTS = ("Wilcoxon z", "Wilcoxon p", "t", "t-test p")
AREAS = {"average": "auc", "weighted": "auc_weighted"}
"""The areas under the ROC curve of Table II; the average alone for data sets with two classes."""


def cells(measured: Measured, parts: Collection[str], names: Collection[str], reading: str) -> list[Cell]:
    """Each published figure of some parts beside ours.

    Parameters
    ----------
    measured : Measured
    parts : collection of str
    names : collection of str
        The data sets asked for; published figures of others, and of groups that have others, are left out.
    reading : str
        One of `TIES`.
    """
    is_whole = {group: set(names) >= set(_members(group)) for group in ("", *GROUPS, "all")}
    left_out = {*groups(), UNAVAILABLE} - {*names, *([UNAVAILABLE] if all(is_whole.values()) else [])}
    published = [
        cell
        for cell in published_cells(PAPER)
        if cell.part in parts
        and cell.row not in left_out
        and is_whole[_group_of(cell.row)]
        and not (cell.column == "trend" and 0 < len(measured.sizes) < FEWEST_SIZES)
    ]
    ours = {**_table_1(measured, reading), **_table_2(measured, reading), **_table_3(measured)}
    ours |= _figure_6(measured, reading)
    places = {cell.place for cell in published}
    return compared(published, {place: figure for place, figure in ours.items() if place in places})


def _group_of(row: str) -> str:
    """The group of the data sets of a figure, or "all"; empty for a figure of one data set."""
    return next((group for group in GROUPS if group in row), "all" if row == "all" else "")


def _members(group: str) -> list[str]:
    return [name for name, set_group in groups().items() if group in (set_group, "all")]


def _table_1(measured: Measured, reading: str) -> dict[Place, Figure | None]:
    figures: dict[Place, Figure | None] = {}
    for name in measured.sets():
        facts = measured.facts(name)
        sizes = list(map(int, facts["class_sizes"].split()))
        figures["table 1", name, "classes"] = float(len(sizes))
        figures["table 1", name, "numeric attributes"] = facts["n_numeric"], facts["n_attributes"]
        figures["table 1", name, "instances"] = float(facts["n_instances"])
        figures["table 1", name, "imbalance"] = imbalance(sizes, _printed_imbalance(name))
        for column, gain in gains(measured, name, reading).items():
            figures["table 1", name, column] = float(gain)
    return figures


def gains(measured: Measured, dataset: str, reading: str) -> dict[str, float]:
    """The gains in the columns of Table I, mean over the cross-validations, in percent."""
    kinds = {"": "auc"} | ({", weighted": "auc_weighted"} if groups()[dataset] == MORE else {})
    return {
        column + kind: float(measured.gains(dataset, column, area + TIES[reading]).mean())
        for column in (*VARIANTS, FOREST)
        for kind, area in kinds.items()
    }


def _table_2(measured: Measured, reading: str) -> dict[Place, Figure | None]:
    """The rows whose data sets were all measured; those with two classes never are, for want of MiniBooNE."""
    return {
        ("table 2", row, test): figure
        for row, figures in tests(measured, reading).items()
        for test, figure in zip(TESTS, figures, strict=True)
        if TWO not in row and measured.sets(MORE) == _members(MORE)
    }


def tests(measured: Measured, reading: str) -> dict[str, tuple[float, ...]]:
    """The rows of Table II over the data sets measured: z and p of Wilcoxon's test, t and p of the t-test."""
    rows: dict[str, tuple[float, ...]] = {}
    for kind, area in AREAS.items():
        for group in GROUPS:
            for variant in VARIANTS if (kind, group) != ("weighted", TWO) and measured.sets(group) else ():
                base, ours = (measured.means(group, each, area + TIES[reading]) for each in (BASE, variant))
                ranked, student = wilcoxon_z(base, ours), paired_t(base, ours)
                rows[f"{kind} AUC, {group}: {variant}"] = *ranked, student.statistic, student.p_value
    return rows


def _table_3(measured: Measured) -> dict[Place, Figure | None]:
    return {
        ("table 3", name, variant): float(measured.figures(name, variant, "percent_affected").mean())
        for name in measured.sets()
        for variant in VARIANTS
    }


def _figure_6(measured: Measured, reading: str) -> dict[Place, Figure | None]:
    """Trends of single data sets, and figures over all data sets with more than two classes."""
    figures: dict[Place, Figure | None] = {
        (FIGURE, name, "trend"): trend(measured.sizes, measured.gains_by_size(name, PREFERRED, "auc" + TIES[reading]))
        for name in measured.sets_by_size()
    }
    if (names := measured.sets_by_size(MORE)) == _members(MORE):
        gains_of_sets = [measured.gains_by_size(name, PREFERRED, "auc" + TIES[reading]) for name in names]
        mean = np.mean(gains_of_sets, axis=0)
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
