"""Excel workbooks as DataFrames."""

from __future__ import annotations

import math
import warnings

from wekaconf.data.cells import value_text
from wekaconf.data.table_files.base import MISSING, FrameTable, checked_names, first_line
from wekaconf.data.table_files.layout import unreadable
from wekaconf.errors import TableError, tell


class ExcelTable(FrameTable):
    """The first sheet of an Excel workbook."""

    form = "Excel"

    def __init__(self, path: str) -> None:
        import pandas as pd

        self.path = path
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # openpyxl tells of styles that it does not know
                with pd.ExcelFile(path, engine="openpyxl") as book:
                    sheets = book.sheet_names
                    raw = book.parse(sheets[0], header=None, dtype=object, na_filter=False)
        except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
            raise unreadable(path, error) from error
        except ImportError:
            raise
        except Exception as error:  # openpyxl, zipfile and the XML parser raise many kinds on damaged bytes
            raise TableError(f"is no Excel workbook, or a damaged one ({first_line(error)})", path=path) from error
        if len(sheets) > 1:
            tell(f"{path}: read the sheet '{sheets[0]}', the first of {len(sheets)}")
        raw = raw.map(_cell)
        raw = raw.loc[raw.notna().any(axis=1), raw.notna().any(axis=0)]
        if raw.empty:
            raise TableError("the first sheet is empty; expected a row of column names, and rows of values", path=path)
        names = [f"column {place}" if cell is None else value_text(cell) for place, cell in enumerate(raw.iloc[0], 1)]
        self.names = checked_names(names, path)
        self._frame = raw.iloc[1:].set_axis(list(self.names), axis=1)


def _cell(cell: object) -> object:
    if isinstance(cell, float) and math.isnan(cell):
        return None
    text = cell.strip() if isinstance(cell, str) else cell
    return None if text in MISSING else text
