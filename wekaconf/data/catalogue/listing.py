"""The files of the data sets that a user names by files, folders and lists of names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import nearest, quoted
from wekaconf.data.catalogue.finding import at_hand, is_name
from wekaconf.data.tables import ENDINGS, stem

DATA_ENDINGS = tuple(ending for ending in (".arff", ".arff.gz", *ENDINGS) if not ending.startswith(".txt"))
"""Endings of the files in a folder that are data sets."""


def data_files(places: Iterable[str], listed_in: str | None = None) -> list[str]:
    """The files of data sets.

    Parameters
    ----------
    places : iterable of str
        Files, which are taken as they are, and folders, of which all data files are taken, in alphabetical order.
    listed_in : str, optional
        A text file that names data sets, one per line: by a path, relative to the current folder or the list's folder,
        or by the name of a file without its ending, in the folders among the places, the list's folder, or
        `finding.folders`. With a list, the folders themselves add nothing. Empty lines and lines that begin with # are
        ignored.

    Raises
    ------
    OptionError
        A folder holds no data file; or the list is no text, has no line, or a line without a file.
    OSError
        A folder or the list cannot be read.
    """
    places = list(places)
    folders = [place for place in places if os.path.isdir(place)]
    if listed_in is None:
        return [path for place in places for path in (_files_in(place) if place in folders else [place])]
    try:
        with open(listed_in, encoding="utf-8-sig") as file:
            lines = [line.strip() for line in file]
    except UnicodeDecodeError as error:
        raise OptionError(
            f"{listed_in}: expected a list of data sets as text in UTF-8 ({error})", value_of="listed_in"
        ) from error
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines:
        raise OptionError(
            f"{listed_in}: expected one data set per line, a path or a name, got none", value_of="listed_in"
        )
    folders.append(os.path.dirname(listed_in) or ".")
    files = [place for place in places if place not in folders]
    return [*dict.fromkeys([*files, *(_file_of_line(line, folders, listed_in) for line in lines)])]


def _files_in(folder: str) -> list[str]:
    names = sorted(name for name in os.listdir(folder) if name.lower().endswith(DATA_ENDINGS))
    if not names:
        raise OptionError(
            f"{folder}: no data set in this folder; expected files that end in {', '.join(DATA_ENDINGS)}",
            value_of="folder",
        )
    return [os.path.join(folder, name) for name in names]


def _file_of_line(line: str, folders: Sequence[str], listed_in: str) -> str:
    path: str | None
    for path in (line, *(os.path.join(folder, line) for folder in folders)):
        if os.path.isfile(path):
            return path
    for folder in folders:
        for ending in DATA_ENDINGS:
            if os.path.isfile(path := os.path.join(folder, line + ending)):
                return path
    if is_name(line) and (path := at_hand(line)):
        return path
    names = {stem(name) for folder in folders for name in os.listdir(folder) if name.lower().endswith(DATA_ENDINGS)}
    raise OptionError(
        f"{listed_in}: there is no data set {quoted(line)} in {' or '.join(folders)}{nearest(line, names)}",
        value_of="listed_in",
    )
