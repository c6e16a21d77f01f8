"""Says early how long a piece of work will take, what takes so long, and how to make it shorter."""

from __future__ import annotations

import sys
import time

from wekaconf.base.naming import counted
from wekaconf.cli.console import say
from wekaconf.evaluation.protocol.protocol import Protocol
from wekaconf.experiments.runner.options import EvaluationOptions
from wekaconf.learners.cart import CART
from wekaconf.report.progress import in_words

LISTEN_SECONDS = 3.0
"""How long the work is watched before anything is said."""
LONG_SECONDS = 60.0
"""Work of which less is left is not announced."""


class Forecast:
    """Watches the share of the work that is done, and says once how much time is left, if that is long.

    Parameters
    ----------
    work, shorter : str
        What is done, and what would make it shorter.
    """

    def __init__(self, work: str, shorter: str) -> None:
        self._work, self._shorter = work, shorter
        self._start: tuple[float, float] | None = None
        self._is_made = False

    def follow(self, share: float) -> None:
        """Take the share of the work that is done by now, in [0, 1]; what a store held already is no work of ours."""
        now = time.monotonic()
        began, first = self._start = self._start or (now, share)
        if self._is_made or share <= first or now - began < LISTEN_SECONDS:
            return
        self._is_made = True
        left = (now - began) * (1 - share) / (share - first)
        if left >= LONG_SECONDS and is_watched():
            say(f"about {in_words(left)}: {self._work}; shorter with {self._shorter}", is_folded=True)


def is_watched() -> bool:
    """Whether somebody may wait for the work: messages go to a terminal, as for a progress bar."""
    return sys.stderr.isatty()


def of_evaluation(options: EvaluationOptions, n_sets: int, jobs: int) -> Forecast:
    """The forecast of an evaluation of data sets in so many processes."""
    protocol, learners = options.protocol, options.learners.values()
    work, shorter = [counted(len(options.methods), "method")], []
    if n_sets > 1:
        work.append(counted(n_sets, "data set"))
    if protocol.test is None and protocol.split is None:
        if protocol.folds == "loo":
            work.append("each instance left out once")
        else:
            work.append(counted(int(protocol.folds), "fold"))
        if protocol.folds == "loo" or protocol.folds > 5:
            shorter.append("-x 5")
    if protocol.runs > 1:
        work.append(counted(protocol.runs, "run"))
        shorter.append("fewer --runs")
    if _chooses_out_of_fold(protocol):
        work.append("each threshold chosen by a cross-validation of its own")
        shorter.append("--threshold-from training")
    if pruned := next((each for each in learners if isinstance(each, CART) and each.prune == "cv"), None):
        work.append(f"each tree pruned by {counted(pruned.folds, 'fold')}")
        shorter.append("--options prune=none")
    if jobs == 1:
        shorter.append("-j 2")
    return Forecast(", ".join(work), ", ".join(shorter) or "fewer methods")


def _chooses_out_of_fold(protocol: Protocol) -> bool:
    aim = protocol.aim
    return (
        aim is not None
        and aim.fixed_threshold is None
        and aim.confidence is None
        and protocol.threshold_from == "out-of-fold"
    )
