"""Cross-validation without Java: a tree per split, what the folds say, resuming; leaving one instance out."""

import math
import tracemalloc
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np
import pytest
from support.command_line import ARFF
from support.growers import grow_cart
from support.kept_pieces import answers_in
from support.random_trees import random_dataset, random_header
from support.split_cases import assert_same_answers, cross_validate, grow, halves, some_without_class

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import parameter
from wekaconf.data import Dataset
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.cross_validation import ARRAYS, Answers, CrossValidation, LeaveOneOut, by_tree
from wekaconf.evaluation.cross_validation._fold_answers import Fold
from wekaconf.evaluation.cross_validation._validation import CHUNK
from wekaconf.evaluation.measures import all_metrics
from wekaconf.evaluation.protocol import splits
from wekaconf.evaluation.summaries import MEASURES, fold_values, summarise
from wekaconf.evaluation.summaries import _summary as summary
from wekaconf.evaluation.thresholds import Rejection
from wekaconf.experiments.runner._measurement import split_work
from wekaconf.methods.contract._answer import CertaintyRange, Reply
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut, LeftOut, ignore_progress
from wekaconf.methods.contract._method import Method
from wekaconf.methods.leaf_frequency import LeafFrequency

RUNS = [
    [(np.arange(0, 60), np.arange(60, 90)), (np.arange(30, 90), np.arange(0, 30)[::-1])],
    [(np.arange(0, 90, 2), np.arange(1, 90, 2))],
]


@pytest.fixture
def data():
    """Some instances have no class, all have weights."""
    return some_without_class(90)


def methods():
    return [wc.method("leaf_frequency"), wc.method("confdtree", min_instances=2)]


def test_every_answer_is_that_of_the_split_s_own_tree(data):
    answers = cross_validate(data, RUNS, grow, methods())
    assert len(answers) == 2
    for method, own in zip(methods(), answers, strict=True):
        begin = 0
        events = dict.fromkeys(own.events, 0)
        for run, folds in enumerate(RUNS):
            for fold, (train_rows, test_rows) in enumerate(folds):
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
                if method.counts_events:
                    for kind, count in method.explain(test).counts().items():
                        events[kind] += count
                begin += len(test_rows)
        assert begin == len(own.proba)
        assert own.events == events
    assert answers[0].events == {}
    assert sum(answers[1].events.values()) > 0


def test_the_learner_sees_all_instances_as_in_weka(data):
    seen = []

    def watching(train):
        seen.append((len(train), int((train.class_values < 0).sum())))
        return grow(train)

    cross_validate(data, RUNS, watching, methods())
    assert seen == [(60, 2), (60, 2), (45, 2)]


def test_progress_is_told_after_each_answer_of_a_method(data):
    told = []
    cross_validate(data, RUNS, grow, methods(), on_progress=lambda *now: told.append(now))
    assert told == [(30, 210), (60, 210), (90, 210), (120, 210), (165, 210), (210, 210)]


def test_progress_is_told_on_the_trees_of_each_learner(iris, jvm):
    told = []
    methods = ["boundary_distance", "id3_max", "boundary_distance:norm=l1"]
    with pytest.warns(wc.Note, match="the methods use several learners"):
        wc.evaluate(iris, methods, folds=2, on_progress=lambda *now: told.append(now))
    assert [*dict.fromkeys(told)] == [(done, 450) for done in range(0, 451, 75)]


@pytest.fixture
def ranks_otherwise():
    """A method that ranks by what is no distribution, and counts how often it answers."""

    class RanksOtherwise(LeafFrequency, is_registered=False):
        asked = 0

        def _answer(self, data):
            type(self).asked += 1
            return replace(super()._answer(data), ranking=lambda: np.sin(40 * self.tree_.predict_proba(data)) - 7)

    return RanksOtherwise


def test_ranking_is_the_method_s_own(data, ranks_otherwise):
    plain, own = cross_validate(data, RUNS, grow, [wc.method("leaf_frequency"), ranks_otherwise()])
    np.testing.assert_array_equal(plain.ranking, plain.proba)
    np.testing.assert_array_equal(own.proba, plain.proba)
    np.testing.assert_array_equal(own.ranking, np.sin(40 * own.proba) - 7)
    assert ranks_otherwise.asked == 3
    before, after = (summarise(answers)[0]["pooled"] for answers in (plain, own))
    assert {name for name in before if before[name] != after[name]} == {name for name in before if "auc" in name} - {
        "auc_reliability"
    }


@pytest.mark.parametrize("aim", [None, Aim("keep", 0.8)])
def test_a_method_answers_once_for_all_that_is_asked_of_it(data, ranks_otherwise, aim):
    """Distribution, ranking, certainty and events; where a threshold is chosen, once more for what it is chosen on."""

    class Counting(ranks_otherwise, is_registered=False):
        asked = 0
        counts_events = True

    [own] = cross_validate(data, RUNS, grow, [Counting()], rejection=None if aim is None else Rejection(aim))
    assert Counting.asked == (3 if aim is None else 6)
    assert own.events["leaf"] >= 105 and len(own.choices) == (0 if aim is None else 3)


class Clairvoyant(Method, is_registered=False):
    """It answers with the class it sees."""

    name = "clairvoyant"
    sees_class = True
    share: float = parameter(default=0.5, low=0, high=1, help="Of the ranking.")

    def _fit(self, tree, train):
        pass

    def _answer(self, data):
        proba = np.eye(data.n_classes)[data.class_values]
        return Reply(proba, ranking=self.share * proba)


def test_a_method_that_sees_the_class_is_shown_it_and_is_copied(data):
    given = Clairvoyant(share=0.25)
    [own] = cross_validate(data, RUNS, grow, [given])
    known = own.actual >= 0
    np.testing.assert_array_equal(own.proba[known].argmax(axis=1), own.actual[known])
    np.testing.assert_array_equal(own.ranking, 0.25 * own.proba)
    assert own.events == {}
    assert not hasattr(given, "tree_")


class Keeping(LeafFrequency, LeavesOneOut, is_registered=False):
    """The tree's own answers, of a method that might leave instances out and does not."""

    can_leave_one_out = False
    n_kept = 0

    def _leave_one_out(self, rows):
        pytest.fail("asked for the short way")


def test_notes_of_all_splits_come_together(data):
    class Noting(Keeping, is_registered=False):
        def notes(self, data):
            return (f"asked about {len(data)}", "always")

    noting, plain = cross_validate(data, RUNS, grow, [Noting(), wc.method("leaf_frequency")])
    assert noting.notes == ("always", "asked about 30", "asked about 45")
    assert plain.notes == ()


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
    own = replace(own, ranking=np.sin(40 * own.proba), certainty=np.cos(40 * own.proba[:, 0]))
    summary = summarise(own)[0]

    def measure(chosen):
        parts = own.proba[chosen], own.actual[chosen], own.weights[chosen]
        more = {"baseline": own.baseline[chosen], "ranking": own.ranking[chosen], "certainty": own.certainty[chosen]}
        return all_metrics(*parts, **more)

    runs = [measure(own.run == run) for run in (0, 1)]
    folds = [measure((own.run == run) & (own.fold == fold)) for run, fold in ((0, 0), (0, 1), (1, 0))]
    assert summary.keys() == {"pooled", "fold_mean", "fold_std", "reject", "outcomes", "majority"}
    for name in runs[0]:
        assert summary["pooled"][name] == pytest.approx(np.mean([metrics[name] for metrics in runs]), abs=1e-15)
        own_folds = [metrics[name] for metrics in folds]
        assert summary["fold_mean"][name] == pytest.approx(np.mean(own_folds), abs=1e-15)
        assert summary["fold_std"][name] == pytest.approx(np.std(own_folds, ddof=1), abs=1e-15)
        assert summary["fold_std"][name] > 0


def test_folds_measured_one_at_a_time_give_the_same(data, monkeypatch):
    own = cross_validate(data, RUNS, grow, methods())[1]
    together = fold_values(own, MEASURES).values
    monkeypatch.setattr(summary, "TABLE_CELLS", 1)
    alone = fold_values(own, MEASURES).values
    assert list(alone) == list(together) == list(MEASURES)
    for name in MEASURES:
        np.testing.assert_allclose(alone[name], together[name], rtol=0, atol=1e-12)


@pytest.mark.parametrize("weights", ["equal", "odd"])
@pytest.mark.parametrize("known", [None, [np.array([0, 2]), np.array([0, 1, 2])]])
def test_methods_measured_together_are_measured_as_alone(known, weights, monkeypatch):
    """To the last bit, so that a record does not depend on what else was asked."""
    data = some_without_class(90, n_classes=9)
    found = cross_validate(data, RUNS, grow, methods(), known=known)
    rng = np.random.default_rng(5)
    if weights == "odd":
        by_row = rng.uniform(0, 3, len(data)) * 10.0 ** rng.integers(-6, 6, len(data))
        found = [replace(each, weights=by_row[each.instance]) for each in found]
    found += [replace(found[0], proba=found[0].proba[::-1], certainty=rng.normal(size=len(found[0].certainty)))]
    alone = [summarise(each)[0] for each in found]
    np.testing.assert_equal(summarise(*found), alone)
    monkeypatch.setattr(summary, "CELLS_TOGETHER", 2 * found[0].proba.size)
    np.testing.assert_equal(summarise(*found), alone)


def answers(proba, actual, fold):
    proba = np.array(proba, dtype=float)
    n = len(proba)
    zero = np.zeros(n, dtype=np.int64)
    return Answers(
        proba=proba, ranking=proba, baseline=proba, certainty=proba.max(axis=1), threshold=np.full(n, np.nan),
        actual=np.array(actual), is_foreign=zero > 0, weights=np.ones(n), run=zero, fold=np.array(fold),
        instance=np.arange(n), class_names=tuple("abcd"[: proba.shape[1]]),
        known=np.ones((1, proba.shape[1]), dtype=bool),
        training_weight=np.ones((max(fold, default=0) + 1, proba.shape[1])), choices=(), events={},
    )  # fmt: skip


def test_undefined_folds_are_left_out_of_the_mean():
    """An area needs two classes: the second fold has one, and one value has no deviation."""
    [summary] = summarise(answers([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], [0, 1, 0], [0, 0, 1]))
    assert summary["fold_mean"]["auc_mean"] == 1.0
    assert math.isnan(summary["fold_std"]["auc_mean"])
    assert summary["fold_std"]["percent_correct"] == 0.0


def test_brier_of_folds_counts_the_classes_of_the_run():
    """The folds have one class each; so the mean over them is the figure of all, as they weigh the same."""
    rows = [[0.7, 0.1, 0.2, 0.0], [0.1, 0.4, 0.2, 0.3], [0.5, 0.25, 0.25, 0.0]]
    [summary] = summarise(answers(rows, [0, 2, 0], [0, 1, 2]))
    expected = (0.3**2 + 0.2**2 + 0.1**2 + 0.8**2 + 0.5**2 + 0.25**2) / 6  # of the two classes that there are
    assert summary["pooled"]["brier"] == pytest.approx(expected, abs=1e-15)
    assert summary["fold_mean"]["brier"] == pytest.approx(expected, abs=1e-15)


def test_reliability_is_of_the_method_s_certainty():
    own = answers([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], [0, 1, 1], [0, 0, 0])
    assert summarise(own)[0]["pooled"]["auc_reliability"] == 1.0
    assert summarise(replace(own, certainty=np.array([1.0, 3.0, 2.0])))[0]["pooled"]["auc_reliability"] == 0.5


def test_no_class_known_at_all():
    [summary] = summarise(answers([[0.9, 0.1], [0.2, 0.8]], [-1, -1], [0, 1]))
    for name in ("percent_correct", "auc_mean", "brier", "log_loss", "ece", "auc_reliability"):
        assert math.isnan(summary["pooled"][name])
    assert summary["pooled"]["percent_affected"] == 0.0


# -- resuming ------------------------------------------------------------------------------------------------------


class Growing:
    """Grows as ever and counts; breaks off when it has grown so many trees."""

    def __init__(self, breaks_after=None, error=KeyboardInterrupt):
        self.count, self.breaks_after, self.error = 0, breaks_after, error

    def __call__(self, train):
        if self.count == self.breaks_after:
            raise self.error
        self.count += 1
        return grow(train)


TEN = [[(np.delete(np.arange(90), np.arange(i, 90, 10)), np.arange(i, 90, 10)) for i in range(10)]]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize(
    ("more", "trees"),
    [({}, 1), ({"known": [np.array([0, 2])]}, 1), ({"rejection": Rejection(Aim("keep", 0.8), halves)}, 3)],
    ids=["plain", "open set", "thresholds"],
)
def test_what_is_finished_is_not_computed_again(data, tmp_path, more, trees, error):
    whole = cross_validate(data, TEN, grow, methods(), **more)
    first, second, third = Growing(6 * trees + trees // 2, error), Growing(), Growing()
    with pytest.raises(error), answers_in(tmp_path / "s") as cache:
        cross_validate(data, TEN, first, methods(), cache=cache, **more)
    assert first.count == 6 * trees + trees // 2
    told = []
    for growing, there in ((second, 6), (third, 10)):
        with answers_in(tmp_path / "s") as cache:
            assert sum(map(len, cache.values())) == 2 * 9 * there
            again = cross_validate(
                data, TEN, growing, methods(), cache=cache, on_progress=lambda *now: told.append(now), **more
            )
        for one, other in zip(again, whole, strict=True):
            assert_same_answers(one, other)
    assert [second.count, third.count] == [4 * trees, 0]
    assert told[0] == (108, 180) and told[-1] == (180, 180)


def test_methods_share_the_trees_of_their_learner(data):
    """And answer as if the methods of other learners were not there."""
    grown = []

    def watching(train):
        grown.append(len(train))
        return grow(train)

    named = dict(zip("abc", [methods()[0], methods()[1], wc.method("leaf_frequency")], strict=True))
    growers = {"a": watching, "b": grow_whole, "c": watching}
    together = CrossValidation(data, RUNS, growers, named).run()
    assert [*together] == ["a", "b", "c"] and len(grown) == sum(map(len, RUNS))
    for label, method in named.items():
        [alone] = cross_validate(data, RUNS, growers[label], [method])
        assert_same_answers(together[label], alone)


def test_a_method_that_joins_grows_trees_for_itself_alone(data, tmp_path):
    whole = cross_validate(data, TEN, grow, methods())
    fitted = []

    class Noting(LeafFrequency, is_registered=False):
        def _fit(self, tree, train):
            fitted.append(len(train))

    with answers_in(tmp_path / "s") as cache:
        cross_validate(data, TEN, grow, [Noting()], cache=cache)
        assert len(fitted) == 10
        again = cross_validate(data, TEN, grow, [Noting(), methods()[1]], cache=cache)
    assert len(fitted) == 10
    for one, other in zip(again, whole, strict=True):
        assert_same_answers(one, other)


def test_each_split_is_kept_at_once(data, tmp_path):
    seen = []

    def watching(train):
        with answers_in(tmp_path / "s") as other:
            seen.append(sum(map(len, other.values())))
        return grow(train)

    with answers_in(tmp_path / "s") as cache:
        cross_validate(data, TEN, watching, methods(), cache=cache)
    assert seen == [18 * i for i in range(10)]


class Counting(LeafFrequency, is_registered=False):
    """Counts how often it is fitted: once on each split that is computed."""

    fits = 0

    def _fit(self, tree, train):
        type(self).fits += 1


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_evaluation_goes_on_only_where_everything_is_the_same(jvm, tmp_path):
    data = wc.load_arff(ARFF / "iris.arff")
    counting = Counting()
    folds = splits(data, folds=3)
    usual = {"methods": [counting, "confdtree"], "learner": "CART", "options": "min_leaf=3"}

    def computed(data=data, **other):
        Counting.fits = 0
        asked = {"given": [folds], "threshold_from": "training"}
        asked |= {name: other.pop(name) for name in [*other] if name in wc.Protocol.__dataclass_fields__}
        found = wc.evaluate(data, **(usual | other), protocol=wc.Protocol(**asked), resume=tmp_path / "r")
        return Counting.fits, found

    n, first = computed()
    assert n == 3
    n, again = computed()
    assert n == 0
    for (record, one), (other, two) in zip(first, again, strict=True):
        np.testing.assert_equal(record, other)
        assert_same_answers(one, two)
    for others in (["confdtree:fine=0.3"], [], ["confdtree", "m_branch"]):
        assert computed(methods=[*others, counting])[0] == 0
    names = data.class_names
    changes = [
        {"data": Dataset(data.header, data.values, np.linspace(1, 2, 150))},
        {"data": Dataset(data.header, data.values + (np.arange(5) == 2) * 0.5)},
        {"data": replace(data, header=replace(data.header, relation="other"))},
        {"data": replace(data, header=replace(data.header, attributes=(wc.Attribute("other"), *data.attributes[1:])))},
        {"methods": [Counting(laplace=False), "confdtree"]},
        {"given": [splits(data, folds=3, seed=2)]},
        {"given": [[(train[::-1], test) for train, test in folds]]},
        {"given": [folds, folds]},
        {"learner": "J48", "options": ""},
        {"options": "min_leaf=4"},
        {"known": [names[:2]]},
        {"known": [names[1:]]},
        {"aim": Aim("keep", 0.9)},
        {"aim": Aim("keep", 0.8)},
        {"aim": Aim("keep", 0.8), "threshold_from": "out-of-fold"},
        {"preprocess": "median"},
        {"preprocess": "median", "per_fold": True},
    ]
    for change in changes:
        assert computed(**change)[0] >= 3, change
        assert computed(**change)[0] == 0, change
    with pytest.warns(wc.Note, match="iris: 300 of 300 answers are taken from .*r$"):
        computed()


def test_leaving_one_out_goes_on_by_seed(jvm, tmp_path):
    data = wc.load_arff(ARFF / "iris.arff").take(slice(0, 150, 10))

    def computed(seed):
        Counting.fits = 0
        wc.evaluate(data, [Counting()], folds="loo", seed=seed, resume=tmp_path / "s")
        return Counting.fits

    assert computed(1) == 15
    with pytest.warns(wc.Note, match="iris: 15 of 15 answers"):
        assert computed(1) == 0
    assert computed(2) == 15


def test_trees_and_methods_learn_from_weighed_instances(data):
    """The instances that they answer for keep their weights."""

    def weigh(train):
        return replace(train, weights=np.where(train.class_values == 0, 5.0, 1.0))

    [own] = cross_validate(data, RUNS[1:], grow, [wc.method("leaf_frequency")], weigh=weigh)
    [(train_rows, test_rows)] = RUNS[1]
    train, test = weigh(data.take(train_rows[data.class_values[train_rows] >= 0])), data.take(test_rows)
    expected = wc.method("leaf_frequency").fit(grow(train), train).predict_proba(test)
    np.testing.assert_array_equal(own.proba, expected)
    np.testing.assert_array_equal(own.weights, test.weights)


def test_cost_is_said_first_and_each_test_row_counts_once(jvm, iris):
    class Costly(Keeping, is_registered=False):
        def cost(self, n_instances, header):
            return f"asks {n_instances} times about {', '.join(header.class_names)}"

        def _fit(self, tree, train):
            raise ZeroDivisionError("the work has begun")

    runs = [splits(iris, folds=3), splits(iris, folds="loo"), splits(iris, split="100:20")]
    for known, names in ((None, "setosa, versicolor, virginica"), (["virginica", "setosa"], "setosa, virginica")):
        protocol = wc.Protocol(given=runs, known=known)
        with pytest.warns(wc.Note) as told, pytest.raises(ZeroDivisionError):
            wc.evaluate(iris, [Costly(), "leaf_frequency"], protocol=protocol, learner="CART")
        assert [str(note.message) for note in told] == [f"iris: asks 320 times about {names}"]


# -- leaving one instance out: the lazy splits, and methods that do it by themselves -----------------------------------


grow_whole = partial(grow_cart, options="prune=none min_leaf=3 nominal=one_hot")


@pytest.fixture
def sixty():
    """Four classes; some instances have none, some weigh nothing."""
    rng = np.random.default_rng(1)
    data = random_dataset(rng, random_header(rng, n_classes=4), 60, 0.1, weights=True)
    values, weights = data.values.copy(), data.weights.copy()
    values[[3, 41], data.class_index] = np.nan
    weights[[0, 17, 59]] = 0
    return Dataset(data.header, values, weights)


def leave_one_out(n, seed=1):
    """The folds come in an order of their own."""

    def folds():
        return [(np.delete(np.arange(n), i), np.array([i])) for i in np.random.default_rng(seed).permutation(n)]

    return LeaveOneOut(n, folds, seed=seed)


def never_asked(n):
    return LeaveOneOut(n, lambda: pytest.fail("the folds were made"), seed=1)


class Keeps(LeafFrequency, LeavesOneOut, is_registered=False):
    """A method that keeps its training data."""

    @property
    def n_kept(self):
        return len(self.train)

    def _fit(self, tree, train):
        super()._fit(tree, train)
        self.train = train


class Odd(Keeps, is_registered=False):
    """A method with a ranking, a certainty, a threshold and notes of its own, and no short way."""

    certainty_range = CertaintyRange()
    can_leave_one_out = False
    laplace: bool | None = parameter(default=True, help="As its parent's.")

    def _answer(self, data):
        proba = super()._answer(data).proba
        return Reply(proba, ranking=np.sin(40 * proba), certainty=proba[:, 0])

    def _leave_one_out(self, rows):
        pytest.fail("asked for the short way")

    def _threshold(self):
        return 0.25

    def notes(self, data):
        return tuple(f"x0 is missing {side} zero" for side in ("in", "above"))[: int(np.isnan(data.values).any())]


@pytest.fixture
def refits():
    """The same, leaving an instance out by growing the tree of all others."""

    class Refits(Odd, is_registered=False):
        can_leave_one_out = True
        asked: ClassVar = []
        fits = 0

        def _fit(self, tree, train):
            super()._fit(tree, train)
            type(self).fits += 1

        def _leave_one_out(self, rows):
            type(self).asked.append(rows.tolist())
            parts = []
            for done, row in enumerate(rows, 1):
                others = self.train.take(np.delete(np.arange(len(self.train)), row))
                tree, test = grow_whole(others), self.train.take([row])
                answer = Odd(**self.params).fit(tree, others).answer(test)
                parts.append((answer.proba, answer.ranking, answer.certainty, tree.predict_proba(test)))
                self.on_progress(done, len(rows))
            return LeftOut(*map(np.concatenate, zip(*parts, strict=True)))

    return Refits


# -- the splits ----------------------------------------------------------------------------------------------------


def test_split_i_answers_for_instance_i():
    splits = leave_one_out(7)
    assert len(splits) == 7
    for i, (train, test) in enumerate(splits):
        assert test.tolist() == [i]
        assert sorted([*train, i]) == list(range(7))
    assert splits[3][1].tolist() == [3] and splits[-1][1].tolist() == [6]
    assert [test.tolist() for _, test in splits[2:4]] == [[2], [3]]
    with pytest.raises(IndexError):
        splits[7]


def test_folds_are_made_when_somebody_asks_and_once():
    made = []

    def folds():
        made.append(1)
        return [(np.array([1]), np.array([0])), (np.array([0]), np.array([1]))]

    splits = LeaveOneOut(2, folds, seed=1)
    assert len(splits) == 2 and not made
    assert [len(list(splits)), len(list(splits))] == [2, 2]
    assert made == [1]


@pytest.mark.parametrize("tested", [[[0], [0]], [[0, 1]], [[0], [2]]])
def test_folds_that_do_not_leave_one_out(tested):
    splits = LeaveOneOut(2, lambda: [(np.array([0]), np.array(rows)) for rows in tested], seed=1)
    with pytest.raises(ValueError, match="expected folds that test each of the 2 instances alone"):
        splits[0]


def test_training_order_is_weka_s(jvm):
    data = wc.load_arff(ARFF / "iris.arff").take(slice(0, 150, 5))
    folds = {int(test[0]): train.tolist() for train, test in wc.folds(data, 30, 7)}
    left_out = splits(data, folds="loo", seed=7)
    assert isinstance(left_out, LeaveOneOut) and left_out.seed == 7
    assert [train.tolist() for train, _ in left_out] == [folds[i] for i in range(30)]


def test_splits_refuse_at_once_what_folds_refuse(jvm, iris):
    with pytest.raises(OptionError, match=r"'iris' has 1 instance, too few for folds"):
        splits(iris.take([0]), folds="loo")
    with pytest.raises(OptionError, match="seed: expected a whole number"):
        splits(iris, folds="loo", seed=2**31)


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_splits_of_other_data(sixty, jvm):
    with pytest.raises(OptionError, match="these splits leave out one of 59 instances, but 'random' has 60; make them"):
        cross_validate(sixty, [never_asked(59)], grow_whole, [wc.method("leaf_frequency")])
    protocol = wc.Protocol(given=[never_asked(61)])
    with pytest.raises(OptionError, match="these splits leave out one of 61 instances, but 'random' has 60; make them"):
        wc.evaluate(sixty, ["leaf_frequency"], protocol=protocol, learner="CART", options="nominal=one_hot")


# -- methods that leave out by themselves -----------------------------------------------------------------------------


@pytest.mark.parametrize("known", [None, [np.array([0, 1, 3]), np.array([1, 2])]], ids=["closed", "open"])
def test_the_short_way_gives_what_the_folds_give(sixty, refits, known):
    """Among other methods and alone; a run of ordinary splits beside it is answered as ever."""
    usual = [(np.arange(0, 60, 2), np.arange(1, 60, 2)), (np.arange(1, 60, 2), np.arange(0, 60, 2)[::-1])]
    for runs in ([leave_one_out(60), usual], [usual, leave_one_out(60, 3)]):
        [long] = cross_validate(sixty, runs, grow_whole, [Odd()], known=known)
        refits.asked, refits.fits = [], 0
        plain, short, again = cross_validate(
            sixty, runs, grow_whole, [wc.method("leaf_frequency"), refits(), Odd()], known=known
        )
        assert refits.fits == 1 + len(usual)
        assert len(refits.asked) == 1
        assert_same_answers(short, long)
        assert_same_answers(again, long)
        np.testing.assert_array_equal(plain.instance, short.instance)
        np.testing.assert_array_equal(plain.baseline, short.baseline)
        run = next(i for i, splits in enumerate(runs) if isinstance(splits, LeaveOneOut))
        assert long.instance[long.run == run].tolist() == list(range(60))
        alone = [never_asked(60) if isinstance(splits, LeaveOneOut) else splits for splits in runs]
        [only] = cross_validate(sixty, alone, grow_whole, [refits()], known=known)
        assert_same_answers(only, long)
    assert len(set(long.fold[long.run == 1].tolist())) == 60
    assert long.rejected.any() and not long.rejected.all()
    assert long.notes == ("x0 is missing in zero",)


def test_one_tree_is_grown_for_all_of_them(sixty, refits):
    grown = []

    def watching(train):
        grown.append(train)
        return grow_whole(train)

    cross_validate(sixty, [never_asked(60)], watching, [refits(), refits(laplace=False)])
    assert grown == [sixty]
    known = np.array([0, 2, 3])
    cross_validate(sixty, [never_asked(60)], watching, [refits()], known=[known])
    assert grown[1] == sixty.with_known_classes(known).take(np.isin(sixty.class_values, (-1, 0, 2, 3)))


def test_data_that_train_nothing_to_the_last(sixty, refits):
    """The only instance of a class and the only ones that count are left out too."""
    values = sixty.values.copy()
    values[2:, sixty.class_index] = np.nan
    few = Dataset(sixty.header, values)
    [short] = cross_validate(few, [never_asked(60)], grow_whole, [refits()])
    [long] = cross_validate(few, [leave_one_out(60)], grow_whole, [Odd()])
    assert_same_answers(short, long)


def test_every_instance_counts(sixty, refits):
    full = sixty.take((sixty.class_values >= 0) & (sixty.weights > 0))
    [short] = cross_validate(full, [never_asked(len(full))], grow_whole, [refits()])
    [long] = cross_validate(full, [leave_one_out(len(full))], grow_whole, [Odd()])
    assert_same_answers(short, long)


def test_the_long_way_where_thresholds_are_chosen_or_splits_prepared(sixty, refits):
    refits.asked = []
    for more in (
        {"rejection": Rejection(Aim("keep", 0.8))},
        {"prepare": lambda train, test: (replace(train, weights=train.weights + 1), test)},
    ):
        for runs in ([leave_one_out(60)], [list(leave_one_out(60))]):
            one, other = cross_validate(sixty, runs, grow_whole, [refits(), Odd()], **more)
            assert_same_answers(one, other)
    cross_validate(sixty, [list(leave_one_out(60))], grow_whole, [refits()])
    assert refits.asked == []


def test_the_long_way_where_events_are_counted(sixty, refits):
    """An answer for an instance left out has no events: they are those of ordinary answers."""

    class Counting(refits, is_registered=False):
        counts_events = True

    [counting] = cross_validate(sixty, [leave_one_out(60)], grow_whole, [Counting()])
    assert refits.asked == []
    assert counting.events["leaf"] >= 60


def test_a_method_may_have_a_short_way_with_some_parameters_only(sixty, refits):
    class Sometimes(refits, is_registered=False):
        @property
        def can_leave_one_out(self):
            return not self.laplace

    told = []
    one, other, plain, smoothed = cross_validate(
        sixty, [leave_one_out(60)], grow_whole,
        [Sometimes(laplace=True), Sometimes(laplace=False), Odd(laplace=False), Odd()],
        on_progress=lambda *now: told.append(now),
    )  # fmt: skip
    assert Sometimes.asked == [list(range(55))]
    assert_same_answers(one, smoothed)
    assert_same_answers(other, plain)
    assert told[-1] == (240, 240)


def test_a_method_says_how_many_it_is_asked_about_at_a_time(sixty, refits):
    class InParts(refits, is_registered=False):
        def left_out_at_a_time(self, train):
            return len(train) // 3

    told = []
    one, other = cross_validate(
        sixty, [leave_one_out(60)], grow_whole, [InParts(), Odd()], on_progress=lambda *now: told.append(now)
    )
    assert InParts.asked == [list(range(20)), list(range(20, 40)), list(range(40, 55))]
    assert_same_answers(one, other)
    n_done = [n for n, _ in told]
    assert n_done == sorted(n_done) and told[-1] == (120, 120)


def large():
    """5000 instances whose classes are the sign of the only attribute."""
    x = np.random.default_rng(0).normal(size=5000)
    header = wc.Header("large", (wc.Attribute("x"), wc.Attribute("c", "nominal", ("a", "b"))), 1)
    return Dataset(header, np.column_stack((x, x > 0)))


@pytest.fixture
def knows():
    """A method that knows them."""

    class Knows(Keeps, is_registered=False):
        asked: ClassVar = []

        def _leave_one_out(self, rows):
            self.asked.append((int(rows[0]), len(rows)))
            proba = np.eye(2)[(self.train.values[rows, 0] > 0).astype(int)]
            return LeftOut(proba, proba, proba.max(axis=1), proba)

    return Knows


def test_many_instances_are_asked_for_in_parts_and_need_little_memory(knows):
    data = large()
    cross_validate(data, [never_asked(5000)], grow_whole, [knows()])  # loads what is loaded once
    knows.asked.clear()
    tracemalloc.start()
    [answers] = cross_validate(data, [never_asked(5000)], grow_whole, [knows()])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert knows.asked == [(0, CHUNK), (CHUNK, 5000 - CHUNK)]
    np.testing.assert_array_equal(answers.predicted, answers.actual)
    assert peak < 5000 * 5000 / 2


@pytest.mark.parametrize("store", [None, "s"])
def test_evaluate_makes_no_folds_that_nobody_needs(jvm, knows, tmp_path, store):
    data, protocol = large().take(slice(300)), wc.Protocol(given=[never_asked(300)])
    resume = None if store is None else tmp_path / store
    [(record, answers)] = wc.evaluate(data, [knows()], protocol=protocol, learner="CART", resume=resume)
    assert record["pooled"]["percent_correct"] == 100.0
    assert answers.instance.tolist() == list(range(300))


def test_rows_are_left_out_of_one_tree_per_run_and_grower():
    rows, split = np.arange(2), Fold(1, 0, np.arange(2), np.arange(2), grow, ())
    of_methods = [(0, grow), (0, grow), (0, grow_cart), (1, grow_cart)]
    left_out = [Fold(run, place, None, rows, grower, ()) for place, (run, grower) in enumerate(of_methods)]
    groups, rest = by_tree([split, *left_out])
    assert [[fold.place for fold in group] for group in groups] == [[0, 1], [2], [3]] and rest == [split]


def test_one_process_answers_for_all_that_are_left_out(knows):
    """The other methods are shared out by their splits, and nothing is answered twice."""
    data = large().take(slice(30))
    with_another = [knows(), wc.method("leaf_frequency")]
    for methods, left_out in (([knows()], never_asked(30)), (with_another, leave_one_out(30))):
        named, cache = dict(enumerate(methods)), {}
        validation = CrossValidation(data, [left_out], dict.fromkeys(named, grow_whole), named)
        [whole, *others] = split_work(validation.missing(cache), 4)
        assert {(fold.train, fold.labels) for fold in whole} == {(None, (0,))}
        assert [len(part) for part in others] == ([8, 8, 8, 6] if len(methods) > 1 else [])
        assert all(fold.train is not None and fold.labels == (1,) for part in others for fold in part)
        for part in (whole, *others):
            for key, answers in validation.answer(part):
                cache.update({(key, label): each for label, each in answers.items()})
        assert not validation.missing(cache)


def test_finished_parts_are_not_asked_for_again(knows, tmp_path):
    """Not even a tree is grown when all are there."""
    data = large()

    class Breaks(knows, is_registered=False):
        def _leave_one_out(self, rows):
            if rows[0] > 0:
                raise KeyboardInterrupt
            return super()._leave_one_out(rows)

    [whole] = cross_validate(data, [never_asked(5000)], grow_whole, [knows()])
    grown = []

    def watching(train):
        grown.append(len(train))
        return grow_whole(train)

    with pytest.raises(KeyboardInterrupt), answers_in(tmp_path / "s", n_classes=data.n_classes) as cache:
        cross_validate(data, [never_asked(5000)], watching, [Breaks()], cache=cache)
    for expected in ([(CHUNK, 5000 - CHUNK)], []):
        knows.asked.clear()
        with answers_in(tmp_path / "s", n_classes=data.n_classes) as cache:
            [again] = cross_validate(data, [never_asked(5000)], watching, [knows()], cache=cache)
        assert knows.asked == expected
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(again, name), getattr(whole, name))
    assert grown == [5000, 5000]


def test_what_trains_nothing_is_finished_too(sixty, refits, tmp_path):
    with answers_in(tmp_path / "s", n_classes=sixty.n_classes) as cache:
        [whole] = cross_validate(sixty, [never_asked(60)], grow_whole, [refits()], cache=cache)
    with answers_in(tmp_path / "s", n_classes=sixty.n_classes) as cache:
        assert sum(map(len, cache.values())) == 60
        [again] = cross_validate(sixty, [never_asked(60)], pytest.fail, [refits()], cache=cache)
    assert_same_answers(again, whole)


# -- progress ------------------------------------------------------------------------------------------------------


def test_progress_counts_the_answers_of_every_method(sixty, refits):
    told, grown = [], []

    def watching(train):
        grown.append(len(train))
        return grow_whole(train)

    cross_validate(
        sixty, [leave_one_out(60), [(np.arange(30), np.arange(30, 60))]], watching, [refits(), Odd()],
        on_progress=lambda *now: told.append(now),
    )  # fmt: skip
    assert sorted(grown) == [30, *[59] * 60, 60]
    done = [number for number, _ in told]
    assert {total for _, total in told} == {180}
    assert done == sorted(done) and done[-1] == 180
    assert len({number for number in done if number < 60}) >= 54  # as the method itself tells, before its answers


def test_progress_inside_a_split(sixty):
    """Told in two goes; the second one is not gone through again."""
    made = []

    class Tells(Odd, is_registered=False):
        def _answer(self, data):
            made.append(self)
            for i in [*range(len(data)), *range(len(data))]:
                self.on_progress(i, len(data))
            return super()._answer(data)

    told = []
    method = Tells()
    cross_validate(
        sixty, [[(np.arange(30), np.arange(30, 60))]], grow_whole, [method], on_progress=lambda *n: told.append(n)
    )
    assert told == [(i, 30) for i in range(1, 31)]
    assert len(made) == 1 and method not in made
    assert made[0].on_progress is method.on_progress is ignore_progress
