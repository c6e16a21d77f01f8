"""The answers of an evaluation, instance by instance: as CSV with run and fold, and in the layout of Weka's ``-p``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

import numpy as np

from wekaconf.bridge import BACKQUOTED
from wekaconf.data.table_files import Texts
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.report._java_numbers import JAVA, java_decimal
from wekaconf.report._predictions import FLAG, INDEX, distinct_name
from wekaconf.report._table_formats import write_rows

PLACES = 3
"""Decimals of a probability in Weka's layout."""
WIDTH = 7 + PLACES


def write_answers(answers_of: Mapping[str, Answers], file: IO[str], *, ids: Texts | None = None) -> None:
    """Write answers as CSV, one line per method and answer, in the order in which they were given.

    Columns: method; run and fold, from 1; index, its row in the file, from 1; the columns of ``ids``, which name
    the rows, with " (input)" after a name that is one of ours; actual, empty if missing; predicted; error, empty if the
    class is missing; distribution_CLASS for every class; certainty; and, if there is a threshold, rejected.
    """
    names = next(iter(answers_of.values())).class_names
    has_threshold = any(not np.isnan(answers.threshold).all() for answers in answers_of.values())
    before = ["method", "run", "fold", INDEX]
    after = ["actual", "predicted", "error", *(f"distribution_{name}" for name in names), "certainty"]
    after += ["rejected"] * has_threshold
    id_columns = {distinct_name(name, (*before, *after)): texts for name, texts in (ids or {}).items()}
    write_rows(file, [[*before, *id_columns, *after]])
    for label, answers in answers_of.items():
        write_rows(file, _csv_rows(label, answers, [*id_columns.values()], has_threshold=has_threshold))


def _csv_rows(
    label: str, answers: Answers, ids: Sequence[Sequence[str | None]], *, has_threshold: bool
) -> Iterator[list[Any]]:
    names = (*answers.class_names, "")
    columns = (answers.run + 1, answers.fold + 1, answers.instance + 1, answers.actual, answers.predicted)
    further = (answers.is_correct, answers.proba, answers.certainty, answers.rejected)
    rows = zip(*(column.tolist() for column in (*columns, *further)), strict=True)
    for run, fold, index, actual, predicted, is_correct, proba, certainty, is_rejected in rows:
        error = "" if actual < 0 else FLAG[not is_correct]
        rejected = [FLAG[is_rejected]] if has_threshold else []
        place = [label, run, fold, index, *(texts[index - 1] or "" for texts in ids)]
        yield [*place, names[actual], names[predicted], error, *proba, certainty, *rejected]


def weka_predictions(answers: Answers, *, java: int = JAVA) -> str:
    """The lines that Weka's ``-p 0`` prints under its title: ``output.prediction.PlainText`` without attributes.

    Instances are counted from 1 in each fold; each run begins with a heading.
    """
    predicted = answers.proba.argmax(axis=1)
    shares = answers.proba[np.arange(len(predicted)), predicted]
    is_first = np.diff(answers.split, prepend=-1) != 0
    begin = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
    place = np.arange(len(predicted)) - begin + 1
    is_new_run = np.diff(answers.run, prepend=-1) != 0
    names = answers.class_names
    lines: list[str] = []
    columns = (place, answers.actual, predicted, shares, is_new_run)
    for number, actual, c, share, is_new in zip(*(column.tolist() for column in columns), strict=True):
        if is_new:
            lines.append("    inst#     actual  predicted error prediction")
        actual_text = f"{actual + 1}:{weka_quoted(names[actual])}" if actual >= 0 else "1:?"
        answer, proba = (f"{c + 1}:{names[c]}", java_decimal(share, java, places=PLACES)) if share > 0 else ("?", "?")
        mark = "+" if share > 0 and 0 <= actual != c else " "
        lines.append(f"{number:>9} {actual_text:>{WIDTH}} {answer:>{WIDTH}}   {mark}   {proba} ")
    return "".join(f"{line}\n" for line in lines)


def weka_quoted(text: str) -> str:
    """The text as Weka writes a nominal value: ``Utils.quote``."""
    escaped = "".join(BACKQUOTED.get(c, c) for c in text)
    needs_quotes = escaped != text or text in ("", "?") or any(c in text for c in "{}, ")
    return f"'{escaped}'" if needs_quotes else text
