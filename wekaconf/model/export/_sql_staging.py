"""``.table.sql``: a table of texts that takes a file as it is, and the view of it that an exported query reads.

The view writes numbers with a point and dates in ISO 8601. A cell that it cannot convert stays a text that the query
refuses; nothing becomes missing that is not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import name_list, nearest, quoted
from wekaconf.data import DATE_FORMAT, DELIMITED, Attribute, is_number
from wekaconf.data.table_files import DelimitedTable, Reading, renamed
from wekaconf.model.export._exported_model import ExportedModel
from wekaconf.model.export._sql_dialects import DIALECTS, Dialect, fill_template
from wekaconf.model.export._sql_query import TABLE, check_names

STAGING = f"{TABLE}_text"
"""The table of texts."""
_PIECE = re.compile(r"'([^']*)'|([A-Za-z])\2*|[^A-Za-z']")
_WIDTHS = {"yyyy": 4, "MM": 2, "dd": 2, "HH": 2, "mm": 2, "ss": 2}


class _File(NamedTuple):
    """The columns of a table file, as it names them and as the model does, and what separates its cells."""

    path: str
    written: tuple[str, ...]
    names: tuple[str, ...]
    separator: str
    with_comma: frozenset[str]


def table_text(tree: ExportedModel, reading: Reading, path: str | os.PathLike[str], dialect: str) -> str:
    """The orders that make the table and the view.

    Parameters
    ----------
    tree : ExportedModel
    reading : Reading
        How the model reads files.
    path : path
        A file such as those that will be loaded: CSV or TSV with names of columns.
    dialect : str

    Raises
    ------
    OptionError
        The file is of another kind, lacks a column that the model reads, or has dates whose parts have no fixed place.
    TableError
        The file cannot be read.
    """
    database = DIALECTS[dialect]
    check_names(tree, database)
    file = _examine_file(tree, reading, os.fspath(path))
    name, read = database.name, {column.name: column for column in tree.columns}
    texts = ",\n".join(f"  {name(written)} TEXT" for written in file.written)
    cells = ",\n".join(
        f"  {_convert_cell(read[known], name(written), reading, file, database) if known in read else name(written)}"
        f" AS {name(known)}"
        for written, known in zip(file.written, file.names, strict=True)
    )
    separator = "\\t" if file.separator == "\t" else file.separator
    base = os.path.basename(file.path)
    load = fill_template(database.load, "'" + base.replace("'", "''") + "'", separator).replace("\n", "\n--   ")
    return (
        f"-- The table {name(STAGING)} takes files such as {printable(base)} as they are; the "
        f"view {name(TABLE)} reads it.\n-- For {database.title}. To load such a file, in UTF-8:\n--   {load}\n"
        f"CREATE TABLE {name(STAGING)} (\n{texts}\n);\n"
        f"CREATE VIEW {name(TABLE)} AS SELECT\n{cells}\nFROM {name(STAGING)};\n"
    )


def _examine_file(tree: ExportedModel, reading: Reading, path: str) -> _File:
    """The columns of a file; OptionError unless it is CSV or TSV and has all columns that the model reads."""
    if not path.lower().endswith(DELIMITED):
        raise OptionError(f"{path}: expected a CSV or TSV file, whose columns a table takes", value_of="staging")
    file = DelimitedTable(path, replace(reading, rename=()))
    written, names = file.names, renamed(file.names, reading.rename, path)
    for column in tree.columns:
        if column.name not in names:
            near = nearest(column.name, names)
            hint = f", perhaps {quoted(near)}" if near else ""
            raise OptionError(
                f"{path}: the model reads {quoted(column.name)}, which is no column of the file{hint}; it has "
                f"{name_list(names)}",
                value_of="staging",
            )
    numeric = [column.name for column in tree.columns if column.kind != "date"]
    plain = [old for old, new in zip(written, names, strict=True) if new in numeric]
    texts = file.texts(plain) if file.separator != "," else {}
    new_name = dict(zip(written, names, strict=True))
    has_comma = {new_name[old] for old, cells in texts.items() if any("," in (cell or "") for cell in cells)}
    has_comma |= {name for name in numeric if (form := reading.number_form(name)) and form.decimal == ","}
    return _File(path, written, names, file.separator, frozenset(has_comma))


def _convert_cell(column: Attribute, cell: str, reading: Reading, file: _File, dialect: Dialect) -> str:
    """The SQL for a cell as the query reads it."""
    converted, missing = cell, reading.na_texts
    is_numbers = column.kind == "numeric" or (column.is_nominal and all(map(is_number, column.values)))
    date_format = reading.date_form(column.name)
    if is_numbers and column.name in file.with_comma:  # a point, which stands for nothing there, becomes a comma
        converted = f"replace(replace(replace({cell}, ',', '|'), '.', ','), '|', '.')"
    if column.kind == "date" and column.date_format == DATE_FORMAT and date_format:
        missing, converted = reading.missing(), _convert_date(column.name, f"trim({cell})", date_format, dialect)
    if missing:
        return f"CASE WHEN trim({cell}) IN {dialect.texts(missing)} THEN NULL ELSE {converted} END"
    return converted


def _convert_date(name: str, text: str, date_format: str, dialect: Dialect) -> str:
    """The SQL for a date in ISO 8601; a text that is not in the format becomes ``not dd.MM.yyyy:`` and the text."""
    places, marks, end = dict[str, str](), [], 1
    for piece, literal in _split_format(date_format):
        if literal is None and piece not in _WIDTHS:
            raise OptionError(
                f"the dates of {quoted(name)} are written as {date_format}, and a view converts those of which each "
                f"part has its place, such as dd.MM.yyyy; convert them before, or export without the table",
                value_of="staging",
            )
        width = len(literal) if literal is not None else _WIDTHS[piece]
        part = f"substr({text}, {end}, {width})"
        if literal is None:
            places[piece] = part
        else:
            marks.append(f"{part} = {dialect.text_of(literal)}")
        end += width
    joints = [("yyyy", ""), ("MM", "'-'"), ("dd", "'-'"), ("HH", "' '"), ("mm", "':'"), ("ss", "':'")]
    iso = ""
    for piece, mark in joints:
        value = places.get(piece, "'00'" if piece == "mm" and "HH" in places else "")
        if value:
            marked = fill_template(dialect.concat, mark, value) if mark else value
            iso = fill_template(dialect.concat, iso, marked) if iso else marked
    wrong = fill_template(dialect.concat, dialect.text_of(f"not {date_format}: "), text)
    is_so = " AND ".join([f"{dialect.length}({text}) = {end - 1}", *marks])
    return f"CASE WHEN {is_so} THEN {iso} ELSE {wrong} END"


def _split_format(date_format: str) -> Iterator[tuple[str, str | None]]:
    """The parts of a date format, each with the text that it stands for; None for a field, such as ``dd``."""
    for piece in _PIECE.finditer(date_format):
        yield piece[0], piece[1] if piece[1] is not None else None if piece[2] else piece[0]
