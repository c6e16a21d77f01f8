"""Figures 1 to 5 of Katz et al. 2012: the worked example."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from wekaconf.data.wording import number
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.replication._study import Illustration
from wekaconf.replication.katz2012.worked import FINED, ROUTED, example
from wekaconf.report.pictures import plot_routes, ways_of
from wekaconf.report.trees import write_tree
from wekaconf.tree import written


def _intervals(path: str) -> None:
    """Draw Figure 1: the tree with its intervals."""
    tree, train, _ = example(ROUTED)
    write_tree(path, tree, annotate=ConfDTree(variant="norm").fit(tree, train).annotation)


def _classified(path: str) -> None:
    """Draw Figure 2: the instance in the plain tree."""
    tree, train, instance = example(ROUTED)
    plot_routes(path, ways_of(LeafFrequency().fit(tree, train), instance))


def _travelling(path: str) -> None:
    """Draw Figure 3: the instance in the plain tree, with the intervals that it meets on the way up."""
    tree, train, instance = example(ROUTED)
    method = ConfDTree(variant="norm").fit(tree, train)
    ways = ways_of(LeafFrequency().fit(tree, train), instance)
    intervals = {node: [written(line, number) for line in method.annotation(node).lines] for node in ways.direct - {3}}
    lines = {node: [*lines, *intervals.get(node, ())] for node, lines in ways.lines.items()}
    plot_routes(path, replace(ways, lines=lines))


def _answered(path: str, *, deviation: float) -> None:
    """Draw Figures 4 and 5: alternative routes, and a fine."""
    tree, train, instance = example(deviation)
    plot_routes(path, ways_of(ConfDTree(variant="norm").fit(tree, train), instance))


ILLUSTRATIONS = {
    "figure 1": Illustration(_intervals),
    "figure 2": Illustration(_classified),
    "figure 3": Illustration(_travelling),
    "figure 4": Illustration(partial(_answered, deviation=ROUTED)),
    "figure 5": Illustration(partial(_answered, deviation=FINED)),
}
