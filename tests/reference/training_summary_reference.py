"""What is kept of training rows and what lies outside, value by value; slow, written to be read."""

import math


def cuts(numbers):
    """Up to ten distinct numbers: all but the largest. Else the numbers that a tenth, two tenths … do not exceed."""
    known = sorted(number for number in numbers if not math.isnan(number))
    distinct = sorted(set(known))
    if len(distinct) <= 10:
        return distinct[:-1]
    found = []
    for tenth in range(1, 10):
        decile = next(
            number for number in distinct if 10 * sum(other <= number for other in known) >= tenth * len(known)
        )
        if decile not in found and decile != distinct[-1]:
            found.append(decile)
    return found


def bin_counts(numbers, ends):
    """How many numbers lie in each bin; a bin ends with its cut."""
    counts = [0] * (len(ends) + 1)
    for number in numbers:
        if not math.isnan(number):
            counts[sum(number > end for end in ends)] += 1
    return counts


def is_outside(attribute, value, seen):
    """Whether a value lies beyond those that training had."""
    known = [other for other in seen if not math.isnan(other)]
    if math.isnan(value) or attribute.kind not in ("numeric", "nominal"):
        return False
    if attribute.kind == "nominal":
        return value not in known
    return bool(known) and not min(known) <= value <= max(known)
