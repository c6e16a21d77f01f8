"""How many threads work at a time, and rows shared out among them, for kernels that let other threads run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def n_threads() -> int:
    """The environment variable ``NUMBA_NUM_THREADS``, which joblib sets in its own workers, else the processors."""
    chosen = os.environ.get("NUMBA_NUM_THREADS", "").strip()
    if chosen.isdecimal():
        return max(int(chosen), 1)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(answer: Callable[[slice], Any], n_rows: int, fewest: int) -> None:
    """Have all rows answered, part by part, in as many threads as `n_threads` says.

    Parameters
    ----------
    answer : callable
        Takes a slice of rows; lets other threads run meanwhile, and writes where no other part does.
    n_rows : int
    fewest : int
        The fewest rows for which a thread of their own pays.
    """
    n_parts = max(1, min(n_threads(), n_rows // fewest))
    ends = [n_rows * part // n_parts for part in range(n_parts + 1)]
    *parts, last = map(slice, ends[:-1], ends[1:])
    if not parts:
        answer(last)
        return
    with ThreadPoolExecutor(len(parts), "wekaconf") as threads:
        begun = [threads.submit(answer, part) for part in parts]
        answer(last)
    for part in begun:
        part.result()
