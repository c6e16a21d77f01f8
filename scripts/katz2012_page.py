"""Write the tables and sentences of ``docs/papers/katz2012.md`` from the records in ``docs/records/katz2012/``.

``python scripts/katz2012_page.py [--check]`` in the project's environment; ``--check`` only says whether the page is up
to date. What stands between ``<!-- NAME -->`` and ``<!-- end -->`` is written; the rest of the page is left alone.

``records.csv`` is what ``wekaconf replicate katz2012 --runs 10`` writes, ``readings.csv`` what
``scripts/katz2012_readings.py`` writes.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from wekaconf.replication.cells import Figure, published_cells, text_of
from wekaconf.replication.katz2012.figure import draw
from wekaconf.replication.katz2012.measured import GROUPS, MORE, Measured, groups, printed
from wekaconf.replication.katz2012.measuring import BASE, FOREST, TIES, VARIANTS
from wekaconf.replication.katz2012.study import STUDY, results
from wekaconf.replication.katz2012.tables import TESTS, tests

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "papers" / "katz2012.md"
RECORDS = ROOT / "docs" / "records" / "katz2012"
REGION = re.compile(r"(<!-- (?!end)([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)
HALF, ZERO = TIES.values()


def read(name: str) -> list[dict[str, Any]]:
    """The lines of a file of records, numbers as numbers, nothing as None."""
    with (RECORDS / name).open(encoding="utf-8", newline="") as file:
        return [{key: _value(text) for key, text in row.items()} for row in csv.DictReader(file)]


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None


def page(text: str) -> str:
    """The page with its regions written anew."""
    measured, readings = Measured(read("records.csv")), read("readings.csv")
    return REGION.sub(lambda found: found[1] + "\n".join(_region(found[2], measured, readings)) + "\n" + found[3], text)


def _region(name: str, measured: Measured, readings: list[dict[str, Any]]) -> Iterator[str]:
    if name.startswith("findings"):
        part = name.removeprefix("findings ").removeprefix("findings")
        found = results(list(measured.records), list(STUDY.parts), measured.sets(), STUDY.readings[0]).findings
        yield from (f"* {finding.text}" for finding in found if finding.part == part)
        return
    tables: dict[str, Callable[[], Iterator[str]]] = {
        "gains": lambda: _gains(measured),
        "weighted gains": lambda: _weighted(measured),
        "forest": lambda: _forest(measured),
        "data sets": lambda: _data_sets(measured),
        "table 2": lambda: _table_2(measured),
        "table 3": lambda: _table_3(measured),
        "figure 6": lambda: _figure_6(measured),
        "trends": lambda: _trends(measured),
        "readings": lambda: _readings(readings),
        "affected by reading": lambda: _affected(readings),
    }
    yield from tables[name]()


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _signed(number: float, digits: int = 1) -> str:
    text = f"{number:+z.{digits}f}".replace("-", "−")
    return text.lstrip("+") if not text.strip("+0.") else text


def _number(number: float, digits: int) -> str:
    return f"{number:z.{digits}f}".replace("-", "−")


def _short(name: str) -> str:
    return "yeast" if name.startswith("yeast") else name


def _gains(measured: Measured) -> Iterator[str]:
    head = ["set"]
    for variant in VARIANTS:
        head += [f"{variant}: paper", "½", "0", "acc."]
    rows = [[_short(name), *_gain_cells(measured, [name])] for name in measured.sets()]
    for group in GROUPS:
        rows.append([f"**mean, {group}**", *_gain_cells(measured, measured.sets(group))])
    yield from _table(head, rows)


def _gain_cells(measured: Measured, names: Sequence[str]) -> list[str]:
    cells = []
    for variant in VARIANTS:
        cells.append(_signed(fmean(printed("table 1")[name, variant] for name in names)))
        cells += [_signed(fmean(measured.gains(name, variant, "auc" + ties).mean() for name in names))
                  for ties in (HALF, ZERO)]  # fmt: skip
        change = [
            measured.figures(name, variant, "percent_correct") - measured.figures(name, BASE, "percent_correct")
            for name in names
        ]
        cells.append(_signed(fmean(each.mean() for each in change)))
    return cells


def _weighted(measured: Measured) -> Iterator[str]:
    head = ["set"]
    for variant in VARIANTS:
        head += [f"{variant}: paper", "½", "0"]
    rows = []
    for name in measured.sets(MORE):
        row = [name]
        for variant in VARIANTS:
            row.append(_signed(printed("table 1")[name, f"{variant}, weighted"]))
            row += [_signed(measured.gains(name, variant, "auc_weighted" + ties).mean()) for ties in (HALF, ZERO)]
        rows.append(row)
    yield from _table(head, rows)


def _forest(measured: Measured) -> Iterator[str]:
    rows = [
        [_short(name), _signed(printed("table 1")[name, FOREST])]
        + [_signed(measured.gains(name, FOREST, "auc" + ties).mean()) for ties in (HALF, ZERO)]
        for name in measured.sets()
    ]
    yield from _table(["set", "paper", "½", "0"], rows)


def _data_sets(measured: Measured) -> Iterator[str]:
    found = results(list(measured.records), ["table 1"], measured.sets(), STUDY.readings[0]).cells
    columns = ("classes", "numeric attributes", "instances", "imbalance")
    differs = [cell for cell in found if cell.published.column in columns and cell.verdict != "match"]
    rows = [
        [
            _short(cell.published.row),
            cell.published.column,
            *(_text(each) for each in (cell.published.value, cell.ours)),
        ]
        for cell in differs
        if cell.ours is not None
    ]
    n = sum(cell.published.column in columns and cell.ours is not None for cell in found)
    yield f"Of {n} figures on the data sets {n - len(rows)} are those of our files. The others:"
    yield ""
    yield from _table(["set", "figure", "paper", "ours"], rows)


def _text(figure: Figure | None) -> str:
    return text_of(figure, 0)


def _table_2(measured: Measured) -> Iterator[str]:
    head = ["row", *(f"{test}: paper" if i == 0 else test for i, test in enumerate(TESTS))]
    head += [f"{test}, {count}" for count in ("½", "0") for test in TESTS]
    of_readings = [tests(measured, reading) for reading in TIES]
    rows = []
    for row in of_readings[0]:
        paper = [_number(printed("table 2")[row, test], 3) for test in TESTS]
        rows.append([row, *paper, *(_number(figure, 3) for ours in of_readings for figure in ours[row])])
    yield from _table(head, rows)


def _table_3(measured: Measured) -> Iterator[str]:
    head = ["set"]
    for variant in VARIANTS:
        head += [f"{variant}: paper", "ours"]
    rows = []
    for name in measured.sets():
        row = [_short(name)]
        for variant in VARIANTS:
            ours = measured.figures(name, variant, "percent_affected").mean()
            row += [_number(printed("table 3")[name, variant], 1), _number(ours, 1)]
        rows.append(row)
    yield from _table(head, rows)


def _figure_6(measured: Measured) -> Iterator[str]:
    rows = []
    for group in GROUPS:
        names = measured.sets_by_size(group)
        for variant in VARIANTS:
            for count, ties in (("½", HALF), ("0", ZERO)):
                gains = [measured.gains_by_size(name, variant, "auc" + ties) for name in names]
                cells = [_signed(fmean(of_size)) for of_size in zip(*gains, strict=True)]
                rows.append([f"{variant}, {group} ({len(names)}), tie {count}", *cells])
    yield from _table(["mean gain in AUC, %", *(f"{size} %" for size in measured.sizes)], rows)


def _trends(measured: Measured) -> Iterator[str]:
    of_readings = [
        {cell.published.row: cell.ours for cell in results(
            list(measured.records), ["figure 6"], list(groups()), reading).cells if cell.published.column == "trend"}
        for reading in TIES
    ]  # fmt: skip
    rows = [
        [_short(cell.row), str(cell.value), *(_text(ours.get(cell.row)) for ours in of_readings)]
        for cell in published_cells("katz2012")
        if cell.column == "trend"
    ]
    yield from _table(["gain as the training set grows", "paper", "½", "0"], rows)


def _readings(readings: list[dict[str, Any]]) -> Iterator[str]:
    """What was tried on ionosphere and spambase, as gains over J48 with the same options."""
    rows = []
    for name in ("ionosphere", "spambase"):
        lines = [line for line in readings if line["dataset"] == name]
        base = {line["options"]: line for line in lines if line["method"] == "leaf_frequency"}
        for line in lines:
            if line["method"] != "leaf_frequency":
                own = base[line["options"]]
                rows.append([
                    name, f"`{' '.join(filter(None, ('J48', line['options'])))}`", f"`{line['method']}`",
                    *(_signed(100 * (line[area] / own[area] - 1)) for area in ("auc", "auc_no_ties")),
                    _signed(line["percent_correct"] - own["percent_correct"]), _number(line["percent_affected"], 1),
                ])  # fmt: skip
    yield from _table(["set", "tree", "method", "gain, ½", "gain, 0", "acc.", "affected, %"], rows)


def _affected(readings: list[dict[str, Any]]) -> Iterator[str]:
    """Mean absolute difference to Table III of each reading on J48's default tree."""
    gaps: dict[str, list[float]] = {}
    for line in readings:
        if line["options"] is None and line["method"] != "leaf_frequency":
            variant = line["method"].partition("variant=")[2].partition(",")[0].upper()
            gaps.setdefault(line["method"], []).append(
                abs(line["percent_affected"] - printed("table 3")[line["dataset"], variant])
            )
    n = len(next(iter(gaps.values())))
    rows = [[f"`{method}`", _number(fmean(each), 1)] for method, each in gaps.items()]
    yield from _table(["method", f"mean absolute difference to Table III over {n} sets, points"], rows)


if __name__ == "__main__":
    before = PAGE.read_text(encoding="utf-8")
    after = page(before)
    if "--check" in sys.argv:
        sys.exit("docs/papers/katz2012.md is not what the records say" if after != before else 0)
    PAGE.write_text(after, encoding="utf-8")
    draw(RECORDS / "figure-6.svg", Measured(read("records.csv")))
