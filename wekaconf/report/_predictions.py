"""Predictions in columns: Weka's, ours, and those passed through from the file that was answered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Attribute, Dataset, Header, Outside
from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import class_text, decimal_mark, text_column
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.promises import ClassSets
from wekaconf.methods.contract import Method, Thresholds, is_affected

INDEX = "index"
"""The column that counts the instances."""
FLAG = ("no", "yes")
EMPTY_SET, FULL_SET = "unlike the calibration rows of every class", "no class can be excluded"
WITHOUT_ANSWER = "the class set is without the predicted class"
"""What the reason adds where a set of classes has none, or all, or some but not the answer."""


class Predictions:
    """The answers of a fitted method for a part of the instances, which `table` makes into a data set.

    Parameters
    ----------
    method : Method
    data : Dataset
        With the header of the method's tree; a class that is missing is unknown.
    below : float, or (n_classes,) float64, optional
        The certainty below which an answer is rejected, perhaps one for each predicted class; the method's own
        threshold when left out.
    kept : mapping of str to (n_instances,) sequence of str or None, optional
        Columns to pass through, as texts; None is missing.
    as_read : Dataset, optional
        The instances before filters. A column passed through is of the kind that it has here; left out: all are texts.
    missing : collection of str
        Texts that mean a missing value, where ``as_read`` is given.
    before : int
        Number of instances in the parts before this one.
    outside : Outside, optional
        What lies beyond the training data in each instance, before filters; left out: it is not known.
    rejects_outside : bool
        Whether an instance that lies outside is rejected, whatever its certainty.
    class_sets : ClassSets, optional
        Tells which classes cannot be excluded.
    aim : Aim, optional
        That of the threshold, whose costs may decide the answers.
    paths : bool
        Whether to tell the decision path of each instance.
    decimal : str
        The decimal mark of numbers in reasons, paths and what lies outside.
    """

    def __init__(
        self,
        method: Method,
        data: Dataset,
        *,
        below: Thresholds | None = None,
        kept: Mapping[str, Sequence[str | None]] | None = None,
        as_read: Dataset | None = None,
        missing: Collection[str] = (),
        before: int = 0,
        outside: Outside | None = None,
        rejects_outside: bool = False,
        class_sets: ClassSets | None = None,
        aim: Aim | None = None,
        paths: bool = False,
        decimal: str = ".",
    ) -> None:
        self._method, self._data, self._kept, self._before, self._tells_paths = method, data, kept or {}, before, paths
        self._decimal = decimal
        self._as_read, self._missing = as_read, missing
        self._outside, self._rejects_outside = outside, outside is not None and rejects_outside
        answer = (method.answer(data) if aim is None else aim.decided(method.answer(data))).with_decimal(decimal)
        self._answer = answer.of_model(
            method.threshold if below is None else below,
            None if outside is None else lambda: outside,
            rejects_outside=self._rejects_outside,
        )
        self.contains = None if class_sets is None else class_sets.contains(self._answer.proba)
        """(n_instances, n_classes) bool: which classes cannot be excluded; None: not known."""

    def __len__(self) -> int:
        """Number of instances."""
        return len(self._data)

    @property
    def certainty(self) -> FloatArray:
        """(n_instances,) float64."""
        return self._answer.certainty

    @property
    def class_names(self) -> tuple[str, ...]:
        """The declared classes."""
        return self._data.class_names

    @property
    def predicted(self) -> NDArray[np.int64]:
        """(n_instances,) int64."""
        return self._answer.predicted

    @property
    def actual(self) -> NDArray[np.int64]:
        """(n_instances,) int64: −1 if the class is unknown."""
        return self._data.class_values

    @cached_property
    def error(self) -> FloatArray:
        """(n_instances,) float64: 1 if the answer is wrong, 0 if it is correct, NaN if the class is unknown."""
        return np.where(self.actual < 0, np.nan, self.predicted != self.actual)

    @property
    def rejected(self) -> NDArray[np.bool_] | None:
        """(n_instances,) bool: whether the answer is rejected; None if nothing could be."""
        return None if self._answer.thresholds is None else self._answer.is_rejected

    def reject(self, rows: NDArray[np.bool_], n: int) -> None:
        """Reject ``rows`` as some of the ``n`` least certain ones of the file, in place of a threshold."""
        self._answer = self._answer.rejecting(rows, n)

    @property
    def n_rejected_outside(self) -> int:
        """The number of answers that are rejected since the instance lies outside, whatever their certainty."""
        return 0 if self._outside is None or not self._rejects_outside else int(self._outside.rows.sum())

    def table(self, rows: NDArray[np.intp] | slice = slice(None)) -> Dataset:
        """The answers for some of the instances, in this order.

        Parameters
        ----------
        rows : (n,) intp, or slice

        Returns
        -------
        Dataset
            Columns: those passed through, with " (input)" after a name that is one of ours; index (from 1), actual,
            predicted, error, distribution_CLASS for every class (named as by Weka's AddClassification), certainty,
            affected, rejected if something could be, class_set if sets are told, reason, see `Answer.reasons`, path if
            it is told, see `Answer.paths`, and outside, if the training data are known: what lies beyond them, missing
            where nothing does. The error is missing where the actual class is.
        """
        indices = np.arange(len(self))[rows]
        data, answer = self._data, self._answer
        actual, classes = data.class_values[indices].astype(np.float64), data.class_names
        shown = data if isinstance(rows, slice) and rows == slice(None) else data.take(indices)
        affected = is_affected(answer.proba[indices], self._method.tree_.predict_proba(shown))
        rejected = [] if self.rejected is None else [self.rejected]
        columns: list[tuple[Attribute, FloatArray]] = [
            (Attribute(INDEX), (1 + self._before + indices).astype(np.float64)),
            (Attribute("actual", "nominal", classes), np.where(actual < 0, np.nan, actual)),
            *((Attribute("rejected", "nominal", FLAG), flags[indices].astype(np.float64)) for flags in rejected),
            (Attribute("predicted", "nominal", classes), answer.predicted[indices].astype(np.float64)),
            (Attribute("error", "nominal", FLAG), self.error[indices]),
            *((Attribute(f"distribution_{name}"), answer.proba[indices, c]) for c, name in enumerate(classes)),
            (Attribute("certainty"), self.certainty[indices]),
            (Attribute("affected", "nominal", FLAG), affected.astype(np.float64)),
        ]
        columns.extend(self._told_columns(indices))
        names = [attribute.name for attribute, _ in columns]
        passed = []
        for name, texts in self._kept.items():
            names.append(distinct_name(name, names))
            passed.append(self._passed_column(name, [texts[i] for i in indices.tolist()], indices, names[-1]))
        attributes, cells = zip(*passed, *columns, strict=True)
        return Dataset(Header(f"{data.relation}-predictions", attributes), np.column_stack(cells))

    def _told_columns(self, indices: NDArray[np.intp]) -> list[tuple[Attribute, FloatArray]]:
        """The columns class_set, reason, path and outside for some of the instances; see `table`."""
        reasons = self._answer.reasons[indices]
        columns: list[tuple[Attribute, FloatArray]] = []
        if self.contains is not None:
            contains = self.contains[indices]
            columns.append(text_column("class_set", [_set_text(row, self.class_names) for row in contains.tolist()]))
            is_empty, is_full = ~contains.any(axis=1), contains.all(axis=1)
            lacks_answer = ~contains[np.arange(len(contains)), self.predicted[indices]] & ~is_empty
            for kind, is_such in ((EMPTY_SET, is_empty), (FULL_SET, is_full), (WITHOUT_ANSWER, lacks_answer)):
                for row in np.flatnonzero(is_such).tolist():
                    reasons[row] = f"{reasons[row]}; {kind}"
        columns.append(text_column("reason", reasons))
        if self._tells_paths:
            columns.append(text_column("path", self._answer.paths[indices]))
        if self._outside is not None:
            with decimal_mark(self._decimal):
                texts = self._outside.texts_at(indices)
            columns.append(_sparse_text_column("outside", texts, len(indices)))
        return columns

    def _passed_column(
        self, name: str, texts: Sequence[str | None], indices: NDArray[np.intp], new_name: str
    ) -> tuple[Attribute, FloatArray]:
        """Some cells of a column passed through, of the kind that the column was read as.

        CSV gets the text as it was written, ``1.50``. The other formats tell kinds, and a file that a tree can be grown
        from is worth more than the digits of a text.
        """
        attributes = () if self._as_read is None else self._as_read.attributes
        column = next((column for column, attribute in enumerate(attributes) if attribute.name == name), -1)
        if self._as_read is None or column < 0 or attributes[column].kind in ("string", "relational"):
            return text_column(new_name, texts)
        attribute, cells = replace(attributes[column], name=new_name), self._as_read.values[indices, column]
        if not attribute.is_nominal:
            return attribute, cells
        place = dict(attribute.value_index)
        cells = cells.copy()
        for i in np.flatnonzero(np.isnan(cells)).tolist():
            text = (texts[i] or "").strip()
            if text and text not in self._missing:  # a value that the training data did not declare
                cells[i] = place.setdefault(text, len(place))
        return replace(attribute, values=tuple(place)), cells


def _sparse_text_column(name: str, texts: Mapping[int, str], n: int) -> tuple[Attribute, FloatArray]:
    """A column of ``n`` cells of which only some have texts, by their place."""
    attribute, known = text_column(name, list(texts.values()))
    cells = np.full(n, np.nan)
    cells[list(texts)] = known
    return attribute, cells


def _set_text(contains: Sequence[bool], class_names: Sequence[str]) -> str:
    """The classes of a set in braces."""
    names = [class_text(name) for name, is_in in zip(class_names, contains, strict=True) if is_in]
    return f"{{{', '.join(names)}}}"


class LeastCertain:
    """The least certain of all answers in ascending order of certainty, collected from part after part.

    Parameters
    ----------
    n : int or None
        Number of answers; None: all.
    """

    def __init__(self, n: int | None) -> None:
        self._n = n
        self._tables: list[Dataset] = []

    def add(self, part: Predictions) -> None:
        """Add the answers of a part."""
        order = np.argsort(part.certainty, kind="stable")[: self._n]
        self._tables.append(part.table(order))
        if self._n is not None:
            self._tables = [self.table()]

    def table(self) -> Dataset:
        """The answers; in case of ties the instances are in the order of the file."""
        table = join_tables(self._tables)
        names = [attribute.name for attribute in table.attributes]
        order = np.argsort(table.values[:, names.index("certainty")], kind="stable")
        return table.take(order[: self._n])


def join_tables(tables: Sequence[Dataset]) -> Dataset:
    """The instances of all tables as one; a nominal attribute gets the values of all tables."""
    first, *others = tables
    columns = zip(*(table.attributes for table in tables), strict=True)
    differ = [place for place, column in enumerate(columns) if column[0].is_nominal and len(set(column)) > 1]
    if not differ:
        return first.join(*others)
    texts, *further = (_as_kind(table, differ, "string") for table in tables)
    return _as_kind(texts.join(*further), differ, "nominal")


def _as_kind(table: Dataset, columns: Collection[int], kind: Literal["string", "nominal"]) -> Dataset:
    attributes = enumerate(table.attributes)
    changed = tuple(replace(old, kind=kind) if place in columns else old for place, old in attributes)
    return replace(table, header=replace(table.header, attributes=changed))


def distinct_name(name: str, taken: Sequence[str]) -> str:
    """The name of a column passed through, with " (input)" added until no other column has it."""
    while name in taken:
        name += " (input)"
    return name
