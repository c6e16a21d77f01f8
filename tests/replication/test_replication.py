"""How many data sets are measured, several at a time, and what an interruption leaves."""

import json
import os
import shutil
import signal
import sqlite3
import time
from contextlib import closing
from functools import partial
from inspect import signature

import numpy as np
import pytest
from support.command_line import ARFF, COMMAND
from support.fresh_python import child
from support.processes import gone, started, wait_until

import wekaconf as wc
from wekaconf.replication._runner import run_sets
from wekaconf.replication._study import PaperMeasurement, PaperStudy, Request, Results
from wekaconf.replication.papers import PAPERS, study_of


def kept_in(path):
    """Data set and origin of the records in a store."""
    with closing(sqlite3.connect(path)) as connection:
        facts = connection.execute("SELECT facts FROM job WHERE error IS NULL").fetchall()
        return sorted((json.loads(text)["data_set"], text) for (text,) in facts)


def is_kept(path):
    try:
        return kept_in(path)
    except sqlite3.OperationalError:  # before there are tables
        return False


@pytest.mark.one_commit_in(3)
def test_interrupt_leaves_what_is_finished(tmp_path):
    """Ctrl-C at a terminal reaches the workers too: exit code 130, nobody left, the finished set kept."""
    (tmp_path / "data").mkdir()
    shutil.copy(ARFF / "iris.arff", tmp_path / "data")
    shutil.copy(ARFF / "waveform-synthetic.arff", tmp_path / "data" / "waveform-5000.arff")
    words = "study replicate wang2006 --data data --set iris --set waveform-5000 --runs 5 --table 3 -j 2 --store done"
    running = started([COMMAND, *words.split()], tmp_path)
    with gone(running):
        wait_until(lambda: (tmp_path / "done").exists() and is_kept(tmp_path / "done"))
        time.sleep(0.5)  # one worker is idle now, the other at work
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert [line for line in err.strip().splitlines() if line and not line.startswith("note: data/")] == [
        "what is finished is in done; run the same command again to go on",
        "interrupted; nothing half-written is left",
    ]
    assert [name for name, _ in kept_in(tmp_path / "done")] == ["iris"]


# -- several processes ---------------------------------------------------------------------------------------------


@pytest.fixture
def three_sets(tmp_path):
    """Files of growing size."""
    for i, name in enumerate("abc"):
        (tmp_path / name).write_text("x" * i)
    return {name: str(tmp_path / name) for name in "abc"}


def test_one_process_or_two(jvm, three_sets):
    """The same records in the same order, notes passed on, and a failure that stops nobody."""

    def measure(name, path):
        import warnings

        if name == "b":
            raise wc.OptionError("b is bad")
        warnings.warn(wc.Note(f"about {name}"), stacklevel=1)
        return [{"dataset": name, "path": path, "i": i, "pid": os.getpid()} for i in range(2)]

    for jobs in (1, 2):
        steps = []
        with pytest.warns(wc.Note) as told:
            records, failed = run_sets(
                "p", measure, three_sets, parameters={}, jobs=jobs, on_progress=lambda *step, to=steps: to.append(step)
            )
        assert [(r["dataset"], r["path"], r["i"]) for r in records] == [
            (name, three_sets[name], i) for name in "ac" for i in range(2)
        ]
        assert failed == {"b": "b is bad"}
        texts, shares = zip(*steps, strict=True)
        counts = [*dict.fromkeys(text.partition(":")[0] for text in texts)]
        assert counts == ["0/3 sets", "1/3 sets", "2/3 sets", "3/3 sets"]
        assert shares[0] == 0 and shares[-1] == 1 and max(text.count(",") for text in texts) == jobs - 1
        if jobs == 1:
            assert [text for text in texts if ":" in text] == ["0/3 sets: c", "1/3 sets: b", "2/3 sets: a"]
            assert [*dict.fromkeys(shares)] == pytest.approx([0, 2 / 3, 1])
        assert sorted(str(w.message) for w in told) == ["about a", "about c"]
        assert all((r["pid"] == os.getpid()) == (jobs == 1) for r in records)


def test_sets_that_a_store_holds_are_done_at_once(three_sets, tmp_path):
    given = {"parameters": {}, "versions": {"python": "3"}, "resume": tmp_path / "store"}
    some = {name: three_sets[name] for name in "ac"}
    measured = []

    def measure(name, path):
        measured.append(name)
        return [{"dataset": name}]

    run_sets("p", measure, some, **given)
    steps = []
    records, _ = run_sets("p", measure, three_sets, **given, on_progress=lambda *step: steps.append(step))
    assert records == [{"dataset": name} for name in "abc"] and measured == ["c", "a", "b"]
    told = [("2/3 sets", 0), ("2/3 sets", 0), ("2/3 sets", 2 / 3), ("2/3 sets: b", 2 / 3), ("3/3 sets", 1)]
    assert steps == [(text, pytest.approx(share)) for text, share in told]


@pytest.mark.one_commit_in(3)
def test_worker_that_dies(jvm, three_sets):
    """Once: all is measured. Always: that is recorded, and the others go on."""
    mark = os.path.join(os.path.dirname(three_sets["a"]), "was-here")

    def measure(name, path, dies):
        if name == "c" and (dies == "always" or not os.path.exists(mark)):
            with open(mark, "w"):
                os.kill(os.getpid(), signal.SIGKILL)
        return [{"dataset": name}]

    told = "a worker process died; what was being done is tried again, and then 1 at a time"
    died = "the process that did this died twice, perhaps for lack of memory; use fewer jobs or a smaller heap"
    for dies, names, wanted in (("once", "abc", {}), ("always", "ab", {"c": died})):
        with pytest.warns(wc.Note, match=told):
            records, failed = run_sets("p", partial(measure, dies=dies), three_sets, parameters={}, jobs=2)
        assert records == [{"dataset": name} for name in names]
        assert failed == wanted


def test_worker_without_memory(jvm, three_sets):
    """What Python or numpy has no room for is recorded like any failure, and the others go on."""

    def measure(name, path):
        if name == "b":
            np.empty(2**60, dtype=np.int8)
        return [{"dataset": name}]

    records, failed = run_sets("p", measure, three_sets, parameters={}, jobs=2)
    assert records == [{"dataset": "a"}, {"dataset": "c"}]
    assert failed["b"].startswith("a worker had not enough memory (Unable to allocate 1.00 EiB")
    assert failed["b"].endswith("; use fewer jobs")


def test_a_mistake_of_ours_is_no_failure_of_a_set(three_sets):
    def measure(name, path):
        raise ZeroDivisionError(name)

    with pytest.raises(ZeroDivisionError, match="c"):
        run_sets("p", measure, three_sets, parameters={}, versions={})


@pytest.mark.one_commit_in(3)
def test_workers_share_the_heap_of_their_parent(three_sets):
    code = f"""
import wekaconf as wc
from wekaconf.replication._runner import run_sets
wc.configure(max_heap="400m")
heap = lambda name, path: [int(wc.about()["max_heap_bytes"]) >> 20]
print(run_sets("p", heap, {three_sets}, parameters={{}}, jobs=2)[0])
"""
    heaps = json.loads(child(code))
    assert len(heaps) == 3 and all(150 <= heap <= 200 for heap in heaps)


# -- studies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", [paper for paper in PAPERS if paper != "costa2013"])  # which takes any file
def test_a_set_that_a_paper_does_not_have(paper):
    with pytest.raises(wc.OptionError, match=f"no data set 'nothing' in {paper}"):
        study_of(paper).measurements(Request(sets=("nothing",)))


@pytest.mark.parametrize("is_quick", [True, False])
@pytest.mark.parametrize("paper", PAPERS)
def test_every_measurement_takes_its_parameters(paper, is_quick):
    """Those of all parts together, so that none gets what is another's."""
    for each in study_of(paper).measurements(Request(quick=is_quick)):
        signature(each.measure).bind(*(("name", "path") if each.sets else ()), **each.parameters)


def test_one_measurement_after_another(tmp_path):
    """What fails in one is left out of the next; the progress is that of all; synthetic data need no file."""
    for name in "ab":
        (tmp_path / f"{name}.arff").write_text("x")

    def measure(name, path, *, fails):
        if name == fails:
            raise wc.OptionError(f"{name} is bad")
        return [{"dataset": name}]

    class Study(PaperStudy):
        data_sets = ("a", "b", "c")

        def measurements(self, request):
            return [
                PaperMeasurement("first", measure, ("a", "b"), {"fails": "b"}, {}),
                PaperMeasurement("files", None, ("c",), {}),
                PaperMeasurement("synthetic", lambda seed: [{"seed": seed}], (), {"seed": request.seed}),
                PaperMeasurement("last", measure, ("b", "a", "c"), {"fails": ""}, {}),
            ]

        def results(self, request, records, paths):
            assert paths == {name: str(tmp_path / f"{name}.arff") for name in "ab"}
            return Results(records, [])

    shares = []
    request = Request((str(tmp_path),), seed=7, on_progress=lambda text, share: shares.append(share))
    with pytest.warns(wc.Note, match=r"1 data set is not in .* and left out: c\.arff"):
        found = Study().run(request)
    assert found.records == {"first": [{"dataset": "a"}], "synthetic": [{"seed": 7}], "last": [{"dataset": "a"}]}
    assert (found.missing, found.failed) == (["c"], {"b": "b is bad"})
    assert shares == sorted(shares) and {0, 0.25, 0.75, 1} <= {*shares}
