"""Checks of a model on new rows: its promise, its errors, and whether the rows are like the old ones."""

from wekaconf.evaluation.checks._drift import Drift, FileCounts, compare_rows, compare_with_training
from wekaconf.evaluation.checks._gathering import Gathering
from wekaconf.evaluation.checks._promise_check import (
    Checked,
    CheckedCost,
    Counted,
    OutcomeCounts,
    class_lines,
    counted_answers,
    counts_line,
    counts_record,
    group_lines,
    group_verdicts,
    is_broken,
    lines,
    record,
    verdict,
)  # fmt: skip
from wekaconf.evaluation.checks._repeats import (
    Repeats,
    check_apart,
    check_digests_apart,
    note_absent,
    note_calibration,
    note_copies,
    row_digests,
)  # fmt: skip

__all__ = [
    "Checked",
    "CheckedCost",
    "Counted",
    "Drift",
    "FileCounts",
    "Gathering",
    "OutcomeCounts",
    "Repeats",
    "check_apart",
    "check_digests_apart",
    "class_lines",
    "compare_rows",
    "compare_with_training",
    "counted_answers",
    "counts_line",
    "counts_record",
    "group_lines",
    "group_verdicts",
    "is_broken",
    "lines",
    "note_absent",
    "note_calibration",
    "note_copies",
    "record",
    "row_digests",
    "verdict",
]  # fmt: skip
