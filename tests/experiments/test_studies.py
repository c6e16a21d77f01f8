"""Studies: what they ask, how they run on one or several processes or on Dask, and how they survive their end."""

import fractions
import json
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from contextlib import suppress
from functools import partial

import joblib
import numpy as np
import psutil
import pytest
from joblib._parallel_backends import ThreadingBackend
from support.command_line import ARFF, COMMAND
from support.dask_cluster import dask_cluster
from support.fresh_python import child
from support.growers import grow_cart
from support.kept_pieces import n_pieces
from support.processes import group, started, wait_until
from support.random_trees import ON_NUMBERS, made
from test_store import assert_same

import wekaconf as wc
from wekaconf.base.errors import BridgeError, StoreError
from wekaconf.base.files import digest_of_file
from wekaconf.bridge._versions import code_digest, digest_of_class
from wekaconf.cli.progress import ProgressBar
from wekaconf.data.catalogue import data_files
from wekaconf.evaluation.cross_validation import CrossValidation, FoldAnswers
from wekaconf.evaluation.cross_validation._fold_answers import Fold
from wekaconf.experiments.runner import Measurement, Plan, measure_each
from wekaconf.experiments.runner._measurement import split_work
from wekaconf.experiments.store import JOB_OF_STUDY, Job
from wekaconf.experiments.store._stored_answers import packed as bytes_of
from wekaconf.experiments.studies import Study, StudyStatus, study_status, unfinished
from wekaconf.experiments.studies._running import _job_text
from wekaconf.experiments.studies._study import study_of
from wekaconf.experiments.workers import Pool, Task, dask_workers, follower, one_value
from wekaconf.experiments.workers._pool import (
    _end_workers,
    _run_here,
    _run_in_worker,
    _Settings,
    _take_outcome,
)
from wekaconf.experiments.workers._signals import _no_standard_error, _silence_tracker, starting_workers
from wekaconf.methods.transductive._base import Transductive
from wekaconf.tree import first_use

POSIX = pytest.mark.skipif(os.name == "nt", reason="kills processes and their groups")


@pytest.fixture
def sets(tmp_path):
    """A folder of three data sets."""
    folder = tmp_path / "sets"
    folder.mkdir()
    for name in ("iris", "wine", "coins"):
        shutil.copy(ARFF / f"{name}.arff", folder)
    return folder


@pytest.fixture
def study(sets, tmp_path):
    """Writes a study and gives its path."""

    def written(*lines, data='data = ["sets"]', methods='methods = ["leaf_frequency", "confdtree"]'):
        path = tmp_path / "study.toml"
        path.write_text("\n".join([data, methods, *lines]) + "\n")
        return path

    return written


# -- what is asked -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['method = ["tpce"]'], "no key 'method' in a study; did you mean 'methods'?"),
        (['learners = ["J84"]'], "no learner 'J84'; did you mean 'J48'?"),
        (["[[protocol]]", "fold = 3"], "no key 'fold' in a protocol; did you mean 'folds'?"),
        (["[[protocol]]", 'aim = "keep lots"'], "keep expects a share"),
        (["[[protocol]]", "confidence = 0.9"], "confidence: a confidence, or costs, belong to an aim"),
        (['aim = "error 0.05"'], "aim: belongs to a protocol; write it below a line [[protocol]]"),
        (["runs = 0"], "runs: expected a whole number of at least 1"),
        (['class = 3'], "class: expected a text, got 3"),
        (["learners = 3"], "learners: expected a list of texts, got 3"),
        (["learners = []"], "learners: expected at least one, got none"),
        (['learners = ["J48", "J48"]'], "learners: 'J48' is given twice"),
        (["protocol = 3"], "protocol: expected tables"),
        (["runs = "], "is not TOML"),
        (["[[protocol]]", 'aim = "kep 0.9"'], "an aim must be one of 'below', 'keep', 'error', 'coverage', "
         "'cost', 'chow', 'mean_cost', got 'kep'; did you mean 'keep'?"),
        (["[[protocol]]", "split = [20, 0]"], "split: expected a share"),
        (["[[protocol]]", "preprocess = [1]"], "no preprocessing '[1]'"),
        (["[[protocol]]", "known = [0, 1]"], "known: expected a list of class names, or one per run, got [0, 1]"),
        (["[[protocol]]", "aim = 2024-01-01"], "aim: expected an Aim, such as"),
        (["seed = " + "1" * 5000], "is not TOML"),
        (["na = " + "[" * 2000], "is not TOML"),
    ],
)  # fmt: skip
def test_a_study_that_cannot_be(jvm, study, lines, message):
    path = study(*lines)
    with pytest.raises(wc.OptionError) as told:
        wc.read_study(path)
    assert str(told.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"methods": 'methods = ["confdtre"]'}, "no method 'confdtre'; did you mean 'confdtree'?"),
        ({"methods": "methods = []"}, "methods: expected at least one, got none"),
        ({"methods": ""}, r"methods: expected a list such as methods = \['leaf_frequency'\], got none"),
        ({"data": ""}, r"data: expected a list such as data = \['iris.arff'\], got none"),
        ({"data": "data = []"}, "data: expected at least one, got none"),
    ],
)
def test_names_that_are_wrong_or_missing(study, given, message):
    with pytest.raises(wc.OptionError, match=message.replace("?", r"\?")):
        wc.read_study(study(**given))


def test_a_name_that_no_file_can_have():
    with pytest.raises(wc.OptionError, match=r"is not TOML \(embedded null byte"):
        wc.read_study("a\0.toml")


@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_a_study_as_an_editor_of_windows_saves_it(study, sets, mark):
    path = study("folds = 3")
    path.write_bytes((mark + path.read_text()).replace("\n", "\r\n").encode())
    assert wc.read_study(path).files() == [str(sets / f"{name}.arff") for name in ("coins", "iris", "wine")]


def test_a_study_with_patterns_and_the_home_folder(good, study, sets, tmp_path, monkeypatch):
    """Expanded whenever the study runs; a name with a bracket is a name where such a file exists."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (sets / "[w].arff").write_text((sets / "wine.arff").read_text())
    (sets / "notes.txt").write_text("no data")

    def names(data):
        return [
            os.path.relpath(file, sets) for file in wc.read_study(study("folds = 3", data=f"data = {data}")).files()
        ]

    assert names('["sets/*in*.arff"]') == ["coins.arff", "wine.arff"]
    assert names('["~/sets/[w].arff"]') == ["[w].arff"]
    assert names('["**/[ci]*.arff"]') == ["coins.arff", "iris.arff"]
    assert names('["~/sets/iris.arff"]') == ["iris.arff"]
    with pytest.raises(wc.OptionError, match=r"sets/\*\.csv: no file has a name of this pattern; check the pattern"):
        names('["sets/*.csv"]')
    only = {"data": 'data = ["sets/?ine.arff"]', "methods": 'methods = ["leaf_frequency"]'}
    path = study("folds = 3", 'learners = ["CART"]', **only)
    assert good("study", "run", path, "--store", "s") == "study: 1 of 1 evaluations done\n"
    shutil.copy(ARFF / "iris.arff", sets / "fine.arff")
    assert good("study", "run", "--store", "s") == "study: 2 of 2 evaluations done\n"


def test_a_pattern_looks_into_the_folder_of_the_study_whatever_its_name(sets, tmp_path):
    folder = tmp_path / "a[b]"
    folder.mkdir()
    shutil.copy(ARFF / "iris.arff", folder)
    (folder / "study.toml").write_text('data = ["*.arff"]\nmethods = ["leaf_frequency"]\n')
    assert wc.read_study(folder / "study.toml").files() == [str(folder / "iris.arff")]


@pytest.mark.parametrize("path", [r"C:\Users\me\iris.arff", r"d:\data\iris.arff", r"C:\new\table.arff", r"sets\\"[:-1]])
def test_a_path_of_windows_in_double_quotes(study, path):
    with pytest.raises(
        wc.OptionError, match=r"; write a path with backslashes in single quotes, such as 'C:\\data\\iris"
    ):
        wc.read_study(study(data=f'data = ["{path}"]')).files()
    with pytest.raises(wc.OptionError) as told:
        wc.read_study(study("folds =")).files()
    assert "single quotes" not in str(told.value)


def test_who_is_measured_on_what():
    """A method of its own learner there alone; one that reads single trees on no forest."""
    given = {"data": ("x",), "methods": ("leaf_frequency", "boundary_distance", "id3_sd", "tpce")}
    assert Study(**given).methods_by_learner() == {"usual": list(given["methods"])}
    assert Study(**given, learners=("J48 -U", "RandomForest -I 3")).methods_by_learner() == {
        "J48 -U": ["leaf_frequency", "boundary_distance"], "RandomForest -I 3": ["leaf_frequency"],
        "usual": ["id3_sd", "tpce"],
    }  # fmt: skip
    with pytest.raises(wc.OptionError, match="'boundary_distance' reads single trees, and every learner grows forests"):
        Study(data=("x",), methods=("boundary_distance",), learners=("RandomForest",))


def test_methods_of_several_usual_learners_are_what_the_study_asks_for(run, study):
    """So no note advises to give one learner."""
    path = study("folds = 2", data='data = ["sets/iris.arff"]', methods='methods = ["leaf_frequency", "id3_sd"]')
    ended = run("study", "run", path, "--store", "s")
    assert (ended.code, ended.out) == (0, "study: 2 of 2 evaluations done\n")
    assert "several learners" not in ended.err


@pytest.mark.parametrize(("learner", "protocols", "words"), [
    ("usual", ({},), "wpe on iris"), ("J48 -U", ({},), "wpe with J48 -U on iris"),
    ("usual", ({}, {"folds": 2}), 'wpe on iris, protocol {"folds": 2}'),
])  # fmt: skip
def test_a_job_is_named_by_what_differs_in_its_study(learner, protocols, words):
    job = Job("iris", learner, "wpe", '{"folds": 2}')
    assert _job_text(job, Study(data=("x",), methods=("wpe",), protocols=protocols)) == words


@pytest.mark.parametrize(("n_to_do", "n_failed", "words"), [
    (0, 0, "s: 5 of 5 evaluations done"), (2, 1, "s: 2 of 5 evaluations done, 1 failed, 2 to do"),
    (0, 1, "s: 4 of 5 evaluations done, 1 failed"), (1, 0, "s: 4 of 5 evaluations done, 1 to do"),
])  # fmt: skip
def test_the_state_of_a_study_in_one_line(n_to_do, n_failed, words):
    jobs = [Job("iris", "usual", f"m{number}", "{}") for number in range(n_to_do + n_failed)]
    assert str(StudyStatus("s", 5, tuple(jobs[n_failed:]), dict.fromkeys(jobs[:n_failed], "odd"))) == words


def test_what_other_versions_have_measured_is_done_again_and_yet_not_missing(tmp_path):
    """A failure counts where no version has a result."""
    study = Study((str(ARFF / "iris.arff"),), ("wpe", "tpce", "m_branch", "confdtree"))
    outcomes = ("wpe", None), ("wpe", "slow"), ("tpce", "x"), ("tpce", "y"), ("m_branch", "z"), ("m_branch", None)
    with wc.Store(tmp_path / "s") as store:
        store.keep_study(study.content(), {study.data[0]: ("iris", "1")})
        for number, (method, error) in enumerate(outcomes):
            store.enter(bytes([number]), JOB_OF_STUDY, Job("iris", "usual", method, "{}")._asdict(), error=error)
        assert unfinished(store) == (["confdtree on iris"], ["tpce on iris: x"])
    assert str(study_status(tmp_path / "s")) == "study: 0 of 4 evaluations done, 4 to do"


def test_data_sets_need_names_of_their_own(study, sets, tmp_path):
    shutil.copy(sets / "iris.arff", tmp_path)
    path = study(data='data = ["sets", "iris.arff"]')
    with pytest.raises(wc.OptionError, match=r"data: '.*iris.arff', '.*iris.arff' have the same name, without"):
        wc.run_study(path, tmp_path / "s")


def test_folders_and_patterns(sets, tmp_path):
    (sets / "README.txt").write_text("no data")
    (sets / "t.csv").write_text("a,b\n1,x\n")
    assert [os.path.basename(path) for path in data_files([str(sets)])] == [
        "coins.arff", "iris.arff", "t.csv", "wine.arff"
    ]  # fmt: skip
    assert data_files(["a.arff", "-"]) == ["a.arff", "-"]
    patterns = [str(sets / pattern) for pattern in ("[iw]*.arff", "coins.*")]
    assert data_files(patterns) == [str(sets / f"{name}.arff") for name in ("iris", "wine", "coins")]
    (tmp_path / "empty").mkdir()
    with pytest.raises(wc.OptionError, match="empty: no data set in this folder; expected files that end in"):
        data_files([str(tmp_path / "empty")])


def test_copies_of_a_data_set_are_noted(run, study, sets, tmp_path):
    """As they count in tests over the data sets; files of one size that differ are no copies."""
    shutil.copy(sets / "iris.arff", sets / "flowers.arff")
    (sets / "other.arff").write_text((sets / "iris.arff").read_text().replace("5.1", "5.2", 1))
    said = (
        f"note: {sets / 'flowers.arff'}, {sets / 'iris.arff'} are equal to the last byte, and count as 2 data sets, "
        "also in tests over the data sets; leave out all but one"
    )
    path = study("folds = 2", 'learners = ["CART"]', methods='methods = ["leaf_frequency"]')
    few = "--method", "leaf_frequency", "--learner", "CART", "-x", "2"
    for words in (("study", "run", path, "--store", "s"), ("evaluate", sets, *few)):
        ended = run(*words)
        assert ended.code == 0 and " ".join(ended.err.split()).count(said) == 1
    assert "equal to the last byte" not in run("evaluate", sets / "iris.arff", sets / "other.arff", *few).err


# -- running -------------------------------------------------------------------------------------------------------


@pytest.mark.one_commit_in(3)
def test_one_process_or_two(jvm, study, tmp_path):
    """Bit for bit the same, equal to evaluate, and nothing is done again."""
    path = study("folds = 4", 'learners = ["usual", "CART"]', "[[protocol]]", "runs = 2", "[[protocol]]", "split = 0.6")
    outcomes = [wc.run_study(path, tmp_path / f"{jobs}", jobs=jobs) for jobs in (1, 2)]
    assert [(each.n_jobs, each.n_done, each.failed) for each in outcomes] == [(24, 24, {})] * 2
    with wc.Store(tmp_path / "1") as one, wc.Store(tmp_path / "2") as two:
        assert_same(two.evaluation(), one.evaluation())
        found = {(r.record["dataset"], r.record["learner"], r.record["protocol"]): r for r in one.results()}
        assert len(one.records()) == 24
    for learner in ("J48", "CART"):
        [wanted] = wc.evaluate(
            wc.load_arff(ARFF / "wine.arff"), "confdtree", folds=4, runs=2, learner=learner, name="wine"
        )
        assert_same([found["wine", learner, "4-fold cross-validation"]], [wanted])
    steps = []
    assert wc.run_study(None, tmp_path / "2", on_progress=lambda *step: steps.append(step)) == outcomes[0]
    assert steps == []


def test_what_fails_is_recorded_and_the_rest_goes_on(run, study, sets, tmp_path):
    """A file that is none, a class that nothing can be learned from, a method that the data do not suit."""
    (sets / "bad.arff").write_text("nonsense")
    (sets / "one.arff").write_text("@relation one\n@attribute x numeric\n@attribute y {a}\n@data\n1,a\n2,a\n")
    (sets / "iris.arff").rename(sets / "fine.arff")
    shutil.copy(ARFF / "missing-weights.arff", sets)
    path = study("folds = 3", 'learners = ["CART"]', methods='methods = ["wpe", "confdtree"]')
    ended = run("study", "run", path, "--store", "s")
    assert ended.code == 1
    lines = ended.err.splitlines()
    assert lines[-1] == "error: 8 of 12 evaluations failed; --again tries them again"
    failed = [line for line in lines if line.startswith("failed: ")]
    assert sum(line.startswith("failed: bad, wpe, confdtree on CART: ") for line in failed) == 1
    assert sum("wpe compares nominal values" in line for line in failed) == 4
    assert len(failed) == 6
    status = run("study", "status", "--store", "s")
    assert status.code == 0
    assert status.out.splitlines() == ["study: 4 of 12 evaluations done, 8 failed", *failed]
    shutil.copy(ARFF / "wdbc.arff", sets / "bad.arff")
    changed = run("study", "run", path, "--store", "s")
    assert changed.code == 1
    assert "changed since they were measured: bad (" in changed.err and changed.err.count("\n") == 1


@pytest.mark.parametrize(("n", "more"), [(11, []), (12, ["and 2 more"])])
def test_ten_failures_are_told(run, study, tmp_path, n, more):
    (tmp_path / "many").mkdir()
    for place in range(n):
        (tmp_path / f"many/bad{place:02}.arff").write_text("nonsense")
    path = study("folds = 2", 'learners = ["CART"]', data='data = ["many"]', methods='methods = ["leaf_frequency"]')
    lines = run("study", "run", path, "--store", "s").err.splitlines()
    assert sum(line.startswith("failed: bad") for line in lines) == (n if not more else 10)
    assert [line for line in lines if line.startswith("and ")] == more


def test_status_and_export(run, good, study, tmp_path):
    assert "there is no such store" in run("study", "status", "--store", "none").err
    asked = run("study", "run", "none.toml", "--store", "none")
    assert asked.err == "error: none.toml: no such file; check the name and the folder\n"
    wc.Store(tmp_path / "empty").close()
    assert "holds no study; begin one with wekaconf study run" in run("study", "run", "--store", "empty").err
    assert "nothing is finished yet" in run("study", "export", "--store", "empty", "-o", "x.csv").err
    assert "there is no such store" in run("study", "export", "--store", "none", "-o", "x.csv").err
    good("study", "run", study("folds = 3", "runs = 2"), "--store", "s")
    assert good("study", "status", "--store", "s") == "study: 6 of 6 evaluations done\n"
    good("study", "export", "--store", "s", "-o", "x.csv")
    good("study", "export", "--store", "s", "-o", "x.parquet")
    good("study", "export", "--store", "s", "-o", "x.arff")
    assert len(wc.load_arff("x.arff")) == 3 * 2 * 2 * 3
    good("study", "export", "--store", "s", "-o", "x")
    assert (tmp_path / "x").read_bytes() == (tmp_path / "x.csv").read_bytes()
    other = run("study", "export", "--store", "s", "-o", "x.xlsx")
    assert other.code == 1 and "expected a name that ends in .csv, .json, .parquet, .pq, .arff or .arff.gz" in other.err
    import pandas as pd

    frames = pd.read_csv(tmp_path / "x.csv"), pd.read_parquet(tmp_path / "x.parquet")
    assert [len(frame) for frame in frames] == [3 * 2 * 2 * 3] * 2
    assert list(frames[0].columns) == list(frames[1].columns)
    np.testing.assert_allclose(frames[0]["brier"], frames[1]["brier"], rtol=1e-11)
    with wc.Store(tmp_path / "s") as store:
        for record in store.records():
            for frame in frames:
                rows = frame[(frame["dataset"] == record["dataset"]) & (frame["method"] == record["label"])]
                assert rows["auc_mean"].mean() == pytest.approx(record["fold_mean"]["auc_mean"], rel=1e-11)


def test_data_that_are_not_there(run, study, sets):
    """The nearest name, before anything is measured; also of a study that was begun."""
    ended = run("study", "run", study(data='data = ["sets/irs.arff"]'), "--store", "s")
    assert (
        ended.code == 1
        and f"error: data: no such file or folder: '{sets / 'irs.arff'}'; did you mean 'iris.arff'?" in ended.err
    )
    ended = run("study", "run", study(data='data = ["nowhere/x.arff"]'), "--store", "s")
    assert "nowhere/x.arff'; check the name and the folder" in ended.err


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="names of files are texts")
def test_a_name_that_is_no_text_cannot_be_kept(study, sets):
    (sets / "iris.arff").rename(os.path.join(os.fsencode(sets), b"iris\xff.arff").decode(errors="surrogateescape"))
    with pytest.raises(wc.OptionError, match="a store keeps this name as text, and it is none in the encoding"):
        wc.read_study(study()).files()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"methods": ["wpe"]}, "data: expected a list such as data = "),
        ({"data": ["iris.arff"]}, "methods: expected a list such as methods = "),
        ({"data": ["iris.arff"], "methods": ["wpe"], "moon": 1}, "no key 'moon' in a study"),
        ({"data": ["iris.arff", 1], "methods": ["wpe"]}, "data: expected a list of texts, got"),
    ],
)
def test_what_is_no_study(content, message):
    with pytest.raises(wc.OptionError, match=message):
        study_of(content)


def test_columns_are_read_as_the_study_says(run, good, study, tmp_path):
    """A class of 0 and 1, a column to leave out, a text for missing; another reading is another question."""
    rows = [f"{i},{i % 7 if i % 5 else -9},{int(i % 3 == 0)}" for i in range(30)]
    (tmp_path / "t.csv").write_text("\n".join(["id,x,y", *rows]) + "\n")
    only = {"data": 'data = ["t.csv"]', "methods": 'methods = ["leaf_frequency"]'}
    ended = run("study", "run", study("folds = 3", **only), "--store", "s")
    assert ended.code == 1 and "class 'y' is numeric" in ended.err and "nominal=['y']" in ended.err
    keys = ('nominal = ["y"]', 'ignore = ["id"]', 'na = ["-9"]', "folds = 3")
    assert "1 of 1 evaluations done" in good("study", "run", study(*keys, **only), "--store", "s")
    expected = wc.evaluate(wc.load_table("t.csv", nominal=["y"], ignore=["id"], na=["-9"]), ["leaf_frequency"], folds=3)
    with wc.Store("s") as store:
        assert [record["pooled"] for record in store.records()] == [record["pooled"] for record in expected.records]
    assert "1 of 1 evaluations done" in good("study", "run", "--store", "s")


def test_advice_is_in_the_keys_of_the_study(run, study, tmp_path):
    """Not in options that the command does not have."""
    rows = [f"{i},{i % 7},{'ab'[i % 2]},1" for i in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["id,x,y,z", *rows]) + "\n")
    only = {"data": 'data = ["t.csv"]', "methods": 'methods = ["leaf_frequency"]'}
    ended = run("study", "run", study("folds = 3", "class = 'y'", **only), "--store", "s")
    assert "note: " in ended.err and "'id' nearly numbers the rows; ignore=['id'] leaves it out\n" in ended.err
    ended = run("study", "run", study("folds = 3", "ignore = ['id', 'z']", **only), "--store", "s")
    assert "so the class is 'y'; choose another with class\n" in ended.err and "--" not in ended.err
    pytest.importorskip("distributed")
    ended = run("study", "run", study("folds = 4", **only), "--store", "s", "--scheduler", "nonsense://1")
    assert ended.code == 1 and ended.err.splitlines()[-1].startswith("error: --scheduler: ")


def test_columns_that_a_set_lacks_are_passed_over(run, good, study, tmp_path):
    """Of tables and ARFF, left out or with a kind; one that no set has is refused before the store knows the study."""
    rows = [f"P{i},{i},{i % 7},{int(i % 3 == 0)}" for i in range(30)]
    (tmp_path / "one.csv").write_text("\n".join(["patient,x,ward,y", *rows]) + "\n")
    (tmp_path / "other.csv").write_text("\n".join(["x,y", *(f"{i},{int(i % 3 == 0)}" for i in range(30))]) + "\n")
    only = {
        "data": 'data = ["one.csv", "other.csv", "sets/iris.arff"]', "methods": 'methods = ["leaf_frequency"]',
    }  # fmt: skip
    keys = ("folds = 3", 'learners = ["CART"]', 'nominal = ["ward", "y"]', 'ignore = ["patient"]')
    assert good("study", "run", study(*keys, **only), "--store", "s") == "study: 3 of 3 evaluations done\n"
    data = wc.load_table("one.csv", nominal=["ward", "y"], ignore=["patient"])
    [wanted] = wc.evaluate(data, "leaf_frequency", learner="CART", folds=3).records
    with wc.Store("s") as store:
        assert store.records()[0]["pooled"] == wanted["pooled"]
    wrong = run("study", "run", study(*keys[:3], 'ignore = ["patients"]', **only), "--store", "s")
    assert (wrong.code, wrong.err) == (
        1, "error: ignore: no column 'patients' in any of the 3 data sets; did you mean 'patient'?\n",
    )  # fmt: skip
    assert good("study", "status", "--store", "s") == "study: 3 of 3 evaluations done\n"


def test_evaluate_leaves_out_the_columns_that_a_file_has(run, good, tmp_path):
    """A file that cannot be read fails by itself."""
    (tmp_path / "one.csv").write_text("\n".join(["id,x,y", *(f"P{i},{i},{'ab'[i % 2]}" for i in range(30))]) + "\n")
    (tmp_path / "other.csv").write_text("\n".join(["x,y", *(f"{i},{'ab'[i % 2]}" for i in range(30))]) + "\n")
    words = ["evaluate", "one.csv", "other.csv", "--learner", "CART", "-x", 3]
    found = json.loads(good(*words, "--ignore", "id", "--json"))
    one, other = (record["pooled"] for record in found)
    assert one == other
    ended = run(*words, "--ignore", "idd")
    assert (ended.code, ended.err.splitlines()[-1]) == (
        1, "error: --ignore: no column 'idd' in any of the 2 data sets; did you mean 'id'?"
    )  # fmt: skip
    (tmp_path / "bad.arff").write_text("nonsense")
    ended = run(*words, "bad.arff", "--ignore", "id")
    assert ended.code == 1 and "left out: bad.arff:1:1: expected @relation" in ended.err
    assert ended.err.endswith("1 of 3 data sets could not be evaluated: bad.arff\n")


def test_a_store_keeps_one_study(run, good, study, tmp_path):
    """A changed version of it has its name; another is refused, and nothing is lost."""
    keys, only = ("folds = 3", 'learners = ["CART"]'), {"data": 'data = ["sets/iris.arff"]'}
    path = study(*keys, **only)
    assert good("study", "run", path, "--store", "s") == "study: 2 of 2 evaluations done\n"
    other = tmp_path / "other.toml"
    other.write_text(path.read_text().replace("confdtree", "m_branch"))
    refused = run("study", "run", other, "--store", "s")
    assert (refused.code, refused.err) == (
        1, "error: s: holds the study 'study', and this one is 'other'; name another store, or, if it is a changed "
        "'study', write name = 'study' in it\n",
    )  # fmt: skip
    assert good("study", "status", "--store", "s") == "study: 2 of 2 evaluations done\n"
    other.write_text("name = 'study'\n" + other.read_text())
    assert good("study", "run", other, "--store", "s") == "study: 2 of 2 evaluations done\n"
    with wc.Store("s") as store:
        assert {record["label"] for record in store.records()} == {"leaf_frequency", "confdtree", "m_branch"}


def test_the_bar_says_how_far_a_study_is(good, study, monkeypatch):
    told = []
    monkeypatch.setattr(ProgressBar, "tell", lambda bar, text, share: told.append((text, share)))
    path = study("learners = ['CART']", "folds = 3", data='data = ["sets/iris.arff"]')
    assert good("study", "run", path, "--store", "s") == "study: 2 of 2 evaluations done\n"
    assert (told[0], told[-1]) == (("0/2 evaluations", 0.0), ("2/2 evaluations", 1.0))
    assert all(re.fullmatch("[02]/2 evaluations(: iris)?", text) for text, _ in told)


def test_a_study_that_has_lost_a_data_set_and_a_method(run, good, study, sets, tmp_path):
    """What it no longer asks for is not left to do, though its results stay."""
    good("study", "run", study("folds = 3", methods='methods = ["leaf_frequency"]'), "--store", "s")
    (sets / "wine.arff").unlink()
    good("study", "run", study("folds = 3", methods='methods = ["curtailment"]'), "--store", "s")
    assert good("study", "status", "--store", "s") == "study: 2 of 2 evaluations done\n"
    ended = run("study", "report", "--store", "s", "-o", "r.html")
    assert ended.code == 0 and "not finished" not in ended.err and "wine" in (tmp_path / "r.csv").read_text()


# -- evaluate and reject -------------------------------------------------------------------------------------------


def test_evaluate_in_several_processes(good, run, sets, tmp_path):
    """A folder, one method; per fold; the same figures for any number of jobs."""
    words = ["evaluate", sets, "-x", 3, "--method", "confdtree", "--json"]
    wanted = good(*words)
    assert good(*words, "-j", 2, "--per-fold", "f.csv") == wanted
    assert [record["dataset"] for record in json.loads(wanted)] == ["coins", "iris", "wine"]
    assert len((tmp_path / "f.csv").read_text().splitlines()) == 1 + 9
    (sets / "bad.arff").write_text("nonsense")
    for jobs in (1, 2):
        ended = run(*words, "-j", jobs)
        assert (ended.code, ended.out) == (1, wanted)
        assert "left out: " in ended.err and "1 of 4 data sets could not be evaluated" in ended.err


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
@pytest.mark.parametrize(
    "protocol",
    [
        wc.Protocol(folds=5, runs=2),
        wc.Protocol(folds="loo"),
        wc.Protocol(folds="loo", filters=["weka.filters.unsupervised.attribute.Discretize"]),
        wc.Protocol(folds=3, leave_out="one"),
    ],
    ids=["folds", "loo", "loo by trees", "open"],
)
@pytest.mark.drawn(1)
def test_evaluate_is_the_same_for_any_number_of_jobs(jvm, tmp_path, protocol):
    every = 10 if protocol.filters else 4
    data = wc.load_arff(ARFF / "wine.arff").take(np.arange(0, 178, every))
    methods = ["leaf_frequency", "confdtree", "tpce", "id3_sd"]
    wanted = wc.evaluate(data, methods, protocol=protocol)
    assert_same(wc.evaluate(data, methods, protocol=protocol, jobs=2, resume=tmp_path / "s"), wanted)
    assert_same(wc.evaluate(data, methods, protocol=protocol, jobs=2, resume=tmp_path / "s"), wanted)
    with pytest.raises(wc.OptionError, match="not on a forest"):
        wc.evaluate(data, "boundary_distance", protocol=protocol, learner="RandomForest", options="-I 2", jobs=2)


NAMED = [
    *(
        (name, "info_gain" if issubclass(known, Transductive) else "CART")
        for name, known in wc.available_methods().items()
    ),
    *(("leaf_frequency", name) for name in wc.available_learners() if name != "CART"),
    ("tpce:inner=CART", "CART"),
    ("second_opinion", "info_gain"),
]
"""Every method and every learner, and methods that ask for others by their names."""
FORKS = """
import os, pickle, sys
import numba, scipy.special, scipy.stats, sklearn.tree  # what is slow to import; nothing of wekaconf
for line in sys.stdin:
    path = line.strip()
    if not os.fork():
        with open(path, "rb") as file:
            part = pickle.load(file)
        with open(path + ".new", "wb") as file:
            pickle.dump([*part()], file)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""
"""Calls what it unpickles, each time in a process that has imported no module of wekaconf before."""


def packed(values):
    return {
        (key, label): (bytes_of(FoldAnswers, each, {"notes": each.notes, "events": dict(each.events)}))
        for key, answers in values
        for label, each in answers.items()
    }


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Calls a function in a worker process, on Dask and in a bare interpreter: what it returns there."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("bare")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with dask_cluster() as (address, _), subprocess.Popen([sys.executable, "-c", FORKS], **pipes) as bare:

        def call(function):
            for place in (joblib.parallel_config(n_jobs=2), dask_workers(address)):
                with place:
                    [outcome] = Pool(uses_java=False).outcomes([Task(0, function)])
                yield outcome.error or outcome.values
            path = folder / "part"
            path.write_bytes(pickle.dumps(function))
            print(path, file=bare.stdin, flush=True)
            assert bare.stdout.readline() == "0\n"
            yield pickle.loads((folder / "part.new").read_bytes())

        yield call
        bare.stdin.close()


@POSIX
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::wekaconf.Note")
@pytest.mark.drawn(10)
@pytest.mark.parametrize(("method", "learner"), NAMED)
def test_every_process_finds_every_method_and_learner(jvm, elsewhere, method, learner):
    """In a worker process, on Dask and in a bare interpreter, with equal bytes."""
    asked = made(method) if method in ON_NUMBERS else method
    data, protocol = wc.load_arff(ARFF / "wine.arff").take(np.arange(0, 178, 6)), wc.Protocol(folds=2)
    measurement = Measurement(Plan.of(asked, protocol, learner), data)
    call, *_ = measurement.calls(Pool(2), print)
    wanted = packed(call())
    assert wanted
    for values in elsewhere(call):
        assert packed(values) == wanted


OWN = """
import pickle
import numpy as np
import wekaconf as wc
from wekaconf.base.parameters import parameter

class Mine(wc.Method.registry["leaf_frequency"], name="mine"):
    share: float = parameter(default=0.5, help="Of nothing.")

class Grower(wc.Learner, name="grower"):
    def _grow(self, train):
        return wc.CART().grow(train)

data = wc.load_arff({iris!r}).take(np.arange(0, 150, 5))
for method in ("mine:share=0.25", "second_opinion", "tpce:inner=grower"):
    asked = [wc.evaluate(data, method, learner="grower", protocol=wc.Protocol(folds=2), jobs=n) for n in (1, 2)]
    print(method, pickle.dumps(asked[0]) == pickle.dumps(asked[1]))
try:
    class Nameless(wc.Learner):
        def _grow(self, train): ...
except wc.OptionError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_methods_and_learners_of_a_script_work_in_processes(jvm):
    assert child(OWN.format(iris=str(ARFF / "iris.arff"))).splitlines() == [
        "mine:share=0.25 True", "second_opinion True", "tpce:inner=grower True",
        'class Nameless: expected a name of one word, such as name="nameless", got \'\'; the base of several classes '
        "passes is_registered=False",
    ]  # fmt: skip


@pytest.mark.parametrize("jobs", [0, -1, 1.0])
def test_no_number_of_jobs(jobs):
    with pytest.raises(wc.OptionError, match=f"jobs: expected a whole number of at least 1, got '{jobs}'"):
        wc.evaluate(wc.load_arff(ARFF / "iris.arff"), "leaf_frequency", jobs=jobs)


def test_each_tree_grows_once_for_all_methods(jvm, tmp_path, monkeypatch):
    from wekaconf.learners.cart import CART

    grown = []
    grow = CART._grow
    monkeypatch.setattr(CART, "_grow", lambda self, train: (grown.append(len(train)), grow(self, train))[1])
    study = Study((str(ARFF / "iris.arff"),), ("leaf_frequency", "confdtree", "m_branch"), ("CART",), ({"folds": 6},))
    wc.run_study(study, tmp_path / "s")
    assert grown == [125] * 6


# -- ends ----------------------------------------------------------------------------------------------------------

LONG = ["[[protocol]]", "folds = 10", "runs = 5"]


def experiment(folder, *words):
    return started([COMMAND, "study", *words], folder)


def words_of(process):
    """The command line of a process; empty if it has ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""


def assert_holds(path, expected):
    """A store holds the results that are expected."""
    with wc.Store(path) as store:
        in_order = {(r.record["dataset"], r.record["label"]): r for r in store.results()}
    assert_same([in_order[r.record["dataset"], r.record["label"]] for r in expected], expected)


@pytest.fixture
def wanted(study, tmp_path):
    """The study, and its results when nothing happens."""
    path = study(*LONG, methods='methods = ["ling_yan", "confdtree"]')
    wc.run_study(path, tmp_path / "whole")
    with wc.Store(tmp_path / "whole") as store:
        return path, store.evaluation()


@POSIX
@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_killed_at_any_moment(jvm, wanted, tmp_path):
    """The parent by kill -9, a worker by kill -9, the group by Ctrl-C; then what is missing is done, and only that."""
    path, expected = wanted
    rng = random.Random(os.urandom(8))
    before = 0
    for how in ("parent", "worker", "group", "parent"):
        running = experiment(tmp_path, "run", path, "--store", "s", "-j", 2)
        wait_until(lambda: n_pieces(tmp_path / "s") > before or running.poll() is not None)  # noqa: B023
        time.sleep(rng.random())
        workers = [process for process in group(running) if "LokyProcess" in words_of(process)]
        if how == "group":
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGINT)
        elif how == "parent":
            running.kill()
        else:
            with suppress(psutil.NoSuchProcess):
                rng.choice(workers or [running]).kill()
        _, err = running.communicate(timeout=300)
        assert "Traceback" not in err
        assert running.returncode in {"parent": (-9, 0), "group": (130, 0), "worker": (0,)}[how], err
        wait_until(lambda: not group(running))  # noqa: B023
        assert n_pieces(tmp_path / "s") >= before
        before = n_pieces(tmp_path / "s")
    done = wc.run_study(None, tmp_path / "s")
    assert (done.n_done, done.to_do, done.failed) == (6, (), {})
    assert n_pieces(tmp_path / "s") == 2 * 3 * 50
    assert_holds(tmp_path / "s", expected)


@POSIX
def test_two_runs_on_one_store(jvm, study, tmp_path):
    path = study("[[protocol]]", "folds = 10", "runs = 200")
    first = experiment(tmp_path, "run", path, "--store", "s")
    try:
        wait_until(lambda: n_pieces(tmp_path / "s"))
        second = experiment(tmp_path, "run", path, "--store", "s").communicate(timeout=120)
        assert second == (
            "", "error: s: another process runs a study on this store; wait until it has ended, or name another store\n"
        )  # fmt: skip
        status = study_status(tmp_path / "s")
        assert (status.n_jobs, len(status.to_do)) == (6, 6)
    finally:
        first.terminate()
    out, err = first.communicate(timeout=60)
    assert (first.returncode, out) == (143, "")
    assert err.strip().splitlines() == [
        "what is finished is in s; run the same command again to go on", "interrupted; nothing half-written is left"
    ]  # fmt: skip
    assert not (tmp_path / "s-run").exists()


# -- Dask ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def dask():
    """A scheduler and two workers, each a process of its own: the address, and the processes, the scheduler first."""
    pytest.importorskip("distributed")
    with dask_cluster() as running:
        yield running


@POSIX
@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_dask(jvm, wanted, dask, tmp_path):
    """Workers elsewhere, one of which is killed in the middle; equal results."""
    path, expected = wanted
    address, (_, *workers) = dask
    running = experiment(tmp_path, "run", path, "--store", "s", "--scheduler", address)
    wait_until(lambda: n_pieces(tmp_path / "s") > 10)
    workers[0].kill()
    out, err = running.communicate(timeout=300)
    assert (running.returncode, out) == (0, "study: 6 of 6 evaluations done\n"), err
    assert "Traceback" not in err
    assert_holds(tmp_path / "s", expected)


@POSIX
@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_a_scheduler_that_dies(jvm, wanted, dask, tmp_path):
    """One line says so; what is finished is kept, and the rest is done without it."""
    path, expected = wanted
    address, (scheduler, *_) = dask
    running = experiment(tmp_path, "run", path, "--store", "s", "--scheduler", address)
    wait_until(lambda: n_pieces(tmp_path / "s") > 10)
    scheduler.kill()
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (1, "")
    assert err == (
        f"error: the connection to the Dask scheduler at '{address}' was lost; start one again, and then run the same "
        "command again\n"
    )
    assert n_pieces(tmp_path / "s") > 10
    assert str(wc.run_study(path, tmp_path / "s")) == "study: 6 of 6 evaluations done"
    assert_holds(tmp_path / "s", expected)


def test_a_scheduler_without_workers():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        workers = rf"'{address}' has no workers; start some with 'dask worker {address} "
        with pytest.raises(wc.OptionError, match=workers), dask_workers(address):
            pass


def list_folders(folder):
    yield os.getpid(), [name for name in os.listdir(folder) if name.startswith("wekaconf-")]


def test_tasks_run_where_dask_has_its_workers(tmp_path, monkeypatch):
    """With this cluster, in threads of this process; outcomes come over the network, not through a folder."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        dask_workers(cluster.scheduler_address),
    ):
        pool = Pool(uses_java=False)
        [outcome] = pool.outcomes([Task("here", partial(list_folders, str(tmp_path)))])
        with pytest.raises(wc.OptionError, match="no such task"):
            [*pool.outcomes(failing())]
    assert outcome.values == [(os.getpid(), [])]


def announcing():
    for number in range(2):
        first_use.announce("compiling, once", 0, 1)
        yield number


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_workers_compile_is_told_here_and_is_no_warning(jobs):
    told = []
    with first_use.announce_to(lambda *words: told.append(words)):
        outcomes = [*Pool(jobs, uses_java=False).outcomes([Task("it", announcing)])]
    assert [outcome.values for outcome in outcomes] == ([[0], [1]] if jobs == 1 else [[0, 1]])
    assert told == [("compiling, once", jobs - 1, 1)] * 2


def test_no_more_processes_than_jobs():
    """In a process that has had no others; in this one joblib may have some left."""
    code = """
import os, time
from wekaconf.bridge._jvm import is_running
from wekaconf.experiments.workers._pool import Pool, Task

def number():
    time.sleep(0.1)
    yield os.getpid()

pool = Pool(2, uses_java=False)
print(len({outcome.values[0] for outcome in pool.outcomes([Task(n, number) for n in range(20)])}), is_running())
"""
    assert child(code) in ("1 False\n", "2 False\n")


@POSIX
def test_a_signal_while_workers_start_counts_when_they_have_started():
    heard, number = [], signal.SIGTERM
    before = signal.signal(number, lambda number, _: heard.append(number))
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    try:
        with starting_workers():
            signal.raise_signal(number)
            assert heard == []
            assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        assert heard == [number]
        assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == masked - {signal.SIGINT, signal.SIGHUP}
        signal.raise_signal(number)
        assert heard == [number, number]
        with starting_workers():
            pass
        assert heard == [number, number]
    finally:
        signal.signal(number, before)


def test_standard_error_is_discarded_in_the_block_alone(capfd):
    next_free = os.dup(2)
    os.close(next_free)
    with _no_standard_error():
        os.write(2, b"hidden")
    os.write(2, b"shown")
    assert capfd.readouterr().err == "shown"
    again = os.dup(2)
    os.close(again)
    assert again == next_free


def test_a_worker_that_dies_as_it_starts_prints_nothing_among_the_results(capfd):
    code = [sys.executable, "-S", "-c", "print('died')"]
    with starting_workers():
        subprocess.run(code, check=True)
    subprocess.run(code, check=True)
    assert capfd.readouterr() == ("died\n", "died\n")


def test_a_tracker_starts_its_successor_in_silence(capfd):
    class Tracker:
        done = ()

        def _launch(self):
            os.write(2, b"hidden")
            self.done += ("launched",)

        def _teardown_dead_process(self):
            warnings.warn("killed", stacklevel=1)
            self.done += ("torn down",)

    tracker = Tracker()
    _silence_tracker(tracker)
    silent = type(tracker)
    _silence_tracker(tracker)
    assert type(tracker) is silent
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tracker._teardown_dead_process()
    tracker._launch()
    assert tracker.done == ("torn down", "launched") and capfd.readouterr().err == ""


def test_workers_are_ended_without_a_warning():
    def outcomes():
        try:
            yield
        finally:
            ended.append(True)
            warnings.warn("ended early", stacklevel=1)

    ended, running = [], outcomes()
    next(running)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _end_workers(running)
    assert ended == [True]


def failing():
    yield Task("here", partial(one_value, os.getpid))
    raise wc.OptionError("no such task")


def in_steps(sizes, fails=None, error=None):
    """A measurement of folds of so many answers each, with an error where one of the three things is done."""

    def fail_at(place):
        if place == fails:
            raise error

    class InSteps(Measurement):
        def __init__(self):
            fail_at("begin")
            self.n_answers, self.n_answered = sum(sizes), 0
            self.results, self.called, self._answers = {}, [], {}
            self._n_left = len(sizes)

        def calls(self, pool, on_progress):
            return (partial(self.answer, place) for place in range(len(sizes)))

        def answer(self, place):
            self.called.append(place)
            fail_at(place)
            yield (0, place), {"it": range(sizes[place])}

        def finish(self):
            fail_at("finish")

    return InSteps


@pytest.mark.parametrize("error", [StoreError("lost"), wc.OptionError("odd")])
@pytest.mark.parametrize("place", ["begin", 0, "finish"])
def test_only_a_lost_store_ends_all_measurements(error, place):
    sets = dict.fromkeys((1, 2), in_steps([1], place, error))
    outcomes = measure_each(sets, {1: 1.0, 2: 1.0}, Pool())
    if isinstance(error, StoreError):
        with pytest.raises(StoreError, match="lost"):
            next(outcomes)
    else:
        assert [*outcomes] == [(1, error), (2, error)]


class AheadPool(Pool):
    """Asks for all tasks before it does the first."""

    def outcomes(self, tasks):
        yield from super().outcomes(list(tasks))


def measured(sets, sizes, pool=None, told=None):
    """The measurements by their keys, or their errors."""
    told = [] if told is None else told
    return dict(measure_each(sets, sizes, pool or Pool(), lambda *words: told.append(words)))


def test_progress_is_told_at_the_beginning_after_each_fold_and_at_the_end():
    told = []
    found = measured(dict.fromkeys("ab", in_steps([1, 3])), {"a": 0.25, "b": 0.75}, told=told)
    assert [each.called for each in found.values()] == [[0, 1], [0, 1]]
    assert [*dict.fromkeys(told)] == [
        ("", 0.0), (": a", 0.0), (": a", 0.0625), ("", 0.25), (": b", 0.25), (": b", 0.4375), ("", 1.0),
    ]  # fmt: skip


def test_as_many_sets_are_told_to_run_as_there_are_jobs():
    told = []
    names = ["s0", "s1", "s2"]
    measured(dict.fromkeys(names, in_steps([1])), dict.fromkeys(names, 1.0), AheadPool(), told)
    assert {names for names, _ in told} == {"", ": s0", ": s1", ": s2"}


def test_what_weighs_nothing_is_done_at_the_end():
    told = []
    measured({"empty": in_steps([1])}, {"empty": 0.0}, told=told)
    assert {share for _, share in told} == {1.0}


def test_the_progress_of_sets():
    told = []
    follow = follower({"a": 1.0, "b": 3.0}, 1, lambda *words: told.append(words))
    for name, share in (("a", 0.0), ("b", 0.5), ("a", 1.0), ("b", 1.0)):
        follow(name, share)
    assert told == [("", 0.0), (": a", 0.0), (": a", 0.375), (": b", 0.625), ("", 1.0)]


def test_a_measurement_without_folds_is_finished_at_once():
    sets = {key: in_steps([1] * n) for key, n in enumerate((0, 2, 0))}
    found = measured(sets, dict.fromkeys(sets, 1.0))
    assert {key: each.called for key, each in found.items()} == {0: [], 1: [0, 1], 2: []}


@pytest.mark.parametrize(("pool", "called"), [(Pool(), [0]), (AheadPool(), [0, 1, 2])])
def test_after_a_fold_that_failed_no_other_counts(pool, called):
    """Those that are asked for already are done, too."""
    error = wc.OptionError("odd")
    measurement = in_steps([1, 1, 1], 0, error)()
    assert [*measure_each({1: lambda: measurement}, {1: 1.0}, pool)] == [(1, error)]
    assert (measurement.share, measurement.called) == (0.0, called)


def warning():
    for number in range(2):
        warnings.warn(wc.Note(f"odd {number}"), stacklevel=1)
        yield number
    raise wc.OptionError("no more")


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_task_warns_of_and_gives_before_an_error_is_here(jobs):
    with pytest.warns(wc.Note) as notes:
        outcomes = [*Pool(jobs, uses_java=False).outcomes([Task("it", warning)])]
    assert [str(note.message) for note in notes] == ["odd 0", "odd 1"]
    assert [value for outcome in outcomes for value in outcome.values] == [0, 1]
    assert str(outcomes[-1].error) == "no more"


def who():
    yield os.getpid(), threading.current_thread() is threading.main_thread()


class AllAtLast(ThreadingBackend):
    """A backend that gives no outcome before all are there, as that of Spark."""

    supports_return_generator = False


@pytest.mark.parametrize("backend", ["threading", AllAtLast()])
def test_the_backend_that_a_user_has_set_is_used(backend, jvm, tmp_path):
    """Here it works in threads of this process."""
    data = wc.load_arff(ARFF / "iris.arff").take(np.arange(0, 150, 3))
    wanted = wc.evaluate(data, ["confdtree", "tpce"], folds=3)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        pool = Pool(uses_java=False)
        assert (pool.jobs, pool.is_here) == (2, False)
        assert {outcome.values[0] for outcome in pool.outcomes([Task(i, who) for i in range(4)])} == {
            (os.getpid(), False)
        }
        assert_same(wc.evaluate(data, ["confdtree", "tpce"], folds=3, resume=tmp_path / "s"), wanted)
    assert Pool().is_here


def test_the_number_of_jobs_that_a_user_has_set_is_used():
    with joblib.parallel_config(n_jobs=2):
        assert (Pool(uses_java=False).jobs, Pool(3, uses_java=False).jobs) == (2, 3)
        [outcome] = Pool(uses_java=False).outcomes([Task("it", who)])
    assert outcome.values[0][0] != os.getpid()
    assert Pool(uses_java=False).is_here


def where_nested():
    yield Pool(uses_java=False).is_here


def test_inside_a_worker_of_joblib_nothing_is_shared_out_again():
    [outcome] = Pool(2, uses_java=False).outcomes([Task("it", where_nested)])
    assert outcome.values == [True]


def folds_of(n):
    """So many splits, each with one test row."""
    return [Fold(0, i, np.zeros(0, np.int64), np.array([i]), grow_cart, ("plain",)) for i in range(n)]


@pytest.mark.parametrize(("n_folds", "n", "ends"), [
    (10, 16, [*range(1, 11)]), (10, 4, [3, 6, 9, 10]), (10, 5, [2, 4, 6, 8, 10]), (1, 1, [1]), (10, 1, [10]),
    (0, 4, []),
])  # fmt: skip
def test_folds_are_shared_out_in_their_order(n_folds, n, ends):
    shared = [*split_work(folds_of(n_folds), n)]
    assert [part[-1].place + 1 for part in shared] == ends
    assert [fold.place for part in shared for fold in part] == [*range(n_folds)]


def test_the_folds_of_a_run_that_leaves_out_are_one_part():
    left_out = [
        Fold(run, place, None, np.array([place]), grow_cart, (label,))
        for run in (0, 1) for label in ("one", "other") for place in (0, 1)
    ]  # fmt: skip
    shared = [*split_work([*left_out[:4], *folds_of(2), *left_out[4:]], 1)]
    assert [[fold.key for fold in part] for part in shared] == [
        [(0, 0), (0, 1)] * 2, [(1, 0), (1, 1)] * 2, [(0, 0), (0, 1)],
    ]  # fmt: skip


def test_only_methods_that_have_not_answered_a_fold_are_asked():
    splits = [(np.zeros(0, np.int64), np.array([i])) for i in range(4)]
    methods = {"plain": wc.method("leaf_frequency"), "other": wc.method("m_branch")}
    one, two = (FoldAnswers(*[np.zeros((n, 2))] * 3, np.zeros(n), np.zeros(n)) for n in (1, 2))
    cache = {
        ((0, place), label): answers
        for label, place, answers in (("plain", 0, one), ("plain", 2, one), ("other", 2, one), ("plain", 3, two))
    }
    missing = CrossValidation(None, [splits], dict.fromkeys(methods, grow_cart), methods).missing(cache)
    assert [(fold.place, fold.labels) for fold in missing] == [
        (0, ("other",)), (1, ("plain", "other")), (3, ("plain", "other")),
    ]  # fmt: skip


class NoError(Exception):
    """An error that no other process can read."""

    def __init__(self, one):
        super().__init__(one)
        self.held = threading.Lock()


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (MemoryError("1 EiB"), BridgeError("a worker had not enough memory (1 EiB); use fewer jobs")),
        (NoError("odd"), RuntimeError("NoError: odd")),
        (wc.OptionError("bad"), wc.OptionError("bad")),
    ],
)
def test_errors_of_workers_can_be_sent(tmp_path, raised, expected):
    def fail():
        raise raised

    task = Task("it", partial(one_value, fail))
    settings = _Settings(str(tmp_path), None, None)
    for outcome in (_run_in_worker(task, None, code_digest()), _take_outcome(_run_in_worker(task, settings, ""))):
        assert (type(outcome.error), str(outcome.error)) == (type(expected), str(expected))
    [outcome] = _run_here(task)
    assert outcome.error is raised
    error = _run_in_worker(task, None, "another").error
    assert str(error) == "a worker has another version of wekaconf; install the same one everywhere"
    gone = _run_in_worker(Task("it", who), _Settings(str(tmp_path / "none"), None, None), "")
    assert (gone.key, gone.values, type(gone.error)) == ("it", [], FileNotFoundError)


def test_a_folder_of_outcomes_that_somebody_has_removed_is_no_fault():
    with Pool(2, uses_java=False)._folder() as folder:
        os.rmdir(folder)


def test_no_scheduler(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("wekaconf.experiments.workers._dask.CONNECT_SECONDS", 1)
    no_answer = r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"
    with pytest.raises(wc.OptionError, match=no_answer), dask_workers("tcp://127.0.0.1:9"):
        pass


def test_sets_by_name(good, sets, tmp_path, monkeypatch):
    """Found in a folder of WEKACONF_DATA, on the command line and in a study."""
    monkeypatch.setenv("WEKACONF_DATA", str(sets))
    found = json.loads(good("evaluate", "iris", "wine", "-x", 2, "--json"))
    assert [record["dataset"] for record in found] == ["iris", "wine"]
    (tmp_path / "by-name.toml").write_text('data = ["coins"]\nmethods = ["leaf_frequency"]\nfolds = 2\n')
    assert good("study", "run", "by-name.toml", "--store", "s") == "by-name: 1 of 1 evaluations done\n"


def test_somebody_elses_class_is_known_by_its_file():
    assert digest_of_class(fractions.Fraction) == digest_of_file(fractions.__file__)
    assert digest_of_class(wc.J48) == digest_of_class(int) == ""
