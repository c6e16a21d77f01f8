"""CSV and TSV files as DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from wekaconf.data.header import Header
from wekaconf.data.table_files.base import MISSING, Reading, TableFile, as_frame, with_dates
from wekaconf.data.table_files.layout import SEPARATORS, examined
from wekaconf.errors import tell

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_DECIMAL_COMMA = r"^[-+]?[0-9]+(,[0-9]+)?([eE][-+]?[0-9]+)?$"


class DelimitedTable(TableFile):
    """A CSV or TSV file."""

    def __init__(self, path: str) -> None:
        is_tsv = path.lower().removesuffix(".gz").endswith(".tsv")
        self._layout = examined(path, separator="\t" if is_tsv else None)
        self.path, self.names = path, self._layout.names
        self.form = f"separated by {SEPARATORS[self._layout.separator]}s"

    def inferred(self, reading: Reading) -> pd.DataFrame:
        """See `TableFile`; blanks around texts are trimmed, and texts that are numbers with decimal commas are read."""
        import pyarrow as pa

        columns = [name for name in self.names if name not in reading.left_out]
        types = dict.fromkeys(reading.nominal, pa.string())
        table = self._layout.read(types, _nulls(reading), columns)
        odd = [field.name for field in table.schema if not _is_plain(field.type)]
        if odd:
            table = self._layout.read(types | dict.fromkeys(odd, pa.string()), _nulls(reading), columns)
        missing = (*MISSING, *reading.na)
        for place, name in enumerate(columns):
            if pa.types.is_string(table.schema.field(place).type):
                texts = _trimmed(table.column(place), missing)
                column = texts if name in reading.nominal else self._numbers(name, texts)
                table = table.set_column(place, name, column)
        return as_frame(table)

    def like(self, header: Header, reading: Reading) -> pd.DataFrame:
        """See `TableFile`."""
        import pyarrow as pa

        declared = {attribute.name: attribute for attribute in header.attributes}
        columns = [name for name in self.names if name not in reading.left_out]
        types = {
            name: pa.float64() if name in declared and declared[name].kind == "numeric" else pa.string()
            for name in columns
        }
        missing = (*MISSING, *reading.na)
        is_value = any(text in attribute.value_index for attribute in header.attributes for text in missing)
        try:
            if is_value:
                raise pa.ArrowInvalid("a text that means a missing value is declared as a value")
            table = self._layout.read(types, _nulls(reading), columns)
        except pa.ArrowInvalid:  # a cell is no number as pyarrow reads them; the slow way says which, or can read it
            table = self._layout.read(dict.fromkeys(columns, pa.string()), (), columns)
        for place, name in enumerate(columns):
            if pa.types.is_string(table.schema.field(place).type):
                values = declared[name].value_index if name in declared else {}
                is_padded = any(value != value.strip() for value in values)
                texts = _trimmed(
                    table.column(place), [text for text in missing if text not in values], keep_blanks=is_padded
                )
                if name in declared and declared[name].kind == "numeric":
                    texts = self._numbers(name, texts)
                table = table.set_column(place, name, texts)
        return with_dates(as_frame(table), declared, self.path)

    def texts(self, columns: Iterable[str]) -> dict[str, list[str | None]]:
        """See `TableFile`."""
        import pyarrow as pa

        wanted = list(columns)
        if not wanted:
            return {}
        table = self._layout.read(dict.fromkeys(wanted, pa.string()), (), wanted)
        return {name: table.column(name).to_pylist() for name in wanted}

    def _numbers(self, name: str, texts: pa.ChunkedArray) -> pa.ChunkedArray:
        """Texts as numbers, if all of them are; a comma is a decimal point where it does not separate cells."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if len(texts) == texts.null_count:
            return texts
        if self._layout.separator != "," and pc.all(pc.match_substring_regex(texts, _DECIMAL_COMMA)).as_py():
            tell(f"{self.path}: the numbers of '{name}' are read with a decimal comma")
            texts = pc.replace_substring(texts, ",", ".")
        try:
            return pc.cast(texts, pa.float64())
        except pa.ArrowInvalid:
            return texts


def _nulls(reading: Reading) -> list[str]:
    """The texts of missing values as pyarrow must know them, which does not trim blanks."""
    texts = (*MISSING, *reading.na)
    return [*texts, *(f" {text}" for text in texts), *(f"{text} " for text in texts)]


def _is_plain(kind: Any) -> bool:
    """Whether pyarrow inferred what an attribute can hold; times of day are read as the texts that they were."""
    import pyarrow as pa

    types = pa.types
    plain = (types.is_integer, types.is_floating, types.is_boolean, types.is_string, types.is_date, types.is_timestamp)
    return types.is_null(kind) or any(is_kind(kind) for is_kind in plain)


def _trimmed(column: pa.ChunkedArray, missing: Sequence[str], *, keep_blanks: bool = False) -> pa.ChunkedArray:
    """Texts without the blanks around them, those that mean a missing value as null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = column if keep_blanks else pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.is_in(texts, pa.array(missing, pa.string())), pa.scalar(None, pa.string()), texts)
