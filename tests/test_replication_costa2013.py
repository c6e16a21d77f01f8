"""The study of Costa, Verwer and Blockeel 2013: what is measured, its summary, and the command that shows it."""

import csv
import itertools
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from growers import grow_info_gain
from induction_cases import random_mixed
from reference import costa2013_reference as paper
from small_data import small

import wekaconf as wc
from wekaconf.cli import commands as cli
from wekaconf.learners.info_gain.learning_set import LearningSet
from wekaconf.replication.costa2013.study import DATA_SETS, MEASURES, METHODS, bagged, measure, prepared, replicate
from wekaconf.replication.costa2013.tables import (
    PUBLISHED_COMPARISONS,
    PUBLISHED_MEANS,
    comparisons,
    finding,
    means,
    methods_of,
    print_tables,
    wilcoxon,
)

ARFF = Path(__file__).parents[1] / "arff"


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Runs ``wekaconf replicate costa2013`` in this process, in a folder of its own: exit code, output, messages."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["wekaconf", "replicate", "costa2013", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.run()
        return (ended.value.code, *capsys.readouterr())

    return run


# -- what is measured ----------------------------------------------------------------------------------------------


def test_iris_and_wine():
    """The figures that three independent programs agreed on; two processes."""
    done = replicate(ARFF, sets=["wine", "iris"], jobs=2)
    assert (done.missing, done.failed) == ([], {})
    assert [(r["dataset"], r["method"]) for r in done.records] == list(itertools.product(("wine", "iris"), METHODS))
    found = {(r["dataset"], r["method"]): [r[name] for name in MEASURES] for r in done.records}
    assert found["iris", "tpce"] == pytest.approx([0.0338, 0.9775, 0.7324], abs=1e-4)
    assert found["wine", "tpce"] == pytest.approx([0.0498, 0.9907, 0.8505], abs=1e-4)
    assert found["iris", "plain"] == pytest.approx([0.0309, 0.9531, 0.4740], abs=1e-4)
    sizes = {(r["n_instances"], r["n_attributes"], r["n_classes"], tuple(r["dropped"])) for r in done.records}
    assert sizes == {(150, 4, 3, ()), (178, 13, 3, ())}


@pytest.mark.usefixtures("compiled")
def test_starts_no_java(tmp_path):
    """Not even to compare versions with those of finished sets."""
    code = f"""
import sys
from wekaconf.replication.costa2013.study import replicate
done = replicate({str(ARFF)!r}, sets=["iris"], resume={str(tmp_path / "s")!r})
print(len(done.records), *[name for name in ("jpype", "javabridge") if name in sys.modules])
print(*done.records[0]["versions"])
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert (ended.stdout, ended.stderr) == (f"{len(METHODS)}\nwekaconf numpy numba python\n", "")


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
    found = prepared(data)
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
    found = {record["method"]: record for record in measure("d", str(tmp_path / "d.arff"), seed=3)}

    D = [((x, None if s is None else "abcd".index(s)), k - 1, 1) for x, s, k in ROWS]
    actual, labels = [k for _, k, _ in D], [0, 1, 2]
    every, boundary = (paper.Rules((0, 4), 3, cuts) for cuts in ("others", "class-boundary"))
    P = {
        "tpce": paper.tpce_leave_one_out(D, labels, boundary),
        "plain": paper.leave_one_out(D, lambda others, x: paper.plain(others, x, labels, every)),
        "plain_laplace": paper.leave_one_out(D, lambda others, x: paper.plain(others, x, labels, every, smooth=True)),
        "bagging": [],
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
    assert len({tuple(record[name] for name in MEASURES) for record in found.values()}) == 4


def test_data_sets_are_those_of_the_rule(uci):
    same = {
        "acute-inflammations-urinary": "acute-inflammations-nephritis", "anneal.ORIG": "anneal",
        "bridges_version2": "bridges_version1", "colic.ORIG": "colic", "ecoli3": "ecoli", "pima": "diabetes",
        "vertebral-column-3C": "vertebral-column-2C",
    }  # fmt: skip
    expected = []
    for path in sorted(uci.glob("*.arff"), key=lambda path: path.stem.lower()):
        data = wc.load_arff(path)
        n = (data.class_values >= 0).sum()
        in_parts = path.stem.endswith(("_train", "_test"))
        if 100 <= n <= 1000 and len(data.attributes) - 1 <= 100 and not in_parts and path.stem not in same:
            expected.append(path.stem)
    assert sorted(DATA_SETS, key=str.lower) == expected
    assert len(set(DATA_SETS)) == len(DATA_SETS) >= 46
    for one, first in same.items():
        assert first in DATA_SETS and first < one
        assert len(wc.load_arff(uci / f"{one}.arff")) == len(wc.load_arff(uci / f"{first}.arff"))


# -- the summary ---------------------------------------------------------------------------------------------------


def recorded(figures):
    """Records of data sets, each a mapping of method to its three figures."""
    return [
        {"dataset": f"set{i}", "method": method, "protocol": "leave-one-out", "seed": 1}
        | dict(zip(MEASURES, (own if method != "kukar_kononenko" else (None, None, own[2])), strict=True))
        for i, by_method in enumerate(figures)
        for method, own in by_method.items()
    ]


def random_figures(n, seed=0):
    random = np.random.default_rng(seed)
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
        assert one.percent_won == pytest.approx(100 * one.wins / 12)
        assert one.p == pytest.approx(exact_p(differences), abs=1e-12)


def test_ties_and_undefined_figures():
    """A tie is what agrees to nine decimals; a set counts where both have a figure."""
    figures = random_figures(48)
    for own in figures[:5]:
        own["plain"][1] = own["tpce"][1] + 1e-11
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


def test_nothing_differs():
    assert wilcoxon(np.zeros(5)) is None
    assert wilcoxon(np.array([0.0, 0.5, 0.25, 0.0, 0.125])) == pytest.approx(2 / 2**3)
    [nothing] = {one.percent_won for one in comparisons(recorded([dict.fromkeys(METHODS, (None,) * 3)]))}
    assert nothing is None


def test_published_figures():
    assert len(PUBLISHED_MEANS) == len(PUBLISHED_COMPARISONS) + 3 == 10
    assert {one.wins + one.ties + one.losses for one in PUBLISHED_COMPARISONS} == {48}
    assert sum(one.wins for one in PUBLISHED_COMPARISONS) == 36 + 21 + 37 + 29 + 39 + 33 + 33
    assert round(sum(PUBLISHED_MEANS.values()), 4) == 5.7214


def test_finding():
    """Shares of TPCE's advantage, in the means; none where it has none."""
    first = {"tpce": (0.1, 0.9, 0.5), "plain": (0.2, 0.7, 0.5), "plain_laplace": (0.16, 0.85, 0.6)}
    second = {"tpce": (0.2, 0.8, 0.5), "plain": (0.3, 0.6, 0.5), "plain_laplace": (0.28, 0.75, 0.6)}
    rest = dict.fromkeys(("bagging", "kukar_kononenko"), (0.1, 0.5, 0.5))
    told = finding(recorded([first | rest, second | rest]))
    assert told.endswith("alone already has: Brier 30%, AUC 75%, AUC reliability: TPCE has none.")


def test_every_figure_is_printed_on_160_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    figures = random_figures(46)
    figures[7]["bagging"][2] = None
    records = recorded(figures)
    print_tables(records, 46)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 160
    assert lines[0].endswith("; 46 of 46 data sets.")
    assert "The paper does not name its 48 data sets" in " ".join(lines[:5])
    shown = {line.split()[0]: line.split()[1:] for line in lines if line.startswith("set")}
    for i, own in enumerate(figures):
        told = [own[method][at] for at, name in enumerate(MEASURES) for method in methods_of(name)]
        assert shown[f"set{i}"] == ["–" if value is None else f"{value:.4f}" for value in told]
    rows = [line for line in lines if line.startswith(("mean ", "Brier: ", "AUC: ", "AUC reliability: "))]
    overall = [value for name in MEASURES for value in means(records, name)[1].values()]
    assert rows[0].split() == ["mean", *(f"{value:.4f}" for value in overall)]
    by = dict(zip([(name, method) for name in MEASURES for method in methods_of(name)], overall, strict=True))
    row = next(row for row in rows if row.startswith("Brier: bagging")).split()
    assert row[2:] == ["46", f"{by['brier', 'bagging']:.4f}", "0.0960", f"{by['brier', 'bagging'] - 0.096:+.4f}"]
    row = next(row for row in rows if row.startswith("AUC reliability: K&K")).split()
    assert row[3:6] == ["45", f"{by['auc_reliability', 'kukar_kononenko']:.4f}", "0.6836"]
    one = comparisons(records)[0]
    row = [row for row in rows if row.startswith("Brier: plain")][1].split()
    ours = [str(one.wins), "0", str(one.losses), f"{one.percent_won:.1f}", f"{one.p:.4f}"]
    assert row[2:] == [*ours, "36", "0", "12", "75.0", "<0.0001", f"{one.percent_won - 75:+.1f}"]
    assert finding(records) in " ".join(lines)


def test_tables_in_80_columns_where_nothing_says_more(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    records = recorded(random_figures(3))
    for record in records:
        record["dataset"] = record["dataset"].replace("set0", "acute-inflammations-nephritis")
    print_tables(records, 3)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [len(line.split()) - 1 for line in lines if line.startswith("acute")] == [4, 4, 5]


# -- the command ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("compiled")
def test_command(run, tmp_path, monkeypatch):
    """Standard output, JSON and CSV tell the same of iris; a second call takes it from the store."""
    command = (ARFF, "--set", "iris", "--resume", "done")
    code, out, err = run(*command, "--json-file", "r.json", "--csv", "r.csv")
    assert (code, err) == (0, "")
    records = json.loads((tmp_path / "r.json").read_text(), parse_constant=pytest.fail)
    assert [record["method"] for record in records] == list(METHODS)
    assert {(record["paper"], record["dataset"], record["seed"]) for record in records} == {("costa2013", "iris", 1)}
    with open(tmp_path / "r.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, record in zip(rows, records, strict=True):
        assert (row["method"], row["dropped"]) == (record["method"], "[]")
        assert [row[name] for name in MEASURES] == [
            "" if record[name] is None else f"{record[name]:.12g}" for name in MEASURES
        ]
    [shown] = [line.split()[1:] for line in out.splitlines() if line.startswith("iris ")]
    assert shown == [f"{r[name]:.4f}" for name in MEASURES for r in records if r[name] is not None]

    with monkeypatch.context() as patched:
        patched.setattr("wekaconf.store.store.Store.keep_records", pytest.fail)
        assert run(*command, "--json-file", "again.json") == (0, out, "")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "r.json").read_text()
    code, other, err = run(*command, "-s", 2)
    assert (code, err) == (0, "")
    [changed] = [line.split()[1:] for line in other.splitlines() if line.startswith("iris ")]
    assert [a != b for a, b in zip(shown, changed, strict=True)] == [i in (3, 7, 11) for i in range(13)]  # bagging


def test_a_set_that_fails_stops_no_other(run, tmp_path):
    shutil.copy(ARFF / "iris.arff", tmp_path)
    (tmp_path / "one.arff").write_text("@relation one\n@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\n2,a\n")
    (tmp_path / "number.arff").write_text("@relation number\n@attribute x numeric\n@data\n1\n")
    sets = ("one", "iris", "number", "nowhere")
    code, out, err = run(".", *itertools.chain.from_iterable(("--set", name) for name in sets))
    assert code == 1
    told = err.splitlines()
    assert told[0] == "note: 1 data set is not in '.' and left out: nowhere.arff"
    assert sorted(line.split(":")[1] for line in told[1:3]) == [" number", " one"]
    assert told[3] == "error: 3 of 4 data sets could not be run: nowhere, " + ", ".join(
        line.split(": ")[1] for line in told[1:3]
    )
    assert "1 of 4 data sets" in out and "\niris " in out


def test_default_is_the_list(run):
    """Told in a line which are missing, before what cannot be a folder ends the command."""
    code, out, err = run(ARFF, "--resume", ARFF / "iris.arff" / "done")
    assert (code, out) == (1, "")
    missing = [f"{name}.arff" for name in DATA_SETS if not (ARFF / f"{name}.arff").exists()]
    assert err.splitlines()[0] == (
        f"note: {len(missing)} data sets are not in '{ARFF}' and left out: {', '.join(missing[:5])} and "
        f"{len(missing) - 5} others"
    )
    assert err.splitlines()[1].endswith("iris.arff/done: Not a directory")
