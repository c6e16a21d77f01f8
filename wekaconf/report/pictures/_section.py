"""A plane through the space of the attributes, and the answers of a method on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, quoted, shown, some
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import cells
from wekaconf.methods.contract import Method
from wekaconf.tree import Forest, TreeMirror

CELLS, FEW_CELLS = 200, 50
"""Number of cells on each side of a plane; the latter for slow methods."""
CHUNK_VALUES = 2_000_000
"""Number of values of instances that are answered at a time."""
MARGIN, MARGIN_OF_SPLITS = 0.04, 0.5
"""Margins at either side, as a share of the range of an attribute's values, or of its split points."""
Extent = tuple[float, float, float, float]
"""The ends of the horizontal and of the vertical axis."""


@dataclass(frozen=True, eq=False)
class Section:
    """The answers of a method on a plane through the space of the attributes, in the middle of each cell.

    Parameters
    ----------
    method : Method
        Fitted.
    columns : (int, int)
        The attributes along the axes.
    extent : Extent
    predicted : (n_cells, n_cells) int64
        Class indices; rows are the second attribute, ascending.
    certainty : (n_cells, n_cells) float64
    """

    method: Method
    columns: tuple[int, int]
    extent: Extent
    predicted: NDArray[np.int64]
    certainty: FloatArray

    @classmethod
    def of(
        cls, method: Method, columns: tuple[int, int], extent: Extent, held: FloatArray, *, n_cells: int = CELLS
    ) -> Section:
        """Ask a method about the cells of a plane.

        Parameters
        ----------
        method, columns, extent
        held : (n_attributes,) float64
            The values of the other attributes.
        n_cells : int
            Number of cells on each side. Cost: n_cells² answers.
        """
        middle = (np.arange(n_cells) + 0.5) / n_cells
        left, right, low, high = extent
        x, y = (part.ravel() for part in np.meshgrid(left + (right - left) * middle, low + (high - low) * middle))
        predicted, certainty = np.empty(len(x), dtype=np.int64), np.empty(len(x))
        step = max(1, CHUNK_VALUES // len(held))
        for begin in range(0, len(x), step):
            rows = slice(begin, begin + step)
            values = np.tile(held, (len(x[rows]), 1))
            values[:, columns[0]], values[:, columns[1]] = x[rows], y[rows]
            answer = method.answer(Dataset(method.tree_.header, values))
            predicted[rows], certainty[rows] = answer.predicted, answer.certainty
        shape = n_cells, n_cells
        return cls(method, columns, extent, predicted.reshape(shape), certainty.reshape(shape))

    @property
    def header(self) -> Header:
        """The header of the tree."""
        return self.method.tree_.header

    @property
    def scale(self) -> tuple[float, float]:
        """The certainties of the palest and of the darkest shade; the largest finite one where ∞ is the bound."""
        bounds = self.method.certainty_range
        low = 1 / self.header.n_classes if bounds.low is None else bounds.low
        finite = self.certainty[np.isfinite(self.certainty)]
        high = bounds.high if np.isfinite(bounds.high) else float(finite.max(initial=low))
        return low, high if high > low else low + 1.0

    def middles(self) -> tuple[FloatArray, FloatArray]:
        """The middles of the cells along both axes."""
        middle = (np.arange(len(self.predicted)) + 0.5) / len(self.predicted)
        left, right, low, high = self.extent
        return left + (right - left) * middle, low + (high - low) * middle


def plane_of(
    tree: TreeMirror | Forest, data: Dataset | None, x: str | None = None, y: str | None = None
) -> tuple[tuple[int, int], Extent]:
    """The attributes of a plane, and its ends.

    Parameters
    ----------
    tree : TreeMirror or Forest
    data : Dataset, optional
        The plane reaches a little beyond its values; without data, or known values, beyond the split points.
    x, y : str, optional
        Names of numeric attributes; left out: those on which the tree splits first and most.

    Raises
    ------
    OptionError
        There are no two numeric attributes, a name is not that of one, or nothing says which values it has.
    """
    header = tree.header
    numeric = [i for i, each in enumerate(header.attributes) if each.kind == "numeric" and i != header.class_index]
    names = [header.attributes[i].name for i in numeric]
    if len(numeric) < 2:
        has = f"only {quoted(names[0])}" if names else "none"
        raise OptionError(
            f"a plane needs two numeric attributes, and {quoted(header.relation)} has {has}", value_of="tree"
        )
    weight = _split_weight(tree)
    by_weight = sorted(numeric, key=lambda i: -weight[i])
    chosen: list[int] = []
    for option, name in (("x", x), ("y", y)):
        if name is not None and name not in names:
            raise OptionError(
                f"no numeric attribute {quoted(name)}; there are {name_list(names, name)}", parameter=option
            )
        chosen.append(-1 if name is None else numeric[names.index(name)])
    if x is not None and x == y:
        raise OptionError(f"{quoted(x)} is on the other axis; give another attribute", parameter="y")
    for place in (0, 1):
        if chosen[place] < 0:
            chosen[place] = next(i for i in by_weight if i not in chosen)
    ranges = [_range(tree, data, column) for column in chosen]
    return (chosen[0], chosen[1]), (*ranges[0], *ranges[1])


def typical_values(header: Header, data: Dataset | None) -> FloatArray:
    """(n_attributes,) float64: median of each numeric attribute, most frequent value of each nominal; else missing."""
    held = np.full(len(header.attributes), np.nan)
    for column, attribute in enumerate(header.attributes):
        known = np.zeros(0) if data is None else data.values[:, column]
        known = known[~np.isnan(known)]
        if len(known) and column != header.class_index:
            held[column] = np.bincount(known.astype(np.int64)).argmax() if attribute.is_indexed else np.median(known)
    return held


def describe_held(tree: TreeMirror | Forest, columns: Sequence[int], held: FloatArray) -> str:
    """The values of the attributes that the tree tests off the plane; empty if there are none."""
    attributes = tree.header.attributes
    weight = _split_weight(tree)
    tested = sorted((i for i in np.flatnonzero(weight).tolist() if i not in columns), key=lambda i: -weight[i])
    return some([
        f"{shown(attributes[i].name)} " + ("missing" if np.isnan(held[i]) else f"= {cells(attributes[i], held[i])[0]}")
        for i in tested
    ])  # fmt: skip


def _split_weight(tree: TreeMirror | Forest) -> FloatArray:
    """(n_attributes,) float64: summed weight of the splits on each attribute; a split weighs half of its parent."""
    weight = np.zeros(len(tree.header.attributes))
    for member in tree.trees if isinstance(tree, Forest) else (tree,):
        inner = np.flatnonzero(member.split_attribute >= 0)
        np.add.at(weight, member.split_attribute[inner], 0.5 ** member.depth[inner])
    return weight


def _range(tree: TreeMirror | Forest, data: Dataset | None, column: int) -> tuple[float, float]:
    """The ends of an axis."""
    values = np.zeros(0) if data is None else data.values[:, column]
    margin = MARGIN
    if not np.isfinite(values).any():
        trees = tree.trees if isinstance(tree, Forest) else (tree,)
        values, margin = np.concatenate([t.split_point[t.split_attribute == column] for t in trees]), MARGIN_OF_SPLITS
    values = values[np.isfinite(values)]
    if not len(values):
        raise OptionError(
            f"{quoted(tree.header.attributes[column].name)}: nothing says which values it has: there are no data with "
            "some, and the tree does not split on it; give instances, or another attribute",
            value_of="data",
        )
    low, high = float(values.min()), float(values.max())
    span = (high - low) or abs(low) or 1.0
    return low - margin * span, high + margin * span
