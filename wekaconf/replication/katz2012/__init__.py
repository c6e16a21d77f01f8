"""Katz et al. 2012: ConfDTree."""
