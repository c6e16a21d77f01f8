"""What users of scikit-learn may get wrong: each slip is told where it is made, in words that say what to do."""

import math
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import config_context
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError
from wekaconf.data import read_parts_like
from wekaconf.sklearn import (
    AURCScorer,
    BoundaryDistanceClassifier,
    CARTClassifier,
    ConfDTreeClassifier,
    ErrorAtCoverageScorer,
    J48Classifier,
    MBranchClassifier,
    RejectOption,
    RiskCoverageDisplay,
)
from wekaconf.sklearn._reading import classes_to_fit, weights_to_fit

X, Y = load_iris(return_X_y=True)
NAMES = load_iris().target_names[Y]


@pytest.fixture(scope="module")
def cart():
    return CARTClassifier(prune="none").fit(X[::2], Y[::2])


@pytest.fixture(scope="module")
def option():
    return RejectOption(CARTClassifier(prune="none"), below=0.9, reject_label=-1).fit(X[::2], Y[::2])


MEASURED = {
    "AURC": AURCScorer(),
    "error": ErrorAtCoverageScorer(),
    "risk and coverage": RiskCoverageDisplay.from_estimator,
    "score": lambda estimator, X, y: estimator.score(X, y),
}


@pytest.mark.parametrize("measured", MEASURED.values(), ids=MEASURED)
def test_labels_of_another_sort_are_refused(option, measured):
    with pytest.raises(wc.OptionError, match="y: expected labels such as 0, got 'setosa'; give them as the classifier"):
        measured(option, X, NAMES)


@pytest.mark.parametrize("measured", [MEASURED[name] for name in ("AURC", "risk and coverage", "score")])
def test_labels_of_another_length_are_refused(option, measured):
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[150, 149\]"):
        measured(option, X, Y[:-1])


@pytest.mark.parametrize(
    "asked", ["predict", "predict_proba", "certainty", "reject", "score", "predict_set", "outside", "compare"]
)
def test_a_reject_option_is_fitted_first(asked):
    with pytest.raises(NotFittedError, match="This RejectOption instance is not fitted yet"):
        getattr(RejectOption(CARTClassifier(), below=0.9), asked)(X, *([Y] if asked == "score" else []))


def test_rejected_answers_may_be_of_another_sort():
    answers = Y.astype(object)
    answers[::2] = "ask"
    display = RiskCoverageDisplay.from_predictions(Y, answers, np.ones(len(Y)))
    assert display.curve.aurc == pytest.approx(0.5)


def test_labels_of_an_unknown_class_are_errors(cart):
    assert AURCScorer()(cart, X[:3], [7, 7, 7]) == -1
    assert AURCScorer()(cart, X[:3], np.array([0.0, 0.0, 7.0])) == AURCScorer()(cart, X[:3], [0, 0, 7]) > -1


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"cost": "10:1", "reject_label": -1}, r"cost must be .*, such as \(10, 1\); got '10:1'"),
        ({"cost": (0, 1), "reject_label": -1}, "cost must be .*, such as 10:1; got 0:1"),
        ({"estimator": None, "below": 0.9}, r"expected a classifier, such as J48Classifier\(\), got None"),
        ({"estimator": J48Classifier, "below": 0.9}, r"such as J48Classifier\(\), got <class"),
        (
            {"below": 0.9, "reject_label": [1]},
            r"reject_label: expected one text or number, such as .* -1, got \[1\]",
        ),
    ],
)
def test_wrong_arguments_of_the_reject_option(params, words):
    given = {"estimator": DecisionTreeClassifier(max_depth=1), **params}
    with pytest.raises(wc.OptionError, match=words):
        RejectOption(**given).fit(X, Y).predict(X)


def test_the_threshold_that_a_search_found_is_marked():
    option = RejectOption(CARTClassifier(), reject_label=-1)
    search = GridSearchCV(option, {"below": [0.5, 0.99]}, cv=2).fit(X[::2], Y[::2])
    display = RiskCoverageDisplay.from_estimator(search, X[1::2], Y[1::2])
    assert display.reached.coverage == (~search.best_estimator_.reject(X[1::2])).mean()


def test_regressors_have_no_certainty():
    with pytest.raises(wc.OptionError, match="expected a classifier, got the regressor DecisionTreeRegressor"):
        AURCScorer()(DecisionTreeRegressor().fit(X, Y), X, Y)


@pytest.mark.parametrize("weights", [{}, {"sample_weight": np.linspace(0.1, 2, len(Y))}])
def test_weights_reach_the_estimator_when_folds_are_numbered(weights):
    tree = CARTClassifier(prune="none")
    plain = RejectOption(tree, keep=0.9).fit(X, Y, **weights)
    with config_context(enable_metadata_routing=True):
        asking = tree.set_fit_request(sample_weight=True) if weights else tree
        routed = RejectOption(asking, keep=0.9).fit(X, Y, **weights)
    assert routed.choice_ == plain.choice_


@pytest.mark.parametrize("below", [90, -1, np.nan, "0.9"])
def test_a_threshold_that_is_no_certainty_is_refused(cart, below):
    with pytest.raises(wc.OptionError, match=r"^reject_below must be"):
        cart.predict(X, reject_below=below, reject_label=-1)
    assert set(cart.predict(X, reject_below=np.inf, reject_label=-1)) == {-1}


def test_infinite_values_are_refused_in_lists_as_in_arrays(cart):
    infinite = X.copy()
    infinite[3, 2] = np.inf
    for given in (infinite, infinite.tolist(), pd.DataFrame(infinite)):
        with pytest.raises(ValueError, match="contains infinity"):
            CARTClassifier().fit(given, Y)
    with pytest.raises(ValueError, match="contains infinity"):
        cart.predict(infinite[3:4].tolist())


def test_a_date_that_is_missing_is_no_class():
    dates = np.where(Y == 1, np.datetime64("2020-01-01"), np.datetime64("2021-01-01"))
    assert CARTClassifier().fit(X, dates).classes_.tolist() == np.unique(dates).tolist()
    dates[4] = np.datetime64("NaT")
    with pytest.raises(wc.OptionError, match="y: 1 label is missing"):
        CARTClassifier().fit(X, dates)


def test_weights_are_called_as_the_argument_is(cart):
    for refused in (
        lambda: CARTClassifier().fit(X, Y, sample_weight=-np.ones(len(Y))),
        lambda: RiskCoverageDisplay.from_estimator(cart, X, Y, sample_weight=-np.ones(len(Y))),
        lambda: AURCScorer()(cart, X, Y, -np.ones(len(Y))),
        lambda: RejectOption(cart, keep=0.9).fit(X, Y, sample_weight=-np.ones(len(Y))),
    ):
        with pytest.raises(wc.OptionError, match=r"^sample_weight must be a number from 0 to 1e\+100"):
            refused()


def test_parameters_of_a_learner_need_an_estimator():
    search = GridSearchCV(ConfDTreeClassifier(), {"learner__confidence_factor": [0.1, 0.25]})
    words = r"learner__confidence_factor .*, and learner=None has none .* such as learner=J48Classifier\(\)"
    with pytest.raises(wc.OptionError, match=words):
        search.fit(X, Y)
    made = ConfDTreeClassifier().set_params(learner=J48Classifier(), learner__confidence_factor=0.1)
    assert made.learner.confidence_factor == 0.1


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(), J48Classifier, 3])
def test_what_is_no_learner(learner):
    with pytest.raises(wc.OptionError, match=r"learner must be an estimator, J48Classifier\(\) or CARTClassifier\(\)"):
        ConfDTreeClassifier(learner=learner).fit(X, Y)


def test_what_is_no_data_set(cart):
    for given, maker in (
        (pd.DataFrame(X), r"make one with Dataset\.from_pandas\(frame, class_attribute='…'\), or with header=model"),
        (pl.DataFrame(X), r"make one with Dataset\.from_polars\(frame, class_attribute='…'\), or with header=model"),
        (X, r"make one with Dataset\.from_arrays\(X, y\)"),
        (X.tolist(), r"make one with Dataset\.from_arrays\(X, y\)"),
        ("iris.arff", "read the file with load_table or load_arff"),
    ):
        with pytest.raises(wc.OptionError, match=f"expected a Dataset, got .*; {maker}"):
            cart.tree_.predict_proba(given)
    frame = pd.DataFrame(X, columns=[attribute.name for attribute in cart.tree_.header.attributes[:-1]])
    asked = wc.Dataset.from_pandas(frame, header=cart.tree_.header)
    np.testing.assert_array_equal(cart.tree_.predict_proba(asked), cart.predict_proba(X))


def test_a_data_set_is_not_x(cart):
    data = wc.Dataset.from_arrays(X, Y)
    for refused in (lambda: CARTClassifier().fit(data, Y), lambda: cart.predict(data)):
        with pytest.raises(
            wc.OptionError, match=r"got a Dataset, whose class .* data\.to_pandas\(\) without the class"
        ):
            refused()


def test_an_estimator_is_no_model_but_holds_one(tmp_path, cart):
    chosen = RejectOption(CARTClassifier(prune="none"), keep=0.9).fit(X, Y)
    for estimator in (cart, chosen):
        with pytest.raises(wc.OptionError, match=f"got {type(estimator).__name__}; a fitted .* its model_"):
            wc.Model(estimator)
    with pytest.raises(wc.OptionError, match=r"got TreeMirror; fit\(data, learner=tree\) makes a model of a bare tree"):
        wc.Model(cart.tree_)
    foreign = RejectOption(DecisionTreeClassifier(), keep=0.9).fit(X, Y)
    with pytest.raises(AttributeError, match=r"DecisionTreeClassifier has no model; those of wekaconf\.sklearn"):
        _ = foreign.model_
    chosen.model_.save(tmp_path / "iris.wct")
    model = wc.load(tmp_path / "iris.wct")
    data = wc.Dataset.from_arrays(X, Y, header=model.header)
    np.testing.assert_array_equal(model.reject(data), chosen.reject(X))
    np.testing.assert_array_equal(model.predict_proba(data), chosen.predict_proba(X))


@pytest.mark.parametrize("estimator", [CARTClassifier(), RejectOption(CARTClassifier(), below=0.5)])
def test_an_estimator_of_ours_needs_no_mirror(estimator):
    for given in (estimator, estimator.fit(X, Y)):
        with pytest.raises(wc.OptionError, match="the tree_ of a fitted classifier of wekaconf is a mirror already"):
            wc.mirror(given)


def test_a_forest_of_one_class_is_refused_by_name():
    with pytest.raises(wc.OptionError, match="is defined on a single tree, not on a forest of RandomForest"):
        BoundaryDistanceClassifier(learner="RandomForest").fit(X, np.zeros(len(X)))


def test_a_leaf_is_one_node():
    assert repr(CARTClassifier().fit(X[:9], Y[:9]).tree_).endswith(": 1 node)")


def test_a_percentage_is_no_coverage(cart):
    with pytest.raises(wc.OptionError, match=r"coverage must be in \(0, 1\], got 80; write 0.8 for 80 %"):
        ErrorAtCoverageScorer(80)(cart, X, Y)


def test_a_curve_of_few_errors_fills_the_axes():
    """One of the least certain of 400 answers is wrong, an error of a quarter of a percent."""
    answers = np.zeros(400)
    answers[5] = 1
    display = RiskCoverageDisplay.from_predictions(np.zeros(400), answers, np.arange(400))
    assert 100 / 395 < display.ax_.get_ylim()[1] < 0.5


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([0, 0.25, 0.25], [0, 1, 1]),
        ([0, 0.5, 1], [0, 2 / 3, 4 / 3]),
        ([1, 1, 1], [1, 1, 1]),
        ([0, 1.5, 1.5], [0, 1.5, 1.5]),
    ],
)
def test_positive_weights_below_one_in_the_mean_are_made_larger(weights, expected):
    """Boosting hands down weights that sum to 1; Weka's rules count them."""
    np.testing.assert_allclose(weights_to_fit(weights, np.zeros((3, 1)), np.zeros(3)), expected)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["a", None, "b"], "1 label is missing, the first that of instance 2; leave"),
        ([None, "a", np.nan], "2 labels are missing, the first that of instance 1; leave"),
    ],
)
def test_missing_labels_are_counted_and_the_first_is_named(labels, said):
    with pytest.raises(wc.OptionError, match=said):
        classes_to_fit(np.array(labels, dtype=object))


def test_labels_that_are_no_classes_are_refused_whatever_the_classifier_takes():
    with pytest.raises(ValueError, match="Unknown label type"):
        RejectOption(DummyClassifier(), below=0.5).fit(X, np.linspace(0.5, 1.7, len(X)))


def test_labels_reach_the_classifier_as_they_are_given():
    class Recording(DecisionTreeClassifier):
        def fit(self, X, y):
            self.kind_ = type(y)
            return super().fit(X, y)

    columns = pd.DataFrame(X, columns=list("abcd"))
    fitted = RejectOption(Recording(), below=0.5).fit(columns, pd.Series(NAMES))
    assert fitted.estimator_.kind_ is pd.Series
    assert fitted.n_features_in_ == 4 and list(fitted.feature_names_in_) == list("abcd")


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({}, ""),
        ({"confidence_factor": 0.25, "min_num_obj": 2}, ""),
        ({"confidence_factor": 0.1, "min_num_obj": 1, "use_laplace": True}, "-C 0.1 -M 1 -A"),
        ({"confidence_factor": 0.1, "unpruned": True, "options": "-B"}, "-U -B"),
    ],
)
def test_options_of_j48_are_written_where_they_are_not_the_usual(given, options):
    assert wc.J48(**given).options == options


@pytest.mark.parametrize("given", [{"confidence_factor": 0}, {"confidence_factor": 1}, {"min_num_obj": 0}])
def test_options_of_j48_have_a_range(given):
    with pytest.raises(wc.OptionError, match=f"{next(iter(given))} must be "):
        wc.J48(**given)


@pytest.mark.parametrize("base", [CARTClassifier, MBranchClassifier])
def test_a_subclass_may_ask_for_metadata_of_its_own(base):
    class WithCosts(base):
        def fit(self, X, y, sample_weight=None, costs=None):
            return super().fit(X, y, sample_weight)

    with config_context(enable_metadata_routing=True):
        asked = WithCosts().set_fit_request(costs=True).get_metadata_routing()
    assert asked.fit.requests["costs"] is True


@pytest.mark.parametrize("is_first_cut", [True, False])
def test_one_curve_that_is_not_drawn_below_five_percent_is_told_beside_others(is_first_cut):
    y = np.arange(40) % 8 == 0
    certainties = {True: np.arange(40.0), False: np.arange(40) // 20}
    axes = None
    for is_cut in (is_first_cut, not is_first_cut):
        shown = RiskCoverageDisplay.from_predictions(y, np.zeros(40, dtype=bool), certainties[is_cut], ax=axes)
        axes = shown.ax_
    assert axes.get_xlabel() == "coverage: answered instances (%; below 5 % not drawn)"


COLUMNS = [None, ["age", "rate"], ["rate", "age"], ["x0", "x1"], ["x1", "x0"], [0, 1], [1, 0]]
"""Names of two columns; None: they are those of an array."""


def asked_after(estimator, fitted_on, asked_with, ask):
    """What an estimator answers for columns of some names after it was fitted on columns of others, or the error."""
    cells, y = X[:, 2:], Y > 1
    forms = [cells if names is None else pd.DataFrame(cells, columns=names) for names in (fitted_on, asked_with)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)  # of what other tests have left open
        fitted = estimator.fit(forms[0], y)
        assert not caught
        try:
            answers = ask(fitted, forms[1])
        except ValueError as error:
            return str(error), set()
    return answers.tolist(), {str(each.message).replace(type(estimator).__name__, "it") for each in caught}


@pytest.mark.parametrize("estimator", [CARTClassifier(), RejectOption(CARTClassifier(), below=0.0)])
@pytest.mark.parametrize("fitted_on", COLUMNS, ids=str)
def test_columns_are_matched_as_the_tree_of_scikit_learn_matches_them(estimator, fitted_on):
    for asked_with in COLUMNS:
        case = (fitted_on, asked_with, lambda fitted, X: fitted.predict(X))
        answers, warned = asked_after(estimator, *case)
        expected, also = asked_after(DecisionTreeClassifier(), *case)
        assert (answers, {text.replace("CARTClassifier", "it") for text in warned}) == (expected, also), asked_with


@pytest.mark.parametrize("inner", [CARTClassifier(), DecisionTreeClassifier()])
@pytest.mark.parametrize("fitted_on", COLUMNS, ids=str)
def test_rows_outside_are_those_of_the_columns_that_are_answered(inner, fitted_on):
    """The columns of the frame are in the order of training, whatever their names: nothing lies outside."""
    for asked_with in COLUMNS:
        case = (RejectOption(inner, below=0.0), fitted_on, asked_with)
        outside, warned = asked_after(*case, lambda fitted, X: fitted.outside(X).rows)
        predicted, also = asked_after(*case, lambda fitted, X: fitted.predict(X))
        if isinstance(predicted, str) and type(inner) is DecisionTreeClassifier:
            continue  # predict refuses names in another order, and outside matches them
        assert (outside if isinstance(outside, str) else any(outside)) == (
            predicted if isinstance(predicted, str) else 0
        )
        assert len(warned) == len(also), asked_with


def test_a_reject_option_matches_by_name_what_its_pipeline_matches_by_name():
    frame, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(
        ColumnTransformer([("kept", "passthrough", list(frame.columns))]), DecisionTreeClassifier()
    )
    option = RejectOption(pipeline, below=0.0).fit(frame, y)
    swapped = frame[frame.columns[::-1]]
    assert option.predict(swapped).tolist() == option.predict(frame).tolist()
    assert not option.outside(swapped).rows.any()


def test_a_model_of_an_estimator_knows_whether_its_columns_have_names(tmp_path):
    frame, y = load_iris(return_X_y=True, as_frame=True)
    for table, is_named in ((frame, True), (X, False)):
        fitted = CARTClassifier().fit(table, y)
        assert fitted.tree_.header.is_named == fitted.summary_.header.is_named == is_named
        wc.Model(fitted.method_, summary=fitted.summary_).save(tmp_path / "model.wct")
        model = wc.load(tmp_path / "model.wct")
        assert model.header.is_named == is_named == wc.mirror(DecisionTreeClassifier().fit(table, y)).header.is_named
    with pytest.warns(wc.Note, match="'sepal length .cm.', 'sepal width .cm.', .* are matched by position"):
        predicted = model.answer_frame(frame)["predicted"]
    expected = [str(label) for label in fitted.predict(X)]
    assert predicted.tolist() == expected
    with pytest.warns(wc.Note, match="are matched by position"):
        kept = model.answer_frame(frame.assign(patient="p"), ["patient"])
    assert kept["predicted"].tolist() == expected and set(kept["patient"]) == {"p"}
    own_names = frame.set_axis(["x0", "x1", "x2", "x3"], axis=1).assign(note="n")
    assert model.answer_frame(own_names)["predicted"].tolist() == expected
    table = frame.set_axis(["x1", "x0", "x2", "x3"], axis=1)
    with pytest.raises(HeaderMismatchError, match="columns in the order 'x1', 'x0', 'x2', 'x3' cannot be matched to"):
        model.answer_frame(table)
    table.to_csv(tmp_path / "later.csv", index=False)
    with pytest.raises(HeaderMismatchError, match=r"later\.csv: columns in the order 'x1', 'x0', 'x2', 'x3' cannot be"):
        [*read_parts_like(str(tmp_path / "later.csv"), model.header)]


class Shaped(DecisionTreeClassifier):
    """A classifier whose labels have another shape, as those of CatBoost with three classes have, (n, 1)."""

    def __init__(self, shaped=np.vstack):
        super().__init__(max_depth=2)
        self.shaped = shaped

    def predict(self, X):
        return self.shaped(super().predict(X))


REJECTING = [
    {"keep": 0.9},
    {"keep": 0.9, "threshold_from": "training"},
    {"target_error": 0.2, "confidence": 0.9},
    {"target_error": 0.2, "confidence": 0.9, "calibrate": (X[::2], NAMES[::2])},
]


@pytest.mark.parametrize("params", REJECTING)
def test_labels_in_a_column_are_labels(params):
    column, row = (RejectOption(inner, **params).fit(X[1::2], NAMES[1::2]) for inner in
                   (Shaped(), DecisionTreeClassifier(max_depth=2)))  # fmt: skip
    assert column.choice_ == row.choice_
    for answer in (
        lambda option: option.predict(X),
        lambda option: option.reject(X),
        lambda option: option.certainty(X),
    ):
        assert answer(column).shape == (len(X),)
        np.testing.assert_array_equal(answer(column), answer(row))
    assert column.score(X, NAMES) == row.score(X, NAMES)
    assert column.compare(X).told == row.compare(X).told
    assert AURCScorer()(column, X, NAMES) == AURCScorer()(row, X, NAMES)


@pytest.mark.parametrize("shaped", [
    np.atleast_2d, lambda labels: np.column_stack([labels] * 3), lambda labels: labels[:-1], lambda labels: labels[0],
])  # fmt: skip
@pytest.mark.parametrize("params", REJECTING)
def test_labels_of_other_shapes_are_refused(shaped, params):
    with pytest.raises(
        wc.OptionError, match=r"expected a label and a row of probabilities for each .* from Shaped; wrap"
    ):
        RejectOption(Shaped(shaped), **params).fit(X[1::2], NAMES[1::2])


@pytest.mark.parametrize("params", REJECTING)
def test_catboost_with_three_classes(params):
    catboost = pytest.importorskip("catboost")
    inner = catboost.CatBoostClassifier(iterations=5, depth=3, verbose=False, allow_writing_files=False, thread_count=1)
    option = RejectOption(inner, **params).fit(X[1::2], NAMES[1::2])
    assert option.predict(X).shape == (len(X),) and option.score(X, NAMES) > 0.8
    assert option.estimator_.predict(X).shape == (len(X), 1), "or it tests nothing"


LARGE = 2**53 + Y
"""Labels of which float64 holds every other one."""
FORMS_OF_LARGE = {
    "list": lambda y: y.tolist(),
    "array": np.asarray,
    "uint64": lambda y: y.astype(np.uint64),
    "objects": lambda y: y.astype(object),
    "int64 of pandas": pd.Series,
    "Int64": lambda y: pd.Series(y, dtype="Int64", name="kind"),
    "UInt64": lambda y: pd.array(y.tolist(), dtype="UInt64"),
    "Arrow in pandas": lambda y: pd.Series(y, dtype="int64[pyarrow]"),
    "objects of pandas": lambda y: pd.Series(y, dtype=object),
    "categories": lambda y: pd.Series(y, dtype="category"),
    "a column": lambda y: pd.DataFrame({"kind": pd.Series(y, dtype="Int64")}),
    "a column of polars": lambda y: pl.DataFrame({"kind": y}),
    "polars": pl.Series,
    "UInt64 of polars": lambda y: pl.Series(y.tolist(), dtype=pl.UInt64),
    "Arrow": pa.array,
}


@pytest.mark.filterwarnings("ignore:A column-vector y")
@pytest.mark.parametrize("form", FORMS_OF_LARGE.values(), ids=FORMS_OF_LARGE)
def test_labels_beyond_what_float64_tells_apart_stay_apart(form, recwarn):
    expected = (2**53 + np.arange(3)).tolist()
    if form not in (FORMS_OF_LARGE["a column"], FORMS_OF_LARGE["a column of polars"]):
        data = wc.Dataset.from_arrays(X, form(LARGE))
        assert data.class_names == tuple(map(str, expected)) and data.class_values.tolist() == Y.tolist()
        assert not recwarn.list, "nothing is rounded"
    for estimator in (CARTClassifier(), RejectOption(CARTClassifier(), below=0.0),
                      RejectOption(DecisionTreeClassifier(), below=0.0)):  # fmt: skip
        fitted = estimator.fit(X, form(LARGE))
        assert fitted.classes_.tolist() == expected and fitted.classes_.dtype.kind in "iu"
        answers = [*map(int, fitted.predict(X))]
        assert fitted.score(X, form(LARGE)) == np.mean(np.array(answers) == LARGE) > 0.9
        assert -AURCScorer()(fitted, X, form(np.full(len(X), 2**53 + 1))) > 0.5, "two of three answers are wrong"
    promised = RejectOption(DecisionTreeClassifier(max_depth=2), target_error=0.3, confidence=0.9)
    assert promised.fit(X, form(LARGE)).choice_.figures == promised.fit(X, Y).choice_.figures


@pytest.mark.parametrize("form", [
    lambda y: pd.Series(y, dtype="Int64"), pl.Series, pa.array, np.array,
    lambda y: [math.nan if label is None else label for label in y],
])  # fmt: skip
def test_large_labels_stay_apart_beside_missing_ones(form):
    labels = [None if row % 5 == 0 else int(label) for row, label in enumerate(LARGE)]
    with pytest.raises(wc.OptionError, match="y: 30 labels are missing, the first that of instance 1; leave"):
        CARTClassifier().fit(X, form(labels))
    with pytest.raises(wc.OptionError, match="y: 30 labels are missing, the first that of instance 1; leave"):
        RejectOption(CARTClassifier(), below=0.0).fit(X, form(labels))
    small = np.where(np.arange(150) % 5, Y, np.nan)
    large, expected = (
        RejectOption(CARTClassifier().fit(X, y), target_error=0.3, confidence=0.9, calibrate="prefit").fit(X, known)
        for y, known in ((LARGE, form(labels)), (Y, small))
    )
    assert large.choice_ == expected.choice_ and large.choice_.figures.n == 96


@pytest.mark.parametrize("form", [list, lambda y: np.array(y, dtype=object), lambda y: pd.Series(y, dtype=object)])
def test_labels_of_more_than_64_bits_are_refused(form):
    labels = [2**70 + int(label) for label in Y]
    assert wc.Dataset.from_arrays(X, form(labels)).class_names == tuple(str(2**70 + place) for place in range(3))
    for estimator in (CARTClassifier(), RejectOption(DecisionTreeClassifier(), keep=0.9)):
        with pytest.raises(wc.OptionError, match=f"y: expected whole numbers of up to 64 bits, got {2**70 + 2}; make"):
            estimator.fit(X, form(labels))


@pytest.mark.parametrize(
    "form", [lambda y: pd.Series(y, dtype="boolean"), lambda y: pl.Series([*y.tolist(), None])[:-1]]
)
def test_nullable_booleans_are_booleans(form):
    fitted = CARTClassifier().fit(X, form(Y > 0))
    assert fitted.classes_.dtype == bool and fitted.predict(X).tolist() == (Y > 0).tolist()


def test_a_nullable_series_keeps_its_name():
    option = RejectOption(CARTClassifier(), below=0.0).fit(X, pd.Series(Y, dtype="Int64", name="kind"))
    assert option.estimator_.tree_.header.class_attribute.name == "kind"


def test_advice_on_a_column_is_that_of_pandas():
    frame = pd.DataFrame({"x": [1, "7", *range(148)]}, dtype=object)
    advice = r"read the column as text, X\['x'\]\.astype\(str\), or as numbers, X\['x'\]\.astype\(float\)$"
    with pytest.raises(wc.OptionError, match=advice):
        CARTClassifier().fit(frame, Y)
    CARTClassifier().fit(frame.assign(x=frame["x"].astype(float)), Y)


@pytest.mark.parametrize("classifier", [CARTClassifier(), RejectOption(CARTClassifier(), target_coverage=0.9)])
def test_a_note_on_a_date_says_how_a_column_of_x_is_left_out(classifier):
    x = pd.DataFrame({"tag": pd.date_range("2024-01-01", periods=60), "x": np.arange(60) % 7})
    with pytest.warns(wc.Note, match=r"splits on the date 'tag': .*; X\.drop\(columns=\['tag'\]\) leaves it out$"):
        classifier.fit(x, np.repeat(["a", "b"], 30))
    with pytest.warns(wc.Note, match=r"; ignore=\['tag'\] leaves it out$"):
        wc.fit(wc.Dataset.from_pandas(x.assign(c=np.repeat(["a", "b"], 30))), learner="CART")
