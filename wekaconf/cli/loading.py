"""Data sets that commands read, by file or by name."""

from __future__ import annotations

from dataclasses import replace

from wekaconf.base.errors import OptionError
from wekaconf.base.files import is_stream
from wekaconf.base.naming import alternatives, nearest, quoted
from wekaconf.bridge.reading import columns_of, load
from wekaconf.cli.console import say
from wekaconf.data import Loaded, stem
from wekaconf.data.catalogue import find, is_name
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.thresholds import draw_rows


def data_path(data: str) -> str:
    """The path of a data file; for the name of a data set its file, which a message names."""
    if data == "-" or not is_name(data):
        return data
    path = find(data)
    say(f"{data}: {path}")
    return path


def load_data(
    path: str, reading: Reading, class_attribute: str, *, test: str | None = None, hold_out: float | None = None
) -> Loaded:
    """A data set to learn from, named after its file; prints what was inferred about its columns.

    The column that names the rows may be missing if the test file has it. The share ``hold_out`` of the rows is left
    out: those that calibrate a promise where the same share of the same file does.
    """
    path = data_path(path)
    loaded = load_as_named(path, reading, class_attribute, needs_id=test is None)
    if test is not None and not is_stream(test) and reading.id not in ("", *loaded.kept):
        names = columns_of(test, reading)
        if reading.id not in names:
            files = alternatives(dict.fromkeys((path, test)))
            raise OptionError(f"no column {quoted(reading.id)} in {files}{nearest(reading.id, names)}", parameter="id")
    loaded = replace(loaded, data=loaded.data.renamed(stem(path)))
    if hold_out is None:
        return loaded
    is_held_out = draw_rows(len(loaded.data), hold_out)
    say(f"{path}: {is_held_out.sum()} of {len(is_held_out)} rows are held out, for --calibrate {hold_out:g}")
    return loaded.take(~is_held_out)


def load_as_named(path: str, reading: Reading, class_attribute: str, *, needs_id: bool = True) -> Loaded:
    """A data set with the name that its file gives it; prints what was inferred about its columns."""
    path = data_path(path)
    loaded = load(path, reading, class_attribute=class_attribute, needs_id=needs_id)
    for line in loaded.summary:
        say(line)
    return loaded
