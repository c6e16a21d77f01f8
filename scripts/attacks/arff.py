"""ARFF files from strangers, written at random and then changed; a process reads them, and Weka reads them beside it.

What is accepted equals what Weka's ArffLoader reads, bit for bit. What is refused is refused by Weka, too, or by one of
our stricter rules; the message of the error says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

from attacks import Tried
from attacks._changes import GENERAL, NUMBERS, Change, changed, put_in
from attacks._reader import Reader

READER = Reader("_file_reader.py")
SECONDS = {"reads": 60, "refused": 2}
"""How long Weka may take for what we have read, or refused."""
PER_DRAW = 20
"""Files written per draw; each is also changed."""
STRICTER = {
    "extra values": r"expected \d+ values, got \d+;|brace among the values",
    "empty values": "empty value",
    "open quotes": "is not closed on this line",
    "quotes inside words": "quote inside a value|text after a closing quote",
    "weights": "the weight .* is not a number from 0 to",
    "attribute weights": "attribute weights are not supported",
    "strings left out": "a sparse row must not leave out",
    "text behind a sparse row": "a sparse row must end with",
    "text behind a type": "' after the type",
    "text behind @data": "' after @data",
    "quoted keywords": "(?i)expected @.*, got '@(relation|data|attribute|end)'|has the unknown type "
    "'(numeric|real|integer|string|date)'",
    "braces as names": "expected the name of .*, got '[{}]'",
    "indices in other digits": r"'\+?\d+' is not an attribute index",
    "numbers of Java": r"value '\s*[-+.\deExX]*[dDfF]\s*' of .* is not a number|value '[-+]?0[xX].*' of",
    "NUL": "NUL byte",
    "gzip": "the gzip file",
    "depth": "relational attributes within one another",
    "dates with text behind them": "the date .* does not follow the format",
    "dates of old": "dates before 15 October 1582",
    "dates of numbers that turn over": r"there is no date '.*\d{10}.*' in the format",
    "dates to come": r"\(year \d{5,} is out of range\)",
    "zones by name": "only Java knows the time zone|the time zone .* is not supported",
    "letters of dates": "the letter .* of the date format",
}
"""What Weka may read that we refuse, by the beginning of what we say."""


def draw(seed: int, tried: Tried) -> Iterator[str]:
    """Write a file, and read it as it is and after changes."""
    rng = Random(seed)
    for _ in range(PER_DRAW):
        good = written(rng)
        for content, what in ((good, "as written"), changed(rng, good, CHANGES)):
            verdict = READER.verdict(content, ".arff")
            kind, _, reason = verdict.partition(" ")
            tried["files", kind] += 1
            if kind not in ("reads", "refused"):
                yield f"{what}: {verdict}"
            elif unlike := unlike_weka(content, kind, reason, tried):
                yield f"{what}: {unlike} {content[:600]!r}"


def unlike_weka(content: bytes, kind: str, reason: str, tried: Tried) -> str:
    """How Weka differs from what became of a file; empty if it does not."""
    if kind == "refused" and b"relational" in content.lower():
        tried["refused", "where Weka may loop for ever"] += 1  # as it does if there is no @end
        return ""
    theirs, _, weka_says = _weka().verdict(content, ".arff", SECONDS[kind]).partition(" ")
    if kind == "reads" and theirs == "hangs":  # perhaps others use the processors
        theirs, _, weka_says = _weka().verdict(content, ".arff", 10 * SECONDS[kind]).partition(" ")
    if kind == "reads":
        tried["read", "as Weka does"] += 1
        return "" if (theirs, weka_says) == (kind, reason) else f"read, but by Weka: {theirs} {weka_says}"
    if theirs != "reads":
        by = {"refused": "by Weka, too", "hangs": "where Weka loops for ever"}
        tried["refused", by.get(theirs, "before Weka")] += 1
        return ""
    rule = next((name for name, pattern in STRICTER.items() if re.search(pattern, reason)), "")
    if not rule:
        return f"Weka reads it ({weka_says[:60]}), but: {reason}"
    tried["refused by us alone", rule] += 1
    return ""


@cache
def _weka() -> Reader:
    weka = Reader("_weka_reader.py")
    weka.verdict(written(Random(0)), ".arff")  # Java starts
    return weka


# ---- files ----

NAMES = (
    "a", "b", "c", "'a b'", '"q"', r"'it\'s'", "x.y", "x-1", "é", "名", "?", "''", "'%'", "'{'", "'a,b'", "@attribute",
    "class", "1", "-R", "'\\n'", "'\\u0041'", "'\\101'", "'\u202e'", "'?'", "\u00a0", "A", "a\\b", "a=b", "[1,2]",
)  # fmt: skip
"""Names as they are written."""
WORDS = (
    "x", "y", "z", "'x y'", '"it\'s"', r"'it\'s'", "''", "'?'", "?", "é", "名", "1", "0", "-1", "yes", "no", "'a,b'",
    "'%'", "'{'", "a\\b", r"'a\\b'", r"'\t'", r"'\101'", "X", "@data", "\u00a0", "\u2028", "' x'", "'x '",
)  # fmt: skip
DATES = {
    "": ("2024-02-29T12:00:00", "'1969-12-31T23:59:59'", "1582-10-20T00:00:00"),
    "yyyy-MM-dd": ("2024-02-29", "'2023-01-31'", "0001-01-01", "9999-12-31", "1582-10-10", "2024-1-1", "99999-01-01"),
    "'yyyy-MM-dd HH:mm:ss'": ("'2024-01-01 12:00:00'", "'1850-01-01 00:00:00'"),
    "'dd.MM.yy'": ("01.02.24", "31.12.99", "1.1.1", "01.02.2024"),
    "'MMM d yyyy h:mm a'": ("'Jan 5 2024 3:04 PM'", "'december 31 1999 12:00 am'"),
    "yyyyMMdd": ("20240229", "19991231"),
    "'EEE, d MMM yyyy HH:mm:ss Z'": ("'Mon, 1 Jan 2024 00:00:00 +0100'", "'Monday, 1 January 2024 00:00:00 -1130'"),
    "HH:mm": ("12:30", "0:00", "' 7:05'"),
    "'yyyy-MM-dd HH:mm:ss.SSS z'": ("'2024-01-01 12:00:00.123 GMT'", "'2024-01-01 12:00:00.5 UTC'"),
    "'yyyy''yy'": ("24", "1999"),
    "y": ("24", "0", "-1", "2024", "12345"),
    "'yyyy-ww'": ("2024-01",),
}
"""Patterns of dates, and dates that mostly follow them."""


def written(rng: Random) -> bytes:
    """A file that mostly is valid ARFF."""
    columns = [_column(rng, depth=0) for _ in range(rng.choice((1, 1, 2, 3, 4, 7)))]
    end = rng.choice(("\n", "\n", "\n", "\r\n", "\r"))
    lines = ["% made at random"] * (rng.random() < 0.2)
    lines += [f"{_case(rng, '@relation')} {rng.choice(NAMES)}", ""]
    seen: set[str] = set()
    for declaration, _ in columns:
        name = rng.choice(NAMES) if rng.random() < 0.7 else f"n{rng.randrange(99)}"
        if name in seen and rng.random() < 0.95:
            name = f"n{len(seen)}"
        seen.add(name)
        lines += declaration.replace("NAME", name).split("\n")
        lines += ["% a comment"] * (rng.random() < 0.05) + [""] * (rng.random() < 0.05)
    lines.append(_case(rng, "@data"))
    lines += [_row(rng, [cells for _, cells in columns]) for _ in range(rng.choice((0, 1, 2, 3, 8)))]
    return (end.join(lines) + end * (rng.random() < 0.9)).encode()


def _case(rng: Random, keyword: str) -> str:
    return rng.choice((keyword, keyword, keyword.upper(), keyword.capitalize()))


def _column(rng: Random, depth: int) -> tuple[str, tuple[str, ...]]:
    """A declaration, in which NAME is the name, and the cells that may stand in the column."""
    blank = rng.choice((" ", " ", "\t", "  "))
    start = f"{_case(rng, '@attribute')}{blank}NAME{blank}"
    kind = rng.randrange(7) if rng.random() < 0.95 or depth > 1 else 7
    if kind < 2:
        weight = rng.choice(("", "", "", "", "", " {1}", " [1,10]", " % c")) if rng.random() < 0.95 else " {2}"
        usual = ("0", "1", "2.5", "-3", "1e3", "?", "' 7 '", "1", "2", "3")
        return f"{start}{_case(rng, rng.choice(('numeric', 'real', 'integer')))}{weight}", usual + (
            tuple(number.decode("utf-8", "replace") for number in NUMBERS) if rng.random() < 0.1 else ()
        )
    if kind < 5:
        values = rng.sample(WORDS, rng.choice((0, 1, 2, 3, 5)))
        return f"{start}{{{rng.choice((',', ', ', ' '))[:2].join(values)}}}", (*values, "?")
    if kind == 5:
        return f"{start}{_case(rng, 'string')}", WORDS
    if kind == 6:
        pattern = rng.choice((*DATES,))
        return f"{start}date {pattern}", (*DATES[pattern], "?", rng.choice(DATES[rng.choice((*DATES,))]))
    inner = [_column(rng, depth + 1) for _ in range(rng.choice((1, 2)))]
    declared = "\n".join(declaration.replace("NAME", f"i{depth}{i}") for i, (declaration, _) in enumerate(inner))
    bags = [r"\n".join(_row(rng, [cells for _, cells in inner]) for _ in range(rng.choice((1, 2)))) for _ in range(3)]
    quoted = tuple("'" + bag.replace("'", r"\'") + "'" for bag in bags)
    return f"{start}relational\n{declared}\n@end NAME", (*quoted, "?")


def _row(rng: Random, columns: list[tuple[str, ...]]) -> str:
    cells = [rng.choice(cells) for cells in columns]
    if rng.random() < 0.2:
        kept = [i for i in range(len(cells)) if rng.random() < 0.6]
        row = "{" + ", ".join(f"{i} {cells[i]}" for i in kept) + "}"
    else:
        row = rng.choice((",", ",", ", ", " ", "\t")).join(cells)
    if rng.random() < 0.1:
        row += f",{{{rng.choice(('1', '2', '0.5', '0', '1e300') if rng.random() < 0.9 else ('-1', 'NaN', 'x', ''))}}}"
    return row + " % comment" * (rng.random() < 0.05)


# ---- changes that know the grammar ----

_TOKENS = (
    b"@attribute", b"@ATTRIBUTE x {a,b}\n", b"@attribute y numeric\n", b"@data\n", b"@DATA", b"@relation", b"@end",
    b"@end NAME\n", b"@attribute r relational\n@attribute i numeric\n@end r\n", b"numeric", b"string", b"date",
    b"relational", b"{0 1}\n", b"{}\n", b"{0 ?}\n", b"{1 1, 0 2}\n", b",{2}\n", b"{2}", b"{", b"}", b"%", b"% \n",
    b"?", b"'?'", b"\n", b" ", b", ", b",,", b"'", b'"', b"\\", b"\\'", b"[1,10]", b"(0,1]", b"'a\\nb'",
)  # fmt: skip


def token(rng: Random, content: bytes) -> bytes:
    """A token of ARFF is put in, or takes the place of some bytes."""
    return put_in(rng, content, _TOKENS)


def section(rng: Random, content: bytes) -> bytes:
    """The header or the data come twice, or in the wrong order."""
    header, _, rows = content.partition(b"@data")
    return rng.choice((content + content, header + header + b"@data" + rows, content + b"@data" + rows, rows + header))


def nested(rng: Random, content: bytes) -> bytes:
    """Relational attributes within one another."""
    depth = rng.choice((2, 5, 60, 1200))
    names = [b"r%d" % i for i in range(depth)]
    begin = b"".join(b"@attribute %s relational\n" % name for name in names)
    end = b"".join(b"@end %s\n" % name for name in reversed(names))
    return content.replace(b"@data", begin + b"@attribute x numeric\n" + end + b"@data", 1)


CHANGES: tuple[Change, ...] = (*GENERAL, token, token, token, token, section, nested)
