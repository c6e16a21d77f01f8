"""The arrays and the record in a model file; their reader runs nothing and checks every size before it reads."""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Mapping
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from wekaconf.base.stored import Sizes, declared

FloatArray = NDArray[np.float64]

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


SPARSE = ".sparse"
"""Ending of the name of an array of which only what is not zero is in the file."""
MOST_KEPT = 0.25
"""The largest share of an array that such a file keeps."""


def largest_unpacked(file_size: int) -> int:
    """Number of bytes that a file of that size may unpack to."""
    return max(SMALL, LARGEST_RATIO * file_size)


<<<<<<< HEAD
def write_parts(parts: Mapping[str, NDArray[Any]], file: IO[bytes]) -> None:
    """Write arrays so that `Parts` reads them.

    Compressed, what thousands of classes count at every node would become so small that no reader could tell it from a
    file made to take all memory. Then the arrays are not compressed, and lack their zeros; if even that is too small,
    they have them.
    """
    unpacked = sum(array.nbytes + LARGEST_HEADER for array in parts.values())
    np.savez_compressed(file, **dict[str, Any](parts))
    for is_sparse in (True, False):
        if not file.seekable() or unpacked <= largest_unpacked(file.tell()):
            return
        file.seek(0)
        file.truncate()
        members: dict[str, Any] = _sparse_parts(parts) if is_sparse else dict(parts)
        np.savez(file, **members)


def _sparse_parts(parts: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays, of which those that are sparse lack their zeros."""
    return {
        name + SPARSE if _is_sparse(array) else name: _without_zeros(array) if _is_sparse(array) else array
        for name, array in parts.items()
    }


def _is_sparse(array: NDArray[Any]) -> bool:
    """Whether an array is a matrix of numbers of which few are not zero."""
    return array.ndim == 2 and array.dtype == np.float64 and bool(np.count_nonzero(array) <= MOST_KEPT * array.size)


def _without_zeros(array: NDArray[Any]) -> NDArray[Any]:
    """(2 + 2 · n_kept,) uint64: the shape of a sparse matrix, and the places and bits of its numbers."""
    bits = np.ascontiguousarray(array).view(np.uint64).ravel()  # −0 is none of the zeros
    places = np.flatnonzero(bits)
    return np.concatenate([np.array(array.shape, np.uint64), places.astype(np.uint64), bits[places]])


def _with_zeros(content: NDArray[np.uint64], largest: int) -> FloatArray:
    """The matrix of `_without_zeros`; ValueError if there is none, or it has more bytes than ``largest``."""
    n_kept = (len(content) - 2) // 2
    if len(content) != 2 + 2 * n_kept or n_kept < 0:
        raise ValueError("a sparse array is cut short")
    n_rows, n_columns = map(int, content[:2])
    if 8 * n_rows * n_columns > largest:
        raise ValueError(f"a sparse array would take {8 * n_rows * n_columns / 1e6:,.0f} MB")
    places = content[2 : 2 + n_kept]
    if n_kept and int(places.max()) >= n_rows * n_columns:
        raise ValueError("a sparse array has a number outside")
    bits = np.zeros(n_rows * n_columns, dtype=np.uint64)
    bits[places.astype(np.intp)] = content[2 + n_kept :]
    return bits.view(np.float64).reshape(n_rows, n_columns)
=======
def n_padding(n_unpacked: int, file_size: int) -> int:
    """Number of bytes to add to a file so that it may unpack to so many.

    Class weights of thousands of classes are nearly all zero, and are packed better than a stranger's file may be.
    """
    if n_unpacked <= largest_unpacked(file_size):
        return 0
    return math.ceil((n_unpacked - LARGEST_RATIO * file_size) / (LARGEST_RATIO - 1))
>>>>>>> h-d2


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
        self._n_left = largest - unpacked
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
            if sparse := self._unread.pop(prefix + name + SPARSE, None):
                arrays[name] = self._sparse(sparse)
                declaration.check_layout(prefix + name, arrays[name].dtype, arrays[name].shape, sizes)
                continue
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

    def _sparse(self, member: zipfile.ZipInfo) -> FloatArray:
        """An array of which the file lacks the zeros."""
        with self._archive.open(member) as stream:
            dtype, _, shape = _npy_header(stream)
            content = stream.read()
            if dtype != np.uint64 or len(shape) != 1 or 8 * shape[0] != len(content):
                raise ValueError(f"'{member.filename}' is no sparse array")
        array = _with_zeros(np.frombuffer(content, np.uint64), self._n_left)
        self._n_left -= array.nbytes
        return array

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
