"""ID3-Max: the smallest and the largest value of each attribute at each leaf as limits."""

from __future__ import annotations

from wekaconf.data.dataset import Dataset
from wekaconf.methods.characteristic.base import LimitMethod
from wekaconf.methods.characteristic.learning import Rule
from wekaconf.methods.characteristic.limits import Closed
from wekaconf.parameters import parameter
from wekaconf.tree.mirror import TreeMirror


class ID3Max(LimitMethod, name="id3_max"):
    """Rejects an instance with a value below the smallest or above the largest of the training instances of its leaf.

    The class distribution is the tree's own. The certainty is 1 inside all limits, else 0. A nominal value is outside
    when it does not occur in the leaf.

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
    closed: Closed = parameter(
        default="both", help="Which of the two limits are accepted themselves; a single value always is."
    )

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self._learn(tree, train, Rule(zero_variance=self.zero_variance, closed=self.closed))

    def _threshold(self) -> float:
        return 0.5

    @property
    def _closed(self) -> Closed:
        return self.closed
