"""The forest of Katz et al. 2012 in another Weka: areas of ten trees in Weka's folds, beside those of our records.

``python scripts/katz2012_forest.py JAR FOLDER SEEDS [SET ...]`` in the project's environment, without our bridge: JAR
is a weka.jar, such as that of Debian's package ``weka`` (3.6.14), FOLDER holds the UCI sets. It measures them into
``docs/records/katz2012-forest/records.csv``, one line per data set and seed; without arguments, ``beside.csv`` is made
anew from the lines there. A single tree differs in few cuts between the Wekas, so a gain is over the J48 of our
records.
"""

from __future__ import annotations

import csv
import gzip
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from _records import lines_of
from katz2012_readings import beside_rows

import wekaconf as wc
from wekaconf.evaluation.folds import Folds
from wekaconf.evaluation.ranking import auc_mean, auc_mean_no_ties
from wekaconf.replication.cells import Cell, Repeated, published_cells
from wekaconf.replication.katz2012.measurement import FOLDS, FOREST, TREES_IN_FOREST, as_in_the_paper
from wekaconf.replication.katz2012.record_table import groups
from wekaconf.replication.study import Beside
from wekaconf.replication.writing import BESIDE, RECORDS

TARGET = Path(__file__).resolve().parents[1] / "docs" / "records" / "katz2012-forest"
COLUMNS = ("dataset", "weka", "seed", "fold_auc_no_ties", "auc")


def measure(jar: str, folder: str, seeds: int, names: list[str]) -> Iterator[list[Any]]:
    """The lines of another Weka, in a virtual machine of its own."""
    import jpype

    jpype.startJVM(classpath=[jar], convertStrings=True)
    random, reader = jpype.JClass("java.util.Random"), jpype.JClass("java.io.FileReader")
    of_weka = {name: jpype.JClass(f"weka.{name}") for name in ("core.Instances", "classifiers.trees.RandomForest")}
    version = str(jpype.JClass("weka.core.Version").VERSION)
    for name in names or list(groups()):
        with tempfile.TemporaryDirectory() as place:
            path = f"{place}/data.arff"
            wc.save_arff(path, as_in_the_paper(name, wc.load_arff(Path(folder) / f"{name}.arff")))
            whole = of_weka["core.Instances"](reader(path))
        whole.setClassIndex(whole.numAttributes() - 1)
        for seed in range(1, seeds + 1):
            data, draw = of_weka["core.Instances"](whole), random(seed)
            data.randomize(draw)
            data.stratify(FOLDS)
            proba, actual, fold = [], [], []
            for i in range(FOLDS):
                forest = of_weka["classifiers.trees.RandomForest"]()
                forest.setOptions(["-I", str(TREES_IN_FOREST)])
                forest.buildClassifier(data.trainCV(FOLDS, i, draw))
                test = data.testCV(FOLDS, i)
                for j in range(test.numInstances()):
                    instance = test.instance(j)
                    proba.append(list(forest.distributionForInstance(instance)))
                    actual.append(int(instance.classValue()))
                    fold.append(i)
            answers = np.array(proba), np.array(actual), np.ones(len(actual))
            by_fold = auc_mean_no_ties(*answers, folds=Folds(np.array(fold), FOLDS))
            yield [
                name,
                version,
                seed,
                f"{np.nanmean(by_fold):.9f}",
                f"{auc_mean(*answers):.9f}",
            ]


def table() -> Beside:
    """The gains of the forest over J48, and whether the printed gain is met by either Weka."""
    with gzip.open(TARGET.parent / "katz2012" / "records.csv.gz", "rt", encoding="utf-8", newline="") as file:
        records = [row for row in csv.DictReader(file) if not row["train_percent"]]
    tree, ours = (
        {(row["dataset"], row["seed"]): float(row["fold_auc_no_ties"]) for row in records if row["column"] == column}
        for column in ("J48", FOREST)
    )
    lines = lines_of(TARGET / RECORDS)
    printed = {cell.place: cell for cell in published_cells("katz2012")}
    rows: dict[str, list[Any]] = {}
    for name in dict.fromkeys(line["dataset"] for line in lines):
        own = [line for line in lines if line["dataset"] == name]
        cell = printed["table 1", name, FOREST]
        row: list[Any] = [float(cell.text)]
        for area in ({line["seed"]: float(line["fold_auc_no_ties"]) for line in own},
                     {line["seed"]: ours[name, line["seed"]] for line in own}):  # fmt: skip
            gains = [100 * (value / tree[name, seed] - 1) for seed, value in area.items()]
            one = Cell(cell, Repeated.of(gains))
            row += [fmean(gains), one.verdict]
        rows[name] = [*row, str(len(own))]
    old = lines[0]["weka"]
    columns = ("published", f"Weka {old}", "verdict", "Weka of the records", "its verdict", "cross-validations")
    return Beside("table 1", f"RandomForest of Weka {old}: gain in AUC over J48, %", columns, rows, 1)


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    if len(sys.argv) > 1:
        jar, folder, seeds, *names = sys.argv[1:]
        with (TARGET / RECORDS).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *measure(jar, folder, int(seeds), names)])
    with (TARGET / BESIDE).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(beside_rows([table()]))
