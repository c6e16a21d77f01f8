"""Tóth and Pataki 2006: the distance to the decision boundary."""
