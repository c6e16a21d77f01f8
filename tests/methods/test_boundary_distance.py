"""Boundary distance: the paper's example, projection rules, boxes in Python, boxes in numpy, branch and bound."""

import math
from dataclasses import replace

import numpy as np
import pytest
from reference import toth2006_reference as toth
from support.random_trees import random_dataset, random_header, random_tree
from support.small_data import small
from support.written_trees import EACH, EQUALS, LE, LT, SUBSET, written_tree

import wekaconf as wc
from wekaconf.base.rounding import most_probable
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.methods.boundary_distance import BoundaryDistance
from wekaconf.methods.boundary_distance import _boundary_distance as boundary_method
from wekaconf.methods.boundary_distance import _compiled as compiled
from wekaconf.methods.boundary_distance import _regions as regions
from wekaconf.tree._kinds import Routing, SplitKind

NORMS = ("l2", "l1", "linf")


# ---- trees written down, and random ones ----


def numeric_header(n_attributes, n_classes=3):
    attributes = [Attribute(f"x{i}") for i in range(n_attributes)]
    attributes.append(Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes))))
    return Header("numeric", tuple(attributes), n_attributes)


def random_spec(rng, header, depth, points):
    """Splits that know nothing of those above them: many regions are void."""
    if depth == 0 or rng.random() < 0.1:
        return int(rng.integers(header.n_classes))
    column = int(rng.choice([c for c in range(len(header.attributes)) if c != header.class_index]))
    values = header.attributes[column].values
    kind, operand, n_branches = SplitKind(rng.choice([LE, LT])), float(rng.choice(points)), 2
    if values:
        kind = SplitKind(rng.choice([EACH, EQUALS]))
        operand = int(rng.integers(len(values)))
        n_branches = len(values) if kind == EACH else 2
    return column, kind, operand, *(random_spec(rng, header, depth - 1, points) for _ in range(n_branches))


def grown_spec(rng, low, high, depth, points):
    """Numeric splits each inside the box that those above leave, as in a tree that was grown."""
    column = int(rng.integers(len(low)))
    inside = points[(points > low[column]) & (points < high[column])]
    if depth == 0 or not len(inside):
        return int(rng.integers(3))
    point = float(rng.choice(inside))
    beneath, above = high.copy(), low.copy()
    beneath[column] = above[column] = point
    parts = (grown_spec(rng, low, beneath, depth - 1, points), grown_spec(rng, above, high, depth - 1, points))
    return column, LE, point, *parts


def grown_tree(seed, n_attributes, depth, points):
    low = np.full(n_attributes, -np.inf)
    spec = grown_spec(np.random.default_rng(seed), low, -low, depth, points)
    return written_tree(numeric_header(n_attributes), spec)


GRID = np.arange(-20, 21) / 10
HOSTILE = [*GRID, 0.0, -0.0, 1e300, -1e300, np.inf, -np.inf, np.nan, 5e-324, 1e-200, np.nextafter(0.5, 1)]


def random_case(seed):
    """A tree with its training and test data: of any routing with empty leaves, or one with void regions."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=1 + seed % 6, n_classes=2 + seed % 3)
    train = random_dataset(rng, header, 80, missing=0.1 * (seed % 2), weights=seed % 3 == 0)
    test = random_dataset(rng, header, 30, missing=0.1 * (seed % 3))
    if seed % 2:
        return random_tree(rng, train, max_depth=seed % 9, routing=list(Routing)[seed // 2 % len(Routing)]), train, test
    tree = written_tree(header, random_spec(rng, header, seed % 7, HOSTILE if seed % 4 else GRID))
    if seed % 4:
        values = test.values.copy()
        numeric = [column for column, attribute in enumerate(header.attributes) if not attribute.is_nominal]
        hostile = rng.choice(HOSTILE, size=(len(test), len(numeric)))
        values[:, numeric] = np.where(rng.random(hostile.shape) < 0.3, hostile, values[:, numeric])
        test = replace(test, values=values)
    return tree, train, test


def both_forms(method, data):
    """Distance and node, after making sure that both forms agree in every bit."""
    predicted = most_probable(method.tree_.predict_proba(data))
    given = (data.values, predicted, method.norm, method.nominal)
    distance, node = regions.nearest(method.regions_, *given)
    compiled_distance, compiled_node, entered = compiled.nearest(method.regions_, method.tree_, *given)
    assert distance.tobytes() == compiled_distance.tobytes()
    np.testing.assert_array_equal(node, compiled_node)
    assert (entered <= method.tree_.n_nodes).all()
    return distance, node


# ---- the paper's example ----


def example():
    """A leaf whose boundary matrix is (2.4.1), below a split that is no boundary of it."""
    inner = (0, LE, 0.504, (1, LE, 0.778, (0, LE, 0.370, 1, (1, LE, 0.447, 1, 0)), 1), 1)
    tree = written_tree(numeric_header(2, 2), (0, LE, 0.9, inner, 1))
    return tree, int(np.flatnonzero(tree.router.answer[:, 0] == 1)[-1])


def test_boundary_matrix():
    assert toth.boundary_matrix(*example()) == [[0.504, 0.370], [0.778, 0.447]]


def test_projection_rules():
    inf = math.inf
    assert set(toth.projection_rules(toth.boundary_matrix(*example()))) == {
        (0.504, 0.778), (0.504, 0.447), (0.370, 0.778), (0.370, 0.447),
        (inf, 0.778), (inf, 0.447), (0.504, inf), (0.370, inf),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ((0.45, 0.5), 0.053),  # inside, the nearest wall
        ((0.5, 0.6), 0.5 - 0.504),
        ((0.6, 0.6), 0.6 - 0.504),  # beside
        ((0.3, 0.4), math.hypot(0.07, 0.047)),  # over a corner
        ((0.95, 0.8), math.hypot(0.95 - 0.504, 0.022)),
    ],
)
def test_distances_of_the_example(cells, expected):
    tree, _ = example()
    data = Dataset(tree.header, [[*cells, np.nan]])
    distance, _ = both_forms(BoundaryDistance().fit(tree, Dataset(tree.header, [[0, 0, 0]])), data)
    np.testing.assert_allclose(distance, [abs(expected)], rtol=1e-12)
    np.testing.assert_allclose(toth.Projection(tree).distance([*cells, np.nan]), abs(expected), rtol=1e-12)


# ---- the forms against one another ----


@pytest.mark.parametrize("seed", range(40))
def test_projection_rules_and_boxes_agree_off_the_split_points(seed):
    n_attributes = 1 + seed % 5
    tree = grown_tree(seed, n_attributes, 1 + seed % 6, GRID)
    projection, boxes = toth.Projection(tree), toth.Boxes(tree, np.ones(6))
    cells = np.random.default_rng(seed).uniform(-3, 3, size=(4, n_attributes))
    data = Dataset(tree.header, np.column_stack((cells, np.full(4, np.nan))))
    distance, _ = both_forms(BoundaryDistance().fit(tree, data), data)
    for row, ours in zip(data.values.tolist(), distance, strict=True):
        literal = projection.distance(row)
        np.testing.assert_allclose(ours, literal, rtol=1e-12)
        in_python = boxes.distances(row, toth.class_at(tree, row))
        np.testing.assert_allclose(min(in_python.values(), default=np.inf), literal, rtol=1e-12)


def test_projection_rules_never_fall_short_of_the_boxes_and_err_on_split_points():
    longer = 0
    for seed in range(40):
        n_attributes, points = 1 + seed % 3, GRID[15:26]
        tree = grown_tree(seed, n_attributes, 1 + seed % 5, points)
        cells = np.random.default_rng(seed).choice(points, size=(6, n_attributes))
        cells = np.column_stack((cells, np.full(6, np.nan)))
        projection, data = toth.Projection(tree), Dataset(tree.header, cells)
        distance, _ = both_forms(BoundaryDistance().fit(tree, data), data)
        literal = np.array([projection.distance(row) for row in cells.tolist()])
        assert (distance <= literal * (1 + 1e-12) + 1e-12).all()
        longer += (literal > distance + 1e-6).sum()
    assert longer > 10


@pytest.mark.parametrize("seed", range(60))
def test_all_boxes_branch_and_bound_and_plain_python_agree(seed):
    tree, train, test = random_case(seed)
    own = most_probable(tree.predict_proba(test))
    scaling = ("raw", "minmax", "z")[seed % 3]
    for norm in NORMS:
        for nominal in (1.0, 0, 0.3, np.inf):
            method = BoundaryDistance(norm=norm, nominal=nominal, scaling=scaling).fit(tree, train)
            distance, node = both_forms(method, test)
            boxes = toth.Boxes(tree, method.regions_.unit.tolist(), norm, nominal)
            for row, cells in enumerate(test.values.tolist()):
                expected = boxes.distances(cells, own[row])
                least = min(expected.values(), default=np.inf)
                np.testing.assert_allclose(distance[row], least, rtol=1e-12)
                if least == np.inf:
                    assert node[row] == -1
                else:
                    np.testing.assert_allclose(expected[node[row]], least, rtol=1e-12)
                    assert all(found > least * (1 - 1e-12) for leaf, found in expected.items() if leaf < node[row])


def test_the_cases_hold_what_is_to_be_tried():
    trees = [random_case(seed)[0] for seed in range(60)]
    n_void = [len(toth.leaves(tree)) - len(toth.Boxes(tree, []).class_of) for tree in trees]
    assert sum(n > 0 for n in n_void) > 20
    assert sum((tree.is_empty & (tree.split_kind == SplitKind.LEAF)).any() for tree in trees) > 5
    assert {SplitKind(kind) for tree in trees for kind in tree.split_kind} == set(SplitKind) - {SUBSET}
    assert any(np.isinf(random_case(seed)[2].values).any() for seed in range(60))
    ties = 0
    for seed in range(60):
        tree, train, test = random_case(seed)
        method = BoundaryDistance().fit(tree, train)
        distance, _ = both_forms(method, test)
        boxes, own = toth.Boxes(tree, method.regions_.unit.tolist()), most_probable(tree.predict_proba(test))
        for row, cells in enumerate(test.values.tolist()):
            ties += list(boxes.distances(cells, own[row]).values()).count(distance[row]) > 1
    assert ties > 100


def subset_spec(rng, header, depth):
    """Random splits, the nominal ones by subsets, some of them by none or all of the values."""
    if depth == 0 or rng.random() < 0.1:
        return int(rng.integers(header.n_classes))
    column = int(rng.choice([c for c in range(len(header.attributes)) if c != header.class_index]))
    values = header.attributes[column].values
    kind, operand = (SUBSET, (rng.random(len(values)) < 0.5).tolist()) if values else (LE, float(rng.choice(GRID)))
    return column, kind, operand, subset_spec(rng, header, depth - 1), subset_spec(rng, header, depth - 1)


def value_by_value(spec):
    """The same regions by splits that part all values, for the reference, which knows of no subsets."""
    if not isinstance(spec, tuple):
        return spec
    column, kind, operand, inside, outside = spec
    inside, outside = value_by_value(inside), value_by_value(outside)
    if kind != SUBSET:
        return column, kind, operand, inside, outside
    return column, EACH, 0, *(inside if flag else outside for flag in operand)


def subset_case(seed):
    """Such a tree, the tree of the reference, and data."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=1 + seed % 4, n_classes=2 + seed % 3)
    spec = subset_spec(rng, header, 1 + seed % 5)
    data = random_dataset(rng, header, 30, missing=0.15 * (seed % 2))
    return written_tree(header, spec), written_tree(header, value_by_value(spec)), data


@pytest.mark.parametrize("seed", range(40))
def test_subsets(seed):
    tree, parted, data = subset_case(seed)
    own = most_probable(tree.predict_proba(data))
    for norm in NORMS:
        for nominal in (1.0, 0.3, np.inf):
            method = BoundaryDistance(norm=norm, nominal=nominal, scaling="z").fit(tree, data)
            distance, node = both_forms(method, data)
            boxes = toth.Boxes(parted, method.regions_.unit.tolist(), norm, nominal)
            expected = [boxes.distances(cells, c) for cells, c in zip(data.values.tolist(), own, strict=True)]
            least = [min(found.values(), default=np.inf) for found in expected]
            np.testing.assert_allclose(distance, least, rtol=1e-12)
            for at, point in zip(node, method.nearest(data).point, strict=True):
                assert at < 0 or holds_values(tree, at, point)


def holds_values(tree, node, point):
    """Whether the values by whose subsets a node is come to are those of a point, so far as it has any."""
    return all(
        np.isnan(value := point[tree.split_attribute[above]])
        or tree.split_subset[tree.split_value[above] + int(value)] == (branch == 0)
        for above, branch in toth.steps_up(tree, node)
        if tree.split_kind[above] == SUBSET
    )


def test_many_instances():
    rng = np.random.default_rng(1)
    header = random_header(rng, 5, 3)
    train = random_dataset(rng, header, 8_000)
    tree = random_tree(rng, train, max_depth=7)
    method = BoundaryDistance(scaling="z").fit(tree, train)
    assert len(train) * len(method.regions_.node) > 2 * regions.CELLS
    distance, node = both_forms(method, train)
    few = np.arange(0, 8_000, 397)
    np.testing.assert_array_equal(both_forms(method, train.take(few)), (distance[few], node[few]))


BESIDE = (0, LE, 0.0, 1, (1, LE, 0.0, 1, 0))
"""Node 1 lies across one axis, node 3 across the other."""
BEHIND = (0, LE, 0.0, (1, LE, 0.0, 1, 0), (2, LE, 0.0, 1, 0))
"""Node 3 lies across two axes, node 5 across a third."""
FURTHER = (0, LE, 0.0, (0, LE, -4.0, 1, 0), (1, LE, 0.0, 1, 0))
"""Node 3 lies across two splits of the same axis, node 5 across the other."""


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("spec", "cells", "distance", "node", "entered"), [
    ((0, LE, 0.0, 1, (0, LE, 10.0, 0, 1)), [9.0], 1.0, 4, 3),
    (BESIDE, [3.0, 4.0], 3.0, 1, 4), (BESIDE, [2.05, 2.0], 2.0, 3, 3), (BESIDE, [2.0, 2.0], 2.0, 1, 4),
    (BESIDE, [0.0, 4.0], 0.0, 1, 2), (BESIDE, [np.nan, 4.0], 0.0, 1, 2), (FURTHER, [3.0, 7.2], 7.0, 3, 5),
    (BEHIND, [3.0, 4.0, 4.5], {"linf": 4.0}, {"linf": 3}, {"linf": 5}),
])  # fmt: skip
def test_what_lies_too_far_away_is_not_entered(spec, cells, distance, node, entered, norm):
    """The nearer branch comes first, and another only if it may hold something nearer, or as near and lower."""
    if spec == BEHIND:
        distance, node, entered = distance.get(norm, 4.5), node.get(norm, 5), entered.get(norm, 4)
    tree = written_tree(numeric_header(len(cells), 2), spec)
    assert entered_in(tree, cells, norm=norm) == (distance, node, entered)


def test_below_a_region_at_no_distance_only_lower_nodes_are_entered():
    """Where another nominal value costs nothing, node 2 is found first; of node 1, only the way down could be lower."""
    data = small(n=(("a", "b"), ["a"]), x=[0.0], **{"class": (("p", "q"), ["p"])})
    tree = written_tree(data.header, (0, EACH, None, (1, LE, 0.0, 1, 0), 1))
    assert entered_in(tree, [1, 0.0], nominal=0.0) == (0.0, 2, 3)


def entered_in(tree, cells, **params):
    """Distance and node of an instance of the first class, and how many nodes the search enters."""
    asked = Dataset(tree.header, [[*cells, np.nan]])
    method = BoundaryDistance(**params).fit(tree, asked)
    given = (asked.values, np.zeros(1, dtype=np.int64), method.norm, method.nominal)
    return tuple(found.item() for found in compiled.nearest(method.regions_, tree, *given))


def test_either_form_may_answer(monkeypatch):
    tree, train, test = random_case(5)
    method = BoundaryDistance().fit(tree, train)
    by_boxes = method.nearest(test)
    monkeypatch.setattr(boundary_method, "COMPILED_FROM", 0)
    by_search = method.nearest(test)
    for name in ("distance", "node", "class_index", "point"):
        np.testing.assert_array_equal(getattr(by_boxes, name), getattr(by_search, name))
    np.testing.assert_array_equal(method.certainty(test), by_boxes.distance)


# ---- the nearest point ----


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_the_nearest_point_is_in_a_region_of_another_class_at_that_distance(seed):
    tree, train, test = random_case(seed)
    for norm in NORMS:
        method = BoundaryDistance(norm=norm, nominal=0.7, scaling="minmax").fit(tree, train)
        found = method.nearest(test)
        own = method.predict(test)
        unit = method.regions_.unit
        assert np.isnan(found.point[:, tree.header.class_index]).all()
        for row in range(len(test)):
            node, point, cells = found.node[row], found.point[row], test.values[row]
            if node < 0:
                assert found.distance[row] == np.inf and found.class_index[row] == -1 and np.isnan(point).all()
                continue
            inside = toth.someone_inside(tree, node)
            assert toth.class_at(tree, inside) == found.class_index[row] != own[row]
            offsets = []
            for column, asked in toth.conditions(tree, node).items():
                attribute = tree.header.attributes[column]
                assert np.isnan(point[column]) == np.isnan(cells[column])
                assert toth.offset(point[column], asked, attribute, 1.0, 1.0) == 0
                if attribute.is_nominal:
                    is_kept = np.isnan(cells[column]) or point[column] == cells[column]
                    offsets.append(0.0 if is_kept else 0.7)
                    fit = [v for v in range(len(attribute.values)) if all(toth.holds(v, *asks) for asks in asked)]
                    assert is_kept or (point[column] == fit[0] and cells[column] not in fit)
                elif point[column] == cells[column] or np.isnan(cells[column]):
                    offsets.append(0.0)
                else:
                    offsets.append(abs(point[column] - cells[column]) / unit[column])
            np.testing.assert_allclose(toth.length(offsets, norm), found.distance[row], rtol=1e-12)


# ---- single cases ----


def answer(tree, *cells, **params):
    """The distances of instances under a method fitted on nothing but these, made sure of in both forms."""
    data = Dataset(tree.header, [[*row, np.nan] for row in cells])
    return both_forms(BoundaryDistance(**params).fit(tree, data), data)[0].tolist()


def test_a_tree_of_one_class_has_no_boundary():
    header = numeric_header(1)
    for spec in (1, (0, LE, 0.0, 1, 1)):
        assert answer(written_tree(header, spec), [0.5], [-np.inf]) == [np.inf, np.inf]


@pytest.mark.parametrize("kind", [LE, LT])
def test_on_a_split_point_the_distance_is_zero(kind):
    tree = written_tree(numeric_header(1), (0, kind, 0.5, 0, 1))
    assert answer(tree, [0.5], [0.25], [1.0]) == [0, 0.25, 0.5]


def test_regions_that_nobody_gets_to_are_passed_over():
    header = numeric_header(1)
    assert answer(written_tree(header, (0, LE, 0.0, (0, LE, 1.0, 0, 1), (0, LE, 5.0, 0, 1))), [-1.0]) == [6]
    for point in (np.nan, -np.inf):
        assert answer(written_tree(header, (0, LE, point, 1, 0)), [1.0]) == [np.inf]
    assert answer(written_tree(header, (0, LT, np.inf, 0, 1)), [1.0]) == [np.inf]
    # value <= 1 and value >= 1 leaves one value, value < 1 and value >= 1 none
    assert answer(written_tree(header, (0, LE, 1.0, (0, LT, 1.0, 0, 1), 0)), [0.0]) == [1]
    assert answer(written_tree(header, (0, LT, 1.0, (0, LT, 1.0, 0, 1), 0)), [0.0]) == [np.inf]


def test_beyond_an_infinite_split_point_is_nobody():
    tree = written_tree(numeric_header(2), (0, LT, np.inf, 0, (1, LE, 0.0, 0, 1)))
    assert answer(tree, [np.inf, -1.0], [0.0, 1.0], [np.inf, 1.0]) == [np.inf, np.inf, 0]


def test_below_an_empty_node_is_nobody():
    tree = written_tree(numeric_header(1), (0, LE, 0.0, (0, LE, -1.0, 0, 1), 2))
    assert answer(tree, [-3.0]) == [2]
    is_empty, by_class = np.arange(5) == 1, tree.branch_class_weight.copy()
    by_class[1] = [2, 0, 0]
    assert answer(replace(tree, is_empty=is_empty, branch_class_weight=by_class), [-3.0]) == [3]


def test_split_points_that_are_compared_in_single_precision():
    cells = np.array([2.5, np.nextafter(2.5, 3), 2.5 + 1e-8, 2.5 + 2e-7, 2.0, 3.0])
    train = Dataset(numeric_header(1, 2), np.column_stack((cells, [0, 0, 0, 1, 0, 1])))
    tree = random_tree(np.random.default_rng(0), train, max_depth=1, routing=Routing.CART)
    tree = replace(tree, split_point=[2.5, np.nan, np.nan], class_weight=[[0.5, 0.5], [1, 0], [0, 1]])
    assert tree.predict(train).tolist() == [0, 0, 0, 1, 0, 1]
    method = BoundaryDistance().fit(tree, train)
    distance, _ = both_forms(method, train)
    np.testing.assert_allclose(distance, [0, 0, 0, 2e-7, 0.5, 0.5], rtol=1e-8)
    assert distance[4] == distance[5] == 0.5


def test_infinite_values():
    tree = written_tree(numeric_header(2), (0, LE, 0.0, (1, LE, 3.0, 0, 1), 2))
    assert answer(tree, [np.inf, 0.0], [-np.inf, 1.0], [-1.0, -np.inf]) == [np.inf, 2, 1]


def test_extremes_neither_overflow_nor_vanish():
    corner = written_tree(numeric_header(2), (0, LE, 0.0, 0, (1, LE, 0.0, 0, 1)))
    for size in (1e300, 1e200, 1e-200, 1e-300):
        found = answer(corner, [-3 * size, -4 * size])
        np.testing.assert_allclose(found, [5 * size], rtol=1e-15)
    assert answer(corner, [-1e308, -1e308], norm="l1") == [np.inf]


def nominal_tree():
    data = small(n=(("a", "b", "c"), ["a"]), x=[0.0], **{"class": (("p", "q"), ["p"])})
    return written_tree(data.header, (0, EACH, None, (1, LE, 2.0, 0, 1), 0, 1))


@pytest.mark.parametrize(
    ("nominal", "expected"),
    [(1.0, [1, 1, 1, 0]), (0, [0, 0, 0, 0]), (3.0, [2, 3, 3, 0]), (np.inf, [2, np.inf, np.inf, 0])],
)
def test_another_nominal_value_has_its_cost(nominal, expected):
    assert answer(nominal_tree(), [0, 0.0], [1, 0.0], [2, 0.0], [np.nan, 0.0], nominal=nominal) == expected


def test_a_missing_value_is_free_on_its_axis():
    tree = written_tree(numeric_header(2), (0, LE, 0.0, 0, (1, LE, 5.0, 0, 1)))
    assert answer(tree, [np.nan, 2.0], [-4.0, np.nan]) == [3, 4]


def test_units():
    values = [[1.0, 5.0, np.nan], [3.0, 5.0, 2.0], [7.0, 5.0, 4.0], [np.nan, 5.0, 4.0]]
    x, constant, gaps = map(list, zip(*values, strict=True))
    one, wide = [1.0, *[np.nan] * 3], [1e308, -1e308, 0, 0]
    columns = {"x": x, "constant": constant, "gaps": gaps, "one": one, "wide": wide, "n": list("abab")}
    data = small(**columns, weights=[1.0, 2.0, 1.0, 0.5], **{"class": list("pqpq")})
    assert boundary_method.units(data, "raw").tolist() == [1] * 7
    assert boundary_method.units(data, "minmax").tolist() == [6, 1, 2, 1, 1, 1, 1]
    mean = 14 / 4
    deviation = math.sqrt(((1 - mean) ** 2 + 2 * (3 - mean) ** 2 + (7 - mean) ** 2) / 4 * 3 / 2)
    np.testing.assert_allclose(boundary_method.units(data, "z")[:2], [deviation, 1], rtol=1e-15)
    assert boundary_method.units(data, "z")[3:].tolist() == [1, 1, 1, 1]


def test_explanations():
    tree = nominal_tree()
    data = Dataset(
        tree.header, [[0, 1.5, np.nan], [1, 0.0, np.nan], [0, 2.0, np.nan], [2, 2.5, np.nan], [0, np.nan, np.nan]]
    )
    method = BoundaryDistance(nominal=1.0).fit(tree, data)
    explained = method.explain(data)
    assert [[str(event) for event in explained[i]] for i in range(5)] == [
        ["boundary x: distance 0.5, class q, changes {x 1.5 → above 2}"],
        ["boundary n: distance 1, class q, changes {n b → c}"],
        ["boundary x: distance 0, class q, changes {x 2 → above 2}"],
        ["boundary n: distance 1, class p, changes {n c → b}"],
        ["boundary x: distance 0, class q, changes {x missing → a known value}"],
    ]
    assert explained.counts() == {"boundary": 5}
    far = BoundaryDistance(nominal=np.inf).fit(tree, data).explain(data)
    assert [len(far[i]) for i in range(5)] == [1, 0, 1, 0, 1]


def test_the_nearest_region_and_its_nearest_point():
    tree = nominal_tree()
    data = Dataset(tree.header, [[0, 1.5, np.nan], [1, 0, np.nan], [2, 5, np.nan], [0, np.nan, np.nan]])
    method = BoundaryDistance().fit(tree, data)
    found = method.nearest(data)
    assert (found.distance.tolist(), found.node.tolist()) == ([0.5, 1, 1, 0], [5, 3, 2, 5])
    assert found.class_index.tolist() == [1, 1, 0, 1]
    np.testing.assert_array_equal(found.point, [[0, 2, np.nan], [2, 0, np.nan], [1, 5, np.nan], [0, np.nan, np.nan]])
    told = [method.explain(data).account(i).certainty for i in range(4)]
    assert [step.words for step in told] == [
        "x 1.5 → above 2 gives q; the Euclidean length of the way: x 0.5",
        "n b → c gives q; the Euclidean length of the way: n 1",
        "n c → b gives p; the Euclidean length of the way: n 1",
        "x missing → a known value gives q",
    ]
    assert [(step.node, step.result) for step in told] == [(5, 0.5), (3, 1), (2, 1), (5, 0)]
    assert told[0].values == {"offsets": {"x": 0.5}, "norm": "l2", "class": "q", "point": {"x": 2.0}}
    assert told[1].values == {"offsets": {"n": 1.0}, "norm": "l2", "class": "q", "point": {"n": "c"}}


def test_where_there_is_no_other_class_there_is_no_nearest_region():
    tree = written_tree(numeric_header(1), 1)
    data = Dataset(tree.header, [[0.5, np.nan]])
    method = BoundaryDistance().fit(tree, data)
    found = method.nearest(data)
    assert (found.distance.tolist(), found.node.tolist(), found.class_index.tolist()) == ([np.inf], [-1], [-1])
    assert np.isnan(found.point).all() and found.point.shape == (1, 2)
    step = method.explain(data).account(0).certainty
    assert (step.words, step.result, step.node) == ("no change gives another class", np.inf, -1)
    assert step.values == {"offsets": {}, "norm": "l2"}


@pytest.mark.parametrize(("norm", "words", "distance"), [
    ("l2", "the Euclidean length of", 5), ("l1", "the sum of", 7), ("linf", "the largest of", 4),
])  # fmt: skip
def test_the_way_of_several_changes(norm, words, distance):
    tree = written_tree(numeric_header(2), (0, LT, 0.0, (1, LE, 0.0, 1, 0), 0))
    data = Dataset(tree.header, [[3.0, 4.0, np.nan]])
    step = BoundaryDistance(norm=norm).fit(tree, data).explain(data).account(0).certainty
    assert step.words == f"x0 3 → below 0 and x1 4 → 0 give c1; {words} the way: x0 3, x1 4"
    assert (step.result, step.node) == (distance, 3)


def test_an_explanation_of_several_changes():
    tree = written_tree(numeric_header(2), (0, LT, 0.0, (1, LE, 0.0, 1, 0), 0))
    header = replace(tree.header, attributes=(Attribute("x0"), Attribute("when", "date"), *tree.header.attributes[2:]))
    tree = replace(tree, header=header)
    data = Dataset(header, [[3.0, 4.0, np.nan]])
    (event,) = BoundaryDistance().fit(tree, data).explain(data)[0]
    assert (event.attribute, event.details["distance"]) == ("", 5)
    assert event.details["changes"] == ("x0 3 → below 0", "when 1970-01-01T00:00:00.004 → 1970-01-01T00:00:00.000")


# ---- the method as others see it ----


# ---- values that stay as they are ----


@pytest.mark.parametrize("scaling", ["raw", "minmax"])
def test_fixed_distance_is_exact(jvm, scaling, wine):
    """Over all boxes that hold the fixed values, by a loop over boxes; the nearest point keeps them."""
    method = wc.method("boundary_distance", scaling=scaling).fit(wc.grow(wine), wine)
    names = [attribute.name for attribute in wine.attributes]
    for fixed in (["flavanoids"], ["flavanoids", "proline"], ["color_intensity", "hue"]):
        columns = [names.index(name) for name in fixed]
        held = method.with_fixed(*fixed)
        found, predicted = held.nearest(wine), method.predict(wine)
        boxes = method.regions_
        for i, row in enumerate(wine.values):
            distances = []
            for b in range(len(boxes.node)):
                way = np.maximum(np.maximum(boxes.low[b] - row, row - boxes.high[b]), 0)
                way[wine.class_index] = 0
                if boxes.class_index[b] != predicted[i] and not way[columns].any():
                    distances.append(np.sqrt(((way / method.unit_) ** 2).sum()))
            assert found.distance[i] == pytest.approx(min(distances, default=np.inf), rel=1e-12)
            if np.isfinite(found.distance[i]):
                np.testing.assert_array_equal(found.point[i, columns], row[columns])
        assert (found.distance >= method.nearest(wine).distance).all()
    with pytest.raises(wc.OptionError, match="no attribute 'hu' other than the class; did you mean 'hue'"):
        method.with_fixed("hu")
    with pytest.raises(
        wc.OptionError, match="no attribute 'zzzz' other than the class; the attributes are 'alcohol', 'mal"
    ):
        method.with_fixed("zzzz")
