"""`SecondOpinion`, the pool of any classifier and opinions, against a literal form and against the method."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from reference import second_opinion_reference as reference
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from support.command_line import ARFF

import wekaconf as wc
from wekaconf.data import fold_numbers
from wekaconf.sklearn import (
    CARTClassifier,
    J48Classifier,
    RejectOption,
    SecondOpinion,
    SecondOpinionClassifier,
    ShrinkageWPEClassifier,
)
from wekaconf.sklearn._held_out import params_of

TREE = DecisionTreeClassifier(min_samples_leaf=3, random_state=0)


def noisy(seed, n=150, n_classes=3):
    X, y = make_classification(n, 6, n_informative=4, n_redundant=0, n_classes=n_classes, flip_y=0.2, random_state=seed)
    return X, np.array(["low", "mid", "top"])[y]


def as_data(X, y):
    return wc.Dataset.from_arrays(X, y)


# -- as it is defined --


def by_hand(members, X, y, asked, weights, folds=3, penalty=1.0):
    """The weights and the pools, row by row: folds in a loop, probabilities by label, coordinate descent."""
    classes = sorted(set(y.tolist()))
    fold = fold_numbers(as_data(X, y), folds, np.random.default_rng((1, 0)))

    def told(fitted, rows):
        proba = fitted.predict_proba(rows)
        places = {label: place for place, label in enumerate(fitted.classes_.tolist())}
        return [[row[places[label]] if label in places else 0.0 for label in classes] for row in proba.tolist()]

    shares = [None] * len(y)
    for one in sorted(set(fold.tolist())):
        grows, out = fold != one, np.flatnonzero(fold == one)
        sides = [told(clone(member).fit(X[grows], y[grows], weights[grows]), X[out]) for member in members]
        for place, row in enumerate(out.tolist()):
            shares[row] = [side[place] for side in sides]
    found = reference.weights(shares, [classes.index(label) for label in y.tolist()], weights.tolist(), penalty)
    sides = [told(clone(member).fit(X, y, weights), asked) for member in members]
    return found, [reference.pool([side[i] for side in sides], found) for i in range(len(asked))]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("folds", [2, 3])
def test_equals_the_literal_form(n_classes, is_weighted, folds):
    X, y = noisy(n_classes, 60, n_classes)
    asked, _ = noisy(9, 20)
    weights = np.random.default_rng(1).uniform(0.2, 3, 60) if is_weighted else np.ones(60)
    opinions = [GaussianNB(), LogisticRegression()]
    found = SecondOpinion(TREE, opinions, folds=folds, penalty=0.5)
    found.fit(X, y, weights if is_weighted else None)
    expected, pools = by_hand([TREE, *opinions], X, y, asked, weights, folds, penalty=0.5)
    np.testing.assert_allclose(found.weights_, expected, atol=1e-6)
    np.testing.assert_allclose(found.predict_proba(asked), pools, atol=1e-6)
    assert found.predict(asked).tolist() == found.classes_[np.argmax(pools, axis=1)].tolist()


@pytest.mark.jvm
def test_weights_are_those_of_the_method():
    """A tree with Laplace's correction beside a method, as estimators and as the sides of `second_opinion`."""
    X, y = noisy(4, 300)
    of_method = SecondOpinionClassifier(learner="J48", sides="laplace+shrinkage_wpe:numeric=bins").fit(X, y)
    found = SecondOpinion(J48Classifier(use_laplace=True), [ShrinkageWPEClassifier(learner="J48")]).fit(X, y)
    np.testing.assert_allclose(found.weights_, of_method.method_.weights_, rtol=0, atol=1e-7)
    np.testing.assert_allclose(found.predict_proba(X), of_method.predict_proba(X), rtol=0, atol=1e-7)


def test_it_is_better_than_its_tree():
    X, y = load_breast_cancer(return_X_y=True)
    pool, tree = (cross_val_score(one, X, y, scoring="neg_brier_score").mean() for one in (SecondOpinion(TREE), TREE))
    assert pool > tree + 0.01


# -- which answers --


def test_the_estimator_s_answers_stay_its_own():
    X, y = noisy(5)
    likeliest = SecondOpinion(TREE, [GaussianNB()]).fit(X, y)
    held = SecondOpinion(TREE, [GaussianNB()], answers="estimator").fit(X, y)
    assert held.predict(X).tolist() == held.estimator_.predict(X).tolist() != likeliest.predict(X).tolist()
    np.testing.assert_array_equal(held.predict_proba(X), likeliest.predict_proba(X))
    assert likeliest.predict(X).tolist() == likeliest.classes_[likeliest.predict_proba(X).argmax(axis=1)].tolist()


def test_a_moved_threshold_and_a_reject_option_answer_as_they_would():
    X, y = noisy(6, n_classes=2)
    moved = FixedThresholdClassifier(TREE, threshold=0.9, pos_label="mid")
    held = SecondOpinion(moved, [GaussianNB()], answers="estimator").fit(X, y)
    assert held.predict(X).tolist() == moved.fit(X, y).predict(X).tolist() != TREE.fit(X, y).predict(X).tolist()
    rejecting = RejectOption(TREE, below=0.9)
    held = SecondOpinion(rejecting, [GaussianNB()], answers="estimator").fit(X, y)
    assert set(held.predict(X)) == {"low", "mid"}


# -- little to learn from, rare classes, equal rows --


@pytest.mark.parametrize(("n", "is_told"), [(29, True), (60, False)])
def test_with_few_rows_the_estimator_answers_alone(n, is_told):
    X, y = noisy(7, n)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = SecondOpinion(TREE, [GaussianNB()]).fit(X, y)
    notes = [str(one.message) for one in caught if isinstance(one.message, wc.Note)]
    assert bool(notes) == is_told == (len(found.weights_) == 0)
    if is_told:
        assert notes == [
            "SecondOpinion: too little to learn from: expected 30 instances and 5 wrong answers of the estimator out "
            "of fold; the estimator answers alone"
        ]
        np.testing.assert_array_equal(found.predict_proba(X), TREE.fit(X, y).predict_proba(X))
        assert found.predict(X).tolist() == TREE.predict(X).tolist()


def test_a_threshold_that_was_moved_stays_where_the_estimator_answers_alone():
    X, y = noisy(7, 29, n_classes=2)
    moved = FixedThresholdClassifier(TREE, threshold=0.9, pos_label="mid")
    with pytest.warns(wc.Note, match="the estimator answers alone"):
        found = SecondOpinion(moved, [GaussianNB()]).fit(X, y)
    assert found.predict(X).tolist() == moved.fit(X, y).predict(X).tolist() != TREE.fit(X, y).predict(X).tolist()


def test_with_four_wrong_answers_the_estimator_answers_alone():
    """One column says the class but for so many rows, whose values lie among those of the other class."""

    def found(n_wrong):
        x = np.repeat([0.0, 1.0], 40) + np.arange(80) / 1000
        y = np.repeat(["a", "b"], 40)
        x[:n_wrong] += 1.06
        return SecondOpinion(DecisionTreeClassifier(max_depth=1), [GaussianNB()]).fit(x[:, None], y)

    with pytest.warns(wc.Note, match="the estimator answers alone"):
        assert not len(found(4).weights_)
    assert len(found(5).weights_) == 2


def test_classes_that_a_fold_lacks_get_the_least():
    X, y = noisy(8, 90, 2)
    y = y.astype(object)
    y[3] = "rare"  # one row: out of fold nobody has seen it
    found = SecondOpinion(TREE, [GaussianNB(), LogisticRegression()]).fit(X, y)
    assert found.classes_.tolist() == ["low", "mid", "rare"] and len(found.weights_) == 3
    np.testing.assert_allclose(found.predict_proba(X).sum(axis=1), 1, atol=1e-12)
    expected, _ = by_hand([TREE, GaussianNB(), LogisticRegression()], X, y, X[:1], np.ones(90))
    np.testing.assert_allclose(found.weights_, expected, atol=1e-6)


def test_a_fold_without_other_classes_asks_nobody():
    """The only five rows of a class are equal, so they share a fold, without which there is one class."""
    X, _ = noisy(8, 60)
    y = np.where(np.arange(60) < 5, "rare", "usual")
    X[:5] = X[0]
    found = SecondOpinion(LogisticRegression(), [GaussianNB()]).fit(X, y)
    assert len(found.weights_) == 2


def test_one_class():
    X, _ = noisy(1, 40)
    found = SecondOpinion(CARTClassifier(), [LogisticRegression()]).fit(X, ["a"] * 40)
    assert found.predict(X).tolist() == ["a"] * 40 and found.opinions_ == () and not len(found.weights_)


def test_rows_do_not_depend_on_their_kind_of_table():
    X, y = noisy(2)
    of_array = SecondOpinion(TREE, [GaussianNB()]).fit(X, y)
    of_frame = SecondOpinion(TREE, [GaussianNB()]).fit(pd.DataFrame(X).add_prefix("x"), pd.Series(y))
    np.testing.assert_array_equal(of_array.weights_, of_frame.weights_)
    assert of_frame.feature_names_in_.tolist() == [f"x{i}" for i in range(6)] and of_array.n_features_in_ == 6


# -- weights of instances --


def test_a_weight_of_0_is_no_instance():
    X, y = noisy(3)
    weights = np.where(np.arange(150) % 5 == 0, 0.0, 2.0)
    kept = weights > 0
    with pytest.warns(wc.Note, match="KNeighborsClassifier takes no sample_weight, so it learns without"):
        found = SecondOpinion(TREE, [KNeighborsClassifier()]).fit(X, y, weights)
    few = SecondOpinion(TREE, [KNeighborsClassifier()]).fit(X[kept], y[kept])
    np.testing.assert_allclose(found.weights_, few.weights_, atol=1e-9)
    with pytest.raises(wc.OptionError, match="a positive weight somewhere"):
        SecondOpinion(TREE).fit(X, y, np.zeros(150))


@pytest.mark.parametrize("wrap", [
    lambda one: make_pipeline(StandardScaler(), one),
    lambda one: make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), one)),
    lambda one: GridSearchCV(one, {"C": [1.0]}, cv=2),
], ids=["pipeline", "pipelines", "search"])  # fmt: skip
def test_weights_reach_members_inside_others(wrap):
    X, y = noisy(4)
    weights = np.random.default_rng(2).uniform(0.1, 5, 150)
    member = wrap(LogisticRegression())
    found = SecondOpinion(TREE, [member]).fit(X, y, weights)
    last = found.opinions_[0]
    while hasattr(last, "steps"):
        last = last[-1]
    last = getattr(last, "best_estimator_", last)
    scaled = StandardScaler().fit_transform(X) if hasattr(member, "steps") else X
    np.testing.assert_allclose(last.coef_, LogisticRegression().fit(scaled, y, weights).coef_, atol=1e-4)


def test_metadata_go_to_members_that_request_them():
    X, y = noisy(4)
    weights = np.random.default_rng(2).uniform(0.1, 5, 150)
    with config_context(enable_metadata_routing=True):
        tree = clone(TREE).set_fit_request(sample_weight=True)
        bayes = GaussianNB().set_fit_request(sample_weight=False)
        found = SecondOpinion(tree, [bayes]).fit(X, y, sample_weight=weights)
        careful = RejectOption(SecondOpinion(tree, [bayes]), target_coverage=0.8).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(found.opinions_[0].theta_, GaussianNB().fit(X, y).theta_)
    assert found.estimator_.tree_.weighted_n_node_samples[0] == pytest.approx(weights.sum())
    assert careful.estimator_.estimator_.tree_.weighted_n_node_samples[0] == pytest.approx(weights.sum())
    with pytest.raises(wc.OptionError, match="fit got groups; only sample_weight is given to members without"):
        SecondOpinion(TREE).fit(X, y, groups=y)
    unasked = clone(TREE)
    with config_context(enable_metadata_routing=True), pytest.raises(ValueError, match=r"SecondOpinion\.fit"):
        SecondOpinion(unasked).fit(X, y, sample_weight=weights)


# -- in company --


def test_columns_of_texts_through_pipelines():
    frame = wc.load_arff(ARFF / "credit-g.arff").to_pandas()
    X, y = frame.drop(columns="class"), frame["class"].astype(str)
    texts = X.select_dtypes(exclude="number").columns
    encoded = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), texts), remainder=StandardScaler())
    pool = SecondOpinion(CARTClassifier(), [make_pipeline(encoded, LogisticRegression(max_iter=1000))])
    train, test, y_train, y_test = train_test_split(X, y, random_state=1)
    pool.fit(train, y_train)
    assert len(pool.weights_) == 2 and pool.score(test, y_test) > pool.estimator_.score(test, y_test)


def test_a_reject_option_takes_it_like_any_other():
    X, y = noisy(5, 400)
    careful = RejectOption(SecondOpinion(TREE), target_error=0.2).fit(X, y)
    proba = careful.estimator_.predict_proba(X)
    np.testing.assert_array_equal(careful.certainty(X), proba.max(axis=1))
    promised = RejectOption(SecondOpinion(TREE), target_error=0.5, confidence=0.9).fit(X, y)
    assert promised.choice_.promises[0].answered > 0
    held = RejectOption(SecondOpinion(TREE, answers="estimator"), below=0.5).fit(X, y)
    places = np.searchsorted(held.classes_, held.estimator_.estimator_.predict(X))
    np.testing.assert_array_equal(held.certainty(X), held.estimator_.predict_proba(X)[np.arange(400), places])


def test_copies_and_parameters_of_members():
    pool = SecondOpinion(TREE, (GaussianNB(), make_pipeline(StandardScaler(), LogisticRegression()), GaussianNB()))
    params = pool.get_params()
    assert params["estimator__min_samples_leaf"] == 3 and params["gaussiannb-2"] is pool.opinions[2]
    assert "gaussiannb-1" not in pool.get_params(deep=False)
    other = clone(pool).set_params(**{"gaussiannb-2__var_smoothing": 0.1, "pipeline__logisticregression__C": 5})
    assert other.opinions[2].var_smoothing == 0.1 and other.opinions[1][-1].C == 5
    assert pool.opinions[2].var_smoothing == 1e-9 and pool.opinions[1][-1].C == 1.0
    other.set_params(pipeline=DummyClassifier(), estimator=GaussianNB())
    assert isinstance(other.opinions[1], DummyClassifier) and isinstance(other.estimator, GaussianNB)
    other.set_params(opinions=[GaussianNB()], gaussiannb__var_smoothing=0.2)
    assert [one.var_smoothing for one in other.opinions] == [0.2]
    assert SecondOpinion(TREE).get_params()["opinions"] is None
    with pytest.raises(ValueError, match="Invalid parameter 'nobody'"):
        pool.set_params(nobody=1)


def test_a_search_over_an_opinion():
    X, y = noisy(3)
    grid = {"kneighborsclassifier__n_neighbors": [1, 15], "estimator__max_depth": [1, 3]}
    search = GridSearchCV(SecondOpinion(TREE, [KNeighborsClassifier()]), grid, cv=2, scoring="neg_log_loss").fit(X, y)
    assert len(set(search.cv_results_["mean_test_score"].round(6).tolist())) == 4


def test_jobs_and_pickles_change_nothing():
    X, y = noisy(6)
    found, parallel = (SecondOpinion(RandomForestClassifier(10, random_state=0), n_jobs=n).fit(X, y) for n in (None, 2))
    np.testing.assert_array_equal(found.weights_, parallel.weights_)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(found)).predict_proba(X), parallel.predict_proba(X))


# -- what it refuses --


@pytest.mark.parametrize(("params", "says"), [
    ({"estimator": GaussianNB}, "expected a classifier, such as GaussianNB\\(\\), got <class"),
    ({"estimator": LinearRegression()}, "^SecondOpinion: expected a classifier, got the regressor LinearRegression$"),
    ({"opinions": [LinearRegression()]}, "^SecondOpinion: expected a classifier, got the regressor LinearRegression$"),
    ({"opinions": [LinearSVC()]}, "LinearSVC has no predict_proba"),
    ({"opinions": []}, "opinions: expected a list of classifiers"),
    ({"opinions": GaussianNB()}, "opinions: expected a list of classifiers"),
    ({"opinions": ["gaussian"]}, "expected a classifier, such as GaussianNB\\(\\), got 'gaussian'"),
    ({"answers": "tree"}, "answers: expected 'likeliest' or 'estimator', got 'tree'"),
    ({"folds": 1}, "folds must be"),
    ({"penalty": 0.0}, "penalty must be"),
])  # fmt: skip
def test_what_is_refused(params, says):
    X, y = noisy(1)
    with pytest.raises(wc.OptionError, match=says):
        SecondOpinion(**({"estimator": TREE} | params)).fit(X, y)


@pytest.mark.parametrize(("opinions", "takes"), [
    ([TREE], (True, True)), ([GaussianNB(), TREE], (False, False)), ([LogisticRegression(), TREE], (False, True)),
])  # fmt: skip
def test_missing_values_and_sparse_tables_are_taken_where_all_members_take_them(opinions, takes):
    tags = get_tags(SecondOpinion(TREE, opinions)).input_tags
    assert (tags.allow_nan, tags.sparse) == takes
    assert get_tags(SecondOpinion(CARTClassifier(), [TREE])).input_tags.string


def test_parameters_of_a_fit_are_those_of_its_rows():
    given = {"weights": np.arange(4.0), "names": list("abcd"), "short": [1, 2], "flag": True}
    found = params_of(given, np.array([0, 2]), 4)
    assert {name: np.asarray(value).tolist() for name, value in found.items()} == {
        "weights": [0, 2], "names": ["a", "c"], "short": [1, 2], "flag": True,
    }  # fmt: skip


class Flat(GaussianNB):
    """Has one probability per instance."""

    def predict_proba(self, X):
        return super().predict_proba(X)[:, 0]


class Wide(GaussianNB):
    """Has twice as many probabilities as classes."""

    def predict_proba(self, X):
        return np.tile(super().predict_proba(X), 2)


@pytest.mark.parametrize(("opinion", "shape"), [(Wide(), "[0-9]+, 6"), (Flat(), "[0-9]+,")])
def test_an_opinion_that_is_no_probability_per_class_is_named(opinion, shape):
    words = rf"an array of shape \({shape}\) from {type(opinion).__name__}; wrap it in a classifier"
    with pytest.raises(wc.OptionError, match=words):
        SecondOpinion(TREE, [opinion]).fit(*noisy(1))


def test_missing_labels_and_an_unfitted_pool():
    X, y = noisy(1)
    with pytest.raises(wc.OptionError, match="1 label is missing"):
        SecondOpinion(TREE).fit(X, [None, *y[1:]])
    with pytest.raises(NotFittedError):
        SecondOpinion(TREE).predict(X)
