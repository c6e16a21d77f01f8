"""CART: the trees of scikit-learn, pruned by minimal cost-complexity, as mirrors.

All pruned trees are found in the finished tree: refitting scikit-learn for every level and fold would take an hour on
letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import counted, name_list
from wekaconf.base.parameters import parameter, parameters
from wekaconf.base.words import Argument, Owner, SetOption, Setting, Term, UseLearner, listed
from wekaconf.data import Attribute, Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.tree import Learner, Routing, SplitKind, TreeMirror, binary_tree
from wekaconf.tree.threads import on_all_cores

NO_GAIN = 1e-14
"""The complexity parameter up to which a link exists only by rounding; it prunes the first tree of every sequence."""


@dataclass(frozen=True, eq=False)
class Learning:
    """Training data in the form that scikit-learn takes.

    Parameters
    ----------
    matrix : (n_instances, n_columns) float32
        The inputs, with missing values filled.
    target : (n_instances,) int64
        Class index.
    weight : (n_instances,) float64
        Positive.
    n_classes : int
        Number of declared classes.
    """

    matrix: NDArray[np.float32]
    target: NDArray[np.int64]
    weight: FloatArray
    n_classes: int

    def take(self, rows: NDArray[np.bool_]) -> Learning:
        """The instances that ``rows`` marks."""
        return Learning(self.matrix[rows], self.target[rows], self.weight[rows], self.n_classes)

    def grown(self, cart: CART) -> GrownTree:
        """The full tree of scikit-learn's classifier."""
        from sklearn.tree import DecisionTreeClassifier

        classifier = DecisionTreeClassifier(min_samples_leaf=cart.min_leaf, random_state=cart.seed)
        tree = classifier.fit(self.matrix, self.target, sample_weight=self.weight).tree_
        closing = closing_alphas(tree, by_error=cart.prune_by == "error")
        return GrownTree(tree, closing, classifier.classes_[tree.value[:, 0, :].argmax(axis=1)])

    def class_weight(self, tree: Any, stop: NDArray[np.intp] | None = None) -> FloatArray:
        """(n_nodes, n_classes) float64: summed weights of the instances that reach each of scikit-learn's nodes.

        Where ``stop`` is given, an instance that reaches node i goes no further than ``stop[i]``.
        """
        reached = tree.apply(self.matrix)
        key = (reached if stop is None else stop[reached]) * self.n_classes + self.target
        flat = np.bincount(key, self.weight, tree.node_count * self.n_classes)
        table: FloatArray = flat.reshape(tree.node_count, -1).astype(np.float64)
        inner = inner_nodes(tree)
        for node in inner[::-1] if stop is None else inner[stop[tree.children_left[inner]] > inner][::-1]:
            table[node] = table[tree.children_left[node]] + table[tree.children_right[node]]
        return table


@dataclass(frozen=True, eq=False)
class GrownTree:
    """A full tree of scikit-learn's, and what its pruning needs.

    Parameters
    ----------
    tree : sklearn.tree._tree.Tree
    closing : (n_nodes,) float64
        See `closing_alphas`.
    answer : (n_nodes,) int64
        The class that each node would answer.
    """

    tree: Any
    closing: FloatArray
    answer: NDArray[np.int64]

    def errors(self, test: Learning, alphas: FloatArray) -> FloatArray:
        """(n_alphas,) float64: weight of the test instances that the tree pruned by each of ``alphas`` gets wrong."""
        table = test.class_weight(self.tree)
        wrong = table.sum(axis=1) - table[np.arange(len(table)), self.answer]
        return sum_over_leaves(self.tree, self.closing, wrong, alphas)

    def pruned(self, learning: Learning, alpha: float) -> PrunedTree:
        """The tree that scikit-learn makes of it with this complexity parameter; 0: no pruning."""
        tree = self.tree
        is_leaf = (tree.children_left == tree.children_right) | ((self.closing <= alpha) & (alpha > 0))
        stop = np.arange(tree.node_count)
        for node in inner_nodes(tree):  # parents come before their children
            if is_leaf[node] or stop[node] != node:
                stop[[tree.children_left[node], tree.children_right[node]]] = stop[node]
        is_kept = stop == np.arange(tree.node_count)
        place = np.cumsum(is_kept) - 1
        left, right = (
            np.where(is_leaf, -1, place[children])[is_kept] for children in (tree.children_left, tree.children_right)
        )
        table = learning.class_weight(tree, stop)[is_kept]
        return PrunedTree(left, right, tree.feature[is_kept], tree.threshold[is_kept], table)


class PrunedTree(NamedTuple):
    """What the mirror reads of a tree, as scikit-learn numbers it: (n_nodes,) arrays, and (n_nodes, n_classes)."""

    children_left: NDArray[np.intp]
    children_right: NDArray[np.intp]
    feature: NDArray[np.intp]
    threshold: FloatArray
    class_weight: FloatArray


class CART(Learner[TreeMirror], name="CART"):
    """CART as scikit-learn grows it, pruned by minimal cost-complexity.

    The tree is grown by the gain in Gini's index until every leaf is pure or cannot be split, and pruned by minimal
    cost-complexity: closing the weakest link again and again gives a sequence of smaller and smaller trees, of which
    one is chosen. That is the smallest tree of minimal error in cross-validation (``prune="cv"``) or in a test sample
    that is not used for growing (``"test"``), the full tree (``"none"``), or the largest tree with at most ``leaves``
    leaves.

    A split on a nominal attribute tests whether it has one of its values (``nominal="one_hot"``). A missing number is
    replaced by the median of the known numbers, in testing as in training; a missing nominal value by the most frequent
    value, ties to the first declared. If no value is known it is replaced by 0, or by the value declared first.

    The tree answers as scikit-learn's ``predict_proba`` does: bit for bit if all weights are 1, within 1e-12 otherwise.
    It cannot be grown on nominal attributes with ``nominal="refuse"``, nor on values that are infinite or beyond the
    range of single precision. Cost: one scikit-learn fit per fold, and one more, side by side in as many threads as
    `wekaconf.tree.threads.n_threads` says; as many copies of the data as threads.

    Notes
    -----
    scikit-learn compares in single precision: values are first rounded to 24 binary digits, so dates to about two
    minutes. Links whose complexity parameters differ only by rounding (a relative 1e-9) are closed together.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984). Classification and Regression Trees. Wadsworth.
    Sections 3.3 (weakest links), 3.4.1 (test sample), 3.4.2 (cross-validation, at the geometric means of neighbouring
    complexity parameters) and 3.4.3 (rule of standard errors).
    **Departures**: the cost of a node is Gini's index, as in scikit-learn, not its error, which ``prune_by="error"``
    makes it; there are no surrogate splits but the median, which is taken over all training instances, including the
    test part of each fold.
    """

    reference = "breiman1984"
    prune: Literal["cv", "test", "none"] = parameter(
        default="cv", help="Choose the tree by cross-validation, by a test sample, or keep the full tree."
    )
    prune_by: Literal["gini", "error"] = parameter(
        default="gini",
        help="Close the weakest link by Gini's index, as scikit-learn does, or by training errors, as the book does.",
    )
    se: float = parameter(
        default=0.0, low=0, high=1e6,
        help="Take the smallest tree whose error is at most this many standard errors above the minimum.",
    )  # fmt: skip
    folds: int = parameter(
        default=10, low=2, help="Folds of the cross-validation; at most as many as there are instances."
    )
    test_share: float = parameter(default=0.33, low=0, high=1, is_open=True, help="Share of the test sample.")
    seed: int = parameter(
        default=1, low=0, high=2**32 - 1,
        help="Seed of folds and test sample, both stratified by class; also decides between splits of equal gain.",
    )  # fmt: skip
    leaves: int | None = parameter(
        default=None, low=1, help="Take the largest tree with at most this many leaves, whatever its error."
    )
    min_leaf: int = parameter(default=1, low=1, help="Fewest instances in a leaf.")
    # Not "refuse": most tables have a column of texts, and the remedy would always be this option. One value against
    # the others is not Breiman's search over subsets, and splits more often where there are many values, so a note says
    # what is done; for two values both are the same.
    nominal: Literal["one_hot", "refuse"] = parameter(
        default="one_hot", help="Split nominal attributes on one of their values, or refuse them."
    )

    def _check_parameters(self) -> None:
        declared = parameters(CART)
        unused = [
            name for name in ("folds", "prune", "se", "test_share") if getattr(self, name) != declared[name].default
        ]
        if self.leaves is not None and unused:
            leaves, names = Argument("leaves", self.name), listed(Argument(name, self.name) for name in unused)
            raise OptionError(leaves, " chooses the tree by its size, so ", *names, " must be left out", of=self.name)

    @property
    def reads_nominal(self) -> bool:
        """See `Learner`."""
        return self.nominal != "refuse"

    def note(self, train: Dataset) -> None:
        """Warn with a `Note` of nominal attributes of three or more values, and of missing values that will be filled.

        Data that will be refused get none.
        """
        if _refused_attributes(train, self):
            return
        n_encoded = sum(len(attribute.values) > 2 for attribute in _nominal_inputs(train))
        if n_encoded:
            have = "has" if n_encoded == 1 else "have"
            tell(
                f"{train.relation}: {counted(n_encoded, 'nominal attribute')} {have} more than two values; each split "
                "of CART separates one value from the others (",
                Setting("nominal", "one_hot", self.name),
                ")",
            )
        cells = np.delete(train.values, train.class_index, axis=1)
        n_missing = int(np.isnan(cells).sum())
        if n_missing:
            tell(
                f"{train.relation}: {n_missing} of {cells.size} values are missing; CART fills them with the median "
                "(nominal: the most frequent value) of their attribute"
            )

    def _grow(self, train: Dataset) -> TreeMirror:
        columns = _columns(train, self)
        fill = train.typical_values()
        learning = Learning(_matrix(train, columns, fill), train.class_values, train.weights, train.n_classes)
        if self.leaves is not None:
            grown = learning.grown(self)
            alpha = _alpha_of_size(grown, self.leaves)
        elif self.prune == "none":
            grown, alpha = learning.grown(self), 0.0
        elif self.prune == "test":
            is_test = _test_rows(learning.target, self)
            test, learning = learning.take(is_test), learning.take(~is_test)
            grown = learning.grown(self)
            alphas = sequence(grown.closing)
            alpha = float(alphas[_smallest(grown.errors(test, alphas), test.weight, self.se)])
        else:
            grown, alpha = _cross_validated(learning, self)
        return _mirror(train, grown.pruned(learning, alpha), columns, fill, self.options)


def _nominal_inputs(train: Dataset) -> list[Attribute]:
    return [each for i, each in enumerate(train.attributes) if each.is_nominal and i != train.class_index]


def _refused_attributes(train: Dataset, cart: CART) -> list[str]:
    """The names of the nominal attributes, if nominal attributes are refused."""
    return [attribute.name for attribute in _nominal_inputs(train)] if cart.nominal == "refuse" else []


def _columns(train: Dataset, cart: CART) -> list[tuple[int, int]]:
    """Attribute and value index (−1 if numeric) of each column for scikit-learn; OptionError for unsuitable data."""
    inputs = [(i, attribute) for i, attribute in enumerate(train.attributes) if i != train.class_index]
    problems = list[tuple[str | Term, ...]]()
    if nominal := _refused_attributes(train, cart):
        are = "is" if len(nominal) == 1 else "are"
        problem = f"takes numeric attributes, and {name_list(nominal)} {are} nominal: "
        problems.append((problem, SetOption(cart.name, "nominal", "one_hot"), "; "))
    with np.errstate(over="ignore"):
        too_large = np.isinf(train.values.astype(np.float32)).any(axis=0)
    if too_large.any():
        names = [train.attributes[column].name for column in np.flatnonzero(too_large)]
        have = "has" if len(names) == 1 else "have"
        problem = f"compares in single precision, up to 3.4e38, and {name_list(names)} {have} larger or infinite values"
        problems.append((f"{problem}: make them missing (?), or scale them; ",))
    if problems:
        reasons = [part for problem in problems for part in ("it ", *problem)][1:]
        raise OptionError(
            f"'{train.relation}': ", Owner(cart.name), " ", *reasons, "or ", UseLearner("J48"), value_of="train"
        )
    return [
        (column, value)
        for column, attribute in inputs
        for value in (range(len(attribute.values)) if attribute.is_nominal else [-1])
    ]


def _matrix(train: Dataset, columns: list[tuple[int, int]], fill: FloatArray) -> NDArray[np.float32]:
    """The columns for scikit-learn with all missing values filled; one constant column if there are none."""
    filled = np.where(np.isnan(train.values), fill, train.values)
    cells = [filled[:, column] if value < 0 else filled[:, column] == value for column, value in columns]
    return np.stack(cells or [np.zeros(len(train))], axis=1, dtype=np.float32)


def _mirror(
    train: Dataset, tree: PrunedTree, columns: list[tuple[int, int]], fill: FloatArray, options: str
) -> TreeMirror:
    """The mirror of scikit-learn's tree; the first branch of a split on a nominal value is "equals"."""
    # Leaves have a feature below 0; what is taken for them is ignored.
    attribute, value = np.array(columns or [(0, 0)]).take(tree.feature, axis=0, mode="clip").T
    is_number = value < 0
    first = np.where(is_number, tree.children_left, tree.children_right)
    second = np.where(is_number, tree.children_right, tree.children_left)
    # A missing value goes whole to the branch that the median leads to, as scikit-learn does on filled data.
    is_first = np.where(is_number, fill[attribute].astype(np.float32) <= tree.threshold, fill[attribute] == value)
    inner, share = first != second, np.full(len(first), np.nan)
    share[first[inner]], share[second[inner]] = is_first[inner], ~is_first[inner]
    return binary_tree(
        train.header, Routing.CART, first, second,
        split_kind=np.where(is_number, SplitKind.NUMERIC_LE, SplitKind.NOMINAL_EQUALS), split_attribute=attribute,
        split_point=tree.threshold, split_value=value, class_weight=tree.class_weight, branch_weight=share,
        learner="CART", options=options,
    )  # fmt: skip


def _alpha_of_size(grown: GrownTree, leaves: int) -> float:
    """The complexity parameter of the largest tree with at most so many leaves."""
    alphas = sequence(grown.closing)
    n_leaves = sum_over_leaves(grown.tree, grown.closing, np.ones(grown.tree.node_count), alphas)
    return float(alphas[(n_leaves <= leaves).argmax()])


def _cross_validated(learning: Learning, cart: CART) -> tuple[GrownTree, float]:
    """The full tree of ``learning``, and the complexity parameter of the tree that cross-validation chooses."""
    fold = np.empty(len(learning.target), dtype=np.intp)
    fold[_stratified_order(learning.target, cart.seed)] = np.arange(len(fold)) % cart.folds
    held_out = [fold == i for i in np.unique(fold)] if len(fold) > 1 else []
    grown, *of_folds = on_all_cores(
        [partial(learning.grown, cart), *(partial(_grown_without, learning, rows, cart) for rows in held_out)]
    )
    alphas = sequence(grown.closing)
    midpoints = np.append(np.sqrt(alphas[:-1]) * np.sqrt(alphas[1:]), np.finfo(np.float64).max)
    wrong = np.zeros(len(midpoints))
    for of_fold, rows in zip(of_folds, held_out, strict=True):
        wrong += of_fold.errors(learning.take(rows), midpoints)
    return grown, float(alphas[_smallest(wrong, learning.weight, cart.se)])


def _grown_without(learning: Learning, rows: NDArray[np.bool_], cart: CART) -> GrownTree:
    return learning.take(~rows).grown(cart)


def _test_rows(target: NDArray[np.int64], cart: CART) -> NDArray[np.bool_]:
    """(n_instances,) bool: whether each instance is in the test sample."""
    n_tests = np.floor(np.arange(len(target) + 1) * cart.test_share)
    is_test = np.empty(len(target), dtype=np.bool_)
    is_test[_stratified_order(target, cart.seed)] = np.diff(n_tests) > 0
    if not 0 < is_test.sum() < len(target):
        problem = f": {len(target)} instances are too few for a test sample of a share of {cart.test_share:g}; use "
        by_test, by_folds = (Setting("prune", way, cart.name) for way in ("test", "cv"))
        share = Argument("test_share", cart.name)
        raise OptionError(Owner(cart.name), " ", by_test, problem, by_folds, ", or another ", share)
    return is_test


def _stratified_order(target: NDArray[np.int64], seed: int) -> NDArray[np.intp]:
    """All rows, class by class, shuffled within each class."""
    order = np.random.default_rng(seed).permutation(len(target))
    return order[np.argsort(target[order], kind="stable")]


def _smallest(wrong: FloatArray, weight: FloatArray, se: float) -> int:
    """The index of the last, smallest, tree whose error is within ``se`` standard errors of the minimum."""
    error = wrong / weight.sum()
    least = error.min()
    deviation = np.sqrt(max(least * (1 - least), 0.0) * (weight**2).sum()) / weight.sum()
    return int(np.flatnonzero(error <= least + se * deviation + 1e-12)[-1])


def inner_nodes(tree: Any) -> NDArray[np.intp]:
    """(n_inner,) intp: scikit-learn's nodes with children, in its order."""
    return np.flatnonzero(tree.children_left != tree.children_right)  # a leaf has the same number in place of both


def closing_alphas(tree: Any, *, by_error: bool = False) -> FloatArray:
    """The smallest complexity parameter for which scikit-learn makes each node a leaf.

    Parameters
    ----------
    tree : sklearn.tree._tree.Tree
        Grown depth-first and not pruned.
    by_error : bool
        Whether the cost of a node is its share of errors, as in the book, rather than Gini's index.

    Returns
    -------
    (n_nodes,) float64
        −∞ at leaves, ∞ where an ancestor becomes a leaf first. In a tree pruned by ``ccp_alpha`` an instance stops at
        the first node of its path with at most that value; 0 means no pruning to scikit-learn. The operations and their
        order are scikit-learn's, so that rounding is the same. Cost: O(n_nodes²) in a few fast operations.
    """
    n = tree.node_count
    inner = inner_nodes(tree)
    is_leaf = tree.children_left == tree.children_right
    parent = np.zeros(n, dtype=np.intp)
    parent[tree.children_left[inner]] = parent[tree.children_right[inner]] = inner
    ancestors: list[NDArray[np.intp]] = [np.zeros(0, dtype=np.intp)]
    for node in range(1, n):
        ancestors.append(np.append(ancestors[parent[node]], parent[node]))
    impurity = 1 - tree.value[:, 0, :].max(axis=1) / tree.value[:, 0, :].sum(axis=1) if by_error else tree.impurity
    cost = tree.weighted_n_node_samples * impurity / tree.weighted_n_node_samples[0]
    cost_below, n_leaves = np.zeros(n), np.zeros(n, dtype=np.intp)
    for leaf in np.flatnonzero(is_leaf):
        cost_below[leaf] = cost[leaf]
        cost_below[ancestors[leaf]] += cost[leaf]
        n_leaves[ancestors[leaf]] += 1
    closing = np.full(n, np.inf)
    closing[is_leaf] = -np.inf
    link = np.full(n, np.inf)
    link[inner] = (cost[inner] - cost_below[inner]) / (n_leaves[inner] - 1)
    after = np.arange(1, n + 1)
    for node in range(n - 1, 0, -1):
        after[parent[node]] = max(after[parent[node]], after[node])
    alpha = -np.inf
    while link[0] < np.inf:
        node = int(link.argmin())
        alpha = max(alpha, link[node])
        closing[node] = alpha
        link[node : after[node]] = np.inf
        above = ancestors[node]
        n_leaves[above] -= n_leaves[node] - 1
        cost_below[above] += cost[node] - cost_below[node]
        link[above] = (cost[above] - cost_below[above]) / (n_leaves[above] - 1)
    return closing


def sequence(closing: FloatArray) -> FloatArray:
    """(n_trees,) float64: complexity parameters of the trees of the sequence, ascending from `NO_GAIN`."""
    alphas = np.unique(np.append(np.maximum(closing[np.isfinite(closing)], NO_GAIN), NO_GAIN))
    # Levels that differ by rounding alone are one, or ties would be split into spurious trees.
    return alphas[np.append(alphas[1:] > alphas[:-1] * (1 + 1e-9), True)]


def sum_over_leaves(tree: Any, closing: FloatArray, amount: FloatArray, alphas: FloatArray) -> FloatArray:
    """(n_alphas,) float64: sum of ``amount`` over the leaves of the tree pruned by each of ``alphas``, ascending.

    ``closing`` holds the tree's `closing_alphas`.
    """
    closing_above = np.full(tree.node_count, np.inf)
    for node in inner_nodes(tree):
        closing_above[[tree.children_left[node], tree.children_right[node]]] = min(closing_above[node], closing[node])
    begin, end = np.searchsorted(alphas, closing), np.searchsorted(alphas, closing_above)
    is_leaf_somewhere = begin < end
    change = np.zeros(len(alphas) + 1)
    np.add.at(change, begin[is_leaf_somewhere], amount[is_leaf_somewhere])
    np.subtract.at(change, end[is_leaf_somewhere], amount[is_leaf_somewhere])
    return change.cumsum()[:-1]
