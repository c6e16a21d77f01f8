"""The catalogue of data sets by name: their size, source, licence and checksums, from ``catalogue.csv``."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, nearest, quoted

CATALOGUE: Traversable = files("wekaconf.data.catalogue").joinpath("catalogue.csv")
COLLECTIONS = ("uci", "openml")
"""What data sets can be fetched from: the catalogue, and OpenML by number."""
OPENML = "https://www.openml.org/api/v1/json/data/"
_OPENML_NAME = re.compile(r"openml-([1-9]\d{0,8})")


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
