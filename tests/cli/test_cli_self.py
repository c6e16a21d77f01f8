"""The command line says when it compiles; ``wekaconf self compile`` does it beforehand, for all."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.command_line import COMMAND
from support.fresh_python import IRIS, environment
from support.terminals import on_a_terminal, without_escapes

from wekaconf.cli import command
from wekaconf.cli.self import _samples
from wekaconf.tree.compiling import place


@pytest.mark.jvm
@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.one_commit_in(3)
def test_command_line_says_so_with_a_bar(tmp_path):
    """Where all is compiled but what grows a tree."""
    kept = Path(place().folder)
    folder = tmp_path / "wekaconf" / kept.name
    folder.mkdir(0o700, parents=True)
    for kernel in kept.iterdir():
        if not kernel.name.startswith(("whole_tree", "grow", "best_", "_tabulate", "_score", "_choose")):
            shutil.copy(kernel, folder)
    command = [COMMAND, "evaluate", IRIS, "-x", "2", "--learner", "info_gain", "--method", "leaf_frequency"]
    env = environment(cache=tmp_path, COLUMNS="80", TERM="xterm")
    shown, code = on_a_terminal(command, env)
    shown = without_escapes(shown)
    assert code == 0
    assert shown.count("compiling, once") == 1
    bars = [int(share) for share in re.findall(r"compiling [━╸╺ ]+ +(\d+)%", shown)]
    assert len(bars) > 5 and bars == sorted(bars) and bars[0] < 50 < bars[-1]
    again = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert again.stderr == ""


@pytest.mark.parametrize(("is_quiet", "said"), [(False, "compiling, once\n"), (True, "")])
def test_the_line_is_one_for_a_call(monkeypatch, capsys, is_quiet, said):
    monkeypatch.setattr(command.Session, "quiet", is_quiet)
    with command._Compiling() as compiling:
        for done in (0, 1, 2, 0, 2):
            compiling.tell("compiling, once", done, 2)
    assert capsys.readouterr() == ("", said)


def test_the_bar_is_gone_as_soon_as_all_is_compiled():
    gone = []
    with command._Compiling() as compiling:
        compiling.callback(gone.append, "the bar")
        compiling.tell("compiling, once", 1, 2)
        assert gone == []
        compiling.tell("compiling, once", 2, 2)
        assert gone == ["the bar"]


def test_nowhere_to_compile_to():
    env = environment(cache="", HOME=str(IRIS))
    ended = subprocess.run([COMMAND, "self", "compile"], env=env, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("error: compiled code cannot be kept, so that every run compiles anew (")


def test_what_is_compiled_for():
    """Numbers, names of which some are missing, and these with other weights; one column tells most classes."""
    numbers, names, weighed = samples = [*_samples()]
    assert [(len(each), each.class_index, each.header.class_names) for each in samples] == 3 * [(
        10_000, 6, ("a", "b", "c"))]  # fmt: skip
    assert [{each.kind for each in data.attributes[:6]} for data in samples] == [{"numeric"}, {"nominal"}, {"nominal"}]
    assert [{*np.unique(data.weights)} for data in samples] == [{1.0}, {1.0}, {0.5}]
    assert {*np.unique(numbers.values[:, :6])} == {*range(50)}
    for data in (names, weighed):
        missing = np.isnan(data.values[:, :6])
        assert {*np.unique(data.values[:, :6][~missing])} == {0, 1, 2} and 0.09 < missing.mean() < 0.11
    for data in samples:
        is_known = ~np.isnan(data.values[:, 0])
        assert 0.95 < (data.values[:, 6] == data.values[:, 0] % 3)[is_known].mean() < 0.98


def test_nothing_to_compile_with():
    env = environment(NUMBA_DISABLE_JIT="1")
    command = [COMMAND, "self", "compile"]
    ended = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("error: NUMBA_DISABLE_JIT has numba compile nothing") and "unset" in ended.stderr


WITH_ALL = """
import itertools, sys, warnings
from unittest.mock import patch
import numpy as np
import wekaconf as wc
from wekaconf.cli.self import compile_command
from numba.core.dispatcher import Dispatcher

warnings.simplefilter("ignore", wc.Note)
compile_command.main([], standalone_mode=False)

def kernels():
    return {(str(kernel), str(types)) for name, module in [*sys.modules.items()] if name.startswith("wekaconf.")
            for kernel in vars(module).values() if isinstance(kernel, Dispatcher) for types in kernel.overloads}

def ask(method, data):
    rng = np.random.default_rng(1)
    for missing in (0, 0.1):
        values = data.values[rng.integers(len(data), size=4 if hasattr(method, "n_kept") else 200)].copy()
        values[rng.random(values.shape) < missing] = np.nan
        answer = method.answer(wc.Dataset(data.header, values))
        answer.certainty, answer.ranking, answer.explanation

before = kernels()
modules = [module for name, module in [*sys.modules.items()] if name.startswith("wekaconf.")]
for module in modules:
    for name in ("compiled_pays", "pays"):
        if name in vars(module):
            patch.object(module, name, lambda *_: True).start()
LEARNERS = {"J48": "-B", "REPTree": "", "CART": "nominal=one_hot", "info_gain": "", "RandomForest": "-I 2"}
BINS = {"wpe": {"numeric": "bins"}, "shrinkage_wpe": {"numeric": "bins"}}
for path, learner in itertools.product(sys.argv[1:], LEARNERS.items()):
    data = wc.load_arff(path)
    for name in wc.available_methods():
        try:
            method = wc.method(name, **BINS.get(name, {}))
            method.fit(wc.grow(data, *(method.learner or learner)), data)
            ask(method, data)
            wc.Model(method).save("model")
            ask(wc.load("model").method, data)
        except wc.OptionError:
            continue
for path, step in itertools.product(sys.argv[1:], (1, -1)):  # methods that share what follows from a tree
    data = wc.load_arff(path)
    tree = wc.grow(data)
    for name in [*wc.available_methods()][::step]:
        try:
            ask(wc.method(name, **BINS.get(name, {})).fit(tree, data), data)
        except wc.OptionError:
            continue
print(len(before), *sorted(kernels() - before), sep="\\n")
"""


@pytest.mark.jvm
@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.one_commit_in(3)
def test_what_is_compiled_beforehand_serves_all(tmp_path):
    """No method, on whatever tree, after another or out of a file, asks a kernel for other types of arguments."""
    files = [IRIS, IRIS.with_name("missing-weights.arff")]
    command = [sys.executable, "-P", "-c", WITH_ALL, *files]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    n, *others = done.stdout.splitlines()
    assert int(n) > 10 and not others
