"""The script that counts broken promises: costs of its populations, and its records."""

import math

import numpy as np
from broken_promises import records
from broken_promises.cells import Group
from broken_promises.costs import targets
from broken_promises.populations import CostedPopulation

from wekaconf.evaluation.aims import RejectCosts
from wekaconf.evaluation.promises import CostedRows


def test_costs_of_a_population():
    rows = CostedRows(np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False]), np.array([0.0, 0, 5, 5]))
    population = CostedPopulation(RejectCosts(5, 1), rows, rows)
    cost, coverage = population.cost_at([math.inf, 0.9, 0.7, 0.5, 0.0])
    assert cost.tolist() == [1, 0.75, 0.75, 1.5, 2.5] and coverage.tolist() == [0, 0.25, 0.25, 0.75, 1]
    assert targets(population) == [0.8125, 2.475, 1.1]


def test_records_grow_and_are_the_same_bytes(tmp_path, monkeypatch):
    group = Group("costs", "corner", "J48", "m_branch", 4)
    cells = [group.cell("cost 5:1", target, 0.9, 400, [False, True, False], [0, 0.5, 1]) for target in (0.1, 0.2)]
    contents = []
    for name in ("a.csv.gz", "b.csv.gz"):
        monkeypatch.setattr(records, "RECORDS", tmp_path / name)
        assert records.read() == []
        for cell in cells:
            records.add([cell])
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    assert [(row["target"], row["draws"], row["broken"], row["any"], row["coverage"]) for row in records.read()] == [
        ("0.1", "3", "1", "2", "0.5"), ("0.2", "3", "1", "2", "0.5"),
    ]  # fmt: skip
