"""Logistic regression with an L2 penalty, by Newton's steps, as an opinion beside a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from wekaconf.base.stored import stored
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.methods.second_opinion._side import Cells, Line, Scale, Sum, Term, columns_of, inputs, nominal_cells
from wekaconf.tree import TreeMirror

LARGEST = 1e6
"""The largest coefficient in a file."""
HALF = float(np.sqrt(0.5))
MOST_DENSE = 50_000_000
"""The largest number of cells of a dense design."""
TOLERANCE = 1e-9
"""Steps end when no slope of the mean loss is larger."""
MOST_STEPS, MOST_INNER_STEPS = 100, 200
MOST_INVERTED = 2000
"""The largest number of columns whose curvature is inverted; with more, only its diagonal guides the steps."""
SMALLEST_SCALE = 1e-9


@dataclass(frozen=True, eq=False)
class Logistic(Sum):
    """Logistic regression with an L2 penalty of 1 on scaled numbers, nominal values, and missing ones as a value.

    Parameters
    ----------
    center, spread : (n_attributes,) float64
        See `Scale`.
    intercept : (n_classes,) float64
        −∞ of a class without instances.
    coefficients : (n_coefficients, n_classes) float64
        One row per number; one per nominal value, and one for a missing one; in the order of the attributes.
    """

    words = "logistic regression"
    center: Annotated[FloatArray, stored(np.float64, "n_attributes")]
    spread: Annotated[FloatArray, stored(np.float64, "n_attributes", low=np.nextafter(0, 1))]
    intercept: Annotated[FloatArray, stored(np.float64, "n_classes", high=LARGEST, allows_inf=True)]
    coefficients: Annotated[FloatArray, stored(np.float64, "n_coefficients", "n_classes", low=-LARGEST, high=LARGEST)]

    @classmethod
    def fit(cls, tree: TreeMirror, train: Dataset) -> Self:
        """See `Kind.fit`."""
        return cls._fit_from(tree, train, None)

    def fit_again(self, tree: TreeMirror, train: Dataset) -> Self:
        """See `Side.fit_again`: what was learned from more rows is where the steps begin, not where they end."""
        return self._fit_from(tree, train, self)

    @classmethod
    def _fit_from(cls, tree: TreeMirror, train: Dataset, near: Logistic | None) -> Self:
        header, n_classes, scale = train.header, train.n_classes, Scale.of(train)
        present, first = np.unique(train.class_values, return_index=True)
        present = present[np.argsort(first)]  # as they appear, so that the order of declared classes plays no part
        intercept = np.full(n_classes, -np.inf)
        intercept[present[0]] = 0.0
        coefficients = np.zeros((int(n_rows(header).sum()), n_classes))
        if len(present) > 1:
            place = np.zeros(n_classes, dtype=np.int64)
            place[present] = np.arange(len(present))
            design = Design.of(train, scale)
            outputs = present[1:] if len(present) == 2 else present
            start = None
            if near is not None and np.isfinite(near.intercept[present]).all():
                start = design.folded(near.intercept[outputs], near.coefficients[:, outputs])
            weights = train.weights / train.weights.mean()
            found = regression(design.values, place[train.class_values], weights, start)
            intercept[outputs], coefficients[:, outputs] = design.unfolded(found)
        return cls(tree, scale.center, scale.spread, intercept, coefficients)

    @property
    def start(self) -> FloatArray:
        """See `Sum.start`."""
        return self.intercept

    def term(self, column: int) -> Term:
        """See `Sum.term`."""
        rows = self._rows[column]
        if self.header.attributes[column].is_nominal:
            return Cells(None, rows)
        return Line(float(self.center[column]), float(self.spread[column]), rows[0])

    @cached_property
    def _rows(self) -> dict[int, FloatArray]:
        """The coefficients of each attribute."""
        columns = inputs(self.header)
        after = np.cumsum(n_rows(self.header)[columns])
        parts = np.split(self.coefficients, after[:-1]) if columns else []
        return dict(zip(columns, parts, strict=True))

    def check(self) -> None:
        """See `OwnSide.check`."""
        if len(self.coefficients) != n_rows(self.header).sum():
            raise ValueError("coefficients: expected a row per number and nominal value, and one where it is missing")
        if not np.isfinite(self.intercept).any():
            raise ValueError("intercept: expected a class that has instances")


def n_rows(header: Header) -> Any:
    """(n_attributes,) int64: the number of coefficients of each attribute, for one class."""
    n = np.zeros(len(header.attributes), dtype=np.int64)
    for column in inputs(header):
        n[column] = len(header.attributes[column].values) + 1 if header.attributes[column].is_nominal else 1
    return n


class Design(NamedTuple):
    """The rows of a regression: ones, scaled numbers, and cells of nominal values that some row has.

    Two cells of one attribute that share all rows have opposite coefficients, since an intercept stands beside them. So
    one column stands for both, of a length with which the penalty is the same.

    Parameters
    ----------
    values : (n_instances, 1 + n_columns) float64
        Dense, or sparse where that would be large.
    unfolding : (n_coefficients, n_columns) float64, sparse
        The coefficients of the side that one of each column stands for.
    """

    values: Any
    unfolding: Any

    @classmethod
    def of(cls, train: Dataset, scale: Scale) -> Self:
        """The design of training instances."""
        from scipy.sparse import csr_array, hstack

        n, begin = len(train), 0
        columns: list[FloatArray] = [np.ones(n)]
        entries: list[list[tuple[int, float]]] = []
        sizes = n_rows(train.header)
        by_column = columns_of(train)
        for column in inputs(train.header):
            values = by_column[column]
            if train.attributes[column].is_nominal:
                cells = nominal_cells(train.header, column, values)
                seen = np.flatnonzero(np.bincount(cells)).tolist()
                if len(seen) == 2:
                    columns.append(np.where(cells == seen[1], HALF, -HALF))
                    entries.append([(begin + seen[1], HALF), (begin + seen[0], -HALF)])
                elif len(seen) > 2:
                    columns += [(cells == cell).astype(np.float64) for cell in seen]
                    entries += [[(begin + cell, 1.0)] for cell in seen]
            else:
                columns.append(scale(column, values))
                entries.append([(begin, 1.0)])
            begin += int(sizes[column])
        places = [(row, j, value) for j, of_column in enumerate(entries) for row, value in of_column]
        rows, js, numbers = zip(*places, strict=True) if places else ((), (), ())
        unfolding = csr_array((numbers, (rows, js)), shape=(begin, len(entries)), dtype=np.float64)
        is_large = n * len(columns) > MOST_DENSE
        design = hstack([csr_array(one[:, None]) for one in columns], "csr") if is_large else np.column_stack(columns)
        return cls(design, unfolding)

    def folded(self, intercept: FloatArray, coefficients: FloatArray) -> FloatArray:
        """(n_outputs, 1 + n_columns) float64: about the coefficients of the columns, to begin with."""
        return np.column_stack((intercept, (self.unfolding.T @ coefficients).T))

    def unfolded(self, found: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n_outputs,) and (n_coefficients, n_outputs) float64: the intercepts and coefficients of a side."""
        return found[:, 0], self.unfolding @ found[:, 1:].T


def regression(design: Any, label: Int64Array, weights: FloatArray, start: FloatArray | None = None) -> FloatArray:
    """(n_outputs, n_columns) float64: the coefficients that minimise the weighted log-loss and half their squares.

    As scikit-learn's LogisticRegression with C=1 has it: of two labels the one output is the log-odds of the second;
    of more, each has an output, and their softmax is the distribution. The steps solve for the curvature by conjugate
    gradients, guided by its inverse where all outputs have the same, which is exact for one output.

    Parameters
    ----------
    design : (n, n_columns) float64
        Dense or sparse; the first column, of ones, has no penalty.
    label : (n,) int64
        From 0 to n_labels − 1, each with a row.
    weights : (n,) float64
        Of mean 1.
    start : (n_outputs, n_columns) float64, optional
        Where the steps begin; the loss is convex, so they end at the same place.
    """
    n_labels = int(label.max()) + 1
    wanted = (np.arange(n_labels)[:, None] == label).astype(np.float64)[1 if n_labels == 2 else 0 :]
    penalty = np.ones(design.shape[1])
    penalty[0] = 0.0
    point = np.zeros((len(wanted), design.shape[1])) if start is None else start
    share, now = _shares_and_loss(design, point, wanted, weights, penalty)
    for _ in range(MOST_STEPS):
        slope = (weights * (share - wanted)) @ design + penalty * point
        if np.abs(slope).max() <= TOLERANCE * len(label):
            break

        def curved(step: FloatArray, share: FloatArray = share) -> FloatArray:
            moves = share * _outputs(design, step)
            moves -= share * moves.sum(axis=0)
            return np.asarray((weights * moves) @ design + penalty * step)

        guide = _guide(design, weights * (share * (1 - share)).mean(axis=0), penalty)
        step, scale = _solved(curved, slope, guide), 1.0
        while True:
            moved = point - scale * step
            share, new = _shares_and_loss(design, moved, wanted, weights, penalty)
            if new <= now or scale < SMALLEST_SCALE:
                break
            scale /= 2
        if not new <= now:  # by rounding, or it is NaN
            break
        point, now = moved, new
    return point


def _outputs(design: Any, point: FloatArray) -> FloatArray:
    """(n_outputs, n) float64."""
    return np.ascontiguousarray((design @ point.T).T)


def _shares_and_loss(
    design: Any, point: FloatArray, wanted: FloatArray, weights: FloatArray, penalty: FloatArray
) -> tuple[FloatArray, float]:
    outputs = _outputs(design, point)
    largest = outputs.max(axis=0)
    largest = np.maximum(largest, 0.0) if len(outputs) == 1 else largest
    powers = np.exp(outputs - largest)
    total = powers.sum(axis=0) + (np.exp(-largest) if len(outputs) == 1 else 0.0)
    loss = weights @ (largest + np.log(total) - (wanted * outputs).sum(axis=0)) + (penalty * point * point).sum() / 2
    return powers / total, float(loss)


def _guide(design: Any, weights: FloatArray, penalty: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """A function that divides by the curvature of one output, or by its diagonal."""
    is_sparse = hasattr(design, "multiply")
    if design.shape[1] > MOST_INVERTED:
        squares = design.multiply(design) if is_sparse else design * design
        diagonal = np.maximum(weights @ squares + penalty, SMALLEST_SCALE)
        return lambda slope: slope / diagonal
    weighed = design.multiply(weights[:, None]).tocsr() if is_sparse else design * weights[:, None]
    gram = design.T @ weighed
    gram = gram.toarray() if is_sparse else gram
    inverse = np.linalg.inv(gram + np.diag(np.maximum(penalty, SMALLEST_SCALE)))
    return lambda slope: slope @ inverse


def _solved(
    curved: Callable[[FloatArray], FloatArray], slope: FloatArray, guide: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """The step whose curvature is the slope, by preconditioned conjugate gradients; a small slope is met better."""
    size = float(np.abs(slope).max())
    enough = size * min(0.1, size**0.5)
    step, rest = np.zeros(slope.shape), slope
    guided = guide(rest)
    direction, old = guided, float((rest * guided).sum())
    for _ in range(MOST_INNER_STEPS):
        bent = curved(direction)
        length = old / float((direction * bent).sum())
        step, rest = step + length * direction, rest - length * bent
        if np.abs(rest).max() <= enough:
            break
        guided = guide(rest)
        new = float((rest * guided).sum())
        direction, old = guided + new / old * direction, new
    return step
