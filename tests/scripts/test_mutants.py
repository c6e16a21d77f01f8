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

import libcst
import pytest
from attacks import mutants
from attacks._covering import CoveringTest
from attacks._faults_of_source import MODULE, fault, fault_again, places
from attacks._planting import BATCH, FIRST, _undecided, batches, in_order
from attacks._wording import Wording

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


def test_the_same_seed_is_the_same_fault(module):
    chosen = [fault(module, 3, random.Random(5).choice) for _ in range(2)]
    assert chosen[0] == chosen[1]
    assert libcst.parse_module(chosen[0].source).code == chosen[0].source


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
    assert "wekaconf/bridge/jpype_carrier.py" in drawn_from
    assert not any(name.startswith(left_out) for name in drawn_from)


def test_a_few_short_tests_of_each_file_come_first():
    files = ["tests/a.py", "tests/b.py"]
    tests = [
        CoveringTest(f"{file}::{n}", seconds * n)
        for file, seconds in zip(files, (2.0, 0.1), strict=True)
        for n in range(9)
    ]
    for share, first in [({}, "ab"), ({"tests/a.py": 0.5, "tests/b.py": 0.5}, "ba"), ({"tests/a.py": 0.5}, "ab")]:
        ordered = in_order(tests, share)
        assert sorted(ordered) == sorted(tests)
        assert [test.file for test in ordered[: 2 * FIRST]] == [
            f"tests/{file}.py" for file in first for _ in range(FIRST)
        ]
        assert ordered[:FIRST] == sorted(ordered[:FIRST], key=lambda test: test.seconds)


def test_each_function_comes_before_its_other_cases():
    cases = [CoveringTest(f"tests/a.py::test_{name}[{n}]", 0.1 * n) for name in "uv" for n in range(3)]
    assert [test.function[-1] + test.name[-2] for test in in_order(cases, {})] == ["u0", "v0", "u1", "v1", "u2", "v2"]


def test_what_comes_first_takes_its_share_of_the_time_at_most():
    tests = [CoveringTest(f"tests/a.py::{n}", seconds) for n, seconds in enumerate([6.0, 5.0, 3.0, *[0.01] * 30])]
    chosen = mutants.affordable(tests)
    assert chosen[:3] == [tests[0], tests[2], tests[3]] and len(chosen) == mutants.FIRST


def test_of_a_long_statement_the_changed_lines_count(module):
    table = "TABLE = (\n" + "".join(f"    {n},\n" for n in range(20)) + ")\n"
    assert mutants.changed_lines(table, table.replace(" 3,", " 4,")) == ["    3,"]
    assert mutants.changed_lines(table, "TABLE = None\n") == table.splitlines()
    assert mutants.changed_lines("a\nb\nb\nc", "a\nb\nc") == ["b"]


def test_tests_that_speak_of_a_fault_are_found_by_their_words(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_pages.py").write_text(
        "def test_axis():\n    assert page()\n\n"
        "class TestCosts:\n    @pytest.mark.parametrize('seven', [1, 7])\n"
        "    def test_limit(self):\n        assert RejectCosts(limit=3).is_large\n\n"
        "def test_name():\n    assert page().name\n"
    )
    names = ["test_axis", "TestCosts::test_limit[2]", "TestCosts::test_limit[1]", "test_name"]
    tests = [CoveringTest(f"tests/test_pages.py::{name}", seconds) for seconds, name in enumerate(names, 1)]
    wording = Wording(tmp_path)
    assert wording.closest(["reject_costs LIMIT > 3"], tests) == [tests[1]], "the shortest case of the one that says so"
    brief = [CoveringTest(test.name, test.seconds / 10) for test in tests]
    assert wording.closest(["reject_costs LIMIT > 3"], brief) == [brief[1], brief[2]]
    assert wording.closest(["page.name"], tests)[0] == tests[3]
    assert wording.closest(["nothing alike"], tests) == []
    assert wording.closest(["page", "axis"], tests)[0] == tests[0], "the texts count together"
    assert wording.closest(["seven 7"], tests) == [tests[1]], "cases are a part of a test"


@pytest.mark.parametrize(("late", "verdict"), [(1.0, ("caught", "tests/test_a.py::test")), (-60.0, ("undecided", ""))])
def test_a_test_that_could_not_hear_its_alarm_has_not_ended_either(tmp_path, late, verdict):
    """As in Java, or in a compiled kernel."""
    running = tmp_path / "running"
    running.write_text(f"{time.monotonic() - late} tests/test_a.py::test")
    assert _undecided(running) == verdict
    assert _undecided(running) == ("undecided", "")


SHARED = """
import time
import pytest

@pytest.fixture(scope="module")
def shared():
    time.sleep(1.5)

def test_first(shared):
    pass

def test_call():
    time.sleep({call})
"""
CHOSEN = """
import sys
from pathlib import Path
import pytest
from attacks import _planting
from attacks._covering import CoveringTest

_planting.AT_LEAST = _planting.LONGER = 1
tests = [CoveringTest(f"test_shared.py::test_{name}", 0.0, float(sys.argv[1])) for name in ("first", "call")]
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider"], plugins=[_planting._Chosen(tests, Path())]))
"""


@pytest.mark.parametrize(("set_up", "call", "caught"), [(2, 0, ""), (0, 0, "first"), (2, 1.5, "call")])
def test_what_a_file_shares_takes_its_own_time(tmp_path, set_up, call, caught):
    """It is made in the set-up of the test that comes first."""
    (tmp_path / "test_shared.py").write_text(SHARED.format(call=call))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    env = os.environ | {"PYTHONPATH": str(SCRIPTS), "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-c", CHOSEN, str(set_up)]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert done.returncode == bool(caught), done.stdout
    if caught:
        assert (tmp_path / "caught").read_text() == f"test_shared.py::test_{caught}"
    assert not (tmp_path / "running").exists()


def test_a_process_runs_more_tests_than_the_one_before():
    tests = [CoveringTest(f"tests/a.py::{n}", 1.0) for n in range(20)]
    lengths = [len(batch) for batch in batches(tests)]
    assert [test for batch in batches(tests) for test in batch] == tests
    assert lengths == [BATCH, 2 * BATCH, 4 * BATCH - 1]
    assert list(batches([])) == []


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


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_a_fault_that_is_called_equivalent_is_no_survivor(project):
    done = attacked(project, "--seed", 1, "--draws", 25)
    listed = project / "docs" / "records" / "mutants-equivalent.csv"
    row = ("wekaconf/held.py", "held", "> LARGEST", ">= LARGEST", 0, "the largest value is answered either way")
    with listed.open("w", newline="") as file:
        csv.writer(file).writerows([("module", "function", "before", "after", "nth", "reason"), row])
    again = attacked(project, "--seed", 1, "--draws", 25)
    assert "> LARGEST" in done.stdout
    assert "> LARGEST" not in again.stdout
    assert re.search(r"^  equivalent: \d \(held \d\)$", again.stdout, re.MULTILINE)
