"""Plants a fault in a copy of the project and runs tests there, in a process that begins with all libraries loaded."""

from __future__ import annotations

import gc
import importlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from attacks._nearest import Batch

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0
"""Seconds of a processor that the tests of one fault may take; mypy, which the suite runs too, gets some ten more."""
LONGEST = 10 * SECONDS
"""Seconds by the clock that they may take, which matters where they wait, or where processors are scarce."""
COMPILING = 180.0
"""Seconds that compiling a changed kernel may take, which are none of the tests'."""
NAMES_KERNELS = "wekaconf.tree.compiling import"
"""What stands in every file after whose content the folder of compiled kernels is named."""
MEMORY = 6 * 2**30
"""Bytes that they may take, beside what they share with the process that plants faults."""
LARGE = 2**30
"""Bytes of a process of which it is asked how much it shares with others."""
ENDS, SLOW_ENDS = 30, 120
"""A test or set-up that takes more seconds by the clock fails: it would not end; more have those marked slow."""
MYPY = "mypy"
"""The name, instead of a test's, of what caught a fault."""
LIBRARIES = (
    "arff", "click", "cloup", "hypothesis", "jinja2", "joblib", "jpype", "matplotlib.figure", "numba", "numpy",
    "pandas", "polars", "pyarrow", "rich.table", "scipy.stats", "sklearn.ensemble", "sklearn.model_selection",
)  # fmt: skip
"""What tests import, except ours."""
OURS = ("wekaconf", "support", "reference", "attacks", "attack")


class Verdict(NamedTuple):
    """What tests say of a fault: ``caught``, ``survives`` or ``undecided``, and the test that caught it."""

    outcome: str
    test: str
    seconds: float


class Copy:
    """A copy of the last commit in which faults are planted, one at a time.

    Parameters
    ----------
    folder : Path
        Its folder, which is made anew.
    """

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        self._folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        self.tree.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "x", "-C", self.tree], input=archive, check=True)
        self._n_planted = 0
        self._sound: set[str] = set()
        self._unsound: set[str] = set()
        if self._mypy_refuses():
            raise RuntimeError(f"mypy finds fault with the last commit: see {self.tree}")
        sys.dont_write_bytecode = False  # else every process compiles the package, and pytest the files of tests
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # whose other threads burn what the tests may take
        for name in LIBRARIES:
            importlib.import_module(name)
        gc.freeze()

    def verdict(self, module: str, source: str, batches: Iterable[Batch], options: list[str]) -> Verdict:
        """Run tests while the module has this source, and see that the one that fails passes without the fault."""
        path = self.tree / module
        original = path.read_bytes()
        self._write(path, source.encode())
        try:
            if NAMES_KERNELS in source:
                self._compile()
            began = time.monotonic()
            outcome, test = self._run(path, original, batches, options)
            if outcome != "caught" and self._mypy_refuses():
                outcome, test = "caught", MYPY
            return Verdict(outcome, test, round(time.monotonic() - began, 1))
        finally:
            self._write(path, original)

    def _write(self, path: Path, content: bytes) -> None:
        """Write a module with a date of its own, by which Python knows that what it compiled before is of another."""
        self._n_planted += 1
        path.write_bytes(content)
        moment = 1_000_000_000 + 2 * self._n_planted
        os.utime(path, (moment, moment))

    def _compile(self) -> None:
        """Compile the changed kernels; the others, each of which is named by its own code, are those of the project."""
        with suppress(subprocess.CalledProcessError, subprocess.TimeoutExpired):  # tests see what cannot be imported
            folder = _folder_of_kernels(self.tree)
            for path in self._kernels.iterdir():
                with suppress(FileExistsError):
                    os.link(path, folder / path.name)
            subprocess.run(
                [sys.executable, "-m", "wekaconf", "self", "compile"], cwd=self.tree, timeout=COMPILING, check=False,
                env=os.environ | {"PYTHONPATH": str(self.tree)}, capture_output=True,
            )  # fmt: skip

    @cached_property
    def _kernels(self) -> Path:
        return _folder_of_kernels(ROOT)

    def _mypy_refuses(self) -> bool:
        """Whether mypy finds fault with the package, as far as it looks at types at all."""
        if not (self.tree / "wekaconf" / "py.typed").exists():
            return False
        command = [sys.executable, "-m", "mypy", f"--cache-dir={self._folder / 'mypy'}"]
        return bool(subprocess.run(command, cwd=self.tree, capture_output=True, check=False).returncode)

    def _run(self, path: Path, original: bytes, batches: Iterable[Batch], options: list[str]) -> tuple[str, str]:
        passed: set[str] = set()
        began, last = _spent(), time.monotonic() + LONGEST
        for batch in batches:
            while True:
                ended = self._ended(batch, passed, options, SECONDS - (_spent() - began), last)
                passed |= ended.passed
                if ended.code is None:
                    return ("caught", ended.running) if ended.is_endless else ("undecided", "")
                if ended.code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                    break
                if not ended.failed or self._passes_without_fault(path, original, ended.failed, options):
                    return "caught", ended.failed or ended.running
        return "survives", ""

    def _passes_without_fault(self, path: Path, original: bytes, test: str, options: list[str]) -> bool:
        """Whether a test says something of the fault; one that fails in the copy as it is runs no more."""
        if test not in self._sound:
            faulty = path.read_bytes()
            self._write(path, original)
            ended = self._ended(Batch([test]), set(), options, LONGEST, time.monotonic() + LONGEST)
            self._write(path, faulty)
            is_sound = ended.code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
            (self._sound if is_sound else self._unsound).add(test)
        return test in self._sound

    def _ended(self, batch: Batch, passed: set[str], options: list[str], seconds: float, last: float) -> Ended:
        """Run tests in a process of their own."""
        notes = self._folder / "notes"
        notes.write_text("", encoding="utf-8")
        child = os.fork()
        if child == 0:
            _test(self.tree, self._folder, _Chosen(batch, passed | self._unsound, notes), options)
        code = _awaited(child, seconds, last)
        return Ended.from_notes(code, notes.read_text(encoding="utf-8"))


class Ended(NamedTuple):
    """What came of a process that ran tests; no code if it was ended."""

    code: int | None
    passed: set[str]
    failed: str
    running: str
    is_endless: bool

    @classmethod
    def from_notes(cls, code: int | None, notes: str) -> Ended:
        """Read what the process noted; a test that is in Java then, or in a kernel, may have missed its own alarm."""
        passed, failed, running, limit = set(), "", "", 0.0
        for line in notes.splitlines():
            what, _, name = line.partition(" ")
            if what == "passed":
                passed.add(name)
            elif what == "failed":
                failed = failed or name
            else:
                limit, running = float(what), name
        return cls(code, passed, failed, running, bool(running) and time.monotonic() > limit)


def _spent() -> float:
    """Seconds of a processor that all processes took which this one has waited for, and those that they waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _folder_of_kernels(tree: Path) -> Path:
    """Where the compiled kernels of the package in this folder are kept."""
    code = "from wekaconf.tree.compiling import place; print(place().folder)"
    environment = os.environ | {"PYTHONPATH": str(tree)}
    command = [sys.executable, "-c", code]
    return Path(
        subprocess.run(command, cwd=tree, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    )


def _awaited(child: int, seconds: float, last: float) -> int | None:
    """The exit code of a process; None if it takes more of a processor, or more memory, or has not ended at last."""
    process = psutil.Process(child)
    family: list[psutil.Process] = []
    try:
        while time.monotonic() < last:
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            with suppress(psutil.Error):
                family = [process, *process.children(recursive=True)]
                if sum(map(_own_memory, family)) > MEMORY:
                    break
                if sum(sum(each.cpu_times()[:4]) for each in family) > seconds:
                    break
            time.sleep(0.05)
        return None
    finally:
        for each in family:
            with suppress(psutil.Error):
                each.kill()
        with suppress(ChildProcessError):
            os.waitpid(child, 0)


def _own_memory(process: psutil.Process) -> int:
    """Bytes; the dear count of what is not shared is for large processes alone, as one is that was forked from us."""
    resident: int = process.memory_info().rss
    return resident if resident < LARGE else process.memory_full_info().uss


class _Chosen:
    """Keeps the tests of a batch, the nearest first, and notes which one runs, passes, fails or does not end."""

    def __init__(self, batch: Batch, left_out: set[str], notes: Path) -> None:
        self.batch = batch
        self._place = {name: place for place, name in enumerate(batch.functions)}
        self._left_out, self._notes = left_out, notes

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        with self._limited(item):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        with self._limited(item):
            return (yield)

    @contextmanager
    def _limited(self, item: pytest.Item) -> Iterator[None]:
        """Let a part of a test fail that takes much longer than any."""

        def fail(*_: object) -> None:
            raise TimeoutError(f"{item.nodeid} does not end")

        most = SLOW_ENDS if _is_slow(item) else ENDS
        self._note(str(time.monotonic() + most), item.nodeid)
        signal.signal(signal.SIGALRM, fail)
        signal.alarm(most)
        try:
            yield
        finally:
            signal.alarm(0)

    def _note(self, what: str, name: str) -> None:
        with self._notes.open("a", encoding="utf-8") as file:
            file.write(f"{what} {name}\n")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        cases: Counter[str] = Counter()
        chosen = []
        for item in items:
            function = item.nodeid.partition("[")[0]
            place = self._place.get(item.nodeid, self._place.get(function))
            is_of_others = self.batch.cases is not None and (cases[function] >= self.batch.cases or _is_slow(item))
            if place is not None and item.nodeid not in self._left_out and not is_of_others:
                chosen.append((_is_slow(item), cases[function], place, item))
                cases[function] += 1
        items[:] = [item for *_, item in sorted(chosen, key=lambda entry: entry[:3])]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._note("failed", report.nodeid)
        elif report.passed and report.when == "call":
            self._note("passed", report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._note("failed", report.nodeid)


def _is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None


def _test(tree: Path, folder: Path, chosen: _Chosen, options: list[str]) -> Any:
    """Run tests in this process, which ends."""
    code = 3
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        log = os.open(folder / "pytest.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for number in (1, 2):
            os.dup2(log, number)
        for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
            del sys.modules[name]
        os.chdir(tree)
        paths = [str(tree / each) for each in ("tests", "scripts", "")]
        sys.path[:] = paths + [path for path in sys.path if not path.startswith(str(ROOT)) or "site-packages" in path]
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
        shutil.rmtree(folder / "tmp", ignore_errors=True)
        settings = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", f"--basetemp={folder / 'tmp'}"]
        code = int(pytest.main([*settings, *options, *chosen.batch.files], plugins=[chosen]))
    finally:
        os._exit(code)
