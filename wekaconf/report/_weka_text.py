"""Weka's own report: the summary, the figures by class, and the confusion matrix, character for character."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from wekaconf.base.errors import OptionError
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.weka_statistics import WekaStatistics
from wekaconf.report._java_numbers import JAVA, java_aligned, java_fixed

LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLUMNS = {
    "TP Rate": ("true_positive_rate", 9),
    "FP Rate": ("false_positive_rate", 9),
    "Precision": ("precision", 11),
    "Recall": ("true_positive_rate", 9),
    "F-Measure": ("f_measure", 11),
    "MCC": ("matthews", 9),
    "ROC Area": ("roc_area", 10),
    "PRC Area": ("prc_area", 10),
}
"""The columns of the figures by class: attribute of `WekaStatistics`, and width."""
MARGIN = 17


def weka_report(answers: Answers, *, title: str = "=== Summary ===", java: int = JAVA) -> str:
    """The report that Weka's command line prints of an evaluation.

    Parameters
    ----------
    answers : Answers
        Several runs count together, as in one Evaluation object that cross-validates several times. Weka knows no
        rejection, so rejected answers count like others.
    title : str
        The first line.
    java : int
        The major version of the Java whose numbers to print.

    Raises
    ------
    OptionError
        Some classes are unknown.
    """
    if not answers.known.all():
        raise OptionError(
            "Weka's report has no place for an open set; leave the unknown classes out, or read the usual tables",
            value_of="answers",
        )
    figures, names = WekaStatistics.of(answers), answers.class_names
    parts = (summary(figures, java, title), class_details(figures, names, java), matrix(figures, names, java))
    return "\n\n".join(parts)


def title_of_protocol(protocol: str) -> str:
    """Weka's title for the answers of a protocol."""
    if protocol.startswith("tested on "):
        return "=== Error on test data ==="
    return "=== Error on test split ===" if "split" in protocol else "=== Stratified cross-validation ==="


def summary(figures: WekaStatistics, java: int, title: str = "=== Summary ===") -> str:
    """``Evaluation.toSummaryString``, with a title and without statistics of complexity."""
    return f"{title}\n\n" + "".join(f"{line}\n" for line in _summary_lines(figures, java))


def _summary_lines(figures: WekaStatistics, java: int) -> Iterator[str]:
    number = partial(java_aligned, width=12, places=4, java=java)
    whole = figures.with_class

    def with_percent(weight: float) -> str:
        return f"{number(weight)}     {number(100 * weight / whole if whole else math.nan)} %"

    if whole > 0:
        yield f"Correctly Classified Instances     {with_percent(figures.correct)}"
        yield f"Incorrectly Classified Instances   {with_percent(figures.incorrect)}"
        yield f"Kappa statistic                    {number(figures.kappa)}"
        yield f"Mean absolute error                {number(figures.mean_absolute_error)}"
        yield f"Root mean squared error            {number(figures.root_mean_squared_error)}"
        yield f"Relative absolute error            {number(figures.relative_absolute_error)} %"
        yield f"Root relative squared error        {number(figures.root_relative_squared_error)} %"
    if figures.unclassified > 1e-6:
        yield f"UnClassified Instances             {with_percent(figures.unclassified)}"
    yield f"Total Number of Instances          {number(whole)}"
    if figures.missing_class > 0:
        yield f"Ignored Class Unknown Instances            {number(figures.missing_class)}"


def class_details(figures: WekaStatistics, names: tuple[str, ...], java: int) -> str:
    """``Evaluation.toClassDetailsString()``."""
    columns = [(getattr(figures, attribute), width) for attribute, width in COLUMNS.values()]
    headings = "".join(f"{heading:<{width}}" for heading, (_, width) in COLUMNS.items())
    lines = ["=== Detailed Accuracy By Class ===", "", f"{'':{MARGIN}}{headings}Class"]
    for c, name in enumerate(names):
        cells = "".join(_cell(float(column[c]), width, java) for column, width in columns)
        lines.append(f"{'':{MARGIN}}{cells}{name}")
    means = "".join(_cell(figures.mean(column), width, java) for column, width in columns)
    lines.append(f"{'Weighted Avg.':{MARGIN}}{means}")
    return "\n".join(lines) + "\n"


def _cell(value: float, width: int, java: int) -> str:
    return f"{'?' if math.isnan(value) else java_fixed(value, java, places=3):<{width}}"


def matrix(figures: WekaStatistics, names: tuple[str, ...], java: int) -> str:
    """``Evaluation.toMatrixString()``."""
    rows = figures.confusion.tolist()
    fractions = [cell - round(cell) for row in rows for cell in row]
    is_fractional = any(fraction > 0 and math.log(fraction) / math.log(10) >= -2 for fraction in fractions)
    largest = max(map(max, rows))
    width = int(math.log(len(names)) / math.log(len(LETTERS)))
    if largest > 0:
        width = max(width, int(math.log(largest) / math.log(10) + (3 if is_fractional else 0)))
    width += 1
    id_width, gap = (width - 3, "   ") if is_fractional else (width, "")
    heading = "".join(f" {_short_id(c, id_width)}{gap}" for c in range(len(names)))
    lines = ["=== Confusion Matrix ===", "", f"{heading}   <-- classified as"]
    for c, (row, name) in enumerate(zip(rows, names, strict=True)):
        cells = "".join(f" {java_aligned(cell, width, 2 if is_fractional else 0, java)}" for cell in row)
        lines.append(f"{cells} | {_short_id(c, width)} = {name}")
    return "\n".join(lines) + "\n"


def _short_id(number: int, width: int) -> str:
    """The letters that stand for a class: a … z, aa, ab, …; cut from the left if they are longer than ``width``."""
    text = ""
    while number >= 0 and len(text) < width:
        number, letter = divmod(number, len(LETTERS))
        text = LETTERS[letter] + text
        number -= 1
    return f"{text:>{max(width, 0)}}"
