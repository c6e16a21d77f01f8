"""A threshold that was chosen, and what it promises or reaches, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from wekaconf.data.wording import percent, percent_bound
from wekaconf.evaluation.promises import upper_bound
from wekaconf.evaluation.thresholds import Choice, promise_lines
from wekaconf.report.reject_tables import best_reachable


def choice_lines(chosen: Choice, where: str, class_names: Sequence[str]) -> list[str]:
    """A chosen threshold, and what it promises, or reaches beside the aim.

    Parameters
    ----------
    chosen : Choice
    where : str
        The rows that it was chosen on, in words such as "out of fold".
    class_names : sequence of str
    """
    if chosen.promises:
        return promise_lines(chosen, class_names)
    reached, best = chosen.figures, chosen.reachable
    if best is not None:
        return [
            f"no threshold reaches the aim ({chosen.aim}), so everything is rejected; best {where}: "
            f"{best_reachable(best.figures.error, best.figures.coverage)}, with --below {in_digits(best.threshold)}"
        ]
    if not chosen.is_reached:
        return [f"no threshold reaches the aim ({chosen.aim}) {where}, so everything is rejected"]
    if not reached.accepted:
        return [f"threshold inf, wanted: {chosen.aim}; {where} it rejects everything"]
    return [
        f"threshold {chosen.threshold:.6g}, wanted: {chosen.aim}; {where} it keeps "
        f"{percent(reached.kept_correct, decimals=1)} of the correct, answers "
        f"{percent(reached.coverage, decimals=1)} and errs in {percent(reached.error, decimals=2)} of its answers"
        f"{_in_counts(chosen)}"
    ]


def _in_counts(chosen: Choice) -> str:
    """The counts behind an error, and what they cannot exclude; empty for weighted rows."""
    wrong, answered = chosen.figures.wrong, chosen.figures.accepted
    if not (wrong.is_integer() and answered.is_integer()):
        return ""
    counts = f": {wrong:.0f} wrong of {answered:.0f}"
    if chosen.aim.kind != "error":
        return counts
    bound = float(upper_bound(int(wrong), int(answered), 0.05))
    return (
        f"{counts}. Even for a threshold fixed beforehand, up to {percent_bound(bound)} could not be excluded at the "
        "95 % level, and this one was chosen on these rows; --confidence makes a promise"
    )


def in_digits(threshold: float) -> str:
    """A threshold in six digits, rounded down so that it rejects no answer that the threshold itself accepts."""
    if not 0 < threshold < math.inf:
        return repr(threshold)
    scale = 10.0 ** (5 - math.floor(math.log10(threshold)))
    return f"{math.floor(threshold * scale) / scale:.6g}"


def choice_record(chosen: Choice) -> dict[str, Any]:
    """A chosen threshold, and what it promises or reaches, as a mapping that JSON can hold."""
    counts = ("class_name", "target", "threshold", "answered", "wrong", "n", "n_wrong", "is_reached")
    return {
        "aim": str(chosen.aim),
        "threshold": chosen.threshold,
        "is_reached": chosen.is_reached,
        "figures": chosen.figures.as_dict(),
        "promises": [{name: getattr(each, name) for name in counts} for each in chosen.promises],
    }
