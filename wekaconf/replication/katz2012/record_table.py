"""The records of Katz et al. 2012 by data set and column, and the gains over J48 in them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from wekaconf.data.arrays import FloatArray
from wekaconf.replication._cells import published_cells
from wekaconf.replication._runner import Record
from wekaconf.replication.katz2012.measurement import BASE, PAPER

TWO, MORE = GROUPS = ("two classes", "more classes")
N_SETS = {TWO: 10, MORE: 7}
"""Number of data sets of the paper."""
UNAVAILABLE = "MiniBooNE"
"""The one data set of the paper that we have not measured: it is measured where it is asked for by name."""


@cache
def all_groups() -> dict[str, str]:
    """The data sets of Table I, in its order, with the group of each."""
    return {cell.row: TWO if cell.value == 2 else MORE for cell in published_cells(PAPER) if cell.column == "classes"}


@cache
def groups() -> dict[str, str]:
    """The same without `UNAVAILABLE`."""
    return {name: group for name, group in all_groups().items() if name != UNAVAILABLE}


@cache
def printed(part: str) -> dict[tuple[str, str], float]:
    """The numbers of a table by row and column."""
    return {
        (cell.row, cell.column): cell.value
        for cell in published_cells(PAPER)
        if cell.part == part and isinstance(cell.value, float)
    }


def _in_order(places: Container[tuple[str, str]], group: str | None) -> list[str]:
    """The data sets of a group, or of both, whose trees of J48 were measured, in the paper's order."""
    return [name for name, set_group in all_groups().items() if (name, BASE) in places and group in (None, set_group)]


@dataclass(frozen=True)
class Measured:
    """The records of the data sets that were measured, by data set and column.

    Parameters
    ----------
    records : sequence of dict
        Records of `measurement.cross_validated` and `measurement.by_training_size`.
    """

    records: Sequence[Record]

    @cached_property
    def _folds(self) -> dict[tuple[str, str], list[Record]]:
        by_place: dict[tuple[str, str], list[Record]] = {}
        for record in self.records:
            if record["train_percent"] is None:
                by_place.setdefault((record["dataset"], record["column"]), []).append(record)
        return by_place

    @cached_property
    def _sizes(self) -> dict[tuple[str, str], dict[int, Record]]:
        by_place: dict[tuple[str, str], dict[int, Record]] = {}
        for record in self.records:
            if record["train_percent"] is not None:
                by_size = by_place.setdefault((record["dataset"], record["column"]), {})
                by_size[record["train_percent"]] = record
        return by_place

    def sets(self, group: str | None = None) -> list[str]:
        """The data sets that were cross-validated, in the paper's order; of one group or of both."""
        return _in_order(self._folds, group)

    def sets_by_size(self, group: str | None = None) -> list[str]:
        """The data sets that were measured by training size, in the paper's order; of one group or of both."""
        return _in_order(self._sizes, group)

    @cached_property
    def sizes(self) -> list[int]:
        """The sizes of training sets, in percent, ascending."""
        return sorted({size for by_size in self._sizes.values() for size in by_size})

    @property
    def n_runs(self) -> int:
        """Number of cross-validations of each data set, of which there is one at least."""
        return max(map(len, self._folds.values()))

    @property
    def n_divisions(self) -> int:
        """Number of divisions per training size, of which there is one at least."""
        return max(record["runs"] for by_size in self._sizes.values() for record in by_size.values())

    def facts(self, dataset: str) -> Record:
        """A record of the data set, for the facts that are the same in all of its records."""
        return self._folds[dataset, BASE][0]

    def figures(self, dataset: str, column: str, measure: str) -> FloatArray:
        """(n_runs,) float64: a measure in each cross-validation."""
        return np.array([record[measure] for record in self._folds[dataset, column]], dtype=np.float64)

    def gains(self, dataset: str, column: str, measure: str) -> FloatArray:
        """(n_runs,) float64: the gain over J48 in each cross-validation, in percent of J48's area."""
        return 100 * (self.figures(dataset, column, measure) / self.figures(dataset, BASE, measure) - 1)

    def added(self, dataset: str, column: str, measure: str) -> FloatArray:
        """(n_runs,) float64: a measure less that of J48 in each cross-validation."""
        return self.figures(dataset, column, measure) - self.figures(dataset, BASE, measure)

    def group_gains(self, group: str, column: str, measure: str) -> FloatArray:
        """(n_sets, n_runs) float64: `gains` on every set of a group."""
        return np.array([self.gains(name, column, measure) for name in self.sets(group)])

    def group(self, group: str, column: str, measure: str) -> FloatArray:
        """(n_sets, n_runs) float64: a measure in each cross-validation on every set of a group."""
        return np.array([self.figures(name, column, measure) for name in self.sets(group)])

    def gains_by_size(self, dataset: str, column: str, measure: str) -> FloatArray:
        """(n_sizes,) float64: the gain over J48 at each training size, in percent of J48's area."""
        ours, base = (self._sizes[dataset, each] for each in (column, BASE))
        return np.array([100 * (ours[size][measure] / base[size][measure] - 1) for size in self.sizes])
