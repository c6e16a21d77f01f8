"""The method: intervals at the nodes, alternative routes and fines on the way up from the leaf."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.parameters import learned, parameter
from wekaconf.base.stored import PARTS
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, TextArray, as_rows, texts_of
from wekaconf.data.wording import cell_texts, class_text, interval
from wekaconf.methods.confdtree import _intervals as intervals
from wekaconf.methods.confdtree import _vectorised as vectorised
from wekaconf.methods.confdtree._explanation import InstanceSteps, annotation_of
from wekaconf.methods.confdtree._intervals import Intervals, has_route_weight, route_weights
from wekaconf.methods.confdtree._vectorised import ROUTE, Answers, Rules
from wekaconf.methods.contract import (
    AnnotatesNodes,
    Answer,
    Ends,
    Explanation,
    FirstEvents,
    Reply,
    Rows,
    Step,
    TreeByTree,
    row_indices,
)
from wekaconf.tree import Annotation, TreeMirror, compiled_pays

COMPILED_FROM = 5_000
"""Number of instances from which loading the compiled form pays off.

The numpy form stays: 768 rows of diabetes take it 0.01 s of the processor, and the compiled one, already on disk, 0.43.
"""
MOST_LISTED = 3
"""Number of routes and fines that the reason of one answer lists, root first."""


class ConfDTree(TreeByTree, AnnotatesNodes, name="confdtree"):
    """Alternative routes and certainty fines where a value is uncharacteristic of the assigned class.

    The distribution of the leaf travels up the instance's path. At a node where the value lies outside the confidence
    interval of the leading class, the distribution is replaced by a weighted mean over all branches if the value lies
    inside the (narrower) interval of another class; otherwise the leading class is fined.

    Notes
    -----
    Cost: fit O(n_instances · depth); prediction O(depth) per instance, at worst one visit to every node.

    Instance weights: mean, deviation and the distance in the test of normality are weighted; what the paper counts
    (n in s, in √n and in the degrees of freedom, m, the critical value) counts instances, so an instance of weight 2 is
    not two instances; route weights use the tree's own summed weights. The paper has no weights.

    **Departures** from the paper: none of substance. Where the paper leaves a choice: every class present in a node
    must have min_instances, as the text says, where Algorithm 1 counts the whole node; the test of normality, that of
    Kolmogorov and Smirnov with its ordinary critical value although mean and deviation are estimated, has the level
    .01, which decides at which nodes comb takes the normal intervals, and a node takes one kind of interval for all of
    its classes; s is computed with n − 1, and intervals are closed; s = 0 gives an interval of one point and fails the
    test of normality; nodes with nominal splits, and nodes where the leading class is absent, change nothing; fines go
    to the *other* classes present; instances that reach a node only in part (missing value) are left out of its
    statistics; a test instance without a value at a node gets the tree's own mixture there, and the method acts only
    above it. An empty branch has route weight 0, and a class without weight in any branch opens no route. Trees other
    than J48's keep no counts by branch; there, route weights come from the training instances that reach the node
    whole.

    References
    ----------
    Katz, Shabtai, Rokach, Ofek: ConfDTree: improving decision trees using confidence intervals, ICDM 2012,
    Algorithms 1 and 2, section III.B.
    """

    counts_events = True
    display_name = "ConfDTree"
    reference = "katz2012"
    variant: Literal["comb", "norm", "tdist"] = parameter(
        default="comb",
        help="Intervals from the normal distribution of the values (norm, only at nodes where every class present "
        "passes the test of normality), from Student's t for the mean (tdist), or the former where it may be used "
        "and the latter elsewhere (comb).",
    )
    min_instances: int = parameter(
        default=5,
        low=1,
        help="Smallest number of training instances of each class present for which intervals are computed.",
    )
    z_assigned: float = parameter(
        default=2.0, low=0, help="Half-width of the normal interval of the assigned class, in standard deviations."
    )
    z_other: float = parameter(
        default=1.0, low=0, help="Half-width of the normal intervals of the other classes, in standard deviations."
    )
    level_assigned: float = parameter(
        default=0.995, low=0, high=1, help="Two-sided level of the t interval of the assigned class."
    )
    level_other: float = parameter(
        default=0.90, low=0, high=1, help="Two-sided level of the t intervals of the other classes."
    )
    fine: float = parameter(
        default=0.1, low=0, high=1, help="Share of the leading class's probability that a fine takes."
    )
    routes: bool = parameter(default=True, help="Whether to apply alternative routes.")
    fines: bool = parameter(default=True, help="Whether to apply fines.")
    tree_: TreeMirror = learned()
    intervals_: Annotated[Intervals, PARTS] = learned()

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        """Algorithm 1 of Katz et al., for all nodes at once in place of its recursion (lines 6 to 8)."""
        shape = (tree.n_nodes, tree.header.n_classes)
        # Lines 2 to 5: of the values of the split attribute, class by class.
        node, class_index, count, mean, deviation, distance = intervals.class_statistics(tree, train)

        def at_all_classes(holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
            """(n_nodes,) bool: whether it holds for every class present."""
            return np.asarray(np.bincount(node[~holds], minlength=tree.n_nodes) == 0)

        enough = at_all_classes(count >= self.min_instances)  # as the text has it; line 1 counts the whole node
        has_values = np.bincount(node, minlength=tree.n_nodes) > 0
        usable = enough & has_values & at_all_classes(np.isfinite(mean))
        normal = intervals.passes_normality(distance, count)
        use_normal = at_all_classes(normal) if self.variant != "tdist" else np.zeros(tree.n_nodes, dtype=bool)
        with np.errstate(invalid="ignore"):
            error = deviation / np.sqrt(count)
            halves = [
                np.where(use_normal[node], z * deviation, intervals.t_quantile(level, count) * error)
                for z, level in ((self.z_assigned, self.level_assigned), (self.z_other, self.level_other))
            ]
        for half in halves:
            half[deviation == 0] = 0.0

        def table(ends: FloatArray) -> FloatArray:
            """(n_nodes, n_classes) float64: NaN for the classes that are absent."""
            filled = np.full(shape, np.nan)
            filled[node, class_index] = ends
            return filled

        route_weight = route_weights(tree, train)
        leads = has_route_weight(tree, route_weight, node, class_index)
        present = np.zeros(shape, dtype=bool)
        present[node, class_index] = True
        self.intervals_ = Intervals(
            present=present,
            is_active=usable & use_normal if self.variant == "norm" else usable,
            assigned_low=table(mean - halves[0]),
            assigned_high=table(mean + halves[0]),
            other_low=table(np.where(leads, mean - halves[1], np.nan)),
            other_high=table(mean + halves[1]),
            route_weight=route_weight,
        )

    def _annotation(self, node: int) -> Annotation:
        return annotation_of(self.tree_, self.intervals_, node)

    def _complete(self) -> None:
        self.intervals_.check(self.tree_)

    def _answer(self, data: Dataset) -> Reply:
        answers = self._answers(data)
        return Reply(
            answers.proba,
            explain=lambda: self._explanation(data, answers),
            reasons=lambda answer, rows: self._sentences(data, answers, answer, rows),
            steps=lambda i: self._steps(data.values[i], answers, i),
        )

    def _steps(self, row: FloatArray, answers: Answers, i: int) -> Step:
        own = slice(*np.searchsorted(answers.instance, [i, i + 1]))
        kinds_and_leaders = as_rows(answers.kind[own], answers.leading[own])
        events = dict(zip(answers.node[own].tolist(), kinds_and_leaders, strict=True))
        return InstanceSteps(self.tree_, self.intervals_, self._rules, row, events).step()

    def _sentences(self, data: Dataset, answers: Answers, answer: Answer, rows: Rows) -> TextArray:
        """The values of each instance outside the interval of the leading class; if there are none, the leaf."""
        indices = row_indices(rows, len(data))
        events = FirstEvents.of(answers.instance, indices, MOST_LISTED)
        is_told = events.n_events > 0
        others = indices[~is_told]
        sentences = np.empty(len(indices), dtype=object)
        if len(events.place):
            sentences[is_told] = events.joined(self._clauses(data, answers, events.place), others=" such nodes")
        if len(others):
            sentences[~is_told] = Ends.of(self.tree_, data.values[others], answer.proba[others]).sentences()
        return sentences

    def _clauses(self, data: Dataset, answers: Answers, place: NDArray[np.intp]) -> TextArray:
        """(n,) object: the routes and fines at these places among all, in words."""
        ends, attributes = self.intervals_, self.tree_.header.attributes
        node, leading, is_route = answers.node[place], answers.leading[place], answers.kind[place] == ROUTE
        column = self.tree_.split_attribute[node]
        interval_ends = ends.assigned_low[node, leading], ends.assigned_high[node, leading]
        texts = cell_texts(attributes, column, data.values[answers.instance[place], column], *interval_ends)
        classes = texts_of(map(class_text, self.tree_.class_names))[leading]
        names = texts_of(attribute.name for attribute in attributes)[column]
        rows = as_rows(names, *texts, classes, is_route)
        return texts_of(f"{name} {value}{_outside(*pattern)}" for name, value, *pattern in rows)

    def _explanation(self, data: Dataset, answers: Answers) -> Explanation:
        """The routes and fines, each with the value, the leading class, and the interval that the value is outside."""
        ends, node, leading, names = self.intervals_, answers.node, answers.leading, self.tree_.class_names
        column = self.tree_.split_attribute[node]
        low, high = ends.assigned_low[node, leading].tolist(), ends.assigned_high[node, leading].tolist()
        details: dict[str, list[Any]] = {
            "value": data.values[answers.instance, column].tolist(),
            "class": [names[c] for c in leading.tolist()],
            "interval": list(zip(low, high, strict=True)),
        }
        return Explanation(
            self.tree_, len(data), ("route", "fine"), answers.instance, node, answers.kind, details=details
        )

    @property
    def _rules(self) -> Rules:
        return Rules(float(self.fine), self.routes, self.fines)

    def _answers(self, data: Dataset) -> Answers:
        if compiled_pays(len(data), COMPILED_FROM, "wekaconf.methods.confdtree._compiled"):
            from wekaconf.methods.confdtree import _compiled as compiled

            return compiled.answers(self.intervals_, self._rules, self.tree_.router, data.values)
        return vectorised.answers(self.intervals_, self._rules, self.tree_.router, data.values)


def _outside(low: str, high: str, leading: str, is_route: bool) -> str:
    """What follows from a value outside the interval of the leading class, in words that follow the value."""
    done = "both branches answer" if is_route else f"{leading} is fined"
    return f" lies outside {interval(low, high)}, the interval of {leading}, so {done}"
