"""The tests of a file against the training data, by counting all ways to deal out rows; slow, written to be read."""

from fractions import Fraction
from itertools import combinations


def all_greatest(k, m, n):
    """How often the k greatest of n + m different numbers are all among the m, over all ways to choose the m."""
    ways = [set(chosen) for chosen in combinations(range(n + m), m)]
    return Fraction(sum(all(n + m - 1 - i in chosen for i in range(k)) for chosen in ways), len(ways))


def holm(p_values):
    """Holm's corrected p-values, step by step."""
    corrected, so_far = [0.0] * len(p_values), 0.0
    for step, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        so_far = max(so_far, min(1.0, p_values[place] * (len(p_values) - step)))
        corrected[place] = so_far
    return corrected
