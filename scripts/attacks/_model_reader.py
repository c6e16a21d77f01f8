"""The process in which `models` has files opened: reads a path per line of standard input, prints one line on each."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from support.forms import form

import wekaconf as wc
from attacks._reader import answer_paths, limit_memory
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut
from wekaconf.model.file import load

Array = np.ndarray[Any, Any]

N_ROWS, N_ROWS_OF_SLOW = 24, 3
"""Number of instances to answer for; fewer for methods that grow trees for each."""
LONGEST = 1.0
"""Seconds of the processor after which a file of Weka must have been refused."""
LARGEST_ROUNDING = 1e-6
"""How far the sums of the tree's own answers may differ from 1."""


def verdict(path: str) -> str:
    """What became of a file, in one word, and the reason."""
    began = time.process_time()
    try:
        model = load(path) if path.endswith(".wct") else mirrored(path)
        method = model.method
    except wc.ModelFileError as error:
        took = time.process_time() - began
        return f"refused {error}" if took < LONGEST or path.endswith(".wct") else f"slow, {took:.1f} s: {error}"
    except Exception as error:
        return f"raises {type(error).__name__} when loaded: {error}"
    try:
        data = model.conform(random_instances(model.header))
        data = data.take(slice(-N_ROWS_OF_SLOW, None)) if isinstance(method, LeavesOneOut) else data
        answers = []
        for is_compiled in (False, True):
            with form(is_compiled=is_compiled):
                for fault in asked(method, data):
                    return f"wrong {fault}, compiled: {is_compiled}"
                answers.append(method.predict_proba(data))
        if not np.array_equal(*answers):
            return "wrong the compiled form differs"
    except Exception as error:
        return f"raises {type(error).__name__} when answering: {error}"
    return "answers"


def mirrored(path: str) -> wc.Model:
    """A model that answers as the tree in a file of Weka, after the filters that the file holds."""
    found = wc.mirror(path)
    return found if isinstance(found, wc.Model) else wc.Model(wc.LeafFrequency.restore({}, found, {}))


def random_instances(header: wc.Header) -> wc.Dataset:
    """Rows with any values that the header allows."""
    rng = np.random.default_rng(1)
    values = np.empty((N_ROWS, len(header.attributes)))
    for column, attribute in enumerate(header.attributes):
        if attribute.is_indexed:
            n = len(attribute.values)
            values[:, column] = rng.integers(n, size=N_ROWS) if n else np.nan
        else:
            values[:, column] = rng.normal(size=N_ROWS).round(1) * rng.choice([1, 1, 1, 100], size=N_ROWS)
    values[rng.random(values.shape) < 0.1] = np.nan
    values[-1] = np.nan
    return wc.Dataset(header, values)


def asked(method: wc.Method, data: wc.Dataset) -> Iterator[str]:
    """The faults in the answers."""
    proba, certainty = method.predict_proba(data), method.certainty(data)
    if proba.shape != (len(data), len(data.class_names)) or certainty.shape != (len(data),):
        yield f"shapes {proba.shape}, {certainty.shape}"
    if not np.isfinite(proba).all() or not (proba >= -1e-9).all():
        yield "not probabilities"
    is_plain = method.name == "leaf_frequency"
    is_off = np.abs(proba.sum(axis=1) - 1) > (LARGEST_ROUNDING if is_plain else 1e-9)
    if (is_off & ~(declines(method.tree_, data) & (is_plain | ~proba.any(axis=1)))).any():
        yield f"sums {proba.sum(axis=1)[:8]}"
    if np.isnan(certainty).any() or (certainty < 0).any():
        yield "certainty"
    if not np.isfinite(method.scores(data)).all() or np.isnan(method.ranking(data)).any():
        yield "scores"
    method.predict(data)
    method.reject(data, below=0.5)
    method.affected(data)
    explanation = method.explain(data)
    [str(event) for i in range(len(data)) for event in explanation[i]]


def declines(tree: wc.TreeMirror | wc.Forest, data: wc.Dataset) -> Array:
    """(n,) bool: whether a tree of REPTree or RandomTree leaves part of an instance unanswered, as it does in Weka."""
    trees = tree.trees if isinstance(tree, wc.Forest) else (tree,)
    may = any(not each.routing.keeps_counts for each in trees)
    return may & (np.abs(tree.predict_proba(data).sum(axis=1) - 1) > LARGEST_ROUNDING)


if __name__ == "__main__":
    limit_memory()
    warnings.simplefilter("ignore", wc.Note)
    warnings.filterwarnings("error", category=RuntimeWarning, module="wekaconf")
    answer_paths(verdict)
