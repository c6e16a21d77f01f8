"""The logarithmic opinion pool of a tree and of models of other kinds."""

from wekaconf.methods.second_opinion._neighbours import Neighbours
from wekaconf.methods.second_opinion._of_trees import OfTree, as_shares
from wekaconf.methods.second_opinion._out_of_fold import FEWEST_ROWS, FEWEST_WRONG, OutOfFold
from wekaconf.methods.second_opinion._pool import LEAST, logarithms, pooled
from wekaconf.methods.second_opinion._second_opinion import SecondOpinion
from wekaconf.methods.second_opinion._side import FURTHEST, Cells, Side, Sum, inputs
from wekaconf.methods.second_opinion._sides import MethodKind, OfMethod, sides_of

__all__ = [
    "FEWEST_ROWS", "FEWEST_WRONG", "FURTHEST", "LEAST", "Cells", "MethodKind", "Neighbours", "OfMethod", "OfTree",
    "OutOfFold", "SecondOpinion", "Side", "Sum", "as_shares", "inputs", "logarithms", "pooled", "sides_of",
]  # fmt: skip
