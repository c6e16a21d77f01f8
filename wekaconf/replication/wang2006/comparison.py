"""Prints the measured figures of Wang and Zhang 2006 beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from statistics import fmean
from typing import Any

from wekaconf.replication.wang2006.tables import COLUMNS, TREES, Column
from wekaconf.report.printing import Block, Names, print_blocks, print_text

Record = Mapping[str, Any]


def print_tables(records: Sequence[Record], n_sets: int) -> None:
    """Print the results of `replicate` to standard output: both tables beside the published ones, and the means.

    Parameters
    ----------
    records : sequence of mappings
        Records of at least one data set.
    n_sets : int
        Number of data sets that were to be measured.
    """
    first, n_run = records[0], len({record["dataset"] for record in records})
    last_seed = first["seed"] + first["runs"] - 1
    seeds = f"seeds {first['seed']} to {last_seed}" if first["runs"] > 1 else f"seed {last_seed}"
    print_text(
        f"Wang and Zhang 2006, Tables 3 and 4: AUC in percent ({first['metric']}, mean over the folds); "
        f"{n_run} of {n_sets} data sets."
    )
    print_text(
        f"{first['protocol']}, {seeds}; preprocessing wang2006, fitted on the whole set; trees of Weka "
        f"{first['versions']['weka']}."
    )
    print_text(
        "The table reading compares the class of the test instances in the columns W and C: it is for replication "
        "only, and the published W and C are met only so."
    )
    for table in TREES:
        _print_comparison([r for r in records if r["table"] == table and r["reading"] == "table"], table)
    _print_means(records)


def _print_comparison(records: Sequence[Record], table: int) -> None:
    """Print one line per data set: ours, published, difference."""
    columns = [column for column in COLUMNS if column.table == table and column.reading == "table"]
    by_set = [list(of_set) for _, of_set in groupby(records, lambda record: record["dataset"])]
    two_class = [of_set for of_set in by_set if of_set[0]["n_classes"] == 2]
    blocks = []
    for title, part, form in (
        (f"Table {table}, ours (table reading)", "measured", ".2f"),
        ("published", "published", ".2f"),
        ("difference", "difference", "+z.2f"),
    ):
        body = [[f"{record[part]:{form}}" for record in of_set] for of_set in by_set]
        last = [[_mean([of_set[i][part] for of_set in by_set], form) for i in range(len(columns))]]
        for chosen, keys in ((by_set, {column.key for column in columns}), (two_class, {"L"})):
            sizes = [_mean([abs(of_set[i]["difference"]) for of_set in chosen], ".3f") for i in range(len(columns))]
            shown = keys if part == "difference" else set()
            last.append([size if column.key in shown else "" for size, column in zip(sizes, columns, strict=True)])
        blocks.append(Block.of_rows(title, [column.name for column in columns], body, last))
    names = [of_set[0]["dataset"] for of_set in by_set]
    print_blocks(Names.of_no_group(names, ["mean", "mean |difference|", "  two-class sets"]), blocks)


def _print_means(records: Sequence[Record]) -> None:
    """Print means over the data sets, of every reading and of the published figures."""
    figures: dict[tuple[int, str, str], list[float]] = {}
    for record in records:
        place = record["table"], record["column"]
        figures.setdefault((*place, record["reading"]), []).append(record["measured"])
        if record["reading"] == "table":
            figures.setdefault((*place, "published"), []).append(record["published"])
    readings = ("published", "table", "text", "honest")
    names: list[str] = []
    blocks = []
    for table, tree in TREES.items():
        columns = {column.name: column for column in COLUMNS if column.table == table}
        body = [[_mean(figures.get((table, name, reading), [])) for reading in readings] for name in columns]
        blocks.append(Block.of_rows(f"Means, Table {table} ({tree})", readings, body))
        names = [_label(column) for column in columns.values()]
    print_blocks(Names.of_no_group(names), blocks)


def _label(column: Column) -> str:
    if not column.key:
        return f"control: {column.method}"
    name = column.method.partition(":")[0]
    return f"{column.key}: {name}" + (f" of {column.learner}" if column.learner == "Bagging" else "")


def _mean(numbers: Sequence[float], form: str = ".2f") -> str:
    return f"{fmean(numbers):{form}}" if numbers else ""
