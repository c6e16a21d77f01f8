"""What a message names in the words of its reader: an argument is ``keep``, ``--keep`` or ``-keep``.

A message is a sequence of texts and `Term` objects. ``str`` of a term are its words in Python; the command line, the
estimators and Weka have a function each that words the terms that they call otherwise.

A front end could instead look for phrases in finished sentences; then a message that is reworded loses its advice, and
nobody notices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Argument:
    """An argument of a function, or a parameter of the method or learner ``of``.

    ``python`` is what Python uses in its place, if that is no argument.
    """

    name: str
    of: str = ""
    python: str = ""

    def __str__(self) -> str:
        return self.python or self.name


@dataclass(frozen=True)
class Setting:
    """An argument with a value, or with several."""

    name: str
    value: str | tuple[str, ...]
    of: str = ""

    def __str__(self) -> str:
        if self.of:
            return f"{self.name}={self.value}"
        return f"{self.name}={self.value if isinstance(self.value, str) else list(self.value)!r}"


@dataclass(frozen=True)
class Owner:
    """A method or a learner."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class SetParameter:
    """The advice to give a method a parameter."""

    of: str
    name: str
    value: str

    def __str__(self) -> str:
        return f"give {self.of} the parameter {self.name}={self.value!r}"


@dataclass(frozen=True)
class SetOption:
    """The advice to give a learner an option."""

    of: str
    name: str
    value: str

    def __str__(self) -> str:
        return f"give the option {self.name}={self.value}"


@dataclass(frozen=True)
class UseLearner:
    """The advice to use another learner, or to grow the tree with it that a method reads."""

    name: str
    is_read: bool = False

    def __str__(self) -> str:
        return f"{'grow it with' if self.is_read else 'use'} the learner {self.name}"


@dataclass(frozen=True)
class UseFilter:
    """A filter of Weka's as a remedy; also the preprocessing of `wekaconf.evaluate` that does the same."""

    name: str
    preprocessing: str = ""

    def __str__(self) -> str:
        return f"with the filter {self.name}"


@dataclass(frozen=True)
class IgnoreColumn:
    """The advice to leave a column out."""

    name: str

    def __str__(self) -> str:
        return f"{Setting('ignore', (self.name,))} leaves it out"


@dataclass(frozen=True)
class RenameColumns:
    """The advice to give columns of a file other names: pairs of the old and the new one."""

    pairs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"give rename={dict(self.pairs)!r}"


class Phrase(Enum):
    """Advice that is one phrase."""

    AS_LEARNER = "name it as the learner"
    AS_METHOD = "name it as the method"
    OTHER_DEPTH = "max_depth sets another depth"
    ONE_LEARNER = "give one learner to use it for all"
    ESTIMATE = "leave the confidence out for an estimate"
    UNSEEN_AS_MISSING = "treat unseen values as missing"

    def __str__(self) -> str:
        return self.value


ANY_OTHER = (
    "of any other classifier take the predictions: RejectOption does, round an estimator, and 'wekaconf check FILE "
    "--scores', of a file"
)
"""The way to reject answers of a classifier that has no mirror."""
Advice = SetParameter | SetOption | UseLearner | UseFilter | IgnoreColumn | RenameColumns | Phrase
Term = Argument | Setting | Owner | Advice
Words = Callable[[Term], str]
"""The words of a front end for a term."""


def listed(terms: Iterable[Term]) -> tuple[str | Term, ...]:
    """The terms as parts of a message, with commas between them."""
    return tuple(part for term in terms for part in (", ", term))[1:]


def worded(parts: Sequence[str | Term], words: Words = str) -> str:
    """A message in the words of a front end, as they are in Python when left out."""
    return "".join(part if isinstance(part, str) else words(part) for part in parts)
