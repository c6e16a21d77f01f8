"""Every registered method keeps the contract of `Method`, on every kind of mirror."""

import inspect
import re
from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np
import pytest
from support.forms import form
from support.growers import grow_info_gain, grow_info_gain_bagging
from support.method_cases import (
    CASES,
    METHODS,
    OPTIONS,
    TRANSDUCTIVE,
    Case,
    all_answers,
    case,
    contract,
    each_method,
    each_method_and_case,
    everything,
    fitted,
)
from support.parameter_values import OTHER_VALUES
from support.random_trees import made, random_dataset, random_header, random_tree
from support.small_data import small

from wekaconf import testing
from wekaconf.base.errors import HeaderMismatchError, NotFittedError, OptionError
from wekaconf.base.parameters import parameters
from wekaconf.data import Dataset
from wekaconf.methods.contract._method import Method
from wekaconf.tree._kinds import Routing, SplitKind
from wekaconf.tree._mirror import REQUIRED

ASK = {
    "predict_proba": Method.predict_proba,
    "scores": Method.scores,
    "ranking": Method.ranking,
    "predict": Method.predict,
    "certainty": Method.certainty,
    "reject": lambda method, data: method.reject(data, below=0.5),
    "explain": Method.explain,
    "affected": Method.affected,
}


def test_the_cases_are_what_they_say():
    assert case("one node").tree.n_nodes == 1
    empty = case("empty leaf").tree
    assert (empty.is_empty & (empty.split_kind == SplitKind.LEAF)).any()
    assert not case("absent class").tree.class_weight[:, 1].any()
    assert (case(Routing.COUNTS.value).tree.split_kind == SplitKind.NOMINAL_SUBSET).any()
    assert all(np.isnan(case(what).test.values).any() and len(set(case(what).train.weights)) > 1 for what in CASES)


# ---- answers ----


@each_method_and_case
def test_answers_are_distributions(name, what):
    given = case(what, name)
    method, n, k = fitted(name, what), len(given.test), given.test.n_classes
    proba, scores = method.predict_proba(given.test), method.scores(given.test)
    assert proba.shape == scores.shape == (n, k)
    assert proba.dtype == scores.dtype == np.float64
    assert np.isfinite(proba).all() and np.isfinite(scores).all() and (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-9)
    predicted = method.predict(given.test)
    assert predicted.dtype == np.int64
    assert predicted.tolist() == [row.index(max(row)) for row in proba.round(12).tolist()]
    change = np.abs(proba - given.tree.predict_proba(given.test)).max(axis=1)
    assert method.affected(given.test).tolist() == (change >= 0.1 - 1e-9).tolist()


@each_method_and_case
def test_no_instances(name, what):
    testing.check_no_instances(contract(name, what))


@each_method_and_case
def test_certainty_is_in_its_range(name, what):
    testing.check_certainty_is_in_its_range(contract(name, what))


@each_method_and_case
def test_reject_is_monotone(name, what):
    testing.check_rejecting_is_monotone(contract(name, what))


@each_method_and_case
def test_explanation_is_a_sequence(name, what):
    testing.check_explanation_is_a_sequence(contract(name, what))


# ---- poor training data ----


def poor_sets():
    """Training data that say little or nothing, by what they lack."""
    full = case(CASES[0]).train.take(slice(0, 80))
    inputs = np.arange(len(full.attributes)) != full.class_index
    constant, missing, single = (full.values.copy() for _ in range(3))
    constant[:, inputs] = 1.0
    missing[:, inputs] = np.nan
    single[:, full.class_index] = 1.0
    both = np.where(inputs, constant, single)
    values = {"columns that are constant": constant, "a single class": single, "both": both, "no values": missing}
    sets = {what: replace(full, values=own) for what, own in values.items()}
    return sets | {"one instance": full.take([3]), "no instances": full.take([])}


POOR = poor_sets()


def of_poor(name, what, is_own, **params):
    """A method fitted on them, and on their own tree or on one that was grown on more; and what it is asked."""
    train = POOR[what]
    grown_on = train if is_own else case(CASES[0]).train.take(slice(0, 80))
    tree = grow_info_gain(grown_on) if name in TRANSDUCTIVE else random_tree(np.random.default_rng(1), grown_on)
    return made(name, **params).fit(tree, train), case(CASES[0]).test.take(slice(0, 12))


def assert_nothing_is_nan(method, data, tree):
    answer = method.answer(data)
    for part in (answer.proba, answer.ranking, answer.scores):
        assert np.isfinite(part).all()
    has_answer = answer.proba.any(axis=1)
    np.testing.assert_allclose(answer.proba[has_answer].sum(axis=1), 1, rtol=0, atol=1e-9)
    assert not tree.predict_proba(data)[~has_answer].any()
    assert not np.isnan(answer.certainty).any() and (answer.certainty >= 0).all()
    assert not np.isnan([method.threshold or 0.0]).any()
    assert not any("nan" in str(event) for events in answer.explanation[:] for event in events)


@each_method
@pytest.mark.parametrize("is_own", [True, False], ids=["their own tree", "another tree"])
@pytest.mark.parametrize("what", [what for what in POOR if what != "no instances"])
def test_poor_training_data_never_yield_nan(name, what, is_own):
    if Method.registry[name].grows_again and not is_own:
        with pytest.raises(OptionError, match=f"{name} grows trees as this one, but info_gain grows another on these"):
            of_poor(name, what, is_own)
        return
    method, test = of_poor(name, what, is_own)
    for is_compiled in (False, True):
        with form(is_compiled=is_compiled):
            assert_nothing_is_nan(method, test, method.tree_)
            again = type(method)(**method.params).fit(method.tree_, POOR[what])
            testing.assert_same_learned(again, method)
            assert everything(again, test) == everything(method, test)


@each_method
@pytest.mark.parametrize("what", POOR)
def test_poor_training_data_never_yield_nan_whatever_the_parameters(name, what):
    """A combination may refuse such data, as an OptionError says."""
    for parameter, values in other_values(name).items():
        for given in values:
            value, others = given if isinstance(given, tuple) else (given, {})
            for is_own in (True, False):
                try:
                    method, test = of_poor(name, what, is_own, **{parameter: value, **others})
                except OptionError:
                    continue
                assert_nothing_is_nan(method, test, method.tree_)


@each_method
def test_no_training_instances(name):
    """Methods that keep the training data refuse; the others answer, if only as the tree does."""
    if name in TRANSDUCTIVE:
        with pytest.raises(OptionError, match=f"{name} grows trees on its training data, but no instance of 'random'"):
            of_poor(name, "no instances", is_own=False)
        return
    for is_own in (True, False):
        method, test = of_poor(name, "no instances", is_own)
        assert_nothing_is_nan(method, test, method.tree_)


# ---- what must make no difference ----


@each_method_and_case
def test_nothing_given_is_written_to(name, what):
    given = case(what, name)
    arrays = {array: getattr(given.tree, array) for array in [*REQUIRED, "split_subset"]}
    arrays |= {"train": given.train.values, "weights": given.train.weights, "test": given.test.values}
    before = {key: array.tobytes() for key, array in arrays.items()}
    method = given.fitted(name)
    everything(method, given.test)
    assert {key: array.tobytes() for key, array in arrays.items()} == before
    assert not any(array.flags.writeable for array in arrays.values())
    assert method.tree_ is given.tree


@each_method_and_case
def test_two_fits_are_equal(name, what):
    testing.check_two_fits_are_equal(contract(name, what))


@each_method_and_case
def test_training_instances_without_a_class_are_left_out(name, what):
    testing.check_unlabelled_instances_are_left_out(contract(name, what))


@each_method_and_case
def test_order_of_the_instances(name, what):
    testing.check_order_of_the_instances(contract(name, what))


@each_method_and_case
def test_class_of_the_answered_instances(name, what):
    given = case(what, name)
    classes, expected = given.test.values[:, given.test.class_index], all_answers(name, what)
    for other in (np.full(len(given.test), np.nan), (classes + 1) % 3, np.where(classes == 0, np.nan, 0)):
        values = given.test.values.copy()
        values[:, given.test.class_index] = other
        assert everything(fitted(name, what), replace(given.test, values=values)) == expected


def test_the_class_is_hidden_even_from_a_method_that_looks():
    seen = []

    class Prying(Method.registry["leaf_frequency"], is_registered=False):
        def _answer(self, data):
            seen.append(data)
            return super()._answer(data)

        def _distributions(self, proba, data):
            seen.append(data)
            return super()._distributions(proba, data)

    given = case(CASES[0])
    method = Prying().fit(given.tree, given.train)
    for ask in ASK.values():
        ask(method, given.test)
    assert len(seen) == 2 * len(ASK)
    assert all(np.isnan(data.values[:, data.class_index]).all() for data in seen)


@each_method_and_case
def test_names_of_the_classes(name, what):
    given = case(what, name)
    renamed = with_classes(given, ("z", "y x", "'"), [0, 1, 2])
    arrays, events, *rest = all_answers(name, what)
    names = dict(zip(given.tree.class_names, renamed.tree.class_names, strict=True))
    events = [tuple(event._replace(details=with_class(event.details, names)) for event in own) for own in events]
    assert everything(renamed.fitted(name), renamed.test) == (arrays, events, *rest)


def with_class(details, names):
    """The details of an event with the new names of the classes that they tell, if they tell some."""
    return {key: with_names(key, value, names) for key, value in details.items()}


def with_names(key, value, names):
    if key == "leaf":
        counts = (part.split("=") for part in value.split(" "))
        return " ".join(f"{names[name]}={n}" for name, n in counts)
    if isinstance(value, dict):
        return {names[name]: part for name, part in value.items()}
    return names[value] if key in ("class", "assumed", "predicts") else value


@each_method
def test_order_of_the_classes(name):
    given, first = case("ties nowhere", name), fitted(name, "ties nowhere")
    names, order = given.tree.class_names, [2, 0, 1]
    reordered = with_classes(given, tuple(names[c] for c in order), order)
    second = reordered.fitted(name)
    for ask in (Method.predict_proba, Method.scores, Method.ranking):
        np.testing.assert_allclose(ask(second, reordered.test), ask(first, given.test)[:, order], rtol=0, atol=1e-12)
    assert np.array(order)[second.predict(reordered.test)].tolist() == first.predict(given.test).tolist()
    np.testing.assert_allclose(second.certainty(reordered.test), first.certainty(given.test), rtol=1e-12)


def with_classes(given, names, order):
    """The same case when class c is what was class ``order[c]``, under other names."""
    header, column = given.tree.header, given.tree.header.class_index
    attributes = list(header.attributes)
    attributes[column] = replace(attributes[column], values=names)
    header = replace(header, attributes=tuple(attributes))
    tree = replace(
        given.tree,
        header=header,
        class_weight=given.tree.class_weight[:, order],
        branch_class_weight=given.tree.branch_class_weight[:, order],
    )

    def data(old):
        values = old.values.copy()
        values[:, column] = np.argsort(order)[old.class_values]
        return Dataset(header, values, old.weights)

    return Case(tree, data(given.train), data(given.test))


# ---- what must make a difference ----


@each_method
def test_every_hyper_parameter_does_something(name):
    cases = OPTIONS if name in TRANSDUCTIVE else CASES[:4]
    listed = other_values(name)
    complete = listed.keys() == parameters(Method.registry[name]).keys() and all(listed.values())
    assert complete, f"list values of all parameters for {name} in OTHER_VALUES"
    idle = [
        (parameter, value)
        for parameter, values in listed.items()
        for value in values
        if not any(differs(name, parameter, value, what) for what in cases)
    ]
    assert not idle


def other_values(name):
    """Values of every hyper-parameter of a method beside its default: those listed, else some that it declares."""
    declared = parameters(Method.registry[name])
    return OTHER_VALUES.get(name) or {parameter: beside_default(of) for parameter, of in declared.items()}


def beside_default(parameter):
    if parameter.values:
        return [value for value in parameter.values if value != parameter.default]
    near = (parameter.default / 2, 2 * parameter.default + 1) if isinstance(parameter.default, int | float) else ()
    return [value for value in near if parameter.low < value < parameter.high]


def differs(name, parameter, value, what):
    value, others = value if isinstance(value, tuple) else (value, {})
    return outcome(name, what, **others) != outcome(name, what, **others, **{parameter: value})


@cache
def outcome(name, what, **params):
    given = case(what, name)
    try:
        return everything(given.fitted(name, **params), given.test)
    except OptionError as refusal:
        return str(refusal)


# ---- refusals ----


@each_method
@pytest.mark.parametrize("ask", ASK)
def test_unfitted(name, ask):
    with pytest.raises(NotFittedError, match=f"{name} is not fitted; call fit"):
        ASK[ask](Method.registry[name](), case(CASES[0], name).test)


@each_method
def test_unfitted_has_learned_nothing(name):
    method = Method.registry[name]()
    with pytest.raises(NotFittedError, match=name):
        method.learned()
    with pytest.raises(NotFittedError, match=name):
        _ = method.threshold


@each_method
@pytest.mark.parametrize("ask", ASK)
def test_other_header(name, ask):
    given = case(CASES[0], name)
    rng = np.random.default_rng(3)
    other = random_dataset(rng, random_header(rng, n_attributes=6), 20)
    with pytest.raises(HeaderMismatchError, match="the data, attribute"):
        ASK[ask](fitted(name, CASES[0]), other)
    with pytest.raises(HeaderMismatchError, match="the training data, attribute"):
        replace(given, train=other).fitted(name)


# ---- the class itself ----


@each_method
def test_parameters_are_keyword_only_with_defaults(name):
    cls = Method.registry[name]
    signature, declared = inspect.signature(cls).parameters, parameters(cls)
    assert list(signature) == list(declared)
    assert all(parameter.kind == parameter.KEYWORD_ONLY for parameter in signature.values())
    assert cls().params == {key: parameter.default for key, parameter in signature.items()}
    for key, parameter in declared.items():
        assert parameter.checked(name, parameter.default) == parameter.default
        assert re.fullmatch(r"\S.+\.", parameter.help), f"{key}: one line, a sentence"
    assert eval(repr(cls()), {cls.__name__: cls}).params == cls().params


@each_method_and_case
def test_saved_state(name, what):
    given, method = case(what, name), fitted(name, what)
    learned = method.learned()
    assert all(isinstance(array, np.ndarray) and array.dtype.kind in "biuf" for array in learned.values())
    again = Method.registry[name].restore(
        method.params, method.tree_, {key: array.copy() for key, array in learned.items()}
    )
    assert not any(array.flags.writeable for array in again.learned().values())
    assert everything(again, given.test) == all_answers(name, what)
    assert again.params == method.params
    testing.assert_same_learned(method, again)


@pytest.mark.parametrize("name", [name for name in METHODS if not Method.registry[name].takes_forest])
def test_what_is_of_one_tree_is_not_restored_on_a_forest(name):
    forest = grow_info_gain_bagging(small(x=[1, 2, 3, 4], c=["a", "a", "b", "b"]))
    with pytest.raises(OptionError, match="is defined on a single tree, not on a forest of info_gain_bagging"):
        Method.registry[name].restore({}, forest, {})


@each_method
def test_name_and_reference(name):
    cls = Method.registry[name]
    assert cls.name == name
    assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
    keys = re.findall(r"^@\w+\{(\w+),", files("wekaconf").joinpath("references.bib").read_text("utf-8"), re.MULTILINE)
    assert len(keys) == len(set(keys))
    assert cls.reference in {"", *keys}


@each_method
def test_instances_of_no_weight_count_nowhere(name):
    rng = np.random.default_rng(3)
    header = random_header(rng, 5, 3)
    train = random_dataset(rng, header, 120, 0.05, weights=False)
    train = Dataset(header, train.values, (np.arange(120) % 2).astype(float))
    kept = train.take(train.weights > 0)
    tree = random_tree(rng, kept)
    test = random_dataset(rng, header, 40, 0.05, weights=False)
    if name in TRANSDUCTIVE:
        tree = grow_info_gain(kept)
    fitted = [made(name).fit(tree, data) for data in (train, kept)]
    assert np.array_equal(*(method.predict_proba(test) for method in fitted))
    assert not any(array.flags.writeable for method in fitted for array in method.learned().values())


def test_the_contract_is_tried_on_nominal_attributes_and_without():
    """And with a class that no instance has."""
    kinds = {kind: testing._data(kind) for kind in testing.OPTIONS}
    for kind, both in kinds.items():
        assert any(attribute.is_nominal for attribute in both[0].attributes[:-1]) == (kind != "numbers")
        assert all(np.isnan(data.values[:, :-1]).any() and len(set(data.weights)) == 3 for data in both)
        assert (0 in np.bincount(both[0].class_values, minlength=3)) == (kind == "absent class")
