"""The estimators: how they are made, what they read, and that they answer as the methods do."""

import inspect
import pickle
import re
import runpy
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_wine
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from support.command_line import ROOT
from support.fresh_python import child

import wekaconf as wc
from wekaconf import sklearn
from wekaconf.base.parameters import parameters
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.scheme import learner_for
from wekaconf.sklearn import (
    ConfDTreeClassifier,
    CurtailmentClassifier,
    ID3SDClassifier,
    J48Classifier,
    MBranchClassifier,
    classifier_of,
)
from wekaconf.sklearn._base import LearnerClassifier, MethodClassifier, TreeClassifier
from wekaconf.tree._router import COMPILED_FROM

pytestmark = pytest.mark.jvm

CLASSES = [value for value in vars(sklearn).values() if isinstance(value, type) and issubclass(value, TreeClassifier)]
PARAMS = {"CARTClassifier": {"nominal": "one_hot"}}
MADE = [estimator(**PARAMS.get(estimator.__name__, {})) for estimator in CLASSES]


def mixed(n=120):
    """Numbers, texts and booleans, and labels that follow from them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"length": rng.normal(size=n), "colour": rng.choice(["red", "green", "blue"], n), "big": rng.random(n) < 0.5}
    )
    return frame, np.where(frame.colour == "red", "a", np.where(frame.big & (frame.length > -0.5), "b", "c"))


def with_sorted_classes(data):
    """The data with its classes declared in the order of scikit-learn's ``classes_``."""
    target = data.header.class_attribute
    names = tuple(sorted(target.values))
    values = data.values.copy()
    place = np.array([names.index(name) for name in target.values], dtype=float)
    values[:, data.class_index] = place[data.class_values]
    attributes = list(data.attributes)
    attributes[data.class_index] = replace(target, values=names)
    return wc.Dataset(replace(data.header, attributes=tuple(attributes)), values, data.weights)


# -- how they are made --


@pytest.mark.parametrize("estimator", CLASSES, ids=lambda cls: cls.__name__)
def test_parameters_are_those_that_are_declared(estimator):
    declared = {name: parameter.default for name, parameter in parameters(estimator.declares).items()}
    if not issubclass(estimator, LearnerClassifier):
        declared["learner"] = None
    if "numeric" in declared:
        declared["numeric"] = "bins"
    signature = inspect.signature(estimator)
    assert {name: keyword.default for name, keyword in signature.parameters.items()} == declared
    assert estimator().get_params() == declared
    for name, parameter in parameters(estimator.declares).items():
        assert f"\n{name} : " in estimator.__doc__
        assert parameter.help.split()[0] in estimator.__doc__
    assert "weight 2 is not always two instances" in estimator.__doc__
    assert repr(estimator()) == f"{estimator.__name__}()"
    assert estimator.__name__ in estimator()._repr_html_()  # a notebook's box, for which docstrings are parsed
    assert re.findall(r"\n(\w+)\n---", estimator.__doc__)[:3] == ["Parameters", "Attributes", "Notes"]


def test_every_method_has_an_estimator():
    methods = {estimator.declares.name for estimator in CLASSES if not issubclass(estimator, LearnerClassifier)}
    assert methods | {"leaf_frequency"} == set(wc.available_methods())


def test_stub_is_up_to_date():
    made = runpy.run_path(str(ROOT / "scripts" / "make_stubs.py"))
    assert made["STUB"].read_text(encoding="utf-8") == made["stub"](), "run scripts/make_stubs.py"


def test_a_subclass_may_have_a_constructor_of_its_own():
    class Mild(ConfDTreeClassifier):
        def __init__(self, *, share=0.05):
            super().__init__(fine=share)
            self.share = share

    assert Mild(share=0.2).get_params() == {"share": 0.2}
    X, y = mixed()
    assert Mild(share=0.2).fit(X, y).method_.fine == 0.2


def test_wrong_parameters_are_told():
    with pytest.raises(TypeError, match="ConfDTreeClassifier has no parameter 'fin'; did you mean 'fine'"):
        ConfDTreeClassifier(fin=0.2)
    X, y = mixed()
    for estimator, words in [
        (ConfDTreeClassifier(fine=2), "^ConfDTreeClassifier: fine must be a number from 0 to 1, got '2'"),
        (ConfDTreeClassifier(learner="J49"), "no learner 'J49'; did you mean 'J48'"),
        (
            sklearn.ID3SDClassifier(learner="RandomForest -I 2"),
            "^ID3SDClassifier is .*, not on a forest of RandomForest",
        ),
        (
            ConfDTreeClassifier(learner="CART nominal=refuse"),
            "are nominal: give learner='CART nominal=one_hot'; or give learner='J48'",
        ),
        (
            sklearn.TPCEClassifier(learner="J48"),
            "learner='info_gain', or give inner='J48', with which TPCEClassifier grows",
        ),
        (
            sklearn.WPEClassifier(numeric="refuse"),
            "^WPEClassifier compares nominal values, .*; discretise them as pandas.cut does, or write "
            r"WPEClassifier\(numeric='bins'\)$",
        ),
        (J48Classifier(confidence_factor=1.5), "J48Classifier: confidence_factor must be"),
        (J48Classifier(options="-Z"), "Illegal options: -Z"),
        (
            sklearn.CARTClassifier(nominal="refuse"),
            "'colour', 'big' are nominal: write CARTClassifier.nominal='one_hot'.; or use J48Classifier",
        ),
    ]:
        with pytest.raises(wc.OptionError, match=words):
            estimator.fit(X, y)


@pytest.mark.parametrize("estimator", [sklearn.WPEClassifier, sklearn.ShrinkageWPEClassifier])
def test_numbers_are_cut_into_bins_unless_refused(estimator):
    X, y = load_wine(return_X_y=True)
    told = estimator().fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(told, estimator(numeric="bins").fit(X, y).predict_proba(X))
    with pytest.raises(wc.OptionError, match="13 of the attributes"):
        estimator(numeric="refuse").fit(X, y)
    assert "numeric : {'refuse', 'bins'}, default 'bins' (of the method itself: 'refuse')\n" in estimator.__doc__
    assert "None\n" not in estimator.__doc__.replace("default None\n", "")


# -- the same answers as the methods --


@pytest.mark.parametrize("name", ["iris", "missing-weights"])
@pytest.mark.parametrize("estimator", MADE, ids=str)
def test_answers_equal_those_of_the_arff_way(estimator, name):
    data = with_sorted_classes(wc.load_arff(ROOT / "arff" / f"{name}.arff"))
    data = data.take(slice(0, 300, 2))
    weights = data.weights / min(1.0, data.weights.mean())
    trained = wc.Dataset(data.header, data.values, weights)
    frame = data.to_pandas()
    X, y = frame.iloc[:, : data.class_index], frame.iloc[:, data.class_index].astype(str)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wc.Note)
        fitted = clone(estimator).fit(X, y, sample_weight=data.weights)
        method = estimator._method()
        learner = estimator._learner() if isinstance(estimator, LearnerClassifier) else learner_for(method, None)
        method.fit(learner.grow(trained), trained)
    answer = method.answer(trained)
    np.testing.assert_array_equal(fitted.predict_proba(X), answer.proba)
    np.testing.assert_array_equal(fitted.certainty(X), answer.certainty)
    assert fitted.predict(X).tolist() == [data.class_names[c] for c in answer.predicted]
    assert [*map(str, fitted.explain(X)[3])] == [*map(str, answer.explanation[3])]
    assert fitted.tree_.n_nodes == method.tree_.n_nodes


@pytest.mark.parametrize("estimator", MADE, ids=str)
def test_one_class(estimator):
    X, _ = mixed()
    fitted = clone(estimator).fit(X, np.full(len(X), 7))
    assert fitted.tree_.n_nodes == 1
    assert fitted.tree_.routing == clone(estimator).fit(X, mixed()[1]).tree_.routing
    np.testing.assert_allclose(fitted.predict_proba(X), np.ones((len(X), 1)), rtol=0, atol=0)
    assert set(fitted.predict(X)) == {7}
    assert len(fitted.explain(X)) == len(fitted.certainty(X)) == len(X)


@pytest.mark.parametrize("learner", ["RandomForest -I 3", "Bagging -I 3", "info_gain_bagging"])
@pytest.mark.parametrize("estimator", [ConfDTreeClassifier, CurtailmentClassifier, MBranchClassifier])
def test_a_forest_of_one_class(estimator, learner):
    X, _ = mixed()
    fitted = estimator(learner=learner).fit(X, np.full(len(X), 7))
    assert {tree.n_nodes for tree in fitted.tree_.trees} == {1}
    np.testing.assert_array_equal(fitted.predict_proba(X), np.ones((len(X), 1)))
    assert set(fitted.predict(X)) == {7}
    assert len(fitted.explain(X)) == len(fitted.certainty(X)) == len(X)


def test_weights_below_1_are_raised():
    X, y = mixed()
    n_nodes = J48Classifier().fit(X, y).tree_.n_nodes
    assert n_nodes > 1
    for share in (1 / len(X), 1 / 3, 1e-9):
        tree = J48Classifier().fit(X, y, sample_weight=np.full(len(X), share)).tree_
        assert tree.n_nodes == n_nodes
        assert tree.class_weight[0].sum() == len(X)
    some = np.where(np.arange(len(X)) % 3, 0.001, 0.0)
    assert J48Classifier().fit(X, y, sample_weight=some).tree_.class_weight[0].sum() == (some > 0).sum()
    twice = J48Classifier().fit(X, y, sample_weight=np.full(len(X), 2)).tree_
    assert twice.class_weight[0].sum() == 2 * len(X)
    for wrong in (np.zeros(len(X)), -np.ones(len(X)), np.full(len(X), np.nan)):
        with pytest.raises(wc.OptionError, match="weight"):
            J48Classifier().fit(X, y, sample_weight=wrong)


# -- what they read --


def test_pandas_polars_and_lists_agree():
    X, y = mixed()
    X.loc[::7, "length"], X.loc[::5, "colour"] = np.nan, None
    others = [
        pl.from_pandas(X),
        X.to_numpy(dtype=object).tolist(),
        X.astype({"colour": "category", "length": "float32"}).astype({"length": "float64"}),
        X.convert_dtypes(),
    ]
    fitted = ConfDTreeClassifier().fit(X.astype({"length": "float32"}), y)
    for other in others:
        X32 = X.astype({"length": "float32"})
        same = ConfDTreeClassifier().fit(other, y) if other is others[2] else fitted
        np.testing.assert_array_equal(same.predict_proba(X32), fitted.predict_proba(X32))
    fitted = ConfDTreeClassifier().fit(X, y)
    for other in (others[0], others[3]):
        np.testing.assert_array_equal(fitted.predict_proba(other), fitted.predict_proba(X))
        np.testing.assert_array_equal(ConfDTreeClassifier().fit(other, y).predict_proba(X), fitted.predict_proba(X))
        assert fitted.feature_names_in_.tolist() == ["length", "colour", "big"]
    as_list = ConfDTreeClassifier().fit(others[1], y)
    np.testing.assert_array_equal(as_list.predict_proba(others[1]), fitted.predict_proba(X))
    assert [attribute.kind for attribute in as_list.tree_.header.attributes] == [
        "numeric", "nominal", "nominal", "nominal",
    ]  # fmt: skip


def test_sparse_with_explicit_zeros():
    rng = np.random.default_rng(3)
    dense = rng.normal(size=(80, 4)) * (rng.random((80, 4)) < 0.5)
    y = (dense[:, 0] > 0) + (dense[:, 1] > 0.2)
    with_zeros = scipy.sparse.csr_matrix(np.where(dense == 0, 9.0, dense))
    with_zeros.data[with_zeros.data == 9.0] = 0.0
    assert with_zeros.nnz == dense.size
    expected = J48Classifier().fit(dense, y).predict_proba(dense)
    for form in (with_zeros, scipy.sparse.csc_array(dense), scipy.sparse.coo_matrix(dense)):
        np.testing.assert_array_equal(J48Classifier().fit(form, y).predict_proba(form), expected)


def test_other_dtypes_when_asked():
    X, y = mixed()
    X = X.assign(length=X.length.round())
    fitted = ConfDTreeClassifier().fit(X, y)
    expected = fitted.predict_proba(X)
    for other in (
        X.astype({"length": int}),
        X.astype({"length": str}),
        X.astype({"length": object, "colour": object, "big": object}),
        X.astype({"colour": pd.CategoricalDtype(["red", "grey", "blue", "green"])}),
        X.astype({"big": "boolean", "length": "Int64"}),
        X.astype({"big": str}),
        X.astype({"big": int}),
        X.astype({"big": float}),
    ):
        np.testing.assert_array_equal(fitted.predict_proba(other), expected)
    with pytest.raises(wc.OptionError, match="column 'length', row 1: expected a number, got 'long'"):
        fitted.predict(X.assign(length="long"))
    with pytest.warns(wc.Note, match="'colour' was not seen"):
        fitted.predict(X.assign(colour=1.5))


def test_other_columns_when_asked():
    X, y = mixed()
    fitted = J48Classifier().fit(X, y)
    for other, words in [
        (X[["colour", "length", "big"]], "must be in the same order"),
        (X.rename(columns={"big": "large"}), "unseen at fit time:\n- large"),
        (X[["length", "colour"]], "now missing:\n- big"),
        (X.assign(new=1), "unseen at fit time:\n- new"),
        (X.to_numpy()[:, :2], "X has 2 features, but J48Classifier is expecting 3"),
        (pd.concat([X, X["big"]], axis=1), "'big'"),
        (X[:0], r"0 sample\(s\)"),
    ]:
        with pytest.raises(ValueError, match=words):
            fitted.predict(other)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        assert fitted.predict(X.to_numpy()).tolist() == fitted.predict(X).tolist()


def test_tables_that_are_refused():
    X, y = mixed(60)
    for table, words in [
        (X.assign(length=np.arange(60) * 1j), "column 'length': expected numbers"),
        (X.assign(length=np.inf), "infinity"),
        (X[[]], r"0 feature\(s\)"),
        ([[1, 2], [3]] * 30, "rows of several lengths"),
        (np.arange(60), "Expected 2D array"),
        (pl.from_pandas(X).lazy(), "call .collect"),
        (X.to_records(), r"named fields; hand it over as pandas\.DataFrame\(array\)"),
    ]:
        with pytest.raises(ValueError, match=words):
            J48Classifier().fit(table, y)


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["a", "b", "c"], ["a", "b", "c"]),
        ([3, 1, 2], ["1", "2", "3"]),
        ([-1.0, 0.0, 2.0], ["-1", "0", "2"]),
        ([True, False, True], ["false", "true"]),
        (pd.Categorical(["x", "z", "y"]), ["x", "y", "z"]),
        (pl.Series("kind", ["x", "z", "y"]), ["x", "y", "z"]),
    ],
    ids=["str", "int", "float", "bool", "category", "polars"],
)
def test_labels_come_back_as_they_are(labels, names):
    X, y = mixed()
    given = np.asarray(labels)[np.searchsorted(["a", "b", "c"], y)]
    fitted = J48Classifier(min_num_obj=1, unpruned=True).fit(X, given)
    assert fitted.classes_.tolist() == sorted(set(np.asarray(labels).tolist()))
    assert fitted.tree_.class_names == tuple(names)
    assert fitted.predict(X).dtype == fitted.classes_.dtype
    assert fitted.predict(X).tolist() == given.tolist()


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([1, "a", 2], "expected labels of one sort, got 'a' and [12]"),
        ([np.nan, 1.0, 2.0], "labels are missing"),
        ([0.5, 1.25, 2.1], "Unknown label type"),
    ],
)
def test_labels_that_are_refused(labels, words):
    X, y = mixed()
    with pytest.raises(ValueError, match=words):
        J48Classifier().fit(X, np.array(labels, dtype=object if "a" in labels else None)[np.searchsorted([*"abc"], y)])


def test_class_column_never_has_the_name_of_another():
    X, y = mixed()
    fitted = J48Classifier().fit(X, pd.Series(y, name="big"))
    assert fitted.tree_.header.class_attribute.name == "big_"
    assert J48Classifier().fit(X.rename(columns={"big": "class"}), y).tree_.header.class_attribute.name == "class_"


def test_100000_categories():
    n = 100_000
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"id": [f"v{i}" for i in range(n)], "size": rng.normal(size=n)})
    fitted = ConfDTreeClassifier().fit(X, X["size"] > 0)
    assert len(fitted.tree_.header.attributes[0].values) == n
    assert fitted.score(X, X["size"] > 0) == 1


# -- rejecting --


def test_rejected_answers_get_the_label_that_is_given():
    X, y = mixed()
    fitted = ConfDTreeClassifier().fit(X, y)
    certainty = fitted.certainty(X)
    below = float(certainty.max())
    told = fitted.predict(X, reject_below=below, reject_label="unknown")
    assert told.tolist() == np.where(certainty < below, "unknown", fitted.predict(X)).tolist()
    assert (told == "unknown").sum() > 0
    assert fitted.predict(X, reject_below=below).tolist() == told.tolist()
    with pytest.raises(wc.OptionError, match="'a' is a class"):
        fitted.predict(X, reject_below=below, reject_label="a")
    with pytest.raises(wc.OptionError, match="reject_below must be a number, got nan"):
        fitted.predict(X, reject_below=np.nan, reject_label="unknown")
    with pytest.raises(wc.OptionError, match="confdtree has no rule of its own"):
        fitted.predict(X, reject_label="unknown")


def test_the_methods_own_rule_rejects():
    X, y = mixed()
    fitted = ID3SDClassifier(alpha=0.2).fit(X, y)
    expected = fitted.certainty(X) < fitted.method_.threshold
    assert 0 < expected.sum() < len(X)
    assert ((fitted.predict(X, reject_label="?") == "?") == expected).all()


@pytest.mark.parametrize(
    ("labels", "reject_label", "dtype"),
    [
        ([1, 2, 3], -1, np.int64),
        ([1, 2, 3], "none", object),
        ([1.0, 2.0, 3.0], np.nan, np.float64),
        ([1.0, 2.0, 3.0], -1, np.float64),
        ([1.0, 2.0, 3.0], 2**53 + 1, object),
        (["a", "b", "c"], "undecided", "<U9"),
        ([True, False, True], -1, np.int64),
        ([True, False, True], np.nan, object),
    ],
)
def test_dtype_of_rejected_answers_does_not_depend_on_the_data(labels, reject_label, dtype):
    X, y = mixed()
    fitted = J48Classifier().fit(X, np.array(labels)[np.searchsorted(["a", "b", "c"], y)])
    for below in (0.0, np.inf):
        told = fitted.predict(X, reject_below=below, reject_label=reject_label)
        assert told.dtype == dtype
        kept = fitted.predict(X).tolist()
        expected = [reject_label] * len(X) if below else kept
        assert pd.Series(told.tolist(), dtype=object).equals(pd.Series(expected, dtype=object))


# -- among scikit-learn's own --


@pytest.mark.one_commit_in(3)
def test_search_on_two_processes_equals_one():
    X, y = mixed()
    grid = {"learner__min_num_obj": [1, 20], "fine": [0.0, 0.3]}
    searches = [
        GridSearchCV(ConfDTreeClassifier(learner=J48Classifier()), grid, cv=3, n_jobs=n_jobs).fit(X, y)
        for n_jobs in (1, 2)
    ]
    scores = [search.cv_results_["mean_test_score"] for search in searches]
    np.testing.assert_array_equal(*scores)
    assert np.ptp(scores[0]) > 0
    assert searches[0].best_params_["learner__min_num_obj"] == 1


def test_pipeline_with_named_columns():
    X, y = mixed()
    scaled = ColumnTransformer([("scale", StandardScaler(), ["length"])], remainder="passthrough")
    pipeline = make_pipeline(scaled, ConfDTreeClassifier()).set_output(transform="pandas").fit(X, y)
    assert pipeline[-1].feature_names_in_.tolist() == ["scale__length", "remainder__colour", "remainder__big"]
    kinds = [attribute.kind for attribute in pipeline[-1].tree_.header.attributes]
    assert kinds == ["numeric", "nominal", "nominal", "nominal"]
    assert pipeline.score(X, y) > 0.9


@pytest.mark.parametrize(
    "ensemble",
    [
        AdaBoostClassifier(J48Classifier(), n_estimators=20, random_state=0),
        CalibratedClassifierCV(ConfDTreeClassifier(), cv=3),
        VotingClassifier([("j48", J48Classifier()), ("id3", ID3SDClassifier())], voting="soft"),
        StackingClassifier([("j48", J48Classifier()), ("cart", sklearn.CARTClassifier())], cv=3),
        BaggingClassifier(J48Classifier(), n_estimators=3, random_state=0),
    ],
    ids=lambda ensemble: type(ensemble).__name__,
)
def test_inside_other_ensembles(ensemble):
    X, y = load_wine(return_X_y=True)
    assert cross_val_score(ensemble, X, y, cv=3).mean() > 0.8


def test_metadata_is_routed():
    X, y = mixed()
    weights = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    with config_context(enable_metadata_routing=True):
        asked = J48Classifier().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        asked.set_predict_request(reject_below=True, reject_label=True)
        pipeline = make_pipeline(asked).fit(X, y, sample_weight=weights)
        assert pipeline[-1].tree_.class_weight[0].sum() == weights.sum()
        assert set(pipeline.predict(X, reject_below=np.inf, reject_label="?")) == {"?"}
        scored = cross_validate(asked, X, y, params={"sample_weight": weights}, return_estimator=True, cv=3)
        assert sum(fitted.tree_.class_weight[0].sum() for fitted in scored["estimator"]) == 2 * weights.sum()


@pytest.mark.parametrize("estimator", MADE, ids=str)
def test_clone_and_pickle(estimator):
    X, y = mixed()
    fitted = clone(estimator).fit(X, y)
    assert not hasattr(clone(fitted), "tree_")
    assert clone(fitted).get_params() == fitted.get_params()
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    np.testing.assert_array_equal(again.certainty(X), fitted.certainty(X))
    for name, array in again.method_.learned().items():  # as kernels are compiled for such
        assert not array.flags.writeable, name
    assert not again.tree_.class_weight.flags.writeable


def test_clone_copies_a_learner():
    learner = wc.CART(prune="none", nominal="one_hot")
    copy = clone(ConfDTreeClassifier(learner=learner, fine=0.2))
    assert copy.learner is not learner and repr(copy.learner) == repr(learner)
    assert copy.fit(*mixed()).tree_.options == "prune=none"


def test_one_row_is_answered_compiled_once_many_were():
    from wekaconf.methods.confdtree import _compiled as compiled
    from wekaconf.tree._router import rows_so_far

    X = np.random.default_rng(0).normal(size=(COMPILED_FROM, 3))
    y = X[:, 0] + X[:, 1] > 0
    fitted = ConfDTreeClassifier().fit(X[:500], y[:500])
    alone = fitted.predict_proba(X[:1])
    assert not np.isinf(rows_so_far[compiled.__name__])
    together = fitted.predict_proba(X)
    calls = []
    with pytest.MonkeyPatch.context() as patched:
        kernel = compiled._answers
        patched.setattr(compiled, "_answers", lambda *given: calls.append(1) or kernel(*given))
        np.testing.assert_array_equal(fitted.predict_proba(X[:1]), alone)
    assert calls == [1]
    np.testing.assert_array_equal(together[:1], alone)


# -- of a method that has no class of its own -------------------------------------------------------------------------


def test_a_class_that_is_made_is_made_once_and_kept_by_name(tmp_path):
    """It is cloned and pickled as others are, fitted or not, and read in a process that has not made it."""
    made = classifier_of("leaf_frequency")
    assert (made.__name__, made.__module__) == ("LeafFrequencyClassifier", "wekaconf.sklearn._factory")
    assert made.__doc__.startswith("LeafFrequency as a scikit-learn classifier.\n")
    assert classifier_of("leaf_frequency") is made and classifier_of("confdtree") is ConfDTreeClassifier
    X, y = load_wine(return_X_y=True)
    fitted = made(laplace=True, learner="CART").fit(X, y)
    assert clone(fitted).get_params() == pickle.loads(pickle.dumps(made(laplace=True, learner="CART"))).get_params()
    copy = pickle.loads(pickle.dumps(fitted))
    assert type(copy) is made and (copy.laplace, copy.learner) == (True, "CART")
    np.testing.assert_array_equal(copy.predict_proba(X), fitted.predict_proba(X))
    (tmp_path / "fitted.pickle").write_bytes(pickle.dumps(fitted))
    code = f"import pickle; print(type(pickle.load(open({str(tmp_path / 'fitted.pickle')!r}, 'rb'))).__name__)"
    assert child(code) == "LeafFrequencyClassifier\n"


def test_a_user_s_own_class_of_a_method_is_not_taken_for_ours():
    class Mine(MethodClassifier):
        declares = LeafFrequency

    assert MethodClassifier.__subclasses__().count(Mine) == 1
    assert classifier_of("leaf_frequency").__name__ == "LeafFrequencyClassifier"
    with pytest.raises(wc.OptionError, match="no method 'confdtre'"):
        classifier_of("confdtre")
