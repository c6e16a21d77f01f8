"""The contract of methods: fitted on a tree, they give answers with certainties, reasons and explanations."""

from wekaconf.methods.contract._answer import (
    Answer,
    CertaintyRange,
    Reply,
    Thresholds,
    is_affected,
    is_rejected,
    thresholds_at,
)
from wekaconf.methods.contract._explanation import Account, Event, Explanation, Step
from wekaconf.methods.contract._explanation.events import cell_value
from wekaconf.methods.contract._explanation.of_tree import (
    answer_step,
    child_of,
    distribution_step,
    is_missing,
    node_words,
    nodes_step,
    test_words,
    tree_step,
)
from wekaconf.methods.contract._leaf_reasons import Ends, describe_node, known_texts, likeliest, name_splits
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut, LeftOut, ignore_progress
from wekaconf.methods.contract._method import Method, ReadArrays, display_of, sizes_of
from wekaconf.methods.contract._node_methods import AnnotatesNodes, AnswersAtNodes, CountsAtNodes
from wekaconf.methods.contract._reasons import ROUNDING, FirstEvents, Rows, answer_texts, row_indices, verdict
from wekaconf.methods.contract._tree_by_tree import TreeByTree

__all__ = [
    "ROUNDING", "Account", "AnnotatesNodes", "Answer", "AnswersAtNodes", "CertaintyRange", "CountsAtNodes",
    "Ends", "Event", "Explanation", "FirstEvents", "LeavesOneOut", "LeftOut", "Method", "ReadArrays", "Reply", "Rows",
    "Step", "Thresholds", "TreeByTree", "answer_step", "answer_texts", "cell_value", "child_of", "describe_node",
    "display_of", "distribution_step", "ignore_progress", "is_affected", "is_missing", "is_rejected", "known_texts",
    "likeliest", "name_splits", "node_words", "nodes_step", "row_indices", "sizes_of", "test_words",
    "thresholds_at", "tree_step", "verdict",
]  # fmt: skip
