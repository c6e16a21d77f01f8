"""Reasons against those of ``leaf_frequency`` for the same rows, of many rows at a time and of one answer by itself."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import cache, partial

import numpy as np
from benchmarks._measuring import Row, numeric_dataset, seconds, side_by_side
from benchmarks.methods import nominal_dataset
from benchmarks.scale import GROWS_TREES, OPTIONS

import wekaconf as wc

N_ROWS, N_TRAIN, N_ONE = 100_000, 10_000, 300
"""Rows told together, rows of training, and rows told one by one."""
N_TRANSDUCTIVE = 2_000
"""Rows told of methods that grow trees for each of them."""
WANTED, WANTED_OF_CONFDTREE = 5, 8
WANTED_OF_ONE = {"cold": 9.3, "warm": 7.3}
"""A third of what the reason of one answer took before rows were written by themselves, the dearest of the methods."""


def reasons() -> Iterator[Row]:
    data = numeric_dataset(N_ROWS, 50, 4, seed=31, noise=0.3)
    train = data.take(np.arange(N_TRAIN))
    names = [name for name in wc.available_methods() if name not in GROWS_TREES]
    fitted = fit_all(names, train)
    size = f"{len(data):,} × 50 numbers, {fitted['leaf_frequency'].tree_.n_nodes:,} nodes"
    yield from against_leaf_frequency(fitted, data, size)
    values, tell = data.values[:, 0].tolist(), telling(fitted["leaf_frequency"], data)
    times = side_by_side(tell, lambda: [f"{value:.4g}" for value in values], repeats=9)
    yield Row("the same of `leaf_frequency`, against formatting one number per row", *times, wanted=2, is_cost=True)
    for kind, of_kind in one_by_one(fitted, data).items():
        ours, other, name = max(of_kind, key=lambda each: each[0] / each[1])
        claim = f"the reason of one answer, {kind}, the dearest of the methods, {name}, against routing the row"
        yield Row(claim, ours, other, wanted=WANTED_OF_ONE[kind], is_cost=True)
    data = nominal_dataset(N_ROWS)
    fitted = fit_all(["leaf_frequency", "wpe", "shrinkage_wpe"], nominal_dataset(N_TRAIN))
    yield from against_leaf_frequency(fitted, data, f"{len(data):,} × {len(data.attributes) - 1} nominal values")
    data = nominal_dataset(N_TRANSDUCTIVE)
    fitted = fit_all(["leaf_frequency", *GROWS_TREES], nominal_dataset(500))
    yield from against_leaf_frequency(fitted, data, f"{len(data):,} × {len(data.attributes) - 1} nominal values")


def fit_all(names: list[str], train: wc.Dataset) -> dict[str, wc.Method]:
    """The methods, each on a tree of the learner that it needs."""
    grown, fitted = cache(partial(wc.grow, train)), {}
    for name in names:
        method = wc.method(name, **({} if train.header.is_nominal.all() else OPTIONS.get(name, {})))
        fitted[name] = method.fit(grown(*(method.learner or ("J48", ""))), train)
    return fitted


def telling(method: wc.Method, data: wc.Dataset) -> partial[list[str]]:
    """All reasons of a method, whose answers are there already."""
    answer = method.answer(data)
    assert len(answer.proba) == len(answer.certainty)
    return partial(answer.reasons.__getitem__, slice(None))


def against_leaf_frequency(fitted: dict[str, wc.Method], data: wc.Dataset, size: str) -> Iterator[Row]:
    """A row per method."""
    usual = telling(fitted["leaf_frequency"], data)
    for name in [name for name in fitted if name != "leaf_frequency"]:
        wanted = WANTED_OF_CONFDTREE if name == "confdtree" else WANTED
        claim = f"{size}: reasons of `{name}`, against those of `leaf_frequency`"
        yield Row(claim, *side_by_side(telling(fitted[name], data), usual, repeats=7), wanted=wanted, is_cost=True)


def one_by_one(fitted: dict[str, wc.Method], data: wc.Dataset) -> dict[str, list[tuple[float, float, str]]]:
    """Median seconds of a reason when it is first read and when it is read again, of routing, and the method."""
    found: dict[str, list[tuple[float, float, str]]] = {"cold": [], "warm": []}
    for name, method in fitted.items():
        cold, warm, routing = [], [], []
        for row in range(N_TRAIN, N_TRAIN + N_ONE):
            one = data.take([row])
            answer = method.answer(one)
            assert len(answer.proba) == len(answer.certainty)
            cold.append(seconds(partial(answer.reason, 0)))
            warm.append(seconds(partial(answer.reason, 0)))
            routing.append(seconds(partial(method.tree_.router.last_whole_nodes, one.values)))
        for kind, times in (("cold", cold), ("warm", warm)):
            found[kind].append((statistics.median(times), statistics.median(routing), name))
    return found
