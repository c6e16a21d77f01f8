"""Instances as float64 arrays, with a header that describes the columns."""

from __future__ import annotations

import os
import weakref
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.base.errors import OptionError
from wekaconf.data._conversions import Convertible
from wekaconf.data._header import Attribute, Header
from wekaconf.data._matching import (
    Unseen,
    UnseenCells,
    UnseenValues,
    check_unseen,
    columns_by_name,
    join_unseen_cells,
    match_padded_names,
    recode,
)
from wekaconf.data.arrays import LARGEST_WEIGHT, ROWS_AT_A_TIME, FloatArray, are_weights, frozen

if TYPE_CHECKING:
    from wekaconf.data.table_files._base import Reading


def header_of(data: object) -> Header:
    """The header of a data set; OptionError for anything else."""
    if not isinstance(data, Dataset):
        raise OptionError(f"expected a Dataset, got {type(data).__name__}; {_conversion_advice(data)}", value_of="data")
    return data.header


def _conversion_advice(data: object) -> str:
    """Advice on how to make a data set from ``data``."""
    library = type(data).__module__.partition(".")[0]
    if library in ("pandas", "polars"):
        return (
            f"make one with Dataset.from_{library}(frame, class_attribute='…'), or with header=model.header if a model "
            "is to answer for it"
        )
    if library == "numpy" or isinstance(data, list | tuple):
        return "make one with Dataset.from_arrays(X, y), with header=model.header if a model is to answer for it"
    if library == "weka":
        return "make one with Dataset.from_weka"
    if isinstance(data, str | os.PathLike):
        return "read the file with load_table or load_arff, with header=model if a model is to answer for it"
    return "make one with load_arff, load_table, Dataset.from_pandas, from_polars or from_arrays"


def flags_of(rows: NDArray[np.int32], n_instances: int) -> NDArray[np.bool_]:
    """(n_instances,) bool: whether an instance is one of these rows, as `Dataset.sparse_rows` lists them."""
    return np.isin(np.arange(n_instances), rows)


def _as_conformed(mine: Attribute, theirs: Attribute) -> Attribute:
    """The attribute of a header, with what the rows hold of strings, or the zone in which their dates were read."""
    if theirs.kind in ("string", "relational"):
        return mine
    return theirs if mine.zone == theirs.zone else replace(theirs, zone=mine.zone)


@dataclass(frozen=True, eq=False)
class Dataset(Convertible):
    """Instances in Weka's layout.

    Parameters
    ----------
    header : Header
    values : (n_instances, n_attributes) float64
        Numeric: the number; nominal, string, relational: the index into the attribute's ``values``; date:
        milliseconds since 1970-01-01T00:00Z; missing: NaN. Kept read-only.
    weights : (n_instances,) float64, optional
        Instance weights in [0, 1e100], dimensionless; 1 when left out.
    is_sparse : (n_instances,) bool, optional
        Which instances Weka holds as sparse, because their file writes them as ``{…}``. Their zeros have no sign, and
        Weka grows other random trees on them. None: no instance is sparse.
    reading : Reading, optional
        How the columns of a file or a frame were read, so that a model reads later ones alike. None: not known.
    unseen : mapping of str to UnseenCells
        Of data read with a header of others: the values that it does not declare, and that are missing here, by
        attribute; not those of the class.

    Raises
    ------
    ValueError
        The shapes disagree, a weight is out of range, or an indexed cell is not a valid index.
    """

    header: Header
    values: FloatArray
    weights: FloatArray = field(default=None)  # type: ignore[arg-type]
    # Weka's sparse instance follows from this and the cells: it stores no zeros, first values and −0.0. None, not all
    # False, costs dense data nothing and leaves their digests unchanged.
    is_sparse: NDArray[np.bool_] | None = None
    reading: Reading | None = None
    unseen: Mapping[str, UnseenCells] = field(default_factory=dict)

    def __post_init__(self) -> None:
        values = np.ascontiguousarray(self.values, dtype=np.float64)
        n_attributes = len(self.header.attributes)
        if values.ndim != 2 or values.shape[1] != n_attributes:
            raise ValueError(f"values: expected (n_instances, {n_attributes}), got {values.shape}")
        weights = np.ones(len(values)) if self.weights is None else np.ascontiguousarray(self.weights, dtype=np.float64)
        if weights.shape != (len(values),):
            raise ValueError(f"weights: expected ({len(values)},), got {weights.shape}")
        if len(wrong := weights[~are_weights(weights)]):
            raise ValueError(
                f"weights: expected numbers from 0 to {LARGEST_WEIGHT:g}, got {wrong[0]:g}; divide all by one number "
                "if they are too large"
            )
        self._check_indices(values)
        object.__setattr__(self, "values", frozen(values, self.values))
        object.__setattr__(self, "weights", frozen(weights, self.weights))
        if self.is_sparse is not None:
            self._set_sparse(np.asarray(self.is_sparse, dtype=np.bool_))

    def _set_sparse(self, is_sparse: NDArray[np.bool_]) -> None:
        if is_sparse.shape != (len(self),):
            raise ValueError(f"is_sparse: expected ({len(self)},), got {is_sparse.shape}")
        if not is_sparse.any():
            object.__setattr__(self, "is_sparse", None)
            return
        values = self.values
        is_negative_zero = is_sparse[:, None] & (values == 0) & np.signbit(values)
        if is_negative_zero.any():
            object.__setattr__(self, "values", frozen(np.where(is_negative_zero, 0.0, values)))
        object.__setattr__(self, "is_sparse", frozen(is_sparse, self.is_sparse))

    def _check_indices(self, values: FloatArray) -> None:
        indexed = [column for column, attribute in enumerate(self.header.attributes) if attribute.is_indexed]
        limits = self.header.n_values[indexed]
        for first in range(0, len(values) if indexed else 0, ROWS_AT_A_TIME):
            cells = values[first : first + ROWS_AT_A_TIME][:, indexed]
            wrong = (cells < 0) | (cells >= limits) | (np.floor(cells) < cells)  # False for NaN
            if wrong.any():
                row, place = np.argwhere(wrong)[0]
                expected = f"expected an index in 0 … {limits[place] - 1} or NaN, got {cells[row, place]:g}"
                raise ValueError(f"attribute '{self.attributes[indexed[place]].name}': {expected}")

    def __len__(self) -> int:
        """Number of instances."""
        return len(self.values)

    def __getitem__(self, indices: int | slice | ArrayLike) -> Dataset:
        """The instances at ``indices``, as for numpy; one index gives a data set of one instance. See `take`."""
        return self.take(indices)

    def __eq__(self, other: object) -> bool:
        """Whether headers, values, weights and sparse instances are equal; a missing value equals a missing value."""
        return (
            isinstance(other, Dataset)
            and self.header == other.header
            and np.array_equal(self.values, other.values, equal_nan=True)
            and np.array_equal(self.weights, other.weights)
            and np.array_equal(self.sparse_rows, other.sparse_rows)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Name and shape."""
        return f"Dataset({self.relation!r}: {len(self)} instances, {len(self.attributes)} attributes)"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy by the constructor's arguments, so that the arrays come back read-only."""
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

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

    @property
    def sparse_rows(self) -> NDArray[np.int32]:
        """(n_sparse,) int32: the rows of the sparse instances, ascending."""
        return np.flatnonzero(() if self.is_sparse is None else self.is_sparse).astype(np.int32)

    @cached_property
    def class_values(self) -> NDArray[np.int64]:
        """(n_instances,) int64: class index of each instance, −1 when missing; OptionError for a numeric class."""
        self.header.check_nominal_class(self.values[:, self.class_index] if self.class_index >= 0 else None)
        cells = self.values[:, self.class_index]
        return np.where(np.isnan(cells), -1.0, cells).astype(np.int64)

    @cached_property
    def is_training_part(self) -> bool:
        """Whether every instance counts in training: it has a class and a positive weight."""
        return bool((self.class_values >= 0).all() and (self.weights > 0).all())

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
        is_sparse = None if self.is_sparse is None else self.is_sparse[indices]
        part = self._of_checked(self.values[indices], self.weights[indices], is_sparse)
        if self.unseen:
            unseen = {name: cells.take(indices) for name, cells in self.unseen.items()}
            object.__setattr__(part, "unseen", {name: cells for name, cells in unseen.items() if len(cells.rows)})
        # So the bridge sends Java the whole set once, and then row numbers: 0.06 ms for splice's 2,871 × 61 cells in
        # place of 1.2 ms, which is as long as a method takes to answer. A weak reference, so that nothing is kept
        # alive.
        whole, rows_of_whole = self.taken_from or (self, None)
        part_rows = indices if rows_of_whole is None else rows_of_whole[indices]
        object.__setattr__(part, "_origin", (weakref.ref(whole), part_rows))
        return part

    @property
    def taken_from(self) -> tuple[Dataset, NDArray[np.intp]] | None:
        """The data set from which `take` took these instances, perhaps in several steps, and their rows in it.

        None: they were not taken from another data set, or nobody uses it any more.
        """
        whole_reference, rows = vars(self).get("_origin", (lambda: None, None))
        whole = whole_reference()
        return None if whole is None else (whole, rows)

    def join(self, *others: Dataset) -> Dataset:
        """These instances followed by those of others; HeaderMismatchError unless they have the same attributes."""
        for other in others:
            self.header.check_same(other.header)
        parts = (self, *others)
        values = np.concatenate([part.values for part in parts])
        attributes = list(self.attributes)
        for column, attribute in enumerate(attributes):
            declared = [part.attributes[column].values for part in parts]
            if attribute.is_indexed and any(texts != declared[0] for texts in declared):  # strings, or bags
                attributes[column] = replace(attribute, values=tuple(dict.fromkeys(chain(*declared))))
                cells = [
                    recode(part.values[:, column], texts, attributes[column], unseen="error", what=self.relation)
                    for part, texts in zip(parts, declared, strict=True)
                ]
                values[:, column] = np.concatenate(cells)
        header = self.header if attributes == [*self.attributes] else replace(self.header, attributes=tuple(attributes))
        weights = frozen(np.concatenate([part.weights for part in parts]))
        is_sparse = None
        if any(part.is_sparse is not None for part in parts):
            is_sparse = np.concatenate([flags_of(part.sparse_rows, len(part)) for part in parts])
        return Dataset(header, frozen(values), weights, is_sparse, unseen=join_unseen_cells(parts))

    def renamed(self, relation: str) -> Dataset:
        """The same data with another relation name, which messages use."""
        return replace(self, header=replace(self.header, relation=relation))

    def header_of_values(self) -> Header:
        """The header with only those nominal values that some instance has; the class keeps all that it has.

        A column without a value keeps its declaration.
        """
        attributes = list(self.attributes)
        for column, attribute in enumerate(attributes):
            if attribute.is_nominal and column != self.header.class_index:
                cells = self.values[:, column]
                present = np.unique(cells[~np.isnan(cells)]).astype(np.intp).tolist()
                values = tuple(attribute.values[place] for place in present) or attribute.values
                attributes[column] = replace(attribute, values=values)
        return replace(self.header, attributes=tuple(attributes))

    def with_class(self, which: str | int) -> Dataset:
        """The same instances with another class attribute; see `Header.with_class`."""
        return replace(self, header=self.header.with_class(which))

    def unseen_in(self, row: int) -> dict[str, str]:
        """The values of an instance that its header does not declare, see ``unseen``, by attribute."""
        places = {name: int(np.searchsorted(cells.rows, row)) for name, cells in self.unseen.items()}
        return {
            name: str(self.unseen[name].texts[place])
            for name, place in places.items()
            if place < len(self.unseen[name].rows) and self.unseen[name].rows[place] == row
        }

    def without_class_values(self) -> Dataset:
        """The same instances with every class missing."""
        if self._lacks_every_class:
            return self
        values = self.values.copy()
        values[:, self.class_index] = np.nan
        data = self._of_checked(values, self.weights, self.is_sparse)
        object.__setattr__(data, "unseen", self.unseen)
        return data

    @cached_property
    def _lacks_every_class(self) -> bool:
        return self.class_index < 0 or bool(np.isnan(self.values[:, self.class_index]).all())

    def _of_checked(self, values: FloatArray, weights: FloatArray, is_sparse: NDArray[np.bool_] | None) -> Dataset:
        """A data set made without checks, from cells, weights and sparse rows of this one; cells may be missing."""
        data = object.__new__(type(self))
        sparse = None if is_sparse is None or not is_sparse.any() else frozen(is_sparse)
        fields = {"header": self.header, "values": frozen(values), "weights": frozen(weights), "is_sparse": sparse}
        for name, value in (fields | {"reading": self.reading, "unseen": {}}).items():
            object.__setattr__(data, name, value)
        return data

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
        return replace(self, header=replace(self.header, attributes=tuple(attributes)), values=frozen(values))

    def without(self, names: Collection[str]) -> Dataset:
        """The same instances without these attributes; without a class if that is one of them."""
        kept = [column for column, attribute in enumerate(self.attributes) if attribute.name not in names]
        class_index = kept.index(self.class_index) if self.class_index in kept else -1
        return self._of_columns(kept, class_index)

    def conform(
        self,
        header: Header,
        *,
        unseen: Unseen = "missing",
        what: str = "the data",
        strict: bool = False,
        unseen_values: UnseenValues | None = None,
    ) -> Dataset:
        """The same instances with another header; attributes and nominal values are matched by name.

        Parameters
        ----------
        header : Header
            Attributes of these names must be there with these kinds, in any order; others are ignored, with a `Note`.
            The class may be absent; it is then missing for all instances.
        unseen : {"missing", "error"}
            How to treat a value that ``header`` does not declare: as missing, with a `Note`, or as an error. An
            undeclared class is always an error.
        what : str
            What messages call this data set.
        strict : bool
            Weka's rule: the attributes must be those of ``header`` in its order, but for the class.
        unseen_values : UnseenValues, optional
            Collects the values that ``header`` does not declare, if the caller reports them; left out: a `Note` does.

        Returns
        -------
        Dataset
            Cost: O(n_instances · n_attributes) if the attributes or a nominal declaration differ, else nothing.

        Raises
        ------
        HeaderMismatchError
            Attributes are missing, which the message lists, or of another kind; with ``strict``, names, kinds or number
            of attributes differ; or there is an undeclared value with ``unseen="error"``.
        """
        check_unseen(unseen)
        if not strict or self._lacks_only_the_class_of(header):
            ordered = self._with_missing_class(header) if strict else self._in_the_order_of(header, what)
            return ordered.conform(header, unseen=unseen, what=what, strict=True, unseen_values=unseen_values)
        header.check_columns(self.header, what, "give data with the attributes of the training data")
        values = self.values
        for column, (mine, theirs) in enumerate(zip(self.attributes, header.attributes, strict=True)):
            if theirs.is_nominal and mine.values != theirs.values:
                if values is self.values:
                    values = self.values.copy()
                values[:, column] = recode(
                    values[:, column], mine.values, theirs, unseen=unseen, what=what,
                    is_class=column == header.class_index, unseen_values=unseen_values,
                )  # fmt: skip
        kept = tuple(map(_as_conformed, self.attributes, header.attributes))
        return replace(self, header=replace(header, attributes=kept), values=values)

    def _in_the_order_of(self, header: Header, what: str) -> Dataset:
        """The same instances with the attributes of a header in its order, without the class if it is absent here."""
        own = [attribute.name for attribute in self.attributes]
        wanted = [attribute.name for attribute in header.attributes]
        names = match_padded_names(wanted, own)
        if names != own:
            attributes = tuple(replace(each, name=name) for each, name in zip(self.attributes, names, strict=True))
            renamed = replace(self, header=replace(self.header, attributes=attributes))
            return renamed._in_the_order_of(header, what)
        if header.class_index >= 0 and wanted[header.class_index] not in names:
            del wanted[header.class_index]
        are_names = self.header.is_named and header.is_named
        return self._of_columns(columns_by_name(names, wanted, what, are_names=are_names), -1)

    def _of_columns(self, columns: Sequence[int], class_index: int) -> Dataset:
        if list(columns) == list(range(len(self.attributes))):
            return self
        attributes = tuple(self.attributes[column] for column in columns)
        header = Header(self.relation, attributes, class_index, self.header.is_named)
        return replace(self, header=header, values=frozen(self.values[:, columns]))

    def _lacks_only_the_class_of(self, header: Header) -> bool:
        names = [attribute.name for attribute in header.attributes]
        others = names[: header.class_index] + names[header.class_index + 1 :]
        return header.class_index >= 0 and [attribute.name for attribute in self.attributes] == others

    def _with_missing_class(self, header: Header) -> Dataset:
        column = header.class_index
        attributes = (*self.attributes[:column], header.class_attribute, *self.attributes[column:])
        values = np.insert(self.values, column, np.nan, axis=1)
        header = Header(self.relation, attributes, column, self.header.is_named)
        return replace(self, header=header, values=frozen(values))
