"""The commands that are troubled, what each leaves when nothing happens, and how what is left differs from that."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from difflib import unified_diff
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from attacks._running import Running

ARFF = Path(__file__).resolve().parents[2] / "arff"
STUDY = 'data = ["sets"]\nmethods = ["leaf_frequency", "confdtree"]\nfolds = 3\n'
STORE = "s"
BESIDE_STORE = {f"{STORE}{end}" for end in ("-wal", "-shm")}
"""SQLite's own, which belong to the store until it is closed."""

MAY_STAY = re.compile(rf"(.*/)?\.[0-9a-f]{{16}}\.tmp|{STORE}-(wal|shm|run|run-journal)")
"""What may stay of a command that could not tidy up, and what belongs to SQLite; nothing trips over it."""
DATE = re.compile(rb'"made": "[^"]*"')


@dataclass(frozen=True)
class Command:
    """A command line, in a folder as `_furnish` makes it.

    Parameters
    ----------
    name : str
    words : str
        What follows ``wekaconf``.
    has_workers : bool
        Whether it starts processes.
    fills_store : bool
        Whether it writes to the store, and goes on from there.
    reads_store : bool
        Whether it needs a store that is full.
    again : str
        What is added to try again what has failed.
    """

    name: str
    words: str
    has_workers: bool = False
    fills_store: bool = False
    reads_store: bool = False
    again: str = ""

    def start(self, folder: Path, more: str = "", **how: Any) -> Running:
        return Running([*self.words.split(), *more.split()], folder, **how)


RUN = Command("study run", f"study run study.toml --store {STORE}", fills_store=True, again="--again")
COMMANDS = (
    RUN,
    Command("study run -j 2", f"{RUN.words} -j 2", has_workers=True, fills_store=True, again="--again"),
    Command(
        "evaluate --store",
        "evaluate sets/iris.arff -x 8 --method leaf_frequency --method confdtree --records r.csv --json "
        f"--store {STORE}",
        fills_store=True,
    ),
    Command(
        "study replicate -j 2",
        f"study replicate wang2006 --data sets --set iris --set zoo --runs 1 --table 3 -j 2 --store {STORE} -o out",
        has_workers=True, fills_store=True,
    ),
    Command("predict -d", "predict -t sets/iris.arff -T sets/zoo.arff --method confdtree -d m.wct"),
    Command("predict -o", "predict -t sets/iris.arff -T many.arff --keep 0.9 -o p.arff.gz"),
    Command("study export", f"study export --store {STORE} -o c.csv", reads_store=True),
)  # fmt: skip


@dataclass
class Left:
    """What a command has left behind: what it printed, its files, and the rows of its store."""

    out: str = ""
    err: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    rows: Counter[tuple[str, ...]] = field(default_factory=Counter)
    seconds: float = 0.0
    n_steps: int = 0


# -- the folder ----------------------------------------------------------------------------------------------------


@contextmanager
def furnished(
    command: Command, prepared: Callable[[Path], AbstractContextManager[object]] = nullcontext
) -> Iterator[Path]:
    """A folder, prepared in some way, with all that the command reads, which goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="attack-", ignore_cleanup_errors=True) as around:
        folder = Path(around) / "work"
        folder.mkdir()
        with prepared(folder):
            shutil.copytree(_furniture(), folder, dirs_exist_ok=True)
            if command.reads_store:
                (folder / STORE).write_bytes(_full_store())
            yield folder


@cache
def _furniture() -> Path:
    """Small data sets, a larger one and a study."""
    folder = Path(_kept().name) / "furniture"
    (folder / "sets").mkdir(parents=True)
    head, _, rows = (ARFF / "iris.arff").read_text().partition("@data\n")
    lines = rows.splitlines(keepends=True)
    for name, step in (("iris", 2), ("zoo", 3)):
        (folder / "sets" / f"{name}.arff").write_text(f"{head}@data\n{''.join(lines[::step])}")
    (folder / "many.arff").write_text(f"{head}@data\n{rows * 40}")
    (folder / "study.toml").write_text(STUDY)
    return folder


@cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="attack-")


@cache
def _full_store() -> bytes:
    with furnished(RUN) as folder, RUN.start(folder) as running:
        assert running.wait() == 0, running.err
        return (folder / STORE).read_bytes()


# -- what is left in it --------------------------------------------------------------------------------------------


@cache
def undisturbed(command: Command) -> Left:
    """What the command leaves when nothing happens, and how long that takes."""
    with furnished(command) as folder:
        count = folder.parent / "count"
        with command.start(folder, ATTACK_COUNT=str(count)) as running:
            code, seconds = running.wait(), running.seconds()
            after = code, running.left(), running.litter()
            assert after == (0, [], []), (*after, running.err)
            left = left_in(folder, running)
        left.seconds, left.n_steps = seconds, int(count.read_text())
    return left


def left_in(folder: Path, running: Running | None = None) -> Left:
    """What there is now, and what the command has said."""
    before = {path.relative_to(_furniture()).as_posix() for path in _furniture().rglob("*")}
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if not path.is_dir()}
    files = {name: _content(path) for name, path in found.items() if name not in before | {STORE} | BESIDE_STORE}
    out, err = (running.out, running.err) if running else ("", "")
    return Left(out, err, files, rows_of(folder))


def _content(path: Path) -> bytes:
    """The content of a file; that of a model file unpacked, and without its date."""
    content = path.read_bytes()
    if path.suffix != ".wct":
        return content
    try:
        with zipfile.ZipFile(path) as archive:
            return DATE.sub(b"", b"".join(name.encode() + archive.read(name) for name in archive.namelist()))
    except zipfile.BadZipFile:
        return content


def rows_of(folder: Path) -> Counter[tuple[str, ...]]:
    """The rows of the store, as often as they are there; what numbers them, and where the folder is, left out."""
    with tempfile.TemporaryDirectory(prefix="attack-") as aside:  # a store that is looked at there stays as it was left
        for name in (STORE, *BESIDE_STORE):
            if (folder / name).exists():
                shutil.copy(folder / name, aside)
        rows: Counter[tuple[str, ...]] = Counter()
        if not os.path.exists(os.path.join(aside, STORE)):
            return rows
        with closing(sqlite3.connect(os.path.join(aside, STORE))) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the store is damaged"
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table, query in QUERIES.items():
                for row in connection.execute(query) if table in tables else ():
                    rows[table, *(str(cell).replace(str(folder), "FOLDER") for cell in row)] += 1
        return rows


EVALUATION = "hex((SELECT fingerprint FROM evaluation WHERE id = evaluation))"
QUERIES = {
    "design": "SELECT hex(fingerprint), hex(asked) FROM design",
    "evaluation": "SELECT hex(fingerprint), facts, n_classes FROM evaluation",
    "record": "SELECT hex(e.fingerprint), record, hex(d.fingerprint) FROM evaluation AS e JOIN design AS d "
    "ON e.design = d.id WHERE record IS NOT NULL",
    "piece": f"SELECT {EVALUATION}, run, place, hex(answers) FROM piece",
    "study": "SELECT content FROM study",
    "job": "SELECT hex(key), kind, facts, records, error FROM job",
}
"""By kind of row."""


def is_failure(row: tuple[str, ...]) -> bool:
    """Whether a row of the store says that there is no result, and why."""
    return row[0] == "job" and row[-1] != "None"


def faults_in(left: Left, expected: Left, *, is_finished: bool) -> Iterator[str]:
    """What is half written, doubled or left over; of a command that has ended well also what is lost."""
    for name, content in left.files.items():
        if name not in expected.files:
            yield f"{name} is left over"
        elif content != expected.files[name]:
            yield f"{name} is not as it should be, {len(content)} bytes instead of {len(expected.files[name])}"
    for row in (left.rows - expected.rows).elements():
        if is_failure(row) and not is_finished:
            continue
        yield f"the store has what it should not have: {' '.join(row)[:300]}"
    if is_finished:
        for name in expected.files.keys() - left.files.keys():
            yield f"{name} is missing"
        for row in (expected.rows - left.rows).elements():
            yield f"the store lacks {' '.join(row)[:300]}"
        if left.out != expected.out:
            lines = unified_diff(
                expected.out.splitlines(), left.out.splitlines(), "expected", "printed", n=0, lineterm=""
            )
            yield f"prints otherwise: {'; '.join(islice(lines, 2, 12))!r}"
