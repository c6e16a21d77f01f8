"""The reason of every answer: one sentence, which follows from the events of its instance."""

import math
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.command_line import ARFF
from support.growers import grow_info_gain
from support.method_cases import METHODS, case, each_method, each_method_and_case, fitted
from support.random_trees import made, random_dataset, random_header, random_tree
from support.written_trees import EACH, LE, written_tree

import wekaconf as wc
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.wording import apart, cells, class_share, class_text, counts_apart, interval, number, percent
from wekaconf.methods.characteristic._id3_max import ID3Max
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.methods.contract._explanation import paths
from wekaconf.methods.contract._leaf_reasons import _part, holding, member_sentences
from wekaconf.methods.contract._reasons import Reasons, indices_of
from wekaconf.methods.transductive._tree_answers import AssumedPredictions
from wekaconf.tree._conditions import condition
from wekaconf.tree._forest import Forest
from wekaconf.tree._instances import class_weight
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


@each_method_and_case
def test_reasons_are_read_one_by_one_or_together(name, what):
    asked, answer, told = sentences(name, what)
    n = len(told)
    again = fitted(name, what).answer(asked.test)
    assert [again.grounds[i] for i in range(0, n, 7)] == told[::7]
    assert again.grounds[5:20:3] == told[5:20:3] and again.grounds[-1] == told[-1]
    rows = np.array([n - 1, 0, 3, 3])
    assert again.grounds[rows] == [told[i] for i in rows]
    assert again.grounds[answer.certainty < np.median(answer.certainty)] == [
        text for text, sure in zip(told, answer.certainty, strict=True) if sure < np.median(answer.certainty)
    ]
    for index in (n, -n - 1):
        with pytest.raises(IndexError):
            again.grounds[index]
    assert again.grounds[:0] == []
    assert list(fitted(name, what).answer(asked.test.take([])).grounds) == []


@each_method_and_case
def test_a_reason_depends_on_its_instance_alone(name, what):
    asked, _, told = sentences(name, what)
    order = np.random.default_rng(1).permutation(len(told))
    assert list(fitted(name, what).answer(asked.test.take(order)).grounds) == [told[i] for i in order]


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


TELL_THEIR_LEAF = ["leaf_frequency", "curtailment", "m_branch", "ling_yan", "wpe", "shrinkage", "shrinkage_wpe"]


def classes_of(tree, end):
    """The classes of which the leaf of an event is: those of the largest weight; if it is empty, that of its answer."""
    counts = end.details["counts"]
    if not counts:
        return {
            tree.class_names[c]
            for c in np.flatnonzero(tree.router.answer[end.node] == tree.router.answer[end.node].max())
        }
    return {name for name, weight in counts.items() if weight >= max(counts.values()) * (1 - 1e-9)}


def told_end(tree, events, predicted):
    """The leaf that is told of, from the events of the path: the heaviest of the predicted class, not an empty one."""
    ends = [event for event in events if event.kind == "leaf"]
    return min(
        ends,
        key=lambda event: (
            predicted not in classes_of(tree, event),
            not event.details["counts"],
            -event.details.get("share", 1.0),
            event.node,
        ),
    )


def leaf_text(tree, events, predicted):
    """What the leaf that is told of holds, and the test that led there."""
    end = told_end(tree, events, predicted)
    counts = end.details["counts"]
    kind = "leaf" if not tree.n_branches[end.node] else "node"
    test = f"; {condition(tree, end.node, number)}" if end.node else ""
    if not counts:
        return f"{kind} without instances, answered for by the tree above it{test}"
    total = float(tree.class_weight[end.node].sum())
    best = predicted if predicted in classes_of(tree, end) else max(counts, key=lambda name: counts[name])
    if tree.routing == Routing.REPTREE:
        return f"{kind} {'all of class' if counts[best] >= total else f'with {number(counts[best])} of'} {best}{test}"
    many, most = counts_apart(total, counts[best])
    if many == most:
        return f"{kind} of {many} training instance{', of' if many == '1' else 's, all of'} class {best}{test}"
    return f"{kind} of {many} training instances, {most} of class {best}{test}"


@pytest.mark.parametrize("name", TELL_THEIR_LEAF)
@pytest.mark.parametrize("what", ["missing values and weights", "empty leaf", "one node", *Routing])
def test_the_leaf_is_that_of_the_path(name, what):
    asked, answer, told = sentences(name, str(what))
    for text, c, events in zip(told, answer.predicted, paths(asked.tree, asked.test)[:], strict=True):
        assert_argues_for(text, asked.tree, events, asked.test.class_names[c])


def assert_argues_for(text, tree, events, predicted):
    """The sentence names a leaf of the predicted class and the share that ends in such, or says that there is none."""
    leaf = leaf_text(tree, events, predicted)
    end = told_end(tree, events, predicted)
    ends = [event for event in events if event.kind == "leaf"]
    is_of_answer = predicted in classes_of(tree, end)
    alike = [event for event in ends if (predicted in classes_of(tree, event)) == is_of_answer]
    share = sum(event.details.get("share", 1.0) for event in alike)
    if len(ends) == 1:
        assert text.startswith(leaf) if is_of_answer else f", although it ends in a {leaf}" in text
        return
    part = "all" if share > 1 - 1e-9 else f"{'only ' * (share < 0.5 - 1e-9)}{percent(share)}"
    first = next(e.attribute for e in events if e.kind == "node" and e.details.get("value") is None)
    where = (
        f"a {leaf}"
        if len(alike) == 1
        else (
            f"{len(alike)} leaves of {f'class {predicted}' if is_of_answer else 'other classes'}, "
            f"{percent(end.details['share'])} of it in a {leaf}"
        )
    )
    clause = f"{part} of the instance, split by the missing value of {first}, ends in {where}"
    if is_of_answer and share > 0.5 - 1e-9:
        assert text.startswith(clause)
    else:
        assert re.match(rf".* {predicted} \([\d.]+\), although {re.escape(clause)}", text)


@pytest.mark.parametrize("name", ["confdtree", "id3_sd", "id3_max", "boundary_distance"])
def test_every_event_is_told(name):
    n_events = 0
    for what in ("missing values and weights", "ties nowhere", "skewed", "empty leaf", "absent class"):
        asked, answer, told = sentences(name, what)
        own = paths(asked.tree, asked.test)[:]
        for text, events, path, c in zip(told, answer.explanation[:], own, answer.predicted, strict=True):
            n_events += len(events)
            if not events and name == "boundary_distance":
                assert text == "no change gives another class"
            elif not events:
                assert_argues_for(text, asked.tree, path, asked.test.class_names[c])
            elif name == "boundary_distance":
                assert text.endswith(f" {events[0].details['class']}")
                assert all(change in text for change in events[0].details["changes"][:4])
            else:
                parts = without_part(text, events, path).split("; ")
                assert len(parts) == min(len(events), 4)
                assert len(events) <= 3 or parts[-1].startswith(f"{len(events) - 3} more such ")
                for part, event in zip(parts[:3], events, strict=False):
                    assert part.startswith(event.attribute or ("its leaf has no", "a leaf has no"))
                    assert "class" not in event.details or f", the interval of {event.details['class']}, so " in part
                    assert_outside(part, event)
    assert n_events > 50


def without_part(text, events, path):
    """The sentence without its beginning, which says how much of a divided instance is rejected."""
    shares = {event.node: event.details["share"] for event in path if "share" in event.details}
    if not shares or any(event.kind in ("route", "fine") for event in events):
        return text
    part = sum(shares[node] for node in {event.node for event in events})
    head, mark, rest = text.partition(" is outside its limits: ")
    assert mark and "limits at its leaf" not in rest
    assert head.startswith(f"{'all' if part > 1 - 1e-9 else percent(part)} of the instance, split by")
    return rest


def assert_outside(part, event):
    """The numbers that are read say that the value lies outside, on the side where it lies."""
    read = re.search(r" (-?[\d.]+) lies outside (-?[\d.]+)(?:–| to )(-?[\d.]+), ", part)
    if not read:
        return
    value, low, high = map(float, read.groups())
    ends = event.details.get("interval") or event.details["accepts"]
    assert value < low or value > high
    assert (value < low) == (event.details["value"] < ends[0])
    assert (value, low, high) == pytest.approx((event.details["value"], *ends), rel=1e-3)


@pytest.mark.parametrize("leaf", ["laplace", "leaf_frequency"])
def test_tpce_tells_what_each_assumed_class_leads_to(leaf):
    """Whether one path is grown or, for leaves that a method reads, a whole tree."""
    asked = case("missing values and weights", "tpce")
    answer = asked.fitted("tpce", leaf=leaf).answer(asked.test)
    told = list(answer.grounds)
    for text, events in zip(told, answer.explanation[:], strict=True):
        predicts = {event.details["assumed"]: event.details["predicts"] for event in events}
        if len(set(predicts.values())) == 1:
            assert text.startswith(
                f"whichever of {len(events)} classes is assumed, the tree predicts {predicts['c0']} ("
            )
        else:
            found = re.findall(r"assumed (c\d), the tree predicts (c\d) \([\d.]+\)", text)
            assert dict(found) == predicts
    assert {text[:8] for text in told} == {"whicheve", "assumed "}


@pytest.mark.parametrize("n_classes", [4, 6])
def test_tpce_with_many_classes_tells_how_many_lead_to_which(n_classes):
    """Of up to three classes it says what each leads to, see above."""
    rng = np.random.default_rng(4)
    header = random_header(rng, 3, n_classes)
    train, test = random_dataset(rng, header, 60), random_dataset(rng, header, 12)
    answer = made("tpce").fit(grow_info_gain(train, ""), train).answer(test)
    for text, events in zip(answer.grounds, answer.explanation[:], strict=True):
        predicts = [event.details["predicts"] for event in events]
        counts = re.findall(r"(\d+) (?:lead )?to (c\d)", text)
        if len(set(predicts)) > 1:
            assert text.startswith(f"of {n_classes} assumed classes ")
            assert all(predicts.count(name) == int(n) for n, name in counts) and len(counts) >= 2


def test_kukar_kononenko_tells_both_shares_of_the_predicted_class():
    asked, answer, told = sentences("kukar_kononenko", "ties nowhere")
    for text, c, certainty in zip(told, answer.predicted, answer.certainty, strict=True):
        name = asked.test.class_names[c]
        read = re.fullmatch(
            rf"added to the training data as {name}, it (?:moves the share of {name} from ([\d.]+) to ([\d.]+)"
            rf"|leaves the share of {name} at [\d.]+)", text,
        )  # fmt: skip
        assert read
        assert (read[1] is None) == (certainty == 1)


@pytest.mark.parametrize("votes", ["mean", "hard"])
def test_a_forest_tells_how_many_members_agree(votes):
    rng = np.random.default_rng(2)
    header = random_header(rng, 4, 3)
    train, test = random_dataset(rng, header, 90, 0.1), random_dataset(rng, header, 40, 0.2)
    forest = Forest(tuple(random_tree(rng, train) for _ in range(5)), votes=votes)
    answer = made("leaf_frequency").fit(forest, train).answer(test)
    n_fewer = 0
    for text, events, c in zip(answer.grounds, answer.explanation[:], answer.predicted, strict=True):
        says = [event.details["predicts"] for event in events]
        name = header.class_names[c]
        others = [says.count(other) for other in header.class_names if other != name]
        is_fewer = says.count(name) < max(others)
        only, but = ("only ", f", but together they say {name}") if is_fewer else ("", "")
        read = re.fullmatch(rf"{only}(\d) of 5 trees predict {name}(?:, (\d) c\d)?{but}", text)
        assert (int(read[1]), int(read[2] or 0)) == (says.count(name), max(others))
        n_fewer += is_fewer
    assert (n_fewer > 0) == (votes == "mean")


def test_curtailment_tells_who_answers():
    asked, _, told = sentences("curtailment", "ties nowhere")
    weight = class_weight(asked.tree, asked.train).sum(axis=1)
    n_above = 0
    for text, events in zip(told, paths(asked.tree, asked.test)[:], strict=True):
        ends = [event for event in events if event.kind == "leaf"]
        if len(ends) == 1:
            is_too_light = weight[ends[0].node] < 10
            n_above += is_too_light
            assert ("; answered by the node of " in text) == is_too_light
    assert n_above > 3


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


def blanked(data):
    """The data with three tenths of the cells missing, the class apart."""
    values = data.values.copy()
    is_blank = np.random.default_rng(0).random(values.shape) < 0.3
    is_blank[:, data.class_index] = False
    values[is_blank] = np.nan
    return Dataset(data.header, values)


@pytest.mark.jvm
@pytest.mark.parametrize("name", sorted(set(METHODS) - {"tpce", "kukar_kononenko", "second_opinion"}))
def test_no_reason_argues_for_another_class_unless_it_says_so(name):
    credit = wc.load_arff(ARFF / "credit-g.arff")
    method = made(name)
    tree = wc.grow(credit, *(method.learner or ("J48", "")))
    asked = blanked(credit)
    answer = method.fit(tree, credit).answer(asked)
    n_told = n_although = 0
    for text, c, certainty in zip(answer.grounds, answer.predicted, answer.proba.max(axis=1), strict=True):
        own, other = credit.class_names[c], credit.class_names[1 - c]
        before, although, _ = text.partition(", although ")
        n_told += f"of class {own}" in text
        n_although += bool(although)
        assert f"of class {other}" not in before
        assert not although or f"{own} ({number(certainty)})" in before or f"of class {own}" in before
    assert n_told > 100 or name in ("boundary_distance", "id3_sd", "id3_max")
    assert n_although > 10 or name not in ("curtailment", "ling_yan", "shrinkage")


@pytest.mark.jvm
def test_leaves_of_the_answer_and_of_other_classes():
    header = Header("r", (Attribute("c", "nominal", ("p", "q", "r")), Attribute("cls", "nominal", ("a", "b", "d"))), 1)
    many = np.array([[0, 0]] * 30 + [[1, 0]] * 30 + [[2, 1]] * 40)
    seconds = np.array([[0, 0]] * 5 + [[0, 1]] * 4 + [[1, 2]] * 5 + [[1, 1]] * 4)
    missing = Dataset(header, np.full((1, 2), np.nan))

    def told(rows, name):
        train = Dataset(header, rows)
        return made(name).fit(wc.grow(train, "J48", "-U -M 1"), train).answer(missing).grounds[0]

    assert told(many, "leaf_frequency") == (
        "60 % of the instance, split by the missing value of c, ends in 2 leaves of class a, 30 % of it in a leaf of "
        "30 training instances, all of class a; c = p"
    )
    assert told(many, "ling_yan").startswith(told(many, "leaf_frequency") + "; the mean of all leaves: a (0.6335)")
    assert told(seconds, "leaf_frequency") == (
        "the tree answers b (0.4444), although all of the instance, split by the missing value of c, ends in 2 leaves "
        "of other classes, 50 % of it in a leaf of 9 training instances, 5 of class a; c = p"
    )


def test_half_of_an_instance_is_not_its_smaller_part():
    """Six twelfths add up to a little less than a half."""
    twelve = Attribute("v", "nominal", tuple("abcdefghijkl"))
    header = Header("r", (twelve, Attribute("cls", "nominal", ("x", "y", "z"))), 1)
    classes = [0] * 6 + [1] * 3 + [2] * 3
    tree = written_tree(header, (0, EACH, None, *classes), routing=Routing.COUNTS)
    train = Dataset(header, np.column_stack((np.arange(12), classes)))
    told = made("leaf_frequency").fit(tree, train).answer(Dataset(header, np.full((1, 2), np.nan))).grounds[0]
    assert told.startswith("50 % of the instance, split by the missing value of v, ends in 6 leaves of class x")


@pytest.mark.parametrize("name", METHODS)
def test_classes_that_are_numbers_are_in_quotes(name):
    asked = case("missing values and weights", name)
    header = asked.train.header
    classes = replace(header.class_attribute, values=("0", "1", "2"))
    attributes = tuple(classes if i == header.class_index else old for i, old in enumerate(header.attributes))
    train, test = (
        Dataset(replace(header, attributes=attributes), data.values, data.weights) for data in (asked.train, asked.test)
    )
    answer = made(name).fit(replace(asked.tree, header=train.header), train).answer(test)
    same = fitted(name, "missing values and weights").answer(asked.test)
    for text, other in zip(answer.grounds, same.grounds, strict=True):
        assert text == re.sub(r"\bc([012])\b", r"'\1'", other)


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


def test_numbers_without_digits():
    assert [number(value) for value in (math.inf, -math.inf, math.nan)] == ["∞", "−∞", "unknown"]


def test_intervals():
    assert interval("1.06", "1.72") == "1.06–1.72"
    assert interval("-3", "-1") == "-3 to -1"
    assert interval("1970-01-02", "1970-01-03") == "1970-01-02 to 1970-01-03"


def test_a_value_next_to_its_interval_has_the_digits_it_needs():
    rng = np.random.default_rng(3)
    header = random_header(rng, 1, 2)
    train = random_dataset(rng, header, 80)
    tree = random_tree(rng, train, max_depth=1)
    method = ConfDTree(variant="tdist", min_instances=2).fit(tree, train)
    ends = method.intervals_
    leading = int(tree.predict(random_dataset(rng, header, 1))[0])
    values = np.repeat(train.values[:1], 2, axis=0)
    column = tree.split_attribute[0]
    values[:, column] = [
        np.nextafter(ends.assigned_low[0, leading], -np.inf),
        np.nextafter(ends.assigned_high[0, leading], np.inf),
    ]
    answer = method.answer(Dataset(header, values))
    told = [(text, events) for text, events in zip(answer.grounds, answer.explanation[:], strict=True) if events]
    assert told
    for text, events in told:
        assert_outside(text, events[0])


def test_reasons_tell_their_number():
    assert repr(Reasons(3, list)) == "Reasons(3 instances)"


@pytest.mark.parametrize("n", [0, 1, 3])
def test_reasons_are_a_sequence(n):
    reasons = Reasons(n, lambda rows: [f" {i}" for i in indices_of(rows, n)])
    texts = [*map(str, range(n))]
    assert len(reasons) == n and [*reasons] == reasons[:] == reasons[0:n] == reasons[: n + 5] == texts
    assert reasons[::-1] == texts[::-1] and reasons[1:] == texts[1:] and reasons[n:] == []
    assert [reasons[i] for i in range(-n, n)] == texts + texts
    assert reasons[np.arange(n)[::-1]] == texts[::-1] and reasons[np.arange(n) == 1] == texts[1:2]
    for outside in (n, -n - 1):
        with pytest.raises(IndexError, match=f"^instance {outside} of {n}$"):
            reasons[outside]


def test_control_characters_of_one_sentence_are_escaped():
    reasons = Reasons(2, lambda rows: [["a\nb", "c"][i] for i in indices_of(rows, 2)])
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
    assert holding(tree, 1, 0) == told
    assert holding(tree, 0, 0).startswith("node ")


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
