"""Trees for one training set after another, each of which may grow while the one before is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.pieces import Begin, Grow
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror

Item = TypeVar("Item")
Tree = TreeMirror | Forest | None


def with_trees(
    items: Iterable[Item], train_of: Callable[[Item], Dataset | None], grow: Grow, begin: Begin | None
) -> Iterator[tuple[Item, Tree]]:
    """Yield each item with the tree that grows on its training data.

    Parameters
    ----------
    items : iterable
    train_of : callable
        Gives the training data of an item; None: it needs no tree.
    grow : callable
        Grows a tree.
    begin : callable, optional
        Begins to grow a tree; of several begun, one grows at a time, in order. The tree of the next item is then begun
        before an item's own tree is waited for, and what fails for the next item is raised after the current one was
        yielded.

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
    trains = ((item, train_of(item)) for item in items)
    ahead = ((item, _no_tree if train is None else begin(train)) for item, train in trains)
    following, failure = next(ahead, None), None
    while following is not None:
        item, wait = following
        try:
            following = next(ahead, None)
        except Exception as error:
            following, failure = None, error
        yield item, wait()
    if failure is not None:
        raise failure


def _no_tree() -> None:
    return None
