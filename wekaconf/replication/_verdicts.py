"""The verdicts on published figures, counted part by part from the rows of ``cells.csv``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from wekaconf.report.printing import UNDEFINED

VERDICTS = {"met": "=", "close": "≈", "differs": "≠", "underspecified": "?", "no data": "/"}
"""Every verdict with its mark."""
OTHER_KINDS = {"property": "properties", "arithmetic": "arithmetic"}
"""The kinds that are no results, and the headings of their counts."""


def verdict_counts(cells: Sequence[Mapping[str, str]]) -> tuple[list[str], dict[str, list[str]]]:
    """The table of verdicts.

    Parameters
    ----------
    cells : sequence of mapping
        The rows of ``cells.csv`` as texts, by their columns.

    Returns
    -------
    headings : list of str
    lines : dict of str to list of str
        By part, "all" last: the number of results with each verdict; how many would be met by chance, if the figures of
        each column were dealt out among its rows; the median width of the intervals, in the unit of the figures; the
        number of repetitions; then how many figures of each other kind are met, such as "4 of 5".
    """
    parts = {part: [cell for cell in cells if cell["part"] == part] for part in dict.fromkeys(c["part"] for c in cells)}
    headings = [*VERDICTS, "by chance", "width", "repetitions", *OTHER_KINDS.values()]
    return headings, {part: _counts(own) for part, own in parts.items()} | {"all": _counts(cells, has_width=False)}


def _counts(cells: Sequence[Mapping[str, str]], *, has_width: bool = True) -> list[str]:
    by_kind: dict[str, Counter[str]] = {}
    for cell in cells:
        by_kind.setdefault(cell["kind"], Counter())[cell["verdict"]] += 1
    judged = [cell for cell in cells if cell["chance"]]
    numbers = {name: [_number(cell[name]) for cell in judged] for name in ("low", "high", "repetitions", "chance")}
    widths = [
        high - low for low, high in zip(numbers["low"], numbers["high"], strict=True) if math.isfinite(high - low)
    ]
    repetitions = [number for number in numbers["repetitions"] if math.isfinite(number)]
    ends = dict.fromkeys(f"{end(repetitions):.0f}" for end in (min, max)) if repetitions else [UNDEFINED]
    results = by_kind.get("result", Counter())
    return [
        *(str(results[verdict]) for verdict in VERDICTS),
        f"{sum(numbers['chance']):.1f}" if judged else UNDEFINED,
        f"{median(widths):.3g}" if widths and has_width else UNDEFINED,
        " to ".join(ends),
        *(f"{of['met']} of {of.total()}" if (of := by_kind.get(kind)) else UNDEFINED for kind in OTHER_KINDS),
    ]


def _number(text: str) -> float:
    return float(text) if text else math.nan
