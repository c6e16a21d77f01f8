"""Options that commands share, and the set-up around each command."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import cloup

from wekaconf.base.errors import OptionError
from wekaconf.base.files import atomic_write, is_stream
from wekaconf.base.naming import alternatives, nearest, quoted
from wekaconf.base.words import Argument
from wekaconf.bridge import configure
from wekaconf.bridge.reading import load, load_arff
from wekaconf.cli import completion
from wekaconf.cli.command import RENAMED
from wekaconf.cli.console import Session, discard_stdout, say
from wekaconf.cli.values import NamedFile, OneOf, check_distinct, check_output, given_options, whole_number
from wekaconf.data.catalogue.finding import find, is_name
from wekaconf.data.cost_matrix import CostMatrix
from wekaconf.data.table_files.base import FILE_OPTIONS, Reading
from wekaconf.data.tables import Loaded, is_table, open_table, stem
from wekaconf.data.wording import as_number
from wekaconf.evaluation.aims import FIXED, NAMES, Aim, RejectCosts
from wekaconf.evaluation.preprocessing import PREPROCESSINGS
from wekaconf.evaluation.thresholds import CALIBRATE, drawn_rows
from wekaconf.report.progress import ProgressBar
from wekaconf.tree import available_learners, first_use

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def progress_bar(label: str) -> ProgressBar:
    """A bar on standard error, unless the user wants quiet."""
    return ProgressBar(label, hidden=Session.quiet)


class _Compiling(ExitStack):
    """Announces a compilation, once per call, and shows its progress."""

    _bar: ProgressBar | None = None
    _has_told = False

    def tell(self, words: str, done: int, total: int) -> None:
        """See `first_use.Listener`."""
        if not self._has_told:
            self._has_told = True
            say(words)
        if self._bar is None:
            self._bar = self.enter_context(progress_bar("compiling"))
        self._bar.follow(done, total)
        if done == total:
            self.close()
            self._bar = None


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that every command has, and apply them before it runs."""

    @click.option("--max-heap", metavar="SIZE",
                  help="Limit Java's heap to this size, such as 512m or 4g (also WEKACONF_MAX_HEAP).")  # fmt: skip
    @click.option("-v", "--verbose", is_flag=True, help="Report more of what is done.")
    @click.option("-q", "--quiet", is_flag=True, help="Print no notes and no progress bar.")
    @click.option("--debug", is_flag=True, help="Show the traceback of an error.")
    @functools.wraps(command)
    def wrapped(*args: Any, max_heap: str | None, verbose: bool, quiet: bool, debug: bool, **kwargs: Any) -> Any:
        Session.verbose, Session.quiet, Session.debug = verbose, quiet, debug
        context = click.get_current_context()
        for text in context.meta.get(RENAMED, ()):
            say(f"note: {text}")
        check_distinct(context)
        configure(max_heap=max_heap)
        try:
            with _Compiling() as compiling, first_use.telling(compiling.tell):
                command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader, such as head, has enough
            discard_stdout()

    return wrapped


def all_of(*decorators: Decorator) -> Decorator:
    """Several groups of options, in the order of the help page."""

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorated


def one_argument(name: str, make: Any, *parts: str) -> Decorator:
    """Hand options of a command to it as one argument: what ``make`` returns for their values, given by name.

    Parameters
    ----------
    name : str
        The name of the argument.
    make : callable
        A dataclass, if ``parts`` are left out.
    parts : str
        The names of the options. Left out: those of the command that are called like the fields of ``make``.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def wrapped(*args: Any, **values: Any) -> Any:
            names = parts or [field for field in make.__dataclass_fields__ if field in values]
            made = make(**{part: values.pop(part) for part in names})
            return command(*args, **values, **{name: made})

        return wrapped

    return decorated


class_option = click.option(
    "-c", "--class", "class_attribute", default="last", show_default=True, metavar="ATTRIBUTE",
    help="Take this attribute as the class: last, first, its number counted from 1, or its name.",
)  # fmt: skip
unseen_option = click.option(
    "--unseen", type=OneOf(["missing", "error"]), default="missing", show_default=True, metavar="missing|error",
    help="How to treat nominal values not seen in training.",
)  # fmt: skip
learner_options = cloup.option_group(
    "Learner",
    click.option(
        "--learner", metavar="NAME", shell_complete=completion.learners,
        help=f"Tree learner: {', '.join(available_learners())}. Its options may follow, as in \"J48 -C 0.1\". Left "
        "out: what the method's paper uses, else J48. See 'wekaconf list learners'. Also Weka's FilteredClassifier and "
        "CostSensitiveClassifier around one of Weka's, as Weka writes them.",
    ),
    click.option(
        "--options", default="", metavar='"-C 0.25 -M 2"',
        help="Options of the learner: Weka's own, or parameter=value. See 'wekaconf list learners NAME'.",
    ),
    click.option(
        "--cost-matrix", type=click.Path(), metavar="FILE",
        help="Weigh the training instances by what it costs to mistake them, as CostSensitiveClassifier does: Weka's "
        'cost file, or the matrix itself, "[0 1; 5 0]".',
    ),
)  # fmt: skip


def _renames(_context: click.Context, _parameter: click.Parameter, texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of the old and the new name of a column."""
    pairs = [(old, new) for old, _, new in (text.partition("=") for text in texts)]
    if wrong := [text for text, pair in zip(texts, pairs, strict=True) if not all(pair)]:
        raise click.BadParameter(f"expected OLD=NEW, the old and the new name of a column, got '{wrong[0]}'")
    return tuple(pairs)


_file_options = (
    click.option("--decimal", metavar=". or ,", default="",
                 help="Read numbers with this decimal mark. Left out: found where a column leaves no doubt."),
    click.option("--thousands", metavar="MARK", default="",
                 help="Read numbers with this mark between thousands: . or , or ' or a blank."),
    click.option("--date-format", metavar="dd.MM.yyyy", default="",
                 help="Read dates in this format. Left out: ISO 8601, or found where a column leaves no doubt."),
    click.option("--sheet", metavar="NAME", default="",
                 help="Read this sheet of a workbook, by name or number; left out: the first."),
    click.option("--no-header", is_flag=True, help="Take the first row as values; columns are 'column 1', …."),
    click.option("--rename", multiple=True, metavar="OLD=NEW", callback=_renames,
                 help="Give a column another name, which all other options take. May be repeated."),
)  # fmt: skip
READING = ("nominal", "numeric", "na", "ignore", "id")
"""The options of `Reading` that say what columns mean."""
table_options = all_of(
    cloup.option_group(
    "Tables", "How columns of CSV, TSV, Parquet and Excel files are read; --ignore and --id also for ARFF files.",
    click.option("--nominal", multiple=True, metavar="COLUMN",
                 help="Read this column as text, even if it holds numbers. May be repeated."),
    click.option("--numeric", multiple=True, metavar="COLUMN",
                 help="Read this column as numbers, and refuse others. May be repeated."),
    click.option("--na", multiple=True, metavar="TEXT",
                 help="Take cells with this text, or number, as missing, beside empty ones, ?, NA, N/A, NaN and null; "
                 "with --na '' in place of these. May be repeated."),
    click.option("--ignore", multiple=True, metavar="COLUMN", help="Leave this column out. May be repeated."),
    click.option("--id", metavar="COLUMN", default="",
                 help="Leave this column, which names the rows, out of learning, and write it with the answers."),
    *_file_options,
    ),
    one_argument("columns", Reading, *READING, *FILE_OPTIONS),
)  # fmt: skip
"""The options of tables; a command gets them as its argument ``columns``."""
file_options = all_of(
    cloup.option_group(
        "Tables", "How a file is written, if not as the training file of the model was.", *_file_options
    ),
    one_argument("written", Reading, *FILE_OPTIONS),
)  # fmt: skip
"""The options for a file that a model reads; a command gets them as its argument ``written``."""
strict_option = click.option(
    "--strict-columns", "strict", is_flag=True,
    help="Apply Weka's rule to the file that is answered or tested: all columns of the training file, in its order.",
)  # fmt: skip


def data_path(data: str) -> str:
    """The path of a data file; for the name of a data set its file, which a message names."""
    if data == "-" or not is_name(data):
        return data
    path = find(data)
    say(f"{data}: {path}")
    return path


def load_data(
    path: str, reading: Reading, class_attribute: str, *, test: str | None = None, hold_out: float | None = None
) -> Loaded:
    """A data set to learn from, named after its file; prints what was inferred about its columns.

    The column that names the rows may be missing if the test file has it. The share ``hold_out`` of the rows is left
    out: those that calibrate a promise where the same share of the same file does.
    """
    path = data_path(path)
    loaded = load_as_named(path, reading, class_attribute, needs_id=test is None)
    if test is not None and not is_stream(test) and reading.id not in ("", *loaded.kept):
        names = columns_of(test, reading)
        if reading.id not in names:
            files = alternatives(dict.fromkeys((path, test)))
            raise OptionError(f"no column {quoted(reading.id)} in {files}{nearest(reading.id, names)}", parameter="id")
    loaded = replace(loaded, data=loaded.data.renamed(name_of(path)))
    if hold_out is None:
        return loaded
    is_held_out = drawn_rows(len(loaded.data), hold_out)
    say(f"{path}: {is_held_out.sum()} of {len(is_held_out)} rows are held out, for --calibrate {hold_out:g}")
    return loaded.take(~is_held_out)


def load_as_named(path: str, reading: Reading, class_attribute: str, *, needs_id: bool = True) -> Loaded:
    """A data set with the name that its file gives it; prints what was inferred about its columns."""
    path = data_path(path)
    loaded = load(path, reading, class_attribute=class_attribute, needs_id=needs_id)
    for line in loaded.summary:
        say(line)
    return loaded


def columns_of(data: str, reading: Reading) -> Sequence[str]:
    """The names of the columns of a data set; empty for a stream, which can be read only once."""
    if is_stream(data):
        return ()
    path = find(data) if is_name(data) else data
    if is_table(path):
        return open_table(path, reading).names
    return [attribute.name for attribute in load_arff(path, class_attribute=None).attributes]


def preprocess_option(where: str = "") -> Decorator:
    """The option for preprocessing; ``where`` says in its help on which data it is fitted."""
    return click.option(
        "--preprocess", type=OneOf(list(PREPROCESSINGS)), metavar="NAME",
        help=f"Preprocess the data{where}. median: replace missing values by the median, or the most frequent value, "
        "of their attribute. wang2006: replace them, cut numbers into ten bins, remove near-unique attributes.",
    )  # fmt: skip


filter_option = click.option(
    "--filter", "filters", multiple=True, metavar='"weka.filters.… -B 10"',
    help="Send the data through this filter of Weka's, with its options, fitted on the training data, in each fold on "
    "those of the fold, as FilteredClassifier does; after --preprocess. May be repeated.",
)  # fmt: skip


record_options = (
    click.option("--csv", "csv_path", type=NamedFile(".csv"), callback=check_output, metavar="FILE",
                 help="Also write the records as CSV."),
    click.option("--json-file", type=NamedFile(".json"), callback=check_output, metavar="FILE",
                 help="Also write the records as JSON."),
)  # fmt: skip


METHOD_HELP = (
    "Method, such as second_opinion, or with parameters confdtree:variant=tdist,fine=0.2. See 'wekaconf list methods'."
)
_AIMS = {
    "below": ("C", "Reject answers less certain than this."),
    "keep": ("SHARE", "Keep this share of the correct answers, such as 0.93."),
    "target_error": (
        "SHARE|CLASS=SHARE,…",
        "Allow at most this share of errors among the answers, or with --confidence among those that predict a class, "
        "such as yes=0.02,no=0.1.",
    ),
    "target_coverage": ("SHARE", "Answer at least this share of the rows."),
    "cost": (
        "E:R|FILE:R",
        "Minimise the cost, where an error costs E and a rejection R. Weka's cost file, with the cost of each answer, "
        "decides the label, too: the answer of least expected cost, rejected where even that costs more than R.",
    ),
    "target_cost": (
        "C",
        "Allow at most this mean cost per row, rejected ones included; with --reject-costs and --confidence.",
    ),
    "chow": ("E:R", "Apply Chow's rule to these costs: reject below the certainty 1 - R/E."),
}


_KINDS = {name: kind for kind, name in NAMES.items()}


@dataclass(frozen=True)
class AimOptions:
    """The options that say what a threshold should reach.

    Parameters
    ----------
    kind, text, confidence, reject_costs
        See `Aim.parse`.
    """

    kind: str
    text: str
    confidence: float | None
    reject_costs: RejectCosts | None

    @property
    def is_fixed(self) -> bool:
        """Whether the threshold follows from the options alone."""
        return self.kind in FIXED or (self.kind == "cost" and self.aim().fixed_threshold is not None)

    def aim(self, model_aim: Aim | None = None) -> Aim:
        """The aim, with the confidence and the costs of a model's aim where the options do not give them."""
        confidence, costs = self.confidence, self.reject_costs
        if model_aim is not None:
            confidence = model_aim.confidence if confidence is None else confidence
            costs = model_aim.reject_costs if costs is None else costs
        return Aim.parse(self.kind, self.text, confidence, costs)


def _aim_options(*, confidence: str | None, reject_costs: str | None, **texts: str | None) -> AimOptions | None:
    """The options of an aim; None if there is none."""
    context = click.get_current_context()
    given = {name: text for name, text in texts.items() if text is not None}
    if len(given) > 1:
        first, second, *_ = (f"--{name.replace('_', '-')}" for name in given)
        raise click.UsageError(f"{first} excludes {second}: one threshold at a time")
    level = None if confidence is None else _confidence(confidence)
    costs = None if reject_costs is None else RejectCosts.parse(reject_costs)
    options = next((AimOptions(_KINDS.get(name, name), text, level, costs) for name, text in given.items()), None)
    if level is not None and options is None:
        raise click.UsageError(
            "--confidence belongs to --target-error and --target-cost, which it turns into a promise"
        )
    if costs is not None and options is None:
        raise click.UsageError("--reject-costs belongs to --target-cost")
    if level is None and given_options(context, "calibrate") and not given_options(context, "class_sets"):
        raise click.UsageError(
            "--calibrate belongs to --confidence: only a promise and class sets need rows that are held out"
        )
    is_chosen = options is not None and not options.is_fixed
    if not is_chosen and given_options(context, "threshold_from"):
        raise click.UsageError(
            "--threshold-from belongs to --keep, --target-error, --target-coverage and --cost E:R, which choose a "
            "threshold"
        )
    return options


def aim_of(**texts: str | None) -> Aim | None:
    """The aim of the one option that gives one; None if there is none."""
    options = _aim_options(**texts)
    return None if options is None else options.aim()


def _confidence(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise OptionError(
            Argument("confidence"), f" expects a probability, such as 0.95, got '{text}'{as_number(text)}"
        ) from None


def _share_or_file(text: str) -> float | str:
    """The rows that calibrate: a share of the training rows, or the name of a file."""
    try:
        return float(text)
    except ValueError:
        advice = as_number(text)
    if advice and not Path(text).exists():
        raise click.BadParameter(f"expected a share of the training rows, such as 0.3, got '{text}'{advice}")
    return text


def _share(text: str) -> float:
    share = _share_or_file(text)
    if isinstance(share, str):
        raise click.BadParameter(
            f"expected a share of the training rows, such as 0.3, got '{text}'; a file is for predict"
        )
    return share


def share_held_out(text: str) -> float:
    """A type of options: a share of the rows, more than 0 and less than 1."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share < 1:
        raise click.BadParameter(
            f"expected a share of the rows, between 0 and 1, such as 0.3, got '{text}'{as_number(text)}"
        )
    return share


seed_option = click.option(
    "--seed", type=whole_number(0), default="1", show_default=True, metavar="N",
    help="Draw the rows that are held out, and the folds, with this seed.",
)  # fmt: skip


aim_options = (
    *(
        click.option(f"--{name.replace('_', '-')}", metavar=metavar, help=text)
        for name, (metavar, text) in _AIMS.items()
    ),
    click.option(
        "--confidence", metavar="C", help="Promise the target error or cost: with this probability, such as "
        "0.95, it holds for rows drawn as those that calibrate.",
    ),
    click.option(
        "--reject-costs", metavar="E:R|FILE:R", help="For --target-cost: an error costs E, or each answer what "
        "Weka's cost file says, which then decides the label, and a rejection R.",
    ),
)  # fmt: skip
"""The options that say what a threshold should reach."""
AIM_PARTS = ("confidence", "reject_costs", *_AIMS)
"""The names of `aim_options`, which `aim_of` takes."""


def rejecting_options(*, is_of_model: bool) -> Decorator:
    """The options of a threshold; a command gets its aim as its argument ``aim``.

    ``is_of_model`` says that the threshold is that of a model: the rows of a file may then calibrate it, and ``aim`` is
    an `AimOptions`, since a model that is loaded tells what the options leave out.
    """
    metavar, rows = ("SHARE|FILE", ", or the rows of this file, ") if is_of_model else ("SHARE", " ")
    return all_of(
        cloup.option_group(
            "Rejecting",
            "By a threshold on the certainty. Give at most one of the first seven, which say what it should reach.",
            *aim_options,
            click.option(
                "--calibrate", type=_share_or_file if is_of_model else _share, metavar=metavar, default=str(CALIBRATE),
                show_default=True, help=f"Hold out this share of the training rows{rows}to show that the promise "
                "holds; nothing is learned from them.",
            ),
            click.option(
                "--threshold-from", type=OneOf(["out-of-fold", "training"]), default="out-of-fold", show_default=True,
                metavar="ROWS", help="Choose the threshold in a cross-validation inside the training set "
                "(out-of-fold), or on the training rows themselves (training); with --confidence, only where to begin.",
            ),
            *([seed_option] if is_of_model else []),
        ),
        one_argument("aim", _aim_options if is_of_model else aim_of, *AIM_PARTS),
    )  # fmt: skip


def write_records(records: Sequence[Mapping[str, Any]], csv_path: str | None, json_file: str | None) -> None:
    """Write records to the files that the user has named."""
    from wekaconf.report import tables

    for target, write in ((csv_path, tables.write_csv), (json_file, tables.write_json)):
        if target is not None and records:
            with atomic_write(target, "w") as file:
                write(records, file)


def cost_matrix_of(path_or_text: str | None) -> CostMatrix | None:
    """The costs in a file, or in Weka's notation on one line; None for None."""
    return None if path_or_text is None else CostMatrix.read(path_or_text)


def name_of(path: str) -> str:
    """The name of a data set: that of its file, without folder and endings."""
    return stem(path)
