"""`wekaconf plot` and `wekaconf tree -o`: files, endings, models, and what is refused."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.svg_texts import texts_in as said

import wekaconf as wc
from wekaconf.report import pictures

ARFF = Path(__file__).parents[2] / "arff"
CART = ("--learner", "CART")
COLUMN = 3.4


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Data, a model with a threshold, and what is odd."""
    folder = tmp_path_factory.mktemp("files")
    for name in ("iris", "wine"):
        shutil.copy(ARFF / f"{name}.arff", folder)
    data = wc.load_arff(folder / "iris.arff")
    tree = wc.CART().grow(data)
    for method in (wc.LeafFrequency(), wc.ConfDTree(), wc.BoundaryDistance(), wc.method("shrinkage")):
        wc.Model(method.fit(tree, data)).save(folder / f"{method.name}.wct")
    method = wc.MBranch().fit(tree, data)
    correct = method.predict(data) == data.class_values
    choice = wc.choose_threshold(method.certainty(data), correct, keep=0.9)
    wc.Model(method, choice=choice).save(folder / "iris.wct")
    wc.save_arff(folder / "empty.arff", data.take([]))
    wc.save_arff(folder / "roses.arff", data.take(data.class_values > 0))
    (folder / "nothing.arff").write_text("@relation n\n@attribute a real\n@attribute c {x,y}\n@data\n")
    return folder


@pytest.fixture
def files(made, tmp_path):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_pictures_of_methods(files, run):
    for arguments, words in (
        (("boundary", "boundary_distance.wct", "--below", "0.3"), "rejected: certainty below 0.3"),
        (("boundary", "leaf_frequency.wct", "--x", "sepal length (cm)", "--row", "71"), "sepal length (cm)"),
        (("intervals", "confdtree.wct", "--node", "2", "--row", "71"), "node 2: petal width (cm) > 0.8"),
        (("routes", "confdtree.wct", "--row", "135"), "alternative routes"),
        (("weights", "shrinkage.wct", "--row", "101"), "petal width (cm) > 1.75"),
    ):  # fmt: skip
        ended = run("plot", *arguments[:2], "iris.arff", *arguments[2:], "-o", "p.svg")
        held = "held: petal length (cm) = 4.8; as in row 71\n" if "sepal length (cm)" in arguments else ""
        assert (ended.code, ended.out, ended.err) == (0, "", held)
        assert words in " ".join(said("p.svg"))
    pdf = run("plot", "boundary", "leaf_frequency.wct", "iris.arff", "-o", "p.pdf")
    assert pdf.code == 0
    content = Path("p.pdf").read_bytes()
    assert b"/Type3" not in content
    assert b"/FontFile2" in content
    (box,) = re.findall(rb"/MediaBox \[([^\]]*)\]", content)
    assert float(box.split()[2]) == pytest.approx(72 * COLUMN)


def test_what_is_drawn_is_what_was_asked_for(files, good, monkeypatch):
    """Without drawing it: the rows of the file, the threshold, and few cells of a method that grows trees for each."""
    drawn = []
    monkeypatch.setattr(pictures.Section, "of", lambda *given, **more: more["n_cells"])
    monkeypatch.setattr(pictures, "plot_boundary", lambda path, cells, **more: drawn.append((path, cells, more)))
    monkeypatch.setattr(pictures, "plot_intervals", lambda *given, **more: drawn.append((given[2], more)))
    train = wc.load_arff("iris.arff").take(slice(0, 150, 10))
    wc.Model(wc.TPCE().fit(wc.grow(train, "info_gain"), train)).save("tpce.wct")
    for model, options in (("iris.wct", ()), ("iris.wct", ("--below", "0.5")), ("tpce.wct", ())):
        good("plot", "boundary", model, "./iris.arff", *options, "-o", "b.svg")
    good("plot", "intervals", "confdtree.wct", "./iris.arff", "--row", "7", "-o", "i.svg")
    *boundaries, (node, intervals) = drawn
    threshold = wc.load("iris.wct").threshold
    assert [(path, cells, more["threshold"]) for path, cells, more in boundaries] == [
        ("b.svg", pictures.CELLS, threshold), ("b.svg", pictures.CELLS, 0.5), ("b.svg", pictures.FEW_CELLS, None),
    ]  # fmt: skip
    assert [len(each["data"]) for each in (*(more for *_, more in boundaries), intervals)] == 4 * [150]
    assert (node, intervals["source"], intervals["marked"][0]) == (0, "iris.arff", "row 7")


def test_intervals_mark_only_the_row_that_is_named(files, run):
    for row, marked in (((), []), (("--row", "71"), ["row 71: 1.8"])):
        ended = run("plot", "intervals", "confdtree.wct", "iris.arff", "--node", "2", *row, "-o", "i.svg")
        assert (ended.code, ended.err) == (0, "")
        assert [text for text in said("i.svg") if text.startswith("row ")] == marked


def test_intervals_tell_training_from_the_rows_of_the_file(files, run):
    wc.save_arff("setosa.arff", wc.load_arff("iris.arff").take(slice(50)))
    for data, has_classes in (("iris.arff", True), ("setosa.arff", True), ("new.csv", False)):
        if not has_classes:
            wc.load_arff("iris.arff").to_pandas().drop(columns="class").to_csv(data, index=False)
        ended = run("plot", "intervals", "confdtree.wct", data, "-o", "i.svg")
        note = "" if has_classes else "new.csv: no row has a class, so no values are drawn\n"
        assert (ended.code, ended.err) == (0, note)
        assert said("i.svg").count("50 in training") == 3
        assert (f"rows of {data}: density and ticks" in said("i.svg")) == has_classes


def test_without_a_row_the_least_certain_is_drawn(files, run):
    data = wc.load_arff("iris.arff")
    method = wc.ConfDTree().fit(wc.CART().grow(data), data)
    least = int(method.certainty(data).argmin()) + 1
    ended = run("plot", "routes", "confdtree.wct", "iris.arff", "-o", "r.svg")
    assert f"row {least} is the least certain; --row draws another" in ended.err
    assert f"decision path of row {least}; answer: " in " ".join(said("r.svg"))


def test_a_row_goes_by_its_name_in_all_pictures(files, good, run):
    rows = "".join(f"P{i},{i},{i * 7 % 10},{'ab'[i > 9]}\n" for i in range(20))
    Path("t.csv").write_text(f"id,x,y,c\n{rows}P3,1,1,a\n")
    for method in ("shrinkage", "confdtree:min_instances=2"):
        good("fit", "t.csv", *CART, "--method", method, "--id", "id", "-d", f"{method[:4]}.wct")
    for kind, model, words in (
        ("boundary", "conf", ""), ("intervals", "conf", "row 8 (P7): 7"), ("routes", "conf", "path of row 8 (P7);"),
        ("weights", "shri", "path of row 8 (P7)"),
    ):  # fmt: skip
        pictures = []
        for row in ("P7", "8"):
            assert good("plot", kind, f"{model}.wct", "t.csv", "--row", row, "-o", "p.svg") == ""
            pictures.append(Path("p.svg").read_bytes())
        assert pictures[0] == pictures[1] and words in " ".join(said("p.svg"))
    Path("named.csv").write_text("id,x,y,c\n" + rows.replace("P0,", "9,"))
    assert good("plot", "routes", "conf.wct", "named.csv", "--row", "9", "-o", "p.svg") == ""
    assert "decision path of row 1 (9);" in " ".join(said("p.svg"))
    for row, message in (
        ("P3", "--row P3: t.csv has several rows of that name; give a number: 4, 21"),
        ("P77", "--row P77: t.csv has rows 1 to 21, none of them named so; did you mean 'P7'?"),
    ):
        assert message in run("plot", "routes", "conf.wct", "t.csv", "--row", row, "-o", "p.svg").err
    assert "row 1 (9) is the least certain" in run("plot", "routes", "conf.wct", "named.csv", "-o", "p.svg").err


def test_missing_values_divide_the_way_of_the_weights(files, run):
    data = wc.load_arff("iris.arff")
    values = data.values[:2].copy()
    values[1, :4] = np.nan
    wc.save_arff("new.arff", wc.Dataset(data.header, values))
    wc.Model(wc.method("shrinkage").fit(wc.grow(data, "J48"), data)).save("j48.wct")
    divided = "missing values divide the instance; drawn is the path of 33.3 % of it\n"
    for row, err in (("1", ""), ("2", divided)):
        ended = run("plot", "weights", "j48.wct", "new.arff", "--row", row, "-o", "w.svg")
        assert (ended.code, ended.err) == (0, err)


def test_pictures_of_a_model(files, good, run):
    """With the instances of a test file, and without one where that makes sense."""
    for arguments in (("boundary",), ("routes", "--row", "3")):
        assert good("plot", arguments[0], "iris.wct", "-T", "iris.arff", *arguments[1:], "-o", "m.svg") == ""
        assert said("m.svg")
    for instances in ((), ("empty.arff",)):
        ended = run("plot", "boundary", "iris.wct", *instances, "-o", "m.svg")
        assert (ended.code, "the attributes that are not on the axes count as missing" in ended.err) == (0, True)
    threshold = wc.load("iris.wct").threshold
    assert f"rejected: certainty below {threshold:.4g}" in said("m.svg")
    ended = run("plot", "routes", "iris.wct", "-o", "m.svg")
    assert ended.code == 2
    assert "iris.wct is a model, which holds no instances; name a file that has some" in ended.err


def test_pictures_of_what_methods_are_worth(files, run):
    """One curve per method, for each data set a file of its own."""
    methods = ("--method", "leaf_frequency", "--method", "m_branch", "-x", "3", *CART)
    for option, words in (("--risk-coverage", "AURC"), ("--calibration", "ECE"), ("--roc", "AUC")):
        assert run("evaluate", "iris.arff", *methods, option, "w.svg").code == 0
        assert sum(words in text for text in said("w.svg")) == 2
    assert "instances of setosa (%)" in said("w.svg")
    assert run("evaluate", "iris.arff", *methods, "--roc", "w.svg", "--of", "virginica").code == 0
    assert "instances of virginica (%)" in said("w.svg")
    assert run("evaluate", "iris.arff", "wine.arff", *methods, "--roc", "w.png").code == 0
    for name in ("w-iris.png", "w-wine.png"):
        with Image.open(name) as image:
            assert image.width == COLUMN * 300


def test_the_class_of_roc_curves_is_checked(files, run, refused):
    assert "--of belongs to --roc" in refused("evaluate", "iris.arff", "--of", "setosa", codes=(2,))
    wanted = ("evaluate", "iris.arff", *CART, "--records", "p.csv", "--roc", "p.svg", "--of")
    for name, further, message in (
        ("rosa", (), "iris.arff: no class 'rosa'; its classes are 'setosa', 'versicolor', 'virginica'"),
        ("setosa", ("--known", "versicolor,virginica"), "iris.arff: a ROC curve needs instances of 'setosa'"),
        ("setosa", ("-T", "roses.arff"), "roses.arff: a ROC curve needs instances of 'setosa'"),
    ):  # before anything is measured
        assert message in refused(*wanted, name, *further, codes=(1,)) and not Path("p.csv").exists()
    ended = run("evaluate", "wine.arff", *wanted[1:], "class_1", "--known", "class_1,class_2")
    assert ended.code == 1 and "left out: iris.arff: no class 'class_1'" in ended.err and Path("p-wine.svg").exists()


def test_a_figure_that_cannot_be_drawn_costs_no_other_file(files, run):
    """Which rows a split tests is known only when they are measured."""
    wanted = ("--split", "149:1", "--records", "p.csv", "--roc", "p.svg", "--of", "setosa")
    ended = run("evaluate", "iris.arff", *CART, *wanted)
    assert ended.code == 1 and "a ROC curve needs instances of 'setosa' and of others" in ended.err
    assert Path("p.csv").exists() and not Path("p.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("boundary", "iris.wct", "-o", "p.gif"), "-o p.gif: expected a name that ends in .png, .pdf or .svg"),
        (("boundary", "iris.wct", "-o", "p"), "p: a figure is a .png, .pdf or .svg file; name it so"),
        (("boundary", "iris.wct", "iris.arff", "--x", "petal", "-o", "p.svg"), "--x: no numeric attribute 'petal'"),
        (("boundary", "iris.wct", "--below", "half", "-o", "p.svg"), "--below expects a certainty, such as 0.5, got"),
        (("boundary", "iris.wct", "--below", "nan", "-o", "p.svg"), "--below must be a number, got nan"),
        (("boundary", "iris.wct", "--below", "25", "-o", "p.svg"), "--below must be a certainty of m_branch, which"),
        (("boundary", "iris.arff", "-o", "p.svg"), "iris.arff: this is data, and 'plot' takes a model"),
        (("boundary", "-o", "p.svg"), "expected MODEL FILE: a model, and the file whose rows are drawn"),
        (("intervals", "iris.wct", "-o", "p.svg"), "m_branch has no intervals; confdtree has"),
        (("routes", "confdtree.wct", "iris.arff", "--row", "151", "-o", "p.svg"), "--row 151: iris.arff has rows 1 to"),
        (("routes", "iris.wct", "-T", "empty.arff", "-o", "p.svg"), "empty.arff: there is no instance to draw"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(files, complaint, arguments, message):
    assert message in complaint("plot", *arguments, told=True)
    assert not Path("p.svg").exists()


# ---- tree -o ----


def test_the_ending_chooses_the_format_of_a_tree(files, good, run):
    for name, form in (("t.txt", "text"), ("t.DOT", "dot"), ("t.json", "json")):
        assert good("tree", "iris.arff", *CART, "--method", "confdtree", "-o", name) == ""
        assert Path(name).read_text() == good("tree", "iris.arff", *CART, "--method", "confdtree", "--format", form)
        assert good("tree", "iris.arff", *CART, "--format", form, "-o", name) == ""
        ended = run("tree", "iris.arff", *CART, "--format", "dot" if form == "text" else "text", "-o", name)
        assert (ended.code, f"contradicts -o {name}; leave one of them out" in ended.err) == (2, True)
    assert len(json.loads(Path("t.json").read_text())["nodes"]) == 7
    assert good("tree", "iris.arff", *CART, "--method", "confdtree", "-o", "t.svg") == ""
    assert "petal width (cm)" in said("t.svg")
    assert any("if not" in text for text in said("t.svg"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "t.gif"), "expected a name that ends in .txt, .dot, .json, .csv, .xlsx, .png, .pdf"),
        (("-o", "t.svg", "--format", "json"), "--format json contradicts -o t.svg"),
        (("--max-depth", "2"), "--max-depth belongs to a figure; give one a name with -o"),
        (("-o", "t.svg", "--learner", "info_gain_bagging"), "a figure shows one tree, not a forest of 3; write it as"),
    ],
)
def test_a_tree_that_cannot_be_written_so(files, complaint, arguments, message):
    assert message in complaint("tree", "iris.arff", *(() if "--learner" in arguments else CART), *arguments)
    assert not Path("t.svg").exists()


def test_the_depth_of_a_picture(files, run):
    ended = run("tree", "iris.arff", *CART, "-o", "t.svg", "--max-depth", "1")
    assert ended.code == 0
    assert sorted(text for text in said("t.svg") if not text.startswith(("<", ">", "("))) == [
        "petal width (cm)", "petal width (cm)", "setosa", "…",
    ]  # fmt: skip
