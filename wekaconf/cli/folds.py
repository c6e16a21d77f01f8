"""``wekaconf folds``."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import click

from wekaconf.bridge import folds
from wekaconf.cli.common import NamedFile, check_output, class_option, common, name_of, progress_bar
from wekaconf.data.arff import load_arff
from wekaconf.files import atomic_write
from wekaconf.report.csv_files import write_rows


@click.command("folds")
@click.argument("data", type=click.Path())
@click.option("-x", "--folds", "k", default=10, show_default=True, type=click.IntRange(2), help="Number of folds.")
@click.option("-s", "--seed", default=1, show_default=True, help="Of Weka's shuffle.")
@click.option("-o", "--output", type=NamedFile(".csv"), callback=check_output,
              help="A CSV file; left out: standard output.")  # fmt: skip
@class_option
@common
def folds_command(data: str, k: int, seed: int, output: str | None, class_attribute: str) -> None:
    """Write Weka's own cross-validation folds.

    One row an instance and set, in Weka's order: fold, set (train or test), position in the set, and instance, all
    counted from 1.
    """
    with progress_bar(name_of(data)):
        found = folds(load_arff(data, class_attribute=class_attribute), k, seed)
    with atomic_write(output, "w") if output else nullcontext(sys.stdout) as file:
        write_rows(file, [["fold", "set", "position", "instance"]])
        for fold, parts in enumerate(found, 1):
            for name, rows in zip(("train", "test"), parts, strict=True):
                write_rows(file, ((fold, name, position, row + 1) for position, row in enumerate(rows.tolist(), 1)))
