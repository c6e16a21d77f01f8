"""What a later file has that training had not: all doors say it in the same words, and none repeats the promise."""

import json
import re
import warnings
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.command_line import words
from support.csv_rows import rows_in

import wekaconf as wc
from wekaconf.base.errors import Note
from wekaconf.cli.drift import compare_with_training
from wekaconf.report._answer_summary import difference_lines

FIT = ("--learner", "CART nominal=one_hot", "--target-error", "0.2", "--confidence", "0.9")
OUTSIDE = "ward 'hospice', not seen in training"
SURE = "with confidence 90 %"
ROW = 3
"""The row, from 1, whose ward training did not have."""


def month(seed, n, *, noise=0.1, lacking=0.2):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": rng.normal(0, 1, n).round(2), "y": rng.normal(50, 9, n).round(1)})
    frame["ward"] = rng.choice(["heart", "lung", "skin"], n, p=[0.5, 0.3, 0.2])
    is_yes = (frame["x"] > 0) == (frame["ward"] != "lung")
    frame.loc[rng.random(n) < lacking, "y"] = None
    frame["back"] = np.where(is_yes ^ (rng.random(n) < noise), "yes", "no")
    return frame


@pytest.fixture
def later(good):
    """A model with a promise, and a file with another ward, greater numbers, and more errors than were promised."""
    month(0, 1200).to_csv("train.csv", index=False)
    good("fit", "train.csv", *FIT, "-d", "m.wct")
    frame = month(1, 400, noise=0.45)
    frame["y"] += 6
    frame.loc[frame.index % 5 == ROW - 1, "ward"] = "hospice"
    frame.to_csv("later.csv", index=False)
    return frame


def in_page(path):
    """The text of a page, without its style and script."""
    text = re.sub(r"(?s)<(style|script)\b.*?</\1>|<[^>]*>", " ", Path(path).read_text(encoding="utf-8"))
    return unescape(text)


def predict(run, later):
    said = run("predict", "m.wct", "later.csv", "-o", "a.csv").err
    return said + rows_in("a.csv")[ROW - 1]["outside"]


def show(run, later):
    return run("show", "m.wct", "-T", "later.csv", "-o", "m.html").err + OUTSIDE  # a browser shows its rows


def page(run, later):
    run("show", "m.wct", "-T", "later.csv", "-o", "m.html")
    return in_page("m.html") + OUTSIDE


def explain(run, later):
    return run("explain", "m.wct", "later.csv", "--row", ROW).out


def explain_page(run, later):
    run("explain", "m.wct", "later.csv", "--row", ROW, "-o", "e.html")
    return in_page("e.html")


def explain_json(run, later):
    record = json.loads(run("explain", "m.wct", "later.csv", "--row", ROW, "--format", "json").out)
    [instance] = record["instances"]
    assert instance["values"]["ward"] == "hospice"
    return " ".join([record["file"], instance["outside"], json.dumps(instance["steps"], ensure_ascii=False)])


def frame(run, later):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answers = wc.load("m.wct").answer_frame(later)
    return " ".join([*(str(each.message) for each in told if each.category is Note), answers["outside"][ROW - 1]])


def answer(run, later):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        model = wc.load("m.wct")
        answers = model.answer(later)
        assert answers.columns()["outside"] == answers.outside.texts.tolist()
        return str(model.compare(later)) + answers.columns()["outside"][ROW - 1]


@pytest.mark.parametrize("door", [predict, show, page, explain, explain_page, explain_json, frame, answer])
def test_every_door_says_the_same_of_a_later_file(run, later, door):
    drift = wc.load("m.wct").compare(later)
    first, *_, verdict, excess = drift.lines
    assert first.startswith("400 rows, not like those of training (")
    assert first.endswith(f"); {drift.n_outside} with values outside training:")
    assert verdict.endswith("cannot be relied on") and drift.n_outside >= 80
    assert re.fullmatch(
        r"\d+ of the \d+ answers whose class is known are wrong \(\d+\.\d+ %; promised: at most 20 %\), more than "
        r"chance explains \(p = .*\)",
        excess,
    )
    told = words(door(run, later))
    explained = door in (explain, explain_page, explain_json)
    lines = [drift.line] if explained else drift.lines  # of a row that is explained the file is one line
    lines = [words(line).removesuffix(":") for line in lines]  # what a page folds is not announced
    assert [line for line in lines if line not in told] == []
    assert OUTSIDE in told
    assert (f"not like those of training: the promise cannot be relied on; {words(excess)}" in told) == explained
    assert SURE not in told, "the promise is not repeated"


def test_a_check_says_the_same_and_counts_the_errors_itself(run, later):
    """Rows without a class are compared, too."""
    *expected, _ = wc.load("m.wct").compare(later).lines
    later.loc[:49, "back"] = None
    later.to_csv("later.csv", index=False)
    told = words(run("check", "m.wct", "later.csv").out)
    assert [line for line in map(words, expected) if line not in told] == []
    assert "50 further rows have no class yet: " in told and "whose class is known" not in told


@pytest.mark.parametrize("door", [predict, show, explain, frame])
def test_an_ordinary_file_is_told_to_be_one_at_most(run, later, door):
    ordinary = month(2, 400)
    ordinary.to_csv("later.csv", index=False)
    drift = wc.load("m.wct").compare(ordinary)
    assert drift.is_like_training and drift.promise_stands and not drift.excess
    told = words(door(run, ordinary))
    assert "not like those" not in told and "promised: at most" not in told
    assert (SURE in told) == (door is predict)


def test_answers_are_compared_unless_each_grows_trees(iris, monkeypatch):
    """Comparing is for the rows that nobody asked about."""
    asked = []
    monkeypatch.setattr(wc.Model, "compare", lambda model, data, **more: asked.append(more))
    tree, data = wc.grow(iris, "info_gain"), iris.take([0])
    for method in (wc.LeafFrequency(), wc.TPCE()):
        model = wc.Model(method.fit(tree, iris))
        assert compare_with_training(model, data, None) is None and not asked, "it keeps no summary"
        compare_with_training(replace(model, summary=wc.fit(iris, learner="info_gain").summary), data, None)
        assert asked.pop() == {"answers": method.name == "leaf_frequency", "outside": None}


def test_a_step_names_the_value_that_training_did_not_have(run, later):
    told = words(explain(run, later))
    assert "ward is 'hospice', not seen in training" in told and "ward is missing" not in told
    assert "ward hospice (not seen in training)" in words(explain_page(run, later))
    run("predict", "m.wct", "later.csv", "-o", "a.csv", "--path")
    row = rows_in("a.csv")[ROW - 1]
    assert "ward is 'hospice', not seen in training" in row["path"]
    for text in (*row.values(), told):
        assert "ward is missing" not in text and "missing value of ward" not in text


def test_more_errors_than_promised_may_be_chance(run, later):
    """The rows are like those of training; then their own classes alone speak against the promise."""
    model = wc.load("m.wct")
    others = month(3, 400)
    wrong = np.flatnonzero(model.answer(others).labels == others["back"])[:28]
    others.loc[wrong, "back"] = others.loc[wrong, "back"].map({"yes": "no", "no": "yes"})
    drift = model.compare(others)
    assert drift.is_like_training and not drift.promise_stands
    others.to_csv("later.csv", index=False)
    for door in (predict, show, explain):
        assert words(drift.excess) in words(door(run, others))
        assert SURE not in door(run, others)
    assert "which may be chance (p = " in drift.excess
    assert difference_lines(drift, "f")[0].startswith("f: 400 rows, like those of training")
