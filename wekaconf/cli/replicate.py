"""``wekaconf study replicate``: recomputes the printed tables and figures of the papers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

import click
import cloup

from wekaconf.base.errors import OptionError, WekaconfError
from wekaconf.base.files import make_folder, write_text
from wekaconf.base.naming import counted, enumeration, some
from wekaconf.cli.command import command, progress_bar
from wekaconf.cli.console import Session, say, tell, typed_command
from wekaconf.cli.interruption import resumable
from wekaconf.cli.values import OneOf, given_options, whole_number
from wekaconf.cli.wording import in_command_words
from wekaconf.replication.papers import PAPERS

if TYPE_CHECKING:
    from wekaconf.replication.papers import Request

ALL = "all"


@command(
    "replicate",
    "wekaconf study replicate wang2006 --set iris --table 3 --runs 1 --data uci",
    "wekaconf study replicate costa2013 --set wine --runs 2 --data uci -o out",
)
@cloup.argument("paper", type=OneOf([*PAPERS, ALL]), metavar="PAPER", help=f"One of {', '.join(PAPERS)}; or all.")
@cloup.option_group(
    "Data",
    click.option("--data", type=click.Path(), metavar="FOLDER",
                 help="Folder of the data sets, as ARFF files, gzipped or not. Left out: those that WEKACONF_DATA "
                 "names, and what 'wekaconf fetch' has fetched."),
    click.option("--set", "sets", multiple=True, metavar="NAME",
                 help="Measure only this data set, named as its file. May be repeated."),
)  # fmt: skip
@cloup.option_group(
    "Protocol",
    *(
        click.option(f"--{kind}", f"{kind}s", multiple=True, metavar="N",
                     help=f"Recompute only this {kind}. May be repeated, and joined with the others.")
        for kind in ("table", "figure", "section")
    ),
    click.option("--reading", metavar="NAME", help="Compare this reading of the paper; a wrong name lists them."),
    click.option("--runs", type=whole_number(1), metavar="N",
                 help="Repeat what is drawn at random, such as folds, so often, with the seeds s, s + 1 and so on. "
                 "Left out: as often as the paper."),
    click.option("-s", "--seed", type=whole_number(0), default="1", show_default=True, metavar="N",
                 help="The first seed; the documented figures were made with 1."),
    click.option("--quick", is_flag=True,
                 help="A trial: take only some data sets and few runs, for half a minute per paper."),
    click.option("-j", "--jobs", type=whole_number(1), default="1", show_default=True, metavar="N",
                 help="Measure so many data sets at a time, each in a process of its own."),
)  # fmt: skip
@cloup.option_group(
    "Output",
    click.option("-o", "--output", type=click.Path(file_okay=False), metavar="FOLDER",
                 help="Also write cells, records, findings, figures, versions and the command into a folder per paper "
                 "inside this one; of all papers also one report.txt."),
    click.option("--store", type=click.Path(), metavar="STORE",
                 help="Keep each finished data set there, and go on from there when an interrupted command is run "
                 "again."),
)  # fmt: skip
@click.pass_context
def replicate_command(context: click.Context, /, paper: str, data: str | None, sets: tuple[str, ...],
                      tables: tuple[str, ...], figures: tuple[str, ...], sections: tuple[str, ...],
                      reading: str | None, runs: int | None, seed: int, quick: bool, jobs: int,
                      output: str | None, store: str | None) -> None:  # fmt: skip
    """Recompute the printed tables and figures of a paper.

    Each published figure stands beside ours, with the difference and a verdict. Met: inside the interval of our
    repetitions. Close: inside one twice as wide. Else it differs; or it is underspecified (the paper does not say
    enough), or there are no data. A summary comes first; -v, or a part that is named, adds the figures.
    """
    from wekaconf.replication.papers import Request

    if paper == ALL and (options := given_options(context, "sets", "tables", "figures", "sections", "reading", "runs")):
        raise click.UsageError(f"{options[0]} belongs to one paper; name it instead of '{ALL}'")
    request = Request(
        data=() if data is None else (data,),
        parts=(*(f"table {n}" for n in tables), *(f"figure {n}" for n in figures), *(f"section {n}" for n in sections)),
        sets=sets, reading=reading, runs=runs, seed=seed, quick=quick, jobs=jobs, resume=store,
    )  # fmt: skip
    if output is not None:
        make_folder(output)
    if paper != ALL:
        _, left_out = _replicate(paper, request, output)
        if left_out:
            raise OptionError(f"{counted(len(left_out), 'data set')} could not be measured: {some(left_out)}")
        return
    texts, failed = [], []
    for each in PAPERS:
        try:
            text, left_out = _replicate(each, request, output)
        except WekaconfError as error:
            tell(f"left out: {each}: {in_command_words(error)}")
            left_out = [each]
        else:
            texts.append(text)
            click.echo()
        failed += [each] if left_out else []
    if output is not None and texts:
        write_text(os.path.join(output, "report.txt"), "\n\n".join(texts))
    if failed:
        raise OptionError(f"{', '.join(failed)}: not all of it could be measured")


def _replicate(paper: str, request: Request, output: str | None) -> tuple[str, list[str]]:
    """Measure, print and write one paper; its report if it is written, and the data sets that could not be measured."""
    from wekaconf.replication import papers, writing

    study = papers.study_of(paper)
    papers.check_request(study, request)
    with ExitStack() as stack:
        progress = stack.enter_context(progress_bar(paper))
        stack.enter_context(resumable(request.resume))
        results = study.run(replace(request, on_progress=progress.tell))
    for name, error in results.failed.items():
        tell(f"left out: {name}: {error}")
    text = "" if output is None else writing.report(study, request, results)
    if results.records or results.cells or results.figures:
        if output is not None:  # first, so that the results are kept if printing fails
            place = writing.write_results(output, study, request, results, text, typed_command())
        with _print_at_end():
            writing.print_results(study, request, results, with_details=Session.verbose or bool(request.parts))
        if output is not None:
            say(f"written: {place}")
        elif results.figures and request.parts:
            say(f"{enumeration(list(results.figures))}: drawn if you name a folder with -o")
    return text, [*results.missing, *results.failed]


@contextmanager
def _print_at_end() -> Iterator[None]:
    """Unless a terminal reads it, print the output of the block at its end, so that an interruption leaves no half."""
    if sys.stdout.isatty():
        yield
        return
    with redirect_stdout(StringIO()) as printed:
        yield
    sys.stdout.write(printed.getvalue())
