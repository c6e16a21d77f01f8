"""Shrinkage, WPE and their combination, transcribed from Wang & Zhang 2006: one class, one node, one instance a time.

``number`` is float, Fraction (exact) or Decimal (fifty digits). ``eq_1`` stands in `Rivals`.
"""

import math
from decimal import getcontext

from reference import weka_recursion
from reference.rivals_reference import Rivals

getcontext().prec = 50


class Paper(Rivals):
    """A tree, its training instances, and the options of the paper and of its readings.

    ``local`` is "laplace", "wpe" or "naive_bayes"; ``removes``: Step 2 takes x out; ``compares_class``: Equation 5
    compares the class of x while the weights are learned.
    """

    def __init__(self, tree, train, number=float, *, local="wpe", bins=False, removes=True, compares_class=True):
        super().__init__(tree, train, number)
        self.local, self.removes = local, removes
        self.compares_class = compares_class and local == "wpe"
        self.columns = [i for i in range(len(train.attributes)) if i != train.class_index]
        self.class_index, self.attributes = train.class_index, train.attributes
        self.cuts = {i: equal_width(train.values[:, i].tolist()) for i in self.columns if bins}
        self.train = [self.compared(cells) for cells in train.values.tolist()]
        self.classes = train.class_values.tolist()
        self.weights = [number(weight) for weight in train.weights.tolist()]
        self.rows = {node: [] for node in range(tree.n_nodes)}
        for row, cells in enumerate(train.values.tolist()):
            self.note(0, row, cells)
        self.learned = {}

    def note(self, node, row, cells):
        self.rows[node].append(row)
        if self.children(node):
            branch = weka_recursion.which_subset(self.tree, node, cells)
            if branch >= 0:
                self.note(self.children(node)[branch], row, cells)

    def compared(self, cells):
        """The values that Equation 5 compares; None is missing."""
        found = []
        for i in self.columns:
            if math.isnan(cells[i]):
                found.append(None)
            elif self.attributes[i].is_nominal:
                found.append(int(cells[i]))
            else:
                found.append(sum(cut < cells[i] for cut in self.cuts.get(i, [])))
        return found

    # ---- Equations 1, 5 and 6, and naive Bayes ----

    def sim(self, e_t, e_r, class_of_t=None, class_of_r=None):
        equal = sum(a is not None and a == b for a, b in zip(e_t, e_r, strict=True))
        return equal + (class_of_t is not None and class_of_t == class_of_r)

    def subset(self, node, without=None):
        return [row for row in self.rows[node] if row != without]

    def p_local(self, node, e_t, *, class_of_t=None, without=None):
        """P(c_j | e_t) at a node, for every class c_j."""
        rows = self.subset(node, without)
        if self.local == "naive_bayes":
            return self.naive_bayes(rows, e_t)
        weights = {}
        for row in rows:
            sim = 0
            if self.local == "wpe":
                sim = self.sim(e_t, self.train[row], class_of_t, self.classes[row])
            weights[row] = self.weights[row] * (sim + 1)
        below = sum(weights.values(), self.number(0)) + 1
        found = []
        for c_j in range(self.n_classes):
            above = sum((weights[row] for row in rows if self.classes[row] == c_j), self.number(0))
            found.append((above + self.number(1) / self.n_classes) / below)
        return found

    def naive_bayes(self, rows, e_t):
        joint = []
        n = sum((self.weights[row] for row in rows), self.number(0))
        for c_j in range(self.n_classes):
            own = [row for row in rows if self.classes[row] == c_j]
            n_c = sum((self.weights[row] for row in own), self.number(0))
            p = (n_c + self.number(1) / self.n_classes) / (n + 1)
            for at, i in enumerate(self.columns):
                if e_t[at] is not None:
                    equal = sum((self.weights[row] for row in own if self.train[row][at] == e_t[at]), self.number(0))
                    p *= (equal + self.number(1) / self.n_values(i)) / (n_c + 1)
            joint.append(p)
        return [p / sum(joint) for p in joint]

    def n_values(self, i):
        return len(self.attributes[i].values) if self.attributes[i].is_nominal else len(self.cuts[i]) + 1

    # ---- Algorithm DIW ----

    def path(self, node):
        """N_1, …, N_k down to the node, or to its nearest ancestor that has training instances."""
        while node > 0 and not self.rows[node]:
            node = int(self.tree.parent[node])
        nodes = [node]
        while nodes[0] > 0:
            nodes.insert(0, int(self.tree.parent[nodes[0]]))
        return nodes

    def p_0(self):
        return 1 / self.n(0)

    def p_without(self, path, row):
        """Steps 2 and 3: the estimates of N_0, …, N_k for a training instance, for every class."""
        without = row if self.removes else None
        class_of_t = self.classes[row] if self.compares_class else None
        p = [self.p_local(node, self.train[row], class_of_t=class_of_t, without=without) for node in path]
        return [[self.p_0()] * self.n_classes, *p]

    def diw(self, path, *, iterations=1, tolerance=0, weights="diw"):
        """The weights w_j^0, …, w_j^k of every class c_j."""
        k = len(path)
        uniform = [self.number(1) / (k + 1)] * (k + 1)
        if weights == "uniform":
            return [uniform] * self.n_classes
        if weights == "em":
            self.compares_class = False
        estimates = {row: self.p_without(path, row) for row in self.rows[path[-1]]}
        w = [uniform] * self.n_classes
        for _ in range(iterations):
            before, w = w, []
            for c_j in range(self.n_classes):
                rows = [row for row in estimates if weights == "diw" or self.classes[row] == c_j]
                beta = [self.number(0)] * (k + 1)
                for row in rows:
                    p = [of_node[c_j] for of_node in estimates[row]]
                    total = sum((w_m * p_m for w_m, p_m in zip(before[c_j], p, strict=True)), self.number(0))
                    for i in range(k + 1):
                        beta[i] += self.weights[row] * before[c_j][i] * p[i] / total
                w.append([b / sum(beta) for b in beta] if rows else uniform)
            change = max(abs(a - b) for old, new in zip(before, w, strict=True) for a, b in zip(old, new, strict=True))
            if change < tolerance:
                break
        return w

    def weights_of(self, node, **options):
        path = self.path(node)
        if path[-1] not in self.learned:
            self.learned[path[-1]] = self.diw(path, **options)
        return self.learned[path[-1]]

    # ---- answers ----

    def wpe(self, cells, node="leaf", class_of_t=None):
        e_t = self.compared(cells)
        return self.mixture(
            cells,
            lambda stop, c: self.p_local(0 if node == "root" else self.path(stop)[-1], e_t, class_of_t=class_of_t)[c],
        )

    def raw(self, node, e_t, class_of_t, **options):
        """Equation 2 for every class."""
        w = self.weights_of(node, **options)
        p = [[self.p_0()] * self.n_classes]
        p += [self.p_local(at, e_t, class_of_t=class_of_t) for at in self.path(node)]
        return [sum((w[c][i] * p[i][c] for i in range(len(p))), self.number(0)) for c in range(self.n_classes)]

    def shrinkage(self, cells, *, is_raw=False, class_of_t=None, **options):
        e_t, found = self.compared(cells), {}

        def answer(node, c):
            if node not in found:
                scores = self.raw(node, e_t, class_of_t, **options)
                found[node] = scores if is_raw else [score / sum(scores) for score in scores]
            return found[node][c]

        return self.mixture(cells, answer)


def equal_width(cells):
    """Nine cut points between ten bins of equal width, in the operations of Weka's Discretize."""
    known = [cell for cell in cells if not math.isnan(cell)]
    if not known:
        return []
    width = (max(known) - min(known)) / 10
    return [min(known) + width * i for i in range(1, 10)] if width > 0 else []
