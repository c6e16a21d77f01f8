"""Style, types, borders between modules, and what an import costs: the tools' own verdicts."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
USED = ("report", "tables", "polars", "dask", "study")
"""Extras whose packages the code imports."""
SCRIPTS = Path(sys.executable).parent

COME_WITH_THE_WRAPPER = {"jpype", "javabridge"}  # whichever of the two python-weka-wrapper3 stands on


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["lint-imports"],
    ],
    ids=" ".join,
)
def test_tool_finds_nothing(command):
    tool = shutil.which(command[0], path=SCRIPTS)
    assert tool, f"{command[0]} is not installed beside {sys.executable}: install the test extra"
    finished = subprocess.run([tool, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_import_is_light_and_starts_nothing():
    heavy = ["jpype", "javabridge", "weka", "scipy", "sklearn", "numba", "matplotlib", "pandas", "polars", "pyarrow"]
    code = f"import sys, wekaconf; print(wekaconf.__file__, *[name for name in {heavy} if name in sys.modules])"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip() == str(ROOT / "wekaconf" / "__init__.py")


def test_every_import_is_a_declared_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *(line for name in USED for line in extras[name])]
    declared = {normal_name(re.match(r"[\w.-]+", line).group()) for line in lines}
    providers = packages_distributions()
    undeclared = {
        f"{path.relative_to(ROOT)}: {module}"
        for path in (ROOT / "wekaconf").rglob("*.py")
        for module in imported_modules(path)
        if not declared & {normal_name(name) for name in providers.get(module, [])}
    }
    assert undeclared == set()


def normal_name(distribution):
    return re.sub(r"[-_.]+", "-", distribution).lower()


def imported_modules(path):
    """Top-level names that a file imports anywhere in it, but for the standard library's and our own."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - {"wekaconf"} - COME_WITH_THE_WRAPPER
