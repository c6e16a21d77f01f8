"""scripts/attack.py mutants: faults are planted in a small project, and those that no test sees are named."""

import csv
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from attacks import mutants
from attacks._faults_of_source import MODULE, fault, fault_again, places
from attacks._nearest import Nearest
from attacks._planting import Ended

SCRIPTS = Path(__file__).parents[2] / "scripts"
SOURCE = '''"""What is held, and what is not."""

LARGEST = 10


def held(value, low=0):
    """The value, within its limits."""
    if value > LARGEST:
        return LARGEST
    if value < low:
        raise ValueError(f"{value} is too small, expected {low}")
    return value


class Untested:
    """Nobody looks."""

    width: int = 3

    def area(self, height: int | None = None) -> float:
        """Nobody knows."""
        if height is None:
            height = self.width * 2
        print("area")
        return self.width * height + 0.5
'''
TESTS = """
import subprocess
import sys
import pytest
from wekaconf.held import Untested, held

def test_held():
    assert [held(value) for value in (-1 + 1, 1, 9, 10, 11, 12)] == [0, 1, 9, 10, 10, 10]
    assert held(-3, low=-3) == -3

def test_of_another_process():
    code = "from wekaconf.held import held; held(-1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ValueError: -1 is too small, expected 0" in done.stderr

def test_that_sees_nothing():
    Untested().area()

def test_that_fails_without_a_fault():
    assert held(3) != 3

def test_that_may_not_end():
    while held(3) != 3:
        pass
"""


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "held.py"
    path.write_text(SOURCE)
    return path


def every_fault(path):
    """Each change of each place once."""
    for place, found in enumerate(places(path)[1]):
        for operator in found.operators:
            changes = []

            def choose(options, operator=operator, changes=changes):
                if operator in options:
                    return operator
                changes[:] = options
                return options[0]

            yield fault(path, place, choose)
            for nth in range(1, len(changes)):
                yield fault(
                    path,
                    place,
                    lambda options, operator=operator, nth=nth: operator if operator in options else options[nth],
                )


def test_faults_are_small_and_can_be_imported(module):
    changed = list(every_fault(module))
    for found in changed:
        compile(found.source, "held.py", "exec")
        now, before = found.source.splitlines(), SOURCE.splitlines()
        lines = {line for line, (old, new) in enumerate(zip(before, now, strict=False), 1) if old != new}
        assert min(lines) in found.lines
    assert len({(found.function, found.before, found.after, found.nth) for found in changed}) == len(changed)


def test_faults_of_every_kind_are_drawn(module):
    known = {(found.function, found.before, found.after, found.is_at_import) for found in every_fault(module)}
    assert {
        (MODULE, "10", "11", True),
        ("held", "0", "1", True),
        ("held", "> LARGEST", ">= LARGEST", False),
        ("held", "if value > LARGEST: return LARGEST", "if (value > LARGEST) and False: return LARGEST", False),
        ("held", 'raise ValueError(f"{value} is too small, expected {low}")', "pass", False),
        ("Untested.area", "self.width * height + 0.5", "(self.width * height)", False),
        ("Untested.area", "self.width * height + 0.5", "self.width * height - 0.5", False),
        ("Untested.area", 'print("area")', "pass", False),
        ("Untested", "width: int = 3", "width: int = None", True),
    } <= known
    assert not any("Nobody" in before or before == "int | None" for _, before, _, _ in known)
    assert not any("too small" in before and after != "pass" for _, before, after, _ in known if before[:5] == "raise")


def test_a_fault_is_found_again_where_its_function_stands_by_now(module, tmp_path, monkeypatch):
    moved = tmp_path / "moved.py"
    above, below = SOURCE.split("class Untested")
    moved.write_text(f"OTHER = 10.5\n\n\nclass Untested{below}{above.partition('LARGEST = 10')[2]}")
    for found in every_fault(module):
        again = fault_again(moved, found.function, found.before, found.after, found.nth)
        if found.function == MODULE:
            assert again is None
        else:
            assert again[:4] == found[:4]
            assert fault_again(moved, found.function, found.before, found.after, found.nth + 3) is None
    found = fault(module, 3, random.Random(5).choice)
    row = {"module": "wekaconf/gone.py", "function": found.function, "before": found.before, "after": found.after}
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "modules", lambda: [moved, module])
    monkeypatch.setattr(mutants, "earlier", lambda: [row | {"nth": "0"}, row | {"nth": "9"}])
    assert mutants.drawn_again(0) == ("moved.py", fault_again(moved, *(found[:4])))
    assert mutants.drawn_again(1) == ("wekaconf/gone.py", None)


def test_no_fault_is_planted_in_what_no_test_here_could_see():
    left_out = mutants.ONLY_LOOKS + mutants.RUNS_ELSEWHERE
    drawn_from = {path.relative_to(mutants.ROOT).as_posix() for path in mutants.modules()}
    assert all((mutants.ROOT / name).exists() for name in left_out)
    assert "wekaconf/bridge/_jpype_carrier.py" in drawn_from
    assert not any(name.startswith(left_out) for name in drawn_from)


@pytest.fixture
def with_tests(tmp_path):
    """Writes test files, the path and the text of each, and reads them."""

    def read(files):
        for name, text in files.items():
            path = tmp_path / "tests" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Nearest(tmp_path)

    return read


def test_tests_that_speak_of_a_fault_are_found_by_their_words(with_tests):
    nearest = with_tests(
        {
            "report/test_pages.py": "def test_axis():\n    assert page()\n\n"
            "class TestCosts:\n    @pytest.mark.parametrize('seven', [1, 7])\n"
            "    def test_limit(self):\n        assert RejectCosts(limit=3).is_large\n\n"
            "def test_name():\n    assert page().name\n"
        }
    )

    def first(*texts):
        return next(nearest.batches("wekaconf/tree/x.py", texts)).functions[0].partition("::")[2]

    assert first("reject_costs LIMIT > 3") == "TestCosts::test_limit"
    assert first("page.name") == "test_name"
    assert first("page", "axis") == "test_axis", "the texts count together"
    assert first("seven 7") == "TestCosts::test_limit", "cases are a part of a test"


OTHER = "def test_other():\n    assert other\n"
NOTES = "passed tests/test_a.py::test_before\n{} tests/test_a.py::test"


@pytest.mark.parametrize(("late", "is_endless"), [(1.0, True), (-60.0, False)])
def test_a_test_that_could_not_hear_its_alarm_has_not_ended_either(late, is_endless):
    """As in Java, or in a compiled kernel."""
    ended = Ended.from_notes(None, NOTES.format(time.monotonic() - late))
    assert ended == (None, {"tests/test_a.py::test_before"}, "", "tests/test_a.py::test", is_endless)


CASES = """
import time
import pytest

def test_far():
    pass

@pytest.mark.parametrize("case", range(3))
def test_near(case):
    assert case != {fails}

@pytest.mark.slow
def test_dear():
    pass

def test_endless():
    time.sleep(30)
"""
CHOSEN = """
import sys
from pathlib import Path
import pytest
from attacks import _planting

_planting.ENDS = 1
*functions, cases = sys.argv[1:]
batch = _planting.Batch([f"test_cases.py::test_{name}" for name in functions], int(cases) or None)
chosen = _planting._Chosen(batch, {"test_cases.py::test_far"}, Path("notes"))
sys.exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider"], plugins=[chosen]))
"""


@pytest.mark.parametrize(
    ("arguments", "fails", "passed", "failed"),
    [
        (("dear", "near", "far", 0), 7, ["near[0]", "near[1]", "near[2]", "dear"], ""),
        (("dear", "near", "far", 2), 7, ["near[0]", "near[1]"], ""),
        (("near[1]", 0), 7, ["near[1]"], ""),
        (("near", 0), 1, ["near[0]"], "near[1]"),
        (("endless", "near", 0), 7, [], "endless"),
    ],
)
@pytest.mark.one_commit_in(3)
def test_the_tests_of_a_batch_and_how_they_end(tmp_path, arguments, fails, passed, failed):
    (tmp_path / "test_cases.py").write_text(CASES.format(fails=fails))
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    env = os.environ | {"PYTHONPATH": str(SCRIPTS), "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-c", CHOSEN, *map(str, arguments)]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False)
    notes = (tmp_path / "notes").read_text()
    names = re.findall(r"^passed test_cases\.py::test_(.*)$", notes, re.MULTILINE)
    assert done.returncode == bool(failed), done.stdout
    assert names == passed
    assert Ended.from_notes(1, notes).failed == (f"test_cases.py::test_{failed}" if failed else "")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with one module and its tests, whose faults are planted once."""
    root = tmp_path_factory.mktemp("project")
    shutil.copytree(SCRIPTS, root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "wekaconf").mkdir()
    (root / "tests").mkdir()
    (root / "wekaconf" / "__init__.py").write_text("")
    (root / "wekaconf" / "held.py").write_text(SOURCE)
    (root / "tests" / "test_held.py").write_text(TESTS)
    (root / "tests" / "conftest.py").write_text(
        "def pytest_addoption(parser):\n"
        "    parser.addoption('--all', action='store_true')\n"
        "    parser.addoption('--seed')\n"
    )
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (root / ".gitignore").write_text("results/\n__pycache__/\n")
    as_author = ["-c", "user.name=n", "-c", "user.email=e@x"]
    for arguments in (["init", "-q"], ["add", "."], [*as_author, "commit", "-qm", "all"]):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root


def faults(done):
    return [line for line in done.stdout.splitlines() if line.startswith("FAULT")]


def attacked(root, *arguments):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COVERAGE"))}
    env["PYTHONPATH"] = os.pathsep.join([str(root), str(root / "scripts")])
    command = [sys.executable, "scripts/attack.py", "mutants", *map(str, arguments)]
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_faults_that_no_test_sees_are_named(project):
    done = attacked(project, "--seed", 1, "--draws", 25)
    assert done.returncode == 1, done.stderr
    survivors = re.findall(r"^FAULT survives: wekaconf/held\.py:\d+ (\S+): (.*)", done.stdout, re.MULTILINE)
    changed = {(function.partition(".")[0], change) for function, change in survivors}
    assert {change for function, change in changed if function != "Untested"} == {"> LARGEST -> >= LARGEST"}, (
        done.stdout
    )
    assert ("Untested", "self.width * height + 0.5 -> (self.width * height)") in changed
    [record] = (project / "docs" / "records" / "mutants").iterdir()
    with record.open(newline="") as file:
        records = list(csv.DictReader(file))
    assert len(records) == 25
    assert {record["test"].partition("::")[2] for record in records if record["function"] == "held"} >= {"test_held"}
    assert all(record["test"] for record in records if record["outcome"] == "caught")
    assert (project / "wekaconf" / "held.py").read_text() == SOURCE
    again = attacked(project, "--seed", 1, "--draws", 25)
    said, before = (
        [line for line in each.splitlines() if line.startswith("FAULT")] for each in (again.stdout, done.stdout)
    )
    assert said == before, "what is known is not tried again"
