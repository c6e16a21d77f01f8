"""The contract of methods as checks, for packages that have a method of their own; needs no Java and no pytest.

In the tests of such a package::

    import pytest
    from wekaconf.testing import method_checks

    @pytest.mark.parametrize("check", method_checks("half_leaf"), ids=str)
    def test_contract(check):
        check()
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from wekaconf.base.errors import NotFittedError
from wekaconf.base.parameters import docstring_of, parameters
from wekaconf.base.plugins import plugin_of
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.methods.contract import Answer, Method
from wekaconf.model.file import load
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import learner_of, method
from wekaconf.tree import TreeMirror

__all__ = ["CHECKS", "Case", "Check", "method_checks"]

ROUNDING = 1e-9
"""The largest difference from 1 that the sum of a distribution may have."""
OPTIONS = {"mixed": "", "one leaf": "min_weight=10000", "absent class": "", "numbers": ""}
"""Options of the learner info_gain, by the kind of data that its trees grow on."""
N_TRAIN, N_TEST = 120, 40


@dataclass(frozen=True)
class Case:
    """A method to be tried, with data.

    Parameters
    ----------
    make : callable
        Makes the method, not fitted.
    grow : callable
        Grows the tree on training data.
    train, test : Dataset
    """

    make: Callable[[], Method]
    grow: Callable[[Dataset], Any]
    train: Dataset
    test: Dataset

    @cached_property
    def tree(self) -> TreeMirror:
        """The tree that the method reads."""
        return self.grow(self.train)

    @cached_property
    def method(self) -> Method:
        """The method, fitted; only for checks that ask it."""
        return self.fitted()

    @cached_property
    def answers(self) -> dict[str, Any]:
        """Everything that the method says of the test instances."""
        return said(self.method, self.test)

    def fitted(self) -> Method:
        """The method, newly fitted."""
        return self.make().fit(self.tree, self.train)


@dataclass(frozen=True)
class Check:
    """A check of a case; call it, and it raises AssertionError if the method breaks the contract.

    Parameters
    ----------
    name : str
        The kind of data.
    function : callable
        What is checked, one of `CHECKS`.
    case : Case
    """

    name: str
    function: Callable[[Case], None]
    case: Case

    def __str__(self) -> str:
        """What is checked on which data, for the names of tests."""
        return f"{self.function.__name__.removeprefix('check_')}-{self.name}"

    def __call__(self) -> None:
        """Raise AssertionError if the method breaks the contract."""
        self.function(self.case)


def method_checks(name: str, **params: Any) -> list[Check]:
    """The checks of a method, ours or that of an installed package.

    Parameters
    ----------
    name : str
        See `wekaconf.method`.
    **params
        Its parameters.

    Returns
    -------
    list of Check
        Each of `CHECKS` on trees of mixed attributes with missing values and weights, of one leaf, of data that lack a
        class, and of numbers. The learner info_gain grows them, and the method's own where it has one.

    Raises
    ------
    OptionError
        There is no such method, or a parameter is wrong.
    """
    make = partial(method, name, **params)
    usual = make().learner
    cases = {}
    for kind, options in OPTIONS.items():
        train, test = _data(kind)
        learner = learner_of(*(usual or ("info_gain", options)))
        cases[kind] = Case(make, learner.grow, train, test)
    return [Check(kind, check, case) for kind, case in cases.items() for check in CHECKS]


def said(fitted: Method, data: Dataset) -> dict[str, Any]:
    """Everything that a method says of instances, comparable by ==."""
    explanation = fitted.explain(data)
    names = ("predict_proba", "scores", "ranking", "predict", "certainty", "affected")
    arrays = {name: getattr(fitted, name)(data).tolist() for name in names}
    events = [explanation[i] for i in range(len(data))]
    reasons = list(fitted.answer(data).reasons)
    return {**arrays, "events": events, "counts": explanation.counts(), "reasons": reasons, "own": fitted.threshold}


# ---- the checks ----


def check_answers_are_distributions(case: Case) -> None:
    """Finite distributions whose largest class is predicted, but for rounding."""
    answer = case.method.answer(case.test)
    shape = (len(case.test), case.test.n_classes)
    _holds(answer.proba.shape == answer.scores.shape == shape, f"distributions and scores have the shape {shape}")
    _holds(answer.proba.dtype == answer.scores.dtype == np.float64, "distributions and scores are float64")
    _holds(bool(np.isfinite(answer.proba).all() and np.isfinite(answer.scores).all()), "all are finite")
    _holds(bool((answer.proba >= 0).all()), "no probability is below 0")
    sums = answer.proba.sum(axis=1)
    np.testing.assert_allclose(sums, 1, rtol=0, atol=ROUNDING, err_msg="each distribution adds up to 1")
    predicted = [row.index(max(row)) for row in answer.proba.round(12).tolist()]
    _holds(answer.predicted.tolist() == predicted, "the class of the largest probability is predicted")


def check_no_instances(case: Case) -> None:
    """Asked about no instances, it answers for none."""
    answer = case.method.answer(case.test.take([]))
    _holds(answer.proba.shape == (0, case.test.n_classes), "no distribution for no instance")
    _holds(answer.certainty.shape == (0,) and len(answer.reasons) == 0, "no certainty and no reason for no instance")
    _holds(len(case.method.explain(case.test.take([]))) == 0, "no explanation for no instance")


def check_certainty_is_in_its_range(case: Case) -> None:
    """The certainty lies in the range that the method declares."""
    certainty, stated = case.method.certainty(case.test), case.method.certainty_range
    _holds(certainty.shape == (len(case.test),) and certainty.dtype == np.float64, "one float64 per instance")
    low = 1 / case.test.n_classes if stated.low is None else stated.low
    inside = (certainty >= low - ROUNDING) & (certainty <= stated.high + ROUNDING)
    _holds(bool(inside.all()), f"every certainty lies {stated}")
    _holds(not stated.is_low_open or bool((certainty > low).all()), f"every certainty is above {low}")
    _holds(stated.high == np.inf or bool(np.isfinite(certainty).all()), "every certainty is finite")
    answer = case.method.answer(case.test)
    of_answer = answer.proba[np.arange(len(answer)), answer.predicted]
    is_of_answer = certainty.tolist() == of_answer.tolist()
    _holds(not stated.is_probability or is_of_answer, "the certainty is the answer's probability, as the range says")


def check_rejecting_is_monotone(case: Case) -> None:
    """A higher threshold rejects what a lower one does, and those below it only."""
    certainty = case.method.certainty(case.test)
    for below in [-np.inf, *sorted(set(certainty)), np.inf]:
        rejected = case.method.reject(case.test, below=below)
        expected = [below == np.inf or value < below for value in certainty]
        _holds(rejected.tolist() == expected, f"below {below} are rejected those whose certainty is below it")


def check_explanation_is_a_sequence(case: Case) -> None:
    """One tuple of events per instance, and their number by kind."""
    explanation, n = case.method.explain(case.test), len(case.test)
    events = [explanation[i] for i in range(n)]
    _holds(explanation[-1] == events[-1], "the last is also number −1")
    counts = {kind: sum(event.kind == kind for found in events for event in found) for kind in explanation.kinds}
    _holds(explanation.counts() == counts, "counts() counts the events of each kind")
    for index in (n, -n - 1):
        try:
            explanation[index]
        except IndexError:
            continue
        raise AssertionError(f"explanation[{index}] of {n} instances should raise IndexError")


def check_reasons(case: Case) -> None:
    """A sentence per instance, on one line, alone the same as among others; and an account of each answer."""
    answer = case.method.answer(case.test)
    for i, reason in enumerate(answer.reasons):
        _holds(bool(reason.strip()) and reason.isprintable(), f"reason {i} is one line of text: {reason!r}")
        _holds(answer.reason(i) == reason, f"reason {i} alone is as among the others")
    one: Answer = case.method.answer(case.test.take([0]))
    _holds(bool(str(one.explanation.account(0))), "an account says how the answer follows")


def check_nothing_given_is_written_to(case: Case) -> None:
    """Tree and data are read, never written; the method keeps the tree itself."""
    given = {"training data": case.train, "test data": case.test}
    before = {name: (data.values.tobytes(), data.weights.tobytes()) for name, data in given.items()}
    fitted = case.fitted()
    said(fitted, case.test)
    for name, data in given.items():
        _holds(before[name] == (data.values.tobytes(), data.weights.tobytes()), f"the {name} are as before")
    _holds(fitted.tree_ is case.tree, "tree_ is the tree that it was fitted on")
    _holds(not any(array.flags.writeable for array in fitted.learned().values()), "learned arrays are read-only")


def check_two_fits_are_equal(case: Case) -> None:
    """Fitting again, or another method alike, learns and says the same."""
    first, second = case.fitted(), case.fitted()
    assert_same_learned(first, second)
    _holds(said(second, case.test) == case.answers, "a second method says the same")
    _holds(first.fit(case.tree, case.train) is first, "fit returns the method")
    _holds(said(first, case.test) == case.answers, "fitted again, it says the same")


def check_unlabelled_instances_are_left_out(case: Case) -> None:
    """Training instances without a class count nowhere."""
    values = case.train.values.copy()
    values[::3, case.train.class_index] = np.nan
    lacking = replace(case.train, values=values)
    kept = lacking.take(lacking.class_values >= 0)
    tree = case.grow(kept)
    assert_same_learned(case.make().fit(tree, lacking), case.make().fit(tree, kept))


def check_order_of_the_instances(case: Case) -> None:
    """What is said of an instance depends on no other."""
    order = np.random.default_rng(1).permutation(len(case.test))
    shuffled = said(case.method, case.test.take(order))
    for name, told in case.answers.items():
        if isinstance(told, list):
            _holds(shuffled[name] == [told[i] for i in order], f"{name} is the same in another order")


def check_class_of_the_answered_instances(case: Case) -> None:
    """The class of the instances that are answered for makes no difference."""
    for other in (np.nan, 0.0):
        values = case.test.values.copy()
        values[:, case.test.class_index] = other
        answers = said(case.method, replace(case.test, values=values))
        _holds(answers == case.answers, "the method answers the same without the classes")


def check_saved_model(case: Case) -> None:
    """A model file gives the method back, and what is learned is numbers."""
    learned = case.method.learned().values()
    _holds(all(isinstance(array, np.ndarray) and array.dtype.kind in "biuf" for array in learned), "arrays of numbers")
    plugin = plugin_of("method", type(case.method))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "method.wct"
        Model(case.method).save(path)
        again = load(path, plugins=() if plugin is None else (plugin.package,)).method
    _holds(again.params == case.method.params, "the parameters come back")
    assert_same_learned(case.method, again)
    _holds(said(again, case.test) == case.answers, "the method that is loaded says the same")


def check_unfitted(case: Case) -> None:
    """Before it is fitted, a method refuses to answer."""
    for ask in (partial(Method.predict_proba, data=case.test), Method.learned):
        try:
            ask(case.make())
        except NotFittedError:
            continue
        raise AssertionError("a method that is not fitted should raise NotFittedError")


def check_class(case: Case) -> None:
    """Parameters with help, a default that passes its own check, and a docstring."""
    cls = type(case.make())
    for name, parameter in parameters(cls).items():
        _holds(parameter.checked(cls.name, parameter.default) == parameter.default, f"{name}: its default is valid")
        help_is_sentence = parameter.help.strip().endswith(".") and "\n" not in parameter.help
        _holds(help_is_sentence, f"{name}: the help is a sentence on one line")
    _holds(cls().params == {name: parameter.default for name, parameter in parameters(cls).items()}, "keyword defaults")
    summary = docstring_of(cls).partition("\n")[0]
    _holds(summary not in ("", "Parameters"), "the class has a docstring, whose first line lists show")


CHECKS: tuple[Callable[[Case], None], ...] = (
    check_answers_are_distributions, check_no_instances, check_certainty_is_in_its_range, check_rejecting_is_monotone,
    check_explanation_is_a_sequence, check_reasons, check_nothing_given_is_written_to, check_two_fits_are_equal,
    check_unlabelled_instances_are_left_out, check_order_of_the_instances, check_class_of_the_answered_instances,
    check_saved_model, check_unfitted, check_class,
)  # fmt: skip


def assert_same_learned(first: Method, second: Method) -> None:
    """Raise AssertionError unless two fitted methods have learned the same arrays."""
    arrays, others = first.learned(), second.learned()
    _holds(arrays.keys() == others.keys(), "the same arrays are learned")
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, others[name], err_msg=name)


def _holds(condition: bool, what: str) -> None:
    if not condition:
        raise AssertionError(f"expected: {what}")


# ---- data ----


def _data(kind: str) -> tuple[Dataset, Dataset]:
    """Training and test data of a kind of `OPTIONS`, drawn; both weighted, with missing values."""
    rng = np.random.default_rng(7)
    numbers = tuple(Attribute(name, "numeric") for name in ("a", "b"))
    names = () if kind == "numbers" else (Attribute("colour", "nominal", ("red", "green", "it's blue")),)
    header = Header("drawn", (*numbers, *names, Attribute("class", "nominal", ("x", "y", "z"))), 2 + len(names))
    return tuple(_drawn(rng, header, n, kind) for n in (N_TRAIN, N_TEST))  # type: ignore[return-value]


def _drawn(rng: np.random.Generator, header: Header, n: int, kind: str) -> Dataset:
    values = rng.normal(size=(n, len(header.attributes)))
    for column, attribute in enumerate(header.attributes[:-1]):
        if attribute.is_nominal:
            values[:, column] = rng.integers(len(attribute.values), size=n)
    score = values[:, 0] + values[:, -2] + 0.7 * rng.normal(size=n)
    values[:, :-1][rng.random((n, len(header.attributes) - 1)) < 0.1] = np.nan
    values[:, -1] = np.where(score > 0, 2.0 if kind == "absent class" else 1.0, 0.0)
    values[score > 1, -1] = 2.0
    return Dataset(header, values, rng.integers(1, 4, size=n).astype(float))
