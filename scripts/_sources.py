"""What is built here holds a digest of its sources, so that a stale one is noticed without building it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest_of(files: Iterable[Path], folder: Path) -> str:
    """SHA-256 of the names, seen from a folder, and the contents of text files, whatever their line ends."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()
