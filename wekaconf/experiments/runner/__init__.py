"""Measures methods on data sets: a plan, its measurement on each set, and many of them at a time."""
