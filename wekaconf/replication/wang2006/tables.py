"""Tables 3 and 4 of Wang and Zhang 2006: columns, printed cells, and the figures measured for comparison."""

from __future__ import annotations

import csv
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any, Literal

from wekaconf import scheme
from wekaconf.data.arff import load_arff
from wekaconf.data.dataset import Dataset
from wekaconf.errors import Note, OptionError
from wekaconf.naming import nearest
from wekaconf.postprocessor import PostProcessor
from wekaconf.protocol.protocol import Protocol
from wekaconf.replication.runner import Replicated, Underway, find_sets, run_sets, some
from wekaconf.replication.wang2006.readings import table_reading
from wekaconf.session import evaluate

PAPER = "wang2006"
METRIC = "auc_wang2006"
FOLDS = 10
KEYS = ("C", "S", "W", "own", "M", "L", "B")
"""The columns in their printed order; "own" is the tree's own answer, C45 or C44."""
LEAKING = ("W", "C")
"""The columns whose table reading is shown the class of the test instances."""
TREES = {3: "C45", 4: "C44"}
"""The start of the column names of each table."""


@dataclass(frozen=True)
class Column:
    """A figure that is measured on every data set.

    Parameters
    ----------
    table : int
        3 or 4.
    key : str
        The printed column to compare it with, one of `KEYS`; empty for a control, which has none.
    reading : {"table", "text", "honest"}
    method : str
        As it is written on the command line.
    learner, options : str
        See `wekaconf.grow`.
    """

    table: int
    key: str
    reading: Literal["table", "text", "honest"]
    method: str
    learner: str
    options: str = ""

    @property
    def name(self) -> str:
        """The printed name, such as C45-W or C45; the method for a control."""
        if not self.key:
            return self.method
        return TREES[self.table] if self.key == "own" else f"{TREES[self.table]}-{self.key}"


def _columns(table: int, learner: str, uncut: str, bagging: str) -> list[Column]:
    """The columns measured on the trees of a table; ``uncut`` are the options of Ling and Yan's J48."""
    ours = partial(Column, table, learner=learner)
    return [
        ours("C", "table", "shrinkage_wpe"),
        ours("S", "table", "shrinkage"),
        ours("W", "table", "wpe"),
        ours("own", "table", "leaf_frequency"),
        ours("M", "table", "m_branch"),
        Column(table, "L", "table", "ling_yan", "J48", uncut),
        Column(table, "B", "table", "leaf_frequency", "Bagging", bagging),
        ours("C", "text", "shrinkage_wpe:reading=text"),
        ours("S", "text", "shrinkage:reading=text"),
        ours("W", "text", "wpe"),
        ours("C", "honest", "shrinkage_wpe"),
        ours("S", "honest", "shrinkage"),
        ours("W", "honest", "wpe"),
        ours("own", "honest", "leaf_frequency"),
        ours("", "honest", "wpe:node=root"),
        ours("", "honest", "shrinkage_wpe:weights=uniform"),
    ]


TEN_BAGS = "-I 10 -W weka.classifiers.trees.J48"
COLUMNS = (*_columns(3, "J48", "-U", TEN_BAGS), *_columns(4, "C44", "-U -O", f"{TEN_BAGS} -- -U -O -A"))


@cache
def published() -> dict[tuple[int, str, str], float]:
    """The printed cells: (table, data set, key of `KEYS`) to AUC in percent, in the paper's order.

    Data sets have the names of their files; the "sink" of Table 4 is sick.
    """
    rows = _rows("cells.csv")
    return {(int(row["table"]), row["dataset"], key): float(row[key]) for row in rows for key in KEYS}


def data_sets() -> list[str]:
    """The 35 data sets, in the paper's order."""
    return list(dict.fromkeys(dataset for _, dataset, _ in published()))


def measure(dataset: str, path: str, *, runs: int, seed: int) -> list[dict[str, Any]]:
    """Measure all columns on one data set.

    Parameters
    ----------
    dataset : str
        One of `data_sets`.
    path : str
        Its ARFF file; the last attribute is the class.
    runs, seed : int
        Weka's folds with the seeds ``seed``, …, ``seed + runs − 1``.

    Returns
    -------
    list of dict
        One record per `Column`, as in `wekaconf.evaluate`, with: paper, dataset, table, column, reading,
        sees_test_class, n_instances, n_classes (declared), protocol, folds, seed, runs, metric, measured (percent),
        published (percent, None for a control) and difference (measured − published).

    Raises
    ------
    ArffError, OptionError, BridgeError
        See `wekaconf.load_arff` and `wekaconf.evaluate`.
    """
    data = load_arff(path)
    _check_size(dataset, path, data)
    protocol = Protocol(folds=FOLDS, seed=seed, runs=runs, preprocess=PAPER)
    evaluated: dict[tuple[str, str, str, bool], dict[str, Any]] = {}
    for learner, options in dict.fromkeys((column.learner, column.options) for column in COLUMNS):
        columns = [column for column in COLUMNS if (column.learner, column.options) == (learner, options)]
        distinct = dict.fromkeys((column.method, column.reading == "table") for column in columns)
        methods = [_method(method, in_table_reading) for method, in_table_reading in distinct]
        evaluation = evaluate(data, methods, protocol=protocol, learner=learner, options=options, name=dataset)
        for (method, in_table_reading), (record, _) in zip(distinct, evaluation, strict=True):
            evaluated[learner, options, method, in_table_reading] = record
    records = []
    for column in COLUMNS:
        record = evaluated[column.learner, column.options, column.method, column.reading == "table"]
        measured = 100 * record["fold_mean"][METRIC]
        printed = published()[column.table, dataset, column.key] if column.key else None
        records.append(
            {"paper": PAPER, "table": column.table, "column": column.name}
            | record
            | {
                "n_classes": data.n_classes,
                "metric": METRIC,
                "reading": column.reading,
                "sees_test_class": column.reading == "table" and column.key in LEAKING,
                "measured": measured,
                "published": printed,
                "difference": None if printed is None else measured - printed,
            }
        )
    return records


def _check_size(dataset: str, path: str, data: Dataset) -> None:
    """Warn with a `Note` if the file is not the data set that the cells were printed for."""
    [row] = [row for row in _rows("sets.csv") if row["dataset"] == dataset]
    expected = [int(row[key]) for key in ("instances", "attributes", "classes")]
    actual = [len(data), len(data.attributes), data.n_classes]
    if actual != expected:
        sizes = ["{} instances, {} attributes and {} classes".format(*size) for size in (expected, actual)]
        warnings.warn(
            Note(f"{path}: expected {sizes[0]}, got {sizes[1]}; the published figures are for another data set"),
            stacklevel=2,
        )


def _rows(name: str) -> list[dict[str, str]]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _method(text: str, in_table_reading: bool) -> PostProcessor:
    method = scheme.parse_method(text)
    return table_reading(method) if in_table_reading else method


def replicate(
    folder: str | os.PathLike[str],
    *,
    sets: Sequence[str] = (),
    runs: int = 5,
    seed: int = 1,
    jobs: int = 1,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Underway], None] = lambda _: None,
) -> Replicated:
    """Recompute Tables 3 and 4.

    Preprocessing ``wang2006`` fitted on the whole set, Weka's ten folds, ``auc_wang2006``, mean over the folds.

    Parameters
    ----------
    folder : path
        The folder with the ARFF files, gzipped or not, named as the data sets in the tables.
    sets : sequence of str
        Some of `data_sets`; all when empty.
    runs, seed : int
        See `measure`; the paper has 5 runs.
    jobs, resume, on_progress
        See `run_sets`.

    Returns
    -------
    Replicated
        The records of `measure`, data sets in the paper's order.

    Raises
    ------
    OptionError
        There is no such folder or data set, or the folder holds none of the sets.
    """
    known = data_sets()
    for name in sets:
        if name not in known:
            raise OptionError(f"no data set '{name}' in wang2006{nearest(name, known) or f'; it has {some(known)}'}")
    paths, missing = find_sets(folder, [name for name in known if not sets or name in sets])
    records, failed = run_sets(
        PAPER,
        partial(measure, runs=runs, seed=seed),
        paths,
        parameters={"runs": runs, "seed": seed},
        jobs=jobs,
        resume=resume,
        on_progress=on_progress,
    )
    return Replicated(records, missing, failed)
