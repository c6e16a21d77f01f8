"""The files of a paper's data sets: a search for them, and a check that they are those of our figures."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import nearest, some
from wekaconf.data import Dataset
from wekaconf.data.arff import load_arff
from wekaconf.data.catalogue import VARIABLE, entries, find_in_folder, find_locally, values_digest

KEEL = {
    "ecoli3": "f5cca2f62cec4f09c75c9b794599031c",
    "pima": "fc7f889f4dfb2a4b51f2b087dfd5da79",
    "yeast-0-2-5-6_vs_3-7-8-9": "a3830e5fd67925201541cefd16119d27",
    "yeast-0-2-5-7-9_vs_3-6-8": "e4e1a855afd6ea03e6631c4a732d99da",
}
"""The digests of sets in KEEL's order of rows, with which our figures were made; the catalogue has UCI's order."""


def choose_sets(paper: str, known: Sequence[str], sets: Collection[str]) -> list[str]:
    """The data sets of a paper that are asked for, in the paper's order; all if none is named.

    Raises
    ------
    OptionError
        The paper has no data set of a name.
    """
    for name in sets:
        if name not in known:
            raise OptionError(
                f"no data set '{name}' in {paper}{nearest(name, known) or f'; it has {some(known)}'}", value_of="sets"
            )
    return [name for name in known if not sets or name in sets]


def find_sets(folders: Sequence[str | os.PathLike[str]], names: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The ARFF file of each data set, gzipped or not, and the data sets without one, which a `Note` lists.

    Parameters
    ----------
    folders : sequence of path
        The folders to search, the first one first. Empty: the folders that ``WEKACONF_DATA`` names, and the fetched
        sets, see `wekaconf.data.catalogue._finding.find_locally`.
    names : sequence of str
        Data sets: names of files without ending.

    Raises
    ------
    OptionError
        A folder does not exist, or no file is found.
    """
    files = _in_folders(folders, names) if folders else {name: find_locally(name) for name in names}
    paths = {name: path for name, path in files.items() if path is not None}
    missing = [name for name in names if name not in paths]
    listed = some([f"{name}.arff" for name in missing])
    searched = "in " + ", ".join(f"'{os.fspath(folder)}'" for folder in folders) if folders else "at hand"
    if not paths:
        raise OptionError(
            f"no data set {searched}: expected {listed}; name the folder that holds the ARFF files with --data or in "
            f"{VARIABLE}, or fetch them, such as 'wekaconf fetch uci {names[0]}'",
            value_of="data",
        )
    if missing:
        what = "1 data set is" if len(missing) == 1 else f"{len(missing)} data sets are"
        tell(f"{what} not {searched} and left out: {listed}")
    return paths, missing


def _in_folders(folders: Sequence[str | os.PathLike[str]], names: Sequence[str]) -> dict[str, str | None]:
    paths: dict[str, str | None] = {}
    for folder in [os.fspath(folder) for folder in folders]:
        if not os.path.isdir(folder):
            problem = f"'{folder}' is no folder" if os.path.exists(folder) else f"there is no folder '{folder}'"
            raise OptionError(
                f"{problem}; name the one that holds the ARFF files, such as {names[0]}.arff", value_of="data"
            )
        for name in names:
            if path := find_in_folder(folder, name):
                paths.setdefault(name, path)
    return paths


def load_set(name: str, path: str) -> Dataset:
    """A data set of a paper, whose last attribute is the class; a `Note` if it is not the set of our figures.

    It is compared with the catalogue by its size and by the SHA-256 of what a learner sees, see
    `wekaconf.data.catalogue._conversion.values_digest`. A data set that is not in the catalogue is not compared.

    Raises
    ------
    ArffError
        See `wekaconf.load_arff`.
    """
    data = load_arff(path)
    listed = entries().get(name)
    # Not by its bytes: comments, line ends and gzip change no result. It is measured all the same: Fisher's iris has
    # two editions, and both are iris.
    if listed is not None and KEEL.get(name, listed.values) != values_digest(data):
        sizes = (listed.instances, listed.attributes, listed.classes), (len(data), len(data.attributes), data.n_classes)
        expected, actual = ("{} instances, {} attributes and {} classes".format(*size) for size in sizes)
        got = "got other values" if expected == actual else f"got {actual}"
        tell(f"{path}: expected {name} with {expected}, {got}; the figures that we recorded are of another file")
    return data
