"""Decision regions on a plane through the space of the attributes, shaded by the certainty of the answers.

A diverging scale of distances shows two classes at most; here the hue is the class and the tint the certainty. What is
rejected is hatched, not painted over, so that the class stays visible.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, quoted, shown, some
from wekaconf.base.plot_style import COLUMN, HUES, LABEL_SIZE, broken, name_text, panels, save, shade, text_width
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import cells
from wekaconf.methods.contract import Method, Thresholds, is_rejected, thresholds_at
from wekaconf.tree import Forest, TreeMirror

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


CELLS, FEW_CELLS = 200, 50
"""Number of cells on each side of a plane; the latter for slow methods."""
CHUNK_VALUES = 2_000_000
"""Number of values of instances that are answered at a time."""
MARGIN, MARGIN_OF_SPLITS = 0.04, 0.5
"""Margins at either side, as a share of the range of an attribute's values, or of its split points."""
Extent = tuple[float, float, float, float]
"""The ends of the horizontal and of the vertical axis."""
LIGHTEST, DARKEST = (0.97, 0.015), (0.68, 0.11)
"""Lightness and chroma of a region for the least and for the most certain answers, whatever the hue of its class."""
OTHERS = "#8C8C8C"
"""The colour that the less frequent of more than `MOST_CLASSES` classes share."""
MOST_CLASSES = len(HUES)
MARKERS = "osD^vPXp"
LINE: dict[str, Any] = {"colors": "0.0", "linewidths": 0.6}
POINT: dict[str, Any] = {
    "linestyle": "none", "markersize": 3.2, "markeredgecolor": "1.0", "markeredgewidth": 0.4, "zorder": 3,
}  # fmt: skip
UNKNOWN: dict[str, Any] = {
    "linestyle": "none", "color": "0.0", "marker": "x", "markersize": 3, "markeredgewidth": 0.7, "zorder": 3,
}  # fmt: skip
HATCH = "////////"
MAP_HEIGHT = 2.7
"""Inches."""
SHARE_OF_AXES = 0.75
"""Share of the width and of the height of a map that its axes take, about."""
NAME: dict[str, Any] = {
    "fontsize": 6.5, "ha": "center", "va": "center", "zorder": 4,
    "bbox": {"facecolor": "1.0", "alpha": 0.65, "edgecolor": "none", "pad": 0.8},
}  # fmt: skip
LONGEST_IN_REGION = 16
"""Characters of a class's name in its region."""


@dataclass(frozen=True, eq=False)
class Section:
    """The answers of a method on a plane through the space of the attributes, in the middle of each cell.

    Parameters
    ----------
    method : Method
        Fitted.
    columns : (int, int)
        The attributes along the axes.
    extent : Extent
    predicted : (n_cells, n_cells) int64
        Class indices; rows are the second attribute, ascending.
    certainty : (n_cells, n_cells) float64
    """

    method: Method
    columns: tuple[int, int]
    extent: Extent
    predicted: NDArray[np.int64]
    certainty: FloatArray

    @classmethod
    def of(
        cls, method: Method, columns: tuple[int, int], extent: Extent, held: FloatArray, *, n_cells: int = CELLS
    ) -> Section:
        """Ask a method about the cells of a plane.

        Parameters
        ----------
        method, columns, extent
        held : (n_attributes,) float64
            The values of the other attributes.
        n_cells : int
            Number of cells on each side. Cost: n_cells² answers.
        """
        middle = (np.arange(n_cells) + 0.5) / n_cells
        left, right, low, high = extent
        x, y = (part.ravel() for part in np.meshgrid(left + (right - left) * middle, low + (high - low) * middle))
        predicted, certainty = np.empty(len(x), dtype=np.int64), np.empty(len(x))
        step = max(1, CHUNK_VALUES // len(held))
        for begin in range(0, len(x), step):
            rows = slice(begin, begin + step)
            values = np.tile(held, (len(x[rows]), 1))
            values[:, columns[0]], values[:, columns[1]] = x[rows], y[rows]
            answer = method.answer(Dataset(method.tree_.header, values))
            predicted[rows], certainty[rows] = answer.predicted, answer.certainty
        shape = n_cells, n_cells
        return cls(method, columns, extent, predicted.reshape(shape), certainty.reshape(shape))

    @property
    def header(self) -> Header:
        """The header of the tree."""
        return self.method.tree_.header

    @property
    def scale(self) -> tuple[float, float]:
        """The certainties of the palest and of the darkest shade; the largest finite one where ∞ is the bound."""
        bounds = self.method.certainty_range
        low = 1 / self.header.n_classes if bounds.low is None else bounds.low
        finite = self.certainty[np.isfinite(self.certainty)]
        high = bounds.high if np.isfinite(bounds.high) else float(finite.max(initial=low))
        return low, high if high > low else low + 1.0

    def middles(self) -> tuple[FloatArray, FloatArray]:
        """The middles of the cells along both axes."""
        middle = (np.arange(len(self.predicted)) + 0.5) / len(self.predicted)
        left, right, low, high = self.extent
        return left + (right - left) * middle, low + (high - low) * middle


def plane_of(
    tree: TreeMirror | Forest, data: Dataset | None, x: str | None = None, y: str | None = None
) -> tuple[tuple[int, int], Extent]:
    """The attributes of a plane, and its ends.

    Parameters
    ----------
    tree : TreeMirror or Forest
    data : Dataset, optional
        The plane reaches a little beyond its values; without data, or known values, beyond the split points.
    x, y : str, optional
        Names of numeric attributes; left out: those on which the tree splits first and most.

    Raises
    ------
    OptionError
        There are no two numeric attributes, a name is not that of one, or nothing says which values it has.
    """
    header = tree.header
    numeric = [i for i, each in enumerate(header.attributes) if each.kind == "numeric" and i != header.class_index]
    names = [header.attributes[i].name for i in numeric]
    if len(numeric) < 2:
        has = f"only {quoted(names[0])}" if names else "none"
        raise OptionError(
            f"a plane needs two numeric attributes, and {quoted(header.relation)} has {has}", value_of="tree"
        )
    weight = _split_weight(tree)
    by_weight = sorted(numeric, key=lambda i: -weight[i])
    chosen: list[int] = []
    for option, name in (("x", x), ("y", y)):
        if name is not None and name not in names:
            raise OptionError(
                f"no numeric attribute {quoted(name)}; there are {name_list(names, name)}", parameter=option
            )
        chosen.append(-1 if name is None else numeric[names.index(name)])
    if x is not None and x == y:
        raise OptionError(f"{quoted(x)} is on the other axis; give another attribute", parameter="y")
    for place in (0, 1):
        if chosen[place] < 0:
            chosen[place] = next(i for i in by_weight if i not in chosen)
    ranges = [_range(tree, data, column) for column in chosen]
    return (chosen[0], chosen[1]), (*ranges[0], *ranges[1])


def typical_values(header: Header, data: Dataset | None) -> FloatArray:
    """(n_attributes,) float64: median of each numeric attribute, most frequent value of each nominal; else missing."""
    held = np.full(len(header.attributes), np.nan)
    for column, attribute in enumerate(header.attributes):
        known = np.zeros(0) if data is None else data.values[:, column]
        known = known[~np.isnan(known)]
        if len(known) and column != header.class_index:
            held[column] = np.bincount(known.astype(np.int64)).argmax() if attribute.is_indexed else np.median(known)
    return held


def describe_held(tree: TreeMirror | Forest, columns: Sequence[int], held: FloatArray) -> str:
    """The values of the attributes that the tree tests off the plane; empty if there are none."""
    attributes = tree.header.attributes
    weight = _split_weight(tree)
    tested = sorted((i for i in np.flatnonzero(weight).tolist() if i not in columns), key=lambda i: -weight[i])
    return some([
        f"{shown(attributes[i].name)} " + ("missing" if np.isnan(held[i]) else f"= {cells(attributes[i], held[i])[0]}")
        for i in tested
    ])  # fmt: skip


def plot_boundary(
    path: str | os.PathLike[str],
    section: Section,
    *,
    data: Dataset | None = None,
    n_points: int = 300,
    threshold: Thresholds | None = None,
) -> None:
    """Draw the regions of the predicted classes, the darker the more certain, with instances as points.

    Hue tells the class, lightness the certainty; both read the same for every class, and in grey. A region wears the
    name of its class if it has room for it. Of more than 8 classes the 7 most frequent have a hue, the others are grey.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same section gives the same bytes.
    section : Section
    data : Dataset, optional
        Instances to draw; those with a missing value on either axis are left out.
    n_points : int
        The largest number of instances to draw; of more, an even selection is drawn.
    threshold : float or (n_classes,) float64, optional
        A certainty, or one for each predicted class; where an answer's is smaller, the region is hatched.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`.
    OSError
        The file cannot be written.
    """
    save(path, lambda: _figure(section, data, n_points, threshold))


def _split_weight(tree: TreeMirror | Forest) -> FloatArray:
    """(n_attributes,) float64: summed weight of the splits on each attribute; a split weighs half of its parent."""
    weight = np.zeros(len(tree.header.attributes))
    for member in tree.trees if isinstance(tree, Forest) else (tree,):
        inner = np.flatnonzero(member.split_attribute >= 0)
        np.add.at(weight, member.split_attribute[inner], 0.5 ** member.depth[inner])
    return weight


def _range(tree: TreeMirror | Forest, data: Dataset | None, column: int) -> tuple[float, float]:
    """The ends of an axis."""
    values = np.zeros(0) if data is None else data.values[:, column]
    margin = MARGIN
    if not np.isfinite(values).any():
        trees = tree.trees if isinstance(tree, Forest) else (tree,)
        values, margin = np.concatenate([t.split_point[t.split_attribute == column] for t in trees]), MARGIN_OF_SPLITS
    values = values[np.isfinite(values)]
    if not len(values):
        raise OptionError(
            f"{quoted(tree.header.attributes[column].name)}: nothing says which values it has: there are no data with "
            "some, and the tree does not split on it; give instances, or another attribute",
            value_of="data",
        )
    low, high = float(values.min()), float(values.max())
    span = (high - low) or abs(low) or 1.0
    return low - margin * span, high + margin * span


def colours_of(section: Section, data: Dataset | None = None) -> dict[int, str]:
    """The colours of the classes that occur; of very many classes only the most frequent have one each."""
    n_classes = section.header.n_classes
    seen = np.bincount(section.predicted.ravel(), minlength=n_classes) / section.predicted.size
    if data is not None and len(data):
        actual = data.class_values[data.class_values >= 0]
        seen = seen + np.bincount(actual, minlength=n_classes) / len(data)
    order = sorted(np.flatnonzero(seen).tolist(), key=lambda c: (-seen[c], c))
    if n_classes <= MOST_CLASSES:
        return {c: HUES[c] for c in sorted(order)}
    frequent = sorted(order[:MOST_CLASSES] if len(order) <= MOST_CLASSES else order[: MOST_CLASSES - 1])
    colours = dict(zip(frequent, HUES, strict=False))
    return {c: colours.get(c, OTHERS) for c in sorted(order)}


def draw_section(
    axes: Axes, section: Section, colours: Mapping[int, str], *, threshold: Thresholds | None = None
) -> None:
    """Draw the regions, the lines between them, and hatches where the certainty is below the threshold."""
    low, high = section.scale
    share = (np.minimum(section.certainty, high) - low) / (high - low)
    image = np.empty((*section.predicted.shape, 3))
    for c in np.unique(section.predicted).tolist():
        cells = section.predicted == c
        image[cells] = region_colour(colours[c], share[cells])
    axes.imshow(image, origin="lower", extent=section.extent, aspect="auto", interpolation="nearest")
    x, y = section.middles()
    for c in np.unique(section.predicted).tolist():
        is_inside = section.predicted == c
        if not is_inside.all():
            axes.contour(x, y, is_inside.astype(np.float64), levels=[0.5], **LINE)
    below = -np.inf if threshold is None else thresholds_at(threshold, section.predicted)
    rejected = is_rejected(section.certainty, below)
    if rejected.any():
        hatched = axes.contourf(x, y, rejected.astype(np.float64), levels=[0.5, 1.5], colors="none", hatches=[HATCH])
        hatched.set_edgecolor("0.25")
        hatched.set_linewidth(0.0)
    x_name, y_name = (name_text(section.header.attributes[column].name) for column in section.columns)
    axes.set_xlabel(x_name, parse_math=False)
    axes.set_ylabel(y_name, parse_math=False)
    axes.set(xlim=section.extent[:2], ylim=section.extent[2:])


def draw_points(axes: Axes, columns: tuple[int, int], data: Dataset, colours: Mapping[int, str], n_points: int) -> None:
    """Draw instances by class, instances without a class as crosses; of more than ``n_points`` an even selection."""
    x, y = (data.values[:, column] for column in columns)
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if len(known) > n_points:
        known = known[np.linspace(0, len(known) - 1, n_points).round().astype(np.int64)] if n_points else known[:0]
    rows = known[data.class_values[known] < 0]
    axes.plot(x[rows], y[rows], **UNKNOWN)
    for c in colours:
        rows = known[data.class_values[known] == c]
        axes.plot(x[rows], y[rows], color=colours[c], marker=marker_of(c), **POINT)


def region_colour(colour: str, share: ArrayLike) -> FloatArray:
    """(..., 3) float64: a class's colour in its region, for certainties given as shares of their scale."""
    certain = np.clip(np.asarray(share, dtype=np.float64)[..., None], 0.0, 1.0)
    lightness, chroma = np.moveaxis((1 - certain) * LIGHTEST + certain * DARKEST, -1, 0)
    return shade(colour, lightness, chroma)


def name_regions(axes: Axes, section: Section) -> None:
    """Write the name of its class into each region that holds it, where it fits nearest to the middle."""
    from scipy.ndimage import label, minimum_filter

    x, y = section.middles()
    points_per_cell = 72 * np.array([MAP_HEIGHT, COLUMN]) * SHARE_OF_AXES / len(x)
    for c in np.unique(section.predicted).tolist():
        text = name_text(section.header.class_names[c], LONGEST_IN_REGION)
        size = np.array([1.4 * NAME["fontsize"], text_width(text, NAME["fontsize"]) + 4]) / points_per_cell
        is_inside = section.predicted == c
        has_room = minimum_filter(is_inside, np.ceil(size).astype(np.int64).tolist(), mode="constant", cval=False)
        regions, _ = label(is_inside)
        for region in np.unique(regions[has_room]).tolist():
            rows, columns = np.nonzero(has_room & (regions == region))
            middle = [places.mean() for places in np.nonzero(regions == region)]
            nearest = np.argmin((rows - middle[0]) ** 2 + (columns - middle[1]) ** 2)
            axes.text(x[columns[nearest]], y[rows[nearest]], text, **NAME, parse_math=False)


def draw_scale(axes: Axes, section: Section, colours: Mapping[int, str]) -> None:
    """Draw the scale of certainties beside the axes, with a strip for each colour of the regions."""
    from matplotlib.colorbar import make_axes

    low, high = section.scale
    meaning = section.method.certainty_range.meaning.partition(",")[0]
    strips = dict.fromkeys(colours[c] for c in np.unique(section.predicted).tolist())
    image = np.stack([region_colour(colour, np.linspace(0, 1, 256)) for colour in strips], axis=1)
    bar, _ = make_axes(axes, aspect=20, pad=0.02)
    bar.imshow(image, origin="lower", extent=(0, 1, low, high), aspect="auto", interpolation="nearest")
    bar.yaxis.tick_right()
    bar.yaxis.set_label_position("right")
    bar.set(xticks=[], ylabel=broken(f"certainty: {meaning}", LABEL_SIZE, 72 * MAP_HEIGHT - 40))
    for spine in bar.spines.values():
        spine.set_visible(True)


def entries_of(
    header: Header, colours: Mapping[int, str], *, has_regions: bool = True, has_points: bool = False,
    threshold: Thresholds | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The entries of the legend: the classes, and the hatched region of rejected answers."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    names, entries = header.class_names, dict[str, Any]()
    n_others = sum(colour == OTHERS for colour in colours.values())
    for c, colour in sorted(colours.items(), key=lambda item: item[1] == OTHERS):
        patch = Patch(facecolor=tuple(region_colour(colour, 1.0).tolist()), edgecolor="none")
        point = Line2D([], [], color=colour, marker=marker_of(c), **POINT)
        name = f"{n_others} other classes" if colour == OTHERS else name_text(names[c])
        while name in entries and colour != OTHERS:
            name += " "
        entries[name] = (patch, point) if has_regions and has_points else patch if has_regions else point
    if threshold is not None:
        hatched = Patch(facecolor="none", edgecolor="0.25", linewidth=0, hatch=HATCH)
        below = f"{threshold:.4g}" if not isinstance(threshold, np.ndarray) else "the threshold of its class"
        entries[f"rejected: certainty below {below}"] = hatched
    return entries


def _figure(section: Section, data: Dataset | None, n_points: int, threshold: Thresholds | None) -> Figure:
    from matplotlib.lines import Line2D

    colours = colours_of(section, data if n_points else None)
    is_labelled = np.zeros(0, dtype=np.bool_) if data is None or not n_points else data.class_values >= 0
    entries = entries_of(section.header, colours, has_points=bool(is_labelled.any()), threshold=threshold)
    if not is_labelled.all():
        entries["class unknown"] = Line2D([], [], **UNKNOWN)
    figure, (axes,) = panels(1, entries, width=COLUMN, height=MAP_HEIGHT)
    draw_section(axes, section, colours, threshold=threshold)
    if data is not None:
        draw_points(axes, section.columns, data, colours, n_points)
    name_regions(axes, section)
    draw_scale(axes, section, colours)
    return figure


def marker_of(c: int) -> str:
    """The marker of the instances of a class."""
    return MARKERS[c % len(MARKERS)]
