"""Data sets by name: those that can be fetched, from ``catalogue.csv``, and those on this machine.

On this machine are the fetched ones, and those in the folders of ``WEKACONF_DATA``. Beside each
fetched set NAME.arff lies NAME.json, its record: where the set came from and the digest of its bytes. The record stays
when the set is removed, so that a file fetched again can be compared with the first one.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from glob import glob, has_magic
from importlib.resources import files
from importlib.resources.abc import Traversable

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.files import digest_of_file, write_text
from wekaconf.base.naming import name_list, nearest, quoted, some
from wekaconf.base.user_cache import existing_folder, private_folder
from wekaconf.data._tables import ENDINGS, is_table, stem

CATALOGUE: Traversable = files("wekaconf.data.catalogue").joinpath("catalogue.csv")
COLLECTIONS = ("uci", "openml")
"""What data sets can be fetched from: the catalogue, and OpenML by number."""
OPENML = "https://www.openml.org/api/v1/json/data/"
_OPENML_NAME = re.compile(r"openml-([1-9]\d{0,8})")
VARIABLE = "WEKACONF_DATA"
"""The environment variable that names folders, separated as in PATH."""
ARFF_ENDINGS = (".arff", ".arff.gz")
DATA_ENDINGS = (*ARFF_ENDINGS, *(ending for ending in ENDINGS if not ending.startswith(".txt")))
"""Endings of the files in a folder that are data sets."""
FOLDER = "data"
"""The folder's name below the user's cache folder for wekaconf."""
Record = dict[str, str]
"""A fetched set's source, address, licence, fetched (a date), sent (SHA-256 of the file as it came), sha256 (of the
set) and values."""


@dataclass(frozen=True)
class Entry:
    """A data set that can be fetched.

    Parameters
    ----------
    name : str
        The name of its file without ending: Weka's, where Weka has one.
    instances, attributes, classes : int
        The size of the data set; the attributes include the class, the classes are those declared. 0: unknown.
    source : str
        The archive that has it, such as "OpenML 61" or "UCI".
    address : str
        Address of the file, or, at OpenML, of the description that names the file.
    licence : str
    checksum : str
        Checksum of the file as its server sends it, "sha256:…" or "md5:…"; empty if none is known.
    values : str
        `conversion.values_digest` of the copy on which the figures of the documentation were computed.
    conversion : str
        The steps that convert the file, see `conversion.convert`; empty: it is kept as it is.
    remark : str
        What a user should know before using it; mostly empty.
    """

    name: str
    instances: int
    attributes: int
    classes: int
    source: str
    address: str
    licence: str
    checksum: str
    values: str
    conversion: str
    remark: str

    @property
    def is_described(self) -> bool:
        """Whether the address leads to OpenML's description of the file."""
        return self.source.startswith("OpenML")


def openml_entry(number: str) -> Entry:
    """The data set of that number at OpenML, of which nothing is known before it is asked; it is called openml-NUMBER.

    Raises
    ------
    OptionError
        That is no number.
    """
    name = f"openml-{number}"
    if not is_openml_name(name):
        expected = "the number of a data set at OpenML, such as 61"
        raise OptionError(parameter="names", expected=expected, got=quoted(number))
    unknown = dict.fromkeys(("licence", "checksum", "values", "conversion", "remark"), "")
    return Entry(name, 0, 0, 0, source=f"OpenML {number}", address=OPENML + number, **unknown)


def is_openml_name(name: str) -> bool:
    """Whether a name is that of a set that is fetched from OpenML by number."""
    return _OPENML_NAME.fullmatch(name) is not None


@cache
def entries() -> Mapping[str, Entry]:
    """Every data set of the catalogue, by name."""
    lines = CATALOGUE.read_text(encoding="utf-8").splitlines()
    rows = [
        {name: int(cell) if name in ("instances", "attributes", "classes") else cell for name, cell in row.items()}
        for row in csv.DictReader(lines)
    ]
    return {str(row["name"]): Entry(**row) for row in rows}  # type: ignore[arg-type]


def entry(name: str) -> Entry:
    """The data set of that name.

    Raises
    ------
    OptionError
        The catalogue has none; the message tells the nearest name.
    """
    known = entries()
    if name not in known:
        hint = nearest(name, known) or f"; known are {name_list(known, name)}"
        raise OptionError(
            f"no data set {quoted(name)} in the catalogue{hint}; see 'wekaconf list data'", value_of="name"
        )
    return known[name]


def folders() -> list[str]:
    """The folders that ``WEKACONF_DATA`` names, in its order; a `Note` tells of those that do not exist."""
    named = [folder for folder in os.environ.get(VARIABLE, "").split(os.pathsep) if folder]
    for folder in named:
        if not os.path.isdir(folder):
            tell(f"{VARIABLE} names {folder}, and there is no such folder")
    return [folder for folder in named if os.path.isdir(folder)]


def find_locally(name: str) -> str | None:
    """The file of a data set, plain or gzipped; None if it is not on this machine.

    The folders of ``WEKACONF_DATA`` come first; a fetched file that was changed since does not count.
    """
    # Whoever sets the variable has chosen.
    for folder in folders():
        if path := find_in_folder(folder, name):
            return path
    return unchanged_file(existing_set_folder(), name)


def find_in_folder(folder: str, name: str) -> str | None:
    """The file of a data set in a folder, plain or gzipped; None if there is none."""
    paths = (os.path.join(folder, name + ending) for ending in ARFF_ENDINGS)
    return next(filter(os.path.isfile, paths), None)


def find(name: str) -> str:
    """The file of a data set that must be on this machine; see `find_locally`.

    Raises
    ------
    OptionError
        It is not on this machine; the message tells how to fetch it, or the nearest name.
    """
    if path := find_locally(name):
        return path
    if name in entries():
        raise OptionError(f"{name}: not at hand; 'wekaconf fetch uci {name}' fetches it", value_of="name")
    if is_openml_name(name):
        number = name.removeprefix("openml-")
        raise OptionError(f"{name}: not at hand; 'wekaconf fetch openml {number}' fetches it", value_of="name")
    places = [*folders(), "the fetched sets"]
    names = {name for folder in folders() for name in os.listdir(folder) if name.endswith(ARFF_ENDINGS)}
    hint = nearest(name, {*entries(), *map(stem, names)})
    raise OptionError(
        f"{name}: there is no such file, and no data set of that name in {' or '.join(places)}{hint}", value_of="name"
    )


def is_name(text: str) -> bool:
    """Whether a text may be the name of a data set: it is neither a path nor an existing file."""
    is_path = os.path.basename(text) != text or is_table(text) or text.lower().endswith(ARFF_ENDINGS)
    return bool(text) and not is_path and not os.path.exists(text)


def data_files(places: Iterable[str]) -> list[str]:
    """The files of data sets.

    Parameters
    ----------
    places : iterable of str
        Files, which are taken as they are; folders, of which all data files are taken; and patterns such as
        ``d/*.arff`` for files, where no file has that name. Of folders and patterns in alphabetical order.

    Raises
    ------
    OptionError
        A folder holds no data file, or a pattern is that of none.
    OSError
        A folder cannot be read.

    Notes
    -----
    Files that are equal to the last byte count as several data sets, which a `Note` says.
    """
    files = [path for place in places for path in (_files_in if os.path.isdir(place) else _files_of)(place)]
    _note_copies(files)
    return files


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
    if files := sorted(filter(os.path.isfile, glob(place, recursive=True))):
        return files
    raise OptionError(
        f"{place}: no file has a name of this pattern; check the pattern and the folder", value_of="places"
    )


def _note_copies(files: Iterable[str]) -> None:
    """A note on files that are equal to the last byte; only those of one size are read."""
    for of_one_size in _group_files(filter(os.path.isfile, dict.fromkeys(files)), os.path.getsize):
        for copies in _group_files(of_one_size, digest_of_file):
            tell(
                f"{some(copies)} are equal to the last byte, and count as {len(copies)} data sets, also in tests "
                "over the data sets; leave out all but one"
            )


def _group_files(files: Iterable[str], key: Callable[[str], object]) -> Iterator[list[str]]:
    """The groups of two or more files with the same key."""
    groups: dict[object, list[str]] = {}
    for file in files:
        groups.setdefault(key(file), []).append(file)
    return (group for group in groups.values() if len(group) > 1)


def make_set_folder() -> str:
    """The folder of the fetched sets, made if there is none; OSError if no folder is safe."""
    return private_folder(FOLDER)


def existing_set_folder() -> str | None:
    """The folder of the fetched sets; None if nothing was ever fetched."""
    return existing_folder(FOLDER)


def read_record(folder: str, name: str) -> Record:
    """The record of a set; empty if it was never fetched."""
    try:
        with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as file:
            record = json.load(file)
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) and all(isinstance(text, str) for text in record.values()) else {}


def write_record(folder: str, name: str, record: Record) -> None:
    """Write the record of a set."""
    write_text(os.path.join(folder, f"{name}.json"), json.dumps(record, indent=1) + "\n")


def unchanged_file(folder: str | None, name: str) -> str | None:
    """The file of a set if it is still as it was fetched; None if it is absent or was changed."""
    if folder is None or not (record := read_record(folder, name)):
        return None
    path = os.path.join(folder, f"{name}.arff")
    return path if os.path.isfile(path) and digest_of_file(path) == record.get("sha256") else None
