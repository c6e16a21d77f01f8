"""The paths that Java gets: the jars of wekaconf and Weka, and the folder in which Weka keeps its own files."""

from __future__ import annotations

import codecs
import locale
import logging
import os
import sys
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

from wekaconf.base.errors import BridgeError
from wekaconf.base.user_cache import private_folder

JAR = Path(__file__).with_name("wekaconf.jar")
REQUIRED_CLASSES = ("weka.classifiers.AbstractClassifier", "weka.classifiers.ParallelIteratedSingleClassifierEnhancer")
"""Classes that Weka 3.6 lacks."""
WEKA_FOLDERS = ("", "packages", "native", "repCache")
"""The folders that Weka makes below its own."""


def check_paths(*paths: str | os.PathLike[str]) -> None:
    """Check that Java can open these paths; one that it cannot write in its encoding would end the process.

    Raises
    ------
    BridgeError
        The locale lacks characters of a path, or the path is not text.
    """
    texts = [os.fspath(path) for path in paths if not os.fspath(path).isascii()]
    if not texts or sys.platform in ("win32", "darwin"):  # where all paths are Unicode
        return
    encoding = codecs.lookup(_encoding_in_java()).name
    for text in texts:
        with suppress(UnicodeEncodeError):
            if text.encode(encoding) == os.fsencode(text):
                continue
        if encoding == "utf-8":
            raise BridgeError(f"{text}: its bytes are not UTF-8, so that Java cannot open it; rename it")
        raise BridgeError(
            f"{text}: Java cannot open this path in a locale that has only the characters of {encoding.upper()}; set "
            "LC_ALL=C.UTF-8, or another UTF-8 locale of 'locale -a', before Python starts"
        )


def _encoding_in_java() -> str:
    """The encoding of paths in a Java that this process starts: Java takes over the locale of the environment."""
    before = locale.setlocale(locale.LC_ALL)
    try:
        with suppress(locale.Error):  # it is not installed, and Java keeps the present one, too
            locale.setlocale(locale.LC_ALL, "")
        return locale.getencoding()
    finally:
        locale.setlocale(locale.LC_ALL, before)


def own_jar() -> Path:
    """Our jar; BridgeError if Java cannot open it."""
    if not JAR.is_file():
        raise BridgeError(
            f"{JAR} is no file that Java can open: wekaconf was imported from an archive, or is not whole; install it "
            "into a folder with pip"
        )
    return JAR


def weka_jars() -> list[str]:
    """Weka's jars, which the wrapper ships; importing the wrapper must not change the root logger."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        import weka.core.jvm as wrapper
    except ImportError as error:
        raise BridgeError(f"python-weka-wrapper3 cannot be imported ({error}); {_remedy(error)}") from error
    finally:
        root.handlers[:], root.level = handlers, level
    logging.getLogger("weka.core.jvm").setLevel(logging.WARNING)
    jars = [str(jar) for jar in sorted(Path(wrapper.lib_dir()).glob("*.jar")) if "-src." not in jar.name]
    chosen = os.environ.get("WEKACONF_WEKA_JAR")
    return [_checked_jar(chosen), *(jar for jar in jars if Path(jar).name != "weka.jar")] if chosen else jars


def _remedy(error: ImportError) -> str:
    """The remedy for a wrapper that is not installed, or is hidden by a module of the same name."""
    other = getattr(sys.modules.get("weka"), "__file__", None)
    if other is None or not (error.name or "").startswith("weka.") or Path(other).with_name("lib").is_dir():
        return "install it with pip"  # the wrapper has its jars in lib
    return f"{other} is imported instead, since it has the name 'weka', too: rename that file or its folder"


def _checked_jar(path: str) -> str:
    """The path of another Weka's jar; BridgeError unless wekaconf can work with it."""
    try:
        with zipfile.ZipFile(path) as jar:
            names = set(jar.namelist())
    except (OSError, zipfile.BadZipFile) as error:
        raise BridgeError(f"WEKACONF_WEKA_JAR: {path} is no jar that can be read ({error}); name a weka.jar") from error
    for class_name in REQUIRED_CLASSES:
        if f"{class_name.replace('.', '/')}.class" not in names:
            raise BridgeError(f"WEKACONF_WEKA_JAR: {path} has no {class_name}; name the weka.jar of Weka 3.8 or newer")
    return path


def usual_weka_home() -> Path:
    """Weka's folder: ``WEKA_HOME``, else ``wekafiles`` in the user's home folder."""
    return Path(os.environ.get("WEKA_HOME") or _home_in_java() / "wekafiles").absolute()


def _home_in_java() -> Path:
    """The home folder as in Java's ``user.home``, which follows the system's entry of the user and not ``HOME``."""
    try:
        import pwd

        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except (ImportError, KeyError):  # Windows, or a user whom the system does not know
        return Path.home()


def substitute_weka_home() -> str | None:
    """A folder for Weka if it cannot make its usual one, which it would say in four lines; None if it can."""
    with suppress(OSError, BridgeError):
        home = usual_weka_home()
        check_paths(home)
        for name in WEKA_FOLDERS:
            (home / name).mkdir(exist_ok=True)
        return None
    try:
        return private_folder("weka")
    except OSError:
        return _temporary_home()


_temporary_homes: list[tempfile.TemporaryDirectory[str]] = []
"""They are removed when Python ends."""


def _temporary_home() -> str | None:
    """A folder that lasts as long as this process; None where nothing can be written, so that Weka says so."""
    with suppress(OSError):
        _temporary_homes.append(tempfile.TemporaryDirectory(prefix="wekaconf-"))
        return _temporary_homes[-1].name
    return None
