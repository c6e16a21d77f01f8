"""Promises that calibration rows show: errors, costs and sets of classes."""

from wekaconf.evaluation.promises._answer_shares import AnswerShares, ExpectedErrors
from wekaconf.evaluation.promises._bounds import (
    interval,
    least_answers,
    mean_bound,
    mean_tail,
    tail,
    upper_bound,
    upper_tail,
)  # fmt: skip
from wekaconf.evaluation.promises._class_sets import ClassSets, check_coverage, largest_singleton_error
from wekaconf.evaluation.promises._cost_promise import CostedRows, CostLevel, CostPromise, promise_cost
from wekaconf.evaluation.promises._promise import Level, Promise, promise

__all__ = [
    "AnswerShares", "ClassSets", "CostLevel", "CostPromise", "CostedRows", "ExpectedErrors", "Level", "Promise",
    "check_coverage", "interval", "largest_singleton_error", "least_answers", "mean_bound", "mean_tail",
    "promise", "promise_cost", "tail", "upper_bound", "upper_tail",
]  # fmt: skip
