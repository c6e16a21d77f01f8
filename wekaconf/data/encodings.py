"""The encoding of text that is not Unicode."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wekaconf.base.errors import tell

_NO_WINDOWS_1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")


def encoding_of_bytes(path: str, chunks: Iterable[bytes]) -> str:
    """The guessed encoding, with a `Note`: Windows-1252, or Latin-1 if a byte has no meaning in Windows-1252."""
    name, encoding = "Windows-1252", "cp1252"
    if any(_NO_WINDOWS_1252.search(chunk) for chunk in chunks):
        name, encoding = "Latin-1", "latin-1"
    tell(f"{path} is not UTF-8; it was read as {name}")
    return encoding
