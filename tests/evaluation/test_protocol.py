"""How methods are measured, on which splits, and what an evaluation gives back."""

import math
import sys
import warnings
from collections import Counter

import numpy as np
import pytest
from support.command_line import ARFF
from support.small_data import small

import wekaconf as wc
from wekaconf.evaluation.measures import METRICS
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.evaluation.protocol import draw_known, splits
from wekaconf.model.fit import threshold
from wekaconf.report._titles import way_of

PAIRS = {
    "split excludes test": {"split": 0.5, "test": small(x=[1], c=["a"])},
    "test excludes given": {"test": small(x=[1], c=["a"]), "given": []},
    "split: expected a share between 0 and 1 or counts such as 20:50, got '1.5'": {"split": 1.5},
    "split excludes folds": {"split": 0.5, "folds": 5},
    "given excludes runs": {"given": [], "runs": 2},
    "test excludes runs": {"test": small(x=[1], c=["a"]), "runs": 2},
    "stratified belongs to split": {"stratified": True},
    "known excludes leave_out": {"known": ["a", "b"], "leave_out": "one"},
    "test excludes leave_out": {"test": small(x=[1], c=["a"]), "leave_out": "one"},
    "per_fold belongs to preprocess": {"per_fold": True},
    "fit the preprocessing per fold": {"known": ["a", "b"], "preprocess": "median"},
    "threshold_from: expected": {"threshold_from": "test"},
    "calibration rows must take no part in the": {"aim": wc.Aim("error", 0.1, 0.9), "preprocess": "median"},
    "cost_matrix: expected a CostMatrix, such as": {"cost_matrix": [[0, 1], [5, 0]]},
    "an open set trains on some of": {"leave_out": "one", "cost_matrix": wc.CostMatrix([[0, 1], [5, 0]])},
    "folds: expected a whole number of at least 2, or loo, got '1'": {"folds": 1},
    "folds: expected a whole number of at least 2, or loo, got 'all'": {"folds": "all"},
    "runs: expected a whole number of at least 1, got '0'": {"runs": 0},
    "runs: expected a whole number of at least 1, got 'True'": {"runs": True},
    "seed: expected a whole number, got '1.5'": {"seed": 1.5},
    "calibrate: expected a share of the training rows, more than 0 and less than 1, got 0$": {"calibrate": 0},
    "calibrate: expected a share of the training rows, more than 0 and less than 1, got 1$": {"calibrate": 1},
    "less than 1, got 30; write 0.3 for 30 %": {"calibrate": 30},
    "less than 1, got 1000*$": {"calibrate": 10**400},
    "split excludes given": {"split": 0.5, "given": []},
    "split: expected a share between 0 and 1 or counts such as 20:50, got '1:0'": {"split": (1, 0)},
}


@pytest.mark.parametrize("message", PAIRS)
def test_contradictions_are_refused(message):
    with pytest.raises(wc.OptionError, match=message):
        wc.Protocol(**PAIRS[message])


@pytest.mark.parametrize(
    ("protocol", "message"),
    [
        ({"known": [["a", "b"]], "folds": 2, "runs": 2}, "known: expected one sequence .* for each of the 2 runs, got"),
        ({"given": [([0, 1], [2, 3])]}, "given: expected one sequence"),
        ({"given": [([0, 1, 2], [3])]}, r"given: expected one sequence of \(train, test\) per run, such as"),
        ({"given": [[([0, 1], [4])]]}, "given: expected one sequence"),
        ({"given": [[7]]}, "given: expected one sequence"),
        ({"cost_matrix": wc.CostMatrix([[0, 1], [5, 0]])}, r"cost_matrix: expected 3 rows .* of 'small' .*, got 2"),
        (
            {"given": [[([0], [2, 3])]], "aim": wc.Aim("keep", 0.9)},
            "out of fold on fewer than 2 training instances, and 'small' has 1; give more, or",
        ),
    ],
)
def test_what_does_not_fit_the_data_is_refused(jvm, protocol, message):
    data = small(x=[1, 2, 3, 4], c=list("abcc"))
    with pytest.raises(wc.OptionError, match=message):
        wc.evaluate(data, "leaf_frequency", learner="CART", protocol=wc.Protocol(**protocol))


def test_a_matrix_of_other_classes_is_refused_before_anything_grows():
    protocol = wc.Protocol(cost_matrix=wc.CostMatrix([[0, 1], [5, 0]]), given=[[([0, 1, 2], [3])]])
    with pytest.raises(wc.OptionError, match="cost_matrix: expected 3 rows"):
        protocol.prepare(small(x=[1, 2, 3, 4], c=list("abcc")))


@pytest.mark.parametrize(("classes", "leave_out", "n_known"), [
    ("abc", "one", 2), ("abc", "half", 2), ("abcd", "half", 2), ("abcd", "one", 3), ("ab", "one", 1), ("ab", "half", 1),
])  # fmt: skip
def test_two_classes_stay_known_at_least(jvm, classes, leave_out, n_known):
    """A class without instances is never unknown, and a missing class is none."""
    cells = [*classes, None]
    data = small(x=list(range(len(cells))), c=((*classes, "never"), cells))
    if n_known < 2:
        with pytest.raises(wc.OptionError, match=f"without {leave_out} of them 1 would be known, and a tree needs 2"):
            draw_known(data, leave_out, 1)
        return
    drawn = [draw_known(data, leave_out, seed) for seed in range(12)]
    assert {len(known) for known in drawn} == {n_known + 1} and all("never" in known for known in drawn)
    assert any("a" not in known for known in drawn)


def test_two_training_instances_are_enough_for_a_threshold(jvm):
    data, aim = small(x=[1, 2, 3, 4], c=list("abab")), wc.Aim("keep", 0.9)
    split = wc.Protocol(given=[[([0, 1], [2, 3])]], aim=aim)
    assert wc.evaluate(data, "leaf_frequency", learner="CART", protocol=split).records[0]["reject"]["n"] == 2
    fitted = wc.LeafFrequency().fit(wc.CART().grow(data), data)
    with pytest.raises(wc.OptionError, match="threshold_from: expected 'out-of-fold' or 'training', got 'test'"):
        threshold(fitted, data, aim, threshold_from="test")


def test_repr_can_be_typed_back():
    protocol = wc.Protocol(folds=5, runs=2, preprocess="median", aim=wc.Aim("keep", 0.9))
    assert (
        repr(protocol) == "Protocol(folds=5, runs=2, preprocess='median', "
        "aim=Aim(kind='keep', value=0.9, confidence=None, reject_costs=None))"
    )
    assert eval(repr(protocol), {"Protocol": wc.Protocol, "Aim": wc.Aim}) == protocol
    assert repr(wc.Protocol()) == "Protocol()"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"leave_out": "half"}, "open set, half of the classes left out"),
        ({"known": ("setosa", "virginica")}, "open set, known: setosa, virginica"),
        ({"preprocess": "median"}, "preprocessing median, fitted on the whole set"),
        ({"preprocess": "median", "per_fold": True}, "preprocessing median, fitted on each training set"),
        ({"filters": ("weka.filters.unsupervised.attribute.Normalize",)}, "Normalize, fitted on each training set"),
        ({"cost_matrix": wc.CostMatrix(5 * (1 - np.eye(3)))}, "weighted by the cost matrix [0 5 5; 5 0 5; 5 5 0]"),
    ],
)
def test_titles_say_what_was_done_to_the_data(jvm, iris, values, words):
    protocol = wc.Protocol(folds=2, **values)
    [record] = wc.evaluate(iris, "leaf_frequency", learner="CART", protocol=protocol).records
    first, *others = way_of(record).split("; ")
    assert first == "2-fold cross-validation, seed 1" and "; ".join(others).endswith(words)


def test_short_form_is_the_protocol(jvm, iris):
    short = wc.evaluate(iris, ["leaf_frequency", "confdtree"], folds=4, seed=3, runs=2)
    long = wc.evaluate(iris, ["leaf_frequency", "confdtree"], protocol=wc.Protocol(folds=4, seed=3, runs=2))
    given = wc.evaluate(
        iris,
        ["leaf_frequency", "confdtree"],
        protocol=wc.Protocol(given=[splits(iris, folds=4, seed=seed) for seed in (3, 4)]),
    )
    for one, other, third in zip(short, long, given, strict=True):
        assert one.record == other.record
        np.testing.assert_array_equal(one.answers.proba, other.answers.proba)
        np.testing.assert_array_equal(one.answers.proba, third.answers.proba)
        assert one.record["pooled"] == third.record["pooled"]
    assert short.records[0]["protocol"] == "4-fold cross-validation"
    assert given.records[0]["protocol"] == "given splits"


def test_protocol_twice_is_refused():
    data = small(x=[1, 2, 3, 4], c=["a", "b", "a", "b"])
    with pytest.raises(wc.OptionError, match="protocol: folds is given beside it"):
        wc.evaluate(data, "leaf_frequency", protocol=wc.Protocol(), folds=2)
    with pytest.raises(wc.OptionError, match="expected a Protocol, such as"):
        wc.evaluate(data, "leaf_frequency", protocol=10)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ([], "expected names or objects of methods"),
        (3, "expected names or objects of methods"),
        ([3], "expected names or objects of methods, got int"),
        (["wpe", "wpe"], "'wpe' is given twice"),
        ([wc.WPE(), "wpe"], "'wpe' is given twice"),
        ("wpee", "no method 'wpee'; did you mean 'wpe'?"),
    ],
)
def test_wrong_methods(methods, message):
    with pytest.raises(wc.OptionError, match=message):
        wc.evaluate(small(x=[1, 2], c=["a", "b"]), methods)


def undefined(measured):
    return {name: undefined(value) if isinstance(value, dict) else math.nan for name, value in measured.items()}


@pytest.mark.parametrize(
    "chosen", [["auc_wang2006"], ("brier", "auc_mean_no_ties", "brier"), METRICS, [], ["aurc", "ece"]]
)
def test_chosen_metrics_are_measured_as_among_all(chosen, jvm, wine):
    every = wc.evaluate(wine, ["leaf_frequency", "m_branch"], folds=3, runs=2)
    some = wc.evaluate(wine, ["leaf_frequency", "m_branch"], folds=3, runs=2, metrics=chosen)
    for one, other in zip(every.records, some.records, strict=True):
        for part in ("pooled", "fold_mean", "fold_std"):
            expected = {name: value if name in chosen else math.nan for name, value in one[part].items()}
            np.testing.assert_equal(other[part], expected)
        measured = {"pooled": 0, "fold_mean": 0, "fold_std": 0, "reject": 0}
        assert one | measured == other | measured
        expected = one["reject"] if "aurc" in chosen else undefined(one["reject"])
        np.testing.assert_equal(other["reject"], expected)
    summary = some.summary()
    assert "wine" in summary and "nan" not in summary
    assert some.compare(measure="auc_mean").text() == every.compare(measure="auc_mean").text()  # from the answers


@pytest.mark.parametrize(
    "protocol", [wc.Protocol(folds=3, aim=wc.Aim("keep", 0.9)), wc.Protocol(folds=3, leave_out="half")]
)
def test_what_the_protocol_rejects_is_measured_in_any_case(protocol, jvm, wine):
    every, some = (wc.evaluate(wine, "m_branch", protocol=protocol, metrics=metrics) for metrics in (None, ["brier"]))
    assert some.records[0]["reject"] == every.records[0]["reject"]
    assert "nan" not in some.summary()


@pytest.mark.parametrize(
    ("metrics", "more", "message"),
    [
        (["auc_mea"], {}, "metrics: expected percent_correct, .*, got 'auc_mea'; did you mean 'auc_mean'?"),
        (["auroc_correct"], {}, "got 'auroc_correct'"),
        ([3], {}, "got '3'"),
        ("auc_mean", {}, r"metrics: expected names of metrics, such as \['percent_correct'\], got 'auc_mean'"),
        (3, {}, "got 3"),
        (["auc_mean"], {"resume": "store.sqlite"}, "a store keeps all of them"),
    ],
)
def test_wrong_metrics(metrics, more, message):
    with pytest.raises(wc.OptionError, match=message):
        wc.evaluate(small(x=[1, 2], c=["a", "b"]), "leaf_frequency", metrics=metrics, **more)


@pytest.mark.parametrize("given", [[[1.0]], np.zeros((3, 2)), None, "iris.arff"])
def test_what_is_no_dataset_is_told(given):
    for call in (
        lambda: wc.evaluate(given, "confdtree"),
        lambda: wc.grow(given),
        lambda: wc.J48().grow(given),
        lambda: wc.ConfDTree().fit(given, given),
        lambda: splits(given),
        lambda: fit_preprocessing(given, "median"),
    ):
        with pytest.raises(wc.OptionError, match=r"expected a (Dataset|tree)"):
            call()


def test_each_method_keeps_its_own_learner(jvm, iris):
    with pytest.warns(wc.Note, match="where it names one: 'leaf_frequency' on J48; 'id3_sd' on J48 -U"):
        found = wc.evaluate(iris, ["leaf_frequency", "id3_sd", "kukar_kononenko"], folds=3)
    assert [(record["learner"], record["options"]) for record in found.records] == [
        ("J48", ""),
        ("J48", "-U -M 1"),
        ("info_gain", ""),
    ]
    for record, _ in found:
        [alone] = wc.evaluate(
            iris, record["label"], folds=3, learner=record["learner"], options=record["options"]
        ).records
        assert alone == record
    lines = found.summary().splitlines()
    assert any(line.split()[:2] == ["kukar_kononenko", "info_gain"] for line in lines)
    assert any(line.split()[:5] == ["id3_sd", "J48", "-U", "-M", "1"] for line in lines)
    one = wc.evaluate(iris, ["leaf_frequency", "id3_sd"], folds=3, learner="J48").records
    assert {(record["learner"], record["options"]) for record in one} == {("J48", "")}
    with pytest.raises(wc.OptionError, match="the methods use several learners"):
        wc.evaluate(iris, ["leaf_frequency", "kukar_kononenko"], folds=3, options="-M 5")


def test_evaluation_tells_of_itself(jvm, iris):
    found = wc.evaluate(iris, ["leaf_frequency", wc.ConfDTree(variant="tdist")], folds=3)
    assert repr(found) == (
        "Evaluation(leaf_frequency, confdtree:variant=tdist on iris: 3-fold cross-validation, seed 1)"
    )
    assert len(found) == 2
    assert found[0].record is found.records[0]
    assert found[:1] == found.results[:1]
    assert len(found + found) == 4
    text = found.summary()
    assert f"{found.records[1]['pooled']['percent_correct']:.2f}" in text
    assert "confdtree:variant=tdist" in text


def test_each_protocol_has_a_table_of_its_own(iris):
    """Sums of evaluations, and what a store holds, may be of several protocols; no figure stands under another's."""
    three = [wc.evaluate(iris, "leaf_frequency", learner="CART", **how) for how in ({}, {"folds": 5}, {"seed": 2})]
    found = three[0] + three[1] + three[2]
    assert found.summary() == "\n".join(one.summary() for one in three)
    ways = "10-fold cross-validation, seed 1; 5-fold cross-validation, seed 1; 10-fold cross-validation, seed 2"
    assert repr(found) == f"Evaluation(leaf_frequency on iris: {ways})"
    with pytest.raises(wc.OptionError, match=r"on 'iris' by 10-fold cross-validation, seed 1 and 'leaf_freq.* seed 2;"):
        (three[0] + three[2]).compare()
    with pytest.raises(TypeError, match="unsupported operand"):
        found + 3


def test_frame_has_a_row_per_record(jvm, iris):
    frame = wc.evaluate(iris, ["leaf_frequency", "confdtree"], folds=3).to_frame()
    assert frame["label"].tolist() == ["leaf_frequency", "confdtree"]
    assert frame["pooled.brier"].dtype == np.float64
    assert frame["learner"].tolist() == ["J48", "J48"]


def test_frame_without_pandas(jvm, monkeypatch):
    found = wc.evaluate(wc.load_arff(ARFF / "iris.arff"), "leaf_frequency", folds=2)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(wc.OptionError, match=r"to_frame needs pandas, .* pip install 'wekaconf\[tables\]'"):
        found.to_frame()


@pytest.mark.filterwarnings("error")
def test_cart_notes_no_missing_values_that_preprocessing_fills(jvm):
    data = wc.load_arff(ARFF / "missing-weights.arff")
    data = data.take(data.class_values >= 0)
    with pytest.warns(wc.Note) as noted:
        wc.evaluate(data, "leaf_frequency", folds=2, learner="CART nominal=one_hot")
    assert any("CART fills them" in str(note.message) for note in noted)
    for per_fold in (False, True):
        protocol = wc.Protocol(folds=2, preprocess="median", per_fold=per_fold)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            wc.evaluate(data, "leaf_frequency", protocol=protocol, learner="CART nominal=one_hot")
        assert not [note for note in caught if "fills" in str(note.message)]


def test_notes_call_the_data_as_the_records_do(jvm):
    data = small(x=[1, 2, 3, 4, 5], c=["a", "b", "a", "b", None])
    with pytest.warns(wc.Note, match="^my file: 1 of 5 instances has no class"):
        [record] = wc.evaluate(data, "leaf_frequency", folds=2, name="my file").records
    assert record["dataset"] == "my file"


@pytest.mark.parametrize(("split", "text"), [((30, 70), "30:70"), ("30:70", "30:70"), (0.6, "0.6")])
def test_a_split_in_words(split, text):
    protocol = wc.Protocol(split=split, stratified=False)
    assert protocol.facts([])["protocol"] == f"split {text}"


# -- splits --------------------------------------------------------------------------------------------------------


def classes(n_a=40, n_b=60, n_missing=0):
    rng = np.random.default_rng(1)
    cells = rng.permutation(["a"] * n_a + ["b"] * n_b + [None] * n_missing).tolist()
    return small(x=list(range(len(cells))), c=(("a", "none", "b"), cells))


def sizes(data, rows):
    return Counter(data.class_values[rows].tolist())


def test_loo_is_as_many_folds_as_instances(jvm):
    data = classes(5, 7)
    found = splits(data, folds="loo")
    assert sorted(int(test[0]) for _, test in found) == list(range(12))
    assert all((len(train), len(test)) == (11, 1) for train, test in found)


@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize("split", ["0.5", "0.66", "10:20", ".2"])
def test_split_has_no_instance_twice(jvm, split, stratified):
    data = classes()
    [(train, test)] = splits(data, split=split, stratified=stratified, seed=3)
    rows = np.concatenate((train, test))
    assert len(set(rows.tolist())) == len(rows)
    assert len(rows) == 100 or ":" in split
    [(again, _)] = splits(data, split=split, stratified=stratified, seed=3)
    np.testing.assert_array_equal(train, again)
    [(other, _)] = splits(data, split=split, stratified=stratified, seed=4)
    assert train.tolist() != other.tolist()


def test_counts_hold_for_each_class_or_for_all(jvm):
    data = classes(70, 71)
    [(train, test)] = splits(data, split="20:50", stratified=True)
    assert sizes(data, train) == {0: 20, 2: 20}
    assert sizes(data, test) == {0: 50, 2: 50}
    [(train, test)] = splits(data, split="20:50")
    assert (len(train), len(test)) == (20, 50)
    assert sizes(data, train) != {0: 10, 2: 10}


@pytest.mark.parametrize(("share", "percent"), [("0.5", "50"), (".57", "57"), ("0.145", "14.5"), ("0.999", "99.9")])
def test_a_share_is_rounded_as_weka_rounds(java, share, percent):
    """Halves upwards, of a product of doubles: Weka's Evaluation, for -split-percentage."""
    round_as_java, halves = java("java.lang.Math").round, 0
    for n in range(2, 120):
        exact = n * float(percent) / 100
        [(train, test)] = splits(classes(n, 0), split=share)
        assert (len(train), len(test)) == (round_as_java(exact), n - round_as_java(exact))
        halves += exact % 1 == 0.5
    assert halves or percent == "99.9"


def test_share_holds_for_each_class(jvm):
    data = classes()
    [(train, test)] = splits(data, split="0.25", stratified=True)
    assert sizes(data, train) == {0: 10, 2: 15}
    assert sizes(data, test) == {0: 30, 2: 45}


def test_stratified_split_leaves_out_what_has_no_class_and_says_so(jvm):
    data = classes(10, 10, 3)
    with pytest.warns(wc.Note, match="small: 3 instances have no class"):
        [(train, test)] = splits(data, split="5:5", stratified=True)
    assert sizes(data, train) == sizes(data, test) == {0: 5, 2: 5}
    [(train, test)] = splits(data, split="13:10")
    assert sizes(data, np.concatenate((train, test))) == {0: 10, 2: 10, -1: 3}


@pytest.mark.parametrize(
    "split", ["", "0", "1", "1.5", "-0.5", "20", "nan", "inf", "a:b", "0:5", "5:0", "5:", ":5", "1:2:3"]
)
def test_wrong_split(jvm, split):
    with pytest.raises(wc.OptionError, match="expected a share between 0 and 1 or counts such as 20:50, got"):
        splits(classes(), split=split)


def test_split_of_too_few(jvm):
    with pytest.raises(wc.OptionError, match="split '60:50' wants 110 instances, 'small' has 100"):
        splits(classes(), split="60:50")
    with pytest.raises(wc.OptionError, match="split '20:50' wants 70 instances, class 'a' has 40"):
        splits(classes(), split="20:50", stratified=True)


def test_nothing_to_test_on(jvm):
    data = classes(2, 2)
    with pytest.raises(wc.OptionError, match="no instance of 'small' to test on"):
        wc.evaluate(data, "leaf_frequency", protocol=wc.Protocol(split="0.99"))


# -- evaluate ------------------------------------------------------------------------------------------------------


def test_record(jvm, iris):
    chosen = [wc.method("leaf_frequency"), wc.method("confdtree", variant="norm")]
    [(plain, answers), (record, _)] = wc.evaluate(iris, chosen, options="-M 5")
    assert record["learner"] == "J48"
    assert record["options"] == "-M 5"
    assert record["method"] == "confdtree"
    assert record["params"] == wc.method("confdtree", variant="norm").params
    assert record["versions"].keys() == {
        "wekaconf", "weka", "wrapper", "bridge", "java", "numpy", "python", "scikit-learn",
    }  # fmt: skip
    assert record["events"].keys() == {"route", "fine"}
    assert plain["pooled"]["percent_affected"] == 0.0
    assert sorted(answers.instance) == list(range(150))


def test_runs_are_averaged(jvm, iris):
    [both] = wc.evaluate(iris, "leaf_frequency", folds=3, runs=2).records
    alone = [wc.evaluate(iris, "leaf_frequency", folds=3, seed=seed)[0][0]["pooled"]["auc_mean"] for seed in (1, 2)]
    assert alone[0] != alone[1]
    assert both["pooled"]["auc_mean"] == pytest.approx(sum(alone) / 2, abs=1e-15)


@pytest.mark.filterwarnings("error")
def test_note_counts_training_instances_only(jvm):
    data = classes(10, 10, 3)
    known = np.flatnonzero(data.class_values >= 0)
    unknown = np.flatnonzero(data.class_values < 0)
    chosen = [wc.method("leaf_frequency")]
    with pytest.warns(wc.Note, match="small: 3 of 23 instances have no class and are left out of training"):
        wc.evaluate(data, chosen, folds=2)
    given = wc.Protocol(given=[[(known, unknown)]])
    with pytest.warns(wc.Note) as told:
        [(record, answers)] = wc.evaluate(data, chosen, protocol=given)
    assert [str(note.message) for note in told] == [
        "small: no instance that is tested on has a class, so nothing can be measured"
    ]
    assert len(answers.proba) == 3
    assert math.isnan(record["pooled"]["percent_correct"])
    later = data.take(unknown).renamed("later")
    with pytest.warns(wc.Note) as told:
        wc.evaluate(data.take(known), chosen, protocol=wc.Protocol(test=later))
    assert "later: no instance that is tested on has a class, so nothing can be measured" in map(
        str, (note.message for note in told)
    )


def test_preprocessed_as_a_whole(jvm, wine):
    """Every instance, tested on only or not used at all, has its say in the bins."""
    [(train, test)] = splits(wine, split="50:60")
    given = wc.Protocol(given=[[(train, test)]], preprocess="wang2006")
    [(record, answers)] = wc.evaluate(wine, "leaf_frequency", protocol=given)
    assert record["preprocess"] == {"name": "wang2006", "fitted_on": "whole set"}

    def fitted_on(rows):
        output = fit_preprocessing(wine.take(rows), "wang2006").apply(wine)
        return wc.grow(output.take(train)).predict_proba(output.take(test))

    np.testing.assert_array_equal(answers.proba, fitted_on(np.arange(len(wine))))
    for fewer in (train, np.concatenate((train, test))):
        assert not np.array_equal(answers.proba, fitted_on(fewer))


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_preprocessed_split_by_split(jvm):
    data = wc.load_arff(ARFF / "missing-weights.arff")
    runs = [splits(data, folds=4, seed=seed) for seed in (1, 2)]
    method = wc.method("confdtree", min_instances=2)
    given = wc.Protocol(given=runs, preprocess="wang2006", per_fold=True)
    [(record, answers)] = wc.evaluate(data, [method], protocol=given)
    assert record["preprocess"] == {"name": "wang2006", "fitted_on": "each training set"}
    parts = []
    for train, test in (split for run in runs for split in run):
        fitted = fit_preprocessing(data.take(train), "wang2006")
        method.fit(wc.grow(fitted.output), fitted.output)
        parts.append(method.predict_proba(fitted.apply(data.take(test))))
    np.testing.assert_array_equal(answers.proba, np.concatenate(parts))
    np.testing.assert_array_equal(answers.actual, data.class_values[answers.instance])
    whole = wc.evaluate(data, [method], protocol=wc.Protocol(given=runs, preprocess="wang2006"))[0][1]
    assert not np.array_equal(answers.proba, whole.proba)


@pytest.mark.filterwarnings("error")
def test_preprocessing_is_named_in_no_note(jvm):
    data = classes(10, 10, 3)
    with pytest.warns(wc.Note, match="^small: 3 of 23 instances have no class and are left out of training$") as told:
        wc.evaluate(data, "leaf_frequency", protocol=wc.Protocol(folds=2, preprocess="wang2006"))
    assert len(told) == 1


@pytest.mark.parametrize("per_fold", [False, True])
def test_wrong_preprocessing(per_fold):
    with pytest.raises(wc.OptionError, match="no preprocessing 'wang'; the preprocessings are median, wang2006"):
        wc.Protocol(folds=2, preprocess="wang", per_fold=per_fold)
