"""Recomputing printed tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from wekaconf.cli.common import NamedFile, check_output, common, progress_bar
from wekaconf.errors import OptionError
from wekaconf.files import atomic_write

if TYPE_CHECKING:
    from wekaconf.replication.runner import Replicated


@click.group("replicate")
def replicate_group() -> None:
    """Recompute the printed tables of a paper."""


def _study(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every study has but for the data sets, which come first, and its own."""
    for option in (
        click.option("--json-file", type=NamedFile(".json"), callback=check_output,
                     help="Also write the records as JSON."),
        click.option("--csv", "csv_path", type=NamedFile(".csv"), callback=check_output,
                     help="Also write the records as CSV."),
        click.option("--resume", type=click.Path(), metavar="FOLDER",
                     help="Keep each finished data set in this folder; what is finished there is not run again."),
        click.option("-j", "--jobs", default=1, show_default=True, type=click.IntRange(1), metavar="N",
                     help="Data sets at a time, each in a process, and if need be with a Java, of its own."),
    ):  # fmt: skip
        command = option(command)
    return command


@replicate_group.command("wang2006")
@click.argument("folder", type=click.Path())
@click.option("--set", "sets", multiple=True, metavar="NAME",
              help="Only this data set, named as its file. May be repeated.")  # fmt: skip
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1), metavar="N",
              help="Ten-fold cross-validations, with the seeds s, s + 1, …; the paper has 5.")  # fmt: skip
@click.option("-s", "--seed", default=1, show_default=True, help="Of Weka's folds.")
@_study
@common
def replicate_wang2006_command(folder: str, sets: tuple[str, ...], runs: int, seed: int, jobs: int,
                               resume: str | None, csv_path: str | None, json_file: str | None) -> None:  # fmt: skip
    """Recompute Tables 3 and 4 of Wang and Zhang 2006.

    FOLDER holds the data sets as ARFF files, named as in the tables ("sink" is sick.arff). Printed are our figures,
    the published ones, and their difference; then means of what the paper's text and an honest reading of it give.
    The published figures of WPE and of the combination are met only by showing both the class of the test instances.
    """
    from wekaconf.replication import comparison
    from wekaconf.replication.wang2006 import tables as wang2006_tables

    with progress_bar("wang2006") as progress:
        done = wang2006_tables.replicate(
            folder, sets=sets, runs=runs, seed=seed, jobs=jobs, resume=resume,
            on_start=progress.of, on_set=progress.advance,
        )  # fmt: skip
    n_sets = len(set(sets) or wang2006_tables.data_sets())
    _tell(done, n_sets, comparison.print_tables, csv_path, json_file)


@replicate_group.command("costa2013")
@click.argument("folder", type=click.Path())
@click.option("--set", "sets", multiple=True, metavar="NAME",
              help="Only this data set, any file of the folder by its name. May be repeated.")  # fmt: skip
@click.option("-s", "--seed", default=1, show_default=True, type=click.IntRange(0), help="Of the bags.")
@_study
@common
def replicate_costa2013_command(folder: str, sets: tuple[str, ...], seed: int, jobs: int, resume: str | None,
                                csv_path: str | None, json_file: str | None) -> None:  # fmt: skip
    """Repeat the study of Costa, Verwer and Blockeel 2013, Tables 1 to 3.

    FOLDER holds UCI data sets as ARFF files with Weka's names, the class last. The paper does not name its 48, so 46
    are chosen by size. Printed are Brier score, AUC and AUC reliability of TPCE and its rivals on each, by
    leave-one-out; then means, wins, ties and losses, and tests, beside the published ones; and how much of TPCE's
    advantage over the plain tree Laplace's correction alone already has. No Java is needed.
    """
    from wekaconf.replication.costa2013 import study as costa2013
    from wekaconf.replication.costa2013 import tables as costa2013_tables

    with progress_bar("costa2013") as progress:
        done = costa2013.replicate(
            folder, sets=sets, seed=seed, jobs=jobs, resume=resume, on_start=progress.of, on_set=progress.advance
        )
    n_sets = len(set(sets) or costa2013.DATA_SETS)
    _tell(done, n_sets, costa2013_tables.print_tables, csv_path, json_file)


def _tell(done: Replicated, n_sets: int, print_tables: Callable[[Sequence[Mapping[str, Any]], int], None],
          csv_path: str | None, json_file: str | None) -> None:  # fmt: skip
    """Print and write what was measured; OptionError unless it is all."""
    from wekaconf.report import tables

    for name, why in done.failed.items():
        click.echo(f"left out: {name}: {why}", err=True)
    if done.records:
        print_tables(done.records, n_sets)
        for target, write in ((csv_path, tables.write_csv), (json_file, tables.write_json)):
            if target is not None:
                with atomic_write(target, "w") as file:
                    write(done.records, file)
    if left_out := [*done.missing, *done.failed]:
        raise OptionError(f"{len(left_out)} of {n_sets} data sets could not be run: {', '.join(left_out)}")
