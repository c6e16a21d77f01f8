"""A line of JSON per run, for whoever lets a command run every night."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import click

from wekaconf.cli.console import ExitCode
from wekaconf.cli.interruption import received_signal
from wekaconf.cli.wording import error_text, usage_error_text
from wekaconf.report.printing import strict


@contextmanager
def log_run(path: str | None, **files: str | None) -> Iterator[dict[str, Any]]:
    """Append a line about the block to a file, also if it fails; None: write nothing.

    Parameters
    ----------
    path : str, optional
        The file, which earlier runs may have begun.
    **files : str, optional
        What the run reads, by what it is. The line has the name of each, and the SHA-256 of its bytes; null for a
        stream.

    Yields
    ------
    dict
        For what else the line is to hold.
    """
    found: dict[str, Any] = {}
    if path is None:
        yield found
        return
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    given = {kind: name for kind, name in files.items() if name is not None}
    digests = {f"{kind}_sha256": _digest(name) for kind, name in given.items()}
    started, code, error = time.perf_counter(), int(ExitCode.DONE), None
    try:
        yield found
    except click.exceptions.Exit as ended:
        code = ended.exit_code
        raise
    except click.UsageError as refused:
        code, error = refused.exit_code, usage_error_text(refused)
        raise
    except KeyboardInterrupt:
        code, error = 128 + received_signal(), "interrupted"
        raise
    except BaseException as failed:
        code, error = int(ExitCode.ERROR), error_text(failed) or type(failed).__name__
        raise
    finally:
        line = {
            "time": begun,
            "wekaconf": version("wekaconf"),
            **given,
            **digests,
            **found,
            "seconds": round(time.perf_counter() - started, 3),
            "exit_code": code,
            "error": error,
        }
        with open(path, "a", encoding="utf-8") as file:  # a line is written whole, so that runs may share a file
            file.write(json.dumps(strict(line), ensure_ascii=False, allow_nan=False) + "\n")


def _digest(path: str) -> str | None:
    """The SHA-256 of a file; None where there is none that can be read twice."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
