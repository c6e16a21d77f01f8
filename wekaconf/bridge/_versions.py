"""The versions of all that a result depends on, and the digest of our code."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path

import numpy as np

from wekaconf import bridge
from wekaconf.base.files import digest_of_file
from wekaconf.base.plugins import USUAL_VERSIONS
from wekaconf.bridge._jvm import java_to_use

UNRELATED_TO_ANSWERS = (
    "cli",
    "data/catalogue",
    "experiments/advising",
    "experiments/store",
    "experiments/studies",
    "experiments/workers",
    "in_weka",
    "model/facts.py",
    "public.py",
    "replication",
    "report",
    "sklearn",
    "testing.py",
)
"""Beginnings of the paths of files that no answer depends on."""
PACKAGES = ("wekaconf", "python-weka-wrapper3", "numpy", "scipy", "scikit-learn", "numba")


@cache
def _version(package: str) -> str:
    from importlib.metadata import version

    return version(package)


def versions() -> dict[str, str]:
    """Versions of all that a result depends on, by the names of `USUAL_VERSIONS`."""
    import platform

    about = bridge.about()
    numbers = (
        _version("wekaconf"), about["weka"], _version("python-weka-wrapper3"), about["bridge"], about["java"],
        np.__version__, _version("scikit-learn"), platform.python_version(),
    )  # fmt: skip
    return dict(zip(USUAL_VERSIONS, numbers, strict=True))


@cache
def code_digest() -> str:
    """SHA-256 of the Python and jar files that answers depend on, in hexadecimal digits; read once per process."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted((*root.rglob("*.py"), *root.rglob("*.jar"))):
        place = path.relative_to(root)
        if not place.as_posix().startswith(UNRELATED_TO_ANSWERS):
            digest.update(f"{place.as_posix()}\0{digest_of_file(path)}".encode())
    return digest.hexdigest()


def digest_of_class(cls: type) -> str:
    """SHA-256 of the file that defines a class of somebody else's; empty for our classes and those without a file."""
    if cls.__module__.partition(".")[0] == "wekaconf":
        return ""
    path = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return digest_of_file(path) if path and os.path.isfile(path) else ""


@cache
def environment() -> dict[str, str]:
    """The versions and digests on which `versions` and `code_digest` depend, read without starting Java."""
    import platform
    from importlib.metadata import version

    home = java_to_use()
    release = home / "release"
    jar = os.environ.get("WEKACONF_WEKA_JAR", "")
    return {
        "code": code_digest(),
        "python": platform.python_version(),
        "java": digest_of_file(release) if release.is_file() else os.fspath(home),
        "weka": digest_of_file(jar) if jar and os.path.isfile(jar) else "",
        **{name: version(name) for name in PACKAGES},
    }
