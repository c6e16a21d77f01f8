"""Writer of ARFF files, without Java; reading them again gives the same data set."""

from __future__ import annotations

import gzip
import math
import os
import re
from collections.abc import Sequence

import numpy as np

from wekaconf.base.errors import ArffError
from wekaconf.base.files import atomic_write
from wekaconf.data._dataset import Dataset
from wekaconf.data._header import Attribute, Header
from wekaconf.data.arff._reading import read_header
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dates import DateFormat, ZoneError

_PLAIN = re.compile(r"""[^\x00-\x20\s,{}%'"\\?]+""")


def save_arff(path: str | os.PathLike[str], data: Dataset) -> None:
    """Write an ARFF file, gzipped if the name ends with ``.gz``; reading it again gives the same data set.

    Parameters
    ----------
    path : str or PathLike
        An existing file is replaced only when everything is written.
    data : Dataset
        Sparse instances are written as ``{…}``. ARFF has no place for the class index. When the file is read, the
        values of string and relational attributes are in their order of appearance.

    Raises
    ------
    ArffError
        ARFF cannot hold the data: there are no attributes, two have the same name, or the format of a date would round
        it.
    OSError
        The file cannot be written.
    """
    name = os.fspath(path)
    content = (header_text(data.header, name) + rows_text(data, name)).encode()
    with atomic_write(name, "wb") as stream:
        stream.write(gzip.compress(content, mtime=0) if name.lower().endswith(".gz") else content)


def header_text(header: Header, path: str) -> str:
    """The declarations, up to and including @data; ArffError, which names ``path``, if ARFF cannot hold them."""
    text = f"@relation {_quote(header.relation)}\n\n" + _declarations(header.attributes) + "\n@data\n"
    read_header(path, text)
    return text


def rows_text(data: Dataset, path: str) -> str:
    """The instances, one per line; ArffError, which names ``path``, if ARFF cannot hold them.

    Sparse rows leave out zeros and first nominal values, but no strings, unlike Weka's, which lose their first one.
    """
    sparse = data.sparse_rows
    is_omissible = np.array(
        [attribute.kind not in ("string", "relational") for attribute in data.attributes], dtype=bool
    )
    is_left_out = (data.values[sparse] == 0) & is_omissible
    values = data.values
    if len(sparse):
        values = values.copy()
        values[sparse] = np.where(is_left_out, np.nan, values[sparse])
    try:
        columns = [_texts(attribute, values[:, i]) for i, attribute in enumerate(data.attributes)]
    except ZoneError as error:
        raise ArffError(f"dates cannot be written: {error}; give the attribute a format with Z", path=path) from error
    except ValueError as error:
        raise ArffError(f"{error}; give the attribute a finer format", path=path) from None
    rows = list(map(",".join, zip(*columns, strict=True))) if columns else [""] * len(data)
    for row, is_omitted in zip(sparse.tolist(), is_left_out, strict=True):
        rows[row] = "{" + ",".join(f"{i} {columns[i][row]}" for i in np.flatnonzero(~is_omitted)) + "}"
    weights = ("" if weight == 1 else f",{{{_number_text(weight)}}}" for weight in data.weights.tolist())
    return "".join(f"{row}{weight}\n" for row, weight in zip(rows, weights, strict=True))


def _quote(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
    return "'" + re.sub(r"[\x00-\x1f]", lambda match: f"\\{ord(match[0]):03o}", escaped) + "'"


def _declarations(attributes: Sequence[Attribute]) -> str:
    lines = []
    for attribute in attributes:
        name = _quote(attribute.name)
        if attribute.is_nominal:
            kind = "{" + ",".join(map(_quote, attribute.values)) + "}"
        elif attribute.kind == "relational":
            kind = f"relational\n{_declarations(attribute.inner)}@end {name}"
        else:
            kind = f"date {_quote(attribute.date_format)}" if attribute.kind == "date" else attribute.kind
        lines.append(f"@attribute {name} {kind}\n")
    return "".join(lines)


def _number_text(number: float) -> str:
    return repr(number).removesuffix(".0").replace("inf", "Infinity")


def _texts(attribute: Attribute, column: FloatArray) -> list[str]:
    """The cells of a column as written in the file."""
    cells = column.tolist()
    if attribute.is_indexed:
        values = list(map(_quote, attribute.values))
        return ["?" if math.isnan(cell) else values[int(cell)] for cell in cells]
    if attribute.kind == "numeric":
        return ["?" if math.isnan(cell) else _number_text(cell) for cell in cells]
    date = DateFormat(attribute.date_format)
    return ["?" if math.isnan(cell) else _quote(date.format(cell)) for cell in cells]
