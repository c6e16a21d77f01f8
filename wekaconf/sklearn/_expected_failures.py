"""The checks of scikit-learn that an estimator fails for a reason."""

from __future__ import annotations

from typing import Any

from wekaconf.learners.cart import CART
from wekaconf.sklearn._base import TreeClassifier
from wekaconf.sklearn._classifiers import ShrinkageClassifier, ShrinkageWPEClassifier
from wekaconf.sklearn._reject_option import RejectOption
from wekaconf.sklearn._second_opinion import SecondOpinion

WEIGHT_CHECKS = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")
TRAINING_CHECK = "check_classifiers_train"


def expected_failed_checks(estimator: Any) -> dict[str, str]:
    """The checks that an estimator fails, each with the reason; for ``sklearn.utils.estimator_checks``.

    The checks of weights compare an instance of weight 2 with two instances. A `RejectOption` fails the checks that its
    classifier fails, and, unless it rejects nothing (``below=0``), the check that expects the most probable class of
    every instance. A `SecondOpinion` fails those of its members, and that check if it gives the estimator's answers.
    """
    if isinstance(estimator, RejectOption):
        expected = expected_failed_checks(estimator.estimator)
        if estimator.below != 0:
            expected[TRAINING_CHECK] = "a rejected answer is reject_label_, where the most probable class is expected"
        return expected
    if isinstance(estimator, SecondOpinion):
        expected = expected_failed_checks(estimator.estimator)
        for opinion in estimator.opinions or ():
            expected |= expected_failed_checks(opinion)
        if estimator.answers == "estimator":
            expected[TRAINING_CHECK] = "the estimator's answer is given, where the most probable class is expected"
        return expected
    reason = ""
    if isinstance(estimator, ShrinkageClassifier | ShrinkageWPEClassifier) and estimator.weights == "diw":
        reason = (
            "Algorithm DIW takes every training instance out of the counts in turn: one of weight 2 leaves as a whole, "
            "where one of two instances leaves the other behind"
        )
    elif _is_pruned_on_folds(estimator):
        reason = (
            "CART is pruned by its error on folds, or a test sample, of rows: an instance of weight 2 is in one fold, "
            "two instances may be in two; prune='none' passes"
        )
    return dict.fromkeys(WEIGHT_CHECKS, reason) if reason else {}


def _is_pruned_on_folds(estimator: Any) -> bool:
    """Whether a tree of CART is pruned by its error on some of the rows."""
    if not isinstance(estimator, TreeClassifier):
        return False
    learner = estimator._learner()
    return isinstance(learner, CART) and learner.prune != "none" and learner.leaves is None
