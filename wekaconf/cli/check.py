"""``wekaconf check``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import compress

import click
import cloup

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import quoted
from wekaconf.bridge.reading import parts_like
from wekaconf.cli import options
from wekaconf.cli.command import command
from wekaconf.cli.console import ExitCode, discard_stdout, folded, say
from wekaconf.cli.loading import data_path
from wekaconf.cli.models import allow_plugin, load_option, model_and_file, model_in_file, test_option
from wekaconf.cli.scores import (
    SCORED,
    CheckAim,
    choose,
    read_check_aim,
    split_columns,
    tell_left_out,
)
from wekaconf.cli.values import given_options
from wekaconf.data import Loaded, join_parts
from wekaconf.data.table_files import Reading
from wekaconf.model.fitted import Model
from wekaconf.model.scores import MISSING, UNKNOWN, Check, read_scores

MOST_GROUPS = 100
"""The largest number of groups that are tested."""


@command(
    "check",
    "wekaconf check model.wct labelled.csv",
    "wekaconf check model.wct labelled.csv --by region",
    "wekaconf check a.csv --scores y,said,p --target-error 0.05 --confidence 0.95",
    often=("--scores", "--below", "--target-error", "--confidence", "--by", "--json"),
)
@cloup.argument(
    "files", type=click.Path(), nargs=-1, metavar="[MODEL] FILE",
    help="A model that 'fit' has saved, with --confidence to check a promise, and rows whose class is known, and that "
    "the model has not seen; or with --scores the answers of any classifier.",
)  # fmt: skip
@cloup.option_group(
    "Data",
    load_option,
    test_option,
    click.option(
        "--scores", is_flag=False, flag_value="", metavar="ACTUAL,PREDICTED,CERTAINTY", help="FILE holds answers: in "
        "these columns the actual class, the predicted class, and how certain that is. Without a value: the columns "
        "that 'predict' writes, or Weka's as CSV.",
    ),
    options.strict("columns", "values"),
)  # fmt: skip
@options.file_form
@cloup.option_group(
    "Rejecting",
    "For --scores. An aim chooses a threshold on these rows; beside --below C, or CLASS=C,…, its promise is checked.",
    *options.aims,
)
@cloup.option_group(
    "Output",
    click.option("--by", metavar="COLUMN", help="Also test the rows of each value of this column, with Holm's "
                 "correction."),
    click.option("--json", "as_json", is_flag=True, help="Print counts, intervals and p-values as JSON."),
)  # fmt: skip
@options.one_argument("wanted", read_check_aim, *options.AIM_PARTS)
@allow_plugin
@click.pass_context
def check_command(context: click.Context, /, files: tuple[str, ...], model: str | None,
                  test: str | None, scores: str | None, wanted: CheckAim,
                  by: str | None, as_json: bool, strict: options.Strict,
                  written: Reading) -> None:  # fmt: skip
    """Tell whether a promise held on rows whose class is known by now.

    An exact test at the level 5 %; the exit code is 4 if it says that the error exceeds the target. What --by finds
    in single groups does not change it, since the promise is about all rows together. The answers of a model that
    promises nothing are counted. With --scores and an aim, but no --below, the threshold is chosen.
    """
    model, data = _sort_arguments(files, model, test, has_scores=scores is not None)
    if model is None:
        table = read_scores(data_path(data), split_columns(scores), written, by=by)
        if (aim := wanted.to_choose) is not None:
            if by is not None:
                raise click.UsageError("--by belongs to a check of a promise, which takes --below")
            with _tolerating_lost_reader():
                choose(table.scores, aim, data, scores or "", as_json=as_json)
            return
        _check_groups(by, table.by)
        found, lacks = table.check(wanted.aim, wanted.below), SCORED
    else:
        if given := given_options(context, *options.AIM_PARTS):
            raise click.UsageError(f"{given[0]} belongs to --scores; a model has an aim of its own")
        fitted = model_in_file(model, "'check'").reading_as(written)
        loaded = _load(fitted, data, by, strict)
        groups = None if by is None else _group_names(loaded, by, fitted.reading)
        found, lacks = fitted.check(loaded, groups, what=data), "class"
    _tell_rows(found, data, lacks)
    with _tolerating_lost_reader():
        if as_json:
            _print_json(found, model, data, by)
        else:
            _print(found, model, data, by)
    if found.is_broken:
        context.exit(ExitCode.PROMISE_BROKEN)


def _print_json(found: Check, model: str | None, data: str, by: str | None) -> None:
    from wekaconf.report import tables
    from wekaconf.report.answers import difference_record

    groups = {} if by is None else {f"by {by}": found.record_of_groups}
    change = {} if found.drift is None else {"drift": difference_record(found.drift, data)}
    named = {} if model is None else {"model": model}
    tables.print_json([{**named, "data": data, **found.record, **groups, **change}])


def _print(found: Check, model: str | None, data: str, by: str | None) -> None:
    from wekaconf.report.answers import difference_lines

    why = [*([] if found.drift is None else difference_lines(found.drift, data)), *found.other_classes]
    why += found.gathering_lines
    by_group = [f"by {by}:", *found.group_lines] if found.group_lines else []
    click.echo(printable(f"{'promised' if model is None else f'{model} promises'}: {found.heading}"))
    for line in (*found.lines, *why, *by_group):
        click.echo(folded(printable(line)))


def _check_groups(by: str | None, texts: Iterable[str | None] | None) -> None:
    """Raise OptionError if there are too many groups to be tested."""
    if texts is not None and (n := len({*texts})) > MOST_GROUPS:
        raise OptionError(
            parameter="by",
            expected=f"a column of groups, of at most {MOST_GROUPS} different values",
            got=f"{quoted(by or '')} with {n}",
        )


def _sort_arguments(
    files: tuple[str, ...], model: str | None, test: str | None, *, has_scores: bool
) -> tuple[str | None, str]:
    """Sort the arguments into the model, which scores do not have, and the file."""
    if has_scores:
        named = [*files, *filter(None, (test,))]
        if not named:
            raise click.UsageError(
                "expected a FILE before --scores, which takes the word behind it as names of columns"
            )
        if model is not None or len(named) > 1:
            raise click.UsageError("--scores reads one file of answers that were given already, so leave MODEL out")
        return None, named[0]
    model, data = model_and_file(files, model, test)
    if data is None:
        raise click.UsageError("expected MODEL and FILE, or --scores behind a FILE that holds answers")
    return model, data


def _tell_rows(found: Check, path: str, lacks: str) -> None:
    """Say how many rows lack a class or a score, and what is known of rows that the model has seen."""
    if found.n_answered_without_class is None:
        tell_left_out(found.n_without_class, len(found), path, lacks)
    if found.seen:
        say(f"note: {found.seen}", is_folded=True, is_warning=True)
    elif found.n_seen is None:
        say(f"note: {path}: {UNKNOWN}", is_folded=True)


@contextmanager
def _tolerating_lost_reader() -> Iterator[None]:
    """If the reader of the output, such as head, has enough, the exit code still tells the verdict."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()


def _load(model: Model, path: str, by: str | None, strict: options.Strict) -> Loaded:
    """The rows of a file, with the column ``by`` as texts."""
    keep = () if by is None else (by,)
    parts = parts_like(
        data_path(path), model.header, model.reading, unseen=strict.unseen, strict=strict.columns, keep=keep,
        marks_class=True,
    )  # fmt: skip
    try:
        loaded = join_parts(parts)
    except OptionError as error:
        if error.parameter != "keep":
            raise
        raise OptionError(*error.text, parameter="by") from error
    _check_groups(by, None if by is None else compress(loaded.kept[by], loaded.has_class))
    return loaded


def _group_names(loaded: Loaded, by: str, reading: Reading) -> list[str]:
    """The values of a column as the names of groups."""
    declared = next((each.values for each in loaded.data.attributes if each.name == by), ())
    missing = {*reading.missing(declared)}
    return [MISSING if value is None or value.strip() in missing else value for value in loaded.kept[by]]
