"""The reject option, the scorers and the displays, for our estimators and for scikit-learn's."""

import pickle
import warnings

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV, CalibrationDisplay
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import RocCurveDisplay, accuracy_score, confusion_matrix, f1_score, make_scorer, roc_auc_score
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    GroupKFold,
    LeaveOneOut,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_validate,
    train_test_split,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from support.command_line import ROOT

import wekaconf as wc
from wekaconf.evaluation.thresholds import choose
from wekaconf.model.fit import threshold
from wekaconf.sklearn import (
    AURCScorer,
    BoundaryDistanceClassifier,
    CARTClassifier,
    ConfDTreeClassifier,
    ErrorAtCoverageScorer,
    J48Classifier,
    RejectOption,
    RiskCoverageDisplay,
    TreeDisplay,
)
from wekaconf.sklearn._rejecting import mark_rejected

matplotlib.use("Agg")
pytestmark = pytest.mark.jvm

AIMS = [
    {"keep": 0.9},
    {"target_error": 0.03},
    {"target_coverage": 0.8},
    {"cost": (10, 1)},
    {"costs": 10, "reject_cost": 1},
    {"below": 0.95},
]
X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
Y = np.where(Y, "benign", "malignant")
TRAIN, TEST, Y_TRAIN, Y_TEST = train_test_split(X, Y, random_state=0)


def aim_of(aim):
    if "costs" in aim:
        return wc.Aim("chow", (aim["costs"], aim["reject_cost"]))
    ((name, value),) = aim.items()
    return wc.Aim(name.removeprefix("target_"), value)


@pytest.mark.parametrize("aim", AIMS, ids=lambda aim: next(iter(aim)))
@pytest.mark.parametrize("estimator", [ConfDTreeClassifier(), J48Classifier(use_laplace=True)], ids=str)
def test_chooses_as_the_command_line_does(estimator, aim):
    data = wc.load_arff(ROOT / "arff" / "wine.arff")
    learner, method = estimator._learner(), estimator._method()
    method.fit(learner.grow(data), data)
    expected = threshold(method, data, aim_of(aim), learner=learner)
    names = np.array(data.class_names)[data.class_values]
    chosen = RejectOption(estimator, **aim, cv=wc.folds(data, 10, 1)).fit(data.values[:, :-1], names).choice_
    assert chosen == expected


@pytest.mark.parametrize("aim", AIMS, ids=lambda aim: next(iter(aim)))
def test_chooses_alike_for_a_classifier_of_scikit_learn(aim):
    forest = RandomForestClassifier(20, random_state=0)
    fitted = RejectOption(forest, **aim, cv=5, reject_label="unknown").fit(TRAIN, Y_TRAIN)
    if aim_of(aim).fixed_threshold is None:
        proba = cross_val_predict(forest, TRAIN, Y_TRAIN, cv=5, method="predict_proba")
    else:
        proba = fitted.estimator_.predict_proba(TRAIN)
    answered = fitted.classes_[proba.argmax(axis=1)]
    wanted = aim_of(aim)
    expected = choose(wanted, proba.max(axis=1), answered == Y_TRAIN)
    assert fitted.choice_ == expected
    certainty = forest.fit(TRAIN, Y_TRAIN).predict_proba(TEST).max(axis=1)
    rejected = certainty < fitted.threshold_
    assert fitted.reject(TEST).tolist() == rejected.tolist()
    assert fitted.predict(TEST).tolist() == np.where(rejected, "unknown", forest.predict(TEST)).tolist()
    np.testing.assert_array_equal(fitted.predict_proba(TEST), forest.predict_proba(TEST))
    assert fitted.score(TEST, Y_TEST) == ((forest.predict(TEST) == Y_TEST) & ~rejected).mean()
    assert fitted.feature_names_in_.tolist() == X.columns.tolist()


def test_own_certainty_in_pipelines_and_searches():
    boundary = BoundaryDistanceClassifier(learner=CARTClassifier(prune="none"), scaling="minmax")
    pipeline = make_pipeline(StandardScaler(), boundary)
    search = GridSearchCV(pipeline, {"boundarydistanceclassifier__norm": ["l1", "l2"]}, cv=3)
    direct = boundary.fit(StandardScaler().fit_transform(TRAIN), Y_TRAIN)
    expected = direct.certainty(StandardScaler().fit(TRAIN).transform(TEST))
    assert expected.max() > 1 or (expected < 0.5).any()
    fitted = RejectOption(pipeline, keep=0.9, cv=3).fit(TRAIN, Y_TRAIN)
    np.testing.assert_array_equal(fitted.certainty(TEST), expected)
    fitted = RejectOption(search, keep=0.9, cv=3).fit(TRAIN, Y_TRAIN)
    norm = fitted.estimator_.best_params_["boundarydistanceclassifier__norm"]
    direct = clone(boundary).set_params(norm=norm).fit(StandardScaler().fit_transform(TRAIN), Y_TRAIN)
    np.testing.assert_array_equal(fitted.certainty(TEST), direct.certainty(StandardScaler().fit(TRAIN).transform(TEST)))
    with pytest.raises(wc.OptionError, match="is no probability"):
        RejectOption(pipeline, costs=10, reject_cost=1).fit(TRAIN, Y_TRAIN)


def test_distances_have_a_range_of_their_own():
    """A threshold above 1 makes sense for a distance, not for a probability."""
    boundary = BoundaryDistanceClassifier(learner=CARTClassifier())
    fitted = RejectOption(make_pipeline(StandardScaler(), boundary), below=1.5).fit(TRAIN, Y_TRAIN)
    assert fitted.reject(TEST).tolist() == (fitted.certainty(TEST) < 1.5).tolist()
    with pytest.raises(wc.OptionError, match=r"below must be a certainty of CARTClassifier, which lies in \[1/n"):
        RejectOption(CARTClassifier(), below=1.5).fit(TRAIN, Y_TRAIN)


def test_weights_count_in_the_choice():
    weights = np.random.default_rng(0).integers(1, 5, len(Y_TRAIN)).astype(float)
    fitted = RejectOption(CARTClassifier(prune="none"), target_coverage=0.5, cv=3).fit(
        TRAIN, Y_TRAIN, sample_weight=weights
    )
    assert fitted.choice_.figures.n == weights.sum()
    assert fitted.estimator_.tree_.class_weight[0].sum() == weights.sum()


def test_threshold_from_training():
    fitted = RejectOption(J48Classifier(), keep=0.9, threshold_from="training").fit(TRAIN, Y_TRAIN)
    own = J48Classifier().fit(TRAIN, Y_TRAIN)
    expected = wc.choose_threshold(own.certainty(TRAIN), own.predict(TRAIN) == Y_TRAIN, keep=0.9)
    assert fitted.choice_ == expected


def test_what_is_not_reached_is_told():
    with pytest.warns(wc.Note, match=r"no threshold reaches the aim \(error at most 0 %\), so every"):
        fitted = RejectOption(DecisionTreeClassifier(random_state=0), target_error=0.0, reject_label="?").fit(
            TRAIN, Y_TRAIN
        )
    assert set(fitted.predict(TEST)) == {"?"}
    assert fitted.score(TEST, Y_TEST) == 0


def test_where_no_answer_is_right_nothing_can_be_reached():
    """Without one of its rows the rarer class is the larger one, and the only answer of a tree of one leaf."""
    y = [0, 1] * 5
    with pytest.warns(wc.Note) as told:
        RejectOption(CARTClassifier(), keep=0.9, cv=LeaveOneOut(), reject_label=2).fit(np.zeros((10, 1)), y)
    words = [str(note.message) for note in told]
    expected = "RejectOption: no threshold reaches the aim (keep 90 % of the correct), so every answer is rejected"
    assert expected in words


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (RejectOption(J48Classifier()), "expected one aim, such as target_error=0.05, got none"),
        (RejectOption(J48Classifier(), keep=0.9, target_error=0.1), "got keep and target_error"),
        (RejectOption(J48Classifier(), keep=0.9, threshold_from="test"), "'out-of-fold' or 'training', got 'test'"),
        (RejectOption(J48Classifier(), below=1.5), "below must be a certainty"),
    ],
)
def test_wrong_options_are_told(option, words):
    with pytest.raises(wc.OptionError, match=words):
        option.fit(TRAIN, Y_TRAIN)


@pytest.mark.parametrize(
    ("classes", "expected", "dtype"),
    [
        (np.array(["a", "b", "c"]), "unknown", "<U7"),
        (np.array(["a", "b", "c"], dtype=object), "unknown", object),
        (np.array([0, 1, 2]), -1, np.int64),
        (np.array([-1, 1, 5]), -2, np.int64),
        (np.array([-5, 1, 5]), -1, np.int64),
        (np.array([1, 2, 3], dtype=np.uint32), -1, np.int64),
        (np.array([1.0, 2.0, 3.0]), -1.0, np.float64),
        (np.array([-1.0, 1.0, 2.0]), -2.0, np.float64),
        (np.array([False, True]), -1, np.int64),
    ],
    ids=str,
)
def test_left_out_the_label_is_of_the_classes_kind(classes, expected, dtype):
    """So the labels sort, and scikit-learn's metrics can be asked."""
    y = classes[np.arange(len(Y_TRAIN)) % len(classes)]
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    with pytest.warns(wc.Note, match="no threshold reaches"):
        none = RejectOption(tree, target_error=0.0, cv=2).fit(TRAIN, y).predict(TEST)
    assert none.dtype == dtype and set(none.tolist()) == {expected}
    fitted = RejectOption(tree, below=0.5).fit(TRAIN, y)
    assert fitted.reject_label_ == expected and type(fitted.reject_label_) is type(expected)
    answers, is_rejected = fitted.predict(TRAIN), fitted.reject(TRAIN)
    assert answers.dtype == dtype and (answers[is_rejected] == expected).all()
    assert answers[~is_rejected].tolist() == fitted.estimator_.predict(TRAIN)[~is_rejected].tolist()
    assert accuracy_score(y, answers) == fitted.score(TRAIN, y)
    assert len(confusion_matrix(y, answers)) == len(classes) + is_rejected.any()


@pytest.mark.parametrize(
    ("largest", "label", "dtype"),
    [
        (np.int16(2**15 - 1), np.int16(-1), np.int16),
        (np.uint64(2**64 - 1), np.uint64(0), np.uint64),
        (np.uint8(255), np.uint8(200), np.uint8),
        (np.uint64(2**53 + 1), -1, object),
    ],
)
def test_whole_numbers_keep_a_type_that_holds_both(largest, label, dtype):
    """numpy's common dtype of uint64 and int64 would be float64, which rounds large labels."""
    labels = np.array([1, largest], dtype=largest.dtype)
    told = mark_rejected(labels, np.array([True, False]), label)
    assert told.dtype == dtype and told.tolist() == [label, largest]


@pytest.mark.parametrize("label", [-1, np.int64(-1), -1.0])
def test_a_whole_number_among_floats_is_a_float(label):
    """So that metrics can be asked, which refuse an array of objects."""
    y = np.where(Y_TRAIN == "benign", 1.0, 2.0)
    fitted = RejectOption(DecisionTreeClassifier(max_depth=3), below=0.9, reject_label=label).fit(TRAIN, y)
    assert fitted.reject_label_ == -1.0 and isinstance(fitted.reject_label_, float)
    answers = fitted.predict(TRAIN)
    assert answers.dtype == np.float64 and ((answers == -1) == fitted.reject(TRAIN)).all() and -1 in answers
    assert len(confusion_matrix(y, answers)) == 3
    with pytest.raises(wc.OptionError, match="reject_label: 1 is a class"):
        RejectOption(DecisionTreeClassifier(), below=0.9, reject_label=1).fit(TRAIN, y)


def test_labels_without_a_default_ask_for_one():
    days = np.where(Y_TRAIN == "benign", np.datetime64("2020-01-01"), np.datetime64("2020-01-02"))
    with pytest.raises(wc.OptionError, match=r"no default among labels such as .*2020-01-01.*; give a label"):
        RejectOption(J48Classifier(), below=0.9).fit(TRAIN, days)
    unknown = np.where(Y_TRAIN == "benign", "benign", "unknown")
    with pytest.raises(wc.OptionError, match="'unknown' is a class; give a label that no instance has"):
        RejectOption(J48Classifier(), below=0.9).fit(TRAIN, unknown)
    never = np.datetime64("1970-01-01")
    fitted = RejectOption(J48Classifier(), below=0.9, reject_label=never).fit(TRAIN, days)
    assert ((fitted.predict(TEST) == never) == fitted.reject(TEST)).all() and fitted.reject(TEST).any()


def test_labels_in_a_column_are_warned_of_once():
    with pytest.warns(DataConversionWarning) as warned:
        RejectOption(J48Classifier(), keep=0.9, cv=2).fit(TRAIN, Y_TRAIN[:, None])
    assert len(warned) == 1


def test_a_class_that_only_one_fold_has():
    rows = [*np.flatnonzero(Y_TRAIN == "benign")[:4], *np.flatnonzero(Y_TRAIN == "malignant")[:1]]
    words = "without the rows that are held out y has only one class, 'benign', from which LogisticRegression does not"
    with pytest.raises(wc.OptionError, match=words):
        RejectOption(LogisticRegression(), keep=0.9).fit(TRAIN.iloc[rows, :2], Y_TRAIN[rows])


def test_what_an_estimator_says_of_two_classes_is_passed_on():
    rows = [*np.flatnonzero(Y_TRAIN == "benign")[:6], *np.flatnonzero(Y_TRAIN == "malignant")[:3]]
    calibrated = CalibratedClassifierCV(LogisticRegression(), cv=3)
    with pytest.raises(ValueError, match="3-fold cross-validation but provided less than 3 examples"):
        RejectOption(calibrated, keep=0.9).fit(TRAIN.iloc[rows, :2], Y_TRAIN[rows])


def test_few_instances_have_fewer_folds():
    rows = [*range(3), *np.flatnonzero(Y_TRAIN == "benign")[:4]]
    fitted = RejectOption(DecisionTreeClassifier(random_state=0), keep=1.0).fit(TRAIN.iloc[rows], Y_TRAIN[rows])
    assert fitted.choice_.figures.n == len(rows)
    words = r"expected 2 instances of some class, got at most one of each \(n_samples = 1\)"
    with pytest.raises(wc.OptionError, match=words):
        RejectOption(J48Classifier(), keep=0.9).fit(TRAIN[:1], Y_TRAIN[:1])


def test_search_over_the_aim_on_two_processes():
    option = RejectOption(J48Classifier(), keep=0.9, reject_label="?", cv=3)
    grid = {"keep": [0.5, 0.95], "estimator__min_num_obj": [2, 30]}
    search = GridSearchCV(option, grid, cv=3, n_jobs=2).fit(TRAIN, Y_TRAIN)
    assert search.best_params_["keep"] == 0.95
    again = pickle.loads(pickle.dumps(search))
    assert again.predict(TEST).tolist() == search.predict(TEST).tolist()


def test_groups_are_routed_to_the_splitter():
    groups = np.arange(len(Y_TRAIN)) % 7
    with config_context(enable_metadata_routing=True):
        splitter = GroupKFold(3).set_split_request(groups=True)
        estimator = J48Classifier().set_fit_request(sample_weight=True)
        weights = np.ones(len(Y_TRAIN))
        fitted = RejectOption(estimator, keep=0.9, cv=splitter).fit(
            TRAIN, Y_TRAIN, sample_weight=weights, groups=groups
        )
    folds = GroupKFold(3).split(TRAIN, Y_TRAIN, groups)
    expected = RejectOption(J48Classifier(), keep=0.9, cv=[*folds]).fit(TRAIN, Y_TRAIN)
    assert fitted.choice_ == expected.choice_


# -- scorers --


def test_scorers_measure_what_the_library_measures():
    fitted = ConfDTreeClassifier().fit(TRAIN, Y_TRAIN)
    correct = fitted.predict(TEST) == Y_TEST
    weights = np.random.default_rng(0).random(len(Y_TEST))
    for given in (None, weights):
        curve = wc.risk_coverage(fitted.certainty(TEST), correct, given)
        assert AURCScorer()(fitted, TEST, Y_TEST, given) == -curve.aurc
        assert ErrorAtCoverageScorer(0.7)(fitted, TEST, Y_TEST, given) == -curve.error_at(0.7)
        assert ErrorAtCoverageScorer()(fitted, TEST, Y_TEST, given) == -curve.error_at(0.8)
    option = RejectOption(ConfDTreeClassifier(), below=0.99).fit(TRAIN, Y_TRAIN)
    assert AURCScorer()(option, TEST, Y_TEST) == AURCScorer()(fitted, TEST, Y_TEST)
    with pytest.raises(wc.OptionError, match=r"coverage must be in \(0, 1\], got 1.5"):
        ErrorAtCoverageScorer(1.5)(fitted, TEST, Y_TEST)


def test_scorers_in_searches_and_cross_validations():
    folds = StratifiedKFold(3)
    grid = {"fine": [0.0, 0.1, 0.4]}
    search = GridSearchCV(ConfDTreeClassifier(), grid, scoring=AURCScorer(), cv=folds, n_jobs=2).fit(X, Y)
    assert search.best_score_ == search.cv_results_["mean_test_score"].max() < 0
    scores = cross_validate(
        LogisticRegression(max_iter=10_000), X, Y, cv=folds,
        scoring={"aurc": AURCScorer(), "error": ErrorAtCoverageScorer(0.9)},
    )  # fmt: skip
    assert scores["test_error"].shape == (3,) and (scores["test_aurc"] <= 0).all()
    assert repr(ErrorAtCoverageScorer(0.9)) == "ErrorAtCoverageScorer(coverage=0.9)"


# -- displays --


def test_risk_coverage_display():
    fitted = RejectOption(ConfDTreeClassifier(), keep=0.9).fit(TRAIN, Y_TRAIN)
    display = RiskCoverageDisplay.from_estimator(fitted, TEST, Y_TEST)
    curve = wc.risk_coverage(fitted.certainty(TEST), fitted.estimator_.predict(TEST) == Y_TEST)
    assert display.curve.aurc == curve.aurc
    drawn = dict(zip(*map(np.ndarray.tolist, display.line_.get_data()), strict=True))
    assert drawn[100.0] == pytest.approx(100 * curve.error[-1])
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    too_few = "fewer answers than any threshold can give"
    assert labels == [f"ConfDTreeClassifier (AURC {curve.aurc:.4f})", too_few, "chosen threshold"]
    (circle,) = (line for line in display.ax_.lines if line.get_label() == "chosen threshold")
    reached = wc.choose_threshold(
        fitted.certainty(TEST), fitted.estimator_.predict(TEST) == Y_TEST, below=fitted.threshold_
    ).figures
    np.testing.assert_allclose(np.ravel(circle.get_data()), [100 * reached.coverage, 100 * reached.error])
    forest = RandomForestClassifier(20, random_state=0).fit(TRAIN, Y_TRAIN)
    top = display.ax_.get_ylim()[1]
    other = RiskCoverageDisplay.from_estimator(forest, TEST, Y_TEST, ax=display.ax_, name="forest", color="black")
    assert other.figure_ is display.figure_
    assert other.line_.get_color() == "black"
    assert display.ax_.get_ylim()[1] >= top
    same = RiskCoverageDisplay.from_predictions(
        Y_TEST, forest.predict(TEST), forest.predict_proba(TEST).max(axis=1), name="forest", ax=display.ax_
    )
    assert same.ax_ is display.ax_
    np.testing.assert_array_equal(same.line_.get_data(), other.line_.get_data())


def test_the_displays_of_scikit_learn_take_our_estimators_and_their_answers():
    fitted = RejectOption(ConfDTreeClassifier(), keep=0.9).fit(TRAIN, Y_TRAIN)
    display = RocCurveDisplay.from_estimator(fitted, TEST, Y_TEST, pos_label="malignant")
    assert display.roc_auc == roc_auc_score(Y_TEST == "malignant", fitted.predict_proba(TEST)[:, 1]) > 0.8
    right, certainty = fitted.estimator_.predict(TEST) == Y_TEST, fitted.certainty(TEST)
    shown = CalibrationDisplay.from_predictions(right, certainty)
    assert shown.prob_true[-1] == pytest.approx(right[certainty > 0.8].mean())


def test_weights_that_are_all_zero_leave_nothing_to_draw():
    pyplot.close("all")
    nothing = np.zeros(len(Y_TEST))
    with pytest.raises(wc.OptionError, match=r"^RiskCoverageDisplay: .* a positive weight, so no curve to draw$"):
        RiskCoverageDisplay.from_predictions(Y_TEST, Y_TEST, np.full(len(Y_TEST), 0.5), sample_weight=nothing)
    assert not pyplot.get_fignums()


def test_tree_display():
    frame = pd.DataFrame({"width $x$": [0.1, 0.1, 1.5, 1.5] * 10, "colour": ["red", "blue"] * 20})
    labels = np.where(frame.iloc[:, 0] > 1, "wide", frame.colour)
    fitted = ConfDTreeClassifier().fit(frame, labels)
    display = TreeDisplay.from_estimator(make_pipeline(fitted))
    texts = [text.get_text() for text in display.ax_.texts]
    assert sorted(texts) == sorted(
        ["width $x$", "<= 0.1", "> 0.1", "colour", "= blue", "= red", "blue\n(10)", "red\n(10)", "wide\n(20)"]
    )
    shallow = TreeDisplay.from_estimator(fitted, max_depth=1)
    assert sorted(text.get_text() for text in shallow.ax_.texts) == sorted(
        ["width $x$", "<= 0.1", "> 0.1", "colour\n…", "wide\n(20)"]
    )
    notes = TreeDisplay.from_estimator(fitted, annotate=True)
    assert any("if assigned" in text.get_text() for text in notes.ax_.texts)
    for estimator, words in [
        (DecisionTreeClassifier(), "sklearn.tree.plot_tree"),
        (J48Classifier().fit(frame, labels), "leaf_frequency adds nothing"),
        (
            ConfDTreeClassifier(learner="RandomForest -I 3").fit(frame, labels),
            "TreeDisplay: .* a forest of 3 trees; ask",
        ),
    ]:
        with pytest.raises(wc.OptionError, match=words):
            TreeDisplay.from_estimator(estimator, annotate=True)
    with pytest.raises(NotFittedError, match="This J48Classifier instance is not fitted yet"):
        TreeDisplay.from_estimator(J48Classifier())


@pytest.mark.parametrize("n_leaves", [1, 12])
def test_texts_of_a_tree_do_not_overlap(n_leaves):
    values = np.arange(400) % n_leaves
    frame = pd.DataFrame({"a rather long name": values, "b": values**2 % 7})
    display = TreeDisplay.from_estimator(J48Classifier().fit(frame, [f"class number {value}" for value in values]))
    assert len(display.ax_.texts) == 4 * n_leaves - 3
    assert not overlapping(display)


def overlapping(display):
    """Pairs of texts whose boxes overlap, or that leave the picture."""
    display.figure_.canvas.draw()  # places the boxes
    renderer = display.figure_.canvas.get_renderer()
    texts = display.ax_.texts
    boxes = [text.get_bbox_patch().get_window_extent(renderer) for text in texts]
    outside = [text.get_text() for text, box in zip(texts, boxes, strict=True) if box.x0 < 0 or box.y0 < 0]
    boxes = [box.padded(-0.1) for box in boxes]
    pairs = [(i, j) for i, one in enumerate(boxes) for j, other in enumerate(boxes[:i]) if one.overlaps(other)]
    return outside + [(texts[i].get_text(), texts[j].get_text()) for i, j in pairs]


@pytest.fixture(scope="module")
def credit():
    frame = wc.load_arff(ROOT / "arff" / "credit-g.arff").to_pandas()
    return ConfDTreeClassifier().fit(frame.drop(columns="class"), frame["class"])


@pytest.mark.parametrize("depth", [0, 1, 3, 7, 99])
def test_boxes_of_a_large_tree_do_not_overlap(credit, depth):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        display = TreeDisplay.from_estimator(credit, annotate=True, max_depth=depth)
    shown = credit.tree_.depth <= depth
    assert len(display.ax_.texts) == 2 * shown.sum() - 1 and not overlapping(display)
    assert display.ax_.texts[0].get_fontsize() > 7.5
    n_cut = (shown & (credit.tree_.depth == depth) & (credit.tree_.n_branches > 0)).sum()
    assert sum(text.get_text().endswith("\n…") for text in display.ax_.texts) == n_cut


def test_a_tree_that_cannot_be_read_is_cut_with_a_note(credit):
    with pytest.warns(
        wc.Note, match="the tree is 12 levels deep and is drawn down to depth .*; max_depth sets another"
    ):
        display = TreeDisplay.from_estimator(credit, annotate=True)
    assert display.ax_.texts[0].get_fontsize() > 7.5 and not overlapping(display)
    assert max(display.figure_.get_size_inches()) <= 41
    _, axes = pyplot.subplots(figsize=(8, 6))
    with pytest.warns(wc.Note, match="drawn down to depth 3, "):
        small = TreeDisplay.from_estimator(credit, annotate=True, ax=axes)
    assert small.ax_ is axes and small.ax_.texts[0].get_fontsize() >= 5 and not overlapping(small)


def test_long_names_are_cut_in_their_middle():
    name, label = "length " * 300, "class " * 300
    frame = pd.DataFrame({name: np.arange(40), "colour": ["red " * 200, "blue"] * 20})
    display = TreeDisplay.from_estimator(J48Classifier().fit(frame, np.where(frame[name] > 20, "b", label)))
    texts = [line for text in display.ax_.texts for line in text.get_text().split("\n")]
    assert max(map(len, texts)) == 38 and "length length length length…gth length" in texts
    assert not overlapping(display)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (lambda: RejectOption(LogisticRegression(), target_error=5),
         r"^RejectOption: target_error must be a share in \[0, 1\], got 5; write 0.05 for 5 %$"),
        (lambda: RejectOption(LogisticRegression(), target_coverage="all"),
         "^RejectOption: target_coverage must be a number, got 'all'$"),
        (lambda: RejectOption(LogisticRegression(), keep=-1), "^RejectOption: keep must be a share"),
        (lambda: RejectOption(LinearRegression(), below=0.5),
         "^RejectOption: expected a classifier, got the regressor LinearRegression$"),
        (lambda: RejectOption(LinearSVC(), below=0.5), "^LinearSVC has no predict_proba"),
    ],
)  # fmt: skip
def test_complaints_name_the_argument(option, words):
    with pytest.raises(wc.OptionError, match=words):
        option().fit(TRAIN, Y_TRAIN)


def legend_of(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_a_threshold_that_rejects_everything_stands_in_the_legend():
    classifier = BoundaryDistanceClassifier(learner="J48").fit(TRAIN, Y_TRAIN)
    careful = RejectOption(LogisticRegression(max_iter=10_000), below=np.inf, reject_label="?").fit(TRAIN, Y_TRAIN)
    display = RiskCoverageDisplay.from_estimator(careful, TEST, Y_TEST)
    assert legend_of(display)[1:] == ["chosen threshold: rejects every answer"]
    assert "below 5 % not drawn" in display.ax_.get_xlabel()
    both = RiskCoverageDisplay.from_estimator(classifier, TEST, Y_TEST, ax=display.ax_)
    assert both.curve.coverage[0] < 0.05 or "fewer answers than any threshold can give" in legend_of(both)
    assert "below 5 % not drawn" in both.ax_.get_xlabel(), "the first curve still begins where it did"


def test_what_no_threshold_reaches_is_explained_once():
    tree = J48Classifier().fit(TRAIN, Y_TRAIN)
    display = RiskCoverageDisplay.from_estimator(tree, TEST, Y_TEST, name="first")
    assert display.curve.coverage[0] > 0.05 and "not drawn" not in display.ax_.get_xlabel()
    again = RiskCoverageDisplay.from_estimator(tree, TEST, Y_TEST, name="second", ax=display.ax_)
    assert [text.partition(" (")[0] for text in legend_of(again)] == [
        "first", "fewer answers than any threshold can give", "second"
    ]  # fmt: skip


# -- thresholds between classes that were moved --------------------------------------------------------------------


@pytest.fixture(scope="module")
def loans():
    """Two columns, and a default in one of four, for fitting and for asking."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 2))
    y = np.where(rng.random(2000) < 1 / (1 + np.exp(1.6 - 1.2 * X[:, 0])), "default", "paid")
    return X[:1000], y[:1000], X[1000:], y[1000:]


def moved(threshold, pos_label="default"):
    return FixedThresholdClassifier(LogisticRegression(), threshold=threshold, pos_label=pos_label)


@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: make_pipeline(StandardScaler(), one),
                                  lambda one: GridSearchCV(one, {"estimator__C": [1.0]}, cv=3)],
                         ids=["alone", "pipeline", "search"])  # fmt: skip
def test_certainty_is_the_probability_of_the_label_that_is_given(wrap, loans):
    X, y, new, actual = loans
    option = RejectOption(wrap(moved(0.2)), target_coverage=0.8).fit(X, y)
    proba, labels = option.predict_proba(new), option.estimator_.predict(new)
    place = (labels == "paid").astype(int)
    np.testing.assert_array_equal(option.certainty(new), proba[np.arange(1000), place])
    referred = option.reject(new)
    assert 100 < referred.sum() < 300
    is_wrong = labels != actual
    assert is_wrong[referred].mean() > is_wrong[~referred].mean() + 0.2
    suspects = labels == "default"
    assert proba[suspects & ~referred, 0].min() > proba[suspects & referred, 0].max()


@pytest.mark.one_commit_in(3)
def test_a_threshold_that_was_tuned(loans):
    X, y, new, _ = loans
    tuned = TunedThresholdClassifierCV(LogisticRegression(), scoring=make_scorer(f1_score, pos_label="default"))
    option = RejectOption(tuned, target_coverage=0.7, cv=3).fit(X, y)
    p, threshold = option.predict_proba(new)[:, 0], option.estimator_.best_threshold_
    is_default = option.estimator_.predict(new) == "default"
    np.testing.assert_array_equal(is_default, p >= threshold)
    np.testing.assert_allclose(option.certainty(new), np.where(is_default, p, 1 - p), atol=1e-12)


class Shouting(LogisticRegression):
    """Answers with labels that are none of its classes."""

    def predict(self, X):
        return np.char.upper(super().predict(X).astype(str))


def test_labels_without_a_probability_are_refused(loans):
    X, y, *_ = loans
    with pytest.raises(wc.OptionError, match=r"Shouting answers '(DEFAULT|PAID)', which is none of its classes_"):
        RejectOption(Shouting(), keep=0.9).fit(X, y)


def test_a_threshold_on_another_score_leaves_the_probability(loans):
    X, y, *_ = loans
    scored = FixedThresholdClassifier(
        LogisticRegression(), threshold=-1.0, response_method="decision_function", pos_label="default"
    )
    assert RejectOption(scored, keep=0.9).fit(X, y).certainty(X).min() < 0.5
