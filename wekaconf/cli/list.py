"""``wekaconf list``: what there is to choose from."""

from __future__ import annotations

from wekaconf.cli.command import group
from wekaconf.cli.data import data_command
from wekaconf.cli.learners import learners_command
from wekaconf.cli.methods import methods_command


@group("list", data_command, methods_command, learners_command, examples=["wekaconf list methods confdtree"])
def list_command() -> None:
    """List methods, learners or public data sets, or describe one."""
