"""Advice on a data set: what is measured, what the tests say, and what is said where there is nothing to say."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from reference import reject_reference
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from support.command_line import ARFF
from support.small_data import small
from threadpoolctl import threadpool_info, threadpool_limits

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.bridge.learners import J48
from wekaconf.evaluation.statistics import paired_t
from wekaconf.evaluation.summaries import FoldValues, fold_values
from wekaconf.experiments.advising import Advice, advise
from wekaconf.experiments.advising import _rivals as rivals
from wekaconf.experiments.advising._advice import _interval, _signed
from wekaconf.experiments.advising._candidates import Candidate, candidates, purpose_of
from wekaconf.experiments.advising._rivals import RIVALS, cross_validated_rival
from wekaconf.experiments.advising._standings import Measured, compute_standings, make_decisions
from wekaconf.sklearn import classifier_of

HELD = "on folds that did not choose it, "


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


@pytest.mark.one_commit_in(3)
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
    """But `second_opinion` grows each once more to see that it is the same, and some without a fold."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")  # all by `_grow`, none ahead in a thread of Java
    grown = []
    monkeypatch.setattr(
        J48, "_grow", lambda self, train, usual=J48._grow: grown.append(len(train)) or usual(self, train)
    )
    advice = advise(credit.take(slice(200)), "ranking", learner="J48")
    assert len(advice.standings) > 10
    assert grown.count(180) == 10 + 10 and len(grown) == 20 + 10 * 3


def test_the_best_comes_first_and_is_the_choice(on_credit):
    means = [each.means["brier"] for each in on_credit.standings]
    assert means == sorted(means)
    assert on_credit.choice is on_credit.better[0] is on_credit.standings[0]
    assert on_credit.choice.learner == "J48 -U"


def test_the_choice_makes_an_estimator(credit, on_credit):
    """Name and parameters are what scikit-learn's side takes; every own method has them, a rival has its name."""
    for standing in on_credit.standings:
        estimator = classifier_of(standing.name)(**standing.parameters, learner=standing.learner)
        assert estimator.get_params().items() >= standing.parameters.items()
    chosen = on_credit.choice
    assert (chosen.name, chosen.parameters) == ("second_opinion", {})
    frame = credit.to_pandas()
    estimator = classifier_of(chosen.name)(**chosen.parameters, learner=chosen.learner)
    fitted = estimator.fit(frame.iloc[:, :-1], frame.iloc[:, -1])
    expected = wc.method("second_opinion").fit(wc.grow(credit, "J48 -U"), credit).predict_proba(credit)
    order = [credit.class_names.index(name) for name in fitted.classes_]
    np.testing.assert_allclose(fitted.predict_proba(frame.iloc[:, :-1]), expected[:, order], atol=1e-12)
    rival = replace(chosen, method="J48, Venn-Abers", learner="", is_rival=True)
    assert (rival.name, rival.parameters) == ("J48, Venn-Abers", {})


# -- the decision --------------------------------------------------------------------------------------------------


def folds_of(values, run=None):
    n = len(values)
    return FoldValues(
        run=np.zeros(n, dtype=np.int64) if run is None else np.array(run),
        fold=np.arange(n),
        train_weight=np.full(n, 90.0),
        test_weight=np.full(n, 10.0),
        values={name: np.array(values, dtype=np.float64) for name in purpose_of("rejecting").measures},
    )


def decided(*rows, run=None, level=0.05):
    """The advice for rows of method, AURC on each split, is_ensemble, is_rival; the plain tree first."""
    measured = []
    for row in rows:
        name, values, is_ensemble, is_rival = (*row, False, False)[:4]
        measured.append(Measured(name, "" if is_rival else "J48", is_ensemble, is_rival, folds_of(values, run)))
    standings = compute_standings(measured, "aurc", level)
    decisions = make_decisions(measured, standings, "aurc", level)
    return Advice(
        data_set="x", n_instances=450, purpose=purpose_of("rejecting"), protocol="10-fold cross-validation",
        level=level, budget=60.0, seconds=1.0, decisions=decisions, standings=tuple(standings), left_out={},
    )  # fmt: skip


def split_by_split(gains, run):
    """The gain on each split of the method that leads on the other splits of its run, written down."""
    held = []
    for split in range(gains.shape[1]):
        others = [i for i in range(gains.shape[1]) if i != split and run[i] == run[split]]
        others = others or [i for i in range(gains.shape[1]) if i != split]
        means = [round(float(np.mean(row[others])), 12) for row in gains]
        held.append(gains[means.index(max(means)), split])
    return np.array(held)


@pytest.mark.parametrize(
    "run", [[0] * 10, [0] * 5 + [1] * 5, [i // 2 for i in range(10)], list(range(10))],
    ids=["folds", "runs", "pairs", "splits"],
)  # fmt: skip
def test_the_gain_is_that_on_folds_that_did_not_choose(run):
    random = np.random.default_rng(5)
    values = 0.3 + random.normal(scale=0.05, size=(12, 10)) - (np.arange(12) > 0)[:, None] * 0.01
    advice = decided(*((f"m{i}", row) for i, row in enumerate(values)), run=run)
    held = split_by_split(values[0] - values, run)
    [decision] = advice.decisions
    error = math.sqrt((1 / 10 + 1 / 9) * held.var(ddof=1))
    assert decision.gain == pytest.approx(held.mean(), abs=1e-15)
    assert decision.high - decision.gain == pytest.approx(stats.t.isf(0.025, 9) * error, abs=1e-12)
    assert decision.p_value == pytest.approx(2 * stats.t.sf(abs(held.mean()) / error, 9), abs=1e-12)
    best = max(each.gain for each in advice.standings)
    assert decision.gain < best == decision.leader.gain  # choosing flatters


def test_choosing_among_noise_gains_nothing():
    """The best of twenty looks better by half a deviation or more; folds that did not choose it do not say so."""
    gains, best, proven = [], [], 0
    for seed in range(40):
        values = 0.3 + np.random.default_rng(seed).normal(scale=0.05, size=(20, 10))
        values[0] = 0.3
        advice = decided(*((f"m{i}", row) for i, row in enumerate(values)))
        proven += advice.decisions[0].verdict == "proven"
        gains.append(advice.decisions[0].gain)
        best.append(advice.decisions[0].leader.gain)
    assert proven <= 3  # more than that of 40 has probability 0.02 where each has 0.025
    assert min(best) > 0 and np.mean(best) > 0.02
    assert abs(np.mean(gains)) < 2 * np.std(gains, ddof=1) / math.sqrt(40) + 1e-3


def test_of_equals_the_cheapest_is_the_choice():
    plain, same = 0.3 + np.arange(10) / 100, 0.2 + np.arange(10) / 90
    assert decided(("plain", plain), ("cheap", same), ("dear", same)).choice.method == "cheap"
    assert decided(("plain", plain), ("cheap", plain), ("dear", plain)).choice.method == "plain"


STEADY = [0.30, 0.32, 0.28, 0.31, 0.29, 0.30, 0.33, 0.27, 0.30, 0.30]
BETTER = [0.14, 0.17, 0.12, 0.15, 0.13, 0.14, 0.17, 0.11, 0.15, 0.14]
SHAKY = [0.10, 0.40, 0.08, 0.41, 0.29, 0.20, 0.33, 0.17, 0.35, 0.30]
FAIR = [0.20, 0.13, 0.20, 0.35, 0.08, 0.24, 0.23, 0.21, 0.29, 0.20]
LUCKY = [0.30, 0.32, 0.28, 0.31, 0.29, 0.30, 0.33, 0.27, 0.30, 0.10]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([("plain", STEADY), ("good", BETTER)],
         f"Use good: {HELD}AURC better by about 0.158 (95 % 0.154 to 0.162) than with the plain tree."),
        ([("plain", STEADY), ("good", SHAKY)],
         f"Use good: {HELD}AURC better by about 0.04 (95 % -0.08 to 0.15) than with the plain tree, not proven with "
         "450 rows."),
        ([("plain", STEADY), ("good", FAIR), *((f"m{i}", SHAKY) for i in range(12))],
         f"Use good: {HELD}AURC better by about 0.09 (95 % 0.01 to 0.16) than with the plain tree, not proven with "
         "450 rows, as 13 methods were tried."),
        ([("plain", STEADY), ("lucky", LUCKY), ("other", [0.1, *STEADY[1:]])],
         "Stay with the plain tree: lucky leads, but the leading method gains nothing on folds that did not choose it "
         "(0.00)."),
        ([("plain", STEADY), ("bad", np.array(STEADY) + 0.1), ("same", STEADY)],
         "Stay with the plain tree: nothing here is better."),
        ([("plain", [0.0] * 10), ("bad", STEADY)],
         "Stay with the plain tree: it made no error on any split, so nothing is to be rejected."),
        ([("plain", [math.nan] * 10), ("bad", [math.nan] * 10)],
         "Stay with the plain tree: the area under the risk-coverage curve is defined on no split, so nothing can be "
         "compared."),
        ([("plain", STEADY)], "Stay with the plain tree: nothing could be tested."),
        ([("plain", STEADY[:1]), ("good", BETTER[:1])], "Stay with the plain tree: nothing could be tested."),
        ([("plain", STEADY), ("always", np.array(STEADY) - 0.1)],
         f"Use always: {HELD}AURC better by about 0.10 than with the plain tree, not proven with 450 rows."),
        ([("plain", STEADY), ("tiny", np.array(STEADY) - np.arange(10, 20) / 1e6)],
         f"Use tiny: {HELD}AURC better by about 0.000015 (95 % 0.000011 to 0.000018) than with the plain tree."),
        ([("plain", STEADY), ("always", np.array(STEADY) - 0.004)],
         f"Use always: {HELD}AURC better by about 0.004 than with the plain tree, not proven with 450 rows."),
        ([("plain", STEADY), ("good", 3 * np.array(BETTER) - 2 * np.array(STEADY) + 0.316)],
         f"Use good: {HELD}AURC better by about 0.16 (95 % 0.14 to 0.17) than with the plain tree."),
        ([("plain", STEADY), ("tiny", np.array(STEADY) - 4e-7)],
         f"Use tiny: {HELD}AURC better by about 0.000000 than with the plain tree, not proven with 450 rows."),
    ],
    ids=["proven", "not proven", "not proven of many", "not held", "none better", "no error", "undefined", "alone",
         "one split", "no variance", "tiny", "three digits", "two digits", "six digits"],
)  # fmt: skip
def test_the_decision_is_one_sentence_for_each_case(rows, sentence):
    advice = decided(*rows)
    assert advice.sentences()[0] == str(advice) == sentence
    assert advice.text().replace("\n", " ").startswith(sentence)
    verdict = advice.decisions[0].verdict
    assert (advice.choice is advice.plain) == (verdict not in ("proven", "not proven"))


@pytest.mark.parametrize(("measure", "sign", "verdict"), [("aurc", 1, "better"), ("auc_reliability", -1, "worse")])
def test_a_gain_is_that_over_the_plain_tree_in_either_direction(measure, sign, verdict):
    rows = {"plain": STEADY, "other": BETTER}
    measured = [Measured(name, "J48", False, False, folds_of(values)) for name, values in rows.items()]
    plain, other = compute_standings(measured, measure, 0.05)
    assert (plain.gain, plain.verdict) == (0.0, "plain tree")
    assert (other.gain, other.verdict) == (pytest.approx(sign * (np.array(STEADY) - BETTER).mean()), verdict)


@pytest.mark.parametrize(("other", "begins", "needs_more"), [
    ([math.nan] * 10, "That measure needs two kinds of instances among those that are answered: ", False),
    (None, "A test takes a method beside the plain tree, and two splits on which the measure is defined.", False),
    (BETTER, "In the table, significantly better than the plain tree: 1 of 1 method; worse: none", False),
    (SHAKY, "In the table, significantly better than the plain tree: none of 1 method; worse: none", True),
])  # fmt: skip
def test_a_finding_says_what_the_tests_say_or_what_they_lack(other, begins, needs_more):
    plain = [math.nan] * 10 if other and math.isnan(other[0]) else STEADY
    _, finding, *others = decided(("plain", plain), *([("other", other)] if other else [])).sentences()
    assert finding.startswith(begins) and others == ["More runs tell more."] * needs_more


def test_two_splits_are_enough_for_a_test():
    [decision] = decided(("plain", STEADY[:2]), ("good", BETTER[:2])).decisions
    assert decision.verdict == "proven"


def test_what_is_exactly_at_the_level_is_significant():
    rows = ("plain", STEADY), ("good", FAIR)
    [decision] = decided(*rows).decisions
    assert 0 < decision.p_value < 1
    for level, verdict in ((decision.p_value, "proven"), (decision.p_value * 0.999, "not proven")):
        assert decided(*rows, level=level).decisions[0].verdict == verdict
    many = (*rows, *((f"m{i}", SHAKY) for i in range(12)))
    [decision] = decided(*many).decisions
    assert str(decided(*many, level=decision.p_value)).endswith("not proven with 450 rows, as 13 methods were tried.")
    close = np.array(BETTER) + np.array([1, -1] * 5) * 0.02 + 0.001
    lead = (np.array(STEADY) - BETTER) - (np.array(STEADY) - close)
    level = paired_t(lead, np.zeros(10), test_train_ratio=1 / 9).p_value
    for at, alike in ((level, []), (level * 0.999, ["close"])):
        [decision] = decided(("plain", STEADY), ("close", close), ("best", BETTER), level=at).decisions
        assert (decision.choice.method, [each.method for each in decision.alike]) == ("best", alike)


def test_a_method_without_a_gain_is_not_named_beside_the_choice():
    [decision] = decided(("plain", STEADY), ("same", STEADY), ("good", SHAKY)).decisions
    assert decision.choice.method == "good" and decision.alike == ()


def test_a_split_on_which_a_method_is_not_defined_does_not_count_for_it():
    plain, fair, good = np.full(4, 0.5), np.full(4, 0.4), np.full(4, 0.3)
    fair[2] = np.nan
    [decision] = decided(("plain", plain), ("fair", fair), ("good", good)).decisions
    assert (decision.leader.method, decision.gain) == ("good", pytest.approx(0.2))
    once = [0.2, np.nan, 0.2]  # leads by the one other split on which it is defined
    [decision] = decided(("plain", [0.5] * 3), ("once", once), ("always", [0.3] * 3)).decisions
    assert (decision.leader.method, decision.gain) == ("once", pytest.approx(0.3))
    plain[1] = np.nan
    same = decided(("plain", plain), ("same", plain)).standings[1]
    assert same.verdict == "equal"


def test_nothing_is_better_is_never_said_above_better_rows():
    """Drawn gains of all sizes: the sentence and the marks of the table agree."""
    random = np.random.default_rng(8)
    seen = set()
    for _ in range(300):
        shift, n = random.choice([-0.1, 0, 0.02, 0.1]), random.integers(2, 12)
        values = 0.5 + random.normal(scale=0.03, size=(random.integers(1, 9), n))
        values[1:] -= shift * random.random((len(values) - 1, 1))
        advice = decided(*((f"m{i}", row) for i, row in enumerate(values)))
        seen.add(advice.decisions[0].verdict)
        if "nothing here is better" in str(advice):
            assert not any(each.gain > 0 for each in advice.standings)
        if advice.better:
            assert advice.decisions[0].verdict in ("proven", "not proven")
        if str(advice).startswith("Use "):
            assert advice.decisions[0].gain > 0 and advice.choice.gain > 0
    assert seen == {"proven", "not proven", "not held", "none better", "not tested"}


def test_beside_an_ensemble_stands_the_best_of_one_tree():
    advice = decided(("plain", STEADY), ("one", SHAKY), ("many", BETTER, True))
    assert [each.out_of for each in advice.decisions] == ["all", "one tree"]
    first, second, *_ = advice.sentences()
    assert first.startswith(f"Use many, an ensemble without a decision path: {HELD}AURC better by about 0.158 (95 % ")
    assert second.startswith(
        f"On one tree, which can be read, use one: {HELD}AURC better by about 0.04 (95 % -0.08 to 0.15)"
    )
    assert (
        "--method many" in advice.text() and "--method one" in advice.text() and "--method many" in advice.command("x")
    )
    alone = decided(("plain", STEADY), ("bad", np.array(STEADY) + 0.1), ("many", BETTER, True))
    assert alone.sentences()[1] == "On one tree, which can be read, stay with the plain tree: nothing here is better."
    assert alone.text().count("wekaconf predict") == 1


def test_where_the_trees_are_a_forest_it_is_no_surprise():
    for other in ((), (("one", STEADY),)):
        advice = decided(("plain", STEADY, True), *other, ("many", BETTER, True))
        assert len(advice.decisions) == 1 and "without a decision path" not in advice.text()


def test_a_rival_that_wins_stands_beside_our_own():
    advice = decided(
        ("plain", STEADY), ("one", SHAKY), ("many", np.array(BETTER) + 0.05, True),
        ("gradient boosting", BETTER, True, True),
    )  # fmt: skip
    assert [each.out_of for each in advice.decisions] == ["all", "wekaconf", "one tree"]
    told = advice.sentences()
    assert told[0].startswith(
        "Use gradient boosting (scikit-learn's HistGradientBoostingClassifier), an ensemble without a decision path: "
        f"{HELD}AURC"
    )
    assert told[1].startswith(
        f"Of wekaconf's own methods, use many, an ensemble without a decision path: {HELD}AURC better by"
    )
    assert told[2].startswith("On one tree, which can be read, use one: ")
    assert advice.choice.method == "many"
    text = advice.text()
    assert "To use wekaconf's own (NEW: " in text and "boosting --" not in text
    assert [each["choice"]["is_rival"] for each in advice.as_dict()["decisions"]] == [True, False, False]


def test_what_chance_may_have_put_behind_is_named_in_the_order_tried():
    close = np.array(BETTER) + np.array([1, -1] * 5) * 0.02 + 0.001
    advice = decided(("plain", STEADY), ("cheap", close), ("far", np.array(STEADY) - 0.01), ("best", BETTER))
    assert [each.method for each in advice.decisions[0].alike] == ["cheap"]
    assert "Not significantly different from best, each tested by itself: cheap." in advice.sentences()


@pytest.mark.parametrize(("n", "named"), [(4, "m0, m1, m2, m3"), (5, "m0, m1, m2 and 2 others")])
def test_of_many_that_chance_may_have_put_behind_three_are_named(n, named):
    close = np.array(BETTER) + np.array([1, -1] * 5) * 0.02 + 0.001
    told = decided(("plain", STEADY), *((f"m{i}", close) for i in range(n)), ("best", BETTER)).sentences()
    assert f"Not significantly different from best, each tested by itself: {named}." in told


def test_better_and_worse_are_counted_and_what_is_left_out_is_named():
    worse = np.array(STEADY) + 0.1 + np.arange(10) / 1000
    advice = replace(
        decided(("plain", STEADY), ("good", BETTER), ("bad", worse), ("same", STEADY)),
        left_out={"slow on J48": "the time was over", "tpce on J48": "reads trees of info_gain"}, budget=5.0,
    )  # fmt: skip
    told = " ".join(advice.sentences())
    assert "In the table, significantly better than the plain tree: 1 of 3 methods; worse: 1 (corrected" in told
    assert "Not measured within 5 s: slow on J48. A larger" in told
    assert "Left out: tpce on J48 (reads trees of info_gain)." in told and "Left out: slow" not in told
    assert "=: the same value as the plain tree's on every split" in advice.text()


def test_the_short_table_has_the_best_ten_the_plain_tree_and_the_choices():
    rows = [(f"m{i:02}", np.array(BETTER) - i / 1000, True) for i in range(14)]
    advice = decided(("plain", STEADY), ("one", np.array(STEADY) - np.arange(10) / 1e4), *rows)
    advice = replace(advice, standings=tuple(sorted(advice.standings, key=lambda each: -each.gain)))
    short, whole = advice.text(), advice.text(whole=True)
    table, full = (text.split("splits\n")[1].split("\nAURC:")[0] for text in (short, whole))
    assert [line.split()[0] for line in table.splitlines() if line.startswith(("m", "plain", "one"))] == [
        *(f"m{i:02}" for i in range(13, 3, -1)), "one", "plain",
    ]  # fmt: skip
    assert "Not shown without -v: 4 methods, AUROC right/wrong and error at 80 %." in " ".join(short.split())
    assert all(f"m{i:02}" in full for i in range(14)) and "Not shown" not in whole and "at 80 %" in full


# -- what is said of the data --------------------------------------------------------------------------------------


def test_a_command_is_for_the_terminal_that_shows_it():
    advice = decided(("plain", STEADY), ("good", BETTER))
    assert "-t 'größe.arff'" in advice.command("größe.arff") and "größe" in advice.text("größe.arff")
    written = r"$'gr\303\266\303\237e.arff'"
    assert written in advice.command("größe.arff", encoding="ascii")
    assert written in advice.text("größe.arff", encoding="ascii")


def test_a_page_has_its_parts_between_blank_lines():
    advice = decided(("plain", STEADY), ("good", BETTER), ("shaky", SHAKY))
    decision, command, of_what, table, legend, findings = advice.text().split("\n\n")
    assert " ".join(decision.split()) == str(advice)
    assert " ".join(command.split()) == (
        "To use it (NEW: the file that is to be answered; --keep: the share of the correct answers that is to stay): "
        "wekaconf predict -t DATA -T NEW --learner J48 --method good --keep 0.9"
    )
    assert of_what.startswith("For rejecting wrong answers: x, 450 instances; J48; 10-fold cross-validation,")
    assert [line.split() for line in table.splitlines()[2:]] == [
        ["plain", "0.3000", "P"],
        ["good", "0.1420", "+0.1580", "+0.154", "to", "+0.162", "v"],
        ["shaky", "0.2630", "+0.0370", "-0.075", "to", "+0.149"],
    ]
    assert "interval: 95 %, corrected resampled t-test, for each method by itself" in legend.splitlines()
    assert findings.startswith(
        "Not shown without -v: AUROC right/wrong and error at 80 %.\nIn the table, significantly"
    )
    assert repr(advice) == "Advice(x, rejecting: good on J48, proven)"
    plain, *others = advice.standings
    several = replace(advice, standings=(plain, *(replace(each, learner="CART") for each in others)))
    assert "x, 450 instances; each method on its own learner; 10-fold" in " ".join(several.text().split())


@pytest.mark.parametrize(("n", "hidden"), [(11, 0), (12, 2)])
def test_a_table_of_twelve_rows_is_shown_whole(n, hidden):
    rows = [(f"m{i:02}", np.array(BETTER) - i / 1000) for i in range(n)]
    advice = decided(("plain", STEADY), *rows)
    text = replace(advice, standings=tuple(sorted(advice.standings, key=lambda each: -each.gain))).text()
    assert sum(line.startswith(("  m", "m", "plain", "  plain")) for line in text.splitlines()) >= n + 1 - hidden
    not_shown = f"Not shown without -v: {hidden} methods, " if hidden else "Not shown without -v: AUROC"
    assert not_shown in " ".join(text.split())


@pytest.mark.parametrize(("gain", "text"), [
    (-0.00004, "+0.0000"), (0.00004, "+0.0000"), (-0.00006, "-0.0001"), (0.12344, "+0.1234"), (math.nan, "–"),
])  # fmt: skip
def test_a_gain_that_rounds_to_nothing_has_no_minus(gain, text):
    assert _signed(gain) == text
    standing = replace(decided(("plain", STEADY), ("good", BETTER)).standings[1], low=10 * gain, high=0.0)
    low = {"–": "", "+0.0000": "+0.000 to +0.000", "-0.0001": "-0.001 to +0.000", "+0.1234": "+1.234 to +0.000"}[text]
    assert _interval(standing) == low


def test_the_data_set_is_called_as_it_is_named(credit):
    advice = advise(
        credit.take(slice(0, 200)), "probabilities", budget=1e-9, name="loans", learner="CART nominal=one_hot"
    )
    assert repr(advice) == f"Advice(loans, probabilities: {advice.choice}, not tested)"
    assert advice.data_set == "loans" and "\nFor trustworthy probabilities: loans, 200 instances" in advice.text()


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
    # the whole table is too wide for 80 columns; each of its parts names the learners
    for part in advice.text(whole=True).split("\n\n")[3:5]:
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


# -- rivals --------------------------------------------------------------------------------------------------------


def test_rivals_answer_on_the_same_splits_in_an_open_set_with_filters():
    iris = wc.load_arff(ARFF / "iris.arff")
    remove = "weka.filters.unsupervised.attribute.Remove -R 1"
    protocol = wc.Protocol(folds=3, runs=2, known=("setosa", "virginica"), filters=(remove,))
    prepared = protocol.prepare(iris)
    [template] = wc.evaluate(iris, ["leaf_frequency"], protocol=protocol, learner="J48").answers
    found = cross_validated_rival("random forest", prepared, template)
    for split in range(6):
        train, _ = prepared.runs[split // 3][split % 3]
        rows = np.flatnonzero(template.split == split)
        X, y = (part[train][iris.class_values[train] != 1] for part in (iris.values[:, 1:-1], iris.class_values))
        forest = RandomForestClassifier(random_state=1).fit(X, y)
        expected = forest.predict_proba(iris.values[template.instance[rows], 1:-1])
        np.testing.assert_allclose(found.proba[np.ix_(rows, [0, 2])], expected, atol=1e-12)
        np.testing.assert_allclose(found.certainty[rows], expected.max(axis=1), atol=1e-12)
    assert not found.proba[:, 1].any()


def test_no_rival_s_filters_see_classes_that_are_not_known():
    iris = wc.load_arff(ARFF / "iris.arff")
    protocol = wc.Protocol(folds=3, known=("versicolor", "virginica"))
    seen = []
    prepared = protocol.prepare(iris)._replace(prepare=lambda train, test: (seen.append(train), (train, test))[1])
    [template] = wc.evaluate(iris, ["leaf_frequency"], protocol=protocol, learner="J48").answers
    found = cross_validated_rival("random forest", prepared, template)
    assert sum(len(train) for train in seen) == 200 and not found.proba[:, 0].any()
    assert all((train.class_values >= 0).all() for train in seen)


def test_trees_of_one_class_and_splits_without_test_rows_of_a_rival():
    data = small(x=[1, 2, 3, 4] * 5, c=["a", "a", "b", "b"] * 5)
    rows = np.flatnonzero(data.class_values == 1)[:, None]
    plain = rivals.J48OnRows(data).fit(rows, np.ones(len(rows), dtype=int))
    assert plain.predict_proba(rows[:3]).tolist() == [[1.0]] * 3
    protocol = wc.Protocol(folds=2)
    [template] = wc.evaluate(data, ["leaf_frequency"], protocol=protocol, learner="J48").answers
    in_one = replace(template, fold=np.zeros_like(template.fold))
    asked = []
    cross_validated_rival("random forest", protocol.prepare(data), in_one, on_split=lambda: asked.append(True))
    assert len(asked) == 1


def test_a_cost_matrix_reaches_the_trees_of_a_rival(credit):
    data = credit.take(slice(0, 300))
    protocol = wc.Protocol(folds=2, cost_matrix=wc.CostMatrix([[0, 1], [9, 0]]))
    prepared = protocol.prepare(data)
    [template] = wc.evaluate(data, ["leaf_frequency"], protocol=protocol, learner="J48").answers
    name = "J48, sigmoid calibration"
    plain, weighed = (
        cross_validated_rival(name, prepared, template, weigh=weigh) for weigh in (None, protocol.cost_matrix.weigh)
    )
    assert abs(plain.proba - weighed.proba).max() > 0.01


@pytest.mark.parametrize(("threads_from", "expected"), [(None, 1), (0, 2)])
def test_threads_of_libraries_do_not_wait_for_each_other_on_small_data(monkeypatch, threads_from, expected):
    def answer(train, test, seed):
        found.update(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")
        return rivals.RivalAnswers(np.full((len(test), 2), 0.5), np.full(len(test), 0.5))

    found = set()
    monkeypatch.setitem(RIVALS, "a rival", rivals.Rival(answer, "made of nothing"))
    if threads_from is not None:
        monkeypatch.setattr(rivals, "THREADS_FROM", threads_from)
    data = small(x=[1, 2, 3, 4] * 2, c=["a", "a", "b", "b"] * 2)
    with threadpool_limits(2):
        rivals.answers_of_rivals(data, data, "a rival")
        assert found == {expected}
        assert {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"} == {2}


def test_rivals_are_tried_after_fast_methods_and_left_out_when_time_is_over(credit):
    advice = advise(credit, "ranking", budget=1e-9, rivals=True, learner="info_gain")
    late = list(advice.left_out)
    assert set(late) & set(RIVALS) == {name for name in RIVALS if "conformal" not in name}
    assert late.index("second_opinion on info_gain") < late.index("gradient boosting") < late.index("tpce on info_gain")


# -- the budget ----------------------------------------------------------------------------------------------------


def test_the_plain_tree_is_measured_within_any_budget(credit):
    advice = advise(credit, "ranking", budget=1e-9)
    assert [each.verdict for each in advice.standings] == ["plain tree"]
    assert set(advice.left_out.values()) == {"the time was over"}
    text = " ".join(advice.sentences())
    assert text.startswith("Stay with the plain tree: nothing could be tested. A test takes a method beside the plain")
    assert "Not measured within 1e-09 s: leaf_frequency:laplace=true on J48, second_opinion on J48, curtailment" in text


def test_a_method_that_runs_out_of_time_is_left_out_whole(credit):
    """TPCE grows two trees per instance and fold; the time is over while it does."""
    advice = advise(credit, "ranking", budget=0.4, learner="info_gain", protocol=wc.Protocol(runs=3))
    assert 1 <= len(advice.standings) < len(advice.standings) + len(advice.left_out)
    assert "tpce on info_gain" in advice.left_out


# -- odd data ------------------------------------------------------------------------------------------------------


def test_on_noise_the_plain_tree_stays_or_nothing_is_proven():
    advice = advise(noise(), "ranking", learner="J48")
    assert not advice.better and advice.decisions[0].verdict != "proven"
    assert f"--method {advice.choice.method}" in advice.command("x.arff")
    assert advice.as_dict()["decisions"][0]["verdict"] == advice.decisions[0].verdict


def test_options_without_a_learner_are_those_of_j48():
    assert {each.trees for each in candidates(noise(), None, "-U")} == {"J48 -U"}


def test_rows_without_a_class_are_told():
    data = small(a=[0, 1, 10, 11] * 5, target=["x", "x", "y", "y"] * 4 + ["x", None, "y", None])
    with pytest.warns(wc.Note, match=r"2 of 20 instances have no class and are left out of training$"):
        advise(data, budget=1e-9, learner="info_gain", protocol=wc.Protocol(folds=2))


def test_where_the_plain_tree_makes_no_error_it_says_so():
    data = small(a=[0, 1, 10, 11] * 10, target=["x", "x", "y", "y"] * 10)
    advice = advise(data, learner="J48", protocol=wc.Protocol(folds=2))
    assert advice.plain.means["aurc"] == 0 and advice.choice is advice.plain
    assert {each.verdict for each in advice.standings if each.means["aurc"] == 0} == {"plain tree", "equal"}
    assert advice.decisions[0].verdict == "no error"


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
    assert advice.choice is advice.plain or advice.decisions[0].verdict in ("proven", "not proven")
    assert "wekaconf predict" in advice.text()
    assert all(math.isnan(each.p_value) or 0 <= each.p_value <= 1 for each in advice.standings)


def test_one_instance_per_split_is_too_few_and_says_so():
    advice = advise(noise(10), "ranking", protocol=wc.Protocol(folds="loo"), learner="J48")
    assert re.match(r"Stay with the plain tree: the AUC .* is defined on no split", advice.sentences()[0])
    assert "Fewer folds have larger splits" in " ".join(advice.sentences())


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


def test_exportable_methods_are_those_that_leave(jvm, iris, tmp_path):
    """Exactly the methods that can be exported are tried; the rest of the advice is as ever."""
    tried = {str(each): each for each in candidates(iris, "J48", "") if isinstance(each, Candidate)}
    kept = {
        str(each) for each in wc.advise(iris, learner="J48", exportable=True, protocol=wc.Protocol(folds=2)).standings
    }
    assert "leaf_frequency on J48" in kept and len(kept) >= 5
    for name, candidate in tried.items():
        try:
            wc.fit(iris, candidate.method, learner=candidate.learner).export(tmp_path / "model.json")
        except OptionError:
            assert name not in kept
        else:
            assert name in kept
    forests = wc.advise(iris, exportable=True, protocol=wc.Protocol(folds=2))
    assert not any(each.is_ensemble for each in forests.standings) and "can be exported" in forests.protocol
    for given, message in {"RandomForest": "grows several", None: "exportable excludes rivals"}.items():
        with pytest.raises(OptionError, match=message):
            wc.advise(iris, exportable=True, rivals=given is None, learner=given)
