"""The part of a graph that adds up sums, pools distributions, and decides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import SCALE, most_probable
from wekaconf.model.export._exported_model import ExportedModel
from wekaconf.model.export._exported_sides import CellsTerm, LeafSide, LineTerm, SumSide

INT64 = 7
"""The number of this type in ONNX."""
IN = "wekaconf:"
"""How the names of values inside the graph begin."""


class Graph:
    """Nodes of a graph, and their constants by name.

    Parameters
    ----------
    helper : module
        ``onnx.helper``.
    """

    def __init__(self, helper: Any) -> None:
        self.helper = helper
        self.nodes: list[Any] = []
        self.constants: dict[str, NDArray[Any]] = {}

    def __call__(self, operator: str, *inputs: str | NDArray[Any], name: str = "", **attributes: Any) -> str:
        """Add a node for earlier results, by name, and for arrays; returns the name of its result."""
        result = name or f"{IN}{operator} {len(self.nodes)}"
        names = [one if isinstance(one, str) else self._constant(one) for one in inputs]
        self.nodes.append(self.helper.make_node(operator, names, [result], **attributes))
        return result

    def _constant(self, array: NDArray[Any]) -> str:
        name = f"{IN}constant {len(self.constants)}"
        self.constants[name] = array
        return name

    def encoded(self, cell: str, values: Sequence[str], codes: Sequence[int], other: int) -> str:
        """The name of the code of each nominal cell, ``other`` for values that are not declared."""
        keys = [value.encode() for value in values]
        return self(
            "LabelEncoder", cell, domain="ai.onnx.ml", keys_strings=keys, values_int64s=list(codes), default_int64=other
        )

    def n_smaller(self, cell: str, ends: NDArray[Any]) -> str:
        """The name of the number of ends that are smaller than each cell, (rows, 1)."""
        return self("ReduceSum", self("Cast", self("Greater", cell, ends), to=INT64), np.array([1]), keepdims=1)


def add_pool(graph: Graph, model: ExportedModel, cells: Sequence[str], leaf: str, answered: str) -> dict[str, Any]:
    """Add nodes that make the outputs of a model with sums, a pool or a decider, and tell what the outputs are.

    Parameters
    ----------
    graph : Graph
    model : ExportedModel
    cells : sequence of str
        For each column the name of its cells, (rows, 1).
    leaf, answered : str
        The names of (rows,) the number of the leaf, and whether the row is answered.

    Returns
    -------
    dict
        For each output an empty array of its type and of its shape after the rows.
    """
    k = len(model.class_names)
    is_answered = graph("Unsqueeze", answered, np.array([1]))
    said = [
        graph("Gather", table(model, side), leaf, axis=0)
        if isinstance(side, LeafSide)
        else _sum(graph, model, side, cells)
        for side in model.sides
    ]
    proba = said[0] if model.pool is None else _pool(graph, said, *model.pool[1:])
    nothing = np.array(math.nan)
    distribution = graph("Where", is_answered, proba, nothing, name="distribution")
    scores = distribution if model.savings is None else graph("MatMul", distribution, np.array(model.savings))
    if model.decider is None:
        units = graph("Round", graph("Mul", scores, np.array(SCALE)))
        best = graph("ArgMax", units, axis=1, keepdims=0)
        certainty = graph("ReduceMax", scores, axes=[1], keepdims=0)
    else:
        best = graph("Gather", most_probable(table(model, model.decider)), leaf, axis=0)
        chosen = graph("GatherElements", distribution, graph("Unsqueeze", best, np.array([1])), axis=1)
        certainty = graph("ReduceMax", chosen, axes=[1], keepdims=0)
    certainty = graph("Where", answered, certainty, nothing, name="certainty")
    predicted = graph("Where", answered, best, np.array(k))
    graph("Gather", np.array([*model.class_names, ""], dtype=object), predicted, axis=0, name="predicted")
    outputs = {"predicted": np.zeros(0, dtype=object), "certainty": np.zeros(0), "distribution": np.zeros((0, k))}
    if model.thresholds is not None:
        thresholds = np.array([*model.thresholds, math.inf])
        is_less = graph("Less", certainty, graph("Gather", thresholds, predicted, axis=0))
        graph("Or", is_less, graph("Gather", np.isposinf(thresholds), predicted, axis=0), name="rejected")
        outputs["rejected"] = np.zeros(0, dtype=np.bool_)
    return outputs


def table(model: ExportedModel, side: LeafSide) -> NDArray[np.float64]:
    """(n_leaves + 1, n_classes) float64: what each leaf answers; the last row is for rows that are not answered."""
    rows = [side.answers[leaf] for leaf in model.leaves]
    return np.array([*rows, rows[0]])


def _pool(graph: Graph, said: Sequence[str], weights: Sequence[float], least: float) -> str:
    weighted = [
        graph("Mul", graph("Log", graph("Max", proba, np.array(least))), np.array(weight))
        for proba, weight in zip(said, weights, strict=True)
    ]
    return graph("Softmax", graph("Sum", *weighted), axis=1)


def _sum(graph: Graph, model: ExportedModel, side: SumSide, cells: Sequence[str]) -> str:
    added = [
        _line(graph, term, cells[term.column])
        if isinstance(term, LineTerm)
        else graph("Gather", np.array([*term.adds, term.missing]), _place(graph, model, term, cells), axis=0)
        for term in side.terms
    ]
    n_rows = graph("Shape", graph("Reshape", cells[0], np.array([-1])))
    shape = graph("Concat", n_rows, np.array([len(side.start)]), axis=0)
    return graph("Softmax", graph("Sum", graph("Expand", np.array([side.start]), shape), *added), axis=1)


def _line(graph: Graph, term: LineTerm, cell: str) -> str:
    known = graph("Where", graph("IsNaN", cell), np.array(term.center), cell)
    deviation = graph("Div", graph("Sub", known, np.array(term.center)), np.array(term.spread))
    held = graph("Clip", deviation, np.array(-term.furthest), np.array(term.furthest))
    return graph("Mul", held, np.array([term.slope]))


def _place(graph: Graph, model: ExportedModel, term: CellsTerm, cells: Sequence[str]) -> str:
    """(rows,) int64: the row of the table; the last one is that of a missing value."""
    column, fill, cell, n = model.columns[term.column], model.fills[term.column], cells[term.column], len(term.adds)
    if term.ends is None:
        places = graph.encoded(cell, column.values, range(n), n if math.isnan(fill) else int(fill))
    else:
        places = graph("Where", graph("IsNaN", cell), np.array(n), graph.n_smaller(cell, np.array(term.ends)))
    return graph("Reshape", places, np.array([-1]))
