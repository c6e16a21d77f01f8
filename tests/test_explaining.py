"""The steps of every method recompute its answers, by rules written down a second time."""

import copy
import json
import math
import re
import zipfile

import numpy as np
import pytest
from reference.explanation_reference import recompute
from support.method_cases import case, each_method_and_case, fitted
from support.parameter_values import OTHER_VALUES
from support.random_trees import made, random_dataset, random_header, random_tree
from support.small_data import small
from support.written_trees import LE, written_tree
from test_postprocessor import unclassified

import wekaconf as wc
from wekaconf.methods.contract.counts_instances import CountsInstances
from wekaconf.methods.contract.explanation import Step
from wekaconf.methods.contract.explanation.html import account_html
from wekaconf.methods.contract.explanation.text import account_text
from wekaconf.methods.contract.tree_by_tree import TreeByTree
from wekaconf.tree.forest import Forest
from wekaconf.tree.kinds import Routing

IN_ANOTHER_ORDER = {"distance", "divergence", "tail", "logistic"}
"""Rules whose sums and functions are computed otherwise than by the library."""


def steps_of(step):
    yield step
    for part in step["parts"]:
        yield from steps_of(part)


def assert_recomputes(step, names):
    """Every step follows from its parts; those that only add, multiply and divide do to the last bit."""
    for one in steps_of(step):
        expected = recompute(one, names)
        if any(below["rule"] in IN_ANOTHER_ORDER for below in steps_of(one)):
            assert one["result"] == pytest.approx(expected, rel=1e-12, abs=1e-300, nan_ok=True), one["rule"]
        else:
            np.testing.assert_array_equal(one["result"], expected, one["rule"])


def assert_accounts(method, data):
    answer = method.answer(data)
    for i in range(len(data)):
        account = answer.explanation.account(i)
        told = account.to_dict()
        assert account.proba == tuple(answer.proba[i].tolist())
        assert account.certainty.result == answer.certainty[i] or math.isnan(answer.certainty[i])
        assert told["reason"] == answer.reason(i)
        assert told["predicted"] == data.class_names[answer.predicted[i]]
        json.dumps(told)
        for steps in (told["steps"], told["certainty_steps"]):
            assert_recomputes(steps, data.class_names)
        assert "\n".join(str(account).splitlines()) == str(account)
        assert account._repr_html_().count("<ul>") == account._repr_html_().count("</ul>")


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("curtailment", {"min_weight": 0}), ("m_branch", {}), ("ling_yan", {}), ("wpe", {"numeric": "bins"})],
)
def test_one_training_instance_is_told_as_one(name, parameters):
    """A leaf of one and a leaf of two."""
    data = small(x=[0, 1, 1], c=["a", "b", "b"])
    method = wc.method(name, **parameters).fit(wc.grow(data, "CART"), data)
    told = " ".join(str(method.answer(data).explanation.account(row)) for row in (0, 1))
    assert re.search(r"\b1 training instance\b", told) and "2 training instances" in told
    assert not re.search(r"\b1 training instances", told)


def test_a_step_adds_nothing_unasked():
    counts = Step.given("the counts", np.array([1.0, 3.0]), kind="leaf")
    assert Step.scaled("their shares", counts, total=4.0, kind="shares").result == (0.25, 0.75)
    assert Step.scaled("after Laplace", counts, total=6.0, add=1.0, kind="shares").result == (2 / 6, 4 / 6)


def test_whole_numbers_of_a_step_are_an_array_of_numbers_like_all_others():
    assert Step.given("the counts", np.array([1, 3]), kind="leaf").array.dtype == np.float64


def test_bars_are_filled_whatever_the_numbers_sum_to():
    data = small(x=[0, 1, 1, 1], c=["a", "b", "b", "a"])
    explained = wc.method("shrinkage").fit(wc.grow(data, "CART"), data).answer(data[:1]).explanation
    bars = re.findall(r'aria-hidden="true">(.*?)</span> <small>', explained.account(0)._repr_html_())
    assert len(bars) > 1
    for bar in bars:
        assert sum(map(float, re.findall(r"width:([\d.]+)%", bar))) == pytest.approx(100, abs=0.2)


@pytest.mark.parametrize(("n_classes", "more"), [(4, ""), (5, ", 1 more"), (7, ", 3 more")])
def test_four_classes_of_a_distribution_are_named(n_classes, more):
    names, share = [f"c{i}" for i in range(n_classes)], 1 / n_classes
    shares = Step.given("the shares", np.full(n_classes, share), kind="leaf")
    text = account_text(names, 0, "so it is", shares, Step("largest", "the largest", share, "largest"))
    named = ", ".join(f"c{i} ({share:.4g})" for i in range(4))
    assert text.splitlines()[-1] == f"  the shares = {named}{more}"


@pytest.mark.parametrize(("n_parts", "omitted"), [(8, 0), (9, 1), (12, 4)])
def test_eight_parts_of_a_step_are_shown(n_parts, omitted):
    """Those with the largest weights, in text and in HTML."""
    parts = [Step.given(f"leaf {i}", np.array([0.25, 0.75]), kind="leaf") for i in range(n_parts)]
    whole = Step.weighted("the mean", [2.0 + i for i in range(n_parts)], parts, kind="forest")
    certainty = Step("largest", "the largest", 0.75, "largest")
    text, html = (write(("p", "q"), 1, "so it is", whole, certainty) for write in (account_text, account_html))
    for told in (text, html):
        assert [i for i in range(n_parts) if f"leaf {i}" in re.findall(r"leaf \d+", told)] == [*range(omitted, n_parts)]
        assert ("more, with weights up to" in told) == (omitted > 0)
    assert not omitted or f"and {omitted} more, with weights up to {1 + omitted}" in text


@pytest.mark.parametrize(("n_rows", "n_pieces"), [(200, 2), (201, 1)])
def test_shares_of_half_a_percent_get_a_piece_of_the_bar(n_rows, n_pieces):
    data = small(x=[0] * n_rows, c=["a"] * (n_rows - 1) + ["b"])
    explained = wc.method("leaf_frequency").fit(wc.grow(data, "CART"), data).answer(data[:1]).explanation
    bar = re.search(r'aria-hidden="true">(.*?)</span> <small>', explained.account(0)._repr_html_())
    assert bar[1].count("<span") == n_pieces


@each_method_and_case
def test_steps_recompute_the_answer(name, what):
    assert_accounts(fitted(name, what), case(what, name).test.take(slice(0, 12)))


def test_an_answer_without_steps_stands_alone():
    """Where it is not the tree's, the tree's steps would lead to another number."""
    data = small(x=[0, 1, 1], c=["a", "b", "b"])
    method = Halves().fit(wc.grow(data, "CART"), data)
    assert_accounts(method, data)
    step = method.answer(data).explanation.account(0).steps
    assert (step.rule, step.result, step.parts) == ("given", (0.5, 0.5), ())


class Halves(wc.PostProcessor, is_registered=False):
    """Answers that every class is as probable."""

    name = "halves"

    def _fit(self, tree, train):
        pass

    def _answer(self, data):
        return wc.Reply(np.full((len(data), data.n_classes), 1 / data.n_classes))


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [(name, parameter, value) for name, others in OTHER_VALUES.items() for parameter, values in others.items()
     for value in values],
)  # fmt: skip
def test_whatever_the_parameters(name, parameter, value):
    value, others = value if isinstance(value, tuple) and isinstance(value[-1], dict) else (value, {})
    if parameter == "numeric" and value == "refuse":
        pytest.skip("these data have numbers")
    if others.get("local") == "wpe" and parameter == "numeric":
        pytest.skip("these data have numbers")
    given = case("missing values and weights", name)
    tree = given.tree
    if parameter == "inner":
        tree = wc.grow(given.train, value, "nominal=one_hot")
    method = made(name, **{parameter: value}, **others).fit(tree, given.train)
    assert_accounts(method, given.test.take(slice(0, 5)))


def forests(votes):
    rng = np.random.default_rng(3)
    header = random_header(rng, n_attributes=4)
    train = random_dataset(rng, header, 120, missing=0.1, weights=True)
    trees = [random_tree(rng, train, routing=Routing.CART if votes != "mean" else Routing.J48) for _ in range(5)]
    return Forest(tuple(trees), votes=votes), train, random_dataset(rng, header, 15, missing=0.2)


@pytest.mark.parametrize("votes", ["mean", "average", "hard"])
@pytest.mark.parametrize(
    "name",
    [name for name, known in wc.PostProcessor.registry.items() if issubclass(known, TreeByTree)] + ["leaf_frequency"],
)
def test_forests(name, votes):
    forest, train, asked = forests(votes)
    method = made(name).fit(forest, train)
    assert_accounts(method, asked)
    if isinstance(method, CountsInstances):
        with pytest.raises(wc.OptionError, match=f"^{name}: its answers are not sums over training instances of a sin"):
            method.influences(asked, train)


def test_leaves_that_no_training_instance_reached():
    given = case("empty leaf", "leaf_frequency")
    asked = random_dataset(np.random.default_rng(0), given.tree.header, 400)
    asked = asked.take(given.tree.is_empty[given.tree.apply(asked)])
    assert len(asked) == 7
    for tree in (given.tree, given.tree.with_laplace(True)):
        assert_accounts(made("leaf_frequency").fit(tree, given.train), asked)


@pytest.mark.parametrize("weight", [1e-6, np.nextafter(1e-6, 0), np.nextafter(1e-6, 1)])
def test_weights_that_weka_hardly_tells_from_none(weight):
    """A leaf that holds so little, an empty leaf on such a branch, and a forest whose answers sum to so little."""
    train, spec = small(x=[0.0, 1.0], c=["a", "b"]), (0, LE, 0.5, [weight, 0.0], [0.0, 0.0])
    changes = {
        "class_weight": [[weight, weight], [weight, 0.0], [0.0, 0.0]],
        "total": [2 * weight, weight, 0.0],
        "branch_weight": [np.nan, weight, weight],
        "branch_class_weight": [[np.nan, np.nan], [weight, 0.0], [0.0, weight]],
    }
    assert_accounts(made("leaf_frequency").fit(written_tree(train.header, spec, **changes), train), train)
    answers = written_tree(train.header, (0, LE, 0.5, [weight, 0.0], [0.0, weight]), routing=Routing.REPTREE)
    method = made("leaf_frequency").fit(Forest((answers,)), train)
    assert_accounts(method, train)
    assert method.explain(train).account(0).steps.kind == ("sum" if weight < 1e-6 else "forest")


def test_answers_that_do_not_sum_to_1():
    train, tree, asked = unclassified(1)
    asked = asked.take(np.argsort(tree.predict_proba(asked).sum(axis=1))[::7])
    for name in ("leaf_frequency", "confdtree", "shrinkage", "ling_yan", "curtailment"):
        assert_accounts(made(name).fit(tree, train), asked)
    forest = Forest((tree, tree))
    method = made("leaf_frequency").fit(forest, train)
    assert_accounts(method, asked)
    words = [account.steps.words for account in map(method.explain(asked).account, range(len(asked)))]
    lost = ~forest.predict_proba(asked).any(axis=1)
    assert lost.any() and [each == "the sum over 2 trees" for each in words] == lost.tolist()


@pytest.mark.parametrize("name", ["m_branch", "curtailment", "ling_yan"])
def test_model_file_of_an_earlier_version(tmp_path, name):
    """It holds no class weights of the nodes: the answers are the same, and explained as far as the file goes."""
    given = case("missing values and weights", name)
    method = given.fitted(name)
    wc.save_model(tmp_path / "new", method)
    with zipfile.ZipFile(tmp_path / "new") as new, zipfile.ZipFile(tmp_path / "old", "w") as old:
        kept = [member for member in new.namelist() if "class_weight_" not in member]
        assert len(kept) == len(new.namelist()) - 1
        for member in kept:
            old.writestr(member, new.read(member))
    again = wc.load_model(tmp_path / "old").method
    asked = given.test.take(slice(0, 12))
    np.testing.assert_array_equal(again.predict_proba(asked), method.predict_proba(asked))
    assert_accounts(again, asked)
    wc.save_model(tmp_path / "again", again)
    assert_accounts(wc.load_model(tmp_path / "again").method, asked)
    wc.save_model(tmp_path / "spoilt", spoilt(method))
    with pytest.raises(wc.ModelFileError, match="does not follow from class_weight_"):
        wc.load_model(tmp_path / "spoilt")


def spoilt(method):
    """The same with other class weights, from which its estimates do not follow."""
    other = copy.copy(method)
    other.class_weight_ = method.class_weight_ * 3 + 1
    return other
