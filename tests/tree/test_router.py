"""The numpy form, the compiled form and Weka's own recursion, written down, answer alike on random trees."""

import itertools
import math
import pickle
import sys

import numpy as np
import pytest
from reference import weka_recursion
from support.command_line import MISSING
from support.fresh_python import child
from support.random_trees import counts_distribution, random_dataset, random_header, random_tree, without_subsets
from support.written_trees import LE, SUBSET, written_tree

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError, OptionError
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.tree import _router as router
from wekaconf.tree import compiled, threads
from wekaconf.tree._forest import Forest, average, mean_distribution, vote_shares
from wekaconf.tree._instances import LeafRows, NodeInstances, mean_answers
from wekaconf.tree._kinds import Routing, SplitKind
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree._router import COMPILED_FROM


def random_case(seed, routing, missing=0.25):
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=1 + seed % 6, n_classes=2 + seed % 3)
    classes = [0] if seed % 7 == 0 else None
    train = random_dataset(rng, header, 60, missing=0.1, weights=seed % 2 == 0, classes=classes)
    tree = random_tree(rng, train, max_depth=seed % 8, routing=routing, subsets=Routing(routing).adds_counts)
    return tree, train, random_dataset(rng, header, 30, missing=missing)


def in_both_forms(tree, values, start=None):
    """The answers of the numpy form, which are those of the compiled form."""
    start = np.zeros(len(values), dtype=np.int32) if start is None else start
    found = tree.router.distributions_numpy(values, start)
    np.testing.assert_array_equal(tree.router.distributions_compiled(values, start), found)
    return found


def recursion(tree, cells):
    """The learner's own, written down."""
    return counts_distribution(tree, cells) if tree.routing.adds_counts else weka_recursion.distribution(tree, cells)


@pytest.mark.parametrize("routing", Routing)
def test_three_forms_answer_alike(routing):
    empty_leaves = 0
    for seed in range(60):
        tree, _, test = random_case(seed, routing)
        literal = np.array([recursion(tree, cells) for cells in test.values])
        np.testing.assert_array_equal(in_both_forms(tree, test.values), literal)
        begin = np.random.default_rng(seed).integers(tree.n_nodes, size=len(test)).astype(np.int32)
        np.testing.assert_array_equal(
            tree.router.last_whole_nodes_compiled(test.values, begin),
            tree.router.last_whole_nodes_numpy(test.values, begin),
            strict=True,
        )
        empty_leaves += (tree.is_empty & (tree.split_kind == SplitKind.LEAF)).any()
    assert empty_leaves > 20


def with_empty_nodes(tree, seed):
    """The tree with more nodes that count as empty, though branches with weight lead to them."""
    may = np.arange(tree.n_nodes) > 0 if tree.routing.is_j48 else tree.split_kind == SplitKind.LEAF
    flagged = tree.is_empty | (may & (np.random.default_rng(seed).random(tree.n_nodes) < 0.2))
    flagged[0] = False
    record, arrays = tree.to_arrays()
    return type(tree).from_arrays(tree.header, record, arrays | {"is_empty": flagged})


FLAGGED = [Routing.J48, Routing.J48_LAPLACE, Routing.REPTREE]


@pytest.mark.parametrize("routing", FLAGGED)
def test_empty_children_are_passed_over_whatever_their_share(routing):
    for seed in range(40):
        tree, _, test = random_case(seed, routing)
        odd = with_empty_nodes(tree, seed)
        literal = np.array([weka_recursion.distribution(odd, cells) for cells in test.values])
        np.testing.assert_array_equal(in_both_forms(odd, test.values), literal)


@pytest.mark.parametrize("routing", [Routing.J48, Routing.COUNTS])
def test_large_batches_are_answered_alike(routing):
    tree, _, test = random_case(9, routing)
    large = test.take(np.resize(np.arange(len(test)), COMPILED_FROM))
    few = tree.router.distributions_numpy(test.values, np.zeros(len(test), dtype=np.int32))
    np.testing.assert_array_equal(tree.predict_proba(large), np.resize(few, (COMPILED_FROM, tree.header.n_classes)))


def test_small_batches_add_up_until_the_compiled_form_is_loaded(monkeypatch):
    for is_loaded, ease in ((False, 1), (True, 10)):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, "wekaconf.tree.compiling", compiled)
            if not is_loaded:
                patched.delitem(sys.modules, "wekaconf.tree.compiling")
            form = f"a form, numba {is_loaded}"
            n_calls = next(n for n in itertools.count(1) if router.compiled_pays(1, 1000, form))
            assert n_calls == math.ceil(3 * 1000 / ease / (1 + router.CALL))
            assert router.compiled_pays(1, 1000, form)  # now every batch
            assert router.compiled_pays(1000 // ease, 1000, f"another, {form}")
            assert not router.compiled_pays(1000 // ease - 1, 1000, f"yet another, {form}")
            assert not any(router.compiled_pays(1000 // ease - 1, 1000) for _ in range(100))


def test_small_batches_load_no_compiler():
    code = (
        "import sys, numpy as np\n"
        "from support.random_trees import random_dataset, random_mirror\n"
        "rng = np.random.default_rng(0)\n"
        "tree = random_mirror(rng)\n"
        "tree.predict_proba(random_dataset(rng, tree.header, 100, 0.1))\n"
        "print([name for name in ('numba', 'scipy', 'sklearn', 'jpype') if name in sys.modules])\n"
    )
    assert child(code) == "[]\n"


@pytest.mark.parametrize("routing", [Routing.J48, Routing.COUNTS_LAPLACE])
def test_start_nodes(routing):
    for seed in range(8, 40):
        tree, _, test = random_case(seed, routing)
        inner = np.flatnonzero(tree.split_kind != SplitKind.LEAF)
        if not len(inner):
            continue
        start = np.resize(inner, len(test)).astype(np.int32)
        literal = np.array(
            [
                counts_distribution(tree, cells, node)
                if routing.adds_counts
                else [weka_recursion.get_probs(tree, node, c, cells, 1.0, False) for c in range(tree.header.n_classes)]
                for node, cells in zip(start, test.values.tolist(), strict=True)
            ]
        )
        np.testing.assert_array_equal(in_both_forms(tree, test.values, start), literal)


def parts_of(tree, cells, node=0, share=1.0):
    """The nodes where parts of an instance stop, and the parts, not yet normalised; at most as many as leaves."""
    router = tree.router
    if router.attribute[node] < 0:
        return {node: share}
    first, branch = int(tree.first_child[node]), weka_recursion.which_subset(tree, node, cells)
    if branch >= 0:
        return parts_of(tree, cells, first + branch, share)
    shares = {child: router.down[child] * router.up[child] for child in range(first, first + tree.n_branches[node])}
    taken = {child: part for child, part in shares.items() if router.enters[child] and part > 0}
    below = [parts_of(tree, cells, child, share * part) for child, part in taken.items()]
    return {node: part for parts in below for node, part in parts.items()} if below else {node: share}


@pytest.mark.parametrize("routing", Routing)
def test_parts_of_an_instance_sum_to_one(routing):
    """Weka's empty children take nothing, so the shares that are left sum to less before they are normalised."""
    n_divided = n_less = 0
    for seed in range(24):
        tree, _, test = random_case(seed, routing)
        tree = with_empty_nodes(tree, seed) if routing in FLAGGED else tree
        row, node, share = tree.router.paths(test.values)
        assert row.tolist() == sorted(row)
        for i, cells in enumerate(test.values):
            expected = parts_of(tree, cells)
            total = sum(expected.values())
            found = dict(zip(node[row == i].tolist(), share[row == i].tolist(), strict=True))
            assert found == pytest.approx({n: part / total for n, part in expected.items()}, rel=1e-14)
            assert sum(found.values()) == pytest.approx(1, rel=1e-14)
            n_divided += len(expected) > 1
            n_less += total < 0.999
        answer = np.random.default_rng(seed).random((tree.n_nodes, 2))
        mean = [sum(share[j] * answer[node[j]] for j in np.flatnonzero(row == i)) for i in range(len(test))]
        np.testing.assert_allclose(mean_answers(tree, test, answer), mean, rtol=1e-14)
    assert n_divided > 100 or routing.is_cart
    assert n_less > 10 or routing not in FLAGGED


def test_an_instance_stops_where_no_branch_takes_it():
    """A whole J48 tree may have nothing but empty branches below a split."""
    kept = 0
    for seed in range(40):
        tree, _, test = random_case(seed, Routing.J48)
        record, arrays = tree.to_arrays()
        empty = tree.is_empty | (tree.parent == tree.n_nodes // 2) | (tree.parent == 0)
        odd = type(tree).from_arrays(tree.header, record, arrays | {"is_empty": empty})
        router = odd.router
        takes = router.enters & (router.down * router.up > 0)
        expected = [
            router.attribute[node] >= 0 and not takes[odd.first_child[node] :][: odd.n_branches[node]].any()
            for node in range(odd.n_nodes)
        ]
        assert router.keeps_missing.tolist() == expected
        assert router.stops.tolist() == [keeps or router.attribute[n] < 0 for n, keeps in enumerate(expected)]
        row, node, share = router.paths(np.full_like(test.values, np.nan))
        if expected[0]:
            kept += 1
            assert (row.tolist(), node.tolist()) == (list(range(len(test))), [0] * len(test)) and (share == 1).all()
    assert kept > 20


def test_an_instance_stops_where_no_branch_has_weight():
    """Though none of the branches counts as empty."""
    tree, _, test = random_case(3, Routing.J48)
    record, arrays = tree.to_arrays()
    below = tree.parent == 0
    weight = np.where(below, 0.0, tree.branch_weight)
    changed = arrays | {"is_empty": tree.is_empty & ~below, "branch_weight": weight}
    router = type(tree).from_arrays(tree.header, record, changed).router
    assert below.any() and router.enters[below].all() and router.keeps_missing[0]
    row, node, share = router.paths(np.full_like(test.values, np.nan))
    assert (row.tolist(), node.tolist()) == (list(range(len(test))), [0] * len(test)) and (share == 1).all()


def test_means_of_no_parts_and_of_whole_instances():
    answers = np.array([[0.25, 0.75], [1.0, 0.0]])
    assert router.mixture(2, np.arange(2), np.ones(2), answers) is answers
    row, share = np.array([0, 0, 1]), np.array([0.25, 0.75, 1.0])
    mixed = router.mixture(2, row, share, np.array([[4.0, 0.0], [0.0, 4.0], [1.0, 2.0]]))
    np.testing.assert_array_equal(mixed, [[1.0, 3.0], [1.0, 2.0]])
    assert router.mixture(0, np.zeros(0, dtype=int), np.zeros(0), np.zeros((0, 3))).shape == (0, 3)


def test_a_winner_must_have_something():
    proba = np.array([[0.0, 0.0], [0.0, 1e-300], [0.5, 0.5], [0.2, 0.8]])
    assert router.strict_winner(proba).tolist() == [-1, 1, 0, 1]


def test_classify_is_weka_s_loop():
    for seed in range(60):
        tree, _, test = random_case(seed, (Routing.J48, Routing.J48_LAPLACE)[seed % 2])
        literal = [weka_recursion.classify_j48(tree, cells) for cells in test.values]
        np.testing.assert_array_equal(tree.classify(test), literal)


def test_apply_is_where_weka_s_membership_ends():
    for seed in range(60):
        tree, _, test = random_case(seed, Routing.J48, missing=0.1)
        for node, cells in zip(tree.apply(test), test.values, strict=True):
            shares = weka_recursion.membership(tree, cells)
            path = np.flatnonzero(shares)
            asked = tree.split_attribute[path[tree.n_branches[path] > 0]]
            assert node == (-1 if np.isnan(cells[asked]).any() else path[-1])


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("routing", [Routing.J48, Routing.RANDOMTREE])
def test_infinite_values_are_ordinary_numbers(routing, value):
    tree, _, test = random_case(13, routing)
    values = test.values.copy()
    numeric = [a for a, attribute in enumerate(test.attributes) if not attribute.is_nominal]
    values[:, numeric] = value
    literal = [weka_recursion.distribution(tree, cells) for cells in values]
    np.testing.assert_array_equal(tree.predict_proba(Dataset(test.header, values)), literal)


def test_who_reaches_a_split_whole():
    for seed in range(40):
        tree, train, _ = random_case(seed, Routing.J48)
        visits = dict(NodeInstances.of(tree, train).at_splits(tree, train))
        assert list(visits) == np.flatnonzero(tree.split_kind != SplitKind.LEAF).tolist()
        for node, rows in visits.items():
            expected = []
            for row, cells in enumerate(train.values):
                at = 0
                while at != node and tree.n_branches[at]:
                    branch = weka_recursion.which_subset(tree, at, cells)
                    if branch == -1:
                        break
                    at = tree.first_child[at] + branch
                if at == node and weka_recursion.which_subset(tree, node, cells) >= 0:
                    expected.append(row)
            assert rows.tolist() == expected


# ---- subsets, and counts that are added ----


def counts_tree(routing=Routing.COUNTS, **changes):
    """Root: n in {a, c}; below "in" x <= 0.1, its right leaf empty; 3 of 4 instances of the root have n in {a, c}."""
    header = Header("", (Attribute("x"), Attribute("n", "nominal", tuple("abcd")), CLASS), 2)
    inside = (0, LE, 0.1, [5, 1], [0, 0])
    spec = (1, SUBSET, [True, False, True, False], inside, [1, 1])
    return written_tree(**{"header": header, "spec": spec, "routing": routing, "learner": "info_gain", **changes})


@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_any_number_of_threads_answers_alike(n_threads, monkeypatch):
    monkeypatch.setattr(router, "THREAD_FROM", 7)
    monkeypatch.setenv("NUMBA_NUM_THREADS", str(n_threads))
    parts = []
    threads.in_threads(parts.append, 30, 7)
    assert sorted(row for part in parts for row in range(30)[part]) == list(range(30)) and len(parts) == n_threads
    for seed in range(20):
        tree, _, test = random_case(seed, Routing.J48)
        in_both_forms(tree, test.values)


def test_what_fails_in_a_thread_fails_for_the_caller(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")

    def answer(rows):
        if rows.start == 0:
            raise MemoryError("no room")

    with pytest.raises(MemoryError, match="no room"):
        threads.in_threads(answer, 20, 10)


CLASS = Attribute("class", "nominal", ("p", "q"))
CELLS = np.array([[0.0, 0, np.nan], [0.0, 1, np.nan], [0.2, 2, np.nan], [0.0, np.nan, np.nan], [np.nan] * 3])


def test_counts_are_added_and_normalised_once():
    data = Dataset(counts_tree().header, CELLS)
    leaves = [[5 / 6, 1 / 6], [1 / 2, 1 / 2], [5 / 6, 1 / 6]]  # the empty leaf answers as the node above
    mixed = [[4 / 5, 1 / 5], [4 / 5, 1 / 5]]  # .75 · (5, 1) + .25 · (1, 1) = (4, 1)
    corrected = [[6 / 8, 2 / 8], [2 / 4, 2 / 4], [6 / 8, 2 / 8], [5 / 7, 2 / 7], [5 / 7, 2 / 7]]
    for routing, expected in ((Routing.COUNTS, leaves + mixed), (Routing.COUNTS_LAPLACE, corrected)):
        tree = counts_tree(routing)
        np.testing.assert_array_equal(in_both_forms(tree, data.values), expected)
        np.testing.assert_array_equal(tree.router.answer[[3, 2]], expected[:2])
    assert counts_tree().apply(data).tolist() == [3, 2, 4, -1, -1]
    assert counts_tree().classify(data).tolist() == [0, 0, 0, 0, 0]


def test_an_empty_leaf_that_gets_a_share_adds_what_is_above():
    tree = counts_tree(branch_weight=[np.nan, 0.75, 0.25, 0.5, 0.5])
    answer = tree.predict_proba(Dataset(tree.header, CELLS[4:]))
    np.testing.assert_array_equal(answer, [[4 / 5, 1 / 5]])


def test_numbers_are_compared_as_doubles():
    tree = counts_tree(split_subset=[True] * 4)
    values = np.array([[0.1, 0, np.nan], [np.nextafter(0.1, 1), 0, np.nan]])
    assert tree.apply(Dataset(tree.header, values)).tolist() == [3, 4]


def test_laplace_of_added_counts():
    tree = random_case(20, Routing.COUNTS)[0]
    smoothed = tree.with_laplace(True)
    assert smoothed.routing == Routing.COUNTS_LAPLACE and smoothed.with_laplace(True) is smoothed
    assert smoothed.with_laplace(False).routing == Routing.COUNTS
    np.testing.assert_array_equal(smoothed.split_subset, tree.split_subset)


def test_subsets_on_the_way_down():
    n_subsets = 0
    for seed in range(20):
        tree, train, test = random_case(seed, Routing.COUNTS)
        plain, (wide_train, wide_test) = without_subsets(tree, train, test)
        n_subsets += (tree.split_kind == SplitKind.NOMINAL_SUBSET).sum()
        np.testing.assert_array_equal(tree.apply(test), plain.apply(wide_test))
        visits = NodeInstances.of(tree, train).at_splits(tree, train)
        plain_visits = NodeInstances.of(plain, wide_train).at_splits(plain, wide_train)
        for (node, rows), (plain_node, plain_rows) in zip(visits, plain_visits, strict=True):
            assert node == plain_node and rows.tolist() == plain_rows.tolist()
    assert n_subsets > 20


def test_arrays_without_subsets_are_taken():
    tree, _, test = random_case(11, Routing.J48)
    record, arrays = tree.to_arrays()
    del arrays["split_subset"]
    again = TreeMirror.from_arrays(tree.header, record, arrays)
    np.testing.assert_array_equal(again.predict_proba(test), tree.predict_proba(test))
    assert again.split_subset.shape == (0,) and again.split_subset.dtype == bool


def test_subsets_travel():
    tree = counts_tree()
    record, arrays = tree.to_arrays()
    for again in (TreeMirror.from_arrays(tree.header, record, arrays), pickle.loads(pickle.dumps(tree))):
        assert again.split_subset.tolist() == [True, False, True, False] and again.to_arrays()[0] == record
        with pytest.raises(ValueError, match="read-only"):
            again.split_subset[0] = False


# ---- votes ----


def test_hard_votes_are_shares_of_the_trees():
    tree = counts_tree()
    other = counts_tree(class_weight=tree.class_weight[:, ::-1])
    data = Dataset(tree.header, CELLS)
    forest = Forest((tree, other, other), votes="hard")
    np.testing.assert_array_equal(forest.predict_proba(data)[0], [1 / 3, 2 / 3])
    np.testing.assert_array_equal(forest.predict_proba(data)[1], [1, 0])  # a tie goes to the first class
    assert forest.predict(data).tolist() == forest.classify(data).tolist() == [1, 0, 1, 1, 1]
    assert forest.with_laplace(True).votes == "hard"
    assert pickle.loads(pickle.dumps(forest)).votes == "hard"
    mean = Forest((tree, other, other)).predict_proba(data)
    np.testing.assert_allclose(mean[0], [(5 / 6 + 2 / 6) / 3, (1 / 6 + 10 / 6) / 3])
    for tie in ([0.5 - 1e-14, 0.5 + 1e-14], [0.5, 0.5]):
        assert vote_shares([np.array([tie])]).tolist() == [[1, 0]]
    assert vote_shares([np.array([[0.5 - 1e-11, 0.5 + 1e-11]])]).tolist() == [[0, 1]]
    assert forest.predict_proba(data.take([])).shape == (0, 2)


def test_means_of_next_to_nothing_are_left_as_they_are():
    """Weka takes a sum below 1e-6 for 0."""
    means = mean_distribution(iter([np.array([[0.4e-6, 0.6e-6], [0.5e-6, 0.4e-6], [3.0, 0.0]]), np.zeros((3, 2))]))
    np.testing.assert_allclose(means, [[0.4, 0.6], [0.5e-6, 0.4e-6], [1, 0]], rtol=1e-9)
    np.testing.assert_array_equal(average(iter([np.ones((1, 2)), np.zeros((1, 2)), np.zeros((1, 2))])), [[1 / 3] * 2])


def test_other_votes_are_refused():
    assert repr(Forest((counts_tree(),), options="-I 1")) == "Forest(Bagging '-I 1' on '': 1 trees)"
    for trees in ((), (counts_tree(), random_case(11, Routing.J48)[0])):
        with pytest.raises(ValueError, match=r"^trees: expected at least one tree, all with the same header$"):
            Forest(trees)
    with pytest.raises(ValueError, match="votes: expected 'mean', 'average', 'hard', got 'soft'"):
        Forest((counts_tree(),), votes="soft")


def test_with_laplace():
    tree, _, test = random_case(11, Routing.J48)
    smoothed = tree.with_laplace(True)
    assert smoothed.with_laplace(True) is smoothed
    literal = [weka_recursion.distribution(smoothed, cells) for cells in test.values]
    np.testing.assert_array_equal(smoothed.predict_proba(test), literal)
    assert not np.array_equal(smoothed.predict_proba(test), tree.predict_proba(test))
    np.testing.assert_array_equal(smoothed.with_laplace(False).predict_proba(test), tree.predict_proba(test))
    np.testing.assert_array_equal(smoothed.classify(test), tree.classify(test))
    with pytest.raises(OptionError, match="use J48"):
        random_case(11, Routing.REPTREE)[0].with_laplace(True)


def test_other_header_is_refused():
    tree, _, test = random_case(5, Routing.J48)
    other = random_dataset(np.random.default_rng(1), random_header(np.random.default_rng(1), 7), 5)
    for ask in (tree.predict_proba, tree.classify, tree.apply):
        with pytest.raises(HeaderMismatchError, match="attributes of the training data"):
            ask(other)
    assert len(tree.predict_proba(test.take([]))) == 0


# -- rows that a tree grew on --------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", ["J48", "J48 -U -B", "REPTree", "RandomTree", "CART", "info_gain"])
def test_the_rows_that_a_tree_grew_on_are_told_from_others(jvm, learner):
    """Also by parts, in another order, beside rows without a class, and where values are missing."""
    name, _, options = learner.partition(" ")
    data = wc.load_arff(MISSING)
    data = data.take(data.class_values >= 0)
    tree = wc.grow(data, name, options)
    assert tree.n_nodes > 1
    order = np.random.default_rng(0).permutation(len(data))
    more = data.take([0, 1]).without_class_values()
    cases = {
        "the same": ([data], True),
        "by parts": ([data.take(part) for part in np.array_split(order, 7)], True),
        "beside rows without a class": ([data, more], True),
        "all but one": ([data.take(order[1:])], False),
        "one twice": ([data.take([*order, order[0]])], False),
        "one in the place of another": ([data.take([*order[1:], _of_another_class(data, order[0])])], False),
        "none": ([data.take([])], False),
    }
    for case, (parts, expected) in cases.items():
        rows = LeafRows(tree)
        for part in parts:
            rows.add(part)
        assert rows.are_as_grown == expected, case


def _of_another_class(data, row):
    return int(np.flatnonzero((data.class_values >= 0) & (data.class_values != data.class_values[row]))[0])


def test_a_tree_without_a_split_cannot_tell_rows():
    data = Dataset(Header("r", (Attribute("c", "nominal", ("p", "q")),), 0), np.array([[0.0], [0.0], [1.0]]))
    rows = LeafRows(wc.CART().grow(data))
    rows.add(data)
    assert not rows.are_as_grown
