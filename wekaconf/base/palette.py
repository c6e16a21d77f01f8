"""The colours of classes and curves in pictures and pages."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
