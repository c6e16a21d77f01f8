"""Whether a model's promise held: its answers for rows whose class is known by now, counted and tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import counted, name_list, quoted
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.data.tables import Loaded
from wekaconf.evaluation.arguments import BoolArray
from wekaconf.evaluation.cost_promise import CostPromise
from wekaconf.evaluation.drift import Drift
from wekaconf.evaluation.promise import Promise
from wekaconf.evaluation.promise_check import (
    Checked,
    CheckedCost,
    Counted,
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
)
from wekaconf.evaluation.scoring import is_correct
from wekaconf.evaluation.thresholds import Choice
from wekaconf.methods.contract.answer import Answer

OTHER_CLASSES = (
    "by their columns these rows are like those of training, so the calibration was unlucky, or such rows have other "
    "classes now, which no column shows"
)
"""What is said of rows that break a promise, and differ in nothing."""
UNKNOWN = "the model does not say which rows grew or calibrated it; make sure that none of them is among these"
NOTHING = "nothing"
"""What a model promises that has no calibration rows."""


@dataclass(frozen=True, eq=False)
class Check:
    """A model's answers for rows whose class is known by now, and whether they keep what it promises of them.

    An answer for a class that the model does not know is wrong. ``print(check)`` shows what ``wekaconf check`` does.

    Parameters
    ----------
    choice : Choice or None
        The thresholds, with what they promise; None: nothing is rejected or promised.
    class_names : tuple of str
    predicted : (n_rows,) int64
        Indices of classes.
    is_answered, is_wrong : (n_rows,) bool
    cost : (n_rows,) float64
        What each row costs, rejected ones included; 0 where no cost is promised.
    by : (n_rows,) tuple of str, or None
        The group of each row.
    n_without_class : int
        Number of further rows, which have no class.
    n_seen : int or None
        Number of rows that repeat one that grew or calibrated the model; None: it does not know such rows.
    seen : str
        A sentence about such rows; empty: there seem to be none.
    n_unknown : int
        Number of rows of a class that training did not declare, so that every answer there is wrong.
    change : Drift or None
        If the promise is broken: in what the rows are not like those of training.
    """

    choice: Choice | None
    class_names: tuple[str, ...]
    predicted: NDArray[np.int64]
    is_answered: BoolArray
    is_wrong: BoolArray
    cost: FloatArray
    by: tuple[str, ...] | None = None
    n_without_class: int = 0
    n_seen: int | None = None
    seen: str = ""
    n_unknown: int = 0
    change: Drift | None = None

    @classmethod
    def of(cls, choice: Choice | None, data: Dataset, answer: Answer) -> Self:
        """The answers of a model for rows that all have a class; where it is missing in ``data`` it is not declared.

        Raises
        ------
        OptionError
            The choice was to promise a mean cost, and none could be promised.
        """
        promises = () if choice is None else choice.promises
        if any(isinstance(promise, CostPromise) and not promise.is_reached for promise in promises):
            raise OptionError(
                "no mean cost could be promised when the model was calibrated, so there is nothing to check",
                value_of="model",
            )
        costs, cost = None if choice is None else choice.aim.reject_costs, np.zeros(len(data))
        if costs is not None:
            cost = np.where(answer.is_rejected, costs.rejection, costs.of_answers(data.class_values, answer.predicted))
        is_wrong = ~is_correct(answer.proba, data.class_values)
        n_unknown = int((data.class_values < 0).sum())
        return cls(choice, data.class_names, answer.predicted, ~answer.is_rejected, is_wrong, cost, n_unknown=n_unknown)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.predicted)

    @property
    def is_broken(self) -> bool:
        """Whether the exact tests, at the level 5 % after Holm's correction, say that a promise is broken."""
        return is_broken(self.promises)

    @property
    def verdict(self) -> str:
        """What the tests say together, in one sentence."""
        return verdict(self.promises, (self.choice and self.choice.aim.confidence) or 0.0)

    @property
    def aim(self) -> str:
        """What is promised, in words."""
        return str(self.choice.aim) if self.choice is not None and self._promised else NOTHING

    @cached_property
    def promises(self) -> list[Checked | CheckedCost]:
        """The counts, or the mean cost, for each promise, with a p-value."""
        return [self._checked(promise.class_name, promise, rows) for promise, rows in self._by_promise()]

    @cached_property
    def counts(self) -> list[Counted]:
        """The counts of all rows, if nothing is promised of them."""
        return [] if self._promised else [counted_answers("", self.is_answered, self.is_wrong)]

    @cached_property
    def by_class(self) -> list[Counted]:
        """The counts for each predicted class of which nothing is promised by itself."""
        promised = {promise.class_name for promise in self._promised}
        rows_of = {name: self.predicted == c for c, name in enumerate(self.class_names) if name not in promised}
        return [
            counted_answers(name, self.is_answered[rows], self.is_wrong[rows])
            for name, rows in rows_of.items()
            if rows.any()
        ]

    @cached_property
    def groups(self) -> list[Checked | CheckedCost]:
        """The same as `promises` for each group, in alphabetical order."""
        return [
            self._checked(
                f"{text}, answers {promise.class_name}" if promise.class_name else text, promise, rows & of_group
            )
            for promise, rows in self._by_promise()
            for text, of_group in self._rows_of_groups.items()
            if (rows & of_group).any()
        ]

    @cached_property
    def group_counts(self) -> list[Counted]:
        """The counts for each group, if nothing is promised, in alphabetical order."""
        if self._promised:
            return []
        return [
            counted_answers(text, self.is_answered[rows], self.is_wrong[rows])
            for text, rows in self._rows_of_groups.items()
        ]

    @property
    def lines(self) -> list[str]:
        """A line for each promise and for predicted classes, and the verdict."""
        return [*lines(self.promises), *map(counts_line, self.counts), *class_lines(self.by_class), self.verdict]

    @property
    def group_lines(self) -> list[str]:
        """A line for each group, and a sentence for each that breaks a promise by itself."""
        return [*group_lines(self.groups), *group_verdicts(self.groups), *map(counts_line, self.group_counts)]

    @property
    def heading(self) -> str:
        """What is promised, and whether it could be shown when the model was calibrated."""
        unshown = [promise.class_name for promise in self._promised if not promise.is_reached]
        if not unshown:
            return self.aim
        if len(unshown) == len(self._promised):
            return f"nothing, since it could not be shown: {self.aim}"
        return f"{self.aim}; it could not be shown of {name_list(unshown)}"

    def __str__(self) -> str:
        """What is promised, all lines, and what is said of rows seen before and of a change."""
        left_out = [f"{counted(self.n_without_class, 'row')} without a class left out"] * bool(self.n_without_class)
        why = [*([] if self.change is None else self.change.lines), *self.other_classes]
        seen = self.seen or (UNKNOWN if self.n_seen is None else "")
        notes = [f"note: {seen}"] if seen else []
        told = [f"the model promises: {self.heading}", *left_out, *self.lines, *why, *self.group_lines, *notes]
        return "\n".join(map(printable, told))

    @property
    def other_classes(self) -> list[str]:
        """What is said if no class is known, or if a promise is broken by rows that differ in nothing."""
        if self.n_unknown == len(self):
            names = name_list(self.class_names)
            return [f"no row has a class of training, which knows {names}; perhaps they are written otherwise here"]
        return [OTHER_CLASSES] if self.change is not None and self.change.is_like_training else []

    def __repr__(self) -> str:
        """The number of rows, what is promised, and the verdict."""
        return f"Check({counted(len(self), 'row')}; {self.aim}: {self.verdict})"

    @property
    def record(self) -> dict[str, Any]:
        """Counts, intervals and p-values as mappings that JSON can hold, without those of groups."""
        return {"aim": self.aim, "verdict": self.verdict, "n_seen": self.n_seen,
                "n_without_class": self.n_without_class, "promises": record(self.promises),
                "counts": counts_record(self.counts), "by predicted class": counts_record(self.by_class)}  # fmt: skip

    @property
    def record_of_groups(self) -> list[dict[str, Any]]:
        """The same for each group."""
        return record(self.groups) + counts_record(self.group_counts)

    @property
    def _promised(self) -> Sequence[Promise | CostPromise]:
        return () if self.choice is None else self.choice.promises

    @cached_property
    def _rows_of_groups(self) -> dict[str, BoolArray]:
        texts = np.array([] if self.by is None else self.by, dtype=np.str_)
        return {text: np.asarray(texts == text) for text in np.unique(texts).tolist()}

    def _by_promise(self) -> Iterator[tuple[Promise | CostPromise, BoolArray]]:
        """Each promise, and the rows whose answers it is about."""
        names = np.array(self.class_names)[self.predicted]
        for promise in self._promised:
            yield promise, np.asarray((names == promise.class_name) | (promise.class_name == ""))

    def _checked(self, name: str, promise: Promise | CostPromise, rows: BoolArray) -> Checked | CheckedCost:
        is_answered = self.is_answered[rows]
        if isinstance(promise, Promise):
            return Checked(**vars(counted_answers(name, is_answered, self.is_wrong[rows])), target=promise.target)
        mean, n = float(self.cost[rows].mean()), int(rows.sum())
        return CheckedCost(name, promise.target, n, int(is_answered.sum()), mean, promise.costs.largest)


def check_rows(rows: Loaded, what: str) -> None:
    """Raise OptionError unless rows that have a class are there, some of a class of training, and of one weight."""
    target = rows.data.header.class_attribute
    if not len(rows.data):
        raise OptionError(
            f"{what}: no row has a class, so nothing can be checked; expected it in the column {quoted(target.name)}",
            value_of="data",
        )
    if np.ptp(rows.data.weights) > 0:
        raise OptionError(
            f"{what}: the rows have different weights, and a promise counts rows; give rows of equal weight",
            value_of="data",
        )
