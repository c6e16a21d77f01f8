"""The mirrors of an ensemble's trees, which answer together, and how much the splits on each attribute are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, frozen
from wekaconf.tree._last_result import keep_last_result
from wekaconf.tree._mirror import TreeMirror, check_texts
from wekaconf.tree._router import sequential_sum, strict_winner
from wekaconf.tree.shown._html import html_of_forest


@dataclass(frozen=True, eq=False)
class Forest:
    """The mirrors of an ensemble's trees, which answer with the mean of their distributions, as in Weka, or by vote.

    Parameters
    ----------
    trees : tuple of TreeMirror
        At least one, all with the same header.
    learner, options, weka_version : str
        The learner that grew the ensemble, for the record.
    votes : {"mean", "average", "hard"}
        The mean of the distributions as Weka computes it, their normalised sum; or as scikit-learn does, their sum
        divided by the number of trees; or for each class the share of the trees whose most probable class it is, after
        rounding to 12 decimals, ties to the lowest index.

    Raises
    ------
    ValueError
        There is no tree, the headers differ, or ``votes`` is none of these.
    """

    trees: tuple[TreeMirror, ...]
    learner: str = field(default="Bagging", kw_only=True)
    options: str = field(default="", kw_only=True)
    weka_version: str = field(default="", kw_only=True)
    votes: str = field(default="mean", kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "trees", tuple(self.trees))
        if not self.trees or any(tree.header != self.trees[0].header for tree in self.trees):
            raise ValueError("trees: expected at least one tree, all with the same header")
        check_texts(learner=self.learner, options=self.options, weka_version=self.weka_version)
        if not isinstance(self.votes, str) or self.votes not in COMBINATIONS:
            raise ValueError(f"votes: expected {', '.join(map(repr, COMBINATIONS))}, got {self.votes!r}")

    def __repr__(self) -> str:
        """Learner, data and number of trees."""
        return f"Forest({self.learner} {self.options!r} on {self.header.relation!r}: {len(self.trees)} trees)"

    def _repr_html_(self) -> str:
        return html_of_forest(self.trees, f"{self.learner} {self.options}".strip())

    @property
    def header(self) -> Header:
        """The header of the training data."""
        return self.trees[0].header

    @property
    def class_names(self) -> tuple[str, ...]:
        """The declared classes."""
        return self.header.class_names

    def with_laplace(self, laplace: bool) -> Forest:
        """The same forest with or without Laplace's correction in every tree; see `TreeMirror.with_laplace`."""
        return replace(self, trees=tuple(tree.with_laplace(laplace) for tree in self.trees))

    def predict_proba(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: bit for bit as Weka or scikit-learn; see `TreeMirror.predict_proba`."""
        answers = (tree.predict_proba(data) for tree in self.trees)
        return COMBINATIONS[self.votes](answers)

    def predict(self, data: Dataset) -> NDArray[np.int64]:
        """(n_instances,) int64: the most probable class, ties to the lowest index."""
        return self.predict_proba(data).argmax(axis=1)

    def classify(self, data: Dataset) -> NDArray[np.int64]:
        """(n_instances,) int64: Weka's ``classifyInstance``, −1 for an all-zero answer."""
        return strict_winner(self.predict_proba(data))


@keep_last_result
def own_answers(tree: TreeMirror | Forest, data: Dataset) -> FloatArray:
    """(n_instances, n_classes) float64: ``predict_proba`` of a tree or forest, kept for the next call; read-only."""
    return frozen(tree.predict_proba(data))


def mean_distribution(answers: Iterator[FloatArray]) -> FloatArray:
    """Sum of the answers, normalised as in Weka's Bagging: a row that sums to less than 1e-6 is left as it is."""
    total = np.array(next(answers))
    for answer in answers:
        total += answer
    sums = sequential_sum(total)
    scaled = np.abs(sums) >= 1e-6
    total[scaled] /= sums[scaled, None]
    return total


def average(answers: Iterator[FloatArray]) -> FloatArray:
    """Sum of the answers divided by their number, as in scikit-learn's forests."""
    total, n_answers = np.array(next(answers)), 1
    for answer in answers:
        total += answer
        n_answers += 1
    total /= n_answers
    return total


def vote_shares(answers: Iterable[FloatArray]) -> FloatArray:
    """For each class the share of the answers in which it is the most probable class; see `Forest` for ties."""
    votes: FloatArray = np.zeros(())
    for answer in answers:
        votes = votes + np.eye(answer.shape[1])[most_probable(answer)]
    return votes / votes.sum(axis=1, keepdims=True)


# "mean" and "average" differ in the last bits, so they are two rules.
COMBINATIONS: dict[str, Callable[[Iterator[FloatArray]], FloatArray]] = {
    "mean": mean_distribution,
    "average": average,
    "hard": vote_shares,
}
"""The functions with which forests combine the answers of their trees."""


def importances(tree: TreeMirror | Forest) -> FloatArray:
    """The weighted decrease of impurity by the splits on each attribute, as shares.

    A node counts with its summed training weight: that times its impurity, less the same of its children. The impurity
    is Gini's for CART, the entropy for other learners. For a forest it is the mean of the trees that split.

    Parameters
    ----------
    tree : TreeMirror or Forest
        Of REPTree, the weights are those of the instances that it was grown on, without those held out for pruning.

    Returns
    -------
    (n_attributes,) float64
        In [0, 1], dimensionless, in the order of the header; they sum to 1, or to 0 where no split lowers the impurity.
        Cost: O(n_nodes · n_classes).

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984). Classification and regression trees.
    """
    if isinstance(tree, Forest):
        of_trees = [importances(member) for member in tree.trees if member.n_nodes > 1]
        return _shares(np.mean(of_trees, axis=0) if of_trees else np.zeros(len(tree.header.attributes)))
    counts = tree.grown_class_weight if len(tree.grown_class_weight) else tree.class_weight
    impurity = (gini if tree.routing.is_cart else entropy)(counts)
    weight = counts.sum(axis=1)
    decrease = weight * impurity
    np.subtract.at(decrease, tree.parent[1:], weight[1:] * impurity[1:])
    inner = np.flatnonzero(tree.split_attribute >= 0)
    total = np.bincount(tree.split_attribute[inner], decrease[inner], minlength=len(tree.header.attributes))
    return _shares(total.astype(np.float64))


def gini(counts: FloatArray) -> FloatArray:
    """(n,) float64: the Gini impurity of each row of class weights; 0 for a row without any."""
    return np.asarray(1.0 - (_distributions(counts) ** 2).sum(axis=1)) * counts.any(axis=1)


def entropy(counts: FloatArray) -> FloatArray:
    """(n,) float64: the entropy of each row of class weights, in nats; 0 for a row without any."""
    from scipy.special import entr  # here, as all that reads trees would otherwise wait for scipy

    return np.asarray(entr(_distributions(counts)).sum(axis=1))


def _distributions(counts: FloatArray) -> FloatArray:
    total = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, total, where=total > 0, out=np.zeros_like(counts))


def _shares(total: FloatArray) -> FloatArray:
    return total / total.sum() if total.sum() > 0 else np.zeros_like(total)
