"""The rows of a CSV file, each by the names of its columns."""

import csv
import gzip
import io
from pathlib import Path


def rows_in(path):
    """Those of a file, which may be packed by gzip."""
    path = Path(path)
    packed = path.read_bytes()
    return rows_of((gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("utf-8"))


def rows_of(text):
    """Those of what was written or printed."""
    return list(csv.DictReader(io.StringIO(text, newline="")))
