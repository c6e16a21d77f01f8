"""Long work says early how long it takes, why, and what would be shorter."""

import pytest
from support.command_line import ARFF, IRIS, WINE

from wekaconf.cli import forecast


@pytest.fixture
def all_is_long(monkeypatch):
    monkeypatch.setattr(forecast, "LISTEN_SECONDS", 0.0)
    monkeypatch.setattr(forecast, "LONG_SECONDS", 0.0)
    monkeypatch.setattr(forecast, "is_watched", lambda: True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-x", "8"], "8 folds, each tree pruned by 10 folds; shorter with -x 5, --options prune=none, -j 2"),
        (
            ["-x", "3", "--options", "prune=none", "--runs", "2"],
            "3 folds, 2 runs; shorter with fewer --runs, -j 2",
        ),
        (["-x", "loo", "--options", "prune=none"], "1 method, each instance left out once; shorter with -x 5, -j 2"),
        (
            ["-x", "3", "--options", "prune=none", "--keep", "0.9"],
            "each threshold chosen by a cross-validation of its own; shorter with --threshold-from training, -j 2",
        ),
        (["-x", "3", "--options", "prune=none", "--below", "0.9"], "1 method, 3 folds; shorter with -j 2"),
    ],
)
def test_a_forecast_says_what_takes_long_and_what_would_be_shorter(run, all_is_long, options, said):
    ended = run("evaluate", IRIS, "--learner", "CART", *options)
    words = " ".join(ended.err.split())
    assert words.startswith("about ") and said in words and words.count("about ") == 1


def test_a_forecast_counts_data_sets_and_methods(run, all_is_long):
    methods = ("--method", "leaf_frequency", "--method", "m_branch", "--learner", "CART", "--options", "prune=none")
    words = " ".join(run("compare", IRIS, WINE, *methods, "-x", "3").err.split())
    assert ": 2 methods, 2 data sets, 3 folds; shorter with -j 2" in words
    page = run("study", "replicate", "costa2013", "--data", ARFF, "--set", "iris", "--set", "wine", "--runs", 1)
    assert ": costa2013; shorter with --quick, a trial of half a minute" in " ".join(page.err.split())


def test_short_work_and_quiet_commands_say_nothing(run, all_is_long, monkeypatch):
    assert run("evaluate", IRIS, "--learner", "CART", "-q").err == ""
    monkeypatch.setattr(forecast, "LONG_SECONDS", 60.0)
    assert run("evaluate", IRIS, "--learner", "CART").err == ""


def test_a_log_holds_no_forecast(run, monkeypatch):
    """What it says depends on the machine, and nobody waits."""
    monkeypatch.setattr(forecast, "LISTEN_SECONDS", 0.0)
    monkeypatch.setattr(forecast, "LONG_SECONDS", 0.0)
    assert run("evaluate", IRIS, "--learner", "CART").err == ""


def test_what_a_store_held_is_no_work(monkeypatch, capsys):
    """Half is there already: of the other half a tenth took ten seconds, so ninety are left."""
    monkeypatch.setattr(forecast, "is_watched", lambda: True)
    times = iter([0.0, 10.0, 20.0])
    monkeypatch.setattr(forecast.time, "monotonic", lambda: next(times))
    watched = forecast.Forecast("work", "less work")
    for share in (0.5, 0.55, 0.6):
        watched.follow(share)
    assert capsys.readouterr().err == "about 90 s: work; shorter with less work\n"
