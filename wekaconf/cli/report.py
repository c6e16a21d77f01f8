"""``wekaconf study report``."""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING, Any

import click
import cloup

from wekaconf.base.errors import OptionError, spelled_out
from wekaconf.base.files import write_text
from wekaconf.base.naming import counted
from wekaconf.cli.command import command, progress_bar
from wekaconf.cli.compare import test_option
from wekaconf.cli.console import say, typed_command
from wekaconf.cli.evaluation_options import check_distinct_values
from wekaconf.cli.values import ENDINGS_OF_PAGES, NamedFile, OneOf, check_output
from wekaconf.report.comparison import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wekaconf.experiments.store import Store
    from wekaconf.report.evaluation import Result
    from wekaconf.report.pages import ComparisonOptions, Paper, Report


@command(
    "report",
    "wekaconf study report --store study.sqlite -o report.html",
    "wekaconf study report --store study.sqlite --metric brier -o report.html",
)
@cloup.option_group(
    "Data",
    click.option("--store", type=click.Path(), metavar="FILE",
                 help="Report what this store holds: that of wekaconf study run --store, or evaluate --store."),
    click.option("--cells", type=click.Path(), metavar="FOLDER",
                 help="Show published figures beside ours, as wekaconf study replicate -o has written them here."),
)  # fmt: skip
@cloup.option_group(
    "Comparison",
    click.option("--metric", "measures", type=OneOf(list(WORDS)), multiple=True, metavar="NAME",
                 help="Compare in this metric. May be repeated. Left out: nine of them, where they are defined. "
                 f"Names: {', '.join(WORDS)}."),
    click.option("--base", metavar="METHOD",
                 help="Compare the others with this one of the methods. Left out: leaf_frequency, the plain tree, else "
                 "the first."),
    test_option,
)  # fmt: skip
@cloup.option_group(
    "Output",
    click.option("--title", metavar="TEXT", help="The title of the page. Left out: the name of the study."),
    click.option("-o", "--output", required=True, type=NamedFile(*ENDINGS_OF_PAGES), callback=check_output,
                 metavar="FILE",
                 help="Write the page here, and the tables of a store beside it as LaTeX (.tex) and CSV (.csv)."),
)  # fmt: skip
def report_command(store: str | None, cells: str | None, measures: tuple[str, ...], base: str | None,
                   kind_and_level: tuple[Any, float], title: str | None, output: str) -> None:  # fmt: skip
    """Write one page on a study, for a browser.

    Findings come first; then tables with marks of significance, critical difference diagrams, curves of each data set,
    published figures beside ours, and how all of it was made. The page needs no other file and no network.
    """
    from wekaconf.report.pages import TITLE, ComparisonOptions, Report, read_papers

    if store is None and cells is None:
        raise click.UsageError("expected --store FILE, --cells FOLDER or both")
    check_distinct_values("--metric", measures)
    table_paths = {ending: os.path.splitext(output)[0] + ending for ending in (".tex", ".csv")}
    if store is not None and os.path.realpath(store) in map(os.path.realpath, (output, *table_paths.values())):
        raise click.UsageError(f"--output {output}: would overwrite the store; give it another name")
    papers = [] if cells is None else read_papers(cells)
    facts = {"Command": shlex.join(typed_command())}
    if store is None:
        report = Report(title or TITLE, papers=papers, facts=facts)
    else:
        report = _report_of_store(store, papers, facts, title, ComparisonOptions(measures, base, *kind_and_level))
    write_text(output, report.html())
    if report.parts:
        write_text(table_paths[".tex"], report.latex())
        write_text(table_paths[".csv"], report.csv())
    if report.unfinished:
        say(f"not finished: {counted(len(report.unfinished), 'evaluation')} to do; the page lists what is missing")


def _report_of_store(
    path: str, papers: list[Paper], facts: dict[str, str], title: str | None, options: ComparisonOptions
) -> Report:
    from wekaconf.experiments.store import Store
    from wekaconf.experiments.studies import study_in, unfinished
    from wekaconf.report.pages import Report

    with Store(path, must_exist=True) as store:
        study = study_in(store)
        missing, failed = unfinished(store)
        facts = {**facts, "Store": spelled_out(os.path.basename(path))}
        if study is not None:
            facts["Study"] = json.dumps(study.content(), indent=1, ensure_ascii=False)
            title = title or study.name
        further: dict[str, Any] = {"papers": papers, "unfinished": missing, "failed": failed, "facts": facts}
        report = Report.of(title or "Results", _with_progress(store), options, **further)
    if not report.parts and not papers:
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
