"""Cross-validation: every instance is answered by trees that have not seen it."""

from wekaconf.evaluation.cross_validation._fold_answers import (
    ARRAYS,
    Design,
    Fold,
    FoldAnswers,
    FoldKey,
    Label,
    LeaveOneOut,
    Prepare,
)
from wekaconf.evaluation.cross_validation._validation import Answers, Cache, CrossValidation, by_tree, n_answers

__all__ = [
    "ARRAYS", "Answers", "Cache", "CrossValidation", "Design", "Fold", "FoldAnswers", "FoldKey", "Label", "LeaveOneOut",
    "Prepare", "by_tree", "n_answers",
]  # fmt: skip
