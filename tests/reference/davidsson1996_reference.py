"""ID3-SD and ID3-Max (Davidsson 1996), transcribed: one leaf, one attribute, one value at a time.

Where the paper is open, as the methods' docstrings say. Means and variances are exact fractions, rounded once.
"""

import math
from fractions import Fraction
from statistics import NormalDist

from reference import weka_recursion
from reference.rivals_reference import Rivals


class Davidsson1996:
    """A tree, the training instances that reach each of its nodes whole, and the parameters of a method."""

    def __init__(self, tree, train, method, *, alpha=None, p_total=None, closed="both"):
        self.tree, self.header, self.is_sd, self.closed = tree, tree.header, method == "id3_sd", closed
        self.columns = [c for c in range(len(self.header.attributes)) if c != self.header.class_index]
        self.alpha = 0.05 if alpha is None else alpha
        if p_total is not None:
            n = sum(self.is_numeric(column) for column in self.columns)
            self.alpha = 1 - p_total ** (1 / max(n, 1))
        self.routes = Rivals(tree, train.take([]))
        self.reached = {node: [] for node in range(tree.n_nodes)}
        for cells, weight in zip(train.values.tolist(), train.weights.tolist(), strict=True):
            self.send_down(0, cells, weight)

    def send_down(self, node, cells, weight):
        self.reached[node].append((cells, weight))
        children = self.routes.children(node)
        if children and not self.stops(node):
            branch = weka_recursion.which_subset(self.tree, node, cells)
            if branch >= 0:
                self.send_down(children[branch], cells, weight)

    def stops(self, node):
        """Weka lets nothing pass an empty node of J48, though it may have children."""
        return bool(node > 0 and self.tree.is_empty[node] and self.tree.routing.startswith("J48"))

    def is_numeric(self, column):
        return self.header.attributes[column].kind in ("numeric", "date")

    # ---- what a node accepts of an attribute: None is anything ----

    def normal(self, here, column):
        """(m*, σ*)."""
        return mean_and_deviation(here, column)

    def range(self, here, column):
        """Smallest and largest value; None without a value."""
        known = [cells[column] for cells, _ in here if not math.isnan(cells[column])]
        return (min(known), max(known)) if known else None

    def seen(self, here, column):
        """The values present; None without any."""
        return {cells[column] for cells, _ in here if not math.isnan(cells[column])} or None

    def kind(self, column):
        attribute = self.header.attributes[column]
        if attribute.is_nominal:
            return self.seen
        return self.normal if self.is_sd else self.range

    def accepts(self, node, column):
        return self.kind(column)(self.reached[node], column)

    # ---- the test of an instance ----

    def tail(self, node, column, value):
        """Two-sided tail probability of a value; 0 or 1 where it is only inside or outside."""
        found, kind = self.accepts(node, column), self.kind(column)
        if math.isnan(value) or found is None:
            return 1.0
        if kind == self.normal:
            return math.erfc(deviation(value, found) / math.sqrt(2))
        if kind == self.seen:
            return float(value in found)
        low, high = found
        if low == high:
            return float(value == low)
        above = value >= low if self.closed in ("both", "lower") else value > low
        below = value <= high if self.closed in ("both", "upper") else value < high
        return float(above and below)

    def accepts_nothing(self, node):
        return not self.reached[node]

    def certainty(self, cells):
        parts = self.parts(cells)
        answer = 0.0
        for node, share in parts:
            tails = [self.tail(node, column, cells[column]) for column in self.columns]
            answer += share * (0.0 if self.accepts_nothing(node) else min(tails, default=1.0))
        return answer

    def broken(self, cells):
        """The tests that fail at α: node, and column or −1 for a leaf without training instances."""
        threshold = self.alpha if self.is_sd else 0.5
        found = []
        for node, _ in self.parts(cells):
            found += [(node, -1)] if self.accepts_nothing(node) else []
            found += [(node, c) for c in self.columns if self.tail(node, c, cells[c]) < threshold]
        return sorted(found)

    def limits_of(self, node, column):
        """Lower and upper limit of a numeric attribute at α."""
        found = self.accepts(node, column)
        if self.kind(column) != self.normal or found is None:
            return found
        z = NormalDist().inv_cdf(1 - self.alpha / 2)
        return float(found[0] - Fraction(z) * Fraction(found[1])), float(found[0] + Fraction(z) * Fraction(found[1]))

    def parts(self, cells):
        found = self.routes.parts(0, cells, 1.0)
        whole = sum(share for _, share in found)
        return [(node, share / whole) for node, share in found]


def mean_and_deviation(here, column):
    """(m*, σ*) of section 2; σ* is 0 for a single value. None without a value."""
    known = [(cells[column], weight) for cells, weight in here if not math.isnan(cells[column])]
    finite = [(x, Fraction(weight)) for x, weight in known if math.isfinite(x)]
    if not finite:
        return (known[0][0], 0.0) if len({x for x, _ in known}) == 1 else None
    if len({x for x, _ in finite}) == 1:
        return finite[0][0], 0.0
    n, total = len(finite), sum(weight for _, weight in finite)
    m = sum(weight * Fraction(x) for x, weight in finite) / total
    variance = sum(weight * (Fraction(x) - m) ** 2 for x, weight in finite) / total * n / (n - 1)
    unit = Fraction(max(abs(x) for x, _ in finite))
    return m, Fraction(math.sqrt(variance / unit**2)) * unit


def deviation(value, found):
    """|x − m*| / σ*."""
    if math.isnan(value) or found is None or value == found[0]:
        return 0.0
    m, sigma = found
    if sigma == 0 or math.isinf(value) or math.isinf(m):
        return math.inf
    return float(abs(Fraction(value) - m) / sigma)
