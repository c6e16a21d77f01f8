"""A row typed into the page of a model: what lies outside the training data is said as Python says it."""

import numpy as np
import pytest
from support.page_opener import opened, written
from support.random_trees import random_dataset, random_header, random_tree

import wekaconf as wc
from wekaconf.data.training_summary import summarise
from wekaconf.model.fitted import Model


def page_of(path, train, *, keeps_summary=True):
    method = wc.method("leaf_frequency").fit(random_tree(np.random.default_rng(0), train), train)
    model = Model(method, summary=summarise(train) if keeps_summary else None)
    return written(path, model), model


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
    path, model = page_of(tmp_path / "m.html", train)
    rng = np.random.default_rng(4)
    values = random_dataset(rng, train.header, 40, missing=0.1).values.copy()
    numeric = [column for column, attribute in enumerate(train.attributes) if attribute.kind == "numeric"]
    values[:20, numeric] = 3.7 * values[:20, numeric] - 5
    values[:, train.class_index] = np.nan
    expected = model.summary.outside(values).texts.tolist()
    assert sum(text == "" for text in expected) > 2
    assert sum("not in training" in text for text in expected) > 2
    assert sum("training at least" in text for text in expected) > 2
    with opened(browser, path) as page:
        rows = [[None if np.isnan(cell) else cell for cell in row] for row in values.tolist()]
        found = page.evaluate("rows => rows.map((row) => wekaconf.outside(row.map((x) => x ?? NaN)))", rows)
    told = [text.removeprefix("Outside the training data: ").removesuffix(".").replace("−", "-") for text in found]
    assert told == expected


def test_a_typed_value_is_said_to_lie_outside(browser, tmp_path, train):
    path, model = page_of(tmp_path / "m.html", train)
    column = next(i for i, attribute in enumerate(train.attributes) if attribute.kind == "numeric")
    with opened(browser, path) as page:
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        page.fill(f"#attribute-{column}", "99999")
        name, greatest = train.attributes[column].name, model.summary.greatest[column]
        assert page.inner_text("#note").endswith(
            f"Outside the training data: {name} 99999, training at most {greatest:.4g}."
        )
        page.fill(f"#attribute-{column}", str(greatest))
        assert name not in page.inner_text("#note")


def test_a_model_without_a_summary_says_nothing(browser, tmp_path, train):
    path, _ = page_of(tmp_path / "m.html", train, keeps_summary=False)
    with opened(browser, path) as page:
        assert page.evaluate("wekaconf.outside(wekaconf.values().map(() => 1e9))") == ""
