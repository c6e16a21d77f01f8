"""The package for stock Weka: one jar and a description, installed and removed by Weka's own package manager."""

from __future__ import annotations

import io
import locale
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.base.files import atomic_write, write_text
from wekaconf.bridge import check_paths, find_java, own_jar, usual_weka_home, weka_jars

NAME = "wekaconf"
PYTHON = "python.txt"
"""File in the folder of the installed package: the Python that answers its classifiers, unless another is named.

Whoever clicks in Explorer has no environment to set.
"""
DESCRIPTION = """\
# Description of the Weka package wekaconf
PackageName=wekaconf
Name=wekaconf
Version={version}
Date=2026-11-22
Title=Decision trees that know when they are wrong
Category=Classification
Author=The wekaconf team
Maintainer=The wekaconf team
License=GPL 3.0
Description=ConfDTree, shrinkage, WPE, ID3-SD, boundary distance, TPCE and other published methods that say how far \
each answer of a decision tree can be trusted. Needs Python with wekaconf, see the README of wekaconf
URL=
PackageURL=
Depends=weka (>=3.8.0)
"""


def build_package() -> bytes:
    """The package as a zip file, the same byte for byte wherever it is made."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        text = DESCRIPTION.format(version=version(NAME))
        for name, content in (("Description.props", text.encode()), (f"{NAME}.jar", own_jar().read_bytes())):
            archive.writestr(zipfile.ZipInfo(name), content)
    return file.getvalue()


@dataclass(frozen=True)
class Installed:
    """The state of the package in Weka's folder.

    Parameters
    ----------
    home : Path
        Weka's folder.
    version : str
        The version of the package; empty if it is not installed.
    python : str
        The Python that it starts; empty if it looks for one.
    is_whole : bool
        Whether its jar is there.
    """

    home: Path
    version: str
    python: str
    is_whole: bool


def weka_home(home: str | os.PathLike[str] | None = None) -> Path:
    """Weka's folder: ``home``, else ``WEKA_HOME``, else ``wekafiles`` in the user's home folder.

    Raises
    ------
    OptionError
        ``home`` is an empty text.
    """
    if home is not None and not os.fspath(home):
        raise OptionError(
            parameter="home", expected="Weka's folder", got="an empty text", advice="leave it out for the usual one"
        )
    return Path(home).absolute() if home else usual_weka_home()


def read_status(home: str | os.PathLike[str] | None = None) -> Installed:
    """The state of the package in Weka's folder."""
    folder = weka_home(home) / "packages" / NAME
    lines = _lines(folder / "Description.props")
    number = next((line.partition("=")[2] for line in lines if line.startswith("Version=")), "")
    return Installed(weka_home(home), number, "".join(_lines(folder / PYTHON)), (folder / f"{NAME}.jar").is_file())


def install_package(home: str | os.PathLike[str] | None = None) -> Installed:
    """Install the package, in place of an older one, so that it starts this Python.

    Raises
    ------
    OptionError
        The folder cannot be written, or a file has the name of the package's folder.
    BridgeError
        There is no usable Java, or Weka's package manager failed.
    """
    folder = weka_home(home)
    place = folder / "packages" / NAME
    if os.path.lexists(place) and not place.is_dir():
        raise OptionError(
            f"{place}: expected the folder of Weka's package {NAME}, got a file; remove it or rename it",
            value_of="home",
        )
    content = build_package()
    try:
        (folder / "packages").mkdir(parents=True, exist_ok=True)
        archive = folder / f"{NAME}-{version(NAME)}.zip"
        with atomic_write(archive, "wb") as file:
            file.write(content)
    except OSError as error:
        raise OptionError(
            f"{folder}: Weka's folder cannot be written: {error.strerror or error}", value_of="home"
        ) from error
    try:
        _manage(folder, "-install-package", str(archive))
    finally:
        archive.unlink()
    write_text(place / PYTHON, f"{sys.executable}\n")
    return read_status(home)


def uninstall_package(home: str | os.PathLike[str] | None = None) -> None:
    """Remove the package.

    Raises
    ------
    OptionError
        It is not installed, or the folder cannot be written.
    BridgeError
        There is no usable Java, or Weka's package manager failed.
    """
    if not read_status(home).version:
        raise OptionError(
            f"{weka_home(home)}: Weka's package {NAME} is not installed in this folder; if it is in another one, name "
            "that with --home",
            value_of="home",
        )
    packages = weka_home(home) / "packages"
    for folder in (packages, packages / NAME):
        if not os.access(folder, os.W_OK):
            raise OptionError(
                f"{folder}: nothing can be removed from this folder, which you may not write", value_of="home"
            )
    _manage(weka_home(home), "-uninstall-package", NAME)


def _manage(home: Path, *arguments: str) -> None:
    """Run Weka's package manager, off line, in another process."""
    java, _ = find_java()
    jars = weka_jars()
    check_paths(java, home, *jars)
    options = ["-Djava.awt.headless=true", "-Dweka.packageManager.offline=true", "-cp", os.pathsep.join(jars)]
    command = [str(java / "bin" / "java"), *options, "weka.core.WekaPackageManager", "-offline", *arguments]
    # the locale of this process, since Java falls back to C where a part of the environment's is not installed
    environment = os.environ | {"WEKA_HOME": str(home), "LC_ALL": locale.setlocale(locale.LC_CTYPE)}
    process = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    is_installed = bool(read_status(home).version)
    if process.returncode or is_installed != (arguments[0] == "-install-package"):
        lines = [line for line in (process.stdout + process.stderr).splitlines() if line.strip()]
        raise BridgeError(f"Weka's package manager failed in {home}: {' '.join(lines[-3:]) or 'it said nothing'}")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
