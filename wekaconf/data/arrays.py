"""Arrays by their dtypes, for annotations; arrays made read-only."""

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, TypeVarTuple, cast

import numpy as np
from numpy.typing import NDArray

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]
TextArray = NDArray[np.object_]
"""Of str, so that texts are chosen and repeated as numbers are."""
Arrays = TypeVarTuple("Arrays")
ROWS_AT_A_TIME = 8192
"""The number of rows that are worked on at once: their columns fit into the processor's cache."""
LARGEST_WEIGHT = 1e100
"""The largest weight of an instance: sums of weights, and of their products with squared values, stay finite."""


def are_weights(numbers: FloatArray) -> NDArray[np.bool_]:
    """Whether each number may be the weight of an instance; NaN may not."""
    return (numbers >= 0) & (numbers <= LARGEST_WEIGHT)


def texts_of(texts: Iterable[str]) -> TextArray:
    """(n,) object: the texts as an array."""
    return np.array([*texts], dtype=object)


def joined_texts(*parts: TextArray | str) -> TextArray:
    """(n,) object: the parts of each row, one after another; a text that is given alone stands in every row."""
    n = next(len(part) for part in parts if not isinstance(part, str))
    columns = (repeat(part, n) if isinstance(part, str) else part.tolist() for part in parts)
    return texts_of(map("".join, zip(*columns, strict=True)))


def as_rows(*columns: NDArray[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of columns of the same length, as Python's own numbers and texts."""
    return zip(*(column.tolist() for column in columns), strict=True)


def frozen(array: NDArray[Any], original: object = None) -> NDArray[Any]:
    """``array`` made read-only; first copied if it shares memory with ``original``, which the caller may write to."""
    if array.flags.writeable and isinstance(original, np.ndarray) and np.may_share_memory(array, original):
        array = array.copy()
    array.flags.writeable = False
    return array


def all_frozen(*arrays: *Arrays) -> tuple[*Arrays]:
    """The arrays, which nobody else holds, made read-only."""
    for array in arrays:
        frozen(cast(NDArray[Any], array))
    return arrays
