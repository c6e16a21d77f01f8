"""What the committed records of a replication say is what follows from them now: figures, tables beside, sentences."""

import json
from ast import literal_eval
from pathlib import Path

import pytest
import wang2006_repetitions
from support.csv_rows import rows_in

from wekaconf.replication._study import Request, Results
from wekaconf.replication.costa2013 import measurement as costa2013_measurement
from wekaconf.replication.costa2013 import study as costa2013
from wekaconf.replication.davidsson1996 import runs
from wekaconf.replication.davidsson1996 import study as davidsson1996
from wekaconf.replication.katz2012 import measurement as katz2012_measurement
from wekaconf.replication.katz2012 import study as katz2012
from wekaconf.replication.papers import study_of
from wekaconf.replication.toth2006 import measurement as toth2006_measurement
from wekaconf.replication.toth2006 import study as toth2006
from wekaconf.replication.wang2006 import measurement as wang2006_measurement
from wekaconf.replication.wang2006 import study as wang2006
from wekaconf.replication.writing import BESIDE, CELLS, ENVIRONMENT, FINDINGS, write_results

NUMBERS = {"ours", "low", "high", "difference", "chance"}
"""Columns that hold more digits than the records do."""
RECORDS = Path(__file__).parents[2] / "docs" / "records"


def value_of(text):
    """A cell of a file of records as it was before it was written."""
    if text == "":
        return None
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def records_of(folder, texts=(), measures=()):
    """The committed records, with the versions that made them; columns of ``texts`` stay as they are."""
    versions = json.loads((RECORDS / folder / ENVIRONMENT).read_text("utf-8"))["versions"]
    return [
        {name: text if name in texts else value_of(text) for name, text in row.items()}
        | {name: float(row[name]) for name in measures if row.get(name)}
        | {"versions": versions[0] if isinstance(versions, list) else versions}
        for row in rows_in(RECORDS / folder / "records.csv.gz")
    ]


def of_katz2012(folder):
    records = records_of(folder, texts=("class_sizes", "options"))
    names = dict.fromkeys(record["dataset"] for record in records)
    return study_of(folder).results(Request(sets=tuple(names)), {"all": records}, {})


def of_toth2006(folder):
    return study_of(folder).results(Request(), {"all": records_of(folder)}, {})


def of_wang2006(folder):
    return wang2006_repetitions.results(RECORDS / folder)


def of_davidsson1996(folder):
    measures = [f"{name}{end}" for name in ("correct", "missed", "rejected") for end in ("", "_sd", "_low", "_high")]
    return study_of(folder).results(Request(), {"all": records_of(folder, measures=measures)}, {})


def of_costa2013(folder):
    records = records_of(folder, measures=("brier", "auc", "auc_reliability"))
    of_batches = [record for record in records if record["protocol"] not in ("leave-one-out", "resubstitution")]
    others = [record for record in records if record not in of_batches]
    by_name = {costa2013.PAPER: others, costa2013.RECORDS_OF_BATCHES: of_batches}
    return study_of(folder).results(Request(), by_name, {})


RESULTS = {"katz2012": of_katz2012, "toth2006": of_toth2006, "wang2006": of_wang2006,
           "davidsson1996": of_davidsson1996, "costa2013": of_costa2013}  # fmt: skip


@pytest.mark.parametrize("folder", RESULTS)
def test_what_follows_from_the_records_is_committed(tmp_path, folder):
    found = RESULTS[folder](folder)
    found = Results(found.records, found.cells, found.beside, found.findings)  # without the figures, which take long
    place = Path(write_results(str(tmp_path), study_of(folder), Request(()), found, "report", []))
    assert (place / FINDINGS).read_text("utf-8") == (RECORDS / folder / FINDINGS).read_text("utf-8")
    for name in (CELLS, BESIDE):
        if (RECORDS / folder / name).exists():
            told, committed = rows_in(place / name), rows_in(RECORDS / folder / name)
            assert len(told) == len(committed)
            for one, other in zip(told, committed, strict=True):
                assert {k: v for k, v in one.items() if k not in NUMBERS} == {
                    k: v for k, v in other.items() if k not in NUMBERS
                }
                for now, then in ((value_of(row[column]) for row in (one, other)) for column in NUMBERS & one.keys()):
                    assert now == (pytest.approx(then, rel=1e-9, abs=1e-9) if isinstance(then, float) else then)


SETTINGS = {
    "costa2013": [
        ("seed", {"protocol": "leave-one-out", "method": "bagging"},
         range(Request.seed, Request.seed + costa2013.RUNS)),
        ("protocol", {"method": "tpce_batch"}, [f"{costa2013_measurement.FOLDS}-fold cross-validation"]),
    ],
    "davidsson1996": [
        *(("runs", {"part": part}, [n]) for part, n in davidsson1996.Plan.of(Request()).n_runs.items()),
        *(("n_train", {"part": part}, [runs.N_TRAIN_OF_IRIS]) for part in ("table 1", "section 4")),
        ("n_train", {"part": "table 2"}, [runs.N_TRAIN_OF_COINS]),
        ("n_train", {"part": "figure 2"}, runs.SIZES),
        ("n_irrelevant", {"part": "section 4"}, runs.N_IRRELEVANT),
        ("as_written", {"part": "section 4"}, runs.systems("text", runs.ALPHAS_OF_IRIS).values()),
        ("as_written", {"part": "figure 2"}, runs.systems("text", runs.ALPHAS_OF_COINS).values()),
    ],
    "katz2012": [
        ("seed", {"train_percent": ""}, range(Request.seed, Request.seed + katz2012.RUNS)),
        ("protocol", {"train_percent": ""}, [f"{katz2012_measurement.FOLDS}-fold cross-validation"]),
        ("train_percent", {"runs": str(katz2012.DIVISIONS)}, katz2012.SIZES),
        ("options", {"column": katz2012_measurement.FOREST}, [f"-I {katz2012_measurement.TREES_IN_FOREST}"]),
    ],
    "toth2006": [
        ("seed", {"rows": "new"}, range(1, toth2006.N_PLANES + 1)),
        ("seed", {"rows": "as described"}, range(1, toth2006.N_CHOICES + 1)),
        ("seed", {"rows": "out-of-fold"}, range(1, toth2006.N_CROSS_VALIDATIONS + 1)),
        ("keep", {"part": "section 3.1"}, [toth2006_measurement.KEPT_OF_PLANE]),
    ],
    "wang2006": [
        ("runs", {}, [wang2006.RUNS]),
        ("seed", {}, [Request.seed]),
        ("folds", {}, [wang2006_measurement.FOLDS]),
    ],
}  # fmt: skip
"""What each study asks for by default: a column of its records, the facts of those that have it, and its values."""


@pytest.mark.parametrize("folder", SETTINGS)
def test_what_is_asked_for_by_default_is_what_the_records_hold(folder):
    rows = rows_in(RECORDS / folder / "records.csv.gz")
    for column, facts, setting in SETTINGS[folder]:
        held = dict.fromkeys(row[column] for row in rows if facts.items() <= row.items())
        assert [*held] == [str(each) for each in setting], (column, facts)
