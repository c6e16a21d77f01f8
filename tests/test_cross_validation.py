"""Cross-validation without Java: every split gets its own tree, and the summary is what the folds say."""

import math
from dataclasses import replace

import numpy as np
import pytest
from random_trees import random_dataset, random_header, random_tree

import wekaconf as wc
from wekaconf.dataset import Dataset
from wekaconf.evaluation.cross_validation import Answers, cross_validate, summarise
from wekaconf.evaluation.metrics import all_metrics
from wekaconf.postprocessor import Explanation, PostProcessor

RUNS = [
    [(np.arange(0, 60), np.arange(60, 90)), (np.arange(30, 90), np.arange(0, 30)[::-1])],
    [(np.arange(0, 90, 2), np.arange(1, 90, 2))],
]


@pytest.fixture
def data():
    """Some instances have no class, all have weights."""
    rng = np.random.default_rng(0)
    data = random_dataset(rng, random_header(rng), 90, 0.1, weights=True)
    values = data.values.copy()
    values[[3, 50, 70], data.class_index] = np.nan
    return Dataset(data.header, values, data.weights)


def grow(train):
    train = train.take(train.class_values >= 0)
    return random_tree(np.random.default_rng(len(train)), train)


def methods():
    return [wc.method("leaf_frequency"), wc.method("confdtree", min_instances=2)]


def test_every_answer_is_that_of_the_split_s_own_tree(data):
    answers = cross_validate(data, RUNS, grow, methods())
    assert len(answers) == 2
    for method, own in zip(methods(), answers, strict=True):
        begin = 0
        events = dict.fromkeys(own.events, 0)
        for run, splits in enumerate(RUNS):
            for fold, (train_rows, test_rows) in enumerate(splits):
                train = data.take([row for row in train_rows if data.class_values[row] >= 0])
                tree, test = grow(train), data.take(test_rows)
                method.fit(tree, train)
                here = slice(begin, begin + len(test_rows))
                np.testing.assert_array_equal(own.proba[here], method.predict_proba(test))
                np.testing.assert_array_equal(own.baseline[here], tree.predict_proba(test))
                np.testing.assert_array_equal(own.instance[here], test_rows)
                np.testing.assert_array_equal(own.actual[here], data.class_values[test_rows])
                np.testing.assert_array_equal(own.weights[here], data.weights[test_rows])
                assert set(own.run[here]) == {run}
                assert set(own.fold[here]) == {fold}
                for kind, count in method.explain(test).counts().items():
                    events[kind] += count
                begin += len(test_rows)
        assert begin == len(own.proba)
        assert own.events == events
    assert sum(answers[1].events.values()) > 0


def test_the_learner_sees_all_instances_as_in_weka(data):
    seen = []

    def watching(train):
        seen.append((len(train), int((train.class_values < 0).sum())))
        return grow(train)

    cross_validate(data, RUNS, watching, methods())
    assert seen == [(60, 2), (60, 2), (45, 2)]


def test_progress_is_told_once_a_split(data):
    told = []
    cross_validate(data, RUNS, grow, methods(), on_split=lambda: told.append(1))
    assert len(told) == 3


@pytest.fixture
def ranks_otherwise():
    """A method that ranks by what is no distribution, and counts how often it is asked for one."""

    class RanksOtherwise(PostProcessor.registry["leaf_frequency"], name="ranks_otherwise"):
        asked = 0

        def _predict_proba(self, data):
            type(self).asked += 1
            return super()._predict_proba(data)

        def _ranking(self, data):
            return np.sin(40 * self.tree_.predict_proba(data)) - 7

    yield RanksOtherwise
    del PostProcessor.registry["ranks_otherwise"]


def test_ranking_is_the_method_s_own(data, ranks_otherwise):
    plain, own = cross_validate(data, RUNS, grow, [wc.method("leaf_frequency"), ranks_otherwise()])
    np.testing.assert_array_equal(plain.ranking, plain.proba)
    np.testing.assert_array_equal(own.proba, plain.proba)
    np.testing.assert_array_equal(own.ranking, np.sin(40 * own.proba) - 7)
    assert ranks_otherwise.asked == 3
    before, after = (summarise(answers)["pooled"] for answers in (plain, own))
    assert {name for name in before if before[name] != after[name]} == {name for name in before if "auc" in name}


def test_distribution_is_not_computed_again_to_rank_by(data, ranks_otherwise):
    class Counting(ranks_otherwise, name="ranks_otherwise"):
        asked = 0
        _ranking = PostProcessor._ranking

    [own] = cross_validate(data, RUNS, grow, [Counting()])
    np.testing.assert_array_equal(own.ranking, own.proba)
    assert Counting.asked == 3


class Clairvoyant:
    """No PostProcessor: it answers with the class it sees."""

    name = "clairvoyant"

    def __init__(self, *, share):
        self.params = {"share": share}

    def fit(self, tree, train):
        self.tree = tree
        return self

    def predict_proba(self, data):
        return np.eye(data.n_classes)[data.class_values]

    def ranking(self, data):
        return self.params["share"] * self.predict_proba(data)

    def explain(self, data):
        none = np.zeros(0, dtype=np.intp)
        return Explanation(self.tree, len(data), (), none, none, none)


def test_any_object_with_the_methods_will_do_and_is_copied(data):
    given = Clairvoyant(share=0.25)
    [own] = cross_validate(data, RUNS, grow, [given])
    known = own.actual >= 0
    np.testing.assert_array_equal(own.proba[known].argmax(axis=1), own.actual[known])
    np.testing.assert_array_equal(own.ranking, 0.25 * own.proba)
    assert own.events == {}
    assert not hasattr(given, "tree")


def test_what_is_learned_from_and_answered_for_can_be_prepared(data):
    """An attribute is scaled by what a split's training instances say, in both parts."""
    seen, x0 = [], [attribute.name for attribute in data.attributes].index("x0")

    def prepare(train, test):
        seen.append((train, test))
        factor = np.ones(len(data.attributes))
        factor[x0] = -np.nanmax(np.abs(train.values[:, x0]))
        return tuple(replace(part, values=part.values * factor) for part in (train, test))

    answers = cross_validate(data, RUNS, grow, methods(), prepare=prepare)
    splits = [split for splits in RUNS for split in splits]
    assert seen == [(data.take(train), data.take(test)) for train, test in splits]
    for method, own in zip(methods(), answers, strict=True):
        parts = []
        for train, test in (prepare(data.take(train), data.take(test)) for train, test in splits):
            parts.append(method.fit(grow(train), train).predict_proba(test))
        np.testing.assert_array_equal(own.proba, np.concatenate(parts))
        np.testing.assert_array_equal(own.actual, data.class_values[own.instance])
    assert not np.array_equal(answers[1].proba, cross_validate(data, RUNS, grow, methods())[1].proba)


def test_summary(data):
    own = cross_validate(data, RUNS, grow, methods())[1]
    own = replace(own, ranking=np.sin(40 * own.proba))
    summary = summarise(own)

    def measure(chosen):
        parts = own.proba[chosen], own.actual[chosen], own.weights[chosen]
        return all_metrics(*parts, baseline=own.baseline[chosen], ranking=own.ranking[chosen])

    runs = [measure(own.run == run) for run in (0, 1)]
    folds = [measure((own.run == run) & (own.fold == fold)) for run, fold in ((0, 0), (0, 1), (1, 0))]
    assert summary.keys() == {"pooled", "fold_mean", "fold_std", "reject", "outcomes"}
    for name in runs[0]:
        assert summary["pooled"][name] == pytest.approx(np.mean([metrics[name] for metrics in runs]), abs=1e-15)
        own_folds = [metrics[name] for metrics in folds]
        assert summary["fold_mean"][name] == pytest.approx(np.mean(own_folds), abs=1e-15)
        assert summary["fold_std"][name] == pytest.approx(np.std(own_folds, ddof=1), abs=1e-15)
        assert summary["fold_std"][name] > 0


def answers(proba, actual, fold):
    proba = np.array(proba, dtype=float)
    n = len(proba)
    zero = np.zeros(n, dtype=np.int64)
    return Answers(
        proba=proba, ranking=proba, baseline=proba, certainty=proba.max(axis=1), threshold=np.full(n, np.nan),
        actual=np.array(actual), is_foreign=zero > 0, weights=np.ones(n), run=zero, fold=np.array(fold),
        instance=np.arange(n), class_names=("a", "b"), known=np.ones((1, 2), dtype=bool), choices=(), events={},
    )  # fmt: skip


def test_undefined_folds_are_left_out_of_the_mean():
    """An area needs two classes: the second fold has one, and one value has no deviation."""
    summary = summarise(answers([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], [0, 1, 0], [0, 0, 1]))
    assert summary["fold_mean"]["auc_mean"] == 1.0
    assert math.isnan(summary["fold_std"]["auc_mean"])
    assert summary["fold_std"]["percent_correct"] == 0.0


def test_no_class_known_at_all():
    summary = summarise(answers([[0.9, 0.1], [0.2, 0.8]], [-1, -1], [0, 1]))
    assert all(math.isnan(summary["pooled"][name]) for name in ("percent_correct", "auc_mean", "brier", "log_loss"))
    assert summary["pooled"]["percent_affected"] == 0.0
