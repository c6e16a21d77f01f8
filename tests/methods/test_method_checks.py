"""The checks that packages run on a method of their own: each finds the breach that it is about."""

from types import SimpleNamespace

import numpy as np
import pytest

from wekaconf import testing
from wekaconf.base.parameters import parameter
from wekaconf.methods.contract._answer import CertaintyRange
from wekaconf.methods.contract._method import Method
from wekaconf.methods.curtailment import Curtailment
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.m_branch import MBranch


@pytest.fixture
def failing(monkeypatch):
    """What a check says of a method that is a little different from leaf_frequency; None if it finds no fault."""
    monkeypatch.setattr(Method.registry, "_classes", dict(Method.registry))

    def ask(check, *, base=LeafFrequency, kind="mixed", **changed):
        changed.setdefault("__doc__", "Another method.")
        type("Other", (base,), changed | {"__module__": __name__}, name="other")
        [found] = [each for each in testing.method_checks("other") if str(each) == f"{check}-{kind}"]
        try:
            found()
        except AssertionError as error:
            return str(error)
        return None

    return ask


@pytest.mark.parametrize("kind", testing.OPTIONS)
def test_the_data_of_the_checks_hold_what_they_are_for(kind):
    """Every value of the nominal attribute, missing values, weights, and every class but the one that is absent."""
    for data in testing._data(kind):
        *numbers, classes = data.values.T
        assert [np.isnan(cells).any() for cells in numbers] == [True] * len(numbers)
        assert not data.attributes[-2].is_nominal or {0, 1, 2} <= set(numbers[-1])
        assert set(classes) == ({0, 2} if kind == "absent class" else {0, 1, 2})
        assert set(data.weights) == {1, 2, 3}


def answering(**changed):
    """A method's ``answer`` in which a part is computed from the right answer."""

    def answer(self, data):
        right = Method.answer(self, data)
        names = ("proba", "scores", "ranking", "predicted", "certainty", "reasons", "reason", "explanation")
        parts = {name: getattr(right, name) for name in names}
        return SimpleNamespace(**parts | {name: change(right) for name, change in changed.items()})

    return answer


def moved(by):
    """The distributions with so much more for the first class."""
    return lambda right: right.proba + np.eye(3)[0] * by


def with_first(value):
    """The distributions with this as the first probability of the first instance, and what is left for the second."""

    def change(right):
        proba = right.proba.copy()
        if len(proba):
            proba[0] = (value, 1 - value, 0.0)
        return proba

    return change


@pytest.mark.parametrize(
    ("proba", "says"),
    [
        (lambda right: right.proba[:, :2], "distributions and scores have the shape (40, 3)"),
        (lambda right: right.proba.astype(np.float32), "distributions and scores are float64"),
        (with_first(np.nan), "all are finite"),
        (with_first(-0.001), "no probability is below 0"),
        (moved(1e-8), "each distribution adds up to 1"),
        (lambda right: right.proba[:, ::-1].copy(), "the class of the largest probability is predicted"),
    ],
)
def test_answers_that_are_no_distributions(failing, proba, says):
    assert says in failing("answers_are_distributions", answer=answering(proba=proba))


def test_rounding_breaks_no_rule(failing):
    assert failing("answers_are_distributions", answer=answering(proba=moved(1e-10))) is None


@pytest.mark.parametrize(("lead", "is_found"), [(1e-11, True), (4e-13, False)])
def test_a_lead_counts_after_rounding_to_twelve_decimals(failing, lead, is_found):
    nearly_even = {
        "proba": lambda right: np.tile([0.5 - lead, 0.5, lead], (40, 1)),
        "predicted": lambda right: np.zeros(40, dtype=np.int64),
    }
    said = failing("answers_are_distributions", answer=answering(**nearly_even))
    assert (said is not None) == is_found


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"proba": lambda right: np.ones((1, 3)) / 3}, "no distribution for no instance"),
        ({"certainty": lambda right: np.ones(1)}, "no certainty and no reason for no instance"),
        ({"reasons": lambda right: ["none"]}, "no certainty and no reason for no instance"),
    ],
)
def test_an_answer_without_an_instance(failing, changed, says):
    assert says in failing("no_instances", answer=answering(**changed))


def test_an_explanation_without_an_instance(failing):
    assert "no explanation for no instance" in failing("no_instances", explain=lambda self, data: ["an event"])


@pytest.mark.parametrize(
    ("certainty", "says"),
    [
        (lambda right: right.astype(np.float32), "one float64 per instance"),
        (lambda right: right[1:], "one float64 per instance"),
        (lambda right: right + 0.5, "every certainty lies "),
        (lambda right: right * 0.1, "every certainty lies "),
        (lambda right: np.full(len(right), 0.9), "the certainty is the answer's probability, as the range says"),
    ],
)
def test_a_certainty_that_is_none(failing, certainty, says):
    def changed(self, data):
        return certainty(Method.certainty(self, data))

    assert says in failing("certainty_is_in_its_range", certainty=changed)


@pytest.mark.parametrize(
    ("stated", "value", "says"),
    [
        (CertaintyRange(), 0.0, None),
        (CertaintyRange(), 1.0, None),
        (CertaintyRange(), -1e-9, None),
        (CertaintyRange(), 1 + 1e-9, None),
        (CertaintyRange(), -2e-9, "every certainty lies [0, 1]"),
        (CertaintyRange(), 1 + 2e-9, "every certainty lies [0, 1]"),
        (CertaintyRange(is_low_open=True), 0.0, "every certainty is above 0"),
        (CertaintyRange(is_low_open=True), 0.1, None),
        (CertaintyRange(high=np.inf), 7.0, None),
        (CertaintyRange(high=np.inf), np.inf, None),
        (CertaintyRange(low=None), 0.3, "every certainty lies [1/n_classes, 1]"),
    ],
)
def test_the_range_that_a_method_declares(failing, stated, value, says):
    def certainty(self, data):
        return np.full(len(data), value)

    said = failing("certainty_is_in_its_range", certainty_range=stated, certainty=certainty)
    assert said is None if says is None else says in said


@pytest.mark.parametrize(
    "reject",
    [
        lambda certainty, below: certainty <= below,
        lambda certainty, below: certainty < max(below, 0.9),
        lambda certainty, below: (certainty < below) & (below < np.inf),
    ],
)
def test_rejecting_that_is_not_by_the_certainty(failing, reject):
    def changed(self, data, *, below=None):
        return reject(self.certainty(data), below)

    assert "are rejected those whose certainty is below it" in failing("rejecting_is_monotone", reject=changed)


class Sequence:
    """The explanation of a method, with a part that is wrong."""

    def __init__(self, right, change):
        self._right, self._change = right, change
        self.kinds = right.kinds

    def __len__(self):
        return len(self._right)

    def __getitem__(self, index):
        if index == -1 and self._change == "last":
            return ("another event",)
        if self._change == "beyond" and index == len(self):
            return ()
        if self._change == "before" and index == -len(self) - 1:
            return ()
        return self._right[index]

    def counts(self):
        return self._right.counts() | ({"fine": 7} if self._change == "counts" else {})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("last", "the last is also number −1"),
        ("counts", "counts() counts the events of each kind"),
        ("beyond", "explanation[40] of 40 instances should raise IndexError"),
        ("before", "explanation[-41] of 40 instances should raise IndexError"),
    ],
)
def test_an_explanation_that_is_no_sequence(failing, change, says):
    def explain(self, data):
        return Sequence(Method.explain(self, data), change)

    assert says in failing("explanation_is_a_sequence", explain=explain)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"reasons": lambda right: [" ", *list(right.reasons)[1:]]}, "reason 0 is one line of text: ' '"),
        ({"reasons": lambda right: ["two\nlines", *list(right.reasons)[1:]]}, "reason 0 is one line of text"),
        ({"reason": lambda right: lambda i: f"reason {i}"}, "reason 0 alone is as among the others"),
        (
            {"explanation": lambda right: SimpleNamespace(account=lambda i: "")},
            "an account says how the answer follows",
        ),
    ],
)
def test_a_reason_that_is_no_sentence(failing, changed, says):
    assert says in failing("reasons", answer=answering(**changed))


def test_a_method_that_writes_to_what_it_is_given(failing):
    def writing(which):
        def fit(self, tree, train):
            array = getattr(train, which)
            array.flags.writeable = True
            array[0] += 1
            return Method.fit(self, tree, train)

        return fit

    for which in ("values", "weights"):
        assert "the training data are as before" in failing("nothing_given_is_written_to", fit=writing(which))

    def answer(self, data):
        data.weights.flags.writeable = True
        data.weights[0] += 1
        return Method.answer(self, data)

    assert "the test data are as before" in failing("nothing_given_is_written_to", answer=answer)


def test_a_method_that_keeps_another_tree(failing):
    def fit(self, tree, train):
        Method.fit(self, tree, train)
        self.tree_ = tree.with_laplace(True)
        return self

    assert "tree_ is the tree that it was fitted on" in failing("nothing_given_is_written_to", fit=fit)


def test_learned_arrays_that_can_be_written_to(failing):
    said = failing("nothing_given_is_written_to", learned=lambda self: {"learned": np.zeros(3)})
    assert "learned arrays are read-only" in said


def test_a_method_that_learns_something_else_each_time(failing):
    rng = np.random.default_rng(1)
    assert "learned" in failing("two_fits_are_equal", learned=lambda self: {"learned": rng.random(3)})
    assert "the same arrays are learned" in failing(
        "two_fits_are_equal", learned=lambda self: {str(rng.random()): np.zeros(1)}
    )


def test_a_method_that_says_something_else_each_time(failing):
    n = 0

    def certainty(self, data):
        nonlocal n
        n += 1
        return Method.certainty(self, data) / n

    assert "a second method says the same" in failing("two_fits_are_equal", certainty=certainty)


def test_fit_that_does_not_return_the_method(failing):
    def copied(self, tree, train):
        return Method.fit(type(self)(), tree, train)

    assert "fit returns the method" in failing("two_fits_are_equal", fit=copied)


def test_a_method_that_remembers_what_it_was_fitted_on_before(failing):
    def fit(self, tree, train):
        self.n_fits = getattr(self, "n_fits", 0) + 1
        return Method.fit(self, tree, train)

    def certainty(self, data):
        return Method.certainty(self, data) / self.n_fits

    assert "fitted again, it says the same" in failing("two_fits_are_equal", fit=fit, certainty=certainty)


def test_a_method_that_counts_instances_without_a_class(failing):
    def fit(self, tree, train):
        self.n = np.array([len(train)])
        return Method.fit(self, tree, train)

    assert "n" in failing("unlabelled_instances_are_left_out", fit=fit, learned=lambda self: {"n": self.n})


def test_instances_of_the_first_class_have_a_class(failing):
    """A method that counts the labelled instances only keeps the contract."""

    def fit(self, tree, train):
        self.n = np.array([np.count_nonzero(train.class_values >= 0)])
        return Method.fit(self, tree, train)

    assert failing("unlabelled_instances_are_left_out", fit=fit, learned=lambda self: {"n": self.n}) is None


def test_an_answer_that_depends_on_the_others(failing):
    def certainty(self, data):
        return Method.certainty(self, data) / np.arange(1, len(data) + 1)

    assert "certainty is the same in another order" in failing("order_of_the_instances", certainty=certainty)


@pytest.mark.parametrize("read", [np.isnan, lambda classes: classes == 0])
def test_an_answer_that_reads_the_class(failing, read):
    def certainty(self, data):
        return Method.certainty(self, data) / (1 + read(data.values[:, data.class_index]))

    said = failing("class_of_the_answered_instances", certainty=certainty)
    assert "the method answers the same without the classes" in said


def test_what_a_model_file_cannot_hold(failing):
    assert "arrays of numbers" in failing("saved_model", learned=lambda self: {"names": np.array(["a"])})


def test_a_method_that_comes_back_as_another(failing):
    def fit(self, tree, train):
        self.is_fresh = True
        return Method.fit(self, tree, train)

    def certainty(self, data):
        return Method.certainty(self, data) / (1 if hasattr(self, "is_fresh") else 2)

    assert "the method that is loaded says the same" in failing("saved_model", fit=fit, certainty=certainty)


def test_parameters_that_come_back_as_others(failing):
    def halved(self, share=0.5, **values):
        Method.__init__(self, share=share / 2, **values)

    assert "the parameters come back" in failing("saved_model", **share(), __init__=halved)


def test_arrays_that_come_back_as_others(failing):
    def restore(cls, params, tree, arrays):
        method = Method.restore.__func__(cls, params, tree, arrays)
        method.answer_ = method.answer_[:, ::-1]
        return method

    assert "answer_" in failing("saved_model", base=MBranch, restore=classmethod(restore))


def test_a_method_that_answers_before_it_is_fitted(failing):
    def answer(self, data):
        return SimpleNamespace(proba=np.ones((len(data), 3)) / 3)

    assert "a method that is not fitted should raise NotFittedError" in failing("unfitted", answer=answer)


def share(**changed):
    """A parameter as a class declares it."""
    return {"__annotations__": {"share": float}, "share": parameter(**{"default": 0.5, "help": "A share."} | changed)}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (share(help="A share"), "share: the help is a sentence on one line"),
        (share(help="A share\nof all."), "share: the help is a sentence on one line"),
        ({"__doc__": " "}, "the class has a docstring, whose first line lists show"),
        ({"__doc__": None}, "the class has a docstring, whose first line lists show"),
    ],
)
def test_a_class_that_does_not_say_what_it_is(failing, changed, says):
    assert says in failing("class", **changed)


@pytest.mark.parametrize("kind", testing.OPTIONS)
def test_a_method_that_keeps_the_contract(failing, kind):
    for check in testing.CHECKS:
        for base in (LeafFrequency, Curtailment):
            assert failing(check.__name__.removeprefix("check_"), base=base, kind=kind) is None, check


def test_a_method_is_tried_with_its_parameters_and_its_own_learner():
    [curtailment, *_] = testing.method_checks("curtailment", min_weight=3.0)
    assert curtailment.case.method.params["min_weight"] == 3.0
    with_learner = {check.name: check.case for check in testing.method_checks("id3_max")}
    assert with_learner["one leaf"].tree.n_nodes > 1
    assert [case.train.attributes[2].is_nominal for case in with_learner.values()] == [True] * 4
    assert len(with_learner["numbers"].train.attributes) == 3
