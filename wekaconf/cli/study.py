"""``wekaconf study``: studies of many data sets in one store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import cloup

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import some
from wekaconf.cli.command import command, group, progress_bar
from wekaconf.cli.console import tell
from wekaconf.cli.interruption import resumable
from wekaconf.cli.replicate import replicate_command
from wekaconf.cli.report import report_command
from wekaconf.cli.values import NamedFile, check_output, whole_number

if TYPE_CHECKING:
    from wekaconf.experiments.studies import StudyStatus
    from wekaconf.experiments.workers import Progress

EXPORTS = (".csv", ".parquet", ".pq", ".arff", ".arff.gz")
"""The endings of the files that a store can be exported to."""
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

    with resumable(store), progress_bar("") as bar:

        def follow(progress: Progress) -> None:
            bar.tell(str(progress), progress.share)

        status = run_study(study, store, jobs=jobs, scheduler=scheduler, again=again, on_progress=follow)
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


@command("export", "wekaconf study export --store study.sqlite -o folds.csv")
@store_option
@click.option("-o", "--output", required=True, type=NamedFile(*EXPORTS), callback=check_output, metavar="FILE",
              help="Write one row per data set, learner, method, run and fold here.")  # fmt: skip
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
