"""The answer of least expected cost, with its rejection, one number after another."""

from fractions import Fraction


def decide(proba, costs, rejection):
    """The class of least expected cost, its expected cost, and whether even that is more than a rejection costs.

    ``costs[i][j]`` is what answering j costs where the class is i. Of classes that cost the same the first is answered.
    """
    best, least = 0, None
    for j in range(len(costs)):
        expected = sum(Fraction(p) * Fraction(costs[i][j]) for i, p in enumerate(proba))
        if least is None or expected < least:
            best, least = j, expected
    return best, least, least > Fraction(rejection)


def certainty(least, costs, rejection):
    """The share of the largest cost, of an answer or a rejection, that is expected to be saved."""
    largest = max(Fraction(cost) for cost in (*(each for row in costs for each in row), rejection))
    return 1 - least / largest
