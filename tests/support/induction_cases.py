"""Data for the inducer and for the methods that stand on it, and what the literal reference says of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from reference import costa2013_reference as paper

from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arff import load_arff
from wekaconf.learners.info_gain._learning_set import LearningSet, inputs
from wekaconf.learners.info_gain._rules import Rules
from wekaconf.tree._kinds import SplitKind
from wekaconf.tree._mirror import TreeMirror

ARFF = Path(__file__).parents[2] / "arff"
NAMES = {"class-boundary": "class-boundary", "all": "others", "with-x": "all"}
"""Our names of the cuts, and the reference's."""

KINDS = [(0.0, "one"), (0.0, "whole"), (0.15, "one"), (0.0, "fractional"), (0.3, "fractional"), (0.02, "whole")]
"""Shares of missing values and weights of `random_mixed`."""


class PathOnly(LearningSet):
    """Never answers all queries at once."""

    hindrance = "asked for"


def assert_close(found: object, expected: object) -> None:
    """Equal up to rounding."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def instances(data: Dataset) -> list[tuple]:
    """As the reference takes them."""
    return [
        (row, int(c), float(w))
        for row, c, w in zip(cells(inputs(data)), data.class_values, data.weights, strict=True)
        if c >= 0 and w > 0
    ]


def cells(columns: np.ndarray) -> list[tuple]:
    """Values of every instance, None where missing."""
    return [tuple(None if np.isnan(value) else value for value in row) for row in columns.T.tolist()]


def reference_rules(header: Header, rules: Rules | None = None) -> paper.Rules:
    """The same rules in the reference's words."""
    rules = rules or Rules()
    attributes = [a for i, a in enumerate(header.attributes) if i != header.class_index]
    kinds = tuple(len(a.values) if a.is_nominal else 0 for a in attributes)
    return paper.Rules(kinds, header.n_classes, NAMES[rules.cuts], rules.safe_prune, rules.min_weight, rules.min_gain)


def present(D: list[tuple]) -> list[int]:
    """The classes that have instances."""
    return sorted({c for _, c, _ in D})


def is_exact(D: list[tuple]) -> bool:
    """Whether the reference counts in whole numbers."""
    return all(None not in values and weight == int(weight) for values, _, weight in D)


def shape_of(tree: TreeMirror, node: int = 0) -> tuple:
    """Class counts, question, shares of a missing value and subtrees."""
    counts = tree.class_weight[node].tolist()
    if tree.split_kind[node] == SplitKind.LEAF:
        return (counts,)
    column, first = int(tree.split_attribute[node]), int(tree.first_child[node])
    asked: object = float(tree.split_point[node])
    if tree.split_kind[node] == SplitKind.NOMINAL_SUBSET:
        begin, attribute = int(tree.split_value[node]), tree.header.attributes[column]
        flags = tree.split_subset[begin : begin + len(attribute.values)]
        asked = frozenset(np.flatnonzero(flags).tolist())
    shares = tree.branch_weight[first : first + 2].tolist()
    column -= column > tree.header.class_index
    return counts, (column, asked), shares, [shape_of(tree, first), shape_of(tree, first + 1)]


def reference_shape(node: paper.Node) -> tuple:
    """The same of the reference's tree."""
    if node.split is None:
        return (list(node.counts),)
    return list(node.counts), node.split, node.proportions, [reference_shape(child) for child in node.children]


def questions(shape: tuple) -> tuple:
    """The shape without its numbers."""
    return () if len(shape) == 1 else (shape[1], *map(questions, shape[3]))


def numbers(shape: tuple) -> list[float]:
    """The shape's numbers."""
    return shape[0] + (shape[2] + numbers(shape[3][0]) + numbers(shape[3][1]) if len(shape) > 1 else [])


def sample(path: Path, n: int, seed: int = 0) -> Dataset:
    """Some instances of a set, whose class is the last attribute, in random order."""
    data = load_arff(path)
    return data.take(np.random.default_rng(seed).permutation(len(data))[:n])


def random_mixed(seed: int, n: int = 40, *, missing: float = 0.0, weights: str = "one") -> Dataset:
    """Numbers, dates, a constant, nominal values that are rare or never occur; equal rows of several classes.

    ``weights``: one, whole or fractional.
    """
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    columns = {
        "fine": (Attribute("fine"), rng.normal(size=n)),
        "coarse": (Attribute("coarse"), rng.integers(0, 5, n)),
        "constant": (Attribute("constant"), np.full(n, 3.5)),
        "day": (Attribute("day", "date", date_format="yyyy-MM-dd"), rng.integers(0, 20, n) * 86_400_000.0),
        "three": (Attribute("three", "nominal", ("a", "b", "c")), rng.choice(3, n, p=[0.6, 0.3, 0.1])),
        "nine": (Attribute("nine", "nominal", tuple("abcdefghi")), rng.integers(0, 7, n)),
        "single": (Attribute("single", "nominal", ("only",)), np.zeros(n)),
    }
    names = list(rng.permutation(list(columns)))[: int(rng.integers(3, 8))]
    values = np.column_stack([columns[name][1] for name in names]).astype(float)
    signal = sum(columns[name][1] / (columns[name][1].std() or 1.0) for name in names[:2])
    target = np.argsort(np.argsort(signal + rng.normal(scale=0.8, size=n))) * k // n
    at = int(rng.integers(len(names) + 1))
    attributes = [columns[name][0] for name in names]
    attributes.insert(at, Attribute("class", "nominal", tuple(f"c{c}" for c in range(k + seed % 2))))
    values[rng.random(values.shape) < missing] = np.nan
    values = np.insert(values, at, target, axis=1)
    again = rng.integers(0, n, n // 5)
    values[rng.permutation(n)[: len(again)]] = values[again]
    values[rng.permutation(n)[: n // 8], at] = rng.integers(0, k, n // 8)
    given = {"one": None, "whole": rng.integers(1, 4, n), "fractional": rng.choice([0.3, 1.0, 1.5, 2.2], n)}[weights]
    return Dataset(Header("random", tuple(attributes), at), values, given)


def as_numbers(data: Dataset) -> Dataset:
    """The numeric attributes and the class, weights 1."""
    kept = [i for i, a in enumerate(data.attributes) if not a.is_nominal or i == data.class_index]
    header = Header(data.relation, tuple(data.attributes[i] for i in kept), kept.index(data.class_index))
    return Dataset(header, data.values[:, kept])
