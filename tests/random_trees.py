"""Random headers, data sets and mirrors whose counts agree, for tests that need no JVM."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from wekaconf.dataset import Attribute, Dataset, Header
from wekaconf.postprocessor import PostProcessor
from wekaconf.tree import ARRAY_DTYPES, Routing, SplitKind, TreeMirror


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
    rng: Generator, train: Dataset, *, max_depth: int = 4, routing: Routing | str = Routing.J48
) -> TreeMirror:
    """A tree with random splits whose numbers are those of the routed training set.

    A missing value goes to every branch in proportion to the known weights, as in J48; in CART to the heaviest.
    ``max_depth=0`` gives one node. Deep trees have empty leaves.
    """
    routing = Routing(routing)
    header, k = train.header, train.n_classes
    columns = [column for column in range(len(header.attributes)) if column != header.class_index]
    nodes: list[dict] = [leaf(-1, np.nan, np.full(k, np.nan))]
    reached, depths = [train.weights], [0]
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
        branch, n_branches = split(rng, here, train, column, routing)
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
    if routing.is_cart:
        for node in nodes:
            node["branch_class_weight"] = np.full(k, np.nan)
    elif not routing.is_j48:
        as_stored_elsewhere(nodes, routing)
    arrays = {name: np.array([node[name] for node in nodes]) for name in ARRAY_DTYPES}
    return TreeMirror(header=header, routing=routing, learner=routing.value, weka_version="none", **arrays)


def random_mirror(
    rng: Generator,
    n_attributes: int = 4,
    n_classes: int = 3,
    *,
    n_train: int = 60,
    max_depth: int = 4,
    missing: float = 0.1,
    weights: bool = True,
    classes: list[int] | None = None,
    routing: Routing | str = Routing.J48,
) -> TreeMirror:
    """`random_tree` on `random_dataset` on `random_header`."""
    train = random_dataset(rng, random_header(rng, n_attributes, n_classes), n_train, missing, weights, classes=classes)
    return random_tree(rng, train, max_depth=max_depth, routing=routing)


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


def split(rng, node, train, column, routing):
    """Write a random split into ``node``; the branch of every training instance, −1 when missing, and how many."""
    attribute, cells = train.attributes[column], train.values[:, column]
    node["split_attribute"] = column
    if not attribute.is_nominal:
        is_strict = not (routing.is_j48 or routing.is_cart)
        node["split_kind"] = SplitKind.NUMERIC_LT if is_strict else SplitKind.NUMERIC_LE
        node["split_point"] = point = rng.choice(cells[~np.isnan(cells)]) if not np.isnan(cells).all() else 0.0
        compared = cells.astype(np.float32) if routing.is_cart else cells
        branch, n_branches = (compared >= point) if is_strict else (compared > point), 2
    elif routing.is_cart or (routing.is_j48 and rng.random() < 0.5):
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


ON_NUMBERS = {name: {"numeric": "bins"} for name in ("shrinkage", "shrinkage_wpe", "wpe")}
"""What a method needs to be told to take the numeric attributes of these data sets."""


def made(name: str, **params) -> PostProcessor:
    """A method that takes these data sets."""
    return PostProcessor.registry[name](**{**ON_NUMBERS.get(name, {}), **params})
