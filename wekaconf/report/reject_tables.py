"""What was rejected, and what that is worth, as tables for people and curves for machines."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

from wekaconf.evaluation.risk_coverage import COVERAGES, RiskCoverage
from wekaconf.report.tables import print_lines

Record = Mapping[str, Any]
CURVE_COLUMNS = ("method", "threshold", "coverage", "risk", "accuracy", "kept_correct")
"""What `write_curves` writes, shares in [0, 1]."""


def print_reject_table(records: Sequence[Record], title: str, *, with_error_at: bool = False) -> None:
    """Print what thresholds did to standard output, one line a method below its data set.

    Parameters
    ----------
    records : sequence of mappings
        With ``dataset``, ``label`` and ``reject``, which is what `reject_summary` gives, and `choices_summary` as its
        ``chosen``. The columns: the threshold (mean over the folds, and its range), what it reached on the instances
        it was chosen on, then what it does to the test instances of known classes. The aim has a column where the
        records have several. A column that no record has something for is left out.
    title : str
    with_error_at : bool
        Also the expected error when only the most certain .95, .9, .8 and .5 of the instances are answered.
    """
    columns = _COLUMNS | (_ERROR_AT if with_error_at else {})
    shown = {heading: [tell(record["reject"]) for record in records] for heading, tell in columns.items()}
    if len(set(shown["wanted"])) == 1:
        del shown["wanted"]
    shown = {heading: cells for heading, cells in shown.items() if any(cells)}
    lines = [
        (record["dataset"], record["label"], [cells[i] for cells in shown.values()]) for i, record in enumerate(records)
    ]
    print_lines(lines, list(shown), title)


def print_outcomes(records: Sequence[Record], title: str) -> None:
    """Print how each class fared to standard output, one line a class below its method.

    Parameters
    ----------
    records : sequence of mappings
        With ``dataset``, ``label`` and ``outcomes``, a sequence of mappings as `outcomes.Outcome` has fields. Where
        several classes are known, or foreign, they have a line together as well.
    title : str
    """
    lines = []
    for record in records:
        group = f"{record['dataset']}: {record['label']}"
        for is_foreign, kind in ((False, "known"), (True, "foreign")):
            outcomes = [outcome for outcome in record["outcomes"] if outcome["is_foreign"] == is_foreign]
            mark = " (foreign)" if is_foreign else ""
            lines += [(group, outcome["class_name"] + mark, _cells(outcome)) for outcome in outcomes]
            if len(outcomes) > 1:
                lines.append((group, f"all {kind}", _cells(_together(outcomes))))
    print_lines(lines, ("instances", "correct\n%", "missed\n%", "rejected\n%"), title, first="method\n  class")


def write_curves(curves: Mapping[str, RiskCoverage], file: IO[str]) -> None:
    """Write risk-coverage curves as CSV, one line a method and threshold, `CURVE_COLUMNS`; undefined is empty."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CURVE_COLUMNS)
    for method, curve in curves.items():
        columns = (curve.threshold, curve.coverage, curve.error, curve.accuracy, curve.kept_correct)
        for point in zip(*(column.tolist() for column in columns), strict=True):
            writer.writerow([method, *("" if math.isnan(number) else number for number in point)])


def _together(outcomes: Sequence[Record]) -> dict[str, float]:
    n = sum(outcome["n"] for outcome in outcomes)
    parts = ("correct", "missed", "rejected")
    return {"n": n} | {part: sum(row["n"] * row[part] for row in outcomes) / n for part in parts}


def _cells(outcome: Mapping[str, float]) -> list[str]:
    return [_count(outcome["n"]), *(_decimals(outcome[part], 1) for part in ("correct", "missed", "rejected"))]


def _count(weight: float) -> str:
    return f"{round(weight, 2):.10g}"


def _decimals(number: float, digits: int) -> str:
    return "–" if math.isnan(number) else f"{number:.{digits}f}"


def _percent(*path: str) -> Callable[[Record], str]:
    return _told(lambda share: _decimals(100 * share, 2), *path)


def _area(name: str) -> Callable[[Record], str]:
    return _told(lambda area: _decimals(area, 4), name)


def _told(tell: Callable[[float], str], *path: str) -> Callable[[Record], str]:
    """Tells what stands at a path in a summary; nothing where the summary has no such place."""

    def cell(summary: Record) -> str:
        value: Any = summary
        for name in path:
            if name not in value:
                return ""
            value = value[name]
        return tell(value)

    return cell


def _threshold(chosen: Record) -> str:
    low, mean, high = (f"{chosen[name]:.4g}" for name in ("threshold_min", "threshold", "threshold_max"))
    return mean if low == high else f"{mean} ({low}–{high})"


def _unreached(summary: Record) -> str:
    chosen = summary.get("chosen", {"n_unreached": 0})
    return f"{chosen['n_unreached']}/{chosen['n_choices']}" if chosen["n_unreached"] else ""


def _wrong(summary: Record) -> str:
    return f"{_count(summary['wrong'])}/{_count(summary['accepted'])}" if "wrong" in summary else ""


def _known_over_foreign(summary: Record) -> str:
    area = summary["auroc_known"]
    return "" if math.isnan(area) else _decimals(area, 4)


_COLUMNS: dict[str, Callable[[Record], str]] = {
    "wanted": lambda summary: summary["chosen"]["aim"] if "chosen" in summary else "",
    "threshold": lambda summary: _threshold(summary["chosen"]) if "chosen" in summary else "",
    "not\nreached\nfolds": _unreached,
    "chosen:\nanswered\n%": _percent("chosen", "coverage"),
    "chosen:\nerror\n%": _percent("chosen", "error"),
    "chosen:\nkept\n%": _percent("chosen", "kept_correct"),
    "rejected": _told(_count, "rejected"),
    "wrong/\nanswered": _wrong,
    "answered\n%": _percent("coverage"),
    "error\n%": _percent("error"),
    "error of\nall %": _percent("error_without_rejecting"),
    "kept\n%": _percent("kept_correct"),
    "caught\n%": _percent("caught_wrong"),
    "AUROC\ncorrect": _area("auroc_correct"),
    "AURC": _area("aurc"),
    "AUROC\nknown": _known_over_foreign,
}
"""Every column of the table of thresholds: its heading, and what it tells of a summary."""

_ERROR_AT: dict[str, Callable[[Record], str]] = {
    f"error at\n{100 * coverage:g} %": _percent("error_at", f"{coverage:g}") for coverage in COVERAGES
}
"""Further columns: the error at fixed coverages."""
