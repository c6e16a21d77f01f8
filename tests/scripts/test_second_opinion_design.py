"""The study of how `second_opinion` should pool: one split, its schemes, and the records."""

import numpy as np
import pytest
import second_opinion_design as design
from _records import pack, unpack
from opinions.halves import parted
from support.command_line import ARFF

import wekaconf as wc
from wekaconf.base.rounding import most_probable


@pytest.fixture(scope="module")
def splits():
    data = wc.load_arff(ARFF / "credit-g.arff").take(slice(0, 240))
    return {
        name: [design.Split.measured(data, seed) for seed in seeds] for name, seeds in (("a", (1, 2)), ("b", (3, 4)))
    }


@pytest.mark.jvm
def test_a_scheme_is_the_method_on_the_same_split(splits):
    train, test = parted(wc.load_arff(ARFF / "credit-g.arff").take(slice(0, 240)), 1)
    tree = wc.J48().grow(train)
    for scheme, params in {
        "two opinions": {}, "two opinions, 3 folds": {"folds": 3}, "two opinions, penalty 10": {"penalty": 10.0},
        "two opinions, forest": {"sides": "+".join(design.ALL)},
        "two opinions, no tree": {"sides": "naive_bayes+logistic"},
    }.items():  # fmt: skip
        method = wc.SecondOpinion(**{"folds": 5, "seed": design.SEED} | params).fit(tree, train)
        proba, weights = design.schemes(splits)[scheme]["a"][0]
        np.testing.assert_allclose(weights, method.weights_, rtol=0, atol=1e-9)
        np.testing.assert_allclose(proba, method.predict_proba(test), rtol=0, atol=1e-12)


@pytest.mark.jvm
def test_figures_of_both_kinds_of_answers(splits):
    split = splits["a"][0]
    proba = split.pool(design.TWO, np.ones(3))
    likeliest, held = (split.figures(proba, of_tree=of_tree) for of_tree in (False, True))
    assert likeliest["error"] == (most_probable(proba) != split.actual).mean()
    assert held["error"] == (split.outer_tree != split.actual).mean() and held["own"] == 1.0 > likeliest["own"]
    by_hand = np.mean([((p - np.eye(2)[c]) ** 2).sum() for p, c in zip(proba, split.actual, strict=True)])
    assert likeliest["brier"] == held["brier"] == pytest.approx(by_hand)


@pytest.mark.jvm
def test_records_come_back(splits, tmp_path, monkeypatch):
    monkeypatch.setattr(design, "RECORDS", tmp_path / "records.csv.gz")
    rows = design.rows_of(splits)
    pack(design.RECORDS, rows)
    before = design.RECORDS.read_bytes()
    pack(design.RECORDS, unpack(design.RECORDS))
    assert unpack(design.RECORDS) == rows and design.RECORDS.read_bytes() == before
    assert {row["data_set"] for row in rows} == {"a", "b"}
    assert "\n".join(design.tables(rows)).startswith("2 sets, 4 splits: a, b")


def test_better_and_worse_are_counted_in_the_direction_of_the_figure():
    rows = [
        {"scheme": scheme, "answers": "tree", "data_set": name, "error": error, "coverage": error}
        for scheme, errors in (("x", "0.1 0.2 0.3"), ("y", "0.2 0.3 0.3"))
        for name, error in zip("abc", errors.split(), strict=True)
    ]
    assert design.compared(rows, ("x", "tree"), ("y", "tree"), "error").startswith("2:0 ")
    assert design.compared(rows, ("x", "tree"), ("y", "tree"), "coverage").startswith("0:2 ")
    assert design.compared(rows, ("x", "tree"), ("x", "tree"), "error") == "0:0 p=1"
