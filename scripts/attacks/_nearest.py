"""The tests nearest to a fault: by the words of both, those of its room and of files that import its module before.

Words found 160 of 201 faults within 18 seconds of the processor; a record of which test runs which line took an hour to
make, and 450 lines.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from sklearn.feature_extraction.text import TfidfVectorizer

NO_TESTS_OF_CODE = {"tests/test_habits.py"}
"""They look at the source, not at what it does: a linter would not like most faults."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
"""A word of a name or of a text; those of ``LARGEST_TABLE`` and ``LearningSet`` are two each."""
NAME_COUNTS = 3
"""The name of its file tells what a test is about, as often as this."""
OF_ROOM, OF_MODULE = 1.5, 2.0
"""So much nearer is a test in the folder of the fault's room, and one in a file that imports the fault's module."""
FIRST, NEXT, CASES = 8, 32, 2
"""So many test functions come first, wherever they are, then the others of so many, with so many cases of each."""
WHOLE = ("test_printed", "test_export_text", "test_drawings", "test_records")
"""Their files compare whole outputs, which some 25 seconds of the processor make, and see what no test names."""
BEST = 5
"""A file is as near as so many of its functions are together."""


class Batch(NamedTuple):
    """Test functions for one process, the nearest first, by pytest's names; so many cases of each if not all."""

    functions: list[str]
    cases: int | None = None

    @property
    def files(self) -> list[str]:
        """Their files."""
        return list(dict.fromkeys(name.partition("::")[0] for name in self.functions))


class Nearest:
    """The test functions of a project, and their words.

    Parameters
    ----------
    tree : Path
        The project.
    """

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        texts = dict(_texts(tree))
        self._functions = list(texts)
        self._vectorizer = TfidfVectorizer(tokenizer=words, token_pattern=None, lowercase=False, sublinear_tf=True)
        self._words = self._vectorizer.fit_transform(texts.values())

    def batches(self, module: str, texts: Sequence[str]) -> Iterator[Batch]:
        """Tests of a fault: the nearest functions of all, whole outputs, then whole files, each time twice as many.

        Parameters
        ----------
        module : str
            The module with the fault, by its path in the project.
        texts : sequence of str
            What a test would say that looks at the fault.
        """
        likeness = self._likeness(module, texts)
        ranked = sorted(self._functions, key=lambda name: -likeness[name])
        yield Batch(ranked[:FIRST], CASES)
        yield Batch(ranked[FIRST:NEXT], CASES)
        yield Batch([name for name in ranked if Path(_file(name)).stem in WHOLE])
        of_file: defaultdict[str, list[str]] = defaultdict(list)
        for name in ranked:
            of_file[_file(name)].append(name)
        chosen = {_file(name) for name in ranked[:NEXT]}
        files = [name for name in of_file if name in chosen or self._nearness(name, module) > 1]
        files.sort(key=lambda name: -sum(likeness[function] for function in of_file[name][:BEST]))
        most = 1
        while files:
            yield Batch([function for name in files[:most] for function in of_file[name]])
            files, most = files[most:], 2 * most

    def _likeness(self, module: str, texts: Sequence[str]) -> dict[str, float]:
        products = self._words @ self._vectorizer.transform(texts).T
        alike = zip(self._functions, products.sum(axis=1).flat, strict=True)
        return {name: value * self._nearness(_file(name), module) for name, value in alike}

    def _nearness(self, file: str, module: str) -> float:
        is_of_room = file.split("/")[1] == module.split("/")[1]
        return (OF_ROOM if is_of_room else 1.0) * (OF_MODULE if module in self._imported[file] else 1.0)

    @cached_property
    def _imported(self) -> dict[str, set[str]]:
        """The modules that each test file imports by name."""
        files = set(map(_file, self._functions))
        return {file: set(_imported((self._tree / file).read_text(encoding="utf-8"))) for file in files}


def words(text: str) -> list[str]:
    """The words of a text, in lower case; of a plural in -s without it."""
    return [word.lower().removesuffix("s") for word in WORD.findall(text)]


def _imported(text: str) -> Iterator[str]:
    """The paths that the imports of a source may mean."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        else:
            continue
        for name in names:
            path = name.replace(".", "/")
            yield from (f"{path}.py", f"{path}/__init__.py")


def _file(function: str) -> str:
    return function.partition("::")[0]


def _texts(tree: Path) -> Iterator[tuple[str, str]]:
    """Each test function, by pytest's name of it without parameters; the name of its file, its cases and its source."""
    for path in sorted((tree / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        file = path.relative_to(tree).as_posix()
        if file in NO_TESTS_OF_CODE:
            continue
        module, lines = ast.parse(text), text.splitlines()
        inside = [
            (f"{node.name}::", each) for node in module.body if isinstance(node, ast.ClassDef) for each in node.body
        ]
        for owner, node in [*(("", node) for node in module.body), *inside]:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                first = min(part.lineno for part in [*node.decorator_list, node])
                source = lines[first - 1 : node.end_lineno]
                yield f"{file}::{owner}{node.name}", " ".join([*[path.stem] * NAME_COUNTS, *source])
