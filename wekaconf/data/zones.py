"""Time zones as Java has them. Which one is local, and what its rules are, only the bridge knows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from wekaconf.base.naming import quoted

YEAR_1900 = int(datetime(1900, 1, 1, tzinfo=UTC).timestamp())
"""Seconds since 1970. What the clocks showed earlier Java leaves out."""
LAST_YEAR = 2499
"""The last year whose changes are listed. Weekdays and leap years repeat every 400 years, and so do changes."""
_END = int(datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC).timestamp())
_CYCLE = 146_097 * 86_400
"""Seconds in 400 years."""


class ZoneError(ValueError):
    """Only Java knows a zone, and it cannot be asked here."""


class Zone:
    """A time zone.

    Parameters
    ----------
    name : str
    standard : int
        Seconds ahead of UTC before 1900: those of today's standard time, as in Java.
    changes : sequence of (int, int)
        When the clocks change, in seconds since 1970, ascending, and how many seconds they are ahead of UTC from then
        on.
    """

    def __init__(self, name: str, standard: int, changes: Sequence[tuple[int, int]] = ()) -> None:
        self.name = name
        self._starts = [start for start, _ in changes]
        self._local_starts = [start + ahead for start, ahead in changes]
        self._ahead = [standard, *(ahead for _, ahead in changes)]

    def ahead_at(self, seconds: int) -> int:
        """How many seconds the clocks are ahead of UTC at a moment, in seconds since 1970."""
        return self._ahead[bisect_right(self._starts, _in_list(seconds))]

    def moment(self, local: int) -> int:
        """The moment, in seconds since 1970, at which the clocks show ``local``, in seconds since 1970 by these clocks.

        As in Java, of two such moments the later one, and of a time that the clocks skipped what they would have shown.
        """
        return local - self._ahead[bisect_right(self._local_starts, _in_list(local))]


def _in_list(seconds: int) -> int:
    """The same moment of an earlier year, if this one is beyond the list of changes."""
    return seconds if seconds < _END else seconds - (1 + (seconds - _END) // _CYCLE) * _CYCLE


def zone(name: str = "") -> Zone:
    """The zone of this name of Java's, or the local zone: the one in which Weka here reads dates without a zone.

    Raises
    ------
    ZoneError
        Java would have to be asked, and cannot be, or does not know the name.
    """
    if not _finders:
        raise ZoneError(f"no rules of {quoted(name) if name else 'the local time zone'} without wekaconf.bridge")
    return _finders[-1](name)


_finders: list[Callable[[str], Zone]] = []


def find_zones_with(finder: Callable[[str], Zone]) -> None:
    """Let ``zone`` find zones so; for the bridge, which knows the files of Java."""
    _finders.append(finder)
