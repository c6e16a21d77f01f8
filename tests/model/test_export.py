"""Exported trees: plain Python and JSON answer as the model does, and what cannot be held is refused."""

import json
import math
import subprocess
import sys
import warnings
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.command_line import IRIS, ROOT
from support.export_cases import (
    BY_LEAF,
    HOSTILE,
    KINDS,
    assert_same,
    case_of,
    costly_model,
    each_case,
    hostile_model,
    model_of,
    pooled,
    pooled_model,
    rows_of,
)
from support.growers import grow
from support.method_cases import METHODS, case
from support.random_trees import made, random_dataset, random_tree
from support.written_trees import EACH, EQUALS, written_tree

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError
from wekaconf.data import Attribute, ColumnMap, Header
from wekaconf.data.frames import values_like
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.preprocessing import fit_filters
from wekaconf.evaluation.thresholds import choose
from wekaconf.methods.contract._method import Method
from wekaconf.model.export import _standalone as standalone
from wekaconf.model.export._exported_model import exported_model
from wekaconf.model.export._formats import FORMATS
from wekaconf.model.export._record import json_text
from wekaconf.model.fitted import Model
from wekaconf.tree._kinds import Routing
from wekaconf.tree._router import mixture


@pytest.mark.parametrize("name", METHODS)
def test_answers_at_nodes_are_those_of_instances(name):
    one = case("missing values and weights", name)
    method = one.fitted(name) if name in BY_LEAF else None
    if method is None:
        assert Method.registry[name].answers_at is Method.answers_at
        return
    data = one.test.without_class_values()
    row, node, share = one.tree.router.paths(data.values)
    expected = mixture(len(data), row, share, method.answers_at(node))
    answer = method.answer(data)
    np.testing.assert_allclose(expected, answer.proba, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(answer.certainty, answer.proba.max(axis=1))


def record_answers(model, data, rows=None):
    """What the JSON record answers for each row, by the code that exported modules hold."""
    record = json.loads(json_text(exported_model(model)))
    return [standalone.answer_of(record, row) for row in rows or rows_of(model, data)]


@each_case(KINDS)
def test_record_answers_as_the_model(kind, routing, seed):
    model, data, rows = case_of(kind, routing, seed)
    assert_same(record_answers(model, data, rows), model, data)


@pytest.mark.parametrize("method", BY_LEAF)
def test_costs_decide_to_the_last_bit_and_reject_some(method):
    model, data = costly_model(Routing.J48, method, 1)
    answer = model.answer(data)
    whole = [one["certainty"] == own for one, own in zip(record_answers(model, data), answer.certainty, strict=True)]
    assert np.mean(whole) > 0.3, "a row that no missing value divides has the same certainty to the last bit"
    assert answer.is_rejected.any() and not answer.is_rejected.all()


@pytest.mark.parametrize("seed", range(3))
def test_a_pool_answers_for_a_row_on_the_threshold(seed):
    """Of every row, whose certainty may differ in the last digits elsewhere; one a little higher rejects it."""
    model, data = pooled_model(Routing.J48, "likeliest", seed)
    certainty, rows = model.certainty(data), rows_of(model, data)
    record = json.loads(json_text(exported_model(replace(model, choice=choose(Aim("below", 0.5), [], [])))))
    for threshold, is_rejected in ((certainty, False), (certainty + 1e-11, True)):
        for i, row in enumerate(rows):
            lowered = exported_model(
                replace(model, choice=choose(Aim("below", float(threshold[i])), [], []))
            ).thresholds
            assert standalone.answer_of(record | {"thresholds": lowered}, row)["rejected"] == is_rejected


def test_a_pool_reads_the_columns_of_its_sums_and_no_others():
    model, _ = pooled_model(Routing.J48, "likeliest", 1)
    others = {known.name for i, known in enumerate(model.header.attributes) if i != model.header.class_index}
    assert {column.name for column in exported_model(model).columns} == others
    values = model.method.tree_.header, random_dataset(np.random.default_rng(1), model.header, 90).values.copy()
    constant = next(i for i, known in enumerate(model.header.attributes) if known.kind == "numeric")
    values[1][:, constant] = 2.5
    train = wc.Dataset(*values)
    leaf = random_tree(np.random.default_rng(1), train, max_depth=0)
    read = {column.name for column in exported_model(Model(pooled(leaf, train, "naive_bayes"))).columns}
    assert read == others - {model.header.attributes[constant].name}
    alone, _ = pooled_model(Routing.J48, "lone tree", 1, max_depth=1)
    assert len(exported_model(alone).columns) == 1


@pytest.mark.parametrize("learner", ["CART", "info_gain"])
@pytest.mark.parametrize("answers", ["likeliest", "tree"])
def test_a_fitted_second_opinion_is_exported(tmp_path, learner, answers):
    data = random_dataset(np.random.default_rng(3), pooled_model(Routing.J48, "tree", 3)[0].header, 300, 0.1)
    model = wc.fit(data, wc.SecondOpinion(answers=answers), learner=learner, aim=Aim("error", 0.3))
    assert model.method.members_
    model.export(tmp_path / "model.py")
    assert_same(answered_by(tmp_path / "model.py", rows_of(model, data)), model, data)


REFUSED_SIDES = {
    "laplace+neighbours": "neighbours keeps training instances",
    "laplace+id3_sd": "id3_sd answers by more than leaves and sums",
    "naive_bayes+ling_yan": "ling_yan answers by more than leaves and sums",
    "neighbours": "neighbours keeps training instances",
}


DEFAULT_SIDES = r"to export one, fit it with sides=laplace\+naive_bayes\+logistic$"


@pytest.mark.parametrize("sides", REFUSED_SIDES)
def test_sides_that_no_format_holds_are_refused(sides, tmp_path):
    model, _ = pooled_model(Routing.J48, "likeliest", 1, sides)
    with pytest.raises(wc.OptionError, match=f"of second_opinion.*, {REFUSED_SIDES[sides]}; {DEFAULT_SIDES}"):
        model.export(tmp_path / "model.json")
    assert not (tmp_path / "model.json").exists()


UNSUPERVISED = "weka.filters.unsupervised.attribute"
CHAINS = {
    "fill": [f"{UNSUPERVISED}.ReplaceMissingValues"],
    "equal width": [f"{UNSUPERVISED}.Discretize -B 4"],
    "equal frequency, then fill": [f"{UNSUPERVISED}.Discretize -F -B 5", f"{UNSUPERVISED}.ReplaceMissingValues"],
    "supervised": [f"{UNSUPERVISED}.ReplaceMissingValues", "weka.filters.supervised.attribute.Discretize"],
    "removed": [
        f"{UNSUPERVISED}.PKIDiscretize",
        f"{UNSUPERVISED}.Remove -R 1",
        f"{UNSUPERVISED}.Reorder -R 2,1,3-last",
    ],
}


@pytest.mark.jvm
@pytest.mark.parametrize("learner", ["J48", "REPTree"])
@pytest.mark.parametrize("chain", CHAINS)
def test_filters_of_weka_are_composed_with_trees_of_weka(tmp_path, learner, chain):
    rng = np.random.default_rng(2)
    data = wc.load_arff(IRIS)
    values = data.values.copy()
    values[:, :4][rng.random((len(values), 4)) < 0.15] = np.nan
    train = wc.Dataset(data.header, values)
    fitted = fit_filters(train, CHAINS[chain])
    method = wc.MBranch().fit(grow(fitted.output, learner, "-M 2"), fitted.output)
    model = Model(method, fitted.filters)
    model.save(tmp_path / "m.wct")
    wc.load(tmp_path / "m.wct").export(tmp_path / "tree.py")
    assert_same(answered_by(tmp_path / "tree.py", rows_of(model, train)), model, train)


@pytest.mark.jvm
def test_all_that_stands_in_the_way_is_said_at_once(tmp_path):
    data = wc.load_arff(IRIS)
    fitted = fit_filters(data, [f"{UNSUPERVISED}.Standardize"])
    method = wc.SecondOpinion(sides="laplace+neighbours").fit(grow(fitted.output), fitted.output)
    with pytest.raises(
        wc.OptionError,
        match=r"Standardize .*; of second_opinion.*, neighbours keeps .*; to export one, filter .* and fit it with",
    ):
        Model(method, fitted.filters).export(tmp_path / "tree.json")


def test_a_fill_that_no_number_becomes_is_refused():
    header = Header("r", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    bins = Header("r", (Attribute("x", "nominal", ("low", "none", "high")), header.attributes[1]), 1)
    nan, same = np.full(2, np.nan), np.arange(2, dtype=np.int32)
    cut = ColumnMap(header, bins, same, nan, np.array([0, 2, 2], np.int32), np.ones(2), np.array([True, False]))
    fill = ColumnMap(bins, bins, same, np.array([1, np.nan]), np.zeros(3, np.int32), np.zeros(0), np.zeros(2, bool))
    tree = written_tree(bins, (0, EQUALS, 0, [1.0, 2.0], [2.0, 1.0]))
    model = Model(wc.LeafFrequency.restore({}, tree, {}), (cut, fill))
    with pytest.raises(wc.OptionError, match="fills missing values of 'x' with one that no number becomes"):
        exported_model(model)
    answer = record_answers(replace(model, filters=(cut,)), wc.Dataset(header, np.array([[1.0, 0], [1.5, 0]])))
    assert [one["predicted"] for one in answer] == ["b", "a"]


def test_each_class_may_have_a_threshold():
    model, data = model_of(Routing.J48, "m_branch", 3)
    below = float(np.median(model.certainty(data)))
    thresholds = tuple(below if c else -math.inf for c in range(model.header.n_classes))
    record = json.loads(json_text(replace(exported_model(model), thresholds=thresholds)))
    rejected = [standalone.answer_of(record, row)["rejected"] for row in rows_of(model, data)]
    assert rejected == model.answer(data).rejected(np.array(thresholds)).tolist()
    assert any(rejected) and not all(rejected)


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
    model.export(tmp_path / "tree.py")
    assert_same(answered_by(tmp_path / "tree.py", rows_of(model, data)), model, data)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("is_pooled", [False, True])
def test_hostile_names(tmp_path, name, is_pooled):
    model, data = hostile_model(name, is_pooled=is_pooled)
    model.export(tmp_path / "tree.py")
    assert_same(answered_by(tmp_path / "tree.py", rows_of(model, data)), model, data)
    assert not (tmp_path / "owned").exists()


@pytest.fixture(scope="module")
def schema():
    """What the published schema of the record checks."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs/assets/exported-model.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@each_case(KINDS, n_seeds=1)
def test_json_follows_its_schema(schema, kind, routing, seed):
    model, _, _ = case_of(kind, routing, seed)
    schema.validate(json.loads(json_text(exported_model(model))))


MEANINGS = {
    ("true", "false"): {0: (True, 1, 1.0, "1", "1.0", "TRUE", " True ", np.True_, np.int8(1), np.float32(1)),
                        1: (False, 0, -0.0, "False", "0e5", Decimal(0))},
    ("0", "1"): {1: (True, 1, 1.0, "1.0", "01", "tRUE", Decimal("1.00"), np.float64(1), np.str_("1"))},
    ("FALSE", "TRUE"): {1: (True, 1.0, "true")},
    ("1", "01", "2"): {0: (1,), 1: ("01",), 2: (2.0,), ValueError: (1.0, "+1")},
    ("0.1", "b"): {0: (0.1, "0.10", ".1", "1e-1")},
    ("a", "NA"): {1: ("NA",), 0: ("a ",), None: ("A", "", "?", 1)},
    ("nan", "x"): {0: ("nan",), None: (math.nan, np.float32("nan"), None)},
}  # fmt: skip
"""Cells by the place of the declared value that they mean."""
CELLS = [
    (values, cell, place) for values, known in MEANINGS.items() for place, cells in known.items() for cell in cells
]


@pytest.mark.parametrize(("values", "cell", "place"), CELLS)
def test_nominal_cells_mean_what_the_model_reads(values, cell, place):
    attribute = Attribute("n", "nominal", values)
    column = {"name": "n", "kind": "nominal", "values": list(values)}
    frame = pd.DataFrame({"n": pd.Series([cell], dtype=object)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wc.Note)
        if place is ValueError:
            with pytest.raises(ValueError, match=r"column 'n': '.*' may mean '1' or '01'; write one of them"):
                standalone.cell_of(column, cell)
            with pytest.raises(HeaderMismatchError, match="'1' or '01'"):
                values_like(frame, Header("r", (attribute,), -1))
            return
        read = values_like(frame, Header("r", (attribute,), -1))[0, 0]
    assert standalone.cell_of(column, cell) == place
    assert np.isnan(read) if place is None else read == place


NOON = datetime(2024, 2, 29, 12, 0, 0, 5000)
DATES = [
    NOON, NOON.replace(tzinfo=UTC), NOON.replace(hour=14, tzinfo=timezone(timedelta(hours=2))), np.datetime64(NOON),
    pd.Timestamp(NOON), pd.Timestamp(NOON, tz="UTC").tz_convert("Asia/Tokyo"), "2024-02-29T12:00:00.005",
    "2024-02-29 12:00:00.005Z", " 2024-02-29T07:00:00.005999-05 ", 1709208000005, 1709208000005.0,
]  # fmt: skip


@pytest.mark.parametrize("cell", DATES, ids=repr)
def test_dates_are_milliseconds(cell):
    column = {"name": "d", "kind": "date", "iso_texts": True}
    assert standalone.cell_of(column, cell) == 1709208000005
    assert standalone.cell_of(column, date(2024, 2, 29)) == standalone.cell_of(column, "2024-02-29") == 1709164800000


@pytest.mark.parametrize(
    "cell", [None, pd.NA, pd.NaT, np.datetime64("NaT"), math.nan, "", " ", "?", "NA", "nan"], ids=repr
)
@pytest.mark.parametrize("kind", ["numeric", "date"])
def test_cells_that_are_missing(kind, cell):
    column = {"name": "x", "kind": kind, "iso_texts": True}
    assert standalone.cell_of(column, cell) is None
    assert standalone.cell_of(column | {"fill": 2.5}, cell) == 2.5


@pytest.mark.parametrize(("kind", "cell", "message"), [
    ("numeric", "2,26", "expected a number, got '2,26'; correct it"), ("numeric", "1e400", "got '1e400'"),
    ("numeric", "true", "got 'true'"), ("numeric", NOON, "float"), ("date", "29.2.2024", "a date such as 2024-12-31"),
    ("date", "2023-02-29", "day is out of range|day 29 must be"),
    ("zoneless", "2024-02-29", "milliseconds since 1970, got"),
])  # fmt: skip
def test_cells_that_cannot_be_read(kind, cell, message):
    column = {"name": "x", "kind": kind.replace("zoneless", "date"), "iso_texts": kind == "date"}
    with pytest.raises(ValueError, match=f"^column 'x': .*({message})"):
        standalone.cell_of(column, cell)


def test_a_module_reads_texts_numbers_and_truth_alike(tmp_path):
    header = Header("r", (Attribute("n", "nominal", ("false", "true")), Attribute("c", "nominal", ("a", "b"))), 1)
    model = Model(wc.LeafFrequency.restore({}, written_tree(header, (0, EACH, 0, [3.0, 1.0], [1.0, 4.0])), {}))
    model.export(tmp_path / "tree.py")
    cells = [True, 1, 1.0, "1", "TRUE", False, 0, "0.0", "False"]
    answered = answered_by(tmp_path / "tree.py", [{"n": cell} for cell in cells])
    assert [one["predicted"] for one in answered] == ["b"] * 5 + ["a"] * 4


TO_SHRINKAGE = "shrinkage, which is nearest, or curtailment, leaf_frequency, m_branch or second_opinion"
TO_FREQUENCY = "leaf_frequency, which is nearest, or curtailment, m_branch, shrinkage or second_opinion"
REFUSED = {
    "shrinkage": TO_SHRINKAGE, "wpe": TO_SHRINKAGE, "ling_yan": TO_FREQUENCY, "id3_sd": TO_FREQUENCY,
    "id3_max": TO_FREQUENCY,
}  # fmt: skip


@pytest.mark.parametrize("method", REFUSED)
def test_other_methods_are_refused(method, tmp_path):
    params = {"wpe": {"numeric": "bins"}, "shrinkage": {"local": "naive_bayes", "numeric": "bins"}}.get(method, {})
    one = case("missing values and weights", method)
    model = Model(made(method, **params).fit(one.tree, one.train))
    with pytest.raises(
        wc.OptionError, match=f"{method}.* answers by the values.*; to export one, fit {REFUSED[method]}$"
    ):
        model.export(tmp_path / "tree.json")
    assert not (tmp_path / "tree.json").exists()


def test_forests_and_other_endings_are_refused(tmp_path):
    data = wc.load_arff(IRIS)
    rng = np.random.default_rng(0)
    trees = tuple(random_tree(rng, data) for _ in range(2))
    forest = wc.Forest(trees, learner="Bagging", options="", weka_version="")
    with pytest.raises(wc.OptionError, match=r"a forest of 2 trees, .*; to export one, grow one, as J48 does$"):
        Model(wc.LeafFrequency().fit(forest, data)).export(tmp_path / "tree.py")
    with pytest.raises(wc.OptionError, match=r"expected a name that ends in .*got '\.txt'"):
        Model(wc.LeafFrequency().fit(trees[0], data)).export(tmp_path / "tree.txt")


@pytest.mark.parametrize(("ending", "given", "message"), [
    ("json", {"dialect": "sqlite"}, r"^dialect: \.json is no query; leave the option out, or export \.sql$"),
    ("py", {"staging": "rows.csv"}, r"^staging: \.py is no query; leave the option out, or export \.sql$"),
    ("sql", {"dialect": "access"}, "^dialect: expected .*'?sqlite'?.*, got 'access'$"),
    ("sql", {"staging": "rows.xlsx"}, r"rows\.xlsx: expected a CSV or TSV file, whose columns a table takes"),
])  # fmt: skip
def test_options_of_a_query_alone(tmp_path, ending, given, message):
    data = wc.load_arff(IRIS)
    model = Model(wc.LeafFrequency().fit(random_tree(np.random.default_rng(0), data, max_depth=0), data))
    with pytest.raises(wc.OptionError, match=message):
        model.export(tmp_path / f"tree.{ending}", **given)
    assert not [*tmp_path.iterdir()]
    assert repr(model.export(tmp_path / "tree.json")) == (
        f"ExportedModel(leaf_frequency on {model.method.tree_.learner}, 1 nodes, 0 columns)"
    )


def test_a_format_that_cannot_hold_a_model_names_those_that_can(tmp_path):
    data = wc.load_arff(IRIS)
    leaf = Model(wc.LeafFrequency().fit(random_tree(np.random.default_rng(0), data, max_depth=0), data))
    with pytest.raises(wc.OptionError, match=r"a single leaf.*; \.py, \.json or \.sql can hold the model as it is$"):
        leaf.export(tmp_path / "leaf.pmml")


def test_command_writes_every_format(good, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good("predict", "-t", IRIS, "--learner", "CART", "--below", "0.9", "-d", "m.wct")
    for ending in FORMATS:
        if ending == ".onnx" and find_spec("onnx") is None:
            continue
        good("export", "m.wct", "-o", f"tree{ending}")
        assert Path(f"tree{ending}").stat().st_size
    data = wc.load_arff(IRIS)
    model = wc.load("m.wct")
    assert_same(answered_by("tree.py", rows_of(model, data)), model, data)
