"""The rows of a CSV file, each by the names of its columns."""

import csv
import io


def rows_in(path):
    """Those of a file."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows_of(text):
    """Those of what was written or printed."""
    return list(csv.DictReader(io.StringIO(text, newline="")))
