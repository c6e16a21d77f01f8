"""The time zones of the Java in use: their rules, from its own file, and which of them is local.

A running virtual machine is asked for the local zone. None is started where the environment leaves no doubt.

Python's tzdata differ from Java's by version and by how they are built: Debian's have other clocks before 1970 in some
ninety zones. Read from the file, 603 zones of Java 17 and 604 of Java 25 show what Java's own clocks do, from 1850 to
2037 and in 2099, but for single hours of Windhoek, Gaza and Hebron.
"""

from __future__ import annotations

import io
import os
import re
import struct
import sys
from bisect import bisect_left
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

from wekaconf.base.errors import BridgeError
from wekaconf.base.naming import quoted
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._java import jvm_library
from wekaconf.data.dates import LAST_YEAR, YEAR_1900, Zone, ZoneError

_OFFSET = re.compile(r"(?:GMT|UTC|UT)?([+-])(\d\d):(\d\d)(?::(\d\d))?", re.ASCII)
_UTC = ("UTC", "GMT", "Etc/UTC", "Z")
_DECIDING_OPTIONS = re.compile(r"user\.timezone|VMOptionsFile")
"""Options of Java that choose the local zone, or may hold those that do."""
LOCALTIME, TIMEZONE = Path("/etc/localtime"), Path("/etc/timezone")
"""What Java looks at without ``TZ``; not every Java looks at the second file."""
EPOCH = date(1970, 1, 1).toordinal()


def find_zone(name: str) -> Zone:
    """The zone of this name, or the local zone if it is empty; see `wekaconf.data.dates.zone`."""
    try:
        return _zone_named(name or _local_name())
    except BridgeError as error:
        which = f"zone {quoted(name)}" if name else "local time zone"
        raise ZoneError(f"only Java knows the {which} ({error})") from error


def _local_name() -> str:
    running = jvm.time_zone()
    if running is not None:
        return running
    named = _named_by_environment()
    return named if named in _UTC or named in _regions() else jvm.about()["time_zone"]


def _named_by_environment() -> str:
    """The name of the local zone where that needs no Java; empty if it does."""
    options = (jvm.OPTIONS, *jvm.JAVA_OPTIONS)
    if sys.platform == "win32" or any(_DECIDING_OPTIONS.search(os.environ.get(name, "")) for name in options):
        return ""
    return os.environ.get("TZ") or _named_by_system()


def _named_by_system() -> str:
    """The zone to which the link /etc/localtime leads; empty if it is none, or /etc/timezone says otherwise."""
    try:
        named = os.readlink(LOCALTIME).rpartition("zoneinfo/")[2]
        said = TIMEZONE.read_text().strip() if TIMEZONE.exists() else named
    except (OSError, ValueError):
        return ""
    return named if said == named else ""


def _zone_named(name: str) -> Zone:
    if name in _UTC:
        return Zone("UTC", 0)
    if offset := _OFFSET.fullmatch(name):
        sign, hours, minutes, seconds = offset.groups(default="0")
        ahead = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
        return Zone(name, -ahead if sign == "-" else ahead)
    rules = _regions().get(name)
    if rules is None:
        raise ZoneError(f"this Java does not know the time zone {quoted(name)}")
    return _unpacked(name, rules)


def _regions() -> dict[str, bytes]:
    """The packed rules of each zone of the Java in use; BridgeError if there is none."""
    library = jvm_library(jvm.java_to_use())
    for folder in () if library is None else library.parents:
        path = folder / "lib" / "tzdb.dat"
        if path.is_file():
            return _read_regions(path)
    raise BridgeError("the Java in use has no file lib/tzdb.dat with time zones")


class _Reader:
    """A part of the file of zones, read as ``java.io.DataInput``."""

    def __init__(self, content: bytes) -> None:
        self.stream = io.BytesIO(content)

    def number(self, code: str) -> int:
        """The next number, of this code of `struct`."""
        return int(struct.unpack(f">{code}", self.stream.read(struct.calcsize(code)))[0])

    def text(self) -> str:
        return self.stream.read(self.number("H")).decode()

    def offset(self) -> int:
        """Seconds ahead of UTC."""
        quarters = self.number("b")
        return self.number("i") if quarters == 127 else quarters * 900

    def changes(self) -> tuple[list[int], list[int]]:
        """The moments of changes, and the offsets before the first of them and after each."""
        moments = [self.moment() for _ in range(self.number("i"))]
        return moments, [self.offset() for _ in range(len(moments) + 1)]

    def moment(self) -> int:
        """Seconds since 1970."""
        high = self.number("B")
        return self.number("q") if high == 255 else ((high << 16) + self.number("H")) * 900 - 4_575_744_000


@cache
def _read_regions(path: Path) -> dict[str, bytes]:
    """The packed rules of each zone in the file, as ``sun.util.calendar.ZoneInfoFile`` reads them."""
    read = _Reader(path.read_bytes())
    if (read.number("b"), read.text()) != (1, "TZDB"):
        raise BridgeError(f"{path} is not of the form that is known; write the offsets of dates")
    for _ in range(read.number("H")):
        read.text()
    names = [read.text() for _ in range(read.number("H"))]
    rules = [read.stream.read(read.number("H")) for _ in range(read.number("H"))]
    return {names[read.number("H")]: rules[read.number("H")] for _ in range(read.number("H"))}


class _Rule(NamedTuple):
    """When the clocks change in each year of the future."""

    month: int
    day: int  # the first possible day; 0 or below: the last, counted from the end of the month
    weekday: int  # 1 is Monday; 0: whatever it is
    time: int  # seconds into the day, by the clocks that `ahead` tells
    ahead: int | None  # seconds ahead of UTC of the clocks of `time`; None: those before the change
    before: int
    after: int

    @classmethod
    def of(cls, read: _Reader) -> _Rule:
        """The next rule of a zone, as ``ZoneOffsetTransitionRule`` reads it."""
        data = read.number("I")
        time, standard = data >> 14 & 31, data >> 4 & 255
        seconds = read.number("i") if time == 31 else time * 3600
        ahead = read.number("i") if standard == 255 else (standard - 128) * 900
        before, after = (read.number("i") if code == 3 else ahead + code * 1800 for code in (data >> 2 & 3, data & 3))
        clocks = (0, None, ahead)[data >> 12 & 3]
        return cls(data >> 28, (data >> 22 & 63) - 32, data >> 19 & 7, seconds, clocks, before, after)

    def in_year(self, year: int) -> tuple[int, int]:
        """When the clocks change, in seconds since 1970, and how far they are ahead of UTC from then on."""
        if self.day > 0:
            day = date(year, self.month, self.day)
            ahead = (self.weekday - day.isoweekday()) % 7 if self.weekday else 0
        else:
            day = date(year + self.month // 12, self.month % 12 + 1, 1) + timedelta(days=self.day)
            ahead = -((day.isoweekday() - self.weekday) % 7) if self.weekday else 0
        days = day.toordinal() + ahead - EPOCH
        return days * 86_400 + self.time - (self.before if self.ahead is None else self.ahead), self.after


@cache
def _unpacked(name: str, rules: bytes) -> Zone:
    """The zone with these rules, packed as ``java.time.zone.ZoneRules`` writes them."""
    read = _Reader(rules)
    read.number("b")
    _, standard = read.changes()
    moments, ahead = read.changes()
    changes = [(YEAR_1900, ahead[bisect_left(moments, YEAR_1900)])]
    changes += [change for change in zip(moments, ahead[1:], strict=True) if change[0] >= YEAR_1900]
    yearly = [_Rule.of(read) for _ in range(read.number("b"))]
    last = date.fromordinal(EPOCH + moments[-1] // 86_400).year if yearly else LAST_YEAR
    changes += sorted(rule.in_year(year) for year in range(last + 1, LAST_YEAR + 1) for rule in yearly)
    return Zone(name, standard[-1], changes)
