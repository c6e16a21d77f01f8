"""Readings of Wang and Zhang 2006 that were tried on the small differences in S, C and M, as records and tables.

``python scripts/wang2006_readings.py [FOLDER [SET ...]]`` in the project's environment. FOLDER holds the UCI sets;
those without lines in ``docs/records/wang2006-readings/records.csv`` are measured on the folds of the records and
added there. Without FOLDER, ``beside.csv`` is made anew from the lines. What was tried:

* **Nodes that keep the instances of growing time**, on Table 3. Subtree raising moves a branch of C4.5 to its parent's
  place; Weka then sends the parent's instances down the branch, and so do we. A program that stored the instances of
  each node when it was grown would keep those of the branch alone.
* **Other forms of m-Branch**, on the sets where M differs most.
* **EM and naive Bayes**, which the paper names as an alternative to Algorithm DIW and as future work: the honest
  methods on C4.5's trees, all sets, one cross-validation (seed 1).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from _records import add_lines, lines_of
from katz2012_readings import beside_rows

import wekaconf as wc
from wekaconf.evaluation.protocol.protocol import Protocol
from wekaconf.evaluation.ranking import auc_wang2006
from wekaconf.evaluation.statistics import signed_rank
from wekaconf.model import scheme
from wekaconf.replication.cells import p_cell, published_cells
from wekaconf.replication.data_files import load_set
from wekaconf.replication.study import Beside
from wekaconf.replication.wang2006.measurement import FOLDS, METRIC, PRINTED_RUNS
from wekaconf.replication.wang2006.measurement import PAPER as PAPER_NAME
from wekaconf.replication.wang2006.readings import table_reading
from wekaconf.replication.wang2006.study import data_sets
from wekaconf.replication.writing import BESIDE, RECORDS
from wekaconf.tree.instances import class_weight
from wekaconf.tree.mirror import TreeMirror
from wekaconf.tree.router import Router

TARGET = Path(__file__).resolve().parents[1] / "docs" / "records" / "wang2006-readings"
METHODS = {"C45-S": "shrinkage", "C45-C": "shrinkage_wpe", "C45-M": "m_branch"}
READINGS = ("sent down", "of growing time")
COLUMNS = ("dataset", "column", "reading", "published", "measured", "trees_with_raising")
FORMS: dict[str, dict[str, Any]] = {
    "ours": {}, "a leaf has height 0": {"leaf_height": 0}, "frequencies above the root": {"above": "frequency"},
    "√n of the node": {"root": "node"}, "height as a share of the tree's": {"share": "height"}, "m = 3": {"m": 3.0},
    "m = 5": {"m": 5.0}, "m = number of classes": {"m": None},
}  # fmt: skip
"""Forms of m-Branch; ours is that of `wekaconf.methods.m_branch.MBranch`."""
FORMS_ON = {"C45-M": ("glass", "primary-tumor", "anneal", "zoo"), "C44-M": ("hepatitis", "sonar", "breast-cancer")}
OTHER_MODELS = "C45, seed 1"
"""What stands for the column in lines on `MODELS`."""
MODELS = (
    "shrinkage", "shrinkage:weights=em", "shrinkage:local=naive_bayes", "shrinkage_wpe", "shrinkage_wpe:weights=em",
)  # fmt: skip
ROUNDING = 0.005 + 1e-9
PRINTED = {(cell.column, cell.row): cell.value for cell in published_cells(PAPER_NAME)}


def sources(pruned: TreeMirror, node: int, grown: TreeMirror, origin: int) -> dict[int, int] | None:
    """The node of the tree before pruning that each node below ``node`` was grown as; None if it cannot be traced.

    A leaf was grown where it stands. An inner node that tests what stands there was not moved; else the largest branch,
    of equal ones the last, was raised.
    """
    if not pruned.n_branches[node]:
        return {node: origin}
    while grown.n_branches[origin]:
        children = range(int(grown.first_child[origin]), int(grown.first_child[origin] + grown.n_branches[origin]))
        if pruned.split_attribute[node] == grown.split_attribute[origin]:
            first = int(pruned.first_child[node])
            below = [sources(pruned, first + branch, grown, child) for branch, child in enumerate(children)]
            if all(each is not None for each in below):
                return {node: origin} | {key: value for each in below if each for key, value in each.items()}
        origin = max(children, key=lambda child: (grown.class_weight[child].sum(), child))
    return None


def last_nodes(pruned: TreeMirror, grown: TreeMirror, origins: dict[int, int], values: np.ndarray) -> np.ndarray:
    """(n,) int32: the deepest node that each instance had reached when the pruned tree was grown; the root has all."""
    last, reached = pruned.router.last_whole_nodes(values), grown.router.last_whole_nodes(values)
    above = {node: {node, *_ancestors(grown, node)} for node in set(reached.tolist())}
    result = np.zeros_like(last)
    for i, (node, end) in enumerate(zip(last.tolist(), reached.tolist(), strict=True)):
        for step in reversed([node, *_ancestors(pruned, node)]):
            if step and origins[step] not in above[end]:
                break
            result[i] = step
    return result


def _ancestors(tree: TreeMirror, node: int) -> list[int]:
    nodes = []
    while node > 0:
        node = int(tree.parent[node])
        nodes.append(node)
    return nodes


@contextmanager
def routed_so(last: np.ndarray, train: wc.Dataset) -> Iterator[None]:
    """Within it, the training instances belong to these nodes and those above them."""
    original = Router.last_whole_nodes

    def last_whole_nodes(self: Router, values: np.ndarray) -> np.ndarray:
        return last if values is train.values else original(self, values)

    Router.last_whole_nodes = last_whole_nodes  # type: ignore[method-assign]
    try:
        yield
    finally:
        Router.last_whole_nodes = original  # type: ignore[method-assign]


def folds_of(folder: str, name: str) -> Iterator[tuple[wc.Dataset, wc.Dataset]]:
    """Training and test set of each fold of the records."""
    data = load_set(name, str(Path(folder) / f"{name}.arff"))
    whole = wc.fit_preprocessing(data, PAPER_NAME).output
    for seed in range(1, PRINTED_RUNS + 1):
        for train_rows, test_rows in wc.splits(whole, folds=FOLDS, seed=seed):
            yield whole.take(train_rows), whole.take(test_rows)


def area_of(ranking: np.ndarray, test: wc.Dataset) -> float:
    return 100 * auc_wang2006(ranking, test.class_values, test.weights)


def growing_time(folder: str, name: str) -> Iterator[list[object]]:
    """The lines of a data set: the columns with the instances sent down, and with those of growing time."""
    figures: dict[tuple[str, str], list[float]] = {}
    n_raised = 0
    for train, test in folds_of(folder, name):
        pruned, grown = wc.J48().grow(train), wc.J48("-U").grow(train)
        origins = sources(pruned, 0, grown, 0)
        if origins is None:
            raise ValueError(f"{name}: a pruned tree cannot be traced to the one before pruning")
        last = pruned.router.last_whole_nodes(train.values)
        ends = dict(zip(READINGS, (last, last_nodes(pruned, grown, origins, train.values)), strict=True))
        n_raised += bool((ends[READINGS[1]] != last).any())
        for reading, nodes in ends.items():
            copy = train.take(np.arange(len(train)))  # what is kept for the last tree and data is kept by identity
            with routed_so(nodes, copy):
                for column, method in METHODS.items():
                    fitted = table_reading(scheme.parse_method(method)).fit(pruned, copy)
                    figures.setdefault((column, reading), []).append(area_of(fitted.answer(test).ranking, test))
    for (column, reading), areas in figures.items():
        yield [name, column, reading, PRINTED[column, name], f"{fmean(areas):.9f}", n_raised]


def forms_of_m(folder: str, name: str, column: str) -> Iterator[list[object]]:
    """The lines of a data set: each form of m-Branch."""
    figures: dict[str, list[float]] = {form: [] for form in FORMS}
    for train, test in folds_of(folder, name):
        tree = wc.J48("" if column == "C45-M" else "-U -O -A").grow(train)
        weight, (_, node, _) = class_weight(tree, train), tree.router.paths(test.values)
        for form, changed in FORMS.items():
            figures[form].append(area_of(m_branch(tree, weight, **changed)[node], test))
    for form, areas in figures.items():
        yield [name, column, form, PRINTED[column, name], f"{fmean(areas):.9f}", ""]


def other_models(folder: str, name: str) -> Iterator[list[object]]:
    """The lines of a data set: each of `MODELS` by one cross-validation."""
    data = load_set(name, str(Path(folder) / f"{name}.arff"))
    protocol = Protocol(folds=FOLDS, seed=1, preprocess=PAPER_NAME)
    for model, (record, _) in zip(MODELS, wc.evaluate(data, MODELS, protocol=protocol, metrics=[METRIC]), strict=True):
        yield [name, OTHER_MODELS, model, "", f"{100 * record['fold_mean'][METRIC]:.9f}", ""]


def m_branch(tree: TreeMirror, weight: np.ndarray, *, m: float | None = 4.0, leaf_height: int = 1,
             above: str = "uniform", root: str = "root", share: str = "inverse") -> np.ndarray:  # fmt: skip
    """(n_nodes, n_classes) float64: the estimates of m-Branch in one of its forms."""
    n, k = weight.sum(axis=1), weight.shape[1]
    height = np.full(tree.n_nodes, float(leaf_height))
    for node in range(tree.n_nodes - 1, 0, -1):
        height[tree.parent[node]] = max(height[tree.parent[node]], height[node] + 1)
    estimate = np.empty_like(weight)
    for node in range(tree.n_nodes):
        over = estimate[tree.parent[node]] if node else np.full(k, 1 / k) if above == "uniform" else weight[0] / n[0]
        if share == "inverse":
            high = 1 - 1 / height[node] if height[node] else 0.0
        else:
            high = (height[node] - leaf_height) / max(height[0] - leaf_height, 1)
        of_node = (k if m is None else m) * (1 + high * np.sqrt(n[0] if root == "root" else n[node]))
        estimate[node] = (weight[node] + of_node * over) / (n[node] + of_node) if n[node] else over
    return estimate


def tables(lines: list[dict[str, str]]) -> Iterator[Beside]:
    """How far each reading is from print, set by set."""
    gap = {
        (line["column"], line["dataset"], line["reading"]): float(line["measured"]) - float(line["published"])
        for line in lines
        if line["published"]
    }
    raised = {line["dataset"]: line["trees_with_raising"] for line in lines if line["trees_with_raising"]}
    rows: dict[str, list[Any]] = {}
    for column in METHODS:
        gaps = [[gap[column, name, reading] for reading in READINGS] for name in raised]
        was, now = ([abs(each[i]) <= ROUNDING for each in gaps] for i in (0, 1))
        pairs = list(zip(was, now, strict=True))
        rows[column] = [
            f"{sum(was)} of {len(was)}", f"{sum(now)} of {len(now)}", str(pairs.count((False, True))),
            str(pairs.count((True, False))),
        ]  # fmt: skip
    columns = ("as printed, sent down", "as printed, of growing time", "gained", "lost")
    yield Beside("table 3", "Nodes that keep the instances of growing time", columns, rows, 3)
    rows = {
        name: [*(gap[column, name, reading] for column in METHODS for reading in READINGS), n]
        for name, n in raised.items()
        if any(abs(gap[column, name, reading]) > ROUNDING for column in METHODS for reading in READINGS)
    }
    columns = (*(f"{column}, {reading}" for column in METHODS for reading in READINGS), "trees with raising, of 50")
    yield Beside("table 3", "Difference from print, with and without the instances of growing time", columns, rows, 3)
    places = [(column, name) for column, names in FORMS_ON.items() for name in names]
    rows = {form: [gap[column, name, form] for column, name in places] for form in FORMS}
    yield Beside(
        "table 3", "m-Branch, difference from print", [f"{name}, {column}" for column, name in places], rows, 3
    )
    found = {(line["dataset"], line["reading"]): float(line["measured"]) for line in lines if not line["published"]}
    names = list(dict.fromkeys(name for name, _ in found))
    rows = {}
    for model in MODELS:
        usual = model.partition(":")[0]
        gains = [found[name, model] - found[name, usual] for name in names]
        test = signed_rank(gains, [0.0] * len(gains))
        counts = f"{sum(gain > 0 for gain in gains)}/{sum(gain < 0 for gain in gains)}"
        mean = fmean(found[name, model] for name in names)
        rows[model] = [mean, None, None, None] if model == usual else [mean, fmean(gains), counts, p_cell(test.p_value)]
    title = f"EM and naive Bayes, honest, C4.5, {len(names)} sets, one cross-validation"
    yield Beside("table 3", title, ("AUC", "less Algorithm DIW or Equation 1", "up/down", "p, Wilcoxon"), rows, 2)


def measure(folder: str, names: list[str], lines: list[dict[str, str]]) -> Iterator[list[object]]:
    """The lines that are not there."""
    done = {(line["dataset"], line["reading"]) for line in lines}
    for name in names or data_sets():
        if (name, READINGS[0]) not in done:
            yield from growing_time(folder, name)
    for column, of_column in FORMS_ON.items():
        for name in of_column:
            if (name, "ours") not in done:
                yield from forms_of_m(folder, name, column)
    for name in names or data_sets():
        if (name, MODELS[0]) not in done:
            yield from other_models(folder, name)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        known = lines_of(TARGET / RECORDS)
        add_lines(TARGET / RECORDS, measure(sys.argv[1], sys.argv[2:], known))
    with (TARGET / BESIDE).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(beside_rows(tables(lines_of(TARGET / RECORDS))))
