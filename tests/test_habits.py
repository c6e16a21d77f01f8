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
USED = ("export", "report", "tables", "polars", "dask", "study")
"""Extras whose packages the code imports."""
SCRIPTS = Path(sys.executable).parent

COME_WITH_THE_WRAPPER = {"jpype", "javabridge"}  # whichever of the two python-weka-wrapper3 stands on


@pytest.mark.parametrize(
    "command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["lint-imports"]], ids=" ".join
)
def test_tool_finds_nothing(command):
    tool = shutil.which(command[0], path=SCRIPTS)
    assert tool, f"{command[0]} is not installed beside {sys.executable}: install the test extra"
    finished = subprocess.run([tool, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_no_check_is_true_whatever_happens():
    """Where ruff has no rule: a list that is never empty, asserted as such or behind an `and`."""
    vain = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in ("tests", "scripts")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert) and has_vain_part(node.test)
    ]
    assert vain == []


def has_vain_part(asserted):
    """Whether an expression, or a part of it between `and` and `or`, has no truth of its own."""
    if isinstance(asserted, ast.BoolOp):
        return any(map(has_vain_part, asserted.values))
    if isinstance(asserted, ast.ListComp | ast.SetComp | ast.DictComp):
        return not any(loop.ifs for loop in asserted.generators)
    always_true = (ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.Tuple, ast.List, ast.Set, ast.Dict)
    return isinstance(asserted, always_true) or (isinstance(asserted, ast.Constant) and bool(asserted.value))


@pytest.mark.parametrize(
    ("asserted", "is_vain"),
    [
        ("code == 0 and [line.startswith('a') for line in lines]", True),
        ("(x == 1, 'said')", True),
        ("(word in text for word in words)", True),
        ("code == 0 and all(line for line in lines)", False),
        ("[line for line in lines if line.startswith('a')]", False),
    ],
)
def test_what_is_true_whatever_happens(asserted, is_vain):
    assert has_vain_part(ast.parse(asserted, mode="eval").body) == is_vain


def test_each_class_of_a_room_has_a_name_of_its_own():
    """Papers know nothing of one another, so each folder of ``replication/`` counts as a room."""
    files = {}
    for path in (ROOT / "wekaconf").rglob("*.py"):
        room = path.relative_to(ROOT / "wekaconf").parts[: 2 if "replication" in path.parts else 1]
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                files.setdefault((room, node.name), []).append(path.name)
    assert len(files) > 300
    assert {name: paths for name, paths in files.items() if len(paths) > 1} == {}


def test_import_is_light_and_starts_nothing():
    heavy = ["jpype", "javabridge", "weka", "numpy", "scipy", "sklearn", "numba", "matplotlib", "pandas", "polars",
             "pyarrow"]  # fmt: skip
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
        if not declared & {normal_name(name) for name in providers.get(module, [module])}
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
