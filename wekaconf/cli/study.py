"""``wekaconf study``: studies of many data sets in one store."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click
import cloup

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import some
from wekaconf.cli.command import command, group, progress_bar
from wekaconf.cli.console import tell
from wekaconf.cli.interruption import resumable
from wekaconf.cli.options import Decorator, all_of
from wekaconf.cli.replicate import replicate_command
from wekaconf.cli.report import report_command
from wekaconf.cli.values import NamedFile, OneOf, check_output, whole_number

if TYPE_CHECKING:
    from wekaconf.experiments.studies import StudyStatus
    from wekaconf.experiments.workers import Progress

FORMATS = {"csv": (".csv",), "parquet": (".parquet", ".pq"), "arff": (".arff", ".arff.gz")}
"""The formats of an export, with the endings of their files."""
MOST_FAILURES = 10
"""The largest number of failures that are printed."""


store_option = click.option("--store", required=True, type=click.Path(), metavar="FILE",
                            help="The file that keeps the study and its results.")  # fmt: skip
_run_options = cloup.option_group(
    "Protocol",
    click.option("-j", "--jobs", type=whole_number(1), default="1", show_default=True, metavar="N",
                 help="Work in so many processes, each with a virtual machine of its own."),
    click.option("--backend", type=OneOf(["loky", "dask"]), default="loky", show_default=True, metavar="loky|dask",
                 help="Where: in processes on this machine (loky), or on the workers of a Dask scheduler."),
    click.option("--scheduler", metavar="ADDRESS",
                 help="The address of the Dask scheduler, such as tcp://10.0.0.1:8786. Trust it: it runs code here and "
                 "on its workers."),
    click.option("--again", is_flag=True, help="Also try again what failed before."),
)  # fmt: skip


def _options_of_a_run(*first: Decorator) -> Decorator:
    """The options of commands that run a study, after ``first``."""
    return all_of(*first, _run_options, cloup.option_group("Output", store_option))


@command("run", "wekaconf study run study.toml --store study.sqlite -j 2")
@_options_of_a_run(cloup.argument("study", type=click.Path(), help="The study, as TOML."))
def run_command(study: str, store: str, **options: Any) -> None:
    """Measure what a study asks for.

    What the store holds already is not measured again. So the same command finishes what an interrupted one has left,
    and nothing else.
    """
    _run(study, store, **options)


@command("resume", "wekaconf study resume --store study.sqlite")
@_options_of_a_run()
def resume_command(store: str, **options: Any) -> None:
    """Go on with the study that a store holds."""
    _run(None, store, **options)


@command("status", "wekaconf study status --store study.sqlite")
@store_option
def status_command(store: str) -> None:
    """Tell how far the study in a store has come."""
    from wekaconf.experiments.studies import study_status

    status = study_status(store)
    click.echo(str(status))
    for line in _failures(status):
        click.echo(line)


@command("export", "wekaconf study export --store study.sqlite -o folds.csv")
@store_option
@click.option("--format", "form", type=OneOf(list(FORMATS)), metavar="|".join(FORMATS),
              help="The format of the file; arff: of Weka's Experimenter. Left out: by the ending of -o, else "
              "csv.")  # fmt: skip
@click.option("-o", "--output", required=True, type=NamedFile(*chain.from_iterable(FORMATS.values())),
              callback=check_output, metavar="FILE",
              help="Write one row per data set, learner, method, run and fold here.")  # fmt: skip
def export_command(store: str, form: str | None, output: str) -> None:
    """Write what a store holds, fold by fold, for other programs."""
    from wekaconf.experiments.store import Store
    from wekaconf.experiments.studies import export

    with Store(store, must_exist=True) as opened:
        by_ending = (name for name, endings in FORMATS.items() if output.lower().endswith(endings))
        export(opened, output, form or next(by_ending, "csv"))


@group(
    "study", run_command, resume_command, status_command, report_command, export_command, replicate_command,
    examples=["wekaconf study run study.toml --store study.sqlite"],
)  # fmt: skip
def study_command() -> None:
    """Run a study of many data sets, learners, methods and protocols, or repeat a published one."""


def _run(study: str | None, store: str, jobs: int, backend: str, scheduler: str | None, again: bool) -> None:
    from wekaconf.experiments.studies import run_study

    if backend == "dask" and scheduler is None:
        raise click.UsageError("--backend dask needs --scheduler ADDRESS")
    if backend == "loky" and scheduler is not None:
        raise click.UsageError("--scheduler belongs to --backend dask")
    with resumable(store), progress_bar("") as bar:

        def follow(progress: Progress) -> None:
            bar.tell(str(progress), progress.share)

        status = run_study(study, store, jobs=jobs, scheduler=scheduler, again=again, on_progress=follow)
    click.echo(str(status))
    if status.failed:
        for line in _failures(status):
            tell(line)
        raise OptionError(f"{len(status.failed)} of {status.n_jobs} evaluations failed; --again tries them again")


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
