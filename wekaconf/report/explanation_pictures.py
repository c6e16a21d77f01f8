"""The accounts of answers as a picture, with one bar per step for the distribution after it."""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import TYPE_CHECKING

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.packages import needed
from wekaconf.base.plot_style import COLOURS, METADATA, MISSING_GLYPH, STYLE, WIDTH
from wekaconf.data.wording import class_text, decimal_mark, number
from wekaconf.methods.contract import outline, result_text
from wekaconf.report.explanations import Explained

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE, MOST_LINES, CHARACTERS, INDENT = 0.16, 200, 92, 3
"""Inches per line; the largest number of lines; characters per line; characters by which parts are indented."""
SPACE = "\u00a0"
"""The space for indents, since SVG leaves out other spaces at the beginning of a line."""


def as_svg(method: str, explained: Sequence[Explained]) -> str:
    """A picture with one panel per answer: its steps, from the answer down to the numbers that it follows from.

    Raises
    ------
    OptionError
        The steps are too many for a picture, or matplotlib is not installed.
    """
    with needed("a picture of an explanation", "report"):
        import matplotlib.style
        from matplotlib.figure import Figure
    rows_of_panels = []
    for answer in explained:
        with decimal_mark(answer.account.decimal):
            rows_of_panels.append([*_rows(answer)])
    n_lines = sum(map(len, rows_of_panels))
    if n_lines > MOST_LINES:
        raise OptionError(
            f"a picture holds {MOST_LINES} lines, these are {n_lines}; explain fewer answers, or choose html",
            parameter="form",
        )
    image = io.BytesIO()
    with matplotlib.style.context(["default", STYLE]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", MISSING_GLYPH.pattern)  # an SVG keeps texts as texts
        height = LINE * sum(len(rows) + 4 for rows in rows_of_panels) + 0.3
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        ratios = [len(rows) + 3 for rows in rows_of_panels]
        panels = figure.subplots(len(explained), 1, squeeze=False, height_ratios=ratios)
        for axes, answer, rows in zip(panels[:, 0], explained, rows_of_panels, strict=True):
            _draw(axes, answer, rows)
        figure.suptitle(_plain(method))
        figure.savefig(image, format="svg", metadata=METADATA["svg"])
    return image.getvalue().decode("utf-8")


def _rows(answer: Explained) -> Iterator[tuple[str, tuple[float, ...] | None]]:
    """Lines of text, each with the new distribution if it begins a step that changes the distribution."""
    account = answer.account
    for depth, words, step in outline(account.steps):
        result = step.result if step is not None and step.is_new and isinstance(step.result, tuple) else None
        yield from _lines(depth, words, result)
    if account.certainty.kind != "largest":
        yield from _lines(0, f"certainty {number(account.certainty.array.item())}:", None)
        for depth, words, step in outline(account.certainty, 1):
            result_words = f" = {result_text(account.class_names, step)}" if step is not None and step.is_new else ""
            yield from _lines(depth, words + result_words, None)


def _lines(depth: int, words: str, result: tuple[float, ...] | None) -> Iterator[tuple[str, tuple[float, ...] | None]]:
    """The indented lines of a text, the first with the result."""
    first, *rest = textwrap.wrap(words, CHARACTERS - INDENT * depth) or [""]
    yield SPACE * (INDENT * depth) + first, result
    for line in rest:
        yield SPACE * (INDENT * (depth + 1)) + line, None


def _draw(axes: Axes, answer: Explained, rows: Sequence[tuple[str, tuple[float, ...] | None]]) -> None:
    """The lines with their bars at the right."""
    names, proba = answer.account.class_names, answer.account.proba
    colours = dict(zip(range(len(names)), cycle(COLOURS), strict=False))
    for y, (text, result) in enumerate(rows):
        axes.text(0, y, _plain(text), fontsize=6, va="center", family="DejaVu Sans Mono")
        left, total = 1.02, sum(value for value in result or () if value > 0)
        for c, value in enumerate(result or ()):
            if total and value > 0:
                axes.barh(y, 0.2 * value / total, left=left, height=0.7, color=colours[c])
                left += 0.2 * value / total
    axes.set(xlim=(0, 1.24), ylim=(len(rows) - 0.5, -0.7))
    axes.set_axis_off()
    likely = sorted((c for c in range(len(names)) if proba[c] > 0), key=lambda c: -proba[c])[:6]
    handles = [axes.barh(0, 0, color=colours[c]) for c in likely]
    with decimal_mark(answer.account.decimal):
        labels = [f"{_plain(names[c])} {number(proba[c])}" for c in likely]
    axes.legend(handles, labels, loc="upper right", bbox_to_anchor=(1, 0), ncols=len(likely), fontsize=6)
    said = answer.account.reason.partition(": ")[0] or class_text(names[answer.account.predicted])
    heading = "; ".join(filter(None, (f"{answer.title}: {said}", answer.remarks)))
    axes.set_title(_plain(heading), fontsize=7, loc="left")


def _plain(text: str) -> str:
    """A text without control characters, in which a dollar sign begins no formula."""
    words = text.lstrip(SPACE)
    return SPACE * (len(text) - len(words)) + printable(words).replace("$", r"\$")
