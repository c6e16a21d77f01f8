"""Logistic regression as an opinion beside a tree."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Self

import numpy as np

from wekaconf.base.stored import stored
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.data.header import Header
from wekaconf.methods.second_opinion.scaling import Scale, nominal_cells
from wekaconf.methods.second_opinion.side import Sum, inputs
from wekaconf.tree.mirror import TreeMirror

LARGEST = 1e6
"""The largest coefficient in a file."""


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
        """See `Side.fit`."""
        scale = Scale.of(train)
        present, first = np.unique(train.class_values, return_index=True)
        present = present[np.argsort(first)]  # as they appear, so that the order of declared classes plays no part
        intercept = np.full(train.n_classes, -np.inf)
        coefficients = np.zeros((int(n_rows(train.header).sum()), train.n_classes))
        if len(present) == 1:
            intercept[present] = 0.0
        else:
            label = np.argsort(present)[np.searchsorted(np.sort(present), train.class_values)]
            start, slopes = regression(design(train, scale), label, train.weights / train.weights.mean())
            intercept[present], coefficients[:, present] = start, slopes
        return cls(tree, scale.center, scale.spread, intercept, coefficients)

    @property
    def start(self) -> FloatArray:
        """See `Sum.start`."""
        return self.intercept

    def part(self, column: int, values: FloatArray) -> FloatArray:
        """See `Sum.part`."""
        rows = self._rows[column]
        if self.header.attributes[column].is_nominal:
            return rows[nominal_cells(self.header, column, values)]
        return np.asarray(self._scale(column, values)[:, None] * rows)

    @cached_property
    def _scale(self) -> Scale:
        return Scale(self.center, self.spread)

    @cached_property
    def _rows(self) -> dict[int, FloatArray]:
        """The coefficients of each attribute."""
        columns = inputs(self.header)
        after = np.cumsum(n_rows(self.header)[columns])
        parts = np.split(self.coefficients, after[:-1]) if columns else []
        return dict(zip(columns, parts, strict=True))

    def check(self) -> None:
        """See `Side.check`."""
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


def design(data: Dataset, scale: Scale) -> FloatArray:
    """(n_instances, n_coefficients) float64: scaled numbers, and 1 in the cell of each nominal value."""
    columns, n = inputs(data.header), n_rows(data.header)
    found = np.zeros((len(data), int(n.sum())))
    begin, rows = 0, np.arange(len(data))
    for column in columns:
        values = data.values[:, column]
        if data.attributes[column].is_nominal:
            found[rows, begin + nominal_cells(data.header, column, values)] = 1.0
        else:
            found[:, begin] = scale(column, values)
        begin += int(n[column])
    return found


def regression(design: FloatArray, label: Any, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The intercepts (n_labels,) and the coefficients (n_columns, n_labels) of scikit-learn's logistic regression."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(solver="newton-cg", tol=1e-6, max_iter=1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has not converged
        model.fit(design if design.shape[1] else np.zeros((len(design), 1)), label, weights)
    start, slopes = model.intercept_, model.coef_[:, : design.shape[1]].T
    if len(start) == 1:  # of two classes: those of the second against the first
        return np.append(0.0, start), np.column_stack((np.zeros(len(slopes)), slopes))
    return start, slopes
