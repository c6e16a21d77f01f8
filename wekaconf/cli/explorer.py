"""``wekaconf weka explorer``."""

from __future__ import annotations

import click
import cloup

from wekaconf.bridge import explore
from wekaconf.cli import options
from wekaconf.cli.command import command
from wekaconf.cli.loading import load_as_named
from wekaconf.data.table_files import Reading


@command("explorer", "wekaconf weka explorer", "wekaconf weka explorer patients.csv --id patient")
@cloup.argument("data", required=False, type=click.Path(), help="Show this file at first: ARFF, CSV, TSV, Parquet or "
                "Excel.")  # fmt: skip
@options.class_attribute
@options.tables
def explorer_command(data: str | None, class_attribute: str, columns: Reading) -> None:
    """Start Weka's Explorer with the methods in its list, below trees: ConfDTree, Shrinkage, TPCE and the others.

    The command ends when the window is closed.
    """
    explore(None if data is None else load_as_named(data, columns, class_attribute).data)
