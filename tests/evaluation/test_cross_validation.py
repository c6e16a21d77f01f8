"""Cross-validation without Java: every split gets its own tree, the summary is what the folds say; resuming."""

import math
from dataclasses import replace

import numpy as np
import pytest
from support.command_line import ARFF
from support.kept_pieces import answers_in
from support.split_cases import assert_same_answers, cross_validate, grow, halves, some_without_class

import wekaconf as wc
from wekaconf.base.parameters import parameter
from wekaconf.data import Dataset
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.measures import all_metrics
from wekaconf.evaluation.protocol import splits
from wekaconf.evaluation.summaries import MEASURES, fold_values, summarise
from wekaconf.evaluation.summaries import _summary as summary
from wekaconf.evaluation.thresholds import Rejection
from wekaconf.methods.contract._answer import Reply
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut
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
