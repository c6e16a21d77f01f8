"""Rivals that promise the same, on the same calibration rows: SGR, and the controllers of MAPIE.

MAPIE is needed for this part only, and not installed with the project:

    pip install --no-deps --target /tmp/mapielib mapie
    PYTHONPATH=/tmp/mapielib python scripts/promises.py --part rivals
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from broken_promises.cells import Cell, Group
from broken_promises.errors import aims
from broken_promises.populations import Population, fitted, n_calibration

from wekaconf.evaluation.accepting import Certainties
from wekaconf.evaluation.bounds import upper_bound
from wekaconf.evaluation.promise import TestPlan
from wekaconf.evaluation.promised_choice import AnsweredRows

N_STARTS = (1, 10)
"""From so many candidates, at even distances, a fixed sequence starts towards the lower ones."""
MAPIE_RULES = ("MAPIE Holm", "MAPIE learned order", "MAPIE 1 start", "MAPIE 10 starts")
RULES = ("promise", "SGR", *MAPIE_RULES)


def cells(group: Group) -> list[Cell]:
    """All cells of a group of the part "rivals": the same draws for all rules."""
    answers = fitted(group)
    if answers is None:
        return []
    whole = Population.of(answers)
    n = n_calibration(group, len(answers.population.certainty))
    found = []
    for target, confidence in aims(n):
        rng = np.random.default_rng([3, n, round(1000 * target), round(100 * confidence)])
        plan = TestPlan.of(target, 1 - confidence, whole.reference, n)
        mapie = Mapie(target, confidence, plan.threshold, answers.reference)
        chosen = []
        for _ in range(group.draws):
            drawn = rng.integers(0, len(answers.population.certainty), n)
            rows = answers.population._make(array[drawn] for array in answers.population)
            certainties = rows.predicting(None)
            chosen.append(
                (plan.promise(certainties).threshold, sgr(target, 1 - confidence, certainties), *mapie.thresholds(rows))
            )
        for rule, thresholds in zip(RULES, np.transpose(chosen), strict=True):
            error, coverage = whole.error_at(thresholds)
            found.append(group.cell(rule, target, confidence, n, error > target, coverage))
    return found


def sgr(target: float, delta: float, rows: Certainties) -> float:
    """The threshold of selection with guaranteed risk; ∞ if none of those that it tries keeps the target.

    The paper returns the last threshold that it tries, with its bound, which may exceed the target. Here it is the last
    one whose bound is below the target: all bounds that are computed hold at once.

    References
    ----------
    Y. Geifman and R. El-Yaniv (2017), "Selective classification for deep neural networks", algorithm 1, with the bound
    of O. Gascuel and G. Caraux (1992).
    """
    ascending = np.sort(rows.certainty)
    n_steps = math.ceil(math.log2(len(ascending)))
    low, high, chosen = 0, len(ascending) - 1, math.inf
    for _ in range(n_steps):
        middle = math.ceil((low + high) / 2)
        is_answered = rows.certainty >= ascending[middle]
        wrong = (is_answered & ~rows.correct).sum()
        if upper_bound(wrong, is_answered.sum(), delta / n_steps) < target:
            high, chosen = middle, float(ascending[middle])
        else:
            low = middle
    return chosen


class Mapie:
    """MAPIE's control of the error among the answers, at the same candidates as ours.

    A parameter is a threshold, below which the predict function abstains (NaN), and the risk is that of an error among
    the answers. Of the parameters that control it, the one with the smallest abstention rate is taken. Candidates that
    answer no calibration row are left out of each draw: their p-values are NaN, at which Holm's procedure would stop.
    """

    def __init__(self, target: float, confidence: float, candidates: np.ndarray, learning: AnsweredRows) -> None:
        self.target, self.confidence, self.candidates = target, confidence, candidates
        self.learned_order = self._controller(candidates, "split_fixed_sequence")
        self.learned_order.learn_fixed_sequence_order(_as_x(learning), learning.actual, binary=True)

    def _controller(self, candidates: np.ndarray, procedure: str) -> Any:
        from mapie.risk_control import BinaryClassificationController, BinaryRisk

        error = BinaryRisk(
            risk_occurrence=lambda actual, answer: answer != actual,
            risk_condition=lambda actual, answer: np.isfinite(answer + actual),
            higher_is_better=False,
        )
        return BinaryClassificationController(
            _answers_above, error, self.target, self.confidence, "abstention_rate", candidates[:, None], procedure
        )

    def thresholds(self, rows: AnsweredRows) -> tuple[float, ...]:
        """The thresholds of `MAPIE_RULES`; ∞ where none is controlled."""
        from mapie.risk_control.fwer_control import FWERFixedSequenceTesting, control_fwer

        candidates = self.candidates[self.candidates <= rows.certainty.max()]
        holm = self._controller(candidates, "bonferroni_holm")
        chosen = []
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "No predict parameters|All provided predict_params|n_starts is greater")
            for controller in (holm, self.learned_order):
                best = controller.calibrate(_as_x(rows), rows.actual).best_predict_param
                chosen.append(math.inf if best is None else best[0])
            for n_starts in N_STARTS:
                sequence = FWERFixedSequenceTesting(n_starts)
                controlled = candidates[control_fwer(holm.p_values[:, 0], 1 - self.confidence, sequence)]
                chosen.append(controlled.min(initial=math.inf))
        return tuple(chosen)


def _as_x(rows: AnsweredRows) -> np.ndarray:
    return np.column_stack((rows.certainty, rows.predicted))


def _answers_above(x: np.ndarray, threshold: float) -> np.ndarray:
    """The predicted class of rows of certainty and predicted class; NaN where the certainty is too low."""
    return np.where(x[:, 0] >= threshold, x[:, 1], np.nan)
