"""CSV and TSV files as DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any

from wekaconf.data.header import Attribute
from wekaconf.data.table_files.base import MISSING, OnRead, Part, Reading, TableFile, Texts, as_frame
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
        self._told_of: set[str] = set()
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
        for place, name in enumerate(columns):
            if pa.types.is_string(table.schema.field(place).type):
                texts = _trimmed(table.column(place), _missing(reading))
                column = texts if name in reading.nominal else self._numbers(name, texts)
                table = table.set_column(place, name, column)
        return as_frame(table)

    def parts(
        self, declared: Sequence[Attribute], kept: Sequence[str], reading: Reading, on_read: OnRead
    ) -> Iterator[Part]:
        """See `TableFile`."""
        import pyarrow as pa

        texts = self._layout.parts(dict.fromkeys(kept, pa.string()), (), kept) if kept else repeat(None)
        for table, of_kept in zip(self._typed_parts(declared, reading, on_read), texts, strict=False):
            yield as_frame(self._as_declared(table, declared, reading)), {} if of_kept is None else of_kept.to_pydict()

    def _typed_parts(self, declared: Sequence[Attribute], reading: Reading, on_read: OnRead) -> Iterator[pa.Table]:
        """Columns as texts, numeric ones as numbers unless a cell of one is none as pyarrow reads them."""
        import pyarrow as pa

        columns, n_parts = [attribute.name for attribute in declared], 0
        types = {one.name: pa.float64() if one.kind == "numeric" else pa.string() for one in declared}
        if not any(text in attribute.value_index for attribute in declared for text in _missing(reading)):
            try:
                for table in self._layout.parts(types, _nulls(reading), columns, on_read):
                    n_parts += 1
                    yield table
                return
            except pa.ArrowInvalid:  # the slow way says which cell is no number, or can read it
                pass
        as_texts = self._layout.parts(dict.fromkeys(columns, pa.string()), (), columns, on_read)
        yield from islice(as_texts, n_parts, None)

    def _as_declared(self, table: pa.Table, declared: Sequence[Attribute], reading: Reading) -> pa.Table:
        """The table with texts trimmed, and those that write numbers, of a numeric attribute, read as such."""
        import pyarrow as pa

        for place, attribute in enumerate(declared):
            if pa.types.is_string(table.schema.field(place).type):
                values = attribute.value_index
                is_padded = any(value != value.strip() for value in values)
                missing = [text for text in _missing(reading) if text not in values]
                texts = _trimmed(table.column(place), missing, keep_blanks=is_padded)
                column = self._numbers(attribute.name, texts) if attribute.kind == "numeric" else texts
                table = table.set_column(place, attribute.name, column)
        return table

    def texts(self, columns: Iterable[str]) -> Texts:
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
        has_comma = self._layout.separator != "," and pc.any(pc.match_substring(texts, ",")).as_py()
        if has_comma and pc.all(pc.match_substring_regex(texts, _DECIMAL_COMMA)).as_py():
            if name not in self._told_of:
                tell(f"{self.path}: the numbers of '{name}' are read with a decimal comma")
            self._told_of.add(name)
            texts = pc.replace_substring(texts, ",", ".")
        try:
            return pc.cast(texts, pa.float64())
        except pa.ArrowInvalid:
            return texts


def _missing(reading: Reading) -> tuple[str, ...]:
    """The texts that mean a missing value."""
    return (*MISSING, *reading.na)


def _nulls(reading: Reading) -> list[str]:
    """The texts of missing values as pyarrow must know them, which does not trim blanks."""
    texts = _missing(reading)
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
