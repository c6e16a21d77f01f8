"""CART written down: how such a tree answers, and how one of scikit-learn's pruned trees is chosen, by refitting.

`choose` refits scikit-learn's classifier for every fold and every complexity parameter.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
from sklearn.tree import DecisionTreeClassifier

NO_GAIN = 1e-14


def distribution(tree, cells, node=0):
    """A mirror's answer: the leaf's frequencies, those of the nearest ancestor at an empty leaf."""
    if tree.n_branches[node] == 0:
        while tree.is_empty[node] and node > 0:
            node = int(tree.parent[node])
        laplace = int(tree.routing == "CART_LAPLACE")
        total = tree.total[node] + laplace * tree.header.n_classes
        return [float((weight + laplace) / total) for weight in tree.class_weight[node]]
    value = cells[tree.split_attribute[node]]
    children = [int(tree.first_child[node]) + b for b in range(tree.n_branches[node])]
    if math.isnan(value):
        answer = [0.0] * tree.header.n_classes
        for child in children:
            if tree.branch_weight[child] > 0 and not (tree.is_empty[child] and tree.n_branches[child] == 0):
                for c, p in enumerate(distribution(tree, cells, child)):
                    answer[c] += float(tree.branch_weight[child]) * p
        return answer
    if math.isnan(tree.split_point[node]):
        return distribution(tree, cells, children[0 if value == tree.split_value[node] else 1])
    with np.errstate(over="ignore"):
        goes_first = float(np.float32(value)) <= tree.split_point[node]
    return distribution(tree, cells, children[0 if goes_first else 1])


def fit(X, y, weights, alpha, seed, min_leaf=1):
    classifier = DecisionTreeClassifier(random_state=seed, ccp_alpha=alpha, min_samples_leaf=min_leaf)
    return classifier.fit(X, y, sample_weight=weights)


def sequence(X, y, weights, seed):
    """The complexity parameters of the trees, of those that agree but for rounding the largest."""
    path = DecisionTreeClassifier(random_state=seed).cost_complexity_pruning_path(X, y, sample_weight=weights)
    alphas = [NO_GAIN]
    for alpha in path.ccp_alphas:
        if alpha <= alphas[-1] * (1 + 1e-9):
            alphas[-1] = max(alpha, alphas[-1])
        else:
            alphas.append(alpha)
    return [float(alpha) for alpha in alphas]


def exact_sizes(full):
    """Numbers of leaves of the trees of Breiman's sequence, in exact arithmetic; ``full`` was grown on weights of 1."""
    tree, closed, sizes, reached = full.tree_, set(), [], Fraction(0)
    n = tree.n_node_samples.tolist()

    def leaves(node):
        if node in closed or tree.children_left[node] < 0:
            return [node]
        return leaves(tree.children_left[node]) + leaves(tree.children_right[node])

    def cost(node):
        counts = [round(share * n[node]) for share in tree.value[node, 0]]
        return Fraction(n[node], n[0]) * (1 - sum(Fraction(count, n[node]) ** 2 for count in counts))

    def inner(node):
        if node in closed or tree.children_left[node] < 0:
            return []
        return [node, *inner(tree.children_left[node]), *inner(tree.children_right[node])]

    while True:
        links = {
            node: (cost(node) - sum(cost(leaf) for leaf in leaves(node))) / (len(leaves(node)) - 1) for node in inner(0)
        }
        weakest = min(links.values(), default=None)
        if weakest is None or weakest > reached:
            sizes.append(len(leaves(0)))
        if weakest is None:
            return sizes
        reached = max(weakest, reached)
        closed |= {node for node, link in links.items() if link == weakest}


def wrong(classifier, X, y, weights):
    return sum(w for w, said, is_so in zip(weights, classifier.predict(X), y, strict=True) if said != is_so)


def stratified(y, seed):
    """Rows class by class, shuffled."""
    shuffled = np.random.default_rng(seed).permutation(len(y)).tolist()
    return [row for c in sorted(set(y.tolist())) for row in shuffled if y[row] == c]


def smallest(alphas, errors, weights, se):
    """The largest alpha whose error is within ``se`` standard errors of the least."""
    rates = [error / sum(weights) for error in errors]
    least = min(rates)
    deviation = math.sqrt(least * (1 - least) * sum(w * w for w in weights)) / sum(weights)
    return max(alpha for alpha, rate in zip(alphas, rates, strict=True) if rate <= least + se * deviation + 1e-12)


def choose(X, y, weights, *, seed=1, folds=10, se=0.0):
    """scikit-learn's classifier chosen by cross-validation."""
    alphas = sequence(X, y, weights, seed)
    between = [math.sqrt(a) * math.sqrt(b) for a, b in itertools.pairwise(alphas)] + [1e300]
    fold_of = {row: place % folds for place, row in enumerate(stratified(y, seed))}
    fold = np.array([fold_of[row] for row in range(len(y))])
    errors = [
        sum(
            wrong(
                fit(X[fold != i], y[fold != i], weights[fold != i], alpha, seed),
                X[fold == i],
                y[fold == i],
                weights[fold == i],
            )
            for i in range(folds)
        )
        for alpha in between
    ]
    return fit(X, y, weights, smallest(alphas, errors, weights, se), seed)


def choose_by_test(X, y, weights, *, seed=1, test_share=0.33, se=0.0):
    """scikit-learn's classifier grown on a part and chosen by the error on the rest."""
    test = [
        row
        for place, row in enumerate(stratified(y, seed))
        if math.floor((place + 1) * test_share) > math.floor(place * test_share)
    ]
    train = [row for row in range(len(y)) if row not in test]
    alphas = sequence(X[train], y[train], weights[train], seed)
    fitted = [fit(X[train], y[train], weights[train], alpha, seed) for alpha in alphas]
    errors = [wrong(classifier, X[test], y[test], weights[test]) for classifier in fitted]
    return fitted[alphas.index(smallest(alphas, errors, weights[test], se))]
