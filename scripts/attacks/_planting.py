"""Plants a fault in a copy of the project and runs tests there, in a process that begins with all libraries loaded."""

from __future__ import annotations

import bisect
import gc
import importlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from attacks._covering import ROOT, CoveringTest, by_case

SECONDS = 50.0
"""Seconds of a processor that the tests of one fault may take; mypy, which the suite runs too, gets some ten more."""
LONGEST = 4 * SECONDS
"""Seconds by the clock that they may take, which matters where they wait, or where processors are scarce."""
COMPILING = 180.0
"""Seconds that compiling a changed kernel may take, which are none of the tests'."""
NAMES_KERNELS = "wekaconf.tree.compiling import"
"""What stands in every file after whose content the folder of compiled kernels is named."""
BATCH = 3.0
"""Seconds of the tests that run first, in a process that reads their files alone; the next runs twice as many."""
MEMORY = 6 * 2**30
"""Bytes that they may take, beside what they share with the process that plants faults."""
LARGE = 2**30
"""Bytes of a process of which it is asked how much it shares with others."""
FIRST = 4
"""Tests of each file at least that run before the others: a fault is seldom seen by one test of a file alone."""
START = 0.5
"""Seconds that the first test of a file takes more than was recorded, for imports and what tests share."""
LONGER, AT_LEAST = 10, 10
"""A test or set-up that takes so many times what was recorded, and so many seconds more, fails: it would not end."""
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
        if self._mypy_refuses():
            raise RuntimeError(f"mypy finds fault with the last commit: see {self.tree}")
        sys.dont_write_bytecode = False  # else every process compiles the package, and pytest the files of tests
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # whose other threads burn what the tests may take
        for name in LIBRARIES:
            importlib.import_module(name)
        gc.freeze()

    def verdict(self, module: str, source: str, tests: list[CoveringTest], options: list[str]) -> Verdict:
        """Run tests, the shortest first, while the module has this source."""
        path = self.tree / module
        original = path.read_bytes()
        self._write(path, source.encode())
        try:
            if NAMES_KERNELS in source:
                self._compile()
            began = time.monotonic()
            outcome, test = self._run(tests, options)
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
        folder = _folder_of_kernels(self.tree)
        for path in self._kernels.iterdir():
            with suppress(FileExistsError):
                os.link(path, folder / path.name)
        with suppress(subprocess.TimeoutExpired):
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

    def _run(self, tests: list[CoveringTest], options: list[str]) -> tuple[str, str]:
        caught, running = self._folder / "caught", self._folder / "running"
        for left_by_a_crash in (caught, running):
            left_by_a_crash.unlink(missing_ok=True)
        began, last = _spent(), time.monotonic() + LONGEST
        for batch in batches(tests):
            child = os.fork()
            if child == 0:
                _test(self.tree, self._folder, batch, options)
            code = _awaited(child, SECONDS - (_spent() - began), last)
            if code is None:
                return _undecided(running)
            if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                return "caught", caught.read_text(encoding="utf-8") if caught.exists() else ""
        return "survives", ""


def batches(tests: list[CoveringTest]) -> Iterator[list[CoveringTest]]:
    """The tests in their order, so many in a batch that they take `BATCH` seconds, and each next one twice as many."""
    batch: list[CoveringTest] = []
    seconds, most = 0.0, BATCH
    for test in tests:
        batch.append(test)
        seconds += test.seconds
        if seconds >= most:
            yield batch
            batch, seconds, most = [], 0.0, 2 * most
    if batch:
        yield batch


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


def _undecided(running: Path) -> tuple[str, str]:
    """The outcome where time is up; a test that is in Java then, or in a kernel, may have missed its own alarm."""
    if running.exists():
        last, _, test = running.read_text(encoding="utf-8").partition(" ")
        running.unlink()
        if time.monotonic() > float(last):
            return "caught", test
    return "undecided", ""


def _own_memory(process: psutil.Process) -> int:
    """Bytes; the dear count of what is not shared is for large processes alone, as one is that was forked from us."""
    resident: int = process.memory_info().rss
    return resident if resident < LARGE else process.memory_full_info().uss


class _Chosen:
    """Keeps the chosen tests, in their order, and notes the one that runs, and the one that fails or does not end."""

    def __init__(self, tests: list[CoveringTest], folder: Path) -> None:
        self._place = {test.name: place for place, test in enumerate(tests)}
        self._tests = {test.name: test for test in tests}
        self._caught, self._running = folder / "caught", folder / "running"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        with self._limited(item, max(self._tests[item.nodeid][1:])):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        with self._limited(item, self._tests[item.nodeid].seconds):
            return (yield)

    @contextmanager
    def _limited(self, item: pytest.Item, seconds: float) -> Iterator[None]:
        """Let a part of a test fail that takes much longer than this."""

        def fail(*_: object) -> None:
            raise TimeoutError(f"{item.nodeid} does not end")

        most = int(AT_LEAST + LONGER * seconds)
        self._running.write_text(f"{time.monotonic() + most} {item.nodeid}", encoding="utf-8")
        signal.signal(signal.SIGALRM, fail)
        signal.alarm(most)
        try:
            yield
        finally:
            signal.alarm(0)
            self._running.unlink()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self._place]
        items[:] = sorted(chosen, key=lambda item: self._place[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._caught.write_text(report.nodeid, encoding="utf-8")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._caught.write_text(report.nodeid, encoding="utf-8")


def in_order(tests: list[CoveringTest], share: Mapping[str, float]) -> list[CoveringTest]:
    """A few short tests of each file first, then the others, each before its other cases; what tells most for its time.

    Parameters
    ----------
    tests : list of CoveringTest
    share : mapping from str to float
        Of each test file, the part of what it runs that lies where the fault is, dimensionless.
    """
    of_file: dict[str, list[CoveringTest]] = {}
    for _, test in sorted(by_case(tests), key=lambda case: (case[0] + 1) * case[1].seconds):
        of_file.setdefault(test.file, []).append(test)
    pieces = [
        (rank, share.get(file, 0.0) / (START + sum(test.seconds for test in piece)), file, piece)
        for file, all_of_it in of_file.items()
        for rank, piece in enumerate(_pieces(all_of_it))
    ]
    pieces.sort(key=lambda entry: (entry[0], -entry[1], entry[2]))
    return [test for *_, piece in pieces for test in piece]


def _pieces(tests: list[CoveringTest]) -> tuple[list[CoveringTest], list[CoveringTest]]:
    """The tests that are run first of a file, which take no longer than its start if they are many, and the others."""
    n_brief = bisect.bisect(list(accumulate(test.seconds for test in tests)), START)
    n_first = max(FIRST, n_brief)
    return tests[:n_first], tests[n_first:]


def _test(tree: Path, folder: Path, tests: list[CoveringTest], options: list[str]) -> Any:
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
        files = list(dict.fromkeys(test.file for test in tests))
        settings = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", f"--basetemp={folder / 'tmp'}"]
        code = int(pytest.main([*settings, *options, *files], plugins=[_Chosen(tests, folder)]))
    finally:
        os._exit(code)
