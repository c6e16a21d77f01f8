"""Detection of the layout of a CSV or TSV file: encoding, separator, column names; other files are refused.

One pass before pyarrow's finds the longest line, too, so that no line of a gigabyte gets into memory, and counts the
quotes: pyarrow lets one that is never closed swallow the rest of the file.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import zlib

from wekaconf.base.errors import TableError, tell
from wekaconf.base.naming import counted, quoted
from wekaconf.data._file_bytes import binary_kind, check_unpacked, encoding_of_bytes, size_of, unreadable
from wekaconf.data.table_files._layout import BLOCK, LONGEST_LINE, SEPARATORS, Delimited, opened
from wekaconf.data.table_files._names import names_in, place_names

CHUNK = 2**20
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n)")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_SEPARATOR_LINE = re.compile(r'"?sep=([,;|\t])"?', re.IGNORECASE)
_OTHER_SEPARATORS = {"blanks": r"\s+", "colons": ":", "'^'": r"\^", "'~'": "~"}
"""Separators of other programs that are not supported."""
LINES_COMPARED = 6
"""Number of lines that must agree on one of them."""


def examine(path: str, content: bytes | None = None, *, is_tsv: bool, no_header: bool = False) -> Delimited:
    """The layout of a CSV or TSV file, which is read once from start to end.

    Parameters
    ----------
    path : str
        The name of the file.
    content : bytes, optional
        All of the file, where it can be read only once, plain or gzipped.
    is_tsv : bool
        Whether tabs separate the cells if the first row holds one. Else the separator is the one of comma, semicolon,
        tab and vertical bar that the first row holds most often outside quotes, or the one that a line ``sep=;`` above
        it names.
    no_header : bool
        Whether the first row holds values.

    Raises
    ------
    TableError
        The file is absent, empty or no text, a line is too long, or the first row does not hold the column names.
    """
    first, encoding, longest, n_quotes, may_hold_hex = _looked_through(path, content)
    text = first.decode(encoding, errors="replace")
    if not text.strip():
        again = "" if content is None else f"; {'standard input' if path == '-' else 'a pipe'} can be read only once"
        raise TableError(
            f"the file is empty; expected a row of column names, and rows of values{again}", path=path, line=1
        )
    if text.lstrip().lower().startswith("@relation"):
        raise TableError("this is ARFF; give the file a name that ends in .arff", path=path)
    n_before, text, separator = _text_from_names(path, text)
    first_row = _NEWLINE.split(text, maxsplit=1)[0]
    if separator is None:
        separator = "\t" if is_tsv and "\t" in first_row else max(SEPARATORS, key=lambda mark: len(_cells(text, mark)))
    cells = _cells(text, separator)
    names = place_names(len(cells)) if no_header else names_in(cells, path, n_before + 1)
    if len(names) == 1:
        _check_one_column(path, text, n_before + 1)
    return Delimited(
        path, names, separator, encoding, max(BLOCK, 2 * longest), content, bool(n_quotes % 2),
        no_header or len(first) == CHUNK or _has_rows(text, separator), n_before, may_hold_hex, not no_header,
    )  # fmt: skip


def _text_from_names(path: str, text: str) -> tuple[int, str, str | None]:
    """Number of lines above the column names, the text from the names on, and the separator if a line names it.

    Above the names may stand ``sep=;``, as Excel writes it, blank lines, and lines that begin with #. The last line
    with # holds the names if it has as many cells as the row below it.
    """
    separator = None
    start = n_before = n_comments = 0
    while line := _LINE.match(text, start):
        is_comment = line[1].startswith("#") and not _is_row_of_names(text[start:])
        if separator_line := _SEPARATOR_LINE.fullmatch(line[1]):
            separator = separator_line[1]
        elif not is_comment and line[1].strip(' \t"' + "".join(SEPARATORS)):
            break
        start, n_before, n_comments = line.end(), n_before + 1, n_comments + is_comment
    if n_comments:
        tell(f"{path}: left out {counted(n_comments, 'line')} of comment above the column names")
    return n_before, text[start:], separator


def _is_row_of_names(text: str) -> bool:
    """Whether the first line has several cells, as many as the second, which is no comment."""
    first, rest = _NEWLINE.split(text + "\n", maxsplit=1)
    n_cells, mark = max((len(_cells(first, mark)), mark) for mark in SEPARATORS)
    return n_cells > 1 and not rest.startswith("#") and len(_cells(rest, mark)) == n_cells


def _check_one_column(path: str, text: str, line: int) -> None:
    """Raise TableError if an unsupported separator splits all of the first rows into the same number of cells."""
    lines = [row.strip() for row in text.splitlines()[:LINES_COMPARED] if row.strip()]
    if len(lines) == 1 or '"' in "".join(lines):
        return
    for what, pattern in _OTHER_SEPARATORS.items():
        n_parts = {len(re.split(pattern, row)) for row in lines}
        if len(n_parts) == 1 and max(n_parts) > 1:
            raise TableError(
                f"expected cells separated by commas, semicolons, tabs or |, got {quoted(lines[0])}, where {what} seem "
                "to separate; write one of the four, or put the name in double quotes if this is one column",
                path=path, line=line,
            )  # fmt: skip


def _cells(text: str, separator: str) -> list[str]:
    """The cells of the first row, without blanks around them."""
    try:
        return [cell.strip() for cell in next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])]
    except csv.Error:  # a cell is too long for it
        return []


def _has_rows(text: str, separator: str) -> bool:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    next(rows)
    try:
        return any(rows)
    except csv.Error:  # a cell is too long for it
        return True


def _looked_through(path: str, content: bytes | None) -> tuple[bytes, str, int, int, bool]:
    """The first megabyte, the encoding, the longest line's length, the number of quotes, and whether 0x may occur."""
    longest = unfinished = n_quotes = n_bytes = 0
    is_utf8, first, before, may_hold_hex = True, b"", b"", False
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with opened(path, content) as stream:
            size = size_of(path, content)
            while chunk := stream.read(CHUNK):
                n_bytes += len(chunk)
                check_unpacked(n_bytes, size)
                if not first:
                    first = chunk
                    _check_text(path, first)
                n_quotes += chunk.count(b'"')
                may_hold_hex = may_hold_hex or any(x in chunk and b"0" + x in before + chunk for x in (b"x", b"X"))
                before = chunk[-1:]
                last = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
                longest = max(longest, unfinished + (len(chunk) if last < 0 else last + 1))
                unfinished = unfinished + len(chunk) if last < 0 else len(chunk) - last - 1
                if longest > LONGEST_LINE:
                    raise TableError(
                        f"a line is longer than {LONGEST_LINE:,} bytes, which no table has; check the file", path=path
                    )
                is_utf8 = is_utf8 and _decodes(decoder, chunk)
            is_utf8 = is_utf8 and _decodes(decoder, b"", final=True)
        encoding = next((name for mark, name in _MARKS.items() if first.startswith(mark)), "utf-8" if is_utf8 else "")
        if not encoding:
            with opened(path, content) as stream:
                encoding = encoding_of_bytes(path, iter(lambda: stream.read(CHUNK), b""))
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, error) from error
    return first, encoding, longest, n_quotes, may_hold_hex or encoding == "utf-16"


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final=final)
    except UnicodeDecodeError:
        return False
    return True


def _check_text(path: str, first: bytes) -> None:
    if kind := binary_kind(first):
        raise TableError(kind.replace(";", ", no CSV file;", 1), path=path)
    if first.startswith(_UTF32):
        raise TableError("this is text in UTF-32; save it as CSV in UTF-8", path=path)
    if b"\0" in first and not first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise TableError("holds bytes that are no text; save it as CSV in UTF-8", path=path)
