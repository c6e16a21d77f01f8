"""Draw the pictures of docs/experiments.md: one tree of scikit-learn, by four other packages and by wekaconf.

``python scripts/gallery_pictures.py ours`` in the project's environment, with Chromium, and ``python
scripts/gallery_pictures.py theirs`` in one of its own with scikit-learn, dtreeviz, supertree, shap, playwright, pillow,
and Graphviz's dot: the project needs none of them.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "assets" / "gallery"
ROW = 5
"""The instance whose way is shown."""
WIDTH, N_COLOURS = 800, 96
SIZE = {"width": 1180, "height": 800}
CHROMIUM = shutil.which("chromium")


def main() -> None:
    data = load_breast_cancer()
    tree = DecisionTreeClassifier(max_leaf_nodes=6, min_samples_leaf=5, random_state=0)
    tree.fit(data.data, data.target_names[data.target])
    FOLDER.mkdir(parents=True, exist_ok=True)
    draw = {"ours": ours, "theirs": theirs}.get(" ".join(sys.argv[1:]))
    if draw is None:
        sys.exit("expected ours or theirs")
    with tempfile.TemporaryDirectory() as folder:
        draw(tree, data, Path(folder))


def ours(tree: DecisionTreeClassifier, data: Any, folder: Path) -> None:
    """The page of a model, and the tree as a figure."""
    import wekaconf as wc
    from wekaconf.report._model_page import ModelPage
    from wekaconf.report._model_page.gathering import Rows

    names = (*data.feature_names, "tumour")
    attributes = [wc.Attribute(str(name)) for name in names[:-1]]
    attributes.append(wc.Attribute("tumour", "nominal", tuple(map(str, data.target_names))))
    train = wc.Dataset(wc.Header("tumours", tuple(attributes), 30), np.column_stack((data.data, data.target)))
    mirror = wc.mirror(tree, train=train)
    method = wc.method("boundary_distance").fit(mirror, train)
    distance = method.certainty(train)
    model = wc.Model(method, choice=wc.choose_threshold(distance, method.predict(train) == data.target, keep=0.95))
    rows = Rows(train.take(range(20)), [f"row {i + 1}" for i in range(20)])
    page = folder / "page.html"
    page.write_text(ModelPage(model, rows, train).html(), encoding="utf-8")
    save("wekaconf", picture_of(page, lambda opened: opened.locator("#row").select_option(value=str(ROW))))


def theirs(tree: DecisionTreeClassifier, data: Any, folder: Path) -> None:
    """plot_tree, dtreeviz, supertree, and SHAP's waterfall."""
    import dtreeviz
    import matplotlib as mpl
    import shap
    from sklearn.tree import plot_tree
    from supertree import SuperTree

    mpl.use("agg")
    import matplotlib.pyplot as plt

    features, classes = list(map(str, data.feature_names)), list(map(str, data.target_names))
    figure, axes = plt.subplots(figsize=(9, 5))
    plot_tree(tree, feature_names=features, class_names=classes, filled=True, ax=axes)
    figure.savefig(folder / "plot_tree.png", dpi=110, bbox_inches="tight")
    plt.close(figure)
    values = shap.TreeExplainer(tree)(data.data[ROW : ROW + 1])
    values.feature_names = features
    shap.plots.waterfall(values[0, :, 0], show=False, max_display=6)
    plt.savefig(folder / "shap.png", dpi=110, bbox_inches="tight")
    for name in ("plot_tree", "shap"):
        save(name, Image.open(folder / f"{name}.png"))
    numbered = DecisionTreeClassifier(**tree.get_params()).fit(data.data, data.target)
    model = dtreeviz.model(numbered, data.data, data.target, feature_names=features, class_names=classes,
                           target_name="tumour")  # fmt: skip
    model.view(x=data.data[ROW], scale=1.4).save(str(folder / "dtreeviz.svg"))
    SuperTree(numbered, data.data, data.target, features, classes).save_html(str(folder / "supertree.html"))
    save("dtreeviz", picture_of(folder / "dtreeviz.svg"))
    save("supertree", picture_of(folder / "supertree.html"))


def picture_of(path: Path, act: Any = None) -> Image.Image:
    """What Chromium shows of a file, and the addresses that the file asks of the network."""
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_timeout(2000)
        if act is not None:
            act(page)
        picture = Image.open(io.BytesIO(page.screenshot()))
        browser.close()
    print(f"{path.name} asks the network for {[url for url in asked if url.startswith('http')] or 'nothing'}")
    return picture


def save(name: str, picture: Image.Image) -> None:
    small = picture.convert("RGB")
    small = small.crop(small.point(lambda level: 255 * (level < 250)).getbbox())
    small = small.resize((WIDTH, round(small.height * WIDTH / small.width))).quantize(N_COLOURS)
    small.save(FOLDER / f"{name}.png", optimize=True)
    print(f"docs/assets/gallery/{name}.png: {(FOLDER / f'{name}.png').stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
