"""The label of rejected answers, and labels in which it marks them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError

WHOLE = "iu"


def find_reject_label(classes: NDArray[Any], label: Any = None) -> Any:
    """The label of a rejected answer: ``label``, else a default that is none of the classes.

    A whole number among floats becomes a float, unless it is too large to be one, so that the answers are an array of
    floats; scikit-learn's metrics refuse one of objects. The default is of the classes' kind for that reason, too:

    * among texts "unknown";
    * among whole numbers −1, or the least class less 1 if −1 is a class;
    * among floats the same as a float, since metrics refuse NaN;
    * among booleans −1, as they have no third value.

    Parameters
    ----------
    classes : (n_classes,) array
        The labels that answers may have.
    label : object, optional
        One text, number or the like that is none of the classes.

    Raises
    ------
    OptionError
        ``label`` is a list, or one of the classes; or it is left out, and "unknown" is a class, or the classes are of
        a kind without a default.
    """
    if label is None:
        return _default(classes)
    if np.ndim(label):
        raise OptionError(
            parameter="reject_label", expected="one text or number, such as 'unknown' or -1", got=repr(label)
        )
    if label in classes.tolist():
        raise OptionError(f"{label!r} is a class; give a label that no instance has", parameter="reject_label")
    is_whole = np.asarray(label).dtype.kind in WHOLE
    # As numpy itself would make it. Known from `fit` on, so that a clash is told before anything is answered.
    return float(label) if classes.dtype.kind == "f" and is_whole and float(label) == label else label


def mark_rejected(labels: NDArray[Any], rejected: NDArray[np.bool_], reject_label: Any) -> NDArray[Any]:
    """The labels, with ``reject_label`` where the answer is rejected.

    Parameters
    ----------
    labels : (n_instances,) array
    rejected : (n_instances,) bool
    reject_label : object
        As `find_reject_label` gives it.

    Returns
    -------
    (n_instances,) array
        Of a dtype that holds both, whether or not anything is rejected: that of the labels, wider if need be; whole
        numbers if it is one among booleans; else object if ``reject_label`` is of another kind, or no type of whole
        numbers holds both.
    """
    marked = labels.astype(_common_dtype(labels.dtype, np.asarray(reject_label).dtype))
    marked[rejected] = reject_label
    return marked


def _default(classes: NDArray[Any]) -> Any:
    taken = set(classes.tolist())
    if classes.dtype.kind in "biuf":
        number = min(taken) - 1 if -1 in taken else -1
        return float(number) if classes.dtype.kind == "f" else number
    are_texts = all(isinstance(label, str) for label in taken)
    if are_texts and "unknown" not in taken:
        return "unknown"
    why = "'unknown' is a class" if are_texts else f"there is no default among labels such as {classes[0]!r}"
    raise OptionError(
        f"expected what stands for a rejected answer, since {why}; give a label that no instance has",
        parameter="reject_label",
    )


def _common_dtype(labels_dtype: np.dtype[Any], reject_dtype: np.dtype[Any]) -> Any:
    """The dtype that holds the labels and the label of rejected answers."""
    kinds = labels_dtype.kind, reject_dtype.kind
    if kinds[0] == kinds[1] or (kinds[0] in f"b{WHOLE}" and kinds[1] in WHOLE):
        common = np.result_type(labels_dtype, reject_dtype)
        if common.kind in kinds:  # numpy makes floats of uint64 and int64, which would round labels
            return common
    return object
