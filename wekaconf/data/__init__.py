"""Instances as arrays with a header, and as ARFF text."""
