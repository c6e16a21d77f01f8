"""ConfDTree, shrinkage, limits and distances, against literal forms of their papers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from benchmarks._measuring import Row, numeric_dataset, side_by_side, uci

import wekaconf as wc
from wekaconf.bridge import _jvm as jvm
from wekaconf.evaluation.preprocessing import fit_preprocessing


def confdtree() -> Iterator[Row]:
    from reference.confdtree_reference import Reference

    data = uci("letter")
    model, instances = wc.J48().train_in_weka(data)
    tree = wc.J48().mirror(model, instances, data)
    few = np.arange(0, len(data), len(data) // 200)
    for variant in ("tdist", "norm", "comb"):
        answer = partial(wc.method("confdtree", variant=variant).fit(tree, data).predict_proba, data)
        classify = Reference(tree, data, variant=variant).classify
        slow = np.array([classify(data.values[row])[0] for row in few])
        assert np.abs(answer()[few] - slow).max() < 1e-12
        ours, literal = side_by_side(
            answer, lambda classify=classify: [classify(data.values[row]) for row in few], repeats=3
        )
        claim = f"ConfDTree {variant.upper()} on letter, 20,000 instances"
        yield Row(f"{claim}, against the literal reference", ours, literal * len(data) / len(few), wanted=50)
        times = side_by_side(answer, lambda: tree.predict_proba(data))
        yield Row(f"{claim}, against plain predictions of the mirror", *times, wanted=20, is_cost=True)
        if variant == "tdist":
            times = side_by_side(answer, lambda: jvm.call("distributions", model.classifier, instances))
            yield Row(f"{claim}, against plain predictions of Weka's loop inside Java", *times, wanted=1)


class Scan:
    """Shrinkage with WPE that compares an instance with every training instance at the nodes of its path, in numpy."""

    def __init__(self, tree: wc.TreeMirror, train: wc.Dataset) -> None:
        self.tree, self.n_classes, self.class_index = tree, train.n_classes, train.class_index
        self.cells = self.without_class(train)
        self.classes = train.class_values
        last = tree.router.last_whole_nodes(train.values)
        rows: list[list[int]] = [[] for _ in range(tree.n_nodes)]
        for row, node in enumerate(last.tolist()):
            for at in self.path(node):
                rows[at].append(row)
        self.subsets = [(self.cells[at_node], self.classes[at_node]) for at_node in rows]

    def without_class(self, data: wc.Dataset) -> np.ndarray:
        return np.delete(data.values, self.class_index, axis=1)

    def path(self, node: int) -> list[int]:
        nodes = [node]
        while nodes[0] > 0:
            nodes.insert(0, int(self.tree.parent[nodes[0]]))
        return nodes

    def estimates(self, node: int, cells: np.ndarray, own_class: int = -1) -> np.ndarray:
        """P^0, …, P^k of an instance; if its class is given, the instance is left out and the class is compared."""
        estimates = [np.full(self.n_classes, 1 / len(self.classes))]
        for at in self.path(node):
            others, classes = self.subsets[at]
            weights = (others == cells).sum(axis=1) + 1
            sums = np.bincount(classes, weights, minlength=self.n_classes)
            if own_class >= 0:
                sums[own_class] += (classes == own_class).sum() - len(cells) - 2
            estimates.append((sums + 1 / self.n_classes) / (sums.sum() + 1))
        return np.array(estimates)

    def learn(self, nodes: list[int], rows: list[int]) -> list[np.ndarray]:
        """The degrees that training instances add."""
        of_rows = [
            self.estimates(node, self.cells[row], int(self.classes[row])) for node, row in zip(nodes, rows, strict=True)
        ]
        return [estimates / estimates.sum(axis=0) for estimates in of_rows]

    def answer(self, method: Any, ends: list[int], cells: np.ndarray) -> np.ndarray:
        """Raw scores of instances that are answered at ``ends``."""
        scores = []
        for end, row in zip(ends, cells, strict=True):
            number = method.paths_.end[end]
            weight = method.weight_[method.paths_.first[number] : method.paths_.first[number + 1]]
            scores.append((weight * self.estimates(end, row)).sum(axis=0))
        return np.array(scores)


def wang2006() -> Iterator[Row]:
    for name, wanted in (("kr-vs-kp", 50), ("splice", 20), ("waveform-5000", 25), ("letter", 30)):
        yield from shrinkage_wpe(name, wanted)


def shrinkage_wpe(name: str, wanted: float) -> Iterator[Row]:
    """Fitting and answering on one set, in both forms; ``wanted`` is what fitting in numpy must gain."""
    from wekaconf.methods.smoothing import _base as forms

    usual, data = forms.pays, uci(name)
    data = fit_preprocessing(data, "wang2006").apply(data)
    few = np.linspace(0, len(data) - 1, 200).astype(int)
    trees = [wc.grow(data, learner) for learner in ("J48", "C44")]
    scans = [Scan(tree, data) for tree in trees]
    nodes = [tree.router.last_whole_nodes(data.values[few]).tolist() for tree in trees]
    methods = [wc.method("shrinkage_wpe").fit(tree, data) for tree in trees]

    def scan_predict() -> list[np.ndarray]:
        return [
            scan.answer(method, ends, scan.cells[few]) for method, scan, ends in zip(methods, scans, nodes, strict=True)
        ]

    for method, slow in zip(methods, scan_predict(), strict=True):
        assert np.abs(method.scores(data)[few] - slow).max() < 1e-12
    for form, is_compiled in (("numpy", False), ("compiled", True)):
        forms.pays = lambda *_, is_compiled=is_compiled: is_compiled
        for what, ours, slow_way, least in (
            (
                "fit",
                lambda: [wc.method("shrinkage_wpe").fit(tree, data) for tree in trees],
                lambda: [scan.learn(ends, few.tolist()) for scan, ends in zip(scans, nodes, strict=True)],
                wanted * (5 if is_compiled else 1),
            ),
            ("predict", lambda: [m.predict_proba(data) for m in methods], scan_predict, 100 if is_compiled else 10),
        ):
            mine, other = side_by_side(ours, slow_way)
            claim = f"{what} shrinkage_wpe on {name}, C4.5 and C4.4, {form}, against a numpy scan of the subsets"
            yield Row(claim, mine, other * len(data) / len(few), wanted=least)
    forms.pays = usual


class Rules:
    """Boundary distance by the paper's projection rules: the steps of section 2.3 in numpy, one instance at a time."""

    def __init__(self, tree: wc.TreeMirror, rules: list[tuple[float, ...]], epsilon: float) -> None:
        self.router, self.epsilon = tree.router, epsilon
        self.rules = np.array(rules)
        self.is_open = np.isinf(self.rules)

    def distance(self, cells: np.ndarray) -> float:
        predicted = self.classes(cells[None])[0]
        projected = np.where(self.is_open, cells, self.rules)
        distances = np.sqrt(((projected - cells) ** 2).sum(axis=1))
        order = np.argsort(distances)
        projected, distances = projected[order], distances[order]
        for first in range(0, len(order), 256):
            near, length = projected[first : first + 256], distances[first : first + 256]
            changes = self.classes(near + self.epsilon * (near - cells) / length[:, None]) != predicted
            if changes.any():
                return float(length[changes.argmax()])
        return np.inf

    def classes(self, cells: np.ndarray) -> np.ndarray:
        return self.router.answer[self.router.last_whole_nodes(cells)].argmax(axis=1)


def boundary() -> Iterator[Row]:
    from reference.toth2006_reference import Projection

    from wekaconf.base.rounding import most_probable
    from wekaconf.methods.boundary_distance import BoundaryDistance
    from wekaconf.methods.boundary_distance import _compiled as compiled
    from wekaconf.methods.boundary_distance import _regions as regions

    data = numeric_dataset(6_000, 9, 3, seed=7, noise=0.5)
    tree = wc.grow(data, options="-doNotMakeSplitPointActualValue -M 20")
    method = wc.method("boundary_distance").fit(tree, data)
    test = numeric_dataset(20_000, 9, 3, seed=8, noise=0.5)
    literal = Projection(tree, epsilon=1e-9)
    rules = Rules(tree, literal.rules, epsilon=1e-9)
    claim = (
        f"boundary distance of 20,000 instances, 9 attributes, {tree.n_leaves} leaves, against the paper's "
        f"{len(literal.rules):,} projection rules"
    )
    for form, distance, n_few in (
        ("in numpy", lambda cells: rules.distance(cells[:-1]), 200),
        ("transcribed in plain Python", literal.distance, 5),
    ):
        few = test.values[:: len(test) // n_few]
        project = partial(lambda distance, few: [distance(cells) for cells in few], distance, few)
        assert np.allclose(method.certainty(test)[:: len(test) // n_few], project(), rtol=1e-12, atol=0)
        ours, other = side_by_side(lambda: method.certainty(test), project, repeats=3)
        yield Row(f"{claim}, {form} ({n_few} instances, scaled up)", ours, other * len(test) / n_few, wanted=500)
    for name, wanted in (("letter", 20), ("spambase", 3)):
        data = uci(name)
        tree = wc.grow(data)
        boxes = BoundaryDistance().fit(tree, data).regions_
        arguments = (data.values, most_probable(tree.predict_proba(data)), "l2", 1.0)
        distance, node, entered = compiled.nearest(boxes, tree, *arguments)
        for expected, array in zip(regions.nearest(boxes, *arguments), (distance, node), strict=True):
            assert np.array_equal(expected, array)
        times = side_by_side(
            partial(compiled.nearest, boxes, tree, *arguments), partial(regions.nearest, boxes, *arguments)
        )
        claim = f"boundary distance on {name}, {len(data):,} instances, by branch and bound"
        yield Row(f"{claim}, against all {len(boxes.node):,} boxes in numpy", *times, wanted=wanted)
        if name == "letter":
            yield Row(
                f"{claim}: nodes entered per instance, against all nodes of the tree",
                entered.mean(), tree.n_nodes, wanted=0.02, is_cost=True, unit="nodes",
            )  # fmt: skip
