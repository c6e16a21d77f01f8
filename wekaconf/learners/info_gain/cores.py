"""Work that lets go of the interpreter's lock, in one thread per core."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from wekaconf.tree.threads import n_threads

Result = TypeVar("Result")


def on_all_cores(jobs: Sequence[Callable[[], Result]], on_done: Callable[[int], None] = lambda _: None) -> list[Result]:
    """What each job gives, in order; those not begun are dropped when one fails or the user interrupts.

    ``on_done`` is called with the number of jobs that are done, in order.
    """
    found: list[Result] = []
    with ThreadPoolExecutor(n_threads()) as pool:
        waiting = [pool.submit(job) for job in jobs]
        try:
            for future in waiting:
                found.append(future.result())
                on_done(len(found))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return found
