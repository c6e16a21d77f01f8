"""What the installed Python-to-Java package carries to the facade and back, whichever it is."""

import gc
import subprocess
import sys

import numpy as np
import pytest
from support.threaded import at_once

from wekaconf.bridge._carrier import JavaError

NUMERIC, NOMINAL, STRING = 0, 1, 3
BITS = np.array([0x7FF8000000000000, 0x7FF80000DEADBEEF, 0xFFF0000000000001], dtype=np.uint64).view(np.float64)
"""NaNs of three bit patterns, the last negative and signalling."""
NUMBERS = {
    "none": np.zeros(0),
    "one": np.array([0.1]),
    "special": np.concatenate([BITS, [np.inf, -np.inf, -0.0, 5e-324, 2.2e-308, 1.7976931348623157e308, 1 / 3]]),
    "many": np.random.default_rng(1).integers(0, 2**64, 1_000_000, dtype=np.uint64).view(np.float64),
}
TEXTS = [
    "",
    " ",
    "plain",
    "'single' \"double\" \\ {a,b} % ?",
    "line\nend\r\ttab",
    "nul \0 inside",
    "Grüße, 日本語, עברית",
    "astral 🦊 \U0001d49c\U0010ffff",
    "\ufeffmark first",
    "mark first",
    "e\u0301 and \u00e9",
    "long 🦊" * 1000,
]


@pytest.fixture(scope="module")
def carrier(jvm):
    return jvm.ensure_started()


def sent(carrier, cells, names=("x",), kinds=(NUMERIC,), values=((),), relation="r"):
    """The facade's Instances of those rows, and its export of them."""
    texts = [text for own in values for text in own]
    kinds, sizes = (np.array(each, dtype=np.int32) for each in (kinds, [len(own) for own in values]))
    header = carrier.call("emptyInstances", relation, -1, list(names), kinds, sizes, texts)
    weights = cells if len(names) == 1 else np.ones(len(cells) // max(len(names), 1))
    instances = carrier.call("instances", header, cells, weights, np.zeros(0, dtype=np.int32))
    return instances, carrier.call("export", instances)


@pytest.mark.parametrize("name", NUMBERS)
def test_doubles_keep_every_bit(carrier, name):
    _, exported = sent(carrier, NUMBERS[name])
    for key in ("cells", "weights"):
        back = carrier.call("doubles", exported, key)
        assert back.dtype == np.float64
        assert np.array_equal(back.view(np.uint64), NUMBERS[name].view(np.uint64))


def test_doubles_need_no_particular_memory(carrier):
    strided, read_only = np.arange(20.0)[::-2], np.arange(5.0)
    read_only.flags.writeable = False
    for cells in (strided, read_only):
        assert np.array_equal(carrier.call("doubles", sent(carrier, cells)[1], "cells"), cells)


def test_returned_arrays_are_ours(carrier):
    _, exported = sent(carrier, np.arange(3.0))
    carrier.call("doubles", exported, "cells")[:] = 7
    assert carrier.call("doubles", exported, "cells").tolist() == [0, 1, 2]


def test_ints(carrier):
    counts = [0, 1, 300]
    values = [[str(i) for i in range(count)] for count in counts]
    _, exported = sent(carrier, np.zeros(0), ["a", "b", "c"], [STRING, NOMINAL, NOMINAL], values)
    back = carrier.call("ints", exported, "value_counts")
    assert back.dtype == np.int32
    assert back.tolist() == counts
    assert carrier.call("ints", exported, "class_index").tolist() == [-1]
    assert carrier.call("ints", sent(carrier, np.zeros(0), [], [], [])[1], "kinds").shape == (0,)
    assert np.array_equal(np.sort(carrier.call("shuffle", 200_000, -(2**31))), np.arange(200_000))


def test_several_arrays_at_once(carrier):
    _, exported = sent(carrier, np.arange(6.0), ["x", "y"], [NOMINAL, NUMERIC], [["a", "b"], []])
    assert carrier.call("doubles", exported, "weights cells weights").tolist() == [1] * 3 + [*range(6)] + [1] * 3
    assert carrier.call("ints", exported, "kinds class_index value_counts").tolist() == [NOMINAL, NUMERIC, -1, 2, 0]


def test_texts(carrier):
    for kind in (NOMINAL, STRING):
        _, exported = sent(carrier, np.zeros(0), ["x"], [kind], [TEXTS])
        assert carrier.call("strings", exported, "values") == TEXTS
    _, exported = sent(carrier, np.zeros(0), TEXTS, [NUMERIC] * len(TEXTS), [()] * len(TEXTS))
    assert carrier.call("strings", exported, "names") == TEXTS
    assert carrier.call("strings", sent(carrier, np.zeros(0))[1], "values") == []


@pytest.mark.parametrize("text", TEXTS)
def test_text(carrier, text):
    _, exported = sent(carrier, np.zeros(0), relation=text)
    assert carrier.call("strings", exported, "relation") == [text]


@pytest.mark.parametrize("name", ["no.such.Thing", "no.Such🦊'Thing'"])
def test_errors_tell_class_and_message(carrier, capfd, name):
    with pytest.raises(JavaError) as caught:
        carrier.call("create", name, "")
    assert caught.value.class_name == "java.lang.ClassNotFoundException"
    assert caught.value.message == name
    assert capfd.readouterr() == ("", "")


def test_error_without_message(carrier):
    with pytest.raises(JavaError) as caught:
        carrier.call("create", "weka.filters.SimpleFilter", "")
    assert (caught.value.class_name, caught.value.message) == ("java.lang.InstantiationException", "")


def test_error_of_a_method_that_returns_nothing(carrier):
    with pytest.raises(JavaError) as caught:
        carrier.call("build", sent(carrier, np.zeros(2))[0], sent(carrier, np.zeros(2))[0])
    assert caught.value.class_name == "java.lang.ClassCastException"


def test_out_of_memory_is_an_error_like_others(carrier):
    with pytest.raises(JavaError) as caught:
        carrier.call("shuffle", 2**31 - 1, 1)
    assert caught.value.class_name == "java.lang.OutOfMemoryError"
    assert len(carrier.call("shuffle", 3, 1)) == 3


def test_absent_result_is_none(carrier):
    _, exported = sent(carrier, np.zeros(1))
    assert [carrier.call(kind, exported, "absent") for kind in ("doubles", "ints", "strings")] == [None] * 3


def test_handles_are_the_same_object(carrier):
    instances, _ = sent(carrier, np.arange(4.0), ["x", "y"], [NUMERIC, NUMERIC], [(), ()])
    java_filter = carrier.call("create", "weka.filters.unsupervised.attribute.Remove", "-R 1")
    kept = carrier.call("fitFilter", java_filter, instances)
    del instances
    gc.collect()
    again = carrier.call("applyFilter", java_filter, sent(carrier, np.ones(2), ["x", "y"], [0, 0], [(), ()])[0])
    assert carrier.call("strings", carrier.call("export", kept), "names") == ["y"]
    assert carrier.call("doubles", carrier.call("export", again), "cells").tolist() == [1]


def test_threads_share_handles(carrier):
    _, exported = sent(carrier, np.arange(5.0))

    def work(_):
        return carrier.call("doubles", exported, "cells").tolist(), sent(carrier, np.arange(3.0))[1]

    seen, made = zip(*at_once(work, 20), strict=True)
    assert seen == ([0, 1, 2, 3, 4],) * 20
    assert [carrier.call("doubles", one, "cells").tolist() for one in made] == [[0, 1, 2]] * 20


HANDLES_UNTIL_THE_END = """
import sys
from wekaconf.bridge._jvm import call
sys.kept = call("create", "weka.classifiers.trees.J48", "")
print(len(call("shuffle", 5, 1)))
"""
BESIDE_A_RUNNING_ONE = """
import logging, weka.core.jvm as wrapper
wrapper.start(logging_level=logging.ERROR)
import numpy as np
from wekaconf import about, grow
from wekaconf.data._dataset import Dataset
from wekaconf.data._header import Attribute, Header
assert about()["java_source"] == "already running"
header = Header("r", (Attribute("x", "numeric"), Attribute("c", "nominal", ("a", "b"))), 1)
x = np.arange(20.0)
print(grow(Dataset(header, np.column_stack([x, x > 9]), np.ones(20))).n_nodes)
wrapper.stop()
"""
WRAPPER_BESIDE_US = """
from wekaconf.bridge import shuffle
shuffle(5)
import weka.core.jvm as wrapper
from weka.classifiers import Classifier
wrapper.start()
print(len(Classifier(classname="weka.classifiers.trees.J48").options))
"""


@pytest.mark.jvm
@pytest.mark.parametrize(
    ("program", "printed"), [(HANDLES_UNTIL_THE_END, "5"), (BESIDE_A_RUNNING_ONE, "3"), (WRAPPER_BESIDE_US, "4")]
)
def test_processes_end(program, printed):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, printed), done.stderr
    assert not [line for line in done.stderr.splitlines() if "netlib" not in line]
