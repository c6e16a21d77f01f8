"""Weka's model files from strangers: bytes of a good file are changed, and a separate process makes a mirror of it.

The process may refuse the file with a ModelFileError in less than a second, or answer with distributions. It must not
crash, hang, raise anything else, or answer anything else.
"""

from __future__ import annotations

import gzip
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from numpy.random import Generator

from attacks.models import READER

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "golden" / "models"
ODD_INTEGERS = (0, 1, -1, 2, 7, 255, 2**15, 2**24, 2**31 - 1, -(2**31), 0x7E0000)
ODD_DOUBLES = (0.0, -0.0, 1.0, -1.0, 0.5, 1e300, -1e300, 1e-320, float("nan"), float("inf"), float("-inf"))
SHORTEST = 400
"""Bytes below which a file is not changed any further."""
TAGS = bytes(range(0x70, 0x7F))


def draw(seed: int, tried: Counter[tuple[str, str]]) -> Iterator[str]:
    """Change one place of one file, or a few."""
    rng = np.random.default_rng(seed)
    name, content = good_files()[rng.integers(len(good_files()))]
    told = []
    for _ in range(int(rng.choice([1, 1, 1, 2, 5]))):
        change = CHANGES[rng.integers(len(CHANGES))]
        content, what = change(rng, content)
        told.append(what)
        if len(content) < SHORTEST:
            break
        tried["changes", change.__name__] += 1
    is_packed = rng.random() < 0.1
    verdict = READER.verdict(gzip.compress(content, 1) if is_packed else content, ".model")
    kind, _, reason = verdict.partition(" ")
    tried["files", name] += 1
    tried["verdicts", kind] += 1
    if kind not in ("refused", "answers"):
        yield f"{name}, {', '.join(told)}: {kind}: {reason}"


@cache
def good_files() -> list[tuple[str, bytes]]:
    """Names and contents of the models that Weka has written."""
    return [(path.stem, path.read_bytes()) for path in sorted(FOLDER.glob("*.model"))]


# ---- changes ----

Change = Callable[[Generator, bytes], tuple[bytes, str]]


def _put(content: bytes, place: int, new: bytes) -> bytes:
    return content[:place] + new + content[place + len(new) :]


def one_byte(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """A byte becomes another."""
    place = int(rng.integers(len(content)))
    return _put(content, place, bytes([rng.integers(256)])), f"byte {place}"


def one_bit(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """A bit is turned."""
    place = int(rng.integers(len(content)))
    return _put(content, place, bytes([content[place] ^ 1 << int(rng.integers(8))])), f"bit of byte {place}"


def integer(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """Four bytes become an odd number, or the number beside."""
    place = int(rng.integers(len(content) - 4))
    number = ODD_INTEGERS[rng.integers(len(ODD_INTEGERS))]
    if rng.random() < 0.4:
        number = (struct.unpack_from(">i", content, place)[0] + int(rng.choice([-1, 1])) + 2**31) % 2**32 - 2**31
    return _put(content, place, struct.pack(">i", number)), f"integer {number} at {place}"


def double(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """Eight bytes become an odd number; some of the places are those of doubles."""
    place = int(rng.integers(len(content) - 8))
    number = ODD_DOUBLES[rng.integers(len(ODD_DOUBLES))]
    return _put(content, place, struct.pack(">d", number)), f"double {number} at {place}"


def reference(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """A reference leads elsewhere."""
    places = [place for place in range(len(content) - 5) if content[place : place + 3] == b"\x71\0\x7e"]
    if not places:
        return content, "left"
    place = places[rng.integers(len(places))]
    handle = int(rng.integers(len(places) * 2))
    return _put(content, place + 3, struct.pack(">H", handle)), f"reference at {place} to {handle}"


def value_to_reference(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """What begins somewhere becomes a reference, or null."""
    places = [place for place in range(len(content) - 5) if content[place] in TAGS]
    place = places[rng.integers(len(places))]
    new = b"\x70" if rng.random() < 0.3 else b"\x71\0\x7e" + struct.pack(">H", int(rng.integers(300)))
    cut = int(rng.choice([1, len(new), 5, 20]))
    return content[:place] + new + content[place + cut :], f"value at {place}, {cut} bytes of it gone"


def tag(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """What says which kind of value follows says another kind."""
    places = [place for place in range(4, len(content)) if content[place] in TAGS]
    place = places[rng.integers(len(places))]
    return _put(content, place, bytes([TAGS[rng.integers(len(TAGS))]])), f"tag at {place}"


def cut_off(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """The file ends early."""
    length = int(rng.integers(8, len(content)))
    return content[:length], f"cut off at {length}"


def dropped(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """A few bytes are missing."""
    place, n = int(rng.integers(4, len(content) - 64)), int(rng.integers(1, 64))
    return content[:place] + content[place + n :], f"{n} bytes dropped at {place}"


def repeated(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """Some bytes come again, once or very often."""
    place, n = int(rng.integers(4, len(content) - 64)), int(rng.integers(1, 64))
    times = int(rng.choice([1, 1, 2, 1000]))
    return content[:place] + content[place : place + n] * times + content[place:], f"{n} at {place}, {times} times more"


def copied(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """Bytes of one place, or of another file, take the place of others."""
    source = good_files()[rng.integers(len(good_files()))][1] if rng.random() < 0.3 else content
    n = int(rng.integers(1, 200))
    here, there = int(rng.integers(4, len(content) - n)), int(rng.integers(4, len(source) - n))
    return _put(content, here, source[there : there + n]), f"{n} bytes from {there} to {here}"


def text(rng: Generator, content: bytes) -> tuple[bytes, str]:
    """A name of a field, a class or a value is another."""
    names = [b"m_Attributes", b"m_sons", b"m_isLeaf", b"m_perClass", b"m_Type", b"java.util.ArrayList", b"red", b"size"]
    name = names[rng.integers(len(names))]
    new = (bytes([name[0] ^ 1]) + name[1:], name[::-1], b"m_" + name[2:][::-1])[rng.integers(3)]
    return content.replace(name, new, int(rng.choice([1, -1]))), f"{name.decode()} is {new!r}"


CHANGES: list[Change] = [
    one_byte, one_byte, one_bit, one_bit, integer, integer, double, double, reference, reference, value_to_reference,
    tag, cut_off, dropped, repeated, copied, text,
]  # fmt: skip
