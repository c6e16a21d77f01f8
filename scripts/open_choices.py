"""What the papers leave open on TPCE, Kukar and Kononenko's reliability and Ling and Yan's mean, choice by choice.

``python scripts/open_choices.py`` in the project's environment, with ``tests`` in PYTHONPATH: each method answers for
the rows of a bundled set as its transcription in ``tests/reference`` does, with one choice changed at a time. It writes
``docs/records/PAPER-choices/beside.csv``, from which ``scripts/docs_records.py`` takes the tables of the pages.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from katz2012_readings import beside_rows
from reference import costa2013_reference as paper

import wekaconf as wc
from wekaconf.replication.study import Beside
from wekaconf.replication.writing import BESIDE
from wekaconf.tree.mirror import TreeMirror

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "arff" / "iris.arff"
OURS = "ours"
TPCE = {
    OURS: {},
    "a cut in the middle between two values": {"place": "middle"},
    "a cut at the upper of two values": {"place": "upper"},
    "of equal splits the last attribute": {"last_attribute": True},
    "of equal splits the lowest cut": {"lowest_cut": True},
    "the class that the instance is given makes boundaries, too": {"cuts": "joined-boundary"},
    "every value of the other instances is a cut": {"cuts": "others"},
    "no safe prune": {"safe_prune": False},
}
"""The choices, and what they change in the transcription's rules."""
KUKAR_KONONENKO = (
    OURS, "the value of the instance makes no cut", "one-sided divergence, of the first tree from the second",
    "half the sum of the absolute differences", "shares without Laplace's correction",
)  # fmt: skip
CONFUSION = 0.4
Distribution = Sequence[float]
Tree = list[tuple[Distribution, list[tuple[int, bool]]]]


def tpce(data: wc.Dataset, row: int, choice: str) -> list[float]:
    """The distribution of TPCE for a row, left out of the training data."""
    instances, labels = _instances(data)
    rules = _rules(data)._replace(**TPCE[choice])
    return paper.tpce([*instances[:row], *instances[row + 1 :]], instances[row][0], labels, rules)


def kukar_kononenko(data: wc.Dataset, row: int, choice: str) -> list[float]:
    """Kukar and Kononenko's reliability of the plain tree's answer for a row, left out of the training data."""
    instances, labels = _instances(data)
    others, x, rules = [*instances[:row], *instances[row + 1 :]], instances[row][0], _rules(data)
    plain = paper.counts_at(paper.grow(others, rules), x)
    predicted = paper.predict(paper.raw(plain, labels), labels)
    withheld = len(others) if choice == KUKAR_KONONENKO[1] else None
    joined = paper.counts_at(paper.grow([*others, (x, predicted, 1)], rules, x=withheld), x)
    estimate = paper.raw if choice == KUKAR_KONONENKO[4] else paper.laplace
    p, q = estimate(plain, labels), estimate(joined, labels)
    if choice == KUKAR_KONONENKO[2]:
        return [2 ** -sum(a * math.log2(a / b) for a, b in zip(p, q, strict=True))]
    if choice == KUKAR_KONONENKO[3]:
        return [1 - sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2]
    if any((a == 0) != (b == 0) for a, b in zip(p, q, strict=True)):
        return [0.0]
    p, q = ([share for share in shares if share] for shares in (p, q))
    return [paper.reliability(p, q)]


def ling_yan(tree: TreeMirror, data: wc.Dataset, row: int, choice: str) -> list[float]:
    """The distribution of Ling and Yan's mean over the leaves for a row of the training data."""
    add = {"leaf shares (count + 1) / (sum + classes)": 1.0, "leaf shares without a correction": 0.0}.get(
        choice, 1 / data.n_classes
    )
    total = np.zeros(data.n_classes)
    for leaf in np.flatnonzero(tree.n_branches == 0).tolist():
        failed = _failed_tests(tree, data.values[row], leaf)
        counts = tree.class_weight[leaf]
        share = (counts + add) / (counts.sum() + add * data.n_classes)
        total += CONFUSION ** EXPONENTS.get(choice, _tests)(failed) * share
    return (total / total.sum()).tolist()


def _tests(failed: list[tuple[int, bool]]) -> int:
    return sum(fails for _, fails in failed)


def _attributes(failed: list[tuple[int, bool]]) -> int:
    return len({attribute for attribute, fails in failed if fails})


def _from_departure(failed: list[tuple[int, bool]]) -> int:
    first = next((i for i, (_, fails) in enumerate(failed) if fails), len(failed))
    return len(failed) - first


EXPONENTS: Mapping[str, Callable[[list[tuple[int, bool]]], int]] = {
    "an attribute that fails twice counts once": _attributes,
    "every test below the first that fails counts": _from_departure,
}
LING_YAN = (OURS, *EXPONENTS, "leaf shares (count + 1) / (sum + classes)", "leaf shares without a correction")


def _failed_tests(tree: TreeMirror, values: np.ndarray, leaf: int) -> list[tuple[int, bool]]:
    """The attribute of each test on the path from the root, and whether the instance fails it."""
    path = []
    while leaf > 0:
        parent = int(tree.parent[leaf])
        attribute = int(tree.split_attribute[parent])
        goes_first = bool(values[attribute] <= tree.split_point[parent])
        path.append((attribute, goes_first != (leaf == tree.first_child[parent])))
        leaf = parent
    return path[::-1]


def _instances(data: wc.Dataset) -> tuple[list[tuple[tuple[float, ...], int, int]], list[int]]:
    rows = [(tuple(values[:-1]), int(values[-1]), 1) for values in data.values.tolist()]
    return rows, sorted({label for _, label, _ in rows})


def _rules(data: wc.Dataset) -> paper.Rules:
    return paper.Rules((0,) * (len(data.attributes) - 1), data.n_classes)


def table(title: str, choices: Sequence[str], answers: Mapping[str, np.ndarray], names: Sequence[str]) -> Beside:
    """The answers for the row on which the choices differ most, and how far each is from ours over all rows."""
    gaps = {choice: np.abs(answers[choice] - answers[OURS]).max(axis=1) for choice in choices}
    row = int(np.max(list(gaps.values()), axis=0).argmax())
    rows = {
        choice: [*answers[choice][row].tolist(), float(gap.max()), f"{(gap > 0.05).sum()} of {len(gap)}"]
        for choice, gap in gaps.items()
    }
    return Beside(
        "", f"{title}, row {row + 1} of iris", [*names, "largest difference", "rows that differ by .05"], rows, 3
    )


def tables() -> Iterator[tuple[str, Beside]]:
    """The paper of each table, and the table."""
    data = wc.load_arff(DATA)
    everywhere = range(len(data))
    names = [name.removeprefix("Iris-") for name in data.class_names]
    answers = {choice: np.array([tpce(data, row, choice) for row in everywhere]) for choice in TPCE}
    yield "costa2013", table("TPCE", list(TPCE), answers, names)
    answers = {
        choice: np.array([kukar_kononenko(data, row, choice) for row in everywhere]) for choice in KUKAR_KONONENKO
    }
    yield "costa2013", table("Kukar and Kononenko", KUKAR_KONONENKO, answers, ["reliability"])
    tree = wc.J48("-U").grow(data)
    answers = {choice: np.array([ling_yan(tree, data, row, choice) for row in everywhere]) for choice in LING_YAN}
    yield "wang2006", table("Ling and Yan", LING_YAN, answers, names)


if __name__ == "__main__":
    by_paper: dict[str, list[Beside]] = {}
    for name, found in tables():
        by_paper.setdefault(name, []).append(found)
    for name, found_tables in by_paper.items():
        folder = ROOT / "docs" / "records" / f"{name}-choices"
        folder.mkdir(exist_ok=True)
        with (folder / BESIDE).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(beside_rows(found_tables))
