"""The protocol of an evaluation: training and test instances, known classes, and the aim of a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.words import Argument, Term
from wekaconf.bridge import check_seed
from wekaconf.data import CostMatrix, Dataset
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.cross_validation import LeaveOneOut, Prepare
from wekaconf.evaluation.preprocessing import check_preprocessing, fit_filters, fit_preprocessing
from wekaconf.evaluation.protocol._splits import (
    check_leave_out,
    check_split,
    draw_known,
    indices_of_known,
    split_text,
    splits,
)
from wekaconf.evaluation.thresholds import (
    CALIBRATE,
    Rejection,
    Split,
    ThresholdFrom,
    Weigh,
    check_calibrate,
    check_threshold_from,
    rejection_of,
)


class Prepared(NamedTuple):
    """A data set made ready by a protocol.

    Parameters
    ----------
    data : Dataset
        All instances, test instances included; preprocessed unless each split is preprocessed by itself.
    runs : list of sequences of (train, test)
    is_trained_on : (n_instances,) bool
        Whether an instance trains in any split.
    known_names : list of tuples of str, or None
        The names of the classes that are known in each run of an open set.
    known : list of (n_known,) integers, or None
        The indices of those classes, ascending.
    prepare : callable or None
        Preprocesses and filters each split.
    """

    data: Dataset
    runs: list[Sequence[Split]]
    is_trained_on: NDArray[np.bool_]
    known_names: list[tuple[str, ...]] | None
    known: list[NDArray[Any]] | None
    prepare: Prepare | None


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The protocol by which methods are measured.

    Parameters
    ----------
    folds : int or "loo"
        Weka's stratified cross-validation with this number of folds; "loo": leave-one-out.
    runs : int
        Number of repetitions, with the seeds ``seed``, ``seed + 1``, …
    seed : int
        Seed of Weka's folds and splits, and of the classes that ``leave_out`` draws.
    split : float, str or pair of int, optional
        Instead of folds: the share of instances to train on, or how many to train and to test on; see `splits`.
    stratified : bool
        Whether the share or the numbers hold for each class.
    test : Dataset, optional
        Instead of folds: train on all of the data, test on these instances.
    given : sequence of sequences of (train, test), optional
        Instead of folds: rows of your own choice, one sequence of splits per run.
    known : sequence of str, or one such sequence per run, optional
        An open set: the names of the classes that are known. The others are unknown: their instances are not trained
        on, count in no metric of the answers, and are to be rejected.
    leave_out : {"half", "one"}, optional
        An open set: half of the classes, or one, are unknown, drawn with the seed of each run; see `draw_known`.
    preprocess : str, optional
        A name that `fit_preprocessing` knows. It is fitted on all of the data, test instances included.
    per_fold : bool
        Whether the preprocessing is fitted on each split's training instances instead, and applied to its test
        instances.
    filters : sequence of str
        Weka's filters with their options, see `fit_filters`: fitted on each split's training instances, after the
        preprocessing, and applied to its test instances, as Weka's FilteredClassifier does.
    cost_matrix : CostMatrix, optional
        What every mistake costs: the training instances of each split are weighted by it, see `CostMatrix.weigh`, after
        the filters and before a tree grows, as Weka's CostSensitiveClassifier does. Methods are fitted with these
        weights, too; test instances and thresholds keep those of the data.
    aim : Aim, optional
        What a threshold on the certainty is to reach; a threshold is chosen for every split. Left out: a method with a
        rule of its own rejects by that rule, and other methods reject nothing.
    threshold_from : {"out-of-fold", "training"}
        Whether the threshold is chosen on answers of a 10-fold cross-validation inside the training set, or, as
        papers do, on answers for the instances that the tree was grown on. Of a promise they tell where to begin.
    calibrate : float
        Where the aim has a confidence: the share of each split's training instances, drawn at random, on which the
        promise is calibrated. Tree, method and filters do not see them.

    Raises
    ------
    OptionError
        A value is out of range, or two exclude each other.
    """

    folds: int | Literal["loo"] = 10
    runs: int = 1
    seed: int = 1
    split: float | str | tuple[int, int] | None = None
    stratified: bool = False
    test: Dataset | None = None
    given: Sequence[Sequence[Split]] | None = None
    known: Sequence[str] | Sequence[Sequence[str]] | None = None
    leave_out: Literal["half", "one"] | None = None
    # Fitted on the whole set because Wang and Zhang do it: bins and modes then see the test instances. ``per_fold`` is
    # the sound way, and a whole-set preprocessing of an open set, which would have seen foreign instances, is refused.
    # ``filters`` follow no paper, so they are fitted per fold, and a random one keeps the seed that the user wrote.
    preprocess: str | None = None
    per_fold: bool = False
    filters: Sequence[str] = ()
    # Costs weigh what is learned from, never what is counted: methods get the weights of their tree, or shrinkage would
    # mix two distributions; thresholds keep those of the data, so that "at most 2 % errors" counts answers. Therefore
    # the weighing is a step of its own, done anew in each inner fold. Leaving one out takes no short way, as each
    # training set has other weights; in an open set a row of the matrix would belong to no known class.
    cost_matrix: CostMatrix | None = None
    aim: Aim | None = None
    threshold_from: ThresholdFrom = "out-of-fold"
    calibrate: float = CALIBRATE

    def __post_init__(self) -> None:
        """Check each value, and refuse combinations that contradict one another."""
        self._check_splits()
        self._check_known()
        self._check_preprocessing()
        if not isinstance(self.aim, Aim | None):
            raise OptionError(parameter="aim", expected="an Aim, such as Aim('keep', 0.9)", got=repr(self.aim))
        if not isinstance(self.cost_matrix, CostMatrix | None):
            expected = "a CostMatrix, such as load_cost_matrix(path)"
            raise OptionError(parameter="cost_matrix", expected=expected, got=repr(self.cost_matrix))
        if self.is_open and self.cost_matrix is not None:
            raise OptionError(
                "an open set trains on some of the classes only, but there is a row for each; leave it out",
                parameter="cost_matrix",
            )
        check_threshold_from(self.threshold_from)
        check_calibrate(self.calibrate)
        is_promise = self.rejection is not None and self.rejection.calibrate > 0
        if is_promise and self.preprocess is not None and not self.per_fold:
            raise OptionError(
                "calibration rows must take no part in the preprocessing: fit it per fold", value_of="per_fold"
            )

    def _check_splits(self) -> None:
        if self.folds != "loo" and not (_is_whole(self.folds) and self.folds >= 2):
            raise OptionError(parameter="folds", expected="a whole number of at least 2, or loo", got=f"'{self.folds}'")
        if not _is_whole(self.runs) or self.runs < 1:
            raise OptionError(parameter="runs", expected="a whole number of at least 1", got=f"'{self.runs}'")
        if not _is_whole(self.seed):
            raise OptionError(parameter="seed", expected="a whole number", got=f"'{self.seed}'")
        check_seed(self.seed, self.runs)
        for name in ("stratified", "per_fold"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise OptionError(parameter=name, expected="true or false", got=repr(getattr(self, name)))
        alternatives = [name for name in ("split", "test", "given") if getattr(self, name) is not None]
        if len(alternatives) > 1:
            raise _conflict(*alternatives[:2], ": give one of them, or neither for folds")
        if alternatives and self.folds != 10:
            raise _conflict(alternatives[0], "folds", ": leave one of them out")
        if self.runs > 1 and (self.test is not None or self.given is not None):
            raise _conflict(alternatives[0], "runs", ", which repeat folds or a split with other seeds")
        if self.split is not None:
            check_split(self.split)
        if self.stratified and self.split is None:
            raise OptionError(
                Argument("stratified"), " belongs to ", Argument("split"), " (folds are stratified anyway)"
            )

    def _check_known(self) -> None:
        if self.known is not None and self.leave_out is not None:
            raise _conflict("known", "leave_out", ": name the known classes, or let them be drawn")
        if self.known is not None and not (
            _is_list_of_texts(self.known) or (_is_list(self.known) and all(map(_is_list_of_texts, self.known)))
        ):
            raise OptionError(parameter="known", expected="a list of class names, or one per run", got=repr(self.known))
        if self.leave_out is not None:
            check_leave_out(self.leave_out)
        if self.leave_out is not None and self.test is not None:
            raise _conflict("test", "leave_out", ": name the known classes with ", Argument("known"))

    def _check_preprocessing(self) -> None:
        if self.preprocess is not None:
            check_preprocessing(self.preprocess)
        if self.per_fold and self.preprocess is None:
            advice = "; name a preprocessing, or leave per_fold out"
            raise OptionError(Argument("per_fold"), " belongs to ", Argument("preprocess"), advice)
        if self.is_open and self.preprocess is not None and not self.per_fold:
            raise OptionError(
                "in an open set instances of unknown classes must not train: fit the preprocessing per fold",
                value_of="per_fold",
            )
        if not _is_list_of_texts(self.filters):
            raise OptionError(parameter="filters", expected="a list of filters, each a text", got=repr(self.filters))
        object.__setattr__(self, "filters", tuple(self.filters))

    @property
    def rejection(self) -> Rejection | None:
        """How thresholds are chosen; None if there is no aim."""
        return None if self.aim is None else rejection_of(self.aim, self.threshold_from, self.calibrate)

    @property
    def weigh(self) -> Weigh | None:
        """Gives training instances the weights of the cost matrix; None if there is none."""
        return None if self.cost_matrix is None else self.cost_matrix.weigh

    @property
    def is_open(self) -> bool:
        """Whether some classes are unknown."""
        return self.known is not None or self.leave_out is not None

    def prepare(self, data: Dataset) -> Prepared:
        """Splits, known classes and preprocessing for a data set.

        Raises
        ------
        OptionError
            There are too few instances or none to test on, there is no class of a name in ``known``, ``given`` does not
            hold splits, or ``cost_matrix`` has not one row per class.
        HeaderMismatchError
            The attributes of ``test`` are not those of the data.
        """
        if self.cost_matrix is not None:
            self.cost_matrix.check_classes(data.header)
        if self.test is not None:
            n_train = len(data)
            data = data.join(self.test)
            runs: list[Sequence[Split]] = [[(np.arange(n_train), np.arange(n_train, len(data)))]]
        elif self.given is not None:
            runs = list(self.given)
        else:
            runs = [
                splits(data, folds=self.folds, split=self.split, stratified=self.stratified, seed=self.seed + run)
                for run in range(self.runs)
            ]
        tested = data if self.test is None else self.test
        is_trained_on = _find_training_rows(data, runs, tested.relation)
        known_names = self._known_names(data, len(runs))
        if self.preprocess is not None and not self.per_fold:
            data = fit_preprocessing(data, self.preprocess).output
        split_preprocess = self.preprocess if self.per_fold else None
        prepare = partial(_prepare_split, split_preprocess, self.filters) if split_preprocess or self.filters else None
        known = None if known_names is None else indices_of_known(data, known_names, len(runs))
        return Prepared(data, runs, is_trained_on, known_names, known, prepare)

    def _known_names(self, data: Dataset, n_runs: int) -> list[tuple[str, ...]] | None:
        if self.leave_out is not None:
            return [draw_known(data, self.leave_out, self.seed + run) for run in range(n_runs)]
        if self.known is None:
            return None
        names = list(self.known)
        if all(isinstance(name, str) for name in names):
            return [tuple(map(str, names))] * n_runs
        return [tuple(run_names) for run_names in names]

    def facts(self, runs: Sequence[Sequence[Split]]) -> dict[str, Any]:
        """The description of the protocol in a record: protocol, folds, seed and runs."""
        if self.test is not None:
            return {"protocol": f"tested on {self.test.relation}", "folds": None, "seed": None, "runs": 1}
        if self.given is not None:
            return {"protocol": "given splits", "folds": None, "seed": None, "runs": len(runs)}
        n_folds = len(runs[0]) if self.split is None else None
        if self.split is not None:
            text = f"{'stratified ' if self.stratified else ''}split {split_text(self.split)}"
        else:
            text = "leave-one-out" if self.folds == "loo" else f"{n_folds}-fold cross-validation"
        return {"protocol": text, "folds": n_folds, "seed": self.seed, "runs": len(runs)}

    def __repr__(self) -> str:
        """The constructor's call, without the arguments that are at their defaults."""
        fields = Protocol.__dataclass_fields__
        changed = {name: getattr(self, name) for name in fields if getattr(self, name) is not fields[name].default}
        return f"Protocol({', '.join(f'{name}={value!r}' for name, value in changed.items())})"


def _conflict(one: str, other: str, *advice: str | Term) -> OptionError:
    """The error for two arguments that exclude each other."""
    return OptionError(Argument(one), " excludes ", Argument(other), *advice)


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def _is_list_of_texts(value: object) -> bool:
    return _is_list(value) and all(isinstance(text, str) for text in value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _find_training_rows(data: Dataset, runs: Sequence[Sequence[Split]], tested: str) -> NDArray[np.bool_]:
    """(n_instances,) bool: whether each trains in any split; OptionError if ``runs`` are no splits, or test nothing.

    ``tested`` is the name of the data that messages about the instances to test on give.
    """
    is_trained_on, is_tested_on = np.zeros((2, len(data)), dtype=np.bool_)
    try:
        for run in runs:
            if isinstance(run, LeaveOneOut):
                is_trained_on[:] = is_tested_on[:] = True
                continue
            for train, test in run:
                if np.ndim(train) != 1 or np.ndim(test) != 1:
                    raise TypeError("expected rows; a split that is taken for a run has single numbers here")
                is_trained_on[train] = is_tested_on[test] = True
    except (TypeError, ValueError, IndexError) as error:
        raise OptionError(
            "expected one sequence of (train, test) per run, such as [splits(data, seed=1)]", parameter="given"
        ) from error
    if not is_tested_on.any():
        raise OptionError(
            f"no instance of '{tested}' to test on; choose a larger test share or test file", value_of="split"
        )
    if (data.class_values[is_tested_on] < 0).all():
        tell(f"{tested}: no instance that is tested on has a class, so nothing can be measured")
    return is_trained_on


def _prepare_split(name: str | None, filters: Sequence[str], train: Dataset, test: Dataset) -> tuple[Dataset, Dataset]:
    if name is not None:
        preprocessing = fit_preprocessing(train, name)
        train, test = preprocessing.output, preprocessing.apply(test)
    if filters:
        filtered = fit_filters(train, filters)
        train, test = filtered.output, filtered.apply(test)
    return train, test
