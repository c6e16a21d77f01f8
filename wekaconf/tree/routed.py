"""The arrays of a tree together with its router."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wekaconf.tree.arrays import TreeArrays
from wekaconf.tree.router import Router
from wekaconf.tree.rules import router_of


@dataclass(frozen=True, eq=False)
class RoutedTree(TreeArrays):
    """A tree as read-only arrays, see `TreeArrays`, with the router that its rules lead to."""

    @cached_property
    def router(self) -> Router:
        """The arrays that the routing kernels read."""
        return router_of(self)
