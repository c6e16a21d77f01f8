"""The events of a method for each instance, and the steps by which its answer follows from numbers."""

from wekaconf.methods.contract._explanation.events import Account, Event, Explanation, forest_members, paths
from wekaconf.methods.contract._explanation.step import Step

__all__ = ["Account", "Event", "Explanation", "Step", "forest_members", "paths"]
