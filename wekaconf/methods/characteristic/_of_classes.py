"""Limits of the attribute values of each class, for the predictions of any learner (Davidsson 1996, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list
from wekaconf.data import Dataset, Header, header_of, training_part
from wekaconf.data.arrays import FloatArray
from wekaconf.methods.characteristic._id3_max import ID3Max
from wekaconf.methods.characteristic._id3_sd import ID3SD
from wekaconf.methods.characteristic._learning import Groups, Rule, TestedColumns
from wekaconf.methods.characteristic._limits import Closed, Limits, alpha_of


@dataclass(frozen=True, eq=False)
class CharacteristicLimits:
    """Limits of the values of each class, for the predictions of any learner; see `characteristic_limits`.

    Parameters
    ----------
    header : Header
    limits : Limits
        Group 0 is the whole training set, 1 + c is class c.
    threshold : float
        The certainty below which an instance is not accepted.
    """

    header: Header
    limits: Limits
    threshold: float

    def certainty(self, test: Dataset, predicted: ArrayLike) -> FloatArray:
        """How characteristic instances are of the classes predicted for them.

        Parameters
        ----------
        test : Dataset
            With the header of the training data; its classes are ignored.
        predicted : (n_instances,) integers, or sequence of str
            Class indices, −1 for an instance without a prediction, or class names.

        Returns
        -------
        (n_instances,) float64
            In [0, 1]: the smallest two-sided tail probability of a numeric attribute (``sd``), or 1 (``max``); 0 if a
            test fails, or without a prediction.

        Raises
        ------
        HeaderMismatchError
            The attributes of the data are not those of the training data.
        OptionError
            There is not one prediction per instance, or a prediction is not a class.
        """
        self.header.check_same(header_of(test))
        classes = self._classes(len(test), predicted)
        certainty = np.zeros(len(test))
        rows = np.flatnonzero(classes >= 0)
        certainty[rows] = self.limits.certainty(test.values[rows], 1 + classes[rows])
        return certainty

    def accepts(self, test: Dataset, predicted: ArrayLike) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether `certainty` is at least ``threshold``."""
        return np.asarray(self.certainty(test, predicted) >= self.threshold)

    def _classes(self, n: int, predicted: ArrayLike) -> NDArray[np.int64]:
        labels = np.asarray(predicted)
        if labels.shape != (n,):
            raise OptionError(
                parameter="predicted", expected=f"one class per instance, shape ({n},)", got=str(labels.shape)
            )
        names = self.header.class_names
        if labels.size == 0:
            return np.zeros(0, dtype=np.int64)
        if labels.dtype.kind in "iu":
            wrong = (labels < -1) | (labels >= len(names))
            if wrong.any():
                expected = f"indices from −1 (none) to {len(names) - 1}"
                raise OptionError(parameter="predicted", expected=expected, got=str(labels[wrong][0]))
            return labels.astype(np.int64)
        if not all(isinstance(name, str) for name in labels.tolist()):
            got = f"{labels.dtype} such as {labels[0]!r}"
            raise OptionError(parameter="predicted", expected="class indices or class names", got=got)
        index = self.header.class_attribute.value_index
        for name in labels.tolist():
            if name not in index:
                raise OptionError(
                    f"'{name}' is not a class; give one of {name_list(names, name)}", parameter="predicted"
                )
        return np.array([index[name] for name in labels.tolist()], dtype=np.int64)


class _SDParameters(ID3SD, is_registered=False):
    """Checks the parameters of `characteristic_limits` for the method ``sd``."""

    name = "characteristic_limits"


class _MaxParameters(ID3Max, is_registered=False):
    """Checks the parameters of `characteristic_limits` for the method ``max``."""

    name = "characteristic_limits"


def characteristic_limits(
    train: Dataset,
    *,
    method: Literal["sd", "max"] = "sd",
    alpha: float | None = None,
    p_total: float | None = None,
    limits: Literal["normal", "tolerance"] = "normal",
    confidence: float = 0.95,
    closed: Closed = "both",
    zero_variance: Literal["exact", "accept", "parent"] = "exact",
    trim: float = 0.0,
    ordered: str | Sequence[str] = "",
) -> CharacteristicLimits:
    """Limits of the attribute values of each class, to accept or reject the predictions of any learner.

    Parameters
    ----------
    train : Dataset
        Instances without a class or of weight 0 are left out.
    method : {"sd", "max"}
        The limits of numeric attributes: mean ± z(1 − α/2) standard deviations, or the smallest and the largest value.
    alpha : float, optional
        α in (0, 1), .05 unless ``p_total`` is given (``sd``).
    p_total : float, optional
        Probability in (0, 1) that all N numeric tests accept a member of the class: α = 1 − p_total^(1/N) (``sd``).
    limits : {"normal", "tolerance"}
        Whether deviations are widened to tolerance limits (``sd``); see
        `wekaconf.methods.characteristic._id3_sd.ID3SD`.
    confidence : float
        Confidence of the tolerance limits, in (0, 1).
    closed : {"both", "lower", "upper", "neither"}
        Which of the limits are themselves accepted (``max``).
    zero_variance : {"exact", "accept", "parent"}
        If all values of a class are equal: accept only this value, accept anything, or use the limits of the whole
        training set.
    trim : float
        In [0, 1): instances outside the limits at α = trim are left out before the limits are computed (``sd``).
    ordered : str or sequence of str
        Nominal attributes whose declared order counts, joined by ``+`` in one text: every value between the first
        and the last seen is accepted. For other nominal attributes only the values seen are.

    Returns
    -------
    CharacteristicLimits
        Its methods ``accepts(test, predicted)`` and ``certainty(test, predicted)`` apply the limits. A class without
        training instances accepts nothing.

    Raises
    ------
    OptionError
        A parameter is out of range or does not belong to the method, or the class is not nominal.

    Notes
    -----
    Cost: O(n_instances · n_attributes), here as in ``accepts`` and ``certainty``.

    References
    ----------
    Davidsson: Learning characteristic decision trees, 1996, section 4.1.
    """
    name = _SDParameters.name
    if method not in ("sd", "max"):
        raise OptionError(f"{name}: method must be sd or max, got '{method}'", value_of="method")
    is_sd = method == "sd"
    if isinstance(ordered, Sequence) and not isinstance(ordered, str):
        ordered = tuple(ordered)
    _SDParameters(
        alpha=alpha, p_total=p_total, limits=limits, confidence=confidence, trim=trim, zero_variance=zero_variance,
        ordered=ordered,
    )  # fmt: skip
    _MaxParameters(closed=closed)
    sd_only = {"alpha": alpha is not None, "p_total": p_total is not None, "limits": limits != "normal"}
    others = {"closed": closed != "both"} if is_sd else {**sd_only, "trim": trim > 0}
    misplaced = [key for key, is_given in others.items() if is_given]
    if misplaced:
        raise OptionError(
            f"{name}: {misplaced[0]} is a parameter of method '{'max' if is_sd else 'sd'}', not of '{method}'",
            value_of="method",
        )
    header_of(train).check_nominal_class()
    train = training_part(train)
    columns = TestedColumns.of(train.header, ordered, name, is_sd=is_sd)
    rule = Rule(limits, confidence, zero_variance, trim, closed)
    groups = Groups.of_classes(train)
    class_limits = Limits.of(groups, train, columns, rule)
    class_limits = replace(class_limits, rejects=groups.begin[1:] == groups.end[1:])
    threshold = alpha_of(alpha, p_total, len(columns.numeric)) if is_sd else 0.5
    return CharacteristicLimits(train.header, class_limits, threshold)
