"""What Weka's classifiers of ours ask of Python: messages, the process that answers, and what becomes of failures."""

import io
import os
import signal
import struct
import subprocess
import sys
import threading
import time
import tomllib
from ast import literal_eval
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fresh_python import child
from support.promises import choice_promised

import wekaconf as wc
from wekaconf.evaluation.checks import compare_rows
from wekaconf.evaluation.thresholds import draw_rows
from wekaconf.in_weka import _messages as messages
from wekaconf.in_weka import _service as service
from wekaconf.in_weka import process
from wekaconf.in_weka._messages import PROTOCOL, MessageError, pack, unpack
from wekaconf.in_weka.process import answer
from wekaconf.model.file import model_bytes, model_of_bytes

ARFF = Path(__file__).parents[2] / "arff"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
PARTS = st.dictionaries(
    TEXTS,
    st.one_of(
        st.binary(max_size=20),
        st.lists(TEXTS, max_size=4),
        st.lists(st.integers(-(2**31), 2**31 - 1), max_size=4).map(lambda cells: np.array(cells, dtype=np.int32)),
        st.lists(st.floats(), max_size=4).map(lambda cells: np.array(cells, dtype=np.float64)),
    ),
    max_size=4,
)


# -- messages ---------------------------------------------------------------------------------------------------------


@given(PARTS)
def test_a_message_comes_back(parts):
    back = unpack(pack(parts))
    assert back.keys() == parts.keys()
    for name, part in parts.items():
        assert type(back[name]) is type(part)
        assert back[name].tobytes() == part.tobytes() if isinstance(part, np.ndarray) else back[name] == part


@given(PARTS, st.data())
@settings(max_examples=300)
def test_damaged_messages_are_refused(parts, data):
    message = bytearray(pack(parts))
    for _ in range(data.draw(st.integers(1, 3))):
        if message:
            message[data.draw(st.integers(0, len(message) - 1))] = data.draw(st.integers(0, 255))
    del message[data.draw(st.integers(0, len(message))) :]
    with suppress(MessageError):
        unpack(bytes(message))
    assert "refused" in unpack(answer(bytes(message)))


def test_a_length_is_no_promise():
    """Nothing is allocated for elements that are not there."""
    for kind in b"bids":
        for length in (2**31 - 1, -1):
            with pytest.raises(MessageError, match="a length of"):
                unpack(pack({"x": b""})[:5] + bytes([kind]) + struct.pack(">i", length))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (pack({"x": b""})[:5] + b"z" + struct.pack(">i", 0), "unknown kind of array b'z'"),
        (struct.pack(">i", 1) + b"\xff" + b"b" + struct.pack(">i", 0), "a text is no UTF-8: "),
    ],
)
def test_what_is_no_message_is_refused_with_the_reason(message, said):
    with pytest.raises(MessageError, match=said):
        unpack(message)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "does not understand the question"),
        ({"action": ["dance"]}, "does not understand the question"),
        ({"action": ["fit"], "method": ["confdtree"]}, "does not understand the question"),
        (
            {
                "action": ["answer"],
                "key": bytes(32),
                "cells": np.zeros(3),
                "sparse_rows": np.zeros(0, dtype=np.int32),
                "model": b"PK",
            },
            "not a model",
        ),
        ({"action": np.zeros(1)}, "does not understand the question"),
    ],
)
def test_questions_that_make_no_sense(asked, said):
    [refused] = unpack(answer(pack(asked)))["refused"]
    assert said in refused


def fit_message(method="m_branch", params=()):
    """What Java says to fit a method on a tree that Python grows."""
    data = wc.load_arff(ARFF / "iris.arff")
    values = [value for attribute in data.attributes for value in attribute.values]
    return pack({
        "action": ["fit"], "method": [method], "params": list(params), "learner": ["info_gain"], "relation": ["iris"],
        "class_index": np.array([4], np.int32), "names": [attribute.name for attribute in data.attributes],
        "kinds": np.array([0, 0, 0, 0, 1], np.int32), "value_counts": np.array([0, 0, 0, 0, 3], np.int32),
        "values": values, "cells": data.values.ravel(), "weights": data.weights, "sparse_rows": data.sparse_rows,
    })  # fmt: skip


def answer_message(of, cells, **more):
    from hashlib import sha256

    asked = {"action": ["answer"], "key": sha256(of).digest(), "cells": cells, "sparse_rows": np.zeros(0, np.int32)}
    return pack(asked | more)


def test_that_nothing_is_answered_is_noted(iris):
    """Weka prints a Kappa of 1 where every answer is rejected."""
    model = wc.fit(iris, learner="info_gain", aim=wc.Aim("below", np.inf))
    for rows, beginning in {150: "none of 150 rows: all are rejected, so the figures", 1: ""}.items():
        message = answer_message(b"", iris.values[:rows].ravel(), model=model_bytes(model))
        [text] = unpack(answer(message))["note"]
        assert text.startswith(beginning) and ("a Kappa of 1" in text) == (rows > 1)


def test_instances_that_are_not_like_those_of_training_are_noted(iris):
    file = unpack(answer(fit_message()))["model"]

    def note(values):
        [text] = unpack(answer(answer_message(file, values.ravel(), model=file)))["note"]
        return text

    values = iris.values.copy()
    assert note(values) == note(values[::3]) == note(values[:0]) == ""
    values[[3, 6], 0] = 510
    name = iris.attributes[0].name
    assert " ".join(note(values[::3]).split()) == (
        "50 rows, like those of training; 2 with values outside training; far outside training: 2 rows, such as "
        f"{name} 510, training at most 7.9"
    )
    assert note(values[3:4]) == "", "a single one is not compared"
    assert note(values[[3, 6]]).startswith("2 rows, not like those of training (")
    values[:, 0] *= 10
    first, _, second = " ".join(note(values).split()).partition(" 150 with values outside training: ")
    assert first.startswith("150 rows, not like those of training (150 training rows; p after Holm's correction for ")
    assert second.startswith(f"{name}: 150 of 150 rows above 7.9, the greatest in training")
    assert note(iris.values[:50]).startswith("50 rows, not like those of training ("), "all of one kind"


@pytest.mark.parametrize(("rows", "is_sure"), [(slice(0, 11), False), (slice(50, 67), True)])
def test_what_chance_brings_once_in_a_thousand_files_is_not_noted(iris, rows, is_sure):
    """Eleven rows of one class are told at the 5 % level, which one fold of twenty would be by chance."""
    file = unpack(answer(fit_message()))["model"]
    model = model_of_bytes(file, "m")
    told = compare_rows(model.outside(iris.take(rows)), None, lambda: None, iris.class_names, promises=False).told
    assert told and (min(change.p for change in told) <= 0.001) == is_sure
    [text] = unpack(answer(answer_message(file, iris.values[rows].ravel(), model=file)))["note"]
    assert (text != "") == is_sure


def test_a_model_without_a_summary_notes_nothing(iris):
    method = wc.MBranch().fit(wc.grow(iris, "info_gain"), iris)
    file = model_bytes(wc.Model(method))
    asked = answer_message(file, 10 * iris.values.ravel(), model=file)
    assert unpack(answer(asked))["note"] == [""]


def test_what_was_let_go_of_is_asked_for(monkeypatch, iris):
    monkeypatch.setattr(service, "MOST_MODELS", 1)
    first = unpack(answer(fit_message()))["model"]
    cells = iris.values.ravel()
    answered = unpack(answer(answer_message(first, cells)))
    answer(fit_message("curtailment"))
    assert list(unpack(answer(answer_message(first, cells)))) == ["unknown"]
    again = unpack(answer(answer_message(first, cells, model=first)))
    assert again["distributions"].tobytes() == answered["distributions"].tobytes()
    assert "distributions" in unpack(answer(answer_message(first, cells))), "it is kept again"
    fitted = wc.MBranch().fit(wc.grow(iris, "info_gain"), iris)
    assert answered["distributions"].tobytes() == fitted.predict_proba(iris).tobytes()
    assert answered["certainty"].tobytes() == fitted.certainty(iris).tobytes()


def test_how_many_models_are_kept():
    """A thousand, or 256 MiB of files; the most recently used ones."""
    for n, size in ((1000, 1), (4, 2**26)):
        kept = service._KeptModels()
        keys = [bytes([*divmod(place, 256)]) for place in range(n + 1)]
        for key in keys[:-1]:
            kept.put(key, object(), size)
        assert kept.get(keys[1]) and kept.get(keys[0])
        kept.put(keys[-1], object(), size)
        assert [key for key in keys if kept.get(key) is None] == [keys[2]]


def test_the_last_model_is_kept_however_large():
    kept, models = service._KeptModels(), [object() for _ in range(4)]
    for key, model, size in zip((b"a", b"b", b"c", b"d"), models, (2**28 + 1, 2**28 - 1, 1, 1), strict=True):
        kept.put(key, model, size)
        assert kept.get(key) is model
        assert (kept.get(b"a") is None) == (key != b"a"), "two are more than there is room for"
    assert kept.get(b"b") is None and kept.get(b"c") is models[2], "room for all but a byte, and for the rest"


def test_what_is_described(monkeypatch):
    asked = {"action": ["describe"], "java": np.array([21], np.int32)}
    data = wc.load_arff(ARFF / "missing-weights.arff")

    def described(name):
        tree = wc.mirror(f"tests/golden/models/weka-3.9.5-{name}.model")
        model = model_bytes(wc.Model(wc.MBranch().fit(tree, data)))
        told = unpack(answer(pack(asked | {"key": name.encode(), "model": model})))
        return tree, *told["text"], *told["graph"]

    _, text, graph = described("j48")
    assert text.startswith("MBranch on J48 -M 20\n\nJ48 pruned tree\n") and graph.startswith("digraph")
    forest, text, graph = described("randomforest")
    n_trees, n_nodes = len(forest.trees), sum(tree.n_nodes for tree in forest.trees)
    assert text == f"MBranch on {forest.learner} {forest.options}\n\n{n_trees} trees, {n_nodes} nodes\n" and graph == ""
    assert unpack(answer(pack(asked | {"key": b"none"}))) == {"unknown": []}
    monkeypatch.setitem(service._ACTIONS, "describe", lambda _: np.zeros(2**57))
    assert unpack(answer(pack(asked)))["refused"] == ["wekaconf's Python ran out of memory"]


def promise_message(target, n=150):
    share, confidence = np.array([0.3]), np.array([0.9])
    return pack(
        {"action": ["hold_out"], "n": np.array([n], np.int32), "calibrate": share, "target_error": [target],
         "confidence": confidence}
    )  # fmt: skip


def test_the_rows_that_are_held_out_are_those_of_predict():
    held_out = unpack(answer(promise_message("0.1")))["held_out"]
    np.testing.assert_array_equal(held_out, np.flatnonzero(draw_rows(150, 0.3)))
    assert not len(unpack(answer(promise_message("0.1", n=0)))["held_out"])
    [refused] = unpack(answer(promise_message("10 %")))["refused"]
    assert refused == "-target-error expects a share in [0, 1], such as 0.93, got '10 %'; write 0.1"


def test_rejected_by_the_threshold_of_each_class(iris):
    held_out = draw_rows(len(iris), 0.3)
    fitted = wc.MBranch().fit(wc.grow(iris.take(~held_out), "info_gain"), iris.take(~held_out))
    aim = wc.Aim("error", {"setosa": 0.2, "virginica": 0.001}, confidence=0.9)
    model = wc.Model(fitted, choice=choice_promised(fitted, aim, iris.take(held_out), iris.take(~held_out)))
    file = model_bytes(model)
    told = unpack(answer(answer_message(file, iris.values.ravel(), model=file)))
    assert 0 < told["rejected"].sum() < len(iris)
    np.testing.assert_array_equal(told["rejected"], model.reject(iris))
    described = {"action": ["describe"], "key": b"by class", "java": np.array([21], np.int32), "model": file}
    [text] = unpack(answer(pack(described)))["text"]
    assert "\n\nthreshold " in text and "\nevery answer 'versicolor' is given, without a promise\n\n" in text


def test_a_threshold_without_a_promise_is_not_described(iris):
    """No classifier of ours keeps one in its model; a file from a stranger may."""
    fitted = wc.MBranch().fit(wc.grow(iris, "info_gain"), iris)
    file = model_bytes(wc.Model(fitted, choice=wc.choose_threshold([], [], below=0.5)))
    described = {"action": ["describe"], "key": b"below", "java": np.array([21], np.int32), "model": file}
    [text] = unpack(answer(pack(described)))["text"]
    assert text.startswith("MBranch on InfoGain\n\nInformation gain tree\n")
    told = unpack(answer(answer_message(file, iris.values.ravel(), model=file)))
    np.testing.assert_array_equal(told["rejected"], fitted.certainty(iris) < 0.5)


def test_refusals_are_told():
    [refused] = unpack(answer(fit_message("id3_sd", ["-alpha", "0.1", "-p_total", "0.9"])))["refused"]
    assert refused == "ID3SD: give -alpha or -p_total, from which alpha follows, not both"
    [refused] = unpack(answer(fit_message("wpe")))["refused"]
    assert refused.startswith("WPE compares nominal values")
    model = unpack(answer(fit_message()))["model"]
    [refused] = unpack(answer(answer_message(model, np.zeros(7))))["refused"]
    assert "ValueError" in refused


def test_an_answer_that_no_array_of_java_holds_is_refused(monkeypatch):
    """Whether one array of it or all together are too long; nothing is allocated for it."""
    for parts in ({"x": np.broadcast_to(0.0, 2**28)}, {"x": np.broadcast_to(np.int32(0), 2**31)}):
        monkeypatch.setitem(service._ACTIONS, "describe", lambda _, parts=parts: parts)
        [refused] = unpack(answer(pack({"action": ["describe"]})))["refused"]
        assert refused.startswith("an answer of ") and "longer than the 2 GiB that Java can take" in refused
    monkeypatch.setattr(messages, "LONGEST", 30)
    assert len(pack({"x": bytes(10), "y": b""})) == 30
    with pytest.raises(wc.WekaconfError, match="an answer of 31 bytes is longer"):
        pack({"x": bytes(10), "y": b"z"})


def test_whatever_ends_an_answer_is_told(monkeypatch):
    def ended(_):
        raise SystemExit(3)

    monkeypatch.setitem(service._ACTIONS, "describe", ended)
    assert unpack(answer(pack({"action": ["describe"]})))["refused"] == ["wekaconf failed with SystemExit: 3"]


# -- the process ------------------------------------------------------------------------------------------------------


class Asked:
    """``wekaconf serve`` as Weka starts it; killed after a minute, since it should not leave a question unanswered."""

    def __init__(self, *paths, before=(), **how):
        env = os.environ | {"PYTHONPATH": os.pathsep.join([*map(str, paths), *sys.path])}
        command = [*before, sys.executable, "-P", "-m", "wekaconf", "serve"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, **{"stdout": subprocess.PIPE, "env": env} | how)
        self._end = threading.Timer(60, self.process.kill)
        self._end.start()

    def read(self):
        """The number and the parts of an answer; None at the end."""
        head = self.process.stdout.read(8)
        if len(head) < 8:
            return None
        number, length = struct.unpack(">ii", head)
        return number, unpack(self.process.stdout.read(length))

    def close(self):
        self._end.cancel()
        self.process.kill()
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def say(self, number, message):
        self.process.stdin.write(struct.pack(">ii", number, len(message)) + message)
        self.process.stdin.flush()


@pytest.fixture
def asked():
    with closing(Asked()) as asked:
        yield asked


def test_a_process_answers(asked):
    number, greeting = asked.read()
    assert (number, greeting["protocol"].tolist(), greeting["version"]) == (0, [PROTOCOL], [wc.__version__])
    asked.say(7, fit_message())
    asked.say(9, pack({"action": ["dance"]}))
    answers = dict(asked.read() for _ in range(2))
    assert answers.keys() == {7, 9} and "refused" in answers[9]
    asked.process.send_signal(signal.SIGINT)
    asked.say(10, answer_message(answers[7]["model"], wc.load_arff(ARFF / "iris.arff").values.ravel()))
    assert asked.read()[1]["distributions"].shape == (450,)
    asked.process.stdin.close()
    assert asked.process.wait(timeout=60) == 0


def test_a_process_ends_where_questions_do(asked):
    """In the midst of one; `_next` is held against all such ends, and the hidden command gets no question at all."""
    asked.read()
    asked.process.stdin.write(struct.pack(">ii", 1, 100) + b"x")
    asked.process.stdin.close()
    assert asked.process.wait(timeout=60) == 0


def test_an_import_that_fails_is_told(tmp_path):
    """A file of the user's on PYTHONPATH has the name of one of Python's modules; Weka would wait for ever."""
    (tmp_path / "html.py").write_text("x = 1\n")
    with closing(Asked(tmp_path)) as asked:
        asked.read()
        asked.say(1, fit_message())
        number, parts = asked.read()
    assert number == 1 and f"({tmp_path / 'html.py'})" in parts["refused"][0]


def test_what_is_printed_does_not_come_between_answers(tmp_path):
    """A module of the user's, imported with the first answer, prints a banner."""
    (tmp_path / "html.py").write_text("print('a banner', flush=True)\n")
    with closing(Asked(tmp_path, stderr=subprocess.PIPE)) as asked:
        asked.read()
        asked.say(1, fit_message())
        number, parts = asked.read()
        asked.process.kill()
        printed = asked.process.stderr.read()
    assert (number, list(parts)) == (1, ["refused"]) and b"a banner" in printed


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
@pytest.mark.parametrize("megabytes", [150, 300])
def test_with_little_memory_it_answers_or_ends(megabytes):
    """Whatever the limit leaves room for: no import, some, or an answer."""
    limit = ("sh", "-c", f'ulimit -v {megabytes << 10}; exec "$0" "$@"')
    with closing(Asked(before=limit, stderr=subprocess.DEVNULL)) as asked:
        if asked.read() is not None:
            asked.say(1, fit_message())
            told = asked.read()
            assert told is None or (told[0] == 1 and told[1].keys() in ({"refused"}, {"model"}))
        assert asked.process.poll() != -signal.SIGKILL


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
def test_a_process_ends_where_it_cannot_send(tmp_path):
    """Its output is a file with room for the greeting, but not for an answer."""
    limit = ("sh", "-c", 'ulimit -f 1; exec "$0" "$@"')
    with (tmp_path / "answers").open("wb") as file, closing(Asked(before=limit, stdout=file)) as asked:
        asked.say(1, fit_message())
        assert asked.process.wait(timeout=50) == 1


def test_a_process_does_not_outlive_who_asks(tmp_path):
    """Nor one that was killed."""
    code = (
        "import subprocess, sys, time; "
        "child = subprocess.Popen([sys.executable, '-m', 'wekaconf', 'serve'], stdin=-1, stdout=-1); "
        "child.stdout.read(8); print(child.pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{child}/stat").exists() and Path(f"/proc/{child}/stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError("it is still there")


# -- through the pipe from a virtual machine --------------------------------------------------------------------------

BEGIN = """
import os, signal, subprocess, sys, threading
import numpy as np
import wekaconf as wc
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import to_java
data = wc.load_arff(ARFF)
wc.about()
from weka.core.dataset import Instances
sent = Instances(to_java(data))
def answers(classifier):
    return np.array(classifier.distributions_for_instances(sent))
by_proxy = wc.as_weka("confdtree"); by_proxy.build_classifier(sent)
wanted = answers(by_proxy)
jvm.call("setHandler", None)
jvm.call("setPython", PYTHON)
classifier = wc.as_weka("confdtree")
def children():
    command = ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())]
    listed = subprocess.run(command, capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "serve" in line]
"""


def piped(code):
    """What a fresh process prints whose classifiers of ours ask another one."""
    pytest.importorskip("jpype", reason="changes who answers in a running virtual machine")
    begin = BEGIN.replace("ARFF", repr(str(ARFF / "iris.arff"))).replace("PYTHON", repr(sys.executable))
    return child(begin + code)


@pytest.mark.jvm
@pytest.mark.one_commit_in(3)
def test_the_pipe_answers_as_the_proxy_does_and_is_mended():
    """Killed between questions, and asked by eight threads at once, with a batch larger than a pipe holds."""
    assert (
        piped("""
classifier.build_classifier(sent)
print((answers(classifier) == wanted).all(), len(children()))
os.kill(children()[0], signal.SIGKILL)
print((answers(classifier) == wanted).all(), (answers(by_proxy) == wanted).all(), len(children()))
large = Instances(to_java(data.take(np.arange(150).repeat(400))))
made = [None] * 8
def ask(number):
    got = np.array(classifier.distributions_for_instances(large))
    made[number] = (got.reshape(150, 400, 3) == wanted[:, None]).all()
threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
print(all(made), len(children()))
""")
        == "True 1\nTrue True 1\nTrue 1\n"
    )


@pytest.mark.jvm
@pytest.mark.one_commit_in(3)
def test_killed_over_a_question():
    """A process that dies while it is asked is replaced, once; the answer is the same."""
    assert (
        piped("""
classifier.build_classifier(sent)
asked = wc.as_weka("tpce")
asked.build_classifier(sent)
threading.Timer(0.3, lambda: os.kill(children()[0], signal.SIGKILL)).start()
got = np.array(asked.distributions_for_instances(Instances(to_java(data.take(np.arange(150).repeat(20))))))
fitted = wc.TPCE().fit(wc.grow(data, "info_gain"), data)
print((got.reshape(150, 20, 3) == fitted.predict_proba(data)[:, None]).all())
""")
        == "True\n"
    )


@pytest.mark.jvm
def test_what_ends_an_answer_inside_the_python_that_runs_java():
    """A failure is told there, too; Ctrl-C is Python's own, whether it comes while a model is fitted or asked."""
    pytest.importorskip("jpype", reason="javabridge lets Java call no function of Python's")
    code = """
import signal, sys
import wekaconf as wc
from wekaconf.bridge._instances import to_java
wc.about()
from weka.core.dataset import Instances
sent = Instances(to_java(wc.load_arff(sys.argv[1])))
classifier = wc.as_weka("m_branch")
def ended(act, *arguments):
    try:
        act(*arguments)
    except BaseException as error:
        print(type(error).__name__, " ".join(str(error).split()))
sys.modules["wekaconf.in_weka._service"] = None
ended(classifier.build_classifier, sent)
print(" ".join(str(classifier).split()))
del sys.modules["wekaconf.in_weka._service"]
from wekaconf.in_weka import _service as service
classifier.build_classifier(sent)
for action in ("answer", "fit"):
    service._ACTIONS[action] = lambda _: signal.raise_signal(signal.SIGINT)
ended(classifier.distributions_for_instances, sent)
ended(classifier.build_classifier, sent)
service._ACTIONS["fit"] = lambda _: sys.exit(3)
ended(classifier.build_classifier, sent)
"""
    failed = "wekaconf failed with ModuleNotFoundError: import of wekaconf.in_weka._service halted; None in sys.modules"
    assert child(code, ARFF / "iris.arff").splitlines() == [
        f"java.lang.Exception java.lang.Exception: {failed}", f"MBranch: {failed}",
        "KeyboardInterrupt ", "KeyboardInterrupt ",
        "java.lang.Exception java.lang.Exception: wekaconf failed with SystemExit: 3",
    ]  # fmt: skip


REFUSED = """
for path in PATHS:
    jvm.call("setPython", path)
    try:
        classifier.build_classifier(sent)
    except Exception as error:
        print(" ".join(str(error).split()))
"""


@pytest.mark.jvm
@pytest.mark.one_commit_in(3)
def test_what_is_no_python_of_ours(tmp_path):
    """Absent, a folder, without wekaconf, too old, of another version, no Python: a sentence with the remedy each."""

    def greets(protocol):
        message = pack({"protocol": np.array([protocol], dtype=np.int32), "version": ["9.9.9"]})
        greeting = struct.pack(">ii", 0, len(message)) + message
        return f"sys.stdout.buffer.write({greeting!r}); sys.stdout.flush(); time.sleep(9)"

    scripts = {
        "broken": "sys.exit('No module named wekaconf')",
        "slow": "os.close(1); time.sleep(0.5); sys.exit('No module named numpy')",
        "newer": greets(PROTOCOL + 1),
        "former": greets(PROTOCOL - 1),
        "babble": "print('hello, this is no message', flush=True); time.sleep(9)",
        "banner": f"print('hello', flush=True); {greets(PROTOCOL)}",
        "old": "sys.exit('unknown option -P; Try `python -h\\' for more information.')",
        "older": "sys.exit(2)",
    }
    versions = {"old": "Python 3.8.10", "older": "Python 2.7.18"}
    for name, text in scripts.items():
        asked = f"if '--version' in sys.argv: sys.exit({versions.get(name, 'Python 3.13.0')!r})"
        (tmp_path / name).write_text(f"#!{sys.executable}\nimport os, sys, time\n{asked}\n{text}\n")
        (tmp_path / name).chmod(0o755)
    command = str(Path(sys.executable).with_name("wekaconf"))
    paths = [str(tmp_path / name) for name in ("none", ".", *scripts)] + ["/bin/true", command]
    told = piped(REFUSED.replace("PATHS", repr(paths))).splitlines()
    said = dict(zip(["none", "folder", *scripts, "true", "command"], told, strict=True))
    assert f"names {tmp_path}/none, which is not there; name the Python that has wekaconf" in said["none"]
    assert f"names {tmp_path}, which is a folder; name the Python that has wekaconf" in said["folder"]
    remedy = "; install wekaconf as its README says, then run 'wekaconf weka install'"
    assert f"No module named wekaconf{remedy}" in said["broken"]
    assert f"No module named numpy{remedy}" in said["slow"]
    for name, protocol in (("newer", PROTOCOL + 1), ("former", PROTOCOL - 1)):
        differs = f"is wekaconf 9.9.9, which speaks protocol {protocol}; these classifiers speak {PROTOCOL}."
        assert differs in said[name], said[name]
    oldest = tomllib.loads((ARFF.parent / "pyproject.toml").read_text())["project"]["requires-python"].removeprefix(
        ">="
    )
    assert f"this is Python 3.8; wekaconf needs {oldest} or newer{remedy}" in said["old"]
    assert f"this is Python 2.7; wekaconf needs {oldest} or newer{remedy}" in said["older"]
    for name, shown in (("babble", "hello, t"), ("banner", "hello???")):
        assert f"it wrote '{shown}' to its standard output where an answer should begin{remedy}" in said[name]
    for name in ("true", "command"):
        assert f"serve): this is no Python{remedy}" in said[name]
    names = ("broken", "slow", "babble", "banner", "old", "older", "true", "command")
    assert all("did not start" in said[name] for name in names)


FAKE = f"""#!{sys.executable}
import os, struct, subprocess, sys, time
def send(number, message, length=None):
    head = struct.pack(">ii", number, len(message) if length is None else length)
    sys.stdout.buffer.write(head + message)
    sys.stdout.flush()
def read():
    number, length = struct.unpack(">ii", sys.stdin.buffer.read(8))
    sys.stdin.buffer.read(length)
    return number
"""
GREETING = pack({"protocol": np.array([PROTOCOL], dtype=np.int32), "version": ["9.9.9"]})
GREET = f"send(0, {GREETING!r}); "
ASKED = """
made = {
    "hold": lambda: wc.as_weka("m_branch", target_error=0.1, confidence=0.9), "tree": lambda: wc.as_weka(wc.CART()),
}
def ended(act):
    try:
        act()
        return "an answer"
    except Exception as error:
        return " ".join(str(error).split())
for path in PATHS:
    jvm.call("setPython", path)
    classifier = made.get(os.path.basename(path), lambda: wc.as_weka("m_branch"))()
    said = [ended(lambda: classifier.build_classifier(sent))]
    if "an answer" in said:
        said.append(ended(lambda: answers(classifier)))
        said.append(ended(lambda: classifier.distribution_for_instance(sent.get_instance(0))))
        said += [" ".join(str(classifier).split()), ended(lambda: classifier.graph)]
    print(said)
    for pid in children():
        os.kill(pid, signal.SIGKILL)
    while children():
        pass
"""


def asked_of(folder, scripts):
    """What the classifiers say that scripts answer which greet Weka as wekaconf does."""
    for name, text in scripts.items():
        (folder / name).write_text(f"{FAKE}{text}\n")
        (folder / name).chmod(0o755)
    told = piped(ASKED.replace("PATHS", repr([str(folder / name) for name in scripts]))).splitlines()
    return dict(zip(scripts, map(literal_eval, told), strict=True))


@pytest.mark.jvm
@pytest.mark.one_commit_in(3)
def test_answers_that_never_come(tmp_path):
    """Each question ends with the reason, whether the process sends nonsense, too little or nothing, or is gone."""
    wait = "; time.sleep(60)"
    said = asked_of(tmp_path, {
        "other number": f"{GREET}send(read() + 1, b''){wait}",
        "negative": f"{GREET}send(read(), b'', -5){wait}",
        "huge": f"{GREET}send(read(), b'x', 2**31 - 1){wait}",
        "cut off": f"{GREET}send(read(), b'x', 100); sys.exit('no disk')",
        "closed": f"{GREET}read(); os.close(1){wait}",
        "print": f"{GREET}read(); print('warming up', flush=True){wait}",
        "orphan": f"{GREET}read(); subprocess.Popen(['cat'])",
        "deaf": f"os.close(0); {GREET}{wait[2:]}",
        "twice": f"{GREET}number = read(); send(number, b''); send(number, b''){wait}",
    })  # fmt: skip
    ended = "java.lang.Exception: the Python process of wekaconf ended while it was asked: "
    wrote = f"{ended}it wrote '{{}}' to its standard output where an answer should begin".format
    assert said["other number"] == [wrote("????????")]
    assert said["negative"] == [wrote("????????")]
    assert said["huge"][0].startswith(
        "java.lang.Exception: Java ran out of memory (Requested array size exceeds VM limit)"
    )
    assert said["cut off"] == [f"{ended}no disk"]
    assert said["closed"] == said["deaf"] == [f"{ended}its streams were closed"]
    assert said["print"] == [wrote("warming ")]
    assert said["orphan"] == [f"{ended}it ended with code 0"]
    assert "answered with no 'model' where bytes were expected" in said["twice"][0]


@pytest.mark.jvm
def test_answers_of_the_wrong_type(tmp_path):
    """Of another version, or of another program: a sentence, never an error of Java's."""
    n, model = 150, {"model": b"PK"}
    right = {
        "distributions": np.zeros(3 * n), "certainty": np.zeros(n), "rejected": np.zeros(n, np.int32),
        "threshold": np.zeros(1), "note": [""],
    }  # fmt: skip

    def says(*answers):
        return GREET + "".join(f"send(read(), {pack(parts)!r}); " for parts in answers) + "time.sleep(60)"

    wrong = {
        "no distributions": {name: part for name, part in right.items() if name != "distributions"},
        "texts": right | {"distributions": ["a"]},
        "few": right | {"distributions": np.zeros(7)},
        "whole": right | {"certainty": np.zeros(n, np.int32)},
        "many": right | {"rejected": np.zeros(n + 1, np.int32)},
        "no note": right | {"note": []},
        "note": right | {"note": np.zeros(1)},
    }
    scripts = {
        "greeting": f"send(0, {pack({'protocol': ['3'], 'version': ['9']})!r}); time.sleep(60)",
        "no greeting": "send(0, b'abc'); time.sleep(60)",
        "nothing": says({}),
        "text": says({"model": ["PK"]}),
        "refused": says({"refused": []}),
        "refused bytes": says({"refused": b"no"}),
        "unasked": GREET + "send(read(), b'abc'); time.sleep(60)",
        "hold": says({"held_out": np.array([0, 150], np.int32)}),
    }
    scripts |= {name: says(model, parts, {}, {"text": np.zeros(1)}) for name, parts in wrong.items()}
    scripts["tree"] = says(model, wrong["few"], {}, {}, {"graph": ["a", "b"]})
    said = asked_of(tmp_path, scripts)
    answered = "wekaconf's Python side answered with "
    mend = "; install wekaconf and Weka's package wekaconf in the same version"
    built = {
        "greeting": "'protocol' of 1 texts where whole numbers were expected",
        "no greeting": "something that is no message (a length of 4 bytes where 3 are left)",
        "nothing": "no 'model' where bytes were expected",
        "text": "'model' of 1 texts where bytes were expected",
        "refused": "'refused' of 0 texts where 1 were expected",
        "refused bytes": "'refused' of 2 bytes where texts were expected",
        "unasked": "something that is no message (a length of 4 bytes where 3 are left)",
        "hold": "the instance 150 of 150",
    }
    for name, what in built.items():
        assert said[name] == [f"java.lang.Exception: {answered}{what}{mend}"], said[name]
    batch = {
        "no distributions": "no 'distributions' where numbers were expected",
        "texts": "'distributions' of 1 texts where numbers were expected",
        "few": "'distributions' of 7 numbers where 450 were expected",
        "whole": "'certainty' of 150 whole numbers where numbers were expected",
        "many": "'rejected' of 151 whole numbers where 150 were expected",
        "no note": "'note' of 0 texts where 1 were expected",
        "note": "'note' of 1 numbers where texts were expected",
    }
    for name, what in batch.items():
        assert said[name] == [
            "an answer",
            f"java.lang.Exception: {answered}{what}{mend}",
            f"java.lang.Exception: {answered}no 'distributions' where numbers were expected{mend}",
            f"MBranch: {answered}'text' of 1 numbers where texts were expected{mend}",
            "an answer",
        ], said[name]
    assert said["tree"][1:] == [
        f"java.lang.Exception: {answered}{batch['few']}{mend}",
        f"java.lang.Exception: {answered}{batch['no distributions']}{mend}",
        f"CART: {answered}no 'text' where texts were expected{mend}",
        f"java.lang.Exception: {answered}'graph' of 2 texts where 1 were expected{mend}",
    ]


def test_the_hidden_command_that_weka_starts_greets_it():
    """Weka's package starts it by this name; without a question it ends."""
    ended = subprocess.run([sys.executable, "-m", "wekaconf", "serve"], input=b"", capture_output=True, check=True)
    number, length = struct.unpack(">ii", ended.stdout[:8])
    assert (number, length) == (0, len(ended.stdout) - 8)
    assert unpack(ended.stdout[8:])["protocol"].tolist() == [PROTOCOL]


@pytest.mark.parametrize("part", [b"", b"abc", struct.pack(">ii", 1, -5), struct.pack(">ii", 7, 10) + b"short"])
def test_a_question_that_ends_too_early_is_none(part):
    assert process._next(io.BytesIO(part)) is None
