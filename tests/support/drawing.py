"""A plugin of pytest that runs a drawn part of the cases of a test, another one for each commit.

A test of more than `ENOUGH` cases runs as many, and more where it takes more to have each value of each parameter
in one of them. A parameter called `seed` is left out of that: its values are repetitions. Of a test marked
``drawn(n)``, whose cases are dear and much alike, n run, whatever their values. A test marked ``one_commit_in(n)``,
which takes some seconds and sees what few commits change, runs at one commit in n, and so does each of its cases. Which
tests and cases these are depends on the seed of the draw and on the name of the test, and on nothing else. One that the
command line names in full runs, whatever is drawn.

A fault rarely shows in one cell of a grid alone. A test that takes more than some three seconds is marked
``one_commit_in(3)``: a fault that only it sees is found two commits later on average. Tests of what a method answers,
and of what Weka reads or writes, are never marked so.
"""

import hashlib
import subprocess
from collections import defaultdict

import pytest

ENOUGH = 12
REPETITION = "seed"
NO_COMMIT = "no-commit"
"""The seed where there is no repository, as beside an installed wheel."""

not_drawn = pytest.StashKey[int]()


def pytest_addoption(parser):
    group = parser.getgroup("drawing", "which cases of a test run")
    group.addoption("--all", action="store_true", help="run all cases of every test, not a drawn part")
    group.addoption("--seed", metavar="HASH", help="seed of the draw instead of the commit's hash")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    config.option.seed = config.option.seed or commit(config.rootpath) or NO_COMMIT
    config.stash[not_drawn] = 0
    config.addinivalue_line("markers", "drawn(n): of the cases of this test n run, unless --all is given")
    config.addinivalue_line("markers", "one_commit_in(n): this test runs at one commit in n, unless --all is given")


def commit(folder):
    """The hash of the commit that a folder holds; empty without git or a repository of its own."""
    if not (folder / ".git").exists():
        return ""
    try:
        asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return asked.stdout.strip()


def pytest_report_header(config):
    return f"cases: {'all' if config.option.all else f'drawn with --seed={config.option.seed}; --all runs all of them'}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    if config.option.all:
        return
    seed, named = config.option.seed, named_tests(config)
    cases = defaultdict(list)
    for item in items:
        if hasattr(item, "callspec"):
            cases[name_of_test(item)].append(item)
    left_out = {item for of_one_test in cases.values() for item in set(of_one_test) - drawn(of_one_test, seed)}
    left_out |= {item for item in items if not is_its_turn(item, seed)}
    left_out = {item for item in left_out if (item.path, item.nodeid.partition("::")[2]) not in named}
    config.stash[not_drawn] = len(left_out)
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Each process of pytest-xdist draws the same."""
    node.config.stash[not_drawn] = node.workeroutput.get("not_drawn", 0)


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["not_drawn"] = session.config.stash[not_drawn]


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and config.stash[not_drawn]:
        n_left_out, seed = config.stash[not_drawn], config.option.seed
        reporter.write_line(f"Not drawn by --seed={seed}: {n_left_out}; --all runs them.")


def name_of_test(item):
    """The name of the test that an item is a case of."""
    return item.nodeid.removesuffix(f"[{item.callspec.id}]")


def named_tests(config):
    """File and name of each test and case that the command line names in full."""
    halves = (argument.partition("::") for argument in config.args if "::" in argument)
    return {((config.invocation_params.dir / file).resolve(), name) for file, _, name in halves}


def drawn(cases, seed):
    """Those of the cases of one test that run, if it is their turn."""
    left = sorted(cases, key=lambda item: place_in_the_draw(item, seed))
    if (mark := cases[0].get_closest_marker("drawn")) is not None:
        return set(left[: mark.args[0]])
    values = {item: values_of(item) for item in cases}
    lacking = set().union(*values.values())
    chosen = set()
    while left and (lacking or len(chosen) < ENOUGH):
        best = max(left, key=lambda item: len(values[item] & lacking))  # the first of several
        left.remove(best)
        chosen.add(best)
        lacking -= values[best]
    return chosen


def is_its_turn(item, seed):
    mark = item.get_closest_marker("one_commit_in")
    return mark is None or int.from_bytes(place_in_the_draw(item, seed), "big") % mark.args[0] == 0


def place_in_the_draw(item, seed):
    return hashlib.sha256(f"{seed} {item.nodeid}".encode()).digest()


def values_of(item):
    """The values that a case gives to its parameters, each with the parameter's name, comparable by ==."""
    return {
        (name, type(value), value if is_hashable(value) else repr(value))
        for name, value in item.callspec.params.items()
        if name != REPETITION
    }


def is_hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True
