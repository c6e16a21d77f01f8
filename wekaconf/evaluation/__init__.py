"""Metrics, thresholds, tests of significance, cross-validation; `protocol/` says who trains and who is asked."""
