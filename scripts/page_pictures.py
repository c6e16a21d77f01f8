"""Draw the pictures of docs/answers.md and README.md: ``python scripts/page_pictures.py``, with Chromium."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright
from support.needs import CHROMIUM, path_of

import wekaconf as wc
from wekaconf.evaluation.aims import Aim
from wekaconf.model.fit import threshold
from wekaconf.report._model_page import ModelPage
from wekaconf.report._model_page.gathering import Rows

ROOT = Path(__file__).resolve().parents[1]
ASSETS = ROOT / "docs" / "assets"
N_COLOURS = 96


def main() -> None:
    data = wc.load_arff(ROOT / "arff" / "wdbc.arff")
    learner = wc.CART()
    method = wc.method("confdtree").fit(learner.grow(data), data)
    choice = threshold(method, data, Aim("keep", 0.95), learner=learner)
    answer = method.answer(data)
    is_routed = [any(event.kind == "route" for event in events) for events in answer.explanation]
    routed = int(np.where(is_routed, answer.certainty, np.inf).argmin())
    names = [f"row {i + 1}" for i in range(len(data))]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        path = Path(folder) / "page.html"
        path.write_text(ModelPage(wc.Model(method, choice=choice), Rows(data, names), data).html(), encoding="utf-8")
        browser = running.chromium.launch(executable_path=path_of(CHROMIUM), args=["--no-sandbox"])
        for name, size, further in (
            ("model-page", {"width": 1180, "height": 760}, {}),
            ("model-page-dark", {"width": 390, "height": 760}, {"color_scheme": "dark"}),
        ):
            page = browser.new_page(viewport=size, reduced_motion="reduce", **further)
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            page.locator("#row").select_option(value=str(routed))
            if further:
                page.locator("#tree").press("Home")
                for part in ("node", "rejecting"):
                    page.evaluate("part => (document.getElementById(part).open = true)", part)
                page.evaluate("document.getElementById('node').scrollIntoView()")
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(N_COLOURS)
            picture.save(ASSETS / f"{name}.png", optimize=True)
            print(f"docs/assets/{name}.png: {(ASSETS / f'{name}.png').stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
