"""`wekaconf.fit`: the one place that holds out, filters, grows, fits, chooses a threshold and remembers."""

import re
import shlex
import warnings
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier
from support.command_line import ARFF
from support.dask_cluster import dask_cluster
from support.growers import grow_cart

import wekaconf as wc
from wekaconf.base.errors import Note, NotReached, OptionError
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.evaluation.thresholds import draw_rows
from wekaconf.model.file import model_bytes
from wekaconf.sklearn import CARTClassifier, ConfDTreeClassifier, J48Classifier, RejectOption, ShrinkageClassifier

PROMISE = wc.Aim("error", 0.1, confidence=0.9)
CASES = {
    "--learner CART": {"learner": "CART"},
    "--learner CART --method confdtree:variant=tdist --keep 0.9": {
        "method": "confdtree:variant=tdist", "learner": "CART", "aim": wc.Aim("keep", 0.9),
    },
    "--learner CART --method shrinkage --target-coverage 0.8 --threshold-from training": {
        "method": "shrinkage", "learner": "CART", "aim": wc.Aim("coverage", 0.8), "threshold_from": "training",
    },
    "--learner CART --below 0.8 --no-summary": {
        "learner": "CART", "aim": wc.Aim("below", 0.8), "summary": False,
    },
    "--learner CART --target-error 0.1 --confidence 0.9 --class-sets 0.9": {
        "learner": "CART", "aim": PROMISE, "class_sets": 0.9,
    },
    "--learner CART --target-error 0.1 --confidence 0.9 --calibrate 0.4 --seed 7": {
        "learner": "CART", "aim": PROMISE, "calibrate": 0.4, "seed": 7,
    },
    "--learner CART --target-error 0.1 --confidence 0.9 --calibrate later.csv": {
        "learner": "CART", "aim": PROMISE, "calibrate": "later.csv",
    },
    "--learner CART --class-sets classes=0.9 --preprocess median": {
        "learner": "CART", "class_sets": 0.9, "class_sets_for": "classes", "preprocess": "median",
    },
    "--learner J48\\ -M\\ 5 --filter weka.filters.unsupervised.attribute.Discretize\\ -B\\ 5 --keep 0.9": {
        "learner": "J48 -M 5", "filters": ["weka.filters.unsupervised.attribute.Discretize -B 5"],
        "aim": wc.Aim("keep", 0.9),
    },
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a table of codes, numbers with a decimal comma and texts that the last rows alone have."""
    rng = np.random.default_rng(1)
    n = 240
    table = pd.DataFrame({
        "name": [f"n{row}" for row in range(n)],
        "x": [f"{x:,.2f}".translate(str.maketrans(",.", ".,")) for x in rng.random(n) * 10_000],
        "town": rng.choice(["Ulm", "Bonn", "Kiel", "Jena"], n),
        "class": rng.choice(["a", "b"], n),
    })  # fmt: skip
    table["class"] = np.where(table["town"].isin(["Ulm", "Kiel"]), table["class"], "a")
    table.loc[np.flatnonzero(draw_rows(180, 0.3))[:3], "town"] = "Rom"
    table.iloc[:180].to_csv(tmp_path / "known.csv", index=False)
    table.iloc[180:].to_csv(tmp_path / "later.csv", index=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    return tmp_path


@pytest.mark.parametrize("words", CASES)
def test_the_command_line_and_python_write_the_same_file(words, folder, good):
    good("fit", "known.csv", "--id", "name", *shlex.split(words), "-d", "c.wct")
    known = wc.load_table("known.csv", id="name")
    given = dict(CASES[words])
    if given.get("calibrate") == "later.csv":
        given["calibrate"] = wc.load_table("later.csv", header=known)
    model = wc.fit(known, **given)
    model.save("p.wct")
    assert (folder / "c.wct").read_bytes() == (folder / "p.wct").read_bytes()
    assert model.reading.id == "name" and model.reading.number_forms
    assert wc.load("p.wct").reading == model.reading


def test_a_frame_is_a_table(folder):
    """What its cells tell is inferred, so values that held-out rows alone have are missing, as in CSV."""
    known = wc.load_table("known.csv", id="name")
    frame = wc.Dataset.from_pandas(known.to_pandas().astype({"town": str, "class": str}), relation="known")
    models = [wc.fit(data, learner="CART", aim=PROMISE) for data in (known, frame)]
    models[0] = wc.Model(**{**vars(models[0]), "reading": models[1].reading})
    assert model_bytes(models[0]) == model_bytes(models[1])


def test_values_that_held_out_rows_alone_have_are_missing(folder):
    table = pd.read_csv("known.csv", decimal=",", thousands=".")
    data = wc.Dataset.from_pandas(table.drop(columns="name"))
    assert "Rom" not in wc.fit(data, learner="CART", aim=PROMISE).header.attributes[1].values
    data.to_arff("t.arff")
    declared = wc.load_arff("t.arff")
    assert "Rom" in wc.fit(declared, learner="CART", aim=PROMISE).header.attributes[1].values


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"aim": ("error", 0.1)}, r"aim: expected an Aim, such as .* got \('error', 0.1\)"),
        ({"method": wc.ConfDTree}, r"method: expected a name such as 'confdtree', or ConfDTree\(\), got <class"),
        ({"aim": PROMISE, "calibrate": None}, "calibrate: expected a share of the rows, .* got None"),
        ({"class_sets": 0.9, "calibrate": None}, "calibrate: expected a share of the rows, .* got None"),
        ({"aim": PROMISE, "calibrate": "later.csv"}, "calibrate: expected a share of the rows, .* got 'later.csv'"),
        ({"aim": PROMISE, "calibrate": np.arange(150)}, "one boolean per row, .* got a ndarray of int64"),
        ({"aim": PROMISE, "calibrate": [0.3, 0.4]}, "one boolean per row, .* got a list"),
        ({"aim": PROMISE, "calibrate": True}, "one boolean per row, .* got a bool"),
        ({"aim": PROMISE, "calibrate": 1.5}, "more than 0 and less than 1, got 1.5"),
        ({"class_sets": "0.9"}, "class_sets: expected a share between 0 and 1, such as 0.9, got '0.9'"),
        ({"class_sets": 0.9, "class_sets_for": "class"}, "class_sets_for: expected 'rows' or 'classes', got 'class'"),
        ({"threshold_from": "foo"}, "threshold_from: expected 'out-of-fold' or 'training', got 'foo'"),
        ({"cost_matrix": [[0, 1], [5, 0]]}, r"cost_matrix: expected a CostMatrix, such as CostMatrix\("),
        *(({"seed": seed}, "seed: expected a whole number of at least 0") for seed in (-1, 1.5, 2**40, None, True)),
        ({"aim": PROMISE, "calibrate": np.ones(3, dtype=bool)}, r"one boolean per row, \(150,\), got \(3,\)"),
        ({"aim": PROMISE, "calibrate": np.ones(150, dtype=bool)}, "rows that are left to grow .* got all 150 rows"),
        (
            {"filters": "weka.filters.unsupervised.attribute.Discretize"},
            r"expected a list of texts, got '.*Discretize'; write \['.*Discretize'\]",
        ),
        ({"learner": DecisionTreeClassifier()}, "wekaconf.mirror makes a tree of a fitted one of scikit-learn"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused_before_any_work(given, message):
    iris = wc.load_arff(ARFF / "iris.arff")
    with pytest.raises(OptionError, match=message):
        wc.fit(iris, **{"learner": "CART"} | given)


@pytest.mark.parametrize("form", [list, pd.Series, np.asarray])
def test_a_mask_of_any_kind_says_which_rows_calibrate(form):
    iris = wc.load_arff(ARFF / "iris.arff")
    mask = draw_rows(len(iris), 0.3)
    found = wc.fit(iris, learner="CART", aim=PROMISE, calibrate=form(mask)).choice
    assert found == wc.fit(iris, learner="CART", aim=PROMISE).choice
    assert found != wc.fit(iris, learner="CART", aim=PROMISE, seed=2).choice


def test_rows_that_cannot_calibrate():
    iris = wc.load_arff(ARFF / "iris.arff")
    for rows, what in (
        (iris.take([]), "iris"), (iris.without_class_values(), "iris"),
        (iris.take([]).to_pandas(), "the calibration rows"),
    ):  # fmt: skip
        with pytest.raises(OptionError, match=f"^{what}: no row has a class, in the column 'class', so nothing"):
            wc.fit(iris, learner="CART", aim=PROMISE, calibrate=rows)


def test_a_promise_that_cannot_be_shown_is_told_once():
    iris = wc.load_arff(ARFF / "iris.arff")
    for aim, told in (
        (
            wc.Aim("error", 0.001, confidence=0.99),
            "it cannot be shown with confidence 99 % that at most 0.1 % of the answers are wrong",
        ),
        (wc.Aim("error", 0.0), r"no threshold reaches the aim \(error at most 0 %\), so every answer is rejected"),
    ):
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            model = wc.fit(iris, learner="CART prune=none", aim=aim)
        texts = [str(each.message) for each in notes if each.category is NotReached]
        assert model.choice.is_reached is not bool(texts) and len(texts) <= 1
        if aim.confidence:
            assert re.search(told, texts[0]) and not model.choice.is_reached
            assert str(model.check(iris_like(iris))).startswith("promised: nothing, since it could not be sh")


def iris_like(iris):
    noise = np.random.default_rng(0).normal(0, 0.01, iris.values.shape) * ~iris.header.is_nominal
    return wc.Dataset(iris.header, iris.values + noise)


def test_a_tree_that_is_grown_stands_in_for_the_learner():
    data = wc.load_arff(ARFF / "iris.arff")
    held_out = draw_rows(len(data), 0.3)
    growing = data.take(~held_out)
    tree = grow_cart(growing)
    model = wc.fit(data, "confdtree", learner=tree, aim=PROMISE, calibrate=held_out)
    assert model.choice == wc.fit(data, "confdtree", learner="CART", aim=PROMISE, threshold_from="training").choice
    assert model.method.tree_ is tree
    filters = fit_preprocessing(growing, "median").filters
    behind = wc.Model(wc.method("leaf_frequency").fit(tree, growing), filters)
    assert wc.fit(growing, "shrinkage", learner=behind).filters == filters
    assert wc.fit(None, learner=tree, aim=wc.Aim("below", 0.9)).threshold == 0.9


def test_costs_by_which_a_model_decides_stay_unless_there_is_an_aim():
    data = wc.load_arff(ARFF / "iris.arff")
    costs = wc.Aim("cost", (1 - np.eye(3), 0.5))
    model = wc.fit(data, learner="CART", aim=costs)
    assert wc.fit(data, learner=model).choice.aim == costs
    with pytest.warns(Note, match=r"^the costs .*, by which the model decides, are left out beside an aim$"):
        assert wc.fit(data, learner=model, aim=wc.Aim("below", 0.9)).choice.aim.kind == "below"


def test_what_cannot_be_known_of_a_tree_is_refused():
    data = wc.load_arff(ARFF / "iris.arff")
    tree = grow_cart(data)
    grown = "the tree is grown already, and which rows grew it is not known, so "
    for given, message in [
        ({"data": data, "aim": PROMISE}, f"calibrate: {grown}no share of the rows can be held out"),
        (
            {"data": data, "aim": wc.Aim("keep", 0.9)},
            f"{grown}no further trees can be grown .* threshold_from='training'",
        ),
        ({"data": None, "aim": wc.Aim("keep", 0.9)}, f"{grown}no threshold can be chosen"),
        ({"data": None, "aim": wc.Aim("below", 1.5)}, r"below must be a certainty of leaf_frequency, .* got 1\.5"),
        (
            {"data": None, "aim": PROMISE, "calibrate": np.ones(150, dtype=bool)},
            "calibrate: expected a Dataset or a DataFrame, since there are no training data .*, got a ndarray",
        ),
        ({"data": None, "method": "confdtree"}, "confdtree learns from training data, too, .* give them by data, or"),
        ({"data": data, "aim": PROMISE, "calibrate": data}, "150 of 150 calibration rows repeat rows"),
    ]:
        with pytest.raises(OptionError, match=message.removeprefix("calibrate: ")):
            wc.fit(learner=tree, **given)
    with pytest.raises(OptionError, match="expected the rows to grow a tree on"):
        wc.fit(None)
    later = iris_like(data)
    with pytest.warns(Note, match=f"{grown}what is promised holds if none of the calibration rows did"):
        wc.fit(data, learner=tree, aim=PROMISE, calibrate=later)


def test_a_class_that_training_does_not_know_is_answered_wrongly(folder):
    known = wc.load_table("known.csv", id="name")
    later = wc.load_table("later.csv", ignore=["name"]).to_pandas().astype({"class": str})
    later.loc[:29, "class"] = "c"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        rows = wc.Dataset.from_pandas(later.astype({"town": str}))
        [promise] = wc.fit(
            known, learner="CART", aim=wc.Aim("error", 0.9, confidence=0.5), calibrate=rows
        ).choice.promises
    assert (promise.n, promise.wrong >= 30) == (60, True)


def test_a_model_keeps_what_it_was_made_from(folder):
    known = wc.load_table("known.csv", id="name")
    model = wc.fit(known, learner="CART", aim=PROMISE)
    assert model.summary.n_rows.tolist() == [126] and len(model.seen.digests)
    assert not model.compare(known).told
    bare = wc.fit(known, learner="CART", aim=PROMISE, summary=False)
    assert bare.summary is None and not len(bare.seen.digests)
    assert bare.choice == model.choice


def test_several_threads_fit_at_once(folder):
    known = wc.load_table("known.csv", id="name")
    alone = model_bytes(wc.fit(known, "confdtree", learner="CART", aim=PROMISE))
    with ThreadPoolExecutor(4) as pool:
        fitted = pool.map(lambda _: model_bytes(wc.fit(known, "confdtree", learner="CART", aim=PROMISE)), range(4))
        assert {*fitted} == {alone}


def test_joblibs_processes_fit(folder, jvm):
    known = wc.load_table("known.csv", id="name")
    jobs = [("confdtree", "CART"), ("confdtree", "J48 -M 5"), ("shrinkage", "J48")]
    alone = [model_bytes(wc.fit(known, method, learner=learner, aim=PROMISE)) for method, learner in jobs]
    found = joblib.Parallel(n_jobs=2)(
        joblib.delayed(wc.fit)(known, method, learner=learner, aim=PROMISE) for method, learner in jobs
    )
    assert [model_bytes(model) for model in found] == alone


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_workers_of_dask_fit(folder, jvm):
    distributed = pytest.importorskip("distributed")
    known = wc.load_table("known.csv", id="name")
    alone = model_bytes(wc.fit(known, "confdtree", learner="J48 -M 5", aim=PROMISE))
    with dask_cluster() as (address, _), distributed.Client(address) as client:
        jobs = [
            client.submit(wc.fit, known, "confdtree", learner="J48 -M 5", aim=PROMISE, pure=False) for _ in range(4)
        ]
        assert {model_bytes(model) for model in client.gather(jobs)} == {alone}


ESTIMATORS = {
    "--learner CART": CARTClassifier(),
    "--learner CART --method confdtree:variant=tdist": ConfDTreeClassifier(learner="CART", variant="tdist"),
    "--learner CART --method shrinkage:numeric=bins": ShrinkageClassifier(learner=CARTClassifier()),
    "--learner J48\\ -M\\ 5": J48Classifier(min_num_obj=5),
}


@pytest.mark.parametrize("how", ["none", "a share", "other rows"])
@pytest.mark.parametrize("words", ESTIMATORS)
def test_an_estimator_holds_what_the_command_line_writes(words, how, folder, good):
    """Of a table of numbers that is named as estimators name theirs, whose classes come in their order."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(300, 3)).round(3), columns=["a", "b", "c"])
    y = pd.Series(np.where(X.sum(axis=1) + rng.normal(size=300) * 0.3 > 0, "yes", "no").astype(object), name="out")
    y.iloc[:2] = ["no", "yes"]
    known, later = slice(0, 200), slice(200, None)
    X[known].assign(out=y[known]).to_csv("X.csv", index=False)
    X[later].assign(out=y[later]).to_csv("later.csv", index=False)
    options, given = "", {}
    if how != "none":
        options = " --target-error 0.2 --confidence 0.9 --class-sets 0.9"
        given = {"target_error": 0.2, "confidence": 0.9, "calibrate": 0.3}
    if how == "other rows":
        options += " --calibrate later.csv"
        given["calibrate"] = (X[later], y[later])
    good("fit", "X.csv", *shlex.split(words + options), "-d", "c.wct")
    estimator = RejectOption(ESTIMATORS[words], **given) if given else ESTIMATORS[words]
    estimator.fit(X[known], y[known]).model_.save("p.wct")
    assert (folder / "c.wct").read_bytes() == (folder / "p.wct").read_bytes()


def test_in_ten_lines_from_a_table_to_an_exported_promise(folder):
    known = wc.load_table("known.csv", id="name")
    model = wc.fit(known, "leaf_frequency", learner="CART", aim=wc.Aim("error", 0.4, confidence=0.9))
    model.save("m.wct")
    model = wc.load("m.wct")
    later = wc.load_table("later.csv", header=model)
    answer = model.answer(later)
    assert answer.is_rejected.tolist() == model.reject(later).tolist() and answer.outside.rows.sum() == 1
    assert not model.check(later).is_broken and len(model.check(later)) == 60
    model.export("m.py")
    assert (folder / "m.py").stat().st_size > 1000


def test_a_file_or_a_frame_is_no_data_set():
    with pytest.raises(wc.OptionError, match=r"read the file with load_table or load_arff, with header=model"):
        wc.fit("iris.csv")
    with pytest.raises(wc.OptionError, match=r"from_pandas\(frame, class_attribute='…'\)"):
        wc.fit(pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}))
