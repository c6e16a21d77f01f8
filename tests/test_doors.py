"""One row through every door: verdict, answer, probability, certainty and reason are the same, in the same order."""

import json
import re
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from typing import NamedTuple

import numpy as np
import pytest
from support.command_line import ARFF
from support.csv_rows import rows_in
from support.growers import grow
from support.page_opener import opened

import wekaconf as wc
from wekaconf.evaluation.thresholds import choose
from wekaconf.in_weka._messages import pack, unpack
from wekaconf.in_weka._service import answer as answer_in_weka
from wekaconf.model.file import model_bytes
from wekaconf.model.scheme import parse_method

CASES = {
    "two classes": ("wdbc", "CART", "m_branch", 0.9),
    "two classes, opinions": ("wdbc", "CART", "second_opinion:sides=laplace+logistic,answers=tree", 0.9),
    "two classes, another certainty": ("wdbc", "CART", "boundary_distance", 0.1),
    "three classes": ("iris", "CART", "confdtree", 0.9),
    "three classes, limits": ("iris", "info_gain", "id3_sd", 0.3),
    "three classes, grown again": ("iris", "info_gain", "tpce", 0.9),
    "three classes, nothing rejected": ("iris", "CART", "leaf_frequency", None),
}
"""Data, learner, method and threshold."""
BEGUN = re.compile(
    r"(?P<verdict>answered |rejected, refer to a human; |)(?P<answer>.+?) \((?P<share>[\d.]+) %"
    r"(?:, (?P<other>.+?) \S+ %)?\)"
    r"(?: would be the answer, but the certainty (?P<certainty>\S+) is below the threshold (?P<threshold>[\d.]+))?: "
)
ORDER = ("rejected", "predicted", "proba", "certainty", "reason")


class Told(NamedTuple):
    """What a door says of a row."""

    rejected: bool | None
    predicted: str
    proba: tuple
    certainty: float
    reason: str


class Cells(HTMLParser):
    """The texts of the cells and paragraphs of HTML."""

    def __init__(self, html):
        super().__init__()
        self.texts = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag in ("p", "td"):
            self.texts.append("")

    def handle_data(self, data):
        if self.texts:
            self.texts[-1] += data


@pytest.fixture(params=CASES)
def walked(request, jvm, tmp_path, monkeypatch):
    """A model in a file, rows in a file, and the places of answered and rejected rows."""
    name, learner, method, threshold = CASES[request.param]
    data = wc.load_arff(ARFF / f"{name}.arff")
    train, rows = data.take(np.arange(len(data)) % 3 > 0), data.take(np.arange(len(data)) % 3 == 0)
    choice = None if threshold is None else choose(wc.Aim("below", threshold), [], [])
    model = wc.Model(parse_method(method).fit(grow(train, learner), train), choice=choice)
    monkeypatch.chdir(tmp_path)
    model.save("m.wct")
    wc.save_arff("rows.arff", rows)
    rejected = model.answer(rows).is_rejected
    places = [int(np.flatnonzero(rejected == kind)[-1]) for kind in (False, True) if (rejected == kind).any()]
    assert len(places) == (1 if threshold is None else 2)
    return model, rows, places


def in_python(model, rows, row):
    """What the parts of the answer say."""
    answer = model.answer(rows)
    rejected = None if model.thresholds is None else bool(answer.is_rejected[row])
    return Told(
        rejected, answer.labels[row], tuple(answer.proba[row]), float(answer.certainty[row]), answer.reason(row)
    )


def in_columns(names, cells, class_names):
    """What a table says, whose columns stand in the right order."""
    shares = [f"distribution_{name}" for name in class_names]
    wanted = ["rejected"] * ("rejected" in names) + ["predicted", *shares, "certainty", "reason"]
    assert [name for name in names if name in wanted] == wanted
    rejected = {"yes": True, "no": False, "True": True, "False": False, "": None}[str(cells.get("rejected", ""))]
    return Told(
        rejected, cells["predicted"], tuple(float(cells[name]) for name in shares), float(cells["certainty"]),
        cells["reason"],
    )  # fmt: skip


def assert_same(told, truth):
    """The same to the twelve digits of CSV."""
    assert told[:2] == truth[:2] and told.reason == truth.reason
    np.testing.assert_allclose(told.proba, truth.proba, rtol=1e-11, atol=1e-12)
    assert told.certainty == pytest.approx(truth.certainty, rel=1e-11)


def test_a_row_is_told_alike_everywhere(walked, good, tmp_path):
    model, rows, places = walked
    classes = rows.class_names
    good("predict", "m.wct", "rows.arff", "-o", "p.csv", "-q")
    frame = model.answer_frame(rows.to_pandas())
    notebook = Cells(model.answer(rows)._repr_html_()).texts
    for row in places:
        truth = in_python(model, rows, row)
        in_file = rows_in("p.csv")[row]
        assert_same(in_columns([*in_file], in_file, classes), truth)
        in_frame = frame.iloc[row].to_dict()
        assert_same(in_columns([*in_frame], in_frame, classes), truth)
        one = Cells(model.answer(rows.take([row]))._repr_html_()).texts
        assert one[:2] == [truth.reason, f"{truth.certainty:.4g}"] and (row >= 10 or truth.reason in notebook)

        number = ("explain", "m.wct", "rows.arff", "--row", row + 1)
        [said] = json.loads(good(*number, "--format", "json"))["instances"]
        assert [name for name in said if name in ORDER] == list(ORDER)
        proba = tuple(said["proba"][name] for name in classes)
        assert_same(Told(said["rejected"], said["predicted"], proba, said["certainty"], said["reason"]), truth)
        text = " ".join(good(*number).split())
        assert " ".join(truth.reason.split()) in text.split(" Each line follows")[0]
        good(*number, "-o", "e.html")
        verdict, *_ = Cells((tmp_path / "e.html").read_text("utf-8")).texts
        kind = {True: "rejected", False: "answered", None: ""}[truth.rejected]
        assert verdict.startswith(kind) and unescape(verdict) == truth.reason


def test_a_reason_says_what_the_numbers_say(walked):
    model, rows, places = walked
    answer = model.answer(rows)
    for row in places:
        truth = in_python(model, rows, row)
        begun = BEGUN.match(truth.reason)
        assert begun["verdict"].startswith({True: "rejected", False: "answered", None: ""}[truth.rejected])
        assert begun["answer"] == truth.predicted
        assert float(begun["share"]) == pytest.approx(100 * truth.proba[answer.predicted[row]], abs=0.5)
        assert (begun["other"] is None) == (answer.predicted[row] == np.argmax(truth.proba))
        assert (begun["certainty"] is not None) == bool(truth.rejected)
        if truth.rejected:
            assert float(begun["certainty"]) == pytest.approx(truth.certainty, rel=1e-3)
            assert float(begun["threshold"]) == model.threshold


def test_weka_gets_the_same(walked):
    """Weka shows a distribution of zeros where the answer is rejected."""
    model, rows, places = walked
    file = model_bytes(model)
    asked = {"action": ["answer"], "key": sha256(file).digest(), "model": file, "cells": rows.values.ravel(),
             "sparse_rows": np.zeros(0, np.int32)}  # fmt: skip
    told = unpack(answer_in_weka(pack(asked)))
    for row in places:
        truth = in_python(model, rows, row)
        assert tuple(told["distributions"].reshape(len(rows), -1)[row]) == truth.proba
        assert told["certainty"][row] == truth.certainty and told["rejected"][row] == bool(truth.rejected)


def test_the_page_shows_the_same(walked, good, browser, tmp_path):
    model, rows, places = walked
    good("show", "m.wct", "-T", "rows.arff", "-o", "m.html", "-q")
    with opened(browser, tmp_path / "m.html") as page:
        for row in places:
            truth = in_python(model, rows, row)
            page.locator("#row").select_option(str(row))
            found = page.evaluate("wekaconf.answerRows()")[row]
            np.testing.assert_allclose(found["proba"], truth.proba, rtol=0, atol=1e-12)
            assert page.locator("#predicted").inner_text() == truth.predicted
            begun = BEGUN.match(truth.reason)
            shares = page.locator("#probability").inner_text()
            assert float(re.search(r"[\d.]+", shares)[0]) == pytest.approx(float(begun["share"]), abs=1)
            assert (f", {begun['other']} " in shares) if begun["other"] else "," not in shares
            assert f"certainty {truth.certainty:.4g}" in page.locator("#certainty").inner_text()
            words = page.locator("#verdict").inner_text()
            kinds = ("answered", "rejected")
            assert [kind in words for kind in kinds] == [not truth.rejected, bool(truth.rejected)]
