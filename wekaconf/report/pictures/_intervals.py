"""ConfDTree's intervals at a node, with the values of each class (Katz et al. 2012, Figure 1)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import COLOURS, COLUMN, GREY, LABEL_SIZE, broken, name_text, panels, save, tint
from wekaconf.data import Attribute, Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import DAY, SECOND, ahead_of_utc, cells
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.tree import NodeInstances, TreeMirror, condition_in_words, split_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_CLASSES = 8
"""The largest number of classes that are drawn: those with the most training weight."""
ROW, AXIS = 0.42, 0.45
"""Height in inches of the row of a class, and of the axis below."""
HILL, WIDE, NARROW = 0.62, -0.1, -0.24
"""Heights above the base of a row: of the highest density, the interval of an assigned and of another class."""
BAR: dict[str, Any] = {"solid_capstyle": "butt", "markersize": 4, "zorder": 3}
SPLIT: dict[str, Any] = {"color": "0.0", "linewidth": 0.8, "linestyle": (0, (4, 2)), "zorder": 2}
VALUE: dict[str, Any] = {"color": "0.0", "linewidth": 1.0, "linestyle": "-", "zorder": 4}
NONE: dict[str, Any] = {"linestyle": "none"}
RUG: dict[str, Any] = {"marker": "|", "color": "0.25", "markersize": 4, "markeredgewidth": 0.4, "zorder": 2}
PALE = 0.3
"""Share of its colour in the area below a density."""
RUG_HEIGHT = 0.07
"""Height of the middle of an instance's tick above the base of its row."""
N_POINTS = 256
"""Number of points at which a density is drawn."""
MARGIN = 0.05
N_TICKS = 3
"""Number of dates that an axis names."""


def first_with_intervals(method: ConfDTree) -> int:
    """The node nearest to the root that has intervals.

    Raises
    ------
    OptionError
        The method is fitted on a forest, or no node has intervals.
    """
    _tree_of(method)
    active = np.flatnonzero(method.intervals_.is_active)
    if not len(active):
        raise OptionError(
            "no node of this tree has intervals; a node needs a numeric split and "
            f"{method.min_instances} training instances of each class (min_instances)",
            of=method.name,
        )
    return int(active[0])


def plot_intervals(
    path: str | os.PathLike[str],
    method: ConfDTree,
    node: int,
    *,
    data: Dataset | None = None,
    source: str = "the data",
    marked: tuple[str, Dataset] | None = None,
) -> None:
    """Draw the intervals of each class at a node, and the distribution of the values of its instances.

    There is one row per class, beside which stands how many training instances of the class reached the node: the
    density of the values of ``data``, each scaled to the same height; below it the interval that a value must lie in
    while the class leads (thick), and the one that opens an alternative route while another class leads (thin). Of more
    than 8 classes those with the most training weight are drawn.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same intervals and data give the same bytes.
    method : ConfDTree
        Fitted.
    node : int
        A node with intervals.
    data : Dataset, optional
        Instances whose values are shown where they reach the node and have a class; left out: only the intervals are
        drawn.
    source : str
        What the legend calls the file of these instances.
    marked : (str, Dataset), optional
        The name of an instance in the legend, and the instance; its value is drawn as a line if it has one.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`; or the node has no intervals.
    OSError
        The file cannot be written.
    """
    rows = _rows(method, node)
    save(path, lambda: _figure(method, node, rows, data, source, marked))


def draw_intervals(axes: Axes, method: ConfDTree, node: int, data: Dataset | None = None) -> None:
    """Draw the rows of `plot_intervals`, the first class at the top."""
    tree = _tree_of(method)
    rows = _rows(method, node)
    names = list(tree.class_names)
    values = {} if data is None else _values(tree, node, data)
    ends = [end for row in rows for pair in (row["assigned"], row["other"]) if pair for end in pair]
    ends.append(float(tree.split_point[node]))
    ends += [end for class_values, _ in values.values() for end in (class_values.min(), class_values.max())]
    finite = [end for end in ends if np.isfinite(end)]
    low, high = min(finite), max(finite)
    span = (high - low) or abs(low) or 1.0
    low, high = low - MARGIN * span, high + MARGIN * span
    for place, row in enumerate(rows):
        c, base = names.index(row["class"]), -place
        colour = COLOURS[c % len(COLOURS)]
        if c in values:
            _hill(axes, *values[c], colour, base, (low, high))
        for pair, height, width in ((row["assigned"], WIDE, 3.2), (row["other"], NARROW, 1.2)):
            if pair is not None:
                left, right = np.clip(pair, low, high)
                marker = "|" if left == right else ""
                axes.plot([left, right], [base + height] * 2, color=colour, linewidth=width, marker=marker, **BAR)
    texts = [name_text(row["class"], 16) + _trained(row["weight"]) for row in rows]
    axes.set_yticks(-np.arange(len(rows)), texts, parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.set(xlim=(low, high), ylim=(-len(rows) + 1 + NARROW - 0.12, HILL + 0.1))
    if split_on(tree, node).kind == "date":
        _mark_dates(axes, split_on(tree, node), (low, high))
    axes.set_xlabel(name_text(split_on(tree, node).name), parse_math=False)


def _trained(weight: float | None) -> str:
    """The line below the name of a class: how many training instances of it reached the node, if the tree knows."""
    return "" if weight is None else f"\n{weight:g} in training"


def _mark_dates(axes: Axes, attribute: Attribute, ends: tuple[float, float]) -> None:
    """Mark the axis, which counts milliseconds since 1970, at days, or at seconds if it spans only a few days."""
    unit = DAY if ends[1] - ends[0] > N_TICKS * DAY else SECOND

    def nearest(moment: float) -> float:
        ahead = ahead_of_utc(attribute.zone, moment)
        local = round((moment + ahead) / unit) * unit
        return float(local - ahead_of_utc(attribute.zone, local - ahead))

    ticks = sorted({*map(nearest, np.linspace(*ends, N_TICKS + 2)[1:-1].tolist())})
    axes.set_xticks(ticks, cells(attribute, *ticks))


def _figure(
    method: ConfDTree, node: int, rows: Sequence[Mapping[str, Any]], data: Dataset | None, source: str,
    marked: tuple[str, Dataset] | None,
) -> Figure:  # fmt: skip
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    tree = _tree_of(method)
    attribute, point = split_on(tree, node), float(tree.split_point[node])
    entries: dict[str, Any] = {
        "interval while the class leads": Line2D([], [], color=GREY, linewidth=3.2),
        "interval while another leads": Line2D([], [], color=GREY, linewidth=1.2),
        f"split at {cells(attribute, point)[0]}": Line2D([], [], **SPLIT),
    }
    if data is not None and _values(tree, node, data):
        density = Patch(facecolor=GREY, alpha=PALE, linewidth=0)
        entries[f"rows of {name_text(source)}: density and ticks"] = (density, Line2D([], [], linestyle="none", **RUG))
    value = np.nan if marked is None else float(marked[1].values[0, int(tree.split_attribute[node])])
    if marked is not None:
        known = np.isfinite(value)
        value_text = cells(attribute, value)[0] if known else "no value"
        entries[f"{marked[0]}: {value_text}"] = Line2D([], [], **(VALUE if known else NONE))
    n_left_out = int(method.intervals_.present[node].sum()) - len(rows)
    if n_left_out:
        entries[f"{n_left_out} class{'es' * (n_left_out > 1)} of less weight not drawn"] = Line2D([], [], **NONE)
    figure, (axes,) = panels(1, entries, width=COLUMN, height=ROW * len(rows) + AXIS)
    draw_intervals(axes, method, node, data)
    axes.axvline(point, **SPLIT)
    if np.isfinite(value):
        axes.axvline(value, **VALUE)
    where = f"\nat node {node}: {condition_in_words(tree, node)}" if node else ", at the root"
    lines = f"{axes.get_xlabel()}{where}".split("\n")
    axes.set_xlabel("\n".join(broken(line, LABEL_SIZE, 72 * COLUMN - 60) for line in lines), parse_math=False)
    return figure


def _rows(method: ConfDTree, node: int) -> list[Mapping[str, Any]]:
    """The method's rows for the classes at the node, see `annotation_of`."""
    tree = _tree_of(method)
    rows = method.annotation(node).values["intervals"]
    if rows is None:
        active = np.flatnonzero(method.intervals_.is_active).tolist()
        nodes = ", ".join(map(str, active[:8])) + (", …" if len(active) > 8 else "")
        raise OptionError(f"node {node} has no intervals; these nodes have some: {nodes or 'none'}", value_of="node")
    if len(rows) > MOST_CLASSES:
        weight = {name: tree.class_weight[node, c] for c, name in enumerate(tree.class_names)}
        largest = sorted(rows, key=lambda row: -weight[row["class"]])[:MOST_CLASSES]
        rows = [row for row in rows if row in largest]
    return list(rows)


def _tree_of(method: ConfDTree) -> TreeMirror:
    if not isinstance(method.tree_, TreeMirror):
        raise OptionError("the intervals of a forest are not drawn; give a learner that grows one tree", of=method.name)
    return method.tree_


def _values(tree: TreeMirror, node: int, data: Dataset) -> dict[int, tuple[FloatArray, FloatArray]]:
    """By class, the finite values of the instances that reach the node whole, and their weights."""
    known = data.take(np.flatnonzero(data.class_values >= 0))
    instances = NodeInstances.of(tree, known)
    rows = instances.order[instances.begin[node] : instances.end[node]]
    values = known.values[rows, tree.split_attribute[node]]
    is_drawn = np.isfinite(values) & (known.weights[rows] > 0)
    rows, values = rows[is_drawn], values[is_drawn]
    classes = known.class_values[rows]
    return {c: (values[classes == c], known.weights[rows][classes == c]) for c in np.unique(classes).tolist()}


def _hill(
    axes: Axes, values: FloatArray, weights: FloatArray, colour: str, base: float, ends: tuple[float, float]
) -> None:
    """Draw the density of values (a line for a single value), and in its foot one tick per value."""
    pale = tint(colour, np.array(PALE))
    if values.min() < values.max():
        from scipy.stats import gaussian_kde

        x = np.linspace(*ends, N_POINTS)
        density = gaussian_kde(values, weights=weights)(x)
        axes.fill_between(x, base, base + HILL * density / density.max(), facecolor=pale, edgecolor=colour,
                          linewidth=0.6, zorder=1)  # fmt: skip
    else:
        axes.plot([values[0]] * 2, [base, base + HILL], color=colour, linewidth=0.8, zorder=1)
    axes.plot(values, np.full(len(values), base + RUG_HEIGHT), linestyle="none", **RUG)
