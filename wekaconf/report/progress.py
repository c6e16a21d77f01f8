"""A progress bar on the terminal."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

APPEARS_AFTER_SECONDS = 2.0
_shown: list[Bar] = []
"""The bars that are open. The terminal has room for one, the last; the others wait until it is closed."""


class Progress:
    """A bar on standard error, if that is a terminal; it appears when the work takes longer than two seconds.

    Parameters
    ----------
    label : str
    hidden : bool
        Whether never to show the bar.
    """

    def __init__(self, label: str, *, hidden: bool = False) -> None:
        self._label = label
        self._hidden = hidden
        self._total: int | None = None
        self._done = 0
        self._bar: Bar | None = None
        self._timer = threading.Timer(APPEARS_AFTER_SECONDS, self._show)

    def of(self, total: int) -> None:
        """Set the number of steps; without it the bar only shows that work goes on."""
        self._total = total

    def advance(self) -> None:
        """Count one more step as done."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done, total=self._total)

    def follow(self, done: int, total: int) -> None:
        """Set how much is done and the total, which need not be counted in steps; the bar never goes back."""
        self._total, self._done = total, max(self._done, done)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done, total=total)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress as Bar

        bar = Bar(console=Console(stderr=True), transient=True)
        bar.add_task(self._label, total=self._total, completed=self._done)
        if _shown:
            _shown[-1].stop()
        bar.start()
        self._bar = bar
        _shown.append(bar)

    def __enter__(self) -> Self:
        """Start the time after which the bar appears."""
        if sys.stderr.isatty() and not self._hidden:
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the bar."""
        self._timer.cancel()
        if self._timer.ident is not None:
            self._timer.join()
        if self._bar is not None:
            self._bar.stop()
            _shown.remove(self._bar)
            if _shown:
                _shown[-1].start()
