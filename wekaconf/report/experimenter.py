"""The figures of each fold as files: tables, and the layout that the Analyse tab of Weka's Experimenter reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from wekaconf.base.errors import OptionError, needed
from wekaconf.base.files import atomic_write
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arff import save_arff
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.summaries import MEASURES, FoldValues, fold_values
from wekaconf.evaluation.weka_statistics import WekaStatistics
from wekaconf.report._result_tables import write_json
from wekaconf.report._table_formats import write_rows
from wekaconf.report._titles import protocol_of, training_of, way_of

KEYS = ("Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options", "Key_Scheme_version_ID")
SHARES = {
    "true_positive_rate": "true_positive_rate",
    "false_positive_rate": "false_positive_rate",
    "IR_precision": "precision",
    "IR_recall": "true_positive_rate",
    "F_measure": "f_measure",
    "matthews_correlation": "matthews",
    "area_under_ROC": "roc_area",
    "area_under_PRC": "prc_area",
}
"""Attributes of `WekaStatistics` by Weka's names of the figures by class, which follow Weighted_avg_."""
COUNTS = ("correct", "incorrect", "unclassified")
ERRORS = (
    "mean_absolute_error", "root_mean_squared_error", "relative_absolute_error", "root_relative_squared_error",
)  # fmt: skip
"""Attributes of `WekaStatistics` for the other figures, which Weka names after them."""


def write_experimenter_arff(path: str | os.PathLike[str], results: Iterable[tuple[Mapping[str, Any], Answers]]) -> None:
    """Write each fold's figures as Weka's Experimenter would.

    One row per data set, run, fold and scheme. Key_Scheme is the method as it was given, Key_Scheme_options its learner
    with options, filters, cost matrix and whatever else the answers depend on; the protocol, too, where there are
    several. Of results that differ in none of these the last one counts. Then Number_of_training_instances and
    Number_of_testing_instances (summed weights of the instances with a class; Weka counts the former), the measures
    that Weka has, by its names, and our `MEASURES` by theirs. All digits are written.
    Undefined values are missing.

    Parameters
    ----------
    path : str or PathLike
        Gzipped if it ends with ``.gz``; replaced only when everything is written.
    results : iterable of (record, answers)

    Raises
    ------
    OptionError
        There is no result, or one of an open set, which Weka does not know.
    OSError
        The file cannot be written.
    """
    measured: dict[tuple[str, ...], tuple[FoldValues, dict[str, FloatArray]]] = {}
    for record, answers in results:
        if not answers.known.all():
            raise OptionError(
                f"{os.fspath(path)}: Weka's Experimenter has no place for an open set; leave the unknown classes out",
                value_of="path",
            )
        version = f"wekaconf {record['versions']['wekaconf']}"
        key = record["dataset"], record["label"], training_of(record), protocol_of(record), version
        folds = fold_values(answers, MEASURES)
        measured[key] = folds, _figures(answers, folds)
    if not measured:
        raise OptionError(f"{os.fspath(path)}: nothing was measured, so there is nothing to write", value_of="path")
    has_protocols = len({protocol for _, _, _, protocol, _ in measured}) > 1
    keys: list[tuple[str, ...]] = []
    for (data_set, label, training, protocol, version), (folds, _) in measured.items():
        scheme = label, f"{training}; {protocol}" if has_protocols else training, version
        places = zip((folds.run + 1).tolist(), (folds.fold + 1).tolist(), strict=True)
        keys += [(data_set, str(run), str(fold), *scheme) for run, fold in places]
    columns = [figures for _, figures in measured.values()]
    key_columns = list(zip(*keys, strict=True))
    indices = [{value: float(index) for index, value in enumerate(dict.fromkeys(column))} for column in key_columns]
    attributes = [Attribute(name, "nominal", tuple(values)) for name, values in zip(KEYS, indices, strict=True)]
    attributes += [Attribute(name, "numeric") for name in columns[0]]
    cells = [list(map(values.get, column)) for values, column in zip(indices, key_columns, strict=True)]
    numbers = np.concatenate([np.column_stack(list(figures.values())) for figures in columns])
    table = np.column_stack((np.array(cells).T, numbers))
    save_arff(path, Dataset(Header("InstanceResultListener", tuple(attributes)), table))


def _figures(answers: Answers, folds: FoldValues) -> dict[str, FloatArray]:
    """Every figure on each fold, by its name."""
    statistics = [WekaStatistics.of(answers.of_split(split)) for split in range(len(folds.run))]

    def values_of(attribute: str) -> FloatArray:
        return np.array([getattr(fold, attribute) for fold in statistics], dtype=np.float64)

    with np.errstate(invalid="ignore"):  # of a fold without an instance that has a class
        percents = {f"Percent_{name}": 100 * values_of(name) / values_of("with_class") for name in COUNTS}
    columns = {
        "Number_of_training_instances": folds.train_weight,
        "Number_of_testing_instances": folds.test_weight,
        **{f"Number_{name}": values_of(name) for name in COUNTS},
        **percents,
        "Kappa_statistic": values_of("kappa"),
        **{name.capitalize(): values_of(name) for name in ERRORS},
    }
    for name, attribute in SHARES.items():
        columns[f"Weighted_avg_{name}"] = np.array([fold.mean(getattr(fold, attribute)) for fold in statistics])
    return columns | {name: folds.values[name] for name in MEASURES if name != "percent_correct"}


PLACES = ("dataset", "method", "learner", "options", "protocol", "run", "fold", "train_weight", "test_weight")
"""The columns before the measures: names, run and fold from 1, and the summed weights of the instances."""


def per_fold_rows(results: Iterable[tuple[Mapping[str, Any], Answers]]) -> Iterator[dict[str, Any]]:
    """One row per data set, method, run and fold: `PLACES`, then every measure of `fold_values`; NaN where undefined.

    The column of the method holds its label, that of the protocol filters, costs and thresholds, too.
    """
    for record, answers in results:
        folds = fold_values(answers, MEASURES)
        place = {
            "dataset": record["dataset"],
            "method": record["label"],
            **{name: record[name] for name in ("learner", "options")},
            "protocol": way_of(record),
        }
        columns = (folds.run + 1, folds.fold + 1, folds.train_weight, folds.test_weight, *folds.values.values())
        names = (*PLACES[5:], *folds.values)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield place | dict(zip(names, row, strict=True))


FOLD_ENDINGS = (".csv", ".json", ".parquet", ".pq", ".arff", ".arff.gz")
"""The endings of the files that `write_per_fold` can write."""


def write_per_fold(path: str | os.PathLike[str], results: Iterable[tuple[Mapping[str, Any], Answers]]) -> None:
    """Write one row per data set, method, run and fold to a file, which appears when it is complete.

    Parameters
    ----------
    path : path
        Its ending, one of `FOLD_ENDINGS`, says in which form: `write_experimenter_arff` for .arff, else `per_fold_rows`
        as JSON, Parquet (.parquet, .pq) or, for any other ending, CSV.
    results : iterable of (record, answers)

    Raises
    ------
    OptionError
        A package is not installed, or see `write_experimenter_arff`.
    OSError
        The file cannot be written.
    """
    name = os.fspath(path).lower()
    if name.endswith((".arff", ".arff.gz")):
        write_experimenter_arff(path, results)
    elif name.endswith((".parquet", ".pq")):
        with needed("Parquet", "tables"):
            import pyarrow
            from pyarrow import parquet
        table = pyarrow.Table.from_pylist([*per_fold_rows(results)])
        with atomic_write(path, "wb") as binary:
            parquet.write_table(table, binary)
    else:
        with atomic_write(path, "w") as file:
            if name.endswith(".json"):
                write_json([*per_fold_rows(results)], file)
            else:
                write_rows(file, [[*PLACES, *MEASURES]])
                write_rows(file, (row.values() for row in per_fold_rows(results)))
