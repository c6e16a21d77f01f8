"""``wekaconf advise`` as a user meets it."""

import json
import re
import shlex
import sys
from types import SimpleNamespace

import pytest
from support.command_line import ARFF

import wekaconf as wc
from wekaconf.experiments.advising._rivals import RIVALS

IRIS = ARFF / "iris.arff"


def test_rivals_stand_in_the_table(good, monkeypatch):
    """One whose package is not installed is named with the extra that installs it."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setitem(sys.modules, "crepes", None)
    out = " ".join(good("advise", IRIS, "--rivals", "-x", "3", "--learner", "J48", "--budget", "10m", "-v").split())
    for name in set(RIVALS) - {"J48, conformal confidence", "J48, conformal credibility"}:
        assert f"{name} 0.0" in out
    assert (
        "Left out: J48, conformal credibility (this rival needs crepes, which is not installed; pip install "
        "'wekaconf[study]')." in out
    )


def test_the_command_that_it_gives_runs(good, tmp_path):
    """With the options of the data, which the columns and the filter need."""
    table = tmp_path / "my iris.csv"
    wc.load_arff(IRIS).to_pandas().assign(number=range(150)).iloc[:, [5, 0, 1, 2, 3, 4]].to_csv(table, index=False)
    options = ["--ignore", "number", "--filter", "weka.filters.unsupervised.attribute.Remove -R 1"]
    found = json.loads(good("advise", table, "--learner", "J48", *options, "--json"))
    program, *arguments = shlex.split(found["command"])
    assert program == "wekaconf"
    assert [text for text in options if text not in arguments] == []
    out = good(*(str(table) if text == "NEW" else text for text in arguments))
    assert len(out.splitlines()) == 151


def test_json_is_what_python_says(good):
    text = good("advise", IRIS, "--for", "ranking", "--learner", "J48", "-x", "5", "-s", "2", "--json")
    assert text.endswith("}\n")
    found = json.loads(text)
    advice = wc.advise(wc.load_arff(IRIS), "ranking", learner="J48", protocol=wc.Protocol(folds=5, seed=2))
    expected = json.loads(json.dumps(advice.as_dict()).replace("NaN", "null"))
    for told in (found, expected):
        told.pop("seconds")
    assert found.pop("command").startswith(f"wekaconf predict -t {IRIS} -T NEW --learner J48 --method ")
    assert found == expected


def test_a_budget_that_is_over_is_told(good):
    out = good("advise", IRIS, "--budget", "0.001s")
    assert "Not measured within 0.001 s: " in out
    assert out.startswith("Stay with the plain tree: nothing could be tested.\n")


def test_a_meta_learner_is_kept_in_the_command(good):
    learner = 'FilteredClassifier -F "weka.filters.unsupervised.attribute.Remove -R 1" -W weka.classifiers.trees.J48'
    text = good("advise", IRIS, "-c", "class", "--learner", learner, "--json", "--budget", "0.001s")
    found = json.loads(text)
    assert text.startswith('{\n  "'), "indented by two"
    words = shlex.split(found["command"])
    assert words[6:8] == ["--learner", learner] and "--class class" in " ".join(words)


def test_the_options_are_those_of_python(good, monkeypatch):
    """The learner brings its filters and costs along; the suggested command gets the options of the data."""
    asked = {}

    def advise(data, purpose, **more):
        asked.update(more, data=data, purpose=purpose)
        return SimpleNamespace(text=lambda *given, **how: f"{given} {how}\n")

    monkeypatch.setattr("wekaconf.experiments.advising.advise", advise)
    remove = "weka.filters.unsupervised.attribute.Remove -R"
    learner = f'FilteredClassifier -F "{remove} 1" -W weka.classifiers.trees.J48'
    data = ("--filter", f"{remove} 2", "--cost-matrix", "[0 1 1; 2 0 1; 1 1 0]")
    out = good("advise", IRIS, "--for", "ranking", "--budget", "2m", "--learner", learner, *data, "--hold-out", "0.2",
               "-s", "3", "-x", "4")  # fmt: skip
    assert (len(asked["data"]), asked["data"].header.relation, asked["name"]) == (120, "iris", "iris")
    assert (asked["purpose"], asked["budget"], asked["rivals"], asked["exportable"]) == ("ranking", 120, False, False)
    protocol = asked["protocol"]
    assert (protocol.folds, protocol.seed, protocol.filters) == (4, 3, (f"{remove} 2", f"{remove} 1"))
    assert protocol.cost_matrix.costs[1] == (2, 0, 1) and asked["learner"].name == "J48"
    how = {"learner": learner, "further": shlex.join(data), "encoding": sys.stdout.encoding, "whole": False}
    assert out == f"{(str(IRIS),)} {how}\n"
    good("advise", IRIS, "--rivals", "-v")
    assert (asked["rivals"], asked["learner"], asked["protocol"].cost_matrix) == (True, None, None)
    good("advise", IRIS, "--exportable")
    assert (asked["exportable"], asked["budget"]) == (True, 60)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--for", "rankin"], "--for"),
        (["--budget", "soon"], "expected a time such as 60s, 5m or 1h, got 'soon'"),
        (["--known", "setosa", "--leave-out", "half"], "--known and --leave-out exclude each other"),
        (["--split", "0.5", "-x", "5"], "--split excludes -x"),
    ],
)
def test_a_wrong_option_is_named(refused, arguments, message):
    assert message in refused("advise", IRIS, *arguments, codes=(2,))


def test_the_time_is_told_on_request(run):
    command = ("advise", IRIS, "--learner", "info_gain", "-x", 2, "--budget", "0.001s")
    brief, whole = run(*command).err, run(*command, "-v").err
    assert re.search(r"^iris: \d{1,2}\.\d s$", whole, re.MULTILINE) and not re.search(r"^iris: \d", brief, re.MULTILINE)
