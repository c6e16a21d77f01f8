"""Halves of UCI sets, one learned and one asked, undamaged and damaged: which are told to differ."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np
from later_files.damage import DAMAGES, SIZES, columns_for, damaged

import wekaconf as wc
from wekaconf.data.training_summary import summarise
from wekaconf.evaluation.drift import Drift
from wekaconf.evaluation.promised_choice import drawn_rows
from wekaconf.model.fitted import Model

N_SETS, LEAST_ROWS, MOST_ROWS = 30, 500, 12_000
N_UNDAMAGED, DRAWS = 1000, 10
"""The number of undamaged halves in all, and that of damaged ones of each set, kind and size."""
UNDAMAGED = "undamaged"


@dataclass(frozen=True)
class Cell:
    """What was told of the files of one set, kind of damage and size.

    Parameters
    ----------
    data, kind, size : str
    n : int
        The number of files.
    told : int
        How many of them were told to differ.
    named : int
        In how many the damaged column was named.
    far : int
        In how many of the others rows far outside were told.
    """

    data: str
    kind: str
    size: str
    n: int = 0
    told: int = 0
    named: int = 0
    far: int = 0

    def with_file(self, drift: Drift, column: str) -> Cell:
        """The cell with one more file."""
        is_named = any(change.attribute == column for change in drift.told)
        is_far = drift.is_like_training and bool(drift.far)
        return replace(
            self,
            n=self.n + 1,
            told=self.told + bool(drift.told),
            named=self.named + is_named,
            far=self.far + is_far,
        )

    @classmethod
    def of_row(cls, row: dict[str, str]) -> Cell:
        """The cell of a row of the records."""
        return cls(row["data"], row["kind"], row["size"], *(int(row[name]) for name in ("n", "told", "named", "far")))

    @staticmethod
    def names() -> list[str]:
        """The columns of the records."""
        return [field.name for field in fields(Cell)]

    def row(self) -> dict[str, str]:
        """The row of the records."""
        return {name: str(value) for name, value in asdict(self).items()}


def set_names() -> list[str]:
    """The first sets, by name, of 500 to 12,000 rows and with nominal classes."""
    names = []
    for path in sorted(Path(os.environ["WEKACONF_UCI"]).glob("*.arff")):
        data = wc.load_arff(path, class_attribute="last")
        if LEAST_ROWS <= len(data) <= MOST_ROWS and data.header.class_attribute.is_nominal:
            names.append(path.stem)
    return names[:N_SETS]


def loaded(name: str) -> wc.Dataset:
    return wc.load_arff(Path(os.environ["WEKACONF_UCI"]) / f"{name}.arff", class_attribute="last")


def cells_of(name: str, data: wc.Dataset, n_undamaged: int, draws: int) -> list[Cell]:
    """All cells of a set."""
    cells = {(UNDAMAGED, ""): Cell(name, UNDAMAGED, "")}
    for draw in range(n_undamaged):
        rng = np.random.default_rng([draw, len(data)])
        rows = rng.permutation(len(data))
        model, asked = fitted(data.take(rows[::2])), data.take(rows[1::2])
        cells[UNDAMAGED, ""] = cells[UNDAMAGED, ""].with_file(model.compare(asked), "")
        if draw < draws:
            for kind, size, file, column in _damaged_files(asked, rng):
                cell = cells.get((kind, size), Cell(name, kind, size))
                cells[kind, size] = cell.with_file(model.compare(file), column)
    return list(cells.values())


def fitted(train: wc.Dataset) -> Model:
    """A tree of seven tenths of the rows, with what the certainties of the other three were like."""
    is_held_out = drawn_rows(len(train), 0.3)
    growing, calibration = train.take(~is_held_out), train.take(is_held_out)
    method = wc.method("leaf_frequency", laplace=True).fit(wc.C44().grow(growing), growing)
    return Model(method, summary=summarise(train)).with_answer_shares(method.answer(calibration), calibration)


def _damaged_files(asked: wc.Dataset, rng: np.random.Generator) -> Iterator[tuple[str, str, wc.Dataset, str]]:
    """Kind, size, rows and damaged column; kinds that no column of the data can have are left out."""
    for damage in DAMAGES:
        if columns := columns_for(damage, asked):
            column = int(rng.choice(columns))
            for size in SIZES:
                yield damage.name, size, damaged(damage, size, asked, column, rng), asked.attributes[column].name
