"""Aims of a threshold, and the costs of errors and rejections."""

from wekaconf.evaluation.aims._aim import FIXED, KINDS, NAMES, PROMISED, TARGET_ERROR, Aim, by_class, check_aim
from wekaconf.evaluation.aims._reject_costs import SAVED, RejectCosts, decision

__all__ = [
    "FIXED", "KINDS", "NAMES", "PROMISED", "SAVED", "TARGET_ERROR", "Aim", "RejectCosts", "by_class", "check_aim",
    "decision",
]  # fmt: skip
