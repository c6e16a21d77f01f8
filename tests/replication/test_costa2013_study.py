"""The study of Costa, Verwer and Blockeel 2013: what is measured, its summary, and the command that shows it."""

import itertools
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from reference import costa2013_reference as paper
from support.command_line import ARFF
from support.csv_rows import rows_in
from support.growers import grow_info_gain
from support.induction_cases import random_mixed
from support.small_data import small

import wekaconf as wc
from wekaconf.learners.info_gain._learning_set import LearningSet
from wekaconf.replication._cells import published_cells
from wekaconf.replication._study import Request
from wekaconf.replication.costa2013.comparing import Comparison, comparisons, means, methods_of
from wekaconf.replication.costa2013.findings import _word, cells_of, claim, claims, cuts, disagreements
from wekaconf.replication.costa2013.measurement import CONTROLS, MEASURES, METHODS, bagged, measure, prepared
from wekaconf.replication.costa2013.study import (
    ALL_SETS,
    DATA_SETS,
    SELECTIONS,
    STUDY,
    WEKA_SETS,
    _selected,
    draw_rivals,
)
from wekaconf.replication.wang2006.study import data_sets as wang2006_sets

RECORDS = Path(__file__).parents[2] / "docs" / "records" / "costa2013"

# -- what is measured ----------------------------------------------------------------------------------------------


@pytest.mark.one_commit_in(3)
def test_iris_and_wine():
    """The figures that three independent programs agreed on; two processes."""
    with pytest.warns(wc.Note, match=r"\.arff: expected .* got other values"):
        done = STUDY.run(Request(data=(str(ARFF),), sets=("wine", "iris"), parts=("table 1",), runs=2, jobs=2))
    assert (done.missing, done.failed) == ([], {})
    assert [(r["dataset"], r["method"], r["seed"]) for r in done.records] == [
        (name, *of)
        for name in ("wine", "iris")
        for of in (*((method, 1) for method in (*METHODS, *CONTROLS)), ("bagging", 2))
    ]
    found = {(r["dataset"], r["method"]): [r[name] for name in MEASURES] for r in done.records if r["seed"] == 1}
    bags = {(r["dataset"], r["seed"]): r["brier"] for r in done.records if r["method"] == "bagging"}
    assert len(set(bags.values())) == 4
    assert done.cells == []  # of 45 sets two were measured
    assert found["iris", "tpce"] == pytest.approx([0.0338, 0.9775, 0.7324], abs=1e-4)
    assert found["wine", "tpce"] == pytest.approx([0.0498, 0.9907, 0.8505], abs=1e-4)
    assert found["iris", "plain"] == pytest.approx([0.0309, 0.9531, 0.4740], abs=1e-4)
    sizes = {(r["n_instances"], r["n_attributes"], r["n_classes"], tuple(r["dropped"])) for r in done.records}
    assert sizes == {(150, 4, 3, ()), (178, 13, 3, ())}


@pytest.mark.usefixtures("compiled")
@pytest.mark.one_commit_in(3)
def test_starts_no_java(tmp_path):
    """Not even to compare versions with those of finished sets."""
    code = f"""
import sys
from dataclasses import replace
from wekaconf.replication.costa2013.study import STUDY
from wekaconf.replication._study import Request
from wekaconf.replication.wang2006.study import data_sets as wang2006_sets
tables = ("table 1", "table 2", "table 3", "figure 4", "figure 5", "figure 6")
done = STUDY.run(Request(({str(ARFF)!r},), tables, ("wdbc",), runs=1, resume={str(tmp_path / "done")!r}))
print(len(done.records), *[name for name in ("jpype", "javabridge") if name in sys.modules])
print(*done.records[0]["versions"])
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert (ended.stdout, ended.stderr) == (f"{len(METHODS) + len(CONTROLS)}\nwekaconf numpy numba python\n", "")


def test_prepared():
    """Nominal attributes of many values and texts go, and so do instances without a class and classes without any."""
    n = 108
    declared = [f"v{i}" for i in range(30)]
    data = small(
        number=list(range(n)),
        quarter=(declared[:27], ["v0"] * n),
        more=(declared[:28], ["v0"] * n),
        target=(("never", "a", "once", "b"), ["a", None, *["b"] * (n - 5), "once", "a", "b"]),
        weights=[2.0] * n,
    )
    found = prepared(replace(data, is_sparse=np.arange(n) % 2 == 0))
    assert found.sparse_rows.tolist() == [0, *range(1, n - 1, 2)]
    assert [a.name for a in found.attributes] == ["number", "target"]  # 27 values, and 107 / 4 instances
    assert found.class_names == ("a", "once", "b")
    assert found.values[:, 0].tolist() == [0, *range(2, n)]
    assert [found.class_names[c] for c in found.class_values[[0, 1, -3, -2, -1]]] == ["a", "b", "once", "a", "b"]
    assert found.weights.tolist() == [1.0] * (n - 1)
    few = small(numbers=[1.0, 2.0], most=(declared[:25], ["v0", "v1"]), more=(declared[:26], ["v0"] * 2), y=["a", "b"])
    assert [a.name for a in prepared(few).attributes] == ["numbers", "most", "y"]
    whole = small(numbers=[1.0] * n, quarter=(declared[:27], ["v0"] * n), more=(declared[:28], ["v0"] * n),
                  y=["a", "b"] * (n // 2))  # fmt: skip
    assert [a.name for a in prepared(whole).attributes] == ["numbers", "quarter", "y"]


@pytest.mark.parametrize(
    ("columns", "got"),
    [
        ({"x": [1.0, 2.0], "y": (("a", "b"), ["a", "a"])}, "1 and 1"),
        ({"x": ([f"v{i}" for i in range(26)], ["v1", "v2"]), "y": ["a", "b"]}, "2 and 0"),
    ],
    ids=["class", "attributes"],
)
def test_nothing_to_measure(columns, got):
    with pytest.raises(wc.OptionError, match=rf"'small': expected at least 2 classes .* got {got}; leave this data"):
        prepared(small(**columns))


@pytest.mark.parametrize("missing", [0.0, 0.1], ids=["complete", "missing"])
@pytest.mark.parametrize("number", range(4))
def test_bagging_is_that_of_whole_trees(number, missing):
    """Each tree grown in full on a bag of the others, and asked about the instance."""
    data = prepared(random_mixed(number, n=30, missing=missing))
    n = len(data)
    found = bagged(LearningSet.of(data), np.random.default_rng(5))
    draws = np.random.default_rng(5)
    differing = 0
    for x in range(n):
        others = np.delete(np.arange(n), x)
        trees = [grow_info_gain(data.take(others[bag]), "cuts=all")
                 for bag in draws.integers(0, n - 1, (data.n_classes, n - 1))]  # fmt: skip
        answers = [tree.predict_proba(data.take([x]))[0] for tree in trees]
        assert found[x] == pytest.approx(np.mean(answers, axis=0), abs=1e-12)
        differing += not np.allclose(answers, answers[0])
    assert differing > n / 4


ROWS = [
    (5.1, "a", 1), (4.9, "b", 1), (None, "a", 1), (4.6, "c", 1), (5.0, "a", 3), (5.4, None, 1), (4.6, "b", 1),
    (6.0, "b", 2), (6.1, "c", 3), (5.7, "c", 3), (6.3, "b", 2), (5.8, "a", 3), (6.2, "b", 3), (5.6, "c", 3),
    (6.9, "c", 2), (7.1, "b", 2), (6.5, "c", 2), (6.8, "a", 2), (5.9, None, 2), (7.3, "c", 3), (6.7, "b", 2),
]  # fmt: skip


def test_every_figure_is_that_of_the_reference(tmp_path):
    """Methods and measures as transcribed from the paper, on data with everything that has to be dropped."""
    names = ",".join(f"n{i}" for i in range(len(ROWS) + 5))
    lines = [f"{x},{s},n{i},'t{i}',k{k}".replace("None", "?") for i, (x, s, k) in enumerate(ROWS)]
    head = ["@relation d", "@attribute x numeric", "@attribute s {a,b,c,d}", f"@attribute name {{{names}}}",
            "@attribute text string", "@attribute y {k0,k1,k2,k3}", "@data", "5.5,a,n3,'t',?"]  # fmt: skip
    (tmp_path / "d.arff").write_text("\n".join([*head, *lines, ""]))
    found = {record["method"]: record for record in measure("d", str(tmp_path / "d.arff"), seed=3, runs=1)}

    D = [((x, None if s is None else "abcd".index(s)), k - 1, 1) for x, s, k in ROWS]
    actual, labels = [k for _, k, _ in D], [0, 1, 2]
    every, boundary = (paper.Rules((0, 4), 3, cuts) for cuts in ("others", "class-boundary"))
    P = {
        "tpce": paper.tpce_leave_one_out(D, labels, boundary),
        "plain": paper.leave_one_out(D, lambda others, x: paper.plain(others, x, labels, every)),
        "plain_laplace": paper.leave_one_out(D, lambda others, x: paper.plain(others, x, labels, every, smooth=True)),
        "bagging": [],
        "tpce_all": paper.tpce_leave_one_out(D, labels, every),
        "plain_boundary": paper.leave_one_out(D, lambda others, x: paper.plain(others, x, labels, boundary)),
        "plain_laplace_boundary": paper.leave_one_out(
            D, lambda others, x: paper.plain(others, x, labels, boundary, smooth=True)
        ),
    }
    random = np.random.default_rng(3)
    for i, (x, _, _) in enumerate(D):
        others = D[:i] + D[i + 1 :]
        bags = random.integers(0, len(others), (3, len(others))).tolist()
        answers = [paper.plain([others[j] for j in bag], x, labels, every) for bag in bags]
        P["bagging"].append([fmean(column) for column in zip(*answers, strict=True)])
    for method, own in P.items():
        expected = [
            paper.brier(own, actual, labels), paper.auc(own, actual, labels),
            paper.auc_reliability_of(own, actual, labels),
        ]  # fmt: skip
        assert [found[method][name] for name in MEASURES] == pytest.approx(expected, abs=1e-12), method
    rated = paper.leave_one_out(D, lambda others, x: paper.kukar_kononenko(others, x, labels, every))
    own = found.pop("kukar_kononenko")
    assert own["auc_reliability"] == pytest.approx(paper.auc_reliability(*zip(*rated, strict=True), actual), abs=1e-12)
    assert (own["brier"], own["auc"]) == (None, None)
    for record in found.values():
        assert (record["n_instances"], record["n_attributes"], record["n_classes"]) == (len(ROWS), 2, 3)
        assert (record["dropped"], record["protocol"], record["seed"]) == (["name", "text"], "leave-one-out", 3)
    assert found.keys() == P.keys() == {*METHODS[:-1], *CONTROLS}
    assert len({tuple(record[name] for name in MEASURES) for record in found.values()}) > 4


@pytest.mark.one_commit_in(3)
def test_data_sets_are_those_of_the_rule(uci):
    same = {
        "acute-inflammations-urinary": "acute-inflammations-nephritis", "anneal.ORIG": "anneal",
        "bridges_version2": "bridges_version1", "colic.ORIG": "colic", "ecoli3": "ecoli", "pima": "diabetes",
        "heart-statlog": "heart-c", "vertebral-column-3C": "vertebral-column-2C",
    }  # fmt: skip
    expected = []
    for path in sorted(uci.glob("*.arff"), key=lambda path: path.stem.lower()):
        data = wc.load_arff(path)
        n = (data.class_values >= 0).sum()
        in_parts = path.stem.endswith(("_train", "_test"))
        if 100 <= n <= 1000 and len(data.attributes) - 1 <= 100 and not in_parts and path.stem not in same:
            expected.append(path.stem)
    assert sorted(DATA_SETS, key=str.lower) == expected
    assert len(set(DATA_SETS)) == len(DATA_SETS) == 45
    of_wang = [name for name in wang2006_sets() if len(wc.load_arff(uci / f"{name}.arff")) <= 1000]
    assert list(WEKA_SETS) == of_wang
    assert list(SELECTIONS) == ["45 sets", "28 Weka sets"]
    for one, first in same.items():
        assert first in DATA_SETS and first < one
        part, whole = (wc.load_arff(uci / f"{name}.arff") for name in (one, first))
        assert len(part) == len(whole) or one == "heart-statlog"
    part, whole = (wc.load_arff(uci / f"{name}.arff").values for name in ("heart-statlog", "heart-c"))
    both = {tuple(row) for row in part[:, [0, 3, 4, 7]]} & {tuple(row) for row in whole[:, [0, 3, 4, 7]]}
    assert len(both) >= len(part) - 1, (
        "heart-statlog is a part of heart-c, by age, pressure, cholesterol and heart rate"
    )


@pytest.mark.parametrize(
    ("names", "selections", "is_whole"),
    [
        (DATA_SETS, ["45 sets"], True),
        (ALL_SETS, ["45 sets", "28 Weka sets"], True),
        (WEKA_SETS, ["28 Weka sets"], False),
        (DATA_SETS[1:], ["44 sets"], False),
    ],
)
def test_a_selection_counts_once_all_its_sets_are_measured(names, selections, is_whole):
    found, is_first_whole = _selected([{"dataset": name} for name in names])
    assert ([*found], is_first_whole) == (selections, is_whole)
    assert all(len(records) == int(name.split()[0]) for name, records in found.items())


# -- the summary ---------------------------------------------------------------------------------------------------


def recorded(figures):
    """Records of data sets, each a mapping of method to its three figures."""
    return [
        {"dataset": f"set{i}", "method": method, "protocol": "leave-one-out", "seed": 1}
        | dict(zip(MEASURES, (own if method != "kukar_kononenko" else (None, None, own[2])), strict=True))
        for i, by_method in enumerate(figures)
        for method, own in by_method.items()
    ]


def random_figures(n):
    random = np.random.default_rng(0)
    return [{method: random.uniform(0.2, 0.9, 3).tolist() for method in METHODS} for _ in range(n)]


def exact_p(differences):
    """Two-sided: over all signs of the ranks, how often the sum is as far from its mean."""
    order = sorted(map(abs, differences))
    ranks = [order.index(abs(d)) + 1 for d in differences]
    found = sum(rank for rank, d in zip(ranks, differences, strict=True) if d > 0)
    sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product((0, 1), repeat=len(ranks))]
    middle = sum(ranks) / 2
    return sum(abs(s - middle) >= abs(found - middle) for s in sums) / len(sums)


def normal_p(differences):
    """Two-sided by the normal approximation: mean ranks of ties, the variance corrected for them, zeros left out."""
    differences = [d for d in differences if d != 0]
    n, sizes = len(differences), [abs(d) for d in differences]
    ranks = [sum(b < a for b in sizes) + (sizes.count(a) + 1) / 2 for a in sizes]
    plus = sum(rank for rank, d in zip(ranks, differences, strict=True) if d > 0)
    ties = sum(sizes.count(a) ** 3 - sizes.count(a) for a in set(sizes))
    z = (plus - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48)
    return math.erfc(abs(z) / math.sqrt(2))


def test_wins_ties_losses_and_p_are_the_literal_ones():
    figures = random_figures(12)
    found = comparisons(recorded(figures))
    assert [(one.measure, one.rival) for one in found] == [
        (name, rival) for name in MEASURES for rival in methods_of(name)[1:]
    ]
    assert len(found) == 10
    for one in found:
        at, sign = MEASURES.index(one.measure), -1 if one.measure == "brier" else 1
        differences = [sign * (own["tpce"][at] - own[one.rival][at]) for own in figures]
        assert one.wins == sum(d > 0 for d in differences)
        assert (one.ties, one.losses) == (0, 12 - one.wins)
        assert one.p == pytest.approx(exact_p(differences), abs=1e-12)
        assert one.difference == pytest.approx(fmean(differences), abs=1e-8)
        assert one.low < one.difference < one.high
    by_p = sorted(found, key=lambda one: one.p)
    assert by_p[0].corrected == pytest.approx(min(10 * by_p[0].p, 1))
    assert by_p[-1].corrected == max(one.corrected for one in found)


def test_ties_and_undefined_figures():
    """A tie is what agrees to nine decimals; a set counts where both have a figure."""
    figures = random_figures(48)
    for own in figures[:5]:
        own["plain"][1] = own["tpce"][1] + 4e-10
    for own in figures[5:10]:
        own["plain"][1] = own["tpce"][1] + 0.125
    figures[20]["tpce"][2] = None
    figures[21]["bagging"][2] = None
    records = recorded(figures)
    by = {(one.measure, one.rival): one for one in comparisons(records)}
    auc = by["auc", "plain"]
    gains = [0.0] * 5 + [-0.125] * 5 + [own["tpce"][1] - own["plain"][1] for own in figures[10:]]
    assert (auc.wins, auc.ties, auc.losses) == (sum(g > 0 for g in gains), 5, sum(g < 0 for g in gains))
    assert auc.p == pytest.approx(normal_p(gains), abs=1e-12)
    sizes = [by["auc_reliability", rival] for rival in ("plain", "bagging")]
    assert [one.wins + one.ties + one.losses for one in sizes] == [47, 46]
    n, mean = means(records, "auc_reliability")
    assert n == 46
    assert mean["plain"] == pytest.approx(fmean(figures[i]["plain"][2] for i in range(48) if i not in (20, 21)))
    assert means(records, "brier")[0] == 48
    assert list(means(records, "auc")[1]) == ["tpce", "plain", "plain_laplace", "bagging"]


def test_no_figure_at_all():
    nothing = comparisons(recorded([dict.fromkeys(METHODS, (None,) * 3)]))
    assert {(one.wins, one.ties, one.losses) for one in nothing} == {(0, 0, 0)}
    assert all(math.isnan(one.p) and one.sign(0.05) == 0 for one in nothing)
    assert means(recorded([dict.fromkeys(METHODS, (None,) * 3)]), "auc") == (0, {})


def test_what_is_drawn_once_stands_beside_every_seed():
    """Bagging of the second seed is compared with TPCE, which has none of its own."""
    figures = random_figures(12)
    records = recorded(figures)
    again = [record | {"seed": 2, "auc": record["auc"] - 0.2} for record in records if record["method"] == "bagging"]
    by = {(one.measure, one.rival, one.seed): one for one in comparisons([*records, *again])}
    assert len(by) == 20
    assert by["auc", "bagging", 2].difference == pytest.approx(by["auc", "bagging", 1].difference + 0.2)
    assert by["brier", "plain", 2].p == by["brier", "plain", 1].p


def test_published_figures():
    """Each of them, as the paper prints them in Tables 1 to 3."""
    printed = {cell.place: cell.value for cell in published_cells("costa2013")}
    means_of = {place[0]: 0.0 for place in printed if place[2] == "average"}
    for place, value in printed.items():
        if place[2] == "average":
            means_of[place[0]] += value
    assert {part: round(total, 4) for part, total in means_of.items()} == {
        "table 1": 0.292, "table 2": 2.531, "table 3": 2.8984,
    }  # fmt: skip
    triples = [value for place, value in printed.items() if place[2].startswith("wins")]
    assert {sum(triple) for triple in triples} == {48}
    assert [sum(column) for column in zip(*triples, strict=True)] == [228, 10, 98]
    assert sum(value == "<0.0001" for value in printed.values()) == 4


def test_ours_stand_at_the_places_of_the_paper():
    records = recorded(random_figures(46))
    places = {place for part in ("table 1", "table 2", "table 3") for place in cells_of(part, records)}
    assert places == {cell.place for cell in published_cells("costa2013") if cell.part.startswith("table")}


def test_sets_without_a_figure_are_not_counted_as_compared():
    """The printed number of sets is the sum of wins, ties and losses."""
    records = recorded(random_figures(46))
    whole = claims("table 3", {"46 sets": records})
    assert all(" on 46 sets " in each.text for each in whole)
    lost = next(record for record in records if record["method"] == "tpce")
    some = [record | {"auc_reliability": None} if record is lost else record for record in records]
    for each in claims("table 3", {"46 sets": some}):
        assert " on 45 of the 46 sets " in each.text
        [triple] = re.findall(r"(\d+)/(\d+)/(\d+)", each.text)
        assert sum(map(int, triple)) == 45


def test_each_rival_has_a_panel(monkeypatch):
    """A dot per data set where both have a figure: the rival's across, TPCE's upwards."""
    drawn = []
    monkeypatch.setattr("wekaconf.base.plot_style.save", lambda path, draw: drawn.append(draw()))
    figures = random_figures(4)
    figures[1]["tpce"] = None, None, None
    draw_rivals("auc.svg", recorded(figures), number=5, measure="auc")
    compared, auc = [figures[i] for i in (0, 2, 3)], MEASURES.index("auc")
    for panel, rival in zip(drawn[0].axes, methods_of("auc")[1:], strict=True):
        *spans, dots, _ = panel.lines
        assert dots.get_xdata().tolist() == [of[rival][auc] for of in compared]
        assert dots.get_ydata().tolist() == [of["tpce"][auc] for of in compared]
        assert [span.get_xdata().tolist() for span in spans] == [[of[rival][auc]] * 2 for of in compared]
    shown = [of[method][auc] for of in figures for method in methods_of("auc") if of[method][auc] is not None]
    low, high = min(shown), max(shown)
    assert panel.get_xlim() == pytest.approx((low - 0.05 * (high - low), high + 0.05 * (high - low)))


def test_laplace_and_cuts_are_taken_apart():
    """In the means, with the same cuts for all three; no share where TPCE has no advantage."""
    first = {"tpce": (0.1, 0.9, 0.5), "plain": (0.2, 0.7, 0.5), "plain_laplace": (0.16, 0.85, 0.6),
             "tpce_all": (0.12, 0.8, 0.5), "plain_boundary": (0.18, 0.8, 0.5),
             "plain_laplace_boundary": (0.12, 0.85, 0.6)}  # fmt: skip
    second = {method: tuple(figure + 0.1 for figure in own) for method, own in first.items()}
    rest = dict.fromkeys(("bagging", "kukar_kononenko"), (0.1, 0.5, 0.5))
    selections = {"2 sets": recorded([first | rest, second | rest]), "no set": recorded([rest])}
    told = {}
    for part in ("table 1", "table 2", "table 3"):
        table, sentences = cuts(part, selections)
        told[part] = sentences[0].text
        assert len(sentences) == 3 and [*table.rows] == ["2 sets: class-boundary", "2 sets: all"]
    assert told["table 1"] == (
        "Brier score, means of 2 sets. Cuts class-boundary: plain 0.230, Laplace 0.170, TPCE 0.150; Laplace alone has "
        "75 % of TPCE's advantage. Cuts all: plain 0.250, Laplace 0.210, TPCE 0.170; Laplace alone has 50 % of TPCE's "
        "advantage. In the paper's pairing, cuts class-boundary for TPCE and all for the plain tree, TPCE gains "
        "+0.100; the plain tree gains +0.020 by TPCE's cuts alone, +0.040 by Laplace's correction alone."
    )
    assert "Laplace alone has 50 % of TPCE's advantage. Cuts all" in told["table 2"]
    assert told["table 3"].count("TPCE has no advantage over plain") == 2


def test_an_interval_and_ranks_that_disagree_are_named():
    """A few large gains against many small losses: the mean is up, the ranks are not."""
    figures = random_figures(12)
    for i, own in enumerate(figures):
        own["plain"][0] = own["tpce"][0] + (0.5 + i / 100 if i < 5 else -0.001)
        own["plain_laplace"][0] = own["bagging"][0] = own["tpce"][0] + 0.1 + i / 100
    [finding] = disagreements("table 1", {"12 sets": recorded(figures)})
    assert "against the plain tree on 12 sets: mean +0.21" in finding.text and "5 wins, 7 losses" in finding.text
    assert "Laplace" not in finding.text and "bagging" not in finding.text
    for same in ("bagging", "tpce"):
        agreeing = [own | {"plain": own[same]} for own in figures]
        assert disagreements("table 1", {"12 sets": recorded(agreeing)}) == []


@pytest.mark.parametrize(
    ("corrected", "difference", "words"),
    [
        ([0.01], [0.1], "significantly better (30/1/15, p = 0.01, corrected = 0.01)"),
        ([0.05], [-0.1], "significantly worse (30/1/15, p = 0.01, corrected = 0.05)"),
        ([0.06], [0.1], "not significantly different (30/1/15, p = 0.01, corrected = 0.06)"),
        ([0.0502], [0.1], "not significantly different (30/1/15, p = 0.01, corrected = 0.0502)"),
        ([0.2, 0.9], [0.1, -0.1],
         "not significantly different with any of 2 seeds (30 wins, corrected p 0.2 to 0.9)"),
        ([0.999, 1.0], [0.1, -0.1], "not significantly different with any of 2 seeds (30 wins, corrected p 1)"),
        ([0.01, 0.9, 0.02], [0.1, -0.1, -0.1],
         "significantly better with 1 and worse with 1 of 3 seeds (30 wins, corrected p 0.01 to 0.9)"),
    ],
)  # fmt: skip
def test_significant_is_what_the_correction_leaves(corrected, difference, words):
    found = [
        Comparison("auc", "bagging", seed, 30, 1, 15, 0.0, 0.0, 0.0, gain, 0.01, p)
        for seed, (p, gain) in enumerate(zip(corrected, difference, strict=True))
    ]
    assert claim(found) == words


# -- Section 5 -----------------------------------------------------------------------------------------------------


def test_batches(jvm, tmp_path):
    """One batch per fold: other answers with another seed, and the figure is drawn."""
    asked = Request(data=(str(ARFF),), sets=("wine",), parts=("section 5", "figure 5"), runs=2)
    with pytest.warns(wc.Note, match=r"wine\.arff: expected wine"):
        found = STUDY.run(asked)
    auc = {(r["method"], r["seed"]): r["auc"] for r in found.records if r["protocol"].startswith("10-fold")}
    assert len(auc) == 8 and auc["tpce_batch", 1] != auc["tpce_batch", 2]
    data = prepared(wc.load_arff(ARFF / "wine.arff"))
    protocol = wc.Protocol(folds=10, seed=2)
    expected = {
        ("tpce_batch", 2): ("tpce:batch=true,seed=2,cuts=class-boundary", "info_gain", "cuts=all"),
        ("plain_laplace", 2): ("leaf_frequency:laplace=true", "info_gain", "cuts=all"),
        ("bagging", 2): ("leaf_frequency", "info_gain_bagging", "cuts=all bags=k seed=2"),
    }
    for place, (method, learner, options) in expected.items():
        [(record, _)] = wc.evaluate(data, method, protocol=protocol, learner=learner, options=options)
        assert auc[place] == record["pooled"]["auc_mean"]
    assert [cell.verdict for cell in found.cells] == ["no data"] * 2
    found.figures["figure 5"](tmp_path / "figure.svg")
    assert "Costa et al. 2013, Figure 5" in (tmp_path / "figure.svg").read_text()


@pytest.mark.parametrize(
    ("gains", "word"),
    [
        ([0.1, 0.2], "better"),
        ([0.0, 0.2], "not clear"),
        ([-0.1, 0.2], "not clear"),
        ([-0.1, 0.0], "not clear"),
        ([-0.1, -0.2], "worse"),
    ],
)
def test_a_direction_has_no_exception(gains, word):
    assert _word(gains) == word


def test_the_direction_of_batches_is_that_of_all_selections_and_seeds():
    """Published: slightly worse than bagging; ours is above it on some selections and seeds, and below on others."""
    gains = {rival: [] for rival in ("plain", "bagging")}
    for row in rows_in(RECORDS / "beside.csv"):
        if row["title"].startswith("TPCE in batches") and row["column"] == "advantage":
            for rival, of_rival in gains.items():
                if f": {rival}, seed" in row["row"]:
                    of_rival.append(float(row["ours"]))
    assert {rival: (min(own) > 0, max(own) > 0, len(own)) for rival, own in gains.items()} == {
        "plain": (True, True, 10), "bagging": (False, True, 10),
    }  # fmt: skip
    words = {row["column"]: row["ours"] for row in rows_in(RECORDS / "cells.csv") if row["part"] == "section 5"}
    assert words == {"AUC against a standard tree": "better", "AUC against bagging": "not clear"}


def test_the_headline_is_that_of_the_records():
    """Most of TPCE's advantage is Laplace's, in every measure, selection and rule of cuts; cuts alone have little."""
    rows = rows_in(RECORDS / "records.csv.gz")
    figures = {(row["dataset"], row["method"]): row for row in rows if row["protocol"] == "leave-one-out"
               if row["seed"] == "1"}  # fmt: skip
    text = (RECORDS / "findings.txt").read_text("utf-8")
    for selection, sets in SELECTIONS.items():
        for name_of_measure, sign in (("brier", -1), ("auc", 1), ("auc_reliability", 1)):
            methods = ("plain", "plain_laplace", "tpce_all", "plain_boundary", "plain_laplace_boundary", "tpce")
            known = [name for name in sets if all(figures[name, method][name_of_measure] for method in methods)]
            mean = {
                method: sign * fmean(float(figures[name, method][name_of_measure]) for name in known)
                for method in methods
            }
            for plain, laplace, tpce in (methods[:3], methods[3:]):
                share = (mean[laplace] - mean[plain]) / (mean[tpce] - mean[plain])
                assert share > (0.9 if name_of_measure == "brier" else 0.7)
                assert f"Laplace alone has {100 * share:.0f} % of TPCE's advantage (" in text
                value = {(name, method): sign * float(figures[name, method][name_of_measure])
                         for name in known for method in (plain, laplace, tpce)}  # fmt: skip
                gains = np.array(
                    [[value[name, method] - value[name, plain] for method in (laplace, tpce)] for name in known]
                )
                picks = np.random.default_rng(7).integers(0, len(known), (10_000, len(known)))
                part, whole = gains[picks].mean(axis=1).T
                if np.quantile(whole, 0.025) <= 0:
                    assert f"{100 * share:.0f} % of TPCE's advantage (which may itself be 0)" in text
                else:
                    told = re.search(
                        rf"{100 * share:.0f} % of TPCE's advantage \(95 % interval (\d+) to (\d+) %\)", text
                    )
                    expected = 100 * np.quantile(part / whole, (0.025, 0.975))
                    assert [float(end) for end in told.groups()] == pytest.approx(expected, rel=0.1)
            assert abs(mean["plain_boundary"] - mean["plain"]) < 0.1 * (mean["tpce"] - mean["plain"])
            gain = f"TPCE gains {mean['tpce'] - mean['plain']:+.3f}; the plain tree gains "
            assert gain + f"{mean['plain_boundary'] - mean['plain']:+z.3f} by TPCE's cuts alone" in text, selection
