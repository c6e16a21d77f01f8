"""The contract of methods: fitted on a tree, they give answers with certainties, reasons and explanations."""

from wekaconf.methods.contract._annotates_nodes import AnnotatesNodes
from wekaconf.methods.contract._answer import (
    Answer,
    CertaintyRange,
    Reply,
    Thresholds,
    is_affected,
    is_rejected,
    thresholds_at,
)
from wekaconf.methods.contract._counts_at_nodes import AnswersAtNodes, CountsAtNodes
from wekaconf.methods.contract._counts_instances import CountsInstances
from wekaconf.methods.contract._explanation import Account, Event, Explanation, Step
from wekaconf.methods.contract._explanation.events import cell_value
from wekaconf.methods.contract._explanation.of_tree import (
    answer_step,
    as_distribution,
    child_of,
    is_missing,
    node_words,
    nodes_step,
    test_words,
    tree_step,
)
from wekaconf.methods.contract._explanation.text import outline, result_text
from wekaconf.methods.contract._growing_again import learner_that_grows_again
from wekaconf.methods.contract._leaf_reasons import Ends, holding, known_texts, likeliest, missing_at
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut, LeftOut, ignore_progress
from wekaconf.methods.contract._method import Method, ReadArrays, display_of, sizes_of
from wekaconf.methods.contract._reasons import ROUNDING, FirstEvents, Rows, indices_of
from wekaconf.methods.contract._tree_by_tree import TreeByTree
from wekaconf.methods.contract._verdicts import answer_texts, verdict

__all__ = [
    "ROUNDING", "Account", "AnnotatesNodes", "Answer", "AnswersAtNodes", "CertaintyRange", "CountsAtNodes",
    "CountsInstances", "Ends", "Event", "Explanation", "FirstEvents", "LeavesOneOut", "LeftOut", "Method",
    "ReadArrays", "Reply", "Rows", "Step", "Thresholds", "TreeByTree", "answer_step", "answer_texts",
    "as_distribution", "cell_value", "child_of", "display_of", "holding", "ignore_progress", "indices_of",
    "is_affected", "is_missing", "is_rejected", "known_texts", "learner_that_grows_again", "likeliest",
    "missing_at", "node_words", "nodes_step", "outline", "result_text", "sizes_of", "test_words", "thresholds_at",
    "tree_step", "verdict",
]  # fmt: skip
