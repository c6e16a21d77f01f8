"""The rules of docs/answers.md in plain Python: what a step's result must be, from its numbers and its parts."""

import math


def recomputed(step):
    """The result of a step as a JSON object says it, from the recomputed results of its parts."""
    parts = [recomputed(part) for part in step["parts"]]
    return RULES[step["rule"]](step["values"], parts)


def given(values, parts):
    assert not parts
    numbers = values["numbers"]
    return list(numbers) if isinstance(numbers, list) else numbers


def frequency(values, parts):
    assert not parts
    add = values["add"]
    adds = add if isinstance(add, list) else [add] * len(values["weights"])
    return [divided(weight + more, values["total"]) for weight, more in zip(values["weights"], adds, strict=True)]


def follow(values, parts):
    [part] = parts
    return part


def weighted(values, parts):
    if not isinstance(parts[0], list):
        return added(weight * part for weight, part in zip(values["weights"], parts, strict=True))
    return [
        added(
            (weight[c] if isinstance(weight, list) else weight) * part[c]
            for weight, part in zip(values["weights"], parts, strict=True)
        )
        for c in range(len(parts[0]))
    ]


def scaled(values, parts):
    [part] = parts
    return [divided(share + values["add"], values["total"]) for share in part]


def clipped(values, parts):
    [part] = parts
    return [max(share, 0.0) for share in part]


def m_estimate(values, parts):
    [part] = parts
    return [(n + values["m"] * above) / values["total"] for n, above in zip(values["weights"], part, strict=True)]


def votes(values, parts):
    best = [max(range(len(part)), key=lambda c: (round(part[c], 12), -c)) for part in parts]
    return [best.count(c) / len(parts) for c in range(len(parts[0]))]


def largest(values, parts):
    [part] = parts
    return max(part)


def distance(values, parts):
    assert not parts
    if values.get("class") is None:
        return math.inf
    offsets = list(values["offsets"].values())
    if values["norm"] == "l1":
        return added(offsets)
    if values["norm"] == "linf":
        return max(offsets, default=0.0)
    return math.hypot(*offsets)


def tail(values, parts):
    assert not parts
    if values["broken"] or values["rejects_all"]:
        return 0.0
    return (
        math.erfc(max(values["deviations"].values(), default=0.0) / math.sqrt(2)) if values["has_deviations"] else 1.0
    )


def logistic(values, parts):
    [part] = parts
    return values.get("share", 1.0) / (1 + math.exp(-part))


def pooled(values, parts):
    powers = [
        math.prod(
            max(part[c], values["least"]) ** weight for weight, part in zip(values["weights"], parts, strict=True)
        )
        for c in range(len(parts[0]))
    ]
    return [power / math.fsum(powers) for power in powers]


def added(numbers):
    total = 0.0
    for number in numbers:
        total += number
    return total


def divided(a, b):
    return a / b if b else math.nan


RULES = {
    rule.__name__: rule
    for rule in (
        given,
        frequency,
        follow,
        weighted,
        scaled,
        clipped,
        m_estimate,
        votes,
        largest,
        distance,
        tail,
        logistic,
        pooled,
    )
}


def fine(names):
    """The rule of ConfDTree's fine, which names classes."""

    def rule(values, parts):
        [part] = parts
        leading = names.index(values["leading"])
        taken = values["share"] * part[leading]
        others = [names.index(name) for name in values["others"]]
        result = [share + taken / len(others) if c in others else share for c, share in enumerate(part)]
        result[leading] -= taken
        return result

    return rule


def divergence(names):
    """The rule of Kukar and Kononenko's reliability."""

    def rule(values, parts):
        p, q = parts
        labels = [names.index(name) for name in values["labels"]]
        return 2 ** -math.fsum((p[c] - q[c]) * math.log2(p[c] / q[c]) for c in labels)

    return rule


def recompute(step, names):
    """`recomputed` for a data set with these classes."""
    RULES.update(fine=fine(list(names)), divergence=divergence(list(names)))
    return recomputed(step)
