"""The progress of a long piece of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def follower(
    sizes: Mapping[Any, float], n_at_a_time: int, on_progress: Callable[[str, float], None]
) -> Callable[[Any, float], None]:
    """A function that takes a data set and the share of it that is done, 1 at its end, and tells the progress of all.

    Parameters
    ----------
    sizes : mapping of keys to float
        The share of each set in the work, in any unit; the text of a key is the name of the set.
    n_at_a_time : int
        The largest number of sets that are told to run.
    on_progress : callable
        Called at once, and by the function, with the sets under way, such as ``": iris, vote"``, empty if there are
        none; and with the share of the total work that is done, in [0, 1].
    """
    shares: dict[Any, float] = {}
    total = sum(sizes.values())

    def tell() -> None:
        left = sum(size * (1 - shares.get(key, 0.0)) for key, size in sizes.items())
        running = dict.fromkeys(str(key) for key, share in shares.items() if share < 1)
        names = ", ".join(tuple(running)[:n_at_a_time])
        on_progress(f": {names}" if names else "", 1 - left / max(total, 1e-9))

    def follow(key: Any, share: float) -> None:
        shares[key] = share
        tell()

    tell()
    return follow
