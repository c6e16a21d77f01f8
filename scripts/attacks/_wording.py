"""Which tests speak of what a fault changes: by the words that both have in common, the rare ones counting most."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer

from attacks._covering import CoveringTest, by_case

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
"""A word of a name or of a text; those of ``LARGEST_TABLE`` and ``LearningSet`` are two each."""

NAME_COUNTS = 3
"""The name of its file tells what a test is about, as often as this."""
BRIEF = 0.5
"""Seconds that the cases of a test function take which are run together."""


class Wording:
    """The words of all tests.

    Parameters
    ----------
    tree : Path
        A copy of the project.
    """

    def __init__(self, tree: Path) -> None:
        texts = dict(_texts(tree))
        self._functions = list(texts)
        self._vectorizer = TfidfVectorizer(tokenizer=words, token_pattern=None, lowercase=False, sublinear_tf=True)
        self._words = self._vectorizer.fit_transform(texts.values())

    def closest(self, texts: Sequence[str], tests: list[CoveringTest]) -> list[CoveringTest]:
        """The tests that have words in common with texts, those with most first; of each a case, and more if brief."""
        products = self._words @ self._vectorizer.transform(texts).T
        likeness = dict(zip(self._functions, products.sum(axis=1).flat, strict=True))
        alike: defaultdict[str, list[CoveringTest]] = defaultdict(list)
        for nth, test in by_case(tests):
            cases = alike[test.function]
            if not nth or sum(case.seconds for case in cases) + test.seconds <= BRIEF:
                cases.append(test)
        closest = sorted((name for name in alike if likeness.get(name)), key=lambda name: -likeness[name])
        return [test for name in closest for test in alike[name]]


def words(text: str) -> list[str]:
    """The words of a text, in lower case; of a plural in -s without it."""
    return [word.lower().removesuffix("s") for word in WORD.findall(text)]


def _texts(tree: Path) -> Iterator[tuple[str, str]]:
    """Each test function, by pytest's name of it without parameters; the name of its file, its cases and its source."""
    for path in sorted((tree / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        file = path.relative_to(tree).as_posix()
        module = ast.parse(text)
        inside = [
            (f"{node.name}::", each) for node in module.body if isinstance(node, ast.ClassDef) for each in node.body
        ]
        for owner, node in [*(("", node) for node in module.body), *inside]:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                parts = [*node.decorator_list, node]
                source = [ast.get_source_segment(text, part) or "" for part in parts]
                yield f"{file}::{owner}{node.name}", " ".join([*[path.stem] * NAME_COUNTS, *source])
