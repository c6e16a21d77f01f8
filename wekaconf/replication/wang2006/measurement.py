"""The columns of Tables 3 and 4 of Wang and Zhang 2006, and the measurements on each data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from wekaconf.evaluation.protocol import Protocol
from wekaconf.evaluation.summaries import fold_values
from wekaconf.experiments.runner import evaluate
from wekaconf.methods.contract import Method
from wekaconf.model import scheme
from wekaconf.replication._data_files import load_set
from wekaconf.replication._runner import Record
from wekaconf.replication.wang2006.readings import table_reading
from wekaconf.report.evaluation import Result

PAPER = "wang2006"
METRIC = "auc_wang2006"
FOLDS = 10
PRINTED_RUNS = 5
"""Number of cross-validations of which the paper prints the means."""
DIGITS = 9
"""Decimals of the figure of a single fold in a record."""
Reading = Literal["table", "text", "honest"]
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
        See `wekaconf.replication.wang2006.study`.
    method : str
        The method as it is written on the command line.
    learner, options : str
        See `wekaconf.grow`.
    """

    table: int
    key: str
    reading: Reading
    method: str
    learner: str
    options: str = ""

    @property
    def name(self) -> str:
        """The printed name, such as C45-W or C45; the method for a control."""
        return printed_name(self.table, self.key) if self.key else self.method

    @property
    def sees_test_class(self) -> bool:
        """Whether it is shown the class of the test instances."""
        return self.reading == "table" and self.key in LEAKING


def printed_name(table: int, key: str) -> str:
    """A column's name as it is printed."""
    return TREES[table] if key == "own" else f"{TREES[table]}-{key}"


def _columns(table: int, learner: str, uncut: str, bagging: str) -> list[Column]:
    """The columns measured on the trees of a table; ``uncut`` are the options of Ling and Yan's J48."""
    column = partial(Column, table, learner=learner)
    return [
        column("C", "table", "shrinkage_wpe"),
        column("S", "table", "shrinkage"),
        column("W", "table", "wpe"),
        column("own", "table", "leaf_frequency"),
        column("M", "table", "m_branch"),
        Column(table, "L", "table", "ling_yan", "J48", uncut),
        Column(table, "B", "table", "leaf_frequency", "Bagging", bagging),
        column("C", "text", "shrinkage_wpe:reading=text"),
        column("S", "text", "shrinkage:reading=text"),
        column("W", "text", "wpe"),
        column("C", "honest", "shrinkage_wpe"),
        column("S", "honest", "shrinkage"),
        column("W", "honest", "wpe"),
        column("own", "honest", "leaf_frequency"),
        column("", "honest", "wpe:node=root"),
        column("", "honest", "shrinkage_wpe:weights=uniform"),
        column("", "honest", "curtailment"),
    ]


TEN_BAGS = "-I 10 -W weka.classifiers.trees.J48"
COLUMNS = (*_columns(3, "J48", "-U", TEN_BAGS), *_columns(4, "C44", "-U -O", f"{TEN_BAGS} -- -U -O -A"))


def measure(dataset: str, path: str, *, runs: int, seed: int) -> list[Record]:
    """Measure all columns on one data set.

    Parameters
    ----------
    dataset : str
        One of the paper's data sets.
    path : str
        The ARFF file of the data set; the last attribute is the class.
    runs, seed : int
        Weka's folds with the seeds ``seed``, …, ``seed + runs − 1``.

    Returns
    -------
    list of dict
        One record per `Column`: table, column and reading, the facts of `_record`.

    Raises
    ------
    ArffError, OptionError, BridgeError
        See `wekaconf.load_arff` and `wekaconf.evaluate`.
    """
    data = load_set(dataset, path)
    protocol = _protocol(runs, seed)
    evaluated: dict[tuple[str, str, str, bool], Result] = {}
    for learner, options in dict.fromkeys((column.learner, column.options) for column in COLUMNS):
        columns = [column for column in COLUMNS if (column.learner, column.options) == (learner, options)]
        distinct = dict.fromkeys((column.method, column.reading == "table") for column in columns)
        methods = [_method(*each) for each in distinct]
        evaluation = evaluate(
            data, methods, protocol=protocol, learner=learner, options=options, name=dataset, metrics=[METRIC]
        )
        for (method, in_table_reading), result in zip(distinct, evaluation, strict=True):
            evaluated[learner, options, method, in_table_reading] = result
    return [
        {"paper": PAPER, "table": column.table, "column": column.name, "reading": column.reading}
        | {"sees_test_class": column.sees_test_class, "method": column.method}
        | _record(evaluated[column.learner, column.options, column.method, column.reading == "table"], data.n_classes)
        for column in COLUMNS
    ]


def measure_iterations(dataset: str, path: str, *, runs: int, seed: int, iterations: Sequence[int]) -> list[Record]:
    """Measure column C45-C with several numbers of iterations of Algorithm DIW.

    Parameters
    ----------
    dataset, path, runs, seed
        See `measure`.
    iterations : sequence of int

    Returns
    -------
    list of dict
        One record per number of iterations and reading, table and honest: column, reading and iterations, and the facts
        of `_record`.
    """
    data = load_set(dataset, path)
    settings = [(n, in_table_reading) for in_table_reading in (True, False) for n in iterations]
    methods = [_method(f"shrinkage_wpe:iterations={n}", in_table_reading) for n, in_table_reading in settings]
    evaluation = evaluate(data, methods, protocol=_protocol(runs, seed), learner="J48", name=dataset, metrics=[METRIC])
    return [
        {"paper": PAPER, "figure": 3, "column": "C45-C", "reading": "table" if in_table_reading else "honest"}
        | {"iterations": n, "sees_test_class": in_table_reading, "method": "shrinkage_wpe"}
        | _record(result, data.n_classes)
        for (n, in_table_reading), result in zip(settings, evaluation, strict=True)
    ]


def _protocol(runs: int, seed: int) -> Protocol:
    return Protocol(folds=FOLDS, seed=seed, runs=runs, preprocess=PAPER)


def _method(text: str, in_table_reading: bool) -> Method:
    method = scheme.parse_method(text)
    return table_reading(method) if in_table_reading else method


def _record(result: Result, n_classes: int) -> dict[str, Any]:
    """The part of a result that a record keeps.

    Returns
    -------
    dict
        dataset, n_instances, n_classes (declared), learner, options, folds, runs, seed, metric, measured (percent, mean
        over the folds of all runs), fold_values (the same of each fold, run by run, to `DIGITS` decimals), versions.
    """
    record, answers = result
    values = 100 * fold_values(answers, [METRIC]).values[METRIC]
    names = ("dataset", "n_instances", "learner", "options", "folds", "runs", "seed")
    return {name: record[name] for name in names} | {
        "n_classes": n_classes,
        "metric": METRIC,
        "measured": 100 * record["fold_mean"][METRIC],
        "fold_values": np.round(values, DIGITS).tolist(),
        "versions": record["versions"],
    }
