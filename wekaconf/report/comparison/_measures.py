"""The measures by which methods are compared, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import alternatives, guess
from wekaconf.evaluation.measures import METRICS
from wekaconf.report.printing import UNDEFINED

WORDS = {
    "percent_correct": "percent correct",
    "auc_mean": "AUC (mean of the classes)",
    "auc_weighted": "AUC (classes weighted by size, as in Weka)",
    "auc_hand_till": "AUC (Hand and Till)",
    "auc_wang2006": "AUC (Wang and Zhang 2006)",
    "auc_mean_no_ties": "AUC (a tie counts 0)",
    "brier": "Brier score",
    "log_loss": "log loss",
    "ece": "expected calibration error",
    "auc_reliability": "AUROC right/wrong",
    "aurc": "area under the risk-coverage curve",
    "excess_aurc": "excess area under the risk-coverage curve",
    "auroc_known": "AUROC known/unknown",
    "error_at_0.95": "error at 95 % coverage",
    "error_at_0.9": "error at 90 % coverage",
    "error_at_0.8": "error at 80 % coverage",
    "error_at_0.5": "error at 50 % coverage",
    "coverage": "coverage (share of the rows that is answered)",
    "error": "error (share of the answers that is wrong)",
}
"""Name in titles and sentences of each measure of `summary.MEASURES` for which more, or less, is better."""
# For these a mark is the other way round than in Weka's analyser, which marks what is larger, also for an error:
# readers take "v" for praise.
SMALLER_IS_BETTER = {name for name in WORDS if name.startswith(("brier", "log_loss", "ece", "aurc", "excess", "error"))}

REACHED = {
    "coverage": ("coverage %", "share of the rows that is answered"),
    "error": ("error %", "share of the answers that is wrong"),
    "mean_cost": ("mean cost", "what a row costs, answered or rejected"),
}
"""What a threshold reaches on test instances: heading and meaning of each figure, by its name in a record."""


def check_measure(measure: str) -> None:
    """Raise OptionError unless the measure is one of `WORDS`."""
    if measure not in WORDS:
        raise OptionError(
            parameter="measure", expected=alternatives(WORDS), got=f"'{measure}'", advice=guess(measure, WORDS)
        )


def pooled_value(record: Mapping[str, Any], measure: str) -> float:
    """The measure of all answers of a run pooled; mean over the runs."""
    if measure in METRICS:
        return float(record["pooled"][measure])
    name, _, coverage = measure.partition("_at_")
    return float(record["reject"]["error_at"][coverage] if coverage else record["reject"].get(name, math.nan))


def reached_text(name: str, value: float) -> str:
    """One of the figures of `REACHED`, or a dash where it is undefined."""
    if math.isnan(value):
        return UNDEFINED
    return f"{value:.4g}" if name == "mean_cost" else f"{100 * value:.2f}"


def value_text(measure: str, value: float) -> str:
    """A value of the measure, or a dash where it is undefined."""
    if value != value:  # noqa: PLR0124 - NaN
        return UNDEFINED
    return f"{value:.2f}" if measure.startswith("percent") else f"{value:.4f}"
