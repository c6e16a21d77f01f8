"""Options written as ``name=value`` and separated by blanks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wekaconf.errors import OptionError


@dataclass(frozen=True)
class Option:
    """What one option may be.

    Parameters
    ----------
    valid : str
        Its values, for messages.
    read : callable
        The value of a text; ValueError for a text that is none.
    """

    valid: str
    read: Callable[[str], Any]


def choice(*names: str) -> Option:
    """One of ``names``."""
    return Option("|".join(names), lambda text: names[names.index(text)])


def whole_number(low: int, high: int | None = None) -> Option:
    """A whole number from ``low`` on, or up to ``high``."""

    def read(text: str) -> int:
        number = int(text)
        if number < low or (high is not None and number > high):
            raise ValueError
        return number

    return Option(f"whole number from {low}{'' if high is None else f' to {high}'}", read)


def number(low: float, high: float = math.inf, *, is_open: bool = False) -> Option:
    """A finite number in [low, high], or strictly between them when ``is_open``."""

    def read(text: str) -> float:
        value = float(text)
        if not math.isfinite(value) or not low <= value <= high or (is_open and value in (low, high)):
            raise ValueError
        return value

    bounds = f"from {low:g}" if math.isinf(high) else f"{'between' if is_open else 'from'} {low:g} "
    if not math.isinf(high):
        bounds += f"{'and' if is_open else 'to'} {high:g}"
    return Option(f"number {bounds}", read)


def parse_options(learner: str, text: str, known: Mapping[str, Option]) -> dict[str, Any]:
    """The options that ``text`` gives, by name.

    Parameters
    ----------
    learner : str
        For messages.
    text : str
        Such as ``"prune=cv se=0"``; may be empty.
    known : mapping of Option

    Raises
    ------
    OptionError
        An option that ``known`` lacks, one given twice, or a value that it does not allow; the message tells the valid
        ones.
    """
    if not isinstance(text, str):
        raise OptionError(f"{learner}: expected the options as one text, such as '{_example(known)}', got {text!r}")
    given: dict[str, Any] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if name not in known or not equals:
            valid = ", ".join(f"{name}={option.valid}" for name, option in known.items())
            raise OptionError(f"{learner}: no option '{part}'; valid options are {valid}, separated by blanks")
        if name in given:
            raise OptionError(f"{learner}: '{name}' is given twice; leave one out")
        try:
            given[name] = known[name].read(value)
        except ValueError as error:
            raise OptionError(f"{learner}: {name}: expected {known[name].valid}, got '{value}'") from error
    return given


def _example(known: Mapping[str, Option]) -> str:
    return next((f"{name}={option.valid.partition('|')[0]}" for name, option in known.items()), "")
