"""One split of the verdict: how well each certainty tells a tree's right answers from its wrong ones."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from combining.forms import Floats
from combining.schemes import FEWEST_ANSWERS, ROUNDING, TARGET_ERROR
from combining.sides import METHODS, SMOOTHED, asked, parted
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

import wekaconf as wc
from wekaconf.base.rounding import most_probable
from wekaconf.evaluation.ranking import auroc
from wekaconf.evaluation.risk_coverage import risk_coverage
from wekaconf.experiments.advising.rivals import answers_of_rivals
from wekaconf.methods.combined import Combined
from wekaconf.methods.combined.held_out import HeldOut, sides_of
from wekaconf.model.scheme import learner_of, parse_method

COMBINED = "combined"
SIGMOID, ISOTONIC = "Laplace, sigmoid", "Laplace, isotonic"
BAGGED, FOREST, BOOSTED = "ten bagged trees", "random forest", "gradient boosting"
FOREST_OWN, BOOSTED_OWN = f"{FOREST}, own answers", f"{BOOSTED}, own answers"
GROWING = ("tpce", "kukar_kononenko")
"""Methods that grow trees to answer, on the trees of their own learner, `GROWER`."""
GROWER = "info_gain"
BOUND = 1e-6
"""How far the log-odds of a probability are taken from 0 and 1."""


@dataclass(frozen=True)
class Figures:
    """How well a certainty tells right from wrong answers.

    Parameters
    ----------
    auroc : float
        The area under the ROC curve of right against wrong answers; a tie counts one half.
    aurc : float
        The area under the risk-coverage curve; answers of equal certainty are given together.
    coverage : float
        The largest share of the rows that a threshold answers with 5 % wrong answers.
    brier : float
        The mean squared difference of the certainty from 1 where the answer is right, from 0 where it is wrong; NaN of
        what is no probability.
    error : float
        The share of wrong answers.
    """

    auroc: float
    aurc: float
    coverage: float
    brier: float
    error: float

    @classmethod
    def of(cls, certainty: Floats, right: NDArray[np.bool_]) -> Figures:
        """The figures of some answers."""
        curve = risk_coverage(certainty, right)
        is_share = certainty.min() >= -ROUNDING and certainty.max() <= 1 + ROUNDING
        return cls(
            auroc(certainty, right),
            float(np.diff(curve.accepted, prepend=0) @ curve.error / curve.accepted[-1]),
            float(curve.coverage[curve.error <= TARGET_ERROR].max(initial=0.0)),
            float(np.mean((certainty - right) ** 2)) if is_share else math.nan,
            float(np.mean(~right)),
        )


def counts(data: wc.Dataset, learner: str, seed: int) -> bool:
    """Whether the plain tree of a split gives at least 3 right and 3 wrong answers."""
    train, test = parted(data, seed)
    right = learner_of(learner).grow_without_notes(train).predict(test) == test.class_values
    return min(np.sum(right), np.sum(~right)) >= FEWEST_ANSWERS


def judged(data: wc.Dataset, learner: str, seed: int) -> dict[str, Figures]:
    """The figures of every scheme on one split."""
    train, test = parted(data, seed)
    tree = learner_of(learner).grow_without_notes(train)
    assert isinstance(tree, wc.TreeMirror)
    sides, right, predicted = asked(tree, train, test)
    found = {name: Figures.of(sides[:, column], right) for column, name in enumerate(METHODS)}
    found[COMBINED] = Figures.of(Combined().fit(tree, train).certainty(test), right)
    rows = np.arange(len(test))
    forest = wc.LeafFrequency().fit(wc.RandomForest().grow_without_notes(train), train).predict_proba(test)
    found[FOREST] = Figures.of(forest[rows, predicted], right)
    if learner == GROWER:
        for name in GROWING:
            found[name] = Figures.of(sides_of([parse_method(name).fit(tree, train)], test, predicted)[:, 0], right)
    if learner == "J48":
        asked_laplace = sides[:, METHODS.index(SMOOTHED)]
        found |= {name: Figures.of(one, right) for name, one in calibrated(train, asked_laplace, seed=1).items()}
        bagged = wc.LeafFrequency().fit(wc.Bagging().grow_without_notes(train), train).predict_proba(test)
        found[BAGGED] = Figures.of(bagged[rows, predicted], right)
        boosted = answers_of_rivals(train, test, BOOSTED).proba
        found[BOOSTED] = Figures.of(boosted[rows, predicted], right)
        for name, proba in ((FOREST_OWN, forest), (BOOSTED_OWN, boosted)):
            found[name] = Figures.of(proba.max(axis=1), most_probable(proba) == test.class_values)
    return found


def calibrated(train: wc.Dataset, asked_laplace: Floats, seed: int) -> dict[str, Floats]:
    """Laplace's correction of the tree's class, calibrated on the folds on which `combined` learns."""
    method = wc.LeafFrequency(laplace=True)
    held_out = HeldOut.of(train, learner_of("J48"), [method], n_folds=10, repetitions=1, seed=seed)
    known, right = held_out.sides[:, 0], held_out.right
    if len(set(right.tolist())) < 2:
        return {SIGMOID: asked_laplace, ISOTONIC: asked_laplace}
    sigmoid = LogisticRegression(C=np.inf).fit(_log_odds(known), right)
    isotonic = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(known, right)
    return {
        SIGMOID: sigmoid.predict_proba(_log_odds(asked_laplace))[:, 1],
        ISOTONIC: np.asarray(isotonic.predict(asked_laplace)),
    }


def _log_odds(share: Floats) -> Floats:
    """(n, 1) float64."""
    share = np.clip(share, BOUND, 1 - BOUND)[:, None]
    return np.asarray(np.log(share / (1 - share)))
