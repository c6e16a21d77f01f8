"""``wekaconf self about``."""

from __future__ import annotations

import sys

import click

from wekaconf.bridge import about
from wekaconf.cli.command import command


@command("about", "wekaconf self about")
def about_command() -> None:
    """Print versions, the Java in use, and its real heap."""
    from importlib.metadata import version

    click.echo(f"wekaconf  {version('wekaconf')}")
    click.echo(f"Python    {sys.version.split()[0]} ({sys.executable})")
    click.echo(f"wrapper   python-weka-wrapper3 {version('python-weka-wrapper3')}")
    facts = about()
    click.echo(f"bridge    {facts['bridge']}")
    click.echo(f"Weka      {facts['weka']}")
    click.echo(f"Java      {facts['java']} ({facts['java_vendor']}), from {facts['java_source']}: {facts['java_home']}")
    click.echo(f"heap      {int(facts['max_heap_bytes']) // 2**20} MiB at most")
