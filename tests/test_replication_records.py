"""What the committed records of a replication say is what follows from them now: figures, tables beside, sentences."""

import csv
import json
from ast import literal_eval
from pathlib import Path

import pytest

from wekaconf.replication.cells import compared, published_cells
from wekaconf.replication.katz2012 import study as katz2012
from wekaconf.replication.study import Asked, Results
from wekaconf.replication.toth2006 import findings, tables
from wekaconf.replication.toth2006.study import STUDY as TOTH2006
from wekaconf.replication.writing import BESIDE, CELLS, ENVIRONMENT, FINDINGS, write_results

NUMBERS = {"ours", "difference"}
"""Columns that hold more digits than the records do."""
RECORDS = Path(__file__).parents[1] / "docs" / "records"


def value_of(text):
    """A cell of a file of records as it was before it was written."""
    if text == "":
        return None
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def records_of(folder, texts=()):
    """The committed records, with the versions that made them; columns of ``texts`` stay as they are written."""
    versions = json.loads((RECORDS / folder / ENVIRONMENT).read_text("utf-8"))["versions"]
    return [
        {name: text if name in texts else value_of(text) for name, text in row.items()} | {"versions": versions}
        for row in rows(RECORDS / folder / "records.csv")
    ]


def of_katz2012(folder):
    records = records_of(folder, texts=("class_sizes", "options"))
    names = list(dict.fromkeys(record["dataset"] for record in records))
    return katz2012.results(records, list(katz2012.STUDY.parts), names, katz2012.STUDY.readings[0])


def of_toth2006(folder):
    records = records_of(folder)
    cells = compared(published_cells("toth2006"), tables.ours(records))
    return Results(records, cells, list(tables.beside(records)), list(findings.findings(records)))


RESULTS = {"katz2012": of_katz2012, "katz2012-runs": of_katz2012, "toth2006": of_toth2006}
STUDIES = {"katz2012": katz2012.STUDY, "katz2012-runs": katz2012.STUDY, "toth2006": TOTH2006}


@pytest.mark.parametrize("folder", RESULTS)
def test_what_follows_from_the_records_is_committed(tmp_path, folder):
    found = RESULTS[folder](folder)
    study = STUDIES[folder]
    found = Results(found.records, found.cells, found.beside, found.findings)  # without the figures, which take long
    place = Path(write_results(str(tmp_path), study, Asked(()), found, []))
    assert (place / FINDINGS).read_text("utf-8") == (RECORDS / folder / FINDINGS).read_text("utf-8")
    for name in (CELLS, BESIDE):
        if (RECORDS / folder / name).exists():
            told, committed = rows(place / name), rows(RECORDS / folder / name)
            assert len(told) == len(committed)
            for one, other in zip(told, committed, strict=True):
                assert {k: v for k, v in one.items() if k not in NUMBERS} == {
                    k: v for k, v in other.items() if k not in NUMBERS
                }
                for now, then in ((value_of(row[column]) for row in (one, other)) for column in NUMBERS & one.keys()):
                    assert now == (pytest.approx(then, rel=1e-9, abs=1e-9) if isinstance(then, float) else then)
