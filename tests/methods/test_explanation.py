"""The steps of every method recompute its answers, by rules written down a second time."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from reference.explanation_reference import recompute
from support.method_cases import case, each_method_and_case, fitted
from support.parameter_values import OTHER_VALUES
from support.random_trees import made, random_dataset, random_header, random_tree
from support.rival_cases import without_shares
from support.small_data import small
from support.written_trees import EACH, LE, written_tree
from test_method import unclassified

import wekaconf as wc
from wekaconf.base.plot_style import COLOURS
from wekaconf.methods.contract._answer import Reply
from wekaconf.methods.contract._explanation import Step, paths
from wekaconf.methods.contract._explanation.html import account_html
from wekaconf.methods.contract._explanation.of_tree import distribution_step, weights_of
from wekaconf.methods.contract._explanation.text import account_text
from wekaconf.methods.contract._tree_by_tree import TreeByTree
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import Routing

IN_ANOTHER_ORDER = {"distance", "divergence", "tail", "logistic", "pooled"}
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
    text = account_text(names, "so it is", shares, Step("largest", "the largest", share, "largest"))
    named = ", ".join(f"c{i} ({share:.4g})" for i in range(4))
    assert text.splitlines()[-1] == f"  the shares = {named}{more}"


@pytest.mark.parametrize(("n_parts", "omitted"), [(8, 0), (9, 1), (12, 4)])
def test_eight_parts_of_a_step_are_shown(n_parts, omitted):
    """Those with the largest weights, in text and in HTML."""
    parts = [Step.given(f"leaf {i}", np.array([0.25, 0.75]), kind="leaf") for i in range(n_parts)]
    whole = Step.weighted("the mean", [2.0 + i for i in range(n_parts)], parts, kind="forest")
    certainty = Step("largest", "the largest", 0.75, "largest")
    text, html = (write(("p", "q"), "so it is", whole, certainty) for write in (account_text, account_html))
    for told in (text, html):
        assert [i for i in range(n_parts) if f"leaf {i}" in re.findall(r"leaf \d+", told)] == [*range(omitted, n_parts)]
        assert ("more, with weights up to" in told) == (omitted > 0)
    assert not omitted or f"and {omitted} more, with weights up to {1 + omitted}" in text


def largest(share):
    return Step("largest", "the largest", share, "largest")


def lines_of(names, steps, certainty=None):
    """What follows the answer and how to read it."""
    return account_text(names, "so it is", steps, certainty or largest(0.5)).splitlines()[2:]


def test_a_class_without_a_share_is_not_named():
    shares = Step.given("the shares", np.array([0.3, 0.25, 0.2, 0.15, 0.1, 0.0]), kind="leaf")
    assert lines_of("abcdef", shares) == ["  the shares = a (0.3), b (0.25), c (0.2), d (0.15), 1 more"]
    certain = Step.given("the shares", np.array([0.0, 1.0]), kind="leaf")
    assert lines_of("pq", certain) == ["  the shares = q (1)"]
    legend = account_html("pqr", "so it is", Step.given("", np.array([0.25, 0.0, 0.75]), kind="leaf"), largest(0.75))
    assert re.findall(r"></span> (\w) ([\d.]+)<", legend) == [("p", "0.25"), ("r", "0.75")]


def test_a_legend_names_as_many_classes_as_there_are_colours():
    """Those with the largest shares, in the order of the classes."""
    names, n = [f"c{i}" for i in range(14)], len(COLOURS)
    legend = account_html(names, "so it is", Step.given("", np.arange(14.0), kind="leaf"), largest(13.0))
    swatches = re.findall(r"background:(#\w+)\"></span> (\w+) (\d+)<", legend)
    assert swatches == [(COLOURS[i % n], f"c{i}", str(i)) for i in range(14 - n, 14)]


def test_of_no_weight_no_share_follows():
    assert str(Step.frequency("a leaf", np.array([0.0, 2.0]), total=0.0, kind="leaf").result) == "(nan, inf)"


def two_leaves(*weights):
    """A sum over two leaves, the first below a test."""
    first = Step.given("leaf 1", np.array([1.0, 0.0]), kind="leaf")
    second = Step.given("leaf 2", np.array([0.0, 1.0]), kind="leaf")
    return Step.weighted("the sum", weights, [Step.follow("x = 1", first, kind="test"), second], kind="sum")


@pytest.mark.parametrize(("weights", "marks", "shares"), [
    ((2.0, 1.0), ("2 × ", ""), "p (2), q (1)"), ((1.0, 3.0), ("", "3 × "), "q (3), p (1)"),
])  # fmt: skip
def test_each_of_two_parts_has_its_weight_unless_that_is_1(weights, marks, shares):
    lines = [f"  the sum = {shares}", f"    {marks[0]}x = 1", "    leaf 1 = p (1)", f"    {marks[1]}leaf 2 = q (1)"]
    assert lines_of("pq", two_leaves(*weights)) == lines
    html = account_html("pq", "so it is", two_leaves(*weights), largest(0.5))
    assert re.findall(r"<li>([^<]*)", html) == ["the sum", f"{marks[0]}x = 1", "leaf 1", f"{marks[1]}leaf 2"]


def test_the_sums_of_nested_tests_are_one_sum_over_the_leaves():
    inner = two_leaves(0.5, 0.25)
    nested = Step("weighted", "a test", inner.result, "test", values=inner.values, parts=inner.parts)
    other = Step.given("leaf 3", np.array([0.0, 1.0]), kind="leaf")
    outer = Step.weighted("the sum", [0.5, [0.25, 2.0]], [nested, other], kind="test")
    told = ["  the sum = q (2.125), p (0.25)", "    0.25 × x = 1", "    leaf 1 = p (1)"]
    assert lines_of("pq", outer) == [*told, "    0.125 × leaf 2 = q (1)", "    2 × leaf 3 = q (1)"]


def test_votes_have_no_weights():
    votes = Step("votes", "the votes", (0.5, 0.5), "forest", parts=two_leaves(1.0, 1.0).parts)
    lines = ["  the votes = p (0.5), q (0.5)", "    x = 1", "    leaf 1 = p (1)", "    leaf 2 = q (1)"]
    assert lines_of("pq", votes) == lines


@pytest.mark.parametrize(("weights", "first", "last"), [
    ([1.0] * 9, "leaf 0", "and 1 more"),
    ([*[2.0] * 7, 1.0, 1.0], "2 × leaf 0", "and 1 more"),
    ([*[1.0] * 8, 2.0], "2 × leaf 8", "and 1 more"),
    ([*[2.0] * 7, 0.5, 0.25], "2 × leaf 0", "and 1 more, with weights up to 0.25"),
    ([*range(1, 9)], "leaf 0", "8 × leaf 7 = p (1)"),
])  # fmt: skip
def test_parts_left_out_stand_in_the_last_line(weights, first, last):
    """In the order of the tree where all are shown, else the largest weight first."""
    leaves = [Step.given(f"leaf {i}", np.array([1.0, 0.0]), kind="leaf") for i in range(len(weights))]
    _, first_line, *_, last_line = lines_of("pq", Step.weighted("the sum", weights, leaves, kind="sum"))
    assert (first_line, last_line) == (f"    {first} = p (1)", f"    {last}")


def test_a_certainty_of_its_own_is_told_with_its_steps():
    certainty = Step("tail", "far out", 0.25, "limits", parts=(Step("given", "a distance", 3.0, "side"),))
    leaf = Step.given("the leaf", np.array([0.5, 0.5]), kind="leaf")
    shares = "p (0.5), q (0.5)"
    told = [f"  the leaf = {shares}", "certainty 0.25:", "  far out = 0.25", "  a distance = 3"]
    assert lines_of("pq", leaf, certainty) == told
    html = account_html("pq", "so it is", leaf, certainty)
    own = "<li>far out<br><small>= 0.25</small></li><li>a distance<br><small>= 3</small></li>"
    assert f"<p>certainty 0.25:</p><ul>{own}</ul></details></div>" in html
    assert "certainty 0.25:</p><ul>" not in account_html("pq", "so it is", leaf, largest(0.25))


ONE_BRANCH = (0, EACH, None, [3, 1], [0, 0])
BELOW = (0, EACH, None, (1, LE, 2.0, [2, 0], [1, 1]), [0, 4])


@pytest.mark.parametrize(("routing", "spec", "told"), [
    (Routing.J48, ONE_BRANCH, [
        "  x is missing, and the branch taken then is = a",
        "  leaf of 4 training instances, 3 of class p = p (0.75), q (0.25)",
    ]),
    (Routing.COUNTS, ONE_BRANCH, [
        "  their sum, in shares that sum to 1 = p (0.75), q (0.25)",
        "  x is missing, and the branch taken then is = a",
        "  leaf of 4 training instances, 3 of class p = p (3), q (1)",
    ]),
    (Routing.J48, BELOW, [
        "  x is missing, so the branches share the instance: 50 % = a, 50 % = b = q (0.75), p (0.25)",
        "    x = a", "    y is 3, so > 2", "    50 % of the instance = p (0.25), q (0.25)",
        "    leaf of 2 training instances, 1 of class p = p (0.5), q (0.5)",
        "    x = b", "    50 % of the instance = q (0.5)", "    leaf of 4 training instances, all of class q = q (1)",
    ]),
    (Routing.COUNTS_LAPLACE, BELOW, [
        "  their sum, in shares that sum to 1, with Laplace's correction = q (0.7), p (0.3)",
        "  x is missing, so the branches share the instance: 50 % = a, 50 % = b = q (2.5), p (0.5)",
        "    0.5 × x = a", "    y is 3, so > 2",
        "    leaf of 2 training instances, 1 of class p, with Laplace's correction = p (1), q (1)",
        "    0.5 × x = b", "    leaf of 4 training instances, all of class q, with Laplace's correction = q (4)",
    ]),
    (Routing.J48, (0, EACH, None, (0, EACH, None, [2, 0], [1, 1]), [0, 4]), [
        "  x is missing, so the branches share the instance: 50 % = a, 50 % = b = q (0.625), p (0.375)",
        "    x = a",
        "    x is missing, so the branches share the instance: 50 % = a, 50 % = b = p (0.375), q (0.125)",
        "      x = a", "      25 % of the instance = p (0.25)",
        "      leaf of 2 training instances, all of class p = p (1)",
        "      x = b", "      25 % of the instance = p (0.125), q (0.125)",
        "      leaf of 2 training instances, 1 of class p = p (0.5), q (0.5)",
        "    x = b", "    50 % of the instance = q (0.5)", "    leaf of 4 training instances, all of class q = q (1)",
    ]),
])  # fmt: skip
def test_where_the_parts_of_an_instance_without_a_value_go(routing, spec, told):
    train = small(x=("ab", ["a"]), y=[1.0], c=("pq", ["p"]))
    method = wc.LeafFrequency().fit(written_tree(train.header, spec, routing=routing), train)
    asked = small(x=("ab", [None]), y=[3.0], c=("pq", [None]))
    assert str(method.explain(asked).account(0)).splitlines()[2:] == told


def test_a_leaf_that_holds_next_to_nothing_has_no_shares_and_is_divided_by_1():
    header = small(x=[0.0], c=("pq", ["p"])).header
    answers = [
        weights_of(written_tree(header, [weight, 0.0], routing=routing), 0)
        for routing, weight in ((Routing.RANDOMTREE_UNCLASSIFIED, 0.0), (Routing.J48, 1e-7))
    ]
    for weights, add, total in answers:
        assert (weights.tolist(), add, total) == ([0.0, 0.0], 0.0, 1.0)


def test_an_answer_with_a_share_of_0_is_not_clipped():
    counts = Step.given("the counts", np.array([0.0, 2.0]), kind="leaf")
    steps = distribution_step(counts, np.array([0.0, 1.0]), lambda: counts)
    assert (steps.words, steps.parts) == ("in shares that sum to 1", (counts,))
    rest = Step.given("the counts", np.array([-1e-17, 2.0]), kind="leaf")
    steps = distribution_step(rest, np.array([0.0, 1.0]), lambda: counts)
    assert [step.rule for step in steps.walk()] == ["scaled", "clipped", "given"]
    for kept in (rest, Step.given("nothing", np.zeros(2), kind="leaf")):
        assert distribution_step(kept, kept.array, lambda: counts) is kept


def test_where_a_method_has_no_answer_the_tree_s_is_followed():
    """Clipped, and divided by its sum only if that is not 1."""
    nothing = Step.given("nothing", np.zeros(2), kind="leaf")
    for own, proba, rules in (
        ([-0.5, 1.5], [0.0, 1.0], ["scaled", "follow", "clipped", "given"]),
        ([-1e-15, 1.0], [0.0, 1.0], ["follow", "clipped", "given"]),
    ):
        of_tree = Step.given("the tree", np.array(own), kind="tree")
        steps = distribution_step(nothing, np.array(proba), lambda of_tree=of_tree: of_tree)
        assert [step.rule for step in steps.walk()] == rules
        assert steps.array.tolist() == proba
        assert "the method has no answer, so the tree answers" in [step.words for step in steps.walk()]


@pytest.mark.parametrize(("routing", "told"), [
    (Routing.CART, ["  y is missing, and no branch takes a share = nothing"]),
    (Routing.J48, [
        "  y is missing, so the branches share the instance: 0 % = a, 0 % = b",
        "    y = a", "    0 % of the instance = nothing",
        "    leaf of 3 training instances, 2 of class p = p (0.6667), q (0.3333)",
        "    y = b", "    0 % of the instance = nothing", "    leaf of 5 training instances, all of class q = q (1)",
    ]),
])  # fmt: skip
def test_where_no_branch_has_weight_the_instance_is_lost(routing, told):
    tree, train = without_shares()
    asked = small(x=[4.0], y=("abc", [None]), **{"class": ("pq", [None])})
    method = wc.LeafFrequency().fit(replace(tree, routing=routing), train)
    assert str(method.explain(asked).account(0)).splitlines()[2:] == ["  x is 4, so > 3", *told]


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


class Halves(wc.Method, is_registered=False):
    """Answers that every class is as probable."""

    name = "halves"

    def _fit(self, tree, train):
        pass

    def _answer(self, data):
        return Reply(np.full((len(data), data.n_classes), 1 / data.n_classes))


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
    "name", [name for name, known in wc.Method.registry.items() if issubclass(known, TreeByTree)] + ["leaf_frequency"]
)
def test_forests(name, votes):
    forest, train, asked = forests(votes)
    method = made(name).fit(forest, train)
    assert_accounts(method, asked)
    told = str(method.explain(asked).account(0))
    assert re.findall(r"^    (?:\S+ × )?(tree \d)$", told, re.MULTILINE) == [f"tree {i}" for i in range(1, 6)]


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


def test_events_that_no_method_made_have_no_account():
    given = case("empty leaf", "leaf_frequency")
    with pytest.raises(ValueError, match="not made by a method, so it tells events only"):
        paths(given.tree, given.test).account(0)
