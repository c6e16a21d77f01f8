"""Small faults in the package, planted one at a time in a copy of the last commit: some test should fail.

A fault survives if no test fails within a minute of the processor: first those whose words are most like the fault's,
then the files of its room and those that import its module. A test that fails is run without the fault, too, and counts
if it passes there. The fault of a seed is the same for the same commit, and every attempt is recorded in
``docs/records/mutants/``, from which a run that was interrupted goes on. docs/maintaining/testing.md has the results.

With ``--again RECORD`` the faults are those of an earlier record, from seed 0 on, wherever their functions stand by
now: what was caught before a change of the structure is to be caught after it.
"""

from __future__ import annotations

import ast
import csv
import gzip
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from difflib import ndiff
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from attacks import FAULTS_AGAIN, WHOLE_GRID, Tried
from attacks._faults_of_source import Fault, fault, fault_again, places
from attacks._nearest import Nearest
from attacks._planting import ROOT, Copy, Verdict

RESULTS = ROOT / "results" / "mutants"
ATTEMPTS = ROOT / "docs" / "records" / "mutants"
EQUIVALENT = ROOT / "docs" / "records" / "mutants-equivalent.csv"
ONLY_LOOKS = (
    "wekaconf/base/plot_style.py",
    "wekaconf/report/pictures/",
    "wekaconf/report/comparison/_diagram.py",
)
"""What draws, and computes nothing: whether a line is a little longer is for eyes to see."""
RUNS_ELSEWHERE = ("wekaconf/bridge/_javabridge_carrier.py",)
"""What no test runs in the environment of the suite: ``scripts/javabridge.py``, which `.ci/run --all` calls, runs it in
an environment of its own."""
FIELDS = ("seed", "module", "line", "function", "before", "after", "nth", "outcome", "test", "seconds")
"""What a record says of an attempt; its file is called after the commit."""
LONGEST_STATEMENT = 10
"""Lines of a statement of which the whole tells what a fault in it is about; of longer ones the changed lines do."""


def first_seed() -> int:
    """A seed that follows from the last commit, so that nobody has seen its faults before; or the first of a record."""
    return 0 if FAULTS_AGAIN in os.environ else int(commit()[:8], 16)


@cache
def commit() -> str:
    """The hash of the last commit."""
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def draw(seed: int, tried: Tried) -> Iterator[str]:
    """Plant the fault of this seed."""
    module, found = drawn_again(seed) if FAULTS_AGAIN in os.environ else drawn(seed)
    if found is None:
        tried["gone", room(module)] += 1
        return
    told = attempts().get(seed)
    if told is None:
        facts = _facts(seed, module, found)
        is_known = key(facts) in equivalent()
        verdict = Verdict("equivalent", "", 0.0) if is_known else _verdict(module, found)
        told = facts | verdict._asdict()
        _enter(told)
    outcome = "equivalent" if told["outcome"] != "caught" and key(told) in equivalent() else told["outcome"]
    tried[outcome, room(module)] += 1
    if outcome not in ("caught", "equivalent"):
        yield f"{outcome}: {module}:{found.lines[0]} {found.function}: {found.before} -> {found.after}"


def _enter(told: dict[str, Any]) -> None:
    """Add an attempt to its record, to which another process may add, too."""
    record().parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), record().open("x", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerow(FIELDS)
    with record().open("a", newline="", encoding="utf-8") as file:
        csv.DictWriter(file, FIELDS, lineterminator="\n").writerow(told)


def record() -> Path:
    """The file with all attempts at this commit."""
    again = os.environ.get(FAULTS_AGAIN, "")
    of = f"-again-{Path(again).name.partition('.')[0]}" if again else ""
    return ATTEMPTS / f"{commit()[:12]}{of}{'-all' if os.environ.get(WHOLE_GRID) else ''}.csv"


@cache
def attempts() -> dict[int, dict[str, Any]]:
    """What became of the faults that were planted at this commit before this run, by seed."""
    if not record().exists():
        return {}
    with record().open(newline="", encoding="utf-8") as file:
        return {int(told["seed"]): told for told in csv.DictReader(file)}


def drawn(seed: int) -> tuple[str, Fault]:
    """The module and the fault of a seed; long modules are drawn more often."""
    rng = Random(seed)
    while True:
        [path] = rng.choices(list(modules()), modules().values())
        n_places = len(places(path)[1])
        if n_places:
            return path.relative_to(ROOT).as_posix(), fault(path, rng.randrange(n_places), rng.choice)


def drawn_again(seed: int) -> tuple[str, Fault | None]:
    """The module and the fault of a row of an earlier record; no fault if its function has gone or has changed."""
    told = earlier()[seed]
    here = ROOT / told["module"]
    begins = re.compile(rf"^ *(def|class) {told['function'].rpartition('.')[2]}\b", re.MULTILINE)
    for path in sorted(modules(), key=lambda path: path != here):
        if path != here and not begins.search(path.read_text(encoding="utf-8")):
            continue
        found = fault_again(path, told["function"], told["before"], told["after"], int(told["nth"]))
        if found is not None:
            return path.relative_to(ROOT).as_posix(), found
    return told["module"], None


@cache
def earlier() -> list[dict[str, str]]:
    """The attempts of the record whose faults are planted again."""
    path = os.environ[FAULTS_AGAIN]
    with gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


@cache
def modules() -> dict[Path, int]:
    """Every module in which faults are planted, and its length."""
    paths = sorted((ROOT / "wekaconf").rglob("*.py"))
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    left_out = ONLY_LOOKS + RUNS_ELSEWHERE
    return {
        path: length for path, length in lengths.items() if not path.relative_to(ROOT).as_posix().startswith(left_out)
    }


def room(module: str) -> str:
    """The part of the package that holds a module."""
    return module.split("/")[1].removesuffix(".py")


def _verdict(module: str, found: Fault) -> Verdict:
    batches = nearest().batches(module, _texts(module, found))
    return copy().verdict(
        module, found.source, batches, ["--all"] if os.environ.get(WHOLE_GRID) else [f"--seed={commit()}"]
    )


def _texts(module: str, found: Fault) -> tuple[str, str]:
    """What a test would say that looks at the fault: of the statement or the lines that change, and of what is around.

    Around a constant are the functions of its module that read it.
    """
    text = (ROOT / module).read_text(encoding="utf-8")
    lines = text.splitlines()
    is_short = len(found.lines) <= LONGEST_STATEMENT
    changed = lines[found.lines[0] - 1 : found.lines[-1]] if is_short else changed_lines(text, found.source)
    around = _lines_around(module, found)
    function = [*lines[around[0] - 1 : around[-1]], *_readers(text, _constant(text, found.lines))]
    name = module.removesuffix(".py")
    return (
        "\n".join([name, found.function, found.before, found.after, *changed]),
        "\n".join([name, *function]),
    )


def _readers(text: str, constant: str) -> Iterator[str]:
    """The source of each function of a module in which this name stands; none of an empty name."""
    for node in ast.walk(ast.parse(text)) if constant else ():
        if isinstance(node, ast.FunctionDef):
            source = ast.get_source_segment(text, node) or ""
            if constant in source:
                yield source


def changed_lines(before: str, after: str) -> list[str]:
    """The lines of a text that stand elsewise in another one, or not at all."""
    return [line[2:] for line in ndiff(before.splitlines(), after.splitlines()) if line.startswith("- ")]


def _constant(text: str, lines: range) -> str:
    """The name of the constant that these lines give a value; empty if they give none."""
    for node in ast.parse(text).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if node.lineno in lines and isinstance(target, ast.Name) and target.id.isupper():
                return target.id
    return ""


def _lines_around(module: str, found: Fault) -> range:
    """The lines of the innermost function that holds the fault; its own if there is none."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    around = [
        range(node.lineno, (node.end_lineno or 0) + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and found.lines[0] in range(node.lineno, (node.end_lineno or 0) + 1)
    ]
    return min(around, key=len, default=found.lines)


def _facts(seed: int, module: str, found: Fault) -> dict[str, Any]:
    """What is known of a fault before it is planted."""
    return {
        "seed": seed,
        "module": module,
        "line": found.lines[0],
        **{name: getattr(found, name) for name in ("function", "before", "after", "nth")},
    }


@cache
def copy() -> Copy:
    """The copy that this process plants faults in."""
    return Copy(RESULTS / f"copy-{os.getpid()}")


@cache
def nearest() -> Nearest:
    """The tests of the copy."""
    return Nearest(copy().tree)


def key(told: dict[str, str]) -> tuple[str, ...]:
    """What tells a fault from all others, wherever its lines have moved to."""
    return tuple(str(told[name]) for name in ("module", "function", "before", "after", "nth"))


@cache
def equivalent() -> dict[tuple[str, ...], str]:
    """The faults that change nothing that can be seen, and why."""
    with EQUIVALENT.open(newline="", encoding="utf-8") as file:
        return {key(row): row["reason"] for row in csv.DictReader(file)}
