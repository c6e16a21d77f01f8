"""Methods that keep their training data, and can answer for each of those instances as if it were not among them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Setting
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.methods.contract._method import Method


class LeftOut(NamedTuple):
    """Answers for training instances, each as if it were not among the training data.

    Parameters
    ----------
    proba : (n_rows, n_classes) float64
        The method's class distributions.
    ranking : (n_rows, n_classes) float64
        What instances are ranked by.
    certainty : (n_rows,) float64
        What rejecting compares with the threshold.
    baseline : (n_rows, n_classes) float64
        The distributions of the plain tree, also grown without the instance.
    """

    proba: FloatArray
    ranking: FloatArray
    certainty: FloatArray
    baseline: FloatArray


def ignore_progress(done: int, total: int) -> None:
    """Ignore progress: the default of `LeavesOneOut.on_progress`."""
    del done, total


class LeavesOneOut(Method, is_registered=False):
    """A slow method that keeps its training data and can leave out a training instance without a new tree.

    A class and not a flag: progress, notes, cost and kept rows belong to such methods alone, and type checkers follow
    ``isinstance(method, LeavesOneOut)``.

    It implements ``n_kept`` and ``_leave_one_out``, and overrides the rest below where the default does not hold.
    """

    _on_progress = staticmethod(ignore_progress)

    @property
    def on_progress(self) -> Callable[[int, int], None]:
        """The listener to progress, called with the work done and the total while the method answers; not saved."""
        return self._on_progress

    @on_progress.setter
    def on_progress(self, listener: Callable[[int, int], None]) -> None:
        vars(self)["_on_progress"] = listener

    @property
    @abstractmethod
    def n_kept(self) -> int:
        """Number of training instances that a fitted method, and so its model file, keeps.

        These are all with a class and a positive weight.
        """

    @property
    def can_leave_one_out(self) -> bool:
        """Whether, with these parameters, there is a short way to answer for a training instance left out."""
        return True

    def leave_one_out(self, rows: ArrayLike | None = None) -> LeftOut:
        """Answer for training instances, each as if it were not among the training data.

        Parameters
        ----------
        rows : (n_rows,) integers in [0, n_kept), optional
            Indices into the instances that the method keeps, which are in the order of the training data; all when left
            out.

        Returns
        -------
        LeftOut
            For each instance, what the method answers when both it and the learner's tree are made without the
            instance.

        Raises
        ------
        OptionError
            There is no such row, or with these parameters there is no short way to such answers; cross-validation
            takes the long one.
        NotFittedError
        """
        self.check_fitted()
        indices = np.arange(self.n_kept) if rows is None else np.asarray(rows)
        checked = indices.astype(np.intp) if indices.size == 0 else indices
        if checked.ndim != 1 or not np.issubdtype(checked.dtype, np.integer):
            raise OptionError(
                "rows must be whole numbers, one for each training instance to leave out; got "
                f"{indices.dtype} of shape {indices.shape}",
                of=self.name,
            )
        outside = checked[(checked < 0) | (checked >= self.n_kept)]
        if len(outside):
            raise OptionError(
                f"rows must be from 0 to {self.n_kept - 1}, the instances it was fitted on; got {outside[0]}",
                of=self.name,
            )
        if not self.can_leave_one_out:
            raise OptionError(
                f"{self!r} has no short way to leave one instance out; evaluate it with ",
                Setting("folds", "loo"),
                value_of="rows",
            )
        return self._leave_one_out(checked.astype(np.intp))

    @abstractmethod
    def _leave_one_out(self, rows: NDArray[np.intp]) -> LeftOut:
        """Answer for instances that ``_fit`` got, each as if it were not in the training data."""

    def left_out_at_a_time(self, train: Dataset) -> int:
        """Number of rows to pass to `leave_one_out` in one call, so that no call takes long; at least 1."""
        return max(len(train), 1)

    def notes(self, data: Dataset) -> tuple[str, ...]:
        """Notes for the record of an evaluation on how the answers for ``data`` are computed."""
        del data
        return ()

    def cost(self, n_instances: int, header: Header) -> str:
        """A sentence on the cost of answering that many instances, shown before the work starts; usually empty.

        Parameters
        ----------
        n_instances : int
            Number of instances to answer for.
        header : Header
            The header of the data; the method need not be fitted.
        """
        del n_instances, header
        return ""
