"""What a data set holds, as a digest by which two processes compare it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Attribute, Dataset
from wekaconf.data.arff._rows import Lines, read_rows


def digest(data: Dataset) -> str:
    """A digest of all that a data set holds; -0.0 differs from 0.0, and every missing value is the same."""
    if any(attribute.kind == "relational" for attribute in data.attributes):
        is_sparse = np.isin(np.arange(len(data)), data.sparse_rows)
        return digest_of_rows(rows_of(data.attributes, data.values, data.weights, is_sparse))
    numbers = [np.where(np.isnan(array), np.nan, array).tobytes() for array in (data.values, data.weights)]
    header = repr((data.relation, data.attributes)).encode("utf-8", "surrogatepass")
    return hashlib.sha1(b"".join([header, *numbers, data.sparse_rows.tobytes()])).hexdigest()


def digest_of_rows(rows: Iterable[list[Any]]) -> str:
    """A digest of rows, whose cells are None, numbers, texts or rows."""
    return hashlib.sha1(repr([*rows]).encode("utf-8", "surrogatepass")).hexdigest()


def rows_of(
    attributes: Iterable[Attribute],
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
    is_sparse: NDArray[np.bool_],
) -> Iterator[list[Any]]:
    """The cells and the weight of each instance, and whether it is sparse; a bag is the list of its rows."""
    attributes = tuple(attributes)
    for row, weight, sparse in zip(values.tolist(), weights.tolist(), is_sparse.tolist(), strict=True):
        cells: list[Any] = []
        for attribute, cell in zip(attributes, row, strict=True):
            if math.isnan(cell):
                cells.append(None)
            elif attribute.kind == "relational":
                bag = Lines("bag", attribute.values[int(cell)])
                cells.append([*rows_of(*read_rows(bag, attribute.inner))])
            else:
                cells.append(attribute.values[int(cell)] if attribute.is_indexed else cell)
        yield [*cells, weight, sparse]
