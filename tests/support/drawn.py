"""The looks of the papers' figures: sizes, axes, marks and lines, kept in tests/golden/drawn.txt.

``python scripts/make_golden.py`` writes the file anew, after a change of the drawings that is meant.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from matplotlib.colors import to_hex

from support.kept_figures import kept_figures
from wekaconf.replication._cells import published_cells
from wekaconf.replication.costa2013.comparing import MEASURES, METHODS
from wekaconf.replication.costa2013.study import draw_rivals
from wekaconf.replication.davidsson1996.study import figures as figures_of_davidsson
from wekaconf.replication.katz2012.measurement import VARIANTS
from wekaconf.replication.katz2012.record_table import Measured
from wekaconf.replication.katz2012.study import draw as draw_sizes
from wekaconf.replication.toth2006.figures import figures as figures_of_toth
from wekaconf.replication.wang2006.study import draw_iterations

DRAWN = Path(__file__).parents[1] / "golden" / "drawn.txt"


def described(draw):
    """The size of a figure, its legend, and of each of its axes what stands at them and what is drawn in them."""
    return "".join(f"  {line}\n" for line in _described(draw))


def _of_rivals():
    measures = dict.fromkeys(MEASURES, 0.5)
    return [
        {"dataset": name, "method": method, "seed": seed} | measures | {"auc": 0.5 + seed / 10 + i / 20}
        for name in ("a", "b")
        for seed in (1, 2)
        for i, method in enumerate(METHODS)
    ]


def _of_davidsson():
    axes = {"figure 2": "n_train", "section 4": "n_irrelevant"}
    return [
        {"part": part, "group": "known", "method": method, key: n, "correct": 50.0 + n}
        for part, key in axes.items()
        for method in ("ID3", "ID3-Max", "ID3-SD 0.1")
        for n in (1, 5)
    ]


def _by_size():
    return [
        {"dataset": name, "column": column, "train_percent": size, "auc": 0.8, "auc_no_ties": 0.7}
        for name in ("diabetes", "glass")
        for column in ("J48", *VARIANTS)
        for size in (10, 50, 100)
    ]


def _of_iterations():
    return [
        {"reading": reading, "iterations": n, "measured": 88.0 + n} for reading in ("table", "honest") for n in (1, 10)
    ]


def _published(paper, part):
    return [cell for cell in published_cells(paper) if cell.part == part]


def _described(draw):
    with kept_figures() as kept, TemporaryDirectory() as folder:
        draw(str(Path(folder) / "figure.svg"))
    [figure] = kept
    width, height = figure.get_size_inches()
    yield f"{width:.2f} x {height:.2f} inches: {figure.get_suptitle()!r}"
    for legend in figure.legends:
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
            yield f"legend {text.get_text()!r}: {_mark(handle)}"
    for axes in figure.axes:
        sides = zip((axes.xaxis, axes.yaxis), (axes.get_xlim(), axes.get_ylim()), strict=True)
        for axis, (low, high) in sides:
            yield f"{axis.get_label_text()!r}, {axis.get_scale()}, from {low:.3g} to {high:.3g}, ticks {_ticks(axis)}"
        title = axes.title
        yield f"  aspect {axes.get_aspect()}, title {title.get_text()!r} of size {title.get_fontsize():g}"
        for line in axes.lines:
            yield f"  {len(line.get_xdata())} points: {_mark(line)}"


def _ticks(axis):
    return " ".join(f"{tick:.3g}" for tick in axis.get_ticklocs())


def _mark(artist):
    """How a line, or another sample in a legend, looks."""
    if not hasattr(artist, "get_marker"):
        return type(artist).__name__
    dash = artist._unscaled_dash_pattern  # which no public name gives
    face = artist.get_markerfacecolor()
    return (
        f"{to_hex(artist.get_color())} line {artist.get_linestyle()} {dash} {artist.get_linewidth():g}"
        f" {artist.get_drawstyle()}, mark {artist.get_marker()} {artist.get_markersize():g} {to_hex(face)}"
        f" {artist.get_markeredgewidth():g}, above {artist.get_zorder():g}, clipped {artist.get_clip_on()}"
    )


FIGURES = {
    "costa2013 figure 5": lambda path: draw_rivals(path, _of_rivals(), number=5, measure="auc"),
    **{f"davidsson1996 {part}": draw for part, draw in figures_of_davidsson(_of_davidsson()).items()},
    "katz2012 figure 6": lambda path: draw_sizes(path, Measured(_by_size())),
    **{f"toth2006 {part}": draw for part, draw in figures_of_toth(1, None).items() if part.endswith("wave")},
    "wang2006 figure 3": lambda path: draw_iterations(path, _of_iterations(), _published("wang2006", "figure 3")),
}
"""The functions that draw, by name; none needs Java or a file."""
