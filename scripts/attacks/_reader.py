"""A process of its own that opens files from strangers, one after another, and says what became of each."""

from __future__ import annotations

import atexit
import os
import resource
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

MEMORY = "/dev/shm"
"""A folder in memory, on Linux: writing thousands of files there takes no time."""
SECONDS = 120
"""Seconds after which the process counts as hanging, if nothing else is said."""
LARGEST_MEMORY = 6 * 2**30


class Reader:
    """A process that opens one file after another; if it dies, a new one is started.

    It runs a script of this folder, which calls `answer_paths`. Its current folder, and that of its temporary files,
    is the one of the files, in which nothing else may be left.
    """

    def __init__(self, script: str | Path) -> None:
        self.script = Path(__file__).resolve().parent / script
        self.process: subprocess.Popen[str] | None = None
        atexit.register(self.end)

    @cached_property
    def folder(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None)

    def verdict(self, content: bytes, suffix: str, seconds: float = SECONDS) -> str:
        """What became of a file whose name ends so, in one word, and the reason; it hangs after so many seconds."""
        path = Path(self.folder.name) / f"stranger{suffix}"
        path.write_bytes(content)
        try:
            return self._told(path, seconds)
        finally:
            path.unlink(missing_ok=True)

    def _told(self, path: Path, seconds: float) -> str:
        if self.process is None:
            own = {
                "TMPDIR": self.folder.name,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "WEKACONF_JAVA_OPTIONS": "-XX:+UseSerialGC -Xmx512m",
            }
            self.process = subprocess.Popen(
                [sys.executable, "-P", self.script],  # -P: a module beside it may have the name of a library
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=self.folder.name, env=os.environ | own,
            )  # fmt: skip
        process = self.process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        line = process.stdout.readline() if select.select([process.stdout], [], [], seconds)[0] else "hangs\n"
        if line in ("", "hangs\n"):
            self.end()
            return line.strip() or f"dies with code {process.returncode}"
        left = sorted(set(os.listdir(self.folder.name)) - {path.name})
        for name in left:
            (Path(self.folder.name) / name).unlink()
        return f"leaves the files {', '.join(left)}" if left else line.strip()

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def answer_paths(verdict: Callable[[str], str]) -> None:
    """Read a path per line of standard input, and print one line on each."""
    for line in sys.stdin:
        print(" ".join(verdict(line.strip()).split()), flush=True)


def limit_memory() -> None:
    """Let this process have `LARGEST_MEMORY` at the most, and leave no core file when it dies."""
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST_MEMORY, LARGEST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
