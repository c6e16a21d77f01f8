"""The reason of every answer: one sentence, which follows from the events of its instance, and how it begins."""

import math
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.method_cases import case, each_method, each_method_and_case, fitted
from support.random_trees import made, random_tree
from support.small_data import small
from support.written_trees import EACH, LE, written_tree

import wekaconf as wc
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data._matching import UnseenCells
from wekaconf.data.arrays import texts_of
from wekaconf.data.wording import apart, cells, class_share, class_text, counted_weight, interval, number, percent
from wekaconf.methods.characteristic._id3_max import ID3Max
from wekaconf.methods.contract._answer import Answer, Reply
from wekaconf.methods.contract._leaf_reasons import _part, describe_node, member_sentences
from wekaconf.methods.contract._reasons import Reasons, name_all_unseen_values, name_unseen_values, row_indices
from wekaconf.methods.transductive._assumed_trees import AssumedPredictions
from wekaconf.tree._kinds import Routing

HOSTILE = "a\n\x1b[31mb\u202ec\x00 "


@cache
def sentences(name, what):
    """A fitted method, its answer for the test instances, and all the reasons."""
    asked = case(what, name)
    answer = fitted(name, what).answer(asked.test)
    return asked, answer, list(answer.grounds)


# ---- every method ----


@each_method_and_case
def test_a_reason_is_one_sentence(name, what):
    asked, answer, told = sentences(name, what)
    assert len(told) == len(answer.grounds) == len(asked.test)
    for text in told:
        assert isinstance(text, str) and len(text) > 10
        assert text.isprintable() and text == text.strip() and not text.endswith((".", ";", ",")) and "  " not in text
        assert not re.search(r"\b(nan|None|unknown)\b", text)


@each_method
def test_hostile_names_do_no_harm(name):
    asked = case("missing values and weights", name)
    train, test = (hostile(data) for data in (asked.train, asked.test))
    tree = replace(asked.tree, header=train.header)
    told = list(made(name).fit(tree, train).answer(test).grounds)
    assert all(text.isprintable() and text for text in told)
    assert any(r"a\n\x1b[31mb\u202ec\x00" in text for text in told)


def hostile(data: Dataset) -> Dataset:
    """The same with names and values that hold control characters."""
    attributes = tuple(
        replace(old, name=f"{HOSTILE}{i}", values=tuple(f"{HOSTILE}{value}" for value in old.values))
        for i, old in enumerate(data.attributes)
    )
    return Dataset(Header("r", attributes, data.class_index), data.values, data.weights)


# ---- in accord with the events ----


def test_an_excluded_end_is_called_the_edge():
    header = Header("r", (Attribute("x"), Attribute("c", "nominal", ("p", "q"))), 1)
    train = Dataset(header, np.array([[1.06, 0], [1.72, 0], [1.5, 0]]))
    tree = random_tree(np.random.default_rng(0), train, max_depth=0)
    asked = Dataset(header, np.array([[1.72, 0], [1.06, 0], [1.7200001, 0]]))
    assert list(ID3Max(closed="lower").fit(tree, train).answer(asked).grounds) == [
        "x 1.72 lies at the edge of 1.06–1.72, the limits at its leaf",
        "leaf of 3 training instances, all of class p; inside all its limits",
        "x 1.7200001 lies outside 1.06–1.72, the limits at its leaf",
    ]


# ---- the words ----


@pytest.mark.parametrize(
    ("name", "text"),
    [("yes", "yes"), ("<=50K", "<=50K"), ("0", "'0'"), ("1.5", "'1.5'"), ("-1", "'-1'"), ("nan", "'nan'"),
     ("1e5", "'1e5'"), ("10-20", "'10-20'"), (">= 3", "'>= 3'"), ("class 0", "class 0"), ("?", "'?'"), ("ü", "ü"),
     ("late, again", "'late, again'"), ("a;b", "'a;b'"), ("a,b", "a,b")],
)  # fmt: skip
def test_classes(name, text):
    assert class_text(name) == text and class_share(name, 0.75) == f"{text} (0.75)"


@pytest.mark.parametrize(
    ("share", "text"), [(0.6, "60 %"), (1, "100 %"), (1 / 3, "33.3 %"), (0.999999, "99.9999 %"), (1e-7, "1e-05 %")]
)
def test_percentages(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("share", "text", "digits", "decimals"),
    [
        (0.9999, "99.99 %", 2, None), (1, "100 %", 2, None), (0, "0 %", 2, None), (0.123, "12 %", 2, None),
        (0.9999, "99.99 %", 6, None), (0.99999999, "99.999999 %", 6, None), (0.123456789, "12.3457 %", 6, None),
        (0.99999, "99.999 %", 3, 2), (0.00001, "0.001 %", 3, 2), (1, "100.00 %", 3, 2), (0, "0.00 %", 3, 2),
        (1 / 3, "33.3 %", 3, 1),
    ],
)  # fmt: skip
def test_only_the_whole_is_100_percent_and_only_nothing_0(share, text, digits, decimals):
    assert percent(share, digits, decimals) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.7, "1.7"), (980.9, "980.9"), (105.95, "105.95"), (1 / 3, "0.3333"), (123456.789, "123457"), (1e20, "1e+20"),
     (1e9, "1e+09"), (1e9 + 0.5, "1e+09"),
     (-0.0, "0"), (5, "5"), (16.825000762939453, "16.825"),
     (35_284_583 / 2**21, "16.825"), (70_569_165 / 2**22, "16.83"),  # 26 binary digits and 27
     (105 / 158, "0.6646"), (48.0907048, "48.09"), (105.949997, "105.9"), (3 * 0.35, "1.05"),
     (1e-20, "1e-20"), (2 / 3e9, "6.667e-10"), (np.inf, "∞"), (-np.inf, "−∞")],
)  # fmt: skip
def test_numbers(value, text):
    assert number(value) == text


@settings(max_examples=500, deadline=None)
@given(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=3), st.integers(1, 4))
@example([1.72, np.nextafter(1.72, 2), 1.06], 1)
@example([1.23456, 1.23451234], 1)
@example([0.30000000000000004, 0.3], 1)
def test_different_numbers_read_differently_and_in_their_order(values, ulps):
    values += [float(np.nextafter(values[0], np.inf)) for _ in range(ulps > 2)]
    texts = apart(*values)
    read = [value if np.isinf(value) else float(text) for value, text in zip(values, texts, strict=True)]
    for a, x in zip(values, read, strict=True):
        for b, y in zip(values, read, strict=True):
            assert (a < b) == (x < y)
        assert x == pytest.approx(a, rel=1e-3)


def test_values_of_an_attribute():
    day = 86_400_000.0
    when = Attribute("when", "date")
    assert cells(when, day, 2 * day) == ("1970-01-02", "1970-01-03")
    assert cells(when, day, 1.5 * day) == ("1970-01-02T00:00:00", "1970-01-02T12:00:00")
    assert cells(when, 0.0, 4.0) == ("1970-01-01T00:00:00.000", "1970-01-01T00:00:00.004")
    assert cells(when, 0.0, 0.25) == ("0", "0.25"), "moments that no calendar tells apart"
    assert cells(when, 1e300, 0.0) == ("1e+300", "0")
    assert cells(when, 2.0**63, 0.0) == ("9.223e+18", "0")
    assert cells(Attribute("n", "nominal", ("a", "b")), 1.0) == ("b",)


def test_summed_weights():
    assert [counted_weight(weight) for weight in (1, 2, 0.5)] == [
        "1 training instance", "2 training instances", "0.5 training instances"
    ]  # fmt: skip


def test_numbers_without_digits():
    assert [number(value) for value in (math.inf, -math.inf, math.nan)] == ["∞", "−∞", "unknown"]


def test_intervals():
    assert interval("1.06", "1.72") == "1.06–1.72"
    assert interval("-3", "-1") == "-3 to -1"
    assert interval("1970-01-02", "1970-01-03") == "1970-01-02 to 1970-01-03"


def test_reasons_tell_their_number():
    assert repr(Reasons(3, list)) == "Reasons(3 instances)"


@pytest.mark.parametrize("n", [0, 1, 3])
def test_reasons_are_a_sequence(n):
    reasons = Reasons(n, lambda rows: [f" {i}" for i in row_indices(rows, n)])
    texts = [*map(str, range(n))]
    assert len(reasons) == n and [*reasons] == reasons[:] == reasons[0:n] == reasons[: n + 5] == texts
    assert reasons[::-1] == texts[::-1] and reasons[1:] == texts[1:] and reasons[n:] == []
    assert [reasons[i] for i in range(-n, n)] == texts + texts
    assert reasons[np.arange(n)[::-1]] == texts[::-1] and reasons[np.arange(n) == 1] == texts[1:2]
    for outside in (n, -n - 1):
        with pytest.raises(IndexError, match=f"^instance {outside} of {n}$"):
            reasons[outside]


def test_control_characters_of_one_sentence_are_escaped():
    reasons = Reasons(2, lambda rows: [["a\nb", "c"][i] for i in row_indices(rows, 2)])
    assert reasons[:] == ["a\\nb", "c"] and reasons[0] == "a\\nb"


@pytest.mark.parametrize(("members", "told"), [
    ([0, 0], "2 of 2 trees predict a"),
    ([0, 1], "1 of 2 trees predict a, 1 b"),
    ([1, 0, 1], "only 1 of 3 trees predict a, 2 b, but together they say a"),
    ([2, 2, 1], "only 0 of 3 trees predict a, 2 d, but together they say a"),
])  # fmt: skip
def test_trees_that_agree_are_told_before_the_most_frequent_others(members, told):
    assert member_sentences("abd", [np.array([c, 0]) for c in members], np.array([0, 0]))[0] == told


@pytest.mark.parametrize(("routing", "weights", "told"), [
    (Routing.J48, [3.0, 1.0], "leaf of 4 training instances, 3 of class a"),
    (Routing.J48, [3.0, 0.0], "leaf of 3 training instances, all of class a"),
    (Routing.J48, [1.0, 0.0], "leaf of 1 training instance, of class a"),
    (Routing.J48, [0.5, 0.0], "leaf of 0.5 training instances, all of class a"),
    (Routing.J48, [0.0, 2.0], "leaf of 2 training instances, none of class a"),
    (Routing.J48, [0.0, 0.0], "leaf without instances, answered for by the tree above it"),
    (Routing.REPTREE, [0.75, 0.25], "leaf with 0.75 of a"),
    (Routing.REPTREE, [1.0, 0.0], "leaf all of class a"),
])  # fmt: skip
def test_what_a_leaf_holds_in_words(routing, weights, told):
    header = Header("r", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    tree = written_tree(header, (0, LE, 1.0, weights, [1.0, 1.0]), routing=routing)
    assert describe_node(tree, 1, 0) == told
    assert describe_node(tree, 0, 0).startswith("node ")


@pytest.mark.parametrize(("share", "told"), [
    (1.0, "all"), (1 - 5e-10, "all"), (0.6, "60 %"), (0.5, "50 %"), (0.5 - 5e-10, "50 %"), (0.4, "only 40 %"),
])  # fmt: skip
def test_less_than_half_of_an_instance_is_only_a_part(share, told):
    assert _part(share) == told


@pytest.mark.parametrize(("predicted", "share", "told"), [
    ([[0]], [[0.75]], "assumed a, the tree predicts a (0.75)"),
    ([[0, 0]], [[0.75, 0.5]], "whichever of 2 classes is assumed, the tree predicts a (0.5 to 0.75)"),
    ([[1, 1]], [[0.75, 0.75]], "whichever of 2 classes is assumed, the tree predicts b (0.75)"),
    ([[0, 1]], [[0.75, 0.6]], "assumed a, the tree predicts a (0.75); assumed b, the tree predicts b (0.6)"),
    ([[0, 1, 0]], [[1, 0.6, 0.5]], "assumed a, the tree predicts a (1); assumed b, the tree predicts b (0.6); "
     "assumed d, the tree predicts a (0.5)"),
    ([[0, 1, 0, 3]], [[1, 1, 1, 1]], "of 4 assumed classes 2 lead to a, 1 to b, 1 to e"),
    ([[4, 4, 4, 0, 1, 2, 3]], [[1] * 7], "of 7 assumed classes 3 lead to f, 1 to a, 1 to b, 2 to others"),
])  # fmt: skip
def test_assumed_classes_are_listed_up_to_three(predicted, share, told):
    labels = np.arange(len(predicted[0]))
    made_of = AssumedPredictions(labels, np.array(predicted), np.array(share, dtype=float))
    assert made_of.sentences(("a", "b", "d", "e", "f", "g", "h"), slice(0, 1)).tolist() == [told]


@pytest.mark.parametrize(("leaves", "told"), [
    (
        ([3, 1], [0, 4], [0, 0]),
        "50 % of the instance, split by the missing value of x, ends in a leaf of 4 training instances, "
        "all of class q; x = b",
    ),
    (
        ([3, 2], [3, 2], [0, 8]),
        "the tree answers q (0.6667), although only 44.4 % of the instance, split by the missing value of x, ends in a "
        "leaf of 8 training instances, all of class q; x = d",
    ),
    (
        ([1, 3], [0, 4], [0, 0]),
        "all of the instance, split by the missing value of x, ends in 2 leaves of class q, 50 % of it in a leaf of 4 "
        "training instances, 3 of class q; x = a",
    ),
    (([1, 3], [0, 0], [0, 0]), "leaf of 4 training instances, 3 of class q; x = a"),
])  # fmt: skip
def test_an_instance_that_its_missing_value_divides(leaves, told):
    header = Header("r", (Attribute("x", "nominal", ("a", "b", "d")), Attribute("c", "nominal", ("p", "q"))), 1)
    tree = written_tree(header, (0, EACH, None, *leaves))
    method = made("leaf_frequency").fit(tree, Dataset(header, np.zeros((1, 2))))
    asked = Dataset(header, np.array([[np.nan, np.nan], [0.0, np.nan]]))
    assert method.answer(asked).grounds[0] == told
    assert method.answer(asked).grounds[0:2][0] == told


# -- values that training did not have ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("sentence", "expected"), [
    ("ward is missing, so the branches share it", "ward is 'x\\1y', not seen in training, so the branches share it"),
    ("age 3 > 2; ward is missing, and the branch", "age 3 > 2; ward is 'x\\1y', not seen in training, and the branch"),
    ("split by the missing value of ward, ends", "split by ward 'x\\1y', not seen in training, ends"),
    ("ward missing → a known value gives B", "ward 'x\\1y', not seen in training → a known value gives B"),
    ("award is missing, wards missing, the missing value of wards", None),
    ("a.b is missing; axb is missing", "a.b is 'z', not seen in training; axb is missing"),
    ("age is missing; ward = a", None),
])  # fmt: skip
def test_it_is_named_in_the_place_of_a_missing_one(sentence, expected):
    assert name_unseen_values(sentence, {"ward": "x\\1y", "a.b": "z"}) == (expected or sentence)


def test_only_the_rows_that_have_such_a_value_name_it():
    header = Header("r", (Attribute("ward", "nominal", ("a",)), Attribute("class", "nominal", ("no", "yes"))), 1)
    data = Dataset(header, np.full((4, 2), np.nan), unseen={"ward": UnseenCells(np.array([1, 3]), texts_of("pq"))})
    for rows in (slice(0, 4), np.array([3, 0]), slice(1, 2)):
        texts = name_all_unseen_values(["ward is missing"] * len(np.arange(4)[rows]), data, rows)
        known = {1: "ward is 'p', not seen in training", 3: "ward is 'q', not seen in training"}
        assert texts.tolist() == [known.get(row, "ward is missing") for row in np.arange(4)[rows].tolist()]


@pytest.mark.parametrize("method", [wc.LeafFrequency(), wc.Curtailment(min_weight=1)])
def test_answers_name_it_in_reasons_paths_and_accounts(method):
    """Whether or not the method has reasons of its own."""
    train = small(n=("ab", list("aabb")), c=("pq", list("ppqq")))
    method.fit(written_tree(train.header, (0, EACH, -1, [2, 0], [0, 2])), train)
    assert (method.name == "leaf_frequency") == (method._answer(train).reasons is None)
    asked = small(n=("ab", ["a", None]), c=("pq", [None, None]))
    asked = replace(asked, unseen={"n": UnseenCells(np.array([1]), texts_of("z"))})
    answer = method.answer(asked)
    assert "leaf of 2 training instances" in answer.grounds[0] and "not seen" not in answer.grounds[0] + answer.paths[0]
    account = answer.explanation.account(1)
    for text in (answer.grounds[1], answer.paths[1], account.steps.words, account.certainty.parts[0].words):
        assert "n is 'z', not seen in training" in text or "n 'z', not seen in training" in text, text


# -- how reasons begin: what to do, and the answer ---------------------------------------------------------------------


REJECTED = "rejected, refer to a human; "
BUT = " would be the answer, but "


class Place:
    """Rows that lie outside, or not."""

    def __init__(self, *rows):
        self.rows = np.array(rows)

    def add_to_reasons(self, reasons, rows):
        for place in np.flatnonzero(self.rows[rows]).tolist():
            reasons[place] += "; outside"


def answer(proba, predicted, certainty, names):
    reply = Reply(np.array([proba]), certainty=np.array([certainty]), predicted=np.array([predicted]))
    return Answer(reply.proba, reply, names, None, lambda _, rows: ["why"] * len(rows), None)


@pytest.mark.parametrize(("proba", "predicted", "certainty", "below", "told"), [
    ([0.832, 0.168], 0, 0.832, None, "ja (83 %)"),
    ([0.18, 0.82], 0, 0.4, None, "ja (18 %, nein 82 %)"),
    ([0.2, 0.5, 0.3], 2, 0.4, None, "'1' (30 %, nein 50 %)"),
    ([0.25, 0.5, 0.25], 1, 0.5, None, "nein (50 %)"),
    ([0.5, 0.5], 0, 0.5, 0.5, "answered ja (50 %)"),
    ([0.996, 0.004], 0, 0.996, 0.75, "answered ja (99.6 %)"),
    ([0.39, 0.61], 1, 0.61, 0.75, f"{REJECTED}nein (61 %){BUT}the certainty 0.61 is below the threshold 0.75"),
    ([0.25, 0.75], 1, 0.75 - 1e-7, 0.75,
     f"{REJECTED}nein (75 %){BUT}the certainty 0.7499999 is below the threshold 0.75"),
    ([0.1, 0.9], 1, 0.9, np.array([0.2, np.inf]), 
     f"{REJECTED}nein (90 %){BUT}the model's threshold rejects every such answer"),
    ([0.1, 0.9], 1, 0.9, np.array([np.inf, 0.2]), "answered nein (90 %)"),
    ([1 + 1e-15, 0.0], 0, 1.0, 0.75, "answered ja (100 %)"),
])  # fmt: skip
def test_reasons_begin_with_what_to_do_and_the_answer(proba, predicted, certainty, below, told):
    names = ("ja", "nein", "1")[: len(proba)]
    given = answer(proba, predicted, certainty, names).of_model(below)
    assert given.reason(0) == f"{told}: why" and given.grounds[0] == "why"
    assert given.is_rejected[0] == told.startswith(REJECTED)


@pytest.mark.parametrize(("below", "lies_outside", "told"), [
    (None, True, f"{REJECTED}ja (83 %){BUT}the row lies outside the training data"),
    (0.8, True, f"{REJECTED}ja (83 %){BUT}the row lies outside the training data"),
    (0.9, True, f"{REJECTED}ja (83 %){BUT}the certainty 0.83 is below the threshold 0.9"),
    (None, False, "answered ja (83 %)"),
])  # fmt: skip
def test_rows_outside_may_be_rejected_whatever_their_certainty(below, lies_outside, told):
    given = answer([0.83, 0.17], 0, 0.83, ("ja", "nein"))
    given = given.of_model(below, lambda: Place(lies_outside), rejects_outside=True)
    assert given.reason(0) == f"{told}: why{'; outside' * lies_outside}"
    assert given.is_rejected[0] == told.startswith(REJECTED)
