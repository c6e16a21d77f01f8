"""Labels that answers out of fold contradict."""

import numpy as np
import pytest

import wekaconf as wc


@pytest.fixture(scope="module")
def evaluation(wine):
    values = wine.values.copy()
    values[[3, 90], -1] = [2, 0]  # planted
    return wc.evaluate(wc.Dataset(wine.header, values), ["leaf_frequency"], learner="CART", runs=3, folds=5)


def test_planted_labels_are_named_first(evaluation):
    found = evaluation.doubtful_labels()
    answers = evaluation[0].answers
    assert {3, 90} <= {row.index for row in found.rows[:5]}
    for row in found.rows:
        own = answers.instance == row.index
        assert own.sum() == 3
        assert not answers.is_correct[own].any()
        assert row.certainty == pytest.approx(answers.certainty[own].mean())
        assert row.label == answers.class_names[answers.actual[own][0]]
        assert row.answer in {answers.class_names[c] for c in answers.predicted[own].tolist()}
    always_wrong = [i for i in range(len(found.certainty)) if not answers.is_correct[answers.instance == i].any()]
    assert sorted(row.index for row in found.rows) == always_wrong
    certainty = [row.certainty for row in found.rows]
    assert certainty == sorted(certainty, reverse=True)


def test_the_lines_name_the_rows_and_how_often_such_answers_are_wrong(evaluation):
    found = evaluation.doubtful_labels()
    lines = found.lines({"bottle": [f"B{i}" for i in range(178)]})
    first = found.rows[0]
    assert lines[0] == "labels to look at, which trees that grew without the row contradict most certainly:"
    assert lines[1].startswith(f"  row {first.index + 1} (bottle B{first.index}): {first.label}, answered ")
    last = found.rows[4].certainty
    n_wrong = sum(row.certainty >= last for row in found.rows)
    assert lines[-1].startswith(f"of the {(found.certainty >= last).sum()} answers at least as certain {n_wrong} ")
    if n_wrong > 5:
        assert lines[-2] == f"  and {n_wrong - 5} more of certainty {last:.4g}"
    assert found._replace(rows=()).lines() == []
    unsure = found._replace(certainty=np.array([first.certainty] * (2 * n_wrong)))
    assert unsure.lines()[-1].endswith(" wrong")
    assert "more likely the trees that err than these labels" in unsure.lines()[0]


def test_the_command_names_them_for_one_method_on_one_file(run, tmp_path):
    rows = "".join(f"P{i};{i % 40};{'b' if (i % 40 > 19) ^ (i == 46) else 'a'}\n" for i in range(200))
    (tmp_path / "known.csv").write_text("who;x;c\n" + rows)
    told = run("evaluate", "known.csv", "--id", "who", "--learner", "CART", "-v").err
    assert "  row 47 (who P46): b, answered a, certainty 1\n" in told
    assert told.splitlines()[-1] == "of the 111 answers at least as certain 1 is wrong"
    two = ("--method", "leaf_frequency", "--method", "m_branch")
    assert "labels to look at" not in run("evaluate", "known.csv", "--id", "who", "--learner", "CART", "-v", *two).err
