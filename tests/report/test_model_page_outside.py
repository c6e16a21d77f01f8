"""A row typed into the page of a model: what lies outside the training data is said as Python says it."""

import warnings

import numpy as np
import pandas as pd
import pytest
from support.page_opener import opened, written
from support.random_trees import random_dataset, random_header, random_tree

import wekaconf as wc
from wekaconf.data import summarise
from wekaconf.model.fitted import Model
from wekaconf.report._answer_summary import difference_lines
from wekaconf.report._model_page.gathering import Rows


@pytest.fixture(scope="module")
def train():
    rng = np.random.default_rng(3)
    data = random_dataset(rng, random_header(rng, 7, 3), 60, missing=0.05)
    values = data.values.copy()
    for column, attribute in enumerate(data.attributes):
        if attribute.is_nominal and column != data.class_index:
            values[values[:, column] == 0, column] = np.nan
    return wc.Dataset(data.header, values)


def test_the_page_says_what_python_says(browser, tmp_path, train):
    method = wc.method("leaf_frequency").fit(random_tree(np.random.default_rng(0), train), train)
    model = Model(method, summary=summarise(train))
    rng = np.random.default_rng(4)
    values = random_dataset(rng, train.header, 40, missing=0.1).values.copy()
    numeric = [column for column, attribute in enumerate(train.attributes) if attribute.kind == "numeric"]
    values[:20, numeric] = 3.7 * values[:20, numeric] - 5
    values[:, train.class_index] = np.nan
    expected = model.summary.outside(values).texts.tolist()
    assert sum(text == "" for text in expected) > 2
    assert sum("not seen in training" in text for text in expected) > 2
    assert sum("training at least" in text for text in expected) > 2
    with opened(browser, written(tmp_path / "m.html", model)) as page:
        rows = [[None if np.isnan(cell) else cell for cell in row] for row in values.tolist()]
        found = page.evaluate("rows => rows.map((row) => wekaconf.outside(row.map((x) => x ?? NaN)))", rows)
        column = numeric[0]
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        page.fill(f"#attribute-{column}", "99999")
        name, greatest = train.attributes[column].name, model.summary.greatest[column]
        outside = f"Outside the training data: {name} 99999, training at most {greatest:.4g}."
        assert page.inner_text("#note").endswith(outside), "typed"
        page.fill(f"#attribute-{column}", str(greatest))
        assert name not in page.inner_text("#note")
    told = [text.removeprefix("Outside the training data: ").removesuffix(".").replace("−", "-") for text in found]
    assert told == expected
    with opened(browser, written(tmp_path / "m.html", Model(model.method))) as page:
        assert page.evaluate("wekaconf.outside(wekaconf.values().map(() => 1e9))") == "", "training is not known"


@pytest.fixture(scope="module")
def promising():
    """A model with a promise, and rows like those of training and unlike them, of which one has another ward."""

    def month(seed, n=600):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"x": rng.normal(0, 1, n), "ward": rng.choice(["heart", "lung"], n)})
        is_yes = (frame["x"] > 0) == (frame["ward"] == "heart")
        sure = np.abs(frame["x"]) > 0.5
        frame["back"] = np.where(is_yes ^ (rng.random(n) < np.where(sure, 0.05, 0.4)), "yes", "no")
        return frame

    aim = wc.Aim("error", 0.1, confidence=0.9)
    model = wc.fit(
        wc.Dataset.from_pandas(month(0, 2000), class_attribute="back"), "second_opinion", learner="CART", aim=aim
    )
    unlike = month(2).drop(columns="back")
    unlike["x"] += 1
    unlike.loc[:99, "ward"] = "hospice"
    return model, month(1).drop(columns="back"), unlike


def rows_of(model, frame):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wc.Note)
        data, drift = wc.Dataset.from_pandas(frame, header=model.header), model.compare(frame)
    outside = model.outside(data).texts_at(np.arange(len(data)))
    return Rows(data, [f"row {i + 1}" for i in range(len(data))], drift, difference_lines(drift, "f.csv"), outside)


def test_a_promise_stands_beside_the_answered_rows_of_a_file_alone(browser, tmp_path, promising):
    model, like, _ = promising
    rejected = model.answer(like).is_rejected
    assert rejected.any() and not rejected.all()
    path = written(tmp_path / "m.html", model, rows_of(model, like))
    with opened(browser, path) as page:
        for row in (int(rejected.argmin()), int(rejected.argmax())):
            page.select_option("#row", str(row))
            assert page.is_visible("#promised") == (not rejected[row])
        page.select_option("#row", str(int(rejected.argmin())))
        assert "at most 10 % of the answers given are wrong" in page.inner_text("#promised")
        page.fill("#attribute-0", str(like["x"][int(rejected.argmin())]))
        assert page.is_hidden("#promised"), "typed by hand"
        assert "of the answers given at most 10 % are wrong" in page.inner_text("#figures")


def test_a_page_of_an_unlike_file_withdraws_the_promise(browser, tmp_path, promising):
    model, _, unlike = promising
    rows = rows_of(model, unlike)
    path = written(tmp_path / "m.html", model, rows)
    with opened(browser, path) as page:
        banner = page.inner_text("#file")
        is_detail = [line.startswith("  ") for line in rows.file_lines]
        first, *details = banner.split("What differs")
        assert first.strip().lower().split("\n") == [
            line.removesuffix(":").lower() for line, one in zip(rows.file_lines, is_detail, strict=True) if not one
        ]
        assert [line.strip() for line in details[0].split("\n") if line.strip()] == [
            line.strip() for line, one in zip(rows.file_lines, is_detail, strict=True) if one
        ]
        assert "f.csv: 600 rows, not like those of training" in first and first.strip().endswith("cannot be relied on")
        answered = int((~model.answer(rows.data).is_rejected).argmax())
        page.select_option("#row", str(answered))
        assert page.is_hidden("#promised")
        assert "what was promised of rows like the calibration rows cannot be relied on for this file" in (
            page.inner_text("#figures")
        )
        whole = page.content().partition("<script")[0]
        assert "with confidence" not in whole


def test_a_ward_that_training_did_not_have_is_shown_by_its_name(browser, tmp_path, promising):
    model, _, unlike = promising
    path = written(tmp_path / "m.html", model, rows_of(model, unlike))
    with opened(browser, path) as page:
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")

        def ward():
            return page.evaluate("document.querySelector('#attribute-1').selectedOptions[0].textContent")

        assert ward() == "hospice (not seen in training)"
        told = "Outside the training data: ward 'hospice', not seen in training"
        assert told in page.inner_text("#note")
        assert "ward is hospice, not seen in training" in page.inner_text("#steps")
        page.fill("#attribute-0", "0.25")
        assert ward().startswith("hospice") and told in page.inner_text("#note"), "another value was typed"
        page.select_option("#attribute-1", "0")
        assert "hospice" not in page.inner_text("main") and page.is_hidden("#note")
        page.select_option("#row", "0")
        page.select_option("#attribute-1", "")
        assert ward() == "missing" and page.is_hidden("#note"), "instead of the name, too"
        assert page.locator("#attribute-1 option").all_inner_texts() == ["missing", "heart", "lung"]
        page.select_option("#row", "150")
        assert ward() == unlike["ward"][150]
        page.select_option("#attribute-1", "")
        assert ward() == "missing"
