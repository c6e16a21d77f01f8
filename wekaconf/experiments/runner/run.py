"""Runs measurements of many data sets, in this process or in others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

from wekaconf.base.errors import StoreError
from wekaconf.experiments.runner.measurement import Measurement
from wekaconf.experiments.store import Store
from wekaconf.experiments.workers.pool import Outcome, Pool, Task
from wekaconf.experiments.workers.progress import Progress, follower


def measure_each(
    sets: Mapping[Any, Callable[[], Measurement]],
    sizes: Mapping[Any, float],
    pool: Pool,
    store: Store | None,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Iterator[Outcome]:
    """Measure data sets, and give the outcome of each as soon as it is there, in any order.

    A measurement fails as a whole: what a method that fails must not take from the others is in the store by then, and
    no error has to travel per method through folds that share a tree.

    Parameters
    ----------
    sets : mapping of keys to callables
        Each reads a data set and makes its measurement. The texts of the keys are the names in the progress.
    sizes : mapping of keys to float
        The share of each in the work, in any unit.
    pool : Pool
        Where folds are answered.
    store : Store or None
        Keeps the answers to each fold as soon as they are there.
    on_progress : callable
        Called at the start, and whenever the share of the work that is done has changed.

    Yields
    ------
    outcome : Outcome
        Its one value is the finished measurement; or its error is the first one.

    Raises
    ------
    StoreError
        A store cannot be read or written, which ends all measurements. Another error ends one of them.
    """
    keys = list(sets)
    follow = follower(sizes, pool.jobs, on_progress)
    under_way: dict[Any, Measurement] = {}
    ended: deque[Outcome] = deque()

    @contextmanager
    def ending(key: Any) -> Iterator[None]:
        """End a measurement that fails."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            end(Outcome(key, [], error))

    def end(outcome: Outcome) -> None:
        under_way.pop(outcome.key, None)
        ended.append(outcome)
        follow(outcome.key, 1.0)

    def finish(key: Any) -> None:
        with ending(key):
            measurement = under_way[key]
            measurement.finish(store)
            end(Outcome(key, [measurement]))

    def tasks() -> Iterator[Task]:
        for i, (key, begin) in enumerate(sets.items()):
            follow(key, 0.0)
            with ending(key):
                measurement = begin()
                measurement.open(store)
                under_way[key] = measurement
                follow(key, measurement.share)
                if measurement.is_answered:
                    finish(key)
                for number, call in enumerate(measurement.calls(pool, partial(follow, key))):
                    if key not in under_way:  # an earlier task has failed
                        break
                    yield Task((i, number), call)

    with closing(pool.outcomes(tasks())) as outcomes:
        for outcome in outcomes:
            key = keys[outcome.key[0]]
            if key in under_way:
                for fold, answers in outcome.values:
                    under_way[key].keep(fold, answers)
                if isinstance(outcome.error, StoreError):
                    raise outcome.error
                if outcome.error is not None:
                    end(Outcome(key, [], outcome.error))
                elif under_way[key].is_answered:
                    finish(key)
                else:
                    follow(key, under_way[key].share)
            while ended:
                yield ended.popleft()
    yield from ended
