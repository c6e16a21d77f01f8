"""Evaluations run: planned, cut into parts that other processes can answer, and many of them at a time."""
