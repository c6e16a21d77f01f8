"""Data sets read from files, by either of two readers."""

from __future__ import annotations

import os
from typing import Literal

from wekaconf import bridge
from wekaconf.data import arff
from wekaconf.data.dataset import Dataset
from wekaconf.errors import OptionError


def load_arff(
    path: str | os.PathLike[str],
    *,
    class_attribute: str | int | None = "last",
    reader: Literal["liac", "weka"] = "liac",
) -> Dataset:
    """Read an ARFF file, gzipped or not.

    Parameters
    ----------
    path : path
    class_attribute : str, int or None
        ``"last"``, ``"first"``, a number counted from 1, or a name; None: no class.
    reader : {"liac", "weka"}
        liac-arff, which needs no Java, or Weka's own ArffLoader. Both give the same Dataset; Weka's refuses relational
        attributes.

    Raises
    ------
    ArffError
        The file is absent, unreadable or malformed; the message gives file and line.
    OptionError
        There is no such class attribute.
    """
    if reader == "weka":
        return bridge.load_arff_with_weka(path, class_attribute=class_attribute)
    if reader != "liac":
        raise OptionError(f"reader: expected 'liac' or 'weka', got '{reader}'")
    return arff.load_arff(path, class_attribute=class_attribute)
