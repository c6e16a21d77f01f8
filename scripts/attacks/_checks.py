"""What must be so after a command was troubled, and after the same command was run again without trouble."""

from __future__ import annotations

import re
import signal
from collections.abc import Collection, Iterator
from pathlib import Path

from attacks._commands import Command, Left, faults_in, is_failure, left_in, undisturbed
from attacks._running import Running

USUAL = re.compile(
    r"interrupted; nothing half-written is left"
    r"|(what is finished is|nothing is finished yet) in \S+; run the same command again to go on"
    r"|note: .*"
)
"""What a command may say although it does not say so when nothing happens."""
ERROR = re.compile(
    r"(error|failed|left out): .*"
    r"|unknown: .*"
    r"|Exception( in thread \"[^\"]*\"|:) java\.lang\.OutOfMemoryError.*"
)
"""What a command may say that fails; the last two are JPype's and Java's own words on a Java without memory."""


def faults_after(
    running: Running, command: Command, folder: Path, known: Left, codes: Collection[int], *,
    may_stay: re.Pattern[str] | None = None, is_heard: bool = True, may_litter: bool = False,
) -> Iterator[str]:  # fmt: skip
    """What is wrong after a command has ended.

    Parameters
    ----------
    running : Running
    command : Command
    folder : Path
    known : Left
        What was there before it.
    codes : collection of int
        The exit codes that are right. With 0 everything must be there.
    may_stay : pattern, optional
        The names of the files that it may leave beside its own.
    is_heard : bool
        Whether what it says is checked.
    may_litter : bool
        Whether temporary files and shared memory may stay.
    """
    if left := running.left():
        yield f"processes are left: {'; '.join(left)}"
        return
    expected, now = undisturbed(command), left_in(folder, running)
    if running.code not in codes:
        yield f"ends with {running.code} and says {running.err[-1000:]!r}"
    now.files = {
        name: content
        for name, content in now.files.items()
        if name in expected.files or not (known.files.get(name) == content or (may_stay and may_stay.fullmatch(name)))
    }
    if running.code == -signal.SIGKILL and expected.out.startswith(now.out):
        now.out = ""
    if running.code == 1 and "left out: " in running.err:
        now.files = {name: expected.files.get(name, content) for name, content in now.files.items()}
    if running.code not in (0, 1) and now.out not in ("", expected.out):
        yield f"prints a part: {now.out[-300:]!r}"
    yield from faults_in(now, expected, is_finished=running.code == 0)
    for row in (known.rows - now.rows).elements():
        if not is_failure(row):
            yield f"the store has lost {' '.join(row)[:300]}"
    if is_heard:
        yield from _odd_words(running, expected)
    if not may_litter and (litter := running.litter()):
        yield f"leaves {', '.join(litter)}"


def _odd_words(running: Running, expected: Left) -> Iterator[str]:
    """What is said that is neither usual, nor a note, nor an error in one line."""
    usual = expected.err.splitlines()
    for line in running.err.splitlines():
        is_right = not line or line in usual or USUAL.fullmatch(line) or (running.code == 1 and ERROR.fullmatch(line))
        if not is_right:
            yield f"says {line!r} in {running.err[-1000:]!r}"
            return
    if running.code == 1 and "error: " not in running.err:
        yield "does not say why"


def faults_at_the_end(
    running: Running, command: Command, folder: Path, known: Left, codes: Collection[int]
) -> Iterator[str]:
    """Wait for the end of a command: that it does not come, and `faults_after`."""
    if running.wait() is None:
        yield f"hangs, and says {running.err[-1000:]!r}"
    yield from faults_after(running, command, folder, known, codes)


def ends_well(command: Command, folder: Path, known: Left, more: str = "") -> Iterator[str]:
    """Run the command to its end: it does what is missing and nothing else, and all is as if nothing had happened."""
    with command.start(folder, more) as running:
        for fault in faults_at_the_end(running, command, folder, known, {0}):
            yield f"afterwards: {fault}"
