"""Protocols of evaluations: splits, open sets, preprocessing, and the choice of thresholds."""
