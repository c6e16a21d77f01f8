"""CART: scikit-learn's trees, pruned by minimal cost-complexity, as mirrors."""

from wekaconf.learners.cart._grow import CART

__all__ = ["CART"]
