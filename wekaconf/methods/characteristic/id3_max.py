"""ID3-Max: the smallest and the largest value of each attribute at each leaf as limits."""

from __future__ import annotations

from collections.abc import Sequence

from wekaconf.data.dataset import Dataset
from wekaconf.methods.characteristic.base import LimitMethod
from wekaconf.methods.characteristic.learning import Rule
from wekaconf.methods.characteristic.limits import CLOSED, check_common
from wekaconf.postprocessor import check_choice
from wekaconf.tree.mirror import TreeMirror


class ID3Max(LimitMethod, name="id3_max"):
    """Rejects an instance with a value below the smallest or above the largest of the training instances of its leaf.

    The class distribution is the tree's own. The certainty is 1 inside all limits, else 0. A nominal value is outside
    when it does not occur in the leaf.

    Parameters
    ----------
    closed : {"both", "lower", "upper", "neither"}
        Which of the two limits are accepted themselves; a single value always is.
    zero_variance : {"exact", "accept", "parent"}
        Where a leaf has one instance, or all its values of an attribute are equal: only this value is accepted
        (``exact``), the attribute is not tested (``accept``), or it has the limits of the nearest ancestor where values
        differ (``parent``; not tested if there is none). A leaf without instances rejects everything, tests nothing,
        or has the limits of its nearest ancestor with instances.
    ordered : str or tuple of str
        Nominal attributes whose declared order counts, joined by ``+`` if one text: their first and last value that
        occur in the leaf are limits too. Of other nominal attributes the values that occur are accepted.

    Notes
    -----
    Cost: fit O(n_instances · n_attributes), times the depth with ``parent``; certainty O(depth + n_attributes) an
    instance, more with missing values.

    Instance weights make no difference.

    **Departures** from the paper: none of substance. Its text has closed limits; on iris, whose values are rounded, its
    table agrees with ``closed="lower"``. Where it is open: a missing value is not tested, nor is an attribute
    without a known value in the leaf (``parent``: the nearest ancestor's limits). Training instances that reach a leaf
    only in part (missing value) are left out of it. The certainty of a test instance with missing values is the mean
    over its paths, weighted with the tree's own shares, and it is rejected below one half. The paper's tree is ID3's; a
    J48 tree with ``-U -M 1`` stands for it here, and any tree will do.

    References
    ----------
    Davidsson: Learning characteristic decision trees, 1996, sections 2 and 4.
    """

    reference = "davidsson1996"
    has_deviations = False
    learner = ("J48", "-U -M 1")

    def __init__(
        self, *, closed: str = "both", zero_variance: str = "exact", ordered: str | Sequence[str] = ""
    ) -> None:
        check_choice(self.name, "closed", closed, CLOSED)
        check_common(self.name, zero_variance, ordered)
        self.closed = closed
        self.zero_variance = zero_variance
        self.ordered = ordered if isinstance(ordered, str) else tuple(ordered)

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self._learn(tree, train, Rule(zero_variance=self.zero_variance, closed=self.closed))

    def _threshold(self) -> float:
        return 0.5

    @property
    def _closed(self) -> str:
        return self.closed
