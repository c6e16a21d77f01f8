"""m-Branch, curtailment and Ling & Yan's mean over the leaves, transcribed: one node, one class, one instance a time.

Where the papers are open, as the methods' docstrings say. ``number`` is float, or Fraction for exact arithmetic (the
square root of m-Branch is rounded once all the same).
"""

import math

from reference import weka_recursion


class Rivals:
    """A tree and the training instances that reach each of its nodes whole."""

    def __init__(self, tree, train, number=float):
        self.tree, self.number = tree, number
        self.n_classes = tree.header.n_classes
        self.is_j48 = tree.routing.startswith("J48")
        self.reached = {node: [] for node in range(tree.n_nodes)}
        for cells, weight in zip(train.values.tolist(), train.weights.tolist(), strict=True):
            self.send_down(0, cells, int(cells[train.class_index]), number(weight))
        self.counts = {
            node: [sum((weight for of, weight in here if of == c), number(0)) for c in range(self.n_classes)]
            for node, here in self.reached.items()
        }

    def send_down(self, node, cells, c, weight):
        self.reached[node].append((c, weight))
        if self.tree.n_branches[node] > 0:
            branch = weka_recursion.which_subset(self.tree, node, cells)
            if branch >= 0:
                self.send_down(self.children(node)[branch], cells, c, weight)

    def children(self, node):
        first = int(self.tree.first_child[node])
        return list(range(first, first + int(self.tree.n_branches[node])))

    def n_c(self, node, c):
        return self.counts[node][c]

    def n(self, node):
        return sum(self.counts[node])

    def eq_1(self, node, c):
        """Wang & Zhang 2006, Eq. 1."""
        return (self.n_c(node, c) + self.number(1) / self.n_classes) / (self.n(node) + 1)

    # ---- m-Branch ----

    def m_branch(self, cells, m=4.0):
        return self.mixture(cells, lambda node, c: self.p(node, c, self.number(m)))

    def p(self, node, c, constant):
        above = self.number(1) / self.n_classes if node == 0 else self.p(int(self.tree.parent[node]), c, constant)
        root = self.number(math.sqrt(self.n(0)))
        m = constant * (1 + (1 - self.number(1) / self.height(node)) * root)
        if self.n(node) + m == 0:
            return above
        return (self.n_c(node, c) + m * above) / (self.n(node) + m)

    def height(self, node):
        return 1 + max((self.height(child) for child in self.children(node)), default=0)

    # ---- curtailment ----

    def curtailment(self, cells, min_weight=10.0, estimate="frequency"):
        return self.mixture(cells, lambda node, c: self.curtailed(node, c, min_weight, estimate))

    def curtailed(self, node, c, min_weight, estimate):
        too_few = self.n(node) == 0 or self.n(node) + self.number(1e-9) < min_weight
        if node > 0 and too_few:
            return self.curtailed(int(self.tree.parent[node]), c, min_weight, estimate)
        return self.eq_1(node, c) if estimate == "laplace" else self.n_c(node, c) / self.n(node)

    # ---- Ling & Yan ----

    def ling_yan(self, cells, confusion=0.4):
        leaves = [node for node in range(self.tree.n_nodes) if not self.children(node)]
        weights = [self.leaf_weight(leaf, cells, self.number(confusion)) for leaf in leaves]
        answer = []
        for c in range(self.n_classes):
            terms = [w * self.leaf_estimate(leaf, c) for leaf, w in zip(leaves, weights, strict=True)]
            answer.append(sum(terms, self.number(0)) / sum(weights))
        return answer

    def leaf_weight(self, leaf, cells, confusion):
        weight, node = self.number(1), leaf
        while node > 0:
            parent = int(self.tree.parent[node])
            branch = weka_recursion.which_subset(self.tree, parent, cells)
            if branch == -1:
                share = self.share(node)
                if not any(self.share(sibling) > 0 for sibling in self.children(parent)):
                    share = self.number(1) / len(self.children(parent))
                weight *= share + (1 - share) * confusion
            elif self.children(parent)[branch] != node:
                weight *= confusion
            node = parent
        return weight

    def leaf_estimate(self, leaf, c):
        node = leaf
        while node > 0 and not self.reached[node]:
            node = int(self.tree.parent[node])
        return self.eq_1(node, c)

    # ---- test instances with missing values ----

    def share(self, node):
        """The share of an instance with a missing value that Weka sends from the node's parent to the node."""
        tree, parent = self.tree, int(self.tree.parent[node])
        if tree.is_empty[node] and not self.children(node):
            return self.number(0)
        if not self.is_j48:
            return self.number(float(tree.branch_weight[node]))
        if tree.total[parent] == 0:
            return self.number(0)
        return self.number(float(tree.branch_weight[node])) / self.number(float(tree.total[parent]))

    def parts(self, node, cells, weight):
        """The nodes where parts of an instance stop, with their weights."""
        if not self.children(node):
            return [(node, weight)]
        branch = weka_recursion.which_subset(self.tree, node, cells)
        if branch >= 0:
            return self.parts(self.children(node)[branch], cells, weight)
        found = []
        for child in self.children(node):
            if self.share(child) > 0:
                found += self.parts(child, cells, weight * self.share(child))
        return found or [(node, weight)]

    def mixture(self, cells, answer):
        """The answers of the nodes where the instance stops, weighted by its parts."""
        parts = self.parts(0, cells, self.number(1))
        whole = sum(weight for _, weight in parts)
        return [
            sum((weight / whole * answer(node, c) for node, weight in parts), self.number(0))
            for c in range(self.n_classes)
        ]
