"""The measurements: the wrong answers that a threshold on the distance to the boundary leaves, also on drawn planes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.bridge import versions
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.measures import figures, risk_coverage
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.evaluation.protocol import Protocol
from wekaconf.evaluation.thresholds import choose_threshold
from wekaconf.experiments.runner import evaluate
from wekaconf.learners.cart import CART
from wekaconf.methods.boundary_distance import BoundaryDistance
from wekaconf.replication._runner import Record
from wekaconf.tree import TreeMirror

PAPER = "toth2006"
KEPT_OF_PLANE = 0.76
FURTHER = 10_000
"""Added to a seed for new points of the same shape."""
# On whole numbers no threshold keeps 90 %. The words of 2006 name the largest that keeps at least as much; the figures
# of one experiment belong to the nearest.
RULES = ("rule", "nearest")
"""The largest threshold that keeps at least the share, and the one whose kept share is nearest to it."""
N_POINTS = 1354
SHARE_WRONG = 106 / 1354
"""Share of the points that the paper's tree gets wrong; here the share that noise carries across the boundary."""
HEADER = Header("plane", (Attribute("x1"), Attribute("x2"), Attribute("class", "nominal", ("class 1", "class 2"))), 2)
RADIUS = math.sqrt(0.25 / math.pi)


class Shape(NamedTuple):
    """A division of the unit square into two classes of equal area.

    Parameters
    ----------
    is_first : callable
        (n,) bool from coordinates, two (n,) float64: whether points belong to class 1.
    boundary : float
        Length of the line between the classes, in sides of the square.
    """

    is_first: Callable[[FloatArray, FloatArray], NDArray[np.bool_]]
    boundary: float


# Three shapes with ten seeds each, since one would have been a choice: on chess with seed 1 nearly every printed count
# comes out, which says nothing.
SHAPES = {
    "wave": Shape(lambda x1, x2: x2 < 0.5 + 0.25 * np.sin(2 * np.pi * x1), 1.4637),
    "discs": Shape(
        lambda x1, x2: np.minimum(np.hypot(x1 - 0.29, x2 - 0.29), np.hypot(x1 - 0.71, x2 - 0.71)) < RADIUS,
        4 * math.pi * RADIUS,
    ),
    "chess": Shape(lambda x1, x2: (x1 < 0.5) == (x2 < 0.5), 2.0),
}


@dataclass(frozen=True)
class Experiment:
    """A tree on breast-w, and the share of the correct answers to keep.

    Parameters
    ----------
    name : str
    leaves : int
        Number of leaves of the tree of the pruning sequence whose errors are nearest to the paper's.
    keep : float
        The share to keep, in [0, 1].
    printed : tuple of float
        The paper's number of errors, and its percentages of rejected rows and of errors among the answered ones.
    """

    name: str
    leaves: int
    keep: float
    printed: tuple[float, float, float]

    @property
    def cart(self) -> CART:
        """The learner of that tree."""
        return CART(leaves=self.leaves)


EXPERIMENTS = (
    Experiment("experiment 1", 4, 0.90, (33, 12.7, 1.5)),
    Experiment("experiment 2", 7, 0.93, (23, 8, 2)),
)
"""The experiments of section 3.2."""
PRUNE_BY: tuple[Literal["error", "gini"], ...] = ("error", "gini")
"""What R of Eq. 2.2.5 is: the error rate, as the paper says, or Gini's index, as scikit-learn has it."""
FILLED, LEFT_OUT = "median", "left out"
"""What becomes of the rows with a missing cell, of which the paper does not speak."""
MOST_LEAVES = 30
"""Of the trees of a pruning sequence that are listed."""


@dataclass(frozen=True, eq=False)
class Answered:
    """Instances answered by a tree, with the certainties of the answers.

    Parameters
    ----------
    data : Dataset
        The instances that are answered.
    tree : TreeMirror
    method : BoundaryDistance
        The method, fitted on the tree.
    """

    data: Dataset
    tree: TreeMirror
    method: BoundaryDistance

    @classmethod
    def by_tree(cls, data: Dataset, cart: CART) -> Answered:
        """Instances answered by a tree that is grown on them."""
        tree = cart.grow_without_notes(data)
        return cls(data, tree, BoundaryDistance().fit(tree, data))

    @cached_property
    def certainty(self) -> FloatArray:
        """(n_instances,) float64: distances to the boundary."""
        return self.method.certainty(self.data)

    @cached_property
    def is_correct(self) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether the answer is right."""
        return np.asarray(self.method.predict(self.data) == self.data.class_values)

    def threshold(self, keep: float, rule: str) -> float:
        """The threshold that keeps a share of the correct answers, by one of `RULES`."""
        if rule == "rule":
            return choose_threshold(self.certainty, self.is_correct, keep=keep).threshold
        curve = risk_coverage(self.certainty, self.is_correct)
        kept = (curve.accepted - curve.wrong) / self.is_correct.sum()
        return float(curve.threshold[np.abs(kept - keep).argmin()])


def record(certainty: FloatArray, is_correct: NDArray[np.bool_], threshold: Any, **facts: Any) -> Record:
    """The record of the effect of a threshold, or of one threshold per answer; shares in percent."""
    effect = figures(certainty, is_correct, None, threshold)
    return {
        "paper": PAPER,
        **facts,
        "threshold": float(np.mean(threshold)),
        "n": int(effect.n),
        "wrong": int(effect.wrong + effect.rejected_wrong),
        "error": 100 * effect.error_without_rejecting,
        "kept_correct": 100 * effect.kept_correct,
        "caught_wrong": 100 * effect.caught_wrong,
        "n_caught": int(effect.rejected_wrong),
        "rejected": int(effect.rejected),
        "rejected_share": 100 * (1 - effect.coverage),
        "answered": int(effect.accepted),
        "answered_share": 100 * effect.coverage,
        "answered_wrong": int(effect.wrong),
        "error_answered": 100 * effect.error,
        "versions": versions(),
    }


def measure_plane(shape: str, seed: int) -> Iterator[Record]:
    """Records of section 3.1 on the training rows, and with the same threshold on as many new points."""
    training = Answered.by_tree(plane(shape, seed), CART())
    threshold = training.threshold(KEPT_OF_PLANE, "rule")
    new = replace(training, data=plane(shape, seed + FURTHER))
    for rows, answered in (("training", training), ("new", new)):
        yield record(
            answered.certainty, answered.is_correct, threshold,
            part="section 3.1", dataset=shape, experiment="", rows=rows, choice="rule", keep=KEPT_OF_PLANE,
            leaves=training.tree.n_leaves, seed=seed,
        )  # fmt: skip


def filled(data: Dataset) -> Dataset:
    """The data with missing values replaced by the median."""
    return fit_preprocessing(data, "median").output


def measure_training_rows(dataset: str, data: Dataset) -> Iterator[Record]:
    """Records of section 3.2 on the training rows, as in the paper."""
    for experiment in EXPERIMENTS:
        answered = Answered.by_tree(filled(data), experiment.cart)
        for rule in RULES:
            yield record(
                answered.certainty, answered.is_correct, answered.threshold(experiment.keep, rule),
                part="section 3.2", dataset=dataset, experiment=experiment.name, rows="training", choice=rule,
                keep=experiment.keep, leaves=answered.tree.n_leaves, seed=None,
            )  # fmt: skip


def measure_by_rule(dataset: str, data: Dataset, seeds: range) -> Iterator[Record]:
    """Records of section 3.2 as the paper describes it: the smallest tree of least cross-validated error."""
    inputs = np.delete(data.values, data.class_index, axis=1)
    for missing, rows in ((FILLED, filled(data)), (LEFT_OUT, data.take(~np.isnan(inputs).any(axis=1)))):
        for prune_by in PRUNE_BY:
            for seed in seeds:
                answered = Answered.by_tree(rows, CART(seed=seed, prune_by=prune_by))
                for experiment in EXPERIMENTS:
                    yield record(
                        answered.certainty, answered.is_correct, answered.threshold(experiment.keep, "rule"),
                        part="section 3.2", dataset=dataset, experiment=experiment.name, rows="as described",
                        choice="rule", keep=experiment.keep, leaves=answered.tree.n_leaves, seed=seed,
                        prune_by=prune_by, missing=missing,
                    )  # fmt: skip


def measure_sequences(dataset: str, data: Dataset) -> Iterator[Record]:
    """The errors on the training rows of the trees of each pruning sequence."""
    for prune_by in PRUNE_BY:
        trees = [CART(leaves=n, prune_by=prune_by).grow_without_notes(filled(data)) for n in range(1, MOST_LEAVES + 1)]
        for n_leaves, tree in {tree.n_leaves: tree for tree in trees}.items():
            wrong = int((tree.predict(data) != data.class_values).sum())
            yield {"paper": PAPER, "part": "section 3.2", "dataset": dataset, "rows": "sequence", "experiment": "",
                   "choice": "", "leaves": n_leaves, "wrong": wrong, "seed": None, "prune_by": prune_by}  # fmt: skip


def measure_out_of_fold(dataset: str, data: Dataset, seeds: range) -> Iterator[Record]:
    """Records of section 3.2 by ten-fold cross-validation, each threshold chosen in the training set of its fold."""
    choices: tuple[Literal["training", "out-of-fold"], ...] = ("training", "out-of-fold")
    for experiment in EXPERIMENTS:
        for seed in seeds:
            for choice in choices:
                aim = Aim("keep", experiment.keep)
                protocol = Protocol(seed=seed, preprocess="median", per_fold=True, aim=aim, threshold_from=choice)
                ((_, answers),) = evaluate(
                    data, "boundary_distance", protocol=protocol, learner=experiment.cart, name=dataset
                )
                yield record(
                    answers.certainty, answers.is_correct, answers.threshold,
                    part="section 3.2", dataset=dataset, experiment=experiment.name, rows="out-of-fold",
                    choice=f"rule, {choice}", keep=experiment.keep, leaves=experiment.leaves, seed=seed,
                )  # fmt: skip


def plane(shape: str, seed: int) -> Dataset:
    """Points of two classes in the unit square.

    Parameters
    ----------
    shape : str
        One of `SHAPES`.
    seed : int

    Returns
    -------
    Dataset
        `N_POINTS` points, uniform. The class of a point is that of the place where normal noise carries it, so that
        wrong classes are near the boundary. The noise's deviation σ follows from the share that it carries across a
        long straight boundary: length · σ · √(2/π) = `SHARE_WRONG`.
    """
    random = np.random.default_rng(seed)
    points = random.random((N_POINTS, 2))
    deviation = SHARE_WRONG / (SHAPES[shape].boundary * math.sqrt(2 / math.pi))
    moved = points + random.normal(scale=deviation, size=points.shape)
    is_first = SHAPES[shape].is_first(moved[:, 0], moved[:, 1])
    return Dataset(HEADER, np.column_stack((points, ~is_first))).renamed(f"{shape}-{seed}")
