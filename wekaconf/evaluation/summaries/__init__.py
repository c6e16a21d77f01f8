"""Summary of answers in a record, beside the answer of the majority."""

from wekaconf.evaluation.summaries._majority import Majority, is_telling, majority_sentence
from wekaconf.evaluation.summaries._summary import MEASURES, FoldValues, deviation_of, fold_values, summarise

__all__ = [
    "MEASURES", "FoldValues", "Majority", "deviation_of", "fold_values", "is_telling", "majority_sentence", "summarise",
]  # fmt: skip
