"""Thresholds as records, and the few of many that are kept."""

import math
from dataclasses import replace

import numpy as np
import pytest

from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.measures import Figures, levels_of
from wekaconf.evaluation.measures._accepting import LARGEST
from wekaconf.evaluation.thresholds import AnsweredRows, Choice, choices_summary, choose_threshold, count_by_class
from wekaconf.evaluation.thresholds._choice import MOST_LEVELS, Reachable, thin_out_levels

CHOICE = Choice(
    Aim("cost", (10, 1)), 0.75, Figures(3.0, 1.0, 0.5, 0.0), True,
    Reachable(0.5, Figures(4.0, 2.0, 0.0, 0.25)), ((0.75, 4.0, 1.0), (0.5, 6.0, 2.0)),
)  # fmt: skip
RECORD = {
    "aim": ["cost", (10.0, 1.0)],
    "threshold": 0.75,
    "figures": (3.0, 1.0, 0.5, 0.0),
    "is_reached": True,
    "reachable": [0.5, 4.0, 2.0, 0.0, 0.25],
    "curve": ((0.75, 4.0, 1.0), (0.5, 6.0, 2.0)),
}


def test_the_one_aim_among_values_keeps_its_confidence_and_costs():
    values = {"keep": None, "mean_cost": 0.5, "error": None}
    assert Aim.only(values, 0.9, RejectCosts(10, 1)) == Aim("mean_cost", 0.5, 0.9, RejectCosts(10, 1))


def test_the_answers_of_each_class_are_counted_at_each_threshold():
    rng = np.random.default_rng(5)
    n = 200
    rows = AnsweredRows(
        rng.choice([0.5, 0.7, 0.9, np.inf], n), rng.random(n) < 0.6, rng.choice([0.5, 1.0], n), rng.integers(0, 3, n),
        rng.integers(0, 4, n),
    )  # fmt: skip
    for threshold, *counts in (curve := count_by_class(rows, [LARGEST, 0.9, 0.6, -math.inf], 4)):
        accepted = [rows.weights[(rows.certainty >= threshold) & (rows.predicted == c)].sum() for c in range(4)]
        wrong = [
            rows.weights[(rows.certainty >= threshold) & (rows.predicted == c) & ~rows.correct].sum() for c in range(4)
        ]
        assert counts[::2] == pytest.approx(accepted) and counts[1::2] == pytest.approx(wrong)
    assert [point[0] for point in curve] == [LARGEST, 0.9, 0.6, -math.inf]
    assert count_by_class(rows, [0.5], 31) == () and count_by_class(rows, [], 4) == ()
    choice = replace(CHOICE, class_curve=curve)
    assert Choice.of_record(choice.as_record()).class_curve == curve


@pytest.mark.parametrize(
    "wrong", [[[0.5, 1]], [[0.5, "a", 0]], [[0.5, 1, 2]], [[math.nan, 1, 0]], [[0.5, 1, 0]] * 300,
              [[0.5, 1, 0], [0.4, 1, 0, 1, 0]]]
)  # fmt: skip
def test_counts_of_classes_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError, match="curve"):
        Choice.of_record(RECORD | {"class_curve": wrong})


def test_a_record_holds_all_of_a_choice():
    assert CHOICE.as_record() == RECORD
    read = Choice.of_record(RECORD)
    assert read == CHOICE and read.curve == CHOICE.curve and read.reachable == CHOICE.reachable
    without = {**RECORD, "reachable": None}
    del without["curve"]
    read = Choice.of_record(without)
    assert (read.reachable, read.curve) == (None, ()) and read.as_record() == without


def test_what_other_thresholds_do_makes_no_other_choice():
    without = replace(CHOICE, curve=())
    assert without == CHOICE and repr(without) == repr(CHOICE)


FIGURES = r"^expected a threshold and four weights, got \["
LEVEL = r"^curve: expected a threshold and "


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"threshold": math.nan}, FIGURES),
        ({"threshold": "0.5"}, FIGURES),
        ({"figures": [1, 1, 1]}, FIGURES),
        ({"figures": [1, 1, 1, 1, 1]}, FIGURES),
        ({"figures": [1, 1, 1, -1e-9]}, FIGURES),
        ({"figures": [1, 1, 1, math.inf]}, FIGURES),
        ({"figures": [1, 1, 1, None]}, FIGURES),
        ({"reachable": [0.5, 1, 1, 1]}, FIGURES),
        ({"reachable": [math.nan, 1, 1, 1, 1]}, FIGURES),
        ({"curve": [[0.5, 1]]}, LEVEL),
        ({"curve": [[0.5, 1, 0, 0]]}, LEVEL),
        ({"curve": [[0.5, 1, "0"]]}, LEVEL),
        ({"curve": [[0.5, 1, 0], [math.nan, 1, 0]]}, LEVEL),
        ({"curve": [[0.5, 1, 1.5]]}, LEVEL),
        ({"curve": [[0.5, 1, -0.5]]}, LEVEL),
        ({"curve": [[0.5, math.inf, 0]]}, LEVEL),
        ({"curve": [[0.5, 0, 0]]}, LEVEL),
        ({"curve": [[0.5, 1, 0]] * 202}, "^curve: expected at most 201 thresholds, got 202$"),
    ],
)
def test_what_is_no_choice_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Choice.of_record(RECORD | changes)


def test_the_ends_of_what_a_record_may_hold():
    ends = {"threshold": math.inf, "figures": [0, 0, 0, 0], "curve": [[-math.inf, 1e-9, 1e-9], [0.5, 1, 0]]}
    read = Choice.of_record(RECORD | ends)
    assert (read.threshold, read.figures, read.curve[0]) == (math.inf, Figures(0, 0, 0, 0), (-math.inf, 1e-9, 1e-9))
    assert len(Choice.of_record(RECORD | {"curve": [[0.5, 1, 0]] * 201}).curve) == 201


def test_levels_are_distinct_certainties_of_instances_that_weigh_something():
    certainty, weights = np.array([0.5, np.inf, 0.5, 0.25, -np.inf, 0.0]), np.array([1.0, 2.0, 3.0, 0.0, 0.5, 1.0])
    correct = np.array([True, False, False, False, True, False])
    found = [array.tolist() for array in levels_of(certainty, correct, weights)]
    assert found == [[LARGEST, 0.5, 0.0, -math.inf], [2, 6, 7, 7.5], [2, 5, 6, 6]]
    assert math.copysign(1, found[0][2]) == 1
    assert [len(array) for array in levels_of(certainty[:0], correct[:0], weights[:0])] == [0, 0, 0]


@pytest.mark.parametrize("n", [MOST_LEVELS, MOST_LEVELS + 1, 900])
@pytest.mark.parametrize("chosen", [2.0, 0.999, 0.5033, 0.0, -1.0])
def test_of_many_levels_some_are_kept_evenly_over_the_coverage(n, chosen):
    rng = np.random.default_rng(n)
    certainty, correct, weights = np.linspace(0, 1, n), rng.random(n) < 0.8, rng.integers(1, 4, n).astype(float)
    every = list(zip(*(array.tolist() for array in levels_of(certainty, correct, weights)), strict=True))
    kept = set(range(n))
    if n > MOST_LEVELS:
        total = every[-1][1]
        wanted = [total * i / (MOST_LEVELS - 1) for i in range(MOST_LEVELS)]
        kept = {next(j for j, level in enumerate(every) if level[1] >= share * (1 - 1e-12)) for share in wanted}
        kept.add(max((j for j, level in enumerate(every) if level[0] >= chosen), default=0))
    assert thin_out_levels(certainty, correct, weights, chosen) == tuple(every[j] for j in sorted(kept))


@pytest.mark.parametrize(
    "aim", [{"keep": 0.9}, {"target_coverage": 0.9}, {"target_error": 0.1}, {"cost": (5, 1)}], ids=str
)
def test_no_row_reaches_no_aim(aim):
    none = choose_threshold([], [], **aim)
    assert (none.threshold, none.is_reached, none.reachable) == (math.inf, False, None)


def test_choices_of_folds_by_hand():
    certainty, correct = [0.9, 0.8, 0.7, 0.6], [True, True, False, True]
    first, second = (choose_threshold(certainty, correct, keep=share) for share in (0.6, 1.0))
    assert (first.threshold, second.threshold) == (0.8, 0.6)
    assert choices_summary([first, second]) == {
        "aim": "keep 60 % of the correct", "threshold": pytest.approx(0.7), "threshold_min": 0.6, "threshold_max": 0.8,
        "coverage": 0.75, "error": 0.125, "kept_correct": pytest.approx(5 / 6), "n_choices": 2, "n_unreached": 0,
    }  # fmt: skip
    fixed = choices_summary([choose_threshold(certainty, correct, below=0.75)])
    assert fixed.keys() == {"aim", "threshold", "threshold_min", "threshold_max", "n_choices", "n_unreached"}
    missed = choose_threshold([0.9, 0.9, 0.5], [True, False, False], target_error=0.1)
    assert (missed.threshold, missed.is_reached, missed.reachable.threshold) == (math.inf, False, 0.9)
    summed = choices_summary([missed])
    assert (summed["n_unreached"], summed["reachable"]) == (1, {"error": 0.5, "coverage": pytest.approx(2 / 3)})


@pytest.mark.parametrize(
    ("aim", "text"),
    [
        (Aim("keep", 1 / 3), "keep 33.3333 % of the correct"),
        (Aim("error", 1 / 3, 2 / 3), "error at most 33.3333 % with confidence 66.6667 %"),
    ],
)
def test_shares_in_an_aim_have_six_digits(aim, text):
    assert str(aim) == text
