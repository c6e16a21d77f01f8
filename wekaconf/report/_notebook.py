"""The table of an evaluation in notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from wekaconf.base.errors import printable
from wekaconf.base.naming import shown
from wekaconf.report import _result_tables as result_tables
from wekaconf.report._titles import title_of, with_options
from wekaconf.report.comparison._measures import value_text

MOST_ROWS = 30
"""The largest number of records in the table."""


def html_of_records(records: Sequence[Mapping[str, Any]]) -> str:
    """The table of `Evaluation.summary` as static HTML, escaped, one row per data set and method."""
    if not records:
        return "<p>nothing was measured</p>"
    learners_differ = len({with_options(record) for record in records}) > 1
    rejects = any("coverage" in record["reject"] for record in records)
    heads = ["data set", "method", *(["learner"] if learners_differ else [])]
    metrics = result_tables.shown_columns(records)
    heads += [result_tables.HEADINGS[name].replace("\n", " ") for name in metrics]
    heads += ["coverage %", "error %"] if rejects else []
    rows = ""
    for record in records[:MOST_ROWS]:
        names = [record["dataset"], record["label"], *([with_options(record)] if learners_differ else [])]
        cells = [value_text(name, record["pooled"][name]) for name in metrics]
        if rejects:
            shares = [record["reject"].get(name, float("nan")) for name in ("coverage", "error")]
            cells += [value_text("percent", 100 * share) for share in shares]
        rows += "<tr>" + "".join(f"<th>{_text(name)}</th>" for name in names)
        rows += "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    left_out = len(records) - MOST_ROWS
    if left_out > 0:
        rows += f"<tr><td colspan='{len(heads)}'>… {left_out} more rows; summary() prints all</td></tr>"
    return (
        f"<table><caption>{_text(title_of(records, part='pooled'), 400)}</caption>"
        f"<thead><tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        + "".join(f"<p>{_text(line, 400)}</p>" for line in result_tables.majority_lines(records))
    )


def _text(text: str, longest: int = 0) -> str:
    """A text from a file, on one line and not too long."""
    one_line = printable(text)
    return escape(one_line[:longest] if longest else shown(one_line))
