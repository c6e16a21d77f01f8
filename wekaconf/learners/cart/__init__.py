"""CART: scikit-learn's trees, pruned by minimal cost-complexity, mirrored."""
