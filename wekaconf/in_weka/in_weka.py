"""The methods as classifiers of Weka, for users of Python, and the package for stock Weka.

The package is one jar and a description, installed and removed by Weka's own package manager.
"""

from __future__ import annotations

import io
import locale
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.base.files import atomic_write, write_text
from wekaconf.base.naming import name_list
from wekaconf.base.parameters import Parametrised, changed, written
from wekaconf.bridge import check_paths, find_java, new_classifier, own_jar, split_options, usual_weka_home, weka_jars
from wekaconf.bridge.learners import WekaLearner
from wekaconf.evaluation.aims import Aim, check_aim
from wekaconf.evaluation.thresholds import CALIBRATE, check_calibrate
from wekaconf.methods.contract import Method
from wekaconf.model import scheme
from wekaconf.report.tables import quote_cell
from wekaconf.tree import Learner

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


def as_weka(
    method: Method | Learner[Any] | str,
    learner: str | Sequence[str] | Learner[Any] | None = None,
    options: str | Sequence[str] = "",
    *,
    reject: float | None = None,
    target_error: float | Mapping[str, float] | None = None,
    confidence: float | None = None,
    calibrate: float = CALIBRATE,
) -> Any:
    """A method as a classifier that Weka can use wherever it uses J48.

    Parameters
    ----------
    method : Method, Learner or str
        The method with its parameters, fitted or not, or as on the command line, ``"confdtree:variant=tdist"``; or a
        learner that is not Weka's own, ``wekaconf.CART()``, which then takes none of the other arguments.
    learner, options
        The learner of the trees that the method reads, see `wekaconf.grow`; left out: that of its paper, else J48.
    reject : float, optional
        Certainty below which the classifier gives no answer, so that Weka counts the instance as unclassified; 0: it
        always gives one. Left out: the method's own rule, if it has one.
    target_error, confidence : optional
        Promise instead, with this probability, such as 0.95, that at most this share of the answers is wrong; or one
        share for the answers that predict each of some classes, ``{"yes": 0.02}``. Instances that are held out show
        below which certainty to reject, as for `wekaconf predict --target-error --confidence`; what is promised is in
        the text of the built classifier. Weka's meta classifiers refuse it.
    calibrate : float
        The share of the training instances that is held out for the promise.

    Returns
    -------
    weka.classifiers.Classifier
        Of python-weka-wrapper3, not built; its ``build_classifier``, ``Evaluation``, ``FilteredClassifier``,
        ``Experiment`` and the others take it. Its Java class, ``weka.classifiers.trees.ConfDTree`` for
        `wekaconf.ConfDTree`, is found by its name, too: ``Classifier("weka.classifiers.trees.ConfDTree")``.
        `wekaconf.mirror` gives the fitted method of a built one.

    Raises
    ------
    OptionError
        The method or the learner has no class in Weka, or an option is wrong.
    BridgeError
        There is no usable Java.
    """
    owner = scheme.parse_method(method) if isinstance(method, str) else method
    if isinstance(owner, WekaLearner):
        parts = split_options(owner.name, f"{owner.prefix} {owner.options}")
        raise OptionError(
            f"as_weka: {owner!r} is Weka's own; make it with Classifier({owner.class_name!r}, options={parts!r})",
            value_of="method",
        )
    if isinstance(owner, Learner):
        if options or any(given is not None for given in (learner, reject, target_error, confidence)):
            raise OptionError(
                f"as_weka: {owner!r} is a learner, which reads no trees of another one and rejects nothing",
                value_of="learner",
            )
        return new_classifier(_class_name(type(owner)), write_options(owner))
    if not isinstance(owner, Method):
        got = f"the class {owner.__name__}" if isinstance(owner, type) else type(owner).__name__
        raise OptionError(f"as_weka: expected a method such as wekaconf.ConfDTree(), got {got}", value_of="method")
    parts = write_options(owner)
    if target_error is None and confidence is None and calibrate == CALIBRATE:
        parts += _threshold(owner, reject)
    else:
        parts += _promise(reject, target_error, confidence, calibrate)
    if learner is not None:
        grower = scheme.learner_of(learner, options)
        if isinstance(grower, WekaLearner):
            parts += ["-W", grower.class_name, "--", *split_options(grower.name, f"{grower.prefix} {grower.options}")]
        else:
            parts += ["-W", _class_name(type(grower)), "--", *write_options(grower)]
    elif options:
        raise OptionError("as_weka: options are those of a learner; give learner, too", value_of="options")
    return new_classifier(_class_name(type(owner)), parts)


def write_options(owner: Parametrised) -> list[str]:
    """The parameters that are not at their defaults: names and values, alternating."""
    texts = {name: "+".join(value) if isinstance(value, tuple) else value for name, value in changed(owner).items()}
    return [part for name, text in texts.items() for part in (f"-{name}", written(text))]


def _threshold(owner: Method, reject: float | None) -> list[str]:
    """Weka's option for a threshold."""
    if reject is None:
        return []
    try:
        aim = Aim("below", reject)
        check_aim(aim, owner.name, owner.certainty_range)
    except OptionError as error:
        raise OptionError("as_weka: reject: ", *error.parts, value_of="reject") from error
    return ["-reject", str(aim.number)]


def _promise(
    reject: float | None,
    target_error: float | Mapping[str, float] | None,
    confidence: float | None,
    calibrate: float,
) -> list[str]:
    """Weka's options for a promise."""
    if target_error is None:
        given = "calibrate" if confidence is None else "confidence"
        raise OptionError(
            f"as_weka: {given} belongs to a promise; give target_error, too, such as target_error=0.05", value_of=given
        )
    if confidence is None:
        raise OptionError(
            "as_weka: target_error is a promise, so it needs a confidence; give confidence, too, such as "
            "confidence=0.95",
            value_of="target_error",
        )
    if reject is not None:
        raise OptionError(
            "as_weka: reject is a threshold, and target_error finds one; give one of the two", value_of="reject"
        )
    try:
        aim = Aim.only({"error": target_error}, confidence)
        check_calibrate(calibrate)
    except OptionError as error:
        raise OptionError("as_weka: ", *error.parts, value_of="target_error") from error
    targets = [f"{name}={target!r}" if name else repr(target) for name, target in aim.targets]
    return ["-target-error", ",".join(quote_cell(target, ",") for target in targets),
            "-confidence", str(aim.confidence), "-calibrate", str(calibrate)]  # fmt: skip


def _class_name(cls: type) -> str:
    """The name of the Java class of a method or learner."""
    classes = scheme.class_names()
    for name, each in classes.items():
        if each is cls:
            return name
    names = name_list(name.rpartition(".")[2] for name in classes)
    raise OptionError(f"as_weka: {cls.__name__} has no class in Weka; those that have are {names}", value_of="method")


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
