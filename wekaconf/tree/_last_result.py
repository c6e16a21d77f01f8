"""A cache of the last result for a tree or data, which the methods of one evaluation share.

The methods that an evaluation fits on one tree do not know of one another, so what follows from tree and data alone is
kept for the last pair that asked, whichever method came first. A plan that tells methods of each other would tie them
together.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, TypeVar, TypeVarTuple

Inputs = TypeVarTuple("Inputs")
T = TypeVar("T")


class keep_last_result(Generic[*Inputs, T]):  # noqa: N801 - a decorator
    """A function of a tree, training data and the like that keeps its last result while its inputs are in use.

    Inputs are compared by identity, since they cannot change; several threads at worst compute a result twice.
    """

    def __init__(self, compute: Callable[[*Inputs], T]) -> None:
        self._compute = compute
        self._last: tuple[list[weakref.ref[Any]], T] | None = None
        update_wrapper(self, compute)

    def __call__(self, *inputs: *Inputs) -> T:
        """The result for these inputs."""
        arguments: tuple[Any, ...] = inputs
        if (last := self._last) is not None:
            refs, result = last
            for ref, each in zip(refs, arguments, strict=True):
                if ref() is not each:
                    break
            else:
                return result
        result = self._compute(*inputs)
        self._last = [weakref.ref(each, self.forget) for each in arguments], result
        return result

    def forget(self, _: object = None) -> None:
        """Discard the last result."""
        self._last = None
