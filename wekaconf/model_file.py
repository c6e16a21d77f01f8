"""A fitted method in one portable file: numpy arrays and JSON, no pickle; loads and answers without a JVM."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from wekaconf.dataset import Attribute, Header
from wekaconf.errors import ModelFileError
from wekaconf.files import atomic_write
from wekaconf.postprocessor import PostProcessor
from wekaconf.tree import ARRAY_DTYPES, Forest, TreeMirror

FORMAT = 1
RECORD = "record.json"


def save_model(path: str | os.PathLike[str], method: PostProcessor) -> None:
    """Write a fitted method with its tree.

    Parameters
    ----------
    path : path
        Usually ``*.wct``; replaced only when everything is written.
    method : PostProcessor

    Raises
    ------
    NotFittedError
    """
    arrays: dict[str, NDArray[Any]] = {f"learned/{name}": array for name, array in method.learned().items()}
    tree = method.tree_
    trees = tree.trees if isinstance(tree, Forest) else (tree,)
    for i, member in enumerate(trees):
        arrays.update({f"tree/{i}/{name}": array for name, array in member.to_arrays()[1].items()})
    record = {
        "format": FORMAT,
        "method": method.name,
        "params": method.params,
        "header": asdict(tree.header),
        "is_forest": isinstance(tree, Forest),
        "learner": {name: getattr(tree, name) for name in ("learner", "options", "weka_version")},
        "trees": [member.to_arrays()[0] for member in trees],
    }
    parts: dict[str, Any] = {RECORD: np.frombuffer(json.dumps(record).encode(), dtype=np.uint8), **arrays}
    with atomic_write(path, "wb") as file:
        np.savez_compressed(file, **parts)


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


def _restore(record: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> PostProcessor:
    header = record["header"]
    header = Header(header["relation"], tuple(map(_attribute, header["attributes"])), header["class_index"])
    trees = tuple(
        TreeMirror.from_arrays(header, about, {name: arrays[f"tree/{i}/{name}"] for name in ARRAY_DTYPES})
        for i, about in enumerate(record["trees"])
    )
    learned = {name.removeprefix("learned/"): array for name, array in arrays.items() if name.startswith("learned/")}
    tree = Forest(trees, **record["learner"]) if record["is_forest"] else trees[0]
    return PostProcessor.registry[record["method"]].restore(record["params"], tree, learned)


def _attribute(parts: dict[str, Any]) -> Attribute:
    inner = tuple(map(_attribute, parts["inner"]))
    return Attribute(parts["name"], parts["kind"], tuple(parts["values"]), parts["date_format"], inner)
