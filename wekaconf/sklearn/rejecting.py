"""Labels in which a rejected answer is marked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.errors import OptionError

WHOLE = "iu"


def with_rejected(
    labels: NDArray[Any], rejected: NDArray[np.bool_], reject_label: Any, classes: NDArray[Any]
) -> NDArray[Any]:
    """The labels, with ``reject_label`` where the answer is rejected.

    Parameters
    ----------
    labels : (n_instances,) array
    rejected : (n_instances,) bool
    reject_label : object
    classes : (n_classes,) array
        The labels that answers may have.

    Returns
    -------
    (n_instances,) array
        Of a dtype that holds both, whether or not anything is rejected: that of the labels, wider if need be, or object
        if ``reject_label`` is of another kind.

    Raises
    ------
    OptionError
        ``reject_label`` is None, a list, or one of the classes.
    """
    if reject_label is None:
        raise OptionError(
            f"reject_label: expected what stands for a rejected answer, such as {example_for(classes)!r}; it cannot be "
            "guessed, since every text or number might be a class"
        )
    if np.ndim(reject_label):
        raise OptionError(
            f"reject_label: expected one text or number, such as {example_for(classes)!r}, got {reject_label!r}"
        )
    if reject_label in classes.tolist():
        raise OptionError(f"reject_label: {reject_label!r} is a class; give a label that no instance has")
    kind = np.asarray(reject_label).dtype
    is_alike = kind.kind == labels.dtype.kind or {kind.kind, labels.dtype.kind} <= set(WHOLE)
    told = labels.astype(np.result_type(labels.dtype, kind) if is_alike else object)
    told[rejected] = reject_label
    return told


def example_for(classes: NDArray[Any]) -> Any:
    """A label that none of the classes is, of their kind."""
    if classes.dtype.kind in WHOLE:
        return min(-1, int(classes.min()) - 1)
    return "unknown" if "unknown" not in classes.tolist() else "rejected"
