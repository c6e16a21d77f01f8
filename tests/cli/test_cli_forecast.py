"""Long work says beforehand how long it takes, why, and what would be shorter."""

import re
import warnings
from pathlib import Path

import pytest
from support.command_line import ARFF, IRIS, WINE

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.cli import forecast
from wekaconf.cli.evaluation_run import _file_size
from wekaconf.experiments.runner.options import evaluation_options

A_TIME = re.compile(r"about \d+ (?:s|min)\b")


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
    assert words.startswith("about ") and said in words and len(A_TIME.findall(words)) == 1


def test_each_data_set_is_tried_by_its_share_of_all(run, monkeypatch):
    tried = []
    monkeypatch.setattr(forecast.Forecast, "try_plan", lambda self, plan, share, jobs: tried.append((share, jobs)))
    run("evaluate", IRIS, WINE, "--learner", "CART", "-x", "2", "-j", "1")
    sizes = [Path(path).stat().st_size + 1 for path in (IRIS, WINE)]
    assert tried == [(size / sum(sizes), 1) for size in sizes]


def test_what_is_no_file_is_as_large_as_an_empty_one(tmp_path):
    for name, text in (("empty", ""), ("three", "abc")):
        (tmp_path / name).write_text(text)
    assert [_file_size(str(path)) for path in (tmp_path / "empty", tmp_path / "three", "-")] == [1.0, 4.0, 1.0]


def test_the_time_of_one_fold_is_taken_for_each_fold_of_each_run(run, all_is_long, monkeypatch):
    """Six folds of a minute in two processes take three minutes; here a trial of one takes a minute."""
    monkeypatch.setattr(forecast, "seconds_of", lambda _work, _n_rows: 60.0)
    said = run("evaluate", IRIS, "--learner", "CART", "-x", "3", "--runs", "2", "-j", "2").err
    assert said.startswith("about 3 min: ")


def test_a_forecast_counts_data_sets_and_methods(run, all_is_long):
    methods = ("--method", "leaf_frequency", "--method", "m_branch", "--learner", "CART", "--options", "prune=none")
    words = " ".join(run("compare", IRIS, WINE, *methods, "-x", "3").err.split())
    assert ": 2 methods, 2 data sets, 3 folds; shorter with -j 2" in words
    page = run("study", "replicate", "costa2013", "--data", ARFF, "--set", "iris", "--set", "wine", "--runs", 1)
    assert ": costa2013; shorter with --quick, a trial of half a minute" in " ".join(page.err.split())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), ": leaf_frequency on CART, each tree pruned by 10 folds; shorter with --options prune=none"),
        (("--options", "prune=none", "--method", "m_branch"), ": m_branch on CART; shorter with another --method"),
        (
            ("--options", "prune=none", "--keep", "0.9"),
            ", the threshold chosen by 10 folds; shorter with --threshold-from training",
        ),
        (
            ("--options", "prune=none", "--target-error", "0.1", "--confidence", "0.9"),
            ", the threshold chosen by 5 folds; shorter with --threshold-from training",
        ),
    ],
)
def test_fit_says_it_before_the_first_tree(run, all_is_long, tmp_path, options, said):
    ended = run("fit", IRIS, "--learner", "CART", *options, "-o", tmp_path / "m.wct")
    words = " ".join(ended.err.split())
    assert words.startswith("about ") and said in words and len(A_TIME.findall(words)) == 1


def test_advise_says_its_budget(run, all_is_long):
    words = " ".join(run("advise", IRIS, "--learner", "CART", "--budget", "90s", "-x", 2).err.split())
    assert words.startswith("at most about 2 min: ") and " methods, 2 folds; shorter with a smaller --budget" in words


def test_a_study_says_it_before_the_first_evaluation(run, all_is_long, tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(
        f'data = ["{IRIS}", "{WINE}"]\nmethods = ["leaf_frequency"]\nlearners = ["CART"]\nfolds = 2\n', "utf-8"
    )
    words = " ".join(run("study", "run", study, "--store", tmp_path / "s.sqlite").err.split())
    assert words.startswith("about ") and len(A_TIME.findall(words)) == 1
    assert ": all that the store lacks; shorter with -j 2, or fewer folds, runs, methods and data in the study" in words


@pytest.mark.one_commit_in(3)
def test_what_is_tried_beforehand_changes_no_figure_and_no_model(run, good, all_is_long, monkeypatch, tmp_path):
    command = ("evaluate", IRIS, "--learner", "J48", "--method", "second_opinion", "--keep", "0.9", "-x", 2, "--json")
    watched = good(*command)
    good("fit", IRIS, "--method", "second_opinion", "--keep", "0.9", "-o", tmp_path / "a.wct")
    monkeypatch.setattr(forecast, "is_watched", lambda: False)
    assert good(*command) == watched
    good("fit", IRIS, "--method", "second_opinion", "--keep", "0.9", "-o", tmp_path / "b.wct")
    answers = [good("predict", tmp_path / name, IRIS) for name in ("a.wct", "b.wct")]
    assert answers[0] == answers[1]


def test_the_time_of_all_rows_follows_from_that_of_few(monkeypatch):
    """Work of 50 ms and 0.1 ms per row; it takes a second more when it is done for the first time."""
    now, tried = 0.0, []
    monkeypatch.setattr(forecast.time, "perf_counter", lambda: now)

    def seconds(n_rows):
        return 0.05 + n_rows / 1e4

    def work(n_rows):
        nonlocal now
        now += seconds(n_rows) + (not tried)
        tried.append(n_rows)

    assert forecast.seconds_of(work, 10_000) == pytest.approx(seconds(10_000))
    assert tried[:4] == [100, 100, 200, 400] and sum(map(seconds, tried[1:-1])) < 1
    assert forecast.seconds_of(work, 60) == pytest.approx(seconds(60))


def test_what_cannot_be_tried_is_not_foretold(run, all_is_long, tmp_path):
    """Leaving out one instance at a time, methods that grow trees to answer, and trials that fail."""

    def fail(_n_rows):
        raise OptionError("too few rows")

    assert forecast.seconds_of(fail, 1000) is None
    assert "about" not in run("fit", IRIS, "--method", "tpce", "-o", tmp_path / "m.wct").err
    said = run("evaluate", IRIS, "--learner", "CART", "--options", "prune=none", "-x", "loo").err
    assert "each instance left out once" in " ".join(said.split())


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


@pytest.mark.parametrize(("seconds", "said"), [(59.9, ""), (60.0, "about 60 s: work; shorter with less work\n")])
def test_work_is_long_from_a_minute_on(monkeypatch, capsys, seconds, said):
    monkeypatch.setattr(forecast, "is_watched", lambda: True)
    forecast.Forecast("work", "less work").expect(seconds)
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(("seconds", "said"), [(2.9, ""), (3.0, "about 5 min: work; shorter with less work\n")])
def test_work_is_watched_for_three_seconds(monkeypatch, capsys, seconds, said):
    monkeypatch.setattr(forecast, "is_watched", lambda: True)
    times = iter([0.0, seconds])
    monkeypatch.setattr(forecast.time, "monotonic", lambda: next(times))
    watched = forecast.Forecast("work", "less work")
    for share in (0.0, 0.01):
        watched.follow(share)
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(("seconds", "n_trials"), [(15.0, 3), (15.1, 1)])
def test_work_that_begins_slowly_is_not_tried_further(monkeypatch, seconds, n_trials):
    tried, now = [], iter([0.0, seconds, *range(20, 30)])
    monkeypatch.setattr(forecast.time, "perf_counter", lambda: next(now))
    found = forecast.seconds_of(tried.append, 10_000)
    assert len(tried) == n_trials and (found is None) == (n_trials == 1)


@pytest.mark.parametrize(
    ("seconds", "n_rows", "tried", "expected"),
    [
        (lambda n_rows: 1.0, 10_000, [100, 200], 1.0),
        (lambda n_rows: 0.5, 10_000, [100, 200], 0.5),
        (lambda n_rows: 0.25, 10_000, [100, 200, 400, 800], 0.25),
        (lambda n_rows: 0.25, 100, [100], 0.25),
        (lambda n_rows: 0.25, 150, [100, 150], 0.25),
        (lambda n_rows: n_rows / 128, 10_000, [100, 200], 78.125),
        (lambda n_rows: 128 / n_rows, 10_000, [100, 200], 0.64),
    ],
)
def test_trials_end_after_a_second_and_with_all_rows(monkeypatch, seconds, n_rows, tried, expected):
    """Two at least, since one tells no slope; where more rows take less time, the time of the last is that of all."""
    now, asked = 0.0, []
    monkeypatch.setattr(forecast.time, "perf_counter", lambda: now)

    def work(n_rows):
        nonlocal now
        now += seconds(n_rows)
        asked.append(n_rows)

    assert forecast.seconds_of(work, n_rows) == pytest.approx(expected)
    assert asked == [tried[0], *tried]


def test_a_trial_shows_no_warning():
    """The work itself will show it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert forecast.seconds_of(lambda _n_rows: warnings.warn("few rows", stacklevel=2), 10) is not None


@pytest.mark.parametrize(("repeats", "said"), [({}, "about 60 s: "), ({"repeats": 3}, "about 3 min: ")])
def test_work_is_done_once_unless_it_is_repeated(monkeypatch, capsys, repeats, said):
    monkeypatch.setattr(forecast, "is_watched", lambda: True)
    monkeypatch.setattr(forecast, "seconds_of", lambda _work, _n_rows: 60.0)
    forecast.Forecast("work", "less work", **repeats).try_out(print, 10)
    assert capsys.readouterr().err.startswith(said)


def test_only_the_first_plan_is_tried(monkeypatch):
    tried = []
    monkeypatch.setattr(forecast, "is_watched", lambda: True)
    monkeypatch.setattr(forecast, "_seconds_of_plan", tried.append)
    watched = forecast.Forecast("work", "less work")
    for plan in ("first", "second"):
        watched.try_plan(plan, 0.5, 1)
    assert tried == ["first"]


def test_a_forecast_is_folded(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(forecast, "is_watched", lambda: True)
    forecast.Forecast("work of many kinds", "less work of the other kinds").expect(600.0)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1 and max(map(len, lines)) <= 40


@pytest.mark.parametrize(
    ("folds", "runs", "n_sets", "jobs", "said"),
    [
        (5, 1, 1, 2, "1 method, 5 folds; shorter with fewer methods"),
        (6, 1, 1, 1, "1 method, 6 folds; shorter with -x 5, -j 2"),
        (5, 2, 2, 2, "1 method, 2 data sets, 5 folds, 2 runs; shorter with fewer --runs"),
    ],
)
def test_only_what_would_be_shorter_is_advised(monkeypatch, capsys, folds, runs, n_sets, jobs, said):
    monkeypatch.setattr(forecast, "is_watched", lambda: True)
    options = evaluation_options(["m_branch"], wc.Protocol(folds=folds, runs=runs), "info_gain")
    forecast.of_evaluation(options, n_sets, jobs).expect(60.0)
    assert " ".join(capsys.readouterr().err.split()) == f"about 60 s: {said}"


@pytest.mark.parametrize(("aim", "said"), [(None, "about 60 s: "), (wc.Aim("keep", 0.9), "about 11 min: ")])
def test_a_threshold_out_of_fold_takes_ten_fits_more(monkeypatch, capsys, aim, said):
    monkeypatch.setattr(forecast, "is_watched", lambda: True)
    monkeypatch.setattr(forecast, "seconds_of", lambda _work, _n_rows: 60.0)
    forecast.of_model("m_branch", wc.InfoGain(), aim, "out-of-fold").try_out(print, 10)
    assert capsys.readouterr().err.startswith(said)
