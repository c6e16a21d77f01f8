"""The command line: each command parses, calls and prints."""

import os
import sys

from wekaconf.cli import interruption


def run() -> None:
    """Entry point."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - a closed stream stays closed
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    interruption.listen()
    from wekaconf.cli import commands

    commands.run()
