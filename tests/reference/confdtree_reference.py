"""ConfDTree (Katz et al. 2012), Algorithms 1 and 2 transcribed: one node, one class, one instance at a time.

Where the paper is open, as the method's docstring says. Statistics are exact fractions, rounded once.
"""

import math
from fractions import Fraction

import scipy.stats
from reference import cart_reference, weka_recursion

OPTIONS = {
    "variant": "comb",
    "min_instances": 5,
    "z_assigned": 2.0,
    "z_other": 1.0,
    "level_assigned": 0.995,
    "level_other": 0.90,
    "fine": 0.1,
    "routes": True,
    "fines": True,
}


class Reference:
    """A fitted method; ``classify(cells)`` gives the distribution and the set of (node, "route" or "fine")."""

    def __init__(self, tree, train, **options):
        assert options.keys() <= OPTIONS.keys()
        self.tree = tree
        self.options = OPTIONS | options
        self.is_j48 = tree.routing.startswith("J48")
        self.intervals = {}
        self.son_weights = {}
        self.derive_intervals(
            0,
            [
                (cells, int(cells[train.class_index]), weight)
                for cells, weight in zip(train.values.tolist(), train.weights.tolist(), strict=True)
                if not math.isnan(cells[train.class_index])
            ],
        )

    # ---- Algorithm 1 ----

    def derive_intervals(self, node, instances):
        """Algorithm 1; ``instances`` are those that reach the node whole."""
        tree = self.tree
        if tree.n_branches[node] == 0:
            return
        attribute = tree.split_attribute[node]
        instances = [instance for instance in instances if not math.isnan(instance[0][attribute])]
        sons = [[] for _ in range(tree.n_branches[node])]
        for cells, c, weight in instances:
            sons[weka_recursion.which_subset(tree, node, cells)].append((cells, c, weight))
        if not math.isnan(tree.split_point[node]):
            by_class = {}
            for cells, c, weight in instances:
                by_class.setdefault(c, []).append((cells[attribute], weight))
            self.son_weights[node] = [self.class_weights(node, b, sons[b]) for b in range(len(sons))]
            intervals = self.node_intervals(by_class)
            if intervals is not None:
                self.intervals[node] = intervals
        for b, own in enumerate(sons):
            self.derive_intervals(tree.first_child[node] + b, own)

    def node_intervals(self, by_class):
        """By class present: ((low, high) when assigned, (low, high) when another is); None: no intervals here."""
        o = self.options
        if any(len(pairs) < o["min_instances"] for pairs in by_class.values()):
            return None
        statistics = {c: describe(pairs) for c, pairs in by_class.items()}
        if not statistics or None in statistics.values():
            return None
        normal = all(self.may_be_normal(by_class[c], *statistics[c]) for c in by_class)
        if o["variant"] == "norm" and not normal:
            return None
        use_normal = normal and o["variant"] != "tdist"
        intervals = {}
        for c, (mean, deviation) in statistics.items():
            halves = []
            for z, level in ((o["z_assigned"], o["level_assigned"]), (o["z_other"], o["level_other"])):
                n = len(by_class[c])
                if deviation == 0:
                    halves.append(0.0)
                elif use_normal:
                    halves.append(z * deviation)
                else:
                    halves.append(scipy.stats.t.ppf((1 + level) / 2, n - 1) * deviation / math.sqrt(n))
            intervals[c] = tuple((mean - half, mean + half) for half in halves)
        return intervals

    def may_be_normal(self, pairs, mean, deviation):
        """The test of normality of one class's values."""
        if deviation == 0:
            return False
        distance, root = kolmogorov_smirnov(pairs, mean, deviation), math.sqrt(len(pairs))
        return distance * (root + 0.12 + 0.11 / root) <= 1.628

    def class_weights(self, node, branch, instances):
        """n_c of one son: the tree's own where it keeps them, else of the instances that come there whole."""
        if self.is_j48:
            return self.tree.branch_class_weight[self.tree.first_child[node] + branch].tolist()
        weights = [0.0] * self.tree.header.n_classes
        for _, c, weight in instances:
            weights[c] += weight
        return weights

    # ---- Algorithm 2 ----

    def classify(self, cells):
        """The answer to one instance."""
        events = set()
        cells = [float(cell) for cell in cells]
        return self.classify_at(0, cells, events), events

    def classify_at(self, node, cells, events):
        """Algorithm 2, line by line."""
        tree = self.tree
        if tree.n_branches[node] == 0 or (self.is_j48 and tree.is_empty[node] and node > 0):
            return self.own_answer(node, cells)
        value = cells[tree.split_attribute[node]]
        if math.isnan(value):
            return self.own_answer(node, cells)
        own = weka_recursion.which_subset(tree, node, cells)
        probs = self.classify_at(tree.first_child[node] + own, cells, events)
        if node not in self.intervals:
            return probs
        intervals = self.intervals[node]
        assigned = leader(probs)
        if assigned not in intervals:
            return probs
        low, high = intervals[assigned][0]
        if low <= value <= high:
            return probs
        alternatives = [
            c
            for c, (_, (low, high)) in intervals.items()
            if c != assigned and low <= value <= high and any(n[c] > 0 for n in self.son_weights[node])
        ]
        if alternatives:
            if not self.options["routes"]:
                return probs
            events.add((node, "route"))
            return self.weighted_descendants(node, cells, own, probs, alternatives, events)
        others = [c for c in intervals if c != assigned]
        if not others or not self.options["fines"]:
            return probs
        events.add((node, "fine"))
        fine = self.options["fine"] * probs[assigned]
        return [p - fine if c == assigned else p + fine / len(others) * (c in others) for c, p in enumerate(probs)]

    def weighted_descendants(self, node, cells, own, probs, alternatives, events):
        """Section III.B.1: every son answers, with the weight sum over c of sqrt(n_c) n_c / T."""
        weights = [
            sum(math.sqrt(n[c]) * n[c] / sum(n) for c in alternatives) if sum(n) > 0 else 0.0
            for n in self.son_weights[node]
        ]
        answers = [
            probs if b == own else self.classify_at(self.tree.first_child[node] + b, cells, events)
            for b in range(len(weights))
        ]
        return [
            sum(w / sum(weights) * answer[c] for w, answer in zip(weights, answers, strict=True))
            for c in range(len(probs))
        ]

    def own_answer(self, node, cells):
        """What the tree itself answers to an instance at a node: its leaf, or its mixture for a missing value."""
        tree, classes = self.tree, range(self.tree.header.n_classes)
        if self.is_j48:
            laplace = tree.routing == "J48_LAPLACE"
            if tree.is_empty[node] and node > 0:
                return [weka_recursion.prob_of_bag(tree, tree.parent[node], node, c, laplace) for c in classes]
            return [weka_recursion.get_probs(tree, node, c, cells, 1.0, laplace) for c in classes]
        if tree.routing in ("CART", "CART_LAPLACE"):
            return cart_reference.distribution(tree, cells, node)
        if tree.routing == "REPTREE":
            answer = weka_recursion.rep_tree(tree, node, cells)
        else:
            unclassified = tree.routing == "RANDOMTREE_UNCLASSIFIED"
            answer = weka_recursion.random_tree(tree, node, cells, allow_unclassified=unclassified)
        while answer is None:
            node = tree.parent[node]
            if not tree.is_empty[node]:
                weights = tree.class_weight[node].tolist()
                answer = [w / sum(weights) for w in weights]
        return answer


def describe(pairs):
    """Weighted mean and standard deviation (n - 1) of (value, weight) pairs; None where there are none."""
    if sum(weight for _, weight in pairs) == 0 or not all(math.isfinite(value) for value, _ in pairs):
        return None
    n = len(pairs)
    if len({value for value, _ in pairs}) == 1:
        return pairs[0][0], 0.0
    exact = [(Fraction(value), Fraction(weight)) for value, weight in pairs]
    total = sum(w for _, w in exact)
    mean = sum(w * v for v, w in exact) / total
    variance = sum(w * (v - mean) ** 2 for v, w in exact) / total * n / (n - 1)
    return (float(mean), math.sqrt(variance)) if variance else None


def kolmogorov_smirnov(pairs, mean, deviation):
    """Largest distance between the values' distribution function and that normal's, before and after each step."""
    total = sum(weight for _, weight in pairs)
    largest = 0.0
    for value in {value for value, _ in pairs}:
        normal = (1 + math.erf((value - mean) / deviation / math.sqrt(2))) / 2
        before = sum(weight for other, weight in pairs if other < value) / total
        after = sum(weight for other, weight in pairs if other <= value) / total
        largest = max(largest, abs(normal - before), abs(after - normal))
    return largest


def leader(probs):
    """Class of the highest probability to 12 decimals, ties to the lowest index."""
    rounded = [round(p * 1e12) for p in probs]
    return rounded.index(max(rounded))
