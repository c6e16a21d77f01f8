"""Options that `evaluate` and `compare` share, with their checks and messages."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import cloup

from wekaconf.base.errors import OptionError
from wekaconf.cli import completion, options
from wekaconf.cli.console import say
from wekaconf.cli.options import NOT_STRICT, PER_FOLD, Decorator, Strict, one_argument, read_cost_matrix
from wekaconf.cli.values import NamedFile, OneOf, check_output, given_options, split_names, whole_number
from wekaconf.data.catalogue import data_files
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.protocol import Protocol
from wekaconf.report.experimenter import FOLD_ENDINGS

jobs_option = click.option(
    "-j", "--jobs", type=whole_number(1), default="1", show_default=True, metavar="N",
    help="Grow trees and answer in so many processes, each with a virtual machine of its own. The figures stay the "
    "same.",
)  # fmt: skip
per_fold_option = click.option(
    "--per-fold", "per_fold_path", type=NamedFile(*FOLD_ENDINGS), callback=check_output, metavar="FILE",
    help="Also write what each method reached on each fold, as CSV, JSON, Parquet, or as an ARFF file that the Analyse "
    "tab of Weka's Experimenter opens.",
)  # fmt: skip
records_option = click.option(
    "--records", multiple=True, type=NamedFile(".csv", ".json"), callback=check_output, metavar="FILE",
    help="Also write the records, as CSV or JSON by the ending of the name. May be repeated.",
)  # fmt: skip
store_option = click.option(
    "--store", type=click.Path(), metavar="STORE",
    help="Keep what is finished in this file, and go on from there when an interrupted command is run again.",
)  # fmt: skip

test_option = click.option(
    "-T", "--test", type=click.Path(), metavar="FILE", help="Instead of folds, test on this file.",
)  # fmt: skip


json_option = click.option("--json", "as_json", is_flag=True, help="Print the records as JSON instead of a table.")


def protocol_options(*further: Decorator, last: Sequence[Decorator] = ()) -> Decorator:
    """The options of a protocol; ``further`` ones precede those of an open set, ``last`` ones come at the end."""
    return cloup.option_group(
        "Protocol",
        click.option("-x", "--folds", type=whole_number(2, also="loo"), default="10", show_default=True,
                     metavar="N|loo",
                     help="Cross-validate with N folds, or leave one instance out at a time (loo)."),
        click.option("-s", "--seed", type=whole_number(), default="1", show_default=True, metavar="N",
                     help="Seed of Weka's folds and splits."),
        click.option("--runs", type=whole_number(1), default="1", show_default=True, metavar="N",
                     help="Repeat so many times, with the seeds s, s + 1 and so on."),
        click.option("--split", metavar="0.5|20:50",
                     help="Instead of folds, train on this share, or on so many instances and test on so many."),
        click.option("--stratified", is_flag=True, help="Apply the share or the numbers of --split to each class."),
        *further,
        click.option("--hold-out", type=options.share_of_rows, metavar="SHARE",
                     help="Leave out this share of the rows: those that 'fit --calibrate SHARE' holds out, so that "
                     "a promise may follow a choice among methods."),
        click.option("--known", metavar="CLASS,CLASS",
                     help="Open set: train on these classes only. Instances of the others are answered, and should "
                     "be rejected; id3_sd is advised for that, on trees of J48 where few known rows may be rejected. "
                     "Put a name with a comma in double quotes."),
        click.option("--leave-out", type=OneOf(["half", "one"]), metavar="half|one",
                     help="Open set: leave out half of the classes, or one, drawn by the seed of each run."),
        *last,
    )  # fmt: skip


class ProtocolOptions(dict[str, Any]):
    """The values of the options that a `Protocol` is made of, by their names."""

    def check(self, context: click.Context, *, test: str | None = None, strict: Strict = NOT_STRICT) -> None:
        """Refuse options that exclude each other; the error names them as the user typed them."""
        for chosen, value, excluded in (
            ("test", test, ("split", "stratified", "folds", "seed", "runs")), ("split", self["split"], ("folds",)),
        ):  # fmt: skip
            if value and (others := given_options(context, *excluded)):
                raise click.UsageError(f"{given_options(context, chosen)[0]} excludes {others[0]}")
        if self["stratified"] and not self["split"]:
            raise click.UsageError("--stratified belongs to --split (folds are stratified anyway)")
        if self["known"] and self["leave_out"]:
            raise click.UsageError("--known and --leave-out exclude each other")
        if self["leave_out"] and test:
            raise click.UsageError(
                f"{given_options(context, 'test')[0]} excludes --leave-out; name the known classes with --known"
            )
        name = self["preprocess"] or PER_FOLD
        if (self["known"] or self["leave_out"]) and not name.endswith(PER_FOLD):
            raise click.UsageError(
                f"in an open set instances of unknown classes train nothing, so write --preprocess {name}{PER_FOLD}"
            )
        if strict and not test:
            raise click.UsageError("--strict belongs to -T, the file to test on")

    def make(self) -> Protocol:
        """The protocol, without the test file."""
        name, known = self["preprocess"] or "", self["known"]
        own = {
            "known": None if known is None else split_names(known), "preprocess": name.removesuffix(PER_FOLD) or None,
            "per_fold": name.endswith(PER_FOLD), "cost_matrix": read_cost_matrix(self["cost_matrix"]),
        }  # fmt: skip
        return Protocol(**{**self, **own})


protocol_argument = one_argument(
    "protocol", ProtocolOptions, "preprocess", "filters", "cost_matrix", "folds", "seed", "runs", "split", "stratified",
    "known", "leave_out", "aim", "threshold_from", "calibrate",
)  # fmt: skip
"""Hands a command its options of a protocol as one argument."""


@dataclass(frozen=True, kw_only=True)
class MeasuringOptions:
    """What the user gave for the options that commands with measurements share.

    The defaults are for options that a command lacks; what each means, its help says.
    """

    data: tuple[str, ...]
    class_attribute: str
    columns: Reading
    methods: tuple[str, ...]
    learner: str | None
    jobs: int
    store: str | None
    protocol: ProtocolOptions
    strict: Strict = NOT_STRICT
    test: str | None = None
    hold_out: float | None = None

    def check(self, context: click.Context) -> None:
        """Refuse options that exclude each other; the error names them as the user typed them."""
        check_distinct_values("--method", self.methods)
        self.protocol.check(context, test=self.test, strict=self.strict)

    def files(self) -> tuple[str, ...]:
        """The files of the data sets; refuses one that is given twice."""
        if not self.data:
            raise click.UsageError("DATA is missing: name files or folders")
        files = tuple(data_files(self.data))
        check_distinct_values("the file", tuple(map(os.path.realpath, files)))
        return files


def measuring_options(
    *, method: Sequence[Decorator] = (), output: Sequence[Decorator], comparing: Decorator | None = None
) -> Decorator:
    """The options that commands with measurements share (data, methods, learner, protocol, records), and others.

    Parameters
    ----------
    method, output : sequence of decorators
        The command's own options in these groups.
    comparing : decorator, optional
        The group of options of a command that compares folds of many data sets. Such a command has neither a test file,
        nor thresholds, nor records on standard output.

    Returns
    -------
    callable
        A decorator. It hands the shared options to the command as its argument ``measuring``.
    """
    return options.all_of(
        cloup.argument("data", type=click.Path(), nargs=-1,
                       help="ARFF, CSV, TSV, Parquet or Excel files, or folders of them; - for standard input; "
                       "or names of sets, see 'wekaconf list data'."),
        cloup.option_group(
            "Data",
            options.letters_of("data", "-t", "--train"),
            options.class_attribute,
            options.preprocess(has_folds=True),
            options.filters,
            *(() if comparing else (options.strict("columns", "values"),)),
        ),
        options.tables,
        cloup.option_group(
            "Method",
            click.option("--method", "methods", multiple=True, default=("leaf_frequency",),
                         show_default=comparing is None, metavar="METHOD",
                         shell_complete=completion.methods, help=f"{options.METHOD_HELP} May be repeated."),
            *method,
        ),
        options.learner,
        protocol_options(*(() if comparing else (test_option,)), last=(jobs_option,)),
        comparing or options.rejecting(is_of_model=False),
        cloup.option_group(
            "Output",
            *output,
            *(() if comparing else (records_option, json_option)),
            per_fold_option,
            *(() if comparing else (store_option,)),
        ),
        protocol_argument,
        one_argument("measuring", MeasuringOptions),
    )  # fmt: skip


def check_distinct_values(option: str, values: tuple[str, ...]) -> None:
    """Refuse an option that is given twice with one value."""
    for value in values:
        if values.count(value) > 1:
            raise click.UsageError(f"{option} {value} is given twice")


def say_written(paths: Sequence[str], named: str) -> None:
    """Print the names of the files that were written, unless it is the one file that the user has named."""
    if paths and paths != [named]:
        say(f"written: {', '.join(paths)}")


def raise_failed(failed: list[str], n_data: int) -> None:
    """End with an error where a data set could not be evaluated."""
    if failed:
        raise OptionError(f"{len(failed)} of {n_data} data sets could not be evaluated: {', '.join(failed)}")
