"""Training sets of the inducer, with one row per attribute, and the trees and leaves that are grown on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Dataset, Header, training_part
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.learners.info_gain._rules import NOBODY, Rules, log_table
from wekaconf.tree import Routing, SplitKind, TreeMirror, binary_tree
from wekaconf.tree.threads import Progress, n_threads, on_all_cores

LARGEST_TABLE = 10_000_000
"""The largest sum of whole weights that are looked up in a table."""
BLOCKS_PER_CORE = 8
LARGEST_BLOCK = 32
"""The largest number of queries per job, after each of which the user may interrupt."""


@dataclass(frozen=True, eq=False)
class LearningSet:
    """Instances that all have a class and a positive weight.

    Parameters
    ----------
    header : Header
    columns : (n_columns, n_instances) float64
        Values of all attributes but the class.
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
        """(n_columns,) int64: the column of the header for each row of ``columns``."""
        return np.delete(np.arange(len(self.header.attributes)), self.header.class_index)

    @cached_property
    def n_values(self) -> Int64Array:
        """(n_columns,) int64: the number of declared values of each nominal attribute, 0 for a numeric one."""
        return np.delete(self.header.n_values, self.header.class_index)

    @cached_property
    def present(self) -> Int64Array:
        """(n_present,) int64: the classes that have instances."""
        return np.unique(self.target)

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
        """The reason why `all_queries` cannot answer here; empty if it can."""
        if self.n_values.any():
            return "nominal attributes"
        if not self.is_complete.all():
            return "missing values"
        return "" if (self.weight == 1).all() else "instance weights"

    def form(self, rules: Rules, test_columns: FloatArray, *, withheld: bool = True) -> tuple[str, ...]:
        """Notes on how `outside_counts` answers for these test instances."""
        if hindrance := self._hindrance_under(rules, withheld):
            return (f"one instance at a time, because of {hindrance}",)
        is_complete = np.asarray(~np.isnan(test_columns).any(axis=0))
        by_path = () if is_complete.all() else ("one instance at a time where values are missing",)
        return ("all instances at once", *by_path) if is_complete.any() else by_path

    def _hindrance_under(self, rules: Rules, withheld: bool) -> str:
        is_movable = not withheld and rules.cuts == "class-boundary"
        return self.hindrance or ("class boundaries that move with the instance" if is_movable else "")

    def table(self, n_further: int = 0) -> tuple[FloatArray, float]:
        """See `log_table`; an empty table if the sum of the weights is too large for one."""
        total = float(self.weight.sum()) + n_further
        return log_table(total) if total <= LARGEST_TABLE else (np.zeros(0), 1.0)

    def limits(self, rules: Rules, scale: float) -> FloatArray:
        """(3,) float64 for the kernels: smallest weight of a branch, smallest gain, and units of gain per bit."""
        return np.array([rules.min_weight, rules.min_gain, scale])

    def grow(self, rules: Rules, is_other: NDArray[np.bool_] | None = None, *, learner: str = "info_gain",
             options: str = "", laplace: bool = False) -> TreeMirror:  # fmt: skip
        """The whole tree.

        Parameters
        ----------
        rules : Rules
        is_other : (n_instances,) bool, optional
            Instances whose values may be cuts; all when left out.
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
        arrays = compiled.whole_tree(*self._arrays(rules, is_other), NOBODY)
        return self._mirror(*arrays, learner=learner, options=options, laplace=laplace)

    def path(self, rules: Rules, x: int) -> TreeMirror:
        """The part of the tree that row x reaches, whose values are no cuts; nodes that it does not reach are empty."""
        from wekaconf.learners.info_gain import compiled

        is_other = np.arange(len(self)) != x
        arrays = compiled.whole_tree(*self._arrays(rules, is_other), x)
        return self._mirror(*arrays)

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
        """The mirror of a kernel's arrays; pruned nodes are left out."""
        return binary_tree(
            self.header, Routing.COUNTS_LAPLACE if laplace else Routing.COUNTS, child, child + 1,
            split_kind=np.where(begin >= 0, SplitKind.NOMINAL_SUBSET, SplitKind.NUMERIC_LE),
            split_attribute=self.attributes[attribute] if len(self.attributes) else attribute, split_point=point,
            split_value=begin, split_subset=flags, class_weight=counts, branch_weight=branch_share, learner=learner,
            options=options,
        )  # fmt: skip

    def left_out_counts(self, rules: Rules, row: Int64Array, label: Int64Array, *, withheld: bool = True,
                        on_progress: Progress | None = None) -> FloatArray:  # fmt: skip
        """Class counts at the leaf of training instances, each left out in turn.

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
            Called with the number of queries done so far and in total.

        Returns
        -------
        (n_queries, n_classes) float64
            x included; where x is divided by a missing value, the sum over its leaves of count times part of x.
        """
        rules = rules if withheld else rules.with_x()
        if not self._hindrance_under(rules, withheld):
            return self._all_at_once(rules, label, on_progress, row=row)
        is_odd = ~(self.is_complete & self.is_whole)
        is_exact = (is_odd.sum() - is_odd[row] == 0) & ((label < 0) | self.is_complete[row])
        arrays = self._kernel_arguments(self.columns, self.target, self.weight)
        return self._one_by_one(rules, lambda block: (*arrays, row[block]), label, is_exact, withheld, on_progress)

    def outside_counts(self, rules: Rules, test_columns: FloatArray, which: Int64Array, label: Int64Array,
                       *, withheld: bool = True, on_progress: Progress | None = None) -> FloatArray:  # fmt: skip
        """Class counts as of `left_out_counts`, for instances that are not in the set.

        Parameters
        ----------
        rules, label, withheld, on_progress
            See `left_out_counts`.
        test_columns : (n_columns, n_test) float64
            Values of the instances.
        which : (n_queries,) int64
            The instance x of each query.
        """
        is_complete = np.asarray(~np.isnan(test_columns).any(axis=0))
        counts, n_fast, n_queries = np.empty((len(which), self.header.n_classes)), 0, len(which)
        rules = rules if withheld else rules.with_x()
        slow = np.arange(n_queries)
        if not self._hindrance_under(rules, withheld):
            fast = np.flatnonzero(is_complete[which])
            slow, n_fast = np.flatnonzero(~is_complete[which]), len(fast)
            counts[fast] = self._all_at_once(
                rules, label[fast], _of_all(on_progress, 0, n_queries), which=which[fast],
                test_values=np.ascontiguousarray(test_columns.T),
            )  # fmt: skip
        slow = slow[np.argsort(which[slow], kind="stable")]
        which, label = which[slow], label[slow]
        is_exact = (self.is_complete & self.is_whole).all() & ((label < 0) | is_complete[which])

        def arguments(block: slice) -> tuple[Any, ...]:
            queried, place = np.unique(which[block], return_inverse=True)
            zeros = np.zeros(len(queried), dtype=np.int64)
            columns = np.append(self.columns, test_columns[:, queried], axis=1)
            arrays = self._kernel_arguments(columns, np.append(self.target, zeros), np.append(self.weight, zeros))
            return *arrays, len(self) + place

        later = _of_all(on_progress, n_fast, n_queries)
        counts[slow] = self._one_by_one(rules, arguments, label, is_exact, withheld, later)
        return counts

    def _all_at_once(self, rules: Rules, label: Int64Array, on_progress: Progress | None, **x: Any) -> FloatArray:
        """The counts by `all_queries`, whose arguments ``x`` say which instance each query is about."""
        from wekaconf.learners.info_gain._all_queries import all_queries

        return all_queries(
            np.ascontiguousarray(self.columns.T), self.target, self.header.n_classes, cuts=rules.code,
            safe_prune=rules.safe_prune, min_weight=rules.min_weight, min_gain=rules.min_gain, label=label,
            on_progress=on_progress, **x,
        )  # fmt: skip

    def _one_by_one(
        self, rules: Rules, arguments: Callable[[slice], tuple[Any, ...]], label: Int64Array,
        is_exact: NDArray[np.bool_], withheld: bool, on_progress: Progress | None,
    ) -> FloatArray:  # fmt: skip
        """The counts by a path for each query, on all cores; ``arguments`` are those of the kernel for some queries."""
        from wekaconf.learners.info_gain import compiled

        table, scale = self.table(1)
        options = rules.code, self.limits(rules, scale), table, rules.safe_prune, withheld

        def answer(block: slice) -> FloatArray:
            return np.asarray(compiled.leaf_counts(*arguments(block), label[block], is_exact[block], *options))

        n = len(label)
        bounds = np.linspace(0, n, 1 + min(n, max(n_threads() * BLOCKS_PER_CORE, -(-n // LARGEST_BLOCK)))).astype(int)

        def report(done: int) -> None:
            if on_progress is not None:
                on_progress(int(bounds[done]), n)

        jobs = [partial(answer, slice(begin, end)) for begin, end in pairwise(bounds)]
        return np.concatenate(on_all_cores(jobs, report)) if jobs else answer(slice(0, 0))

    def _kernel_arguments(self, columns: FloatArray, target: Int64Array, weight: FloatArray) -> tuple[Any, ...]:
        """The arguments of `compiled.leaf_counts` for the instances of the set and further ones of weight 0."""
        from wekaconf.learners.info_gain import compiled

        is_other = np.arange(len(target)) < len(self)
        entries = compiled.sorted_entries(columns, self.n_values, np.arange(len(target), dtype=np.int32))
        return columns, self.n_values, target, weight, self.header.n_classes, is_other, *entries


def inputs(data: Dataset) -> FloatArray:
    """(n_columns, n_instances) float64: the values of all attributes but the class."""
    return np.ascontiguousarray(np.delete(data.values, data.class_index, axis=1).T)


def _of_all(on_progress: Progress | None, n_before: int, n_queries: int) -> Progress | None:
    """Progress over a part of the queries as progress over all, of which so many are done before."""
    return None if on_progress is None else lambda done, _: on_progress(n_before + done, n_queries)
