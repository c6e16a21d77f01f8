"""TPCE against its rivals over data sets: means, wins and tests, for each selection of sets and each seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np

from wekaconf.evaluation.statistics import holm, paired_t, signed_rank
from wekaconf.replication._runner import Record
from wekaconf.replication.costa2013.measurement import MEASURES, METHODS

DECIMALS = 9
"""Figures that agree after rounding to this many decimals are a tie."""


@dataclass(frozen=True)
class Comparison:
    """One method against another, data set by data set.

    Parameters
    ----------
    measure : str
        One of `wekaconf.replication.costa2013.measurement.MEASURES`.
    rival : str
        The method that the first one is compared with.
    seed : int
        The seed of the bags.
    wins, ties, losses : int
        Number of data sets in which the first method's figure is better, the same, worse.
    difference, low, high : float
        Mean advantage of the first method, positive where it is better, with the 95 % interval of Student's t over the
        data sets; NaN where undefined.
    effect : float
        In [−1, 1], positive where the ranks favour the first method, see `wekaconf.evaluation.statistics.signed_rank`.
    p, corrected : float
        The p of Wilcoxon's two-sided signed-rank test, see `wekaconf.evaluation.statistics.signed_rank`, and the same
        after Holm's correction for all comparisons of the selection and seed; NaN without a data set.
    """

    measure: str
    rival: str
    seed: int
    wins: int
    ties: int
    losses: int
    difference: float
    low: float
    high: float
    effect: float
    p: float
    corrected: float

    def sign(self, level: float) -> int:
        """1 or −1 if the first method is significantly better or worse after the correction, else 0."""
        return int(np.sign(self.effect)) if self.corrected <= level else 0


def methods_of(measure: str) -> tuple[str, ...]:
    """The methods with this measure; Kukar and Kononenko's has only auc_reliability, since it only rates answers."""
    return METHODS if measure == "auc_reliability" else METHODS[:-1]


def of_first_seed(records: Sequence[Record]) -> list[Record]:
    """The records of the first seed."""
    first = min((record["seed"] for record in records), default=None)
    return [record for record in records if record["seed"] == first]


def means(records: Sequence[Record], measure: str, methods: Sequence[str] = ()) -> tuple[int, dict[str, float]]:
    """The number of data sets in which all methods have a figure, and the mean of each method over these sets.

    Parameters
    ----------
    records : sequence of mappings
        Records of one seed.
    measure : str
    methods : sequence of str, optional
        `methods_of` the measure when left out.
    """
    methods = methods or methods_of(measure)
    complete = complete_sets(records, measure, methods)
    if not complete:
        return 0, {}
    return len(complete), {method: fmean(figures[method] for figures in complete) for method in methods}


def complete_sets(records: Sequence[Record], measure: str, methods: Sequence[str]) -> list[dict[str, float]]:
    """The figure of each method, for every data set in which all of them have one; see `means`."""
    by_set: dict[str, dict[str, float]] = {}
    for record in records:
        if record["method"] in methods and record[measure] is not None:
            by_set.setdefault(record["dataset"], {})[record["method"]] = record[measure]
    return [figures for figures in by_set.values() if len(figures) == len(methods)]


def comparisons(
    records: Sequence[Record], *, first: str = "tpce", rivals: Iterable[str] = (), measures: Sequence[str] = MEASURES
) -> list[Comparison]:
    """Comparisons of a method with its rivals in every measure, over the data sets in which both have a figure.

    Parameters
    ----------
    records : sequence of mappings
        A method without records of a seed is compared by its records of the first seed, since it draws nothing.
    first : str
    rivals : iterable of str
        The other methods of `methods_of` a measure when left out.
    measures : sequence of str

    Returns
    -------
    list of Comparison
        By seed, measure and rival.
    """
    figures = {(r["seed"], r["dataset"], r["method"], name): r[name] for r in records for name in measures}
    seeds = sorted({record["seed"] for record in records})
    names = list(dict.fromkeys(record["dataset"] for record in records))

    def values(seed: int, method: str, measure: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        by_set = [
            figures.get((seed, name, method, measure), figures.get((seeds[0], name, method, measure))) for name in names
        ]
        return np.array([np.nan if value is None else value for value in by_set])

    compared = []
    for seed in seeds:
        uncorrected = [
            _compared(measure, rival, seed, values(seed, first, measure) - values(seed, rival, measure))
            for measure in measures
            for rival in (tuple(rivals) or methods_of(measure))
            if rival != first
        ]
        corrected = holm([comparison.p for comparison in uncorrected]).tolist()
        compared += [replace(comparison, corrected=p) for comparison, p in zip(uncorrected, corrected, strict=True)]
    return compared


def _compared(measure: str, rival: str, seed: int, gain: np.ndarray[Any, np.dtype[np.float64]]) -> Comparison:
    gain = gain[~np.isnan(gain)].round(DECIMALS)
    gain = -gain if measure == "brier" else gain
    wins, losses = int((gain > 0).sum()), int((gain < 0).sum())
    triple = wins, len(gain) - wins - losses, losses
    zeros = np.zeros(len(gain))
    mean, rank = paired_t(gain, zeros), signed_rank(gain, zeros)
    p = rank.p_value  # which is corrected with those of the other comparisons
    return Comparison(measure, rival, seed, *triple, mean.effect, mean.low, mean.high, rank.effect, p, corrected=p)
