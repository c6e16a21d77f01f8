"""Evaluations of many data sets at a time, part by part, with all that is finished kept at once."""

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
from wekaconf.experiments.runner.parts import Answered, Work, missing_work
from wekaconf.experiments.runner.plan import Group, Plan
from wekaconf.experiments.store import Store
from wekaconf.experiments.workers.pool import Pool, Task
from wekaconf.experiments.workers.progress import Underway
from wekaconf.report.evaluation import Result


class Source(NamedTuple):
    """An evaluation to come.

    Parameters
    ----------
    key : hashable
        Its name among what is done.
    name : str
        Of the data set, for people.
    size : float
        Its share of the work, in any unit.
    plan : callable
        Reads the data and makes the plan, when its turn comes.
    """

    key: Any
    name: str
    size: float
    plan: Callable[[], Plan]


class Done(NamedTuple):
    """What became of an evaluation.

    Parameters
    ----------
    key : hashable
    results : mapping of str to Result
        By the labels of the methods, in the order in which these were given.
    numbers : mapping of str to int
        Their numbers in the store, if there is one.
    errors : mapping of str to Exception
        Of the methods that failed.
    error : Exception or None
        Why the evaluation could not begin.
    """

    key: Any
    results: Mapping[str, Result]
    numbers: Mapping[str, int]
    errors: Mapping[str, Exception]
    error: Exception | None = None


def begin_group(plan: Plan, group: Group, store: Store | None) -> tuple[Finished, list[int]]:
    """What is finished of a group, and the numbers of its evaluations in the store, if there is one.

    A `Note` says how many answers are there already.
    """
    if store is None:
        return InMemory(), []
    numbers = [store.begin(fingerprint, facts, group.data.n_classes) for fingerprint, facts in plan.identities(group)]
    finished = store.pieces(numbers, group.data.n_classes)
    if n_answers := finished.n_answers:
        tell(f"{plan.name}: {n_answers} of {group.n_answers} answers are taken from {store.path}")
    return finished, numbers


def close_group(
    plan: Plan, group: Group, finished: Finished, store: Store | None, numbers: Sequence[int],
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> dict[str, Result]:  # fmt: skip
    """The results of a group, by label, entered in the store; what is not finished is answered here."""
    results = dict[str, Result]()
    for i, (label, result) in enumerate(_measured(plan, group, group.answers(finished, on_progress))):
        results[label] = result
        if store is not None:
            store.finish(numbers[i], *result)
    return results


def _measured(plan: Plan, group: Group, answers: Mapping[str, Answers]) -> Iterator[tuple[str, Result]]:
    """The results of all methods; if one cannot be measured, those before it and then its error."""
    try:
        together = plan.results(group, answers)
    except Exception:
        for label, of_method in answers.items():
            yield from plan.results(group, {label: of_method}).items()
    else:
        yield from together.items()


@dataclass(frozen=True, eq=False)
class _Chosen:
    """The `Finished` of some methods of a group."""

    finished: Finished
    places: Sequence[int]

    def get(self, key: Key, n_answers: int) -> Piece | None:
        return self.finished.get(key._replace(method=self.places[key.method]), n_answers)

    def put(self, pieces: Mapping[Key, Piece]) -> None:
        self.finished.put({key._replace(method=self.places[key.method]): piece for key, piece in pieces.items()})

    def sizes(self, run: int, method: int) -> dict[tuple[What, int], int]:
        return self.finished.sizes(run, self.places[method])


class _Open:
    """An evaluation that has begun."""

    def __init__(self, source: Source, store: Store | None, jobs: int) -> None:
        self.source, self._store = source, store
        self.plan = source.plan()
        self._begun = [begin_group(self.plan, group, store) for group in self.plan.groups]
        self.errors: dict[str, Exception] = {}
        self.work: list[tuple[int, Work]] = [
            (g, work)
            for g, group in enumerate(self.plan.groups)
            for work in missing_work(group, self._begun[g][0], jobs)
        ]
        self.n_parts_left = len(self.work)
        self._n_left = sum(work.n_answers for _, work in self.work)

    @property
    def share(self) -> float:
        """In [0, 1]: how much is done."""
        return 1 - self._n_left / max(self.plan.n_answers, 1)

    def take(self, number: int, answered: Answered | None, error: Exception | None) -> None:
        """Keep what became of a part."""
        g, work = self.work[number]
        if answered is not None and answered.pieces:
            self._begun[g][0].put(answered.pieces)
        labels = list(self.plan.groups[g].methods)
        errors = dict.fromkeys(work.part.methods, error) if answered is None else answered.errors
        for i, why in errors.items():
            if why is not None:
                self.errors.setdefault(labels[i], why)
        self.n_parts_left -= 1
        self._n_left -= work.n_answers

    def done(self) -> Done:
        """The results of the methods that have answered everything."""
        results, numbers = dict[str, Result](), dict[str, int]()
        for group, (finished, of_group) in zip(self.plan.groups, self._begun, strict=True):
            chosen = [i for i, label in enumerate(group.methods) if label not in self.errors]
            if not chosen:
                continue
            labels = list(group.methods)
            part = replace(group, methods={labels[i]: group.methods[labels[i]] for i in chosen})
            own = [of_group[i] for i in chosen] if of_group else []
            results |= close_group(self.plan, part, _Chosen(finished, chosen), self._store, own)
            numbers |= dict(zip(part.methods, own, strict=False))
        ordered = {label: results[label] for label in self.plan.labels if label in results}
        return Done(self.source.key, ordered, numbers, self.errors)


def evaluate_each(
    sources: Sequence[Source],
    pool: Pool,
    *,
    store: Store | None = None,
    on_progress: Callable[[Underway], None] = lambda _: None,
) -> Iterator[Done]:
    """Answer for all data sets and methods, and give each evaluation as soon as it is done, in any order.

    Parameters
    ----------
    sources : sequence of Source
    pool : Pool
        Where the parts are answered: some splits of a run by all methods of one learner, whose tree grows once per
        split. Answers do not depend on the pool.
    store : Store, optional
        Keeps each part once it is answered. What it holds is not answered again.
    on_progress : callable
        Called at the start and after each part.
    """
    opened: dict[int, _Open] = {}
    finished: deque[Done] = deque()
    left = dict(enumerate(sources))
    total = max(sum(source.size for source in sources), 1e-9)

    def tasks() -> Iterator[Task]:
        for place, source in enumerate(sources):
            try:
                opening = opened[place] = _Open(source, store, pool.jobs)
            except StoreError:
                raise
            except Exception as error:
                finished.append(Done(source.key, {}, {}, {}, error))
                del left[place]
                continue
            if not opening.work:
                settle(place)
            for number, (_, work) in enumerate(opening.work):
                yield Task((place, number), work)

    def settle(place: int) -> None:
        finished.append(opened.pop(place).done())
        del left[place]

    def report() -> None:
        share = sum(
            source.size * (1 - opened[place].share if place in opened else 1.0) for place, source in left.items()
        )
        running = tuple(dict.fromkeys(each.source.name for each in opened.values() if each.n_parts_left))
        on_progress(Underway(len(sources) - len(left), len(sources), 1 - share / total, running[: pool.jobs]))

    report()
    with closing(pool.outcomes(tasks())) as outcomes:
        for (place, number), answered, error, caught in outcomes:
            for warning in caught:
                warnings.warn(warning, stacklevel=2)
            opened[place].take(number, answered, error)
            if not opened[place].n_parts_left:
                settle(place)
            report()
            while finished:
                yield finished.popleft()
    report()
    yield from finished
