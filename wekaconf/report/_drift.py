"""What a file has that the training data had not, in words and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wekaconf.base.shell import shell_word
from wekaconf.evaluation.checks import Drift, Separation


def difference_lines(drift: Drift, what: str) -> list[str]:
    """The lines of a comparison, after the name of the file.

    The last line says how to make a model without the columns that differ in every file.
    """
    first, *others = drift.lines
    options = " ".join(f"--ignore {shell_word(name)}" for name in drift.running)
    return [f"{what}: {first}", *others, *([f"to make a model without such columns: {options}"] if options else [])]


def difference_line(drift: Drift, what: str) -> str:
    """The comparison in one line, which says where the differences are told; empty if there are none."""
    where = "" if drift.is_like_training else "; 'wekaconf predict' tells what differs"
    return "" if drift.promise_stands and not drift.later else f"{what}: {drift.line}{where}"


def separation_line(separation: Separation | None, what: str, training: str) -> str:
    """How well a forest tells the rows of a file from those of training, and by which columns."""
    if separation is None:
        return f"{what}: too few rows to tell them from those of {training}"
    interval = f"interval {separation.low:.3f} to {separation.high:.3f}"
    area = f"area under the ROC curve {separation.area:.3f}, {interval}; chance is 0.5"
    if separation.high < 0.5:
        return f"{what}: its rows are more like those of {training} than chance allows, as copies are ({area})"
    if not separation.is_seen:
        return f"{what}: a forest does not tell its rows from those of {training} ({area})"
    names = [name for name, _ in separation.columns]
    found = f"mostly by {', '.join(names)}" if names else "by several columns together"
    return f"{what}: a forest tells its rows from those of {training} ({area}), {found}"


def difference_record(drift: Drift, what: str) -> dict[str, Any]:
    """The comparison as JSON types: all tests, and which of them are told."""
    far = [each._asdict() for each in drift.far]
    tests = [{**asdict(change), "is_told": change.is_told} for change in drift.changes]
    return {"data": what, "n_rows": drift.n_rows, "n_training": drift.n_training, "n_calibrated": drift.n_calibrated,
            "n_outside": drift.n_outside, "is_like_training": drift.is_like_training,
            "promise_stands": drift.promise_stands if drift.promises else None, "hints": dict(drift.hints),
            "far_outside": far, "tests": tests}  # fmt: skip
