"""Readings of Katz et al. that were tried, and the forests of another Weka: the records and the tables from them."""

import json

import katz2012_forest as forest
import katz2012_readings as readings
import pytest
from support.csv_rows import rows_in
from support.fresh_python import child

from wekaconf.replication.writing import BESIDE, RECORDS

LINES = rows_in(readings.TARGET / RECORDS)


def shown(tables):
    head, *rows = readings.beside_rows(tables)
    return [str(row[head.index("shown")]) for row in rows]


def test_the_tables_are_those_of_the_records():
    assert [row["shown"] for row in rows_in(readings.TARGET / BESIDE)] == shown(readings.tables(LINES))
    assert [row["shown"] for row in rows_in(forest.TARGET / BESIDE)] == shown([forest.table()])


def test_every_figure_that_is_not_met_has_a_cause_or_what_was_tried():
    """Of ConfDTree, in Tables I and III, where nothing is printed twice."""
    causes = {}
    for row in rows_in(readings.TARGET / BESIDE):
        if "what meets them" in row["title"] and row["column"] == "met with":
            causes[row["part"], row["row"]] = row["shown"]
    cells = rows_in(readings.TARGET.parent / readings.PAPER / "cells.csv")
    expected = {
        (row["part"], f"{row['row']}, {row['column']}")
        for row in cells
        if row["verdict"] in ("close", "differs") and row["column"] in ("NORM", "TDIST", "COMB")
    }
    assert causes.keys() == expected
    assert all(cause and cause != "not tried" for cause in causes.values())


def test_a_reading_moves_the_interval():
    """By as much as it moves the figure of the seed that it was measured with."""
    [row] = [row for row in rows_in(readings.TARGET.parent / readings.PAPER / "cells.csv")
             if (row["part"], row["row"], row["column"]) == ("table 3", "ecoli3", "NORM")]  # fmt: skip
    affected = {line["method"]: float(line["percent_affected"]) for line in LINES
                if line["dataset"] == "ecoli3" and not line["options"]}  # fmt: skip
    moved = affected["confdtree:variant=norm,normality=none"] - affected["confdtree:variant=norm"]
    low, high, published = (float(row[name]) for name in ("low", "high", "published"))
    assert not low <= published <= high and low + moved <= published <= high + moved


def test_a_set_measured_now(uci, jvm):
    now = [dict(zip(readings.COLUMNS, line, strict=True)) for line in readings.measure(str(uci), ["autos"], set())]
    keys = readings.COLUMNS[:3]
    committed = {tuple(line[key] for key in keys): line for line in LINES if line["dataset"] == "autos"}
    assert len(now) == len(committed) == 40
    for one in now:
        other = committed[tuple(one[key] for key in keys)]
        for name in readings.COLUMNS[3:]:
            assert float(one[name]) == pytest.approx(float(other[name]), abs=1e-6)
    assert not list(readings.measure(str(uci), ["autos"], set(committed)))


@pytest.mark.one_commit_in(3)
def test_the_forest_in_our_weka_is_that_of_the_records(uci):
    """Weka's own classes, without our bridge, draw the same folds and the same trees."""
    code = f"""
import json
from importlib.util import find_spec
from pathlib import Path
import katz2012_forest as forest
jar = Path(find_spec("weka").origin).parent / "lib" / "weka.jar"
print(json.dumps(list(forest.measure(str(jar), {str(uci)!r}, 2, ["glass"]))))
"""
    lines = json.loads(child(code).strip().splitlines()[-1])
    records = rows_in(forest.TARGET.parent / "katz2012" / f"{RECORDS}.gz")
    for name, _, seed, *areas in lines:
        place = name, "RandomForest", str(seed), ""
        keys = ("dataset", "column", "seed", "train_percent")
        [record] = [row for row in records if tuple(row[key] for key in keys) == place]
        assert list(map(float, areas)) == pytest.approx([float(record[area]) for area in forest.COLUMNS[3:]], abs=1e-8)
    assert len(lines) == 2
