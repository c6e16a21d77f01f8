"""The groups of rows in which `check` looks for errors."""

import math

import numpy as np
from support.written_trees import EACH, LE, written_tree

import wekaconf as wc
from wekaconf.data import Attribute, Header
from wekaconf.data._matching import UnseenCells
from wekaconf.model._check import groups_of_columns, groups_of_leaves
from wekaconf.tree._forest import Forest

HEADER = Header("visits", (
    Attribute("age"), Attribute("beds"), Attribute("seen", "date"), Attribute("ward", "nominal", ("eye", "ear")),
    Attribute("letter", "string", ("a",)), Attribute("back", "nominal", ("no", "yes")),
), 5)  # fmt: skip
DAY = 86_400_000.0


def test_values_ranges_and_missing_values():
    rows = np.array([[20 + i, i % 3, DAY * i, i % 2, 0, i % 2] for i in range(12)], dtype=float)
    rows[0, 0], rows[1, 3], rows[2, 3] = math.nan, math.nan, math.nan
    unseen = {"ward": UnseenCells(np.array([2]), np.array(["palliative"], dtype=object))}
    groups = groups_of_columns(wc.Dataset(HEADER, rows, unseen=unseen))
    where = {name: np.flatnonzero(of).tolist() for name, of in groups.items()}
    assert where == {
        "age <= 23": [1, 2, 3], "age > 23 and <= 26": [4, 5, 6], "age > 26 and <= 29": [7, 8, 9], "age > 29": [10, 11],
        "age missing": [0],
        "beds = 0": [0, 3, 6, 9], "beds = 1": [1, 4, 7, 10], "beds = 2": [2, 5, 8, 11], "beds missing": [],
        "seen <= 1970-01-03": [0, 1, 2], "seen > 1970-01-03 and <= 1970-01-06": [3, 4, 5],
        "seen > 1970-01-06 and <= 1970-01-09": [6, 7, 8], "seen > 1970-01-09": [9, 10, 11], "seen missing": [],
        "ward = palliative": [2], "ward = eye": [0, 4, 6, 8, 10], "ward = ear": [3, 5, 7, 9, 11], "ward missing": [1],
    }  # fmt: skip


def test_leaves_and_the_largest_part_of_a_row():
    tree = written_tree(HEADER, (0, LE, 30, [9, 1], (3, EACH, None, [0, 5], [0.5, 2])))
    rows = np.full((4, 6), math.nan)
    rows[:, 0], rows[:, 3] = [20, 40, 40, math.nan], [0, 1, math.nan, math.nan]
    groups = groups_of_leaves(tree, wc.Dataset(HEADER, rows))
    assert {name: np.flatnonzero(of).tolist() for name, of in groups.items()} == {
        "leaf age <= 30": [0, 3], "leaf age > 30 and ward = ear": [1], "leaf age > 30 and ward = eye": [2],
    }  # fmt: skip
    assert groups_of_leaves(Forest((tree, tree)), wc.Dataset(HEADER, rows)) == {}


def test_check_names_where_errors_gather(wine):
    is_later = np.arange(len(wine)) % 2 == 1
    model = wc.fit(wine.take(~is_later), learner="CART")
    later = wine.take(is_later)
    alcohol = later.values[:, 0]
    values = later.values.copy()
    moved = alcohol > np.median(alcohol)
    values[moved, -1] = (values[moved, -1] + 1) % 3
    column = wine.attributes[0].name
    check = model.check(wc.Dataset(wine.header, values))
    assert check.gathering.told[0].name.startswith(("leaf ", f"{column} > "))
    assert check.gathering_lines[0] in str(check)
    assert check.record["errors_gather"]["n_tests"] == len(check.gathering.groups)
