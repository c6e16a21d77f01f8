"""The description of a data set's columns: attributes, and the header that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import HeaderMismatchError, OptionError
from wekaconf.base.naming import name_list, quoted, shown
from wekaconf.base.words import Argument, Setting, Term
from wekaconf.data.arrays import frozen

Kind = Literal["numeric", "nominal", "date", "string", "relational"]


CLASS_ATTRIBUTE = Argument("class_attribute")
WITH_CLASS = Argument("class_attribute", python="with_class")
"""What chooses the class of data that are read already."""
FEW_ROWS = 20
"""In fewer known values nothing is found that seems to identify the rows."""
NEARLY_ALL = 0.95
"""Share of distinct values from which a column seems to identify the rows."""
MOST_CLASSES = 12
"""The largest number of distinct numbers of any kind that are taken for class names; see `_may_name_classes`."""
MOST_VALUES = 50
"""The largest number of values of an attribute that is suggested as the class; from `FEW_ROWS` on, at most half as many
values as rows."""


def identifies_rows(n_distinct: int, n_known: int) -> bool:
    """Whether a column with so many distinct among its known values seems to identify the rows."""
    return n_known >= FEW_ROWS and n_distinct >= NEARLY_ALL * n_known


def _tuple_of(sequence: Iterable[Any], kind: type, what: str) -> tuple[Any, ...]:
    parts = () if isinstance(sequence, str) else tuple(sequence)
    if isinstance(sequence, str) or not all(isinstance(part, kind) for part in parts):
        raise ValueError(f"{what}: expected a sequence of {kind.__name__}, got {sequence!r}")
    return parts


def _check_unicode(what: str, text: str) -> None:
    """Raise ValueError for text that no file could hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        surrogate = text[error.start]
        raise ValueError(f"{what}: expected Unicode text, got {surrogate!r}, half of a surrogate pair") from None


def _may_name_classes(numbers: NDArray[np.float64], n_rows: int) -> bool:
    """Whether distinct numbers, ascending, may be names of classes: few, or counted from 0 or 1, with two rows each."""
    if len(numbers) <= MOST_CLASSES:
        return len(numbers) > 0
    is_counted = numbers[0] in (0, 1) and (np.diff(numbers) == 1).all()
    return bool(is_counted and 2 * len(numbers) <= n_rows)


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
    zone : str
        Date: the time zone, by its name in Java, in which texts without one were read; empty: there were none. Not
        compared.

    Raises
    ------
    ValueError
        A part is not of its type, holds half of a surrogate pair, or a value is declared twice.
    """

    name: str
    kind: Kind = "numeric"
    values: tuple[str, ...] = ()
    date_format: str = ""
    inner: tuple[Attribute, ...] = ()
    zone: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", _tuple_of(self.values, str, f"attribute '{self.name}', values"))
        object.__setattr__(self, "inner", _tuple_of(self.inner, Attribute, f"attribute '{self.name}', inner"))
        if not isinstance(self.name, str):
            raise ValueError(f"attribute name: expected text, got {self.name!r}")
        for part in ("date_format", "zone"):
            if not isinstance(getattr(self, part), str):
                raise ValueError(f"attribute '{self.name}', {part}: expected text, got {getattr(self, part)!r}")
        if self.kind not in get_args(Kind):
            raise ValueError(f"attribute '{self.name}': kind must be one of {get_args(Kind)}, got {self.kind!r}")
        if len(set(self.values)) < len(self.values):
            raise ValueError(f"attribute '{self.name}': {_repeated(self.values)!r} is declared twice")
        _check_unicode(f"attribute {self.name!r}", "".join((self.name, self.date_format, self.zone, *self.values)))

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
            return f"{quoted(self.name)} {self.kind}"
        values = ", ".join(map(quoted, self.values[:6]))
        return f"{quoted(self.name)} {{{values}{', …' if len(self.values) > 6 else ''}}}"


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
    is_named : bool
        False: the data were an array, and the names but for that of the class count its columns.

    Raises
    ------
    ValueError
        A part is not of its type, a name is used twice, or there is no column ``class_index``.
    """

    relation: str
    attributes: tuple[Attribute, ...]
    class_index: int = -1
    is_named: bool = field(default=True, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", _tuple_of(self.attributes, Attribute, "attributes"))
        names = [attribute.name for attribute in self.attributes]
        if not isinstance(self.relation, str):
            raise ValueError(f"relation: expected text, got {self.relation!r}")
        _check_unicode("relation", self.relation)
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
            raise OptionError(
                f"'{self.relation}' has no class attribute chosen; choose one with ", WITH_CLASS, value_of="data"
            )
        return self.attributes[self.class_index]

    @property
    def class_names(self) -> tuple[str, ...]:
        """The declared classes, in the order of the columns of every distribution."""
        return self.class_attribute.values

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return len(self.class_attribute.values)

    @cached_property
    def n_values(self) -> NDArray[np.int64]:
        """(n_attributes,) int64: number of values that each attribute declares; read-only."""
        return frozen(np.array([len(attribute.values) for attribute in self.attributes], dtype=np.int64))

    @cached_property
    def is_nominal(self) -> NDArray[np.bool_]:
        """(n_attributes,) bool: which attributes are nominal; read-only."""
        return frozen(np.array([attribute.is_nominal for attribute in self.attributes], dtype=np.bool_))

    @cached_property
    def is_ordered(self) -> NDArray[np.bool_]:
        """(n_attributes,) bool: which attributes are numbers or dates; read-only."""
        return frozen(np.array([each.kind in ("numeric", "date") for each in self.attributes], dtype=np.bool_))

    def check_nominal_class(self, values: NDArray[np.float64] | None = None) -> None:
        """Raise OptionError unless the class is nominal; the message says how to get a nominal class.

        ``values`` are the values of the class, if known. The message takes a few distinct numbers, or those that count
        from 0 or 1 without a gap, for names of classes, advises to make classes of many, and calls a column without a
        number empty. It suggests no attribute that has too many values for a class.
        """
        target = self.class_attribute
        if target.is_nominal:
            return
        numbers = np.zeros(0) if values is None else np.unique(values[~np.isnan(values)])
        text = f"'{self.relation}': class {quoted(target.name)} "
        if values is not None and len(values) and not len(numbers):
            advice = "give the instances whose class is known, or choose another with "
            problem = f"{text}is missing in all {len(values)} instances; {advice}"
            raise OptionError(problem, CLASS_ATTRIBUTE, value_of="data")
        n_rows = 0 if values is None else len(values)
        most = min(MOST_VALUES, n_rows // 2) if n_rows >= FEW_ROWS else MOST_VALUES
        nominal = [each.name for each in self.attributes if each.is_nominal and len(each.values) <= most]
        parts: list[str | Term] = [f"{text}is {target.kind}; a tree needs a nominal class"]
        one = "it" if len(nominal) == 1 else "one"
        if target.kind == "numeric" and _may_name_classes(numbers, n_rows):
            name = shown(target.name) if target.name.isidentifier() else quoted(target.name)
            first = ",".join(f"{number:g}" for number in numbers[:MOST_CLASSES])
            declared = first if len(numbers) <= MOST_CLASSES else f"{first},…"
            parts += [
                "; where its numbers name classes, read them as text, ",
                Setting("nominal", (shown(target.name),)),
                f" (in ARFF: @attribute {name} {{{declared}}}, or Weka's filter NumericToNominal)",
            ]
            parts += [f"; or choose another, such as {name_list(nominal)}, with ", WITH_CLASS] if nominal else []
        elif nominal:
            parts += [f" such as {name_list(nominal)}: choose {one} with ", WITH_CLASS]
        elif target.kind == "numeric":
            parts += ["; put classes in its place, such as low and high"]
        raise OptionError(*parts, value_of="data")

    def with_class(self, which: str | int | None) -> Header:
        """The same attributes with another class.

        Parameters
        ----------
        which : str, int or None
            ``"last"``, ``"first"``, a number counted from 1 (as in Weka's ``-c``), an attribute's name (a name takes
            precedence over a number), or None for no class.

        Raises
        ------
        OptionError
            Nothing matches; the message names the attributes.
        """
        return replace(self, class_index=-1 if which is None else self._column_of(which))

    def _column_of(self, which: str | int) -> int:
        names = [attribute.name for attribute in self.attributes]
        if not names:
            raise OptionError(f"'{self.relation}' has no attributes, so it has no class", value_of="which")
        if which in names:
            return names.index(str(which))
        if which == "last":
            return len(names) - 1
        if which == "first":
            return 0
        text = str(which)
        if text.isdecimal() and 1 <= int(text) <= len(names):
            return int(text) - 1
        valid = f"last, first, a number from 1 to {len(names)} or one of {name_list(names, text)}"
        problem = f"no class attribute {quoted(text)} in '{self.relation}'"
        raise OptionError(f"{problem}; give {valid}", value_of="class_attribute")

    def check_same(self, other: Header, what: str = "the data") -> None:
        """Raise HeaderMismatchError unless ``other`` has the same attributes and class.

        Parameters
        ----------
        other : Header
        what : str
            The name of ``other`` in the message.
        """
        if self.attributes == other.attributes and self.class_index == other.class_index:
            return
        advice = "give data with the attributes of the training data, or fit them to it with conform"
        self.check_columns(other, what, advice)
        if self.class_index != other.class_index:
            expected = f"expected column {self.class_index + 1} as the class"
            got = f"column {other.class_index + 1}" if other.class_index >= 0 else "none"
            raise HeaderMismatchError(f"{what}: {expected}, got {got}; choose the class with ", WITH_CLASS)
        for mine, theirs in zip(self.attributes, other.attributes, strict=True):
            if mine != theirs and (mine.kind, theirs.kind) not in (("string",) * 2, ("relational",) * 2):
                raise HeaderMismatchError(f"{what}: expected {mine.describe()}, got {theirs.describe()}; {advice}")

    def check_columns(self, other: Header, what: str, advice: str) -> None:
        """Raise HeaderMismatchError unless the attributes of ``other`` have the same names and kinds in this order."""
        for column, (mine, theirs) in enumerate(zip(self.attributes, other.attributes, strict=False), 1):
            if (mine.name, mine.kind) != (theirs.name, theirs.kind):
                raise HeaderMismatchError(
                    f"{what}, attribute {column}: expected {mine.describe()}, got {theirs.describe()}; {advice}"
                )
        if len(self.attributes) != len(other.attributes):
            raise HeaderMismatchError(
                f"{what}: expected {len(self.attributes)} attributes, got {len(other.attributes)}; {advice}"
            )
