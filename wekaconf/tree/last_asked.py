"""Keeping what was computed last for a tree or data, which several methods of one evaluation ask for."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

Things = TypeVarTuple("Things")
T = TypeVar("T")


def kept_for_the_last(compute: Callable[[*Things], T]) -> Callable[[*Things], T]:
    """A function of things such as a tree and its training data that keeps its last result while all are in use.

    The things are compared by identity, which is enough for what cannot change; several threads at worst compute twice.
    """
    kept: list[tuple[list[weakref.ref[Any]], T]] = []

    @wraps(compute)
    def asked(*things: *Things) -> T:
        given: tuple[Any, ...] = things
        for refs, result in kept[:]:
            if all(ref() is thing for ref, thing in zip(refs, given, strict=True)):
                return result
        result = compute(*things)

        def forget(_: object) -> None:
            kept.clear()

        kept[:] = [([weakref.ref(thing, forget) for thing in given], result)]
        return result

    return asked
