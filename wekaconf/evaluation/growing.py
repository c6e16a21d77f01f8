"""Trees of one split after another, each of which may grow while the last is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Begun = TypeVar("Begun")


def one_ahead(items: Iterable[Item], begin: Callable[[Item], Callable[[], Begun]]) -> Iterator[tuple[Item, Begun]]:
    """Each item with what was begun for it and then ended; the next is begun before an item is given."""
    remaining = iter(items)
    for item in remaining:
        end = begin(item)
        break
    else:
        return
    for following in remaining:
        begun = end()
        end = begin(following)
        yield item, begun
        item = following
    yield item, end()
