"""Trees that grow in a thread of Java beside other work; see `Learner.ahead`.

Growing and asking take about as long as each other on small sets. No thread of Python takes part: with one, every call
of Java waited for the interpreter's lock, up to 5 ms each.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic

from wekaconf.base.errors import BridgeError
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import cells_beside_others
from wekaconf.data import Dataset
from wekaconf.tree import Grown


class GrowingTree(Generic[Grown]):
    """A tree that grows in Java. Call it to wait for the tree.

    Parameters
    ----------
    building : object
        The object that Java's ``beginToBuild`` returned.
    mirror : callable
        Copies the tree out of Java.
    grow : callable
        Grows the tree in the caller's thread, with its errors and its larger stack, if Java could not build it.
    """

    def __init__(self, building: Any, mirror: Callable[[], Grown], grow: Callable[[], Grown]) -> None:
        self.building = building
        self.next: GrowingTree[Grown] | None = None
        self.has_failed = False
        self._mirror: Callable[[], Grown] | None = mirror
        self._grow: Callable[[], Grown] | None = grow
        self._tree: Future[Grown] = Future()

    def __call__(self) -> Grown:
        """Wait for the tree and return it."""
        self.finish()
        return self._tree.result()

    def finish(self) -> None:
        """Wait for the tree and free it in Java, which grows the next tree meanwhile.

        If it could not be built, the trees that wait behind it leave Java before it is grown again. An error of the
        second attempt is raised when the tree is called for.
        """
        self._leave_java()
        following, grow = self.next, self._grow
        self.next = self._grow = None  # the function holds the training data
        if grow is None or self._tree.done():
            return
        while following is not None:
            following._leave_java()
            following = following.next
        self._keep(grow)

    def _leave_java(self) -> None:
        """Copy the tree out of Java once it is built."""
        if self._mirror is None:
            return
        building, following, mirror = self.building, self.next and self.next.building, self._mirror
        self.building = self._mirror = None
        try:
            self.has_failed = not jvm.call("waitUntilBuilt", building, following)[0]
        except Exception as error:
            self._tree.set_exception(error)
            return
        del building, following
        if not self.has_failed:
            self._keep(mirror)

    def _keep(self, make: Callable[[], Grown]) -> None:
        try:
            self._tree.set_result(make())
        except Exception as error:
            self._tree.set_exception(error)


class TreeQueue(Generic[Grown]):
    """A queue of trees that Java grows one after another, in the order in which they were begun.

    While the caller waits for a tree, the next one grows too, since the caller's processor has nothing else to do.
    For forests, for large data, and after a failure, Java holds one tree at a time.

    Parameters
    ----------
    start : callable
        Begins to grow a tree on a training set once another ``building`` is done; None: at once.
    is_ensemble : bool
    """

    def __init__(self, start: Callable[[Dataset, Any], GrowingTree[Grown]], *, is_ensemble: bool) -> None:
        self._start = start
        self._is_ensemble = is_ensemble
        self._trees: list[GrowingTree[Grown]] = []

    def __call__(self, train: Dataset) -> GrowingTree[Grown]:
        """Begin to grow a tree on a training set."""
        # The heap that one tree needs must be enough: with 26 MB and 900,000 cells beside another tree Java collected
        # garbage without end, and never ran out of memory.
        is_large = train.values.size > cells_beside_others()
        if self._is_ensemble or is_large or any(tree.has_failed for tree in self._trees):
            self._finish()
        before = self._trees[-1].building if self._trees else None
        try:
            tree = self._start(train, before)
        except BridgeError:
            if before is None:
                raise
            self._finish()
            tree = self._start(train, None)
        for last in self._trees[-1:]:
            last.next = tree
        self._trees = [*(other for other in self._trees if other.building is not None), tree]
        return tree

    def _finish(self) -> None:
        for tree in self._trees:
            tree.finish()
        self._trees.clear()
