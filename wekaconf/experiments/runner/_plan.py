"""The plan of an evaluation: methods, learners, protocol and measures, checked before any data are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import alternatives, name_list, nearest
from wekaconf.base.words import Phrase
from wekaconf.evaluation.aims import check_aim
from wekaconf.evaluation.protocol import Protocol
from wekaconf.evaluation.summaries import MEASURES
from wekaconf.methods.contract import Method
from wekaconf.model.scheme import label_of, learner_for, learner_of, parse_method, scheme_of, usual_learner
from wekaconf.tree import Learner

Methods = Sequence[Method | str] | Method | str


@dataclass(frozen=True, eq=False)
class Plan:
    """What is measured, and how, whatever the data.

    Parameters
    ----------
    methods : mapping of str to Method
        By their labels.
    learners : mapping of str to Learner
        The learner that grows the trees of each method, by the same labels. Methods with the same one share its trees.
    protocol : Protocol
    measures : tuple of str
        What is measured, see `summarise`.
    """

    methods: Mapping[str, Method]
    learners: Mapping[str, Learner[Any]]
    protocol: Protocol
    measures: tuple[str, ...]

    @classmethod
    def of(
        cls,
        methods: Methods,
        protocol: Protocol,
        learner: str | Sequence[str] | Learner[Any] | None,
        options: str | Sequence[str] = "",
        metrics: Sequence[str] | None = None,
    ) -> Self:
        """The plan of `wekaconf.evaluate` with these arguments; filters and costs of the learner join the protocol.

        Raises
        ------
        OptionError
            See `wekaconf.evaluate`.
        """
        if not isinstance(protocol, Protocol):
            raise OptionError(
                parameter="protocol", expected="a Protocol, such as Protocol(folds=10)", got=type(protocol).__name__
            )
        chosen, measures = _methods_of(methods), _measures_of(metrics)
        for method in chosen.values():
            if protocol.aim is not None:
                check_aim(protocol.aim, method.name, method.certainty_range)
        if learner is not None:
            scheme = scheme_of(learner, options)
            learner, options = scheme.learner, ""
            filters, cost_matrix = (*protocol.filters, *scheme.filters), scheme.costs_beside(protocol.cost_matrix)
            protocol = replace(protocol, filters=filters, cost_matrix=cost_matrix)
        return cls(chosen, _learners_of(chosen, learner, options), protocol, measures)


def _methods_of(methods: Methods) -> dict[str, Method]:
    """The methods by their labels: as the user wrote them."""
    listed = [methods] if isinstance(methods, str | Method) else methods
    if not isinstance(listed, Sequence) or not listed:
        raise OptionError(
            parameter="methods",
            expected="names or objects of methods, such as ['leaf_frequency', 'confdtree']",
            got=repr(methods),
        )
    chosen: dict[str, Method] = {}
    for method in listed:
        if not isinstance(method, str | Method):
            raise OptionError(parameter="methods", expected="names or objects of methods", got=type(method).__name__)
        label = method if isinstance(method, str) else label_of(method)
        if label in chosen:
            raise OptionError(f"'{label}' is given twice; leave one out", parameter="methods")
        chosen[label] = parse_method(method) if isinstance(method, str) else method
    return chosen


def _learners_of(
    chosen: Mapping[str, Method],
    learner: str | Sequence[str] | Learner[Any] | None,
    options: str | Sequence[str],
) -> dict[str, Learner[Any]]:
    """The learner that grows the trees of each method; a `Note` if they differ though the user did not say so."""
    if learner is not None:
        return dict.fromkeys(chosen, learner_of(learner, options))
    usual = {label: usual_learner(method) for label, method in chosen.items()}
    distinct = dict.fromkeys(usual.values())
    if len(distinct) == 1:
        return dict.fromkeys(chosen, learner_for(next(iter(chosen.values())), None, options))
    who_reads_what = "; ".join(
        f"{name_list(label for label, trees in usual.items() if trees == shared)} on {' '.join(shared).strip()}"
        for shared in distinct
    )
    if options:
        raise OptionError(
            f"the methods use several learners ({who_reads_what}); ", Phrase.ONE_LEARNER, parameter="options"
        )
    tell(
        f"the methods use several learners, that of the paper where it names one: {who_reads_what}; ",
        Phrase.ONE_LEARNER,
    )
    learners = {trees: learner_of(*trees) for trees in distinct}
    return {label: learners[trees] for label, trees in usual.items()}


def _measures_of(metrics: Sequence[str] | None) -> tuple[str, ...]:
    """The measures to compute; all of them if no metrics are chosen."""
    if metrics is None:
        return MEASURES
    if isinstance(metrics, str) or not isinstance(metrics, Sequence):
        raise OptionError(
            parameter="metrics", expected="names of metrics, such as ['percent_correct']", got=repr(metrics)
        )
    for name in metrics:
        if name not in MEASURES:
            raise OptionError(
                parameter="metrics", expected=alternatives(MEASURES), got=f"'{name}'{nearest(str(name), MEASURES)}"
            )
    return tuple(dict.fromkeys(metrics))
