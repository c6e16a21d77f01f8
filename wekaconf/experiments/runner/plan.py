"""The plan of an evaluation: test rows, methods and learners, and how answers become records."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from wekaconf.base.plugins import packages_of
from wekaconf.bridge.versions import code_digest, digest_of_class, versions
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.cross_validation import Answers, cross_validate, n_answers
from wekaconf.evaluation.finished import FinishedPieces
from wekaconf.evaluation.leave_one_out import LeaveOneOut
from wekaconf.evaluation.protocol.protocol import Protocol
from wekaconf.evaluation.rejection import Rejection
from wekaconf.evaluation.split_answers import Prepare, Split, Weigh
from wekaconf.evaluation.summary import summarise
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.report.evaluation import Result
from wekaconf.tree.learner import Learner


@dataclass(frozen=True, eq=False)
class Group:
    """Methods that read the trees of one learner, and all that their answers depend on.

    Parameters
    ----------
    learner : Learner
    methods : mapping of str to PostProcessor
        By their labels.
    data, runs, known, rejection, prepare, weigh
        See `cross_validate`.
    """

    learner: Learner[Any]
    methods: Mapping[str, PostProcessor]
    data: Dataset
    runs: Sequence[Sequence[Split]]
    known: Sequence[Any] | None
    rejection: Rejection | None
    prepare: Prepare | None
    weigh: Weigh | None

    def answers(
        self,
        finished: FinishedPieces | None = None,
        on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> dict[str, Answers]:
        """The answers of each method, by its label; what is finished is not computed again."""
        answers = cross_validate(
            self.data,
            self.runs,
            self.learner.grow_without_notes,
            list(self.methods.values()),
            known=self.known,
            rejection=self.rejection,
            prepare=self.prepare,
            weigh=self.weigh,
            finished=finished,
            on_progress=on_progress,
            begin=self.learner.ahead(),
        )
        return dict(zip(self.methods, answers, strict=True))

    @property
    def n_answers(self) -> int:
        """Number of answers, summed over the methods."""
        return len(self.methods) * sum(map(n_answers, self.runs))


@dataclass(frozen=True, eq=False)
class Plan:
    """An evaluation that can begin.

    Parameters
    ----------
    name : str
        What records call the data set.
    labels : tuple of str
        The labels of the methods, in the order of the results.
    groups : tuple of Group
    protocol : Protocol
    shared : mapping
        The fields that all records have in common; learner and options are empty.
    n_before_test : int
        Number of instances before those that are tested on, where these come from a file of their own; else 0.
    measures : tuple of str
        What is measured, see `summarise`.
    """

    name: str
    labels: tuple[str, ...]
    groups: tuple[Group, ...]
    protocol: Protocol
    shared: Mapping[str, Any]
    n_before_test: int
    measures: tuple[str, ...]

    @property
    def n_answers(self) -> int:
        """Number of answers, summed over the methods."""
        return sum(group.n_answers for group in self.groups)

    def results(self, group: Group, answers: Mapping[str, Answers]) -> dict[str, Result]:
        """The record of each method of a group, with its answers."""
        results = {}
        summaries = summarise(*answers.values(), measures=self.measures)
        for (label, of_method), summary in zip(answers.items(), summaries, strict=True):
            facts = self._facts(group, label, group.methods[label])
            measured = {**summary, "events": dict(of_method.events), "notes": list(of_method.notes)}
            numbered = of_method  # each instance by its number in the file that it comes from
            if self.n_before_test:
                numbered = replace(of_method, instance=of_method.instance - self.n_before_test)
            results[label] = Result({**facts, **measured, "versions": _versions(group, group.methods[label])}, numbered)
        return results

    def identities(self, group: Group) -> Iterator[tuple[str, dict[str, Any]]]:
        """For each method of a group: a digest of all that its answers depend on, and the same facts readable."""
        made_with = {
            "known": self.shared["known"],
            "rejection": (self.protocol.aim, self.protocol.threshold_from, self.protocol.calibrate),
            "preprocess": self.shared["preprocess"],
            "filters": self.protocol.filters,
            "cost_matrix": self.protocol.cost_matrix,
            "code": code_digest(),
        }
        for label, method in group.methods.items():
            cls = type(method)
            method_facts = (cls.__module__, cls.__qualname__, method.params, digest_of_class(cls))
            learner_facts = (group.learner.name, group.learner.options, digest_of_class(type(group.learner)))
            used = made_with | {"versions": _versions(group, method)}
            digest = hashlib.sha256(
                repr((self._digest_of_data, self._digest_of_splits, learner_facts, method_facts, used)).encode()
            )
            facts = self._facts(group, label, method) | {"digest": self._digest_of_data, "code": code_digest()}
            if self.protocol.given is not None:
                facts["splits"] = self._digest_of_splits
            yield digest.hexdigest(), facts | {"versions": used["versions"]}

    def _facts(self, group: Group, label: str, method: PostProcessor) -> dict[str, Any]:
        params = method.params
        reading = "table" if method.is_table_reading else params.get("reading")
        if "reading" in params:
            params = {**params, "reading": reading}
        return {
            **self.shared,
            "learner": group.learner.name,
            "options": group.learner.options,
            "label": label,
            "method": method.name,
            "params": params,
            "reading": reading,
            "sees_class": method.sees_class,
        }

    @cached_property
    def _digest_of_data(self) -> str:
        data = self.groups[0].data
        digest = hashlib.sha256(repr(data.header).encode())
        for array in (data.values, data.weights, data.sparse_rows):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    @cached_property
    def _digest_of_splits(self) -> str:
        digest = hashlib.sha256()
        for run in self.groups[0].runs:
            if isinstance(run, LeaveOneOut):
                digest.update(repr(("leave-one-out", len(run), run.seed)).encode())
                continue
            digest.update(repr(("splits", [(len(train), len(test)) for train, test in run])).encode())
            for rows in chain.from_iterable(run):
                digest.update(np.ascontiguousarray(rows, dtype=np.int64).data)
        return digest.hexdigest()


def _versions(group: Group, method: PostProcessor) -> dict[str, str]:
    """The versions of all that the answers of a method depend on, packages of others included."""
    return versions() | packages_of(method=type(method), learner=type(group.learner))
