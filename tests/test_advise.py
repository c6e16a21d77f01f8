"""Advice on a data set: what is measured, what the tests say, and what is said where there is nothing to say."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from reference import reject_reference
from scipy import stats
from support.command_line import ARFF
from support.small_data import small

import wekaconf as wc
from wekaconf.bridge.learners import J48
from wekaconf.evaluation.summary import fold_values
from wekaconf.experiments.advising.advise import advise


@pytest.fixture(scope="module")
def credit():
    return wc.load_arff(ARFF / "credit-g.arff")


@pytest.fixture(scope="module")
def on_credit(credit):
    return advise(credit, "probabilities", learner="J48 -U")


def noise(n=60):
    """Two classes that have nothing to do with the attributes."""
    random = np.random.default_rng(1)
    return small(
        a=random.normal(size=n),
        b=random.normal(size=n),
        c=["x", "y"] * (n // 2),
        target=random.permutation(["u", "v"] * (n // 2)).tolist(),
    )


# -- what is measured ----------------------------------------------------------------------------------------------


def test_the_figures_are_those_of_evaluate(credit, on_credit):
    methods = ["leaf_frequency", "m_branch", "shrinkage_wpe:numeric=bins", "confdtree:variant=tdist"]
    found = wc.evaluate(credit, methods, learner="J48 -U")
    standings = {each.method: each for each in on_credit.standings}
    for record, answers in found:
        values = fold_values(answers, ("brier", "log_loss", "ece")).values
        for measure, mean in standings[record["label"]].means.items():
            assert mean == values[measure].mean()


def test_the_tests_are_the_corrected_ones(credit, on_credit):
    """The corrected resampled t-test and Holm's correction, written down."""
    tested = [each for each in on_credit.standings if each.verdict != "plain tree"]
    found = wc.evaluate(credit, ["leaf_frequency", *(each.method for each in tested)], learner="J48 -U")
    plain, *others = (fold_values(answers, ("brier",)).values["brier"] for answers in found.answers)
    p_values = []
    for each, values in zip(tested, others, strict=True):
        difference = plain - values  # a smaller score is better
        error = math.sqrt((1 / 10 + 1 / 9) * difference.var(ddof=1))
        t = difference.mean() / error if error else 0.0
        p_values.append(2 * stats.t.sf(abs(t), 9))
        assert each.gain == pytest.approx(difference.mean(), abs=1e-15)
        assert each.high - each.gain == pytest.approx(stats.t.isf(0.025, 9) * error, abs=1e-12)
    order = np.argsort(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, p_values[place] * (len(order) - rank)))
        assert tested[place].p_value == pytest.approx(largest, abs=1e-12)
        expected = "equal" if not np.any(plain - others[place]) else "no difference"
        if largest <= 0.05:
            expected = "better" if tested[place].gain > 0 else "worse"
        assert tested[place].verdict == expected


def test_areas_and_errors_of_each_fold_are_the_literal_ones(credit):
    [answers] = wc.evaluate(credit, ["m_branch"]).answers
    values = fold_values(answers, ("aurc", "error_at_0.8")).values
    for fold in range(10):
        rows = answers.fold == fold
        parts = answers.certainty[rows].tolist(), answers.is_correct[rows].tolist(), answers.weights[rows].tolist()
        assert values["aurc"][fold] == pytest.approx(reject_reference.aurc(*parts), abs=1e-12)
        assert values["error_at_0.8"][fold] == pytest.approx(reject_reference.error_at(*parts, 0.8), abs=1e-12)


def test_every_tree_grows_once(credit, monkeypatch):
    """But for `combined`, which grows each once more to see that it is the same, and ten without some of its rows."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")  # all by `_grow`, none ahead in a thread of Java
    grown = []
    monkeypatch.setattr(
        J48, "_grow", lambda self, train, usual=J48._grow: grown.append(len(train)) or usual(self, train)
    )
    advice = advise(credit.take(slice(200)), "ranking", learner="J48")
    assert len(advice.standings) > 10
    assert grown.count(180) == 10 + 10 and len(grown) == 20 + 10 * 10


def test_the_best_comes_first_and_is_the_choice(on_credit):
    means = [each.means["brier"] for each in on_credit.standings]
    assert means == sorted(means)
    assert on_credit.choice is on_credit.better[0] is on_credit.standings[0]
    assert on_credit.choice.learner == "J48 -U"
    assert "The order among those that are better was not tested" in " ".join(on_credit.sentences())


def test_beside_an_ensemble_the_best_of_one_tree_is_named(on_credit):
    """And what is ahead of the choice without being significantly better."""
    plain, some = on_credit.plain, on_credit.standings[0]
    forest, first, second, ahead = (
        replace(some, method=method, is_ensemble=is_ensemble, verdict=verdict)
        for method, is_ensemble, verdict in (
            ("of_many", True, "better"), ("one", False, "better"), ("two", False, "better"),
            ("lucky", False, "no difference"),
        )
    )  # fmt: skip
    told = " ".join(replace(on_credit, standings=(ahead, forest, first, second, plain)).sentences())
    assert "of_many is significantly better" in told and "Ahead of it on average" in told and "lucky (" in told
    assert "Of those that are better and read one tree, one is the best." in told
    alone = " ".join(replace(on_credit, standings=(forest, plain, ahead)).sentences())
    assert "No method that reads one tree is significantly better." in alone and "Ahead of it" not in alone


def test_what_is_better_worse_equal_or_left_out_is_listed(on_credit):
    plain, some = on_credit.plain, on_credit.standings[0]
    first, second, bad, same = (
        replace(some, method=method, verdict=verdict)
        for method, verdict in (("first", "better"), ("second", "better"), ("bad", "worse"), ("same", "equal"))
    )
    left_out = {"slow on J48": "the time was over", "tpce on J48": "reads trees of info_gain"}
    advice = replace(on_credit, standings=(first, second, same, plain, bad), left_out=left_out, budget=5.0)
    told = " ".join(advice.sentences())
    assert "Also significantly better: second." in told and "Significantly worse: bad." in told
    assert "The same as the plain tree on every split (=): same." in told
    assert "Not measured within 5 s: slow on J48. A larger" in told
    assert "Left out: tpce on J48 (reads trees of info_gain)." in told and "Left out: slow" not in told


def test_the_data_set_is_called_as_it_is_named(credit):
    advice = advise(
        credit.take(slice(0, 200)), "probabilities", budget=1e-9, name="loans", learner="CART nominal=one_hot"
    )
    assert repr(advice) == f"Advice(loans, probabilities: {advice.choice}, {advice.choice.verdict})"
    assert advice.data_set == "loans" and advice.text().startswith("For ") and ": loans, 200 instances" in advice.text()


def test_methods_that_do_not_fit_are_left_out_with_the_reason(on_credit):
    assert set(on_credit.left_out) == {"tpce on J48 -U", "kukar_kononenko on J48 -U"}
    assert "reads trees of info_gain" in on_credit.left_out["tpce on J48 -U"]


def test_without_a_learner_each_method_reads_its_own_and_plain_trees_stand_beside():
    advice = advise(wc.load_arff(ARFF / "iris.arff"))
    schemes = {(each.method, each.learner) for each in advice.standings}
    assert {("id3_sd", "J48 -U -M 1"), ("leaf_frequency", "J48 -U -M 1"), ("tpce", "info_gain")} <= schemes
    assert {("leaf_frequency", name) for name in ("J48", "info_gain", "C44", "RandomForest")} <= schemes
    assert advice.plain.learner == "J48"
    assert not advice.left_out
    # the table is too wide for 80 columns; each of its parts names the learners
    for part in advice.text().split("\n\n")[1:3]:
        named = [line.split()[:3] for line in part.splitlines()]
        assert [line for line in named if line[:2] == ["leaf_frequency", "on"]]
        assert not [line for line in named if line[0] == "leaf_frequency" and line[1] != "on"]


def test_in_an_open_set_rejecting_is_noticing_foreign_classes():
    advice = advise(
        wc.load_arff(ARFF / "iris.arff"), protocol=wc.Protocol(known=("setosa", "virginica")), learner="J48"
    )
    assert advice.purpose.name == "foreign"
    standings = {each.method: each for each in advice.standings}
    assert standings["leaf_frequency"].means["auroc_known"] == pytest.approx(0.5)
    assert standings["id3_sd"].means["auroc_known"] > 0.8
    assert standings["id3_sd"].verdict == "better"


# -- the budget ----------------------------------------------------------------------------------------------------


def test_the_plain_tree_is_measured_within_any_budget(credit):
    advice = advise(credit, "ranking", budget=1e-9)
    assert [each.verdict for each in advice.standings] == ["plain tree"]
    assert set(advice.left_out.values()) == {"the time was over"}
    text = " ".join(advice.sentences())
    assert text.startswith("Nothing could be tested")
    assert "Not measured within 1e-09 s: leaf_frequency:laplace=true on J48" in text


def test_a_method_that_runs_out_of_time_is_left_out_whole(credit):
    """TPCE grows two trees per instance and fold; the time is over while it does."""
    advice = advise(credit, "ranking", budget=0.4, learner="info_gain", protocol=wc.Protocol(runs=3))
    assert 1 <= len(advice.standings) < len(advice.standings) + len(advice.left_out)
    assert "tpce on info_gain" in advice.left_out


# -- where nothing helps -------------------------------------------------------------------------------------------


def test_where_nothing_helps_it_says_so():
    advice = advise(noise(), "ranking", learner="J48")
    assert not advice.better and advice.choice is advice.plain
    assert advice.sentences()[0].startswith("Nothing helps here")
    assert "--method leaf_frequency" in advice.command("x.arff")
    assert advice.as_dict()["helps"] is False


def test_where_the_plain_tree_makes_no_error_it_says_so():
    data = small(a=[0, 1, 10, 11] * 10, target=["x", "x", "y", "y"] * 10)
    advice = advise(data, learner="J48", protocol=wc.Protocol(folds=2))
    assert advice.plain.means["aurc"] == 0 and advice.choice is advice.plain
    assert {each.verdict for each in advice.standings if each.means["aurc"] == 0} == {"plain tree", "equal"}
    assert advice.sentences()[0].startswith("Nothing is to be rejected here: the plain tree made no error on any split")


@pytest.mark.parametrize(
    "data",
    [
        small(a=list(range(12)), target=(("x", "y"), ["x"] * 12)),
        small(a=[None] * 30, b=(("u", "v"), [None] * 30), target=["x", "y", "y"] * 10),
        small(a=[1.0] * 20, target=["x", "y"] * 10),
        small(a=list(range(24)), weights=np.arange(24) % 3, target=["x", "y"] * 12),
    ],
    ids=["one class", "all missing", "constant", "weights of 0"],
)
@pytest.mark.parametrize("purpose", ["rejecting", "ranking", "probabilities"])
def test_odd_data_have_an_answer(data, purpose):
    advice = advise(data, purpose, protocol=wc.Protocol(folds=3), learner="J48")
    assert advice.choice is advice.plain or advice.better
    assert "wekaconf predict" in advice.text()
    assert all(math.isnan(each.p_value) or 0 <= each.p_value <= 1 for each in advice.standings)


def test_one_instance_per_split_is_too_few_and_says_so():
    advice = advise(noise(10), "ranking", protocol=wc.Protocol(folds="loo"), learner="J48")
    assert re.match(r"The AUC .* is defined on no split", advice.sentences()[0])


def test_a_difference_that_is_the_same_on_every_split_is_not_tested():
    """Two folds, on both of which the forest errs alike."""
    data = small(a=[1, 2, 3, 4], target=["x", "y", "x", "y"])
    [forest] = [each for each in advise(data, protocol=wc.Protocol(folds=2)).standings if each.is_ensemble]
    assert forest.gain != 0 and forest.low == forest.high
    assert forest.verdict == "not tested" and math.isnan(forest.p_value)


@pytest.mark.parametrize(
    ("data", "arguments", "message"),
    [
        (noise(2), {}, "expected a whole number from 2 to the 2 instances"),
        (noise(2).take([0]), {}, "too few for folds"),
        (noise(), {"purpose": "rankin"}, "did you mean 'ranking'"),
        (noise(), {"purpose": "foreign"}, "foreign needs an open set"),
        (noise(), {"budget": 0}, "budget: expected a number of seconds above 0, got 0"),
        (noise(), {"budget": float("nan")}, "budget: expected"),
        (noise(), {"budget": "60s"}, "budget: expected"),
        (noise(), {"level": 1.5}, "level: expected a number between 0 and 1"),
        (noise(), {"protocol": wc.Protocol(aim=wc.Aim("keep", 0.9))}, "leave the aim out"),
        (noise(), {"learner": "CART nominal=refuse"}, "CART takes numeric attributes"),
        (noise().with_class("a"), {}, "nominal"),
    ],
)
def test_what_cannot_be_advised_on_is_refused(data, arguments, message):
    with pytest.raises(wc.OptionError, match=message):
        advise(data, **arguments)
