"""Sets of classes by the definition of split conformal prediction, row by row; slow, written to be read."""

from fractions import Fraction


def class_set(proba, calibration, coverage, *, is_per_class):
    """The classes whose p-value exceeds 1 − coverage; ``calibration`` are pairs of an own class and its probability."""
    found = []
    for c, given in enumerate(proba):
        scores = [score for own, score in calibration if own == c or not is_per_class]
        p = Fraction(1 + sum(score <= given for score in scores), 1 + len(scores))
        if p > 1 - Fraction(coverage).limit_denominator(1000):
            found.append(c)
    return found
