"""Files of tables for tests, and what was read of them."""

import math
import warnings

from openpyxl import Workbook

import wekaconf as wc


def cells(data):
    """A data set's cells as a person would write them."""
    return [
        [None if math.isnan(cell) else attribute.values[int(cell)] if attribute.is_nominal else cell for cell in column]
        for attribute, column in zip(data.attributes, data.values.T.tolist(), strict=True)
    ]


def notes_of(path, **arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        wc.load_table(path, **arguments)
    return [str(note.message).partition(": ")[2] for note in caught]


def column_of(write, values):
    return write("x,c\n" + "".join(f"{value},{'ab'[place % 2]}\n" for place, value in enumerate(values)))


def workbook(path, *sheets):
    book = Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(f"sheet {number}")
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)
