"""Work that releases the interpreter's lock, in one thread per core."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from wekaconf.tree.threads import n_threads

Result = TypeVar("Result")
Progress = Callable[[int, int], None]
"""Called with the number of queries done so far and in total."""


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
