"""Limits on the unpacked size of a data file, so that a small file cannot take all memory; files that cannot be read.

Deflate reaches 1,032 to 1, real tables rarely 100 to 1. Without a bound a file of one megabyte took a gigabyte, or two
minutes of Excel's XML. What is not written counts, too: the zeros of sparse rows, the cells of Parquet.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib

from wekaconf.base.errors import ArffError, TableError

GZIP = b"\x1f\x8b"
"""The beginning of a gzipped file."""
SMALL = 2**26
"""Bytes that every file may unpack to, whatever its size."""
LARGEST_RATIO = 250
"""A larger file may unpack to this many times its size."""


class TooLargeError(OSError):
    """A packed file unpacks to more than a file of its size may; the message says what to do."""


def largest(size: int) -> int:
    """Number of bytes that a file of that size may unpack to."""
    return max(SMALL, LARGEST_RATIO * size)


def check_unpacked(unpacked: int, size: int) -> None:
    """Raise TooLargeError if so many bytes are more than a file of that size may unpack to."""
    if unpacked > largest(size):
        raise TooLargeError(
            f"unpacked it is more than {largest(size) / 1e6:,.0f} MB, which no table of {size / 1e6:,.1f} MB becomes; "
            "if it is one, give it unpacked, in CSV or in rows that are not sparse"
        )


def gunzip(content: bytes) -> bytes:
    """The content, unpacked if it is gzipped; OSError, EOFError or zlib.error if it is damaged or becomes too large."""
    if not content.startswith(GZIP):
        return content
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
        unpacked = stream.read(largest(len(content)) + 1)
        check_unpacked(len(unpacked), len(content))
    return unpacked


def size_of(path: str, content: bytes | None) -> int:
    """The size of ``content`` in bytes, or of the file if it is None."""
    return os.path.getsize(path) if content is None else len(content)


def unreadable(path: str, error: Exception, kind: type[ArffError | TableError] = TableError) -> ArffError | TableError:
    """The error for a file of data that the system or a library cannot read, or that is damaged."""
    reasons: dict[type, str] = {
        FileNotFoundError: "no such file; check the name and the folder",
        IsADirectoryError: "this is a folder; name a file in it",
        PermissionError: "no permission to read this file",
        TooLargeError: str(error),
    }
    is_damaged = isinstance(error, EOFError | zlib.error | gzip.BadGzipFile)
    damage = f"the gzip file is damaged or cut short ({error}); get it again"
    return kind(reasons.get(type(error), damage if is_damaged else f"cannot be read: {error}"), path=path)
