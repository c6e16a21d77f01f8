"""ConfDTree: confidence intervals, alternative routes and certainty fines (Katz et al. 2012)."""

from wekaconf.methods.confdtree._confdtree import ConfDTree

__all__ = ["ConfDTree"]
