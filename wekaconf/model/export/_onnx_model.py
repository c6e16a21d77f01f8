"""``.onnx``: a graph of float64, or of float32, for ONNX runtimes, an input per column that the tree tests.

The tree gives the number of a leaf, and tables give what the leaf answers, so that no probability is rounded to the
float32 in which such trees add up. A missing value goes right in one copy of the tree and left in another: where they
end in different leaves, a value on the path is missing, and the row is not answered.

A runtime sends a missing value one way and tells nobody; therefore two copies. Numbers of leaves are exact in float32
up to 2 ** 24.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import quoted
from wekaconf.base.packages import needed
from wekaconf.methods.contract import is_rejected, thresholds_at
from wekaconf.model.export._exported_model import LEFT_OUT, ExportedModel, Split
from wekaconf.model.export._exported_sides import LeafSide
from wekaconf.model.export._onnx_pool import INT64, Graph, add_pool

OPSETS = {"": 15, "ai.onnx.ml": 3}
"""The oldest operator sets that hold what the graph needs, so that old runtimes read it."""
STRING = 8
"""The number of this type in ONNX."""
Number = type[np.float32] | type[np.float64]
OUTPUTS = ("predicted", "certainty", "distribution", "rejected", "answered")
IN = "wekaconf:"
"""How the names of values inside the graph begin."""
Encoding = tuple[int, tuple[float, ...], tuple[int, ...]]
"""What one feature of the tree is: a column, its cut points, and the branch of each of its values or bins."""


def onnx_bytes(tree: ExportedModel, *, by_majority: bool = False, in_float32: bool = False) -> bytes:
    """The graph, serialised.

    Parameters
    ----------
    tree : ExportedModel
    by_majority : bool
        Whether a missing value takes the branch of the largest share; else such a row is not answered.
    in_float32 : bool
        Whether inputs, split points and probabilities are float32. Each split point becomes the largest such number at
        or below it, so that an input takes the branch that the tree sends it to.

    Raises
    ------
    OptionError
        onnx is not installed, the tree tests no column, or its leaves have limits.
    """
    with needed("an export as .onnx", "export"):
        import onnx
        from onnx import helper, numpy_helper
    if tree.limits is not None:
        raise OptionError(
            f"an ONNX graph finds the leaf of a row, and {tree.method} tests the row against the limits of its leaf",
            value_of="model",
        )
    if in_float32 and tree.lookup is None:
        raise OptionError(
            f"{tree.method} computes each certainty, which in float32 might lie on the other side of the threshold; "
            "export float64",
            parameter="float32",
        )
    if not tree.columns:
        raise OptionError("the tree is a single leaf, so a graph would have no input", value_of="model")
    features = list(dict.fromkeys(_encoding(split) for split in tree.nodes if split is not None))
    dtype: Number = np.float32 if in_float32 else np.float64
    _check_names(tree)
    nodes, constants, cells = _features(tree, features, dtype, helper)
    number_type = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    inputs = [
        helper.make_tensor_value_info(column.name, STRING if column.is_nominal else number_type, ["rows", 1])
        for column in tree.columns
    ]
    sides = ("majority",) if by_majority else ("left", "right")
    if not features:
        sides = ("only leaf",)
        nodes += _only_leaf(cells[0], helper)
    for side in sides if features else ():
        arrays = _tree_arrays(tree, features, side, in_float32=in_float32)
        arrays |= {name: numpy_helper.from_array(a, name) for name, a in arrays.items() if isinstance(a, np.ndarray)}
        nodes += [
            helper.make_node("TreeEnsembleRegressor", [f"{IN}features"], [f"{IN}{side} score"], domain="ai.onnx.ml",
                             n_targets=1, post_transform="NONE", aggregate_function="SUM", **arrays),
            helper.make_node("Cast", [f"{IN}{side} score"], [f"{IN}{side} number"], to=onnx.TensorProto.INT64),
            helper.make_node("Reshape", [f"{IN}{side} number", f"{IN}flat"], [f"{IN}{side}"]),
        ]  # fmt: skip
    nodes.append(helper.make_node("Equal", [f"{IN}{sides[0]}", f"{IN}{sides[-1]}"], ["answered"]))
    nodes.append(helper.make_node("Where", ["answered", f"{IN}{sides[0]}", f"{IN}none"], [f"{IN}leaf"]))
    constants |= {"flat": np.array([-1]), "none": np.array([len(tree.leaves)])}
    if tree.lookup is not None:
        made_by = _tables(tree, tree.lookup, dtype)
        nodes += [helper.make_node("Gather", [f"{IN}{name}", f"{IN}leaf"], [name], axis=0) for name in made_by]
        constants |= made_by
    else:
        pooling = Graph(IN, helper)
        made_by = add_pool(pooling, tree, cells, f"{IN}leaf", "answered")
        nodes += pooling.nodes
        constants |= pooling.constants
    outputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), ["rows", *array.shape[1:]])
        for name, array in (made_by | {"answered": np.zeros(0, dtype=np.bool_)}).items()
    ]
    initializers = [numpy_helper.from_array(array, f"{IN}{name}") for name, array in constants.items()]
    graph = helper.make_graph(nodes, "tree", inputs, outputs, initializers)
    opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
    made = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="wekaconf")
    helper.set_model_props(made, _properties(tree, by_majority=by_majority, in_float32=in_float32))
    onnx.checker.check_model(made)
    content: bytes = made.SerializeToString()
    return content


def _only_leaf(cell: str, helper: Any) -> list[Any]:
    """The nodes that send every row to the first leaf."""
    return [
        helper.make_node("Reshape", [cell, f"{IN}flat"], [f"{IN}rows"]),
        helper.make_node("Shape", [f"{IN}rows"], [f"{IN}number of rows"]),
        helper.make_node(
            "ConstantOfShape",
            [f"{IN}number of rows"],
            [f"{IN}only leaf"],
            value=helper.make_tensor("", INT64, [1], [0]),
        ),
    ]


def _check_names(tree: ExportedModel) -> None:
    """Raise OptionError if a column has a name that the graph needs, or none."""
    for column in tree.columns:
        if not column.name or column.name in OUTPUTS or column.name.startswith(IN):
            raise OptionError(
                f"the graph cannot have an input of the name {quoted(column.name)}; rename that column",
                value_of="model",
            )


def _properties(tree: ExportedModel, *, by_majority: bool, in_float32: bool) -> dict[str, str]:
    """What the file says of itself."""
    return {
        "relation": tree.header.relation,
        "learner": tree.learner,
        "method": tree.method,
        "missing": "takes the branch of the largest share" if by_majority else "not answered",
        "numbers": "float32" if in_float32 else "float64",
        "left_out": ", ".join(LEFT_OUT),
    }


def _encoding(split: Split) -> Encoding:
    return split.column, split.points, split.branch_of_value


def _features(
    tree: ExportedModel, features: list[Encoding], dtype: Number, helper: Any
) -> tuple[list[Any], dict[str, NDArray[Any]], list[str]]:
    """The nodes that make the features, NaN where a cell is missing or not known from training; their constants.

    And the names of the cells of each column.
    """
    number_type = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    nodes, made, constants = [], [], dict[str, NDArray[Any]]()
    cells = [column.name for column in tree.columns]
    for i, (column, fill) in enumerate(zip(tree.columns, tree.fills, strict=True)):
        if column.is_nominal or math.isnan(fill):
            continue
        constants[f"fill {i}"] = np.array(_fill(tree, i, dtype), dtype=dtype)
        cells[i], is_missing = f"{IN}cell {i}", f"{IN}cell {i} is missing"
        nodes += [
            helper.make_node("IsNaN", [column.name], [is_missing]),
            helper.make_node("Where", [is_missing, f"{IN}fill {i}", column.name], [cells[i]]),
        ]
    for i, (place, points, branches) in enumerate(features):
        column, fill, cell = tree.columns[place], tree.fills[place], cells[place]
        if not branches:
            made.append(cell)
            continue
        made.append(feature := f"{IN}feature {i}")
        index, number, is_unknown = (f"{feature} {part}" for part in ("index", "number", "is unknown"))
        if column.is_nominal:
            other = -1 if math.isnan(fill) else branches[int(fill)]
            constants["unknown"] = np.array(-1)
            nodes += [
                helper.make_node("LabelEncoder", [cell], [index], domain="ai.onnx.ml",
                                 keys_strings=[value.encode() for value in column.values],
                                 values_int64s=list(branches), default_int64=other),
                helper.make_node("Equal", [index, f"{IN}unknown"], [is_unknown]),
            ]  # fmt: skip
        else:
            above, ones, n_smaller = (f"{feature} {part}" for part in ("above", "ones", "points below"))
            constants[f"points {i}"] = np.array(
                points if dtype is np.float64 else [*map(single_at_most, points)], dtype
            )
            constants[f"branches {i}"], constants["second"] = np.array(branches), np.array([1])
            nodes += [
                helper.make_node("Greater", [cell, f"{IN}points {i}"], [above]),
                helper.make_node("Cast", [above], [ones], to=INT64),
                helper.make_node("ReduceSum", [ones, f"{IN}second"], [n_smaller], keepdims=1),
                helper.make_node("Gather", [f"{IN}branches {i}", n_smaller], [index], axis=0),
                helper.make_node("IsNaN", [cell], [is_unknown]),
            ]
        constants["missing"] = np.array(math.nan, dtype=dtype)
        nodes += [
            helper.make_node("Cast", [index], [number], to=number_type),
            helper.make_node("Where", [is_unknown, f"{IN}missing", number], [feature]),
        ]
    if made:
        nodes.append(helper.make_node("Concat", made, [f"{IN}features"], axis=1))
    return nodes, constants, cells


def _fill(tree: ExportedModel, column: int, dtype: Number) -> float:
    """The number for a missing cell; in float32 one that takes the same branches."""
    fill = tree.fills[column]
    if dtype is np.float64:
        return fill
    splits = [split for split in tree.nodes if split is not None and split.column == column]
    limits = [limit for split in splits for limit in (*split.points, split.limit)]
    single = single_at_most(fill)
    for near in (single, float(np.nextafter(np.float32(single), np.float32(np.inf)))):
        if all((near <= single_at_most(limit)) == (fill <= limit) for limit in limits):
            return near
    raise OptionError(
        f"no float32 takes the branches of {fill!r}, by which the filters replace missing values of "
        f"{quoted(tree.columns[column].name)}; export float64",
        value_of="model",
    )


def _tree_arrays(tree: ExportedModel, features: list[Encoding], side: str, *, in_float32: bool) -> dict[str, Any]:
    """The attributes of one tree, whose splits have two branches each; ``side`` is where missing values go."""
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
    numbers: dict[str, Any] = {
        "nodes_values_as_tensor": np.array(values),
        "target_weights_as_tensor": np.array(weights),
    }
    if in_float32:
        numbers = {"nodes_values": [*map(single_at_most, values)], "target_weights": weights}
    return numbers | {
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


def single_at_most(limit: float) -> float:
    """The largest float32 at or below a number: float32 are at or below both, or at or below neither."""
    with np.errstate(over="ignore"):
        single = np.float32(limit)
    return float(np.nextafter(single, np.float32(-np.inf)) if float(single) > limit else single)


def _tables(tree: ExportedModel, side: LeafSide, dtype: Number) -> dict[str, NDArray[Any]]:
    """For each output a row per leaf, and one for rows that are not answered."""
    proba = np.array([side.answers[leaf] for leaf in tree.leaves])
    predicted, certainty = tree.decided(proba)
    names = np.array([*(tree.class_names[c] for c in predicted), ""], dtype=object)
    tables = {
        "predicted": names,
        "certainty": np.append(certainty, math.nan).astype(dtype),
        "distribution": np.vstack([proba, np.full(proba.shape[1], math.nan)]).astype(dtype),
    }
    if tree.thresholds is not None:
        rejected = is_rejected(certainty, thresholds_at(np.array(tree.thresholds), predicted))
        tables["rejected"] = np.append(rejected, True)
    return tables
