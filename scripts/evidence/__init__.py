"""The study behind docs/records/which-method.md: every method and its rivals on the same folds of many data sets."""
