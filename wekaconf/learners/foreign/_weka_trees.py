"""The trees in Weka's model files, as the arrays of mirrors; the same arrays that java/ copies out of live trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Header
from wekaconf.learners.foreign._java_stream import Budget, JavaObject, RefusedError, StreamError, doubles
from wekaconf.tree import EXPORTED, REQUIRED, Routing, SplitKind

Arrays = dict[str, NDArray[Any]]

LEARNERS = {f"weka.classifiers.trees.{name}": name for name in ("J48", "REPTree", "RandomTree", "DecisionStump")}
J48 = "weka.classifiers.trees.j48."
BLANK = dict.fromkeys(("parent", "first_child", "split_attribute", "split_value"), -1.0) | dict.fromkeys(
    ("split_point", "branch_class_weight"), np.nan
)
"""The values of arrays at nodes for which nothing is set; other arrays have 0 there."""
COUNTS = {"grown_class_weight": "m_Distribution", "held_out_class_weight": "m_HoldOutDist"}


def check_built(classifier: JavaObject) -> None:
    """Raise RefusedError if a tree of Weka's holds neither a tree nor what stands in its place."""
    names = ("m_root", "m_Tree", "m_zeroR", "m_Distribution", "m_ZeroR")
    if all(classifier.fields.get(name) is None for name in names):
        raise RefusedError(f"holds a {LEARNERS[classifier.name]} that was not trained; build it before saving it")


def arrays_of(classifier: JavaObject, header: Header, budget: Budget) -> tuple[Arrays, Routing]:
    """The arrays of a tree of Weka's that was built, and the rules by which it answers."""
    learner = LEARNERS[classifier.name]
    fallback = classifier.fields.get("m_ZeroR" if learner == "DecisionStump" else "m_zeroR")
    if isinstance(fallback, JavaObject):
        return _fallback(fallback, header), Routing.REPTREE
    if learner == "DecisionStump":
        return _stump(classifier, header), Routing.REPTREE
    name = "m_root" if learner == "J48" else "m_Tree"
    if learner == "J48":
        arrays = _j48(classifier.part(name, f"{J48}ClassifierTree"), header, budget)
        return arrays, Routing.J48_LAPLACE if classifier.get("m_useLaplace", bool) else Routing.J48
    kind = f"{classifier.name}$Tree"
    arrays = _rep_or_random_tree(classifier.part(name, kind), kind, header, budget)
    if learner == "REPTree":
        return arrays, Routing.REPTREE
    leaves_unanswered = classifier.get("m_AllowUnclassifiedInstances", bool)
    return arrays, Routing.RANDOMTREE_UNCLASSIFIED if leaves_unanswered else Routing.RANDOMTREE


def _fallback(zero_r: JavaObject, header: Header) -> Arrays:
    """A leaf that answers as Weka's ZeroR, which learns the class frequencies and no tree."""
    if zero_r.name != "weka.classifiers.rules.ZeroR":
        raise StreamError(f"a {zero_r.shown_name} in place of a ZeroR")
    arrays = _blank_arrays(1, header)
    arrays["total"][0] = 1
    arrays["class_weight"][0] = zero_r.doubles("m_Counts", header.n_classes)
    return arrays


def _stump(stump: JavaObject, header: Header) -> Arrays:
    """A split of two leaves; the second branch asks once more, and there missing values take the first branch."""
    arrays = _blank_arrays(5, header)
    arrays["parent"][1:], arrays["n_branches"][[0, 2]], arrays["first_child"][[0, 2]] = [0, 0, 2, 2], 2, [1, 3]
    arrays["branch_weight"][2:4] = arrays["total"][:] = 1
    kinds = SplitKind.NUMERIC_LE, SplitKind.NOMINAL_EQUALS
    for node in (0, 2):
        _set_split(arrays, node, header, stump.get("m_AttIndex", int), stump.get("m_SplitPoint", float), kinds)
    bags = stump.get("m_Distribution", list)
    if len(bags) != 3:
        raise StreamError(f"m_Distribution has {len(bags)} rows, expected 3")
    for bag, nodes in zip(bags, ([1], [2, 4], [0, 3]), strict=True):
        arrays["class_weight"][nodes] = doubles(bag, header.n_classes, "m_Distribution")
    return arrays


def _j48(root: JavaObject, header: Header, budget: Budget) -> Arrays:
    def children_of(node: JavaObject) -> list[Any]:
        return [] if node.get("m_isLeaf", bool) else node.get("m_sons", list)

    nodes, children = _breadth_first(root, f"{J48}ClassifierTree", children_of)
    arrays, k = _numbered_arrays(children, header, budget), header.n_classes
    for at, (node, sons) in enumerate(zip(nodes, children, strict=True)):
        model = node.part("m_localModel", f"{J48}ClassifierSplitModel")
        weights = model.part("m_distribution", f"{J48}Distribution")
        arrays["is_empty"][at] = node.get("m_isEmpty", bool)
        arrays["total"][at] = weights.get("totaL", float)
        arrays["class_weight"][at] = weights.doubles("m_perClass", k)
        if not sons:
            continue
        if model.name not in (f"{J48}C45Split", f"{J48}BinC45Split"):
            raise StreamError(f"a split of kind {model.shown_name}")
        nominal = SplitKind.NOMINAL_EACH if model.name == f"{J48}C45Split" else SplitKind.NOMINAL_EQUALS
        kinds = SplitKind.NUMERIC_LE, nominal
        _set_split(arrays, at, header, model.get("m_attIndex", int), model.get("m_splitPoint", float), kinds)
        bags = weights.get("m_perClassPerBag", list)
        if len(bags) < len(sons):
            raise StreamError("a split has more branches than weights")
        first, after = arrays["first_child"][at], arrays["first_child"][at] + len(sons)
        arrays["branch_weight"][first:after] = weights.doubles("m_perBag", len(bags))[: len(sons)]
        for branch, bag in enumerate(bags[: len(sons)]):
            arrays["branch_class_weight"][first + branch] = doubles(bag, k, "m_perClassPerBag")
    return arrays


def _rep_or_random_tree(root: JavaObject, kind: str, header: Header, budget: Budget) -> Arrays:
    """The arrays of REPTree's and RandomTree's trees."""

    def children_of(node: JavaObject) -> list[Any]:
        return node.get("m_Successors", list) if node.get("m_Attribute", int) > -1 else []

    nodes, children = _breadth_first(root, kind, children_of)
    arrays, k = _numbered_arrays(children, header, budget), header.n_classes
    is_rep_tree = kind.endswith("REPTree$Tree")
    if is_rep_tree:
        budget.fill(2 * len(nodes) * k)
        arrays |= {name: np.zeros((len(nodes), k)) for name in COUNTS}
    arrays["total"][:] = 1
    weights_field = "m_ClassProbs" if is_rep_tree else "m_ClassDistribution"
    for at, (node, successors) in enumerate(zip(nodes, children, strict=True)):
        arrays["is_empty"][at] = node.fields.get(weights_field) is None
        if not arrays["is_empty"][at]:
            arrays["class_weight"][at] = node.doubles(weights_field, k)
        for name, count_field in COUNTS.items() if is_rep_tree else ():
            arrays[name][at] = node.doubles(count_field, k)
        if successors:
            kinds = SplitKind.NUMERIC_LT, SplitKind.NOMINAL_EACH
            _set_split(arrays, at, header, node.get("m_Attribute", int), node.get("m_SplitPoint", float), kinds)
            first, after = arrays["first_child"][at], arrays["first_child"][at] + len(successors)
            arrays["branch_weight"][first:after] = node.doubles("m_Prop", len(successors))
    return arrays


def _breadth_first(
    root: JavaObject, kind: str, children_of: Callable[[JavaObject], list[Any]]
) -> tuple[list[JavaObject], list[list[JavaObject]]]:
    """The nodes of a tree, and the children of each; `StreamError` if a node occurs twice, as in a cycle."""
    nodes, children, seen = [root], [], {id(root)}
    for node in nodes:
        node_children = children_of(node)
        for child in node_children:
            if not isinstance(child, JavaObject) or not child.is_a(kind):
                raise StreamError("a node leads to something that is no node")
            if id(child) in seen:
                raise StreamError("two branches lead to the same node")
            seen.add(id(child))
        children.append(node_children)
        nodes += node_children
    return nodes, children


def _numbered_arrays(children: list[list[JavaObject]], header: Header, budget: Budget) -> Arrays:
    """The arrays of a tree whose nodes have these children, without splits and weights."""
    budget.fill(2 * len(children) * header.n_classes)
    arrays = _blank_arrays(len(children), header)
    counts = np.array([len(node_children) for node_children in children], dtype=np.int32)
    arrays["n_branches"] = counts
    arrays["first_child"] = np.where(counts > 0, 1 + np.cumsum(counts) - counts, -1).astype(np.int32)
    arrays["parent"][1:] = np.repeat(np.arange(len(children)), counts)
    return arrays


def _blank_arrays(n_nodes: int, header: Header) -> Arrays:
    arrays: Arrays = {"split_subset": np.zeros(0, dtype=np.bool_)}
    lengths = {"n_nodes": n_nodes, "n_classes": header.n_classes}
    for name in REQUIRED:
        declaration = EXPORTED[name]
        shape = tuple(lengths[axis] for axis in declaration.shape)
        arrays[name] = np.full(shape, BLANK.get(name, 0), dtype=declaration.dtypes[0])
    arrays["branch_weight"][0] = np.nan
    return arrays


def _set_split(
    arrays: Arrays, at: int, header: Header, column: int, point: float, kinds: tuple[SplitKind, SplitKind]
) -> None:
    """Write a split; ``kinds`` are the kinds of a numeric and of a nominal split."""
    if not 0 <= column < len(header.attributes):
        raise StreamError(f"a node splits on column {column + 1} of {len(header.attributes)}")
    kind = kinds[header.attributes[column].is_nominal]
    arrays["split_attribute"][at], arrays["split_kind"][at] = column, kind
    if kind == kinds[0]:
        arrays["split_point"][at] = point
    elif kind == SplitKind.NOMINAL_EQUALS:
        arrays["split_value"][at] = int(point)
