"""Instances as float64 arrays, with a header that describes the columns."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.errors import HeaderMismatchError, Note, OptionError

Kind = Literal["numeric", "nominal", "date", "string", "relational"]
Unseen = Literal["missing", "error"]
FloatArray = NDArray[np.float64]
Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]


def _tuple_of(sequence: Iterable[Any], kind: type, what: str) -> tuple[Any, ...]:
    parts = () if isinstance(sequence, str) else tuple(sequence)
    if isinstance(sequence, str) or not all(isinstance(part, kind) for part in parts):
        raise ValueError(f"{what}: expected a sequence of {kind.__name__}, got {sequence!r}")
    return parts


def _repeated(names: Sequence[str]) -> str:
    return next(name for i, name in enumerate(names) if name in names[:i])


@dataclass(frozen=True)
class Attribute:
    """One column of a data set.

    Parameters
    ----------
    name : str
    kind : {"numeric", "nominal", "date", "string", "relational"}
    values : tuple of str
        Nominal: the declared values. String: the distinct strings in the data, in order of appearance.
        Relational: the distinct bags in the data, each as the ARFF text of its rows.
    date_format : str
        Date: the pattern of ``java.text.SimpleDateFormat``; else empty.
    inner : tuple of Attribute
        Relational: the attributes of the bags; else empty.

    Raises
    ------
    ValueError
        A part is not of its type, or a value is declared twice.
    """

    name: str
    kind: Kind = "numeric"
    values: tuple[str, ...] = ()
    date_format: str = ""
    inner: tuple[Attribute, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", _tuple_of(self.values, str, f"attribute '{self.name}', values"))
        object.__setattr__(self, "inner", _tuple_of(self.inner, Attribute, f"attribute '{self.name}', inner"))
        if not isinstance(self.name, str):
            raise ValueError(f"attribute name: expected text, got {self.name!r}")
        if not isinstance(self.date_format, str):
            raise ValueError(f"attribute '{self.name}', date_format: expected text, got {self.date_format!r}")
        if self.kind not in get_args(Kind):
            raise ValueError(f"attribute '{self.name}': kind must be one of {get_args(Kind)}, got {self.kind!r}")
        if len(set(self.values)) < len(self.values):
            raise ValueError(f"attribute '{self.name}': {_repeated(self.values)!r} is declared twice")

    @property
    def is_nominal(self) -> bool:
        """Whether a cell is an index into ``values`` declared in the header."""
        return self.kind == "nominal"

    @property
    def is_indexed(self) -> bool:
        """Whether a cell is an index into ``values`` (nominal, string, relational)."""
        return self.kind in ("nominal", "string", "relational")

    @cached_property
    def value_index(self) -> dict[str, int]:
        """Index of each value."""
        return {value: index for index, value in enumerate(self.values)}

    def describe(self) -> str:
        """The attribute's name and type, for messages."""
        if not self.is_nominal:
            return f"'{self.name}' {self.kind}"
        shown = ", ".join(f"'{value}'" for value in self.values[:6])
        return f"'{self.name}' {{{shown}{', …' if len(self.values) > 6 else ''}}}"


@dataclass(frozen=True)
class Header:
    """The description of a data set's columns.

    Parameters
    ----------
    relation : str
        Name of the data set.
    attributes : tuple of Attribute
    class_index : int
        Column of the class; −1 when none is chosen.

    Raises
    ------
    ValueError
        A part is not of its type, a name is used twice, or there is no column ``class_index``.
    """

    relation: str
    attributes: tuple[Attribute, ...]
    class_index: int = -1

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", _tuple_of(self.attributes, Attribute, "attributes"))
        names = [attribute.name for attribute in self.attributes]
        if not isinstance(self.relation, str):
            raise ValueError(f"relation: expected text, got {self.relation!r}")
        if len(set(names)) < len(names):
            raise ValueError(f"attributes: the name {_repeated(names)!r} is used twice")
        if isinstance(self.class_index, bool) or not isinstance(self.class_index, int | np.integer):
            raise ValueError(f"class_index: expected a whole number, got {self.class_index!r}")
        if not -1 <= self.class_index < len(names):
            raise ValueError(f"class_index: expected −1 or a column from 0 to {len(names) - 1}, got {self.class_index}")

    @property
    def class_attribute(self) -> Attribute:
        """The class attribute; OptionError when none is chosen."""
        if self.class_index < 0:
            raise OptionError(f"'{self.relation}' has no class attribute chosen; choose one with with_class")
        return self.attributes[self.class_index]

    @property
    def class_names(self) -> tuple[str, ...]:
        """The declared classes, in the order of the columns of every distribution."""
        return self.class_attribute.values

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return len(self.class_attribute.values)

    def check_nominal_class(self, values: FloatArray | None = None) -> None:
        """Raise OptionError unless the class is nominal; the message says how to get a nominal class.

        ``values`` are the values of the class, if known. A few distinct numbers may be the names of classes.
        """
        target = self.class_attribute
        if target.is_nominal:
            return
        text = f"class '{target.name}' is {target.kind}; a tree needs a nominal class"
        nominal = [attribute.name for attribute in self.attributes if attribute.is_nominal]
        if nominal:
            text += f" such as {name_list(nominal)}: choose it with with_class (-c)"
        numbers = np.zeros(0) if values is None else np.unique(values[~np.isnan(values)])
        if target.kind == "numeric" and 0 < len(numbers) <= MOST_CLASSES:
            name = target.name if target.name.isidentifier() else f"'{target.name}'"
            declared = ",".join(f"{number:g}" for number in numbers)
            text += (
                f"; where its numbers name classes, declare them in the ARFF file, @attribute {name} {{{declared}}}, "
                "or turn them into names with Weka's filter NumericToNominal"
            )
        raise OptionError(text)

    def find_class(self, which: str | int) -> int:
        """The column that ``which`` names.

        Parameters
        ----------
        which : str or int
            ``"last"``, ``"first"``, a number counted from 1 (as in Weka's ``-c``), or an attribute's name (a name takes
            precedence over a number).

        Raises
        ------
        OptionError
            Nothing matches; the message names the attributes.
        """
        names = [attribute.name for attribute in self.attributes]
        if not names:
            raise OptionError(f"'{self.relation}' has no attributes, so it has no class")
        if which in names:
            return names.index(str(which))
        if which == "last":
            return len(names) - 1
        if which == "first":
            return 0
        text = str(which)
        if text.isdecimal() and 1 <= int(text) <= len(names):
            return int(text) - 1
        raise OptionError(
            f"no class attribute '{which}' in '{self.relation}'; give last, first, a number from 1 to "
            f"{len(names)} or one of {name_list(names, text)}"
        )

    def check_same(self, other: Header, what: str = "the data") -> None:
        """Raise HeaderMismatchError unless ``other`` has the same attributes and class.

        Parameters
        ----------
        other : Header
        what : str
            What the message calls ``other``.
        """
        if self.attributes == other.attributes and self.class_index == other.class_index:
            return
        advice = "give data with the attributes of the training data, or fit them to it with conform"
        self._check_columns(other, what, advice)
        if self.class_index != other.class_index:
            raise HeaderMismatchError(
                f"{what}: expected column {self.class_index + 1} as the class, got "
                f"{f'column {other.class_index + 1}' if other.class_index >= 0 else 'none'}; "
                "choose the class with with_class"
            )
        for mine, theirs in zip(self.attributes, other.attributes, strict=True):
            if mine != theirs and (mine.kind, theirs.kind) not in (("string",) * 2, ("relational",) * 2):
                raise HeaderMismatchError(f"{what}: expected {mine.describe()}, got {theirs.describe()}; {advice}")

    def _check_columns(self, other: Header, what: str, advice: str) -> None:
        for column, (mine, theirs) in enumerate(zip(self.attributes, other.attributes, strict=False), 1):
            if (mine.name, mine.kind) != (theirs.name, theirs.kind):
                raise HeaderMismatchError(
                    f"{what}, attribute {column}: expected {mine.describe()}, got {theirs.describe()}; {advice}"
                )
        if len(self.attributes) != len(other.attributes):
            raise HeaderMismatchError(
                f"{what}: expected {len(self.attributes)} attributes, got {len(other.attributes)}; {advice}"
            )


def header_of(data: object) -> Header:
    """The header of a data set; OptionError for anything else."""
    if not isinstance(data, Dataset):
        raise OptionError(f"expected a Dataset, got {type(data).__name__}; make one with load_arff or Dataset(...)")
    return data.header


def name_list(names: Iterable[str], near: str = "") -> str:
    """``names`` for a message: all if they are few, else those closest to ``near`` and their number."""
    names = list(names)
    if len(names) > 12:
        shown = difflib.get_close_matches(near, names, n=5, cutoff=0.5) or names[:5]
        return ", ".join(f"'{name}'" for name in shown) + f", … ({len(names)} in all)"
    return ", ".join(f"'{name}'" for name in names)


def frozen(array: FloatArray, given: object = None) -> FloatArray:
    """``array`` made read-only; a copy of it if it is ``given`` itself, which the caller may still write to."""
    if array is given and array.flags.writeable:
        array = array.copy()
    array.flags.writeable = False
    return array


MOST_CLASSES = 12
"""The largest number of distinct numbers that may be names of classes; see `Header.check_nominal_class`."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Instances in Weka's layout.

    Parameters
    ----------
    header : Header
    values : (n_instances, n_attributes) float64
        Numeric: the number; nominal, string, relational: the index into the attribute's ``values``; date:
        milliseconds since 1970-01-01T00:00Z; missing: NaN. Kept read-only.
    weights : (n_instances,) float64, optional
        Instance weights in [0, ∞), dimensionless; 1 when left out.

    Raises
    ------
    ValueError
        The shapes disagree, a weight is negative or not finite, or an indexed cell is not a valid index.
    """

    header: Header
    values: FloatArray
    weights: FloatArray = field(default=None)  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        values = np.ascontiguousarray(self.values, dtype=np.float64)
        n_attributes = len(self.header.attributes)
        if values.ndim != 2 or values.shape[1] != n_attributes:
            raise ValueError(f"values: expected (n_instances, {n_attributes}), got {values.shape}")
        weights = np.ones(len(values)) if self.weights is None else np.ascontiguousarray(self.weights, dtype=np.float64)
        if weights.shape != (len(values),):
            raise ValueError(f"weights: expected ({len(values)},), got {weights.shape}")
        if not (np.isfinite(weights) & (weights >= 0)).all():
            raise ValueError("weights: expected finite numbers of at least 0")
        for column, attribute in enumerate(self.header.attributes):
            if attribute.is_indexed:
                cells = values[:, column]
                cells = cells[~np.isnan(cells)]
                wrong = (cells < 0) | (cells >= len(attribute.values)) | (cells != np.floor(cells))
                if wrong.any():
                    raise ValueError(
                        f"attribute '{attribute.name}': expected an index in 0 … {len(attribute.values) - 1} or NaN, "
                        f"got {cells[wrong][0]:g}"
                    )
        object.__setattr__(self, "values", frozen(values, self.values))
        object.__setattr__(self, "weights", frozen(weights, self.weights))

    def __len__(self) -> int:
        """Number of instances."""
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        """Whether headers, values and weights are equal, bit for bit; a missing value equals a missing value."""
        return (
            isinstance(other, Dataset)
            and self.header == other.header
            and np.array_equal(self.values, other.values, equal_nan=True)
            and np.array_equal(self.weights, other.weights)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Name and shape."""
        return f"Dataset({self.relation!r}: {len(self)} instances, {len(self.attributes)} attributes)"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy by the constructor's arguments, so that the arrays come back read-only."""
        return type(self), (self.header, self.values, self.weights)

    @property
    def relation(self) -> str:
        """Name of the data set."""
        return self.header.relation

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The columns."""
        return self.header.attributes

    @property
    def class_index(self) -> int:
        """Column of the class, −1 when none is chosen."""
        return self.header.class_index

    @property
    def class_names(self) -> tuple[str, ...]:
        """The declared classes."""
        return self.header.class_names

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return self.header.n_classes

    @cached_property
    def class_values(self) -> NDArray[np.int64]:
        """(n_instances,) int64: class index of each instance, −1 when missing; OptionError for a numeric class."""
        self._check_nominal_class()
        cells = self.values[:, self.class_index]
        return np.where(np.isnan(cells), -1.0, cells).astype(np.int64)

    def typical_values(self) -> FloatArray:
        """(n_attributes,) float64: the median of each attribute's known values, or its most frequent value if nominal.

        Ties go to the value declared first; 0 if no value is known.
        """
        typical = np.zeros(len(self.attributes))
        for column, attribute in enumerate(self.attributes):
            known = self.values[~np.isnan(self.values[:, column]), column]
            if len(known):
                typical[column] = (
                    np.bincount(known.astype(np.intp)).argmax() if attribute.is_nominal else np.median(known)
                )
        return typical

    def take(self, indices: ArrayLike | slice) -> Dataset:
        """The instances at ``indices``, in that order, as a new data set.

        Parameters
        ----------
        indices : (n,) integers, (n_instances,) bool, or slice
            As for numpy; negative integers count from the end. Cost: O(n · n_attributes).

        Raises
        ------
        IndexError
            There is no such instance.
        """
        rows = indices if isinstance(indices, slice) else np.asarray(indices)
        if isinstance(rows, np.ndarray) and rows.size == 0:
            rows = rows.astype(np.intp)
        indices = np.atleast_1d(np.arange(len(self))[rows])
        return replace(self, values=frozen(self.values[indices]), weights=frozen(self.weights[indices]))

    def join(self, other: Dataset) -> Dataset:
        """These instances followed by those of ``other``; HeaderMismatchError unless it has the same attributes."""
        self.header.check_same(other.header)
        values = frozen(np.concatenate((self.values, other.values)))
        return replace(self, values=values, weights=frozen(np.concatenate((self.weights, other.weights))))

    def renamed(self, relation: str) -> Dataset:
        """The same data with another relation name, which messages use."""
        return replace(self, header=replace(self.header, relation=relation))

    def with_class(self, which: str | int) -> Dataset:
        """The same instances with another class attribute; see `Header.find_class`."""
        return replace(self, header=replace(self.header, class_index=self.header.find_class(which)))

    def without_class_values(self) -> Dataset:
        """The same instances with every class missing."""
        if self.class_index < 0 or np.isnan(self.values[:, self.class_index]).all():
            return self
        values = self.values.copy()
        values[:, self.class_index] = np.nan
        return replace(self, values=frozen(values))

    def with_class_values(self, classes: ArrayLike) -> Dataset:
        """The same instances with other classes, each of weight 1.

        Parameters
        ----------
        classes : (n_instances,) integers, or one integer for all
            Class indices.
        """
        values = self.values.copy()
        values[:, self.class_index] = classes
        return replace(self, values=frozen(values), weights=frozen(np.ones(len(self))))

    def with_known_classes(self, known: ArrayLike) -> Dataset:
        """The same instances with only some of the classes known.

        Parameters
        ----------
        known : (n_known,) integers
            Indices of declared classes, ascending.

        Returns
        -------
        Dataset
            The class attribute declares only the known classes; instances of other classes have a missing class.
        """
        known = np.asarray(known, dtype=np.intp)
        target = self.header.class_attribute
        index = np.full(len(target.values) + 1, np.nan)  # the last entry is for a missing class, −1
        index[known] = np.arange(len(known))
        attributes = list(self.attributes)
        attributes[self.class_index] = replace(target, values=tuple(target.values[c] for c in known))
        values = self.values.copy()
        values[:, self.class_index] = index[self.class_values]
        return Dataset(replace(self.header, attributes=tuple(attributes)), frozen(values), self.weights)

    def conform(self, header: Header, *, unseen: Unseen = "missing", what: str = "the data") -> Dataset:
        """The same instances with another header; nominal values are matched by name.

        Parameters
        ----------
        header : Header
            Must have the same attribute names and kinds in the same order. The class may be absent from these data; it
            is then missing for all instances.
        unseen : {"missing", "error"}
            How to treat a value that ``header`` does not declare: as missing, with a `Note`, or as an error. An
            undeclared class is always an error.
        what : str
            What messages call this data set.

        Returns
        -------
        Dataset
            Cost: O(n_instances · n_attributes) if a nominal declaration differs, else nothing.

        Raises
        ------
        HeaderMismatchError
            Names, kinds or number of attributes differ, or there is an undeclared value with ``unseen="error"``.
        """
        if unseen not in ("missing", "error"):
            raise OptionError(f"unseen: expected 'missing' or 'error', got '{unseen}'")
        if self._lacks_only_the_class_of(header):
            return self._with_missing_class(header).conform(header, unseen=unseen, what=what)
        header._check_columns(self.header, what, "give data with the attributes of the training data")
        values = self.values
        for column, (mine, theirs) in enumerate(zip(self.attributes, header.attributes, strict=True)):
            if not theirs.is_nominal or mine.values == theirs.values:
                continue
            index = np.array([theirs.value_index.get(value, -1) for value in mine.values], dtype=np.float64)
            cells = self.values[:, column]
            known = ~np.isnan(cells)
            mapped = cells.copy()
            mapped[known] = index[cells[known].astype(np.intp)] if len(index) else np.nan
            lost = np.flatnonzero(mapped == -1)
            if len(lost):
                first = mine.values[int(cells[lost[0]])]
                message = (
                    f"{what}, instance {lost[0] + 1}: value '{first}' of '{mine.name}' was not seen in training "
                    f"({name_list(theirs.values, first)})"
                )
                if column == header.class_index:
                    raise HeaderMismatchError(f"{message}; leave such instances out, or make their class missing (?)")
                if unseen == "error":
                    raise HeaderMismatchError(f"{message}; correct it or treat unseen values as missing")
                treated = "it is" if len(lost) == 1 else f"{len(lost)} such values are"
                warnings.warn(Note(f"{message}; {treated} treated as missing"), stacklevel=2)
                mapped[lost] = np.nan
            if values is self.values:
                values = self.values.copy()
            values[:, column] = mapped
        kept = tuple(
            mine if theirs.kind in ("string", "relational") else theirs
            for mine, theirs in zip(self.attributes, header.attributes, strict=True)
        )
        return Dataset(replace(header, attributes=kept), values, self.weights)

    def _check_nominal_class(self) -> None:
        self.header.check_nominal_class(self.values[:, self.class_index] if self.class_index >= 0 else None)

    def _lacks_only_the_class_of(self, header: Header) -> bool:
        names = [attribute.name for attribute in header.attributes]
        others = names[: header.class_index] + names[header.class_index + 1 :]
        return header.class_index >= 0 and [attribute.name for attribute in self.attributes] == others

    def _with_missing_class(self, header: Header) -> Dataset:
        at = header.class_index
        attributes = (*self.attributes[:at], header.class_attribute, *self.attributes[at:])
        values = np.insert(self.values, at, np.nan, axis=1)
        return Dataset(Header(self.relation, attributes, at), frozen(values), self.weights)


def counted(data: Dataset) -> Dataset:
    """The instances that count in training: those that have a class and a positive weight."""
    counts = (data.class_values >= 0) & (data.weights > 0)
    return data if counts.all() else data.take(counts)


def check_trainable(train: Dataset) -> None:
    """Raise OptionError unless a tree can be grown on ``train``; the message gives the reason."""
    header_of(train)
    train._check_nominal_class()
    target = train.header.class_attribute
    unfit = [attribute.name for attribute in train.attributes if attribute.kind in ("string", "relational")]
    if unfit:
        raise OptionError(
            f"string and relational attributes cannot be learned from: {name_list(unfit)}; remove them, "
            "or make string attributes nominal with the filter weka.filters.unsupervised.attribute.StringToNominal"
        )
    if len(target.values) < 2:
        declared = "only 1 value" if target.values else "no value"
        raise OptionError(f"class '{target.name}' declares {declared}; a tree needs at least 2")
    if not (train.weights[train.class_values >= 0] > 0).any():
        raise OptionError(
            f"'{train.relation}' has no instance with a class and a positive weight ({len(train)} instances in all), "
            "so there is nothing to learn from"
        )
