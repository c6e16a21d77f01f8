"""The files of a paper's data sets: where they are, and whether they hold what our figures were made from."""

from __future__ import annotations

import csv
import hashlib
import os
import warnings
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from wekaconf.data.arff import load_arff
from wekaconf.data.dataset import Dataset
from wekaconf.errors import Note, OptionError, tell
from wekaconf.naming import nearest, some


def chosen(paper: str, known: Sequence[str], sets: Collection[str]) -> list[str]:
    """The data sets of a paper that are asked for, in the paper's order; all if none is named.

    Raises
    ------
    OptionError
        The paper has no data set of a name.
    """
    for name in sets:
        if name not in known:
            raise OptionError(f"no data set '{name}' in {paper}{nearest(name, known) or f'; it has {some(known)}'}")
    return [name for name in known if not sets or name in sets]


def find_sets(folders: Sequence[str | os.PathLike[str]], names: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The ARFF file of each data set, gzipped or not, and the data sets without one, which a `Note` lists.

    Parameters
    ----------
    folders : sequence of path
        The first that has a file of the name gives it.
    names : sequence of str
        Data sets: names of files without ending.

    Raises
    ------
    OptionError
        There is no folder, one of them does not exist, or none of the files is in any.
    """
    if not folders:
        raise OptionError(
            f"no folder with data sets: expected one that holds {names[0]}.arff; name it with --data or in "
            "WEKACONF_DATA; 'wekaconf data fetch' fetches data sets"
        )
    paths: dict[str, str] = {}
    for folder in [os.fspath(folder) for folder in folders]:
        if not os.path.isdir(folder):
            problem = f"'{folder}' is no folder" if os.path.exists(folder) else f"there is no folder '{folder}'"
            raise OptionError(f"{problem}; name the one that holds the ARFF files, such as {names[0]}.arff")
        for name in names:
            for ending in (".arff", ".arff.gz"):
                if os.path.isfile(path := os.path.join(folder, name + ending)):
                    paths.setdefault(name, path)
    missing = [name for name in names if name not in paths]
    listed = some([f"{name}.arff" for name in missing])
    searched = ", ".join(f"'{os.fspath(folder)}'" for folder in folders)
    if not paths:
        raise OptionError(f"no data set in {searched}: expected {listed}; name the folder that holds the ARFF files")
    if missing:
        what = "1 data set is" if len(missing) == 1 else f"{len(missing)} data sets are"
        warnings.warn(Note(f"{what} not in {searched} and left out: {listed}"), stacklevel=3)
    return paths, missing


def load_set(name: str, path: str) -> Dataset:
    """A data set of a paper, the last attribute its class; a `Note` if it is not what our figures were made from.

    That is told by the SHA-256 of what the file holds, see `digest`, in ``data_sets.csv``, which also has the sizes. A
    data set that is not listed there is not compared.

    Raises
    ------
    ArffError
        See `wekaconf.load_arff`.
    """
    data = load_arff(path)
    listed = _listed().get(name)
    if listed is not None and listed["sha256"] != digest(data):
        expected, actual = (
            "{} instances, {} attributes and {} classes".format(*size)
            for size in ([listed[key] for key in ("instances", "attributes", "classes")], sizes(data))
        )
        got = "got other values" if expected == actual else f"got {actual}"
        tell(f"{path}: expected {name} with {expected}, {got}; the figures that we recorded are of another file")
    return data


def sizes(data: Dataset) -> tuple[int, int, int]:
    """Number of instances, attributes and declared classes."""
    return len(data), len(data.attributes), data.n_classes


def digest(data: Dataset) -> str:
    """SHA-256, in hexadecimal, of what results depend on: kinds of attributes, numbers of declared values, all cells.

    The names of attributes and values do not count, nor do comments, line ends and compression of the file.
    """
    header = [(each.kind, len(each.values)) for each in data.attributes]
    found = hashlib.sha256(repr((header, data.class_index)).encode())
    for array in (data.values, data.weights):
        found.update(np.where(np.isnan(array), np.nan, array + 0.0).astype("<f8").tobytes())
    return found.hexdigest()


@cache
def _listed() -> dict[str, dict[str, str]]:
    text = files(__package__).joinpath("data_sets.csv").read_text(encoding="utf-8")
    return {row["name"]: row for row in csv.DictReader(text.splitlines())}
