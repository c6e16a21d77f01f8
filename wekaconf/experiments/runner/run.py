"""Runs the evaluations of many data sets at a time, part by part, and keeps each part as soon as it is finished."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from wekaconf.base.errors import StoreError, tell
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.finished import Finished, InMemory, Key, Piece, What
from wekaconf.experiments.runner.parts import PartOutcome, Work, missing_work
from wekaconf.experiments.runner.plan import Group, Plan
from wekaconf.experiments.store import Store
from wekaconf.experiments.workers.pool import Pool, Task
from wekaconf.experiments.workers.progress import Underway
from wekaconf.report.evaluation import Result


class EvaluationRequest(NamedTuple):
    """An evaluation to run.

    Parameters
    ----------
    key : hashable
        Identifies its outcome.
    name : str
        The name of the data set, for people.
    size : float
        Its share of the work, in any unit.
    plan : callable
        Reads the data and makes the plan; called when the evaluation begins.
    """

    key: Any
    name: str
    size: float
    plan: Callable[[], Plan]


class EvaluationOutcome(NamedTuple):
    """The results of one evaluation, and the methods that failed.

    Parameters
    ----------
    key : hashable
        That of the request.
    results : mapping of str to Result
        By the labels of the methods, in the order of the plan.
    evaluation_ids : mapping of str to int
        The ids of the results in the store, if there is one, by the same labels.
    errors : mapping of str to Exception
        The errors of the methods that failed, by their labels.
    error : Exception or None
        Why the evaluation could not begin.
    """

    key: Any
    results: Mapping[str, Result]
    evaluation_ids: Mapping[str, int]
    errors: Mapping[str, Exception]
    error: Exception | None = None


def begin_group(plan: Plan, group: Group, store: Store | None) -> tuple[Finished, list[int]]:
    """The finished pieces of a group, and the ids of its evaluations in the store, if there is one.

    A `Note` says how many answers are there already.
    """
    if store is None:
        return InMemory(), []
    n_classes = group.data.n_classes
    evaluation_ids = [store.begin(fingerprint, facts, n_classes) for fingerprint, facts in plan.identities(group)]
    finished = store.pieces(evaluation_ids, n_classes)
    if n_answers := finished.n_answers:
        tell(f"{plan.name}: {n_answers} of {group.n_answers} answers are taken from {store.path}")
    return finished, evaluation_ids


def close_group(
    plan: Plan, group: Group, finished: Finished, store: Store | None, evaluation_ids: Sequence[int],
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> dict[str, Result]:  # fmt: skip
    """The results of a group by label, also entered in the store; answers that are missing are computed here."""
    results = dict[str, Result]()
    for i, (label, result) in enumerate(_results(plan, group, group.answers(finished, on_progress))):
        results[label] = result
        if store is not None:
            store.finish(evaluation_ids[i], *result)
    return results


def _results(plan: Plan, group: Group, answers: Mapping[str, Answers]) -> Iterator[tuple[str, Result]]:
    """The results of the methods; if one cannot be measured, the results before it and then its error."""
    try:
        results = plan.results(group, answers)
    except Exception:
        for label, of_method in answers.items():
            yield from plan.results(group, {label: of_method}).items()
    else:
        yield from results.items()


@dataclass(frozen=True, eq=False)
class _FinishedSubset:
    """The `Finished` of some methods of a group, which have these indices in the group."""

    finished: Finished
    methods: Sequence[int]

    def get(self, key: Key, n_answers: int) -> Piece | None:
        return self.finished.get(key._replace(method=self.methods[key.method]), n_answers)

    def put(self, pieces: Mapping[Key, Piece]) -> None:
        self.finished.put({key._replace(method=self.methods[key.method]): piece for key, piece in pieces.items()})

    def sizes(self, run: int, method: int) -> dict[tuple[What, int], int]:
        return self.finished.sizes(run, self.methods[method])


class _RunningEvaluation:
    """An evaluation that has begun, and the parts that it waits for."""

    def __init__(self, request: EvaluationRequest, store: Store | None, jobs: int) -> None:
        self.request, self._store = request, store
        self.plan = request.plan()
        self._groups = [begin_group(self.plan, group, store) for group in self.plan.groups]
        self.errors: dict[str, Exception] = {}
        self.work: list[tuple[int, Work]] = [
            (g, work)
            for g, group in enumerate(self.plan.groups)
            for work in missing_work(group, self._groups[g][0], jobs)
        ]
        self.n_parts_to_do = len(self.work)
        self._n_answers_to_do = sum(work.n_answers for _, work in self.work)

    @property
    def share(self) -> float:
        """In [0, 1]: the share of the answers that are there."""
        return 1 - self._n_answers_to_do / max(self.plan.n_answers, 1)

    def keep(self, number: int, outcome: PartOutcome | None, error: Exception | None) -> None:
        """Keep the outcome of a part, or the error if the part has none."""
        g, work = self.work[number]
        if outcome is not None and outcome.pieces:
            self._groups[g][0].put(outcome.pieces)
        labels = list(self.plan.groups[g].methods)
        errors = dict.fromkeys(work.part.methods, error) if outcome is None else outcome.errors
        for i, method_error in errors.items():
            if method_error is not None:
                self.errors.setdefault(labels[i], method_error)
        self.n_parts_to_do -= 1
        self._n_answers_to_do -= work.n_answers

    def outcome(self) -> EvaluationOutcome:
        """The results of the methods that have answered everything, and the errors of the others."""
        results, ids_by_label = dict[str, Result](), dict[str, int]()
        for group, (finished, evaluation_ids) in zip(self.plan.groups, self._groups, strict=True):
            chosen = [i for i, label in enumerate(group.methods) if label not in self.errors]
            if not chosen:
                continue
            labels = list(group.methods)
            part = replace(group, methods={labels[i]: group.methods[labels[i]] for i in chosen})
            chosen_ids = [evaluation_ids[i] for i in chosen] if evaluation_ids else []
            results |= close_group(self.plan, part, _FinishedSubset(finished, chosen), self._store, chosen_ids)
            ids_by_label |= dict(zip(part.methods, chosen_ids, strict=False))
        ordered = {label: results[label] for label in self.plan.labels if label in results}
        return EvaluationOutcome(self.request.key, ordered, ids_by_label, self.errors)


def evaluate_each(
    requests: Sequence[EvaluationRequest],
    pool: Pool,
    *,
    store: Store | None = None,
    on_progress: Callable[[Underway], None] = lambda _: None,
) -> Iterator[EvaluationOutcome]:
    """Run evaluations, and give the outcome of each as soon as it is done, in any order.

    Parameters
    ----------
    requests : sequence of EvaluationRequest
    pool : Pool
        Answers the parts: some splits of a run by all methods of one learner, whose tree grows once per split. Answers
        do not depend on the pool.
    store : Store, optional
        Keeps each part once it is answered. Answers that it holds are not computed again.
    on_progress : callable
        Called at the start and after each part.
    """
    running: dict[int, _RunningEvaluation] = {}
    outcomes: deque[EvaluationOutcome] = deque()
    to_do = dict(enumerate(requests))
    total = max(sum(request.size for request in requests), 1e-9)

    def tasks() -> Iterator[Task]:
        for i, request in enumerate(requests):
            try:
                evaluation = running[i] = _RunningEvaluation(request, store, pool.jobs)
            except StoreError:
                raise
            except Exception as error:
                outcomes.append(EvaluationOutcome(request.key, {}, {}, {}, error))
                del to_do[i]
                continue
            if not evaluation.work:
                finish(i)
            for number, (_, work) in enumerate(evaluation.work):
                yield Task((i, number), work)

    def finish(i: int) -> None:
        outcomes.append(running.pop(i).outcome())
        del to_do[i]

    def report() -> None:
        share = sum(request.size * (1 - running[i].share if i in running else 1.0) for i, request in to_do.items())
        names = tuple(dict.fromkeys(each.request.name for each in running.values() if each.n_parts_to_do))
        on_progress(Underway(len(requests) - len(to_do), len(requests), 1 - share / total, names[: pool.jobs]))

    report()
    with closing(pool.outcomes(tasks())) as task_outcomes:
        for (i, number), part_outcome, error, caught in task_outcomes:
            for warning in caught:
                warnings.warn(warning, stacklevel=2)
            running[i].keep(number, part_outcome, error)
            if not running[i].n_parts_to_do:
                finish(i)
            report()
            while outcomes:
                yield outcomes.popleft()
    report()
    yield from outcomes
