"""CSV and TSV files as DataFrames.

pyarrow reads them: each number as ``float`` does, and types by all rows; and it refuses a row that is too short, where
pandas fills it up. Both take about the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any

from wekaconf.base.errors import tell
from wekaconf.base.naming import quoted, shown
from wekaconf.base.words import Setting
from wekaconf.data._cells import CellError
from wekaconf.data._columns import LARGEST_EXACT, may_be_rounded
from wekaconf.data._header import Attribute
from wekaconf.data.table_files._base import OnRead, Part, Reading, TableFile, Texts, as_frame, without_numbers
from wekaconf.data.table_files._cell_forms import NumberForm, form_of
from wekaconf.data.table_files._examining import examine
from wekaconf.data.table_files._layout import SEPARATORS, CsvMarks
from wekaconf.data.table_files._names import place_name, renamed

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_DECIMAL_COMMA = r"^[-+]?(([0-9]+(,[0-9]*)?|,[0-9]+)([eE][-+]?[0-9]+)?|(?i:inf(inity)?))$"
_THOUSANDS = r"^[-+]?[0-9]{1,3}(\.[0-9]{3})*$"
_HEXADECIMAL = r"^\s*[-+]?0[xX]"


class DelimitedTable(TableFile):
    """A CSV or TSV file; ``separator`` is the mark between its cells."""

    def __init__(self, path: str, reading: Reading, content: bytes | None = None) -> None:
        is_tsv = path.lower().removesuffix(".gz").endswith(".tsv")
        layout = examine(path, content, is_tsv=is_tsv, no_header=reading.no_header)
        self.path, self._layout, self.separator = path, layout, layout.separator
        self.name_columns(renamed(layout.names, reading.rename, path))
        self._with_comma: list[str] = []
        self._with_point: list[str] = []
        self.form = f"separated by {SEPARATORS[self.separator]}s"

    def name_columns(self, names: Sequence[str]) -> None:
        """See `TableFile`."""
        self.names = tuple(names)
        self._layout = replace(self._layout, names=self.names)

    def inferred(self, reading: Reading) -> pd.DataFrame:
        """See `TableFile`; blanks around texts are trimmed, and texts that are numbers with decimal commas are read."""
        import pyarrow as pa

        columns = [name for name in self.names if name not in reading.left_out]
        types = dict.fromkeys(reading.nominal, pa.string())
        table = self._layout.read(types, _nulls(reading), columns)
        form = reading.told_form
        odd = [name for name in columns if self._is_odd(table.column(name))
               or (_is_comma(form) and pa.types.is_floating(table.column(name).type))]  # fmt: skip
        if odd:
            table = self._layout.read(types | dict.fromkeys(odd, pa.string()), _nulls(reading), columns)
        for place, name in enumerate(columns):
            if pa.types.is_string(table.schema.field(place).type):
                texts = _trimmed(table.column(place), reading.missing())
                is_text = name in reading.nominal or form is not None
                is_wanted = name in reading.numeric and form_of(texts.unique().drop_null().to_pylist()) is None
                column = texts if is_text else self._numbers(name, texts, is_wanted=is_wanted)
                if name in reading.nominal and self._has_comma(reading, name):
                    column = _with_points(column, are_all=True)
                table = table.set_column(place, name, column)
        self._with_point = [field.name for field in table.schema
                            if pa.types.is_floating(field.type) and field.name not in self._with_comma]  # fmt: skip
        nameless = [place_name(place) for place, name in enumerate(self.names) if name == place_name(place)]
        empty = [name for name in nameless if name in columns and pa.types.is_null(table.schema.field(name).type)]
        return without_numbers(as_frame(table.drop_columns(empty)), reading.na)

    def _is_odd(self, column: pa.ChunkedArray) -> bool:
        """Whether a column must be read as text first, since pyarrow takes more texts for numbers than we do."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if pa.types.is_integer(column.type):
            return self._layout.may_hold_hex
        if pa.types.is_floating(column.type):
            return bool(pc.any(pc.is_inf(column)).as_py())
        return not _is_plain(column.type)

    def _has_comma(self, reading: Reading, name: str) -> bool:
        """Whether a comma may be the decimal point of a column of floats."""
        form = reading.number_form(name)
        return _is_comma(form) or (form is None and self.separator != ",")

    def marks(self, reading: Reading, *, has_decimals: bool) -> CsvMarks:
        """See `TableFile`."""
        has_comma = bool(self._with_comma) or any(_is_comma(reading.number_form(name)) for name in self.names)
        if not has_comma and not has_decimals and self.separator != ",":
            return CsvMarks(self.separator, reading.marks.decimal)
        return CsvMarks(self.separator, "," if has_comma else ".")

    def note_thousands(self, reading: Reading) -> None:
        """See `TableFile`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        with_comma = [*self._with_comma, *(name for name, form in reading.number_forms if form.decimal == ",")]
        if not with_comma or not self._with_point or reading.told_form is not None:
            return
        texts = self._layout.read(dict.fromkeys(self._with_point, pa.string()), _nulls(reading), self._with_point)
        for name in self._with_point:
            column = _trimmed(texts.column(name), reading.missing())
            if not pc.all(pc.match_substring_regex(column, _THOUSANDS)).as_py():
                continue
            example = next((text for text in column.to_pylist() if text is not None and "." in text), None)
            if example is not None:
                tell(
                    f"{self.path}: {quoted(name)} is read with a decimal point, {example} as {float(example)!r}, but "
                    f"{quoted(with_comma[0])} has decimal commas; if points separate thousands, give ",
                    Setting("thousands", "."),
                )

    def parts(
        self, declared: Sequence[Attribute], kept: Sequence[str], reading: Reading, on_read: OnRead
    ) -> Iterator[Part]:
        """See `TableFile`."""
        import pyarrow as pa

        # Two readers in step: pyarrow takes one list of texts for "missing" per reader, and an identifier "NA" must
        # stay.
        texts = self._layout.parts(dict.fromkeys(kept, pa.string()), (), kept) if kept else repeat(None)
        for table, kept_texts in zip(self._typed_parts(declared, reading, on_read), texts, strict=False):
            frame = without_numbers(as_frame(self._as_declared(table, declared, reading)), reading.na)
            yield frame, {} if kept_texts is None else kept_texts.to_pydict()

    def _typed_parts(self, declared: Sequence[Attribute], reading: Reading, on_read: OnRead) -> Iterator[pa.Table]:
        """The rows in parts: numeric columns as numbers if pyarrow can read all their cells, the others as texts."""
        import pyarrow as pa

        columns, n_parts = [attribute.name for attribute in declared], 0
        types = {
            attribute.name: pa.float64()
            if attribute.kind == "numeric" and not _is_comma(reading.number_form(attribute.name))
            else pa.string()
            for attribute in declared
        }
        if not any(text in attribute.value_index for attribute in declared for text in reading.missing()):
            try:
                for table in self._layout.parts(types, _nulls(reading), columns, on_read):
                    if any(self._is_odd(column) or _may_be_rounded(column) for column in table.columns):
                        break
                    n_parts += 1
                    yield table
                else:
                    return
            except pa.ArrowInvalid:  # the slow way says which cell is no number, or can read it
                pass
        as_texts = self._layout.parts(dict.fromkeys(columns, pa.string()), (), columns, on_read)
        yield from islice(as_texts, n_parts, None)

    def _as_declared(self, table: pa.Table, declared: Sequence[Attribute], reading: Reading) -> pa.Table:
        """The table with texts trimmed, and the texts of numeric attributes read as numbers."""
        import pyarrow as pa

        for place, attribute in enumerate(declared):
            if pa.types.is_string(table.schema.field(place).type):
                values = attribute.value_index
                is_padded = any(value != value.strip() for value in values)
                texts = _trimmed(table.column(place), reading.missing(values), keep_blanks=is_padded)
                is_wanted = attribute.kind == "numeric" and reading.number_form(attribute.name) is None
                column = self._numbers(attribute.name, texts, is_wanted=True) if is_wanted else texts
                if attribute.is_nominal and self._has_comma(reading, attribute.name) and "," not in "".join(values):
                    column = _with_points(column, are_all=False)
                table = table.set_column(place, attribute.name, column)
        return table

    def texts(self, columns: Iterable[str]) -> Texts:
        """See `TableFile`."""
        import pyarrow as pa

        names = [*columns]
        return self._layout.read(dict.fromkeys(names, pa.string()), (), names).to_pydict() if names else {}

    def _numbers(self, name: str, texts: pa.ChunkedArray, *, is_wanted: bool) -> pa.ChunkedArray:
        """Texts as numbers, if all of them are; a comma is a decimal point where it does not separate cells.

        Raises
        ------
        CellError
            They must be numbers, and most are written with a decimal comma, but not all.
        """
        import pyarrow.compute as pc

        if self.separator != "," and pc.any(pc.match_substring(texts, ",")).as_py():
            fits = pc.match_substring_regex(texts, _DECIMAL_COMMA)
            if pc.all(fits).as_py():
                numbers = _cast(pc.replace_substring(texts, ",", "."))
                if numbers is not None and name not in self._with_comma:
                    if not self._with_comma:
                        tell(f"{self.path}: numbers are read with a decimal comma, as in {quoted(name)}")
                    self._with_comma.append(name)
                return texts if numbers is None else numbers
            if is_wanted and 2 * pc.sum(pc.and_(fits, pc.match_substring(texts, ","))).as_py() >= len(texts):
                row = fits.to_pylist().index(False)
                got = f"'{shown(texts[row].as_py())}'; correct it, or make it missing"
                raise CellError(name, row, f"expected a number with a decimal comma, as in other rows, got {got}")
        if self._layout.may_hold_hex and pc.any(pc.match_substring_regex(texts, _HEXADECIMAL)).as_py():
            return texts
        numbers = _cast(texts)
        return texts if numbers is None else numbers


def _may_be_rounded(column: pa.ChunkedArray) -> bool:
    """Whether a column of floats may be rounded integers of 64 bits, which only their texts tell."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_floating(column.type):
        return False
    ends = [end for end in pc.min_max(column).as_py().values() if end is not None]
    return any(abs(end) >= LARGEST_EXACT for end in ends) and may_be_rounded(column.drop_null().to_numpy())


def _is_comma(form: NumberForm | None) -> bool:
    return form is not None and form.decimal == ","


def _with_points(texts: pa.ChunkedArray, *, are_all: bool) -> pa.ChunkedArray:
    """The texts with a decimal point in numbers that have a comma; where asked, only if all are numbers."""
    import pyarrow.compute as pc

    fits = pc.match_substring_regex(texts, _DECIMAL_COMMA)
    if are_all and not pc.all(fits).as_py():
        return texts
    return pc.if_else(fits, pc.replace_substring(texts, ",", "."), texts)


def _cast(texts: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Texts as numbers; None if one of them is none, or too large for float64."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for kind in (pa.int64(), pa.float64()):  # integers first, so that a note tells of those too large for float64
        try:
            numbers = pc.cast(texts, kind)
        except pa.ArrowInvalid:
            continue
        is_infinite = pc.is_inf(numbers) if pa.types.is_floating(kind) else pa.scalar(False)
        too_large = pc.and_(is_infinite, pc.invert(pc.match_substring(texts, "inf", ignore_case=True)))
        return None if pc.any(too_large).as_py() else numbers
    return None


def _nulls(reading: Reading) -> list[str]:
    """The texts that mean a missing value, also with a blank beside them, since pyarrow does not trim blanks."""
    texts = reading.missing()
    return [*texts, *(f" {text}" for text in texts), *(f"{text} " for text in texts)]


def _is_plain(kind: Any) -> bool:
    """Whether an attribute can hold the type that pyarrow inferred; times of day are read as texts instead."""
    import pyarrow as pa

    types = pa.types
    plain = (types.is_integer, types.is_floating, types.is_boolean, types.is_string, types.is_date, types.is_timestamp)
    return types.is_null(kind) or any(is_kind(kind) for is_kind in plain)


def _trimmed(column: pa.ChunkedArray, missing: Sequence[str], *, keep_blanks: bool = False) -> pa.ChunkedArray:
    """The texts without the blanks around them; those that mean a missing value are null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(column)
    is_missing = pc.is_in(trimmed, pa.array(missing, pa.string()))
    return pc.if_else(is_missing, pa.scalar(None, pa.string()), column if keep_blanks else trimmed)
