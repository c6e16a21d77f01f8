"""Trees for one training set after another, each of which may grow while the one before is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.pieces import Begin, Grow
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror

Item = TypeVar("Item")


def with_trees(
    items: Iterable[Item], train_of: Callable[[Item], Dataset | None], grow: Grow, begin: Begin | None
) -> Iterator[tuple[Item, TreeMirror | Forest | None]]:
    """Yield each item with the tree that grows on its training data.

    Parameters
    ----------
    items : iterable
    train_of : callable
        Gives the training data of an item; None: it needs no tree.
    grow : callable
        Grows a tree.
    begin : callable, optional
        Begins to grow one. The tree of the next item then begins to grow before an item is yielded, but only one tree
        grows at a time, and what fails for the next item is raised after the current one was yielded.

    Yields
    ------
    item
    tree : TreeMirror or Forest, or None
    """
    if begin is None:
        for item in items:
            train = train_of(item)
            yield item, None if train is None else grow(train)
        return
    remaining = iter(items)

    def next_begun() -> tuple[Item, Callable[[], TreeMirror | Forest | None]] | None:
        for item in remaining:
            train = train_of(item)
            return item, _no_tree if train is None else begin(train)
        return None

    current = next_begun()
    while current is not None:
        item, wait = current
        tree = wait()
        del current, wait  # the training data in Java
        try:
            following = next_begun()
        except Exception:
            yield item, tree
            raise
        yield item, tree
        current = following


def _no_tree() -> None:
    return None
