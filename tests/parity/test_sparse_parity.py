"""Sparse instances against live Weka: what Java holds is what its ArffLoader reads, and the same trees grow."""

from dataclasses import replace

import numpy as np
import pytest
from support.growers import grow, grow_labelled
from support.live_weka import built, differences, read_by_weka
from support.random_columns import as_sparse
from support.random_trees import random_dataset, random_header

import wekaconf as wc
from wekaconf.bridge import folds
from wekaconf.bridge._instances import from_java, to_java
from wekaconf.bridge.learners import WekaModel
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arff import load_arff, save_arff
from wekaconf.model.file import load
from wekaconf.report.trees import render_text

HEAD = "@relation s\n@attribute a0 numeric\n@attribute a1 numeric\n@attribute a2 numeric\n@attribute c {x,y}\n@data\n"
EIGHT = "{0 1,3 x}\n{1 5,3 x}\n{2 7,3 x}\n{0 9,1 9,2 9,3 x}\n{3 y}\n{0 6,1 7,2 9,3 y}\n{3 y}\n{2 6,3 y}\n"
"""Weka's RandomTree -S 3 asks a1 < 8 first; where the rows are dense, a0 < 7.5."""
RANDOM = [
    ("RandomTree", "-S 3"),
    ("RandomForest", "-I 3 -S 2"),
    ("Bagging", "-I 3 -W weka.classifiers.trees.REPTree"),
    ("J48", ""),
]


def small_sparse(seed):
    """A small data set, all or half of whose rows are sparse."""
    rng = np.random.default_rng(seed)
    data = random_dataset(rng, random_header(rng, 4, 3), 25, 0.1 * (seed % 2), seed % 3 == 0)
    return as_sparse(rng, data.take(data.class_values >= 0))


def texts(instances):
    return [str(instances.instance(i).toString()) for i in range(instances.numInstances())]


def wekas(java, name, options, instances):
    """Weka's own classifier, built on instances of Weka's own."""
    return WekaModel(built(java, name, options, instances), instances.numClasses())


@pytest.fixture
def eight(tmp_path):
    path = tmp_path / "s.arff"
    path.write_text(HEAD + EIGHT)
    return load_arff(path)


def test_the_root_is_wekas(jvm, eight):
    assert "\na1 < 8\n" in render_text(grow(eight, "RandomTree", "-S 3"))
    assert "\na0 < 7.5\n" in render_text(grow(replace(eight, is_sparse=None), "RandomTree", "-S 3"))


@pytest.mark.parametrize(("learner", "options"), RANDOM)
def test_trees_of_small_files_are_those_that_weka_grows(java, learner, options):
    names = {"Bagging": "weka.classifiers.meta.Bagging"}
    for seed in range(40):
        data = small_sparse(seed)
        model = wekas(java, names.get(learner, f"weka.classifiers.trees.{learner}"), options, read_by_weka(java, data))
        assert list(differences(model, grow(data, learner, options), data)) == [], seed


@pytest.mark.parametrize("seed", range(6))
def test_java_holds_what_weka_reads(java, seed):
    data = small_sparse(seed)
    theirs = read_by_weka(java, data)
    assert texts(to_java(data)) == texts(theirs)
    assert from_java(theirs) == data
    assert Dataset.from_weka(theirs) == data
    kinds = [theirs.instance(i).getClass().getName().endswith("SparseInstance") for i in range(len(data))]
    assert kinds == data.is_sparse.tolist()


def test_what_is_written_is_what_weka_writes(java, tmp_path):
    values = (Attribute("when", "date", date_format="yyyy-MM-dd'T'HH:mm:ssZ"), Attribute("n", "nominal", ("a b", "c")))
    header = Header("r", (Attribute("x"), *values, Attribute("class", "nominal", ("p", "q"))), 3)
    cells = [[0, 0, 0, 0], [1.5, 1e12, 1, 1], [np.nan] * 4, [2, 0, 1, np.nan], [0, 1e12, 0, 1]]
    data = Dataset(header, cells, [1, 2, 1, 0.5, 1], [True, True, True, True, False])
    saver = java("weka.core.converters.ArffSaver")()
    saver.setInstances(to_java(data))
    saver.setFile(java("java.io.File")(str(tmp_path / "theirs.arff")))
    saver.writeBatch()
    save_arff(tmp_path / "ours.arff", data)
    ours, theirs = ((tmp_path / f"{who}.arff").read_text().partition("@data\n")[2] for who in ("ours", "theirs"))
    assert ours.replace("00Z", "00+0000") == theirs


def test_training_sets_that_share_cells_keep_them(java):
    data = small_sparse(2)
    theirs = read_by_weka(java, data)
    for train, _ in folds(data, k=5, seed=1):
        part = java("weka.core.Instances")(theirs, 0)
        for row in train.tolist():
            part.add(theirs.instance(row))
        model = wekas(java, "weka.classifiers.trees.RandomTree", "-S 3", part)
        assert list(differences(model, grow(data.take(train), "RandomTree", "-S 3"), data)) == []


@pytest.mark.parametrize("seed", range(3))
def test_an_instance_that_joins_keeps_its_kind(jvm, seed):
    data = small_sparse(seed)
    train, asked = data[:-6], data[-6:]
    many = grow_labelled(train, asked, range(data.n_classes), "RandomTree", "-S 3")
    for row, trees in enumerate(many):
        for label, tree in enumerate(trees):
            alone = grow(train.join(asked[row].with_class_values(label)), "RandomTree", "-S 3")
            assert render_text(tree) == render_text(alone)


def test_a_model_file_keeps_sparse_training_data(jvm, eight, tmp_path):
    tree = grow(eight, "J48")
    method = wc.method("tpce", inner="J48").fit(tree, eight)
    dense = replace(eight, is_sparse=None)
    of_dense = wc.method("tpce", inner="J48").fit(grow(dense, "J48"), dense)
    assert "sparse_rows_" in method.learned()
    assert "sparse_rows_" not in of_dense.learned()
    for fitted in (method, of_dense):
        wc.Model(fitted).save(tmp_path / "m.wct")
        again = load(tmp_path / "m.wct").method
        assert again._training_data == fitted._training_data
        np.testing.assert_array_equal(again.predict_proba(eight), fitted.predict_proba(eight))
