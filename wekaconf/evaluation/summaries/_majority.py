"""The majority's answer: what a classifier has to beat, the most frequent class of training for every row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from wekaconf.base.naming import alternatives, quoted
from wekaconf.base.rounding import most_probable
from wekaconf.data import Dataset
from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.data.wording import percent
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.measures import mean_of, ratio, share_of

UNEVEN = 2 / 3
"""Classes are uneven if the majority's answer errs at most so many times as often as a guess: of two classes, where one
is twice as frequent as the other."""
NOT_BETTER = 0.9
"""A classifier is not clearly better if it errs at least so many times as often as the majority's answer."""


@dataclass(frozen=True)
class Majority:
    """The most frequent class of the growing rows, and how often it is wrong as the answer for every row.

    Parameters
    ----------
    class_name : str
        Of equally frequent classes the first; of the calibration rows, where the growing ones are not known.
    n, wrong : float
        Weight of the rows whose class is known, and of those among them that have another class.
    n_classes : int
        Number of classes that have rows among those it was found on.
    is_of_calibration : bool
        Whether ``n`` and ``wrong`` are about the calibration rows, or the growing rows themselves.
    """

    class_name: str
    n: float
    wrong: float
    n_classes: int
    is_of_calibration: bool

    @classmethod
    def of(
        cls, growing: Dataset | None, calibration: Dataset | None, has_class: BoolArray | None = None
    ) -> Self | None:
        """The majority's answer for rows with their weights; None if none of them has a class.

        Parameters
        ----------
        growing, calibration : Dataset or None
        has_class : (n_calibration,) bool, optional
            Which calibration rows have a class, perhaps one that is not declared, and that is missing in the data.
        """
        found_on = calibration if growing is None else growing
        rows = growing if calibration is None else calibration
        if found_on is None or rows is None:
            return None
        weight = _class_weights(found_on)
        known = rows.class_values >= 0 if calibration is None or has_class is None else has_class
        n = float(rows.weights[known].sum())
        if not weight.any() or n <= 0:
            return None
        largest = int(most_probable(weight[None])[0])
        wrong = float(rows.weights[known & (rows.class_values != largest)].sum())
        return cls(found_on.class_names[largest], n, wrong, int((weight > 0).sum()), calibration is not None)

    @classmethod
    def of_record(cls, record: Mapping[str, Any], class_names: Sequence[str]) -> Self:
        """The majority's answer in a record from `as_record`; ValueError, KeyError or TypeError if it is none."""
        found = cls(**record)
        numbers = [found.n, found.wrong]
        if not all(type(number) is float for number in numbers) or not 0 <= found.wrong <= found.n < np.inf:
            raise ValueError(f"majority: expected weights, got {found.wrong!r} of {found.n!r}")
        if type(found.n_classes) is not int or not 1 <= found.n_classes <= len(class_names):
            raise ValueError(f"majority: expected at most {len(class_names)} classes, got {found.n_classes!r}")
        if type(found.is_of_calibration) is not bool or found.class_name not in class_names:
            raise ValueError(f"majority: expected one of the classes, got {found.class_name!r}")
        return found

    def as_record(self) -> dict[str, Any]:
        """The parts by name."""
        return asdict(self)

    @property
    def error(self) -> float:
        """Share of the rows for which it is wrong, in [0, 1]."""
        return share_of(self.wrong, self.n)

    def is_telling(self, error: float = np.nan) -> bool:
        """Whether a user should know it: classes are uneven, or a model that errs so often is not clearly better."""
        return is_telling(self.error, self.n_classes, [error])

    def __str__(self) -> str:
        """The answer, its error, and on which rows."""
        rows = "calibration rows" if self.is_of_calibration else "training rows"
        many = f"{self.n:.0f} {rows}" if self.n.is_integer() else rows
        return f"always {quoted(self.class_name)} would be wrong for {percent(self.error, decimals=1)} of the {many}"


def is_telling(error: float, n_classes: int, others: Iterable[float] = ()) -> bool:
    """Whether classes are so uneven, or one of the other errors so large, that the majority's error should be known."""
    if n_classes < 2:
        return False
    return error <= UNEVEN * (1 - 1 / n_classes) or any(other >= NOT_BETTER * error for other in others)


def majority_record(answers: Answers) -> dict[str, Any]:
    """The score of the most frequent class of each training set, on the instances that are scored.

    Returns
    -------
    dict
        ``class_names``, these classes; ``percent_correct``, all answers of a run measured together, mean over the runs;
        ``fold_mean``, the same of each fold by itself, mean over the folds where it is defined.
    """
    largest = most_probable(answers.training_weight)
    split = answers.split
    weight = np.where((answers.actual >= 0) & ~answers.is_foreign, answers.weights, 0.0)
    correct = np.where(largest[split] == answers.actual, weight, 0.0)
    by_run, by_fold = (_percent_correct(correct, weight, places) for places in (answers.run, split))
    names = [answers.class_names[c] for c in np.unique(largest).tolist()]
    return {"class_names": names, "percent_correct": mean_of(by_run), "fold_mean": mean_of(by_fold)}


def majority_sentence(record: Mapping[str, Any], correct: str, wrong: str) -> str:
    """A sentence on the majority's answer in a record, with its share of right and of wrong answers as texts."""
    names = record["class_names"]
    which = quoted(names[0])
    if len(names) > 1:
        which = f"the most frequent class of training, {alternatives(map(quoted, names))},"
    return f"always {which} would be {correct} % correct, {wrong} % wrong"


def _percent_correct(correct: FloatArray, weight: FloatArray, places: Any) -> list[float]:
    """The correct weight at each place, in percent of the weight there."""
    n = int(places.max()) + 1
    shares = ratio(100 * np.bincount(places, correct, n), np.bincount(places, weight, n))
    return list(map(float, shares))


def _class_weights(data: Dataset) -> FloatArray:
    known = data.class_values >= 0
    return np.bincount(data.class_values[known], data.weights[known], minlength=data.n_classes).astype(np.float64)
