"""The findings of a comparison, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wekaconf.base.errors import printable
from wekaconf.base.naming import enumeration
from wekaconf.report.comparison._compared import NOT_TESTED, ComparisonFigures, Difference

TEST_NAMES = {
    "corrected": "corrected resampled t-test",
    "paired": "paired t-test",
    "wilcoxon": "Wilcoxon's signed-rank test over the folds",
}
MOST_PAIRS = 8
"""The largest number of pairs of schemes that a sentence lists."""


def sentences_of(compared: ComparisonFigures) -> list[str]:
    """One sentence per finding; see `Comparison.sentences`."""
    parts = (
        _each_set(compared), _on_each_set(compared), _over_sets(compared), _posterior(compared), _too_few(compared),
        _left_out(compared),
    )  # fmt: skip
    return [printable(sentence) for part in parts for sentence in part]


def notes_of(compared: ComparisonFigures) -> list[str]:
    """The sentences that remain where tables hold the marks, the ranks and the tests over the data sets."""
    parts = (_on_each_set(compared), _posterior(compared), _too_few(compared), _left_out(compared))
    return [printable(sentence) for part in parts for sentence in part]


def how_tested(compared: ComparisonFigures) -> str:
    """The test on each data set, in words."""
    return f"{TEST_NAMES[compared.test]}, two-sided, level {compared.level:g}"


def _each_set(compared: ComparisonFigures) -> Iterator[str]:
    """A sentence for each scheme on the tests on each data set."""
    how = f"({how_tested(compared)})"
    for place, scheme in enumerate(compared.schemes[1:], 1):
        better, neither, worse = compared.wins(place)
        n = better + neither + worse
        if n == 1:
            verdict = "is significantly better than" if better else "is significantly worse than"
            verdict = verdict if better or worse else "does not differ significantly from"
            name = next(
                name
                for name, marks in zip(compared.data_sets, compared.marks, strict=True)
                if marks[place] != NOT_TESTED
            )
            yield f"On {name} {scheme} {verdict} {compared.base} {how}."
        elif better or worse:
            yield (
                f"{scheme} is significantly better than {compared.base} on {better} of {n} data sets and worse on "
                f"{worse} {how}."
            )
        elif n:
            yield f"On none of {n} data sets does {scheme} differ significantly from {compared.base} {how}."


def _on_each_set(compared: ComparisonFigures) -> Iterator[str]:
    """Sentences on what the tests on each data set are worth."""
    n_tested = sum(sum(compared.wins(place)) for place in range(1, len(compared.schemes)))
    if n_tested > 1:
        yield (
            f"Where nothing differs, about {n_tested * compared.level:.2g} of {n_tested} such tests would be "
            "significant by chance: the level holds for each test alone."
        )
    if n_tested:
        if compared.test != "corrected":
            yield (
                "This test takes the folds as independent. Those of a cross-validation share training instances, so it "
                "finds differences more often than the level says."
            )
    elif len(compared.schemes) > 1:
        yield (
            "No data set was tested by itself: that takes at least two folds on which the measure is defined for both "
            "methods."
            + (
                " Figures of the pooled answers need no folds: --pooled, in Python pooled=True."
                if np.isnan(compared.mean).any()
                else ""
            )
        )


def _over_sets(compared: ComparisonFigures) -> Iterator[str]:
    """Sentences on the tests over all data sets."""
    if compared.has_ranks:
        yield from _ranks(compared)
    if compared.n_too_few == compared.n_pairs:
        return
    differing, n_pairs = compared.differences, compared.n_pairs
    how = f"{wilcoxon_over_sets(compared)}, at level {compared.level:g}"
    if not differing:
        yield f"{how}, finds no difference between {'them' if n_pairs == 1 else 'any two methods'}."
    elif len(differing) > MOST_PAIRS:
        yield f"{how}, finds that {len(differing)} of {n_pairs} pairs of methods differ."
    else:
        yield f"{how}, finds that {'; '.join(_pair(compared, pair) for pair in differing)}."


def _ranks(compared: ComparisonFigures) -> Iterator[str]:
    """Sentences on the mean ranks, and on the tests of Friedman and Nemenyi."""
    ranks, n_schemes = compared.ranks, len(compared.schemes)
    best = [compared.schemes[i] for i in np.flatnonzero(ranks.mean_ranks == ranks.mean_ranks.min())]
    yield (
        f"Over the {ranks.n_sets} data sets, {enumeration(best)} {'has' if len(best) == 1 else 'have'} the best mean "
        f"rank: {ranks.mean_ranks.min():.2f} (1 is best, {n_schemes} worst)."
    )
    if not np.isnan(ranks.p_value):
        words = "finds a difference" if ranks.p_value <= compared.level else "finds no difference"
        yield (
            f"Friedman's test over them {words} between the {n_schemes} methods (χ² = {ranks.statistic:.2f}, "
            f"{p_text(ranks.p_value)}); by Nemenyi's test two methods differ whose mean ranks are "
            f"{ranks.critical_difference:.2f} or more apart."
        )


def _posterior(compared: ComparisonFigures) -> Iterator[str]:
    """A sentence for each scheme on the Bayesian test over the data sets, if it is wanted."""
    if compared.rope is None:
        return
    for place, scheme in enumerate(compared.schemes[1:], 1):
        n_sets = int(np.isfinite(compared.mean[:, [0, place]]).all(axis=1).sum())
        if n_sets > 1:
            better, none, worse = (f"{probability:.3f}" for probability in compared.posterior(place))
            yield (
                f"Bayesian signed-rank test over {n_sets} data sets, differences of at most {compared.rope:g} being "
                f"none: {scheme} is better than {compared.base} with a probability of {better}, no different with "
                f"{none}, worse with {worse}."
            )


def wilcoxon_over_sets(compared: ComparisonFigures) -> str:
    """The test of the pairs over the data sets, in words."""
    low, high = compared.n_shared.min(), compared.n_shared.max()
    of_each_pair = "" if low == high else f" that both methods have ({low} to {high})"
    n_tested = int((compared.n_shared > 0).sum())
    corrected = "" if n_tested == 1 else f", Holm-corrected for {n_tested} pairs"
    return f"Wilcoxon's signed-rank test over the data sets{of_each_pair}{corrected}"


def _too_few(compared: ComparisonFigures) -> Iterator[str]:
    """Sentences on ranks and pairs of schemes that have too few data sets."""
    n_sets, n_pairs, n_too_few = len(compared.data_sets), compared.n_pairs, compared.n_too_few
    if n_sets < 2 or not n_pairs:
        return
    if not compared.has_ranks:
        few = f"Only {compared.ranks.n_sets}" if compared.ranks.n_sets else "None"
        yield f"{few} of {n_sets} data sets has a value of every method; mean ranks take at least 2."
    test = f"too few for Wilcoxon's signed-rank test to find a difference at level {compared.level:g}"
    if n_too_few == n_pairs:
        where = "between them" if n_pairs == 1 else f"in any of the {n_pairs} pairs of methods"
        yield f"{_numbers_of_sets(compared)} {test} {where}."
    elif n_too_few:
        yield f"The data sets that both methods have are {test} in {n_too_few} of the {n_pairs} pairs of methods."


def _numbers_of_sets(compared: ComparisonFigures) -> str:
    """The numbers of data sets that pairs share, as the beginning of a sentence."""
    low, high = compared.n_shared.min(), compared.n_shared.max()
    if low < high:
        return f"The data sets that both methods have ({low} to {high}) are"
    return "1 data set is" if high == 1 else f"{high} data sets are"


def _pair(compared: ComparisonFigures, pair: Difference) -> str:
    """A clause that one of two schemes is better, with the size of the effect."""
    return (
        f"{compared.schemes[pair.better]} is better than {compared.schemes[pair.worse]} ({p_text(pair.p_value)}, "
        f"rank-biserial correlation {pair.effect:.2f}, {100 * (1 - compared.level):.3g} % interval {pair.low:.2f} to "
        f"{pair.high:.2f})"
    )


def _left_out(compared: ComparisonFigures) -> Iterator[str]:
    """Sentences on what was left out because it is undefined or was not measured."""
    folds: dict[str, tuple[int, int]] = {}
    for name, tests in zip(compared.data_sets, compared.tests, strict=True):
        partial = [test for test in tests if test is not None and test.n_left_out]
        if partial:
            most = max(partial, key=lambda test: test.n_left_out)
            folds[name] = most.n_left_out, most.n_left_out + most.n_pairs
    if folds:
        listed = ", ".join(f"{n} of {total} on {name}" for name, (n, total) in folds.items())
        yield f"Folds on which the measure is undefined for a method or the base are left out of their test: {listed}."
    missing = [
        f"{scheme} on {name}"
        for name, means in zip(compared.data_sets, compared.mean, strict=True)
        for scheme, value in zip(compared.schemes, means, strict=True)
        if np.isnan(value)
    ]
    if missing:
        yield f"Without a value: {', '.join(missing)}; such a data set is left out of the ranks."


def p_text(p_value: float) -> str:
    """A p-value for a sentence."""
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.2g}"
