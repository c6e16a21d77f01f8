"""Tóth and Pataki 2006, sections 2.3 to 2.5 transcribed, and the same distance to the leaves' boxes in plain Python.

The transcription holds for numeric attributes with binary splits. N of it is the number of attributes but for the
class.
"""

import itertools
import math

from reference import weka_recursion

from wekaconf.tree._kinds import SplitKind

INF = math.inf


def class_at(tree, cells):
    """What the tree says of an instance: the most probable class after rounding, ties to the lowest."""
    proba = [round(share * 1e12) for share in weka_recursion.distribution(tree, cells)]
    return proba.index(max(proba))


def leaves(tree):
    """Nodes where instances without missing values end; J48 goes no further than a node that is empty."""
    found, waiting = [], [0]
    for node in waiting:
        stops = tree.routing.startswith("J48") and node > 0 and tree.is_empty[node]
        if tree.n_branches[node] == 0 or stops:
            found.append(node)
        else:
            waiting += range(tree.first_child[node], tree.first_child[node] + tree.n_branches[node])
    return found


def steps_up(tree, node):
    """The splits on the way from a node to the root, each with the branch it was come up from."""
    while node > 0:
        above = int(tree.parent[node])
        yield above, node - int(tree.first_child[above])
        node = above


# ---- the paper ----


def boundary_matrix(tree, leaf):
    """Section 2.4: a row a variable: the bound of a smaller child, that of a bigger child."""
    matrix = {column: [INF, INF] for column in variables(tree)}
    for node, branch in steps_up(tree, leaf):
        row = matrix[int(tree.split_attribute[node])]
        if row[branch] == INF:
            row[branch] = float(tree.split_point[node])
    return list(matrix.values())


def variables(tree):
    return [column for column in range(len(tree.header.attributes)) if column != tree.header.class_index]


def projection_rules(matrix):
    """Equations 2.4.2 and 2.4.3: every choice of one element a row of the extended matrix, but for all inf."""
    rules = itertools.product(*(dict.fromkeys([*row, INF]) for row in matrix))
    return [rule for rule in rules if any(bound != INF for bound in rule)]


class Projection:
    """The rules of every leaf, found once; ``distance(cells)`` is the certainty of an instance."""

    def __init__(self, tree, epsilon=1e-7):
        self.tree, self.epsilon, self.variables = tree, epsilon, variables(tree)
        self.rules = [rule for leaf in leaves(tree) for rule in projection_rules(boundary_matrix(tree, leaf))]

    def distance(self, cells):
        """Steps 1 to 6 of section 2.3."""
        own = class_at(self.tree, cells)
        point = [float(cells[column]) for column in self.variables]
        projected = [
            [x if bound == INF else bound for x, bound in zip(point, rule, strict=True)] for rule in self.rules
        ]
        for target in sorted(projected, key=lambda target: math.dist(point, target)):
            if class_at(self.tree, self.pushed(cells, point, target)) != own:
                return math.dist(point, target)
        return INF

    def pushed(self, cells, point, target):
        """Section 2.5: the projected point moved on by ε in the direction of the projection."""
        distance = math.dist(point, target)
        cells = [float(cell) for cell in cells]
        for column, x, t in zip(self.variables, point, target, strict=True):
            cells[column] = t + self.epsilon * (t - x) / distance if distance > 0 else t
        return cells


# ---- the boxes ----


def conditions(tree, leaf):
    """By attribute: the (kind, what it is compared with, branch taken) on the way to a leaf."""
    found = {column: [] for column in variables(tree)}
    for node, branch in steps_up(tree, leaf):
        kind = SplitKind(tree.split_kind[node])
        operand = float(tree.split_point[node]) if kind <= SplitKind.NUMERIC_LT else int(tree.split_value[node])
        found[int(tree.split_attribute[node])].append((kind, operand, branch))
    return found


def holds(value, kind, operand, branch):
    """Whether a value takes the branch."""
    if kind == SplitKind.NOMINAL_EACH:
        return value == branch
    if kind == SplitKind.NOMINAL_EQUALS:
        return (value == operand) == (branch == 0)
    return ((value <= operand) if kind == SplitKind.NUMERIC_LE else (value < operand)) == (branch == 0)


def someone_inside(tree, leaf):
    """Cells of an instance of finite values that ends at the leaf; None when there can be none."""
    cells = [math.nan] * len(tree.header.attributes)
    for column, asked in conditions(tree, leaf).items():
        attribute = tree.header.attributes[column]
        candidates = range(len(attribute.values)) if attribute.is_nominal else [0.0]
        if not attribute.is_nominal:
            points = [operand for _, operand, _ in asked]
            candidates += [s + step for s in points for step in (0.01, -0.01)]  # told apart in single precision too
            candidates += [v for s in points for v in (s, math.nextafter(s, INF), math.nextafter(s, -INF))]
        fit = [v for v in candidates if math.isfinite(v) and all(holds(v, *condition) for condition in asked)]
        if not fit:
            return None
        cells[column] = float(fit[0])
    return cells


def offset(value, asked, attribute, unit, nominal):
    """How far a value lies outside what the conditions ask for."""
    if math.isnan(value):
        return 0.0
    if attribute.is_nominal:
        return 0.0 if all(holds(value, *condition) for condition in asked) else nominal
    outside = [0.0]
    for _, point, branch in asked:
        if branch == 0 and value > point:
            outside.append(value - point)
        if branch == 1 and value < point:
            outside.append(point - value)
    return max(outside) / unit


def length(offsets, norm):
    if norm == "l1":
        return sum(offsets)
    return max(offsets) if norm == "linf" else math.hypot(*offsets)


class Boxes:
    """The leaves that can be got to, with their classes; ``distances(cells)`` gives the distance to each."""

    def __init__(self, tree, unit, norm="l2", nominal=1.0):
        self.tree, self.unit, self.norm, self.nominal = tree, unit, norm, nominal
        inside = {leaf: someone_inside(tree, leaf) for leaf in leaves(tree)}
        self.class_of = {leaf: class_at(tree, cells) for leaf, cells in inside.items() if cells is not None}
        self.conditions = {leaf: conditions(tree, leaf) for leaf in self.class_of}

    def distances(self, cells, own):
        """Distance to every leaf of another class than ``own``, by leaf."""
        return {
            leaf: length([self.offset(cells, leaf, column) for column in variables(self.tree)], self.norm)
            for leaf, c in self.class_of.items()
            if c != own
        }

    def offset(self, cells, leaf, column):
        attribute = self.tree.header.attributes[column]
        asked = self.conditions[leaf][column]
        return offset(float(cells[column]), asked, attribute, self.unit[column], self.nominal)
