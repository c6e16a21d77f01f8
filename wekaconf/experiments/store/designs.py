"""Designs: the test rows, classes and weights that all methods on one data set and protocol share, kept once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import LARGEST_WEIGHT, check_stored, stored
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.cross_validation import Answers, FoldAnswers, FoldKind
from wekaconf.experiments.store.packing import digest_of_arrays, pack_arrays, unpack_arrays
from wekaconf.experiments.store.record_schema import damage_errors

SHARED = ("actual", "is_foreign", "weights", "run", "fold", "instance", "known", "training_weight")
"""The fields of `Answers` that do not depend on the method."""


def keep_design(connection: sqlite3.Connection, answers: Answers) -> int:
    """The id of the design of these answers, which is written unless it is there already."""
    arrays, facts = {name: getattr(answers, name) for name in SHARED}, {"class_names": answers.class_names}
    fingerprint = digest_of_arrays(arrays, facts)
    existing = connection.execute("SELECT id FROM design WHERE fingerprint = ?", (fingerprint,)).fetchone()
    if existing is not None:
        return int(existing[0])
    row = fingerprint, pack_arrays(arrays, facts)
    design = connection.execute("INSERT INTO design (fingerprint, asked) VALUES (?, ?)", row).lastrowid
    assert design is not None
    return design


@dataclass(frozen=True)
class _Design:
    """The arrays of a design, see `Answers`."""

    known: Annotated[NDArray[np.bool_], stored(np.bool_, "n_runs", "n_classes")]
    actual: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=-1, below="n_classes")]
    is_foreign: Annotated[NDArray[np.bool_], stored(np.bool_, "n_answers")]
    weights: Annotated[FloatArray, stored(np.float64, "n_answers", low=0, high=LARGEST_WEIGHT)]
    run: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=0, below="n_runs")]
    fold: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=0)]
    instance: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=0)]
    training_weight: Annotated[FloatArray, stored(np.float64, "n_splits", "n_classes", low=0)]


def read_design(connection: sqlite3.Connection, path: str, design: int, n_classes: int) -> dict[str, Any]:
    """The fields of `Answers` that do not depend on the method.

    Raises
    ------
    StoreError
        They are damaged.
    """
    with damage_errors(path, f"design {design}"):
        [content] = connection.execute("SELECT asked FROM design WHERE id = ?", (design,)).fetchone()
        arrays, facts = unpack_arrays(content)
        names = facts["class_names"]
        check_stored(_Design, arrays, {"n_classes": n_classes})
        if not all(isinstance(name, str) for name in names) or len(names) != n_classes:
            raise ValueError(f"expected the names of {n_classes} classes")
        return {name: arrays[name] for name in SHARED} | {"class_names": tuple(names)}


def answers_of(design: dict[str, Any], folds: Iterable[tuple[int, FoldKind, FoldAnswers]]) -> Answers:
    """The answers of a method, from those to its folds in their order; ValueError if some are missing."""
    answers = Answers.of(design, folds)
    if len(answers.training_weight) != answers.split.max() + 1:
        raise ValueError("the weights of a training set are missing")
    return answers
