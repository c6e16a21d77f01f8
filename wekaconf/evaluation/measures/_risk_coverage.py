"""The risk-coverage curve, and the summary of certainties in a record.

The arrays are those that `wekaconf.evaluation.measures` describes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Argument
from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.data.wording import as_share
from wekaconf.evaluation.measures._accepting import accepted_at, figures, levels_of, outcome_counts
from wekaconf.evaluation.measures._arguments import checked, checked_flags
from wekaconf.evaluation.measures._ranking import auroc

COVERAGES = (0.95, 0.9, 0.8, 0.5)
"""The coverages at which `reject_summary` reads the risk-coverage curve."""


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """The error as fewer instances are answered: one point per distinct certainty, the most certain first.

    Parameters
    ----------
    threshold : (n_points,) float64
        The distinct certainties, descending; each is the threshold that accepts the instances of its point.
    accepted : (n_points,) float64
        Summed weights of the accepted instances.
    wrong : (n_points,) float64
        Summed weights of the accepted instances that are answered wrongly.
    aurc : float
        Area under the risk-coverage curve, in [0, 1]; see `risk_coverage`.
    excess_aurc : float
        ``aurc`` minus that of the same answers with every correct one ranked before every wrong one; in [0, 1].
    """

    threshold: FloatArray
    accepted: FloatArray
    wrong: FloatArray
    aurc: float
    excess_aurc: float

    def __len__(self) -> int:
        """Number of points."""
        return len(self.threshold)

    @property
    def coverage(self) -> FloatArray:
        """(n_points,) float64 in (0, 1]: share of the instances that is accepted."""
        return self.accepted / self.accepted[-1:]

    @property
    def error(self) -> FloatArray:
        """(n_points,) float64 in [0, 1]: share of the accepted that is wrong, the selective risk."""
        return self.wrong / self.accepted

    @property
    def accuracy(self) -> FloatArray:
        """(n_points,) float64 in [0, 1]: share of the accepted that is correct."""
        return 1.0 - self.error

    @property
    def kept_correct(self) -> FloatArray:
        """(n_points,) float64 in [0, 1]: share of the correct answers that is accepted; NaN if none is correct."""
        correct = self.accepted - self.wrong
        return np.divide(correct, correct[-1:], out=np.full(len(self), np.nan), where=correct[-1:] > 0)

    def error_at(self, coverage: float) -> float:
        """The error of `errors_at` for one share."""
        return float(self.errors_at([coverage])[0])

    def errors_at(self, coverage: ArrayLike) -> FloatArray:
        """Expected error among the most certain share of the instances, with equal certainties in random order.

        Parameters
        ----------
        coverage : (n_shares,) float64
            In (0, 1]; an instance that lies only partly within the share counts in part.

        Returns
        -------
        (n_shares,) float64
            In [0, 1]; NaN without instances.
            Cost: time O(n_points + n_shares · log n_points), memory O(n_points + n_shares).

        Raises
        ------
        OptionError
            A share is not in (0, 1].
        """
        shares = np.asarray(coverage, dtype=np.float64)
        outside = ~((shares > 0) & (shares <= 1))
        if outside.any():
            wrong = float(shares[outside][0])
            raise OptionError(Argument("coverage"), f" must be in (0, 1], got {wrong:g}{as_share(wrong)}")
        if not len(self):
            return np.full(shares.shape, np.nan)
        weight = shares * self.accepted[-1]
        return np.interp(weight, np.append(0.0, self.accepted), np.append(0.0, self.wrong)) / weight


def risk_coverage(certainty: ArrayLike, correct: ArrayLike, weights: ArrayLike | None = None) -> RiskCoverage:
    """The risk-coverage curve of answers, and the area under it.

    With the instances ordered from the most certain down, and e_i = 1 for a wrong answer, the selective risk at rank i
    is r_i = Σ_{j ≤ i} w_j e_j / Σ_{j ≤ i} w_j and

        AURC = Σ_i w_i r_i / Σ_i w_i,

    for unit weights the mean over the instances of the selective risk at their rank. Among instances of equal
    certainty the wrong weight is spread evenly: w_j e_j is replaced by w_j times the error of the group, which for unit
    weights gives exactly the expectation over all orders of the group. The instances of a group are taken in ascending
    order of weight, so that the order of the arguments does not matter. Certainties are compared to the last bit, as
    thresholds compare them.

    Parameters
    ----------
    certainty, correct, weights
        See `wekaconf.evaluation.measures`.

    Returns
    -------
    RiskCoverage
        Without points, and with NaN as its areas, if no instance has a positive weight.
        Cost: time O(n log n), memory O(n).

    References
    ----------
    R. El-Yaniv and Y. Wiener (2010): the curve. Y. Geifman and R. El-Yaniv (2017): selective risk and coverage of a
    certainty. Y. Geifman et al. (2019): AURC, and its excess over the best order.
    """
    certainty, correct, weights = checked(certainty, correct, weights)
    aurc = _area(certainty, correct, weights)
    best = _area(correct.astype(np.float64), correct, weights)
    return RiskCoverage(*levels_of(certainty, correct, weights), aurc, aurc - best)


def reject_summary(
    certainty: ArrayLike,
    correct: ArrayLike,
    is_foreign: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    threshold: float | FloatArray | None = None,
) -> dict[str, Any]:
    """The summary of a method's certainties in a record.

    Parameters
    ----------
    certainty, correct, weights
        See `wekaconf.evaluation.measures`.
    is_foreign : (n_instances,) bool, optional
        Whether the instance's class was absent from the training data; False for all when left out.
    threshold : float or (n_instances,) float64, optional
        The certainty below which an instance is rejected.

    Returns
    -------
    dict
        Over the known instances: ``aurc``, ``excess_aurc``, ``auroc_correct`` (`ranking.auroc` of correct against wrong
        answers) and ``error_at``, which maps the coverages ``"0.95"``, ``"0.9"``, ``"0.8"`` and ``"0.5"`` to the
        expected error. ``auroc_known`` (known against unknown classes). With a threshold also the `Figures` of the
        known instances, by name, and ``outcomes``, see `outcome_counts`.
    """
    certainty, correct, weights = checked(certainty, correct, weights)
    is_foreign = (
        np.zeros(len(certainty), dtype=np.bool_)
        if is_foreign is None
        else checked_flags("is_foreign", is_foreign, len(certainty))
    )
    known = ~is_foreign
    rows = certainty[known], correct[known], weights[known]
    curve = risk_coverage(*rows)
    summary: dict[str, Any] = {
        "aurc": curve.aurc,
        "excess_aurc": curve.excess_aurc,
        "auroc_correct": auroc(*rows),
        "auroc_known": auroc(certainty, known, weights),
        "error_at": dict(zip(map("{:g}".format, COVERAGES), curve.errors_at(COVERAGES).tolist(), strict=True)),
    }
    if threshold is not None:
        rejected = ~accepted_at(certainty, threshold)
        summary |= figures(*rows, np.broadcast_to(threshold, certainty.shape)[known]).as_dict()
        summary["outcomes"] = outcome_counts(correct, rejected, is_foreign, weights)
    return summary


def _area(certainty: FloatArray, correct: BoolArray, weights: FloatArray) -> float:
    """AURC as `risk_coverage` defines it."""
    order = np.lexsort((weights, -certainty))
    order = order[weights[order] > 0]
    if not len(order):
        return math.nan
    certainty, correct, weights = certainty[order], correct[order], weights[order]
    level = np.append(0, np.cumsum(certainty[1:] != certainty[:-1]))
    group, group_wrong = np.bincount(level, weights), np.bincount(level, weights * ~correct)
    risk = np.cumsum((group_wrong / group)[level] * weights) / np.cumsum(weights)
    return float(weights @ risk / weights.sum())
