"""Writes model pages, for the commands that offer them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.files import write_text
from wekaconf.bridge.reading import load_like, parts_like
from wekaconf.cli.console import say
from wekaconf.cli.drift import compare_with_training, drift_lines, say_drift
from wekaconf.cli.loading import data_path
from wekaconf.data import Dataset, join_parts, stem
from wekaconf.data.wording import decimal_mark
from wekaconf.methods.contract import LeavesOneOut
from wekaconf.model.fitted import Model
from wekaconf.report.pages import MOST_ROWS, ModelPage, Rows


def write_page(page: ModelPage, output: str) -> None:
    """Write a page, and say where it can be opened."""
    text = page.html()
    write_text(output, text)
    where = Path(output).resolve()
    say(f"{output}: {len(text.encode()) / 1e6:.2g} MB; open it in a browser: {where.as_uri()}")


def read_rows(path: str, model: Model) -> Rows:
    """The first instances of a file, as the method reads them.

    Raises
    ------
    OptionError
        The file holds no instances.
    """
    reading = model.reading
    whole = join_parts(parts_like(data_path(path), model.header, reading))
    n = len(whole.data)
    if n == 0:
        raise OptionError(f"{path}: holds no rows to choose from; leave -T out, or give another file", value_of="test")
    if n > MOST_ROWS:
        say(f"note: {stem(path)}: the page holds the first {MOST_ROWS:,} of {n:,} rows")
    data = model.conform(whole.data.take(range(min(n, MOST_ROWS))))
    ids = whole.kept.get(reading.id, [])
    names = [f"row {i + 1}" for i in range(len(data))]
    for i, name in enumerate(islice(ids, len(data))):
        names[i] += f" ({reading.id} {name})" if name is not None else ""
    outside = None if model.summary is None else model.outside(whole.data)
    drift = compare_with_training(model, whole.data, outside)
    say_drift(drift, path)
    with decimal_mark(whole.marks.decimal):
        texts = {} if outside is None else outside.texts_at(np.arange(len(data)))
    if isinstance(model.method, LeavesOneOut) and (cost := model.method.cost(len(data), model.method.tree_.header)):
        say(f"note: {stem(path)}: {cost}")
    return Rows(data, names, drift, drift_lines(drift, Path(path).name), texts, whole.marks.decimal)


def read_training(path: str, model: Model) -> Dataset:
    """The training data of a model, as the method reads them."""
    return model.conform(load_like(data_path(path), model.header, model.reading.without_id))
