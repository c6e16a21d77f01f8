"""What predict writes: columns passed through, order, formats; and that a file read in parts is answered as a whole."""

import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from support.command_line import IRIS
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


def test_id_and_columns_pass_through_as_they_are(good, model, table):
    found = rows_of(good("predict", "-l", model, "-T", "new.csv", "--with", '"age, years",certainty'))
    assert list(found[0])[:4] == ["who", "age, years", "certainty (input)", "index"]
    assert [row["who"] for row in found] == table["who"].tolist()
    assert [row["certainty (input)"] for row in found] == [str(value) for value in table["certainty"]]
    everything = rows_of(good("predict", "-l", model, "-T", "new.csv", "--with", "all"))
    assert list(everything[0])[:6] == ["who", "age, years", "colour", "certainty (input)", "out", "index"]
    assert [row["colour"] for row in everything] == table["colour"].fillna("").tolist()
    other = rows_of(good("predict", "-l", model, "-T", "new.csv", "--id", "colour"))
    assert list(other[0])[:2] == ["colour", "index"]


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
    assert note not in run(*grow, "-T", "new.csv").err
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
def test_the_training_file_needs_no_identifier(run, good, table, ending):
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
    assert "-d is missing: save the model here" in refused("fit", IRIS, codes=(2,))
    message = refused("fit", IRIS, "--class-sets", "rows", "-d", "m.wct", codes=(2,))
    assert "--class-sets: expected a share of the rows, such as 0.9" in message
    assert "no such option '-o'; -d FILE names the model" in refused("fit", IRIS, "-o", "m.wct", codes=(2,))


def test_model_and_file_are_named_in_order_or_by_options(good, refused):
    good("fit", IRIS, "--learner", "CART", "-d", "m.wct")
    answers = good("predict", "m.wct", IRIS)
    for words in (("-l", "m.wct", IRIS), ("m.wct", "-T", IRIS), (IRIS, "-l", "m.wct"), ("-l", "m.wct", "-T", IRIS)):
        assert good("predict", *words) == answers
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
