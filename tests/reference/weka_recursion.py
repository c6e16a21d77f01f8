"""Weka's recursions, transcribed word by word over a mirror; slow, one instance at a time."""

import math

import numpy as np
from reference import cart_reference

from wekaconf.tree._kinds import Routing, SplitKind


def distribution(tree, cells):
    """distributionForInstance; of a tree that is not Weka's its learner's own."""
    cells = [float(cell) for cell in cells]
    if tree.routing in (Routing.CART, Routing.CART_LAPLACE):
        return cart_reference.distribution(tree, cells)
    if tree.routing in (Routing.J48, Routing.J48_LAPLACE):
        laplace = tree.routing == Routing.J48_LAPLACE
        return [get_probs(tree, 0, c, cells, 1.0, laplace) for c in range(tree.header.n_classes)]
    if tree.routing == Routing.REPTREE:
        return rep_tree(tree, 0, cells)
    return random_tree(tree, 0, cells, allow_unclassified=tree.routing == Routing.RANDOMTREE_UNCLASSIFIED)


def which_subset(tree, node, cells):
    """Branch of the instance, −1 when its value is missing."""
    value = cells[tree.split_attribute[node]]
    if math.isnan(value):
        return -1
    if tree.routing in (Routing.CART, Routing.CART_LAPLACE):
        value = float(np.float32(value))
    kind = tree.split_kind[node]
    if kind == SplitKind.NOMINAL_EACH:
        return int(value)
    if kind == SplitKind.NOMINAL_EQUALS:
        return 0 if int(value) == tree.split_value[node] else 1
    if kind == SplitKind.NOMINAL_SUBSET:
        return 0 if tree.split_subset[tree.split_value[node] + int(value)] else 1
    if kind == SplitKind.NUMERIC_LE:
        return 0 if value <= tree.split_point[node] else 1
    return 0 if value < tree.split_point[node] else 1


# ---- weka.classifiers.trees.j48: ClassifierTree, C45Split, ClassifierSplitModel, Distribution ----


def get_probs(tree, node, c, cells, weight, laplace):
    """ClassifierTree.getProbs and getProbsLaplace."""
    if tree.split_kind[node] == SplitKind.LEAF:
        return weight * prob(tree, node, c, laplace)
    branch = which_subset(tree, node, cells)
    if branch == -1:
        result = 0.0
        for son in range(tree.first_child[node], tree.first_child[node] + tree.n_branches[node]):
            if not tree.is_empty[son]:
                share = tree.branch_weight[son] / tree.total[node]
                result += get_probs(tree, son, c, cells, share * weight, laplace)
        return float(result)
    son = tree.first_child[node] + branch
    if tree.is_empty[son]:
        return weight * prob_of_bag(tree, node, son, c, laplace)
    return get_probs(tree, son, c, cells, weight, laplace)


def prob(tree, node, c, laplace):
    """Distribution.prob(c) and laplaceProb(c)."""
    if laplace:
        return (tree.class_weight[node, c] + 1.0) / (tree.total[node] + tree.header.n_classes)
    return tree.class_weight[node, c] / tree.total[node] if abs(tree.total[node]) >= 1e-6 else 0.0


def prob_of_bag(tree, node, son, c, laplace):
    """Distribution.prob(c, bag) and laplaceProb(c, bag)."""
    if tree.branch_weight[son] > 1e-6:
        if laplace:
            return (tree.branch_class_weight[son, c] + 1.0) / (tree.branch_weight[son] + tree.header.n_classes)
        return tree.branch_class_weight[son, c] / tree.branch_weight[son]
    return prob(tree, node, c, laplace)


def classify_j48(tree, cells):
    """ClassifierTree.classifyInstance."""
    best, winner = -1.0, 0
    for c in range(tree.header.n_classes):
        current = get_probs(tree, 0, c, [float(cell) for cell in cells], 1.0, False)
        if current - best > 1e-6:
            best, winner = current, c
    return winner


def membership(tree, cells):
    """ClassifierTree.getMembershipValues: the share of the instance that reaches each node, breadth-first."""
    values, queue = [], [(0, 1.0)]
    while queue:
        node, weight = queue.pop(0)
        values.append(weight)
        sons = range(tree.first_child[node], tree.first_child[node] + tree.n_branches[node])
        branch = which_subset(tree, node, cells) if sons else -1
        for b, son in enumerate(sons):
            share = tree.branch_weight[son] / tree.total[node] if branch == -1 else float(b == branch)
            queue.append((son, weight * share))
    return np.array(values)


# ---- weka.classifiers.trees.REPTree.Tree and RandomTree.Tree ----


def rep_tree(tree, node, cells):
    """REPTree.Tree.distributionForInstance; None stands for Java's null."""
    returned = None
    if tree.split_kind[node] != SplitKind.LEAF:
        returned = successors(tree, node, cells, rep_tree)
    if returned is None:
        return None if tree.is_empty[node] else [float(p) for p in tree.class_weight[node]]
    return returned


def random_tree(tree, node, cells, *, allow_unclassified):
    """RandomTree.Tree.distributionForInstance."""
    returned = None
    if tree.split_kind[node] != SplitKind.LEAF:
        returned = successors(tree, node, cells, lambda *at: random_tree(*at, allow_unclassified=allow_unclassified))
    if returned is not None:
        return returned
    if tree.is_empty[node]:
        return [0.0] * tree.header.n_classes if allow_unclassified else None
    total = 0.0
    for weight in tree.class_weight[node]:
        total += float(weight)
    return [float(weight) / total for weight in tree.class_weight[node]]


def successors(tree, node, cells, recurse):
    """The part that both share: split the instance up, or send it down one branch."""
    branch = which_subset(tree, node, cells)
    if branch >= 0:
        return recurse(tree, tree.first_child[node] + branch, cells)
    result = [0.0] * tree.header.n_classes
    for son in range(tree.first_child[node], tree.first_child[node] + tree.n_branches[node]):
        answer = recurse(tree, son, cells)
        if answer is not None:
            for c, p in enumerate(answer):
                result[c] += float(tree.branch_weight[son]) * p
    return result
