"""Values in words: dates in the zone in which they were read, and what 32-bit floats make of them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest

import wekaconf as wc
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arrays import joined_texts, texts_of
from wekaconf.data.wording import (
    FEW,
    apart,
    as_number,
    as_share,
    bound_text,
    cells,
    counts_apart,
    decimal_mark,
    each_distinct,
    each_of,
    interval,
    number,
    numbers,
    numbers_apart,
    percent,
    percent_bound,
    percent_ends,
    text_column,
    the_mark,
)

BERLIN = Attribute("day", "date", zone="Europe/Berlin")


def ms(*parts, zone="Europe/Berlin", fold=0):
    return 1000 * datetime(*parts, tzinfo=ZoneInfo(zone), fold=fold).timestamp()


def test_dates_are_written_as_the_clocks_of_their_zone_showed_them():
    winter, summer = ms(2025, 1, 1), ms(2025, 7, 1)
    assert cells(BERLIN, winter, summer) == ("2025-01-01", "2025-07-01")
    assert cells(Attribute("day", "date"), winter, summer) == ("2024-12-31T23:00:00", "2025-06-30T22:00:00")
    unknown = Attribute("day", "date", zone="Nowhere/Nothing")
    assert cells(unknown, summer) == ("2025-06-30T22:00:00",)


def test_the_hour_that_clocks_show_twice_has_offsets():
    first, second = ms(2025, 10, 26, 2, 30), ms(2025, 10, 26, 2, 10, fold=1)
    assert first < second
    assert cells(BERLIN, first, second) == ("2025-10-26T02:30:00+02:00", "2025-10-26T02:10:00+01:00")
    assert cells(BERLIN, first) == ("2025-10-26T02:30:00",)


@pytest.mark.parametrize("seed", range(20))
def test_dates_read_differently_and_in_their_order(seed):
    rng = np.random.default_rng(seed)
    start = datetime(2025, 10, 20, tzinfo=UTC).timestamp() * 1000
    step = (1.0, 1000.0, 60_000.0, 3_600_000.0, 0.5)[seed % 5]
    values = sorted({start + step * each for each in rng.integers(0, 400, 30).tolist()})
    for attribute in (BERLIN, Attribute("day", "date")):
        texts = cells(attribute, *values)
        assert len({*texts}) == len(values)
        assert [*texts] == sorted(texts)


def test_a_midpoint_of_32_bit_floats_is_the_day_or_hour_that_it_stands_for():
    middle = float((np.float32(ms(2025, 3, 29, zone="UTC")) + np.float32(ms(2025, 4, 1, zone="UTC"))) / 2)
    attribute, noon = Attribute("day", "date"), ms(2025, 3, 30, 12, zone="UTC")
    assert cells(attribute, middle) == ("2025-03-30T12:00:00",)
    assert middle != noon
    assert cells(attribute, noon, middle) == ("2025-03-30T12:00:00.000", "2025-03-30T11:59:41.056")
    exact = ms(2025, 3, 30, 11, 59, 41, zone="UTC") + 55
    assert cells(attribute, exact) == ("2025-03-30T11:59:41.055",)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ((2025, 3, 30), "2025-03-30"), ((1950, 6, 1), "1950-06-01"), ((2025, 3, 30, 13), "2025-03-30T13:00:00"),
        ((2025, 3, 30, 13, 31), "2025-03-30T13:31:00"),
    ],
)  # fmt: skip
def test_a_moment_in_32_bits_is_the_day_hour_or_minute_that_was_meant(parts, text):
    """They are two minutes apart, and in 1950 half as many."""
    meant = ms(*parts, zone="UTC")
    in_32_bits = float(np.float32(meant))
    assert in_32_bits != meant
    assert cells(Attribute("day", "date"), in_32_bits) == (text,)


def test_numbers_have_the_decimal_mark_that_is_set():
    with decimal_mark(","):
        assert the_mark() == "," and number(1.5) == "1,5" and percent(1 / 3) == "33,3 %"
        assert apart(1.23451, 1.23452) == ("1,23451", "1,23452") and counts_apart(2.0, 0.3) == ("2", "0,3")
        assert interval("1,5", "2,5") == "1,5–2,5" and interval("1.5", "2.5") == "1.5 to 2.5"
        assert numbers(np.array([1.5, 2])).tolist() == ["1,5", "2"]
        assert [column.tolist() for column in numbers_apart(np.array([1.5]), np.array([2.5]))] == [["1,5"], ["2,5"]]
        with decimal_mark("·"):
            assert number(1.5) == "1·5"
        assert number(1.5) == "1,5"
    assert the_mark() == "." and number(1.5) == "1.5"


def test_bounds_are_rounded_up():
    assert [bound_text(bound) for bound in (0.5, 0.12301, 1 / 3, 0.1 + 0.2, 12345.0)] == [
        "0.5", "0.124", "0.334", "0.3", "1.24e+04"
    ]  # fmt: skip
    assert percent_bound(0.12341) == "12.4 %"
    assert percent_ends(0.1234, 0.9999) == ("12", "99.99") and percent_ends(0, 1) == ("0", "100")


def test_advice_on_shares_that_look_like_percentages():
    told = [as_share(value) for value in (1.0, 1.5, 100.0, 100.5, -2.0)]
    assert told == ["", "; write 0.015 for 1.5 %", "; write 1 for 100 %", "", ""]
    told = [as_number(text) for text in ("5 %", "0,5", "1,5%", ".5%", "0.5", "x%", "1e3%", "%")]
    assert told == ["; write 0.05", "; write 0.5", "; write 0.015", "; write 0.005", "", "", "", ""]


def test_a_column_of_texts():
    attribute, values = text_column("t", ["b", None, "a", "b"])
    assert attribute == Attribute("t", "string", ("b", "a"))
    np.testing.assert_array_equal(values, [0, np.nan, 1, 0])


@pytest.mark.parametrize("n", [2, FEW, FEW + 1])
def test_every_row_has_its_text(n):
    """Also where each of many is written once."""
    places = np.resize([2, 0, -1], n)
    assert each_of(places, 3, "abc".__getitem__).tolist() == [*"cac" * 9][:n]
    assert each_distinct(places, str).tolist() == ["2", "0", "-1"] * (n // 3) + ["2", "0"][: n % 3]
    assert joined_texts(texts_of("ab"), "-", texts_of("cd")).tolist() == ["a-c", "b-d"]


def test_a_tree_writes_local_dates_as_its_file_does():
    header = Header("visits", (BERLIN, Attribute("back", "nominal", ("no", "yes"))), 1)
    days = [(month, day) for month in range(1, 9) for day in range(1, 28)]
    data = Dataset(header, np.array([[ms(2025, month, day), month > 4] for month, day in days]))
    model = wc.fit(data, learner="CART")
    assert model.rules().to_pandas()["condition"].tolist() == ["day <= 2025-04-29", "day > 2025-04-29"]
    assert model.answer(data).paths[0] == "day 2025-01-01 <= 2025-04-29 → no (108 of 108)"
