"""What the papers leave open: the tables of the choices, on the rows that they show and against our methods."""

import numpy as np
import open_choices
import pytest
from support.csv_rows import rows_in

import wekaconf as wc
from wekaconf.learners.info_gain import InfoGain
from wekaconf.replication.writing import BESIDE

DATA = wc.load_arff(open_choices.DATA)


def committed(paper, title):
    """The row of the table, and its figures by choice."""
    path = open_choices.ROOT / "docs" / "records" / f"{paper}-choices" / BESIDE
    rows = [row for row in rows_in(path) if row["title"].startswith(title)]
    figures = {}
    for row in rows:
        figures.setdefault(row["row"], {})[row["column"]] = row["ours"]
    return int(rows[0]["title"].split()[-3]) - 1, figures


def shown(figures, choice):
    *answer, _, _ = figures[choice].values()
    return [float(number) for number in answer]


@pytest.mark.parametrize("choice", open_choices.TPCE)
def test_tpce(choice):
    row, figures = committed("costa2013", "TPCE")
    assert list(figures) == list(open_choices.TPCE)
    assert open_choices.tpce(DATA, row, choice) == pytest.approx(shown(figures, choice), abs=5e-4)


@pytest.mark.parametrize("choice", open_choices.KUKAR_KONONENKO)
def test_kukar_kononenko(choice):
    row, figures = committed("costa2013", "Kukar")
    assert list(figures) == list(open_choices.KUKAR_KONONENKO)
    assert open_choices.kukar_kononenko(DATA, row, choice) == pytest.approx(shown(figures, choice), abs=5e-4)


@pytest.mark.parametrize("choice", open_choices.LING_YAN)
def test_ling_yan(jvm, choice):
    row, figures = committed("wang2006", "Ling")
    assert list(figures) == list(open_choices.LING_YAN)
    tree = wc.J48("-U").grow(DATA)
    assert open_choices.ling_yan(tree, DATA, row, choice) == pytest.approx(shown(figures, choice), abs=5e-4)


def test_ours_is_what_the_methods_answer(jvm):
    """On the rows of the tables, and on some others."""
    tree = wc.J48("-U").grow(DATA)
    mean = wc.method("ling_yan").fit(tree, DATA).predict_proba(DATA)
    grown = InfoGain().grow(DATA)
    whole = wc.method("tpce").fit(grown, DATA).leave_one_out()
    rated = wc.method("kukar_kononenko").fit(grown, DATA).leave_one_out()
    rows = {committed(*each)[0] for each in (("costa2013", "TPCE"), ("costa2013", "Kukar"), ("wang2006", "Ling"))}
    for row in sorted(rows | {20, 70, 105}):
        assert open_choices.tpce(DATA, row, open_choices.OURS) == pytest.approx(whole.proba[row].tolist(), abs=1e-12)
        assert open_choices.kukar_kononenko(DATA, row, open_choices.OURS) == pytest.approx(
            [rated.certainty[row]], abs=1e-12
        )
        assert open_choices.ling_yan(tree, DATA, row, open_choices.OURS) == pytest.approx(mean[row].tolist(), abs=1e-12)


def test_a_table_shows_the_row_on_which_the_choices_differ_most():
    answers = {"ours": np.array([[0.5], [0.2], [0.9]]), "other": np.array([[0.5], [0.5], [0.8]])}
    found = open_choices.table("T", ["ours", "other"], answers, ["p"])
    assert found.title == "T, row 2 of iris"
    assert found.rows == {"ours": [0.2, 0.0, "0 of 3"], "other": [0.5, pytest.approx(0.3), "2 of 3"]}
