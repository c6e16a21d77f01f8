"""Compiled code is kept in a folder of the user's own, and is never that of other sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "wekaconf"


def python(code, *paths, **environment):
    """What a fresh Python prints, with the package from ``paths``; variables given as None are removed."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*paths, PACKAGE.parent]))} | environment
    env = {name: value for name, value in env.items() if value is not None}
    done = subprocess.run([sys.executable, "-P", "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


WHERE_FIVE_GOES = """
import numpy as np
from wekaconf.methods.characteristic.compiled import distances
ints, floats, none = np.zeros(0, np.int32), np.zeros((3, 0)), np.zeros((3, 0), bool)
attribute, first_child = np.array([0, -1, -1], np.int32), np.array([1, -1, -1], np.int32)
limit, no_value = np.array([5.0, np.nan, np.nan]), np.full(3, np.nan)
distance, _ = distances(
    np.array([[5.0]]), attribute, limit, no_value, np.zeros(0, bool), first_child, np.arange(3, dtype=np.int32),
    ints, floats, floats, ints, floats, floats, ints, ints, none, np.array([False, False, True]),
)
print("left" if distance[0] == 0 else "right")
"""


@pytest.fixture
def copy(tmp_path):
    """The package, to be changed."""
    shutil.copytree(PACKAGE, tmp_path / "wekaconf", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "wekaconf"


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_changed_kernel_changes_those_that_call_it(copy, tmp_path):
    """numba looks at a kernel's own file only; `walk`, which asks `child_of`, is inside `distances`."""
    own = {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": None}
    assert python(WHERE_FIVE_GOES, tmp_path, **own) == "left\n"
    shared = copy / "tree" / "compiled.py"
    replace(shared, "0 if value <= limit[node] else 1", "0 if value < limit[node] else 1")
    assert python(WHERE_FIVE_GOES, tmp_path, **own) == "right\n"
    replace(shared, "0 if value < limit[node] else 1", "0 if value <= limit[node] else 1")
    assert python(WHERE_FIVE_GOES, tmp_path, **own) == "left\n"
