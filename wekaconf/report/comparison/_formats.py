"""A comparison as text, LaTeX, HTML and CSV."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from html import escape
from io import StringIO
from typing import Any, NamedTuple

import numpy as np

from wekaconf.base.errors import printable
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.measures import mean_of
from wekaconf.methods.contract import display_of
from wekaconf.report._table_formats import escape_latex, latex_table, write_rows
from wekaconf.report.comparison._compared import NOT_TESTED, ComparisonFigures
from wekaconf.report.comparison._measures import REACHED, reached_text, value_text
from wekaconf.report.comparison._sentences import how_tested, sentences_of
from wekaconf.report.printing import (
    IN_NAMES,
    IN_TITLES,
    UNDEFINED,
    Block,
    Column,
    Names,
    fold,
    print_blocks,
    print_legend,
    print_text,
)

HEADING_WIDTH = 18
"""Characters to which the name of a scheme is folded in a printed table."""
LATEX_MARKS = {"v": r"$\circ$", "*": r"$\bullet$", NOT_TESTED: "?", "": ""}
"""The marks as Weka's Experimenter writes them."""
WINS, LATEX_WINS = "(v/ /*)", r"($\circ$/ /$\bullet$)"
"""The name of the line that counts the marks; LaTeX has others."""
BOLD = "The best of a line is bold."


class Grid(NamedTuple):
    """A table of texts; its columns are the schemes."""

    cells: list[list[str]]
    last: dict[str, list[str]]
    """The lines below the rule, by their names."""
    best: list[list[bool]]
    """Whether a cell holds the best value of its line; of several that read alike each one."""
    best_last: dict[str, list[bool]]


def with_display_names(compared: ComparisonFigures) -> ComparisonFigures:
    """The comparison with the names that schemes have in documents: the display names of their methods."""
    return replace(compared, schemes=tuple(map(display_of, compared.schemes)))


def as_text(compared: ComparisonFigures, *, std: bool) -> str:
    """See `Comparison.text`."""
    grid = grid_of(compared, std=std)
    blocks = []
    for place, scheme in enumerate(compared.schemes):
        last = [line[place] for line in grid.last.values()]
        columns = [Column("\n".join(fold(scheme, HEADING_WIDTH, IN_NAMES)), [row[place] for row in grid.cells], last)]
        if place:
            columns.append(Column("", [row[place] for row in compared.marks], [""] * len(last), "left"))
        blocks.append(Block("", columns))
    with redirect_stdout(StringIO()) as printed:
        print_text(compared.title, marks=IN_TITLES)
        print_blocks(Names("data set", [("", name) for name in compared.data_sets], list(grid.last)), blocks)
        print_legend(legend_of(compared, grid))
        printed.write("\n")
        for sentence in sentences_of(compared):
            print_text(sentence, hanging=2)
    return printed.getvalue()


def as_latex(compared: ComparisonFigures, *, std: bool) -> str:
    """See `Comparison.latex`."""
    compared = with_display_names(compared)
    grid, put = grid_of(compared, std=std), escape_latex
    columns = "l r" + "".join(r" r@{\,}l" for _ in compared.schemes[1:])
    headings = [
        put("data set"),
        put(compared.base),
        *(rf"\multicolumn{{2}}{{c}}{{{put(s)}}}" for s in compared.schemes[1:]),
    ]

    def line(name: str, cells: list[str], best: list[bool], marks: tuple[str, ...]) -> str:
        texts = [rf"\textbf{{{put(cell)}}}" if bold else put(cell) for cell, bold in zip(cells, best, strict=True)]
        rest = [f"{text} & {LATEX_MARKS[mark]}" for text, mark in zip(texts[1:], marks[1:], strict=True)]
        return " & ".join([put(name), texts[0], *rest]).rstrip() + r" \\"

    none = ("",) * len(compared.schemes)
    body = [line(*parts) for parts in zip(compared.data_sets, grid.cells, grid.best, compared.marks, strict=True)]
    last = [
        line(name, cells, grid.best_last[name], none).replace(WINS, LATEX_WINS, int(name == WINS))
        for name, cells in grid.last.items()
    ]
    is_bold = any(map(any, (*grid.best, *grid.best_last.values())))
    legend = [f"{LATEX_MARKS.get(mark, put(mark))}: {put(words)}." for mark, words in legend_of(compared, grid).items()]
    is_tested = any(test is not None for tests in compared.tests for test in tests)
    protocol = [text for text, is_needed in (
        (put("±: standard deviation over the folds."), std and any("±" in cell for row in grid.cells for cell in row)),
        (put(f"Tested on each data set: {how_tested(compared)}."), is_tested),
        (f"{LATEX_WINS}: on how many data sets better, not different, worse.", WINS in grid.last),
        (BOLD, is_bold),
    ) if is_needed]  # fmt: skip
    caption = " ".join([f"{put(compared.title)}.", *legend, *protocol])
    table = latex_table(caption, columns, headings, [body, last])
    return "\n".join([table, "% For the text:", *(f"% {put(sentence)}" for sentence in sentences_of(compared)), ""])


def as_html(compared: ComparisonFigures, *, std: bool) -> str:
    """See `Comparison.html`."""
    compared = with_display_names(compared)
    grid = grid_of(compared, std=std)
    legend = legend_of(compared, grid)
    meanings = "; ".join(f"{mark}: {words}" for mark, words in legend.items())

    def put(text: str) -> str:
        return escape(printable(text))

    def head(text: str, scope: str) -> str:
        return f'<th scope="{scope}">{put(text)}</th>'

    def line(name: str, cells: list[str]) -> str:
        return f"<tr>{head(name, 'row')}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"

    def bold(text: str) -> str:
        return f"<strong>{text}</strong>"

    def cell(text: str, is_best: bool, mark: str = "") -> str:
        shown = bold(put(text)) if is_best else put(text)
        return f'{shown} <abbr title="{put(legend[mark])}">{put(mark)}</abbr>' if mark else shown

    schemes = "".join(head(scheme, "col") for scheme in compared.schemes)
    body = [
        line(name, [*map(cell, texts, best, marks)])
        for name, texts, best, marks in zip(compared.data_sets, grid.cells, grid.best, compared.marks, strict=True)
    ]
    last = [line(name, [*map(cell, cells, grid.best_last[name])]) for name, cells in grid.last.items()]
    return "\n".join([
        '<table class="wekaconf-comparison">', f"<caption>{put(compared.title)}</caption>",
        f"<thead><tr>{head('data set', 'col')}{schemes}</tr></thead>",
        "<tbody>", *body, "</tbody>",
        "<tfoot>", *last, "</tfoot>", "</table>",
        *(f"<p>{put(text)}</p>" for text in (meanings, *sentences_of(compared)) if text), "",
    ])  # fmt: skip


def as_csv(compared: ComparisonFigures) -> str:
    """See `Comparison.csv`."""
    lines = list(rows(compared))
    text = StringIO()
    write_rows(text, [lines[0], *(line.values() for line in lines)])
    return text.getvalue()


def rows(compared: ComparisonFigures) -> Iterator[dict[str, Any]]:
    """One mapping per data set and scheme; see `Comparison.to_frame`."""
    for i, name in enumerate(compared.data_sets):
        for j, scheme in enumerate(compared.schemes):
            test = compared.tests[i][j]
            numbers = {
                name: np.nan if test is None else getattr(test, name)
                for name in ("effect", "low", "high", "statistic", "p_value")
            }
            yield {
                "data_set": name, "scheme": scheme, "learner": compared.learners[j], "measure": compared.measure,
                "mean": float(compared.mean[i, j]), "std": float(compared.std[i, j]),
                "base": compared.base, "test": compared.test, "level": compared.level, **numbers,
                "n_folds": 0 if test is None else test.n_pairs, "n_left_out": 0 if test is None else test.n_left_out,
                "mark": compared.marks[i][j],
            }  # fmt: skip


def grid_of(compared: ComparisonFigures, *, std: bool = False, with_reached: bool = True) -> Grid:
    """The table of means, with standard deviations if ``std``; below the rule mean, mean rank and (v/ /*).

    Where thresholds reject, there is also what they reached, unless ``with_reached`` is false.
    """

    def cell(i: int, j: int) -> str:
        text = value_text(compared.measure, compared.mean[i, j])
        has_std = std and not np.isnan(compared.std[i, j])
        return f"{text} ± {value_text(compared.measure, compared.std[i, j])}" if has_std else text

    whole = compared.mean[~np.isnan(compared.mean).any(axis=1)]
    places = range(len(compared.schemes))
    last: dict[str, list[str]] = {}
    best_last: dict[str, list[bool]] = {}

    def best(numbers: FloatArray, texts: list[str], smaller: bool) -> list[bool]:
        if np.isnan(numbers).all() or len({*texts} - {UNDEFINED}) < 2:
            return [False] * len(texts)
        place = int(np.nanargmin(numbers) if smaller else np.nanargmax(numbers))
        return [text == texts[place] for text in texts]

    if len(compared.data_sets) > 1:
        means = np.array([whole[:, j].mean() if len(whole) else np.nan for j in places])
        last["mean"] = [value_text(compared.measure, mean) for mean in means]
        best_last["mean"] = best(means, last["mean"], not compared.larger_is_better)
    if len(compared.data_sets) > 1 and len(places) > 1:
        ranks = compared.ranks.mean_ranks
        last["mean rank"] = [UNDEFINED if np.isnan(rank) else f"{rank:.2f}" for rank in ranks]
        best_last["mean rank"] = best(ranks, last["mean rank"], smaller=True)
        best_last[WINS] = [False] * len(places)
        last[WINS] = ["", *(f"({'/'.join(map(str, compared.wins(j)))})" for j in places[1:])]
    if with_reached:
        last |= reached_lines(compared)
        best_last |= {name: [False] * len(places) for name in last if name not in best_last}
    means_written = [[value_text(compared.measure, mean) for mean in row] for row in compared.mean]
    return Grid(
        cells=[[cell(i, j) for j in places] for i in range(len(compared.data_sets))],
        last=last,
        best=[
            best(row, texts, not compared.larger_is_better)
            for row, texts in zip(compared.mean, means_written, strict=True)
        ],
        best_last=best_last,
    )


def reached_lines(compared: ComparisonFigures) -> dict[str, list[str]]:
    """What the thresholds reached: by heading, the mean over the data sets of each scheme, and over how many of them.

    The latter only where it is not all of them, since such a mean is not comparable with others.
    """
    return {
        REACHED[name][0]: [
            " ".join(filter(None, (reached_text(name, mean_of(column)), _some_of(column)))) for column in values.T
        ]
        for name, values in compared.reached.items()
    }


def _some_of(column: FloatArray) -> str:
    """On how many data sets a figure is defined, if on some of them only."""
    n = int(np.isfinite(column).sum())
    return f"({n} of {len(column)})" if 0 < n < len(column) else ""


def reached_legend(compared: ComparisonFigures) -> dict[str, str]:
    """The meaning of `reached_lines`."""
    mean = ", mean over the data sets" if len(compared.data_sets) > 1 else ""
    legend = {heading: meaning + mean for heading, meaning in (REACHED[name] for name in compared.reached)}
    if some := [*filter(None, (_some_of(column) for values in compared.reached.values() for column in values.T))]:
        legend[some[0]] = "over so many of the data sets, those on which it gives answers"
    if compared.measure not in REACHED:
        legend["rejected answers"] = "count in all other figures"
    return legend


def legend_of(compared: ComparisonFigures, grid: Grid) -> dict[str, str]:
    """The meaning of the marks in the table, and of its other unusual texts."""
    used = {mark for row in compared.marks for mark in row}
    meanings = {
        "v": f"significantly better than {compared.base}",
        "*": f"significantly worse than {compared.base}",
        NOT_TESTED: "not tested",
    }
    legend = {mark: words for mark, words in meanings.items() if mark in used}
    if any(text == UNDEFINED for row in (*grid.cells, *grid.last.values()) for text in row):
        legend[UNDEFINED] = "not defined"
    if np.isnan(compared.mean).any() and grid.last:
        legend["mean"] = "over the data sets on which every method has a value, and so the ranks"
    if any(heading in grid.last for heading, _ in REACHED.values()):
        legend |= reached_legend(compared)
    if len(set(compared.learners)) > 1:
        by_learner: dict[str, list[str]] = {}
        for scheme, learner in zip(compared.schemes, compared.learners, strict=True):
            by_learner.setdefault(learner, []).append(scheme)
        legend["trees"] = "; ".join(f"{', '.join(schemes)}: {learner}" for learner, schemes in by_learner.items())
    return legend
