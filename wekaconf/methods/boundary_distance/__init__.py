"""Boundary distance: how far an instance is from the nearest point where the tree answers differently (Tóth 2006)."""

from wekaconf.methods.boundary_distance._boundary_distance import BoundaryDistance, NearestBoundary

__all__ = ["BoundaryDistance", "NearestBoundary"]
