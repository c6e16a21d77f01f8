"""The mean over all leaves of the tree, each weighted by how well its path fits the instance (Ling and Yan 2003)."""

from wekaconf.methods.ling_yan._ling_yan import LingYan

__all__ = ["LingYan"]
