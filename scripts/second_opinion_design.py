"""Find out how `second_opinion` should pool, on the half of the data sets that is for designing.

``nice -n 15 python scripts/second_opinion_design.py [--minutes N] [--sides FOLDER]`` with the folder of UCI sets in
WEKACONF_UCI asks a tree, naive Bayes, a logistic regression and a random forest, one seed after another, small sets
first; a run that was interrupted goes on where it was. Then it writes docs/records/second-opinion-design.csv.gz, one
row per data set and scheme, and prints the tables.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from _records import FOLDER, Row, pack, unpack
from evidence.figures import TWINS
from numpy.typing import NDArray
from opinions.figures import SMALLER_IS_BETTER, figures_of
from opinions.halves import DESIGN, FEWEST_ANSWERS, HALVES, parted, sets_of_half
from scipy.stats import wilcoxon

import wekaconf as wc
from wekaconf.base.files import atomic_write
from wekaconf.base.rounding import most_probable
from wekaconf.methods.second_opinion.out_of_fold import OutOfFold
from wekaconf.methods.second_opinion.pool import fitted, logarithms, pooled
from wekaconf.methods.second_opinion.sides import OWN

FOLDS, PENALTIES = (3, 5, 10), (0.1, 1.0, 10.0)
USUAL = 5, 1.0
"""The folds and the penalty of the schemes that ask something else."""
SEED = 1
"""Draws the inner folds."""
TWO, TREE_ALONE, FOREST = ("laplace", "naive_bayes", "logistic"), ("laplace",), "random_forest"
ALL = (*TWO, FOREST)
SIDE_SETS = {"two opinions": TWO, "two opinions, forest": ALL, "two opinions, no tree": TWO[1:]}
RECORDS = FOLDER / "second-opinion-design.csv.gz"
FIGURES = ("error", "aurc", "coverage", "brier", "auroc")
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Split:
    """What the sides say of one split.

    Parameters
    ----------
    logs_3, logs_5, logs_10 : (n_sides, n_train, n_classes) float64
        Out of so many folds: of `TWO`, and out of five of `ALL`.
    inner_tree, inner_actual : (3, n_train) int64
        The class that the tree predicts out of so many folds, and that of the row.
    outer : (4, n_test, n_classes) float64
        The distributions that `ALL` give new rows.
    outer_tree, actual : (n_test,) int64
        The class that the tree predicts of new rows, and their own.
    """

    logs_3: Floats
    logs_5: Floats
    logs_10: Floats
    inner_tree: NDArray[np.int64]
    inner_actual: NDArray[np.int64]
    outer: Floats
    outer_tree: NDArray[np.int64]
    actual: NDArray[np.int64]

    @classmethod
    def measured(cls, data: wc.Dataset, seed: int) -> Split:
        """Ask the sides on one split."""
        train, test = parted(data, seed)
        tree = wc.J48().grow_without_notes(train)
        sides = {name: OWN[name].fit(tree, train) for name in ALL}
        told = {
            n: OutOfFold.of(train, wc.J48(), [sides[name] for name in (ALL if n == 5 else TWO)], n_folds=n, seed=SEED)
            for n in FOLDS
        }
        logs, of_tree, actual, _ = zip(*told.values(), strict=True)
        outer = np.stack([side.proba(test) for side in sides.values()])
        outer_tree = most_probable(tree.predict_proba(test))
        return cls(*logs, np.stack(of_tree), np.stack(actual), outer, outer_tree, test.class_values)

    @property
    def counts(self) -> bool:
        """Whether the tree gives enough right and enough wrong answers."""
        right = self.outer_tree == self.actual
        return min(right.sum(), (~right).sum()) >= FEWEST_ANSWERS

    def told(self, sides: Sequence[str], folds: int) -> OutOfFold:
        """What these sides say out of so many folds."""
        place, logs = FOLDS.index(folds), getattr(self, f"logs_{folds}")
        rows, actual = [ALL.index(side) for side in sides], self.inner_actual[place]
        return OutOfFold(logs[rows], self.inner_tree[place], actual, np.ones(len(actual)))

    @cached_property
    def is_poor(self) -> bool:
        """Whether there is too little to learn from."""
        return self.told(TREE_ALONE, 5).is_poor

    def weights(self, sides: Sequence[str], folds: int, penalty: float, towards: Floats | None = None) -> Floats:
        """(n_sides,) float64."""
        told = self.told(sides, folds)
        towards = np.full(len(sides), 1 / len(sides)) if towards is None else towards
        return fitted(told.logs, told.actual, told.weights, penalty, towards)

    def pool(self, sides: Sequence[str], weights: Floats) -> Floats:
        """(n_test, n_classes) float64."""
        return pooled(logarithms(self.outer[[ALL.index(side) for side in sides]]), weights)

    def figures(self, proba: Floats, *, of_tree: bool) -> dict[str, float]:
        """The figures of answers from a distribution: its most probable classes, or those of the tree."""
        return figures_of(proba, self.outer_tree, self.actual, is_tree=of_tree)


def schemes(splits: Mapping[str, Sequence[Split]]) -> dict[str, dict[str, list[tuple[Floats, Floats]]]]:
    """By scheme and data set, for each split: the pooled distributions, and the weights."""
    learned = {
        (sides, folds, penalty): {
            name: [split.weights(SIDE_SETS[sides], folds, penalty) for split in of_set]
            for name, of_set in splits.items()
        }
        for sides, folds, penalty in (
            *((sides, *USUAL) for sides in SIDE_SETS),
            *(("two opinions", folds, USUAL[1]) for folds in FOLDS if folds != USUAL[0]),
            *(("two opinions", USUAL[0], penalty) for penalty in PENALTIES if penalty != USUAL[1]),
        )
    }
    weights = {label_of(*key): (SIDE_SETS[key[0]], by_set) for key, by_set in learned.items()}
    for label, sides in SIDE_SETS.items():
        means = {name: np.mean(of_set, axis=0) for name, of_set in learned[label, *USUAL].items()}
        others = {name: np.mean([mean for n, mean in means.items() if n != name], axis=0) for name in means}
        drawn = {
            name: [split.weights(sides, *USUAL, towards=others[name]) for split in of_set]
            for name, of_set in splits.items()
        }
        weights[f"{label}, towards the mean of others"] = sides, drawn
        fixed = {name: [others[name]] * len(of_set) for name, of_set in splits.items()}
        weights[f"{label}, the mean of others"] = sides, fixed
        equal = np.full(len(sides), 1 / len(sides))
        weights[f"{label}, equal"] = sides, {name: [equal] * len(of_set) for name, of_set in splits.items()}
    for one in ALL:
        weights[one] = (one,), {name: [np.ones(1)] * len(of_set) for name, of_set in splits.items()}
    return {
        scheme: {
            name: [(split.pool(sides, w), w) for split, w in zip(splits[name], of_set, strict=True)]
            for name, of_set in by_set.items()
        }
        for scheme, (sides, by_set) in weights.items()
    }


def label_of(sides: str, folds: int, penalty: float) -> str:
    """A scheme by what is unusual of it."""
    parts = [sides]
    parts += [f"{folds} folds"] if folds != USUAL[0] else []
    return ", ".join(parts + ([f"penalty {penalty:g}"] if penalty != USUAL[1] else []))


def rows_of(splits: Mapping[str, Sequence[Split]]) -> list[Row]:
    """The rows of the data sets that count, means over their splits.

    A pool of the tree and others is the tree alone where there is too little to learn from, as in the method.
    """
    splits = {name: counted for name, of_set in splits.items() if (counted := [s for s in of_set if s.counts])}
    splits = {name: of_set for name, of_set in splits.items() if len(of_set) >= HALVES[DESIGN].fewest_splits}
    found = []
    for scheme, by_set in schemes(splits).items():
        is_learned = scheme not in ALL and not scheme.endswith((", equal", ", the mean of others"))
        for name, of_set in by_set.items():
            for of_tree in (False, True):
                values: list[dict[str, float]] = []
                for split, (proba, _) in zip(splits[name], of_set, strict=True):
                    used = split.pool(TREE_ALONE, np.ones(1)) if is_learned and split.is_poor else proba
                    values.append(split.figures(used, of_tree=of_tree))
                weights = np.mean([weights for _, weights in of_set], axis=0)
                found.append({
                    "data_set": name,
                    "n_instances": str(len(of_set[0][0]) + splits[name][0].inner_actual.shape[1]),
                    "n_splits": str(len(of_set)),
                    "n_poor": str(sum(split.is_poor for split in splits[name])),
                    "scheme": scheme,
                    "answers": "tree" if of_tree else "likeliest",
                    **{key: f"{np.nanmean([value[key] for value in values]):.5f}" for key in (*FIGURES, "own")},
                    "weights": "+".join(f"{weight:.4f}" for weight in weights),
                })  # fmt: skip
    return found


def compared(rows: Sequence[Row], one: tuple[str, str], other: tuple[str, str], figure: str) -> str:
    """On how many sets one scheme is better and worse than another, and Wilcoxon's p."""
    by_set: dict[tuple[str, str], dict[str, float]] = {one: {}, other: {}}
    for row in rows:
        if (key := (row["scheme"], row["answers"])) in by_set:
            by_set[key][row["data_set"]] = float(row[figure])
    difference = np.array([by_set[one][name] - by_set[other][name] for name in by_set[one]])
    difference = -difference if figure in SMALLER_IS_BETTER else difference
    p = wilcoxon(difference).pvalue if difference.any() else 1.0
    return f"{(difference > 0).sum()}:{(difference < 0).sum()} p={p:.2g}"


def tables(rows: Sequence[Row]) -> Iterable[str]:
    """The means of every scheme, and each beside the usual one of its sides."""
    names = list(dict.fromkeys(row["data_set"] for row in rows))
    keys = list(dict.fromkeys((row["scheme"], row["answers"]) for row in rows))
    n_splits = sum(int(row["n_splits"]) for row in rows) // len(keys)
    yield f"{len(names)} sets, {n_splits} splits: {', '.join(names)}"
    yield " ".join([f"{'scheme':46} answers  ", *(f"{figure:>8}" for figure in (*FIGURES, "own")), " against usual"])
    for key in keys:
        own = [row for row in rows if (row["scheme"], row["answers"]) == key]
        means = [f"{np.mean([float(row[figure]) for row in own]):8.4f}" for figure in (*FIGURES, "own")]
        of_sides = [sides for sides in sorted(SIDE_SETS, key=len, reverse=True) if key[0].startswith(sides)]
        usual = (of_sides or ["two opinions"])[0], "likeliest"
        beside = [f"{figure} {compared(rows, key, usual, figure)}" for figure in ("aurc", "coverage", "error")]
        yield " ".join([f"{key[0]:46} {key[1]:9}", *means, "" if key == usual else "; ".join(beside)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=90, help="measure nothing more after this time")
    parser.add_argument("--sides", type=Path, default=Path("/tmp/pooled-sides"), help="where the sides are kept")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    end = time.monotonic() + 60 * given.minutes
    given.sides.mkdir(parents=True, exist_ok=True)
    sets = sets_of_half(DESIGN, Path(os.environ["WEKACONF_UCI"]), TWINS)
    splits: dict[str, list[Split]] = {}
    for seed, name in itertools.product(HALVES[DESIGN].seeds, sets):
        path = given.sides / f"{name} {seed}.npz"
        if not path.exists() and time.monotonic() < end:
            begin = time.process_time()
            split = Split.measured(sets[name], seed)
            with atomic_write(path, "wb") as file:
                np.savez_compressed(file, **vars(split))
            print(f"{path.stem}: {time.process_time() - begin:.1f} s", flush=True)
        if path.exists():
            with np.load(path) as arrays:
                splits.setdefault(name, []).append(Split(**arrays))
    pack(RECORDS, rows_of(splits))
    print("\n".join(tables(unpack(RECORDS))))


if __name__ == "__main__":
    main()
