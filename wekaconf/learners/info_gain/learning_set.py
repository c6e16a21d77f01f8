"""What the inducer learns from: a training set with one row an attribute, and the trees and leaves it grows on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.dataset import Dataset
from wekaconf.data.header import Header
from wekaconf.data.training import training_part
from wekaconf.learners.info_gain.cores import on_all_cores
from wekaconf.learners.info_gain.rules import NOBODY, Rules, log_table
from wekaconf.tree.kinds import Routing, SplitKind
from wekaconf.tree.mirror import TreeMirror
from wekaconf.tree.threads import n_threads

LARGEST_TABLE = 10_000_000
"""Summed weight up to which whole weights are looked up in a table."""
BLOCKS_PER_CORE = 8
LARGEST_BLOCK = 32
"""Queries between two looks for an interruption."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class LearningSet:
    """Instances that all have a class and a positive weight.

    Parameters
    ----------
    header : Header
    columns : (n_columns, n_instances) float64
        Values of the attributes but for the class.
    target : (n_instances,) int64
        Class index.
    weight : (n_instances,) float64
    """

    header: Header
    columns: FloatArray
    target: Int64Array
    weight: FloatArray

    @classmethod
    def of(cls, train: Dataset) -> Self:
        """The instances of a data set that have a class and a positive weight."""
        train = training_part(train)
        return cls(train.header, inputs(train), train.class_values, train.weights.copy())

    def __len__(self) -> int:
        """Number of instances."""
        return len(self.target)

    @cached_property
    def attributes(self) -> Int64Array:
        """(n_columns,) int64: the header's column of each."""
        return np.delete(np.arange(len(self.header.attributes)), self.header.class_index)

    @cached_property
    def n_values(self) -> Int64Array:
        """(n_columns,) int64: how many values a nominal attribute declares, 0 for a numeric one."""
        of = self.header.attributes
        return np.array([len(of[i].values) if of[i].is_nominal else 0 for i in self.attributes], dtype=np.int64)

    @cached_property
    def present(self) -> Int64Array:
        """(n_present,) int64: the classes that have instances."""
        return np.flatnonzero(np.bincount(self.target, minlength=self.header.n_classes))

    @cached_property
    def is_complete(self) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether no value is missing."""
        return np.asarray(~np.isnan(self.columns).any(axis=0))

    @cached_property
    def is_whole(self) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether the weight is a whole number."""
        return np.asarray(self.weight == np.rint(self.weight))

    @property
    def hindrance(self) -> str:
        """Why `all_queries` cannot answer here, empty when it can."""
        if self.n_values.any():
            return "nominal attributes"
        if not self.is_complete.all():
            return "missing values"
        return "" if (self.weight == 1).all() else "instance weights"

    def form(self, rules: Rules, asked: FloatArray, *, withheld: bool = True) -> tuple[str, ...]:
        """How instances outside are answered, in words; see `outside_counts`."""
        if hindrance := self._hindrance_of(rules, withheld):
            return (f"one instance at a time, because of {hindrance}",)
        is_complete = np.asarray(~np.isnan(asked).any(axis=0))
        by_path = () if is_complete.all() else ("one instance at a time where values are missing",)
        return ("all instances at once", *by_path) if is_complete.any() else by_path

    def _hindrance_of(self, rules: Rules, withheld: bool) -> str:
        is_movable = not withheld and rules.cuts == "class-boundary"
        return self.hindrance or ("class boundaries that move with the instance" if is_movable else "")

    def table(self, n_further: int = 0) -> tuple[FloatArray, float]:
        """See `log_table`; empty where the weights sum up to too much for one."""
        total = float(self.weight.sum()) + n_further
        return log_table(total) if total <= LARGEST_TABLE else (np.zeros(0), 1.0)

    def limits(self, rules: Rules, scale: float) -> FloatArray:
        """What the kernels compare weights and gains with."""
        return np.array([rules.min_weight, rules.min_gain, scale])

    def grow(self, rules: Rules, is_other: NDArray[np.bool_] | None = None, *, learner: str = "info_gain",
             options: str = "", laplace: bool = False) -> TreeMirror:  # fmt: skip
        """The whole tree.

        Parameters
        ----------
        rules : Rules
        is_other : (n_instances,) bool, optional
            Whose values may be cuts; all when left out.
        learner, options : str
            For the record.
        laplace : bool
            Whether its leaves answer with Laplace's correction.

        Returns
        -------
        TreeMirror
            Cost: O(n_instances · n_columns · depth), after one sorting of each column.
        """
        from wekaconf.learners.info_gain import compiled

        is_other = np.ones(len(self), dtype=np.bool_) if is_other is None else is_other
        grown = compiled.whole_tree(*self._arrays(rules, is_other), NOBODY)
        return self._mirror(*grown, learner=learner, options=options, laplace=laplace)

    def path(self, rules: Rules, x: int) -> TreeMirror:
        """The tree as far as row x goes, its values no cuts; the nodes that it does not come to are empty."""
        from wekaconf.learners.info_gain import compiled

        is_other = np.arange(len(self)) != x
        grown = compiled.whole_tree(*self._arrays(rules, is_other), x)
        return self._mirror(*grown)

    def _arrays(self, rules: Rules, is_other: NDArray[np.bool_]) -> tuple[Any, ...]:
        table, scale = self.table()
        if not (self.is_complete.all() and self.is_whole.all()):
            table = table[:0]
        return (
            self.columns, self.n_values, self.target, self.weight, self.header.n_classes, is_other, rules.code,
            self.limits(rules, scale), table, rules.safe_prune,
        )  # fmt: skip

    def _mirror(
        self, child: Int64Array, attribute: Int64Array, point: FloatArray, begin: Int64Array, counts: FloatArray,
        branch_share: FloatArray, flags: NDArray[np.bool_], *, learner: str = "info_gain", options: str = "",
        laplace: bool = False,
    ) -> TreeMirror:  # fmt: skip
        """The kernels' arrays breadth-first, without what was pruned."""
        order, parent, first_child = [0], [-1], []
        for place, node in enumerate(order):  # grows on the way
            first = int(child[node])
            first_child.append(len(order) if first >= 0 else -1)
            if first >= 0:
                order += [first, first + 1]
                parent += [place, place]
        at = np.array(order)
        is_leaf = child[at] < 0
        is_nominal = ~is_leaf & (begin[at] >= 0)
        column = np.full(len(at), -1)
        column[~is_leaf] = self.attributes[attribute[at][~is_leaf]]
        n_flags = np.zeros(len(at), dtype=np.int64)
        n_flags[is_nominal] = self.n_values[attribute[at][is_nominal]]
        subset_begin = np.cumsum(n_flags) - n_flags
        kept = [flags[b : b + n] for b, n in zip(begin[at], n_flags, strict=True) if n]
        kind = np.where(is_leaf, SplitKind.LEAF, np.where(is_nominal, SplitKind.NOMINAL_SUBSET, SplitKind.NUMERIC_LE))
        return TreeMirror(
            header=self.header,
            routing=Routing.COUNTS_LAPLACE if laplace else Routing.COUNTS,
            parent=np.array(parent),
            first_child=np.array(first_child),
            n_branches=np.where(is_leaf, 0, 2),
            split_kind=kind,
            split_attribute=column,
            split_point=np.where(is_leaf, np.nan, point[at]),
            split_value=np.where(is_nominal, subset_begin, -1),
            split_subset=np.concatenate(kept) if kept else np.zeros(0, dtype=np.bool_),
            class_weight=counts[at],
            total=counts[at].sum(axis=1),
            branch_weight=branch_share[at],
            branch_class_weight=np.full(counts[at].shape, np.nan),
            is_empty=counts[at].sum(axis=1) == 0,
            learner=learner,
            options=options,
        )

    def left_out_counts(self, rules: Rules, row: Int64Array, label: Int64Array, *, withheld: bool = True,
                        on_progress: Progress | None = None) -> FloatArray:  # fmt: skip
        """Class counts at the leaf of training instances, each asked about as if it had not been there.

        Parameters
        ----------
        rules : Rules
        row : (n_queries,) int64
            The instance x.
        label : (n_queries,) int64
            The tree is grown on the others and x with this class and weight 1; −1: on the others alone.
        withheld : bool
            Whether the values of x are no cuts unless the rules say with-x. False: they are like all others.
        on_progress : callable
            Called with the number of queries that are done, and of all.

        Returns
        -------
        (n_queries, n_classes) float64
            x included; where x is divided by a missing value, the sum over its leaves of count times part of x.
        """
        from wekaconf.learners.info_gain import compiled
        from wekaconf.learners.info_gain.all_queries import all_queries

        rules = rules if withheld else rules.with_x()
        if not self._hindrance_of(rules, withheld):
            return all_queries(
                np.ascontiguousarray(self.columns.T), self.target, self.header.n_classes, label=label, row=row,
                **_codes(rules),
            )  # fmt: skip
        table, scale = self.table(1)
        is_odd = ~(self.is_complete & self.is_whole)
        is_exact = (is_odd.sum() - is_odd[row] == 0) & ((label < 0) | self.is_complete[row])
        fixed = rules.code, self.limits(rules, scale), table, rules.safe_prune, withheld

        arrays = self._ready(self.columns, self.target, self.weight)

        def answer(block: slice) -> FloatArray:
            return np.asarray(compiled.leaf_counts(*arrays, row[block], label[block], is_exact[block], *fixed))

        return _answers(answer, len(row), on_progress)

    def outside_counts(self, rules: Rules, asked: FloatArray, which: Int64Array, label: Int64Array,
                       *, withheld: bool = True, on_progress: Progress | None = None) -> FloatArray:  # fmt: skip
        """As `left_out_counts`, of instances that are not in the set.

        Parameters
        ----------
        rules, label, withheld, on_progress
            See there.
        asked : (n_columns, n_asked) float64
            Values of the instances.
        which : (n_queries,) int64
            The instance x of each query.
        """
        from wekaconf.learners.info_gain import compiled
        from wekaconf.learners.info_gain.all_queries import all_queries

        is_complete = np.asarray(~np.isnan(asked).any(axis=0))
        counts = np.empty((len(which), self.header.n_classes))
        rules = rules if withheld else rules.with_x()
        if not self._hindrance_of(rules, withheld):
            fast = np.flatnonzero(is_complete[which])
            slow = np.flatnonzero(~is_complete[which])
            counts[fast] = all_queries(
                np.ascontiguousarray(self.columns.T), self.target, self.header.n_classes, label=label[fast],
                asked=np.ascontiguousarray(asked.T), which=which[fast], **_codes(rules),
            )  # fmt: skip
        else:
            slow = np.arange(len(which))
        slow = slow[np.argsort(which[slow], kind="stable")]
        which, label = which[slow], label[slow]
        table, scale = self.table(1)
        is_exact = (self.is_complete & self.is_whole).all() & ((label < 0) | is_complete[which])
        fixed = rules.code, self.limits(rules, scale), table, rules.safe_prune, withheld

        def answer(block: slice) -> FloatArray:
            used, place = np.unique(which[block], return_inverse=True)
            n = len(self)
            columns, none = np.append(self.columns, asked[:, used], axis=1), np.zeros(len(used), dtype=np.int64)
            arrays = self._ready(columns, np.append(self.target, none), np.append(self.weight, none))
            return np.asarray(compiled.leaf_counts(*arrays, n + place, label[block], is_exact[block], *fixed))

        counts[slow] = _answers(answer, len(which), on_progress)
        return counts

    def _ready(self, columns: FloatArray, target: Int64Array, weight: FloatArray) -> tuple[Any, ...]:
        """What `compiled.leaf_counts` wants of these instances and some of weight 0 behind them."""
        from wekaconf.learners.info_gain import compiled

        is_other = np.arange(len(target)) < len(self)
        sorted_ = compiled.sorted_entries(columns, self.n_values, np.arange(len(target), dtype=np.int32))
        return columns, self.n_values, target, weight, self.header.n_classes, is_other, *sorted_


def inputs(data: Dataset) -> FloatArray:
    """(n_columns, n_instances) float64: the values but for the class."""
    return np.ascontiguousarray(np.delete(data.values, data.class_index, axis=1).T)


def _codes(rules: Rules) -> dict[str, Any]:
    return {
        "cuts": rules.code,
        "safe_prune": rules.safe_prune,
        "min_weight": rules.min_weight,
        "min_gain": rules.min_gain,
    }


def _answers(answer: Callable[[slice], FloatArray], n: int, on_progress: Progress | None) -> FloatArray:
    """What ``answer`` gives for slices of n queries, on all cores."""
    n_blocks = min(n, max(n_threads() * BLOCKS_PER_CORE, -(-n // LARGEST_BLOCK)))
    bounds = np.linspace(0, n, n_blocks + 1).astype(int)
    jobs = [partial(answer, slice(begin, end)) for begin, end in pairwise(bounds)]

    def tell(done: int) -> None:
        if on_progress is not None:
            on_progress(int(bounds[done]), n)

    return np.concatenate(on_all_cores(jobs, tell)) if jobs else answer(slice(0, 0))
