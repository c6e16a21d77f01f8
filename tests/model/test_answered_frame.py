"""A frame is answered by a frame: with pandas, polars and Dask, in threads and in other processes."""

import os
import pickle
import resource
import signal
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from support.command_line import ARFF
from support.threaded import at_once

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError
from wekaconf.data import summarise
from wekaconf.data.table_files import Reading

METHODS = ("leaf_frequency", "confdtree", "m_branch", "shrinkage", "boundary_distance", "id3_max")


@pytest.fixture(scope="module")
def data():
    return wc.load_arff(ARFF / "iris.arff")


def model_of(data, method="m_branch", threshold=0.9, reading=None):
    fitted = wc.method(method).fit(wc.CART().grow(data), data)
    choice = None if threshold is None else wc.choose_threshold([], [], below=threshold)
    return wc.Model(fitted, choice=choice, reading=reading or Reading())


@pytest.fixture
def frame(data):
    names = [attribute.name for attribute in data.attributes[:-1]]
    frame = pd.DataFrame(data.values[:, :-1], columns=names)
    frame.insert(2, "patient", [f"p{i}" for i in range(len(frame))])
    frame["note"] = "none"
    return frame.set_index(pd.Index(np.arange(len(frame)) * 3, name="row"))


@pytest.mark.parametrize("method", METHODS)
def test_answers_are_those_of_the_model(data, frame, method):
    model = model_of(data, method)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model.answer_frame(frame, ["patient"])
    answer = model.answer(data)
    classes = [f"distribution_{name}" for name in data.class_names]
    assert found.columns.tolist() == ["patient", "rejected", "predicted", *classes, "certainty", "reason"]
    assert found.index.equals(frame.index) and found["patient"].equals(frame["patient"])
    assert found["predicted"].tolist() == [data.class_names[c] for c in answer.predicted]
    np.testing.assert_array_equal(found["certainty"], answer.certainty)
    np.testing.assert_array_equal(found["rejected"], answer.rejected(0.9))
    np.testing.assert_array_equal(found[classes], answer.proba)
    assert found["reason"].tolist() == list(answer.reasons[np.arange(150)])


def test_paths_on_request(data, frame):
    model = model_of(data)
    answered = model.answer_frame(frame, paths=True)
    assert [*answered.columns][-2:] == ["reason", "path"]
    assert answered["path"].tolist() == model.answer(frame).paths[:] == model.answer(data).columns(paths=True)["path"]
    assert answered["path"].iloc[0] == "petal width (cm) 0.2 <= 0.8 → setosa (50 of 50)"
    assert model.answer_frame(pl.from_pandas(frame), paths=True)["path"].to_list() == answered["path"].tolist()
    forest = wc.RandomForest(options="-I 2").grow(data)
    with pytest.raises(wc.OptionError, match="a forest answers by many trees"):
        wc.Model(wc.LeafFrequency().fit(forest, data)).answer_frame(frame, paths=True)
    with pytest.raises(wc.OptionError, match="answers that were pickled keep none"):
        pickle.loads(pickle.dumps(model.method.answer(data))).paths  # noqa: B018


def test_polars_gives_polars(data, frame):
    model = model_of(data)
    expected = model.answer_frame(frame, ["patient"])
    found = model.answer_frame(pl.from_pandas(frame), ["patient"])
    assert isinstance(found, pl.DataFrame) and found.equals(pl.from_pandas(expected))
    alone = model.answer_frame(pl.from_pandas(frame), reasons=False)
    assert alone.columns == [name for name in expected.columns if name not in ("patient", "reason")]


@pytest.mark.parametrize("convert", [lambda frame: frame, pl.from_pandas], ids=["pandas", "polars"])
def test_no_rows_have_the_same_columns_and_types(data, frame, convert):
    model = model_of(data)
    some, none = (model.answer_frame(convert(rows), ["patient"]) for rows in (frame, frame[:0]))
    assert len(none) == 0 and list(none.columns) == list(some.columns)
    assert list(none.dtypes) == list(some.dtypes)
    joined = pd.concat([none, some]) if isinstance(some, pd.DataFrame) else pl.concat([none, some])
    assert joined.equals(some)


def test_the_identifier_of_the_model_travels_along(data, frame):
    model = model_of(data, threshold=None, reading=Reading(id="patient"))
    assert model.answer_frame(frame).columns[:2].tolist() == ["patient", "predicted"]
    assert "rejected" not in model.answer_frame(frame)
    assert model.answer_frame(frame.drop(columns="patient")).columns[0] == "predicted"
    assert model.answer_frame(frame, []).columns[0] == "predicted"


def test_rows_may_lack_values_and_columns_change_places(data, frame):
    model = model_of(data)
    shuffled = frame[frame.columns[::-1]].copy()
    pd.testing.assert_frame_equal(model.answer_frame(shuffled), model.answer_frame(frame))
    frame.iloc[:, 0] = np.nan
    assert len(model.answer_frame(frame)) == 150


@pytest.mark.parametrize(("change", "keep", "error", "message"), [
    (lambda f: f.to_numpy(), None, wc.OptionError, "expected a DataFrame or an Arrow stream, got ndarray"),
    (lambda f: f["note"], None, wc.OptionError, "expected a DataFrame or an Arrow stream, got Series"),
    (lambda f: f, ["patiens"], wc.OptionError, "no column 'patiens' in the frame; did you mean 'patient'"),
    (lambda f: f.assign(certainty=1), ["certainty"], wc.OptionError, "'certainty' would stand beside an answer"),
    (lambda f: f.drop(columns=f.columns[0]), None, HeaderMismatchError, "sepal"),
    (lambda f: f.assign(**{f.columns[0]: "long"}), None, wc.OptionError, "sepal"),
])  # fmt: skip
def test_frames_that_cannot_be_answered(data, frame, change, keep, error, message):
    with pytest.raises(error, match=message):
        model_of(data).answer_frame(change(frame), keep)


def test_threads_and_pickles_answer_alike(data, frame):
    model = model_of(data, "confdtree")
    copy = pickle.loads(pickle.dumps(model))
    expected = copy.answer_frame(frame)
    for each in at_once(lambda _: model.answer_frame(frame)):
        pd.testing.assert_frame_equal(each, expected)


def test_a_pickle_holds_no_training_rows(data):
    many = data.take(np.tile(np.arange(150), 400))
    sizes = [len(pickle.dumps(model_of(rows, "m_branch"))) for rows in (data, many)]
    assert sizes[1] < 2 * sizes[0] < 1_000_000


# ---- rows beyond those of training ----


def with_summary(data, **kwargs):
    return replace(model_of(data, **kwargs), summary=summarise(data))


@pytest.mark.parametrize("convert", [lambda frame: frame, pl.from_pandas], ids=["pandas", "polars"])
def test_rows_outside_are_told_or_rejected(data, frame, convert):
    frame.iloc[4, 0], frame.iloc[7, 0] = 79.0, np.nan
    model = with_summary(data)
    noted, rejected = (model.answer_frame(convert(frame), outside=outside) for outside in ("note", "reject"))
    told = [""] * 150
    told[4] = f"{data.attributes[0].name} 79, training at most 7.9"
    assert noted.columns[-1] == "outside" and list(noted["outside"]) == list(rejected["outside"]) == told
    assert not noted["rejected"][4 if isinstance(noted, pl.DataFrame) else noted.index[4]]
    assert (np.asarray(noted["rejected"]) != np.asarray(rejected["rejected"])).nonzero()[0].tolist() == [4]
    was = list(noted["reason"])[4].removeprefix("answered ").removesuffix(f"; outside training: {told[4]}")
    given, _, why = was.partition(": ")
    refused = f"rejected, refer to a human; {given} would be the answer, but the row lies outside the training data"
    assert list(rejected["reason"])[4] == f"{refused}: {why}; outside training: {told[4]}"
    assert list(rejected.columns)[:2] == ["rejected", "predicted"]
    none = model.answer_frame(convert(frame)[:0], outside="reject")
    assert list(none.columns) == list(rejected.columns) and list(none.dtypes) == list(rejected.dtypes)


def test_a_distance_names_what_is_outside_and_rows_are_rejected_without_a_threshold(data, frame):
    frame.iloc[4, 0] = 79.0
    model = with_summary(data, method="boundary_distance", threshold=None)
    found = model.answer_frame(frame)
    assert found["reason"].iloc[4].endswith(f"outside training: {data.attributes[0].name} 79, training at most 7.9")
    assert "rejected" not in found
    assert model.answer_frame(frame, outside="reject")["rejected"].to_numpy().nonzero()[0].tolist() == [4]
    assert "outside" not in replace(model, summary=None).answer_frame(frame)


def test_values_that_training_did_not_have_are_outside():
    rows = pd.DataFrame({"colour": list("rgb") * 20, "class": list("xyx") * 20})
    train = wc.Dataset.from_pandas(rows)
    fitted = wc.method("leaf_frequency").fit(wc.CART(nominal="one_hot").grow(train), train)
    model = wc.Model(fitted, summary=summarise(train))
    with pytest.warns(wc.Note, match="value 'p' of 'colour' was not seen"):
        found = model.answer_frame(pd.DataFrame({"colour": ["r", "p"]}))
    assert found["outside"].tolist() == ["", "colour 'p', not seen in training"]


def test_what_is_outside_cannot_be_told_without_a_summary(data, frame):
    with pytest.raises(wc.OptionError, match="keeps no summary of its training data"):
        model_of(data).answer_frame(frame, outside="reject")
    with pytest.raises(wc.OptionError, match="outside: expected 'note' or 'reject', got 'drop'"):
        with_summary(data).answer_frame(frame, outside="drop")


# ---- Dask ----

N_PARTS, N_ROWS = 12, 3000


@pytest.fixture(scope="module")
def parquet(data, tmp_path_factory):
    """A folder of Parquet files, one per partition."""
    folder = tmp_path_factory.mktemp("rows")
    rng = np.random.default_rng(1)
    names = [attribute.name for attribute in data.attributes[:-1]]
    for part in range(N_PARTS):
        cells = data.values[rng.integers(0, 150, N_ROWS), :-1] + rng.normal(scale=0.1, size=(N_ROWS, 4))
        frame = pd.DataFrame(cells, columns=names).assign(id=np.arange(N_ROWS) + part * N_ROWS)
        frame.to_parquet(folder / f"{part:03}.parquet")
    return folder


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_partitions_are_answered_as_the_whole_with_flat_memory_and_a_killed_worker(data, parquet, tmp_path):
    distributed, dd = pytest.importorskip("distributed"), pytest.importorskip("dask.dataframe")
    model = model_of(data, "confdtree")
    whole = pd.concat(map(pd.read_parquet, sorted(parquet.glob("*.parquet"))))
    expected = model.answer_frame(whole, ["id"]).set_index("id")
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        rows = dd.read_parquet(parquet)
        assert rows.npartitions == N_PARTS
        answers = rows.map_partitions(model.answer_frame, ["id"], meta=model.answer_frame(rows._meta, ["id"]))
        answers.partitions[:4].to_parquet(tmp_path / "few")
        before = max(client.run(most_memory).values())
        answers.to_parquet(tmp_path / "all")
        assert max(client.run(most_memory).values()) < 1.25 * before

        running = client.compute(answers)
        victim = next(iter(client.run(os.getpid).values()))
        os.kill(victim, signal.SIGKILL)
        pd.testing.assert_frame_equal(running.result().set_index("id").sort_index(), expected.sort_index())
    written = pd.read_parquet(tmp_path / "all").set_index("id").sort_index()
    pd.testing.assert_frame_equal(written, expected.sort_index())


def most_memory():
    """The most memory that this process has had, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
