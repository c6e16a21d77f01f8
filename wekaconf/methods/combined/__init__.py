"""Certainty learned from the certainties of other methods on the same tree."""

from wekaconf.methods.combined.combined import SIDES, Combined

__all__ = ["SIDES", "Combined"]
