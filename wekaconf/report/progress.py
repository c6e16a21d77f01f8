"""A progress bar on the terminal."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import Task
    from rich.text import Text

APPEARS_AFTER_SECONDS = 2.0
BAR_WIDTH = 20
_shown: list[Bar] = []
"""The bars that are open. The terminal has room for one, the last; the others wait until it is closed."""


class Progress:
    """A bar on standard error, if that is a terminal; it appears when the work takes longer than two seconds.

    Until it is told how much is done the bar only shows that work goes on.

    Parameters
    ----------
    label : str
    hidden : bool
        Whether never to show the bar.
    """

    def __init__(self, label: str, *, hidden: bool = False) -> None:
        self._label = label
        self._hidden = hidden
        self._text = ""
        self._share: float | None = None
        self._first: tuple[float, float] | None = None
        self._ends: float | None = None
        self._bar: Bar | None = None
        self._timer = threading.Timer(APPEARS_AFTER_SECONDS, self._show)

    def follow(self, done: int, total: int) -> None:
        """Tell how much is done and of how much; the bar never goes back."""
        self.tell("", max(self._share or 0.0, done / max(total, 1)))

    def tell(self, text: str, share: float) -> None:
        """Tell what is being done, in words that stand behind the label, and which share in [0, 1] is done."""
        now = time.monotonic()
        self._text, self._share = text, share
        self._first = self._first or (now, share)
        began, first = self._first
        if share > first:
            self._ends = now + (now - began) * (1 - share) / (share - first)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], description=self._described, completed=share, total=1.0)

    @property
    def _described(self) -> str:
        from rich.markup import escape

        return escape(f"{self._label} {self._text}".strip())

    def _time_left(self) -> Text:
        from rich.text import Text

        return Text("" if self._ends is None else f"about {in_words(max(self._ends - time.monotonic(), 0.0))} left")

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn, TextColumn
        from rich.progress import Progress as Bar

        time_left = self._time_left

        class TimeLeft(ProgressColumn):
            def render(self, task: Task) -> Text:
                del task
                return time_left()

        columns = (TextColumn("{task.description}"), BarColumn(BAR_WIDTH), TaskProgressColumn(), TimeLeft())
        bar = Bar(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(self._described, total=None)
        if self._share is not None:
            bar.update(task, completed=self._share, total=1.0)
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


def in_words(seconds: float) -> str:
    """A time that is only roughly known."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
