"""Says before long work how long it will take, what takes so long, and how to make it shorter.

A table of costs would be wrong on most machines, and a forecast from the first finished part comes after minutes where
it is wanted most; so work is tried on few rows first. Methods that grow trees to answer are not tried: a part of their
work may take minutes.
"""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wekaconf.base.errors import WekaconfError
from wekaconf.base.naming import counted
from wekaconf.cli.console import say
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.leave_one_out import LeaveOneOut
from wekaconf.evaluation.protocol.protocol import Protocol
from wekaconf.evaluation.protocol.rejecting import INNER_FOLDS, ORDER_FOLDS, ThresholdFrom
from wekaconf.experiments.runner.options import EvaluationOptions
from wekaconf.experiments.runner.plan import Group, Plan
from wekaconf.learners.cart import CART
from wekaconf.methods.contract.leaves_one_out import LeavesOneOut
from wekaconf.report.progress import in_words
from wekaconf.tree.learner import Learner

LONG_SECONDS = 60.0
"""Shorter work is not announced."""
LISTEN_SECONDS = 3.0
"""How long the work is watched before its speed says how much is left."""
FEWEST_ROWS = 100
"""The number of rows on which the work is tried first."""
TRIAL_SECONDS = 1.0
"""Trials of this length, all together, are enough."""
MOST_SECONDS = 15.0
"""Work whose first trial takes longer is not tried further."""


class Forecast:
    """Says once how long a piece of work takes, if that is long and somebody waits.

    Parameters
    ----------
    work, shorter : str
        What is done, and what would make it shorter.
    repeats : int
        How many times the work that `try_out` tries is done.
    """

    def __init__(self, work: str, shorter: str, repeats: int = 1) -> None:
        self._work, self._shorter, self._repeats = work, shorter, repeats
        self._start: tuple[float, float] | None = None
        self._is_made = self._is_tried = False

    def expect(self, seconds: float, *, at_most: bool = False) -> None:
        """Take the time that the work needs, or needs at most."""
        if self.is_wanted and seconds >= LONG_SECONDS:
            self._is_made = True
            about = f"{'at most ' if at_most else ''}about {in_words(seconds)}"
            say(f"{about}: {self._work}; shorter with {self._shorter}", is_folded=True)

    def try_out(self, work: Callable[[int], object], n_rows: int) -> None:
        """Try work, which takes a number of rows, on a part of all rows; see `seconds_of`."""
        if self.is_wanted and n_rows and (seconds := seconds_of(work, n_rows)) is not None:
            self.expect(seconds * self._repeats)

    def try_plan(self, plan: Plan, share: float, jobs: int) -> None:
        """Try the first plan, which is a share in (0, 1] of the work of so many processes, on a part of its rows."""
        is_first, self._is_tried = not self._is_tried, True
        if is_first and self.is_wanted and (seconds := _seconds_of_plan(plan)) is not None:
            self.expect(seconds / share / jobs)

    def follow(self, share: float) -> None:
        """Take the share of the work that is done by now, in [0, 1]; what a store held already is no work of ours."""
        now = time.monotonic()
        began, first = self._start = self._start or (now, share)
        if share > first and now - began >= LISTEN_SECONDS:
            self.expect((now - began) * (1 - share) / (share - first))

    @property
    def is_wanted(self) -> bool:
        """Whether nothing was said yet, and somebody may wait."""
        return not self._is_made and is_watched()


def is_watched() -> bool:
    """Whether somebody may wait for the work: messages go to a terminal, as for a progress bar."""
    return sys.stderr.isatty()


def seconds_of(work: Callable[[int], object], n_rows: int) -> float | None:
    """The seconds that work on all rows takes, by trials on few; None if these fail or take too long.

    Twice as many rows are tried until the trials are long enough. The line through the first and the last trial gives
    the time: a higher power of the rows would be guessed from noise. So work that grows faster takes longer.

    Parameters
    ----------
    work : callable
        Does the work on so many rows.
    n_rows : int
        Number of all rows, at least 1.
    """
    rows = [min(n_rows, FEWEST_ROWS)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if _time_of(work, rows[0]) > MOST_SECONDS:
                return None
            seconds = [_time_of(work, rows[0])]  # by now Java has started, and kernels are loaded
            while rows[-1] < n_rows and (len(rows) == 1 or sum(seconds) < TRIAL_SECONDS):
                rows.append(min(n_rows, 2 * rows[-1]))
                seconds.append(_time_of(work, rows[-1]))
    except WekaconfError:
        return None
    if rows[-1] == n_rows:
        return seconds[-1]
    # The line was within a factor of three on six kinds of work on a busy machine; powers were off by up to ten times.
    per_row = max(seconds[-1] - seconds[0], 0.0) / (rows[-1] - rows[0])
    return seconds[-1] + per_row * (n_rows - rows[-1])


def _time_of(work: Callable[[int], object], n_rows: int) -> float:
    began = time.perf_counter()
    work(n_rows)
    return time.perf_counter() - began


def _seconds_of_plan(plan: Plan) -> float | None:
    """The seconds that a plan takes in one process; None where it is not tried, and if a trial fails.

    One instance left out at a time is not tried, nor are methods that grow trees to answer: they take long for few rows
    too, and report their progress.
    """
    found = [_seconds_of_group(group) for group in plan.groups]
    return None if None in found else sum(filter(None, found))


def _seconds_of_group(group: Group) -> float | None:
    first = group.runs[0]
    if isinstance(first, LeaveOneOut) or any(isinstance(method, LeavesOneOut) for method in group.methods.values()):
        return None
    train, test = first[0]

    def answer(n_rows: int) -> object:
        few = (train[:n_rows], test[: math.ceil(len(test) * n_rows / len(train))])
        return replace(group, runs=[[few]], known=None if group.known is None else group.known[:1]).answers()

    seconds = seconds_of(answer, len(train))
    return None if seconds is None else seconds * sum(map(len, group.runs))


def of_evaluation(options: EvaluationOptions, n_sets: int, jobs: int) -> Forecast:
    """The forecast of an evaluation of data sets in so many processes."""
    protocol, learners = options.protocol, options.learners.values()
    work, shorter = [counted(len(options.methods), "method")], []
    if n_sets > 1:
        work.append(counted(n_sets, "data set"))
    if protocol.test is None and protocol.split is None:
        work.append(_folds(protocol))
        if protocol.folds == "loo" or protocol.folds > 5:
            shorter.append("-x 5")
    if protocol.runs > 1:
        work.append(counted(protocol.runs, "run"))
        shorter.append("fewer --runs")
    if _folds_of_threshold(protocol.aim, protocol.threshold_from):
        work.append("each threshold chosen by a cross-validation of its own")
        shorter.append("--threshold-from training")
    for learner in learners:
        if pruned := _pruned_by(learner):
            work.append(f"each tree pruned by {pruned}")
            shorter.append("--options prune=none")
            break
    if jobs == 1:
        shorter.append("-j 2")
    return Forecast(", ".join(work), ", ".join(shorter) or "fewer methods")


def of_model(label: str, learner: Learner[Any], aim: Aim | None, threshold_from: ThresholdFrom) -> Forecast:
    """The forecast of fitting a method on one tree, and choosing a threshold if there is an aim."""
    work, shorter, repeats = [f"{label} on {learner.name}"], [], 1
    if n_folds := _folds_of_threshold(aim, threshold_from):
        work.append(f"the threshold chosen by {counted(n_folds, 'fold')}")
        shorter.append("--threshold-from training")
        repeats += n_folds
    if pruned := _pruned_by(learner):
        work.append(f"each tree pruned by {pruned}")
        shorter.append("--options prune=none")
    return Forecast(", ".join(work), ", ".join(shorter) or "another --method", repeats)


def of_advice(n_methods: int, protocol: Protocol) -> Forecast:
    """The forecast of comparing so many methods within a time."""
    splits = _folds(protocol) if protocol.split is None else "random splits"
    return Forecast(f"{counted(n_methods, 'method')}, {splits}", "a smaller --budget")


def of_study(jobs: int) -> Forecast:
    """The forecast of a study in so many processes."""
    return Forecast("all that the store lacks", f"-j {2 * jobs}, or fewer folds, runs, methods and data in the study")


def _folds(protocol: Protocol) -> str:
    return "each instance left out once" if protocol.folds == "loo" else counted(int(protocol.folds), "fold")


def _pruned_by(learner: Learner[Any]) -> str:
    """By what each tree is pruned, if that multiplies the work; else empty."""
    return counted(learner.folds, "fold") if isinstance(learner, CART) and learner.prune == "cv" else ""


def _folds_of_threshold(aim: Aim | None, threshold_from: ThresholdFrom) -> int:
    """The number of further trees, per tree, by which a threshold is chosen or the tests of a promise are ordered."""
    if aim is None or aim.fixed_threshold is not None or threshold_from == "training":
        return 0
    return INNER_FOLDS if aim.confidence is None else ORDER_FOLDS
