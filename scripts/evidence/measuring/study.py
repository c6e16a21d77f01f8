"""The study: every method on every learner, and the rivals, on the same folds of many data sets.

The first seed is run on all data sets, further ones on those of at most `MOST_CELLS` instances times classes: 62 of
101. The rule was set before any second seed was run, so that ten seeds take less than three hours on two cores. Those
of docs/records took about 2.3 hours by the clock; by the processor time of the first folds 1.9, see
`evidence.records.hours`, which counts neither reading nor making folds nor taking measures.
"""

from __future__ import annotations

import math
import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError, WekaconfError
from wekaconf.base.files import digest_of_file
from wekaconf.bridge.reading import load_arff
from wekaconf.data import Dataset
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.protocol import Prepared, Protocol
from wekaconf.evaluation.summaries import fold_values
from wekaconf.experiments.advising import _rivals as rivals
from wekaconf.experiments.advising._candidates import PURPOSES
from wekaconf.experiments.advising._rivals import RIVALS, SEED, cross_validated_rival
from wekaconf.experiments.runner import evaluate
from wekaconf.model.scheme import learner_of, parse_method
from wekaconf.replication._runner import Record, run_sets

PLAIN, SMOOTHED = "leaf_frequency", "leaf_frequency:laplace=true"
READERS = (
    PLAIN, SMOOTHED, "curtailment", "m_branch", "ling_yan", "confdtree", "confdtree:variant=norm",
    "confdtree:variant=tdist", "shrinkage:numeric=bins", "wpe:numeric=bins", "shrinkage_wpe:numeric=bins", "id3_sd",
    "id3_max", "boundary_distance", "boundary_distance:scaling=minmax",
)  # fmt: skip
"""Methods that read a tree of any learner, as they are written on the command line.

Without `second_opinion`, which is measured by itself, see `parts_of`.
"""
SEEDED = {
    "CART nominal=one_hot": "CART nominal=one_hot seed={seed}",
    "RandomForest": "RandomForest -S {seed}",
    "tpce": "tpce:seed={seed}",
}
"""The learners and methods that draw something, with a seed; 1 is the default of each."""
RIVALS_PART = "rivals"
CLOSED, OPEN = "10-fold", "10-fold, half known"
PROTOCOLS = {CLOSED: Protocol(seed=SEED), OPEN: Protocol(seed=SEED, leave_out="half")}
MEASURES = {
    CLOSED: ("percent_correct", *(m for p in PURPOSES.values() if p.name != "foreign" for m in p.measures)),
    OPEN: PURPOSES["foreign"].measures,
}
PACKAGES = ("imodels", "venn-abers", "crepes")
"""What rivals need beside scikit-learn."""
LONGEST_REASON = 200
"""Characters of an error that are kept."""
MOST_CELLS = 2000
"""Instances times classes of the largest data set on which seeds after the first are run."""
MOST_SECONDS = 120.0
"""Processor time after which a group of methods on a data set is given up."""
GIVEN_UP = f"more than {MOST_SECONDS:g} s of processor time"
"""How the reason begins for which such a group is left out."""


@dataclass(frozen=True)
class Part:
    """Methods that are measured together on the trees of one learner, or the rivals.

    Parameters
    ----------
    learner : str
        As it is written on the command line; "rivals" for those.
    methods : tuple of str
    protocol : str
        A key of `PROTOCOLS`.
    seed : int
        Of the folds, of the classes that are left out, and of the learner, the methods and the rivals.
    """

    learner: str
    methods: tuple[str, ...]
    protocol: str
    seed: int = SEED

    def __str__(self) -> str:
        """A name for files."""
        return re.sub(r"[^A-Za-z0-9-]+", "_", f"which-method {self.protocol} {self.learner} {len(self.methods)}")

    @property
    def title(self) -> str:
        """What is told while it is measured."""
        return f"seed {self.seed}, {self.learner}, {self.protocol}"

    def parameters(self) -> dict[str, Any]:
        """What the records of the part depend on, beside the data, the versions and the code that answers."""
        parameters = {"learner": self.learner, "methods": list(self.methods), "seed": self.seed}
        parameters["most_seconds"] = MOST_SECONDS
        parameters["measures"] = list(MEASURES[self.protocol])
        if self.learner != RIVALS_PART:
            return parameters
        packages = {name: version(name) for name in PACKAGES}
        return parameters | {"packages": packages, "rivals": digest_of_file(rivals.__file__)}

    def facts(self, name: str, data: Dataset) -> Record:
        """What all records of the part on a data set begin with."""
        facts = {"data_set": name, "seed": self.seed, "protocol": self.protocol, "learner": self.learner}
        n_classes = len(np.unique(data.class_values[data.class_values >= 0]))
        return facts | {"n_instances": len(data), "n_classes": n_classes}

    def measure(self, name: str, data: Dataset) -> list[Record]:
        """The records of the part on a data set, see `measure_all`."""
        return measure(self, name, data)


class Missing(NamedTuple):
    """A part that has not been measured on a data set, and why."""

    data_set: str
    part: Part
    why: str


def parts() -> list[Part]:
    """Everything that is measured on a data set; what costs most comes last."""
    cheap = [
        ("J48", READERS),
        ("J48 -U", READERS),
        ("C44", READERS),
        ("CART nominal=one_hot", READERS),
        ("info_gain", (PLAIN, SMOOTHED, "tpce", "kukar_kononenko")),
        (RIVALS_PART, tuple(RIVALS)),
        ("RandomForest", (PLAIN, "curtailment", "m_branch")),
    ]
    late = [("RandomForest", ("confdtree", "shrinkage:numeric=bins"))]
    return [
        Part(learner, methods, protocol)
        for some in (cheap, late)
        for protocol in PROTOCOLS
        for learner, methods in some
    ]


def parts_of(method: str) -> list[Part]:
    """One method on trees of J48 by itself, and before it the plain trees that its gains are over."""
    return [Part("J48", (each,), protocol) for protocol in PROTOCOLS for each in (PLAIN, method)]


class OutOfTimeError(WekaconfError):
    """A group of methods took longer than it may."""


def measure_all(
    paths: Mapping[str, str],
    *,
    resume: str,
    n_seeds: int = 1,
    jobs: int = 1,
    seconds: float = math.inf,
    chosen: Iterable[Part] | None = None,
    on_progress: Callable[[str], None] = lambda _: None,
) -> tuple[list[Record], list[Missing]]:
    """Measure data sets, one seed after another, until the time is over.

    Parameters
    ----------
    paths : mapping of str to str
        The file of each data set.
    resume : path
        Where finished parts are kept, see `run_sets`; what is there is not measured again.
    n_seeds : int
        Number of seeds, from `SEED` on; those after the first are run on data sets that `is_repeated` admits.
    jobs : int
        Number of data sets to measure at a time, each in a process of its own if more than 1.
    seconds : float
        Nothing begins after so many seconds.
    chosen : iterable of Part, optional
        The parts; all when left out. Their seeds do not matter.
    on_progress : callable
        Told what has been done, and what is being done.

    Returns
    -------
    records : list of dict
        One per data set, seed, protocol, learner and method: ``data_set``, ``seed``, ``protocol``, ``learner``,
        ``method``, ``n_instances``, ``n_classes``, ``test_train_ratio``, ``values`` (per measure a list with a
        number per fold, None where it is undefined), ``fit_seconds`` and ``answer_seconds`` (processor time on the
        first fold, growing the tree included), and ``left_out`` (why there are no values, or None). In the order of
        ``paths``.
    missing : list of Missing
        What has not been measured. A data set of which nothing has been measured with the first seed is missing with
        that one alone.
    """
    deadline = time.monotonic() + seconds
    records: list[Record] = []
    missing: list[Missing] = []
    every, places = list(parts() if chosen is None else chosen), {name: i for i, name in enumerate(paths)}
    of_seed = dict(paths)
    for seed in range(SEED, SEED + n_seeds):
        for part in (replace(each, seed=seed) for each in every):
            found, failed = run_sets(
                str(part), partial(_measure_in_time, part, deadline), of_seed, parameters=part.parameters(), jobs=jobs,
                resume=resume, on_progress=partial(_tell, on_progress, part),
            )  # fmt: skip
            records += found
            missing += [Missing(name, part, why) for name, why in failed.items()]
        repeated = {record["data_set"] for record in records if is_repeated(record)}
        of_seed = {name: path for name, path in paths.items() if name in repeated}
    return sorted(records, key=lambda record: places[record["data_set"]]), missing


def is_repeated(facts: Mapping[str, Any]) -> bool:
    """Whether the seeds after the first are run on a data set, by its ``n_instances`` and ``n_classes``."""
    return int(facts["n_instances"]) * int(facts["n_classes"]) <= MOST_CELLS


def _tell(on_progress: Callable[[str], None], part: Part, sets: str, _: float) -> None:
    on_progress(f"{part.title}, {sets}")


def _measure_in_time(part: Part, deadline: float, name: str, path: str, **_: Any) -> list[Record]:
    """The records of a part, which knows its parameters itself."""
    if time.monotonic() > deadline:
        raise OptionError("not measured yet: the time was over")
    return part.measure(name, load_arff(path))


def measure(part: Part, name: str, data: Dataset) -> list[Record]:
    """The records of one part on a data set, see `measure_all`."""
    protocol = replace(PROTOCOLS[part.protocol], seed=part.seed)
    facts = part.facts(name, data)
    if part.protocol == OPEN and facts["n_classes"] < 3:
        return [left_out(facts, method, "with two classes, one would be left") for method in part.methods]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            prepared = protocol.prepare(data)
        except WekaconfError as error:
            return [left_out(facts, method, str(error)) for method in part.methods]
        answer = _rivals if part.learner == RIVALS_PART else _methods
        return [record for record in answer(part, part.methods, data, protocol, prepared, facts)]


def _methods(
    part: Part, methods: Sequence[str], data: Dataset, protocol: Protocol, prepared: Prepared, facts: Record
) -> Iterator[Record]:
    began = time.process_time()

    def check(_done: int, _total: int) -> None:
        if time.process_time() - began > MOST_SECONDS:
            raise OutOfTimeError

    try:
        found = evaluate(
            data, [_seeded(method, part.seed) for method in methods], protocol=protocol,
            learner=_seeded(part.learner, part.seed), on_progress=check,
        )  # fmt: skip
        costs = _costs(part, methods, prepared)
    except OutOfTimeError:
        together = "" if len(methods) == 1 else f", together with {len(methods) - 1} others"
        for method in methods:
            yield left_out(facts, method, GIVEN_UP + together)
    except Exception as error:  # a method that fails must not end the study
        if len(methods) == 1:
            yield left_out(facts, methods[0], in_words(error))
            return
        for method in methods:  # one of them is at fault
            yield from _methods(part, [method], data, protocol, prepared, facts)
    else:
        for method, answers, cost in zip(methods, found.answers, costs, strict=True):
            yield _record(facts, method, answers, *cost)


def _costs(part: Part, methods: Sequence[str], prepared: Prepared) -> list[tuple[float, float]]:
    """Processor seconds to grow and fit, and to answer, on the first split."""
    train, test = _first_split(prepared)
    learner = learner_of(_seeded(part.learner, part.seed))
    began = time.process_time()
    tree = learner.grow_without_notes(train)
    growing = time.process_time() - began
    costs = []
    for text in methods:
        began = time.process_time()
        fitted = parse_method(_seeded(text, part.seed)).fit(tree, train)
        fitting = time.process_time() - began
        began = time.process_time()
        fitted.answer(test)
        costs.append((growing + fitting, time.process_time() - began))
    return costs


def _seeded(text: str, seed: int) -> str:
    return SEEDED.get(text, text).format(seed=seed)


def _first_split(prepared: Prepared) -> tuple[Dataset, Dataset]:
    data = prepared.data if prepared.known is None else prepared.data.with_known_classes(prepared.known[0])
    train, test = (data.take(rows) for rows in prepared.runs[0][0])
    return train.take(train.class_values >= 0), test


def _rivals(
    part: Part, names: Sequence[str], data: Dataset, protocol: Protocol, prepared: Prepared, facts: Record
) -> Iterator[Record]:
    [template] = evaluate(data, [PLAIN], protocol=protocol, learner="J48").answers
    for rival in names:
        try:
            yield _record(facts, rival, *_answers_of(rival, part.seed, prepared, template))
        except OutOfTimeError:
            yield left_out(facts, rival, GIVEN_UP)
        except WekaconfError as error:
            yield left_out(facts, rival, in_words(error))


def _answers_of(rival: str, seed: int, prepared: Prepared, template: Answers) -> tuple[Answers, float, float]:
    """The answers of a rival for the instances of the template, on the same splits; and its cost on the first."""
    began, passed = time.process_time(), []

    def on_split() -> None:
        passed.append(time.process_time() - began)
        if passed[-1] > MOST_SECONDS:
            raise OutOfTimeError

    answers = cross_validated_rival(rival, prepared, template, seed=seed, on_split=on_split)
    return answers, passed[0], math.nan


def _record(facts: Record, method: str, answers: Answers, fit_seconds: float, answer_seconds: float) -> Record:
    folds = fold_values(answers, MEASURES[facts["protocol"]])
    return {
        **facts,
        "method": method,
        "test_train_ratio": folds.test_train_ratio,
        "values": {name: [as_json(value) for value in values] for name, values in folds.values.items()},
        "fit_seconds": as_json(fit_seconds),
        "answer_seconds": as_json(answer_seconds),
        "left_out": None,
    }


def left_out(facts: Record, method: str, why: str) -> Record:
    """The record of a method without values."""
    return {**facts, "method": method, "values": {}, "left_out": why}


def in_words(error: Exception) -> str:
    """The first line of what an error says, with its type unless it is one of ours."""
    said = (str(error).splitlines() or [""])[0][:LONGEST_REASON]
    return said if isinstance(error, WekaconfError) else f"{type(error).__name__}: {said}"


def as_json(value: float) -> float | None:
    """A number of at most nine digits; None for NaN."""
    return None if math.isnan(value) else float(f"{value:.9g}")
