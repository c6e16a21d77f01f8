"""Write wekaconf/sklearn/classifiers.pyi, which tells type checkers and editors the estimators' parameters.

The estimators' constructors are made when they are imported, from what methods and learners declare, so no checker can
see them. A test runs this again and compares.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from wekaconf import sklearn
from wekaconf.sklearn.base import LearnerClassifier, TreeClassifier

STUB = Path(__file__).resolve().parents[1] / "wekaconf" / "sklearn" / "classifiers.pyi"
HEAD = """\
# Written by scripts/make_stubs.py.
from typing import Literal

from wekaconf.learner import Learner
from wekaconf.sklearn.base import LearnerClassifier, MethodClassifier
from wekaconf.tree.mirror import TreeMirror
"""


def stub() -> str:
    """The text of the file."""
    estimators = [value for value in vars(sklearn.classifiers).values() if _is_estimator(value)]
    return "\n".join([HEAD, *(line for estimator in estimators for line in _class(estimator))])


def _is_estimator(value: object) -> bool:
    return (
        isinstance(value, type)
        and issubclass(value, TreeClassifier)
        and value.__module__ == sklearn.classifiers.__name__
    )


def _class(estimator: type[TreeClassifier]) -> Iterator[str]:
    _, *keywords = inspect.signature(estimator.__init__).parameters.values()
    base = "LearnerClassifier" if issubclass(estimator, LearnerClassifier) else "MethodClassifier"
    yield f"class {estimator.__name__}({base}):"
    yield from (f"    {keyword.name}: {keyword.annotation}" for keyword in keywords)
    yield "    def __init__("
    yield "        self,"
    yield "        *,"
    yield from (f"        {keyword.name}: {keyword.annotation} = {keyword.default!r}," for keyword in keywords)
    yield "    ) -> None: ..."
    if issubclass(estimator, LearnerClassifier):
        yield "    def _learner(self) -> Learner[TreeMirror]: ..."
    yield ""


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
