"""The costs of answers, right and wrong, and of a rejection in their place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list
from wekaconf.base.words import Argument
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.cost_matrix import CostMatrix
from wekaconf.evaluation.arguments import is_number

REJECT_COSTS = Argument("reject_costs")


@dataclass(frozen=True)
class RejectCosts:
    """What each answer costs, and what a rejection costs in its place.

    Parameters
    ----------
    answers : float or CostMatrix
        The cost of an error, more than 0, where a right answer costs nothing; or the cost of every answer, at least 0.
    rejection : float
        The cost of a rejection in the same unit, at least 0.

    Raises
    ------
    OptionError
        A cost is no such number.
    """

    answers: float | CostMatrix
    rejection: float

    def __post_init__(self) -> None:
        """Check the costs, and convert them to floats."""
        if not _is_cost(self.rejection):
            raise OptionError(REJECT_COSTS, f": a rejection must cost at least 0, got {self.rejection!r}")
        object.__setattr__(self, "rejection", float(self.rejection))
        if isinstance(self.answers, CostMatrix):
            if min(map(min, self.answers.costs)) < 0:
                raise OptionError(REJECT_COSTS, f": every answer must cost at least 0, got {self.answers}")
        elif not _is_cost(self.answers) or self.answers <= 0:
            raise OptionError(REJECT_COSTS, f": an error must cost more than 0, got {self.answers!r}")
        else:
            object.__setattr__(self, "answers", float(self.answers))

    @classmethod
    def parse(cls, text: str) -> Self:
        """The costs in a text such as ``10:1``, or ``costs.cost:1`` with a file or a matrix as `CostMatrix.read` takes.

        Raises
        ------
        OptionError
            The text is not that, or the file cannot be read.
        """
        answers, colon, rejection = text.rpartition(":")
        try:
            price = float(rejection)
        except ValueError:
            price = math.nan
        if not colon or not answers.strip() or math.isnan(price):
            raise OptionError(
                REJECT_COSTS,
                " expects the cost of an error, or Weka's cost file, and that of a rejection, such as 10:1 or "
                f"costs.cost:1; got '{text}'",
            )
        try:
            costs: float | CostMatrix = float(answers)
        except ValueError:
            costs = CostMatrix.read(answers)
        return cls(costs, price)

    @property
    def largest(self) -> float:
        """The largest cost that a row can have."""
        dearest = max(map(max, self.answers.costs)) if isinstance(self.answers, CostMatrix) else self.answers
        return max(dearest, self.rejection)

    def of_answers(self, actual: Int64Array, predicted: Int64Array) -> FloatArray:
        """(n,) float64: what each answer costs; one for a class that is not declared, −1, is taken to cost the most."""
        if not isinstance(self.answers, CostMatrix):
            return np.where(actual == predicted, 0.0, self.answers)
        costs = np.array(self.answers.costs)
        return np.where(actual < 0, costs.max(axis=0)[predicted], costs[actual, predicted])

    def check_classes(self, class_names: Sequence[str]) -> None:
        """Raise OptionError unless there is one row of costs per class."""
        if isinstance(self.answers, CostMatrix) and len(self.answers.costs) != len(class_names):
            raise OptionError(
                parameter="reject_costs",
                expected=f"{len(class_names)} rows and columns, one per class ({name_list(class_names)})",
                got=str(len(self.answers.costs)),
            )

    def __str__(self) -> str:
        """The costs as `parse` reads them."""
        answers = self.answers if isinstance(self.answers, CostMatrix) else f"{self.answers:g}"
        return f"{answers}:{self.rejection:g}"

    def as_record(self) -> list[Any]:
        """The costs as a list that JSON can hold; `of_record` reads it."""
        return [self.answers.costs if isinstance(self.answers, CostMatrix) else self.answers, self.rejection]

    @classmethod
    def of_record(cls, record: Sequence[Any]) -> Self:
        """The costs in a list from `as_record`; OptionError, ValueError or TypeError if it is none."""
        answers, rejection = record
        return cls(CostMatrix(tuple(answers)) if isinstance(answers, list | tuple) else answers, rejection)


def _is_cost(value: object) -> bool:
    return is_number(value) and 0 <= value < math.inf
