"""``wekaconf serve``, which our classifiers in Weka start; help does not list it."""

from __future__ import annotations

import click

from wekaconf.in_weka.process import serve


@click.command("serve", hidden=True)
def serve_command() -> None:
    """Answer wekaconf's classifiers in Weka, which start this command, over standard input and output."""
    serve()
