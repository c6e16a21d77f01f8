"""Makes the `Plan` of an evaluation from its arguments, before any tree grows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import alternatives, name_list, nearest
from wekaconf.data.dataset import Dataset, header_of
from wekaconf.evaluation.aim import check_aim
from wekaconf.evaluation.cross_validation import n_answers
from wekaconf.evaluation.protocol.protocol import Prepared, Protocol
from wekaconf.evaluation.protocol.rejecting import rejection_of
from wekaconf.evaluation.summary import MEASURES
from wekaconf.experiments.runner.plan import Group, Plan
from wekaconf.methods.contract.leaves_one_out import LeavesOneOut
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.model.scheme import label_of, learner_for, learner_of, parse_method, scheme_of, usual_learner
from wekaconf.tree.learner import Learner, note_missing_classes

Methods = Sequence[PostProcessor | str] | PostProcessor | str


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
    metrics: Sequence[str] | None = None,
) -> Plan:
    """The plan of `wekaconf.evaluate` with these arguments; gives the notes that come before the work.

    Raises
    ------
    OptionError
        See `wekaconf.evaluate`.
    """
    header = header_of(data)
    protocol = _protocol_of(protocol, {"folds": folds, "runs": runs, "seed": seed})
    chosen, measures = _methods_of(methods), _measures_of(metrics)
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
        methods_of_grower = {label: method for label, method in chosen.items() if repr(growers[label]) == repr(grower)}
        groups.append(
            Group(
                grower,
                methods_of_grower,
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
    return Plan(data.relation, tuple(chosen), tuple(groups), protocol, shared, n_before_test, measures)


def _protocol_of(protocol: Protocol | None, shorthand: Mapping[str, Any]) -> Protocol:
    """The protocol, or the one that folds, runs and seed stand for."""
    values = {name: value for name, value in shorthand.items() if value is not None}
    if protocol is None:
        return Protocol(**values)
    if not isinstance(protocol, Protocol):
        raise OptionError(f"protocol: expected a Protocol, such as Protocol(folds=10), got {type(protocol).__name__}")
    if values:
        raise OptionError(f"protocol: {next(iter(values))} is given beside it; set it in the Protocol")
    return protocol


def _methods_of(methods: Methods) -> dict[str, PostProcessor]:
    """The methods by their labels: as the user wrote them."""
    listed = [methods] if isinstance(methods, str | PostProcessor) else methods
    if not isinstance(listed, Sequence) or not listed:
        raise OptionError(
            f"methods: expected names or objects of methods, such as ['leaf_frequency', 'confdtree'], got {methods!r}"
        )
    chosen: dict[str, PostProcessor] = {}
    for method in listed:
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
    """The learner that grows the trees of each method; a `Note` if they differ though the user did not say so."""
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


def _measures_of(metrics: Sequence[str] | None) -> tuple[str, ...]:
    """The measures to compute; all of them if no metrics are chosen."""
    if metrics is None:
        return MEASURES
    if isinstance(metrics, str) or not isinstance(metrics, Sequence):
        raise OptionError(f"metrics: expected names of metrics, such as ['percent_correct'], got {metrics!r}")
    for name in metrics:
        if name not in MEASURES:
            raise OptionError(f"metrics: expected {alternatives(MEASURES)}, got '{name}'{nearest(str(name), MEASURES)}")
    return tuple(dict.fromkeys(metrics))


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
