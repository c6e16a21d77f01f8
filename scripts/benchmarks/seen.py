"""Explanations and the page of a model."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks._measuring import Row, uci
from support.needs import CHROMIUM, path_of

import wekaconf as wc

PAINTED = """async () => {
    await new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
    return performance.now() / 1000;
}"""


TYPED = """async (values) => {
    const input = document.querySelector("#tested input"), seconds = [];
    for (const value of values) {
        const began = performance.now();
        input.value = value;
        input.dispatchEvent(new Event("input", {bubbles: true}));
        document.body.getBoundingClientRect();
        seconds.push((performance.now() - began) / 1000);
        await new Promise((resume) => setTimeout(resume, 50));
    }
    return seconds;
}"""


def model_page() -> Iterator[Row]:
    """The page of a model, in a browser: the median of five openings, and of typed values, layout included."""
    from playwright.sync_api import sync_playwright

    from wekaconf.report._model_page import ModelPage
    from wekaconf.report._model_page.gathering import Rows

    letter = uci("letter")
    tree = wc.grow(letter)
    model = wc.Model(wc.method("confdtree").fit(tree, letter))
    asked = Rows(letter.take(range(1000)), [f"row {i + 1}" for i in range(1000)])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        path = Path(folder) / "letter.html"
        path.write_text(ModelPage(model, asked, letter).html(), encoding="utf-8")
        browser = running.chromium.launch(executable_path=path_of(CHROMIUM), args=["--no-sandbox"])
        painted = []
        for _ in range(6):
            page = browser.new_page()
            page.goto(path.as_uri(), wait_until="commit")
            page.wait_for_selector("html[data-ready]", state="attached")
            painted.append(page.evaluate(PAINTED))
        typed = page.evaluate(TYPED, [str(i % 12) for i in range(31)])
        size = path.stat().st_size / 1e6
        browser.close()
    claim = f"the page of ConfDTree on letter ({tree.n_nodes:,} nodes, 1,000 instances, densities)"
    first = statistics.median(painted[1:])
    yield Row(f"{claim}: first paint of tree and answer, against 1 s", first, 1.0, wanted=1, is_cost=True)
    yield Row("the same: answer to a typed instance, against 50 ms", statistics.median(typed), 0.05, wanted=1,
              is_cost=True)  # fmt: skip
    yield Row("the same: its size, against 2 MB", size, 2, wanted=1, is_cost=True, unit="MB")
