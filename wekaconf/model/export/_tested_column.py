"""The columns that an exported tree tests, as they are before a model's filters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import quoted
from wekaconf.data import Attribute, ColumnMap, Header
from wekaconf.data.arrays import FloatArray


class TestedColumn(NamedTuple):
    """A column of the data, with what the filters do to it.

    Parameters
    ----------
    attribute : Attribute
        As it is before the filters.
    fill : float
        The cell that stands for a missing one; NaN: missing cells stay missing.
    cuts : (n_cuts,) float64 or None
        Ascending. The tree tests how many of them are smaller than the cell; None: it tests the cell itself.
    """

    attribute: Attribute
    fill: float
    cuts: FloatArray | None


class Bins(NamedTuple):
    """The branches of a node that tests a number which the filters have cut.

    Parameters
    ----------
    points : tuple of float
        Ascending; between them a branch ends and another begins.
    branch_of_bin : tuple of int
        The branch of the numbers up to each point, and of those above the last one.
    """

    points: tuple[float, ...]
    branch_of_bin: tuple[int, ...]


def tested_columns(header: Header, column_maps: Sequence[ColumnMap]) -> list[TestedColumn]:
    """What each column that the tree sees is made from.

    Parameters
    ----------
    header : Header
        Of the data before the filters.
    column_maps : sequence of ColumnMap
        The filters in the order of their use.

    Raises
    ------
    OptionError
        A filter puts a value in place of missing ones that no number before the filters becomes.
    """
    columns = [TestedColumn(attribute, np.nan, None) for attribute in header.attributes]
    for column_map in column_maps:
        before, columns = columns, []
        for place, source in enumerate(column_map.source.tolist()):
            attribute, fill, cuts = before[source]
            if np.isnan(fill):
                fill = float(column_map.fill[place])
                if cuts is not None and not np.isnan(fill):
                    fill = _number_in_bin(int(fill), cuts, attribute)
            if column_map.is_cut[place]:
                cuts = column_map.cut_points[column_map.cut_start[place] : column_map.cut_start[place + 1]]
            columns.append(TestedColumn(attribute, fill, cuts))
    return columns


def _number_in_bin(index: int, cuts: FloatArray, attribute: Attribute) -> float:
    highest = np.nextafter(cuts[-1], np.inf) if len(cuts) else 0.0
    number = float(np.append(cuts, highest)[index]) if index <= len(cuts) else np.nan
    if np.searchsorted(cuts, number, side="left") != index:
        raise OptionError(
            f"a filter fills missing values of {quoted(attribute.name)} with one that no number becomes; fill them "
            "before the filter that cuts numbers",
            value_of="model",
        )
    return number


def bins(cuts: FloatArray, branch_of_value: Sequence[int]) -> Bins:
    """The branches of numbers that are cut, with neighbours of the same branch as one bin."""
    has_numbers = np.append(True, np.append(cuts[1:], np.inf) > cuts) if len(cuts) else np.ones(1, dtype=np.bool_)
    runs = [[*run] for _, run in groupby(np.flatnonzero(has_numbers).tolist(), key=lambda bin: branch_of_value[bin])]
    return Bins(tuple(float(cuts[run[-1]]) for run in runs[:-1]), tuple(int(branch_of_value[run[0]]) for run in runs))
