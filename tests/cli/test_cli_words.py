"""What the command line says: complaints that advise in the words of its options, notes, summaries."""

import shlex

import numpy as np
import pandas as pd
import pytest
from support.command_line import ARFF

import wekaconf as wc
from wekaconf.cli.evaluate import evaluate_command
from wekaconf.cli.wording import option_as_typed
from wekaconf.model.facts import facts_of

IRIS, WINE, CREDIT, MISSING = (ARFF / f"{name}.arff" for name in ("iris", "wine", "credit-g", "missing-weights"))
HEADER = "@relation r\n@attribute x numeric\n@attribute {} numeric\n@data\n"


# -- complaints that advise ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "confDTree"], "--method: no method 'confDTree'; did you mean 'confdtree'?"),
        (["--method", "confdtree:variant=comp"],
         "--method: confdtree: variant must be comb, norm or tdist, got 'comp'; did you mean 'comb'?"),
        (["--method", "confdtree:comb"], "--method 'confdtree:comb': expected parameter=value, got 'comb'"),
        (["--learner", "j48"], "--learner: no learner 'j48'; did you mean 'J48'?"),
        (["--method", "weka.classifiers.trees.ConfDTree -variant tdist -fine 0.2"],
         "; did you mean 'confdtree:variant=tdist,fine=0.2'?"),
        (["--method", "weka.classifiers.trees.J48 -C 0.1"], "; J48 is a learner: give it with --learner"),
        (["--learner", "weka.classifiers.trees.ConfDTree -variant tdist"],
         "--learner: no learner 'weka.classifiers.trees.ConfDTree'; confdtree is a method: give it with --method"),
        (["--learner", "CART se=-1"], "--learner: CART: se must be a number from 0 to 1000000, got '-1'"),
        (["--learner", "J48 -Z"],
         "--learner: weka.classifiers.trees.J48 -Z: Illegal options: -Z; valid options are -U, -O, -C <pruning "),
        (["--metod", "confdtree"], "no such option '--metod'; did you mean '--method'"),
        (["-M", "5"], "no such option '-M'; for an option of the learner write --learner \"J48 -M 5\""),
        (["-M5"], "no such option '-M'; for an option of the learner write --learner \"J48 -M 5\""),
        (["-U"], "no such option '-U'; for an option of the learner write --learner \"J48 -U\""),
        (["-num-slots", "2"], "'-num-slots'; for an option of the learner write --learner \"J48 -num-slots 2\""),
        (["-p", "0"], "no such option '-p'; --predictions FILE.txt writes every answer as Weka's -p does"),
        (["-W", "J48"], "no such option '-W'; --learner \"weka.classifiers.trees.J48 -C 0.1\" names a learner"),
        (["--learner", "Bagging", "-W", "J48"], "'-W'; for an option of the learner write --learner \"Bagging -W"),
        (["-F", "Discretize"], "--filter \"weka.filters.…\" names a filter with its options"),
        (["-l", "j48.model"], "'wekaconf predict MODEL FILE' answers with a model"),
        (["-split-percentage", "66"], "'-split-percentage'; --split 0.66 trains on 66 % of the instances"),
        (["-classifications", "CSV"], "'-classifications'; --predictions FILE writes every answer"),
        (["--split", "66%"], "--split: expected a share between 0 and 1 or counts such as 20:50, got '66%'; write 0.66 "
         "for 66 %"),
        (["--below", "70"], "--below must be a certainty of leaf_frequency, which lies in [1/n_classes, 1], got 70; "
         "write 0.7 for 70 %"),
        (["--keep", "93"], "--keep must be a share in [0, 1], got 93; write 0.93 for 93 %"),
        (["--cost", "3"], "--cost expects the cost of an error and that of a rejection, such as 10:1, got '3'"),
        (["-x", "151"], "-x: expected a whole number from 2 to the 150 instances of 'iris', got 151"),
        (["--seed=3000000000"], "--seed: expected a whole number from -2147483648 to 2147483647"),
        (["--known", "setosa,rose"], "--known: 'iris' has no class 'rose'; its classes are 'setosa'"),
        (["-c", "petal"], "-c: no class attribute 'petal' in 'iris'"),
        (["-c", "1"],
         "class 'sepal length (cm)' is numeric; a tree needs a nominal class such as 'class': choose it with -c"),
        (["--test", WINE, "--folds", "5"], "--test excludes --folds"),
        (["--learner", "J48", "--learner=CART"], "--learner is given twice; leave one out"),
        (["-x5", "--folds", "3"], "is given twice; leave one out"),
        ([ARFF / ".." / "arff" / "iris.arff"], f"the file {IRIS} is given twice"),
        (["--threshold-from", "training"], "--threshold-from belongs to --keep, --target-error, --target-coverage and"),
    ],
)  # fmt: skip
def test_complaints_name_the_option_and_what_to_do(complaint, arguments, said):
    assert said in complaint("evaluate", IRIS, *arguments)


def test_an_option_is_named_as_it_was_typed():
    """By its first name where it was not, and an argument as in the usage."""
    context = evaluate_command.make_context("evaluate", [str(IRIS), "--folds=5", "-s", "2"])
    names = {parameter.name: option_as_typed(parameter, context) for parameter in evaluate_command.params}
    assert [names[each] for each in ("folds", "seed", "class_attribute", "data")] == ["--folds", "-s", "-c", "DATA"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["predict", "-t", IRIS, "-T", IRIS, "--method", "tpce", "--method", "wpe"], "--method is given twice"),
        (["show", IRIS], f"{IRIS}: this is data, and 'show' takes a model, as 'wekaconf fit' saves it"),
        (["show", "nope.wct"], "nope.wct: no such file; check the name and the folder"),
        (["evaluat", IRIS], "no such command 'evaluat'; did you mean 'evaluate'?"),
        (["study", "replicate", "wang206"], "; did you mean 'wang2006'?"),
        (["tree", IRIS, "--method", "wpe"],
         "wpe adds nothing to the nodes of a tree; these do: confdtree, curtailment, id3_max, id3_sd, m_branch"),
        (["tree", IRIS, "--method", "confdtree", "--learner", "RandomForest -I 2"],
         "--method confdtree is drawn on a single tree"),
        (["tree", IRIS, "-M", "5"], "write --learner \"J48 -M 5\""),
        (["predict", "-l", IRIS, "-T", IRIS], f"expected a model, and {IRIS} is data; 'wekaconf fit' makes"),
        (["predict", "-t", IRIS, "-T", IRIS, "--method", "wpe"],
         "discretise them with --preprocess wang2006 or --filter weka.filters.unsupervised.attribute.Discretize, or "
         "write wpe:numeric=bins"),
        (["tree", CREDIT, "--learner", "CART nominal=refuse"],
          "are nominal: give --learner \"CART nominal=one_hot\"; or use the learner J48"),
    ],
)  # fmt: skip
def test_complaints_of_other_commands(complaint, arguments, said):
    assert said in complaint(*arguments)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--keep", "1.5"], 1), (["--learner", "j48"], 1), (["-x", "200"], 1), (["--records", "r.xlsx"], 1),
        (["-x", "1"], 2), (["--format", "wekka"], 2), (["--keep"], 2), (["--keep", "0.9", "--below", "0.7"], 2),
    ],
)  # fmt: skip
def test_exit_code_2_comes_with_the_usage_and_1_in_one_line(run, arguments, code):
    ended = run("evaluate", IRIS, *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert ended.err.startswith("Usage: " if code == 2 else "error: "), ended.err


def test_data_are_no_model(complaint, tmp_path):
    (tmp_path / "model").write_bytes(IRIS.read_bytes())
    for command in (["show", "model"], ["predict", "-T", IRIS, "-l", "model"]):
        assert complaint(*command).startswith("model: not a model that wekaconf saved, or damaged")


def test_a_default_that_does_not_suit_the_data_is_called_one(complaint, tmp_path):
    (tmp_path / "few.arff").write_text(
        HEADER.format("{0,1}").replace("{0,1} numeric", "y {0,1}") + "1,0\n2,1\n3,0\n4,1\n"
    )
    said = "-x: expected a whole number from 2 to the 4 instances of 'few', got "
    assert complaint("evaluate", "few.arff") == f"{said}10, the default"
    assert complaint("evaluate", "few.arff", "-x", "9") == f"{said}9"
    assert complaint("evaluate", "few.arff", "--folds", "9") == f"--folds{said.removeprefix('-x')}9"


def test_unseen_values_are_told_by_the_option(complaint, tmp_path):
    text = "@relation r\n@attribute x {a,b,c}\n@attribute y {p,q}\n@data\n"
    (tmp_path / "known.arff").write_text(text.replace(",c", "") + "a,p\nb,q\na,p\nb,q\n")
    (tmp_path / "new.arff").write_text(text + "c,p\n")
    said = complaint("predict", "-t", "known.arff", "-T", "new.arff", "--strict", "values")
    assert said.endswith("; correct it or leave --strict values out")


def test_advice_on_a_column_is_typed_as_it_is_written(complaint, good, run, tmp_path):
    """A sheet with numbers and a text in a column, of a name that a shell would take apart; integers beyond 2**53."""
    frame = pd.DataFrame({"it's x": [1, "7 b", *range(28)], "y": ["p", "q"] * 15})
    frame.to_excel(tmp_path / "mixed.xlsx", index=False)
    said = complaint("fit", "mixed.xlsx", "-d", "m.wct", "--learner", "CART nominal=one_hot")
    assert said.endswith('; correct it, or read the column as text, --type "it\'s x=nominal"')
    advised = shlex.split(said.partition("read the column as text, ")[2])
    good("fit", "mixed.xlsx", "-d", "m.wct", "--learner", "CART nominal=one_hot", *advised)
    pd.DataFrame({"nr": range(2**60, 2**60 + 30), "y": ["p", "q"] * 15}).to_parquet(tmp_path / "large.parquet")
    said = run("fit", "large.parquet", "-d", "m.wct", "--learner", "CART").err
    assert "which float64 rounds; leave it out if it is an identifier, or read it as text: --type 'nr=nominal'" in said


def test_wrong_options_are_told_once_before_any_data_are_read(refused):
    for options, said in ((["--below", "70"], "--below must be"), (["--learner", "j48"], "--learner: no learner")):
        assert refused("evaluate", "nowhere.arff", IRIS, *options).startswith(said)


def test_what_is_left_out_is_told_in_the_same_words(run):
    ended = run("evaluate", IRIS, CREDIT, "--known", "setosa,versicolor", "-x", "2")
    assert (
        ended.err.splitlines()[0] == f"left out: {CREDIT}: --known: 'credit-g' has no class 'setosa'; its classes "
        "are 'good', 'bad'"
    )


# -- notes ---------------------------------------------------------------------------------------------------------


def test_notes_name_the_file_in_every_command(run, tmp_path):
    (tmp_path / "mine.arff").write_bytes(MISSING.read_bytes().replace(b"missing-weights", b"theirs"))
    said = "note: mine: 4 of 300 instances have no class and are left out of training"
    commands = (["evaluate", "-x", "2"], ["compare", "--per-fold", "e.arff", "-x", "2"], ["tree"])
    commands += (["predict", "-T", "mine.arff", "-t"],)
    for command in commands:
        told, *others = run(*command, "mine.arff").err.splitlines()
        assert told == said and "left out" not in "".join(others)


def test_an_option_of_another_learner_is_told_as_such(refused):
    for options, said in (
        ("nominal=one_hot", "'nominal=one_hot' is an option of CART, not of J48, which takes Weka's own, such as -U"),
        ("-C 0.1 seed=3", "'seed=3' is an option of CART and info_gain_bagging, not of J48"),
        ("-C 0.1 colour=red", "'colour=red' is no option of J48"),
    ):
        assert said in refused("tree", IRIS, "--learner", f"J48 {options}"), options
    assert "Illegal options: -Z" in refused("tree", IRIS, "--learner", "J48 -Z")


def test_learners_of_their_own_are_noted_and_stand_in_the_tables(run):
    methods = ["--method", "leaf_frequency", "--method", "id3_max", "--method", "confdtree"]
    ended = run("evaluate", IRIS, *methods, "-x", "2")
    assert ended.err == (
        "note: the methods use several learners, that of the paper where it names one: 'leaf_frequency', "
        "'confdtree' on J48; 'id3_max' on J48 -U -M 1; --learner NAME sets one for all\n"
    )
    assert ended.out.startswith("each method on its own learner; 2-fold")
    lines = [line.split() for line in ended.out.splitlines()]
    assert ["id3_max", "J48", "-U", "-M", "1"] in [words[:5] for words in lines]
    one = run("evaluate", IRIS, *methods, "-x", "2", "--learner", "J48 -C 0.1")
    assert one.err == "" and one.out.startswith("J48 -C 0.1 of Weka 3.9.")


# -- predict and show ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "ends"), [(12, "x11 (numeric)"), (13, "x11 (numeric), … (13 in all)")])
def test_show_names_twelve_columns(n, ends):
    values = np.column_stack([np.arange(8.0).repeat(n).reshape(8, n), np.arange(8) // 4])
    columns = [wc.Attribute(f"x{i}", "numeric") for i in range(n)]
    data = wc.Dataset(wc.Header("r", (*columns, wc.Attribute("class", "nominal", ("a", "b"))), n), values)
    facts = facts_of(wc.Model(wc.MBranch().fit(wc.grow(data, "info_gain"), data)))
    assert facts["columns"].endswith(ends) and facts["learner"] == "info_gain, 3 nodes"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tree", IRIS, "-g"], "no such option '-g'; --format dot prints the graph"),
        (["predict", "-t", IRIS, "-T", IRIS, "-p", "0"], "no such option '-p'; the answers are what 'predict' writes"),
        (["weka", "folds", IRIS, "-no-cv"], "no such option '-no-cv'; 'wekaconf fit' and 'wekaconf tree' train on"),
        (["weka.classifiers.trees.REPTree", "-t", IRIS],
         "no such command 'weka.classifiers.trees.REPTree'; write 'wekaconf evaluate FILE --learner "
         "\"weka.classifiers.trees.REPTree …\"', or --method NAME for a method"),
        (["weka.Run", "J48"], "no such command 'weka.Run'; write 'wekaconf evaluate FILE --learner "
         "\"weka.classifiers.trees.J48 …\"', or --method NAME for a method"),
        (["J48", "-t", IRIS], "no such command 'J48'; write 'wekaconf evaluate FILE --learner \"J48 …\"', or --method"),
    ],
)  # fmt: skip
def test_what_weka_s_command_line_takes(complaint, arguments, said):
    assert complaint(*arguments).startswith(said)


@pytest.mark.parametrize("name", ["iris.JSON", "iris.xrff.gz"])
def test_other_formats_of_weka_s(complaint, tmp_path, name):
    (tmp_path / name).write_text('<?xml version="1.0"?>')
    ending = name.lower().removesuffix(".gz")[4:]
    assert complaint("tree", name) == f"{name}: {ending} files are not read; open it in Weka and save it as ARFF"


def test_a_parameter_of_a_learner_is_not_taken_for_an_option_of_that_name(complaint):
    """CART's folds are not those of -x."""
    said = complaint("evaluate", IRIS, "--learner", "CART leaves=3 se=1 folds=4")
    assert "--learner: CART: leaves chooses the tree by its size, so folds, se must be left out" in said
