"""``wekaconf check``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import click
import cloup
import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import counted, quoted
from wekaconf.base.plot_style import check_plot
from wekaconf.bridge.reading import parts_like
from wekaconf.cli.command import command
from wekaconf.cli.common import common, data_path, file_options, strict_option, unseen_option
from wekaconf.cli.console import discard_stdout, folded, say
from wekaconf.cli.file_answers import AS_GROWN
from wekaconf.cli.values import NamedFile, check_output
from wekaconf.cli.weka_models import allow_plugin, model_in_file
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.data.matching import Unseen
from wekaconf.data.table_files.base import Reading
from wekaconf.data.tables import Loaded, join_parts
from wekaconf.evaluation.arguments import BoolArray
from wekaconf.evaluation.cost_promise import CostPromise
from wekaconf.evaluation.promise import Promise
from wekaconf.evaluation.promise_check import (
    Checked,
    CheckedCost,
    Counted,
    Repeats,
    counted_answers,
    running_error,
)
from wekaconf.evaluation.scoring import is_correct
from wekaconf.model.fitted import Model
from wekaconf.tree.forest import Forest
from wekaconf.tree.instances import LeafRows

MISSING_GROUP = "(missing)"
"""The name of the rows without a value in the column that groups them."""
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
    from wekaconf.report import drift, promise_checks, tables

    if plot_path is not None:
        check_plot(plot_path)
    fitted = model_in_file(model, "'check'").reading_as(written)
    promised: Sequence[Promise | CostPromise] = ()
    aim, confidence = "nothing", 0.0
    if fitted.choice is not None and fitted.choice.promises:
        promised, aim, confidence = fitted.choice.promises, str(fitted.choice.aim), 1 - fitted.choice.aim.delta
    if any(isinstance(promise, CostPromise) and not promise.is_reached for promise in promised):
        raise OptionError(
            f"{model}: no mean cost could be promised when it was calibrated, so there is nothing to check",
            value_of="model",
        )
    if plot_path is not None:
        _check_drawable(promised)
    loaded, n_without_class = _load(fitted, data, by, unseen, strict=strict)
    n_seen = _count_seen(fitted, loaded, model, data)
    rows = _Rows.of(fitted, loaded, data)
    if plot_path is not None and not rows.is_answered.any():
        raise OptionError(
            f"{data}: nothing is answered, so there is nothing to draw; leave --plot out", value_of="plot_path"
        )
    promises, by_class = rows.checked(), rows.by_class(fitted.header.class_names)
    verdict = promise_checks.verdict(promises, confidence)
    is_broken = promise_checks.is_broken(promises)
    change = fitted.compare(loaded.data, loaded.unseen) if is_broken and fitted.summary is not None else None
    groups = [] if by is None else _named(loaded, by, fitted.reading)
    by_value = [] if by is None else rows.checked_by(groups)
    counts = [] if promises else rows.counted()
    by_count = [] if promises or by is None else rows.counted_by(groups)
    if plot_path is not None:
        _draw(plot_path, rows)
    with _whoever_reads():
        if as_json:
            value_record = promise_checks.record(by_value) + promise_checks.counts_record(by_count)
            record_of_groups = {} if by is None else {f"by {by}": value_record}
            record_of_change = {} if change is None else {"drift": drift.record(change, data)}
            tables.print_json([{"model": model, "data": data, "aim": aim, "verdict": verdict, "n_seen": n_seen,
                                "n_without_class": n_without_class,
                                "promises": promise_checks.record(promises),
                                "counts": promise_checks.counts_record(counts),
                                "by predicted class": promise_checks.counts_record(by_class), **record_of_groups,
                                **record_of_change}])  # fmt: skip
        else:
            why = [] if change is None else drift.lines(change, data)
            why += [drift.OTHER_CLASSES] if change is not None and change.is_like_training else []
            by_group = [*promise_checks.group_lines(by_value), *promise_checks.group_verdicts(by_value),
                        *map(promise_checks.counts_line, by_count)]  # fmt: skip
            click.echo(f"{model} promises: {aim}")
            for line in (*promise_checks.lines(promises), *map(promise_checks.counts_line, counts),
                         *promise_checks.class_lines(by_class), verdict, *why,
                         *([f"by {by}:", *by_group] if by_group else [])):  # fmt: skip
                click.echo(folded(printable(line)))
    if plot_path is not None:
        say(f"{plot_path} is written")
    if is_broken:
        context.exit(1)


@contextmanager
def _whoever_reads() -> Iterator[None]:
    """If the reader of the output, such as head, has enough, the exit code still tells the verdict."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows that have a class: what each is answered, whether it is, whether wrongly, and at what cost.

    Every answer for a class that the model does not know, which is missing in the data, is wrong.
    """

    promises: Sequence[Promise | CostPromise]
    predicted: NDArray[np.str_]
    is_answered: BoolArray
    is_wrong: BoolArray
    cost: FloatArray

    @classmethod
    def of(cls, model: Model, loaded: Loaded, path: str) -> _Rows:
        """The answers of the model for rows of a file."""
        data = model.conform(loaded.data, what=path)
        answer = model.method.answer(data)
        is_answered = ~answer.rejected(-np.inf if model.thresholds is None else model.thresholds)
        predicted = np.array(data.class_names)[answer.predicted]
        costs, cost = None if model.choice is None else model.choice.aim.reject_costs, np.zeros(len(data))
        if costs is not None:
            cost = np.where(is_answered, costs.of_answers(data.class_values, answer.predicted), costs.rejection)
        promises = () if model.choice is None else model.choice.promises
        return cls(promises, predicted, is_answered, ~is_correct(answer.proba, data.class_values), cost)

    def checked(self) -> list[Checked | CheckedCost]:
        """The counts, or the mean cost, for each promise."""
        return [self._checked(promise.class_name, promise, rows) for promise, rows in self._by_promise()]

    def counted(self) -> list[Counted]:
        """The counts of all rows."""
        return [counted_answers("", self.is_answered, self.is_wrong)]

    def counted_by(self, values: Sequence[str]) -> list[Counted]:
        """The counts for each value of a column, in alphabetical order."""
        texts = np.array(values, dtype=np.str_)
        rows_of = {text: texts == text for text in np.unique(texts).tolist()}
        return [counted_answers(text, self.is_answered[rows], self.is_wrong[rows]) for text, rows in rows_of.items()]

    def by_class(self, class_names: Sequence[str]) -> list[Counted]:
        """The counts for each predicted class of which nothing is promised by itself."""
        promised = {promise.class_name for promise in self.promises}
        rows_of = {name: self.predicted == name for name in class_names if name not in promised}
        return [
            counted_answers(name, self.is_answered[rows], self.is_wrong[rows])
            for name, rows in rows_of.items()
            if rows.any()
        ]

    def checked_by(self, values: Sequence[str]) -> list[Checked | CheckedCost]:
        """The counts, or the mean cost, for each promise and value of a column, in alphabetical order."""
        texts = np.array(values, dtype=np.str_)
        return [
            self._checked(
                f"{text}, answers {promise.class_name}" if promise.class_name else text, promise, rows & (texts == text)
            )
            for promise, rows in self._by_promise()
            for text in np.unique(texts[rows]).tolist()
        ]

    def _checked(self, name: str, promise: Promise | CostPromise, rows: BoolArray) -> Checked | CheckedCost:
        is_answered = self.is_answered[rows]
        if isinstance(promise, Promise):
            return Checked(**vars(counted_answers(name, is_answered, self.is_wrong[rows])), target=promise.target)
        mean, n = float(self.cost[rows].mean()), int(rows.sum())
        return CheckedCost(name, promise.target, n, int(is_answered.sum()), mean, promise.costs.largest)

    def _by_promise(self) -> Iterator[tuple[Promise | CostPromise, BoolArray]]:
        """Each promise, and the rows whose answers it is about."""
        for promise in self.promises:
            yield promise, np.asarray((self.predicted == promise.class_name) | (promise.class_name == ""))


def _load(model: Model, path: str, by: str | None, unseen: Unseen, *, strict: bool) -> tuple[Loaded, int]:
    """The rows of a file whose class is known, with the column ``by`` as texts; the number of rows left out."""
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
    if not loaded.has_class.any():
        name = model.header.class_attribute.name
        raise OptionError(
            f"{path}: no row has a class, so nothing can be checked; expected it in the column {quoted(name)}",
            value_of="data",
        )
    if n_without := int((~loaded.has_class).sum()):
        rows = counted(len(loaded.data), "row")
        say(f"note: {path}: {n_without} of {rows} {'has' if n_without == 1 else 'have'} no class, left out")
    loaded = loaded.take(loaded.has_class)
    if np.ptp(loaded.data.weights) > 0:
        raise OptionError(
            f"{path}: the rows have different weights, and a promise counts rows; give rows of equal weight",
            value_of="data",
        )
    if by is not None and (n := len(set(loaded.kept[by]))) > MOST_GROUPS:
        raise OptionError(
            parameter="by",
            expected=f"a column of groups, of at most {MOST_GROUPS} different values",
            got=f"{quoted(by)} with {n}",
        )
    return loaded, n_without


def _named(loaded: Loaded, by: str, reading: Reading) -> list[str]:
    """The values of a column as the names of groups."""
    declared = next((each.values for each in loaded.data.attributes if each.name == by), ())
    missing = {*reading.missing(declared)}
    return [MISSING_GROUP if value is None or value.strip() in missing else value for value in loaded.kept[by]]


def _count_seen(model: Model, loaded: Loaded, name: str, path: str) -> int | None:
    """Number of rows that repeat one that grew or calibrated the model; None: the model does not know such rows.

    More than come by chance are refused, since the promise says nothing about them.
    """
    if not len(model.seen.digests):
        is_grown_on = _is_grown_on(model, loaded.data)
        text = f"{name} does not say which rows grew or calibrated it; make sure that none of them is in {path}"
        say(
            f"note: {path}: {AS_GROWN}; they show nothing about others" if is_grown_on else f"note: {text}",
            is_folded=True,
            is_warning=is_grown_on,
        )
        return None
    n, n_seen, usual = len(loaded.data), model.seen.count(loaded.data), model.seen.usual
    others = f"of its {counted(usual.n, 'calibration row')} {usual.n_repeated} repeat another"
    if Repeats(n_seen, n).exceed(usual):
        raise OptionError(
            f"{path}: {counted(n_seen, 'row')} of {n} grew or calibrated the model, or repeat a row that did, while "
            f"{others}. They show nothing about its promise: leave them out, or check it on others",
            value_of="data",
        )
    if n_seen:
        repeats = "repeats" if n_seen == 1 else "repeat"
        say(
            f"note: {path}: {n_seen} of {counted(n, 'row')} {repeats} one that grew or calibrated the model; {others}",
            is_folded=True,
            is_warning=True,
        )
    return n_seen


def _is_grown_on(model: Model, data: Dataset) -> bool:
    tree = model.method.tree_
    if isinstance(tree, Forest):
        return False
    rows = LeafRows(tree)
    rows.add(model.conform(data))
    return rows.are_as_grown


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


def _draw(path: str, rows: _Rows) -> None:
    from wekaconf.report.pictures.running_error import plot_running_error

    plot_running_error(path, *running_error(rows.is_answered, rows.is_wrong), rows.promises[0].target)
