"""Sharing out rows among threads, for kernels that let other threads run."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba


def in_threads(answer: Callable[[slice], Any], n_rows: int, fewest: int) -> None:
    """Have all rows answered, part by part, in as many threads as numba may use: ``NUMBA_NUM_THREADS``.

    Parameters
    ----------
    answer : callable
        Takes a slice of rows; lets other threads run meanwhile, and writes where no other part does.
    n_rows : int
    fewest : int
        The fewest rows for which a thread of their own pays.
    """
    n_parts = max(1, min(vars(numba.config)["NUMBA_NUM_THREADS"], n_rows // fewest))
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
