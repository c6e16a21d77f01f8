"""The progress of a long piece of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """The share of the total work that is done, and the data sets under way.

    Parameters
    ----------
    n_done, n_sets : int
        Number of data sets measured, including those that were finished before, and of all data sets.
    share : float
        In [0, 1]: the share of the work that is done.
    running : tuple of str
        The data sets that are being measured now.
    counted : str
        What ``n_done`` and ``n_sets`` count, for people.
    """

    n_done: int
    n_sets: int
    share: float
    running: tuple[str, ...]
    counted: str = "sets"

    def __str__(self) -> str:
        """The progress in words, for a progress bar."""
        now = f": {', '.join(self.running)}" if self.running else ""
        return f"{self.n_done}/{self.n_sets} {self.counted}{now}"


def follower(
    sizes: Mapping[Any, float], n_at_a_time: int, on_progress: Callable[[Progress], None]
) -> Callable[[Any, float], None]:
    """A function that takes a data set and the share of it that is done, 1 at its end, and tells the progress of all.

    Parameters
    ----------
    sizes : mapping of keys to float
        The share of each set in the work, in any unit; the text of a key is the name of the set.
    n_at_a_time : int
        The largest number of sets that are told to run.
    on_progress : callable
        Called at once, and by the function.
    """
    shares: dict[Any, float] = {}
    total = sum(sizes.values())

    def tell() -> None:
        left = sum(size * (1 - shares.get(key, 0.0)) for key, size in sizes.items())
        running = dict.fromkeys(str(key) for key, share in shares.items() if share < 1)
        n_done = sum(share >= 1 for share in shares.values())
        on_progress(Progress(n_done, len(sizes), 1 - left / max(total, 1e-9), tuple(running)[:n_at_a_time]))

    def follow(key: Any, share: float) -> None:
        shares[key] = share
        tell()

    tell()
    return follow
