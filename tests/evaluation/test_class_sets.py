"""Sets of classes that cannot be excluded: the definition, crepes, coverage, and what is kept of them."""

import numpy as np
import pandas as pd
import pytest
from reference.class_sets_reference import class_set
from scipy import stats

import wekaconf as wc
from wekaconf.base.stored import arrays_of
from wekaconf.cli.training import ClassSetOptions
from wekaconf.data.wording import percent_bound
from wekaconf.evaluation.promises import ClassSets, largest_singleton_error
from wekaconf.model.fitted import Model
from wekaconf.report._predictions import EMPTY_SET, FULL_SET, WITHOUT_ANSWER


def answers(seed, n, n_classes=3, decimals=2):
    """Probabilities with many ties, and classes drawn by them."""
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.full(n_classes, 0.7), n)
    actual = (rng.random((n, 1)) > proba.cumsum(axis=1)).sum(axis=1).clip(0, n_classes - 1)
    proba = proba.round(decimals)
    return proba / proba.sum(axis=1, keepdims=True), actual


def members(contains):
    return [np.flatnonzero(row).tolist() for row in contains]


@pytest.mark.parametrize("is_per_class", [False, True])
@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("n", [1, 9, 19, 99, 250])
def test_sets_are_those_of_the_definition(n, coverage, is_per_class):
    proba, actual = answers(n, n)
    sets = ClassSets.of(proba, actual, coverage, is_per_class=is_per_class)
    asked, _ = answers(n + 1, 60)
    calibration = [(own, row[own].round(12)) for own, row in zip(actual.tolist(), proba, strict=True)]
    assert members(sets.contains(asked)) == [
        class_set(row.round(12).tolist(), calibration, coverage, is_per_class=is_per_class) for row in asked
    ]


@pytest.mark.parametrize("is_per_class", [False, True])
def test_p_values_are_those_of_crepes(is_per_class):
    crepes = pytest.importorskip("crepes")
    proba, actual = answers(3, 300)
    asked, _ = answers(4, 200)
    sets = ClassSets.of(proba, actual, 0.9, is_per_class=is_per_class)
    alphas, asked_alphas = 1 - proba[np.arange(300), actual].round(12), 1 - asked.round(12)
    rival = crepes.ConformalClassifier().fit(alphas, bins=actual if is_per_class else None)
    if is_per_class:
        columns = [rival.predict_p(asked_alphas[:, [c]], np.full(200, c), smoothing=False) for c in range(3)]
        theirs = np.column_stack(columns)
    else:
        theirs = rival.predict_p(asked_alphas, smoothing=False)
    np.testing.assert_allclose(sets.p_values(asked), theirs, rtol=1e-12)
    np.testing.assert_array_equal(sets.contains(asked), theirs > 0.1 + 1e-12)


@pytest.mark.parametrize("is_per_class", [False, True])
def test_sets_hold_the_own_class_as_often_as_wanted(is_per_class):
    """Over many calibrations, by an exact test; and not much more often, where there are few ties."""
    held, n = 0, 4000
    for seed in range(n):
        proba, actual = answers(seed, 61, decimals=6)
        sets = ClassSets.of(proba[:60], actual[:60], 0.8, is_per_class=is_per_class)
        held += bool(sets.contains(proba[60:])[0, actual[60]])
    assert stats.binomtest(held, n, 0.8, alternative="less").pvalue > 0.01
    assert held / n < 0.86


def test_a_class_that_was_never_calibrated_is_never_excluded():
    proba, actual = answers(1, 200)
    actual = np.where(actual == 2, 0, actual)
    asked = np.array([[1.0, 0, 0], [0, 1, 0]])
    assert ClassSets.of(proba, actual, 0.9, is_per_class=True).contains(asked)[:, 2].all()


def test_a_class_with_too_few_rows_to_exclude_it_is_never_excluded():
    """By 8 rows a share of a tenth cannot be shown, by 9 it can."""
    for n, expected in ((8, True), (9, False)):
        sets = ClassSets.of(np.tile([0.9, 0.1], (n, 1)), np.zeros(n, np.int64), 0.9)
        assert sets.contains(np.array([[0.1, 0.9]]))[0, 0] == expected


def test_probabilities_that_rounding_put_outside_0_and_1_are_scores_in_a_file():
    sets = ClassSets.of(np.array([[1 + 1e-11, -1e-11]] * 2), np.array([0, 1]), 0.9)
    assert sets.scores.tolist() == [1, 0]
    assert ClassSets.from_arrays(arrays_of(sets), 2).n_rows == 2


def test_rows_of_undeclared_classes_make_sets_larger():
    proba, actual = answers(5, 100)
    sets = ClassSets.of(proba, actual, 0.8)
    with_others = ClassSets.of(np.vstack([proba, proba[:10]]), np.append(actual, np.full(10, -1)), 0.8)
    asked, _ = answers(6, 200)
    assert with_others.n_rows == 110
    assert (with_others.contains(asked) >= sets.contains(asked)).all()
    assert with_others.contains(asked).sum() > sets.contains(asked).sum()


def test_another_coverage_needs_no_other_rows():
    proba, actual = answers(7, 150)
    asked, _ = answers(8, 50)
    sets = ClassSets.of(proba, actual, 0.9)
    for is_per_class in (False, True):
        expected = ClassSets.of(proba, actual, 0.6, is_per_class=is_per_class).contains(asked)
        np.testing.assert_array_equal(sets.at(0.6, is_per_class=is_per_class).contains(asked), expected)


@pytest.mark.parametrize("coverage", [0, 1, -0.1, 90, np.nan])
def test_a_coverage_out_of_range_is_refused(coverage):
    proba, actual = answers(1, 20)
    with pytest.raises(wc.OptionError, match=r"expected a share between 0 and 1, such as 0\.9"):
        ClassSets.of(proba, actual, coverage)
    sets = ClassSets.of(proba, actual, 0.9)
    with pytest.raises(wc.OptionError, match=r"expected a share between 0 and 1, such as 0\.9"):
        sets.at(coverage)
    with pytest.raises(ValueError, match="coverage"):
        ClassSets.from_arrays(arrays_of(sets) | {"coverage": np.array([float(coverage)])}, proba.shape[1])


def test_no_calibration_row_is_refused():
    with pytest.raises(wc.OptionError, match="expected rows that calibrate, got none"):
        ClassSets.of(np.zeros((0, 2)), np.zeros(0, np.int64), 0.9)


def test_how_often_a_set_of_one_may_be_wrong():
    assert largest_singleton_error(0.9, [0, 80, 20]) == pytest.approx(0.125)
    assert largest_singleton_error(0.9, [5, 1, 94]) == 1.0
    assert np.isnan(largest_singleton_error(0.9, [0, 0, 3]))


# what is kept in a model, and what a user reads


def table(seed, n):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=n).round(3), rng.normal(size=n).round(3)
    names = np.array(["low", "mid", "a, b"])
    return pd.DataFrame({"x": x, "y": y, "out": names[np.digitize(x + rng.normal(0, 0.6, n), [-0.5, 0.7])]})


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table(1, 900).to_csv("train.csv", index=False)
    table(2, 300).to_csv("new.csv", index=False)


GROW = ("--learner", "info_gain", "--method", "leaf_frequency:laplace=true")


def sets_in(name):
    frame = pd.read_csv(name, dtype=str)
    texts = frame["class_set"].str[1:-1].str.replace("'a, b'", "a+b")
    return [set(text.split(", ")) - {""} for text in texts], frame


def test_answers_have_sets(files, good):
    good("predict", "-t", "train.csv", *GROW, "--class-sets", "0.9", "-T", "new.csv", "-o", "a.csv", "-d", "m.wct")
    found, frame = sets_in("a.csv")
    model = wc.load("m.wct")
    assert model.class_sets.n_rows == 270
    shown = " ".join(good("show", "m.wct").split())
    assert "no training instances; ranges and counts of the columns; digests of " in shown
    assert "; scores of 270 calibration rows" in shown
    data = wc.Dataset.from_pandas(pd.read_csv("new.csv"), header=model.header)
    contains = model.predict_set(data)
    names = np.array([name.replace("a, b", "a+b") for name in model.header.class_names])
    assert found == [set(names[row].tolist()) for row in contains]
    for kind, is_such in ((EMPTY_SET, ~contains.any(axis=1)), (FULL_SET, contains.all(axis=1))):
        assert frame["reason"].str.endswith(kind).tolist() == is_such.tolist()
    lacks_answer = ~contains[np.arange(300), model.predict(data)] & contains.any(axis=1)
    assert frame["reason"].str.endswith(WITHOUT_ANSWER).tolist() == lacks_answer.tolist()
    held = contains[np.arange(300), data.class_values].mean()
    assert 0.8 < held < 0.98
    again = good("predict", "-l", "m.wct", "-T", "new.csv", "-o", "b.csv")
    assert again == ""
    assert sets_in("b.csv")[0] == found


def test_a_set_without_the_answer_is_told(files, good):
    """Each class is compared with its own rows, so the set may exclude the class that is predicted."""
    frame = pd.read_csv("train.csv")
    rare = frame[frame["out"] == "low"].head(30)
    pd.concat([frame[frame["out"] != "low"], rare]).sample(frac=1, random_state=0).to_csv("train.csv", index=False)
    options = ("--class-sets", "classes=0.6")
    good("predict", "-t", "train.csv", *GROW, *options, "-T", "new.csv", "-o", "a.csv", "-d", "m.wct")
    found, frame = sets_in("a.csv")
    predicted = frame["predicted"].str.replace("a, b", "a+b").tolist()
    lacks_answer = [bool(of_row) and c not in of_row for of_row, c in zip(found, predicted, strict=True)]
    assert frame["reason"].str.endswith(WITHOUT_ANSWER).tolist() == lacks_answer
    assert any(lacks_answer)


def test_another_coverage_of_a_model(files, good):
    good("predict", "-t", "train.csv", *GROW, "--class-sets", "classes=0.9", "-d", "m.wct")
    model = wc.load("m.wct")
    assert model.class_sets.is_per_class
    data = wc.Dataset.from_pandas(pd.read_csv("new.csv"), header=model.header)
    good("predict", "-l", "m.wct", "-T", "new.csv", "-o", "a.csv", "--class-sets", "rows=0.5")
    expected = model.predict_set(data, 0.5, is_per_class=False)
    assert [len(found) for found in sets_in("a.csv")[0]] == expected.sum(axis=1).tolist()
    assert expected.sum() < model.predict_set(data).sum()


def test_the_summary_counts_sets(files, run):
    ended = run("predict", "-t", "train.csv", *GROW, "--class-sets", "0.8", "-T", "new.csv", "-o", "a.csv")
    said = " ".join(ended.err.split())
    sizes = [len(found) for found in sets_in("a.csv")[0]]
    counts = [sizes.count(size) for size in range(4)]
    some = f", {counts[2]} of some" if counts[2] else ""
    expected = f"{counts[1]} of one class{some}, {counts[3]} of all, {counts[0]} of none"
    assert f"class sets, which contain the true class of 80 % of the rows: {expected} " in said
    bound = percent_bound(0.2 * len(sizes) / counts[1])
    assert f"on average up to {bound} of the sets of one class are wrong, in a single file it may be more; " in said


def test_sets_beside_a_promise_use_the_same_rows(files, good):
    promise = ("--target-error", "0.4", "--confidence", "0.9")
    good("predict", "-t", "train.csv", *GROW, "--class-sets", "0.9", *promise, "-d", "m.wct")
    model = wc.load("m.wct")
    assert model.class_sets.n_rows == model.choice.promises[0].n == 270


def test_sets_of_a_file_that_calibrates(files, good):
    labelled = table(3, 200)
    labelled.loc[:9, "out"] = "other"
    labelled.loc[10:19, "out"] = None
    labelled.to_csv("calibration.csv", index=False)
    good("predict", "-t", "train.csv", *GROW, "--class-sets", "0.9", "--calibrate", "calibration.csv", "-d", "m.wct")
    sets = wc.load("m.wct").class_sets
    assert (sets.n_rows, sets.n_undeclared) == (190, 10)


@pytest.mark.parametrize(("options", "code", "match"), [
    (("--class-sets", "90"), 1, "--class-sets: expected a share between 0 and 1, such as 0.9, got 90"),
    (("--class-sets", "columns=0.9"), 2, "--class-sets: expected a share of the rows"),
    (("--calibrate", "0.4"), 2, "only a promise and class sets need rows that are held out"),
])  # fmt: skip
def test_options_that_cannot_be(files, run, options, code, match):
    ended = run("predict", "-t", "train.csv", *GROW, "-T", "new.csv", "-o", "a.csv", *options)
    assert ended.code == code
    assert match in " ".join(ended.err.split())


def test_a_model_without_scores_has_no_sets(files, run, good):
    good("predict", "-t", "train.csv", *GROW, "-d", "m.wct")
    ended = run("predict", "-l", "m.wct", "-T", "new.csv", "--class-sets", "0.9")
    assert ended.code == 2
    assert "keeps no scores for class sets; fit it with --class-sets" in " ".join(ended.err.split())
    model = wc.load("m.wct")
    with pytest.raises(wc.OptionError, match="keeps no scores of calibration rows"):
        model.predict_set(wc.Dataset.from_pandas(pd.read_csv("new.csv"), header=model.header))


def test_rows_of_different_weights_are_refused():
    data = wc.load_arff("arff/iris.arff")
    model = Model(wc.method("leaf_frequency").fit(wc.CART().grow(data), data))
    weighted = wc.Dataset(data.header, data.values, np.arange(1.0, 151))
    with pytest.raises(wc.OptionError, match="different weights, and class sets count rows"):
        model.with_class_sets(weighted, 0.9)


@pytest.mark.parametrize(("changes", "match"), [
    ({"scores": None}, "'class_sets/scores' is missing"),
    ({"coverage": np.array([1.0])}, "coverage of class sets: expected a number between 0 and 1"),
    ({"class_start": np.array([0, 9, 9999], np.int32)}, "class_start: expected"),
    ({"class_start": np.array([0, 40, 30, 270], np.int32)}, "class_start: expected to go up from 0 to 270"),
    ({"scores": np.linspace(1, 0, 270)}, "expected them in ascending order within each class"),
    ({"scores": np.full(270, 2.0)}, "scores"),
])  # fmt: skip
def test_sets_that_cannot_be_are_refused(files, good, changes, match):
    good("predict", "-t", "train.csv", *GROW, "--class-sets", "0.9", "-d", "m.wct")
    with np.load("m.wct") as parts:
        arrays = dict(parts) | {f"class_sets/{name}": array for name, array in changes.items()}
    with open("m.wct", "wb") as file:
        np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(wc.ModelFileError, match=match):
        wc.load("m.wct")


@pytest.mark.parametrize(("said", "is_per_class"), [("0.9", None), ("rows=0.9", False), ("classes=0.9", True)])
def test_whether_it_was_said_for_what_the_coverage_is(said, is_per_class):
    assert ClassSetOptions.parse(said) == ClassSetOptions(0.9, is_per_class)
