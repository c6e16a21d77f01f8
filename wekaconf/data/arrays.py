"""Arrays by their dtypes, for annotations; arrays made read-only."""

from typing import Any, TypeVarTuple, cast

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]
Arrays = TypeVarTuple("Arrays")


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
