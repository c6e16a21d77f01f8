"""Files that are wrong, odd, or of another header."""

import gzip
import json

import pytest
from support.command_line import HEADER, IRIS, METHODS, ROWS, arff
from support.csv_rows import rows_of

import wekaconf as wc


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "d.arff"),
        (HEADER, "'d' has no instances, too few for folds"),
        (HEADER + "1,p,a\n", "'d' has 1 instance, too few for folds"),
        (HEADER + "1,p,?\n2,q,?\n", "no instance with a class"),
        (HEADER + "1,p,c\n2,q,a\n", "d.arff:6: value 'c' is not among the 2 declared for 'class' ('a', 'b'); correct"),
    ],
)
def test_wrong_content(refused, tmp_path, text, message):
    arff(tmp_path / "d.arff", text)
    for command in (["evaluate", "d.arff", "-x", "2"], ["predict", "-t", "d.arff", "-T", "d.arff"]):
        if command[0] == "evaluate" or "folds" not in message:
            assert message in refused(*command)


def test_file_that_cannot_be_read(refused, tmp_path):
    (tmp_path / "folder.arff").mkdir()
    whole = gzip.compress(IRIS.read_bytes())
    (tmp_path / "cut.arff.gz").write_bytes(whole[: len(whole) // 2])
    for name in ("absent.arff", "folder.arff", "cut.arff.gz"):
        for command in (["evaluate"], ["tree"], ["weka", "folds"], ["predict", "-t", IRIS, "-T"]):
            assert refused(*command, name).startswith(name)


@pytest.mark.parametrize(
    "text",
    [
        HEADER + ROWS.replace("b", "a"),
        HEADER + "?,?,a\n?,?,b\n?,?,a\n",
        HEADER.replace("{p,q}", "{}") + "1,?,a\n2,?,b\n",
    ],
    ids=["one class met", "all missing", "no values"],
)
def test_odd_content_is_evaluated(good, tmp_path, text):
    arff(tmp_path / "d.arff", text)
    methods = [word for name in METHODS for word in ("--method", name)]
    records = json.loads(good("evaluate", "d.arff", "-x", 2, *methods, "--json"))
    assert len(records) == len(METHODS)
    assert all(0 <= record["pooled"]["percent_correct"] <= 100 for record in records)
    good("predict", "-t", "d.arff", "-T", "d.arff")


def test_missing_classes_train_nothing_and_are_answered(run, tmp_path):
    arff(tmp_path / "all.arff", HEADER + ROWS + "9,p,?\n")
    arff(tmp_path / "known.arff", HEADER + ROWS)
    ended = run("predict", "-t", "all.arff", "-T", "all.arff")
    assert ended.err == (
        "note: all: 1 of 5 instances has no class and is left out of training\n"
        "all.arff: 5 rows, like those of training; 1 with values outside training\n"
    )
    assert rows_of(ended.out)[4]["predicted"] in ("a", "b")
    assert ended.out == run("predict", "-t", "known.arff", "-T", "all.arff").out


def test_unseen_values(run, refused, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER.replace("{p,q}", "{q,p,new}").replace("{a,b}", "{b,z,a}") + "1,new,?\n2,q,b\n")
    arff(tmp_path / "same.arff", HEADER + "1,?,?\n2,q,b\n")
    ended = run("predict", "-t", "train.arff", "-T", "test.arff")
    same = run("predict", "-t", "train.arff", "-T", "same.arff")
    [known, _], [asked, _] = rows_of(same.out), rows_of(ended.out)
    outside = "y 'new', not seen in training"
    assert asked == known | {"reason": f"{known['reason']}; outside training: {outside}", "outside": outside}
    assert ended.out.splitlines()[2:] == same.out.splitlines()[2:]
    assert ended.err == (
        "note: test.arff, row 1: value 'new' of 'y' was not seen in training ('p', 'q'); it is treated as missing\n"
        "test.arff: 2 rows, like those of training; 1 with values outside training\n"
    )
    evaluated = run("evaluate", "train.arff", "-T", "test.arff")
    assert evaluated.code == 0
    assert evaluated.err.startswith(ended.err.splitlines()[0])
    for command in (["predict", "-t"], ["evaluate"]):
        message = refused(*command, "train.arff", "-T", "test.arff", "--strict", "values")
        assert message.startswith("test.arff, row 1: value 'new' of 'y' was not seen in training")
    run("fit", "train.arff", "-d", "m.wct")
    (tmp_path / "turned.csv").write_text("class,y,x\na,p,1\nb,q,2\n")
    for command, *more in (["predict"], ["check"], ["explain", "--row", "2"]):
        message = refused(command, "m.wct", "test.arff", *more, "--strict", "values")
        assert message.startswith("test.arff, row 1: value 'new' of 'y' was not seen in training")
        assert run(command, "m.wct", "turned.csv", *more).code == 0
        message = refused(command, "m.wct", "turned.csv", *more, "--strict", "columns")
        assert message.startswith("turned.csv, column 1: expected 'x', got 'class'")


def test_unseen_class_is_never_left_out_of_the_score(refused, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER.replace("{a,b}", "{a,b,z}") + "1,p,a\n2,q,z\n")
    for command in (["predict", "-t"], ["evaluate"]):
        message = refused(*command, "train.arff", "-T", "test.arff")
        assert message.startswith("test.arff, row 2: value 'z' of 'class' was not seen in training ('a', 'b')")


def test_empty_test_file(refused, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER)
    assert "no instance of 'test' to test on" in refused("evaluate", "train.arff", "-T", "test.arff")


def test_awkward_names(good, tmp_path):
    """Quotes, blanks, %, commas and letters of other scripts, in the file's name too."""
    names = ["it's", 'so "called"', "100 %", "a, b", "größe 名前", "{x}"]
    quoted = ["'" + name.replace("'", "\\'") + "'" for name in names]
    lines = [f"@attribute {name} numeric" for name in quoted] + [f"@attribute 'the, class' {{{','.join(quoted)}}}"]
    rows = [",".join(["1", "2", "3", "4", "5", str(i % 6), quoted[i % 6]]) for i in range(24)]
    path = tmp_path / "it's 100 %, größe.arff"
    arff(path, "\n".join(["@relation 'r, %'", *lines, "@data", *rows, ""]))
    assert good("predict", "-t", path.name, "-T", path.name, "-o", "p ü.csv", "-d", "m ü.wct") == ""
    predicted = rows_of((tmp_path / "p ü.csv").read_text(encoding="utf-8"))
    assert [row["predicted"] for row in predicted] == names * 4
    assert list(predicted[0])[4:10] == [f"distribution_{name}" for name in names]
    assert good("predict", "-l", "m ü.wct", "-T", path.name) == (tmp_path / "p ü.csv").read_text(encoding="utf-8")
    assert good("predict", "-t", path.name, "-T", path.name, "-o", "p.arff") == ""
    assert wc.load_arff(tmp_path / "p.arff").attributes[1].values == tuple(names)
    [record] = json.loads(good("evaluate", path.name, "-x", 2, "-c", "the, class", "--json"))
    assert (record["dataset"], record["class"]) == ("it's 100 %, größe", "the, class")
    assert "größe 名前" in good("tree", path.name, "--format", "dot")
