"""One split of the study of second opinions: certainties learned from opinions and from the sides of `combined`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from combining.forms import Floats
from combining.judging import COMBINED, FOREST, FOREST_OWN, Figures
from combining.opinions import Logistic, NaiveBayes, Neighbours
from combining.schemes import SIDES
from combining.sides import SMOOTHED, Sides, parted
from numpy.typing import NDArray

import wekaconf as wc
from wekaconf.base.rounding import most_probable
from wekaconf.methods.combined.held_out import HeldOut, sides_of
from wekaconf.methods.combined.learning import WeightedRanks
from wekaconf.model.scheme import parse_method

TWO, THREE = (NaiveBayes.name, Logistic.name), (NaiveBayes.name, Logistic.name, Neighbours.name)
ASKED = (SMOOTHED, *SIDES, *THREE)
SECOND, SECOND_NEAREST = "`combined` and two opinions", "`combined` and three opinions"
TWO_OPINIONS, THREE_OPINIONS = "two opinions", "three opinions"
LAPLACE_TWO, LAPLACE_THREE = "Laplace and two opinions", "Laplace and three opinions"
LEARNED: Mapping[str, tuple[str, ...]] = {
    COMBINED: SIDES,
    TWO_OPINIONS: TWO,
    THREE_OPINIONS: THREE,
    LAPLACE_TWO: (SMOOTHED, *TWO),
    LAPLACE_THREE: (SMOOTHED, *THREE),
    SECOND: (*SIDES, *TWO),
    SECOND_NEAREST: (*SIDES, *THREE),
}
"""Certainties that are learned as `combined` learns, by the sides that they are learned from."""


@dataclass(frozen=True, eq=False)
class Opinions(Sides):
    """The sides of one split, with the columns `ASKED` and one repetition of the inner folds.

    Parameters
    ----------
    forest_own : (n_test,) float64
        The largest class probability of the random forest.
    forest_right : (n_test,) bool
        Whether the forest's own answer is right.
    """

    forest_own: Floats
    forest_right: NDArray[np.bool_]

    def certainty(self, names: Iterable[str]) -> Floats:
        """(n_test,) float64: what is learned from these sides; Laplace's share where there is too little."""
        columns, right = [ASKED.index(name) for name in names], self.inner_right[0]
        found = WeightedRanks.of(self.inner[0][:, columns], right, np.ones(len(right)), penalty=1.0)
        return found.certainty(self.outer[:, columns]) if found else self.outer[:, ASKED.index(SMOOTHED)]

    def figures(self) -> dict[str, Figures]:
        """The figures of every certainty."""
        found = {name: Figures.of(self.outer[:, ASKED.index(name)], self.outer_right) for name in (SMOOTHED, *THREE)}
        found |= {name: Figures.of(self.certainty(sides), self.outer_right) for name, sides in LEARNED.items()}
        found[FOREST] = Figures.of(self.forest, self.outer_right)
        found[FOREST_OWN] = Figures.of(self.forest_own, self.forest_right)
        return found


def measured(data: wc.Dataset, seed: int) -> Opinions:
    """What all say of J48's answers on one split, on the folds on which `combined` learns."""
    train, test = parted(data, seed)
    methods = [*map(parse_method, (SMOOTHED, *SIDES)), NaiveBayes(), Logistic(), Neighbours()]
    held_out = HeldOut.of(train, wc.J48(), methods, n_folds=10, repetitions=1, seed=1)
    tree = wc.J48().grow_without_notes(train)
    predicted = most_probable(tree.predict_proba(test))
    outer = sides_of([method.fit(tree, train) for method in methods], test, predicted)
    forest = wc.LeafFrequency().fit(wc.RandomForest().grow_without_notes(train), train).predict_proba(test)
    return Opinions(
        held_out.sides[None],
        held_out.right[None],
        outer,
        predicted == test.class_values,
        forest[np.arange(len(test)), predicted],
        forest.max(axis=1),
        most_probable(forest) == test.class_values,
    )
