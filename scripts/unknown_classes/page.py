"""The sentences, the table and the picture on unknown classes in docs/open-sets.md, from the rows of `records`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from _records import Row, read_about
from _resampling import interval
from _tables import table

from unknown_classes import records
from unknown_classes.trials import COST, GRID, ID3_SD, OURS, PRUNED, SCHEMES, SEEDS, SMOOTHED, Flags, Floats
from wekaconf.base.naming import enumeration
from wekaconf.base.plot_style import GREY, line_styles, panels, save
from wekaconf.evaluation.statistics import holm, signed_rank
from wekaconf.methods.contract.method import display_of
from wekaconf.report.comparison.sentences import p_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL = 0.05
AREA, MISSED = "area", "missed"
PICTURE = Path(__file__).resolve().parents[2] / "docs" / "assets" / "open-sets" / "curves.svg"


class Against(NamedTuple):
    """`id3_sd` against another scheme in one measure.

    Parameters
    ----------
    better, worse : int
        On how many data sets `id3_sd` is better, and worse.
    gain, low, high : float
        By how much `id3_sd` is better, in the mean over the data sets, and the 95 % interval over resampled sets.
    effect : float
        Positive where `id3_sd` is better.
    p_value : float
        After Holm's correction for all tests of the page.
    """

    better: int
    worse: int
    gain: float
    low: float
    high: float
    effect: float
    p_value: float

    @property
    def sign(self) -> int:
        """1 where `id3_sd` is significantly better, −1 where it is significantly worse, else 0."""
        return 0 if self.p_value > LEVEL else int(np.sign(self.effect))

    @property
    def is_open(self) -> bool:
        """Whether the interval lies on the side of the other scheme, which the corrected test does not show."""
        return self.sign == 0 and self.high < 0


def by_set(rows: Sequence[Row], scheme: str, measure: str) -> Floats:
    """(n_sets,) float64: the mean over the classes left out of each data set; NaN without a rule of its own."""
    of_sets: dict[str, list[float]] = {}
    for row in rows:
        if row["scheme"] == scheme:
            of_sets.setdefault(row["data_set"], []).append(float(row[measure] or "nan"))
    return np.array([np.mean(values) for values in of_sets.values()])


def tests(rows: Sequence[Row]) -> dict[tuple[str, str], Against]:
    """`id3_sd` against each other scheme, by scheme and measure."""
    found = {}
    for scheme in SCHEMES:
        for measure, worth in ((AREA, 1), (MISSED, -1)):
            if scheme != ID3_SD:
                gain = worth * (by_set(rows, ID3_SD, measure) - by_set(rows, scheme, measure))
                test = signed_rank(gain, np.zeros(len(gain)))
                low, high = interval(gain)
                found[scheme, measure] = Against(
                    int((gain > 0).sum()), int((gain < 0).sum()), gain.mean(), low, high, test.effect, test.p_value
                )
    corrected = holm([one.p_value for one in found.values()])
    return {key: one._replace(p_value=float(p)) for (key, one), p in zip(found.items(), corrected, strict=True)}


def above(rows: Sequence[Row]) -> list[str]:
    """The schemes that are significantly better than `id3_sd` in area and not significantly worse in cost."""
    found = tests(rows)
    return [
        scheme for scheme in SCHEMES if scheme != ID3_SD
        and found[scheme, AREA].sign < 0 and found[scheme, MISSED].sign <= 0
    ]  # fmt: skip


def default(rows: Sequence[Row]) -> str | None:
    """The scheme that is advised of those that read one tree."""
    if ours := [scheme for scheme in above(rows) if scheme in OURS]:
        return max(ours, key=lambda scheme: by_set(rows, scheme, AREA).mean())
    return ID3_SD if tests(rows)[SMOOTHED, AREA].sign > 0 else None


def sets(rows: Sequence[Row]) -> str:
    """What was measured, with what."""
    facts = read_about(records.ABOUT)
    of_sets = {row["data_set"]: int(row["n_instances"]) for row in rows}
    n_classes = len({(row["data_set"], row["unknown"]) for row in rows})
    return (
        f"{len(of_sets)} data sets of {min(of_sets.values())} to {max(of_sets.values())} rows; {n_classes} classes "
        f"left out, {len(SEEDS)} times each; commit {facts['commit']}, Weka {facts['weka']}, scikit-learn "
        f"{facts['scikit-learn']}."
    )


def headline(rows: Sequence[Row]) -> str:
    """Which default to advise, by the rule that was written down before the run."""
    advised, better = default(rows), [scheme for scheme in above(rows) if scheme not in OURS]
    if advised is None:
        one_tree = "no method on one tree is advised, as `id3_sd` is not shown to be better than Laplace's correction"
    elif advised == ID3_SD:
        on_pruned = ", on J48 at its defaults where few known rows may be rejected"
        one_tree = f"on one tree use `id3_sd`{on_pruned if tests(rows)[PRUNED, MISSED].sign < 0 else ''}"
    else:
        one_tree = f"on one tree use {name_of(advised)}, which takes the place of `id3_sd`"
    if better:
        beside = f"{enumeration([name_of(scheme) for scheme in better])} {'is' if len(better) == 1 else 'are'} better"
    else:
        beside = "no outlier detector and no forest is shown to be better"
    return f"{one_tree}; {beside}"


def verdict(rows: Sequence[Row]) -> str:
    """Which default to advise, and the tests."""
    told = headline(rows)
    return f"**{told[0].upper()}{told[1:]}.** {_tested(rows)}{_left_open(rows)}"


def cost(rows: Sequence[Row]) -> str:
    """What noticing unknown classes costs, and what `id3_sd` rejects by its own rule."""
    missed = {scheme: 100 * by_set(rows, scheme, MISSED).mean() for scheme in SCHEMES}
    least, *_, most = sorted(missed, key=missed.__getitem__)
    known, unknown = (100 * by_set(rows, ID3_SD, measure).mean() for measure in records.MEASURES[2:])
    on_j48, n_sets = tests(rows)[PRUNED, MISSED], len(by_set(rows, PRUNED, MISSED))
    on_pruned = f"; on J48 at its defaults it misses {missed[PRUNED]:.0f} %, fewer on {on_j48.worse} of {n_sets} sets "
    on_pruned += f"({p_text(on_j48.p_value)})"
    return (
        f"It is hard for all: where {100 * COST:g} % of the known rows are rejected, {name_of(least)} misses "
        f"{missed[least]:.0f} % of the unknown ones, {name_of(most)} {missed[most]:.0f} %, and `id3_sd` "
        f"{missed[ID3_SD]:.0f} %{on_pruned if on_j48.sign < 0 else ''}. By its own rule, at α = 0.05 for each "
        f"attribute, `id3_sd` rejects {unknown:.0f} % of the unknown rows and {known:.0f} % of the known ones."
    )


def _tested(rows: Sequence[Row]) -> str:
    found = tests(rows)
    lines = []
    at_cost = f"In unknown rows missed where {100 * COST:g} % of the known are rejected"
    for measure, words in ((AREA, "In area"), (MISSED, at_cost)):
        parts = [
            f"{word} {enumeration(list(map(name_of, named)))}"
            for word, sign in (("better than", 1), ("worse than", -1), ("not shown to differ from", 0))
            if (named := [one for one in SCHEMES if (one, measure) in found and found[one, measure].sign == sign])
        ]
        lines.append(f"{words} `id3_sd` is {'; '.join(parts)}.")
    return " ".join(lines)


def _left_open(rows: Sequence[Row]) -> str:
    """What the corrected tests do not show, though the data lean to the other scheme; empty if there is nothing."""
    found = tests(rows)
    more_often = [
        f"{name_of(scheme)} is above `id3_sd` on {one.worse} of {_n_sets(rows)} sets in area"
        for scheme in SCHEMES
        if scheme not in OURS and (one := found[scheme, AREA]).sign == 0 and one.worse > one.better
    ]
    leaning = [
        f"{name_of(scheme)} misses {-100 * one.gain:.0f} points fewer, with an interval that does not hold 0"
        for scheme in SCHEMES
        if scheme not in OURS and (one := found[scheme, MISSED]).is_open
    ]
    if not more_often + leaning:
        return ""
    return f" What is not shown to differ is not shown to be equal: {'; '.join(more_often + leaning)}."


def _n_sets(rows: Sequence[Row]) -> int:
    return len({row["data_set"] for row in rows})


def compared(rows: Sequence[Row]) -> str:
    """Every scheme, the largest area first."""
    has_nominal, body = _has_nominal(rows), []
    for scheme in by_area(rows):
        area, missed, *own = (by_set(rows, scheme, measure) for measure in records.MEASURES)
        areas = [f"{one.mean():.3f}" for one in (area, area[~has_nominal], area[has_nominal])]
        rejected = [f"{100 * one.mean():.1f}" if np.isfinite(one).all() else "–" for one in own]
        body.append([name_of(scheme), *areas, f"{100 * missed.mean():.1f}", *rejected])
    return table(
        ["method", "area", f"on {np.sum(~has_nominal)} sets of numbers alone", f"on the other {np.sum(has_nominal)}",
         f"unknown missed at {100 * COST:g} %", "own rule: known rejected", "own rule: unknown rejected"],
        body,
    )  # fmt: skip


def tested(rows: Sequence[Row]) -> str:
    """By how much and on how many data sets `id3_sd` is better than each other scheme, and worse, and the p-values."""
    found, body = tests(rows), []
    for scheme in by_area(rows):
        if scheme != ID3_SD:
            area, missed = found[scheme, AREA], found[scheme, MISSED]
            body.append([
                name_of(scheme), f"{area.gain:+.3f} ({area.low:+.3f} to {area.high:+.3f})",
                f"{area.better}, {area.worse}", f"{area.p_value:.2g}",
                f"{-100 * missed.gain:+.1f} ({-100 * missed.high:+.1f} to {-100 * missed.low:+.1f})",
                f"{missed.better}, {missed.worse}", f"{missed.p_value:.2g}",
            ])  # fmt: skip
    sides = ["better, worse", "p"]
    return table(["`id3_sd` against", "area: larger by", *sides, "missed: larger by, points", *sides], body)


def by_area(rows: Sequence[Row]) -> list[str]:
    """The schemes, the largest mean area first."""
    return sorted(SCHEMES, key=lambda scheme: -by_set(rows, scheme, AREA).mean())


def _has_nominal(rows: Sequence[Row]) -> Flags:
    return np.array(list({row["data_set"]: row["has_nominal"] == "yes" for row in rows}.values()))


def name_of(scheme: str) -> str:
    """The scheme as the page writes it: what can be typed as code."""
    method, on, learner = scheme.partition(" on ")
    if scheme in OURS:
        return f"`{method}`{on}{learner}"
    return f"*{scheme}*"


PARTS: dict[str, Callable[[Sequence[Row]], str]] = {
    part.__name__: part for part in (sets, verdict, cost, compared, tested)
}
"""What `scripts/docs_records.py` writes, by the name of the part."""


def mean_curves(rows: Sequence[Row]) -> Mapping[str, Floats]:
    """(n_grid,) float64 per scheme: the mean curve over the data sets."""
    return {
        scheme: np.mean([[float(row[at]) for at in records.AT] for row in rows if row["scheme"] == scheme], axis=0)
        for scheme in SCHEMES
    }


def draw_curves(rows: Sequence[Row]) -> None:
    """Draw the mean curves: unknown rows rejected over known rows kept."""
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    save(PICTURE, lambda: _figure(mean_curves(rows)))


def _figure(curves: Mapping[str, Floats]) -> Figure:
    from matplotlib.lines import Line2D

    styles = dict(zip(curves, line_styles(curves), strict=True))
    entries = {display_of(scheme): Line2D([], [], **styles[scheme]) for scheme in curves}
    figure, (axes,) = panels(1, entries, None)
    kept = 100 * (1 - np.array(GRID))
    axes.axvline(100 * (1 - COST), color=GREY, linewidth=0.8)
    for scheme, curve in curves.items():
        axes.plot(kept, 100 * curve, **styles[scheme])
    axes.set(
        xlabel=f"rows of known classes kept (%); the line: {100 * (1 - COST):g} %", ylabel="unknown rows rejected (%)",
        xlim=(0, 101), ylim=(0, 101),
    )  # fmt: skip
    return figure
