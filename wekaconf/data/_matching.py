"""Matching of columns and nominal values, by name, to those of the training data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import HeaderMismatchError, OptionError, tell
from wekaconf.base.naming import closest, name_list, quoted
from wekaconf.base.words import Phrase, RenameColumns, Term
from wekaconf.data._declared_values import places_meant
from wekaconf.data._header import Attribute
from wekaconf.data.arrays import TextArray, texts_of

Unseen = Literal["missing", "error"]
"""How to treat a nominal value that the training data did not declare."""


def check_unseen(unseen: str) -> None:
    """Raise OptionError unless ``unseen`` is "missing" or "error"."""
    if unseen not in ("missing", "error"):
        raise OptionError(parameter="unseen", expected="'missing' or 'error'", got=f"'{unseen}'")


def columns_by_name(
    names: Sequence[str],
    wanted: Sequence[str],
    what: str,
    *,
    strict: bool = False,
    can_rename: bool = False,
    are_names: bool = True,
) -> list[int]:
    """The column of each wanted name.

    Parameters
    ----------
    names : sequence of str
        The columns of the data; those that are not wanted are ignored, with a `Note`.
    wanted : sequence of str
    what : str
        The name of the data in messages.
    strict : bool
        Whether the data must have just the wanted columns, in this order.
    can_rename : bool
        Whether the reader of the data can give columns other names.
    are_names : bool
        False: one side's data were an array, whose columns we have numbered; the names must then be in the same order.

    Raises
    ------
    HeaderMismatchError
        Columns are missing; the message lists them, each with the nearest name among the unmatched columns. Or they
        are in another order than they must be.
    """
    place = {name: column for column, name in enumerate(names)}
    is_wanted = set(wanted)
    extra = [name for name in names if name not in is_wanted]
    missing = [name for name in wanted if name not in place]
    if missing:
        near = {name: found for name in missing[:MOST_NAMED] if (found := closest(name, extra))}
        asked = ", ".join(quoted(name) + (f" (did you mean {quoted(near[name])}?)" if name in near else "")
                          for name in missing[:MOST_NAMED])  # fmt: skip
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        remedy: str | Term
        lacks, add, remedy = "a column is", "add it", "rename the column that holds it"
        if len(missing) > 1:
            lacks, add, remedy = f"{len(missing)} columns are", "add them", "rename the columns that hold them"
        if near and can_rename:
            remedy = RenameColumns(tuple({found: name for name, found in near.items()}.items()))
        raise HeaderMismatchError(
            f"{what}: {lacks} missing that the training data had: {asked}{more}; {add}, or ", remedy
        )
    if strict and list(names) != list(wanted):
        pairs = enumerate(zip(names, wanted, strict=False))
        first = next((column for column, (name, other) in pairs if name != other), len(wanted))
        expected = quoted(wanted[first]) if first < len(wanted) else "no more columns"
        raise HeaderMismatchError(
            f"{what}, column {first + 1}: expected {expected}, got {quoted(names[first])}; give the columns of the "
            "training data in their order, or let them be matched by name"
        )
    # An error would stop whoever has one column more; a missing column is one, since no answer without it would be
    # right.
    if extra:
        tell(f"{what}: ignored {name_list(extra)}, which the training data did not have")
    places = [place[name] for name in wanted]
    if not are_names and places != sorted(places):
        raise HeaderMismatchError(
            f"{what}: columns in the order {name_list([names[column] for column in sorted(places)])} cannot be matched "
            f"to {name_list(wanted)}, which are no names: they number the columns of an array; give the array its "
            "names, or the columns in its order"
        )
    return places


def match_padded_names(wanted: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names; one that differs from a wanted one in blanks around it, which ARFF alone keeps, is that one."""
    given, are_wanted = set(names), set(wanted)
    padded = {name.strip(): name for name in wanted if name not in given}
    return [name if name in are_wanted else padded.pop(name.strip(), name) for name in names]


def columns_by_place(names: Sequence[str], wanted: Sequence[str], class_name: str | None, what: str) -> list[int]:
    """The column of each wanted name, one after another, but for that of the class, found by its name if it has one.

    Raises
    ------
    HeaderMismatchError
        There are more or fewer columns.
    """
    if len(names) != len(wanted):
        raise HeaderMismatchError(
            f"{what}: expected {len(wanted)} columns, got {len(names)}; give the columns of the training data"
        )
    next_input = iter(place for place, name in enumerate(names) if name != class_name)
    return [names.index(name) if name == class_name else next(next_input) for name in wanted]


def note_matched_by_place(names: Sequence[str], class_name: str | None, what: str) -> None:
    """Give a `Note` that columns with names are matched to those of an array."""
    inputs = name_list([name for name in names if name != class_name])
    tell(f"{what}: {inputs} are matched by position, since the training data were an array")


MOST_NAMED = 12
"""The largest number of missing columns that a message names."""


class UnseenCells(NamedTuple):
    """The cells of an attribute that hold values which the training data did not declare.

    Parameters
    ----------
    rows : (n,) intp
        Ascending.
    texts : (n,) object
        Their values.
    """

    rows: NDArray[np.intp]
    texts: TextArray

    def take(self, indices: NDArray[np.intp]) -> UnseenCells:
        """The cells of the instances at ``indices``, in that order, with the rows that they have there."""
        text_of = dict(zip(self.rows.tolist(), self.texts, strict=True))
        places = np.flatnonzero(np.isin(indices, self.rows))
        texts = np.empty(len(places), dtype=object)
        texts[:] = [text_of[row] for row in indices[places].tolist()]
        return UnseenCells(places, texts)


def join_unseen_cells(parts: Sequence[Any]) -> dict[str, UnseenCells]:
    """The undeclared values of all parts of a data set, with the rows that they have in the whole."""
    pieces: dict[str, list[UnseenCells]] = {}
    n_before = 0
    for part in parts:
        for name, cells in part.unseen.items():
            pieces.setdefault(name, []).append(cells._replace(rows=cells.rows + n_before))
        n_before += len(part)
    return {
        name: UnseenCells(*(np.concatenate(arrays) for arrays in zip(*cells, strict=True)))
        for name, cells in pieces.items()
    }


class UnseenValues:
    """Counts of the undeclared values in the parts of a file, which are treated as missing.

    Parameters
    ----------
    marks_class : bool
        Whether undeclared classes are marked, and counted, instead of refused.

    Attributes
    ----------
    n_read : int
        Number of instances in the parts before the current one.
    cells : dict of str to UnseenCells
        The undeclared values of each attribute in the current part, those of the class left out.
    """

    def __init__(self, *, marks_class: bool = False) -> None:
        self.marks_class = marks_class
        self.n_read = 0
        self.cells: dict[str, UnseenCells] = {}
        self._counts: dict[str, tuple[str, int, str]] = {}

    def add(self, name: str, message: str, n: int, *, is_class: bool = False) -> None:
        """Count ``n`` undeclared values of an attribute; the message is about the first of them."""
        first, n_before, _ = self._counts.get(name, (message, 0, ""))
        self._counts[name] = first, n_before + n, MARKED if is_class else "treated as missing"

    def next_part(self, n: int) -> None:
        """Go on to the next part, after one of ``n`` instances."""
        self.n_read += n
        self.cells = {}

    def tell(self) -> None:
        """Give a `Note` per attribute."""
        for message, n, treated in self._counts.values():
            tell(f"{message}; {'it is' if n == 1 else f'{n} such values are'} {treated}")


MARKED = "kept as unknown, and whatever is answered there counts as wrong"
"""How undeclared classes are treated that are marked."""
UNDECLARED = -1.0
"""The mark of an undeclared class."""


def recode(
    cells: NDArray[np.float64],
    values: Sequence[str],
    theirs: Attribute,
    *,
    unseen: Unseen,
    what: str,
    is_class: bool = False,
    unseen_values: UnseenValues | None = None,
) -> NDArray[np.float64]:
    """Nominal cells as indices into the values of another declaration.

    Parameters
    ----------
    cells : (n_instances,) float64
        Indices into ``values``; NaN: missing.
    values : sequence of str
    theirs : Attribute
        The declaration of the training data.
    unseen : {"missing", "error"}
        How to treat a value that ``theirs`` does not declare: as missing, with a `Note`, or as an error. An undeclared
        class is an error, unless ``unseen_values`` marks it.
    what : str
        The name of the data in messages.
    is_class : bool
    unseen_values : UnseenValues, optional
        Counts the undeclared values, if the caller reports them; left out: a `Note` does.

    Returns
    -------
    (n_instances,) float64
        ``cells`` itself if both declarations are the same; −1 for an undeclared class that is marked. Cost: linear.

    Raises
    ------
    HeaderMismatchError
        There is an undeclared value that is an error, or one that may be either of two declared ones.
    """
    if tuple(values) == theirs.values:
        return cells
    meant = [*places_meant(values, theirs.values)]
    index = np.array([places[0] if places else UNDECLARED for places in meant], dtype=np.float64)
    known = ~np.isnan(cells)
    mapped = cells.copy()
    mapped[known] = index[cells[known].astype(np.intp)]
    n_read = 0 if unseen_values is None else unseen_values.n_read
    doubtful = np.flatnonzero(np.isin(cells, [code for code, places in enumerate(meant) if len(places) > 1]))
    if len(doubtful):
        code = int(cells[doubtful[0]])
        cell, declared = values[code], " or ".join(quoted(theirs.values[place]) for place in meant[code])
        raise HeaderMismatchError(
            f"{what}, row {doubtful[0] + 1 + n_read}: {quoted(cell)} of {quoted(theirs.name)} may be {declared}, which "
            "training told apart; write it as one of these texts"
        )
    lost = np.flatnonzero(mapped == UNDECLARED)
    if len(lost):
        first = values[int(cells[lost[0]])]
        message = (
            f"{what}, row {lost[0] + 1 + n_read}: value {quoted(first)} of {quoted(theirs.name)} was not seen in "
            f"training ({name_list(theirs.values, first)})"
        )
        counts = unseen_values or UnseenValues()
        # A class that is treated as missing would leave the score, and accuracy would look better than it is.
        if is_class and not counts.marks_class:
            raise HeaderMismatchError(
                f"{message}; make their class missing (?) to have such instances answered; they then count as neither "
                "right nor wrong, though every answer for them is wrong"
            )
        if is_class:
            counts.add(theirs.name, message, len(lost), is_class=True)
            return mapped
        if unseen == "error":
            raise HeaderMismatchError(f"{message}; correct it or ", Phrase.UNSEEN_AS_MISSING)
        counts.add(theirs.name, message, len(lost))
        counts.cells[theirs.name] = UnseenCells(lost, texts_of(values[i] for i in cells[lost].astype(np.intp).tolist()))
        if unseen_values is None:
            counts.tell()
        mapped[lost] = np.nan
    return mapped
