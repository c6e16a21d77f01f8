"""TPCE, Kukar & Kononenko and their tree, transcribed from Costa, Verwer & Blockeel 2013: whole trees, one at a time.

An instance is (values, class index, weight), a missing value None. ``D`` is a list of them, ``x`` a tuple of values.
``labels`` are the classes that have instances in the full data set, the paper's C; a distribution is a list over
``labels``, in their order. Gains of attributes known everywhere, of instances that weigh whole numbers, are whole
numbers (bits * n * 2**36, from rounded logarithms of primes), so that ties are ties.
"""

import math
from bisect import bisect_right
from itertools import accumulate, pairwise
from typing import NamedTuple

UNIT = 2**30
LOG_UNIT = 2**36
TINY = 1e-9


class Rules(NamedTuple):
    """``kinds``: 0 for a number, else how many values are declared; ``n_classes``: how many classes are.

    The last three are choices that the paper leaves open: where a cut lies between two values of the others ("lower":
    at the lower one, "middle", "upper": just below the upper one), and which of several best splits is taken.
    """

    kinds: tuple
    n_classes: int
    cuts: str = "class-boundary"
    safe_prune: bool = True
    min_weight: float = 2
    min_gain: float = 1e-6
    place: str = "lower"
    last_attribute: bool = False
    lowest_cut: bool = False


class Node:
    """``split`` is (attribute, the value v of "<= v" or the set of values of "in"), None at a leaf."""

    def __init__(self, counts):
        self.counts = counts
        self.split = None
        self.children = []
        self.proportions = []

    def goes_first(self, value):
        test = self.split[1]
        return value in test if isinstance(test, frozenset) else value <= test


class Member(NamedTuple):
    """An instance at a node: ``weight`` is its own times the share of it that is there."""

    values: tuple
    label: int
    weight: float
    withheld: bool


# ---- the tree ----


def grow(instances, rules, x=None):
    """The tree of the instances. ``x``: index, or a set of them, of those whose values make no cuts."""
    withheld = set() if x is None else {x} if isinstance(x, int) else set(x)
    exact = all(None not in values and weight == int(weight) for values, _, weight in instances)
    members = [
        Member(tuple(values), label, int(weight) if exact else weight, i in withheld)
        for i, (values, label, weight) in enumerate(instances)
    ]
    root = grow_node(members, rules, exact)
    if rules.safe_prune:
        safe_prune(root)
    return root


def grow_node(members, rules, exact):
    node = Node(class_counts(members, rules))
    node.split = best_split(members, rules, exact)
    if node.split is None:
        return node
    known = [m for m in members if m.values[node.split[0]] is not None]
    missing = [m for m in members if m.values[node.split[0]] is None]
    for is_first in (True, False):
        branch = [m for m in known if node.goes_first(m.values[node.split[0]]) == is_first]
        proportion = weight_of(branch) / weight_of(known)
        node.proportions.append(proportion)
        parts = [m._replace(weight=m.weight * proportion) for m in missing]
        node.children.append(grow_node(branch + parts, rules, exact))
    return node


def safe_prune(node):
    for child in node.children:
        safe_prune(child)
    if len({leaf_class(leaf.counts) for leaf in leaves(node)}) == 1:
        node.split, node.children, node.proportions = None, [], []


def leaves(node):
    return [leaf for child in node.children for leaf in leaves(child)] if node.children else [node]


def leaf_class(counts):
    best = 0
    for c, n_c in enumerate(counts):
        if n_c > counts[best] + TINY:
            best = c
    return best


def class_counts(members, rules):
    return [sum(m.weight for m in members if m.label == c) for c in range(rules.n_classes)]


def weight_of(members):
    return sum(m.weight for m in members)


# ---- the split ----


def best_split(members, rules, exact):
    """(attribute, test) of the largest score; ties: the lowest attribute, then the highest split point."""
    best, split = None, None
    kinds, up = list(enumerate(rules.kinds)), 1 if rules.lowest_cut else -1
    for attribute, kind in reversed(kinds) if rules.last_attribute else kinds:
        known = [m for m in members if m.values[attribute] is not None]
        if not known:
            continue
        found = nominal_tests(known, attribute, rules, exact) if kind else numeric_tests(known, attribute, rules, exact)
        ranked = [(score, test) for score, test in found if score is not None]
        for score, test in ranked if kind else sorted(ranked, key=lambda pair: up * pair[1]):
            if best is None or score > best:
                best, split = score, (attribute, test)
    return split


def numeric_tests(known, attribute, rules, exact):
    """(score, v) of every candidate "value <= v"."""
    groups = {}
    for m in sorted(known, key=lambda m: m.values[attribute]):
        groups.setdefault(m.values[attribute], []).append(m)
    each = [class_counts(group, rules) for group in groups.values()]
    up_to = dict(zip(groups, accumulate(each, plus), strict=True))
    from_here = list(accumulate(reversed(each), plus))[::-1]
    above = dict(zip(groups, [*from_here[1:], [0] * rules.n_classes], strict=True))
    values, cuts = list(groups), split_points(groups, rules.cuts)
    if rules.place != "lower":
        cuts = [moved(v, groups, rules.place) for v in cuts]
    lower = [values[bisect_right(values, cut) - 1] for cut in cuts]
    return [(score_of([up_to[v], above[v]], rules, exact), cut) for v, cut in zip(lower, cuts, strict=True)]


def moved(v, groups, place):
    """A cut at a value of the others, moved towards the next value of the others; the last one stays."""
    following = [value for value, group in groups.items() if value > v and not all(m.withheld for m in group)]
    if not following:
        return v
    return (v + following[0]) / 2 if place == "middle" else math.nextafter(following[0], -math.inf)


def split_points(groups, cuts):
    if cuts == "all":
        return list(groups)
    others = {value: [m for m in group if not m.withheld] for value, group in groups.items()}
    others = {value: group for value, group in others.items() if group}
    if cuts == "others":
        return list(others)
    values = list(others)
    found = []
    for v, following in pairwise(values):
        labels = {m.label for m in others[v]} | {m.label for m in others[following]}
        if cuts == "joined-boundary":  # the class that x is given makes boundaries, too, though its value makes no cut
            labels |= {m.label for value, group in groups.items() if v <= value <= following for m in group}
        if len(labels) > 1:
            found.append(v)
    return found


def nominal_tests(known, attribute, rules, exact):
    """(score, subset) of the subset that grows by the best value while that helps."""
    present = sorted({m.values[attribute] for m in known if m.weight > 0})
    best, subset = None, frozenset()
    while True:
        step, chosen = None, None
        for value in present:
            if value in subset:
                continue
            tried = subset | {value}
            inside = class_counts([m for m in known if m.values[attribute] in tried], rules)
            outside = class_counts([m for m in known if m.values[attribute] not in tried], rules)
            score = score_of([inside, outside], rules, exact)
            if score is not None and (step is None or score > step):
                step, chosen = score, tried
        if step is None or (best is not None and step <= best):
            return [(best, subset)]
        best, subset = step, chosen


def plus(some, others):
    return [a + b for a, b in zip(some, others, strict=True)]


def score_of(branches, rules, exact):
    """The information gain as a whole number; None where the split does not count."""
    whole = [sum(column) for column in zip(*branches, strict=True)]
    if any(sum(branch) <= 0 or sum(branch) < rules.min_weight - TINY for branch in branches):
        return None
    if exact:
        gain = bits_times_n(whole) - sum(bits_times_n(branch) for branch in branches)
        return gain if gain >= rules.min_gain * sum(whole) * LOG_UNIT else None
    gain = entropy(whole) - sum(sum(branch) / sum(whole) * entropy(branch) for branch in branches)
    return round(gain * UNIT) if gain >= rules.min_gain else None


def bits_times_n(counts):
    """n * H, times 2**36, from rounded parts."""
    return rounded_n_log_n(sum(counts)) - sum(rounded_n_log_n(n_c) for n_c in counts)


def rounded_n_log_n(n):
    """n log2 n, the logarithm a sum of rounded ones of prime factors: log 6 is log 2 + log 3, as it should."""
    return n * sum(round(math.log2(p) * LOG_UNIT) for p in prime_factors(n))


def prime_factors(n):
    for p in range(2, int(n) + 1):
        if n % p == 0:
            return [p, *prime_factors(n // p)]
    return []


def entropy(counts):
    n = sum(counts)
    return -sum(n_c / n * math.log2(n_c / n) for n_c in counts if n_c > 0)


# ---- what a tree says of x ----


def counts_at(tree, x_values):
    """Class counts of the leaves that x reaches, each times the share of x that reaches it."""
    if tree.split is None:
        return list(tree.counts)
    value = x_values[tree.split[0]]
    if value is not None:
        return counts_at(tree.children[0 if tree.goes_first(value) else 1], x_values)
    parts = [
        [proportion * n_c for n_c in counts_at(child, x_values)]
        for proportion, child in zip(tree.proportions, tree.children, strict=True)
    ]
    return plus(*parts)


def raw(counts, labels):
    return [counts[c] / sum(counts[k] for k in labels) for c in labels]


def laplace(counts, labels, alpha=1):
    n = sum(counts[k] for k in labels)
    return [(counts[c] + alpha) / (n + alpha * len(labels)) for c in labels]


def predict(p, labels):
    """The class of the largest probability; ties: the first."""
    rounded = [round(value, 12) for value in p]
    return labels[rounded.index(max(rounded))]


def plain(D, x, labels, rules, *, smooth=False):
    counts = counts_at(grow(D, rules), x)
    return laplace(counts, labels) if smooth else raw(counts, labels)


# ---- Figure 2, Equation 1 ----


def tpce(D, x, labels, rules):
    trees = [grow([*D, (x, c, 1)], rules, x=len(D)) for c in labels]
    return combine([counts_at(tree, x) for tree in trees], labels)


def combine(counts_of_trees, labels, alpha=1):
    """Equation 1."""
    each = [laplace(counts, labels, alpha) for counts in counts_of_trees]
    return [sum(p[i] for p in each) / len(each) for i in range(len(labels))]


def leave_one_out(D, answer):
    """``answer(others, x)`` for every instance and the others."""
    return [answer(D[:i] + D[i + 1 :], D[i][0]) for i in range(len(D))]


def tpce_leave_one_out(D, labels, rules):
    return leave_one_out(D, lambda others, x: tpce(others, x, labels, rules))


def batch(D, unseen, permutations, labels, rules):
    """Section 5's extension: tree j holds every unseen instance i, labelled permutations[i][j]."""
    trees = []
    for j in range(len(labels)):
        added = [(x, permutation[j], 1) for x, permutation in zip(unseen, permutations, strict=True)]
        trees.append(grow(D + added, rules, x=set(range(len(D), len(D) + len(unseen)))))
    return [combine([counts_at(tree, x) for tree in trees], labels) for x in unseen]


# ---- Kukar & Kononenko (Section 2.2) ----


def kukar_kononenko(D, x, labels, rules):
    """(predicted class, reliability): both trees are plain ones, x added with the class that the first predicts."""
    inductive = counts_at(grow(D, rules), x)
    p = predict(raw(inductive, labels), labels)
    transductive = counts_at(grow([*D, (x, p, 1)], rules), x)
    return p, reliability(laplace(inductive, labels), laplace(transductive, labels))


def reliability(P, Q):
    return 2 ** -sum((p - q) * math.log2(p / q) for p, q in zip(P, Q, strict=True))


# ---- measures (Section 2.1): ``P`` holds a distribution over ``labels`` for every instance ----


def brier(P, actual, labels):
    squares = [(p[i] - (c == a)) ** 2 for p, a in zip(P, actual, strict=True) for i, c in enumerate(labels)]
    return sum(squares) / len(squares)


def area(positives, negatives):
    """Share of pairs ranked rightly, a tie half; None without pairs."""
    positives, negatives = ([round(score, 12) for score in scores] for scores in (positives, negatives))
    if not positives or not negatives:
        return None
    won = sum((a > b) + (a == b) / 2 for a in positives for b in negatives)
    return won / (len(positives) * len(negatives))


def auc(P, actual, labels):
    areas = []
    for i, c in enumerate(labels):
        of_class = [p[i] for p, a in zip(P, actual, strict=True) if a == c]
        of_others = [p[i] for p, a in zip(P, actual, strict=True) if a != c]
        areas.append(area(of_class, of_others))
    defined = [a for a in areas if a is not None]
    return sum(defined) / len(defined)


def auc_reliability(predicted, certainty, actual):
    """How well ``certainty`` ranks right predictions over wrong ones; None without both."""
    right = [s for s, p, a in zip(certainty, predicted, actual, strict=True) if p == a]
    wrong = [s for s, p, a in zip(certainty, predicted, actual, strict=True) if p != a]
    return area(right, wrong)


def certainty_of(p, labels):
    """The probability of the predicted class."""
    return p[labels.index(predict(p, labels))]


def auc_reliability_of(P, actual, labels):
    return auc_reliability([predict(p, labels) for p in P], [certainty_of(p, labels) for p in P], actual)


def expected_calibration_error(P, actual, labels, bins=10):
    """Over bins (i/10, (i+1)/10] of the predicted class's probability, 0 in the first."""
    inside = [[] for _ in range(bins)]
    for p, a in zip(P, actual, strict=True):
        confidence = certainty_of(p, labels)
        at = next(i for i in range(bins) if confidence <= (i + 1) / bins or i == bins - 1)
        inside[at].append((confidence, predict(p, labels) == a))
    error = 0.0
    for b in inside:
        if b:
            accuracy = sum(is_right for _, is_right in b) / len(b)
            error += len(b) / len(P) * abs(accuracy - sum(confidence for confidence, _ in b) / len(b))
    return error
