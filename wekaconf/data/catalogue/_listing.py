"""The files of the data sets that a user names by files, folders and lists of names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from glob import escape, glob, has_magic

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.files import digest_of_file
from wekaconf.base.naming import nearest, quoted, some
from wekaconf.data._tables import ENDINGS, stem
from wekaconf.data.catalogue._finding import find_locally, is_name

DATA_ENDINGS = tuple(ending for ending in (".arff", ".arff.gz", *ENDINGS) if not ending.startswith(".txt"))
"""Endings of the files in a folder that are data sets."""


def data_files(places: Iterable[str], listed_in: str | None = None) -> list[str]:
    """The files of data sets.

    Parameters
    ----------
    places : iterable of str
        Files, which are taken as they are; folders, of which all data files are taken; and patterns such as
        ``d/*.arff`` for files, where no file has that name. Of folders and patterns in alphabetical order.
    listed_in : str, optional
        A text file that names data sets, one per line: by a path or a pattern, relative to the current folder or the
        list's folder, or by the name of a file without its ending, in the folders among the places, the list's folder,
        or `finding.folders`. With a list, the folders themselves add nothing. Empty lines and lines that begin with #
        are ignored.

    Raises
    ------
    OptionError
        A folder holds no data file, a pattern is that of none; or the list is no text, has no line, or a line without a
        file.
    OSError
        A folder or the list cannot be read.

    Notes
    -----
    Files that are equal to the last byte count as several data sets, which a `Note` says.
    """
    files = _files_of_places(list(places), listed_in)
    _note_copies(files)
    return files


def _files_of_places(places: list[str], listed_in: str | None) -> list[str]:
    folders = [place for place in places if os.path.isdir(place)]
    if listed_in is None:
        return [path for place in places for path in (_files_in(place) if place in folders else _files_of(place))]
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
    files = [path for place in places if place not in folders for path in _files_of(place)]
    return [*dict.fromkeys([*files, *(path for line in lines for path in _files_of_line(line, folders, listed_in))])]


def _files_in(folder: str) -> list[str]:
    names = sorted(name for name in os.listdir(folder) if name.lower().endswith(DATA_ENDINGS))
    if not names:
        expected = f"expected files that end in {', '.join(DATA_ENDINGS)}"
        raise OptionError(f"{folder}: no data set in this folder; {expected}", value_of="folder")
    return [os.path.join(folder, name) for name in names]


def is_pattern(place: str) -> bool:
    """Whether a text is a pattern for the names of files, and no name of a file or folder itself."""
    return has_magic(place) and not os.path.exists(place)


def _files_of(place: str) -> list[str]:
    """The file itself, or those that a pattern is for."""
    if not is_pattern(place):
        return [place]
    if files := _matching(place):
        return files
    raise OptionError(
        f"{place}: no file has a name of this pattern; check the pattern and the folder", value_of="places"
    )


def _matching(pattern: str) -> list[str]:
    return sorted(filter(os.path.isfile, glob(pattern, recursive=True)))


def _note_copies(files: Iterable[str]) -> None:
    """A note on files that are equal to the last byte; only those of one size are read."""
    for of_one_size in _alike(filter(os.path.isfile, dict.fromkeys(files)), os.path.getsize):
        for copies in _alike(of_one_size, digest_of_file):
            tell(
                f"{some(copies)} are equal to the last byte, and count as {len(copies)} data sets, also in tests "
                "over the data sets; leave out all but one"
            )


def _alike(files: Iterable[str], key: Callable[[str], object]) -> Iterator[list[str]]:
    """The groups of several files that have one key."""
    groups: dict[object, list[str]] = {}
    for file in files:
        groups.setdefault(key(file), []).append(file)
    return (group for group in groups.values() if len(group) > 1)


def _files_of_line(line: str, folders: Sequence[str], listed_in: str) -> list[str]:
    path: str | None
    line = os.path.expanduser(line)
    for path in (line, *(os.path.join(folder, line) for folder in folders)):
        if os.path.isfile(path):
            return [path]
    if has_magic(line):
        for pattern in (line, *(os.path.join(escape(folder), line) for folder in folders)):
            if files := _matching(pattern):
                return files
    for folder in folders:
        for ending in DATA_ENDINGS:
            if os.path.isfile(path := os.path.join(folder, line + ending)):
                return [path]
    if is_name(line) and (path := find_locally(line)):
        return [path]
    names = {stem(name) for folder in folders for name in os.listdir(folder) if name.lower().endswith(DATA_ENDINGS)}
    problem = f"there is no data set {quoted(line)} in {' or '.join(folders)}{nearest(line, names)}"
    raise OptionError(f"{listed_in}: {problem}", value_of="listed_in")
