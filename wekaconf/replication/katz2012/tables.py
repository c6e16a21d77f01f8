"""Tables I to III and Figure 6 of Katz et al. 2012: our figure for every printed one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from wekaconf.replication.cells import Cell, Figure, Place, Published, compared, published_cells
from wekaconf.replication.katz2012.measured import GROUPS, MORE, NOT_TO_BE_HAD, Measured, groups
from wekaconf.replication.katz2012.measuring import BASE, FOREST, TIES, VARIANTS
from wekaconf.replication.katz2012.significance import paired_t, trend, wilcoxon_z

ENDINGS = {"ties-half": "", "ties-zero": "; tie = 0"}
"""What a reading adds to the name of a column."""
FEWEST_SIZES = 5
"""With fewer training sizes Kendall's test cannot find a trend at the level .05."""
PREFERRED = "COMB"
"""The variant that the paper recommends, and that is compared with what it says of "the proposed method"."""
WITHOUT_AREAS = ("classes", "numeric attributes", "instances", "imbalance")
"""Columns of Table I that are the same in every reading, as is Table III."""


def cells(
    measured: Measured, parts: Collection[str], readings: Sequence[str], without_file: Collection[str] = ()
) -> list[Cell]:
    """Each published figure of some parts beside ours.

    Parameters
    ----------
    measured : Measured
        Published figures of other data sets are left out, and so are trends over fewer than `FEWEST_SIZES` sizes.
    parts : collection of str
    readings : sequence of str
        Of `TIES`; figures that depend on ties occur once for each.
    without_file : collection of str
        Data sets that were asked for but could not be measured; their figures are not to be had.
    """
    published = [cell for part in parts for cell in _published(measured, part, readings, without_file)]
    places = {cell.place for cell in published}
    found: dict[Place, Figure | None] = {}
    for reading in readings:
        found |= _ours(measured, reading)
    return compared(published, {place: figure for place, figure in found.items() if place in places})


def _published(
    measured: Measured, part: str, readings: Sequence[str], without_file: Collection[str]
) -> Iterator[Published]:
    """The published figures that ours can be compared with, in the paper's order."""
    seen = measured.sets_by_size() if part == "figure 6" else measured.sets()
    for cell in published_cells("katz2012"):
        if cell.part != part or (cell.column == "trend" and len(measured.sizes) < FEWEST_SIZES):
            continue
        if cell.row in without_file:
            told = replace(cell, status="not to be had", remark=cell.remark or "the file is missing or unusable")
        elif cell.row in seen:
            told = cell
        elif cell.row in (*groups(), NOT_TO_BE_HAD):
            continue
        else:
            told = _of_several_sets(cell, seen)
        if part == "table 3" or cell.column in WITHOUT_AREAS:
            yield told
        else:
            yield from (replace(told, column=told.column + ENDINGS[reading]) for reading in readings)


def _of_several_sets(cell: Published, seen: Collection[str]) -> Published:
    """The figure, with a remark if some of the data sets that it is of were not measured."""
    own = [name for name, group in groups().items() if group in cell.row or not any(map(cell.row.count, GROUPS))]
    n_seen = len(set(own) & set(seen))
    return cell if n_seen == len(own) else replace(cell, remark=f"ours is of {n_seen} of {len(own)} data sets only")


def _ours(measured: Measured, reading: str) -> dict[Place, Figure | None]:
    ties, ending = TIES[reading], ENDINGS[reading]
    found: dict[Place, Figure | None] = {}
    for name in measured.sets():
        facts = measured.facts(name)
        sizes = list(map(int, facts["class_sizes"].split()))
        found["table 1", name, "classes"] = float(len(sizes))
        found["table 1", name, "numeric attributes"] = facts["n_numeric"], facts["n_attributes"]
        found["table 1", name, "instances"] = float(facts["n_instances"])
        found["table 1", name, "imbalance"] = imbalance(sizes, _printed_imbalance(name))
        areas = {"": "auc"} | ({", weighted": "auc_weighted"} if groups()[name] == MORE else {})
        for column in (*VARIANTS, FOREST):
            for kind, area in areas.items():
                gain = measured.gains(name, column, area + ties).mean()
                found["table 1", name, column + kind + ending] = float(gain)
        for column in VARIANTS:
            found["table 3", name, column] = float(measured.figures(name, column, "percent_affected").mean())
    for group in GROUPS:
        areas = {"average": "auc"} | ({"weighted": "auc_weighted"} if group == MORE else {})
        for kind, area in areas.items():
            for variant in VARIANTS:
                base, ours = (measured.group_means(group, each, area + ties) for each in (BASE, variant))
                row = f"{kind} AUC, {group}: {variant}"
                results = {
                    ("Wilcoxon z", "Wilcoxon p"): wilcoxon_z(base, ours),
                    ("t", "t-test p"): paired_t(base, ours),
                }
                for columns, result in results.items():
                    for column, number in zip(columns, result or (None, None), strict=True):
                        found["table 2", row, column + ending] = number
    return found | _figure(measured, ties, ending)


def _figure(measured: Measured, ties: str, ending: str) -> dict[Place, Figure | None]:
    found: dict[Place, Figure | None] = {}
    by_set = {name: measured.gains_by_size(name, PREFERRED, "auc" + ties) for name in measured.sets_by_size()}
    for name, gains in by_set.items():
        found["figure 6", name, f"trend{ending}"] = trend(measured.sizes, gains)
    for group in GROUPS:
        of_group = [by_set[name] for name in measured.sets_by_size(group)]
        if of_group:
            mean = np.mean(of_group, axis=0)
            found["figure 6", group, f"trend{ending}"] = trend(measured.sizes, mean)
            for size, gain in zip(measured.sizes, mean.tolist(), strict=True):
                found["figure 6", group, f"{size} %{ending}"] = gain
    if by_set:
        mean = np.mean([*by_set.values()], axis=0)
        found["figure 6", "all", f"smallest training set{ending}"] = float(mean[0])
        found["figure 6", "all", f"largest training set{ending}"] = float(mean[-1])
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
    for ratio, number in zip_longest(ratios[-1:] if words != "1" else ratios, numbers):
        if ratio is not None:
            is_printed = number and abs(ratio - float(number)) < 10.0 ** -len(number.partition(".")[2])
            shown.append(number if is_printed else f"{ratio:.3g}")
    return " : ".join([words, *shown])


def _printed_imbalance(dataset: str) -> str:
    [printed] = [cell.value for cell in published_cells("katz2012") if cell.place == ("table 1", dataset, "imbalance")]
    return str(printed)
