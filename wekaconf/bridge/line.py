"""Trees that grow in a thread of Java beside other work; see `Learner.ahead`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic

from wekaconf.bridge import jvm
from wekaconf.data.dataset import Dataset
from wekaconf.errors import BridgeError
from wekaconf.learner import Grown

QUEUED_CELLS = 1 << 20
"""A training set with more cells goes to Java only when the tree before is finished."""


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
        self.has_failed = False
        self._ways: tuple[Callable[[], Grown], Callable[[], Grown]] | None = (mirror, grow)
        self._tree: Future[Grown] = Future()

    def __call__(self) -> Grown:
        """The tree, for which this waits."""
        self.finish()
        return self._tree.result()

    def finish(self) -> None:
        """Take the tree out of Java; what fails is raised for who calls for the tree."""
        if self._ways is None:
            return
        building, (mirror, grow) = self.building, self._ways
        self.building = self._ways = None
        try:
            self.has_failed = not jvm.call("waitUntilBuilt", building)[0]
            del building
            if self.has_failed:
                del mirror  # what was built so far
                self._tree.set_result(grow())
            else:
                self._tree.set_result(mirror())
        except Exception as error:
            self._tree.set_exception(error)


class Line(Generic[Grown]):
    """Begins to grow trees, of which one grows at a time, in the order in which they were begun.

    Java holds one tree and the next training set; of forests, of large data, and after a failure, one tree alone.

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
        if self._is_ensemble or train.values.size > QUEUED_CELLS or any(one.has_failed for one in self._begun):
            self._finish()
        before = self._begun[-1].building if self._begun else None
        try:
            growing = self._start(train, before)
        except BridgeError:
            if before is None:
                raise
            self._finish()
            growing = self._start(train, None)
        self._begun = [*self._begun[-1:], growing]
        return growing

    def _finish(self) -> None:
        for one in self._begun:
            one.finish()
        self._begun.clear()
