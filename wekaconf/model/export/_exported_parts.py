"""Parts of an exported model: the columns that its tree tests, and the sides that answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import quoted
from wekaconf.data import Attribute, ColumnMap, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.methods.contract import Method
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.second_opinion import FURTHEST, Cells, OfMethod, OfTree, Side, Sum, as_shares, inputs
from wekaconf.tree import Router, TreeMirror

Division = Literal["mean", "sum", "counts"]
"""How the parts of an instance with missing values answer together: the mean of their distributions, weighted by share;
the sum of these; or the sum of class weights, normalised after a correction."""
Vector = tuple[float, ...]


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


def bins(cuts: FloatArray, branch_of_value: Sequence[int]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """The branches of a node that tests a number which the filters have cut.

    Returns
    -------
    points : tuple of float
        Ascending; between them a branch ends and another begins.
    branch_of_bin : tuple of int
        The branch of the numbers up to each point, and of those above the last one.
    """
    has_numbers = np.append(True, np.append(cuts[1:], np.inf) > cuts) if len(cuts) else np.ones(1, dtype=np.bool_)
    runs = [[*run] for _, run in groupby(np.flatnonzero(has_numbers).tolist(), key=lambda bin: branch_of_value[bin])]
    return tuple(float(cuts[run[-1]]) for run in runs[:-1]), tuple(int(branch_of_value[run[0]]) for run in runs)


class LeafSide(NamedTuple):
    """A distribution for each node where an instance may stop.

    Parameters
    ----------
    division : Division
    correction : float
        Is added to every class weight if the division is "counts".
    answers : tuple of tuple of float
        For each node the distribution for an instance that stops there; empty where none does. An inner node has one if
        an instance with a missing value stops there, since no branch takes a share.
    parts : tuple of tuple of float
        For each node what a part of an instance adds there, times its share; class weights if the division is "counts".
    """

    division: Division
    correction: float
    answers: tuple[Vector, ...]
    parts: tuple[Vector, ...]


class CellsTerm(NamedTuple):
    """What the values of a column add to each class, by a table.

    Parameters
    ----------
    column : int
        Index into `ExportedModel.columns`.
    ends : tuple of float or None
        Of a number, whose row is the number of ends that are smaller; None: the column is nominal.
    adds : tuple of tuple of float
        A row for each cell.
    missing : tuple of float
        The row of a missing value.
    """

    column: int
    ends: Vector | None
    adds: tuple[Vector, ...]
    missing: Vector


class LineTerm(NamedTuple):
    """What the numbers of a column add to each class: (number − center) / spread, held in ±``furthest``, times a slope.

    Parameters
    ----------
    column : int
        Index into `ExportedModel.columns`.
    center, spread, furthest : float
    slope : tuple of float
        For each class. A missing value adds nothing.
    """

    column: int
    center: float
    spread: float
    furthest: float
    slope: Vector


class SumSide(NamedTuple):
    """The classes in proportion to the exponentials of sums.

    Parameters
    ----------
    start : tuple of float
        For each class what no column changes; −∞: its probability is 0.
    terms : tuple of CellsTerm or LineTerm
    """

    start: Vector
    terms: tuple[CellsTerm | LineTerm, ...]


class Layout(NamedTuple):
    """Where the nodes of a tree and the columns that it sees are in an exported model.

    Parameters
    ----------
    tree : TreeMirror
    nodes : tuple of int
        The node of the tree for each exported one.
    seen : sequence of TestedColumn
        For each column of the tree what it is made from.
    places : mapping of int to int
        For each column of the tree that is exported its index.
    """

    tree: TreeMirror
    nodes: tuple[int, ...]
    seen: Sequence[TestedColumn]
    places: Mapping[int, int]

    def leaf_side(self, division: Division, answers: FloatArray, parts: FloatArray, correction: float) -> LeafSide:
        """The side that gives the rows of (n_nodes, n_classes) arrays."""
        router = self.tree.router
        has_answer = [
            bool(router.attribute[n] < 0 or (router.keeps_missing[n] and division == "mean")) for n in self.nodes
        ]
        rows = [
            tuple(tuple(array[n].tolist()) if has else () for n, has in zip(self.nodes, has_answer, strict=True))
            for array in (answers, parts)
        ]
        return LeafSide(division, correction, *rows)

    def of_method(self, method: Method) -> LeafSide | None:
        """The side that a method is which answers by the leaf; None: it does not."""
        if isinstance(method, LeafFrequency):
            return self.of_tree(self.tree if method.laplace is None else self.tree.with_laplace(method.laplace))
        stops = np.flatnonzero(self.tree.router.stops).astype(np.int32)
        if (found := method.answers_at(stops)) is None:
            return None
        answers = np.zeros((self.tree.n_nodes, self.tree.header.n_classes))
        answers[stops] = found
        return self.leaf_side("mean", answers, answers, 0.0)

    def of_tree(self, tree: TreeMirror) -> LeafSide:
        """The tree's own answers, by the learner's own rule."""
        router = tree.router
        if tree.routing.adds_counts:
            return self.leaf_side("counts", router.answer, router.part, correction_of(router))
        return self.leaf_side("sum", router.answer, router.part, 0.0)

    def of_speaking_tree(self, tree: TreeMirror) -> LeafSide:
        """The tree's own answers as shares, which sum to 1."""
        return self.leaf_side("counts", as_shares(tree.router.answer), tree.router.part, correction_of(tree.router))

    def sum_side(self, side: Sum) -> SumSide:
        """A sum of the columns that it reads."""
        return SumSide(vector(side.start), tuple(self._term(side, column) for column in columns_read_by(side)))

    def _term(self, side: Sum, column: int) -> CellsTerm | LineTerm:
        term, place = side.term(column), self.places[column]
        if not isinstance(term, Cells):
            return LineTerm(place, term.center, term.spread, FURTHEST, vector(term.slope))
        cuts = self.seen[column].cuts
        ends = term.ends if cuts is None else cuts
        rows = tuple(map(vector, term.adds))
        return CellsTerm(place, None if ends is None else vector(ends), rows[:-1], rows[-1])

    def of_side(self, side: Side) -> LeafSide | SumSide | None:
        """A side of a pool; None: no format holds it."""
        if isinstance(side, OfTree):
            return self.of_speaking_tree(side.speaking)
        if isinstance(side, Sum):
            return self.sum_side(side)
        return self.of_method(side.method) if isinstance(side, OfMethod) else None


def columns_read_by(side: Sum) -> list[int]:
    """The columns whose values add something to a class."""
    terms = {column: side.term(column) for column in inputs(side.header)}
    adds = {column: term.adds if isinstance(term, Cells) else term.slope for column, term in terms.items()}
    return [column for column, numbers in adds.items() if numbers.any()]


def correction_of(router: Router) -> float:
    """What is added to every class weight."""
    return max(router.correction, 0.0)


def vector(numbers: FloatArray) -> Vector:
    """The numbers as Python's."""
    return tuple(numbers.tolist())
