"""Search for data sets on this machine by name: in the folders of ``WEKACONF_DATA``, and among the fetched sets."""

from __future__ import annotations

import os
from collections.abc import Iterator

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import nearest
from wekaconf.data._tables import is_table
from wekaconf.data.catalogue._index import entries, is_openml_name
from wekaconf.data.catalogue._set_folder import existing_set_folder, unchanged_file

VARIABLE = "WEKACONF_DATA"
"""The environment variable that names folders, separated as in PATH."""
ENDINGS = (".arff", ".arff.gz")


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
        if path := in_folder(folder, name):
            return path
    return unchanged_file(existing_set_folder(), name)


def in_folder(folder: str, name: str) -> str | None:
    """The file of a data set in a folder, plain or gzipped; None if there is none."""
    paths = (os.path.join(folder, name + ending) for ending in ENDINGS)
    return next(filter(os.path.isfile, paths), None)


def find(name: str) -> str:
    """The file of a data set by its name; see `find_locally`.

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
    hint = nearest(name, {*entries(), *_names()})
    raise OptionError(
        f"{name}: there is no such file, and no data set of that name in {' or '.join(places)}{hint}", value_of="name"
    )


def is_name(text: str) -> bool:
    """Whether a text may be the name of a data set: it is neither a path nor an existing file."""
    is_path = os.path.basename(text) != text or is_table(text) or text.lower().endswith(ENDINGS)
    return bool(text) and not is_path and not os.path.exists(text)


def _names() -> Iterator[str]:
    """The data sets in the folders of ``WEKACONF_DATA``."""
    for folder in folders():
        for file in os.listdir(folder):
            for ending in ENDINGS:
                if file.endswith(ending):
                    yield file.removesuffix(ending)
