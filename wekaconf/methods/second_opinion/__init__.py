"""The logarithmic opinion pool of a tree and of models of other kinds."""

from wekaconf.methods.second_opinion.neighbours import Neighbours
from wekaconf.methods.second_opinion.of_method import MethodKind, OfMethod
from wekaconf.methods.second_opinion.of_trees import OfTree, as_shares
from wekaconf.methods.second_opinion.out_of_fold import FEWEST_ROWS, FEWEST_WRONG, OutOfFold
from wekaconf.methods.second_opinion.pool import LEAST, logarithms, pooled
from wekaconf.methods.second_opinion.second_opinion import SecondOpinion
from wekaconf.methods.second_opinion.side import Side, Sum, inputs
from wekaconf.methods.second_opinion.sides import sides_of
from wekaconf.methods.second_opinion.terms import FURTHEST, Cells

__all__ = [
    "FEWEST_ROWS", "FEWEST_WRONG", "FURTHEST", "LEAST", "Cells", "MethodKind", "Neighbours", "OfMethod", "OfTree",
    "OutOfFold", "SecondOpinion", "Side", "Sum", "as_shares", "inputs", "logarithms", "pooled", "sides_of",
]  # fmt: skip
