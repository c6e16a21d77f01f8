"""Leaving one instance out: the lazy splits, and methods that do it by themselves, without Java."""

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
from support.split_cases import assert_same_answers, cross_validate

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import parameter
from wekaconf.data import Dataset
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.cross_validation import ARRAYS, CrossValidation, LeaveOneOut
from wekaconf.evaluation.cross_validation._validation import CHUNK
from wekaconf.evaluation.protocol import splits
from wekaconf.evaluation.thresholds import Rejection
from wekaconf.experiments.runner._measurement import split_work
from wekaconf.methods.contract._answer import CertaintyRange, Reply
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut, LeftOut, ignore_progress
from wekaconf.methods.leaf_frequency import LeafFrequency

grow = partial(grow_cart, options="prune=none min_leaf=3 nominal=one_hot")


@pytest.fixture
def data():
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


class Odd(LeafFrequency, LeavesOneOut, is_registered=False):
    """A method with a ranking, a certainty, a threshold and notes of its own, and no short way."""

    certainty_range = CertaintyRange()
    can_leave_one_out = False
    laplace: bool | None = parameter(default=True, help="As its parent's.")

    @property
    def n_kept(self):
        return len(self.train)

    def _fit(self, tree, train):
        super()._fit(tree, train)
        self.train = train

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
                tree, test = grow(others), self.train.take([row])
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
def test_splits_of_other_data(data, jvm):
    with pytest.raises(OptionError, match="these splits leave out one of 59 instances, but 'random' has 60; make them"):
        cross_validate(data, [never_asked(59)], grow, [wc.method("leaf_frequency")])
    protocol = wc.Protocol(given=[never_asked(61)])
    with pytest.raises(OptionError, match="these splits leave out one of 61 instances, but 'random' has 60; make them"):
        wc.evaluate(data, ["leaf_frequency"], protocol=protocol, learner="CART", options="nominal=one_hot")


# -- methods that leave out by themselves -----------------------------------------------------------------------------


@pytest.mark.parametrize("known", [None, [np.array([0, 1, 3]), np.array([1, 2])]], ids=["closed", "open"])
def test_the_short_way_gives_what_the_folds_give(data, refits, known):
    """Among other methods and alone; a run of ordinary splits beside it is answered as ever."""
    usual = [(np.arange(0, 60, 2), np.arange(1, 60, 2)), (np.arange(1, 60, 2), np.arange(0, 60, 2)[::-1])]
    for runs in ([leave_one_out(60), usual], [usual, leave_one_out(60, 3)]):
        [long] = cross_validate(data, runs, grow, [Odd()], known=known)
        refits.asked, refits.fits = [], 0
        plain, short, again = cross_validate(
            data, runs, grow, [wc.method("leaf_frequency"), refits(), Odd()], known=known
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
        [only] = cross_validate(data, alone, grow, [refits()], known=known)
        assert_same_answers(only, long)
    assert len(set(long.fold[long.run == 1].tolist())) == 60
    assert long.rejected.any() and not long.rejected.all()
    assert long.notes == ("x0 is missing in zero",)


def test_one_tree_is_grown_for_all_of_them(data, refits):
    grown = []

    def watching(train):
        grown.append(train)
        return grow(train)

    cross_validate(data, [never_asked(60)], watching, [refits(), refits(laplace=False)])
    assert grown == [data]
    known = np.array([0, 2, 3])
    cross_validate(data, [never_asked(60)], watching, [refits()], known=[known])
    assert grown[1] == data.with_known_classes(known).take(np.isin(data.class_values, (-1, 0, 2, 3)))


def test_data_that_train_nothing_to_the_last(data, refits):
    """The only instance of a class and the only ones that count are left out too."""
    values = data.values.copy()
    values[2:, data.class_index] = np.nan
    few = Dataset(data.header, values)
    [short] = cross_validate(few, [never_asked(60)], grow, [refits()])
    [long] = cross_validate(few, [leave_one_out(60)], grow, [Odd()])
    assert_same_answers(short, long)


def test_every_instance_counts(data, refits):
    full = data.take((data.class_values >= 0) & (data.weights > 0))
    [short] = cross_validate(full, [never_asked(len(full))], grow, [refits()])
    [long] = cross_validate(full, [leave_one_out(len(full))], grow, [Odd()])
    assert_same_answers(short, long)


def test_the_long_way_where_thresholds_are_chosen_or_splits_prepared(data, refits):
    refits.asked = []
    for more in (
        {"rejection": Rejection(Aim("keep", 0.8))},
        {"prepare": lambda train, test: (replace(train, weights=train.weights + 1), test)},
    ):
        for runs in ([leave_one_out(60)], [list(leave_one_out(60))]):
            one, other = cross_validate(data, runs, grow, [refits(), Odd()], **more)
            assert_same_answers(one, other)
    cross_validate(data, [list(leave_one_out(60))], grow, [refits()])
    assert refits.asked == []


def test_the_long_way_where_events_are_counted(data, refits):
    """An answer for an instance left out has no events: they are those of ordinary answers."""

    class Counting(refits, is_registered=False):
        counts_events = True

    [counting] = cross_validate(data, [leave_one_out(60)], grow, [Counting()])
    assert refits.asked == []
    assert counting.events["leaf"] >= 60


def test_a_method_may_have_a_short_way_with_some_parameters_only(data, refits):
    class Sometimes(refits, is_registered=False):
        @property
        def can_leave_one_out(self):
            return not self.laplace

    told = []
    one, other, plain, smoothed = cross_validate(
        data, [leave_one_out(60)], grow, [Sometimes(laplace=True), Sometimes(laplace=False), Odd(laplace=False), Odd()],
        on_progress=lambda *now: told.append(now),
    )  # fmt: skip
    assert Sometimes.asked == [list(range(55))]
    assert_same_answers(one, smoothed)
    assert_same_answers(other, plain)
    assert told[-1] == (240, 240)


def test_a_method_says_how_many_it_is_asked_about_at_a_time(data, refits):
    class InParts(refits, is_registered=False):
        def left_out_at_a_time(self, train):
            return len(train) // 3

    told = []
    one, other = cross_validate(
        data, [leave_one_out(60)], grow, [InParts(), Odd()], on_progress=lambda *now: told.append(now)
    )
    assert InParts.asked == [list(range(20)), list(range(20, 40)), list(range(40, 55))]
    assert_same_answers(one, other)
    assert told[-1] == (120, 120)


class Large:
    """5000 instances whose classes are the sign of the only attribute, and a method that knows."""

    @staticmethod
    def data():
        x = np.random.default_rng(0).normal(size=5000)
        header = wc.Header("large", (wc.Attribute("x"), wc.Attribute("c", "nominal", ("a", "b"))), 1)
        return Dataset(header, np.column_stack((x, x > 0)))


@pytest.fixture
def knows():
    class Knows(LeafFrequency, LeavesOneOut, is_registered=False):
        asked: ClassVar = []

        @property
        def n_kept(self):
            return len(self.train)

        def _fit(self, tree, train):
            super()._fit(tree, train)
            self.train = train

        def _leave_one_out(self, rows):
            self.asked.append((int(rows[0]), len(rows)))
            proba = np.eye(2)[(self.train.values[rows, 0] > 0).astype(int)]
            return LeftOut(proba, proba, proba.max(axis=1), proba)

    return Knows


def test_many_instances_are_asked_for_in_parts_and_need_little_memory(knows):
    data = Large.data()
    cross_validate(data, [never_asked(5000)], grow, [knows()])  # loads what is loaded once
    knows.asked.clear()
    tracemalloc.start()
    [answers] = cross_validate(data, [never_asked(5000)], grow, [knows()])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert knows.asked == [(0, CHUNK), (CHUNK, 5000 - CHUNK)]
    np.testing.assert_array_equal(answers.predicted, answers.actual)
    assert peak < 5000 * 5000 / 2


@pytest.mark.parametrize("store", [None, "s"])
def test_evaluate_makes_no_folds_that_nobody_needs(jvm, knows, tmp_path, store):
    data, protocol = Large.data().take(slice(300)), wc.Protocol(given=[never_asked(300)])
    resume = None if store is None else tmp_path / store
    [(record, answers)] = wc.evaluate(data, [knows()], protocol=protocol, learner="CART", resume=resume)
    assert record["pooled"]["percent_correct"] == 100.0
    assert answers.instance.tolist() == list(range(300))


def test_one_process_answers_for_all_that_are_left_out(knows):
    """The other methods are shared out by their splits, and nothing is answered twice."""
    data = Large.data().take(slice(30))
    with_another = [knows(), wc.method("leaf_frequency")]
    for methods, left_out in (([knows()], never_asked(30)), (with_another, leave_one_out(30))):
        validation, cache = CrossValidation(data, [left_out], grow, dict(enumerate(methods))), {}
        [whole, *others] = split_work(validation.missing(cache), 4)
        assert {(fold.train, labels) for fold, labels in whole} == {(None, (0,))}
        assert [len(part) for part in others] == ([8, 8, 8, 6] if len(methods) > 1 else [])
        assert all(fold.train is not None and labels == (1,) for part in others for fold, labels in part)
        for part in (whole, *others):
            for key, answers in validation.answer(part):
                cache.update({(key, label): each for label, each in answers.items()})
        assert not validation.missing(cache)


def test_finished_parts_are_not_asked_for_again(knows, tmp_path):
    """Not even a tree is grown when all are there."""
    data = Large.data()

    class Breaks(knows, is_registered=False):
        def _leave_one_out(self, rows):
            if rows[0] > 0:
                raise KeyboardInterrupt
            return super()._leave_one_out(rows)

    [whole] = cross_validate(data, [never_asked(5000)], grow, [knows()])
    grown = []

    def watching(train):
        grown.append(len(train))
        return grow(train)

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


def test_what_trains_nothing_is_finished_too(data, refits, tmp_path):
    with answers_in(tmp_path / "s", n_classes=data.n_classes) as cache:
        [whole] = cross_validate(data, [never_asked(60)], grow, [refits()], cache=cache)
    with answers_in(tmp_path / "s", n_classes=data.n_classes) as cache:
        assert sum(map(len, cache.values())) == 60
        [again] = cross_validate(data, [never_asked(60)], pytest.fail, [refits()], cache=cache)
    assert_same_answers(again, whole)


# -- progress ------------------------------------------------------------------------------------------------------


def test_progress_counts_the_answers_of_every_method(data, refits):
    told, grown = [], []

    def watching(train):
        grown.append(len(train))
        return grow(train)

    cross_validate(
        data, [leave_one_out(60), [(np.arange(30), np.arange(30, 60))]], watching, [refits(), Odd()],
        on_progress=lambda *now: told.append(now),
    )  # fmt: skip
    assert sorted(grown) == [30, *[59] * 60, 60]
    done = [number for number, _ in told]
    assert {total for _, total in told} == {180}
    assert done == sorted(done) and done[-1] == 180
    assert len({number for number in done if number < 60}) >= 54  # as the method itself tells, before its answers


def test_progress_inside_a_split(data):
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
    cross_validate(data, [[(np.arange(30), np.arange(30, 60))]], grow, [method], on_progress=lambda *n: told.append(n))
    assert told == [(i, 30) for i in range(1, 31)]
    assert len(made) == 1 and method not in made
    assert made[0].on_progress is method.on_progress is ignore_progress
