"""The study behind docs/records/which-method.md: what it measures, and the page that is written from it."""

import argparse
import itertools
import json
import math
import re
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import which_method
from _records import pack, unpack
from evidence import records
from evidence.figures import all_measured, measured, verdicts
from evidence.measuring import study
from evidence.measuring.study import CLOSED, OPEN, Part, measure
from evidence.page import page
from evidence.records import BASE, Scheme
from evidence.spread import spreads
from sklearn.ensemble import RandomForestClassifier
from support.small_data import small
from which_method import TUNED

import wekaconf as wc
from wekaconf.base.parameters import parameters
from wekaconf.evaluation.protocol import Protocol, splits
from wekaconf.evaluation.statistics import paired_t
from wekaconf.evaluation.summaries import fold_values
from wekaconf.experiments.advising._candidates import PURPOSES
from wekaconf.experiments.advising._rivals import answers_of_rivals
from wekaconf.model.scheme import learner_of, parse_method

ARFF = Path(__file__).parents[2] / "arff"
DOCS = Path(__file__).parents[2] / "docs"


# -- what is measured ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def measured_iris(iris):
    parts = [
        Part("J48", ("leaf_frequency", "m_branch", "id3_sd"), CLOSED),
        Part("rivals", ("J48, isotonic calibration", "gradient boosting"), CLOSED),
        Part("J48", ("leaf_frequency", "id3_sd"), OPEN),
    ]
    return [record for part in parts for record in measure(part, "iris", iris)]


@pytest.mark.one_commit_in(3)
def test_methods_have_the_figures_of_evaluate(iris, measured_iris):
    found = {record["method"]: record for record in measured_iris if record["protocol"] == CLOSED}
    for name in ("leaf_frequency", "m_branch"):
        [(record, _)] = wc.evaluate(iris, [name])
        for measure_name in ("percent_correct", "auc_weighted", "brier", "ece", "log_loss"):
            mean = np.mean(found[name]["values"][measure_name])
            assert mean == pytest.approx(record["fold_mean"][measure_name], rel=1e-8)
        assert found[name]["fit_seconds"] > 0
    assert len(found["gradient boosting"]["values"]["aurc"]) == 10
    assert json.loads(json.dumps(measured_iris)) == measured_iris


def test_a_value_is_null_where_it_is_undefined_and_nowhere_else(iris):
    """The AUC of a fold in which all are of one class."""
    data = iris.take(slice(0, 54))
    [record] = measure(Part("J48", ("leaf_frequency",), CLOSED), "iris", data)
    has_both = [len(set(data.take(test).class_values)) == 2 for _, test in splits(data, seed=1)]
    assert [value is not None for value in record["values"]["auc_weighted"]] == has_both
    assert has_both.count(True) == 4
    assert None not in record["values"]["percent_correct"]


def test_rivals_stand_on_the_same_folds(iris, measured_iris):
    [record] = [record for record in measured_iris if record["method"] == "gradient boosting"]
    for fold, (train, test) in enumerate(splits(iris, seed=1)):
        answer = answers_of_rivals(iris.take(train), iris.take(test), "gradient boosting")
        right = 100 * (answer.proba.argmax(axis=1) == iris.take(test).class_values).mean()
        assert record["values"]["percent_correct"][fold] == pytest.approx(right, rel=1e-8)


def test_two_classes_cannot_be_halved():
    data = wc.load_arff(ARFF / "wdbc.arff")
    [record] = measure(Part("J48", ("leaf_frequency",), OPEN), "wdbc", data)
    assert record["left_out"] == "with two classes, one would be left"


def test_a_method_that_cannot_read_a_tree_is_left_out_alone(iris):
    found = measure(Part("J48", ("leaf_frequency", "tpce"), CLOSED), "iris", iris)
    assert [record["left_out"] is None for record in found] == [True, False]
    assert "reads trees of info_gain" in found[1]["left_out"]


def test_a_group_that_takes_too_long_is_given_up(iris, monkeypatch):
    monkeypatch.setattr(study, "MOST_SECONDS", 0.0)
    for part in (Part("J48", ("leaf_frequency", "m_branch"), CLOSED), Part("rivals", ("random forest",), CLOSED)):
        assert {record["left_out"][:9] for record in measure(part, "iris", iris)} == {"more than"}


def test_it_goes_on_where_it_stopped(tmp_path):
    paths = {name: str(ARFF / f"{name}.arff") for name in ("iris", "wine")}
    chosen = [Part("J48", ("leaf_frequency",), CLOSED), Part("C44", ("leaf_frequency",), CLOSED)]
    nothing, missing = study.measure_all(paths, resume=str(tmp_path / "s"), seconds=-1, chosen=chosen)
    assert nothing == [] and len(missing) == 4
    assert {(each.data_set, each.why) for each in missing} == {
        (name, "not measured yet: the time was over") for name in paths
    }
    found, missing = study.measure_all(paths, resume=str(tmp_path / "s"), chosen=chosen)
    assert len(found) == 4 and missing == []
    again, missing = study.measure_all(paths, resume=str(tmp_path / "s"), seconds=-1, chosen=chosen)
    assert again == found and missing == []


def test_every_method_is_part_of_the_study_but_one_that_is_measured_by_itself():
    tried = {method.partition(":")[0] for part in study.parts() for method in part.methods if part.learner != "rivals"}
    about = json.loads((DOCS / "records" / "which-method.json").read_text(encoding="utf-8"))
    assert tried.isdisjoint(about["only"]) and tried | about["only"].keys() == set(wc.available_methods())


# -- one method by itself ------------------------------------------------------------------------------------------


@pytest.fixture
def on_record(tmp_path, monkeypatch):
    """Records of iris with one seed, of wine with more, and of a set that has no file; and what adds a method."""
    monkeypatch.setattr(which_method, "RECORDS", tmp_path / "rows.csv.gz")
    monkeypatch.setattr(which_method, "ABOUT", tmp_path / "about.json")
    parts = [Part("J48", ("leaf_frequency", "m_branch"), CLOSED), Part("C44", ("leaf_frequency",), CLOSED)]
    paths = {name: str(ARFF / f"{name}.arff") for name in ("iris", "wine")}
    found, _ = study.measure_all(paths, resume=str(tmp_path / "study"), chosen=parts)
    gone = [record | {"data_set": "gone"} for record in found if record["data_set"] == "iris"]
    rows = [row | {"n_seeds": "10"} if row["data_set"] == "wine" else row for row in records.compact(found + gone)]
    about = {"command": "python x", "versions": {"wekaconf": "0"}, "missing": [], "spread": []}
    which_method._write(which_method.RECORDS, which_method.ABOUT, rows, about)

    def measure_only(method, minutes=math.inf):
        given = argparse.Namespace(
            only=method, folder=ARFF, store=str(tmp_path / "store"), seeds=1, jobs=1, minutes=minutes
        )
        is_any = which_method.measure_only(paths, given)
        return is_any, unpack(which_method.RECORDS), json.loads(which_method.ABOUT.read_text(encoding="utf-8"))

    return rows, measure_only


def test_one_method_comes_into_the_records_and_all_other_rows_stay(iris, on_record, capsys):
    rows, measure_only = on_record
    is_any, together, about = measure_only("curtailment")
    assert is_any and [row for row in together if row["method"] != "curtailment"] == rows
    places = [i for i, row in enumerate(together) if row["method"] == "curtailment"]
    assert [(together[i - 1]["method"], together[i + 1]["learner"]) for i in places] == [("m_branch", "C44")] * 2
    of_iris, of_wine = (together[i] for i in places)
    assert of_iris["n_seeds"] == of_wine["n_seeds"] == "1"
    [(plain, _), (own, _)] = wc.evaluate(iris, ["leaf_frequency", "curtailment"])
    brier, of_plain = own["fold_mean"]["brier"], plain["fold_mean"]["brier"]
    assert records.number(of_iris, "brier") == pytest.approx(brier, rel=1e-4)
    assert records.number(of_iris, "brier.gain") == pytest.approx(brier - of_plain, rel=1e-3, abs=1e-9)
    assert "not measured: gone" in capsys.readouterr().err
    assert about["only"]["curtailment"]["command"].endswith(" --only curtailment")
    assert about["missing"] == [{"learner": "J48", "methods": ["curtailment"], "seeds": [1], "data_sets": 1}]
    assert measure_only("curtailment", minutes=-1) == (True, together, about)  # from the store, and once


def test_nothing_is_written_while_a_method_has_no_row(on_record):
    rows, measure_only = on_record
    is_any, together, about = measure_only("curtailment", minutes=-1)
    assert not is_any and together == rows and "only" not in about


def test_a_method_does_not_come_into_records_of_other_trees(on_record):
    rows, measure_only = on_record
    for row in rows:
        row["brier"] = "0.5"
    pack(which_method.RECORDS, rows)
    with pytest.raises(wc.OptionError, match=r"iris, 10-fold: the plain J48 tree has other figures"):
        measure_only("curtailment")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["--only", "nothing"], "no method 'nothing'; the methods are"),
        (["--only", "curtailment"], "--only needs a FOLDER"),
    ],
    ids=["unknown", "no folder"],
)
def test_one_method_needs_a_name_and_a_folder(monkeypatch, capsys, given, expected):
    monkeypatch.setattr(sys, "argv", ["which_method.py", *given])
    with pytest.raises(SystemExit):
        which_method.main()
    assert expected in capsys.readouterr().err


# -- several seeds -------------------------------------------------------------------------------------------------


def test_all_that_draws_gets_the_seed_whose_default_is_one(iris):
    of_methods = {m: parse_method(m) for part in study.parts() if part.learner != "rivals" for m in part.methods}
    of_learners = {part.learner: learner_of(part.learner) for part in study.parts() if part.learner != "rivals"}
    ours = {text for text, each in (of_methods | of_learners).items() if "seed" in parameters(type(each))}
    assert ours | {"RandomForest"} == set(study.SEEDED)
    for text in ours:
        assert (of_methods | of_learners)[text].seed == 1
    one, two, default = (wc.grow(iris, text) for text in ("RandomForest -S 1", "RandomForest -S 2", "RandomForest"))
    np.testing.assert_array_equal(one.predict_proba(iris), default.predict_proba(iris))
    assert (one.predict_proba(iris) != two.predict_proba(iris)).any()


@pytest.mark.one_commit_in(3)
def test_two_seeds_are_the_means_of_two_runs_by_hand(iris, tmp_path, monkeypatch):
    """Wine, which has more cells than the rule admits here, has one seed."""
    monkeypatch.setattr(study, "MOST_CELLS", 500)
    paths = {name: str(ARFF / f"{name}.arff") for name in ("wine", "iris")}
    chosen = [Part("J48", ("leaf_frequency", "m_branch"), CLOSED), Part("RandomForest", ("leaf_frequency",), CLOSED),
              Part("rivals", ("random forest",), CLOSED)]  # fmt: skip
    found, missing = study.measure_all(paths, resume=str(tmp_path / "s"), n_seeds=2, chosen=chosen)
    assert missing == []
    rows = {(row["data_set"], row["protocol"], row["learner"], row["method"]): row for row in records.compact(found)}
    assert {key: row["n_seeds"] for key, row in rows.items()} == {key: "1" if key[0] == "wine" else "2" for key in rows}
    assert len(rows) == 8

    def by_hand(method, learner="J48"):
        pairs = [wc.evaluate(iris, [method], learner=f"{learner}{of}", seed=seed)
                 for seed, of in ((1, ""), (2, " -S 2" if learner == "RandomForest" else ""))]  # fmt: skip
        return [pair for [pair] in pairs]

    plain, m_branch, forest = by_hand("leaf_frequency"), by_hand("m_branch"), by_hand("leaf_frequency", "RandomForest")
    for told, key in (
        (plain, BASE),
        (m_branch, Scheme("J48", "m_branch")),
        (forest, Scheme("RandomForest", "leaf_frequency")),
    ):
        for name in ("percent_correct", "brier", "auc_weighted"):
            mean = np.mean([record["fold_mean"][name] for record, _ in told])
            assert records.number(rows["iris", CLOSED, *key], name) == pytest.approx(mean, rel=1e-4)
    folds = [
        np.concatenate([fold_values(answers, ["brier"]).values["brier"] for _, answers in told])
        for told in (m_branch, plain)
    ]
    test, row = paired_t(*folds, test_train_ratio=1 / 9), rows["iris", CLOSED, "J48", "m_branch"]
    assert test.n_pairs == 20 and 0 < test.p_value < 1
    assert records.number(row, "brier.gain") == pytest.approx(test.effect, rel=1e-4)
    assert records.number(row, "brier.p") == pytest.approx(test.p_value, rel=1e-2)
    right = []
    for seed in (1, 2):
        for train, test_rows in splits(iris, seed=seed):
            one, other = iris.take(train), iris.take(test_rows)
            fitted = RandomForestClassifier(random_state=seed).fit(one.values[:, :-1], one.class_values)
            proba = fitted.predict_proba(other.values[:, :-1])
            right.append(100 * (proba.argmax(axis=1) == other.class_values).mean())
    told = records.number(rows["iris", CLOSED, "rivals", "random forest"], "percent_correct")
    assert told == pytest.approx(np.mean(right), rel=1e-4)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_classes_that_are_left_out_are_drawn_with_the_seed(seed):
    """Of six classes, so that three are known and there is a tree."""
    classes = np.arange(120) % 6
    random = np.random.default_rng(4)
    data = small(
        a=(classes + random.normal(scale=0.8, size=120)).tolist(), b=random.normal(size=120).tolist(),
        target=[f"c{i}" for i in classes],
    )  # fmt: skip
    [record] = measure(Part("J48", ("leaf_frequency",), OPEN, seed), "six", data)
    [(_, answers)] = wc.evaluate(data, ["leaf_frequency"], protocol=Protocol(seed=seed, leave_out="half"))
    expected = fold_values(answers, ["auroc_known"]).values["auroc_known"]
    assert record["values"]["auroc_known"] == pytest.approx(expected, rel=1e-8)
    assert record["seed"] == seed and answers.known.sum() == 3
    first = wc.evaluate(data, ["leaf_frequency"], protocol=Protocol(leave_out="half"))[0][1]
    assert np.array_equal(answers.known, first.known) == (seed == 1)


def counts(rows, **given):
    return {row["n_seeds"] for row in rows if all(row[name] == value for name, value in given.items())}


def test_a_seed_counts_on_a_set_once_all_is_measured_with_it():
    second = made_up(seed=2)
    gap = [
        each for each in second if (each["data_set"], each["protocol"], each["method"]) == ("set3", CLOSED, "m_branch")
    ]
    rows = records.compact([*made_up(), *(each for each in second if each not in gap)])
    assert counts(rows, data_set="set3", protocol=CLOSED) == {"1"}
    assert counts(rows, data_set="set3", protocol=OPEN) == counts(rows, data_set="set4") == {"2"}
    alone = [row for row in records.compact(made_up()) if row["data_set"] == "set3" and row["protocol"] == CLOSED]
    assert [row for row in rows if row["data_set"] == "set3" and row["protocol"] == CLOSED] == alone


def test_without_a_plain_tree_a_seed_does_not_count_and_without_a_method_that_is_left_out():
    second = [
        {**each, "values": {}, "left_out": "no folds"} if each["data_set"] == "set0" else each
        for each in made_up(seed=2)
    ]
    for each in second:
        if (each["data_set"], each["method"]) == ("set1", "ling_yan"):
            each |= {"values": {}, "left_out": "too odd"}
    rows = records.compact([*made_up(), *second])
    assert counts(rows, data_set="set0") == {"1"} and counts(rows, data_set="set1") == {"2"}
    reasons = {(row["data_set"], row["method"]): row["left_out"] for row in rows if row["left_out"]}
    assert reasons == {("set1", "ling_yan"): "with seed 2: too odd"}


def test_the_page_says_how_many_seeds_stand_behind_it_and_how_far_they_differ():
    made = [*made_up(), *made_up(8, seed=2), *made_up(8, seed=3)]
    rows = records.compact(made)
    told = spreads(made, all_measured(rows))
    assert {(each.purpose, each.n_sets) for each in told} == {(name, 8) for name in PURPOSES}
    [forest] = [each for each in told if (each.purpose, each.method) == ("ranking", "random forest")]
    by_hand = [
        np.mean([
            np.mean(each["values"]["auc_weighted"]) for each in made
            if each["seed"] == seed and each["protocol"] == CLOSED and each["method"] == "random forest"
            and int(each["data_set"].removeprefix("set")) < 8
        ]) for seed in (1, 2, 3)
    ]  # fmt: skip
    assert forest.means == pytest.approx(by_hand, rel=1e-12)
    about = {
        "command": "x",
        "versions": {},
        "missing": [],
        "spread": json.loads(json.dumps([each._asdict() for each in told])),
    }
    text = page(rows, about)
    seeds = text.partition("## Seeds")[2].partition("\n## ")[0]
    assert (
        "* For all other purposes: 3 seeds behind 8 data sets, 8 of them in the tests; 1 seed behind 4 data sets, 4 of "
        "them in the tests."
    ) in seeds
    assert "at most 2000 instances times classes, which admits 12" in seeds
    assert f"| *random forest* | 8 | {np.mean(by_hand):.4f} | {np.std(by_hand, ddof=1):.4f} |" in seeds
    assert "with up to 3 seeds per data set" in text and "Every seed is that of the folds" in text
    assert spreads(made_up(), all_measured(records.compact(made_up()))) == []
    assert measured(rows, PURPOSES["ranking"]).tests[BASE][0].n_pairs == 30


# -- the page ------------------------------------------------------------------------------------------------------


def made_up(n_sets=12, seed=1):
    """Records in which one method is better than the plain tree on every data set, one worse, and one the same."""
    schemes = {BASE: 0.0, Scheme("J48", "m_branch"): 0.02, Scheme("J48", "ling_yan"): -0.02,
               Scheme("J48", "id3_sd"): 0.0, Scheme("rivals", "random forest"): 0.05}  # fmt: skip
    random = np.random.default_rng(seed)
    found = []
    for place, protocol in itertools.product(range(n_sets), (CLOSED, OPEN)):
        plain = 0.7 + 0.1 * random.random(10)
        for scheme, gain in schemes.items():
            noise = 0.001 * random.normal(size=10) if gain else 0
            better = plain + gain * (1 + place / 10) + noise
            values = {
                name: (1 - better if name in ("brier", "aurc", "log_loss", "ece", "error_at_0.8") else better).tolist()
                for name in study.MEASURES[protocol]
            }
            found.append({
                "data_set": f"set{place}", "seed": seed, "n_instances": 100, "n_classes": 3, "protocol": protocol,
                "learner": scheme.learner, "method": scheme.method, "test_train_ratio": 1 / 9, "values": values,
                "fit_seconds": 0.001, "answer_seconds": None, "left_out": None,
            })  # fmt: skip
    return found


def test_the_page_says_what_the_records_hold():
    rows = records.compact(made_up())
    missing = [
        {"learner": "RandomForest", "methods": ["confdtree", "shrinkage"], "seeds": [1], "data_sets": 1},
        {"learner": "J48", "methods": ["a", "b", "c", "d"], "seeds": [2, 3], "data_sets": 3},
    ]
    about = {"command": "python x", "versions": {"wekaconf": "0"}, "missing": missing, "spread": []}
    text = page(rows, about | {"remark": "A remark."})
    assert "folds of 12 UCI data sets" in text and "\nA remark.\n" in text
    left = (
        "`confdtree` and `shrinkage` on RandomForest for 1 data set; 4 methods on J48 for 3 data sets (seeds 2 and 3)"
    )
    assert "## Seeds" not in text
    assert f"**The study is not finished**: still to be measured are {left}. What" in text
    for purpose in PURPOSES.values():
        section = text.partition(f"## For {purpose.title}")[2].partition("\n## ")[0]
        better = re.search(r"Significantly better than the plain J48 tree: (.*?); worse: (.*?); no", section)
        assert [("m_branch" in part, "random forest" in part, "ling_yan" in part) for part in better.groups()] == [
            (True, True, False), (False, False, True),
        ]  # fmt: skip
        assert f"({purpose.name}.svg" in section.replace("../assets/which-method/", "")
        assert "over the 12 of 12 data sets on which all 4 methods" in section
        assert re.search(r"\| `m_branch` \| 2.00 \|.*\| 12/0/0 \|", section)
        assert re.search(r"\| `ling_yan` \| 4.00 \|.*\| 0/0/12 \|", section)
        assert "| `id3_sd` |" not in section


def test_the_committed_page_is_the_one_of_the_committed_records():
    rows = unpack(DOCS / "records" / "which-method.csv.gz")
    about = json.loads((DOCS / "records" / "which-method.json").read_text(encoding="utf-8"))
    assert page(rows, about, TUNED.read_text(encoding="utf-8")) == (DOCS / "records" / "which-method.md").read_text(
        encoding="utf-8"
    )


def test_a_set_with_the_instances_of_another_counts_once():
    records_of_two = [record | {"data_set": "pima"} for record in made_up(1)]
    rows = records.compact([*made_up(), *records_of_two])
    assert len(measured(rows, PURPOSES["ranking"]).data_sets) == 12
    text = page(rows, {"command": "x", "versions": {}, "missing": [], "spread": []})
    assert "in the records only: pima." in text
    assert "not finished" not in text and "too few" not in text
    few = page(records.compact(made_up(4)), {"command": "x", "versions": {}, "missing": [], "spread": []})
    assert "4 data sets are too few for any of them to find a difference" in few


def without(made, n_missing, method):
    """Records in which a scheme has no value on the first data sets, where all others do better by one half."""
    first = {f"set{place}" for place in range(n_missing)}
    for record in made:
        if record["data_set"] in first:
            record["values"] = {name: [value + 0.5 for value in values] for name, values in record["values"].items()}
    return [record for record in made if record["method"] != method or record["data_set"] not in first]


def test_means_ranks_and_wins_are_over_the_sets_that_all_ranked_schemes_share():
    """One of twelve sets is missing for a scheme that is ranked all the same."""
    everything = made_up()
    rest = measured(records.compact([one for one in everything if one["data_set"] != "set0"]), PURPOSES["ranking"])
    found = measured(records.compact(without(made_up(), 1, "ling_yan")), PURPOSES["ranking"])
    assert found.shared.sum() == 11 and len(found.data_sets) == 12
    assert found.over_shared("auc_weighted") == rest.over_shared("auc_weighted")
    assert found.mean_ranks == rest.mean_ranks
    assert found.wins(Scheme("J48", "m_branch")) == (11, 0, 0)


def test_what_was_measured_on_fewer_sets_stands_beside_others_on_these_alone():
    """`ling_yan` is worse than the plain tree wherever it was measured; the mean over other sets would hide it."""
    rows = records.compact(without(made_up(), 3, "ling_yan"))
    found = measured(rows, PURPOSES["ranking"])
    assert Scheme("J48", "ling_yan") not in found.mean_ranks
    n_sets, (its_mean, plain) = found.beside(Scheme("J48", "ling_yan"), [BASE])
    assert n_sets == 9 and -0.04 < its_mean - plain < -0.02
    text = page(rows, {"command": "x", "versions": {}, "missing": [], "spread": []})
    section = text.partition("## For ranking")[2].partition("\n## ")[0]
    assert f"| `ling_yan` | 9 | {its_mean:.4f} | {plain:.4f} | " in section


@cache
def committed():
    rows = unpack(DOCS / "records" / "which-method.csv.gz")
    return [measured(rows, purpose) for purpose in PURPOSES.values()]


def test_holm_is_over_all_tests_of_the_page():
    found = committed()
    tested = verdicts(found)
    p_values = {pair: each.test(pair.scheme, pair.base).p_value for each in found for pair in each.pairs()}
    assert len(tested) == len(p_values) > 500
    smallest = sorted(p_values, key=p_values.__getitem__)
    running = 0.0
    for place, pair in enumerate(smallest):
        running = max(running, min(1.0, p_values[pair] * (len(smallest) - place)))
        assert tested[pair].p_value == pytest.approx(running, rel=1e-9)
