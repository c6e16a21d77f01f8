"""The rules of a tree as a table: what a model answers at each leaf, and on how many rows that stands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wekaconf.base.errors import OptionError, tell
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import text_column
from wekaconf.evaluation.aims import decision
from wekaconf.evaluation.thresholds import Choice
from wekaconf.methods.contract import Method, is_rejected
from wekaconf.model.scheme import label_of
from wekaconf.tree import Forest, Routing, TreeMirror, all_conditions

FLAG = ("no", "yes")


def rules_of(method: Method, choice: Choice | None, thresholds: FloatArray | None) -> Dataset:
    """The table that `Model.rules` gives; ``thresholds`` are by class, None: every row is answered."""
    tree = method.tree_
    if isinstance(tree, Forest):
        raise OptionError(
            f"rules are those of one tree, and this model is a forest of {len(tree.trees)}; take one of a learner that "
            "grows one tree, such as J48",
            value_of="model",
        )
    leaves = np.array([*_leaves(tree)], dtype=np.int32)
    proba = method.answers_at(leaves)
    if proba is None:
        tell(
            f"{label_of(method)} answers by the values of each row, not by the leaf alone; the classes and "
            "probabilities of the rules are those of the plain tree"
        )
        proba, thresholds = tree.router.answer[leaves], None
    predicted, certainty = decision(proba, None if choice is None else choice.aim.counted_costs)
    weight = _weights(tree)[leaves]
    rows, at = weight.sum(axis=1), np.arange(len(leaves))
    columns: list[tuple[Attribute, FloatArray]] = [
        text_column("condition", [all_conditions(tree, leaf) for leaf in leaves.tolist()]),
        (Attribute("class", "nominal", tree.class_names), predicted.astype(np.float64)),
        (Attribute("rows"), rows),
        (Attribute("wrong"), rows - weight[at, predicted]),
        (Attribute("probability"), proba[at, predicted]),
    ]
    if thresholds is not None:
        is_answered = ~is_rejected(certainty, thresholds[predicted])
        columns.append((Attribute("answered", "nominal", FLAG), is_answered.astype(np.float64)))
    attributes, cells = zip(*columns, strict=True)
    return Dataset(Header(f"{tree.header.relation}-rules", attributes), np.column_stack(cells))


def _leaves(tree: TreeMirror) -> Iterator[int]:
    """The nodes where rows without missing values stop, in the order of the printed tree."""
    stack = [0]
    while stack:
        node = stack.pop()
        if tree.router.attribute[node] < 0:
            yield node
        else:
            first = int(tree.first_child[node])
            stack += range(first + int(tree.n_branches[node]) - 1, first - 1, -1)


def _weights(tree: TreeMirror) -> FloatArray:
    """(n_nodes, n_classes) float64: training weights; of REPTree with those held out for pruning, NaN if unknown."""
    if tree.routing != Routing.REPTREE:
        return tree.class_weight
    if not len(tree.grown_class_weight):
        return np.full_like(tree.class_weight, np.nan)
    return tree.grown_class_weight + tree.held_out_class_weight
