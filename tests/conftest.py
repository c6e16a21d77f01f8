"""Fixtures of every test; whoever asks for ``jvm`` or ``uci`` gets the marker of that name."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy; its threads burn the processors that they wait for
pytest_plugins = ["support.drawing", "support.needs"]


def pytest_configure():
    """A shell has what it runs in the background ignore Ctrl-C, nohup SIGHUP; what the tests start must not."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.environ.setdefault("WEKACONF_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")  # starts sooner
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads of scikit-learn take no processor while they wait
    os.environ.pop("COLUMNS", None)  # of the terminal, or of pytest's own when there are several processes


def pytest_collection_modifyitems(items):
    for item in items:
        for name in ("jvm", "uci"):
            if name in getattr(item, "fixturenames", ()):
                item.add_marker(name)


@pytest.fixture(scope="session", autouse=True)
def _in_silence():
    """A `Note` that something is compiled would come in whatever test is the first to need it."""
    from wekaconf.tree import first_use

    with first_use.announce_to(lambda *_: None):
        yield


@pytest.fixture(autouse=True)
def _small_batches_in_numpy():
    """Every test begins as a new process does: a form that an earlier test has loaded answers large batches only."""
    if "wekaconf.tree._router" in sys.modules:
        sys.modules["wekaconf.tree._router"].rows_so_far.clear()


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """All kernels, before a test that reads what a process says, or waits for it; once for all workers."""
    import fcntl

    folder = tmp_path_factory.getbasetemp()
    with open((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "compiled", "a") as done:
        fcntl.flock(done, fcntl.LOCK_EX)
        if not done.tell():
            subprocess.run([sys.executable, "-m", "wekaconf.cli", "self", "compile"], check=True)
            done.write("all")


@pytest.fixture(scope="session")
def jvm():
    """The bridge's module of that name, its virtual machine running."""
    from wekaconf.bridge import _jvm as jvm

    jvm.ensure_started()
    return jvm


@pytest.fixture(scope="session")
def weka_version(jvm):
    """The version of Weka, as numbers: some faults are those of one version."""
    return tuple(map(int, jvm.about()["weka"].split(".")))


@pytest.fixture(scope="session")
def java(jvm):
    """A Java class of the running virtual machine, by its full name."""
    from support.java_classes import java_class

    return java_class


@pytest.fixture(scope="module")
def iris():
    """Numbers, three classes."""
    return _bundled("iris")


@pytest.fixture(scope="module")
def wine():
    """The same, with more attributes."""
    return _bundled("wine")


def _bundled(name):
    from wekaconf.data.arff import load_arff

    return load_arff(Path(__file__).parents[1] / "arff" / f"{name}.arff")


@pytest.fixture(scope="session")
def uci(lacks):
    """Folder of the UCI sets."""
    from support.needs import UCI

    return Path(os.environ.get("WEKACONF_UCI") or lacks(UCI))


@pytest.fixture(scope="session")
def load_uci(uci, jvm):
    """A UCI set by its file name without the ending, read by Weka, the last attribute its class."""
    from wekaconf.bridge._instances import unpack

    return lambda name: unpack(jvm.call("readArff", str(uci / f"{name}.arff"))).with_class("last")


class Ended(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def figures():
    """The figures that are drawn, as matplotlib keeps them."""
    from support.kept_figures import kept_figures

    with kept_figures() as kept:
        yield kept


@pytest.fixture
def run(jvm, monkeypatch, capsys, tmp_path):
    """Runs the entry point in this process, in a folder of its own."""
    from wekaconf.cli import commands as cli

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli.Session, "verbose", False)  # -v of a test before must not last

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["wekaconf", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.run()
        return Ended(ended.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def good(run):
    """The same for a command that must succeed; gives standard output."""

    def good(*arguments):
        ended = run(*arguments)
        assert ended.code == 0, ended.err
        return ended.out

    return good


@pytest.fixture
def refused(run):
    """`run` for a command that must end with one clear sentence; gives that. ``told``: after others, on its data."""

    def refused(*arguments, codes=(1,), told=False):
        ended = run(*arguments)
        lines = [line for line in ended.err.splitlines() if not line.startswith("note: ")]
        assert ended.code in codes and ended.out == "", ended
        assert lines[-1].lower().startswith("error: ")
        assert told or (len(lines) == 1 if ended.code == 1 else lines[0].startswith("Usage: ")), ended
        assert "Traceback" not in ended.err
        return lines[-1].partition(": ")[2]

    return refused


@pytest.fixture
def complaint(refused):
    """The same where it does not matter whether it is called a wrong usage."""
    return partial(refused, codes=(1, 2))


@pytest.fixture
def write(tmp_path):
    """Writes a file of that name and gives its path."""

    def written(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return written


@pytest.fixture
def no_data_of_the_users(monkeypatch):
    """As where no data set has been fetched."""
    monkeypatch.delenv("WEKACONF_DATA", raising=False)
    monkeypatch.setattr("wekaconf.data.catalogue._finding.existing_set_folder", lambda: None)


@pytest.fixture
def server():
    """A `DataServer`."""
    from support.data_server import DataServer

    server = DataServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def browser(lacks):
    """Headless Chromium: the system's, else playwright's own."""
    from support.needs import CHROMIUM, path_of

    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        try:
            opened = running.chromium.launch(executable_path=path_of(CHROMIUM), args=["--no-sandbox"])
        except playwright.Error:
            lacks(CHROMIUM)
        yield opened
        opened.close()
