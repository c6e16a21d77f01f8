"""``.onnx``: a graph of float64 for ONNX runtimes, an input per column that the tree tests.

The tree gives the number of a leaf, and tables give what the leaf answers, so that no probability is rounded to the
float32 in which such trees add up. A missing value goes right in one copy of the tree and left in another: where they
end in different leaves, a value on the path is missing, and the row is not answered.

A runtime sends a missing value one way and tells nobody; therefore two copies. Numbers of leaves are exact in float32
up to 2 ** 24.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, needed
from wekaconf.base.naming import quoted
from wekaconf.base.rounding import SCALE, most_probable
from wekaconf.evaluation.aims import decision
from wekaconf.methods.contract import is_rejected, thresholds_at
from wekaconf.model.export._exported_model import LEFT_OUT, ExportedModel, Split
from wekaconf.model.export._exported_parts import CellsTerm, LeafSide, LineTerm, SumSide

OPSETS = {"": 15, "ai.onnx.ml": 3}
"""The oldest operator sets that hold what the graph needs, so that old runtimes read it."""
INT64, STRING, DOUBLE = 7, 8, 11
"""The numbers of these types in ONNX."""
OUTPUTS = ("predicted", "certainty", "distribution", "rejected", "answered")
Encoding = tuple[int, tuple[float, ...], tuple[int, ...]]
"""What one feature of the tree is: a column, its cut points, and the branch of each of its values or bins."""
IN = "wekaconf:"
"""How the names of values inside the graph begin."""


def onnx_bytes(tree: ExportedModel, *, by_majority: bool = False) -> bytes:
    """The graph, serialised.

    Parameters
    ----------
    tree : ExportedModel
    by_majority : bool
        Whether a missing value takes the branch of the largest share; else such a row is not answered.

    Raises
    ------
    OptionError
        onnx is not installed, or the tree tests no column.
    """
    with needed("an export as .onnx", "export"):
        import onnx
        from onnx import helper, numpy_helper
    if not tree.columns:
        raise OptionError("the tree is a single leaf, so a graph would have no input", value_of="model")
    _check_names(tree)
    graph = Graph(helper)
    cells = _filled_cells(graph, tree)
    encodings = list(dict.fromkeys(_encoding(split) for split in tree.nodes if split is not None))
    if encodings:
        made = [_feature(graph, tree, encoding, cells[encoding[0]]) for encoding in encodings]
        features = graph("Concat", *made, axis=1)
        trees = [_tree_arrays(tree, encodings, side) for side in (("majority",) if by_majority else ("left", "right"))]
        leaves = [_leaf_numbers(graph, features, arrays) for arrays in trees]
    else:  # of a pool whose tree is a single leaf
        rows = graph("Shape", graph("Reshape", cells[0], np.array([-1])))
        leaves = [graph("ConstantOfShape", rows, value=helper.make_tensor("", INT64, [1], [0]))]
    graph("Equal", leaves[0], leaves[-1], name="answered")
    leaf = graph("Where", "answered", leaves[0], np.array(len(tree.leaves)))
    if tree.lookup is None:
        results = add_pool(graph, tree, cells, leaf, "answered")
    else:
        results = _tables(tree, tree.lookup)
        for name, table in results.items():
            graph("Gather", table, leaf, axis=0, name=name)
    inputs = [
        helper.make_tensor_value_info(column.name, STRING if column.is_nominal else DOUBLE, ["rows", 1])
        for column in tree.columns
    ]
    outputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), ["rows", *array.shape[1:]])
        for name, array in (results | {"answered": np.zeros(0, dtype=np.bool_)}).items()
    ]
    initializers = [numpy_helper.from_array(array, name) for name, array in graph.constants.items()]
    held = helper.make_graph(graph.nodes, "tree", inputs, outputs, initializers)
    opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
    model = helper.make_model(held, opset_imports=opsets, ir_version=8, producer_name="wekaconf")
    helper.set_model_props(model, _properties(tree, by_majority=by_majority))
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


def _check_names(tree: ExportedModel) -> None:
    """Raise OptionError if a column has a name that the graph needs, or none."""
    for column in tree.columns:
        if not column.name or column.name in OUTPUTS or column.name.startswith(IN):
            raise OptionError(
                f"the graph cannot have an input of the name {quoted(column.name)}; rename that column",
                value_of="model",
            )


def _properties(tree: ExportedModel, *, by_majority: bool) -> dict[str, str]:
    """What the file says of itself."""
    return {
        "relation": tree.header.relation,
        "learner": tree.learner,
        "method": tree.method,
        "missing": "takes the branch of the largest share" if by_majority else "not answered",
        "left_out": ", ".join(LEFT_OUT),
    }


def _encoding(split: Split) -> Encoding:
    return split.column, split.points, split.branch_of_value


def _filled_cells(graph: Graph, tree: ExportedModel) -> list[str]:
    """The name of the cells of each column, in which a number stands for a missing one if the column has a fill."""
    cells = []
    for column, fill in zip(tree.columns, tree.fills, strict=True):
        if column.is_nominal or math.isnan(fill):
            cells.append(column.name)
        else:
            cells.append(graph("Where", graph("IsNaN", column.name), np.array(fill), column.name))
    return cells


def _feature(graph: Graph, tree: ExportedModel, encoding: Encoding, cell: str) -> str:
    """The name of (rows, 1) numbers that the tree tests, NaN where a cell is missing or not known from training."""
    place, points, branches = encoding
    if not branches:
        return cell
    column, fill = tree.columns[place], tree.fills[place]
    if column.is_nominal:
        other = -1 if math.isnan(fill) else branches[int(fill)]
        index = graph.encode(cell, column.values, branches, other)
        is_unknown = graph("Equal", index, np.array(-1))
    else:
        index = graph("Gather", np.array(branches), graph.count_smaller(cell, np.array(points)), axis=0)
        is_unknown = graph("IsNaN", cell)
    return graph("Where", is_unknown, np.array(math.nan), graph("Cast", index, to=DOUBLE))


def _leaf_numbers(graph: Graph, features: str, arrays: dict[str, Any]) -> str:
    """The name of (rows,) int64: the number of the leaf where each row ends in one copy of the tree."""
    score = graph(
        "TreeEnsembleRegressor", features, domain="ai.onnx.ml", n_targets=1, post_transform="NONE",
        aggregate_function="SUM", **arrays,
    )  # fmt: skip
    return graph("Reshape", graph("Cast", score, to=INT64), np.array([-1]))


def _tree_arrays(tree: ExportedModel, features: list[Encoding], side: str) -> dict[str, Any]:
    """The attributes of one tree, whose splits have two branches each; ``side`` is where missing values go."""
    from onnx import numpy_helper

    number = {node: rank for rank, node in enumerate(tree.leaves)}
    ids = list(range(len(tree.nodes)))
    modes = ["LEAF"] * len(ids)
    columns, yes, no, tracks = ([0] * len(ids) for _ in range(4))
    values: list[float] = [0.0] * len(ids)
    for i, split in enumerate(tree.nodes):
        if split is None:
            continue
        feature, at = features.index(_encoding(split)), i
        most = max(range(len(split.shares)), key=split.shares.__getitem__)
        last = len(split.branches) - 2
        for branch in range(max(last, 0) + 1):
            modes[at], columns[at] = "BRANCH_LEQ", feature
            values[at] = float(branch) if split.branch_of_value else split.limit
            yes[at], no[at] = split.branches[branch], split.branches[min(branch + 1, len(split.branches) - 1)]
            tracks[at] = int(branch == most if side == "majority" else side == "left")
            if branch < last:
                no[at] = len(modes)
                for array in (columns, yes, no, tracks):
                    array.append(0)
                modes.append("LEAF")
                values.append(0.0)
                at = no[at]
    weights = [float(rank) for rank in number.values()]
    return {
        "nodes_values_as_tensor": numpy_helper.from_array(np.array(values), "nodes_values_as_tensor"),
        "target_weights_as_tensor": numpy_helper.from_array(np.array(weights), "target_weights_as_tensor"),
        "nodes_nodeids": list(range(len(modes))),
        "nodes_treeids": [0] * len(modes),
        "nodes_modes": modes,
        "nodes_featureids": columns,
        "nodes_truenodeids": yes,
        "nodes_falsenodeids": no,
        "nodes_missing_value_tracks_true": tracks,
        "target_ids": [0] * len(number),
        "target_nodeids": list(number),
        "target_treeids": [0] * len(number),
    }


def _tables(tree: ExportedModel, side: LeafSide) -> dict[str, NDArray[Any]]:
    """For each output a row per leaf, and one for rows that are not answered."""
    proba = np.array([side.answers[leaf] for leaf in tree.leaves])
    predicted, certainty = decision(proba, tree.costs)
    names = np.array([*(tree.class_names[c] for c in predicted), ""], dtype=object)
    tables = {
        "predicted": names,
        "certainty": np.append(certainty, math.nan),
        "distribution": np.vstack([proba, np.full(proba.shape[1], math.nan)]),
    }
    if tree.thresholds is not None:
        rejected = is_rejected(certainty, thresholds_at(np.array(tree.thresholds), predicted))
        tables["rejected"] = np.append(rejected, True)
    return tables


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

    def encode(self, cell: str, values: Sequence[str], codes: Sequence[int], other: int) -> str:
        """Add a node for the codes of nominal cells, ``other`` for undeclared values; returns the name of the codes."""
        keys = [value.encode() for value in values]
        return self(
            "LabelEncoder", cell, domain="ai.onnx.ml", keys_strings=keys, values_int64s=list(codes), default_int64=other
        )

    def count_smaller(self, cell: str, ends: NDArray[Any]) -> str:
        """Add nodes that count the ends below each cell; returns the name of the counts, (rows, 1)."""
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
        graph("Gather", answer_table(model, side), leaf, axis=0)
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
        best = graph("Gather", most_probable(answer_table(model, model.decider)), leaf, axis=0)
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


def answer_table(model: ExportedModel, side: LeafSide) -> NDArray[np.float64]:
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
        places = graph.encode(cell, column.values, range(n), n if math.isnan(fill) else int(fill))
    else:
        places = graph("Where", graph("IsNaN", cell), np.array(n), graph.count_smaller(cell, np.array(term.ends)))
    return graph("Reshape", places, np.array([-1]))
