"""Measuring methods: metrics and cross-validation, neither of which needs Java."""
