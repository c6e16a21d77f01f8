"""``wekaconf weka``: the package for stock Weka, its Explorer and its folds."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext

import click
import cloup

from wekaconf.base.errors import printable
from wekaconf.base.files import atomic_write
from wekaconf.bridge import explore, folds
from wekaconf.cli import options
from wekaconf.cli.command import command, group, progress_bar
from wekaconf.cli.loading import load_as_named, load_data
from wekaconf.cli.values import NamedFile, check_output, whole_number
from wekaconf.data import stem
from wekaconf.data.table_files import Reading
from wekaconf.in_weka.in_weka import install_package, read_status, uninstall_package, weka_home
from wekaconf.report.tables import write_rows

home_option = click.option(
    "--home", type=click.Path(), metavar="FOLDER",
    help="Weka's folder. Left out: that of WEKA_HOME, else wekafiles in the home folder.",
)  # fmt: skip


@command("install", "wekaconf weka install")
@home_option
def install_command(home: str | None) -> None:
    """Install Weka's package wekaconf, or bring it to this version.

    Weka then lists ConfDTree and the others below trees, in Explorer, Experimenter and on its command line. They start
    the Python of this command; WEKACONF_PYTHON names another one.
    """
    installed = install_package(home)
    click.echo(
        f"wekaconf {installed.version} is installed in {printable(str(installed.home))}; start Weka again to see it"
    )


@command("uninstall", "wekaconf weka uninstall")
@home_option
def uninstall_command(home: str | None) -> None:
    """Remove Weka's package wekaconf."""
    uninstall_package(home)
    click.echo(f"removed from {printable(str(weka_home(home)))}")


@command("status", "wekaconf weka status")
@home_option
def status_command(home: str | None) -> None:
    """Print which version Weka has, and which Python answers it."""
    from wekaconf import __version__

    installed = read_status(home)
    click.echo(f"Weka's folder: {printable(str(installed.home))}")
    if not installed.version:
        click.echo("package:       not installed; 'wekaconf weka install' does that")
        return
    note = ""
    if not installed.is_whole:
        note = "; its jar is gone, 'wekaconf weka install' brings it back"
    elif installed.version != __version__:
        note = f"; 'wekaconf weka install' replaces it with {__version__}, which this is"
    click.echo(f"package:       {installed.version}{note}")
    python = os.environ.get("WEKACONF_PYTHON") or installed.python
    is_gone = bool(python) and not os.path.exists(python)
    gone = ", which is not there; run 'wekaconf weka install' with the one to use" if is_gone else ""
    click.echo(f"Python:        {printable(python) or 'the wekaconf on PATH'}{gone}")


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


@group(
    "weka", install_command, uninstall_command, status_command, explorer_command, folds_command,
    examples=["wekaconf weka folds iris.arff -o folds.csv"],
)  # fmt: skip
def weka_command() -> None:
    """Install the methods into a stock Weka, start its Explorer, or write its folds."""
