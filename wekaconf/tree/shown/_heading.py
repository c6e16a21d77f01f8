"""The heading of a printed tree."""

from __future__ import annotations

from wekaconf.tree._conditions import is_stump
from wekaconf.tree._kinds import Routing
from wekaconf.tree._mirror import TreeMirror

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
