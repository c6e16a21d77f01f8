"""ConfDTree: the paper's worked examples, its two forms against each other and against the literal reference."""

import warnings
from dataclasses import replace
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.confdtree_reference import Reference
from support.katz_example import FINED, ROUTED, example
from support.random_trees import counts_distribution, random_dataset, random_header, random_tree, without_subsets
from support.small_data import small
from support.written_trees import LE, written_tree

from wekaconf.methods.confdtree import ConfDTree
from wekaconf.methods.confdtree import _compiled as compiled
from wekaconf.methods.confdtree import _confdtree as confdtree_method
from wekaconf.methods.confdtree import _intervals as intervals
from wekaconf.methods.confdtree import _vectorised as vectorised
from wekaconf.methods.confdtree._vectorised import Rules
from wekaconf.tree._kinds import Routing

SPREAD = [
    {},
    {"variant": "norm"},
    {"variant": "tdist"},
    {"variant": "tdist", "min_instances": 1},
    {"variant": "norm", "min_instances": 2},
    {"min_instances": 2},
    {"min_instances": 1},
    {"min_instances": 2, "z_assigned": 0.7, "z_other": 0.9},
    {"min_instances": 2, "variant": "tdist", "level_assigned": 0.5, "level_other": 0.99},
    {"min_instances": 2, "variant": "tdist", "routes": False},
    {"min_instances": 2, "variant": "tdist", "fines": False},
    {"min_instances": 2, "fine": 0.6},
    {"min_instances": 1, "variant": "tdist", "level_assigned": 1.0},
    {"min_instances": 1, "variant": "norm", "z_assigned": np.inf},
]


def random_case(seed, routing=Routing.J48, n_test=40):
    """A tree, its training data and test data: complete or not, weighted or not, with or without all classes."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=1 + seed % 5, n_classes=2 + seed % 3)
    classes = [1] if seed % 11 == 3 else None
    train = random_dataset(rng, header, 90, missing=0.1 * (seed % 2), weights=seed % 3 == 0, classes=classes)
    if seed % 4 == 1:
        train = constant_column(train)
    tree = random_tree(rng, train, max_depth=seed % 6, routing=routing, subsets=routing.adds_counts)
    return tree, train, random_dataset(rng, header, n_test, missing=0.1 * (seed % 3))


def constant_column(data):
    """The same with only one value of the first attribute in one class, and nearly so in another."""
    values = data.values.copy()
    numeric = next(c for c, attribute in enumerate(data.attributes) if attribute.kind == "numeric")
    values[data.class_values == 0, numeric] = 0.1
    return replace(data, values=values)


def both_forms(method, data):
    """The answers of the vectorised form, after making sure that the compiled ones are the same."""
    rules = Rules(method.fine, method.routes, method.fines)
    numpy_form = vectorised.answers(method.intervals_, rules, method.tree_.router, data.values)
    compiled_form = compiled.answers(method.intervals_, rules, method.tree_.router, data.values)
    for ours, theirs in zip(numpy_form, compiled_form, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    return numpy_form


class ReferenceOfCounts(Reference):
    """On a tree whose counts are added."""

    def own_answer(self, node, cells):
        return counts_distribution(self.tree, cells, node)


def assert_equals_reference(tree, train, test, options):
    """All three forms; the counts of routes and fines."""
    answers = both_forms(ConfDTree(**options).fit(tree, train), test)
    if tree.routing.adds_counts:
        plain, (train, test) = without_subsets(tree, train, test)
        reference = ReferenceOfCounts(plain, train, **options)
    else:
        reference = Reference(tree, train, **options)
    counts = {"route": 0, "fine": 0}
    for i, cells in enumerate(test.values):
        proba, events = reference.classify(cells)
        np.testing.assert_allclose(answers.proba[i], proba, rtol=0, atol=1e-12)
        of_instance = answers.instance == i
        kinds = np.array(["route", "fine"])[answers.kind[of_instance]]
        assert sorted(events) == list(zip(answers.node[of_instance].tolist(), kinds.tolist(), strict=True))
        for _, kind in events:
            counts[kind] += 1
    return counts


# ---- worked examples ----


@pytest.mark.parametrize("deviation", [ROUTED, FINED])
def test_the_tree_of_the_worked_example_is_that_of_its_data(deviation):
    """100 instances of each class, of which 30 of class C lie left of 10; Y in class A is 4.75, within 1.75."""
    tree, train, instance = example(deviation)
    assert tree.split_point[:2].tolist() == [10, 7]
    one_hot = np.eye(3)[train.class_values]
    at_leaf = np.array([one_hot[tree.apply(train) == node].sum(axis=0) for node in range(5)])
    assert at_leaf.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 70], [100, 0, 0], [0, 100, 30]]
    counts = at_leaf.copy()
    counts[1] = at_leaf[3] + at_leaf[4]
    counts[0] = counts[1] + at_leaf[2]
    np.testing.assert_array_equal(tree.class_weight, counts)
    np.testing.assert_array_equal(tree.total, counts.sum(axis=1))
    np.testing.assert_array_equal(tree.branch_class_weight[1:], counts[1:])
    np.testing.assert_array_equal(tree.branch_weight[1:], counts[1:].sum(axis=1))
    assert np.isnan(tree.branch_class_weight[0]).all() and np.isnan(tree.branch_weight[0])
    assert not tree.is_empty.any()
    x, y = ([train.values[train.class_values == c, at] for c in range(3)] for at in (0, 1))
    assert [values.mean() for values in x[:2]] == pytest.approx([4, 3])
    assert [values.std() for values in x] == pytest.approx([0.99, 0.99, 0.99 * deviation], abs=0.01)
    assert [values.mean() for values in y] == pytest.approx([4.75, 12, 12])
    assert [values.std(ddof=1) for values in y] == pytest.approx([1.75 / 2] * 3)
    np.testing.assert_array_equal(instance.values, [[9.9, 4.5, np.nan]])


def figure(deviation_of_c):
    """The tree of Figs 1 to 5, training data that give it, and an instance."""
    tree, train, instance = example(deviation_of_c)
    assert tree.predict_proba(instance).tolist() == [[1, 0, 0]]
    return tree, train, instance


def outside_of_a(train, kind):
    """The event at the root of a value outside of the interval of class A."""
    deviation = stdev(train.values[train.class_values == 0, 0])
    interval = pytest.approx((4 - 2 * deviation, 4 + 2 * deviation), abs=1e-12)
    return 0, kind, "X", {"value": 9.9, "class": "A", "interval": interval}


@pytest.mark.parametrize("variant", ["norm", "comb"])
def test_figure_4(variant):
    tree, train, instance = figure(ROUTED)
    method = ConfDTree(variant=variant).fit(tree, train)
    weights = method.intervals_.route_weight[1:3, 2]
    np.testing.assert_allclose(weights, [0.71442073, 8.36660027], rtol=0, atol=5e-9)
    answers = both_forms(method, instance)
    np.testing.assert_allclose(answers.proba, [[0.07867185, 0, 0.92132815]], rtol=0, atol=5e-9)
    np.testing.assert_array_equal(method.predict_proba(instance), answers.proba)
    assert method.explain(instance)[0] == (outside_of_a(train, "route"),)
    assert method.explain(instance).counts() == {"route": 1, "fine": 0}
    assert method.affected(instance).tolist() == [True]
    assert_equals_reference(tree, train, instance, {"variant": variant})


@pytest.mark.parametrize("variant", ["norm", "comb"])
def test_figure_5(variant):
    tree, train, instance = figure(FINED)
    method = ConfDTree(variant=variant).fit(tree, train)
    answers = both_forms(method, instance)
    np.testing.assert_allclose(answers.proba, [[0.9, 0.05, 0.05]], rtol=0, atol=1e-15)
    assert method.explain(instance)[0] == (outside_of_a(train, "fine"),)
    assert method.affected(instance).tolist() == [True]
    assert_equals_reference(tree, train, instance, {"variant": variant})


def test_a_tie_but_for_rounding_goes_to_the_lowest_class():
    tree, train, instance = figure(FINED)
    weights = tree.class_weight.copy()
    weights[3] = [0.3, 0.1 + 0.2, 0]
    tied = replace(tree, class_weight=weights, total=weights.sum(axis=1))
    ((a, b, _),) = tied.predict_proba(instance)
    assert 0 < b - a < 1e-15
    answers = both_forms(ConfDTree(variant="norm").fit(tied, train), instance)
    np.testing.assert_allclose(answers.proba, [[0.45, 0.525, 0.025]], rtol=0, atol=1e-15)
    assert_equals_reference(tied, train, instance, {"variant": "norm"})


def test_intervals_of_the_figure():
    tree, train, _ = figure(ROUTED)
    values, a = train.values[:, 0], slice(0, 100)
    mean, deviation = values[a].mean(), values[a].std(ddof=1)
    normal, student = (ConfDTree(variant=variant).fit(tree, train) for variant in ("norm", "tdist"))
    ends = [
        normal.intervals_.assigned_low[0, 0],
        normal.intervals_.assigned_high[0, 0],
        normal.intervals_.other_low[0, 0],
        normal.intervals_.other_high[0, 0],
    ]
    np.testing.assert_allclose(ends, mean + deviation * np.array([-2, 2, -1, 1]), rtol=1e-12)
    error = deviation / 10
    assert student.intervals_.assigned_high[0, 0] == pytest.approx(mean + 2.8713 * error, rel=1e-5)  # t(.9975; 99)
    assert student.intervals_.other_high[0, 0] == pytest.approx(mean + 1.6604 * error, rel=1e-5)  # t(.95; 99)


# ---- the forms against each other and against the reference ----


@pytest.mark.parametrize("options", SPREAD, ids=str)
@pytest.mark.drawn(6)
def test_equals_the_reference(options):
    total = {"route": 0, "fine": 0}
    routings = [*list(Routing)[:5], Routing.COUNTS, Routing.COUNTS_LAPLACE]
    for seed in range(6 * len(routings)):
        routing = routings[seed // 6]
        for kind, count in assert_equals_reference(*random_case(seed, routing), options).items():
            total[kind] += count
    bounded = options.get("z_assigned") != np.inf
    assert {kind: count > 0 for kind, count in total.items()} == {
        "route": bounded and options.get("routes", True),
        "fine": bounded and options.get("fines", True),
    }


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    routing=st.sampled_from(list(Routing)),
    options=st.fixed_dictionaries(
        {
            "variant": st.sampled_from(["comb", "norm", "tdist"]),
            "min_instances": st.integers(1, 8),
            "z_assigned": st.floats(0, 4) | st.just(np.inf),
            "z_other": st.floats(0, 4) | st.just(np.inf),
            "level_assigned": st.floats(0, 1),
            "level_other": st.floats(0, 1),
            "fine": st.floats(0, 1),
            "routes": st.booleans(),
            "fines": st.booleans(),
        }
    ),
)
def test_any_options_on_any_tree(seed, routing, options):
    tree, train, test = random_case(seed, routing)
    method = ConfDTree(**options).fit(tree, train)
    answers = both_forms(method, test)
    own = tree.predict_proba(test)
    assert (answers.proba >= 0).all()
    if routing != Routing.RANDOMTREE_UNCLASSIFIED:
        np.testing.assert_allclose(answers.proba.sum(axis=1), 1, rtol=0, atol=1e-9)
    untouched = np.setdiff1d(np.arange(len(test)), answers.instance)
    np.testing.assert_array_equal(answers.proba[untouched], own[untouched])


@pytest.mark.parametrize("beyond", [np.inf, -np.inf, 1e200, -1e308])
@pytest.mark.parametrize("variant", ["comb", "norm", "tdist"])
def test_infinite_and_huge_values(variant, beyond):
    for seed in range(24):
        tree, train, test = random_case(seed)
        numeric = [c for c, attribute in enumerate(test.attributes) if attribute.kind == "numeric"]
        cells = test.values.copy()
        cells[::2, numeric] = beyond
        extreme = replace(test, values=cells)
        assert_equals_reference(tree, train, extreme, {"variant": variant, "min_instances": 2})
        seen = train.values.copy()
        seen[::5, numeric] = beyond
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            method = ConfDTree(variant=variant, min_instances=2).fit(tree, replace(train, values=seen))
        assert np.isfinite(both_forms(method, extreme).proba).all()


def test_an_infinite_training_value_switches_its_node_off():
    tree, train, instance = figure(ROUTED)
    values = train.values.copy()
    values[0, 0] = -np.inf
    train = replace(train, values=values)
    method = ConfDTree(variant="tdist").fit(tree, train)
    assert method.intervals_.is_active.tolist() == [False, True, False, False, False]
    assert_equals_reference(tree, train, instance, {"variant": "tdist"})


def test_other_training_data_than_the_tree_s_still_give_distributions():
    """A class that no branch of the tree holds leads nowhere, so it opens no route."""
    for seed in range(40):
        tree, train, test = random_case(seed)
        relabelled = train.values.copy()
        relabelled[:, train.class_index] = (relabelled[:, train.class_index] + 1) % train.n_classes
        other = replace(train, values=relabelled)
        assert_equals_reference(tree, other, test, {"variant": "tdist", "min_instances": 2})


def test_batches_of_any_size(monkeypatch):
    tree, train, test = random_case(20, n_test=5_000)
    method = ConfDTree(variant="tdist", min_instances=2).fit(tree, train)
    assert len(test) > 5 * vectorised.CHUNK
    answers = both_forms(method, test)
    assert len(answers.instance) > 1000  # compiled buffers that grow
    for size in (0, 1, vectorised.CHUNK, vectorised.CHUNK + 1):
        part = both_forms(method, test.take(np.arange(size)))
        np.testing.assert_array_equal(part.proba, answers.proba[:size])
        np.testing.assert_array_equal(part.instance, answers.instance[answers.instance < size])
    for is_compiled in (True, False):
        monkeypatch.setattr(confdtree_method, "compiled_pays", lambda *_, chosen=is_compiled: chosen)
        np.testing.assert_array_equal(method.predict_proba(test), answers.proba)
        assert method.explain(test).counts() == dict(
            zip(("route", "fine"), np.bincount(answers.kind).tolist(), strict=True)
        )


def test_events_for_which_there_was_no_room_at_first(monkeypatch):
    tree, train, test = random_case(20, n_test=300)
    method = ConfDTree(variant="tdist", min_instances=2).fit(tree, train)
    calls, kernel = [], compiled._answers
    monkeypatch.setattr(compiled, "_answers", lambda *given: calls.append(given[1]) or kernel(*given))
    monkeypatch.setattr(compiled, "EVENTS_PER_ROW", 0)
    assert len(both_forms(method, test).instance) > 30
    assert len(calls) > 10 and calls == sorted(set(calls)) and calls[0] == 0


# ---- limits ----


@pytest.mark.parametrize("options", [{"min_instances": 10**9}, {"min_instances": 2, "routes": False, "fines": False}])
@pytest.mark.parametrize("routing", Routing)
def test_switched_off_it_is_the_tree(routing, options):
    for seed in range(24):
        tree, train, test = random_case(seed, routing)
        method = ConfDTree(**options).fit(tree, train)
        np.testing.assert_array_equal(both_forms(method, test).proba, tree.predict_proba(test))
        if routing != Routing.RANDOMTREE_UNCLASSIFIED:
            np.testing.assert_array_equal(method.predict_proba(test), tree.predict_proba(test))
        assert method.explain(test).counts() == {"route": 0, "fine": 0}


def test_equal_values_are_a_point_interval_and_not_normal():
    """However small the class: the Kolmogorov-Smirnov bound alone would let up to three equal values pass."""
    for n in (1, 2, 3, 10):
        data = small(x=[0.1] * n, **{"class": (("a", "b"), ["a"] * n)})
        mean, deviation, distance = intervals._describe(data.values[:, 0], data.weights, np.array([0]), np.array([n]))
        assert (mean.item(), deviation.item()) == (0.1, 0.0)
        assert not intervals.passes_normality(distance, np.array([n])).any()


def test_values_pass_up_to_the_published_critical_value():
    """That of Stephens (1974) at .01."""
    distances = np.array([1.627, 1.629]) / (4 + 0.12 + 0.11 / 4)
    assert intervals.passes_normality(distances, np.array([16])).tolist() == [True, False]


@pytest.mark.parametrize(("values", "weights"), [([1.0, 2.0], [1.0, 0.0]), ([0.0, 1e-200], [1.0, 1.0])])
def test_different_values_without_a_deviation_have_no_statistics(values, weights):
    """If a single one of them has a weight, or the squares of their differences are too small for a double."""
    found = intervals._describe(np.array(values), np.array(weights), np.array([0]), np.array([2]))
    np.testing.assert_array_equal(found, np.full((3, 1), np.nan))


def with_intervals(low, high):
    """ConfDTree on one split at 5, where p has the interval [1, 3] when it leads and q another when it does not."""
    train = small(x=[1, 2, 3, 4, 6, 7, 8, 9], c=("pqr", list("pppqpqqq")))
    method = ConfDTree(variant="tdist", min_instances=1).fit(
        written_tree(train.header, (0, LE, 5.0, [3, 1, 0], [1, 3, 0])), train
    )
    ends = {"assigned_low": [1.0, 6.0], "assigned_high": [3.0, 9.0], "other_low": [2.0, low], "other_high": [2.0, high]}
    tables = {name: np.full((3, 3), np.nan) for name in ends}
    for name, values in ends.items():
        tables[name][0, :2] = values
    weight = np.zeros((3, 3))
    weight[1:, :2] = [1.0, 1.0], [1.0, 3.0]
    method.intervals_ = replace(method.intervals_, **tables, route_weight=weight)
    return method


@pytest.mark.parametrize(("x", "low", "high", "kind"), [
    (1.0, 50.0, 60.0, None), (np.nextafter(1, 0), 50.0, 60.0, "fine"),
    (3.0, 50.0, 60.0, None), (np.nextafter(3, 4), 50.0, 60.0, "fine"),
    (2.0, 1.5, 2.5, None),
    (4.0, 4.0, 4.5, "route"), (np.nextafter(4, 0), 4.0, 4.5, "fine"),
    (4.5, 4.0, 4.5, "route"), (np.nextafter(4.5, 5), 4.0, 4.5, "fine"),
])  # fmt: skip
def test_the_ends_of_an_interval_are_inside_it(x, low, high, kind):
    """In both forms, and in the steps of the account."""
    method = with_intervals(low, high)
    asked = small(x=[x], c=("pqr", [None]))
    expected = {None: [0.75, 0.25, 0], "fine": [0.675, 0.325, 0], "route": [0.375, 0.625, 0]}[kind]
    for form in (vectorised, compiled):
        found = form.answers(method.intervals_, Rules(0.1, True, True), method.tree_.router, asked.values)
        np.testing.assert_allclose(found.proba, [expected], rtol=1e-15)
        assert found.node.tolist() == ([0] if kind else [])
    explanation = method.explain(asked)
    assert [event.kind for event in explanation[0]] == ([kind] if kind else [])
    steps = explanation.account(0).steps
    assert steps.kind == (kind or "test")
    np.testing.assert_allclose(steps.array, expected, rtol=1e-15)


def test_what_the_account_says_of_the_interval():
    method, asked = with_intervals(50.0, 60.0), small(x=[2.0], c=("pqr", [None]))
    present = method.intervals_.present.copy()
    present[0, 0] = False
    absent, off = replace(method.intervals_, present=present), replace(method.intervals_, is_active=np.zeros(3, bool))
    for changed, told in (
        (method.intervals_, "x is 2, so <= 5; inside 1–3, the interval of p, which leads"),
        (absent, "x is 2, so <= 5; p leads, which has no instances here"),
        (off, "x is 2, so <= 5"),
    ):
        method.intervals_ = changed
        assert method.explain(asked).account(0).steps.words == told


@pytest.mark.parametrize(("options", "x", "expected"), [
    ({"routes": False}, 4.2, [0.75, 0.25, 0]), ({"fines": False}, 4.2, [0.375, 0.625, 0]),
    ({"fines": False}, 0.0, [0.75, 0.25, 0]), ({"fine": 1.0}, 0.0, [0.0, 1.0, 0]),
])  # fmt: skip
def test_what_is_switched_off_is_not_done(options, x, expected):
    fitted = with_intervals(4.0, 4.5)
    method = ConfDTree.restore(fitted.params | options, fitted.tree_, fitted.learned())
    asked = small(x=[x], c=("pqr", [None]))
    np.testing.assert_allclose(method.predict_proba(asked), [expected], rtol=1e-15)
    steps = method.explain(asked).account(0).steps
    np.testing.assert_allclose(steps.array, expected, rtol=1e-15)
    assert "; outside 1–3, the interval of p, which leads" in steps.words


def test_three_nodes_of_a_path_are_listed():
    """On a chain of four, and of three, each of which fines the class that leads."""
    for n, more in ((4, "; 1 more such nodes"), (3, "")):
        names, spec = "abde"[:n], [3, 1]
        for column in range(n):
            spec = (column, LE, 5.0, spec, [1, 3])
        train = small(**{name: [1.0, 2.0, 3.0, 2.0, 4.0] for name in names}, c=("pq", list("pppqq")))
        method = ConfDTree(variant="tdist", min_instances=1).fit(written_tree(train.header, spec), train)
        asked = small(**{name: [-90.0] for name in names}, c=("pq", [None]))
        texts = method.answer(asked).grounds[0].split("; ")
        assert [text.partition(" ")[0] for text in texts[:3]] == list(names[::-1][:3])
        assert len(method.explain(asked)[0]) == n and method.answer(asked).grounds[0].endswith(more or "is fined")


def test_mean_deviation_and_distance_by_hand():
    """Of 1, 2 and 3; of 0 with weight 1.5 and 2 with 0.5; of one value; the deviations with n − 1."""
    found = intervals._describe(
        np.array([3.0, 1.0, 2.0, 2.0, 0.0, 7.0]), np.array([1.0, 1.0, 1.0, 0.5, 1.5, 2.0]), np.array([0, 3, 5]),
        np.array([3, 2, 1]),
    )  # fmt: skip
    mean, deviation, distance = found
    np.testing.assert_allclose(mean, [2, 0.5, 7], rtol=1e-14)
    np.testing.assert_allclose(deviation, [1, 1.5**0.5, 0], rtol=1e-14)
    np.testing.assert_allclose(distance, [0.174678, 0.408454, np.inf], rtol=1e-4)


@pytest.mark.parametrize(("table", "place", "value", "says"), [
    ("is_active", 1, True, "is_active: expected no intervals at nodes without a numeric split"),
    ("assigned_low", (0, 0), np.nan, "expected an interval for every class present"),
    ("assigned_high", (0, 1), np.nan, "expected an interval for every class present"),
    ("other_low", (0, 2), 1.0, "other_low: expected NaN for classes that are absent or lead nowhere"),
    ("other_low", (1, 0), 1.0, "other_low: expected NaN for classes that are absent or lead nowhere"),
    ("route_weight", (slice(1, 3), 1), 0.0, "other_low: expected NaN for classes that are absent or lead nowhere"),
])  # fmt: skip
def test_intervals_that_contradict_the_tree(table, place, value, says):
    method = with_intervals(4.0, 4.5)
    method.intervals_.check(method.tree_)
    changed = getattr(method.intervals_, table).copy()
    changed[place] = value
    with pytest.raises(ValueError, match=says):
        replace(method.intervals_, **{table: changed}).check(method.tree_)


@pytest.mark.parametrize("branch", [1, 2])
def test_a_class_that_one_branch_leads_to_has_an_interval(branch):
    method = with_intervals(4.0, 4.5)
    weight = np.zeros((3, 3))
    weight[branch, :2] = 0.5
    replace(method.intervals_, route_weight=weight).check(method.tree_)


def test_quantiles_of_student_s_t():
    """Of 1, 2 and 10 degrees of freedom; of one instance there is none."""
    count = np.array([1, 2, 3, 11])
    np.testing.assert_allclose(intervals.t_quantile(0.95, count), [0, 12.7062, 4.30265, 2.22814], rtol=1e-5)
    assert intervals.t_quantile(1.0, count).tolist() == [0, np.inf, np.inf, np.inf]
    assert intervals.t_quantile(0.0, count).tolist() == [0, 0, 0, 0]


def test_missing_value_at_a_node_switches_the_method_off_from_there_down():
    tree, train, instance = figure(ROUTED)
    method = ConfDTree(variant="norm").fit(tree, train)
    at_root = replace(instance, values=[[np.nan, 9.9, np.nan]])
    below = replace(instance, values=[[9.9, np.nan, np.nan]])
    np.testing.assert_array_equal(method.predict_proba(at_root), tree.predict_proba(at_root))
    assert method.explain(at_root)[0] == ()
    assert method.explain(below)[0] == (outside_of_a(train, "route"),)
    assert_equals_reference(tree, train, below, {"variant": "norm"})
