"""What the three forms of a printed tree share: the heading, and the contents of leaves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from wekaconf.annotation import Annotation, Line
from wekaconf.data.dataset import FloatArray
from wekaconf.errors import OptionError
from wekaconf.tree.kinds import Routing
from wekaconf.tree.mirror import TreeMirror, strict_winner
from wekaconf.tree.router import sequential_sum

Annotate = Callable[[int], Annotation]
"""What a method adds to each node, such as the ``annotation`` of a fitted `wekaconf.annotation.AnnotatesNodes`."""

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
NO_WEIGHT = 1e-6
"""Weights up to this count as zero in Weka."""


class Leaf(NamedTuple):
    """The class and the weights that are printed at a leaf.

    Parameters
    ----------
    name : str
        The class; "?" if there is no answer.
    weight, others : float
        Training weight of the leaf, and the part of it that belongs to other classes; NaN if unknown.
    held_out : tuple of two float, optional
        The same for the instances held out for pruning; only for REPTree.
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
    grown, held_out = tree.grown_class_weight[leaf], tree.held_out_class_weight[leaf]
    weight, held_out_weight = total(grown), total(held_out)
    return Leaf(
        name, weight, weight - float(grown[winner]), (held_out_weight, held_out_weight - float(held_out[winner]))
    )


def rounded(weight: float) -> float:
    """Weka's ``Utils.roundDouble(weight, 2)``: halves up, and no hundredths above the largest long."""
    hundredths = min(weight * 100.0, 2.0**63)
    below = math.floor(hundredths)
    return (below + (hundredths - below >= 0.5)) / 100.0


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


def heading(tree: TreeMirror) -> str:
    """The name of the learner and whether the tree is pruned, in Weka's words for Weka's learners."""
    name = tree.learner.rpartition(".")[2]
    if name in ("Bagging", "RandomForest"):
        name = MEMBERS[tree.routing]
    if name in ("J48", "C44"):
        return "J48 unpruned tree" if name == "C44" or "-U" in flags(tree) else "J48 pruned tree"
    if name == "CART":
        is_pruned = "prune=none" not in flags(tree)
        return f"CART {'pruned' if is_pruned else 'unpruned'} tree"
    return "Information gain tree" if name == "info_gain" else name


def flags(tree: TreeMirror) -> list[str]:
    """The options of the tree itself; for a member of Bagging those after ``--``."""
    options = tree.options.split()
    if tree.learner.rpartition(".")[2] != "Bagging":
        return options
    return options[options.index("--") + 1 :] if "--" in options else []


def written(line: Line, number: Callable[[float], str]) -> str:
    """A line of an annotation as text."""
    return "".join(number(float(part)) if isinstance(part, float) else part for part in line)


def refuse_annotation(annotate: Annotate | None) -> None:
    """Raise OptionError if a forest is to be annotated."""
    if annotate is not None:
        raise OptionError("annotate: expected with one tree, got it with a forest; give one of its trees")
