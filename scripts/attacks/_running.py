"""wekaconf in a process of its own that can be watched from outside, with all that descends from it. Linux only."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

START: Sequence[str] = (sys.executable, "-m", "wekaconf")
STOPPING = Path(__file__).with_name("_stopping")
SOON = 5.0
"""Seconds in which all processes must have ended where nothing else is going on."""
HANGS = 120.0
"""Seconds of an undisturbed run that no run may exceed."""
MARK = "WEKACONF_ATTACK"
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as a shell starts what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Running:
    """A command that has been started; whatever is left of it ends where its ``with`` block does.

    Parameters
    ----------
    words : sequence of str
        What follows ``wekaconf``.
    folder : Path
        Its current folder.
    aside : str
        The name of a folder beside it, for what the command prints, and in ``tmp`` for its temporary files.
    start : sequence of str, optional
        `START`, if left out.
    environment : str
        Further variables; ``ATTACK_STOP_AT`` is explained in _stopping/sitecustomize.py.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        *,
        aside: str = "aside",
        start: Sequence[str] | None = None,
        **environment: str,
    ) -> None:
        self.temporary = folder.parent / aside / "tmp"
        self.temporary.mkdir(parents=True, exist_ok=True)
        self._said = [folder.parent / aside / name for name in ("stdout", "stderr")]
        self._mark = f"{MARK}={os.urandom(8).hex()}"
        python_path = os.pathsep.join(filter(None, (str(STOPPING), os.environ.get("PYTHONPATH"))))
        own = {MARK: self._mark.partition("=")[2], "PYTHONPATH": python_path, "TMPDIR": str(self.temporary)}
        usual = {"WEKACONF_JAVA_OPTIONS": QUICK_JAVA, **os.environ}
        self._began, self._born = time.monotonic(), time.time()
        with self._said[0].open("wb") as out, self._said[1].open("wb") as err:
            self._process = subprocess.Popen(
                [*(START if start is None else start), *words], cwd=folder, env=usual | own | environment,
                stdin=subprocess.DEVNULL, stdout=out, stderr=err, process_group=0,
            )  # fmt: skip
        self.pid = self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Kill what is left, and forget temporary files."""
        for pid in self.family():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        shutil.rmtree(self.temporary, ignore_errors=True)

    # -- what it has said --

    @property
    def out(self) -> str:
        return self._said[0].read_text(errors="replace")

    @property
    def err(self) -> str:
        return self._said[1].read_text(errors="replace")

    @property
    def code(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self._process.poll()

    # -- who there is --

    def family(self) -> list[int]:
        """The living processes that descend from it, and itself."""
        mark = self._mark.encode()
        return [int(path.name) for path in Path("/proc").glob("[0-9]*") if mark in _read(path / "environ").split(b"\0")]

    def workers(self) -> list[int]:
        """Those of its children that joblib has started to work."""
        return [pid for pid in self.family() if b"LokyProcess" in _read(Path(f"/proc/{pid}/cmdline"))]

    def trackers(self) -> list[int]:
        """Those of its children that tidy up after workers."""
        return [pid for pid in self.family() if b"resource_tracker" in _read(Path(f"/proc/{pid}/cmdline"))]

    def hears(self) -> bool:
        """Whether it has begun to answer to signals; Python itself answers to SIGINT alone."""
        status = _read(Path(f"/proc/{self.pid}/status")).decode()
        caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")), "0")
        return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)

    # -- moments --

    def wait_for_stop(self) -> bool:
        """Wait until it stops itself; False if it ends before."""
        return self.wait_until(lambda: _state(self.pid) == "T") and self.code is None

    def wait_until(self, what: Callable[[], Any], seconds: float = HANGS) -> bool:
        """Wait until something is so; False if the process ends before, or too much time passes."""
        end = time.monotonic() + seconds
        while not what():
            if self.code is not None or time.monotonic() > end:
                return bool(what())
            time.sleep(0.003)
        return True

    def send(self, number: int, *, to_group: bool = False) -> None:
        """Send a signal, also to a process that has stopped."""
        with suppress(ProcessLookupError):
            (os.killpg if to_group else os.kill)(self.pid, number)
            if number != signal.SIGKILL:
                os.kill(self.pid, signal.SIGCONT)

    # -- the end --

    def wait(self) -> int | None:
        """The exit code; None if it hangs."""
        try:
            return self._process.wait(HANGS)
        except subprocess.TimeoutExpired:
            return None

    def left(self) -> list[str]:
        """The command lines of processes that are still there after `SOON`, or longer where processors are scarce."""
        began = time.monotonic()
        while living := self.family():
            if time.monotonic() - began > SOON * (1 + _pressure() / 10):
                return [_read(Path(f"/proc/{pid}/cmdline")).replace(b"\0", b" ").decode()[:200] for pid in living]
            self._process.poll()
            time.sleep(0.03)
        self.wait()
        return []

    def seconds(self) -> float:
        """Since it was started."""
        return time.monotonic() - self._began

    def litter(self) -> list[str]:
        """Temporary files and shared memory that it has left."""
        named = (path for path in Path("/dev/shm").iterdir() if re.search(rf"[-_]{self.pid}[-_]", path.name))
        shared = (
            path for path in named if path.stat().st_mtime >= self._born - 1
        )  # older ones: of another such number
        return sorted(map(str, (*self.temporary.rglob("*"), *shared)))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ProcessLookupError):
        return b""


def _state(pid: int) -> str:
    return _read(Path(f"/proc/{pid}/stat")).decode(errors="replace").rpartition(")")[2].strip()[:1]


def _pressure() -> float:
    """Per cent of the last ten seconds in which some process of the machine has waited for a processor."""
    found = re.search(rb"avg10=([\d.]+)", _read(Path("/proc/pressure/cpu")))
    return float(found[1]) if found else 0.0
