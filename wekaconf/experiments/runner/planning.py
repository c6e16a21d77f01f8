"""Makes the `Plan` of an evaluation from its data and options, before any tree grows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wekaconf.base.errors import tell
from wekaconf.data.dataset import Dataset, header_of
from wekaconf.evaluation.cross_validation import n_answers
from wekaconf.evaluation.protocol.protocol import Prepared, Protocol
from wekaconf.experiments.runner.options import EvaluationOptions
from wekaconf.experiments.runner.plan import Group, Plan
from wekaconf.methods.contract.leaves_one_out import LeavesOneOut
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.tree.learner import note_missing_classes


def plan_of(data: Dataset, options: EvaluationOptions, name: str | None) -> Plan:
    """The plan of an evaluation; gives the notes that come before the work.

    Parameters
    ----------
    data : Dataset
    options : EvaluationOptions
    name : str or None
        What records and notes call the data set; None: its relation.

    Raises
    ------
    OptionError
        The protocol contradicts the data, see `Protocol.prepare`.
    """
    header_of(data)
    if name is not None:
        data = data.renamed(name)
    prepared = options.protocol.prepare(data)
    trained_on = prepared.data.take(prepared.is_trained_on)
    note_missing_classes(trained_on)
    _note_costs(options.methods.values(), sum(map(n_answers, prepared.runs)), prepared)
    groups = _groups(options, prepared)
    if prepared.prepare is None:
        for group in groups:
            group.learner.note(trained_on)
    return Plan(
        data.relation,
        tuple(options.methods),
        groups,
        options.protocol,
        _shared_facts(data, options.protocol, prepared),
        0 if options.protocol.test is None else len(data),
        options.measures,
    )


def _groups(options: EvaluationOptions, prepared: Prepared) -> tuple[Group, ...]:
    """The methods by the learner whose trees they read."""
    protocol = options.protocol
    weigh = None if protocol.cost_matrix is None else protocol.cost_matrix.weigh
    shared = prepared.data, prepared.runs, prepared.known, protocol.rejection, prepared.prepare, weigh
    methods = dict[str, dict[str, PostProcessor]]()
    for label, learner in options.learners.items():
        methods.setdefault(repr(learner), {})[label] = options.methods[label]
    return tuple(Group(options.learners[next(iter(group))], group, *shared) for group in methods.values())


def _shared_facts(data: Dataset, protocol: Protocol, prepared: Prepared) -> dict[str, Any]:
    """The fields that all records have in common."""
    return {
        "dataset": data.relation,
        "n_instances": len(data),
        "class": data.header.class_attribute.name,
        **protocol.facts(prepared.runs),
        "leave_out": protocol.leave_out,
        "learner": "",
        "options": "",
        "preprocess": _preprocess_record(protocol),
        "filters": list(protocol.filters),
        "cost_matrix": None if protocol.cost_matrix is None else str(protocol.cost_matrix),
        "known": None if prepared.known_names is None else [list(names) for names in prepared.known_names],
        "aim": None if protocol.aim is None else str(protocol.aim),
        "threshold_from": _chosen_on(protocol),
    }


def _preprocess_record(protocol: Protocol) -> dict[str, str] | None:
    if protocol.preprocess is None:
        return None
    return {"name": protocol.preprocess, "fitted_on": "each training set" if protocol.per_fold else "whole set"}


def _chosen_on(protocol: Protocol) -> str | None:
    """The rows that thresholds are chosen on; None where they need none."""
    if protocol.aim is None or protocol.aim.fixed_threshold is not None:
        return None
    return protocol.threshold_from if protocol.aim.confidence is None else "calibration"


def _note_costs(methods: Iterable[PostProcessor], n: int, prepared: Prepared) -> None:
    data = prepared.data if prepared.known is None else prepared.data.with_known_classes(prepared.known[0])
    for method in methods:
        cost = method.cost(n, data.header) if isinstance(method, LeavesOneOut) else ""
        if cost:
            tell(f"{data.relation}: {cost}")
