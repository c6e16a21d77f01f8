"""A forest tells old rows from new ones: by columns that change together, and by chance no more often than allowed."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from wekaconf.data import Attribute, Header
from wekaconf.evaluation.checks import RowSample, Separation, tell_apart
from wekaconf.evaluation.checks import _two_samples as two_samples
from wekaconf.evaluation.checks._two_samples import area_interval
from wekaconf.report._answer_summary import separation_line

HEADER = Header("pairs", (
    Attribute("x"), Attribute("y"), Attribute("colour", "nominal", ("red", "blue")),
    Attribute("since", "date", date_format="yyyy"), Attribute("class", "nominal", ("a", "b")),
), 4)  # fmt: skip


def rows(n, seed, correlation=0.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = correlation * x + np.sqrt(1 - correlation**2) * rng.normal(size=n)
    return np.column_stack([x, y, rng.integers(0, 2, n), np.arange(n) + seed, rng.integers(0, 2, n)]).astype(float)


def test_columns_that_change_together_are_told_apart():
    found = tell_apart(rows(1500, 1), rows(1500, 2, 0.9), HEADER)
    assert found.is_seen
    assert found.area > 0.7
    assert {name for name, _ in found.columns} == {"x", "y"}


def test_classes_and_dates_are_not_looked_at():
    old, new = rows(400, 1), rows(400, 2)
    old[:, 3:], new[:, 3:] = 0, 1
    assert tell_apart(old, new, HEADER).area < 0.65


@pytest.mark.one_commit_in(3)
def test_rows_of_one_source_are_rarely_told_apart():
    n_told = sum(tell_apart(rows(80, seed), rows(80, 1000 + seed), HEADER).is_seen for seed in range(30))
    assert stats.binomtest(n_told, 30, 0.05, alternative="greater").pvalue > 0.01


def test_missing_and_infinite_cells_are_read():
    old, new = rows(200, 1), rows(200, 2)
    new[:100, 0], new[100:, 0], old[:50, 1] = np.inf, np.nan, -np.inf
    assert tell_apart(old, new, HEADER).area == 1


@pytest.mark.parametrize("n", [0, 1, 19])
def test_few_rows_are_not_told_apart(n):
    assert tell_apart(rows(400, 1), rows(n, 2), HEADER) is None


def test_twenty_rows_are_told_apart():
    assert tell_apart(rows(20, 1), rows(20, 2), HEADER) is not None


def test_a_column_that_tells_just_as_much_as_it_must_is_named(monkeypatch):
    old, new = rows(200, 1), rows(200, 2, 0.9)
    name, drop = tell_apart(old, new, HEADER).columns[-1]
    monkeypatch.setattr(two_samples, "LEAST_DROP", drop)
    assert name in dict(tell_apart(old, new, HEADER).columns)
    monkeypatch.setattr(two_samples, "LEAST_DROP", np.nextafter(drop, 1))
    assert name not in dict(tell_apart(old, new, HEADER).columns)


def test_three_columns_are_named_at_most():
    """Each of five columns moved, and none tells all by itself."""
    header = Header("five", (*(Attribute(f"x{i}") for i in range(5)), HEADER.attributes[-1]), 5)
    old, new = (np.random.default_rng(seed).normal(seed, 1, (600, 6)) for seed in (0, 1))
    found = tell_apart(old, new, header)
    assert len(found.columns) == 3
    assert all(0.01 <= drop < found.area - 0.5 for _, drop in found.columns)


def test_an_interval_holds_the_areas_that_are_not_refuted():
    """The ends solve Newcombe's equation, and there is one at an area of 1, too."""
    for area in (0.5, 0.7, 0.95, 1.0, 0.0):
        low, high = area_interval(area, 60, 40)
        assert low <= area <= high
        assert high - low > 0.01
        for end in (low, high):
            if 0 < end < 1 and end != area:
                pairs = 1 + 49 * ((1 - end) / (2 - end) + end / (1 + end))
                assert abs(area - end) == pytest.approx(1.96 * np.sqrt(end * (1 - end) * pairs / 2400), rel=1e-3)


def test_intervals_cover():
    """Areas of normal scores, whose true area is known."""
    n_held, n, true = 0, 400, stats.norm.cdf(1 / np.sqrt(2))
    for seed in range(n):
        rng = np.random.default_rng(seed)
        scores, is_new = np.concatenate([rng.normal(size=50), rng.normal(1, 1, 40)]), np.repeat([False, True], [50, 40])
        low, high = area_interval(float(two_samples.auroc(scores, is_new)), 50, 40)
        n_held += low <= true <= high
    assert stats.binomtest(n_held, n, 0.95, alternative="less").pvalue > 0.01


def test_a_sample_holds_two_thousand_rows():
    sample, numbers = RowSample(1), np.arange(2001.0)[:, None]
    sample.add(numbers[:2000])
    assert sample.rows.tolist() == numbers[:2000].tolist()
    sample.add(numbers[2000:])
    assert len(sample.rows) == 2000


def test_a_sample_is_drawn_evenly_from_all_parts():
    sample = RowSample(1)
    for start in range(0, 20_000, 7000):
        sample.add(np.arange(start, min(start + 7000, 20_000), dtype=float)[:, None])
    assert len(sample.rows) == two_samples.MOST_ROWS == len(np.unique(sample.rows))
    assert stats.kstest(sample.rows[:, 0] / 20_000, "uniform").pvalue > 0.01


# what a user reads


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, seed, correlation in (("old", 1, 0), ("new", 2, 0), ("bent", 3, 0.95)):
        frame = pd.DataFrame(rows(900, seed, correlation)[:, :2].round(3), columns=["x", "y"])
        frame.assign(out=np.where(frame["x"] > 0, "yes", "no")).to_csv(f"{name}.csv", index=False)


ASK = ("predict", "-t", "old.csv", "--learner", "info_gain", "-o", "a.csv", "--old-or-new", "-T")


def test_what_tells_is_printed(files, run):
    said = " ".join(run(*ASK, "bent.csv", "--log-json", "d.jsonl").err.split())
    assert "bent.csv: a forest tells its rows from those of old.csv (area under the ROC curve 0." in said
    assert ", interval 0." in said
    assert ", mostly by x, y" in said or ", mostly by y, x" in said
    record = json.loads(Path("d.jsonl").read_text(encoding="utf-8"))["old_or_new"]
    assert record["low"] < record["area"] < record["high"]
    assert "a forest does not tell its rows" in " ".join(run(*ASK, "new.csv").err.split())


def test_copies_of_the_training_rows_are_said_to_be_more_alike_than_chance_allows(files, run):
    """They lie on leaves with the rows that they are copies of, which count for the old."""
    said = " ".join(run(*ASK, "old.csv").err.split())
    assert "its rows are more like those of old.csv than chance allows, as copies are (area" in said


@pytest.mark.parametrize(
    ("separation", "says"),
    [
        (Separation(0.6, 0.5, 0.7, ()), "a forest does not tell its rows from those of"),
        (Separation(0.6, 0.501, 0.7, ()), "a forest tells its rows from those of"),
        (Separation(0.4, 0.3, 0.5, ()), "a forest does not tell its rows from those of"),
        (Separation(0.4, 0.3, 0.499, ()), "its rows are more like those of"),
    ],
)
def test_an_interval_that_ends_at_chance_says_nothing(separation, says):
    assert separation_line(separation, "new", "old").startswith(f"new: {says} old")


def test_too_few_rows_are_said_to_be(files, run):
    pd.read_csv("new.csv")[:5].to_csv("few.csv", index=False)
    assert "few.csv: too few rows to tell them from those of old.csv" in " ".join(run(*ASK, "few.csv").err.split())


def test_a_model_has_no_rows_to_tell_apart(files, run):
    assert run("predict", "-t", "old.csv", "--learner", "info_gain", "-d", "m.wct").code == 0
    ended = run("predict", "-l", "m.wct", "-T", "new.csv", "--old-or-new")
    assert ended.code == 2
    assert "so it excludes --old-or-new" in " ".join(ended.err.split())
