"""The costs of answers, right and wrong, and of a rejection in their place.

Costs of every answer, as a matrix, decide the label: the answer to an instance with the class probabilities p is the
class j of least expected cost Σ_i p_i C_ij. With L, the largest cost of an answer or a rejection, it is expected to
save Σ_i p_i (L − C_ij) / L of L, which is its certainty. So the threshold (L − R) / L rejects where even the answer of
least expected cost costs more than R, the cost of a rejection. Where every error costs the same and R is no larger,
answers, certainties and threshold are those of Chow's rule, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.rounding import most_probable
from wekaconf.base.words import Argument
from wekaconf.data import CostMatrix
from wekaconf.data.arrays import BoolArray, FloatArray, Int64Array
from wekaconf.data.wording import class_text, number
from wekaconf.evaluation.measures import is_number
from wekaconf.methods.contract import Answer, CertaintyRange, Rows, Step

REJECT_COSTS = Argument("reject_costs")
SAVED = CertaintyRange(0.0, meaning="the share of the largest cost that the answer is expected to save")
"""The range of the certainties of answers that a matrix of costs decides."""
MOST_NAMED = 3
"""The largest number of other classes whose expected cost a reason gives, the cheapest first."""


@dataclass(frozen=True)
class RejectCosts:
    """What each answer costs, and what a rejection costs in its place.

    Parameters
    ----------
    answers : float, or CostMatrix or (n_classes, n_classes) array-like of float
        The cost of an error, more than 0, where a right answer costs nothing; or the cost of every answer, at least 0,
        which also decides the label.
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
        if is_matrix(self.answers) and not isinstance(self.answers, CostMatrix):
            object.__setattr__(self, "answers", CostMatrix(cast(Any, self.answers)))
        if isinstance(self.answers, CostMatrix):
            if min(map(min, self.answers.costs)) < 0:
                raise OptionError(REJECT_COSTS, f": every answer must cost at least 0, got {self.answers}")
        elif not _is_cost(self.answers) or self.answers <= 0:
            raise OptionError(REJECT_COSTS, f": an error must cost more than 0, got {self.answers!r}")
        else:
            object.__setattr__(self, "answers", float(self.answers))

    @classmethod
    def parse(cls, text: str, option: str = "reject_costs") -> Self:
        """The costs in a text such as ``10:1``, or ``costs.cost:1`` with a file or a matrix as `CostMatrix.read` takes.

        Raises
        ------
        OptionError
            The text, that of the named option, is not that, or the file cannot be read.
        """
        answers, colon, rejection = text.rpartition(":")
        try:
            price = float(rejection)
        except ValueError:
            price = math.nan
        if not colon or not answers.strip() or math.isnan(price):
            raise OptionError(
                Argument(option),
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

    @property
    def decide(self) -> bool:
        """Whether the label is that of least expected cost; else the costs tell only which answers to reject."""
        return isinstance(self.answers, CostMatrix)

    @property
    def threshold(self) -> float:
        """The certainty below which even the answer of least expected cost costs more than a rejection."""
        return (self.largest - self.rejection) / self.largest

    @property
    def savings(self) -> FloatArray:
        """(n_classes, n_classes) float64 in [0, 1]: the share of the largest cost that each answer saves.

        A row per actual class, a column per answer; of a matrix of costs only.
        """
        assert isinstance(self.answers, CostMatrix)
        return (self.largest - np.array(self.answers.costs)) / self.largest

    def decision(self, proba: FloatArray) -> tuple[Int64Array, FloatArray]:
        """(n,) int64 and (n,) float64: the answers of least expected cost to distributions, and their certainties."""
        return decision(proba, self)

    def decided(self, answer: Answer) -> Answer:
        """The answers of least expected cost, each with the share of the largest cost that it saves as its certainty.

        They are the same answers where the costs do not `decide`.
        """
        if not self.decide:
            return answer
        predicted, certainty = self.decision(answer.proba)
        return answer.replacing(
            predicted=predicted,
            certainty=certainty,
            reasons=lambda decided, rows: self._reasons(answer, decided, rows),
            certainty_steps=self._step,
        )

    def _reasons(self, answer: Answer, decided: Answer, rows: Rows) -> list[str]:
        """What the answers and the others are expected to cost, and why the probabilities are what they are."""
        assert isinstance(self.answers, CostMatrix)
        proba, predicted, texts = answer.proba[rows], decided.predicted[rows].tolist(), answer.grounds[rows]
        costs = self.answers.expected_costs(proba)
        said: dict[bytes, str] = {}  # a tree has few distributions
        sentences = []
        for row, c, text in zip(costs, predicted, texts, strict=True):
            key = row.tobytes()
            if key not in said:
                said[key] = self._sentence(row.tolist(), c, answer.class_names)
            sentences.append(f"{said[key]}; {text}")
        return sentences

    def _sentence(self, costs: Sequence[float], c: int, class_names: Sequence[str]) -> str:
        others = sorted((other for other in range(len(costs)) if other != c), key=costs.__getitem__)
        named = [f"{class_text(class_names[other])} would cost {_cost(costs[other])}" for other in others[:MOST_NAMED]]
        more = [f"{len(others) - MOST_NAMED} more classes no less"] if len(others) > MOST_NAMED else []
        beside = ", ".join((*named, *more, f"a human {_cost(self.rejection)}"))
        return f"least expected cost {_cost(costs[c])} ({beside})"

    def _step(self, answer: Answer, i: int) -> Step:
        """How the certainty of an answer follows from its distribution."""
        c, proba = int(answer.predicted[i]), answer.proba[i]
        words = f"the share that answering {class_text(answer.class_names[c])} saves of the largest cost, "
        distribution = Step.given("by the probabilities", proba, kind="answer")
        saved = expected_savings(self.savings, proba[None])[0]
        values = {"weights": self.savings[:, int(saved.argmax())].tolist()}
        certainty = float(saved.max())
        return Step("expected", words + _cost(self.largest), certainty, "cost", values=values, parts=(distribution,))

    def of_answers(self, actual: Int64Array, predicted: Int64Array) -> FloatArray:
        """(n,) float64: what each answer costs; one for a class that is not declared, −1, is taken to cost the most."""
        if not isinstance(self.answers, CostMatrix):
            return np.where(actual == predicted, 0.0, self.answers)
        costs = np.array(self.answers.costs)
        return np.where(actual < 0, costs.max(axis=0)[predicted], costs[actual, predicted])

    def of_rows(self, actual: Int64Array, predicted: Int64Array, is_rejected: BoolArray) -> FloatArray:
        """(n,) float64: what each row costs, answered or rejected; see `of_answers`."""
        return np.where(is_rejected, self.rejection, self.of_answers(actual, predicted))

    def check_classes(self, class_names: Sequence[str], parameter: str = "reject_costs") -> None:
        """Raise OptionError unless there is one row of costs per class, in their order if it is named."""
        if isinstance(self.answers, CostMatrix):
            self.answers.check_names(class_names, parameter)

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


def expected_savings(savings: FloatArray, proba: FloatArray) -> FloatArray:
    """(n, n_classes) float64: what each answer is expected to save, by the class probabilities of each instance."""
    expected = np.zeros(proba.shape)
    for p, saved in zip(proba.T, savings, strict=True):  # one after another, as exported models add
        expected += p[:, None] * saved
    return expected


def decision(proba: FloatArray, costs: RejectCosts | None) -> tuple[Int64Array, FloatArray]:
    """(n,) int64 and (n,) float64: the answers to class distributions, and their certainties.

    They are the answers of least expected cost where costs decide, else the most probable classes. Answers whose
    certainties agree in 12 decimals count as equal, and the first of them is given.
    """
    scores = expected_savings(costs.savings, proba) if costs is not None and costs.decide else proba
    return most_probable(scores), np.asarray(scores.max(axis=1, initial=0.0))


def is_matrix(answers: object) -> bool:
    """Whether costs are those of every answer, not one number."""
    return isinstance(answers, CostMatrix) or (hasattr(answers, "__len__") and not isinstance(answers, str))


def _cost(cost: float) -> str:
    return number(cost, 3)


def _is_cost(value: object) -> bool:
    return is_number(value) and 0 <= value < math.inf
