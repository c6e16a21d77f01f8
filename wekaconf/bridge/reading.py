"""Data sets read from files: ARFF by either of two readers, and tables."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from wekaconf import bridge
from wekaconf.base.errors import ArffError, BridgeError, OptionError, TableError, WekaconfError, tell
from wekaconf.base.files import is_stream, read_stream
from wekaconf.data import (
    Dataset,
    Header,
    Loaded,
    Unseen,
    arff,
    check_columns,
    is_table,
    join_parts,
    loaded_like,
    note_class,
    note_no_id,
    note_repeated,
    open_table,
    read_parts_like,
    read_table,
    value_text,
)
from wekaconf.data.catalogue import find, is_name
from wekaconf.data.dates import DateFormat, ZoneError
from wekaconf.data.table_files import FILE_OPTIONS, OnRead, Read, Reading, found_forms, known_by, unreadable

OTHER_WEKA_FORMATS = (".xrff", ".xrff.gz", ".json", ".json.gz", ".bsi", ".libsvm", ".names")
"""Endings of formats that Weka reads and wekaconf does not."""


def load_arff(
    path: str | os.PathLike[str],
    *,
    class_attribute: str | int | None = "last",
    reader: Literal["liac", "weka"] = "liac",
) -> Dataset:
    """Read an ARFF file, gzipped or not.

    Parameters
    ----------
    path : path
    class_attribute : str, int or None
        ``"last"``, ``"first"``, a number counted from 1, or a name; None: no class.
    reader : {"liac", "weka"}
        liac-arff, which needs no Java, or Weka's own ArffLoader. Both give the same Dataset; Weka's refuses relational
        attributes. A file with dates in a time zone that only Java knows is always read by Weka's.

    Raises
    ------
    ArffError
        The file is absent, unreadable or malformed; the message gives file and line.
    OptionError
        There is no such class attribute.
    """
    if reader == "weka":
        return bridge.load_arff_with_weka(path, class_attribute=class_attribute)
    if reader != "liac":
        raise OptionError(parameter="reader", expected="'liac' or 'weka'", got=f"'{reader}'")
    try:
        return arff.load_arff(path, class_attribute=class_attribute)
    except ArffError as error:
        if not isinstance(error.__cause__, ZoneError):
            raise
        refusal = error
    try:
        return bridge.load_arff_with_weka(path, class_attribute=class_attribute)
    except BridgeError as error:
        raise ArffError(f"{refusal.message} ({error})", path=refusal.path, line=refusal.line) from error


def load_table(
    path: str | os.PathLike[str],
    *,
    class_attribute: str | int | None = "last",
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    na: Sequence[str] = (),
    ignore: Sequence[str] = (),
    id: str = "",
    decimal: str = "",
    thousands: str = "",
    date_format: str = "",
    sheet: str | int = "",
    no_header: bool = False,
    rename: Mapping[str, str] | None = None,
    header: Header | Read | None = None,
    unseen: Unseen = "missing",
) -> Dataset:
    """Read a table: CSV, TSV, Parquet or Excel, by the ending of the file's name; or ARFF.

    Parameters
    ----------
    path : path
        ``.csv``, ``.tsv`` and ``.txt`` are text in UTF-8, UTF-16 or Windows-1252 (with a `Note`), plain or gzipped
        (then ``.csv.gz``), whose first row holds the column names; the separator is a comma, a semicolon, a tab or a
        vertical bar. ``.parquet`` and ``.xlsx`` are read too. ``-``, standard input, and pipes
        without such an ending are read by what they hold.
    class_attribute : str, int or None
        ``"last"``, ``"first"``, a number counted from 1, or a name, among the columns that are not ignored; None: no
        class.
    nominal, numeric : sequence of str
        Columns to read as texts, or as numbers, whatever they hold. Else numbers make numeric attributes, texts and
        booleans nominal ones, dates date attributes. A class of numbers must be in ``nominal``.
    na : sequence of str
        Texts that mean a missing value, beside an empty cell, ?, NA, N/A, NaN and null, or in place of these if the
        empty text is among them; a number is meant however it is written in a column of numbers.
    ignore : sequence of str
        Columns to leave out.
    id : str
        A column to leave out that names the rows; a model that learns from them passes it on beside its answers.
    decimal, thousands : str
        The decimal mark, ``"."`` or ``","``, and the mark between thousands, one of these, a blank or an apostrophe.
        If one is given, the other is the other one of point and comma. If both are left out, a column of texts is read
        as numbers where it leaves no doubt, such as "10.045,84" or "$1,234.56", with a `Note`.
    date_format : str
        How dates are written if not in ISO 8601, such as ``"dd.MM.yyyy"`` or ``"MM/dd/yyyy HH:mm"``. Left out: it is
        found where a column leaves no doubt, with a `Note`.
    sheet : str or int
        The sheet of a workbook, by its name, or by its number, counted from 1; left out: the first.
    no_header : bool
        Whether the first row holds values; the columns are then called "column 1", "column 2", ….
    rename : mapping of str to str, optional
        New names of columns by their old ones; all other arguments have the new ones.
    header : Header, Dataset or Model, optional
        Read the columns as this header declares them instead, see `Dataset.from_pandas`; of a data set or a model also
        as it was read itself: its identifier, what it left out, what meant missing, and the forms of its numbers and
        dates.
    unseen : {"missing", "error"}
        With ``header``: how to treat a value that it does not declare.

    Returns
    -------
    Dataset
        Columns that look like identifiers are told with a `Note`. Cost: linear in the size of the file.

    Raises
    ------
    TableError
        The file cannot be read, is damaged, or a row or cell is not as it should be; the message says where.
    OptionError
        There is no such column, or pandas, pyarrow or openpyxl is not installed.
    HeaderMismatchError
        The columns are not those of ``header``.
    """
    for parameter, columns in (("nominal", nominal), ("numeric", numeric), ("na", na), ("ignore", ignore)):
        if isinstance(columns, str):
            raise OptionError(
                parameter=parameter,
                expected="a list of texts",
                got=f"the text '{columns}'",
                advice=f"write ['{columns}']",
            )
    if not isinstance(id, str):
        raise OptionError(parameter="id", expected="the name of a column", got=repr(id))
    reading = Reading(
        tuple(nominal), tuple(numeric), tuple(na), tuple(ignore), id, decimal=decimal, thousands=thousands,
        date_format=date_format, sheet=str(sheet), no_header=no_header, rename=tuple((rename or {}).items()),
    )  # fmt: skip
    if isinstance(header, Header):
        return load_like(os.fspath(path), header, reading, unseen=unseen)
    if header is not None:
        known, kept = known_by(header)
        return load_like(os.fspath(path), known, _as_read(kept, reading), unseen=unseen)
    loaded = load(os.fspath(path), reading, class_attribute=class_attribute)
    for found in found_forms(loaded.reading):
        tell(f"{os.fspath(path)}: read {found}")
    return loaded.data


def _as_read(kept: Reading, written: Reading) -> Reading:
    """How a later file is read: as the training data, but for what is said of this file."""
    also = {name: getattr(kept, name) + getattr(written, name) for name in ("na", "ignore")}
    return replace(kept.of_file(written), **also, id=written.id or kept.id).without_id


def load(
    path: str, reading: Reading | None = None, *, class_attribute: str | int | None = "last", needs_id: bool = True
) -> Loaded:
    """Load a data set from an ARFF file or a table, by the ending of its name; see `read_table`."""
    reading, content = reading or Reading(), _content_of_stream(path)
    if is_table(path, content):
        return read_table(path, reading, class_attribute=class_attribute, needs_id=needs_id, content=content)
    for name in ("nominal", "numeric", "na", *FILE_OPTIONS):
        if getattr(reading, name):
            raise OptionError(
                f"{path} is ARFF, which declares names and kinds of its attributes; change them there", parameter=name
            )
    data = _arff(path, content)
    names = [attribute.name for attribute in data.attributes]
    if not needs_id:
        reading = reading.of_columns(names)
    for parameter, wanted in (("ignore", reading.ignore), ("id", (reading.id,) if reading.id else ())):
        check_columns(path, names, wanted, parameter=parameter, noun="attribute")
    loaded = _of_arff(data, reading)
    _note_repeated(path, reading, loaded)
    if class_attribute is None:
        return loaded
    with_class = loaded.data.with_class(class_attribute)
    note_class(path, with_class.header, class_attribute, names, reading)
    return replace(loaded, data=with_class)


def columns_of(path_or_name: str, reading: Reading) -> Sequence[str]:
    """The names of the columns of a data set; empty for a stream, which can be read only once."""
    if is_stream(path_or_name):
        return ()
    path = find(path_or_name) if is_name(path_or_name) else path_or_name
    if is_table(path):
        return open_table(path, reading).names
    return [attribute.name for attribute in arff.read_header(path, arff.read_text(path)).attributes]


def readings_of(data: Sequence[str], reading: Reading) -> dict[str, Reading]:
    """How each of several data sets is read: with those of the columns that ``reading`` names which it has.

    A single data set, a stream, and a file that cannot be read keep ``reading``, so that reading them tells what is
    wrong.

    Raises
    ------
    OptionError
        No data set has a column that is to be left out, nominal or numeric.
    """
    named = {name: columns for name in ("ignore", "nominal", "numeric") if (columns := getattr(reading, name))}
    known: dict[str, Sequence[str]] = {}
    for each in data if named and len(data) > 1 else ():
        with suppress(WekaconfError):
            known[each] = columns_of(each, reading)
    names = [*dict.fromkeys(name for columns in known.values() for name in columns)]
    for parameter, wanted in named.items() if names else ():
        check_columns(f"any of the {len(data)} data sets", names, wanted, parameter=parameter)

    def narrowed(columns: Sequence[str]) -> Reading:
        there: dict[str, Any] = {name: tuple(filter(columns.__contains__, wanted)) for name, wanted in named.items()}
        return replace(reading, **there)

    return {each: narrowed(columns) if (columns := known.get(each)) else reading for each in data}


def load_like(path: str, header: Header, reading: Reading | None = None, *, unseen: Unseen = "missing") -> Dataset:
    """Load a data set from an ARFF file or a table with the header of the training data; see `read_parts_like`."""
    return join_parts(parts_like(path, header, reading, unseen=unseen)).data


def parts_like(
    path: str, header: Header, reading: Reading | None = None, *, unseen: Unseen = "missing", strict: bool = False,
    keep: Sequence[str] | None = (), on_read: OnRead = lambda _done, _total: None, marks_class: bool = False,
) -> Iterator[Loaded]:  # fmt: skip
    """The parts of the data set of `load_like`; only a table has several; see `read_parts_like`."""
    reading, content = reading or Reading(), _content_of_stream(path)
    if is_table(path, content):
        yield from read_parts_like(
            path, header, reading, unseen=unseen, strict=strict, keep=keep, on_read=on_read, marks_class=marks_class,
            content=content,
        )  # fmt: skip
        return
    data = _arff(path, content)
    names = [attribute.name for attribute in data.attributes]
    keep = names if keep is None else keep
    check_columns(path, names, keep, parameter="keep", noun="attribute")
    loaded = _of_arff(data, reading, keep)
    note_no_id(path, reading, names)
    unused = () if strict else [name for name in keep if all(name != attribute.name for attribute in header.attributes)]
    used = loaded.data.without(unused)
    found = loaded_like(used, header, path, unseen=unseen, strict=strict, marks_class=marks_class)
    yield replace(found, kept=loaded.kept)
    _note_repeated(path, reading, loaded)


def _note_repeated(path: str, reading: Reading, loaded: Loaded) -> None:
    names = loaded.kept.get(reading.id, [])
    note_repeated(path, reading, len(set(names)), len(names))


def _content_of_stream(path: str) -> bytes | None:
    """All that a stream gives; None for a file, which can be read again.

    Raises
    ------
    TableError
        It cannot be read.
    """
    try:
        return read_stream(path)
    except OSError as error:
        if path != "-":
            raise unreadable(path, error) from error
        why = error.strerror or error
        raise TableError(f"standard input cannot be read: {why}; send it a file or a pipe", path=path) from None


def _arff(path: str, content: bytes | None) -> Dataset:
    """The data of a file, or of a stream's content, that is no table, so it must be ARFF.

    Raises
    ------
    ArffError
        The file is not ARFF; the message says that the ending decides.
    """
    try:
        return arff.load_arff(path, class_attribute=None, content=content)
    except ArffError as error:
        if error.line is None or path.lower().endswith((".arff", ".arff.gz")) or is_stream(path):
            raise
        if path.lower().endswith(OTHER_WEKA_FORMATS):
            problem = f"{os.path.splitext(path.lower().removesuffix('.gz'))[1]} files are not read"
            raise ArffError(f"{problem}; open it in Weka and save it as ARFF", path=path) from None
        advice = "a file with this ending is read as ARFF, so if it is a table, give its name the ending .csv or .tsv"
        raise ArffError(f"{error.message}; {advice}", path=path, line=error.line, column=error.column) from error


def _of_arff(data: Dataset, reading: Reading, keep: Sequence[str] = ()) -> Loaded:
    """The data of an ARFF file without a class and without the attributes that are left out."""
    names = [attribute.name for attribute in data.attributes]
    wanted = dict.fromkeys([*([reading.id] if reading.id in names else []), *keep])
    kept = {name: _texts(data, names.index(name)) for name in wanted}
    return Loaded(replace(data.without(reading.left_out), reading=reading), kept)


def _texts(data: Dataset, column: int) -> list[str | None]:
    """The cells of an attribute as texts."""
    attribute, cells = data.attributes[column], data.values[:, column].tolist()
    if attribute.kind == "date":
        text: Callable[[Any], str] = DateFormat(attribute.date_format, attribute.zone).format
    elif attribute.is_indexed:
        text = [*attribute.values].__getitem__
    else:
        text = value_text
    return [None if math.isnan(cell) else text(int(cell) if attribute.is_indexed else cell) for cell in cells]
