"""`Scores`: thresholds and promises of any classifier, as those of a model where the answers are the same."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import wekaconf as wc
from wekaconf.base.errors import NotReached, OptionError, TableError
from wekaconf.evaluation.thresholds import AnsweredRows, choose, choose_promised
from wekaconf.model.scores import read_scores

PROMISE = wc.Aim("error", 0.2, confidence=0.9)
COSTS = wc.RejectCosts(wc.CostMatrix([[0, 1], [3, 0.5]]), 1)
AIMS = {
    "an error": PROMISE,
    "an error per class": wc.Aim("error", {"yes": 0.3, "no": 0.2}, confidence=0.9),
    "one class": wc.Aim("error", {"yes": 0.3}, confidence=0.9),
    "a mean cost": wc.Aim("mean_cost", 0.8, confidence=0.9, reject_costs=COSTS),
}
ESTIMATES = {"keep": 0.9, "error": 0.12, "coverage": 0.6, "cost": (10.0, 1.0), "chow": (10.0, 2.0), "below": 0.8}


def answers(seed, n, noise=0.1):
    """Rows of a classifier that is the surer, the farther its one column lies from zero."""
    random = np.random.default_rng(seed)
    x = random.normal(size=n)
    is_yes = (x > 0) ^ (random.random(n) < noise + 0.3 * (np.abs(x) < 0.3))
    certainty = 1 / (1 + np.exp(-3 * np.abs(x)))
    return pd.DataFrame(
        {
            "actual": np.where(is_yes, "yes", "no"),
            "predicted": np.where(x > 0, "yes", "no"),
            "certainty": certainty,
            "region": random.choice(["north", "south"], n),
        }
    )


def scores_of(frame, **more):
    return wc.Scores(frame["actual"], frame["predicted"], frame["certainty"], **more)


@pytest.mark.parametrize("kind", ESTIMATES)
def test_an_estimate_is_that_of_choose_threshold(kind):
    frame = answers(1, 400)
    found = scores_of(frame).choose(wc.Aim(kind, ESTIMATES[kind]))
    expected = choose(wc.Aim(kind, ESTIMATES[kind]), frame["certainty"], frame["actual"] == frame["predicted"])
    assert found == expected and 0 < found.threshold < 1


@pytest.mark.parametrize("aim", AIMS)
def test_a_promise_is_that_of_calibration_rows_without_growing_ones(aim):
    frame = answers(2, 900)
    found = scores_of(frame).choose(AIMS[aim], seed=3)
    codes = [(frame[name] == "yes").to_numpy().astype(np.int64) for name in ("actual", "predicted")]
    rows = AnsweredRows(frame["certainty"].to_numpy(), codes[0] == codes[1], np.ones(900), codes[1], codes[0])
    assert found == choose_promised(AIMS[aim], rows, None, ("no", "yes"), seed=3) and found.is_reached
    assert scores_of(frame).choose(AIMS[aim]) == choose_promised(AIMS[aim], rows, None, ("no", "yes"), seed=1)


@pytest.mark.parametrize("aim", AIMS)
def test_a_check_counts_by_the_thresholds_of_the_choice(aim):
    choice = scores_of(answers(2, 900)).choose(AIMS[aim])
    later = answers(3, 500, noise=0.3)
    check = scores_of(later).check(choice, by=later["region"])
    names = {each.class_name: each.threshold for each in choice.promises}
    least = later["predicted"].map(lambda name: names.get(name, names.get("", -np.inf)))
    is_answered, is_wrong = later["certainty"] >= least, later["actual"] != later["predicted"]
    assert check.is_answered.tolist() == is_answered.tolist() and check.is_wrong.tolist() == is_wrong.tolist()
    assert str(check).startswith(f"promised: {AIMS[aim]}\n")
    groups = {f"{region}, answers {name}" if name else region
              for region in ("north", "south") for name, _ in AIMS[aim].targets}  # fmt: skip
    assert {each.name for each in check.groups} == groups
    given = scores_of(later).check(AIMS[aim], below=names.get("", names), by=later["region"])
    assert given.record == check.record and given.record_of_groups == check.record_of_groups
    if aim == "a mean cost":
        table = np.array(COSTS.answers.costs)
        codes = [(later[name] == "yes").to_numpy().astype(int) for name in ("actual", "predicted")]
        mean = np.where(is_answered, table[codes[0], codes[1]], 1).mean()
        assert check.promises[0].cost == pytest.approx(mean)


@pytest.mark.parametrize("aim", [*AIMS, "none", "a threshold", "unreached"])
def test_recorded_answers_check_a_model_as_its_own_do(aim):
    known = wc.Dataset.from_pandas(table(0, 600))
    aims = {**AIMS, "none": None, "a threshold": wc.Aim("below", 0.8), "unreached": wc.Aim("error", 0.001, 0.99)}
    model = wc.fit(known, "m_branch", learner="CART", aim=aims[aim])
    later = table(1, 300, flipped=0.4)
    answer = model.answer(later.drop(columns="out"))
    scores = wc.Scores(later["out"], answer.labels, answer.certainty, class_names=model.header.class_names)
    own = model.check(later, by=later["town"])
    found = scores.check(model.choice, by=later["town"])
    of_rows = {name: own.record[name] for name in own.record if name != "errors_gather"}
    assert found.record == {**of_rows, "n_seen": None, "n_answered_without_class": None}
    assert found.heading == own.heading
    assert found.lines == own.lines and found.group_lines == own.group_lines and found.is_broken == own.is_broken


def test_a_threshold_of_ones_own_takes_the_place_of_that_of_the_choice():
    later = answers(3, 200)
    choice, scores = scores_of(answers(2, 900)).choose(PROMISE), scores_of(later)
    own, alone = scores.check(choice, below=0.9), scores.check(wc.Aim("below", 0.9))
    assert own.is_answered.tolist() == alone.is_answered.tolist() == (later["certainty"] >= 0.9).tolist()
    assert own.promised == PROMISE and alone.promised is None and not own.unshown
    assert not {"mean_cost", "errors_gather"} & own.record.keys() and own.cost.tolist() == [0.0] * 200
    assert repr(scores) == "Scores(200 rows; 'no', 'yes')"


def test_chows_rule_takes_certainties_from_0_to_1():
    frame, chow = answers(1, 50), wc.Aim("chow", (10, 2))
    frame.loc[:1, "certainty"] = [0.0, 1.0]
    assert scores_of(frame).choose(chow).threshold == 0.8
    for certainty in (-1e-9, 1 + 1e-9):
        frame.loc[0, "certainty"] = certainty
        with pytest.raises(OptionError, match="chow compares costs with the probability of an error"):
            scores_of(frame).choose(chow)


def table(seed, n, flipped=0.1):
    random = np.random.default_rng(seed)
    x, y = random.random((2, n)).round(4)
    is_yes = (x > 0.5) != (random.random(n) < flipped)
    return pd.DataFrame(
        {"x": x, "y": y, "town": random.choice(["Ulm", "Bonn"], n), "out": np.where(is_yes, "yes", "no")}
    )


def test_a_classifier_of_scikit_learn():
    """Its labels may be numbers; the promise is held by other rows, and broken by noisy ones."""
    growing, calibrating, later, noisy = (
        table(seed, 800, flipped) for seed, flipped in enumerate((0.1, 0.1, 0.1, 0.4))
    )
    classifier = LogisticRegression().fit(growing[["x", "y"]], growing["out"] == "yes")

    def scores(frame):
        X = frame[["x", "y"]]
        return wc.Scores(frame["out"] == "yes", classifier.predict(X), classifier.predict_proba(X).max(axis=1))

    choice = scores(calibrating).choose(PROMISE)
    assert choice.is_reached and choice.promises[0].n == 640
    assert scores(later).class_names == ("false", "true")
    assert not scores(later).check(choice).is_broken and scores(noisy).check(choice).is_broken


def test_rows_that_lack_something_are_left_out():
    frame = answers(4, 200)
    frame.loc[[0, 1], "actual"] = [None, np.nan]
    frame.loc[[2], "predicted"] = pd.NA
    frame.loc[[3, 4], "certainty"] = np.nan
    scores = scores_of(frame)
    assert scores.n_left_out == 5 and len(scores) == 195
    check = scores.check(by=frame["region"])
    assert check.by == tuple(frame["region"][5:]) and check.n_without_class == 5
    assert "5 rows without a class left out" in check.lines
    assert len(wc.Scores(["a", "b"], ["a", "b"], [None, 0.5])) == 1
    assert wc.Scores(np.float32([1, np.nan, 2]), [1, 1, 2], [0.5, 0.6, 0.7]).n_left_out == 1
    assert wc.Scores("ab", "ab", [0.5, 0.6]).check(by=[None, 2020]).by == ("(missing)", "2020")
    assert scores.choose(PROMISE) == scores_of(frame[5:]).choose(PROMISE)


@pytest.mark.parametrize(
    ("actual", "predicted", "names"),
    [
        ([0, 1, 1], [0.0, 1.0, 0.0], ("0", "1")),
        (["0", "1", "1"], [0.0, 1.0, 0.0], ("0", "1")),
        (["0.0", "1.0", "1.0"], ["0", "1", "0"], ("0", "1")),
        (["1", "2", "1"], ["1", "2", "1.0"], ("1", "1.0", "2")),
        ([True, False, False], np.array([True, False, True]), ("false", "true")),
    ],
)
def test_labels_are_compared_by_their_value(actual, predicted, names):
    check = wc.Scores(actual, predicted, [0.5, 0.6, 0.7]).check()
    assert check.class_names == names and check.is_wrong.tolist() == [False, False, True]


def test_classes_that_only_later_rows_have():
    """With the model's classes an unknown one is wrong, whatever is answered."""
    scores = wc.Scores(["a", "c"], ["a", "a"], [0.9, 0.9], class_names=["a", "b"])
    assert scores.check().n_unknown == 1 and scores.check().is_wrong.tolist() == [False, True]
    with pytest.raises(OptionError, match=r"a predicted class is 'c', and the classes are 'a', 'b'"):
        wc.Scores(["a"], ["c"], [0.9], class_names=["a", "b"])


def test_what_cannot_be_reached_is_noted():
    with pytest.warns(NotReached, match="cannot be shown"):
        choice = scores_of(answers(5, 60)).choose(wc.Aim("error", 0.01, confidence=0.95))
    check = scores_of(answers(6, 60)).check(choice)
    assert not check.is_answered.any() and check.heading.startswith("nothing, since it could not be shown")


GOOD = answers(7, 50)
MANY = [f"class {n}" for n in range(20)]
ONE = pd.DataFrame({"actual": ["a"] * 9, "predicted": "a", "certainty": 0.5})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wc.Scores(["a"], ["a", "b"], [1.0]), "for each of the 1 actual classes, got 2 and 1"),
        (lambda: wc.Scores(["a"], ["a"], ["sure"]), "certainty: expected one number per row"),
        (lambda: wc.Scores(["a"], ["a"], [[1.0, 2.0]]), "certainty: expected one number per row"),
        (lambda: wc.Scores(["yes", "no"], [1, 0], [1.0, 1.0]), "no predicted class is an actual one: the actual "
         "classes are 'no', 'yes', the predicted ones '0', '1'; write both alike"),
        (lambda: wc.Scores([], [], []).check(), "no row has an actual class, an answer and a certainty"),
        (lambda: wc.Scores([None], ["a"], [1.0]).choose(PROMISE), r"no row .* \(1 lacks? one\)"),
        (lambda: scores_of(ONE).choose(PROMISE), "every row has the class 'a', and every answer is right"),
        (lambda: scores_of(GOOD).choose(0.05), r"aim: expected an Aim, such as Aim\("),
        (lambda: scores_of(GOOD).choose(wc.Aim("error", {"yess": 0.1}, 0.9)), "no class 'yess'; did you mean 'yes'"),
        (lambda: scores_of(GOOD).check(PROMISE, below={"yess": 0.1}), "no class 'yess'; did you mean 'yes'"),
        (lambda: scores_of(GOOD).check(scores_of(GOOD).choose(wc.Aim("below", 0.9)), below={"yess": 0.1}),
         "no class 'yess'; did you mean 'yes'"),
        (lambda: scores_of(GOOD).check(wc.Aim("below", 0.9), below=0.5), "a promise has a confidence, such as 0.95"),
        (lambda: wc.Scores(["class 7"], ["klass 19"], [0.9], class_names=MANY), r"the classes are 'class 19', .* \(20"),
        (lambda: wc.Scores(["class 7"], ["class 7"], [0.9], class_names=MANY).check(below={"lass 19": 0.1}),
         r"there are 'class 19', .* \(20 in all"),
        (lambda: scores_of(GOOD, class_names=["no", "yes", "never"]).check(
            scores_of(answers(2, 900)).choose(AIMS["a mean cost"])), "expected 3 rows and columns, one per class"),
        (lambda: scores_of(GOOD).choose(wc.Aim("cost", (COSTS.answers, 1))), "a matrix of costs decides answers by"),
        (lambda: scores_of(GOOD).check(0.05), r"aim: expected an Aim, such as Aim\("),
        (lambda: scores_of(GOOD).check(wc.Aim("error", {"yess": 0.1}, 0.9), below=0.5), "no class 'yess'; did you"),
        (lambda: scores_of(GOOD).check(PROMISE), "expected the threshold beside the aim"),
        (lambda: scores_of(GOOD).check(wc.Aim("keep", 0.9), below=0.5), "a promise has a confidence, such as 0.95"),
        (lambda: scores_of(GOOD).check(by=["a"]), "by: expected one text per row, 50, got 1"),
        (lambda: wc.Scores(["a", "b"], ["a", "b"], [2.0, 9.0]).choose(wc.Aim("chow", (9, 1))), "chow compares costs "
         r"with the probability of an error, and the certainty of these rows is no probability but in \[2, 9\]"),
        (lambda: scores_of(GOOD).choose(
            wc.Aim("mean_cost", 1.0, 0.9, wc.RejectCosts(wc.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]]), 1))),
         "expected 2 rows and columns, one per class"),
    ],
)  # fmt: skip
def test_what_is_refused(call, message):
    with pytest.raises(OptionError, match=message):
        call()


# ---- tables ----


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "parquet", "arff"])
def test_a_table_of_any_kind(tmp_path, ending):
    frame = answers(8, 300).rename(columns={"actual": "truth", "predicted": "answer", "certainty": "score"})
    frame.loc[3, ["truth", "region"]] = None
    frame.loc[4, "region"] = " ? "
    path = str(tmp_path / f"scores.{ending}")
    match ending:
        case "csv":
            frame.to_csv(path, index=False)
        case "tsv":
            frame.to_csv(path, index=False, sep="\t")
        case "xlsx":
            frame.to_excel(path, index=False)
        case "parquet":
            frame.to_parquet(path)
        case _:
            wc.save_arff(path, wc.Dataset.from_pandas(frame, class_attribute=None))
    read = read_scores(path, ("truth", "answer", "score"), by="region")
    expected = wc.Scores(frame["truth"], frame["answer"], frame["score"])
    assert read.scores.n_left_out == 1 and read.by == [
        each if isinstance(each, str) and each != " ? " else "(missing)" for each in frame["region"]
    ]
    assert read.scores.choose(PROMISE) == expected.choose(PROMISE)


@pytest.mark.parametrize(("by", "groups"), [
    ("year", ["2020", "(missing)", "0.5"]), ("who", ["ann", "bob", "(missing)"]), ("predicted", ["a", "b", "b"]),
])  # fmt: skip
def test_groups_of_any_attribute(tmp_path, by, groups):
    path = tmp_path / "scores.arff"
    path.write_text(
        "@relation r\n@attribute actual {a,b}\n@attribute predicted {a,b}\n@attribute certainty numeric\n"
        "@attribute year numeric\n@attribute who string\n@data\na,a,1,2020,ann\nb,b,1,?,bob\na,b,1,0.5,?\n"
    )
    assert read_scores(str(path), by=by).by == groups
    with pytest.raises(OptionError, match="the column 'predicted' holds no numbers"):
        read_scores(str(path), ("actual", "certainty", "predicted"), by=by)


def test_the_order_of_the_classes_is_that_of_the_probabilities(tmp_path):
    frame = answers(9, 30).assign(distribution_yes=0.5, distribution_no=0.5, distribution_never=0.0)
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert read_scores(str(tmp_path / "a.csv")).scores.class_names == ("yes", "no", "never")
    frame.drop(columns="distribution_never").to_csv(tmp_path / "a.csv", index=False)
    assert read_scores(str(tmp_path / "a.csv")).scores.class_names == ("yes", "no")
    frame[["actual", "predicted", "certainty"]].to_csv(tmp_path / "a.csv", index=False)
    assert read_scores(str(tmp_path / "a.csv")).scores.class_names == ("no", "yes")


@pytest.mark.parametrize(("index", "names", "n_left_out"), [
    ("inst#", ("yes", "no:one"), 1), ("number", ("10:no:one", "1:?", "2:yes"), 0),
])  # fmt: skip
def test_wekas_numbers_order_its_classes(tmp_path, index, names, n_left_out):
    path = tmp_path / "weka.csv"
    path.write_text(
        f"{index},actual,predicted,error,prediction\n"
        "1,2:yes,10:no:one,+,0.9\n2,1:?,2:yes,,0.8\n3,10:no:one,10:no:one,,0.7\n"
    )
    scores = read_scores(str(path), ("actual", "predicted", "prediction")).scores
    assert scores.class_names == names and scores.n_left_out == n_left_out
    assert scores.check().is_wrong.tolist() == ([True, False] if n_left_out else [True, True, False])


def test_numbers_that_are_labels_are_alike_in_any_column(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y;p;c\n0;0.0;0,9\n1;1.0;0,8\n1;0.0;0,7\n")
    scores = read_scores(str(path), ("y", "p", "c"), wc.load_table(path).reading).scores
    assert scores.class_names == ("0", "1") and scores.check().is_wrong.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("y,p,c\na,a,1\n", None, "no columns 'actual', 'predicted', 'certainty'; name yours, as in scores="),
        ("y,p,c\na,a,1\n", ("y", "p", "cc"), "^scores: no column 'cc' in .*; did you mean 'c'"),
        ("y,p,c\na,a,1\n", ("y", "p"), "expected three columns"),
        ("y,p,c\na,a,1\n", ("y", "p", "p"), "expected three columns"),
        ("y,p,c\na,a,1\n", ("y", "p", "c", "c"), "expected three columns"),
        ("y,p,c\na,a,sure\nb,b,1\n", ("y", "p", "c"), "column 'c', row 1: expected a number, got 'sure'"),
        ("inst#,actual,predicted,error,distribution\n1,1:a,1:a,,*1\n", None, "leave Weka's option -distribution out"),
        ("=== Predictions ===\n\ninst#,actual\n", None, r"delete the lines above 'inst#,actual,…'"),
    ],
)
def test_tables_that_hold_no_scores(tmp_path, text, columns, message):
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises((OptionError, TableError), match=message):
        read_scores(str(path), columns)


def test_the_groups_are_in_no_column(tmp_path):
    path = tmp_path / "scores.csv"
    GOOD.to_csv(path, index=False)
    with pytest.raises(OptionError, match=r"^by: no column 'regio' in .*scores.csv; did you mean 'region'"):
        read_scores(str(path), by="regio")
