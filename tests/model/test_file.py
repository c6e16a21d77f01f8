"""Model files: what is saved answers the same when loaded, and damage is told."""

import dataclasses
import io
import json
import math
import os
import re
import resource
import subprocess
import sys
import zipfile
from datetime import UTC, datetime

import numpy as np
import pytest
from support.command_line import ARFF
from support.growers import grow_info_gain
from support.random_trees import made, random_dataset, random_header, random_tree
from support.small_data import small

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError, NotFittedError
from wekaconf.base.stored import RECORD
from wekaconf.bridge import fit_filter
from wekaconf.data import Attribute, ColumnMap, Dataset, Header
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.model.file import model_of_bytes
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import parse_method
from wekaconf.report.trees import render_text
from wekaconf.tree._forest import Forest

LEARNERS = [
    ("J48", "-C 0.25 -M 2"),
    ("J48", "-U -B -A"),
    ("C44", ""),
    ("REPTree", "-S 3"),
    ("RandomTree", "-K 2"),
    ("RandomForest", "-I 3"),
    ("Bagging", "-I 2 -W weka.classifiers.trees.J48 -- -M 5"),
]


def random_mirror(seed):
    """A tree and its training set."""
    rng = np.random.default_rng(seed)
    train = random_dataset(rng, random_header(rng), 80, 0.1, weights=True)
    return random_tree(rng, train), train


def restored(tmp_path, method):
    path = tmp_path / "model.wct"
    wc.Model(method).save(path)
    return wc.load(path).method


def assert_same(method, again, data):
    assert type(again) is type(method)
    assert again.params == method.params
    assert again.tree_.header == method.tree_.header
    for name in ("learner", "options", "weka_version"):
        assert getattr(again.tree_, name) == getattr(method.tree_, name)
    np.testing.assert_array_equal(again.predict_proba(data), method.predict_proba(data))
    np.testing.assert_array_equal(again.certainty(data), method.certainty(data))
    assert again.explain(data).counts() == method.explain(data).counts()
    assert again.n_kept == method.n_kept
    learned = method.learned()
    assert again.learned().keys() == learned.keys()
    for name, array in again.learned().items():
        assert array.dtype == learned[name].dtype
        np.testing.assert_array_equal(array, learned[name])


COUNTS = ("grown_class_weight", "held_out_class_weight")
INFO_GAIN = ("info_gain", "")
"""The learner of the methods that read only its trees."""


OTHER_PARAMETERS = {
    "confdtree": wc.ConfDTree(variant="tdist", min_instances=2, z_other=np.inf, fine=0.25, routes=False)
}


@pytest.mark.parametrize("name", sorted(wc.available_methods()))
@pytest.mark.parametrize("seed", range(5))
def test_every_method_comes_back(tmp_path, name, seed):
    tree, train = random_mirror(seed)
    test = random_dataset(np.random.default_rng(seed), tree.header, 50, 0.2)
    method = made(name) if seed else OTHER_PARAMETERS.get(name, made(name))
    method.fit(grow_info_gain(train) if method.learner == INFO_GAIN or method.grows_again else tree, train)
    assert_same(method, restored(tmp_path, method), test)


@pytest.mark.parametrize("routing", ["COUNTS", "COUNTS_LAPLACE"])
def test_subsets_and_votes_come_back(tmp_path, routing):
    rng = np.random.default_rng(3)
    train = random_dataset(rng, random_header(rng), 80, 0.1, weights=True)
    trees = [random_tree(rng, train, routing=routing, subsets=True) for _ in range(3)]
    assert all(len(tree.split_subset) for tree in trees)
    for name in ("leaf_frequency", "confdtree", "boundary_distance", "wpe"):
        method = made(name).fit(trees[0], train)
        again = restored(tmp_path, method)
        assert_same(method, again, train)
        assert again.tree_.routing == routing
        assert again.tree_.split_subset.tolist() == trees[0].split_subset.tolist()
    for votes in ("mean", "hard"):
        method = wc.method("leaf_frequency").fit(Forest(trees, votes=votes), train)
        again = restored(tmp_path, method)
        assert_same(method, again, train)
        assert again.tree_.votes == votes


def counted_tree(train, **changes):
    """A REPTree with the counts that Weka prints."""
    tree = random_tree(np.random.default_rng(0), train, routing="REPTREE")
    weights = np.random.default_rng(1).uniform(0, 9, size=(2, tree.n_nodes, tree.header.n_classes))
    counts = dict(zip(COUNTS, weights, strict=True))
    return dataclasses.replace(tree, **counts | changes)


def test_counts_that_are_only_printed_come_back(tmp_path):
    train = random_mirror(1)[1]
    tree = counted_tree(train)
    again = restored(tmp_path, wc.method("leaf_frequency").fit(tree, train)).tree_
    assert "[" in render_text(tree)
    assert render_text(again) == render_text(tree)
    forest = restored(tmp_path, wc.method("leaf_frequency").fit(Forest((tree, counted_tree(train))), train)).tree_
    assert [render_text(member) for member in forest.trees] == [render_text(tree)] * 2


def test_files_of_trees_without_counts_have_none(tmp_path):
    """As those that were written before there were any."""
    tree, train = random_mirror(1)
    path = tmp_path / "model.wct"
    for method in (
        wc.method("leaf_frequency").fit(tree, train),
        wc.method("leaf_frequency").fit(Forest((counted_tree(train), tree)), train),
    ):
        wc.Model(method).save(path)
        with np.load(path) as parts:
            assert not any(name.removeprefix("trees/") in COUNTS for name in parts.files)
        assert_same(method, wc.load(path).method, train)


def test_counts_must_fit_the_nodes(tmp_path):
    train = random_mirror(1)[1]
    tree = counted_tree(train)
    path = tmp_path / "model.wct"
    wc.Model(wc.method("leaf_frequency").fit(tree, train)).save(path)
    content = path.read_bytes()
    for name in COUNTS:
        whole = getattr(tree, name)
        for broken in (whole[:-1], whole[:0], np.vstack((whole, whole)), whole[:, :1]):
            refuse(path, rewritten(content, **{f"trees/{name}": array_bytes(broken)}), f"trees/{name}: expected shape")
        refuse(path, rewritten(content, **{f"trees/{name}": None}), "class_weight: expected shape")
        refuse(path, rewritten(content, **{f"trees/{name}": array_bytes(np.full_like(whole, np.nan))}), "NaN")


def test_counts_of_some_nodes_are_none():
    train = random_mirror(1)[1]
    rows = counted_tree(train).grown_class_weight[1:]
    with pytest.raises(ValueError, match="one row per node, or none"):
        counted_tree(train, **dict.fromkeys(COUNTS, rows))
    with pytest.raises(ValueError, match="held_out_class_weight: expected shape"):
        counted_tree(train, held_out_class_weight=[])


@pytest.mark.parametrize(("learner", "options"), LEARNERS)
def test_every_learner_comes_back(jvm, tmp_path, learner, options):
    rng = np.random.default_rng(2)
    train = random_dataset(rng, random_header(rng), 120, 0.1)
    tree = wc.grow(train, learner, options)
    methods = map(made, ["leaf_frequency"] if isinstance(tree, Forest) else sorted(wc.available_methods()))
    for method in methods:
        if method.learner == INFO_GAIN:
            continue
        method.fit(tree, train)
        assert_same(method, restored(tmp_path, method), train)


def test_awkward_names_come_back(tmp_path):
    attributes = (
        wc.Attribute('it\'s 100 %, "quoted"\n', "nominal", ("", "?", "ä, б", "{x}")),
        wc.Attribute("when", "date", date_format="yyyy-MM-dd"),
        wc.Attribute("class", "nominal", ("yes", "no")),
    )
    header = wc.Header("名前", attributes, 2)
    rng = np.random.default_rng(0)
    train = random_dataset(rng, header, 40)
    tree = random_tree(rng, train)
    method = wc.method("leaf_frequency").fit(tree, train)
    assert_same(method, restored(tmp_path, method), train)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A fitted method, its data, and the bytes of its file."""
    tree, train = random_mirror(3)
    method = wc.method("confdtree").fit(tree, train)
    path = tmp_path_factory.mktemp("model") / "model.wct"
    wc.Model(method).save(path)
    return method, train, path.read_bytes()


def test_same_bytes_but_for_the_date(saved, tmp_path, monkeypatch):
    method, _, content = saved
    path = tmp_path / "again.wct"
    wc.Model(method).save(path)
    dated = record_of(path.read_bytes())["made"]
    assert with_record(path.read_bytes(), made="") == with_record(content, made="")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    wc.Model(method).save(path)
    assert record_of(path.read_bytes())["made"] == "2023-11-14T22:13:20+00:00" != dated
    fixed = path.read_bytes()
    monkeypatch.setattr("time.time", lambda: 2e9)
    wc.Model(method).save(path)
    assert path.read_bytes() == fixed
    wc.load(path).save(path)
    assert path.read_bytes() == fixed


def test_no_pickle_inside(saved):
    with zipfile.ZipFile(io.BytesIO(saved[2])) as parts:
        for name in parts.namelist():
            assert not np.lib.format.read_array(io.BytesIO(parts.read(name)), allow_pickle=False).dtype.hasobject


def refuse(path, content, match):
    path.write_bytes(content)
    with pytest.raises(wc.ModelFileError, match=match) as caught:
        wc.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message


@pytest.mark.parametrize("part", [0, 1, 30, 0.1, 0.5, 0.9, -1])
def test_truncated(saved, tmp_path, part):
    content = saved[2]
    length = int(len(content) * part) if isinstance(part, float) else part
    refuse(tmp_path / "m.wct", content[:length], "not a model that wekaconf saved, or damaged")


def test_flipped_byte_is_told_or_harmless(saved, tmp_path):
    method, data, content = saved
    path = tmp_path / "m.wct"
    places = range(0, len(content), 29)
    n_told = 0
    for i in places:
        path.write_bytes(content[:i] + bytes([content[i] ^ 0xFF]) + content[i + 1 :])
        try:
            again = wc.load(path)
        except wc.ModelFileError:
            n_told += 1
        else:  # a byte that carries nothing, such as a date
            np.testing.assert_array_equal(again.predict_proba(data), method.predict_proba(data))
    assert n_told > len(places) / 2


def rewritten(content, **changes):
    """The file with other parts; None removes one."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        whole = {name.removesuffix(".npy"): parts.read(name) for name in parts.namelist()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as parts:
        for name, part in (whole | changes).items():
            if part is not None:
                parts.writestr(f"{name}.npy", part)
    return stream.getvalue()


def array_bytes(array, *, allow_pickle=False):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=allow_pickle)
    return stream.getvalue()


def record_of(content):
    with np.load(io.BytesIO(content)) as parts:
        return json.loads(parts[RECORD].tobytes())


def with_record(content, **changes):
    record = record_of(content) | changes
    return rewritten(content, **{RECORD: array_bytes(np.frombuffer(json.dumps(record).encode(), np.uint8))})


def other_zip():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as parts:
        parts.writestr("readme.txt", "hello")
    return stream.getvalue()


WRONG = {
    "text": (lambda _: b"@relation iris\n", "not a model that wekaconf saved"),
    "other zip": (lambda _: other_zip(), "not a model that wekaconf saved"),
    "one array": (lambda _: array_bytes(np.arange(3)), "not a model that wekaconf saved"),
    "other arrays": (lambda content: rewritten(content, **{RECORD: None}), "not a model that wekaconf saved"),
    "record is a list": (
        lambda content: rewritten(content, **{RECORD: array_bytes(np.frombuffer(b"[1]", np.uint8))}),
        "not a model that wekaconf saved",
    ),
    "record of numbers": (
        lambda content: rewritten(content, **{RECORD: array_bytes(np.zeros(2))}),
        r"expected bytes, got float64 of shape \(2,\)",
    ),
    "two records": (
        lambda content: rewritten(content, **{RECORD: array_bytes(np.zeros((2, 9), np.uint8))}),
        r"expected bytes, got uint8 of shape \(2, 9\)",
    ),
    "reading": (lambda content: with_record(content, reading={"na": [7]}), "reading: expected texts, got {'na': .7.}"),
    "older format": (lambda content: with_record(content, format=1), "expected model format 3, got 1; save it again"),
    "newer format": (lambda content: with_record(content, format=4), "expected model format 3, got 4; save it again"),
    "unknown method": (lambda content: with_record(content, method="magic"), "holds the method 'magic'"),
    "unknown parameter": (lambda content: with_record(content, params={"x": 1}), "damaged or invalid"),
    "wrong parameter": (lambda content: with_record(content, params={"fine": 7}), "invalid.*fine"),
    "long version": (
        lambda content: with_record(content, versions={"wekaconf": "9" * 101}),
        "expected a text of at most 100 characters, got '9999",
    ),
    "no header": (lambda content: with_record(content, header=None), "damaged or invalid"),
    "no tree": (lambda content: with_record(content, trees=[]), "damaged or invalid"),
    "missing array": (lambda content: rewritten(content, **{"trees/parent": None}), "invalid.*parent"),
    "pickle": (
        lambda content: rewritten(
            content, **{"trees/total": array_bytes(np.array([os.getcwd], dtype=object), allow_pickle=True)}
        ),
        "trees/total: expected float64, got object",
    ),
    "wrong shape": (
        lambda content: rewritten(content, **{"trees/total": array_bytes(np.ones(1000))}),
        "invalid.*total: expected",
    ),
    "wrong tree": (
        lambda content: rewritten(content, **{"trees/parent": array_bytes(np.zeros(1, np.int32))}),
        "damaged or invalid",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_not_a_model(saved, tmp_path, what):
    make, match = WRONG[what]
    refuse(tmp_path / "m.wct", make(saved[2]), match)


def test_cannot_be_read(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for path in (tmp_path / "absent.wct", tmp_path, tmp_path / "link"):
        with pytest.raises(wc.ModelFileError, match=r"cannot be read|no such file") as caught:
            wc.load(path)
        assert str(path) in str(caught.value)


def test_unfitted_is_refused(tmp_path):
    with pytest.raises(NotFittedError):
        wc.Model(wc.method("confdtree")).save(tmp_path / "m.wct")
    assert list(tmp_path.iterdir()) == []


def test_failure_while_writing_leaves_the_old_file(saved, tmp_path):
    method, _, content = saved
    path = tmp_path / "m.wct"
    path.write_bytes(b"old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(content) // 2, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            wc.Model(method).save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_other_header_is_refused(saved, tmp_path):
    path = tmp_path / "m.wct"
    path.write_bytes(saved[2])
    rng = np.random.default_rng(0)
    with pytest.raises(HeaderMismatchError, match="a column is missing that the training data had: 'n3'"):
        wc.load(path).predict_proba(random_dataset(rng, random_header(rng, 3, 2), 5))


def test_columns_may_be_in_another_order(iris):
    model = Model(wc.LeafFrequency().fit(wc.InfoGain().grow(iris), iris))
    shuffled = iris._of_columns([2, 4, 0, 3, 1], 1)
    assert model.conform(shuffled) == iris
    np.testing.assert_array_equal(model.predict_proba(shuffled), model.predict_proba(iris))
    assert model.explain(shuffled)[:] == model.method.explain(iris)[:]
    with pytest.raises(HeaderMismatchError, match="attribute 1: expected 'sepal length"):
        model.conform(shuffled, strict=True)


def test_the_filters_of_a_model_match_columns_as_it_does():
    train = small(x=[1, 2, 3, 4], n=["p", "q", "p", "q"], c=["a", "a", "b", "b"])
    model = Model(wc.LeafFrequency().fit(wc.InfoGain().grow(train), train), fit_preprocessing(train, "median").filters)
    other = small(n=["p", "z"], x=[1, 2], c=["a", "b"])
    with pytest.raises(HeaderMismatchError, match=r"^rows\.csv, attribute 1: expected 'x'"):
        model.conform(other, strict=True, what="rows.csv")
    with pytest.raises(HeaderMismatchError, match=r"^rows\.csv\b.*'z'"):
        model.conform(other, unseen="error", what="rows.csv")
    with pytest.warns(wc.Note, match=r"^rows\.csv\b.*'z'"):
        assert model.conform(other, what="rows.csv").header == train.header


def complete(data):
    """The instances that have a class."""
    return data.take(data.class_values >= 0)


def test_filters_travel_in_the_model(jvm, tmp_path, monkeypatch):
    data = complete(wc.load_arff(ARFF / "missing-weights.arff"))
    replace_missing = fit_filter(data, "weka.filters.unsupervised.attribute.ReplaceMissingValues")
    cut = fit_filter(replace_missing.output, "weka.filters.unsupervised.attribute.Discretize", "-B 4")
    method = wc.method("leaf_frequency").fit(wc.grow(cut.output), cut.output)
    wc.Model(method, filters=(replace_missing, cut)).save(tmp_path / "m.wct")
    expected = method.predict_proba(cut.apply(replace_missing.apply(data)))
    monkeypatch.setattr("wekaconf.bridge._jvm.call", None)
    model = wc.load(tmp_path / "m.wct")
    assert model.header == data.header
    assert np.array_equal(model.predict_proba(data), expected)
    with pytest.raises(HeaderMismatchError):
        model.predict_proba(cut.output)


def test_filter_that_cannot_travel(jvm, tmp_path):
    data = complete(wc.load_arff(ARFF / "missing-weights.arff"))
    normalize = fit_filter(data, "weka.filters.unsupervised.attribute.Normalize")
    method = wc.method("leaf_frequency").fit(wc.grow(normalize.output), normalize.output)
    with pytest.raises(wc.OptionError, match=r"Normalize cannot be held as arrays, so no file can hold this model"):
        wc.Model(method, filters=(normalize,)).save(tmp_path / "m.wct")
    assert not (tmp_path / "m.wct").exists()


# ---- files from strangers ----


def with_array(content, name, array):
    return rewritten(content, **{name: array_bytes(array)})


def test_a_part_that_nobody_asked_for(saved, tmp_path):
    refuse(tmp_path / "m.wct", with_array(saved[2], "learned/more_", np.zeros(3)), "'learned/more_' is not expected")
    with zipfile.ZipFile(tmp_path / "m.wct", "w") as file:
        file.writestr("record.json.npy", b"")
        with pytest.warns(UserWarning, match="Duplicate name"):
            file.writestr("record.json.npy", b"")
    refuse(tmp_path / "m.wct", (tmp_path / "m.wct").read_bytes(), "two parts have the same name")


def test_every_array_is_needed_in_its_type_and_shape(saved, tmp_path):
    with np.load(io.BytesIO(saved[2])) as parts:
        arrays = {name: array for name, array in parts.items() if name != RECORD}
    assert len(arrays) > 20
    for name, array in arrays.items():
        refuse(tmp_path / "m.wct", rewritten(saved[2], **{name: None}), f"'{name}' is missing")
        other = array.astype(np.float32 if array.dtype != np.float32 else np.float64)
        refuse(tmp_path / "m.wct", with_array(saved[2], name, other), f"{name}: expected .* got float32")
        refuse(tmp_path / "m.wct", with_array(saved[2], name, array[None]), f"{name}: expected .* got \\(1, ")
        for part in (array_bytes(array)[:-1], array_bytes(array) + b"\0") if array.size else ():
            broken = rewritten(saved[2], **{name: part})
            refuse(tmp_path / "m.wct", broken, f"'{name}' is cut short, or goes on after its end")


def test_the_other_order_of_bytes_and_axes_is_read(saved, tmp_path):
    """What numpy writes on another machine, or of an array that stands column by column."""
    method, data, content = saved
    with np.load(io.BytesIO(content)) as parts:
        arrays = {name: array for name, array in parts.items() if name != RECORD}
    turned = {name: np.asfortranarray(array.astype(array.dtype.newbyteorder(">"))) for name, array in arrays.items()}
    (tmp_path / "m.wct").write_bytes(rewritten(content, **{name: array_bytes(own) for name, own in turned.items()}))
    assert_same(method, wc.load(tmp_path / "m.wct").method, data)


@pytest.mark.parametrize(
    ("name", "change", "match"),
    [
        ("trees/split_value", -(2**30), "split_value: expected values from -1"),
        ("trees/split_value", 2**30, "split_value: expected −1 at nodes that do not test for a value"),
        ("trees/split_kind", 9, "split_kind: expected values"),
        ("trees/total", np.nan, "total: has values that are not numbers"),
        ("trees/total", 1e301, "at most 1e\\+300"),
        ("trees/total", 3.0, "expected the sum of class_weight"),
        ("trees/class_weight", -5.0, "weights of at least 0"),
        ("trees/branch_weight", 7.0, "expected the branches of a node to sum to its weights"),
        ("trees/is_empty", True, "is_empty: expected true exactly at nodes without weight"),
        ("learned/intervals_.is_active", True, "no intervals at nodes without a numeric split"),
        ("learned/intervals_.other_low", 0.0, "expected NaN for classes that are absent"),
        ("learned/intervals_.route_weight", -1.0, "expected values from 0"),
        ("sizes/n_nodes", 10**12, "expected"),
    ],
)
def test_numbers_that_cannot_be(saved, tmp_path, name, change, match):
    with np.load(io.BytesIO(saved[2])) as parts:
        array = parts[name].copy()
    array[-1] = change
    refuse(tmp_path / "m.wct", with_array(saved[2], name, array), match)


def but(place, value):
    """A change of an array: another value at a place."""

    def changed(array):
        array = array.copy()
        array[place] = value
        return array

    return changed


def shorter(array):
    return array[:-1]


IN_LIMITS = ("center", "half_scale", "lower", "upper", "accepts", "rejects")
CLASS_COLUMN = {"column": [0, 1, 2, 4], "is_numeric": [1, 1, 1, 0], "n_values": [10, 10, 10, 3]}
LEARNED = {
    "m_branch": [
        ({"class_weight_": lambda weights: 3 * weights + 1}, "answer_: does not follow from class_weight_"),
        ({"class_weight_": lambda weights: weights + 1e-9}, "answer_: does not follow from class_weight_"),
    ],
    "confdtree": [
        ({"intervals_.assigned_low": but((0, 1), np.nan)}, "an interval for every class present"),
        ({"intervals_.assigned_high": but((0, 1), np.nan)}, "an interval for every class present"),
    ],
    "id3_sd": [
        ({"limits_.numeric": [0, 1, 2, 2]}, "numeric: does not fit the attributes"),
        ({"limits_.row": [-1, 0, 1, -1, 2]}, "row: .* the nodes where instances stop"),
        ({"limits_.accepts": np.ones((3, 1))}, "expected one row per node .* one column per value"),
        ({f"limits_.{name}": shorter for name in IN_LIMITS}, "expected one row per node"),
        ({"limits_.rejects": but(1, True)}, "expected no limits where everything is rejected"),
    ],
    "kukar_kononenko": [
        ({"values_": but((-1, -1), np.nan)}, "values_: expected at least one instance, and a class of each"),
        ({"values_": np.zeros((0, 5)), "weights_": []}, "values_: expected at least one instance"),
        ({"weights_": but([0, 1], 6e299)}, r"weights: expected numbers from 0 to 1e\+100"),
        ({"threshold_": [0.5]}, "threshold_: expected a number if supervised, else NaN"),
    ],
    "kukar_kononenko:supervised=true": [({"threshold_": [np.nan]}, "expected a number if supervised")],
    "shrinkage_wpe:numeric=bins": [
        ({"columns_.n_values": but(0, 9)}, "n_values, is_numeric: do not fit 'sepal length"),
        ({"columns_.is_numeric": but(0, False)}, "n_values, is_numeric: do not fit"),
        ({"columns_.cut_point": lambda cuts: cuts[:, ::-1]}, "cut_point: .* in ascending order"),
        ({"columns_.column": [0, 0, 2, 3]}, "column: expected attributes other than the class, in ascending order"),
        (
            {f"columns_.{name}": array for name, array in CLASS_COLUMN.items()}
            | {"columns_.cut_point": but(-1, np.nan)}, "column: expected attributes other than the class",
        ),
        ({"counts_.row_first": shorter}, r"row_first: expected 5 · 4 \+ 1 numbers, got 20"),
        ({"counts_.row_first": but(-1, 131)}, "row_first: expected to go up from 0 to 132"),
        ({"counts_.class_first": but(0, 1)}, "class_first: expected to go up from 0 to 10"),
        ({"counts_.class_first": [0, 4, 3, 6, 8, 10]}, "class_first: expected to go up"),
        ({"counts_.classes": but(1, 0)}, "class_first: .* between two of its numbers in ascending order"),
        ({"counts_.row_value": but(-1, 0)}, "row_value: expected values that the attributes declare, and −1 at the e"),
        ({"counts_.row_value": but(-2, 10)}, "row_value: expected values"),
        ({"counts_.row_value": but(0, -1)}, "row_value: expected values"),
        ({"counts_.cell_first": but(-1, 1)}, "cell_first: does not agree with class_first and row_first"),
        ({"counts_.cells": shorter}, "cells: expected one cell per row and class"),
        ({"counts_.cells": but(-1, 1)}, "cells: .* and zeros at the end"),
        ({"weight_": shorter}, "weight_: expected 11 rows, one per node of a path, got 10"),
        ({"weight_": lambda weights: weights * (1 - 1e-6)}, "weight_: expected weights that sum to 1 along each path"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("method", LEARNED)
def test_what_no_method_learns(tmp_path, method):
    data, path = wc.load_arff(ARFF / "iris.arff"), tmp_path / "m.wct"
    learner = wc.InfoGain() if method.startswith("kukar") else wc.CART(min_leaf=10)
    wc.Model(parse_method(method).fit(learner.grow(data), data)).save(path)
    content = path.read_bytes()
    with np.load(path) as parts:
        arrays = {name.removeprefix("learned/"): array for name, array in parts.items()}
    for changes, match in LEARNED[method]:
        changed = {
            f"learned/{name}": array_bytes(np.asarray(to(arrays[name]) if callable(to) else to, arrays[name].dtype))
            for name, to in changes.items()
        }
        refuse(path, rewritten(content, **changed), match)


def test_truth_values_are_0_or_1(saved, tmp_path):
    with zipfile.ZipFile(io.BytesIO(saved[2])) as parts:
        part = parts.read("trees/is_empty.npy")
    refuse(tmp_path / "m.wct", rewritten(saved[2], **{"trees/is_empty": part[:-1] + b"\xff"}), "neither false nor true")


def test_a_method_on_a_tree_that_it_cannot_read(tmp_path):
    rng = np.random.default_rng(2)
    train = random_dataset(rng, random_header(rng), 80)
    path = tmp_path / "m.wct"
    tree = random_tree(rng, train, routing="REPTREE")
    wc.Model(wc.method("leaf_frequency").fit(tree, train)).save(path)
    content = path.read_bytes()
    refuse(path, with_record(content, params={"laplace": True}), "REPTREE stores no class counts")
    learner = record_of(content)["learner"] | {"votes": "mean"}
    refuse(path, with_record(content, is_forest=True, learner=learner, params={"laplace": True}), "no class counts")
    wc.Model(wc.method("boundary_distance").fit(tree, train)).save(path)
    forest = with_record(path.read_bytes(), is_forest=True, learner=learner)
    refuse(path, forest, "boundary_distance is defined on a single tree")
    wc.Model(wc.method("leaf_frequency").fit(Forest((tree, tree)), train)).save(path)
    refuse(path, with_record(path.read_bytes(), is_forest=False), "expected one tree, got 2")
    wc.Model(wc.method("tpce").fit(grow_info_gain(train), train)).save(path)
    content = path.read_bytes()
    (about,) = record_of(content)["trees"]
    for change, match in (
        ({"options": "min_weight=-1"}, "min_weight must be a number of at least 0"),
        ({"learner": "J48"}, "trees of info_gain, got one of J48"),
        ({"routing": "CART"}, "trees of info_gain"),
        ({"routing": "OWN"}, "OWN"),
        ({"weka_version": 3}, "weka_version: expected text, got 3"),
    ):
        refuse(path, with_record(content, trees=[about | change]), match)


def huge_zip(path, content, name, n_bytes):
    """The file with another part, of so many zeros."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        whole = {member: parts.read(member) for member in parts.namelist()}
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (n_bytes // 8,)})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        for member, part in whole.items():
            parts.writestr(member, part) if member != name else None
        with parts.open(name, "w", force_zip64=True) as stream:
            stream.write(header.getvalue())
            for _ in range(n_bytes // 2**24):
                stream.write(bytes(2**24))


LOADS = """
import resource, sys
import wekaconf as wc
from wekaconf import methods
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    wc.load(sys.argv[1])
except wc.ModelFileError as error:
    print(error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize(
    ("n_bytes", "match"), [(2**30, "it would unpack to"), (2**27, "'trees/total' is cut off|trees/total: expected")]
)
@pytest.mark.one_commit_in(3)
def test_small_files_that_unpack_to_much(saved, tmp_path, n_bytes, match):
    path = tmp_path / "m.wct"
    huge_zip(path, saved[2], "trees/total.npy", n_bytes)
    assert path.stat().st_size < n_bytes / 500
    done = subprocess.run([sys.executable, "-c", LOADS, path], capture_output=True, text=True, check=True)
    told, kib = done.stdout.splitlines()
    assert re.search(match, told)
    assert int(kib) < 30_000


def test_many_parts(saved, tmp_path):
    path = tmp_path / "m.wct"
    path.write_bytes(saved[2])
    with zipfile.ZipFile(path, "a") as parts:
        for i in range(20_000):
            parts.writestr(f"learned/{i}.npy", b"")
    refuse(path, path.read_bytes(), "it holds 20,023 parts; at most 10,000 are allowed")


def told_to_unpack_to(content, n_bytes):
    """The file, whose directory says of the last part that all of them together have so many bytes."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        n_others = sum(member.file_size for member in parts.infolist()[:-1])
    place = content.rindex(b"PK\x01\x02") + 24
    return content[:place] + (n_bytes - n_others).to_bytes(4, "little") + content[place + 4 :]


@pytest.mark.parametrize("n_more", [0, 2_000_000])
def test_how_much_a_file_may_unpack_to(saved, tmp_path, n_more):
    """256 MiB, or 200 times the size of a larger file."""
    path = tmp_path / "m.wct"
    path.write_bytes(saved[2])
    with zipfile.ZipFile(path, "a") as parts:
        parts.writestr("more", bytes(n_more))
    content = path.read_bytes()
    most = max(2**28, 200 * len(content))
    assert (most > 2**28) == (n_more > 0)
    refuse(path, told_to_unpack_to(content, most + 1), "it would unpack to")
    refuse(path, told_to_unpack_to(content, most), r"^(?!.*would unpack)")


def test_what_we_write_we_read(saved, tmp_path, monkeypatch):
    """A file that packs too well to be believed is filled up, and is still packed."""
    method, data, content = saved
    monkeypatch.setattr("wekaconf.base.stored.SMALL", 1000)
    monkeypatch.setattr("wekaconf.base.stored.LARGEST_RATIO", 1.5)
    wc.Model(method).save(tmp_path / "m.wct")
    written = (tmp_path / "m.wct").read_bytes()
    with zipfile.ZipFile(io.BytesIO(written)) as parts:
        assert 1.25 * len(written) < sum(part.file_size for part in parts.infolist()) <= 1.5 * len(written)
        assert {part.compress_type for part in parts.infolist() if part.filename != "padding"} == {zipfile.ZIP_DEFLATED}
    assert_same(method, wc.load(tmp_path / "m.wct").method, data)
    refuse(tmp_path / "m.wct", content, "it would unpack to")


def test_class_weights_of_many_classes_are_packed(tmp_path, monkeypatch):
    """They are nearly all zero, and the file is as small as one may be that unpacks to so much; always the same."""
    monkeypatch.setattr("wekaconf.base.stored.SMALL", 2**20)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    n_classes = 400
    header = Header("r", (Attribute("x"), Attribute("c", "nominal", tuple(f"c{i}" for i in range(n_classes)))), 1)
    data = Dataset(header, np.column_stack([np.arange(800.0), np.arange(800) // 2]))
    method = wc.LeafFrequency().fit(wc.CART().grow(data), data)
    for name in ("m.wct", "again.wct"):
        wc.Model(method).save(tmp_path / name)
    content, n_unpacked = (tmp_path / "m.wct").read_bytes(), method.tree_.class_weight.nbytes
    assert n_unpacked > 2**20 and n_unpacked / 200 < len(content) < n_unpacked / 50
    assert content == (tmp_path / "again.wct").read_bytes()
    assert_same(method, wc.load(tmp_path / "m.wct").method, data)


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="this system does not name what a process has open")
def test_a_model_can_be_written_to_a_pipe(saved):
    end, begin = os.pipe()
    wc.Model(saved[0]).save(f"/dev/fd/{begin}")
    os.close(begin)
    with open(end, "rb") as stream:
        assert_same(saved[0], model_of_bytes(stream.read(), "pipe").method, saved[1])


def test_filters_that_do_not_fit_are_not_saved(tmp_path):
    tree, train = random_mirror(3)
    narrow = random_header(np.random.default_rng(0), 2)
    n = len(narrow.attributes)
    same = ColumnMap(
        narrow, narrow, np.arange(n, dtype=np.int32), np.full(n, np.nan), np.zeros(n + 1, np.int32), np.zeros(0),
        np.zeros(n, bool),
    )  # fmt: skip
    with pytest.raises(HeaderMismatchError, match="the output of a filter"):
        wc.Model(wc.method("leaf_frequency").fit(tree, train), filters=(same,)).save(tmp_path / "m.wct")


def column_map(**parts):
    """A number that is cut into bins, and two nominal attributes that stay."""
    before = small(x=[], n=("pq", []), c=("ab", [])).header
    after = small(x=("lmhx", []), n=("pq", []), c=("ab", [])).header
    parts = {
        "source": [0, 1, 2], "fill": [np.nan, 1, np.nan], "cut_start": [0, 2, 2, 2], "cut_points": [1.5, 1.5],
        "is_cut": [True, False, False],
    } | parts  # fmt: skip
    dtypes = {"source": np.int32, "cut_start": np.int32, "is_cut": bool}
    return ColumnMap.from_arrays(before, after, {n: np.array(part, dtypes.get(n, float)) for n, part in parts.items()})


def test_a_filter_from_its_parts():
    data = small(x=[1.5, 2], n=("pq", [None, "p"]), c=["a", "b"])
    assert column_map().apply(data) == small(x=("lmhx", ["l", "h"]), n=("pq", ["q", "p"]), c=["a", "b"])
    unlabelled = small(x=[1.5, 2], n=("pq", [None, "p"]), c=("ab", [None, None]))
    assert column_map(fill=[np.nan, 1, 0]).apply(unlabelled).class_values.tolist() == [0, -1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cut_start": [1, 2, 2, 2]}, "^cut_start: expected to go up from 0 to 2"),
        ({"cut_start": [0, 2, 1, 2]}, "^cut_start: expected to go up"),
        ({"cut_start": [0, 1, 1, 1]}, "^cut_start: expected to go up"),
        (
            {"cut_points": [1, 2, 3, 4], "cut_start": [0, 4, 4, 4]},
            "^column 0: 'x' numeric cannot become 'x' {'l', 'm', ",
        ),
        ({"is_cut": [False] * 3}, "^column 0: 'x' numeric cannot"),
        ({"is_cut": [True, True, False]}, "^column 1: 'n' {'p', 'q'} cannot become 'n' {'p', 'q'}"),
        ({"cut_start": [0, 1, 2, 2]}, "^column 1: 'n' {'p', 'q'} cannot"),
        ({"source": [0, 2, 2]}, "^column 1: 'c' {'a', 'b'} cannot become 'n' {'p', 'q'}"),
        (
            {"cut_points": [1, 3, 2], "cut_start": [0, 3, 3, 3]},
            "^cut_points of 'x' numeric: expected them in ascending order",
        ),
        ({"fill": [np.nan, 2, np.nan]}, "^fill: 'n' {'p', 'q'} has no value 2$"),
        ({"fill": [np.nan, np.nan, 0.5]}, "^fill: 'c' {'a', 'b'} has no value 0.5$"),
    ],
)
def test_filters_that_contradict_themselves_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        column_map(**change)


@pytest.mark.parametrize("key", ["format", "method"])
def test_what_a_stranger_writes_is_shown_short_and_harmless(saved, tmp_path, key):
    path = tmp_path / "m.wct"
    path.write_bytes(with_record(saved[2], **{key: "\n\x1b[31m" + 100_000 * "x"}))
    with pytest.raises(wc.ModelFileError) as caught:
        wc.load(path)
    assert len(str(caught.value)) < 300 + len(str(path)) and str(caught.value).isprintable()


def test_names_from_a_file_reach_no_terminal_raw(saved, tmp_path, run):
    """An attribute may be called anything; on the terminal its control characters are written out."""
    header = record_of(saved[2])["header"]
    header["attributes"][0]["name"] = "a\n\x1b[31mb"
    (tmp_path / "m.wct").write_bytes(with_record(saved[2], header=header))
    ended = run("predict", "-l", "m.wct", "-T", ARFF / "wine.arff")
    assert ended.code == 1
    assert ended.err.count("\n") == 1 and ended.err[:-1].isprintable() and r"a\n\x1b[31mb" in ended.err


def test_only_regular_files_are_opened(tmp_path):
    for path in ("/dev/zero", tmp_path):
        with pytest.raises(wc.ModelFileError, match="cannot be read: it is not a regular file"):
            wc.load(path)


# -- the threshold of a model -------------------------------------------------------------------------------------


def rejecting(tmp_path, aim=None):
    """A saved model whose threshold keeps 90 % of the correct answers, and its data."""
    data = wc.load_arff(ARFF / "iris.arff")
    method = wc.LeafFrequency().fit(wc.CART(min_leaf=10).grow(data), data)
    answer = method.answer(data)
    choice = wc.choose_threshold(answer.certainty, answer.predicted == data.class_values, **(aim or {"keep": 0.9}))
    path = tmp_path / "m.wct"
    wc.Model(method, choice=choice).save(path)
    return path, method, choice, data


@pytest.mark.parametrize(
    "aim", [{"keep": 0.9}, {"target_error": 0}, {"below": math.inf}, {"cost": (10, 1)}, {"target_coverage": 0}]
)
def test_the_threshold_comes_back_with_what_it_reached(tmp_path, aim):
    path, method, choice, data = rejecting(tmp_path, aim)
    model = wc.load(path)
    assert model.choice == choice
    assert model.threshold == choice.threshold
    np.testing.assert_array_equal(model.reject(data), method.reject(data, below=choice.threshold))
    np.testing.assert_array_equal(model.reject(data, below=0.7), method.reject(data, below=0.7))
    model.save(path)
    assert wc.load(path).choice == choice


def test_an_aim_that_nothing_reaches_comes_back(tmp_path, iris):
    method = wc.LeafFrequency().fit(wc.CART(leaves=2).grow(iris), iris)
    answer = method.answer(iris)
    choice = wc.choose_threshold(answer.certainty, np.zeros(len(iris), dtype=bool), target_error=0.1)
    assert not choice.is_reached and choice.reachable is not None
    wc.Model(method, choice=choice).save(tmp_path / "m.wct")
    assert wc.load(tmp_path / "m.wct").choice == choice


def test_a_model_without_a_choice_has_the_rule_of_its_method(tmp_path, jvm, iris):
    for method, threshold in ((wc.ID3SD(alpha=0.1), 0.1), (wc.LeafFrequency(), None)):
        fitted = method.fit(wc.grow(iris), iris)
        wc.Model(fitted).save(tmp_path / "m.wct")
        model = wc.load(tmp_path / "m.wct")
        assert model.threshold == threshold
        if threshold is None:
            with pytest.raises(wc.OptionError, match="has no rule of its own for rejecting"):
                model.reject(iris)
        else:
            np.testing.assert_array_equal(model.reject(iris), fitted.reject(iris))


@pytest.mark.parametrize(
    "choice",
    [
        {"aim": ["keep", 2]}, {"aim": ["magic", 0.5]}, {"aim": [0.5]}, {"threshold": None}, {"threshold": math.nan},
        {"figures": [1, 2, 3]}, {"figures": [1, 2, 3, -4]}, {"figures": [1, 2, 3, math.inf]}, {"figures": "1234"},
        {"reachable": [0.5]}, {"reachable": 3}, {"aim": ["below", 70]},
    ],
)  # fmt: skip
def test_a_threshold_that_is_none_is_refused(tmp_path, choice):
    path, *_ = rejecting(tmp_path)
    content = path.read_bytes()
    record = record_of(content)["choice"]
    path.write_bytes(with_record(content, choice=record | choice))
    with pytest.raises(wc.ModelFileError, match="damaged or invalid"):
        wc.load(path)


def test_a_model_says_when_and_by_what_it_was_made(tmp_path):
    path, *_ = rejecting(tmp_path)
    model = wc.load(path)
    made = datetime.fromisoformat(model.made)
    assert abs((datetime.now(UTC) - made).total_seconds()) < 60
    assert model.versions["wekaconf"] == wc.__version__
    assert repr(model) == f"Model(LeafFrequency() on 'iris', rejects below {model.threshold:g})"
    content = path.read_bytes()
    for change in ({"made": 3}, {"made": "x" * 10_000}, {"versions": {"x": 3}}, {"versions": []}):
        path.write_bytes(with_record(content, **change))
        with pytest.raises(wc.ModelFileError, match="damaged or invalid"):
            wc.load(path)


def test_only_fitted_methods_make_models():
    with pytest.raises(NotFittedError):
        wc.Model(wc.LeafFrequency())
    with pytest.raises(wc.OptionError, match="expected a fitted method, got str"):
        wc.Model("leaf_frequency")
