"""Synthetic coins in place of the coins of Davidsson 1996, which were never published."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from wekaconf.data import Attribute, Dataset, Header

KINDS = {
    "hk_5c": (16.5, 1.15, 62, 55, 12),
    "hk_10c": (17.5, 1.25, 60, 54, 13),
    "hk_20c": (19.0, 1.55, 61, 55, 12),
    "hk_50c": (22.5, 1.75, 58, 52, 14),
    "hk_1d": (25.5, 1.95, 34, 28, 22),
    "hk_2d": (26.3, 2.0, 35, 29, 21),
    "hk_5d": (27.0, 3.05, 33, 28, 23),
    "ca_1c": (19.05, 1.45, 78, 70, 5),
    "ca_5c": (21.2, 1.76, 31, 26, 60),
    "ca_10c": (18.03, 1.22, 29, 24, 71),
    "ca_25c": (23.88, 1.58, 30, 25, 68),
    "ca_50c": (27.13, 1.93, 32, 27, 64),
    "ca_1d": (26.5, 1.95, 38, 31, 31),
    "ca_2d": (28.0, 1.8, 41, 33, 27),
}
"""Means of the attributes per kind. The sizes are near those of real coins, the other readings are made up."""
DEVIATIONS = (0.12, 0.04, 1.1, 1.0, 1.2)
"""Mean standard deviations of the attributes."""
ATTRIBUTES = ("diameter", "thickness", "conductivity1", "conductivity2", "permeability")
"""The first two in millimetres, the others without a unit."""
DECIMALS = (3, 3, 2, 2, 2)
HONG_KONG = tuple(name for name in KINDS if name.startswith("hk_"))
PER_KIND, SEED = 70, 3
"""20 to train and 50 to test, as in section 3.2; and the seed of ``arff/coins.arff``."""


def coins() -> Dataset:
    """Coins of seven kinds of Hong Kong and seven of Canada, with independent normal attributes.

    Returns
    -------
    Dataset
        Each kind has standard deviations of its own, drawn uniformly from 0.75 to 1.25 times `DEVIATIONS`; the values
        are rounded to `DECIMALS`. Some kinds overlap on one or two attributes, a few nearly on all.
    """
    generator = np.random.Generator(np.random.PCG64(SEED))

    def normal() -> float:
        return NormalDist().inv_cdf(generator.random())

    rows = []
    for kind, means in enumerate(KINDS.values()):
        spread = [(0.75 + 0.5 * generator.random()) * deviation for deviation in DEVIATIONS]
        for _ in range(PER_KIND):
            values = [mean + deviation * normal() for mean, deviation in zip(means, spread, strict=True)]
            rows.append([*(round(value, n) for value, n in zip(values, DECIMALS, strict=True)), kind])
    attributes = (*map(Attribute, ATTRIBUTES), Attribute("class", "nominal", tuple(KINDS)))
    return Dataset(Header("coins", attributes, len(ATTRIBUTES)), np.array(rows))
