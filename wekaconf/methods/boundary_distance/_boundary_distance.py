"""The method: computes the regions once, then finds the nearest region of another class for each instance."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, nearest, quoted
from wekaconf.base.parameters import learned, parameter
from wekaconf.base.rounding import most_probable
from wekaconf.base.stored import SMALLEST, stored
from wekaconf.data import Dataset, header_of
from wekaconf.data.arrays import FloatArray, Int32Array, TextArray, as_rows, joined_texts, texts_of
from wekaconf.data.wording import cell_texts, class_text, each_of, number
from wekaconf.methods.boundary_distance import _regions as regions
from wekaconf.methods.boundary_distance._regions import Regions
from wekaconf.methods.contract import CertaintyRange, Explanation, FirstEvents, Method, Reply, Rows, Step, cell_value
from wekaconf.tree import TreeMirror, compiled_pays, own_answers

COMPILED_FROM = 100_000_000
"""Instances times regions times attributes from which loading the compiled form pays off.

The numpy form stays: 768 rows of diabetes take it 0.05 s of the processor, and the compiled one, already on disk, 0.59.
"""

MOST_LISTED = 4
"""Number of changed attributes that the reason of one answer lists."""
CHUNK_ROWS = 1 << 10
"""Number of instances whose values are compared with their nearest points at a time."""


@dataclass(frozen=True, eq=False)
class NearestBoundary:
    """The nearest region of another class for each instance, and its nearest point.

    Parameters
    ----------
    distance : (n_instances,) float64
        In [0, ∞]; ∞ when no region of another class is at a finite distance.
    node : (n_instances,) int32
        The node where instances of that region end, the lowest one in case of ties; −1 if there is no region.
    class_index : (n_instances,) int64
        The class of the region; −1 if there is none.
    point : (n_instances, n_attributes) float64
        The nearest point of the closure of that region, in the units of the data: a missing value stays missing, a
        nominal value that the region does not hold becomes the lowest that it holds. The class is NaN, and so is
        the whole row if there is no region.
    """

    distance: FloatArray
    node: Int32Array
    class_index: NDArray[np.int64]
    point: FloatArray


class Changes(NamedTuple):
    """The values that instances have to change to be answered otherwise.

    Parameters
    ----------
    instance, column : (n,) intp
        Both in ascending order.
    before, after : (n,) float64
        The value, NaN if it is missing, and that of the nearest point.
    beyond : (n,) int8
        −1 if the new value lies below ``after``, 1 if above, else 0.
    """

    instance: NDArray[np.intp]
    column: NDArray[np.intp]
    before: FloatArray
    after: FloatArray
    beyond: NDArray[np.int8]


class Nearest(NamedTuple):
    """Distance and node of the nearest region of another class for each instance."""

    distance: FloatArray
    node: Int32Array


class NearestRegions:
    """The nearest regions of a batch, found together, or for a few instances alone where the others are not needed."""

    def __init__(self, find: Callable[[Dataset, FloatArray], Nearest], data: Dataset, proba: FloatArray) -> None:
        self._find, self._data, self._proba = find, data, proba

    @cached_property
    def of_all(self) -> Nearest:
        """Those of all instances."""
        return self._find(self._data, self._proba)

    def of(self, rows: Rows) -> Nearest:
        """Those of some instances."""
        if "of_all" not in vars(self) and not isinstance(rows, slice) and 2 * len(rows) < len(self._data):
            return self._find(self._data.take(rows), self._proba[rows])
        distance, node = self.of_all
        return Nearest(distance[rows], node[rows])


class BoundaryDistance(Method, name="boundary_distance"):
    """Certainty as the distance to the nearest decision boundary between the predicted class and another.

    The leaves of a tree divide the space of the attributes into boxes. The certainty of an instance is its distance to
    the nearest box of a class other than the predicted one, in [0, ∞]: ∞ if there is no such box, as in a tree of one
    class. The class distribution is the tree's own.

    Notes
    -----
    A missing value adds nothing to the distance: the instance is as near to a box as it could be. The distance is an
    infimum: for an instance on a split point it is 0, although the split point itself belongs to the predicted class.
    J48 splits on values of the training data, so very many of its distances are exactly 0 (81 % on letter): grow it
    with ``-doNotMakeSplitPointActualValue``, or use the learner CART, which splits at midpoints.

    Raw distances add up attributes in different units; where the units differ, ``scaling="minmax"`` ranks better.

    Cost: fit O(n_leaves · (depth + n_attributes)). Small batches take O(n_leaves · n_attributes) per instance and a few
    MiB. Large batches search the tree by branch and bound, which enters few nodes (1.7 % on letter), at worst all.

    **Departures** from the paper, which covers only numeric attributes with binary splits: the distance is that to the
    boxes of the leaves, with each coordinate clipped to its box. The paper takes the projections of up to 3^N − 1 rules
    per leaf, pushes them by ε and classifies them. Every clip is one of these rules, so the minimum is the same, but no
    ε is needed: the push errs where an instance lies on a split point, and where ε is large compared with a box. The
    paper's boundaries are the splits nearest to the leaf, ours the tightest ones; they differ only below a split that
    separates nothing. CART's trees compare in single precision; their boxes end at the split points as written.
    Scaling, the other norms, nominal attributes and missing values are our additions. Boxes that no instance can reach
    are ignored. The paper has no rule for the threshold.

    References
    ----------
    Tóth, Pataki: A proposed method to handle classification uncertainty using decision trees, Production Systems and
    Information Engineering, University of Miskolc, 2006, sections 2.3 to 2.5, equations 2.4.1 to 2.4.3.
    """

    reference = "toth2006"
    certainty_range = CertaintyRange(
        high=np.inf, meaning="the distance to the nearest region of another class, in the unit of the scaled attributes"
    )
    scaling: Literal["raw", "minmax", "z"] = parameter(
        default="raw",
        help="Unit of each numeric attribute: its own (the paper), the range of its training values, or their standard "
        "deviation (n − 1, weighted). If that is 0 or undefined, the attribute keeps its own unit.",
    )
    norm: Literal["l2", "l1", "linf"] = parameter(
        default="l2",
        help="How the offsets on the axes give a distance: Euclidean (the paper), their sum, or the largest.",
    )
    nominal: float = parameter(
        default=1.0, low=0,
        help="Distance between two values of a nominal attribute, in the unit of the scaled axes; inf: a boundary is "
        "never crossed by another nominal value.",
    )  # fmt: skip
    tree_: TreeMirror = learned()
    unit_: Annotated[FloatArray, stored(np.float64, "n_attributes", low=SMALLEST)] = learned()
    """(n_attributes,) float64: see `units`."""
    regions_: Regions = learned()
    """The regions of the tree, derived from the tree and the units."""

    def nearest(self, data: Dataset) -> NearestBoundary:
        """The nearest region of another class for each instance.

        Parameters
        ----------
        data : Dataset
            As for `predict_proba`.

        Raises
        ------
        NotFittedError, HeaderMismatchError
        """
        self.check_fitted()
        self.tree_.header.check_same(header_of(data))
        data = data.without_class_values()
        return self._boundary(data, *self._nearest(data, own_answers(self.tree_, data)))

    def with_fixed(self, *names: str) -> Self:
        """The same fitted method for when the values of some attributes may not change.

        A region of another class counts only if it holds the instance's own values of these attributes; a missing value
        may be any. The distance is exact under that constraint, and so is the nearest point.

        Parameters
        ----------
        names : str
            Attributes, not the class.

        Raises
        ------
        OptionError
            There is no such attribute, or it is the class.
        NotFittedError
        """
        self.check_fitted()
        header = self.tree_.header
        is_fixed = np.zeros(len(header.attributes), dtype=np.bool_)
        inputs = [attribute.name for i, attribute in enumerate(header.attributes) if i != header.class_index]
        for name in names:
            if name not in inputs:
                hint = nearest(name, inputs) or f"; the attributes are {name_list(inputs, name)}"
                raise OptionError(f"no attribute {quoted(name)} other than the class{hint}", parameter="fixed")
            is_fixed[[attribute.name for attribute in header.attributes].index(name)] = True
        fixed = copy(self)
        fixed.regions_ = replace(self.regions_, is_fixed=is_fixed)
        return fixed

    def _boundary(self, data: Dataset, distance: FloatArray, node: Int32Array) -> NearestBoundary:
        has_region = node >= 0
        place = np.searchsorted(self.regions_.node, node[has_region])
        class_index = np.full(len(data), -1, dtype=np.int64)
        class_index[has_region] = self.regions_.class_index[place]
        point = np.full(data.values.shape, np.nan)
        point[has_region] = self._points(data.values[has_region], place)
        return NearestBoundary(distance, node, class_index, point)

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self.unit_ = units(train, self.scaling)
        self.regions_ = Regions.of(tree, self.unit_)

    def _complete(self) -> None:
        self.regions_ = Regions.of(self.tree_, self.unit_)

    def _answer(self, data: Dataset) -> Reply:
        proba = own_answers(self.tree_, data)
        nearest = NearestRegions(self._nearest, data, proba)
        return Reply(
            proba,
            certainty=lambda: nearest.of_all.distance,
            explain=lambda: self._explanation(data, self._boundary(data, *nearest.of_all)),
            reasons=lambda _, rows: self._sentences(data.values[rows], nearest.of(rows).node),
            certainty_steps=lambda answer, i: self._certainty_steps(
                data.take([i]), *nearest.of(np.array([i])), answer.grounds[i]
            ),
        )

    def _certainty_steps(self, one: Dataset, distance: FloatArray, node: Int32Array, words: str) -> Step:
        """The offset of each attribute from the nearest region of another class."""
        if node[0] < 0:
            return Step("distance", words, float(distance[0]), "boundary", values={"offsets": {}, "norm": self.norm})
        point = self._boundary(one, distance, node).point[0]
        place = np.searchsorted(self.regions_.node, node)
        offsets = regions.offsets(self.regions_, one.values, int(place[0]), self.nominal)
        by_name = {one.attributes[column].name: float(offsets[column]) for column in np.flatnonzero(offsets).tolist()}
        values = {
            "offsets": by_name,
            "norm": self.norm,
            "class": self.tree_.class_names[int(self.regions_.class_index[place[0]])],
            "point": {one.attributes[column].name: cell_value(one.attributes[column], float(point[column]))
                      for column in np.flatnonzero(offsets).tolist()},
        }  # fmt: skip
        norm = {"l2": "the Euclidean length of", "l1": "the sum of", "linf": "the largest of"}[self.norm]
        each = ", ".join(f"{name} {number(offset)}" for name, offset in by_name.items())
        words += f"; {norm} the way: {each}" if by_name else ""
        return Step("distance", words, float(distance[0]), "boundary", int(node[0]), values)

    def _sentences(self, values: FloatArray, node: Int32Array) -> TextArray:
        """The nearest change of each instance that would alter its answer: into the region of ``node``."""
        sentences = np.full(len(node), "no change gives another class", dtype=object)
        has_region = node >= 0
        if not has_region.all():
            values, node = values[has_region], node[has_region]
        place = np.searchsorted(self.regions_.node, node)
        changes = self._changes(values, place)
        events = FirstEvents.of_all(changes.instance, len(node), MOST_LISTED)
        class_index = self.regions_.class_index[place]
        names, is_changed = texts_of(map(class_text, self.tree_.class_names)), events.n_events > 0
        sentences[has_region] = texts_of(f"lies on the boundary to {name}" for name in names)[class_index]
        gives = texts_of(f" {verb} {name}" for name in names for verb in ("gives", "give"))
        ending = gives[2 * class_index + (events.n_events > 1)][is_changed]
        changed = events.joined(*self._change_texts(changes, events.place), mark=", ", last_mark=" and ", ending=ending)
        sentences[np.flatnonzero(has_region)[is_changed]] = changed
        return sentences

    def _change_texts(self, changes: Changes, place: NDArray[np.intp]) -> tuple[TextArray, ...]:
        """The changes at these places among all, in words of four parts, (n,) object each."""
        attributes = self.tree_.header.attributes
        column, before, after = changes.column[place], changes.before[place], changes.after[place]
        names = each_of(column, len(attributes), lambda at: f"{attributes[at].name} ")
        known = ~np.isnan(before)
        old, new = cell_texts(attributes, column[known], before[known], after[known])
        if not known.all():
            shown, old, new = (old, new), *(texts_of([text] * len(place)) for text in ("missing", "a known value"))
            old[known], new[known] = shown
        arrows = texts_of((" → below ", " → ", " → above "))[np.where(known, changes.beyond[place], 0) + 1]
        return names, old, arrows, new

    def _changes(self, values: FloatArray, place: NDArray[np.intp]) -> Changes:
        """The values that instances have to change to come into the regions at these places."""
        boxes = self.regions_
        distinct, at = np.unique(place, return_inverse=True)
        low, high = regions.bounds(self.tree_, boxes.node[distinct], self.tree_.router.limit)
        smallest = np.maximum(np.nextafter(low, np.inf), boxes.low[distinct])
        largest = np.minimum(high, boxes.high[distinct])
        is_bounded = regions.is_bounded(boxes, distinct)
        has_nominal = bool((is_bounded & (np.diff(boxes.first_value) > 0)).any())
        parts = []
        for begin in range(0, len(values), CHUNK_ROWS) or range(1):
            rows = slice(begin, begin + CHUNK_ROWS)
            cells, region = values[rows], at[rows]
            is_changed = (cells < smallest[region]) | (cells > largest[region])
            is_missing = np.isnan(cells)
            missing = np.nonzero(is_missing)
            is_changed[missing] = is_bounded[region[missing[0]], missing[1]]
            if has_nominal:
                points = self._points(cells, place[rows])
                is_changed |= (points != cells) & ~is_missing
            row, column = np.divmod(np.flatnonzero(is_changed), cells.shape[1])
            box, before = place[begin + row], cells[row, column]
            after = (
                points[row, column] if has_nominal else np.clip(before, boxes.low[box, column], boxes.high[box, column])
            )
            beyond = (after <= low[region[row], column]).astype(np.int8) - (after > high[region[row], column])
            parts.append(Changes(begin + row, column, before, after, beyond))
        return Changes(*map(np.concatenate, zip(*parts, strict=True)))

    def _nearest(self, data: Dataset, proba: FloatArray) -> Nearest:
        """The nearest region of a class other than the most probable."""
        predicted = most_probable(proba)
        if not self.regions_.is_fixed.any() and compiled_pays(
            data.values.size * len(self.regions_.node), COMPILED_FROM
        ):
            from wekaconf.methods.boundary_distance import _compiled as compiled

            found = compiled.nearest(self.regions_, self.tree_, data.values, predicted, self.norm, self.nominal)
            return Nearest(*found[:2])
        return Nearest(*regions.nearest(self.regions_, data.values, predicted, self.norm, self.nominal))

    def _points(self, values: FloatArray, place: NDArray[np.intp]) -> FloatArray:
        """(n, n_attributes) float64: the nearest point of the region at each place."""
        boxes = self.regions_
        point = np.clip(values, boxes.low[place], boxes.high[place])
        for column in np.flatnonzero(np.diff(boxes.first_value)):
            known = np.flatnonzero(~np.isnan(values[:, column]))
            allowed = boxes.allowed[place[known], boxes.first_value[column] : boxes.first_value[column + 1]]
            cells = values[known, column].astype(np.intp)
            point[known, column] = np.where(allowed[np.arange(len(known)), cells], cells, allowed.argmax(axis=1))
        return point

    def _explanation(self, data: Dataset, boundary: NearestBoundary) -> Explanation:
        instance = np.flatnonzero(boundary.node >= 0)
        node = boundary.node[instance]
        changes = self._changes(data.values[instance], np.searchsorted(self.regions_.node, node))
        events = FirstEvents.of_all(changes.instance, len(instance), len(data.attributes))
        texts = joined_texts(*self._change_texts(changes, events.place)).tolist()
        is_single = events.n_events == 1
        attribute = np.full(len(instance), -1, dtype=np.int32)
        attribute[is_single] = changes.column[events.end[is_single] - 1]
        details = {
            "distance": boundary.distance[instance].tolist(),
            "class": [self.tree_.class_names[c] for c in boundary.class_index[instance]],
            "changes": [tuple(texts[end - n : end]) for n, end in as_rows(events.n_events, events.end)],
        }
        kind = np.zeros(len(instance), dtype=np.uint8)
        return Explanation(self.tree_, len(data), ("boundary",), instance, node, kind, attribute, details)


def units(train: Dataset, scaling: str) -> FloatArray:
    """(n_attributes,) float64: the length that counts as 1 on each axis; see `BoundaryDistance`."""
    unit = np.ones(len(train.attributes))
    for column, attribute in enumerate(train.attributes):
        known = ~np.isnan(train.values[:, column])
        if scaling == "raw" or attribute.is_indexed or not known.any():
            continue
        values, weights = train.values[known, column], train.weights[known]
        with np.errstate(all="ignore"):  # values near the largest double
            if scaling == "minmax":
                length = values.max() - values.min()
            else:
                mean = (weights * values).sum() / weights.sum()
                variance = (weights * (values - mean) ** 2).sum() / weights.sum()
                length = np.sqrt(variance * len(values) / (len(values) - 1))
        if 0 < length < np.inf:
            unit[column] = length
    return unit
