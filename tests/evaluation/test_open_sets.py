"""Open sets and thresholds in cross-validation, without Java: what trains, what counts, what is rejected."""

from dataclasses import replace

import numpy as np
import pytest
from support.small_data import small
from support.split_cases import cross_validate, grow, halves, some_without_class

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.base.rounding import most_probable
from wekaconf.data import Dataset
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.measures import all_metrics, figures
from wekaconf.evaluation.protocol._splits import indices_of_known
from wekaconf.evaluation.summaries import summarise
from wekaconf.evaluation.thresholds import Rejection, choose_threshold
from wekaconf.methods.contract._answer import CertaintyRange
from wekaconf.methods.leaf_frequency import LeafFrequency

RUNS = [
    [(np.arange(0, 80), np.arange(80, 120)), (np.arange(40, 120), np.arange(0, 40))],
    [(np.arange(0, 120, 2), np.arange(1, 120, 2))],
]
KNOWN = [np.array([0, 2]), np.array([1, 2, 3])]


@pytest.fixture
def data():
    """Four classes; some instances have none."""
    return some_without_class(120, n_classes=4)


def restricted(data, names):
    """The literal form: instances of other classes lose their class, and the header forgets it."""
    column = data.class_index
    target = data.attributes[column]
    kept = tuple(name for name in target.values if name in names)
    attributes = list(data.attributes)
    attributes[column] = replace(target, values=kept)
    rows = data.values.tolist()
    for row in rows:
        name = None if np.isnan(row[column]) else target.values[int(row[column])]
        row[column] = kept.index(name) if name in kept else np.nan
    return Dataset(replace(data.header, attributes=tuple(attributes)), np.array(rows), data.weights)


def test_with_known_classes(data):
    for known in ([0, 2], [1], [0, 1, 2, 3], []):
        names = {data.class_names[c] for c in known}
        assert data.with_known_classes(known) == restricted(data, names)
    nothing = data.take([]).with_known_classes([1, 3])
    assert len(nothing) == 0 and nothing.class_names == (data.class_names[1], data.class_names[3])


def test_foreign_instances_train_nothing_and_are_answered(data):
    seen = []

    def watching(train):
        seen.append(train)
        return grow(train)

    [answers] = cross_validate(data, RUNS, watching, [wc.method("leaf_frequency")], known=KNOWN)
    expected, begin = [], 0
    for run, splits in enumerate(RUNS):
        names = {data.class_names[c] for c in KNOWN[run]}
        known = restricted(data, names)
        for train_rows, test_rows in splits:
            kept = [row for row in train_rows if data.class_values[row] in {-1, *KNOWN[run].tolist()}]
            expected.append(known.take(kept))
            tree = grow(known.take(kept))
            here = slice(begin, begin + len(test_rows))
            np.testing.assert_array_equal(answers.proba[here][:, KNOWN[run]], tree.predict_proba(known.take(test_rows)))
            assert not np.delete(answers.proba[here], KNOWN[run], axis=1).any()
            actual = data.class_values[test_rows]
            np.testing.assert_array_equal(answers.actual[here], actual)
            assert answers.is_foreign[here].tolist() == [c >= 0 and c not in KNOWN[run] for c in actual]
            begin += len(test_rows)
    assert seen == expected
    assert begin == len(answers.proba) and answers.is_foreign.sum() > 20
    assert np.isnan(answers.threshold).all() and not answers.rejected.any()


def test_metrics_are_those_of_the_known_classes_alone(data):
    [answers] = cross_validate(data, RUNS, grow, [wc.method("confdtree", min_instances=2)], known=KNOWN)
    summary = summarise(answers)[0]
    by_run = []
    for run, known in enumerate(KNOWN):
        chosen = (answers.run == run) & ~answers.is_foreign
        index = {c: i for i, c in enumerate(known)} | {-1: -1}
        actual = np.array([index[c] for c in answers.actual[chosen]])
        parts = answers.proba[chosen][:, known], actual, answers.weights[chosen]
        by_run.append(all_metrics(*parts, baseline=answers.baseline[chosen][:, known]))
    for name, value in summary["pooled"].items():
        assert value == pytest.approx(np.mean([metrics[name] for metrics in by_run]), abs=1e-15), name
    outcomes = summary["outcomes"]
    assert {(row["class_name"], row["is_foreign"]) for row in outcomes} == {
        ("c0", False), ("c2", False), ("c1", True), ("c3", True), ("c1", False), ("c3", False), ("c0", True)
    }  # fmt: skip
    assert sum(row["n"] for row in outcomes) == pytest.approx(answers.weights[answers.actual >= 0].sum())


def test_closed_set_has_no_foreign_instances(data):
    closed, open_ = (
        cross_validate(data, RUNS, grow, [wc.method("leaf_frequency")], known=known)[0]
        for known in (None, [np.arange(4)] * 2)
    )
    assert not closed.is_foreign.any() and not open_.is_foreign.any()
    np.testing.assert_array_equal(closed.proba, open_.proba)
    assert np.isnan(summarise(closed)[0]["reject"]["auroc_known"])


def test_threshold_on_the_training_rows(data):
    aim = Aim("keep", 0.8)
    [answers] = cross_validate(data, RUNS, grow, [wc.method("leaf_frequency")], rejection=Rejection(aim))
    splits = [split for splits in RUNS for split in splits]
    assert len(answers.choices) == 3
    begin = 0
    for (train_rows, test_rows), choice in zip(splits, answers.choices, strict=True):
        train = data.take([row for row in train_rows if data.class_values[row] >= 0])
        proba = grow(train).predict_proba(train)
        expected = choose_threshold(
            proba.max(axis=1), most_probable(proba) == train.class_values, train.weights, keep=0.8
        )
        assert choice == expected and choice.figures.kept_correct >= 0.8
        assert set(answers.threshold[begin : begin + len(test_rows)]) == {choice.threshold}
        begin += len(test_rows)
    assert answers.rejected.tolist() == (answers.certainty < answers.threshold).tolist()
    assert 0 < answers.rejected.sum() < len(answers.rejected)


def test_threshold_out_of_fold(data):
    """Certainties of trees that have not seen the instance, by the methods fitted on those trees."""

    given = wc.method("confdtree", min_instances=2)
    [answers] = cross_validate(data, RUNS, grow, [given], rejection=Rejection(Aim("error", 0.3), halves))
    for (train_rows, _), choice in zip([s for splits in RUNS for s in splits], answers.choices, strict=True):
        train = data.take([row for row in train_rows if data.class_values[row] >= 0])
        certainty, correct, weights = [], [], []
        for inner, rest in halves(train):
            part = train.take(inner)
            fitted = wc.method("confdtree", min_instances=2).fit(grow(part), part)
            certainty += fitted.certainty(train.take(rest)).tolist()
            correct += (fitted.predict(train.take(rest)) == train.class_values[rest]).tolist()
            weights += train.weights[rest].tolist()
        assert choice == choose_threshold(certainty, correct, weights, target_error=0.3)


def test_what_was_reached_is_told(data):
    [answers] = cross_validate(
        data, RUNS[:1], grow, [wc.method("leaf_frequency")], rejection=Rejection(Aim("keep", 0.9))
    )
    reject = summarise(answers)[0]["reject"]
    scored = answers.actual >= 0
    correct = answers.predicted[scored] == answers.actual[scored]
    expected = figures(answers.certainty[scored], correct, answers.weights[scored], answers.threshold[scored])
    assert {name: reject[name] for name in expected.as_dict()} == pytest.approx(expected.as_dict())
    assert reject["chosen"]["kept_correct"] == np.mean([choice.figures.kept_correct for choice in answers.choices])


class OwnRule(LeafFrequency, is_registered=False):
    certainty_range = CertaintyRange()

    def _answer(self, data):
        reply = super()._answer(data)
        return replace(reply, certainty=reply.proba[:, 0])

    def _threshold(self):
        return 0.25


def test_a_run_without_scored_instances_is_left_out_of_the_means(data):
    nobody = data.class_values < 0
    runs = [[(np.flatnonzero(~nobody), np.flatnonzero(nobody))], [(np.arange(60), np.arange(60, len(data)))]]
    for order in (runs, runs[::-1]):
        [both] = cross_validate(data, order, grow, [OwnRule()])
        [scored] = cross_validate(data, runs[1:], grow, [OwnRule()])
        assert nobody.any()
        found, expected = (summarise(answers)[0]["reject"] for answers in (both, scored))
        assert found.keys() == expected.keys() and found["n"] == expected["n"] / 2
        assert all(found[name] == expected[name] for name in ("aurc", "auroc_correct", "error_at"))


def test_a_method_s_own_rule_holds_unless_another_is_wanted(data):
    [own] = cross_validate(data, RUNS, grow, [OwnRule()])
    assert set(own.threshold) == {0.25} and own.choices == ()
    np.testing.assert_array_equal(own.certainty, own.proba[:, 0])
    [told] = cross_validate(data, RUNS, grow, [OwnRule()], rejection=Rejection(Aim("below", 0.5)))
    assert set(told.threshold) == {0.5}
    fitted = OwnRule().fit(grow(data), data)
    certainty = fitted.certainty(data)
    assert fitted.threshold == 0.25
    assert fitted.reject(data).tolist() == (certainty < 0.25).tolist()
    assert fitted.reject(data, below=0.7).tolist() == (certainty < 0.7).tolist()


def test_no_rule_and_no_threshold(data):
    fitted = wc.method("leaf_frequency").fit(grow(data), data)
    assert fitted.threshold is None
    with pytest.raises(OptionError, match="leaf_frequency has no rule of its own for rejecting; give below"):
        fitted.reject(data)
    with pytest.raises(OptionError, match="below must be a number, got nan"):
        fitted.reject(data, below=np.nan)


FOUR = small(x=[1, 2, 3, 4, 5], c=(("a", "b", "c", "d"), ["a", "b", "c", "c", None]))


@pytest.mark.parametrize(("known", "indices"), [
    ([["c", "a"]], [[0, 2]]), ([["a", "b"], ["c", "b"]], [[0, 1], [1, 2]]), ([["a", "c", "d"]], [[0, 2, 3]]),
])  # fmt: skip
def test_known_classes_are_found_by_name(known, indices):
    assert [each.tolist() for each in indices_of_known(FOUR, known, len(known))] == indices


@pytest.mark.parametrize(("known", "n_runs", "message"), [
    ([["a", "b"]], 2, "for each of the 2 runs"), ([["a", "z"]], 1, "'small' has no class 'z'"),
    ([["a"]], 1, "at least 2 classes, got 'a'"), ([["a", "a"]], 1, "at least 2 classes"),
    ([["a", "b", "c"]], 1, "no instance of another class, so the set is not open"),
])  # fmt: skip
def test_known_classes_that_leave_no_open_set_are_refused(known, n_runs, message):
    with pytest.raises(wc.OptionError, match=message):
        indices_of_known(FOUR, known, n_runs)
