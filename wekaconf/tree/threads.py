"""How many threads work at a time, and rows shared out among them, for kernels that let other threads run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray


def n_threads() -> int:
    """The environment variable ``NUMBA_NUM_THREADS``, which joblib sets in its own workers, else the processors."""
    chosen = os.environ.get("NUMBA_NUM_THREADS", "").strip()
    if chosen.isdecimal():
        return max(int(chosen), 1)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(
    answer: Callable[[slice], Any], n_rows: int, fewest: int, starts: Callable[[], NDArray[Any]] | None = None
) -> None:
    """Have all rows answered, part by part, in as many threads as `n_threads` says.

    Parameters
    ----------
    answer : callable
        Takes a slice of rows; lets other threads run meanwhile, and writes where no other part does.
    n_rows : int
    fewest : int
        The fewest rows for which a thread of their own pays.
    starts : callable, optional
        Gives the rows where a part may begin, ascending. Left out: any.
    """
    if n_rows < 2 * fewest:
        answer(slice(0, n_rows))
        return
    n_parts = min(n_threads(), n_rows // fewest)
    ends = [n_rows * part // n_parts for part in range(n_parts + 1)]
    if starts is not None and n_parts > 1:
        allowed = np.append(starts(), n_rows)
        ends = [*dict.fromkeys([0, *allowed[np.searchsorted(allowed, ends[1:-1])].tolist(), n_rows])]
    *parts, last = map(slice, ends[:-1], ends[1:])
    if not parts:
        answer(last)
        return
    with ThreadPoolExecutor(len(parts), "wekaconf") as threads:
        begun = [threads.submit(answer, part) for part in parts]
        answer(last)
    for part in begun:
        part.result()
