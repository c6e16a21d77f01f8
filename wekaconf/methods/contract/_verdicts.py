"""What reasons begin with: what to do, and the answer."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int64Array, as_rows
from wekaconf.data.wording import apart, class_text, percent


def answer_texts(class_names: tuple[str, ...], proba: FloatArray, predicted: Int64Array) -> list[str]:
    """Each answer with its probability: ``yes (83 %)``; see `verdict`."""
    likeliest, at = most_probable(proba), np.arange(len(proba))
    proba = proba.clip(0.0, 1.0)  # a tree's own rounding may leave the range
    parts = (predicted, proba[at, predicted], likeliest, proba[at, likeliest])
    write = cache(partial(_answer_text, class_names))  # a tree has few distributions
    return [write(*part) for part in as_rows(*parts)]


def _answer_text(class_names: tuple[str, ...], c: int, share: float, likeliest: int, its_share: float) -> str:
    """An answer and its probability; where costs or a tree chose it against a more probable class, that one, too."""
    beside = "" if likeliest == c else f", {class_text(class_names[likeliest])} {percent(its_share, 2)}"
    return f"{class_text(class_names[c])} ({percent(share, 2)}{beside})"


def verdict(answer: str, is_rejected: bool, certainty: float, threshold: float, n_least: int = 0) -> str:
    """What to do, and the answer: ``answered yes (83 %)``, or ``rejected, refer to a human; yes (61 %) would be …``.

    ``n_least`` says of how many least certain rows of a file the row is one, where these are rejected; 0: it is none.
    """
    if not is_rejected:
        return f"answered {answer}"
    if n_least:
        why = f"it is one of the {n_least:,} least certain of the file" if n_least > 1 else "it is the least certain"
    elif threshold == np.inf:
        why = "the model's threshold rejects every such answer"
    elif certainty < threshold:
        why = "the certainty {} is below the threshold {}".format(*apart(certainty, threshold))
    else:
        why = "the row lies outside the training data"
    return f"rejected, refer to a human; {answer} would be the answer, but {why}"
