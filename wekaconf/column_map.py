"""A fitted filter as arrays: what Weka's filter learned, applied without a JVM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.dataset import Dataset, FloatArray, Header, header_of


@dataclass(frozen=True, eq=False)
class ColumnMap:
    """Each output column is one input column, its missing values filled, its numbers cut into bins.

    Parameters
    ----------
    input_header, output_header : Header
        Of the data before and after.
    source : (n_output,) int32
        Input column that each output column is made of.
    fill : (n_output,) float64
        What a missing value becomes; NaN: it stays missing.
    cut_start : (n_output + 1,) int32
        Where each output column's cut points begin in ``cut_points``.
    cut_points : (n_cuts,) float64
        In the attribute's unit, ascending by column.
    is_cut : (n_output,) bool
        Whether the column becomes the number of its cut points that are smaller than the value.
    """

    input_header: Header
    output_header: Header
    source: NDArray[np.int32]
    fill: FloatArray
    cut_start: NDArray[np.int32]
    cut_points: FloatArray
    is_cut: NDArray[np.bool_]

    def apply(self, data: Dataset) -> Dataset:
        """What the filter makes of instances, equal to Weka's own output.

        Raises
        ------
        HeaderMismatchError
            ``data`` has other attributes than the training data.
        """
        self.input_header.check_same(header_of(data))
        values = data.values[:, self.source]
        for column in np.flatnonzero(~np.isnan(self.fill)):
            values[np.isnan(values[:, column]), column] = self.fill[column]
        for column in np.flatnonzero(self.is_cut):
            cuts = self.cut_points[self.cut_start[column] : self.cut_start[column + 1]]
            known = ~np.isnan(values[:, column])
            values[known, column] = np.searchsorted(cuts, values[known, column], side="left")
        return Dataset(self.output_header, values, data.weights)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that `from_arrays` takes back."""
        return {name: getattr(self, name) for name in ("source", "fill", "cut_start", "cut_points", "is_cut")}

    @classmethod
    def from_arrays(cls, input_header: Header, output_header: Header, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The map that `to_arrays` took apart."""
        return cls(input_header, output_header, **arrays)
