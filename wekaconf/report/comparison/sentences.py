"""What a comparison found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from wekaconf.errors import printable
from wekaconf.evaluation.statistics import signed_rank
from wekaconf.report.comparison.compared import NOT_TESTED, Compared

TEST_NAMES = {
    "corrected": "corrected resampled t-test",
    "paired": "paired t-test",
    "wilcoxon": "Wilcoxon's signed-rank test over the folds",
}
MOST_PAIRS = 8
"""The largest number of pairs of schemes that a sentence lists."""


def sentences_of(found: Compared) -> list[str]:
    """One sentence per finding; see `Comparison.sentences`."""
    return [*map(printable, (*_each_set(found), *_over_sets(found), *_left_out(found)))]


def _each_set(found: Compared) -> Iterator[str]:
    """What the tests on each data set say."""
    n_tested = 0
    for place, scheme in enumerate(found.schemes[1:], 1):
        better, neither, worse = found.wins(place)
        n = better + neither + worse
        n_tested += n
        how = f"({TEST_NAMES[found.test]}, two-sided, level {found.level:g})"
        if n == 1:
            verdict = "is significantly better than" if better else "is significantly worse than"
            verdict = verdict if better or worse else "does not differ significantly from"
            name = next(
                name for name, of_set in zip(found.data_sets, found.marks, strict=True) if of_set[place] != NOT_TESTED
            )
            yield f"On {name} {scheme} {verdict} {found.base} {how}."
        elif better or worse:
            yield (
                f"{scheme} is significantly better than {found.base} on {better} of {n} data sets and worse on {worse} "
                f"{how}."
            )
        elif n:
            yield f"On none of {n} data sets does {scheme} differ significantly from {found.base} {how}."
    if n_tested > 1:
        yield (
            f"Where nothing differs, about {n_tested * found.level:.2g} of {n_tested} such tests would be significant "
            "by chance: the level holds for each test alone."
        )
    if n_tested:
        if found.test != "corrected":
            yield (
                "This test takes the folds as independent. Those of a cross-validation share training instances, so it "
                "finds differences more often than the level says."
            )
    elif len(found.schemes) > 1:
        yield (
            "No data set was tested by itself: that takes at least two folds on which the measure is defined for both "
            "schemes."
            + (
                " Figures of the pooled answers need no folds: --pooled, in Python pooled=True."
                if np.isnan(found.mean).any()
                else ""
            )
        )


def _over_sets(found: Compared) -> Iterator[str]:
    """What the tests over all data sets say."""
    ranks, n_schemes = found.ranks, len(found.schemes)
    if n_schemes < 2 or ranks.n_sets < 2:
        return
    n_pairs = n_schemes * (n_schemes - 1) // 2
    best = [found.schemes[i] for i in np.flatnonzero(ranks.mean_ranks == ranks.mean_ranks.min())]
    yield (
        f"Over the {ranks.n_sets} data sets, {_listed(best)} {'has' if len(best) == 1 else 'have'} the best mean rank, "
        f"{ranks.mean_ranks.min():.2f} of 1 to {n_schemes}."
    )
    if not np.isnan(ranks.p_value):
        words = "finds a difference" if ranks.p_value <= found.level else "finds no difference"
        yield (
            f"Friedman's test over them {words} between the {n_schemes} schemes (χ² = {ranks.statistic:.2f}, "
            f"{p_text(ranks.p_value)}); by Nemenyi's test two schemes differ whose mean ranks are "
            f"{ranks.critical_difference:.2f} or more apart."
        )
    if 2.0 ** (1 - ranks.n_sets) * n_pairs > found.level:
        yield (
            f"{ranks.n_sets} data sets are too few for Wilcoxon's signed-rank test to find a difference at level "
            f"{found.level:g} {'between them' if n_pairs == 1 else f'in any of the {n_pairs} pairs of schemes'}."
        )
        return
    corrected = "" if n_pairs == 1 else f", Holm-corrected for {n_pairs} pairs"
    differing = [
        _pair(found, a, b) for a, b in combinations(range(n_schemes), 2) if found.pairwise[a, b] <= found.level
    ]
    how = f"Wilcoxon's signed-rank test over the data sets{corrected}, at level {found.level:g}"
    if not differing:
        yield f"{how}, finds no difference between {'them' if n_pairs == 1 else 'any two schemes'}."
    elif len(differing) > MOST_PAIRS:
        yield f"{how}, finds that {len(differing)} of {n_pairs} pairs of schemes differ."
    else:
        yield f"{how}, finds that {'; '.join(differing)}."


def _pair(found: Compared, a: int, b: int) -> str:
    """That one of two schemes is better, with the size of the effect."""
    worth = found.mean if found.larger_is_better else -found.mean
    test = signed_rank(worth[:, a], worth[:, b], level=found.level)
    if test.effect < 0:
        return _pair(found, b, a)
    return (
        f"{found.schemes[a]} is better than {found.schemes[b]} ({p_text(found.pairwise[a, b])}, rank-biserial "
        f"correlation {test.effect:.2f}, {100 * (1 - found.level):.3g} % interval {test.low:.2f} to {test.high:.2f})"
    )


def _left_out(found: Compared) -> Iterator[str]:
    """What was left out because it is undefined or was not measured."""
    folds: dict[str, tuple[int, int]] = {}
    for name, of_set in zip(found.data_sets, found.tests, strict=True):
        partial = [test for test in of_set if test is not None and test.n_left_out]
        if partial:
            most = max(partial, key=lambda test: test.n_left_out)
            folds[name] = most.n_left_out, most.n_left_out + most.n_pairs
    if folds:
        listed = ", ".join(f"{n} of {total} on {name}" for name, (n, total) in folds.items())
        yield f"Folds on which the measure is undefined for a scheme or the base are left out of their test: {listed}."
    missing = [
        f"{scheme} on {name}"
        for name, of_set in zip(found.data_sets, found.mean, strict=True)
        for scheme, value in zip(found.schemes, of_set, strict=True)
        if np.isnan(value)
    ]
    if missing:
        yield f"Without a value: {', '.join(missing)}; such a data set is left out of the ranks."


def p_text(p_value: float) -> str:
    """A p-value as it stands in a sentence."""
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.2g}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
