"""A cell of the records: how often promises of one kind were broken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

TARGETS, CONFIDENCES = (0.01, 0.02, 0.05, 0.1), (0.9, 0.95)
"""The targets of errors, and the confidences of all promises."""


@dataclass(frozen=True)
class Cell:
    """How often promises of one kind were broken.

    Parameters
    ----------
    part, data, learner, method : str
    rule : str
        "promise": the chosen threshold; "bounds": all thresholds of other targets at once; "classes": a target for each
        class at once; "out of fold": a threshold without a confidence; "cost 5:1" and "cost bounds 5:1": promise and
        bounds of a mean cost with these costs; in the part "rivals" also the name of a rival.
    target, confidence : float
    n, draws : int
        Number of calibration rows, and of draws of them.
    broken, any : int
        Number of draws in which the promise was broken, and in which anything was answered.
    coverage : float
        Mean share of the population that is answered.
    """

    part: str
    data: str
    learner: str
    method: str
    rule: str
    target: float
    confidence: float
    n: int
    draws: int
    broken: int
    any: int
    coverage: float


@dataclass(frozen=True)
class Group:
    """One fitted method on one population, whose cells are counted together."""

    part: str
    data: str
    learner: str
    method: str
    draws: int

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells it from the other groups."""
        return self.part, self.data, self.learner, self.method

    def cell(
        self, rule: str, target: float, confidence: float, n: int, is_broken: ArrayLike, coverage: ArrayLike
    ) -> Cell:
        """The cell of draws, each with whether its promise was broken and with its coverage of the population."""
        is_broken, coverage = np.asarray(is_broken), np.asarray(coverage)
        broken, some, mean = int(is_broken.sum()), int((coverage > 0).sum()), round(float(coverage.mean()), 4)
        return Cell(*self.key, rule, target, confidence, n, len(is_broken), broken, some, mean)
