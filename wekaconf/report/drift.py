"""What a file has that the training data had not, in words and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wekaconf.evaluation.drift import Drift
from wekaconf.evaluation.old_or_new import Separation

COUNTS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
"""Small numbers in words."""

OTHER_CLASSES = (
    "by their columns these rows are like those of training, so the calibration was unlucky or the same rows have "
    "other classes now, which only known classes show"
)
"""What is said of rows that break a promise, and differ in nothing."""


def lines(drift: Drift, what: str, *, promises: bool) -> list[str]:
    """A line for each column that is not as in training, and what that means; none if all are.

    Parameters
    ----------
    drift : Drift
    what : str
        The name of the file.
    promises : bool
        Whether the model promises something.
    """
    told = drift.told
    if not told:
        return []
    assumed = f"the answers assume rows like the {drift.n_training:,} trained on"
    if promises:
        like = f"{drift.n_calibrated:,} calibrated on" if drift.n_calibrated else f"{drift.n_training:,} learned from"
        assumed = f"the promise assumes rows like the {like}"
    remedy = "do not rely on it" if promises else "do not rely on them"
    verdict = f"{assumed}; {_witnesses(drift)} that these are not: {remedy}"
    if not drift.n_calibrated:
        verdict += " (certainties and predicted classes were not compared: the model keeps none)"
    first, *rows = drift.lines
    return [f"{what}: {first}", *rows, verdict]


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


def record(drift: Drift, what: str) -> dict[str, Any]:
    """The comparison as JSON types: all tests, and which of them are told."""
    tests = [{**asdict(change), "is_told": change.is_told} for change in drift.changes]
    return {"data": what, "n_rows": drift.n_rows, "n_training": drift.n_training, "n_calibrated": drift.n_calibrated,
            "is_like_training": drift.is_like_training, "hints": dict(drift.hints), "tests": tests}  # fmt: skip


def _witnesses(drift: Drift) -> str:
    """What says that the file is not like the training data, with its verb."""
    n = len({change.attribute for change in drift.told if change.attribute})
    answers = ["the answers"] if any(not change.attribute for change in drift.told) else []
    columns = [f"{COUNTS.get(n, f'{n:,}')} column{'s' * (n > 1)}"] if n else []
    return f"{' and '.join([*columns, *answers])} {'says' if n == 1 and not answers else 'say'}"
