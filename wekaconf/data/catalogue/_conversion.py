"""Conversion of downloaded files to the ARFF files of the catalogue: the class last, named as Weka's copies are."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files

import numpy as np

from wekaconf.base.errors import FetchError, WekaconfError
from wekaconf.base.files import atomic_write
from wekaconf.data._dataset import Dataset
from wekaconf.data._header import Header
from wekaconf.data.arff import load_arff, read_text, save_arff
from wekaconf.data.catalogue._finding import Entry

DATA = re.compile(r"^[^\S\n]*@data\b.*$", re.IGNORECASE | re.MULTILINE)


Steps = Sequence[tuple[str, str]]
"""Steps of a conversion and their arguments; see `convert_file`."""


def convert_file(entry: Entry, content: bytes, target: str, declared: Steps = ()) -> str:
    """Convert a file as its server sends it to the ARFF file that the catalogue promises.

    Parameters
    ----------
    entry : Entry
        Its ``conversion`` lists the steps, separated by semicolons:
        ``header NAME`` puts ``headers/NAME.arff`` before the rows, whose cells may be separated by blanks;
        ``missing VALUE`` makes missing nominal cells a value of that name, the first of each attribute that lacks some;
        ``drop ATTRIBUTE`` leaves an attribute out;
        ``class ATTRIBUTE`` moves the class to the end;
        ``classes NEW=OLD,OLD NEW=OLD`` declares new classes in that order, in place of old ones; instances of classes
        that are not named are left out.
        An entry without steps is written byte for byte, comments included.
    content : bytes
        The file as it came.
    target : str
        A path, written completely or not at all.
    declared : sequence of (str, str)
        Further steps, which the server's description of the file asks for.

    Returns
    -------
    str
        `values_digest` of the result.

    Raises
    ------
    FetchError
        The file is not ARFF, or is not of the size that the catalogue gives.
    OSError
        The target cannot be written.
    """
    try:
        data = convert_data(entry, content, declared)
    except WekaconfError as error:
        raise FetchError(f"{entry.name}: the file is not what the catalogue says: {error}") from error
    if entry.conversion or declared:
        save_arff(target, data)
    else:
        # As it came, with the comments in which donors ask to be cited.
        with atomic_write(target, "wb") as file:
            file.write(content)
    return values_digest(data)


def convert_data(entry: Entry, content: bytes, declared: Steps = ()) -> Dataset:
    """The converted data of a file, with the class of the catalogue; see `convert_file`."""
    steps = [step.split(" ", 1) for step in entry.conversion.split("; ") if step]
    if steps and steps[0][0] == "header":
        content = _with_header(steps.pop(0)[1], content)
    data = load_arff(entry.name, class_attribute=None, content=content)
    for step, argument in (*steps, *declared):
        data = _STEPS[step](data, argument)
    if entry.instances:
        size = (len(data), len(data.attributes), len(data.attributes[-1].values))
        expected = (entry.instances, entry.attributes, entry.classes)
        if size != expected or not data.attributes[-1].is_nominal:
            form = "{} instances, {} attributes and {} classes in the last of them"
            raise FetchError(f"expected {form.format(*expected)}, got {form.format(*size)}")
    return data.with_class("last").renamed(entry.name)


def values_digest(data: Dataset) -> str:
    """Digest, in 32 hexadecimal digits, of what a learner sees: kinds, declared values, cells, sparse rows."""
    kinds = [(attribute.kind, attribute.values) for attribute in data.attributes]
    cells = np.where(np.isnan(data.values), np.nan, data.values + 0.0)  # one NaN, one zero
    sparse = data.sparse_rows.astype("<i4").tobytes()
    return hashlib.sha256(repr(kinds).encode() + cells.astype("<f8").tobytes() + sparse).hexdigest()[:32]


def _with_header(name: str, content: bytes) -> bytes:
    """The rows of a file below one of our headers; lines that begin with an asterisk are comments."""
    text = read_text(name, content)
    begin = DATA.search(text)
    lines = text[begin.end() if begin else 0 :].splitlines()
    rows = [re.sub(r"[,\s]+", ",", line.strip()) for line in lines if not line.lstrip().startswith("*")]
    header = files("wekaconf.data.catalogue").joinpath("headers", f"{name}.arff").read_text(encoding="utf-8")
    return (header + "\n".join(rows)).encode()


def _name_missing(data: Dataset, value: str) -> Dataset:
    attributes, values = list(data.attributes), data.values.copy()
    for column, attribute in enumerate(attributes):
        is_missing = np.isnan(values[:, column])
        if attribute.is_nominal and is_missing.any():
            attributes[column] = replace(attribute, values=(value, *attribute.values))
            values[:, column] = np.where(is_missing, 0, values[:, column] + 1)
    return replace(data, header=replace(data.header, attributes=tuple(attributes)), values=values)


def _drop_attribute(data: Dataset, name: str) -> Dataset:
    _column(data, name)
    return data.without([name])


def _move_class(data: Dataset, name: str) -> Dataset:
    column = _column(data, name)
    order = [*(c for c in range(len(data.attributes)) if c != column), column]
    return data.conform(Header(data.relation, tuple(data.attributes[c] for c in order)))


def _column(data: Dataset, name: str) -> int:
    names = [attribute.name for attribute in data.attributes]
    if name not in names:
        raise FetchError(f"it has no attribute '{name}'")
    return names.index(name)


def _group_classes(data: Dataset, groups: str) -> Dataset:
    pairs = [group.split("=") for group in groups.split()]
    target = data.attributes[-1]
    place = {old: new for new, (_, olds) in enumerate(pairs) for old in olds.split(",")}
    index = np.array([place.get(old, np.nan) for old in target.values])
    data = data.take(~np.isnan(data.values[:, -1]))
    values = data.values.copy()
    values[:, -1] = index[values[:, -1].astype(np.intp)]
    attributes = (*data.attributes[:-1], replace(target, values=tuple(new for new, _ in pairs)))
    grouped = replace(data, header=replace(data.header, attributes=attributes), values=values)
    return grouped.take(~np.isnan(values[:, -1]))


_STEPS = {
    "missing": _name_missing,
    "drop": _drop_attribute,
    "class": _move_class,
    "classes": _group_classes,
}
