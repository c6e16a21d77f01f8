"""Dates written at random, in many time zones and patterns, which Weka and we read, each in a process of its own.

Both have the same environment, which chooses the zone: by ``TZ``, by an option of Java, without files of zones, or in a
form that only Java understands. Our process has no virtual machine unless it needs one. What Weka accepts is read as
the same number, and what Weka refuses is refused. Zones of which Java itself differs from its file are left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from wekaconf.bridge import _zones as zones

PER_COLUMN = 500
"""Dates per pattern."""
FIRST, LAST = datetime(1950, 1, 1), datetime(2038, 1, 1)
JAVA_DIFFERS = ("Africa/Windhoek", "Asia/Gaza", "Asia/Hebron")
"""Java 17 and older end the list of changes of clocks with 2036, and guess those of 2037 from rules."""
PATTERNS = {
    "yyyy-MM-dd HH:mm": "%Y-%m-%d %H:%M",
    "yyyy-MM-dd'T'HH:mm:ss": "%Y-%m-%dT%H:%M:00",
    "dd.MM.yyyy": "%d.%m.%Y",
    "yyyyMMddHHmm": "%Y%m%d%H%M",
    "EEE, d MMM yyyy hh:mm a": "%a, %d %b %Y %I:%M %p",
    "yyyy-MM-dd HH:mm z": "%Y-%m-%d %H:%M {name}",
    "z yyyy-MM-dd HH:mm": "{name} %Y-%m-%d %H:%M",
    "yyyy-MM-dd HH:mm Z": "%Y-%m-%d %H:%M {offset}",
    "yyyy-MM-dd HH:mm X": "%Y-%m-%d %H:%M {hours}",
    "yyyy-MM-dd HH:mm XX": "%Y-%m-%d %H:%M {iso}",
    "yyyy-MM-dd HH:mmXXX": "%Y-%m-%d %H:%M{iso}",
}
"""How the dates of a pattern are written."""
NAMES = (
    "CET", "CEST", "MSK", "MSD", "KST", "KDT", "JST", "EST", "EDT", "PST", "PDT", "BST", "IST", "GMT", "UTC", "WET",
    "EET", "EEST", "AEST", "AEDT", "NZST", "SAST", "CST", "CDT", "cet", "Central European Standard Time",
    "Moscow Standard Time", "XYZ", "Z", "GMT+1", "GMT+01:00", "GMT-3:30", "gmt+14:00", "+0530", "-0800", "+1",
)  # fmt: skip
OFFSETS = ("+0100", "-0330", "+1245", "GMT", "UTC", "GMT-8:00", "+01:00", "Z", "+2400", "+0060")
HOURS = ("Z", "+01", "-11", "+00", "+24", "UTC", "+1", "z")
ISO_OFFSETS = (*HOURS, "-0330", "+05:45", "-00:00", "+2500", "-10:60")
ZONES = {"name": NAMES, "offset": OFFSETS, "hours": HOURS, "iso": ISO_OFFSETS}
ODD = ("GMT+3", "CET-1CEST", "EST5EDT4,M3.2.0,M11.1.0", "<+03>-3", "PST", "EST", "MST", ":Asia/Tokyo", "EST5EDT", "",
       "Z", "posix/Europe/Berlin", "europe/berlin", "GMT-11:15", "UTC")  # fmt: skip
"""Values of TZ that are no name of a zone, or not to everybody."""


def draw(seed: int, tried: Counter[str]) -> Iterator[str]:
    """Dates in one environment."""
    rng = Random(seed)
    environment = drawn_environment(rng)
    columns = {pattern: [text(rng, form) for _ in range(PER_COLUMN)] for pattern, form in PATTERNS.items()}
    by_weka = answers("weka", environment, columns)
    ours = answers("ours", environment, {name: [*zip(columns[name], by_weka[name], strict=True)] for name in columns})
    for pattern, texts in columns.items():
        for written, theirs, mine in zip(texts, by_weka[pattern], ours[pattern], strict=True):
            tried["refused by both" if theirs is None is mine else "read"] += 1
            if theirs != mine:
                yield f"{environment}: {written!r} in {pattern!r} is {theirs} to Weka, and {mine} to us"


def drawn_environment(rng: Random) -> dict[str, str]:
    """The variables that choose a time zone."""
    name = rng.choice([each for each in sorted(zones._regions()) if each not in JAVA_DIFFERS])
    option = f"-Duser.timezone={name}"
    return rng.choice(
        (
            {"TZ": name},
            {"TZ": name, "TZDIR": "/nonexistent", "PYTHONTZPATH": ""},
            {"JAVA_TOOL_OPTIONS": option},
            {"TZ": rng.choice(("Asia/Tokyo", "UTC")), "WEKACONF_JAVA_OPTIONS": option},
            {"TZ": rng.choice(ODD)},
        )
    )


def text(rng: Random, form: str) -> str:
    """A date; often of a night in which clocks may change."""
    moment = FIRST + timedelta(minutes=rng.randrange(int((LAST - FIRST).total_seconds()) // 60))
    if rng.random() < 0.5:
        moment = moment.replace(month=rng.choice((3, 4, 5, 9, 10, 11)), day=rng.randrange(1, 31), hour=rng.randrange(5))
        moment += timedelta(days=6 - moment.weekday())
    zone = {kind: rng.choice(texts) for kind, texts in ZONES.items()}
    return moment.strftime(form).format_map(zone)


def answers(who: str, environment: dict[str, str], columns: dict[str, list[Any]]) -> dict[str, list[float | None]]:
    """What a fresh process makes of the dates in each pattern: milliseconds, or None where it refuses."""
    command = [sys.executable, "-P", str(Path(__file__).with_name("date_reader.py")), who]
    without = {name: value for name, value in os.environ.items() if name not in ("TZ", "JAVA_TOOL_OPTIONS")}
    paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        command,
        input=json.dumps(columns),
        env=without | paths | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{who} in {environment}: {done.stderr[-1000:]}")
    found: dict[str, list[float | None]] = json.loads(done.stdout)
    return found
