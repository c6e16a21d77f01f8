"""Limits of the attribute values of groups of instances, and what lies outside them (Davidsson 1996)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.data.dataset import Dataset, FloatArray, Header, Int32Array, header_of, name_list
from wekaconf.errors import OptionError
from wekaconf.methods.characteristic.learning import (
    Groups,
    Rule,
    TestedColumns,
    deviations,
    largest,
    learn,
    normal_quantile,
    rows_of,
)
from wekaconf.postprocessor import check_choice, check_number
from wekaconf.stored import stored
from wekaconf.tree.router import Router, compiled_pays

ALPHA = 0.05
CLOSED = ("both", "lower", "upper", "neither")
CHUNK_ROWS = 1 << 13
"""Instances, or parts of them, that the numpy form takes at a time, to bound the memory."""


@dataclass(frozen=True)
class LimitTest:
    """What one attribute of an instance must be so that the instance is not rejected.

    Parameters
    ----------
    attribute : str
        Empty where no instance is accepted at all, as there was none in training.
    lower, upper : float
        Of a numeric attribute (date: milliseconds since 1970-01-01T00:00Z).
    closed : {"both", "lower", "upper", "neither"}
        Which of the two is accepted itself.
    accepts : tuple of str or None
        Of a nominal attribute: the values accepted.
    """

    attribute: str
    lower: float = -np.inf
    upper: float = np.inf
    closed: str = "both"
    accepts: tuple[str, ...] | None = None


class Broken(NamedTuple):
    """Tests that instances failed.

    Parameters
    ----------
    item : (n,) intp
        Which of the instances asked about, ascending.
    column : (n,) intp
        Of the header, ascending within an instance; −1 where the group accepts nothing.
    """

    item: NDArray[np.intp]
    column: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Limits:
    """What is accepted of each attribute in each group of training instances.

    Parameters
    ----------
    numeric, ranged, nominal, first_value
        The attributes tested; see `wekaconf.methods.characteristic.learning.TestedColumns`.
    row : (n_groups,) int32
        Row of each group in what follows, −1 for one that is never asked.
    center, half_scale : (n_rows, n_numeric) float64
        A value is as many deviations from the center as it has scales; half a scale of 0 accepts the center only,
        ∞ anything.
    lower, upper : (n_rows, n_ranged) float64
        Both accepted; −∞ and ∞ accept anything.
    accepts : (n_rows, n_values) bool
        Whether each value of each of ``nominal`` is accepted.
    rejects : (n_rows,) bool
        Whether nothing is accepted.
    """

    numeric: Annotated[Int32Array, stored(np.int32, "n_numeric")]
    ranged: Annotated[Int32Array, stored(np.int32, "n_ranged")]
    nominal: Annotated[Int32Array, stored(np.int32, "n_nominal")]
    first_value: Annotated[Int32Array, stored(np.int32, "n_nominal + 1")]
    row: Annotated[Int32Array, stored(np.int32, "n_groups")]
    center: Annotated[FloatArray, stored(np.float64, "n_rows", "n_numeric", allows_inf=True)]
    half_scale: Annotated[FloatArray, stored(np.float64, "n_rows", "n_numeric", low=0, allows_inf=True)]
    lower: Annotated[FloatArray, stored(np.float64, "n_rows", "n_ranged", allows_inf=True)]
    upper: Annotated[FloatArray, stored(np.float64, "n_rows", "n_ranged", allows_inf=True)]
    accepts: Annotated[NDArray[np.bool_], stored(np.bool_, "n_rows", "n_values")]
    rejects: Annotated[NDArray[np.bool_], stored(np.bool_, "n_rows")]

    def check(self, columns: TestedColumns, is_asked: NDArray[np.bool_]) -> None:
        """Raise ValueError unless they are limits of such columns in such groups."""
        for name, expected in [*vars(columns).items(), ("row", rows_of(is_asked))]:
            if not np.array_equal(getattr(self, name), expected):
                raise ValueError(f"{name}: does not fit the attributes, or the nodes where instances stop")
        if (len(self.rejects), self.accepts.shape[1]) != (is_asked.sum(), columns.first_value[-1]):
            raise ValueError("accepts, rejects: expected a row per node where instances stop, a column per value")
        is_limited = np.isfinite(self.half_scale).any(axis=1) | ~self.accepts.all(axis=1)
        is_limited |= (self.lower != -np.inf).any(axis=1) | (self.upper != np.inf).any(axis=1)
        if (self.rejects & is_limited).any():
            raise ValueError("rejects: expected no limits where everything is rejected")

    @classmethod
    def of(cls, groups: Groups, train: Dataset, columns: TestedColumns, rule: Rule) -> Self:
        """Learn them; see `wekaconf.methods.characteristic.learning.learn`."""
        arrays = learn(groups, train, columns, rule)
        return cls(**{field.name: np.ascontiguousarray(arrays[field.name]) for field in fields(cls)})

    def distance(self, values: FloatArray, groups: NDArray[np.integer[Any]]) -> FloatArray:
        """How far instances lie from their groups.

        Parameters
        ----------
        values : (n, n_attributes) float64
        groups : (n,) integers
            Asked ones.

        Returns
        -------
        (n,) float64
            In [0, ∞], dimensionless: the largest of the numeric attributes' deviations in scales; ∞ where another
            test fails. A missing value is not tested.
        """
        furthest = np.empty(len(values))
        for begin in range(0, len(values), CHUNK_ROWS):
            chunk = slice(begin, begin + CHUNK_ROWS)
            rows, cells = self.row[groups[chunk]], values[chunk]
            far = largest(deviations(cells[:, self.numeric], self.center[rows], self.half_scale[rows]))
            fails = self._leaves_range(cells, rows).any(axis=1) | self._is_unseen(cells, rows).any(axis=1)
            far[fails | self.rejects[rows]] = np.inf
            furthest[chunk] = far
        return furthest

    def certainty(self, values: FloatArray, groups: NDArray[np.integer[Any]]) -> FloatArray:
        """(n,) float64 in [0, 1]: the two-sided tail probability of `distance`."""
        return self._tail(self.distance(values, groups))

    def certainty_at_ends(self, router: Router, values: FloatArray) -> FloatArray:
        """(n,) float64 in [0, 1]: mean of `certainty` over the parts of each instance, where they stop in a tree."""
        if not compiled_pays(len(values)):
            return self.certainty_at_ends_numpy(router, values)
        from wekaconf.methods.characteristic import compiled

        furthest, is_whole = compiled.distances(
            np.ascontiguousarray(values),
            router.attribute, router.limit, router.equals, router.in_subset, router.first_child, self.row,
            self.numeric, self.center, self.half_scale, self.ranged, self.lower, self.upper, self.nominal,
            self.first_value, self.accepts, self.rejects,
        )  # fmt: skip
        certainty = self._tail(furthest)
        if not is_whole.all():
            certainty[~is_whole] = self.certainty_at_ends_numpy(router, values[~is_whole])
        return certainty

    def certainty_at_ends_numpy(self, router: Router, values: FloatArray) -> FloatArray:
        """As `certainty_at_ends`, in numpy."""
        row, node, share = router.paths(values)
        certainty = np.concatenate(
            [
                self.certainty(values[row[begin : begin + CHUNK_ROWS]], node[begin : begin + CHUNK_ROWS])
                for begin in range(0, len(row), CHUNK_ROWS)
            ]
            or [np.zeros(0)]
        )
        return np.minimum(np.bincount(row, share * certainty, minlength=len(values)), 1.0)

    def broken(self, values: FloatArray, groups: NDArray[np.integer[Any]], alpha: float) -> Broken:
        """The tests that each instance fails at a level α."""
        rows = self.row[groups]
        far = deviations(values[:, self.numeric], self.center[rows], self.half_scale[rows])
        tails = self._tail(np.fmax(far, 0.0))
        failed = np.concatenate(
            (tails < alpha, self._leaves_range(values, rows), self._is_unseen(values, rows), self.rejects[rows, None]),
            axis=1,
        )
        item, at = np.nonzero(failed)
        column = np.concatenate((self.numeric, self.ranged, self.nominal, [-1])).astype(np.intp)[at]
        order = np.lexsort((column, item))
        return Broken(item[order], column[order])

    def tests(self, group: int, header: Header, alpha: float, closed: str = "both") -> tuple[LimitTest, ...]:
        """What a group asks at a level α, attribute by attribute; those that accept anything are left out."""
        row = int(self.row[group])
        if self.rejects[row]:
            return (LimitTest("", accepts=()),)
        found = {}
        z = normal_quantile(alpha) if len(self.numeric) else 0.0
        for j, column in enumerate(self.numeric.tolist()):
            center, half = float(self.center[row, j]), float(self.half_scale[row, j])
            reach = 2 * (z * half)
            if np.isfinite(half):
                ends = (center - reach, center + reach) if half else (center, center)
                found[column] = LimitTest(header.attributes[column].name, *ends)
        for j, column in enumerate(self.ranged.tolist()):
            attribute, lower, upper = header.attributes[column], float(self.lower[row, j]), float(self.upper[row, j])
            if np.isneginf(lower) and np.isposinf(upper):
                continue
            if attribute.is_nominal:
                accepts = tuple(value for i, value in enumerate(attribute.values) if lower <= i <= upper)
                found[column] = LimitTest(attribute.name, accepts=accepts)
                continue
            told = "both" if lower == upper else closed
            lower = math.nextafter(lower, -math.inf) if told in ("upper", "neither") else lower
            upper = math.nextafter(upper, math.inf) if told in ("lower", "neither") else upper
            found[column] = LimitTest(attribute.name, lower, upper, told)
        for j, column in enumerate(self.nominal.tolist()):
            attribute = header.attributes[column]
            seen = self.accepts[row, self.first_value[j] : self.first_value[j + 1]]
            if not seen.all():
                accepts = tuple(value for value, is_seen in zip(attribute.values, seen, strict=True) if is_seen)
                found[column] = LimitTest(attribute.name, accepts=accepts)
        return tuple(found[column] for column in sorted(found))

    def _leaves_range(self, values: FloatArray, rows: Int32Array) -> NDArray[np.bool_]:
        cells = values[:, self.ranged]
        return np.asarray((cells < self.lower[rows]) | (cells > self.upper[rows]))

    def _is_unseen(self, values: FloatArray, rows: Int32Array) -> NDArray[np.bool_]:
        cells = values[:, self.nominal]
        is_unseen = np.zeros(cells.shape, dtype=np.bool_)
        item, j = np.nonzero(~np.isnan(cells))
        is_unseen[item, j] = ~self.accepts[rows[item], self.first_value[j] + cells[item, j].astype(np.intp)]
        return is_unseen

    def _tail(self, furthest: FloatArray) -> FloatArray:
        if not len(self.numeric):
            return np.asarray(furthest == 0, dtype=np.float64)
        from scipy.special import erfc

        return np.asarray(erfc(furthest / np.sqrt(2.0)))


def check_alpha(method: str, alpha: object, p_total: object) -> None:
    """Raise OptionError unless at most one of the two is given, and in (0, 1)."""
    if alpha is not None and p_total is not None:
        raise OptionError(f"{method}: give alpha or p_total, from which alpha follows, not both")
    for parameter, value in (("alpha", alpha), ("p_total", p_total)):
        if value is not None:
            check_open(method, parameter, value)


def check_open(method: str, parameter: str, value: object) -> None:
    """Raise OptionError unless ``value`` is a number in (0, 1)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise OptionError(f"{method}: {parameter} must be a number in (0, 1), got '{value}'")


def alpha_of(alpha: float | None, p_total: float | None, n_numeric: int) -> float:
    """α as given, or 1 − P^(1/N) so that N tests together accept with probability P; .05 when neither is given."""
    if p_total is None:
        return ALPHA if alpha is None else alpha
    return -float(np.expm1(np.log(p_total) / max(n_numeric, 1)))


def check_sd(method: str, *, alpha: object, p_total: object, limits: object, confidence: object, trim: object) -> None:
    """Raise OptionError unless the parameters of ID3-SD are in their ranges."""
    check_alpha(method, alpha, p_total)
    check_choice(method, "limits", limits, ("normal", "tolerance"))
    check_open(method, "confidence", confidence)
    check_number(method, "trim", trim, 0, 1)
    if trim == 1:
        raise OptionError(f"{method}: trim must be smaller than 1, which would remove all instances, got '{trim}'")


def check_common(method: str, zero_variance: object, ordered: object) -> None:
    """Raise OptionError unless the parameters that both methods have are in their ranges."""
    check_choice(method, "zero_variance", zero_variance, ("exact", "accept", "parent"))
    if not isinstance(ordered, Sequence) or not all(isinstance(name, str) for name in ordered):
        raise OptionError(
            f"{method}: ordered must be names of attributes, joined by '+' or in a tuple, got {ordered!r}"
        )


@dataclass(frozen=True, eq=False)
class CharacteristicLimits:
    """Limits of the values of each class, whatever learner predicts it; see `characteristic_limits`.

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
            With the header of the training data; its classes are not looked at.
        predicted : (n_instances,) integers, or sequence of str
            Class indices, −1 for an instance without a prediction, or class names.

        Returns
        -------
        (n_instances,) float64
            In [0, 1]: the smallest two-sided tail probability of a numeric attribute (``sd``), 0 where a test fails;
            1 where none does (``max``); 0 without a prediction.

        Raises
        ------
        HeaderMismatchError
            The data have other attributes.
        OptionError
            There is not one prediction an instance, or it is no class.
        """
        self.header.check_same(header_of(test))
        classes = self._classes(len(test), predicted)
        certainty = np.zeros(len(test))
        asked = np.flatnonzero(classes >= 0)
        certainty[asked] = self.limits.certainty(test.values[asked], 1 + classes[asked])
        return certainty

    def accepts(self, test: Dataset, predicted: ArrayLike) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether `certainty`, which see, is at least ``threshold``."""
        return np.asarray(self.certainty(test, predicted) >= self.threshold)

    def _classes(self, n: int, predicted: ArrayLike) -> NDArray[np.int64]:
        given = np.asarray(predicted)
        if given.shape != (n,):
            raise OptionError(f"predicted: expected one class an instance ({n},), got {given.shape}")
        names = self.header.class_names
        if given.size == 0:
            return np.zeros(0, dtype=np.int64)
        if given.dtype.kind in "iu":
            wrong = (given < -1) | (given >= len(names))
            if wrong.any():
                raise OptionError(
                    f"predicted: expected indices from −1 (none) to {len(names) - 1}, got {given[wrong][0]}"
                )
            return given.astype(np.int64)
        if not all(isinstance(name, str) for name in given.tolist()):
            raise OptionError(
                f"predicted: expected class indices or class names, got {given.dtype} such as {given[0]!r}"
            )
        index = self.header.class_attribute.value_index
        for name in given.tolist():
            if name not in index:
                raise OptionError(f"predicted: '{name}' is not a class; give one of {name_list(names, name)}")
        return np.array([index[name] for name in given.tolist()], dtype=np.int64)


def characteristic_limits(
    train: Dataset,
    *,
    method: str = "sd",
    alpha: float | None = None,
    p_total: float | None = None,
    limits: str = "normal",
    confidence: float = 0.95,
    closed: str = "both",
    zero_variance: str = "exact",
    trim: float = 0.0,
    ordered: str | Sequence[str] = "",
) -> CharacteristicLimits:
    """Limits of the attribute values of each class, to accept or reject what any learner predicts.

    Parameters
    ----------
    train : Dataset
        Instances without a class or of weight 0 are left out.
    method : {"sd", "max"}
        Numeric attributes: mean ± z(1 − α/2) standard deviations, or the smallest and largest value.
    alpha : float, optional
        α in (0, 1), .05 unless ``p_total`` is given (``sd``).
    p_total : float, optional
        Probability in (0, 1) that all N numeric tests accept a member of the class: α = 1 − p_total^(1/N) (``sd``).
    limits : {"normal", "tolerance"}
        Deviations as they are, or widened to tolerance limits (``sd``); see
        `wekaconf.methods.characteristic.id3_sd.ID3SD`.
    confidence : float
        Of the tolerance limits, in (0, 1).
    closed : {"both", "lower", "upper", "neither"}
        Which of the limits are accepted themselves (``max``).
    zero_variance : {"exact", "accept", "parent"}
        Where all values of a class are equal: only this one is accepted, anything, or what the limits of the whole
        training set accept.
    trim : float
        In [0, 1): instances outside the limits at α = trim are left out before the limits are computed (``sd``).
    ordered : str or sequence of str
        Nominal attributes whose declared order counts, joined by ``+`` if one text: every value between the first
        and the last seen is accepted. Of others the values seen.

    Returns
    -------
    CharacteristicLimits
        Its ``accepts(test, predicted)`` and ``certainty(test, predicted)`` answer. A class without training instances
        accepts nothing.

    Raises
    ------
    OptionError
        A parameter is out of range or does not belong to the method, or the class is not nominal.

    Notes
    -----
    Cost: O(n_instances · n_attributes) here and there.

    References
    ----------
    Davidsson: Learning characteristic decision trees, 1996, section 4.1.
    """
    name = "characteristic_limits"
    check_choice(name, "method", method, ("sd", "max"))
    check_sd(name, alpha=alpha, p_total=p_total, limits=limits, confidence=confidence, trim=trim)
    check_choice(name, "closed", closed, CLOSED)
    check_common(name, zero_variance, ordered)
    is_sd = method == "sd"
    given = {"alpha": alpha is not None, "p_total": p_total is not None, "limits": limits != "normal", "trim": trim > 0}
    foreign = ["closed"] if is_sd and closed != "both" else [] if is_sd else [key for key, has in given.items() if has]
    if foreign:
        raise OptionError(
            f"{name}: {foreign[0]} is a parameter of method '{'max' if is_sd else 'sd'}', not of '{method}'"
        )
    header_of(train).check_nominal_class()
    train = train.take((train.class_values >= 0) & (train.weights > 0))
    columns = TestedColumns.of(train.header, ordered, name, is_sd=is_sd)
    rule = Rule(limits, confidence, zero_variance, trim, closed)
    groups = Groups.of_classes(train)
    learned = Limits.of(groups, train, columns, rule)
    learned = replace(learned, rejects=groups.begin[1:] == groups.end[1:])
    threshold = alpha_of(alpha, p_total, len(columns.numeric)) if is_sd else 0.5
    return CharacteristicLimits(train.header, learned, threshold)
