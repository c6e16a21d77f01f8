"""Keeping what was computed last for a tree or data, which several methods of one evaluation ask for."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, TypeVar, TypeVarTuple

Things = TypeVarTuple("Things")
T = TypeVar("T")


class kept_for_the_last(Generic[*Things, T]):  # noqa: N801 - a decorator
    """A function of things such as a tree and its training data that keeps its last result while all are in use.

    The things are compared by identity, which is enough for what cannot change; several threads at worst compute twice.
    """

    def __init__(self, compute: Callable[[*Things], T]) -> None:
        self._compute = compute
        self._kept: tuple[list[weakref.ref[Any]], T] | None = None
        update_wrapper(self, compute)

    def __call__(self, *things: *Things) -> T:
        """The result for these things."""
        given: tuple[Any, ...] = things
        if (kept := self._kept) is not None:
            refs, result = kept
            for ref, thing in zip(refs, given, strict=True):
                if ref() is not thing:
                    break
            else:
                return result
        result = self._compute(*things)
        self._kept = [weakref.ref(thing, self.forget) for thing in given], result
        return result

    def forget(self, _: object = None) -> None:
        """Keep nothing."""
        self._kept = None
