"""``wekaconf study``: studies of many data sets in one store."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click
import cloup

from wekaconf.base.errors import OptionError, spelled_out
from wekaconf.base.files import write_text
from wekaconf.base.naming import counted, some
from wekaconf.cli.command import command, group, progress_bar
from wekaconf.cli.compare import test_option
from wekaconf.cli.console import say, tell, typed_command
from wekaconf.cli.evaluation_options import check_distinct_values, say_written
from wekaconf.cli.interruption import resumable
from wekaconf.cli.replicate import replicate_command
from wekaconf.cli.values import ENDINGS_OF_PAGES, NamedFile, OneOf, check_output, whole_number
from wekaconf.report.comparison import WORDS
from wekaconf.report.experimenter import FOLD_ENDINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wekaconf.experiments.store import Store
    from wekaconf.experiments.studies import StudyStatus
    from wekaconf.report.evaluation import Result
    from wekaconf.report.pages import ComparisonOptions, Report


MOST_FAILURES = 10
"""The largest number of failures that are printed."""
store_option = click.option("--store", required=True, type=click.Path(), metavar="FILE",
                            help="The file that keeps the study and its results.")  # fmt: skip
_run_options = cloup.option_group(
    "Protocol",
    click.option("-j", "--jobs", type=whole_number(1), default="1", show_default=True, metavar="N",
                 help="Work in so many processes, each with a virtual machine of its own."),
    click.option("--scheduler", metavar="ADDRESS",
                 help="Work instead on the workers of the Dask scheduler at this address, such as "
                 "tcp://10.0.0.1:8786. Trust it: it runs code here and on its workers."),
    click.option("--again", is_flag=True, help="Also try again what failed before."),
)  # fmt: skip


@command("run", "wekaconf study run study.toml --store study.sqlite -j 2")
@cloup.argument("study", type=click.Path(), required=False, help="The study, as TOML. Left out: the one in the store.")
@_run_options
@cloup.option_group("Output", store_option)
def run_command(study: str | None, store: str, jobs: int, scheduler: str | None, again: bool) -> None:
    """Measure what a study asks for.

    What the store holds already is not measured again. So the same command finishes what an interrupted one has left,
    and nothing else.
    """
    from wekaconf.experiments.studies import run_study
    from wekaconf.experiments.workers import dask_workers

    workers = nullcontext() if scheduler is None else dask_workers(scheduler)
    with resumable(store), progress_bar("") as bar, workers:
        status = run_study(study, store, jobs=jobs, again=again, on_progress=bar.tell)
    click.echo(str(status))
    if status.failed:
        for line in _failures(status):
            tell(line)
        raise OptionError(f"{len(status.failed)} of {status.n_jobs} evaluations failed; --again tries them again")


@command("status", "wekaconf study status --store study.sqlite")
@store_option
def status_command(store: str) -> None:
    """Tell how far the study in a store has come."""
    from wekaconf.experiments.studies import study_status

    status = study_status(store)
    click.echo(str(status))
    for line in _failures(status):
        click.echo(line)


@command(
    "report",
    "wekaconf study report --store study.sqlite -o report.html",
    "wekaconf study report --store study.sqlite --metric brier -o report.html",
)
@cloup.option_group(
    "Data",
    click.option("--store", required=True, type=click.Path(), metavar="FILE",
                 help="Report what this store holds: that of wekaconf study run --store, or evaluate --store."),
)  # fmt: skip
@cloup.option_group(
    "Comparison",
    click.option("--metric", "measures", type=OneOf(list(WORDS)), multiple=True, metavar="NAME",
                 help="Compare in this metric. May be repeated. Left out: eleven of them, where they are defined. "
                 f"Names: {', '.join(WORDS)}."),
    click.option("--base", metavar="METHOD",
                 help="Compare the others with this one of the methods. Left out: leaf_frequency, the plain tree, else "
                 "the first."),
    test_option,
)  # fmt: skip
@cloup.option_group(
    "Output",
    click.option("-o", "--output", required=True, type=NamedFile(*ENDINGS_OF_PAGES), callback=check_output,
                 metavar="FILE",
                 help="Write the page here, and its tables beside it as LaTeX (.tex) and CSV (.csv)."),
)  # fmt: skip
def report_command(
    store: str, measures: tuple[str, ...], base: str | None, kind_and_level: tuple[Any, float], output: str
) -> None:
    """Write one page on a study, for a browser.

    Findings come first; then tables with marks of significance, critical difference diagrams, curves of each data set,
    and how all of it was made. The page needs no other file and no network.
    """
    from wekaconf.report.pages import ComparisonOptions

    check_distinct_values("--metric", measures)
    table_paths = {ending: os.path.splitext(output)[0] + ending for ending in (".tex", ".csv")}
    if os.path.realpath(store) in map(os.path.realpath, (output, *table_paths.values())):
        raise click.UsageError(f"--output {output}: would overwrite the store; give it another name")
    report = _report_of_store(store, ComparisonOptions(measures, base, *kind_and_level))
    write_text(output, report.html())
    write_text(table_paths[".tex"], report.latex())
    write_text(table_paths[".csv"], report.csv())
    say_written([output, *table_paths.values()], output)
    if report.unfinished:
        say(f"not finished: {counted(len(report.unfinished), 'evaluation')} to do; the page lists what is missing")


@command("export", "wekaconf study export --store study.sqlite -o folds.csv")
@store_option
@click.option("-o", "--output", required=True, type=NamedFile(*FOLD_ENDINGS), callback=check_output, metavar="FILE",
              help="Write one row per data set, learner, method, run and fold here, as CSV, JSON, Parquet, or as an "
              "ARFF file that the Analyse tab of Weka's Experimenter opens.")  # fmt: skip
def export_command(store: str, output: str) -> None:
    """Write what a store holds, fold by fold, for other programs."""
    from wekaconf.experiments.store import Store
    from wekaconf.experiments.studies import export

    with Store(store, must_exist=True) as opened:
        export(opened, output)


@group(
    "study", run_command, status_command, report_command, export_command, replicate_command,
    examples=["wekaconf study run study.toml --store study.sqlite"],
)  # fmt: skip
def study_command() -> None:
    """Run a study of many data sets, learners, methods and protocols, or repeat a published one."""


def _failures(status: StudyStatus) -> list[str]:
    """One line per data set, learner and error."""
    methods: dict[tuple[str, str, str], list[str]] = {}
    for job, error in status.failed.items():
        methods.setdefault((job.data_set, job.learner, error), []).append(job.method)
    lines = [
        f"failed: {data_set}, {some(list(dict.fromkeys(names)))} on {learner}: {error}"
        for (data_set, learner, error), names in methods.items()
    ]
    n_others = len(lines) - MOST_FAILURES
    return lines if n_others <= 1 else [*lines[:MOST_FAILURES], f"and {n_others} more"]


def _report_of_store(path: str, options: ComparisonOptions) -> Report:
    from wekaconf.experiments.store import Store
    from wekaconf.experiments.studies import study_in, unfinished
    from wekaconf.report.pages import Report

    with Store(path, must_exist=True) as store:
        study = study_in(store)
        missing, failed = unfinished(store)
        facts = {"Command": shlex.join(typed_command()), "Store": spelled_out(os.path.basename(path))}
        if study is not None:
            facts["Study"] = json.dumps(study.content(), indent=1, ensure_ascii=False)
        title = "Results" if study is None else study.name
        report = Report.of(title, _with_progress(store), options, unfinished=missing, failed=failed, facts=facts)
    if not report.parts:
        reason = f"; {counted(len(failed), 'evaluation')} failed, such as {failed[0]}" if failed else ""
        raise OptionError(
            f"{path}: nothing is finished yet, so there is nothing to report{reason}; run the study first",
            value_of="store",
        )
    return report


def _with_progress(store: Store) -> Iterator[Result]:
    """The results of the store, with a progress bar."""
    n = len(store.records())
    with progress_bar("") as progress:
        for i, result in enumerate(store.results()):
            progress.tell(f"{i}/{n} results: {result.record['dataset']}", i / n)
            yield result
