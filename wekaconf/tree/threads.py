"""The number of threads, and the division of rows among them, for kernels that let other threads run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray


def n_threads() -> int:
    """The value of ``NUMBA_NUM_THREADS``, which joblib sets in its workers, else the number of processors."""
    setting = os.environ.get("NUMBA_NUM_THREADS", "").strip()
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
    with ThreadPoolExecutor(len(parts), "wekaconf") as threads:
        futures = [threads.submit(answer, part) for part in parts]
        answer(last)
    for future in futures:
        future.result()
