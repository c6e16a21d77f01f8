"""``wekaconf advise``."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from dataclasses import replace
from typing import Any

import click
import cloup

from wekaconf.cli import options
from wekaconf.cli.command import command, progress_bar
from wekaconf.cli.console import Session, say
from wekaconf.cli.evaluation_options import ProtocolOptions, protocol_argument, protocol_options
from wekaconf.cli.loading import load_data
from wekaconf.cli.streams import encoding_of
from wekaconf.cli.values import OneOf, given_options
from wekaconf.data import stem
from wekaconf.data.table_files import Reading

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
PASSED_ON = ("types", "ignore", "table", "rename", "id", "class_attribute", "preprocess", "filters", "cost_matrix")
"""Options of the data, which the suggested command line needs, too."""


def read_duration(text: str) -> float:
    """A type of options: a time above 0 with its unit, in seconds."""
    match = re.fullmatch(r"([0-9]++\.?[0-9]*+|\.[0-9]++)\s*(s|m|min|h|)", text)
    if match is None or not float(match[1]) > 0:
        raise click.BadParameter(f"expected a time such as 60s, 5m or 1h, got '{text}'")
    return float(match[1]) * UNITS[match[2]]


@command(
    "advise",
    "wekaconf advise iris.arff",
    "wekaconf advise iris.arff --for ranking --budget 5m --runs 2",
    "wekaconf advise iris.arff --rivals",
    often=("-c", "--ignore", "--for", "--budget", "--rivals", "--learner", "-x", "--runs", "--hold-out", "--json"),
)
@cloup.argument("path", metavar="DATA", type=click.Path(), required=False,
                help="ARFF, CSV, TSV, Parquet or Excel file; - for standard input; or the name of a set, see "
                "'wekaconf list data'.")  # fmt: skip
@cloup.option_group(
    "Data",
    options.letters_of("path", "-t", "--train"),
    options.class_attribute,
    options.preprocess(has_folds=True),
    options.filters,
)
@options.tables
@cloup.option_group(
    "Method",
    click.option("--for", "purpose", type=OneOf(["rejecting", "ranking", "probabilities"]), default="rejecting",
                 show_default=True, metavar="rejecting|ranking|probabilities",
                 help="What the answers are for. rejecting: to tell which are wrong, or in an open set, which are of "
                 "an unknown class; ranking: to order instances; probabilities: to be taken at their word."),
    click.option("--budget", type=read_duration, default="60s", show_default=True, metavar="TIME",
                 help="Stop after this time, such as 60s, 5m or 1h; second_opinion and cheap methods come first."),
    click.option("--rivals", is_flag=True,
                 help="Measure methods of other packages, too, where these are installed: calibrated and conformal "
                 "trees, hierarchical shrinkage, a random forest, gradient boosting."),
    click.option("--exportable", is_flag=True,
                 help="Try only methods that 'wekaconf export' can write, on single trees."),
)  # fmt: skip
@options.learner
@protocol_options()
@protocol_argument
@cloup.option_group("Output", click.option("--json", "as_json", is_flag=True, help="Print the advice as JSON."))
@click.pass_context
def advise_command(context: click.Context, /, path: str, purpose: Any, budget: float, learner: str | None,
                   protocol: ProtocolOptions, class_attribute: str, columns: Reading, as_json: bool, rivals: bool,
                   exportable: bool, hold_out: float | None) -> None:  # fmt: skip
    """Recommend a method for a file.

    Every method that fits is cross-validated and compared with the plain tree. The first line says what to use and what
    that gains on folds that did not choose it, then comes the command line that uses it. -v shows all methods.
    """
    from wekaconf.experiments.advising import advise
    from wekaconf.model.scheme import scheme_of
    from wekaconf.report.printing import print_json_text, strict

    protocol.check(context)
    wanted, grower = protocol.make(), None
    if learner is not None:
        scheme = scheme_of(learner)
        grower, costs = scheme.learner, scheme.costs_beside(wanted.cost_matrix)
        wanted = replace(wanted, filters=(*wanted.filters, *scheme.filters), cost_matrix=costs)
    began = time.perf_counter()
    with progress_bar(stem(path)) as progress:
        data = load_data(path, columns, class_attribute, hold_out=hold_out).data
        advice = advise(
            data, purpose, budget=budget, protocol=wanted, learner=grower, rivals=rivals, exportable=exportable,
            name=stem(path), on_progress=progress.follow,
        )  # fmt: skip
    say(f"{stem(path)}: {time.perf_counter() - began:.1f} s", only_verbose=True)
    if as_json:
        command_line = {"command": advice.command(path, learner=learner, further=_data_options(context))}
        print_json_text(json.dumps(strict(advice.as_dict() | command_line), indent=2) + "\n")
    else:
        text = advice.text(path, learner=learner, further=_data_options(context), encoding=encoding_of(sys.stdout),
                           whole=Session.verbose)  # fmt: skip
        click.echo(text, nl=False)


def _data_options(context: click.Context) -> str:
    """The options of the data as they were typed, for the command line that is suggested."""
    parts: list[str] = []
    for parameter in context.command.params:
        if parameter.name in PASSED_ON and given_options(context, parameter.name):
            value = context.params[parameter.name]
            for each in value if isinstance(value, tuple) else (value,):
                parts += [parameter.opts[-1], str(each)]
    return shlex.join(parts)
