"""ARFF files read into data sets."""

from __future__ import annotations

import os
import zlib

from wekaconf.base.errors import ArffError
from wekaconf.base.files import read_stream
from wekaconf.data._dataset import Dataset
from wekaconf.data._encodings import binary_kind, encoding_of_bytes
from wekaconf.data._header import Header
from wekaconf.data._unpacking import gunzip, unreadable
from wekaconf.data.arff._header import read_declarations
from wekaconf.data.arff._lines import Lines
from wekaconf.data.arff._rows import read_rows


def load_arff(
    path: str | os.PathLike[str],
    *,
    class_attribute: str | int | None = "last",
    content: bytes | None = None,
    checks_zones: bool = True,
) -> Dataset:
    """Read an ARFF file, plain or gzipped.

    Parameters
    ----------
    path : str or PathLike
        UTF-8, or else Windows-1252 or Latin-1 (with a `Note`).
    class_attribute : str, int or None
        ``"last"``, ``"first"``, a number counted from 1, a name, or None for no class.
    content : bytes, optional
        All of the file, where it can be read only once.
    checks_zones : bool
        Whether to refuse dates in a time zone that only Java knows, with a `ZoneError` as the cause; else they are
        missing.

    Returns
    -------
    Dataset
        Its cells equal those of Weka's ``ArffLoader``; rows written as ``{…}`` are sparse. Dates without a time zone
        are local times, in the zone of `Attribute.zone`. Cost: linear in the size of the file.

    Raises
    ------
    ArffError
        The file cannot be read or is not valid ARFF. Some files that Weka reads by dropping or guessing values are
        refused: those with extra or empty values, quotes that are not closed, weights that are negative or NaN,
        strings that a sparse row leaves out, attributes with weights, NUL bytes, or relational attributes more than
        20 deep within one another.
    OptionError
        There is no such class attribute.
    """
    name = os.fspath(path)
    lines = Lines(name, read_text(name, content))
    header = read_declarations(lines)
    rows = read_rows(lines, header.attributes, checks_zones=checks_zones)
    header = Header(header.relation, rows.attributes)
    if class_attribute is not None:
        header = Header(header.relation, rows.attributes, header.find_class(class_attribute))
    return Dataset(header, rows.values, rows.weights, rows.is_sparse)


def read_text(path: str, content: bytes | None = None) -> str:
    """The text of a file, or of its ``content`` where that is known."""
    try:
        if content is None:
            content = read_stream(path)
        if content is None:
            with open(path, "rb") as stream:
                content = stream.read()
        _check_kind(path, content)
        content = gunzip(content)
    except (OSError, ValueError, EOFError, zlib.error) as error:
        if isinstance(error, ArffError):
            raise
        raise unreadable(path, error, ArffError) from None
    _check_kind(path, content)
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise ArffError("NUL byte: this is not text in UTF-8; convert it (from UTF-16?)", path=path, line=line)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode(encoding_of_bytes(os.path.basename(path), [content]))


def _check_kind(path: str, content: bytes) -> None:
    if kind := binary_kind(content):
        raise ArffError(kind, path=path)


def read_header(path: str, text: str) -> Header:
    """The header at the beginning of ARFF text, which messages call ``path``; ArffError if it is malformed."""
    return read_declarations(Lines(path, text))
