"""`wc.mirror` of scikit-learn's trees and forests: equal to the last bit, or refused by name."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets, ensemble, linear_model, model_selection, pipeline, preprocessing, tree

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError, NotFittedError
from wekaconf.learners.foreign import sklearn_trees
from wekaconf.tree._kinds import Routing

NAN = np.nan


def data_for(estimator, cells, header=None):
    """The cells as a data set of the mirror's header; the class is missing."""
    header = header or wc.mirror(estimator).header
    return wc.Dataset(header, np.insert(np.asarray(cells, dtype=float), header.class_index, NAN, axis=1))


def assert_equal(estimator, cells, header=None):
    mirror = wc.mirror(estimator, header=header)
    data = data_for(estimator, cells, mirror.header)
    wanted = estimator.predict_proba(cells)
    np.testing.assert_array_equal(mirror.predict_proba(data), wanted)
    predicted = np.array(mirror.class_names)[mirror.predict(data)]
    assert predicted.tolist() == [str(label) for label in estimator.predict(cells)]
    return mirror


def drawn(seed, n=400, n_features=6, n_classes=3, missing=0.0):
    """Cells with ties and values that single precision rounds, classes that depend on them, weights."""
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(n, n_features))
    cells[:, 0] = cells[:, 0].round(1)
    cells[:, 1] = 1 + cells[:, 1] * 1e-7
    score = cells[:, 0] + cells[:, 2] + rng.normal(size=n)
    classes = np.searchsorted(np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]), score)
    cells[rng.random(cells.shape) < missing] = NAN
    return cells, classes, rng.choice([0.3, 1.0, 2.7], size=n)


ESTIMATORS = [
    tree.DecisionTreeClassifier(random_state=0),
    tree.DecisionTreeClassifier(criterion="entropy", max_depth=4, random_state=0),
    tree.DecisionTreeClassifier(min_samples_leaf=20, splitter="random", random_state=0),
    tree.DecisionTreeClassifier(max_depth=5, class_weight="balanced", ccp_alpha=0.002, random_state=0),
    tree.DecisionTreeClassifier(max_leaf_nodes=9, random_state=0),
    tree.ExtraTreeClassifier(max_depth=7, random_state=0),
    ensemble.RandomForestClassifier(17, random_state=0),
    ensemble.RandomForestClassifier(10, max_depth=4, class_weight="balanced_subsample", random_state=0),
    ensemble.ExtraTreesClassifier(13, min_samples_leaf=3, random_state=0),
    ensemble.BaggingClassifier(tree.DecisionTreeClassifier(max_depth=5), 11, random_state=0),
    ensemble.BaggingClassifier(tree.ExtraTreeClassifier(), 7, max_features=0.5, random_state=0),
    ensemble.BaggingClassifier(None, 7, bootstrap_features=True, max_samples=0.2, random_state=0),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: re.sub(r"\s+", " ", repr(e)))
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("weighted", [False, True])
def test_answers_are_equal_to_the_last_bit(estimator, missing, weighted):
    cells, classes, weights = drawn(1, missing=missing)
    fitted = estimator.fit(cells, classes, sample_weight=weights if weighted else None)
    asked, _, _ = drawn(2, 3000, missing=missing)
    thresholds = [member.tree_.threshold for member in getattr(fitted, "estimators_", [fitted])]
    finite = np.concatenate(thresholds)[np.isfinite(np.concatenate(thresholds))]
    asked[:500, 1] = np.random.default_rng(3).choice(finite, 500)
    mirror = assert_equal(fitted, asked)
    assert mirror.learner == type(estimator).__name__
    trees = getattr(mirror, "trees", [mirror])
    assert {tree.routing for tree in trees} == {Routing.CART}
    assert [tree.learner for tree in trees] == [type(one).__name__ for one in getattr(fitted, "estimators_", [fitted])]


@pytest.mark.parametrize("estimator", ESTIMATORS[:1] + ESTIMATORS[5:7], ids=lambda e: type(e).__name__)
def test_missing_values_that_training_did_not_have(estimator):
    cells, classes, _ = drawn(1)
    assert_equal(estimator.fit(cells, classes), drawn(2, 2000, missing=0.3)[0])


def test_class_weights_are_the_counts_of_training_instances():
    cells, classes, _ = drawn(1)
    fitted = ESTIMATORS[1].fit(cells, classes)
    mirror = wc.mirror(fitted)
    reached = fitted.decision_path(cells).toarray().astype(bool)
    wanted = {tuple(np.bincount(classes[column], minlength=3).tolist()) for column in reached.T}
    assert {tuple(row) for row in mirror.class_weight.tolist()} == wanted
    np.testing.assert_array_equal(mirror.class_weight.sum(axis=1), mirror.total)


@pytest.mark.parametrize("seed", range(4))
def test_fractions_that_a_monotonic_constraint_has_clipped(seed, monkeypatch):
    cells, classes, weights = drawn(seed, n_classes=2)
    fitted = tree.DecisionTreeClassifier(monotonic_cst=[1, 0, -1, 1, 0, -1], max_depth=8, random_state=0)
    mirrored = assert_equal(fitted.fit(cells, classes, sample_weight=weights), drawn(9, 2000)[0])
    np.testing.assert_allclose(np.sort(mirrored.total), np.sort(fitted.tree_.weighted_n_node_samples), rtol=5e-14)
    monkeypatch.setattr(sklearn_trees, "NEIGHBOURS", 0)
    with pytest.raises(wc.OptionError, match=r"Classifier: no class weights give the fractions of a node exactly$"):
        wc.mirror(fitted)


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (np.array(["no", "yes", "perhaps"]), ("no", "perhaps", "yes")),
        (np.array([7, -1, 30]), ("-1", "7", "30")),
        (np.array([4.0, 1.0, 2.0]), ("1.0", "2.0", "4.0")),
        (np.array([False, True, True]), ("False", "True")),
        (np.array(["ä", "b c", "'"], dtype=object), ("'", "b c", "ä")),
    ],
)
def test_labels_become_the_names_of_classes(labels, names):
    cells, classes, _ = drawn(1)
    assert assert_equal(ESTIMATORS[6].fit(cells, labels[classes]), cells).class_names == names


def test_a_bagged_member_that_saw_only_some_classes():
    cells, classes, _ = drawn(1, n_classes=7)
    fitted = ensemble.BaggingClassifier(tree.DecisionTreeClassifier(max_depth=3), random_state=1).fit(cells, classes)
    few = np.isin(classes, [1, 4])
    fitted.estimators_[2] = tree.DecisionTreeClassifier(max_depth=3).fit(cells[few], classes[few])  # as sklearn 1.4 has
    assert_equal(fitted, drawn(2)[0])


def test_names_of_columns():
    cells, classes, _ = drawn(1)
    plain = wc.mirror(ESTIMATORS[0].fit(cells, classes))
    assert [attribute.name for attribute in plain.header.attributes] == ["x1", "x2", "x3", "x4", "x5", "x6", "class"]
    frame = pd.DataFrame(cells, columns=["a", "class", "b", "c d", "e", "f"])
    named = wc.mirror(ESTIMATORS[0].fit(frame, classes))
    assert [attribute.name for attribute in named.header.attributes] == [*frame.columns, "class_"]
    assert named.header.relation == "DecisionTreeClassifier"
    assert (plain.header.is_named, named.header.is_named) == (False, True)
    assert wc.mirror(ESTIMATORS[3].fit(cells, classes)).options == (
        "ccp_alpha=0.002 class_weight='balanced' max_depth=5 random_state=0"
    )
    bagged = ensemble.BaggingClassifier(Sly(max_depth=5), 2, random_state=np.random.RandomState(0))
    assert sklearn_trees._options(bagged) == "estimator=Sly n_estimators=2"


@pytest.mark.parametrize("n_scalers", [0, 2])
def test_the_last_step_of_a_pipeline(n_scalers):
    cells, classes, _ = drawn(1)
    scaled = pipeline.make_pipeline(*[preprocessing.StandardScaler()] * n_scalers, ESTIMATORS[6]).fit(cells, classes)
    data = data_for(scaled, scaled[:-1].transform(cells) if n_scalers else cells)
    np.testing.assert_array_equal(wc.mirror(scaled).predict_proba(data), scaled.predict_proba(cells))


def test_a_given_header_names_columns_and_classes():
    cells, classes, _ = drawn(1)
    attributes = (wc.Attribute("k", "nominal", ("a", "b", "c", "d")), *(wc.Attribute(n) for n in "uvwxyz"))
    header = wc.Header("mine", attributes, 0)
    train = wc.Dataset(header, np.column_stack((classes + 1, cells)))
    by_index = tree.DecisionTreeClassifier(random_state=0).fit(cells, classes + 1)
    by_name = tree.DecisionTreeClassifier(random_state=0).fit(
        pd.DataFrame(cells, columns=[*"uvwxyz"])[[*"zyxwvu"]], np.array([*"bcd"])[classes]
    )
    first, second = wc.mirror(by_index, train=train), wc.mirror(by_name, header=header)
    assert first.header == second.header == header
    wanted = by_index.predict_proba(cells)
    np.testing.assert_array_equal(first.predict_proba(train), np.insert(wanted, 0, 0, axis=1))
    wanted = by_name.predict_proba(pd.DataFrame(cells, columns=[*"uvwxyz"])[[*"zyxwvu"]])
    np.testing.assert_array_equal(second.predict_proba(train), np.insert(wanted, 0, 0, axis=1))


@pytest.mark.parametrize(("lowest", "fits"), [(0, True), (1, True), (2, False), (-1, False)])
def test_whole_numbers_are_indices_of_declared_classes(lowest, fits):
    """Three declared classes: 0 to 2."""
    classes = np.array([lowest, lowest + 1])
    fitted = tree.DecisionTreeClassifier(random_state=0).fit([[1.0], [2.0]], classes)
    header = wc.Header("mine", (wc.Attribute("x"), wc.Attribute("k", "nominal", ("a", "b", "c"))), 1)
    if fits:
        mirrored = wc.mirror(fitted, header=header)
        assert mirrored.predict(wc.Dataset(header, [[1.0, 0], [2.0, 0]])).tolist() == classes.tolist()
    else:
        with pytest.raises(HeaderMismatchError, match="must be those names, or indices of declared classes"):
            wc.mirror(fitted, header=header)


def test_weights_of_less_than_one_in_all():
    fitted = tree.DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1], sample_weight=[0.25, 0.5])
    mirrored = wc.mirror(fitted)
    assert mirrored.total.tolist() == [0.75, 0.25, 0.5]
    assert mirrored.class_weight.tolist() == [[0.25, 0.5], [0.25, 0], [0, 0.5]]


@pytest.mark.parametrize("name", ["confdtree", "shrinkage", "m_branch", "curtailment", "boundary_distance", "ling_yan"])
def test_methods_read_the_mirror_of_a_tree(name):
    iris = datasets.load_iris()
    fitted = tree.DecisionTreeClassifier(min_samples_leaf=5, random_state=0).fit(iris.data, iris.target)
    mirror = wc.mirror(fitted)
    train = wc.Dataset(mirror.header, np.column_stack((iris.data, iris.target)))
    answer = wc.method(name).fit(mirror, train).answer(train)
    assert (answer.predicted == iris.target).mean() > 0.9
    assert len(answer.explanation) == 150


@pytest.mark.parametrize("estimator", [ESTIMATORS[0], ESTIMATORS[6]], ids=lambda e: type(e).__name__)
def test_a_model_file_keeps_the_answers(estimator, tmp_path):
    cells, classes, _ = drawn(1, missing=0.1)
    mirror = wc.mirror(estimator.fit(cells, classes))
    train = wc.Dataset(mirror.header, np.column_stack((cells, classes)))
    wc.Model(wc.method("leaf_frequency").fit(mirror, train)).save(tmp_path / "m.wct")
    loaded = wc.load(tmp_path / "m.wct")
    np.testing.assert_array_equal(loaded.predict_proba(train), estimator.predict_proba(cells))
    assert getattr(loaded.method.tree_, "votes", "average") == "average"


# ---- what is refused ----

X, Y, _ = drawn(1, n_classes=2)
BOOSTED = ensemble.AdaBoostClassifier(n_estimators=3)


class Sly(tree.DecisionTreeClassifier):
    """Answers otherwise."""

    def predict_proba(self, X, check_input=True):
        return 1 - super().predict_proba(X, check_input)


class Plain:
    """As packages that follow scikit-learn's interface only in part."""

    def __repr__(self):
        return "Plain()"

    def fit(self, X, y):
        return self

    def get_params(self, deep=True):
        return {}


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (Plain(), "Plain: cannot be mirrored: only DecisionTreeClassifier, "),
        (tree.DecisionTreeRegressor().fit(X, Y), "DecisionTreeRegressor: cannot be mirrored: it predicts numbers"),
        (linear_model.LinearRegression().fit(X, Y), "LinearRegression: cannot be mirrored: it predicts numbers"),
        (ensemble.RandomForestClassifier(2).fit(X, np.column_stack((Y, Y))), "answers for 2 classes at once"),
        (ensemble.GradientBoostingClassifier(n_estimators=2).fit(X, Y), "its members are regression trees"),
        (ensemble.HistGradientBoostingClassifier(max_iter=2).fit(X, Y), "scores that are added up, not class weights"),
        (BOOSTED.fit(X, Y), "AdaBoostClassifier: cannot be mirrored: its members answer with weights"),
        (ensemble.BaggingClassifier(BOOSTED, 2).fit(X, Y), "BaggingClassifier: members of AdaBoostClassifier"),
        (
            ensemble.BaggingClassifier(linear_model.LogisticRegression(), 2).fit(X, Y),
            "^BaggingClassifier: members of LogisticRegression: cannot be mirrored: its members must be "
            "DecisionTreeClassifier or ExtraTreeClassifier$",
        ),
        (ensemble.IsolationForest(n_estimators=2).fit(X), "have no classes"),
        (
            linear_model.LogisticRegression().fit(X, Y),
            "LogisticRegression: .* only DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier, "
            "ExtraTreesClassifier and BaggingClassifier of such trees are read",
        ),
        (model_selection.GridSearchCV(tree.DecisionTreeClassifier(), {}).fit(X, Y), "give its best_estimator_"),
        (Sly().fit(X, Y), "Sly: cannot be mirrored: it is derived from DecisionTreeClassifier and may"),
        (7, "expected a fitted tree or forest of scikit-learn"),
        (tree.DecisionTreeClassifier, "expected a fitted tree or forest of scikit-learn .*, got a class"),
    ],
    ids=str,
)
def test_what_cannot_be_mirrored_is_refused_by_name(thing, words):
    with pytest.raises(wc.OptionError, match=words):
        wc.mirror(thing)


@pytest.mark.parametrize("estimator", [tree.DecisionTreeClassifier(), ensemble.RandomForestClassifier()])
def test_an_estimator_that_is_not_fitted(estimator):
    words = f"{type(estimator).__name__} is not fitted; call its fit"
    with pytest.raises(NotFittedError, match=words):
        wc.mirror(estimator)
    with pytest.raises(NotFittedError, match=words):
        wc.mirror(pipeline.make_pipeline(preprocessing.StandardScaler(), estimator))


def test_negative_weights_are_no_frequencies():
    weights = np.where(np.arange(len(Y)) % 5, 1.0, -0.5)
    with pytest.raises(wc.OptionError, match="some class weights of its nodes are negative"):
        wc.mirror(tree.DecisionTreeClassifier(max_depth=6).fit(X, Y, sample_weight=weights))
    for fraction, total in (([0.5, 0.5], -2.0), ([0.5, 0.5], 0.0), ([np.nan, 1.0], 2.0), ([-1e-9, 1.0], 2.0)):
        with pytest.raises(wc.OptionError, match="some class weights of its nodes are negative"):
            sklearn_trees._class_weight(np.array([fraction]), np.array([total]), ESTIMATORS[0])
    weight, _ = sklearn_trees._class_weight(np.array([[0.0, 1.0]]), np.array([2.0]), ESTIMATORS[0])
    assert weight.tolist() == [[0, 2]]


def test_feature_names_that_read_the_same():
    fitted = tree.DecisionTreeClassifier().fit(X, Y)
    fitted.feature_names_in_ = np.array(["a"] * 6, dtype=object)
    with pytest.raises(wc.OptionError, match="two of its features read the same as text"):
        wc.mirror(fitted)


CLASS = wc.Attribute("k", "nominal", ("0", "1"))


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ([*map(wc.Attribute, "abcde"), CLASS], "expected a header with 6 attributes"),
        ([*map(wc.Attribute, "abcde"), wc.Attribute("n", "nominal", ("x", "y")), CLASS], "got 'n' {'x', 'y'}"),
        (
            [*(wc.Attribute(name, "nominal", ("x", "y")) for name in "abcdef"), CLASS],
            "compares numbers, got 'a' {'x', 'y'}, 'b' {'x', 'y'}, 'c' {'x', 'y'}$",
        ),
        ([*map(wc.Attribute, "abcdef"), wc.Attribute("k", "nominal", ("x",))], "its classes are '0', '1', and 'k'"),
        ([*map(wc.Attribute, "abcdef"), wc.Attribute("k")], "a tree needs a nominal class"),
    ],
)
def test_headers_that_do_not_fit(attributes, words):
    header = wc.Header("other", tuple(attributes), len(attributes) - 1)
    with pytest.raises((HeaderMismatchError, wc.OptionError), match=words):
        wc.mirror(tree.DecisionTreeClassifier(max_depth=2).fit(X, Y), header=header)


def test_header_and_train_exclude_each_other():
    fitted = tree.DecisionTreeClassifier(max_depth=2).fit(X, Y)
    header = wc.mirror(fitted).header
    mirror = wc.mirror(fitted)
    assert wc.mirror(mirror) is mirror
    with pytest.raises(wc.OptionError, match="either header or train"):
        wc.mirror(fitted, header=header, train=data_for(fitted, X))


def test_packages_whose_leaves_hold_scores():
    """XGBoost is not installed here; its class is stood in for by its module and name, which is what is asked."""
    booster = type("XGBClassifier", (linear_model.LogisticRegression,), {"__module__": "xgboost.sklearn"})()
    with pytest.raises(wc.OptionError, match=r"XGBClassifier: .*XGBoost: its leaves hold scores"):
        wc.mirror(booster)
