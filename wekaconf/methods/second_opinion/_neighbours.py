"""Nearest neighbours as an opinion beside a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np

from wekaconf.base.stored import stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import LARGEST_WEIGHT, FloatArray, Int64Array
from wekaconf.methods.second_opinion._side import OwnSide, Scale, inputs, nominal_cells
from wekaconf.tree import TreeMirror, sequential_sum

N_NEAREST = 9
MOST_KEPT = 20_000
"""Training instances among which neighbours are looked for; of more, so many are drawn."""
MOST_DISTANCES = 4_000_000
"""Distances that are held at a time."""
TIE = 1e-12
"""Distances whose difference is a smaller share of them count as equal."""


@dataclass(frozen=True, eq=False)
class Neighbours(OwnSide):
    """The share of each class among the nine nearest training instances and those that are as near.

    Euclidean distance on scaled numbers; nominal values that differ, and one that is missing beside one that is not,
    add 1 to its square. It keeps training instances, also in the model file.

    Parameters
    ----------
    center, spread : (n_attributes,) float64
        See `Scale`.
    kept : (n_kept, n_attributes) float64
        Scaled numbers and cells of nominal values of training instances; 0 of what is neither.
    kept_class : (n_kept,) int64
    kept_weight : (n_kept,) float64
        Instance weights.
    """

    words = "the vote of neighbours"
    center: Annotated[FloatArray, stored(np.float64, "n_attributes")]
    spread: Annotated[FloatArray, stored(np.float64, "n_attributes", low=np.nextafter(0, 1))]
    kept: Annotated[FloatArray, stored(np.float64, "n_kept", "n_attributes", low=-10, high=2**31)]
    kept_class: Annotated[Int64Array, stored(np.int64, "n_kept", low=0, below="n_classes")]
    kept_weight: Annotated[FloatArray, stored(np.float64, "n_kept", low=np.nextafter(0, 1), high=LARGEST_WEIGHT)]

    @classmethod
    def fit(cls, tree: TreeMirror, train: Dataset) -> Self:
        """See `Kind.fit`."""
        scale = Scale.of(train)
        rows = np.arange(len(train))
        if len(train) > MOST_KEPT:
            rows = np.sort(np.random.default_rng(1).choice(len(train), MOST_KEPT, replace=False))
        kept = train.take(rows)
        return cls(tree, *scale, _scaled(kept, scale), kept.class_values, kept.weights / kept.weights.max())

    @property
    def n_kept(self) -> int:
        """See `Side.n_kept`."""
        return len(self.kept)

    def proba(self, data: Dataset) -> FloatArray:
        """See `Side.proba`."""
        from scipy.spatial.distance import cdist

        asked = _scaled(data, Scale(self.center, self.spread))
        numbers, nominal = inputs(self.header, "numeric", "date"), inputs(self.header, "nominal")
        n, step = len(self.kept), max(MOST_DISTANCES // len(self.kept), 1)
        votes, last = np.zeros((len(data), self.header.n_classes)), min(N_NEAREST, n) - 1
        for first in range(0, len(data), step):
            part = asked[first : first + step]
            squared = np.zeros((len(part), n))
            if numbers:
                squared += cdist(part[:, numbers], self.kept[:, numbers], "sqeuclidean")
            for column in nominal:
                squared += part[:, column, None] != self.kept[:, column]
            furthest = np.partition(squared, last, axis=1)[:, last, None]
            near = np.where(squared <= furthest * (1 + TIE), self.kept_weight, 0.0)
            for c in range(votes.shape[1]):
                # in the memory of one row after another, else numpy's order of adding depends on the number of rows
                of_class = np.ascontiguousarray(near[:, self.kept_class == c])
                votes[first : first + step, c] = of_class.sum(axis=1)
        return np.asarray(votes / sequential_sum(votes)[:, None])

    def check(self) -> None:
        """See `OwnSide.check`."""
        if not len(self.kept):
            raise ValueError("kept: expected at least one instance")


def _scaled(data: Dataset, scale: Scale) -> FloatArray:
    """(n_instances, n_attributes) float64: scaled numbers, and cells of nominal values."""
    found = np.zeros(data.values.shape)
    for column in inputs(data.header):
        values = data.values[:, column]
        is_nominal = data.attributes[column].is_nominal
        found[:, column] = nominal_cells(data.header, column, values) if is_nominal else scale(column, values)
    return found
