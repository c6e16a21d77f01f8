"""Did a promise hold? Exact tests of an error target on labelled rows that the model has not seen, and their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wekaconf.base.naming import counted, quoted
from wekaconf.data.arrays import BoolArray, Int64Array
from wekaconf.data.wording import percent, percent_ends
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.promises import interval, mean_bound, mean_tail, upper_tail
from wekaconf.evaluation.statistics import holm

LEVEL = 0.05
"""The level of the tests."""
LEAST_P = 1e-307
"""The p-value in the place of smaller ones, which a float may not hold."""
MOST_CLASSES = 12
"""The largest number of predicted classes that have a line each."""
PREDICTED = "predicted "
"""What stands before a class to tell that the answers are meant, not the rows of that class."""
LEAST_SHOWN = 1e-300
"""The least p-value that is printed as a number."""


@dataclass(frozen=True)
class Counted:
    """Counts of answers.

    Parameters
    ----------
    name : str
        Which answers: a predicted class, or a value of a column; empty: all that something is promised of.
    n, answered, wrong : int
        Number of rows, of answers among them, and of wrong ones.
    """

    name: str
    n: int
    answered: int
    wrong: int

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of Clopper and Pearson for the error, with a confidence level of 95 %."""
        return interval(self.wrong, self.answered)


@dataclass(frozen=True)
class Checked(Counted):
    """Counts of answers, and the exact test of a target on them.

    Parameters
    ----------
    name, n, answered, wrong
        See `Counted`.
    target : float
        The largest error that is promised.
    """

    target: float

    @property
    def found(self) -> float:
        """The share of wrong answers, 0 without an answer."""
        return self.wrong / max(self.answered, 1)

    @property
    def p_value(self) -> float:
        """How likely so many errors are if the promise holds, see `bounds.upper_tail`; never 0."""
        return max(float(upper_tail(self.wrong, self.answered, self.target)), LEAST_P)


@dataclass(frozen=True)
class CheckedCost:
    """The mean cost of rows, rejected ones included, and the test of a target on it.

    Parameters
    ----------
    name : str
        Which rows: a value of a column; empty: all.
    target : float
        The largest mean cost per row that is promised.
    n, answered : int
        Number of rows, and of answers among them.
    cost : float
        The mean cost per row, 0 without a row.
    largest : float
        The largest cost that a row can have.
    """

    name: str
    target: float
    n: int
    answered: int
    cost: float
    largest: float

    @property
    def found(self) -> float:
        """The mean cost per row."""
        return self.cost

    @property
    def p_value(self) -> float:
        """How likely so large a mean is, at most, if the promise holds, see `bounds.mean_tail`; never 0."""
        saved = mean_tail(1 - self.cost / self.largest, self.n, 1 - self.target / self.largest)
        return max(float(saved), LEAST_P) if self.n and self.cost > self.target else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds on the mean cost, with a confidence level of at least 95 %; see `bounds.mean_bound`."""
        share, delta = self.cost / self.largest, LEVEL / 2
        low, high = 1 - mean_bound(1 - share, self.n, delta), mean_bound(share, self.n, delta)
        return self.largest * float(low), self.largest * float(high)


def counted_answers(name: str, is_answered: BoolArray, is_wrong: BoolArray) -> Counted:
    """The counts of some rows, of each of which it is known whether it is answered, and whether wrongly if so."""
    return Counted(name, len(is_answered), int(is_answered.sum()), int((is_answered & is_wrong).sum()))


class OutcomeCounts:
    """Counts of answers, collected from part after part.

    Parameters
    ----------
    class_names : sequence of str

    Attributes
    ----------
    counts : (n_classes, n_classes + 1, 2) int64
        By predicted class, actual class (the last: unknown), and whether the answer is rejected.
    """

    def __init__(self, class_names: Sequence[str]) -> None:
        self.class_names, n = tuple(class_names), len(class_names)
        self.counts = np.zeros((n, n + 1, 2), dtype=np.int64)

    def add(self, predicted: Int64Array, actual: Int64Array, rejected: BoolArray | None) -> None:
        """Count the answers for some rows; −1: the actual class is not known; None: nothing can be rejected."""
        is_rejected = np.zeros(len(predicted), dtype=np.intp) if rejected is None else rejected.astype(np.intp)
        np.add.at(self.counts, (predicted, actual, is_rejected), 1)

    @property
    def n_rejected(self) -> int:
        """The number of rejected answers."""
        return int(self.counts[..., 1].sum())

    def as_record(self) -> dict[str, int]:
        """Number of rows, of answers, and of rejections, for JSON."""
        n = int(self.counts.sum())
        return {"rows": n, "answered": n - self.n_rejected, "rejected": self.n_rejected}

    def checked(self, promised: Aim | None) -> tuple[Checked | CheckedCost, ...]:
        """The counts, or the mean cost, for each promise; none if nothing is promised, or no class is known."""
        if promised is None or not self.counts[:, :-1].any():
            return ()
        return tuple(self._checked(promised, name, target) for name, target in promised.targets)

    def _checked(self, promised: Aim, name: str, target: float) -> Checked | CheckedCost:
        known = self.counts[:, :-1]
        places = np.indices(known.shape[:2], dtype=np.int64)
        predicted, actual = places[0], places[1]
        rows = np.array([name in ("", each) for each in self.class_names])[predicted]
        answered, rejected = (np.where(rows, counts, 0) for counts in np.moveaxis(known, 2, 0))
        n, n_answered = int(answered.sum() + rejected.sum()), int(answered.sum())
        costs = promised.reject_costs
        if costs is None:
            return Checked(name, n, n_answered, n_answered - int(np.trace(answered)), target)
        cost = float((answered * costs.of_answers(actual, predicted)).sum()) + int(rejected.sum()) * costs.rejection
        return CheckedCost(name, target, n, n_answered, cost / n, costs.largest)


def excess(checked: Sequence[Checked | CheckedCost]) -> str:
    """A clause that rows show more errors, or costs, than promised, and whether by chance; empty if they do not."""
    p_values = holm([each.p_value for each in checked]).tolist()
    exceeding = [(p, each) for p, each in zip(p_values, checked, strict=True) if each.found > each.target]
    if not exceeding:
        return ""
    p, worst = min(exceeding, key=lambda pair: pair[0])
    chance = f"{'more than chance explains' if p < LEVEL else 'which may be chance'} ({p_text(p)})"
    if isinstance(worst, CheckedCost):
        rows = counted(worst.n, "row")
        promised = f"promised: at most {worst.target:g}"
        return f"the mean cost of the {rows} whose class is known is {worst.cost:.4g} ({promised}), {chance}"
    answers = f"answers {quoted(worst.name)}" if worst.name else "answers"
    return (
        f"{worst.wrong:,} of the {worst.answered:,} {answers} whose class is known are wrong "
        f"({percent(worst.found, decimals=2)}; promised: at most {percent(worst.target)}), {chance}"
    )


def verdict(checked: Sequence[Checked | CheckedCost], confidence: float) -> str:
    """The verdict of the exact tests of the promises together, after Holm's correction."""
    if not checked:
        return "nothing is promised, so nothing is tested"
    p_values = holm([each.p_value for each in checked])
    if not any(each.answered for each in checked) and isinstance(checked[0], Checked):
        which = " of what is promised about" if checked[0].name else ""
        return f"nothing{which} is answered, so nothing can be tested"
    if not is_broken(checked):
        return f"these rows do not show that the promise is broken ({p_text(p_values.min())})"
    worst = checked[int(p_values.argmin())]
    if isinstance(worst, CheckedCost):
        what, found = "mean cost", f"{worst.cost:.4g} instead of at most {worst.target:g}"
    else:
        what = f"error of answers {quoted(worst.name)}" if worst.name else "error"
        found = f"{100 * worst.wrong / worst.answered:.2f} % instead of at most {100 * worst.target:g} %"
    return (
        f"the {what} exceeds the target on these rows ({p_text(p_values.min())}): {found}. Either the "
        f"calibration was unlucky, which has a probability of at most {100 * (1 - confidence):.3g} %, or these rows "
        "are unlike the calibration rows"
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
