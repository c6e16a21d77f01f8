"""One answer per pass: each part computed at most once, what the public questions give, and the events it tells."""

import gc
import importlib
import weakref
from dataclasses import replace

import numpy as np
import pytest
from support.forms import WITH_TWO_FORMS, form
from support.method_cases import CASES, case, each_method, each_method_and_case, everything, fitted
from support.random_trees import made, random_dataset, random_header, random_tree
from support.small_data import small
from support.written_trees import LE, written_tree

import wekaconf as wc
from wekaconf.methods.boundary_distance import BoundaryDistance
from wekaconf.methods.boundary_distance import _regions as regions
from wekaconf.methods.confdtree import _vectorised as vectorised
from wekaconf.methods.contract._answer import LARGEST_PROBABILITY, Answer, CertaintyRange, Reply
from wekaconf.methods.contract._explanation import Event, Explanation, paths
from wekaconf.methods.contract._method import Method
from wekaconf.report._predictions import join_tables
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import Routing, SplitKind

PARTS = ("proba", "predicted", "ranking", "scores", "certainty", "explanation")
TELL_THE_PATH = ["leaf_frequency", "curtailment", "m_branch", "ling_yan", "wpe", "kukar_kononenko"]
"""Methods without events of their own."""

# ---- how often ----


def counting(cls):
    """A method that counts how often it answers, and how often each part of a reply is made."""
    made_parts = {"answer": 0, "ranking": 0, "scores": 0, "certainty": 0, "explain": 0}

    def counted(part, make):
        def counts():
            made_parts[part] += 1
            return make()

        return counts

    class Counting(cls, is_registered=False):
        def _answer(self, data):
            made_parts["answer"] += 1
            reply = super()._answer(data)
            later = {part: getattr(reply, part) for part in made_parts if callable(getattr(reply, part, None))}
            return replace(reply, **{part: counted(part, make) for part, make in later.items()})

    return Counting, made_parts


@each_method
def test_each_part_is_made_at_most_once_and_when_it_is_asked_for(name):
    given = case(CASES[0], name)
    cls, made_parts = counting(Method.registry[name])
    method = cls(**made(name).params).fit(given.tree, given.train)
    answer = method.answer(given.test)
    assert made_parts == {"answer": 1, "ranking": 0, "scores": 0, "certainty": 0, "explain": 0}
    read = [[getattr(answer, part) for part in PARTS] for _ in range(2)]
    assert all(one is other for one, other in zip(*read, strict=True))
    assert made_parts["answer"] == 1 and max(made_parts.values()) == 1
    assert (made_parts["explain"] == 0) == (name in TELL_THE_PATH)


@each_method
def test_an_answer_does_not_wait_for_a_collection_of_garbage(name):
    """What is answered part after part must not add up."""
    given = case(CASES[0], name)
    method = made(name).fit(given.tree, given.train)
    gc.disable()
    try:
        answer = method.answer(given.test)
        for part in PARTS:
            getattr(answer, part)
        assert len(answer.reasons[:]) == len(given.test) and answer.explanation[0] is not None
        kept = weakref.ref(answer)
        del answer
        assert kept() is None
    finally:
        gc.enable()


def test_the_search_for_the_nearest_region_serves_certainty_and_explanation(monkeypatch):
    given, searches = case(CASES[0]), []
    nearest = regions.nearest
    monkeypatch.setattr(regions, "nearest", lambda *asked: searches.append(1) or nearest(*asked))
    answer = BoundaryDistance().fit(given.tree, given.train).answer(given.test)
    assert answer.predicted.shape == (len(given.test),) and not searches
    for _ in range(2):
        assert len(answer.certainty) == len(answer.explanation) == len(given.test)
    assert len(searches) == 1


@pytest.fixture
def kernel(monkeypatch):
    """Of how many instances each call of ConfDTree's kernel was."""
    calls, answers = [], vectorised.answers

    def counted(intervals, rules, router, values):
        calls.append(len(values))
        return answers(intervals, rules, router, values)

    monkeypatch.setattr(vectorised, "answers", counted)
    return calls


def test_confdtree_s_kernel_runs_once_per_split(jvm, kernel, iris):
    """Distributions, certainty, ranking and the counts of events are of one pass; a threshold asks for one more."""
    evaluation = wc.evaluate(iris, ["confdtree"], folds=5, runs=2)
    assert kernel == [30] * 10
    assert sum(evaluation.records[0]["events"].values()) > 0
    kernel.clear()
    aimed = wc.Protocol(folds=3, aim=wc.Aim("keep", 0.9), threshold_from="training")
    wc.evaluate(iris, ["confdtree"], protocol=aimed)
    assert kernel == [100, 50] * 3


# ---- what ----


@each_method_and_case
def test_the_public_questions_give_the_parts_of_the_answer(name, what):
    given, method = case(what, name), fitted(name, what)
    answer, expected = method.answer(given.test), {}
    expected["proba"], expected["ranking"] = method.predict_proba(given.test), method.ranking(given.test)
    expected["scores"], expected["predicted"] = method.scores(given.test), method.predict(given.test)
    expected["certainty"] = method.certainty(given.test)
    for part, array in expected.items():
        assert getattr(answer, part).tobytes() == array.tobytes(), part
        assert getattr(answer, part).dtype == array.dtype
    assert answer.explanation[:] == method.explain(given.test)[:]
    assert len(answer) == len(given.test)
    assert repr(answer) == f"Answer({len(given.test)} instances, 3 classes)"


def nothing_done(n):
    """An explanation without events."""
    none = np.zeros(0, dtype=np.int32)
    return Explanation(case("one node").tree, n, ("event",), none, none, none.astype(np.uint8))


def test_what_a_reply_leaves_out_follows_from_the_distributions():
    proba = np.array([[0.25, 0.75], [0.5, 0.5 + 1e-14]])
    answer = Answer(
        proba, Reply(proba), ("a", "b"), lambda: nothing_done(2),
        lambda answer, rows: [f"row {i}" for i in np.arange(2)[rows]], lambda answer, i: (answer.proba, i),
    )  # fmt: skip
    assert answer.ranking is answer.scores is proba
    assert answer.certainty.tolist() == [0.75, 0.5 + 1e-14]
    assert answer.predicted.tolist() == [1, 0]
    assert len(answer.explanation) == 2 and answer.explanation.account(-1) == (proba, 1)
    assert list(answer.reasons) == ["b (75 %): row 0", "a (50 %): row 1"] and answer.reason(-1) == "a (50 %): row 1"
    assert list(answer.grounds) == ["row 0", "row 1"]
    none = Answer(proba[:0], Reply(proba[:0]), ("a", "b"), lambda: nothing_done(0), lambda answer, rows: [], print)
    assert none.certainty.shape == none.predicted.shape == (0,)


def test_parts_of_a_table_are_joined_with_the_values_of_all():
    first, second = small(n=["p", "q"], c=["a", "b"]), small(n=["r", "p"], c=["a", "b"])
    both = join_tables([first, second])
    assert [attribute.values for attribute in both.attributes] == [("p", "q", "r"), ("a", "b")]
    assert both.values.tolist() == [[0, 0], [1, 1], [2, 0], [0, 1]]


def test_parts_may_be_arrays_or_functions():
    proba, other = np.array([[0.25, 0.75]]), np.array([[4.0, 2.0]])
    for give in (lambda part: part, lambda part: lambda: part):
        reply = Reply(proba, ranking=give(other), scores=give(-other), certainty=give(other[:, 0]),
                      explain=lambda: nothing_done(3))  # fmt: skip
        answer = Answer(proba, reply, ("a", "b"), lambda: pytest.fail("the method explains"), None, print)
        assert answer.ranking.tolist() == [[4, 2]] and answer.scores.tolist() == [[-4, -2]]
        assert answer.certainty.tolist() == [4] and len(answer.explanation) == 3


@each_method_and_case
def test_both_forms_give_the_same_answers_and_events(name, what):
    given, found = case(what, name), []
    for is_compiled in (False, True):
        with form(is_compiled=is_compiled):
            found.append(everything(given.fitted(name), given.test))
    assert found[0] == found[1]


COMPILED = {
    "wpe": ["smoothing._compiled.count", "smoothing._compiled.estimate"],
    "shrinkage": [
        "smoothing._compiled.count",
        "smoothing._compiled_diw.diw_weights",
        "smoothing._compiled.interpolate",
    ],
    "confdtree": ["confdtree._compiled.answers"],
    "ling_yan": ["ling_yan._compiled.sum_over_leaves"],
    "boundary_distance": ["boundary_distance._compiled.nearest"],
}  # fmt: skip
"""What methods with a compiled form call of it, from fitting to the certainty."""


@pytest.mark.parametrize("name", COMPILED)
def test_a_compiled_form_is_used_where_it_pays(name, monkeypatch):
    called = []

    def noting(path, function):
        return lambda *given, **named: called.append(path) or function(*given, **named)

    for path in {path for paths_ in COMPILED.values() for path in paths_}:
        module, _, function = f"wekaconf.methods.{path}".rpartition(".")
        monkeypatch.setattr(module + "." + function, noting(path, getattr(importlib.import_module(module), function)))
    given = case(CASES[0], name)
    for is_compiled, expected in ((True, COMPILED[name]), (False, [])):
        called.clear()
        with form(is_compiled=is_compiled):
            assert len(given.fitted(name).answer(given.test).certainty) == 60
        assert called == expected


def test_a_compiled_form_pays_for_so_much_work(monkeypatch):
    """Cells that are compared; instances; instances of a tree of so many nodes; cells times regions."""
    asked = []
    for module in WITH_TWO_FORMS:
        monkeypatch.setattr(module, "compiled_pays", lambda *work: asked.append(work) or False)
    for name, work in (
        ("confdtree", lambda _: (60, 5_000, "wekaconf.methods.confdtree._compiled")),
        ("wpe", lambda method: (60 * len(method.columns_.column), 500_000, "wekaconf.methods.smoothing._compiled")),
        (
            "ling_yan",
            lambda method: (60, 30_000_000 // method.leaf_answer_.size, "wekaconf.methods.ling_yan._compiled"),
        ),
        ("boundary_distance", lambda method: (360 * len(method.regions_.node), 100_000_000)),
    ):
        given = case(CASES[0], name)
        method = given.fitted(name)
        asked.clear()
        assert len(method.answer(given.test).certainty) == 60
        assert work(method) in asked


# ---- certainty ----


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        (LARGEST_PROBABILITY, "[1/n_classes, 1]"),
        (CertaintyRange(), "[0, 1]"),
        (CertaintyRange(high=np.inf), "[0, ∞]"),
        (CertaintyRange(is_low_open=True), "(0, 1]"),
        (CertaintyRange(-1.5, 2), "[-1.5, 2]"),
    ],
)
def test_a_range_is_written_as_an_interval(stated, told):
    assert str(stated) == told


@pytest.mark.parametrize(
    ("stated", "good", "bad"),
    [
        (LARGEST_PROBABILITY, [0, 0.1, 1, np.inf], [-1e-9, 1 + 1e-9, np.nan, -np.inf]),
        (CertaintyRange(is_low_open=True), [0, 0.1, 1, np.inf], [-0.1, 70, np.nan]),
        (CertaintyRange(high=np.inf), [0, 1e308, np.inf], [-1e-300, np.nan]),
        (CertaintyRange(-1, 1), [-1, 0, 1, np.inf], [-1.5, 1.5]),
    ],
)
def test_a_range_allows_thresholds_that_part_certainties_and_those_that_reject_nothing_or_all(stated, good, bad):
    assert [stated.allows(threshold) for threshold in good] == [True] * len(good)
    assert [stated.allows(threshold) for threshold in bad] == [False] * len(bad)


# ---- events: the path ----


def ways(tree, cells, node=0, share=1.0):
    """Every way of an instance down a tree of J48: its nodes, and the part that goes it, of shares not normalised."""
    if tree.split_kind[node] == SplitKind.LEAF:
        yield [node], share
        return
    value, first = cells[tree.split_attribute[node]], int(tree.first_child[node])
    children = list(range(first, first + int(tree.n_branches[node])))
    if np.isnan(value):
        weights = {child: float(tree.branch_weight[child]) for child in children if not tree.is_empty[child]}
        total = sum(tree.branch_weight[child] for child in children)
        taken = [(child, weight / total) for child, weight in weights.items() if weight > 0]
        if not taken:
            yield [node], share
    elif tree.split_kind[node] == SplitKind.NUMERIC_LE:
        taken = [(children[0 if value <= tree.split_point[node] else 1], 1.0)]
    elif tree.split_kind[node] == SplitKind.NOMINAL_EQUALS:
        taken = [(children[0 if value == tree.split_value[node] else 1], 1.0)]
    else:
        taken = [(children[int(value)], 1.0)]
    for child, part in taken:
        for below, of in ways(tree, cells, child, share * part):
            yield [node, *below], of


def expected_events(tree, cells):
    """The events of an instance: for each way the nodes that ask, with the value, and the leaf."""
    found, names = list(ways(tree, cells)), tree.class_names
    total = sum(share for _, share in found)
    for nodes, share in found:
        for node in nodes[:-1]:
            attribute = tree.header.attributes[tree.split_attribute[node]]
            value = cells[tree.split_attribute[node]]
            if np.isnan(value):
                yield Event(node, "node", attribute.name, {})
            else:
                value = attribute.values[int(value)] if attribute.is_nominal else value
                yield Event(node, "node", attribute.name, {"value": value})
        weights = tree.class_weight[nodes[-1]].tolist()
        counts = {name: weight for name, weight in zip(names, weights, strict=True) if weight > 0}
        details = {"counts": counts}
        if len(found) > 1:
            details["share"] = pytest.approx(share / total, abs=1e-12)
        yield Event(nodes[-1], "leaf", "", details)


@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_paths_are_those_of_the_tree(missing):
    n_parts = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        header = random_header(rng, 4, 3)
        train = random_dataset(rng, header, 90, 0.1, weights=seed % 2 == 0)
        data = random_dataset(rng, header, 30, missing)
        tree = random_tree(rng, train, max_depth=seed % 6)
        explanation = paths(tree, data)
        assert explanation.kinds == ("node", "leaf") and len(explanation) == 30
        for i, leaf in enumerate(tree.apply(data).tolist()):
            told = explanation[i]
            assert sorted(told, key=in_order) == sorted(expected_events(tree, data.values[i]), key=in_order)
            ends = [event for event in told if event.kind == "leaf"]
            assert (ends[0].node, len(ends)) == (leaf, 1) if leaf >= 0 else len(ends) >= 1
            assert_each_way_is_told_from_the_root_down(tree, told)
            n_parts += len(ends) - 1
    assert (n_parts > 100) == (missing > 0)


def in_order(event):
    return event.node, str(event.details.get("value")), event.details.get("counts", {}).get("c0", 0)


def assert_each_way_is_told_from_the_root_down(tree, told):
    before = -1
    for event in told:
        assert tree.parent[event.node] == before
        before = event.node if event.kind == "node" else -1
    assert before == -1


@pytest.mark.parametrize("routing", Routing)
def test_the_answer_is_the_mean_over_the_parts_that_the_path_tells(routing):
    """Of whatever learner: at the leaves that it tells, in the shares that it tells."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        header = random_header(rng, 4, 3)
        train = random_dataset(rng, header, 90, 0.1, weights=True)
        data = random_dataset(rng, header, 30, 0.2)
        tree = random_tree(rng, train, max_depth=4, routing=routing, subsets=routing.adds_counts)
        answers = made("curtailment", min_weight=3).fit(tree, train)
        proba, explanation = answers.predict_proba(data), answers.explain(data)
        for i in range(len(data)):
            ends = [event for event in explanation[i] if event.kind == "leaf"]
            shares = [event.details.get("share", 1.0) for event in ends]
            assert sum(shares) == pytest.approx(1, abs=1e-12)
            mean = sum(share * answers.answer_[event.node] for share, event in zip(shares, ends, strict=True))
            np.testing.assert_allclose(proba[i], mean, rtol=0, atol=1e-12)
            assert_each_way_is_told_from_the_root_down(tree, explanation[i])


def test_events_concern_the_attribute_that_is_given_or_that_the_node_asks_for():
    tree = written_tree(small(x=[0], y=[0], c=("pq", ["p"])).header, (0, LE, 1.0, [1, 0], [0, 1]))
    rows, nodes, kinds = np.array([0, 1, 1]), np.array([0, 0, 2], np.int32), np.zeros(3, np.uint8)
    own = Explanation(tree, 2, ("seen",), rows, nodes, kinds)
    given = replace(own, attribute=np.array([1, -1, 0], np.int32))
    of_forest = replace(own, tree=Forest((tree, tree)))
    for explanation, names in ((own, ["x", "x", ""]), (given, ["y", "", "x"]), (of_forest, ["", "", ""])):
        told = [Event(node, "seen", name) for node, name in zip(nodes.tolist(), names, strict=True)]
        assert explanation[:] == [tuple(told[:1]), tuple(told[1:])]
        assert (explanation[-2], explanation[1]) == (tuple(told[:1]), tuple(told[1:]))
        assert (explanation[5:], explanation[::-1]) == ([], [tuple(told[1:]), tuple(told[:1])])
        for outside in (-3, 2):
            with pytest.raises(IndexError, match=f"^instance {outside} of 2$"):
                explanation[outside]


@pytest.mark.parametrize("name", TELL_THE_PATH)
def test_methods_without_events_of_their_own_tell_the_path(name):
    given = case(CASES[0], name)
    assert given.fitted(name).explain(given.test)[:] == paths(given.tree, given.test)[:]


def test_the_path_of_an_empty_leaf_in_words():
    tree = case("empty leaf").tree
    data = random_dataset(np.random.default_rng(3), tree.header, 3000)
    ends = [events[-1] for events in paths(tree, data)[:]]
    assert {str(event) for event in ends if tree.is_empty[event.node]} == {"leaf: counts none"}
    some = next(event for event in ends if not tree.is_empty[event.node])
    weights = tree.class_weight[some.node].tolist()
    told = ", ".join(f"{name} {weight:.6g}" for name, weight in zip(tree.class_names, weights, strict=True) if weight)
    assert str(some) == f"leaf: counts {told}"


# ---- events: ConfDTree ----


def test_words_of_confdtree_s_events():
    event = Event(0, "fine", "x", {"value": 9.9, "class": "A", "interval": (2.0, 6.25)})
    assert str(event) == "fine x: value 9.9, class A, interval [2, 6.25]"
