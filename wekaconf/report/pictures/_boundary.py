"""Decision regions on a plane of two attributes, shaded by the certainty of the answers.

A diverging scale of distances shows two classes at most; here the hue is the class and the tint the certainty. What is
rejected is hatched, not painted over, so that the class stays visible.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.base.plot_style import COLUMN, HUES, LABEL_SIZE, broken, name_text, panels, save, shade, text_width
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.methods.contract import Thresholds, is_rejected, thresholds_at
from wekaconf.report.pictures._section import Section

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
    has_points = data is not None and n_points > 0
    entries = entries_of(section.header, colours, has_points=has_points, threshold=threshold)
    if data is not None and has_points and (data.class_values < 0).any():
        entries["class unknown"] = Line2D([], [], **UNKNOWN)
    figure, (axes,) = panels(1, entries, None, width=COLUMN, height=MAP_HEIGHT)
    draw_section(axes, section, colours, threshold=threshold)
    if data is not None:
        draw_points(axes, section.columns, data, colours, n_points)
    name_regions(axes, section)
    draw_scale(axes, section, colours)
    return figure


def marker_of(c: int) -> str:
    """The marker of the instances of a class."""
    return MARKERS[c % len(MARKERS)]
