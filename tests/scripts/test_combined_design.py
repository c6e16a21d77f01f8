"""The script that combines methods on the design half: its forms, what counts, and that it goes on."""

import sys
from pathlib import Path

import combined_design
import numpy as np
import pytest
from combining import records, sides
from combining.forms import FORMS, mid_ranks
from combining.schemes import LAPLACE, Split, counted, path
from combining.sides import METHODS, Sides, asked, is_design, measured

import wekaconf as wc
from wekaconf.data.folds import fold_numbers


def load(name):
    return wc.load_arff(Path(__file__).parents[2] / "arff" / f"{name}.arff")


def drawn_sides(seed, n=200, n_test=100):
    """Sides of which the third and the sixth know something of whether the tree is right."""
    rng = np.random.default_rng(seed)

    def draw(size):
        right = rng.random(size) < 0.7
        values = rng.random((*size, len(METHODS)))
        values[..., 2] = np.where(right, values[..., 2] ** 0.2, values[..., 2])
        values[..., 5] = np.where(right, values[..., 5] ** 0.5, values[..., 5])
        return values, right

    inner, inner_right = draw((sides.N_REPETITIONS, n))
    outer, outer_right = draw((n_test,))
    return Sides(inner, inner_right, outer, outer_right, rng.random(n_test))


def test_the_halves_do_not_depend_on_this_code():
    assert is_design("iris") and is_design("heart-c")
    assert not is_design("vote") and not is_design("weather.nominal")


@pytest.mark.parametrize("seed", range(6))
def test_mid_ranks_are_counted(seed):
    rng = np.random.default_rng(seed)
    known, values = rng.integers(0, 6, (15, 3)) / 5, rng.integers(-1, 8, (9, 3)) / 5
    known[0, 0] = values[0, 0] = np.inf
    literal = [
        [(np.sum(known[:, c] < row[c]) + np.sum(known[:, c] == row[c]) / 2) / len(known) for c in range(3)]
        for row in values
    ]
    assert mid_ranks(known, values).tolist() == pytest.approx(np.array(literal), rel=0, abs=1e-15)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(4))
def test_forms_are_finite_and_keep_the_order(form, seed):
    rng = np.random.default_rng(seed)
    known = np.column_stack((rng.random(40), rng.exponential(3, 40)))
    known[:3, 1] = np.inf, 0, np.inf
    known[:3, 0] = 0, 1, 1
    values = np.sort(np.vstack((known, [[0, 0], [1, np.inf]])), axis=0)
    scaled = FORMS[form](known, values)
    assert np.isfinite(scaled).all() and (np.diff(scaled, axis=0) >= 0).all()
    assert (scaled[-1] > scaled[0]).all()


def test_sides_come_from_trees_that_grew_without_the_row():
    iris = load("iris")
    found = measured(iris, 1)
    order = np.random.default_rng(1).permutation(150)
    train, test = iris.take(order[:100]), iris.take(order[100:])
    fold = fold_numbers(train, 10, np.random.default_rng((1, 2)))
    rows = fold == 3
    tree = wc.J48().grow(train.take(~rows))
    assert (found.inner_right[2, rows] == (tree.predict(train.take(rows)) == train.class_values[rows])).all()
    distance = wc.BoundaryDistance(scaling="minmax").fit(tree, train.take(~rows))
    column = METHODS.index("boundary_distance:scaling=minmax")
    assert found.inner[2, rows, column].tolist() == distance.certainty(train.take(rows)).tolist()
    predicted = wc.J48().grow(train).predict(test)
    forest = wc.RandomForest().grow(train).predict_proba(test)
    assert found.forest.tolist() == forest[np.arange(50), predicted].tolist()
    assert found.outer_right.tolist() == (predicted == test.class_values).tolist()


def test_a_side_is_the_probability_of_the_class_that_the_tree_predicts():
    """Also where the method itself would predict another."""
    data = load("credit-g")
    train, test = data.take(slice(0, 120)), data.take(slice(120, 400))
    tree = wc.J48().grow(train)
    found, _, predicted = asked(tree, train, test)
    other = wc.Curtailment().fit(tree, train).answer(test)
    assert (other.predicted != predicted).any()
    assert found[:, METHODS.index("curtailment")].tolist() == other.proba[np.arange(280), predicted].tolist()


@pytest.mark.parametrize("learner", ["REPTree", "CART nominal=one_hot"])
def test_laplace_s_correction_of_other_trees(learner):
    """It is that of the rows that reach the leaf."""
    iris = load("iris")
    found = measured(iris, 1, learner, 1)
    assert found.inner.shape == (1, 100, len(METHODS)) and np.isfinite(found.inner[:, :, LAPLACE]).all()
    order = np.random.default_rng(1).permutation(150)
    train, test = iris.take(order[:100]), iris.take(order[100:])
    tree = wc.grow(train, learner)
    leaf = tree.apply(test)
    for i, c in enumerate(tree.predict(test)):
        classes = train.class_values[tree.apply(train) == leaf[i]]
        assert found.outer[i, LAPLACE] == pytest.approx((np.sum(classes == c) + 1) / (len(classes) + 3), abs=1e-12)


def test_what_knows_most_is_left_out_last():
    by_set = {str(seed): [Split(drawn_sides(seed))] for seed in range(3)}
    left_out = path(by_set)
    assert left_out[-1] == METHODS[5] and set(METHODS).difference(left_out) == {METHODS[2]}


@pytest.mark.parametrize(("n_wrong", "is_poor"), [(5, False), (4, True), (195, False), (196, True)])
def test_with_little_to_learn_laplace_stands_in(n_wrong, is_poor):
    found = drawn_sides(1)
    found.inner_right[0] = np.arange(200) >= n_wrong
    split = Split(found)
    assert split.is_poor == is_poor
    assert (split.combined(METHODS) == found.outer[:, LAPLACE]).all() == is_poor
    assert (split.isotonic() == found.outer[:, LAPLACE]).all() == is_poor


def test_few_rows_are_little_to_learn_from():
    assert Split(drawn_sides(1, n=29)).is_poor and not Split(drawn_sides(1, n=30)).is_poor


@pytest.mark.parametrize(("n_wrong", "n_counted"), [((3, 3, 3), 3), ((3, 2, 3), 2), ((2, 2, 3), 0), ((98, 97, 97), 2)])
def test_splits_and_sets_that_count(n_wrong, n_counted):
    splits = []
    for seed, n in enumerate(n_wrong):
        found = drawn_sides(seed)
        found.outer_right[:] = np.arange(100) >= n
        splits.append(Split(found))
    assert len(counted(splits)) == n_counted


def test_it_goes_on_where_it_was(tmp_path, monkeypatch):
    """A second run measures nothing and writes the same records; the pages can be made of them."""
    iris = load("iris")
    folder, kept = tmp_path / "sets", tmp_path / "sides"
    folder.mkdir()
    for name in ("iris", "vote", "sick"):  # of the other half, and one that holds instances of another set
        wc.save_arff(folder / f"{name}.arff", iris)
    monkeypatch.setenv("WEKACONF_UCI", str(folder))
    monkeypatch.setattr(records, "RECORDS", tmp_path / "records.csv.gz")
    monkeypatch.setattr(combined_design, "MOST_ROWS", {"J48": 150, "REPTree": 149})
    monkeypatch.setattr(sys, "argv", ["combined_design.py", "--sides", str(kept)])
    combined_design.main()
    written = records.RECORDS.read_bytes()
    assert sorted(path.name for path in kept.iterdir()) == [f"J48 iris {i}.npz" for i in (1, 2, 3)]
    (kept / "J48 iris 2.npz").unlink()
    times = {path: path.stat().st_mtime_ns for path in kept.iterdir()}
    combined_design.main()
    assert records.RECORDS.read_bytes() == written
    assert {path: path.stat().st_mtime_ns for path in times} == times and len([*kept.iterdir()]) == 3
    found = records.read()
    assert {(row["learner"], row["data_set"]) for row in found} == {("J48", "iris")}
    leaf = [row for row in found if row["kind"] == "single" and row["scheme"] == "leaf_frequency"]
    by_hand = [Sides.load(kept / f"J48 iris {seed}.npz") for seed in (1, 2, 3)]
    by_hand = [one for one in by_hand if min(one.outer_right.sum(), (~one.outer_right).sum()) >= 3]
    pairs = [
        np.mean([(a > b) + (a == b) / 2 for a in one.outer[one.outer_right, 0] for b in one.outer[~one.outer_right, 0]])
        for one in by_hand
    ]
    assert float(leaf[0]["auroc"]) == pytest.approx(np.mean(pairs), abs=1e-5)
