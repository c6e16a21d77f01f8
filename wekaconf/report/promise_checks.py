"""Whether a promise held on labelled rows, in lines for people and as a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from wekaconf.base.naming import counted, quoted
from wekaconf.data.wording import percent, percent_ends
from wekaconf.evaluation.promise_check import LEVEL, Checked, CheckedCost, Counted
from wekaconf.evaluation.statistics import holm
from wekaconf.report.answer_summary import MOST_CLASSES

PREDICTED = "predicted "
"""What stands before a class to tell that the answers are meant, not the rows of that class."""
LEAST_SHOWN = 1e-300
"""The least p-value that is printed as a number."""


def verdict(checked: Sequence[Checked | CheckedCost], confidence: float) -> str:
    """What the exact tests of the promises say together, after Holm's correction."""
    if not checked:
        return "nothing is promised, so nothing is tested"
    p_values = holm([each.p_value for each in checked])
    if not any(each.answered for each in checked) and isinstance(checked[0], Checked):
        return "nothing is answered, so nothing can be tested"
    if not is_broken(checked):
        return f"these rows do not show that the promise is broken ({p_text(p_values.min())})"
    worst = checked[int(p_values.argmin())]
    if isinstance(worst, CheckedCost):
        what, found = "mean cost", f"{worst.cost:.4g} instead of at most {worst.target:g}"
    else:
        what = "error"
        found = f"{100 * worst.wrong / worst.answered:.2f} % instead of at most {100 * worst.target:g} %"
    return (
        f"the {what} exceeds the target on these rows ({p_text(p_values.min())}): {found}. Either the "
        f"calibration was unlucky, which has a probability of at most {100 * (1 - confidence):.3g} %, or these rows "
        "are unlike those calibrated on"
    )


def is_broken(checked: Sequence[Checked | CheckedCost]) -> bool:
    """Whether the exact tests, after Holm's correction, say that a promise is broken."""
    return bool((holm([each.p_value for each in checked]) < LEVEL).any())


def lines(promises: Sequence[Checked | CheckedCost]) -> list[str]:
    """A line for each promise, with its p-value after Holm's correction where there are several."""
    return [PREDICTED * bool(each.name) + line for each, line in zip(promises, group_lines(promises), strict=True)]


def group_lines(checked: Sequence[Checked | CheckedCost]) -> list[str]:
    """A line for each group of rows, with its p-value after Holm's correction where there are several."""
    p_values = holm([each.p_value for each in checked])
    what = "p, corrected" if len(checked) > 1 else "p"
    return [f"{counts_line(each)}; {p_text(p, what)}" for each, p in zip(checked, p_values.tolist(), strict=True)]


def class_lines(by_class: Sequence[Counted]) -> list[str]:
    """A line for each predicted class of which nothing is promised by itself, most frequent first."""
    shown = sorted(by_class, key=lambda counted: -counted.n)[:MOST_CLASSES]
    n_more = len(by_class) - len(shown)
    more = [f"and {n_more} more class{'es' if n_more > 1 else ''}"] if n_more else []
    return [*(PREDICTED + counts_line(each) for each in shown), *more]


def group_verdicts(groups: Sequence[Checked | CheckedCost]) -> list[str]:
    """A sentence for each group whose test, after Holm's correction, says that it exceeds the target."""
    return [
        f"the rows of {quoted(group.name)} exceed the target ({p_text(p)}, Holm over {counted(len(groups), 'test')}); "
        "the promise was made for all rows together, not for each group"
        for group, p in zip(groups, holm([group.p_value for group in groups]).tolist(), strict=True)
        if p < LEVEL
    ]


def counts_record(counts: Sequence[Counted]) -> list[dict[str, Any]]:
    """Counts and intervals as mappings that JSON can hold."""
    return [{**asdict(each), "interval": each.interval} for each in counts]


def record(checked: Sequence[Checked | CheckedCost]) -> list[dict[str, Any]]:
    """The counts, intervals and corrected p-values as mappings that JSON can hold."""
    p_values = holm([each.p_value for each in checked]).tolist()
    return [
        {**asdict(each), "interval": each.interval, "p_value": p, "exceeds_target": p < LEVEL}
        for each, p in zip(checked, p_values, strict=True)
    ]


def p_text(p_value: float, name: str = "p") -> str:
    """A p-value for a sentence."""
    return f"{name} < {LEAST_SHOWN:g}" if p_value < LEAST_SHOWN else f"{name} = {p_value:.2g}"


def counts_line(checked: Counted | CheckedCost) -> str:
    """The counts with their interval, without a test."""
    name = f"{quoted(checked.name)}: " if checked.name else ""
    if isinstance(checked, CheckedCost):
        low, high = (f"{bound:.3g}" for bound in checked.interval)
        return (
            f"{name}{counted(checked.n, 'row')}, {checked.answered} answered, mean cost per row {checked.cost:.4g} "
            f"(interval {low} to {high})"
        )
    low, high = percent_ends(*checked.interval)
    if not checked.answered:
        return f"{name}{counted(checked.n, 'row')}, none answered"
    return (
        f"{name}{counted(checked.n, 'row')}, {checked.answered} answered, {checked.wrong} wrong "
        f"({percent(checked.wrong / checked.answered, decimals=2)}, interval {low} to {high} %)"
    )
