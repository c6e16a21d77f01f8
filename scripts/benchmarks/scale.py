"""Large data: how time and memory of each method grow, and what it takes where rows, attributes or classes are many."""

from __future__ import annotations

import math
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from benchmarks._measuring import Row, numeric_dataset, seconds, uci

import wekaconf as wc

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURE = Path(__file__).resolve().parents[2] / "docs" / "assets" / "growth.svg"
OPTIONS = {"wpe": {"numeric": "bins"}, "shrinkage_wpe": {"numeric": "bins"}}
"""Parameters without which a method would refuse numbers."""
GROWS_TREES = ("tpce", "kukar_kononenko")
"""Their growth is that of the trees that they grow for each answer; see the section growth."""
FEW = 4_000
"""Rows that are answered, where rows do not grow."""
NOISE = 32_000
"""Rows of noise that the trees of several sizes are grown on."""
LONG_ENOUGH = 0.5
"""Seconds."""
DIMENSIONS: dict[str, tuple[int, ...]] = {
    "rows": (8_000, 32_000, 128_000),
    "nodes": (64, 8, 1),
    "classes": (4, 64, 256),
    "attributes": (10, 250, 1_000),
}
"""For nodes: the fewest rows of a leaf."""


@dataclass(frozen=True)
class Point:
    """What one method needed at one size: seconds of the processor, and the largest number of bytes in use at once."""

    size: int
    fit_seconds: float
    fit_bytes: int
    answer_seconds: float
    answer_bytes: int


def drawn(dimension: str, size: int) -> tuple[wc.Dataset, wc.Dataset, wc.Dataset]:
    """What the tree is grown on, what the method is fitted on, and what is asked."""
    if dimension == "rows":
        data = numeric_dataset(size, 10, 4, seed=21, noise=1.0)
        return data.take(np.arange(FEW)), data, data
    if dimension == "nodes":
        data = numeric_dataset(NOISE, 10, 4, seed=22, noise=3.0)
    elif dimension == "classes":
        data = numeric_dataset(8_000, 10, size, seed=23, noise=0.3)
    else:
        data = numeric_dataset(FEW, size, 4, seed=24, noise=0.3)
    return data, data, numeric_dataset(FEW, len(data.attributes) - 1, data.n_classes, seed=25, noise=1.0)


def points(dimension: str) -> dict[str, list[Point]]:
    """The measurements of every method, by name."""
    found: dict[str, list[Point]] = {}
    for size in DIMENSIONS[dimension]:
        grown_on, train, asked = drawn(dimension, size)
        grown = cache(partial(wc.grow, grown_on))
        fewest = size if dimension == "nodes" else 2
        for name, method in methods():
            learner = ("J48", f"-U -M {fewest}") if dimension == "nodes" else method.learner or ("J48", "-U")
            tree = grown(*learner)
            fit = measured(partial(fresh_fit, method, tree, train))
            answer = measured(partial(method.predict_proba, asked))
            at = tree.n_nodes if dimension == "nodes" else size
            found.setdefault(name, []).append(Point(at, *fit, *answer))
    return found


def methods() -> Iterator[tuple[str, wc.Method]]:
    for name in wc.available_methods():
        if name not in GROWS_TREES:
            yield name, wc.method(name, **OPTIONS.get(name, {}))


def fresh_fit(method: wc.Method, tree: wc.TreeMirror, train: wc.Dataset) -> wc.Method:
    """Fit on data of its own, for which nothing is kept from the fit of another method."""
    return method.fit(tree, wc.Dataset(train.header, train.values, train.weights))


def measured(job: Callable[[], object]) -> tuple[float, int]:
    """The shortest of several times of the processor, in seconds, and the most bytes that Python and numpy held."""
    times: list[float] = []
    while len(times) < 3 or sum(times) < LONG_ENOUGH:
        began = time.process_time()
        job()
        times.append(time.process_time() - began)
    return min(times), most_bytes(job)


def measured_once(job: Callable[[], object]) -> tuple[float, int]:
    """The seconds of one run, and the most bytes held in another."""
    return seconds(job), most_bytes(job)


def most_bytes(job: Callable[[], object]) -> int:
    """The most bytes that Python and numpy hold at a time."""
    tracemalloc.start()
    job()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def exponent(each: list[Point], what: str) -> float:
    """By which power of the size the time or the memory grows, from the first size to the last."""
    first, last = each[0], each[-1]
    return math.log(getattr(last, what) / getattr(first, what)) / math.log(last.size / first.size)


def scale() -> Iterator[Row]:
    every = {}
    for dimension in DIMENSIONS:
        every[dimension] = by_method = points(dimension)
        some = next(iter(by_method.values()))
        sizes = f"{some[0].size:,} to {some[-1].size:,} {dimension}"
        for what, words in (
            ("fit_seconds", "processor time to fit"), ("answer_seconds", "processor time to answer"),
            ("fit_bytes", "memory to fit"), ("answer_bytes", "memory to answer"),
        ):  # fmt: skip
            power, name = max((exponent(each, what), name) for name, each in by_method.items())
            claim = f"{sizes}: {words}, exponent of the growth; the largest of the methods, {name}"
            yield Row(claim, power, 1.0, wanted=1.5, is_cost=True, unit="")
    draw(every)


def draw(every: dict[str, dict[str, list[Point]]]) -> None:
    """A panel per dimension: the seconds that each method takes to fit and to answer, in logarithmic scales."""
    from matplotlib.lines import Line2D

    from wekaconf.base.plot_style import line_styles, panels, save

    names = list(next(iter(every.values())))
    styles = dict(zip(names, line_styles(names), strict=True))

    def figure() -> Figure:
        made, axes = panels(len(every), {name: Line2D([], [], **style) for name, style in styles.items()}, None)
        for of_dimension, (dimension, by_method) in zip(axes, every.items(), strict=True):
            for name, each in by_method.items():
                total = [point.fit_seconds + point.answer_seconds for point in each]
                of_dimension.loglog([point.size for point in each], total, **styles[name])
            of_dimension.set(xlabel=dimension)
        axes[0].set(ylabel="processor seconds to fit and to answer")
        return made

    save(FIGURE, figure)


def large() -> Iterator[Row]:
    """Every method on a tree of 130,000 × 50, and ConfDTree on a tree of many nodes and classes."""
    data = numeric_dataset(130_000, 50, 4, seed=26, noise=0.3)
    few = data.take(np.arange(FEW))
    began = time.perf_counter()
    tree = wc.grow(data)
    grown = time.perf_counter() - began
    fits, answers = {}, {}
    for name, method in methods():
        of_method = tree if method.learner is None else wc.grow(few, *method.learner)
        fits[name] = measured_once(partial(fresh_fit, method, of_method, data))
        answers[name] = measured_once(partial(method.predict_proba, few))
    size = f"{len(data):,} × {len(data.attributes) - 1}, a tree of {tree.n_nodes:,} nodes"
    for doing, by_method in (("fit", fits), (f"answer {FEW:,} instances", answers)):
        slowest, name = max((taken, name) for name, (taken, _) in by_method.items())
        claim = f"{size}: time to {doing}, the slowest of the methods, {name}, against growing the tree in Weka"
        yield Row(claim, slowest, grown, wanted=1, is_cost=True)
        most, name = max((most, name) for name, (_, most) in by_method.items())
        claim = f"the same: memory to {doing}, the largest of the methods, {name}, against the data"
        yield Row(claim, most / 1e6, data.values.nbytes / 1e6, wanted=8, is_cost=True, unit="MB")
    many = numeric_dataset(21_000, 10, 300, seed=27, noise=0.3)
    tree = wc.grow(many, "J48", "-U -M 1")
    table = tree.n_nodes * tree.header.n_classes * 8 / 1e6
    tree.predict_proba(many.take([0]))  # makes the tables that are the tree's own
    most = most_bytes(partial(fresh_fit, wc.ConfDTree(), tree, many))
    claim = f"ConfDTree, 300 classes, {tree.n_nodes:,} nodes: memory to fit, against a table of nodes and classes"
    yield Row(claim, most / 1e6, table, wanted=6, is_cost=True, unit="MB")


def single() -> Iterator[Row]:
    """One instance of letter at a time, for every method."""
    letter = uci("letter")
    rows = [letter.take(np.array([row])) for row in range(0, len(letter), 100)]
    grown = cache(partial(wc.grow, letter))
    times = {}
    for name, method in methods():
        method.fit(grown(*(method.learner or ("J48", ""))), letter)
        method.predict_proba(letter)
        times[name] = statistics.median(seconds(partial(method.predict_proba, row)) for row in rows)
    slowest, name = max((taken, name) for name, taken in times.items())
    claim = f"one instance of letter, the slowest of the methods but those that grow trees, {name}, against 1 ms"
    yield Row(claim, slowest, 1e-3, wanted=1, is_cost=True)
