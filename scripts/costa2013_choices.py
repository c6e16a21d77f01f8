"""The conclusions of Costa et al. 2013 on all 45 data sets under each choice that the paper leaves open.

``python scripts/costa2013_choices.py [FOLDER [SET ...]]`` in the project's environment. FOLDER holds the UCI sets; they
are measured by leave-one-out into ``docs/records/costa2013-choices/records.csv``, one line per data set, choice and
method; lines that are there already are kept. Without FOLDER, ``conclusions.csv`` and the sentences are made anew from
the lines there and from the records of the paper, which have our own choices. A method that was not measured on all
sets under a choice is left out.

A choice changes the trees of all methods alike. Two are made by changing the data, which the learner then reads with
its own rules: attributes in the opposite order (of equal splits the last attribute), and numbers with the opposite sign
(a cut at the upper of two values, and of equal cuts the lowest).
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from _records import Row, add_lines, lines_of, unpack
from katz2012_readings import beside_rows

from wekaconf.data.dataset import Dataset
from wekaconf.data.header import Header
from wekaconf.learners.info_gain import InfoGain
from wekaconf.learners.info_gain.learning_set import LearningSet
from wekaconf.methods.transductive.kukar_kononenko import KukarKononenko
from wekaconf.methods.transductive.tpce import TPCE
from wekaconf.replication.costa2013.comparing import Comparison, comparisons
from wekaconf.replication.costa2013.findings import LEVEL, NAMES
from wekaconf.replication.costa2013.measurement import (
    BOUNDARY,
    MEASURES,
    PAPER,
    PLAIN,
    PROTOCOL,
    bagged,
    figures_of,
    prepared,
)
from wekaconf.replication.costa2013.selections import DATA_SETS
from wekaconf.replication.costa2013.study import SEED
from wekaconf.replication.data_files import load_set
from wekaconf.replication.study import Beside
from wekaconf.replication.writing import FINDINGS, RECORDS

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
    "of equal splits the last attribute": (reversed_attributes, True),
    "a cut at the upper of two values, of equal cuts the lowest": (negated_numbers, True),
    "no safe prune": (lambda data: data, False),
}
"""What a choice does to the data, and whether trees have safe prune."""
ALL_CUTS = "tpce_all"
"""TPCE for which every value of the other instances is a cut, as Clus's sources have it."""
METHODS = ("tpce", "plain", "plain_laplace", "kukar_kononenko", "bagging", ALL_CUTS)


def answers(data: Dataset, safe_prune: bool, method: str) -> tuple[Any, Any]:
    """The distributions of a method for all instances, and its certainty if it is measured by that alone."""
    rules = replace(PLAIN, safe_prune=safe_prune)
    if method == "bagging":
        return bagged(LearningSet.of(data), np.random.default_rng(SEED), rules), None
    cuts = BOUNDARY if method == "tpce" else rules.cuts
    tree = InfoGain(cuts=cuts, safe_prune=safe_prune).grow(data)
    if method.startswith("tpce"):
        return TPCE(cuts=cuts, safe_prune=safe_prune).fit(tree, data).leave_one_out().proba, None
    rated = KukarKononenko().fit(tree.with_laplace(method == "plain_laplace"), data).leave_one_out()
    return rated.proba, rated.certainty if method == "kukar_kononenko" else None


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


def compared() -> dict[tuple[str, bool], list[Comparison]]:
    """The comparisons of TPCE with its rivals, by choice and by whether every value of the others is a cut.

    With Holm's correction for all of them under a choice.
    """
    lines = [{**line, "choice": OURS} for line in unpack(TARGET.parent / PAPER / f"{RECORDS}.gz") if is_ours(line)]
    lines += read_lines()
    found = {}
    for choice in (OURS, *CHOICES):
        records = [
            {"dataset": line["dataset"], "method": line["method"], "seed": SEED}
            | {measure: float(line[measure]) if line[measure] else None for measure in MEASURES}
            for line in lines
            if line["choice"] == choice
        ]
        numbers = Counter(record["method"] for record in records)
        whole = [record for record in records if numbers[record["method"]] == len(DATA_SETS)]
        for first in dict.fromkeys(record["method"] for record in whole if record["method"] in ("tpce", ALL_CUTS)):
            others = [record for record in whole if record["method"] in RIVALS]
            ours = [record | {"method": "tpce"} for record in whole if record["method"] == first]
            found[choice, first == ALL_CUTS] = [
                one for one in comparisons([*ours, *others]) if one.wins + one.ties + one.losses
            ]
    return found


def is_ours(line: Row) -> bool:
    """Whether a line of the paper's records is one of the first seed, on the sets that stand for the paper's."""
    return line["protocol"] == PROTOCOL and line["seed"] == str(SEED) and line["dataset"] in DATA_SETS


def tables() -> Iterator[Beside]:
    """TPCE against each rival under each choice."""
    found = compared()
    columns = {
        (measure, rival): f"{NAMES[measure]}: {NAMES[rival]}"
        for measure in MEASURES
        for rival in (RIVALS if measure == "auc_reliability" else RIVALS[:-1])
    }
    rows = {}
    for (choice, has_all_cuts), of_choice in found.items():
        by_place = {(one.measure, one.rival): one for one in of_choice}
        rows[choice + "; every value of the others is a cut" * has_all_cuts] = [
            told(by_place[place]) if place in by_place else None for place in columns
        ]
    yield Beside("", f"TPCE under each choice, {len(DATA_SETS)} sets, wins/ties/losses", list(columns.values()), rows)


def told(one: Comparison) -> str:
    """Wins, ties and losses, and whether TPCE is significantly better or worse."""
    return f"{one.wins}/{one.ties}/{one.losses} {MARKS[one.sign(LEVEL)]}".strip()


def sentences() -> Iterator[str]:
    """What changes under another choice."""
    found = compared()
    ours = {(one.measure, one.rival): one.sign(LEVEL) for one in found[OURS, False]}
    for (choice, has_all_cuts), of_choice in found.items():
        if (choice, has_all_cuts) == (OURS, False):
            continue
        changed = [
            f"{NAMES[one.measure]} against {NAMES[one.rival]} {MARKS[one.sign(LEVEL)] or 'not significant'} "
            f"(was {MARKS[ours[one.measure, one.rival]] or 'not significant'})"
            for one in of_choice
            if one.sign(LEVEL) != ours[one.measure, one.rival]
        ]
        words = choice + "; every value of the others is a cut" * has_all_cuts
        yield (
            f"{words.capitalize()}: of {len(of_choice)} comparisons on {len(DATA_SETS)} sets "
            f"{'; '.join(changed) or 'none changes its verdict'}."
        )


def read_lines() -> list[dict[str, str]]:
    """The lines of the records; none before the first call."""
    path = TARGET / RECORDS
    if not path.exists():
        path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    return lines_of(path)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        done = {(line["dataset"], line["choice"], line["method"]) for line in read_lines()}
        add_lines(TARGET / RECORDS, measure(sys.argv[1], sys.argv[2:], done))
    with (TARGET / CONCLUSIONS).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(beside_rows(tables()))
    (TARGET / FINDINGS).write_text("".join(f"{TARGET.name}: {text}\n" for text in sentences()), encoding="utf-8")
