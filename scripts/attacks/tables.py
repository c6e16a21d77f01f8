"""Tables from strangers: CSV and TSV written at random, Parquet and workbooks; changed, and read in another process.

A table is read, or refused with an error of ours. What is read is read the same by its own header, and what is gzipped
as what is not.
"""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator
from functools import cache
from random import Random

from attacks import Tried
from attacks._changes import BINARY, GENERAL, MARKS, NUMBERS, Change, changed, put_in, unzipped, zipped
from attacks._reader import Reader

READER = Reader("_file_reader.py")
PER_DRAW = 10
"""Texts written per draw; each is also changed."""
BINARY_PER_DRAW = 4
"""Changed Parquet files and workbooks per draw."""
SHEETS = SHEET, _ = "xl/worksheets/sheet1.xml", "content.xml"
SELDOM = 0.02
"""Share of draws in which something large is read, too."""


def draw(seed: int, tried: Tried) -> Iterator[str]:
    """Write texts, and read them as they are and after changes; read other tables after changes."""
    rng = Random(seed)
    for suffix, content, what in files(rng):
        verdict = READER.verdict(content, suffix)
        kind, _, reason = verdict.partition(" ")
        tried["files", suffix] += 1
        tried["verdicts", kind] += 1
        if kind not in ("reads", "refused"):
            yield f"{suffix}, {what}: {verdict} {content[:600]!r}"
        elif suffix in (".csv", ".tsv") and rng.random() < 0.1 and not content.startswith(b"\x1f\x8b"):
            packed = READER.verdict(gzip.compress(content, 1), f"{suffix}.gz")
            tried["files", f"{suffix}.gz"] += 1
            if packed.partition(" ")[0] != kind or (kind == "reads" and packed.partition(" ")[2] != reason):
                yield f"{suffix}, {what}: {verdict}, but gzipped: {packed} {content[:600]!r}"


def files(rng: Random) -> Iterator[tuple[str, bytes, str]]:
    """Ending, content and what was done to it, of each file of a draw."""
    for _ in range(PER_DRAW):
        suffix = rng.choice((".csv", ".csv", ".csv", ".tsv", ".txt"))
        good = written(rng, "\t" if suffix == ".tsv" else rng.choice(",,,;|\t"))
        yield suffix, good, "as written"
        yield suffix, *changed(rng, good, CHANGES)
    for _ in range(BINARY_PER_DRAW):
        yield ".parquet", *changed(rng, rng.choice(parquet_files()), BINARY)
        yield ".xlsx", *rng.choice((in_a_member, in_a_member, whole))(rng, rng.choice(workbooks()))
    yield ".ods", *rng.choice((in_a_member, in_a_member, whole))(rng, rng.choice(open_documents()))
    if rng.random() < SELDOM:
        yield rng.choice(LARGE)(rng)


# ---- texts ----

NAMES = (
    "a", "b", "c", "class", "x y", '"q"', "it's", "é", "名", "", " ", "1", "2.5", "NA", "-R", "=1+1", "@x", "<b>",
    "\u202e", "a\x1b[31m", "a,b", "a;b", "a\nb", "#", "# a", "sep=;", "?", "Unnamed: 0", "id", "x" * 3000, "\ufeff",
)  # fmt: skip
TEXTS = (
    "x", "y", "x", "y", "z", "", "?", "NA", "x y", " x", "x ", 'say "x"', "it's", "a,b", "a;b", "a\nb", "a\r\nb", "é",
    "名", "true", "FALSE", "1", "0x10", "=cmd()", "@x", "+1", "-1", "\u00a0", "\u2028", "\u202e", "\x1b[31m", "\x00",
    "<b>",
)  # fmt: skip
CELLS = (
    ("1", "2", "3", "-4", "", "?"),
    ("1.5", "2.25", "-0.0", "1e3", "NA", " 7 "),
    ("1,5", "2,25", "1.000", "12.345,6", "3"),
    ("0x10", "0x1F", "16", "7"),
    ("9007199254740993", "18446744073709551616", "-1", "1e400", "inf"),
    tuple(number.decode("utf-8", "replace") for number in NUMBERS),
    ("2024-01-01", "2024-02-30", "", "1582-10-01", "9999-12-31", "2262-04-12"),
    ("2024-01-01 12:00:00", "2024-01-01T12:00:00Z", "2024-01-01T12:00:00+01:00", "2024-01-01"),
    ("12:30", "12:30:15", "25:00"),
    ("true", "false", "True", "", "1"),
    ("x", "y"),
    ("x", "y", "z", "", "?", "x "),
    TEXTS,
)


def written(rng: Random, separator: str) -> bytes:
    """A text that mostly is a table."""
    n = rng.choice((1, 2, 2, 3, 4, 6))
    names = [rng.choice(NAMES) if rng.random() < 0.4 else f"n{i}" for i in range(n)]
    columns = [rng.choice(CELLS) for _ in range(n)]
    end = rng.choice(("\n", "\n", "\r\n", "\r"))
    rows = [names] + [[rng.choice(cells) for cells in columns] for _ in range(rng.choice((0, 1, 2, 5, 12)))]
    lines = [separator.join(_quoted(rng, cell, separator) for cell in row) for row in rows]
    above = rng.choice(("", "", "", "", f"sep={separator}", "# made at random", "", "#,#"))
    text = end.join([*([above] if above else []), *lines]) + end * (rng.random() < 0.9)
    return text.encode()


def _quoted(rng: Random, cell: str, separator: str) -> str:
    if any(mark in cell for mark in (separator, '"', "\n", "\r")) or rng.random() < 0.1:
        return '"' + cell.replace('"', '""') + '"' if rng.random() < 0.97 else cell
    return cell


_TOKENS = (
    b'"', b'""', b'"""', b",", b";", b"\t", b"|", b"\n", b"\r", b"\n\n", b'"\n"', b"sep=,\n", b"#", b"# x\n", b"'",
    b"=1+1", b" ", b"NaN", b"NULL", b"N/A", b"#N/A", b"0x", b"@relation r\n", b'","', b"1.000,5", b"\xa0",
)  # fmt: skip


def token(rng: Random, content: bytes) -> bytes:
    """What means something in a table is put in, or takes the place of some bytes."""
    return put_in(rng, content, _TOKENS)


def column(rng: Random, content: bytes) -> bytes:
    """A cell is added to one row, or to each; or one is missing."""
    lines, cell = content.split(b"\n"), rng.choice((b",x", b",", b";1", b"\t", b"|"))
    if rng.random() < 0.5:
        return b"\n".join(each + cell for each in lines)
    place = rng.randrange(len(lines))
    lines[place] = rng.choice((lines[place] + cell, lines[place].rpartition(b",")[0], cell * 2000))
    return b"\n".join(lines)


CHANGES: tuple[Change, ...] = (*GENERAL, token, token, token, column)


# ---- Parquet and Excel ----


@cache
def parquet_files() -> list[bytes]:
    """Tables of every kind of column, written by pyarrow."""
    import datetime
    from decimal import Decimal

    import pyarrow as pa
    from pyarrow import parquet

    texts = pa.array(["x", "y", None, "x"])
    columns = {
        "i": pa.array([1, 2, None, 4]),
        "f": pa.array([1.5, float("nan"), None, -0.0]),
        "b": pa.array([True, False, None, True]),
        "t": texts,
        "c": texts.dictionary_encode(),
        "d": pa.array([datetime.date(2024, 1, 1), None, datetime.date(1, 1, 1), datetime.date(9999, 12, 31)]),
        "m": pa.array([datetime.datetime(2024, 1, 1), None] * 2, pa.timestamp("us")),
        "z": pa.array([datetime.datetime(2024, 1, 1), None] * 2, pa.timestamp("ns", "Europe/Berlin")),
        "n": pa.nulls(4),
        "e": pa.array([Decimal("1.5"), None, Decimal("-2"), Decimal("0")]),
    }
    more = {
        "l": pa.array([[1], [], None, [2, 3]]),
        "s": pa.array([{"a": 1}, None, {"a": 2}, {"a": 3}]),
        "y": pa.array([b"x", None, b"\xff", b""]),
    }
    long = {"x": pa.array(range(300)), "c": pa.array(["a", "b", "c"] * 100)}
    written = []
    for table in map(pa.table, [*({name: column} for name, column in (columns | more).items()), columns, long]):
        for options in ({"compression": "none"}, {"compression": "snappy", "use_dictionary": False}):
            stream = io.BytesIO()
            parquet.write_table(table, stream, **options)
            written.append(stream.getvalue())
    return written


@cache
def workbooks() -> list[bytes]:
    """Workbooks, written by openpyxl."""
    import datetime

    from openpyxl import Workbook

    written = []
    for rows in (
        [["x", "c"], [1, "a"], [2.5, "b"], [None, "a"]],
        [
            ["d", "f", "class"],
            [datetime.date(2024, 1, 1), "=A1", True],
            [datetime.datetime(2024, 1, 1, 12), "=1+1", False],
        ],
        [["name", "é"], ["#N/A", "<b>"], ["?", "=x"], ["x" * 300, " y "]],
    ):
        book = Workbook()
        for row in rows:
            book.active.append(row)
        book.create_sheet("other").append(["z"])
        stream = io.BytesIO()
        book.save(stream)
        written.append(stream.getvalue())
    return written


@cache
def open_documents() -> list[bytes]:
    """Spreadsheets of OpenDocument."""
    from support.open_documents import write_ods

    written = []
    for rows in ([["x", "c"], [1, "a"], [2.5, "b"], [None, "a"]], [["name", "é"], ["#N/A", "<b>"], [True, " y "]]):
        stream = io.BytesIO()
        write_ods(stream, {"s": rows, "other": [["z"]]})
        written.append(stream.getvalue())
    return written


_IN_XML = (
    b' table:number-rows-repeated="1000000000"', b' table:number-columns-repeated="16384"', b"<table:table-cell/>",
    b"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>", b"&b;", b"&lt;", b"&#0;",
    b"<", b">", b"</row>", b"<row>", b'<c r="A1"><v>1</v></c>', b'<c r="ZZZ9999999"><v>1</v></c>',
    b'<c r="" t="s"><v>-1</v></c>', b'<c t="s"><v>99</v></c>', b'<c t="n"><v>1e999</v></c>',
    b'<c t="d"><v>2024-13-01</v></c>', b'<c t="e"><v>#N/A</v></c>', b'<c s="99"><v>1</v></c>', b"<f>A1</f>",
    b'r="XFD1048576"', b'r="0"', b'spans="1:99999999"', b"<v/>", b"1e308", b"-1",
)  # fmt: skip


def in_a_member(rng: Random, content: bytes) -> tuple[bytes, str]:
    """A workbook with one of its files changed, dropped, emptied or put in the place of another."""
    members = unzipped(content)
    name, other = rng.choice([*members]), rng.choice([*members])
    which = rng.randrange(8)
    if which == 0:
        del members[name]
    elif which == 1:
        members[name] = members[other]
    elif which == 2:
        place = rng.randrange(len(members[name]) + 1)
        members[name] = members[name][:place] + rng.choice(_IN_XML) + members[name][place:]
    elif which == 3:
        members[name] = b""
    else:
        name = name if rng.random() < 0.3 else next(sheet for sheet in SHEETS if sheet in members)
        members[name], _ = changed(rng, members[name])
    return zipped(members), f"{name}, change {which}"


def whole(rng: Random, content: bytes) -> tuple[bytes, str]:
    """A workbook whose bytes are changed."""
    return changed(rng, content, BINARY)


# ---- what is large, or becomes so ----


def _bomb(rng: Random) -> tuple[str, bytes, str]:
    """A small gzipped file that holds very much: bytes without meaning, one line, or rows."""
    part = rng.choice((b"\0", b"a", b"a,b\n", b"x,\n", b"\n", b'"', b"1,2,3\n", b"@relation r\n"))
    suffix = rng.choice((".csv.gz", ".tsv.gz", ".arff.gz"))
    head = b"@relation r\n@attribute a numeric\n@data\n" if suffix == ".arff.gz" and rng.random() < 0.7 else b""
    packer = zlib.compressobj(9, wbits=31)
    packed = packer.compress(head) + b"".join(packer.compress(part * (2**20 // len(part))) for _ in range(700))
    return suffix, packed + packer.flush(), f"700 MB of {part!r} gzipped"


def _sheet_bomb(rng: Random) -> tuple[str, bytes, str]:
    """A small workbook that holds very much."""
    part = rng.choice((b" ", b"<row/>", b'<row><c t="inlineStr"><is><t>x</t></is></c></row>', b"<!-- -->"))
    members = unzipped(workbooks()[0])
    members[SHEET] = members[SHEET].replace(b"<sheetData>", b"<sheetData>" + part * (2**28 // len(part)))
    return ".xlsx", zipped(members, zipfile.ZIP_DEFLATED), f"256 MB of {part!r} in a sheet"


def _parquet_bomb(rng: Random) -> tuple[str, bytes, str]:
    """A small Parquet file of very many equal cells."""
    import pyarrow as pa
    from pyarrow import parquet

    cell = rng.choice((0, 1.5, "x" * 100, None))
    table = pa.table({"x": pa.array([cell] * 2**22)})
    stream = io.BytesIO()
    parquet.write_table(pa.concat_tables([table] * 16), stream, compression="gzip")
    return ".parquet", stream.getvalue(), f"64 million times {cell!r}"


def _wide(rng: Random) -> tuple[str, bytes, str]:
    """A table of very many columns, or an ARFF file of them with sparse rows."""
    n = rng.choice((10_000, 40_000))
    if rng.random() < 0.5:
        head = b"@relation r\n" + b"".join(b"@attribute a%d numeric\n" % i for i in range(n))
        return ".arff", head + b"@data\n" + b"{}\n" * 20_000, f"20,000 sparse rows of {n} attributes"
    return ".csv", b",".join(b"a%d" % i for i in range(n)) + b"\n" + b"1" + b",1" * (n - 1) + b"\n", f"{n} columns"


def _long(rng: Random) -> tuple[str, bytes, str]:
    """Lines, cells, names or lists of values that are long, and marks that come often."""
    part = rng.choice((*MARKS, b"a", b"1,", b'"a"', b"\n", b"1\n", b"12\n", b"x,y\n", b"'a' ", b"{0 1}\n"))
    times = rng.choice((10**5, 10**6, 5 * 10**6)) // len(part)
    head, suffix = rng.choice((
        (b"", ".csv"), (b"a,b\n", ".csv"), (b"x\n", ".csv"), (b'a,b\n"', ".csv"),
        (b"@relation r\n@attribute a {", ".arff"), (b"@relation r\n@attribute a numeric\n@data\n", ".arff"),
        (b"@relation r\n@attribute a string\n@data\n", ".arff"),
        (b"@relation r\n@attribute a string\n@data\n'", ".arff"), (b"@relation ", ".arff"), (b"", ".tsv"),
    ))  # fmt: skip
    return suffix, head + part * times, f"{head!r} and {times} times {part!r}"


LARGE = (_bomb, _sheet_bomb, _parquet_bomb, _wide, _long, _long, _long)
