"""The page of a model whose answers costs decide: what it answers, how certain it is, and what it rejects."""

import numpy as np
import pytest
from support.growers import grow
from support.page_opener import opened, rows_of, written
from support.random_trees import random_dataset, random_header

import wekaconf as wc
from wekaconf.data.wording import number

ROWS = """select => [...select.options].map(({ value }) => {
    select.value = value;
    select.dispatchEvent(new Event("change"));
    return [document.querySelector("#predicted").innerText.trim(), document.querySelector("#certainty").innerText,
        document.querySelector("#verdict .rejected") !== null, document.querySelector("#note").innerText];
})"""


@pytest.mark.parametrize("method", ["leaf_frequency", "m_branch", "boundary_distance"])
def test_the_page_answers_what_costs_least(browser, tmp_path, method):
    rng = np.random.default_rng(3)
    header = random_header(rng, n_attributes=4)
    train, rows = random_dataset(rng, header, 150, 0), random_dataset(rng, header, 30, 0.05)
    k = header.n_classes
    costs = rng.integers(1, 20, (k, k)) * (1 - np.eye(k))
    fitted = wc.method(method).fit(grow(train, "CART"), train)
    proba = fitted.predict_proba(rows)
    dear = float(np.quantile((proba @ costs).min(axis=1), 0.6)) + 0.001
    model = wc.fit(train, method, learner=wc.Model(fitted), aim=wc.Aim("cost", (costs, dear)))
    answer = model.answer(rows)
    with opened(browser, written(tmp_path / "page.html", model, rows_of(rows))) as page:
        found = page.locator("#row").evaluate(ROWS)
    names = [name for name, *_ in found][-len(rows) :]
    assert names == answer.labels.tolist()
    assert [each[2] for each in found][-len(rows) :] == answer.is_rejected.tolist()
    for each, reason in zip(found[-len(rows) :], answer.grounds, strict=True):
        assert reason.partition(";")[0] in each[3]
    for each, certainty in zip(found[-len(rows) :], answer.certainty.tolist(), strict=True):
        assert f"certainty {number(float(f'{certainty:.4g}'))}" in each[1]
    assert (answer.predicted != fitted.predict(rows)).any() or method != "m_branch"  # leaves of the others are pure
    assert 0 < answer.is_rejected.sum() < len(rows)
