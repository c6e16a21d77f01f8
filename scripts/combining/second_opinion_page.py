"""The sentences and tables on second opinions, from the rows of docs/records/second-opinion.csv.gz."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from _tables import table
from combining import verdict_records
from combining.judging import COMBINED, FOREST, FOREST_OWN
from combining.other_certainties import META, STACKED, TRUST
from combining.second_opinion import LAPLACE_THREE, LAPLACE_TWO, LEARNED, SECOND, SECOND_NEAREST, THREE, TWO_OPINIONS
from combining.sides import SMOOTHED
from combining.verdict import LEVEL, Gain, column, gain_cells, gain_over, gains_by_kind, verdict_of
from combining.verdict_records import Row

from wekaconf.evaluation.statistics import holm

MOST_BEHIND = 0.005
"""How far below a forest's probability of the tree's class the mean AUROC may be."""
RIVALS = {SECOND: (COMBINED, LAPLACE_TWO), SECOND_NEAREST: (COMBINED, LAPLACE_THREE)}
"""What a second opinion is to be above, without and with nearest neighbours, to become a method."""


def about(found: Sequence[Row]) -> str:
    """The commit of the frozen design, versions, and the sets that count."""
    facts = verdict_records.about(verdict_records.ABOUT_OPINIONS)
    splits = {row["data_set"]: int(row["n_splits"]) for row in _half(found, "judged")}
    return (
        f"The design was frozen in commit {facts['commit']}, “{facts['subject']}”, and measured there with Weka "
        f"{facts['weka']}, numpy {facts['numpy']} and scikit-learn {facts['scikit-learn']}, on {len(splits)} sets with "
        f"{sum(splits.values())} splits."
    )


def wanted(found: Sequence[Row]) -> str:
    """What was wanted of a second opinion, and whether it holds."""
    rows, lines = _half(found, "judged"), []
    for scheme, rivals in RIVALS.items():
        gains = _tested(rows, scheme)
        for rival in rivals:
            gain, p_value = gains[rival]
            is_above = gain.mean > 0 and p_value <= LEVEL
            lines.append(f"{verdict_of(is_above)}: {scheme} above {_code(rival)}. {_told(gain)}, p = {p_value:.2g}.")
        behind = gain_over(rows, FOREST, scheme=scheme)
        is_near = behind.mean >= -MOST_BEHIND
        doubt = f" Only the mean was asked for: the interval goes below −{MOST_BEHIND:g}."
        lines.append(
            f"{verdict_of(is_near)}: {scheme} at most {MOST_BEHIND:g} below a forest's probability of the tree's "
            f"class. {_told(behind)}.{doubt if is_near and behind.low < -MOST_BEHIND else ''}"
        )
        ours, theirs = (column(rows, name, "aurc") for name in (scheme, FOREST_OWN))
        n_at_most = int((ours <= theirs).sum())
        is_at_most = ours.mean() <= theirs.mean() and 2 * n_at_most >= len(ours)
        lines.append(
            f"{verdict_of(is_at_most)}: {scheme} with an area under risk–coverage of at most that of a forest with its "
            f"own answers, in the mean and on half of the sets. It is {ours.mean():.4f} against {theirs.mean():.4f}, "
            f"and at most that on {n_at_most} of {len(ours)}."
        )
    is_method = stays_in(found)
    lines.append(
        f"So there is {'a' if is_method else 'no'} method `second_opinion` in the package: it was to be above both "
        f"`combined` and {LAPLACE_TWO}."
    )
    return "\n".join(f"* {line}" for line in lines)


def stays_in(found: Sequence[Row]) -> bool:
    """Whether a second opinion without neighbours is above what it has to be above to be a method."""
    gains = _tested(_half(found, "judged"), SECOND).values()
    return all(gain.mean > 0 and p_value <= LEVEL for gain, p_value in gains)


def simpler(found: Sequence[Row]) -> str:
    """How far the opinions are above `combined` without the five methods, which nobody had asked."""
    rows = _half(found, "judged")
    lines = []
    for name in (LAPLACE_TWO, TWO_OPINIONS):
        gain = gain_over(rows, COMBINED, scheme=name)
        lines.append(f"{name} above `combined`: {_told(gain)[0].lower()}{_told(gain)[1:]}, p = {gain.p_value:.2g}")
    return f"Without the five methods, not among the comparisons that were planned: {'; '.join(lines)}."


def judged(found: Sequence[Row]) -> str:
    """Every certainty on the judged half."""
    return _compared(_half(found, "judged"))


def designed(found: Sequence[Row]) -> str:
    """Every certainty on the half to design with."""
    rows = _half(found, "design")
    n_sets = len({row["data_set"] for row in rows})
    return f"{n_sets} sets of up to 6,000 rows count.\n\n{_compared(rows)}"


def own_answers(found: Sequence[Row]) -> str:
    """One tree with second opinions, beside models that answer for themselves."""
    rows, body = _half(found, "judged"), []
    ours = column(rows, SECOND, "aurc")
    for name in (COMBINED, LAPLACE_TWO, SECOND, SECOND_NEAREST, STACKED, FOREST_OWN):
        error, aurc, coverage = (column(rows, name, figure) for figure in ("error", "aurc", "coverage"))
        sets = "" if name == SECOND else f"{(ours < aurc).sum()}, {(ours > aurc).sum()}"
        body.append([_code(name), f"{100 * error.mean():.1f}", f"{aurc.mean():.4f}", f"{coverage.mean():.4f}", sets])
    headings = ["answers and certainty", "error %", "AURC", "coverage at 5 %"]
    return table([*headings, f"{SECOND} has the smaller, larger AURC"], body)


def kinds(found: Sequence[Row]) -> str:
    """On which sets opinions help `combined`, and `combined` helps opinions."""
    rivals = {f"{SECOND} above `combined`": COMBINED, f"above {LAPLACE_TWO}": LAPLACE_TWO}
    return gains_by_kind(_half(found, "judged"), SECOND, rivals)


PARTS: dict[str, Callable[[Sequence[Row]], str]] = {
    part.__name__: part for part in (about, wanted, simpler, judged, own_answers, designed, kinds)
}
"""What `scripts/docs_records.py` writes, by the name of the part."""


def _compared(rows: Sequence[Row]) -> str:
    """A table of all certainties, the largest area first, and how far a second opinion is above each."""
    names = {row["scheme"] for row in rows} & {SMOOTHED, *THREE, *LEARNED, META, TRUST, FOREST}
    by_area = sorted(names, key=lambda name: (-column(rows, name, "auroc").mean(), name))
    corrected = {rival: p_value for rival, (_, p_value) in _tested(rows, SECOND).items()}
    body = []
    for name in by_area:
        figures = [f"{column(rows, name, figure).mean():.4f}" for figure in ("auroc", "aurc", "coverage", "brier")]
        figures[-1] = figures[-1].replace("nan", "")
        gain = [""] * 3 if name == SECOND else gain_cells(gain_over(rows, name, scheme=SECOND))
        body.append([_code(name), *figures, *gain, f"{corrected[name]:.2g}" if name in corrected else ""])
    headings = ["certainty", "AUROC", "AURC", "coverage at 5 %", "Brier", f"{SECOND} above it", "95 % interval"]
    return table([*headings, "better, worse", "p, Holm"], body)


def _tested(rows: Sequence[Row], scheme: str) -> dict[str, tuple[Gain, float]]:
    """How far a scheme is above each of its rivals, with the p-value after Holm."""
    gains = [gain_over(rows, rival, scheme=scheme) for rival in RIVALS[scheme]]
    p_values = holm([gain.p_value for gain in gains]).tolist()
    return dict(zip(RIVALS[scheme], zip(gains, p_values, strict=True), strict=True))


def _told(gain: Gain) -> str:
    mean, interval, sets = gain_cells(gain)
    better, worse = sets.split(", ")
    return f"The difference is {mean} (95 % interval {interval}; better on {better}, worse on {worse})"


def _half(found: Sequence[Row], half: str) -> list[Row]:
    return [row for row in found if row["half"] == half]


def _code(name: str) -> str:
    return f"`{name}`" if name in (COMBINED, SMOOTHED) else name
