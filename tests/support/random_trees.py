"""Random headers, data sets and mirrors whose counts agree, for tests that need no JVM."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from wekaconf.data import Attribute, Dataset, Header
from wekaconf.methods.contract._method import Method
from wekaconf.tree._kinds import Routing, SplitKind
from wekaconf.tree._mirror import REQUIRED, TreeMirror


def random_header(rng: Generator, n_attributes: int = 4, n_classes: int = 3) -> Header:
    """Numeric and nominal attributes (the first numeric, the second nominal) and a class somewhere among them."""
    attributes = []
    for i in range(n_attributes):
        if i == 0 or (i > 1 and rng.random() < 0.5):
            attributes.append(Attribute(f"x{i}"))
        else:
            attributes.append(Attribute(f"n{i}", "nominal", tuple(f"v{v}" for v in range(rng.integers(2, 5)))))
    class_index = int(rng.integers(n_attributes + 1))
    attributes.insert(class_index, Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes))))
    return Header("random", tuple(attributes), class_index)


def random_dataset(
    rng: Generator,
    header: Header,
    n: int,
    missing: float = 0.0,
    weights: bool = False,
    *,
    classes: list[int] | None = None,
) -> Dataset:
    """Instances with ties, rare values and classes that depend on the first attributes.

    ``missing`` is the share of missing cells (never the class), ``classes`` those that may occur (all when left
    out).
    """
    occurring = np.arange(header.n_classes) if classes is None else np.array(classes)
    values = np.empty((n, len(header.attributes)))
    signal = rng.normal(scale=0.7, size=n)
    for column, attribute in enumerate(header.attributes):
        if column == header.class_index:
            continue
        if attribute.is_nominal:
            share = 0.5 ** np.arange(len(attribute.values))
            values[:, column] = rng.choice(len(share), size=n, p=share / share.sum())
        else:
            values[:, column] = rng.normal(size=n).round(1)
        signal += values[:, column]
        values[rng.random(n) < missing, column] = np.nan
    order = np.argsort(np.argsort(signal))
    values[:, header.class_index] = occurring[order * len(occurring) // max(n, 1)]
    return Dataset(header, values, rng.choice([0.5, 1.0, 2.0, 3.3], size=n) if weights else None)


def random_tree(
    rng: Generator, train: Dataset, *, max_depth: int = 4, routing: Routing | str = Routing.J48, subsets: bool = False
) -> TreeMirror:
    """A tree with random splits whose numbers are those of the routed training set.

    A missing value goes to every branch in proportion to the known weights, as in J48; in CART to the heaviest.
    ``max_depth=0`` gives one node. Deep trees have empty leaves. ``subsets``: nominal attributes are split by those.
    """
    routing = Routing(routing)
    header, k = train.header, train.n_classes
    columns = [column for column in range(len(header.attributes)) if column != header.class_index]
    nodes: list[dict] = [leaf(-1, np.nan, np.full(k, np.nan))]
    reached, depths = [train.weights], [0]
    flags: list[bool] | None = [] if subsets else None
    for node in range(10**6):
        if node == len(nodes):
            break
        shares, here = reached[node], nodes[node]
        here["class_weight"] = by_class(train, shares)
        here["total"] = here["class_weight"].sum()
        here["is_empty"] = here["total"] == 0
        stop = 0.15 if node else 0.0
        if depths[node] == max_depth or here["is_empty"] or rng.random() < stop:
            continue
        column = int(rng.choice(columns))
        branch, n_branches = split(rng, here, train, column, routing, flags)
        here["first_child"], here["n_branches"] = len(nodes), n_branches
        known = np.array([shares[branch == b].sum() for b in range(n_branches)])
        unknown = known / known.sum() if known.sum() > 0 else np.full(n_branches, 1 / n_branches)
        if routing.is_cart:
            unknown = (np.arange(n_branches) == unknown.argmax()).astype(float)
        for b in range(n_branches):
            part = np.where(branch == b, shares, np.where(branch < 0, shares * unknown[b], 0.0))
            weight = by_class(train, part)
            nodes.append(leaf(node, weight.sum() if routing.is_j48 else unknown[b], weight))
            reached.append(part)
            depths.append(depths[node] + 1)
    if routing.is_cart or routing.adds_counts:
        for node in nodes:
            node["branch_class_weight"] = np.full(k, np.nan)
    elif not routing.is_j48:
        as_stored_elsewhere(nodes, routing)
    arrays = {name: np.array([node[name] for node in nodes]) for name in REQUIRED}
    arrays["split_subset"] = np.array(flags or [], dtype=bool)
    return TreeMirror(header=header, routing=routing, learner=routing.value, weka_version="none", **arrays)


def random_mirror(
    rng: Generator,
    *,
    n_classes: int = 3,
    max_depth: int = 4,
    routing: Routing | str = Routing.J48,
    subsets: bool = False,
) -> TreeMirror:
    """`random_tree` on `random_dataset` on `random_header`."""
    train = random_dataset(rng, random_header(rng, n_classes=n_classes), 60, 0.1, weights=True)
    return random_tree(rng, train, max_depth=max_depth, routing=routing, subsets=subsets)


def leaf(parent, branch_weight, branch_class_weight) -> dict:
    return {
        "parent": parent,
        "first_child": -1,
        "n_branches": 0,
        "split_kind": SplitKind.LEAF,
        "split_attribute": -1,
        "split_point": np.nan,
        "split_value": -1,
        "branch_weight": branch_weight,
        "branch_class_weight": branch_class_weight,
    }


def by_class(train: Dataset, shares: np.ndarray) -> np.ndarray:
    return np.bincount(train.class_values, weights=shares, minlength=train.n_classes)


def split(rng, node, train, column, routing, flags):
    """Write a random split into ``node``; the branch of every training instance, −1 when missing, and how many.

    ``flags`` takes those of a subset; None where there shall be no subsets.
    """
    attribute, cells = train.attributes[column], train.values[:, column]
    node["split_attribute"] = column
    if not attribute.is_nominal:
        is_strict = not routing.keeps_counts
        node["split_kind"] = SplitKind.NUMERIC_LT if is_strict else SplitKind.NUMERIC_LE
        node["split_point"] = point = rng.choice(cells[~np.isnan(cells)]) if not np.isnan(cells).all() else 0.0
        compared = cells.astype(np.float32) if routing.is_cart else cells
        branch, n_branches = (compared >= point) if is_strict else (compared > point), 2
    elif flags is not None:
        node["split_kind"], node["split_value"] = SplitKind.NOMINAL_SUBSET, len(flags)
        chosen = rng.random(len(attribute.values)) < 0.5
        flags += chosen.tolist()
        branch, n_branches = ~chosen[np.where(np.isnan(cells), 0, cells).astype(int)], 2
    elif routing.is_cart or routing.adds_counts or (routing.is_j48 and rng.random() < 0.5):
        node["split_kind"] = SplitKind.NOMINAL_EQUALS
        node["split_value"] = value = int(rng.integers(len(attribute.values)))
        branch, n_branches = cells != value, 2
    else:
        node["split_kind"] = SplitKind.NOMINAL_EACH
        branch, n_branches = cells, len(attribute.values)
    return np.where(np.isnan(cells), -1, branch).astype(int), n_branches


def as_stored_elsewhere(nodes: list[dict], routing: Routing) -> None:
    """What REPTree stores (distributions) and RandomTree (weights of leaves and of parents of empty leaves)."""
    for node in nodes:
        children = nodes[node["first_child"] :][: node["n_branches"]]
        if routing == Routing.REPTREE:
            node["class_weight"] = node["class_weight"] / (node["total"] or 1.0)
        elif children and not any(child["is_empty"] for child in children):
            node["class_weight"], node["is_empty"] = np.zeros_like(node["class_weight"]), True
        node["branch_class_weight"] = np.full_like(node["branch_class_weight"], np.nan)
    for node in nodes:
        node["total"] = 1.0


def counts_distribution(tree: TreeMirror, cells, node: int = 0) -> list[float]:
    """What a tree whose counts are added answers to an instance at a node: a slow recursion."""
    counts = added_counts(tree, [float(cell) for cell in cells], node)
    correction, total = 1.0 if tree.routing == "COUNTS_LAPLACE" else 0.0, 0.0
    for count in counts:
        total += count
    return [(count + correction) / (total + correction * len(counts)) for count in counts]


def added_counts(tree: TreeMirror, cells: list[float], node: int) -> list[float]:
    """Class weights of the leaves below a node, each times the share of the instance that comes there."""
    if tree.n_branches[node] == 0:
        while tree.is_empty[node]:
            node = tree.parent[node]
        return tree.class_weight[node].tolist()
    value = cells[tree.split_attribute[node]]
    first = int(tree.first_child[node])
    if not math.isnan(value):
        return added_counts(tree, cells, first + branch_of(tree, node, value))
    result = [0.0] * tree.header.n_classes
    for child in range(first, first + int(tree.n_branches[node])):
        for c, count in enumerate(added_counts(tree, cells, child)):
            result[c] += float(tree.branch_weight[child]) * count
    return result


def branch_of(tree: TreeMirror, node: int, value: float) -> int:
    """Where a value goes, in a tree with subsets."""
    if tree.split_kind[node] == SplitKind.NOMINAL_SUBSET:
        return 0 if tree.split_subset[tree.split_value[node] + int(value)] else 1
    if tree.split_kind[node] == SplitKind.NOMINAL_EQUALS:
        return 0 if value == tree.split_value[node] else 1
    return 0 if value <= tree.split_point[node] else 1


def without_subsets(tree: TreeMirror, *data: Dataset) -> tuple[TreeMirror, list[Dataset]]:
    """The tree, node by node, and data in which every split by a subset asks an attribute of its own, after the others.

    So the references, which know of no subsets, can read it.
    """
    nodes = np.flatnonzero(tree.split_kind == SplitKind.NOMINAL_SUBSET)
    inside = tuple(Attribute(f"inside{node}", "nominal", ("yes", "no")) for node in nodes)
    header = replace(tree.header, attributes=(*tree.header.attributes, *inside))
    record, arrays = tree.to_arrays()
    arrays = {name: array.copy() for name, array in arrays.items()}
    arrays["split_kind"][nodes] = SplitKind.NOMINAL_EQUALS
    arrays["split_attribute"][nodes] = len(tree.header.attributes) + np.arange(len(nodes))
    arrays["split_value"][nodes] = 0
    widened = []
    for own in data:
        columns = [
            [np.nan if np.isnan(value) else branch_of(tree, node, value) for value in own.values[:, asked]]
            for node, asked in zip(nodes, tree.split_attribute[nodes], strict=True)
        ]
        values = np.column_stack((own.values, *columns))
        widened.append(Dataset(header, values, own.weights))
    return TreeMirror.from_arrays(header, record, arrays), widened


def with_subsets(tree: TreeMirror) -> TreeMirror:
    """The tree with a subset of one value wherever it asks whether an attribute has this value."""
    record, arrays = tree.to_arrays()
    arrays = {name: array.copy() for name, array in arrays.items()}
    flags: list[bool] = []
    for node in np.flatnonzero(tree.split_kind == SplitKind.NOMINAL_EQUALS):
        arrays["split_kind"][node], arrays["split_value"][node] = SplitKind.NOMINAL_SUBSET, len(flags)
        n_values = len(tree.header.attributes[tree.split_attribute[node]].values)
        flags += (np.arange(n_values) == tree.split_value[node]).tolist()
    return TreeMirror.from_arrays(tree.header, record, arrays | {"split_subset": np.array(flags, dtype=bool)})


ON_NUMBERS = {name: {"numeric": "bins"} for name in ("shrinkage", "shrinkage_wpe", "wpe")}
"""What a method needs to be told to take the numeric attributes of these data sets."""


def made(name: str, **params) -> Method:
    """A method that takes these data sets."""
    return Method.registry[name](**{**ON_NUMBERS.get(name, {}), **params})
