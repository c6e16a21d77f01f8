"""The input and the output of both forms of ConfDTree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int32Array

ROUTE, FINE = 0, 1


class Rules(NamedTuple):
    """The rules for a value outside the interval of the leading class.

    Parameters
    ----------
    fine : float
        Share of the leading class's probability that a fine takes.
    routes, fines : bool
        Whether alternative routes, and fines, are applied at all.
    """

    fine: float
    routes: bool
    fines: bool


class Answers(NamedTuple):
    """Distributions, and the routes and fines that led to them.

    Parameters
    ----------
    proba : (n, n_classes) float64
    instance : (n_events,) intp
        In ascending order, as are the nodes of one instance.
    node : (n_events,) int32
    kind : (n_events,) uint8
        ROUTE or FINE.
    leading : (n_events,) int32
        The class that led at the node.
    """

    proba: FloatArray
    instance: NDArray[np.intp]
    node: NDArray[np.int32]
    kind: NDArray[np.uint8]
    leading: Int32Array
