"""``wekaconf self``: the installation."""

from __future__ import annotations

from wekaconf.cli.about import about_command
from wekaconf.cli.command import group
from wekaconf.cli.compile import compile_command


@group("self", about_command, compile_command, examples=["wekaconf self about"])
def self_command() -> None:
    """Print what is installed, or compile it now."""
