"""The mirror of a tree and how it answers; trees as text and graphs in `shown/`; the contract of learners."""

from wekaconf.tree._annotation import Annotate, Annotation, Guard, Line, vector, written
from wekaconf.tree._binary_trees import binary_tree
from wekaconf.tree._conditions import (
    IS_MISSING,
    all_conditions,
    branch,
    branch_in_words,
    condition,
    condition_in_words,
    is_stump,
    listed,
    split_on,
    subset,
    tests_to,
    way_to,
)
from wekaconf.tree._forest import COMBINATIONS, Forest, importances, own_answers
from wekaconf.tree._instances import (
    LeafRows,
    NodeInstances,
    class_weight,
    in_order,
    mean_answers,
    nearest_filled,
    paths_of,
    present_classes,
)
from wekaconf.tree._kinds import NOMINAL_EACH, NOMINAL_EQUALS, NUMERIC_LT, Routing, SplitKind
from wekaconf.tree._last_result import keep_last_result
from wekaconf.tree._mirror import COUNTED, EXPORTED, REQUIRED, TreeMirror, render_trees_with
from wekaconf.tree._router import Router, compiled_pays, mixture, sequential_sum
from wekaconf.tree._soundness import check_sound
from wekaconf.tree.learner import (
    LARGE,
    Grown,
    Learner,
    is_grown_on,
    note_missing_classes,
    options_text,
    with_trees,
)
from wekaconf.tree.shown import html_of, plot_tree

__all__ = [
    "COMBINATIONS", "COUNTED", "EXPORTED", "IS_MISSING", "LARGE", "NOMINAL_EACH", "NOMINAL_EQUALS", "NUMERIC_LT",
    "REQUIRED", "Annotate", "Annotation", "Forest", "Grown", "Guard", "LeafRows", "Learner", "Line",
    "NodeInstances", "Router", "Routing", "SplitKind", "TreeMirror", "all_conditions",
    "binary_tree", "branch", "branch_in_words", "check_sound", "class_weight", "compiled_pays", "condition",
    "condition_in_words", "importances", "in_order", "is_grown_on", "is_stump", "keep_last_result",
    "listed", "mean_answers", "mixture", "nearest_filled", "note_missing_classes", "options_text",
    "own_answers", "paths_of", "present_classes", "sequential_sum", "split_on", "subset", "tests_to", "vector",
    "way_to", "with_trees", "written",
]  # fmt: skip

render_trees_with(plot=plot_tree, html=html_of)
