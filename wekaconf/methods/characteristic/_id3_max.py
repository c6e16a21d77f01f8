"""ID3-Max: the limits are the smallest and the largest value of each attribute at each leaf."""

from __future__ import annotations

from wekaconf.base.parameters import parameter
from wekaconf.methods.characteristic._base import LimitMethod
from wekaconf.methods.characteristic._limits import Closed
from wekaconf.methods.contract import CertaintyRange


class ID3Max(LimitMethod, name="id3_max"):
    """Rejects an instance with a value below the smallest or above the largest of the training instances of its leaf.

    The class distribution is the tree's own. The certainty is 1 inside all limits, else 0. A nominal value is outside
    if it does not occur in the leaf.

    Notes
    -----
    Cost: fit O(n_instances · n_attributes); certainty O(depth + n_attributes) per instance, more with missing values.

    Instance weights make no difference.

    **Departures** from the paper: none of substance. Its text has closed limits; on iris, whose values are rounded, its
    table agrees with ``closed="lower"``. Where the paper leaves a choice: a missing value is not tested, nor is an
    attribute without a known value in the leaf. Where a leaf has one value of an attribute, only this value is
    accepted; a leaf without instances rejects everything. Training instances that reach a leaf only in part (missing
    value) do not count there. The certainty of a test instance with missing values is the mean over its paths, weighted
    by the tree's own shares; the instance is rejected below one half. The paper grows its tree by ID3; here a J48 tree
    with ``-U -M 1`` takes its place, and any tree may be used.

    References
    ----------
    Davidsson: Learning characteristic decision trees, 1996, sections 2 and 4.
    """

    display_name = "ID3-Max"
    reference = "davidsson1996"
    certainty_range = CertaintyRange(
        meaning="1 inside all limits of the leaf, else 0; with missing values a mean of these"
    )
    has_deviations = False
    learner = ("J48", "-U -M 1")
    closed: Closed = parameter(
        default="both", help="Which of the two limits are themselves accepted; a single value always is."
    )

    def _threshold(self) -> float:
        return 0.5

    @property
    def _closed(self) -> Closed:
        return self.closed
