"""The page of a model in a browser: clicking, typing, searching, keys alone, odd models, hostile names, print."""

import base64
import html
import json
import re
import subprocess
import sys
import zlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import build_page
import numpy as np
import pytest
from support.command_line import ARFF, ROOT
from support.growers import grow
from support.needs import NPM, NPM_REGISTRY
from support.page_opener import fitted, opened, rows_of, written
from support.parsed_html import ParsedHtml
from support.pdf_text import pdf_text
from support.random_trees import random_dataset, random_header, random_tree
from support.small_data import small

import wekaconf as wc
from wekaconf.bridge import fit_filter
from wekaconf.data import Attribute
from wekaconf.data._matching import UnseenCells
from wekaconf.data.wording import number, percent
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.measures import risk_coverage
from wekaconf.methods.boundary_distance._regions import VOID
from wekaconf.model.fit import threshold
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import parse_method
from wekaconf.report._html_page import ShownNames
from wekaconf.report._model_page.densities import _bins, histograms
from wekaconf.report._model_page.gathering import Rows, _class_weights, _rejecting, _unseen, _zone, gather
from wekaconf.report._model_page.rendering import pack
from wekaconf.tree._forest import Forest
from wekaconf.tree._instances import NodeInstances
from wekaconf.tree._kinds import Routing, SplitKind

HOSTILE = "<script>document.title='taken'</script>\"' onload=x \u202egnp.exe &amp; {{ 7*7 }}"
LONG = "n" * 10_000


def test_a_model_behind_filters_is_called_by_the_data_as_they_come(tmp_path, iris):
    bins = fit_filter(iris, "weka.filters.unsupervised.attribute.Discretize")
    model = Model(fitted("wpe", bins.apply(iris), "J48"), (bins.column_map,))
    assert "<title>Iris: J48 with WPE</title>" in written(tmp_path / "p.html", model).read_text()


def content_of(path):
    """The JSON that a page holds."""
    text = re.search(r'<script id="content" type="application/octet-stream">([^<]*)<', path.read_text()).group(1)
    whole = zlib.decompress(base64.b64decode(text))
    return json.loads(whole[8 : 8 + int.from_bytes(whole[4:8], "little")])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def model(iris):
    """ConfDTree on iris, whose threshold was chosen out of fold."""
    method = fitted("confdtree", iris)
    choice = threshold(method, iris, Aim("keep", 0.9), learner="CART")
    return Model(method, choice=choice)


@pytest.fixture(scope="module")
def iris_page(model, iris, folder):
    return written(folder / "iris.html", model, rows_of(iris), iris, facts={"Method": "confdtree"})


@pytest.fixture
def page(browser, iris_page):
    with opened(browser, iris_page) as page:
        yield page


def node_classes(page, kind):
    """The nodes of the drawing that have a class."""
    return sorted(int(each.get_attribute("data-node")) for each in page.locator(f"#tree g.node.{kind}").all())


# -- the file ------------------------------------------------------------------------------------------------------


def test_a_page_needs_nothing_else(iris_page):
    text = iris_page.read_text()
    found = ParsedHtml(text)
    assert {link for link in found.links if not link.startswith("#")} == {"data:,"}
    assert found.handlers == []
    assert "default-src 'none'" in html.unescape(text) and "unsafe" not in text and text.count("<script") == 2
    assert "SPDX-License-Identifier: MIT" in text and "d3-hierarchy 3" in text


def test_only_counts_of_the_training_data_go_into_a_page(iris, folder, model):
    distinct = replace(iris, values=iris.values + np.where(np.arange(5) < 4, 1e-7 * np.arange(150)[:, None], 0.0))
    content = content_of(written(folder / "counts.html", fitted("tpce", iris, "info_gain"), train=distinct))
    assert content["rows"] is None and content["method"]["learned"] == [{}]
    assert content["histograms"][0]["weight"]["$array"]["dtype"] == "u1"


def test_histograms_count_every_instance(iris):
    tree = grow(iris, "CART")
    found = histograms(tree, iris)
    assert found["weight"][found["first"][0] : found["first"][1]].sum() == 150
    for place, node in enumerate(found["node"]):
        entries = slice(found["first"][place], found["first"][place + 1])
        by_class = np.bincount(found["class"][entries].astype(int), found["weight"][entries], minlength=3)
        np.testing.assert_array_equal(by_class, tree.class_weight[node])
        assert found["bin"][entries].max() < 24 and found["width"][place] > 0
    header = wc.Header("x", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    for numbers in ([0.0, 1e300, -1e300], [1e-320, 2e-320, 0.0], [1e308, -1e308, np.inf], [1.0, 1.0 + 2**-52, 1e9]):
        data = wc.Dataset(header, np.column_stack((numbers, [0.0, 1.0, 0.0])))
        tree = random_tree(np.random.default_rng(0), data, max_depth=1)
        found = histograms(tree, data)
        assert np.isfinite(found["low"]).all() and (found["width"] > 0).all()
        assert len(found["node"]) == 0 or found["weight"].sum() == np.isfinite(numbers).sum()


@pytest.mark.parametrize(
    ("values", "low", "width"),
    [
        ([3, 3], 2.5, 1.0),
        (range(24), -0.5, 1.0),
        (range(25), -0.5, 2.0),
        (range(48), -0.5, 2.0),
        (range(49), -0.5, 3.0),
        ([0, 0.5, 12], -0.25, 1.0),
    ],
)
def test_bins_are_as_wide_as_several_steps(values, low, width):
    """At most 24, around whole steps."""
    assert _bins(np.array(values, dtype=np.float64)) == (low, width)


def test_bins_span_values_whose_steps_are_too_small_to_count():
    """24 bins of one width, from half a bin below the smallest value to half a bin above the largest."""
    header = wc.Header("x", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    data = wc.Dataset(header, np.column_stack(([10.0, 10.0 + 2**-48, 33.0], [0.0, 1.0, 0.0])))
    found = histograms(random_tree(np.random.default_rng(0), data, max_depth=1), data)
    assert found["width"] == pytest.approx([23 / 24])
    assert found["low"] == pytest.approx([10 - 23 / 48])
    assert found["bin"].tolist() == [0, 0, 23]


def test_the_bin_of_a_single_value_is_one_wide():
    """And around it; a tree of other data has split there."""
    header = wc.Header("x", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    grown_on, shown = (
        wc.Dataset(header, np.column_stack((numbers, [0.0, 1.0, 0.0]))) for numbers in ([1.0, 9.0, 1.0], [3.0] * 3)
    )
    found = histograms(random_tree(np.random.default_rng(0), grown_on, max_depth=1), shown)
    assert [found[name].tolist() for name in ("low", "width", "bin")] == [[2.5], [1.0], [0, 0]]


def test_a_new_instance_begins_with_typical_values_of_14_digits():
    """The median of 0.13 and 0.15 is 0.13999999999999999."""
    data = small(x=[0.13] * 5 + [0.15] * 5, y=[0.123456789012344] * 10, c=["a"] * 5 + ["b"] * 5)
    start = gather(Model(fitted("leaf_frequency", data)), None, data, ShownNames())["start"]
    assert start[:2].tolist() == [0.14, 0.12345678901234] and np.isnan(start[2])


def test_only_numeric_splits_that_instances_reach_have_histograms():
    rng = np.random.default_rng(0)
    train = random_dataset(rng, random_header(rng, 5, 3), 40)
    tree = random_tree(rng, train, max_depth=4)
    train = train.take(slice(4))
    inner = np.flatnonzero(tree.split_kind != SplitKind.LEAF)
    numeric = inner[~np.isnan(tree.split_point[inner])]
    reached = [node for node, rows in NodeInstances.of(tree, train).at_splits(tree, train) if len(rows)]
    expected = sorted(set(numeric) & set(reached))
    assert 0 < len(expected) < len(numeric) < len(inner)
    assert histograms(tree, train)["node"].tolist() == expected


def test_what_a_filter_replaced_is_no_longer_unseen():
    cells = UnseenCells(np.array([0, 2]), np.array(["hospice", "home"], dtype=object))
    data = small(x=[1.0, 2.0, 3.0], ward=(("heart", "lung"), [None, "lung", "heart"]), c=["a", "b", "a"])
    assert [*_unseen(wc.Dataset(data.header, data.values, unseen={"ward": cells}))] == [(0, 1, "hospice")]
    assert [*_unseen(data)] == []


def test_a_zone_whose_rules_are_not_known_has_no_clocks(jvm):
    zones = [_zone(Attribute("day", "date", zone=name)) for name in ("", "UTC", "Mars/Base", "Europe/Berlin")]
    assert zones[:3] == [None] * 3 and {*zones[3]["ahead"].tolist()} >= {3600, 7200}


def test_class_weights_of_trees_that_keep_no_counts():
    rng = np.random.default_rng(4)
    train = random_dataset(rng, random_header(rng, 5, 3), 300)
    for routing in (Routing.REPTREE, Routing.RANDOMTREE):
        tree = random_tree(rng, train, routing=routing, max_depth=3)
        counted = _class_weights(tree, train)
        assert counted["keeps_counts"] and counted["class_weight"][0].sum() == 300
        inner = np.flatnonzero(tree.first_child >= 0)
        stored = _class_weights(tree, None)["class_weight"]
        assert stored[inner].any(axis=1).all()  # for a bar in every box
        shares = stored[inner] / stored[inner].sum(axis=1, keepdims=True)
        known = counted["class_weight"][inner]
        np.testing.assert_allclose(shares, known / known.sum(axis=1, keepdims=True), atol=1e-12)


def test_class_weights_of_trees_that_keep_counts_are_their_own(iris):
    """Also where the training data that are given weigh otherwise, as after costs."""
    tree = grow(iris, "CART")
    for train in (None, wc.Dataset(iris.header, iris.values, 2 * iris.weights)):
        found = _class_weights(tree, train)
        assert found["keeps_counts"]
        np.testing.assert_array_equal(found["class_weight"], tree.class_weight)


def test_numbers_are_packed_as_they_are():
    given = [
        np.array([0.1, np.nan, -0.0]),
        np.array([1.0, 255.0]),
        np.array([-1, 2**31]),
        np.array([True]),
        np.zeros(0),
    ]
    scalars = [np.int64(3), np.True_, np.float32(0.5), np.float32(np.inf)]
    numbers = [np.inf, -np.inf, np.nan, 0.5, None, "<"]
    text = pack({"arrays": given, "numbers": numbers, "scalars": scalars, "again": given[0]})
    whole = zlib.decompress(base64.b64decode(text))
    start, length = np.frombuffer(whole[:8], "<u4")
    content = json.loads(whole[8 : 8 + length])
    for array, reference in zip(given, content["arrays"], strict=True):
        described = reference["$array"]
        found = np.frombuffer(whole, f"<{described['dtype']}", len(array), start + described["offset"])
        assert (start + described["offset"]) % found.itemsize == 0, "a typed array of JavaScript begins nowhere else"
        np.testing.assert_array_equal(found, array.astype(float))
        np.testing.assert_array_equal(np.signbit(found.astype(float)), np.signbit(array.astype(float)))
    assert [each["$array"]["dtype"] for each in content["arrays"]] == ["f8", "u1", "f8", "u1", "u1"]
    assert content["scalars"] == [3, True, 0.5, {"$number": "Infinity"}]
    assert content["again"] == content["arrays"][0]
    assert [each["$number"] for each in content["numbers"][:3]] == ["Infinity", "-Infinity", "NaN"]


def test_the_bundle_is_made_of_the_sources():
    assert build_page.stated_digest() == build_page.source_digest(), "run scripts/build_page.py and commit the bundle"


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_the_bundle_is_built_the_same_byte_for_byte(program, lacks):
    program(NPM)
    ended = subprocess.run(
        [sys.executable, "scripts/build_page.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if "npm ci" in ended.stderr and re.search("ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET", ended.stderr):
        lacks(NPM_REGISTRY)
    assert ended.returncode == 0, ended.stderr


def test_script_and_package_mark_alike_what_no_instance_reaches():
    assert f"const VOID = {VOID};" in (ROOT / "page/src/methods/boundary.js").read_text()


# -- the command line ----------------------------------------------------------------------------------------------


def test_show_and_tree_write_pages_and_say_where(run, tmp_path, browser):
    data = str(ARFF / "iris.arff")
    ended = run("predict", "-t", data, "-T", data, "--learner", "CART", "--keep", "0.9", "-d", "m.wct", "-o", "a.csv")
    assert ended.code == 0
    ended = run("show", "m.wct", "-T", data, "-t", data, "-o", "m.html")
    assert ended.code == 0 and ended.out == ""
    assert f"open it in a browser: {(tmp_path / 'm.html').as_uri()}" in ended.err
    ended = run("tree", data, "--learner", "CART", "--method", "ling_yan", "-o", "t.html")
    assert ended.code == 0 and (tmp_path / "t.html").as_uri() in ended.err
    with opened(browser, tmp_path / "m.html") as page:
        assert page.locator("#row option").count() == 150
        assert "out-of-fold" in page.locator("#source").inner_text()
        assert "petal length" in page.locator("dl").inner_text()
    with opened(browser, tmp_path / "t.html") as page:
        assert page.get_by_role("textbox", name="petal length (cm)").input_value() == "4.35"  # the median
        assert page.locator("#slider").is_hidden() and "no out-of-fold figures" in page.locator("#source").inner_text()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["show", "{model}", "-T", "x.csv"], 2, "give its name with -o"),
        (["show", "{model}", "-o", "m.pdf"], 1, "expected a name that ends in .html or .htm, got '.pdf'"),
        (["show", "{model}", "-o", "none/m.html"], 1, "there is no folder"),
        (["show", "{model}", "-T", "absent.csv", "-o", "m.html"], 1, "absent.csv"),
        (["show", "{model}", "-T", "{empty}", "-o", "m.html"], 1, "holds no rows to choose from"),
        (["tree", "{data}", "--format", "json", "-o", "m.html"], 2, "--format json contradicts -o m.html"),
    ],
)
def test_what_cannot_be_written_is_said(run, tmp_path, iris, model, words, code, message):
    model.save("m.wct")
    Path("empty.csv").write_text(",".join(a.name for a in iris.attributes) + "\n")
    places = {"model": "m.wct", "empty": "empty.csv", "data": str(ARFF / "iris.arff")}
    ended = run(*(word.format(**places) for word in words))
    assert ended.code == code, ended.err
    assert message in ended.err
    assert not list(tmp_path.glob("*.html"))


def test_a_page_holds_the_first_thousand_rows_by_their_names(run, tmp_path, write):
    lines = [f"P{i},{i % 7},{'yes' if i % 7 > 3 else 'no'}" for i in range(1200)]
    write("\n".join(["patient,x,class", *lines]) + "\n")
    words = "predict -t data.csv -T data.csv --id patient --learner CART -d m.wct -o a.csv"
    run(*words.split())
    ended = run("show", "m.wct", "-T", "data.csv", "-o", "m.html")
    assert "the page holds the first 1,000 of 1,200 rows" in ended.err
    names = content_of(tmp_path / "m.html")["rows"]["names"]
    assert len(names) == 1000 and names[16] == "row 17 (patient P16)"
    write("\n".join(["patient,x,class", *lines[:1000]]) + "\n", "thousand.csv")
    assert "the page holds the first" not in run("show", "m.wct", "-T", "thousand.csv", "-o", "m.html").err
    (tmp_path / "nameless.csv").write_text("x,class\n3,yes\n")
    ended = run("show", "m.wct", "-T", "nameless.csv", "-o", "m.html")
    assert ended.code == 0 and "no column 'patient', which should name the rows; they go by their number" in ended.err
    assert content_of(tmp_path / "m.html")["rows"]["names"] == ["row 1"]


# -- the threshold of a model --------------------------------------------------------------------------------------


def test_a_model_keeps_what_other_thresholds_do(model, iris, tmp_path):
    curve = model.choice.curve
    assert [each[1] for each in curve][-1] == 150
    at = [each for each in curve if each[0] == model.choice.threshold]
    assert at[0][1:] == (model.choice.figures.accepted, model.choice.figures.wrong)
    model.save(tmp_path / "m.wct")
    assert wc.load(tmp_path / "m.wct").choice.curve == curve
    assert threshold(model.method, iris, Aim("keep", 0.9), threshold_from="training").curve == ()


def test_without_a_choice_the_rows_tell_what_thresholds_do(iris):
    """Those whose class is known."""
    method = fitted("leaf_frequency", iris)
    values = iris.values.copy()
    values[::10, iris.class_index] = np.nan
    rows = rows_of(replace(iris, values=values))
    rejecting = _rejecting(Model(method), rows, method.answer(rows.data))
    wrong = (method.predict(iris) != iris.class_values) & ~np.isnan(values[:, iris.class_index])
    assert rejecting["source"] == "rows" and 0 < wrong.sum() < 20
    assert (rejecting["accepted"][-1], rejecting["wrong"][-1]) == (135, wrong.sum())


def test_the_slider_shows_coverage_and_error(page, model):
    """Of all answers and of each class."""
    slider, figures = page.locator("#threshold"), page.locator("#figures")
    own = model.choice.figures
    assert f"answers {100 * own.coverage:.1f} %" in figures.inner_text() and "the model's own" in figures.inner_text()
    curve, n, of_classes = model.choice.curve, len(model.choice.curve), np.array(model.choice.class_curve)[:, 1:]
    assert len(of_classes) == n
    seen = set()
    for place in range(n + 1):
        slider.evaluate("(input, at) => { input.value = at; input.dispatchEvent(new Event('input')) }", str(place))
        rows = [row.split("\t") for row in page.locator("#class-figures tbody").inner_text().split("\n")]
        found = {name.strip(): figures_of_class for name, *figures_of_class in rows}
        for c, name in enumerate(model.header.class_names):
            given, wrong = np.zeros(2) if place == n else of_classes[n - 1 - place, 2 * c : 2 * c + 2]
            seen.add(found[name][0] == "never answered")
            assert (found[name][0] == "never answered") == (not given)
            if given:
                shares = [float(text.removesuffix(" %")) for text in found[name][:2]]
                assert shares == pytest.approx([100 * given / of_classes[-1, 2 * c], 100 * wrong / given], abs=0.051)
        if place == n:
            assert figures.inner_text() == "Everything is rejected: answers nothing."
            continue
        _, accepted, wrong = curve[n - 1 - place]
        assert f"answers {100 * accepted / 150:.1f} %" in figures.inner_text()
        assert (
            re.search(rf"and {100 * wrong / accepted:.1f}\d* % of its", figures.inner_text()) or wrong / accepted < 0.1
        )
    assert seen == {True, False} and page.locator("#verdict .rejected").count() == 1
    slider.focus()
    page.keyboard.press("Home")
    assert figures.inner_text().startswith("Nothing is rejected: answers 100.0 %")
    assert page.locator("#verdict .rejected").count() == 0
    page.get_by_role("button", name="The model's own threshold").click()
    assert "the model's own" in figures.inner_text()


# -- asking --------------------------------------------------------------------------------------------------------


def test_typing_asks_the_model(page, model, iris):
    values = iris.values[:1].copy()
    for name, text in (("petal width (cm)", "1.7"), ("petal length (cm)", "4,9")):
        page.get_by_role("textbox", name=name).fill(text)
        column = [attribute.name for attribute in iris.attributes].index(name)
        values[0, column] = float(text.replace(",", "."))
    wanted = model.answer(wc.Dataset(iris.header, values))
    assert page.locator("#predicted").inner_text() == iris.class_names[wanted.predicted[0]]
    assert f"certainty {wanted.certainty[0]:.4g}" in page.locator("#certainty").inner_text()
    for place, proba in ((2, wanted.proba), (3, model.method.tree_.predict_proba(wc.Dataset(iris.header, values)))):
        cells = page.locator(f"#probabilities tbody td:nth-child({place}) span").all_inner_texts()
        assert cells == [percent(p, 2) for p in proba[0].tolist()]
    assert page.locator("#row").evaluate("select => select.selectedOptions[0].textContent") == "typed values"
    page.get_by_role("textbox", name="petal width (cm)").fill("wide")
    assert "petal width (cm): expected a number, got “wide”" in page.locator("#complaint").inner_text()
    assert page.locator("#predicted").inner_text() == iris.class_names[wanted.predicted[0]]
    page.get_by_role("button", name="Set all to missing").click()
    assert page.locator("#complaint").inner_text() == ""
    missing = model.answer(wc.Dataset(iris.header, np.full((1, 5), np.nan)))
    assert f"certainty {missing.certainty[0]:.4g}" in page.locator("#certainty").inner_text()


def test_choosing_rows_least_certain_first(page, model, iris):
    certainty = model.answer(iris).certainty
    page.get_by_label("least certain first").check()
    first = int(page.locator("#row").input_value())
    assert certainty[first] == certainty.min()
    page.get_by_role("button", name="Next instance").click()
    second = int(page.locator("#row").input_value())
    assert certainty[second] == np.sort(certainty)[1]
    page.get_by_role("button", name="Previous instance").click()
    page.get_by_role("button", name="Previous instance").click()
    last = int(page.locator("#row").input_value())
    assert certainty[last] == certainty.max()
    predicted = model.answer(iris).predicted
    told = page.locator("#verdict").inner_text()
    assert ("✓ correct" in told) == (predicted[last] == iris.class_values[last])


def test_routes_and_fines_light_up_where_python_has_them(browser, folder):
    data = wc.load_arff(ARFF / "wdbc.arff")
    method = fitted("confdtree", data)
    explanation = method.explain(data)
    kinds = [{event.kind for event in explanation[i]} for i in range(len(data))]
    chosen = [kinds.index({"route"}), kinds.index({"fine"}), max(range(len(data)), key=lambda i: len(explanation[i]))]
    with opened(browser, written(folder / "wdbc.html", method, rows_of(data), data)) as page:
        for i in chosen:
            page.locator("#row").select_option(value=str(i))
            page.get_by_role("button", name="Fit").click()
            for kind, word in (("route", "alternative branch"), ("fine", "penalty")):
                nodes = {event.node for event in explanation[i] if event.kind == kind}
                assert nodes <= set(node_classes(page, kind))
                assert page.locator("#steps li").filter(has_text=re.compile(f"^{word}: ")).count() == len(nodes)
            way = method.tree_.router.terminal_nodes(data.values[[i]])[0]
            assert page.locator(f'#tree g.node.on[data-node="{way}"]').count() == 1
            assert not re.search(r"[\d.<>]+ → [\d.<>]+", page.locator("#steps").inner_text())
            before = page.locator("#tree g.node").count()
            assert before >= len({event.node for event in explanation[i]})


def test_the_counterfactual_is_pythons(browser, folder):
    data = wc.load_arff(ARFF / "credit-g.arff")
    method = fitted("boundary_distance:scaling=minmax", data, "info_gain")
    some = rows_of(data, 40)
    nearest, reasons = method.nearest(some.data), method.answer(some.data).grounds
    with opened(browser, written(folder / "credit.html", method, some)) as page:
        for i in range(0, 40, 3):
            page.locator("#row").select_option(value=str(i))
            told = page.locator("#counterfactual-text").inner_text()
            if reasons[i].startswith("lies on"):
                assert told.startswith("It lies on the boundary to ")
                continue
            changes = re.sub(r" gives? \w+$", "", reasons[i]).replace(" and ", ", ").split(", ")
            assert all(change in told for change in changes if "more" not in change), (told, reasons[i])
            assert f"then {data.class_names[nearest.class_index[i]]}." in told
            marks = dict(page.evaluate("[...wekaconf.drawing.marks].map(([node, {kind}]) => [node, kind])"))
            assert marks[int(nearest.node[i])] == "nearest"


def test_densities_and_intervals_of_a_node(page, model, iris):
    assert page.locator("#densities path.density").count() == 0, "the leaf of the row is chosen"
    page.locator('#tree g.node[data-node="0"]').click()
    assert page.locator("#densities path.density").count() == 3
    page.get_by_text("The intervals as numbers").click()
    tree, ends = model.method.tree_, model.method.intervals_
    cells = page.locator("#densities table tbody tr").first.inner_text()
    assert f"{ends.assigned_low[0, 0]:.4g}" in cells and f"{ends.other_high[0, 0]:.4g}" in cells
    page.locator("#tree g.node.leaf").first.click()
    assert page.locator("#node-title").inner_text() == "A leaf: no further test"
    assert tree.n_nodes == page.locator("#tree g.node").count()


def test_a_model_without_training_statistics_says_so(browser, folder, iris):
    with opened(browser, written(folder / "bare.html", fitted("m_branch", iris))) as page:
        page.locator('#tree g.node[data-node="0"]').click()
        assert "The model holds nothing about the values here" in page.locator("#densities").inner_text()
        assert page.locator("#rows").is_hidden()
        assert page.get_by_role("textbox", name="petal width (cm)").input_value() == ""
        assert page.locator("#verdict").inner_text() == "answered"
    with opened(browser, written(folder / "intervals.html", fitted("confdtree", iris))) as page:
        page.locator('#tree g.node[data-node="0"]').click()
        assert page.locator("#densities line.assigned").count() == 3
        assert "no densities" in page.locator("#densities").inner_text()
    method = fitted("id3_sd", iris)
    with opened(browser, written(folder / "limits.html", method, rows_of(iris), iris)) as page:
        tree = method.tree_
        test = {each.attribute: each for each in method.limit_tests(int(tree.apply(iris.take([0]))[0]))}
        attribute = iris.attributes[tree.split_attribute[0]].name
        page.locator('#tree g.node[data-node="0"]').click()
        assert page.locator("#densities rect.limits").count() == 1
        told = f"{number(test[attribute].lower)} … {number(test[attribute].upper)}"
        assert told in page.locator("#densities figcaption").inner_text()
        page.locator("#tree").focus()
        page.keyboard.press("End")
        assert page.locator("#densities tbody tr").count() == 4


# -- what a reader sees first --------------------------------------------------------------------------------------


def nodes_in_view(page):
    """The nodes whose boxes are in view, with all that stands in them."""
    return page.evaluate("""() => {
        const view = document.querySelector("#tree").getBoundingClientRect();
        return [...document.querySelectorAll("#tree g.node")].filter((node) => {
            const box = node.querySelector("rect.box").getBoundingClientRect();
            return view.left - 1 <= box.left && box.right <= view.right + 1 &&
                view.top - 1 <= box.top && box.bottom <= view.bottom + 1;
        }).map((node) => Number(node.dataset.node));
    }""")


def resize(page, width, height):
    """Give the page another size, and wait until the drawing has taken note of it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("""async () => {
        const tree = document.querySelector("#tree");
        do await new Promise(requestAnimationFrame); while (wekaconf.drawing.camera.size.width !== tree.clientWidth);
    }""")


def noise_of(n, seed=0):
    """Data without any rule."""
    rng = np.random.default_rng(seed)
    attributes = (*(Attribute(f"x{i}") for i in range(6)), Attribute("class", "nominal", ("a", "b", "c")))
    cells = np.column_stack((rng.normal(size=(n, 6)), rng.integers(0, 3, n)))
    return wc.Dataset(wc.Header("noise", attributes, 6), cells)


def test_the_title_says_what_is_answered_by_what(tmp_path, iris):
    method = parse_method("boundary_distance:scaling=minmax").fit(grow(iris, "CART", "min_leaf=3"), iris)
    named = wc.Header("r", (*iris.attributes[:4], replace(iris.attributes[4], name="kind of <b>")), 4)
    text = written(tmp_path / "p.html", method).read_text()
    assert "<h1>Iris: CART with boundary distance</h1>" in text
    assert "<dd>boundary_distance:scaling=minmax</dd>" in text and "<dd>CART min_leaf=3, " in text
    data = wc.Dataset(named, iris.values)
    assert (
        "<h1>Kind of &lt;b&gt;: CART with ID3-SD</h1>"
        in written(tmp_path / "q.html", fitted("id3_sd", data)).read_text()
    )


@pytest.mark.parametrize("width", [1280, 390])
def test_a_small_tree_is_shown_whole(browser, folder, iris, width):
    tree = grow(iris, "CART", "prune=none min_leaf=3")
    assert tree.n_nodes == 13
    path = written(folder / f"whole{width}.html", parse_method("confdtree").fit(tree, iris), rows_of(iris), iris)
    with opened(browser, path) as page:
        page.set_viewport_size({"width": width, "height": 844})
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        page.asked[1:] = []
        assert page.evaluate("wekaconf.drawing.camera.transform.k") >= 0.6
        assert sorted(nodes_in_view(page)) == list(range(tree.n_nodes))
        for row in ("20", "70", "110"):
            page.locator("#row").select_option(value=row)
            assert sorted(nodes_in_view(page)) == list(range(tree.n_nodes))
        page.locator("#tree").focus()
        page.keyboard.press("Home")
        seen = [0]
        for _ in range(tree.n_nodes - 1):  # on a telephone down is the row below, else the next node of a level
            page.keyboard.press("ArrowDown" if width == 390 else "ArrowRight")
            seen.append(page.evaluate("wekaconf.drawing.selected"))
        if width == 390:
            assert sorted(seen) == list(range(tree.n_nodes))
            page.keyboard.press("ArrowUp")
            assert page.evaluate("wekaconf.drawing.selected") == seen[-2]
        else:
            assert all(tree.parent[node] == above for above, node in pairwise(seen) if node != above)
            assert tree.first_child[seen[-1]] < 0


@pytest.fixture(scope="module")
def large(folder):
    """A method on a tree of more than 1,000 nodes, the rows of its page, and the page."""
    noise = noise_of(3000)
    method = parse_method("leaf_frequency").fit(grow(noise, "CART", "prune=none"), noise)
    assert method.tree_.n_nodes > 1000
    rows = rows_of(noise, 200)
    return method, rows, written(folder / "large.html", method, rows, noise)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_large_tree_opens_on_the_leaf_of_the_row(browser, large, width):
    """Which stays in view when the window narrows."""
    method, rows, path = large
    tree, ends = method.tree_, method.tree_.apply(rows.data)
    with opened(browser, path) as page:
        resize(page, width, 844)
        for row in (0, 50, 199):
            page.locator("#row").select_option(value=str(row))
            assert ends[row] in nodes_in_view(page) and page.evaluate("wekaconf.drawing.camera.transform.k") >= 0.6
            assert page.evaluate("wekaconf.drawing.selected") == ends[row]
            way, node = [], int(ends[row])
            while node:
                way.append(node)
                node = int(tree.parent[node])
            steps = page.locator("#steps li").all_inner_texts()
            conditions = page.evaluate(
                "nodes => nodes.map((n) => wekaconf.model.header.condition(wekaconf.drawing.tree, n))", way[::-1]
            )
            assert len(steps) == len(way) + 1
            tested = [condition.split()[0] for condition in conditions]
            assert [step.split()[0] for step in steps[:-1]] == tested
            assert steps[-1].startswith(f"leaf: {tree.class_names[tree.predict(rows.data)[row]]}")
            resize(page, width - 30, 844)
            assert ends[row] in nodes_in_view(page)
            resize(page, width, 844)
        page.locator("#tree").focus()
        page.keyboard.press("Home")
        assert 0 in nodes_in_view(page)
        page.locator("#steps button").last.click()
        assert ends[199] in nodes_in_view(page) and "leaf:" in page.locator("#said").inner_text()


def test_names_have_the_room_that_they_need(browser, folder):
    data = wc.load_arff(ARFF / "wdbc.arff")
    with opened(browser, written(folder / "names.html", fitted("leaf_frequency", data), rows_of(data), data)) as page:
        names = page.locator("#tree text.name").all_text_contents()
        assert len(names) > 10 and not [name for name in names if "…" in name]
        assert {*names} <= {*(each.name for each in data.attributes), *data.class_names}


def test_the_verdict_follows_the_threshold(page, model, iris):
    certainty = model.answer(iris).certainty
    row = int(np.argmin(certainty))
    page.locator("#row").select_option(value=str(row))
    badge, scale = page.locator("#verdict .tag").first, page.locator("#scale svg")
    assert certainty[row] < model.choice.threshold and badge.inner_text() == "rejected"
    assert scale.get_attribute("aria-label") == (
        f"Certainty {certainty[row]:.4g} on a scale from 0 to 1: rejected below {model.choice.threshold:.4g}"
    )
    at = scale.locator("line.limit").get_attribute("x1")
    assert 14 + float(at) - 14 == pytest.approx(14 + 312 * model.choice.threshold)
    page.locator("#threshold").focus()
    page.keyboard.press("Home")
    assert badge.inner_text() == "answered" and "nothing is rejected" in scale.get_attribute("aria-label")
    page.keyboard.press("End")
    assert badge.inner_text() == "rejected" and "everything is rejected" in scale.get_attribute("aria-label")


def test_verdict_answer_certainty_and_path_come_first_and_the_rest_is_folded(browser, iris_page, model, iris):
    with opened(browser, iris_page, unfolds=False) as page:
        assert page.locator("details.part").count() == 6 and page.locator("details.part[open]").count() == 0
        page.locator("#row").select_option(value=str(int(np.argmin(model.answer(iris).certainty))))
        told = page.locator("#answer").inner_text()
        class_name = page.locator("#predicted").inner_text()
        first = [
            "rejected",
            "refer to a human",
            class_name,
            "would be the answer, but its certainty",
            "How it came about",
        ]
        places = [told.index(words) for words in first]
        assert places == sorted(places)
        panels = page.locator("main section, main details.part")
        assert all(page.locator(f"#{each.get_attribute('id')} p").count() for each in panels.all())


def test_counts_are_whole_and_exact_on_hover(browser, folder):
    """Parts of instances come from missing values."""
    rng = np.random.default_rng(0)
    header = wc.Header("x", (Attribute("x"), Attribute("y"), Attribute("c", "nominal", ("a", "b"))), 2)
    values = np.column_stack((rng.random((200, 2)), np.zeros(200)))
    values[:, 2] = values[:, 0] > 0.5
    values[::7, 0] = np.nan
    data = wc.Dataset(header, values)
    method = fitted("leaf_frequency", data, "J48")
    totals = method.tree_.class_weight.sum(axis=1)
    assert (totals % 1 > 0).any()
    with opened(browser, written(folder / "parts.html", method, rows_of(data), data)) as page:
        for node, total in enumerate(totals):
            box = page.locator(f'#tree g.node[data-node="{node}"]')
            assert box.locator("text.weight").text_content() == str(round(total))
            assert box.locator("title").text_content().endswith(f"; training rows: {number(total)}")
        leaf = page.locator("#steps button").last
        assert re.fullmatch(r"leaf: a \d+(, b \d+)?|leaf: b \d+(, a \d+)?", leaf.inner_text())
        assert "." in page.locator("#steps").inner_html()


@pytest.mark.parametrize("above", [True, False])
def test_no_rounding_moves_a_value_across_the_threshold(browser, folder, iris, above):
    method = fitted("m_branch", iris)
    certainty = float(method.answer(iris).certainty[70])
    limit = certainty * (1 - 1e-7 if above else 1 + 1e-7)
    model = Model(method, choice=wc.choose_threshold([certainty], [True], below=limit))
    with opened(browser, written(folder / f"near{above}.html", model, rows_of(iris), iris)) as page:
        page.locator("#row").select_option(value="70")
        told = page.locator("#certainty").inner_text()
        own, shown = map(
            float, re.search(r"certainty ([\d.]+) (?:is below|reaches) the threshold ([\d.]+\d)", told).groups()
        )
        assert (own >= shown) == above and page.locator("#verdict .rejected").count() == (not above)
        leading = page.locator("#probabilities tr.leading td span").first.inner_text()
        assert (float(leading.removesuffix(" %")) >= 100 * limit) == above


# -- the drawing ---------------------------------------------------------------------------------------------------


def test_the_keyboard_alone_is_enough(page, model):
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "tree":
            break
    assert page.evaluate("document.activeElement.id") == "tree"
    said = page.locator("#said")
    assert "leaf:" in said.inner_text()
    page.keyboard.press("Home")
    assert said.inner_text().startswith("root: splits on")
    page.keyboard.press("ArrowRight")
    first = said.inner_text()
    assert not first.startswith("root")
    page.keyboard.press("ArrowDown")
    assert said.inner_text() != first
    page.keyboard.press("ArrowUp")
    assert said.inner_text() == first
    page.keyboard.press("ArrowLeft")
    assert said.inner_text().startswith("root")
    page.keyboard.press("Enter")
    assert page.locator("#tree g.node").count() == 1
    page.keyboard.press(" ")
    assert page.locator("#tree g.node").count() > 1
    page.keyboard.press("End")
    assert "leaf:" in said.inner_text() and "on the path of this row" in said.inner_text()
    page.keyboard.press("Home")
    assert said.inner_text().startswith("root") and 0 in nodes_in_view(page)
    page.keyboard.press("End")
    before = page.locator("#tree g.layer").get_attribute("transform")
    page.keyboard.press("+")
    assert page.locator("#tree g.layer").get_attribute("transform") != before
    page.keyboard.press("0")
    page.locator("#outline-list summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("#outline-list li:visible").count() == 1
    page.locator("#steps button").first.focus()
    page.keyboard.press("Enter")
    assert not said.inner_text().startswith("root")


def test_searching(page):
    box = page.get_by_label("Search")
    box.fill("virginica")
    leaves = page.locator("#outline-list li span").filter(has_text=re.compile("leaf: virginica")).count()
    assert page.locator("#found").inner_text() == f"{leaves} nodes" and leaves > 1
    box.press("Enter")
    assert page.locator("#found").inner_text() == f"1 of {leaves}"
    assert "leaf: virginica" in page.locator("#said").inner_text()
    page.get_by_role("button", name="Next", exact=True).click()
    assert page.locator("#found").inner_text() == f"2 of {leaves}"
    assert page.locator("#tree g.node.found").count() == leaves
    box.fill("#0")
    assert page.locator("#found").inner_text() == "1 node"
    box.fill("nothing of that name")
    assert page.locator("#found").inner_text() == "0 nodes"
    assert page.get_by_role("button", name="Next", exact=True).is_disabled()


def test_dragging_and_magnifying(page):
    layer = page.locator("#tree g.layer")
    before = layer.get_attribute("transform")
    box = page.locator("#tree").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 45)
    page.mouse.up()
    moved = layer.get_attribute("transform")
    assert moved != before
    page.mouse.wheel(0, 60)  # scrolls the page
    assert layer.get_attribute("transform") == moved
    page.keyboard.down("Control")
    page.mouse.wheel(0, -60)
    page.keyboard.up("Control")
    assert layer.get_attribute("transform") != moved


def test_a_page_that_a_browser_has_saved_works_again(page, folder, browser):
    page.locator("#row").select_option(value="60")
    told = page.locator("#verdict").inner_text()
    saved = folder / "saved.html"
    saved.write_text(f"<!DOCTYPE html>{page.content()}", encoding="utf-8")
    with opened(browser, saved) as again:
        assert again.locator("#row option").count() == 150
        again.locator("#row").select_option(value="60")
        assert again.locator("#verdict").inner_text() == told
        # the height of a drawing and the like, which the script sets anew
        again.complaints = [each for each in again.complaints if "Applying inline style" not in each]


def test_the_instance_travels(page):
    page.emulate_media(reduced_motion="no-preference")
    page.locator("#row").select_option(value="100")
    page.wait_for_selector("#tree circle.dot[visibility=visible]", state="attached")
    page.wait_for_selector("#tree circle.dot[visibility=hidden]", state="attached")


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_ten_thousand_nodes_are_drawn_in_part(browser, folder):
    noise = noise_of(14_500)
    method = parse_method("confdtree").fit(grow(noise, "CART", "prune=none"), noise)
    assert method.tree_.n_nodes > 10_000
    with opened(browser, written(folder / "ten-thousand.html", method, rows_of(noise), noise)) as page:
        page.get_by_role("button", name="Expand all").click()
        assert page.evaluate("wekaconf.drawing.places.size") == method.tree_.n_nodes
        assert page.locator("#tree *").count() < 200  # seen from afar: one path per class
        for _ in range(14):
            page.get_by_role("button", name="Zoom in").click()
        assert 0 < page.locator("#tree g.node").count() < 1000
        page.get_by_label("Search").fill("x5 >")
        page.get_by_label("Search").press("Enter")
        assert page.locator("#tree g.node.selected").count() == 1
        page.locator("#row").select_option(value="999")
        assert page.locator("#tree g.node.on").count() > 0
        page.locator("#outline-list summary").first.click()
        page.locator("#outline-list ul li").first.wait_for()
        assert page.locator("#outline-list li").count() == 3


def test_a_forest_is_shown_tree_by_tree(browser, folder, iris):
    trees = tuple(grow(iris.take(np.random.default_rng(i).integers(0, 150, 150)), "CART") for i in range(3))
    method = parse_method("confdtree").fit(Forest(trees), iris)
    with opened(browser, written(folder / "forest.html", method, rows_of(iris), iris)) as page:
        page.locator("#row").select_option(value="106")
        members = [event.details["predicts"] for event in parse_method("leaf_frequency").fit(Forest(trees), iris)
                   .explain(iris.take([106]))[0]]  # fmt: skip
        told = page.locator("#members-text").inner_text()
        assert f"{members.count(members[0])} of 3 trees say {members[0]}" in told
        page.locator("#member").select_option(label="tree 3 of 3")
        page.get_by_role("button", name="Expand all").click()
        assert page.locator("#tree g.node").count() == trees[2].n_nodes


# -- odd models ----------------------------------------------------------------------------------------------------


def test_hostile_names_are_seen_as_text(browser, folder, iris):
    names = (HOSTILE, LONG, f"{LONG}x", "\u202ebackwards\u0007", iris.attributes[4].name)
    attributes = tuple(replace(attribute, name=name) for attribute, name in zip(iris.attributes, names, strict=True))
    hostile = replace(attributes[4], values=(HOSTILE, LONG, "</script><img src=x onerror=alert(1)>"))
    data = wc.Dataset(wc.Header(HOSTILE, (*attributes[:4], hostile), 4), iris.values, iris.weights)
    rows = Rows(data.take(range(3)), [HOSTILE, LONG, "third"])
    path = written(folder / "hostile.html", fitted("confdtree", data), rows, data, facts={"<b>": HOSTILE})
    with opened(browser, path) as page:
        assert page.title().endswith(": CART with ConfDTree")
        assert "<script>" in page.title() and page.title() != "taken"
        page.get_by_role("button", name="Expand all").click()
        for text in ("#tree", "#outline-list", "#predicted", "#values"):
            assert "<script>" in page.locator(text).text_content() or "…" in page.locator(text).text_content()
        assert "\u202e" not in page.locator("body").inner_text() and "\u0007" not in page.content()
        assert page.locator("script").count() == 2 and page.locator("img").count() == 0
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 1300
        page.evaluate(
            "document.body.append(Object.assign(document.createElement('script'), {textContent: 'document.title = 1'}))"
        )
        page.evaluate("fetch('http://127.0.0.1:9/').catch(() => null)")
        assert page.title() != "1"
        assert len(page.complaints) >= 2 and all("Content Security Policy" in each for each in page.complaints)
        page.complaints.clear()
        page.asked[1:] = []


def test_many_classes_attributes_and_values(browser, folder):
    rng = np.random.default_rng(5)
    attributes = [Attribute(f"number {i}") for i in range(499)]
    attributes += [Attribute("town", "nominal", tuple(f"town {i}" for i in range(2000)))]
    attributes += [Attribute("class", "nominal", tuple(f"class {c}" for c in range(100)))]
    town = rng.integers(0, 2000, 3000)
    cells = np.column_stack((rng.normal(size=(3000, 499)), town, (town // 40 + rng.integers(0, 60, 3000)) % 100))
    data = wc.Dataset(wc.Header("many", tuple(attributes), 500), cells)
    tree = random_tree(rng, data.take(range(400)), max_depth=3)
    method = parse_method("confdtree").fit(tree, data)
    path = written(folder / "many.html", method, rows_of(data, 20), data)
    assert path.stat().st_size < 3e6
    with opened(browser, path) as page:
        wanted = method.answer(data.take([7]))
        page.locator("#row").select_option(value="7")
        assert f"certainty {wanted.certainty[0]:.4g}" in page.locator("#certainty").inner_text()
        assert page.locator("#class-legend li").last.inner_text() == "94 other classes"
        last = page.locator("#probabilities tbody tr").last.inner_text().split()
        shown = page.locator("#probabilities tbody tr:not(:last-child) td:nth-child(2) span").all_inner_texts()
        assert last[:2] == [str(100 - len(shown)), "others"] and 1 <= len(shown) <= 5
        shares = [float(share.removesuffix(" %")) for share in [last[2], *shown]]
        assert sum(shares) == pytest.approx(100, abs=3)
        greys = page.locator('#tree g.node[data-node="0"] rect[fill="var(--rest)"]').count()
        assert greys == 1 and page.locator('#tree g.node[data-node="0"] rect:not(.box)').count() <= 9
        page.get_by_role("button", name="Show all 100 classes").click()
        assert page.locator("#probabilities tbody tr").count() == 100
        page.locator("#untested summary").click()
        page.locator("#untested .field").first.wait_for()
        assert page.locator("#tested .field, #untested .field").count() == 500
        box = page.get_by_label("town")
        assert box.evaluate("select => select.selectedOptions[0].textContent") == f"town {town[7]}"
        box.focus()
        assert box.locator("option").count() == 2001
        box.select_option(label="town 1999")
        assert page.locator("#row").evaluate("select => select.selectedOptions[0].textContent") == "typed values"
        page.get_by_role("button", name="Expand all").click()


# -- print ---------------------------------------------------------------------------------------------------------


def test_a_printed_page_has_the_whole_tree(page, model):
    """Also where its reader has collapsed the list."""
    page.locator("#outline-list summary").first.click()
    page.emulate_media(media="print")
    n_nodes = model.method.tree_.n_nodes
    told = page.evaluate(f"[...Array({n_nodes}).keys()].map((node) => wekaconf.drawing.told(node))")
    printed = " ".join(pdf_text(page.pdf(format="A4")).split())
    printed = printed.replace("ﬁ", "fi").replace("ﬂ", "fl")
    assert [text for text in told if text not in printed] == []
    assert "Search" not in printed and "Set all to missing" not in printed and "Fit" not in printed.split()
    assert "About the model" in printed and "Method confdtree" in printed


def test_a_page_of_a_large_tree_prints_the_way_of_the_instance(browser, large):
    method, _, path = large
    with opened(browser, path) as page:
        page.locator("#row").select_option(value="7")
        page.emulate_media(media="print")
        told = page.evaluate("wekaconf.drawing.way.map((node) => wekaconf.drawing.told(node))")
        printed = " ".join(pdf_text(page.pdf(format="A4")).split())
        assert len(told) > 5 and [text for text in told if text not in printed] == []
        assert f"The tree has {method.tree_.n_nodes:,} nodes; this is the path of the row." in printed
        page.wait_for_selector("#outline-list details", state="attached")
        assert page.locator("#outline-list > li").count() == 1


def test_the_size_of_a_page_is_told(run, tmp_path, write):
    write("x,class\n" + "".join(f"{i % 9},{'yes' if i % 9 > 3 else 'no'}\n" for i in range(20)))
    run("fit", "data.csv", "--learner", "info_gain", "--method", "tpce", "-d", "m.wct")
    said = run("show", "m.wct", "-o", "m.html").err
    size = (tmp_path / "m.html").stat().st_size
    assert said == f"m.html: {size / 1e6:.2g} MB; open it in a browser: {(tmp_path / 'm.html').as_uri()}\n"


def test_a_row_that_missing_values_divide_is_told_by_its_largest_part(browser, folder):
    """The way of the largest part stands open, the others are folded; shares of the row are in whole per cents."""
    rng = np.random.default_rng(1)
    header = wc.Header("wards", (Attribute("x"), Attribute("y"), Attribute("c", "nominal", ("a", "b"))), 2)
    x, y = rng.uniform(0, 1, (2, 400))
    data = wc.Dataset(header, np.column_stack((x, y, (x > 0.3) ^ (y > 0.6))))
    rows = wc.Dataset(header, np.array([[np.nan, np.nan, 0], [0.1, 0.2, 0]]))
    for name in ("leaf_frequency", "m_branch", "confdtree", "wpe:numeric=bins", "id3_sd"):
        method = fitted(name, data, "J48")
        with opened(browser, written(folder / f"{name[:4]}.html", method, Rows(rows, ["one", "two"]), data)) as page:
            parts = page.evaluate("wekaconf.model.routers[0].paths(Float64Array.from(wekaconf.values()))")
            shares = sorted((part["share"] for part in parts), reverse=True)
            assert len(shares) > 2
            tests = [text for text in page.locator("#steps li").all_inner_texts() if "missing" in text]
            assert re.search(rf"{percent(shares[0], decimals=0)} of the row goes to", tests[-1])
            told = page.locator("#parts-list > li")
            assert page.locator("#parts").evaluate("element => !element.open")
            page.locator("#parts-title").click()
            rest = percent(sum(shares[1:]), decimals=0)
            assert page.inner_text("#parts-title") == f"The other {rest} of the row: {len(shares) - 1} more leaves"
            firsts = [text.split("\n")[0] for text in told.all_inner_texts()]
            assert firsts == [percent(share, decimals=0) for share in shares[1:]]
            steps = page.locator("#steps button, #parts-list button").all_inner_texts()
            assert len([text for text in steps if "missing" in text]) == len(
                {text for text in steps if "missing" in text}
            ), "a test is told once"
            page.locator("#parts-title").click()
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
            assert page.locator("#parts").evaluate("element => element.open"), "on paper"
            page.select_option("#row", "1")
            assert page.locator("#parts").is_hidden()


def test_the_curve_is_that_of_the_plots(browser, folder, iris):
    """At and between the thresholds, where equal certainties are in random order; dots are what thresholds reach."""
    data = noise_of(400)
    method = parse_method("leaf_frequency").fit(grow(data, "CART", "leaves=6"), data)
    answer = method.answer(data)
    curve = risk_coverage(answer.certainty, answer.predicted == data.class_values)
    assert 2 < len(curve) <= 40
    with opened(browser, written(folder / "curve.html", method, rows_of(data), data)) as page:
        left, right, bottom, top = 40, 292, 104, 18
        d = page.locator("#curve path.risk").get_attribute("d")
        points = np.array(re.findall(r"([\d.]+),([\d.]+)", d), dtype=float)
        coverage = (points[:, 0] - left) / (right - left)
        heights = (bottom - points[:, 1]) / (bottom - top)
        errors = curve.errors_at(np.clip(coverage, 1e-9, 1))
        scale = errors[-1] / heights[-1]
        np.testing.assert_allclose(heights * scale, errors, atol=1e-9)
        assert coverage[0] == pytest.approx(max(curve.coverage[0], 0.05))
        dots = page.locator("#curve circle.reached").evaluate_all(
            "all => all.map((dot) => Number(dot.getAttribute('cx')))"
        )
        np.testing.assert_allclose(
            (np.array(dots) - left) / (right - left), curve.coverage[curve.coverage >= 0.05], atol=1e-9
        )
