"""Cross-validation: every instance is answered by trees that have not seen it."""

from wekaconf.evaluation.cross_validation._fold_answers import (
    ARRAYS,
    DISTRIBUTIONS,
    FoldAnswers,
    FoldKey,
    LeaveOneOut,
    Prepare,
)
from wekaconf.evaluation.cross_validation._validation import Answers, Cache, CrossValidation, Label, Work, n_answers

__all__ = [
    "ARRAYS", "DISTRIBUTIONS", "Answers", "Cache", "CrossValidation", "FoldAnswers", "FoldKey", "Label", "LeaveOneOut",
    "Prepare", "Work", "n_answers",
]  # fmt: skip
