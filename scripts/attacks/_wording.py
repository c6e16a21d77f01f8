"""Which tests speak of what a fault changes: by the words that both have in common, the rare ones counting most."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer

from attacks._covering import CoveringTest, by_case

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
"""A word of a name or of a text; those of ``LARGEST_TABLE`` and ``LearningSet`` are two each."""


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

    def closest(self, text: str, tests: list[CoveringTest]) -> list[CoveringTest]:
        """The tests that have words in common with a text, first the one with the most; of each its shortest case."""
        products = self._words @ self._vectorizer.transform([text]).T
        likeness = dict(zip(self._functions, products.toarray()[:, 0].tolist(), strict=True))
        alike = [(-likeness.get(test.function, 0.0), test) for nth, test in by_case(tests) if not nth]
        return [test for share, test in sorted(alike) if share < 0]


def words(text: str) -> list[str]:
    """The words of a text, in lower case; of a plural in -s without it."""
    return [word.lower().removesuffix("s") for word in WORD.findall(text)]


def _texts(tree: Path) -> Iterator[tuple[str, str]]:
    """Each test function, by pytest's name of it without parameters, and its source after the name of its file."""
    for path in sorted((tree / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        file = path.relative_to(tree).as_posix()
        module = ast.parse(text)
        inside = [
            (f"{node.name}::", each) for node in module.body if isinstance(node, ast.ClassDef) for each in node.body
        ]
        for owner, node in [*(("", node) for node in module.body), *inside]:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                yield f"{file}::{owner}{node.name}", f"{path.stem} {ast.get_source_segment(text, node)}"
