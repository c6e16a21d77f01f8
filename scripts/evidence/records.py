"""The study's results in few numbers: what docs/records/which-method.md is written from.

Answers would be gigabytes (a hundred sets, seventy schemes, ten folds), and a page needs ten numbers of each.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from _records import Row

from evidence.measuring.study import CLOSED, GIVEN_UP, MEASURES, MOST_SECONDS, OPEN, PLAIN, RIVALS_PART, is_repeated
from wekaconf.base.errors import OptionError
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.measures import mean_of
from wekaconf.evaluation.statistics import paired_t
from wekaconf.experiments.advising._candidates import PURPOSES
from wekaconf.experiments.advising._rivals import SEED

FACTS = ("data_set", "n_instances", "n_classes", "protocol", "learner", "method")
DECIDING = {CLOSED: [p.measure for p in PURPOSES.values() if p.name != "foreign"], OPEN: [PURPOSES["foreign"].measure]}
"""The measures that are tested on each data set, by protocol."""
FIGURES = tuple(dict.fromkeys(name for measures in MEASURES.values() for name in measures))
COLUMNS = (
    *FACTS,
    "n_seeds",
    *FIGURES,
    *(f"{name}.{what}" for measures in DECIDING.values() for name in measures for what in ("gain", "p")),
    "fit_seconds",
    "answer_seconds",
    "left_out",
)
"""Means over ``n_seeds`` seeds, which all rows of a data set and a protocol share.

``gain`` is the mean difference from the plain J48 tree, ``p`` the p-value of the corrected resampled t-test, both over
the folds of all seeds.
"""
N_FOLDS = 10
N_CORES = 2
"""On which the hours of a study are reckoned."""


class Scheme(NamedTuple):
    """A method on a learner, or a rival."""

    learner: str
    method: str

    def __str__(self) -> str:
        """The method alone on J48, and for a rival its name."""
        if self.learner in ("J48", RIVALS_PART):
            return self.method
        return f"{self.method} on {self.learner}"


BASE = Scheme("J48", PLAIN)
OfSeed = dict[Scheme, Mapping[str, Any]]
"""The records of one data set, protocol and seed, by scheme."""


def compact(records: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """One row per data set, protocol, learner and method, with the `COLUMNS`; empty without a number.

    A seed after the first counts on a data set and a protocol if everything that was measured with the first one was
    measured with it, too, and the plain J48 tree has values. So methods are compared over the same seeds, each of which
    draws other unknown classes. A method that was left out with one of them is left out.

    Parameters
    ----------
    records : iterable of mapping
        Those of `evidence.measuring.study.measure_all`.
    """
    records = list(records)
    counting = seeds_that_count(records)
    return [
        _row([of_seed[_scheme(record)] for of_seed in counting[_cell(record)]], counting[_cell(record)])
        for record in records
        if record["seed"] == SEED
    ]


def with_method(rows: Iterable[Row], method: str, found: Iterable[Row]) -> list[Row]:
    """The rows of the study, with those of one method on J48 after the others on J48; earlier rows of it go.

    Parameters
    ----------
    rows : iterable of mapping
        The records of the study.
    method : str
    found : iterable of mapping
        Rows of the method with the first seed, and of the plain tree. Where the records have one seed, too, the plain
        tree must have the same figures there: else folds or trees are others.

    Raises
    ------
    OptionError
        It has others.
    """
    new = {(*_cell(row), row["method"]): row for row in found}
    together: list[Row] = []
    for (*cell, learner), group in itertools.groupby(rows, lambda row: (*_cell(row), row["learner"])):
        of_learner = list(group)
        own, plain = (new.get((*cell, each)) for each in (method, PLAIN))
        if learner == BASE.learner and own and plain:
            [kept] = [row for row in of_learner if row["method"] == PLAIN]
            if kept["n_seeds"] == "1" and any(kept[name] != plain[name] for name in FIGURES):
                raise OptionError(f"{', '.join(cell)}: the plain J48 tree has other figures than in the records")
            of_learner = [*(row for row in of_learner if row["method"] != method), own]
        together += of_learner
    return together


def without(only: Collection[str], rows: Iterable[Row]) -> list[Row]:
    """The rows of the study but those of methods on J48 that were measured by themselves."""
    return [row for row in rows if row["learner"] != BASE.learner or row["method"] not in only]


def seeds_that_count(records: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], list[OfSeed]]:
    """By data set and protocol, what was measured with each seed that counts, see `compact`; the first comes first."""
    cells: dict[tuple[str, str], dict[int, OfSeed]] = defaultdict(lambda: defaultdict(dict))
    for record in records:
        cells[_cell(record)][record["seed"]][_scheme(record)] = record
    return {cell: _counting(of_seeds) for cell, of_seeds in cells.items()}


def _cell(record: Mapping[str, Any]) -> tuple[str, str]:
    return record["data_set"], record["protocol"]


def _scheme(record: Mapping[str, Any]) -> Scheme:
    return Scheme(record["learner"], record["method"])


def _counting(of_seeds: Mapping[int, OfSeed]) -> list[OfSeed]:
    first = of_seeds.get(SEED, {})
    others = [of_seed for seed, of_seed in sorted(of_seeds.items()) if seed != SEED]
    return [first, *(each for each in others if _has_base(first) and _has_base(each) and each.keys() == first.keys())]


def _has_base(of_seed: OfSeed) -> bool:
    return BASE in of_seed and of_seed[BASE]["left_out"] is None


def _row(of_scheme: Sequence[Mapping[str, Any]], of_seeds: Sequence[OfSeed]) -> dict[str, str]:
    """The row of a scheme, from its records with the seeds that count and what else was measured with these."""
    row = {name: str(of_scheme[0][name]) for name in FACTS} | {"n_seeds": str(len(of_scheme))}
    if (why := _why_left_out(of_scheme)) is not None:
        return {name: row.get(name, "") for name in COLUMNS} | {"left_out": why}
    for name in of_scheme[0]["values"]:
        row[name] = text_of(mean_of(np.array([mean_over_folds(record, name) for record in of_scheme])))
    for name in ("fit_seconds", "answer_seconds"):
        row[name] = text_of(mean_of(numbers([record[name] for record in of_scheme])), 2)
    if all(map(_has_base, of_seeds)):
        bases = [of_seed[BASE] for of_seed in of_seeds]
        ratio = float(np.mean([base["test_train_ratio"] for base in bases]))
        for name in DECIDING[of_scheme[0]["protocol"]]:
            own, plain = (
                np.concatenate([numbers(record["values"][name]) for record in each]) for each in (of_scheme, bases)
            )
            test = paired_t(own, plain, test_train_ratio=ratio)
            row |= {f"{name}.gain": text_of(test.effect), f"{name}.p": text_of(test.p_value, 3)}
    return {name: row.get(name, "") for name in COLUMNS}


def mean_over_folds(record: Mapping[str, Any], measure: str) -> float:
    """The mean of a measure over the folds on which it is defined; NaN where there is none."""
    return mean_of(numbers(record["values"].get(measure, [])))


def _why_left_out(of_scheme: Sequence[Mapping[str, Any]]) -> str | None:
    for record in of_scheme:
        if (why := record["left_out"]) is not None:
            return str(why) if record["seed"] == SEED else f"with seed {record['seed']}: {why}"
    return None


def hours(rows: Iterable[Mapping[str, str]], n_seeds: int) -> float:
    """Hours that some seeds take on `N_CORES` cores, reckoned from the processor time of the first fold.

    A tree is grown once for all methods of a learner. Ours are fitted once more to be timed. What was given up took
    `MOST_SECONDS`.
    """
    together: dict[tuple[str, str, str], list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        together[row["data_set"], row["protocol"], row["learner"]].append(row)
    seconds = 0.0
    for group in together.values():
        n_times = n_seeds if is_repeated(group[0]) else 1
        seconds += n_times * (_seconds_of_rivals if group[0]["learner"] == RIVALS_PART else _seconds_on_trees)(group)
    return seconds / (3600 * N_CORES)


def _seconds_of_rivals(rows: Sequence[Mapping[str, str]]) -> float:
    n_given_up = sum(GIVEN_UP in row["left_out"] for row in rows)
    return N_FOLDS * sum(number(row, "fit_seconds") for row in rows if row["fit_seconds"]) + n_given_up * MOST_SECONDS


def _seconds_on_trees(rows: Sequence[Mapping[str, str]]) -> float:
    fits = [number(row, "fit_seconds") for row in rows if row["fit_seconds"]]
    answering = sum(number(row, "answer_seconds") for row in rows if row["answer_seconds"])
    growing = min(fits, default=0.0)
    n_given_up = len({row["left_out"] for row in rows if GIVEN_UP in row["left_out"]})
    once = growing + sum(fit - growing for fit in fits) + answering
    return (N_FOLDS + 1) * once + n_given_up * MOST_SECONDS


def number(row: Mapping[str, str], column: str) -> float:
    """A number in a row; NaN where there is none."""
    return float(row[column]) if row[column] else math.nan


def numbers(values: Sequence[float | None]) -> FloatArray:
    """(n,) float64: the numbers of a record, NaN for None."""
    return np.array([_number(value) for value in values], dtype=np.float64)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def text_of(value: float, n_digits: int = 5) -> str:
    """A number in a row; empty for NaN."""
    return "" if math.isnan(value) else f"{value:.{n_digits}g}"
