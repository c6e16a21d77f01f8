"""Which cases of a test are drawn, and what is said of those that were not tried: pytest on a file of tests."""

import re
import shutil
import subprocess
import sys

import pytest
from support.drawing import ENOUGH

FILE = """
import pytest
from support.needs import SETPRIV, XVFB

@pytest.mark.parametrize("seed", range(40))
def test_repeated(seed):
    pass

@pytest.mark.parametrize("case", [["a"], ["b"], *({"n": n} for n in range(18))], ids=str)
def test_of_one_parameter(case):
    pass

@pytest.mark.parametrize("method", ["m1", "m2", "m3"])
@pytest.mark.parametrize(("set", "seed"), [(f"s{i % 15}", i) for i in range(60)])
def test_of_several(method, set, seed):
    pass

@pytest.mark.parametrize("few", range(12))
def test_of_few_cases(few):
    pass

@pytest.mark.drawn(3)
@pytest.mark.parametrize("dear", range(9))
def test_of_dear_cases(dear):
    pass

def test_on_a_screen(program):
    program(XVFB)

def test_of_rights(program):
    assert program(SETPRIV)
"""
RARE = "".join(f"\n@pytest.mark.one_commit_in(3)\ndef test_rare_{i}():\n    pass\n" for i in range(30))


@pytest.fixture
def tried(tmp_path):
    """A function that runs pytest on the file, and gives which cases ran and what pytest printed."""
    (tmp_path / "test_file.py").write_text(FILE + RARE)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p support.drawing -p support.needs\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "setpriv").touch(mode=0o755)

    def tried(*options, **environment):
        command = [sys.executable, "-m", "pytest", "-rA", *options]
        environment = {"PATH": str(tmp_path / "bin"), "PYTHONPATH": ":".join(sys.path), **environment}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return set(re.findall(r"^PASSED test_file.py::(\S+.*)", done.stdout, re.MULTILINE)), done.stdout

    return tried


def cases_of(test, names):
    return {name for name in names if name.startswith(f"{test}[")}


def rare(names):
    return {name for name in names if name.startswith("test_rare_")}


def test_every_value_of_every_parameter_is_in_a_case_that_is_drawn(tried):
    ran, _ = tried("--seed=1")
    assert len(cases_of("test_repeated", ran)) == ENOUGH
    assert len(cases_of("test_of_one_parameter", ran)) == 20
    assert len(cases_of("test_of_few_cases", ran)) == 12
    assert len(cases_of("test_of_dear_cases", ran)) == 3
    of_several = {tuple(name[:-1].split("[")[1].split("-")) for name in cases_of("test_of_several", ran)}
    assert len(of_several) == 15
    assert {set for set, *_ in of_several} == {f"s{i}" for i in range(15)}
    assert {method for *_, method in of_several} == {"m1", "m2", "m3"}


def test_the_draw_follows_from_seed_and_test_alone(tried):
    first, out = tried("--seed=1")
    assert "cases: drawn with --seed=1; --all runs all of them" in out
    n_not_drawn = 199 + 30 - len(rare(first))
    assert out.splitlines()[-2] == f"Not drawn by --seed=1: {n_not_drawn}; --all runs them."
    assert tried("--seed=1", "-p", "no:cacheprovider", "-n", "2")[0] == first
    alone, _ = tried("--seed=1", "test_file.py::test_of_several")
    assert alone == cases_of("test_of_several", first)
    other, _ = tried("--seed=2")
    assert cases_of("test_repeated", other) != cases_of("test_repeated", first)
    assert rare(other) != rare(first)
    assert all(3 <= len(rare(ran)) <= 17 for ran in (first, other)), "one in three, give or take"


def test_all_cases_run_on_demand(tried):
    ran, out = tried("--all")
    assert len(ran) == 40 + 20 + 180 + 12 + 9 + 1 + 30
    assert "cases: all" in out and "Not drawn" not in out


@pytest.mark.parametrize("processes", [0, 2])
def test_a_test_or_case_that_is_named_runs(tried, processes):
    names = [*(f"test_repeated[{seed}]" for seed in range(40)), *(f"test_rare_{i}" for i in range(30))]
    ran, _ = tried("--seed=1", "-n", str(processes), *(f"test_file.py::{name}" for name in names))
    assert ran == set(names)


def test_the_seed_is_the_commit(tried, tmp_path):
    assert "drawn with --seed=no-commit;" in tried("-k", "rights")[1]
    git = ["git", "-c", "user.name=n", "-c", "user.email=e"]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tmp_path, check=True, capture_output=True, text=True)
    (tmp_path / "bin" / "git").symlink_to(shutil.which("git"))
    assert f"drawn with --seed={asked.stdout.strip()};" in tried("-k", "rights")[1]


def test_what_a_machine_lacks_is_said_last_or_is_a_failure(tried):
    ran, out = tried("--all")
    assert out.splitlines()[-1] == (
        "Tests not tried for want of Xvfb: 1; python3 scripts/test.py --install, as root on Debian, installs it."
    )
    assert "test_of_rights" in ran
    for options, environment in ((["--no-lack"], {}), ([], {"CI": "true"})):
        _, out = tried("--all", *options, **environment)
        assert "FAILED test_file.py::test_on_a_screen" in out and "1 failed" in out
        assert "Xvfb is missing: python3 scripts/test.py --install, as root on Debian, installs it" in out
