"""Counts of each value of each attribute with each class at each node, stored sparsely.

Sums of sim + 1 over the instances of a class are counts, so whole numbers: leaving an instance out is a subtraction,
and an answer costs nothing that depends on the number of training instances. What does not occur at a node is not
stored: letter takes 2.5 MB, dense 225.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import LARGEST_WEIGHT, check_starts, stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array, all_frozen
from wekaconf.tree import NodeInstances, TreeMirror, keep_last_result, present_classes

Codes = NDArray[np.signedinteger[Any]]
"""(n, n_columns) int16 or int32: index of each attribute's value, −1 when missing."""

Classes = NDArray[np.int64]
"""(n,) class indices, −1 when missing."""

BLOCK_CELLS = 1 << 15
"""Number of cells of the training matrix, and of the table of values, that the numpy form counts at a time."""


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The training instances as the estimates read them, in the order of `NodeInstances.order`.

    Parameters
    ----------
    instances : NodeInstances
    codes : (n_instances, n_columns) int16 or int32
        Values of the instance at each place.
    classes, weights : (n_instances,)
        Class and weight of the instance at each place.
    """

    instances: NodeInstances
    codes: Codes
    classes: Classes
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class PresentClasses:
    """The classes that occur at each node where values are counted.

    Parameters
    ----------
    first : (n_nodes + 1,) int32
        Where each node's classes begin.
    classes : (n_present,) int32
        Ascending at each node.
    weight : (n_present,) float64
        Summed instance weights.
    n_classes : int
    """

    first: Int32Array
    classes: Int32Array
    weight: FloatArray
    n_classes: int

    @classmethod
    def of(cls, tree: TreeMirror, train: Dataset, chosen: NDArray[np.bool_]) -> Self:
        """The classes present at the chosen nodes; read-only."""
        key, weight = present_classes(tree, train)
        node, class_index = np.divmod(key, tree.header.n_classes)
        is_chosen = chosen[node]
        width = np.bincount(node[is_chosen], minlength=tree.n_nodes)
        arrays = all_frozen(_starts(width), class_index[is_chosen].astype(np.int32), weight[is_chosen])
        return cls(*arrays, tree.header.n_classes)

    @staticmethod
    def at_all_nodes(tree: TreeMirror, train: Dataset) -> PresentClasses:
        """The classes present at every node; kept for the methods of one evaluation."""
        return _present_at_all_nodes(tree, train)

    @cached_property
    def _key(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first)) * self.n_classes + self.classes

    def ranks(self, nodes: NDArray[np.intp], classes: Classes) -> NDArray[np.intp]:
        """(n,) intp: the rank of each class among the classes at its node, where it must occur."""
        return np.searchsorted(self._key, nodes * self.n_classes + classes) - self.first[nodes]


@keep_last_result
def _present_at_all_nodes(tree: TreeMirror, train: Dataset) -> PresentClasses:
    return PresentClasses.of(tree, train, np.ones(tree.n_nodes, dtype=np.bool_))


@dataclass(frozen=True, eq=False)
class NodeCounts:
    """The class weights n_c and the counts N(c, attribute, value) at every node, only for what occurs there.

    A row is one value of one attribute at one node; it has one cell per class that occurs at the node, in ascending
    order of the classes.

    Parameters
    ----------
    class_first : (n_nodes + 1,) int32
        Where each node's classes begin in ``classes`` and ``class_weight``.
    classes : (n_present,) int32
        The classes that occur at each node, ascending.
    class_weight : (n_present,) float64
        Summed instance weights of these classes.
    row_first : (n_nodes · n_columns + 1,) int32
        Where the rows of each node and attribute begin.
    row_value : (n_rows + 1,) int16 or int32
        The value of each row, ascending within an attribute; the last one is −1 and belongs to no node.
    cell_first : (n_nodes,) int64
        Where each node's cells begin.
    cells : (n_cells + widest,) uint16, uint32 or float64
        Summed instance weights; integers if all weights are integers. The last ``widest`` (the largest number of
        classes at a node) are 0 and belong to no row.
    """

    class_first: Annotated[Int32Array, stored(np.int32, "n_nodes + 1", low=0)]
    classes: Annotated[Int32Array, stored(np.int32, "n_present", low=0, below="n_classes")]
    class_weight: Annotated[FloatArray, stored(np.float64, "n_present", low=0, high=LARGEST_WEIGHT)]
    row_first: Annotated[Int32Array, stored(np.int32, "n_starts", low=0)]
    row_value: Annotated[Codes, stored((np.int16, np.int32), "n_rows + 1", low=-1)]
    cell_first: Annotated[NDArray[np.int64], stored(np.int64, "n_nodes", low=0)]
    cells: Annotated[NDArray[Any], stored((np.uint16, np.uint32, np.float64), "n_cells", low=0, high=LARGEST_WEIGHT)]

    @classmethod
    def of(cls, train: TrainingSet, present: PresentClasses, n_values: Int32Array) -> Self:
        """Count the values of a training set.

        Parameters
        ----------
        train : TrainingSet
        present : PresentClasses
            The classes at the nodes where values are counted.
        n_values : (n_columns,) int32
            Number of declared values of each attribute.

        Returns
        -------
        NodeCounts
            Its arrays are read-only. Cost: time O(depth · n_instances · n_columns), memory that of the result and a
            bounded block.
        """
        instances, codes = train.instances, train.codes
        n_nodes, n_columns = len(instances.begin), codes.shape[1]
        width = np.diff(present.first)
        row_counts = np.zeros((n_nodes, n_columns), dtype=np.int32)
        row_values: list[Codes] = [np.zeros(0, codes.dtype)]
        is_unit = bool((train.weights == 1).all())
        cells: list[NDArray[Any]] = [np.zeros(0, cell_dtype(train.weights))]
        for nodes, columns in _blocks(instances, np.flatnonzero(width), n_values):
            sizes = instances.end[nodes] - instances.begin[nodes]
            local = np.repeat(np.arange(len(nodes), dtype=np.int32), sizes)
            place = np.arange(len(local)) + np.repeat(instances.begin[nodes] - np.cumsum(sizes) + sizes, sizes)
            block_codes = codes[place, columns]
            offset = (np.cumsum(n_values[columns]) - n_values[columns]).astype(np.int32)
            n_block_values = int(n_values[columns].sum())
            n_slots = len(nodes) * n_block_values
            key = np.where(block_codes >= 0, local[:, None] * n_block_values + offset + block_codes, n_slots)
            occurs = np.zeros(n_slots + 1, dtype=np.bool_)
            occurs[key] = True
            occurring = np.flatnonzero(occurs[:-1])
            row_node, value = np.divmod(occurring, n_block_values)
            column = np.searchsorted(offset, value, side="right") - 1
            row_values.append((value - offset[column]).astype(codes.dtype))
            by_column = np.bincount(row_node * len(offset) + column, minlength=len(nodes) * len(offset))
            row_counts[nodes, columns] = by_column.reshape(len(nodes), -1)
            row_width = width[nodes[row_node]]
            n_cells = int(row_width.sum())
            first_cell = np.full(n_slots + 1, n_cells, dtype=np.int32)  # missing values are counted past the last cell
            first_cell[occurring] = np.cumsum(row_width) - row_width
            cell = first_cell[key] + present.ranks(nodes[local], train.classes[place])[:, None]
            share = None if is_unit else np.repeat(train.weights[place], block_codes.shape[1])
            block = np.bincount(cell.ravel(), share, minlength=n_cells)[:n_cells]
            cells.append(block.astype(cells[0].dtype))
        row_values.append(np.full(1, -1, dtype=codes.dtype))
        cells.append(np.zeros(int(width.max(initial=1)), dtype=cells[0].dtype))
        by_node = row_counts.sum(axis=1, dtype=np.int64) * width
        row_first, cell_first = _starts(row_counts.ravel()), np.cumsum(by_node) - by_node
        arrays = row_first, np.concatenate(row_values), cell_first, np.concatenate(cells)
        # frozen like the compiled form's: kernels are compiled for one kind
        return cls(present.first, present.classes, present.weight, *all_frozen(*arrays))

    def cells_of(self, nodes: Int32Array, keys: NDArray[np.int64], n_values: Int32Array) -> NDArray[np.int64]:
        """The first cell of each instance's values at its node; a cell with 0 for a value that never occurs there.

        Parameters
        ----------
        nodes : (n,) int32
        keys : (n_columns, n) int64
            See `estimates.CodedInstances`.
        n_values : (n_columns,) int32

        Returns
        -------
        (n_columns, n) int64
            Cost: O(n · n_columns + nodes · Σ n_values).
        """
        n_columns = len(keys)
        distinct, local = np.unique(nodes, return_inverse=True)
        distinct = distinct.astype(np.int64)
        width = self.class_first[distinct + 1] - self.class_first[distinct]
        offset = np.cumsum(n_values, dtype=np.int64) - n_values
        slots = int(n_values.sum()) + 1
        first_row, end_row = self.row_first[distinct * n_columns], self.row_first[(distinct + 1) * n_columns]
        n_rows = end_row - first_row
        place = np.arange(int(n_rows.sum())) - np.repeat(np.cumsum(n_rows) - n_rows, n_rows)
        row = place + np.repeat(first_row, n_rows)
        group = (distinct[:, None] * n_columns + np.arange(n_columns)).ravel()
        column = np.repeat(np.tile(offset, len(distinct)), self.row_first[group + 1] - self.row_first[group])
        table = np.full(len(distinct) * slots, len(self.cells) - self._widest, dtype=np.int64)
        slot = np.repeat(np.arange(len(distinct)) * slots, n_rows) + column + self.row_value[row]
        table[slot] = np.repeat(self.cell_first[distinct], n_rows) + place * np.repeat(width, n_rows)
        return table[keys + local * slots]

    def check(self, n_values: Int32Array) -> None:
        """Raise ValueError unless the arrays fit one another, and attributes with these numbers of values."""
        n_nodes, n_columns = len(self.cell_first), len(n_values)
        if len(self.row_first) != n_nodes * n_columns + 1:
            raise ValueError(f"row_first: expected {n_nodes} · {n_columns} + 1 numbers, got {len(self.row_first)}")
        _check_runs("class_first", self.class_first, self.classes)
        _check_runs("row_first", self.row_first, self.row_value[:-1])
        column = np.repeat(np.tile(np.arange(n_columns), n_nodes), np.diff(self.row_first))
        value = self.row_value[:-1]
        if self.row_value[-1] != -1 or (value < 0).any() or (value >= n_values[column]).any():
            raise ValueError("row_value: expected values that the attributes declare, and −1 at the end")
        width = np.diff(self.class_first).astype(np.int64)
        n_cells = (np.diff(self.row_first[::n_columns]) if n_columns else 0) * width
        if not np.array_equal(self.cell_first, np.cumsum(n_cells) - n_cells):
            raise ValueError("cell_first: does not agree with class_first and row_first")
        if len(self.cells) != n_cells.sum() + self._widest or self.cells[len(self.cells) - self._widest :].any():
            raise ValueError("cells: expected one cell per row and class, and zeros at the end")

    @cached_property
    def _widest(self) -> int:
        return max(int(np.diff(self.class_first).max()), 1)


def _starts(counts: NDArray[np.integer[Any]]) -> Int32Array:
    starts = np.zeros(len(counts) + 1, dtype=np.int32)
    np.cumsum(counts, out=starts[1:])
    return starts


def _check_runs(name: str, starts: Int32Array, parts: NDArray[np.signedinteger[Any]]) -> None:
    """Raise ValueError unless ``starts`` divides ``parts`` into runs, each in ascending order."""
    check_starts(name, starts, len(parts))
    is_start = np.zeros(len(parts) + 1, dtype=np.bool_)
    is_start[starts] = True
    if not ((np.diff(parts) > 0) | is_start[1:-1]).all():
        raise ValueError(f"{name}: expected the parts between two of its numbers in ascending order")


@keep_last_result
def cell_dtype(weights: FloatArray) -> type:
    """The smallest dtype that holds every sum of the weights."""
    if (weights == np.floor(weights)).all() and weights.sum() < 2**32:
        return np.uint16 if weights.sum() < 2**16 else np.uint32
    return np.float64


def _blocks(
    instances: NodeInstances, nodes: NDArray[np.intp], n_values: Int32Array
) -> Iterator[tuple[NDArray[np.intp], slice]]:
    """Runs of consecutive nodes with all columns, or one large node with some, small enough to be counted at once."""
    n_columns = len(n_values)
    if not len(nodes) or not n_columns:
        return
    sizes = np.maximum((instances.end[nodes] - instances.begin[nodes]) * n_columns, int(n_values.sum()))
    large = sizes > BLOCK_CELLS
    block = np.cumsum(np.where(large, BLOCK_CELLS, sizes)) // BLOCK_CELLS
    cut = (np.diff(block) > 0) | large[1:] | large[:-1]
    for run in np.split(nodes, np.flatnonzero(cut) + 1):
        n_instances = int((instances.end[run] - instances.begin[run]).sum())
        step = n_columns if len(run) > 1 else max(BLOCK_CELLS // max(n_instances, 1), 1)
        for first in range(0, n_columns, step):
            yield run, slice(first, min(first + step, n_columns))
