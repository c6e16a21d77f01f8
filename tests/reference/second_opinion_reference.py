"""`second_opinion` in plain Python: its models of other kinds, the pool, and the weights by coordinate descent."""

import math

from scipy.optimize import brentq


def pool(shares, weights, least=1e-3):
    """The pool of one row, from the distribution of each side."""
    powers = [
        math.prod(max(share[c], least) ** weight for share, weight in zip(shares, weights, strict=True))
        for c in range(len(shares[0]))
    ]
    return [power / math.fsum(powers) for power in powers]


def weights(rows, actual, instance_weights, penalty, sweeps=2000):
    """The weights of the sides: each in turn where the slope of the loss is 0, or at 0 if it rises from there on.

    ``rows`` holds, for each row, the distribution of each side.
    """
    n_sides, total = len(rows[0]), math.fsum(instance_weights)
    counted = [weight / total * len(rows) for weight in instance_weights]
    logs = [[[math.log(max(p, 1e-3)) for p in side] for side in row] for row in rows]
    towards = 1 / n_sides
    point = [towards] * n_sides

    def slope(j, value):
        found = penalty * (value - towards)
        for row, c, v in zip(logs, actual, counted, strict=True):
            sums = [
                math.fsum((value if s == j else point[s]) * row[s][k] for s in range(n_sides))
                for k in range(len(row[0]))
            ]
            highest = max(sums)
            powers = [math.exp(z - highest) for z in sums]
            mean = math.fsum(power * row[j][k] for k, power in enumerate(powers)) / math.fsum(powers)
            found += v * (mean - row[j][c])
        return found

    for _ in range(sweeps):
        before = list(point)
        for j in range(n_sides):
            at_zero = slope(j, 0.0)
            point[j] = (
                0.0 if at_zero >= 0 else brentq(lambda value, j=j: slope(j, value), 0.0, 50, xtol=1e-15, rtol=1e-14)
            )
        if max(abs(a - b) for a, b in zip(point, before, strict=True)) < 1e-12:
            break
    return point


def interval_ends(values, n=10):
    """The ends of intervals that hold equally many of the known values."""
    known = sorted(value for value in values if not math.isnan(value))
    ends = sorted({known[i * len(known) // n] for i in range(1, n)}) if known else []
    return [end for end in ends if end < known[-1]]


def cell(value, ends):
    """The interval of a value, or the nominal value itself; None if it is missing."""
    if math.isnan(value):
        return None
    return int(value) if ends is None else sum(value > end for end in ends)


def naive_bayes(train, classes, instance_weights, n_classes, n_values, asked):
    """The distributions of asked rows; ``n_values`` has the number of values of each nominal column, None of others."""
    mean = math.fsum(instance_weights) / len(instance_weights)
    counted = [weight / mean for weight in instance_weights]
    ends = [None if n else interval_ends([row[j] for row in train]) for j, n in enumerate(n_values)]
    found = []
    for row in asked:
        likely = []
        for c in range(n_classes):
            p = math.fsum(w for w, k in zip(counted, classes, strict=True) if k == c) / math.fsum(counted)
            for j, value in enumerate(row):
                n_cells = n_values[j] or len(ends[j]) + 1
                if (own := cell(value, ends[j])) is None:
                    continue
                known = [
                    (w, cell(other[j], ends[j]))
                    for w, k, other in zip(counted, classes, train, strict=True)
                    if k == c and not math.isnan(other[j])
                ]
                of_cell = math.fsum(w for w, there in known if there == own)
                p *= (of_cell + 1) / (math.fsum(w for w, _ in known) + n_cells)
            likely.append(p)
        found.append([p / math.fsum(likely) for p in likely])
    return found


def neighbours(train, classes, instance_weights, n_classes, n_values, asked, n_nearest=9):
    """The distributions of asked rows by the nearest training rows, on numbers in standard deviations."""
    scales = []
    for j, n in enumerate(n_values):
        known = [(row[j], w) for row, w in zip(train, instance_weights, strict=True) if not math.isnan(row[j])]
        if n or not known:
            scales.append((0.0, 1.0))
            continue
        total = math.fsum(w for _, w in known)
        mean = math.fsum(x * w for x, w in known) / total
        deviation = math.sqrt(math.fsum(w * (x - mean) ** 2 for x, w in known) / total)
        scales.append((mean, deviation if deviation > 1e-9 * max(abs(x) for x, _ in known) else 1.0))

    def scaled(j, value):
        mean, deviation = scales[j]
        return 0.0 if math.isnan(value) else min(max((value - mean) / deviation, -10.0), 10.0)

    def squared(row, other):
        total = 0.0
        for j, n in enumerate(n_values):
            if n:
                is_same = row[j] == other[j] or (math.isnan(row[j]) and math.isnan(other[j]))
                total += not is_same
            else:
                total += (scaled(j, row[j]) - scaled(j, other[j])) ** 2
        return total

    found = []
    for row in asked:
        distances = [squared(row, other) for other in train]
        furthest = sorted(distances)[min(n_nearest, len(train)) - 1]
        votes = [0.0] * n_classes
        for distance, c, weight in zip(distances, classes, instance_weights, strict=True):
            if distance <= furthest * (1 + 1e-12):
                votes[c] += weight
        found.append([vote / math.fsum(votes) for vote in votes])
    return found
