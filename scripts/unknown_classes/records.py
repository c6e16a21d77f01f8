"""The figures in docs/records/open-sets.csv.gz and the curves in open-sets-curves.csv.gz, as rows of text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np
from _records import FOLDER, Row

import wekaconf as wc
from unknown_classes.trials import GRID, SCHEMES, Figures

FIGURES, CURVES, ABOUT = (FOLDER / f"open-sets{ending}" for ending in (".csv.gz", "-curves.csv.gz", ".json"))
MEASURES = ("area", "missed", "known_rejected", "unknown_rejected")
AT = tuple(f"at_{share:g}" for share in GRID)
"""The columns of a curve."""


class OfSet(TypedDict):
    """The rows of one data set."""

    figures: list[Row]
    curves: list[Row]


def of_set(name: str, data: wc.Dataset, of_classes: Mapping[str, Sequence[Mapping[str, Figures]]]) -> OfSet:
    """The rows of a data set, from the figures of each split of each class left out.

    ``figures`` has a row per class and scheme, means over the splits, empty without a rule of its own; ``curves`` has a
    row per scheme, means over the classes.
    """
    has_nominal = any(one.is_nominal for i, one in enumerate(data.attributes) if i != data.class_index)
    facts = {"data_set": name, "n_instances": str(len(data)), "has_nominal": "yes" if has_nominal else ""}
    figures: list[Row] = []
    curves: list[Row] = []
    for scheme in SCHEMES:
        for unknown, splits in of_classes.items():
            means = {one: float(np.mean([getattr(split[scheme], one) for split in splits])) for one in MEASURES}
            figures.append(
                {**facts, "unknown": unknown, "scheme": scheme, **{k: _text(v, 4) for k, v in means.items()}}
            )
        curve = np.mean([[split[scheme].curve for split in splits] for splits in of_classes.values()], axis=(0, 1))
        curves.append(
            {"data_set": name, "scheme": scheme, **{at: _text(value, 3) for at, value in zip(AT, curve, strict=True)}}
        )
    return {"figures": figures, "curves": curves}


def _text(value: float, n_decimals: int) -> str:
    return "" if math.isnan(value) else f"{value:.{n_decimals}f}"
