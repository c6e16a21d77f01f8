"""Exported files of small models, whose text is kept in tests/golden/exported/; see `support.printed` for comparing it.

Between them the models have every kind of split, side, division and filter; their numbers are round, so that the text
is the same everywhere. A text that is much like another one is kept as what differs from that one.
"""

import math
import warnings
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import wekaconf as wc
from support.export_cases import pooled
from support.printed import CHANGING
from support.written_trees import EACH, EQUALS, LE, LT, SUBSET, written_tree
from wekaconf.data import DATE_FORMAT, Attribute, ColumnMap, Header
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.thresholds import choose
from wekaconf.model.export._exported_model import exported_model
from wekaconf.model.export._pmml_document import pmml_text
from wekaconf.model.export._record import json_text
from wekaconf.model.export._sql_dialects import DIALECTS
from wekaconf.model.export._sql_query import check_text, sql_text
from wekaconf.model.export._sql_staging import table_text
from wekaconf.tree._kinds import Routing

EXPORTED = Path(__file__).parents[1] / "golden" / "exported"
HEADER = Header("visits", (
    Attribute("age"), Attribute("seen", "date", (), DATE_FORMAT), Attribute("ward", "nominal", ("eye", "ear", "x'y")),
    Attribute("code", "nominal", ("1", "01", "true", " 2")), Attribute("back", "nominal", ("no", "yes", "later")),
), 4)  # fmt: skip
DAY = 19_000 * 86_400_000.0
SPEC = (
    0, LE, 60.25,
    (2, EACH, None, [9, 1, 0], [2, 3, 1], (0, LT, -math.inf, [1, 0, 0], [4, 4, 1])),
    (1, LE, DAY, (3, SUBSET, [True, False, True, False], [0, 0, 5], [1, 7, 0]), (3, EQUALS, 1, [0, 2, 1], (
        0, LE, math.nan, [1, 2, 3], [3, 0, 1]))),
)  # fmt: skip


def tree_of(routing=Routing.J48, header=HEADER, spec=SPEC):
    return written_tree(header, spec, routing=routing)


def training():
    """Rows that no random number made."""
    i = np.arange(60.0)
    return wc.Dataset(HEADER, np.column_stack([20 + i % 17 * 4, DAY + (i % 7 - 3) * 1e8, i % 3, i % 4, (i // 5) % 3]))


def second_opinion(**params):
    """A pool of the tree, a table and a line for each column; what these learned is rounded."""
    method = pooled(tree_of(), training(), "laplace+naive_bayes+logistic", [0.5, 0.25, 0.125], **params)
    learned = {name: array.round(3) if array.dtype.kind == "f" else array for name, array in method.learned().items()}
    return type(method).restore(method.params, method.tree_, learned)


def cut_and_filled():
    """A tree that tests a column which one filter cuts and another fills."""
    bins = replace(HEADER.attributes[0], kind="nominal", values=("low", "mid", "high"))
    header = replace(HEADER, attributes=(bins, *HEADER.attributes[1:]))
    source, nothing = np.arange(5, dtype=np.int32), np.full(5, np.nan)
    start = np.array([0, 2, 2, 2, 2, 2], np.int32)
    cut = ColumnMap(HEADER, header, source, nothing, start, np.array([30.5, 50.0]), source == 0)
    fill = ColumnMap(header, header, source, np.array([1, DAY, 0, np.nan, np.nan]), np.zeros(6, np.int32), np.zeros(0),
                     np.zeros(5, bool))  # fmt: skip
    mid, high = (1, LE, DAY, [0, 2, 1], [3, 0, 1]), (2, EACH, None, [9, 1, 0], [0, 3, 1], [1, 1, 2])
    spec = (0, EACH, None, [9, 1, 0], mid, high)
    return wc.Model(wc.LeafFrequency.restore({}, tree_of(header=header, spec=spec), {}), (cut, fill))


def below(model, certainty):
    return replace(model, choice=choose(Aim("below", certainty), [], []))


def models():
    """The models by name."""
    costs = Aim("cost", (np.array([[0, 1, 2], [5, 0, 3], [4, 2, 0]]), 0.5))
    by_routing = {
        name: wc.Model(wc.LeafFrequency.restore({}, tree_of(routing), {}))
        for name, routing in (("counts", Routing.J48_LAPLACE), ("sum", Routing.REPTREE))
    }
    mean = wc.Model(wc.MBranch().fit(tree_of(), training()))
    return by_routing | {
        "mean": below(mean, 0.7), "mean-costs": replace(mean, choice=choose(costs, [], [])),
        "filters": cut_and_filled(), "pool": wc.Model(second_opinion()),
        "pool-decider": below(wc.Model(second_opinion(answers="tree")), 0.6),
        "pool-costs": replace(wc.Model(second_opinion()), choice=choose(costs, [], [])),
    }  # fmt: skip


def texts():
    """The text of each file by its name, without the version of wekaconf; of one like another, what differs."""
    found = {}
    for name, model in models().items():
        held = exported_model(model)
        if name in ("counts", "pool"):
            held = replace(held, thresholds=(0.7, math.inf, -math.inf))
        found[f"{name}.json"] = json_text(held)
        if held.savings is None:
            found[f"{name}.pmml"] = pmml_text(held, by_majority=name == "sum")
        for dialect in DIALECTS if name in ("counts", "pool") else ("sqlite",):
            found[f"{name}.{dialect}.sql"] = sql_text(held, dialect)
    held = exported_model(models()["counts"])
    found |= {f"cells.{dialect}.sql": check_text(held, dialect) for dialect in DIALECTS}
    found |= {f"table.{dialect}.sql": text for dialect, text in tables(held)}
    found = {name: CHANGING.sub("…", text) for name, text in found.items()}
    return dict(told(name, found) for name in found)


def like(name):
    """The file that one is much like; itself if there is none."""
    model, _, form = name.partition(".")
    kind, _, variant = model.partition("-")
    if variant:
        return f"{kind}.{form}"
    if kind in ("mean", "sum", "pool"):
        return f"counts.{form}"
    return name.replace(".postgresql.", ".duckdb.")


def told(name, found):
    """The name under which a file is kept, and what is kept of it."""
    other = like(name)
    if other == name:
        return name, found[name]
    lines = unified_diff(found[other].splitlines(), found[name].splitlines(), other, name, n=0, lineterm="")
    return f"{name}.diff", "\n".join([*lines, ""])


def tables(held):
    """For each dialect what takes a file of a German spreadsheet, in which one column has another name."""
    rows = ["alter;seen;ward;code;note;back", *(f"{20 + i},5;{i:02}.02.2022 12:30;eye;1;n;no" for i in range(10, 20))]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "it's later.csv"
        path.write_text("\n".join([*rows, "-;-;an ear, or none;2;n;yes\n"]), encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reading = wc.load_table(path, na=["-"], rename={"alter": "age"}).reading
        for dialect in DIALECTS:
            yield dialect, table_text(held, reading, path, dialect)


def write():
    """Write the files anew, after a change that is meant."""
    EXPORTED.mkdir(exist_ok=True)
    for path in EXPORTED.iterdir():
        path.unlink()
    for name, text in texts().items():
        (EXPORTED / name).write_text(text, encoding="utf-8")
