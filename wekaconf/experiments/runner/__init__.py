"""Runs evaluations: plans them, cuts them into parts that other processes can answer, and runs many at a time."""
