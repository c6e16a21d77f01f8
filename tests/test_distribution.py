"""The wheel and the source distribution: the same bytes wherever they are built, and what they hold."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest
from packaging.requirements import Requirement
from support.command_line import ROOT

KEPT_OUT = shutil.ignore_patterns(".venv*", ".git", ".*_cache", ".hypothesis", "__pycache__", "node_modules", "site",
                                  "results", "dist", "build", "*.egg-info")  # fmt: skip
DATE = "1700000000"


def build(folder, *targets):
    """What the build backend makes of the sources in a folder, by their kinds."""
    words = [word for target in targets for word in ("-t", target)]
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", *words], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "SOURCE_DATE_EPOCH": DATE},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [wheel] = (folder / "dist").glob("*.whl")
    return wheel, next((folder / "dist").glob("*.tar.gz"), None)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A copy of this clone, and its wheel and source distribution."""
    folder = tmp_path_factory.mktemp("first") / "clone"
    shutil.copytree(ROOT, folder, ignore=KEPT_OUT)
    return folder, *build(folder, "wheel", "sdist")


@pytest.mark.one_commit_in(3)
def test_elsewhere_and_at_another_time_the_bytes_are_the_same(first, tmp_path):
    folder, wheel, source = first
    other = tmp_path / "some where" / "else"
    shutil.copytree(folder, other, ignore=KEPT_OUT)
    for number, path in enumerate(sorted(other.rglob("*"), reverse=True)):
        os.utime(path, (10**9 + number, 10**9 + number))
        path.chmod(path.stat().st_mode & 0o700)  # as under another umask; who may run a file is kept, by git too
    (other / "wekaconf" / "__pycache__").mkdir()
    (other / "wekaconf" / "__pycache__" / "left.cpython-311.pyc").touch()
    for built, again in zip((wheel, source), build(other, "wheel", "sdist"), strict=True):
        assert built.name == again.name
        assert built.read_bytes() == again.read_bytes(), built.name


def test_the_source_distribution_makes_the_same_wheel_and_holds_the_sources_of_jar_and_page(first, tmp_path):
    _, wheel, source = first
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    [unpacked] = tmp_path.iterdir()
    for name in ("java/src", "page/src", "page/package-lock.json", "page/LICENSE", "LICENSE", "tests", "scripts"):
        assert (unpacked / name).exists(), name
    assert build(unpacked, "wheel")[0].read_bytes() == wheel.read_bytes()


def test_the_wheel_holds_the_package_its_licences_and_nothing_else(first):
    folder, wheel, _ = first
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    [about] = {name.split("/")[0] for name in held if not name.startswith("wekaconf/")}
    package = folder / "wekaconf"
    expected = {f"wekaconf/{path.relative_to(package).as_posix()}" for path in package.rglob("*") if path.is_file()}
    beside = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE", "licenses/page/LICENSE"}
    assert set(held) == expected | {f"{about}/{name}" for name in beside}
    assert {"wekaconf/bridge/wekaconf.jar", "wekaconf/report/_model_page/page.js", "wekaconf/py.typed"} <= set(held)
    assert held[f"{about}/licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
    assert held[f"{about}/licenses/page/LICENSE"] == (ROOT / "page" / "LICENSE").read_bytes()


def test_the_licence_names_those_of_the_libraries_in_the_page(first):
    _, wheel, _ = first
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        metadata = archive.read(name).decode()
        script = archive.read("wekaconf/report/_model_page/page.js").decode()
    [licence] = re.findall("^License-Expression: (.*)$", metadata, re.MULTILINE)
    told = {"MIT": "MIT License", "ISC": "and this permission notice appear in all copies",
            "BSD-3-Clause": "Neither the name of the author nor the names of contributors"}  # fmt: skip
    assert licence == " AND ".join(["GPL-3.0-or-later", *told])
    for sentence in told.values():
        assert sentence in script


def test_the_bound_of_the_documents_leaves_out_what_needs_a_compiler():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [version] = re.findall(
        r"python-weka-wrapper3>=([\d.]+)", (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    )
    ours, javabridge = (
        next(each for each in map(Requirement, lines) if each.name == "python-weka-wrapper3").specifier
        for lines in (project["dependencies"], project["optional-dependencies"]["javabridge"])
    )
    assert version in ours and version not in javabridge and "0.2.16" in ours & javabridge


@pytest.mark.parametrize("words", [[], [".", "--lowest"]], ids=" ".join)
def test_a_wheel_is_tried_in_a_new_folder_only(tmp_path, words):
    script = [sys.executable, ROOT / "scripts" / "try_wheel.py", *words]
    done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("Name a folder that does not exist yet")
    assert not any(tmp_path.iterdir())
