"""The rules by which the inducer grows a tree, each a named option."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from wekaconf.data.arrays import FloatArray

Cuts = Literal["class-boundary", "with-x", "all"]
CUTS: tuple[Cuts, ...] = ("class-boundary", "with-x", "all")
NOBODY = -1
"""The number of no instance; as a class, that of an absent instance."""
SMALLEST_GAIN = 1e-12
"""The smallest gain, in bits, that is more than rounding."""


@dataclass(frozen=True)
class Rules:
    """The options of the inducer.

    Parameters
    ----------
    cuts : {"class-boundary", "all", "with-x"}
        Where a numeric attribute may be cut: between neighbouring values that are not both of one and the same class;
        at every value; at every value, those of test instances included, which the other two leave out.
    safe_prune : bool
        Whether a node whose leaves all predict one class becomes a leaf.
    min_weight : float
        Smallest summed weight, of instances whose value is known, of either branch; at least 0.
    min_gain : float
        Smallest gain of a split, in bits; at least 1e-12.
    """

    cuts: Cuts = "class-boundary"
    safe_prune: bool = True
    min_weight: float = 2.0
    min_gain: float = 1e-6

    def with_x(self) -> Rules:
        """The same rules, but the values of x are treated like all others."""
        return replace(self, cuts="with-x") if self.cuts == "all" else self

    @property
    def code(self) -> int:
        """The number of ``cuts`` in the kernels."""
        return CUTS.index(self.cuts)


def log_table(total: float) -> tuple[FloatArray, float]:
    """Terms w · log2 w of whole weights as whole numbers, so that equal gains are equal numbers.

    The logarithm of w is the sum of the rounded logarithms of its prime factors. Logarithms of different primes are in
    no whole relation to one another, so two gains are equal only where their factors cancel, and so do these sums.

    Parameters
    ----------
    total : float
        The largest sum of weights to be looked up.

    Returns
    -------
    table : (total + 2,) float64
        w · log2 w for w = 0, 1, …, in units of 1 / scale bits: whole numbers.
    scale : float
        2³⁶, less where the sums of a whole tree would not fit into 53 bits.
    """
    size = int(total) + 2
    scale = 2.0 ** min(36, math.floor(52 - math.log2(size * max(math.log2(size), 1.0))))
    rest, logarithm = np.arange(size), np.zeros(size)
    rest[0] = 1
    for p in range(2, math.isqrt(size) + 1):
        if rest[p] == p:
            power = p
            while power < size:
                rest[power::power] //= p
                # Rounding w · log2 w itself would make (1,6)|(2,1) and (3,4)|(0,3) differ, whose gains are equal.
                logarithm[power::power] += np.rint(np.log2(p) * scale)
                power *= p
    logarithm += np.rint(np.log2(rest) * scale)
    return np.arange(size) * logarithm, scale
