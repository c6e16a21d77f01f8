"""How far the figures of the leading methods vary from seed to seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evidence.figures import Measured
from evidence.measuring.study import CLOSED, OPEN
from evidence.records import BASE, OfSeed, mean_over_folds, seeds_that_count


class Spread(NamedTuple):
    """The means of a scheme's deciding measure over data sets, with each seed by itself.

    Parameters
    ----------
    purpose, learner, method : str
    n_sets : int
        Data sets on which the most common seeds of the largest number count, all ranked schemes have a value, and with
        each seed all leading ones.
    means : list of float
        One per seed, over these data sets.
    """

    purpose: str
    learner: str
    method: str
    n_sets: int
    means: list[float]


def spreads(records: Iterable[Mapping[str, Any]], found: Sequence[Measured]) -> list[Spread]:
    """How each leading scheme of each purpose varies from seed to seed; empty where all data sets have one seed.

    Parameters
    ----------
    records : iterable of mapping
        Those of `evidence.measuring.study.measure_all`.
    found : sequence of Measured
        What the page tells of them.
    """
    counting = seeds_that_count(records)
    told = []
    for each in found:
        if (n_seeds := int(each.n_seeds.max())) == 1:
            continue
        protocol = OPEN if each.purpose.name == "foreign" else CLOSED
        is_told = each.shared & (each.n_seeds == n_seeds)
        measure = each.purpose.measure
        of_sets = [counting[name, protocol] for name in np.array(each.data_sets)[is_told]]
        seeds = Counter(map(_seeds, of_sets))
        values = np.array([
            [[mean_over_folds(of_seed[scheme], measure) for scheme in each.leading] for of_seed in of_seeds]
            for of_seeds in of_sets
            if _seeds(of_seeds) == seeds.most_common(1)[0][0]
        ]).reshape(-1, n_seeds, len(each.leading))  # fmt: skip
        values = values[np.isfinite(values).all(axis=(1, 2))]
        if len(values):
            told += [
                Spread(each.purpose.name, *scheme, len(values), means.tolist())
                for scheme, means in zip(each.leading, values.mean(axis=0).T, strict=True)
            ]
    return told


def _seeds(of_seeds: Sequence[OfSeed]) -> tuple[int, ...]:
    return tuple(of_seed[BASE]["seed"] for of_seed in of_seeds)
