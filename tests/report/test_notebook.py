"""Trees and evaluations as notebooks show them."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from support.command_line import ARFF
from support.growers import grow_cart, grow_info_gain, grow_info_gain_bagging
from support.parsed_html import ParsedHtml
from support.small_data import small
from support.written_trees import EACH, LE, written_tree

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.sklearn import TreeDisplay
from wekaconf.tree._forest import Forest


def parsed(html):
    """HTML in which every element that is opened is closed."""
    page = ParsedHtml(html)
    assert page.is_balanced
    return page


@pytest.fixture(scope="module")
def measured(iris):
    return wc.evaluate(iris, ["leaf_frequency", "confdtree"], folds=3, learner="CART")


@pytest.fixture(autouse=True)
def _figures():
    before = matplotlib.get_backend()
    pyplot.switch_backend("agg")
    yield
    pyplot.close("all")
    pyplot.switch_backend(before)


# ---- answers, methods and learners ----


def test_answers_show_the_first_with_their_reasons(iris):
    method = wc.MBranch().fit(grow_cart(iris), iris)
    answer = method.answer(iris)
    page = parsed(answer._repr_html_())
    heading, *counts = re.split(r"[:,] ", page.texts[0])
    assert heading == "150 answers"
    predicted = [iris.class_names[c] for c in answer.predicted]
    assert sorted(counts) == [f"{name} {predicted.count(name)}" for name in sorted(iris.class_names)]
    assert page.tags.count("tr") == 12 and "… 140 more" in page.text
    assert answer.reason(0) in page.text and f"{answer.certainty[0]:.4g}" in page.text
    assert "1 answer:" in parsed(method.answer(iris.take([0]))._repr_html_()).text
    assert parsed(method.answer(iris.take(slice(0)))._repr_html_()).texts == ["Answer(0 instances, 3 classes)"]


@pytest.mark.parametrize("n_classes", [6, 7])
def test_the_answers_of_six_classes_are_counted(n_classes):
    names = [f"c{i}" for i in range(n_classes)]
    data = small(x=[*range(n_classes)], **{"class": names})
    page = parsed(wc.LeafFrequency().fit(grow_cart(data, "prune=none min_leaf=1"), data).answer(data)._repr_html_())
    assert page.texts[0] == f"{n_classes} answers: {', '.join(f'{name} 1' for name in names[:6])}" + ", …" * (
        n_classes > 6
    )


def test_names_of_answers_are_text():
    hostile = "<script>alert(1)</script>"
    data = small(x=[1.0, 2, 3, 4] * 3, **{"class": [hostile, hostile, "b", "b"] * 3})
    page = parsed(wc.LeafFrequency().fit(grow_info_gain(data), data).answer(data)._repr_html_())
    assert "script" not in page.tags and hostile in page.text


def test_methods_and_learners_show_their_parameters():
    for made, bold in (
        (wc.MBranch(m=2), ["2.0"]),
        (wc.CART(se=0.5), ["0.5"]),
        (wc.J48("-M 5 -x <b>"), ["-M 5 -x <b>"]),
        (wc.ConfDTree(), []),
    ):
        html = made._repr_html_()
        page = parsed(html)
        assert page.texts[0] == made.name
        assert [unescape(text) for text in re.findall("<td><b>(.*?)</b></td>", html)] == bold
        assert page.tags.count("tr") == len(made.params)
    assert wc.ConfDTree().params.keys() <= set(parsed(wc.ConfDTree()._repr_html_()).texts)


# ---- trees ----


def test_a_tree_shows_its_nodes(iris):
    tree = grow_cart(iris)
    page = parsed(tree._repr_html_())
    assert "CART pruned tree on iris: 7 nodes, 4 leaves, depth 3" in page.text
    assert page.tags.count("li") == tree.n_nodes
    assert page.tags.count("details") == tree.n_nodes - tree.n_leaves
    assert "petal width (cm) <= 1.75" in page.text
    assert "versicolor (48/1)" in page.text
    assert not {"script", "style", "img", "link"} & set(page.tags)


def test_bars_have_the_shares_of_the_classes():
    data = small(x=[1, 2, 3, 4], **{"class": ["a", "b", "b", "b"]})
    html = grow_info_gain(data)._repr_html_()
    assert "width:15px;background:#0072B2" in html
    assert "width:45px;background:#D55E00" in html


@pytest.mark.parametrize(("n", "widths"), [(6, ["10"] * 6), (7, ["9"] * 7), (8, ["8"] * 6 + ["15"])])
def test_a_bar_shows_six_classes_and_the_others_together(n, widths):
    html = grow_info_gain(small(x=[1] * n, **{"class": [f"c{i}" for i in range(n)]}))._repr_html_()
    assert re.findall("width:([0-9]+)px", html)[n:] == widths  # after the legend
    assert ("#999999" in html) == (n > 6)


@pytest.mark.parametrize(("others", "is_shown"), [(36.0, True), (29.0, False)])
def test_less_than_half_a_pixel_of_others_is_not_shown(others, is_shown):
    """A bar has 60 pixels; 0.6 of them, or 0.48, are those of the seventh class."""
    weights = [(3600.0 - others) / 6] * 6 + [others]
    header = small(x=[1], c=(list("abcdefg"), ["a"])).header
    html = written_tree(header, weights)._repr_html_()
    assert ("width:1px;background:#999999" in html) == ("#999999" in html) == is_shown
    assert html.count("width:9px") == 7  # of the legend; those of the bar have 10


@pytest.mark.parametrize(("n_values", "more"), [(39, None), (40, "… and 1 more"), (42, "… and 3 more")])
def test_branches_beyond_forty_nodes_are_counted(n_values, more):
    declared = [f"v{i}" for i in range(n_values)]
    header = small(n=(declared, ["v0"]), c=(["a", "b"], ["a"])).header
    page = parsed(written_tree(header, (0, EACH, None, *[[1.0, 0.0]] * n_values))._repr_html_())
    assert re.findall("… and [0-9]+ more", page.text) == ([more] if more else [])


@pytest.mark.parametrize(("n_splits", "is_cut"), [(19, False), (20, True)])
def test_a_tree_of_more_than_forty_nodes_is_cut_off(n_splits, is_cut):
    """39 nodes and 41."""
    chain = [1.0, 0.0]
    for point in range(n_splits):
        chain = (0, LE, float(point), chain, [0.0, 1.0])
    html = written_tree(small(x=[0, 1], c=["a", "b"]).header, chain)._repr_html_()
    assert ("the 40 nodes nearest to the root are shown" in html) == is_cut


def test_a_large_tree_is_cut_off_and_says_so():
    rng = np.random.default_rng(1)
    data = small(x=rng.random(900), y=rng.random(900), **{"class": [f"c{i % 30}" for i in range(900)]})
    tree = grow_info_gain(data)
    html = tree._repr_html_()
    page = parsed(html)
    assert f"{tree.n_nodes} nodes, {tree.n_leaves} leaves" in page.text
    assert "the 40 nodes nearest to the root are shown" in page.text
    assert "… and 2 more" in page.text
    assert "and 18 more" in page.text  # classes without a colour
    assert len(html) < 40_000


def test_hostile_names_are_text():
    name = "<script>alert('x')</script>&\x00\u202e" + "y" * 10_000
    data = small(**{name: [1, 2, 3, 4], "class": ['"><b>', '"><b>', "&amp;", "&amp;"]})
    html = grow_info_gain(data)._repr_html_()
    page = parsed(html)
    assert "script" not in page.tags
    assert '"><b>' in page.text
    assert "&amp;" in page.text
    assert "\x00" not in html
    assert "\u202e" not in html
    assert len(html) < 3_000


def test_a_leaf_and_a_forest(iris):
    alike = small(x=[1, 2], **{"class": (["a", "b"], ["a", "a"])})
    page = parsed(grow_info_gain(alike)._repr_html_())
    assert "1 node, 1 leaf, depth 0" in page.text
    forest = grow_info_gain_bagging(iris)
    page = parsed(forest._repr_html_())
    assert "info_gain_bagging on iris: 3 trees" in page.text
    for tree in forest.trees:
        assert f"{tree.n_nodes} {tree.n_leaves} {tree.depth.max()}" in page.text


@pytest.mark.parametrize(("n", "more"), [(10, []), (11, ["1 more"]), (12, ["2 more"])])
def test_ten_trees_of_a_forest_are_shown(iris, n, more):
    page = parsed(Forest((grow_cart(iris),) * n)._repr_html_())
    assert page.tags.count("tr") == 1 + 10 + len(more)
    assert [text for text in page.texts if text.endswith(" more")] == more


@pytest.mark.one_commit_in(3)
def test_showing_needs_no_matplotlib(iris):
    code = (
        "import sys, wekaconf as wc\n"
        f"data = wc.load_arff({str(ARFF / 'iris.arff')!r})\n"
        "tree = wc.InfoGain().grow(data)\n"
        "tree._repr_html_(), wc.evaluate(data, 'leaf_frequency', learner='info_gain', folds=2)._repr_html_()\n"
        "assert 'matplotlib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_plot_returns_axes(iris):
    tree = grow_cart(iris)
    axes = tree.plot()
    assert isinstance(axes, matplotlib.axes.Axes)
    texts = [text.get_text() for text in axes.texts]
    assert {"petal width (cm)", "<= 0.8", "setosa\n(50)"} <= set(texts)
    own = pyplot.figure().add_subplot()
    assert tree.plot(own, max_depth=1) is own
    assert len(own.texts) == 5
    method = wc.ConfDTree().fit(tree, iris)
    noted = tree.plot(annotate=method.annotation)
    assert any("if not" in text.get_text() for text in noted.texts)
    assert [text.get_text() for text in TreeDisplay(tree).plot().ax_.texts] == texts


# ---- explanations ----


def test_an_explanation_shows_its_first_three_instances(iris):
    method = wc.ConfDTree().fit(grow_cart(iris), iris)
    for n in (3, 4):
        explanation = method.explain(iris.take(slice(n)))
        page = parsed(explanation._repr_html_())
        assert page.tags.count("h4") == 3 and ("instances in all" in page.text) == (n == 4)
        assert explanation.to_dict(0) == explanation.account(0).to_dict()
    alone = replace(explanation, account_of=None)
    assert repr(alone) == f"Explanation(4 instances, {alone.counts()})" == parsed(alone._repr_html_()).text
    with pytest.raises(ValueError, match="was not made by a method, so it tells events only"):
        alone.account(0)


# ---- evaluations ----


def test_an_evaluation_shows_its_summary(measured):
    assert parsed(measured._repr_html_()).tags == ["pre"]
    assert unescape(measured._repr_html_()) == f"<pre>{measured.summary()}</pre>"
    assert wc.Evaluation(())._repr_html_() == "<pre>Evaluation(nothing)</pre>"


def test_a_notebook_gets_the_table_as_text():
    """Beside a kernel of Jupyter, which sets FORCE_COLOR, rich would show the table instead, or make it bold."""
    kernel = "import builtins\nclass ZMQInteractiveShell: pass\nbuiltins.get_ipython = ZMQInteractiveShell\n"
    code = (
        "import wekaconf as wc\n"
        f"data = wc.load_arff({str(ARFF / 'iris.arff')!r})\n"
        "print(wc.evaluate(data, 'leaf_frequency', learner='CART', folds=2).summary())\n"
    )
    beside, alone = (
        subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, env=os.environ | more).stdout
        for text, more in ((kernel + code, {"FORCE_COLOR": "1"}), (code, {}))
    )
    assert beside == alone and b"leaf_frequency" in alone


def test_one_result_of_several(measured):
    assert measured.one(method="confdtree") is measured[1]
    assert measured.one(method="confdtree", dataset="iris") is measured[1]
    with pytest.raises(OptionError, match="2 results fit; these are there: method='leaf_frequency', dataset='iris'"):
        measured.one()
    with pytest.raises(OptionError, match="no result fits; these are there"):
        measured.one(method="tpce")
    with pytest.raises(OptionError, match="no result fits; these are there: none"):
        wc.Evaluation(()).one()
