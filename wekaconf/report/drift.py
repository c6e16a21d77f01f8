"""What a file has that the training data had not, in words and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wekaconf.base.naming import counted, quoted
from wekaconf.data.wording import percent
from wekaconf.evaluation.drift import OUTSIDE, Change, Drift

SMALLEST_P = 1e-6
"""Smaller p-values are only said to be smaller."""
COUNTS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
"""Small numbers in words."""
CERTAINTY, PREDICTED = "certainty of the answers", "predicted classes"


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
    names = [*dict.fromkeys(_name(change) for change in told)]
    rows = [f"  {name}: {'; '.join(_parts(drift, name))}" for name in names]
    assumed = f"the answers assume rows like the {drift.n_training:,} trained on"
    if promises:
        like = f"{drift.n_calibrated:,} calibrated on" if drift.n_calibrated else f"{drift.n_training:,} summarised"
        assumed = f"the promise assumes rows like the {like}"
    remedy = "do not rely on it" if promises else "do not rely on them"
    verdict = f"{assumed}; {_witnesses(drift)} that these are not: {remedy}"
    if not drift.n_calibrated:
        verdict += " (certainties and predicted classes were not compared: the model keeps none)"
    return [f"{what}: {counted(drift.n_rows, 'row')}, not like those of training:", *rows, verdict]


def record(drift: Drift, what: str) -> dict[str, Any]:
    """The comparison as JSON types: all tests, and which of them are told."""
    tests = [{**asdict(change), "is_told": change.is_told} for change in drift.changes]
    return {"data": what, "n_rows": drift.n_rows, "n_training": drift.n_training, "n_calibrated": drift.n_calibrated,
            "is_like_training": not drift.told, "hints": dict(drift.hints), "tests": tests}  # fmt: skip


def _witnesses(drift: Drift) -> str:
    """What says that the file is not like the training data, with its verb."""
    n = len({change.attribute for change in drift.told if change.attribute})
    answers = ["the answers"] if any(not change.attribute for change in drift.told) else []
    columns = [f"{COUNTS.get(n, f'{n:,}')} column{'s' * (n > 1)}"] if n else []
    return f"{' and '.join([*columns, *answers])} {'says' if n == 1 and not answers else 'say'}"


def _name(change: Change) -> str:
    return change.attribute or (CERTAINTY if change.kind == "certainty" else PREDICTED)


def _parts(drift: Drift, name: str) -> list[str]:
    """What changed in a column, the hint at last; a mix that rows outside explain is no further change."""
    changes = [change for change in drift.told if _name(change) == name]
    outside = sum(change.size for change in changes if change.kind in OUTSIDE)
    parts = [_text(change) for change in changes if change.kind != "mix" or change.size / 2 > outside]
    hint = drift.hints.get(name)
    return parts if hint is None else [*parts, hint]


def _text(change: Change) -> str:
    """One change, with its size and how probable it is by chance."""
    n, of = f"{change.n:,} of {change.n_known:,} rows", _share(change.training_share)
    match change.kind:
        case "above":
            text = f"{n} above {change.where}, the greatest in training"
        case "below":
            text = f"{n} below {change.where}, the least in training"
        case "unseen":
            text = f"{n} with values that training did not have, such as {quoted(change.where)}"
        case "missing":
            text = f"missing in {n}, in training in {of}"
        case "mix":
            text = f"{_share(change.size)} of the rows lie elsewhere: {change.where} in {n}, in training in {of}"
        case "certainty":
            text = f"{_share(change.size)} of them lie elsewhere: {change.where} in {n}, of those calibrated on in {of}"
        case "predicted":
            text = f"{quoted(change.where)} in {n}, of those calibrated on in {of}"
    return f"{text} ({_p(change.p)})"


def _share(share: float) -> str:
    return percent(share) if share else "none"


def _p(p: float) -> str:
    return f"p < {SMALLEST_P:g}" if p < SMALLEST_P else f"p = {p:.2g}"
