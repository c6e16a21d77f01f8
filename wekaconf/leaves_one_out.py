"""What methods can do that keep their training data: answer for each as if it were not there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.data.dataset import Dataset, FloatArray, Header
from wekaconf.errors import OptionError
from wekaconf.parameters import learned
from wekaconf.postprocessor import PostProcessor


class LeftOut(NamedTuple):
    """Answers for training instances as if each were not among the training data.

    Parameters
    ----------
    proba : (n_rows, n_classes) float64
        The method's class distributions.
    ranking : (n_rows, n_classes) float64
        What it ranks by.
    certainty : (n_rows,) float64
        What it thresholds.
    baseline : (n_rows, n_classes) float64
        The distributions of the plain tree, grown without the instance too.
    """

    proba: FloatArray
    ranking: FloatArray
    certainty: FloatArray
    baseline: FloatArray


def unheard(done: int, total: int) -> None:
    """What `LeavesOneOut.on_progress` is unless somebody listens."""
    del done, total


class LeavesOneOut(PostProcessor, is_registered=False):
    """A method that keeps its training data, takes long over an answer, and can leave an instance out by itself.

    It writes ``n_kept``, ``_leave_one_out`` and what of the rest below differs from the usual.
    """

    on_progress: Callable[[int, int], None] = learned()
    """Called with how much is done and of how much, while the method answers. Set it on an object to listen; it is no
    parameter and not saved."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.on_progress = unheard

    @property
    @abstractmethod
    def n_kept(self) -> int:
        """How many training instances a fitted method, and so its model file, keeps: all with a class and a weight."""

    @property
    def can_leave_one_out(self) -> bool:
        """Whether, with these parameters, there is a short way to answers for a training instance left out."""
        return True

    def leave_one_out(self, rows: ArrayLike | None = None) -> LeftOut:
        """Answers for training instances as if each were not among the training data.

        Parameters
        ----------
        rows : (n_rows,) integers in [0, n_kept), optional
            Instances that the method was fitted on, in their order there, those that `fit` leaves out not counted;
            all when left out.

        Returns
        -------
        LeftOut
            What the method answers that is fitted on the tree that the learner grows without the instance.

        Raises
        ------
        OptionError
            There is no such row, or with these parameters there is no short way to such answers; cross-validation has
            the long one.
        NotFittedError
        """
        self.check_fitted()
        given = np.arange(self.n_kept) if rows is None else np.asarray(rows)
        checked = given.astype(np.intp) if given.size == 0 else given
        if checked.ndim != 1 or not np.issubdtype(checked.dtype, np.integer):
            raise OptionError(
                f"{self.name}: rows must be whole numbers, one for each training instance to leave out; got "
                f"{given.dtype} of shape {given.shape}"
            )
        outside = checked[(checked < 0) | (checked >= self.n_kept)]
        if len(outside):
            raise OptionError(
                f"{self.name}: rows must be from 0 to {self.n_kept - 1}, the instances it was fitted on; "
                f"got {outside[0]}"
            )
        if not self.can_leave_one_out:
            raise OptionError(
                f"{self!r} has no short way to leave one instance out; evaluate it with Protocol(folds='loo')"
            )
        return self._leave_one_out(checked.astype(np.intp))

    @abstractmethod
    def _leave_one_out(self, rows: NDArray[np.intp]) -> LeftOut:
        """Answer for training instances, as ``_fit`` got them, each as if it were not there."""

    def left_out_at_a_time(self, train: Dataset) -> int:
        """For how many instances `leave_one_out` is best asked at a time, so that none waits long; at least 1."""
        return max(len(train), 1)

    def notes(self, data: Dataset) -> tuple[str, ...]:
        """What a record has to tell of how the answers for ``data`` are computed."""
        del data
        return ()

    def cost(self, n_instances: int, header: Header) -> str:
        """A sentence about what so many answers cost, for those who would rather know first; usually empty.

        Parameters
        ----------
        n_instances : int
            How many instances are to be answered.
        header : Header
            Of the data; the method need not be fitted.
        """
        del n_instances, header
        return ""
