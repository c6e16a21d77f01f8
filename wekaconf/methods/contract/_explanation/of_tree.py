"""The steps of a tree's own answer, and of methods that answer from the nodes where an instance stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from wekaconf.base.naming import shown
from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import cells, percent
from wekaconf.methods.contract._explanation.step import Step
from wekaconf.methods.contract._leaf_reasons import describe_node
from wekaconf.tree import (
    IS_MISSING,
    Forest,
    Routing,
    TreeMirror,
    branch_in_words,
    condition_in_words,
    sequential_sum,
    split_on,
)

AtNode = Callable[[int], Step]
"""The step of an instance, or of a part of one, that stops at a node."""
BRANCH_WEIGHT = 1e-6
"""The weight above which a branch of J48 answers for its empty child."""


class Weights(NamedTuple):
    """The numbers that a leaf's answer follows from: (weights + add) / total.

    Parameters
    ----------
    weights : (n_classes,) float64
        Those of the leaf, or of a node above an empty leaf.
    add, total : float
    """

    weights: FloatArray
    add: float
    total: float


def weights_of(tree: TreeMirror, node: int) -> Weights:
    """The numbers that the answer at a node where instances stop follows from."""
    n, routing = tree.header.n_classes, tree.routing
    if routing.is_j48:
        return _j48_weights(tree, node)
    if routing != Routing.RANDOMTREE_UNCLASSIFIED:
        while node and tree.is_empty[node]:
            node = int(tree.parent[node])
    weights = tree.class_weight[node]
    add = float(routing.is_laplace)
    if routing.is_cart:
        return Weights(weights, add, float(tree.total[node]) + add * n)
    if routing == Routing.REPTREE:
        return Weights(weights, 0.0, 1.0)
    total = float(sequential_sum(weights[None])[0])
    if routing.adds_counts:
        return Weights(weights, add, total + add * n)
    return Weights(weights, 0.0, total if total != 0 else 1.0)


def _j48_weights(tree: TreeMirror, node: int) -> Weights:
    add = float(tree.routing.is_laplace)
    weights, total = tree.class_weight[node], float(tree.total[node])
    if node and tree.is_empty[node]:
        weights, total = tree.branch_class_weight[node], float(tree.branch_weight[node])
        if total > BRANCH_WEIGHT:
            return Weights(weights, add, total + add * len(weights))
        above = int(tree.parent[node])
        weights, total = tree.class_weight[above], float(tree.total[above])
    if not add and abs(total) < BRANCH_WEIGHT:
        return Weights(np.zeros(len(weights)), 0.0, 1.0)
    return Weights(weights, add, total + add * len(weights))


def leaf_step(tree: TreeMirror, node: int) -> Step:
    """The answer of a node where instances stop."""
    answer = weights_of(tree, node)
    words = describe_node(tree, node, int(tree.router.answer[node].argmax()), is_exact=True)
    if answer.add:
        words += ", with Laplace's correction"
    return Step.frequency(words, answer.weights, total=answer.total, add=answer.add, kind="leaf", node=node)


def test_words(tree: TreeMirror, row: FloatArray, node: int, child: int) -> str:
    """The value that an instance has at a node, and the branch that it takes."""
    attribute, value = split_on(tree, node), float(row[tree.split_attribute[node]])
    if attribute.is_nominal:
        return f"{shown(attribute.name)} is {shown(attribute.values[int(value)])}, so {branch_in_words(tree, child)}"
    value_text, point_text = cells(attribute, value, float(tree.split_point[node]))
    return f"{shown(attribute.name)} is {value_text}, so {branch_in_words(tree, child, point_text)}"


def child_of(tree: TreeMirror, row: FloatArray, node: int) -> int:
    """The child that an instance enters, whose value at the node is known."""
    taken = tree.router.branches(np.array([node]), row[[tree.router.attribute[node]]])
    return int(tree.router.first_child[node] + taken[0])


def is_missing(tree: TreeMirror, row: FloatArray, node: int) -> bool:
    """Whether an inner node tests a value that the instance lacks."""
    return bool(tree.router.attribute[node] >= 0 and np.isnan(row[tree.router.attribute[node]]))


def tree_step(tree: TreeMirror, row: FloatArray, node: int = 0) -> Step:
    """The step of a tree's answer for an instance, from a node on.

    Parameters
    ----------
    tree : TreeMirror
    row : (n_attributes,) float64
        The values of the instance.
    node : int
        The node where the instance starts.

    Returns
    -------
    Step
        Its result is the tree's answer, to the last bit.
    """
    router = tree.router
    if router.attribute[node] < 0:
        return leaf_step(tree, node)
    if is_missing(tree, row, node):
        divided = _divided(tree, row, node, 1.0)
        if router.correction < 0:
            return divided
        words = "their sum, in shares that sum to 1" + (", with Laplace's correction" if router.correction else "")
        return Step.shares(words, divided, router.correction, kind="shares", node=node)
    child = child_of(tree, row, node)
    return Step.follow(test_words(tree, row, node, child), tree_step(tree, row, child), kind="test", node=node)


def _divided(tree: TreeMirror, row: FloatArray, node: int, weight: float) -> Step:
    """The sum over the branches of a node whose value is missing, for a part of an instance."""
    router = tree.router
    children = _children(tree, node)
    if [share for _, share in children] == [1.0]:
        [(child, _)] = children
        part = _part(tree, row, child, weight * float(router.down[child]))
        return Step.follow(_missing_words(tree, node, child), part, kind="test", node=node)
    words = shared_words(tree, node)
    if not children:
        return Step.given(words, np.zeros(router.n_classes), kind="missing", node=node)
    parts = [
        Step.follow(condition_in_words(tree, child), _part(tree, row, child, weight * float(router.down[child])),
                    kind="branch", node=child)
        for child, _ in children
    ]  # fmt: skip
    return Step.weighted(words, [float(router.up[child]) for child, _ in children], parts, kind="missing", node=node)


def _children(tree: TreeMirror, node: int) -> list[tuple[int, float]]:
    """The children of a node that an instance without a value enters, each with the share that enters it."""
    router, first = tree.router, int(tree.router.first_child[node])
    children = range(first, first + int(router.n_branches[node]))
    return [(child, float(router.down[child] * router.up[child])) for child in children if router.enters[child]]


def shared_words(tree: TreeMirror, node: int) -> str:
    """What becomes of an instance whose value is missing at a node, which the branches share if any takes a part."""
    name = shown(split_on(tree, node).name)
    shares = ", ".join(f"{percent(share)} {branch_in_words(tree, child)}" for child, share in _children(tree, node))
    if not shares:
        return f"{name} is missing, and no branch takes a share"
    return f"{name} is missing, so the branches share the instance: {shares}"


def branch_taken_words(name: str, branch: str) -> str:
    """Words for the one branch that an instance without a value takes."""
    return f"{name} {IS_MISSING}" + ("" if branch == IS_MISSING else f", and the branch taken then is {branch}")


def _missing_words(tree: TreeMirror, node: int, child: int) -> str:
    return branch_taken_words(shown(split_on(tree, node).name), branch_in_words(tree, child))


def _part(tree: TreeMirror, row: FloatArray, node: int, weight: float) -> Step:
    """The step of a part of an instance below a node whose value is missing."""
    router = tree.router
    if is_missing(tree, row, node):
        return _divided(tree, row, node, weight)
    if router.attribute[node] >= 0:
        child = child_of(tree, row, node)
        part = _part(tree, row, child, weight)
        return Step.follow(test_words(tree, row, node, child), part, kind="test", node=node)
    leaf = leaf_step(tree, node)
    if router.correction >= 0:
        leaf = Step.frequency(leaf.words, router.part[node], total=1.0, kind="leaf", node=node)
    if weight == 1.0:
        return leaf
    return Step.weighted(f"{percent(weight)} of the instance", [weight], [leaf], kind="share", node=node)


def nodes_step(tree: TreeMirror, row: FloatArray, at_node: AtNode) -> Step:
    """The step of a method that has an answer at each node: the mean over the parts of the instance.

    Parameters
    ----------
    tree : TreeMirror
    row : (n_attributes,) float64
    at_node : callable
        The step of an instance that stops at a node.
    """
    _, nodes, shares = tree.router.paths(row[None])
    if len(nodes) == 1:
        return _path_step(tree, row, at_node(int(nodes[0])), int(nodes[0]))
    name = shown(split_on(tree, int(tree.router.last_whole_nodes(row[None])[0])).name)
    parts = [
        Step.follow(f"{percent(share)} of it ends at {node_words(tree, node)}", at_node(node), kind="share", node=node)
        for node, share in zip(nodes.tolist(), shares.tolist(), strict=True)
    ]
    words = f"the value of {name} is missing, so {len(parts)} nodes share the instance"
    return Step.weighted(words, shares.tolist(), parts, kind="missing")


def _path_step(tree: TreeMirror, row: FloatArray, at_end: Step, end: int) -> Step:
    """The tests on the path to the node ``end``, and below them its step ``at_end``."""
    step, child = at_end, end
    while child:
        node = int(tree.parent[child])
        words = _missing_words(tree, node, child) if is_missing(tree, row, node) else test_words(tree, row, node, child)
        step, child = Step.follow(words, step, kind="test", node=node), node
    return step


def node_words(tree: TreeMirror, node: int) -> str:
    """A node by the condition that leads to it."""
    return condition_in_words(tree, node) if node else "the root"


def forest_step(forest: Forest, members: list[Step]) -> Step:
    """The step in which a forest combines the answers of its trees."""
    tree_steps = [Step.follow(f"tree {i}", step, kind="tree") for i, step in enumerate(members, 1)]
    n = len(tree_steps)
    if forest.votes == "hard":
        votes = np.zeros(len(forest.class_names))
        for step in tree_steps:
            votes[most_probable(step.array[None])[0]] += 1
        return Step("votes", f"the votes of {n} trees", tuple((votes / n).tolist()), "forest", parts=tuple(tree_steps))
    total = Step.weighted(f"the sum over {n} trees", [1.0] * n, tree_steps, kind="sum")
    if forest.votes == "average":
        return Step.scaled("divided by their number", total, total=float(n), kind="forest")
    if abs(sequential_sum(total.array[None])[0]) < BRANCH_WEIGHT:
        return total
    return Step.shares("in shares that sum to 1", total, kind="forest")


def answer_step(tree: TreeMirror | Forest, row: FloatArray) -> Step:
    """The step of the answer of a tree, or of a forest, for an instance."""
    if isinstance(tree, Forest):
        return forest_step(tree, [tree_step(member, row) for member in tree.trees])
    return tree_step(tree, row)


def distribution_step(step: Step, proba: FloatArray, tree_answer: Callable[[], Step]) -> Step:
    """The steps that turn a method's answer into a distribution; ``tree_answer`` makes that of the tree's answer."""
    if np.array_equal(step.array, proba):
        return step
    if (step.array < 0).any():
        step = _clipped(step)
    if not step.array.any():
        step = Step.follow("the method has no answer, so the tree answers", _clipped(tree_answer()), kind="tree")
    if not np.array_equal(step.array, proba):
        step = Step.shares("in shares that sum to 1", step, kind="shares")
    return step


def _clipped(step: Step) -> Step:
    result = tuple(np.maximum(step.array, 0.0).tolist())
    return Step("clipped", "negative shares, which rounding leaves, count as 0", result, "clipped", parts=(step,))
