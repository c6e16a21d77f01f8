"""The words of a printed tree: its heading, and the class and the weights at a leaf."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wekaconf.data.arrays import FloatArray
from wekaconf.tree._conditions import is_stump
from wekaconf.tree._kinds import Routing
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree._router import sequential_sum, strict_winner

MEMBERS = {
    Routing.J48: "J48",
    Routing.J48_LAPLACE: "J48",
    Routing.REPTREE: "REPTree",
    Routing.RANDOMTREE: "RandomTree",
    Routing.RANDOMTREE_UNCLASSIFIED: "RandomTree",
    Routing.CART: "CART",
    Routing.CART_LAPLACE: "CART",
    Routing.COUNTS: "info_gain",
    Routing.COUNTS_LAPLACE: "info_gain",
}

OUTER = ("Bagging", "RandomCommittee", "RandomSubSpace", "AttributeSelectedClassifier")
"""Weka's learners that have the learner of their trees among their options."""
NO_WEIGHT = 1e-6
"""Weights up to this count as zero in Weka."""


def heading(tree: TreeMirror) -> str:
    """The name of the learner and whether the tree is pruned, in Weka's words for Weka's learners."""
    name = tree.learner.rpartition(".")[2]
    if name in (*OUTER, "RandomForest"):
        name = "DecisionStump" if is_stump(tree) else MEMBERS[tree.routing]
    if name in ("J48", "C44"):
        return "J48 unpruned tree" if name == "C44" or "-U" in flags(tree) else "J48 pruned tree"
    if name == "CART":
        is_pruned = "prune=none" not in flags(tree)
        return f"CART {'pruned' if is_pruned else 'unpruned'} tree"
    return "Information gain tree" if name == "info_gain" else name


def flags(tree: TreeMirror) -> list[str]:
    """The options of the tree itself; inside other learners those after the last ``--``."""
    if tree.learner.rpartition(".")[2] not in OUTER:
        return tree.options.split()
    return tree.options.rpartition(" -- ")[2].split() if " -- " in tree.options else []


class Leaf(NamedTuple):
    """The class and the weights that are printed at a leaf.

    Parameters
    ----------
    name : str
        The class; "?" if there is no answer.
    weight, others : float
        Training weight of the leaf, and the part of it that belongs to other classes; NaN if unknown.
    held_out : tuple of two float, optional
        ``weight`` and ``others`` of the instances held out for pruning; only for REPTree.
    """

    name: str
    weight: float
    others: float
    held_out: tuple[float, float] | None = None

    def shares(self, number: Callable[[float], str]) -> str:
        """The weights as Weka groups them; empty if they are unknown."""
        if self.weight != self.weight:
            return ""
        groups = [("()", self.weight, self.others)]
        groups += [("[]", *self.held_out)] if self.held_out else []
        shown = [
            f"{ends[0]}{number(weight)}{f'/{number(others)}' if others > NO_WEIGHT else ''}{ends[1]}"
            for ends, weight, others in groups
        ]
        return " ".join(shown)


def leaf_of(tree: TreeMirror, leaf: int) -> Leaf:
    """The class that a leaf answers with, and its weights; for J48 those of Weka's dumpLabel."""
    if tree.routing == Routing.REPTREE:
        return _rep_leaf(tree, leaf)
    weights, weight = tree.class_weight[leaf], float(tree.total[leaf])
    if not tree.routing.is_j48:
        weight = total(weights)
        winner = int(strict_winner(tree.router.answer[[leaf]])[0])
    elif leaf == 0:
        winner = _clear_winner(weights)
    else:
        weights, weight = tree.branch_class_weight[leaf], float(tree.branch_weight[leaf])
        winner = _clear_winner(weights if weight > NO_WEIGHT else tree.class_weight[tree.parent[leaf]])
    if winner < 0:
        return Leaf("?", weight, 0.0)
    return Leaf(tree.class_names[winner], weight, weight - float(weights[winner]))


def _rep_leaf(tree: TreeMirror, leaf: int) -> Leaf:
    winner = int(tree.router.answer[leaf].argmax())
    name = tree.class_names[winner]
    if not len(tree.grown_class_weight):
        return Leaf(name, float("nan"), float("nan"))
    grown_weights, held_out_weights = tree.grown_class_weight[leaf], tree.held_out_class_weight[leaf]
    weight, held_out_weight = total(grown_weights), total(held_out_weights)
    held_out = held_out_weight, held_out_weight - float(held_out_weights[winner])
    return Leaf(name, weight, weight - float(grown_weights[winner]), held_out)


def total(weights: FloatArray) -> float:
    """The sum of the weights from left to right, as Weka adds them."""
    return float(sequential_sum(weights[None])[0])


def _clear_winner(weights: FloatArray) -> int:
    """Weka's maxClass: a later class wins only if its weight is larger by more than 1e-6."""
    winner, best = 0, 0.0
    for c, weight in enumerate(weights.tolist()):
        if weight - best > NO_WEIGHT:
            winner, best = c, weight
    return winner
