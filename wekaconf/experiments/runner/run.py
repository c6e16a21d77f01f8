"""Runs measurements of many data sets, step by step, in this process or in others."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from wekaconf.base.errors import StoreError, tell_again
from wekaconf.experiments.workers.pool import Pool, Task
from wekaconf.experiments.workers.progress import Progress

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Changed = Callable[[], None]
"""To be called when the share of a measurement that is done has changed."""


def _forget(_: object) -> None:
    """Keep nothing."""


class Step(NamedTuple):
    """A step of a measurement.

    Parameters
    ----------
    call : callable
        Does the step, in any process.
    keep : callable
        Called in this process with what ``call`` has returned.
    """

    call: Callable[[], Any]
    keep: Callable[[Any], None] = _forget


class Measurement(Protocol[T_co]):
    """The measurement of a data set, which has begun."""

    @property
    def steps(self) -> Sequence[Step]:
        """What is to be done, in any order."""
        ...

    @property
    def share(self) -> float:
        """In [0, 1]: the share of the work that is done."""
        ...

    def results(self) -> T_co:
        """What was measured; asked once, after the last step."""
        ...


class Request(NamedTuple, Generic[T]):
    """A measurement to run.

    Parameters
    ----------
    key : hashable
        Identifies its outcome.
    name : str
        The name of the data set, for people.
    size : float
        Its share of the work, in any unit.
    begin : callable
        Reads the data and begins the measurement, whose steps run in the pool.
    """

    key: Any
    name: str
    size: float
    begin: Callable[[Pool, Changed], Measurement[T]]


class Outcome(NamedTuple, Generic[T]):
    """The outcome of a measurement.

    Parameters
    ----------
    key : hashable
        That of the request.
    results : object or None
        What was measured; None if it failed.
    error : Exception or None
        Why it failed: the first error.
    seconds : float
        The time from its beginning to its end.
    """

    key: Any
    results: T | None
    error: Exception | None
    seconds: float

    def unwrap(self) -> T:
        """What was measured; raises the error if it failed."""
        if self.error is not None:
            raise self.error
        return cast(T, self.results)


class _Started(NamedTuple, Generic[T]):
    """A measurement that has begun, when it began, and its steps that are still to do, by number."""

    measurement: Measurement[T]
    at: float
    to_do: dict[int, Step]


def run_each(
    requests: Sequence[Request[T]], pool: Pool, on_progress: Callable[[Progress], None] = lambda _: None
) -> Iterator[Outcome[T]]:
    """Run measurements, and give the outcome of each as soon as it is there, in any order.

    Parameters
    ----------
    requests : sequence of Request
    pool : Pool
        Where the steps are done.
    on_progress : callable
        Called at the start, after each step, and whenever a measurement says that it has come further.

    Raises
    ------
    StoreError
        A store cannot be read or written, which ends all measurements. Another error ends one of them.
    """
    started: dict[int, _Started[T]] = {}
    outcomes: deque[Outcome[T]] = deque()
    to_do = dict(enumerate(requests))
    total = max(sum(request.size for request in requests), 1e-9)

    def report() -> None:
        size_to_do = sum(
            request.size * (1 - started[i].measurement.share if i in started else 1.0) for i, request in to_do.items()
        )
        names = tuple(dict.fromkeys(to_do[i].name for i in started))
        n_done = len(requests) - len(to_do)
        on_progress(Progress(n_done, len(requests), 1 - size_to_do / total, names[: pool.jobs]))

    def tasks() -> Iterator[Task]:
        for i, request in enumerate(requests):
            began = time.perf_counter()
            try:
                measurement = request.begin(pool, report)
            except StoreError:
                raise
            except Exception as error:
                end(i, began, error=error)
                continue
            steps = dict(enumerate(measurement.steps))
            started[i] = _Started(measurement, began, steps)
            report()
            if not steps:
                finish(i)
            for number, step in list(steps.items()):
                if i in started:  # else an earlier step has failed
                    yield Task((i, number), step.call)

    def finish(i: int) -> None:
        try:
            results = started[i].measurement.results()
        except StoreError:
            raise
        except Exception as error:
            end(i, started[i].at, error=error)
        else:
            end(i, started[i].at, results)

    def end(i: int, began: float, results: T | None = None, error: Exception | None = None) -> None:
        started.pop(i, None)
        outcomes.append(Outcome(to_do.pop(i).key, results, error, time.perf_counter() - began))

    report()
    with closing(pool.outcomes(tasks())) as returned:
        for (i, number), value, error, caught in returned:
            for warning in caught:
                tell_again(warning)
            if isinstance(error, StoreError):
                raise error
            if i in started and error is not None:
                end(i, started[i].at, error=error)
            elif i in started:
                started[i].to_do.pop(number).keep(value)
                if not started[i].to_do:
                    finish(i)
            report()
            while outcomes:
                yield outcomes.popleft()
    report()
    yield from outcomes
