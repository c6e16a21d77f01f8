"""What estimators tell of their trees, as scikit-learn's own trees do."""

import inspect

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from support.growers import grow_info_gain, grow_info_gain_bagging
from support.small_data import small
from support.written_trees import written_tree

import wekaconf as wc
import wekaconf.sklearn
from wekaconf.base.errors import OptionError
from wekaconf.sklearn import (
    AURCScorer,
    CARTClassifier,
    ErrorAtCoverageScorer,
    J48Classifier,
    MBranchClassifier,
    RejectOption,
    SecondOpinion,
    classifier_of,
)
from wekaconf.tree._forest import Forest, gini, importances
from wekaconf.tree._forest import entropy as nats
from wekaconf.tree._kinds import Routing, SplitKind

X, Y = load_iris(return_X_y=True)


ESTIMATORS = [getattr(wekaconf.sklearn, name) for name in wekaconf.sklearn.__all__ if name.endswith("Classifier")]


@pytest.mark.parametrize("cls", [*ESTIMATORS, RejectOption], ids=lambda cls: cls.__name__)
def test_parameters_are_kept_as_they_are_given(cls):
    """Even such as `fit` will refuse."""
    given = {parameter: object() for parameter in inspect.signature(cls).parameters}
    made = cls(**given)
    assert {parameter: getattr(made, parameter) for parameter in given} == given


def literal_importances(tree, impurity):
    """Node by node, as the books write it."""
    total = {}
    for node in range(tree.n_nodes):
        if tree.split_attribute[node] < 0:
            continue
        children = range(tree.first_child[node], tree.first_child[node] + tree.n_branches[node])
        weight = sum(tree.class_weight[node])
        lost = sum(sum(tree.class_weight[child]) * impurity(tree.class_weight[child]) for child in children)
        attribute = int(tree.split_attribute[node])
        total[attribute] = total.get(attribute, 0) + weight * impurity(tree.class_weight[node]) - lost
    whole = sum(total.values())
    return [total.get(i, 0) / whole if whole else 0 for i in range(len(tree.header.attributes))]


def entropy(counts):
    shares = [count / sum(counts) for count in counts if count > 0]
    return -sum(share * np.log2(share) for share in shares)


@pytest.mark.parametrize("seed", range(6))
def test_importances_of_cart_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    x, y = make_classification(300, 8, n_informative=4, n_classes=3, random_state=seed)
    weights = rng.integers(1, 4, len(y)).astype(float)
    theirs = DecisionTreeClassifier(max_depth=int(rng.integers(2, 9)), random_state=seed).fit(x, y, weights)
    mirror = wc.mirror(theirs)
    np.testing.assert_allclose(importances(mirror)[:-1], theirs.feature_importances_, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(importances(mirror.with_laplace(True)), importances(mirror))
    ours = CARTClassifier().fit(x, y)
    assert ours.feature_importances_.shape == (8,)
    assert ours.feature_importances_.sum() == pytest.approx(1)


def test_importances_of_other_learners_are_of_entropy(jvm):
    j48 = J48Classifier().fit(X, Y)
    np.testing.assert_allclose(j48.feature_importances_, literal_importances(j48.tree_, entropy)[:-1], atol=1e-12)
    data = small(x=[1.0, 2, 3, 4] * 5, z=[0.0, 1, 0, 1] * 5, **{"class": list("aabb") * 5})
    np.testing.assert_allclose(importances(grow_info_gain(data)), [1, 0, 0])
    forest = grow_info_gain_bagging(wc.load_arff("arff/iris.arff"))
    mean = np.mean([importances(tree) for tree in forest.trees if tree.n_nodes > 1], axis=0)
    np.testing.assert_allclose(importances(forest), mean / mean.sum())


def test_impurities_by_hand():
    """Shares of 1/4 and 3/4; a node without weight is not impure."""
    counts = np.array([[1.0, 3.0], [0.0, 0.0], [2.0, 0.0]])
    np.testing.assert_allclose(gini(counts), [3 / 8, 0, 0])
    np.testing.assert_allclose(nats(counts), [np.log(4) - 0.75 * np.log(3), 0, 0])


def test_importances_by_hand():
    """The root's split gains 8 · 1/2 − 2 · 4 · 3/8 = 1, the one below 3/2; of a forest only trees that split count."""
    header = wc.Header("h", (wc.Attribute("x"), wc.Attribute("z"), wc.Attribute("c", "nominal", ("p", "q"))), 2)
    le = SplitKind.NUMERIC_LE
    tree, leaf = (
        written_tree(header, spec, routing=Routing.CART)
        for spec in ((0, le, 0.5, (1, le, 0.5, [3.0, 0.0], [0.0, 1.0]), [1.0, 3.0]), [4.0, 4.0])
    )
    np.testing.assert_allclose(importances(tree), [0.4, 0.6, 0])
    np.testing.assert_allclose(importances(Forest((leaf, tree, leaf))), [0.4, 0.6, 0])
    assert importances(leaf).tolist() == importances(Forest((leaf, leaf))).tolist() == [0, 0, 0]


def test_reptree_counts_what_it_grew_on(jvm, iris):
    tree = wc.grow(iris, "REPTree")
    assert importances(tree).sum() == pytest.approx(1)
    assert (importances(tree) >= 0).all()


def test_a_tree_of_one_leaf_has_no_importance():
    constant = CARTClassifier().fit(np.zeros((6, 2)), [0, 0, 0, 1, 1, 1])
    assert constant.feature_importances_.tolist() == [0, 0]
    assert (constant.get_depth(), constant.get_n_leaves(), constant.n_classes_) == (0, 1, 2)
    assert constant.apply(np.zeros((2, 2))).tolist() == [0, 0]
    assert constant.decision_path(np.zeros((2, 2))).toarray().tolist() == [[1], [1]]


def test_select_from_model():
    x, y = load_wine(return_X_y=True)
    chosen = SelectFromModel(MBranchClassifier(learner="CART")).fit(x, y)
    importance = chosen.estimator_.feature_importances_
    assert chosen.get_support().tolist() == (importance >= importance.mean()).tolist()


def test_the_path_of_an_instance_leads_from_the_root_to_its_leaf():
    ours = CARTClassifier().fit(X, Y)
    path = ours.decision_path(X)
    leaves = ours.apply(X)
    assert path.shape == (len(X), ours.tree_.n_nodes) and path.dtype == np.int64
    assert ours.get_depth() == ours.tree_.depth.max() and ours.get_n_leaves() == ours.tree_.n_leaves
    for row in range(len(X)):
        reached = set(path[row].indices.tolist())
        node, above = int(leaves[row]), set()
        while node >= 0:
            above.add(node)
            node = int(ours.tree_.parent[node])
        assert reached == above
    np.testing.assert_array_equal(np.asarray(path.sum(axis=1)).ravel(), ours.tree_.depth[leaves] + 1)


def test_a_missing_value_reaches_both_branches(jvm):
    j48 = J48Classifier().fit(X, Y)
    divided = np.full((1, 4), np.nan)
    assert j48.apply(divided).tolist() == [-1]
    assert j48.decision_path(divided).toarray().all()


def test_of_a_forest_there_is_a_column_per_tree(jvm):
    forest = MBranchClassifier(learner="RandomForest -I 3").fit(X, Y)
    assert forest.apply(X).shape == (len(X), 3)
    path, begin = forest.decision_path(X)
    assert begin.tolist() == np.cumsum([0, *(tree.n_nodes for tree in forest.tree_.trees)]).tolist()
    assert path.shape == (len(X), begin[-1])
    assert forest.feature_importances_.sum() == pytest.approx(1)
    for asked in (forest.get_depth, forest.get_n_leaves):
        with pytest.raises(OptionError, match="forest of 3 trees"):
            asked()


def test_before_fit_there_is_nothing():
    cart = CARTClassifier()
    for name in ("feature_importances_", "n_classes_"):
        assert not hasattr(cart, name)
    for asked in (
        lambda: cart.feature_importances_, lambda: cart.n_classes_, cart.get_depth, cart.get_n_leaves,
        lambda: cart.apply(X), lambda: cart.decision_path(X),
    ):  # fmt: skip
        with pytest.raises(NotFittedError, match="This CARTClassifier instance is not fitted yet"):
            asked()


def test_logarithms_of_probabilities():
    cart = CARTClassifier().fit(X, Y)
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(cart.predict_log_proba(X), np.log(cart.predict_proba(X)))


@pytest.mark.parametrize("scorer", [AURCScorer(), ErrorAtCoverageScorer(0.7)])
def test_scorers_get_the_weights_under_metadata_routing(scorer):
    """The weights reach fit and score; before, the scores were those without weights, without a word."""
    weights = np.random.default_rng(2).integers(1, 20, len(Y)).astype(float)
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    x = X[:, :2]
    with sklearn.config_context(enable_metadata_routing=True):
        cart = CARTClassifier().set_fit_request(sample_weight=True)
        found = cross_validate(cart, x, Y, scoring=scorer, cv=folds, params={"sample_weight": weights})["test_score"]
        expected = [
            scorer(CARTClassifier().fit(x[train], Y[train], weights[train]), x[test], Y[test], weights[test])
            for train, test in folds.split(x, Y)
        ]
        np.testing.assert_allclose(found, expected)
        named = cross_validate(cart, x, Y, scoring={"a": scorer}, cv=folds, params={"sample_weight": weights})
        np.testing.assert_allclose(named["test_a"], expected)
        without = type(scorer)().set_score_request(sample_weight=False)
        plain = cross_validate(cart, x, Y, scoring=without, cv=folds, params={"sample_weight": weights})["test_score"]
        assert not np.allclose(plain, found)
        with pytest.raises(UnsetMetadataPassedError):
            cross_validate(
                CARTClassifier(), x, Y, scoring=type(scorer)().set_score_request(sample_weight=None), cv=folds,
                params={"sample_weight": weights},
            )  # fmt: skip


def test_the_class_of_a_method_of_ours_is_the_one_that_has_its_name():
    assert classifier_of("m_branch") is MBranchClassifier


def test_an_estimator_says_what_it_reads():
    read = get_tags(CARTClassifier()).input_tags
    assert read.allow_nan and read.sparse and read.string and read.categorical
    assert not get_tags(RejectOption(LogisticRegression(), below=0.5)).input_tags.allow_nan


@pytest.mark.parametrize("asked", [AURCScorer(), SecondOpinion(CARTClassifier()), RejectOption(CARTClassifier())])
def test_a_request_names_who_asks(asked):
    assert asked.get_metadata_routing().owner == type(asked).__name__


@pytest.mark.parametrize("kind", [bool, np.int8, np.float32, np.float64])
def test_arrays_of_any_numbers_are_numeric(kind):
    rows = np.array([[0, 1], [1, 0]] * 20)
    fitted, expected = (CARTClassifier().fit(X, [0, 1] * 20) for X in (rows.astype(kind), rows))
    assert [each.kind for each in fitted.tree_.header.attributes] == ["numeric", "numeric", "nominal"]
    assert fitted.tree_.split_point[0] == expected.tree_.split_point[0]
