"""What the bytes of a data file are, text in some encoding or another kind of file, and what they may unpack to.

Deflate reaches 1,032 to 1, real tables rarely 100 to 1. Without a limit, a file of one megabyte took a gigabyte, or two
minutes of Excel's XML. What is not written counts, too: the zeros of sparse rows, the cells of Parquet.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections.abc import Iterable

from wekaconf.base.errors import ArffError, TableError, tell

_BINARY = {
    b"PAR1": ("a Parquet file", "give it the ending .parquet"),
    b"PK\x03\x04": (
        "an Excel workbook, a model of wekaconf or another zip archive",
        "give a workbook its ending, such as .xlsx; a model is no data; unpack an archive",
    ),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "give it the ending .xls"),
}
_PACKED = re.compile(
    rb"(?P<bzip2>BZh[1-9]1AY)|(?P<xz>\xfd7zXZ\0)|(?P<lzma>\x5d\0\0)|(?P<zstd>\x28\xb5\x2f\xfd)"
    rb"|(?P<lz4>\x04\x22\x4d\x18)|(?P<p7zip>7z\xbc\xaf\x27\x1c)|(?P<rar>Rar!\x1a\x07)"
)
"""The beginnings of files by the programs that pack them."""
BEGINNING = 2**20
"""Number of bytes in which the comment above the header of ARFF may end."""
_TAR = slice(257, 262)
_ARFF = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s*+%[^\r\n]*+)*+\s*+@relation\b", re.IGNORECASE)
_NO_WINDOWS_1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
GZIP = b"\x1f\x8b"
"""The beginning of a gzipped file."""
SMALL = 2**26
"""Bytes that every file may unpack to, whatever its size."""
BYTES_OF_CELL = 8
"""What a cell of a table takes at least."""
LARGEST_RATIO = 250
"""A larger file may unpack to this many times its size."""


def encoding_of_bytes(path: str, chunks: Iterable[bytes]) -> str:
    """The guessed encoding, with a `Note`: Windows-1252, or Latin-1 if a byte has no meaning in Windows-1252."""
    # Windows-1252 first, since its characters are control characters in Latin-1, which nobody means.
    name, encoding = "Windows-1252", "cp1252"
    if any(_NO_WINDOWS_1252.search(chunk) for chunk in chunks):
        name, encoding = "Latin-1", "latin-1"
    tell(f"{path} is not UTF-8; it was read as {name}")
    return encoding


def binary_kind(content: bytes) -> str:
    """The kind of a binary file with this beginning of half a kilobyte, and what to do with it; empty for text."""
    for beginning, (what, remedy) in _BINARY.items():
        if content.startswith(beginning):
            return f"this is {what}; {remedy}"
    if content[_TAR] == b"ustar":
        return "this is a tar archive; unpack it"
    packed = _PACKED.match(content)
    return "" if packed is None else f"this is a file that {packed.lastgroup} packed; unpack it, or pack it with gzip"


def unpacked_beginning(content: bytes) -> bytes:
    """The first bytes of a file, unpacked if it is gzipped; empty if it is damaged."""
    if not content.startswith(GZIP):
        return content[:BEGINNING]
    try:
        return zlib.decompressobj(wbits=31).decompress(content, BEGINNING)
    except zlib.error:
        return b""


def is_arff(content: bytes) -> bool:
    """Whether a file is ARFF, plain or gzipped, by what it begins with."""
    return bool(_ARFF.match(unpacked_beginning(content)))


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
