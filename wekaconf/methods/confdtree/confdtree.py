"""The method: intervals at the nodes, then routes and fines on the way up."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.explanation import Explanation
from wekaconf.methods.confdtree import intervals, vectorised
from wekaconf.methods.confdtree.answers import Answers, Rules
from wekaconf.methods.confdtree.intervals import Intervals, leads_on, route_weights
from wekaconf.postprocessor import PostProcessor, check_choice, check_number
from wekaconf.stored import PARTS
from wekaconf.tree.mirror import TreeMirror
from wekaconf.tree.router import compiled_pays

COMPILED_FROM = 5_000
"""Instances from which loading the compiled form pays."""


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
    intervals_: Annotated[Intervals, PARTS]

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
        route_weight = route_weights(tree, train)
        other_low = mean - halves[1]
        other_low[~leads_on(tree, route_weight)] = np.nan
        self.intervals_ = Intervals(
            present=present,
            is_active=np.asarray(usable & use_normal if self.variant == "norm" else usable),
            assigned_low=mean - halves[0],
            assigned_high=mean + halves[0],
            other_low=other_low,
            other_high=mean + halves[1],
            route_weight=route_weight,
        )

    def _complete(self) -> None:
        assert isinstance(self.tree_, TreeMirror)
        self.intervals_.check(self.tree_)

    def _predict_proba(self, data: Dataset) -> FloatArray:
        return self._answers(data, with_events=False).proba

    def _explain(self, data: Dataset) -> Explanation:
        answers = self._answers(data, with_events=True)
        return Explanation(self.tree_, len(data), ("route", "fine"), answers.instance, answers.node, answers.kind)

    def _answers(self, data: Dataset, *, with_events: bool) -> Answers:
        assert isinstance(self.tree_, TreeMirror)
        rules = Rules(float(self.fine), self.routes, self.fines)
        if compiled_pays(len(data), COMPILED_FROM):
            from wekaconf.methods.confdtree import compiled

            return compiled.answers(self.intervals_, rules, self.tree_.router, data.values, with_events=with_events)
        return vectorised.answers(self.intervals_, rules, self.tree_.router, data.values)
