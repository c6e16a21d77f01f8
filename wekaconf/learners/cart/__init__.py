"""CART: scikit-learn's trees, pruned by minimal cost-complexity, mirrored."""

from wekaconf.learners.cart.grow import CART

__all__ = ["CART"]
