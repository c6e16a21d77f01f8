"""Keeping what was computed last for a tree or data, which several methods of one evaluation ask for."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def kept_for_the_last(compute: Callable[P, T]) -> Callable[P, T]:
    """A function of objects such as a tree and its training data that keeps its last result while all are in use.

    The objects are compared by identity, which is enough for what cannot change; several threads at worst compute
    twice. They are given by position.
    """
    kept: list[tuple[list[weakref.ref[Any]], T]] = []

    @wraps(compute)
    def asked(*of: P.args, **none: P.kwargs) -> T:
        for last, result in kept[:]:
            if all(ref() is one for ref, one in zip(last, of, strict=True)):
                return result
        result = compute(*of, **none)

        def forget(_: object) -> None:
            kept.clear()

        kept[:] = [([weakref.ref(one, forget) for one in of], result)]
        return result

    return asked
