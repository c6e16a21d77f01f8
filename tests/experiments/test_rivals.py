"""Rivals of our methods: scikit-learn and others on the same splits, with mixed columns and rare classes."""

import sys

import numpy as np
import pytest
from imodels import HSTreeClassifierCV
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier
from support.small_data import small

import wekaconf as wc
from wekaconf.evaluation.protocol import splits
from wekaconf.experiments.advising._rivals import RIVALS, Rival, answers_of_rivals
from wekaconf.sklearn._classifiers import J48Classifier


@pytest.fixture(scope="module")
def split(iris):
    train, test = splits(iris, seed=1)[0]
    return iris.take(train), iris.take(test)


def mixed(n=60):
    """Numbers, a nominal attribute, missing values in both, a class that is rare, and one that never occurs."""
    random = np.random.default_rng(3)
    number = random.normal(size=n)
    target = ["u" if value > 0 else "v" for value in number]
    target[7] = "rare"
    return small(
        a=[None if i % 9 == 0 else value for i, value in enumerate(number)],
        b=(("p", "q", "r"), [None if i % 7 == 0 else "pq"[i % 2] for i in range(n)]),
        target=(("never", "u", "rare", "v"), target),
    )


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration_is_that_of_scikit_learn_over_our_estimator(split, method):
    """The trees see the same instances, whether as rows of a data set or as X."""
    train, test = split
    X, y = train.values[:, :-1], train.class_values
    folds = list(StratifiedKFold(5, shuffle=True, random_state=1).split(X, y))
    expected = CalibratedClassifierCV(J48Classifier(), method=method, cv=folds).fit(X, y)
    found = answers_of_rivals(train, test, f"J48, {method} calibration")
    np.testing.assert_allclose(found.proba, expected.predict_proba(test.values[:, :-1]), atol=1e-12)
    np.testing.assert_array_equal(found.certainty, found.proba.max(axis=1))


def test_forest_and_boosting_are_those_of_scikit_learn(split):
    train, test = split
    X, y = train.values[:, :-1], train.class_values
    for name, kind in (
        ("random forest", RandomForestClassifier),
        ("gradient boosting", HistGradientBoostingClassifier),
    ):
        expected = kind(random_state=1).fit(X, y).predict_proba(test.values[:, :-1])
        np.testing.assert_allclose(answers_of_rivals(train, test, name).proba, expected, atol=1e-12)
        expected = kind(random_state=2).fit(X, y).predict_proba(test.values[:, :-1])
        np.testing.assert_allclose(answers_of_rivals(train, test, name, seed=2).proba, expected, atol=1e-12)


@pytest.mark.parametrize("name", RIVALS)
def test_a_seed_of_a_rival_gives_the_same_answers_again(split, name):
    """Boosting of few rows draws nothing; all others answer otherwise with another seed."""
    one, again, other = (answers_of_rivals(*split, name, seed=seed) for seed in (1, 1, 5))
    np.testing.assert_array_equal(one.proba, again.proba)
    np.testing.assert_array_equal(one.certainty, again.certainty)
    is_same = np.array_equal(one.proba, other.proba) and np.array_equal(one.certainty, other.certainty)
    assert is_same == (name == "gradient boosting")


@pytest.mark.parametrize("n_classes", [2, 3])
def test_conformal_certainties_follow_from_p_values(split, n_classes):
    """Counted one by one: the nonconformity of a class is 1 − its probability, in a tree of three quarters."""
    from sklearn.model_selection import train_test_split

    train, test = (part.take(part.class_values >= 3 - n_classes) for part in split)
    rows = np.arange(len(train))
    proper, calibration = train_test_split(rows, test_size=0.25, stratify=train.class_values, random_state=1)
    tree = wc.grow(train.take(proper))
    known = train.take(calibration)
    scores = 1 - tree.predict_proba(known)[np.arange(len(known)), known.class_values]
    confidence = answers_of_rivals(train, test, "J48, conformal confidence")
    credibility = answers_of_rivals(train, test, "J48, conformal credibility")
    for i, proba in enumerate(tree.predict_proba(test)):
        p_values = sorted((1 + sum(score >= 1 - p for score in scores)) / (1 + len(scores)) for p in proba)
        assert credibility.certainty[i] == pytest.approx(p_values[-1], abs=1e-12)
        assert confidence.certainty[i] == pytest.approx(1 - p_values[-2], abs=1e-12)
        np.testing.assert_allclose(credibility.proba[i], proba, atol=1e-12)


@pytest.mark.parametrize("name", RIVALS)
def test_every_rival_answers_for_mixed_columns(name):
    """Without the rare class, which some packages refuse."""
    data = mixed()
    data = data.take(data.class_values != 2)
    found = answers_of_rivals(data.take(slice(40)), data.take(slice(40, None)), name)
    assert found.proba.shape == (19, 4)
    np.testing.assert_allclose(found.proba.sum(axis=1), 1, atol=1e-12)
    assert not found.proba[:, [0, 2]].any()
    assert np.isfinite(found.certainty).all() and (found.certainty >= 0).all() and (found.certainty <= 1 + 1e-12).all()
    right = found.proba.argmax(axis=1) == data.take(slice(40, None)).class_values
    assert right.mean() > 0.6


def test_a_package_that_is_not_there(split, monkeypatch):
    monkeypatch.setitem(sys.modules, "crepes", None)
    with pytest.raises(wc.OptionError, match=r"^this rival needs ") as told:
        answers_of_rivals(*split, "J48, conformal confidence")
    assert "wekaconf[study]" in str(told.value)


def test_what_a_package_refuses_is_told_with_the_rival(split, monkeypatch):
    def refuse(train, test, seed):
        raise ZeroDivisionError("no such leaf")

    monkeypatch.setitem(RIVALS, "odd", Rival(refuse, "a package of nobody"))
    with pytest.raises(wc.OptionError, match=r"^odd: ZeroDivisionError: no such leaf$") as told:
        answers_of_rivals(*split, "odd")
    assert told.value.value_of == "chosen"


@pytest.mark.parametrize("name", RIVALS)
@pytest.mark.parametrize(
    "sizes", [(1, 30), (2, 2), (1, 2, 2, 25), (2,) * 6, (1, 1, 1), (9,)],
    ids=lambda sizes: "-".join(map(str, sizes)),
)  # fmt: skip
def test_every_rival_answers_where_classes_are_rare(name, sizes):
    random = np.random.default_rng(2)
    classes = np.repeat(np.arange(len(sizes)), sizes)
    declared = tuple(f"c{i}" for i in range(len(sizes) + 1))
    data = small(
        a=(classes + random.normal(scale=0.3, size=len(classes))).tolist(),
        b=(("p", "q"), random.choice(["p", "q"], len(classes)).tolist()),
        target=(declared, [declared[i] for i in classes]),
    )
    found = answers_of_rivals(data, data, name)
    np.testing.assert_allclose(found.proba.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert np.isfinite(found.certainty).all() and not found.proba[:, -1].any()
    if np.count_nonzero(np.array(sizes) > 1) < 2:
        assert (found.proba.argmax(axis=1) == np.argmax(sizes)).all() and (found.certainty == 1).all()


@pytest.mark.parametrize("is_noisy", [False, True])
def test_hierarchical_shrinkage_is_that_of_imodels_where_no_class_is_rare(iris, split, is_noisy):
    """Noisy data take all the leaves that a tree may have."""
    train, test = split
    if is_noisy:
        random = np.random.default_rng(1)
        train, test = (data.with_class_values(random.integers(0, 3, len(data))) for data in split)
    order = np.random.default_rng(1).permutation(len(train))
    X, y = train.values[order, :-1], train.class_values[order]
    fitted = HSTreeClassifierCV(DecisionTreeClassifier(max_leaf_nodes=20, random_state=1)).fit(X, y)
    expected = fitted.predict_proba(test.values[:, :-1])
    found = answers_of_rivals(train, test, "hierarchical shrinkage").proba
    np.testing.assert_allclose(found, expected / expected.sum(axis=1, keepdims=True), rtol=0, atol=1e-12)


def test_boosting_of_many_rows_takes_a_class_with_one_instance():
    n = 10_001
    classes = ["rare", *("u" if i < n / 2 else "v" for i in range(1, n))]
    data = small(a=list(range(n)), target=(("u", "v", "rare"), classes))
    found = answers_of_rivals(data, data.take([10, n - 1]), "gradient boosting")
    assert found.proba.argmax(axis=1).tolist() == [0, 1]


@pytest.mark.parametrize("name", RIVALS)
@pytest.mark.parametrize("has_another", [True, False])
def test_a_column_without_a_known_value_says_nothing(name, has_another):
    """Not even where an instance to be answered has a value."""
    random = np.random.default_rng(1)
    classes = random.choice(["u", "v"], 90)
    another = {"a": (random.normal(size=90) + (classes == "u")).tolist()} if has_another else {}
    target = (("u", "v"), classes.tolist())
    nothing = [None] * 60 + random.normal(size=30).tolist()
    data = small(**another, unknown=nothing, target=target)
    without = small(**another, constant=[7.0] * 90, target=target)
    found, expected = (
        answers_of_rivals(each.take(slice(60)), each.take(slice(60, None)), name).proba for each in (data, without)
    )
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_rivals_do_not_see_the_classes_they_answer_for(split):
    train, test = split
    for name in RIVALS:
        hidden = answers_of_rivals(train, test.without_class_values(), name)
        shown = answers_of_rivals(train, test, name)
        np.testing.assert_array_equal(hidden.proba, shown.proba)
        np.testing.assert_array_equal(hidden.certainty, shown.certainty)
