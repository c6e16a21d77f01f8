"""Shrinkage, WPE and both combined: class probabilities from the training instances along a path (Wang 2006)."""

from wekaconf.methods.smoothing._base import NodeMethod
from wekaconf.methods.smoothing._shrinkage import Shrinkage
from wekaconf.methods.smoothing._shrinkage_wpe import ShrinkageWPE
from wekaconf.methods.smoothing._wpe import WPE

__all__ = ["WPE", "NodeMethod", "Shrinkage", "ShrinkageWPE"]
