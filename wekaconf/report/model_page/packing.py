"""Packing of a page's content: JSON and the bytes of all arrays, compressed, in base64.

Letter with ConfDTree is 0.37 MB so, script included, and would be 4 MB as plain numbers. Browsers have
``DecompressionStream`` since May 2023.
"""

from __future__ import annotations

import base64
import json
import math
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

KINDS = ("u1", "i1", "u2", "i2", "u4", "i4")
"""Types of whole numbers, the smallest first; everything else is written as doubles."""
ALIGNMENT = 8


def packed(content: Any) -> str:
    """The content as base64, which page/src/unpack.js reads.

    Parameters
    ----------
    content : JSON types and arrays
        An array becomes ``{"$array": …}``, a number that JSON lacks ``{"$number": "Infinity"}``.

    Returns
    -------
    str
        The base64 of a zlib stream: two uint32, which are the place where the bytes of the arrays begin and the length
        of the JSON; the JSON; the arrays, little-endian, each in the smallest type that holds all its values.
    """
    arrays = _Arrays()
    text = json.dumps(
        arrays.with_references(content), ensure_ascii=True, allow_nan=False, separators=(",", ":")
    ).encode()
    start = -(-(8 + len(text)) // ALIGNMENT) * ALIGNMENT
    whole = struct.pack("<II", start, len(text)) + text.ljust(start - 8, b" ") + b"".join(arrays.parts)
    return base64.b64encode(zlib.compress(whole, 9)).decode()


class _Arrays:
    """The bytes of arrays one after the other; equal arrays are kept once."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._length = 0
        self._known: dict[tuple[str, bytes], int] = {}

    def with_references(self, part: Any) -> Any:
        """The content with references in place of arrays."""
        if isinstance(part, np.ndarray):
            return {"$array": self._reference(part)}
        if isinstance(part, np.generic):
            part = part.item()
        if isinstance(part, Mapping):
            return {name: self.with_references(value) for name, value in part.items()}
        if isinstance(part, list | tuple):
            return [self.with_references(value) for value in part]
        if isinstance(part, float) and not math.isfinite(part):
            return {"$number": "NaN" if math.isnan(part) else "Infinity" if part > 0 else "-Infinity"}
        return part

    def _reference(self, array: NDArray[Any]) -> dict[str, Any]:
        kind = _smallest(array)
        data = np.ascontiguousarray(array, dtype=f"<{kind}").tobytes()
        if (kind, data) not in self._known:
            self._known[kind, data] = self._length
            padded = data.ljust(-(-len(data) // ALIGNMENT) * ALIGNMENT, b"\0")
            self.parts.append(padded)
            self._length += len(padded)
        return {"dtype": kind, "shape": array.shape, "offset": self._known[kind, data]}


def _smallest(array: NDArray[Any]) -> str:
    """The smallest type that holds every value exactly."""
    if array.dtype.kind == "b" or not array.size:
        return KINDS[0]
    is_whole = array.dtype.kind in "iu" or (np.isfinite(array).all() and (array == np.rint(array)).all())
    low, high = array.min(), array.max()
    if not is_whole or (array.dtype.kind == "f" and (np.signbit(array) & (array == 0)).any()):
        return "f8"
    return next((kind for kind in KINDS if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max), "f8")
