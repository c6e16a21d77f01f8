"""The progress of a long piece of work."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """The progress of the measurement of data sets.

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
