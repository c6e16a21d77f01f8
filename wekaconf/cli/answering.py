"""A model asked about a file, part after part, its answers written in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wekaconf.cli.common import name_of, progress_bar
from wekaconf.cli.console import say
from wekaconf.data.matching import Unseen
from wekaconf.data.tables import Loaded, joined
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.model import Model
from wekaconf.reading import parts_like
from wekaconf.report.answer_files import Write, answer_file
from wekaconf.report.answer_summary import Summary
from wekaconf.report.predictions import LeastCertain, Predictions


def answer(asked: Model, test: str, output: str | None, *, unseen: Unseen, strict: bool, keep: Sequence[str] | None,
           is_sorted: bool, top: int | None) -> Summary | None:  # fmt: skip
    """Write what a model answers for the instances of a file; summed up unless it goes to standard output.

    Parameters
    ----------
    asked : Model
    test : str
    output : str, optional
        See `answer_file`.
    unseen, strict
        See `Dataset.conform`.
    keep : sequence of str, optional
        Columns to pass through; None: all.
    is_sorted : bool
        Whether the least certain come first.
    top : int, optional
        Write only so many.
    """
    with progress_bar(name_of(test)) as progress:
        parts = parts_like(
            test, asked.header, asked.reading, unseen=unseen, strict=strict, keep=keep, on_read=progress.follow
        )
        if isinstance(asked.method, LeavesOneOut):
            whole = joined(parts)
            if cost := asked.method.cost(len(whole.data), asked.method.tree_.header):
                say(f"note: {name_of(test)}: {cost}")
            asked.method.on_progress = progress.follow
            parts = iter([whole])
        summary = None if output is None else Summary(output, asked.reading.id)
        with answer_file(output) as write:
            _write(_predictions(parts, asked, unseen, test), summary, write, is_sorted=is_sorted, top=top)
    return summary


def _predictions(parts: Iterator[Loaded], asked: Model, unseen: Unseen, test: str) -> Iterator[Predictions]:
    """The answers for part after part of a file."""
    before = 0
    for part in parts:
        data = asked.conform(part.data, unseen=unseen, what=test)
        yield Predictions(asked.method, data, below=asked.threshold, kept=part.kept, before=before)
        before += len(data)


def _write(
    parts: Iterator[Predictions], summary: Summary | None, write: Write, *, is_sorted: bool, top: int | None
) -> None:
    """Write the answers in their order, and take them into the summary."""
    least_certain, left = LeastCertain(top), top
    for part in parts:
        if summary is not None:
            summary.add(part)
        if is_sorted:
            least_certain.add(part)
        else:
            write(part.table(slice(left)))
            left = None if left is None else max(left - len(part), 0)
    if is_sorted:
        write(least_certain.table())
