"""Packs arrays into bytes for a row of the store, without loss.

Columns one after another, compressed: a leaf answers the same for all of its instances, and the ranking is often the
distribution itself, so that an answer on two classes takes 3 to 21 bytes of 64.
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.evaluation.cross_validation import ARRAYS, DISTRIBUTIONS, FoldAnswers

LEVEL = 1
"""Compression level of zlib: the fastest."""
CHECK_BYTES = 4


def pack(answers: FoldAnswers) -> bytes:
    """The arrays of answers as bytes; `unpack` gives them back bit for bit."""
    given = [] if answers.given is None else [answers.given.astype(np.float64)]
    columns = [*(np.transpose(getattr(answers, name)) for name in ARRAYS), *given]
    return _compressed(b"".join(np.ascontiguousarray(column).tobytes() for column in columns))


def unpack(content: bytes, n: int, n_classes: int) -> dict[str, NDArray[Any]]:
    """The arrays of ``n`` answers; ValueError unless the bytes are those of so many."""
    widths = [n_classes if name in DISTRIBUTIONS else 1 for name in ARRAYS]
    numbers = np.frombuffer(_decompressed(content, 8 * n * (sum(widths) + 1)), np.float64)
    if len(numbers) not in (n * sum(widths), n * (sum(widths) + 1)):
        raise ValueError(f"expected {n} answers")
    *columns, given = np.split(numbers, n * np.cumsum(widths))
    arrays = {
        name: np.ascontiguousarray(column.reshape(n_classes, n).T) if name in DISTRIBUTIONS else column
        for name, column in zip(ARRAYS, columns, strict=True)
    }
    if len(given):
        if not np.isin(given, np.arange(n_classes)).all():
            raise ValueError("expected the indices of classes")
        arrays["given"] = given.astype(np.int64)
    return arrays


def pack_arrays(arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> bytes:
    """Named arrays of numbers, and facts that JSON can hold, as bytes."""
    head = _head(arrays, facts)
    raw = b"".join((head, *_buffers(arrays)))
    return len(head).to_bytes(8, "little") + len(raw).to_bytes(8, "little") + _compressed(raw)


def digest_of_arrays(arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> bytes:
    """SHA-256 of what `pack_arrays` packs, which costs far less than packing."""
    digest = hashlib.sha256(_head(arrays, facts))
    for buffer in _buffers(arrays):
        digest.update(buffer)
    return digest.digest()


def unpack_arrays(content: bytes) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays and facts that `pack_arrays` packed; ValueError, KeyError or TypeError for other bytes."""
    n_head, n_raw = (int.from_bytes(content[begin : begin + 8], "little") for begin in (0, 8))
    raw = _decompressed(content[16:], n_raw)
    head, begin = json.loads(raw[:n_head]), n_head
    arrays = {}
    for name, kind, shape in head["layout"]:
        end = begin + math.prod(shape) * np.dtype(kind).itemsize
        arrays[name] = np.frombuffer(raw[begin:end], np.dtype(kind)).reshape(shape)
        begin = end
    return arrays, head["facts"]


def _head(arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> bytes:
    layout = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    return json.dumps({"layout": layout, "facts": facts}).encode()


def _buffers(arrays: Mapping[str, NDArray[Any]]) -> list[bytes]:
    return [np.ascontiguousarray(array).tobytes() for array in arrays.values()]


def _compressed(raw: bytes) -> bytes:
    return zlib.crc32(raw).to_bytes(CHECK_BYTES, "little") + zlib.compress(raw, LEVEL)


def _decompressed(content: bytes, largest: int) -> bytes:
    """The bytes that `_compressed` got, at most ``largest`` of them; ValueError if they are damaged."""
    try:
        raw = zlib.decompressobj().decompress(content[CHECK_BYTES:], largest + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if len(raw) > largest or zlib.crc32(raw) != int.from_bytes(content[:CHECK_BYTES], "little"):
        raise ValueError("the checksum is wrong")
    return raw
