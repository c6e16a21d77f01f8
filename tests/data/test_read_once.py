"""Files that can be read only once: pipes, and standard input under any name."""

import gzip
import os
import subprocess
import threading
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from support.command_line import BUFFERED, COMMAND

import wekaconf as wc
from wekaconf.base.errors import ArffError, TableError
from wekaconf.data import load_cost_matrix
from wekaconf.learners.foreign.weka_models import is_weka_model

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
ENDINGS = ("csv", "csv.gz", "tsv", "parquet", "xlsx", "arff", "arff.gz")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One table in every format."""
    folder = tmp_path_factory.mktemp("formats")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.integers(0, 50, 40) / 4, "b": [*"pq"] * 20})
    frame["class"] = np.where((frame["a"] > 6) ^ (rng.random(40) < 0.2), "x", "y")
    frame.to_csv(folder / "t.csv", index=False)
    frame.to_csv(folder / "t.csv.gz", index=False)
    frame.to_csv(folder / "t.tsv", index=False, sep="\t")
    frame.to_parquet(folder / "t.parquet")
    frame.to_excel(folder / "t.xlsx", index=False)
    wc.save_arff(folder / "t.arff", wc.load_table(folder / "t.csv"))
    text = "% a comment\n\n  % another\n" + (folder / "t.arff").read_text().replace("@relation", "@RELATION")
    (folder / "t.arff.gz").write_bytes(gzip.compress(text.encode()))
    return folder


@contextmanager
def pipe(path, content):
    """A pipe that gives the content once, and nothing to whoever opens it again."""
    os.mkfifo(path)
    is_done = threading.Event()

    def write(content):
        while not is_done.is_set():
            with open(path, "wb") as stream:
                stream.write(content)
            content = b""

    writer = threading.Thread(target=write, args=(content,), daemon=True)
    writer.start()
    try:
        yield path
    finally:
        is_done.set()
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        writer.join(10)
        os.unlink(path)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("is_named", [True, False], ids=["by its name", "by its content"])
def test_a_pipe_holds_what_the_file_does(files, tmp_path, ending, is_named):
    """To learn from, and to be read with the header of other data."""
    expected, content = wc.load_table(files / f"t.{ending}"), (files / f"t.{ending}").read_bytes()
    name = tmp_path / (f"p.{ending}" if is_named else "p")
    with pipe(name, content):
        found = wc.load_table(name)
    assert found.attributes == expected.attributes
    np.testing.assert_array_equal(found.values, expected.values)
    with pipe(name, content):
        np.testing.assert_array_equal(wc.load_table(name, header=expected.header).values, expected.values)


def test_arff_by_both_readers(jvm, files, tmp_path):
    expected = wc.load_arff(files / "t.arff")
    for reader in ("liac", "weka"):
        with pipe(tmp_path / "p", (files / "t.arff").read_bytes()) as path:
            np.testing.assert_array_equal(wc.load_arff(path, reader=reader).values, expected.values)


def test_what_a_pipe_cannot_give(tmp_path):
    for name, content, message in (
        ("p.ods", b"PK\3\4", r"p\.ods: this is a pipe, and such workbooks are read from files; save it as a file"),
        ("p", b"PK\3\4", r"p: this is an Excel workbook, a model of wekaconf or another zip archive"),
        ("p", b"", r"p:1: the file is empty; .*; a pipe can be read only once"),
    ):
        with pipe(tmp_path / name, content) as path, pytest.raises(wc.WekaconfError, match=message):
            wc.load_table(path)
    with pytest.raises(TableError, match="/dev/zero: cannot be read: it is a device; give a file or a pipe"):
        wc.load_table("/dev/zero")
    with pytest.raises(ArffError, match="/dev/zero: cannot be read: it is a device"):
        wc.load_arff("/dev/zero")


def test_models_are_files(tmp_path):
    """A pipe is refused before anything is taken from it, so that nothing waits for what nobody writes."""
    os.mkfifo(tmp_path / "p")
    assert not is_weka_model(tmp_path / "p")
    for load in (wc.load, wc.mirror):
        with pytest.raises(wc.ModelFileError, match="cannot be read: it is not a regular file; save it as one"):
            load(tmp_path / "p")


def shell(script, folder):
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=100, check=False,
        env=BUFFERED | {"PATH": f"{COMMAND.parent}:{os.environ['PATH']}"},
    )  # fmt: skip


@pytest.fixture
def model(files, tmp_path):
    train = wc.load_table(files / "t.csv")
    wc.Model(wc.LeafFrequency().fit(wc.CART().grow(train), train)).save(tmp_path / "m.wct")
    return tmp_path


@pytest.mark.one_commit_in(3)
def test_a_command_answers_for_a_stream(files, model):
    expected = shell(f"wekaconf predict m.wct {files}/t.csv", model).stdout
    assert expected.count("\n") == 41
    for source, ending in (("<(cat {})", "csv"), ("- < {}", "arff.gz"), ("/dev/fd/7 7< {}", "parquet")):
        found = shell(f"wekaconf predict m.wct {source.format(f'{files}/t.{ending}')}", model)
        assert (found.stdout, found.returncode) == (expected, 0), found.stderr


@pytest.mark.one_commit_in(3)
def test_a_command_learns_from_a_stream(files, tmp_path):
    done = shell(f"wekaconf fit <(cat {files}/t.csv) --learner CART -d m.wct --id b", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "b" not in [attribute.name for attribute in wc.load(tmp_path / "m.wct").header.attributes]


@pytest.mark.one_commit_in(3)
def test_the_data_of_a_study_are_files(files, tmp_path):
    """A study may come through a pipe, and then finds its data below the current folder."""
    os.mkfifo(tmp_path / "p.csv")
    (tmp_path / "t.csv").write_bytes((files / "t.csv").read_bytes())
    text = 'methods = ["leaf_frequency"]\nlearners = ["CART"]\nfolds = 2\ndata = ["{}"]\n'
    for name, code, words in (("p.csv", 1, "p.csv: can be read only once, and a study"), ("t.csv", 0, "")):
        (tmp_path / "s.toml").write_text(text.format(name))
        done = shell("wekaconf study run <(cat s.toml) --store s.sqlite", tmp_path)
        assert (done.returncode, words in done.stderr) == (code, True), done.stderr


def test_a_store_is_a_file(tmp_path):
    os.mkfifo(tmp_path / "s")
    with pytest.raises(wc.OptionError, match=r"s: is no file, and a store is one; name a file, which may be new"):
        wc.Store(tmp_path / "s")


def test_costs_come_through_a_pipe(tmp_path):
    with pipe(tmp_path / "p", b"2 2\n0 1\n5 0\n") as path:
        assert load_cost_matrix(path) == wc.CostMatrix(((0.0, 1.0), (5.0, 0.0)))


@pytest.mark.one_commit_in(3)
def test_rows_of_a_stream_declare_no_values_for_others(tmp_path):
    """Values that only held-out rows have are not declared, whether the table is a file or a stream."""
    rows = [f"{i % 7},v{i // 2},{'xy'[i % 7 > 3]}\n" for i in range(60)]
    (tmp_path / "t.csv").write_text("a,b,class\n" + "".join(rows))
    for source, name in (("t.csv", "file.wct"), ("<(cat t.csv)", "pipe.wct")):
        aim = "--target-error 0.4 --confidence 0.5"
        done = shell(f"wekaconf fit {source} --learner CART -d {name} {aim}", tmp_path)
        assert done.returncode == 0, done.stderr
    by_file, by_pipe = (wc.load(tmp_path / name).header.attributes for name in ("file.wct", "pipe.wct"))
    assert by_file == by_pipe and len(by_file[1].values) < 30
