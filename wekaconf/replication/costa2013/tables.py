"""Tables 1 to 3 of Costa, Verwer and Blockeel 2013: the printed figures, and ours for comparison."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from wekaconf.data.dataset import FloatArray
from wekaconf.replication.costa2013.study import MEASURES, METHODS
from wekaconf.report.printing import UNDEFINED, Block, Names, print_blocks, print_text

Record = Mapping[str, Any]
NAMES = {
    "brier": "Brier",
    "auc": "AUC",
    "auc_reliability": "AUC reliability",
    "tpce": "TPCE",
    "plain": "plain",
    "plain_laplace": "Laplace",
    "bagging": "bagging",
    "kukar_kononenko": "K&K",
}
"""Names of measures and methods in the printed tables."""
DECIMALS = 9
"""Figures that agree after rounding to this many decimals are a tie."""


@dataclass(frozen=True)
class Comparison:
    """TPCE against another method, data set by data set.

    Parameters
    ----------
    measure : str
        One of `wekaconf.replication.costa2013.study.MEASURES`.
    rival : str
        One of `wekaconf.replication.costa2013.study.METHODS`.
    wins, ties, losses : int
        Number of data sets in which TPCE's figure is better, the same, worse.
    p : float or None
        The p of Wilcoxon's signed-rank test, see `wilcoxon`; in published comparisons 0.0001 means less than that.
    """

    measure: str
    rival: str
    wins: int
    ties: int
    losses: int
    p: float | None

    @property
    def percent_won(self) -> float | None:
        """Percentage of the data sets that TPCE wins; None if there are none."""
        n = self.wins + self.ties + self.losses
        return 100 * self.wins / n if n else None


N_PUBLISHED = 48
"""Number of data sets of the paper, which does not name them."""
PUBLISHED_MEANS = {
    ("brier", "tpce"): 0.087,
    ("brier", "plain"): 0.109,
    ("brier", "bagging"): 0.096,
    ("auc", "tpce"): 0.868,
    ("auc", "plain"): 0.814,
    ("auc", "bagging"): 0.849,
    ("auc_reliability", "tpce"): 0.7969,
    ("auc_reliability", "plain"): 0.6498,
    ("auc_reliability", "bagging"): 0.7681,
    ("auc_reliability", "kukar_kononenko"): 0.6836,
}
PUBLISHED_COMPARISONS = (
    Comparison("brier", "plain", 36, 0, 12, 0.0001),
    Comparison("brier", "bagging", 21, 0, 27, 0.5686),
    Comparison("auc", "plain", 37, 3, 8, 0.0001),
    Comparison("auc", "bagging", 29, 1, 18, 0.1706),
    Comparison("auc_reliability", "plain", 39, 3, 6, 0.0001),
    Comparison("auc_reliability", "bagging", 33, 1, 14, 0.0208),
    Comparison("auc_reliability", "kukar_kononenko", 33, 2, 13, 0.0001),
)


def methods_of(measure: str) -> tuple[str, ...]:
    """The methods with this measure; Kukar and Kononenko's has only the last, since it only rates answers."""
    return METHODS if measure == "auc_reliability" else METHODS[:-1]


def means(records: Sequence[Record], measure: str) -> tuple[int, dict[str, float]]:
    """The number of data sets in which all methods have a figure, and the mean of each method over these sets."""
    by_set: dict[str, list[float | None]] = {}
    for record in records:
        if record["method"] in methods_of(measure):
            by_set.setdefault(record["dataset"], []).append(record[measure])
    whole = [figures for figures in by_set.values() if None not in figures]
    columns: Iterable[tuple[Any, ...]] = zip(*whole, strict=True) if whole else ()
    return len(whole), dict(zip(methods_of(measure), map(fmean, columns), strict=False))


def comparisons(records: Sequence[Record]) -> list[Comparison]:
    """TPCE against every other method in every measure, over the data sets in which both have a figure.

    Parameters
    ----------
    records : sequence of mappings
        Records of `wekaconf.replication.costa2013.study.replicate`.
    """
    compared = []
    for measure in MEASURES:
        figures = {(record["dataset"], record["method"]): record[measure] for record in records}
        names = list(dict.fromkeys(record["dataset"] for record in records))
        for rival in methods_of(measure)[1:]:
            pairs = [(figures[name, "tpce"], figures[name, rival]) for name in names]
            gain = np.array([ours - theirs for ours, theirs in pairs if ours is not None and theirs is not None])
            gain = (-gain if measure == "brier" else gain).round(DECIMALS)
            wins, losses = int((gain > 0).sum()), int((gain < 0).sum())
            compared.append(Comparison(measure, rival, wins, len(gain) - wins - losses, losses, wilcoxon(gain)))
    return compared


def wilcoxon(difference: FloatArray) -> float | None:
    """The p of Wilcoxon's two-sided signed-rank test; None if all differences are zero.

    Differences of zero are left out first (scipy's "wilcox"). The test is exact for up to 50 others, unless some are of
    equal size. Otherwise it is as ``scipy.stats.wilcoxon`` chooses: the normal approximation, without correction for
    continuity, unless there are very few.
    """
    from scipy import stats

    difference = difference[difference != 0]
    if not len(difference):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it says that the sample is small, which the table shows
        return float(stats.wilcoxon(difference).pvalue)


def print_tables(records: Sequence[Record], n_sets: int) -> None:
    """Print the results of `replicate` to standard output: each data set, means and comparisons, and the finding.

    Parameters
    ----------
    records : sequence of mappings
        Records of at least one data set.
    n_sets : int
        Number of data sets that were to be measured.
    """
    first, n_run = records[0], len({record["dataset"] for record in records})
    print_text(f"Costa, Verwer and Blockeel 2013, Tables 1 to 3: TPCE and its rivals; {n_run} of {n_sets} data sets.")
    print_text(
        f"{first['protocol']}; trees by information gain; seed {first['seed']} of the bags. plain: class shares at the "
        "leaf of one tree, every value a cut point; Laplace: the same tree, (count + 1) / (sum + classes); bagging: as "
        "many trees as classes; K&K: Kukar and Kononenko's reliability of plain's answers."
    )
    print_text(
        f"The paper does not name its {N_PUBLISHED} data sets: the published figures are of others, and differences "
        "come from that too."
    )
    _print_sets(records)
    _print_means(records)
    _print_comparisons(comparisons(records))
    sys.stdout.write("\n")
    print_text(
        "Means are over the sets in which all methods have a figure: AUC reliability is undefined without an error. "
        f"Wins, ties (equal to {DECIMALS} decimals) and losses are TPCE's; p: two-sided Wilcoxon signed-rank test, "
        "differences of zero left out."
    )
    print_text(finding(records))


def finding(records: Sequence[Record]) -> str:
    """A sentence on how much of TPCE's advantage over the plain tree Laplace's correction alone already has."""
    shares = []
    for measure in MEASURES:
        _, mean = means(records, measure)
        gain = mean["tpce"] - mean["plain"] if mean else 0.0
        if round(-gain if measure == "brier" else gain, DECIMALS) > 0:
            shares.append(f"{NAMES[measure]} {(mean['plain_laplace'] - mean['plain']) / gain:.0%}")
        else:
            shares.append(f"{NAMES[measure]}: TPCE has none")
    return (
        "Finding: of TPCE's advantage over the plain tree, in the means, the plain tree with Laplace's correction "
        f"alone already has: {', '.join(shares)}."
    )


def _print_sets(records: Sequence[Record]) -> None:
    names = list(dict.fromkeys(record["dataset"] for record in records))
    blocks = []
    for measure in MEASURES:
        figures = {(record["dataset"], record["method"]): record[measure] for record in records}
        methods = methods_of(measure)
        _, mean = means(records, measure)
        body = [[_number(figures[name, method]) for method in methods] for name in names]
        last = [[_number(mean.get(method)) for method in methods]]
        blocks.append(Block.of_rows(NAMES[measure], [NAMES[method] for method in methods], body, last))
    print_blocks(Names.of_no_group(names, ["mean"]), blocks)


def _print_means(records: Sequence[Record]) -> None:
    names, body = [], []
    for measure in MEASURES:
        n, mean = means(records, measure)
        for method in methods_of(measure):
            ours, published = mean.get(method), PUBLISHED_MEANS.get((measure, method))
            difference = None if ours is None or published is None else ours - published
            names.append(_row(measure, method))
            body.append([
                str(n), _number(ours), "" if published is None else _number(published),
                "" if difference is None else f"{difference:+z.4f}",
            ])  # fmt: skip
    print_blocks(Names.of_no_group(names), [Block.of_rows("Means", ["sets", "ours", "published", "difference"], body)])


def _print_comparisons(ours: Sequence[Comparison]) -> None:
    by_key = {(comparison.measure, comparison.rival): comparison for comparison in PUBLISHED_COMPARISONS}
    published = [by_key.get((comparison.measure, comparison.rival)) for comparison in ours]
    headings = ["wins", "ties", "losses", "won, %", "p"]
    empty = [""] * len(headings)
    blocks = [
        Block.of_rows("TPCE against it, ours", headings, list(map(_cells, ours))),
        Block.of_rows("published", headings, [_cells(printed) if printed else empty for printed in published]),
        Block.of_rows("difference", ["won, %"], [_gap(*pair) for pair in zip(ours, published, strict=True)]),
    ]
    print_blocks(Names.of_no_group([_row(comparison.measure, comparison.rival) for comparison in ours]), blocks)


def _cells(comparison: Comparison) -> list[str]:
    p = UNDEFINED if comparison.p is None else "<0.0001" if comparison.p <= 0.0001 else f"{comparison.p:.4f}"
    won = UNDEFINED if comparison.percent_won is None else f"{comparison.percent_won:.1f}"
    return [str(comparison.wins), str(comparison.ties), str(comparison.losses), won, p]


def _gap(ours: Comparison, published: Comparison | None) -> list[str]:
    if published is None or published.percent_won is None:
        return [""]
    return [UNDEFINED if ours.percent_won is None else f"{ours.percent_won - published.percent_won:+z.1f}"]


def _row(measure: str, method: str) -> str:
    return f"{NAMES[measure]}: {NAMES[method]}"


def _number(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.4f}"
