"""The costs of mistakes: Weka's cost matrix, and the instance weights that follow from it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, quoted
from wekaconf.base.words import Argument, Term
from wekaconf.data._cells import value_text
from wekaconf.data._columns import library
from wekaconf.data._dataset import Dataset, header_of
from wekaconf.data._header import Header
from wekaconf.data.arrays import FloatArray
from wekaconf.data.frames import column_names, is_frame

SMALL = 1e-6
"""Weka treats numbers that differ by less as equal."""
LARGEST_FILE = 1 << 24
"""The largest number of characters of a file of costs."""
NUMBER = re.compile(r"[-+]?(\d++\.?\d*+|\.\d++)([eE][-+]?\d++)?", re.ASCII)
_COSTS = Argument("costs", python="cost matrix")
"""The name, in errors, of a matrix that comes from no file."""
BLANKS = re.compile(r"[ \t\f\r\n]+")


@dataclass(frozen=True)
class CostMatrix:
    """What every mistake costs, as Weka's cost matrix says it.

    Parameters
    ----------
    costs : (n_classes, n_classes) array-like of float
        ``costs[i][j]`` is the cost of taking an instance of class i for class j, in any unit; finite. Classes are in
        the order of their declaration. No mistake costs less than the right answer to it, which is on the diagonal and
        mostly 0. The columns of a data frame are named by the classes.
    class_names : tuple of str
        The classes whose costs these are, in their order; empty: those of the data.

    Raises
    ------
    OptionError
        The costs are no square of finite numbers, a mistake costs less than the right answer, or no mistake costs more;
        or there are not as many names as classes.
    """

    costs: tuple[tuple[float, ...], ...]
    class_names: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        """Keep the costs as tuples, and check them."""
        if is_frame(self.costs) and not self.class_names:
            object.__setattr__(self, "class_names", _names_of(self.costs))
        try:
            costs = np.array(self.costs, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise OptionError(_COSTS, f": expected rows of numbers of one length, got {self.costs!r}") from error
        if costs.ndim != 2 or costs.shape[0] != costs.shape[1] or not costs.size:
            raise OptionError(_COSTS, f": expected as many columns as rows, got the shape {costs.shape}")
        # Weka takes NaN, infinity and further cells of a row, or drops them; a right answer that costs more it refuses,
        # too, but only when it weighs.
        if not np.isfinite(costs).all():
            raise OptionError(_COSTS, ": expected finite numbers")
        object.__setattr__(self, "costs", tuple(map(tuple, costs.tolist())))
        if len(self.class_names) not in (0, len(costs)):
            raise OptionError(_COSTS, f": expected {len(costs)} names of classes, got {len(self.class_names)}")
        extra = self._extra
        if (extra < -SMALL).any():
            row, column = np.argwhere(extra < -SMALL)[0]
            mistake = f"the mistake in row {row + 1}, column {column + 1} costs {costs[row, column]:g}"
            right = f"the right answer in that column, {costs[column, column]:g}"
            raise OptionError(_COSTS, f": {mistake}, less than {right}; expected at least as much")
        if not (extra > 0).any():
            raise OptionError(_COSTS, ": no mistake costs anything; expected a cost above 0 off the diagonal")

    @classmethod
    def of_text(cls, text: str) -> CostMatrix:
        """The matrix that a text such as ``"[0 1; 5 0]"`` describes, Weka's notation on one line.

        Raises
        ------
        OptionError
            The text is not such a matrix, or a cell is an expression.
        """
        inner = re.fullmatch(r"\s*\[([^][]*)\]\s*", text)
        if inner is None:
            raise OptionError(_COSTS, f": expected a text such as '[0 1; 5 0]', got '{text}'")
        return cls(tuple(_numbers(_cells(row), _COSTS) for row in inner[1].split(";")))

    @classmethod
    def read(cls, path_or_text: str) -> CostMatrix:
        """The matrix in a file, see `load_cost_matrix`, or in a text, see `of_text`."""
        return cls.of_text(path_or_text) if path_or_text.lstrip().startswith("[") else load_cost_matrix(path_or_text)

    def __str__(self) -> str:
        """The matrix in one line, ``[0 1; 5 0]``, with all digits; what `of_text` reads."""
        return f"[{'; '.join(' '.join(map(_cost_text, row)) for row in self.costs)}]"

    @property
    def _extra(self) -> FloatArray:
        """(n_classes, n_classes) float64: the costs, less those of the right answers if these are not 0."""
        costs = np.array(self.costs)
        right = np.diagonal(costs)
        return costs - right if (np.abs(right) >= SMALL).any() else costs

    def check_classes(self, header: Header) -> None:
        """Raise OptionError unless there is one row per class."""
        header.check_nominal_class()
        self.check_names(header.class_names, "cost_matrix", f" of '{header.relation}'")

    def check_names(self, class_names: Sequence[str], parameter: str, of: str = "") -> None:
        """Raise OptionError unless there is one row per class, in this order if the costs say whose they are."""
        names, n = name_list(class_names), len(class_names)
        if len(self.costs) != n:
            expected = f"{n} rows and columns, one per class{of} ({names})"
            raise OptionError(parameter=parameter, expected=expected, got=str(len(self.costs)))
        if self.class_names not in ((), tuple(class_names)):
            expected = f"costs of the classes{of} in their order ({names})"
            raise OptionError(parameter=parameter, expected=expected, got=f"those of {name_list(self.class_names)}")

    def weigh(self, train: Dataset) -> Dataset:
        """Training instances weighted by what it costs to mistake them, so that a tree grown on them heeds the costs.

        The weight of an instance is multiplied by the summed costs in the row of its class, times the summed weight of
        all instances over their weight after that. So the summed weight stays as it was. This is what Weka's
        CostSensitiveClassifier does, bit for bit.

        Parameters
        ----------
        train : Dataset
            Instances with a nominal class.

        Returns
        -------
        Dataset
            Without the instances that have no class. Cost: O(n_instances).

        Raises
        ------
        OptionError
            The matrix has not one row per class, or no class of the instances costs anything.
        """
        self.check_classes(header_of(train))
        train = train.take(train.class_values >= 0)
        classes = train.class_values
        if not train.weights.any():
            return train
        class_weights = np.bincount(classes, train.weights, minlength=train.n_classes)
        row_sums = np.cumsum(self._extra, axis=1)[:, -1]  # np.sum would add in another order than Weka
        with np.errstate(all="ignore"):
            factors = row_sums * np.cumsum(class_weights)[-1] / np.cumsum(row_sums * class_weights)[-1]
            weights = train.weights * factors[classes]
        if not np.isfinite(weights).all():
            problem = f"{self} gives the {len(train)} training instances of '{train.relation}' no finite weights"
            expected = "expected a cost above 0 for one of their classes, and none near 1e308"
            raise OptionError(f"{problem}; {expected}", parameter="cost_matrix")
        return replace(train, weights=np.maximum(weights, 0.0))

    def expected_costs(self, proba: ArrayLike) -> FloatArray:
        """What each answer is expected to cost.

        Parameters
        ----------
        proba : (n_instances, n_classes) array-like of float
            Class distributions.

        Returns
        -------
        (n_instances, n_classes) float64
            Column j: the mean cost of answering class j, in the unit of the costs.

        Raises
        ------
        OptionError
            There is not one column per row of the matrix.
        """
        shares, costs = np.asarray(proba, dtype=np.float64), np.array(self.costs)
        if shares.ndim != 2 or shares.shape[1] != len(costs):
            raise OptionError(parameter="proba", expected=f"(n_instances, {len(costs)})", got=str(shares.shape))
        expected = np.zeros(shares.shape)
        for actual, row in enumerate(costs):  # in the order of Weka's sums
            expected += shares[:, actual, None] * row
        return expected

    def least_costly(self, proba: ArrayLike) -> NDArray[np.int64]:
        """(n_instances,) int64: the answer of the least expected cost, the first of several; see `expected_costs`.

        This is what Weka's CostSensitiveClassifier answers with its option ``-M``.
        """
        return self.expected_costs(proba).argmin(axis=1)


def load_cost_matrix(path: str | os.PathLike[str]) -> CostMatrix:
    """Read a cost matrix as Weka writes it.

    Lines that begin with ``%`` are comments. The first other line holds the number of rows and of columns, and each one
    after it a row of costs, for the class that is declared at its place.

    Parameters
    ----------
    path : path
        A file, mostly named ``.cost``.

    Raises
    ------
    OptionError
        The file cannot be read, or is no such matrix; the message gives file and line. Expressions over attributes,
        which Weka takes as costs in some places, are refused.
    """
    name = os.fspath(path)

    def wrong(text: str, line: int = 0) -> OptionError:
        return OptionError(f"{name}:{line}: {text}" if line else f"{name}: {text}", value_of="path")

    try:
        with open(name, encoding="utf-8-sig", errors="replace") as file:
            text = file.read(LARGEST_FILE + 1)
    except FileNotFoundError as error:
        raise wrong("no such file; check the name and the folder") from error
    except (OSError, ValueError) as error:  # ValueError: a name with a zero character
        raise wrong(f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(text) > LARGEST_FILE:
        raise wrong(f"expected a cost matrix, got more than {LARGEST_FILE} characters")
    lines = [
        (number, cells)
        for number, line in enumerate(text.split("\n"), start=1)
        if not line.startswith("%") and (cells := _cells(line))
    ]
    if not lines:
        raise wrong("expected the number of rows and columns, such as '2 2', got no line")
    (number, size), *rows = lines
    if len(size) != 2 or not all(re.fullmatch(r"\d{1,9}", n, re.ASCII) for n in size) or int(size[0]) != int(size[1]):
        expected = "expected the number of rows and, equal to it, of columns, such as '2 2'"
        raise wrong(f"{expected}, got {quoted(' '.join(size))}; below it belong the rows", number)
    n = int(size[0])
    for number, cells in rows[:n]:
        if len(cells) != n:
            raise wrong(f"expected {n} costs, got {len(cells)}; correct the row or the size", number)
    if len(rows) != n:
        number = rows[n][0] if len(rows) > n else lines[-1][0]
        raise wrong(f"expected {n} rows of costs, got {len(rows)}; correct the rows or the size", number)
    costs = tuple(_numbers(cells, f"{name}:{number}") for number, cells in rows)
    try:
        return CostMatrix(costs)
    except OptionError as error:
        raise OptionError(name, *error.text[1:], value_of="path") from error


def _names_of(frame: Any) -> tuple[str, ...]:
    """The classes that the columns of a frame are named by; OptionError if its rows have other names."""
    names = tuple(map(value_text, column_names(frame)))
    rows = frame.index.tolist() if library(frame) == "pandas" else [*range(len(names))]
    if rows != [*range(len(rows))] and (named := tuple(map(value_text, rows))) != names:
        expected = f"rows in the order of the columns ({name_list(names)})"
        raise OptionError(_COSTS, f": expected {expected}, got {name_list(named)}")
    return names


def _cells(line: str) -> list[str]:
    return [cell for cell in BLANKS.split(line) if cell]


def _numbers(cells: Sequence[str], where: str | Term) -> tuple[float, ...]:
    for cell in cells:
        if not NUMBER.fullmatch(cell):
            advice = "costs that depend on attributes cannot weigh instances here"
            got = f"expected a number as the cost, got {quoted(cell)}"
            raise OptionError(where, f": {got}; {advice}", value_of="costs")
    return tuple(map(float, cells))


def _cost_text(cost: float) -> str:
    return repr(cost + 0.0).removesuffix(".0")  # -0.0 + 0.0 is 0.0
