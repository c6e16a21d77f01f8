"""Rejecting on the command line: open sets, thresholds, curves and reasons, as a user meets them."""

import json
import math
import re

import numpy as np
import pytest
from support.command_line import ARFF
from support.csv_rows import rows_of

import wekaconf as wc
from wekaconf.cli.fit import say_threshold
from wekaconf.evaluation.measures import Figures
from wekaconf.evaluation.protocol import draw_known
from wekaconf.evaluation.thresholds import Choice
from wekaconf.evaluation.thresholds._choice import Reachable
from wekaconf.model.facts import facts_of
from wekaconf.report._reject_tables import in_digits

IRIS, WINE, COINS, CREDIT = (ARFF / f"{name}.arff" for name in ("iris", "wine", "coins", "credit-g"))


# -- open sets -----------------------------------------------------------------------------------------------------


def test_known_classes_by_name(good):
    out = good("evaluate", IRIS, "--method", "id3_sd:alpha=0.05", "--known", "setosa,virginica")
    assert out.startswith("J48 -U -M 1 of Weka")
    assert "open set, known: setosa, virginica" in out
    assert re.search(r"versicolor \(unknown\) +50 +0\.0 ", out)
    [record] = json.loads(
        good("evaluate", IRIS, "--method", "id3_sd:alpha=0.05", "--known", "virginica, setosa", "--json")
    )
    assert record["known"] == [["virginica", "setosa"]]
    outcomes = {row["class_name"]: row for row in record["outcomes"]}
    assert [outcomes[name]["is_foreign"] for name in ("setosa", "versicolor", "virginica")] == [False, True, False]
    assert outcomes["versicolor"]["correct"] == 0 and outcomes["versicolor"]["rejected"] > 60
    assert record["reject"]["auroc_known"] > 0.8
    assert record["reject"]["n"] == 100


def test_the_paper_s_protocol(good):
    """Half of each class trains: 2 × 25; all 3 × 25 others are answered."""
    command = ["evaluate", IRIS, "--known", "setosa,virginica", "--split", "0.5", "--stratified", "--runs", "3"]
    [record] = json.loads(good(*command, "--method", "id3_max", "--json"))
    assert record["reject"]["n"] == 50
    assert {row["class_name"]: row["n"] for row in record["outcomes"]} == dict.fromkeys(
        ("setosa", "versicolor", "virginica"), 75
    )


@pytest.mark.parametrize(("share", "n_foreign"), [("half", 7), ("one", 1)])
def test_leave_out_draws_by_the_seed_of_each_run(good, share, n_foreign):
    command = ["evaluate", COINS, "--method", "id3_sd", "--leave-out", share, "-x", "2", "--runs", "3", "--json"]
    [record] = json.loads(good(*command))
    data = wc.load_arff(COINS)
    assert record["known"] == [list(draw_known(data, share, seed)) for seed in (1, 2, 3)]
    assert len({tuple(names) for names in record["known"]}) > 1
    assert all(len(names) == 14 - n_foreign for names in record["known"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--known", "setosa"], "known: a tree needs at least 2 classes, got 'setosa'"),
        (["--known", "setosa,versicolor,virginica"], "has no instance of another class, so the set is not open"),
        (["--leave-out", "one", "--preprocess", "wang2006"], "so write --preprocess wang2006:per-fold"),
        (["--keep", "0.9", "--below", "0.5"], "--below excludes --keep"),
        (["--keep", "0.9", "--threshold-from", "moon"], "'moon' is not one of"),
    ],
)
def test_open_sets_and_aims_that_make_no_sense(complaint, options, message):
    assert message in complaint("evaluate", IRIS, "--method", "id3_sd", *options)


def test_open_set_with_preprocessing_and_a_test_file(good):
    out = good("evaluate", IRIS, "-T", IRIS, "--known", "setosa,virginica", "--method", "id3_max",
               "--preprocess", "wang2006:per-fold", "--json")  # fmt: skip
    [record] = json.loads(out)
    assert record["reject"]["n"] == 100 and record["reject"]["outcomes"]["foreign"]["n"] == 50


# -- what is said of a threshold ------------------------------------------------------------------------------------


AIM = wc.Aim("error", 0.05)
NOTHING = Figures(0.0, 0.0, 20.0, 20.0)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (
            Choice(AIM, 0.8125, Figures(29.0, 1.0, 5.0, 5.0), is_reached=True),
            "threshold 0.8125, wanted: error at most 5 %; out of fold it keeps 85.3 % of the correct, answers 75.0 % "
            "and errs in 3.33 % of its answers: 1 wrong of 30. Even for a threshold fixed beforehand, an error of up "
            "to 14.9 % could not be excluded at the 95 % level, and this threshold was chosen on these rows; "
            "--confidence makes a promise",
        ),
        (
            Choice(AIM, 2 / 3, Figures(29.5, 1.5, 4.0, 5.0), is_reached=True),
            "threshold 0.666667, wanted: error at most 5 %; out of fold it keeps 88.1 % of the correct, answers 77.5 % "
            "and errs in 4.84 % of its answers",
        ),
        (
            Choice(wc.Aim("keep", 0.85), 0.5, Figures(29.0, 1.0, 5.0, 5.0), is_reached=True),
            "threshold 0.5, wanted: keep 85 % of the correct; out of fold it keeps 85.3 % of the correct, answers "
            "75.0 % and errs in 3.33 % of its answers: 1 wrong of 30",
        ),
        (
            Choice(AIM, math.inf, NOTHING, is_reached=True),
            "threshold inf, wanted: error at most 5 %; out of fold it rejects everything",
        ),
        (
            Choice(AIM, math.inf, NOTHING, is_reached=False),
            "no threshold reaches the aim (error at most 5 %) out of fold, so everything is rejected",
        ),
        (
            Choice(
                AIM, math.inf, NOTHING, is_reached=False, reachable=Reachable(2 / 3, Figures(15.0, 5.0, 10.0, 10.0))
            ),
            "no threshold reaches the aim (error at most 5 %), so everything is rejected; best out of fold: 25 % at "
            "coverage 50 %, with --below 0.666666",
        ),
        (Choice(wc.Aim("below", 0.5), 0.5, Figures(29.0, 1.0, 5.0, 5.0), is_reached=True), ""),
        (None, ""),
    ],
)
def test_what_is_said_of_a_threshold(capsys, choice, said):
    say_threshold(choice, "out-of-fold", ("a", "b"))
    assert " ".join(capsys.readouterr().err.split()) == said


@pytest.mark.parametrize(
    ("threshold", "text"),
    [
        (0.0, "0.0"),
        (math.inf, "inf"),
        (0.9999996, "0.999999"),
        (1.0, "1"),
        (0.01234567, "0.0123456"),
        (12.34567, "12.3456"),
    ],
)
def test_six_digits_of_a_threshold_are_rounded_down(threshold, text):
    assert in_digits(threshold) == text


@pytest.mark.parametrize(
    ("certainty", "aim", "words"),
    [
        ([], {"below": 0.5}, "0.5, as given"),
        ([0.4, 0.6], {"below": 0.7}, "0.7, as given; when it was chosen it rejected everything"),
        (
            [0.4, 0.6],
            {"keep": 1},
            "0.6, wanted: keep 100 % of the correct; when it was chosen it answered 50.0 %, kept",
        ),
    ],
)
def test_a_model_says_how_its_threshold_was_chosen(wine, certainty, aim, words):
    choice = wc.choose_threshold(certainty, np.array([False, True])[: len(certainty)], **aim)
    model = wc.Model(wc.LeafFrequency().fit(wc.CART().grow(wine), wine), choice=choice)
    assert facts_of(model)["threshold"].partition(" 100.0 %")[0] == words


@pytest.mark.parametrize(
    ("path", "learner", "method"), [(IRIS, "CART", "boundary_distance"), (CREDIT, "RandomTree -U", "leaf_frequency")]
)
def test_the_metric_and_the_table_agree(good, path, learner, method):
    """Distances that differ in the last digit tie; an instance left unclassified is a wrong answer."""
    chosen = ["--learner", learner, "--method", method, "--below", "0.8"]
    [record] = json.loads(good("evaluate", path, *chosen, "--json"))
    found = record["reject"]
    assert found["auroc_correct"] == record["pooled"]["auc_reliability"]
    assert 100 * (1 - found["error_without_rejecting"]) == pytest.approx(record["pooled"]["percent_correct"], abs=1e-9)
    of_classes = sum(row["n"] * row["correct"] for row in record["outcomes"]) / 100
    assert of_classes == pytest.approx(found["correct"], abs=1e-9)


# -- predict and tree ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [None, ("setosa", "virginica")])
def test_a_summary_is_what_evaluate_prints(good, known):
    options = [] if known is None else ["--known", ",".join(known)]
    found = wc.evaluate(wc.load_arff(IRIS), ["id3_max"], protocol=wc.Protocol(folds=3, known=known), name="iris")
    assert found.summary() == good("evaluate", IRIS, "-x", 3, "--method", "id3_max", *options)


def test_predict_refuses_to_choose_on_a_model(refused, good):
    good("predict", "-t", WINE, "-T", WINE, "-d", "m.wct", "-o", "out.csv")
    for options, message in (
        (["--keep", "0.9"], "a threshold must be given with --below"),
        (["--threshold-from", "training"], "--threshold-from belongs to --keep"),
    ):
        assert message in refused("predict", "-l", "m.wct", "-T", WINE, *options, codes=(2,))


def test_what_cannot_be_reached_is_said(run):
    ended = run("predict", "-t", CREDIT, "-T", CREDIT, "--target-error", "0")
    assert ended.code == 0
    told = re.match(
        r"no threshold reaches the aim \(error at most 0 %\), so everything is rejected; best out of fold: "
        r"([\d.]+) % at coverage ([\d.]+) %, with --below ([\d.]+)",
        " ".join(ended.err.split()),
    )
    assert max(map(len, ended.err.splitlines())) <= 80
    assert 0 < float(told.group(1)) < 30 and 0 < float(told.group(2)) < 100
    below = run("predict", "-t", CREDIT, "-T", CREDIT, "--below", told.group(3))
    assert 0 < [row["rejected"] for row in rows_of(below.out)].count("no") < 1000


# -- the paper's figures -------------------------------------------------------------------------------------------


@pytest.mark.uci
@pytest.mark.parametrize(
    ("options", "aim", "expected"),
    [
        (
            "leaves=7",
            ["--keep", "0.93", "--threshold-from", "training"],
            {"wrong": 14, "accepted": 644, "rejected": 55, "all": 23},
        ),
        ("leaves=4", ["--below", "0.7072"], {"wrong": 13, "accepted": 610, "rejected": 89, "all": 34}),
    ],
)  # fmt: skip
def test_breast_cancer_of_toth_and_pataki(good, uci, options, aim, expected):
    """Published: 23 and 33 of 699 wrong; 8 % rejected and 2 % wrong, 12.7 % rejected and 1.5 % wrong."""
    path = uci / "breast-w.arff"
    [record] = json.loads(good("evaluate", path, "-T", path, "--preprocess", "median",
                            "--learner", f"CART {options}", "--method", "boundary_distance", *aim,
                            "--json"))  # fmt: skip
    found = record["reject"]
    assert found["wrong"] + found["rejected_wrong"] == expected.pop("all")
    assert {name: found[name] for name in expected} == expected
