"""TPCE's inducer as a learner of single trees and of bagged trees.

J48 would not do: TPCE withholds the values of one instance from the search for cuts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from wekaconf.base.parameters import parameter
from wekaconf.data import Dataset
from wekaconf.learners.info_gain._learning_set import LearningSet
from wekaconf.learners.info_gain._rules import SMALLEST_GAIN, Cuts, Rules
from wekaconf.tree import Forest, Grown, Learner, TreeMirror


class InfoGainLearner(Learner[Grown], is_registered=False):
    """A learner that grows trees by information gain."""

    reference = "costa2013"
    cuts: Cuts = parameter(
        default="class-boundary",
        help="Where to cut a number: between neighbouring values that are not both of one class, or at every value; "
        "with-x equals all in a tree that is not grown for an instance.",
    )
    safe_prune: bool = parameter(default=True, help="Whether a node whose leaves all predict one class becomes a leaf.")
    min_weight: float = parameter(
        default=2.0, low=0, help="Smallest summed weight of either branch, of instances whose value is known."
    )
    min_gain: float = parameter(default=1e-6, low=SMALLEST_GAIN, help="Smallest gain of a split, in bits.")
    laplace: bool = parameter(
        default=False, help="Whether leaves answer (count + 1) / (sum + n_classes) instead of count / sum."
    )

    @property
    def rules(self) -> Rules:
        """The rules by which the inducer grows."""
        return Rules(self.cuts, self.safe_prune, self.min_weight, self.min_gain)

    def _tree(self, learning: LearningSet) -> TreeMirror:
        return learning.grow(self.rules, learner=self.name, options=self.options, laplace=self.laplace)


class InfoGain(InfoGainLearner[TreeMirror], name="info_gain"):
    """A tree by information gain, TPCE's plain tree.

    Splits are binary: a number is compared with one that occurs, ``value <= v``; the values of a nominal attribute are
    split into a subset, grown greedily, and the rest. An instance without the value goes down both branches in
    proportion to their known weight; a leaf's answer is its class counts, which are added over the parts of an instance
    before they become shares. Cost: O(n_instances · n_attributes · depth) after one sorting of each attribute.

    Notes
    -----
    Of splits of equal gain the lowest attribute wins, then the highest split point. Gains are compared exactly where no
    value is missing and weights are whole numbers (see `wekaconf.learners.info_gain._rules.log_table`); else after
    rounding to 2**-30 bits. Of equal counts the lowest class wins. The cuts ``with-x`` are those of
    `wekaconf.methods.transductive._tpce.TPCE`.

    References
    ----------
    E. P. Costa, S. Verwer and H. Blockeel (2013). Estimating prediction certainty in decision trees. Advances in
    Intelligent Data Analysis XII, 138-149. Section 4.1: Clus with information gain, without pruning.
    **Departures**: the rules are those of Clus as far as the paper and its figures tell; "safe prune" is what Clus does
    even where it is told not to prune.
    """

    def _grow(self, train: Dataset) -> TreeMirror:
        return self._tree(LearningSet.of(train))


class InfoGainBagging(InfoGainLearner[Forest], name="info_gain_bagging"):
    """Trees by information gain on bootstrap samples, the ensemble that TPCE is compared with.

    A sample is as many draws with replacement as there are instances, each with the instance's weight.

    References
    ----------
    E. P. Costa, S. Verwer and H. Blockeel (2013). Estimating prediction certainty in decision trees. Advances in
    Intelligent Data Analysis XII, 138-149. Section 4.1.
    """

    is_ensemble = True
    bags: int | Literal["k"] = parameter(
        default="k", low=1, help="How many trees; k: as many as classes have instances."
    )
    votes: Literal["mean", "hard"] = parameter(
        default="mean", help="Take the mean of the trees' distributions, or the shares of the trees for each class."
    )
    seed: int = parameter(default=1, low=0, help="Seed of the samples.")

    def _grow(self, train: Dataset) -> Forest:
        learning = LearningSet.of(train)
        random = np.random.default_rng(self.seed)
        n_bags = len(learning.present) if self.bags == "k" else self.bags
        trees = tuple(self._tree(_bootstrap_sample(learning, random)) for _ in range(n_bags))
        return Forest(trees, votes=self.votes, learner=self.name, options=self.options)


def _bootstrap_sample(learning: LearningSet, random: np.random.Generator) -> LearningSet:
    """A bootstrap sample; an instance that was drawn twice has twice the weight."""
    n_draws = np.bincount(random.integers(0, len(learning), len(learning)), minlength=len(learning))
    is_drawn = n_draws > 0
    parts: dict[str, Any] = {
        "columns": np.ascontiguousarray(learning.columns[:, is_drawn]),
        "target": learning.target[is_drawn],
        "weight": (learning.weight * n_draws)[is_drawn],
    }
    return replace(learning, **parts)
