"""A summary of all answers in words, and what a file has that the training data had not, in words and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.base.rounding import rounded
from wekaconf.base.shell import shell_word
from wekaconf.data.wording import percent, percent_bound, percent_ends
from wekaconf.evaluation.checks import Drift, OutcomeCounts
from wekaconf.evaluation.promises import AnswerShares, ClassSets, interval, largest_singleton_error
from wekaconf.evaluation.thresholds import Choice, classes_without_promise
from wekaconf.report._predictions import FLAG, INDEX, LeastCertain, Predictions
from wekaconf.report._table_formats import column_texts

LEAST = 10
"""The largest number of least certain answers that are listed."""
MOST_CLASSES = 12
"""The largest number of predicted classes that have a line."""


class Summary:
    """What is told of the answers for a file, collected from part after part.

    Parameters
    ----------
    output : str
        The name of the file with the answers.
    outcomes : OutcomeCounts
        The counts of these answers.
    names_rows : str
        The column whose texts name the rows; empty: none.
    choice : Choice, optional
        The thresholds, and what they promise.
    class_sets : ClassSets, optional
        Tells which classes cannot be excluded.
    shares : AnswerShares, optional
        Tells how many answers will be wrong whose class is not known.
    """

    def __init__(
        self,
        output: str,
        outcomes: OutcomeCounts,
        names_rows: str = "",
        choice: Choice | None = None,
        class_sets: ClassSets | None = None,
        shares: AnswerShares | None = None,
    ) -> None:
        self._output, self._names_rows, self._choice = output, names_rows, choice
        self._class_names, self._counts = outcomes.class_names, outcomes.counts
        self._may_reject, self._n_outside, self._rejected_as = False, 0, ""
        self._shares = shares
        self._unknown = np.zeros((0, 0), dtype=np.int64) if shares is None else np.zeros_like(shares.counts)
        self._class_sets, self._set_sizes = class_sets, np.zeros(len(self._class_names) + 1, dtype=np.int64)
        self._least_certain, self._largest = LeastCertain(LEAST), -math.inf
        self._lowest, self._n_with = np.zeros(0), np.zeros(0)  # the lowest certainties, the number of answers with each

    @property
    def _n(self) -> int:
        return int(self._counts.sum())

    def add(self, part: Predictions) -> None:
        """Add the answers of a part, which the counts of `OutcomeCounts` have already."""
        self._may_reject = part.rejected is not None
        if self._shares is not None:
            is_unknown = (part.actual < 0) & (True if part.rejected is None else ~part.rejected)
            self._unknown += self._shares.count(part.certainty[is_unknown], part.predicted[is_unknown])
        if part.contains is not None:
            self._set_sizes += np.bincount(part.contains.sum(axis=1), minlength=len(self._set_sizes))
        self._n_outside += part.n_rejected_outside
        certainty = rounded(part.certainty)
        self._largest = max(self._largest, float(certainty.max(initial=-math.inf)))
        self._least_certain.add(part)
        values, place = np.unique(np.concatenate([self._lowest, certainty]), return_inverse=True)
        counts = np.bincount(place, np.concatenate([self._n_with, np.ones(len(part))]))
        self._lowest, self._n_with = values[:LEAST], counts[:LEAST].astype(np.float64)

    def say_rejected(self, words: str) -> None:
        """Say of the rejected rows, where their number is told, why they are rejected: ``as the least certain …``."""
        self._rejected_as = f" {words}"

    def lines(self, *, is_like_training: bool = True) -> list[str]:
        """The lines: all answers, those of each predicted class if any may be rejected, and the least certain.

        How many of the answers will be wrong is told only of a file that is like training.
        A share of wrong answers comes with the interval of Clopper and Pearson, with a confidence level of 95 %.
        """
        by_class = self._class_lines() if self._may_reject and self._n else []
        return [
            self.heading,
            *self._expected_lines(is_like_training=is_like_training),
            *by_class,
            *self._set_lines(),
            *self._least_certain_lines(),
        ]

    @property
    def heading(self) -> str:
        """How many answers are given and rejected, why, and how many are wrong, if that is known."""
        answered, rejected = self._counts[..., 0], self._counts[..., 1]
        rows, known = counted(self._n, "row"), answered[:, :-1]
        heading = f"{self._output}: {rows} answered"
        if self._may_reject:
            outside = f", {self._n_outside} for values outside training" if self._n_outside else ""
            others = ", the others" if outside and self._rejected_as else ""
            heading = f"{self._output}: {answered.sum()} of {rows} answered, {rejected.sum()} rejected"
            heading += f"{outside}{others}{self._rejected_as}"
        wrong = _wrong(int(answered.sum()), int(known.sum()), int(known.sum() - np.trace(known)))
        return heading + wrong + self._mean_cost()

    def _expected_lines(self, *, is_like_training: bool) -> list[str]:
        """How many of the answers whose class is not known will be wrong, or that this is not known."""
        if self._shares is None or not self._unknown.any():
            return []
        expected = self._shares.expected_errors(self._unknown)
        if is_like_training:
            return [str(expected)]
        return [
            f"how many of the {counted(expected.n, 'answer')} will be wrong is not known, since the file is not like "
            f"the {counted(expected.n_calibrated, 'calibration row')}"
        ]

    def _set_lines(self) -> list[str]:
        """How many sets of classes have how many, and in how many of those with one it may be wrong."""
        if self._class_sets is None or not self._n:
            return []
        coverage = self._class_sets.coverage
        n_empty, n_single, n_full = (int(self._set_sizes[size]) for size in (0, 1, -1))
        of = "the rows of each class" if self._class_sets.is_per_class else "the rows"
        parts = [f"{n_single} of one class", f"{n_full} of all", f"{n_empty} of none"]
        if n_more := self._n - n_empty - n_single - n_full:
            parts.insert(1, f"{n_more} of some")
        lines = [f"class sets, which contain the true class of {percent(coverage)} of {of}: {', '.join(parts)}"]
        if n_single:
            bound = percent_bound(largest_singleton_error(coverage, self._set_sizes))
            lines.append(
                f"on average up to {bound} of the sets of one class are wrong, in a single file it may be more; "
                "this is no promise about answers"
            )
        return lines

    def _mean_cost(self) -> str:
        """The mean cost of the rows whose class is known, if the aim says what answers cost."""
        costs = None if self._choice is None else self._choice.aim.counted_costs
        answered, rejected = self._counts[:, :-1, 0], self._counts[:, :-1, 1]
        n_known = int(answered.sum() + rejected.sum())
        if costs is None or not n_known:
            return ""
        pair = np.indices(answered.shape)
        total = (answered * costs.of_answers(pair[1], pair[0])).sum() + rejected.sum() * costs.rejection
        return f"; mean cost per row {total / n_known:.4g}"

    def _class_lines(self) -> list[str]:
        """A line for each class that is predicted, most frequent first, and what stands out among the errors."""
        answered, rejected = self._counts[..., 0], self._counts[..., 1]
        n_predicted = self._counts.sum(axis=(1, 2))
        unpromised = [] if self._choice is None else classes_without_promise(self._choice, self._class_names)
        lines = []
        for place in np.argsort(-n_predicted, kind="stable")[:MOST_CLASSES].tolist():
            name, n_answered = self._class_names[place], int(answered[place].sum())
            if not n_predicted[place]:
                lines.append(f"{name}: never predicted")
                continue
            n_known = int(answered[place, :-1].sum())
            is_given = f"{n_answered} answered" if n_answered else "never answered"
            wrong = _wrong(n_answered, n_known, n_known - int(answered[place, place]))
            bare = "; without a promise" if name in unpromised else ""
            lines.append(f"{name}: {is_given}, {rejected[place].sum()} rejected{wrong}{bare}")
        if n_more := len(self._class_names) - len(lines):
            lines.append(f"and {n_more} more class{'es' if n_more > 1 else ''}")
        known = answered[:, :-1]
        errors = known.sum(axis=0) - np.diag(known)
        if (worst := most_missed(errors.tolist())) is not None:
            lines.append(
                f"{errors[worst]} of the {errors.sum()} wrong answers are for rows of class "
                f"{self._class_names[worst]}, of which there are {self._counts[:, worst].sum()}"
            )
        return lines

    def _least_certain_lines(self) -> list[str]:
        if self._n < 2:
            return []
        table = self._least_certain.table()
        column = {attribute.name: place for place, attribute in enumerate(table.attributes)}
        rows = table.values[rounded(table.values[:, column["certainty"]]) < self._largest]
        if not len(rows):
            return [f"all of the same certainty, {self._largest:.4g}"]
        lines = [f"the {len(rows)} least certain:" if len(rows) > 1 else "the least certain:"]
        cells = {name: column_texts(table.attributes[place], rows[:, place]) for name, place in column.items()}
        for i, row in enumerate(rows):
            name = cells[self._names_rows][i] if self._names_rows in column else ""
            is_rejected = "rejected" in column and cells["rejected"][i] == FLAG[1]  # the reason says how certain it is
            certainty = "" if is_rejected else f"certainty {row[column['certainty']]:.4g}; "
            where = f"row {row[column[INDEX]]:.0f}{f' ({self._names_rows} {name})' if name else ''}"
            lines.append(f"{where}: {certainty}{cells['reason'][i]}")
        last = float(rounded(rows[-1, column["certainty"]]))
        if more := int(self._n_with[self._lowest <= last].sum()) - len(rows):
            lines.append(f"and {more} more of certainty {last:.4g}")
        return lines


def most_missed(missed: Sequence[float]) -> int | None:
    """Which of several actual classes more than half of the wrong answers are for, by their number per class.

    None if there is none, or not more than one wrong answer.
    """
    worst = max(range(len(missed)), key=missed.__getitem__)
    return worst if len(missed) > 1 and 2 * missed[worst] > sum(missed) > 1 else None


def _wrong(n_answered: int, n_known: int, n_wrong: int) -> str:
    """How many of the answers are wrong, among those whose class is known; empty if there are none."""
    if not n_known:
        return ""
    low, high = percent_ends(*interval(n_wrong, n_known))
    share = f"{percent(n_wrong / n_known, decimals=2)}, interval {low} to {high} %"
    whole = "" if n_known == n_answered else f"of the {n_known} answers whose class is known "
    return f"; {whole}{n_wrong} wrong ({share})"


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


def difference_record(drift: Drift, what: str) -> dict[str, Any]:
    """The comparison as JSON types: all tests, and which of them are told."""
    far = [each._asdict() for each in drift.far]
    tests = [{**asdict(change), "is_told": change.is_told} for change in drift.changes]
    return {"data": what, "n_rows": drift.n_rows, "n_training": drift.n_training, "n_calibrated": drift.n_calibrated,
            "n_outside": drift.n_outside, "is_like_training": drift.is_like_training,
            "promise_stands": drift.promise_stands if drift.promises else None, "hints": dict(drift.hints),
            "far_outside": far, "tests": tests}  # fmt: skip
