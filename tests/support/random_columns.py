"""Random data sets: every kind of columns, missing cells, weights and classes that a learner may meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.tree._kinds import SplitKind
from wekaconf.tree._mirror import TreeMirror

DAY = 86_400_000.0
LARGEST, SMALLEST = np.finfo(np.float64).max, 5e-324


def few(rng: Generator, n: int) -> FloatArray:
    return rng.integers(-2, 3, n).astype(np.float64)


def many(rng: Generator, n: int) -> FloatArray:
    return rng.normal(size=n)


def rounded(rng: Generator, n: int) -> FloatArray:
    return rng.normal(size=n).round(1)


def single_precision(rng: Generator, n: int) -> FloatArray:
    return rng.normal(size=n).astype(np.float32).astype(np.float64)


def neighbours(rng: Generator, n: int) -> FloatArray:
    """Values a few units in the last place around others."""
    centers = rng.choice([0.1, 1.0, -3.3, 1e10, 1e-300, 2.0**53, SMALLEST * 8], size=2)
    return (rng.choice(centers, n).view(np.int64) + rng.integers(-2, 3, n)).view(np.float64)


def subnormal(rng: Generator, n: int) -> FloatArray:
    return rng.integers(-5, 6, n) * SMALLEST * rng.choice([1, 1000])


def huge(rng: Generator, n: int) -> FloatArray:
    return rng.uniform(-1, 1, n).round(2) * rng.choice([1e300, LARGEST])


def signed_zero(rng: Generator, n: int) -> FloatArray:
    return rng.choice([0.0, -0.0, SMALLEST, -SMALLEST, 1.0, -1.0], n)


def narrow(rng: Generator, n: int) -> FloatArray:
    """A range far smaller than the values, on either side of Weka's 1e-6 and 1e-5."""
    return rng.choice([1.0, 1e6]) + rng.normal(size=n) * rng.choice([1e-12, 1e-6, 1e-5])


def wide(rng: Generator, n: int) -> FloatArray:
    return rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-320, 308, n)


def constant(rng: Generator, n: int) -> FloatArray:
    return np.full(n, rng.choice([0.0, 0.1, -7.0, 1e300]))


def unknown(_rng: Generator, n: int) -> FloatArray:
    return np.full(n, np.nan)


def infinite(rng: Generator, n: int) -> FloatArray:
    return rng.choice([-np.inf, np.inf, *rng.normal(size=4)], n)


def days(rng: Generator, n: int) -> FloatArray:
    return rng.integers(-20_000, 20_000, n) * DAY


def moments(rng: Generator, n: int) -> FloatArray:
    """Milliseconds next to one another."""
    return rng.choice([0.0, 1.7e12, -(2.0**40)]) + rng.integers(0, 5, n)


def beyond_the_calendar(rng: Generator, n: int) -> FloatArray:
    return rng.choice([-1.0, 1.0], n) * rng.choice([1e15, 9.3e18, 1e200]) * rng.uniform(0.9, 1, n)


DATES = (days, days, moments, moments, beyond_the_calendar)
USUAL = (few, many, rounded, single_precision)
ODD = (neighbours, subnormal, huge, signed_zero, narrow, wide, constant, unknown, infinite)


def random_column(rng: Generator, name: str, n: int) -> tuple[Attribute, FloatArray]:
    """An attribute and its cells."""
    kind = rng.choice(["usual", "odd", "nominal", "date"], p=[0.4, 0.2, 0.3, 0.1])
    if kind == "date":
        return Attribute(name, "date", date_format="yyyy-MM-dd HH:mm"), DATES[rng.integers(len(DATES))](rng, n)
    if kind == "nominal":
        n_values = int(rng.choice([0, 1, 2, 3, 5, 30], p=[0.05, 0.1, 0.25, 0.3, 0.2, 0.1]))
        occurring = rng.permutation(n_values)[: rng.integers(1, n_values + 1)] if n_values else np.array([np.nan])
        return Attribute(name, "nominal", tuple(f"v{v}" for v in range(n_values))), rng.choice(occurring, n) * 1.0
    made = USUAL[rng.integers(len(USUAL))] if kind == "usual" else ODD[rng.integers(len(ODD))]
    return Attribute(name), made(rng, n)


def random_weights(rng: Generator, n: int) -> FloatArray | None:
    """Instance weights: one, whole, fractional, tiny, large, or some of them zero."""
    kind = rng.choice(["one", "whole", "fractional", "tiny", "large", "some zero"], p=[0.5, 0.1, 0.2, 0.05, 0.05, 0.1])
    return {
        "one": None,
        "whole": rng.integers(1, 4, n).astype(np.float64),
        "fractional": rng.choice([0.3, 0.5, 1.0, 2.7], n),
        "tiny": rng.uniform(1e-9, 1e-3, n),
        "large": rng.uniform(1, 1e9, n),
        "some zero": rng.choice([0.0, 1.0, 2.0], n),
    }[kind]


def random_classes(rng: Generator, columns: list[FloatArray], n: int, n_classes: int) -> FloatArray:
    """Classes that depend on the first columns; some never occur, some are missing, and duplicates may differ.

    They depend on ranks, so that no column dominates the others by its scale.
    """
    occurring = rng.permutation(n_classes)[: rng.integers(1, n_classes + 1)] if rng.random() < 0.3 else n_classes
    signal = rng.normal(scale=rng.choice([0.1, 0.5, 3.0]), size=n)
    for cells in columns[:2]:
        signal += np.argsort(np.argsort(cells)) * 3 / n
    labels = np.arange(n_classes) if isinstance(occurring, int) else occurring
    target = labels[np.argsort(np.argsort(signal)) * len(labels) // n].astype(np.float64)
    if rng.random() < 0.2:
        target[rng.random(n) < rng.choice([0.05, 0.5])] = np.nan
    return target


def random_dataset(rng: Generator) -> Dataset:
    """A training set."""
    n = int(rng.choice([rng.integers(1, 8), rng.integers(8, 60), rng.integers(60, 301)], p=[0.15, 0.5, 0.35]))
    n_classes = int(rng.integers(2, 7))
    n_columns = int(rng.integers(1, 8)) if rng.random() < 0.97 else 0
    pairs = [random_column(rng, f"a{i}", n) for i in range(n_columns)]
    attributes, columns = [attribute for attribute, _ in pairs], [cells for _, cells in pairs]
    target = random_classes(rng, columns, n, n_classes)
    for cells in columns:
        cells[rng.random(n) < rng.choice([0.0, 0.05, 0.3, 0.9], p=[0.6, 0.2, 0.15, 0.05])] = np.nan
    at = int(rng.integers(n_columns + 1))
    attributes.insert(at, Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes))))
    columns.insert(at, target)
    values = np.column_stack(columns)
    if rng.random() < 0.2:
        values = values[rng.integers(0, n, n)]
        values[:, at] = np.where(rng.random(n) < 0.2, rng.permutation(values[:, at]), values[:, at])
    return Dataset(Header("random", tuple(attributes), at), values, random_weights(rng, n))


def as_sparse(rng: Generator, data: Dataset) -> Dataset:
    """The same data with more zeros and first values, all or half of the rows sparse."""
    values = data.values.copy()
    may_be_zero = [not attribute.is_indexed or bool(attribute.values) for attribute in data.attributes]
    values[(rng.random(values.shape) < rng.choice([0.2, 0.6, 0.9])) & may_be_zero] = 0
    is_sparse = rng.random(len(data)) < rng.choice([1.0, 0.5], p=[0.7, 0.3])
    return replace(data, values=values, is_sparse=is_sparse)


def asked_rows(rng: Generator, train: Dataset, trees: Iterable[TreeMirror]) -> Dataset:
    """Instances to answer for: training values, split points and their neighbours, other values, missing values."""
    n = 30
    points: dict[int, list[float]] = {}
    for tree in trees:
        for node in np.flatnonzero(np.isin(tree.split_kind, (SplitKind.NUMERIC_LE, SplitKind.NUMERIC_LT))):
            points.setdefault(int(tree.split_attribute[node]), []).append(float(tree.split_point[node]))
    values = np.empty((n, len(train.attributes)))
    lost = rng.choice([0.0, 0.1, 0.5])
    for column, attribute in enumerate(train.attributes):
        cells = train.values[rng.integers(0, len(train), n), column]
        if attribute.is_nominal:
            other = rng.choice(np.arange(len(attribute.values)) if attribute.values else [np.nan], n) * 1.0
        else:
            other = _around(rng, np.array(points.get(column, [0.0])), n)
        values[:, column] = np.where(rng.random(n) < 0.5, cells, other)
        values[rng.random(n) < lost, column] = np.nan
    return Dataset(train.header, values, random_weights(rng, n))


def _around(rng: Generator, points: FloatArray, n: int) -> FloatArray:
    """Some of the points, the doubles next to them, and values anywhere."""
    chosen = rng.choice(points, n)
    with np.errstate(over="ignore", under="ignore"):
        next_to = np.nextafter(chosen, rng.choice([-np.inf, np.inf], n))
        anywhere = chosen + rng.normal(size=n) * rng.choice([1e-7, 1.0, 1e3])
    return np.choose(rng.integers(0, 3, n), (chosen, next_to, anywhere))
