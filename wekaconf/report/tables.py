"""Results as tables for people and as records for machines."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any

COLUMNS = {
    "percent_correct": "correct %",
    "auc_mean": "AUC",
    "auc_mean_no_ties": "AUC, tie = 0",
    "brier": "Brier",
    "percent_affected": "affected %",
}
"""Metrics of the printed table with their headings."""


def print_table(records: Sequence[Mapping[str, Any]], title: str) -> None:
    """Print the pooled metrics of records to standard output, one line a data set and method."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    kinds = list(dict.fromkeys(kind for record in records for kind in record["events"]))
    console = Console()
    console = Console(width=console.width if console.is_terminal else 160, highlight=False)
    is_narrow = console.width < 110
    table = Table(title=escape(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    table.collapse_padding = is_narrow
    for heading in ("data set", "method"):
        table.add_column(heading, overflow="fold")
    for heading in (*COLUMNS.values(), *(f"{kind}s" for kind in kinds)):
        table.add_column(heading.replace(" ", "\n") if is_narrow else heading, justify="right", no_wrap=True)
    previous = None
    for record in records:
        if previous not in (None, record["dataset"]):
            table.add_section()
        metrics = [_number(name, record["pooled"][name]) for name in COLUMNS]
        counts = [str(record["events"].get(kind, "")) for kind in kinds]
        name = record["dataset"] if record["dataset"] != previous else ""
        table.add_row(escape(name), escape(record["label"]), *metrics, *counts)
        previous = record["dataset"]
    console.print(table)


def _number(name: str, value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:.2f}" if name.startswith("percent") else f"{value:.4f}"


def write_json(records: Sequence[Mapping[str, Any]], file: IO[str]) -> None:
    """Write records as strict JSON; an undefined metric is null."""
    json.dump(_without_nan(list(records)), file, indent=1, ensure_ascii=False)
    file.write("\n")


def _without_nan(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def write_csv(records: Sequence[Mapping[str, Any]], file: IO[str]) -> None:
    """Write records as CSV, one line a record, nested names joined by a dot; an undefined metric is empty."""
    rows = [_flat(record) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(file, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _flat(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, value in record.items():
        if key == "params":
            row[prefix + key] = json.dumps(value)
        elif isinstance(value, Mapping):
            row.update(_flat(value, f"{prefix}{key}."))
        else:
            row[prefix + key] = "" if isinstance(value, float) and math.isnan(value) else value
    return row


def print_json(records: Sequence[Mapping[str, Any]]) -> None:
    """Print records as strict JSON to standard output."""
    write_json(records, sys.stdout)
