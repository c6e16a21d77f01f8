"""The sentences and the table of docs/later-files.md, from the cells of `records.read`."""

from __future__ import annotations

from collections.abc import Sequence

from _tables import table
from later_files.damage import DAMAGES, SIZES
from later_files.trials import UNDAMAGED, Cell
from scipy.stats import binomtest

from wekaconf.evaluation.drift import LEVEL


def undamaged(cells: Sequence[Cell]) -> str:
    """How many undamaged halves are told to differ, and whether that is more than the level allows."""
    halves = [cell for cell in cells if cell.kind == UNDAMAGED]
    n, told, far = (sum(getattr(cell, what) for cell in halves) for what in ("n", "told", "far"))
    with_far = [cell.data for cell in halves if cell.far]
    test = binomtest(told, n, LEVEL, alternative="greater")
    return (
        f"Of {n:,} undamaged halves of {len(halves)} sets, {told} are told to differ, {100 * told / n:.1f} %; at most "
        f"{100 * LEVEL:g} % are allowed (exact test that there are more: p = {test.pvalue:.2g}). Of the others {far}, "
        f"{100 * far / n:.1f} %, have rows far outside ({', '.join(with_far)})."
    )


def large(cells: Sequence[Cell]) -> str:
    """How many files with large damage are told to differ, and which are not."""
    found = [cell for cell in cells if cell.size == SIZES[-1]]
    n, told = sum(cell.n for cell in found), sum(cell.told for cell in found)
    missed = [f"{cell.n - cell.told} of {cell.n} ({cell.kind}, {cell.data})" for cell in found if cell.told < cell.n]
    return f"Of {n:,} files with large damage {told:,} are told to differ; missed: {', '.join(missed) or 'none'}."


def damaged(cells: Sequence[Cell]) -> str:
    """Per kind of damage and size, the share of the files told to differ; of small ones also of rows far outside."""
    body: list[list[object]] = []
    for damage in DAMAGES:
        of_kind = [cell for cell in cells if cell.kind == damage.name]
        shares = []
        for size in SIZES:
            n, told = (sum(getattr(cell, what) for cell in of_kind if cell.size == size) for what in ("n", "told"))
            shares.append(f"{100 * told / n:.1f}")
        small = [cell for cell in of_kind if cell.size == SIZES[0]]
        far = f"{100 * sum(cell.far for cell in small) / sum(cell.n for cell in small):.1f}"
        sizes = " · ".join(f"{size:g}" if "rows" not in damage.of else f"{100 * size:g} %" for size in damage.sizes)
        body.append([damage.name, f"{sizes} {damage.of}", len({cell.data for cell in of_kind}), *shares, far])
    heads = [*(f"told %, {size}" for size in SIZES), f"only rows far outside %, {SIZES[0]}"]
    return table(["damage", "sizes", "sets", *heads], body)
