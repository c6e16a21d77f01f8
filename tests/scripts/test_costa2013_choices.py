"""Conclusions of Costa et al. under each open choice: the changed data against the transcription, and the records."""

import costa2013_choices as choices
import open_choices
import pytest
from reference import costa2013_reference as paper
from support.csv_rows import rows_in

import wekaconf as wc
from wekaconf.replication.writing import FINDINGS, RECORDS

DATA = wc.load_arff(open_choices.DATA)
RULES = {
    "of equal splits the last attribute": {"last_attribute": True},
    "a cut at the upper of two values, of equal cuts the lowest": {"place": "upper", "lowest_cut": True},
    "no safe prune": {"safe_prune": False},
}


@pytest.mark.parametrize("choice", choices.CHOICES)
def test_changed_data_give_the_answers_of_the_changed_rules(choice):
    """Of iris, among them rows whose answers the choice changes."""
    change, safe_prune = choices.CHOICES[choice]
    proba, _ = choices.answers(change(DATA), safe_prune, "tpce")
    instances, labels = open_choices._instances(DATA)
    rules = open_choices._rules(DATA)._replace(**RULES[choice])
    usual = choices.answers(DATA, True, "tpce")[0]
    changed = abs(proba - usual).max(axis=1).argsort()[-3:].tolist()
    assert abs(proba - usual)[changed].max() > 0.05
    for row in {0, 43, 138, *changed}:
        others = [*instances[:row], *instances[row + 1 :]]
        assert proba[row].tolist() == pytest.approx(paper.tpce(others, instances[row][0], labels, rules), abs=1e-12)


def test_the_tables_and_sentences_are_those_of_the_records():
    rows = rows_in(choices.TARGET / choices.CONCLUSIONS)
    head, *expected = map(list, choices.beside_rows(choices.tables()))
    assert list(rows[0]) == head
    assert [row["shown"] for row in rows] == [str(line[-1]) for line in expected]
    told = (choices.TARGET / FINDINGS).read_text(encoding="utf-8").splitlines()
    assert told == [f"{choices.TARGET.name}: {sentence}" for sentence in choices.sentences()]
    assert len(told) >= 4 and all("of 10 comparisons on 45 sets" in line for line in told)


def test_a_set_measured_now(uci):
    lines = rows_in(choices.TARGET / RECORDS)
    committed = {(row["dataset"], row["choice"], row["method"]): row for row in lines}
    done = set(committed) - {key for key in committed if key[0] == "hayes-roth"}
    now = list(choices.measure(str(uci), ["hayes-roth"], done))
    assert len(now) == len(choices.CHOICES) * len(choices.METHODS)
    for name, choice, method, *figures in now:
        row = committed[name, choice, method]
        for measure, figure in zip(choices.MEASURES, figures, strict=True):
            assert row[measure] == "" if figure == "" else float(row[measure]) == pytest.approx(figure, abs=1e-12)
