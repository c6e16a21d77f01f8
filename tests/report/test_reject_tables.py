"""The tables of what rejecting gains and costs, of figures that nobody has measured."""

import math

import pytest

from wekaconf.report._reject_tables import outcomes_table, predicted_table, reject_table


def predicted(name, answered=0, wrong=0, rejected=0):
    return {"class_name": name, "answered": answered, "wrong": wrong, "rejected": rejected}


def outcome(name, n, correct, missed, rejected, *, is_foreign=False):
    return {
        "class_name": name, "n": n, "correct": correct, "missed": missed, "rejected": rejected,
        "is_foreign": is_foreign,
    }  # fmt: skip


RECORD = {
    "dataset": "d", "label": "wpe", "learner": "J48", "options": "", "runs": 1, "known": None, "threshold_from": None,
    "predicted": [predicted("yes", 40, 10, 5), predicted("no", rejected=3), predicted("maybe")],
    "outcomes": [
        outcome("yes", 40, 75.0, 5.0, 20.0), outcome("no", 20, 0.0, 40.0, 60.0), outcome("maybe", 0.5, 0, 0, 100.0),
    ],
}  # fmt: skip


def cells_of(table):
    """By the title of the block, and the heading: the cells."""
    return {
        block.title: {column.heading.replace("\n", " "): column.cells for column in block.columns}
        for block in table.blocks
    }


# -- predicted classes --


@pytest.mark.parametrize(
    ("more", "sentences"),
    [
        ({"known": [["yes"], ["no"]]}, ["never answers 'no'"]),
        ({"known": [["yes", "maybe"]]}, ["never answers 'maybe'"]),
        ({"predicted": [predicted("no", 0, 0, 9)]}, []),
        ({"predicted": [predicted("no", 9, 0, 0)]}, []),
    ],
)
def test_classes_that_are_never_answered_are_named_beside_others(more, sentences):
    """Of an open set those that some training set has."""
    table = predicted_table([RECORD | {"outcomes": [outcome("no", 1, 0.0, 100.0, 0.0)]} | more], "")
    assert table.below == ["" for _ in sentences[:1]] + [f"wpe on d: {sentence}" for sentence in sentences]


def test_the_twelve_classes_that_are_predicted_most_often_have_a_line():
    """In the order of the classes; rejected answers predict, too, and of equal ones the first count."""
    rows = [predicted(f"c{i:02}", 3, 0, 0) for i in range(14)]
    rows[3], rows[13] = predicted("c03", 1, 0, 1), predicted("c13", 1, 0, 3)
    names = predicted_table([RECORD | {"predicted": rows}], "").names.lines
    assert [name for _, name in names] == [f"c{i:02}" for i in (0, 1, 2, *range(4, 12), 13)]


# -- actual classes --


def test_known_and_unknown_classes_are_summed_up_apart():
    """By the numbers of their instances."""
    table = outcomes_table([RECORD], "Of each", "above")
    assert (table.title, table.context, list(table.meanings)) == ("Of each", "above", ["missed %"])
    assert [name for _, name in table.names.lines] == ["yes", "no", "maybe", "all known"]
    assert cells_of(table)[""] == {
        "instances": ("40", "20", "0.5", "60.5"), "correct %": ("75.0", "0.0", "0.0", "49.6"),
        "missed %": ("5.0", "40.0", "0.0", "16.5"), "rejected %": ("20.0", "60.0", "100.0", "33.9"),
    }  # fmt: skip
    foreign = [outcome("a", 10, 0.0, 20.0, 80.0, is_foreign=True), outcome("b", 30, 0.0, 60.0, 40.0, is_foreign=True)]
    table = outcomes_table([RECORD | {"outcomes": [outcome("yes", 30, 90.0, 5.0, 5.0), *foreign]}], "")
    assert table.names.lines == [("d: wpe", name) for name in ("yes", "a (unknown)", "b (unknown)", "all unknown")]
    assert cells_of(table)[""]["missed %"] == ("5.0", "20.0", "60.0", "50.0")
    assert list(table.meanings) == ["missed %", "unknown"]


# -- thresholds --

CHOSEN = {
    "aim": "error at most 5 %", "threshold": 0.75, "threshold_min": 0.7, "threshold_max": 0.8, "coverage": 0.92,
    "error": 0.048, "kept_correct": 0.96, "n_unreached": 0, "n_choices": 10,
}  # fmt: skip
REJECT = {
    "coverage": 0.9, "error": 0.05, "error_without_rejecting": 0.1, "kept_correct": 0.95, "caught_wrong": 0.5,
    "wrong": 9, "accepted": 180, "rejected": 20, "auroc_correct": 0.8, "aurc": 0.02, "auroc_known": math.nan,
    "error_at": {"0.95": 0.06, "0.9": 0.05, "0.8": math.nan, "0.5": 0.0}, "chosen": CHOSEN,
}  # fmt: skip


def with_threshold(label="wpe", chosen_on="out-of-fold", *, learner="J48", chosen=None, **reject):
    reject = REJECT | {"chosen": CHOSEN | (chosen or {})} | reject
    return RECORD | {"label": label, "threshold_from": chosen_on, "learner": learner, "reject": reject}


def test_what_some_records_have_has_a_column():
    """Also learners and aims that differ; what a record has not is empty, what is not defined a dash."""
    mixed = {"aim": "other", "threshold": math.inf, "threshold_max": math.inf, "n_unreached": 2}
    never = {"threshold": math.inf, "threshold_min": math.inf, "threshold_max": math.inf, "n_unreached": 1}
    best = {"reachable": {"error": 0.2, "coverage": 0.3}}
    without = with_threshold("z", None, learner="CART", auroc_known=0.7)
    without["reject"] = {name: part for name, part in without["reject"].items() if name not in ("chosen", "wrong")}
    table = reject_table(
        [
            with_threshold(),
            with_threshold("x", "training", chosen=mixed | best),
            with_threshold("y", chosen=never | {"n_choices": 1} | best),
            without,
        ],
        "",
        with_error_at=True,
    )
    cells = cells_of(table)
    assert cells[""] == {"learner": ["J48", "J48", "J48", "CART"]}
    chosen, tested = cells["Threshold, chosen out of fold"], cells["Test instances of known classes"]
    assert chosen["wanted"] == ["error at most 5 %", "other", "error at most 5 %", ""]
    assert chosen["threshold"] == ["0.75", "", "∞", ""] and chosen["range"] == ["0.7–0.8", "0.7–∞", "", ""]
    assert chosen["not reached folds"] == ["", "2/10", "1/1", ""]
    assert tested["wrong/ answered"] == ["9/180"] * 3 + [""] and "mean cost" not in tested
    ranked = {name: column[-1] for name, column in cells["All of them, by certainty"].items()}
    assert ranked == {
        "AUROC right/wrong": "0.8000", "AURC": "0.0200", "AUROC known/unknown": "0.7000", "error at 95 %": "6.00",
        "error at 90 %": "5.00", "error at 80 %": "–", "error at 50 %": "0.00",
    }  # fmt: skip
    assert cells["All of them, by certainty"]["AUROC known/unknown"][:3] == [""] * 3
    assert table.meanings["∞"] == "everything is rejected" and "error at N %" in table.meanings
    assert table.below == [
        "",
        "x on d: no threshold reaches the aim (other) in 2 of 10 folds; best on the training rows: 20 % at coverage "
        "30 % (means of these folds)",
        "y on d: no threshold reaches the aim (error at most 5 %); best out of fold: 20 % at coverage 30 %",
    ]
