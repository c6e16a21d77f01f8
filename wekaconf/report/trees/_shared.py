"""The common parts of the forms of a printed tree."""

from __future__ import annotations

import math

from wekaconf.base.errors import OptionError
from wekaconf.tree import Annotate


def rounded(weight: float) -> float:
    """Weka's ``Utils.roundDouble(weight, 2)``: halves up, and no hundredths above the largest long."""
    hundredths = min(weight * 100.0, 2.0**63)
    below = math.floor(hundredths)
    return (below + (hundredths - below >= 0.5)) / 100.0


def refuse_annotation(annotate: Annotate | None) -> None:
    """Raise OptionError if a forest is to be annotated."""
    if annotate is not None:
        raise OptionError("expected with one tree, got it with a forest; give one of its trees", parameter="annotate")
