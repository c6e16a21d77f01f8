"""Write wekaconf/sklearn/_classifiers.pyi, which tells type checkers and editors the estimators' parameters.

The estimators' constructors are made when they are imported, from what methods and learners declare, so no checker can
see them. A test runs this again and compares.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from wekaconf.base.parameters import parameters
from wekaconf.sklearn import _classifiers
from wekaconf.sklearn._base import LearnerClassifier, TreeClassifier

STUB = Path(__file__).resolve().parents[1] / "wekaconf" / "sklearn" / "_classifiers.pyi"
HEAD = """\
# Written by scripts/make_stubs.py.
from collections.abc import Sequence
from typing import Literal

from wekaconf.sklearn._base import LearnerClassifier, MethodClassifier
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree.learner import Learner
"""


def stub() -> str:
    """The text of the file."""
    estimators = [value for value in vars(_classifiers).values() if _is_estimator(value)]
    return "\n".join([HEAD, *(line for estimator in estimators for line in _class(estimator))])


def _is_estimator(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, TreeClassifier) and value.__module__ == _classifiers.__name__


def _class(estimator: type[TreeClassifier]) -> Iterator[str]:
    is_learner = issubclass(estimator, LearnerClassifier)
    types = {name: _type(declared.annotation) for name, declared in parameters(estimator.declares).items()}
    if not is_learner:
        types = {"learner": "str | Learner[TreeMirror] | LearnerClassifier | None"} | types
    keywords = inspect.signature(estimator).parameters
    yield f"class {estimator.__name__}({'LearnerClassifier' if is_learner else 'MethodClassifier'}):"
    yield from (f"    {name}: {types[name]}" for name in keywords)
    yield "    def __init__("
    yield "        self,"
    yield "        *,"
    for name, keyword in keywords.items():
        yield f"        {name}: {types[name]} = {keyword.default!r},".replace("'", '"')
    yield "    ) -> None: ..."
    if is_learner:
        yield "    def _learner(self) -> Learner[TreeMirror]: ..."
    yield ""


def _type(annotation: Any) -> str:
    """The type as it is written in Python, without aliases."""
    if get_origin(annotation) in (UnionType, Union):
        return " | ".join(map(_type, get_args(annotation)))
    if annotation is NoneType:
        return "None"
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return text.replace("collections.abc.", "").replace("typing.", "").replace("'", '"')


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
