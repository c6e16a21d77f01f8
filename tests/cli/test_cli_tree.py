"""``wekaconf tree`` and ``wekaconf weka folds``."""

from datetime import date, timedelta

import pandas as pd
import pytest
from support.command_line import WINE
from support.csv_rows import rows_of

import wekaconf as wc
from wekaconf.report.trees import JAVA


def test_a_split_on_a_date_is_a_date_and_told(run, tmp_path):
    days = [date(2025, 1, 1) + timedelta(days=i) for i in range(200)]
    rows = [f"{day:%d.%m.%Y};{i % 7};{'ja' if day > date(2025, 5, 14) else 'nein'}" for i, day in enumerate(days)]
    (tmp_path / "visits.csv").write_text("\n".join(["entlassdatum;n;wieder", *rows]) + "\n")
    note = (
        "note: the tree splits on the date 'entlassdatum': rows of a later time lie beyond the dates that it learned "
        "from, so all of them take the same branch; --ignore 'entlassdatum' leaves it out"
    )
    for learner, point in {"J48": "<= 2025-05-14:", "REPTree": "< 2025-05-14T", "CART": "<= 2025-05-14T"}.items():
        told = run("tree", "visits.csv", "--learner", learner)
        assert f"entlassdatum {point}" in told.out and note in told.err, learner
    assert note in run("fit", "visits.csv", "-d", "model.wct").err
    assert run("export", "model.wct", "-o", "model.sql").code == 0
    assert "-- entlassdatum <= 2025-05-14: nein" in (tmp_path / "model.sql").read_text()
    assert "splits on the date" not in run("tree", "visits.csv", "--ignore", "entlassdatum").err


def test_numbers_are_written_as_the_java_that_grew_them_does(good, monkeypatch):
    monkeypatch.setattr("wekaconf.cli.tree.about", lambda: {"java": "17.0.2"})
    monkeypatch.setattr("wekaconf.report.trees.render_text", lambda tree, annotate, java: f"of {java}\n")
    assert good("tree", WINE) == "of 17\n"
    assert good("tree", WINE, "--learner", "CART") == f"of {JAVA}\n"


def test_rules_as_a_table(good, run, refused, tmp_path):
    for options, threshold in (((), "without a threshold"), (("--below", "0.8"), "with its threshold")):
        good("fit", WINE, "--method", "m_branch", *options, "-d", "model.wct")
        n_nodes = wc.load("model.wct").method.tree_.n_nodes
        said = f"model.py: m_branch on J48, {n_nodes} nodes, {threshold}\n"
        assert run("export", "model.wct", "-o", "model.py").err == said
    rules = wc.load(tmp_path / "model.wct").rules().to_pandas()
    good("tree", "model.wct", "-o", "rules.csv")
    good("tree", "model.wct", "-o", "rules.xlsx")
    written = rows_of((tmp_path / "rules.csv").read_text())
    assert [*written[0]] == ["condition", "class", "rows", "wrong", "probability", "answered"]
    assert [row["condition"] for row in written] == rules["condition"].tolist()
    for read in (pd.read_csv(tmp_path / "rules.csv"), pd.read_excel(tmp_path / "rules.xlsx")):
        assert read["probability"].tolist() == pytest.approx(rules["probability"].tolist())
        assert read["answered"].tolist() == rules["answered"].tolist()
    good("tree", WINE, "--method", "m_branch", "-o", "rules.csv")
    assert rows_of((tmp_path / "rules.csv").read_text()) == [
        {name: cell for name, cell in row.items() if name != "answered"} for row in written
    ]
    assert "--format dot contradicts -o rules.csv" in refused(
        "tree", WINE, "-o", "rules.csv", "--format", "dot", codes=(2,)
    )


def test_rules_have_the_marks_of_the_file(good, refused, tmp_path):
    lines = ["dose;back", *(f"{i % 50 / 4:.2f};{'ja' if i % 50 > 24 else 'nein'}" for i in range(200))]
    (tmp_path / "known.csv").write_text("\n".join(lines).replace(".", ",") + "\n")
    german = ["condition;class;rows;wrong;probability", "dose <= 6,125;nein;100;0;1", "dose > 6,125;ja;100;0;1"]
    plain = [line.replace(",", ".").replace(";", ",") for line in german]
    good("fit", "known.csv", "--learner", "CART", "-d", "model.wct")
    for data, options, expected in [
        ("known.csv", (), german), ("known.csv", ("--separator", "comma"), plain),
        ("model.wct", (), german), ("model.wct", ("--separator", "comma"), plain),
    ]:  # fmt: skip
        grown = ("--learner", "CART") if data == "known.csv" else ()
        good("tree", data, *grown, "-o", "rules.csv", *options)
        assert (tmp_path / "rules.csv").read_text().splitlines() == expected, (data, options)
    assert "--separator belongs to rules" in refused("tree", "model.wct", "--separator", "comma", codes=(2,))


def test_the_page_of_a_tree_on_filtered_rows_tells_how_the_file_is_read(good, tmp_path):
    rows = "".join(f"1.{row:03},5;{'no' if row < 20 else 'yes'}\n" for row in range(40))
    (tmp_path / "rows.csv").write_text("x;out\n" + rows)
    standardize = ("--filter", "weka.filters.unsupervised.attribute.Standardize")
    for options in ((), standardize):
        good("tree", "rows.csv", "--learner", "CART", *options, "-o", "page.html")
        assert "&#39;x&#39; as numbers such as 1.234,56" in (tmp_path / "page.html").read_text()
