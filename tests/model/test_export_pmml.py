"""Exported PMML documents answer in JPMML and PMML4S as the model does, and do not answer where a value is missing."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.export_cases import (
    COSTLY,
    DECIDES_ALONE,
    HOSTILE,
    KINDS,
    asks_tree,
    case_of,
    each_case,
    hostile_model,
    majority_answer,
    model_of,
    pooled_model,
    rows_of,
)
from support.written_trees import EQUALS, LE, written_tree

import wekaconf as wc
from wekaconf.bridge._jvm import java_to_use
from wekaconf.data import Attribute, ColumnMap, Header
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.thresholds import choose
from wekaconf.model.export._pmml_document import NAMESPACE
from wekaconf.model.export._pmml_pool import _intervals
from wekaconf.model.fitted import Model
from wekaconf.tree._kinds import Routing

PACKAGES = {"jpmml": "jpmml_evaluator", "pmml4s": "pypmml"}
DRIVER = Path(__file__).parents[1] / "support" / "pmml_driver.py"


@pytest.fixture(scope="module", params=PACKAGES)
def evaluator(request):
    """The answers of an evaluator for the rows of a file."""
    if find_spec(PACKAGES[request.param]) is None:
        pytest.skip(f"{PACKAGES[request.param]} is not installed")
    home = str(java_to_use())
    process = subprocess.Popen(
        [sys.executable, DRIVER, request.param], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"JAVA_HOME": home, "PATH": f"{home}/bin{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip

    def answers(path, rows):
        process.stdin.write(json.dumps([str(path), rows]) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield answers
    process.stdin.close()
    process.wait(60)


def assert_same(found, model, data):
    """That whole rows are answered as the model does, and rows with a missing value on their path are not."""
    filtered, router = model.conform(data), model.method.tree_.router
    is_whole = router.attribute[router.last_whole_nodes(filtered.values)] < 0
    is_whole |= not asks_tree(model)
    answer, names = model.answer(data), model.header.class_names
    assert len(found) == len(data)
    assert ["predicted" in one for one in found] == is_whole.tolist()
    proba = [[one[f"distribution_{name}"] for name in names] for one in found if "predicted" in one]
    np.testing.assert_allclose(proba, answer.proba[is_whole], rtol=0, atol=1e-12)
    certainty = [one["certainty"] for one in found if "predicted" in one]
    np.testing.assert_allclose(certainty, answer.certainty[is_whole], rtol=0, atol=1e-12)
    predicted = [one["predicted"] for one in found if "predicted" in one]
    assert predicted == [names[c] for c in answer.predicted[is_whole]]
    accepted = [one.get("accepted") for one in found]
    if model.thresholds is None:
        assert set(accepted) == {None}
    else:
        expected = np.where(is_whole, ~answer.rejected(model.thresholds), None)
        assert accepted == expected.tolist()


@each_case(kind for kind in KINDS if kind not in COSTLY)
def test_document_answers_as_the_model(tmp_path, evaluator, kind, routing, seed):
    model, data, rows = case_of(kind, routing, seed)
    model.export(tmp_path / "model.pmml")
    assert (tmp_path / "model.pmml").read_text(encoding="utf-8").startswith('<?xml version="1.0" encoding="utf-8"?>')
    assert_same(evaluator(tmp_path / "model.pmml", rows), model, data)


@pytest.mark.parametrize("kind", ["likeliest", DECIDES_ALONE])
@pytest.mark.parametrize("seed", range(3))
def test_a_pool_answers_for_a_row_on_the_threshold(tmp_path, evaluator, kind, seed):
    model, data = pooled_model(Routing.J48, kind, seed, missing=0.0)
    for i, certainty in enumerate(model.certainty(data)[::20].tolist()):
        replace(model, choice=choose(Aim("below", certainty), [], [])).export(tmp_path / f"{i}.pmml")
        assert evaluator(tmp_path / f"{i}.pmml", rows_of(model, data.take([20 * i])))[0]["accepted"] == 1


@pytest.mark.parametrize("kind", ["likeliest", "tree"])
def test_a_pool_sends_missing_values_along_the_largest_share(tmp_path, evaluator, kind):
    """Every row is answered; rows without missing values as the model answers them."""
    model, data = pooled_model(Routing.J48, kind, 1)
    model.export(tmp_path / "model.pmml", missing="majority")
    found = evaluator(tmp_path / "model.pmml", rows_of(model, data))
    assert all("predicted" in one for one in found)
    is_whole = ~np.isnan(np.delete(data.values, data.class_index, axis=1)).any(axis=1)
    assert_same([one for one, whole in zip(found, is_whole, strict=True) if whole], model, data.take(is_whole))


@pytest.mark.parametrize("routing", [Routing.J48, Routing.REPTREE, Routing.CART, Routing.COUNTS])
def test_majority_sends_missing_values_along_the_largest_share(tmp_path, evaluator, routing):
    model, data = model_of(routing, "leaf_frequency", 1)
    tree = model.export(tmp_path / "tree.pmml", missing="majority")
    found = evaluator(tmp_path / "tree.pmml", rows_of(model, data))
    for one, row in zip(found, data.values, strict=True):
        expected = majority_answer(tree, model.header, row)
        proba = [one[f"distribution_{name}"] for name in tree.class_names]
        np.testing.assert_allclose(proba, expected, rtol=0, atol=1e-12)


LOW = repr(-sys.float_info.max)


@pytest.mark.parametrize(("ends", "bins"), [
    ((), [[("openClosed", None, "0.0"), ("openOpen", "0.0", None)]]),
    ((-0.0, 2.5, 2.5),
     [[("openClosed", None, "0.0")], [("openClosed", "0.0", "2.5")], [], [("openOpen", "2.5", None)]]),
    ((-np.inf, 1.0), [[("openOpen", None, LOW)], [("closedClosed", LOW, "1.0")], [("openOpen", "1.0", None)]]),
    ((-np.inf,), [[("openOpen", None, LOW)], [("closedOpen", LOW, None)]]),
    ((np.inf,), [[("openClosed", None, "0.0"), ("openOpen", "0.0", None)], []]),
])  # fmt: skip
def test_intervals_that_hold_each_number_once(ends, bins):
    """Those of numbers that are at most each end, above the one before; an infinite margin is none, or the largest."""
    places = [
        (str(place), {"closure": closure, "leftMargin": low, "rightMargin": high})
        for place, each in enumerate(bins)
        for closure, low, high in each
    ]
    expected = [
        ("DiscretizeBin", {"binValue": place},
         [("Interval", {name: text for name, text in margins.items() if text is not None}, [])])
        for place, margins in places
    ]  # fmt: skip
    discretized = ("Discretize", {"field": "x", "dataType": "string"}, expected)
    named = {"name": "term", "optype": "categorical", "dataType": "string"}
    assert _intervals(ends, "x", "term") == ("DerivedField", named, [discretized])


@pytest.mark.parametrize("name", ["x", " x", "x ", "x\n"])
@pytest.mark.parametrize("values", [("p", "p "), ("", "q"), ("p\n", "p"), ("a  b", "a b"), ("1", "1.0"), ("-1", "NaN")])
def test_blanks_and_numbers_in_names_are_kept(tmp_path, evaluator, name, values):
    header = Header("r", (Attribute(name, "nominal", values), Attribute("class", "nominal", ("a", "b"))), 1)
    tree = written_tree(header, (0, EQUALS, 0, [1.0, 2.0], [2.0, 1.0]))
    Model(wc.LeafFrequency.restore({}, tree, {})).export(tmp_path / "tree.pmml")
    found = evaluator(tmp_path / "tree.pmml", [{name: value} for value in values])
    assert [one["predicted"] for one in found] == ["b", "a"]


@pytest.mark.parametrize(
    ("name", "value", "target", "message"),
    [
        ("certainty", "p", "class", "cannot have a field of the name 'certainty'"),
        ("distribution_a", "p", "class", "cannot have a field of the name 'distribution_a'"),
        ("x", "p", "predicted", "cannot have a field of the name 'predicted'"),
        ("", "p", "class", "cannot have a field of the name ''"),
        ("x\f", "p", "class", "XML does not allow a character"),
    ],
)
def test_names_that_a_document_cannot_hold_are_refused(tmp_path, name, value, target, message):
    attributes = (Attribute(name, "nominal", ("v", value)), Attribute(target, "nominal", ("a", "b")))
    header = Header("r", attributes, 1)
    tree = written_tree(header, (0, EQUALS, 0, [1.0, 2.0], [2.0, 1.0]))
    with pytest.raises(wc.OptionError, match=message):
        Model(wc.LeafFrequency.restore({}, tree, {})).export(tmp_path / "tree.pmml")
    assert not (tmp_path / "tree.pmml").exists()


def test_what_a_document_cannot_hold_is_refused(tmp_path):
    header = Header("r", (Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)
    leaf = Model(wc.LeafFrequency.restore({}, written_tree(header, [1.0, 2.0]), {}))
    with pytest.raises(wc.OptionError, match="a single leaf, so a PMML document would have no input"):
        leaf.export(tmp_path / "tree.pmml")
    same, none = np.arange(2, dtype=np.int32), np.zeros(0)
    fill = ColumnMap(header, header, same, np.array([np.inf, np.nan]), np.zeros(3, np.int32), none, np.zeros(2, bool))
    tree = written_tree(header, (0, LE, 1.0, [1.0, 2.0], [2.0, 1.0]))
    with pytest.raises(wc.OptionError, match="replace missing values of 'x' by ±∞, which PMML cannot"):
        Model(wc.LeafFrequency.restore({}, tree, {}), (fill,)).export(tmp_path / "tree.pmml")
    aim = Aim("cost", ([[0, 1], [5, 0]], 0.5))
    costly = Model(wc.LeafFrequency.restore({}, tree, {}), choice=choose(aim, [], []))
    with pytest.raises(
        wc.OptionError, match=r"costs decide the answers .*; .py, .json, .sql or .onnx can hold the model as it is$"
    ):
        costly.export(tmp_path / "tree.pmml")
    assert not (tmp_path / "tree.pmml").exists()


@pytest.mark.one_commit_in(3)
def test_a_document_is_the_same_each_time_and_valid_xml(tmp_path):
    for name in HOSTILE:
        model, _ = hostile_model(name)
        model.export(tmp_path / "tree.pmml")
        text = (tmp_path / "tree.pmml").read_bytes()
        root = ElementTree.fromstring(text)
        fields = root.findall(f"{{{NAMESPACE}}}DataDictionary/{{{NAMESPACE}}}DataField")
        assert [field.get("name") for field in fields][-1] == f"class {name}"
        model.export(tmp_path / "tree.pmml")
        assert (tmp_path / "tree.pmml").read_bytes() == text
