"""The project's speed claims: ratios of the times of two ways to the same result, measured side by side in one run.

``python scripts/benchmark.py [--write] [NAME ...]`` in the project's environment; names choose rows. Rows on UCI sets
need their folder in WEKACONF_UCI. ``--write`` puts the results into docs/BENCHMARKS.md.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import platform
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import wekaconf as wc
from wekaconf import bridge
from wekaconf.bridge import jvm
from wekaconf.bridge.instances import to_java
from wekaconf.replication.papers import study_of
from wekaconf.serving.package import install

ARFF = Path(__file__).resolve().parents[1] / "arff"
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


@dataclass(frozen=True)
class Row:
    """One measured claim: ``wanted`` is the smallest ratio allowed, or the largest if ``is_cost``.

    ``ours`` and ``other`` are in seconds unless ``unit`` names another unit.
    """

    claim: str
    ours: float
    other: float
    wanted: float
    is_cost: bool = False
    unit: str = "s"

    @property
    def ratio(self) -> float:
        return self.ours / self.other if self.is_cost else self.other / self.ours

    @property
    def holds(self) -> bool:
        return self.ratio <= self.wanted if self.is_cost else self.ratio >= self.wanted

    def __str__(self) -> str:
        bound = f"{'at most' if self.is_cost else 'at least'} {self.wanted:g} ×"
        measured = f"{self._amount(self.ours)} | {self._amount(self.other)}"
        ratio = f"{self.ratio:,.{0 if self.ratio >= 100 else 1 if self.ratio >= 1 else 3}f}"
        return f"| {self.claim} | {measured} | {bound} | **{ratio} ×** {'' if self.holds else '(missed)'}|"

    def _amount(self, number: float) -> str:
        return _time(number) if self.unit == "s" else f"{number:,.4g} {self.unit}"


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def side_by_side(ours: Callable[[], object], other: Callable[[], object], repeats: int = 5) -> tuple[float, float]:
    """Median seconds of both, which are run in turn after one run of ours that is not counted."""
    ours()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeats):
        for call, its_times in zip((ours, other), times, strict=True):
            began = time.perf_counter()
            call()
            its_times.append(time.perf_counter() - began)
    return statistics.median(times[0]), statistics.median(times[1])


def numeric_dataset(n: int, n_attributes: int, n_classes: int, seed: int, noise: float) -> wc.Dataset:
    """Gaussian attributes, classes by the quantiles of a linear score with noise."""
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(n, n_attributes))
    score = cells @ rng.normal(size=n_attributes) + noise * np.sqrt(n_attributes) * rng.normal(size=n)
    classes = np.searchsorted(np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]), score)
    attributes = [wc.Attribute(f"a{i}") for i in range(n_attributes)]
    attributes.append(wc.Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes))))
    return wc.Dataset(wc.Header("generated", tuple(attributes), n_attributes), np.column_stack((cells, classes)))


def uci(name: str) -> wc.Dataset:
    folder = os.environ.get("WEKACONF_UCI")
    if folder is None:
        sys.exit(f"set WEKACONF_UCI to the folder that holds {name}.arff, or choose rows without it: {WITHOUT_UCI}")
    return wc.load_arff(Path(folder) / f"{name}.arff")


def transfer() -> Iterator[Row]:
    from weka.core.dataset import create_instances_from_matrices

    data = numeric_dataset(100_000, 50, 2, seed=0, noise=1.0)
    cells = np.ascontiguousarray(data.values[:, :-1])
    plain = wc.Dataset(wc.Header("numbers", data.attributes[:-1]), cells)
    times = side_by_side(lambda: to_java(plain), lambda: create_instances_from_matrices(cells), repeats=1)
    yield Row("100,000 × 50 numbers into Weka's Instances, against the wrapper's row loop", *times, wanted=50)


def tables() -> Iterator[Row]:
    import pandas as pd

    rng = np.random.default_rng(6)
    numbers, nominal = [f"n{i}" for i in range(40)], [f"c{i}" for i in range(10)]
    plain = pd.DataFrame(rng.normal(size=(100_000, 40)), columns=numbers)
    words = np.array(["red", "green", "blue", "black"])
    for kind, dtype in (("categories", "category"), ("texts", "str")):
        frame = plain.assign(**{name: pd.Series(rng.choice(words, 100_000)).astype(dtype) for name in nominal})

        def by_hand(frame: Any = frame) -> np.ndarray:
            codes = [frame[name].astype("category").cat.codes.to_numpy() for name in nominal]
            cells = [np.where(code < 0, np.nan, code) for code in codes]
            return np.column_stack((frame[numbers].to_numpy(), *cells))

        assert np.array_equal(wc.Dataset.from_pandas(frame).values, by_hand())
        times = side_by_side(lambda frame=frame: wc.Dataset.from_pandas(frame), by_hand, repeats=11)
        claim = f"from_pandas of 100,000 × 50, 10 of them {kind}, against to_numpy() and category codes by hand"
        yield Row(claim, *times, wanted=2, is_cost=True)


def pull() -> Iterator[Row]:
    learner = wc.J48("-U -O -J -M 1")
    data = numeric_dataset(14_000, 10, 4, seed=2, noise=3.0)
    model, instances = learner.train_in_weka(data)
    tree = learner.mirror(model, instances, data)
    field = model.classifier.getClass().getDeclaredField("m_root")
    field.setAccessible(True)
    root = field.get(model.classifier)
    times = side_by_side(
        lambda: learner.mirror(model, instances, data), lambda: node_by_node(root, data.n_classes), repeats=3
    )
    yield Row(f"a tree of {tree.n_nodes:,} nodes from Weka, against calls node by node", *times, wanted=8)


def node_by_node(root: Any, n_classes: int) -> list[Any]:
    """What the mirror holds, read by Weka's public methods one by one."""
    nodes, waiting = [], [root]
    for node in waiting:
        model = node.getLocalModel()
        weights = model.distribution()
        at_node = [weights.total()] + [weights.perClass(c) for c in range(n_classes)]
        if node.isLeaf():
            nodes.append((at_node, None, None))
            continue
        branches = [
            [weights.perBag(b)] + [weights.perClassPerBag(b, c) for c in range(n_classes)]
            for b in range(weights.numBags())
        ]
        nodes.append((at_node, (model.attIndex(), model.splitPoint()), branches))
        waiting.extend(node.getSons())
    return nodes


def with_missing(data: wc.Dataset, share: float) -> wc.Dataset:
    cells = data.values.copy()
    chosen = np.random.default_rng(3).random(cells.shape) < share
    chosen[:, data.class_index] = False
    cells[chosen] = np.nan
    return replace(data, values=cells)


def predict() -> Iterator[Row]:
    train = numeric_dataset(20_000, 20, 4, seed=4, noise=1.0)
    test = numeric_dataset(100_000, 20, 4, seed=5, noise=1.0).without_class_values()
    model, instances = wc.J48().train_in_weka(train)
    tree = wc.J48().mirror(model, instances, train)
    for label, data, wanted in (("complete rows", test, 3), ("10 % of the values missing", with_missing(test, 0.1), 1)):
        theirs = to_java(data)
        expected = jvm.call("distributions", model.classifier, theirs).reshape(len(data), -1)
        assert np.array_equal(tree.predict_proba(data), expected)
        times = side_by_side(
            lambda data=data: tree.predict_proba(data),
            lambda theirs=theirs: jvm.call("distributions", model.classifier, theirs),
        )
        yield Row(f"100,000 predictions, {label}, against Weka's loop inside Java", *times, wanted=wanted)
    from weka.classifiers import Classifier
    from weka.core.dataset import Instances

    few = test.take(np.arange(10_000))
    wrapped, wrapped_data = Classifier(jobject=model.classifier), Instances(to_java(few))
    times = side_by_side(
        lambda: tree.predict_proba(few),
        lambda: [wrapped.distribution_for_instance(instance) for instance in wrapped_data],
        repeats=3,
    )
    yield Row("10,000 predictions, complete rows, against the wrapper's loop over instances", *times, wanted=30)


def foreign() -> Iterator[Row]:
    from sklearn.tree import DecisionTreeClassifier

    train = numeric_dataset(20_000, 20, 4, seed=6, noise=1.0)
    fitted = DecisionTreeClassifier(random_state=0).fit(train.values[:, :-1], train.class_values)
    tree = wc.mirror(fitted, train=train)
    data = numeric_dataset(200_000, 20, 4, seed=7, noise=1.0)
    cells = np.ascontiguousarray(data.values[:, :-1])
    assert np.array_equal(tree.predict_proba(data), fitted.predict_proba(cells))
    times = side_by_side(lambda: tree.predict_proba(data), lambda: fitted.predict_proba(cells), repeats=15)
    yield Row("200,000 predictions by the mirror of scikit-learn's tree, against its predict_proba", *times, wanted=1)
    few = numeric_dataset(5_000, 20, 4, seed=8, noise=1.0)
    model, instances = wc.RandomForest().train_in_weka(few)
    forest = wc.RandomForest().mirror(model, instances, few)
    asked = data.take(np.arange(20_000)).without_class_values()
    theirs = to_java(asked)
    expected = jvm.call("distributions", model.classifier, theirs).reshape(len(asked), -1)
    assert np.array_equal(forest.predict_proba(asked), expected)
    times = side_by_side(
        lambda: forest.predict_proba(asked), lambda: jvm.call("distributions", model.classifier, theirs), repeats=3
    )
    yield Row("20,000 predictions by the mirror of a RandomForest of 100, against Weka's Java loop", *times, wanted=3)


def confdtree() -> Iterator[Row]:
    from reference.confdtree_reference import Reference

    data = uci("letter")
    tree = wc.grow(data)
    assert isinstance(tree, wc.TreeMirror)
    few = np.arange(0, len(data), len(data) // 200)
    for variant in ("tdist", "norm", "comb"):
        method = wc.method("confdtree", variant=variant).fit(tree, data)
        reference = Reference(tree, data, variant=variant)
        answers = method.predict_proba(data)
        slow = np.array([reference.classify(data.values[row])[0] for row in few])
        assert np.abs(answers[few] - slow).max() < 1e-12
        ours, literal = side_by_side(
            lambda method=method: method.predict_proba(data),
            lambda reference=reference: [reference.classify(data.values[row]) for row in few],
            repeats=3,
        )
        claim = f"ConfDTree {variant.upper()} on letter, 20,000 instances"
        yield Row(f"{claim}, against the literal reference", ours, literal * len(data) / len(few), wanted=50)
        times = side_by_side(lambda method=method: method.predict_proba(data), lambda: tree.predict_proba(data))
        yield Row(f"{claim}, against plain predictions of the mirror", *times, wanted=20, is_cost=True)


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
    from wekaconf.methods.smoothing import base as forms

    usual = forms.pays
    for name, wanted in (("kr-vs-kp", 50), ("splice", 20), ("waveform-5000", 25), ("letter", 30)):
        data = uci(name)
        data = wc.fit_preprocessing(data, "wang2006").apply(data)
        few = np.linspace(0, len(data) - 1, 200).astype(int)
        trees = [
            tree for tree in (wc.grow(data, learner) for learner in ("J48", "C44")) if isinstance(tree, wc.TreeMirror)
        ]
        scans = [Scan(tree, data) for tree in trees]
        nodes = [tree.router.last_whole_nodes(data.values[few]).tolist() for tree in trees]
        methods = [wc.method("shrinkage_wpe").fit(tree, data) for tree in trees]
        for method, scan, ends in zip(methods, scans, nodes, strict=True):
            slow = scan.answer(method, ends, scan.cells[few])
            assert np.abs(method.scores(data)[few] - slow).max() < 1e-12

        def fit(trees: list[wc.TreeMirror] = trees, data: wc.Dataset = data) -> None:
            for tree in trees:
                wc.method("shrinkage_wpe").fit(tree, data)

        def predict(methods: list[wc.PostProcessor] = methods, data: wc.Dataset = data) -> None:
            for method in methods:
                method.predict_proba(data)

        def scan_fit(scans: list[Scan] = scans, nodes: list[list[int]] = nodes, few: np.ndarray = few) -> None:
            for scan, ends in zip(scans, nodes, strict=True):
                scan.learn(ends, few.tolist())

        def scan_predict(
            methods: list[Any] = methods,
            scans: list[Scan] = scans,
            nodes: list[list[int]] = nodes,
            few: np.ndarray = few,
        ) -> None:
            for method, scan, ends in zip(methods, scans, nodes, strict=True):
                scan.answer(method, ends, scan.cells[few])

        share = len(data) / len(few)
        for form, is_compiled in (("numpy", False), ("compiled", True)):
            forms.pays = lambda *_, is_compiled=is_compiled: is_compiled
            for what, ours, slow_way, least in (
                ("fit", fit, scan_fit, wanted * (5 if is_compiled else 1)),
                ("predict", predict, scan_predict, 100 if is_compiled else 10),
            ):
                mine, other = side_by_side(ours, slow_way)
                claim = f"{what} shrinkage_wpe on {name}, C4.5 and C4.4, {form}, against a numpy scan of the subsets"
                yield Row(claim, mine, other * share, wanted=least)
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


def limits() -> Iterator[Row]:
    data = uci("letter")
    tree = wc.grow(data, options="-U -M 1")
    method = wc.method("id3_sd").fit(tree, data)

    def both() -> None:
        answer = method.answer(data)
        assert len(answer.proba) == len(answer.certainty)

    times = side_by_side(both, lambda: tree.predict_proba(data), repeats=15)
    claim = "ID3-SD on letter, 20,000 instances, predictions and limits, against plain predictions of the mirror"
    yield Row(claim, *times, wanted=3, is_cost=True)


def boundary() -> Iterator[Row]:
    from reference.toth2006_reference import Projection

    from wekaconf.methods.boundary_distance import BoundaryDistance, compiled, regions
    from wekaconf.rounding import most_probable

    data = numeric_dataset(6_000, 9, 3, seed=7, noise=0.5)
    tree = wc.grow(data, options="-doNotMakeSplitPointActualValue -M 20")
    assert isinstance(tree, wc.TreeMirror)
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

        def project(few: np.ndarray = few, distance: Callable[[np.ndarray], float] = distance) -> list[float]:
            return [distance(cells) for cells in few]

        assert np.allclose(method.certainty(test)[:: len(test) // n_few], project(), rtol=1e-12, atol=0)
        ours, other = side_by_side(lambda: method.certainty(test), project, repeats=3)
        yield Row(f"{claim}, {form} ({n_few} instances, scaled up)", ours, other * len(test) / n_few, wanted=500)
    for name, wanted in (("letter", 20), ("spambase", 3)):
        data = uci(name)
        tree = wc.grow(data)
        assert isinstance(tree, wc.TreeMirror)
        boxes = BoundaryDistance().fit(tree, data).regions_
        arguments = (data.values, most_probable(tree.predict_proba(data)), "l2", 1.0)
        distance, node, entered = compiled.nearest(boxes, tree, *arguments)
        for expected, array in zip(regions.nearest(boxes, *arguments), (distance, node), strict=True):
            assert np.array_equal(expected, array)
        times = side_by_side(
            lambda tree=tree, boxes=boxes, arguments=arguments: compiled.nearest(boxes, tree, *arguments),
            lambda boxes=boxes, arguments=arguments: regions.nearest(boxes, *arguments),
        )
        claim = f"boundary distance on {name}, {len(data):,} instances, by branch and bound"
        yield Row(f"{claim}, against all {len(boxes.node):,} boxes in numpy", *times, wanted=wanted)
        if name == "letter":
            yield Row(
                f"{claim}: nodes entered per instance, against all nodes of the tree",
                entered.mean(), tree.n_nodes, wanted=0.02, is_cost=True, unit="nodes",
            )  # fmt: skip


def growth() -> Iterator[Row]:
    rng = np.random.default_rng(6)
    attributes = [wc.Attribute(f"a{i}", "nominal", ("u", "v", "w")) for i in range(20)]
    header = wc.Header("nominal", (*attributes, wc.Attribute("class", "nominal", ("p", "q"))), 20)

    def drawn(n: int) -> wc.Dataset:
        cells = rng.integers(3, size=(n, 20))
        classes = (cells[:, :6].sum(axis=1) + rng.normal(size=n) * 2 > 6).astype(int)
        return wc.Dataset(header, np.column_stack((cells, classes)).astype(float))

    few, many, test = drawn(1_000), drawn(32_000), drawn(50_000)
    tree = wc.grow(few)
    small, large = (wc.method("shrinkage_wpe").fit(tree, train) for train in (few, many))
    times = side_by_side(lambda: large.predict_proba(test), lambda: small.predict_proba(test))
    claim = "predict 50,000 with shrinkage_wpe fitted on 32,000 instances, against fitted on 1,000, same tree"
    yield Row(claim, *times, wanted=1.3, is_cost=True)


def costa2013() -> Iterator[Row]:
    from wekaconf.learners.info_gain.learning_set import LearningSet
    from wekaconf.learners.info_gain.rules import Rules

    class ByPath(LearningSet):
        """A learning set that gives the same answers, one path after another."""

        hindrance = "measured"

    rules = Rules()
    for name, wanted, by_path in (
        ("diabetes", 20, 2.0), ("vehicle", 50, None), ("segment", 100, 2.5), ("waveform-5000", 200, None),
    ):  # fmt: skip
        learning = LearningSet.of(uci(name))
        row = np.repeat(np.arange(len(learning)), len(learning.present))
        label = np.tile(learning.present, len(learning))
        few = np.random.default_rng(9).choice(len(row), 400, replace=False)
        answers = learning.left_out_counts(rules, row, label)
        paths = ByPath(learning.header, learning.columns, learning.target, learning.weight)
        assert np.array_equal(paths.left_out_counts(rules, row[few], label[few]), answers[few])

        def grow(learning: LearningSet = learning, row: np.ndarray = row, label: np.ndarray = label,
                 few: np.ndarray = few) -> None:  # fmt: skip
            with ThreadPoolExecutor() as pool:
                list(pool.map(lambda q: grow_one(learning, rules, row[q], label[q]), few))

        share = len(row) / len(few)
        claim = f"TPCE on {name}, leave-one-out, {len(row):,} instances × labels"
        times = side_by_side(
            lambda learning=learning, row=row, label=label: learning.left_out_counts(rules, row, label),
            grow, repeats=3,
        )  # fmt: skip
        yield Row(f"{claim}, all at once, against as many trees ({len(few)}, scaled up)", times[0], times[1] * share,
                  wanted=wanted)  # fmt: skip
        if by_path is not None:
            times = side_by_side(
                lambda paths=paths, row=row, label=label, few=few: paths.left_out_counts(rules, row[few], label[few]),
                grow, repeats=3,
            )  # fmt: skip
            yield Row(f"{claim}, path by path, against as many trees ({len(few)}, scaled up)", times[0] * share,
                      times[1] * share, wanted=by_path)  # fmt: skip
    folder = os.environ["WEKACONF_UCI"]
    with tempfile.TemporaryDirectory() as name:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": name}
        path = str(Path(folder).resolve() / "waveform-5000.arff")
        ours = [str(Path(sys.executable).with_name("wekaconf")), "evaluate", path, "--method", "tpce", "-x", "loo"]
        times = side_by_side(
            lambda: subprocess.run(ours, check=True, **quiet),
            lambda: subprocess.run([*java_j48(), "-t", path, "-x", "10"], check=True, **quiet),
            repeats=3,
        )  # fmt: skip
    yield Row("`wekaconf evaluate waveform-5000.arff --method tpce -x loo`, whole process, against a 10-fold "
              "cross-validation of `java weka.classifiers.trees.J48`", *times, wanted=3, is_cost=True)  # fmt: skip
    sizes, seconds = 2 ** np.arange(6) * 1_000, []
    for n in sizes:
        data = LearningSet.of(numeric_dataset(int(n), 10, 2, seed=10, noise=0.5))
        row, label = np.repeat(np.arange(n), 2), np.tile([0, 1], n)
        data.left_out_counts(rules, row[:2], label[:2])
        began = time.perf_counter()
        data.left_out_counts(rules, row, label)
        seconds.append(time.perf_counter() - began)
    exponent = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
    yield Row("TPCE, leave-one-out, 1,000 to 32,000 instances of 10 numbers and 2 classes: exponent of time's growth",
              exponent, 1.0, wanted=1.5, is_cost=True, unit="")  # fmt: skip


def grow_one(learning: Any, rules: Any, row: int, label: int) -> None:
    """Grow the whole tree after one instance gets a new label, without making a mirror."""
    from wekaconf.learners.info_gain import compiled
    from wekaconf.learners.info_gain.rules import NOBODY

    target = learning.target.copy()
    target[row] = label
    is_other = np.arange(len(learning)) != row
    compiled.whole_tree(*replace(learning, target=target)._arrays(rules, is_other), NOBODY)


def java_j48() -> list[str]:
    """The command that runs J48 with the bridge's Java and Weka."""
    java = str(Path(jvm.about()["java_home"]) / "bin" / "java")
    return [java, "-cp", os.pathsep.join(jvm.weka_jars()), "weka.classifiers.trees.J48"]


def estimators() -> Iterator[Row]:
    from sklearn.tree import DecisionTreeClassifier

    from wekaconf.sklearn import ConfDTreeClassifier, J48Classifier

    data = numeric_dataset(20_000, 50, 2, seed=0, noise=1.0)
    cells, labels = np.ascontiguousarray(data.values[:, :-1]), data.class_values
    instances = to_java(data)
    times = side_by_side(
        lambda: J48Classifier().fit(cells, labels),
        lambda: jvm.call("build", wc.J48()._untrained(), instances),
        repeats=5,
    )
    yield Row("`J48Classifier.fit` on 20,000 × 50 numbers, against Weka's `buildClassifier` on ready Instances", *times,
              wanted=1.3, is_cost=True)  # fmt: skip
    fitted = ConfDTreeClassifier().fit(cells[:2_000], labels[:2_000])
    other = DecisionTreeClassifier(random_state=0).fit(cells[:2_000], labels[:2_000])
    fitted.predict_proba(cells)  # loads the kernel
    one, n = cells[:1], 500
    times = side_by_side(
        lambda: [fitted.predict_proba(one) for _ in range(n)], lambda: [other.predict_proba(one) for _ in range(n)]
    )
    yield Row("`ConfDTreeClassifier.predict_proba` of one row, warm, against scikit-learn's `DecisionTreeClassifier`",
              times[0] / n, times[1] / n, wanted=4, is_cost=True)  # fmt: skip


def process() -> Iterator[Row]:
    data = uci("letter")
    order = bridge.shuffle(len(data), 1)
    train, test = data.take(order[100:2100]), data.take(order[:100])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wc.save_arff(folder / "train.arff", train)
        wc.save_arff(folder / "test.arff", test)
        wekaconf = str(Path(sys.executable).with_name("wekaconf"))
        java = java_j48()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": name}
        subprocess.run([*java, "-t", "train.arff", "-d", "m.model", "-no-cv"], check=True, **quiet)
        model = [
            "predict",
            "-t",
            "train.arff",
            "-T",
            "test.arff",
            "-o",
            "o.csv",
            "-d",
            "m.wct",
            "--method",
            "confdtree",
        ]
        subprocess.run([wekaconf, *model], check=True, **quiet)
        times = side_by_side(
            lambda: subprocess.run(
                [wekaconf, "predict", "-l", "m.wct", "-T", "test.arff", "-o", "o.csv"], check=True, **quiet
            ),
            lambda: subprocess.run([*java, "-l", "m.model", "-T", "test.arff"], check=True, **quiet),
            repeats=9,
        )
    yield Row(
        "`wekaconf predict -l MODEL` on 100 rows, whole process, against `java weka.classifiers.trees.J48 -l MODEL -T`",
        *times, wanted=1.5, is_cost=True,
    )  # fmt: skip


def streaming() -> Iterator[Row]:
    """A model asked about a large CSV file, against pandas, which reads it and writes the columns that we write."""
    import pandas as pd

    random, n, n_numbers = np.random.default_rng(0), 1_000_000, 40
    numbers = random.normal(size=(n, n_numbers)).round(4)
    frame = pd.DataFrame(numbers, columns=[f"x{i}" for i in range(n_numbers)])
    for i in range(10):
        frame[f"c{i}"] = np.array(["red", "green", "blue", "cyan", "mauve"])[random.integers(0, 5, n)]
    frame["y"] = np.where((numbers[:, 0] + numbers[:, 1] > 0) ^ (frame["c0"] == "red"), "yes", "no")
    with tempfile.TemporaryDirectory() as name:
        frame.to_csv(Path(name) / "big.csv", index=False)
        frame[:20_000].to_csv(Path(name) / "train.csv", index=False)
        wekaconf = str(Path(sys.executable).with_name("wekaconf"))
        quiet = {"cwd": name, "stderr": subprocess.DEVNULL}
        subprocess.run(
            [wekaconf, "predict", "-t", "train.csv", "-T", "train.csv", "-o", "o.csv", "-d", "m.wct"],
            check=True,
            **quiet,
        )
        ask = [wekaconf, "predict", "-l", "m.wct", "-T", "big.csv", "-o", "o.csv"]
        subprocess.run(ask, check=True, **quiet)
        copy = "import pandas as pd; pd.read_csv('big.csv'); pd.read_pickle('o.pkl').to_csv('copy.csv', index=False)"
        pd.read_csv(Path(name) / "o.csv").to_pickle(Path(name) / "o.pkl")
        times = side_by_side(
            lambda: subprocess.run(ask, check=True, **quiet),
            lambda: subprocess.run([sys.executable, "-c", copy], check=True, **quiet),
            repeats=2,
        )
    yield Row(
        "`wekaconf predict -l MODEL -T` of a CSV file of 1,000,000 × 50, whole process, against pandas reading it and "
        "writing the columns that we write",
        *times, wanted=1.5, is_cost=True,
    )  # fmt: skip


def in_weka() -> Iterator[Row]:
    """Weka's own evaluation of ConfDTree as a classifier of Weka's, against that of J48."""
    wc.about()
    from weka.classifiers import Classifier, Evaluation
    from weka.core.classes import Random
    from weka.core.dataset import Instances

    def cross_validated(name: str, data: Any, *options: str) -> Callable[[], object]:
        classifier = Classifier(name, options=list(options))
        return lambda: Evaluation(data).crossvalidate_model(classifier, data, 10, Random(1))

    trees, boosting = "weka.classifiers.trees.", "weka.classifiers.meta.AdaBoostM1"
    letter, wine = (Instances(to_java(data)) for data in (uci("letter"), wc.load_arff(ARFF / "wine.arff")))
    ours, other = cross_validated(f"{trees}ConfDTree", letter), cross_validated(f"{trees}J48", letter)
    claim = "10-fold `crossValidateModel` of ConfDTree on letter inside Weka, against that of J48"
    yield Row(claim, *side_by_side(ours, other, repeats=3), wanted=1.5, is_cost=True)
    boosted = [cross_validated(boosting, wine, "-W", trees + name) for name in ("ConfDTree", "J48")]
    times = side_by_side(boosted[0], boosted[1])
    claim = "`AdaBoostM1` (10 iterations) of ConfDTree on wine, 10 folds, which asks row by row, against that of J48"
    yield Row(claim, *times, wanted=30, is_cost=True)
    yield Row("the same, against 5 s", times[0], 5, wanted=1, is_cost=True)
    jvm.call("setHandler", None)
    jvm.call("setPython", sys.executable)
    claim = "10-fold `crossValidateModel` of ConfDTree on letter through the pipe, against that of J48"
    yield Row(claim, *side_by_side(ours, other, repeats=3), wanted=2, is_cost=True)
    with tempfile.TemporaryDirectory() as home:
        install(home)
        options = ["--add-opens=java.base/java.lang=ALL-UNNAMED", "-Dweka.packageManager.offline=true"]
        command = [java_j48()[0], *options, "-cp", os.pathsep.join(jvm.weka_jars()), "weka.Run", "-no-scan"]
        command += [f"{trees}ConfDTree", "-t", str(ARFF / "iris.arff"), "-v", "-o"]
        run = partial(subprocess.run, command, check=True, capture_output=True, env=os.environ | {"WEKA_HOME": home})
        claim = (
            "first answer of the package in a fresh Weka, `weka.Run ConfDTree -t iris.arff`, whole process, against 4 s"
        )
        yield Row(claim, side_by_side(run, lambda: None, repeats=3)[0], 4, wanted=1, is_cost=True)


TWENTY = (
    "anneal", "audiology", "autos", "balance-scale", "colic", "credit-a", "credit-g", "cylinder-bands", "diabetes",
    "heart-statlog", "hypothyroid", "ionosphere", "kr-vs-kp", "primary-tumor", "segment", "sonar", "soybean", "splice",
    "vehicle", "vowel",
)  # fmt: skip


def timed(*words: object) -> float:
    """Seconds of a command of ours as a whole process."""
    command = [sys.executable, "-m", "wekaconf", *map(str, words)]
    return seconds(lambda: subprocess.run(command, check=True, capture_output=True))


def experiments() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        sets = [str(Path(os.environ["WEKACONF_UCI"]) / f"{name}.arff") for name in TWENTY]
        methods = '["leaf_frequency", "confdtree", "ling_yan", "m_branch", "curtailment", "boundary_distance"]'
        study = folder / "study.toml"
        study.write_text(f"data = {sets}\nmethods = {methods}\nruns = 10\n")
        one, two = (timed("experiment", "run", study, "--store", folder / f"{n}", "-j", n) for n in (1, 2))
        yield Row(f"a study of {len(sets)} sets, 6 methods, 10 × 10 folds, two jobs against one", two, one, wanted=1.7)
        yield from bytes_per_answer(folder / "1")
        study.write_text(
            f'data = ["{ARFF / "iris.arff"}"]\n'
            'methods = ["leaf_frequency", "curtailment", "m_branch", "ling_yan", "shrinkage"]\n'
            + "".join(f"[[protocol]]\nruns = 100\nseed = {1000 * i}\n" for i in range(20))
        )
        timed("experiment", "run", study, "--store", folder / "many", "-j", 2)
        seconds = statistics.median(timed("experiment", "run", study, "--store", folder / "many") for _ in range(5))
        claim = "a finished study of 100,000 rows run again, the whole process, against 2 s"
        yield Row(claim, seconds, 2.0, wanted=1, is_cost=True)


def papers() -> Iterator[Row]:
    """The methods of a paper on its data sets, against Weka's own evaluation of the plain tree alone."""
    wc.about()
    from weka.classifiers import Classifier, Evaluation
    from weka.core.classes import Random
    from weka.core.dataset import Instances

    def against_j48(sets: list[wc.Dataset], methods: list[str], runs: int) -> tuple[float, float]:
        sent, j48 = [Instances(to_java(data)) for data in sets], Classifier("weka.classifiers.trees.J48")

        def ours() -> None:
            for data in sets:
                wc.evaluate(data, methods, learner="J48", runs=runs)

        def other() -> None:
            for data in sent:
                for seed in range(1, runs + 1):
                    Evaluation(data).crossvalidate_model(j48, data, 10, Random(seed))

        if runs == 1:
            return side_by_side(ours, other, repeats=3)
        wc.evaluate(sets[0], methods, learner="J48")  # loads what is loaded once
        return seconds(ours), seconds(other)

    of_katz = sorted(map(uci, study_of("katz2012").data_sets), key=len)[:12]
    variants = ["leaf_frequency", *(f"confdtree:variant={variant}" for variant in ("norm", "tdist", "comb"))]
    claim = (
        "Katz et al., Table I: the 12 smallest sets, all variants, 10 folds, against J48 alone in Weka's `Evaluation`"
    )
    yield Row(claim, *against_j48(of_katz, variants, 1), wanted=1.5, is_cost=True)
    of_wang = [wc.fit_preprocessing(data, "wang2006").apply(data) for data in map(uci, study_of("wang2006").data_sets)]
    columns = ["leaf_frequency", "shrinkage", "wpe", "shrinkage_wpe", "m_branch"]
    claim = "Wang and Zhang, Table 3: 35 sets, 5 × 10 folds, five columns, against J48 alone in Weka's `Evaluation`"
    yield Row(claim, *against_j48(of_wang, columns, 5), wanted=2, is_cost=True)


def explaining() -> Iterator[Row]:
    letter = uci("letter")
    method = wc.ConfDTree().fit(wc.grow(letter), letter)
    asked = letter.take(np.arange(0, len(letter), 20))
    method.predict_proba(letter)
    ours, other = side_by_side(lambda: method.explain(asked)[:], lambda: method.predict_proba(asked))
    claim = "ConfDTree, 1,000 instances of letter: all routes and fines told, against predicting them"
    yield Row(claim, ours, other, wanted=20, is_cost=True)


def seconds(job: Callable[[], object]) -> float:
    began = time.perf_counter()
    job()
    return time.perf_counter() - began


def bytes_per_answer(path: Path) -> Iterator[Row]:
    """The size of the rows of a store, keys included, per answered instance and method; by number of classes."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        sizes = connection.execute(
            "SELECT n_classes, sum(n), sum(length(answers) + coalesce(length(told), 0) + 16) FROM piece "
            "JOIN evaluation ON evaluation.id = piece.evaluation GROUP BY n_classes"
        ).fetchall()
    two = next(size / n for k, n, size in sizes if k == 2)
    claim = "the store, lossless, bytes per answered instance and method"
    yield Row(f"{claim}, two classes, against 40", two, 40, wanted=1, is_cost=True, unit="bytes")
    most = max(((size / n, 8 * (3 * k + 2)) for k, n, size in sizes if k > 2), key=lambda pair: pair[0] / pair[1])
    yield Row(f"{claim}, more classes, against the raw numbers, worst", *most, wanted=0.5, is_cost=True, unit="bytes")


PAINTED = """async () => {
    await new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
    return performance.now() / 1000;
}"""
TYPED = """async (values) => {
    const input = document.querySelector("#tested input"), seconds = [];
    for (const value of values) {
        const began = performance.now();
        input.value = value;
        input.dispatchEvent(new Event("input", {bubbles: true}));
        document.body.getBoundingClientRect();
        seconds.push((performance.now() - began) / 1000);
        await new Promise((resume) => setTimeout(resume, 50));
    }
    return seconds;
}"""


def model_page() -> Iterator[Row]:
    """The page of a model, in a browser: the median of five openings, and of typed values, layout included."""
    from playwright.sync_api import sync_playwright

    from wekaconf.report.model_page import ModelPage
    from wekaconf.report.model_page.gathering import Rows

    letter = uci("letter")
    tree = wc.grow(letter)
    model = wc.Model(wc.method("confdtree").fit(tree, letter))
    asked = Rows(letter.take(range(1000)), [f"row {i + 1}" for i in range(1000)])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        path = Path(folder) / "letter.html"
        path.write_text(ModelPage(model, asked, letter).html(), encoding="utf-8")
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        painted = []
        for _ in range(6):
            page = browser.new_page()
            page.goto(path.as_uri(), wait_until="commit")
            page.wait_for_selector("html[data-ready]", state="attached")
            painted.append(page.evaluate(PAINTED))
        typed = page.evaluate(TYPED, [str(i % 12) for i in range(31)])
        size = path.stat().st_size / 1e6
        browser.close()
    claim = f"the page of ConfDTree on letter ({tree.n_nodes:,} nodes, 1,000 instances, densities)"
    first = statistics.median(painted[1:])
    yield Row(f"{claim}: first paint of tree and answer, against 1 s", first, 1.0, wanted=1, is_cost=True)
    yield Row("the same: answer to a typed instance, against 50 ms", statistics.median(typed), 0.05, wanted=1,
              is_cost=True)  # fmt: skip
    yield Row("the same: its size, against 2 MB", size, 2, wanted=1, is_cost=True, unit="MB")


ROWS = {
    "transfer": transfer,
    "tables": tables,
    "pull": pull,
    "predict": predict,
    "foreign": foreign,
    "confdtree": confdtree,
    "wang2006": wang2006,
    "limits": limits,
    "boundary": boundary,
    "growth": growth,
    "costa2013": costa2013,
    "estimators": estimators,
    "process": process,
    "streaming": streaming,
    "in_weka": in_weka,
    "experiments": experiments,
    "papers": papers,
    "explaining": explaining,
    "model_page": model_page,
}
WITHOUT_UCI = "transfer, tables, pull, predict, foreign, growth, estimators, streaming"


PAGE = Path(__file__).resolve().parents[1] / "docs" / "BENCHMARKS.md"
HEAD = "| what | ours | other | wanted | measured |\n|---|---|---|---|---|"


def machine() -> str:
    """The day, the machine and the versions of the measurement."""
    info = Path("/proc/cpuinfo")
    models = re.findall(r"model name\s*: (.*)", info.read_text()) if info.is_file() else []
    return (
        f"{datetime.date.today()}, {models[0] if models else platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, numpy {np.__version__}"
    )


def written(page: str, name: str, rows: Iterable[Row], measured: str) -> str:
    """The page with the section of that name replaced, or added."""
    lines = "\n".join(map(str, rows))
    section = f"## {name}\n\nMeasured {measured}.\n\n{HEAD}\n{lines}\n"
    others = re.split(r"(?m)^(?=## )", page)
    places = [place for place, other in enumerate(others) if other.startswith(f"## {name}\n")] or [len(others)]
    others[places[0] : places[0] + 1] = [section]
    return "\n".join(other.rstrip("\n") + "\n" for other in others)


def main() -> None:
    is_written = "--write" in sys.argv
    chosen = [name for name in sys.argv[1:] if name != "--write"] or list(ROWS)
    unknown = [name for name in chosen if name not in ROWS]
    if unknown:
        sys.exit(f"no row {', '.join(unknown)}; the rows are {', '.join(ROWS)}")
    print(HEAD)
    rows = []
    for name in chosen:
        of_name = []
        for row in ROWS[name]():
            print(row, flush=True)
            of_name.append(row)
        rows += of_name
        if is_written:
            page = written(PAGE.read_text(encoding="utf-8"), name, of_name, machine())
            PAGE.write_text(page, encoding="utf-8")
    if not all(row.holds for row in rows):
        sys.exit("a claim does not hold on this machine")


if __name__ == "__main__":
    main()
