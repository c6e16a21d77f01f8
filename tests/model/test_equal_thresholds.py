"""A certainty that equals the threshold is enough, by every way to answer."""

import json
from dataclasses import replace

import numpy as np
import pytest
from support.csv_rows import rows_of
from support.databases import connected, fill, require, rows_in_order
from support.export_cases import rows_of as mappings_of
from support.page_opener import opened, written

import wekaconf as wc
from wekaconf.data import Attribute, Header
from wekaconf.data.arff import save_arff
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.thresholds import choose
from wekaconf.model.export._exported_model import exported_model
from wekaconf.model.export._record import json_text
from wekaconf.model.export._sql_query import sql_text
from wekaconf.model.export._standalone import answer_of
from wekaconf.model.fitted import Model
from wekaconf.report._model_page.gathering import Rows
from wekaconf.sklearn import CARTClassifier, RejectOption

CERTAINTY = {-1.0: 0.75, 0.5: 0.9, 2.0: 0.6}
"""Of the answer for each number."""
WEIGHTS = {-1.0: (3, 1), 0.5: (1, 9), 2.0: (3, 2)}
HEADER = Header("equal", (Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)
DATA = wc.Dataset(
    HEADER, np.array([(x, float(c)) for x, counts in WEIGHTS.items() for c, n in enumerate(counts) for _ in range(n)])
)
ASKED = wc.Dataset(HEADER, np.array([(x, np.nan) for x in CERTAINTY]))
THRESHOLDS = [near for each in CERTAINTY.values() for near in (np.nextafter(each, 0), each, np.nextafter(each, 1))]


def model_below(threshold):
    fitted = wc.method("leaf_frequency").fit(wc.CART(prune="none").grow(DATA), DATA)
    return Model(fitted, choice=choose(Aim("below", float(threshold)), [], []))


def of_each_class(model):
    """The tree to be exported, with the threshold of the model for each class."""
    return replace(exported_model(model), thresholds=(model.threshold,) * 2)


def by_model(model, _path, _fixtures):
    return model.reject(ASKED)


def by_method(model, _path, _fixtures):
    return model.method.reject(ASKED, below=model.threshold)


def by_classes(model, _path, _fixtures):
    return model.answer(ASKED).rejected(np.array([model.threshold] * 2))


def by_record(model, _path, _fixtures):
    record = json.loads(json_text(of_each_class(model)))
    return [answer_of(record, row)["rejected"] for row in mappings_of(model, ASKED)]


def by_query(database, model):
    connection = connected(database)
    fill(connection, database, [("x", "DOUBLE PRECISION")], [[x] for x in CERTAINTY])
    return [row[3] for row in rows_in_order(connection.execute(sql_text(of_each_class(model), database)))]


def by_sqlite(model, _path, _fixtures):
    return by_query("sqlite", model)


def by_duckdb(model, _path, _fixtures):
    return by_query("duckdb", model)


def by_postgresql(model, _path, fixtures):
    require("postgresql", fixtures.getfixturevalue("lacks"))
    return by_query("postgresql", model)


def by_mariadb(model, _path, fixtures):
    require("mysql", fixtures.getfixturevalue("lacks"))
    return by_query("mysql", model)


def by_onnx(model, path, _fixtures):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    model.export(path / "m.onnx")
    return runtime.InferenceSession(path / "m.onnx").run(["rejected"], {"x": np.array([*CERTAINTY])[:, None]})[0]


def by_pmml(model, path, _fixtures):
    from xml.etree import ElementTree

    model.export(path / "m.pmml")
    namespaces = {"": "http://www.dmg.org/PMML-4_4"}
    leaves = [node for node in ElementTree.parse(path / "m.pmml").iterfind(".//Node[@score]", namespaces)]
    return [leaf.find("ScoreDistribution", namespaces).get("confidence") == "0" for leaf in leaves]


def by_page(model, path, fixtures):
    rows = Rows(ASKED, [f"row {i + 1}" for i in range(3)])
    rejected = []
    with opened(fixtures.getfixturevalue("browser"), written(path / "m.html", model, rows)) as page:
        for i in range(3):
            page.locator("#row").select_option(index=i)
            rejected.append(page.locator("#verdict .rejected").count() == 1)
    return rejected


def by_predict(model, path, fixtures):
    save_arff(path / "train.arff", DATA)
    save_arff(path / "asked.arff", ASKED)
    good = fixtures.getfixturevalue("good")
    options = ("--learner", "CART prune=none", "--below", repr(model.threshold))
    rows = rows_of(good("predict", "-t", path / "train.arff", "-T", path / "asked.arff", *options))
    return [row["rejected"] == "yes" for row in rows]


def by_explain(model, path, fixtures):
    save_arff(path / "asked.arff", ASKED)
    model.save(path / "m.wct")
    good = fixtures.getfixturevalue("good")
    told = [good("explain", "-l", path / "m.wct", "-T", path / "asked.arff", "--row", row) for row in (1, 2, 3)]
    return ["rejected" in text for text in told]


def by_reject_option(model, _path, _fixtures):
    tree = CARTClassifier(prune="none")
    fitted = RejectOption(tree, below=model.threshold).fit(DATA.values[:, :1], DATA.class_values)
    return fitted.reject(ASKED.values[:, :1])


DOORS = (
    by_model, by_method, by_classes, by_record, by_sqlite, by_duckdb, by_postgresql, by_mariadb, by_onnx, by_pmml,
    by_page, by_predict, by_explain, by_reject_option,
)  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_only_answers_below_the_threshold_are_rejected(door, tmp_path, request):
    for threshold in THRESHOLDS:
        model = model_below(threshold)
        assert model.certainty(ASKED).tolist() == [*CERTAINTY.values()]
        rejected = [bool(each) for each in door(model, tmp_path, request)]
        assert rejected == [certainty < threshold for certainty in CERTAINTY.values()], threshold
