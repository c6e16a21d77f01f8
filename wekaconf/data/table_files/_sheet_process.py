"""The cells of a sheet by calamine, in a process of its own: FILE BYTES.

calamine fills a sheet up to a rectangle before anybody can ask for its extent, and ends the process where memory is
short. So this process may take so many bytes of memory. It prints the names of the sheets, reads the name of one, and
prints its extent and each row, all as JSON; who reads that ends the process where the extent is too large.
"""

import datetime
import json
import resource
import sys
from typing import Any


def main(path: str, n_bytes: str) -> None:
    """Answer the process that started this one."""
    limits = [limit for limit in (int(n_bytes), *resource.getrlimit(resource.RLIMIT_AS)) if limit >= 0]  # below: none
    resource.setrlimit(resource.RLIMIT_AS, (min(limits), min(limits)))
    from python_calamine import CalamineWorkbook, SheetTypeEnum

    book = CalamineWorkbook.from_path(path)
    _print([sheet.name for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet])
    sheet = book.get_sheet_by_name(json.loads(sys.stdin.readline()))
    merged = sheet.merged_cell_ranges or ()
    _print({"first": sheet.start, "n_rows": sheet.height, "width": sheet.width, "merged": merged})
    for row in sheet.to_python():
        print(json.dumps(row, default=_as_json))


def _print(thing: Any) -> None:
    print(json.dumps(thing), flush=True)


def _as_json(cell: Any) -> dict[str, Any]:
    """A date or time as JSON holds it."""
    if isinstance(cell, datetime.timedelta):
        return {"seconds": cell.total_seconds()}
    return {type(cell).__name__: cell.isoformat()}


if __name__ == "__main__":
    main(*sys.argv[1:])
