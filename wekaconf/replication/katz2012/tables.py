"""Tables I to III and Figure 6 of Katz et al. 2012: our figure for every printed one, and what stands beside them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

import numpy as np

from wekaconf.evaluation.statistics import paired_t
from wekaconf.naming import counted
from wekaconf.replication.cells import Cell, Figure, Place, compared, published_cells
from wekaconf.replication.katz2012.measured import GROUPS, MORE, NOT_TO_BE_HAD, TWO, Measured, groups
from wekaconf.replication.katz2012.measuring import BASE, FOREST, PAPER, TIES, VARIANTS
from wekaconf.replication.katz2012.significance import FEWEST_SIZES, half_width, trend, wilcoxon_z
from wekaconf.replication.study import Beside

FIGURE = "figure 6"
COUNTS = {"ties-half": "a tie counting ½", "ties-zero": "a tie counting 0"}
PREFERRED = "COMB"
"""The variant that the paper recommends; it is compared with what is said of "the proposed method"."""
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
    left_out = {*groups(), NOT_TO_BE_HAD} - {*names, *([NOT_TO_BE_HAD] if all(is_whole.values()) else [])}
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
    """The group of data sets that a figure is of, or "all"; empty for a figure of one data set."""
    return next((group for group in GROUPS if group in row), "all" if row == "all" else "")


def _members(group: str) -> list[str]:
    return [name for name, of in groups().items() if group in (of, "all")]


def _table_1(measured: Measured, reading: str) -> dict[Place, Figure | None]:
    found: dict[Place, Figure | None] = {}
    for name in measured.sets():
        facts = measured.facts(name)
        sizes = list(map(int, facts["class_sizes"].split()))
        found["table 1", name, "classes"] = float(len(sizes))
        found["table 1", name, "numeric attributes"] = facts["n_numeric"], facts["n_attributes"]
        found["table 1", name, "instances"] = float(facts["n_instances"])
        found["table 1", name, "imbalance"] = imbalance(sizes, _printed_imbalance(name))
        for column, gain in gains(measured, name, reading).items():
            found["table 1", name, column] = float(gain)
    return found


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
    """Trends of single data sets, and what is of all those with more than two classes."""
    found: dict[Place, Figure | None] = {
        (FIGURE, name, "trend"): trend(measured.sizes, measured.gains_by_size(name, PREFERRED, "auc" + TIES[reading]))
        for name in measured.sets_by_size()
    }
    if (names := measured.sets_by_size(MORE)) == _members(MORE):
        of_sets = [measured.gains_by_size(name, PREFERRED, "auc" + TIES[reading]) for name in names]
        mean = np.mean(of_sets, axis=0)
        found[FIGURE, MORE, "trend"] = trend(measured.sizes, mean)
        found |= {(FIGURE, MORE, f"{size} %"): float(gain) for size, gain in zip(measured.sizes, mean, strict=True)}
    return found


def imbalance(sizes: Sequence[int], printed: str) -> str:
    """The ratios of class sizes to the smallest, in the layout of Table I.

    Parameters
    ----------
    sizes : sequence of int
        Number of instances of each class, ascending.
    printed : str
        As the paper prints them: "1 : 1.44 : 1.88" or "max ratio of 1 : 1.1".

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


# -- beside the printed figures ------------------------------------------------------------------------------------


def beside(measured: Measured, parts: Collection[str], reading: str) -> list[Beside]:
    """The other way to count ties, areas and accuracy, intervals, and Figure 6 of every variant."""
    other = next(each for each in TIES if each != reading)
    tables: list[Beside] = []
    if "table 1" in parts and measured.sets():
        tables += [_gains_beside(measured, other), _accuracy(measured)]
        if measured.n_runs > 1:
            tables.append(_intervals(measured))
    if "table 2" in parts and measured.sets():
        of = counted(len(measured.sets()), "data set")
        for each in (reading, other):
            tables.append(Beside("table 2", f"Table 2, {COUNTS[each]}, {of}", TESTS, tests(measured, each), 3))
    if FIGURE in parts and measured.sizes:
        tables += [_by_size(measured, each) for each in (reading, other)]
    return tables


def _gains_beside(measured: Measured, reading: str) -> Beside:
    of_sets = {name: gains(measured, name, reading) for name in measured.sets()}
    columns = list(dict.fromkeys(column for found in of_sets.values() for column in found))
    columns.sort(key=lambda column: "weighted" in column)
    rows = {name: [found.get(column) for column in columns] for name, found in of_sets.items()}
    return Beside("table 1", f"Table 1, {COUNTS[reading]}: gain in AUC over J48, %", columns, rows)


def _accuracy(measured: Measured) -> Beside:
    others = (*VARIANTS, FOREST)
    columns = ["AUC of J48", "tie = 0", "% correct", *(f"{column}, change" for column in others)]
    rows: dict[str, list[Figure | None]] = {}
    for name in measured.sets():
        correct = {each: float(measured.figures(name, each, "percent_correct").mean()) for each in (BASE, *others)}
        areas = [f"{measured.figures(name, BASE, 'auc' + ties).mean():.4f}" for ties in TIES.values()]
        rows[name] = [*areas, correct[BASE], *(correct[each] - correct[BASE] for each in others)]
    return Beside("table 1", "Area and accuracy of J48, and what the others add to its accuracy, points", columns, rows)


def _intervals(measured: Measured) -> Beside:
    columns = [f"{variant}{', tie = 0' * bool(ties)}" for ties in TIES.values() for variant in VARIANTS]
    rows: dict[str, list[Figure | None]] = {
        name: [
            half_width(measured.gains(name, variant, f"auc{ties}")) for ties in TIES.values() for variant in VARIANTS
        ]
        for name in measured.sets()
    }
    title = f"Half-width of the 95 % interval of the gain in AUC, %, over {measured.n_runs} cross-validations"
    return Beside("table 1", title, columns, rows)


def _by_size(measured: Measured, reading: str) -> Beside:
    rows: dict[str, list[Figure | None]] = {}
    for group in GROUPS:
        if names := measured.sets_by_size(group):
            for variant in VARIANTS:
                of_sets = [measured.gains_by_size(name, variant, "auc" + TIES[reading]) for name in names]
                rows[f"{variant}, {group}"] = np.mean(of_sets, axis=0).tolist()
    columns = [f"{size} %" for size in measured.sizes]
    of = " and ".join(str(len(names)) for group in GROUPS if (names := measured.sets_by_size(group)))
    title = f"Figure 6, {COUNTS[reading]}: mean gain in AUC over J48, %, on {of} data sets, by training size"
    return Beside(FIGURE, title, columns, rows)
