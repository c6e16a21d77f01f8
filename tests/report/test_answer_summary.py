"""The lines on the answers of a file."""

from string import ascii_uppercase

import numpy as np
import pytest
from support.page_opener import fitted
from support.small_data import small

from wekaconf.data import CostMatrix
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.checks import OutcomeCounts
from wekaconf.evaluation.measures import Figures
from wekaconf.evaluation.promises import AnswerShares, ClassSets
from wekaconf.evaluation.thresholds import Choice
from wekaconf.report._answer_summary import Summary, most_missed
from wekaconf.report._predictions import Predictions


def test_one_wrong_answer_shows_no_class_that_is_missed_most():
    assert [most_missed(missed) for missed in ([1, 0], [2, 0], [0, 1.5], [2, 2], [3], [1, 3, 1])] == [
        None, 0, 1, None, None, 1,
    ]  # fmt: skip


def summed_up(x, classes, *, below=None, names="abd", at_once=4, told=None, **given):
    """The lines on answers of 1 a, 0.75 b or 0.5 d where x is 1, 2 or 3, in parts."""
    learned = [*"aaaa", *"abbb", *"abdd"]
    train = small(x=[1.0] * 4 + [2.0] * 4 + [3.0] * 4, c=(names, learned))
    method, new = fitted("leaf_frequency", train, "info_gain"), small(x=x, c=(names, classes))
    outcomes = OutcomeCounts(new.class_names)
    summary = Summary("o", outcomes, **given)
    for start in range(0, len(new), at_once):
        rows = slice(start, start + at_once)
        part = Predictions(method, new.take(rows), below=below, before=start, kept={"n": ascii_uppercase[rows]})
        outcomes.add(part.predicted, part.actual, part.rejected)
        summary.add(part)
    return [line.partition(": leaf of")[0] for line in summary.lines(**(told or {}))]


def test_all_answers_are_summed_up_whatever_the_parts():
    """Where nothing may be rejected no class has a line; only what is less certain than others is listed."""
    new = [1.0, 2.0, 3.0, 2.0, 3.0, 1.0], ["a", "b", "a", None, "a", "b"]
    expected = [
        "o: 6 rows answered; of the 5 answers whose class is known 3 wrong (60.00 %, interval 15 to 95 %)",
        "the 4 least certain:",
        "row 3: certainty 0.5; d (50 %)",
        "row 5: certainty 0.5; d (50 %)",
        "row 2: certainty 0.75; b (75 %)",
        "row 4: certainty 0.75; b (75 %)",
    ]
    for at_once in (2, 4, 6):
        assert summed_up(*new, at_once=at_once) == expected


def test_where_answers_may_be_rejected_each_class_has_a_line():
    lines = summed_up([1.0, 2.0, 3.0, 2.0, 3.0, 1.0], ["a", "b", "a", None, "a", "b"], below=0.6, names="abcd")
    refused = (
        "rejected, refer to a human; d (50 %) would be the answer, but the certainty 0.5 is below the threshold 0.6"
    )
    assert lines == [
        "o: 4 of 6 rows answered, 2 rejected; of the 3 answers whose class is known 1 wrong "
        "(33.33 %, interval 0.84 to 91 %)",
        "a: 2 answered, 0 rejected; 1 wrong (50.00 %, interval 1.3 to 99 %)",
        "b: 2 answered, 0 rejected; of the 1 answers whose class is known 0 wrong (0.00 %, interval 0 to 98 %)",
        "d: never answered, 2 rejected",
        "c: never predicted",
        "the 4 least certain:",
        "row 3: " + refused,
        "row 5: " + refused,
        "row 2: certainty 0.75; answered b (75 %)",
        "row 4: certainty 0.75; answered b (75 %)",
    ]


def test_the_class_that_is_missed_most_is_named():
    """Its rows that are rejected count among those that there are."""
    lines = summed_up([1.0, 1.0, 2.0, 3.0, 3.0, 2.0], ["b", "b", "a", "b", "b", "b"], below=0.6)
    assert "2 of the 3 wrong answers are for rows of class b, of which there are 5" in lines


UNKNOWN = [3.0, 2.0, 1.0, 2.0, 1.0], [None, None, None, "a", "b"]


def test_rows_have_their_names_beside_their_numbers():
    assert summed_up(*UNKNOWN, names_rows="n")[2:] == [
        "row 1 (n A): certainty 0.5; d (50 %)",
        "row 2 (n B): certainty 0.75; b (75 %)",
        "row 4 (n D): certainty 0.75; b (75 %)",
    ]
    assert summed_up(*UNKNOWN, names_rows="m")[2] == "row 1: certainty 0.5; d (50 %)"


@pytest.mark.parametrize(("below", "rows"), [(None, [0, 1, 2]), (0.6, [1, 2])])
def test_how_many_answers_of_no_known_class_will_be_wrong(below, rows):
    """Of those that are given; of rows unlike training that is not known."""
    certainty, predicted = np.repeat([0.5, 0.75, 1.0], 40), np.repeat([2, 1, 0], 40)
    shares = AnswerShares.of(certainty, predicted, np.arange(120) % 4 == 0, 3)
    expected = str(shares.expected_errors(shares.count(certainty[::40][rows], predicted[::40][rows])))
    assert f"of the {len(rows)} answers" in expected
    for at_once in (1, 5):
        given = {"below": below, "at_once": at_once, "shares": shares}
        assert summed_up(*UNKNOWN, **given)[1] == expected
        assert summed_up(*UNKNOWN, told={"is_like_training": False}, **given)[1] == (
            f"how many of the {len(rows)} answers will be wrong is not known, since the file is not like the 120 "
            "calibration rows"
        )
    assert not any("will be wrong" in line for line in summed_up([1.0, 2.0], ["a", "b"], shares=shares))


@pytest.mark.parametrize(("below", "cost"), [(None, (5 + 2) / 2), (0.8, (0.25 + 2) / 2)])
def test_the_mean_cost_of_rows_whose_class_is_known(below, cost):
    """An a taken for b costs 5, a b taken for a 2, a rejection 1/4."""
    costs = RejectCosts(CostMatrix([[0, 5, 1], [2, 0, 1], [4, 1, 0]]), 0.25)
    choice = Choice(Aim("cost", costs), 0.6, Figures(1, 1, 0, 1), is_reached=True)
    assert summed_up(*UNKNOWN, below=below, choice=choice)[0].endswith(f"; mean cost per row {cost:.4g}")
    assert "cost" not in summed_up([1.0], [None], choice=choice)[0]


def test_every_class_counts_also_the_last_and_those_that_are_never_predicted():
    assert summed_up([3.0, 1.0], ["d", "e"], names="abcde", below=0.0)[:6] == [
        "o: 2 of 2 rows answered, 0 rejected; 1 wrong (50.00 %, interval 1.3 to 99 %)",
        "a: 1 answered, 0 rejected; 1 wrong (100.00 %, interval 2.5 to 100 %)",
        "d: 1 answered, 0 rejected; 0 wrong (0.00 %, interval 0 to 98 %)",
        "b: never predicted",
        "c: never predicted",
        "e: never predicted",
    ]


@pytest.mark.parametrize(
    ("n_classes", "last"),
    [(12, "class 11: 2 answered, 0 rejected; 0 wrong"), (13, "and 1 more class"), (14, "and 2 more classes")],
)
def test_twelve_predicted_classes_have_a_line(n_classes, last):
    names = [f"class {i}" for i in range(n_classes)]
    train = small(x=[float(i) for i in range(2 * n_classes)], c=(names, [name for name in names for _ in "ab"]))
    outcomes = OutcomeCounts(train.class_names)
    summary, part = Summary("o", outcomes), Predictions(fitted("leaf_frequency", train, "info_gain"), train, below=0.0)
    outcomes.add(part.predicted, part.actual, part.rejected)
    summary.add(part)
    lines = summary.lines()
    assert lines[12].startswith("class 11: ") and lines[1].startswith("class 0: ")
    assert lines[-2].partition(" (0.00")[0] == last


@pytest.mark.parametrize(
    ("n", "last"),
    [
        (10, "row 10: certainty 0.75; b (75 %)"),
        (11, "and 1 more of certainty 0.75"),
        (12, "and 2 more of certainty 0.75"),
    ],
)
def test_ten_least_certain_answers_are_listed(n, last):
    lines = summed_up([2.0] * n + [1.0], ["b"] * (n + 1))
    assert lines[1] == "the 10 least certain:" and lines[11] == "row 10: certainty 0.75; b (75 %)"
    assert lines[-1] == last and len(lines) == (12 if n == 10 else 13)


@pytest.mark.parametrize(
    ("x", "lines"),
    [
        ([2.0], []),
        ([2.0, 2.0], ["all of the same certainty, 0.75"]),
        ([1.0, 2.0], ["the least certain:", "row 2: certainty 0.75; b (75 %)"]),
        (
            [2.0, 1.0, 3.0],
            ["the 2 least certain:", "row 3: certainty 0.5; d (50 %)", "row 1: certainty 0.75; b (75 %)"],
        ),
    ],
)
def test_answers_are_least_certain_beside_others(x, lines):
    assert summed_up(x, ["b"] * len(x))[1:] == lines


@pytest.mark.parametrize(
    ("n", "sizes", "is_per_class", "rows"),
    [
        (8, "0 of one class, 3 of all, 0 of none", False, "the rows"),
        (9, "0 of one class, 3 of some, 0 of all, 0 of none", True, "the rows of each class"),
    ],
)
def test_where_no_set_is_of_one_class_nothing_is_said_of_such_sets(n, sizes, is_per_class, rows):
    """Eight rows cannot exclude a class at 90 %, nine can."""
    train = small(x=[1.0] * 4 + [2.0] * 4 + [3.0] * 4, c=("abd", [*"aaaa", *"abbb", *"abdd"]))
    proba = np.tile([0.5, 0.25, 0.25], (n, 1))
    sets = ClassSets.of(proba, np.zeros(n, np.int64), 0.9, is_per_class=is_per_class)
    part = Predictions(fitted("leaf_frequency", train, "info_gain"), train.take([4, 8, 9]), class_sets=sets)
    outcomes = OutcomeCounts(train.class_names)
    summary = Summary("o", outcomes, class_sets=sets)
    assert not [line for line in summary.lines() if "class sets" in line]
    outcomes.add(part.predicted, part.actual, part.rejected)
    summary.add(part)
    told = [line for line in summary.lines() if "sets" in line]
    assert told == [f"class sets, which contain the true class of 90 % of {rows}: {sizes}"]
