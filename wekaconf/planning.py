"""What an evaluation comes to before any tree grows: who is asked, by which methods, on trees of which learners."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Literal

import numpy as np

from wekaconf.data.dataset import Dataset, header_of
from wekaconf.errors import OptionError, tell
from wekaconf.evaluation.aim import check_aim
from wekaconf.evaluation.cross_validation import Answers, Rejection, cross_validate, n_answers
from wekaconf.evaluation.finished import Finished
from wekaconf.evaluation.leave_one_out import LeaveOneOut
from wekaconf.evaluation.pieces import Prepare, Split, Weigh
from wekaconf.evaluation.summary import summarise
from wekaconf.learner import Learner, note_missing_classes
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.naming import name_list
from wekaconf.postprocessor import PostProcessor
from wekaconf.protocol.protocol import Prepared, Protocol
from wekaconf.protocol.rejecting import rejection_of
from wekaconf.report.evaluation import Result
from wekaconf.scheme import label_of, learner_for, learner_of, parse_method, scheme_of, usual_learner
from wekaconf.versions import code_digest, digest_of_class, versions

Methods = Sequence[PostProcessor | str] | PostProcessor | str


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
        self, finished: Finished | None = None, on_progress: Callable[[int, int], None] = lambda _done, _total: None
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
        )
        return dict(zip(self.methods, answers, strict=True))

    @property
    def n_answers(self) -> int:
        """Of all methods."""
        return len(self.methods) * sum(map(n_answers, self.runs))


@dataclass(frozen=True, eq=False)
class Plan:
    """An evaluation that can begin.

    Parameters
    ----------
    name : str
        What records call the data set.
    labels : tuple of str
        Of the methods, in the order of the results.
    groups : tuple of Group
    protocol : Protocol
    shared : mapping
        What all records have in common; learner and options are empty.
    n_before_test : int
        Number of instances before those that are tested on, where these come from a file of their own; else 0.
    """

    name: str
    labels: tuple[str, ...]
    groups: tuple[Group, ...]
    protocol: Protocol
    shared: Mapping[str, Any]
    n_before_test: int

    @property
    def n_answers(self) -> int:
        """Of all methods."""
        return sum(group.n_answers for group in self.groups)

    def result(self, group: Group, label: str, answers: Answers) -> Result:
        """The record of a method, with its answers."""
        if self.n_before_test:
            answers = replace(answers, instance=answers.instance - self.n_before_test)
        method = group.methods[label]
        return Result({**self._facts(group, label, method), **_measured(answers), "versions": versions()}, answers)

    def identities(self, group: Group) -> Iterator[tuple[str, dict[str, Any]]]:
        """For each method of a group a digest of all that its answers depend on, and the same for people."""
        made_with = {
            "known": self.shared["known"],
            "rejection": (self.protocol.aim, self.protocol.threshold_from) if group.rejection is not None else None,
            "preprocess": self.shared["preprocess"],
            "filters": self.protocol.filters,
            "cost_matrix": self.protocol.cost_matrix,
            "versions": versions(),
            "code": code_digest(),
        }
        for label, method in group.methods.items():
            cls = type(method)
            own = (cls.__module__, cls.__qualname__, method.params, digest_of_class(cls))
            learner = (group.learner.name, group.learner.options, digest_of_class(type(group.learner)))
            digest = hashlib.sha256(
                repr((self._digest_of_data, self._digest_of_splits, learner, own, made_with)).encode()
            )
            facts = self._facts(group, label, method) | {"digest": self._digest_of_data, "code": code_digest()}
            if self.protocol.given is not None:
                facts["splits"] = self._digest_of_splits
            yield digest.hexdigest(), facts | {"versions": versions()}

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
        for array in (data.values, data.weights):
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


def plan_of(
    data: Dataset,
    methods: Methods,
    *,
    protocol: Protocol | None = None,
    folds: int | Literal["loo"] | None = None,
    runs: int | None = None,
    seed: int | None = None,
    learner: str | Sequence[str] | Learner[Any] | None = None,
    options: str | Sequence[str] = "",
    name: str | None = None,
) -> Plan:
    """What `wekaconf.evaluate` with these arguments comes to; it tells the notes that come before the work.

    Raises
    ------
    OptionError
        See `wekaconf.evaluate`.
    """
    header = header_of(data)
    protocol = _protocol_of(protocol, {"folds": folds, "runs": runs, "seed": seed})
    chosen = _methods_of(methods)
    for method in chosen.values():
        if protocol.aim is not None:
            check_aim(protocol.aim, method.name, method.certainty_range)
    if learner is not None:
        scheme = scheme_of(learner, options)
        learner, options = scheme.learner, ""
        filters, cost_matrix = (*protocol.filters, *scheme.filters), scheme.costs_beside(protocol.cost_matrix)
        protocol = replace(protocol, filters=filters, cost_matrix=cost_matrix)
    growers = _learners_of(chosen, learner, options)
    n_instances, relation = len(data), data.relation
    if name is not None:
        data = data.renamed(name)
    prepared = protocol.prepare(data)
    trained_on = prepared.data.take(prepared.is_trained_on)
    note_missing_classes(trained_on)
    _note_costs(chosen.values(), sum(map(n_answers, prepared.runs)), prepared)
    groups = []
    for grower in {repr(grower): grower for grower in growers.values()}.values():
        if prepared.prepare is None:
            grower.note(trained_on)
        its_methods = {label: method for label, method in chosen.items() if repr(growers[label]) == repr(grower)}
        groups.append(
            Group(
                grower,
                its_methods,
                prepared.data,
                prepared.runs,
                prepared.known,
                None if protocol.aim is None else rejection_of(protocol.aim, protocol.threshold_from),
                prepared.prepare,
                None if protocol.cost_matrix is None else protocol.cost_matrix.weigh,
            )
        )
    shared = {
        "dataset": name or relation,
        "n_instances": n_instances,
        "class": header.class_attribute.name,
        **protocol.facts(prepared.runs),
        "leave_out": protocol.leave_out,
        "learner": "",
        "options": "",
        "preprocess": _preprocess_record(protocol),
        "filters": list(protocol.filters),
        "cost_matrix": None if protocol.cost_matrix is None else str(protocol.cost_matrix),
        "known": None if prepared.known_names is None else [list(names) for names in prepared.known_names],
        "aim": None if protocol.aim is None else str(protocol.aim),
        "threshold_from": None if _fixed_threshold(protocol) else protocol.threshold_from,
    }
    n_before_test = 0 if protocol.test is None else n_instances
    return Plan(data.relation, tuple(chosen), tuple(groups), protocol, shared, n_before_test)


def _protocol_of(protocol: Protocol | None, short: Mapping[str, Any]) -> Protocol:
    given = {name: value for name, value in short.items() if value is not None}
    if protocol is None:
        return Protocol(**given)
    if not isinstance(protocol, Protocol):
        raise OptionError(f"protocol: expected a Protocol, such as Protocol(folds=10), got {type(protocol).__name__}")
    if given:
        raise OptionError(f"protocol: {next(iter(given))} is given beside it; set it in the Protocol")
    return protocol


def _methods_of(methods: Methods) -> dict[str, PostProcessor]:
    """The methods by their names in tables, which are as the user wrote them."""
    given = [methods] if isinstance(methods, str | PostProcessor) else methods
    if not isinstance(given, Sequence) or not given:
        raise OptionError(
            f"methods: expected names or objects of methods, such as ['leaf_frequency', 'confdtree'], got {methods!r}"
        )
    chosen: dict[str, PostProcessor] = {}
    for method in given:
        if not isinstance(method, str | PostProcessor):
            raise OptionError(f"methods: expected names or objects of methods, got {type(method).__name__}")
        label = method if isinstance(method, str) else label_of(method)
        if label in chosen:
            raise OptionError(f"methods: '{label}' is given twice; leave one out")
        chosen[label] = parse_method(method) if isinstance(method, str) else method
    return chosen


def _learners_of(
    chosen: Mapping[str, PostProcessor],
    learner: str | Sequence[str] | Learner[Any] | None,
    options: str | Sequence[str],
) -> dict[str, Learner[Any]]:
    """The learner that grows the trees of each method; a `Note` where they differ without the user's saying so."""
    if learner is not None:
        return dict.fromkeys(chosen, learner_of(learner, options))
    usual = {label: usual_learner(method) for label, method in chosen.items()}
    if len(set(usual.values())) == 1:
        return dict.fromkeys(chosen, learner_for(next(iter(chosen.values())), None, options))
    who_reads_what = "; ".join(
        f"{name_list(label for label, trees in usual.items() if trees == shared)} on {' '.join(shared).strip()}"
        for shared in dict.fromkeys(usual.values())
    )
    if options:
        raise OptionError(
            f"options: the methods use several learners ({who_reads_what}); give one learner to use it for all"
        )
    tell(
        f"the methods use several learners, that of the paper where it names one: {who_reads_what}; give one learner "
        "to use it for all"
    )
    return {label: learner_of(*trees) for label, trees in usual.items()}


def _measured(answers: Answers) -> dict[str, Any]:
    return {**summarise(answers), "events": dict(answers.events), "notes": list(answers.notes)}


def _preprocess_record(protocol: Protocol) -> dict[str, str] | None:
    if protocol.preprocess is None:
        return None
    return {"name": protocol.preprocess, "fitted_on": "each training set" if protocol.per_fold else "whole set"}


def _fixed_threshold(protocol: Protocol) -> bool:
    return protocol.aim is None or protocol.aim.fixed_threshold is not None


def _note_costs(methods: Iterable[PostProcessor], n: int, prepared: Prepared) -> None:
    data = prepared.data if prepared.known is None else prepared.data.with_known_classes(prepared.known[0])
    for method in methods:
        cost = method.cost(n, data.header) if isinstance(method, LeavesOneOut) else ""
        if cost:
            tell(f"{data.relation}: {cost}")
