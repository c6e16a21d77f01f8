"""Tables in CSV, with numbers as people write them and Unix line ends, and in LaTeX.

LaTeX has the rules of the package booktabs; adjustbox shrinks tables that are wider than the text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any

import numpy as np

from wekaconf.base.errors import printable
from wekaconf.data import Attribute
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dates import DateFormat
from wekaconf.report.printing import Block, Names

DIGITS = 12
"""Significant digits of a number."""
# Significant digits, not decimals: a tail probability of 1e-20 is a certainty like any other.
NUMBER = f".{DIGITS}g"
"""The format of a number."""
SMALLEST_USUAL, LARGEST_USUAL = 1e-300, 10.0 ** (DIGITS - 1)
"""The sizes between which Python's `repr` writes a number of `DIGITS` digits as `NUMBER` does."""
_ESCAPES = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "±": r"$\pm$", "χ²": r"$\chi^2$", "–": "--", "−": "$-$",
    "≤": r"$\leq$", "≥": r"$\geq$", "→": r"$\to$", "½": r"$\frac{1}{2}$",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}  # fmt: skip


def write_rows(file: IO[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write rows of cells as CSV to an open file; see `cell_value`."""
    for row in rows:
        texts = ("" if each is None else quote_cell(str(each), ",") for each in map(cell_value, row))
        file.write(f"{','.join(texts)}\n")  # csv.writer would leave a carriage return as it is


def column_texts(attribute: Attribute, cells: FloatArray, put: Callable[[str], str] = str) -> list[str]:
    """The cells of a column of a data set as texts; see `cell_value`. ``put`` is applied to texts that are no numbers.

    Equal cells are converted once.

    A tree has few distinct probabilities: a million rows take two seconds, and four with Python's csv module. Formulas
    are not defused, since any change would break programs that read the file back.
    """
    if attribute.kind == "numeric" and (np.abs(cells) < 10.0**DIGITS).all() and (cells == np.rint(cells)).all():
        return [*map(str, cells.astype(np.int64).tolist())]
    distinct, place = np.unique(cells, return_inverse=True)
    if attribute.is_indexed:
        known = distinct[~np.isnan(distinct)].astype(np.intp).tolist()
        words = [put(attribute.values[each]) for each in known] + [""] * (len(distinct) - len(known))
    elif attribute.kind == "date":
        date = DateFormat(attribute.date_format, attribute.zone)
        words = ["" if math.isnan(value) else put(date.format(value)) for value in distinct.tolist()]
    else:
        words = _numbers(distinct)
    return np.array(words, dtype=object)[place].tolist()


def _numbers(values: FloatArray) -> list[str]:
    """`cell_value` of each value; of one of usual size `DIGITS` digits are the shortest text that is read as them."""
    is_usual = (np.abs(values) >= SMALLEST_USUAL) & (np.abs(values) < LARGEST_USUAL)
    words = np.empty(len(values), dtype=object)
    words[is_usual] = [f"{value:{NUMBER}}" for value in values[is_usual].tolist()]
    words[~is_usual] = [*map(cell_value, values[~is_usual].tolist())]
    return words.tolist()


def quote_cell(text: str, delimiter: str) -> str:
    """The text as a cell of CSV."""
    if '"' in text:
        text = text.replace('"', '""')
    elif not (delimiter in text or "\n" in text or "\r" in text):
        return text
    return f'"{text}"'


def cell_value(value: Any) -> Any:
    """The cell for a value: a float as the shortest text of 12 significant digits, NaN as an empty cell.

    So 0.30000000000000004 is written 0.3, 5.0 is written 5, and 1e-20 stays. JSON keeps all digits instead.
    """
    if not isinstance(value, float):
        return value
    if math.isnan(value):
        return ""
    return repr(float(f"{value:{NUMBER}}") + 0.0).removesuffix(".0")


def escape_latex(text: str) -> str:
    """A text on one line, whose marks LaTeX prints as they are."""
    one_line = printable(" ".join(text.split()))
    return re.sub("|".join(map(re.escape, _ESCAPES)), lambda match: _ESCAPES[match[0]], one_line)


def latex_table(caption: str, columns: str, headings: Sequence[str], parts: Sequence[Sequence[str]]) -> str:
    """A table with a caption.

    Parameters
    ----------
    caption : str
        In LaTeX.
    columns : str
        The argument of tabular.
    headings : sequence of str
        In LaTeX.
    parts : sequence of sequences of str
        Rows in LaTeX, each with its end; a rule stands between the parts.
    """
    bodies = [line for part in parts if part for line in (r"\midrule", *part)]
    return "\n".join([
        "% needs \\usepackage{booktabs,adjustbox}", r"\begin{table}", r"\centering", f"\\caption{{{caption}}}",
        r"\begin{adjustbox}{max width=\textwidth}", f"\\begin{{tabular}}{{{columns}}}", r"\toprule",
        " & ".join(headings) + r" \\", *bodies, r"\bottomrule", r"\end{tabular}", r"\end{adjustbox}", r"\end{table}",
    ])  # fmt: skip


def latex_blocks(caption: str, names: Names, blocks: Sequence[Block]) -> str:
    """The table that `print_blocks` prints, in LaTeX; titles of blocks span their columns, groups have their own lines.

    Parameters
    ----------
    caption : str
        As it is printed above the table.
    names : Names
    blocks : sequence of Block
    """
    columns = [column for block in blocks for column in block.columns]
    layout = "l" + "".join("r" if column.justify == "right" else "l" for column in columns)
    headings = [escape_latex(names.heading), *(escape_latex(column.heading) for column in columns)]
    if any(block.title for block in blocks):
        spans = [f"\\multicolumn{{{len(block.columns)}}}{{c}}{{{escape_latex(block.title)}}}" for block in blocks]
        headings[0] = f"{' & '.join(['', *spans])} \\\\\n{headings[0]}"
    body, group_above = [], ""
    for i, (group, name) in enumerate(names.lines):
        if group and group != group_above:
            body.append(f"\\multicolumn{{{len(layout)}}}{{l}}{{{escape_latex(group)}}} \\\\")
        group_above = group
        indent = r"\quad " if group else ""
        body.append(indent + _line([name, *(column.cells[i] for column in columns)]))
    last = [_line([name, *(column.last[i] for column in columns)]) for i, name in enumerate(names.last)]
    return latex_table(f"{escape_latex(caption).rstrip('.')}.", layout, headings, [body, last])


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(escape_latex, cells)) + r" \\"
