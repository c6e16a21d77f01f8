"""The data sets that a user means by files, folders and lists of names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import nearest, quoted
from wekaconf.data.catalogue.finding import at_hand, is_name
from wekaconf.data.tables import ENDINGS, stem

DATA_ENDINGS = tuple(ending for ending in (".arff", ".arff.gz", *ENDINGS) if not ending.startswith(".txt"))
"""Files in a folder are data sets if their names end so."""


def data_files(places: Iterable[str], listed_in: str | None = None) -> list[str]:
    """The files of data sets.

    Parameters
    ----------
    places : iterable of str
        Files, which are taken as they are, and folders, of which all data files are taken, in alphabetical order.
    listed_in : str, optional
        A text file that names data sets, one per line, by a path, as seen from the current folder or from that of the
        list, or by the name of a file without its ending, in the folders among the places, that of the list, or
        those of `finding.folders`. With it
        the folders themselves add nothing. Empty lines count for nothing, nor do those that begin with #.

    Raises
    ------
    OptionError
        A folder holds no data file, there is no file for a line of the list, or no line, or the list is no text.
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
        raise OptionError(f"{listed_in}: expected a list of data sets as text in UTF-8 ({error})") from error
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines:
        raise OptionError(f"{listed_in}: expected one data set per line, a path or a name, got none")
    folders.append(os.path.dirname(listed_in) or ".")
    files = [place for place in places if place not in folders]
    return [*dict.fromkeys([*files, *(_listed(line, folders, listed_in) for line in lines)])]


def _files_in(folder: str) -> list[str]:
    found = sorted(name for name in os.listdir(folder) if name.lower().endswith(DATA_ENDINGS))
    if not found:
        raise OptionError(f"{folder}: no data set in this folder; expected files that end in {', '.join(DATA_ENDINGS)}")
    return [os.path.join(folder, name) for name in found]


def _listed(line: str, folders: Sequence[str], listed_in: str) -> str:
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
        f"{listed_in}: there is no data set {quoted(line)} in {' or '.join(folders)}{nearest(line, names)}"
    )
