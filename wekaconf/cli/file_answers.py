"""Writes the answers of a model for a file, which is read part by part."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

import click
import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import counted, quoted
from wekaconf.base.rounding import rounded
from wekaconf.bridge.reading import columns_of, parts_like
from wekaconf.cli.command import progress_bar
from wekaconf.cli.console import say
from wekaconf.cli.loading import data_path
from wekaconf.cli.options import Decorator, Strict
from wekaconf.cli.values import OneOf, split_names
from wekaconf.data import Dataset, Loaded, join_parts, stem
from wekaconf.data.table_files import PLAIN, CsvMarks, Reading
from wekaconf.data.wording import number
from wekaconf.evaluation.checks import FileCounts, OutcomeCounts, Repeats
from wekaconf.methods.contract import LeavesOneOut
from wekaconf.model.fitted import AS_GROWN, Model
from wekaconf.report.answers import (
    LeastCertain,
    Predictions,
    Summary,
    Write,
    answer_file,
    holds_kinds,
    is_read_by_people,
)
from wekaconf.tree import Forest, LeafRows

MARKS = {"comma": PLAIN, "semicolon": CsvMarks(";", ",")}
"""The marks of CSV by the separator."""


def separator_option(asked: str) -> Decorator:
    """The option for the marks of CSV, which are left out those of the file that was ``asked``."""
    return click.option(
        "--separator", type=OneOf(list(MARKS)), metavar="|".join(MARKS),
        help=f"Write CSV with commas and decimal points, or with semicolons and decimal commas. Left out: as {asked}.",
    )  # fmt: skip


@dataclass(frozen=True)
class Rejection:
    """What a call rejects beside the threshold of the model.

    Parameters
    ----------
    n_rows : int, optional
        The largest number of rows to reject, the least certain ones, in place of a threshold.
    outside : bool
        Whether rows that lie beyond the training data are rejected as well, not only marked.
    """

    n_rows: int | None
    outside: bool


@dataclass(frozen=True)
class AnswerOptions:
    """The options that say how a file is answered.

    Parameters
    ----------
    output : str, optional
        See `answer_file`.
    with_columns : str, optional
        Columns to pass through, separated by commas, or "all".
    least_certain : int or "all", optional
        The number of answers to write, the least certain first; None: all, in the order of the file.
    strict : Strict
        What the file must not differ in.
    path : bool, optional
        Whether to write the decision path of each row. None: in files that people read, if the model is a single tree.
    reject : Rejection
    separator : {"comma", "semicolon"}, optional
        See `MARKS`; None: CSV is written as the file that is answered.
    """

    output: str | None
    with_columns: str | None
    least_certain: int | Literal["all"] | None
    strict: Strict
    path: bool | None
    reject: Rejection
    separator: Literal["comma", "semicolon"] | None


class FileAnswered(NamedTuple):
    """What there is to say of a file that was answered.

    Parameters
    ----------
    summary : Summary or None
        None: nobody asks for it, since the answers went to standard output.
    outcomes : OutcomeCounts
    counts : FileCounts or None
        None: the model keeps no summary of its training data.
    """

    summary: Summary | None
    outcomes: OutcomeCounts
    counts: FileCounts | None


def answer(
    model: Model,
    test: str,
    options: AnswerOptions,
    *,
    is_id_given: bool,
    coverage: float | None = None,
    grown_on: str | None = None,
    is_of_weka: bool = False,
) -> FileAnswered:
    """Write the answers of a model for the instances of a file.

    ``is_id_given`` says whether the user named the column of the identifiers in this call; it must then exist.
    ``coverage`` is the share of the file's rows to answer at least, the least certain ones being rejected.
    ``grown_on`` is the file that the tree was grown on in this call, or the method fitted on; ``is_of_weka`` says
    whether the model is in a file of Weka's, of which nothing else tells which rows grew it.
    """
    if options.path and isinstance(forest := model.method.tree_, Forest):
        raise OptionError(
            f"the model is a forest of {len(forest.trees)} trees, whose answers follow no single path; leave it out",
            parameter="path",
        )
    name = model.reading.id if is_id_given else ""
    keep = None if options.with_columns == "all" else split_names(options.with_columns or "")
    if name and keep is not None:
        keep = (name, *keep)
    with progress_bar(stem(test)) as progress:
        parts = _named_options(
            parts_like(
                data_path(test), model.header, model.reading, unseen=options.strict.unseen,
                strict=options.strict.columns, keep=keep, on_read=progress.follow,
            ),
            test, name, model.reading,
        )  # fmt: skip
        first = next(parts)
        marks = first.marks if options.separator is None else MARKS[options.separator]
        parts = chain([first], parts)
        repeated = _SeenRows(model, is_of_weka=is_of_weka)
        if isinstance(model.method, LeavesOneOut):
            whole = join_parts(parts)
            if cost := model.method.cost(len(whole.data), model.method.tree_.header):
                say(f"note: {stem(test)}: {cost}")
            model.method.on_progress = progress.follow
            parts = iter([whole])
        outcomes, summary = OutcomeCounts(model.method.tree_.header.class_names), None
        is_of_file = coverage is not None or options.reject.n_rows is not None
        if options.output is not None or is_of_file:
            summary = Summary(
                options.output or "standard output", outcomes, model.reading.id, model.choice, model.class_sets,
                model.answer_shares,
            )  # fmt: skip
        counts = None if model.summary is None else FileCounts(model.summary, model.answer_shares, outcomes)
        parts = _counted(parts, repeated)
        with answer_file(options.output, marks) as write:
            has_kinds = holds_kinds(options.output) or marks != first.marks
            predictions = _predictions(parts, model, options, counts, marks.decimal, holds_kinds=has_kinds)
            if is_of_file and summary is not None:
                held = [*predictions]
                summary.say_rejected(_reject_least_certain(held, coverage, options.reject.n_rows))
                predictions = iter(held)
            _write(predictions, outcomes, summary, write, options.least_certain)
    repeated.tell(test, None if options.output is None else grown_on)
    return FileAnswered(summary, outcomes, counts)


def _counted(parts: Iterator[Loaded], repeated: _SeenRows) -> Iterator[Loaded]:
    """The parts, of whose rows those that the model has seen are counted."""
    for part in parts:
        repeated.add(part.data)
        yield part


class _SeenRows:
    """Counts of rows whose class is known, and of those among them that grew or calibrated the model.

    A tree of Weka's may still tell whether all rows together are those that it grew on.
    """

    def __init__(self, model: Model, *, is_of_weka: bool) -> None:
        tree = model.method.tree_
        self.model, self.n, self.n_seen = model, 0, 0
        is_unknown = is_of_weka and not len(model.seen.digests)
        self.leaf_rows = None if isinstance(tree, Forest) or not is_unknown else LeafRows(tree)

    def add(self, data: Dataset) -> None:
        """Count rows of the file."""
        labelled = data.take(data.class_values >= 0)
        self.n += len(labelled)
        if self.leaf_rows is not None:
            self.leaf_rows.add(self.model.conform(labelled))
        elif len(self.model.seen.digests):
            self.n_seen += self.model.seen.count(labelled)

    def tell(self, path: str, grown_on: str | None) -> None:
        """Say so, since the model errs less on such rows, if chance does not explain them; or that nothing tells."""
        less, measured = "so it errs less here than it will on other rows", "'wekaconf evaluate' measures how often"
        if Repeats(self.n_seen, self.n).exceed(self.model.seen.usual):
            text = (
                f"{path}: {self.n_seen} of {counted(self.n, 'row')} whose class is known grew or calibrated the model, "
                f"or repeat a row that did, {less}"
            )
        elif grown_on is not None and os.path.realpath(grown_on) == os.path.realpath(path):
            text = f"the tree was grown on {path}, {less}; {measured}"
        elif self.leaf_rows is not None and self.leaf_rows.are_as_grown:
            text = f"{path}: {AS_GROWN}, {less}; {measured}"
        else:
            if self.model.promises and self.n and not len(self.model.seen.digests):
                say(
                    "note: the model keeps no digests of the rows that grew and calibrated it, so it cannot tell "
                    f"whether {path} holds some of them",
                    is_folded=True,
                )
            return
        say(f"note: {text}", is_folded=True, is_warning=True)


def _named_options(parts: Iterator[Loaded], test: str, id_column: str, reading: Reading) -> Iterator[Loaded]:
    """The parts; an error about a column to pass through names the option with which the user chose the column."""
    try:
        for part in parts:
            if id_column and id_column not in part.kept:
                raise OptionError(f"no column {quoted(id_column)} in {test}", parameter="id")
            yield part
    except OptionError as error:
        if error.parameter != "keep":
            raise
        if error.got == id_column:
            raise OptionError(*error.text, parameter="id") from error
        columns = columns_of(test, reading)
        raise OptionError(*error.text, _advice_to_quote(error.got, columns), parameter="with_columns") from error


def _advice_to_quote(piece: str, columns: Sequence[str]) -> str:
    """The advice to quote the name of a column that has a comma, if ``piece`` is a piece of one; else empty."""
    for name in columns:
        if "," in name and piece in (part.strip() for part in name.split(",")):
            return f"; '{name}' is one name, so put it in double quotes: --with '\"{name}\"'"
    return ""


def _predictions(
    parts: Iterator[Loaded],
    model: Model,
    options: AnswerOptions,
    counts: FileCounts | None,
    decimal: str,
    *,
    holds_kinds: bool,
) -> Iterator[Predictions]:
    """The answers for each part of a file, whose rows and answers are counted.

    ``decimal`` is the mark in the paths. ``holds_kinds`` says whether columns passed through are numbers, dates and
    nominal values, not the file's texts.
    """
    before, is_forest = 0, isinstance(model.method.tree_, Forest)
    tells_paths = is_read_by_people(options.output) and not is_forest if options.path is None else options.path
    for part in parts:
        data = model.conform(part.data)
        outside = None if model.summary is None else model.outside(part.data)
        predictions = Predictions(
            model.method,
            data,
            below=model.thresholds,
            kept=part.kept,
            as_read=part.data if holds_kinds else None,
            missing=model.reading.missing(),
            before=before,
            outside=outside,
            rejects_outside=options.reject.outside,
            class_sets=model.class_sets,
            aim=None if model.choice is None else model.choice.aim,
            paths=tells_paths,
            decimal=decimal,
        )
        if counts is not None and outside is not None:
            counts.add(outside)
            counts.add_answers(predictions.certainty, predictions.predicted)
        yield predictions
        before += len(data)


def _reject_least_certain(parts: Sequence[Predictions], coverage: float | None, most: int | None) -> str:
    """Reject the least certain answers: ``most`` of them, or all but the ``coverage``; say which.

    Of equally certain ones the first of the file are rejected, so that as many are as can be reviewed.
    """
    certainty = rounded(np.concatenate([part.certainty for part in parts]))
    n = len(certainty)
    wanted = min(n, math.floor(round((1 - coverage) * n, 9)) if coverage is not None else most or 0)
    chosen = np.argsort(certainty, kind="stable")[:wanted]
    is_rejected = np.zeros(n, dtype=np.bool_)
    is_rejected[chosen] = True
    ends = np.cumsum([len(part) for part in parts])[:-1]
    for part, rows in zip(parts, np.split(is_rejected, ends), strict=True):
        part.reject(rows, wanted)
    tied = ""
    if wanted:
        is_last = certainty == certainty[chosen[-1]]
        n_tied, n_taken = int(is_last.sum()), int((is_last & is_rejected).sum())
        last = number(float(certainty[chosen[-1]]))
        tied = f" (the first {n_taken} of {n_tied} rows of certainty {last})" if n_taken < n_tied else ""
    return f"as the least certain of this file{tied}, which promises nothing of the others"


def _write(
    parts: Iterator[Predictions],
    outcomes: OutcomeCounts,
    summary: Summary | None,
    write: Write,
    least_certain: int | Literal["all"] | None,
) -> None:
    """Write the answers in their order, count them, and add them to the summary."""
    chosen = LeastCertain(None if least_certain == "all" else least_certain)
    for part in parts:
        outcomes.add(part.predicted, part.actual, part.rejected)
        if summary is not None:
            summary.add(part)
        if least_certain is None:
            write(part.table(slice(None)))
        else:
            chosen.add(part)
    if least_certain is not None:
        write(chosen.table())
