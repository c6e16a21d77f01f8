"""Exported trees: plain Python and JSON answer as the model does, and what cannot be held is refused."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from support.command_line import IRIS, ROOT
from support.export_cases import (
    BY_LEAF,
    HOSTILE,
    assert_same,
    balanced,
    chain,
    edges,
    hostile_model,
    model_of,
    odd_points,
    rows_of,
    unseen_rows,
)
from support.method_cases import METHODS, case
from support.random_trees import made, random_dataset, random_tree

import wekaconf as wc
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.thresholds import choose
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.model.export import standalone
from wekaconf.model.export.exported_tree import exported_tree
from wekaconf.model.export.formats import FORMATS, export_model
from wekaconf.model.export.json_record import json_text
from wekaconf.model.fitted import Model
from wekaconf.tree.kinds import Routing
from wekaconf.tree.router import mixture


@pytest.mark.parametrize("name", METHODS)
def test_answers_at_nodes_are_those_of_instances(name):
    one = case("missing values and weights", name)
    method = one.fitted(name) if name in BY_LEAF else None
    if method is None:
        assert PostProcessor.registry[name].answers_at is PostProcessor.answers_at
        return
    data = one.test.without_class_values()
    row, node, share = one.tree.router.paths(data.values)
    expected = mixture(len(data), row, share, method.answers_at(node))
    answer = method.answer(data)
    np.testing.assert_allclose(expected, answer.proba, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(answer.certainty, answer.proba.max(axis=1))


def record_answers(model, data):
    """What the JSON record answers for each row, by the code that exported modules hold."""
    tree = json.loads(json_text(exported_tree(model)))
    return [standalone.answer_of(tree, row) for row in rows_of(model, data)]


@pytest.mark.parametrize("method", BY_LEAF)
@pytest.mark.parametrize("routing", list(Routing))
@pytest.mark.parametrize("seed", range(3))
def test_record_answers_as_the_model(routing, method, seed):
    model, data = model_of(routing, method, seed)
    assert_same(record_answers(model, data), model, data)


@pytest.mark.parametrize("routing", [Routing.J48, Routing.REPTREE, Routing.RANDOMTREE, Routing.CART])
def test_thresholds_of_splits_and_their_neighbours(routing):
    model, _ = model_of(routing, "leaf_frequency", 1)
    data = edges(model)
    assert_same(record_answers(model, data), model, data)


def test_infinite_split_points():
    model, data = odd_points()
    assert_same(record_answers(model, data), model, data)


def test_unseen_values_are_missing():
    model, _ = model_of(Routing.J48, "m_branch", 2)
    rows, data = unseen_rows(model)
    tree = json.loads(json_text(exported_tree(model)))
    assert_same([standalone.answer_of(tree, row) for row in rows], model, data)


@pytest.mark.parametrize("aim", ["0.7", "class", "inf"])
def test_rejections_are_those_of_the_model(aim):
    model, data = model_of(Routing.J48, "m_branch", 3)
    certainty = np.unique(model.certainty(data))
    levels = {"0.7": certainty[len(certainty) // 2], "inf": math.inf, "class": certainty[len(certainty) // 2]}
    model = replace(model, choice=choose(Aim("below", levels[aim]), [], []))
    if aim == "class":
        tree = exported_tree(model)
        per_class = tuple(levels["class"] if c else -math.inf for c in range(len(tree.class_names)))
        tree = replace(tree, thresholds=per_class)
        record = json.loads(json_text(tree))
        rejected = [standalone.answer_of(record, row)["rejected"] for row in rows_of(model, data)]
        assert rejected == model.answer(data).rejected(np.array(per_class)).tolist()
    else:
        rejected = [answer["rejected"] for answer in record_answers(model, data)]
        assert rejected == model.answer(data).rejected(model.thresholds).tolist()
    assert any(rejected) and (aim == "inf" or not all(rejected))


@pytest.mark.parametrize("shape", ["large", "deep"])
def test_large_and_deep_trees(tmp_path, shape):
    model = chain(200) if shape == "deep" else balanced(13)
    assert model.method.tree_.depth.max() >= 200 if shape == "deep" else model.method.tree_.n_nodes > 10_000
    data = random_dataset(np.random.default_rng(5), model.header, 300, 0.02)
    assert_same(record_answers(model, data), model, data)


def answered_by(path, rows):
    """What an exported module answers, in a process of its own that sees no package."""
    code = (
        "import json, sys, importlib.util as u\n"
        "s = u.spec_from_file_location('exported', sys.argv[1]); m = u.module_from_spec(s); s.loader.exec_module(m)\n"
        "assert not {'numpy', 'wekaconf'} & set(sys.modules)\n"
        "print(json.dumps([m.answer(row) for row in json.load(sys.stdin)]))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, path],
        input=json.dumps(rows), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.parametrize("routing", [Routing.J48_LAPLACE, Routing.COUNTS])
def test_module_answers_without_any_package(tmp_path, routing):
    model, data = model_of(routing, "leaf_frequency", 4)
    export_model(model, tmp_path / "tree.py")
    assert_same(answered_by(tmp_path / "tree.py", rows_of(model, data)), model, data)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(tmp_path, name):
    model, data = hostile_model(name)
    export_model(model, tmp_path / "tree.py")
    assert_same(answered_by(tmp_path / "tree.py", rows_of(model, data)), model, data)
    assert not (tmp_path / "owned").exists()


def test_json_follows_its_schema():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs/assets/exported-tree.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for routing in Routing:
        for method in BY_LEAF:
            model, _ = model_of(routing, method, 6)
            model = replace(model, choice=choose(Aim("below", math.inf), [], []))
            jsonschema.validate(json.loads(json_text(exported_tree(model))), schema)


REFUSED = {
    "wpe": "the nearest that can be exported is shrinkage, others are curtailment, leaf_frequency or m_branch",
    "ling_yan": "the nearest that can be exported is leaf_frequency, others are curtailment, m_branch or shrinkage",
}


@pytest.mark.parametrize("method", REFUSED)
def test_other_methods_are_refused(method, tmp_path):
    params = {"numeric": "bins"} if method == "wpe" else {}
    one = case("missing values and weights", method)
    model = Model(made(method, **params).fit(one.tree, one.train))
    with pytest.raises(wc.OptionError, match=f"^{method}.* answers by the values.*{REFUSED[method]}"):
        export_model(model, tmp_path / "tree.json")
    assert not (tmp_path / "tree.json").exists()


def test_forests_and_filters_are_refused(tmp_path):
    data = wc.load_arff(IRIS)
    rng = np.random.default_rng(0)
    trees = tuple(random_tree(rng, data) for _ in range(2))
    forest = wc.Forest(trees, learner="Bagging", options="", weka_version="")
    with pytest.raises(wc.OptionError, match="a forest of 2"):
        export_model(Model(wc.LeafFrequency().fit(forest, data)), tmp_path / "tree.py")
    with pytest.raises(wc.OptionError, match=r"expected a name that ends in .*got '\.txt'"):
        export_model(Model(wc.LeafFrequency().fit(trees[0], data)), tmp_path / "tree.txt")


def test_command_writes_every_format(good, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good("predict", "-t", IRIS, "--learner", "CART", "--below", "0.9", "-d", "m.wct")
    for ending in FORMATS:
        if ending == ".onnx" and find_spec("onnx") is None:
            continue
        good("export", "m.wct", "-o", f"tree{ending}")
        assert Path(f"tree{ending}").stat().st_size
    data = wc.load_arff(IRIS)
    model = wc.load_model("m.wct")
    assert_same(answered_by("tree.py", rows_of(model, data)), model, data)
