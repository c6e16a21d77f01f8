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
from wekaconf.tree import first_use

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


class MeasurementOutcome(NamedTuple, Generic[T]):
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
) -> Iterator[MeasurementOutcome[T]]:
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
    return _Runner(requests, pool, on_progress).outcomes()


class _Runner(Generic[T]):
    """The measurements by their numbers: those that are to do, and of these the ones that have started."""

    def __init__(self, requests: Sequence[Request[T]], pool: Pool, on_progress: Callable[[Progress], None]) -> None:
        self._to_do = dict(enumerate(requests))
        self._n_requests, self._size = len(requests), max(sum(request.size for request in requests), 1e-9)
        self._started: dict[int, _Started[T]] = {}
        self._ended: deque[MeasurementOutcome[T]] = deque()
        self._pool, self._on_progress = pool, on_progress

    def outcomes(self) -> Iterator[MeasurementOutcome[T]]:
        """The outcome of each measurement, as soon as it is there."""
        self._report()
        with closing(self._pool.outcomes(self._tasks())) as returned:
            for (i, number), value, error, caught in returned:
                for warning in caught:
                    if isinstance(warning, first_use.Announcement):
                        first_use.tell(str(warning), 1, 1)
                    else:
                        tell_again(warning)
                self._keep(i, number, value, error)
                self._report()
                while self._ended:
                    yield self._ended.popleft()
        self._report()
        yield from self._ended

    def _tasks(self) -> Iterator[Task]:
        """Begin one measurement after another; the tasks are their steps."""
        for i, request in list(self._to_do.items()):
            began = time.perf_counter()
            try:
                measurement = request.begin(self._pool, self._report)
            except StoreError:
                raise
            except Exception as error:
                self._end(i, began, error=error)
                continue
            steps = dict(enumerate(measurement.steps))
            self._started[i] = _Started(measurement, began, steps)
            self._report()
            if not steps:
                self._finish(i)
            for number, step in list(steps.items()):
                if i in self._started:  # else an earlier step has failed
                    yield Task((i, number), step.call)

    def _keep(self, i: int, number: int, value: Any, error: Exception | None) -> None:
        """Keep what a step has returned, unless its measurement has failed."""
        if isinstance(error, StoreError):
            raise error
        if i not in self._started:
            return
        if error is not None:
            self._end(i, self._started[i].at, error=error)
            return
        to_do = self._started[i].to_do
        to_do.pop(number).keep(value)
        if not to_do:
            self._finish(i)

    def _finish(self, i: int) -> None:
        measurement, began, _ = self._started[i]
        try:
            results = measurement.results()
        except StoreError:
            raise
        except Exception as error:
            self._end(i, began, error=error)
        else:
            self._end(i, began, results)

    def _end(self, i: int, began: float, results: T | None = None, error: Exception | None = None) -> None:
        self._started.pop(i, None)
        self._ended.append(MeasurementOutcome(self._to_do.pop(i).key, results, error, time.perf_counter() - began))

    def _report(self) -> None:
        """Tell the progress: all that is not to do is done, and so is a share of what has started."""
        started = {i: each.measurement.share for i, each in self._started.items()}
        to_do = sum(request.size * (1 - started.get(i, 0.0)) for i, request in self._to_do.items())
        names = tuple(dict.fromkeys(self._to_do[i].name for i in started))[: self._pool.jobs]
        n_done = self._n_requests - len(self._to_do)
        self._on_progress(Progress(n_done, self._n_requests, 1 - to_do / self._size, names))
