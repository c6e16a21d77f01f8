"""The process that `models` hands files to: reads a path from each line of standard input, prints one line on it."""

from __future__ import annotations

import resource
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import wekaconf as wc
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.model_file import load_model

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from attacks._forms import form

Array = np.ndarray[Any, Any]

LARGEST_MEMORY = 6 * 2**30
N_ROWS, N_ROWS_OF_SLOW = 24, 3
"""Instances asked about; fewer where each grows trees."""
LARGEST_ROUNDING = 1e-6
"""How far rows of the tree's own answers may be off 1."""


def main() -> None:
    """Answer until the input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST_MEMORY, LARGEST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore", wc.Note)
    warnings.filterwarnings("error", category=RuntimeWarning, module="wekaconf")
    for line in sys.stdin:
        print(" ".join(verdict(line.strip()).split()), flush=True)


def verdict(path: str) -> str:
    """A word, and why."""
    try:
        model = load_model(path)
        method = model.method
    except wc.ModelFileError as error:
        return f"refused {error}"
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
        return f"raises {type(error).__name__} when asked: {error}"
    return "answers"


def random_instances(header: wc.Header) -> wc.Dataset:
    """Some rows of any values that the header allows."""
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


def asked(method: wc.PostProcessor, data: wc.Dataset) -> Iterator[str]:
    """What is wrong with the answers."""
    proba, certainty = method.predict_proba(data), method.certainty(data)
    if proba.shape != (len(data), len(data.class_names)) or certainty.shape != (len(data),):
        yield f"shapes {proba.shape}, {certainty.shape}"
    if not np.isfinite(proba).all() or not (proba >= -1e-9).all():
        yield "no probabilities"
    is_own = method.name == "leaf_frequency"
    is_off = np.abs(proba.sum(axis=1) - 1) > (LARGEST_ROUNDING if is_own else 1e-9)
    if (is_off & ~(declines(method.tree_, data) & (is_own | ~proba.any(axis=1)))).any():
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
    """Whether a tree of REPTree or RandomTree leaves a part of each instance unanswered, as it does in Weka."""
    trees = tree.trees if isinstance(tree, wc.Forest) else (tree,)
    may = any(not each.routing.keeps_counts for each in trees)
    return may & (np.abs(tree.predict_proba(data).sum(axis=1) - 1) > LARGEST_ROUNDING)


if __name__ == "__main__":
    main()
