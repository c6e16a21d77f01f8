"""The conclusions of Costa et al. 2013 on all 45 data sets under each choice that the paper leaves open.

``python scripts/costa2013_choices.py [FOLDER [SET ...]]`` in the project's environment. FOLDER holds the UCI sets; they
are measured by leave-one-out into ``docs/records/costa2013-choices/records.csv``, one line per data set, choice and
method; lines that are there already are kept. Without FOLDER, ``conclusions.csv`` is made anew from the lines there.

A choice changes the trees of all methods alike. Two are made by changing the data, which the learner then reads with
its own rules: attributes in the opposite order (of equal splits the last attribute), and numbers with the opposite sign
(a cut at the upper of two values, and of equal cuts the lowest).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from katz2012_readings import beside_rows

from wekaconf.data.dataset import Dataset
from wekaconf.data.header import Header
from wekaconf.learners.info_gain import InfoGain
from wekaconf.learners.info_gain.learning_set import LearningSet
from wekaconf.methods.transductive.kukar_kononenko import KukarKononenko
from wekaconf.methods.transductive.tpce import TPCE
from wekaconf.replication.costa2013.comparing import comparisons
from wekaconf.replication.costa2013.findings import LEVEL, NAMES
from wekaconf.replication.costa2013.measurement import BOUNDARY, MEASURES, PLAIN, bagged, figures_of, prepared
from wekaconf.replication.costa2013.selections import DATA_SETS
from wekaconf.replication.costa2013.study import SEED
from wekaconf.replication.data_files import load_set
from wekaconf.replication.study import Beside
from wekaconf.replication.writing import RECORDS

TARGET = Path(__file__).resolve().parents[1] / "docs" / "records" / "costa2013-choices"
CONCLUSIONS = "conclusions.csv"
COLUMNS = ("dataset", "choice", "method", *MEASURES)
MARKS = {1: "better", 0: "", -1: "worse"}
RIVALS = ("plain", "plain_laplace", "bagging", "kukar_kononenko")


def reversed_attributes(data: Dataset) -> Dataset:
    """The same data with its attributes in the opposite order, and the class last."""
    inputs = [i for i in range(len(data.attributes)) if i != data.class_index]
    columns = [*reversed(inputs), data.class_index]
    header = Header(data.relation, tuple(data.attributes[i] for i in columns), len(inputs))
    return Dataset(header, data.values[:, columns].copy())


def negated_numbers(data: Dataset) -> Dataset:
    """The same data with the sign of all numbers changed."""
    is_number = np.array([attribute.kind == "numeric" for attribute in data.attributes])
    return Dataset(data.header, np.where(is_number, -data.values, data.values))


OURS = "ours"
CHOICES: dict[str, tuple[Callable[[Dataset], Dataset], bool]] = {
    OURS: (lambda data: data, True),
    "of equal splits the last attribute": (reversed_attributes, True),
    "a cut at the upper of two values, of equal cuts the lowest": (negated_numbers, True),
    "no safe prune": (lambda data: data, False),
}
"""What a choice does to the data, and whether trees have safe prune."""
ALL_CUTS = "tpce_all"
"""TPCE for which every value of the other instances is a cut, as Clus's sources have it."""
METHODS = ("tpce", ALL_CUTS, *RIVALS)


def answers(data: Dataset, safe_prune: bool, method: str) -> tuple[Any, Any]:
    """The distributions of a method for all instances, and its certainty if it is measured by that alone."""
    rules = replace(PLAIN, safe_prune=safe_prune)
    if method == "bagging":
        return bagged(LearningSet.of(data), np.random.default_rng(SEED), rules), None
    cuts = BOUNDARY if method == "tpce" else rules.cuts
    tree = InfoGain(cuts=cuts, safe_prune=safe_prune).grow(data)
    if method in ("plain", "kukar_kononenko"):
        rated = KukarKononenko().fit(tree, data).leave_one_out()
        return rated.proba, rated.certainty if method == "kukar_kononenko" else None
    fitted = TPCE(cuts=cuts, safe_prune=safe_prune).fit(tree.with_laplace(True), data).leave_one_out()
    return (fitted.baseline if method == "plain_laplace" else fitted.proba), None


def measure(folder: str, names: list[str], done: set[tuple[str, ...]]) -> Iterator[list[Any]]:
    """The lines of the records that are not there."""
    for method in METHODS:
        for name in names or DATA_SETS:
            data = prepared(load_set(name, str(Path(folder) / f"{name}.arff")))
            for choice, (change, safe_prune) in CHOICES.items():
                if (name, choice, method) not in done:
                    changed = change(data)
                    figures = figures_of(changed, *answers(changed, safe_prune, method))
                    yield [name, choice, method, *("" if figures[each] is None else figures[each] for each in MEASURES)]


def tables(lines: list[dict[str, str]]) -> Iterator[Beside]:
    """The comparisons of TPCE with each rival under each choice, measure by measure."""
    compared: dict[str, dict[str, list[Any]]] = {measure: {} for measure in MEASURES}
    for choice in CHOICES:
        records = [
            {"dataset": line["dataset"], "method": line["method"], "seed": SEED}
            | {measure: float(line[measure]) if line[measure] else None for measure in MEASURES}
            for line in lines
            if line["choice"] == choice
        ]
        for first, words in (("tpce", choice), (ALL_CUTS, f"{choice}; every value of the others is a cut")):
            for measure in MEASURES:
                rivals = RIVALS if measure == "auc_reliability" else RIVALS[:-1]
                found = comparisons(records, first=first, rivals=rivals, measures=[measure])
                means = [fmean(r[measure] for r in records if r["method"] == first and r[measure] is not None)]
                compared[measure][words] = means + [
                    f"{one.wins}/{one.ties}/{one.losses} {MARKS[one.sign(LEVEL)]}".strip() for one in found
                ]
    for measure, rows in compared.items():
        rivals = RIVALS if measure == "auc_reliability" else RIVALS[:-1]
        title = f"{NAMES[measure]} of TPCE under each choice, {len({line['dataset'] for line in lines})} sets"
        yield Beside("", title, ("mean", *(NAMES[rival] for rival in rivals)), rows, 3)


def read_lines() -> list[dict[str, str]]:
    """The lines of the records; none before the first call."""
    path = TARGET / RECORDS
    if not path.exists():
        path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        done = {(line["dataset"], line["choice"], line["method"]) for line in read_lines()}
        with (TARGET / RECORDS).open("a", encoding="utf-8", newline="") as file:
            for row in measure(sys.argv[1], sys.argv[2:], done):
                csv.writer(file, lineterminator="\n").writerow(row)
                file.flush()
    with (TARGET / CONCLUSIONS).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(beside_rows(tables(read_lines())))
