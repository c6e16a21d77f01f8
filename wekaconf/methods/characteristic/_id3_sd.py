"""ID3-SD: the limits at each leaf follow from the means and standard deviations of its values."""

from __future__ import annotations

from typing import Literal

from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import parameter
from wekaconf.base.words import Argument
from wekaconf.data import Dataset
from wekaconf.methods.characteristic._base import LimitMethod
from wekaconf.methods.characteristic._learning import Rule
from wekaconf.methods.characteristic._limits import alpha_of
from wekaconf.methods.contract import CertaintyRange
from wekaconf.tree import TreeMirror


class ID3SD(LimitMethod, name="id3_sd"):
    """Rejects an instance with a value further than z(1 − α/2) standard deviations from the mean of its leaf.

    The class distribution is the tree's own. The certainty is the smallest two-sided tail probability
    2 · (1 − Φ(|x − m| / s)) over the numeric attributes, so that the paper's rule is to reject below α. It is 0 if a
    nominal value does not occur in the leaf.

    Notes
    -----
    Cost: fit O(n_instances · n_attributes), times the depth with ``parent``; certainty O(depth + n_attributes) per
    instance, more with missing values.

    Instance weights: mean and deviation are weighted, n counts instances.

    **Departures** from the paper: none of substance. Where the paper leaves a choice: a missing value is not tested,
    nor is an attribute without a known value in the leaf (with ``parent`` it has the nearest ancestor's limits).
    Training instances that reach a leaf only in part (missing value) do not count there. The certainty of a test
    instance with missing values is the mean over its paths, weighted by the tree's own shares. Infinite training values
    are left out of mean and deviation; an infinite test value is rejected unless the leaf has no other value. A value
    that is exactly a limit is accepted. The paper grows its tree by ID3; here a J48 tree with ``-U -M 1`` takes its
    place, and any tree may be used.

    References
    ----------
    Davidsson: Learning characteristic decision trees, 1996, sections 2, 4 and 4.1. Howe: Two-sided tolerance limits for
    normal populations, Journal of the American Statistical Association 64, 1969 (the factor).
    """

    display_name = "ID3-SD"
    reference = "davidsson1996"
    certainty_range = CertaintyRange(
        meaning="the smallest two-sided tail probability of the values in their leaf, to be compared with α"
    )
    has_deviations = True
    learner = ("J48", "-U -M 1")
    alpha: float | None = parameter(
        default=None, low=0, high=1, is_open=True,
        help="α, the probability that a numeric attribute of a member of the leaf lies outside its limits; none: .05, "
        "or the value that follows from p_total.",
    )  # fmt: skip
    p_total: float | None = parameter(
        default=None, low=0, high=1, is_open=True,
        help="Probability that all N numeric attributes of a member lie inside: α = 1 − p_total^(1/N).",
    )  # fmt: skip
    limits: Literal["normal", "tolerance"] = parameter(
        default="normal",
        help="normal: m ± z · s. tolerance, the paper's first idea: limits that with the probability confidence hold a "
        "share 1 − α of the members; s is multiplied by Howe's √((n − 1)(1 + 1/n) / χ²), with the "
        "(1 − confidence)-quantile of χ² with n − 1 degrees of freedom.",
    )
    confidence: float = parameter(
        default=0.95, low=0, high=1, is_open=True,
        help="Probability that the tolerance limits hold the share 1 − α of the members.",
    )  # fmt: skip
    trim: float = parameter(
        default=0.0, low=0, high=1,
        help="Leave out instances with a value outside the limits at α = trim, once, before the limits are computed, "
        "unless none would remain; 0 keeps all.",
    )  # fmt: skip

    def _check_parameters(self) -> None:
        if self.alpha is not None and self.p_total is not None:
            alpha, p_total = Argument("alpha", self.name), Argument("p_total", self.name)
            raise OptionError("give ", alpha, " or ", p_total, ", from which alpha follows, not both", of=self.name)
        if self.trim == 1:
            raise OptionError(
                Argument("trim", self.name), " must be smaller than 1, which would remove all instances", of=self.name
            )

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self._learn(tree, train, Rule(self.limits, self.confidence, self.zero_variance, self.trim))

    def _threshold(self) -> float:
        return alpha_of(self.alpha, self.p_total, len(self.limits_.numeric))
