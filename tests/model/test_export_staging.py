"""A file goes as it is into a table of texts, whose view gives the model's answers; cells of no use are named."""

import csv
from datetime import date, timedelta

import numpy as np
import pytest
from support.databases import DATABASES, connected, require

import wekaconf as wc
from wekaconf.model.export import DIALECTS
from wekaconf.model.export._sql_staging import STAGING, _convert_date

NAMES = ("fall", "entlassen", "alter", "station", "kreatinin", "brief", "wieder")
WARDS = ("Innere", "Chirurgie", "gegen ärztlichen Rat", "it's")


@pytest.fixture(autouse=True)
def _server(request, lacks):
    """End a test of a database whose server is not installed."""
    callspec = getattr(request.node, "callspec", None)
    require(callspec and callspec.params["database"], lacks)


def draw_rows(n, seed, *, missing=0.1):
    """Rows as a German spreadsheet writes them, every kind of cell also empty."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        level, day = round(float(rng.normal(2, 1)), 2), date(2025, 1, 1) + timedelta(days=int(rng.integers(200)))
        ward, age = str(rng.choice(WARDS)), int(rng.integers(20, 90))
        cells = [f"{day:%d.%m.%Y}", str(age), ward, f"{level}".replace(".", ",")]
        cells = ["" if rng.random() < missing else cell for cell in cells]
        again = (level > 2.2) != (ward == "Innere" and day.month > 3) or age > 75
        yield [f"F{i}", *cells, 'er sagte: "gut"; nun', "ja" if again ^ bool(rng.random() < 0.1) else "nein"]


def written(path, rows):
    """A file of these rows."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows([NAMES, *rows])
    return path


def model_in(folder):
    """A model of such a file, with a threshold."""
    train = wc.load_table(written(folder / "known.csv", draw_rows(400, 1, missing=0.05)), id="fall", ignore=["brief"])
    return wc.fit(train, "m_branch", learner="CART", aim=wc.Aim("below", 0.9))


def asked(database, model, folder, rows):
    """The answers by the row's name, and the cells of which the check says that they are of no use."""
    file = written(folder / "later.csv", rows)
    model.export(folder / "m.sql", dialect=database, staging=file)
    orders = (folder / "m.table.sql").read_text()
    connection = connected(database)
    for order in orders.split(";\n"):
        if order.strip():
            connection.execute(order)
    load = "\n".join(line[5:] for line in orders.splitlines() if line.startswith("--   "))
    if database == "sqlite":
        assert load.endswith(f".import --skip 1 'later.csv' {STAGING}")
        connection.executemany(f"INSERT INTO {STAGING} VALUES ({', '.join('?' * len(NAMES))})", rows)
    elif database == "duckdb":
        connection.execute(load.replace("'later.csv'", f"'{file}'"))
    else:
        connection.load(load, folder)
    found = connection.execute((folder / "m.sql").read_text())
    names = [each[0] for each in found.description]
    answers = {row[1]: dict(zip(names, row, strict=True)) for row in found.fetchall()}
    number = {row["wekaconf_instance"]: name for name, row in answers.items()}
    check = connection.execute((folder / "m.check.sql").read_text()).fetchall()
    return answers, {(number[row[0]], *row[1:3]) for row in check}, {row[3] for row in check}


@pytest.mark.parametrize("database", DATABASES)
def test_a_file_goes_in_as_it_is_and_is_answered_as_by_the_model(database, tmp_path):
    model, rows = model_in(tmp_path), [*draw_rows(150, 2, missing=0.2)]
    rows[7][3] = "Palliativ"
    answers, check, problems = asked(database, model, tmp_path, rows)
    data = wc.load_table(tmp_path / "later.csv", header=model)
    answer, names = model.answer(data), model.header.class_names
    by_model = [
        (names[predicted], bool(rejected))
        for predicted, rejected in zip(answer.predicted, answer.rejected(model.thresholds), strict=True)
    ]
    by_query = [answers[row[0]] for row in rows]
    assert [(each["wekaconf_predicted"], bool(each["wekaconf_rejected"])) for each in by_query] == by_model
    certainties = [each["wekaconf_certainty"] for each in by_query]
    np.testing.assert_allclose(certainties, answer.certainty, rtol=0, atol=1e-12)
    assert 10 < sum(rejected for _, rejected in by_model) < 140
    assert check == {("F7", "station", "Palliativ")} and problems == {"not seen in training, so missing"}


USELESS = {
    "kreatinin": ("2.26", "1.234,5", "viel", "2,2,6", "1,5 mg", "0x1"),
    "alter": ("6o", "12e", "--1", "1e999"),
    "entlassen": ("2025-08-11", "30.02.2025", "1.8.2025", "45000", "11.08.25", "heute", "11/08/2025"),
}


@pytest.mark.parametrize("database", DATABASES)
def test_a_cell_that_cannot_be_converted_is_named_and_its_row_not_answered(database, tmp_path):
    model = model_in(tmp_path)
    reads = {attribute.name for attribute in model.export(tmp_path / "m.json").columns}
    assert reads == {"entlassen", "alter", "station", "kreatinin"}
    rows = [*draw_rows(40, 3, missing=0.0)]
    cells = [(column, cell) for column, useless in USELESS.items() for cell in useless]
    for row, (column, cell) in zip(rows, cells, strict=False):
        row[NAMES.index(column)] = cell
    for row, word in zip(rows[len(cells) :], ("NA", "?", " ", "n/a"), strict=False):
        row[2] = row[1] = word  # which means a missing value
    answers, check, problems = asked(database, model, tmp_path, rows)
    unanswered = {name for name, row in answers.items() if row["wekaconf_predicted"] is None}
    assert unanswered == {row[0] for row, _ in zip(rows, cells, strict=False)}
    assert all(answers[name]["wekaconf_rejected"] in (1, True) for name in unanswered)
    assert {(name, column) for name, column, _ in check} == {
        (row[0], column) for row, (column, _) in zip(rows, cells, strict=False)
    }
    assert ("F10", "entlassen", "not dd.MM.yyyy: 2025-08-11") in check
    assert problems == {"the row is not answered: it is no number", "the row is not answered: it is no date"}


def test_dates_without_fixed_places_are_not_converted():
    with pytest.raises(
        wc.OptionError, match=r"the dates of 'day' are written as d\.M\.yyyy, and a view converts those"
    ):
        _convert_date("day", "trim(t)", "d.M.yyyy", DIALECTS["sqlite"])


def test_a_file_that_lacks_a_column_is_refused(tmp_path):
    model = model_in(tmp_path)
    (tmp_path / "other.csv").write_text(";".join(NAMES).replace("alter", "age") + "\n")
    with pytest.raises(wc.OptionError, match="reads 'alter', which is no column"):
        model.export(tmp_path / "m.sql", staging=tmp_path / "other.csv")
    assert not (tmp_path / "m.sql").exists()
