"""Which tests run a line of the package: recorded once per test file by coverage's contexts, and kept in results/."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from difflib import SequenceMatcher
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from coverage import CoverageData

from attacks._recorder import SHARED

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "results" / "mutants" / "coverage"
NO_TESTS_OF_CODE = {"tests/test_habits.py"}
"""They look at the source, not at what it does: a linter would not like most faults."""
PROCESSES = 2
FEW = 50
"""A line that more tests run tells nothing about which of them looks at it."""
MOST_NEW = 0.1
"""A test file is recorded anew if its record knows nothing of this part of the modules."""
LONGEST = 1800
"""Seconds that recording one test file may take."""
SETTINGS = """
[run]
source = {source}
data_file = {folder}/coverage
context = ${{PYTEST_CURRENT_TEST-}}
parallel = true
disable_warnings = no-data-collected, module-not-measured, couldnt-parse
"""


class CoveringTest(NamedTuple):
    """A test, by pytest's name of it, and the seconds that it takes.

    The test that comes first makes what its file shares, so its set-up may take as long as the file's longest test.
    """

    name: str
    seconds: float
    set_up: float = 0.0

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]

    @property
    def function(self) -> str:
        """Its name without its parameters."""
        return self.name.partition("[")[0]


def by_case(tests: Iterable[CoveringTest]) -> Iterator[tuple[int, CoveringTest]]:
    """The tests, the shortest first, each after the number of those before that have the same function."""
    seen: Counter[str] = Counter()
    for test in sorted(tests, key=lambda test: (test.seconds, test.name)):
        yield seen[test.function], test
        seen[test.function] += 1


class Place(NamedTuple):
    """A line of a module."""

    module: str
    line: int


class Recorded:
    """What was recorded of one test file.

    Parameters
    ----------
    folder : Path
        Where the record lies.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.tree = Path((folder / "tree.txt").read_text(encoding="utf-8"))
        self.seconds: dict[str, float] = json.loads((folder / "times.json").read_text(encoding="utf-8"))

    @cached_property
    def _data(self) -> CoverageData:
        data = CoverageData(str(self._folder / "coverage"))
        data.read()
        return data

    @cache  # noqa: B019 - lives as long as the process
    def tests_by_line(self, module: str) -> dict[int, set[str]]:
        """The names of the tests that run each line of a module, as it was when they were recorded."""
        found: dict[int, set[str]] = {}
        for line, contexts in self._data.contexts_by_lineno(str(self.tree / module)).items():
            names = {_test_name(context) for context in contexts}
            found[line] = set(self.seconds) if SHARED in names else names & self.seconds.keys()
        return found

    @cached_property
    def n_lines(self) -> dict[str, int]:
        """How many lines of each module the tests run."""
        names = self._data.measured_files()
        return {Path(name).relative_to(self.tree).as_posix(): len(self._data.lines(name) or ()) for name in names}

    def share(self, module: str) -> float:
        """The part of all lines that the tests run which lie in a module, those of its neighbours counting a tenth."""
        folder = Path(module).parent
        near = sum(n for name, n in self.n_lines.items() if Path(name).parent == folder)
        return (self.n_lines.get(module, 0) + near / 10) / max(sum(self.n_lines.values()), 1)

    def source(self, module: str) -> list[str]:
        """The lines of a module as it was when they were recorded; none if there was no such module."""
        path = self._folder / "sources" / module
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _test_name(context: str) -> str:
    """The test of a context; that of a process which a test started ends with the test's phase."""
    name, _, phase = context.rpartition(" (")
    if phase == "call)":
        return name
    return context if "::" in context and not phase.endswith(")") else SHARED


class Covering:
    """The tests that run a part of the package.

    Parameters
    ----------
    tree : Path
        A copy of the project, whose tests are recorded as far as they have changed since they were last.
    """

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        files = [
            path for path in sorted((tree / "tests").rglob("test_*.py")) if _name(tree, path) not in NO_TESTS_OF_CODE
        ]
        with ThreadPoolExecutor(PROCESSES) as pool:
            self._recorded = list(filter(None, pool.map(lambda path: recorded(tree, path), files)))

    def of_places(self, places: Iterable[Place]) -> list[CoveringTest]:
        """The tests that run one of these lines."""
        return self._chosen(
            record.tests_by_line(place.module).get(line, set())
            for place in places
            for record in self._recorded
            for line in self._then(record, place.module, {place.line})
        )

    def rarest(self, places: Iterable[Place]) -> list[CoveringTest]:
        """The tests that run those of these lines which few tests run, first the one with most of them to itself."""
        score: dict[str, float] = {}
        for place in places:
            tests = self.of_places([place])
            for test in tests if len(tests) <= FEW else ():
                score[test.name] = score.get(test.name, 0.0) + 1 / len(tests)
        ranked = sorted(score, key=lambda name: (-score[name], self._seconds[name]))
        return [self._test(name) for name in ranked]

    def readers(self, name: str) -> list[Place]:
        """The lines that read this name, of a constant or of a compiled function, whose own lines nobody counts."""
        names = {name}
        while wider := {use.function for use in self._uses if use.is_compiled and use.names & names} - names:
            names |= wider
        return [
            Place(use.module, line)
            for use in self._uses
            if not use.is_compiled and use.names & names
            for line in use.lines
        ]

    def shares(self, module: str) -> dict[str, float]:
        """Of each test file, the part of what it runs that lies in a module."""
        return {file: record.share(module) for record in self._recorded for file in set(map(_file, record.seconds))}

    def all_of(self, files: set[str]) -> list[CoveringTest]:
        """All tests of these files."""
        return self._chosen(set(record.seconds) for record in self._recorded if set(map(_file, record.seconds)) & files)

    def _chosen(self, names: Iterable[set[str]]) -> list[CoveringTest]:
        return [self._test(name) for name in sorted(set().union(*names))]

    def _test(self, name: str) -> CoveringTest:
        return CoveringTest(name, self._seconds[name], self._longest[_file(name)])

    @cached_property
    def _longest(self) -> dict[str, float]:
        """The seconds of the longest test of each file."""
        return {
            file: max(record.seconds.values()) for record in self._recorded for file in set(map(_file, record.seconds))
        }

    @cached_property
    def _seconds(self) -> dict[str, float]:
        return {name: seconds for record in self._recorded for name, seconds in record.seconds.items()}

    @cached_property
    def _sources(self) -> dict[str, str]:
        return {_name(self._tree, path): path.read_text("utf-8") for path in (self._tree / "wekaconf").rglob("*.py")}

    @cached_property
    def _uses(self) -> list[_Use]:
        return [use for module, text in self._sources.items() for use in _uses(module, text)]

    @cache  # noqa: B019 - lives as long as the process
    def _opcodes(self, record: Recorded, module: str) -> list[tuple[str, int, int, int, int]]:
        """What has become of the lines of a module since a test file was recorded."""
        now, before = self._sources[module].splitlines(), record.source(module)
        return SequenceMatcher(None, now, before, False).get_opcodes()

    def _then(self, record: Recorded, module: str, lines: set[int]) -> Iterator[int]:
        """Where these lines stood when a test file was recorded; a line that is new stands for those around it."""
        for tag, first, after, first_before, after_before in self._opcodes(record, module):
            for line in lines & set(range(first + 1, after + 1)):
                if tag == "equal":
                    yield line - first + first_before
                else:
                    yield from range(first_before, after_before + 2)


class _Use(NamedTuple):
    """A line of a function, or a compiled function, and the names that stand in it."""

    module: str
    function: str
    is_compiled: bool
    lines: set[int]
    names: set[str]


def _uses(module: str, text: str) -> Iterator[_Use]:
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        names: dict[int, set[str]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Name | ast.Attribute):
                names.setdefault(node.lineno, set()).add(node.id if isinstance(node, ast.Name) else node.attr)
        if is_compiled(function):
            yield _Use(module, function.name, True, set(), set().union(*names.values()))
        else:
            yield from (_Use(module, function.name, False, {line}, found) for line, found in names.items())


def is_compiled(function: ast.FunctionDef) -> bool:
    """Whether numba compiles a function."""
    return any(isinstance(each, ast.Name) and each.id in ("jit", "inlined") for each in function.decorator_list)


def kernels(text: str) -> set[str]:
    """The names of the compiled functions of a module."""
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    return {function.name for function in functions if is_compiled(function)}


def recorded(tree: Path, path: Path) -> Recorded | None:
    """The record of a test file, made if there is none; None if none of its tests passes."""
    name = _name(tree, path)
    digest = hashlib.sha256(name.encode() + path.read_bytes()).hexdigest()[:20]
    folder = RECORDS / f"{path.stem}-{digest}"
    if not _is_recorded(tree, folder):
        being_made = folder.with_name(f"{folder.name}.{os.getpid()}")
        _record(tree, name, being_made)
        if not _is_recorded(tree, folder):  # else another process has recorded the same, and may read it by now
            shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):
                being_made.rename(folder)
        shutil.rmtree(being_made, ignore_errors=True)
    return Recorded(folder) if (folder / "coverage").exists() else None


def _is_recorded(tree: Path, folder: Path) -> bool:
    """Whether there is the record of a test file, since which few modules have come, or have got other names."""
    if not (folder / "times.json").exists():
        return False
    now = _modules(tree)
    return sum(not (folder / "sources" / module).exists() for module in now) <= MOST_NEW * len(now)


@cache
def _modules(tree: Path) -> list[str]:
    return [_name(tree, path) for path in (tree / "wekaconf").rglob("*.py")]


def _record(tree: Path, name: str, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    settings = folder / "recording.ini"
    settings.write_text(SETTINGS.format(source=tree / "wekaconf", folder=folder), encoding="utf-8")
    paths = [tree, tree / "scripts", tree / "tests"]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "COVERAGE_PROCESS_START": str(settings),
        "RECORD_FOLDER": str(folder),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "attacks._recorder", "-p", "no:cacheprovider", "--all", name]
    print(f"recording {name}", file=sys.stderr, flush=True)
    with open(folder / "pytest.log", "w", encoding="utf-8") as log, suppress(subprocess.TimeoutExpired):
        subprocess.run(command, cwd=tree, env=environment, stdout=log, stderr=log, timeout=LONGEST, check=False)
    if any(folder.glob("coverage.*.*")):  # by the folder: a process that has just ended may take its part away
        subprocess.run(
            [sys.executable, "-m", "coverage", "combine", "-q", f"--rcfile={settings}", folder], check=True, cwd=folder
        )
    times = folder / "times.json"
    if not times.exists():  # it took too long
        times.write_text("{}", encoding="utf-8")
    shutil.copytree(tree / "wekaconf", folder / "sources" / "wekaconf", ignore=lambda _, names: _not_python(names))
    (folder / "tree.txt").write_text(str(tree), encoding="utf-8")


def _not_python(names: list[str]) -> set[str]:
    return {name for name in names if name == "__pycache__" or ("." in name and not name.endswith(".py"))}


def _file(test: str) -> str:
    return test.partition("::")[0]


def _name(tree: Path, path: Path) -> str:
    return path.relative_to(tree).as_posix()
