"""Options that several commands share, and what a command gets for them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import cloup

from wekaconf.base.naming import alternatives, enumeration, nearest
from wekaconf.cli import completion
from wekaconf.cli.command import BY_LETTER
from wekaconf.cli.values import OneOf, fraction, given_options, split_names, whole_number
from wekaconf.cli.wording import TABLE_KEYS
from wekaconf.data import CostMatrix, is_number
from wekaconf.data.table_files import Reading
from wekaconf.data.wording import as_number
from wekaconf.evaluation.aims import FIXED, NAMES, Aim, RejectCosts
from wekaconf.evaluation.preprocessing import PREPROCESSINGS
from wekaconf.evaluation.thresholds import CALIBRATE
from wekaconf.learners import available_learners

if TYPE_CHECKING:
    from wekaconf.data import Unseen

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


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
        The names of the options, of which a command may lack some. Left out: those of the fields of ``make``.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def wrapped(*args: Any, **values: Any) -> Any:
            names = parts or make.__dataclass_fields__
            made = make(**{part: values.pop(part) for part in names if part in values})
            return command(*args, **values, **{name: made})

        return wrapped

    return decorated


def letters_of(argument: str, *letters: str, metavar: str = "DATA") -> Decorator:
    """An option with Weka's letters that gives an argument; the command gets both as the argument."""
    return click.option(
        *letters, f"{argument}{BY_LETTER}", type=click.Path(), metavar="FILE", help=f"The same as {metavar}."
    )


class_attribute = click.option(
    "-c", "--class", "class_attribute", default="last", show_default=True, metavar="ATTRIBUTE",
    help="Take this attribute as the class: last, first, its number counted from 1, or its name.",
)  # fmt: skip
learner = cloup.option_group(
    "Learner",
    click.option(
        "--learner", metavar="NAME", shell_complete=completion.learners,
        help=f"Tree learner: {', '.join(available_learners())}. Its options may follow, as in \"J48 -C 0.1\" or "
        "\"CART prune=none\", see 'wekaconf list learners NAME'. Left out: what the method's paper uses, else J48. "
        "Also Weka's FilteredClassifier and CostSensitiveClassifier around one of Weka's, as Weka writes them.",
    ),
    click.option(
        "--cost-matrix", type=click.Path(), metavar="FILE",
        help="Weigh the training instances by what it costs to mistake them, as CostSensitiveClassifier does: Weka's "
        'cost file, or the matrix itself, "[0 1; 5 0]".',
    ),
)  # fmt: skip


def read_cost_matrix(path_or_text: str | None) -> CostMatrix | None:
    """The costs in a file, or in Weka's notation on one line; None for None."""
    return None if path_or_text is None else CostMatrix.read(path_or_text)


READING = ("types", "na", "ignore", "id")
"""The options of `Reading` that say what columns mean."""


def _read_table_keys(texts: Iterable[str]) -> dict[str, Any]:
    """The arguments of `Reading` in the values of ``--table``: KEY=VALUE, where ``na`` may be repeated."""
    keys: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        name = "no_header" if key == "header" else key
        if not equals or name not in TABLE_KEYS or key == "no_header":
            known = [each.removeprefix("no_") for each in TABLE_KEYS]
            raise click.UsageError(f"--table: expected KEY=VALUE, got '{text}'; the keys are {enumeration(known)}")
        if name == "no_header":
            if value not in ("yes", "no"):
                raise click.UsageError(f"--table: expected header=yes or header=no, got '{text}'")
            keys[name] = value == "no"
        elif name == "na":
            keys[name] = (*keys.get(name, ()), value)
        elif name in keys:
            raise click.UsageError(f"--table {name} is given twice; leave one out")
        else:
            keys[name] = value
    return keys


def _make_reading(
    table: Sequence[str], rename: Sequence[str], types: Sequence[str] = (), ignore: tuple[str, ...] = (), id: str = ""
) -> Reading:
    """The reading that the options of tables describe."""
    kinds: dict[str, list[str]] = {"nominal": [], "numeric": []}
    for text in types:
        column, _, kind = text.rpartition("=")
        if not column or kind not in kinds:
            raise click.UsageError(f"--type: expected COLUMN=nominal or COLUMN=numeric, got '{text}'")
        kinds[kind].append(column)
    names = {text: text.partition("=") for text in rename}
    if wrong := [text for text, (old, _, new) in names.items() if not (old and new)]:
        raise click.UsageError(f"--rename: expected OLD=NEW, the old and the new name of a column, got '{wrong[0]}'")
    return Reading(
        nominal=tuple(kinds["nominal"]), numeric=tuple(kinds["numeric"]), ignore=ignore, id=id,
        rename=tuple((old, new) for old, _, new in names.values()), **_read_table_keys(table),
    )  # fmt: skip


def _make_file_reading(table: Sequence[str], rename: Sequence[str]) -> Reading:
    """How a file is written that a model reads; what its cells mean, the model says."""
    reading = _make_reading(table, rename)
    if reading.na:
        raise click.UsageError("--table na: the model knows already which texts mean a missing value; leave it out")
    return reading


def _table_option(keys: str) -> Decorator:
    return click.option(
        "--table", multiple=True, metavar="KEY=VALUE",
        help=f"Read tables in this way: decimal=MARK, thousands=MARK, date_format=dd.MM.yyyy, sheet=NAME{keys}. May be "
        "repeated. Left out: marks and dates are found where a column leaves no doubt, and the first sheet is read.",
    )  # fmt: skip


_rename = click.option(
    "--rename", multiple=True, metavar="OLD=NEW",
    help="Give a column another name, which all other options take. May be repeated.",
)  # fmt: skip
tables = all_of(
    cloup.option_group(
    "Tables", "How columns of CSV, TSV, Parquet and Excel files are read; --ignore and --id also for ARFF files.",
    click.option("--type", "types", multiple=True, metavar="COLUMN=nominal|numeric",
                 help="Read this column as text, even if it holds numbers, or as numbers, and refuse others. May be "
                 "repeated."),
    click.option("--ignore", multiple=True, metavar="COLUMN", help="Leave this column out. May be repeated."),
    click.option("--id", metavar="COLUMN", default="",
                 help="Leave this column, which names the rows, out of learning, and write it with the answers."),
    _table_option(", header=no (the first row holds values), na=TEXT (a missing value, beside empty cells, ?, NA, N/A, "
                  "NaN and null; with na= in place of these)"),
    _rename,
    ),
    one_argument("columns", _make_reading, "table", "rename", "types", "ignore", "id"),
)  # fmt: skip
"""The options of tables; a command gets them as its argument ``columns``."""
file_form = all_of(
    cloup.option_group(
        "Tables", "How a file is written, if not as the training file of the model was.",
        _table_option(", header=no (the first row holds values)"), _rename,
    ),
    one_argument("written", _make_file_reading, "table", "rename"),
)  # fmt: skip
"""The options for a file that a model reads; a command gets them as its argument ``written``."""


@dataclass(frozen=True)
class Strict:
    """What a file that is answered or tested must not differ in."""

    columns: bool = False
    values: bool = False
    file: bool = False

    def __bool__(self) -> bool:
        return self.columns or self.values or self.file

    @property
    def unseen(self) -> Unseen:
        """How to treat nominal values not seen in training."""
        return "error" if self.values else "missing"


NOT_STRICT = Strict()
_STRICT_HELP = {
    "columns": "columns, as Weka does, where all columns of the training file must be there, in its order",
    "values": "values, where a nominal value not seen in training is an error, not a missing value",
    "file": "file, where the exit code is 3 if the file is not like the training data",
}


def strict(*kinds: str) -> Decorator:
    """The option ``--strict`` of a command that knows these kinds; the command gets a `Strict` as ``strict``."""

    def parse(_context: click.Context, _parameter: click.Parameter, text: str) -> Strict:
        words = split_names(text)
        if wrong := [word for word in words if word not in kinds]:
            expected = f"expected {alternatives(kinds)}, or several of them with commas"
            raise click.BadParameter(f"{expected}, got '{wrong[0]}'{nearest(wrong[0], kinds)}")
        return Strict(**dict.fromkeys(words, True))

    return click.option(
        "--strict", metavar=",".join(kinds), default="", callback=parse,
        help=f"Be strict about {'; '.join(_STRICT_HELP[kind] for kind in kinds)}.",
    )  # fmt: skip


PER_FOLD = ":per-fold"
"""The ending of a preprocessing that is fitted on each training set."""


def preprocess(where: str = "", *, has_folds: bool = False) -> Decorator:
    """The option for preprocessing.

    ``where`` says in its help on which data it is fitted; ``has_folds`` says that there are several training sets.
    """
    names = list(PREPROCESSINGS)
    folds = f" With {PER_FOLD} behind it: fitted on each training set, else once on all instances, test instances "
    return click.option(
        "--preprocess", type=OneOf([*names, *(f"{name}{PER_FOLD}" for name in names * has_folds)]), metavar="NAME",
        help=f"Preprocess the data{where}. median: replace missing values by the median, or the most frequent value, "
        "of their attribute. wang2006: replace them, cut numbers into ten bins, remove near-unique attributes."
        + f"{folds}included." * has_folds,
    )  # fmt: skip


filters = click.option(
    "--filter", "filters", multiple=True, metavar='"weka.filters.… -B 10"',
    help="Send the data through this filter of Weka's, with its options, fitted on the training data, in each fold on "
    "those of the fold, as FilteredClassifier does; after --preprocess. May be repeated.",
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
    "target_cost": ("C", "Allow at most this mean cost per row, rejected ones included; with --cost and --confidence."),
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


def _aim_options(*, confidence: float | None, cost: str | None, **texts: str | None) -> AimOptions | None:
    """The options of an aim; None if there is none."""
    context = click.get_current_context()
    given = {name: text for name, text in texts.items() if text is not None}
    costs = None
    if cost is not None and "target_cost" in given:
        costs = RejectCosts.parse(cost, "cost")
    elif cost is not None:
        given["cost"] = cost
    if len(given) > 1:
        first, second, *_ = (f"--{name.replace('_', '-')}" for name in given)
        raise click.UsageError(f"{first} excludes {second}: one threshold at a time")
    options = next((AimOptions(_KINDS.get(name, name), text, confidence, costs) for name, text in given.items()), None)
    if confidence is not None and options is None:
        raise click.UsageError(
            "--confidence belongs to --target-error and --target-cost, which it turns into a promise"
        )
    if confidence is None and given_options(context, "calibrate") and not given_options(context, "class_sets"):
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


def aim_of(**texts: Any) -> Aim | None:
    """The aim of the one option that gives one; None if there is none."""
    options = _aim_options(**texts)
    return None if options is None else options.aim()


share_of_rows = fraction("a share of the rows", "0.3")


def _share_or_file(text: str) -> float | str:
    """The rows that calibrate: a share of the training rows, or the name of a file."""
    is_share = is_number(text) or (as_number(text) and not Path(text).exists())
    return share_of_rows(text) if is_share else text


_seed = click.option(
    "-s", "--seed", type=whole_number(0), default="1", show_default=True, metavar="N",
    help="Draw the rows that are held out, and the folds, with this seed.",
)  # fmt: skip


aims = (
    *(
        click.option(f"--{name.replace('_', '-')}", metavar=metavar, help=text)
        for name, (metavar, text) in _AIMS.items()
    ),
    click.option(
        "--confidence", type=fraction("a probability", "0.95"), metavar="C",
        help="Promise the target error or cost: with this probability, such as 0.95, it holds for rows drawn as those "
        "that calibrate.",
    ),
    click.option(
        "--cost", metavar="E:R|FILE:R", help="An error costs E and a rejection R: minimise the mean cost, or with "
        "--target-cost keep it below that. Weka's cost file, with the cost of each answer, decides the label, too: the "
        "answer of least expected cost, rejected where even that costs more than R.",
    ),
)  # fmt: skip
"""The options that say what a threshold should reach."""
AIM_PARTS = ("confidence", "cost", *_AIMS)
"""The names of `aims`, which `aim_of` takes."""


def rejecting(*, is_of_model: bool) -> Decorator:
    """The options of a threshold; a command gets its aim as its argument ``aim``.

    ``is_of_model`` says that the threshold is that of a model: the rows of a file may then calibrate it, and ``aim`` is
    an `AimOptions`, since a model that is loaded tells what the options leave out.
    """
    metavar, rows = ("SHARE|FILE", ", or the rows of this file, ") if is_of_model else ("SHARE", " ")
    return all_of(
        cloup.option_group(
            "Rejecting",
            "By a threshold on the certainty. Give one aim at most: --below, --keep, --cost, or one of the targets.",
            *aims,
            click.option(
                "--calibrate", type=_share_or_file if is_of_model else share_of_rows, metavar=metavar,
                default=str(CALIBRATE), show_default=True,
                help=f"Hold out this share of the training rows{rows}to show that the promise holds; nothing is "
                "learned from them.",
            ),
            click.option(
                "--threshold-from", type=OneOf(["out-of-fold", "training"]), default="out-of-fold", show_default=True,
                metavar="ROWS", help="Choose the threshold in a cross-validation inside the training set "
                "(out-of-fold), or on the training rows themselves (training); with --confidence, only where to begin.",
            ),
            *([_seed] if is_of_model else []),
        ),
        one_argument("aim", _aim_options if is_of_model else aim_of, *AIM_PARTS),
    )  # fmt: skip
