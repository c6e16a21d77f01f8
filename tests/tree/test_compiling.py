"""Compiled code is kept, and is never that of other sources; each process of its own."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from support.fresh_python import IRIS, PACKAGE, environment, python

LINE = "wekaconf: compiling, once\n"


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def cache(tmp_path):
    (tmp_path / "caches").mkdir()
    return tmp_path / "caches"


# -- never stale -----------------------------------------------------------------------------------------------------

WHERE_THE_FIRST_VALUE_GOES = """
import numpy as np
from wekaconf.methods.ling_yan._compiled import sum_over_leaves
attribute, first_child, n_branches = (np.array(parts, np.int32) for parts in ([0, -1, -1], [1, -1, -1], [2, 0, 0]))
limit, equals = np.full(3, np.nan), np.array([-1.0, np.nan, np.nan])
result = np.empty((1, 2))
sum_over_leaves(
    result, np.array([[0.0]]), attribute, limit, equals, np.zeros(0, bool), first_child, n_branches,
    np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]), np.ones(3), 0.0,
)
print("left" if result[0, 0] == 1 else "right", len(sum_over_leaves.stats.cache_misses))
"""


@pytest.mark.one_commit_in(3)
def test_a_changed_kernel_changes_those_that_call_it(tmp_path, cache):
    """numba looks at a kernel's own file only; `child_of` is inside `sum_over_leaves`."""
    copy = tmp_path / "copy"
    shutil.copytree(PACKAGE, copy / "wekaconf", ignore=shutil.ignore_patterns("__pycache__"))
    shared = copy / "wekaconf" / "tree" / "compiled.py"
    ours, changed = (f"        return first_child[node] + {branch}\n" for branch in ("int(value)", "1 - int(value)"))
    assert python(WHERE_THE_FIRST_VALUE_GOES, copy, cache=cache)[0] == "left 1\n"
    replace(shared, ours, changed)
    assert python(WHERE_THE_FIRST_VALUE_GOES, copy, cache=cache)[0] == "right 1\n"
    replace(shared, changed, ours)
    assert python(WHERE_THE_FIRST_VALUE_GOES, copy, cache=cache)[0] == "left 0\n"
    assert len(list(cache.glob("wekaconf/*"))) == 2


KERNELS = """
import numpy as np
from constants import ADDED
from wekaconf.tree.compiling import jit

TABLE = np.array([1, 2, 3])

@jit
def inner(x):
    return x + sum([ADDED for _ in range(1)]) + TABLE[0]

@jit
def outer(x):
    return 10 * inner(x)
"""
TEN = """
import kernels
print(kernels.outer(1), *map(len, [kernels.outer.stats.cache_misses, kernels.outer.stats.cache_hits]))
"""


@pytest.fixture
def kernels(tmp_path):
    """A folder with two kernels and a constant that they read."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "constants.py").write_text("ADDED = 3\n")
    return folder


CHANGES = [
    ("constants.py", "ADDED = 3", "ADDED = 5", 70),
    ("kernels.py", "return x +", "return x -", -10),
    ("kernels.py", "[1, 2, 3]", "[2, 2, 3]", 60),
    ("kernels.py", "10 *", "20 *", 100),
]


@pytest.mark.one_commit_in(3)
def test_all_that_a_kernel_is_made_of_counts(kernels, cache):
    """Constants from elsewhere too, which are no source of kernels; what was there before is found again."""
    assert python(TEN, kernels, cache=cache)[0] == "50 1 0\n"
    for file, old, new, answer in CHANGES:
        replace(kernels / file, old, new)
        assert python(TEN, kernels, cache=cache)[0] == f"{answer} 1 0\n"
        replace(kernels / file, new, old)
    assert python(TEN, kernels, cache=cache)[0] == "50 0 1\n"


@pytest.mark.one_commit_in(3)
def test_settings_of_numba_count(kernels, cache):
    for misses in ("1 0", "0 1"):
        for checks in ("0", "1"):
            assert python(TEN, kernels, cache=cache, NUMBA_BOUNDSCHECK=checks)[0] == f"50 {misses}\n"


def test_kernels_read_nothing_whose_change_would_go_unnoticed():
    """Neither a module of ours, nor a class, nor what surrounds a function; and every file with kernels is a source."""
    code = """
import sys, types
import numpy as np
import wekaconf.learners.info_gain._all_queries, wekaconf.model.scheme
from importlib import import_module
from pathlib import Path
for path in Path(wekaconf.__path__[0]).rglob("*.py"):
    if "compiling import" in path.read_text() and path.stem != "compiling":
        import_module(".".join(path.relative_to(Path(wekaconf.__path__[0]).parent).with_suffix("").parts))
from numba.core.dispatcher import Dispatcher
from wekaconf.tree.compiling import CONSTANTS, _globals
n = 0
for name, module in [*sys.modules.items()]:
    for kernel in vars(module).values() if name.startswith("wekaconf.") else ():
        if isinstance(kernel, Dispatcher) and kernel.py_func.__module__ == name:
            n += 1
            if "wekaconf.tree.compiling import" not in Path(module.__file__).read_text(): print(name, "is no source")
            if kernel.py_func.__closure__: print(kernel, "has a closure")
            for word, value in _globals(kernel.py_func):
                if not isinstance(value, (*CONSTANTS, np.ndarray, Dispatcher)) and value is not np:
                    print(kernel, word, value)
print(n)
"""
    *unnoticed, n = python(code)[0].splitlines()
    assert not unnoticed and int(n) > 50


# -- kept ------------------------------------------------------------------------------------------------------------


def test_every_kernel_that_is_compiled_is_counted(kernels, cache):
    """The inner one of two, and then the outer one; nothing is told when they are loaded."""
    code = f"""
from wekaconf.tree import first_use
with first_use.announce_to(lambda words, done, total: print(words, done, total, sep="; ")):
    {"; ".join(TEN.split(chr(10))[1:-1])}
"""
    told = [f"compiling, once; {done}; 2" for done in range(3)]
    assert [python(code, kernels, cache=cache)[0].splitlines() for _ in range(2)] == [
        [*told, "50 1 0"], ["50 0 1"],
    ]  # fmt: skip


def test_it_is_said_once_and_kept_in_private(kernels, cache):
    assert python(TEN, kernels, cache=cache) == ("50 1 0\n", LINE)
    assert python(TEN, kernels, cache=cache) == ("50 0 1\n", "")
    assert {path.stat().st_mode & 0o777 for path in (cache / "wekaconf", *cache.glob("wekaconf/*"))} == {0o700}
    assert not list(kernels.rglob("*.nbi"))


@pytest.mark.parametrize("before", ["", "import sys; sys.stderr = None\n"], ids=["", "no standard error"])
def test_it_is_no_warning(kernels, cache, before):
    """One that is an error would end the answer, and nothing would be kept."""
    code = f"import warnings; warnings.simplefilter('error')\n{before}{TEN}"
    assert python(code, kernels, cache=cache) == ("50 1 0\n", "" if before else LINE)
    assert python(code, kernels, cache=cache) == ("50 0 1\n", "")


def test_numba_cache_dir_is_heeded(kernels, cache, tmp_path):
    python(TEN, kernels, cache=cache, NUMBA_CACHE_DIR=str(tmp_path / "mine"))
    assert list(tmp_path.glob("mine/wekaconf/*/outer-*")) and not list(cache.iterdir())


@pytest.mark.one_commit_in(3)
def test_a_numba_cache_dir_that_is_refused_is_told(kernels, cache, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "wekaconf").touch()
    told, said = python(TEN, kernels, cache=cache, NUMBA_CACHE_DIR=str(mine))
    [kept] = cache.glob("wekaconf/*")
    reason = f"since NUMBA_CACHE_DIR is refused ({mine}/wekaconf: is a link or a file)"
    assert (told, said) == ("50 1 0\n", f"{LINE.rstrip()}; kept in {kept}, {reason}\n")
    assert python(TEN, kernels, cache=cache, NUMBA_CACHE_DIR=str(mine)) == ("50 0 1\n", "")
    said = python(TEN, kernels, cache="", HOME=str(IRIS), NUMBA_CACHE_DIR=str(mine))[1]
    assert f"every run compiles anew ({mine}/wekaconf: is a link or a file); set NUMBA_CACHE_DIR" in said


EVERY_FORM = """
import math, warnings
from contextlib import suppress
from unittest.mock import patch
import numpy as np
from wekaconf.base.errors import OptionError
from wekaconf.cli import self as self_commands
from wekaconf.model import scheme
from wekaconf.tree import compiling, _router as router
warnings.simplefilter("ignore")

class Used(dict):
    def get(self, *_):
        return math.inf

def answers(data, tree):
    for name, method in scheme.available_methods().items():
        with suppress(OptionError):  # the method does not take such data
            answer = method().fit(tree, data).answer(data.take(slice(4)))
            yield name, np.column_stack((answer.proba, answer.certainty))

with patch.object(self_commands, "N_INSTANCES", 60):
    samples = [*self_commands._samples()][:2]
for data in samples:
    tree = scheme.grow(data, "info_gain")
    in_numpy = dict(answers(data, tree))
    with patch.object(router, "rows_so_far", Used()), patch.object(router.compiled_pays, "__defaults__", (1, "")):
        for name, answer in answers(data, tree):
            if not np.array_equal(answer, in_numpy[name]): print(name, answer, in_numpy[name])
    print(len(in_numpy) > 10)
"""


@pytest.mark.one_commit_in(3)
def test_every_compiled_form_answers_without_compiling(cache):
    assert python(EVERY_FORM, cache=cache, NUMBA_DISABLE_JIT="1")[0] == "True\nTrue\n"


@pytest.mark.one_commit_in(3)
def test_many_processes_compile_at_once(kernels, cache):
    env = environment(kernels, cache=cache)
    running = [
        subprocess.Popen([sys.executable, "-P", "-c", TEN], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(4)
    ]
    assert {process.communicate()[0].split()[0] for process in running} == {b"50"}
    assert python(TEN, kernels, cache=cache) == ("50 0 1\n", "")
    names = {path.name.partition("-")[0] for path in cache.glob("wekaconf/*/*")}
    assert names == {"inner", "outer", "used"}, "nothing half-written is left"


@pytest.mark.skipif(os.name == "nt", reason="kills a process")
@pytest.mark.one_commit_in(3)
def test_killed_while_it_compiles(tmp_path, cache):
    begun = WHERE_THE_FIRST_VALUE_GOES.partition("result = ")[0] + "print('begins', flush=True)\n"
    code = begun + WHERE_THE_FIRST_VALUE_GOES
    env = environment(cache=cache)
    running = subprocess.Popen([sys.executable, "-P", "-c", code], env=env, stdout=subprocess.PIPE)
    assert running.stdout.readline() == b"begins\n"
    while not list(cache.glob("wekaconf/*/*")):
        assert running.poll() is None
        time.sleep(0.001)
    running.kill()
    assert running.wait() == -signal.SIGKILL
    running.stdout.close()
    assert [python(WHERE_THE_FIRST_VALUE_GOES, cache=cache)[0] for _ in range(2)] == ["left 1\n", "left 0\n"]


@pytest.mark.one_commit_in(3)
def test_unreadable_code_is_compiled_anew(kernels, cache):
    """Whole, but no code: of a numba that was changed without a new version, say."""
    python(TEN, kernels, cache=cache)
    [path] = cache.glob("wekaconf/*/outer-*")
    code = f"from wekaconf.base.user_cache import keep; keep({str(path.parent)!r}, {path.name!r}, b'no code')"
    python(code, cache=cache)
    assert [python(TEN, kernels, cache=cache)[0] for _ in range(2)] == ["50 1 0\n", "50 0 1\n"]


# -- not kept --------------------------------------------------------------------------------------------------------


def test_without_a_safe_folder(kernels):
    """It is said once, with the reason and the remedy, and every answer comes."""
    for _ in range(2):
        told, said = python(TEN, kernels, cache="", HOME=str(IRIS))
        assert told == "50 1 0\n"
        assert said.count("wekaconf: ") == 1 and f"every run compiles anew ({IRIS}/.cache: Not a directory)" in said
        assert "set NUMBA_CACHE_DIR to a folder in which you alone can write" in said


@pytest.mark.one_commit_in(3)
def test_full_disk(kernels, cache):
    """Two kernels cannot be written; it is said once and nothing half-written is left."""
    code = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n{TEN}"
    told, said = python(code, kernels, cache=cache, PYTHONDONTWRITEBYTECODE="1")
    assert told == "50 1 0\n"
    assert said.startswith(f"{LINE}<string>:4: Note: ")  # the line of the user, not of ours or of numba's
    assert said.count("File too large); set NUMBA_CACHE_DIR") == said.count("Note: ") == 1
    assert not [path for path in cache.rglob("*") if path.is_file()]
    assert python(TEN, kernels, cache=cache)[0] == "50 1 0\n"
