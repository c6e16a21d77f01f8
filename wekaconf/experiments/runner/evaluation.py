"""The evaluation of methods on a data set, to be run as a whole in this process, or part by part in others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from wekaconf.base.errors import tell
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.finished import FinishedPieces, InMemory, Piece, PieceKey
from wekaconf.experiments.runner.parts import missing_parts
from wekaconf.experiments.runner.plan import Group, Plan
from wekaconf.experiments.runner.run import Changed, Request, Step
from wekaconf.experiments.store import Store
from wekaconf.experiments.workers.pool import Pool
from wekaconf.report.evaluation import Result


class EvaluatedSet(NamedTuple):
    """The results of an evaluation.

    Parameters
    ----------
    results : mapping of str to Result
        By the labels of the methods, in the order of the plan.
    evaluation_ids : mapping of str to int
        The ids of the results in the store, if there is one, by the same labels.
    """

    results: Mapping[str, Result]
    evaluation_ids: Mapping[str, int]


def evaluation_request(
    key: Any, name: str, size: float, plan: Callable[[], Plan], store: Store | None
) -> Request[EvaluatedSet]:
    """The request to evaluate what is planned; a store, if there is one, keeps each piece as soon as it is answered."""
    return Request(key, name, size, lambda pool, changed: _Evaluation(plan(), store, pool, changed))


class _OpenGroup(NamedTuple):
    """A group with its finished pieces, and the ids of its evaluations in the store, if there is one."""

    group: Group
    finished: FinishedPieces
    evaluation_ids: Sequence[int]


class _Evaluation:
    """A `Measurement`: an evaluation that has begun, group by group in this process, or part by part in others."""

    def __init__(self, plan: Plan, store: Store | None, pool: Pool, changed: Changed) -> None:
        self._plan, self._store, self._changed = plan, store, changed
        self._groups = [_open(plan, group, store) for group in plan.groups]
        self._n_answered = [0] * len(self._groups)
        self._answers: dict[int, Mapping[str, Answers]] = {}
        self.steps: list[Step] = []
        for g, (group, finished, _) in enumerate(self._groups):
            if pool.is_here:
                self.steps.append(Step(partial(self._answer, g)))
                continue
            parts = list(missing_parts(group, finished, pool.jobs))
            self._n_answered[g] = group.n_answers - sum(part.group.n_answers for part in parts)
            self.steps += [Step(part, partial(self._keep, g, part.group.n_answers)) for part in parts]

    def _answer(self, g: int) -> None:
        """Answer all that a group lacks, in this process."""

        def follow(n_answered: int, _: int) -> None:
            self._n_answered[g] = n_answered
            self._changed()

        group, finished, _ = self._groups[g]
        self._answers[g] = group.answers(finished, follow)

    def _keep(self, g: int, n_answers: int, pieces: Mapping[PieceKey, Piece]) -> None:
        """Keep the pieces of a part of a group, which was answered in another process."""
        self._groups[g].finished.put(pieces)
        self._n_answered[g] += n_answers

    @property
    def share(self) -> float:
        """In [0, 1]: the share of the answers that are there."""
        return sum(self._n_answered) / max(self._plan.n_answers, 1)

    def results(self) -> EvaluatedSet:
        """The results of all groups, which are also entered in the store."""
        results, ids = dict[str, Result](), dict[str, int]()
        for g, (group, finished, evaluation_ids) in enumerate(self._groups):
            answers = self._answers.get(g) or group.answers(finished)
            for i, (label, result) in enumerate(_results(self._plan, group, answers)):
                results[label] = result
                if self._store is not None:
                    self._store.finish(evaluation_ids[i], *result)
                    ids[label] = evaluation_ids[i]
        return EvaluatedSet({label: results[label] for label in self._plan.labels}, ids)


def _open(plan: Plan, group: Group, store: Store | None) -> _OpenGroup:
    """A group with what a store holds of it; a `Note` says how many answers these are."""
    if store is None:
        return _OpenGroup(group, InMemory(), [])
    n_classes = group.data.n_classes
    ids = [store.begin(fingerprint, facts, n_classes) for fingerprint, facts in plan.identities(group)]
    finished = store.pieces(ids, n_classes)
    if n_answers := finished.n_answers:
        tell(f"{plan.name}: {n_answers} of {group.n_answers} answers are taken from {store.path}")
    return _OpenGroup(group, finished, ids)


def _results(plan: Plan, group: Group, answers: Mapping[str, Answers]) -> Iterator[tuple[str, Result]]:
    """The results of the methods; if one cannot be measured, the results before it and then its error."""
    try:
        results = plan.results(group, answers)
    except Exception:
        for label, of_method in answers.items():
            yield from plan.results(group, {label: of_method}).items()
    else:
        yield from results.items()
