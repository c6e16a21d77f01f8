"""The package for stock Weka: made, installed by its own manager, used by a Weka that knows nothing of us, removed."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.needs import OLD_WEKAS

import wekaconf as wc
from wekaconf.base.errors import BridgeError
from wekaconf.bridge._java import JAR, find_java, weka_jars
from wekaconf.in_weka.in_weka import build_package, install_package, weka_home

pytestmark = [pytest.mark.jvm, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
IRIS = ROOT / "arff" / "iris.arff"
CONFDTREE = "weka.classifiers.trees.ConfDTree"


def stock(home, *arguments, jar=None, before=(), **environment):
    """What a stock Weka prints that has the package, without our jar on its class path and without a Python named."""
    java, _ = find_java()
    jars = [jar if jar and Path(path).name == "weka.jar" else path for path in weka_jars()]
    env = {name: text for name, text in os.environ.items() if name not in ("WEKACONF_PYTHON", "DISPLAY")}
    env |= {"WEKA_HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(sys.path)} | environment
    options = ["--add-opens=java.base/java.lang=ALL-UNNAMED", "-Djava.awt.headless=true"]
    options += ["-Dweka.packageManager.offline=true", "-cp", os.pathsep.join(map(str, jars))]
    command = [*before, java / "bin" / "java", *options, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=home, timeout=120, check=False)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder of Weka's with the package."""
    home = tmp_path_factory.mktemp("weka home")
    command = [sys.executable, "-m", "wekaconf", "weka", "install", "--home", home]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = f"wekaconf {wc.__version__} is installed in {home}; start Weka again to see it\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    return home


def test_the_same_bytes_every_time(tmp_path):
    command = [sys.executable, ROOT / "scripts" / "build_package.py", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    [path] = tmp_path.iterdir()
    assert path.name == f"wekaconf-{wc.__version__}.zip" and path.read_bytes() == build_package()
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["Description.props", "wekaconf.jar"]
        assert archive.read("wekaconf.jar") == JAR.read_bytes()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="Java's paths are Unicode on this system")
def test_a_folder_that_java_cannot_open_in_this_locale(tmp_path):
    """Refused with the reason; a locale that is not installed is no hindrance where Python goes on in UTF-8."""

    def install(**locale):
        env = {name: text for name, text in os.environ.items() if name not in ("LC_ALL", "LC_CTYPE", "PYTHONUTF8")}
        command = [sys.executable, "-m", "wekaconf", "weka", "install", "--home", tmp_path / "josé"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", env=env | locale, check=False)
        return done.returncode, done.stderr

    code, said = install(LC_ALL="C")
    assert code == 1 and "/josé: Java cannot open this path in a locale that has only the characters of ASCII" in said
    assert said.endswith("; set LC_ALL=C.UTF-8, or another UTF-8 locale of 'locale -a', before Python starts\n")
    assert install(LANG="xx_YY.UTF-8") == (0, "")


def test_cross_validation_in_stock_weka(home):
    done = stock(home, "weka.Run", "-no-scan", CONFDTREE, "-t", IRIS, "-v", "-o")
    assert done.returncode == 0, done.stderr
    [(record, _)] = wc.evaluate(wc.load_arff(IRIS), ["confdtree"], seed=1)
    assert f"{record['pooled']['percent_correct']:.4g}      %" in done.stdout


def test_test_instances_unlike_training_are_told_in_stock_weka(home, tmp_path):
    """Once, on standard error; the training instances and the folds of a cross-validation pass without a word."""
    data = wc.load_arff(IRIS)
    values = data.values.copy()
    values[:, 0] *= 10
    wc.save_arff(tmp_path / "millimetres.arff", wc.Dataset(data.header, values))
    method = ("weka.Run", "-no-scan", "weka.classifiers.trees.MBranch", "-t", IRIS)
    assert "not like those of training" not in stock(home, *method).stderr
    done = stock(home, *method, "-T", tmp_path / "millimetres.arff")
    said = " ".join(done.stderr.split())
    assert said.count("Warning: MBranch answers 150 rows, not like those of training (150 training rows; ") == 1, (
        done.stderr
    )
    assert f"{data.attributes[0].name}: 150 of 150 rows above 7.9, the greatest in training" in said
    assert "as if multiplied by 10: another unit?" in said


def test_a_promise_in_stock_weka(home, run, tmp_path):
    """That of predict, printed and kept in a cross-validation."""
    wdbc, promise = ROOT / "arff" / "wdbc.arff", ("-target-error", "0.05", "-confidence", "0.9")
    done = stock(home, "weka.Run", "-no-scan", "weka.classifiers.trees.MBranch", "-t", wdbc, "-v", *promise)
    assert done.returncode == 0, done.stderr
    ended = run("predict", "-t", wdbc, "--method", "m_branch", "--target-error", "0.05", "--confidence", "0.9",
                "--threshold-from", "training", "-d", tmp_path / "m.wct")  # fmt: skip
    said = " ".join(ended.err.split())
    assert said.partition("; of 171 ")[0] in " ".join(done.stdout.split()) and "at most 5 %" in said
    protocol = wc.Protocol(seed=1, aim=wc.Aim("error", 0.05, 0.9), threshold_from="training")
    [(_, answers)] = wc.evaluate(wc.load_arff(wdbc), ["m_branch"], protocol=protocol)
    assert re.search(rf"UnClassified Instances +{answers.rejected.sum()} ", done.stdout)


def test_other_versions_of_weka(home, lacks):
    """Jars of older versions, if WEKACONF_OLD_WEKAS names a folder with some."""
    jars = sorted(Path(os.environ.get("WEKACONF_OLD_WEKAS", "/nonexistent")).glob("*/weka.jar"))
    if not jars:
        lacks(OLD_WEKAS)
    for jar in jars:
        done = stock(home, "weka.Run", "-no-scan", CONFDTREE, "-t", IRIS, "-v", "-o", jar=jar)
        assert "Correctly Classified Instances         144               96" in done.stdout, (jar, done.stderr)


def test_two_wekas_at_once_in_a_folder_that_is_read_only(home, as_user):
    """Each asks a Python of its own; neither has to write into Weka's folder."""
    folders = [home, *(path for path in home.rglob("*") if path.is_dir())]
    for path in folders:
        path.chmod(0o555)
    try:
        refused = subprocess.run([*as_user, "touch", home / "new"], capture_output=True, check=False)
        asked = partial(stock, home, "weka.Run", "-no-scan", CONFDTREE, "-t", IRIS, "-v", "-o", before=as_user)
        with ThreadPoolExecutor() as pool:
            done = [one.result() for one in [pool.submit(asked) for _ in range(2)]]
    finally:
        for path in folders:
            path.chmod(0o755)
    assert refused.returncode != 0
    for one in done:
        assert "Correctly Classified Instances         144               96" in one.stdout, one.stderr


@pytest.mark.parametrize("owner", ["weka.classifiers.meta.Bagging", "weka.classifiers.meta.FilteredClassifier"])
def test_in_the_hands_of_others(home, owner):
    done = stock(home, "weka.Run", "-no-scan", owner, "-t", IRIS, "-v", "-o", "-W", CONFDTREE)
    assert "Correctly Classified Instances" in done.stdout, done.stderr


@pytest.mark.one_commit_in(3)
def test_a_python_that_is_gone(home, tmp_path):
    """Then the wekaconf on PATH is asked, never one in the current folder; without one, a sentence with the remedy."""
    other = tmp_path / "home"
    shutil.copytree(home, other)
    (other / "packages" / "wekaconf" / "python.txt").write_text("/nonexistent/python\n")
    trap = other / "wekaconf"
    trap.write_text("#!/bin/sh\ntouch trapped\n")
    trap.chmod(0o755)
    asked = ("weka.Run", "-no-scan", CONFDTREE, "-t", IRIS, "-v", "-o")
    for path in ("/usr/bin:/bin", f".:{other}:/usr/bin:/bin"):
        done = stock(other, *asked, PATH=path)
        said = " ".join((done.stdout + done.stderr).split())
        assert "needs Python with wekaconf, and no wekaconf is on the PATH; install wekaconf as its README says" in said
        assert not (other / "trapped").exists()
    folder = str(Path(sys.executable).parent)
    assert "Correctly Classified" in stock(other, *asked, PATH=f"{folder}:/usr/bin:/bin").stdout
    assert "Correctly Classified" in stock(other, *asked, WEKACONF_PYTHON=sys.executable).stdout


def command(run, *arguments):
    ended = run("weka", *arguments)
    return ended.code, ended.out, ended.err


def test_status_and_removal(run, home, tmp_path):
    other = tmp_path / "home"
    shutil.copytree(home, other)
    assert command(run, "status", "--home", other) == (
        0, f"Weka's folder: {other}\npackage:       {wc.__version__}\nPython:        {sys.executable}\n", ""
    )  # fmt: skip
    props = other / "packages" / "wekaconf" / "Description.props"
    props.write_text(props.read_text().replace(f"Version={wc.__version__}", "Version=0.0.9"))
    (other / "packages" / "wekaconf" / "python.txt").write_text("/nonexistent/python\n")
    code, out, _ = command(run, "status", "--home", other)
    assert code == 0 and f"0.0.9; 'wekaconf weka install' replaces it with {wc.__version__}, which this is" in out
    assert "/nonexistent/python, which is not there; run 'wekaconf weka install'" in out
    assert command(run, "install", "--home", other)[0] == 0
    assert f"Version={wc.__version__}" in props.read_text()
    assert command(run, "uninstall", "--home", other) == (0, f"removed from {other}\n", "")
    assert not props.exists()
    code, out, _ = command(run, "status", "--home", other)
    assert code == 0 and "not installed; 'wekaconf weka install' does that" in out
    code, _, err = command(run, "uninstall", "--home", other)
    assert code == 1 and "Weka's package wekaconf is not installed in this folder" in " ".join(err.split())


def test_a_package_without_its_jar(run, home, tmp_path):
    other = tmp_path / "home"
    shutil.copytree(home, other)
    (other / "packages" / "wekaconf" / "wekaconf.jar").unlink()
    code, out, _ = command(run, "status", "--home", other)
    assert code == 0 and f"{wc.__version__}; its jar is gone, 'wekaconf weka install' brings it back" in out


def test_no_folder(run):
    for action in ("install", "uninstall", "status"):
        code, out, err = command(run, action, "--home", "")
        assert (code, out) == (1, "") and "expected Weka's folder, got an empty text" in err


def test_the_home_folder_is_that_of_java(run, monkeypatch, tmp_path):
    """It comes from the system, not from HOME."""
    java, _ = find_java()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("WEKA_HOME", raising=False)
    asked = [java / "bin" / "java", "-XshowSettings:properties", "-version"]
    settings = subprocess.run(asked, capture_output=True, text=True, check=True).stderr
    [folder] = [line.partition(" = ")[2] for line in settings.splitlines() if "user.home" in line]
    assert command(run, "status")[1].splitlines()[0] == f"Weka's folder: {Path(folder) / 'wekafiles'}"


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no numbers of users")
def test_the_home_folder_of_a_user_whom_the_system_does_not_know(monkeypatch, tmp_path):
    """As in a container that runs under any number."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("WEKA_HOME", raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)
    assert weka_home() == tmp_path / "wekafiles"


@pytest.mark.parametrize(("code", "printed", "told"), [
    (1, "1\n\n2\n3\n", "2 3 4"), (0, "done\n", "done 4"), (1, None, "it said nothing"),
])  # fmt: skip
def test_a_package_manager_that_fails(monkeypatch, tmp_path, code, printed, told):
    asked = []

    def run(command, **given):
        asked.append((command[-3:], given["env"]["WEKA_HOME"]))
        return SimpleNamespace(returncode=code, stdout=printed or " \n", stderr="4" if printed else "")

    monkeypatch.setattr("wekaconf.in_weka.in_weka.subprocess.run", run)
    with pytest.raises(BridgeError, match=f"^Weka's package manager failed in {tmp_path}: {told}$"):
        install_package(tmp_path)
    archive = tmp_path / f"wekaconf-{wc.__version__}.zip"
    assert asked == [(["-offline", "-install-package", str(archive)], str(tmp_path))]
    assert not archive.exists()


def test_no_right_to_remove(home, as_user):
    """Told before Weka's package manager is asked."""
    packages = home / "packages"
    packages.chmod(0o555)
    asked = [*as_user, sys.executable, "-m", "wekaconf", "weka", "uninstall", "--home", home]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    finally:
        packages.chmod(0o755)
    assert done.returncode == 1 and "which you may not write" in " ".join(done.stderr.split())
    assert (packages / "wekaconf" / "wekaconf.jar").exists()


def test_a_folder_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = command(run, "install", "--home", tmp_path / "file" / "home")
    assert code == 1 and "Weka's folder cannot be written" in err


@pytest.mark.parametrize("is_link", [False, True])
def test_a_file_in_the_place_of_the_package(run, tmp_path, is_link):
    place = tmp_path / "packages" / "wekaconf"
    place.parent.mkdir()
    place.symlink_to("nowhere") if is_link else place.write_text("mine")
    code, out, err = command(run, "install", "--home", tmp_path)
    assert (code, out) == (1, "")
    assert f"{place}: expected the folder of Weka's package wekaconf, got a file; remove it or rename it" in err
    code, out, _ = command(run, "status", "--home", tmp_path)
    assert code == 0 and "not installed; 'wekaconf weka install' does that" in out
    code, _, err = command(run, "uninstall", "--home", tmp_path)
    assert code == 1 and "is not installed in this folder" in " ".join(err.split())
    assert is_link or place.read_text() == "mine"


def test_another_weka(tmp_path):
    """WEKACONF_WEKA_JAR: a jar that is none, and one that lacks what Weka 3.6 lacks, are refused by name."""

    def about(jar):
        env = os.environ | {"WEKACONF_WEKA_JAR": str(jar)}
        done = subprocess.run(
            [sys.executable, "-m", "wekaconf", "self", "about"], capture_output=True, text=True, env=env, check=False
        )
        return done.returncode, done.stdout + done.stderr

    [weka] = [path for path in weka_jars() if Path(path).name == "weka.jar"]
    shutil.copy(weka, tmp_path / "weka.jar")
    assert about(tmp_path / "weka.jar")[0] == 0
    code, said = about(IRIS)
    assert code == 1 and "is no jar that can be read" in said
    with zipfile.ZipFile(weka) as full, zipfile.ZipFile(tmp_path / "old.jar", "w") as old:
        for name in full.namelist()[:200]:
            old.writestr(name, full.read(name))
    code, said = about(tmp_path / "old.jar")
    assert code == 1 and "has no weka.classifiers.AbstractClassifier; name the weka.jar of Weka 3.8 or newer" in said
