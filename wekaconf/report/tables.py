"""Results as tables for people and as records for machines."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

import numpy as np

from wekaconf.evaluation.calibration import CalibrationCurve
from wekaconf.report.strict_json import strict

HEADINGS = {
    "percent_correct": "correct\n%",
    "auc_mean": "AUC",
    "auc_weighted": "AUC,\nweighted",
    "auc_hand_till": "AUC,\nHand-Till",
    "auc_wang2006": "AUC,\nwang2006",
    "auc_mean_no_ties": "AUC,\ntie = 0",
    "brier": "Brier",
    "log_loss": "log\nloss",
    "ece": "ECE",
    "auc_reliability": "AUC,\nreliab.",
    "percent_affected": "affected\n%",
}
"""Every metric with its heading in the printed table."""
COLUMNS = ("percent_correct", "auc_mean", "auc_mean_no_ties", "brier", "percent_affected")
"""Metrics of the printed table unless others are asked for."""


def print_table(
    records: Sequence[Mapping[str, Any]], title: str, *, metrics: Sequence[str] = COLUMNS, part: str = "pooled"
) -> None:
    """Print metrics of records to standard output, one line a method below its data set.

    Parameters
    ----------
    records : sequence of mappings
        As ``session.evaluate`` gives them, with ``dataset`` and ``label``.
    title : str
    metrics : sequence of str
        The columns, names of `HEADINGS`.
    part : {"pooled", "fold_mean", "fold_std"}
        Where in a record the numbers stand.
    """
    kinds = list(dict.fromkeys(kind for record in records for kind in record["events"]))
    headings = [*(HEADINGS[name] for name in metrics), *(f"{kind}s" for kind in kinds)]
    lines = []
    for record in records:
        numbers = [_number(name, record[part][name]) for name in metrics]
        counts = [str(record["events"].get(kind, "")) for kind in kinds]
        lines.append((record["dataset"], record["label"], [*numbers, *counts]))
    print_lines(lines, headings, title)


def print_notes(records: Sequence[Mapping[str, Any]]) -> None:
    """Print what records note on how the answers were computed, once each; with the data sets, unless it is all."""
    places: dict[str, list[str]] = {}
    for record in records:
        for note in record["notes"]:
            places.setdefault(f"{record['label']}: {note}", []).append(record["dataset"])
    n_data = len({record["dataset"] for record in records})
    for text, where in places.items():
        sys.stdout.write(f"{text}\n" if len(where) == n_data else f"{text} ({', '.join(where)})\n")


def print_lines(
    lines: Iterable[tuple[str, str, Sequence[str]]],
    headings: Sequence[str],
    title: str,
    *,
    first: str = "data set\n  method",
) -> None:
    """Print a table to standard output, each line below the group it belongs to.

    Parameters
    ----------
    lines : iterable of (group, name, cells)
        One line after the other of a group, such as a data set.
    headings : sequence of str
        Of the cells, which are set flush right and never cut, even if the terminal is narrower; names are folded
        there.
    title : str
    first : str
        Heading of the groups and names.
    """
    from rich import box
    from rich.cells import cell_len
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False)
    lines = list(lines)
    needed = max(map(cell_len, first.split("\n")))
    table.add_column(first, overflow="fold", min_width=needed)
    for heading, *column in zip(headings, *(cells for _, _, cells in lines), strict=True):
        width = max(cell_len(text) for told in (heading, *column) for text in told.split("\n"))
        table.add_column(heading, justify="right", no_wrap=True, min_width=width)
        needed += width + 1
    previous = None
    for group, name, cells in lines:
        if group != previous:
            table.add_section()
            table.add_row(Text(group))
            previous = group
        table.add_row(Padding(Text(name), (0, 0, 0, 2)), *cells)
    console = Console()
    longest = max(max(cell_len(group), 2 + cell_len(name)) for group, name, _ in lines)
    room = console.width if console.is_terminal else needed + longest
    console = Console(width=max(room, needed + 2))
    with console.capture() as rendered:
        console.print(table)
    sys.stdout.write(f"{title}\n")
    sys.stdout.writelines(line.rstrip() + "\n" for line in rendered.get().splitlines())


def _number(name: str, value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:.2f}" if name.startswith("percent") else f"{value:.4f}"


def write_json(records: Sequence[Mapping[str, Any]], file: IO[str]) -> None:
    """Write records as strict JSON; an undefined metric is null, an infinite number "Infinity" or "-Infinity"."""
    json.dump(strict(list(records)), file, indent=1, ensure_ascii=False, allow_nan=False)
    file.write("\n")


def write_csv(records: Sequence[Mapping[str, Any]], file: IO[str]) -> None:
    """Write records as CSV, one line a record, nested names joined by a dot; an undefined metric is empty."""
    rows = [_flat(record) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(file, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def write_calibration(curves: Mapping[str, CalibrationCurve], file: IO[str]) -> None:
    """Write calibration curves as CSV, one line a method and bin; what an empty bin lacks is empty.

    Columns: method, above and up_to (the bin), weight (summed, of its answers), confidence and accuracy (means), all
    shares in [0, 1] but the weight.
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["method", "above", "up_to", "weight", "confidence", "accuracy"])
    for label, curve in curves.items():
        columns = curve.edges[:-1], curve.edges[1:], curve.weight, curve.confidence, curve.accuracy
        for row in np.column_stack(columns).tolist():
            writer.writerow([label, *("" if math.isnan(number) else number for number in row)])


def _flat(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, value in record.items():
        if key == "params" or isinstance(value, list):
            row[prefix + key] = json.dumps(strict(value), allow_nan=False)
        elif isinstance(value, Mapping):
            row.update(_flat(value, f"{prefix}{key}."))
        else:
            row[prefix + key] = "" if isinstance(value, float) and math.isnan(value) else value
    return row


def print_json(records: Sequence[Mapping[str, Any]]) -> None:
    """Print records as strict JSON to standard output."""
    write_json(records, sys.stdout)
