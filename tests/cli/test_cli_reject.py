"""Rejecting on the command line: open sets, thresholds, curves and reasons, as a user meets them."""

import json
import math
import re

import matplotlib.image
import numpy as np
import pytest
from support.command_line import ARFF
from support.csv_rows import rows_in, rows_of

import wekaconf as wc
from wekaconf.cli.fitting import say_threshold
from wekaconf.data.arff import save_arff
from wekaconf.evaluation.measures import Figures
from wekaconf.evaluation.protocol import draw_known
from wekaconf.evaluation.thresholds import Choice
from wekaconf.evaluation.thresholds._choice import Reachable
from wekaconf.model.facts import facts_of
from wekaconf.report._reject_tables import in_digits
from wekaconf.report.trees import render_text

IRIS, WINE, WDBC, COINS, CREDIT = (ARFF / f"{name}.arff" for name in ("iris", "wine", "wdbc", "coins", "credit-g"))


def records(text):
    return json.loads(text)


# -- open sets -----------------------------------------------------------------------------------------------------


def test_known_classes_by_name(good):
    out = good("evaluate", IRIS, "--method", "id3_sd:alpha=0.05", "--known", "setosa,virginica")
    assert out.startswith("J48 -U -M 1 of Weka")
    assert "open set, known: setosa, virginica" in out
    assert re.search(r"versicolor \(unknown\) +50 +0\.0 ", out)
    [record] = records(
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
    [record] = records(good(*command, "--method", "id3_max", "--json"))
    assert record["reject"]["n"] == 50
    assert {row["class_name"]: row["n"] for row in record["outcomes"]} == dict.fromkeys(
        ("setosa", "versicolor", "virginica"), 75
    )


@pytest.mark.parametrize(("share", "n_foreign"), [("half", 7), ("one", 1)])
def test_leave_out_draws_by_the_seed_of_each_run(good, share, n_foreign):
    command = ["evaluate", COINS, "--method", "id3_sd", "--leave-out", share, "-x", "2", "--runs", "3", "--json"]
    [record] = records(good(*command))
    data = wc.load_arff(COINS)
    assert record["known"] == [list(draw_known(data, share, seed)) for seed in (1, 2, 3)]
    assert len({tuple(names) for names in record["known"]}) > 1
    assert all(len(names) == 14 - n_foreign for names in record["known"])
    assert [record] == records(good(*command))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--known", "setosa"], "known: a tree needs at least 2 classes, got 'setosa'"),
        (["--known", ""], "known: a tree needs at least 2 classes, got none"),
        (["--known", "setosa,versicolor,virginica"], "has no instance of another class, so the set is not open"),
        (["--known", "setosa,virginica", "--leave-out", "one"], "--known and --leave-out exclude each other"),
        (["--leave-out", "one", "-T", IRIS], "-T excludes --leave-out"),
        (["--leave-out", "one", "--preprocess", "wang2006"], "so write --preprocess wang2006:per-fold"),
    ],
)
def test_open_sets_that_make_no_sense(complaint, options, message):
    assert message in complaint("evaluate", IRIS, "--method", "id3_sd", *options)


def test_too_few_classes_to_leave_one_out(refused):
    said = "has instances of 2 classes; without one of them 1 would be known, and a tree needs 2"
    assert said in refused("evaluate", WDBC, "--leave-out", "one")


def test_open_set_with_preprocessing_and_a_test_file(good):
    out = good("evaluate", IRIS, "-T", IRIS, "--known", "setosa,virginica", "--method", "id3_max",
               "--preprocess", "wang2006:per-fold", "--json")  # fmt: skip
    [record] = records(out)
    assert record["reject"]["n"] == 100 and record["reject"]["outcomes"]["foreign"]["n"] == 50


def test_whole_set_of_known_classes_trains_as_alone(good, tmp_path, iris):
    """What is measured over known instances is what a file without the others gives, trained on the same rows."""
    kept = iris.take(iris.class_values != 1)
    save_arff(tmp_path / "two.arff", kept.with_known_classes([0, 2]))
    command = ["-T", tmp_path / "two.arff", "--method", "id3_sd", "--json"]
    [alone] = records(good("evaluate", tmp_path / "two.arff", *command))
    save_arff(tmp_path / "all.arff", iris)
    [open_] = records(good("evaluate", tmp_path / "all.arff", "--known", "setosa,virginica", "-T",
                           tmp_path / "all.arff", "--method", "id3_sd", "--json"))  # fmt: skip
    assert open_["pooled"] == alone["pooled"]
    assert open_["reject"]["aurc"] == alone["reject"]["aurc"]


# -- the learner that a method names -------------------------------------------------------------------------------


def test_methods_name_their_learner(good, run):
    own = {"id3_sd": ("J48", "-U -M 1"), "id3_max": ("J48", "-U -M 1"), "leaf_frequency": ("J48", "")}
    for methods in (["id3_sd"], list(own), ["leaf_frequency"]):
        chosen = [word for method in methods for word in ("--method", method)]
        found = records(good("evaluate", IRIS, *chosen, "-x", "2", "--json"))
        assert [(record["learner"], record["options"]) for record in found] == [own[method] for method in methods]
    [record] = records(good("evaluate", IRIS, "--method", "id3_sd", "--learner", "J48 -M 5", "-x", "2", "--json"))
    assert record["options"] == "-M 5"


# -- what is said of a threshold ------------------------------------------------------------------------------------


AIM = wc.Aim("error", 0.05)
NOTHING = Figures(0.0, 0.0, 20.0, 20.0)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (
            Choice(AIM, 0.8125, Figures(29.0, 1.0, 5.0, 5.0), is_reached=True),
            "threshold 0.8125, wanted: error at most 5 %; out of fold it keeps 85.3 % of the correct, answers 75.0 % "
            "and errs in 3.33 % of its answers: 1 wrong of 30. Even for a threshold fixed beforehand, up to 14.9 % "
            "could not be excluded at the 95 % level, and this one was chosen on these rows; --confidence makes a "
            "promise",
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


# -- thresholds ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "aim", "name", "reached"),
    [
        ("--keep", "0.9", "kept_correct", lambda share: share >= 0.9),
        ("--target-coverage", "0.8", "coverage", lambda share: share >= 0.8),
        ("--target-error", "0.04", "error", lambda share: share <= 0.04),
    ],
)
@pytest.mark.parametrize("where", ["training", "out-of-fold"])
def test_aims_are_reached_where_they_are_chosen(good, option, aim, name, reached, where):
    command = ["evaluate", WINE, "--learner", "CART", "--method", "boundary_distance:scaling=minmax", option, aim]
    [record] = records(good(*command, "--threshold-from", where, "-x", "3", "--json"))
    assert record["threshold_from"] == where
    assert reached(record["reject"]["chosen"][name])
    out = good(*command, "--threshold-from", where, "-x", "3")
    assert ("chosen on training rows" if where == "training" else "chosen out of fold") in out
    reached_where = "on the training rows" if where == "training" else "out of fold"
    assert re.search(rf"^ +Threshold, chosen {reached_where}$", out, re.MULTILINE)


def test_fixed_and_cost_thresholds(good):
    [record] = records(good("evaluate", WINE, "--below", "0.8", "-x", "3", "--json"))
    chosen = record["reject"]["chosen"]
    assert (chosen["threshold_min"], chosen["threshold_max"]) == (0.8, 0.8)
    assert record["threshold_from"] is None
    [record] = records(good("evaluate", WINE, "--cost", "10:1", "-x", "3", "--json"))
    assert record["aim"] == "error costs 10, rejection 1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--keep", "0.9", "--below", "0.5"], "--below excludes --keep"),
        (["--cost", "1"], "--cost expects the cost of an error and that of a rejection, such as 10:1"),
        (["--keep", "0.9", "--threshold-from", "moon"], "'moon' is not one of"),
    ],
)
def test_aims_that_make_no_sense(complaint, options, message):
    assert message in complaint("evaluate", WINE, *options)


def test_keeping_all_and_nothing(good):
    for keep, coverage in (("1", None), ("0", 0)):
        [record] = records(good("evaluate", WINE, "--keep", keep, "-x", "3", "--json"))
        if coverage is None:
            assert record["reject"]["chosen"]["kept_correct"] == 1
        else:
            assert record["reject"]["coverage"] == coverage and record["reject"]["error"] is None
        assert "nan" not in good("evaluate", WINE, "--keep", keep, "-x", "3").lower()


def test_a_threshold_that_answers_nothing(run, write):
    ended = run("predict", "-t", WINE, "-T", WINE, "--learner", "CART", "--keep", "0", "-o", "o.csv")
    said = " ".join(ended.err.split())
    assert "threshold inf, wanted: keep 0 % of the correct; out of fold it rejects everything" in said
    assert "Even for a threshold fixed beforehand" not in said
    two = write("x,c\n1,a\n1,b\n")  # a tree on one of them is wrong about the other
    ended = run("predict", "-t", two, "-T", two, "--learner", "CART", "--keep", "0.9", "-o", "o.csv")
    said = " ".join(ended.err.split())
    assert "no threshold reaches the aim (keep 90 % of the correct) out of fold, so everything is rejected" in said


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


def test_counts_exclude_an_error_only_where_an_error_was_wanted(run):
    for aim, is_told in ((["--keep", "0.9"], False), (["--target-error", "0.1"], True)):
        ended = run("predict", "-t", WINE, "-T", WINE, "--learner", "CART", *aim, "-o", "o.csv")
        said = " ".join(ended.err.split())
        assert re.search(r"of its answers: \d+ wrong of \d+", said), said
        assert ("Even for a threshold fixed beforehand" in said) == is_told


# -- reject --------------------------------------------------------------------------------------------------------


def test_reject_writes_curves_and_picture(good, tmp_path):
    out = good("evaluate", "--rejecting", WINE, "--method", "leaf_frequency", "--method", "confdtree", "-x", "3",
               "--risk-coverage", "rc.csv", "--risk-coverage", "rc.png")  # fmt: skip
    rows = rows_in(tmp_path / "rc.csv")
    assert {row["method"] for row in rows} == {"leaf_frequency", "confdtree"}
    for name in ("leaf_frequency", "confdtree"):
        own = [{key: float(row[key]) for key in row if key != "method"} for row in rows if row["method"] == name]
        assert own[-1]["coverage"] == own[-1]["kept_correct"] == 1
        assert np.all(np.diff([row["coverage"] for row in own]) > 0)
        assert np.all(np.diff([row["threshold"] for row in own]) < 0)
    record = records(good("evaluate", "--rejecting", WINE, "--method", "confdtree", "-x", "3", "--json"))[0]
    assert own[-1]["risk"] == pytest.approx(1 - record["pooled"]["percent_correct"] / 100)
    assert f"{record['reject']['aurc']:.4f}" in out
    assert f"{100 * record['reject']['error_at']['0.9']:.2f}" in out
    assert matplotlib.image.imread(tmp_path / "rc.png").shape[1] > 1000


@pytest.mark.parametrize(
    ("path", "learner", "method"),
    [(IRIS, "CART", "boundary_distance"), (CREDIT, "RandomTree -U", "leaf_frequency")],
)
def test_the_metric_and_the_table_agree(good, path, learner, method):
    """Distances that differ in the last digit tie; an instance left unclassified is a wrong answer."""
    chosen = ["--learner", learner, "--method", method, "--below", "0.8"]
    [record] = records(good("evaluate", path, *chosen, "--json"))
    found = record["reject"]
    assert found["auroc_correct"] == record["pooled"]["auc_reliability"]
    assert 100 * (1 - found["error_without_rejecting"]) == pytest.approx(record["pooled"]["percent_correct"], abs=1e-9)
    of_classes = sum(row["n"] * row["correct"] for row in record["outcomes"]) / 100
    assert of_classes == pytest.approx(found["correct"], abs=1e-9)


def test_reject_takes_every_method(good):
    methods = sorted(wc.available_methods())
    options = [word for name in methods for word in ("--method", name)]
    options += ["-x", "2", "--learner", "info_gain", "--preprocess", "wang2006"]
    out = good("evaluate", "--rejecting", WINE, *options)
    assert all(re.search(rf"^ +{name} ", out, re.MULTILINE) for name in methods)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--risk-coverage", "rc.gif"], ".png"),
        (["--risk-coverage", "no/rc.png"], "there is no folder"),
        (["--risk-coverage", "rc.csv", "--records", "rc.csv"], "would overwrite"),
        (["--method", "confdtree", "--method", "confdtree"], "given twice"),
    ],
)
def test_reject_refusals(complaint, tmp_path, options, message):
    assert message in complaint("evaluate", "--rejecting", WINE, *options)
    assert list(tmp_path.iterdir()) == []


# -- predict and tree ----------------------------------------------------------------------------------------------


def test_predict_tells_the_reason(good, iris):
    fitted = wc.method("id3_sd", alpha=0.1).fit(wc.grow(iris, options="-U -M 1"), iris)
    rows = rows_of(good("predict", "-t", IRIS, "-T", IRIS, "--method", "id3_sd:alpha=0.1"))
    assert [row["rejected"] == "yes" for row in rows] == fitted.reject(iris).tolist()
    rejected = [i for i, row in enumerate(rows) if row["rejected"] == "yes"]
    assert 10 < len(rejected) < 100
    assert [row["reason"] for row in rows] == list(fitted.answer(iris).reasons)
    outside = r"(sepal|petal) (length|width) \(cm\) [\d.]+ lies outside [\d.]+–[\d.]+, the limits at its leaf"
    assert [re.search(f": {outside}", row["reason"]) is not None for row in rows] == [
        row["rejected"] == "yes" for row in rows
    ]


def test_predict_with_a_chosen_threshold(good, run, tmp_path):
    ended = run("predict", "-t", WINE, "-T", WINE, "--keep", "0.9", "-o", "out.arff", "-d", "m.wct")
    assert ended.code == 0, ended.err
    told = re.search(
        r"threshold ([\d.]+), wanted: keep 90 % of the correct; out of fold it keeps ([\d.]+) %",
        " ".join(ended.err.split()),
    )
    assert max(map(len, ended.err.splitlines())) <= 80
    assert float(told.group(2)) >= 90
    rows = rows_of(good("predict", "-l", "m.wct", "-T", WINE, "--below", told.group(1)))
    table = wc.load_arff(tmp_path / "out.arff", class_attribute=None)
    names = [attribute.name for attribute in table.attributes]
    assert names[:4] == ["index", "actual", "rejected", "predicted"] and names[-2:] == ["reason", "outside"]
    is_rejected = table.values[:, 2] == 1
    assert [row["rejected"] == "yes" for row in rows] == is_rejected.tolist()
    lead = {
        "yes": r"rejected, refer to a human; class_\d \([\d.]+ %\) would be the answer, but the certainty [\d.]+ is "
        rf"below the threshold {told.group(1)}",
        "no": r"answered class_\d \([\d.]+ %\)",
    }
    leaf = r": leaf of [\d.]+ training instances?, "
    assert all(re.match(lead[row["rejected"]] + leaf, row["reason"]) for row in rows)
    answered = table.values[~is_rejected]
    wrong = int(answered[:, names.index("error")].sum())
    lines = re.sub(r"\n  (?=\S)", " ", ended.err).splitlines()
    said = next(line for line in lines if line.startswith("out.arff"))
    assert said.startswith(
        f"out.arff: {len(answered)} of 178 rows answered, {178 - len(answered)} rejected; {wrong} wrong "
        f"({100 * wrong / len(answered):.2f} %, interval "
    )
    nothing = run("predict", "-t", WINE, "-T", WINE, "--below", "inf", "-o", "none.csv")
    assert "none.csv: 0 of 178 rows answered, 178 rejected" in nothing.err.splitlines()
    assert "wanted" not in nothing.err  # a threshold that is given is not chosen


@pytest.mark.parametrize("known", [None, ("setosa", "virginica")])
def test_a_summary_is_what_evaluate_prints(good, known):
    options = [] if known is None else ["--known", ",".join(known)]
    found = wc.evaluate(wc.load_arff(IRIS), ["id3_max"], protocol=wc.Protocol(folds=3, known=known), name="iris")
    assert found.summary() == good("evaluate", IRIS, "-x", 3, "--method", "id3_max", *options)


@pytest.mark.parametrize("known", [None, ("setosa", "virginica")])
def test_answers_of_each_predicted_class_are_told(good, known):
    """Counted by hand from the answers; of foreign classes every answer is wrong."""
    protocol = wc.Protocol(folds=3, known=known, aim=wc.Aim("keep", 0.9))
    [(record, answers)] = wc.evaluate(wc.load_arff(IRIS), ["m_branch"], protocol=protocol, name="iris").results
    options = ["-x", 3, "--method", "m_branch", "--keep", 0.9, *([] if known is None else ["--known", ",".join(known)])]
    [printed] = records(good("evaluate", IRIS, *options, "--json"))
    assert printed["predicted"] == record["predicted"]
    assert [row["class_name"] for row in record["predicted"]] == ["setosa", "versicolor", "virginica"]
    for place, row in enumerate(record["predicted"]):
        given = (answers.predicted == place) & (answers.certainty >= answers.threshold)
        wrong = given & (answers.is_foreign | (answers.actual != place))
        assert (row["answered"], row["wrong"]) == (given.sum(), wrong.sum())
        assert row["rejected"] == (answers.predicted == place).sum() - given.sum()
    text = good("evaluate", IRIS, *options)
    below = text[text.index("Of each predicted class") :].partition("\n\nm_branch on iris")[0]
    assert ("versicolor" in below) == (known is None)
    assert "never answers" not in text
    assert "predicted" not in records(good("evaluate", IRIS, "-x", 3, "--method", "m_branch", "--json"))[0]


def test_predict_without_a_threshold_is_as_ever(good):
    assert "rejected" not in rows_of(good("predict", "-t", WINE, "-T", WINE))[0]


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


def test_tree_with_limits(good, refused, iris):
    fitted = wc.method("id3_max").fit(wc.grow(iris, options="-U -M 1"), iris)
    assert good("tree", IRIS, "--method", "id3_max") == render_text(fitted.tree_, annotate=fitted.annotation)
    for form in ("dot", "json"):
        assert "sepal length" in good("tree", IRIS, "--method", "id3_max", "--format", form)
    said = refused("tree", IRIS, "--method", "wpe", codes=(2,))
    assert (
        "wpe adds nothing to the nodes of a tree; these do: confdtree, curtailment, id3_max, id3_sd, m_branch" in said
    )


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
    [record] = records(good("evaluate", path, "-T", path, "--preprocess", "median",
                            "--learner", f"CART {options}", "--method", "boundary_distance", *aim,
                            "--json"))  # fmt: skip
    found = record["reject"]
    assert found["wrong"] + found["rejected_wrong"] == expected.pop("all")
    assert {name: found[name] for name in expected} == expected
