"""``wekaconf weka``: the package for stock Weka."""

from __future__ import annotations

import os

import click

from wekaconf.base.errors import printable
from wekaconf.cli.command import command, group
from wekaconf.cli.explorer import explorer_command
from wekaconf.cli.folds import folds_command
from wekaconf.in_weka.in_weka import install_package, read_status, uninstall_package, weka_home

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


@group(
    "weka", install_command, uninstall_command, status_command, explorer_command, folds_command,
    examples=["wekaconf weka folds iris.arff -o folds.csv"],
)  # fmt: skip
def weka_command() -> None:
    """Install the methods into a stock Weka, start its Explorer, or write its folds."""
