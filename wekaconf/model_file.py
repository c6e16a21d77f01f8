"""A fitted method in one portable file: numpy arrays and JSON, no pickle; loads and answers without a JVM."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from wekaconf.bridge.filters import FittedFilter
from wekaconf.column_map import ColumnMap
from wekaconf.dataset import Attribute, Header
from wekaconf.errors import ModelFileError, OptionError
from wekaconf.files import atomic_write
from wekaconf.postprocessor import PostProcessor
from wekaconf.tree import Forest, TreeMirror

FORMAT = 1
RECORD = "record.json"


def save_model(
    path: str | os.PathLike[str], method: PostProcessor, *, filters: Sequence[FittedFilter | ColumnMap] = ()
) -> None:
    """Write a fitted method with its tree.

    Parameters
    ----------
    path : path
        Usually ``*.wct``; replaced only when everything is written.
    method : PostProcessor
    filters : sequence of FittedFilter or ColumnMap
        What instances go through before the method sees them, in this order; see `load_filters`.

    Raises
    ------
    NotFittedError
    OptionError
        ``method`` is none, or a filter is not one that can be held as arrays.
    OSError
        The file cannot be written.
    """
    if not isinstance(method, PostProcessor):
        raise OptionError(
            f"expected a fitted method, got {type(method).__name__}; a bare tree is saved as "
            "method('leaf_frequency').fit(tree, train)"
        )
    arrays: dict[str, NDArray[Any]] = {f"learned/{name}": array for name, array in method.learned().items()}
    tree = method.tree_
    trees = tree.trees if isinstance(tree, Forest) else (tree,)
    tree_records = []
    for i, member in enumerate(trees):
        tree_record, tree_arrays = member.to_arrays()
        tree_records.append(tree_record)
        arrays.update({f"tree/{i}/{name}": array for name, array in tree_arrays.items()})
    headers = []
    for i, column_map in enumerate(map(_column_map, filters)):
        arrays.update({f"filter/{i}/{name}": array for name, array in column_map.to_arrays().items()})
        headers.append([asdict(column_map.input_header), asdict(column_map.output_header)])
    learner = {name: getattr(tree, name) for name in ("learner", "options", "weka_version")}
    if isinstance(tree, Forest):
        learner["votes"] = tree.votes
    record = {
        "format": FORMAT,
        "filters": headers,
        "method": method.name,
        "params": method.params,
        "training_instances": method.n_kept,
        "header": asdict(tree.header),
        "is_forest": isinstance(tree, Forest),
        "learner": learner,
        "trees": tree_records,
    }
    parts: dict[str, Any] = {RECORD: np.frombuffer(json.dumps(record).encode(), dtype=np.uint8), **arrays}
    with atomic_write(path, "wb") as file:
        np.savez_compressed(file, **parts)


def _column_map(fitted: FittedFilter | ColumnMap) -> ColumnMap:
    found = fitted.column_map if isinstance(fitted, FittedFilter) else fitted
    if found is None:
        assert isinstance(fitted, FittedFilter)
        raise OptionError(
            f"{fitted.class_name} {fitted.options} cannot be held as arrays, so it cannot travel in a model file; "
            "filter the data beforehand"
        )
    return found


def load_model(path: str | os.PathLike[str]) -> PostProcessor:
    """Read what `save_model` wrote; starts no JVM.

    Returns
    -------
    PostProcessor
        Fitted.

    Raises
    ------
    ModelFileError
        The file is absent, damaged, or not of this kind and version.
    """
    return read_model(path)[0]


def load_filters(path: str | os.PathLike[str]) -> tuple[ColumnMap, ...]:
    """The filters that a model was saved with, to be applied in this order; raises as `load_model`."""
    return read_model(path)[1]


def read_model(path: str | os.PathLike[str]) -> tuple[PostProcessor, tuple[ColumnMap, ...]]:
    """Method and filters of a model file, read once; raises as `load_model`."""
    import wekaconf.methods  # noqa: F401 - registers the methods

    name = os.fspath(path)
    try:
        with open(path, "rb") as file, NpzFile(file, allow_pickle=False) as parts:
            arrays = {part: parts[part] for part in parts.files}
        record = json.loads(arrays.pop(RECORD).tobytes())
        found = record["format"]
    except OSError as error:
        raise ModelFileError(f"{name}: cannot be read: {error.strerror or error}") from error
    except Exception as error:  # whatever zipfile, zlib, numpy and json make of damaged bytes
        raise ModelFileError(f"{name}: not a model that wekaconf saved, or damaged ({_reason(error)})") from error
    if found != FORMAT:
        raise ModelFileError(f"{name}: expected model format {FORMAT}, got {found}; save it anew with this version")
    method = str(record.get("method"))
    if method not in PostProcessor.registry:
        raise ModelFileError(f"{name}: holds the method '{method}', which this version lacks; install a newer one")
    try:
        return _restore(record, arrays)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ModelFileError(f"{name}: its parts contradict one another ({_reason(error)})") from error


def _reason(error: Exception) -> str:
    """One line that names a missing key too."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


def _restore(record: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> tuple[PostProcessor, tuple[ColumnMap, ...]]:
    header = _header(record["header"])
    filters = tuple(
        ColumnMap.from_arrays(_header(before), _header(after), _below(arrays, f"filter/{i}/"))
        for i, (before, after) in enumerate(record["filters"])
    )
    trees = tuple(
        TreeMirror.from_arrays(header, about, _below(arrays, f"tree/{i}/")) for i, about in enumerate(record["trees"])
    )
    tree = Forest(trees, **record["learner"]) if record["is_forest"] else trees[0]
    method = PostProcessor.registry[record["method"]]
    return method.restore(record["params"], tree, _below(arrays, "learned/")), filters


def _below(arrays: dict[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _header(parts: dict[str, Any]) -> Header:
    return Header(parts["relation"], tuple(map(_attribute, parts["attributes"])), parts["class_index"])


def _attribute(parts: dict[str, Any]) -> Attribute:
    inner = tuple(map(_attribute, parts["inner"]))
    return Attribute(parts["name"], parts["kind"], tuple(parts["values"]), parts["date_format"], inner)
