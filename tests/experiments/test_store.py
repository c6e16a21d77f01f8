"""The store: what it keeps without loss, what it refuses, and what is lost when a process or a disk ends."""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
import warnings
import zlib
from contextlib import closing
from dataclasses import fields
from types import SimpleNamespace

import numpy as np
import pytest
from support.command_line import ARFF, COMMAND, IRIS
from support.kept_pieces import answers_in

import wekaconf as wc
from wekaconf.base.errors import StoreError
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.cross_validation import ARRAYS, Design, FoldAnswers
from wekaconf.evaluation.protocol import splits
from wekaconf.evaluation.thresholds import choose
from wekaconf.experiments.store import JOB_OF_STUDY, Job, sole_run
from wekaconf.experiments.store import _database as database
from wekaconf.experiments.store._database import VERSION, connect
from wekaconf.experiments.store._record_schema import DAMAGE, TEXT, check_numbers
from wekaconf.experiments.store._stored_answers import FACTS_OF_ANSWERS, compressed, packed, unpacked
from wekaconf.experiments.studies import study_in
from wekaconf.methods.contract._answer import Reply
from wekaconf.methods.leaf_frequency import LeafFrequency

KEY = (0, 3), 1


def key_of(place, run=0):
    return (run, place), 1


JOB = Job("iris", "", "confdtree", "folds=10")


def answers_of(rng, n, k, **more):
    return FoldAnswers(*rng.random((3, n, k)), rng.random(n), np.full(n, np.nan), **more)


def enter(store, key, error=None):
    store.enter(key, JOB_OF_STUDY, JOB._asdict(), error=error)


def pack(answers):
    return compressed(packed(FoldAnswers, answers, {}))


def unpack(content, k):
    return unpacked(FoldAnswers, content, k, FACTS_OF_ANSWERS)


def keep_one(kept):
    kept.evaluations = {1: 1}
    kept[KEY] = answers_of(np.random.default_rng(0), 9, 3)


# -- what is kept --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "k"), [(0, 2), (1, 1), (7, 3), (300, 2), (4000, 20)])
def test_arrays_come_back_bit_for_bit(n, k):
    """Also −0.0, NaN with bits of its own, subnormal and infinite numbers."""
    rng = np.random.default_rng(n)
    piece = answers_of(rng, n, k, given=rng.integers(0, k, n) if k > 2 else None)
    odd = np.array([-0.0, 0.0, np.nan, np.inf, -np.inf, 5e-324])
    odd = np.append(odd, np.array([0x7FF8000000000001], np.uint64).view(np.float64))
    piece.certainty[: len(odd)] = odd[:n]
    for name, array in unpack(pack(piece), k).items():
        wanted = getattr(piece, name)
        assert (array.shape, array.dtype, array.tobytes()) == (wanted.shape, wanted.dtype, wanted.tobytes()), name
        assert array.flags.c_contiguous


def test_damage_is_noticed():
    """Every bit of the bytes counts, and another size is refused."""
    rng = np.random.default_rng(0)
    content = pack(answers_of(rng, 9, 2))
    for place in range(len(content)):
        for bit in (1, 128):
            damaged = content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :]
            try:
                found = unpack(damaged, 2)
            except ValueError:
                continue
            assert all(np.array_equal(found[name], unpack(content, 2)[name], equal_nan=True) for name in ARRAYS)
    for cut in (b"", content[:3], content[:-9]):
        with pytest.raises(ValueError):
            unpack(cut, 2)
    for k in (1, 3):
        with pytest.raises(ValueError, match="proba: expected shape"):
            unpack(content, k)


@pytest.mark.parametrize("claimed", [0, 1000])
def test_small_bytes_that_would_unpack_to_many_are_refused(claimed):
    """Without unpacking them: what they claim to hold is the most that is unpacked."""
    bomb = zlib.crc32(bytes(10**8)).to_bytes(4, "little") + zlib.compress(bytes(10**8))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="the checksum is wrong"):
            unpack(claimed.to_bytes(8, "little") + bomb, 2)
        assert tracemalloc.get_traced_memory()[1] < 10**6
    finally:
        tracemalloc.stop()


HEADS = {
    "no arrays": [{}, {}],
    "another array": [{"proba": [0, 2], "odd": [0]}, {}],
    "a negative length": [{"proba": [-1, 2]}, {}],
    "a long length": [{"proba": [10**30, 2]}, {}],
    "a text for a length": [{"proba": ["x", 2]}, {}],
    "no shapes": [[1], {}],
    "no facts": [{}, []],
    "one part": [{}],
    "an event that is a text": [{}, {"events": {"fine": "x"}}],
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_head_that_fits_no_arrays(head):
    text = json.dumps(head).encode()
    with pytest.raises(DAMAGE):
        unpack(compressed(len(text).to_bytes(8, "little") + text), 2)


@pytest.mark.parametrize(("number", "is_one"), [(1, True), (2, True), (0, False), (-1, False), (1.0, False)])
def test_numbers_in_a_store_are_whole_and_begin_at_one(number, is_one):
    if is_one:
        check_numbers(1, number)
    else:
        with pytest.raises(ValueError, match="expected whole numbers"):
            check_numbers(1, number)


def test_a_piece_without_answers_is_finished(tmp_path):
    with answers_in(tmp_path / "s") as kept:
        kept[KEY] = answers_of(np.random.default_rng(0), 0, 3)
    with answers_in(tmp_path / "s") as kept:
        assert kept[KEY].proba.shape == (0, 3) and list(kept) == [KEY]


def test_a_piece_with_all_that_it_tells(tmp_path):
    rng = np.random.default_rng(2)
    certainty = rng.random(20)
    choice = choose(Aim("error", 0.1), certainty, certainty > 0.4, np.ones(20))
    piece = answers_of(rng, 5, 3, choices=(choice,), events={"fine": 3}, notes=("ä", "b"))
    with answers_in(tmp_path / "s") as kept:
        kept[KEY] = piece
        assert kept[KEY] is piece
    with answers_in(tmp_path / "s") as kept:
        [(key, found)] = kept.items()
    assert (key, len(found)) == (KEY, 5)
    assert (found.choices, found.events, found.notes) == ((choice,), {"fine": 3}, ("ä", "b"))
    np.testing.assert_array_equal(found.proba, piece.proba)


PROTOCOLS = {
    "folds": wc.Protocol(folds=3, runs=2),
    "open": wc.Protocol(folds=3, leave_out="one"),
    "thresholds": wc.Protocol(folds=3, aim=Aim("keep", 0.9), threshold_from="training"),
    "split": wc.Protocol(split=0.7, runs=2),
}


@pytest.mark.parametrize("protocol", [*PROTOCOLS.values(), "test", "loo"], ids=[*PROTOCOLS, "test", "loo"])
@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_results_are_those_of_evaluate(jvm, tmp_path, protocol):
    """Without the data, which may be gone; bit for bit."""
    data = wc.load_arff(ARFF / "wine.arff").take(np.arange(0, 178, 4))
    if protocol == "test":
        protocol = wc.Protocol(test=wc.load_arff(ARFF / "wine.arff").take(np.arange(1, 178, 4)))
    methods = ["leaf_frequency", "confdtree"]
    if protocol == "loo":
        values = data.values.copy()
        values[[2, 9], data.class_index] = np.nan
        data, protocol = wc.Dataset(data.header, values), wc.Protocol(folds="loo", runs=2)
        methods = ["leaf_frequency", "tpce"]
    found = wc.evaluate(data, methods, protocol=protocol, resume=tmp_path / "s")
    with wc.Store(tmp_path / "s") as store:
        assert_same(store.evaluation(), found)
        np.testing.assert_equal(store.records(), list(found.records))
    assert_same(wc.evaluate(data, methods, protocol=protocol, resume=tmp_path / "s"), found)


def assert_same(one, other):
    for (record, answers), (wanted, expected) in zip(one, other, strict=True):
        np.testing.assert_equal(record, wanted)
        for field in fields(expected):
            np.testing.assert_equal(getattr(answers, field.name), getattr(expected, field.name), err_msg=field.name)


def test_the_last_answer_to_a_question_counts(jvm, tmp_path, iris):
    other = wc.Dataset(iris.header, iris.values + (np.arange(5) == 2) * 0.5)
    for each in (iris, other):
        found = wc.evaluate(each, "leaf_frequency", folds=3, resume=tmp_path / "s")
    wc.evaluate(iris, "leaf_frequency", folds=3, seed=2, resume=tmp_path / "s")
    with wc.Store(tmp_path / "s") as store:
        first, second = store.results()
        assert_same([first], found)
        assert second.record["seed"] == 2


def test_splits_of_ones_own_are_other_questions(jvm, tmp_path, iris):
    for seed in (1, 2, 1):
        protocol = wc.Protocol(given=[splits(iris, folds=3, seed=seed)])
        wc.evaluate(iris, "leaf_frequency", learner="CART", protocol=protocol, resume=tmp_path / "s")
    with wc.Store(tmp_path / "s") as store:
        assert len(store.records()) == 2


@pytest.mark.parametrize("name", ["wine", "credit-g"])
def test_bytes_per_answer(jvm, tmp_path, name):
    """At most 40 per answered instance and method on two classes, half of the raw bytes elsewhere; with everything."""
    data = wc.load_arff(ARFF / f"{name}.arff")
    methods = ["leaf_frequency", "confdtree", "m_branch", "ling_yan", "boundary_distance", "curtailment"]
    sizes = []
    for runs in (1, 3):
        wc.evaluate(data, methods, runs=runs, resume=tmp_path / f"{runs}")
        sizes.append((tmp_path / f"{runs}").stat().st_size)
    raw = 8 * (3 * data.n_classes + 2)
    per_answer = (sizes[1] - sizes[0]) / (2 * len(data) * len(methods))
    assert per_answer < (40 if data.n_classes == 2 else raw / 2)


def test_a_study_and_what_has_become_of_its_jobs(tmp_path):
    """Data sets of an earlier study stay known, so that none can change unseen."""
    path = tmp_path / "s"
    with wc.Store(path) as store:
        with pytest.raises(StoreError, match=rf"^{path}: holds no study; begin one with wekaconf study run"):
            store.study()
        store.keep_study({"name": "s", "runs": 1}, {"a.arff": ("a", "1"), "b.arff": ("b", "2")})
        assert store.study() == {"name": "s", "runs": 1}
        assert store.data_sets() == {"a.arff": ("a", "1"), "b.arff": ("b", "2")}
        with pytest.raises(StoreError, match=rf"^{path}: changed since they were measured: b .b.arff.; put back"):
            store.keep_study({"name": "s", "runs": 2}, {"a.arff": ("a", "1"), "b.arff": ("b", "3")})
        assert store.study() == {"name": "s", "runs": 1}
        store.keep_study({"name": "s", "runs": 2}, {"c.arff": ("c", "3")})
        assert store.study() == {"name": "s", "runs": 2} and store.data_sets() == {"c.arff": ("c", "3")}

        assert store.outcomes() == []
        for error in ("slow", None):  # the last outcome of a key counts
            enter(store, b"1", error)
        enter(store, b"2", "x")
        assert store.outcomes() == [(b"1", JOB, None), (b"2", JOB, "x")]


# -- what is refused -----------------------------------------------------------------------------------------------


def refused(path, message, error=StoreError):
    with pytest.raises(error, match=message) as told:
        wc.Store(path)
    assert str(path) in str(told.value)


def test_what_is_no_store(tmp_path):
    (tmp_path / "text").write_text("@relation iris and more of it")
    refused(tmp_path / "text", "is not a store of results; name another file")
    (tmp_path / "short").write_text("\n")
    refused(tmp_path / "short", "is not a store of results; name another file")
    assert (tmp_path / "short").read_text() == "\n"
    refused(tmp_path, "is a folder; name a file", wc.OptionError)
    other = sqlite3.connect(tmp_path / "other")
    other.execute("CREATE TABLE t (x)")
    other.close()
    refused(tmp_path / "other", "is a database of another program")
    wc.Store(tmp_path / "new").close()
    with open(tmp_path / "new", "rb") as file:  # what stands in SQLite's head names the program and the version
        head = file.read(100)
    assert (head[60:64], head[68:72]) == (bytes([0, 0, 0, 3]), b"wkcf")
    connection = sqlite3.connect(tmp_path / "new")
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    refused(
        tmp_path / "new", f"is a store of version {VERSION + 1}, and this wekaconf writes version {VERSION}; update"
    )
    with pytest.raises(StoreError, match="there is no such store; check the name"):
        wc.Store(tmp_path / "none", must_exist=True)
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(StoreError, match="is empty, so there are no results in it; name another file"):
        wc.Store(tmp_path / "empty", must_exist=True)
    assert (tmp_path / "empty").read_bytes() == b""  # what only reads makes no store of a file that may be another's
    wc.Store(tmp_path / "empty").close()


def test_a_known_evaluation_is_found_while_another_process_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "WAIT_SECONDS", 0.05)
    with wc.Store(tmp_path / "s") as store:
        known = store.begin("00", {}, 3)
        with closing(connect(str(tmp_path / "s"))) as other, database.transaction(other):
            assert store.begin("00", {}, 3) == known
            with pytest.raises(StoreError, match="another process has been writing to it"):
                store.begin("01", {}, 3)


def test_a_store_writes_beside_itself_trusts_no_schema_and_heeds_references(tmp_path):
    with closing(connect(str(tmp_path / "s"))) as connection:
        settings = {"journal_mode": "wal", "trusted_schema": 0, "foreign_keys": 1, "user_version": VERSION}
        assert {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in settings} == settings
        assert connection.execute("PRAGMA application_id").fetchone()[0] == int.from_bytes(b"wkcf", "big")


def filled(path):
    rng = np.random.default_rng(1)
    with answers_in(path) as kept:
        for place in range(40):
            kept[key_of(place)] = answers_of(rng, 50, 3)


def test_damaged_file(tmp_path):
    """Wherever the damage is, it is one of our errors or a piece that is computed again."""
    filled(tmp_path / "s")
    whole = (tmp_path / "s").read_bytes()
    rng = np.random.default_rng(3)
    told = set()
    for _ in range(60):
        begin = int(rng.integers(100, len(whole) - 600))
        (tmp_path / "s").write_bytes(whole[:begin] + rng.bytes(600) + whole[begin + 600 :])
        try:
            with (
                warnings.catch_warnings(record=True, action="always") as notes, answers_in(tmp_path / "s") as kept
            ):  # fmt: skip
                assert sum(key_of(place) not in kept for place in range(40)) >= len(notes)
            told |= {str(note.message).partition(": ")[2] for note in notes}
        except StoreError as error:
            told.add(str(error).partition(": ")[2][:10])
    assert "is damaged" in told
    assert any("are damaged, so they are computed again" in text for text in told)
    (tmp_path / "s").write_bytes(whole[: len(whole) // 2])
    with (
        pytest.raises(StoreError, match=r"is damaged .*; put back a copy of it, or delete it"),
        answers_in(tmp_path / "s"),
    ):
        pass


def test_a_method_that_cannot_be_measured_loses_only_itself(tmp_path):
    class Unsure(LeafFrequency, is_registered=False):
        def _answer(self, data):
            proba = self.tree_.predict_proba(data)
            return Reply(proba, certainty=np.where(np.arange(len(proba)) > 2, proba.max(axis=1), np.nan))

    methods = [wc.method("leaf_frequency"), Unsure(), wc.method("m_branch")]
    with pytest.raises(wc.OptionError, match="certainty is NaN at instance 0 and"):
        wc.evaluate(wc.load_arff(IRIS), methods, learner="CART", folds=2, resume=tmp_path / "s")
    connection = sqlite3.connect(tmp_path / "s")
    entered = connection.execute("SELECT record IS NOT NULL FROM evaluation ORDER BY id").fetchall()
    connection.close()
    assert entered == [(1,), (0,), (0,)]


def test_a_damaged_piece_is_computed_again(jvm, tmp_path, iris):
    found = wc.evaluate(iris, "leaf_frequency", folds=4, resume=tmp_path / "s")
    connection = sqlite3.connect(tmp_path / "s")
    connection.execute("UPDATE piece SET answers = x'00' WHERE place = 2")
    connection.commit()
    connection.close()
    with wc.Store(tmp_path / "s") as store, pytest.raises(StoreError, match="run 1, fold 3 of evaluation 1 is dam"):
        store.evaluation()
    with pytest.warns(wc.Note) as notes:
        assert_same(wc.evaluate(iris, "leaf_frequency", folds=4, resume=tmp_path / "s"), found)
    assert any("of run 1, fold 3 are damaged, so they are computed again" in str(note.message) for note in notes)
    with wc.Store(tmp_path / "s") as store:
        assert_same(store.evaluation(), found)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_what_may_not_be_written(tmp_path):
    tmp_path.chmod(0o500)
    refused(tmp_path / "s", "may not be written or opened")


@pytest.mark.skipif(os.name == "nt", reason="this system has no such rights")
@pytest.mark.parametrize("is_killed", [False, True])
@pytest.mark.one_commit_in(3)
def test_a_store_in_a_folder_that_may_only_be_read(tmp_path, as_user, is_killed):
    """It is read, also what a process that was killed has written last; only its files, if they are left, take more."""
    folder, kept = tmp_path / "folder", [{"x": 1}]
    folder.mkdir()
    path = str(folder / "s 100%?#")
    write = f"import os, wekaconf as wc; wc.Store({path!r}).enter(b'k', 'p', {{}}, records={kept})"
    subprocess.run([sys.executable, "-c", write + "; os._exit(0)" * is_killed], check=True)
    assert os.path.exists(f"{path}-wal") == is_killed
    read = f"import wekaconf as wc; store = wc.Store({path!r}, must_exist=True); print(store.kept_records(b'k'))"
    further = f"{read}; store.enter(b'l', 'p', {{}})"
    folder.chmod(0o555)
    try:
        done = [
            subprocess.run([*as_user, sys.executable, "-c", code], capture_output=True, text=True, check=False)
            for code in (read, further)
        ]
    finally:
        folder.chmod(0o755)
    assert [each.stdout for each in done] == [f"{kept}\n"] * 2, done[0].stderr
    assert done[0].returncode == 0
    assert is_killed or "may not be written or opened (attempt to write a readonly database)" in done[1].stderr


def test_a_folder_that_is_not_there(tmp_path):
    refused(tmp_path / "none" / "s", r"may not be written or opened \(unable to open .*; check its folder and permis")


def test_a_store_that_is_closed_is_a_mistake_of_ours(tmp_path):
    with wc.Store(tmp_path / "s") as store:
        assert repr(store) == f"Store({str(tmp_path / 's')!r})"
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        store.records()


def test_a_table_whose_name_is_no_text(tmp_path):
    wc.Store(tmp_path / "s").close()
    renamed = "UPDATE sqlite_master SET name = CAST(x'ff' AS TEXT), sql = 'CREATE' WHERE name = 'study'"
    changed_in(tmp_path / "s", "PRAGMA writable_schema = ON", renamed)
    refused(tmp_path / "s", r"is damaged \(.* can't decode byte 0xff .*\); put back a copy of it$")


# -- several processes, and ends of processes ----------------------------------------------------------------------


def test_a_writer_that_does_not_end(tmp_path, monkeypatch):
    monkeypatch.setattr("wekaconf.experiments.store._database.WAIT_SECONDS", 0.01)
    changed_in(tmp_path / "s", "CREATE TABLE t (x)", "DROP TABLE t")
    other = sqlite3.connect(tmp_path / "s", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    refused(tmp_path / "s", "another process has been writing to it for 0 s; end that one, or wait for it")
    other.close()
    wc.Store(tmp_path / "s").close()


def test_one_run_at_a_time(tmp_path):
    path = str(tmp_path / "s")
    code = (
        f"from wekaconf.experiments.store import sole_run\nwith sole_run({path!r}): print('runs', flush=True); input()"
    )
    other = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline() == "runs\n"
        with pytest.raises(StoreError, match="another process runs a study on this store; wait until it has"):
            sole_run(path).__enter__()
    finally:
        other.kill()
        other.communicate()
    with sole_run(path), pytest.raises(StoreError, match="another process"):
        sole_run(path).__enter__()
    assert os.listdir(tmp_path) == []


def test_a_full_disk_is_told_and_what_was_kept_stays(tmp_path):
    path = str(tmp_path / "s")
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA max_page_count = 1")  # as SQLite says of a disk without room
        with (
            pytest.raises(StoreError, match=r"s: cannot be written \(.*full\), .*the disk is full; make room and"),
            database.sqlite_errors(path),
        ):
            connection.execute("INSERT INTO study (content) VALUES (?)", ["x" * 10**6])
        assert connection.execute("SELECT count(*) FROM study").fetchall() == [(0,)]


def test_a_lock_that_cannot_be_had_is_no_other_run(tmp_path):
    """A folder stands where SQLite looks for its log."""
    with sqlite3.connect(tmp_path / "s-run") as lock:
        lock.execute("PRAGMA journal_mode = WAL")
        lock.execute("CREATE TABLE t (x)")
    lock.close()
    (tmp_path / "s-run-wal").mkdir()
    with pytest.raises(StoreError, match=r"s-run: may not be written or opened .* check its folder and permissions"):
        sole_run(str(tmp_path / "s")).__enter__()


@pytest.mark.one_commit_in(3)
def test_writers_wait_for_one_another(tmp_path):
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
import numpy as np
from support.kept_pieces import answers_in
from test_store import answers_of, key_of
with answers_in({str(tmp_path / "s")!r}) as kept:
    for place in range(100):
        kept[key_of(place, int(sys.argv[1]))] = answers_of(np.random.default_rng(place), 20, 3)
"""
    writers = [subprocess.Popen([sys.executable, "-c", code, str(i)], stderr=subprocess.PIPE) for i in range(3)]
    assert [(writer.communicate(timeout=100)[1], writer.returncode) for writer in writers] == [(b"", 0)] * 3
    with answers_in(tmp_path / "s") as kept:
        assert sum(map(len, kept.values())) == 3 * 100 * 20


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
def test_nothing_is_lost_when_the_writer_is_killed(tmp_path):
    """What it said it had put is there, bit for bit, and the file is whole."""
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
import numpy as np
from support.kept_pieces import answers_in
from test_store import answers_of, key_of
with answers_in({str(tmp_path / "s")!r}) as kept:
    for place in range(100_000):
        kept[key_of(place)] = answers_of(np.random.default_rng(place), 20, 3)
        print(place, flush=True)
"""
    there = 0
    for _ in range(3):
        writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        writer.stdout.readline()
        time.sleep(0.3 * np.random.default_rng().random())
        writer.kill()
        said = writer.communicate()[0].split()
        there = max([there, *map(int, said[:-1])])
        with answers_in(tmp_path / "s") as kept:
            for place in range(there + 1):
                np.testing.assert_array_equal(
                    kept[key_of(place)].proba, answers_of(np.random.default_rng(place), 20, 3).proba
                )
    connection = sqlite3.connect(tmp_path / "s")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.skipif(os.name == "nt", reason="a limit of the size of files")
@pytest.mark.one_commit_in(3)
def test_full_disk(jvm, tmp_path):
    """In one line, with what was finished before kept."""

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    command = [COMMAND, "evaluate", ARFF / "credit-g.arff", "-x", "50", "--method", "ling_yan", "--store", "s"]
    first = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, preexec_fn=limited)
    assert (first.returncode, first.stdout) == (1, "")
    assert first.stderr.startswith("error: s: cannot be written (") and first.stderr.count("\n") == 1
    assert "make room and run the same command again: what was finished before is kept" in first.stderr
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert again.returncode == 0
    assert "of 1000 answers are taken from s" in again.stderr


# -- from strangers ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_evaluations(tmp_path_factory):
    path = tmp_path_factory.mktemp("good") / "s.sqlite"
    with warnings.catch_warnings(action="ignore"):
        wc.evaluate(wc.load_arff(IRIS), ["leaf_frequency", "m_branch"], learner="CART", folds=2, resume=path)
    return path.read_bytes()


@pytest.fixture
def good_store(tmp_path, two_evaluations):
    """A store of two evaluations that were made without Java."""
    path = tmp_path / "s.sqlite"
    path.write_bytes(two_evaluations)
    return path


def changed_in(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(*([statement] if isinstance(statement, str) else statement))
    connection.close()


@pytest.mark.parametrize(
    "statements",
    [
        ["ALTER TABLE study RENAME TO old", "CREATE VIEW study AS SELECT id, zeroblob(900000000) AS content FROM old"],
        ["CREATE TRIGGER t BEFORE INSERT ON study BEGIN DELETE FROM study; END"],
        ["DROP TABLE study"],
        ["ALTER TABLE evaluation ADD COLUMN more TEXT AS (zeroblob(900000000))"],
    ],
)
def test_other_tables_are_refused(good_store, statements):
    changed_in(good_store, *statements)
    with pytest.raises(StoreError, match="its tables, views and triggers are not those that wekaconf writes"):
        wc.Store(good_store)


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
@pytest.mark.parametrize(
    ("aim", "part"),
    [
        (Aim("error", 0.0), "reachable"),
        (Aim("error", {"setosa": 0.001, "virginica": 0.4}, 0.9), "unreached_classes"),
        (Aim("below", 0.9), "threshold"),
        (Aim("keep", 0.9), "kept_correct"),
        (Aim("cost", (5, 1)), "coverage"),
    ],
)
def test_records_of_every_aim_are_read_again(jvm, tmp_path, aim, part):
    """Also of one that no threshold reaches, with what is reached instead."""
    protocol = wc.Protocol(folds=3, aim=aim)
    found = wc.evaluate(wc.load_arff(IRIS), "leaf_frequency", protocol=protocol, resume=tmp_path / "s")
    with wc.Store(tmp_path / "s") as store:
        [record] = store.records()
    assert repr(record["reject"]["chosen"]) == repr(found.records[0]["reject"]["chosen"])  # NaN equals NaN
    assert part in record["reject"]["chosen"]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (("UPDATE evaluation SET record = '[1]'",), "evaluation 1 is damaged .all: expected an object"),
        (("UPDATE evaluation SET record = '{}'",), "dataset: expected it to be there"),
        (
            ('UPDATE evaluation SET record = replace(record, \'"brier": \', \'"brier": "x", "b": \')',),
            "pooled.brier: expected float or",
        ),
        (
            ("UPDATE evaluation SET record = replace(record, '\"brier\": ', '\"b\": ')",),
            "pooled.brier: expected it to be there",
        ),
        (("UPDATE evaluation SET record = replace(record, '\"notes\": []', '\"notes\": [1]')",), "notes: expected str"),
        (
            ('UPDATE evaluation SET record = replace(record, \'"notes": []\', \'"notes": "ab"\')',),
            "notes: expected a list",
        ),
        (("UPDATE evaluation SET facts = '{'",), "evaluation 1 is damaged"),
        (("UPDATE evaluation SET facts = ?", ("[" * 100_000,)), "evaluation 1 is damaged"),
        (("UPDATE evaluation SET record = ?", (b"\xff",)), "evaluation 1 is damaged .expected text, got bytes"),
        (("UPDATE evaluation SET facts = CAST(x'ff' AS TEXT)",), "is damaged .Could not decode to UTF-8"),
        (("UPDATE evaluation SET n_classes = 'x'",), "evaluation 1 is damaged .expected whole numbers"),
        (("UPDATE evaluation SET n_classes = 0",), "evaluation 1 is damaged .expected whole numbers"),
        (("UPDATE evaluation SET design = 0",), "evaluation 1 is damaged .expected whole numbers"),
        (
            ("UPDATE evaluation SET record = replace(record, '\"n_instances\": 150', '\"n_instances\": true')",),
            "n_instances: expected int",
        ),
        (
            ('UPDATE evaluation SET record = replace(record, \'"aurc": \', \'"chosen": {"aim": "x"}, "aurc": \')',),
            "reject.chosen.threshold: expected it to be there",
        ),
        (
            ('UPDATE evaluation SET record = replace(record, \'"aurc": \', \'"coverage": {}, "aurc": \')',),
            "reject.coverage: expected float or int",
        ),
        (
            ("UPDATE evaluation SET record = replace(record, '\"seed\": 1', '\"seed\": 1.5')",),
            "seed: expected int or N",
        ),
    ],
)
def test_records_of_another_shape_are_refused(good_store, statement, message):
    changed_in(good_store, statement)
    with wc.Store(good_store) as store:
        for read in (store.records, store.evaluation):
            with pytest.raises(StoreError, match=message):
                read()


def change_design(path, change):
    """Change the arrays and class names of the only design in a store."""
    connection = sqlite3.connect(path)
    (content,) = connection.execute("SELECT asked FROM design").fetchone()
    connection.close()
    fields = change(unpacked(Design, content, 3, {"class_names": [TEXT]}))
    new = compressed(packed(Design, SimpleNamespace(**fields), {"class_names": fields["class_names"]}))
    changed_in(path, ("UPDATE design SET asked = ?", (new,)))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("actual", lambda array: array + 9, "actual: expected values from -1 to 2"),
        ("run", lambda array: array - 1, "run: expected values from 0"),
        ("weights", lambda array: array * np.nan, "weights: has values that are not numbers"),
        ("fold", lambda array: array[:, None], "fold: expected shape"),
        ("known", lambda array: array[:, :1], "known: expected shape"),
        ("training_weight", lambda array: array[:1], "the weights of a training set are missing"),
    ],
)
def test_who_was_asked_must_fit(good_store, name, change, message):
    change_design(good_store, lambda fields: fields | {name: change(fields[name])})
    with wc.Store(good_store) as store, pytest.raises(StoreError, match=message):
        store.evaluation()


@pytest.mark.parametrize("names", [["a", "b"], ["a", "b", "c", "d"], ["a", "b", 3]])
def test_names_of_classes_must_fit(good_store, names):
    change_design(good_store, lambda fields: fields | {"class_names": names})
    with (
        wc.Store(good_store) as store,
        pytest.raises(StoreError, match=r"expected the names of 3 classes|class_names: expected str"),
    ):
        store.evaluation()


@pytest.mark.parametrize("name", ["proba", "baseline"])
def test_answers_that_are_no_distributions_are_refused(good_store, name):
    connection = sqlite3.connect(good_store)
    (answers,) = connection.execute("SELECT answers FROM piece").fetchone()
    connection.close()
    arrays = unpack(answers, 3)
    arrays[name][0, 0] = np.nan
    changed_in(good_store, ("UPDATE piece SET answers = ?", (pack(FoldAnswers(**arrays)),)))
    with wc.Store(good_store) as store, pytest.raises(StoreError, match=f"{name}: has values that are not numbers"):
        store.evaluation()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("SET answers = 'x'", r"run 1, fold 1 of evaluation 1 is damaged \(expected bytes, got str"),
        ("SET answers = 1", "expected bytes, got int"),
        ("SET answers = x'00', run = 4", "run 5, fold 1 of evaluation 1 is damaged"),
        ("SET place = -1 WHERE place = 0", r"fold 0 of evaluation 1 is damaged \(no whole numbers say which"),
        ("SET run = 'x'", r"a piece of evaluation 1 is damaged \(no whole numbers say which"),
    ],
)
def test_a_damaged_piece_is_named(good_store, change, message):
    changed_in(good_store, f"UPDATE piece {change}")
    with wc.Store(good_store) as store, pytest.raises(StoreError, match=message):
        store.evaluation()


@pytest.mark.parametrize(
    ("lost", "ask"),
    [
        ("evaluation", lambda store: store.records()),
        ("evaluation", lambda store: store.begun()),
        ("evaluation", lambda store: store.begin("00", {}, 3)),
        ("design", lambda store: store.evaluation()),
        ("piece", lambda store: store.evaluation()),
        ("piece", lambda store: store.answers({1: 1}, 3)),
        ("piece", lambda store: keep_one(store.answers({}, 3))),
        ("job", lambda store: store.kept_records(b"key")),
        ("study", lambda store: store.keep_study({"name": "s"}, {})),
        ("study", lambda store: store.data_sets()),
        ("study", lambda store: store.study()),
        ("job", lambda store: store.outcomes()),
        ("job", lambda store: enter(store, b"key")),
    ],
)
def test_every_error_names_the_store(good_store, lost, ask):
    with wc.Store(good_store) as store:
        changed_in(good_store, f"DROP TABLE {lost}")
        with pytest.raises(StoreError) as told:
            ask(store)
    assert str(told.value).startswith(f"{good_store}: is damaged (no such table: ")
    assert f"{lost}); put back a copy of it, or delete it to compute everything again" in str(told.value)


def test_a_result_that_cannot_be_entered(good_store):
    """Nothing of it is written."""
    with wc.Store(good_store) as store:
        answers = store.evaluation().results[0].answers
        changed_in(good_store, "DELETE FROM design", "ALTER TABLE evaluation RENAME TO e")
        with pytest.raises(StoreError, match=rf"^{good_store}: is damaged .no such table: "):
            store.finish(1, {}, answers)
        changed_in(good_store, "ALTER TABLE e RENAME TO evaluation")
        with pytest.raises(StoreError, match="design 1 is damaged"):
            store.evaluation()


def test_lost_pieces_are_counted(good_store):
    changed_in(good_store, "DELETE FROM piece WHERE evaluation = 2 AND place = 1")
    with (
        wc.Store(good_store) as store,
        pytest.raises(StoreError, match=r"evaluation 2 is damaged .75 of 150 answers are there"),
    ):
        store.evaluation()


def test_a_study_of_another_version_is_none(good_store):
    study = {"name": "s", "data": ["x"], "methods": ["wpe"], "new": 1}
    content = json.dumps({"study": study, "data_sets": {}, "files": []})
    changed_in(good_store, f"""INSERT INTO study (content) VALUES ('{content}')""")
    with wc.Store(good_store) as store:
        assert study_in(store) is None


def test_nothing_to_show(tmp_path):
    with wc.Store(tmp_path / "empty.sqlite") as store, pytest.raises(wc.OptionError, match="nothing was measured"):
        store.evaluation().summary()
