"""Trees for a sequence of training sets; the next may grow while the one before it is used."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from wekaconf.data import Dataset
from wekaconf.tree._forest import Forest
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree.learner import LARGE

AHEAD = 2
"""Number of trees that are begun beyond the one that is waited for: one grows beside it, the other is queued."""
Item = TypeVar("Item")
Grown = TypeVar("Grown", bound=TreeMirror | Forest)
Begin = Callable[[Dataset], Callable[[], Grown]]
"""A function that begins to grow a tree; calling its result waits for the tree."""


def with_trees(
    items: Iterable[Item],
    train_of: Callable[[Item], Dataset],
    grow: Callable[[Dataset], Grown],
    begin: Begin[Grown] | None,
) -> Iterator[tuple[Item, Grown]]:
    """Yield each item with the tree that grows on its training data.

    Parameters
    ----------
    items : iterable
    train_of : callable
        Returns the training data of an item.
    grow : callable
        Grows a tree.
    begin : callable, optional
        Begins to grow a tree. The trees of the next items, two or a single large one, are then begun before an item's
        own tree is waited for, and what fails for an item is raised after those before it were yielded.

    Yields
    ------
    item
    tree : TreeMirror or Forest
    """
    if begin is None:
        for item in items:
            yield item, grow(train_of(item))
        return
    queue: deque[tuple[Item, Callable[[], Grown]]] = deque()
    remaining, n_ahead, failure = iter(items), 2, None
    while True:
        while len(queue) < n_ahead:
            try:
                item = next(remaining)
                train = train_of(item)
                queue.append((item, begin(train)))
            except StopIteration:
                n_ahead = 0
            except Exception as error:
                n_ahead, failure = 0, error
            else:
                n_ahead = 2 if train.values.size > LARGE else 1 + AHEAD
        if not queue:
            break
        item, wait = queue.popleft()
        yield item, wait()
    if failure is not None:
        raise failure
