"""Shrinkage, WPE and their combination against the paper, transcribed, and in their two forms."""

import itertools
import tracemalloc
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from reference.wang2006_reference import Paper
from support.random_trees import random_tree
from support.rival_cases import random_case
from support.small_data import small
from support.written_trees import EACH, written_tree

import wekaconf as wc
from wekaconf.bridge import fit_filter
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.methods.smoothing import _base as method
from wekaconf.methods.smoothing import _compiled as compiled
from wekaconf.methods.smoothing import _compiled_diw as compiled_diw
from wekaconf.methods.smoothing import _counts as counts
from wekaconf.methods.smoothing import _interpolation as interpolation
from wekaconf.methods.smoothing._columns import ComparedColumns
from wekaconf.replication.wang2006.readings import table_reading
from wekaconf.tree._instances import NodeInstances, in_order
from wekaconf.tree._kinds import SplitKind

KINDS = ("wpe", "shrinkage", "shrinkage_wpe")
FORMS = [
    {"local": local, "weights": weights}
    for local in ("laplace", "wpe", "naive_bayes")
    for weights in ("diw", "em", "uniform")
]
FORMS += [{"local": local, "iterations": 7} for local in ("laplace", "wpe", "naive_bayes")]
FORMS += [{"local": "wpe", "iterations": 30, "tolerance": 0.02}]
UCI = ("iris", "zoo", "labor", "hepatitis", "glass", "lymph", "breast-cancer", "audiology", "heart-statlog", "vote")


def tolerance(params, *, is_exact):
    """1e-15 where counts are whole numbers; naive Bayes multiplies up to 70 of them, EM stops on its tolerance."""
    if params.get("weights") == "em":
        return 1e-9
    return (1e-13 if params["local"] == "naive_bayes" else 1e-15) if is_exact else 1e-12


# ---- by hand ----


def worked_example():
    """A tree that splits on a: u (2 p, 1 q) and v (2 q)."""
    train = small(a=list("uuuvv"), b=list("stsst"), **{"class": list("ppqqq")})
    return written_tree(train.header, (0, EACH, None, [2, 1], [0, 2])), train


def instance(a, b):
    return small(a=("uv", [a]), b=("st", [b]), **{"class": ("pq", [None])})


def test_wpe_by_hand():
    fitted = wc.method("wpe").fit(*worked_example())
    # (u, s): weights 3, 2 of p and 3 of q
    np.testing.assert_allclose(fitted.predict_proba(instance("u", "s")), [[5.5 / 9, 3.5 / 9]], atol=1e-15)
    # (u, t): 2, 3 and 2
    np.testing.assert_allclose(fitted.predict_proba(instance("u", "t")), [[5.5 / 8, 2.5 / 8]], atol=1e-15)
    # (u, missing), which equals nothing: 2, 2 and 2
    np.testing.assert_allclose(fitted.predict_proba(instance("u", None)), [[4.5 / 7, 2.5 / 7]], atol=1e-15)
    # (missing, s): 3/5 of leaf u with weights 2, 1 and 2, 2/5 of leaf v with 2, 1 of q
    mixed = 0.6 * np.array([3.5, 2.5]) / 6 + 0.4 * np.array([0.5, 3.5]) / 4
    np.testing.assert_allclose(fitted.predict_proba(instance(None, "s")), [mixed], atol=1e-15)


def test_shrinkage_by_hand():
    fitted = wc.method("shrinkage").fit(*worked_example())
    # the two q at v, each left out in turn: P^0, root, leaf of class p and of class q
    p, q = np.array([1 / 5, 2.5 / 5, 0.5 / 2]), np.array([1 / 5, 2.5 / 5, 1.5 / 2])
    weights = fitted.weight_[fitted.paths_.first[1] :]
    np.testing.assert_allclose(weights, np.column_stack((p / p.sum(), q / q.sum())), atol=1e-15)
    score = [p / p.sum() @ [1 / 5, 2.5 / 6, 0.5 / 3], q / q.sum() @ [1 / 5, 3.5 / 6, 2.5 / 3]]
    np.testing.assert_allclose(fitted.scores(instance("v", "s")), [score], atol=1e-15)
    np.testing.assert_allclose(fitted.predict_proba(instance("v", "s")), [score / np.sum(score)], atol=1e-15)


def test_combination_by_hand():
    fitted = wc.method("shrinkage_wpe").fit(*worked_example())
    # x = (v, s, q) left out, its class compared: at the root (u,s,p) 2, (u,t,p) 1, (u,s,q) 3, (v,t,q) 3; at v the last
    x = np.array([[1 / 5, 3.5 / 10, 0.5 / 4], [1 / 5, 6.5 / 10, 3.5 / 4]])
    # x = (v, t, q): (u,s,p) 1, (u,t,p) 2, (u,s,q) 2, (v,s,q) 3
    y = np.array([[1 / 5, 3.5 / 9, 0.5 / 4], [1 / 5, 5.5 / 9, 3.5 / 4]])
    weights = (x / x.sum(axis=1, keepdims=True) + y / y.sum(axis=1, keepdims=True)) / 2
    np.testing.assert_allclose(fitted.weight_[fitted.paths_.first[1] :], weights.T, atol=1e-15)
    # (v, s): root 2, 1, 2 of u and 3, 2 of v; leaf 3, 2
    score = (weights * [[1 / 5, 3.5 / 11, 0.5 / 6], [1 / 5, 7.5 / 11, 5.5 / 6]]).sum(axis=1)
    np.testing.assert_allclose(fitted.scores(instance("v", "s")), [score], atol=1e-15)


def test_the_nodes_of_a_path_and_their_weights():
    fitted = wc.method("shrinkage").fit(*worked_example())
    weights = [{"p": p, "q": q} for p, q in fitted.weight_.tolist()]
    whole = fitted.explain(instance("v", "s"))
    assert whole.kinds == ("uniform", "node")
    assert [(event.node, event.kind, event.attribute) for event in whole[0]] == [
        (0, "uniform", ""), (0, "node", "a"), (2, "node", ""),
    ]  # fmt: skip
    assert [event.details for event in whole[0]] == [{"weight": weight} for weight in weights[3:]]
    divided = fitted.explain(instance(None, "s"))[0]
    assert [(event.node, event.details["share"]) for event in divided] == [
        (0, 0.6), (0, 0.6), (1, 0.6), (0, 0.4), (0, 0.4), (2, 0.4),
    ]  # fmt: skip
    assert [event.details["weight"] for event in divided] == weights


@pytest.mark.parametrize(("weights", "heaviest"), [
    ([0.5, 0.2, 0.2, 0.1], "the uniform node above the root weighs most, 0.5"),
    ([0.2, 0.5, 0.2, 0.1], "the node of 6 training instances, 4 of class q, 2 levels above the leaf, weighs most, 0.5"),
    ([0.2, 0.2, 0.5, 0.1], "the node of 5 training instances, 4 of class q, 1 level above the leaf, weighs most, 0.5"),
    ([0.2, 0.2, 0.1, 0.5], "the leaf weighs most, 0.5"),
])  # fmt: skip
def test_the_reason_names_the_heaviest_node_of_the_path(weights, heaviest):
    train = small(a=list("uuuuuv"), b=list("stttts"), c=list("pqqqqp"))
    tree = written_tree(train.header, (0, EACH, None, (1, EACH, None, [1, 0], [0, 4]), [1, 0]))
    fitted = wc.method("shrinkage").fit(tree, train)
    first = fitted.paths_.first[fitted.paths_.end[4]]
    fitted.weight_ = fitted.weight_.copy()
    fitted.weight_[first : first + 4, 1] = weights
    asked = small(a=("uv", ["u"]), b=("st", ["t"]), c=("pq", [None]))
    assert fitted.answer(asked).reason(0).endswith(f"; for q {heaviest}")


# ---- counts and columns ----


@pytest.mark.parametrize(("weights", "smallest"), [
    ([65534.0, 1.0], np.uint16), ([65535.0, 1.0], np.uint32), ([2.0**32 - 2, 1.0], np.uint32),
    ([2.0**32 - 1, 1.0], np.float64), ([1.5], np.float64), ([], np.uint16),
])  # fmt: skip
def test_cells_are_as_small_as_the_sum_of_the_weights_allows(weights, smallest):
    assert counts.cell_dtype(np.array(weights)) is smallest


@pytest.mark.parametrize(("cells", "cuts"), [
    ([0.0, 10.0], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ([0.5, None, 0.0], [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45]),
    ([5.0, 5.0], []), ([None, None], []), ([-1.7e308, 1.7e308], [np.inf] * 9),
])  # fmt: skip
def test_ten_bins_lie_between_the_smallest_and_the_largest_value(cells, cuts):
    train = small(x=[np.nan if cell is None else cell for cell in cells], c=("pq", ["p"] * len(cells)))
    found = ComparedColumns.of(train, "bins", "wpe")
    found.check(train.header)
    assert found.n_values.tolist() == [len(cuts) + 1]
    np.testing.assert_allclose(found.cut_point[0, : len(cuts)], cuts, rtol=1e-15)
    assert np.isnan(found.cut_point[0, len(cuts) :]).all()
    assert not any(array.flags.writeable for array in vars(found).values())


@pytest.mark.parametrize("cuts", [[1, 3, 2, 4, 5, 6, 7, 8, 9], [2, 1, 3, 4, 5, 6, 7, 8, 9]])
def test_cut_points_ascend_all_the_way(cuts):
    train = small(x=[0.0, 10.0], c=("pq", ["p", "q"]))
    found = ComparedColumns.of(train, "bins", "wpe")
    with pytest.raises(ValueError, match=r"cut_point: expected those of 'x' .* in ascending order"):
        replace(found, cut_point=np.array([cuts], dtype=float)).check(train.header)


def test_dates_have_bins_and_texts_have_none():
    train = small(x=[0.0, 10.0], c=("pq", ["p", "q"]))
    found, (x, c) = ComparedColumns.of(train, "bins", "wpe"), train.header.attributes
    found.check(replace(train.header, attributes=(replace(x, kind="date"), c)))
    with pytest.raises(ValueError, match="n_values, is_numeric: do not fit 'x'"):
        found.check(replace(train.header, attributes=(replace(x, kind="string"), c)))


def test_a_value_on_a_cut_point_is_in_the_bin_below():
    columns = ComparedColumns.of(small(x=[0.0, 10.0], c=("pq", ["p", "q"])), "bins", "wpe")
    cells = [-5.0, 0.0, 1.0, np.nextafter(1, 2), 9.0, 9.5, 99.0, np.inf, np.nan]
    asked = small(x=cells, c=("pq", ["p"] * len(cells)))
    assert columns.codes(asked)[:, 0].tolist() == [0, 0, 0, 1, 8, 9, 9, 9, -1]


@pytest.mark.parametrize("class_name", ["a", "b", "c"])
def test_codes_are_those_of_all_attributes_but_the_class(class_name):
    data = small(class_name, a=("uvw", ["w", None]), b=("st", ["t", "s"]), c=("pq", ["p", "q"]))
    columns = ComparedColumns.of(data, "refuse", "wpe")
    columns.check(data.header)
    every = {"a": [2, -1], "b": [1, 0], "c": [0, 1]}
    del every[class_name]
    assert columns.codes(data).T.tolist() == [*every.values()]
    assert columns.codes_at(np.array([1, 1, 0]), data).tolist() == columns.codes(data)[[1, 1, 0]].tolist()


def test_the_codes_of_forty_thousand_values_are_kept_whole():
    values = tuple(map(str, range(40_000)))
    header = Header("many", (Attribute("a", "nominal", values), Attribute("c", "nominal", ("p", "q"))), 1)
    data = Dataset(header, np.array([[39_999.0, 0], [32_768, 1]]))
    assert ComparedColumns.of(data, "refuse", "wpe").codes(data).tolist() == [[39_999], [32_768]]


def test_without_columns_there_are_no_codes():
    nothing, data = ComparedColumns.none(), worked_example()[1]
    assert [array.size for array in vars(nothing).values()] == [0, 0, 0, 0]
    part = data.take([0, 1, 2, 3])
    for codes in (nothing.codes(part), nothing.codes_at(np.arange(4), part)):
        assert codes.shape == (4, 0)


def test_without_training_instances_the_uniform_node_gives_1():
    tree, train = worked_example()
    for part, expected in ((train, 0.2), (train.take([0]), 1.0), (train.take([]), 1.0)):
        given = wc.method("shrinkage").fit(tree, part).counts_
        assert interpolation.uniform_estimate(given) == expected
    light = replace(train.take([0]), weights=np.array([0.5]))
    assert interpolation.uniform_estimate(wc.method("shrinkage").fit(tree, light).counts_) == 2.0


# ---- against the paper, transcribed ----


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("is_complete", [True, False])
def test_wpe_on_random_trees(seed, is_complete):
    tree, train, test = random_case(seed, complete=is_complete)
    for node in ("leaf", "root"):
        given = wc.method("wpe", node=node, numeric="bins").fit(tree, train).scores(test)
        paper = Paper(tree, train, float if is_complete else Decimal, bins=True)
        expected = np.array([paper.wpe(cells, node=node) for cells in test.values.tolist()], dtype=float)
        if is_complete:
            np.testing.assert_array_equal(given, expected)
        np.testing.assert_allclose(given, expected, rtol=0, atol=1e-12)


def test_wpe_is_ranked_as_it_is():
    """Normalising what sums to 1 already would break ties by rounding."""
    tree, train, test = random_case(3, complete=True)
    fitted = wc.method("wpe", numeric="bins").fit(tree, train)
    np.testing.assert_array_equal(fitted.ranking(test), fitted.scores(test))
    np.testing.assert_array_equal(fitted.predict_proba(test), fitted.scores(test))


@pytest.mark.parametrize("params", FORMS, ids=lambda params: "-".join(map(str, params.values())))
@pytest.mark.parametrize("is_complete", [True, False])
@pytest.mark.drawn(6)
def test_shrinkage_on_random_trees(params, is_complete):
    for seed in range(14):
        tree, train, test = random_case(seed, complete=is_complete)
        assert_equals_paper(tree, train, test.take(slice(0, 8)), params, bins=True, is_exact=is_complete)


@pytest.fixture(autouse=True)
def few_em_iterations(monkeypatch):
    monkeypatch.setattr(method, "EM_ITERATIONS", 200)


def assert_equals_paper(tree, train, test, params, *, bins, is_exact):
    numeric = "bins" if bins else "refuse"
    fitted = wc.method("shrinkage", **params, numeric=numeric).fit(tree, train)
    paper = Paper(tree, train, Decimal, local=params["local"], bins=bins)
    options = {"iterations": method.EM_ITERATIONS if params.get("weights") == "em" else 1, "tolerance": 1e-6, **params}
    del options["local"]
    for ask, is_raw in ((fitted.predict_proba, False), (fitted.scores, True)):
        expected = [paper.shrinkage(cells, is_raw=is_raw, **options) for cells in test.values.tolist()]
        given = ask(test)
        np.testing.assert_allclose(
            given, np.array(expected, dtype=float), rtol=0, atol=tolerance(params, is_exact=is_exact)
        )


@pytest.mark.parametrize("learner", ["J48", "C44"])
@pytest.mark.parametrize("name", UCI)
@pytest.mark.drawn(5)
def test_real_sets(load_uci, name, learner):
    data = load_uci(name)
    data = fit_preprocessing(data, "wang2006").apply(data)
    data = data.take(np.random.default_rng(2).permutation(len(data)))
    train, test = data.take(slice(0, len(data) * 2 // 3)), data.take(slice(len(data) * 2 // 3, len(data)))
    tree = wc.grow(train, learner)
    few = test.take(slice(0, 12))
    for params in FORMS[0], FORMS[3]:
        assert_equals_paper(tree, train, few, params, bins=False, is_exact=True)
    paper = Paper(tree, train)
    expected = [paper.wpe(cells) for cells in test.values.tolist()]
    np.testing.assert_array_equal(wc.method("wpe").fit(tree, train).scores(test), expected)


def test_the_combination_is_shrinkage_of_wpe():
    tree, train, test = random_case(3, complete=False)
    for params in ({}, {"weights": "em"}, {"iterations": 5}, {"reading": "text"}):
        one = wc.method("shrinkage_wpe", numeric="bins", **params).fit(tree, train)
        other = wc.method("shrinkage", local="wpe", numeric="bins", **params).fit(tree, train)
        for ask in ("scores", "predict_proba", "ranking"):
            np.testing.assert_array_equal(getattr(one, ask)(test), getattr(other, ask)(test))


# ---- its forms ----


def everything(name, params, tree, train, test):
    fitted = wc.method(name, **params).fit(tree, train)
    return {**fitted.learned(), "scores": fitted.scores(test), "proba": fitted.predict_proba(test)}


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name], err_msg=name)
        assert array.dtype == other[name].dtype, name


@pytest.mark.parametrize("is_complete", [True, False])
@pytest.mark.parametrize("name", KINDS)
def test_compiled_form_equals_numpy_form(name, is_complete, monkeypatch):
    params = {"numeric": "bins"}
    for seed in range(30):
        case = random_case(seed, complete=is_complete)
        in_numpy = everything(name, params, *case)
        with monkeypatch.context() as patched:
            patched.setattr(method, "pays", lambda *_: True)
            assert_same(everything(name, params, *case), in_numpy)


@pytest.mark.parametrize("name", ["wpe", "shrinkage_wpe"])
def test_the_compiled_form_compares_the_class_where_a_table_of_the_paper_does(name, monkeypatch):
    n_moved = 0
    for seed in range(6):
        tree, train, test = random_case(seed, complete=True)
        honest = wc.method(name, numeric="bins")
        fitted = table_reading(honest).fit(tree, train)
        in_numpy = fitted.answer(test).ranking
        with monkeypatch.context() as patched:
            patched.setattr(method, "pays", lambda *_: True)
            np.testing.assert_array_equal(fitted.answer(test).ranking, in_numpy)
        n_moved += not np.allclose(honest.fit(tree, train).answer(test).ranking, in_numpy)
    assert n_moved > 3


def test_naive_bayes_has_no_compiled_form(monkeypatch):
    monkeypatch.setattr(method, "pays", lambda *_: True)
    tree, train, test = random_case(2, complete=True)
    assert_equals_paper(tree, train, test.take(slice(0, 8)), {"local": "naive_bayes"}, bins=True, is_exact=True)


def test_kernels_get_arrays_of_one_type_from_either_form(monkeypatch):
    """Else a command would compile for a minute what `wekaconf self compile` has compiled for read-only arrays."""
    types = []

    def noting(count):
        def counted(*args):
            made = count(*args)
            types.append([(array.dtype, array.flags.writeable) for array in vars(made).values()])
            return made

        return counted

    monkeypatch.setattr(counts.NodeCounts, "of", noting(counts.NodeCounts.of))
    monkeypatch.setattr(compiled, "count", noting(compiled.count))
    tree, train, _ = random_case(1, complete=True)
    for is_compiled in (False, True):
        monkeypatch.setattr(method, "pays", lambda *_, form=is_compiled: form)
        method._last_counts.forget()
        wc.method("wpe", numeric="bins").fit(tree, train)
    assert len(types) == 2 and types[0] == types[1]
    assert not any(is_writable for _, is_writable in types[0])


@pytest.mark.parametrize("is_complete", [True, False])
def test_counts_that_another_method_has_made_are_the_same(is_complete, monkeypatch):
    monkeypatch.setattr(method, "pays", lambda *_: True)
    forms = [("wpe", {}), ("wpe", {"node": "root"}), ("shrinkage", {}), ("shrinkage_wpe", {})]
    n_copied, count = 0, compiled.count

    def counted(*args):
        nonlocal n_copied
        n_copied += len(args) > 3
        return count(*args)

    monkeypatch.setattr(compiled, "count", counted)
    for seed in range(12):
        case = random_case(seed, complete=is_complete)
        alone = []
        for name, params in forms:
            method._last_counts.forget()
            alone.append(everything(name, {"numeric": "bins", **params}, *case))
        for order in itertools.permutations(range(len(forms))):
            method._last_counts.forget()
            for i in order:
                name, params = forms[i]
                assert_same(everything(name, {"numeric": "bins", **params}, *case), alone[i])
    assert n_copied > 100


@pytest.mark.parametrize("n_threads", ["2", "7"])
@pytest.mark.parametrize("name", KINDS)
def test_any_number_of_threads_gives_the_same(name, n_threads, monkeypatch):
    monkeypatch.setattr(method, "pays", lambda *_: True)
    for seed in range(30):
        case = random_case(seed, complete=seed % 2 == 0)
        monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
        alone = everything(name, {"numeric": "bins"}, *case)
        with monkeypatch.context() as patched:
            patched.setenv("NUMBA_NUM_THREADS", n_threads)
            patched.setattr(compiled, "CELLS_PER_THREAD", 40)
            assert_same(everything(name, {"numeric": "bins"}, *case), alone)


def test_parts_begin_between_paths(monkeypatch):
    """Paths may end at inner nodes, above leaves that are empty, and then hold the instances of all leaves below."""
    monkeypatch.setattr(method, "pays", lambda *_: True)
    n_inner = 0
    for seed in range(40):
        tree, train, _ = random_case(seed, complete=False)
        paths = wc.method("shrinkage", numeric="bins").fit(tree, train).paths_
        instances = NodeInstances.of(tree, train)
        allowed = set(compiled_diw._path_boundaries(paths, instances).tolist())
        ranges = [(instances.begin[node], instances.end[node]) for node in paths.node]
        assert allowed == {
            place for place in range(len(train)) if not any(begin < place < end for begin, end in ranges)
        }
        n_inner += int((tree.split_kind[paths.node] != SplitKind.LEAF).sum())
    assert n_inner > 10


def test_no_instance_beyond_the_last_is_counted():
    """Instances that are told apart by nothing are taken together, as far as the training set goes."""
    tree, train = worked_example()
    fitted = wc.method("shrinkage").fit(tree, train)
    instances = NodeInstances.of(tree, train)

    def followed_by_its_last(array):
        array = np.append(array, array[-1])[:-1]
        array.flags.writeable = False
        return array

    followed = counts.TrainingSet(
        replace(instances, last=followed_by_its_last(instances.last)),
        method._codes_in_order(fitted.columns_, tree, train),
        *map(followed_by_its_last, in_order(tree, train)),
    )
    given = compiled_diw.diw_weights(
        tree, fitted.paths_, followed, fitted._local(2), removes=fitted.removes, compares_class=False
    )
    np.testing.assert_array_equal(given, fitted.weight_)


@pytest.mark.parametrize("name", ["splice", "vowel"])
def test_compiled_form_equals_numpy_form_on_real_sets(load_uci, name, monkeypatch):
    data = load_uci(name)
    data = fit_preprocessing(data, "wang2006").apply(data)
    tree = wc.grow(data, "C44")
    for kind in KINDS:
        monkeypatch.setattr(method, "pays", lambda *_: False)
        in_numpy = everything(kind, {}, tree, data, data)
        monkeypatch.setattr(method, "pays", lambda *_: True)
        assert_same(everything(kind, {}, tree, data, data), in_numpy)


@pytest.mark.parametrize("name", KINDS)
def test_chunks_change_nothing(name, monkeypatch):
    case = random_case(8, complete=False)
    expected = everything(name, {"numeric": "bins"}, *case)
    monkeypatch.setattr(counts, "BLOCK_CELLS", 50)
    monkeypatch.setattr(interpolation, "CHUNK_CELLS", 60)
    monkeypatch.setattr(method, "CHUNK_ROWS", 7)
    assert_same(everything(name, {"numeric": "bins"}, *case), expected)


@pytest.mark.parametrize("name", KINDS)
def test_order_of_the_training_instances_changes_nothing(name):
    tree, train, test = random_case(7, complete=True)
    shuffled = train.take(np.random.default_rng(1).permutation(len(train)))
    for params in ({"numeric": "bins"}, {"numeric": "bins", **({} if name == "wpe" else {"weights": "em"})}):
        expected = everything(name, params, tree, train, test)
        given = everything(name, params, tree, shuffled, test)
        if "weights" in params:
            np.testing.assert_allclose(given["scores"], expected["scores"], rtol=0, atol=1e-12)
        else:
            assert_same(given, expected)


# ---- limits ----


@pytest.mark.parametrize("params", FORMS[:9], ids=lambda params: "-".join(params.values()))
def test_weights_of_a_path_sum_to_one(params):
    for seed in range(20):
        tree, train, _ = random_case(seed, complete=seed % 2 == 0)
        fitted = wc.method("shrinkage", **params, numeric="bins").fit(tree, train)
        assert (fitted.weight_ >= 0).all()
        np.testing.assert_allclose(np.add.reduceat(fitted.weight_, fitted.paths_.first[:-1]), 1, rtol=0, atol=1e-12)


def test_more_iterations_stop_at_the_tolerance():
    tree, train, test = random_case(6, complete=True)
    answers = [
        wc.method("shrinkage_wpe", numeric="bins", iterations=n, tolerance=1e-5).fit(tree, train).scores(test)
        for n in (1, 3_000, 6_000)
    ]
    np.testing.assert_array_equal(answers[1], answers[2])
    assert np.abs(answers[1] - answers[0]).max() > 0.01


def test_memory_of_fit(load_uci, monkeypatch):
    data = load_uci("letter")
    data = fit_preprocessing(data, "wang2006").apply(data)
    tree = wc.grow(data, "C44")
    fitted = wc.method("shrinkage_wpe").fit(tree, data)  # what the tree keeps for itself is made
    monkeypatch.setattr(method, "pays", lambda *_: False)
    tracemalloc.start()
    fitted = wc.method("shrinkage_wpe").fit(tree, data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - fitted.weight_.nbytes < 3 * data.values.nbytes
    tables = sum(array.nbytes for key, array in fitted.learned().items() if key.startswith("counts_"))
    assert tables < data.values.nbytes


# ---- numbers in bins ----


def test_bins_are_those_of_weka(load_uci):
    for name in ("iris", "hepatitis", "colic", "credit-a"):
        data = load_uci(name)
        data = data.take(np.random.default_rng(0).permutation(len(data)))
        train, test = data.take(slice(0, 100)), data.take(slice(100, len(data)))
        discretize = fit_filter(train, "weka.filters.unsupervised.attribute.Discretize", "-B 10")
        tree = wc.grow(train)
        on_numbers = wc.method("wpe", node="root", numeric="bins").fit(tree, train)
        on_bins = wc.method("wpe", node="root").fit(wc.grow(discretize.output), discretize.output)
        given, expected = on_numbers.scores(test), on_bins.scores(discretize.apply(test))
        np.testing.assert_allclose(given, expected, rtol=0, atol=1e-15)  # the trees split up other instances


@pytest.mark.parametrize("name", ["wpe", "shrinkage_wpe"])
@pytest.mark.parametrize("ends", [(-np.inf, 1.0), (0.0, np.inf), (-np.inf, np.inf), (-1.7e308, 1.7e308)])
def test_values_without_a_finite_range_share_a_bin(tmp_path, name, ends):
    train = small(x=[*ends, 0.5, None] * 5, n=[*"pq"] * 10, c=[*"aabb"] * 5)
    tree = random_tree(np.random.default_rng(0), train)
    fitted = wc.method(name, numeric="bins").fit(tree, train)
    wc.Model(fitted).save(tmp_path / "m.wct")
    codes = fitted.columns_.codes(train)[:, 0]
    assert set(codes[::4]) == set(codes[1::4]) == set(codes[2::4]) == {0} and set(codes[3::4]) == {-1}
    assert wc.load(tmp_path / "m.wct").method.scores(train).tolist() == fitted.scores(train).tolist()


@pytest.mark.parametrize("cells", [[3.0] * 6, [None] * 6, [-1e300, 1e300, 0, 1, 2, None], [1, 1, 1, 1, 1, 2]])
def test_odd_columns_in_bins(jvm, cells):
    train = small(x=[*cells], y=[1, 2, 3, 4, 5, 6], **{"class": list("ppqqpq")})
    discretize = fit_filter(train, "weka.filters.unsupervised.attribute.Discretize", "-B 10")
    tree = wc.grow(train, "J48", "-M 1")
    given = wc.method("wpe", node="root", numeric="bins").fit(tree, train).scores(train)
    expected = wc.method("wpe", node="root").fit(wc.grow(discretize.output), discretize.output)
    np.testing.assert_array_equal(given, expected.scores(discretize.output))


@pytest.mark.parametrize(
    ("name", "params"), [("wpe", {}), ("shrinkage_wpe", {}), ("shrinkage", {"local": "naive_bayes"})]
)
def test_numbers_are_refused_with_advice(name, params):
    tree, train, _ = random_case(1, complete=True)
    expected = rf"{name} compares nominal values, .*'x0'.*the filter .*, or give {name} the parameter numeric='bins'"
    with pytest.raises(wc.OptionError, match=expected):
        wc.method(name, **params).fit(tree, train)


def test_shrinkage_of_frequencies_takes_any_attributes():
    tree, train, test = random_case(1, complete=True)
    assert wc.method("shrinkage").fit(tree, train).predict_proba(test).shape == (len(test), train.n_classes)


def test_texts_are_refused():
    tree, train = worked_example()
    header = Header("t", (*train.attributes[:2], Attribute("s", "string", ("x",)), train.attributes[2]), 3)
    train = Dataset(header, np.insert(train.values, 2, 0, axis=1))
    with pytest.raises(wc.OptionError, match="wpe cannot compare string and relational attributes: 's'; remove them"):
        wc.method("wpe").fit(replace(tree, header=header), train)


@pytest.mark.parametrize("name", KINDS)
def test_the_table_reading_is_no_method(name):
    with pytest.raises(wc.OptionError, match=r"uses the class of the instances.*study replicate wang2006"):
        wc.method(name, reading="table")


@pytest.mark.parametrize("is_complete", [True, False])
def test_table_readings_are_the_paper_with_the_class_of_the_test_instance(is_complete, monkeypatch):
    monkeypatch.setattr(method, "CHUNK_ROWS", 3)
    for seed in range(10):
        tree, train, test = random_case(seed, complete=is_complete)
        test = test.take(slice(0, 8))
        asked = list(zip(test.values.tolist(), test.class_values.tolist(), strict=True))
        paper = Paper(tree, train, Decimal, bins=True)
        plain = Paper(tree, train, Decimal, local="laplace", removes=False)
        expected = {
            "wpe": [paper.wpe(cells, class_of_t=c) for cells, c in asked],
            "shrinkage_wpe": [paper.shrinkage(cells, is_raw=True, class_of_t=c) for cells, c in asked],
            "shrinkage": [[round(p, 12) for p in plain.shrinkage(cells)] for cells, _ in asked],
        }
        for name in KINDS:
            given = table_reading(wc.method(name, numeric="bins")).fit(tree, train).ranking(test)
            np.testing.assert_allclose(given, np.array(expected[name], dtype=float), rtol=0, atol=1.1e-12)


def test_readings_differ_in_what_is_ranked():
    tree, train, test = random_case(4, complete=True)
    honest, text = (
        wc.method("shrinkage_wpe", numeric="bins", reading=reading).fit(tree, train) for reading in ("honest", "text")
    )
    np.testing.assert_array_equal(honest.ranking(test), honest.predict_proba(test))
    np.testing.assert_array_equal(text.ranking(test), text.scores(test))
    for ask in ("scores", "predict_proba"):
        np.testing.assert_array_equal(getattr(honest, ask)(test), getattr(text, ask)(test))
    assert np.abs(text.scores(test).sum(axis=1) - 1).max() > 0.01


# ---- odd data ----


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("is_compiled", [True, False])
def test_few_instances(name, n, is_compiled, monkeypatch):
    monkeypatch.setattr(method, "pays", lambda *_: is_compiled)
    tree, train = worked_example()
    few = train.take(slice(0, n))
    proba = wc.method(name).fit(tree, few).predict_proba(train)
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-12)
    if n == 0:
        np.testing.assert_array_equal(proba, 0.5)
    paper = Paper(tree, few)
    if n and name == "shrinkage_wpe":
        expected = [paper.shrinkage(cells) for cells in train.values.tolist()]
        np.testing.assert_allclose(proba, expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", KINDS)
def test_a_missing_value_that_no_branch_takes_stops_the_instance(name):
    tree, train = worked_example()
    tree = replace(tree, branch_weight=[np.nan, 0, 0])
    given = wc.method(name).fit(tree, train).scores(instance(None, "s"))
    paper = Paper(tree, train, local="laplace" if name == "shrinkage" else "wpe")
    cells = instance(None, "s").values[0].tolist()
    expected = paper.wpe(cells) if name == "wpe" else paper.shrinkage(cells, is_raw=True)
    np.testing.assert_allclose(given, [expected], rtol=0, atol=1e-15)
    assert (given > 0).all()


@pytest.mark.parametrize("is_compiled", [True, False])
def test_an_answer_at_the_root_changes_no_answer_at_a_leaf(is_compiled, monkeypatch):
    """The value t of b is left in the training data, but not at the leaf of u."""
    monkeypatch.setattr(method, "pays", lambda *_: is_compiled)
    tree, train = worked_example()
    tree, few = replace(tree, branch_weight=[np.nan, 0, 0]), train.take([0, 2, 3, 4])
    asked = small(a=("uv", [None, "u"]), b=("st", ["t", "t"]), **{"class": ("pq", [None, None])})
    paper = Paper(tree, few)
    expected = [paper.wpe(cells) for cells in asked.values.tolist()]
    np.testing.assert_allclose(wc.method("wpe").fit(tree, few).scores(asked), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("scale", [1e-200, 1e-6, 3.0, 1e3, 1e12])
def test_weights_of_any_size(name, scale):
    tree, train, test = random_case(12, complete=True)
    heavy, few = replace(train, weights=train.weights * scale), test.take(slice(0, 5))
    given = wc.method(name, numeric="bins").fit(tree, heavy).predict_proba(few)
    paper = Paper(tree, heavy, Decimal, bins=True, local="laplace" if name == "shrinkage" else "wpe")
    expected = [(paper.wpe if name == "wpe" else paper.shrinkage)(cells) for cells in few.values.tolist()]
    np.testing.assert_allclose(given, np.array(expected, dtype=float), rtol=0, atol=1e-12)


def test_an_instance_of_weight_three_is_three_instances_to_wpe():
    tree, train, test = random_case(12, complete=True)
    heavy, thrice = replace(train, weights=train.weights * 3), train.take(np.repeat(np.arange(len(train)), 3))
    given, expected = (wc.method("wpe", numeric="bins").fit(tree, data).scores(test) for data in (heavy, thrice))
    np.testing.assert_array_equal(given, expected)
