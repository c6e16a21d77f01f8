"""Recomputing printed tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click
import cloup

from wekaconf.cli.command import SETTINGS, command, in_help
from wekaconf.cli.common import Decorator, all_of, common, progress_bar, record_options, write_records
from wekaconf.cli.interruption import resumable
from wekaconf.cli.values import whole_number
from wekaconf.errors import OptionError

if TYPE_CHECKING:
    from wekaconf.replication.runner import Replicated, Underway
    from wekaconf.report.progress import Progress


@cloup.group("replicate", context_settings=SETTINGS, epilog=in_help("wekaconf replicate wang2006 --help"))
def replicate_command() -> None:
    """Recompute the printed tables of a paper."""


def _study(*protocol: Decorator) -> Decorator:
    """The folder and the options that every study has, and its own of the protocol."""
    return all_of(
        cloup.argument("folder", type=click.Path(), help="Folder of the data sets, as ARFF files, gzipped or not."),
        cloup.option_group(
            "Data",
            click.option("--set", "sets", multiple=True, metavar="NAME",
                         help="Measure only this data set, named as its file. May be repeated."),
        ),
        cloup.option_group(
            "Protocol",
            *protocol,
            click.option("-j", "--jobs", type=whole_number(1), default="1", show_default=True, metavar="N",
                         help="Measure so many data sets at a time, each in a process of its own."),
        ),
        cloup.option_group(
            "Output",
            *record_options,
            click.option("--resume", type=click.Path(), metavar="STORE",
                         help="Keep each finished data set in this file, and go on from there when an interrupted "
                         "command is run again."),
        ),
    )  # fmt: skip


def _seed(text: str, low: int | None = None) -> Decorator:
    return click.option("-s", "--seed", type=whole_number(low), default="1", show_default=True, metavar="N", help=text)


@command("wang2006", "wekaconf replicate wang2006 uci --set iris --runs 1")
@_study(
    click.option(
        "--runs",
        type=whole_number(1),
        default="5",
        show_default=True,
        metavar="N",
        help="Run so many ten-fold cross-validations, with the seeds s, s + 1 and so on; the paper has 5.",
    ),
    _seed("Seed of Weka's folds."),
)
@common
def replicate_wang2006_command(folder: str, sets: tuple[str, ...], runs: int, seed: int, jobs: int,
                               resume: str | None, csv_path: str | None, json_file: str | None) -> None:  # fmt: skip
    """Recompute Tables 3 and 4 of Wang and Zhang 2006.

    The files are named as in the tables ("sink" is sick.arff). Printed are our figures, the published ones, and their
    difference; then means of what the paper's text and an honest reading of it give. The published figures of WPE and
    of the combination are met only by showing both the class of the test instances.
    """
    from wekaconf.replication.wang2006 import comparison
    from wekaconf.replication.wang2006 import tables as wang2006_tables

    with progress_bar("wang2006") as progress, resumable(resume):
        done = wang2006_tables.replicate(
            folder, sets=sets, runs=runs, seed=seed, jobs=jobs, resume=resume, on_progress=partial(_show, progress)
        )
    n_sets = len(set(sets) or wang2006_tables.data_sets())
    _tell(done, n_sets, comparison.print_tables, csv_path, json_file)


@command("costa2013", "wekaconf replicate costa2013 uci --set iris --set wine -j 2 --resume done")
@_study(_seed("Seed of the bags.", 0))
@common
def replicate_costa2013_command(folder: str, sets: tuple[str, ...], seed: int, jobs: int, resume: str | None,
                                csv_path: str | None, json_file: str | None) -> None:  # fmt: skip
    """Recompute Tables 1 to 3 of Costa, Verwer and Blockeel 2013.

    The files are UCI data sets under Weka's names, the class last. The paper does not name its 48, so 46 are chosen by
    size. Printed are Brier score, AUC and AUC reliability of TPCE and its rivals on each, by leave-one-out; then means,
    wins, ties and losses, and tests, beside the published ones; and how much of TPCE's advantage over the plain tree
    Laplace's correction alone already has. No Java is needed.
    """
    from wekaconf.replication.costa2013 import study as costa2013
    from wekaconf.replication.costa2013 import tables as costa2013_tables

    with progress_bar("costa2013") as progress, resumable(resume):
        done = costa2013.replicate(
            folder, sets=sets, seed=seed, jobs=jobs, resume=resume, on_progress=partial(_show, progress)
        )
    n_sets = len(set(sets) or costa2013.DATA_SETS)
    _tell(done, n_sets, costa2013_tables.print_tables, csv_path, json_file)


replicate_command.add_command(replicate_wang2006_command)
replicate_command.add_command(replicate_costa2013_command)


def _show(progress: Progress, underway: Underway) -> None:
    """Which data sets are being measured, how many are done, and how much of the work."""
    now = f": {', '.join(underway.running)}" if underway.running else ""
    progress.tell(f"{underway.n_done}/{underway.n_sets} sets{now}", underway.share)


def _tell(done: Replicated, n_sets: int, print_tables: Callable[[Sequence[Mapping[str, Any]], int], None],
          csv_path: str | None, json_file: str | None) -> None:  # fmt: skip
    """Print and write what was measured; OptionError unless it is all."""
    from wekaconf.replication.runner import some

    for name, why in done.failed.items():
        click.echo(f"left out: {name}: {why}", err=True)
    if done.records:
        print_tables(done.records, n_sets)
        write_records(done.records, csv_path, json_file)
    if left_out := [*done.missing, *done.failed]:
        raise OptionError(f"{len(left_out)} of {n_sets} data sets could not be run: {some(left_out)}")
