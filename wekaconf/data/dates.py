"""Dates in the patterns of ``java.text.SimpleDateFormat``, as Weka reads them: strictly, in the local time zone."""

from __future__ import annotations

import re
import time
from datetime import UTC, date, datetime, timedelta, timezone

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
_OFFSET = re.compile(r"(?:GMT|UTC)?([+-])(\d\d?):?(\d\d)?", re.ASCII | re.IGNORECASE)
_YEAR_1900 = datetime(1900, 1, 1, tzinfo=UTC).timestamp()
_FIRST_GREGORIAN_DAY = datetime(1582, 10, 15)


class DateFormat:
    """One pattern of ``SimpleDateFormat``: text to milliseconds and back.

    Parameters
    ----------
    pattern : str
        The letters y M d H h m s S a z Z X E, text in single quotes, and other characters, which stand for themselves.
        Month and day names are English.

    Raises
    ------
    ValueError
        There is another letter, which the message names, or a quote that is not closed.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
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
                self._parts.append((part[1], len(part[0])))
            elif part[2] is None:
                self._parts.append((part[0], 0))
            else:
                self._parts.append((part[2].replace("''", "'") or "'", 0))
        self._match = re.compile(self._regex(), re.ASCII | re.IGNORECASE).fullmatch

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
                pieces.append("[ \\t]*(AM|PM)" if part == "a" else "[ \\t]*([+-][0-9:]+|[A-Z]+(?:[+-][0-9:]+)?)")
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
        ValueError
            The text does not follow the pattern, or there is no such date or time.
        """
        match = self._match(text)
        if match is None:
            raise ValueError(f"the date {quoted(text)} does not follow the format {quoted(self.pattern)}; correct it")
        try:
            return self._milliseconds(match.groups())
        except (ValueError, OverflowError, OSError) as error:
            raise ValueError(
                f"there is no date {quoted(text)} in the format {quoted(self.pattern)} ({error}); correct it"
            ) from None

    def _milliseconds(self, groups: tuple[str, ...]) -> float:
        field = {"y": 1970, "M": 1, "d": 1, "H": 0, "m": 0, "s": 0, "S": 0}
        short_year = is_afternoon = False
        offset: timedelta | None = None
        fields = [(letter, count) for letter, count in self._parts if count]
        for (letter, count), text in zip(fields, groups, strict=True):
            if letter in "zZX":
                offset = _offset(text)
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
        local = datetime(_full_year(field["y"], rest) if short_year else field["y"], *rest)
        if local < _FIRST_GREGORIAN_DAY:
            raise ValueError("dates before 15 October 1582 are not supported")
        if field.get("E", local.isoweekday()) != local.isoweekday():
            raise ValueError(f"that is a {_DAYS[local.weekday()]}")
        if offset is not None:
            seconds = local.replace(tzinfo=UTC).timestamp() - offset.total_seconds()
        else:
            seconds = local.replace(tzinfo=UTC).timestamp() + time.timezone
            if seconds >= _YEAR_1900:
                day = timedelta(days=local.date() == date.max)  # Python cannot look beyond the last day
                seconds = (local - day).replace(fold=1).timestamp() + day.total_seconds()
            if _local(seconds).replace(tzinfo=None) != local:
                raise ValueError("the clocks skipped that time")
        return seconds * 1000 + field["S"]

    def format(self, milliseconds: float) -> str:
        """The date as text.

        Raises
        ------
        ValueError
            Parsing the text would not give the same milliseconds.
        """
        try:
            seconds, thousandths = divmod(int(milliseconds), 1000)
            text = self._text(_local(seconds), thousandths)
            if self.parse(text) == milliseconds:
                return text
        except (ValueError, OverflowError, OSError):
            pass
        raise ValueError(f"the date {milliseconds!r} ms cannot be written exactly in the format {quoted(self.pattern)}")

    def _text(self, local: datetime, thousandths: int) -> str:
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
            elif part == "X" and not local.utcoffset():
                pieces.append("Z")
            else:
                offset = f"{local:%z}"
                hours_only = part == "X" and count == 1
                colon = ":" if part == "X" and count == 3 else ""
                pieces.append(offset[:3] if hours_only else offset[:3] + colon + offset[3:5])
        return "".join(pieces)


def _full_year(short: int, rest: tuple[int, ...]) -> int:
    """The full year of a two-digit year, from 80 years before now to 20 years after; ``rest`` is month to second."""
    now = datetime.now()
    earliest = now.year - 80
    year = earliest - earliest % 100 + short
    return year + 100 if (year, *rest) < (earliest, *now.timetuple()[1:6]) else year


def _local(seconds: float) -> datetime:
    """The local date and time at ``seconds`` since 1970-01-01T00:00Z; before 1900 Java uses today's standard time."""
    zone = timezone(timedelta(seconds=-time.timezone)) if seconds < _YEAR_1900 else None
    return datetime.fromtimestamp(seconds, UTC).astimezone(zone)


def _offset(zone: str) -> timedelta:
    """How far the clocks of ``zone`` are ahead of UTC."""
    if zone.upper() in ("GMT", "UTC", "Z"):
        return timedelta(0)
    if zone in time.tzname:
        return timedelta(seconds=-(time.timezone, time.altzone)[time.tzname.index(zone)])
    match = _OFFSET.fullmatch(zone)
    if match is None:
        raise ValueError(f"the time zone {quoted(zone)} is not supported; write an offset such as +0100")
    ahead = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    return -ahead if match[1] == "-" else ahead
