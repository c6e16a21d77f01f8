"""Values in words: dates in the zone in which they were read, and what 32-bit floats make of them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest

import wekaconf as wc
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.wording import cells

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


def test_a_tree_writes_local_dates_as_its_file_does():
    header = Header("visits", (BERLIN, Attribute("back", "nominal", ("no", "yes"))), 1)
    days = [(month, day) for month in range(1, 9) for day in range(1, 28)]
    data = Dataset(header, np.array([[ms(2025, month, day), month > 4] for month, day in days]))
    model = wc.fit(data, learner="CART")
    assert model.rules().to_pandas()["condition"].tolist() == ["day <= 2025-04-29", "day > 2025-04-29"]
    assert model.answer(data).paths[0] == "day 2025-01-01 <= 2025-04-29 → no (108 of 108)"
