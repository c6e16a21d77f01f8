"""One split of the study that judges `second_opinion`: every scheme's answers, from what the same four sides say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

import wekaconf as wc
from opinions.figures import figures_of
from opinions.promised import Kept, Told, kept
from wekaconf.base.files import atomic_write
from wekaconf.base.rounding import most_probable
from wekaconf.methods.second_opinion._out_of_fold import OutOfFold
from wekaconf.methods.second_opinion._pool import logarithms, pooled
from wekaconf.methods.second_opinion._sides import OWN

FOLDS, PENALTY, SEED = 3, 1.0, 1
"""The defaults of the method."""
TWO, FOREST, LAPLACE = ("laplace", "naive_bayes", "logistic"), "random_forest", "laplace"
ALL = (*TWO, FOREST)
OURS, OURS_FOREST, NO_TREE = "second_opinion", "second_opinion, forest beside", "naive Bayes and regression, no tree"
POOLS = {OURS: TWO, OURS_FOREST: ALL, NO_TREE: TWO[1:]}
VOTING, STACKING = "voting", "stacking"
OF_MEMBERS = {", two opinions": TWO, ", forest beside": ALL}
"""The members of voting and stacking, by what is added to their names."""
Floats = NDArray[np.float64]


class Answers(NamedTuple):
    """The distributions of a scheme.

    Parameters
    ----------
    inner : (n_train, n_classes) float64
        For training rows out of fold.
    outer : (n_asked, n_classes) float64
        For the rows that are asked.
    """

    inner: Floats
    outer: Floats


@dataclass(frozen=True, eq=False)
class Judged:
    """What the sides say of one split.

    Parameters
    ----------
    inner : (4, n_train, n_classes) float64
        Logarithms, out of fold.
    inner_tree, inner_actual : (n_train,) int64
        The class that the tree predicts out of fold, and that of the row.
    outer : (4, n_asked, n_classes) float64
        Distributions.
    outer_tree, actual : (n_asked,) int64
    n_held : int
        How many of the asked rows, the first ones, calibrate a promise.
    """

    inner: Floats
    inner_tree: NDArray[np.int64]
    inner_actual: NDArray[np.int64]
    outer: Floats
    outer_tree: NDArray[np.int64]
    actual: NDArray[np.int64]
    n_held: int

    @classmethod
    def measured(cls, train: wc.Dataset, asked: wc.Dataset, n_held: int = 0) -> Judged:
        """Let the sides learn, and ask them."""
        tree = wc.J48().grow_without_notes(train)
        sides = {name: OWN[name].fit(tree, train) for name in ALL}
        told = OutOfFold.of(train, wc.J48(), list(sides.values()), n_folds=FOLDS, seed=SEED)
        outer = np.stack([side.proba(asked) for side in sides.values()])
        of_tree = most_probable(tree.predict_proba(asked))
        return cls(told.logs, told.of_tree, told.actual, outer, of_tree, asked.class_values, n_held)

    def save(self, path: Path) -> None:
        """Write the arrays into one file, whole or not at all."""
        with atomic_write(path, "wb") as file:
            np.savez_compressed(file, **asdict(self))

    @classmethod
    def load(cls, path: Path) -> Judged:
        """What `save` wrote."""
        with np.load(path) as arrays:
            return cls(**dict(arrays) | {"n_held": int(arrays["n_held"])})

    def _told(self, rows: Sequence[int]) -> OutOfFold:
        return OutOfFold(self.inner[rows], self.inner_tree, self.inner_actual, np.ones(len(self.inner_actual)))

    def answers(self) -> Iterator[tuple[str, Answers]]:
        """Every scheme with its distributions; a pool is the tree alone where there is too little to learn from."""
        inner = np.exp(self.inner)
        of_side = {name: Answers(inner[i], self.outer[i]) for i, name in enumerate(ALL)}
        is_poor = self._told(range(len(ALL))).is_poor
        yield LAPLACE, of_side[LAPLACE]
        yield FOREST, of_side[FOREST]
        for name, sides in POOLS.items():
            yield name, of_side[LAPLACE] if is_poor else self._pool(sides)
        for words, sides in OF_MEMBERS.items():
            rows = [ALL.index(side) for side in sides]
            yield VOTING + words, Answers(inner[rows].mean(axis=0), self.outer[rows].mean(axis=0))
            yield (
                STACKING + words,
                self._stacked(np.concatenate(inner[rows], axis=1), np.concatenate(self.outer[rows], axis=1)),
            )

    def _pool(self, sides: tuple[str, ...]) -> Answers:
        rows = [ALL.index(side) for side in sides]
        told = self._told(rows)
        weights = told.fitted_weights(PENALTY)
        return Answers(pooled(told.logs, weights), pooled(logarithms(self.outer[rows]), weights))

    def _stacked(self, inner: Floats, outer: Floats) -> Answers:
        """As StackingClassifier does: a logistic regression learns from the members' distributions out of fold."""
        final, n_classes = LogisticRegression(max_iter=1000).fit(inner, self.inner_actual), self.inner.shape[2]
        found = Answers(np.zeros((len(inner), n_classes)), np.zeros((len(outer), n_classes)))
        for proba, asked in zip(found, (inner, outer), strict=True):
            proba[:, final.classes_] = final.predict_proba(asked)
        return found

    def figures(self, answers: Answers, *, of_tree: bool) -> dict[str, float]:
        """The figures of answers: the most probable classes, or those of the tree; `own`: the share of the tree's."""
        return figures_of(answers.outer, self.outer_tree, self.actual, is_tree=of_tree)

    def promised(self, answers: Answers) -> Kept:
        """What the likeliest answers bring under a promise of half of the tree's own error."""
        inner, outer = (
            Told(proba.max(axis=1), most_probable(proba) == actual)
            for proba, actual in zip(answers, (self.inner_actual, self.actual), strict=True)
        )
        n = self.n_held
        held, new = Told(outer.certainty[:n], outer.right[:n]), Told(outer.certainty[n:], outer.right[n:])
        return kept(float((self.inner_tree != self.inner_actual).mean()), inner, held, new)
