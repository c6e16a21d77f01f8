"""Exported graphs answer in ONNX Runtime as the model does, and do not answer where a value on the path is missing."""

import math
import sys
from dataclasses import replace

import numpy as np
import pytest
from support.command_line import IRIS
from support.export_cases import (
    DECIDES_ALONE,
    KINDS,
    asks_tree,
    balanced,
    case_of,
    each_case,
    majority_answer,
    model_of,
    pooled,
    pooled_model,
)
from support.random_trees import random_dataset
from support.written_trees import LE, written_tree

import wekaconf as wc
from wekaconf.data import Attribute, Header
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.thresholds import choose
from wekaconf.methods.second_opinion._pool import logarithms
from wekaconf.methods.second_opinion._pool import pooled as second_opinion_pool
from wekaconf.model.export._exported_model import exported_model
from wekaconf.model.fitted import Model
from wekaconf.tree._kinds import Routing


def answers(path, model, data, **export):
    """The outputs of the exported graph, by name."""
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    tree = model.export(path, **export)
    session = runtime.InferenceSession(path)
    header = model.header
    feeds = {}
    for column in tree.columns:
        cells = data.values[:, header.attributes.index(column)][:, None]
        if column.is_nominal:
            texts = ["never seen" if math.isnan(c) else column.values[int(c)] for c in cells[:, 0]]
            feeds[column.name] = np.array(texts, dtype=object)[:, None]
        else:
            feeds[column.name] = cells
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, feeds), strict=True))


def test_a_graph_asks_for_operators_that_old_runtimes_have(tmp_path):
    """Those of ONNX 1.11, of 2022, or of older ones."""
    onnx = pytest.importorskip("onnx")
    data = wc.load_arff(IRIS)
    Model(wc.method("leaf_frequency").fit(wc.CART().grow(data), data)).export(tmp_path / "m.onnx")
    graph = onnx.load(tmp_path / "m.onnx")
    assert {each.domain: each.version for each in graph.opset_import} == {"": 15, "ai.onnx.ml": 3}
    assert graph.ir_version <= 8


def assert_same(found, model, data):
    """That whole rows are answered as the model does, and rows with a missing value on their path are not."""
    filtered = model.conform(data)
    is_whole = model.method.tree_.apply(filtered) >= 0
    router = model.method.tree_.router
    is_whole &= router.attribute[router.last_whole_nodes(filtered.values)] < 0
    is_whole |= not asks_tree(model)
    np.testing.assert_array_equal(found["answered"], is_whole)
    answer, names = model.answer(data), np.array(model.header.class_names, dtype=object)
    np.testing.assert_allclose(found["distribution"][is_whole], answer.proba[is_whole], rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["certainty"][is_whole], answer.certainty[is_whole], rtol=0, atol=1e-12)
    assert found["predicted"].tolist() == np.where(is_whole, names[answer.predicted], "").tolist()
    assert np.isnan(found["certainty"][~is_whole]).all() and np.isnan(found["distribution"][~is_whole]).all()
    if model.thresholds is not None:
        rejected = answer.rejected(model.thresholds) | ~is_whole
        np.testing.assert_array_equal(found["rejected"], rejected)


@each_case(KINDS)
def test_graph_answers_as_the_model(tmp_path, kind, routing, seed):
    model, data, _ = case_of(kind, routing, seed)
    assert_same(answers(tmp_path / "model.onnx", model, data), model, data)


def test_a_pool_of_a_single_leaf_answers_every_row(tmp_path):
    rng = np.random.default_rng(1)
    header = Header(
        "r", (Attribute("x"), Attribute("n", "nominal", ("p", "q")), Attribute("c", "nominal", ("a", "b"))), 2
    )
    train = random_dataset(rng, header, 60, 0.1)
    model = Model(pooled(written_tree(header, [3.0, 2.0]), train))
    data = random_dataset(rng, header, 40, 0.3)
    found = answers(tmp_path / "model.onnx", model, data)
    assert found["answered"].all()
    assert_same(found, model, data)


def test_a_pool_sends_missing_values_along_the_largest_share(tmp_path):
    """Of the tree; the sums treat them as the model does."""
    model, data = pooled_model(Routing.J48, "likeliest", 1)
    found = answers(tmp_path / "model.onnx", model, data, missing="majority")
    assert found["answered"].all()
    alone = replace(exported_model(model), sides=exported_model(model).sides[:1])
    tree = np.array([majority_answer(alone, model.header, row) for row in data.values])
    method = model.method
    said = np.stack([tree, *(side.proba(data) for side in [*method.members_.values()][1:])])
    expected = second_opinion_pool(logarithms(said), method.weights_)
    np.testing.assert_allclose(found["distribution"], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ["likeliest", DECIDES_ALONE])
@pytest.mark.parametrize("seed", range(3))
def test_a_pool_answers_for_a_row_on_the_threshold(tmp_path, kind, seed):
    model, data = pooled_model(Routing.J48, kind, seed, missing=0.0)
    for i, certainty in enumerate(model.certainty(data)[::10].tolist()):
        at = replace(model, choice=choose(Aim("below", certainty), [], []))
        assert not answers(tmp_path / "model.onnx", at, data.take([10 * i]))["rejected"][0]


@pytest.mark.parametrize("routing", [Routing.J48, Routing.REPTREE, Routing.CART, Routing.COUNTS])
@pytest.mark.parametrize("seed", range(2))
def test_majority_sends_missing_values_along_the_largest_share(tmp_path, routing, seed):
    model, data = model_of(routing, "leaf_frequency", seed)
    found = answers(tmp_path / "tree.onnx", model, data, missing="majority")
    assert found["answered"].all()
    tree = exported_model(model)
    expected = [majority_answer(tree, model.header, row) for row in data.values]
    np.testing.assert_allclose(found["distribution"], expected, rtol=0, atol=1e-12)


def test_refusals(tmp_path, monkeypatch):
    model = balanced(3)
    with pytest.raises(wc.OptionError, match=r"\.py treats missing values as the model does"):
        model.export(tmp_path / "tree.py", missing="majority")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(wc.OptionError, match=r"needs onnx, which is not installed; pip install 'wekaconf\[export\]'"):
        model.export(tmp_path / "tree.onnx")
    assert not (tmp_path / "tree.onnx").exists()


def test_single_leaves_and_names_of_the_graph_are_refused(tmp_path):
    pytest.importorskip("onnx")
    classes = Attribute("class", "nominal", ("a", "b"))
    for name, spec, message in [
        ("x", [1.0, 2.0], "a single leaf"),
        ("certainty", (0, LE, 1.0, [1.0, 0.0], [0.0, 1.0]), "an input of the name 'certainty'"),
        ("", (0, LE, 1.0, [1.0, 0.0], [0.0, 1.0]), "an input of the name ''"),
    ]:
        tree = written_tree(Header("r", (Attribute(name), classes), 1), spec)
        with pytest.raises(wc.OptionError, match=message):
            Model(wc.LeafFrequency.restore({}, tree, {})).export(tmp_path / "tree.onnx")


def test_command_names_what_the_graph_does_not_answer(good, tmp_path, monkeypatch):
    onnx = pytest.importorskip("onnx")
    monkeypatch.chdir(tmp_path)
    good("predict", "-t", IRIS, "--learner", "CART", "-d", "m.wct")
    good("export", "m.wct", "-o", "tree.onnx")
    good("export", "m.wct", "-o", "majority.onnx", "--missing", "majority")
    graph = onnx.load("tree.onnx").graph
    assert {one.name for one in graph.initializer} <= {name for node in graph.node for name in node.input}
    properties = {one.key: one.value for one in onnx.load("tree.onnx").metadata_props}
    assert properties["missing"] == "not answered" and "class sets" in properties["left_out"]
    others = {one.key: one.value for one in onnx.load("majority.onnx").metadata_props}
    assert others["missing"].startswith("takes")
