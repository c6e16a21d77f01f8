"""Checks of the arguments of measures, and the ratios that they share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Argument
from wekaconf.data.arrays import LARGEST_WEIGHT, BoolArray, FloatArray, are_weights


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a number of Python's or numpy's that float64 surely holds, and no boolean."""
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) < 2**1023
    return isinstance(value, float | np.integer | np.floating)


def checked(
    certainty: ArrayLike, correct: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, BoolArray, FloatArray]:
    """Certainty, whether each answer is correct, and weights, as arrays; OptionError if one of them is not valid."""
    certainty = np.asarray(certainty, dtype=np.float64)
    if certainty.ndim != 1:
        raise OptionError(
            Argument("certainty"), f" must be one number per instance, got an array of shape {certainty.shape}"
        )
    unknown = np.flatnonzero(np.isnan(certainty))
    if len(unknown):
        raise OptionError(
            Argument("certainty"),
            f" is NaN at instance {unknown[0]} and {len(unknown) - 1} others; a certainty is a number or "
            "infinite: leave these instances out, or give them -inf to have them rejected",
        )
    return certainty, checked_flags("correct", correct, len(certainty)), checked_weights(weights, len(certainty))


def checked_flags(name: str, flags: ArrayLike, n: int | None = None) -> BoolArray:
    """(n,) bool: the flags; OptionError if they are not true or false, or not one per instance."""
    flags = np.asarray(flags)
    are_flags = flags.dtype == np.bool_ or bool(np.isin(flags, (0, 1)).all())
    if flags.ndim != 1 or (n is not None and len(flags) != n) or not are_flags:
        expected = "instance" if n is None else f"of the {n} instances"
        raise OptionError(
            Argument(name), f" must be true or false for each {expected}, got {flags.dtype} of shape {flags.shape}"
        )
    return flags.astype(np.bool_)


def checked_weights(weights: ArrayLike | None, n: int, name: str = "weights") -> FloatArray:
    """(n,) float64: the weights, 1 when left out; OptionError, with the name, unless all are weights."""
    if weights is None:
        return np.ones(n)
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (n,) or not are_weights(weights).all():
        raise OptionError(
            Argument(name), f" must be a number from 0 to {LARGEST_WEIGHT:g} for each of the {n} instances"
        )
    return weights


def ratio(part: ArrayLike, whole: ArrayLike) -> FloatArray:
    """``part / whole``, NaN where ``whole`` is not positive."""
    quotient: FloatArray = np.full(np.shape(whole), np.nan)
    np.divide(part, whole, out=quotient, where=np.greater(whole, 0))
    return quotient


def share_of(part: float, whole: float) -> float:
    """`ratio` of two numbers."""
    return float(ratio(part, whole))


def mean_of(numbers: Iterable[float]) -> float:
    """Mean of the numbers that are not NaN; NaN if all are."""
    values = np.fromiter(numbers, dtype=np.float64)
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else np.nan
