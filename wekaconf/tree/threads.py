"""The number of threads, and the division of jobs and rows among them, for work that lets other threads run."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Result = TypeVar("Result")
Progress = Callable[[int, int], None]
"""Called with the number of queries done so far and in total."""


def n_threads() -> int:
    """The value of ``NUMBA_NUM_THREADS``, which joblib sets in its workers, else of ``OMP_NUM_THREADS``.

    Without either the number of processors.
    """
    for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS"):
        setting = os.environ.get(name, "").strip()
        if setting.isdecimal():
            return max(int(setting), 1)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(
    answer: Callable[[slice], Any], n_rows: int, fewest: int, starts: Callable[[], NDArray[Any]] | None = None
) -> None:
    """Answer all rows, part by part, in at most `n_threads` threads.

    Parameters
    ----------
    answer : callable
        Takes a slice of rows, lets other threads run, and writes where no other part does.
    n_rows : int
    fewest : int
        The fewest rows for which an additional thread pays off.
    starts : callable, optional
        Returns the rows where a part may begin, ascending. Left out: any.
    """
    if n_rows < 2 * fewest:
        answer(slice(0, n_rows))
        return
    n_parts = min(n_threads(), n_rows // fewest)
    ends = [n_rows * part // n_parts for part in range(n_parts + 1)]
    if starts is not None and n_parts > 1:
        valid_starts = np.append(starts(), n_rows)
        ends = [*dict.fromkeys([0, *valid_starts[np.searchsorted(valid_starts, ends[1:-1])].tolist(), n_rows])]
    *parts, last = map(slice, ends[:-1], ends[1:])
    if not parts:
        answer(last)
        return
    # A pool of one call costs some 50 µs; one that is kept would have to survive forks and the end of the interpreter.
    # numba's own ``parallel=True`` must not be entered by two Python threads at a time, and ours are.
    with ThreadPoolExecutor(len(parts), "wekaconf") as threads:
        futures = [threads.submit(answer, part) for part in parts]
        answer(last)
    for future in futures:
        future.result()


def on_all_cores(jobs: Sequence[Callable[[], Result]], on_done: Callable[[int], None] = lambda _: None) -> list[Result]:
    """The results of the jobs, in order; jobs not begun are dropped when one fails or the user interrupts.

    ``on_done`` is called with the number of finished jobs, in order.
    """
    results: list[Result] = []
    with ThreadPoolExecutor(n_threads()) as pool:
        waiting = [pool.submit(job) for job in jobs]
        try:
            for future in waiting:
                results.append(future.result())
                on_done(len(results))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results
