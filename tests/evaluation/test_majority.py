"""The majority's answer: what a classifier has to beat."""

import json
from fractions import Fraction

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from support.command_line import ARFF

import wekaconf as wc
from wekaconf.evaluation.summaries import Majority, is_telling, majority_sentence
from wekaconf.report import _result_tables as tables


def data_of(classes, weights=None, names=("a", "b", "c")):
    """Rows with a column that tells nothing; −1 is a missing class."""
    values = np.column_stack((np.arange(len(classes), dtype=float), np.where(np.array(classes) < 0, np.nan, classes)))
    header = wc.Header("rows", (wc.Attribute("x"), wc.Attribute("class", "nominal", tuple(names))), 1)
    return wc.Dataset(header, values, None if weights is None else np.array(weights, dtype=float))


@pytest.mark.parametrize(
    ("growing", "calibration", "expected"),
    [
        (data_of([0, 1, 1]), None, Majority("b", 3.0, 1.0, 2, False)),
        (data_of([0, 1, 1]), data_of([0, 0, 1, 2]), Majority("b", 4.0, 3.0, 2, True)),
        (data_of([1, 0]), None, Majority("a", 2.0, 1.0, 2, False)),
        (data_of([1, 0, -1, -1]), data_of([-1, 1, 0]), Majority("a", 2.0, 1.0, 2, True)),
        (data_of([0, 0, 1], [1, 1, 5]), data_of([0, 1], [3, 0.5]), Majority("b", 3.5, 3.0, 2, True)),
        (None, data_of([2, 2, 0]), Majority("c", 3.0, 1.0, 2, True)),
        (data_of([1, 1]), None, Majority("b", 2.0, 0.0, 1, False)),
        (data_of([-1, -1]), data_of([0]), None),
        (data_of([0, 1]), data_of([-1]), None),
        (data_of([0, 1], [0, 0]), None, None),
        (None, None, None),
    ],
)
def test_the_majority_of_growing_rows_answers_those_that_calibrate(growing, calibration, expected):
    assert Majority.of(growing, calibration) == expected


def test_a_class_that_is_not_declared_is_not_the_majoritys():
    found = Majority.of(data_of([0, 0, 1]), data_of([0, -1, -1]), np.array([True, True, False]))
    assert (found.n, found.wrong) == (2.0, 1.0)


@pytest.mark.parametrize(
    ("error", "n_classes", "others", "telling"),
    [
        (0.333, 2, (), True),
        (1 / 3, 2, (), True),
        (0.334, 2, (), False),
        (0.444, 3, (), True),
        (0.445, 3, (), False),
        (0.45, 2, (0.4,), False),
        (0.45, 2, (0.1, 0.405), True),
        (0.45, 2, (np.nan,), False),
        (0.0, 1, (), False),
        (np.nan, 2, (0.3,), False),
    ],
)
def test_it_is_told_where_classes_are_uneven_or_the_model_is_not_clearly_better(error, n_classes, others, telling):
    assert is_telling(error, n_classes, others) == telling


def test_in_words():
    assert str(Majority("nein", 270.0, 33.0, 2, True)) == (
        "always 'nein' would be wrong for 12.2 % of the 270 calibration rows"
    )
    assert str(Majority("nein", 2.5, 1.0, 2, False)) == "always 'nein' would be wrong for 40.0 % of the training rows"


# ---- evaluate ----


@pytest.mark.parametrize("folds", [2, 10])
@pytest.mark.parametrize("name", ["credit-g", "iris", "missing-weights"])
def test_each_training_set_answers_its_test_rows(name, folds):
    """As scikit-learn's dummy does, weights and missing classes included."""
    data = wc.load_arff(ARFF / f"{name}.arff")
    protocol = wc.Protocol(folds=folds, seed=3)
    [(record, answers)] = wc.evaluate(data, "leaf_frequency", learner="CART", protocol=protocol)
    runs = wc.folds(data, folds, seed=3)
    right, total, by_fold, names = Fraction(0), Fraction(0), [], set()
    for rows in runs:
        train, test = (part[data.class_values[part] >= 0] for part in rows)
        dummy = DummyClassifier().fit(train[:, None], data.class_values[train], data.weights[train])
        answer = int(dummy.predict([[0]])[0])
        names.add(data.class_names[answer])
        weights = list(map(Fraction, data.weights[test].tolist()))
        correct = sum(w for w, c in zip(weights, data.class_values[test], strict=True) if c == answer)
        right, total = right + correct, total + sum(weights)
        if sum(weights):
            by_fold.append(100 * correct / sum(weights))
    found = record["majority"]
    assert set(found["class_names"]) == names
    assert found["percent_correct"] == pytest.approx(float(100 * right / total))
    assert found["fold_mean"] == pytest.approx(float(sum(by_fold) / len(by_fold)))
    assert len(answers.actual) == len(data)


def test_the_majority_of_folds_may_differ():
    """One left out of two classes of equal size: the other class is the larger one, so it is never right."""
    data = data_of([0, 1] * 10, names=("a", "b"))
    [(record, _)] = wc.evaluate(data, "leaf_frequency", learner="CART", folds="loo")
    assert record["majority"] == {"class_names": ["a", "b"], "percent_correct": 0.0, "fold_mean": 0.0}
    sentence = majority_sentence(record["majority"], "0.0", "100.0")
    assert sentence == "always the most frequent class of training, 'a' or 'b', would be 0.0 % correct, 100.0 % wrong"


def test_classes_that_are_left_out_do_not_count():
    data = wc.load_arff(ARFF / "iris.arff")
    protocol = wc.Protocol(folds=5, known=("setosa", "virginica"))
    [(record, answers)] = wc.evaluate(data, "leaf_frequency", learner="CART", protocol=protocol)
    assert record["majority"]["percent_correct"] == 50.0 and answers.is_foreign.sum() == 50


def test_it_is_one_line_per_data_set(tmp_path, good, run):
    """In the table, in CSV, in Weka's report, and in notebooks."""
    files = [str(ARFF / f"{name}.arff") for name in ("credit-g", "iris", "wdbc")]
    options = ("--learner", "CART", "-x", "5", "--method", "leaf_frequency", "--method", "m_branch")
    told = " ".join(good("evaluate", *files, *options, "--records", tmp_path / "r.csv").split())
    assert told.count("always") == 1
    assert "credit-g: always 'good' would be 70.00 % correct, 30.00 % wrong" in told
    header, first = (tmp_path / "r.csv").read_text().splitlines()[:2]
    assert "majority.percent_correct" in header and "70" in first.split(",")
    [record] = json.loads(good("evaluate", files[0], *options[:-2], "--json"))
    assert record["majority"] == {"class_names": ["good"], "percent_correct": 70.0, "fold_mean": 70.0}
    weka = good("evaluate", files[0], *options[:-2], "--format", "weka").splitlines()
    assert weka[1:3] == ["credit-g: always 'good' would be 70.00 % correct, 30.00 % wrong", ""]
    evaluation = wc.evaluate(wc.load_arff(files[0]), "leaf_frequency", learner="CART", folds=5, name="credit-g")
    assert "credit-g: always &#x27;good&#x27; would be 70.00 % correct" in evaluation._repr_html_()
    assert tables.majority_lines(wc.evaluate(wc.load_arff(files[1]), "leaf_frequency", learner="CART").records) == []


# ---- models ----


def test_a_model_knows_it(tmp_path, good):
    data = wc.load_arff(ARFF / "credit-g.arff")
    aim = wc.Aim("error", 0.35, confidence=0.9)
    model = wc.fit(data, learner="CART", aim=aim, seed=2)
    n_calibration = model.choice.promises[0].n
    assert (model.majority.class_name, model.majority.n, n_calibration) == ("good", 300.0, 300)
    model.save(tmp_path / "m.wct")
    assert wc.load(tmp_path / "m.wct").majority == model.majority
    assert wc.fit(data, learner="CART").majority == Majority("good", 1000.0, 300.0, 2, False)
    shown = " ".join(good("show", tmp_path / "m.wct").split())
    error = f"{100 * model.majority.wrong / 300:.1f}"
    assert f"to beat: always 'good' would be wrong for {error} % of the 300 calibration rows" in shown


def test_fit_says_it_once_beside_the_promise(tmp_path, run):
    ended = run("fit", ARFF / "credit-g.arff", "--learner", "CART", "--target-error", "0.35", "--confidence", "0.9",
                "-d", tmp_path / "m.wct")  # fmt: skip
    told = " ".join(ended.err.split())
    assert told.count("always 'good' would be wrong for") == 1 and " % of the 300 calibration rows" in told
    ended = run("fit", ARFF / "credit-g.arff", "--learner", "CART", "-d", tmp_path / "m.wct")
    assert "always 'good' would be wrong for 30.0 % of the 1000 training rows" in " ".join(ended.err.split())
    ended = run("fit", ARFF / "iris.arff", "--learner", "CART", "-d", tmp_path / "m.wct")
    assert "always" not in ended.err


def test_a_model_that_is_not_better_is_told_though_classes_are_even(tmp_path):
    random = np.random.default_rng(1)
    data = data_of(random.integers(0, 2, 400), names=("a", "b"))
    data = wc.Dataset(data.header, np.column_stack((random.random(400), data.values[:, 1])))
    of_a_class = wc.Aim("error", {"a": 0.9}, confidence=0.9)
    poor, *others = (wc.fit(data, learner="CART", aim=aim) for aim in (wc.Aim("keep", 0.9), of_a_class, None))
    assert poor.majority_line.startswith("always '") and [each.majority_line for each in others] == ["", ""]


@pytest.mark.parametrize(
    "change",
    [{"class_name": "x"}, {"n": -1.0}, {"wrong": 2000.0}, {"n_classes": 3}, {"n": "1"}, {"is_of_calibration": 1}],
)
def test_a_file_with_another_one_is_refused(change):
    record = Majority("good", 1000.0, 300.0, 2, False).as_record()
    assert Majority.of_record(record, ("good", "bad")).as_record() == record
    with pytest.raises((ValueError, TypeError)):
        Majority.of_record({**record, **change}, ("good", "bad"))
