"""Tables in LaTeX, with the rules of the package booktabs; adjustbox shrinks those that are wider than the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wekaconf.base.errors import printable
from wekaconf.report.printing import Block, Names

_ESCAPES = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "±": r"$\pm$", "χ²": r"$\chi^2$", "–": "--", "−": "$-$",
    "≤": r"$\leq$", "≥": r"$\geq$", "→": r"$\to$", "½": r"$\frac{1}{2}$",
    "α": r"$\alpha$", "×": r"$\times$", "√": r"$\surd$",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}  # fmt: skip


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
