"""Keeping what was computed last for a tree and data, which several methods of one evaluation ask for."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from wekaconf.data.dataset import Dataset
from wekaconf.tree.mirror import TreeMirror

T = TypeVar("T")


def kept_for_the_last(compute: Callable[[TreeMirror, Dataset], T]) -> Callable[[TreeMirror, Dataset], T]:
    """A function of a tree and data, trained on or asked about, that keeps its last result while all are in use.

    Both are compared by identity, which is enough since neither can change; several threads at worst compute twice.
    """
    kept: list[tuple[weakref.ref[TreeMirror], weakref.ref[Dataset], T]] = []

    @wraps(compute)
    def asked(tree: TreeMirror, data: Dataset) -> T:
        for of_tree, of_data, result in kept[:]:
            if of_tree() is tree and of_data() is data:
                return result
        result = compute(tree, data)

        def forget(_: object) -> None:
            kept.clear()

        kept[:] = [(weakref.ref(tree, forget), weakref.ref(data, forget), result)]
        return result

    return asked
