"""Types of options: numbers, one of several words, and files to write, checked before the work begins."""

from __future__ import annotations

import csv
import math
import os
import re
from collections.abc import Callable
from typing import Any

import click

from wekaconf.base.errors import OptionError, needed
from wekaconf.base.naming import alternatives, enumeration, nearest
from wekaconf.cli.wording import option_as_typed
from wekaconf.data.wording import as_number, as_share


def whole_number(low: int | None = None, *, also: str = "") -> Callable[[Any], int | str]:
    """Type of an option: a whole number, at least ``low``, or the word ``also`` in its place."""

    def convert(value: Any) -> int | str:
        text = str(value)
        if also and text == also:
            return text
        if not re.fullmatch(r"[-+]?[0-9]+", text) or (low is not None and int(text) < low):
            bound = "" if low is None else f" of at least {low}"
            raise click.BadParameter(f"expected a whole number{bound}{f', or {also}' if also else ''}, got '{text}'")
        return int(text)

    return convert


def fraction(meaning: str, example: str) -> Callable[[str], float]:
    """Type of an option: a number more than 0 and less than 1; an error says its ``meaning`` and an ``example``."""

    def convert(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not 0 < number < 1:
            expected = f"expected {meaning}, more than 0 and less than 1, such as {example}"
            raise click.BadParameter(f"{expected}, got '{text}'{as_number(text) or as_share(number)}")
        return number

    return convert


class OneOf(click.Choice):  # type: ignore[type-arg] # generic in some versions of click only
    """Type of an option: one of several words; the error for another word names the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word, if it is one of the choices."""
        if value not in self.choices:
            words = ", ".join(f"'{choice}'" for choice in self.choices)
            self.fail(f"'{value}' is not one of {words}{nearest(str(value), self.choices)}", param, ctx)
        return value


ENDINGS_OF_PAGES = (".html", ".htm")


class NamedFile(click.Path):
    """Type of an option: the name of an output file, whose ending says the format.

    Parameters
    ----------
    endings : str
        The endings of formats that can be written, such as ``.csv``. Names without ending are taken too, and so are
        paths that are not regular files, such as /dev/stdout.
    """

    def __init__(self, *endings: str) -> None:
        super().__init__()
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name, unless its ending is that of another format."""
        path = str(value)
        ending = os.path.splitext(path)[1].lower()
        is_special = os.path.exists(path) and not os.path.isfile(path)
        if not ending or is_special or path.lower().endswith(self.endings):
            return super().convert(value, param, ctx)
        others = [
            other.opts[-1]
            for other in (ctx.command.params if ctx is not None else ())
            if isinstance(other.type, NamedFile) and ending in other.type.endings
        ]
        hint = f"; {enumeration(others)} {'write' if len(others) > 1 else 'writes'} that" if others else ""
        option = f"{option_as_typed(param, ctx)} " if param is not None and ctx is not None else ""
        raise OptionError(
            f"{option}{path}: expected a name that ends in {alternatives(self.endings)}, got '{ending}'{hint}"
        )


def check_output(context: click.Context, parameter: click.Parameter, path: Any) -> Any:
    """Refuse a file that cannot be written, or any of several, before the work begins."""
    if isinstance(path, tuple):
        return tuple(check_output(context, parameter, each) for each in path)
    if path is None:
        return None
    if path in ("", "-"):
        raise click.BadParameter("expected the name of a file", ctx=context, param=parameter)
    folder = os.path.dirname(os.path.realpath(path))
    problem = None
    if os.path.isdir(path):
        problem = "is a folder; name a file in it"
    elif path.endswith(("/", os.sep)):
        problem = "names a folder, and there is none of that name; make it first, and name a file in it"
    elif not os.path.isdir(folder):
        problem = f"there is no folder '{folder}'; make it first"
    elif not os.access(folder if os.path.isfile(path) or not os.path.exists(path) else path, os.W_OK):
        problem = "may not be written; choose another place"
    if problem is not None:
        raise OptionError(f"{option_as_typed(parameter, context)} {path}: {problem}")
    if path.lower().endswith((".parquet", ".pq")):
        with needed("Parquet", "tables"):
            import pyarrow  # noqa: F401
    return path


def check_output_or_stdout(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """See `check_output`; "-" is standard output, and None, as an option that is left out."""
    return None if path == "-" else check_output(context, parameter, path)


def check_distinct(context: click.Context) -> None:
    """Refuse an output that would overwrite an input or another output of the same call."""
    seen: dict[str, str] = {}
    for parameter in sorted(context.command.params, key=lambda parameter: parameter.callback in OUTPUTS):
        value = context.params.get(parameter.name or "")
        if not isinstance(parameter.type, click.Path) or not value:
            continue
        for path in value if isinstance(value, tuple) else (value,):
            name = option_as_typed(parameter, context) if isinstance(parameter, click.Option) else "the data"
            place = os.path.realpath(path)
            if parameter.callback in OUTPUTS and place in seen and not place.startswith(os.sep + "dev"):
                raise click.UsageError(f"{name} {path} would overwrite {seen[place]}; give it another name", context)
            seen[place] = name


OUTPUTS = (check_output, check_output_or_stdout)
"""The callbacks of options that name a file to write."""


def given_options(context: click.Context, *names: str) -> list[str]:
    """The options among ``names`` that are on the command line, as the user typed them; ``na`` is a part of one."""
    has_na = "na" in names and any(text.startswith("na=") for text in context.params["table"])
    return ["--table na"] * has_na + [
        option_as_typed(parameter, context)
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name) == click.core.ParameterSource.COMMANDLINE
    ]


def split_names(text: str) -> tuple[str, ...]:
    """The names in a text, separated by commas; a name with a comma is in double quotes."""
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True), []) if name.strip())
