"""The replication of Tóth and Pataki 2006: its published figures, what is measured, its sentences and drawings."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from reference import toth2006_reference as reference
from sklearn.tree import DecisionTreeClassifier
from support.csv_rows import rows_in
from support.growers import grow_cart
from support.small_data import small
from support.svg_texts import texts_in

import wekaconf as wc
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.evaluation.protocol._splits import splits
from wekaconf.learners.cart import CART
from wekaconf.replication._cells import Cell, published_cells
from wekaconf.replication._runner import pick
from wekaconf.replication._study import Request
from wekaconf.replication.toth2006 import figures, tables
from wekaconf.replication.toth2006.findings import findings
from wekaconf.replication.toth2006.measurement import (
    EXPERIMENTS,
    N_POINTS,
    SHAPES,
    SHARE_WRONG,
    Answered,
    filled,
    plane,
)
from wekaconf.replication.toth2006.study import STUDY

CELLS = {cell.place: cell for cell in published_cells("toth2006")}
RECORDS = Path(__file__).resolve().parents[2] / "docs" / "records" / "toth2006"
SECTION_31, SECTION_32 = ("section 3.1", "figure 10"), ("section 3.2", "figure 12")


@pytest.fixture(scope="module")
def on_planes(jvm):
    """Section 3.1 on one set of each shape; needs no file."""
    return STUDY.run(Request(parts=SECTION_31, runs=1, seed=4))


@pytest.fixture(scope="module")
def on_breast_w(jvm, uci):
    """Section 3.2 with one cross-validation."""
    return STUDY.run(Request(data=(str(uci),), parts=(*SECTION_32, "figure 13"), runs=1))


def ours(results):
    return {cell.published.place: cell for cell in results.cells}


# ---- the published figures ----


def test_the_paper_s_counts_add_up():
    cells = [cell for cell in CELLS.values() if cell.part == "section 3.1"]
    printed = {cell.row: cell.value for cell in cells}
    assert printed["correct"] + printed["wrong"] == printed["points"] == N_POINTS
    assert printed["answered"] + printed["rejected"] == printed["points"]
    assert printed["wrong"] / printed["points"] == SHARE_WRONG
    assert printed["caught of the wrong"] + printed["wrong among the answered"] == printed["wrong"]
    assert {cell.status for cell in cells if cell.column == "2-D data"} == {"no data"}


def test_the_paper_s_figures_follow_from_its_counts_but_for_three():
    found = ours(STUDY.run(Request(parts=("section 3.2", "figure 12", "section 3.1"), sets=("planes",), runs=1)))
    own = {place: cell for place, cell in found.items() if any("own counts" in name for name in place)}
    assert len(own) == 11 and {cell.published.kind for cell in own.values()} == {"arithmetic"}
    differing = {place: round(cell.ours, 2) for place, cell in own.items() if cell.verdict == "differs"}
    assert differing == {
        ("section 3.1", "caught of the wrong (%)", tables.COUNTS_ROW): 90.57,
        ("section 3.1", "error of the answered (%)", tables.COUNTS_ROW): 1.04,
        ("section 3.2", f"{tables.COUNTS_ROW}, experiment 1", "error (%)"): 4.72,
    }
    assert all(cell.remark for cell in own.values() if cell.verdict == "differs")


# ---- synthetic points ----


@pytest.mark.parametrize("shape", SHAPES)
def test_a_plane_is_as_section_3_1_describes_it(shape):
    sets = [plane(shape, seed) for seed in range(20)]
    assert {len(data) for data in sets} == {N_POINTS}
    points = np.concatenate([data.values for data in sets])
    assert points[:, :2].min() >= 0 and points[:, :2].max() < 1
    assert points[:, 2].mean() == pytest.approx(0.5, abs=0.02)
    is_first = SHAPES[shape].is_first(points[:, 0], points[:, 1])
    assert is_first.mean() == pytest.approx(0.5, abs=0.01)
    assert (is_first == points[:, 2]).mean() == pytest.approx(SHARE_WRONG, rel=0.06)
    assert plane(shape, 3) == sets[3]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_length_of_the_boundary(shape):
    """The share of places within a small distance of the boundary, found by rotating around each."""
    random, reach = np.random.default_rng(1), 0.01
    x = random.random((150_000, 2))
    is_first = SHAPES[shape].is_first
    own = is_first(*x.T)
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    crossed = np.zeros(len(x), dtype=bool)
    for step in reach * np.column_stack((np.cos(angles), np.sin(angles))):
        crossed |= is_first(*(x + step).T) != own
    assert crossed.mean() / (2 * reach) == pytest.approx(SHAPES[shape].boundary, rel=0.03)


def test_records_of_planes_by_hand(on_planes):
    data = plane("chess", 4)
    tree = grow_cart(data)
    method = wc.BoundaryDistance().fit(tree, data)
    certainty, is_right = method.certainty(data), tree.predict(data) == data.class_values
    right = np.sort(certainty[is_right])[::-1]
    threshold = right[int(np.ceil(0.76 * len(right))) - 1]
    (record,) = pick(on_planes.records, dataset="chess", rows="training")
    assert record["threshold"] == threshold
    assert record["wrong"] == (~is_right).sum()
    assert record["rejected"] == (certainty < threshold).sum()
    assert record["answered_wrong"] == (~is_right & (certainty >= threshold)).sum()
    new = plane("chess", 10_004)
    (record,) = pick(on_planes.records, dataset="chess", rows="new")
    assert record["wrong"] == (tree.predict(new) != new.class_values).sum()
    assert record["rejected"] == (method.certainty(new) < threshold).sum()


def test_synthetic_points_match_nothing(on_planes):
    found = ours(on_planes)
    of_plane = [cell for place, cell in found.items() if place[2] == "2-D data"]
    assert {cell.verdict for cell in of_plane} == {"no data"}
    training = [record for record in on_planes.records if record["rows"] == "training"]
    wrong, errors = ([record[name] for record in training] for name in ("wrong", "error"))
    assert found["section 3.1", "wrong", "2-D data"].ours == pytest.approx(np.mean(wrong))
    [text] = [each.text for each in on_planes.findings if "synthetic sets the trees err" in each.text]
    new = [record["error_answered"] for record in on_planes.records if record["rows"] == "new"]
    assert f"On 3 synthetic sets the trees err on {np.mean(errors):.1f} %" in text
    assert f"and {np.mean(new):.2f} % on the latter" in text


# ---- breast-w ----


def test_breast_w_on_the_training_rows(on_breast_w):
    found = {
        (r["experiment"][-1], r["choice"]): [
            r[name] for name in ("leaves", "wrong", "rejected", "answered_wrong", "answered")
        ]
        for r in on_breast_w.records
        if r["rows"] == "training"
    }
    assert found == {
        ("1", "rule"): [4, 34, 68, 13, 631],
        ("1", "nearest"): [4, 34, 89, 13, 610],
        ("2", "rule"): [7, 23, 55, 14, 644],
        ("2", "nearest"): [7, 23, 55, 14, 644],
    }
    verdicts = {place: cell.verdict for place, cell in ours(on_breast_w).items()}
    assert verdicts["section 3.2", "experiment 1, threshold", "rejected (%)"] == "differs"
    of_2 = [verdict for (_, row, _), verdict in verdicts.items() if row.startswith("experiment 2")]
    assert of_2 == ["met"] * 4
    assert all(cell.remark for cell in on_breast_w.cells if cell.verdict == "differs")


def test_what_one_seed_measures_on_breast_w_is_committed(on_breast_w):
    rows = [row for row in rows_in(RECORDS / "records.csv.gz") if row["part"] == "section 3.2"]
    committed = [row for row in rows if row["seed"] in ("", "1")]
    for record, row in zip(on_breast_w.records, committed, strict=True):
        measured = {name: "" if (value := record.get(name)) is None else value for name in row}
        expected = {name: type(measured[name])(text) for name, text in row.items()}
        assert measured == pytest.approx(expected)


def test_the_nearest_threshold_meets_what_the_rule_misses(on_breast_w):
    for reading, verdict in (("at-least", "differs"), ("nearest", "met")):
        place = "section 3.2", "experiment 1, threshold", "rejected (%)"
        measured = tables.our_figures(on_breast_w.records, reading)[place]
        assert Cell(CELLS[place], measured).verdict == verdict


def test_only_a_tree_by_entropy_errs_33_times_and_it_rejects_too_few(uci):
    data = filled(wc.load_arff(uci / "breast-w.arff"))
    X, y = np.delete(data.values, data.header.class_index, axis=1), data.class_values
    rejected = {}
    for criterion in ("gini", "entropy"):
        alphas = DecisionTreeClassifier(criterion=criterion).cost_complexity_pruning_path(X, y).ccp_alphas
        for alpha in alphas[alphas > 1e-3] * (1 + 1e-9):
            grown = DecisionTreeClassifier(criterion=criterion, ccp_alpha=alpha, random_state=0).fit(X, y)
            tree = wc.mirror(grown, header=data.header)
            drawn = Answered(data, tree, wc.BoundaryDistance().fit(tree, data))
            is_rejected = drawn.certainty < drawn.threshold(0.9, "nearest")
            facts = criterion, tree.n_leaves, int((~drawn.is_correct).sum())
            rejected[facts] = round(100 * is_rejected.mean(), 1)
    assert {facts: share for facts, share in rejected.items() if facts[2] == 33} == {("entropy", 6, 33): 8.0}
    assert rejected["gini", 4, 34] == 12.7


def test_distances_are_the_paper_s(uci):
    """By the paper's projection rules; CART compares in single precision, so that ε must not be too small."""
    data = filled(wc.load_arff(uci / "breast-w.arff"))
    drawn = Answered.by_tree(data, EXPERIMENTS[0].cart)
    paper = reference.Projection(drawn.tree, epsilon=1e-4)
    rows = np.random.default_rng(1).choice(len(data), 25, replace=False)
    expected = [paper.distance(data.values[row]) for row in rows]
    np.testing.assert_allclose(drawn.certainty[rows], expected, rtol=1e-12)


@pytest.mark.parametrize("keep", [0.3, 0.76, 0.9, 0.99])
def test_the_threshold_of_the_nearest_share(uci, keep):
    drawn = Answered.by_tree(filled(wc.load_arff(uci / "breast-w.arff")), EXPERIMENTS[0].cart)
    right = drawn.certainty[drawn.is_correct]
    kept = {t: (right >= t).mean() for t in np.unique(drawn.certainty)}
    least = min(abs(share - keep) for share in kept.values())
    chosen = drawn.threshold(keep, "nearest")
    assert abs(kept[chosen] - keep) == least
    at_least = drawn.threshold(keep, "rule")
    assert at_least == max(t for t, share in kept.items() if share >= keep)


def test_out_of_fold_by_hand(on_breast_w, uci):
    data = wc.load_arff(uci / "breast-w.arff")
    wrong = rejected = left = 0
    for train_rows, test_rows in splits(data, seed=1):
        fitted = fit_preprocessing(data.take(train_rows), "median")
        drawn = Answered.by_tree(fitted.output, EXPERIMENTS[0].cart)
        test = Answered(fitted.apply(data.take(test_rows)), drawn.tree, drawn.method)
        is_rejected = test.certainty < drawn.threshold(0.9, "rule")
        wrong += (~test.is_correct).sum()
        rejected += is_rejected.sum()
        left += (~test.is_correct & ~is_rejected).sum()
    (record,) = pick(on_breast_w.records, experiment="experiment 1", rows="out-of-fold", choice="rule, training")
    assert [record[name] for name in ("wrong", "rejected", "answered_wrong")] == [wrong, rejected, left]
    texts = [f.text for f in on_breast_w.findings if f.text.startswith("Experiment 1, out of fold")]
    assert len(texts) == 1
    assert f"err on {100 * wrong / 699:.1f} % instead of 4.9 %" in texts[0]
    assert f"leaves {100 * left / (699 - rejected):.1f} % wrong; chosen out of fold" in texts[0]


# ---- parts, sets, drawings ----


def test_parts_and_sets(on_planes, jvm):
    assert {cell.published.part for cell in on_planes.cells} == set(SECTION_31)
    assert set(on_planes.figures) == {f"figure 10 {shape}" for shape in SHAPES}
    found = STUDY.run(Request(quick=True, sets=("planes",)))
    assert found.missing == []
    measured = [(record["dataset"], record["rows"], record["seed"]) for record in found.records]
    assert measured == [(shape, rows, 1) for shape in SHAPES for rows in ("training", "new")]
    assert {name.rpartition(" ")[0] for name in found.figures} == {f"figure {n}" for n in (8, 9, 10, 11)}


def test_a_map_shows_what_the_tree_says_and_how_far_the_boundary_is():
    drawn = figures._answered_plane("wave", 1)
    section = figures.whole_section(drawn)
    row, column = np.random.default_rng(2).integers(0, len(section.predicted), (2, 50))
    points = (np.column_stack((column, row)) + 0.5) / len(section.predicted)
    asked = wc.Dataset(drawn.data.header, np.column_stack((points, np.full(50, np.nan))))
    np.testing.assert_array_equal(section.predicted[row, column], drawn.tree.predict(asked))
    np.testing.assert_array_equal(section.certainty[row, column], drawn.method.certainty(asked))


def test_drawings(tmp_path):
    drawings = figures.figures(1, None)
    for part, words in (
        ("figure 8", "class 2"),
        ("figure 9", "nearest region of another class"),
        ("figure 10", "keeps at least 76 %"),
        ("figure 11", "wrong, answered ("),
    ):
        path = tmp_path / f"{part}.svg"
        drawings[f"{part} chess"](str(path))
        assert words in " ".join(texts_in(path))


def test_errors_by_size(jvm, uci, tmp_path, figures):
    """What trees of 1 to 15 leaves err on the data that they grow on, and in cross-validation; without any record."""
    found = STUDY.run(Request(data=(str(uci),), parts=("figure 2",)))
    assert not found.records and not found.cells and list(found.figures) == ["figure 2"]
    found.figures["figure 2"](str(tmp_path / "sizes.svg"))
    assert "10-fold cross-validation" in texts_in(tmp_path / "sizes.svg")
    [axes] = figures[0].axes
    training, folds = (line.get_xydata() for line in axes.get_lines())
    assert training[:, 0].tolist() == folds[:, 0].tolist() == list(range(1, 16))
    data = filled(wc.load_arff(uci / "breast-w.arff"))
    for n in (1, 4, 15):
        tree = CART(leaves=n).grow(data)
        assert training[n - 1, 1] == pytest.approx(100 * (tree.predict(data) != data.class_values).mean())
        measured = wc.evaluate(data, "leaf_frequency", learner=CART(leaves=n), protocol=wc.Protocol(seed=1))
        assert folds[n - 1, 1] == pytest.approx(100 * (1 - measured.answers[0].is_correct.mean()))
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_ylim()[0]) == ("leaves, at most", "wrong (%)", 0)


def test_a_lane_does_not_reject_a_wrong_answer_at_its_edge():
    """Keeping 76 % of four right answers keeps all, and so each wrong one that is as far from the boundary."""
    data = small(x1=[0.1, 0.4, 0.6, 0.9, 0.4, 0.6], x2=[0.5] * 6, y=["a", "a", "b", "b", "b", "a"])
    weights = np.array([3.0, 3, 3, 3, 1, 1])
    answered = Answered.by_tree(replace(data, weights=weights), CART(leaves=2))
    assert answered.is_correct.tolist() == [True] * 4 + [False] * 2
    [axes] = figures.lane(answered).axes
    names = [text.get_text() for text in axes.figure.legends[0].get_texts()]
    assert [name for name in names if name.startswith("wrong")] == ["wrong, rejected (0)", "wrong, answered (2)"]
    assert len(axes.images) > 0


def test_threshold_curves_are_the_shares_of_answers_with_at_least_that_certainty():
    drawn = figures._answered_plane("chess", 1)
    [axes] = figures.threshold_curves(drawn, keep=0.76, rules=("rule",)).axes
    kept, caught = (line.get_xydata() for line in axes.lines[:2])
    assert kept[:, 0].tolist() == caught[:, 0].tolist() == [0, *np.unique(drawn.certainty)]
    for place, threshold in enumerate(kept[:, 0]):
        is_kept = drawn.certainty >= threshold
        assert kept[place, 1] == pytest.approx(100 * is_kept[drawn.is_correct].mean())
        assert caught[place, 1] == pytest.approx(100 - 100 * is_kept[~drawn.is_correct].mean())
    assert axes.get_xlim() == (0, drawn.certainty.max())
    assert list(axes.lines[-1].get_ydata()) == [76, 76]


def test_threshold_curves_of_breast_w(on_breast_w, tmp_path):
    for part, said_too in (("figure 12", "keeps nearly 90 %: 1.5"), ("figure 13", "keeps at least 93 %: 0.707")):
        path = tmp_path / f"{part}.svg"
        on_breast_w.figures[part](str(path))
        said = texts_in(path)
        assert said_too in said
        assert "wrong answers caught" in said


# ---- what the page says of the seeds ----


def test_the_page_is_right_about_the_trees_that_the_rule_chooses():
    """A dozen trees; without the rows that lack a cell none of the paper's, and fewer than half reject nothing."""
    seeds = rows_in(RECORDS / "records.csv.gz")
    groups = {}
    for row in seeds:
        if row["rows"] == "as described":
            groups.setdefault((row["experiment"], row["missing"], row["prune_by"]), []).append(row)
    assert len(groups) == 8 and {len(group) for group in groups.values()} == {100}
    for (experiment, missing, _), group in groups.items():
        printed = {"experiment 1": "33", "experiment 2": "23"}[experiment]
        n_same, n_none = (
            sum(row[key] == value for row in group) for key, value in (("wrong", printed), ("rejected", "0"))
        )
        if missing == "median":
            assert len({(row["leaves"], row["wrong"]) for row in group}) in (12, 13)
            assert (0 < n_same < 50 < n_none) == (experiment == "experiment 2")
        else:
            assert n_same == 0 and n_none < 50


@pytest.mark.parametrize(("seeds", "told"), [
    ([], "as in the paper."), ([3, 3], "synthetic sets, seed 3 of each shape."),
    ([4, 2], "synthetic sets, seeds 2 to 4 of each shape."),
])  # fmt: skip
def test_the_first_sentence_is_about_all_sections_and_names_the_seeds(seeds, told):
    first = next(findings([{"part": "section 3.1", "seed": seed} for seed in seeds]))
    assert first.part == "" and first.text.endswith(told)
