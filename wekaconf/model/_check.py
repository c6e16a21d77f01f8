"""Whether a model's promise held: its answers for rows whose class is known by now, and the groups with most errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import counted, name_list, quoted, shown
from wekaconf.data import Attribute, Dataset, Loaded
from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.data.wording import cells
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.checks import (
    Checked,
    CheckedCost,
    Counted,
    Drift,
    Gathering,
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
from wekaconf.evaluation.thresholds import AnsweredRows, Choice
from wekaconf.tree import Forest, TreeMirror, all_conditions

OTHER_CLASSES = (
    "by their columns these rows are like those of training, so the calibration was unlucky, or such rows have other "
    "classes now, which no column shows"
)
"""What is said of rows that break a promise, and differ in nothing."""
UNKNOWN = "which rows grew or calibrated the model is not known; make sure that none of them is among these"
MISSING = "(missing)"
"""The group of rows without a value in the column that groups them."""
NOTHING = "nothing"
"""What a model promises that has no calibration rows."""
MOST_VALUES = 10
"""Up to so many distinct numbers are a group each; more are divided at their quartiles."""


@dataclass(frozen=True, eq=False)
class Check:
    """A model's answers for rows whose class is known by now, and whether they keep what it promises of them.

    An answer for a class that the model does not know is wrong. ``print(check)`` shows what ``wekaconf check`` does.

    Parameters
    ----------
    promised : Aim or None
        The aim that is promised, with a confidence; None: nothing is promised.
    class_names : tuple of str
    predicted : (n_rows,) int64
        Indices of classes.
    is_answered, is_wrong : (n_rows,) bool
    cost : (n_rows,) float64
        What each row costs, rejected ones included; 0 where no costs are known.
    by : (n_rows,) tuple of str, or None
        The group of each row.
    n_without_class : int
        Number of further rows, which have no class.
    n_answered_without_class : int or None
        How many of these are answered; None: it is not known.
    n_seen : int or None
        Number of rows that repeat one that grew or calibrated the model; None: it does not know such rows.
    seen : str
        A sentence about such rows; empty: there seem to be none.
    n_unknown : int
        Number of rows of a class that training did not declare, so that every answer there is wrong.
    drift : Drift or None
        In what the rows, those without a class included, are not like those of training; None: it is not known.
    unshown : tuple of str
        The classes of which the promise could not be shown when it was made; "" stands for all answers.
    costs : RejectCosts, optional
        What answers and rejections cost, where an aim said it.
    gathering : Gathering, optional
        The leaves and columns in which errors may gather.
    """

    promised: Aim | None
    class_names: tuple[str, ...]
    predicted: NDArray[np.int64]
    is_answered: BoolArray
    is_wrong: BoolArray
    cost: FloatArray
    by: tuple[str, ...] | None = None
    n_without_class: int = 0
    n_answered_without_class: int | None = None
    n_seen: int | None = None
    seen: str = ""
    n_unknown: int = 0
    drift: Drift | None = None
    unshown: tuple[str, ...] = ()
    costs: RejectCosts | None = None
    gathering: Gathering | None = None

    @classmethod
    def of(
        cls, promised: Aim | None, rows: AnsweredRows, is_rejected: BoolArray, class_names: Sequence[str], *,
        costs: RejectCosts | None = None, **more: Any,
    ) -> Self:  # fmt: skip
        """The check of answers for rows that all have a class, −1 if it is not declared; ``more`` are other fields."""
        costs = costs if promised is None else promised.reject_costs
        cost = np.zeros(len(rows.predicted))
        if costs is not None:
            cost = costs.of_rows(rows.actual, rows.predicted, is_rejected)
        n_unknown = int((rows.actual < 0).sum())
        return cls(promised, tuple(class_names), rows.predicted, ~is_rejected, ~rows.correct, cost, n_unknown=n_unknown,
                   costs=costs, **more)  # fmt: skip

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
        return verdict(self.promises, (self.promised and self.promised.confidence) or 0.0)

    @property
    def aim(self) -> str:
        """What is promised, in words."""
        return NOTHING if self.promised is None else str(self.promised)

    @cached_property
    def promises(self) -> list[Checked | CheckedCost]:
        """The counts, or the mean cost, for each promise, with a p-value."""
        return [self._checked(name, target, rows) for name, target, rows in self._by_target()]

    @cached_property
    def counts(self) -> list[Counted]:
        """The counts of all rows, if nothing is promised of them."""
        return [] if self.promised is not None else [counted_answers("", self.is_answered, self.is_wrong)]

    @cached_property
    def by_class(self) -> list[Counted]:
        """The counts for each predicted class of which nothing is promised by itself."""
        promised = dict(self._targets)
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
            self._checked(f"{text}, answers {name}" if name else text, target, rows & of_group)
            for name, target, rows in self._by_target()
            for text, of_group in self._rows_of_groups.items()
            if (rows & of_group).any()
        ]

    @cached_property
    def group_counts(self) -> list[Counted]:
        """The counts for each group, if nothing is promised, in alphabetical order."""
        if self.promised is not None:
            return []
        return [
            counted_answers(text, self.is_answered[rows], self.is_wrong[rows])
            for text, rows in self._rows_of_groups.items()
        ]

    @property
    def lines(self) -> list[str]:
        """A line for each promise, for predicted classes and for rows without a class, and the verdict."""
        cost = [] if self.mean_cost is None else [f"mean cost per row {self.mean_cost:.4g}"]
        counts, without = map(counts_line, self.counts), self._without_class
        return [*lines(self.promises), *counts, *cost, *class_lines(self.by_class), *without, self.verdict]

    @property
    def _without_class(self) -> list[str]:
        """The line on rows without a class; none if there are none."""
        n, n_answered = self.n_without_class, self.n_answered_without_class
        if not n:
            return []
        if n_answered is None:
            return [f"{counted(n, 'row')} without a class left out"]
        has = "has" if n == 1 else "have"
        return [f"{counted(n, 'further row')} {has} no class yet: {n_answered} answered, {n - n_answered} rejected"]

    @property
    def mean_cost(self) -> float | None:
        """What a row costs, where costs are known and no mean cost is promised; else None."""
        return None if self.costs is None or self.promised is not None else float(self.cost.mean())

    @property
    def group_lines(self) -> list[str]:
        """A line for each group, and a sentence for each that breaks a promise by itself."""
        return [*group_lines(self.groups), *group_verdicts(self.groups), *map(counts_line, self.group_counts)]

    @property
    def gathering_lines(self) -> list[str]:
        """Where errors gather; empty where that is not known."""
        return [] if self.gathering is None else self.gathering.lines

    @property
    def heading(self) -> str:
        """What is promised, and whether it could be shown when the model was calibrated."""
        if not self.unshown:
            return self.aim
        if len(self.unshown) == len(self._targets):
            return f"nothing, since it could not be shown: {self.aim}"
        return f"{self.aim}; it could not be shown of {name_list(self.unshown)}"

    def __str__(self) -> str:
        """What is promised, all lines, and in what the rows are not like training, and which were seen before."""
        why = [*([] if self.drift is None else self.drift.lines), *self.other_classes, *self.gathering_lines]
        seen = self.seen or (UNKNOWN if self.n_seen is None else "")
        notes = [f"note: {seen}"] if seen else []
        told = [f"promised: {self.heading}", *self.lines, *why, *self.group_lines, *notes]
        return "\n".join(map(printable, told))

    @property
    def other_classes(self) -> list[str]:
        """What is said if no class is known, or if a promise is broken by rows that differ in nothing."""
        if self.n_unknown == len(self):
            names = name_list(self.class_names)
            return [f"no row has a class of training, which knows {names}; perhaps they are written otherwise here"]
        if self.n_unknown:
            names, verb = name_list(self.class_names), "has" if self.n_unknown == 1 else "have"
            return [
                f"{counted(self.n_unknown, 'row')} {verb} a class that training did not declare, where every answer is "
                f"wrong; it knows {names}"
            ]
        is_like_training = self.drift is not None and self.drift.is_like_training
        return [OTHER_CLASSES] if self.is_broken and is_like_training else []

    def __repr__(self) -> str:
        """The number of rows, what is promised, and the verdict."""
        return f"Check({counted(len(self), 'row')}; {self.aim}: {self.verdict})"

    @property
    def record(self) -> dict[str, Any]:
        """Counts, intervals and p-values as mappings that JSON can hold, without those of groups."""
        return {"aim": self.aim, "verdict": self.verdict, "n_seen": self.n_seen,
                "n_without_class": self.n_without_class,
                "n_answered_without_class": self.n_answered_without_class, "promises": record(self.promises),
                **({} if self.mean_cost is None else {"mean_cost": self.mean_cost}),
                "counts": counts_record(self.counts), "by predicted class": counts_record(self.by_class),
                **({} if self.gathering is None else {"errors_gather": self.gathering.as_record()})}  # fmt: skip

    @property
    def record_of_groups(self) -> list[dict[str, Any]]:
        """The same for each group."""
        return record(self.groups) + counts_record(self.group_counts)

    @property
    def _targets(self) -> tuple[tuple[str, float], ...]:
        return () if self.promised is None else self.promised.targets

    @cached_property
    def _rows_of_groups(self) -> dict[str, BoolArray]:
        texts = np.array([] if self.by is None else self.by, dtype=np.str_)
        return {text: np.asarray(texts == text) for text in np.unique(texts).tolist()}

    def _by_target(self) -> Iterator[tuple[str, float, BoolArray]]:
        """Each class that something is promised of, "" for all, its target, and the rows whose answers it is about."""
        names = np.array(self.class_names)[self.predicted]
        for name, target in self._targets:
            yield name, target, np.asarray((names == name) | (name == ""))

    def _checked(self, name: str, target: float, rows: BoolArray) -> Checked | CheckedCost:
        assert self.promised is not None
        is_answered, costs = self.is_answered[rows], self.promised.reject_costs
        if costs is None:
            return Checked(**vars(counted_answers(name, is_answered, self.is_wrong[rows])), target=target)
        return CheckedCost(
            name, target, int(rows.sum()), int(is_answered.sum()), float(self.cost[rows].mean()), costs.largest
        )


def promised_by(choice: Choice | None) -> tuple[Aim | None, tuple[str, ...]]:
    """What a choice promises, and the classes of which that could not be shown, "" for all.

    Where no mean cost could be promised nothing is: then all rows are rejected, each at the cost of a rejection.
    """
    if choice is None or not choice.promises or (choice.aim.reject_costs is not None and not choice.is_reached):
        return None, ()
    return choice.aim, tuple(promise.class_name for promise in choice.promises if not promise.is_reached)


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


def groups_of_columns(data: Dataset) -> dict[str, BoolArray]:
    """The rows of each value or range of each column, but of the class and of texts; and those without a value."""
    groups: dict[str, BoolArray] = {}
    for column, attribute in enumerate(data.attributes):
        if column == data.header.class_index or attribute.kind in ("string", "relational"):
            continue
        values, name = data.values[:, column], shown(attribute.name)
        is_missing = np.isnan(values)
        if attribute.name in data.unseen:
            unseen = data.unseen[attribute.name]
            is_missing[unseen.rows] = False
            for text in np.unique(unseen.texts).tolist():
                rows = np.zeros(len(data), dtype=np.bool_)
                rows[unseen.rows[unseen.texts == text]] = True
                groups[f"{name} = {shown(text)}"] = rows
        ranges = _values if attribute.is_nominal else _ranges
        groups |= {f"{name} {text}": rows for text, rows in ranges(attribute, values)}
        groups[f"{name} missing"] = is_missing
    return groups


def groups_of_leaves(tree: TreeMirror | Forest, data: Dataset) -> dict[str, BoolArray]:
    """The rows of each leaf; a row that a missing value divides among several is in that of its largest part."""
    if isinstance(tree, Forest):
        return {}
    row, node, share = tree.router.paths(data.values)
    order = np.lexsort((-share, row))
    leaf = node[order[np.searchsorted(row[order], np.arange(len(data)))]]
    return {f"leaf {all_conditions(tree, each)}": leaf == each for each in np.unique(leaf).tolist()}


def _values(attribute: Attribute, values: FloatArray) -> Iterator[tuple[str, BoolArray]]:
    for place in np.unique(values[~np.isnan(values)]).tolist():
        yield f"= {shown(attribute.values[int(place)])}", values == place


def _ranges(attribute: Attribute, values: FloatArray) -> Iterator[tuple[str, BoolArray]]:
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) <= MOST_VALUES:
        for value, text in zip(distinct.tolist(), cells(attribute, *distinct.tolist()), strict=True):
            yield f"= {text}", values == value
        return
    quartiles = np.unique(np.quantile(values[~np.isnan(values)], [0.25, 0.5, 0.75], method="inverted_cdf"))
    texts = cells(attribute, *quartiles.tolist())
    yield f"<= {texts[0]}", values <= quartiles[0]
    for (low, low_text), (high, high_text) in pairwise(zip(quartiles.tolist(), texts, strict=True)):
        yield f"> {low_text} and <= {high_text}", (values > low) & (values <= high)
    yield f"> {texts[-1]}", values > quartiles[-1]
