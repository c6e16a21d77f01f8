"""TPCE's own inducer as a learner, alone and in bags."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from wekaconf.data.dataset import Dataset, check_trainable
from wekaconf.learners.info_gain.learning_set import LearningSet
from wekaconf.learners.info_gain.rules import TREE_OPTIONS, Rules
from wekaconf.options import Option, choice, whole_number
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror


def _number_of_bags(text: str) -> int | None:
    return None if text == "k" else whole_number(1).read(text)


BAGGING_OPTIONS = {
    **TREE_OPTIONS,
    "bags": Option("k|whole number from 1", _number_of_bags),
    "votes": choice("mean", "hard"),
    "seed": whole_number(0),
}


def grow_info_gain(train: Dataset, options: str = "") -> TreeMirror:
    """Grow a tree by information gain, TPCE's plain tree.

    Splits are binary: a number is compared with one that occurs, ``value <= v``; the values of a nominal attribute are
    split into a subset, grown greedily, and the rest. An instance without the value goes down both branches in
    proportion to their known weight; a leaf's answer is its class counts, which are added over the parts of an instance
    before they become shares.

    Parameters
    ----------
    train : Dataset
        Instances without a class or without weight are left out.
    options : str
        ``name=value``, separated by blanks:

        thresholds : class-boundary, all or with-x
            class-boundary (default): a number may be cut between neighbouring values that are not both of one and the
            same class; all: at every value; with-x: the same in a single tree, see
            `wekaconf.methods.transductive.tpce.Tpce`.
        safe_prune : true or false, default true
            A node whose leaves all predict one class becomes a leaf.
        min_weight : number from 0, default 2
            Smallest summed weight of either branch of a split, of the instances whose value is known.
        min_gain : number from 1e-12, default 1e-6
            A split that gains less, in bits, is none.
        laplace : true or false, default false
            Whether leaves answer (count + 1) / (sum + n_classes) instead of count / sum.

    Returns
    -------
    TreeMirror
        Cost: O(n_instances · n_attributes · depth) after one sorting of each attribute.

    Raises
    ------
    OptionError
        Unknown option or value; data no tree can be grown on.

    Notes
    -----
    Of splits of equal gain the lowest attribute wins, then the highest split point. Gains are compared exactly where no
    value is missing and weights are whole numbers (see `wekaconf.learners.info_gain.rules.log_table`); else after
    rounding to 2**-30 bits. Of equal counts the lowest class wins.

    References
    ----------
    E. P. Costa, S. Verwer and H. Blockeel (2013). Estimating prediction certainty in decision trees. Advances in
    Intelligent Data Analysis XII, 138-149. Section 4.1: Clus with information gain, without pruning.
    **Departures**: the rules are those of Clus as far as the paper and its figures tell; "safe prune" is what Clus does
    even where it is told not to prune.
    """
    rules, given = Rules.of("info_gain", options, TREE_OPTIONS)
    check_trainable(train)
    return LearningSet.of(train).grow(rules, options=options, laplace=given.get("laplace") == "true")


def grow_info_gain_bagging(train: Dataset, options: str = "") -> Forest:
    """Grow trees by information gain on bootstrap samples, the ensemble that TPCE is compared with.

    Parameters
    ----------
    train : Dataset
        See `grow_info_gain`.
    options : str
        Those of `grow_info_gain`, and:

        bags : k or whole number from 1, default k
            How many trees; k: as many as classes have instances.
        votes : mean or hard, default mean
            mean: the mean of the trees' distributions; hard: the shares of the trees that predict each class.
        seed : whole number from 0, default 1
            Of the samples: as many draws with replacement as there are instances, each with the instance's weight.

    Returns
    -------
    Forest

    Raises
    ------
    OptionError
        See `grow_info_gain`.
    """
    rules, given = Rules.of("info_gain_bagging", options, BAGGING_OPTIONS)
    check_trainable(train)
    learning = LearningSet.of(train)
    random = np.random.default_rng(given.get("seed", 1))
    trees = [
        _drawn(learning, random).grow(
            rules, learner="info_gain_bagging", options=options, laplace=given.get("laplace") == "true"
        )
        for _ in range(given.get("bags") or len(learning.present))
    ]
    return Forest(tuple(trees), votes=given.get("votes", "mean"), learner="info_gain_bagging", options=options)


def _drawn(learning: LearningSet, random: np.random.Generator) -> LearningSet:
    """A bootstrap sample; an instance that was drawn twice has twice the weight."""
    times = np.bincount(random.integers(0, len(learning), len(learning)), minlength=len(learning))
    drawn = times > 0
    parts: dict[str, Any] = {
        "columns": np.ascontiguousarray(learning.columns[:, drawn]),
        "target": learning.target[drawn],
        "weight": (learning.weight * times)[drawn],
    }
    return replace(learning, **parts)
