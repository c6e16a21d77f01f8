"""Options that make no sense, of every command."""

import click
import pytest
from support.command_line import IRIS, WINE

import wekaconf as wc
from wekaconf.cli.advise import read_duration
from wekaconf.cli.models import is_data, row_index
from wekaconf.cli.options import _share_or_file
from wekaconf.cli.values import fraction, split_names, whole_number


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-x", "²"], "expected a whole number of at least 2, or loo, got '²'"),
        (["--runs", "0"], "--runs: expected a whole number of at least 1, got '0'"),
        (["-s", "text"], "-s: expected a whole number, got 'text'"),
        (["--strict", "rows"], "--strict: expected columns or values, or several of them with commas, got 'rows'"),
        (["--stratified"], "--stratified belongs to --split"),
        (["--split", "0.5", "-x", "10"], "--split excludes -x"),
        (["-T", "t.arff", "-x", "10"], "-T excludes -x"),
        (["-T", "t.arff", "--split", "0.5"], "-T excludes --split"),
        (["-T", "t.arff", "--leave-out", "one"], "-T excludes --leave-out; name the known classes with --known"),
        (["--method", "confdtree", "--method", "confdtree"], "--method confdtree is given twice"),
        (["--metric", "auc"], "'auc' is not one of 'percent_correct', 'auc_mean', 'auc_weighted', 'auc_hand_till'"),
        (["--preprocess", "wang"], "--preprocess: 'wang' is not"),
    ],
)
def test_evaluate_usage(refused, arguments, message):
    assert message in refused("evaluate", IRIS, *arguments, codes=(2,))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate"], "DATA is missing: name files or folders"),
        (["tree", IRIS, "--format", "png"], "'png' is not one of 'text', 'dot', 'json'"),
        (["predict", "-t", IRIS], "give the file to answer for, as in 'wekaconf predict MODEL FILE'"),
        (["predict", "-T", IRIS], "give either MODEL or -t TRAIN"),
        (["predict", "-t", IRIS, "-l", "m.wct", "-T", IRIS], "give either MODEL or -t TRAIN"),
        (["predict", "-l", "m.wct", "-T", IRIS, "--method", "confdtree"], "it excludes --method"),
        (["predict", "-l", "m.wct", "-T", IRIS, "--learner", "J48"], "it excludes --learner"),
        (["weka", "folds", IRIS, "-o", ""], "-o: expected the name of a file"),
        (["weka", "folds", IRIS, "-o", "-"], "-o: expected the name of a file"),
    ],
)
def test_usage(refused, tmp_path, arguments, message):
    (tmp_path / "m.wct").touch()
    assert message in refused(*arguments, codes=(2,))


def test_what_is_wrong_is_told_before_a_file_is_opened(refused):
    """In one test, so that all of it runs at every commit."""
    keys = "the keys are decimal, thousands, date_format, sheet, header and na"
    for arguments, message in (
        (["tree", "x", "--table", "decimal"], f"--table: expected KEY=VALUE, got 'decimal'; {keys}"),
        (["tree", "x", "--table", "no_header=yes"], f"--table: expected KEY=VALUE, got 'no_header=yes'; {keys}"),
        (["tree", "x", "--table", "header=maybe"], "--table: expected header=yes or header=no, got 'header=maybe'"),
        (["tree", "x", "--table", "decimal=,", "--table", "decimal=."], "--table decimal is given twice; leave"),
        (["tree", "x", "--type", "=nominal"], "--type: expected COLUMN=nominal or COLUMN=numeric, got '=nominal'"),
        (["tree", "x", "--type", "a=text"], "--type: expected COLUMN=nominal or COLUMN=numeric, got 'a=text'"),
        (["tree", "x", "--rename", "a="], "--rename: expected OLD=NEW, the old and the new name of a column, got 'a='"),
        (["tree", "x", "--rename", "=b"], "--rename: expected OLD=NEW, the old and the new name of a column, got '=b'"),
        (["show", "x", "--table", "na=x"], "--table na: the model knows already which texts mean a missing value"),
        (["fit", "-d", "m.wct"], "DATA is missing: grow a tree and fit on this file"),
        (["show"], "MODEL is missing: model file, as 'fit' saves it"),
        (["predict", "--reject", "1", "--reject", "2"], "--reject: expected one number of rows"),
        (["check", "x", "--scores", "--below", "0.5", "--keep", "0.9"], "--below excludes --keep: one threshold"),
        (["show", "m.wct", "-T", "x.csv"], "-T and -t are for the page, so give its name with -o"),
        (["show", "m.wct", "-t", "x.csv"], "-T and -t are for the page, so give its name with -o"),
        (["predict", "m.wct", "-d", "n.wct", "--with", "all"], "--with is for answers, so give the file to answer for"),
        (["predict", "m.wct", "-d", "n.wct", "--log-json", "l"], "--log-json is about the file that is answered"),
        (["predict", "m.wct", "--target-coverage", "0.8", "-d", "n.wct"], "no model can keep what they choose"),
        (["tree", "x.arff", "--max-depth", "0", "-o", "t.json"], "--max-depth belongs to a figure"),
        (["tree", "x.arff", "--separator", "comma", "-o", "t.html"], "--separator belongs to rules as CSV"),
        (["evaluate", "x.arff", "--strict", "values"], "--strict belongs to -T, the file to test on"),
        (["evaluate", "x.arff", "--known", "a", "--leave-out", "one"], "--known and --leave-out exclude each other"),
        (["evaluate", "x.arff", "--known", "a", "--preprocess", "median"], "so write --preprocess median:per-fold"),
        (["evaluate", "x.arff", "--leave-out", "one", "--preprocess", "median"], "write --preprocess median:per-fold"),
        (["evaluate", "x.arff", "--format", "weka", "--known", "a"], "--format weka excludes --known and --leave-out"),
        (["evaluate", "x.arff", "--format", "weka", "--leave-out", "one"], "excludes --known and --leave-out"),
        (["evaluate", "x.arff", "--format", "weka", "--rejecting"], "--format weka excludes --rejecting"),
        (["evaluate", "x.arff", "--hold-out", "0.2", "--predictions", "p.csv"], "--predictions excludes --hold-out"),
        (["evaluate", "x.arff", "--records", "r.csv", "--of", "a"], "--of belongs to --roc"),
        (["compare", "x.arff", "--method", "wpe"], "--method: expected at least two to compare"),
        (["fetch", "openml"], "name the sets of OpenML by their numbers, such as 'wekaconf fetch openml 61'"),
    ):
        assert message in refused(*arguments, codes=(2,)), arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--method", "id3_sd", "--learner", "RandomForest"],
            "not on a forest of RandomForest; give it one that J48 grows",
        ),
        (["--method", "leaf_frequency:laplace=true", "--learner", "REPTree"], "cannot be smoothed; use J48"),
        (["--split", "100:51"], "split '100:51' wants 151 instances, 'iris' has 150"),
        (["--split", "0.001"], "nothing to learn from"),
        (
            ["-T", WINE, "--strict", "columns"],
            "attribute 1: expected 'sepal length (cm)' numeric, got 'alcohol' numeric",
        ),
        (["--calibration", "c.txt"], "--calibration c.txt: expected a name that ends in .png, .pdf or .svg"),
    ],
)
def test_evaluate_refuses(refused, arguments, message):
    assert message in refused("evaluate", IRIS, *arguments)


def test_verbose_errors_show_where(run):
    said = run("tree", IRIS, "--learner", "ID3", "-v").err
    assert said.startswith("Traceback ") and said.splitlines()[-1].startswith("error: --learner: no learner 'ID3'")


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (fraction("a share", "0.3"), "0.999", 0.999),
        (fraction("a share", "0.3"), "1e-9", 1e-9),
        (read_duration, "0.001", 0.001),
        (read_duration, "90", 90),
        (read_duration, "90s", 90),
        (read_duration, "1.5m", 90),
        (read_duration, "2min", 120),
        (read_duration, ".5 h", 1800),
        (whole_number(1), "1", 1),
        (whole_number(), "-3", -3),
    ],
)
def test_values_inside_their_range_are_taken(read, text, value):
    assert read(text) == value


def test_a_share_in_other_words_is_told_as_a_share():
    for text, advice in (("30%", "; write 0.3"), ("30", "; write 0.3 for 30 %"), ("x", "")):
        with pytest.raises(click.BadParameter) as error:
            fraction("a share", "0.3")(text)
        assert error.value.message.endswith(f"such as 0.3, got '{text}'{advice}")


def test_what_calibrates_is_a_share_or_a_file(tmp_path, monkeypatch):
    """A share in other words is refused, unless there is a file of that name."""
    monkeypatch.chdir(tmp_path)
    assert [_share_or_file(text) for text in ("0.3", "more.csv", "none")] == [0.3, "more.csv", "none"]
    with pytest.raises(click.BadParameter, match="got '30%'; write"):
        _share_or_file("30%")
    (tmp_path / "30%").touch()
    assert _share_or_file("30%") == "30%"


def test_a_row_goes_by_its_number_or_its_name():
    names = ["7", None, "x"]
    for row, of_names, n, index in (("1", [], 9, 0), ("009", [], 9, 8), ("7", names, 9, 0), ("2", names, 3, 1)):
        assert row_index(row, of_names, n, "f.csv") == index
    for row, of_names, n, said in (
        ("10", [], 9, "rows 1 to 9"), ("0", [], 9, "rows 1 to 9"), ("1", [], 0, "no rows"),
        ("1;2", [], 9, "rows 1 to 9; each --row names one row"), ("X", [], 9, "rows 1 to 9"),
        ("X", names, 3, "rows 1 to 3, none of them named so; did you mean 'x'?"),
        ("77", names, 3, "rows 1 to 3, none of them named so"),
    ):  # fmt: skip
        with pytest.raises(wc.OptionError) as error:
            row_index(row, of_names, n, "f.csv")
        assert str(error.value) == f"--row {row}: f.csv has {said}"


def test_names_are_split_at_commas_outside_quotes():
    assert split_names('a, "b, c",, d ') == ("a", "b, c", "d")


def test_data_are_told_from_models_by_the_ending():
    assert all(map(is_data, ("a.arff", "a.ARFF.gz", "a.csv", "a.xlsx")))
    assert not any(map(is_data, ("a.wct", "a.model", "arff", "a.gz")))


@pytest.mark.parametrize(
    ("read", "texts"),
    [
        (fraction("a share", "0.3"), ("0", "1", "1.5", "-0.1", "x", "nan")),
        (read_duration, ("0", "0h", "-1", "1d", "s")),
        (whole_number(1), ("0", "-1", "1.0", "x")),
    ],
)
def test_the_ends_of_a_range_and_what_lies_beyond_are_refused(read, texts):
    for text in texts:
        with pytest.raises(click.BadParameter, match=f"expected a .*, got '{text}'"):
            read(text)
