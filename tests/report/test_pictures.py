"""The pictures of methods: what lies on their axes, what their files say, and what cannot be drawn."""

import re
import warnings
from dataclasses import replace

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image
from sklearn.metrics import roc_auc_score
from support.growers import grow_cart, grow_info_gain, grow_info_gain_bagging
from support.katz_example import FINED, ROUTED, example
from support.small_data import small
from support.svg_texts import texts_in as said
from support.written_trees import EACH, LE, written_tree

import wekaconf as wc
from wekaconf.base.errors import Note, OptionError
from wekaconf.base.plot_style import COLOURS, COLUMN, HUES, name_text, rgb_of, save, shade, tint
from wekaconf.data.wording import ahead_of_utc
from wekaconf.evaluation.measures import Roc, roc_curve
from wekaconf.report.pictures import _boundary as boundary
from wekaconf.report.pictures import _intervals as intervals
from wekaconf.report.pictures import _roc as roc
from wekaconf.report.pictures import _routes as routes
from wekaconf.report.pictures import _weights as weights
from wekaconf.report.pictures._boundary import Section, plane_of, typical_values
from wekaconf.report.trees import write_tree
from wekaconf.tree.shown._drawing import draw_tree, lay_out


@pytest.fixture(autouse=True)
def _alike_whatever_ran_before(monkeypatch):
    monkeypatch.setitem(globals(), "RNG", np.random.default_rng(7))


@pytest.fixture(scope="module")
def tree(iris):
    return grow_cart(iris)


@pytest.fixture
def axes():
    with matplotlib.rc_context():
        return Figure().add_subplot()


def width_of(path):
    """Of a PDF file, in inches."""
    (box,) = re.findall(rb"/MediaBox \[([^\]]*)\]", path.read_bytes())
    return float(box.split()[2]) / 72


def assert_fit_for_print(path):
    """No Type 3 fonts, which journals refuse: TrueType, embedded."""
    content = path.read_bytes()
    assert b"/Type3" not in content
    assert b"/FontFile2" in content


def section_of(method, data, **kwargs):
    columns, extent = plane_of(method.tree_, data)
    return Section.of(method, columns, extent, typical_values(method.tree_.header, data), **kwargs)


RNG = np.random.default_rng(7)


def many_classes(n_classes, n_each=4):
    """A data set of two numeric attributes in which each class has a place of its own."""
    place = np.repeat(np.arange(n_classes), n_each)
    x, y = place % 10 + 0.02 * RNG.random(len(place)), place // 10 + 0.02 * RNG.random(len(place))
    return small(x=x, y=y, **{"class": [f"class {c}" for c in place.tolist()]})


# ---- boundary ----


@pytest.mark.parametrize("name", ["leaf_frequency", "boundary_distance", "confdtree", "id3_sd"])
def test_a_section_holds_the_answers_of_the_method(iris, tree, name):
    method = wc.method(name).fit(tree, iris)
    section = section_of(method, iris, n_cells=30)
    x, y = section.middles()
    held = np.median(iris.values, axis=0)
    for row, column in RNG.integers(0, 30, (40, 2)).tolist():
        held[list(section.columns)], held[iris.class_index] = (x[column], y[row]), np.nan
        answer = method.answer(wc.Dataset(iris.header, held[None]))
        assert section.predicted[row, column] == answer.predicted[0]
        assert section.certainty[row, column] == answer.certainty[0]


def test_a_section_is_asked_for_in_parts_where_there_are_many_attributes(iris, tree, monkeypatch):
    method = wc.LeafFrequency().fit(tree, iris)
    whole = section_of(method, iris, n_cells=12)
    monkeypatch.setattr("wekaconf.report.pictures._boundary.CHUNK_VALUES", 70)
    np.testing.assert_array_equal(section_of(method, iris, n_cells=12).predicted, whole.predicted)


def test_the_plane_is_that_of_the_attributes_that_the_tree_splits_on(iris, tree):
    columns, extent = plane_of(tree, iris)
    assert [iris.attributes[column].name for column in columns] == ["petal width (cm)", "petal length (cm)"]
    low, high = iris.values[:, columns[0]].min(), iris.values[:, columns[0]].max()
    assert extent[0] < low < high < extent[1]
    assert plane_of(tree, iris, y="sepal width (cm)")[0] == (columns[0], 1)
    of_splits = plane_of(tree, None)[1]
    inner = tree.split_attribute == columns[0]
    assert of_splits[0] < tree.split_point[inner].min() < tree.split_point[inner].max() < of_splits[1]
    forest = grow_info_gain_bagging(iris)
    assert set(plane_of(forest, iris)[0]) <= {int(each) for tree in forest.trees for each in tree.split_attribute}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"x": "sepal"}, "x: no numeric attribute 'sepal'; there are 'sepal length"),
        ({"x": "class"}, "x: no numeric attribute 'class'"),
        ({"x": "petal width (cm)", "y": "petal width (cm)"}, "y: 'petal width .* is on the other axis"),
        ({"x": "sepal width (cm)"}, "'sepal width .*: nothing says which values it has"),
    ],
)
def test_a_plane_that_is_none(tree, given, said):
    with pytest.raises(OptionError, match=said):
        plane_of(tree, None, **given)


@pytest.mark.parametrize(
    ("columns", "said"),
    [({"a": ["p", "q"] * 4}, "has none$"), ({"a": ["p", "q"] * 4, "b": [1, 2] * 4}, "has only 'b'$")],
)
def test_a_tree_without_two_numeric_attributes_has_no_plane(columns, said):
    data = small(**columns, **{"class": ["x", "y"] * 4})
    with pytest.raises(OptionError, match=said):
        plane_of(grow_info_gain(data), data)


def test_missing_and_constant_values_have_a_place():
    data = small(x=[1, None, 3, 4], y=[5, 5, 5, 5], n=["p", None, "p", "q"], **{"class": ["a", "a", "b", "b"]})
    tree = grow_info_gain(data)
    _, extent = plane_of(tree, data)
    assert extent[0] < 1
    assert extent[1] > 4
    assert extent[2] < 5 < extent[3]
    np.testing.assert_array_equal(typical_values(data.header, data), [3, 5, 0, np.nan])
    assert np.isnan(typical_values(data.header, data.take([1]))[[0, 2, 3]]).all()


def test_regions_have_the_colours_of_their_classes_the_darker_the_more_certain(iris, tree, axes):
    method = wc.BoundaryDistance().fit(tree, iris)
    section = section_of(method, iris, n_cells=40)
    colours = boundary.colours_of(section)
    assert colours == dict(enumerate(COLOURS[:3]))
    boundary.draw_section(axes, section, colours, threshold=0.25)
    image = np.asarray(axes.images[0].get_array())
    low, high = section.scale
    assert (low, high) == (0, section.certainty.max())
    for row, column in RNG.integers(0, 40, (20, 2)).tolist():
        share, colour = section.certainty[row, column] / high, COLOURS[section.predicted[row, column]]
        lightness, chroma = (
            pale + share * (dark - pale) for pale, dark in zip(boundary.LIGHTEST, boundary.DARKEST, strict=True)
        )
        np.testing.assert_allclose(image[row, column], shade(colour, lightness, chroma))
    hatched = [each for each in axes.collections if getattr(each, "hatches", None) == [boundary.HATCH]]
    assert len(hatched) == 1
    inside = hatched[0].get_paths()[0]
    x, y = section.middles()
    for row, column in RNG.integers(1, 39, (40, 2)).tolist():
        if abs(section.certainty[row, column] - 0.25) > 0.2:
            assert inside.contains_point((x[column], y[row])) == (section.certainty[row, column] < 0.25)


def test_equal_certainties_are_equally_light_whatever_the_class():
    """So that lightness reads as certainty in grey too: luminances differ by less than a step of certainty of .05."""
    share = np.linspace(0, 1, 21)
    colours = np.array([boundary.region_colour(colour, share) for colour in (*HUES, boundary.OTHERS)])
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    lightness = np.cbrt(linear @ [0.2126, 0.7152, 0.0722])
    assert (np.diff(lightness) < 0).all()
    assert np.ptp(lightness, axis=0).max() < 0.065
    assert np.ptp(lightness[0]) > 0.25
    assert len({tuple(colour) for colour in colours[:, -1].round(2).tolist()}) == len(HUES) + 1


def test_shades_keep_hue_and_grey():
    for colour in HUES:
        whole = rgb_of(colour)
        found = shade(colour, 0.68, 0.11)
        assert found.argmax() == whole.argmax() and ((found >= 0) & (found <= 1)).all()
    assert np.ptp(shade("#8C8C8C", np.array([0.68, 0.9]), 0.1), axis=1).max() < 1e-3


def test_regions_and_the_scale_wear_names_and_colours_of_their_classes(iris, tree, tmp_path):
    section = section_of(wc.BoundaryDistance().fit(tree, iris), iris)
    boundary.plot_boundary(tmp_path / "b.svg", section)
    assert sum(text in iris.class_names for text in said(tmp_path / "b.svg")) >= 2 * len(iris.class_names)
    axes = Figure(figsize=(3, 3)).subplots()
    colours = boundary.colours_of(section)
    boundary.draw_scale(axes, section, colours)
    [strips] = axes.figure.axes[1].images
    image = np.asarray(strips.get_array())
    for place, colour in enumerate(colours.values()):
        np.testing.assert_allclose(image[:, place], boundary.region_colour(colour, np.linspace(0, 1, 256)))
    assert strips.get_extent() == [0, 1, *section.scale]
    boundary.name_regions(axes, section)
    x, y = section.middles()
    for text in axes.texts:
        at = text.get_position()
        row, column = np.abs(y - at[1]).argmin(), np.abs(x - at[0]).argmin()
        assert iris.class_names[section.predicted[row, column]] == text.get_text()


def test_points_are_those_with_both_values_at_most_so_many(axes):
    data = small(x=[1, None, 3, np.inf, 2], y=[5, 5, 5, 5, None], **{"class": ["a", "a", "b", "b", "b"]})
    boundary.draw_points(axes, (0, 1), data, {0: COLOURS[0], 1: COLOURS[1]}, 9)
    assert [line.get_xydata().tolist() for line in axes.lines] == [[], [[1, 5]], [[3, 5]]]
    assert len({line.get_marker() for line in axes.lines}) == 3
    many = many_classes(2, 50)
    for n_points, drawn in ((7, 7), (100, 100), (0, 0)):
        axes.clear()
        boundary.draw_points(axes, (0, 1), many, {0: COLOURS[0], 1: COLOURS[1]}, n_points)
        assert sum(len(line.get_xdata()) for line in axes.lines) == drawn


def test_of_a_hundred_classes_the_most_frequent_have_a_colour(tmp_path):
    data = many_classes(100)
    method = wc.LeafFrequency().fit(grow_cart(data, "prune=none"), data)
    section = section_of(method, data, n_cells=60)
    colours = boundary.colours_of(section, data)
    assert len(colours) > 90
    assert sum(colour != boundary.OTHERS for colour in colours.values()) == boundary.MOST_CLASSES - 1
    boundary.plot_boundary(tmp_path / "b.svg", section, data=data)
    texts = said(tmp_path / "b.svg")
    assert texts[-1] == f"{len(colours) - boundary.MOST_CLASSES + 1} other classes"
    assert sum(text.startswith("class ") for text in texts) == boundary.MOST_CLASSES - 1


def test_the_legend_of_a_boundary_has_marks_only_of_instances_that_are_drawn(iris, tree):
    section = section_of(wc.LeafFrequency().fit(tree, iris), iris, n_cells=20)
    unlabelled = iris.values.copy()
    unlabelled[:, iris.class_index] = np.nan
    of_classes = {boundary.marker_of(c) for c in range(3)}
    for data, n_points, marks in (
        (iris, 300, of_classes), (wc.Dataset(iris.header, unlabelled), 300, {"x"}), (iris, 0, set()),
        (None, 300, set()),
    ):  # fmt: skip
        (legend,) = boundary._figure(section, data, n_points, None).legends
        assert {line.get_marker() for line in legend.findobj(Line2D)} - {"None", ""} == marks
        assert len(legend.get_texts()) == 3 + ("x" in marks)


def test_boundary_of_a_forest_of_one_class_and_of_one_leaf(tmp_path, iris):
    forest = wc.LeafFrequency().fit(grow_info_gain_bagging(iris), iris)
    boundary.plot_boundary(tmp_path / "f.pdf", section_of(forest, iris, n_cells=20), data=iris, threshold=0.9)
    assert_fit_for_print(tmp_path / "f.pdf")
    assert width_of(tmp_path / "f.pdf") == pytest.approx(COLUMN)
    alike = small(x=[1, 2, 3, 4], y=[1, 2, 3, 4], **{"class": (["a", "b"], ["a"] * 4)})
    leaf = wc.BoundaryDistance().fit(grow_cart(alike), alike)
    section = section_of(leaf, alike, n_cells=5)
    assert np.isinf(section.certainty).all()
    boundary.plot_boundary(tmp_path / "l.svg", section, data=alike)
    assert "a" in said(tmp_path / "l.svg")


def test_each_answer_is_hatched_by_the_threshold_of_its_class(tmp_path, iris, tree, axes):
    section = section_of(wc.LeafFrequency().fit(tree, iris), iris, n_cells=20)
    boundary.draw_section(axes, section, boundary.colours_of(section), threshold=np.array([np.inf, -np.inf, -np.inf]))
    [hatched] = [each for each in axes.collections if getattr(each, "hatches", None) == [boundary.HATCH]]
    inside, (x, y) = hatched.get_paths()[0], section.middles()
    places = [(x[column], y[row]) for row in range(1, 19) for column in range(1, 19)]
    assert inside.contains_points(places).tolist() == (section.predicted[1:19, 1:19] == 0).ravel().tolist()
    boundary.plot_boundary(tmp_path / "b.svg", section, data=iris, threshold=np.array([np.inf, 0.9, -np.inf]))
    assert "rejected: certainty below the threshold of its class" in " ".join(said(tmp_path / "b.svg"))


def test_instances_without_a_class_are_crosses(tmp_path, iris, tree):
    section = section_of(wc.LeafFrequency().fit(tree, iris), iris, n_cells=9)
    boundary.plot_boundary(tmp_path / "b.svg", section, data=iris.without_class_values())
    assert "class unknown" in said(tmp_path / "b.svg")
    boundary.plot_boundary(tmp_path / "b.svg", section, data=iris)
    assert "class unknown" not in said(tmp_path / "b.svg")


# ---- intervals ----


def test_intervals_are_drawn_where_they_end(iris, tree, axes):
    method = wc.ConfDTree().fit(tree, iris)
    node = intervals.first_with_intervals(method)
    assert node == 0
    intervals.draw_intervals(axes, method, node, iris)
    bars = [line for line in axes.lines if line.get_linewidth() in (3.2, 1.2)]
    expected = [end for row in method.annotation(0).values["intervals"] for end in (row["assigned"], row["other"])]
    np.testing.assert_allclose([bar.get_xdata() for bar in bars], expected)
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        f"{name}\n50 in training" for name in iris.class_names
    ]
    ticks = [line for line in axes.lines if line.get_marker() == "|" and line.get_linestyle() == "None"]
    for c, line in enumerate(ticks):
        np.testing.assert_array_equal(np.sort(line.get_xdata()), np.sort(iris.values[iris.class_values == c, 3]))


def test_only_instances_that_reach_the_node_are_drawn(iris, tree, axes):
    method = wc.ConfDTree().fit(tree, iris)
    node = int(np.flatnonzero(method.intervals_.is_active)[-1])
    intervals.draw_intervals(axes, method, node, iris)
    drawn = sum(len(line.get_xdata()) for line in axes.lines if line.get_linestyle() == "None")
    assert drawn == tree.class_weight[node].sum()


def test_intervals_without_values_with_one_value_and_with_a_missing_mark(tmp_path, iris):
    data = small(x=[1.0] * 6 + [2, 3, 4, 5, 6, 7], **{"class": ["a"] * 6 + ["b"] * 6})
    method = wc.ConfDTree(variant="tdist").fit(grow_info_gain(data), data)
    intervals.plot_intervals(
        tmp_path / "i.svg", method, 0, data=data, source="a_b.csv", marked=("row 3", data.take([2]))
    )
    told = {"row 3: 1", "x, at the root", "6 in training", "rows of a_b.csv: density and ticks"}
    assert told <= set(said(tmp_path / "i.svg"))
    without = replace(data.take([0]), values=np.array([[np.nan, 0.0]]))
    intervals.plot_intervals(tmp_path / "n.pdf", method, 0, marked=("row 1", without))
    assert_fit_for_print(tmp_path / "n.pdf")
    assert width_of(tmp_path / "n.pdf") == pytest.approx(COLUMN)
    intervals.plot_intervals(tmp_path / "n.svg", method, 0, data=data.take(slice(0)), marked=("row 1", without))
    assert "row 1: no value" in said(tmp_path / "n.svg")
    assert not any(text.startswith("rows of ") for text in said(tmp_path / "n.svg"))


def test_no_tick_is_cut_at_the_edge(tmp_path, iris):
    """Matplotlib lays out once, and the axes that come of it may have ticks that it did not reckon with."""
    is_later = np.arange(len(iris)) % 5 == 0
    known, later = iris.take(~is_later), iris.take(is_later)
    method = wc.ConfDTree().fit(grow_cart(known), known)
    intervals.plot_intervals(tmp_path / "i.png", method, 2, data=later, source="later.csv")
    with Image.open(tmp_path / "i.png") as image:
        assert np.asarray(image.convert("L"))[:, -4:].min() == 255


def test_of_very_many_classes_the_heaviest_rows_are_drawn(tmp_path):
    data = small(x=RNG.normal(size=300), **{"class": [f"c{i % 25}" for i in range(300)]})
    method = wc.ConfDTree(variant="tdist", min_instances=1).fit(grow_info_gain(data), data)
    intervals.plot_intervals(tmp_path / "i.svg", method, 0, data=data)
    assert "17 classes of less weight not drawn" in said(tmp_path / "i.svg")


def test_nodes_without_intervals_are_refused(iris, tree, tmp_path):
    method = wc.ConfDTree().fit(tree, iris)
    with pytest.raises(OptionError, match="node 1 has no intervals; these nodes have some: 0, 2, 3"):
        intervals.plot_intervals(tmp_path / "i.pdf", method, 1)
    with pytest.raises(OptionError, match="node must be from 0 to 6"):
        intervals.plot_intervals(tmp_path / "i.pdf", method, 7)
    with pytest.raises(OptionError, match="no node of this tree has intervals; a node needs a numeric split and 900"):
        intervals.first_with_intervals(wc.ConfDTree(min_instances=900).fit(tree, iris))
    forest = grow_info_gain_bagging(iris)
    with pytest.raises(OptionError, match="forest"):
        intervals.first_with_intervals(wc.ConfDTree().fit(forest, iris))
    assert not list(tmp_path.iterdir())


# ---- routes ----


def test_the_worked_example_of_katz_2012(tmp_path):
    """Figure 4: weights .078672 and .921328; Figure 5: a fine."""
    tree, train, instance = example(ROUTED)
    method = wc.ConfDTree().fit(tree, train)
    ways = routes.ways_of(method, instance)
    assert (ways.direct, ways.alternative) == ({0, 1, 3}, {2})
    assert ways.lines[0][0] == "value 9.9"
    assert ways.lines[0][2] == "alternative routes"
    assert ways.lines[1] == ["value 4.5", "weight 0.079"]
    assert ways.lines[2] == ["weight 0.921", "C 1.000"]
    assert ways.answer == "C 0.921, A 0.079"
    assert ways.lines[0][3] == "→ C 0.921, A 0.079"
    routes.plot_routes(tmp_path / "r.svg", ways, name="row 1")
    legend = " ".join(said(tmp_path / "r.svg"))
    assert "decision path of row 1; answer: C 0.921, A 0.079" in legend and "alternative route" in legend
    routes.plot_routes(tmp_path / "r.pdf", ways)
    assert_fit_for_print(tmp_path / "r.pdf")
    assert width_of(tmp_path / "r.pdf") == pytest.approx(COLUMN)
    fined = routes.ways_of(wc.ConfDTree().fit(tree, example(FINED)[1]), instance)
    assert (fined.alternative, fined.lines[0][2:]) == (set(), ["fine of 10 %", "→ A 0.900, B 0.050, C 0.050"])
    assert fined.answer == "A 0.900, B 0.050, C 0.050"


def test_alternative_routes_are_those_that_explain_the_answer(iris, tree):
    """The weights that are written give the answer that the method gives, to the digits that are written."""
    data = replace(iris, values=np.column_stack((RNG.uniform(0, 8, (200, 4)), np.full(200, np.nan))), weights=None)
    method = wc.ConfDTree(variant="norm", z_assigned=0.3, z_other=2, fines=False).fit(tree, iris)
    answer = method.answer(data)
    n_routed = 0
    for i in range(len(data)):
        ways = routes.ways_of(method, data.take([i]))
        routed = {event.node for event in answer.explanation[i]}
        n_routed += bool(routed)

        def follow(node, routed=routed, value=data.values[i], ways=ways):
            assert node in ways.direct | ways.alternative
            if tree.n_branches[node] == 0:
                return tree.router.answer[node]
            children = range(int(tree.first_child[node]), int(tree.first_child[node]) + 2)
            if node not in routed:
                own = tree.router.branches(np.array([node]), value[[tree.split_attribute[node]]])[0]
                return follow(children[int(own)])
            written = [re.search(r"weight (\d\.\d+)", " ".join(ways.lines[child]))[1] for child in children]
            return sum(float(weight) * follow(child) for weight, child in zip(written, children, strict=True))

        np.testing.assert_allclose(follow(0), answer.proba[i], atol=2e-3)
    assert n_routed > 10


def test_other_methods_missing_values_and_one_leaf_have_ways_too(iris):
    tree = grow_info_gain(iris)
    lost = replace(iris.take([0]), values=np.full((1, 5), np.nan), weights=None)
    ways = routes.ways_of(wc.MBranch().fit(tree, iris), lost)
    assert len(ways.direct) == tree.n_nodes
    assert ways.lines[0] == ["value missing"]
    shares = [
        float(lines[0].removeprefix("share ")) for node, lines in ways.lines.items() if tree.n_branches[node] == 0
    ]
    assert sum(shares) == pytest.approx(1, abs=0.01)
    alike = small(x=[1, 2], **{"class": (["a", "b"], ["a", "a"])})
    ways = routes.ways_of(wc.LeafFrequency().fit(grow_info_gain(alike), alike), alike.take([0]))
    assert (ways.direct, ways.answer) == ({0}, "a 1.000")
    with pytest.raises(OptionError, match="the routes of a forest are not drawn"):
        routes.ways_of(wc.LeafFrequency().fit(grow_info_gain_bagging(iris), iris), iris.take([0]))


def test_branches_that_are_not_taken_are_left_out_where_they_are_many(iris):
    values = [f"v{i}" for i in range(200)]
    data = small(n=values * 2, **{"class": ["a", "b"] * 200})
    tree = written_tree(data.header, (0, EACH, None, *[[2, 0], [0, 2]] * 100))
    ways = routes.ways_of(wc.LeafFrequency().fit(tree, data), data.take([3]))
    assert list(ways.layout.text) == [0, 4]
    assert ways.layout.text[0].endswith("…")


# ---- weights ----


def test_weights_are_those_of_the_method(iris, tree, tmp_path, axes):
    method = wc.Shrinkage().fit(tree, iris)
    instance = iris.take([100])
    found = weights.path_weights(method, instance)
    path = int(method.paths_.end[tree.apply(instance)[0]])
    own = method.weight_[method.paths_.first[path] : method.paths_.first[path + 1]]
    np.testing.assert_array_equal(found.weight, own)
    scores = (found.weight * found.estimate).sum(axis=0)
    np.testing.assert_allclose(scores / scores.sum(), method.predict_proba(instance)[0], atol=1e-12)
    assert found.classes == np.argsort(-found.proba, kind="stable").tolist()
    assert found.nodes == ["uniform", "root", "petal width (cm) > 0.8", "petal width (cm) > 1.75"]
    weights.draw_weights(axes, found, found.weight)
    np.testing.assert_array_equal(axes.lines[0].get_xdata(), own[:, 2])
    assert axes.lines[0].get_color() == COLOURS[2]
    weights.plot_weights(tmp_path / "w.svg", found)
    assert f"virginica (answered {found.proba[2]:.3f})" in said(tmp_path / "w.svg")


def test_weights_of_a_divided_instance_are_those_of_its_largest_part(iris, tmp_path):
    tree = grow_info_gain(iris)
    method = wc.Shrinkage().fit(tree, iris)
    lost = replace(iris.take([0]), values=np.full((1, 5), np.nan), weights=None)
    _, leaves, shares = tree.router.paths(lost.values)
    depth = int(tree.depth[leaves[shares.argmax()]])
    found = weights.path_weights(method, lost)
    assert len(found.nodes) == depth + 2
    np.testing.assert_allclose(found.weight.sum(axis=0), 1)
    assert found.share == pytest.approx(shares.max()) and found.share < 1
    weights.plot_weights(tmp_path / "w.svg", found)
    assert sum(" with other paths)" in text for text in said(tmp_path / "w.svg")) == 3


@pytest.mark.parametrize("zone", ["", "Europe/Berlin"])
def test_dates_and_large_split_points_are_told_as_they_are(tmp_path, zone):
    """Not as 1.7e+12 milliseconds, nor as 2.483e+04: at branches, at a split, along an axis, and above intervals."""
    attributes = (
        wc.Attribute("day", "date", date_format="yyyy-MM-dd", zone=zone),
        wc.Attribute("income"),
        wc.Attribute("class", "nominal", ("a", "b")),
    )
    rng = np.random.default_rng(2)
    days = np.sort(rng.integers(19_700, 20_000, 80)) * 86_400_000.0
    midnights = [day - ahead_of_utc(zone, day) for day in days]
    values = np.column_stack(
        (midnights, rng.uniform(24_800, 24_900, 80), np.repeat([0.0, 1.0, 0.0, 1.0], [30, 10, 10, 30]))
    )
    values[:30, 2] = values[:30, 1] > 24_850.44
    data = wc.Dataset(wc.Header("visits", attributes, 2), values)
    tree = wc.grow(data, "CART")
    method = wc.ConfDTree(min_instances=2).fit(tree, data)
    write_tree(tmp_path / "t.svg", tree, annotate=method.annotation)
    routes.plot_routes(tmp_path / "r.svg", routes.ways_of(method, data.take([0])))
    intervals.plot_intervals(tmp_path / "i.svg", method, 0, data=data, marked=("row 1", data.take([0])))
    texts = [*said(tmp_path / "t.svg"), *said(tmp_path / "r.svg"), *said(tmp_path / "i.svg"), tree._repr_html_()]
    assert not [text for text in texts if re.search(r"\de\+?\d", text)], texts
    assert re.search(r"split at 2024-\d\d-\d\d", " ".join(texts))
    assert f"row 1: {np.datetime64(int(days[0]), 'ms').astype('datetime64[D]')}" in texts
    assert sum(bool(re.fullmatch(r"2024-\d\d-\d\d", text)) for text in said(tmp_path / "i.svg")) == intervals.N_TICKS
    assert any("24850" in text or "24851" in text for text in texts)


def test_methods_without_weights_are_refused(iris, tree):
    for method in (wc.LeafFrequency(), wc.WPE(numeric="bins"), wc.BoundaryDistance()):
        with pytest.raises(OptionError, match="has no weights along a path; shrinkage and shrinkage_wpe have"):
            weights.path_weights(method.fit(tree, iris), iris.take([0]))


def test_a_long_path_loses_its_middle(axes):
    n = 60
    found = weights.PathWeights(
        ["uniform", "root", *map(str, range(n - 2))], ("a", "b"), np.array([0.5, 0.5]), [0, 1],
        np.full((n, 2), 1 / n), np.full((n, 2), 0.5),
    )  # fmt: skip
    weights.draw_weights(axes, found, found.weight)
    weights.label_nodes(axes, found)
    assert len(axes.lines[0].get_xdata()) == weights.MOST_NODES
    assert len(axes.get_yticks()) == weights.MOST_NODES
    assert f"… {n - weights.MOST_NODES} nodes …\n46" in [label.get_text() for label in axes.get_yticklabels()]


# ---- ROC ----


def test_the_area_and_what_ties_may_make_of_it():
    is_of_class = (RNG.random(200) < 0.4).astype(float)
    score = np.round(RNG.random(200) + 0.4 * is_of_class, 1)
    size = RNG.integers(1, 4, 200).astype(float)
    curve = roc_curve(score, is_of_class, size)
    assert curve.area == pytest.approx(roc_auc_score(is_of_class, score, sample_weight=size))
    assert (curve.n_others, curve.n_of_class) == (size[is_of_class == 0].sum(), size[is_of_class == 1].sum())
    low, high = curve.bounds
    for sign, bound in ((-1, low), (1, high)):
        assert bound == pytest.approx(roc_auc_score(is_of_class, score + sign * 1e-9 * is_of_class, sample_weight=size))
    assert low < curve.area < high
    apart = roc_curve(RNG.random(50), (RNG.random(50) < 0.5).astype(float), np.ones(50))
    assert apart.bounds == pytest.approx((apart.area, apart.area))


def test_a_curve_ends_at_one_where_the_lowest_score_is_of_both_kinds():
    curve = roc_curve(np.array([2, 1, 1, 3.0]), np.array([1, 1, 0, 0.0]), np.array([1, 1, 2, 2.0]))
    assert (curve.false.tolist(), curve.true.tolist()) == ([0, 0.5, 0.5, 1], [0, 0, 0.5, 1])
    assert (curve.n_others, curve.n_of_class) == (4, 2)


@pytest.mark.parametrize(("false", "true", "blocks"), [
    ([0, 0.1, 0.6, 1], [0, 0.5, 0.7, 1], [(0.6, 0.7, 1, 1), (0.1, 0.5, 0.6, 0.7), (0, 0, 0.1, 0.5)]),
    ([0, 0.5, 1], [0, 0.01, 1], [(0.5, 0.01, 1, 1), (0, 0, 0.5, 0.01)]),
    ([0, 0.5, 1], [0, 0.0099, 1], [(0.5, 0.0099, 1, 1)]),
    ([0, 0, 1], [0, 1, 1], []),
])  # fmt: skip
def test_blocks_from_a_two_hundredth_of_the_square_come_the_largest_first(false, true, blocks):
    assert Roc(np.array(false), np.array(true), 100.0, 100.0).blocks == blocks


def test_a_block_of_equal_scores_is_a_box(tmp_path, axes):
    score, is_of_class = np.array([3, 2, 2, 2, 2, 1.0]), np.array([1, 1, 1, 0, 0, 0.0])
    curve = roc_curve(score, is_of_class, np.ones(6))
    roc._draw_curve(axes, curve, {"color": "black"})
    (box,) = axes.patches
    np.testing.assert_allclose(box.get_bbox().extents, [0, 100 / 3, 200 / 3, 100])
    np.testing.assert_allclose(axes.lines[0].get_xydata(), 100 * np.array([[0, 0], [0, 1 / 3], [2 / 3, 1], [1, 1]]))
    roc.plot_roc(tmp_path / "r.svg", {"tree": curve}, class_name="$a_b$")
    texts = said(tmp_path / "r.svg")
    assert "tree (AUC 0.778, 0.556 to 1.000 by ties)" in texts
    assert "instances of $a_b$ (%)" in texts
    assert "equal scores: any way through the box" in texts
    with pytest.raises(OptionError, match="no curve to draw"):
        roc.plot_roc(tmp_path / "r.svg", {}, class_name="a")


@pytest.mark.parametrize(
    ("weight", "drawn"), [([3, 5], [0]), ([5, 3], [1]), ([1, 3, 3], [1, 2, 0]), ([0, 2], []), ([], [])]
)
def test_which_classes_are_ranked(weight, drawn):
    assert list(roc.drawn_classes(weight)) == drawn


# ---- trees ----


def test_a_small_tree_is_readable_in_a_column(tmp_path, tree):
    write_tree(tmp_path / "t.pdf", tree)
    assert_fit_for_print(tmp_path / "t.pdf")
    assert width_of(tmp_path / "t.pdf") == pytest.approx(COLUMN)
    write_tree(tmp_path / "t.svg", tree)
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", (tmp_path / "t.svg").read_text())]
    assert min(sizes) >= 5
    assert "'DejaVu Sans', 'Verdana', 'Arial', sans-serif" in (tmp_path / "t.svg").read_text()
    assert {"petal width (cm)", "<= 0.8", "virginica", "(46/1)"} <= set(said(tmp_path / "t.svg"))


@pytest.mark.parametrize(("inches", "points"), [(60, 10), (0.1, 1)])
def test_texts_of_a_drawn_tree_have_one_to_ten_points(tree, inches, points):
    axes = tree.plot(Figure(figsize=(inches, inches)).add_subplot(), max_depth=1)
    assert {text.get_fontsize() for text in axes.texts} == {points}


def test_a_large_tree_is_drawn_as_deep_as_a_page_allows(tmp_path, recwarn):
    data = small(x=RNG.random(2000), y=RNG.random(2000), **{"class": RNG.choice(["a", "b"], 2000).tolist()})
    tree = grow_info_gain(data)
    write_tree(tmp_path / "t.pdf", tree)
    (note,) = [str(each.message) for each in recwarn if issubclass(each.category, Note)]
    assert re.search("is drawn down to depth [0-9]+, since", note)
    assert width_of(tmp_path / "t.pdf") <= 6.6
    with pytest.raises(OptionError, match="at most 40 are drawn; draw fewer levels, or take another"):
        write_tree(tmp_path / "u.pdf", tree, max_depth=99)
    assert not (tmp_path / "u.pdf").exists()


def test_a_tree_of_one_leaf_and_hostile_names(tmp_path):
    name = "x$^2$ <b>\x00\x1f\u202e" + "y" * 10_000
    data = small(**{name: [1, 2, 3, 4], "class": ["<i>\x07", "<i>\x07", "$b", "$b"]})
    write_tree(tmp_path / "t.svg", grow_info_gain(data))
    texts = said(tmp_path / "t.svg")
    assert "$b" in texts
    assert "<i>\\x07" in texts
    assert any(text.startswith("x$^2$ <b>\\x00\\x1f\\u202e") and len(text) < 40 for text in texts)
    write_tree(tmp_path / "leaf.pdf", grow_info_gain(data.take([0, 1])))
    assert width_of(tmp_path / "leaf.pdf") == pytest.approx(COLUMN)


def test_characters_that_the_font_lacks_are_told_unless_they_stay_text(tmp_path, recwarn):
    data = small(**{"花びら": [1, 2, 3, 4], "class": ["a", "a", "b", "b"]})
    tree = grow_info_gain(data)
    write_tree(tmp_path / "t.svg", tree)
    assert "花びら" in said(tmp_path / "t.svg")
    assert not recwarn.list
    write_tree(tmp_path / "t.pdf", tree)
    (told,) = recwarn.list
    assert issubclass(told.category, Note)
    assert "DejaVu Sans lacks characters of the names" in str(told.message)


def test_warnings_while_drawing_are_passed_on(tmp_path):
    def draw():
        warnings.warn("of matplotlib", UserWarning, stacklevel=1)
        return Figure()

    with pytest.warns(UserWarning, match=r"^of matplotlib$"):
        save(tmp_path / "f.png", draw)
    assert (tmp_path / "f.png").stat().st_size


def test_names_are_cut_in_the_middle():
    assert name_text("a" * 28) == "a" * 28
    assert name_text("a" * 20 + "b" * 20) == "a" * 18 + "…" + "b" * 9
    assert name_text("two\nlines\t") == "two\\nlines\\t"


def test_ways_are_drawn_in_their_style(tree, axes):
    layout = lay_out(tree)
    draw_tree(axes, layout, {2: {"colors": "red", "zorder": 5}})
    (lines,) = axes.collections
    colours = [tuple(colour) for colour in lines.get_colors()]
    assert colours.index((1, 0, 0, 1)) == len(layout.words) - 1  # the last is on top
    assert colours.count((1, 0, 0, 1)) == 1


def test_leaves_have_the_colours_of_their_classes(axes):
    """A quarter of the colour, the rest white, in square boxes; what is tested stands in round white ones."""
    header = small(x=[0], c=(["a", "b"], ["a"])).header
    draw_tree(axes, lay_out(written_tree(header, (0, LE, 1.0, [0.0, 2.0], [3.0, 0.0]))))
    boxes = [text.get_bbox_patch() for text in axes.texts[2:]]
    expected = [(1, 1, 1), *(tint(COLOURS[c], 0.25) for c in (1, 0))]
    np.testing.assert_allclose([box.get_facecolor()[:3] for box in boxes], expected)
    assert [type(box.get_boxstyle()).__name__ for box in boxes] == ["Round", "Square", "Square"]


@pytest.mark.parametrize(("depth", "is_whole"), [(5, True), (16, True), (20, False)])
def test_a_narrow_tree_is_no_higher_than_a_page(tmp_path, depth, is_whole):
    """It fills a column if it can; a deeper one gets smaller texts, and is cut where these could not be read."""
    data = small(x=[0, 1], c=["a", "b"])
    chain = [1.0, 0.0]
    for point in range(depth):
        chain = (0, LE, float(point), chain, [0.0, 1.0])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        write_tree(tmp_path / "chain.png", written_tree(data.header, chain))
    with Image.open(tmp_path / "chain.png") as image:
        width, height = (side / 300 for side in image.size)
    assert width == pytest.approx(3.4, abs=0.01) and height <= 9.01
    assert bool(told) != is_whole
