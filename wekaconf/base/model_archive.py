"""Reader of the arrays and the record in a model file; it runs nothing and checks every size before it reads.

An array's own header must fit its declaration before any of its bytes are read.
"""

from __future__ import annotations

import json
import math
import os
import zipfile
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from wekaconf.base.stored import Sizes, declared

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
