"""Declarations of the arrays in a model file, each made once, where the array gets its name and type.

A class that is written to a file as arrays annotates each of them with a `Stored`:
``answer_: Annotated[FloatArray, stored(np.float64, "n_nodes", "n_classes", low=0, high=1)]``. Both writer and reader
follow the declarations: only declared arrays are written, and any other is refused before it is read. Reading runs
nothing: every size is checked, and an array's own header must fit its declaration, before any of its bytes are read.
"""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import IO, Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

Sizes = MutableMapping[str, int]
"""Lengths of axes by name; a name without a length gets that of the first array that has such an axis."""

SMALLEST = float(np.nextafter(0, 1))
"""The smallest positive number."""

LARGEST_WEIGHT = 1e300
"""The largest weight of an instance, a class or a tree: sums and products of such weights stay finite."""

PARTS = object()
"""Annotates an attribute that holds a dataclass, whose fields have declarations of their own."""


@dataclass(frozen=True)
class Stored:
    """The declaration of an array: its dtype, shape and range.

    Parameters
    ----------
    dtypes : tuple of dtype
        The dtypes allowed.
    shape : tuple of str
        Names of the lengths of the axes, such as ``"n_nodes"``, ``"n_nodes + 1"`` or ``"1"``.
    low, high : float
        The range of the values, ends included.
    below : str
        Name of a size that every value must be smaller than; empty: no such size.
    allows_nan, allows_inf : bool
        Whether a value may be NaN, and whether it may be ∞ or −∞ if the range includes them.
    is_distribution : bool
        Whether the rows are class distributions.
    is_optional : bool
        Whether a file may lack it.
    """

    dtypes: tuple[np.dtype[Any], ...]
    shape: tuple[str, ...]
    low: float = -np.inf
    high: float = np.inf
    below: str = ""
    allows_nan: bool = False
    allows_inf: bool = False
    is_distribution: bool = False
    is_optional: bool = False

    def check_layout(self, name: str, dtype: np.dtype[Any], shape: tuple[int, ...], sizes: Sizes) -> None:
        """Raise ValueError unless the dtype and shape are as declared; needs no values."""
        if dtype not in self.dtypes and dtype.newbyteorder("=") not in self.dtypes:
            raise ValueError(f"{name}: expected {' or '.join(map(str, self.dtypes))}, got {dtype}")
        if len(shape) == len(self._axes):
            for (size, extra), length in zip(self._axes, shape, strict=True):
                if isinstance(size, str) and length >= extra:
                    sizes.setdefault(size, length - extra)
        expected = tuple((sizes.get(size, 0) if isinstance(size, str) else size) + extra for size, extra in self._axes)
        if shape != expected:
            raise ValueError(f"{name}: expected shape {expected}, got {shape}")

    def check_values(self, name: str, array: NDArray[Any], sizes: Mapping[str, int]) -> None:
        """Raise ValueError unless all values are in their range."""
        if array.dtype.kind == "b":
            if (array.view(np.uint8) > 1).any():
                raise ValueError(f"{name}: has values that are neither false nor true")
            return
        numbers = array
        if array.dtype.kind == "f":
            is_number = ~np.isnan(array)
            if not self.allows_nan and not is_number.all():
                raise ValueError(f"{name}: has values that are not numbers (NaN)")
            numbers = array[is_number]
            if not self.allows_inf and not np.isfinite(numbers).all():
                raise ValueError(f"{name}: has infinite values")
        high = min(self.high, sizes[self.below] - 1) if self.below else self.high
        if numbers.size and not (self.low <= numbers.min() and numbers.max() <= high):
            raise ValueError(
                f"{name}: expected values from {self.low:g} to {high:g}, got some from {numbers.min():g} to "
                f"{numbers.max():g}"
            )
        if self.is_distribution and (np.abs(array.sum(axis=1) - 1) > 1e-9).any():
            raise ValueError(f"{name}: expected rows that sum to 1")

    @cached_property
    def _axes(self) -> list[tuple[str | int, int]]:
        """The length of each axis: a name or a number, and the number added to it."""
        parts = (axis.partition(" + ") for axis in self.shape)
        return [(int(size) if size.isdecimal() else size, int(extra or 0)) for size, _, extra in parts]


def stored(dtype: type | tuple[type, ...], *shape: str, **limits: Any) -> Stored:
    """A `Stored` of one dtype or several, with these limits."""
    dtypes = dtype if isinstance(dtype, tuple) else (dtype,)
    return Stored(tuple(map(np.dtype, dtypes)), shape, **limits)


def distributions(*shape: str) -> Stored:
    """A `Stored` of class distributions, one per row."""
    return stored(np.float64, *shape, low=0.0, high=1 + 1e-9, is_distribution=True)


def declared(cls: type) -> Mapping[str, Stored]:
    """The arrays that a class and its bases declare; those of its `PARTS` as ``attribute.field``."""
    arrays: dict[str, Stored] = {}
    for name, kind in attributes(cls).items():
        if isinstance(kind, Stored):
            arrays[name] = kind
        else:
            arrays.update({f"{name}.{field}": declaration for field, declaration in declared(kind).items()})
    return arrays


@cache  # reading annotations takes long
def attributes(cls: type) -> Mapping[str, Stored | type]:
    """The attributes that a class declares: for each the declaration of its array, or the dataclass that it holds."""
    hints = get_type_hints(cls, include_extras=True)
    marked = {name: get_args(hint) for name, hint in hints.items() if get_origin(hint) is Annotated}
    return {name: kind if mark is PARTS else mark for name, (kind, mark) in marked.items()}


def arrays_of(holder: object) -> dict[str, NDArray[Any]]:
    """The arrays that the class of an object declares; a number is an array of one."""
    return {name: np.atleast_1d(getattr(holder, name)) for name in declared(type(holder))}


def check_stored(cls: type, arrays: Mapping[str, NDArray[Any]], sizes: Sizes) -> None:
    """Raise ValueError unless ``arrays`` are those that ``cls`` declares, each as declared."""
    for name, declaration in declared(cls).items():
        if name not in arrays:
            if declaration.is_optional:
                continue
            raise ValueError(f"'{name}' is missing")
        declaration.check_layout(name, arrays[name].dtype, arrays[name].shape, sizes)
        declaration.check_values(name, arrays[name], sizes)
    surplus = arrays.keys() - declared(cls).keys()
    if surplus:
        raise ValueError(f"'{min(surplus)}' is not expected")


def check_starts(name: str, starts: NDArray[np.integer[Any]], n: int) -> None:
    """Raise ValueError unless ``starts`` divides ``n`` things into runs that follow one another."""
    if starts[0] != 0 or (np.diff(starts) < 0).any() or starts[-1] != n:
        raise ValueError(f"{name}: expected to go up from 0 to {n}")


def parts_of(cls: type, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """The attributes that ``cls`` declares, made from the arrays: arrays, and dataclasses of them.

    An optional array that is absent is empty.
    """
    values: dict[str, Any] = {}
    for name, kind in attributes(cls).items():
        if isinstance(kind, Stored):
            is_absent = kind.is_optional and name not in arrays
            values[name] = np.zeros((0,) * len(kind.shape), kind.dtypes[0]) if is_absent else arrays[name]
        else:
            values[name] = kind(**{field: arrays[f"{name}.{field}"] for field in declared(kind)})
    return values


RECORD = "record.json"
PADDING = "padding"
"""A part of zeros that nobody reads; see `n_padding`."""
MOST_PARTS = 10_000
"""The largest number of arrays in a file; a method learns a few dozen, and so do some filters."""
LARGEST_HEADER = 256
"""Bytes that numpy writes at most before an array."""
SMALL = 2**28
"""Bytes that every file may unpack to, whatever its size."""
LARGEST_RATIO = 200
"""A larger file may unpack to this many times its size."""


def largest_unpacked(file_size: int) -> int:
    """Number of bytes that a file of that size may unpack to."""
    return max(SMALL, LARGEST_RATIO * file_size)


def n_padding(n_unpacked: int, file_size: int) -> int:
    """Number of bytes to add to a file so that it may unpack to so many.

    Class weights of thousands of classes are nearly all zero, and are packed better than a stranger's file may be.
    """
    if n_unpacked <= largest_unpacked(file_size):
        return 0
    return math.ceil((n_unpacked - LARGEST_RATIO * file_size) / (LARGEST_RATIO - 1))


class Parts:
    """The arrays of a model file. Each is read once, after its layout has been checked.

    Raises ValueError, or whatever zipfile, zlib and numpy raise, if the bytes are damaged.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._archive = zipfile.ZipFile(file)
        members = self._archive.infolist()
        self._unread = {member.filename.removesuffix(".npy"): member for member in members}
        if len(members) > MOST_PARTS:
            raise ValueError(f"it holds {len(members):,} parts; at most {MOST_PARTS:,} are allowed")
        if len(self._unread) < len(members):
            raise ValueError("two parts have the same name")
        self._unread.pop(PADDING, None)
        unpacked, largest = sum(member.file_size for member in members), largest_unpacked(file.seek(0, os.SEEK_END))
        if unpacked > largest:
            raise ValueError(
                f"it would unpack to {unpacked / 1e6:,.0f} MB; a file of its size may unpack to {largest / 1e6:,.0f} MB"
            )

    def record(self) -> dict[str, Any]:
        """The JSON part of the file."""
        with self._archive.open(self._unread.pop(RECORD)) as stream:
            dtype, _, shape = _npy_header(stream)
            if dtype != np.uint8 or len(shape) != 1:
                raise ValueError(f"{RECORD}: expected bytes, got {dtype} of shape {shape}")
            return json.loads(stream.read())

    def arrays(self, prefix: str, cls: type, sizes: Sizes) -> dict[str, NDArray[Any]]:
        """The arrays below ``prefix`` that ``cls`` declares. Layouts are checked here; the caller checks the values."""
        arrays = {}
        for name, declaration in declared(cls).items():
            member = self._unread.pop(prefix + name, None)
            if member is None and declaration.is_optional:
                continue
            if member is None:
                raise ValueError(f"'{prefix}{name}' is missing")
            with self._archive.open(member) as stream:
                dtype, is_fortran, shape = _npy_header(stream)
                declaration.check_layout(prefix + name, dtype, shape, sizes)
                if member.file_size - stream.tell() != math.prod(shape) * dtype.itemsize:
                    raise ValueError(f"'{prefix}{name}' is cut short, or goes on after its end")
                flat = np.frombuffer(stream.read(), dtype=dtype)
            array = flat.reshape(shape, order="F" if is_fortran else "C")
            arrays[name] = np.ascontiguousarray(array, dtype=dtype.newbyteorder("="))
        return arrays

    def check_all_read(self) -> None:
        """Raise ValueError if the file holds a part that was not read."""
        if self._unread:
            raise ValueError(f"'{min(self._unread)}' is not expected")


def _npy_header(stream: IO[bytes]) -> tuple[np.dtype[Any], bool, tuple[int, ...]]:
    """Dtype of the array that follows, whether it is in Fortran order, and its shape."""
    try:
        readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        shape, is_fortran, dtype = readers[npy.read_magic(stream)](stream)
    except Exception as error:  # numpy raises many kinds on other headers
        raise ValueError("a part does not begin with the header of an array") from error
    return dtype, is_fortran, shape
