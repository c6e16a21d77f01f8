"""Promises on the command line: predict --confidence, another target from a model, and check."""

import json
import re
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.command_line import COMMAND, words
from support.promises import choice_promised, frame_of, lay_tables

import wekaconf as wc
from wekaconf.cli.console import ExitCode
from wekaconf.evaluation.preprocessing import fit_filters
from wekaconf.evaluation.promises import interval
from wekaconf.evaluation.thresholds import draw_rows
from wekaconf.methods.contract._method import Method

N = 900
DISCRETIZE = "weka.filters.unsupervised.attribute.Discretize"
GROW = ("--learner", "info_gain", "--method", "m_branch")
PROMISE = ("--target-error", "0.2", "--confidence", "0.9")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lay_tables()


@pytest.fixture
def said(run):
    """Runs a command that must succeed; gives the words on standard error."""

    def said(*arguments):
        ended = run(*arguments)
        assert ended.code == 0, ended.err
        return words(ended.err)

    return said


def fitted(growing):
    return wc.method("m_branch").fit(wc.InfoGain().grow(growing), growing)


def test_a_share_is_held_out_and_calibrates(said):
    told = said("predict", "-t", "train.csv", *GROW, *PROMISE, "--calibrate", "0.4", "-T", "new.csv", "-o", "o.csv",
                "-d", "m.wct")  # fmt: skip
    data = wc.Dataset.from_pandas(pd.read_csv("train.csv"))
    held_out = draw_rows(N, 0.4)
    method = fitted(data.take(~held_out))
    choice = choice_promised(
        method, wc.Aim("error", 0.2, 0.9), data.take(held_out), data.take(~held_out), wc.InfoGain().grow
    )
    model = wc.load("m.wct")
    assert model.choice == choice and choice.is_reached
    new = wc.Dataset.from_pandas(pd.read_csv("new.csv"), header=data.header)
    np.testing.assert_array_equal(model.predict_proba(new), method.predict_proba(new))
    answers = pd.read_csv("o.csv")
    np.testing.assert_array_equal(answers["rejected"] == "yes", method.certainty(new) < choice.threshold)
    [promised] = choice.promises
    assert (
        f"with confidence 90 %, at most 20 % of the answers given are wrong; of 360 calibration rows it answers "
        f"{promised.answered}, {promised.wrong} of them wrong"
    ) in told


def test_the_rows_of_a_file_calibrate(good, said):
    good("predict", "-t", "train.csv", *GROW, *PROMISE, "--calibrate", "calibration.csv", "-d", "m.wct")
    growing = wc.Dataset.from_pandas(pd.read_csv("train.csv"))
    calibration = wc.Dataset.from_pandas(pd.read_csv("calibration.csv"), header=growing.header)
    choice = choice_promised(fitted(growing), wc.Aim("error", 0.2, 0.9), calibration, growing, wc.InfoGain().grow)
    model = wc.load("m.wct")
    assert model.choice == choice
    assert model.seen.count(growing) == N and model.seen.count(calibration) == 300
    growing.to_pandas().assign(name=range(N)).to_csv("named.csv", index=False)
    told = said("fit", "named.csv", "--id", "name", *GROW, *PROMISE, "--calibrate", "calibration.csv", "-d", "m.wct")
    assert "which should name the rows" not in told


def test_filters_and_preprocessing_do_not_see_calibration_rows(good):
    frame = frame_of(1, N)
    held_out = draw_rows(N, 0.3)
    frame.loc[held_out, "x"] += 1000
    frame.to_csv("train.csv", index=False)
    good("predict", "-t", "train.csv", *GROW, *PROMISE, "--filter", DISCRETIZE, "-d", "m.wct")  # fmt: skip
    data = wc.Dataset.from_pandas(frame)
    growing = fit_filters(data.take(~held_out), [DISCRETIZE])
    [fitted_filter] = wc.load("m.wct").filters
    np.testing.assert_array_equal(fitted_filter.apply(data).values, growing.filters[0].apply(data).values)


def test_another_target_from_the_counts_of_the_model(good, run):
    good("predict", "-t", "train.csv", *GROW, *PROMISE, "-d", "m.wct")
    good("predict", "-l", "m.wct", "--target-error", "0.3", "-d", "other.wct")
    model, other = wc.load("m.wct"), wc.load("other.wct")
    assert other.choice.promises == (model.choice.promises[0].of_target(0.3),)
    assert other.choice.aim == wc.Aim("error", 0.3, 0.9)
    ended = run("predict", "-l", "m.wct", "--target-error", "0.3", "--confidence", "0.95", "-d", "x.wct")
    assert ended.code != 0 and "calibrated for the confidence 0.9, and another needs another" in words(ended.err)
    good("predict", "-t", "train.csv", *GROW, "-d", "plain.wct")
    ended = run("predict", "-l", "plain.wct", "--target-error", "0.3", "-d", "x.wct")
    assert ended.code == 2 and "with --confidence, --target-error or --target-cost takes another target" in words(
        ended.err
    )
    assert not Path("x.wct").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--target-error", "0.1", "--confidence", "95"), "such as 0.95, got '95'; write 0.95 for 95 %"),
        (("--target-error", "yes=0.1,yes=0.2", "--confidence", "0.9"), "--target-error: class 'yes' has two targets;"),
        ((*PROMISE, "--calibrate", "30%"), "such as 0.3, got '30%'; write 0.3"),
        (("--confidence", "0.9"), "--confidence belongs to --target-error"),
        (("--target-error", "0.1", "--calibrate", "0.3"), "--calibrate belongs to --confidence"),
        (("--target-error", "maybe=0.1", "--confidence", "0.9"), "--target-error: no class 'maybe'; there are"),
        ((*PROMISE, "--calibrate", "absent.csv"), "absent.csv"),
        (("--target-cost", "1", "--cost", "4:1"), "--target-cost is a promise, so it needs --confidence"),
        ((*PROMISE[2:], "--target-cost", "1", "--cost", "4"), "--cost expects the cost of an error, or Weka's cost"),
        ((*PROMISE, "--calibrate", "train.csv"), "train.csv: 900 of 900 calibration rows repeat rows that the tree"),
    ],
)  # fmt: skip
def test_wrong_options(run, options, message):
    ended = run("predict", "-t", "train.csv", *GROW, *options, "-d", "m.wct")
    assert ended.code != 0 and message in words(ended.err), ended.err
    assert "Traceback" not in ended.err and not Path("m.wct").exists()


# ---- check ----


@pytest.fixture
def model(good):
    good("predict", "-t", "train.csv", *GROW, *PROMISE, "-d", "m.wct")
    return wc.load("m.wct")


def test_json_of_a_check(good, run, model):
    [record] = json.loads(good("check", "m.wct", "new.csv", "--by", "region", "--json"))
    assert record["aim"] == "error at most 20 % with confidence 90 %"
    [promised] = record["promises"]
    by_region = record["by region"]
    assert [each["name"] for each in by_region] == ["north", "south"]
    by_class = record["by predicted class"]
    assert [each["name"] for each in by_class] == ["no", "yes"]
    for count in ("n", "answered", "wrong"):
        assert sum(each[count] for each in by_region) == promised[count] == sum(each[count] for each in by_class)
    new = wc.Dataset.from_pandas(pd.read_csv("new.csv"), header=model.header)
    is_no, is_given, is_wrong = model.predict(new) == 0, ~model.reject(new), model.predict(new) != new.class_values
    counts = [(is_no & mask).sum() for mask in (True, is_given, is_given & is_wrong)]
    assert [by_class[0][name] for name in ("n", "answered", "wrong")] == counts
    assert by_class[0]["interval"] == pytest.approx(interval(counts[2], counts[1])) and "p_value" not in by_class[0]
    low, high = (f"{100 * bound:.2g}" for bound in interval(counts[2], counts[1]))
    share = f"{100 * counts[2] / counts[1]:.2f} %, interval {low} to {high} %)"
    told = words(good("check", "m.wct", "new.csv"))
    assert f"'no': {counts[0]} rows, {counts[1]} answered, {counts[2]} wrong ({share} predicted 'yes': " in told


def test_a_group_that_exceeds_the_target_leaves_the_verdict_on_the_promise(run, model):
    """The rows of one region are noisy; all rows together keep the target."""
    calm, noisy = frame_of(2, 900, noise=0.02), frame_of(5, 900, noise=0.5)
    frame = pd.concat([calm.assign(region="A 2"), noisy[:90].assign(region="A 1")])
    frame.to_csv("mixed.csv", index=False)
    ended = run("check", "m.wct", "mixed.csv", "--by", "region")
    told = words(ended.out)
    assert ended.code == 0 and "these rows do not show that the promise is broken" in told
    [record] = json.loads(run("check", "m.wct", "mixed.csv", "--by", "region", "--json").out)
    by_region = record["by region"]
    assert [each["exceeds_target"] for each in by_region] == [True, False]
    p_value = f"{by_region[0]['p_value']:.2g}"
    assert (
        f"the rows of 'A 1' exceed the target (p = {p_value}, Holm over 2 tests); the promise was made for all rows "
        "together, not for each group"
    ) in told
    assert "the rows of 'A 2' exceed" not in told


@pytest.mark.parametrize(("ending", "target"), [("csv", "0.2"), ("parquet", "0.2"), ("arff", "yes=0.2,no=0.2")])
def test_rows_without_a_value_are_a_group_with_a_name(good, run, ending, target):
    good("predict", "-t", "train.csv", *GROW, "--target-error", target, "--confidence", "0.9", "-d", "m.wct")
    frame = frame_of(2, 400).assign(site=["north", None, "south", "south"] * 100)
    if ending == "parquet":
        frame.to_parquet("new.parquet")
    else:
        save(frame[["x", "y", "region", "site", "out"]], f"new.{ending}")
    ended = run("check", "m.wct", f"new.{ending}", "--by", "site")
    [record] = json.loads(run("check", "m.wct", f"new.{ending}", "--by", "site", "--json").out)
    names = [f"{site}{answers}" for answers in (("",) if target == "0.2" else (", answers yes", ", answers no"))
             for site in ("(missing)", "north", "south")]  # fmt: skip
    assert [each["name"] for each in record["by site"]] == names
    assert all(f"'{name}': " in words(ended.out) for name in names)


def test_groups_need_a_column_of_the_file(run, good):
    good("predict", "-t", "train.csv", *GROW, "--keep", "0.9", "-d", "plain.wct")
    ended = run("check", "plain.wct", "new.csv", "--by", "colour")
    assert ended.code == 1 and "error: --by: no column 'colour' in new.csv" in words(ended.err)


def test_the_verdict_outlives_its_reader(model):
    """A reader that stops, such as head, loses lines; the exit code is still that of the verdict."""
    frame_of(3, 400, noise=0.6).to_csv("bad.csv", index=False)
    command = [str(COMMAND), "check", "m.wct", "bad.csv", "--by", "region"]
    piped = f"{shlex.join(command)} | :; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", piped], check=False, capture_output=True, text=True)
    assert ended.returncode == ExitCode.PROMISE_BROKEN, ended.stderr
    assert "Traceback" not in ended.stderr and "Exception" not in ended.stderr


@pytest.mark.parametrize("promise", [(), PROMISE])
def test_rows_without_a_class_do_not_widen_what_a_model_keeps(said, promise):
    rows = frame_of(1, N)
    last = N - 1 - np.arange(60)
    rows.loc[last, "x"], rows.loc[last, "out"] = 99.0, None
    rows.to_csv("known.csv", index=False)
    said("predict", "-t", "known.csv", *GROW, *promise, "-d", "m.wct")
    summary = wc.load("m.wct").summary
    held_out = draw_rows(N, 0.3 if promise else 0)
    assert summary.greatest[0] == rows["x"][: N - 60].max() and summary.n_rows[0] == (~held_out[: N - 60]).sum()


def test_calibration_rows_are_answered_once(said, monkeypatch):
    """For thresholds, class sets and what later files are compared with."""
    asked, answer = [], Method.answer
    monkeypatch.setattr(Method, "answer", lambda self, data: asked.append(len(data)) or answer(self, data))
    said("predict", "-t", "train.csv", *GROW, *PROMISE, "--class-sets", "0.9", "-d", "m.wct")
    n_growing = N - round(0.3 * N)
    assert asked == [round(0.3 * N), *5 * [n_growing // 5]]


@pytest.mark.parametrize("target", ["0.02", "no=0.02,yes=0.45"])
def test_what_can_be_promised_comes_with_the_command_for_it(said, good, target):
    told = said("predict", "-t", "train.csv", *GROW, "--target-error", target, "--confidence", "0.9", "-d", "m.wct")
    [command] = re.findall(r"to promise what these rows can: (wekaconf predict m\.wct FILE \S+ \S+)", told)
    assert not wc.load("m.wct").choice.is_reached
    answered = said(*command.replace("FILE", "new.csv").split()[1:], "-o", "o.csv")
    assert "cannot be shown" not in answered and "to promise what" not in answered
    assert said("predict", "m.wct", "new.csv", "-o", "o.csv").count("cannot be shown with confidence") == 1


@pytest.fixture
def further_files(model):
    """Files that are unlike the training data, that repeat its rows, or are empty; and a model without digests."""
    moved = frame_of(2, 400)
    moved = moved.assign(x=moved["x"] + 50)
    moved.to_csv("moved.csv", index=False)
    moved[:0].to_csv("none.csv", index=False)
    for n, name in ((1, "one.csv"), (2, "three.csv")):
        pd.concat([frame_of(2, 400), frame_of(1, N)[:n]]).to_csv(name, index=False)
    wc.Model(model.method, choice=model.choice).save("bare.wct")
    replace(model, choice=None).save("plain.wct")


def test_long_messages_are_folded(run, monkeypatch, further_files):
    monkeypatch.setenv("COLUMNS", "68")
    grow = ("predict", "-t", "train.csv", *GROW)
    for command, said in (
        ((*grow, "-T", "train.csv", "-o", "o.csv"), "note: the tree was grown on"),
        ((*grow, "--keep", "0.9", "-d", "new.wct"), "threshold 0."),
        ((*grow, *PROMISE[2:], "--target-error", "0.02", "-d", "new.wct"), "to promise what these rows can"),
        (("predict", "m.wct", "train.csv", "-o", "o.csv"), "note: train.csv: 900 of 900 rows"),
        (("predict", "m.wct", "new.csv", "-o", "o.csv"), " of 400 rows answered, "),
        (("predict", "m.wct", "moved.csv", "-o", "o.csv"), "moved.csv: 400 rows, not like those of training"),
        (("check", "m.wct", "one.csv"), "note: one.csv: 1 of 401 rows repeats one that grew"),
        (("check", "m.wct", "three.csv"), "note: three.csv: 2 of 402 rows repeat one that grew"),
        (("check", "bare.wct", "new.csv"), "note: new.csv: which rows grew or calibrated the model is not known"),
        (("predict", "bare.wct", "new.csv", "-o", "a.csv"), "so it cannot tell whether new.csv holds some of them"),
        (("predict", "m.wct", "new.csv", "--reject", "9"), "standard output: 391 of 400 rows answered, 9 rejected"),
        (("check", "a.csv", "--scores", *PROMISE), "to check it on later rows: wekaconf check LATER --scores --below"),
        (("check", "a.csv", "--scores", *PROMISE), "only decide which thresholds are tried; the promise holds if"),
        (("explain", "m.wct", "moved.csv", "--row", "1", "-o", "e.txt"), "moved.csv: 400 rows, not like those of"),
    ):
        lines = run(*command).err.splitlines()
        assert said in words("\n".join(lines)) and max(map(len, lines)) <= 68


def test_a_quiet_call_tells_what_makes_its_answers_doubtful(run, further_files):
    grow = ("predict", "-t", "train.csv", *GROW)
    for command, said in (
        (("predict", "m.wct", "moved.csv", "-o", "o.csv"), "not like those of training"),
        (("predict", "plain.wct", "moved.csv", "-o", "o.csv"), "not like those of training"),
        (("predict", "m.wct", "none.csv", "-o", "o.csv", "--strict", "file"), "none.csv has no rows, so nothing shows"),
        (("predict", "m.wct", "train.csv", "-o", "o.csv"), "900 of 900 rows"),
        ((*grow, "-T", "train.csv", "-o", "o.csv"), "the tree was grown on train.csv"),
        (("check", "m.wct", "one.csv"), "1 of 401 rows repeats one that grew or calibrated"),
        ((*grow, *PROMISE[2:], "--target-error", "0.02", "-d", "new.wct"), "it cannot be shown with confidence"),
        (("predict", "new.wct", "new.csv", "-o", "o.csv"), "it cannot be shown with confidence"),
        (("predict", "m.wct", "new.csv", "--reject", "9", "-o", "o.csv"), "what the model promises is for its own"),
        (("explain", "m.wct", "moved.csv", "--row", "1", "-o", "e.txt"), "not like those of training"),
    ):
        assert said in words(run(*command, "-q").err)
    for command in (
        (*grow, *PROMISE, "-d", "new.wct"), ("predict", "m.wct", "new.csv", "-o", "a.csv"),
        ("check", "bare.wct", "new.csv"), ("check", "a.csv", "--scores", *PROMISE),
    ):  # fmt: skip
        assert run(*command, "-q").err == "", command


@pytest.mark.parametrize(("n_groups", "has_class", "code"), [(100, True, 0), (101, True, 1), (101, False, 0)])
def test_a_hundred_groups_are_tested(run, model, n_groups, has_class, code):
    """Of rows whose class is known."""
    frame = frame_of(2, 400).assign(site=[f"s{i % n_groups}" for i in range(400)])
    frame.loc[(frame["site"] == "s100") & (not has_class), "out"] = None
    frame.to_csv("sites.csv", index=False)
    ended = run("check", "m.wct", "sites.csv", "--by", "site")
    assert ended.code == code and ("of at most 100 different values, got 'site' with 101" in words(ended.err)) == code


# ---- summaries ----


def test_shares_of_many_answers_are_told_from_all_and_none(said):
    n = 30_000
    train = pd.DataFrame({"x": np.arange(n) % 2, "out": np.where(np.arange(n) % 2, "yes", "no")})
    train.to_csv("plain.csv", index=False)
    for name, turned in (("one.csv", slice(0, 1)), ("most.csv", slice(1, n)), ("all.csv", slice(0, n))):
        out = train["out"].copy()
        out[turned] = np.where(out[turned] == "yes", "no", "yes")
        train.assign(out=out).to_csv(name, index=False)
    grow = ("predict", "-t", "plain.csv", "--learner", "CART", "--below", "0.5", "-o", "o.csv")
    assert "1 wrong (0.003333 %, interval 8.4e-05 to 0.019 %)" in said(*grow, "-T", "one.csv")
    assert "29999 wrong (99.997 %, interval 99.98 to 99.9999 %)" in said(*grow, "-T", "most.csv")
    assert "30000 wrong (100.00 %, interval 99.99 to 100 %)" in said(*grow, "-T", "all.csv")


def test_answers_for_rows_that_the_model_has_seen_come_with_a_note(said, good, model):
    note = (
        "train.csv: 900 of 900 rows whose class is known grew or calibrated the model, or repeat a row that did, so it"
    )
    assert note in said("predict", "-l", "m.wct", "-T", "train.csv", "-o", "o.csv")
    assert "grew or calibrated" not in said("predict", "-l", "m.wct", "-T", "new.csv", "-o", "o.csv")
    both = said("predict", "-t", "train.csv", *GROW, *PROMISE, "-T", "train.csv", "-o", "o.csv")
    assert note in both and "the tree was grown on" not in both
    pd.concat([frame_of(2, 30), frame_of(1, N)[:9]]).to_csv("some.csv", index=False)
    assert "some.csv: 9 of 39 rows whose class is known" in said(
        "predict", "-l", "m.wct", "-T", "some.csv", "-o", "o.csv"
    )
    frame_of(1, N).drop(columns="out").to_csv("unlabelled.csv", index=False)
    assert "grew or calibrated" not in said("predict", "-l", "m.wct", "-T", "unlabelled.csv", "-o", "o.csv")
    wc.Model(model.method, choice=model.choice).save("bare.wct")
    unknown = (
        "the model keeps no digests of the rows that grew and calibrated it, so it cannot tell whether train.csv holds"
    )
    assert unknown in said("predict", "-l", "bare.wct", "-T", "train.csv", "-o", "o.csv")
    assert "digests" not in said("predict", "-l", "bare.wct", "-T", "unlabelled.csv", "-o", "o.csv")


def test_digests_of_rows_are_told_of_and_can_be_left_out(good, said, model):
    took_part = f"digests of {len(model.seen.digests)} rows, by which whoever has a row can ask whether it took part"
    assert took_part in words(good("show", "m.wct"))
    said("fit", "train.csv", *GROW, *PROMISE, "-d", "private.wct", "--no-summary")
    assert "digests" not in good("show", "private.wct") and not len(wc.load("private.wct").seen.digests)
    told = said("predict", "private.wct", "train.csv", "-o", "o.csv")
    assert "keeps no digests" in told and "with confidence 90 %, at most 20 % of the answers" in told


def test_a_class_without_a_promise_is_told_in_its_line(said, good):
    told = said("predict", "-t", "train.csv", *GROW, "--target-error", "no=0.25", "--confidence", "0.9", "-d", "m.wct",
                "-T", "new.csv", "-o", "o.csv")  # fmt: skip
    assert re.search(r"\byes: \d+ answered, 0 rejected; [^:]+; without a promise (no|\d+|the)\b", told)
    assert not re.search(r"\bno: \d+ answered[^:]+without a promise", told)
    again = said("predict", "-l", "m.wct", "-T", "new.csv", "-o", "o.csv")
    summary, threshold, figures = again.rpartition("threshold ")
    assert told.endswith(summary.strip()) and threshold + figures in told  # as when it was made
    assert again.count("at most 25 % of the answers 'no' given are wrong") == 1
    assert "without a promise" not in said(
        "predict", "-t", "train.csv", *GROW, *PROMISE, "-T", "new.csv", "-o", "o.csv"
    )


def test_a_refusal_is_no_note_that_a_quiet_call_hides(said, run):
    refused = ("predict", "-t", "train.csv", *GROW, "--confidence", "0.9", "-T", "new.csv", "-o", "o.csv", "-q")
    assert "it cannot be shown with confidence 90 % that at most 0.1 % of the answers are wrong, so all" in said(
        *refused, "--target-error", "0.001"
    )
    assert said(*refused, "--target-error", "0.3") == ""
    aim = ("--target-error", "0", "-d", "m.wct")
    ended = run("predict", "-t", "train.csv", *GROW, *aim, "-T", "new.csv", "-o", "o.csv", "-q")
    assert "no threshold reaches the aim (error at most 0 %)" in words(ended.err)
    assert said("predict", "m.wct", "new.csv", "-o", "o.csv", "-q") == ""
    told = said("predict", "-t", "train.csv", *GROW, "--keep", "0.9", "--threshold-from", "training", "-d", "m.wct")
    assert "threshold 0." in told and "; on the training rows it keeps 9" in told
    assert "wanted: keep" in told and "wanted: keep" not in said("predict", "m.wct", "new.csv", "-o", "o.csv")


# ---- mean costs ----

COST = ("--target-cost", "0.9", "--confidence", "0.9", "--cost", "4:1")


def test_a_mean_cost_is_promised_answered_shown_and_checked(good, run, said):
    told = said("predict", "-t", "train.csv", *GROW, *COST, "-T", "new.csv", "-o", "o.csv", "-d", "m.wct")
    data = wc.Dataset.from_pandas(pd.read_csv("train.csv"))
    held_out = draw_rows(N, 0.3)
    growing = data.take(~held_out)
    aim = wc.Aim("mean_cost", 0.9, 0.9, wc.RejectCosts(4, 1))
    choice = choice_promised(fitted(growing), aim, data.take(held_out), growing, wc.InfoGain().grow)
    model = wc.load("m.wct")
    [promised] = choice.promises
    assert model.choice == choice and choice.is_reached
    sentence = "with confidence 90 %, the mean cost per row is at most 0.9; of 270 calibration rows it answers "
    assert f"{sentence}{promised.answered}, {promised.wrong} of them wrong" in told
    assert sentence in words(good("show", "m.wct"))

    [record] = json.loads(good("check", "m.wct", "new.csv", "--by", "region", "--json"))
    answers = pd.read_csv("o.csv")
    given = answers["rejected"] == "no"
    cost = np.where(given, 4.0 * (answers["error"] == "yes"), 1.0)
    [checked] = record["promises"]
    assert checked["cost"] == pytest.approx(cost.mean()) and checked["answered"] == given.sum()
    by_region = record["by region"]
    assert sum(each["n"] * each["cost"] for each in by_region) == pytest.approx(cost.sum())
    told = words(good("check", "m.wct", "new.csv"))
    assert "mean cost per row" in told and "these rows do not show that the promise is broken" in told
    ended = run("check", "m.wct", "drifted.csv")
    assert ended.code == ExitCode.PROMISE_BROKEN and "the mean cost exceeds the target on these rows (p = " in words(
        ended.out
    )


def test_a_model_tells_costs_and_confidence_of_another_target(good, said, run):
    good("predict", "-t", "train.csv", *GROW, *COST, "-d", "cost.wct")
    good("predict", "-l", "cost.wct", "--target-cost", "0.99", "-d", "other.wct")
    assert wc.load("other.wct").choice.aim == wc.Aim("mean_cost", 0.99, 0.9, wc.RejectCosts(4, 1))
    good("predict", "-t", "train.csv", *GROW, *PROMISE, "-d", "error.wct")
    for model, options, message in (
        ("error.wct", ("--target-cost", "2"), "calibrated for another kind of target (error at most 20 %"),
        ("cost.wct", ("--target-error", "0.1"), "calibrated for another kind of target (mean cost at most 0.9"),
        ("cost.wct", ("--target-cost", "2", "--cost", "4:2"), "--cost: the model was calibrated for "
         "the costs 4:1, and others need another calibration; got 4:2"),
    ):  # fmt: skip
        ended = run("predict", "-l", model, *options, "-d", "x.wct")
        assert ended.code == 1 and message in words(ended.err), ended.err


def test_a_target_of_one_class_keeps_those_of_the_others(good, said):
    good("predict", "-t", "train.csv", *GROW, "--target-error", "no=0.25,yes=0.3", "--confidence", "0.9", "-d", "m.wct")
    told = said("predict", "-l", "m.wct", "--target-error", "yes=0.4", "-d", "other.wct")
    assert "at most 25 % of the answers 'no'" in told and "at most 40 % of the answers 'yes'" in told
    model, other = wc.load("m.wct"), wc.load("other.wct")
    assert other.choice.aim == wc.Aim("error", {"no": 0.25, "yes": 0.4}, 0.9)
    assert other.choice.promises == (model.choice.promises[0], model.choice.promises[1].of_target(0.4))


# ---- rows that choosing a method does not see ----


def test_rows_held_out_are_those_that_calibrate(good):
    share = "0.5"
    is_held_out = draw_rows(N, 0.5)
    frame_of(1, N)[~is_held_out].to_csv("rest.csv", index=False)
    measure = ("--learner", "info_gain", "--method", "m_branch", "-x", "3", "--json")
    [found] = json.loads(good("evaluate", "train.csv", *measure, "--hold-out", share))
    [expected] = json.loads(good("evaluate", "rest.csv", *measure))
    assert found["n_instances"] == expected["n_instances"] == (~is_held_out).sum()
    assert found["pooled"] == expected["pooled"]
    good("predict", "-t", "train.csv", *GROW, *PROMISE, "--calibrate", share, "-d", "m.wct")
    assert wc.load("m.wct").choice.promises[0].n == is_held_out.sum()


def test_rows_held_out_are_told_and_keep_their_names(said, good):
    frame_of(1, N).assign(id=[f"r{i}" for i in range(N)]).to_csv("named.csv", index=False)
    told = said("evaluate", "--rejecting", "named.csv", "--id", "id", *GROW, "-x", "2", "--hold-out", "0.3")
    assert "named.csv: 270 of 900 rows are held out, for --calibrate 0.3" in told
    told = said("compare", "train.csv", "calibration.csv", "--method", "m_branch", "--method", "leaf_frequency",
                "--learner", "info_gain", "-x", "2", "--hold-out", "0.5")  # fmt: skip
    assert "train.csv: 450 of 900" in told and "calibration.csv: 150 of 300" in told


def test_advice_does_not_see_rows_held_out(good, said):
    options = ("--learner", "info_gain", "-x", "2", "--budget", "2s")
    assert "270 of 900 rows are held out" in said("advise", "train.csv", *options, "--hold-out", "0.3")


@pytest.mark.parametrize(("options", "message"), [
    (("--hold-out", "0"), "expected a share of the rows, more than 0 and less than 1, such as 0.3, got '0'"),
    (("--hold-out", "0.3", "--predictions", "p.csv"), "--predictions excludes --hold-out"),
])  # fmt: skip
def test_rows_that_cannot_be_held_out(run, options, message):
    ended = run("evaluate", "train.csv", *GROW, *options)
    assert ended.code == 2 and message in words(ended.err)


# ---- classes that training did not have ----


@pytest.mark.parametrize("ending", ["csv", "arff"])
def test_every_answer_for_an_unknown_class_counts_as_wrong(good, said, run, ending):
    """In rows that calibrate and in rows that check, beside rows without a class, which do not count."""
    calibration, new = frame_of(3, 300), frame_of(2, 400)
    strange = {"calibration": calibration.assign(out=calibration["out"]), "new": new.assign(out=new["out"])}
    for name, frame in strange.items():
        frame.loc[::20, "out"], frame.loc[5:9, "out"] = "perhaps", None
        save(frame, f"strange-{name}.{ending}")
    told = said("predict", "-t", "train.csv", *GROW, *PROMISE, "--calibrate", f"strange-calibration.{ending}", "-d",
                "m.wct")  # fmt: skip
    note = "value 'perhaps' of 'out' was not seen in training ('no', 'yes'); {} such values are kept as unknown, and"
    assert f"strange-calibration.{ending}, row 1: {note.format(15)}" in told
    model = wc.load("m.wct")
    [promised] = model.choice.promises
    rows = read_like(calibration, model)
    is_strange, is_counted = np.arange(300) % 20 == 0, ~np.isin(np.arange(300), range(5, 10))
    is_wrong = (model.predict(rows) != rows.class_values) | is_strange
    is_given = model.certainty(rows) >= promised.threshold
    assert (promised.n, promised.n_wrong) == (is_counted.sum(), (is_wrong & is_counted).sum())
    assert (promised.answered, promised.wrong) == tuple(
        (is_given & is_counted & mask).sum() for mask in (True, is_wrong)
    )

    ended = run("check", "m.wct", f"strange-new.{ending}", "--json")
    assert note.format(20) in words(ended.err)
    [checked] = json.loads(ended.out)[0]["promises"]
    rows = read_like(new, model)
    is_counted = ~np.isin(np.arange(400), range(5, 10))
    is_given = ~model.reject(rows) & is_counted
    is_wrong = (model.predict(rows) != rows.class_values) | (np.arange(400) % 20 == 0)
    assert (checked["n"], checked["answered"], checked["wrong"]) == (395, is_given.sum(), (is_given & is_wrong).sum())


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_class_called_na_counts_and_rows_without_a_class_are_told(good, run, ending):
    frame_of(1, N).replace({"out": {"no": "NA"}}).to_parquet("train.parquet")
    good("fit", "train.parquet", *GROW, *PROMISE, "-d", "m.wct")
    frame = frame_of(4, 400, noise=0.45).replace({"out": {"no": "NA"}})
    frame.loc[:6, "out"] = None
    save(frame, f"new.{ending}")
    assert "7 further rows have no class yet: " in words(run("check", "m.wct", f"new.{ending}").out)
    ended = run("check", "m.wct", f"new.{ending}", "--json")
    [record] = json.loads(ended.out)
    assert (record["n_without_class"], record["promises"][0]["n"], ended.code) == (7, 393, ExitCode.PROMISE_BROKEN)
    assert "left out" not in ended.err
    assert "no class" not in run("check", "m.wct", "train.parquet").out


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_the_group_called_na_is_missing_unless_it_is_declared(good, run, ending):
    na = {"region": {"north": "NA"}, "note": {"a": "NA"}}
    frame_of(1, N).replace(na).to_parquet("train.parquet")
    good("fit", "train.parquet", *GROW, *PROMISE, "-d", "m.wct")
    save(frame_of(2, 400).assign(note=["a", "b", " ? ", "b"] * 100).replace(na), f"new.{ending}")
    for column, groups in (("region", {"NA", "south"}), ("note", {"(missing)", "b"})):
        [record] = json.loads(run("check", "m.wct", f"new.{ending}", "--by", column, "--json").out)
        assert {group["name"] for group in record[f"by by {column}"[3:]]} == groups


def save(frame, path):
    writers = {".csv": "to_csv", ".xlsx": "to_excel", ".parquet": "to_parquet"}
    if (writer := writers.get(Path(path).suffix)) is not None:
        getattr(frame, writer)(path, index=False)
    else:
        wc.save_arff(path, wc.Dataset.from_pandas(frame))


def read_like(frame, model):
    return wc.Dataset.from_pandas(frame, header=model.header)


def test_rows_of_unknown_classes_alone_can_be_checked(run, model):
    frame_of(2, 400).assign(out="perhaps").to_csv("strange.csv", index=False)
    ended = run("check", "m.wct", "strange.csv")
    assert ended.code == ExitCode.PROMISE_BROKEN and "(100.00 %, interval" in words(ended.out)
