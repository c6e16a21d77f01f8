"""The halves of the data sets, one to design with and one to judge on, and their splits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

import wekaconf as wc
from wekaconf.base.files import atomic_write

FEWEST_ANSWERS = 3
"""A split counts with so many right and so many wrong answers of the tree."""


class Half(NamedTuple):
    """What is measured on a half of the data sets.

    Parameters
    ----------
    seeds : range
        Each draws a split.
    most_rows : int
        The largest number of rows of a data set.
    fewest_splits : int
        A data set counts with so many splits that count.
    """

    seeds: range
    most_rows: int
    fewest_splits: int


DESIGN, JUDGED = "design", "judged"
HALVES = {DESIGN: Half(range(1, 4), 6_000, 2), JUDGED: Half(range(1, 11), 15_000, 5)}


def is_design(name: str) -> bool:
    """Whether a data set is one to design with: its SHA-256 begins with 0 to 7. The others are kept to judge on."""
    return hashlib.sha256(name.encode()).hexdigest()[0] < "8"


def sets_of_half(half: str, folder: Path, related: Collection[str]) -> dict[str, wc.Dataset]:
    """The data sets of a half that have few enough rows, small ones first.

    Parameters
    ----------
    half : str
        One of `HALVES`.
    folder : Path
        ARFF files.
    related : collection of str
        Names of data sets that hold instances of another, which are left out.
    """
    found = {}
    for path in folder.glob("*.arff"):
        if is_design(path.stem) == (half == DESIGN) and path.stem not in related:
            data = wc.load_arff(path)
            if data.header.class_attribute.is_nominal and len(data) <= HALVES[half].most_rows:
                found[path.stem] = data
    return dict(sorted(found.items(), key=lambda item: item[1].values.size))


def parted(data: wc.Dataset, seed: int) -> tuple[wc.Dataset, wc.Dataset]:
    """The rows that train, two thirds of those that have a class, and the others, which are new."""
    data = data.take(data.class_values >= 0)
    order = np.random.default_rng(seed).permutation(len(data))
    n_train = round(2 * len(data) / 3)
    return data.take(order[:n_train]), data.take(order[n_train:])


def counts(data: wc.Dataset, seed: int) -> bool:
    """Whether J48's tree on a split gives enough right and enough wrong answers."""
    train, test = parted(data, seed)
    right = wc.J48().grow_without_notes(train).predict(test) == test.class_values
    return bool(min(right.sum(), (~right).sum()) >= FEWEST_ANSWERS)


def seeds_that_count(half: str, sets: Mapping[str, wc.Dataset], path: Path) -> dict[str, list[int]]:
    """The seeds that count of the sets that count, as plain trees alone say; listed once, in a file."""
    seeds, _, fewest_splits = HALVES[half]
    if not path.exists():
        of_sets = {name: [seed for seed in seeds if counts(data, seed)] for name, data in sets.items()}
        with atomic_write(path, "w") as file:
            json.dump({name: counted for name, counted in of_sets.items() if len(counted) >= fewest_splits}, file)
    found: dict[str, list[int]] = json.loads(path.read_text(encoding="utf-8"))
    return found
