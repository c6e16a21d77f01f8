"""Promised mean costs per row, and their bounds for other targets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from broken_promises.cells import CONFIDENCES, Cell, Group
from broken_promises.populations import CostedPopulation, fitted, n_calibration

from wekaconf.data.cost_matrix import CostMatrix
from wekaconf.evaluation.aims import RejectCosts
from wekaconf.evaluation.promises.cost_promise import CostPlan

MATRICES = {2: CostMatrix(((0, 10), (2, 0))), 3: CostMatrix(((0, 1, 2), (10, 0, 2), (3, 1, 0.5)))}
"""Unequal costs of answers, by the number of classes."""
BETWEEN, JUST_BELOW, ABOVE = 0.25, 0.99, 1.1
"""Targets: so far on the way from the cheapest threshold to rejecting everything; and as shares of what answering
everything costs, which makes the lowest threshold break it narrowly, and of what rejecting everything costs."""
FEWER_BOUNDS = 5
"""By what the number of draws is divided in which bounds are computed."""


def cells(group: Group) -> list[Cell]:
    """All cells of a group of the part "costs"."""
    answers = fitted(group)
    if answers is None:
        return []
    n = n_calibration(group, len(answers.population.certainty))
    return [
        cell
        for costs in (RejectCosts(5, 1), RejectCosts(MATRICES[answers.n_classes], 1))
        for cell in _of_costs(group, CostedPopulation.of(answers, costs), n)
    ]


def targets(population: CostedPopulation) -> list[float]:
    """Targets that some threshold of the population keeps, below the cost of rejecting everything and above."""
    rejection = population.costs.rejection
    cost_at = population.cost_at(np.unique(population.rows.certainty))[0]
    cheapest, of_all_answers = float(cost_at.min()), float(cost_at[0])
    targets = (cheapest + BETWEEN * (rejection - cheapest), JUST_BELOW * of_all_answers, ABOVE * rejection)
    return [round(target, 4) for target in targets if target > cheapest]


def _of_costs(group: Group, population: CostedPopulation, n: int) -> Iterator[Cell]:
    for number, target in enumerate(targets(population)):
        for confidence in CONFIDENCES:
            yield from _draw(group, population, target, confidence, n, has_bounds=number == 0)


def _draw(
    group: Group, population: CostedPopulation, target: float, confidence: float, n: int, *, has_bounds: bool
) -> Iterator[Cell]:
    """The cells of the promise and of the bounds, which are the same for all targets and take longer to compute."""
    rng = np.random.default_rng([2, n, round(1000 * target), round(100 * confidence)])
    plan = CostPlan.of(target, 1 - confidence, population.costs, population.reference, n)
    true_costs = population.cost_at(plan.kept)[0]
    chosen, is_outside = [], []
    for draw in range(group.draws):
        drawn = rng.integers(0, len(population.rows.certainty), n)
        promise = plan.promise(population.rows._make(array[drawn] for array in population.rows))
        chosen.append(promise.threshold)
        if has_bounds and draw < group.draws // FEWER_BOUNDS:
            is_outside.append((promise.bounds < true_costs).any())
    cost, coverage = population.cost_at(chosen)
    is_broken = np.isfinite(chosen) & (cost > target)
    yield group.cell(f"cost {population.costs}", target, confidence, n, is_broken, coverage)
    if has_bounds:
        yield group.cell(
            f"cost bounds {population.costs}", target, confidence, n, is_outside, coverage[: len(is_outside)]
        )
