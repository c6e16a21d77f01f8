"""Messages between our classifiers in Weka and Python: named arrays of bytes, int32, float64 or texts.

``java/src/weka/classifiers/trees/Message.java`` is the other side and describes the layout.

One message for both ways to Python: a proxy in a Java that Python runs, and the standard streams of a process
elsewhere. javabridge offers no proxies, so there, too, a process answers.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from wekaconf.base.errors import WekaconfError

PROTOCOL = 3
"""Version of the layout and of the actions."""
_DTYPES: dict[bytes, np.dtype[Any]] = {b"i": np.dtype(">i4"), b"d": np.dtype(">f8")}


LONGEST = 2**31 - 9
"""The largest number of bytes in an array of Java."""


class MessageError(ValueError):
    """The bytes are not a message."""


def pack(parts: Mapping[str, Any]) -> bytes:
    """The message with these parts: named bytes, int32 or float64 arrays, or lists of str.

    Raises
    ------
    WekaconfError
        It is longer than an array of Java can be.
    """
    pieces: list[bytes] = []
    for name, part in parts.items():
        pieces.append(_pack_text(name))
        if isinstance(part, bytes):
            pieces += [b"b", _pack_length(len(part)), part]
        elif isinstance(part, list):
            pieces += [b"s", _pack_length(len(part)), *map(_pack_text, part)]
        else:
            kind = b"d" if part.dtype == np.float64 else b"i"
            dtype = _DTYPES[kind]
            pieces += [kind, _pack_length(part.size, dtype.itemsize), part.astype(dtype).tobytes()]
    _check_size(sum(map(len, pieces)))
    return b"".join(pieces)


def unpack(message: bytes | memoryview) -> dict[str, Any]:
    """The parts of a message; `MessageError` if the bytes are not a message."""
    reader, parts = _Reader(memoryview(message)), dict[str, Any]()
    while reader.is_more():
        name = reader.take_text()
        kind, n = bytes(reader.take(1)), reader.take_length()
        if kind == b"b":
            parts[name] = bytes(reader.take(n))
        elif kind == b"s":
            reader.check(4 * n)
            parts[name] = [reader.take_text() for _ in range(n)]
        elif kind in _DTYPES:
            dtype = _DTYPES[kind]
            array = np.frombuffer(reader.take(n * dtype.itemsize), dtype=dtype)
            parts[name] = array.astype(dtype.newbyteorder("="))
        else:
            raise MessageError(f"unknown kind of array {kind!r}")
    return parts


_INT = struct.Struct(">i")


def _pack_text(text: str) -> bytes:
    encoded = text.encode("utf-8", "surrogatepass")
    return _pack_length(len(encoded)) + encoded


def _pack_length(n: int, width: int = 1) -> bytes:
    _check_size(n * width)
    return _INT.pack(n)


def _check_size(size: int) -> None:
    if size > LONGEST:
        raise WekaconfError(
            f"an answer of {size} bytes is longer than the 2 GiB that Java can take; use fewer instances"
        )


class _Reader:
    """Reads a message part by part; checks every length against the number of bytes that remain."""

    def __init__(self, message: memoryview) -> None:
        self._message, self._position = message, 0

    def is_more(self) -> bool:
        return self._position < len(self._message)

    def check(self, size: int) -> None:
        n_remaining = len(self._message) - self._position
        if not 0 <= size <= n_remaining:
            raise MessageError(f"a length of {size} bytes where {n_remaining} are left")

    def take(self, size: int) -> memoryview:
        self.check(size)
        self._position += size
        return self._message[self._position - size : self._position]

    def take_length(self) -> int:
        return int(_INT.unpack(self.take(4))[0])

    def take_text(self) -> str:
        try:
            return str(self.take(self.take_length()), "utf-8")
        except UnicodeDecodeError as error:
            raise MessageError(f"a text is no UTF-8: {error}") from error
