"""Choice of a threshold: on which rows, for which aim, and in which words."""

from wekaconf.evaluation.thresholds._choice import (
    Choice,
    choices_summary,
    choose,
    choose_threshold,
    class_thresholds_of,
)
from wekaconf.evaluation.thresholds._promise_sentences import (
    classes_without_promise,
    nearest_target,
    promise_lines,
    promise_sentence,
    promised,
    tell_not_reached,
)  # fmt: skip
from wekaconf.evaluation.thresholds._promised_choice import (
    OPTIMISM,
    AnsweredRows,
    Order,
    check_classes,
    check_kind,
    choose_promised,
    class_levels,
    drawn_rows,
    growing_rows,
    of_targets,
)  # fmt: skip
from wekaconf.evaluation.thresholds._rejection import (
    CALIBRATE,
    ORDER_FOLDS,
    Begin,
    Grow,
    Rejection,
    Split,
    ThresholdFrom,
    Weigh,
    check_calibrate,
    check_threshold_from,
    choices,
    out_of_fold,
    rejection_of,
)  # fmt: skip

__all__ = [
    "CALIBRATE", "OPTIMISM", "ORDER_FOLDS", "AnsweredRows", "Begin", "Choice", "Grow", "Order", "Rejection", "Split",
    "ThresholdFrom", "Weigh", "check_calibrate", "check_classes", "check_kind", "check_threshold_from", "choices",
    "choices_summary", "choose", "choose_promised", "choose_threshold", "class_levels", "class_thresholds_of",
    "classes_without_promise", "drawn_rows", "growing_rows", "nearest_target", "of_targets", "out_of_fold",
    "promise_lines", "promise_sentence", "promised", "rejection_of", "tell_not_reached",
]  # fmt: skip
