"""Exported queries answer in each database as the model does."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from support import query_tables
from support.databases import DATABASES, connected, fill, require, rows_in_order, storable
from support.export_cases import (
    KINDS,
    assert_same,
    balanced,
    case_of,
    chain,
    each_case,
    model_of,
    pooled,
    pooled_model,
    rejecting,
    rows_of,
)
from support.random_trees import random_dataset, random_tree
from support.written_trees import EACH, LE, written_tree

import wekaconf as wc
from wekaconf.data import DATE_FORMAT, Attribute, Header
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.thresholds import choose
from wekaconf.model.export import _standalone as standalone
from wekaconf.model.export._exported_model import exported_model
from wekaconf.model.export._sql_dialects import DIALECTS, join_expressions
from wekaconf.model.export._sql_query import TABLE, sql_text
from wekaconf.model.fitted import Model
from wekaconf.tree._kinds import Routing


@pytest.fixture(autouse=True)
def _server(request, lacks):
    """End a test of a database whose server is not installed."""
    require(getattr(request.node, "callspec", None) and request.node.callspec.params.get("database"), lacks)


HOLD_INFINITE = tuple(name for name in DATABASES if DIALECTS[name].has_infinity)


def answers(database, model, rows, query=None):
    """What the query answers for rows, each as `standalone.answer_of` does."""
    connection, tree = connected(database), exported_model(model)
    attributes = [known for i, known in enumerate(model.header.attributes) if i != model.header.class_index]
    columns = [(known.name, "TEXT" if known.is_nominal else "DOUBLE PRECISION") for known in attributes]
    fill(connection, database, columns, [[row[known.name] for known in attributes] for row in rows])
    found = connection.execute(query or sql_text(tree, database))
    names = [column[0] for column in found.description]
    has_threshold = tree.thresholds is not None
    assert names[2 + len(attributes) :][:2] == ["wekaconf_predicted", "wekaconf_certainty"]
    result = []
    for row in rows_in_order(found):
        predicted, certainty, *rest = row[len(attributes) :]
        rejected = bool(rest.pop(0)) if has_threshold else None
        distribution = dict(zip(tree.class_names, rest, strict=True))
        result.append(
            {"predicted": predicted, "certainty": certainty, "rejected": rejected, "distribution": distribution}
        )
    return result


def assert_same_answers(database, model, data):
    """That the query answers as the model, for what the database can hold."""
    data = storable(database, data)
    assert_same(answers(database, model, rows_of(model, data)), model, data)


@pytest.mark.parametrize("database", DATABASES)
@each_case(KINDS, n_seeds=2)
def test_query_answers_as_the_model(database, kind, routing, seed):
    model, data, rows = case_of(kind, routing, seed)
    if database == "mysql" and max(model.header.relation) > "\uffff":
        with pytest.raises(wc.OptionError, match="beyond U"):
            sql_text(exported_model(model), database)
    elif kind.startswith("unseen"):
        assert_same(answers(database, model, rows), model, data)
    elif kind != "infinite split points" or database in HOLD_INFINITE:
        assert_same_answers(database, model, data)


@pytest.mark.parametrize("database", HOLD_INFINITE)
def test_infinite_numbers_and_nan(database):
    model, data = model_of(Routing.J48, "m_branch", 2)
    values = random_dataset(np.random.default_rng(1), model.header, 60, 0.0).values.copy()
    values[::3, model.header.is_ordered] = np.inf
    values[1::3, model.header.is_ordered] = -np.inf
    assert_same_answers(database, model, wc.Dataset(model.header, values))
    if database != "sqlite":  # which holds no NaN
        nan = [
            {name: float("nan") if cell is None and name.startswith("x") else cell for name, cell in row.items()}
            for row in rows_of(model, data)
        ]
        assert_same(answers(database, model, nan), model, data)


@pytest.mark.parametrize("database", DATABASES)
def test_each_class_may_have_a_threshold(database):
    model, data = rejecting(*model_of(Routing.J48, "m_branch", 3), 0.5)
    thresholds = tuple(model.threshold if c else -np.inf for c in range(model.header.n_classes))
    query = sql_text(replace(exported_model(model), thresholds=thresholds), database)
    rejected = [one["rejected"] for one in answers(database, model, rows_of(model, data), query)]
    assert rejected == model.answer(data).rejected(np.array(thresholds)).tolist()
    assert any(rejected) and not all(rejected)


@pytest.mark.parametrize("database", DATABASES)
def test_a_pool_answers_for_a_row_on_the_threshold(database):
    model, data = pooled_model(Routing.J48, "likeliest", 1)
    data = storable(database, data)
    for i, certainty in enumerate(model.certainty(data)[::24].tolist()):
        at = replace(model, choice=choose(Aim("below", certainty), [], []))
        row = rows_of(model, data)[24 * i]
        assert answers(database, at, [row])[0]["rejected"] is False


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.one_commit_in(3)
def test_a_pool_of_many_columns(database):
    """Databases refuse expressions that are a thousand deep."""
    rng = np.random.default_rng(1)
    n_columns = 500 if database == "mysql" else 800  # MariaDB loses its own table of more
    attributes = (*(Attribute(f"x{i}") for i in range(n_columns)), CLASSES)
    header = Header("wide", attributes, n_columns)
    train = random_dataset(rng, header, 60, 0.1)
    model = Model(pooled(random_tree(rng, train, max_depth=2), train))
    data = random_dataset(rng, header, 5, 0.1)
    assert_same_answers(database, model, data)


@pytest.mark.parametrize(("depth", "n_tables"), [(10, 0), (11, 1), (19, 1), (20, 2)])
def test_a_deep_tree_is_asked_in_tables_of_few_levels(depth, n_tables):
    """SQLite nests ten CASE; each further table takes one level to find where it goes on."""
    model = exported_model(chain(depth))
    for dialect, n in (("sqlite", n_tables), ("duckdb", 0)):
        query = sql_text(model, dialect)
        assert [f"wekaconf_above{i}" in query for i in (1, 2, 3)] == [i <= n for i in (1, 2, 3)]


def exact_numbers(rng, n=1000):
    """Numbers of any size, and decimal ones of up to 17 digits, of sizes that data have, with their neighbours."""
    sizes, digits = 10.0 ** rng.integers(-4, 6, n), rng.integers(1, 17, n)
    numbers = [
        round(number, places)
        for number, places in zip((rng.normal(size=n) * sizes).tolist(), digits.tolist(), strict=True)
    ]
    any_size = rng.normal(size=300) * 10.0 ** rng.integers(-300, 300, 300)
    return [
        *any_size.tolist(),
        *numbers,
        *np.nextafter(numbers, math.inf).tolist(),
        *np.nextafter(numbers, -math.inf).tolist(),
    ]


@pytest.mark.parametrize("database", DATABASES)
def test_a_number_is_read_back_to_the_last_bit(database):
    connection, dialect = connected(database), DIALECTS[database]
    numbers = exact_numbers(np.random.default_rng(1))
    for group in (numbers[i : i + 500] for i in range(0, len(numbers), 500)):
        row = connection.execute(
            f"SELECT {', '.join(dialect.as_double(dialect.number_of(n)) for n in group)}"
        ).fetchone()
        assert [*row] == group


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("n", [1, 50, 51, 101, 1_001])
def test_many_numbers_are_compared_or_added_in_groups(database, n):
    """A database limits the arguments of a function, and how deep an expression may be."""
    numbers = list(map(str, np.random.default_rng(n).permutation(n).tolist()))
    largest, total = DIALECTS[database].largest(numbers), join_expressions(numbers, " + ")
    found = connected(database).execute(f"SELECT {largest}, {total}").fetchone()
    assert tuple(found) == (n - 1, n * (n - 1) // 2)
    assert max(call.count(",") for call in re.findall(r"\(([\d, ]*)\)", f"({largest})")) < 50
    assert max(group.count("+") for group in re.split(r"[()]", total)) < 100


@pytest.mark.parametrize("database", ["duckdb", "postgresql", "mysql"])
def test_other_databases_get_the_shortest_decimal(database):
    dialect = DIALECTS[database]
    assert [dialect.number_of(n).removesuffix("e0") for n in (2.26, 1.4999999999999998, 1e-300, 90.0)] == [
        "2.26", "1.4999999999999998", "1e-300", "90.0"
    ]  # fmt: skip


def dated_model():
    """A model of a date in words."""
    header = Header("d", (Attribute("x", "date", (), DATE_FORMAT), CLASSES), 1)
    return Model(wc.LeafFrequency.restore({}, written_tree(header, (0, LE, 0.0, [3.0, 1.0], [1.0, 4.0])), {}))


@pytest.mark.parametrize(("point", "text"), [
    (1.23456789012345, "1.23456789012345"), (1.234567890123456, "(1.23456789012346 - 4e-15)"), (2.26, "2.26"),
    (1.4999999999999998, "(1.5 - 2e-16)"), (123456789.0, "123456789.0"), (2.0**-20, "9.5367431640625e-07"),
    (1e-300, "(6032057205060441 / 9007199254740992.0"),
])  # fmt: skip
def test_decimal_numbers_stand_where_every_database_reads_them_exactly(point, text):
    """SQLite reads fifteen digits, times ten to 22 at most; others are a sum, or divided by powers of two."""
    header = Header("r", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    tree = written_tree(header, (0, LE, point, 0, 1))
    train = wc.Dataset(header, np.array([[point, 0.0], [2 * point, 1.0]]))
    assert f" {text}" in sql_text(exported_model(Model(wc.LeafFrequency().fit(tree, train))))


@pytest.mark.parametrize(("names", "message"), [
    (("x", "X"), "differ by case only"), (("x\0", "y"), "the NUL"), (("y", "True"), "SQLite does not find .* 'True'"),
])  # fmt: skip
def test_names_that_sql_cannot_hold_are_refused(tmp_path, names, message):
    model = balanced(3)
    tree = model.method.tree_
    renamed = [replace(known, name=name) for known, name in zip(tree.header.attributes, names, strict=False)]
    header = replace(tree.header, attributes=(*renamed, *tree.header.attributes[2:]))
    assert isinstance(renamed[0], Attribute)
    renamed_model = replace(model, method=wc.LeafFrequency.restore({}, replace(tree, header=header), {}))
    with pytest.raises(wc.OptionError, match=message):
        renamed_model.export(tmp_path / "tree.sql")


@pytest.mark.parametrize("seed", range(60))
def test_tables_of_any_names_types_and_cells(seed):
    assert list(query_tables.draw(seed)) == []


@pytest.mark.parametrize(("right", "wrong", "seed"), [
    (" <= ", " < ", 0), ("WHEN 'a' THEN 0", "WHEN 'a' THEN 1", 0),
    ("answered.certainty <", "answered.certainty <=", 65),
    ("lower(", "trim(", 23), ("ln(", "2 * ln(", 1), ("-700", "-1", 1),
])  # fmt: skip
def test_a_query_that_reads_otherwise_is_found(monkeypatch, right, wrong, seed):
    monkeypatch.setattr(query_tables, "sql_text", lambda *asked: sql_text(*asked).replace(right, wrong))
    assert any(query_tables.draw(seed))


def dates_in_words(n=300):
    """Texts that are dates, or nearly."""
    rng = np.random.default_rng(7)

    def one_of(*texts):
        return str(rng.choice(texts))

    for _ in range(n):
        year = one_of("0001", "1600", "1900", "1969", "2023", "2024", "9999")
        day = f"{year}-{rng.integers(14):02d}-{rng.integers(33):02d}"
        if rng.random() < 0.6:
            day = f"{year}-{one_of('02-28', '02-29', '02-30', '04-31', '12-31', '01-01', '03-01')}"
        clock = one_of("T", " ", "_") + one_of("00:00", "23:59", "24:00", "1:00", "12:60") if rng.random() < 0.8 else ""
        clock += one_of("", ":00", ":59", ":60", ":07.", ":07.5", ":07.0369", ":07.123456789") if clock else ""
        yield (
            day + clock + (one_of("", "", "Z", "+01", "-0330", "+05:30", "+24", "+01:60", "+5", "UTC") if clock else "")
        )


@pytest.mark.parametrize("database", DATABASES)
def test_dates_in_words_are_those_of_the_module_and_of_csv(database, tmp_path):
    texts, expected = [*dates_in_words()], []
    for text in texts:
        try:
            expected.append(standalone.instant_of(text, reads_texts=True))
        except ValueError:
            expected.append(None)
    connection = connected(database)
    fill(connection, database, [("x", "TEXT")], [[text] for text in texts])
    model = dated_model()
    query = sql_text(exported_model(model), database)
    cells = query[: query.index("SELECT wekaconf_input.*,")] + (
        "SELECT instance, wekaconf_input.*, c0 FROM wekaconf_cells JOIN wekaconf_input ON wekaconf_instance = instance"
    )
    found = {row[2]: row[-1] for row in connection.execute(cells).fetchall()}
    assert [found[place] for place in range(len(texts))] == expected
    known = [(text, date) for text, date in zip(texts, expected, strict=True) if date is not None]
    assert 30 < len(known) < len(texts) - 30
    (tmp_path / "d.csv").write_text("x,class\n" + "".join(f"{text},a\n" for text, _ in known))
    assert wc.load_table(tmp_path / "d.csv", header=model.header).values[:, 0].tolist() == [date for _, date in known]


CLASSES = Attribute("class", "nominal", ("a", "b"))
NAMES_OF_THE_QUERY = (
    "instance", "class", "certainty", "p0", "predicted", "node", "input", "instances", "t", "text0", "c0",
    "distribution_a", "wekaconf_instance", "wekaconf_input", "WEKACONF_PREDICTED",
)  # fmt: skip


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("name", NAMES_OF_THE_QUERY)
def test_a_column_may_have_a_name_of_the_query(database, name):
    """The tree tests it, and the table has the other names, too, with cells that would answer otherwise."""
    header = Header("r", (Attribute(name), replace(CLASSES, name="outcome")), 1)
    model = Model(wc.LeafFrequency.restore({}, written_tree(header, (0, LE, 2.5, [3.0, 1.0], [1.0, 4.0])), {}))
    others = [other for other in NAMES_OF_THE_QUERY if other not in (name, "wekaconf_instance")]
    connection = connected(database)
    columns = [(each, "DOUBLE PRECISION") for each in (name, *others)]
    fill(connection, database, columns, [[x, *[1.0] * len(others)] for x in (9.0, 1.0, None)])
    found = connection.execute(sql_text(exported_model(model), database))
    names = [column[0] for column in found.description]
    assert [row[-4] for row in rows_in_order(found)] == ["b", "a", "b"]
    if name.lower().startswith("wekaconf_"):
        assert len({each.lower() for each in names}) == len(names)
        assert names[0] == "wekaconf2_instance" and names[-1] == "wekaconf2_distribution_b"


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("below", [None, 0.6, 0.5])
def test_a_single_leaf_answers(database, below):
    header = Header("r", (Attribute("x"), CLASSES), 1)
    model = Model(wc.LeafFrequency.restore({}, written_tree(header, [2.0, 3.0]), {}))
    if below is not None:
        model = replace(model, choice=choose(Aim("below", below), [], []))
    data = wc.Dataset(header, np.array([[1.0, 0], [np.nan, 1]]))
    assert_same_answers(database, model, data)


@pytest.mark.parametrize("database", DATABASES)
def test_classes_that_differ_by_case_have_columns_of_their_own(database):
    header = Header("r", (Attribute("x"), Attribute("class", "nominal", ("a", "A", "a_2"))), 1)
    tree = written_tree(header, (0, LE, 2.5, [3.0, 1.0, 0.0], [1.0, 4.0, 0.0]))
    model = Model(wc.LeafFrequency.restore({}, tree, {}))
    connection = connected(database)
    connection.execute(f"CREATE TABLE {TABLE} (x DOUBLE PRECISION)")
    connection.execute(f"CREATE TABLE answers AS {sql_text(exported_model(model), database).rstrip().rstrip(';')}")
    names = [column[0].removeprefix("wekaconf_") for column in connection.execute("SELECT * FROM answers").description]
    assert names[-3:] == ["distribution_a", "distribution_A_2", "distribution_a_2_2"]


@pytest.mark.parametrize("database", DATABASES)
def test_a_row_that_the_model_refuses_is_not_answered(database):
    attributes = (Attribute("x"), Attribute("code", "nominal", ("1", "01", "2")), CLASSES)
    header = Header("r", attributes, 2)
    spec = (0, LE, 2.5, [3.0, 1.0], (1, EACH, 0, [1.0, 4.0], [2.0, 1.0], [0.0, 1.0]))
    model = Model(wc.LeafFrequency.restore({}, written_tree(header, spec), {}))
    model = replace(model, choice=choose(Aim("below", 0.1), [], []))
    cells = [("2,26", "1"), ("2.26", "1"), ("x", "2"), ("3", "1.0"), ("3", "2.0"), (" 3 ", "01"), ("", "2")]
    connection = connected(database)
    fill(connection, database, [("x", "TEXT"), ("code", "TEXT")], cells)
    found = [row[2:5] for row in rows_in_order(connection.execute(sql_text(exported_model(model), database)))]
    assert [(predicted, bool(rejected)) for predicted, _, rejected in found] == [
        (None, True), ("a", False), (None, True), (None, True), ("b", False), ("a", False), ("b", False)
    ]  # fmt: skip
    assert [certainty is None for _, certainty, _ in found] == [predicted is None for predicted, _, _ in found]
