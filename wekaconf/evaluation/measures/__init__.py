"""Measures of answers: metrics, curves, and the effect of a threshold."""

from wekaconf.evaluation.measures._accepting import (
    Certainties,
    Figures,
    accepted_at,
    figures,
    levels_of,
    outcomes_by_class,
    predicted_by_class,
)
from wekaconf.evaluation.measures._arguments import checked, checked_weights, is_number, mean_of, ratio, share_of
from wekaconf.evaluation.measures._folds import Folds
from wekaconf.evaluation.measures._metrics import METRICS, all_metrics
from wekaconf.evaluation.measures._ranking import Roc, auc_mean, auc_reliability, auc_weighted, auroc, roc_curve
from wekaconf.evaluation.measures._risk_coverage import COVERAGES, RiskCoverage, reject_summary, risk_coverage
from wekaconf.evaluation.measures._scoring import (
    CalibrationCurve,
    brier,
    calibration_curve,
    is_correct,
    present_classes,
)

__all__ = [
    "COVERAGES", "METRICS", "CalibrationCurve", "Certainties", "Figures", "Folds", "RiskCoverage", "Roc", "accepted_at",
    "all_metrics", "auc_mean", "auc_reliability", "auc_weighted", "auroc", "brier", "calibration_curve", "checked",
    "checked_weights", "figures", "is_correct", "is_number", "levels_of", "mean_of", "outcomes_by_class",
    "predicted_by_class", "present_classes", "ratio", "reject_summary", "risk_coverage", "roc_curve", "share_of",
]  # fmt: skip
