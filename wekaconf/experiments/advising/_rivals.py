"""Rivals: methods of other packages that a user might pick instead of ours; `advise` and the study measure them.

Adapters, not methods: they need no tree, some need their own package, and none can be saved in a model file, so a
decision for one stands beside the best of our own. With row numbers as X a package cuts and shuffles what it likes
without touching nominal or missing values, and the tree is bit for bit that of J48.

Every rival is fitted on the training rows of a split and answers for its test rows. Rivals that wrap a tree wrap our
J48, which reads nominal and missing values itself: their X are row numbers, and the tree gets the rows. For the others
nominal attributes are one-hot (a missing value is all zeros) and missing numbers become the median of the training
rows; gradient boosting reads both kinds of values natively. Instance weights reach the trees of J48, not what is fitted
on top of them, and no other rival.

No rival refuses a class for being rare: each one whose package does so says what it does there.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from threadpoolctl import threadpool_limits

from wekaconf.base.errors import OptionError, needed
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.protocol import Prepared
from wekaconf.evaluation.thresholds import Weigh
from wekaconf.model.scheme import learner_of

SEED = 1
"""Of whatever a rival draws, unless another one is given."""
INNER_FOLDS = 5
SHRINKAGE_FOLDS = 3
"""As `imodels.HSTreeClassifierCV` has by default."""
SHRINKAGES = (0, 0.1, 1, 10, 50, 100, 500)
"""The strengths that `imodels.HSTreeClassifierCV` tries by default."""
MOST_CATEGORIES = 255
"""The largest number of values of a nominal attribute that gradient boosting takes; others it gets as numbers."""

MOST_WITHOUT_STOPPING = 10_000
"""The largest number of rows of which gradient boosting holds none out."""
THREADS_FROM = 500_000
"""The fewest cells of training data on which the libraries use several threads; on less these wait for each other."""


class RivalAnswers(NamedTuple):
    """The answers of a rival for the test rows of a split.

    Parameters
    ----------
    proba : (n_instances, n_classes) float64
        One column per declared class.
    certainty : (n_instances,) float64
    """

    proba: FloatArray
    certainty: FloatArray


class Rival(NamedTuple):
    """A rival.

    Parameters
    ----------
    answer : callable
        Takes training instances, test instances, a seed, and options as keywords, see `answers_of_rivals`.
    made_of : str
        Whose it is: the package, and what of it.
    is_ensemble : bool
        Whether several trees answer.
    has_own_certainty : bool
        Whether its certainty is not its largest probability.
    """

    answer: Callable[..., RivalAnswers]
    made_of: str
    is_ensemble: bool = False
    has_own_certainty: bool = False


class J48OnRows(ClassifierMixin, BaseEstimator):
    """J48 as a scikit-learn classifier whose X is the row numbers of a data set.

    Parameters
    ----------
    data : Dataset
    learner : str
        J48 with its options, see `learner_of`.
    """

    def __init__(self, data: Dataset | None = None, learner: str = "J48") -> None:
        self.data = data
        self.learner = learner

    def fit(self, X: NDArray[Any], y: NDArray[Any]) -> Self:
        """Grow a tree on these rows under the classes ``y``, indices; where there is one class, that is the answer."""
        assert self.data is not None
        self.classes_ = np.unique(y)
        rows = self.data.take(_rows(X))
        train = replace(rows.with_class_values(y), weights=rows.weights).with_known_classes(self.classes_)
        self.tree_ = learner_of(self.learner).grow_without_notes(train) if len(self.classes_) > 1 else None
        return self

    def predict_proba(self, X: NDArray[Any]) -> FloatArray:
        """(n_instances, n_classes) float64: the class distributions of the tree for these rows."""
        assert self.data is not None
        if self.tree_ is None:
            return np.ones((len(X), 1))
        proba: FloatArray = self.tree_.predict_proba(self.data.take(_rows(X)).with_known_classes(self.classes_))
        return np.asarray(proba / proba.sum(axis=1, keepdims=True))


def answers_of_rivals(
    train: Dataset, test: Dataset, chosen: str, *, seed: int = SEED, options: Mapping[str, Any] | None = None
) -> RivalAnswers:
    """The answers of a rival that is fitted on some instances, for others.

    Where fewer than two classes have two training instances, the largest class is the answer of every rival.

    Parameters
    ----------
    train, test : Dataset
        With one header. Training instances without a class are left out.
    chosen : str
        A key of `RIVALS`.
    seed : int
        In [0, 2**32 - 1].
    options : mapping, optional
        What differs from the rival's defaults: ``learner`` of one that wraps J48, ``max_leaf_nodes`` of hierarchical
        shrinkage, parameters of scikit-learn's classifier of the forest and of boosting.

    Raises
    ------
    OptionError
        The rival's package is not installed, or the rival refuses the data; the message ends with its own.
    """
    train = train.take(train.class_values >= 0)
    sizes = np.bincount(train.class_values, minlength=train.n_classes)
    if np.count_nonzero(sizes > 1) < 2:
        return _largest_probability_answers(np.tile(np.eye(train.n_classes)[sizes.argmax()], (len(test), 1)))
    n_threads = 1 if train.values.size < THREADS_FROM else None
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), threadpool_limits(n_threads):
            warnings.simplefilter("ignore")  # about classes rarer than the inner folds
            return RIVALS[chosen].answer(train, test, seed, **(options or {}))
    except OptionError:
        raise
    except Exception as error:  # whatever another package does with odd data
        raise OptionError(f"{chosen}: {type(error).__name__}: {error}", value_of="chosen") from error


def cross_validated_rival(
    chosen: str,
    prepared: Prepared,
    template: Answers,
    *,
    seed: int = SEED,
    options: Mapping[str, Any] | None = None,
    weigh: Weigh | None = None,
    on_split: Callable[[], object] = lambda: None,
) -> Answers:
    """The answers of a rival for the instances that a method has answered for, on the same splits.

    Parameters
    ----------
    chosen : str
        A key of `RIVALS`.
    prepared : Prepared
        The splits, as a protocol prepares them.
    template : Answers
        The answers of any method on these splits.
    seed : int
        In [0, 2**32 - 1]; the same on every split.
    options : mapping, optional
        See `answers_of_rivals`.
    weigh : callable, optional
        Gives training instances other weights, see `CrossValidation`.
    on_split : callable
        Called after each split.

    Returns
    -------
    Answers
        Without thresholds, events and notes.

    Raises
    ------
    OptionError
        See `answers_of_rivals`.
    """
    proba, certainty = np.zeros_like(template.proba), np.zeros_like(template.certainty)
    for run, splits in enumerate(prepared.runs):
        known = np.flatnonzero(template.known[run])
        is_foreign = (prepared.data.class_values >= 0) & ~np.isin(prepared.data.class_values, known)
        data = prepared.data if prepared.known is None else prepared.data.with_known_classes(known)
        for fold, (training, _) in enumerate(splits):
            rows = np.flatnonzero((template.run == run) & (template.fold == fold))
            if not len(rows):
                continue
            known_rows = np.asarray(training)[~is_foreign[training]]
            train, test = data.take(known_rows), data.take(template.instance[rows])
            if prepared.prepare is not None:
                train, test = prepared.prepare(train, test)
            weighed = train if weigh is None else weigh(train)
            answers = answers_of_rivals(weighed, test.without_class_values(), chosen, seed=seed, options=options)
            proba[np.ix_(rows, known)], certainty[rows] = answers
            on_split()
    return replace(
        template, proba=proba, ranking=proba, certainty=certainty, threshold=np.full_like(certainty, np.nan),
        choices=(), events={}, notes=(),
    )  # fmt: skip


def _calibrated(method: str) -> Callable[..., RivalAnswers]:
    def answer(train: Dataset, test: Dataset, seed: int, **options: Any) -> RivalAnswers:
        from sklearn.calibration import CalibratedClassifierCV

        rows, classes, both = _as_rows(train, test)
        folds = list(_inner_folds(rows, classes, seed))
        fitted = CalibratedClassifierCV(J48OnRows(both, **options), method=method, cv=folds).fit(rows, classes)
        return _largest_probability_answers(_class_columns(fitted, _rows_of_test(train, test), train.n_classes))

    return answer


def _venn_abers(train: Dataset, test: Dataset, seed: int, **options: Any) -> RivalAnswers:
    """Classes with one instance get no probability; there are as few folds as the second rarest of the others needs."""
    with needed("this rival", "study"):
        from venn_abers import VennAbersCalibrator

    rows, classes, both = _as_rows(train, test)
    sizes = np.bincount(classes, minlength=train.n_classes)
    present = np.flatnonzero(sizes > 1)
    proba = np.zeros((len(test), train.n_classes))
    n_folds = min(INNER_FOLDS, int(np.sort(sizes[present])[1]))
    is_chosen = np.isin(classes, present)
    calibrator = VennAbersCalibrator(J48OnRows(both, **options), inductive=False, n_splits=n_folds, random_state=seed)
    calibrator.fit(rows[is_chosen], np.searchsorted(present, classes[is_chosen]))
    proba[:, present] = calibrator.predict_proba(_rows_of_test(train, test))
    return _largest_probability_answers(proba)


def _conformal(kind: str) -> Callable[..., RivalAnswers]:
    """A quarter of the training rows calibrates a tree of the others; at least one instance of each class does.

    A class with one instance does not calibrate. The confidence is 1 less the second largest p-value of the classes,
    the credibility the largest.
    """

    def answer(train: Dataset, test: Dataset, seed: int, **options: Any) -> RivalAnswers:
        from sklearn.model_selection import train_test_split

        with needed("this rival", "study"):
            from crepes import WrapClassifier

        rows, classes, both = _as_rows(train, test)
        is_split = np.bincount(classes)[classes] > 1
        n_calibration = max(math.ceil(0.25 * is_split.sum()), len(np.unique(classes[is_split])))
        proper, calibration = train_test_split(
            np.flatnonzero(is_split), test_size=n_calibration, stratify=classes[is_split], random_state=seed
        )
        proper = np.append(proper, np.flatnonzero(~is_split))
        wrapped = WrapClassifier(J48OnRows(both, **options))
        wrapped.fit(rows[proper], classes[proper])
        wrapped.calibrate(rows[calibration], classes[calibration], seed=seed)
        tested = _rows_of_test(train, test)
        p_values = np.sort(wrapped.predict_p(tested, smoothing=False), axis=1)
        certainty = p_values[:, -1] if kind == "credibility" else 1 - (p_values[:, -2] if p_values.shape[1] > 1 else 0)
        return RivalAnswers(
            _class_columns(wrapped.learner, tested, train.n_classes), np.asarray(certainty, dtype=np.float64)
        )

    return answer


def _hierarchical_shrinkage(train: Dataset, test: Dataset, seed: int, max_leaf_nodes: int = 20) -> RivalAnswers:
    """As `imodels.HSTreeClassifierCV` chooses the strength, which refuses a class that one of its folds lacks.

    20 leaves are its own default.
    """
    from sklearn.metrics import log_loss
    from sklearn.model_selection import KFold
    from sklearn.tree import DecisionTreeClassifier

    with needed("this rival", "study"):
        from imodels import HSTreeClassifier

    X_train, X_test = _one_hot(train, test)
    order = np.random.default_rng(seed).permutation(len(train))  # its inner folds are consecutive rows
    X, y, n_classes = X_train[order], train.class_values[order], train.n_classes
    tree = DecisionTreeClassifier(max_leaf_nodes=max_leaf_nodes, random_state=seed)
    losses = np.zeros(len(SHRINKAGES))
    for inner_train, inner_test in KFold(SHRINKAGE_FOLDS).split(X):
        grown = deepcopy(tree).fit(X[inner_train], y[inner_train])
        for i, strength in enumerate(SHRINKAGES):
            shrunk = HSTreeClassifier(deepcopy(grown), strength)
            shrunk.classes_ = grown.classes_  # as its fit would
            proba = _class_columns(shrunk, X[inner_test], n_classes)
            losses[i] += log_loss(y[inner_test], proba, labels=np.arange(n_classes))
    fitted = HSTreeClassifier(tree, SHRINKAGES[losses.argmin()]).fit(X, y)
    return _largest_probability_answers(_class_columns(fitted, X_test, n_classes))


def _random_forest(train: Dataset, test: Dataset, seed: int, **options: Any) -> RivalAnswers:
    from sklearn.ensemble import RandomForestClassifier

    X_train, X_test = _one_hot(train, test)
    fitted = RandomForestClassifier(random_state=seed, **options).fit(X_train, train.class_values)
    return _largest_probability_answers(_class_columns(fitted, X_test, train.n_classes))


def _boosting(train: Dataset, test: Dataset, seed: int, **options: Any) -> RivalAnswers:
    """Of many rows it holds a part out and stops early, by default; classes with one instance are then left out.

    It refuses a column of numbers of which none is known; it gets a constant there, which no tree can cut.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    columns = _attributes(train)
    is_nominal = [
        train.attributes[i].is_nominal and len(train.attributes[i].values) <= MOST_CATEGORIES for i in columns
    ]
    if len(train) > MOST_WITHOUT_STOPPING:
        train = train.take(np.bincount(train.class_values)[train.class_values] > 1)
    fitted = HistGradientBoostingClassifier(random_state=seed, categorical_features=is_nominal, **options)
    X = train.values[:, columns]
    fitted.fit(np.where(np.isnan(X).all(axis=0), 0.0, X), train.class_values)
    return _largest_probability_answers(_class_columns(fitted, test.values[:, columns], train.n_classes))


RIVALS = {
    "J48, sigmoid calibration": Rival(
        _calibrated("sigmoid"), "scikit-learn's CalibratedClassifierCV around J48", is_ensemble=True
    ),
    "J48, isotonic calibration": Rival(
        _calibrated("isotonic"), "scikit-learn's CalibratedClassifierCV around J48", is_ensemble=True
    ),
    "J48, Venn-Abers": Rival(_venn_abers, "VennAbersCalibrator of venn-abers around J48", is_ensemble=True),
    "J48, conformal confidence": Rival(
        _conformal("confidence"), "WrapClassifier of crepes around J48", has_own_certainty=True
    ),
    "J48, conformal credibility": Rival(
        _conformal("credibility"), "WrapClassifier of crepes around J48", has_own_certainty=True
    ),
    "hierarchical shrinkage": Rival(_hierarchical_shrinkage, "HSTreeClassifier of imodels"),
    "random forest": Rival(_random_forest, "scikit-learn's RandomForestClassifier", is_ensemble=True),
    "gradient boosting": Rival(_boosting, "scikit-learn's HistGradientBoostingClassifier", is_ensemble=True),
}
"""Every rival by its name in tables."""


def _as_rows(train: Dataset, test: Dataset) -> tuple[NDArray[Any], NDArray[np.int64], Dataset]:
    """Row numbers of the training instances, their classes, and the data set that the numbers belong to."""
    return np.arange(len(train))[:, None], train.class_values, train.join(test)


def _rows_of_test(train: Dataset, test: Dataset) -> NDArray[Any]:
    return np.arange(len(train), len(train) + len(test))[:, None]


def _rows(X: Any) -> NDArray[np.intp]:
    return np.asarray(X, dtype=np.intp).reshape(len(X))


def _inner_folds(rows: NDArray[Any], classes: NDArray[Any], seed: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    from sklearn.model_selection import StratifiedKFold

    n_folds = max(min(INNER_FOLDS, int(np.bincount(classes).max())), 2)
    yield from StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(rows, classes)


def _attributes(data: Dataset) -> list[int]:
    """The columns that are numbers or nominal, without the class."""
    kinds = ("numeric", "date", "nominal")
    return [i for i, each in enumerate(data.attributes) if i != data.class_index and each.kind in kinds]


def _one_hot(train: Dataset, test: Dataset) -> tuple[FloatArray, FloatArray]:
    """Training and test instances as numbers, in the same columns."""
    typical = train.typical_values()
    columns: list[tuple[FloatArray, FloatArray]] = []
    for i in _attributes(train):
        train_column, test_column = train.values[:, i], test.values[:, i]
        if train.attributes[i].is_nominal:
            values = np.arange(len(train.attributes[i].values))
            columns.append((train_column[:, None] == values, test_column[:, None] == values))
        else:
            filled = (np.where(np.isnan(part), typical[i], part)[:, None] for part in (train_column, test_column))
            columns.append(tuple(filled))  # type: ignore[arg-type]
    X_train, X_test = (np.hstack([pair[k] for pair in columns]).astype(np.float64) for k in (0, 1))
    return X_train, X_test


def _class_columns(fitted: Any, X: NDArray[Any], n_classes: int) -> FloatArray:
    """(n_instances, n_classes) float64: the probabilities of a classifier, one column per declared class."""
    proba = np.zeros((len(X), n_classes))
    proba[:, np.asarray(fitted.classes_, dtype=np.intp)] = fitted.predict_proba(X)
    return proba


def _largest_probability_answers(proba: FloatArray) -> RivalAnswers:
    """The answers whose certainty is the largest probability; rows are scaled to sum to 1."""
    total = proba.sum(axis=1, keepdims=True)
    proba = np.where(total > 0, proba / np.where(total > 0, total, 1), 1 / proba.shape[1])
    return RivalAnswers(proba, proba.max(axis=1))
