"""A fitted method with all that is needed to use it on further data: filters before it, a threshold after it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from itertools import chain, compress
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import counted, name_list, nearest, quoted, shown
from wekaconf.base.stored import stored
from wekaconf.base.words import IgnoreColumn
from wekaconf.data import (
    DATE_FORMAT,
    Attribute,
    ColumnMap,
    Dataset,
    Header,
    Loaded,
    Outside,
    TrainingSummary,
    Unseen,
    check_chain,
    header_of,
    library,
    loaded_like,
)
from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.data.frames import column_names, read_arrow_stream
from wekaconf.data.table_files import Reading
from wekaconf.data.wording import decimal_mark
from wekaconf.evaluation.aims import SAVED, check_aim
from wekaconf.evaluation.checks import (
    Drift,
    FileCounts,
    Gathering,
    OutcomeCounts,
    Repeats,
    compare_with_training,
    row_digests,
)
from wekaconf.evaluation.measures import is_correct
from wekaconf.evaluation.promises import AnswerShares, ClassSets, ExpectedErrors
from wekaconf.evaluation.summaries import Majority
from wekaconf.evaluation.thresholds import AnsweredRows, Choice, class_thresholds_of
from wekaconf.methods.contract import Answer, CertaintyRange, Explanation, Method, Thresholds
from wekaconf.model import _answered_frame as answered_frame
from wekaconf.model._check import MISSING, Check, check_rows, groups_of_columns, groups_of_leaves, promised_by
from wekaconf.model._rules import rules_of
from wekaconf.tree import Forest, LeafRows

if TYPE_CHECKING:
    from wekaconf.bridge import FittedFilter

FILES, EXPORTS = "wekaconf.model.file", "wekaconf.model.export._formats"
"""Modules that import this one, so they are imported only when they are used."""
NOTHING_SEEN = Repeats(0, 0)
"""Of a model that does not know the rows that it was made from."""
AS_GROWN = (
    "these are probably the rows that the tree was grown on, since each leaf gets as many rows of each class as then"
)
IN_UTC = ("UTC", "GMT", "Etc/UTC")
"""Zones in which dates without one mean what they mean in a table."""


@dataclass(frozen=True, eq=False)
class SeenRows:
    """By what the rows are recognised that a model was grown on or calibrated with; no row can be read from it.

    Parameters
    ----------
    digests : (n_rows,) uint64
        `row_digests` of the distinct rows, ascending, with the header that the data have before the filters.
    usual : Repeats
        How many calibration rows repeat a growing row or one another, as new rows may by chance.
    """

    digests: Annotated[NDArray[np.uint64], stored(np.uint64, "n_seen", is_optional=True)] = field(
        default_factory=lambda: np.zeros(0, dtype=np.uint64)
    )
    usual: Repeats = NOTHING_SEEN

    def __post_init__(self) -> None:
        """Check the counts, which a file may hold."""
        k, n = self.usual
        if type(k) is not int or type(n) is not int or not 0 <= k <= n or (n > 0) != (len(self.digests) > 0):
            raise ValueError(
                f"seen: expected how many calibration rows repeat others where there are digests of rows, else none, "
                f"got {k!r} of {n!r} and {len(self.digests)} digests"
            )

    @classmethod
    def of(cls, growing: Dataset | None, calibration: Dataset) -> Self:
        """The rows of a model that makes a promise; None: which rows grew its tree is not known."""
        calibrated = row_digests(calibration)
        grew = calibrated[:0] if growing is None else row_digests(growing)
        return cls(np.union1d(grew, calibrated), Repeats.among(calibrated, grew))

    def count(self, data: Dataset) -> int:
        """Number of rows of the data that grew or calibrated the model, or repeat one that did."""
        return int(np.isin(row_digests(data), self.digests).sum())

    def describe(self, data: Dataset, what: str) -> tuple[int, str]:
        """That number, and a sentence about such rows, empty if there are none.

        Raises
        ------
        OptionError
            They are more than come by chance, so that they show nothing about a promise.
        """
        n, n_seen = len(data), self.count(data)
        others = f"of its {counted(self.usual.n, 'calibration row')} {self.usual.n_repeated} repeat another"
        if Repeats(n_seen, n).exceed(self.usual):
            raise OptionError(
                f"{what}: {counted(n_seen, 'row')} of {n} grew or calibrated the model, or repeat a row that did, "
                f"while {others}. They show nothing about its promise: leave them out, or check it on others",
                value_of="data",
            )
        repeats = "repeats" if n_seen == 1 else "repeat"
        told = f"{what}: {n_seen} of {counted(n, 'row')} {repeats} one that grew or calibrated the model; {others}"
        return n_seen, told if n_seen else ""


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted method, the filters that instances go through before it, and the threshold below which it rejects.

    Parameters
    ----------
    method : Method
        The fitted method.
    filters : tuple of FittedFilter or ColumnMap
        The filters in the order of their use.
    choice : Choice, optional
        The threshold, its aim, and what it reached; left out: the method's own rule, if it has one.
    made : str
        When the model was saved: date and time (UTC) in ISO 8601; empty if it was not saved yet.
    versions : mapping of str to str
        The versions of wekaconf, Weka and numpy with which it was saved.
    seen : SeenRows
        By what the rows are recognised that grew or calibrated the model.
    reading : Reading
        How the columns of the training table were read: which texts meant a missing value, which columns were left out.
    summary : TrainingSummary, optional
        What the training rows were like, with the header that the data have before the filters.
    answer_shares : AnswerShares, optional
        What the answers for the rows were like that calibrated a promise.
    class_sets : ClassSets, optional
        The scores of calibration rows, by which classes are excluded.
    majority : Majority, optional
        What the most frequent class would score as the answer for every row that calibrated, or else that grew it.

    Raises
    ------
    OptionError
        ``method`` is not a method, or the choice does not fit its certainties.
    NotFittedError
    """

    method: Method
    filters: tuple[FittedFilter | ColumnMap, ...] = ()
    choice: Choice | None = None
    made: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    reading: Reading = field(default_factory=Reading)
    seen: SeenRows = field(default_factory=SeenRows)
    summary: TrainingSummary | None = None
    answer_shares: AnswerShares | None = None
    class_sets: ClassSets | None = None
    majority: Majority | None = None

    def __post_init__(self) -> None:
        """Check that the model can answer."""
        if not isinstance(self.method, Method):
            raise OptionError(
                f"expected a fitted method, got {type(self.method).__name__}; {_advice(self.method)}", value_of="method"
            )
        self.method.check_fitted()
        if self.choice is not None:
            check_aim(self.choice.aim, self.method.name, self.method.certainty_range)
            class_names = self.method.tree_.header.class_names
            if self.choice.class_thresholds != class_thresholds_of(self.choice.promises, class_names):
                raise OptionError(
                    f"the choice has thresholds of other classes than {name_list(class_names)}; choose them for this "
                    "method",
                    value_of="choice",
                )
            self.choice.aim.check_costs(class_names)
        if self.summary is not None:
            self.header.check_same(self.summary.header, "the summary of the training data")

    @property
    def header(self) -> Header:
        """The header that the data must have before the filters."""
        return self.filters[0].input_header if self.filters else self.method.tree_.header

    @property
    def column_maps(self) -> tuple[ColumnMap, ...]:
        """The filters as arrays.

        Raises
        ------
        OptionError
            A filter cannot be held as arrays.
        HeaderMismatchError
            The output of a filter is not what the next filter, or the tree, reads.
        """
        maps = tuple(map(_column_map, self.filters))
        check_chain(maps, self.method.tree_.header)
        return maps

    @property
    def promises(self) -> bool:
        """Whether something is promised of the answers, such as their error, and can be kept."""
        return self.choice is not None and any(promise.is_reached for promise in self.choice.promises)

    @property
    def majority_line(self) -> str:
        """The sentence on the majority's answer; empty where classes are even and the model clearly better."""
        if self.majority is None:
            return ""
        choice = self.choice
        error = np.nan if choice is None or choice.class_thresholds else choice.figures.error_without_rejecting
        return str(self.majority) if self.majority.is_telling(error) else ""

    @property
    def threshold(self) -> float | None:
        """The certainty below which an answer is rejected, of several the smallest; None: no answer is rejected."""
        return self.method.threshold if self.choice is None else self.choice.threshold

    @property
    def thresholds(self) -> Thresholds | None:
        """The certainty below which an answer is rejected, or one for each predicted class; None: none is rejected."""
        return self.method.threshold if self.choice is None else self.choice.thresholds

    @property
    def thresholds_by_class(self) -> FloatArray | None:
        """(n_classes,) float64: that of each predicted class, −∞ where none is rejected; None: none is rejected."""
        return None if self.thresholds is None else np.broadcast_to(self.thresholds, self.header.n_classes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model into a file, usually ``*.wct``, which is replaced only when everything is written.

        A model that was loaded keeps its date.

        Raises
        ------
        OptionError
            A filter cannot be held as arrays.
        HeaderMismatchError
            The output of a filter is not what the next filter, or the tree, reads.
        OSError
            The file cannot be written.
        """
        import_module(FILES).save(path, self)

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        missing: Literal["as_model", "majority"] = "as_model",
        dialect: Literal["sqlite", "duckdb", "postgresql", "mysql"] | None = None,
        staging: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Write a file with which other programs answer as the model does.

        SQL is a query on a table ``instances`` that adds the columns wekaconf_predicted, wekaconf_certainty and
        wekaconf_rejected; Python is a module with ``answer(row)``, a row being a mapping from column names.

        The model must be of one tree, with filters as in model files, and of a method that answers by the leaf,
        leaf_frequency, m_branch, curtailment or shrinkage; or of second_opinion, whose sides must be the tree, such
        methods, naive_bayes or logistic.

        Parameters
        ----------
        path : path
            The ending says the format: ``.py``, ``.json``, ``.sql``, ``.onnx`` or ``.pmml``.
        missing : {"as_model", "majority"}
            For ``.onnx`` and ``.pmml``, which do not answer for a row with a missing value on its path unless this is
            "majority".
        dialect : str, optional
            For ``.sql``: the database that the query is for; "mysql" is MariaDB's, too. Left out: SQLite.
        staging : path, optional
            For ``.sql``: a CSV or TSV file such as those to answer. Two more files are written beside ``m.sql``:
            ``m.table.sql`` makes a table that takes such files as they are, and the view that the query reads;
            ``m.check.sql`` asks for the cells that the model cannot use.

        Returns
        -------
        ExportedModel
            What the file holds.

        Raises
        ------
        OptionError
            The ending is not that of a format, the format has no such option, or no format can hold the model; the
            message says why and what can be held.
        OSError
            The file cannot be written.
        """
        return import_module(EXPORTS).export(self, path, missing=missing, dialect=dialect, staging=staging)

    def reading_as(self, written: Reading) -> Model:
        """The same model for files that are written as ``written`` says, see `Reading.of_file`."""
        return replace(self, reading=self.reading.of_file(written))

    def conform(
        self, data: Dataset, *, unseen: Unseen = "missing", what: str = "the data", strict: bool = False
    ) -> Dataset:
        """The data as the method reads them: matched to the declarations of the training data, and filtered.

        Parameters
        ----------
        data, unseen, what, strict
            See `Dataset.conform`.

        Raises
        ------
        HeaderMismatchError
        """
        self._note_zones(header_of(data))
        for fitted in self.filters:
            data = fitted.apply(data.conform(fitted.input_header, unseen=unseen, what=what, strict=strict))
        return data.conform(self.method.tree_.header, unseen=unseen, what=what, strict=strict)

    def _note_zones(self, header: Header) -> None:
        """Tell if dates that decide were read in another time zone than those of the training data."""
        here = {attribute.name: attribute.zone for attribute in header.attributes}
        for attribute in self._deciding_dates:
            now = here.get(attribute.name, "")
            if not attribute.zone and attribute.date_format == DATE_FORMAT and now not in ("", *IN_UTC):
                tell(
                    f"the dates of {quoted(attribute.name)} have no time zone: those of the training data were read as "
                    f"UTC, as in every table, and these in {now}, as in ARFF, so the same text is another moment; set "
                    "TZ to UTC, or write dates with an offset"
                )
            elif attribute.zone and now and attribute.zone != now:
                tell(
                    f"the dates of {quoted(attribute.name)} have no time zone: those of the training data were read in "
                    f"{attribute.zone}, and these in {now}, so the same text is another moment; set TZ to the zone of "
                    "the training data, or write dates with an offset, in both files"
                )

    @cached_property
    def _deciding_dates(self) -> tuple[Attribute, ...]:
        """The dates that a tree splits on; before filters all dates, which may become what it splits on."""
        if not self.filters:
            return self._split_dates
        return tuple(each for each in self.header.attributes if each.kind == "date")

    @property
    def _split_dates(self) -> tuple[Attribute, ...]:
        """The dates that a tree splits on, behind the filters."""
        tree = self.method.tree_
        trees = tree.trees if isinstance(tree, Forest) else (tree,)
        columns = {*chain(*(each.split_attribute.tolist() for each in trees))}
        return tuple(
            each for column, each in enumerate(tree.header.attributes) if each.kind == "date" and column in columns
        )

    def note_dates(self) -> None:
        """Give a `Note` per date that a tree splits on."""
        for attribute in self._split_dates:
            tell(
                f"the tree splits on the date {quoted(attribute.name)}: rows of a later time lie beyond the dates that "
                "it learned from, so all of them take the same branch; ",
                IgnoreColumn(shown(attribute.name)),
            )

    def with_answer_shares(self, answer: Answer, calibration: Dataset, has_class: BoolArray | None = None) -> Self:
        """The same model with the `AnswerShares` of the method's answer for calibration rows; see `with_class_sets`.

        A model without a summary remains as it is.
        """
        if self.summary is None:
            return self
        known = calibration.class_values >= 0 if has_class is None else has_class
        is_wrong = ~is_correct(answer.proba, calibration.class_values, answer.predicted)
        shares = AnswerShares.of(
            answer.certainty[known], answer.predicted[known], is_wrong[known], len(self.header.class_names)
        )
        return replace(self, answer_shares=shares)

    def with_class_sets(
        self,
        calibration: Dataset,
        coverage: float,
        *,
        is_per_class: bool = False,
        has_class: BoolArray | None = None,
        answer: Answer | None = None,
    ) -> Self:
        """The same model with the `ClassSets` of rows that took no part in training and went through `conform`.

        Parameters
        ----------
        calibration : Dataset
        coverage : float
            In (0, 1): the share of rows whose set holds their class, on average over calibrations.
        is_per_class : bool
            Whether it is kept among the rows of each class; else among all rows.
        has_class : (n_calibration,) bool, optional
            Which rows have a class; where it is missing in ``calibration`` it is not declared. Left out: those whose
            class is not missing.
        answer : Answer, optional
            What the method answers for ``calibration``, where that is known.

        Raises
        ------
        OptionError
            ``coverage`` is out of range, no row has a class, or rows have different weights.
        """
        known = calibration.class_values >= 0 if has_class is None else has_class
        rows = calibration.take(known)
        if len(rows) and np.ptp(rows.weights) > 0:
            raise OptionError(
                "the calibration rows have different weights, and class sets count rows; give rows of one weight",
                value_of="calibration",
            )
        if answer is not None:
            proba = answer.proba[known]
        else:
            proba = self.method.answer(rows).proba if len(rows) else np.zeros((0, calibration.n_classes))
        return replace(self, class_sets=ClassSets.of(proba, rows.class_values, coverage, is_per_class=is_per_class))

    def predict_set(self, data: Any, coverage: float | None = None, *, is_per_class: bool | None = None) -> BoolArray:
        """(n_instances, n_classes) bool: which classes cannot be excluded.

        Parameters
        ----------
        data : Dataset
        coverage : float, optional
            In (0, 1); left out: the model's.
        is_per_class : bool, optional
            See `with_class_sets`; left out: as in the model.

        Raises
        ------
        OptionError
            The model has no `class_sets`, or ``coverage`` is out of range.
        """
        if self.class_sets is None:
            raise OptionError(
                "this model keeps no scores of calibration rows; fit it with class_sets=0.9", value_of="class_sets"
            )
        return self.class_sets.at(coverage, is_per_class=is_per_class).contains(self.answer(data).proba)

    def outside(self, data: Any) -> Outside:
        """What lies beyond the training data in each instance; a class, dates and texts never do.

        Parameters
        ----------
        data : Dataset, or pandas or polars DataFrame
            Values that training did not declare lie outside, in a `Dataset` read with ``header=``, too.

        Raises
        ------
        OptionError
            The model keeps no summary of its training data, or ``data`` is neither.
        HeaderMismatchError
        """
        return self._compared(data)[0]

    def compare(self, data: Any, *, answers: bool = True, outside: Outside | None = None) -> Drift:
        """In what the instances, all together, are not like the training data, and what becomes of the promise.

        Parameters
        ----------
        data
            See `outside`.
        answers : bool
            Whether to compare answers, too, if the model has `answer_shares`, and to count the right and wrong ones
            where classes are known and something is promised. It takes the time of `answer`.
        outside : Outside, optional
            What `outside` tells of the same instances, where that is known.

        Raises
        ------
        OptionError
            The model keeps no summary of its training data, or ``data`` is neither data set nor frame.
        HeaderMismatchError
        """
        rows, instances = self._compared(data, outside)
        return self._drift(rows, instances, (lambda: self.answer(instances)) if answers else None)

    def _drift(self, rows: Outside, instances: Dataset, answer: Callable[[], Answer] | None) -> Drift:
        """See `compare`; without ``answer`` no answers are compared."""
        is_known = instances.class_values >= 0
        shares = None if answer is None else self.answer_shares
        outcomes = OutcomeCounts(self.header.class_names)
        counts = FileCounts(rows.summary, shares, outcomes)
        counts.add(rows)
        if answer is not None and (shares is not None or (self.promises and is_known.any())):
            answered = answer()
            counts.add_answers(answered.certainty, answered.predicted)
            outcomes.add(answered.predicted, instances.class_values, answered.is_rejected)
        return self.drift_of(counts)

    def drift_of(self, counts: FileCounts) -> Drift:
        """What `compare` tells, of rows that were counted part by part."""
        promised = self.choice.aim if self.choice is not None and self.promises else None
        return compare_with_training(counts, self.header.class_names, promises=self.promises, promised=promised)

    def expected_errors(self, data: Any) -> ExpectedErrors:
        """How many of the answers that are given for instances will be wrong, by the rows that calibrated the model.

        ``print(model.expected_errors(new))`` shows the sentence that ``wekaconf predict`` prints.

        Parameters
        ----------
        data : Dataset, or pandas or polars DataFrame
            Their classes are not looked at.

        Returns
        -------
        ExpectedErrors
            See `AnswerShares.expected_errors`. Cost: that of `compare`.

        Raises
        ------
        OptionError
            No rows calibrated the model, or it keeps no summary; or the instances are not like the training data,
            see `compare`, so that nothing is known of their errors.
        HeaderMismatchError
        """
        if self.answer_shares is None:
            raise OptionError(
                "no rows calibrated this model, or it keeps no summary, so nothing tells how often it errs; fit it "
                "with class_sets, or with an aim that has a confidence",
                value_of="answer_shares",
            )
        rows, instances = self._compared(data)
        answer = self.answer(instances)
        if not self._drift(rows, instances, lambda: answer).is_like_training:
            raise OptionError(
                "the data are not like those of training, see compare, so the calibration rows do not tell how many "
                "answers will be wrong",
                value_of="data",
            )
        is_given = ~answer.is_rejected
        return self.answer_shares.expected_errors(
            self.answer_shares.count(answer.certainty[is_given], answer.predicted[is_given])
        )

    def _compared(self, data: Any, outside: Outside | None = None) -> tuple[Outside, Dataset]:
        """What lies outside, if that is not known, and the instances."""
        if self.summary is None:
            raise OptionError(
                "this model keeps no summary of its training data, so nothing can be compared with them",
                value_of="summary",
            )
        data = self._read(data, tells=False)  # the comparison names the values that training did not declare
        rows = loaded_like(data, self.header, "the data", marks_class=False).data
        return self.summary.outside(rows.values, rows.unseen) if outside is None else outside, rows

    def check(self, data: Any, by: str | Sequence[str] | None = None, *, what: str = "the data") -> Check:
        """Whether the promises hold on rows whose class is known by now, and that the model has not seen.

        ``wekaconf check`` prints what ``print(model.check(later))`` does.

        Parameters
        ----------
        data : Dataset, or pandas or polars DataFrame
            An answer for a class that training did not declare counts as wrong. Rows without a class are only counted.
        by : str or (n_rows,) sequence of str, optional
            The group of each row, or the name of a column of ``data``; each group is then tested by itself, with Holm's
            correction.
        what : str
            What messages call the data.

        Returns
        -------
        Check
            Counts with exact tests; the answers of a model that promises nothing are counted. Cost: that of `answer`.

        Raises
        ------
        OptionError
            No row has a class, rows have different weights, more rows than chance explains grew or calibrated the
            model, or there are not as many groups as rows.
        HeaderMismatchError
        """
        loaded = (
            data
            if isinstance(data, Loaded)
            else loaded_like(data, self.header, what, marks_class=True, reading=self.reading)
        )
        if isinstance(by, str):
            by = _texts_of(data, by)
        if by is not None and len(by) != len(loaded.data):
            raise OptionError(parameter="by", expected=f"one text per row, {len(loaded.data)}", got=f"{len(by)}")
        has_class = loaded.has_class
        rows = loaded.take(has_class)
        check_rows(rows, what)
        promised, unshown = promised_by(self.choice)
        n_seen, seen = self._seen_again(rows.data, what)
        instances = self.conform(loaded.data, what=what)
        answer = self.answer_conformed(instances)
        predicted, actual, rejected = answer.predicted[has_class], instances.class_values[has_class], answer.is_rejected
        answered = AnsweredRows(
            answer.certainty[has_class], is_correct(answer.proba[has_class], actual, predicted),
            instances.weights[has_class], predicted, actual,
        )  # fmt: skip
        check = Check.of(
            promised, answered, rejected[has_class], instances.class_names, unshown=unshown,
            by=None if by is None else tuple(str(text) for text in compress(by, has_class)),
            n_without_class=len(loaded.data) - len(rows.data),
            n_answered_without_class=int(np.count_nonzero(~rejected[~has_class])), n_seen=n_seen, seen=seen,
            costs=None if self.choice is None else self.choice.aim.counted_costs,
            drift=None if self.summary is None else self._drift_of_checked(loaded.data, answer),
        )  # fmt: skip
        return replace(check, gathering=self._gathering(check, rows.data, instances.take(np.flatnonzero(has_class))))

    def _drift_of_checked(self, data: Dataset, answer: Answer) -> Drift:
        """In what the rows that are checked are not like training; the check itself tells of the promise."""
        rows, instances = self._compared(data)
        return self._drift(rows, instances.without_class_values(), lambda: answer)

    def _gathering(self, check: Check, data: Dataset, instances: Dataset) -> Gathering:
        """Where the errors gather among rows, ``instances`` behind the filters."""
        groups = groups_of_columns(data) | groups_of_leaves(self.method.tree_, instances)
        return Gathering.of(groups, check.is_answered, check.is_wrong)

    def _seen_again(self, data: Dataset, what: str) -> tuple[int | None, str]:
        """How many rows repeat one that grew or calibrated the model, None if not known; and what is said of them."""
        if len(self.seen.digests):
            return self.seen.describe(data, what)
        return None, f"{what}: {AS_GROWN}; they show nothing about others" if self._is_grown_on(data) else ""

    def _is_grown_on(self, data: Dataset) -> bool:
        tree = self.method.tree_
        if isinstance(tree, Forest):
            return False
        rows = LeafRows(tree)
        rows.add(self.conform(data))
        return rows.are_as_grown

    def answer(self, data: Any) -> Answer:
        """Everything that the model says about instances after `conform`; see `Method.answer`.

        Parameters
        ----------
        data : Dataset, or pandas or polars DataFrame

        Returns
        -------
        Answer
            Beside distributions, certainties and reasons it has ``is_rejected``, by the model's thresholds, and
            ``outside``, see `outside`.
        """
        data = self._read(data)
        outside = None if self.summary is None else partial(self.outside, data)
        return self.answer_conformed(self.conform(data), outside)

    def answer_conformed(self, instances: Dataset, outside: Callable[[], Outside] | None = None) -> Answer:
        """The answer for instances that went through `conform`; it can tell what lies ``outside`` if that is given."""
        answer = self.method.answer(instances)
        if self.choice is not None:
            answer = self.choice.aim.decided(answer)
        return answer.of_model(self.thresholds, outside)

    @property
    def certainty_range(self) -> CertaintyRange:
        """The range of the certainties: the method's, unless a matrix of costs decides the answers."""
        is_decided = self.choice is not None and self.choice.aim.decides
        return SAVED if is_decided else self.method.certainty_range

    def _read(self, data: Any, *, tells: bool = True) -> Dataset:
        """The data set, or a frame as one, read as the training data were."""
        if isinstance(data, Dataset):
            return data
        return loaded_like(data, self.header, "the data", marks_class=False, tells=tells, reading=self.reading).data

    def predict_proba(self, data: Any) -> FloatArray:
        """(n_instances, n_classes) float64: class distributions."""
        return self.answer(data).proba

    def predict(self, data: Any) -> NDArray[np.int64]:
        """(n_instances,) int64: the class that is answered, see `Answer.predicted`."""
        return self.answer(data).predicted

    def certainty(self, data: Any) -> FloatArray:
        """(n_instances,) float64: in the ``certainty_range``."""
        return self.answer(data).certainty

    def answer_frame(
        self,
        X: Any,
        keep: Sequence[str] | None = None,
        *,
        reasons: bool = True,
        paths: bool = False,
        unseen: Unseen = "missing",
        outside: Literal["note", "reject"] = "note",
    ) -> Any:
        """Answer for a frame by a frame.

        The model is only read, so several threads may call this at once, and it can be pickled: Dask's
        ``map_partitions``, polars' ``map_batches`` and Spark's ``mapInPandas`` answer for any number of rows with it.
        A method that keeps its training instances (a `LeavesOneOut`) takes them along.

        Parameters
        ----------
        X : (n_instances, n_columns) DataFrame of pandas or polars, or Arrow stream
            The columns of the training data, found by their names; others, and the class, may be there or not.
        keep : sequence of str, optional
            Columns to pass through as they are. Left out: that of the identifiers, if the model knows it and it is
            there.
        reasons : bool
            Whether to tell the reason of each answer.
        paths : bool
            Whether to tell the decision path of each row, see `Answer.paths`.
        unseen : {"missing", "error"}
            How to treat nominal values not seen in training.
        outside : {"note", "reject"}
            How to treat rows with values beyond those of training: say so in the column outside, or reject them as
            well.

        Returns
        -------
        (n_instances, n_answer_columns) DataFrame
            Of the same library (pyarrow's table for an Arrow stream), with the rows and the index of ``X``: the columns
            passed through, rejected (bool, if the model has a threshold or rows outside are rejected), predicted
            (text), distribution_CLASS for every class, certainty, reason (text), path (text, if wanted), and outside
            (text, empty where nothing is outside) if the model has a summary. The same for no rows.
            Cost: that of `answer`, and of the texts.

        Raises
        ------
        OptionError
            ``X`` is no such frame, a column to pass through is not in it or named as one of the answers, or a column
            is of another kind than in training; ``outside`` is neither, or the model cannot tell which rows it rejects;
            there are no ``paths``, since the model is a forest.
        HeaderMismatchError
            A column is missing.

        Warns
        -----
        Note
            The rows, if there are several, are not like those of training, lie after them, or contradict the promise;
            see `compare`.
        """
        if outside not in ("note", "reject"):
            raise OptionError(parameter="outside", expected="'note' or 'reject'", got=repr(outside))
        rejects_outside = outside == "reject"
        X = read_arrow_stream(X)
        data, chosen, unseen_values = answered_frame.read_frame(X, self.header, keep, self.reading, unseen)
        unseen_values.tell()
        answer = self.answer(data)
        rows = self.outside(data) if rejects_outside or self.summary is not None else None
        if rows is not None:
            answer = answer.of_model(self.thresholds, lambda: rows, rejects_outside=rejects_outside)
        if rows is not None and len(data) > 1:
            drift = self._drift(rows, data, lambda: answer)
            if warning := drift.warning("the frame"):
                tell(warning)
        return answered_frame.build_answers(X, chosen, answer, rows, reasons=reasons, paths=paths)

    def rules(self, decimal: str = ".") -> Dataset:
        """What the model answers at each leaf of its tree; ``model.rules().to_pandas()`` is a frame.

        Parameters
        ----------
        decimal : str
            The mark before the decimals of the numbers in conditions.

        Returns
        -------
        Dataset
            One row per leaf, in the order of the printed tree: condition (text, "every row" without a split; of several
            tests that bound a number on the same side only the narrowest; numbers with 12 digits), class (what is
            answered), rows and wrong (training weight, in parts where missing values divide rows), probability (that of
            the class), and with a threshold answered (yes or no). Methods that answer by the values of each row give
            the classes and probabilities of the plain tree, without answered, and a `Note`.

        Raises
        ------
        OptionError
            The model has a forest.
        """
        with decimal_mark(decimal):
            return rules_of(self.method, self.choice, self.thresholds_by_class)

    def explain(self, data: Any) -> Explanation:
        """The explanation of each answer."""
        return self.answer(data).explanation

    def reject(self, data: Any, *, below: float | None = None) -> NDArray[np.bool_]:
        """(n_instances,) bool: which answers have a certainty below ``below``; left out: below the `threshold`.

        Raises
        ------
        OptionError
            There is no threshold, or ``below`` is NaN.
        """
        if self.choice is not None and (below is None or self.choice.aim.decides):
            answer = self.answer(data)
            return answer.is_rejected if below is None else answer.rejected(below)
        return self.method.reject(self.conform(self._read(data)), below=below)

    def __repr__(self) -> str:
        """The method, what it was fitted on, and the threshold, or the thresholds of the classes that have one."""
        filtered = f", {len(self.filters)} filter{'s' * (len(self.filters) > 1)}" if self.filters else ""
        return f"Model({self.method!r} on {self.header.relation!r}{filtered}{self._rejects})"

    @property
    def _rejects(self) -> str:
        if self.choice is not None and self.choice.class_thresholds:
            by_class = zip(self.header.class_names, self.choice.class_thresholds, strict=True)
            parts = [f"{threshold:g} ({name})" for name, threshold in by_class if threshold > -np.inf]
            return f", rejects below {', '.join(parts)}"
        return "" if self.threshold is None else f", rejects below {self.threshold:g}"


def _texts_of(data: Any, name: str) -> Sequence[str]:
    """The values of a column of a data set or frame as texts, missing ones as "(missing)"."""
    columns = [each.name for each in data.attributes] if isinstance(data, Dataset) else [*map(str, column_names(data))]
    if name not in columns:
        raise OptionError(f"no column {quoted(name)}{nearest(name, columns)}", parameter="by")
    if not isinstance(data, Dataset):
        of_library = getattr(Dataset, f"from_{library(data).removeprefix('py')}")
        column = data.select([name]) if library(data) == "pyarrow" else data[[name]]
        data = of_library(column, class_attribute=None, nominal=[name])
    return [MISSING if text is None else str(text) for text in data.to_arrow().column(name).to_pylist()]


def _advice(thing: object) -> str:
    """Advice on how to make a model of ``thing``."""
    if hasattr(thing, "fit") and hasattr(thing, "get_params"):
        return "a fitted classifier of wekaconf.sklearn has a model already, its model_"
    return "fit(data, learner=tree) makes a model of a bare tree"


def _column_map(fitted: FittedFilter | ColumnMap) -> ColumnMap:
    if isinstance(fitted, ColumnMap):
        return fitted
    if fitted.column_map is None:
        name = f"{fitted.class_name} {fitted.options}".strip()
        raise OptionError(
            f"{name} cannot be held as arrays, so no file can hold this model; filter the data beforehand",
            value_of="model",
        )
    return fitted.column_map
