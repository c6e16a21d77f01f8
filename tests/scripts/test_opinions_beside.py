"""The study of second opinions: models against scikit-learn, odd data, what is learned, and that it goes on."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import second_opinion
from combining import verdict_records as records
from combining.judging import COMBINED, FOREST, FOREST_OWN, Figures
from combining.opinions import Logistic, NaiveBayes, Neighbours
from combining.other_certainties import META, STACKED, TRUST, boosted, other_certainties, out_of_fold, trust
from combining.second_opinion import ASKED, LAPLACE_TWO, LEARNED, SECOND, THREE, Opinions, measured
from combining.second_opinion_page import PARTS, stays_in, wanted
from combining.sides import SMOOTHED, parted
from scipy.stats import wilcoxon
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from support.growers import grow_info_gain
from support.random_trees import random_dataset, random_header

import wekaconf as wc
from wekaconf.base.rounding import most_probable
from wekaconf.methods.combined import Combined

ARFF = Path(__file__).parents[2] / "arff"
MODELS = [NaiveBayes, Logistic, Neighbours]


def parts(name, n=200, **more):
    """Training data and what is asked, without missing values."""
    data = wc.load_arff(ARFF / f"{name}.arff")
    data = data.take(~np.isnan(data.values).any(axis=1))
    order = np.random.default_rng(1).permutation(len(data))
    return data.take(order[:n]), data.take(order[n : 2 * n])


def answers(model, train, test):
    return model().fit(grow_info_gain(train), train).predict_proba(test)


def columns(data, is_nominal):
    return [i for i, one in enumerate(data.attributes) if i != data.class_index and one.is_nominal == is_nominal]


# -- the models of scikit-learn --


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("name", ["iris", "credit-g"])
def test_logistic_regression_is_scikit_learn_s(name, is_weighted):
    train, test = parts(name, 75 if name == "iris" else 200)
    weights = np.random.default_rng(1).uniform(0.1, 5, len(train)) if is_weighted else np.ones(len(train))
    train = replace(train, weights=weights)
    numeric, nominal = columns(train, False), columns(train, True)
    scale = StandardScaler().fit(train.values[:, numeric], sample_weight=weights)
    values = [np.arange(len(train.attributes[i].values)) for i in nominal]
    hot = OneHotEncoder(categories=values).fit(train.values[:, nominal]) if nominal else None

    def inputs(data):
        numbers = scale.transform(data.values[:, numeric]).clip(-10, 10)
        return np.hstack([numbers, hot.transform(data.values[:, nominal]).toarray()]) if hot else numbers

    model = LogisticRegression(tol=1e-9, max_iter=10_000)
    theirs = model.fit(inputs(train), train.class_values, weights / weights.mean()).predict_proba(inputs(test))
    np.testing.assert_allclose(answers(Logistic, train, test), theirs, rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", ["iris", "credit-g"])
def test_naive_bayes_is_scikit_learn_s(name):
    """On complete data all attributes at once, with intervals that this test counts out."""
    train, test = parts(name, 75 if name == "iris" else 200)
    inputs = sorted([*columns(train, False), *columns(train, True)])
    known, asked = train.values[:, inputs].copy(), test.values[:, inputs].copy()
    n_cells = []
    for place, column in enumerate(inputs):
        if train.attributes[column].is_nominal:
            n_cells.append(len(train.attributes[column].values))
            continue
        ordered = sorted(train.values[:, column].tolist())
        ends = sorted({ordered[i * len(ordered) // 10] for i in range(1, 10)} - {ordered[-1]})
        for each in (known, asked):
            each[:, place] = [sum(value > end for end in ends) for value in each[:, place]]
        n_cells.append(len(ends) + 1)
    theirs = CategoricalNB(min_categories=n_cells).fit(known, train.class_values).predict_proba(asked)
    np.testing.assert_allclose(answers(NaiveBayes, train, test), theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["wdbc", "credit-g"])
def test_neighbours_are_scikit_learn_s_where_none_are_equally_near(name):
    train, test = parts(name)
    numeric, nominal = columns(train, False), columns(train, True)
    scale = StandardScaler().fit(train.values[:, numeric])

    def inputs(data):
        hot = [data.values[:, [i]] == np.arange(len(data.attributes[i].values)) for i in nominal]
        return np.hstack([scale.transform(data.values[:, numeric]).clip(-10, 10), *(one / np.sqrt(2) for one in hot)])

    model = KNeighborsClassifier(9).fit(inputs(train), train.class_values)
    distance, _ = KNeighborsClassifier(10).fit(inputs(train), train.class_values).kneighbors(inputs(test))
    is_plain = distance[:, 9] > distance[:, 8] + 1e-9
    assert is_plain.mean() > 0.9
    theirs = model.predict_proba(inputs(test))
    np.testing.assert_allclose(answers(Neighbours, train, test)[is_plain], theirs[is_plain], rtol=0, atol=1e-12)


def test_a_missing_value_adds_nothing_to_naive_bayes():
    train, test = parts("credit-g")
    values = test.values.copy()
    values[:, 3:-1] = np.nan
    few = wc.Header("few", (*train.attributes[:3], train.attributes[-1]), 3)
    train_few, test_few = (wc.Dataset(few, each.values[:, [0, 1, 2, -1]]) for each in (train, test))
    ours = answers(NaiveBayes, train, wc.Dataset(test.header, values))
    np.testing.assert_allclose(ours, answers(NaiveBayes, train_few, test_few), rtol=0, atol=1e-12)


def test_all_that_are_as_near_as_the_ninth_vote():
    attributes = (wc.Attribute("x"), wc.Attribute("y", "nominal", ("a", "b")))
    values = np.array([[float(i // 6), float(i % 6 > 1)] for i in range(60)])
    data = wc.Dataset(wc.Header("ties", attributes, 1), values)
    ours = answers(Neighbours, data, data.take([0, 30]))
    np.testing.assert_allclose(ours, [[1 / 3, 2 / 3]] * 2, rtol=0, atol=1e-12)


def odd():
    """Training data of every odd kind, by name."""
    rng = np.random.default_rng(5)
    header = random_header(rng, n_attributes=5)
    train, test = random_dataset(rng, header, 60, missing=0.1), random_dataset(rng, header, 30, missing=0.1)
    inputs = [i for i in range(len(header.attributes)) if i != header.class_index]
    numeric = [i for i in inputs if not header.attributes[i].is_indexed]
    sets = {
        name: train.values.copy() for name in ("missing", "constant", "single class", "rare class", "infinite", "large")
    }
    sets["missing"][:, inputs] = np.nan
    sets["constant"][:, inputs] = 0
    sets["single class"][:, header.class_index] = 1
    sets["rare class"][:, header.class_index] = [2, *[0, 1] * 29, 0]
    sets["infinite"][::7, numeric], sets["infinite"][1::7, numeric] = np.inf, -np.inf
    sets["large"][::2, numeric] = 1e300
    found = {name: wc.Dataset(header, values) for name, values in sets.items()}
    found["weights"] = replace(train, weights=rng.choice([1e-9, 1.0, 1e9], len(train)))
    found["one row"] = train.take([0])
    return found, test


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("what", odd()[0])
def test_odd_data(what, model):
    train, test = odd()[0][what], odd()[1]
    proba = answers(model, train, test)
    assert np.isfinite(proba).all() and proba.min() >= 0
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-9)
    if what == "single class":
        np.testing.assert_allclose(proba[:, 1], 1, rtol=0, atol=1e-12)


# -- what is learned from them --


def test_a_split():
    """`combined` beside the opinions is the method; a forest answers for itself; opinions help on these data."""
    data = wc.load_arff(ARFF / "credit-g.arff")
    found = measured(data, 3)
    train, test = parted(data, 3)
    tree = wc.J48().grow(train)
    predicted = most_probable(tree.predict_proba(test))
    right = predicted == test.class_values
    figures = found.figures()
    assert set(figures) == {SMOOTHED, *THREE, *LEARNED, FOREST, FOREST_OWN}
    assert figures[COMBINED] == Figures.of(Combined().fit(tree, train).certainty(test), right)
    bayes = NaiveBayes().fit(tree, train).predict_proba(test)
    assert figures[NaiveBayes.name] == Figures.of(bayes[np.arange(len(test)), predicted], right)
    assert figures[SECOND].auroc > figures[COMBINED].auroc
    own = wc.LeafFrequency().fit(wc.grow(train, "RandomForest"), train).answer(test)
    assert figures[FOREST_OWN] == Figures.of(own.certainty, own.predicted == test.class_values)


def test_the_trust_score_by_hand():
    """The distance from the nearest row of another class than the tree's by that from the nearest of its class."""
    attributes = (wc.Attribute("x"), wc.Attribute("y", "nominal", ("a", "b")))
    train = wc.Dataset(wc.Header("line", attributes, 1), np.array([[0.0, 0], [1, 0], [4, 1], [7, 1]]))
    test = wc.Dataset(train.header, np.array([[1.5, 0], [1.5, 0], [4.0, 0]]))
    found = trust(train, test, np.array([0, 1, 1]))
    np.testing.assert_allclose(found[:2], [2.5 / 0.5, 0.5 / 2.5], rtol=1e-12)
    assert found[2] > 1e9, "a row of its own class lies on it"
    alone = trust(train.take([0, 1]), test, np.array([0, 1, 1]))
    assert np.isfinite(alone).all() and alone[0] > alone[1], "no row of the other class"


def test_other_certainties_are_of_the_same_answers():
    data = wc.load_arff(ARFF / "credit-g.arff")
    found = other_certainties(data, 3)
    figures = measured(data, 3).figures()
    assert found[META].error == found[TRUST].error == figures[SECOND].error != found[STACKED].error
    assert all(0.5 < one.auroc < 1 for one in found.values())
    train, _ = parted(data, 3)
    right, shares = out_of_fold(train)
    held_out = Combined().fit(wc.J48().grow(train), train).held_out
    assert right.mean() == held_out.right.mean()
    np.testing.assert_allclose(shares.sum(axis=1), 2, rtol=0, atol=1e-9)


def test_the_meta_model_leaves_out_a_column_without_values():
    train, test = parts("wdbc")
    values = train.values.copy()
    values[:, 0] = np.nan
    right = np.arange(len(train)) % 3 > 0
    found = boosted(wc.Dataset(train.header, values), right, test)
    others = wc.Header("others", train.attributes[1:], train.class_index - 1)
    by_hand = boosted(wc.Dataset(others, values[:, 1:]), right, wc.Dataset(others, test.values[:, 1:]))
    assert train.class_index > 0 and found.tolist() == by_hand.tolist()


def test_with_little_to_learn_laplace_stands_in():
    data = wc.load_arff(ARFF / "iris.arff").take(slice(0, 150, 4))
    found = measured(data, 1)
    assert found.certainty(LEARNED[SECOND]).tolist() == found.outer[:, ASKED.index(SMOOTHED)].tolist()


@pytest.mark.one_commit_in(3)
def test_it_goes_on_where_it_was(tmp_path, monkeypatch):
    folder, kept = tmp_path / "sets", tmp_path / "kept"
    folder.mkdir()
    data = wc.load_arff(ARFF / "credit-g.arff").take(slice(0, 120))
    for name in ("iris", "vote"):  # one of each half
        wc.save_arff(folder / f"{name}.arff", data)
    monkeypatch.setenv("WEKACONF_UCI", str(folder))
    monkeypatch.setattr(records, "OPINIONS", tmp_path / "records.csv.gz")
    monkeypatch.setattr(records, "ABOUT_OPINIONS", tmp_path / "about.json")
    monkeypatch.setattr(second_opinion, "SEEDS", {"design": [1, 2], "judged": [1, 2]})
    monkeypatch.setattr(second_opinion, "FEWEST_SPLITS", {"design": 2, "judged": 2})
    monkeypatch.setattr(sys, "argv", ["second_opinion.py", "--sides", str(kept), "--half", "judged"])
    second_opinion.main()
    assert {row["half"] for row in records.read(records.OPINIONS)} == {"judged"}
    monkeypatch.setattr(sys, "argv", ["second_opinion.py", "--sides", str(kept)])
    second_opinion.main()
    written = records.OPINIONS.read_bytes()
    (kept / "judged" / "vote 2.npz").unlink()
    (kept / "judged" / "vote 1.json").unlink()
    times = {path: path.stat().st_mtime_ns for path in kept.rglob("*.*")}
    second_opinion.main()
    assert records.OPINIONS.read_bytes() == written and len([*kept.rglob("* *.*")]) == 6
    assert records.about(records.ABOUT_OPINIONS) == records.about(kept / "judged" / "about.json")
    assert {path: path.stat().st_mtime_ns for path in times} == times
    rows = records.read(records.OPINIONS)
    assert [(row["half"], row["data_set"]) for row in rows if row["scheme"] == SECOND] == [
        ("design", "iris"), ("judged", "vote"),
    ]  # fmt: skip
    mean = np.mean([Opinions.load(kept / "judged" / f"vote {i}.npz").figures()[SECOND].auroc for i in (1, 2)])
    [row] = [row for row in rows if (row["half"], row["scheme"]) == ("judged", SECOND)]
    assert float(row["auroc"]) == pytest.approx(mean, abs=1e-5)
    assert records.about(records.ABOUT_OPINIONS)["commit"] and "no method `second_opinion`" in PARTS["wanted"](rows)


def test_without_time_nothing_is_written(tmp_path, monkeypatch, capsys):
    wc.save_arff(tmp_path / "vote.arff", wc.load_arff(ARFF / "credit-g.arff").take(slice(0, 120)))
    monkeypatch.setenv("WEKACONF_UCI", str(tmp_path))
    monkeypatch.setattr(records, "OPINIONS", tmp_path / "records.csv.gz")
    argv = ["second_opinion.py", "--sides", str(tmp_path / "kept"), "--half", "judged", "--minutes", "0"]
    monkeypatch.setattr(sys, "argv", argv)
    second_opinion.main()
    assert "judged: not finished" in capsys.readouterr().out and not records.OPINIONS.exists()


# -- the verdict --


def area(scheme):
    rows = [row for row in records.read(records.OPINIONS) if row["half"] == "judged" and row["scheme"] == scheme]
    return {row["data_set"]: float(row["auroc"]) for row in rows}


def test_the_package_has_what_the_verdict_says():
    """The two comparisons that decide, by scipy and by hand."""
    ours, rivals = area(SECOND), [area(COMBINED), area(LAPLACE_TWO)]
    p_values = [wilcoxon([ours[name] - rival[name] for name in ours]).pvalue for rival in rivals]
    first, second = sorted(p_values)
    is_above = all(np.mean([*ours.values()]) > np.mean([*rival.values()]) for rival in rivals)
    passes = is_above and 2 * first <= 0.05 and max(2 * first, second) <= 0.05
    assert stays_in(records.read(records.OPINIONS)) == passes


def test_how_near_a_forest_is_says_so_where_the_interval_is_not():
    ours, forest = area(SECOND), area(FOREST)
    gain = np.array([ours[name] - forest[name] for name in ours])
    picks = np.random.default_rng(7).integers(0, len(gain), (4000, len(gain)))
    goes_below = np.quantile(gain[picks].mean(axis=1), 0.025) < -0.005
    told = wanted(records.read(records.OPINIONS))
    [line] = [line for line in told.splitlines() if f": {SECOND} at most 0.005 below" in line]
    assert line.startswith("* **It holds**") and gain.mean() >= -0.005
    assert line.endswith("the interval goes below −0.005.") == goes_below


def test_combined_is_as_it_was_judged():
    """On the same splits, measured anew beside the opinions; since then almost equal sides count as equal."""
    before = {row["data_set"]: float(row["auroc"]) for row in records.read()
              if (row["learner"], row["scheme"]) == ("J48", COMBINED)}  # fmt: skip
    assert area(COMBINED) == pytest.approx(before, abs=0.002) and len(before) == 28


def test_gains_by_kind_are_counted():
    rows = [row for row in records.read(records.OPINIONS) if row["half"] == "judged"]
    n_classes = {row["data_set"]: int(row["n_classes"]) for row in rows}
    gains = [area(SECOND)[name] - area(COMBINED)[name] for name, n in n_classes.items() if n == 2]
    n_better, n_worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    line = f"| 2 classes | {len(gains)} | {np.mean(gains):+.3f} | {n_better}, {n_worse} |"
    assert line in PARTS["kinds"](records.read(records.OPINIONS))
