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
"""The open bars. The terminal shows only the last; the others wait until it is closed."""


class ProgressBar:
    """A bar on standard error, if that is a terminal; it appears when the work takes longer than two seconds.

    Until `follow` or `tell` is called the bar only shows that work goes on. Then it says when the work ends, and
    corrects itself; forecasts from trials on few rows were off by three times.

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
        self._start: tuple[float, float] | None = None
        self._end: float | None = None
        self._bar: Bar | None = None
        self._timer = threading.Timer(APPEARS_AFTER_SECONDS, self._show)

    def follow(self, done: int, total: int) -> None:
        """Set the amount done and the total; the bar never goes back."""
        self.tell("", max(self._share or 0.0, done / max(total, 1)))

    def tell(self, text: str, share: float) -> None:
        """Set the text after the label, and the share of the work in [0, 1] that is done."""
        now = time.monotonic()
        self._text, self._share = text, share
        self._start = self._start or (now, share)
        began, first = self._start
        if share > first:
            self._end = now + (now - began) * (1 - share) / (share - first)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], description=self._description, completed=share, total=1.0)

    @property
    def _description(self) -> str:
        from rich.markup import escape

        return escape(f"{self._label} {self._text}".strip())

    @property
    def seconds_left(self) -> float:
        """How long the rest takes, by the time that the first part has taken; 0 as long as no bar is shown."""
        return 0.0 if self._end is None or self._bar is None else max(self._end - time.monotonic(), 0.0)

    def _time_left(self) -> Text:
        from rich.text import Text

        if self._end is None:
            return Text("")
        seconds = max(self._end - time.monotonic(), 0.0)
        until = f", until {time.strftime('%H:%M', time.localtime(time.time() + seconds))}" if seconds >= 90 else ""
        return Text(f"about {in_words(seconds)} left{until}")

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
        task = bar.add_task(self._description, total=None)
        if self._share is not None:
            bar.update(task, completed=self._share, total=1.0)
        if _shown:
            _shown[-1].stop()
        bar.start()
        self._bar = bar
        _shown.append(bar)

    def __enter__(self) -> Self:
        """Start the timer that shows the bar."""
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
    """A rough time in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
