"""Changes of files whose grammar is text, or bytes that somebody has written: one place, or a few."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

NUMBERS = (
    b"0", b"-0.0", b"1e309", b"-1e309", b"1e-400", b"5e-324", b"NaN", b"nan", b"inf", b"Infinity", b"-inf", b"0x10",
    b"1_000", b"1,5", b"1.5.2", b"9007199254740993", b"18446744073709551616", b"-9223372036854775809", b"00", b"+1",
    b".5", b"5.", b"1e", b"--1", b"1d", b"1f", b"\xef\xbc\x91", b"\xd9\xa1", b"9" * 400, b"1e99999999999", b"true",
)  # fmt: skip
MARKS = (
    b"\0", b"\x1b[31m", b"\x07", b"\r", b"\n", b"\r\n", b"\t", b"\x0b", b"\x0c", b"\x85", b"\xc2\x85", b"\xe2\x80\xa8",
    b"\xe2\x80\xae", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3", b"\xf0\x9f\x8c\xb3",
    b"\xcc\x81", b"\xc2\xa0", b"'", b'"', b"\\", b"''", b'""', b"\\'", b"\\u0027", b"\\101", b",", b";", b"|", b"%",
    b"?", b"#", b"{", b"}", b"[", b"]", b"=", b"<script>", b"$(id)", b"../", b"\x1f\x8b", b"PK\x03\x04", b"PAR1",
)  # fmt: skip
_NUMBER = re.compile(rb"[-+]?\d[\d.eE+-]*")
_WORD = re.compile(rb"[\w.@+-]+")
_QUOTED = re.compile(rb"'[^'\n]*'|\"[^\"\n]*\"")
LARGEST = 2**17
"""Bytes above which a changed file is cut off."""

Change = Callable[[Random, bytes], bytes]


def _put(content: bytes, begin: int, end: int, new: bytes) -> bytes:
    return content[:begin] + new + content[end:]


def put_in(rng: Random, content: bytes, words: Sequence[bytes]) -> bytes:
    """One of the words is put in, or takes the place of some bytes."""
    place = rng.randrange(len(content) + 1)
    return content[:place] + rng.choice(words) + content[place + rng.choice((0, 0, 1, 4)) :]


def one_byte(rng: Random, content: bytes) -> bytes:
    """A byte becomes another."""
    place = rng.randrange(len(content))
    return _put(content, place, place + 1, bytes([rng.randrange(256)]))


def one_bit(rng: Random, content: bytes) -> bytes:
    """A bit is turned."""
    place = rng.randrange(len(content))
    return _put(content, place, place + 1, bytes([content[place] ^ 1 << rng.randrange(8)]))


def dropped(rng: Random, content: bytes) -> bytes:
    """Some bytes are missing."""
    place = rng.randrange(len(content))
    return _put(content, place, place + rng.choice((1, 1, 1, 2, 5, 30)), b"")


def cut_off(rng: Random, content: bytes) -> bytes:
    """The file ends early."""
    return content[: rng.randrange(len(content))]


def repeated(rng: Random, content: bytes) -> bytes:
    """Some bytes come again, once or very often."""
    place, n = rng.randrange(len(content)), rng.choice((1, 1, 2, 5, 30))
    return _put(content, place, place, content[place : place + n] * rng.choice((1, 1, 2, 10, 1000)))


def copied(rng: Random, content: bytes) -> bytes:
    """Bytes of one place take that of others."""
    n = rng.randrange(1, 40)
    here, there = rng.randrange(len(content)), rng.randrange(len(content))
    return _put(content, here, here + rng.choice((0, n)), content[there : there + n])


def mark(rng: Random, content: bytes) -> bytes:
    """A character that means something somewhere is put in."""
    place = rng.randrange(len(content) + 1)
    return _put(content, place, place + rng.choice((0, 0, 1)), rng.choice(MARKS) * rng.choice((1, 1, 1, 1, 2, 100)))


def line(rng: Random, content: bytes) -> bytes:
    """A line is dropped, doubled, moved, emptied or joined with the next."""
    lines = content.split(b"\n")
    here, there = rng.randrange(len(lines)), rng.randrange(len(lines))
    which = rng.randrange(6)
    if which == 0:
        del lines[here]
    elif which == 1:
        lines.insert(there, lines[here])
    elif which == 2:
        lines.insert(there, lines.pop(here))
    elif which == 3:
        lines[here] = b""
    elif which == 4 and here + 1 < len(lines):
        lines[here : here + 2] = [lines[here] + lines[here + 1]]
    else:
        lines[here:here] = [lines[here]] * rng.choice((2, 20, 300))
    return b"\n".join(lines)


def _replaced(pattern: re.Pattern[bytes], rng: Random, content: bytes, new: Callable[[bytes], bytes]) -> bytes:
    """The content with something new in one place where the pattern occurs."""
    start = rng.randrange(len(content))
    found = pattern.search(content, start) or pattern.search(content)
    return content if found is None else _put(content, found.start(), found.end(), new(found[0]))


def number(rng: Random, content: bytes) -> bytes:
    """A number becomes an odd one."""
    return _replaced(_NUMBER, rng, content, lambda _: rng.choice(NUMBERS))


def word(rng: Random, content: bytes) -> bytes:
    """A word is spelt otherwise, quoted, doubled, or takes the place of another."""
    words = _WORD.findall(content) or [b"x"]

    def new(old: bytes) -> bytes:
        return rng.choice((
            old.upper(), old.swapcase(), old[:-1], old + old, b"'" + old + b"'", b'"' + old + b'"', b" " + old + b" ",
            rng.choice(words), rng.choice(words) + b" " + old, b"", old * 3000, old.replace(b"e", "é".encode()),
        ))  # fmt: skip

    return _replaced(_WORD, rng, content, new)


def quotes(rng: Random, content: bytes) -> bytes:
    """A quoted text has other quotes, none, one of them, or marks within."""

    def new(old: bytes) -> bytes:
        inside = old[1:-1]
        return rng.choice((
            inside, old[1:], old[:-1], b'"' + inside + b'"', b"'" + inside + b"'", b'"""' + inside + b'"""',
            old[:1] + inside + rng.choice(MARKS) + old[-1:], old[:1] + b"\\" + inside + b"\\" + old[-1:],
        ))  # fmt: skip

    return _replaced(_QUOTED, rng, content, new)


def encoded(rng: Random, content: bytes) -> bytes:
    """The text is in another encoding, has a mark of one, or other ends of lines."""
    text = content.decode("utf-8", "replace")
    which = rng.randrange(7)
    if which == 0:
        return codecs.BOM_UTF8 + content
    if which in (1, 2):
        return text.encode(("utf-16", "utf-32")[which - 1])
    if which == 3:
        return text.encode("latin-1", "replace")
    if which == 4:
        return codecs.BOM_UTF16_LE + content
    return content.replace(b"\n", b"\r\n" if which == 5 else b"\r")


def packed(rng: Random, content: bytes) -> bytes:
    """The file is gzipped, and perhaps damaged then."""
    content = gzip.compress(content, 1)
    return rng.choice((one_bit, cut_off, dropped, repeated))(rng, content) if rng.random() < 0.5 else content


def unzipped(content: bytes) -> dict[str, bytes]:
    """The files in a zip file, by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """A zip file of them."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, part in members.items():
            archive.writestr(name, part)
    return stream.getvalue()


def places(content: Any) -> Iterator[tuple[Any, ...]]:
    """The keys and indices that lead to every value of nested mappings and lists."""
    steps = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for step, value in steps:
        yield (step,)
        yield from ((step, *rest) for rest in places(value))


GENERAL: tuple[Change, ...] = (
    one_byte, one_bit, dropped, cut_off, repeated, copied, mark, mark, mark, line, line, number, number, word, word,
    quotes, quotes,
)  # fmt: skip
BINARY: tuple[Change, ...] = (one_bit, one_bit, one_bit, dropped, cut_off, repeated)


def changed(rng: Random, content: bytes, changes: Sequence[Change] = GENERAL) -> tuple[bytes, str]:
    """The content after one change or a few, and their names."""
    told = []
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3, 6))):
        change = rng.choice(changes)
        content = change(rng, content or b"x")[:LARGEST]
        told.append(change.__name__)
    if rng.random() < 0.04:
        last = rng.choice((encoded, encoded, packed))
        content = last(rng, content)
        told.append(last.__name__)
    return content, ", ".join(told)
