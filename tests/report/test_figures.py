"""Curves of an evaluation in files, as the command line and Python ask for them."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest
from support.csv_rows import rows_in
from support.svg_texts import texts_in as said

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.evaluation.measures import roc_curve
from wekaconf.report._java_numbers import java_of
from wekaconf.report._out_of_fold import weka_predictions
from wekaconf.report.evaluation import Evaluation, Result
from wekaconf.report.pictures import _answer_curves as answer_curves
from wekaconf.report.pictures import _of_evaluations as figures
from wekaconf.report.pictures._answer_curves import class_to_rank

ARFF = Path(__file__).parents[2] / "arff"
MAKERS = [figures.write_risk_coverage, figures.draw_calibration, figures.draw_roc]
FILES = [(make, ".svg") for make in MAKERS] + [(figures.write_risk_coverage, ".csv")]


@pytest.fixture(scope="module")
def iris(jvm):
    return wc.evaluate(wc.load_arff(ARFF / "iris.arff"), ["leaf_frequency", "confdtree"], folds=3, options="-M 5")


@pytest.fixture(scope="module")
def on_two_learners(jvm):
    data = wc.load_arff(ARFF / "iris.arff")
    with pytest.warns(wc.Note, match="the methods use several learners"):
        return wc.evaluate(data, ["leaf_frequency", "tpce"], folds=3, runs=2)


def renamed(found, name):
    """The same, of a data set of another name."""
    return Evaluation(tuple(Result(record | {"dataset": name}, answers) for record, answers in found))


@pytest.mark.parametrize("make", MAKERS)
def test_one_column_wide_and_without_a_title(tmp_path, iris, make):
    path = tmp_path / "a.svg"
    assert make(path, iris) == [str(path)]
    assert any("leaf frequency (" in text for text in said(path)) and not any(" on J48" in text for text in said(path))
    assert not any("cross-validation" in text or text == "iris" for text in said(path))
    assert float(re.search(r'width="([\d.]+)pt"', path.read_text())[1]) == pytest.approx(3.4 * 72)


@pytest.mark.parametrize("make", MAKERS)
def test_learners_stand_in_the_legend_where_they_differ(tmp_path, on_two_learners, make):
    [path] = make(tmp_path / "a.svg", on_two_learners)
    text = said(path)
    assert any(one.startswith("leaf frequency on J48 (") for one in text)
    assert any(one.startswith("TPCE on info_gain (") for one in text)


def test_error_bars_count_an_instance_once_however_many_runs_there_are(tmp_path, on_two_learners):
    """Two runs with the same answers have the bars of one."""
    record, answers = on_two_learners[0]
    arrays = [name for name, part in vars(answers).items() if isinstance(part, np.ndarray) and len(part) == 300]
    once, twice = (
        dataclasses.replace(answers, **{name: np.concatenate([getattr(answers, name)[:150]] * n) for name in arrays})
        for n in (1, 2)
    )
    bars = []
    for found in (once, twice):
        [path] = figures.draw_calibration(tmp_path / "a.svg", Evaluation((Result(record, found),)))
        bars.append(re.findall(r'd="(M[^"]*)" clip-path[^>]*stroke-width: 0.7', Path(path).read_text()))
    assert bars[0] == bars[1] and len(bars[0]) > 0


def test_answers_that_are_not_scored_change_no_curve(iris):
    """Those without a class, of a foreign one, or without weight."""
    answers = iris.answers[0]
    odd = np.arange(150) % 10
    given = dataclasses.replace(
        answers, actual=np.where(odd == 0, -1, answers.actual), is_foreign=odd == 1,
        weights=np.where(odd == 2, 0.0, 1.0 + odd),
    )  # fmt: skip
    scored = odd > 2
    assert answer_curves.n_instances(given) == 150 - 45 and (answer_curves.is_scored(given) == scored).all()
    for c in range(3):
        found = answer_curves.roc_of(given, c)
        wanted = roc_curve(given.ranking[scored, c], (given.actual[scored] == c).astype(float), given.weights[scored])
        np.testing.assert_array_equal([found.false, found.true], [wanted.false, wanted.true])
        assert answer_curves.class_weights(given)[c] == given.weights[scored & (given.actual == c)].sum()


@pytest.mark.parametrize(
    ("weights", "name", "chosen"),
    [([3, 0.5], None, 1), ([2, 5, 1], None, 1), ([0.5, 2], "a", 0), ([0.25, 0.25], "b", 1), ([0, 2, 1], "c", 2)],
)
def test_the_class_that_is_ranked(weights, name, chosen):
    """Of two classes the rarer, of more the most frequent, or the one that is named."""
    assert class_to_rank(np.array(weights, dtype=float), "abc"[: len(weights)], name, "d") == chosen


@pytest.mark.parametrize(("weights", "name"), [([0, 2], "a"), ([2, 0], "a"), ([0, 2], None)])
def test_one_class_is_not_ranked(weights, name):
    with pytest.raises(OptionError, match="d: a ROC curve needs"):
        class_to_rank(np.array(weights, dtype=float), "ab", name, "d")


@pytest.mark.parametrize(("make", "ending"), FILES)
def test_one_file_per_data_set(tmp_path, iris, make, ending):
    names = ["iris", "my data/../wine & <1>", "größe", "a/b", "a b", "???"]
    paths = make(tmp_path / f"x.y{ending}", sum((renamed(iris, name) for name in names), Evaluation(())))
    slugs = ["iris", "my_data_.._wine_1", "größe", "a_b-1", "a_b-2", "data"]
    assert paths == [str(tmp_path / f"x.y-{slug}{ending}") for slug in slugs]
    assert sorted(tmp_path.iterdir()) == sorted(map(Path, paths))
    if ending == ".csv":
        assert {row["method"] for path in paths for row in rows_in(path)} == {"leaf_frequency", "confdtree"}


@pytest.mark.parametrize(("make", "ending"), FILES)
def test_of_one_data_set_the_name_is_asked_for_or_not(tmp_path, iris, make, ending):
    path = tmp_path / f"a{ending}"
    assert make(path, iris) == make(path, iris, per_set=False) == [str(path)]
    assert make(path, iris, per_set=True) == [str(tmp_path / f"a-iris{ending}")]
    assert make(path, Evaluation(()), per_set=True) == []
    with pytest.raises(OptionError, match="nothing was measured"):
        make(path, Evaluation(()))


def test_answers_as_weka_lays_them_out(tmp_path, iris):
    """If the name ends in .txt, however it is written; several methods are headed by their names."""
    texts = [weka_predictions(answers, java=java_of(record)) for record, answers in iris]
    [both] = figures.write_answers(tmp_path / "both.TXT", iris)
    assert Path(both).read_text() == f"=== leaf_frequency ===\n\n{texts[0]}=== confdtree ===\n\n{texts[1]}"
    [one] = figures.write_answers(tmp_path / "one.txt", Evaluation(iris.results[1:]))
    assert Path(one).read_text() == texts[1]


def test_answers_as_csv_are_named_by_the_columns_of_their_data_set(tmp_path, iris):
    found = iris + renamed(iris, "other")
    ids = {"iris": {"plant": [f"p{i}" for i in range(150)]}}
    named, unnamed = figures.write_answers(tmp_path / "a.csv", found, ids=ids)
    rows = rows_in(named)
    assert len(rows) == 300 and {row["method"] for row in rows} == {"leaf_frequency", "confdtree"}
    assert all(row["plant"] == f"p{int(row['index']) - 1}" for row in rows)
    assert "plant" not in rows_in(unnamed)[0]


def test_several_data_sets_on_the_command_line(run, tmp_path):
    iris, wine = ARFF / "iris.arff", ARFF / "wine.arff"
    ended = run(
        "evaluate", iris, wine, "-x", 3, "--risk-coverage", "rc.svg", "--risk-coverage", "rc.csv", "--keep", 0.9
    )
    assert ended.code == 0
    assert ended.err.splitlines()[-2:] == ["written: rc-iris.svg, rc-wine.svg", "written: rc-iris.csv, rc-wine.csv"]
    for name in ("iris", "wine"):
        assert "chosen threshold" in said(tmp_path / f"rc-{name}.svg")
    assert (tmp_path / "rc-iris.csv").read_text() != (tmp_path / "rc-wine.csv").read_text()
    ended = run("evaluate", iris, "nothing.arff", "-x", 3, "--calibration", "c.png")
    assert ended.code == 1 and "written: c-iris.png" in ended.err
    assert run("evaluate", iris, "-x", 3, "--calibration", "c.pdf", "-q").err == ""
    assert {path.name for path in tmp_path.iterdir()} == {
        "rc-iris.csv", "rc-wine.csv", "rc-iris.svg", "rc-wine.svg", "c-iris.png", "c.pdf",
    }  # fmt: skip
