"""The logarithmic opinion pool of a tree and of models of other kinds."""

from wekaconf.methods.second_opinion.second_opinion import SecondOpinion

__all__ = ["SecondOpinion"]
