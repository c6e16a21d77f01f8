"""A fitted Weka filter as arrays, which are applied without a JVM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import check_starts, check_stored, stored
from wekaconf.data._dataset import Dataset, header_of
from wekaconf.data._header import Header
from wekaconf.data.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class ColumnMap:
    """A filter in which each output column is one input column, with missing values filled or numbers cut into bins.

    Parameters
    ----------
    input_header, output_header : Header
        The headers of the data before and after the filter.
    source : (n_output,) int32
        The input column that each output column is made from.
    fill : (n_output,) float64
        The replacement for missing values; NaN: they stay missing. A missing class is replaced only where another value
        is missing, as Weka does.
    cut_start : (n_output + 1,) int32
        Where each output column's cut points begin in ``cut_points``.
    cut_points : (n_cuts,) float64
        In the attribute's unit, ascending within a column.
    is_cut : (n_output,) bool
        Whether each value is replaced by the number of cut points that are smaller.
    """

    input_header: Header
    output_header: Header
    source: Annotated[NDArray[np.int32], stored(np.int32, "n_output", low=0, below="n_input")]
    fill: Annotated[FloatArray, stored(np.float64, "n_output", allows_nan=True, allows_inf=True)]
    cut_start: Annotated[NDArray[np.int32], stored(np.int32, "n_output + 1", low=0)]
    cut_points: Annotated[FloatArray, stored(np.float64, "n_cuts", allows_inf=True)]
    is_cut: Annotated[NDArray[np.bool_], stored(np.bool_, "n_output")]

    def apply(self, data: Dataset) -> Dataset:
        """Filter instances; the result equals Weka's own output for data that come after the training data.

        Raises
        ------
        HeaderMismatchError
            The attributes of ``data`` are not those of the training data.
        """
        self.input_header.check_same(header_of(data))
        values = data.values[:, self.source]
        is_filled = np.isnan(values) & ~np.isnan(self.fill)
        target = self.output_header.class_index
        if target >= 0 and not np.isnan(self.fill[target]):
            others = np.delete(data.values, data.class_index, axis=1)
            is_filled[:, target] &= np.isnan(others).any(axis=1)
        values = np.where(is_filled, self.fill, values)
        for column in np.flatnonzero(self.is_cut):
            cuts = self.cut_points[self.cut_start[column] : self.cut_start[column + 1]]
            known = ~np.isnan(values[:, column])
            values[known, column] = np.searchsorted(cuts, values[known, column], side="left")
        attributes = tuple(
            data.attributes[column] if after.kind == "string" else after
            for column, after in zip(self.source, self.output_header.attributes, strict=True)
        )
        return replace(data, header=replace(self.output_header, attributes=attributes), values=values)

    @classmethod
    def from_arrays(cls, input_header: Header, output_header: Header, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The map made from its arrays; ValueError if one is not as declared, or contradicts another."""
        check_stored(cls, arrays, cls.sizes(input_header, output_header))
        column_map = cls(input_header, output_header, **arrays)
        column_map._check()
        return column_map

    @staticmethod
    def sizes(input_header: Header, output_header: Header) -> dict[str, int]:
        """The sizes that the declarations of the arrays refer to, by name."""
        return {"n_input": len(input_header.attributes), "n_output": len(output_header.attributes)}

    def _check(self) -> None:
        check_starts("cut_start", self.cut_start, len(self.cut_points))
        n_cuts = np.diff(self.cut_start)
        for column, after in enumerate(self.output_header.attributes):
            before = self.input_header.attributes[self.source[column]]
            cuts, fill = self.cut_points[self.cut_start[column] :][: n_cuts[column]], self.fill[column]
            if self.is_cut[column]:
                fits = not before.is_indexed and after.is_nominal and len(cuts) < len(after.values)
            else:
                fits = before.kind == after.kind and before.values == after.values and not len(cuts)
            if not fits:
                raise ValueError(f"column {column}: {before.describe()} cannot become {after.describe()}")
            if (cuts[1:] < cuts[:-1]).any():
                raise ValueError(f"cut_points of {before.describe()}: expected them in ascending order")
            if before.is_indexed and not (np.isnan(fill) or fill in range(len(before.values))):
                raise ValueError(f"fill: {before.describe()} has no value {fill:g}")


def check_chain(column_maps: Sequence[ColumnMap], header: Header) -> None:
    """Raise HeaderMismatchError unless the next filter, or the tree of that header, can read each filter's output."""
    inputs = [*(column_map.input_header for column_map in column_maps), header]
    for column_map, (_, wanted) in zip(column_maps, pairwise(inputs), strict=True):
        wanted.check_same(column_map.output_header, "the output of a filter")
