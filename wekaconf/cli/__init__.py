"""The command line, one file per command: it parses, calls and prints."""

from wekaconf.cli import interruption, streams


def run() -> None:
    """Entry point."""
    streams.open_streams()
    interruption.listen()
    from wekaconf.cli import commands

    commands.run()
