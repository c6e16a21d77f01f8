"""``wekaconf tree`` and ``wekaconf weka folds``."""

import json

from support.command_line import ARFF, IRIS, WINE
from support.csv_rows import rows_of

import wekaconf as wc
from wekaconf.report import trees


def test_tree_with_intervals(good, refused, iris):
    fitted = wc.method("confdtree", variant="tdist").fit(wc.grow(iris, "RandomTree", "-depth 3"), iris)
    command = ("tree", IRIS, "--method", "confdtree:variant=tdist", "--learner", "RandomTree", "--options", "-depth 3")
    text = good(*command)
    assert text == trees.render_text(fitted.tree_, annotate=fitted.annotation)
    assert "\n* versicolor: [" in text and "{1, 0, 0}\n" in text
    assert good(*command, "--format", "dot") == trees.render_dot(fitted.tree_, annotate=fitted.annotation)
    nodes = json.loads(good(*command, "--format", "json"))["nodes"]
    assert {part["class"] for part in nodes[0]["intervals"]} == {"setosa", "versicolor", "virginica"}
    said = refused("tree", IRIS, "--method", "confdtree", "--learner", "RandomForest", "--options", "-I 2")
    assert "--method confdtree is drawn on a single tree" in said


def test_tree_of_another_learner_and_class(good):
    told = json.loads(
        good("tree", ARFF / "credit-g.arff", "--learner", "REPTree", "-c", "checking_status", "--format", "json")
    )
    assert told["learner"] == "REPTree"
    assert told["classes"] == ["<0", "0<=X<200", ">=200", "no checking"]


def test_folds(good, tmp_path, wine):
    printed = good("weka", "folds", WINE, "-x", 3, "-s", 5)
    assert good("weka", "folds", WINE, "-x", 3, "-s", 5, "-o", "folds.csv") == ""
    assert (tmp_path / "folds.csv").read_text() == printed
    expected = [
        (fold, name, position, row + 1)
        for fold, parts in enumerate(wc.folds(wine, 3, 5), 1)
        for name, rows in zip(("train", "test"), parts, strict=True)
        for position, row in enumerate(rows.tolist(), 1)
    ]
    rows = rows_of(printed)
    assert [(int(r["fold"]), r["set"], int(r["position"]), int(r["instance"])) for r in rows] == expected
