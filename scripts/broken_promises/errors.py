"""Promised errors: of all answers, of each class, the bounds for other targets, and thresholds without a confidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from broken_promises.cells import CONFIDENCES, TARGETS, Cell, Group
from broken_promises.populations import Fitted, Population, fitted, n_calibration

import wekaconf as wc
from wekaconf.evaluation.promises import least_answers
from wekaconf.evaluation.promises.promise import TestPlan
from wekaconf.model.fit import threshold


def cells(group: Group) -> list[Cell]:
    """All cells of a group of the parts "generated" and "real"."""
    answers = fitted(group)
    if answers is None:
        return []
    whole, predicted = Population.of(answers), answers.population.predicted
    classes = [Population.of(answers, c) for c in range(answers.n_classes)]
    n = n_calibration(group, len(predicted))
    found = [
        cell
        for target, confidence in aims(n)
        for cell in _draw(group, whole, classes, predicted, target, confidence, n)
    ]
    if group.part == "real":
        found += [_out_of_fold(group, whole, answers, target) for target in TARGETS]
    return found


def aims(n: int) -> list[tuple[float, float]]:
    """The targets and confidences that so many answers without an error would show."""
    return [
        (target, confidence)
        for target in TARGETS
        for confidence in CONFIDENCES
        if (least_answers(target, 1 - confidence) or n) <= n
    ]


def _draw(
    group: Group,
    whole: Population,
    classes: Sequence[Population],
    predicted: np.ndarray,
    target: float,
    confidence: float,
    n: int,
) -> Iterator[Cell]:
    rng = np.random.default_rng([1, n, round(1000 * target), round(100 * confidence)])
    delta = 1 - confidence
    plan = TestPlan.of(target, delta, whole.reference, n)
    true_errors = whole.error_at(plan.kept)[0]

    @lru_cache(maxsize=4096)
    def class_plan(c: int, n_class: int) -> TestPlan:
        return TestPlan.of(target, delta / len(classes), classes[c].reference, n_class)

    chosen, in_classes, is_outside = [], [], []
    for _ in range(group.draws):
        drawn = rng.integers(0, len(predicted), n)
        rows = whole.rows._make(array[drawn] for array in whole.rows)
        promise = plan.promise(rows)
        chosen.append(promise.threshold)
        is_outside.append((promise.bounds < true_errors).any())
        if group.part == "generated":
            of = [predicted[drawn] == c for c in range(len(classes))]
            in_classes.append([
                class_plan(c, int(of[c].sum())).promise(rows._make(array[of[c]] for array in rows)).threshold
                for c in range(len(classes))
            ])  # fmt: skip
    error, coverage = whole.error_at(chosen)
    yield group.cell("promise", target, confidence, n, error > target, coverage)
    if target == TARGETS[0] or (least_answers(TARGETS[0], delta) or 0) > n:
        yield group.cell("bounds", target, confidence, n, is_outside, coverage)
    if in_classes:
        by_class = [population.error_at(of) for population, of in zip(classes, np.transpose(in_classes), strict=True)]
        shares = [len(population.rows.certainty) / len(predicted) for population in classes]
        is_broken = np.any([error > target for error, _ in by_class], axis=0)
        coverage = np.sum([share * coverage for share, (_, coverage) in zip(shares, by_class, strict=True)], axis=0)
        yield group.cell("classes", target, confidence, n, is_broken, coverage)


def _out_of_fold(group: Group, whole: Population, answers: Fitted, target: float) -> Cell:
    choice = threshold(answers.method, answers.growing, wc.Aim("error", target), learner=answers.learner)
    error, coverage = whole.error_at([choice.threshold])
    return group.cell("out of fold", target, 0.0, 0, error > target, coverage)
