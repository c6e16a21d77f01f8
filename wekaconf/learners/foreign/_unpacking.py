"""Bounds on the memory that a model file of Weka may take, which follow from its size."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from wekaconf.learners.foreign._java_values import StreamError

GZIP = b"\x1f\x8b"
SMALL = 2**22
"""Number of bytes that any file may unpack to, whatever its size."""
LARGEST_RATIO = 64
"""The largest ratio of a larger file's unpacked size to its size."""


class RefusedError(ValueError):
    """The file holds something that is not read; the message says what."""


def largest(size: int) -> int:
    """The largest number of bytes that a file of that size may unpack to."""
    return max(SMALL, LARGEST_RATIO * size)


def unpacked(data: bytes) -> bytes:
    """The data, unpacked if they are gzipped; `StreamError` if they are damaged or become too large."""
    if not data.startswith(GZIP):
        return data
    most = largest(len(data))
    unpacker = zlib.decompressobj(wbits=31)
    try:
        whole = unpacker.decompress(data, most)
    except zlib.error as error:
        raise StreamError(f"its bytes are damaged: {error}") from error
    if unpacker.unconsumed_tail:
        raise StreamError(f"it would unpack to more than the {most / 1e6:,.0f} MB that a file of its size may")
    if not unpacker.eof:
        raise StreamError("it is cut short")
    return whole


@dataclass
class Budget:
    """Counts of the parts of a file, each with a bound, since references in it may name the same part many times."""

    file_size: int
    n_declared: int = 0
    n_unpacked: int = 0
    n_cells: int = 0

    def declare(self, n_values: int) -> None:
        """Count values that an attribute declares."""
        self.n_declared += n_values
        if self.n_declared > self.file_size:
            raise StreamError("its header declares more values than the file has bytes")

    def unpack(self, n_bytes: int) -> None:
        """Count the bytes of a text that was packed."""
        self.n_unpacked += n_bytes
        if self.n_unpacked > largest(self.file_size):
            raise StreamError("its texts unpack to more than a file of its size may")

    def fill(self, n_cells: int) -> None:
        """Count numbers in tables of class weights."""
        self.n_cells += n_cells
        if 8 * self.n_cells > largest(self.file_size):
            raise StreamError("it has more nodes and classes than a file of its size may")
