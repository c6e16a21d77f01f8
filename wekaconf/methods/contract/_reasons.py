"""The reasons for answers: one sentence per instance.

They are made of many rows at once, not of the events of one instance: what a leaf holds is said once per leaf (20,000
rows of letter: 0.07 s), while the events of their paths cost seconds.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import printable
from wekaconf.base.naming import quoted, shown
from wekaconf.base.rounding import most_probable
from wekaconf.data import NOT_SEEN, Dataset
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray, as_rows, joined_texts, texts_of
from wekaconf.data.wording import FEW, apart, class_text, each_distinct, percent

Rows = NDArray[np.intp] | slice
"""Indices of instances, or a range of them, which is read without copying."""
CHUNK = 1 << 15
"""Number of sentences that are made at a time when all are read."""
ROUNDING = 1e-9
"""The relative difference up to which weights and shares count as equal."""
LACKS = {"{} is missing": "{} is {}, {}", "{} missing": "{} {}, {}", "the missing value of {}": "{} {}, {}"}
"""How sentences say that an instance has no value of an attribute, and how they name one."""


class Reasons(Sequence[str]):
    """One sentence per instance, made when it is read.

    Parameters
    ----------
    n : int
        Number of instances.
    make : callable
        Takes `Rows` and returns one sentence per row. Control characters, which names out of a file may hold, are
        escaped here.
    """

    def __init__(self, n: int, make: Callable[[Rows], TextArray | Sequence[str]]) -> None:
        self._n = n
        self._make = make

    def __len__(self) -> int:
        """Number of instances."""
        return self._n

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any]) -> list[str]: ...
    def __getitem__(self, index: int | slice | NDArray[Any]) -> str | list[str]:
        """The sentence of one instance; a list for a slice, or for an array of indices or of booleans."""
        if isinstance(index, slice) and self._n and range(self._n)[index] == range(self._n):
            return self._sentences(slice(0, self._n))
        if isinstance(index, slice | np.ndarray):
            return self._sentences(np.arange(self._n)[index])
        index = operator.index(index)
        if not -self._n <= index < self._n:
            raise IndexError(f"instance {index} of {self._n}")
        return self._sentences(np.array([index % self._n]))[0]

    def __iter__(self) -> Iterator[str]:
        """All sentences, some ten thousands made at a time."""
        for begin in range(0, self._n, CHUNK):
            yield from self._sentences(slice(begin, begin + CHUNK))

    def __repr__(self) -> str:
        """The number of instances."""
        return f"Reasons({self._n} instances)"

    def _sentences(self, rows: Rows) -> list[str]:
        if not isinstance(rows, slice) and not len(rows):
            return []
        texts = [*map(str.strip, self._make(rows))]
        return texts if all(map(str.isprintable, texts)) else [*map(printable, texts)]


def row_indices(rows: Rows, n: int) -> NDArray[np.intp]:
    """(n_rows,) intp: the indices of ``rows`` among ``n`` instances."""
    return np.arange(*rows.indices(n)) if isinstance(rows, slice) else rows


@dataclass(frozen=True, eq=False)
class FirstEvents:
    """The first events of each instance of a batch: those that its reason lists.

    Parameters
    ----------
    n_events : (n,) intp
        Number of all events of each instance.
    place : (n_listed,) intp
        The places of the events listed, instance by instance.
    end : (n,) intp
        The events of each instance end here in ``place``; they begin where those of the instance before it end.
    """

    n_events: NDArray[np.intp]
    place: NDArray[np.intp]
    end: NDArray[np.intp]

    @classmethod
    def of(cls, instance: NDArray[np.intp], rows: NDArray[np.intp], most: int) -> Self:
        """The first ``most`` events of each of ``rows``; ``instance`` holds that of each event, in ascending order."""
        begin = np.searchsorted(instance, rows)
        return cls._listed(begin, np.searchsorted(instance, rows, side="right") - begin, most)

    @classmethod
    def of_all(cls, instance: NDArray[np.intp], n: int, most: int) -> Self:
        """The first ``most`` events of each of ``n`` instances; ``instance`` as in `of`."""
        if n == 1:
            place = np.arange(min(len(instance), most))
            return cls(np.array([len(instance)]), place, np.array([len(place)]))
        n_events = np.bincount(instance, minlength=n)
        return cls._listed(np.cumsum(n_events) - n_events, n_events, most)

    @classmethod
    def _listed(cls, begin: NDArray[np.intp], n_events: NDArray[np.intp], most: int) -> Self:
        n_listed = np.minimum(n_events, most)
        end = np.cumsum(n_listed)
        place = np.arange(n_listed.sum()) + np.repeat(begin - end + n_listed, n_listed)
        return cls(n_events, place, end)

    def joined(
        self,
        *clauses: TextArray,
        mark: str = "; ",
        last_mark: str = "; ",
        others: str = "",
        ending: TextArray | None = None,
    ) -> TextArray:
        """(n_told,) object: the clauses of each instance that has events, and how many further events it has.

        Parameters
        ----------
        clauses : (n_listed,) object each
            The parts of each clause, one after another.
        mark, last_mark : str
            What stands between two clauses, and before the last.
        others : str
            What the further events are; begins with a space: ``2 more nodes``.
        ending : (n_told,) object, optional
            What follows the clauses of each instance.
        """
        if len(self.end) <= FEW:
            return texts_of(self._joined_one_by_one(clauses, mark, last_mark, others, ending))
        first = np.concatenate(([0], self.end[:-1]))
        n_listed = self.end - first
        told = np.flatnonzero(n_listed)
        n_listed, first, n_more = n_listed[told], first[told], (self.n_events - n_listed)[told]
        texts, pattern = np.empty(len(n_listed), dtype=object), 2 * n_listed + (n_more > 0)
        for of_rows in np.flatnonzero(np.bincount(pattern)).tolist():
            rows, (n, is_cut) = np.flatnonzero(pattern == of_rows), divmod(of_rows, 2)
            listed = [[part[first[rows] + j] for part in clauses] for j in range(n)]
            listed += [[each_distinct(n_more[rows], lambda more: f"{more} more{others}")]] if is_cut else []
            columns: list[TextArray | str] = [*listed[0]]
            for j, clause in enumerate(listed[1:], 2):
                columns += [mark if j < len(listed) else last_mark, *clause]
            columns += [] if ending is None else [ending[rows]]
            texts[rows] = joined_texts(*columns)
        return texts

    def _joined_one_by_one(
        self, clauses: Sequence[TextArray], mark: str, last_mark: str, others: str, ending: TextArray | None
    ) -> Iterator[str]:
        """The texts of `joined`, each made by itself."""
        begin, endings = 0, iter(() if ending is None else ending)
        for end, n_events in as_rows(self.end, self.n_events):
            if begin < end:
                *before, last = map("".join, zip(*(part[begin:end] for part in clauses), strict=True))
                if n_events > end - begin:
                    before, last = [*before, last], f"{n_events - end + begin} more{others}"
                yield mark.join(before) + (last_mark if before else "") + last + next(endings, "")
                begin = end


def answer_texts(class_names: tuple[str, ...], proba: FloatArray, predicted: Int64Array) -> list[str]:
    """Each answer with its probability: ``yes (83 %)``; see `verdict`."""
    likeliest, at = most_probable(proba), np.arange(len(proba))
    proba = proba.clip(0.0, 1.0)  # a tree's own rounding may leave the range
    parts = (predicted, proba[at, predicted], likeliest, proba[at, likeliest])
    write = cache(partial(_answer_text, class_names))  # a tree has few distributions
    return [write(*part) for part in as_rows(*parts)]


def _answer_text(class_names: tuple[str, ...], c: int, share: float, likeliest: int, its_share: float) -> str:
    """An answer and its probability; where costs or a tree chose it against a more probable class, that one, too."""
    beside = "" if likeliest == c else f", {class_text(class_names[likeliest])} {percent(its_share, 2)}"
    return f"{class_text(class_names[c])} ({percent(share, 2)}{beside})"


def verdict(answer: str, is_rejected: bool, certainty: float, threshold: float, n_least: int = 0) -> str:
    """What to do, and the answer: ``answered yes (83 %)``, or ``rejected, refer to a human; yes (61 %) would be …``.

    ``n_least`` says of how many least certain rows of a file the row is one, where these are rejected; 0: it is none.
    """
    if not is_rejected:
        return f"answered {answer}"
    if n_least:
        why = f"it is one of the {n_least:,} least certain of the file" if n_least > 1 else "it is the least certain"
    elif threshold == np.inf:
        why = "the model's threshold rejects every such answer"
    elif certainty < threshold:
        why = "the certainty {} is below the threshold {}".format(*apart(certainty, threshold))
    else:
        why = "the row lies outside the training data"
    return f"rejected, refer to a human; {answer} would be the answer, but {why}"


def name_unseen_values(sentence: str, unseen: Mapping[str, str]) -> str:
    """The sentence with values that training did not have, by attribute, in the place of missing ones."""
    for name, value in unseen.items():
        for lacks, has in LACKS.items():
            pattern = rf"(?<!\S){re.escape(lacks.format(shown(name)))}(?!\w)"
            sentence = has.format(shown(name), quoted(value), NOT_SEEN).join(re.split(pattern, sentence))
    return sentence


def name_all_unseen_values(sentences: Sequence[str] | TextArray, data: Dataset, rows: Rows) -> TextArray:
    """The sentences about some rows of the data, each with the row's values that training did not have."""
    texts = texts_of(sentences)
    for place, row in enumerate(row_indices(rows, len(data)).tolist()):
        if unseen := data.unseen_in(row):
            texts[place] = name_unseen_values(texts[place], unseen)
    return texts
