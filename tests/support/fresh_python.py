"""A Python of its own, with a folder of its own for caches."""

import os
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "wekaconf"
IRIS = PACKAGE.parent / "arff" / "iris.arff"


def environment(*paths, cache=None, **changes):
    """That of this process, with another folder for caches if one is given."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*paths, PACKAGE.parent]))}
    if cache is not None:
        env["XDG_CACHE_HOME"] = str(cache)
        env.pop("NUMBA_CACHE_DIR", None)
    return env | changes


def python(code, *paths, cache=None, **changes):
    """What a fresh Python prints, and says on standard error."""
    command, env = [sys.executable, "-P", "-c", code], environment(*paths, cache=cache, **changes)
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def finished(code, *arguments, cwd=None, timeout=300, **changes):
    """A fresh Python with the path of this one, run to a good end; variables given as None are removed."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | changes
    env = {name: value for name, value in env.items() if value is not None}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr
    return done


def child(code, *arguments, **how):
    """What such a Python prints."""
    return finished(code, *arguments, **how).stdout
