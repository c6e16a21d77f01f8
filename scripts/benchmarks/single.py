"""One instance at a time."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import cache, partial

import numpy as np
from benchmarks._measuring import Row, seconds, uci

import wekaconf as wc

OPTIONS = {"wpe": {"numeric": "bins"}, "shrinkage_wpe": {"numeric": "bins"}}
"""Parameters without which a method would refuse numbers."""
GROWS_TREES = ("tpce", "kukar_kononenko")
"""Methods that grow trees for each answer."""


def single() -> Iterator[Row]:
    """One instance of letter at a time, for every method."""
    letter = uci("letter")
    rows = [letter.take(np.array([row])) for row in range(0, len(letter), 100)]
    grown = cache(partial(wc.grow, letter))
    times = {}
    for name in wc.available_methods():
        if name in GROWS_TREES:
            continue
        method = wc.method(name, **OPTIONS.get(name, {}))
        method.fit(grown(*(method.learner or ("J48", ""))), letter)
        method.predict_proba(letter)
        times[name] = statistics.median(seconds(partial(method.predict_proba, row)) for row in rows)
    slowest, name = max((taken, name) for name, taken in times.items())
    claim = f"one instance of letter, the slowest of the methods but those that grow trees, {name}, against 1 ms"
    yield Row(claim, slowest, 1e-3, wanted=1, is_cost=True)
