"""Dates in patterns of ``java.text.SimpleDateFormat``, read as strictly as Weka reads them, and Java's time zones.

Which zone is local, and what its rules are, only the bridge knows.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property

from wekaconf.base.naming import quoted

ISO_8601 = "yyyy-MM-dd'T'HH:mm:ss"
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NUMERIC = "ydHhmsS"
_LOWEST_AND_HIGHEST = {"H": (0, 23), "h": (1, 12), "m": (0, 59), "s": (0, 59), "S": (0, 999)}
_PART = re.compile(r"([A-Za-z])\1*|'((?:[^']|'')*+)'|[^A-Za-z']")
_OFFSETS = {
    "Z": re.compile(r"(?i:GMT|UTC)|(?:(?i:GMT)([+-])(\d\d?):(\d\d))|([+-])(\d\d)(\d\d)", re.ASCII),
    "X": re.compile(r"Z|([+-])(\d\d)()", re.ASCII),
    "XX": re.compile(r"Z|([+-])(\d\d)(\d\d)", re.ASCII),
    "XXX": re.compile(r"Z|([+-])(\d\d):(\d\d)", re.ASCII),
}
"""What Java takes for an offset from UTC, by the letters in the pattern."""
_ZONE = r"([ \t]*[+-][\d:]+|[A-Z]+(?:[+-][\d:]+)?|[A-Z][A-Z .'-]* Time)"
"""What may stand for a zone, to be read or to be refused."""
_FIRST_GREGORIAN_DAY = datetime(1582, 10, 15)
_EPOCH, _SECOND = datetime(1970, 1, 1), timedelta(seconds=1)
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

    Attributes
    ----------
    starts : list of int
        When the clocks change.
    ahead : list of int
        How many seconds they are ahead of UTC before the first change, and from each on.
    """

    def __init__(self, name: str, standard: int, changes: Sequence[tuple[int, int]] = ()) -> None:
        self.name = name
        self.starts = [start for start, _ in changes]
        self._local_starts = [start + ahead for start, ahead in changes]
        self.ahead = [standard, *(ahead for _, ahead in changes)]

    def ahead_at(self, seconds: int) -> int:
        """How many seconds the clocks are ahead of UTC at a moment, in seconds since 1970."""
        return self.ahead[bisect_right(self.starts, _in_list(seconds))]

    def moment(self, local: int) -> int:
        """The moment, in seconds since 1970, at which the clocks show ``local``, in seconds since 1970 by these clocks.

        As in Java, of two such moments the later one, and of a time that the clocks skipped what they would have shown.
        """
        return local - self.ahead[bisect_right(self._local_starts, _in_list(local))]


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


class DateFormat:
    """One pattern of ``SimpleDateFormat``: text to milliseconds and back.

    Parameters
    ----------
    pattern : str
        The letters y M d H h m s S a z Z X E, text in single quotes, and other characters, which stand for themselves.
        Month and day names are English.
    zone : str
        The time zone of texts without one, by its name in Java; empty: the local zone.

    Raises
    ------
    ValueError
        There is another letter, which the message names, too many X, or a quote that is not closed.
    """

    def __init__(self, pattern: str, zone: str = "") -> None:
        self.pattern, self._zone_name = pattern, zone
        self._parts: list[tuple[str, int]] = []  # (letter, count), or (literal text, 0)
        position = 0
        while position < len(pattern):
            part = _PART.match(pattern, position)
            if part is None:
                raise ValueError(f"the date format {quoted(pattern)} has a quote that is not closed")
            position = part.end()
            if part[1]:
                if part[1] not in "yMdHhmsSazZXE":
                    raise ValueError(
                        f"the letter '{part[1]}' of the date format {quoted(pattern)} is not supported; "
                        "use y M d H h m s S a z Z X E, and quote text"
                    )
                if part[0].startswith("XXXX"):
                    raise ValueError(f"the date format {quoted(pattern)} has {part[0]}; write XXX at most")
                self._parts.append((part[1], len(part[0])))
            elif part[2] is None:
                self._parts.append((part[0], 0))
            else:
                self._parts.append((part[2].replace("''", "'") or "'", 0))
        self._match = re.compile(self._regex(), re.ASCII | re.IGNORECASE).fullmatch

    @property
    def has_zone(self) -> bool:
        """Whether a text says its zone itself."""
        return any(count and letter in "zZX" for letter, count in self._parts)

    @cached_property
    def zone(self) -> Zone:
        """The zone of texts without one; `ZoneError` if it cannot be known."""
        return zone(self._zone_name)

    def _regex(self) -> str:
        pieces = []
        for number, (part, count) in enumerate(self._parts):
            if count == 0:
                pieces.append(re.escape(part))
            elif self._is_number(number):
                digits = f"{{{count}}}" if self._is_number(number + 1) else "+"
                pieces.append(f"[ \\t]*(\\d{digits})")
            elif part in "ME":
                names = _MONTHS if part == "M" else _DAYS
                pieces.append("[ \\t]*(" + "|".join([*names, *(name[:3] for name in names)]) + ")")
            else:
                pieces.append("[ \\t]*(AM|PM)" if part == "a" else _ZONE)
        return "".join(pieces)

    def _is_number(self, number: int) -> bool:
        if number >= len(self._parts):
            return False
        letter, count = self._parts[number]
        return count > 0 and (letter in _NUMERIC or (letter == "M" and count < 3))

    def parse(self, text: str) -> float:
        """Milliseconds since 1970-01-01T00:00Z.

        Raises
        ------
        ZoneError
            Only Java knows its zone.
        ValueError
            The text does not follow the pattern, or there is no such date or time.
        """
        match = self._match(text)
        if match is None:
            raise ValueError(f"the date {quoted(text)} does not follow the format {quoted(self.pattern)}; correct it")
        try:
            return self._milliseconds(match.groups())
        except ZoneError as error:
            raise ZoneError(
                f"the date {quoted(text)}: {error}; write an offset such as +0100, for which the format has Z"
            ) from None
        except (ValueError, OverflowError) as error:
            raise ValueError(
                f"there is no date {quoted(text)} in the format {quoted(self.pattern)} ({error}); correct it"
            ) from None

    def _milliseconds(self, groups: tuple[str, ...]) -> float:
        field = {"y": 1970, "M": 1, "d": 1, "H": 0, "m": 0, "s": 0, "S": 0}
        short_year = is_afternoon = False
        ahead: int | None = None
        fields = [(letter, count) for letter, count in self._parts if count]
        for (letter, count), text in zip(fields, groups, strict=True):
            if letter in "zZX":
                ahead = _seconds_ahead(text.strip(" \t"), _zone_form(letter, count))
            elif letter == "a":
                is_afternoon = text.upper() == "PM"
            elif text.isdigit():
                short_year |= letter == "y" and count <= 2 and len(text) == 2
                field[letter] = int(text)
            else:
                names = _MONTHS if letter == "M" else _DAYS
                field[letter] = 1 + [name[:3].lower() for name in names].index(text[:3].lower())
        for letter, (lowest, highest) in _LOWEST_AND_HIGHEST.items():
            if letter in field and not lowest <= field[letter] <= highest:
                raise ValueError(f"{letter} must be in {lowest} … {highest}")
        hour = field["h"] % 12 + 12 * is_afternoon if "h" in field else field["H"]
        rest = (field["M"], field["d"], hour, field["m"], field["s"])
        local = datetime(self._full_year(field["y"], rest, ahead) if short_year else field["y"], *rest)
        if local < _FIRST_GREGORIAN_DAY:
            raise ValueError("dates before 15 October 1582 are not supported")
        if field.get("E", local.isoweekday()) != local.isoweekday():
            raise ValueError(f"that is a {_DAYS[local.weekday()]}")
        clock = (local - _EPOCH) // _SECOND
        if ahead is not None:
            return float((clock - ahead) * 1000 + field["S"])
        seconds = self.zone.moment(clock)
        shown = _at(seconds + self.zone.ahead_at(seconds))
        if shown != local and any(_shows(letter, shown) != _shows(letter, local) for letter, _ in fields):
            raise ValueError(f"the clocks of {self.zone.name} skipped that time")
        return float(seconds * 1000 + field["S"])

    def _full_year(self, short: int, rest: tuple[int, ...], ahead: int | None) -> int:
        """The full year of a two-digit year, from 80 years before now to 20 after; ``rest`` is month to second."""
        now = int(time.time())
        clock = _at(now + (self.zone.ahead_at(now) if ahead is None else ahead))
        earliest = clock.year - 80
        year = earliest - earliest % 100 + short
        return year + 100 if (year, *rest) < (earliest, *clock.timetuple()[1:6]) else year

    def format(self, milliseconds: float) -> str:
        """The date as text; with its offset in UTC where the local zone cannot be known.

        Raises
        ------
        ValueError
            Parsing the text would not give the same milliseconds, or it needs a zone that cannot be known.
        """
        zone = self._zone_to_write()
        try:
            seconds, thousandths = divmod(int(milliseconds), 1000)
            ahead = zone.ahead_at(seconds)
            text = self._text(_at(seconds + ahead), ahead, thousandths)
            if self.parse(text) == milliseconds:
                return text
        except (ValueError, OverflowError):
            pass
        raise ValueError(f"the date {milliseconds!r} ms cannot be written exactly in the format {quoted(self.pattern)}")

    def _zone_to_write(self) -> Zone:
        try:
            return self.zone
        except ZoneError:
            if self.has_zone:
                return Zone("UTC", 0)
            raise

    def _text(self, local: datetime, ahead: int, thousandths: int) -> str:
        number = {
            "y": local.year, "M": local.month, "d": local.day, "H": local.hour, "h": (local.hour - 1) % 12 + 1,
            "m": local.minute, "s": local.second, "S": thousandths,
        }  # fmt: skip
        pieces = []
        for position, (part, count) in enumerate(self._parts):
            if count == 0:
                pieces.append(part)
            elif part == "y" and count == 2:
                pieces.append(f"{local.year % 100:02d}")
            elif self._is_number(position):
                pieces.append(f"{number[part]:0{count}d}")
            elif part in "ME":
                name = _MONTHS[local.month - 1] if part == "M" else _DAYS[local.weekday()]
                pieces.append(name if count > 3 else name[:3])
            elif part == "a":
                pieces.append("PM" if local.hour >= 12 else "AM")
            else:
                pieces.append(_offset_text(ahead, _zone_form(part, count)))
        return "".join(pieces)


def zone_of(pattern: str) -> str:
    """The name of the zone in which dates of this pattern are read here; empty: the texts say it, or none is known."""
    try:
        form = DateFormat(pattern)
        return "" if form.has_zone else form.zone.name
    except ValueError:
        return ""


def _at(seconds: int) -> datetime:
    """The date and time that a clock shows so many seconds after it showed 1970."""
    return _EPOCH + seconds * _SECOND


def _shows(letter: str, local: datetime) -> int:
    """The part of a local time that a letter of a pattern stands for; 0 for a letter of none."""
    return {
        "y": local.year, "M": local.month, "d": local.day, "E": local.isoweekday(), "H": local.hour,
        "h": local.hour % 12, "a": local.hour // 12, "m": local.minute, "s": local.second,
    }.get(letter, 0)  # fmt: skip


def _zone_form(letter: str, count: int) -> str:
    """The form of offsets that a part of a pattern asks for, one of `_OFFSETS`."""
    return letter * count if letter == "X" else "Z"


def _seconds_ahead(zone: str, form: str) -> int:
    """How far the clocks of ``zone``, a text of this form, are ahead of UTC."""
    match = _OFFSETS[form].fullmatch(zone)
    if match is None:
        if form == "Z" and zone[-1].isalpha():
            raise ZoneError(f"only Java knows the time zone {quoted(zone)}")
        raise ValueError(
            f"the time zone {quoted(zone)} is not supported; write an offset such as {_offset_text(3600, form)}"
        )
    sign, hours, minutes = [part for part in match.groups() if part is not None] or ("+", "00", "00")
    if int(hours) > 23 or int(minutes or 0) > 59:
        raise ValueError(f"there is no offset {quoted(zone)}")
    return (-1 if sign == "-" else 1) * (int(hours) * 3600 + int(minutes or 0) * 60)


def _offset_text(ahead: int, form: str) -> str:
    """The offset of clocks that are ``ahead`` seconds ahead of UTC, in this form."""
    if form != "Z" and not ahead:
        return "Z"
    hours, minutes = divmod(abs(ahead) // 60, 60)
    rest = {"X": "", "XXX": f":{minutes:02d}"}.get(form, f"{minutes:02d}")
    return f"{'-' if ahead < 0 else '+'}{hours:02d}{rest}"
