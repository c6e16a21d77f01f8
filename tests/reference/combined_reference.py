"""`combined` in plain Python: folds, sides, ranks, weights by coordinate descent, certainties."""

import math

from scipy.optimize import brentq


def ranks(known, value):
    """The log-odds of the mid-rank of a value among quantiles, half a rank from 0 and 1."""
    is_equal = [one == value or math.isclose(one, value, rel_tol=1e-12) for one in known]
    below = sum(one < value for one, tie in zip(known, is_equal, strict=True) if not tie) + sum(is_equal) / 2
    return math.log((below + 0.5) / (len(known) + 0.5 - below))


def quantiles(values, most=200):
    """The smallest values that at least so large a share does not exceed."""
    ordered, n = sorted(values), min(len(values), most)
    return [ordered[max(math.ceil((k + 0.5) / n * len(ordered)) - 1, 0)] for k in range(n)]


def weights(rows, right, instance_weights, l2, sweeps=3000):
    """Intercept and weights: each in turn where the slope of the loss is 0, or at 0 if it rises from there on."""
    point = [0.0] * (len(rows[0]) + 1)
    columns = [[1.0] * len(rows), *map(list, zip(*rows, strict=True))]
    log_odds = [0.0] * len(rows)

    def slope(j, value):
        change = value - point[j]
        total = (l2 if j else 0.0) * value
        for x, z, is_right, weight in zip(columns[j], log_odds, right, instance_weights, strict=True):
            total += weight * x * (1 / (1 + math.exp(-(z + change * x))) - is_right)
        return total

    for _ in range(sweeps):
        largest = 0.0
        for j in range(len(point)):
            if j and slope(j, 0.0) >= 0:
                new = 0.0
            else:
                new = brentq(lambda value, j=j: slope(j, value), -50 if j == 0 else 0.0, 50, xtol=1e-14)
            change = new - point[j]
            largest = max(largest, abs(change))
            log_odds = [z + change * x for z, x in zip(log_odds, columns[j], strict=True)]
            point[j] = new
        if largest < 1e-12:
            break
    return point[0], point[1:]


def certainties(held_out, right, instance_weights, asked, l2):
    """The certainties of asked rows, from sides out of fold and the asked rows' own sides."""
    known = [quantiles(column) for column in zip(*held_out, strict=True)]
    scaled = [[ranks(k, value) for k, value in zip(known, row, strict=True)] for row in held_out]
    total = sum(instance_weights)
    share = [weight / total for weight in instance_weights]
    mean = [sum(s * row[j] for s, row in zip(share, scaled, strict=True)) for j in range(len(known))]
    centred = [[value - m for value, m in zip(row, mean, strict=True)] for row in scaled]
    intercept, weight = weights(centred, right, [s * len(share) for s in share], l2)
    found = []
    for row in asked:
        z = intercept
        for k, m, w, value in zip(known, mean, weight, row, strict=True):
            z += w * (ranks(k, value) - m)
        found.append(1 / (1 + math.exp(-z)))
    return found
