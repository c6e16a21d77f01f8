"""Trees grown many at once against the same trees grown one at a time: every array equal, byte for byte."""

import gc
import threading
from dataclasses import replace

import numpy as np
import pytest
from support.fresh_python import child
from support.growers import grow, grow_labelled
from support.random_trees import random_dataset, random_header
from support.small_data import small

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.bridge import folds
from wekaconf.data import Attribute, Dataset

SCHEMES = [
    ("J48", ""), ("J48", "-U -M 2"), ("J48", "-C 0.25"), ("J48", "-A"), ("J48", "-B -S"),
    ("J48", "-U -M 1 -J -doNotMakeSplitPointActualValue"), ("C44", ""), ("REPTree", ""), ("REPTree", "-P -R"),
    ("RandomTree", ""), ("RandomTree", "-N 3 -U"),
]  # fmt: skip
UCI_SETS = [
    "autos", "bridges_version1", "colic", "credit-a", "glass", "heart-h", "hepatitis", "iris", "soybean", "vote",
]  # fmt: skip
N_ASKED = 30


def alone(train, asked, labels, scheme=("J48", "")):
    """The same trees, each from its own training data the plain way."""
    grown = []
    for row in asked.values:
        trees = []
        for label in labels:
            labelled = row.copy()
            labelled[train.class_index] = label
            trees.append(grow(train.join(Dataset(train.header, labelled[None])), *scheme))
        grown.append(trees)
    return grown


def differences(many, single):
    """What differs, in words; empty when nothing does."""
    assert [len(trees) for trees in many] == [len(trees) for trees in single]
    for i, (ours, theirs) in enumerate(zip(many, single, strict=True)):
        for j, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            (record, arrays), (other_record, other_arrays) = one.to_arrays(), other.to_arrays()
            if (one.header, record) != (other.header, other_record):
                yield i, j, "header or record"
            for name in arrays:
                if arrays[name].tobytes() != other_arrays[name].tobytes():
                    yield i, j, name


def with_date(header, date_format="yyyy-MM-dd HH:mm"):
    return replace(header, attributes=(*header.attributes, Attribute("day", "date", date_format=date_format)))


@pytest.mark.parametrize(("place", "name"), [*enumerate(UCI_SETS)])
@pytest.mark.drawn(4)
def test_uci_sets(load_uci, place, name):
    """Every second scheme on each set, so that each meets half of them."""
    rng = np.random.default_rng(len(name))
    data = load_uci(name)
    train_rows, test_rows = folds(data, k=2, seed=1)[0]
    train = data.take(train_rows[:120])
    asked = data.take(test_rows[:N_ASKED])
    labels = [data.n_classes - 1, 0]
    for i, scheme in enumerate(SCHEMES[place % 2 :: 2]):
        weights = rng.choice([0.5, 1.0, 2.0, 3.3], size=len(train)) if i % 2 else None
        used = replace(train, weights=weights)
        found = list(differences(grow_labelled(used, asked, labels, *scheme), alone(used, asked, labels, scheme)))
        assert not found, scheme


@pytest.mark.parametrize("scheme", SCHEMES, ids=" ".join)
@pytest.mark.drawn(6)
def test_generated_sets(jvm, scheme):
    """A date among the attributes, the class not the last, missing cells and classes, weights, a class unseen."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        header = with_date(random_header(rng, n_attributes=4 + seed, n_classes=3))
        train = random_dataset(rng, header, 80, 0.08 * seed, weights=seed > 0, classes=[1, 2])
        values = train.values.copy()
        values[rng.random(len(values)) < 0.1, header.class_index] = np.nan
        train = replace(train, values=values)
        asked = random_dataset(rng, header, N_ASKED, 0.1)
        many = grow_labelled(train, asked, range(3), *scheme)
        assert not list(differences(many, alone(train, asked, range(3), scheme)))


def test_class_and_weight_of_the_asked_are_not_looked_at(jvm):
    rng = np.random.default_rng(1)
    header = random_header(rng)
    train, asked = random_dataset(rng, header, 60), random_dataset(rng, header, N_ASKED)
    single = alone(train, asked, [1, 0])
    blank = replace(asked.without_class_values(), weights=np.linspace(0, 9, N_ASKED))
    for same in (asked, blank):
        assert not list(differences(grow_labelled(train, same, [1, 0]), single))


def test_each_grows_the_other_tree_of_its_label(jvm):
    train = small(x=[1, 2, 3, 4], c=["a", "a", "b", "b"])
    asked = small(x=[9, 0], c=(["a", "b"], [None, None]))
    (nine_a, nine_b), (zero_a, zero_b) = grow_labelled(train, asked, [0, 1], "J48", "-U -M 1")
    assert (nine_b.n_nodes, zero_a.n_nodes, nine_a.n_nodes, zero_b.n_nodes) == (3, 3, 5, 5)
    assert nine_a.class_weight[0].tolist() == [3, 2]
    assert zero_b.class_weight[0].tolist() == [2, 3]


def test_dates_do_not_cross(jvm):
    """RandomTree draws from the text of an instance; Java's formatter of dates garbles what two threads give it."""
    rng = np.random.default_rng(3)
    header = with_date(random_header(rng, n_attributes=4), " ".join(["yyyy-MM-dd HH:mm:ss.SSS"] * 300))
    values = random_dataset(rng, header, 120).values.copy()
    values[:, -1] = rng.integers(0, 2**41, size=120)
    data = Dataset(header, values)
    train, asked = data.take(slice(0, 20)), data.take(slice(20, 120))
    scheme = ("RandomTree", "-K 1 -S 18")  # a seed that makes it the last of 21 instances, the asked one
    assert not list(differences(grow_labelled(train, asked, [0, 1], *scheme), alone(train, asked, [0, 1], scheme)))


DEEP = """
import numpy as np
from wekaconf import REPTree
from wekaconf.data._dataset import Dataset
from wekaconf.data._header import Attribute, Header
x = np.arange(3000.0)
data = Dataset(Header("deep", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1), np.column_stack([x, x % 2]))
((tree,),) = REPTree("-P -M 1").grow_labelled(data, Dataset(data.header, np.array([[3000.0, np.nan]])), [0])
print(tree.n_nodes, tree.depth.max())
"""


def test_deep_trees_need_no_larger_stack():
    """In a process of its own: the stack a tree needs shrinks as Java compiles."""
    assert child(DEEP) == "6001 3000\n"


# ---- refusals ----


PLAIN = small(x=[1, 2] * 5, c=["a", "b"] * 5)
NO_VALUES = small(x=[1, 2, 3, 4] * 3, n=([], [None] * 12), c=["a", "b", "b", "a"] * 3)
FAILING = {
    "-Q": (PLAIN, ("J48", "-Q 7"), OptionError, "^J48 -Q 7: Changing the seed"),
    "-R": (PLAIN, ("J48", "-R"), OptionError, "leave -R out, or use the learner REPTree"),
    "folds": (PLAIN.take([0]), ("REPTree", ""), OptionError, "^REPTree: Can't have more folds than instances"),
    "no values": (NO_VALUES, ("RandomTree", ""), BridgeError, "^Weka: java.lang.ArrayIndexOutOfBoundsException"),
}


@pytest.mark.parametrize("what", FAILING)
def test_failing_trees_end_the_call_as_grow_ends(weka_version, what):
    since = {"-R": (3, 9, 7), "-Q": (3, 9, 5)}.get(what, ())
    if weka_version < since:
        pytest.skip(f"J48 {what} fails since Weka {'.'.join(map(str, since))}")
    train, scheme, kind, message = FAILING[what]
    told = []
    for call in (lambda: grow(train, *scheme), lambda: grow_labelled(train, train, [0, 1], *scheme)):
        with pytest.raises(kind, match=message) as caught:
            call()
        told.append((str(caught.value), type(caught.value.__cause__)))
    assert told[0] == told[1]


# ---- what stays behind ----


def test_no_thread_is_left(java):
    def growers():
        threads = java("java.lang.Thread").getAllStackTraces().keySet()
        return {int(thread.getId()) for thread in threads if "grower" in str(thread.getName())}

    before = growers()  # those that grow trees ahead wait for more work
    data = small(x=list(range(300)), c=["ab"[i % 2] for i in range(300)])
    watched = threading.Thread(target=grow_labelled, args=(data, data, [0, 1], "REPTree", "-P -M 1"))
    watched.start()
    while growers() <= before:
        assert watched.is_alive()
    watched.join()
    assert growers() <= before
    with pytest.raises(BridgeError):
        grow_labelled(NO_VALUES, NO_VALUES, [0, 1], "RandomTree")
    assert growers() <= before


def test_the_heap_does_not_fill(load_uci, java):
    iris = load_uci("iris")
    asked = iris.take(slice(0, 150, 15))
    runtime = java("java.lang.Runtime").getRuntime()

    def kept_bytes():
        gc.collect()
        runtime.gc()
        return int(runtime.totalMemory() - runtime.freeMemory())

    for _ in range(5):
        grow_labelled(iris, asked, range(3))
    before = kept_bytes()
    for _ in range(60):
        grow_labelled(iris, asked, range(3))
    assert kept_bytes() - before < 2**20  # a call's trees are 32 kB, its copies of the training data 300 kB


TOO_MANY = """
import numpy as np
from wekaconf import J48, RandomTree
from wekaconf.base.errors import BridgeError
from wekaconf.data._dataset import Dataset
from wekaconf.data._header import Attribute, Header
rng = np.random.default_rng(0)
header = Header("many", (Attribute("x"), Attribute("c", "nominal", tuple(f"c{i}" for i in range(100)))), 1)
data = Dataset(header, np.column_stack([rng.normal(size=300), rng.integers(100, size=300)]))
try:
    RandomTree().grow_labelled(data, data, range(20))
except BridgeError as error:
    print(error)
print(len(J48().grow_labelled(data, data.take([0, 1]), [0])), J48().grow(data).header == header)
"""


def test_more_trees_than_the_heap_holds(monkeypatch):
    monkeypatch.setenv("WEKACONF_MAX_HEAP", "24m")
    told, usable = child(TOO_MANY).splitlines()
    assert told.startswith("Java ran out of memory with a heap of 2")
    assert usable == "2 True"
