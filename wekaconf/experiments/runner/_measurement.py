"""The measurement of one data set: from its folds to the records of the methods."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from wekaconf.base.errors import tell
from wekaconf.base.plugins import packages_of
from wekaconf.bridge import code_digest, digest_of_class, versions
from wekaconf.data import Dataset, header_of
from wekaconf.evaluation.cross_validation import (
    Answers,
    Cache,
    CrossValidation,
    Fold,
    FoldAnswers,
    FoldKey,
    Label,
    LeaveOneOut,
    by_tree,
    n_answers,
)
from wekaconf.evaluation.protocol import Prepared, Protocol
from wekaconf.evaluation.summaries import summarise
from wekaconf.evaluation.thresholds import Begin, Grow, Split
from wekaconf.experiments.runner._plan import Plan
from wekaconf.experiments.store import Store
from wekaconf.experiments.workers._pool import Pool
from wekaconf.methods.contract import LeavesOneOut, Method
from wekaconf.report.evaluation import Result
from wekaconf.tree import note_missing_classes

TASKS_PER_JOB = 16
"""Into about so many tasks per process the folds are shared out: enough to tell the progress."""


class Measurement:
    """The measurement of a plan on one data set: the answers that are there so far, and in the end the results.

    Making it gives the notes that come before the work, and reads all that a store holds, so that damage is found
    before the work and not while answers are put together.

    Parameters
    ----------
    plan : Plan
    data : Dataset
    name : str, optional
        What records and notes call the data set; left out: its relation.
    store : Store, optional
        Answers in it are taken, with a `Note`, and those that come are kept there.

    Raises
    ------
    OptionError
        The protocol contradicts the data, see `Protocol.prepare`.
    StoreError
        The store cannot be read or written.

    Attributes
    ----------
    results : dict of str to Result
        By the labels of the methods, in the order of the plan; empty before `finish`.
    """

    def __init__(self, plan: Plan, data: Dataset, name: str | None = None, store: Store | None = None) -> None:
        header_of(data)
        data = data if name is None else data.renamed(name)
        prepared = plan.protocol.prepare(data)
        trained_on = prepared.data.take(prepared.is_trained_on)
        note_missing_classes(trained_on)
        _note_costs(plan.methods.values(), prepared)
        self._plan, self._data, self._store = plan, data, store
        self._known = None if prepared.known_names is None else [list(names) for names in prepared.known_names]
        learners = dict.fromkeys(plan.learners.values())
        growers: dict[str, Grow] = {label: each.grow_without_notes for label, each in plan.learners.items()}
        ahead: dict[Grow, Begin | None] = {each.grow_without_notes: each.ahead() for each in learners}
        self._validation = CrossValidation(
            prepared.data, prepared.runs, growers, plan.methods, prepared.known, plan.protocol.rejection,
            prepared.prepare, plan.protocol.weigh, ahead,
        )  # fmt: skip
        if prepared.prepare is None:
            for learner in learners:
                learner.note(trained_on)
        self._answers: Cache = {}
        if store is not None:
            n = data.n_classes
            self._ids = {label: store.begin(digest, facts, n) for label, digest, facts in self._identities()}
            self._answers = store.answers(self._ids, n)
        self._missing = self._validation.missing(self._answers)
        self._n_left = sum(len(fold.labels) for fold in self._missing)
        self.n_answers = self._validation.n_answers
        self.n_answered = self.n_answers - sum(fold.n_answers for fold in self._missing)
        if self.n_answered and store is not None:
            tell(f"{data.relation}: {self.n_answered} of {self.n_answers} answers are taken from {store.path}")
        self.results: dict[str, Result] = {}

    def calls(self, pool: Pool, on_progress: Callable[[float], None]) -> Iterator[Callable[[], Any]]:
        """Calls that answer the folds that are missing; each gives pairs for `keep`.

        ``on_progress`` is called with the share of all answers, in [0, 1], while a fold is answered in this process.
        """

        def listen(n: int) -> None:
            on_progress((self.n_answered + n) / self.n_answers)

        if pool.is_here:
            yield partial(self._validation.answer, self._missing, listen)
        else:  # without what the folds do not need
            sent = replace(self._validation, runs=(), growers={}, ahead={})
            yield from (partial(sent.answer, part) for part in split_work(self._missing, TASKS_PER_JOB * pool.jobs))

    def keep(self, key: FoldKey, answers: Mapping[Label, FoldAnswers]) -> None:
        """Keep the answers of methods to a fold."""
        self._answers.update({(key, label): each for label, each in answers.items()})  # an interrupted run goes on here
        self._n_left -= len(answers)
        self.n_answered += sum(map(len, answers.values()))

    @property
    def share(self) -> float:
        """In [0, 1]: the share of the answers that are there."""
        return self.n_answered / self.n_answers

    @property
    def is_answered(self) -> bool:
        """Whether all answers are there."""
        return not self._n_left

    def finish(self) -> None:
        """Put the answers together and measure them; the store, if there is one, gets the records."""
        answers = self._validation.collect(self._answers)
        first = 0 if self._plan.protocol.test is None else len(self._data)
        for label, summary in _summaries(answers, self._plan.measures):
            of_method = answers[label]
            numbered = replace(of_method, instance=of_method.instance - first)  # as in the file it comes from
            measured = {**summary, "events": dict(of_method.events), "notes": list(of_method.notes)}
            result = Result({**self._facts(label), **measured, "versions": self._versions(label)}, numbered)
            if self._store is not None:
                self._store.finish(self._ids[label], *result)
            self.results[label] = result

    # -- what records say --

    def _facts(self, label: str) -> dict[str, Any]:
        data, protocol = self._data, self._plan.protocol
        method, learner = self._plan.methods[label], self._plan.learners[label]
        fitted_on = "each training set" if protocol.per_fold else "whole set"
        params = method.params
        reading = "table" if method.is_table_reading else params.get("reading")
        if "reading" in params:
            params = {**params, "reading": reading}
        return {
            "dataset": data.relation,
            "n_instances": len(data),
            "class": data.header.class_attribute.name,
            **protocol.facts(self._validation.runs),
            "leave_out": protocol.leave_out,
            "learner": learner.name,
            "options": learner.options,
            "preprocess": protocol.preprocess and {"name": protocol.preprocess, "fitted_on": fitted_on},
            "filters": list(protocol.filters),
            "cost_matrix": None if protocol.cost_matrix is None else str(protocol.cost_matrix),
            "known": self._known,
            "aim": None if protocol.aim is None else str(protocol.aim),
            "threshold_from": _chosen_on(protocol),
            "label": label,
            "method": method.name,
            "params": params,
            "reading": reading,
            "sees_class": method.sees_class,
        }

    def _versions(self, label: str) -> dict[str, str]:
        """The versions of all that the answers of a method depend on, packages of others included."""
        classes = {"method": type(self._plan.methods[label]), "learner": type(self._plan.learners[label])}
        return versions() | packages_of(**classes)

    def _identities(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """The label of each method, a digest of all that its answers depend on, and the same facts in readable form."""
        protocol = self._plan.protocol
        made_with = {
            "known": self._known,
            "rejection": (protocol.aim, protocol.threshold_from, protocol.calibrate),
            "preprocess": (protocol.preprocess, protocol.per_fold),
            "filters": protocol.filters,
            "cost_matrix": protocol.cost_matrix,
            "code": code_digest(),
        }
        data, splits = _digest_of_data(self._validation.data), _digest_of_splits(self._validation.runs)
        for label, method in self._plan.methods.items():
            cls, learner = type(method), self._plan.learners[label]
            method_facts = (cls.__module__, cls.__qualname__, method.params, digest_of_class(cls))
            learner_facts = (learner.name, learner.options, digest_of_class(type(learner)))
            used = made_with | {"versions": self._versions(label)}
            digest = hashlib.sha256(repr((data, splits, learner_facts, method_facts, used)).encode())
            facts = self._facts(label) | {"digest": data, "code": code_digest()}
            if protocol.given is not None:
                facts["splits"] = splits
            yield label, digest.hexdigest(), facts | {"versions": used["versions"]}


def _digest_of_data(data: Dataset) -> str:
    digest = hashlib.sha256(repr(data.header).encode())
    for array in (data.values, data.weights, data.sparse_rows):
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _digest_of_splits(runs: Sequence[Sequence[Split]]) -> str:
    digest = hashlib.sha256()
    for run in runs:
        if isinstance(run, LeaveOneOut):
            digest.update(repr(("leave-one-out", len(run), run.seed)).encode())
            continue
        digest.update(repr(("splits", [(len(train), len(test)) for train, test in run])).encode())
        for rows in chain.from_iterable(run):
            digest.update(np.ascontiguousarray(rows, dtype=np.int64).data)
    return digest.hexdigest()


def _summaries(answers: Mapping[Any, Answers], measures: Sequence[str]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The summary of each method; if one cannot be measured, those of the methods before it and then its error."""
    try:
        summaries = summarise(*answers.values(), measures=measures)
    except Exception:
        for label, of_method in answers.items():
            yield label, *summarise(of_method, measures=measures)
    else:
        yield from zip(answers, summaries, strict=True)


def split_work(folds: Iterable[Fold], n: int) -> Iterator[list[Fold]]:
    """The folds in about so many parts; those that share a tree are one part."""
    left_out, splits = by_tree(folds)
    yield from left_out
    size = max(-(-len(splits) // n), 1)
    for begin in range(0, len(splits), size):
        yield splits[begin : begin + size]


def _chosen_on(protocol: Protocol) -> str | None:
    """The rows that thresholds are chosen on; None where they need none."""
    if protocol.aim is None or protocol.aim.fixed_threshold is not None:
        return None
    return protocol.threshold_from if protocol.aim.confidence is None else "calibration"


def _note_costs(methods: Iterable[Method], prepared: Prepared) -> None:
    """Say which methods take long, and which option makes them shorter."""
    data = prepared.data if prepared.known is None else prepared.data.with_known_classes(prepared.known[0])
    n = sum(map(n_answers, prepared.runs))
    for method in methods:
        cost = method.cost(n, data.header) if isinstance(method, LeavesOneOut) else ""
        if cost:
            tell(f"{data.relation}: {cost}")
