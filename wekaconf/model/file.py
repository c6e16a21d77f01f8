"""Model files: a fitted method as numpy arrays and JSON, no pickle; it is loaded and answers without a JVM.

A file may come from anybody; everything in it is checked before it is used, since compiled code checks no bounds.

Sizes come first. Then each array is held against its declaration (`wekaconf.base.stored`), and what must agree across
arrays is checked by what reads it. What follows from the rest, such as regions and paths, is not kept but made anew, so
that it cannot contradict it. Nothing says that a stranger's model is any good, or quick: one made with
``tpce:inner=J48`` starts Java when it is asked, with the options that the file holds.
"""

from __future__ import annotations

import io
import json
import math
import os
import reprlib
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import IO, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import ModelFileError, NotFittedError, OptionError, WekaconfError
from wekaconf.base.files import atomic_write
from wekaconf.base.plugins import claims_of, plugin_of
from wekaconf.base.stored import (
    LARGEST_HEADER,
    MOST_PARTS,
    PADDING,
    RECORD,
    Parts,
    arrays_of,
    check_stored,
    declared,
    n_padding,
    stored,
)
from wekaconf.base.words import Setting
from wekaconf.bridge import live_classifiers
from wekaconf.data import Attribute, ColumnMap, CostMatrix, Dataset, Header, TrainingSummary, check_chain, header_of
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.checks import Repeats
from wekaconf.evaluation.promises import AnswerShares, ClassSets
from wekaconf.evaluation.summaries import Majority
from wekaconf.evaluation.thresholds import Choice, choose
from wekaconf.learners.foreign import (
    COST_SENSITIVE,
    FILTERED,
    INPUT_MAPPED,
    is_weka_model,
    sklearn_trees,
    weka_models,
)
from wekaconf.methods.contract import Method
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.fitted import Model, SeenRows
from wekaconf.model.scheme import class_names
from wekaconf.tree import COUNTED, Forest, TreeMirror, check_sound

FORMAT = 3
LONGEST_TEXT = 100
"""The largest number of characters in a date or a version."""


def save(path: str | os.PathLike[str], model: Model) -> None:
    """Write a model; see `Model.save`."""
    content = model_bytes(model)
    with atomic_write(path, "wb") as file:
        file.write(content)


def model_bytes(model: Model) -> bytes:
    """The bytes that `Model.save` writes; see there for the exceptions."""
    parts: dict[str, Any] = _collect_parts(model)
    file = io.BytesIO()
    np.savez_compressed(file, **parts)
    n_unpacked = sum(array.nbytes + LARGEST_HEADER for array in parts.values())
    if n := n_padding(n_unpacked, file.tell()):
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr(zipfile.ZipInfo(PADDING), bytes(n))
    return file.getvalue()


def _collect_parts(model: Model) -> dict[str, NDArray[Any]]:
    """The members of a model file."""
    fitted, tree = model.method, model.method.tree_
    arrays: dict[str, NDArray[Any]] = {f"learned/{name}": array for name, array in fitted.learned().items()}
    trees = tree.trees if isinstance(tree, Forest) else (tree,)
    tree_records, tree_arrays = zip(*(member.to_arrays() for member in trees), strict=True)
    for name, declaration in declared(TreeMirror).items():
        if declaration is not COUNTED or all(len(members[name]) for members in tree_arrays):
            arrays[f"trees/{name}"] = np.concatenate([members[name] for members in tree_arrays])
    sizes = _TreeSizes(
        np.array([member.n_nodes for member in trees], dtype=np.int64),
        np.array([len(member.split_subset) for member in trees], dtype=np.int64),
    )
    arrays.update({f"sizes/{name}": array for name, array in vars(sizes).items()})
    headers = []
    for i, column_map in enumerate(model.column_maps):
        arrays.update({f"filter/{i}/{name}": array for name, array in arrays_of(column_map).items()})
        headers.append([_header_record(column_map.input_header), _header_record(column_map.output_header)])
    seen: dict[str, Any] = {}
    if len(model.seen.digests):
        arrays["seen/digests"], seen["repeats"] = model.seen.digests, list(model.seen.usual)
    beside = {"summary": model.summary, "answer_shares": model.answer_shares, "class_sets": model.class_sets}
    for name, part in beside.items():
        if part is not None:
            arrays.update({f"{name}/{field}": array for field, array in arrays_of(part).items()})
    learner = {name: getattr(tree, name) for name in ("learner", "options", "weka_version")}
    if isinstance(tree, Forest):
        learner["votes"] = tree.votes
    plugin = plugin_of("method", type(fitted))
    record = {
        "format": FORMAT,
        "made": model.made or _now(),
        "versions": dict(model.versions)
        or {"wekaconf": version("wekaconf"), "Weka": tree.weka_version, "numpy": np.__version__},
        **({} if plugin is None else {"plugin": {"package": plugin.package, "version": plugin.version}}),
        "reading": model.reading.as_record(),
        "filters": headers,
        "method": fitted.name,
        "params": fitted.params,
        "choice": None if model.choice is None else model.choice.as_record(),
        **({} if model.majority is None else {"majority": model.majority.as_record()}),
        **seen,
        **{f"has_{name}": True for name, part in beside.items() if part is not None},
        "header": _header_record(tree.header),
        "is_forest": isinstance(tree, Forest),
        "learner": learner,
        "trees": tree_records,
    }
    parts: dict[str, NDArray[Any]] = {RECORD: np.frombuffer(json.dumps(record).encode(), dtype=np.uint8), **arrays}
    if len(parts) > MOST_PARTS:
        raise OptionError(
            f"{fitted.name} on {len(trees):,} trees has learned {len(parts):,} arrays, and a model file holds at most "
            f"{MOST_PARTS:,}; grow fewer trees",
            value_of="model",
        )
    return parts


def _now() -> str:
    """Date and time now, or those of ``SOURCE_DATE_EPOCH`` if it is set, so that files can be reproduced."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(seconds), UTC) if seconds.isdecimal() else datetime.now(UTC)
    return now.isoformat(timespec="seconds")


@dataclass(frozen=True, eq=False)
class _TreeSizes:
    """Number of nodes, and of flags in ``split_subset``, of each tree; the arrays of all trees follow one another."""

    n_nodes: Annotated[NDArray[np.int64], stored(np.int64, "n_trees", low=1)]
    n_flags: Annotated[NDArray[np.int64], stored(np.int64, "n_trees", low=0)]


def load(path: str | os.PathLike[str], *, plugins: Collection[str] = ()) -> Model:
    """Read a file that `Model.save` wrote; starts no JVM.

    Whatever the file holds, nothing in it is executed, and the model that is loaded answers with distributions.

    Parameters
    ----------
    path : str or path-like
    plugins : collection of str
        Installed packages that may be imported if the file holds a method of theirs; see docs/plugins.md.

    Returns
    -------
    Model
        The fitted method with its filters and threshold; it answers as it did before it was saved.

    Raises
    ------
    ModelFileError
        The file is absent, damaged or inconsistent, or is not a model file of this version.
    """
    name = os.fspath(path) or "''"
    if os.path.exists(path) and not os.path.isfile(path):
        raise ModelFileError(f"{name}: cannot be read: it is not a regular file; save it as one")
    try:
        with open(path, "rb") as file:
            return _read(file, plugins)
    except FileNotFoundError as error:
        raise ModelFileError(f"{name}: no such file; check the name and the folder") from error
    except OSError as error:
        raise ModelFileError(f"{name}: cannot be read: {error.strerror or error}") from error
    except _RefusalError as error:
        if is_weka_model(path):
            raise ModelFileError(f"{name}: a model that Weka saved; read it with wekaconf.mirror") from None
        raise ModelFileError(f"{name}: ", *error.args) from error.__cause__


def model_of_bytes(content: bytes, name: str) -> Model:
    """The model in the bytes of `model_bytes`; ModelFileError, which gives the name, as for `load`."""
    try:
        return _read(io.BytesIO(content), ())
    except _RefusalError as error:
        raise ModelFileError(f"{name}: ", *error.args) from error.__cause__


class _RefusalError(Exception):
    """An open file is not a model; the parts of the message say why."""


def _read(file: IO[bytes], plugins: Collection[str]) -> Model:
    try:
        parts = Parts(file)
        record = parts.record()
        file_format = record["format"]
    except Exception as error:  # zipfile, zlib, numpy and json raise many kinds on damaged bytes
        raise _RefusalError(f"not a model that wekaconf saved, or damaged{_reason(error)}") from error
    if file_format != FORMAT:
        raise _RefusalError(
            f"expected model format {FORMAT}, got {reprlib.repr(file_format)}; save it again with this version"
        )
    try:
        return _restore(_find_method(record, plugins), record, parts)
    except _RefusalError:
        raise
    except Exception as error:  # a file from a stranger may lead to any other
        raise _RefusalError(f"damaged or invalid{_reason(error)}") from error


def _find_method(record: dict[str, Any], plugins: Collection[str]) -> type[Method]:
    """The method of a file; that of another package is imported only if the caller allows the package."""
    name, claim = record.get("method"), record.get("plugin")
    known = Method.registry.get(name) if isinstance(name, str) else None
    if claim is None:
        if known is None:
            raise _RefusalError(f"holds the method {reprlib.repr(name)}, which this version lacks; install a newer one")
        return known
    package, number = _check_text(claim["package"]), _check_text(claim["version"])
    says = f"holds the method {reprlib.repr(name)} and says that it is of the package {package!r} {number!r}"
    installed = next((plugin for plugin in claims_of("method", str(name)) if plugin.package == package), None)
    if installed is None:
        raise _RefusalError(f"{says}, which is not installed")
    # Nobody but the package knows what another version changes.
    if installed.version != number:
        raise _RefusalError(f"{says}, and {installed.version!r} is installed; fit and save the model again with it")
    if known is None and package not in plugins:
        raise _RefusalError(f"{says}; if you trust that package, allow it: ", Setting("plugins", (package,)))
    return known or installed.load(Method)


def _reason(error: Exception) -> str:
    """The error in brackets; empty for most of Python's errors, whose words on unknown bytes would help nobody."""
    if isinstance(error, LookupError):
        return f" ({error} is missing)"
    if type(error) is ValueError or isinstance(error, WekaconfError):
        return f" ({' '.join(str(error).split())})"
    return " (its record is incomplete)" if isinstance(error, TypeError | AttributeError) else ""


def _restore(method: type[Method], record: dict[str, Any], parts: Parts) -> Model:
    header = _restore_header(record["header"])
    header.check_nominal_class()
    filters = []
    for i, headers in enumerate(record["filters"]):
        before, after = map(_restore_header, headers)
        arrays = parts.arrays(f"filter/{i}/", ColumnMap, ColumnMap.sizes(before, after))
        filters.append(ColumnMap.from_arrays(before, after, arrays))
    check_chain(filters, header)
    trees = tuple(_restore_trees(record["trees"], header, parts))
    if not record["is_forest"] and len(trees) != 1:
        raise ValueError(f"expected one tree, got {len(trees)}")
    tree = Forest(trees, **record["learner"]) if record["is_forest"] else trees[0]
    seen = parts.arrays("seen/", SeenRows, {})
    summary, shares, sets, sizes = None, None, None, {"n_classes": header.n_classes}
    if record.get("has_summary", False):
        before = filters[0].input_header if filters else header
        arrays = parts.arrays("summary/", TrainingSummary, TrainingSummary.sizes(before))
        summary = TrainingSummary.from_arrays(before, arrays)
    if record.get("has_answer_shares", False):
        shares = AnswerShares.from_arrays(parts.arrays("answer_shares/", AnswerShares, sizes), header.n_classes)
    if record.get("has_class_sets", False):
        sets = ClassSets.from_arrays(parts.arrays("class_sets/", ClassSets, sizes), header.n_classes)
    learned = method.read_learned(
        record["params"], tree, lambda prefix, *rest: parts.arrays(f"learned/{prefix}", *rest)
    )
    parts.check_all_read()
    fitted = method.restore(record["params"], tree, learned)
    choice = None if record["choice"] is None else Choice.of_record(record["choice"])
    return Model(
        fitted,
        tuple(filters),
        choice,
        made=_check_text(record["made"]),
        versions={_check_text(name): _check_text(number) for name, number in record["versions"].items()},
        reading=Reading.of_record(record.get("reading", {})),
        seen=SeenRows(**seen, usual=Repeats(*record.get("repeats", (0, 0)))),
        summary=summary,
        answer_shares=shares,
        class_sets=sets,
        majority=Majority.of_record(record["majority"], header.class_names) if "majority" in record else None,
    )


def _check_text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise ValueError(f"expected a text of at most {LONGEST_TEXT} characters, got {reprlib.repr(value)}")
    return value


def _restore_trees(records: list[dict[str, Any]], header: Header, parts: Parts) -> Iterator[TreeMirror]:
    n_trees = {"n_trees": len(records)}
    tree_sizes = parts.arrays("sizes/", _TreeSizes, n_trees)
    check_stored(_TreeSizes, tree_sizes, n_trees)
    ends = {name: np.cumsum(n) for name, n in tree_sizes.items()}
    sizes = {"n_classes": header.n_classes, **{name: int(end[-1]) for name, end in ends.items() if len(end)}}
    sizes["n_counted"] = sizes.get("n_nodes", 0)
    arrays = parts.arrays("trees/", TreeMirror, sizes)
    check_stored(TreeMirror, arrays, sizes)
    for i, record in enumerate(records):
        tree_arrays = {}
        for name, array in arrays.items():
            end = ends["n_flags" if name == "split_subset" else "n_nodes"]
            tree_arrays[name] = array[end[i - 1] if i else 0 : end[i]]
        tree = TreeMirror.from_arrays(header, record, tree_arrays)
        check_sound(tree)
        yield tree


def _header_record(header: Header) -> dict[str, Any]:
    """The header as a mapping that JSON can hold; `_restore_header` reads it."""
    record = asdict(header)
    if header.is_named:
        del record["is_named"]
    return record


def _restore_header(parts: dict[str, Any]) -> Header:
    attributes = tuple(map(_restore_attribute, parts["attributes"]))
    return Header(parts["relation"], attributes, parts["class_index"], bool(parts.get("is_named", True)))


def _restore_attribute(parts: dict[str, Any]) -> Attribute:
    inner = tuple(map(_restore_attribute, parts["inner"]))
    zone = _check_text(parts.get("zone", ""))
    return Attribute(parts["name"], parts["kind"], tuple(parts["values"]), parts["date_format"], inner, zone)


WRAPPERS = (FILTERED, COST_SENSITIVE, INPUT_MAPPED)
"""Classifiers of Weka's whose live objects are saved and read: filters and costs are no part of a tree."""


def mirror(thing: Any, *, header: Header | None = None, train: Dataset | None = None) -> TreeMirror | Forest | Model:
    """The mirror of a tree, or a forest, that others have grown.

    Parameters
    ----------
    thing : object
        * A fitted DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier, ExtraTreesClassifier or
          BaggingClassifier of such trees, of scikit-learn. Of a Pipeline the last step is mirrored: its mirror answers
          for instances that have passed the earlier steps.
        * The path of a ``.model`` or ``.model.gz`` file of Weka 3.8 or newer with a J48, REPTree, RandomTree,
          DecisionStump, RandomForest, or Bagging, RandomCommittee or RandomSubSpace of such trees, or an
          AttributeSelectedClassifier of these, which asks only about the columns that it has chosen. It is read without
          Java, and nothing in it is executed.
        * The same classifiers as live objects: of python-weka-wrapper3, or of Java through its bridge.
        * A classifier of ours inside Weka, such as weka.classifiers.trees.ConfDTree, live or in a file.
        * A FilteredClassifier of one of these, if its filter is Discretize, ReplaceMissingValues, Remove or Reorder, or
          a MultiFilter of such.
        * A CostSensitiveClassifier or InputMappedClassifier of one of these. Columns are matched by their exact names,
          as for every model: one that is absent is an error, where InputMappedClassifier takes it for missing.
    header : Header, optional
        The header of the data that it was trained on. Left out, for scikit-learn it is made from the estimator: its
        attributes have the names of ``feature_names_in_``, or else x1, x2, …; the class declares ``classes_`` as texts,
        in their order. A label belongs to the declared class of its name; else whole numbers are indices of declared
        classes. Weka's classifiers keep their header, and one that is given must be the same. (A REPTree or RandomTree
        that is but a ZeroR keeps none.)
    train : Dataset, optional
        The training data, if these are easier to give than the header.

    Returns
    -------
    TreeMirror, Forest or Model
        It answers bit for bit as the original does, missing values included. scikit-learn's own forests do so only with
        ``n_jobs=1``: with more jobs they add up in changing order. Of a FilteredClassifier a `Model`: it filters the
        data first, and its method is ``leaf_frequency`` on the mirror of the tree, which is ``model.method.tree_``. Of
        a CostSensitiveClassifier -M a `Model` that predicts the class of least expected cost; its probabilities are
        those that the costs weigh, while Weka gives that class the probability 1. Of a classifier of ours the `Model`
        that it holds, behind the filters if there are any.

    Raises
    ------
    OptionError
        There is no mirror for such a thing; the message says why.
    NotFittedError
        It has not been trained.
    HeaderMismatchError
        The header is not that of its training data.
    ModelFileError
        The file is absent or damaged, or holds no tree that has a mirror.
    """
    if train is not None:
        if header is not None:
            raise OptionError("mirror: give either header or train", value_of="header")
        header = header_of(train)
    if isinstance(thing, TreeMirror | Forest):
        return thing
    if isinstance(thing, str | os.PathLike):
        return _mirror_file(thing, header)
    if sklearn_trees.is_estimator(thing):
        return sklearn_trees.mirror(thing, header)
    java = live_classifiers.java_object(thing)
    if java is None:
        kind = "a class" if isinstance(thing, type) else type(thing).__name__
        raise OptionError(
            f"mirror: expected a fitted tree or forest of scikit-learn ({sklearn_trees.READ}), the path of a model "
            f"that Weka saved, or a classifier of Weka, got {kind}",
            value_of="tree",
        )
    name = live_classifiers.class_name(java)
    if name not in WRAPPERS and name not in class_names():
        return live_classifiers.mirror(java, header)
    with live_classifiers.saved_model(java) as path:
        try:
            return _mirror_file(path, header)
        except ModelFileError as error:
            reason = str(error).partition(": ")[2]
            raise (NotFittedError if "not trained" in reason else OptionError)(f"mirror: it {reason}") from error


def _mirror_file(path: str | os.PathLike[str], header: Header | None) -> TreeMirror | Forest | Model:
    """The mirror of the classifier in a model file of Weka's."""
    content = weka_models.load(path, header)
    if not isinstance(content, weka_models.Inside):
        return _with_filters_and_costs(*content)
    model = model_of_bytes(content.model, os.fspath(path))
    if content.filters:
        model.header.check_same(content.filters[-1].output_header, "the output of the filters")
        model = replace(model, filters=content.filters, summary=None)  # which is of what the filters gave
    if header is not None:
        model.header.check_same(header, "the given header")
    return model if math.isnan(content.reject) else replace(model, choice=choose(Aim("below", content.reject), [], []))


def _with_filters_and_costs(
    tree: TreeMirror | Forest, filters: tuple[ColumnMap, ...], costs: CostMatrix | None
) -> TreeMirror | Forest | Model:
    if not filters and costs is None:
        return tree
    choice = None
    if costs is not None:
        never = RejectCosts(costs, max(map(max, costs.costs)))
        choice = choose(Aim("cost", never), [], [])
    return Model(LeafFrequency.restore({}, tree, {}), filters, choice)
