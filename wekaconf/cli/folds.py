"""``wekaconf weka folds``."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import click
import cloup

from wekaconf.base.files import atomic_write
from wekaconf.bridge import folds
from wekaconf.cli import options
from wekaconf.cli.command import command, progress_bar
from wekaconf.cli.loading import load_data
from wekaconf.cli.values import NamedFile, check_output, whole_number
from wekaconf.data import stem
from wekaconf.data.table_files import Reading
from wekaconf.report.tables import write_rows


@command("folds", "wekaconf weka folds iris.arff -x 10 -s 1 -o folds.csv")
@cloup.argument("data", type=click.Path(), help="ARFF, CSV, TSV, Parquet or Excel file; - for standard input.")
@cloup.option_group("Data", options.class_attribute)
@options.tables
@cloup.option_group(
    "Protocol",
    click.option("-x", "--folds", "k", type=whole_number(2), default="10", show_default=True, metavar="N",
                 help="Number of folds."),
    click.option("-s", "--seed", type=whole_number(), default="1", show_default=True, metavar="N",
                 help="Seed of Weka's shuffle."),
)  # fmt: skip
@cloup.option_group(
    "Output",
    click.option("-o", "--output", type=NamedFile(".csv"), callback=check_output, metavar="FILE",
                 help="Write the folds to this CSV file instead of standard output."),
)  # fmt: skip
def folds_command(data: str, k: int, seed: int, output: str | None, class_attribute: str, columns: Reading) -> None:
    """Write Weka's own cross-validation folds.

    One row per instance and set, in Weka's order: fold, set (train or test), position in the set, and index of the
    instance in the file, all counted from 1.
    """
    with progress_bar(stem(data)):
        splits = folds(load_data(data, columns, class_attribute).data, k, seed)
    with atomic_write(output, "w") if output else nullcontext(sys.stdout) as file:
        write_rows(file, [["fold", "set", "position", "index"]])
        for fold, parts in enumerate(splits, 1):
            for name, rows in zip(("train", "test"), parts, strict=True):
                write_rows(file, ((fold, name, position, row + 1) for position, row in enumerate(rows.tolist(), 1)))
