"""Trees that grow in a thread of Java beside other work; see `Learner.ahead`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic

from wekaconf.base.errors import BridgeError
from wekaconf.bridge import jvm
from wekaconf.bridge.instances import cells_beside_others
from wekaconf.data.dataset import Dataset
from wekaconf.tree.learner import Grown


class Growing(Generic[Grown]):
    """A tree that was begun. Call it to wait for the tree.

    Parameters
    ----------
    building : object
        What Java's ``beginToBuild`` gave.
    mirror : callable
        Copies what has been built out of Java.
    grow : callable
        Grows the tree in the caller's thread, with its errors and its larger stack, if it could not be built.
    """

    def __init__(self, building: Any, mirror: Callable[[], Grown], grow: Callable[[], Grown]) -> None:
        self.building = building
        self.next: Growing[Grown] | None = None
        self.has_failed = False
        self._mirror: Callable[[], Grown] | None = mirror
        self._grow: Callable[[], Grown] | None = grow
        self._tree: Future[Grown] = Future()

    def __call__(self) -> Grown:
        """The tree, for which this waits."""
        self.finish()
        return self._tree.result()

    def finish(self) -> None:
        """Have the tree, and nothing of it in Java, which grows the next one too until this one is there.

        If it could not be built, those that wait behind it leave Java before it is grown again. What fails then is
        raised for who calls for the tree.
        """
        self._leave_java()
        following, grow = self.next, self._grow
        self.next = self._grow = None  # what grows again holds the training data
        if grow is None or self._tree.done():
            return
        while following is not None:
            following._leave_java()
            following = following.next
        self._keep(grow)

    def _leave_java(self) -> None:
        """Take what is built out of Java."""
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


class Line(Generic[Grown]):
    """Begins to grow trees, one after another in the order in which they were begun.

    While one is waited for, the next one grows too, since the processor that would ask the tree has nothing to do. Of
    forests, of large data, and after a failure, Java holds one tree alone.

    Parameters
    ----------
    start : callable
        Begins to grow a tree on a training set after another that is ``building``, None: at once.
    is_ensemble : bool
    """

    def __init__(self, start: Callable[[Dataset, Any], Growing[Grown]], *, is_ensemble: bool) -> None:
        self._start = start
        self._is_ensemble = is_ensemble
        self._begun: list[Growing[Grown]] = []

    def __call__(self, train: Dataset) -> Growing[Grown]:
        """Begin to grow a tree on a training set."""
        if self._is_ensemble or train.values.size > cells_beside_others() or any(one.has_failed for one in self._begun):
            self._finish()
        before = self._begun[-1].building if self._begun else None
        try:
            growing = self._start(train, before)
        except BridgeError:
            if before is None:
                raise
            self._finish()
            growing = self._start(train, None)
        for last in self._begun[-1:]:
            last.next = growing
        self._begun = [*(one for one in self._begun if one.building is not None), growing]
        return growing

    def _finish(self) -> None:
        for one in self._begun:
            one.finish()
        self._begun.clear()
