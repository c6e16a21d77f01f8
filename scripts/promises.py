"""Count broken promises where the truth is known: docs/records/promises.csv, from which docs/promises.md is written.

``python scripts/promises.py [--part generated|real] [--draws N] [--minutes N]``: a run that was interrupted goes on
where it was. `scripts/docs_records.py --write` puts the figures into the page.

Generated data: a tree is grown on 1,000 rows of a generator, and answers for a population of 100,000 rows. The error of
every threshold is then known exactly, and calibration rows are drawn from the population with replacement. Real data:
half of the rows of a UCI set grow a J48, and the others are the population.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

import wekaconf as wc
from wekaconf.data.header import Attribute, Header
from wekaconf.evaluation.accepting import Certainties
from wekaconf.evaluation.bounds import least_answers
from wekaconf.evaluation.promise import TestPlan
from wekaconf.evaluation.promised_choice import OPTIMISM, growing_rows
from wekaconf.evaluation.thresholds import levels_of
from wekaconf.experiments.session import threshold
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.model.scheme import parse_method

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "docs" / "records" / "promises.csv"
DRAWS, N_POPULATION, N_GROWING, LEAST_ROWS = 10_000, 100_000, 1_000, 1_000
TARGETS, CONFIDENCES, N_CALIBRATION = (0.01, 0.02, 0.05, 0.1), (0.9, 0.95), (400,)
LEARNERS = {"J48": wc.J48, "CART": wc.CART, "RandomForest": lambda: wc.RandomForest("-I 20")}
PARTS, GENERATORS = ("generated", "real"), ("corner", "votes")
METHODS = (
    "leaf_frequency", "leaf_frequency:laplace=true", "confdtree", "shrinkage", "wpe:numeric=bins",
    "shrinkage_wpe:numeric=bins", "m_branch", "ling_yan", "curtailment", "id3_sd", "id3_max",
    "boundary_distance:scaling=minmax",
)  # fmt: skip
"""All that answer without growing trees."""


@dataclass(frozen=True)
class Cell:
    """How often promises of one kind were broken.

    Parameters
    ----------
    part, data, learner, method : str
    rule : str
        "promise": the chosen threshold; "bounds": all thresholds of other targets at once; "classes": a target for each
        class at once; "out of fold": a threshold without a confidence.
    target, confidence : float
    n, draws : int
        Number of calibration rows, and of draws of them.
    broken, any : int
        Number of draws in which the promise was broken, and in which anything was answered.
    coverage : float
        Mean share of the population that is answered.
    """

    part: str
    data: str
    learner: str
    method: str
    rule: str
    target: float
    confidence: float
    n: int
    draws: int
    broken: int
    any: int
    coverage: float


def generated(name: str, n: int, seed: int) -> wc.Dataset:
    """Rows of a generator: "corner" has two classes and label noise, "votes" three classes, and few values."""
    rng = np.random.default_rng(seed)
    if name == "corner":
        x = rng.normal(size=(n, 4))
        chance = np.where((x[:, 0] > 0) & (x[:, 1] > -0.5), 0.99, np.where(x[:, 2] > 1.5, 0.5, 0.01))
        y, n_classes = (rng.random(n) < chance).astype(float), 2
    else:
        x = rng.integers(0, 5, size=(n, 5)).astype(float)
        scores = np.stack([x[:, 0] + x[:, 1], x[:, 2] + x[:, 3], np.full(n, 4.0)], axis=1)
        y, n_classes = (scores + rng.gumbel(0, 0.4, scores.shape)).argmax(axis=1).astype(float), 3
    columns = tuple(Attribute(f"x{i}") for i in range(x.shape[1]))
    classes = Attribute("class", "nominal", tuple("abc"[:n_classes]))
    return wc.Dataset(Header(name, (*columns, classes), len(columns)), np.column_stack((x, y)))


@dataclass(frozen=True, eq=False)
class Population:
    """The answers for the population, and for the rows that the tree grew on; for all answers or one class."""

    rows: Certainties
    reference: Certainties

    def error_at(self, thresholds: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """The error and the coverage of the population at thresholds; the error is 0 where nothing is answered."""
        level, answered, wrong = levels_of(*self.rows)
        place = np.searchsorted(-level, -np.asarray(thresholds), side="right")
        answered, wrong = np.append(0.0, answered)[place], np.append(0.0, wrong)[place]
        return wrong / np.maximum(answered, 1), answered / len(self.rows.certainty)


def answered(method: PostProcessor, data: wc.Dataset) -> tuple[Certainties, np.ndarray]:
    """The answers for rows, and the classes that they predict."""
    parts = [method.answer(data.take(slice(begin, begin + 20_000))) for begin in range(0, len(data), 20_000)]
    certainty, predicted = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("certainty", "predicted")
    )
    return Certainties(certainty, predicted == data.class_values, np.ones(len(data))), predicted


class Group:
    """One fitted method on one population: all cells of it."""

    def __init__(self, part: str, data: str, learner: str, method: str, draws: int) -> None:
        self.names = {"part": part, "data": data, "learner": learner, "method": method}
        self.draws = draws

    def cells(self) -> list[Cell]:
        """The cells; none where the method does not take the learner's trees."""
        growing, rest = self._data()
        learner = LEARNERS[self.names["learner"]]()
        method = parse_method(self.names["method"])
        try:
            method.fit(learner.grow(growing), growing)
        except wc.OptionError:  # a method of single trees, or of trees that keep counts
            return []
        (rows, predicted), (grew, grew_as) = (
            answered(method, rest),
            answered(method, growing.take(growing_rows(len(growing)))),
        )
        whole = Population(rows, grew)
        classes = [
            Population(
                *(Certainties(*(array[of == c] for array in part)) for part, of in ((rows, predicted), (grew, grew_as)))
            )
            for c in range(rest.n_classes)
        ]
        cells = [
            cell
            for n in self._sizes(len(rest))
            for target in TARGETS
            for confidence in CONFIDENCES
            if (least_answers(target, 1 - confidence) or n) <= n
            for cell in self._draw(whole, classes, predicted, target, confidence, n)
        ]
        if self.names["part"] == "real":
            cells += [self._out_of_fold(whole, method, growing, learner, target) for target in TARGETS]
        return cells

    def _data(self) -> tuple[wc.Dataset, wc.Dataset]:
        name = self.names["data"]
        if self.names["part"] == "generated":
            return generated(name, N_GROWING, 1), generated(name, N_POPULATION, 2)
        data = wc.load_arff(Path(os.environ["WEKACONF_UCI"]) / f"{name}.arff")
        data = data.take(data.class_values >= 0)
        order = np.random.default_rng(1).permutation(len(data))
        return data.take(order[: len(data) // 2]), data.take(order[len(data) // 2 :])

    def _sizes(self, n_rest: int) -> Sequence[int]:
        return N_CALIBRATION if self.names["part"] == "generated" else (min(max(2 * n_rest // 5, 200), 4000),)

    def _draw(self, whole: Population, classes: Sequence[Population], predicted: np.ndarray, target: float,
              confidence: float, n: int) -> Iterator[Cell]:  # fmt: skip
        rng = np.random.default_rng([1, n, round(1000 * target), round(100 * confidence)])
        delta = 1 - confidence
        plan = TestPlan.of(target, delta, whole.reference, n, optimism=OPTIMISM)
        true_errors = whole.error_at(plan.kept)[0]

        @lru_cache(maxsize=4096)
        def class_plan(c: int, n_class: int) -> TestPlan:
            return TestPlan.of(target, delta / len(classes), classes[c].reference, n_class, optimism=OPTIMISM)

        chosen, in_classes, is_outside = [], [], 0
        for _ in range(self.draws):
            drawn = rng.integers(0, len(predicted), n)
            rows = Certainties(*(array[drawn] for array in whole.rows))
            promise = plan.promise(rows)
            chosen.append(promise.threshold)
            is_outside += bool((promise.bounds < true_errors).any())
            if self.names["part"] == "generated":
                of = [predicted[drawn] == c for c in range(len(classes))]
                in_classes.append([
                    class_plan(c, int(of[c].sum())).promise(Certainties(*(array[of[c]] for array in rows))).threshold
                    for c in range(len(classes))
                ])  # fmt: skip
        yield self._cell("promise", target, confidence, n, *whole.error_at(chosen))
        cell = self._cell("bounds", target, confidence, n, *whole.error_at(chosen))
        if target == TARGETS[0] or (least_answers(TARGETS[0], delta) or 0) > n:
            yield Cell(**asdict(cell) | {"broken": is_outside})
        if in_classes:
            by_class = [
                population.error_at(of) for population, of in zip(classes, np.transpose(in_classes), strict=True)
            ]
            shares = [len(population.rows.certainty) / len(predicted) for population in classes]
            error = np.max([error for error, _ in by_class], axis=0)
            coverage = np.sum([share * coverage for share, (_, coverage) in zip(shares, by_class, strict=True)], axis=0)
            yield self._cell("classes", target, confidence, n, error, coverage)

    def _cell(
        self, rule: str, target: float, confidence: float, n: int, error: np.ndarray, coverage: np.ndarray
    ) -> Cell:
        broken, some = int((error > target).sum()), int((coverage > 0).sum())
        return Cell(**self.names, rule=rule, target=target, confidence=confidence, n=n, draws=len(error), broken=broken,
                    any=some, coverage=round(float(coverage.mean()), 4))  # fmt: skip

    def _out_of_fold(
        self, whole: Population, method: PostProcessor, growing: wc.Dataset, learner: Any, target: float
    ) -> Cell:
        choice = threshold(method, growing, wc.Aim("error", target), learner=learner)
        return self._cell("out of fold", target, 0.0, 0, *whole.error_at([choice.threshold]))


def groups(parts: Sequence[str], draws: int) -> list[Group]:
    """All groups, those of generated data first."""
    found = []
    if "generated" in parts:
        found += [Group("generated", data, learner, method, draws) for data in GENERATORS for learner in LEARNERS
                  for method in METHODS]  # fmt: skip
    if "real" in parts:
        found += [Group("real", data, "J48", method, draws // 10) for data in real_sets() for method in
                  ("leaf_frequency:laplace=true", "m_branch", "boundary_distance:scaling=minmax")]  # fmt: skip
    return found


def real_sets() -> list[str]:
    """The UCI sets with at least 1,000 rows and at most 20,000, and a nominal class."""
    names = []
    for path in sorted(Path(os.environ["WEKACONF_UCI"]).glob("*.arff")):
        data = wc.load_arff(path, class_attribute="last")
        if LEAST_ROWS <= len(data) <= 20_000 and data.header.class_attribute.is_nominal:
            names.append(path.stem)
    return names


def _work(group: Group) -> tuple[Group, list[Cell]]:
    return group, group.cells()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--part", choices=PARTS, action="append", help="only these data; left out, all")
    parser.add_argument("--draws", type=int, default=DRAWS, help="draws per cell; a tenth of them on real data")
    parser.add_argument("--minutes", type=float, default=180, help="begin no further group after this time")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    done = set()
    if RECORDS.exists():
        with RECORDS.open(newline="") as file:
            done = {tuple(row[name] for name in ("part", "data", "learner", "method")) for row in csv.DictReader(file)}
    open_groups = [
        group for group in groups(arguments.part or PARTS, arguments.draws) if tuple(group.names.values()) not in done
    ]
    begin, names = time.monotonic(), list(Cell.__dataclass_fields__)
    in_time = (group for group in open_groups if time.monotonic() - begin < 60 * arguments.minutes)
    work = Parallel(n_jobs=arguments.jobs, return_as="generator_unordered", pre_dispatch=arguments.jobs)
    for number, (group, cells) in enumerate(work(delayed(_work)(group) for group in in_time), 1):
        is_new = not RECORDS.exists()
        with RECORDS.open("a", newline="") as file:
            writer = csv.DictWriter(file, names, lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerows(asdict(cell) for cell in cells)
        broken = max((cell.broken / cell.draws / (1 - cell.confidence) for cell in cells if cell.n), default=0)
        print(
            f"{number}/{len(open_groups)} {' '.join(group.names.values())}: {len(cells)} cells, most broken "
            f"{broken:.2f} of delta, {time.monotonic() - begin:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
