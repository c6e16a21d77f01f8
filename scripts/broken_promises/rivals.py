"""Rivals that promise the same, on the same calibration rows: SGR, and the controllers of MAPIE.

MAPIE is needed for this part only, and not installed with the project:

    pip install --no-deps --target /tmp/mapielib mapie
    PYTHONPATH=/tmp/mapielib python scripts/promises.py --part rivals
"""

from __future__ import annotations

import math
import warnings

import numpy as np
from broken_promises.cells import Cell, Group
from broken_promises.errors import aims
from broken_promises.populations import Population, fitted, n_calibration

from wekaconf.evaluation.accepting import Certainties
from wekaconf.evaluation.bounds import upper_bound
from wekaconf.evaluation.promise import TestPlan
from wekaconf.evaluation.promised_choice import OPTIMISM, AnsweredRows

MAPIE_RULES = ("MAPIE Holm", "MAPIE learned order", "MAPIE fixed sequence")
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
        plan = TestPlan.of(target, 1 - confidence, whole.reference, n, optimism=OPTIMISM)
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
    the answers. Of the parameters that control it, the one with the smallest abstention rate is taken.
    """

    def __init__(self, target: float, confidence: float, candidates: np.ndarray, learning: AnsweredRows) -> None:
        from mapie.risk_control import BinaryClassificationController, BinaryRisk

        error = BinaryRisk(
            risk_occurrence=lambda actual, answer: answer != actual,
            risk_condition=lambda actual, answer: ~np.isnan(answer),
            higher_is_better=False,
        )
        self.candidates, self.delta = candidates, 1 - confidence
        self.holm, self.learned_order = (
            BinaryClassificationController(
                _answers_above, error, target, confidence, "abstention_rate", candidates[:, None], procedure
            )
            for procedure in ("bonferroni_holm", "split_fixed_sequence")
        )
        self.learned_order.learn_fixed_sequence_order(_as_x(learning), learning.actual, binary=True)

    def thresholds(self, rows: AnsweredRows) -> tuple[float, float, float]:
        """The thresholds by Holm, MAPIE's default; in the order learned; and in a fixed sequence from the surest on."""
        from mapie.risk_control.fwer_control import control_fwer

        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "No predict parameters were found")
            controllers = [
                controller.calibrate(_as_x(rows), rows.actual) for controller in (self.holm, self.learned_order)
            ]
        by_holm, by_order = (
            math.inf if controller.best_predict_param is None else controller.best_predict_param[0]
            for controller in controllers
        )
        controlled = self.candidates[control_fwer(self.holm.p_values[:, 0], self.delta, "fixed_sequence")]
        return by_holm, by_order, controlled.min(initial=math.inf)


def _as_x(rows: AnsweredRows) -> np.ndarray:
    return np.column_stack((rows.certainty, rows.predicted))


def _answers_above(x: np.ndarray, threshold: float) -> np.ndarray:
    """The predicted class of rows of certainty and predicted class; NaN where the certainty is too low."""
    return np.where(x[:, 0] >= threshold, x[:, 1], np.nan)
