"""The sentences and tables of docs/combined.md, from the rows of `verdict_records.read`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from _tables import table
from combining import verdict_records
from combining.judging import (
    BAGGED,
    BOOSTED,
    BOOSTED_OWN,
    COMBINED,
    FOREST,
    FOREST_OWN,
    GROWER,
    GROWING,
    ISOTONIC,
    SIGMOID,
)  # fmt: skip
from combining.sides import METHODS, SMOOTHED
from combining.verdict_records import Row
from numpy.typing import NDArray

from wekaconf.evaluation.statistics import holm, signed_rank

LEAF = METHODS[0]
LEVEL = 0.05
WANTED_WAY = 0.6
FEWEST_SETS = 20
"""With fewer shared sets there is a difference and an interval, but no test."""
N_RESAMPLES = 10_000
RIVALS = (*METHODS, SIGMOID, ISOTONIC)
"""What reads the tree without growing others, and its calibrations: `combined` is to be above each."""
SIZES, CLASSES = (0, 300, 1000, 10**9), (2, 3, 6, 10**9)
Column = NDArray[np.float64]


class Gain(NamedTuple):
    """How much larger a figure is than another on the same sets, in the mean and with its bootstrap interval."""

    mean: float
    low: float
    high: float
    better: int
    worse: int
    p_value: float


def sets(found: Sequence[Row]) -> str:
    """The data sets that count."""
    rows = [row for row in found if row["learner"] == "J48" and row["scheme"] == LEAF]
    names = sorted(row["data_set"] for row in rows)
    n_splits = sum(int(row["n_splits"]) for row in rows)
    error = np.mean([float(row["error"]) for row in rows])
    return (
        f"{len(names)} sets with {n_splits} splits count: {', '.join(names[:-1])} and {names[-1]}. The tree errs in "
        f"{100 * error:.1f} % of their test rows, in the mean."
    )


def about(found: Sequence[Row]) -> str:
    """The commit of the frozen design, and versions."""
    del found
    facts = verdict_records.about()
    versions = f"Weka {facts['weka']}, numpy {facts['numpy']} and scikit-learn {facts['scikit-learn']}"
    return (
        f"The design was frozen in commit {facts['commit']}, “{facts['subject']}”, and measured there with {versions}."
    )


def wanted(found: Sequence[Row]) -> str:
    """What was wanted, and whether it holds."""
    corrected = _corrected(found)
    gains = {name: gain_over(found, name) for name in RIVALS}
    behind = [name for name in RIVALS if not (gains[name].mean > 0 and corrected[name] <= LEVEL)]
    not_above = f"but for {', '.join(map(_code, behind))}" if behind else f"the largest p {max(corrected.values()):.2g}"
    way, low, high = _way(found, COMBINED)
    ours, theirs = (column(found, name, "brier").mean() for name in (COMBINED, ISOTONIC))
    is_above = SMOOTHED not in behind
    doubtful = [name for name in RIVALS if name not in behind and gains[name].low < 0]
    doubt = (
        f" The test goes by ranks; the 95 % interval of the mean difference holds 0 for "
        f"{', '.join(map(_code, doubtful))}."
        if doubtful
        else ""
    )
    only_the_mean = (
        f" Only the mean was asked for: the interval goes below {100 * WANTED_WAY:.0f} %."
        if low < WANTED_WAY <= way
        else ""
    )
    return "\n".join(
        (
            f"* {verdict_of(not behind)}: above each of the {len(METHODS)} methods alone and both calibrations "
            f"(Wilcoxon, Holm, {LEVEL:g}; {not_above}).{doubt}",
            f"* {verdict_of(way >= WANTED_WAY)}: at least {100 * WANTED_WAY:.0f} % of the way to the forest. It is "
            f"{100 * way:.0f} % (95 % interval {100 * low:.0f} to {100 * high:.0f} %).{only_the_mean}",
            f"* {verdict_of(ours < theirs)}: a Brier score below that of isotonic Laplace. It is {ours:.4f} against "
            f"{theirs:.4f}.",
            f"* {verdict_of(is_above)}: above Laplace's correction (p = {corrected[SMOOTHED]:.2g} after Holm), without "
            f"which `combined` would {'have stayed' if is_above else 'stay'} out of the package.",
        )
    )


def methods(found: Sequence[Row]) -> str:
    """Every certainty of the tree's answers, beside `combined`."""
    corrected = _corrected(found)
    names = sorted((COMBINED, *RIVALS, BAGGED, BOOSTED, FOREST), key=lambda name: -column(found, name, "auroc").mean())
    body = []
    for name in names:
        means = [f"{column(found, name, figure).mean():.4f}" for figure in ("auroc", "aurc", "coverage")]
        brier = column(found, name, "brier") if name in (SMOOTHED, SIGMOID, ISOTONIC, COMBINED, FOREST) else None
        against = ["", "", ""] if name == COMBINED else gain_cells(gain_over(found, name))
        p_value = f"{corrected[name]:.2g}" if name in corrected else ""
        way = f"{100 * _way(found, name)[0]:.0f}"
        body.append([_code(name), means[0], way, *means[1:], "" if brier is None else f"{brier.mean():.4f}", *against,
                     p_value])  # fmt: skip
    return table(
        ["certainty", "AUROC", "way %", "AURC", "coverage at 5 %", "Brier", "`combined` above it", "95 % interval",
         "better, worse", "p, Holm"],
        body,
    )  # fmt: skip


def own_answers(found: Sequence[Row]) -> str:
    """One tree that may decline, beside forests that answer for themselves."""
    body = []
    for name in (LEAF, SMOOTHED, COMBINED, FOREST_OWN, BOOSTED_OWN):
        figures = {figure: column(found, name, figure) for figure in ("error", "aurc", "coverage")}
        gain = figures["aurc"] - column(found, COMBINED, "aurc")
        against = "" if name == COMBINED else f"{(gain > 0).sum()}, {(gain < 0).sum()}"
        means = [f"{100 * figures['error'].mean():.1f}", *(f"{figures[f].mean():.4f}" for f in ("aurc", "coverage"))]
        body.append([_code(name), *means, against])
    headings = [
        "answers and certainty",
        "error %",
        "AURC",
        "coverage at 5 %",
        "`combined` has the smaller, larger AURC",
    ]
    return table(headings, body)


def kinds(found: Sequence[Row]) -> str:
    """Where it helps, by rows, classes and error."""
    return gains_by_kind(found, COMBINED, {"AUROC above Laplace": SMOOTHED})


def gains_by_kind(found: Sequence[Row], scheme: str, rivals: Mapping[str, str]) -> str:
    """How much larger the area of a scheme is than that of each rival, by rows, classes and error of the sets.

    Parameters
    ----------
    found : sequence of Row
    scheme : str
    rivals : mapping of str to str
        The rivals by the heading of their column.
    """
    rows = [row for row in found if row["learner"] == "J48" and row["scheme"] == scheme]
    gains = [column(found, scheme, "auroc") - column(found, rival, "auroc") for rival in rivals.values()]
    n_rows, n_classes = (np.array([int(row[name]) for row in rows]) for name in ("n_instances", "n_classes"))
    error = np.array([float(row["error"]) for row in rows])
    parts = _between(n_rows, SIZES, "rows") | _between(n_classes, CLASSES, "classes")
    parts |= {
        "error below 10 %": error < 0.1,
        "error 10 to 25 %": (error >= 0.1) & (error < 0.25),
        "error 25 % and more": error >= 0.25,
    }
    body = []
    for words, part in parts.items():
        if part.any():
            cells = [
                (f"{gain[part].mean():+.3f}", f"{(gain[part] > 0).sum()}, {(gain[part] < 0).sum()}") for gain in gains
            ]
            body.append([words, int(part.sum()), *chain(*cells)])
    return table(["sets", "number", *chain(*((heading, "better, worse") for heading in rivals))], body)


def each(found: Sequence[Row]) -> str:
    """The area of every set, the one with the smallest gain first."""
    names = (LEAF, SMOOTHED, COMBINED, FOREST)
    values = {name: _by_set(found, name, "auroc", "J48") for name in names}
    facts = {row["data_set"]: row for row in found if row["learner"] == "J48" and row["scheme"] == LEAF}
    order = sorted(facts, key=lambda one: values[COMBINED][one] - values[SMOOTHED][one])
    body = [
        [one, facts[one]["n_instances"], facts[one]["n_classes"], f"{100 * float(facts[one]['error']):.1f}",
         *(f"{values[name][one]:.3f}" for name in names)]
        for one in order
    ]  # fmt: skip
    return table(["data set", "rows", "classes", "error %", "leaf", "Laplace", "`combined`", "forest"], body)


def learners(found: Sequence[Row]) -> str:
    """Trees of other learners."""
    body = []
    for learner in dict.fromkeys(row["learner"] for row in found if row["learner"] != GROWER):
        columns = [column(found, name, "auroc", learner) for name in (LEAF, SMOOTHED, COMBINED, FOREST)]
        way = "{:.0f} ({:.0f} to {:.0f})".format(*(100 * each for each in _way(found, COMBINED, learner)))
        gain = gain_over(found, SMOOTHED, learner)
        against = f"{gain.better}, {gain.worse}, {gain.p_value:.2g}"
        body.append([learner, len(columns[0]), *(f"{one.mean():.4f}" for one in columns), way, against])
    headings = ["learner", "sets", "leaf", "Laplace", "`combined`", "forest", "way % (interval)"]
    return table([*headings, "better, worse, p against Laplace"], body)


def growing(found: Sequence[Row]) -> str:
    """Methods that grow trees to answer, on the trees of their own learner."""
    n = len(column(found, LEAF, "auroc", GROWER))
    body = []
    for name in (LEAF, SMOOTHED, *GROWING, COMBINED, FOREST):
        gain = gain_over(found, name, GROWER)
        against = ["", "", ""] if name == COMBINED else gain_cells(gain)
        means = [f"{column(found, name, figure, GROWER).mean():.4f}" for figure in ("auroc", "aurc", "coverage")]
        p_value = "" if name == COMBINED or n < FEWEST_SETS else f"{gain.p_value:.2g}"
        body.append([_code(name), *means, *against, p_value])
    headings = [
        "certainty",
        "AUROC",
        "AURC",
        "coverage at 5 %",
        "`combined` above it",
        "95 % interval",
        "better, worse",
    ]
    return f"{n} sets count.\n\n" + table([*headings, "p"], body)


def promised(found: Sequence[Row]) -> str:
    """What a promise brings, beside the single method that brings most on the sets to design with."""
    best = max(METHODS, key=lambda name: _covered(found, "design", name).mean())
    ours, theirs = (_covered(found, "judged", name) for name in (COMBINED, best))
    low, high = np.quantile((ours - theirs)[resampled(len(ours))].mean(axis=1), (0.025, 0.975))
    shown = {
        name: [row for row in found if (row["half"], row["scheme"]) == ("judged", name)]
        for name in (SMOOTHED, best, COMBINED)
    }
    broken = {name: sum(int(row["n_broken"]) for row in rows) for name, rows in shown.items()}
    n_splits = sum(int(row["n_splits"]) for row in shown[COMBINED])
    lines = (
        f"* On the {len(_covered(found, 'design', best))} sets to design with, {_code(best)} answers most of the "
        "single methods.",
        f"* {verdict_of(ours.mean() > theirs.mean())}: `combined` answers more than it on the {len(ours)} judged sets, "
        f"{100 * ours.mean():.1f} % of the rows against {100 * theirs.mean():.1f} % (difference "
        f"{100 * (ours - theirs).mean():+.1f}, 95 % interval {100 * low:+.1f} to {100 * high:+.1f}; better on "
        f"{(ours > theirs).sum()}, worse on {(ours < theirs).sum()}).",
        f"* Among the test answers more were wrong than promised in {broken[best]} and {broken[COMBINED]} of "
        f"{n_splits} splits.",
    )
    body = [
        [rows[0]["data_set"], rows[0]["n_instances"], f"{100 * float(rows[0]['target']):.1f}",
         *(f"{100 * float(row['coverage']):.1f} ({row['n_broken']})" for row in rows)]
        for rows in zip(*shown.values(), strict=True)
    ]  # fmt: skip
    headings = ["data set", "rows", "promised error %", *(f"{_code(name)}: answered % (broken)" for name in shown)]
    return "\n".join(lines) + "\n\n" + table(headings, body)


def _covered(found: Sequence[Row], half: str, scheme: str) -> Column:
    """(n_sets,) float64: the share of the rows that is answered."""
    return np.array([float(row["coverage"]) for row in found if (row["half"], row["scheme"]) == (half, scheme)])


PARTS: dict[str, Callable[[Sequence[Row]], str]] = {
    part.__name__: part for part in (sets, about, wanted, methods, own_answers, kinds, each, learners, growing)
}
"""What `scripts/docs_records.py` writes, by the name of the part."""


def _code(name: str) -> str:
    return f"`{name}`" if name in METHODS or name in (COMBINED, *GROWING) else name


def verdict_of(is_met: bool) -> str:
    return "**It holds**" if is_met else "**It does not hold**"


def _by_set(found: Sequence[Row], scheme: str, figure: str, learner: str) -> Mapping[str, float]:
    return {
        row["data_set"]: float(row[figure] or "nan")
        for row in found
        if row["learner"] == learner and row["scheme"] == scheme
    }


def column(found: Sequence[Row], scheme: str, figure: str, learner: str = "J48") -> Column:
    """(n_sets,) float64: a figure of a scheme on every data set."""
    return np.array(list(_by_set(found, scheme, figure, learner).values()))


def resampled(n: int) -> NDArray[np.int64]:
    """(n_resamples, n) int64: the sets of each resample, the same in every call."""
    return np.random.default_rng(1).integers(0, n, (N_RESAMPLES, n))


def gain_over(found: Sequence[Row], rival: str, learner: str = "J48", scheme: str = COMBINED) -> Gain:
    """The AUROC of a scheme less that of a rival."""
    gain = column(found, scheme, "auroc", learner) - column(found, rival, "auroc", learner)
    low, high = np.quantile(gain[resampled(len(gain))].mean(axis=1), (0.025, 0.975))
    p_value = signed_rank(gain, np.zeros(len(gain))).p_value
    return Gain(gain.mean(), low, high, int((gain > 0).sum()), int((gain < 0).sum()), p_value)


def gain_cells(gain: Gain) -> list[str]:
    return [f"{gain.mean:+.4f}", f"{gain.low:+.3f} to {gain.high:+.3f}", f"{gain.better}, {gain.worse}"]


def _corrected(found: Sequence[Row]) -> dict[str, float]:
    """The p-values of the tests against all rivals, after Holm."""
    p_values = holm([gain_over(found, name).p_value for name in RIVALS])
    return dict(zip(RIVALS, p_values.tolist(), strict=True))


def _way(found: Sequence[Row], scheme: str, learner: str = "J48") -> tuple[float, float, float]:
    """How much of the way from the leaf to the forest the mean AUROC is, and its interval over resampled sets."""
    own, leaf, forest = (column(found, name, "auroc", learner) for name in (scheme, LEAF, FOREST))
    resamples = resampled(len(own))
    ways = (own - leaf)[resamples].mean(axis=1) / (forest - leaf)[resamples].mean(axis=1)
    low, high = np.quantile(ways, (0.025, 0.975))
    return float((own - leaf).mean() / (forest - leaf).mean()), float(low), float(high)


def _between(values: NDArray[np.int64], ends: Sequence[int], what: str) -> dict[str, NDArray[np.bool_]]:
    return {
        f"{low} to {high - 1} {what}" if high < 10**9 and high - low > 1
        else f"{low} {what}" if high < 10**9
        else f"{low} {what} and more": (low <= values) & (values < high)
        for low, high in pairwise(ends)
    }  # fmt: skip
