"""The page of a model answers as Python does: every method that it computes, 1,000 instances each, in a browser."""

from dataclasses import replace

import numpy as np
import pytest
from support.export_cases import POOLS, pooled_model
from support.growers import grow
from support.page_opener import fitted, opened, rows_of, written
from support.random_trees import random_dataset, random_header, random_tree

import wekaconf as wc
from wekaconf.data import Attribute
from wekaconf.data.wording import percent
from wekaconf.methods.second_opinion._sentences import percent_texts
from wekaconf.model.scheme import parse_method
from wekaconf.report._model_page.gathering import Rows
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import Routing

N = 1000
COMPUTED = (
    "leaf_frequency", "confdtree", "confdtree:variant=tdist,fine=0.3", "shrinkage", "shrinkage:weights=em",
    "shrinkage:local=naive_bayes,numeric=bins", "wpe:numeric=bins", "wpe:node=root,numeric=bins",
    "shrinkage_wpe:numeric=bins,reading=text", "m_branch", "curtailment:min_weight=25", "ling_yan",
    "ling_yan:confusion=0", "id3_sd", "id3_sd:alpha=0.3", "id3_max:closed=lower",
    "boundary_distance",
    "boundary_distance:norm=l1,scaling=z,nominal=0.2", "boundary_distance:norm=linf,scaling=minmax,nominal=inf",
)  # fmt: skip
ON_FORESTS = ("leaf_frequency", "confdtree", "shrinkage", "m_branch", "curtailment")


@pytest.fixture(scope="module")
def train():
    """Numbers, nominal values and missing ones, with weights."""
    rng = np.random.default_rng(6)
    return random_dataset(rng, random_header(rng, 6, 4), 400, missing=0.05, weights=True)


def asked_like(data, seed=1):
    """Instances that differ from the training data: a third complete, the others with missing values."""
    rng = np.random.default_rng(seed)
    drawn = random_dataset(rng, data.header, N, missing=0.15)
    values = drawn.values.copy()
    numbers = [column for column, attribute in enumerate(data.attributes) if not attribute.is_indexed]
    far = rng.random((N, len(numbers))) < 0.2
    values[:, numbers] = np.where(far, 4 * values[:, numbers] + rng.normal(size=far.shape), values[:, numbers])
    complete = random_dataset(rng, data.header, N // 3).values
    values[: N // 3] = np.where(np.isnan(values[: N // 3]), complete, values[: N // 3])
    return wc.Dataset(data.header, values)


def assert_equal_answers(browser, path, model, asked):
    """The answers of the page of a model, or of a fitted method, are Python's; returns these."""
    with opened(browser, written(path, model, rows_of(asked))) as page:
        found = page.evaluate("wekaconf.answerRows()")
    wanted = model.answer(asked)
    np.testing.assert_allclose([each["proba"] for each in found], wanted.proba, rtol=0, atol=1e-12)
    np.testing.assert_allclose([each["certainty"] for each in found], wanted.certainty, rtol=1e-12, atol=1e-12)
    assert [each["predicted"] for each in found] == wanted.predicted.tolist()
    return wanted


@pytest.mark.slow
def test_every_method_answers_in_the_page_as_in_python(browser, tmp_path, train):
    rng = np.random.default_rng(11)
    routings, seen = list(Routing), set()
    for i, text in enumerate(COMPUTED):
        routing = routings[i % len(routings)]
        seen.add(routing)
        tree = random_tree(rng, train, max_depth=6, routing=routing, subsets=i % 3 == 0)
        method = parse_method(text).fit(tree, train)
        wanted = assert_equal_answers(browser, tmp_path / f"{i}.html", method, asked_like(train, i))
        assert len(np.unique(wanted.certainty)) > 1
    assert seen == set(Routing)


@pytest.mark.slow
def test_forests_and_corrections_answer_as_in_python(browser, tmp_path, train):
    rng = np.random.default_rng(12)
    votes = ("mean", "average", "hard")
    for i, text in enumerate(ON_FORESTS):
        trees = [random_tree(rng, train, max_depth=5, routing=Routing.J48, subsets=k == 1) for k in range(3)]
        method = parse_method(text).fit(Forest(tuple(trees), votes=votes[i % 3]), train)
        assert_equal_answers(browser, tmp_path / f"{i}.html", method, asked_like(train, i))
    for routing in (Routing.J48, Routing.CART_LAPLACE, Routing.COUNTS):
        tree = random_tree(rng, train, max_depth=5, routing=routing)
        method = parse_method(f"leaf_frequency:laplace={str(not routing.is_laplace).lower()}").fit(tree, train)
        assert_equal_answers(browser, tmp_path / f"{routing}.html", method, asked_like(train))


def test_the_learners_trees_answer_as_in_python(browser, tmp_path, jvm, train):
    learners = (("J48", "-B"), ("REPTree", ""), ("RandomTree", "-K 3"), ("CART", ""), ("info_gain", ""))
    for learner, options in learners:
        known = train
        if learner == "CART":
            kept = [i for i, attribute in enumerate(train.attributes) if not attribute.is_nominal]
            kept.append(train.class_index)
            header = wc.Header("numbers", tuple(train.attributes[i] for i in kept), len(kept) - 1)
            known = wc.Dataset(header, train.values[:, kept], train.weights)
        tree = grow(known, learner, options)
        assert tree.n_nodes > 10
        method = parse_method("leaf_frequency").fit(tree, known)
        assert_equal_answers(browser, tmp_path / f"{learner}.html", method, asked_like(known))


@pytest.mark.parametrize("kind", POOLS)
@pytest.mark.parametrize("routing", list(Routing))
def test_second_opinions_answer_as_in_python(browser, tmp_path, routing, kind):
    model, asked = pooled_model(routing, kind, 1, missing=0.1)
    assert_equal_answers(browser, tmp_path / "s.html", model, asked)


def test_many_rows_of_second_opinions_answer_as_in_python(browser, tmp_path, train):
    for sides in ("laplace+naive_bayes+logistic", "logistic"):
        method = parse_method(f"second_opinion:sides={sides}").fit(grow(train, "info_gain"), train)
        assert method.members_
        assert_equal_answers(browser, tmp_path / "s.html", method, asked_like(train))


def test_the_sides_are_bars_that_inputs_move(browser, tmp_path, iris):
    """In the colours of the classes, as wide as the probabilities; the last row is the pool."""
    method = parse_method("second_opinion:answers=tree").fit(grow(iris, "info_gain"), iris)
    asked = wc.Dataset(iris.header, np.array([[6.0, 3.0, 4.9, 1.6, np.nan], [6.0, 3.0, 4.9, 2.4, np.nan]]))
    answer = method.answer(asked)
    said = [side.proba(asked) for side in method.members_.values()]
    with opened(browser, written(tmp_path / "s.html", method, Rows(asked.take([0]), ["one"]))) as page:
        assert page.locator("#untested summary").inner_text().endswith("does not test; the other opinions read them")
        for i, typed in enumerate((None, "2.4")):
            if typed:
                page.get_by_role("textbox", name="petal width (cm)").fill(typed)
            rows = page.locator("#opinions tbody tr")
            names = [side.words for side in method.members_.values()]
            assert rows.locator("th").all_inner_texts() == [*names, "together"]
            shares = [
                *(percent_texts(each[i].max(keepdims=True))[0] for each in said),
                percent(answer.proba[i].max(), 2),
            ]
            for row, share, proba in zip(rows.all(), shares, [each[i] for each in (*said, answer.proba)], strict=True):
                bars = row.locator("rect").evaluate_all(
                    "bars => bars.map((bar) => [bar.getAttribute('fill'), bar.width.baseVal.value / 300])"
                )
                assert [fill for fill, _ in bars] == sorted(fill for fill, _ in bars), "so that bars can be compared"
                widths = dict.fromkeys(range(3), 0.0) | {int(fill[7:-1]): width for fill, width in bars}
                np.testing.assert_allclose([widths[c] for c in range(3)], proba, rtol=0, atol=0.01)
                assert row.locator("td").last.inner_text() == f"{iris.class_names[proba.argmax()]} {share}"
            assert page.locator("#predicted").inner_text() == iris.class_names[answer.predicted[i]]
            assert f"certainty {answer.certainty[i]:.4g}" in page.locator("#certainty").inner_text()
        assert not np.allclose(answer.proba[0], answer.proba[1], atol=0.2)


def test_a_tree_that_answers_alone_has_no_bars(browser, tmp_path):
    model, asked = pooled_model(Routing.J48, "lone tree", 1)
    with opened(browser, written(tmp_path / "s.html", model, Rows(asked.take([0]), ["one"]))) as page:
        assert page.locator("#opinions").is_hidden()
        assert "the tree answers alone" in page.locator("#steps").inner_text()


@pytest.mark.parametrize(("text", "why"), [
    ("tpce", "grows trees for each row, which a page does not"),
    ("kukar_kononenko", "grows trees for each row, which a page does not"),
    ("second_opinion:sides=laplace+neighbours", "asks neighbours, which the page does not hold"),
    ("second_opinion:sides=laplace+neighbours,answers=tree", "asks neighbours, which the page does not hold"),
])  # fmt: skip
def test_methods_that_the_page_does_not_compute_show_what_python_answered(browser, tmp_path, iris, text, why):
    method = fitted(text, iris, "info_gain")
    rows = Rows(iris.take([0, 70, 134]), ["first", "middle", "last"])
    wanted = method.answer(rows.data)
    with opened(browser, written(tmp_path / "k.html", method, rows)) as page:
        for i, name in enumerate(rows.names):
            page.get_by_label("Choose an instance").select_option(label=name)
            assert f"certainty {wanted.certainty[i]:.4g}" in page.locator("#certainty").inner_text()
            assert why in page.locator("#note").inner_text()
            assert wanted.grounds[i] in page.locator("#note").inner_text()
        assert page.evaluate("wekaconf.answerRows()[1].proba") == wanted.proba[1].tolist()
        page.get_by_role("textbox", name="petal length (cm)").fill("5")
        needs = f"what-if answers of {method.display_name} need Python: wekaconf predict MODEL FILE."
        note, of_typed = page.locator("#note").inner_text(), page.locator("#certainty").inner_text()
        assert f"{why}; you see the plain tree's answer; {needs}" in note and of_typed.endswith("of the plain tree.")
        typed = wc.Dataset(iris.header, np.where(np.arange(5) == 2, 5.0, rows.data.values[2:]))
        assert (
            page.evaluate("wekaconf.answer(wekaconf.values()).proba") == method.tree_.predict_proba(typed)[0].tolist()
        )


def test_values_at_and_beside_a_split_go_the_same_way(browser, tmp_path, train):
    tree = random_tree(np.random.default_rng(3), train, max_depth=5, routing=Routing.CART)
    splits = np.flatnonzero(~np.isnan(tree.split_point))
    values = np.zeros((4 * len(splits), len(train.attributes)))
    for i, node in enumerate(splits):
        point, column = tree.split_point[node], tree.split_attribute[node]
        beside = [np.nextafter(point, np.inf), np.nextafter(point, -np.inf)]
        values[4 * i : 4 * i + 4, column] = [point, *beside, np.nextafter(np.float32(point), np.float32(9))]
    method = parse_method("leaf_frequency").fit(tree, train)
    assert_equal_answers(browser, tmp_path / "split.html", method, wc.Dataset(train.header, values))


def test_one_leaf_and_absent_classes(browser, tmp_path):
    header = wc.Header("flat", (Attribute("x"), Attribute("class", "nominal", ("a", "b", "c"))), 1)
    train = wc.Dataset(header, np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 2.0]]))
    tree = random_tree(np.random.default_rng(0), train, max_depth=0)
    asked = wc.Dataset(header, np.array([[1.5, np.nan], [np.nan, np.nan], [np.inf, np.nan]]))
    for text in ("confdtree", "shrinkage", "boundary_distance", "id3_sd", "ling_yan", "m_branch"):
        method = parse_method(text).fit(tree, train)
        path = tmp_path / f"{text}.html"
        assert_equal_answers(browser, path, method, asked)
    one_class = replace(train, values=np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]))
    method = parse_method("boundary_distance").fit(random_tree(np.random.default_rng(0), one_class), one_class)
    assert assert_equal_answers(browser, path, method, asked).certainty[0] == np.inf
