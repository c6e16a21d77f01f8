"""TPCE against as many trees."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks._measuring import WEKACONF, Row, run_quietly, side_by_side, uci
from benchmarks.doors import java_j48


def costa2013() -> Iterator[Row]:
    from wekaconf.learners.info_gain._learning_set import LearningSet
    from wekaconf.learners.info_gain._rules import Rules

    rules = Rules()
    for name, wanted in (("diabetes", 20), ("vehicle", 50), ("segment", 100), ("waveform-5000", 200)):
        learning = LearningSet.of(uci(name))
        row = np.repeat(np.arange(len(learning)), len(learning.present))
        label = np.tile(learning.present, len(learning))
        few = np.random.default_rng(9).choice(len(row), 400, replace=False)
        grow = partial(grow_all, learning, rules, row[few], label[few])
        share = len(row) / len(few)
        claim = f"TPCE on {name}, leave-one-out, {len(row):,} instances × labels"
        times = side_by_side(partial(learning.left_out_counts, rules, row, label), grow, repeats=3)
        yield Row(f"{claim}, all at once, against as many trees ({len(few)}, scaled up)", times[0], times[1] * share,
                  wanted=wanted)  # fmt: skip
    folder = os.environ["WEKACONF_UCI"]
    with tempfile.TemporaryDirectory() as name:
        path = str(Path(folder).resolve() / "waveform-5000.arff")
        times = side_by_side(
            partial(run_quietly, name, WEKACONF, "evaluate", path, "--method", "tpce", "-x", "loo"),
            partial(run_quietly, name, *java_j48(), "-t", path, "-x", "10"),
            repeats=3,
        )
    yield Row("`wekaconf evaluate waveform-5000.arff --method tpce -x loo`, whole process, against a 10-fold "
              "cross-validation of `java weka.classifiers.trees.J48`", *times, wanted=3, is_cost=True)  # fmt: skip


def grow_all(learning: Any, rules: Any, rows: np.ndarray, labels: np.ndarray) -> None:
    """Grow as many whole trees, in threads."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(partial(grow_one, learning, rules), rows, labels))


def grow_one(learning: Any, rules: Any, row: int, label: int) -> None:
    """Grow the whole tree after one instance gets a new label, without making a mirror."""
    from wekaconf.learners.info_gain import compiled
    from wekaconf.learners.info_gain._rules import NOBODY

    target = learning.target.copy()
    target[row] = label
    is_other = np.arange(len(learning)) != row
    compiled.whole_tree(*replace(learning, target=target)._arrays(rules, is_other), NOBODY)
