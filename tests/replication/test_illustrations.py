"""The figures of the papers that illustrate: their commands, and what they show."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.svg_texts import texts_in

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.learners.cart import CART
from wekaconf.replication import papers
from wekaconf.replication._study import Request
from wekaconf.replication.katz2012.illustrations import FINED, ROUTED, example
from wekaconf.replication.papers import PAPERS, check_request, study_of
from wekaconf.replication.toth2006.measurement import Answered, filled, plane

pytestmark = pytest.mark.usefixtures("no_data_of_the_users")

ARFF = str(Path(__file__).parents[2] / "arff")


def drawn(tmp_path, paper, *parts, data=()):
    """The texts of each illustration of some parts, by its name."""
    results = papers.replicate(study_of(paper), Request(parts=parts, data=data))
    assert not results.records and not results.cells
    texts = {}
    for name, draw in results.figures.items():
        path = tmp_path / f"{name}.svg"
        draw(str(path))
        texts[name] = " | ".join(texts_in(path))
    return texts


@pytest.mark.parametrize("paper", PAPERS)
def test_what_illustrates_is_not_measured(paper):
    study = study_of(paper)
    own = papers.illustrations_of(paper)
    parts = papers.parts_of(study)
    assert len(set(parts)) == len(parts)
    for name in own:
        part = " ".join(name.split()[:2])
        assert part in parts and part not in study.parts
        check_request(study, Request(parts=(part,)))
    with pytest.raises(OptionError, match="no figure 99 in"):
        check_request(study, Request(parts=("figure 99",)))


def test_an_illustration_that_cannot_be_written_is_refused_before_its_data_are_read(tmp_path):
    (tmp_path / "iris.arff").write_text("no data")
    results = papers.replicate(study_of("davidsson1996"), Request(parts=("figure 1",), data=(str(tmp_path),)))
    for draw in results.figures.values():
        with pytest.raises(OptionError, match=r"a figure is a \.png, \.pdf or \.svg file"):
            draw(str(tmp_path / "figure.gif"))


def test_the_worked_example_of_katz(tmp_path):
    texts = drawn(tmp_path, "katz2012", *(f"figure {n}" for n in range(1, 6)))
    assert list(texts) == [f"figure {n}" for n in range(1, 6)]
    assert "A (100): [3, 6.5] if assigned" in texts["figure 1"]
    assert "A 1.000" in texts["figure 2"] and "if assigned" not in texts["figure 2"]
    assert "value 9.9" in texts["figure 3"] and "if assigned" in texts["figure 3"]
    assert "C 0.921, A 0.079" in texts["figure 4"] and "weight 0.921" in texts["figure 4"]
    assert "A 0.900, B 0.050, C 0.050" in texts["figure 5"] and "fine of 10 %" in texts["figure 5"]


@pytest.mark.parametrize("deviation", [ROUTED, FINED])
def test_the_tree_of_the_worked_example_is_that_of_its_data(deviation):
    """100 instances of each class, of which 30 of class C lie left of 10; Y in class A is 4.75, within 1.75."""
    tree, train, instance = example(deviation)
    assert tree.split_point[:2].tolist() == [10, 7]
    one_hot = np.eye(3)[train.class_values]
    at_leaf = np.array([one_hot[tree.apply(train) == node].sum(axis=0) for node in range(5)])
    assert at_leaf.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 70], [100, 0, 0], [0, 100, 30]]
    counts = at_leaf.copy()
    counts[1] = at_leaf[3] + at_leaf[4]
    counts[0] = counts[1] + at_leaf[2]
    np.testing.assert_array_equal(tree.class_weight, counts)
    np.testing.assert_array_equal(tree.total, counts.sum(axis=1))
    np.testing.assert_array_equal(tree.branch_class_weight[1:], counts[1:])
    np.testing.assert_array_equal(tree.branch_weight[1:], counts[1:].sum(axis=1))
    assert np.isnan(tree.branch_class_weight[0]).all() and np.isnan(tree.branch_weight[0])
    assert not tree.is_empty.any()
    x, y = ([train.values[train.class_values == c, at] for c in range(3)] for at in (0, 1))
    assert [values.mean() for values in x[:2]] == pytest.approx([4, 3])
    assert [values.std() for values in x] == pytest.approx([0.99, 0.99, 0.99 * deviation], abs=0.01)
    assert [values.mean() for values in y] == pytest.approx([4.75, 12, 12])
    assert [values.std(ddof=1) for values in y] == pytest.approx([1.75 / 2] * 3)
    np.testing.assert_array_equal(instance.values, [[9.9, 4.5, np.nan]])


def test_iris_of_davidsson_and_of_costa(tmp_path, jvm, figures):
    texts = drawn(tmp_path, "davidsson1996", "figure 1", data=(ARFF,))
    iris = wc.load_arff(f"{ARFF}/iris.arff")
    for figure in figures:
        [axes] = figure.axes
        assert [axes.get_xlabel(), axes.get_ylabel()] == [attribute.name for attribute in iris.attributes[2:4]]
        of_class = [line.get_xydata().tolist() for line in axes.get_lines()[1:]]
        assert of_class == [iris.values[iris.class_values == c, 2:4].tolist() for c in range(3)]
    assert list(texts) == ["figure 1 discriminative", "figure 1 characteristic"]
    assert ["rejected" in text for text in texts.values()] == [False, True]
    assert all("versicolor, not learned" in text for text in texts.values())
    texts = drawn(tmp_path, "costa2013", "figure 1", data=(ARFF,))
    assert "decision path of the instance labelled" in texts["figure 1 right-label"]
    assert "labelled versicolor; | answer: versicolor" in texts["figure 1 wrong-label"]


def test_projections_of_toth(tmp_path, figures):
    """Dashed lines from the point to the nearest points of boxes of the other class, and a full one to the nearest."""
    assert "the nearest: the distance" in drawn(tmp_path, "toth2006", "figure 3")["figure 3"]
    [axes] = figures[0].axes
    lines = [line for line in axes.get_lines() if len(line.get_xdata()) == 2]
    point = np.array([0.45, 0.35])
    assert all(np.array_equal(line.get_xydata()[0], point) for line in lines) and len(lines) > 2
    length = [np.linalg.norm(line.get_xydata()[1] - point) for line in lines]
    nearest = [line.get_linestyle() == "-" for line in lines]
    assert nearest.count(True) == 1 and nearest.index(True) == np.argmin(length)

    answered = Answered.by_tree(plane("wave", 1), CART(leaves=8))
    asked = answered.data.take([0])
    row = replace(asked, values=np.array([[*point, 0.0]]))
    method = answered.method
    assert min(length) == pytest.approx(float(method.certainty(row)[0]), rel=1e-12)
    other = method.regions_.class_index != method.predict(row)[0]
    assert len(lines) == other.sum()


def test_sizes_of_trees_of_toth(tmp_path, uci, figures):
    """What trees of 1 to 15 leaves err on the data that they grow on, and in cross-validation."""
    assert "10-fold cross-validation" in drawn(tmp_path, "toth2006", "figure 2", data=(str(uci),))["figure 2"]
    [axes] = figures[0].axes
    training, folds = (line.get_xydata() for line in axes.get_lines())
    assert training[:, 0].tolist() == folds[:, 0].tolist() == list(range(1, 16))
    data = filled(wc.load_arff(uci / "breast-w.arff"))
    for n in (1, 4, 15):
        tree = CART(leaves=n).grow(data)
        assert training[n - 1, 1] == pytest.approx(100 * (tree.predict(data) != data.class_values).mean())
        found = wc.evaluate(data, "leaf_frequency", learner=CART(leaves=n), protocol=wc.Protocol(seed=1))
        assert folds[n - 1, 1] == pytest.approx(100 * (1 - found.answers[0].is_correct.mean()))
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_ylim()[0]) == ("leaves, at most", "wrong (%)", 0)


def test_weights_along_a_path(tmp_path, jvm, uci):
    texts = drawn(tmp_path, "wang2006", "figure 2", data=(str(uci),))["figure 2"]
    assert "uniform | root | " in texts
    assert len(re.findall(r"answered 0\.\d{3}", texts)) == 4


def test_a_missing_data_set_is_told(tmp_path):
    with pytest.raises(OptionError, match=r"expected vehicle\.arff"):
        drawn(tmp_path, "wang2006", "figure 2", data=(str(tmp_path),))


def test_data_that_do_not_show_it_are_refused(tmp_path, jvm):
    """No iris virginica, and a vehicle of one leaf."""
    iris = wc.load_arff(f"{ARFF}/iris.arff")
    wc.save_arff(tmp_path / "iris.arff", iris.take(iris.class_values < 2))
    wc.save_arff(tmp_path / "vehicle.arff", iris.take(iris.class_values == 0))
    with pytest.raises(OptionError, match="no instance is predicted as whatever it is labelled; give the set iris"):
        drawn(tmp_path, "costa2013", "figure 1", data=(str(tmp_path),))
    with pytest.raises(
        OptionError, match="no instance ends at depth 3, as in the paper's figure; give the set vehicle"
    ):
        drawn(tmp_path, "wang2006", "figure 2", data=(str(tmp_path),))


def test_the_command(good, run):
    good("study", "replicate", "katz2012", "--figure", "4", "-o", "out")
    assert {path.name for path in Path("out/katz2012").glob("figure*")} == {
        f"figure-4.{e}" for e in ("png", "pdf", "svg")
    }
    ended = run("study", "replicate", "katz2012", "--figure", "4", "--figure", "5")
    assert "figure 4 and figure 5: drawn if you name a folder with -o" in ended.err
