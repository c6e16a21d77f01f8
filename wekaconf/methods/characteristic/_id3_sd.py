"""ID3-SD: the limits at each leaf follow from the means and standard deviations of its values."""

from __future__ import annotations

from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import parameter
from wekaconf.base.words import Argument
from wekaconf.methods.characteristic._base import LimitMethod
from wekaconf.methods.characteristic._limits import alpha_of
from wekaconf.methods.contract import CertaintyRange


class ID3SD(LimitMethod, name="id3_sd"):
    """Rejects an instance with a value further than z(1 − α/2) standard deviations from the mean of its leaf.

    The class distribution is the tree's own. The certainty is the smallest two-sided tail probability
    2 · (1 − Φ(|x − m| / s)) over the numeric attributes, so that the paper's rule is to reject below α. It is 0 if a
    nominal value does not occur in the leaf.

    Notes
    -----
    Cost: fit O(n_instances · n_attributes); certainty O(depth + n_attributes) per instance, more with missing values.

    Instance weights: mean and deviation are weighted, n counts instances.

    **Departures** from the paper: none of substance. Where the paper leaves a choice: a missing value is not tested,
    nor is an attribute without a known value in the leaf. Where a leaf has one value of an attribute, only this value
    is accepted; a leaf without instances rejects everything. Training instances that reach a leaf only in part (missing
    value) do not count there. The certainty of a test instance with missing values is the mean over its paths, weighted
    by the tree's own shares. Infinite training values are left out of mean and deviation; an infinite test value is
    rejected unless the leaf has no other value. A value that is exactly a limit is accepted. The tolerance limits that
    the paper considers first, and its trimming of section 4.1, are not here. The paper grows its tree by ID3; here a
    J48 tree with ``-U -M 1`` takes its place, and any tree may be used.

    References
    ----------
    Davidsson: Learning characteristic decision trees, 1996, sections 2 and 4.
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

    def _check_parameters(self) -> None:
        if self.alpha is not None and self.p_total is not None:
            alpha, p_total = Argument("alpha", self.name), Argument("p_total", self.name)
            raise OptionError("give ", alpha, " or ", p_total, ", from which alpha follows, not both", of=self.name)

    def _threshold(self) -> float:
        return alpha_of(self.alpha, self.p_total, len(self.limits_.numeric))
