"""The routing of instances down a tree: the numpy form, and the switch to the compiled one for large batches."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int32Array

COMPILED_FROM = 20_000
"""Number of rows from which loading the compiled form pays off."""

THREAD_FROM = 10_000
"""The fewest rows for which an additional thread pays off."""

CALL = 30
"""The fixed cost of a call of the numpy form, as the number of rows that take as long."""


def sequential_sum(rows: FloatArray) -> FloatArray:
    """(n,) float64: row sums added from left to right, as a Java loop adds them."""
    total = np.zeros(len(rows))
    for column in range(rows.shape[1]):
        total += rows[:, column]
    return total


def normalised(counts: FloatArray, correction: float) -> FloatArray:
    """(n, n_classes) float64: the counts, to each of which ``correction`` is added, divided by their row sums."""
    return (counts + correction) / (sequential_sum(counts) + correction * counts.shape[1])[:, None]


def mixture(n: int, row: NDArray[np.intp], share: FloatArray, answers: FloatArray) -> FloatArray:
    """(n, n_classes) float64: mean of the answers for the parts of each row, weighted by share; see `Router.paths`."""
    if len(row) == n:
        return answers
    means = np.zeros((n, answers.shape[1]))
    np.add.at(means, row, share[:, None] * answers)
    return means


@dataclass(frozen=True)
class Router:
    """A tree as the kernels read it.

    Learners differ in how the shares of a missing value multiply and in who answers for an empty leaf. Both are columns
    here, made once, so that one routine, in numpy and compiled, answers for all of them bit for bit.

    Parameters
    ----------
    n_classes : int
    attribute : (n_nodes,) int32
        Split attribute, −1 where an instance stops (leaves and empty nodes).
    limit : (n_nodes,) float64
        Numeric splits: branch 0 if value <= limit, whatever the learner's own comparison is; else NaN.
    equals : (n_nodes,) float64
        NOMINAL_EQUALS: the value index that leads to branch 0; NOMINAL_EACH: −1; NOMINAL_SUBSET: −2 − i, where i is the
        place in ``in_subset`` where its flags begin; else NaN.
    in_subset : (n_flags,) bool
        Whether a value leads to branch 0.
    first_child, n_branches : (n_nodes,) int32
    enters : (n_nodes,) bool
        Whether an instance with a missing value enters the node (Weka skips empty children, CART one of two).
    down, up : (n_nodes,) float64
        Share of an instance with a missing value that enters the node: ``down`` is multiplied into the weight on the
        way down, ``up`` into the answer on the way up; a learner uses one of them, and the other is 1.
    answer : (n_nodes, n_classes) float64
        Distribution for an instance that stops at the node.
    part : (n_nodes, n_classes) float64
        The amount that a part of an instance with missing values adds to the answer, times its share, at the node.
    correction : float
        −1: the sum of the parts is the answer; else the sum is normalised after this is added to every class.
    """

    n_classes: int
    attribute: Int32Array
    limit: FloatArray
    equals: FloatArray
    in_subset: NDArray[np.bool_]
    first_child: Int32Array
    n_branches: Int32Array
    enters: NDArray[np.bool_]
    down: FloatArray
    up: FloatArray
    answer: FloatArray
    part: FloatArray
    correction: float

    def __post_init__(self) -> None:
        for array in self.arrays[:-1]:
            array.setflags(write=False)  # for all arrays, so that each kernel is compiled once for all learners

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The fields in the order in which every kernel takes them."""
        return tuple(getattr(self, field.name) for field in fields(self) if field.name != "n_classes")

    def branches(self, nodes: NDArray[Any], values: FloatArray) -> NDArray[np.int64]:
        """(n,) int64: the branch that each of ``values``, none of them missing, takes at its node."""
        branch = 1 - (values <= self.limit[nodes]).astype(np.int64)
        equals = self.equals[nodes]
        nominal = ~np.isnan(equals)
        if nominal.any():
            index = values[nominal].astype(np.int64)
            target = equals[nominal]
            branch[nominal] = np.where(target < 0, index, index != target)
            if len(self.in_subset):
                subset = target < -1
                flag = (-2 - target[subset]).astype(np.int64) + index[subset]
                branch[np.flatnonzero(nominal)[subset]] = ~self.in_subset[flag]
        return branch

    def last_whole_nodes(self, values: FloatArray, start: Int32Array | None = None) -> Int32Array:
        """(n,) int32: the node where each row, from ``start`` on, stops or would be divided by a missing value."""
        node = np.zeros(len(values), dtype=np.int32) if start is None else start
        if compiled_pays(len(values), COMPILED_FROM, "wekaconf.tree.compiled"):
            return self.last_whole_nodes_compiled(values, node)
        return self.last_whole_nodes_numpy(values, node)

    def last_whole_nodes_compiled(self, values: FloatArray, start: Int32Array) -> Int32Array:
        """The compiled form of `last_whole_nodes`."""
        from wekaconf.tree import compiled

        cells = np.ascontiguousarray(values).view()
        cells.setflags(write=False)  # for all cells, as for the router's own arrays
        return np.asarray(compiled.last_whole_nodes(cells, start, *self.arrays[:5]))

    def last_whole_nodes_numpy(self, values: FloatArray, start: Int32Array) -> Int32Array:
        """The numpy form of `last_whole_nodes`."""
        node = start.copy()
        active = np.flatnonzero(self.attribute[node] >= 0)
        while len(active):
            at = node[active]
            cells = values[active, self.attribute[at]]
            known = ~np.isnan(cells)
            active, at, cells = active[known], at[known], cells[known]
            at = (self.first_child[at] + self.branches(at, cells)).astype(np.int32)
            node[active] = at
            active = active[self.attribute[at] >= 0]
        return node

    def terminal_nodes(self, values: FloatArray) -> Int32Array:
        """(n,) int32: the node where each row stops, −1 if a missing value divides it."""
        node = self.last_whole_nodes(values)
        return np.where(self.attribute[node] < 0, node, np.int32(-1))

    @cached_property
    def keeps_missing(self) -> NDArray[np.bool_]:
        """(n_nodes,) bool: whether an instance with a missing value stops there, since no branch takes a share."""
        takes = self.enters & (self.down * self.up > 0)
        keeps = np.zeros(len(takes), dtype=np.bool_)
        if len(divided := np.flatnonzero(self.n_branches)):  # their branches are all nodes but the root, in this order
            keeps[divided] = ~np.logical_or.reduceat(takes, self.first_child[divided])
        return keeps & (self.attribute >= 0)

    @cached_property
    def stops(self) -> NDArray[np.bool_]:
        """(n_nodes,) bool: whether an instance, or a part of an instance, may stop there."""
        return np.asarray((self.attribute < 0) | self.keeps_missing)

    def paths(self, values: FloatArray) -> tuple[NDArray[np.intp], Int32Array, FloatArray]:
        """The nodes where parts of each row stop, and the sizes of the parts.

        Returns
        -------
        row : (n_parts,) intp
            In ascending order.
        node : (n_parts,) int32
            The node where the part stops.
        share : (n_parts,) float64
            Positive; the shares of a row sum to 1.
        """
        row, share = np.arange(len(values)), np.ones(len(values))
        node = self.last_whole_nodes(values)
        if self.stops[node].all():
            return row, node, share
        stopped_parts = []
        while len(row):
            stops = self.stops[node]
            stopped_parts.append((row[stops], node[stops], share[stops]))
            parents, children = self._children(np.flatnonzero(~stops), node[~stops])
            row, share = row[parents], share[parents] * (self.down[children] * self.up[children])
            kept = share > 0
            row, share = row[kept], share[kept]
            node = self.last_whole_nodes(values[row], children[kept])
        row, node, share = (np.concatenate(parts) for parts in zip(*stopped_parts, strict=True))
        order = np.argsort(row, kind="stable")
        row, node, share = row[order], node[order], share[order]
        return row, node, share / np.bincount(row, share, minlength=len(values))[row]

    def distributions(self, values: FloatArray, start: Int32Array | None = None) -> FloatArray:
        """Class distributions of rows that start at given nodes.

        Parameters
        ----------
        values : (n, n_attributes) float64
        start : (n,) int32, optional
            The node where each row starts; the root when left out.

        Returns
        -------
        (n, n_classes) float64
            Equal bit for bit to the nested sums of Weka's recursion, whichever form computes them.
        """
        if start is None:
            start = np.zeros(len(values), dtype=np.int32)
        if compiled_pays(len(values), COMPILED_FROM, "wekaconf.tree.compiled"):
            return self.distributions_compiled(values, start)
        return self.distributions_numpy(values, start)

    def distributions_compiled(self, values: FloatArray, start: Int32Array) -> FloatArray:
        """The compiled form of `distributions`, in several threads where the rows are many."""
        from wekaconf.tree import compiled
        from wekaconf.tree.threads import in_threads

        values, result = np.ascontiguousarray(values), np.empty((len(values), self.n_classes))
        in_threads(
            lambda rows: compiled.distributions(result[rows], values[rows], start[rows], *self.arrays),
            len(values),
            THREAD_FROM,
        )
        return result

    def distributions_numpy(self, values: FloatArray, start: Int32Array) -> FloatArray:
        """The numpy form of `distributions`; at a missing value an item is replaced by one item per child."""
        n = len(values)
        row, node, weight = np.arange(n), start.copy(), np.ones(n)
        generations: list[tuple[NDArray[np.intp], FloatArray]] = []
        active = np.flatnonzero(self.attribute[node] >= 0)
        divided_by_step: list[NDArray[np.intp]] = []
        while len(active):
            at = node[active]
            cells = values[row[active], self.attribute[at]]
            missing = np.isnan(cells)
            if missing.any():
                divided_items = active[missing]
                active, at, cells = active[~missing], at[~missing], cells[~missing]
                divided_by_step.append(divided_items)
                parents, children = self._children(divided_items, node[divided_items])
                generations.append((parents, self.up[children]))
                new = np.arange(len(row), len(row) + len(children))
                row = np.concatenate((row, row[parents]))
                node = np.concatenate((node, children))
                weight = np.concatenate((weight, self.down[children] * weight[parents]))
            else:
                new = active[:0]
            node[active] = self.first_child[at] + self.branches(at, cells)
            active = np.concatenate((active, new))
            active = active[self.attribute[node[active]] >= 0]
        result = self.answer[node]
        if not divided_by_step:
            return result
        divided_items = np.concatenate(divided_by_step)
        result[n:] = self.part[node[n:]]
        result *= weight[:, None]
        result[divided_items] = 0.0
        end = len(row)
        for parents, up in reversed(generations):
            begin = end - len(parents)
            np.add.at(result, parents, up[:, None] * result[begin:end])
            end = begin
        if self.correction >= 0:
            divided_items = divided_items[divided_items < n]
            result[divided_items] = normalised(result[divided_items], self.correction)
        return result[:n]

    def _children(self, items: NDArray[np.intp], nodes: Int32Array) -> tuple[NDArray[np.intp], Int32Array]:
        counts = self.n_branches[nodes]
        parents = np.repeat(items, counts)
        offset = np.arange(len(parents)) - np.repeat(np.cumsum(counts) - counts, counts)
        children = (np.repeat(self.first_child[nodes], counts) + offset).astype(np.int32)
        is_entered = self.enters[children]
        return parents[is_entered], children[is_entered]


def compiled_pays(n_rows: int, from_rows: int = COMPILED_FROM, form: str = "") -> bool:
    """Whether a batch is to be answered by the compiled form.

    Parameters
    ----------
    n_rows : int
    from_rows : int
        The size of a batch from which loading the compiled form pays off; a tenth is enough once numba is loaded.
    form : str, optional
        The module with the compiled form. If given, small batches add up: the form is also loaded when the rows so far
        would have paid for loading it three times over, and once loaded it answers every batch.
    """
    ease = 10 if "wekaconf.tree.compiling" in sys.modules else 1
    if not form:
        return n_rows * ease >= from_rows
    # A service that asks row by row would otherwise stay with numpy for ever, at 1 to 2 ms a row in place of 0.03.
    # Loading takes half a second (0.56 s of the processor, where numpy answers 150 rows in 1 ms and the whole room is
    # imported in 0.11 s), and compiling, once per machine, up to half a minute, so a few small batches must not
    # trigger it. That is why both forms stand.
    rows_so_far[form] = total = rows_so_far.get(form, 0.0) + n_rows + CALL
    if n_rows * ease >= from_rows or total * ease >= 3 * from_rows:
        rows_so_far[form] = math.inf
    return math.isinf(rows_so_far[form])


rows_so_far: dict[str, float] = {}
"""Number of rows answered so far in this process, by the module with the compiled form; ∞ once it is loaded."""


def strict_winner(proba: FloatArray) -> NDArray[np.int64]:
    """The first class of largest probability, −1 for an all-zero row, as in Weka's AbstractClassifier."""
    return np.where(proba.max(axis=1, initial=0.0) > 0, proba.argmax(axis=1), -1)


def single_precision_limit(point: FloatArray) -> FloatArray:
    """The largest double that is at most ``point`` after rounding to single precision (halves to even).

    Parameters
    ----------
    point : (n,) float64
        NaN stays NaN, ∞ stays ∞.

    Returns
    -------
    (n,) float64
    """
    with np.errstate(over="ignore"):
        low = point.astype(np.float32)
        low = np.where(low > point, np.nextafter(low, np.float32(-np.inf)), low)
        high = np.nextafter(low, np.float32(np.inf))
        half = (_as_doubles(low) + _as_doubles(high)) / 2
        return np.where(np.isposinf(low), low, np.where(half.astype(np.float32) == low, half, np.nextafter(half, low)))


def _as_doubles(number: NDArray[np.float32]) -> FloatArray:
    """The numbers as doubles; an infinity becomes the number that would follow the largest one of single precision."""
    double = number.astype(np.float64)
    return np.where(np.isinf(double), np.copysign(2.0**128, double), double)
