"""File types, colours, fonts, titles and legends of all figures, and the colours of pages."""

from __future__ import annotations

import os
import re
import textwrap
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.base.errors import OptionError, needed, printable, tell
from wekaconf.base.files import atomic_write

COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
    "#882255", "#332288", "#7A4B1E", "#DDCC77", "#8400CD",
)  # fmt: skip
"""Okabe and Ito's, which the colour-blind can distinguish, without the yellow, which is hard to see on paper; and five
that are as far from these and from one another, in CIELAB under protanopia and deuteranopia too."""
HUES = (*COLOURS[:4], "#8400CD", "#A07800", "#008FA3", "#5E8C00")
"""Colours that differ in hue, for areas whose lightness has a meaning of its own."""
_TO_CONES = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
_TO_OKLAB = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


def rgb_of(colour: str) -> NDArray[np.float64]:
    """(3,) float64: red, green and blue, in [0, 1], of a colour of the form #RRGGBB."""
    return np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])


def tint(colour: str, share: ArrayLike) -> NDArray[np.float64]:
    """A colour mixed with white.

    Parameters
    ----------
    colour : str
        Of the form #RRGGBB.
    share : array-like of float
        Share of the colour in the mixture, in [0, 1].

    Returns
    -------
    (..., 3) float64
        Red, green and blue, in [0, 1].
    """
    return 1 - np.asarray(share, dtype=np.float64)[..., None] * (1 - rgb_of(colour))


def shade(colour: str, lightness: ArrayLike, chroma: ArrayLike) -> NDArray[np.float64]:
    """The hue of a colour at another lightness, which is seen as the same for every hue.

    Parameters
    ----------
    colour : str
        Of the form #RRGGBB; a grey stays grey.
    lightness, chroma : array-like of float
        In the colour space Oklab; of 0.6 to 1 and at most 0.11, where every hue can be shown.

    Returns
    -------
    (..., 3) float64
        Red, green and blue, in [0, 1].

    References
    ----------
    B. Ottosson (2020). A perceptual color space for image processing.
    """
    rgb = rgb_of(colour)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    _, a, b = _TO_OKLAB @ np.cbrt(_TO_CONES @ linear)
    size = np.hypot(a, b)
    direction = np.array([a, b]) / size if size > 1e-3 else np.zeros(2)
    lightness, chroma = np.broadcast_arrays(np.asarray(lightness, dtype=np.float64), chroma)
    oklab = np.concatenate((lightness[..., None], chroma[..., None] * direction), axis=-1)
    cones = (oklab @ np.linalg.inv(_TO_OKLAB).T) ** 3
    linear = np.clip(cones @ np.linalg.inv(_TO_CONES).T, 0.0, 1.0)
    return np.asarray(np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055))


if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
}
"""File types, and the metadata in them that would differ from day to day or version to version, switched off."""
WIDTH, HEIGHT, DPI = 6.5, 3.0, 300
"""Inches, a column and a half wide, without title and legend; dots per inch of bitmaps."""
COLUMN = 3.4
"""Inches: the width of one column."""
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (8, 2)))
"""Line styles; fewer than the colours, so that many curves get different pairs of colour and line style."""
LINE = 1.2
FONT, TITLE_SIZE, LABEL_SIZE, LEGEND_SIZE = "DejaVu Sans", 8, 8, 7
SUBSTITUTE_FONTS = ("Verdana", "Arial")
"""Fonts for viewers of an .svg that lack ours; the first is as wide."""
STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": [FONT, *SUBSTITUTE_FONTS],
    "font.size": 8,
    "axes.labelsize": LABEL_SIZE,
    "figure.titlesize": TITLE_SIZE,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": LEGEND_SIZE,
    "legend.frameon": False,
    "figure.constrained_layout.wspace": 0.05,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": LINE,
    "hatch.linewidth": 0.4,
    "pdf.fonttype": 42,
    # Outlines could not be searched, edited or read aloud. A paper takes the PDF, in which TrueType fonts are embedded.
    "svg.fonttype": "none",
    "svg.hashsalt": "wekaconf",
}
GREY = "0.5"
DIAGONAL: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": "-", "zorder": 1}
MARGIN, GAP, HANDLE = 9, 42, 3.0
"""Points left free at either side of the figure; points taken by the sample line of a legend entry and the space after
it; length of the sample line, in font sizes of the legend."""
NO_BREAK = "\N{NO-BREAK SPACE}"
MISSING_GLYPH = re.compile(r"^Glyph \d+ .* missing from")
"""Matplotlib's warning about a character that the font lacks."""
LINE_HEIGHT = 0.16
"""Height in inches of a line of the legend or the title."""
LONGEST_NAME = 28
"""Characters of a name."""
BESIDE_AXES = 50
"""Points of the width that ticks and their labels take."""


def check_plot(path: str | os.PathLike[str]) -> str:
    """The file type of a figure; call it before anything is computed for the figure.

    Parameters
    ----------
    path : str or PathLike
        Name of the file.

    Returns
    -------
    {"png", "pdf", "svg"}

    Raises
    ------
    OptionError
        The name has another ending, or matplotlib is not installed.
    """
    kind = os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
    if kind not in METADATA:
        raise OptionError(f"{os.fspath(path)}: a figure is a .png, .pdf or .svg file; name it so", value_of="path")
    with needed("a figure", "report"):
        import matplotlib  # noqa: F401
    return kind


def save(path: str | os.PathLike[str], draw: Callable[[], Figure]) -> None:
    """Write the figure that ``draw`` makes, in our style whatever the user's is; equal figures give equal bytes.

    A `Note` tells of characters that our font lacks; an .svg keeps them as text, so that viewers find a font. It raises
    the errors of `check_plot`.
    """
    kind = check_plot(path)
    import matplotlib.style

    image = BytesIO()
    with warnings.catch_warnings(record=True) as caught, matplotlib.style.context(["default", STYLE]):
        warnings.simplefilter("always")
        figure = draw()
        figure.draw_without_rendering()  # laid out twice: the first layout decides which ticks need room
        figure.savefig(image, format=kind, dpi=DPI, metadata=METADATA[kind])
    with atomic_write(path, "wb") as file:
        file.write(image.getvalue())
    missing_glyphs = [warning for warning in caught if MISSING_GLYPH.search(str(warning.message))]
    for warning in caught:
        if warning not in missing_glyphs:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    if missing_glyphs and kind != "svg":
        tell(
            f"{os.fspath(path)}: {FONT} lacks characters of the names, which are drawn as boxes; an .svg keeps them as "
            "text, for which a browser or editor finds a font"
        )


def line_styles(curves: Iterable[Any]) -> list[dict[str, Any]]:
    """Colour and dashes of each curve."""
    return [
        {"color": colour, "linestyle": dash}
        for colour, dash, _ in zip(cycle(COLOURS), cycle(DASHES), curves, strict=False)
    ]


def panels(
    n_panels: int, entries: Mapping[str, Any], title: str = "", *, width: float = WIDTH, height: float = HEIGHT,
    ratios: Sequence[float] | None = None,
) -> tuple[Figure, list[Axes]]:  # fmt: skip
    """Axes side by side, under a title and above a legend, both broken into lines if they are too long.

    Parameters
    ----------
    n_panels : int
    entries : mapping of str to object
        Matplotlib's legend handles by the text of the entry; empty: no legend.
    title : str
    width, height : float
        In inches; the height without title and legend.
    ratios : sequence of float, optional
        The heights of axes that stand below one another, instead of side by side.
    """
    from matplotlib.figure import Figure
    from matplotlib.legend_handler import HandlerTuple

    points = width * 72 - 2 * MARGIN
    texts = [broken(text, LEGEND_SIZE, points - GAP) for text in entries]
    widest = max((text_width(line, LEGEND_SIZE) for text in texts for line in text.split("\n")), default=0) + GAP
    n_columns = min(3, max(1, int(points // widest)))
    n_lines = -(-sum(1 + text.count("\n") for text in texts) // n_columns)
    heading = "\n".join(broken(line, TITLE_SIZE, points) for line in title.split("\n")) if title else ""
    n_lines += len(heading.split("\n")) if heading else 0
    figure = Figure(figsize=(width, height + LINE_HEIGHT * n_lines), layout="constrained")
    shape = (1, n_panels) if ratios is None else (n_panels, 1)
    axes = figure.subplots(*shape, squeeze=False, height_ratios=ratios).ravel().tolist()
    if entries:
        placeholders = [str(entry) for entry in range(len(texts))]
        legend = figure.legend(
            entries.values(), placeholders, loc="outside lower center", ncols=n_columns,
            handlelength=HANDLE, handler_map={tuple: HandlerTuple(ndivide=None, pad=0.5)},
        )  # fmt: skip
        for label, text in zip(legend.get_texts(), texts, strict=True):
            label.set(text=text, parse_math=False)
    if heading:
        figure.suptitle(heading).set_parse_math(False)
    return figure, axes


def broken(text: str, size: float, max_width: float) -> str:
    """The text in lines of at most ``max_width`` points, broken after semicolons if possible, else between words."""
    clauses = _lines(text.replace(" ", NO_BREAK).replace(f";{NO_BREAK}", "; "), size, max_width, break_long_words=False)
    if max(text_width(line, size) for line in clauses) > max_width:
        return "\n".join(_lines(text, size, max_width, break_long_words=True))
    return "\n".join(clauses).replace(NO_BREAK, " ")


def _lines(text: str, size: float, max_width: float, *, break_long_words: bool) -> list[str]:
    def wrapped(n_characters: int) -> list[str]:
        lines = textwrap.wrap(text, n_characters, break_long_words=break_long_words, break_on_hyphens=False)
        return lines or [text]

    n_characters = max(len(text), 1)
    while n_characters > 1 and max(text_width(line, size) for line in wrapped(n_characters)) > max_width:
        n_characters = int(0.95 * n_characters)
    n_lines = len(wrapped(n_characters))
    while n_characters > 1 and len(wrapped(n_characters - 1)) == n_lines > 1:
        n_characters -= 1
    return wrapped(n_characters)


def name_text(name: str, longest: int = LONGEST_NAME) -> str:
    """A name from a file as a picture shows it: on one line, without control characters, cut in the middle if long."""
    text = printable(name)
    return text if len(text) <= longest else f"{text[: longest - longest // 3 - 1]}…{text[-(longest // 3) :]}"


def text_width(text: str, size: float) -> float:
    """Width of the text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, size=size)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", MISSING_GLYPH.pattern)  # `save` reports them
        return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])
