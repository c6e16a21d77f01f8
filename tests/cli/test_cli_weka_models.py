"""``predict``, ``show`` and ``tree`` on the ``.model`` files of Weka."""

import gzip
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from support.csv_rows import rows_of
from support.promises import choice_promised

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError, Note
from wekaconf.cli.commands import main

GOLDEN = Path(__file__).parents[1] / "golden" / "models"
J48, FOREST = (str(GOLDEN / f"weka-3.9.5-{name}.model") for name in ("j48", "randomforest"))
PROMISE = ("--target-error", "0.2", "--confidence", "0.9")
DATA, OTHER = "arff/missing-weights.arff", "arff/iris.arff"


def called(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


def good(*arguments):
    result = called(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def proba(text):
    rows = rows_of(text)
    columns = [name for name in rows[0] if name.startswith("p_")] or [
        name for name in rows[0] if name.startswith("distribution")
    ]
    return np.array([[float(row[name]) for name in columns] for row in rows])


@pytest.mark.parametrize("model", [J48, FOREST])
def test_the_tree_s_own_answers_need_no_training_data(model):
    np.testing.assert_allclose(
        proba(good("predict", "-l", model, "-T", DATA)), wc.mirror(model).predict_proba(wc.load_arff(DATA)), rtol=1e-11
    )


@pytest.mark.parametrize("method", ["confdtree", "m_branch", "leaf_frequency:laplace=true"])
def test_a_method_on_weka_s_tree(method, tmp_path):
    arguments = ["predict", "-l", J48, "-t", DATA, "--method", method, "-T", DATA]
    data = wc.load_arff(DATA)
    from wekaconf.model.scheme import parse_method

    fitted = parse_method(method).fit(wc.mirror(J48), data)
    np.testing.assert_allclose(proba(good(*arguments)), fitted.predict_proba(data), rtol=1e-11)
    good(*arguments, "-d", tmp_path / "m.wct", "-o", tmp_path / "o.csv")
    np.testing.assert_array_equal(wc.load(tmp_path / "m.wct").predict_proba(data), fitted.predict_proba(data))


def test_rows_of_a_tree_of_weka_s_go_by_their_names(tmp_path):
    data, named = wc.load_arff(DATA), tmp_path / "named.csv"
    data.to_pandas().assign(id=range(len(data))).to_csv(named, index=False)
    good("predict", "-l", J48, "-t", named, "--method", "m_branch", "--id", "id", "-d", tmp_path / "m.wct")
    assert good("predict", tmp_path / "m.wct", named).startswith("id,index,")
    with warnings.catch_warnings():
        warnings.simplefilter("error", Note)
        good("predict", "-l", J48, "-t", DATA, "--method", "m_branch", "--id", "id", "-T", named)


def test_the_rows_that_grew_a_tree_of_weka_s_are_told(tmp_path):
    fitting = ["predict", "-l", J48, "-t", DATA, "-o", tmp_path / "o.csv"]
    assert f"the tree was grown on {DATA}, so it errs less here" in " ".join(
        called(*fitting, "-T", DATA).stderr.split()
    )
    data = wc.load_arff(DATA)
    wc.save_arff(tmp_path / "others.arff", data.take(slice(0, None, 2)))
    assert "grown" not in called(*fitting, "-T", tmp_path / "others.arff").stderr


def test_the_rows_that_grew_a_tree_are_told_though_nothing_names_them(saved):
    """By what reaches the leaves; of Weka's model, and, by check, of ours without a promise."""
    good("fit", saved / "growing.arff", "--learner", "CART", "-d", saved / "cart.wct")
    predict = ("predict", "-l", saved / "j48.model", "-o", saved / "o.csv", "-T")
    for command in (predict, ("check", saved / "j48.model"), ("check", saved / "cart.wct")):
        told = " ".join(called(*command, saved / "growing.arff").stderr.split())
        assert f"note: {saved / 'growing.arff'}: these are probably the rows that the tree was grown" in told
        assert "grown" not in called(*command, saved / "new.arff").stderr


def test_no_java_starts():
    code = f"""
import sys
from wekaconf.cli.commands import main
try:
    main(["predict", "-l", {J48!r}, "-t", {DATA!r}, "--method", "confdtree", "-T", {DATA!r}])
except SystemExit:
    pass
print("jpype" in sys.modules)
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1] == "False" and len(printed.splitlines()) == 302


def test_thresholds():
    kept = good("predict", "-l", J48, "-t", DATA, "-T", DATA, "--threshold-from", "training", "--keep", "0.9")
    assert "rejected" in kept.splitlines()[0]
    given = good("predict", "-l", J48, "-T", DATA, "--below", "0.8")
    assert "rejected" in given.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-l", J48, "--method", "confdtree"], "confdtree learns from training data, too, .* give them by -t"),
        (["-l", J48, "-t", DATA, "--keep", "0.9"], "no further trees can be grown to choose a threshold out of fold"),
        (["-l", J48, "--threshold-from", "training", "--keep", "0.9"], "no threshold can be chosen on them; .* by -t"),
        (["-l", J48, *PROMISE], "which rows grew it is not known, so no share of the rows can be held out; give"),
        (["-l", J48, "--learner", "CART"], "-l takes a tree that is grown already, so it excludes --learner"),
        (["-l", J48, "-t", DATA, "--preprocess", "median"], "so it excludes --preprocess"),
        (["-l", J48, "--class-sets", "0.9"], "can be held out; give other rows by --calibrate"),
        ([], "give either MODEL or -t TRAIN, or both if MODEL is a tree that Weka has saved"),
    ],
)  # fmt: skip
def test_what_does_not_go_together(arguments, words):
    result = called("predict", *arguments, "-T", DATA)
    assert result.exit_code in (1, 2)
    assert re.search(words, " ".join((result.stderr or str(result.exception)).split()))


@pytest.fixture
def saved(java, tmp_path):
    """J48 that Weka has saved, and the parts of wdbc that grew it, that may calibrate, and that are new."""
    from wekaconf.bridge._instances import to_java

    data = wc.load_arff("arff/wdbc.arff")
    for i, name in enumerate(("growing", "calibration", "new")):
        wc.save_arff(tmp_path / f"{name}.arff", data.take(slice(i, None, 3)))
    made = java("weka.classifiers.trees.J48")()
    made.buildClassifier(to_java(data.take(slice(0, None, 3))))
    java("weka.core.SerializationHelper").write(str(tmp_path / "j48.model"), made)
    return tmp_path


@pytest.mark.parametrize(("method", "target"), [("leaf_frequency", "M=0.3"), ("confdtree", "0.2")])
def test_a_promise_on_weka_s_tree_is_that_on_ours(saved, method, target):
    """Of the rows of a file, where the same rows grow the tree and fit the method."""
    asked = ["--method", method, "--target-error", target, "--confidence", "0.9", "--calibrate",
             saved / "calibration.arff", "-t", saved / "growing.arff", "--threshold-from", "training"]  # fmt: skip
    good("predict", "-l", saved / "j48.model", *asked, "-d", saved / "weka.wct")
    good("predict", *asked, "-d", saved / "ours.wct")
    weka, ours = wc.load(saved / "weka.wct"), wc.load(saved / "ours.wct")
    assert weka.choice == ours.choice and weka.choice.promises[0].is_reached
    assert weka.seen.usual == ours.seen.usual
    np.testing.assert_array_equal(weka.seen.digests, ours.seen.digests)


def test_a_promise_where_nothing_is_known_of_the_rows_that_grew_the_tree(saved):
    """It is told, the promise is that of the file's rows alone, and these are recognised later."""
    calibration, model = saved / "calibration.arff", saved / "j48.model"
    with pytest.warns(Note, match="so what is promised holds if none of the calibration rows"):
        result = called("predict", "-l", model, *PROMISE, "--calibrate", calibration, "-d", saved / "m.wct",
                        "-T", calibration, "-o", saved / "o.csv")  # fmt: skip
    told = " ".join(result.stderr.split())
    assert "190 of 190 rows whose class is known grew or calibrated the model" in told
    assert "with confidence 90 %, at most 20 % of the answers given are wrong; of 152 calibration rows" in told
    method = wc.LeafFrequency().fit(wc.mirror(str(model)), wc.load_arff(saved / "growing.arff"))
    rows = wc.load_arff(calibration)
    found = wc.load(saved / "m.wct")
    assert found.choice == choice_promised(method, wc.Aim("error", 0.2, 0.9), rows)
    assert found.seen.count(rows) == len(rows) and found.seen.count(wc.load_arff(saved / "new.arff")) == 0
    assert "m.wct promises: error at most 20 % with confidence 90 %" in good(
        "check", saved / "m.wct", saved / "new.arff"
    )
    refused = called("check", saved / "m.wct", calibration)
    assert "190 rows of 190 grew or calibrated the model" in str(refused.exception)


@pytest.mark.parametrize(("promise", "train"), [((), True), (PROMISE, False)])
def test_class_sets_of_weka_s_tree_are_those_of_the_rows_of_a_file(saved, promise, train):
    growing = ["-t", saved / "growing.arff"] * train
    asked = ["--class-sets", "classes=0.9", "--calibrate", saved / "calibration.arff"]
    output = ["-o", saved / "a.csv", "-d", saved / "m.wct"]
    good("predict", "-l", saved / "j48.model", *growing, *asked, *promise, "-T", saved / "new.arff", *output)
    model = wc.load(saved / "m.wct")
    rows, new = wc.load_arff(saved / "calibration.arff"), wc.load_arff(saved / "new.arff")
    expected = wc.Model(model.method).with_class_sets(rows, 0.9, is_per_class=True).predict_set(new)
    np.testing.assert_array_equal(model.predict_set(new), expected)
    text = {(True, False): "{M}", (False, True): "{B}", (True, True): "{M, B}", (False, False): "{}"}
    written = [row["class_set"] for row in rows_of((saved / "a.csv").read_text(encoding="utf-8"))]
    assert written == [text[tuple(row)] for row in expected.tolist()]
    assert model.promises == bool(promise)
    assert model.answer_shares.n_rows == len(rows)
    assert model.seen.count(rows) == len(rows)


def test_rows_that_calibrate_a_tree_of_weka_s_must_be_others(saved):
    asked = ["predict", "-l", saved / "j48.model", "-t", saved / "growing.arff", "-T", saved / "new.arff", *PROMISE]
    result = called(*asked, "--calibrate", OTHER)
    assert isinstance(result.exception, HeaderMismatchError) and str(result.exception).startswith(f"{OTHER}: ")


def test_training_data_of_another_table():
    result = called("predict", "-l", J48, "-t", OTHER, "--method", "m_branch", "-T", DATA)
    told = str(result.exception)
    assert isinstance(result.exception, HeaderMismatchError) and told.startswith("arff/iris.arff: ")
    assert "5 columns are missing that the training data had: 'temperature'" in told


def test_gzipped_models(tmp_path):
    """Of a file of some size the first byte comes after more than a hundred bytes of gzip's own."""
    packed = tmp_path / "packed.model.gz"
    packed.write_bytes(gzip.compress(Path(FOREST).read_bytes()))
    assert good("predict", "-l", packed, "-T", DATA) == good("predict", "-l", FOREST, "-T", DATA)
    assert good("show", packed) == good("show", FOREST)
    assert good("tree", packed) == good("tree", FOREST)


def test_a_gzipped_model_whose_own_name_is_long(tmp_path):
    packed = tmp_path / "packed.model.gz"
    with gzip.GzipFile("x" * 200 + ".model", "wb", fileobj=packed.open("wb")) as file:
        file.write(Path(J48).read_bytes())
    assert good("show", packed) == good("show", J48)


def test_a_tree_of_numbers_is_refused_for_what_it_is(java, tmp_path):
    from wekaconf.bridge._instances import to_java

    made, path = java("weka.classifiers.trees.REPTree")(), str(tmp_path / "numbers.model")
    data = to_java(wc.load_arff(OTHER))
    data.setClassIndex(0)
    made.buildClassifier(data)
    java("weka.core.SerializationHelper").write(path, made)
    told = str(called("show", path).exception)
    assert told == (
        f"{path}: holds a REPTree of the numeric class 'sepal length (cm)'; only trees that predict a nominal class "
        "have a mirror"
    )


def test_a_model_of_ours_with_the_ending_of_weka_s(tmp_path):
    result = called("predict", "-l", J48, "-T", DATA, "-o", tmp_path / "o.csv", "-d", tmp_path / "ours.MODEL")
    assert "ours.MODEL has the ending of Weka's models, but Weka cannot open it" in " ".join(result.stderr.split())
    assert (
        "ending of Weka's"
        not in called("predict", "-l", J48, "-T", DATA, "-o", tmp_path / "o.csv", "-d", tmp_path / "m.wct").stderr
    )


def test_load_model_of_a_file_of_weka_s():
    with pytest.raises(wc.ModelFileError, match=r"j48\.model: a model that Weka saved; read it with wekaconf\.mirror"):
        wc.load(J48)


def test_weka_3_6():
    result = called("predict", "-l", GOLDEN / "weka-3.6.14-j48.model", "-T", DATA)
    assert isinstance(result.exception, wc.ModelFileError)
    assert "was saved by Weka 3.6 or older" in str(result.exception)


def test_show():
    printed = good("show", J48)
    facts = dict(line.split(":", 1) for line in printed.splitlines() if not line.startswith(" "))
    assert re.fullmatch(r"J48 -M 20, \d+ nodes", facts["learner"].strip())
    assert facts["class"].strip() == "class (low, very high, don't know)"
    assert "made" not in facts
    assert re.search(r"RandomForest -I 3, 3 trees, \d+ nodes", good("show", FOREST))


def test_tree():
    assert good("tree", J48).startswith("J48 pruned tree\n------------------\n")
    assert good("tree", FOREST).count("RandomTree\n==========") == 3
    assert '"learner": "J48"' in good("tree", J48, "--format", "json")


def test_tree_of_a_model_of_wekaconf(tmp_path):
    path = tmp_path / "own.wct"
    train = wc.load_arff(OTHER)
    wc.Model(wc.ConfDTree().fit(wc.J48().grow(train), train)).save(path)
    assert good("tree", path) == good("tree", OTHER, "--method", "confdtree")
    refused = called("tree", path, "--learner", "CART")
    assert "holds a tree that is grown already, so it excludes --learner" in refused.output
    absent = called("tree", tmp_path / "absent.wct")
    assert isinstance(absent.exception, wc.ModelFileError) and "no such file" in str(absent.exception)


def test_tree_of_a_method_that_weka_has_saved(java, tmp_path):
    """What the method adds to the nodes is printed too."""
    from wekaconf.bridge._instances import to_java

    made, path = java("weka.classifiers.trees.ConfDTree")(), str(tmp_path / "own.model")
    made.buildClassifier(to_java(wc.load_arff(OTHER)))
    java("weka.core.SerializationHelper").write(path, made)
    assert good("tree", path) == good("tree", OTHER, "--method", "confdtree")
    assert " if assigned, " in good("tree", path, "--format", "dot")
