"""Data sets read from table files: CSV, TSV, Parquet and workbooks, by pyarrow, openpyxl and calamine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, TableError, needed, spelled_out, tell
from wekaconf.base.naming import counted, name_list, nearest, quoted
from wekaconf.base.words import Setting
from wekaconf.data import frames
from wekaconf.data._advice import check_names, note_class, note_class_missing, note_columns, note_names, summary
from wekaconf.data._cells import CellError, ColumnError
from wekaconf.data._dataset import Dataset, header_of
from wekaconf.data._file_bytes import is_arff
from wekaconf.data._header import Attribute, Header
from wekaconf.data._leaks import note_leaks
from wekaconf.data._matching import (
    UNDECLARED,
    Unseen,
    UnseenValues,
    check_unseen,
    columns_by_name,
    columns_by_place,
    match_padded_names,
    note_matched_by_place,
    recode,
)
from wekaconf.data.arrays import FloatArray, frozen
from wekaconf.data.frames import is_frame, read_arrow_stream, values_like
from wekaconf.data.table_files._base import OnRead, Reading, TableFile, Texts
from wekaconf.data.table_files._column_forms import DateError, found_forms, with_forms
from wekaconf.data.table_files._delimited import DelimitedTable
from wekaconf.data.table_files._excel import BY_CALAMINE, ExcelTable
from wekaconf.data.table_files._layout import PLAIN, CsvMarks
from wekaconf.data.table_files._parquet import ParquetTable

DELIMITED, PARQUET, EXCEL = (".csv", ".tsv", ".txt"), (".parquet", ".pq"), (".xlsx", ".xlsm", *BY_CALAMINE)
ANY_FORM = Setting("date_format", "dd.MM.yyyy")
ENDINGS = (*DELIMITED, *(f"{ending}.gz" for ending in DELIMITED), *PARQUET, *EXCEL)
"""Endings of the names of table files."""


@dataclass(frozen=True, eq=False)
class Loaded:
    """A data set read from a file.

    Parameters
    ----------
    data : Dataset
    kept : mapping of str to (n_instances,) list of str or None
        Columns kept as texts for the output; None is missing.
    summary : tuple of str
        The lines of `advice.summary`.
    is_undeclared : (n_instances,) bool, optional
        Whether the class of each instance is one that the header does not declare, and that ``data`` holds as missing;
        None: there is none.
    marks : CsvMarks
        Those of the file, where it is CSV.
    """

    data: Dataset
    kept: Texts = field(default_factory=dict)
    summary: tuple[str, ...] = ()
    is_undeclared: NDArray[np.bool_] | None = None
    marks: CsvMarks = PLAIN

    @property
    def reading(self) -> Reading:
        """How the columns were read, with the forms that were found, so that later files are read alike."""
        return self.data.reading or Reading()

    @property
    def has_class(self) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether each instance has a class, declared or not."""
        is_declared = self.data.class_values >= 0
        return is_declared if self.is_undeclared is None else is_declared | self.is_undeclared

    def take(self, rows: NDArray[np.bool_]) -> Loaded:
        """Some of the instances, (n_instances,) bool, with their columns."""
        kept = {name: list(compress(texts, rows)) for name, texts in self.kept.items()}
        is_undeclared = None if self.is_undeclared is None else self.is_undeclared[rows]
        return replace(self, data=self.data.take(rows), kept=kept, is_undeclared=is_undeclared)


def loaded_like(
    data: Any,
    header: Header,
    what: str,
    *,
    unseen: Unseen = "missing",
    strict: bool = False,
    marks_class: bool,
    tells: bool = True,
    reading: Reading | None = None,
) -> Loaded:
    """A data set or frame with another header; see `Dataset.conform`, and `values_like` for ``reading``.

    ``marks_class`` says whether a class that the header does not declare is missing and marked, instead of an error;
    ``tells`` whether a `Note` counts the values of a frame that it does not declare.
    """
    data = read_arrow_stream(data)
    if is_frame(data):
        unseen_values = UnseenValues(marks_class=marks_class)
        values = values_like(data, header, unseen=unseen, what=what, unseen_values=unseen_values, reading=reading)
        is_undeclared = take_out_undeclared(values, header.class_index) if marks_class else None
        if tells:
            unseen_values.tell()
        return Loaded(Dataset(header, values, unseen=unseen_values.cells), is_undeclared=is_undeclared)
    header_of(data)
    is_undeclared = None
    if marks_class:
        data, is_undeclared = _without_undeclared(data, header.class_attribute, what)
    unseen_values = UnseenValues()
    conformed = data.conform(header, unseen=unseen, what=what, strict=strict, unseen_values=unseen_values)
    unseen_values.tell()
    known = {name: cells for name, cells in data.unseen.items() if any(each.name == name for each in header.attributes)}
    return Loaded(replace(conformed, unseen=known | unseen_values.cells), is_undeclared=is_undeclared)


def _without_undeclared(data: Dataset, declared: Attribute, what: str) -> tuple[Dataset, NDArray[np.bool_] | None]:
    """The data with a missing class where it is not declared, and where that is; None: they have no nominal class."""
    column = next((i for i, each in enumerate(data.attributes) if each.name == declared.name and each.is_nominal), None)
    if column is None:
        return data, None
    unseen_values, values = UnseenValues(marks_class=True), data.values.copy()
    texts = data.attributes[column].values
    classes = recode(
        values[:, column], texts, declared, unseen="missing", what=what, is_class=True, unseen_values=unseen_values
    )
    unseen_values.tell()
    is_undeclared = classes == UNDECLARED
    values[is_undeclared, column] = np.nan
    return replace(data, values=frozen(values)), is_undeclared


def is_table(path: str, content: bytes | None = None) -> bool:
    """Whether a file is a table by its name; a stream without such a name by its ``content``, where that is known."""
    if content is None or path.lower().endswith((*ENDINGS, ".arff", ".arff.gz")):
        return path == "-" or path.lower().endswith(ENDINGS)
    return not is_arff(content)


def stem(path: str) -> str:
    """The name of a file without its folder and its ending, as text; see `spelled_out`.

    Every command calls a data set so, and models do: by the relation, which somebody once typed into the header, two
    commands may call the same data differently.
    """
    name = spelled_out(os.path.basename(path))
    for ending in sorted((*ENDINGS, ".arff", ".arff.gz"), key=len, reverse=True):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return "stdin" if name == "-" else name


def open_table(path: str, reading: Reading, content: bytes | None = None) -> TableFile:
    """Open a table by the ending of the file's name; a stream without such a name by what it holds.

    ``reading`` says which sheet is read, whether there is a row of names, and which columns are renamed; ``content`` is
    all that a stream gave.

    Raises
    ------
    TableError
        The file cannot be read, or its columns have no proper names.
    OptionError
        There is no such sheet, or pandas, pyarrow or openpyxl is not installed.
    """
    name, is_named = path.lower(), path.lower().endswith(ENDINGS)
    beginning = b"" if content is None or is_named else content[:4]
    with needed(f"{path}: reading tables", "tables"):
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401

        if name.endswith(PARQUET) or beginning == b"PAR1":
            return ParquetTable(path, reading, content)
        if name.endswith(EXCEL) or (beginning == b"PK\3\4" and b"[Content_Types].xml" in (content or b"")):
            return ExcelTable(path, reading, content)
    return DelimitedTable(path, reading, content)


def read_table(
    path: str, reading: Reading | None = None, *, class_attribute: str | int | None = "last", needs_id: bool = True,
    content: bytes | None = None,
) -> Loaded:  # fmt: skip
    """Read a table whose attributes are inferred from its cells.

    Parameters
    ----------
    path : str
    reading : Reading, optional
    class_attribute : str, int or None
        Among the columns that are not left out; see `Header.with_class`.
    needs_id : bool
        Whether the identifier of ``reading`` must be in the file.
    content : bytes, optional
        All of the file, where it can be read only once.

    Raises
    ------
    TableError
        The file cannot be read, is damaged, has no rows, or a row or cell is not as it should be.
    OptionError
        A column of ``reading``, or the class, is not in the file; or pandas, pyarrow or openpyxl is not installed.
    """
    reading = reading or Reading()
    table = open_table(path, reading, content)
    if reading.sheet and not isinstance(table, ExcelTable):
        raise OptionError(f"{path} is no Excel workbook, so it has no sheets; leave it out", parameter="sheet")
    for old, new in reading.rename:
        if new not in table.names:
            check_columns(path, table.names, (old,), parameter="rename")
    if not needs_id:
        reading = reading.of_columns(table.names)
    names = (reading.id,) if reading.id else ()
    options = {"nominal": reading.nominal, "numeric": reading.numeric, "ignore": reading.ignore, "id": names}
    for what, columns in options.items():
        check_columns(path, table.names, columns, parameter=what)
    try:
        frame, reading = with_forms(table.inferred(reading), reading)
        table.note_thousands(reading)
        if not len(frame):
            raise TableError(
                "expected rows below the column names, got none; there is nothing to learn from", path=path
            )
        attributes, values = frames.columns_of(frame, nominal=reading.nominal, numeric=reading.numeric)
        header = Header(stem(path), attributes).with_class(class_attribute)
    except ColumnError as error:
        raise _file_error(table, error) from error
    marks = table.marks(reading, has_decimals=_have_decimals(header, values))
    data = Dataset(header, frozen(values), reading=replace(reading, marks=marks, is_inferred=True))
    if not table.declares_types and not reading.no_header:
        check_names(path, data, table.names)
        note_names(path, header, table.names)
    note_class(path, header, class_attribute, table.names, reading)
    words = _words_missing(table, data, reading)
    note_class_missing(path, header, words)
    note_columns(path, data, reading, declares_types=table.declares_types)
    if header.class_index >= 0 and header.class_attribute.is_nominal:
        note_leaks(path, data)
    if len(attributes) > 1:
        _note_empty(table, np.flatnonzero(np.isnan(values).all(axis=1)).tolist())
    kept = table.texts(names)
    ids = kept.get(reading.id, [])
    note_repeated(path, reading, len(set(ids)), len(ids))
    beginning = f"{path}: {counted(len(data), 'row')}, {table.form}"
    lines = summary(data, beginning, reading.left_out, found_forms(reading), words)
    return Loaded(data, kept, lines, marks=marks)


def _words_missing(table: TableFile, data: Dataset, reading: Reading) -> dict[str, list[str]]:
    """The words that meant a missing value in each column of texts, though the user did not say so."""
    if table.declares_types:
        return {}
    words = [text for text in reading.missing() if text not in reading.na and any(map(str.isalpha, text))]
    is_missing = np.isnan(data.values)
    is_open = is_missing.any(axis=0) & (data.header.is_nominal | is_missing.all(axis=0))
    names = [attribute.name for attribute, is_one in zip(data.attributes, is_open, strict=True) if is_one]
    present = {name: {(text or "").strip() for text in set(texts)} for name, texts in table.texts(names).items()}
    found = {name: [word for word in words if word in present[name]] for name in names}
    return {name: words for name, words in found.items() if words}


def read_parts_like(
    path: str, header: Header, reading: Reading | None = None, *, unseen: Unseen = "missing", strict: bool = False,
    keep: Sequence[str] | None = (), on_read: OnRead = lambda _done, _total: None, marks_class: bool = False,
    content: bytes | None = None,
) -> Iterator[Loaded]:  # fmt: skip
    """Read a table in parts, its columns as a header declares them; nominal ones are text, whatever they look like.

    Types inferred anew would differ where the file does: a column of codes without letters would become numbers, one
    without numbers text.

    Parameters
    ----------
    path : str
    header : Header
        The header of the training data.
    reading : Reading, optional
        The reading of the training data; columns that it leaves out may be absent.
    unseen, strict
        See `Dataset.conform`. The `Note` on values that are treated as missing comes after the last part.
    keep : sequence of str, optional
        Columns to keep as texts; None: all.
    on_read : callable
        Called with the amount of the file that has been read, and the total.
    marks_class : bool
        Whether a class that the header does not declare is no error; `Loaded` says which it is.
    content : bytes, optional
        All of the file, where it can be read only once.

    Yields
    ------
    Loaded
        The next rows; at least one part, which may be empty.

    Raises
    ------
    TableError, OptionError
        See `read_table`.
    HeaderMismatchError
        See `Dataset.conform`.
    """
    reading = reading or Reading()
    check_unseen(unseen)
    table = open_table(path, reading, content)
    table.name_columns(match_padded_names([attribute.name for attribute in header.attributes], table.names))
    if not header.is_named:
        _name_by_place(table, header, reading.left_out)
    keep = table.names if keep is None else keep
    check_columns(path, table.names, keep, parameter="keep")
    kept = [*dict.fromkeys([*([reading.id] if reading.id in table.names else []), *keep])]
    declared = list(header.attributes)
    if header.class_index >= 0 and header.class_attribute.name not in table.names:
        del declared[header.class_index]
    wanted = [attribute.name for attribute in declared]
    unused = set(reading.left_out).union(() if strict else kept).difference(wanted)
    what = path if len(table.names) > 1 else f"{path}, of one column only"
    named = [name for name in table.names if name not in unused]
    columns_by_name(named, wanted, what, strict=strict, can_rename=True, are_names=header.is_named)
    note_no_id(path, reading, table.names)
    unseen_values, ids, empty = UnseenValues(marks_class=marks_class), set[int](), list[int]()
    as_named = replace(reading, rename=())
    try:
        for frame, texts in table.parts(declared, kept, reading, on_read):
            empty.extend((np.flatnonzero(frame.isna().all(axis=1)) + unseen_values.n_read).tolist())
            values = values_like(frame, header, unseen=unseen, what=path, unseen_values=unseen_values, reading=as_named)
            is_undeclared = take_out_undeclared(values, header.class_index) if marks_class else None
            yield Loaded(
                Dataset(header, frozen(values), unseen=unseen_values.cells), texts, is_undeclared=is_undeclared,
                marks=table.marks(as_named, has_decimals=_have_decimals(header, values)),
            )  # fmt: skip
            unseen_values.next_part(len(values))
            ids.update(map(hash, texts.get(reading.id, ())))
    except ColumnError as error:
        raise _file_error(table, error, unseen_values.n_read) from error
    unseen_values.tell()
    if len(wanted) > 1:
        _note_empty(table, empty)
    if reading.id in kept:
        note_repeated(path, reading, len(ids), unseen_values.n_read)


def _have_decimals(header: Header, values: FloatArray) -> bool:
    """Whether some number is not whole."""
    columns = [column for column, attribute in enumerate(header.attributes) if attribute.kind == "numeric"]
    numbers = values[:, columns]
    return bool(((numbers != np.floor(numbers)) & ~np.isnan(numbers)).any())


def _name_by_place(table: TableFile, header: Header, left_out: Sequence[str]) -> None:
    """Give the columns of a file the names of those of an array, one after another, unless they have them."""
    class_name = header.class_attribute.name if header.class_index >= 0 else None
    wanted = [each.name for each in header.attributes if each.name != class_name or class_name in table.names]
    used = [name for name in table.names if name not in left_out]
    if set(wanted) <= set(table.names):
        return
    places = columns_by_place(used, wanted, class_name, table.path)
    note_matched_by_place(used, class_name, table.path)
    new_names = {used[place]: name for place, name in zip(places, wanted, strict=True)}
    table.name_columns([new_names.get(name, name) for name in table.names])


def join_parts(parts: Iterable[Loaded]) -> Loaded:
    """The parts of a file joined into one data set."""
    first, *others = parts
    kept: Texts = {name: [*chain.from_iterable(part.kept[name] for part in (first, *others))] for name in first.kept}
    marks = [part.is_undeclared for part in (first, *others) if part.is_undeclared is not None]
    data = first.data.join(*(part.data for part in others))
    is_undeclared = np.concatenate(marks) if marks else None
    return Loaded(data, kept, is_undeclared=is_undeclared, marks=first.marks)


def take_out_undeclared(values: NDArray[np.float64], class_index: int) -> NDArray[np.bool_]:
    """(n_instances,) bool: whether each class was marked as undeclared; it is made missing in ``values``."""
    is_undeclared = np.asarray(values[:, class_index] == UNDECLARED)
    values[is_undeclared, class_index] = np.nan
    return is_undeclared


def check_columns(
    path: str, names: Sequence[str], wanted: Sequence[str], *, parameter: str, noun: str = "column"
) -> None:
    """Raise OptionError if one of the ``wanted`` is not among the names of a file; its ``got`` is that name."""
    for name in wanted:
        if name not in names:
            hint = nearest(name, names) or f"; the {noun}s are {name_list(names, name)}"
            raise OptionError(f"no {noun} {quoted(name)} in {path}{hint}", parameter=parameter, got=name)


def note_no_id(path: str, reading: Reading, names: Sequence[str]) -> None:
    """Give a `Note` if the column that should name the rows is absent."""
    if reading.id and reading.id not in names:
        tell(f"{path}: no column {quoted(reading.id)}, which should name the rows; they go by their number")


def note_repeated(path: str, reading: Reading, n_names: int, n_rows: int) -> None:
    """Give a `Note` if there are fewer distinct names than rows."""
    if n_names < n_rows:
        counts = f"its {counted(n_rows, 'row')} hold {counted(n_names, 'name')}"
        tell(f"{path}: {quoted(reading.id)} does not tell the rows apart; {counts}")


def _note_empty(table: TableFile, rows: Sequence[int]) -> None:
    """Give a `Note` of rows that hold nothing but missing values, as below a table that Excel wrote as CSV."""
    if len(rows) == 1:
        tell(f"{table.path}: {table.row_name(rows[0])} holds no value; delete it if it is no instance")
    elif rows:
        problem = f"{len(rows)} rows hold no value, the first of them {table.row_name(rows[0])}"
        tell(f"{table.path}: {problem}; delete them if they are no instances")


def _file_error(table: TableFile, error: ColumnError, n_before: int = 0) -> TableError:
    """The error about a column or a cell as one that names the file; ``n_before`` rows were read before this part."""
    if isinstance(error, CellError):
        place = f"column {quoted(error.column)}, {table.row_name(n_before + error.row)}"
        how = ("; dates of another form need one such as ", ANY_FORM) if isinstance(error, DateError) else ()
        return TableError(f"{place}: ", *error.problem, *how, path=table.path)
    return TableError(*error.parts, path=table.path)
