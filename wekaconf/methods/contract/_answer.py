"""The answers of a method: distributions, rankings, certainties, events, and what follows from these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, needed
from wekaconf.base.rounding import most_probable
from wekaconf.data import Outside
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray, as_rows, joined_texts, texts_of
from wekaconf.data.frames import arrow_columns, polars_columns
from wekaconf.data.wording import decimal_mark
from wekaconf.methods.contract._explanation import Account, Explanation, Step
from wekaconf.methods.contract._explanation.html import answers_html
from wekaconf.methods.contract._reasons import Reasons, Rows, answer_texts, row_indices, verdict

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

MOST_SHOWN = 10
"""The largest number of answers that notebooks show."""
FOLLOWING = ("predicted", "certainty", "ranking", "scores", "explanation")
"""The parts of an `Answer` that follow from its reply, and are kept once they are computed."""
AFFECTED_CHANGE = 0.1
"""Katz et al. 2012: an instance is affected when a class probability changes by at least this much."""


@dataclass(frozen=True)
class CertaintyRange:
    """The range of a method's certainties.

    Parameters
    ----------
    low : float or None
        The smallest; None: 1 / n_classes.
    high : float
        The largest.
    is_low_open : bool
        Whether the smallest is approached but never reached.
    is_probability : bool
        Whether the certainty is the probability that the method gives the predicted class.
    meaning : str
        What the certainty is, in a few words.
    """

    low: float | None = 0.0
    high: float = 1.0
    is_low_open: bool = False
    is_probability: bool = False
    meaning: str = ""

    def allows(self, threshold: float) -> bool:
        """Whether a threshold separates some certainties from others, or accepts or rejects all on purpose."""
        return threshold >= (self.low or 0.0) and (threshold <= self.high or threshold == np.inf)

    def __str__(self) -> str:
        """The range as an interval."""
        low = "1/n_classes" if self.low is None else f"{self.low:g}"
        high = "∞" if self.high == np.inf else f"{self.high:g}"
        return f"{'(' if self.is_low_open else '['}{low}, {high}]"


LARGEST_PROBABILITY = CertaintyRange(None, is_probability=True, meaning="the probability of the predicted class")
"""The range of methods whose certainty is the largest class probability."""


@dataclass(frozen=True, eq=False)
class Reply:
    """The values that a method computes for instances; those it leaves out follow from the distributions.

    Each part but the first may be a function without arguments, called when the part is first read.

    Parameters
    ----------
    proba : (n_instances, n_classes) float64
        Class distributions, or rows that become distributions when divided by their sums.
    ranking : (n_instances, n_classes) float64, optional
        What instances are ranked by; left out: the distribution.
    scores : (n_instances, n_classes) float64, optional
        The method's raw values; left out: the distribution.
    certainty : (n_instances,) float64, optional
        Left out: the largest probability.
    predicted : (n_instances,) int64, optional
        The classes that are answered; left out: the most probable ones.
    explain : callable, optional
        Makes the explanation; left out: the path of each instance.
    reasons : callable, optional
        Takes the whole `Answer` and `Rows`, and returns one sentence for each of these rows: why they are answered so,
        without a period. `Answer.reasons` puts the answer in front. Left out: the leaf and the test that led there.
    steps : callable, optional
        Takes the index of an instance and returns the step whose result is its row of ``proba``. Left out: how the tree
        answers, or the bare answer if it is not the tree's.
    certainty_steps : callable, optional
        Takes the `Answer` and the index of an instance and returns the step whose result is its certainty; to be given
        with ``certainty``.
    """

    # A part that costs as much as the distribution may be a function: a certainty that takes a tree per instance, an
    # explanation. So a method answers once, and whoever reads probabilities pays for nothing else.
    proba: FloatArray
    ranking: FloatArray | Callable[[], FloatArray] | None = None
    scores: FloatArray | Callable[[], FloatArray] | None = None
    certainty: FloatArray | Callable[[], FloatArray] | None = None
    predicted: NDArray[np.int64] | Callable[[], NDArray[np.int64]] | None = None
    explain: Callable[[], Explanation] | None = None
    reasons: Callable[[Answer, Rows], TextArray | Sequence[str]] | None = None
    steps: Callable[[int], Step] | None = None
    certainty_steps: Callable[[Answer, int], Step] | None = None


class Answer:
    """The answers of a fitted method for instances. Each part is computed at most once, when it is first read.

    Parameters
    ----------
    proba : (n_instances, n_classes) float64
        Class distributions.
    reply : Reply
        What the method computed.
    class_names : tuple of str
    explain : callable
        Makes the explanation if the reply has none.
    reasons : callable
        Makes the reasons if the reply has none.
    account : callable
        Takes the answer and the index of an instance, and makes its account.
    thresholds : float, (n_classes,) float64 or None
        Below which certainties the method rejects by its own rule; None: it rejects nothing.
    paths : callable, optional
        Takes the answer and `Rows`, and returns the decision path of each of these rows. None: there are none.
    """

    def __init__(
        self,
        proba: FloatArray,
        reply: Reply,
        class_names: tuple[str, ...],
        explain: Callable[[], Explanation],
        reasons: Callable[[Answer, Rows], TextArray | Sequence[str]],
        account: Callable[[Answer, int], Account],
        thresholds: Thresholds | None = None,
        paths: Callable[[Answer, Rows], TextArray] | None = None,
    ) -> None:
        self.proba = proba
        self.class_names = class_names
        self.reply = reply
        self._explain = reply.explain or explain
        self._reasons = reply.reasons or reasons
        self._account = account
        self._thresholds = thresholds
        self._paths = paths
        self._outside: Callable[[], Outside] | None = None
        self._rejects_outside = False
        self._decimal = "."
        self._n_least: Int64Array | None = None

    def of_model(
        self, thresholds: Thresholds | None, outside: Callable[[], Outside] | None = None, *,
        rejects_outside: bool = False,
    ) -> Self:  # fmt: skip
        """The same answers, of a model with these thresholds that can tell what lies ``outside`` its training data.

        ``rejects_outside`` says whether answers for instances that lie outside are rejected, whatever their certainty.
        """
        answer = copy(self)
        answer._thresholds, answer._outside, answer._rejects_outside = thresholds, outside, rejects_outside
        return answer

    def rejecting(self, rows: NDArray[np.bool_], n: int) -> Self:
        """The same answers, of which ``rows`` are rejected as some of the ``n`` least certain ones of a file."""
        answer = copy(self)
        answer._thresholds, answer._n_least = None, np.where(rows, n, 0)
        return answer

    def with_decimal(self, mark: str) -> Self:
        """The same answers, in whose sentences numbers have this decimal mark, such as that of the file that was asked.

        These are `reasons`, `grounds`, `paths`, and the accounts of the `explanation`.
        """
        answer = copy(self)
        answer._decimal = mark
        vars(answer).pop("explanation", None)
        return answer

    def replacing(self, **parts: Any) -> Self:
        """The same answers with other parts of their `Reply`, such as ``predicted`` and ``certainty``."""
        answer = object.__new__(type(self))
        vars(answer).update({name: value for name, value in vars(self).items() if name not in FOLLOWING})
        answer.reply = replace(self.reply, **parts)
        answer._explain = answer.reply.explain or self._explain
        answer._reasons = answer.reply.reasons or self._reasons
        return answer

    def __copy__(self) -> Self:
        """The same answers, with all that they can be asked for."""
        answer = object.__new__(type(self))
        vars(answer).update(vars(self))
        return answer

    def __reduce__(self) -> Any:
        """Pickle what the answers are, with their reasons; explanations ask the method, so they stay behind."""
        reply = Reply(self.proba, self.ranking, self.scores, self.certainty, self.predicted)
        parts = (reply, self.class_names, self.grounds[:])
        outside = None if self._outside is None else self.outside
        return _unpickled, (*parts, self._thresholds, outside, self._rejects_outside)

    def __len__(self) -> int:
        """Number of instances."""
        return len(self.proba)

    def __repr__(self) -> str:
        """The numbers of instances and classes."""
        return f"Answer({len(self)} instances, {self.proba.shape[1]} classes)"

    def _repr_html_(self) -> str:
        """The first answers as notebooks show them, with reasons and certainties; every text is escaped."""
        if not len(self):
            return f"<p>{self!r}</p>"
        first = slice(MOST_SHOWN)
        given = self.predicted[~self.is_rejected].tolist()
        return answers_html(self.class_names, given, len(self), self.reasons[first], self.certainty[first].tolist())

    @cached_property
    def predicted(self) -> NDArray[np.int64]:
        """(n_instances,) int64: the class that is answered.

        The most probable one after rounding to 12 decimals, ties to the lowest index, unless method or model say
        another.
        """
        predicted = self.reply.predicted
        if predicted is None:
            return most_probable(self.proba)
        return predicted() if callable(predicted) else predicted

    @property
    def labels(self) -> NDArray[np.str_]:
        """(n_instances,) array of str: the names of the predicted classes, whether or not the answer is rejected."""
        return np.array(self.class_names, dtype=np.str_)[self.predicted]

    @cached_property
    def ranking(self) -> FloatArray:
        """(n_instances, n_classes) float64: column c ranks instances by how likely class c is."""
        return self._part(self.reply.ranking)

    @cached_property
    def scores(self) -> FloatArray:
        """(n_instances, n_classes) float64: the method's raw values where it has any, else the distribution."""
        return self._part(self.reply.scores)

    @cached_property
    def certainty(self) -> FloatArray:
        """(n_instances,) float64: in the method's ``certainty_range``."""
        certainty = self.reply.certainty
        if certainty is None:
            return np.asarray(self.proba.max(axis=1, initial=0.0))
        return certainty() if callable(certainty) else certainty

    @cached_property
    def explanation(self) -> Explanation:
        """The events of the method for each instance, and the steps by which its answer follows from numbers."""
        # a copy, since an answer that held itself would keep its data until the next garbage collection
        answer = copy(self)

        def account_of(i: int) -> Account:
            with decimal_mark(answer._decimal):
                return answer._account(answer, i)

        return replace(self._explain(), account_of=account_of)

    def _sentences(self, make: Callable[[Rows], TextArray | Sequence[str]]) -> Reasons:
        """The sentences that ``make`` writes, with the decimal mark of `with_decimal`."""

        def written(rows: Rows) -> TextArray | Sequence[str]:
            with decimal_mark(self._decimal):
                return make(rows)

        return Reasons(len(self), written)

    @property
    def reasons(self) -> Reasons:
        """The reasons for the answers, one sentence per instance, made when it is read.

        Each begins with what to do and the answer, then comes one of the `grounds`: ``answered yes (83 %): leaf of …``,
        or ``rejected, refer to a human; yes (61 %) would be the answer, but the certainty 0.61 is below the threshold
        0.75: leaf of …``. Where nothing can be rejected it begins with the answer, ``yes (83 %): leaf of …``. At last
        stands what lies `outside` training, if that is known: ``outside training: ward 'A9', not seen in training``.

        ``reasons[i]`` is a str, ``reasons[rows]`` a list. Cost: about a microsecond per sentence on a leaf, and per
        value in other sentences; a tenth to a third of a millisecond for a sentence that is read by itself.
        """
        return self._sentences(self._reasons_of)

    @property
    def grounds(self) -> Reasons:
        """Why each answer is what it is: the `reasons` without what to do and the answer."""
        return self._sentences(partial(self._reasons, self))

    def _reasons_of(self, rows: Rows) -> TextArray:
        """See `reasons`."""
        begun = answer_texts(self.class_names, self.proba[rows], self.predicted[rows])
        if self.thresholds is not None:
            n_least = np.zeros(len(self), dtype=np.int64) if self._n_least is None else self._n_least
            given = (self.is_rejected, self.certainty, self.thresholds, n_least)
            parts = as_rows(*(column[rows] for column in given))
            begun = [verdict(text, *row) for text, row in zip(begun, parts, strict=True)]
        texts = joined_texts(texts_of(begun), ": ", texts_of(self._reasons(self, rows)))
        if self._outside is not None:
            self.outside.add_to_reasons(texts, row_indices(rows, len(self)))
        return texts

    def reason(self, i: int) -> str:
        """The reason for the answer for instance ``i``, in one sentence without a period."""
        return self.reasons[i]

    @property
    def paths(self) -> Reasons:
        """The decision path of each instance in words, made when it is read as `reasons` are.

        Such as ``age 55 > 40 and <= 63; ward = surgery → yes (2 of 3)``: each column that the tree tests with the value
        of the instance, the class of the leaf, and how many of its training instances are of that class. Of more than
        twelve columns the last ones are named, and the others counted. Where a value is missing, the path tells what
        the tree did; it ends where branches share the instance. If the method answers another class than the tree, the
        path ends with that.

        Raises
        ------
        OptionError
            The answers are those of a forest, which follow no single path, or were pickled.
        """
        if self._paths is None:
            raise OptionError(
                "there is no single path: a forest answers by many trees, and answers that were pickled keep none; "
                "leave paths out",
                value_of="paths",
            )
        return self._sentences(partial(self._paths, self))

    @property
    def is_rejected(self) -> NDArray[np.bool_]:
        """(n_instances,) bool: which answers the model leaves to somebody else; none if it has no threshold."""
        rejected = np.zeros(len(self), dtype=np.bool_) if self._n_least is None else self._n_least > 0
        if self._thresholds is not None:
            rejected = self.rejected(self._thresholds)
        return rejected | self.outside.rows if self._rejects_outside else rejected

    @property
    def thresholds(self) -> FloatArray | None:
        """(n_instances,) float64: below which certainty each answer is rejected; None if nothing can be rejected.

        −∞ where an answer is rejected only if its instance lies outside the training data, or by `rejecting`.
        """
        if self._thresholds is None and self._n_least is None and not self._rejects_outside:
            return None
        limits = -np.inf if self._thresholds is None else thresholds_at(self._thresholds, self.predicted)
        return np.broadcast_to(limits, len(self))

    @cached_property
    def outside(self) -> Outside:
        """What of each instance lies beyond the training data; see `Model.outside`.

        Raises
        ------
        OptionError
            The answers are not those of a model, or it keeps no summary of its training data.
        """
        if self._outside is None:
            raise OptionError(
                "there are no training data to compare with; ask a Model, such as fit makes, that keeps a summary of "
                "them",
                value_of="outside",
            )
        return self._outside()

    def rejected(self, thresholds: Thresholds) -> NDArray[np.bool_]:
        """(n_instances,) bool: which answers are less certain than this threshold, or than that of their class."""
        return is_rejected(self.certainty, thresholds_at(thresholds, self.predicted))

    def columns(
        self, *, reasons: bool = True, paths: bool = False
    ) -> dict[str, FloatArray | NDArray[np.bool_] | list[str]]:
        """The answers by columns.

        They are rejected (bool, if something can be rejected), predicted (text), distribution_CLASS for every class,
        certainty, and texts.

        Parameters
        ----------
        reasons, paths : bool
            Whether there are columns of the `reasons` and of the `paths`.

        Returns
        -------
        dict
            The texts are reason, path, and, of a model that keeps a summary of its training data, outside: empty where
            nothing lies `outside`.
        """
        names = np.array(self.class_names, dtype=object)
        columns: dict[str, FloatArray | NDArray[np.bool_] | list[str]] = {}
        if self.thresholds is not None:
            columns["rejected"] = self.is_rejected
        columns["predicted"] = names[self.predicted].tolist()
        columns |= {f"distribution_{name}": self.proba[:, c] for c, name in enumerate(self.class_names)}
        columns["certainty"] = self.certainty
        columns |= {"reason": self.reasons[:]} if reasons else {}
        columns |= {"path": self.paths[:]} if paths else {}
        return columns | ({} if self._outside is None else {"outside": self.outside.texts.tolist()})

    def to_arrow(self) -> pa.Table:
        """The answers as a table of pyarrow, with the columns of `columns`.

        Raises
        ------
        OptionError
            pyarrow is not installed.
        """
        with needed("to_arrow", "tables"):
            import pyarrow as pa
        return pa.table(arrow_columns(self.columns()))

    def to_polars(self) -> pl.DataFrame:
        """The answers as a polars DataFrame, with the columns of `columns`.

        Raises
        ------
        OptionError
            polars is not installed.
        """
        with needed("to_polars", "polars"):
            import polars as pl
        return pl.DataFrame(polars_columns(self.columns()))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The columns of `to_arrow` for whatever reads Arrow streams, such as polars, DuckDB and pandas."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _part(self, part: FloatArray | Callable[[], FloatArray] | None) -> FloatArray:
        if part is None:
            return self.proba
        return part() if callable(part) else part


def _unpickled(
    reply: Reply, class_names: tuple[str, ...], grounds: Sequence[str], thresholds: Thresholds | None,
    outside: Outside | None, rejects_outside: bool,
) -> Answer:  # fmt: skip
    """The answers that were pickled."""

    def lost(*_: object) -> Any:
        raise OptionError("answers that were pickled keep no explanation; ask the model")

    texts = np.array(grounds, dtype=object)
    answer = Answer(reply.proba, reply, class_names, lost, lambda _, rows: texts[rows].tolist(), lost, thresholds)
    return answer if outside is None else answer.of_model(thresholds, lambda: outside, rejects_outside=rejects_outside)


Thresholds = float | FloatArray
"""A threshold on the certainty of all answers, or (n_classes,) float64: one for those that predict each class."""


def thresholds_at(thresholds: Thresholds, predicted: NDArray[np.int64]) -> Thresholds:
    """The threshold for answers that predict these classes: one for all, or (n_instances,) float64."""
    return thresholds[predicted] if isinstance(thresholds, np.ndarray) else thresholds


def is_rejected(certainty: FloatArray, threshold: float | FloatArray) -> NDArray[np.bool_]:
    """(n_instances,) bool: whether the certainty is smaller than the threshold; ∞ rejects even a certainty of ∞."""
    return np.asarray((certainty < threshold) | np.isposinf(threshold))


def is_affected(proba: FloatArray, baseline: FloatArray) -> NDArray[np.bool_]:
    """(n_instances,) bool: whether a class probability differs from the baseline's by 0.1 or more.

    Katz et al. 2012, section IV.A; 1e-9 is allowed for rounding.
    """
    return np.asarray(np.abs(proba - baseline).max(axis=1, initial=0.0) >= AFFECTED_CHANGE - 1e-9)
