"""The colours of classes and curves in pictures and pages."""

COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
    "#882255", "#332288", "#7A4B1E", "#DDCC77", "#8400CD",
)  # fmt: skip
"""Okabe and Ito's, which the colour-blind can distinguish, without the yellow, which is hard to see on paper; and five
that are as far from these and from one another, in CIELAB under protanopia and deuteranopia too."""
