"""Mirrors of the trees in Weka's ``.model`` files, read without Java and without making their objects."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from wekaconf.base.errors import HeaderMismatchError, ModelFileError
from wekaconf.base.naming import quoted
from wekaconf.base.stored import check_stored
from wekaconf.data import ColumnMap, CostMatrix, Header
from wekaconf.learners.foreign._java_stream import (
    GZIP,
    MAGIC,
    Budget,
    JavaObject,
    RefusedError,
    StreamError,
    contents,
    unpacked,
)
from wekaconf.learners.foreign._weka_filters import HeaderReader, column_maps
from wekaconf.learners.foreign._weka_trees import LEARNERS, arrays_of, check_built
from wekaconf.learners.foreign._weka_wrappers import (
    ATTRIBUTE_SELECTED,
    COST_SENSITIVE,
    ENSEMBLES,
    FILTERED,
    INPUT_MAPPED,
    MOST_WRAPPERS,
    Member,
    costs_of,
    inner_of,
    mapped_header,
    members_of,
)
from wekaconf.tree import Forest, TreeMirror, check_sound

ENDINGS_OF_WEKA = (".model", ".model.gz")
"""The endings of the names of files in which Weka saves classifiers."""
OPTIONS: dict[str, tuple[tuple[str, str, Any], ...]] = {
    "J48": (
        ("m_collapseTree", "-O", True),
        ("m_unpruned", "-U", False),
        ("m_subtreeRaising", "-S", True),
        ("m_reducedErrorPruning", "-R", False),
        ("m_CF", "-C", 0.25),
        ("m_numFolds", "-N", 3),
        ("m_Seed", "-Q", 1),
        ("m_binarySplits", "-B", False),
        ("m_minNumObj", "-M", 2),
        ("m_useLaplace", "-A", False),
        ("m_useMDLcorrection", "-J", True),
        ("m_doNotMakeSplitPointActualValue", "-doNotMakeSplitPointActualValue", False),
    ),
    "REPTree": (
        ("m_MinNum", "-M", 2.0),
        ("m_MinVarianceProp", "-V", 1e-3),
        ("m_NumFolds", "-N", 3),
        ("m_Seed", "-S", 1),
        ("m_NoPruning", "-P", False),
        ("m_MaxDepth", "-L", -1),
        ("m_InitialCount", "-I", 0.0),
        ("m_SpreadInitialCount", "-R", False),
    ),
    "RandomTree": (
        ("m_MinNum", "-M", 1.0),
        ("m_MinVarianceProp", "-V", 1e-3),
        ("m_randomSeed", "-S", 1),
        ("m_MaxDepth", "-depth", 0),
        ("m_NumFolds", "-N", 0),
        ("m_AllowUnclassifiedInstances", "-U", False),
        ("m_BreakTiesRandomly", "-B", False),
    ),
    "DecisionStump": (),
    "RandomForest": (("m_BagSizePercent", "-P", 100), ("m_NumIterations", "-I", 100), ("m_Seed", "-S", 1)),
    "Bagging": (("m_BagSizePercent", "-P", 100), ("m_NumIterations", "-I", 10), ("m_Seed", "-S", 1)),
    "RandomCommittee": (("m_NumIterations", "-I", 10), ("m_Seed", "-S", 1)),
    "RandomSubSpace": (("m_SubSpaceSize", "-P", 0.5), ("m_NumIterations", "-I", 10), ("m_Seed", "-S", 1)),
}
"""For each learner its fields, the options that set them, and their defaults."""


class Mirrored(NamedTuple):
    """The mirror of a classifier, and what stands around it.

    Parameters
    ----------
    tree : TreeMirror or Forest
    filters : tuple of ColumnMap
        The filters of a FilteredClassifier around it, in the order of their use.
    costs : CostMatrix or None
        The costs of a CostSensitiveClassifier -M around it, which decide the class.
    """

    tree: TreeMirror | Forest
    filters: tuple[ColumnMap, ...]
    costs: CostMatrix | None


class Inside(NamedTuple):
    """The content of one of our classifiers for Weka.

    Parameters
    ----------
    model : bytes
        A model file of wekaconf, not checked.
    reject : float
        The certainty below which it gives no answer; NaN if the method's own rule decides.
    filters : tuple of ColumnMap
        The filters of a FilteredClassifier around it, in the order of their use.
    """

    model: bytes
    reject: float
    filters: tuple[ColumnMap, ...]


def load(path: str | os.PathLike[str], header: Header | None = None) -> Mirrored | Inside:
    """The mirror of the classifier in a file that Weka saved, and what stands around it.

    Parameters
    ----------
    path : path
        ``*.model`` or ``*.model.gz``, as Weka's Explorer, its command line (``-d``) and ``SerializationHelper`` write.
    header : Header, optional
        The header of the training data, which must be that in the file if the file has one.

    Returns
    -------
    Mirrored, or for one of our classifiers, such as weka.classifiers.trees.ConfDTree, an `Inside`

    Raises
    ------
    ModelFileError
        The file is absent, damaged or inconsistent, or holds no tree that has a mirror; the message says which.
    HeaderMismatchError
        ``header`` is not the one in the file.
    """
    name = os.fspath(path) or "''"
    if os.path.exists(path) and not os.path.isfile(path):
        raise ModelFileError(f"{name}: cannot be read: it is not a regular file; save it as one")
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError as error:
        raise ModelFileError(f"{name}: no such file; check the name and the folder") from error
    except OSError as error:
        raise ModelFileError(f"{name}: cannot be read: {error.strerror or error}") from error
    try:
        return _mirror(unpacked(data), header)
    except StreamError as error:
        raise ModelFileError(f"{name}: not a model that Weka saved, or damaged ({error})") from error
    except RefusedError as error:
        raise ModelFileError(f"{name}: {error}") from error
    except HeaderMismatchError as error:
        raise HeaderMismatchError(f"{name}: {error}") from None
    except Exception as error:  # a file from a stranger may lead to any other
        raise ModelFileError(f"{name}: damaged or invalid ({' '.join(str(error).split())[:300]})") from error


def is_weka_model(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins like one that Weka saved, gzipped or not; False if it cannot be read again."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            begin = file.read(len(MAGIC))
        if begin.startswith(GZIP):
            with gzip.open(path) as file:
                begin = file.read(len(MAGIC))
    except (OSError, EOFError, zlib.error):
        return False
    return begin == MAGIC


def _mirror(data: bytes, header: Header | None) -> Mirrored | Inside:
    classifier, *others = contents(data, 2) or [None]
    if not isinstance(classifier, JavaObject):
        raise StreamError("it holds no classifier")
    reader = HeaderReader(Budget(len(data)))
    filters: tuple[ColumnMap, ...] = ()
    costs = None
    for _ in range(MOST_WRAPPERS):
        if classifier.name == FILTERED:
            maps = tuple(column_maps(classifier.get("m_Filter", JavaObject), reader))
            if header is not None and maps:
                maps[0].input_header.check_same(header, "the output of a filter" if filters else "the given header")
            filters, others = filters + maps, []
            header = maps[-1].output_header if maps else header
        elif classifier.name == INPUT_MAPPED:
            others = [mapped_header(classifier, reader)]
        elif classifier.name == COST_SENSITIVE:
            if costs is not None and costs_of(classifier, reader) is not None:
                raise RefusedError("holds a CostSensitiveClassifier -M inside another; build it with one of them")
            costs = costs or costs_of(classifier, reader)
        else:
            break
        classifier = classifier.get("m_Classifier", JavaObject)
    if not _is_ours(classifier):
        tree = _classifier(classifier, header, reader, others)
        if costs is not None and len(costs.costs) != tree.header.n_classes:
            raise StreamError(f"its tree has {tree.header.n_classes} classes and its costs {len(costs.costs)} rows")
        return Mirrored(tree, filters, costs)
    if costs is not None:
        raise RefusedError(f"holds a CostSensitiveClassifier -M of a {classifier.shown_name}; only of trees it is read")
    return _inside(classifier, filters)


def _is_ours(classifier: JavaObject) -> bool:
    return "m_Outcome" in classifier.fields


def _inside(classifier: JavaObject, filters: tuple[ColumnMap, ...]) -> Inside:
    fitted = classifier.get("m_Outcome", JavaObject).fields.get("fitted")
    if fitted is None:
        raise RefusedError(f"holds a {classifier.shown_name} that was not trained; build it before saving it")
    if not isinstance(fitted, JavaObject):
        raise StreamError("fitted is no object")
    model = fitted.get("model", np.ndarray).tobytes()
    return Inside(model, float(classifier.fields.get("m_Reject", np.nan)), filters)


def _classifier(
    classifier: JavaObject, header: Header | None, reader: HeaderReader, others: Sequence[object]
) -> TreeMirror | Forest:
    """The mirror of a classifier; ``others`` are the values that follow it in the file."""
    members = members_of(classifier, reader)
    for member in members:
        check_built(member.classifier)
    file_header = _file_header(members, reader, others)
    if header is not None and file_header is not None:
        file_header.check_same(header, "the given header")
    header = header or file_header
    if header is None:
        raise RefusedError(
            "holds no header, since Weka could not grow a tree and kept a ZeroR in its place; save it with the header, "
            "as Weka's Explorer and command line do, or in Python give header= or train="
        )
    target = header.class_attribute
    if not target.is_nominal:
        raise RefusedError(
            f"holds a {classifier.name.rpartition('.')[2]} of the {target.kind} class {quoted(target.name)}; only "
            "trees that predict a nominal class have a mirror"
        )
    trees = tuple(_tree(member, header, reader.budget) for member in members)
    inner = inner_of(classifier)
    learner = ENSEMBLES.get(inner.name) or LEARNERS[inner.name]
    options = _options(inner, learner)
    if classifier.name == ATTRIBUTE_SELECTED:
        learner, options = "AttributeSelectedClassifier", f"-W {inner.name} -- {options}".removesuffix(" -- ")
    if inner.name in ENSEMBLES:
        return Forest(trees, learner=learner, options=options)
    return replace(trees[0], learner=learner, options=options)


INSTANCES = "weka.core.Instances"


def _file_header(members: Sequence[Member], reader: HeaderReader, others: Sequence[object]) -> Header | None:
    """The header of the data as the file, a choice of columns, or a tree keeps it."""
    candidates = [*others, *(_stored_header(member.classifier) for member in members if member.columns is None)]
    instances = next((part for part in candidates if isinstance(part, JavaObject) and part.name == INSTANCES), None)
    headers = [] if instances is None else [reader.header(instances)]
    headers += [member.header for member in members if member.header is not None]
    for header in headers[1:]:
        if header is not headers[0]:
            headers[0].check_same(header, "what a choice of columns was fitted on")
    return headers[0] if headers else None


def _stored_header(member: JavaObject) -> object:
    """The Instances that a tree stores as its header, if any."""
    places = {"J48": ("m_root", "m_train"), "REPTree": ("m_Tree", "m_Info"), "DecisionStump": ("m_Instances",)}
    owner: Any = member
    for name in places.get(LEARNERS[member.name], ("m_Info",)):
        owner = owner.fields.get(name) if isinstance(owner, JavaObject) else None
    return owner


def _tree(member: Member, header: Header, budget: Budget) -> TreeMirror:
    arrays, routing = arrays_of(member.classifier, member.tree_header(header), budget)
    learner = LEARNERS[member.classifier.name]
    check_stored(TreeMirror, arrays, {"n_classes": header.n_classes, "n_nodes": len(arrays["parent"])})
    if member.columns is not None:
        column = arrays["split_attribute"]
        arrays["split_attribute"] = np.where(column < 0, column, member.columns[column]).astype(column.dtype)
    record = {"routing": routing, "learner": learner, "options": _options(member.classifier, learner)}
    tree = TreeMirror.from_arrays(header, record, arrays)
    check_sound(tree)
    return tree


def _options(classifier: JavaObject, learner: str) -> str:
    """The options that are not at their defaults, as Weka writes them."""
    texts = []
    for name, option, default in OPTIONS[learner]:
        value = classifier.fields.get(name, default)
        if type(value) is type(default) and value != default:
            number = str(np.float32(value)) if name == "m_CF" else value
            texts.append(option if isinstance(value, bool) else f"{option} {number}")
    return " ".join(texts)
