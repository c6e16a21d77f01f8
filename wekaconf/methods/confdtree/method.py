"""The method: intervals at the nodes, then routes and fines on the way up."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from wekaconf.dataset import Dataset, FloatArray
from wekaconf.methods.confdtree import intervals, vectorised
from wekaconf.postprocessor import Explanation, PostProcessor, check_choice, check_number
from wekaconf.routing import compiled_pays
from wekaconf.stored import stored
from wekaconf.tree import SplitKind, TreeMirror

COMPILED_FROM = 5_000
"""Instances from which loading the compiled form pays."""
BOUND = stored(np.float64, "n_nodes", "n_classes", allows_nan=True, allows_inf=True)
"""An end of the interval of each class at each node; NaN: no value is inside."""


class ConfDTree(PostProcessor, name="confdtree"):
    """Alternative routes and certainty fines where a value is uncharacteristic of the assigned class.

    The distribution of the leaf travels up the instance's path. At a node whose numeric value lies outside the
    confidence interval of the leading class, it is replaced by a weighted mean over all branches if the value lies
    inside the (narrower) interval of other classes, else the leading class is fined.

    Parameters
    ----------
    variant : {"comb", "norm", "tdist"}
        Intervals from the normal distribution of the values (``norm``, only at nodes where every class present
        passes the test of normality), from Student's t for the mean (``tdist``), or the former where it may be
        used and else the latter (``comb``).
    min_instances : int
        m, at least 1: smallest number of instances.
    min_instances_of : {"class", "node"}
        Whether m holds for every class present in the node (the text) or for the node (Algorithm 1).
    z_assigned, z_other : float
        Half-widths of the normal intervals of the assigned and of the other classes, in standard deviations.
    level_assigned, level_other : float
        Two-sided levels in [0, 1] of the t intervals of the assigned and of the other classes.
    normality : {"ks", "lilliefors", "none"}
        Test of normality: Kolmogorov-Smirnov with its ordinary critical value though mean and deviation are
        estimated (the paper), Lilliefors' correction of that, or no test.
    normality_level : float
        .10, .05, .01 or .001 (``ks``); .10, .05 or .01 (``lilliefors``).
    fine : float
        Share in [0, 1] of the leading class's probability that a fine takes.
    routes, fines : bool
        Whether alternative routes, and fines, are applied at all.

    Notes
    -----
    Cost: fit O(n_instances · depth); prediction O(depth) an instance, and at most one visit of every node.

    Instance weights: mean, deviation and the distance of the test of normality are weighted; what the paper counts
    (n in s, in √n and in the degrees of freedom, m, the critical value) counts instances, so a weight of 2 is not
    two instances; route weights use the tree's own summed weights. The paper has no weights.

    **Departures** from the paper: none of substance. Where it is open: s has n − 1 and intervals are closed;
    s = 0 gives a point interval and fails the test of normality; nominal nodes and nodes whose assigned class is
    absent are passed over; fines go to the *other* classes present; instances that reach a node only in part
    (missing value) are left out of its statistics; a test instance without a value at a node gets the tree's own
    mixture there, and the method acts only above it. An empty branch has route weight 0, and a class without
    weight in any branch opens no route. On trees other than J48's, which keep no counts by branch, route weights
    come from the training instances that reach the node whole.

    References
    ----------
    Katz, Shabtai, Rokach, Ofek: ConfDTree: improving decision trees using confidence intervals, ICDM 2012,
    Algorithms 1 and 2, section III.B.
    """

    counts_events = True
    reference = "katz2012"
    present_: Annotated[NDArray[np.bool_], stored(np.bool_, "n_nodes", "n_classes")]
    is_active_: Annotated[NDArray[np.bool_], stored(np.bool_, "n_nodes")]
    assigned_low_: Annotated[FloatArray, BOUND]
    assigned_high_: Annotated[FloatArray, BOUND]
    other_low_: Annotated[FloatArray, BOUND]
    other_high_: Annotated[FloatArray, BOUND]
    route_weight_: Annotated[FloatArray, stored(np.float64, "n_nodes", "n_classes", low=0, high=1e150)]

    def __init__(
        self,
        *,
        variant: str = "comb",
        min_instances: int = 5,
        min_instances_of: str = "class",
        z_assigned: float = 2.0,
        z_other: float = 1.0,
        level_assigned: float = 0.995,
        level_other: float = 0.90,
        normality: str = "ks",
        normality_level: float = 0.01,
        fine: float = 0.1,
        routes: bool = True,
        fines: bool = True,
    ) -> None:
        check_choice(self.name, "variant", variant, ("comb", "norm", "tdist"))
        check_number(self.name, "min_instances", min_instances, 1, np.inf)
        check_choice(self.name, "min_instances_of", min_instances_of, ("class", "node"))
        check_number(self.name, "z_assigned", z_assigned, 0, np.inf)
        check_number(self.name, "z_other", z_other, 0, np.inf)
        check_number(self.name, "level_assigned", level_assigned, 0, 1)
        check_number(self.name, "level_other", level_other, 0, 1)
        check_choice(self.name, "normality", normality, ("ks", "lilliefors", "none"))
        levels = {"ks": intervals.KOLMOGOROV_SMIRNOV, "lilliefors": intervals.LILLIEFORS}.get(normality)
        if levels is not None:
            check_choice(self.name, "normality_level", normality_level, tuple(levels))
        check_number(self.name, "fine", fine, 0, 1)
        check_choice(self.name, "routes", routes, (True, False))
        check_choice(self.name, "fines", fines, (True, False))
        self.variant = variant
        self.min_instances = min_instances
        self.min_instances_of = min_instances_of
        self.z_assigned = z_assigned
        self.z_other = z_other
        self.level_assigned = level_assigned
        self.level_other = level_other
        self.normality = normality
        self.normality_level = normality_level
        self.fine = fine
        self.routes = routes
        self.fines = fines

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        count, mean, deviation, distance = intervals.class_statistics(tree, train)
        present = np.asarray(count > 0)
        if self.min_instances_of == "class":
            enough = (~present | (count >= self.min_instances)).all(axis=1)
        else:
            enough = count.sum(axis=1) >= self.min_instances
        usable = enough & present.any(axis=1) & (~present | np.isfinite(mean)).all(axis=1)
        normal = intervals.passes_normality(distance, count, self.normality, self.normality_level)
        use_normal = np.asarray((~present | normal).all(axis=1))
        if self.variant == "tdist":
            use_normal[:] = False
        with np.errstate(invalid="ignore", divide="ignore"):
            error = deviation / np.sqrt(count)
            halves = [
                np.where(use_normal[:, None], z * deviation, intervals.t_quantile(level, count) * error)
                for z, level in ((self.z_assigned, self.level_assigned), (self.z_other, self.level_other))
            ]
        for half in halves:
            half[deviation == 0] = 0.0
        self.is_active_ = np.asarray(usable & use_normal if self.variant == "norm" else usable)
        self.present_ = present
        self.assigned_low_, self.assigned_high_ = mean - halves[0], mean + halves[0]
        self.other_low_, self.other_high_ = mean - halves[1], mean + halves[1]
        self.route_weight_ = route_weights(tree, train)
        self.other_low_[~leads_on(tree, self.route_weight_)] = np.nan

    def _complete(self) -> None:
        tree = self.tree_
        assert isinstance(tree, TreeMirror)
        is_numeric = np.isin(tree.split_kind, (SplitKind.NUMERIC_LE, SplitKind.NUMERIC_LT))
        if (self.is_active_ & ~is_numeric).any():
            raise ValueError("is_active_: expected no interval where no number is asked for")
        is_open = np.isnan(self.assigned_low_) | np.isnan(self.assigned_high_)
        if (is_open & self.present_)[self.is_active_].any():
            raise ValueError("assigned_low_, assigned_high_: expected an interval for every class present")
        if (~np.isnan(self.other_low_) & ~(self.present_ & leads_on(tree, self.route_weight_))).any():
            raise ValueError("other_low_: expected NaN for classes that are absent or lead nowhere")

    def _predict_proba(self, data: Dataset) -> FloatArray:
        return self._answers(data, with_events=False).proba

    def _explain(self, data: Dataset) -> Explanation:
        answers = self._answers(data, with_events=True)
        return Explanation(self.tree_, len(data), ("route", "fine"), answers.instance, answers.node, answers.kind)

    def _answers(self, data: Dataset, *, with_events: bool) -> vectorised.Answers:
        assert isinstance(self.tree_, TreeMirror)
        if compiled_pays(len(data), COMPILED_FROM):
            from wekaconf.methods.confdtree import compiled

            return compiled.answers(self, self.tree_.router, data.values, with_events=with_events)
        return vectorised.answers(self, self.tree_.router, data.values)


def leads_on(tree: TreeMirror, route_weight: FloatArray) -> NDArray[np.bool_]:
    """(n_nodes, n_classes) bool: whether a branch of the node has route weight for the class."""
    summed = np.zeros(route_weight.shape)
    np.add.at(summed, tree.parent[1:], route_weight[1:])
    return summed > 0


def route_weights(tree: TreeMirror, train: Dataset) -> FloatArray:
    """(n_nodes, n_classes) float64: √n_c · n_c / T of the branch that leads to each node, 0 for an empty branch."""
    by_class, total = tree.branch_class_weight, tree.branch_weight
    if not tree.routing.is_j48:
        by_class = np.zeros(tree.class_weight.shape)
        for node, rows in tree.whole_instances(train):
            branch = tree.router.branches(np.full(len(rows), node), train.values[rows, tree.split_attribute[node]])
            np.add.at(by_class, (tree.first_child[node] + branch, train.class_values[rows]), train.weights[rows])
        total = by_class.sum(axis=1)
    filled = (np.arange(tree.n_nodes) > 0) & (total > 0)
    weight = np.zeros(by_class.shape)
    weight[filled] = np.sqrt(by_class[filled]) * (by_class[filled] / total[filled, None])
    return weight
