"""``wekaconf check``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import compress

import click
import cloup

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import counted, quoted
from wekaconf.base.plot_style import check_plot
from wekaconf.bridge.reading import parts_like
from wekaconf.cli.command import command
from wekaconf.cli.common import common, data_path, file_options, strict_option, unseen_option
from wekaconf.cli.console import discard_stdout, folded, say
from wekaconf.cli.values import NamedFile, check_output
from wekaconf.cli.weka_models import allow_plugin, model_in_file
from wekaconf.data.matching import Unseen
from wekaconf.data.table_files.base import Reading
from wekaconf.data.tables import Loaded, join_parts
from wekaconf.evaluation.cost_promise import CostPromise
from wekaconf.evaluation.promise import Promise
from wekaconf.evaluation.promise_check import (
    running_error,
)
from wekaconf.model.check import UNKNOWN, Check
from wekaconf.model.fitted import MISSING, Model

MOST_GROUPS = 100
"""The largest number of groups that are tested."""


@command(
    "check",
    "wekaconf check model.wct labelled.csv",
    "wekaconf check model.wct labelled.csv --by region --plot error.png",
)
@cloup.argument(
    "model", type=click.Path(), help="Model file that 'fit' has saved, with --confidence to check a promise."
)
@cloup.argument("data", type=click.Path(), help="Rows whose class is known, and that the model has not seen.")
@cloup.option_group("Data", unseen_option, strict_option)
@file_options
@cloup.option_group(
    "Output",
    click.option("--by", metavar="COLUMN", help="Also test the rows of each value of this column, with Holm's "
                 "correction."),
    click.option("--plot", "plot_path", type=NamedFile(".png", ".pdf", ".svg"), callback=check_output, metavar="FILE",
                 help="Draw the error of the answers so far, row by row, against the promised one (.png, .pdf, .svg)."),
    click.option("--json", "as_json", is_flag=True, help="Print counts, intervals and p-values as JSON."),
)  # fmt: skip
@allow_plugin
@common
@click.pass_context
def check_command(context: click.Context, /, model: str, data: str, by: str | None, plot_path: str | None,
                  as_json: bool, unseen: Unseen, strict: bool, written: Reading) -> None:  # fmt: skip
    """Tell whether a model's promise held on rows whose class is known by now.

    An exact test at the level 5 %; the exit code is 1 if it says that the error exceeds the target. What --by finds
    in single groups does not change it, since the promise is about all rows together. The answers of a model that
    promises nothing are counted.
    """
    from wekaconf.report import drift, tables

    if plot_path is not None:
        check_plot(plot_path)
    fitted = model_in_file(model, "'check'").reading_as(written)
    if plot_path is not None:
        _check_drawable(() if fitted.choice is None else fitted.choice.promises)
    loaded = _load(fitted, data, by, unseen, strict=strict)
    found = fitted.check(loaded, None if by is None else _named(loaded, by, fitted.reading), what=data)
    _tell_rows(found, data)
    if plot_path is not None:
        if not found.is_answered.any():
            raise OptionError(
                f"{data}: nothing is answered, so there is nothing to draw; leave --plot out", value_of="plot_path"
            )
        _draw(plot_path, found)
    with _whoever_reads():
        if as_json:
            groups = {} if by is None else {f"by {by}": found.record_of_groups}
            change = {} if found.change is None else {"drift": drift.record(found.change, data)}
            tables.print_json([{"model": model, "data": data, **found.record, **groups, **change}])
        else:
            why = [*([] if found.change is None else drift.lines(found.change, data)), *found.other_classes]
            by_group = [f"by {by}:", *found.group_lines] if found.group_lines else []
            click.echo(printable(f"{model} promises: {found.heading}"))
            for line in (*found.lines, *why, *by_group):
                click.echo(folded(printable(line)))
    if plot_path is not None:
        say(f"{plot_path} is written")
    if found.is_broken:
        context.exit(1)


def _tell_rows(found: Check, path: str) -> None:
    """Say how many rows have no class, and what is known of rows that the model has seen."""
    if found.n_without_class:
        rows = counted(len(found) + found.n_without_class, "row")
        has = "has" if found.n_without_class == 1 else "have"
        say(f"note: {path}: {found.n_without_class} of {rows} {has} no class, left out")
    if found.seen:
        say(f"note: {found.seen}", is_folded=True, is_warning=True)
    elif found.n_seen is None:
        say(f"note: {path}: {UNKNOWN}", is_folded=True)


@contextmanager
def _whoever_reads() -> Iterator[None]:
    """If the reader of the output, such as head, has enough, the exit code still tells the verdict."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()


def _load(model: Model, path: str, by: str | None, unseen: Unseen, *, strict: bool) -> Loaded:
    """The rows of a file, with the column ``by`` as texts."""
    keep = () if by is None else (by,)
    parts = parts_like(
        data_path(path), model.header, model.reading, unseen=unseen, strict=strict, keep=keep, marks_class=True
    )
    try:
        loaded = join_parts(parts)
    except OptionError as error:
        if error.parameter != "keep":
            raise
        raise OptionError(*error.text, parameter="by") from error
    if by is not None and (n := len({*compress(loaded.kept[by], loaded.has_class)})) > MOST_GROUPS:
        raise OptionError(
            parameter="by",
            expected=f"a column of groups, of at most {MOST_GROUPS} different values",
            got=f"{quoted(by)} with {n}",
        )
    return loaded


def _named(loaded: Loaded, by: str, reading: Reading) -> list[str]:
    """The values of a column as the names of groups."""
    declared = next((each.values for each in loaded.data.attributes if each.name == by), ())
    missing = {*reading.missing(declared)}
    return [MISSING if value is None or value.strip() in missing else value for value in loaded.kept[by]]


def _check_drawable(promises: Sequence[Promise | CostPromise]) -> None:
    """Raise OptionError unless there is one promised error to draw."""
    if not promises:
        raise OptionError("--plot draws a promised error, and this model promises nothing", value_of="plot_path")
    if len(promises) > 1:
        raise OptionError(
            "--plot draws one promised error, and this model promises one for each of several classes",
            value_of="plot_path",
        )
    if isinstance(promises[0], CostPromise):
        raise OptionError("--plot draws a promised error, and this model promises a mean cost", value_of="plot_path")


def _draw(path: str, found: Check) -> None:
    from wekaconf.report.pictures.running_error import plot_running_error

    plot_running_error(path, *running_error(found.is_answered, found.is_wrong), found.promises[0].target)
