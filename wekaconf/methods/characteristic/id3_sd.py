"""ID3-SD: limits of the values at each leaf from their means and standard deviations."""

from __future__ import annotations

from collections.abc import Sequence

from wekaconf.data.dataset import Dataset
from wekaconf.methods.characteristic.base import LimitMethod
from wekaconf.methods.characteristic.learning import Rule
from wekaconf.methods.characteristic.limits import alpha_of, check_common, check_sd
from wekaconf.tree.mirror import TreeMirror


class ID3SD(LimitMethod, name="id3_sd"):
    """Rejects an instance with a value further than z(1 − α/2) standard deviations from the mean of its leaf.

    The class distribution is the tree's own. The certainty is the smallest two-sided tail probability
    2 · (1 − Φ(|x − m| / s)) over the numeric attributes, so that the paper's rule is to reject below α. A nominal value
    that does not occur in the leaf makes it 0.

    Parameters
    ----------
    alpha : float or None
        α in (0, 1), the probability that a numeric attribute of a member of the leaf lies outside its limits; None:
        .05, or what follows from ``p_total``.
    p_total : float or None
        Probability in (0, 1) that all N numeric attributes of a member lie inside: α = 1 − p_total^(1/N).
    limits : {"normal", "tolerance"}
        m ± z · s, or limits that hold a share 1 − α of the members with probability ``confidence``, the paper's first
        idea: s times Howe's √((n − 1)(1 + 1/n) / χ²), with the (1 − confidence)-quantile of χ² with n − 1 degrees of
        freedom.
    confidence : float
        Of the tolerance limits, in (0, 1).
    zero_variance : {"exact", "accept", "parent"}
        Where a leaf has one instance, or all its values of an attribute are equal: only this value is accepted
        (``exact``), the attribute is not tested (``accept``), or it has the limits of the nearest ancestor where values
        differ (``parent``; not tested if there is none). A leaf without instances rejects everything, tests nothing,
        or has the limits of its nearest ancestor with instances.
    trim : float
        In [0, 1): instances with a value outside the limits at α = trim are left out, once, before the limits are
        computed, unless none were left; 0 leaves all.
    ordered : str or tuple of str
        Nominal attributes whose declared order counts, joined by ``+`` if one text: values between the first and the
        last that occur in the leaf are accepted. Of other nominal attributes those that occur.

    Notes
    -----
    Cost: fit O(n_instances · n_attributes), times the depth with ``parent``; certainty O(depth + n_attributes) an
    instance, more with missing values.

    Instance weights: mean and deviation are weighted, n counts instances.

    **Departures** from the paper: none of substance. Where it is open: a missing value is not tested, nor is an
    attribute without a known value in the leaf (``parent``: the nearest ancestor's limits). Training instances that
    reach a leaf only in part (missing value) are left out of it. The certainty of a test instance with missing values
    is the mean over its paths, weighted with the tree's own shares. Infinite training values are left out of mean and
    deviation; an infinite test value is rejected unless the leaf has no other. A value that is exactly a limit is
    accepted. The paper's tree is ID3's; a J48 tree with ``-U -M 1`` stands for it here, and any tree will do.

    References
    ----------
    Davidsson: Learning characteristic decision trees, 1996, sections 2, 4 and 4.1. Howe: Two-sided tolerance limits for
    normal populations, Journal of the American Statistical Association 64, 1969 (the factor).
    """

    reference = "davidsson1996"
    has_deviations = True
    learner = ("J48", "-U -M 1")

    def __init__(
        self,
        *,
        alpha: float | None = None,
        p_total: float | None = None,
        limits: str = "normal",
        confidence: float = 0.95,
        zero_variance: str = "exact",
        trim: float = 0.0,
        ordered: str | Sequence[str] = "",
    ) -> None:
        check_sd(self.name, alpha=alpha, p_total=p_total, limits=limits, confidence=confidence, trim=trim)
        check_common(self.name, zero_variance, ordered)
        self.alpha = alpha
        self.p_total = p_total
        self.limits = limits
        self.confidence = confidence
        self.zero_variance = zero_variance
        self.trim = trim
        self.ordered = ordered if isinstance(ordered, str) else tuple(ordered)

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self._learn(tree, train, Rule(self.limits, self.confidence, self.zero_variance, self.trim))

    def _threshold(self) -> float:
        return alpha_of(self.alpha, self.p_total, len(self.limits_.numeric))
