"""Thresholds and promises for any classifier, from a table of actual class, predicted class and certainty."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.base.errors import OptionError
from wekaconf.base.files import read_stream
from wekaconf.base.naming import counted, name_list, nearest, quoted
from wekaconf.base.words import Argument, Setting
from wekaconf.data import Dataset, check_columns, family_of, is_number, is_table, open_table, read_table, value_text
from wekaconf.data.arff import load_arff
from wekaconf.data.arrays import FloatArray
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.aims import Aim, check_aim
from wekaconf.evaluation.thresholds import (
    AnsweredRows,
    Choice,
    check_classes,
    choose,
    choose_promised,
    tell_not_reached,
)
from wekaconf.methods.contract import CertaintyRange, is_rejected
from wekaconf.model._check import MISSING, UNKNOWN, Check, promised_by

__all__ = ["MISSING", "UNKNOWN", "Check", "Scores", "read_scores"]

OWN_COLUMNS = ("actual", "predicted", "certainty")
"""The columns of files that `predict` writes."""
WEKA_COLUMNS = ("actual", "predicted", "prediction")
"""The columns of Weka's predictions as CSV."""
WEKA_INDEX = "inst#"
"""The first column there."""
WEKA_MISSING = "?"
"""What Weka writes for a class that is not known, behind a number."""
DISTRIBUTION = "distribution_"
"""What begins the names of columns of class probabilities, in the order of the classes."""


class Scores:
    """What a classifier answered for rows whose class is known, whatever classifier it was.

    ``wekaconf check FILE --scores`` does the same with a table. The rows must have no part in the classifier::

        scores = wc.Scores(y_calibration, classifier.predict(X_calibration), proba.max(axis=1))
        choice = scores.choose(wc.Aim("error", 0.05, confidence=0.95))
        is_answered = later_proba.max(axis=1) >= choice.threshold
        print(wc.Scores(y_later, classifier.predict(X_later), later_proba.max(axis=1)).check(choice))

    Parameters
    ----------
    actual, predicted : (n_rows,) sequence of labels
        The classes. Labels are compared as texts, numbers by their value.
    certainty : (n_rows,) sequence of float
        The larger, the surer; such as the probability of the predicted class. ±∞ are allowed.
    class_names : sequence of str, optional
        All classes, in the order of a cost matrix; an actual class that is not among them counts as answered wrongly.
        Left out: those that occur, in alphabetical order.

    Attributes
    ----------
    class_names : tuple of str
    n_left_out : int
        Number of rows that lack the actual class, an answer or its certainty, and do not count.

    Raises
    ------
    OptionError
        The columns differ in length, a certainty is no number, a predicted class is not among the classes, or no
        predicted class is an actual one.
    """

    def __init__(
        self,
        actual: Iterable[Any],
        predicted: Iterable[Any],
        certainty: ArrayLike,
        *,
        class_names: Sequence[str] | None = None,
    ) -> None:
        truth, answers = _labels(actual), _labels(predicted)
        numbers = _numbers(certainty)
        if not len(truth) == len(answers) == len(numbers):
            raise OptionError(
                f"expected a predicted class and a certainty for each of the {len(truth)} actual classes, got "
                f"{len(answers)} and {len(numbers)}",
                value_of="predicted",
            )
        has_all = np.array([None not in pair for pair in zip(truth, answers, strict=True)], dtype=np.bool_)
        self._is_kept = has_all & ~np.isnan(numbers)
        self.n_left_out = int((~self._is_kept).sum())
        known, given = ([str(label) for label in compress(labels, self._is_kept)] for labels in (truth, answers))
        if class_names is None:
            known, given = _alike(known, given)
            class_names = sorted({*known, *given})
        elif strange := sorted({*given}.difference(class_names)):
            raise OptionError(
                f"a predicted class is {quoted(strange[0])}, and the classes are {name_list(class_names, strange[0])}",
                value_of="predicted",
            )
        self.class_names = tuple(class_names)
        numbered = {name: c for c, name in enumerate(self.class_names)}
        truth_codes, codes = (
            np.array([numbered.get(name, -1) for name in names], np.int64) for names in (known, given)
        )
        certain = numbers[self._is_kept]
        self._rows = AnsweredRows(certain, truth_codes == codes, np.ones(len(certain)), codes, truth_codes)

    def __len__(self) -> int:
        """Number of rows that count."""
        return len(self._rows.certainty)

    def __repr__(self) -> str:
        """The number of rows, and the classes."""
        return f"Scores({counted(len(self), 'row')}; {name_list(self.class_names)})"

    def choose(self, aim: Aim, *, seed: int = 1) -> Choice:
        """The threshold for an aim, chosen on these rows as `fit` chooses on those that it holds out.

        Parameters
        ----------
        aim : Aim
            With a confidence it is promised for rows drawn as these; a fifth of them only tell which thresholds are
            tried. Without one it is reached on these rows.
        seed : int
            Draws this fifth.

        Returns
        -------
        Choice
            An answer is given where its certainty is at least ``threshold``; where targets are of classes,
            ``promises`` has one threshold per class. Cost: time O(n log n), memory O(n).

        Raises
        ------
        OptionError
            There is no row or only one class, the aim names a class that is not there, or Chow's rule is to be applied
            to certainties that are no probabilities.
        """
        self._check_any()
        rows = self._rows
        present = np.unique(np.concatenate((rows.actual, rows.predicted)))
        if len(present) < 2:
            raise OptionError(
                f"every row has the class {quoted(self.class_names[present[0]])}, and every answer is right, so "
                "there is nothing to choose by; give rows of all classes",
                value_of="actual",
            )
        self._check_aim(aim)
        if aim.confidence is None:
            choice = choose(aim, rows.certainty, rows.correct)
        else:
            choice = choose_promised(aim, rows, None, self.class_names, seed=seed)
        tell_not_reached(choice)
        return choice

    def check(
        self,
        promise: Choice | Aim | None = None,
        *,
        below: float | Mapping[str, float] | None = None,
        by: Sequence[Any] | None = None,
    ) -> Check:
        """Whether a promise holds on these rows, as `Model.check` tells it of a model's.

        Parameters
        ----------
        promise : Choice or Aim, optional
            What `choose` gave for other rows, or a model's ``choice``; or the aim that is promised. Left out: nothing
            is promised, and the answers are counted.
        below : float, or mapping of str to float, optional
            The threshold below which answers are rejected, or one for each of some predicted classes. Left out: that
            of the choice, or none.
        by : (n_rows,) sequence, optional
            The group of each row; each is then tested by itself, with Holm's correction.

        Returns
        -------
        Check

        Raises
        ------
        OptionError
            There is no row, the aim has no confidence or names a class that is not there, or there are not as many
            groups as rows.
        """
        self._check_any()
        if by is not None and len(by) != len(self._is_kept):
            raise OptionError(parameter="by", expected=f"one text per row, {len(self._is_kept)}", got=f"{len(by)}")
        promised, unshown, thresholds = self._promised(promise, below)
        at_rows = np.array([thresholds.get(name, thresholds.get("", -np.inf)) for name in self.class_names])
        return Check.of(
            promised,
            self._rows,
            is_rejected(self._rows.certainty, at_rows[self._rows.predicted]),
            self.class_names,
            unshown=unshown,
            by=None if by is None else tuple(group or MISSING for group in compress(_labels(by), self._is_kept)),
            n_without_class=self.n_left_out,
        )

    def _promised(
        self, promise: Choice | Aim | None, below: float | Mapping[str, float] | None
    ) -> tuple[Aim | None, tuple[str, ...], Mapping[str, float]]:
        """What is promised, the classes of which it could not be shown, and thresholds by class; "" stands for all."""
        thresholds = _by_class(below)
        _check_names(thresholds, self.class_names)
        if isinstance(promise, Choice):
            promised, unshown = promised_by(promise)
            if promised is not None and promised.reject_costs is not None:
                check_classes(promised, self.class_names)
            by_class = {each.class_name: each.threshold for each in promise.promises}
            own = by_class or {"": promise.threshold}
            return promised, unshown, own if below is None else thresholds
        if promise is None:
            return None, (), thresholds
        self._check_aim(promise)
        if promise.fixed_threshold is not None and below is None:
            return None, (), {"": promise.fixed_threshold}
        if promise.confidence is None:
            raise OptionError(
                "a threshold is given, so these rows can only check a promise, and a promise has a confidence, such as "
                "0.95; give ",
                Argument("confidence"),
                ", or leave the threshold out to choose one",
                value_of="confidence",
            )
        if below is None:
            raise OptionError(
                "expected the threshold beside the aim that is promised, or what 'choose' gave", value_of="below"
            )
        return promise, (), thresholds

    def _check_any(self) -> None:
        if not len(self):
            raise OptionError(
                f"no row has an actual class, an answer and a certainty ({self.n_left_out} lack one), so nothing can "
                "be shown",
                value_of="actual",
            )

    def _check_aim(self, aim: Aim) -> None:
        if not isinstance(aim, Aim):
            raise OptionError(
                parameter="aim", expected="an Aim, such as Aim('error', 0.05, confidence=0.95)", got=repr(aim)
            )
        low, high = float(self._rows.certainty.min()), float(self._rows.certainty.max())
        if aim.decides and aim.kind == "cost":
            raise OptionError(
                Argument("cost"),
                ": a matrix of costs decides answers by their probabilities, and these rows hold answers; give the "
                "costs of an error and of a rejection, such as 10:1",
            )
        if aim.kind == "chow":
            check_aim(aim, "these rows", CertaintyRange(low, high, is_probability=low >= 0 and high <= 1))
        if aim.confidence is not None:
            check_classes(aim, self.class_names)


def _labels(values: Iterable[Any]) -> list[str | None]:
    """Labels as texts, None where one is missing."""
    values = list(values)
    missing = {kind for kind in {*map(type, values)} if family_of(kind) == "missing"}
    return [
        None
        if type(value) in missing or (isinstance(value, float | np.floating) and math.isnan(value))
        else value_text(value)
        for value in values
    ]


def _numbers(values: ArrayLike) -> FloatArray:
    """(n,) float64: certainties, NaN where one is missing."""
    try:
        array = np.array([np.nan if each is None else each for each in np.asarray(values, dtype=object)], np.float64)
    except (TypeError, ValueError):
        array = np.zeros((0, 0))
    if array.ndim != 1:
        raise OptionError(parameter="certainty", expected="one number per row", got=f"a {type(values).__name__}")
    return array


def _alike(actual: list[str], predicted: list[str]) -> tuple[list[str], list[str]]:
    """Both labels in one form: 1.0 and 1 are the same if all are numbers; OptionError if they have none in common."""
    labels = {*actual}, {*predicted}
    if not all(labels) or labels[0] & labels[1]:
        return actual, predicted
    if all(map(is_number, labels[0] | labels[1])):
        actual, predicted = ([value_text(float(name)) for name in names] for names in (actual, predicted))
    if not {*actual} & {*predicted}:
        raise OptionError(
            f"no predicted class is an actual one: the actual classes are {name_list(sorted(labels[0]))}, the "
            f"predicted ones {name_list(sorted(labels[1]))}; write both alike",
            value_of="predicted",
        )
    return actual, predicted


def _by_class(below: float | Mapping[str, float] | None) -> Mapping[str, float]:
    """Thresholds by class; "" stands for all."""
    return below if isinstance(below, Mapping) else {"": -np.inf if below is None else below}


def _check_names(named: Iterable[str], class_names: Sequence[str]) -> None:
    for name in named:
        if name and name not in class_names:
            raise OptionError(
                Argument("below"), f": no class {quoted(name)}{nearest(name, class_names)}; there are ",
                name_list(class_names, name), value_of="below",
            )  # fmt: skip


# ---- tables ----


class ScoresTable(NamedTuple):
    """Scores in a table, and the groups of its rows, if they are asked for; a row without one is of "(missing)"."""

    scores: Scores
    by: list[str] | None

    def check(self, promise: Choice | Aim | None, below: float | Mapping[str, float] | None) -> Check:
        """See `Scores.check`."""
        return self.scores.check(promise, below=below, by=self.by)


def read_scores(
    path: str,
    columns: Sequence[str] | None = None,
    reading: Reading | None = None,
    *,
    by: str | None = None,
) -> ScoresTable:
    """Read the scores in a table of any kind that wekaconf reads.

    Parameters
    ----------
    path : str
    columns : sequence of str, optional
        The columns of the actual class, the predicted class and the certainty. Left out: those that `predict` writes,
        or Weka's, which names classes as in ``1:yes``.
    reading : Reading, optional
        How the file is written.
    by : str, optional
        A column to give as texts.

    Returns
    -------
    ScoresTable
        Its classes are in the order of the file's columns of class probabilities, or of Weka's numbers, if it has any.

    Raises
    ------
    OptionError
        A column is missing; see `Scores`.
    TableError
        The file cannot be read, or a certainty is no number.
    """
    reading, content = reading or Reading(), read_stream(path)
    read = _of_table(path, columns, reading, content, by) if is_table(path, content) else _of_arff(path, columns, by)
    actual, predicted, groups = read.actual, read.predicted, None
    if read.by is not None:
        missing = {*reading.missing()}
        groups = [MISSING if text is None or text.strip() in missing else text for text in read.by]
    found = {text for text in (*actual, *predicted) if text is not None}
    declared: Sequence[str] = [each.removeprefix(DISTRIBUTION) for each in read.names if each.startswith(DISTRIBUTION)]
    if WEKA_INDEX in read.names and all(re.match(r"\d+:", text) for text in found):
        numbered = sorted((int(text.split(":", 1)[0]), text.split(":", 1)[1]) for text in found)
        declared = [name for _, name in numbered if name != WEKA_MISSING]
        actual, predicted = ([_without_number(text) for text in texts] for texts in (actual, predicted))
        found = {*declared}
    class_names = declared if found and found <= {*declared} else None
    scores = Scores(actual, predicted, read.certainty, class_names=class_names)
    return ScoresTable(scores, groups)


class _Read(NamedTuple):
    """The names of all columns of a file, and the cells of those that are asked for."""

    names: Sequence[str]
    actual: list[str | None]
    predicted: list[str | None]
    certainty: FloatArray
    by: list[str | None] | None

    @classmethod
    def of(cls, data: Dataset, names: Sequence[str], chosen: Sequence[str], by: list[str | None] | None) -> Self:
        place = [each.name for each in data.attributes].index(chosen[2])
        return cls(names, _texts(data, chosen[0]), _texts(data, chosen[1]), data.values[:, place], by)


def _of_table(
    path: str, columns: Sequence[str] | None, reading: Reading, content: bytes | None, by: str | None
) -> _Read:
    table = open_table(path, reading, content)
    actual, predicted, certainty = chosen = _columns(path, table.names, columns, by)
    others = tuple(name for name in table.names if name not in chosen)
    reading = replace(reading, nominal=(actual, predicted), numeric=(certainty,), ignore=others)
    data = read_table(path, reading, class_attribute=None, content=content).data
    return _Read.of(data, table.names, chosen, None if by is None else table.texts([by])[by])


def _of_arff(path: str, columns: Sequence[str] | None, by: str | None) -> _Read:
    data = load_arff(path, class_attribute=None)
    names = [attribute.name for attribute in data.attributes]
    chosen = _columns(path, names, columns, by)
    if data.attributes[names.index(chosen[2])].kind != "numeric":
        raise OptionError(f"{path}: the column {quoted(chosen[2])} holds no numbers", value_of="scores")
    return _Read.of(data, names, chosen, None if by is None else _texts(data, by))


def _columns(path: str, names: Sequence[str], columns: Sequence[str] | None, by: str | None) -> tuple[str, str, str]:
    """The columns of the actual class, the predicted class and the certainty; OptionError if one is missing."""
    if columns is None:
        columns = next((each for each in (OWN_COLUMNS, WEKA_COLUMNS) if {*each} <= {*names}), None)
        if columns is None and names[0].startswith("==="):
            raise OptionError(
                f"{path}: delete the lines above '{WEKA_INDEX},actual,…', or have Weka write the file: "
                '-classifications "weka.classifiers.evaluation.output.prediction.CSV -file FILE"',
                value_of="scores",
            )
        if columns is None and WEKA_INDEX in names:
            raise OptionError(
                f"{path}: no column 'prediction'; leave Weka's option -distribution out, and it writes one",
                value_of="scores",
            )
        if columns is None:
            raise OptionError(
                f"{path}: no columns {name_list(OWN_COLUMNS)}; name yours, as in ",
                Setting("scores", ("truth,answer,score",)),
                f"; the columns are {name_list(names)}",
                value_of="scores",
            )
    if len({*columns}) != 3 or len(columns) != 3:
        raise OptionError(
            parameter="scores",
            expected="three columns: that of the actual class, of the predicted class and of the certainty",
            got=name_list(columns) or "none",
        )
    check_columns(path, names, columns, parameter="scores")
    if by is not None:
        check_columns(path, names, [by], parameter="by")
    actual, predicted, certainty = columns
    return actual, predicted, certainty


def _texts(data: Dataset, name: str) -> list[str | None]:
    """The cells of a column as texts, None where one is missing."""
    column = next(place for place, each in enumerate(data.attributes) if each.name == name)
    attribute, cells = data.attributes[column], data.values[:, column]
    if attribute.is_nominal or attribute.kind == "string":
        return [None if np.isnan(cell) else attribute.values[int(cell)] for cell in cells.tolist()]
    return [None if np.isnan(cell) else value_text(cell) for cell in cells.tolist()]


def _without_number(text: str | None) -> str | None:
    """A class of Weka's without its number; a class that is not known is missing."""
    name = WEKA_MISSING if text is None else text.split(":", 1)[1]
    return None if name == WEKA_MISSING else name
